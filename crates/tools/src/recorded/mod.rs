//! Profiles of other tools, imported into one form.
//!
//! Each format is one module and one variant of [`Format`]. A file is read as a whole or not at all; what it does not
//! tell stays unknown, and what was left out is a gap of the recording.

mod cpuprofile;
mod error;
mod folded;
mod index;
mod json;
mod lines;
mod merge;
pub mod perf_data;
mod perf_script;
mod place;
mod pprof;
mod speedscope;
mod tables;
mod unpack;

use std::borrow::Cow;
use std::path::Path;

use model::Gap;
use model::recording::Recording;

pub use error::RecordedError;

/// How much of a file [`recognise`] wants to see; less is enough for small files.
pub const HEAD: usize = 64 << 10;

/// A format of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    PerfData,
    Pprof,
    Speedscope,
    CpuProfile,
    PerfScript,
    Folded,
}

/// Every format, in the order they are tried: the ones that cannot be mistaken first.
pub const FORMATS: [Format; 6] = [
    Format::PerfData,
    Format::Speedscope,
    Format::CpuProfile,
    Format::Pprof,
    Format::PerfScript,
    Format::Folded,
];

impl Format {
    /// What the recording says it was imported from.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PerfData => perf_data::NAME,
            Self::Pprof => pprof::NAME,
            Self::Speedscope => speedscope::NAME,
            Self::CpuProfile => cpuprofile::NAME,
            Self::PerfScript => perf_script::NAME,
            Self::Folded => folded::NAME,
        }
    }

    fn recognises(self, name: &Path, head: &[u8]) -> bool {
        match self {
            Self::PerfData => perf_data::recognises(head),
            Self::Pprof => pprof::recognises(name, head),
            Self::Speedscope => speedscope::recognises(head),
            Self::CpuProfile => cpuprofile::recognises(head),
            Self::PerfScript => perf_script::recognises(head),
            Self::Folded => folded::recognises(head),
        }
    }
}

/// What to take of a file that holds several things.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The event of perf, or the sample type of pprof. `None`: the first event; pprof's default type.
    pub event: Option<&'a str>,
}

/// The format of a file by its first [`HEAD`] bytes, packed with gzip or not, and, where these leave a doubt, its name.
/// Does not promise that it parses.
#[must_use]
pub fn recognise(name: &Path, head: &[u8]) -> Option<Format> {
    let unpacked = unpack::head(head, HEAD);
    FORMATS.into_iter().find(|format| format.recognises(name, &unpacked))
}

/// Why a file of which [`recognise`] knows no format cannot be read, where that is plain: it is packed and was cut or damaged.
#[must_use]
pub fn damage(bytes: &[u8]) -> Option<RecordedError> {
    unpack::all(bytes).err()
}

/// Reads a profile of a known format, packed with gzip or not.
///
/// Stacks that perf only copied (`--call-graph dwarf`) keep their innermost frame; see [`perf_data::parse`].
///
/// # Errors
///
/// When the file is cut or damaged, holds no samples, or lacks the event asked for.
pub fn parse(format: Format, bytes: &[u8], options: &Options<'_>) -> Result<Recording, RecordedError> {
    let bytes = whole(bytes)?;
    match format {
        Format::PerfData => perf_data::parse(&bytes, options, None),
        Format::Pprof => pprof::parse(&bytes, options),
        Format::Speedscope => speedscope::parse(&bytes),
        Format::CpuProfile => cpuprofile::parse(&bytes),
        Format::PerfScript => perf_script::parse(&bytes, options),
        Format::Folded => folded::parse(&bytes),
    }
}

/// The bytes, unpacked where they are packed.
fn whole(bytes: &[u8]) -> Result<Cow<'_, [u8]>, RecordedError> {
    if bytes.is_empty() {
        return Err(RecordedError::Empty);
    }
    unpack::all(bytes)
}

/// Says which events of a file were not taken.
fn left_out(chosen: &[u8], others: &[(&[u8], u64)]) -> Gap {
    let others: Vec<String> =
        others.iter().map(|(name, count)| format!("{} ({count})", lines::lossy(name))).collect();
    Gap::new(
        "other events of the file",
        format!("only {} was taken, not {}", lines::lossy(chosen), others.join(", ")),
        Some("import again and name the event"),
    )
}

#[cfg(test)]
mod fixtures;
