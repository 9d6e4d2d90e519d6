//! `slowpath gate`: the scenarios of `slowpath.toml` against their budgets and a baseline.
//!
//! Each scenario is a sitting of its own, in a run folder inside the gate's. The answer is concluded from those folders,
//! so a live gate and a re-read one cannot disagree.

mod baseline;
mod kept;
mod suite;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use history::{RunFolder, Store};
use jiff::Timestamp;
use model::Exit;
use model::compare::Settings;
use model::gate::{ASKED, Against, Asked, AskedScenario, Gate as Verdicts, GateVerdict};
use model::manifest::{Kind, Manifest, State};
use model::passes::Passes;
use model::scale::PARAMETER;

use crate::cli::TargetOptions;
use crate::cli::gate::Gate;
use crate::document::{Document, Form, Parts};
use crate::scenario::{self, Scenario, Scenarios};
use crate::show::{self, End, PAGE};
use crate::sitting::{self, Plan};
use crate::stop::Stop;
use crate::walk::revision::{self, Build, Revisions};
use crate::walk::why::settings;
pub(crate) use kept::again;
use suite::Suite;

/// The smallest change that matters, where nobody says.
const MARGIN: f64 = 0.02;

pub(crate) fn gate(asked: &Gate) -> Result<End, Stop> {
    let scenarios = scenario::expected()?;
    let chosen = chosen(&scenarios, &asked.scenarios)?;
    let stored = asked.baseline.as_deref().map(baseline::load).transpose()?;
    // The worktrees live until the gate is over.
    let revisions = asked.rev.as_ref().map(|range| check_out(range, asked, &scenarios)).transpose()?;
    let seed = asked.seed.unwrap_or_else(sitting::fresh_seed);
    let (folder, mut manifest) = open(asked, seed)?;
    let against = match (&asked.baseline, &revisions) {
        (Some(path), _) => Against::Stored { name: path.display().to_string() },
        (None, Some(revisions)) => Against::Revision { name: revisions.labels().join(" → ") },
        (None, None) => Against::Nothing,
    };
    let questions = chosen.iter().enumerate().map(|(index, scenario)| AskedScenario {
        name: scenario.name().to_owned(),
        command: command(scenario),
        margin: asked.margin.map(|share| share.0).or(scenario.margin).unwrap_or(MARGIN),
        budgets: scenario.budgets.clone(),
        folder: format!("scenarios/{index}"),
        baseline: stored.iter().flatten().find(|base| base.name == scenario.name()).cloned(),
        failed: None,
        new: None,
    });
    let mut suite = Suite {
        asked,
        scenarios: &scenarios,
        chosen: &chosen,
        revisions: revisions.as_ref(),
        folder: folder.path().to_owned(),
        seed,
        questions: Asked { baseline: against, scenarios: questions.collect(), warnings: Vec::new() },
    };
    let outcome = suite.measure();
    let questions = suite.questions;
    let json = serde_json::to_vec(&questions)
        .map_err(|error| Stop::Defect { what: format!("the gate cannot be written: {error}") })?;
    folder.store(ASKED, &json)?;
    close(&folder, &mut manifest, &outcome)?;
    outcome?;
    let verdicts = kept::conclude(folder.path(), &manifest, &questions, &[])?;
    hand_over(asked, &folder, &manifest, verdicts, &roots(&scenarios, revisions.as_ref()))
}

/// Prints the answer and writes the files that were asked for.
fn hand_over(
    asked: &Gate,
    folder: &RunFolder,
    manifest: &Manifest,
    verdicts: Verdicts,
    roots: &[String],
) -> Result<End, Stop> {
    let exit = exit(&verdicts, asked.allow_inconclusive);
    if let Some(path) = &asked.junit {
        write(path, report::gate_junit(&verdicts).as_bytes())?;
    }
    if let Some(path) = &asked.sarif {
        write(path, report::gate_sarif(&verdicts, roots).as_bytes())?;
    }
    if let Some(path) = &asked.save {
        let saved = baseline::of(folder.path(), &verdicts)?;
        write(path, report::json(&saved).as_bytes())?;
    }
    let document = Document::Gate(Box::new(verdicts));
    folder.store("answer.json", document.json().as_bytes())?;
    let passes = Passes::default();
    let parts = Parts { manifest: Some(manifest), samples: &[], passes: &passes, before: None };
    if let Some(page) = document.html(&parts) {
        folder.store(PAGE, page.as_bytes())?;
    }
    let form = Form::of(&asked.show, false);
    show::print(&document.render(form, &show::page(&asked.show)))?;
    if !asked.show.quiet && form == Form::Text {
        show::complain(&format!("report: {}\n", folder.path().join(PAGE).display()));
    }
    Ok(End::Exit(exit))
}

/// What paths of findings are named relative to: the repository, its worktrees, else the folder of the file.
fn roots(scenarios: &Scenarios, revisions: Option<&Revisions>) -> Vec<String> {
    let trees = revisions.map(Revisions::folders).unwrap_or_default();
    let folder = revision::root().unwrap_or_else(|| scenarios.folder().to_owned());
    trees.into_iter().chain([folder]).map(|path| path.display().to_string()).collect()
}

fn exit(verdicts: &Verdicts, allow_inconclusive: bool) -> Exit {
    match verdicts.verdict {
        GateVerdict::Holds | GateVerdict::New => Exit::Answered,
        GateVerdict::Inconclusive if allow_inconclusive => Exit::Answered,
        GateVerdict::Inconclusive => Exit::Inconclusive,
        GateVerdict::NotComparable => Exit::NotComparable,
        GateVerdict::Broken | GateVerdict::Failed => Exit::GateBroken,
    }
}

fn chosen<'a>(scenarios: &'a Scenarios, names: &[String]) -> Result<Vec<&'a Scenario>, Stop> {
    let chosen: Vec<&Scenario> = if names.is_empty() {
        scenarios.all.iter().collect()
    } else {
        let find = |name: &String| scenarios.named(name).ok_or_else(|| scenarios.unknown(name));
        names.iter().map(find).collect::<Result<_, _>>()?
    };
    if chosen.is_empty() {
        return Err(Stop::usage(
            format!("`{}` has no scenarios", scenarios.path.display()),
            "write one: `[scenario.NAME]` and `command = \"…\"`",
        ));
    }
    Ok(chosen)
}

/// The command as the file has it, with the size that is measured.
fn command(scenario: &Scenario) -> String {
    let filled = |text: &str| match scenario.size {
        Some(size) => text.replace(&format!("{{{PARAMETER}}}"), &size.to_string()),
        None => text.to_owned(),
    };
    match &scenario.command {
        scenario::Words::Text(text) => filled(text),
        scenario::Words::Spelled(words) => {
            let words: Vec<String> = words.iter().map(|word| filled(word)).collect();
            shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
        }
    }
}

/// Both revisions, built where the file lies.
fn check_out(range: &str, asked: &Gate, scenarios: &Scenarios) -> Result<Revisions, Stop> {
    let build = asked.build.clone().or_else(|| scenarios.build.clone().map(OsString::from));
    let plain = TargetOptions::default();
    let written = crate::request::Written::spelled(&["true".into()], false);
    let Some(arm) = crate::request::arms(&[written], &[], &[], &plain)?.into_iter().next() else {
        return Err(Stop::Defect { what: "one command makes one arm".to_owned() });
    };
    let at = revision::inside(scenarios.folder())?;
    let build = Build { text: build.as_deref(), arm: &arm, at: Some(&at), quiet: asked.show.quiet };
    Revisions::check_out(range, &build)
}

/// The gate's own folder, which holds those of its scenarios.
fn open(asked: &Gate, seed: u64) -> Result<(RunFolder, Manifest), Stop> {
    let started = Timestamp::now();
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let (id, folder) = match &asked.show.out {
        Some(path) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            (name.unwrap_or_else(|| history::new_id(started)), Store::create_at(path)?)
        }
        None => {
            let id = history::new_id(started);
            let folder = Store::below(&here).create(&id)?;
            (id, folder)
        }
    };
    let plan = Plan {
        kind: Kind::Gate,
        arms: Vec::new(),
        settings: Settings { margin: MARGIN, ..settings(&TargetOptions::default(), None, 0.0, 0.0) },
        gaps: Vec::new(),
        starts: false,
    };
    let manifest = sitting::manifest(plan, id, seed, started, None);
    folder.store_manifest(&manifest)?;
    Ok((folder, manifest))
}

fn close(folder: &RunFolder, manifest: &mut Manifest, outcome: &Result<(), Stop>) -> Result<(), Stop> {
    manifest.state = match outcome {
        Ok(()) => State::Complete,
        Err(Stop::Interrupted { .. }) => State::Interrupted,
        Err(_) => State::Failed,
    };
    manifest.ended = Some(Timestamp::now().to_string());
    manifest.artifacts = folder.artifacts()?;
    Ok(folder.store_manifest(manifest)?)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    fs::write(path, bytes).map_err(|error| Stop::NotWritten {
        path: path.to_owned(),
        why: error.to_string(),
        next: "choose another file".to_owned(),
    })
}
