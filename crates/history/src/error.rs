//! Why a run folder cannot be written or read.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot create the run folder `{}`", path.display())]
    NotCreated { path: PathBuf, source: io::Error },
    #[error("`{}` already holds something", path.display())]
    Occupied { path: PathBuf },
    #[error("cannot write `{}`", path.display())]
    NotWritten { path: PathBuf, source: io::Error },
    #[error("cannot read `{}`", path.display())]
    NotRead { path: PathBuf, source: io::Error },
    #[error("`{}` is not a run manifest", path.display())]
    NotAManifest { path: PathBuf, source: serde_json::Error },
    #[error("`{}` was written by a newer slowpath (`{schema}`)", path.display())]
    Newer { path: PathBuf, schema: String },
    #[error("line {line} of `{}` is damaged", path.display())]
    Damaged { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("cannot unpack `{}`", path.display())]
    NotUnpacked { path: PathBuf, source: io::Error },
    #[error("no run is called `{name}`")]
    Unknown { name: String, runs: PathBuf },
    #[error("`{name}` is the beginning of {count} runs")]
    Ambiguous { name: String, count: usize },
}

impl StoreError {
    /// What to try, for the `try:` line.
    #[must_use]
    pub fn next_step(&self) -> String {
        match self {
            Self::NotCreated { .. } => {
                "choose a place you may write to: `--out DIR`, for example `--out /tmp/slowpath-run`"
                    .to_owned()
            }
            Self::Occupied { path } => format!("name a new or empty folder, or remove `{}`", path.display()),
            Self::NotWritten { .. } => {
                "free some space there, or choose another place with `--out DIR`".to_owned()
            }
            Self::NotRead { .. } => "check the path, or list what there is: `ls .slowpath/runs`".to_owned(),
            Self::NotAManifest { .. } | Self::Damaged { .. } | Self::NotUnpacked { .. } => {
                "the file was changed after the run; measure again".to_owned()
            }
            Self::Newer { .. } => "read it with the slowpath that wrote it, or a newer one".to_owned(),
            Self::Unknown { runs, .. } => {
                format!("`ls {}` lists the runs; `last` names the newest", runs.display())
            }
            Self::Ambiguous { .. } => "give more of its name".to_owned(),
        }
    }
}
