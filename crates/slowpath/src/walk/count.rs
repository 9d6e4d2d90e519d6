//! The count pass: instructions of each arm, from the processor or from cachegrind.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::manifest::Pass;
use model::sample::Counted;
use model::{Arm, Count, Gap, Sample, Stage};
use run::count::Event;
use run::launch::Layout;
use run::stdio::{Input, Output};
use run::{Recipe, Slot};
use tools::cachegrind::{self, Process};
use tools::valgrind::{Valgrind, ValgrindFailure};

use crate::cli::{CountOptions, TargetOptions};
use crate::request::{self, Written};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::valgrind;

/// Cachegrind repeats to the digit when everything is pinned; three runs show whether it did.
const CACHEGRIND_REPEATS: u32 = 3;

/// How many times slower a program is taken to be under cachegrind before it was seen.
pub(crate) const SLOWDOWN: f64 = 40.0;

/// Valgrind's worst slowdown: a run that is allowed a second bare is allowed so many under it.
const SLOWEST: u32 = 90;

/// A processor's counter wanders by a few thousandths of a percent with interrupts.
const PMU_REPEATS: u32 = 10;

/// The command that is counted to be subtracted.
pub(crate) fn startup(count: &CountOptions, options: &TargetOptions) -> Result<Option<Arm>, Stop> {
    let Some(command) = &count.count_minus else { return Ok(None) };
    let arms = request::arms(&[Written::quoted(command, false)?], &[], &[], options)?;
    Ok(arms.into_iter().next())
}

/// Counts every arm, and the start-up command as the arm after the last. What cannot be counted is a gap.
pub(crate) fn pass(sitting: &mut Sitting<'_>) -> Result<(), Stop> {
    if !sitting.manifest.settings.count {
        return Ok(());
    }
    let mut counter = match Counter::find(sitting) {
        Ok(counter) => counter,
        Err(gap) => {
            sitting.manifest.gaps.push(gap);
            return Ok(());
        }
    };
    let passed_by = sitting.recipes.iter().find_map(passed_by);
    sitting.manifest.gaps.extend(passed_by);
    let mut recipes: Vec<Recipe> = sitting.recipes.iter().map(pinned).collect();
    if let Some(gap) = counter.foreseen(sitting, &recipes) {
        sitting.manifest.gaps.push(gap);
        return Ok(());
    }
    if let Some(arm) = sitting.manifest.settings.startup.clone() {
        recipes.push(pinned(&request::recipe(&arm, &TargetOptions::default(), None)?));
    }
    counter.announce(sitting, recipes.len());
    for repeat in 0..counter.repeats() {
        for (arm, recipe) in recipes.iter().enumerate() {
            let words = format!("counting instructions with {}: {}", counter.name(), sitting.label(arm));
            sitting.progress.draw(&words, None);
            match counter.count(sitting, arm, repeat, recipe)? {
                Ok(counted) => sitting.counted(counted)?,
                Err(gap) => {
                    sitting.manifest.gaps.push(gap);
                    return Ok(());
                }
            }
        }
    }
    let runs = u32::try_from(sitting.counted.len()).unwrap_or(u32::MAX);
    let ratio = overhead(&sitting.samples, &sitting.counted);
    sitting.manifest.passes.push(Pass {
        pass: "count".to_owned(),
        instrument: counter.name().to_owned(),
        runs,
        ratio,
    });
    Ok(())
}

/// Wall time of the first arm under the counter against its median without.
fn overhead(samples: &[Sample], counted: &[Counted]) -> Option<f64> {
    let plain = diagnose::pool::Pool::of(samples, 0).median(model::Metric::Wall)?;
    let slow = counted.iter().find(|counted| counted.arm == 0)?;
    (plain > 0.0).then(|| slow.wall.as_secs_f64() / plain)
}

/// Everything that makes counts wander is held still: address layout, hash seeds, environment size. A version manager's
/// shim is passed by: it forks again and again, which no simulator can count, and has no part in the program.
pub(crate) fn pinned(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    if let Some(program) = behind_shim(&recipe) {
        if let Some(first) = recipe.argv.first_mut() {
            *first = program.clone().into_os_string();
        }
        recipe.path = program;
    }
    recipe.layout = Layout::Fixed;
    recipe.env.retain(|(name, _)| name != "SLOWPATH_PADDING" && name != "PYTHONHASHSEED");
    recipe.env.push(("PYTHONHASHSEED".into(), "0".into()));
    recipe.stdin = if recipe.stdin == Input::Inherit { Input::Null } else { recipe.stdin };
    recipe.stdout = Output::Null;
    recipe.stderr = Output::Null;
    recipe
}

/// Why the processor does not count. A machine without counters has no file for them.
fn refusal(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "this machine has no hardware counter".to_owned(),
        _ => format!("no hardware counter ({error})"),
    }
}

fn behind_shim(recipe: &Recipe) -> Option<PathBuf> {
    run::host::behind_shim(&recipe.path, &recipe.env, recipe.cwd.as_deref())
}

/// What the counts leave out where the command is a shim.
pub(crate) fn passed_by(recipe: &Recipe) -> Option<Gap> {
    let program = behind_shim(recipe)?;
    let why = format!(
        "it only looks up and starts `{}`, which is what instruments look at; timed runs have both",
        program.display()
    );
    let what = format!("instructions of the shim `{}`", recipe.path.display());
    Some(Gap::new(&what, why, None))
}

/// Who counts.
pub(crate) enum Counter {
    Pmu,
    Cachegrind { valgrind: Valgrind, folder: PathBuf, bare: Bare },
}

/// Programs whose debug information valgrind could not read, each with its copy without.
#[derive(Default)]
pub(crate) struct Bare(Vec<(PathBuf, PathBuf)>);

impl Bare {
    /// The recipe, with the copy in the program's place where there is one.
    pub(crate) fn recipe(&self, recipe: &Recipe) -> Recipe {
        let copy = self.0.iter().find(|(program, _)| *program == recipe.path).map(|(_, copy)| copy.clone());
        Recipe { path: copy.unwrap_or_else(|| recipe.path.clone()), ..recipe.clone() }
    }

    /// Programs that have a copy.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(program, _)| program.as_path())
    }

    /// Makes the copy. `false` when that can change nothing.
    fn add(&mut self, recipe: &Recipe, image: Option<&str>, folder: &Path) -> bool {
        if self.0.iter().any(|(program, _)| *program == recipe.path) {
            return false;
        }
        let folder = folder.join(format!("bare-{}", self.0.len()));
        let Some(copy) = valgrind::bare_copy(&recipe.path, image, &folder) else { return false };
        self.0.push((recipe.path.clone(), copy));
        true
    }
}

impl Counter {
    /// The processor's counter where it answers, else valgrind where it is installed.
    pub(crate) fn find(sitting: &Sitting<'_>) -> Result<Self, Gap> {
        let refused = match run::count::try_event(Event::Instructions) {
            Ok(()) => return Ok(Self::Pmu),
            Err(error) => error,
        };
        let folder = sitting.folder().path().join("tier2");
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        match valgrind::find() {
            Ok(valgrind) => Ok(Self::Cachegrind { valgrind, folder, bare: Bare::default() }),
            Err(missing) => Err(Gap::new(
                "instruction counts",
                format!("{}, and {missing}", refusal(&refused)),
                Some(missing.next_step()),
            )),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Pmu => "pmu",
            Self::Cachegrind { .. } => "cachegrind",
        }
    }

    /// Why none of these can be counted, known before.
    pub(crate) fn foreseen(&self, sitting: &mut Sitting<'_>, recipes: &[Recipe]) -> Option<Gap> {
        let Self::Cachegrind { .. } = self else { return None };
        // Sizes are the same program.
        let mut programs: Vec<&Recipe> = recipes.iter().collect();
        programs.dedup_by_key(|recipe| &recipe.path);
        let progress = &mut sitting.progress;
        programs.into_iter().find_map(|recipe| valgrind::foreseen(recipe, "instruction counts", progress))
    }

    /// What counting all arms will cost, told before it begins.
    fn announce(&self, sitting: &mut Sitting<'_>, arms: usize) {
        let Self::Cachegrind { .. } = self else { return };
        let wall = |arm: usize| {
            let arm = u32::try_from(arm).ok()?;
            diagnose::pool::Pool::of(&sitting.samples, arm).median(model::Metric::Wall)
        };
        let once: f64 = (0..arms).filter_map(wall).sum();
        let runs = u32::try_from(arms).unwrap_or(u32::MAX).saturating_mul(self.repeats());
        let words = format!("counting {runs} runs with cachegrind, about {SLOWDOWN:.0} times slower");
        sitting.progress.dear(&words, once * f64::from(self.repeats()) * SLOWDOWN);
    }

    fn repeats(&self) -> u32 {
        match self {
            Self::Pmu => PMU_REPEATS,
            Self::Cachegrind { .. } => CACHEGRIND_REPEATS,
        }
    }

    /// Counts one run. The inner error is a gap: the sitting goes on without counts.
    pub(crate) fn count(
        &mut self,
        sitting: &Sitting<'_>,
        arm: usize,
        repeat: u32,
        recipe: &Recipe,
    ) -> Result<Result<Counted, Gap>, Stop> {
        let index = u32::try_from(arm).unwrap_or(u32::MAX);
        let slot = Slot { arm: index, order: repeat, block: None, stage: Stage::Measure };
        let stopped = |source| sitting.stopped(arm, source);
        let name = self.name();
        let (sample, found) = match self {
            Self::Pmu => {
                let (measured, count) =
                    run::count::count(&sitting.rig, recipe, slot, Event::Instructions).map_err(stopped)?;
                let missing =
                    || Gap::new("instruction counts", "the counter was shared and did not count all", None);
                (measured.sample, count.map(|count| (count, 1)).ok_or_else(|| Uncounted::Gap(missing())))
            }
            Self::Cachegrind { valgrind, folder, bare } => {
                let into = folder.join(format!("cachegrind-{arm}-{repeat}"));
                let argv = cachegrind::invocation(valgrind, &into);
                let recipe = bare.recipe(recipe);
                let measured =
                    under_valgrind(sitting, &recipe, &valgrind.path, argv, &into, slot).map_err(|stop| {
                        match stop {
                            Ok(source) => stopped(source),
                            Err(stop) => stop,
                        }
                    })?;
                (measured.clone(), total(&into, &measured))
            }
        };
        if let (Self::Cachegrind { folder, bare, .. }, Err(Uncounted::Valgrind(failure))) =
            (&mut *self, &found)
            && let ValgrindFailure::DebugInformation { image } = failure
            && bare.add(recipe, image.as_deref(), folder)
        {
            return self.count(sitting, arm, repeat, recipe);
        }
        let told = matches!(found, Err(Uncounted::Valgrind(_)));
        if !told && !sample.ended.succeeded() && !sitting.manifest.settings.ignore_failure {
            let why = format!("under {name} it failed: {}", crate::stop::ended_words(sample.ended));
            return Ok(Err(Gap::new("instruction counts", why, Some("run it under valgrind by hand"))));
        }
        Ok(found.map_err(Uncounted::gap).map(|(instructions, processes)| Counted {
            arm: index,
            order: repeat,
            ended: sample.ended,
            instructions,
            source: name.to_owned(),
            processes,
            wall: sample.wall,
        }))
    }
}

/// Why a run was not counted.
enum Uncounted {
    /// Valgrind itself gave up.
    Valgrind(ValgrindFailure),
    Gap(Gap),
}

impl Uncounted {
    fn gap(self) -> Gap {
        match self {
            Self::Valgrind(failure) => {
                Gap::new("instruction counts", failure.to_string(), Some(&failure.next_step()))
            }
            Self::Gap(gap) => gap,
        }
    }
}

/// The recipe, ended under valgrind after so many seconds at the latest.
pub(crate) fn ended_after(recipe: Recipe, seconds: f64) -> Recipe {
    let most = Duration::from_secs_f64(seconds.max(1.0)) / SLOWEST;
    Recipe { timeout: Some(recipe.timeout.map_or(most, |timeout| timeout.min(most))), ..recipe }
}

/// One run under one of valgrind's tools, its files in `folder`.
pub(crate) fn under_valgrind(
    sitting: &Sitting<'_>,
    recipe: &Recipe,
    valgrind: &Path,
    mut argv: Vec<OsString>,
    folder: &Path,
    slot: Slot,
) -> Result<Sample, Result<run::RunError, Stop>> {
    fs::create_dir_all(folder).map_err(|source| {
        Err(Stop::Store(history::StoreError::NotWritten { path: folder.to_owned(), source }))
    })?;
    argv.push(recipe.path.clone().into_os_string());
    argv.extend(recipe.argv.iter().skip(1).cloned());
    let timeout = recipe.timeout.map(|timeout| timeout * SLOWEST);
    let recipe = Recipe { path: valgrind.to_owned(), argv, timeout, ..recipe.clone() };
    run::measure(&sitting.rig, &recipe, slot).map(|measured| measured.sample).map_err(Ok)
}

/// The instructions of all processes that wrote a file.
fn total(folder: &Path, sample: &Sample) -> Result<(Count, u32), Uncounted> {
    let gap = |why: String, next: Option<&str>| Uncounted::Gap(Gap::new("instruction counts", why, next));
    let files: Vec<(OsString, Vec<u8>)> = fs::read_dir(folder)
        .map_err(|error| gap(error.to_string(), None))?
        .flatten()
        .filter_map(|entry| Some((entry.file_name(), fs::read(entry.path()).ok()?)))
        .collect();
    let logs =
        || files.iter().filter(|(name, _)| name.to_string_lossy().ends_with(".log")).map(|(_, log)| log);
    if !sample.ended.succeeded()
        && let Some(failure) = logs().find_map(|log| cachegrind::valgrind_failure(log))
    {
        return Err(Uncounted::Valgrind(failure));
    }
    let processes: Vec<Process> = logs().filter_map(|log| Process::of(log)).collect();
    let forked = processes.iter().any(|child| processes.iter().any(|parent| child.seems_forked_from(parent)));
    if forked {
        let why = "it forks without starting another program, and valgrind counts the common part twice";
        return Err(gap(why.to_owned(), Some("count a single-process variant")));
    }
    let mut instructions = 0u64;
    let mut counted = 0;
    for (_, bytes) in files.iter().filter(|(name, _)| name.to_string_lossy().starts_with("cachegrind.")) {
        let parsed = cachegrind::parse(bytes).map_err(|error| gap(error.to_string(), None))?;
        instructions = instructions.saturating_add(parsed.instructions.0);
        counted += 1;
    }
    if counted == 0 {
        return Err(gap("valgrind wrote no counts".to_owned(), Some("valgrind --tool=cachegrind CMD")));
    }
    Ok((Count(instructions), counted))
}
