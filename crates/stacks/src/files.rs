//! All modules, each file once, and how the file behind a mapping is found.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::module::{FileKey, Image, Module};
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
}

impl Files {
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
