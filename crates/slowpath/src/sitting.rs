//! A sitting: the arms of a request, run after run, each stored as soon as it is measured.

mod kept;
mod warm_up;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use history::{RunFolder, Store};
use jiff::Timestamp;
use model::compare::Settings;
use model::manifest::{COUNTS, Kind, Manifest, Pass, SAMPLES, SCHEMA, State};
use model::passes::Passes;
use model::recording::{RECORDING, Recording};
use model::sample::Counted;
use model::{Arg, Arm, Ended, Gap, Sample, Stage};
use run::stdio::{Input, Output};
use run::{Measured, Recipe, Rig, RunError, Slot};
use serde::Serialize;
use sha2::{Digest, Sha256};
use stats::Rng;

use crate::cli::parse::{Golden, Stream};
use crate::cli::{ShowOptions, TargetOptions};
use crate::heard::last_words;
use crate::hook::{Hook, hook};
use crate::progress::Progress;
use crate::request;
use crate::stop::Stop;
use kept::Unwritten;
use warm_up::Look;

/// Environment padding: up to a page, so that the stack's start moves over a page's worth of offsets. Layout by
/// environment size is a known bias (Mytkowicz et al., ASPLOS 2009); every arm of a block gets the same padding.
const MOST_PADDING: usize = 4096;

/// Everything a sitting holds while it goes on.
pub(crate) struct Sitting<'a> {
    pub(crate) rig: Rig,
    pub(crate) manifest: Manifest,
    pub(crate) samples: Vec<Sample>,
    pub(crate) counted: Vec<Counted>,
    pub(crate) passes: Passes,
    pub(crate) recipes: Vec<Recipe>,
    pub(crate) progress: Progress,
    options: &'a TargetOptions,
    folder: RunFolder,
    unwritten: Unwritten,
    /// Where the target's output goes when it is checked.
    output: Option<PathBuf>,
    /// What every run prints, where that was said.
    expected: Option<String>,
    /// What the first run with the same parameters printed: another size may print something else.
    firsts: BTreeMap<BTreeMap<String, String>, String>,
    /// Whether a traced run has ended as one without the tracer did. `None` until one was tried.
    bears_tracer: Option<bool>,
    /// The arm that instrumented runs look at.
    subject: usize,
    /// Arms whose setup has run.
    set_up: BTreeSet<usize>,
    padding: Rng,
    begun: Instant,
}

/// What a sitting is about.
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    pub(crate) arms: Vec<Arm>,
    pub(crate) settings: Settings,
    pub(crate) gaps: Vec<Gap>,
    /// Whether its commands are run; else they run already, or ran elsewhere.
    pub(crate) starts: bool,
}

impl<'a> Sitting<'a> {
    /// Finds the programs, makes the run folder, readies the rig. Nothing has run yet.
    pub(crate) fn open(plan: Plan, options: &'a TargetOptions, show: &ShowOptions) -> Result<Self, Stop> {
        contradictions(options, show)?;
        let started = if plan.starts { plan.arms.as_slice() } else { &[] };
        let mut recipes: Vec<Recipe> =
            started.iter().map(|arm| request::recipe(arm, options, None)).collect::<Result<_, _>>()?;
        let started = Timestamp::now();
        let mut id = history::new_id(started);
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let folder = match &show.out {
            Some(path) => {
                id = path.file_name().map_or(id, |name| name.to_string_lossy().into_owned());
                Store::create_at(path)?
            }
            None => Store::below(&here).create(&id)?,
        };
        let checked = options.golden.is_some() || options.check.is_some();
        let output = checked.then(|| folder.path().join("tier1/output"));
        if let Some(path) = &output {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            recipes.iter_mut().for_each(|recipe| recipe.stdout = Output::File(path.clone()));
        }
        let seed = options.seed.unwrap_or_else(fresh_seed);
        let manifest = manifest(plan, id, seed, started, options.scenario.clone());
        folder.store_manifest(&manifest)?;
        let rig = Rig::open().map_err(|source| Stop::Run { command: "the target".to_owned(), source })?;
        Ok(Self {
            rig,
            samples: Vec::new(),
            counted: Vec::new(),
            passes: Passes::default(),
            recipes,
            progress: Progress::new(show.quiet),
            expected: expected(options.golden.as_ref())?,
            firsts: BTreeMap::new(),
            options,
            folder,
            unwritten: Unwritten::default(),
            output,
            bears_tracer: None,
            subject: 0,
            set_up: BTreeSet::new(),
            padding: Rng::new(seed),
            begun: Instant::now(),
            manifest,
        })
    }

    pub(crate) fn arms(&self) -> usize {
        self.manifest.arms.len()
    }

    pub(crate) fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Where facts of this machine are kept between runs: beside the run folders, when they are where they always are.
    pub(crate) fn cache(&self) -> Option<PathBuf> {
        let store = self.folder.path().parent()?.parent()?;
        (store.file_name()? == ".slowpath").then(|| store.join("cache"))
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Setup alone, for a run that is not timed.
    pub(crate) fn set_up(&mut self) -> Result<(), Stop> {
        self.hook("setup", |options| options.setup.as_ref(), 0)
    }

    /// Setup of an arm, once.
    fn set_up_arm(&mut self, arm: usize) -> Result<(), Stop> {
        if !self.set_up.insert(arm) {
            return Ok(());
        }
        self.hook("setup", |options| options.setup.as_ref(), arm)
    }

    /// Which arm instrumented runs look at; the first unless another is named.
    pub(crate) fn look_at(&mut self, arm: usize) {
        self.subject = arm;
    }

    pub(crate) fn subject(&self) -> usize {
        self.subject
    }

    /// How one run of an arm ends and what it prints, as a hash. Nothing of it is measured.
    pub(crate) fn behaviour(&mut self, arm: usize) -> Result<(Ended, String), Stop> {
        self.set_up_arm(arm)?;
        self.hook("prepare", |options| options.prepare.as_ref(), arm)?;
        let path = self.folder.path().join("tier1/output");
        let path = std::path::absolute(&path).unwrap_or(path);
        let Some(recipe) = self.recipes.get(arm) else {
            return Err(Stop::Defect { what: format!("arm {arm} has no recipe") });
        };
        let recipe = Recipe { stdout: Output::File(path.clone()), ..recipe.clone() };
        let slot = Slot { arm: 0, order: 0, block: None, stage: Stage::WarmUp };
        let measured = run::measure(&self.rig, &recipe, slot).map_err(|source| self.stopped(arm, source))?;
        let printed = sha256(&path).map_err(|error| Stop::NotRead {
            path: path.clone(),
            why: error.to_string(),
            next: "free some space for the target's output".to_owned(),
        });
        let _ = fs::remove_file(&path);
        self.hook("conclude", |options| options.conclude.as_ref(), arm)?;
        Ok((measured.sample.ended, printed?.0))
    }

    /// Setup and warm-up of every arm. Times start to count afterwards.
    pub(crate) fn begin(&mut self, budget: Duration) -> Result<(), Stop> {
        for arm in 0..self.arms() {
            self.set_up_arm(arm)?;
            self.warm_up(arm, budget)?;
        }
        self.begun = Instant::now();
        Ok(())
    }

    /// A further arm, for a sitting that finds its arms on the way.
    pub(crate) fn add(&mut self, arm: Arm) -> Result<(), Stop> {
        let mut recipe = request::recipe(&arm, self.options, None)?;
        if let Some(path) = &self.output {
            recipe.stdout = Output::File(std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        }
        self.recipes.push(recipe);
        self.manifest.arms.push(arm);
        Ok(())
    }

    /// One interleaved block: the arms in this order, with one padding for all.
    pub(crate) fn block(&mut self, block: usize, order: &[usize], stage: Stage) -> Result<(), Stop> {
        self.pad();
        for arm in order {
            self.run(*arm, Some(u32::try_from(block).unwrap_or(u32::MAX)), stage, Look::Plain)?;
        }
        Ok(())
    }

    fn pad(&mut self) {
        let length = self.padding.below(MOST_PADDING);
        for recipe in &mut self.recipes {
            recipe.env.retain(|(name, _)| name != "SLOWPATH_PADDING");
            recipe.env.push(("SLOWPATH_PADDING".into(), "x".repeat(length).into()));
        }
    }

    /// One run: prepare, measure, check, conclude, store.
    fn run(&mut self, arm: usize, block: Option<u32>, stage: Stage, look: Look) -> Result<Sample, Stop> {
        let order = u32::try_from(self.samples.len() + 1).unwrap_or(u32::MAX);
        self.hook("prepare", |options| options.prepare.as_ref(), arm)?;
        if self.options.cold {
            run::cold::drop_caches().map_err(|source| self.stopped(arm, source))?;
        }
        let slot = Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block, stage };
        let measured = match look {
            Look::Traced { untraced } => self.measure_traced(arm, slot, untraced)?,
            look => self.measure(arm, slot, look)?,
        };
        let sample = self.checked(arm, measured)?;
        self.hook("conclude", |options| options.conclude.as_ref(), arm)?;
        if self.takes_lines(SAMPLES) {
            let stored = self.folder.append_sample(&sample);
            self.written(stored)?;
        }
        self.samples.push(sample.clone());
        Ok(sample)
    }

    /// A run that failed or printed something else is an error, not a sample.
    fn checked(&mut self, arm: usize, measured: Measured) -> Result<Sample, Stop> {
        let said = last_words(&measured);
        let mut sample = measured.sample;
        let run = sample.order;
        if !sample.ended.succeeded() && !self.options.ignore_failure {
            let stdin = self.recipes.get(arm).map_or(Input::Inherit, |recipe| recipe.stdin.clone());
            return Err(Stop::TargetFailed {
                command: self.label(arm),
                run,
                ended: sample.ended,
                said,
                stdin,
            });
        }
        let Some(path) = self.output.clone() else { return Ok(sample) };
        if self.options.golden.is_some() {
            let (found, bytes) = sha256(&path).map_err(|error| Stop::NotRead {
                path: path.clone(),
                why: error.to_string(),
                next: "free some space for the target's output".to_owned(),
            })?;
            let params = self.manifest.arms.get(arm).map(|arm| arm.params.clone()).unwrap_or_default();
            let expected = match &self.expected {
                Some(expected) => expected,
                None => self.firsts.entry(params).or_insert_with(|| found.clone()),
            };
            if *expected != found {
                let why = format!("its SHA-256 is {found}, not {expected} ({bytes} bytes)");
                return Err(Stop::OutputDiffers { command: self.label(arm), run, why });
            }
            sample.output = Some(found);
        }
        self.around("check", self.options.check.as_ref(), arm, Some(&path))?;
        Ok(sample)
    }

    fn hook(
        &self,
        name: &'static str,
        of: fn(&TargetOptions) -> Option<&std::ffi::OsString>,
        arm: usize,
    ) -> Result<(), Stop> {
        self.around(name, of(self.options), arm, None)?;
        match self.rig.interrupt.raised() {
            Some(signal) => Err(Stop::Interrupted { signal }),
            None => Ok(()),
        }
    }

    /// Runs a hook of an arm, if the user gave one.
    fn around(
        &self,
        name: &'static str,
        text: Option<&std::ffi::OsString>,
        arm: usize,
        input: Option<&Path>,
    ) -> Result<(), Stop> {
        let (Some(text), Some(arm)) = (text, self.manifest.arms.get(arm)) else { return Ok(()) };
        let said = std::path::absolute(self.folder.path().join("tier1/hook")).unwrap_or_default();
        hook(&self.rig, &Hook { name, text, input }, arm, &said)
    }

    /// What the answer lacks because of how the sitting ended.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        history::rest_of_the_run(self.manifest.state).into_iter().chain(self.unwritten.gap()).collect()
    }

    pub(crate) fn label(&self, arm: usize) -> String {
        self.manifest.arms.get(arm).map(|arm| arm.label.clone()).unwrap_or_default()
    }

    pub(crate) fn stopped(&self, arm: usize, source: RunError) -> Stop {
        match source {
            RunError::Interrupted { signal } => Stop::Interrupted { signal },
            source => Stop::Run { command: self.label(arm), source },
        }
    }

    /// The user's command before a run, as before any other.
    pub(crate) fn prepare(&mut self, arm: usize) -> Result<(), Stop> {
        self.hook("prepare", |options| options.prepare.as_ref(), arm)
    }

    /// The user's command after a run.
    pub(crate) fn conclude(&mut self, arm: usize) -> Result<(), Stop> {
        self.hook("conclude", |options| options.conclude.as_ref(), arm)
    }

    /// Whether commands of the user's run around each run, so that two runs at once would get in each other's way.
    pub(crate) fn has_hooks(&self) -> bool {
        let TargetOptions { setup, prepare, conclude, cleanup, .. } = self.options;
        [setup, prepare, conclude, cleanup].into_iter().any(Option::is_some)
    }

    /// Runs that fail count, because the user said so.
    pub(crate) fn ignores_failure(&self) -> bool {
        self.options.ignore_failure
    }

    pub(crate) fn recipe(&self, arm: usize) -> Option<&Recipe> {
        self.recipes.get(arm)
    }

    /// One run under the recorder, stored at once. It never counts as a timed run. Returns the machine code it copied.
    pub(crate) fn record(
        &mut self,
        options: &run::record::Options,
    ) -> Result<Vec<run::record::Generated>, Stop> {
        let arm = self.subject;
        self.hook("prepare", |options| options.prepare.as_ref(), arm)?;
        let Some(recipe) = self.recipes.get(arm) else {
            return Err(Stop::Defect { what: format!("arm {arm} has no recipe") });
        };
        let order = u32::try_from(self.samples.len() + 1).unwrap_or(u32::MAX);
        let slot = Slot { arm: 0, order, block: None, stage: Stage::Measure };
        let recorded = run::record::record(&self.rig, recipe, slot, options);
        let mut recorded = recorded.map_err(|source| self.stopped(arm, source))?;
        recorded.recording.run = recorded.run.as_ref().ok().map(|measured| measured.sample.clone());
        self.keep(recorded.recording)?;
        let measured = recorded.run.map_err(|source| self.stopped(arm, source))?;
        self.checked(arm, measured)?;
        self.hook("conclude", |options| options.conclude.as_ref(), arm)?;
        Ok(recorded.generated)
    }

    /// Stores what a pass found.
    pub(crate) fn store(&self, name: &str, found: &impl Serialize) -> Result<(), Stop> {
        let json = serde_json::to_vec(found)
            .map_err(|error| Stop::Defect { what: format!("`{name}` cannot be written: {error}") })?;
        self.put(name, &json).map(|_| ())
    }

    pub(crate) fn note_pass(&mut self, pass: Pass) {
        self.manifest.passes.push(pass);
    }

    /// Where the target runs: what relative names of its files begin at.
    pub(crate) fn folder_of_target(&self) -> PathBuf {
        let cwd = self.manifest.arms.get(self.subject).and_then(|arm| arm.target.cwd.clone());
        PathBuf::from(cwd.unwrap_or_else(|| self.manifest.cwd.clone()).as_os_str())
    }

    /// Stores a recording and notes its pass.
    pub(crate) fn keep(&mut self, recording: Recording) -> Result<(), Stop> {
        self.store(RECORDING, &recording)?;
        let instrument = match &recording.source {
            model::recording::Source::Slowpath(level) => format!("recorder, level {level:?}"),
            model::recording::Source::Import(format) => format.clone(),
        };
        let ratio = diagnose::recorded::slowdown(&recording, &self.samples);
        self.manifest.passes.push(Pass { pass: "account".to_owned(), instrument, runs: 1, ratio });
        self.passes.recording = Some(recording);
        Ok(())
    }

    pub(crate) fn counted(&mut self, counted: Counted) -> Result<(), Stop> {
        if self.takes_lines(COUNTS) {
            self.written(self.folder.append_counted(&counted))?;
        }
        self.counted.push(counted);
        Ok(())
    }

    /// Cleanup of every arm, then the manifest as it stays. The first problem of the sitting is the one reported.
    pub(crate) fn end(&mut self, outcome: Result<(), Stop>) -> Result<(), Stop> {
        self.progress.clear();
        if let Err(Stop::Interrupted { .. }) = outcome {
            self.rig.interrupt.acknowledge();
        }
        let cleaned = (0..self.arms())
            .try_for_each(|arm| self.around("cleanup", self.options.cleanup.as_ref(), arm, None));
        if let Some(path) = &self.output {
            let _ = fs::remove_file(path);
        }
        self.manifest.state = match &outcome {
            Ok(()) => State::Complete,
            Err(Stop::Interrupted { .. }) => State::Interrupted,
            Err(_) => State::Failed,
        };
        self.manifest.ended = Some(Timestamp::now().to_string());
        let runs = self.samples.iter().filter(|sample| sample.stage != Stage::WarmUp).count();
        if runs > 0 {
            let baseline = Pass {
                pass: "baseline".to_owned(),
                instrument: "none".to_owned(),
                runs: u32::try_from(runs).unwrap_or(u32::MAX),
                ratio: None,
            };
            self.manifest.passes.insert(0, baseline);
        }
        self.manifest.artifacts = self.folder.artifacts()?;
        self.written(self.folder.store_manifest(&self.manifest))?;
        outcome.and(cleaned)
    }
}

/// The manifest of a run that begins now.
pub(crate) fn manifest(
    plan: Plan,
    id: String,
    seed: u64,
    started: Timestamp,
    scenario: Option<model::scenario::Scenario>,
) -> Manifest {
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    Manifest {
        schema: SCHEMA.to_owned(),
        id,
        kind: plan.kind,
        state: State::Running,
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        started: started.to_string(),
        ended: None,
        argv: std::env::args_os().map(Arg::from).collect(),
        cwd: Arg::from(here.into_os_string()),
        seed,
        fingerprint: run::host::fingerprint(&plan.arms, &[]),
        conditions: run::host::conditions(),
        arms: plan.arms,
        settings: plan.settings,
        scenario,
        passes: Vec::new(),
        artifacts: Vec::new(),
        gaps: plan.gaps,
    }
}

/// Options that cannot both be meant.
fn contradictions(options: &TargetOptions, show: &ShowOptions) -> Result<(), Stop> {
    if show.json && options.stdout == Stream::Inherit {
        return Err(Stop::usage(
            "`--json` and `--stdout inherit` contradict each other",
            "send the target's output to a file: `--stdout FILE`",
        ));
    }
    let checked = options.golden.is_some() || options.check.is_some();
    if checked && options.stdout != Stream::Null {
        return Err(Stop::usage(
            "`--stdout` cannot be set when the output is checked",
            "leave `--stdout` out; slowpath reads the output to check it",
        ));
    }
    Ok(())
}

fn expected(golden: Option<&Golden>) -> Result<Option<String>, Stop> {
    match golden {
        None | Some(Golden::First) => Ok(None),
        Some(Golden::Sha256(hex)) => Ok(Some(hex.clone())),
        Some(Golden::File(path)) => match sha256(path) {
            Ok((hash, _)) => Ok(Some(hash)),
            Err(error) => Err(Stop::NotRead {
                path: path.clone(),
                why: error.to_string(),
                next: "`--golden` takes a file, `sha256:HEX` or `first`".to_owned(),
            }),
        },
    }
}

/// Hash and length of a file, which may be larger than memory.
fn sha256(path: &Path) -> io::Result<(String, u64)> {
    let mut file = fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut total = 0;
    let mut buffer = vec![0; 1 << 18];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((model::arg::hex_of(&hash.finalize()), total));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        total += read as u64;
    }
}

/// A seed that differs from run to run; it is stored with the run.
pub(crate) fn fresh_seed() -> u64 {
    let mut bytes = [0; 8];
    let read = fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    // Without the kernel's generator the clock will do: the seed is only to differ. 53 bits survive any JSON reader.
    let seed = if read.is_ok() { u64::from_ne_bytes(bytes) } else { Timestamp::now().as_nanosecond() as u64 };
    seed >> 11
}
