//! The tree that `/proc`, `/sys` and `/etc` are read from.

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The longest file that is read: `/proc/cpuinfo` of 1024 CPUs has about 1.5 MiB.
const LONGEST: u64 = 8 << 20;

/// The folder that stands for `/`; a made tree in tests.
#[derive(Clone, Debug)]
pub struct Root(pub PathBuf);

impl Default for Root {
    fn default() -> Self {
        Self(PathBuf::from("/"))
    }
}

impl Root {
    /// `path` inside this tree, whether it begins with `/` or not.
    #[must_use]
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// The whole file; `None` when it cannot be read to its end or is longer than 8 MiB.
    #[must_use]
    pub fn read(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        let file = File::open(self.path(path)).ok()?;
        let mut bytes = Vec::new();
        let length = file.take(LONGEST + 1).read_to_end(&mut bytes).ok()?;
        (u64::try_from(length).ok()? <= LONGEST).then_some(bytes)
    }

    /// Whether something is there; `None` when that cannot be told (a folder on the way is closed to us).
    #[must_use]
    pub fn holds(&self, path: impl AsRef<Path>) -> Option<bool> {
        match self.path(path).symlink_metadata() {
            Ok(_) => Some(true),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Some(false)
            }
            Err(_) => None,
        }
    }

    /// The names in a folder, sorted; `None` when it cannot be listed to its end.
    #[must_use]
    pub fn names(&self, path: impl AsRef<Path>) -> Option<Vec<OsString>> {
        let entries = self.path(path).read_dir().ok()?;
        let mut names =
            entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<Vec<_>, _>>().ok()?;
        names.sort();
        Some(names)
    }

    /// Where a symbolic link points to, as text.
    #[must_use]
    pub fn link(&self, path: impl AsRef<Path>) -> Option<String> {
        self.path(path).read_link().ok()?.into_os_string().into_string().ok()
    }
}

#[cfg(test)]
pub(super) mod made {
    //! Trees made for tests.

    use super::*;

    /// A temporary folder with these files, and the root that reads it.
    pub(crate) fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Root) {
        let folder = tempfile::tempdir().unwrap();
        let root = Root(folder.path().to_owned());
        for (path, text) in files {
            put(&root, path, text);
        }
        (folder, root)
    }

    pub(crate) fn put(root: &Root, path: &str, text: &str) {
        let path = root.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_and_unreadable_are_told_apart() {
        let (_folder, root) = made::tree(&[("proc/version", "x\n")]);
        assert_eq!(root.holds("/proc/version"), Some(true));
        assert_eq!(root.holds("proc/nothing"), Some(false));
        assert_eq!(root.holds("proc/version/below-a-file"), Some(false));
        assert_eq!(root.read("proc/nothing"), None);
        assert_eq!(root.names("proc/nothing"), None);
    }

    #[test]
    fn an_endless_file_is_not_read() {
        assert_eq!(Root::default().read("/dev/zero"), None);
    }
}
