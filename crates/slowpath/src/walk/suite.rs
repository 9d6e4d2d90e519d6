//! A suite of benchmarks as the target of `why`, `bench` or `scale`: its own tool times each benchmark, `why` says where the
//! time goes, `scale` how it grows with the number in a benchmark's name.
//!
//! One run is enough, because the tool repeats each benchmark itself. What it saved becomes one series for each.

pub(crate) mod cargo;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use diagnose::suite::{Told, benchmark, families};
use model::answer::Answer;
use model::manifest::Manifest;
use model::scale::PARAMETER;
use model::suite::{SUITE, Suite as Found};
use model::{Arg, Arm, Gap, Stage, Target};
use run::Recipe;
use run::stdio::Output;
use tools::saved::{Benchmark, Saved};
use tools::suite::criterion::{self, Executable};
use tools::suite::{Results, Suite, go};

use crate::cli::scale::Scale;
use crate::cli::{Bench, Why};
use crate::document::Document;
use crate::progress::Progress;
use crate::request;
use crate::sitting::Sitting;
use crate::stop::Stop;

/// Benchmarks that an error names.
const NAMED: usize = 4;

/// The suite that the command is, unless sizes are asked for: those are slowpath's own way to repeat a command.
pub(crate) fn of(why: &Why) -> Option<Suite> {
    if why.tier.sizes.is_some() || why.target.shell {
        return None;
    }
    Suite::of(&why.argv)
}

/// The suite that the only command of a benchmark is.
pub(crate) fn of_bench(bench: &Bench, sitting: &Sitting<'_>) -> Option<Suite> {
    let only = sitting.recipes.first().filter(|_| sitting.recipes.len() == 1 && !bench.target.shell)?;
    Suite::of(&only.argv)
}

/// The suite whose growth is asked for, unless the command has a place for slowpath's own sizes.
pub(crate) fn of_scale(scale: &Scale) -> Option<Suite> {
    let place = format!("{{{PARAMETER}}}");
    let sized =
        scale.sizes.is_some() || scale.argv.iter().any(|word| word.to_string_lossy().contains(&place));
    Suite::of(&scale.argv).filter(|_| !sized && !scale.target.shell)
}

/// Runs the suite once and finds what grows in it.
pub(crate) fn grow(sitting: &mut Sitting<'_>, suite: Suite) -> Result<(), Stop> {
    time(sitting, suite, None)?;
    let Some(found) = kept(sitting.folder().path()) else {
        let gap = sitting.manifest.gaps.last();
        return Err(Stop::Nothing {
            why: gap.map_or_else(String::new, |gap| gap.why.clone()),
            next: gap.and_then(|gap| gap.next.clone()).unwrap_or_default(),
        });
    };
    if found.families.is_empty() {
        let names: Vec<&str> = found.benchmarks.iter().take(NAMED).map(|one| one.name.as_str()).collect();
        return Err(Stop::Nothing {
            why: format!(
                "none of the suite's {} benchmarks has {} sizes or more, told by the only number among its parameters: {}{}",
                found.benchmarks.len(),
                stats::LEAST_SIZES,
                names.join(", "),
                if found.benchmarks.len() > NAMED { ", …" } else { "" }
            ),
            next: format!("write one at several sizes: `{}`", suite.parametrized()),
        });
    }
    Ok(())
}

/// How the suite of a run grew. `None` when the run was of none, or nothing grew in it.
pub(crate) fn growth(manifest: &Manifest, gaps: &[Gap], folder: &Path) -> Option<Document> {
    let gaps: Vec<Gap> = manifest.gaps.iter().chain(gaps).cloned().collect();
    Some(Document::Scale(Box::new(diagnose::scale::of_suite(manifest, kept(folder)?, &gaps)?)))
}

/// The commands of `why`: the suite, and before it what the answer is about where that is another command. Criterion computes
/// longer than it measures, cargo and go build first: the answer is about the benchmarks alone. What cannot be told apart is a gap.
pub(crate) fn arms(
    suite: Option<Suite>,
    arms: Vec<Arm>,
    why: &Why,
    gaps: &mut Vec<Gap>,
) -> Result<Vec<Arm>, Stop> {
    let [whole] = arms.as_slice() else { return Ok(arms) };
    let find = match suite {
        Some(Suite::Criterion) => of_criterion,
        Some(Suite::Go) => of_go,
        _ => return Ok(arms),
    };
    let recipe = request::recipe(whole, &why.target, None)?;
    Progress::new(why.show.quiet).pass("building the benchmarks", None);
    let alone = find(whole, &recipe, why, gaps);
    Ok(alone.map_or_else(|| arms.clone(), |alone| vec![alone, whole.clone()]))
}

fn of_criterion(whole: &Arm, recipe: &Recipe, _: &Why, gaps: &mut Vec<Gap>) -> Option<Arm> {
    let executables = cargo::executables(recipe);
    let [(executable, bytes)] = executables.as_slice() else {
        gaps.extend((executables.len() > 1).then(|| several(executables.len())));
        return None;
    };
    gaps.extend((!criterion::has_lines(bytes)).then(no_lines));
    Some(alone(whole, executable, &recipe.argv))
}

/// The test binary, beside what else is kept between runs. `None` where nothing is, and where it does not build: the command
/// itself then tells why.
fn of_go(whole: &Arm, recipe: &Recipe, why: &Why, _: &mut Vec<Gap>) -> Option<Arm> {
    let here = std::env::current_dir().ok().filter(|_| why.show.out.is_none())?;
    let start = recipe.cwd.clone().unwrap_or_else(|| here.clone());
    let folder =
        go::binary(&recipe.argv, Path::new(""))?.folder.map_or(start.clone(), |folder| start.join(folder));
    let name = folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned();
    let output = history::Store::below(&here).cache().ok()?.join(format!("{name}.test"));
    let binary = go::binary(&recipe.argv, &output)?;
    cargo::printed(recipe, &binary.build)?;
    let argv: Vec<Arg> = binary.run.into_iter().map(Arg::from).collect();
    let label = argv.iter().map(Arg::lossy).collect::<Vec<_>>().join(" ");
    let target = Target { argv, cwd: Some(Arg::from(folder.into_os_string())), ..whole.target.clone() };
    Some(Arm { label, target, params: whole.params.clone() })
}

fn several(number: usize) -> Gap {
    let why =
        format!("the command starts {number} of them, with cargo and criterion's own computing between");
    Gap::new("the benchmarks without what times them", why, Some("one of them: `cargo bench --bench NAME`"))
}

fn no_lines() -> Gap {
    let why =
        "the benchmarks are built without debug information: what was inlined has the name of its caller";
    Gap::new("source lines", why, Some("CARGO_PROFILE_BENCH_DEBUG=1 before the same command"))
}

/// The benchmarks as their executable runs them, where cargo would start it.
fn alone(whole: &Arm, executable: &Executable, argv: &[OsString]) -> Arm {
    let argv: Vec<Arg> = criterion::profiled(executable, argv).into_iter().map(Arg::from).collect();
    let label = argv.iter().map(Arg::lossy).collect::<Vec<_>>().join(" ");
    let folder = executable.folder.clone().map(|folder| Arg::from(folder.into_os_string()));
    let mut target = Target { argv, ..whole.target.clone() };
    if let Some(folder) = folder {
        target.env.insert("CARGO_MANIFEST_DIR".to_owned(), folder.clone());
        target.cwd = Some(folder);
    }
    Arm { label, target, params: whole.params.clone() }
}

/// Runs the suite, which is the last arm, as often as was asked for, once when nobody says, and keeps what its tool measured.
pub(crate) fn time(sitting: &mut Sitting<'_>, suite: Suite, runs: Option<u32>) -> Result<(), Stop> {
    let whole = sitting.arms().saturating_sub(1);
    let file = sitting.folder().path().join("tier1").join(suite.file());
    let file = std::path::absolute(&file).unwrap_or(file);
    let plain = sitting.recipe(whole).cloned();
    if let Some(recipe) = sitting.recipes.get_mut(whole) {
        recipe.argv.extend(suite.saving(&file));
        if suite.results() == Results::Printed {
            recipe.stdout = Output::File(file.clone());
        }
    }
    let begun = SystemTime::now();
    sitting.set_up()?;
    sitting.progress.pass("the suite times its benchmarks", None);
    for run in 0..runs.unwrap_or(1).max(1) {
        sitting.block(usize::try_from(run).unwrap_or(0), &[whole], Stage::Measure)?;
    }
    if let (Some(recipe), Some(plain)) = (sitting.recipes.get_mut(whole), plain) {
        *recipe = plain;
    }
    if whole > 0 {
        sitting.progress.pass("its benchmarks alone", None);
        sitting.block(0, &[0], Stage::Measure)?;
    }
    match saved(sitting, suite, &file, begun) {
        Ok((saved, artifacts)) => {
            let asked = sitting.manifest.settings.scale.as_ref();
            let predict = asked.map(|asked| asked.predict.clone()).unwrap_or_default();
            sitting.store(SUITE, &found(&saved, artifacts, &predict))
        }
        Err((why, next)) => {
            sitting.manifest.gaps.push(Gap::new("a series for each benchmark", why, Some(&next)));
            Ok(())
        }
    }
}

/// Fixes the number of repetitions, for instruments that have no use for the suite's own clock. It is timed once, so that what
/// they will take is known.
pub(crate) fn fix(sitting: &mut Sitting<'_>, suite: Suite) -> Result<(), Stop> {
    let Some(mut arm) = sitting.manifest.arms.first().cloned() else { return Ok(()) };
    let argv: Vec<OsString> = arm.target.argv.iter().map(|word| word.as_os_str().to_owned()).collect();
    let Some(argv) = suite.fixed(&argv) else { return Ok(()) };
    arm.target.argv = argv.into_iter().map(Arg::from).collect();
    arm.label = arm.target.argv.iter().map(Arg::lossy).collect::<Vec<_>>().join(" ");
    sitting.add(arm)?;
    let fixed = sitting.arms() - 1;
    sitting.progress.pass("each benchmark a fixed number of times", None);
    match sitting.block(0, &[fixed], Stage::Measure) {
        Ok(()) => sitting.look_at(fixed),
        Err(stop @ Stop::TargetFailed { .. }) => {
            let gap = Gap::new("a fixed number of repetitions", stop.to_string(), None);
            sitting.manifest.gaps.push(gap);
        }
        Err(stop) => return Err(stop),
    }
    Ok(())
}

/// Adds what a run folder holds of a suite to its answer.
pub(crate) fn add(document: &mut Document, folder: &Path) {
    match document {
        Document::Why(answer) => answer.suite = kept(folder),
        Document::Bench(bench) => bench.suite = kept(folder),
        _ => {}
    }
}

/// Makes the worst growth of a suite's families that of the answer. Nothing when none has three sizes.
pub(crate) fn scale(answer: &mut Answer, manifest: &Manifest) {
    let Some(suite) = &answer.suite else { return };
    let Some(mut scale) = diagnose::scale::of_suite(manifest, suite.clone(), &[]) else { return };
    // With the verdict on each family.
    answer.suite = scale.suite.take();
    answer.scaling = Some(scale);
}

fn kept(folder: &Path) -> Option<Found> {
    serde_json::from_slice(&fs::read(folder.join(SUITE)).ok()?).ok()
}

/// What the tool saved, and where; else why there is nothing, and what to do about it.
fn saved(
    sitting: &Sitting<'_>,
    suite: Suite,
    file: &Path,
    begun: SystemTime,
) -> Result<(Saved, Vec<String>), (String, String)> {
    if suite.results() == Results::Folder {
        let recipe = sitting.recipes.last().ok_or_else(|| (String::new(), String::new()))?;
        let results = cargo::results(recipe, sitting.recipe(0).map(|first| first.path.as_path()));
        return cargo::saved(&results, begun);
    }
    let again = || "run the suite alone, and look at what it prints".to_owned();
    let mut bytes =
        fs::read(file).map_err(|error| (format!("the suite wrote no results: {error}"), again()))?;
    // A compiled test leaves the last line to `go test`. That it ended well is known here.
    if suite == Suite::Go && bytes.ends_with(b"PASS\n") {
        bytes.extend_from_slice(b"ok  \tpackage\t0s\n");
    }
    let saved = tools::saved::read(&bytes).map_err(|error| (error.to_string(), error.next_step()))?;
    Ok((saved, vec![format!("tier1/{}", suite.file())]))
}

fn found(saved: &Saved, artifacts: Vec<String>, predict: &[u64]) -> Found {
    let told: Vec<Told<'_>> = saved.benchmarks.iter().flat_map(all_told).collect();
    let mut notes = saved.notes.clone();
    for one in &saved.benchmarks {
        notes.extend(one.notes.iter().map(|note| format!("{}: {note}", one.name)));
    }
    Found {
        tool: saved.tool.to_owned(),
        version: saved.version.clone(),
        artifacts,
        benchmarks: told.iter().filter_map(benchmark).collect(),
        families: families(&told, saved.tool, predict),
        notes,
    }
}

fn all_told(one: &Benchmark) -> impl Iterator<Item = Told<'_>> {
    one.series.iter().map(|series| Told {
        name: &one.name,
        metric: series.metric,
        values: &series.values,
        each: series.each.to_string(),
    })
}
