//! Writing one run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::arg::hex_of;
use model::manifest::{Artifact, COUNTS, Manifest, SAMPLES};
use model::sample::{Counted, Sample};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{StoreError, pack};

/// A run folder that is being written.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    samples: File,
}

impl RunFolder {
    pub(crate) fn open_new(path: PathBuf) -> Result<Self, StoreError> {
        let tier = path.join("tier1");
        fs::create_dir(&tier).map_err(|source| StoreError::NotCreated { path: tier, source })?;
        let samples = append(&path.join(SAMPLES))?;
        Ok(Self { path, samples })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds one sample: one write of one whole line.
    ///
    /// # Errors
    /// When the disk refuses; earlier samples stay whole.
    pub fn append_sample(&mut self, sample: &Sample) -> Result<(), StoreError> {
        write_line(&mut self.samples, sample)
            .map_err(|source| StoreError::NotWritten { path: self.path.join(SAMPLES), source })
    }

    /// Adds one counted run.
    ///
    /// # Errors
    /// As [`Self::append_sample`].
    pub fn append_counted(&self, counted: &Counted) -> Result<(), StoreError> {
        let path = self.path.join(COUNTS);
        let mut file = append(&path)?;
        write_line(&mut file, counted).map_err(|source| StoreError::NotWritten { path, source })
    }

    /// Replaces `run.json` as a whole.
    ///
    /// # Errors
    /// When the disk refuses; the former manifest stays.
    pub fn store_manifest(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let json = serde_json::to_string_pretty(manifest).map_err(|error| StoreError::NotWritten {
            path: self.path.join("run.json"),
            source: io::Error::other(error),
        })?;
        self.store("run.json", format!("{json}\n").as_bytes())
    }

    /// Replaces a file of the folder as a whole, packed where its name says so, and makes the folder of its tier.
    ///
    /// # Errors
    /// When the disk refuses; the former file stays.
    pub fn store(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let packed = made.and_then(|()| pack::packed(name, bytes));
        packed
            .and_then(|bytes| replace(&path, &bytes))
            .map_err(|source| StoreError::NotWritten { path, source })
    }

    /// Every raw file so far with its size and hash, in order of path.
    ///
    /// # Errors
    /// When one of them cannot be read back.
    pub fn artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        let mut paths = Vec::new();
        for tier in ["tier1", "tier2", "tier3", "tier4"] {
            files_below(&self.path.join(tier), &mut paths)?;
        }
        paths.sort();
        paths.iter().map(|path| self.artifact(path)).collect()
    }

    fn artifact(&self, path: &Path) -> Result<Artifact, StoreError> {
        let bytes = fs::read(path).map_err(|source| StoreError::NotRead { path: path.to_owned(), source })?;
        Ok(Artifact {
            path: path.strip_prefix(&self.path).unwrap_or(path).to_string_lossy().into_owned(),
            bytes: bytes.len() as u64,
            sha256: hex_of(&Sha256::digest(&bytes)),
        })
    }
}

/// The files of a folder and of those in it; none when there is no such folder.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), StoreError> {
    let failed = |source| StoreError::NotRead { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files_below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn append(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|source| StoreError::NotWritten { path: path.to_owned(), source })
}

fn write_line(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
    text.push(b'\n');
    file.write_all(&text)
}

/// Readers see the old bytes or the new ones, also after a crash.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}
