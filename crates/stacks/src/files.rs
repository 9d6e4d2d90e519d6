//! All modules, each file once, and how the file behind a mapping is found.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::jit_dump;
use crate::module::{FileKey, Image, Module};
use crate::perf_map::PerfMap;
use crate::raw::{Mapping, ModuleId};

/// More files than this are not a program's; later ones count as unknown memory.
const MODULE_LIMIT: usize = 1 << 16;
const VDSO: &[u8] = b"[vdso]";
const DELETED: &[u8] = b" (deleted)";

/// Every file with code that any process mapped.
#[derive(Debug, Default)]
pub struct Files {
    modules: Vec<Module>,
    known: HashMap<FileKey, ModuleId>,
    origin: Origin,
    recorded: HashMap<Build, Result<ModuleId, Absence>>,
    /// Dumps of generated code, by process.
    dumps: BTreeMap<u32, Vec<u8>>,
}

/// The path of a recorded module, and its build-id where that was recorded.
type Build = (Vec<u8>, Option<Vec<u8>>);

/// What is known of a recording of the past, whose programs may have changed since.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// A file without a build-id that was written after this moment is not what was recorded.
    pub ended: Option<SystemTime>,
    /// Where perf keeps copies by build-id: `~/.debug`.
    pub copies: Option<PathBuf>,
    /// Another machine made it, or another kernel ran then: of files without a build-id nothing is known.
    pub elsewhere: bool,
}

/// Why a recorded module has no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Absence {
    NotHere,
    OtherBuild,
    /// The recording has no build-id of it, and it was written later.
    Changed,
    /// The recording has no build-id of it, and comes from elsewhere.
    Doubtful,
    NotCode,
}

impl Files {
    /// For a recording of the past.
    #[must_use]
    pub fn of_recording(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    /// Takes note that a recording comes from elsewhere; to be called before its files are looked for.
    pub(crate) fn comes_from_elsewhere(&mut self) {
        self.origin.elsewhere = true;
    }

    /// The module that a recording names: the file at its path or perf's copy of it, where it is the same build.
    pub(crate) fn recorded(&mut self, path: &[u8], build_id: Option<&[u8]>) -> Result<ModuleId, Absence> {
        let wanted = (path.to_vec(), build_id.map(<[u8]>::to_vec));
        if let Some(found) = self.recorded.get(&wanted) {
            return *found;
        }
        let mut found = self.at_place(path, Path::new(OsStr::from_bytes(path)), build_id);
        if let (Err(_), Some(copy)) = (found, build_id.and_then(|id| self.origin.copy_of(id))) {
            found = self.at_place(path, &copy, build_id).or(found);
        }
        if build_id.is_none() && self.origin.elsewhere {
            found = found.and(Err(Absence::Doubtful));
        }
        self.recorded.insert(wanted, found);
        found
    }

    fn at_place(&mut self, path: &[u8], place: &Path, build_id: Option<&[u8]>) -> Result<ModuleId, Absence> {
        if path == VDSO {
            let vdso = self.vdso().ok_or(Absence::NotHere)?;
            let same = self.module(vdso).is_some_and(|module| is_build(module, build_id));
            return if same { Ok(vdso) } else { Err(Absence::OtherBuild) };
        }
        let metadata = std::fs::metadata(place).ok().filter(Metadata::is_file).ok_or(Absence::NotHere)?;
        let key = key(path.to_vec(), &metadata);
        if let Some(id) = self.known.get(&key) {
            let same = self.module(*id).is_some_and(|module| is_build(module, build_id));
            return if same { Ok(*id) } else { Err(Absence::OtherBuild) };
        }
        let later = self.origin.ended.zip(metadata.modified().ok()).is_some_and(|(ended, at)| at > ended);
        if build_id.is_none() && later {
            return Err(Absence::Changed);
        }
        let image = open(place).and_then(|file| Image::of_file(&file)).ok_or(Absence::NotHere)?;
        let module = Module::new(key.clone(), image);
        if !module.is_elf {
            return Err(Absence::NotCode);
        }
        if !is_build(&module, build_id) {
            return Err(Absence::OtherBuild);
        }
        self.add(key, module).ok_or(Absence::NotHere)
    }

    /// A process that maps a dump of generated code tells by that where it lies.
    ///
    /// Returns whether the mapping is one.
    pub(crate) fn note_dump(&mut self, pid: u32, mapping: &Mapping) -> bool {
        let is_dump = jit_dump::is_dump(&mapping.path);
        if is_dump {
            self.dumps.insert(pid, mapping.path.clone());
        }
        is_dump
    }

    /// Whether a process dumps its generated code.
    #[must_use]
    pub fn has_dump(&self, pid: u32) -> bool {
        self.dumps.contains_key(&pid)
    }

    /// The dumps of generated code that can be read, by process.
    pub(crate) fn dumps(&self, since: SystemTime) -> HashMap<u32, PerfMap> {
        let read = |(pid, path): (&u32, &Vec<u8>)| Some((*pid, jit_dump::read(path, since)?));
        self.dumps.iter().filter_map(read).collect()
    }

    /// In the order of their [`ModuleId`].
    #[must_use]
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    #[must_use]
    pub fn module(&self, id: ModuleId) -> Option<&Module> {
        self.modules.get(id.0 as usize)
    }

    /// The module behind a mapping. `None` where no file is behind it, or none that the kernel can name.
    pub(crate) fn of_mapping(&mut self, pid: u32, mapping: &Mapping) -> Option<ModuleId> {
        if mapping.path == VDSO {
            return self.vdso();
        }
        if self.note_dump(pid, mapping) {
            return None;
        }
        let path = mapping.path.as_slice();
        if !path.starts_with(b"/") || is_nameless(path) {
            return None;
        }
        let found = candidates(pid, mapping).into_iter().find_map(|candidate| {
            let metadata = std::fs::metadata(&candidate).ok()?;
            metadata.is_file().then_some((candidate, metadata))
        });
        let shown = path.strip_suffix(DELETED).unwrap_or(path).to_vec();
        let Some((place, metadata)) = found else {
            return self.opaque(shown, path);
        };
        let key = key(shown, &metadata);
        if let Some(id) = self.known.get(&key) {
            return Some(*id);
        }
        let image = open(&place).and_then(|file| Image::of_file(&file));
        let module =
            image.map_or_else(|| Module::opaque(key.clone()), |image| Module::new(key.clone(), image));
        if !module.is_elf && is_memory(path) {
            return None;
        }
        self.add(key, module)
    }

    /// A file that is gone: it still has a name. Memory files that are gone were most likely made for generated code.
    fn opaque(&mut self, shown: Vec<u8>, path: &[u8]) -> Option<ModuleId> {
        if is_memory(path) {
            return None;
        }
        let key = FileKey { path: shown, device: 0, inode: 0, size: 0, modified: (0, 0) };
        match self.known.get(&key) {
            Some(id) => Some(*id),
            None => self.add(key.clone(), Module::opaque(key)),
        }
    }

    fn vdso(&mut self) -> Option<ModuleId> {
        let key = FileKey { path: VDSO.to_vec(), device: 0, inode: 0, size: 0, modified: (0, 0) };
        match self.known.get(&key) {
            Some(id) => Some(*id),
            None => self.add(key.clone(), Module::new(key, Image::of_vdso()?)),
        }
    }

    fn add(&mut self, key: FileKey, module: Module) -> Option<ModuleId> {
        let id = ModuleId(u32::try_from(self.modules.len()).ok()?);
        if self.modules.len() >= MODULE_LIMIT {
            return None;
        }
        self.modules.push(module);
        self.known.insert(key, id);
        Some(id)
    }
}

impl Origin {
    fn copy_of(&self, build_id: &[u8]) -> Option<PathBuf> {
        let (first, rest) = build_id.split_first()?;
        let name = format!(".build-id/{first:02x}/{}/elf", crate::name::hexadecimal(rest));
        Some(self.copies.as_ref()?.join(name))
    }
}

/// Whether a module is of this build, where one is known. perf fills short ones up with zeros.
fn is_build(module: &Module, build_id: Option<&[u8]>) -> bool {
    let filled = |longer: &[u8], shorter: &[u8]| {
        longer.strip_prefix(shorter).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
    };
    build_id.is_none_or(|wanted| module.build_id().is_some_and(|found| filled(wanted, found)))
}

/// Names the kernel gives to memory that only looks like a file.
fn is_nameless(path: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"//anon", b"/dev/zero", b"/anon_hugepage", b"/SYSV"];
    NAMES.iter().any(|name| path.starts_with(name))
}

/// Files that live in memory: programs started from there, and pages for generated code.
fn is_memory(path: &[u8]) -> bool {
    path.starts_with(b"/memfd:") || path.starts_with(b"/dev/shm/")
}

/// Where the file of a mapping may be opened, the surest place first.
fn candidates(pid: u32, mapping: &Mapping) -> Vec<PathBuf> {
    let path = mapping.path.as_slice();
    let process = PathBuf::from(format!("/proc/{pid}"));
    if !path.ends_with(DELETED) && !path.starts_with(b"/memfd:") {
        // The process may live under another root. When it is gone already, its root most likely was ours.
        let relative = path.strip_prefix(b"/").unwrap_or(path);
        return vec![
            process.join("root").join(OsStr::from_bytes(relative)),
            PathBuf::from(OsStr::from_bytes(path)),
        ];
    }
    let mut places = vec![process.join("map_files").join(format!("{:x}-{:x}", mapping.start, mapping.end))];
    // The links above need privileges; the program's own file does not, nor do files it still holds open.
    let same = |link: &Path| {
        std::fs::read_link(link).is_ok_and(|target| is_same(target.as_os_str().as_bytes(), path))
    };
    places.extend(Some(process.join("exe")).filter(|link| same(link)));
    if let Ok(open) = std::fs::read_dir(process.join("fd")) {
        places.extend(open.flatten().map(|entry| entry.path()).filter(|link| same(link)).take(1));
    }
    places
}

/// Perf records and `/proc` disagree on whether a deleted file is marked.
fn is_same(left: &[u8], right: &[u8]) -> bool {
    left.strip_suffix(DELETED).unwrap_or(left) == right.strip_suffix(DELETED).unwrap_or(right)
}

pub(crate) fn key(path: Vec<u8>, metadata: &Metadata) -> FileKey {
    FileKey {
        path,
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    }
}

/// Never waits: what was a file a moment ago may be a pipe now.
fn open(path: &Path) -> Option<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC).open(path).ok()
}
