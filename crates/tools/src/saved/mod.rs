//! Results that other tools saved, so that they can be compared.
//!
//! Each format is one row of [`FORMATS`] and one module. All values are converted here, once, into seconds, bytes or
//! counts.

mod criterion;
mod go;
mod google_benchmark;
mod hyperfine;
mod jmh;
mod json;
mod pyperf;
mod pytest_benchmark;
mod value;

use std::collections::BTreeMap;
use std::fmt;

use model::Metric;

use crate::ParseError;

pub use criterion::{UNNAMED as CRITERION_UNNAMED, name as criterion_name};

/// Results another tool saved: benchmarks in file order.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    pub tool: &'static str,
    /// `None` when the file does not say which version wrote it.
    pub version: Option<String>,
    pub host: SavedHost,
    /// At least one of them has a series.
    pub benchmarks: Vec<Benchmark>,
    /// What a reader of the numbers should know of the file as a whole.
    pub notes: Vec<String>,
}

/// What the file says of the machine; `None` is unknown, never equal to another unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedHost {
    /// The CPU's model name.
    pub cpu: Option<String>,
    pub kernel: Option<String>,
    /// How many CPUs the tool saw.
    pub cpus: Option<String>,
}

/// One benchmark by the name its tool shows. The name is unique in the file unless the tool itself repeats it.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    pub name: String,
    /// Empty when the benchmark failed or measured nothing we compare; then a note says so.
    pub series: Vec<Series>,
    pub notes: Vec<String>,
}

/// Values of one metric in its unit, in order of measurement; less is better. Never empty, each value finite and not negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub metric: Metric,
    pub values: Vec<f64>,
    pub each: Each,
}

/// What one value of a series stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// One run or one call, timed by itself.
    Run,
    /// One pass of a loop: the mean over passes that were timed together. `None` when their number differs
    /// between the values or is unknown.
    Pass { of: Option<u64> },
    /// One process, which may have measured several values of other series.
    Process,
    /// The mean of all runs, because the file has no value for each of them.
    Mean { of: u64 },
}

impl fmt::Display for Each {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run | Self::Pass { of: Some(1) } => f.write_str("run"),
            Self::Pass { of: Some(passes) } => write!(f, "mean of {passes} passes"),
            Self::Pass { of: None } => f.write_str("mean of many passes"),
            Self::Process => f.write_str("process"),
            Self::Mean { of } => write!(f, "mean of all {of} runs"),
        }
    }
}

/// A format of saved results.
pub struct Format {
    pub name: &'static str,
    /// Whether the bytes look like this format, cut ones included. Does not promise that they parse.
    pub recognises: fn(&[u8]) -> bool,
    pub parse: fn(&[u8]) -> Result<Saved, ParseError>,
}

/// Every format, in the order they are tried.
pub static FORMATS: &[Format] = &[
    hyperfine::V2,
    hyperfine::V1,
    google_benchmark::FORMAT,
    pytest_benchmark::FORMAT,
    pyperf::FORMAT,
    criterion::FORMAT,
    jmh::FORMAT,
    go::FORMAT,
];

/// Reads results in whichever known format they are.
///
/// # Errors
///
/// When the format is unknown, the file is cut or damaged, or it holds no single measurements.
pub fn read(bytes: &[u8]) -> Result<Saved, ParseError> {
    if bytes.trim_ascii().is_empty() {
        return Err(ParseError::Empty);
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return Err(ParseError::Compressed { with: "gzip" });
    }
    if let Some(format) = FORMATS.iter().find(|format| (format.recognises)(bytes)) {
        return (format.parse)(bytes);
    }
    // Broken JSON is worth saying; sound JSON of another kind is just unknown.
    json::check(bytes)?;
    Err(ParseError::UnknownFormat { known: FORMATS.iter().map(|format| format.name).collect() })
}

/// The results, unless no benchmark has a series: nothing to compare is an error, not an equality.
fn with_samples(saved: Saved, format: &'static str, remedy: &'static str) -> Result<Saved, ParseError> {
    if saved.benchmarks.iter().all(|benchmark| benchmark.series.is_empty()) {
        return Err(ParseError::NoSamples { format, remedy });
    }
    Ok(saved)
}

/// Things by name, in the order the names first came up.
struct ByName<T> {
    rows: Vec<(String, T)>,
    places: BTreeMap<String, usize>,
}

impl<T: Default> ByName<T> {
    fn new() -> Self {
        Self { rows: Vec::new(), places: BTreeMap::new() }
    }

    /// Changes the row of that name, a new one if there is none yet.
    fn change(&mut self, name: &str, change: impl FnOnce(&mut T)) {
        let place = self.places.get(name).copied().unwrap_or(self.rows.len());
        if place == self.rows.len() {
            self.places.insert(name.to_owned(), place);
            self.rows.push((name.to_owned(), T::default()));
        }
        if let Some((_, row)) = self.rows.get_mut(place) {
            change(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_names_are_unique() {
        for (place, format) in FORMATS.iter().enumerate() {
            assert!(FORMATS.iter().skip(place + 1).all(|other| other.name != format.name), "{}", format.name);
        }
    }

    #[test]
    fn an_unknown_file_is_an_error_that_names_the_formats() {
        for bytes in [&b"hello\n"[..], b"{}", b"[]", b"{\"a\": 1}", b"3", b"\xff\xfe"] {
            let error = read(bytes).unwrap_err();
            assert!(matches!(error, ParseError::UnknownFormat { .. }), "{error}");
            for format in FORMATS {
                assert!(error.next_step().contains(format.name), "{}", format.name);
            }
        }
    }

    #[test]
    fn nothing_is_an_error_not_an_empty_result() {
        for bytes in [&b""[..], b"\n", b" \t\r\n "] {
            assert!(matches!(read(bytes), Err(ParseError::Empty)));
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let deep = |open: &str| format!("{{\"results\": {}", open.repeat(1_000_000));
        for open in ["[", "{\"a\":"] {
            assert!(read(deep(open).as_bytes()).is_err());
        }
        assert!(read("[".repeat(1_000_000).as_bytes()).is_err());
    }

    #[test]
    fn packed_files_are_told_apart() {
        let error = read(b"\x1f\x8b\x08\x00").unwrap_err();
        assert_eq!(error.next_step(), "unpack it first with `gzip -d`");
    }
}
