//! A gate's folder: read, and concluded.

use std::fs;
use std::path::Path;

use diagnose::gate::{Measured, Runs};
use history::Loaded;
use model::Gap;
use model::answer::Finding;
use model::gate::{ASKED, Asked, AskedScenario, Gate};
use model::manifest::Manifest;

use crate::document::{Document, conclude as concluded};
use crate::stop::Stop;

/// What is added to a scenario's folder for its fresh runs.
pub(super) const AGAIN: &str = "-again";

/// And for the recording that explains it.
pub(super) const EXPLAINED: &str = "-why";

/// All that is stored of one scenario.
pub(super) struct Kept<'a> {
    pub(super) asked: &'a AskedScenario,
    pub(super) runs: Option<Loaded>,
    again: Option<Loaded>,
    findings: Vec<Finding>,
}

impl Kept<'_> {
    pub(super) fn measured(&self) -> Measured<'_> {
        Measured {
            asked: self.asked,
            runs: self.runs.as_ref().filter(|_| self.asked.failed.is_none()).map(runs),
            again: self.again.as_ref().map(runs),
            findings: self.findings.clone(),
        }
    }
}

fn runs(run: &Loaded) -> Runs<'_> {
    Runs { manifest: &run.manifest, samples: &run.samples, counted: &run.counted }
}

/// The folders of all scenarios; those that were never made are `None`.
pub(super) fn load<'a>(folder: &Path, asked: &'a Asked) -> Result<Vec<Kept<'a>>, Stop> {
    asked
        .scenarios
        .iter()
        .map(|scenario| {
            let part = |suffix: &str| part(folder, &format!("{}{suffix}", scenario.folder));
            let explained = part(EXPLAINED)?;
            Ok(Kept {
                asked: scenario,
                runs: part("")?,
                again: part(AGAIN)?,
                findings: explained.map(|run| findings(&run)).unwrap_or_default(),
            })
        })
        .collect()
}

fn part(folder: &Path, name: &str) -> Result<Option<Loaded>, Stop> {
    let path = folder.join(name);
    if path.join("run.json").exists() { Ok(Some(history::load(&path)?)) } else { Ok(None) }
}

fn findings(run: &Loaded) -> Vec<Finding> {
    match concluded(&run.manifest, &run.samples, &run.counted, &run.passes, &run.gaps) {
        Some(Document::Why(answer)) => answer.findings,
        _ => Vec::new(),
    }
}

/// The answer of a gate whose folder is complete.
pub(super) fn conclude(
    folder: &Path,
    manifest: &Manifest,
    asked: &Asked,
    gaps: &[Gap],
) -> Result<Gate, Stop> {
    let kept = load(folder, asked)?;
    let measured: Vec<Measured<'_>> = kept.iter().map(Kept::measured).collect();
    let gaps: Vec<Gap> = manifest.gaps.iter().chain(gaps).cloned().collect();
    Ok(diagnose::gate::gate(manifest, asked, &measured, &gaps))
}

/// What a stored gate was asked.
pub(super) fn asked(folder: &Path) -> Result<Asked, Stop> {
    let path = folder.join(ASKED);
    let unreadable = |why: String| Stop::NotRead {
        path: path.clone(),
        why,
        next: "the gate was killed before its end, or the folder is damaged: run it again".to_owned(),
    };
    let bytes = fs::read(&path).map_err(|error| unreadable(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))
}

/// A stored gate, concluded again.
pub(crate) fn again(folder: &Path, run: &Loaded) -> Result<Document, Stop> {
    Ok(Document::Gate(Box::new(conclude(folder, &run.manifest, &asked(folder)?, &run.gaps)?)))
}
