//! Where the target finds the library and both sides find their files.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::layout;
use crate::measure::Recipe;
use crate::preload::{Library, before};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/heap.so"));

/// Memory, so that nothing is written to a disk.
const IN_MEMORY: &str = "/dev/shm";

/// The library refuses longer ones.
const LONGEST_FOLDER: usize = 199;

/// A folder of this pass, and the library. Both are gone when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    library: OsString,
    /// Keeps the anonymous file behind `library` alive.
    _image: Option<Library>,
    /// Rung by a thread that waits to be looked at.
    pub(super) bell: File,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Place {
    pub(super) fn make() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if IMAGE.is_empty() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "the library exists for x86-64 only"));
        }
        let name = format!("slowpath-heap-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let make = |parent: &Path| {
            let folder = parent.join(&name);
            fs::DirBuilder::new().mode(0o700).create(&folder).map(|()| folder)
        };
        let folder = make(Path::new(IN_MEMORY)).or_else(|_| make(&std::env::temp_dir()))?;
        let bell = bell(&folder);
        let image = Library::in_memory(c"slowpath-heap", IMAGE);
        let library = match &image {
            Ok(image) => Ok(image.path.clone()),
            Err(_) => in_folder(&folder),
        };
        match (bell, library) {
            (Ok(bell), Ok(library)) if folder.as_os_str().len() <= LONGEST_FOLDER => {
                Ok(Self { folder, library, _image: image.ok(), bell })
            }
            (Err(error), _) | (_, Err(error)) => {
                let _ = fs::remove_dir_all(&folder);
                Err(error)
            }
            _ => {
                let _ = fs::remove_dir_all(&folder);
                Err(io::Error::from(io::ErrorKind::InvalidFilename))
            }
        }
    }

    /// The recipe under which the target loads the library, before any that the user asks for.
    pub(super) fn asked(&self, recipe: &Recipe, interval: u64) -> Recipe {
        let mut recipe = recipe.clone();
        before(&mut recipe.env, &self.library);
        let mut shared = OsString::from(format!("{interval}:"));
        shared.push(&self.folder);
        recipe.env.retain(|(name, _)| name != layout::VARIABLE);
        recipe.env.push((layout::VARIABLE.into(), shared));
        recipe
    }
}

fn in_folder(folder: &Path) -> io::Result<OsString> {
    let path = folder.join("heap.so");
    fs::OpenOptions::new().create_new(true).write(true).mode(0o500).open(&path)?.write_all(IMAGE)?;
    Ok(path.into_os_string())
}

fn bell(folder: &Path) -> io::Result<File> {
    use std::os::unix::ffi::OsStrExt;
    let path = folder.join("bell");
    let name = std::ffi::CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: a name that ends with a zero.
    if unsafe { libc::mkfifo(name.as_ptr(), 0o600) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // With our own end for writing it never hangs up.
    fs::OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path)
}
