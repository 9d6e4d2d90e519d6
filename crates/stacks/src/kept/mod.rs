//! Names found once are kept in the user's cache, one file a module, so that the next recording of the same program need
//! not read its debug information again.
//!
//! A file is believed only for exactly the module, the debug information beside it and the slowpath that made it. Whatever
//! goes wrong here costs time, never a name: what is not kept is looked up.

mod format;
mod kernel;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::files;
use crate::hash::Quick;
use crate::module::Module;
use crate::name::hexadecimal;
use crate::symbols::Symbol;

/// One module's file is not written or read above this size. 100,000 addresses take about 5 MiB.
const FILE_LIMIT: u64 = 32 << 20;
/// All files together; the oldest go first.
const FOLDER_LIMIT: u64 = 256 << 20;
/// Where debug information that was packaged apart lies.
const DEBUG_FOLDERS: [&str; 2] = ["/usr/lib/debug", "/lib/debug"];

/// The frames of each address, outer first; none where it is known that there is no name.
pub(crate) type Names = HashMap<u64, Vec<Symbol>, BuildHasherDefault<Quick>>;

/// A folder of this user's cache for what slowpath keeps between runs, made when it is missing. `None` when the user has no
/// cache, or it is somebody else's: `sudo` may leave the home of another.
#[must_use]
pub fn cache_folder(name: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    own_folder(&cache, name)
}

fn own_folder(cache: &Path, name: &str) -> Option<PathBuf> {
    let folder = cache.join("slowpath").join(name);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    // SAFETY: the call takes nothing and cannot fail.
    let own = unsafe { libc::geteuid() };
    fs::metadata(&folder).is_ok_and(|folder| folder.uid() == own).then_some(folder)
}

/// The folder of kept names.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// The folder of this user, made when it is missing. `None` when the user has none, or it is somebody else's: `sudo`
    /// may leave the home of another.
    pub(crate) fn of_user() -> Option<Self> {
        Some(Self { folder: cache_folder("names")? })
    }

    #[cfg(test)]
    pub(crate) fn within(cache: &Path) -> Option<Self> {
        Some(Self { folder: own_folder(cache, "names")? })
    }

    /// What is kept of a module. `None` for modules that are not plain files, or no longer the file at their path.
    pub(crate) fn shelf(&self, module: &Module) -> Option<Shelf> {
        let stamp = stamp(module)?;
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(module.path());
        // By its path, so that a program that is built again takes its own place and not one more.
        let place = self.folder.join(format!("{hash:016x}"));
        let bytes = fs::metadata(&place).ok().filter(|file| file.len() <= FILE_LIMIT);
        let bytes = bytes.and_then(|_| fs::read(&place).ok());
        let names = bytes.and_then(|bytes| format::decode(&bytes, &stamp)).unwrap_or_default();
        Some(Shelf { names, stamp, place })
    }

    /// Removes the oldest files when there is too much: once for all the modules of a recording.
    pub(crate) fn bound(&self) {
        self.bound_to(FOLDER_LIMIT);
    }

    fn bound_to(&self, limit: u64) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut all: Vec<_> = entries
            .flatten()
            .filter_map(|entry| entry.metadata().ok().map(|file| (file.mtime(), file.len(), entry.path())))
            .collect();
        let mut sum: u64 = all.iter().map(|(_, size, _)| size).sum();
        all.sort_unstable();
        for (_, size, path) in all {
            if sum <= limit {
                return;
            }
            let _ = fs::remove_file(path);
            sum -= size;
        }
    }

    /// Puts a shelf back. Others may do so at the same time: the last one wins, and no reader sees half a file.
    pub(crate) fn store(&self, shelf: &Shelf) {
        let Some(bytes) = format::encode(&shelf.stamp, &shelf.names) else { return };
        write(&shelf.place, &bytes);
    }
}

fn write(place: &Path, bytes: &[u8]) {
    if bytes.len() as u64 > FILE_LIMIT {
        return;
    }
    let unfinished = place.with_extension(std::process::id().to_string());
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(&unfinished);
    let written = file.and_then(|mut file| file.write_all(bytes));
    if written.and_then(|()| fs::rename(&unfinished, place)).is_err() {
        let _ = fs::remove_file(&unfinished);
    }
}

/// What is kept of one module.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) names: Names,
    stamp: Vec<u8>,
    place: PathBuf,
}

/// What names depend on: this very program, the module, and each file that holds or could hold its debug information.
fn stamp(module: &Module) -> Option<Vec<u8>> {
    let path = Path::new(OsStr::from_bytes(module.path()));
    let same = |metadata: &Metadata| files::key(module.path().to_vec(), metadata) == module.key;
    let file = fs::metadata(path).ok().filter(same)?;
    let own = fs::metadata(std::env::current_exe().ok()?).ok()?;
    let mut stamp = Vec::new();
    for (path, file) in [(Path::new(""), own), (path, file)] {
        add(&mut stamp, path, &file);
    }
    stamp.extend_from_slice(module.build_id().map(hexadecimal).unwrap_or_default().as_bytes());
    for place in debug_places(module, path) {
        if let Ok(file) = fs::metadata(&place) {
            add(&mut stamp, &place, &file);
        }
    }
    Some(stamp)
}

fn add(stamp: &mut Vec<u8>, path: &Path, file: &Metadata) {
    stamp.extend_from_slice(path.as_os_str().as_bytes());
    let facts = [file.dev(), file.ino(), file.size()];
    stamp.push(b'\n');
    stamp.extend(facts.iter().flat_map(|fact| fact.to_le_bytes()));
    stamp.extend([file.mtime(), file.mtime_nsec()].iter().flat_map(|fact| fact.to_le_bytes()));
}

/// Where debug information of a module may lie apart from it.
fn debug_places(module: &Module, path: &Path) -> Vec<PathBuf> {
    let mut package = path.as_os_str().to_owned();
    package.push(".dwp");
    let mut places = vec![PathBuf::from(package)];
    if let Some((first, rest)) = module.build_id().and_then(<[u8]>::split_first) {
        let name = format!(".build-id/{first:02x}/{}.debug", hexadecimal(rest));
        places.extend(DEBUG_FOLDERS.iter().map(|folder| Path::new(folder).join(&name)));
    }
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let (Some(link), Some(folder)) = (debug_link(module), real.parent()) {
        places.push(folder.join(&link));
        let relative = folder.strip_prefix("/").unwrap_or(folder);
        for (fixed, inner) in
            DEBUG_FOLDERS.iter().flat_map(|fixed| relative.ancestors().map(move |at| (fixed, at)))
        {
            places.push(Path::new(fixed).join(inner).join(&link));
        }
    }
    places
}

/// The name of the file that a module says its debug information is in.
fn debug_link(module: &Module) -> Option<PathBuf> {
    let elf = ElfFile64::<Endianness>::parse(&**module.image.as_deref()?).ok()?;
    let bytes = elf.section_by_name(".gnu_debuglink")?.data().ok()?;
    let name = bytes.split(|byte| *byte == 0).next()?;
    Path::new(OsStr::from_bytes(name)).file_name().map(PathBuf::from)
}

#[cfg(test)]
mod tests;
