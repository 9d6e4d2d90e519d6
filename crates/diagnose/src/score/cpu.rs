//! CPU Efficiency: is the time on the CPU well spent?
//!
//! A program that spends its time in one function of its own is not sick for that: a tight loop over its data is what a
//! good program looks like. So concentration tells where to look and never fails by itself. What fails is a sign of waste:
//! few instructions a cycle by the processor's own counters, locking (`locking.rs`), or a cause of wasted work that the
//! answer found, weighed by the rubric's limits of concentration (20 % and 35 % of the time).

use model::answer::State;
use model::profile::{Place, Share};
use model::recording::{Owner, RECORDING};
use model::scorecard::{Better, Dimension, Figure, Location, Tier};

use super::cost::{Costs, figure, float, location, words};
use super::tier::{Limits, milder, rank};
use super::{Inputs, dimension, not_measured, without};
use super::{counter, locking};

pub(crate) const NAME: &str = "CPU Efficiency";

/// Shares of the whole, in percent.
pub(super) const CONCENTRATION: Limits = Limits::at_most(20.0, 35.0);

const IPC: Limits = Limits::at_least(1.5, 1.0);

/// Causes that burn CPU time for nothing; growth, caches and allocation have dimensions of their own.
const WASTE: [&str; 8] = [
    "debug-build",
    "missed-vectorisation",
    "repeated-work",
    "regex-backtracking",
    "copy-volume",
    "gc-pressure",
    "syscall-storm",
    "spawn-storm",
];

/// Whether this dimension judges it.
pub(super) fn is_waste(cause: &str) -> bool {
    WASTE.contains(&cause)
}

/// One sign of waste.
pub(super) struct Sign {
    pub(super) tier: Tier,
    pub(super) because: String,
    pub(super) figure: Figure,
    pub(super) prescription: String,
}

pub(super) fn scored(inputs: &Inputs<'_>) -> Dimension {
    let counted = counted(inputs);
    let of = if counted.is_some() { "instructions" } else { "CPU time" };
    let top = counted.or_else(|| sampled(inputs));
    let locked = locking::sign(inputs);
    let mut signs: Vec<Sign> = ipc(inputs).into_iter().chain(locked).chain(wasted(inputs)).collect();
    signs.sort_by_key(|sign| std::cmp::Reverse(rank(sign.tier)));
    if top.is_none() && signs.is_empty() {
        return unseen(inputs);
    }
    let hottest = top.as_ref().and_then(|top| Some((top, words(top.location.as_ref()?))));
    let clean = if signs.iter().any(|sign| sign.tier == Tier::Pass && sign.figure.name != "IPC") {
        "what is wasted is little"
    } else {
        "no sign of waste was found"
    };
    let because = match (signs.first(), hottest) {
        (Some(sign), _) if sign.tier != Tier::Pass => sign.because.clone(),
        (_, Some((top, place))) => {
            format!("{clean}; {:.0} % of the {of} is spent in {place}, the first place to look", top.value)
        }
        (Some(sign), None) => sign.because.clone(),
        (None, None) => clean.to_owned(),
    };
    let tier = signs.first().map_or(Tier::Pass, |sign| sign.tier);
    let mut scored = dimension(NAME, tier, because);
    if !signs.iter().any(|sign| sign.figure.name == "IPC") {
        scored.missing.push("instructions a cycle: needs hardware counters".to_owned());
    }
    if tier != Tier::Pass {
        scored.prescription = signs.first().map(|sign| sign.prescription.clone());
        scored.location = signs.first().and_then(|sign| sign.figure.location.clone());
    }
    scored.figures = signs.into_iter().map(|sign| sign.figure).chain(top).collect();
    scored
}

/// Nothing of the user's own was seen, and why.
fn unseen(inputs: &Inputs<'_>) -> Dimension {
    let looked = inputs.passes.recording.is_some() || inputs.passes.simulated.is_some();
    let (why, missing) = if looked {
        (
            "no function of the program's own was seen at work",
            "a run that computes for longer: a larger input, or `--source-prefix` where the program's sources lie",
        )
    } else {
        ("no cost of any function is known", "a recorded run, or `--tier medium`")
    };
    without(not_measured(NAME, why), vec![missing.to_owned()])
}

/// The share of the user's costliest function: told, not judged.
pub(super) fn top(inputs: &Inputs<'_>) -> Option<Figure> {
    counted(inputs).or_else(|| sampled(inputs))
}

fn counted(inputs: &Inputs<'_>) -> Option<Figure> {
    let costs = Costs::of(inputs)?;
    let all = float(costs.simulated.totals?.ir);
    let row = costs.project().max_by_key(|row| row.function.own.ir)?;
    let share = float(row.function.own.ir) / all * 100.0;
    let figure = figure(costs.simulated, &["callgrind", "cachegrind"], "top_fn_pct", share, "%");
    Some(Figure { location: Some(location(row.function)), ..figure })
}

/// The user's functions by the hits of the recorded run, the costliest first. Those of libraries count for the function
/// that called them: what an interpreter does is done for a function of the program.
pub(super) fn spent<'a>(inputs: &Inputs<'a>) -> Vec<Spent<'a>> {
    let mut all: Vec<Spent<'_>> = Vec::new();
    for hotspot in &inputs.answer.hotspots {
        let own = Some(&hotspot.place).filter(|place| place.owner == Owner::Project);
        let Some(place) = own.or(hotspot.project.as_ref()) else { continue };
        match all.iter_mut().find(|spent| spent.place.function == place.function) {
            Some(spent) => {
                spent.share += hotspot.own.value;
                (spent.n, spent.alone) = (spent.n + hotspot.n, None);
            }
            None => {
                let (share, n) = (hotspot.own.value, hotspot.n);
                all.push(Spent { place, share, n, alone: Some(&hotspot.own) });
            }
        }
    }
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}

/// The costliest of them.
pub(super) fn sampled(inputs: &Inputs<'_>) -> Option<Figure> {
    let most = spent(inputs).into_iter().next()?;
    let place = most.place;
    Some(Figure {
        name: "top_fn_pct".to_owned(),
        value: most.share.min(1.0) * 100.0,
        low: most.alone.map(|share| share.low * 100.0),
        high: most.alone.map(|share| share.high * 100.0),
        unit: "%".to_owned(),
        limit: None,
        fail: None,
        better: Better::Lower,
        size: None,
        n: u32::try_from(most.n).ok(),
        cost: None,
        location: Some(Location {
            function: place.function.clone(),
            file: place.file.clone(),
            line: place.line,
            module: place.module.clone(),
            project: place.owner == Owner::Project,
        }),
        artifact: RECORDING.to_owned(),
        source: "recorder".to_owned(),
        command: Some(format!("slowpath record -- {}", inputs.command())),
    })
}

/// A function of the user's with the hits that are spent for it.
pub(super) struct Spent<'a> {
    pub(super) place: &'a Place,
    pub(super) share: f64,
    n: u64,
    /// The interval, while only one hotspot is in it: shares of several do not add up their intervals.
    alone: Option<&'a Share>,
}

/// Instructions a cycle, from real counters alone: a simulated machine has no pipeline.
fn ipc(inputs: &Inputs<'_>) -> Option<Sign> {
    let simulated = inputs.passes.simulated.as_ref()?;
    let place = top(inputs).and_then(|top| top.location);
    let cycles = counter(simulated, "cycles").filter(|cycles| *cycles > 0.0)?;
    let ipc = counter(simulated, "instructions")? / cycles;
    let tier = IPC.tier(ipc);
    Some(Sign {
        tier,
        because: format!("{ipc:.2} instructions a cycle, of all the program does"),
        figure: Figure {
            better: Better::Higher,
            limit: Some(IPC.limit),
            fail: Some(IPC.fail),
            location: place.clone(),
            ..figure(simulated, &["perf stat"], "IPC", ipc, "1")
        },
        prescription: super::advice::stalled(inputs, place.as_ref()),
    })
}

/// What the answer found that burns CPU time.
fn wasted(inputs: &Inputs<'_>) -> impl Iterator<Item = Sign> {
    let firm = |state: State| matches!(state, State::Confirmed | State::Likely);
    let found = inputs.answer.findings.iter();
    // Growth has a dimension of its own where sizes were measured.
    let grows = inputs.scaling.is_none();
    let wastes = move |cause: &str| is_waste(cause) || grows && cause == "algorithmic-growth";
    found.filter(move |found| wastes(&found.cause) && firm(found.state)).map(|found| {
        let share = found.share.value * 100.0;
        let tier = CONCENTRATION.tier(share);
        let place = found.location.as_ref().map(|place| Location {
            function: place.function.clone(),
            file: place.file.clone(),
            line: place.line,
            module: place.module.clone(),
            project: place.owner == Owner::Project,
        });
        Sign {
            tier: if found.state == State::Confirmed { tier } else { milder(tier, Tier::Warn) },
            because: found.summary.clone(),
            figure: Figure {
                name: found.cause.replace('-', "_"),
                value: share,
                low: found.share.low.map(|low| low * 100.0),
                high: found.share.high.map(|high| high * 100.0),
                unit: "% of wall".to_owned(),
                limit: Some(CONCENTRATION.limit),
                fail: Some(CONCENTRATION.fail),
                better: Better::Lower,
                size: None,
                n: None,
                cost: None,
                location: place,
                artifact: "answer.json".to_owned(),
                source: format!("finding {}, {}", found.id, found.state.word()),
                command: Some(format!("slowpath -- {}", inputs.command())),
            },
            prescription: found.prescription.clone(),
        }
    })
}
