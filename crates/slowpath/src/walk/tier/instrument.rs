//! One run of the target under one instrument: announced with what it will cost, ended at the deadline, checked by its status.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use diagnose::pool::Pool;
use model::manifest::Pass;
use model::simulated::Instrument as Told;
use model::{Metric, Sample, Stage};
use run::stdio::Output;
use run::{Recipe, RunError, Slot};
use tools::valgrind::valgrind_failure;

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
}

/// What valgrind needs to start a program that does nothing, in seconds.
const START: f64 = 1.0;

impl Tour<'_, '_> {
    /// The absolute form of a folder below the run folder: targets change their directory.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.sitting.folder().path().join(name);
        std::path::absolute(&folder).unwrap_or(folder)
    }

    /// Runs an arm under an instrument. `None` when that cannot count; why is then among the gaps.
    pub(super) fn run(&mut self, arm: usize, instrument: &Instrument) -> Result<Option<Ran>, Stop> {
        let Some(plain) = self.sitting.recipe(arm).map(pinned) else {
            return Err(Stop::Defect { what: format!("arm {arm} has no recipe") });
        };
        let command = command(&instrument.argv, &instrument.env, &plain);
        let left = self.deadline.saturating_duration_since(Instant::now());
        let expected = self.expected(arm, instrument.slower);
        if expected > left.as_secs_f64() {
            let why = format!(
                "{} would take about {expected:.0} s, more than the {:.0} s that `--limit {}s` leaves",
                instrument.name,
                left.as_secs_f64(),
                self.options.limit.as_secs()
            );
            self.gap(instrument.what, why, Some(&command));
            return Ok(None);
        }
        let words =
            format!("{}: about {expected:.0} s, {:.0} times slower", instrument.name, instrument.slower);
        self.sitting.progress.draw(&words, None);
        let folder = self.folder(&instrument.folder);
        fs::create_dir_all(&folder).map_err(|source| {
            Stop::Store(history::StoreError::NotWritten { path: folder.clone(), source })
        })?;
        let recipe = dressed(plain, instrument, left);
        self.sitting.prepare(arm)?;
        let index = u32::try_from(arm).unwrap_or(u32::MAX);
        let slot = Slot { arm: index, order: 0, block: None, stage: Stage::Measure };
        let measured = run::measure(&self.sitting.rig, &recipe, slot);
        let measured = match measured {
            Ok(measured) => measured,
            Err(source @ RunError::Interrupted { .. }) => return Err(self.sitting.stopped(arm, source)),
            Err(RunError::TimedOut { after, .. }) => {
                let why = format!("{} was ended after {:.0} s", instrument.name, after.as_secs_f64());
                self.gap(instrument.what, why, Some(&command));
                self.sitting.conclude(arm)?;
                return Ok(None);
            }
            Err(source) => {
                self.gap(instrument.what, format!("{}: {}", instrument.name, chain(&source)), Some(&command));
                self.sitting.conclude(arm)?;
                return Ok(None);
            }
        };
        self.sitting.conclude(arm)?;
        let sample = measured.sample;
        if let Some(why) = self.failure(arm, instrument, &sample, &folder) {
            let said = measured.stderr.as_ref().and_then(|stream| last_line(stream.tail()));
            let (why, next) = why;
            let why = said.filter(|_| next.is_none()).map_or(why.clone(), |said| format!("{why}: {said}"));
            self.gap(instrument.what, why, Some(next.as_deref().unwrap_or(&command)));
            return Ok(None);
        }
        let wall = sample.wall.as_secs_f64();
        if expected > 0.0 && !instrument.argv.is_empty() {
            self.slower = (self.slower * wall / expected).clamp(0.3, 5.0);
        }
        let ratio = self.median(arm, Metric::Wall).filter(|plain| *plain > 0.0).map(|plain| wall / plain);
        Ok(Some(Ran { folder, sample, command, ratio }))
    }

    /// Seconds of a run: waiting is not slowed down, computing is.
    fn expected(&self, arm: usize, slower: f64) -> f64 {
        let wall = self.median(arm, Metric::Wall).unwrap_or(0.0);
        let cpu = self.median(arm, Metric::Cpu).unwrap_or(wall);
        (wall - cpu).max(0.0) + (cpu * slower + START) * self.slower
    }

    fn median(&self, arm: usize, metric: Metric) -> Option<f64> {
        Pool::of(&self.sitting.samples, u32::try_from(arm).ok()?).median(metric)
    }

    /// Why a run does not count, and what to do about it: it ended in another way than without the instrument.
    fn failure(
        &self,
        arm: usize,
        instrument: &Instrument,
        sample: &Sample,
        folder: &std::path::Path,
    ) -> Option<(String, Option<String>)> {
        let index = u32::try_from(arm).ok()?;
        let plain = self.sitting.samples.iter().rfind(|sample| sample.arm == index)?.ended;
        if sample.ended == plain {
            return None;
        }
        if let Some(failure) = logs(folder).iter().find_map(|log| valgrind_failure(log)) {
            return Some((failure.to_string(), Some(failure.next_step())));
        }
        let (name, with, without) = (instrument.name, ended_words(sample.ended), ended_words(plain));
        Some((format!("under {name} it ends with {with}, without with {without}"), None))
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

/// Translates each piece of code once, without following its jumps: a program with much code and little work, as an
/// interpreter's start, is counted in two thirds of the time (3.19). All sizes of a fit are counted alike.
pub(super) fn plain_blocks(mut argv: Vec<OsString>) -> Vec<OsString> {
    argv.insert(1.min(argv.len()), "--vex-guest-chase=no".into());
    argv
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
