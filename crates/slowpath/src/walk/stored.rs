//! Stored runs and other tools' result files, compared or shown.

use std::fs;
use std::path::{Path, PathBuf};

use diagnose::stored::{Stored, StoredBenchmark, Unmatched};
use history::{Loaded, Store};
use model::Gap;
use model::bench::{Bench, CommandSummary, SCHEMA};
use model::fingerprint::Fingerprint;
use model::recording::Recording;
use model::scale::{FUNCTIONS, FunctionCosts};
use stats::Values;
use tools::saved::Saved;

use crate::cli::Compare;
use crate::document::{Document, Form};
use crate::show::{self, End};
use crate::stop::Stop;
use crate::walk::suite;

/// A stored result, whoever stored it.
pub(crate) enum Source {
    Run(Box<Loaded>),
    File(String, Saved),
}

/// Finds and reads a run folder, a run by name, a result file, or criterion's folder of them.
pub(crate) fn load(name: &Path) -> Result<Source, Stop> {
    if name.is_file() {
        return load_file(name);
    }
    let here = std::env::current_dir().unwrap_or_default();
    let folder = match Store::below(&here).find(name) {
        Ok(folder) => folder,
        Err(error) => {
            let saved = suite::cargo::all_saved(name).ok_or(error)?;
            return Ok(Source::File(name.display().to_string(), saved));
        }
    };
    Ok(Source::Run(Box::new(history::load(&folder)?)))
}

/// A run's name and its recording, if it has one.
pub(crate) fn recording(name: &Path) -> Result<(String, Option<Recording>), Stop> {
    let here = std::env::current_dir().unwrap_or_default();
    let folder = Store::below(&here).find(name)?;
    let run = history::load(&folder)?;
    Ok((run.manifest.id, run.passes.recording))
}

/// The costs of functions that a run of `scale` kept; none where there are none.
fn functions(folder: &Path) -> Vec<FunctionCosts> {
    let bytes = fs::read(folder.join(FUNCTIONS)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Adds what lies in files of its own: a suite's series, and the growth of single functions where growth is told.
pub(crate) fn add_kept(document: &mut Document, folder: &Path) {
    suite::add(document, folder);
    let scale = match document {
        Document::Scale(scale) => Some(scale.as_mut()),
        Document::Why(answer) => answer.scaling.as_mut(),
        _ => None,
    };
    if let Some(scale) = scale {
        diagnose::scale::add_functions(scale, &functions(folder));
    }
}

/// What another tool saved in a file. `None` when it cannot be read.
pub(crate) fn benchmarks(path: &Path) -> Option<Saved> {
    match load_file(path).ok()? {
        Source::File(_, saved) => Some(saved),
        Source::Run(_) => None,
    }
}

/// The folder of a stored run.
pub(crate) fn folder(name: &Path) -> Result<PathBuf, Stop> {
    let here = std::env::current_dir().unwrap_or_default();
    Ok(Store::below(&here).find(name)?)
}

fn load_file(path: &Path) -> Result<Source, Stop> {
    let unreadable = |why: String, next: String| Stop::NotRead { path: path.to_owned(), why, next };
    let bytes = fs::read(path).map_err(|error| unreadable(error.to_string(), "check the path".to_owned()))?;
    let mut saved =
        tools::saved::read(&bytes).map_err(|error| unreadable(error.to_string(), error.next_step()))?;
    name_criterion(path, &mut saved);
    Ok(Source::File(path.display().to_string(), saved))
}

/// Criterion keeps a benchmark's name in the file beside its samples.
fn name_criterion(path: &Path, saved: &mut Saved) {
    let beside = path.with_file_name("benchmark.json");
    if let Some(name) = fs::read(beside).ok().and_then(|bytes| tools::saved::criterion_name(&bytes).ok()) {
        for benchmark in saved.benchmarks.iter_mut().filter(|b| b.name == tools::saved::CRITERION_UNNAMED) {
            benchmark.name.clone_from(&name);
        }
    }
}

pub(crate) fn compare(asked: &Compare, base: &Path, new: &Path) -> Result<End, Stop> {
    let (base, new) = (load(base)?, load(new)?);
    let (base_print, new_print) = (fingerprint(&base), fingerprint(&new));
    let comparable = diagnose::comparable::comparable(&base_print, &new_print);
    let gaps: Vec<Gap> = gaps(&base).into_iter().chain(gaps(&new)).collect();
    let seed = asked.target.seed.unwrap_or(0);
    let compared =
        diagnose::stored::compare(&results(&base), &results(&new), asked.margin.0, seed, comparable, &gaps)
            .map_err(|reason| Stop::Unmatched { why: why(&reason) })?;
    let document = Document::Compare(Box::new(compared));
    show::print(&document.render(Form::of(&asked.show, false), &show::page(&asked.show)))?;
    Ok(End::Exit(crate::walk::compare::exit(&document, &asked.fail_on)))
}

fn why(reason: &Unmatched) -> String {
    match reason {
        Unmatched::NoSharedName { base, new } => {
            format!(
                "no benchmark has the same name: base has {}, new has {}",
                base.join(", "),
                new.join(", ")
            )
        }
        Unmatched::NoSharedMetric => "no metric was measured on both sides".to_owned(),
    }
}

pub(crate) fn results(source: &Source) -> Stored {
    match source {
        Source::Run(run) => diagnose::stored::of_run(&run.manifest, &run.samples, &run.counted),
        Source::File(label, saved) => Stored {
            label: label.clone(),
            benchmarks: saved
                .benchmarks
                .iter()
                .map(|benchmark| StoredBenchmark {
                    name: benchmark.name.clone(),
                    series: benchmark.series.iter().map(|s| (s.metric, s.values.clone())).collect(),
                })
                .collect(),
        },
    }
}

/// What is known of the machine behind a stored result; other tools say little, and the rest stays unknown.
pub(crate) fn fingerprint(source: &Source) -> Fingerprint {
    match source {
        Source::Run(run) => run.manifest.fingerprint.clone(),
        Source::File(_, saved) => {
            let mut known = Fingerprint::default();
            known.machine.cpu_model.clone_from(&saved.host.cpu);
            known.system.kernel.clone_from(&saved.host.kernel);
            known
        }
    }
}

fn gaps(source: &Source) -> Vec<Gap> {
    match source {
        Source::Run(run) => run.gaps.clone(),
        Source::File(label, saved) => saved
            .notes
            .iter()
            .chain(saved.benchmarks.iter().flat_map(|benchmark| &benchmark.notes))
            .map(|note| Gap::new(label, note.clone(), None))
            .collect(),
    }
}

/// Another tool's results as a benchmark answer.
pub(crate) fn summarise(label: &str, saved: &Saved) -> Bench {
    let commands = saved.benchmarks.iter().map(|benchmark| {
        let metrics: Vec<_> = benchmark
            .series
            .iter()
            .filter_map(|s| Some(diagnose::summary::summary(s.metric, &Values::new(s.values.clone())?)))
            .collect();
        CommandSummary {
            label: benchmark.name.clone(),
            argv: Vec::new(),
            params: std::collections::BTreeMap::new(),
            n: metrics.first().map_or(0, |metric| metric.n),
            warm_up: 0,
            ended: None,
            metrics,
            outliers: Vec::new(),
            warnings: Vec::new(),
        }
    });
    Bench {
        schema: SCHEMA.to_owned(),
        run: None,
        seed: 0,
        order: format!("unknown (saved by {})", saved.tool),
        conditions: Vec::new(),
        commands: commands.collect(),
        ratios: Vec::new(),
        warnings: Vec::new(),
        suite: None,
        gaps: gaps(&Source::File(label.to_owned(), saved.clone())),
    }
}
