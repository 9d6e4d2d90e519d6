//! Reading one run, finished or not.

use std::fs;
use std::io;
use std::path::Path;

use model::Gap;
use model::arg::hex_of;
use model::manifest::{Artifact, COUNTS, Manifest, SAMPLES, SCHEMA, State};
use model::passes::Passes;
use model::recording::{self, PLAIN_RECORDING, RECORDING, Recording};
use model::sample::{Counted, Sample};
use model::scale::{FUNCTIONS, FunctionCosts};
use model::suite::{SUITE, Suite};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::{StoreError, pack};

/// Everything stored of a run.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub manifest: Manifest,
    pub samples: Vec<Sample>,
    pub counted: Vec<Counted>,
    pub passes: Passes,
    /// What is missing or was changed since.
    pub gaps: Vec<Gap>,
}

/// Reads a run folder. A run that was killed is read up to its last whole line.
///
/// # Errors
/// When the manifest is missing, damaged or newer than this program, or a whole line is damaged.
pub fn load(folder: &Path) -> Result<Loaded, StoreError> {
    let manifest = load_manifest(folder)?;
    let mut gaps = Vec::new();
    let samples = load_lines(folder, SAMPLES, &manifest.artifacts, &mut gaps)?;
    let counted = load_lines(folder, COUNTS, &manifest.artifacts, &mut gaps)?;
    let passes = load_passes(folder, &manifest.artifacts, &mut gaps)?;
    // What these hold is read by whoever tells of it; that it is whole and as it was is told here.
    load_document::<Vec<FunctionCosts>>(folder, FUNCTIONS, &manifest.artifacts, &mut gaps)?;
    load_document::<Suite>(folder, SUITE, &manifest.artifacts, &mut gaps)?;
    gaps.extend(rest_of_the_run(manifest.state));
    Ok(Loaded { manifest, samples, counted, passes, gaps })
}

/// What a run that did not end well lacks. `None` for one that did.
#[must_use]
pub fn rest_of_the_run(state: State) -> Option<Gap> {
    let why = match state {
        State::Complete => return None,
        State::Running => "the run has not ended, or was killed",
        State::Interrupted => "the run was interrupted",
        State::Failed => "the run ended with an error",
    };
    Some(Gap::new("the rest of the run", why, Some("measure again")))
}

fn load_manifest(folder: &Path) -> Result<Manifest, StoreError> {
    let path = folder.join("run.json");
    let bytes = fs::read(&path).map_err(|source| StoreError::NotRead { path: path.clone(), source })?;
    let damaged = |source| StoreError::NotAManifest { path: path.clone(), source };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(damaged)?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(schema) if schema != SCHEMA && schema.starts_with("slowpath.run/") => {
            Err(StoreError::Newer { path, schema: schema.to_owned() })
        }
        _ => serde_json::from_value(value).map_err(damaged),
    }
}

fn load_passes(folder: &Path, artifacts: &[Artifact], gaps: &mut Vec<Gap>) -> Result<Passes, StoreError> {
    let was_plain = folder.join(PLAIN_RECORDING).exists();
    let name = if was_plain { PLAIN_RECORDING } else { RECORDING };
    let recording: Option<Recording> = load_document(folder, name, artifacts, gaps)?;
    if let Some(newer) = recording.as_ref().filter(|recording| recording.schema != recording::SCHEMA) {
        return Err(StoreError::Newer { path: folder.join(name), schema: newer.schema.clone() });
    }
    Ok(Passes {
        recording,
        source: load_document(folder, model::source::SOURCE, artifacts, gaps)?,
        calls: load_document(folder, model::calls::CALLS, artifacts, gaps)?,
        code: load_document(folder, model::machine_code::MACHINE_CODE, artifacts, gaps)?.unwrap_or_default(),
        generated: load_document(folder, model::machine_code::GENERATED_CODE, artifacts, gaps)?
            .unwrap_or_default(),
        heap: load_document(folder, model::heap::HEAP, artifacts, gaps)?,
        simulated: load_document(folder, model::simulated::SIMULATED, artifacts, gaps)?,
        runtime: load_document(folder, model::runtime::RUNTIME, artifacts, gaps)?,
        solo: load_document(folder, model::solo::SOLO, artifacts, gaps)?,
        standard: load_document(folder, model::scorecard::STANDARD, artifacts, gaps)?,
    })
}

/// `None` when that pass was not made.
fn load_document<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    artifacts: &[Artifact],
    gaps: &mut Vec<Gap>,
) -> Result<Option<T>, StoreError> {
    let Some(bytes) = load_bytes(folder, name, artifacts, gaps)? else { return Ok(None) };
    let path = folder.join(name);
    serde_json::from_slice(&bytes).map(Some).map_err(|source| StoreError::Damaged { path, line: 1, source })
}

fn load_lines<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    artifacts: &[Artifact],
    gaps: &mut Vec<Gap>,
) -> Result<Vec<T>, StoreError> {
    let Some(bytes) = load_bytes(folder, name, artifacts, gaps)? else { return Ok(Vec::new()) };
    let path = folder.join(name);
    let lines = parse_lines(&bytes).map_err(|(line, source)| StoreError::Damaged { path, line, source })?;
    if bytes.last().is_some_and(|byte| *byte != b'\n') {
        gaps.push(Gap::new("the last sample", format!("`{name}` was cut while it was written"), None));
    }
    Ok(lines)
}

/// A file of the run. `None` when it is not there; a gap when it should be, or is not what it was.
fn load_bytes(
    folder: &Path,
    name: &str,
    artifacts: &[Artifact],
    gaps: &mut Vec<Gap>,
) -> Result<Option<Vec<u8>>, StoreError> {
    let path = folder.join(name);
    let noted = artifacts.iter().find(|artifact| artifact.path == name);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if noted.is_some() {
                gaps.push(Gap::new(name, "the file is gone", Some("measure again")));
            }
            return Ok(None);
        }
        Err(source) => return Err(StoreError::NotRead { path, source }),
    };
    if noted.is_some_and(|noted| noted.sha256 != hex_of(&Sha256::digest(&bytes))) {
        gaps.push(Gap::new(name, "the file was changed after the run", Some("measure again")));
    }
    let unpacked = pack::unpacked(name, bytes);
    unpacked.map(Some).map_err(|source| StoreError::NotUnpacked { path, source })
}

/// The whole lines; what follows the last newline was never finished and is no line.
fn parse_lines<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, (usize, serde_json::Error)> {
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_suffix(b"\n"))
        .enumerate()
        .map(|(index, line)| serde_json::from_slice(line).map_err(|error| (index + 1, error)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_no_line_and_a_damaged_one_is_an_error() {
        assert_eq!(parse_lines::<u32>(b"1\n2\n3").unwrap(), [1, 2]);
        assert_eq!(parse_lines::<u32>(b"").unwrap(), Vec::<u32>::new());
        let (line, _) = parse_lines::<u32>(b"1\nx\n").unwrap_err();
        assert_eq!(line, 2);
    }

    #[test]
    fn a_recording_of_an_older_slowpath_is_not_packed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tier1")).unwrap();
        let recording =
            Recording::new(recording::Source::Slowpath(model::doctor::Level::A), recording::Weight::CpuTime);
        fs::write(folder.path().join(PLAIN_RECORDING), serde_json::to_vec(&recording).unwrap()).unwrap();
        assert_eq!(load_passes(folder.path(), &[], &mut Vec::new()).unwrap().recording, Some(recording));
    }

    #[test]
    fn a_recording_of_a_newer_slowpath_is_not_guessed_at() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tier1")).unwrap();
        let mut recording =
            Recording::new(recording::Source::Slowpath(model::doctor::Level::A), recording::Weight::CpuTime);
        let mut load = |schema: &str| {
            schema.clone_into(&mut recording.schema);
            let json = serde_json::to_vec(&recording).unwrap();
            fs::write(folder.path().join(RECORDING), pack::packed(RECORDING, &json).unwrap()).unwrap();
            load_passes(folder.path(), &[], &mut Vec::new())
        };
        assert!(load(recording::SCHEMA).unwrap().recording.is_some());
        assert!(
            matches!(load("slowpath.recording/9"), Err(StoreError::Newer { schema, .. }) if schema.ends_with("/9"))
        );
    }
}
