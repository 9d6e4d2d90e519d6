//! The scorecard: seven dimensions of four points each, from what the passes measured.
//!
//! Three rules hold everywhere. The worst known evidence wins: what is missing is listed and never cancels a failure.
//! Rows are ranked by what they cost, not by their rate. And what nobody measured has no points, so a total always
//! stands beside its coverage.

mod advice;
mod allocation;
mod baseline;
mod cost;
mod cpu;
mod findings;
mod ledger;
mod locking;
mod memory;
mod missed;
mod per_element;
mod scaling;
mod stability;
mod summary;
mod tier;

use model::answer::{Answer, State};
use model::manifest::Manifest;
use model::passes::Passes;
use model::scale::{Class, PARAMETER, Scale};
use model::scorecard::{Band, DIMENSIONS, Dimension, MAX_CV, Scorecard, Tier};
use model::simulated::Simulated;
use model::summary::Summary;
use model::{Metric, Sample};

use crate::pool::Pool;

pub(crate) use baseline::SAMPLED;
pub use baseline::regressions;
pub(crate) use cpu::NAME as CPU;
pub use findings::findings;
pub use ledger::{entry, regressions as ledger_regressions};
pub use summary::{summary, tier as tier_of};
pub(crate) use tier::rank;

/// All that the scorecard is made of.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub manifest: &'a Manifest,
    pub samples: &'a [Sample],
    pub passes: &'a Passes,
    /// How the cost grows, where sizes were measured.
    pub scaling: Option<&'a Scale>,
    /// Account, hotspots and findings.
    pub answer: &'a Answer,
}

/// One command of the run, with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arm {
    index: u32,
    size: Option<u64>,
    label: String,
}

impl<'a> Inputs<'a> {
    /// Those that were timed: a size may have been too slow, or be there to be counted alone.
    fn arms(&self) -> Vec<Arm> {
        let arm = |(at, arm): (usize, &model::Arm)| {
            let index = u32::try_from(at).ok()?;
            let size = arm.params.get(PARAMETER).and_then(|size| size.parse().ok());
            let timed = self.samples.iter().any(|sample| sample.arm == index);
            timed.then(|| Arm { index, size, label: arm.label.clone() })
        };
        self.manifest.arms.iter().enumerate().filter_map(arm).collect()
    }

    /// The first command as it runs.
    fn command(&self) -> String {
        self.manifest.arms.first().map(|arm| arm.label.clone()).unwrap_or_default()
    }

    /// The command as it was written, with `{SIZE}` where it has one.
    fn workload(&self) -> String {
        let written = self.manifest.settings.scale.as_ref().map(|asked| asked.command.clone());
        written.unwrap_or_else(|| self.command())
    }

    /// Where the target runs.
    fn root(&self) -> String {
        let cwd = self.manifest.arms.first().and_then(|arm| arm.target.cwd.as_ref());
        cwd.unwrap_or(&self.manifest.cwd).lossy()
    }

    /// The growth that is expected; the rubric's default where nobody says.
    fn expected(&self) -> Class {
        self.asked().or_else(|| self.natural()).unwrap_or(Class::Linearithmic)
    }

    /// What the user expects.
    fn asked(&self) -> Option<Class> {
        let gate = self.scaling.and_then(|scale| Some(scale.gate?.expected));
        gate.or_else(|| self.manifest.settings.scale.as_ref().and_then(|asked| asked.expected))
    }

    /// The growth that the data have themselves, where the user expects nothing.
    fn natural(&self) -> Option<Class> {
        self.scaling.filter(|_| self.asked().is_none()).and_then(crate::scale::data::natural)
    }

    fn max_cv(&self) -> f64 {
        self.passes.standard.as_ref().map_or(MAX_CV, |standard| standard.max_cv)
    }

    /// The baseline, if it may be compared with.
    fn baseline(&self) -> Option<&'a Summary> {
        let base = self.passes.standard.as_ref()?.baseline.as_ref()?;
        baseline::matches(base, &self.workload(), &self.manifest.fingerprint).then_some(base)
    }

    /// The size of the run whose heap was watched.
    fn heap_size(&self) -> Option<u64> {
        let simulated = self.passes.simulated.as_ref().filter(|simulated| simulated.heap.is_some());
        simulated.map_or_else(|| self.arms().first().and_then(|arm| arm.size), |simulated| simulated.size)
    }
}

/// Scores a run.
#[must_use]
pub fn scorecard(inputs: &Inputs<'_>) -> Scorecard {
    let dimensions = vec![
        scaling::scored(inputs),
        stability::scored(inputs),
        cpu::scored(inputs),
        missed::scored(inputs, &missed::L1),
        missed::scored(inputs, &missed::LAST_LEVEL),
        missed::scored(inputs, &missed::BRANCH),
        memory::scored(inputs),
    ];
    let waiting = waiting(inputs);
    let mut card = added_up(dimensions, waiting);
    card.notes = notes(inputs, waiting, &card);
    if let Some(standard) = inputs.passes.standard.as_ref()
        && let Some(base) = standard.baseline.as_ref()
    {
        card.baseline = Some(regressions(base, &summary(inputs, &card)));
    }
    card
}

/// From this share of wall time on, waiting is the first thing to know.
const WAITS: f64 = 0.3;

/// From this share on, points of what is computed say nothing of the whole.
const MOSTLY_WAITS: f64 = 0.5;

/// Points of all seven dimensions.
const ALL: u32 = 28;

fn added_up(dimensions: Vec<Dimension>, waiting: f64) -> Scorecard {
    let scores: Vec<u32> = dimensions.iter().filter_map(|dimension| dimension.score).collect();
    let total: u32 = scores.iter().sum();
    let measured = u32::try_from(scores.len()).unwrap_or(0);
    let max = 4 * measured;
    let coverage = format!("{measured} of {}", DIMENSIONS.len());
    let failed = dimensions.first().filter(|first| first.tier == Tier::Fail);
    let stop = failed.map(|first| {
        format!("STOP: {}. Mend this before anything else: a change of the algorithm outweighs whatever the other dimensions have to give.", first.because)
    });
    let band = (stop.is_none() && max >= LEAST_FOR_BAND && waiting < MOSTLY_WAITS).then(|| band(total, max));
    Scorecard {
        total,
        max,
        // Nothing of nothing would read like full marks.
        summary: match measured {
            0 => format!("not measured, {coverage}"),
            _ => format!("{total}/{max}, {coverage} measured"),
        },
        coverage,
        band,
        stop,
        notes: Vec::new(),
        questions: advice::questions(&dimensions, waiting >= WAITS),
        dimensions,
        baseline: None,
    }
}

/// Points of five dimensions: what fewer say of the other two is a guess.
const LEAST_FOR_BAND: u32 = 20;

fn band(total: u32, max: u32) -> Band {
    // Rounded to the nearest point.
    let points = if max == ALL { total } else { (total * ALL + max / 2) / max };
    let name = match points {
        22.. => "strong",
        15..=21 => "workable",
        _ => "high risk",
    };
    Band { name: name.to_owned(), points, scaled: max != ALL }
}

/// Shorter runs are as much being started and ended as running.
const LEAST_WALL: f64 = 0.02;

/// The share of wall time in which the program waits; what it waits for a CPU that others hold is left out of both.
fn waiting(inputs: &Inputs<'_>) -> f64 {
    let share = |prefix: &str| -> f64 {
        let leaves = inputs.answer.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with(prefix));
        leaves.map(|leaf| leaf.share).fold(0.0, |a, b| a + b)
    };
    let own = (1.0 - share("runnable")).max(f64::MIN_POSITIVE);
    let blocked = share("blocked") / own;
    if share("blocked/") > 0.0 || inputs.passes.recording.is_some() {
        return blocked;
    }
    // Without a recording the first thread may only wait for its children's work.
    let pool = Pool::of(inputs.samples, 0);
    let (cpu, wall) = (pool.median(Metric::Cpu), pool.median(Metric::Wall));
    match cpu.zip(wall) {
        Some((cpu, wall)) if wall >= LEAST_WALL => blocked.min((1.0 - cpu / wall / own).max(0.0)),
        _ => 0.0,
    }
}

/// Classes of causes that none of the seven dimensions is about.
const OUTSIDE: [&str; 6] = ["Lock", "I/O-File", "I/O-Network", "I/O-DB", "Architecture", "External"];

fn notes(inputs: &Inputs<'_>, waiting: f64, card: &Scorecard) -> Vec<String> {
    let mut notes = Vec::new();
    let crowded = inputs
        .answer
        .account
        .leaves
        .iter()
        .any(|leaf| leaf.leaf.starts_with("runnable") && leaf.share > 0.05);
    if waiting >= WAITS {
        let largest = inputs.answer.account.leaves.iter().find(|leaf| leaf.leaf.starts_with("blocked/"));
        let most = largest
            .map(|leaf| {
                format!(", {:.0} % on {}", leaf.share * 100.0, leaf.leaf.trim_start_matches("blocked/"))
            })
            .unwrap_or_default();
        notes.push(format!(
            "{:.0} % of wall time{} is waiting{most}: the scorecard below is about the other {:.0} %",
            waiting * 100.0,
            if crowded { ", time without a CPU left out," } else { "" },
            (1.0 - waiting) * 100.0
        ));
    }
    let firm = |state: State| matches!(state, State::Confirmed | State::Likely);
    if let Some(first) = inputs.answer.findings.first()
        && OUTSIDE.contains(&first.class.as_str())
        && !cpu::is_waste(&first.cause)
        && firm(first.state)
    {
        notes.push(format!(
            "the first finding, {} ({:.0} % of wall time), is in none of the seven dimensions",
            first.cause,
            first.share.value * 100.0
        ));
    }
    if card.band.is_none() && card.max > 0 {
        let why = match card.stop {
            Some(_) => "Algorithmic Scaling fails",
            None if card.max < LEAST_FOR_BAND => "too few dimensions were measured",
            None => "the program mostly waits",
        };
        notes.push(format!("no band is given: {why}"));
    }
    notes
}

/// A scored dimension, nothing else known of it yet.
fn dimension(name: &str, tier: Tier, because: impl Into<String>) -> Dimension {
    Dimension {
        name: name.to_owned(),
        score: tier.score(),
        tier,
        iso: iso(name).to_owned(),
        because: because.into(),
        figures: Vec::new(),
        checks: Vec::new(),
        missing: Vec::new(),
        location: None,
        prescription: None,
    }
}

fn not_measured(name: &str, why: &str) -> Dimension {
    dimension(name, Tier::NotMeasured, why)
}

fn without(dimension: Dimension, missing: Vec<String>) -> Dimension {
    Dimension { missing, ..dimension }
}

/// The sub-characteristic of performance efficiency in ISO/IEC 25010. Capacity is covered by none.
fn iso(name: &str) -> &'static str {
    match name {
        "L1 Cache Efficiency" | "Last-Level Cache" | "Memory Profile" => "resource utilisation",
        _ => "time behaviour",
    }
}

/// Why nothing was simulated.
fn unsimulated(inputs: &Inputs<'_>) -> Vec<String> {
    match inputs.passes.simulated.as_ref() {
        Some(simulated) if !simulated.gaps.is_empty() => {
            simulated.gaps.iter().map(|gap| format!("{}: {}", gap.what, gap.why)).collect()
        }
        Some(simulated) if simulated.totals.is_some() => {
            vec!["the program computes too little besides start-up to be judged by it".to_owned()]
        }
        _ => vec!["needs a simulated run: `--tier medium`".to_owned()],
    }
}

/// A hardware counter by its plain name; modifiers and the names of processors around it do not matter.
fn counter(simulated: &Simulated, wanted: &str) -> Option<f64> {
    let plain = |event: &str| -> String {
        let inner = event.split('/').nth(1).unwrap_or(event);
        inner.split(':').next().unwrap_or(inner).to_owned()
    };
    // Several processors of one machine count apart: their counts add up.
    let values: Vec<f64> = simulated
        .counters
        .iter()
        .filter(|counter| plain(&counter.event) == wanted)
        .filter_map(|counter| counter.value)
        .collect();
    (!values.is_empty()).then(|| values.iter().sum())
}
