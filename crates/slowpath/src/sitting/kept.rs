//! What a run folder could not take: a full disk costs the files that found no room, never the answer.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use history::StoreError;
use model::Gap;
use model::manifest::Kind;

use super::Sitting;
use crate::show::complain;
use crate::stop::Stop;

/// Files that could not be written, with the reason the system gave.
#[derive(Debug, Default)]
pub(super) struct Unwritten(RefCell<Vec<(String, String)>>);

impl Unwritten {
    pub(super) fn gap(&self) -> Option<Gap> {
        let files = self.0.borrow();
        let (_, why) = files.first()?;
        let names: Vec<String> = files.iter().map(|(name, _)| format!("`{name}`")).collect();
        let why = format!("{} could not be written: {why}", names.join(", "));
        Some(Gap::new("the run folder as a whole", why, Some(NEXT)))
    }

    fn note(&self, name: &str, path: &Path, why: &io::Error) {
        if !self.holds(name) {
            complain(&format!("warning: `{}` could not be written: {why}\n", path.display()));
            self.0.borrow_mut().push((name.to_owned(), why.to_string()));
        }
    }

    fn holds(&self, name: &str) -> bool {
        self.0.borrow().iter().any(|(known, _)| known == name)
    }
}

const NEXT: &str = "free some space there, or choose another place with `--out DIR`";

impl Sitting<'_> {
    /// Stores a file of the run folder; whether it is there now. One that finds no room is told and left out.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<bool, Stop> {
        self.written(self.folder.store(name, bytes))
    }

    /// Goes on without a file that could not be written. Of a raw profile nothing would be left, so there it is an error.
    pub(super) fn written(&self, stored: Result<(), StoreError>) -> Result<bool, Stop> {
        match stored {
            Err(error @ StoreError::NotWritten { .. }) if self.manifest.kind == Kind::Record => {
                Err(error.into())
            }
            Err(StoreError::NotWritten { path, source }) => {
                let name = path.strip_prefix(self.folder.path()).unwrap_or(&path);
                self.unwritten.note(&name.to_string_lossy(), &path, &source);
                Ok(false)
            }
            other => other.map(|()| true).map_err(Stop::from),
        }
    }

    /// Whether lines may still be added to a file: behind one that was cut they would be damage.
    pub(super) fn takes_lines(&self, name: &str) -> bool {
        !self.unwritten.holds(name)
    }
}
