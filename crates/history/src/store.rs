//! Where the runs of a working directory lie, and how one is found.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use model::arg::hex_of;

use crate::{RunFolder, StoreError};

/// The folder `.slowpath` of a working directory.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store below `directory`; nothing is created yet.
    #[must_use]
    pub fn below(directory: &Path) -> Self {
        Self { root: directory.join(".slowpath") }
    }

    fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// A new, empty run folder named `id`. Git never sees it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self, id: &str) -> Result<RunFolder, StoreError> {
        let path = self.runs().join(id);
        let failed = |source| StoreError::NotCreated { path: path.clone(), source };
        fs::create_dir_all(self.runs()).map_err(failed)?;
        ignore(&self.root).map_err(failed)?;
        fs::create_dir(&path).map_err(failed)?;
        RunFolder::open_new(path)
    }

    /// The folder of what is kept between runs, made where it is not there yet. Git never sees it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn cache(&self) -> Result<PathBuf, StoreError> {
        let path = self.root.join("cache");
        let failed = |source| StoreError::NotCreated { path: path.clone(), source };
        fs::create_dir_all(&path).map_err(failed)?;
        ignore(&self.root).map_err(failed)?;
        Ok(path)
    }

    /// A run folder at a place of the user's choice, which must be new or empty.
    ///
    /// # Errors
    /// When it cannot be made or is not empty.
    pub fn create_at(path: &Path) -> Result<RunFolder, StoreError> {
        let failed = |source| StoreError::NotCreated { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(StoreError::Occupied { path: path.to_owned() });
        }
        ignore(path).map_err(failed)?;
        RunFolder::open_new(path.to_owned())
    }

    /// The folder of a run given by path, id, beginning of an id, or `last`.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, name: &Path) -> Result<PathBuf, StoreError> {
        if name.join("run.json").exists() {
            return Ok(name.to_owned());
        }
        // Our own names are text, so what is lost here is no run's name.
        let name = name.to_string_lossy();
        let unknown = || StoreError::Unknown { name: name.clone().into_owned(), runs: self.runs() };
        let mut ids: Vec<String> = fs::read_dir(self.runs())
            .map_err(|_| unknown())?
            .flatten()
            .filter(|entry| entry.path().join("run.json").exists())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        ids.sort();
        if name == "last" {
            return ids.last().map(|id| self.runs().join(id)).ok_or_else(unknown);
        }
        let mut matching = ids.iter().filter(|id| id.starts_with(name.as_ref()));
        match (matching.next(), matching.count()) {
            (Some(id), 0) => Ok(self.runs().join(id)),
            (Some(_), more) => Err(StoreError::Ambiguous { name: name.into_owned(), count: more + 1 }),
            (None, _) => Err(unknown()),
        }
    }
}

fn ignore(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(".gitignore");
    if path.exists() {
        Ok(())
    } else {
        fs::write(path, "# Made by slowpath; nothing in here belongs to git.\n*\n")
    }
}

/// A name for a run: UTC time to the millisecond, so that names sort by age also when runs follow each other quickly,
/// and a random part, so that two at once differ.
#[must_use]
pub fn new_id(now: Timestamp) -> String {
    let mut random = [0; 3];
    // Without the kernel's generator the process id tells two slowpaths apart.
    if fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut random)).is_err() {
        let pid = std::process::id().to_ne_bytes();
        random.iter_mut().zip(pid).for_each(|(byte, pid)| *byte = pid);
    }
    format!("{}-{}", now.strftime("%Y%m%dT%H%M%S%.3fZ"), hex_of(&random))
}
