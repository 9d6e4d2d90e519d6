//! One run of the target under one instrument: announced with what it will cost, ended at the deadline, checked by its status.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use diagnose::pool::Pool;
use model::manifest::Pass;
use model::simulated::Instrument as Told;
use model::{Gap, Metric, Sample, Stage};
use run::stdio::Output;
use run::{Measured, Recipe, RunError, Slot};
use tools::valgrind::{ValgrindFailure, valgrind_failure};

use super::Tour;
use super::files::logs;
use crate::request::quoted;
use crate::stop::{Stop, chain, ended_words};
use crate::walk::count::pinned;

/// An instrument as it is started.
pub(super) struct Instrument {
    pub(super) name: &'static str,
    /// What is not seen when it cannot run.
    pub(super) what: &'static str,
    /// How many times slower the target is taken to be before it was seen.
    pub(super) slower: f64,
    /// Where its files go, below the run folder.
    pub(super) folder: String,
    /// What stands before the target's command line. Empty when it is started as ever.
    pub(super) argv: Vec<OsString>,
    /// Variables that the target gets.
    pub(super) env: Vec<(OsString, OsString)>,
}

/// A run that counts.
pub(super) struct Ran {
    pub(super) folder: PathBuf,
    pub(super) sample: Sample,
    pub(super) command: String,
    pub(super) ratio: Option<f64>,
    /// How much longer runs take than was expected, as far as is known after this one.
    slower: f64,
}

/// From this many times slower on, an instrument is announced everywhere.
const SLOW: f64 = 5.0;

/// What valgrind needs to start a program that does nothing, in seconds.
const START: f64 = 1.0;

/// An arm under an instrument.
#[derive(Clone, Copy)]
pub(super) struct Job<'i> {
    pub(super) arm: usize,
    pub(super) instrument: &'i Instrument,
}

/// A job that fits the time left.
pub(super) struct Planned {
    pub(super) recipe: Recipe,
    pub(super) slot: Slot,
    pub(super) expected: f64,
    folder: PathBuf,
    command: String,
}

/// What came of a job.
pub(super) enum Outcome {
    Ran(Box<Ran>),
    /// It cannot count, and another try would be no different.
    Gap(Gap),
    /// It ended in another way than without the instrument.
    Failed(Gap),
    /// Valgrind could not read the debug information of this file.
    Unreadable(Gap, Option<String>),
}

impl Tour<'_, '_> {
    /// The absolute form of a folder below the run folder: targets change their directory.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.sitting.folder().path().join(name);
        std::path::absolute(&folder).unwrap_or(folder)
    }

    /// Runs an arm under an instrument, alone. `None` when that cannot count; why is then among the gaps.
    pub(super) fn run(&mut self, arm: usize, instrument: &Instrument) -> Result<Option<Ran>, Stop> {
        let job = Job { arm, instrument };
        let outcome = match self.planned(job, self.slower)? {
            Err(gap) => Outcome::Gap(gap),
            Ok(planned) => {
                if instrument.slower > SLOW {
                    let words = format!("{}: about {:.0} times slower", instrument.name, instrument.slower);
                    self.sitting.progress.dear(&words, planned.expected);
                } else {
                    self.sitting.progress.pass(instrument.name, Some(planned.expected));
                }
                self.sitting.prepare(arm)?;
                let measured = run::measure(&self.sitting.rig, &planned.recipe, planned.slot);
                let outcome = self.outcome(job, planned, measured)?;
                self.sitting.conclude(arm)?;
                outcome
            }
        };
        match outcome {
            Outcome::Unreadable(_, image) if self.strip(image.as_deref()) => self.run(arm, instrument),
            outcome => Ok(self.kept(outcome)),
        }
    }

    /// A run that counts; the reason why one does not is noted.
    pub(super) fn kept(&mut self, outcome: Outcome) -> Option<Ran> {
        match outcome {
            Outcome::Ran(ran) => {
                self.slower = ran.slower;
                Some(*ran)
            }
            Outcome::Gap(gap) | Outcome::Failed(gap) | Outcome::Unreadable(gap, _) => {
                self.unseen(gap);
                None
            }
        }
    }

    /// How a job is started. The inner error says that there is no time for it.
    pub(super) fn planned(&self, job: Job<'_>, slower: f64) -> Result<Result<Planned, Gap>, Stop> {
        let Job { arm, instrument } = job;
        let Some(plain) = self.sitting.recipe(arm).map(pinned) else {
            return Err(Stop::Defect { what: format!("arm {arm} has no recipe") });
        };
        let command = command(&instrument.argv, &instrument.env, &plain);
        let left = self.deadline.saturating_duration_since(Instant::now());
        let expected = self.expected(job, slower);
        if expected > left.as_secs_f64() {
            let why = format!(
                "{} would take about {expected:.0} s, more than the {:.0} s that `--limit {}s` leaves",
                instrument.name,
                left.as_secs_f64(),
                self.options.limit.as_secs()
            );
            return Ok(Err(Gap::new(instrument.what, why, Some(&command))));
        }
        let folder = self.folder(&instrument.folder);
        fs::create_dir_all(&folder).map_err(|source| {
            Stop::Store(history::StoreError::NotWritten { path: folder.clone(), source })
        })?;
        let mut recipe = dressed(plain, instrument, left);
        self.take_bare(&mut recipe, instrument);
        let index = u32::try_from(arm).unwrap_or(u32::MAX);
        let slot = Slot { arm: index, order: 0, block: None, stage: Stage::Measure };
        Ok(Ok(Planned { recipe, slot, expected, folder, command }))
    }

    /// What a measured run is worth.
    pub(super) fn outcome(
        &self,
        job: Job<'_>,
        planned: Planned,
        measured: Result<Measured, RunError>,
    ) -> Result<Outcome, Stop> {
        let Job { arm, instrument } = job;
        let Planned { expected, folder, command, .. } = planned;
        let gap = |why: String, next: &str| Gap::new(instrument.what, why, Some(next));
        let measured = match measured {
            Ok(measured) => measured,
            Err(source @ RunError::Interrupted { .. }) => return Err(self.sitting.stopped(arm, source)),
            Err(RunError::TimedOut { after, .. }) => {
                let why = format!("{} was ended after {:.0} s", instrument.name, after.as_secs_f64());
                return Ok(Outcome::Gap(gap(why, &command)));
            }
            Err(source) => {
                let why = format!("{}: {}", instrument.name, chain(&source));
                return Ok(Outcome::Gap(gap(why, &command)));
            }
        };
        let sample = measured.sample;
        if let Some(failed) = self.failure(job, &sample, &folder, &command) {
            return Ok(match failed {
                Outcome::Failed(mut gap) => {
                    let said = measured.stderr.as_ref().and_then(|stream| last_line(stream.tail()));
                    gap.why = said.map_or(gap.why.clone(), |said| format!("{}: {said}", gap.why));
                    Outcome::Failed(gap)
                }
                other => other,
            });
        }
        let wall = sample.wall.as_secs_f64();
        let learnt = expected > 0.0 && !instrument.argv.is_empty();
        let slower = if learnt { (self.slower * wall / expected).clamp(0.3, 5.0) } else { self.slower };
        let ratio = self.median(arm, Metric::Wall).filter(|plain| *plain > 0.0).map(|plain| wall / plain);
        Ok(Outcome::Ran(Box::new(Ran { folder, sample, command, ratio, slower })))
    }

    /// Seconds of a job: waiting is not slowed down, computing is. A size that was not timed takes no longer than the
    /// smallest that was.
    pub(super) fn expected(&self, job: Job<'_>, slower: f64) -> f64 {
        let known = |metric| self.median(job.arm, metric).or_else(|| self.shortest(metric));
        let wall = known(Metric::Wall).unwrap_or(0.0);
        let cpu = known(Metric::Cpu).unwrap_or(wall);
        (wall - cpu).max(0.0) + (cpu * job.instrument.slower + START) * slower
    }

    pub(super) fn median(&self, arm: usize, metric: Metric) -> Option<f64> {
        Pool::of(&self.sitting.samples, u32::try_from(arm).ok()?).median(metric)
    }

    fn shortest(&self, metric: Metric) -> Option<f64> {
        (0..self.sitting.arms()).filter_map(|arm| self.median(arm, metric)).min_by(f64::total_cmp)
    }

    /// Why a run does not count: it ended in another way than without the instrument.
    fn failure(
        &self,
        job: Job<'_>,
        sample: &Sample,
        folder: &std::path::Path,
        command: &str,
    ) -> Option<Outcome> {
        let Job { arm, instrument } = job;
        let index = u32::try_from(arm).ok()?;
        let own = self.sitting.samples.iter().rfind(|sample| sample.arm == index);
        // A size that was not timed is expected to end like the others.
        let plain = own.or(self.sitting.samples.last())?.ended;
        if sample.ended == plain {
            return None;
        }
        if let Some(failure) = logs(folder).iter().find_map(|log| valgrind_failure(log)) {
            let gap = Gap::new(instrument.what, failure.to_string(), Some(&failure.next_step()));
            return Some(match failure {
                ValgrindFailure::DebugInformation { image } => Outcome::Unreadable(gap, image),
                ValgrindFailure::Instruction { .. } | ValgrindFailure::Foreseen { .. } => Outcome::Gap(gap),
            });
        }
        let (name, with, without) = (instrument.name, ended_words(sample.ended), ended_words(plain));
        let why = format!("under {name} it ends with {with}, without with {without}");
        Some(Outcome::Failed(Gap::new(instrument.what, why, Some(command))))
    }

    /// Notes an instrument whose files were read.
    pub(super) fn note(&mut self, instrument: &Instrument, ran: &Ran, read: Read) {
        let wall_s = ran.sample.wall.as_secs_f64();
        self.sitting.note_pass(Pass {
            pass: instrument.name.to_owned(),
            instrument: instrument.name.to_owned(),
            runs: 1,
            ratio: ran.ratio,
        });
        self.found.instruments.push(Told {
            name: instrument.name.to_owned(),
            version: read.version,
            command: ran.command.clone(),
            artifacts: read.artifacts,
            processes: read.processes,
            wall_s,
            ratio: ran.ratio,
        });
    }
}

/// What was read of an instrument's files.
pub(super) struct Read {
    pub(super) version: Option<String>,
    pub(super) artifacts: Vec<String>,
    pub(super) processes: u32,
}

/// The recipe with the instrument before the target, its variables, and the time that is left.
fn dressed(plain: Recipe, instrument: &Instrument, left: Duration) -> Recipe {
    let mut recipe = plain;
    recipe.timeout = Some(left);
    recipe.stderr = Output::Capture;
    for (name, value) in &instrument.env {
        recipe.env.retain(|(other, _)| other != name);
        recipe.env.push((name.clone(), value.clone()));
    }
    if let Some(program) = instrument.argv.first() {
        let target =
            std::iter::once(recipe.path.clone().into_os_string()).chain(recipe.argv.iter().skip(1).cloned());
        recipe.argv = instrument.argv.iter().cloned().chain(target).collect();
        recipe.path = PathBuf::from(program);
    }
    recipe
}

/// The command line that does the same, without the names of our own files.
fn command(argv: &[OsString], env: &[(OsString, OsString)], plain: &Recipe) -> String {
    let ours = |word: &OsStr| {
        let text = word.to_string_lossy();
        text.contains("-out-file=") || text.starts_with("--log-file=")
    };
    let program = argv.iter().take(1).map(|path| file_name(path));
    let options = argv.iter().skip(1).filter(|word| !ours(word)).map(|word| typed(word));
    let set = env.iter().map(|(name, value)| format!("{}={}", name.to_string_lossy(), quoted(value)));
    let target = plain.argv.iter().map(|word| quoted(word));
    set.chain(program).chain(options).chain(target).collect::<Vec<_>>().join(" ")
}

/// An option as one would type it: an equals sign needs no quotes there.
fn typed(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=,./:".contains(c);
    if text.chars().all(plain) { text.into_owned() } else { quoted(word) }
}

fn file_name(path: &OsStr) -> String {
    let path = std::path::Path::new(path);
    quoted(path.file_name().unwrap_or(path.as_os_str()))
}

fn last_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(200).collect())
}
