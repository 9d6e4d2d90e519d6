//! The sittings of a gate: each scenario, fresh runs of what looks broken, and why it is slow.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use diagnose::gate::{scenarios as judged, wants_again};
use model::compare::Settings;
use model::gate::{Asked, AskedScenario, GateVerdict, ScenarioVerdict};
use model::manifest::Kind;
use model::{Arm, Exit, Metric};

use crate::cli::gate::Gate;
use crate::cli::{self, RecorderOptions, ShowOptions, TargetOptions, parse};
use crate::request::{self, Written};
use crate::scenario::{Scenario, Scenarios, expand};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::bench::{Stopping, measure};
use crate::walk::revision::{self, Revisions};
use crate::walk::why::{account, settings};
use crate::walk::{compare, count};

use super::kept::{Kept, load};

/// Time for a scenario's runs, where nobody says.
const BUDGET: Duration = Duration::from_secs(5);

/// How well the median must be known, where nobody says.
const PRECISION: f64 = 0.01;

/// Runs before precision alone may stop.
const LEAST: u32 = 10;

/// Timed runs beside the recording of a broken scenario: the fewest that give the median an interval.
const EXPLAINED: u32 = 6;

/// A gate at work.
pub(super) struct Suite<'a> {
    pub(super) asked: &'a Gate,
    pub(super) scenarios: &'a Scenarios,
    pub(super) chosen: &'a [&'a Scenario],
    pub(super) revisions: Option<&'a Revisions>,
    pub(super) folder: PathBuf,
    pub(super) seed: u64,
    pub(super) questions: Asked,
}

/// What is measured of a scenario in one sitting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// Against the revision, or alone.
    First,
    /// The new side, because the base revision does not have the scenario.
    Alone,
    /// The new side once more.
    Again,
    Explained,
}

impl Suite<'_> {
    /// Everything there is to measure. A program that fails fails its scenario, not the gate's other ones.
    pub(super) fn measure(&mut self) -> Result<(), Stop> {
        for index in 0..self.chosen.len() {
            let Some(failed) = self.sit(index, What::First)? else { continue };
            let alone = self.revisions.is_some() && self.sit(index, What::Alone)?.is_none();
            let Some(question) = self.questions.scenarios.get_mut(index) else { continue };
            if alone {
                question.folder.push_str(suffix(What::Alone));
                question.new = Some(failed);
            } else {
                question.failed = Some(failed);
            }
        }
        for index in self.those(wants_again)? {
            self.sit(index, What::Again)?;
        }
        if !self.asked.no_record {
            for index in self.those(|scenario| scenario.verdict == GateVerdict::Broken)? {
                self.sit(index, What::Explained)?;
            }
        }
        Ok(())
    }

    /// The scenarios of which something is true so far.
    fn those(&self, wanted: impl Fn(&ScenarioVerdict) -> bool) -> Result<Vec<usize>, Stop> {
        let kept = load(&self.folder, &self.questions)?;
        let measured: Vec<_> = kept.iter().map(Kept::measured).collect();
        let verdicts = judged(&self.questions.baseline, &measured);
        Ok(verdicts
            .iter()
            .enumerate()
            .filter(|(_, verdict)| wanted(verdict))
            .map(|(index, _)| index)
            .collect())
    }

    /// One sitting of one scenario. The inner text says why its program could not be measured.
    fn sit(&self, index: usize, what: What) -> Result<Option<String>, Stop> {
        let (Some(scenario), Some(question)) = (self.chosen.get(index), self.questions.scenarios.get(index))
        else {
            return Ok(None);
        };
        match self.carry_out(scenario, question, what) {
            Ok(()) => Ok(None),
            Err(stop) if stop.exit() == Exit::TargetFailed => {
                Ok(Some(stop.render().trim_end().replace("\n  ", "; ").replace("error: ", "")))
            }
            Err(stop) => Err(stop),
        }
    }

    fn carry_out(&self, scenario: &Scenario, question: &AskedScenario, what: What) -> Result<(), Stop> {
        let options = self.options(scenario)?;
        let arms = self.arms(scenario, &options, what)?;
        let show = self.show(question, what)?;
        let stopping = stopping(scenario, what);
        let in_turns = arms.len() > 1;
        let plan = Plan {
            kind: match what {
                What::Explained => Kind::Why,
                _ if in_turns => Kind::Compare,
                _ => Kind::Bench,
            },
            arms,
            settings: Settings {
                margin: question.margin,
                pairs: in_turns
                    .then(|| self.asked.pairs.or(scenario.pairs).unwrap_or(diagnose::compare::DEFAULT_PAIRS)),
                count: matches!(what, What::First | What::Alone) && counted(question),
                ..settings(&options, stopping.runs, stopping.precision, stopping.budget.as_secs_f64())
            },
            gaps: Vec::new(),
            starts: true,
        };
        let mut sitting = Sitting::open(plan, &options, &show)?;
        let outcome = match what {
            What::Explained => measure(&mut sitting, &stopping)
                .and_then(|()| account(&mut sitting, &cli::options::<RecorderOptions>(&[]).map_err(defect)?)),
            _ if in_turns => compare::measure(&mut sitting).and_then(|()| count::pass(&mut sitting)),
            _ => measure(&mut sitting, &stopping).and_then(|()| count::pass(&mut sitting)),
        };
        sitting.end(outcome)
    }

    /// The scenario's options, read by the command line's own parser.
    fn options(&self, scenario: &Scenario) -> Result<TargetOptions, Stop> {
        let mut words = expand::options(self.scenarios.folder(), scenario, |key| key.only.is_empty());
        words
            .extend(scenario.env.iter().map(|(name, value)| OsString::from(format!("--env={name}={value}"))));
        let mut options: TargetOptions = cli::options(&words).map_err(defect)?;
        let here = std::env::current_dir().unwrap_or_default();
        if options.cwd.is_none() && here != self.scenarios.folder() {
            options.cwd = Some(self.scenarios.folder().to_owned());
        }
        options.seed = options.seed.or(Some(self.seed));
        options.scenario = Some(scenario.asked.clone());
        Ok(options)
    }

    fn arms(&self, scenario: &Scenario, options: &TargetOptions, what: What) -> Result<Vec<Arm>, Stop> {
        let words = expand::spelled(scenario, "gate", options.shell)?;
        let written = Written::spelled(&words, options.shell);
        let own = request::arms(&[written], &[], &[scenario.name().to_owned()], options)?;
        let (Some(revisions), Some(arm)) = (self.revisions, own.first()) else { return Ok(own) };
        let folder = options.cwd.clone().unwrap_or_else(|| self.scenarios.folder().to_owned());
        let mut arms = revisions.arms(arm, Some(&revision::inside(&folder)?));
        if what != What::First {
            arms = arms.into_iter().skip(1).map(|new| Arm { label: arm.label.clone(), ..new }).collect();
        }
        Ok(arms)
    }

    fn show(&self, question: &AskedScenario, what: What) -> Result<ShowOptions, Stop> {
        let folder = self.folder.join(format!("{}{}", question.folder, suffix(what)));
        let mut out = OsString::from("--out=");
        out.push(folder);
        let quiet = self.asked.show.quiet.then(|| OsString::from("--quiet"));
        let words: Vec<OsString> = std::iter::once(out).chain(quiet).collect();
        cli::options(&words).map_err(defect)
    }
}

const fn suffix(what: What) -> &'static str {
    match what {
        What::First => "",
        What::Alone => "-alone",
        What::Again => super::kept::AGAIN,
        What::Explained => super::kept::EXPLAINED,
    }
}

fn counted(question: &AskedScenario) -> bool {
    let limited = question.budgets.iter().any(|budget| budget.metric == Metric::Instructions);
    let known = question.baseline.iter().flat_map(|baseline| &baseline.series);
    limited || known.into_iter().any(|series| series.metric == Metric::Instructions)
}

fn stopping(scenario: &Scenario, what: What) -> Stopping {
    let runs = scenario.option("runs").and_then(|runs| runs.parse().ok());
    let budget = scenario.option("budget").and_then(|text| parse::duration(text).ok()).unwrap_or(BUDGET);
    let precision = scenario.option("precision").and_then(|text| parse::share(text).ok());
    Stopping {
        runs: if what == What::Explained { Some(EXPLAINED) } else { runs },
        budget,
        precision: precision.map_or(PRECISION, |share| share.0),
        least: LEAST,
    }
}

/// The file's values were checked when it was read.
fn defect(error: clap::Error) -> Stop {
    Stop::Defect { what: error.to_string() }
}
