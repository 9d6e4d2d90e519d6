//! Why some bytes could not be read.

use thiserror::Error;

/// A situation in which an input yields no numbers. `format` is what the input is, such as `hyperfine 2 JSON`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    #[error("the file is empty")]
    Empty,

    #[error("the file is compressed with {with}")]
    Compressed { with: &'static str },

    #[error("the file is in no known format of saved results")]
    UnknownFormat { known: Vec<&'static str> },

    #[error("the {format} ends too early, in line {line}: {wanted} is missing")]
    Cut { format: &'static str, line: usize, wanted: &'static str },

    #[error("the {format} ends too early, at byte {byte}: {wanted} is missing")]
    CutAt { format: &'static str, byte: usize, wanted: &'static str },

    #[error("the {format} is not as expected in line {line}, column {column}")]
    Malformed {
        format: &'static str,
        line: usize,
        column: usize,
        #[source]
        source: serde_json::Error,
    },

    #[error("the {format} has an unknown line {line}: `{text}`")]
    UnknownLine {
        format: &'static str,
        line: usize,
        /// The first characters, as far as they are text.
        text: String,
    },

    #[error("`{place}` of the {format} is `{found}`, not {wanted}")]
    BadValue { format: &'static str, place: String, found: String, wanted: &'static str },

    #[error("unsupported {format}: {found}")]
    Unsupported {
        format: &'static str,
        found: String,
        /// The forms that are read.
        known: &'static str,
    },

    #[error("the {format} holds no single measurements")]
    NoSamples {
        format: &'static str,
        /// What makes the tool write them.
        remedy: &'static str,
    },

    #[error("the {format} reports a failure in line {line}: `{text}`")]
    Failed { format: &'static str, line: usize, text: String },

    #[error("the lines of the {format} add up to {lines} `{event}`, its summary says {summary}")]
    SumDiffers { format: &'static str, event: String, lines: u64, summary: u64 },
}

impl ParseError {
    /// What the user can do about it, for the `try:` line.
    #[must_use]
    pub fn next_step(&self) -> String {
        match self {
            Self::Empty => "write the results again, and check that the tool ended without an error".into(),
            Self::Compressed { with } => format!("unpack it first with `{with} -d`"),
            Self::UnknownFormat { known } => format!("use one of these: {}", known.join(", ")),
            Self::Cut { .. } | Self::CutAt { .. } => "write the file again; this copy is incomplete".into(),
            Self::Malformed { .. } | Self::UnknownLine { .. } => {
                "use the file as its tool wrote it, without edits or other output in it".into()
            }
            Self::BadValue { .. } => "measure again; this value cannot be compared".into(),
            Self::Unsupported { known, .. } => format!("use results of {known}"),
            Self::NoSamples { remedy, .. } => (*remedy).into(),
            Self::Failed { .. } => "make the benchmark succeed, then measure again".into(),
            Self::SumDiffers { .. } => "count again; the file is damaged or was edited".into(),
        }
    }
}
