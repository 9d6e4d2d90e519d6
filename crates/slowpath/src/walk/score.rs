//! The scorecard of a run: what it is held against, and the files that tell of it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use diagnose::score::{self, Inputs};
use model::answer::Answer;
use model::compare::Comparable;
use model::manifest::Manifest;
use model::passes::Passes;
use model::scorecard::{FINDINGS, LEDGER_SCHEMA, LedgerEntry, LedgerRegressions, STANDARD, Standard};
use model::summary::{REPORT, SCHEMA, SUMMARY, Summary};
use model::{Exit, Sample};

use crate::cli::score::ScoreOptions;
use crate::document::Document;
use crate::show;
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::stored::{self, Source};
use crate::walk::suite;

/// Everything that can be refused is refused before the first run.
pub(crate) fn standard(options: &ScoreOptions) -> Result<Standard, Stop> {
    for path in [&options.ledger, &options.findings_out].into_iter().flatten() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Stop::NotWritten {
                path: path.clone(),
                why: format!("there is no folder `{}`", folder.display()),
                next: "make the folder, or name another file".to_owned(),
            });
        }
    }
    let baseline = options.baseline.as_deref().map(read_baseline).transpose()?;
    Ok(Standard { max_cv: options.max_cv.0, baseline })
}

/// Stores the standard with the run, so that the stored run is judged by it again.
pub(crate) fn keep(sitting: &mut Sitting<'_>, standard: Standard) -> Result<(), Stop> {
    if standard != Standard::default() {
        sitting.store(STANDARD, &standard)?;
        sitting.passes.standard = Some(standard);
    }
    Ok(())
}

/// Scores an answer; other documents have no scorecard. Growth must be in it already, but for a suite's own.
pub(crate) fn add(document: &mut Document, manifest: &Manifest, samples: &[Sample], passes: &Passes) {
    if let Document::Why(answer) = document {
        if answer.scaling.is_none() {
            suite::scale(answer, manifest);
        }
        let card = score::scorecard(&inputs(answer, manifest, samples, passes));
        answer.scorecard = Some(card);
    }
}

fn inputs<'a>(
    answer: &'a Answer,
    manifest: &'a Manifest,
    samples: &'a [Sample],
    passes: &'a Passes,
) -> Inputs<'a> {
    Inputs { manifest, samples, passes, scaling: answer.scaling.as_ref(), answer }
}

/// Writes summary, report and findings into the run folder, the user's own files, and the ledger.
pub(crate) fn write(
    sitting: &Sitting<'_>,
    document: Option<&Document>,
    options: &ScoreOptions,
    complete: bool,
) -> Result<Exit, Stop> {
    let Some(Document::Why(answer)) = document else { return Ok(Exit::Answered) };
    let Some(card) = &answer.scorecard else { return Ok(Exit::Answered) };
    let inputs = inputs(answer, &sitting.manifest, &sitting.samples, &sitting.passes);
    let mut summary = score::summary(&inputs, card);
    let root = sitting.folder_of_target();
    let findings = score::findings(card, &sitting.manifest.id, &root.to_string_lossy());
    if let Some(path) = options.ledger.as_ref().filter(|_| complete) {
        let told = enter(path, &summary)?;
        tell(path, &told);
        summary.ledger_regressions = Some(told);
    }
    sitting.put(SUMMARY, report::json(&summary).as_bytes())?;
    sitting.put(FINDINGS, report::json(&findings).as_bytes())?;
    sitting.put(REPORT, report::summary_markdown(&summary, card, &findings).as_bytes())?;
    if let Some(path) = &options.findings_out {
        fs::write(path, report::json(&findings)).map_err(|error| unwritten(path, &error))?;
    }
    Ok(card.baseline.as_ref().map_or(Exit::Answered, |regressions| {
        if regressions.comparable == Comparable::Not {
            Exit::NotComparable
        } else if regressions.blocker {
            Exit::GateBroken
        } else {
            Exit::Answered
        }
    }))
}

fn unwritten(path: &Path, error: &io::Error) -> Stop {
    Stop::NotWritten {
        path: path.to_owned(),
        why: error.to_string(),
        next: "the run folder holds the same".to_owned(),
    }
}

/// A run folder, a run by name, or a summary.
fn read_baseline(name: &Path) -> Result<Summary, Stop> {
    if name.is_file() {
        return read_summary(name);
    }
    let inside = name.join(SUMMARY);
    if inside.is_file() && !name.join("run.json").is_file() {
        return read_summary(&inside);
    }
    let unreadable = |why: &str| Stop::NotRead {
        path: name.to_owned(),
        why: why.to_owned(),
        next: "`--baseline` takes a run of `slowpath why`, or its `benchmark_summary.json`".to_owned(),
    };
    let Source::Run(run) = stored::load(name)? else { return Err(unreadable("it is no run folder")) };
    let Some(answer) =
        diagnose::answer::answer(&run.manifest, &run.samples, &run.counted, &run.passes, &run.gaps)
    else {
        return Err(unreadable("no run of it counts"));
    };
    let mut document = Document::Why(Box::new(answer));
    stored::add_kept(&mut document, &stored::folder(name)?);
    add(&mut document, &run.manifest, &run.samples, &run.passes);
    let Document::Why(answer) = document else { return Err(unreadable("it has no scorecard")) };
    let Some(card) = &answer.scorecard else { return Err(unreadable("it has no scorecard")) };
    Ok(score::summary(&inputs(&answer, &run.manifest, &run.samples, &run.passes), card))
}

fn read_summary(path: &Path) -> Result<Summary, Stop> {
    let unreadable = |why: String| Stop::NotRead {
        path: path.to_owned(),
        why,
        next: "`--baseline` takes a run of `slowpath why`, or its `benchmark_summary.json`".to_owned(),
    };
    let bytes = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => serde_json::from_value(value).map_err(|error| unreadable(error.to_string())),
        Some(other) => Err(unreadable(format!("its schema is `{other}`, not `{SCHEMA}`"))),
        None => Err(unreadable("it names no schema".to_owned())),
    }
}

/// Compares with the ledger, then appends.
fn enter(path: &PathBuf, summary: &Summary) -> Result<LedgerRegressions, Stop> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(Stop::NotRead {
                path: path.clone(),
                why: error.to_string(),
                next: "name another file with `--ledger`".to_owned(),
            });
        }
    };
    let (earlier, warnings) = entries(&bytes);
    let entry = score::entry(summary);
    let told = score::ledger_regressions(&earlier, &entry, warnings);
    let mut line = serde_json::to_string(&entry)
        .map_err(|error| Stop::Defect { what: format!("a ledger line cannot be written: {error}") })?;
    line.push('\n');
    // A line that was cut stays as it is, on its own.
    if bytes.last().is_some_and(|byte| *byte != b'\n') {
        line.insert(0, '\n');
    }
    let mut file = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error| unwritten(path, &error))?;
    // One write: two sittings that end at once append two whole lines.
    file.write_all(line.as_bytes()).map_err(|error| unwritten(path, &error))?;
    Ok(told)
}

/// The lines that can be read, and a warning for each that cannot.
fn entries(bytes: &[u8]) -> (Vec<LedgerEntry>, Vec<String>) {
    let (mut entries, mut warnings) = (Vec::new(), Vec::new());
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<LedgerEntry>(line) {
            Ok(entry) if entry.schema == LEDGER_SCHEMA => entries.push(entry),
            Ok(entry) => warnings.push(format!("line {}: schema `{}` is not ours", at + 1, entry.schema)),
            Err(error) => warnings.push(format!("line {} cannot be read: {error}", at + 1)),
        }
    }
    (entries, warnings)
}

fn tell(path: &Path, told: &LedgerRegressions) {
    for warning in &told.warnings {
        show::complain(&format!("warning: {}: {warning}\n", path.display()));
    }
    // Often the best entry is the last one.
    let same = told.vs_last == told.vs_best;
    let since = if same { "last and best" } else { "last" };
    let best = Some(("best", &told.vs_best)).filter(|_| !same);
    for (since, changes) in std::iter::once((since, &told.vs_last)).chain(best) {
        for change in changes {
            show::complain(&format!(
                "worse than the {since} entry of the ledger: {} was {}, is {}\n",
                change.what, change.before, change.now
            ));
        }
    }
}
