//! Why a profile could not be imported.

use std::io;

use thiserror::Error;

/// A situation in which a profile yields no recording. `format` is what the file is, such as `perf script text`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordedError {
    #[error("the file is empty")]
    Empty,

    #[error("the {format} ends too early: {wanted} is missing")]
    Cut { format: &'static str, wanted: &'static str },

    #[error("line {line} of the {format} is not {wanted}: `{text}`")]
    BadLine {
        format: &'static str,
        line: u64,
        wanted: &'static str,
        /// The first characters, as far as they are text.
        text: String,
    },

    #[error("line {line} of the {format} does not end within {longest} bytes")]
    LongLine { format: &'static str, line: u64, longest: usize },

    #[error("the {format} is not as expected in line {line}, column {column}")]
    Malformed {
        format: &'static str,
        line: usize,
        column: usize,
        #[source]
        source: serde_json::Error,
    },

    #[error("{place} of the {format} is `{found}`, not {wanted}")]
    BadValue { format: &'static str, place: &'static str, found: String, wanted: &'static str },

    #[error("the gzip file cannot be unpacked")]
    Packed {
        #[source]
        source: io::Error,
    },

    #[error("the gzip file of {packed} bytes unpacks to more than {limit} bytes")]
    Swollen { packed: usize, limit: usize },

    #[error("unsupported {format}: {found}")]
    Unsupported {
        format: &'static str,
        found: String,
        /// What makes the tool write a form that is read.
        remedy: &'static str,
    },

    #[error("the {format} holds no samples")]
    NoSamples { format: &'static str, remedy: &'static str },

    #[error("the {format} has no samples of an event `{wanted}`")]
    NoSuchEvent { format: &'static str, wanted: String, known: Vec<String> },

    #[error("the {format} has more {what} than fit a recording")]
    TooMany { format: &'static str, what: &'static str },
}

impl RecordedError {
    /// What the user can do about it, for the `try:` line.
    #[must_use]
    pub fn next_step(&self) -> String {
        match self {
            Self::Empty => "record again, and check that the tool ended without an error".into(),
            Self::Cut { .. } | Self::Packed { .. } => {
                "copy or write the file again; this copy is incomplete".into()
            }
            Self::BadLine { .. } | Self::LongLine { .. } | Self::Malformed { .. } | Self::BadValue { .. } => {
                "use the file as its tool wrote it, without edits or other output in it".into()
            }
            Self::Swollen { .. } => "unpack it with `gzip -d` if you trust it, and import the result".into(),
            Self::Unsupported { remedy, .. } | Self::NoSamples { remedy, .. } => (*remedy).into(),
            Self::NoSuchEvent { known, .. } => format!("use one of these: {}", known.join(", ")),
            Self::TooMany { .. } => "record for a shorter time or at a lower rate".into(),
        }
    }
}

/// The first characters of a line, for an error.
pub(super) fn excerpt(line: &[u8]) -> String {
    String::from_utf8_lossy(line.get(..80).unwrap_or(line)).into_owned()
}
