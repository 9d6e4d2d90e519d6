//! Caches and branches: the rate of misses of each function that matters, above what nobody can avoid, weighed by what
//! the misses cost.
//!
//! A row is as bad as the milder of two verdicts: its rate above its floor against the rubric's limits, and the share of
//! the program's cycles those misses cost. So a bad rate where nothing happens is no defect, and neither is a large cost
//! at a rate that cannot be lower. Code outside the project is at most a warning: it is called, not edited.

use model::machine_code::{Found, MachineCode, Walk};
use model::scorecard::{Dimension, Figure, Tier};
use model::simulated::{Events, Function, Simulated};

use super::cost::{
    BRANCH_PENALTY, Costs, FAIL_COST, L1_PENALTY, LL_PENALTY, Row, WARN_COST, figure, float, words,
};
use super::counter;
use super::tier::{Limits, milder, rank, worse};
use super::{Inputs, dimension, not_measured, without};

/// One kind of miss.
pub(super) struct Kind {
    pub(super) name: &'static str,
    metric: &'static str,
    /// In percent.
    limits: Limits,
    penalty: f64,
    /// Misses and what they are of.
    of: fn(&Events) -> Option<(f64, f64)>,
    what: &'static str,
    each: &'static str,
    /// Counters of `perf stat`: misses and what they are of.
    counters: (&'static str, &'static str),
    streams: bool,
}

pub(super) const L1: Kind = Kind {
    name: "L1 Cache Efficiency",
    metric: "l1_miss_rate",
    limits: Limits::at_most(1.0, 5.0),
    penalty: L1_PENALTY,
    of: |events| Some((float(events.d1mr?) + float(events.d1mw?), float(events.dr?) + float(events.dw?))),
    what: "misses the first-level cache",
    each: "accesses",
    counters: ("L1-dcache-load-misses", "L1-dcache-loads"),
    streams: true,
};

pub(super) const LAST_LEVEL: Kind = Kind {
    name: "Last-Level Cache",
    metric: "ll_miss_rate",
    limits: Limits::at_most(0.5, 2.0),
    penalty: LL_PENALTY,
    of: |events| Some((float(events.dlmr?) + float(events.dlmw?), float(events.dr?) + float(events.dw?))),
    what: "misses the last-level cache",
    each: "accesses",
    counters: ("LLC-load-misses", "LLC-loads"),
    streams: true,
};

pub(super) const BRANCH: Kind = Kind {
    name: "Branch Prediction",
    metric: "branch_mispred_rate",
    limits: Limits::at_most(1.0, 3.0),
    penalty: BRANCH_PENALTY,
    of: |events| Some((float(events.bcm?), float(events.bc?))),
    what: "mispredicts",
    each: "conditional branches",
    counters: ("branch-misses", "branches"),
    streams: false,
};

/// A function judged.
struct Judged<'a> {
    row: &'a Row<'a>,
    tier: Tier,
    /// Percent.
    rate: f64,
    floor: f64,
    /// Of the estimated cycles, misses above the floor alone.
    cost: f64,
}

/// Scores one kind of miss.
pub(super) fn scored(inputs: &Inputs<'_>, kind: &Kind) -> Dimension {
    let Some(costs) = Costs::of(inputs) else { return by_counters(inputs, kind) };
    if (kind.of)(costs.simulated.totals.as_ref().unwrap_or(&Events::default())).is_none() {
        return by_counters(inputs, kind);
    }
    let mut judged: Vec<Judged<'_>> =
        costs.rows.iter().filter_map(|row| judge(kind, row, &costs, &inputs.passes.code)).collect();
    judged.sort_by(|a, b| {
        let by_cost = rank(b.tier).cmp(&rank(a.tier)).then(b.cost.total_cmp(&a.cost));
        by_cost.then(b.row.share.total_cmp(&a.row.share))
    });
    let Some(worst) = judged.first() else {
        let why = costs
            .unseen()
            .unwrap_or_else(|| "no function of the program itself costs 1 % or more".to_owned());
        return without(not_measured(kind.name, &format!("nothing to judge: {why}")), Vec::new());
    };
    if worst.tier == Tier::Pass && costs.is_mostly_unseen() {
        let why = costs.unseen().unwrap_or_default();
        let mut scored = not_measured(kind.name, &format!("nothing bad was seen, but {why}"));
        scored.figures = whole(kind, costs.simulated).into_iter().collect();
        return scored;
    }
    let place = costs.place(worst.row.function);
    let mut scored = dimension(kind.name, worst.tier, because(kind, worst, &place.function));
    scored.figures = judged.iter().take(3).map(|judged| figure_of(kind, judged, &costs)).collect();
    scored.figures.extend(whole(kind, costs.simulated));
    scored.missing = costs.unseen().into_iter().collect();
    if worst.tier != Tier::Pass {
        let function = &worst.row.function.name;
        scored.prescription =
            Some(super::advice::missed(kind.name, &words(&place), worst.rate, costs.simulated, function));
        scored.location = Some(place);
    }
    scored
}

fn judge<'a>(kind: &Kind, row: &'a Row<'a>, costs: &Costs<'_>, code: &[MachineCode]) -> Option<Judged<'a>> {
    let (misses, all) = (kind.of)(&row.function.own)?;
    if all <= 0.0 {
        return None;
    }
    let floor = if kind.streams { floor(costs.simulated, row.function, code) } else { 0.0 };
    let excess = (misses - floor * all).max(0.0);
    let cost = excess * kind.penalty / costs.total;
    let by_cost = Limits::at_most(WARN_COST, FAIL_COST).tier(cost);
    let by_rate = kind.limits.tier(excess / all * 100.0);
    let tier = milder(by_rate, by_cost);
    let tier = if row.function.project { tier } else { milder(tier, Tier::Warn) };
    Some(Judged { row, tier, rate: misses / all * 100.0, floor: floor * 100.0, cost })
}

/// Bytes of one element where the machine code does not tell: the widest that ordinary code reads at once.
const ELEMENT: f64 = 8.0;

/// Bytes of a cache line where the simulator does not tell.
const LINE: f64 = 64.0;

/// The rate of a loop that reads or writes one element after the other: element size by line size. Nothing that touches
/// its data once can miss less often.
fn floor(simulated: &Simulated, function: &Function, code: &[MachineCode]) -> f64 {
    let line = simulated
        .caches
        .as_ref()
        .and_then(|caches| caches.d1.simulated.rsplit(',').next()?.trim().parse::<f64>().ok())
        .filter(|line| *line > 0.0)
        .unwrap_or(LINE);
    element(function, code).unwrap_or(ELEMENT).min(line) / line
}

/// The widest element that its loops walk over without a hole; zero when they are known and none does. `None` when the
/// machine code of the function was not read.
fn element(function: &Function, code: &[MachineCode]) -> Option<f64> {
    let hot = code
        .iter()
        .flat_map(|image| &image.functions)
        .find(|hot| hot.name.as_deref() == Some(function.name.as_str()))?;
    let patterns = hot.loops.iter().flat_map(|hot| &hot.patterns);
    let accesses = patterns.filter_map(|pattern| match &pattern.found {
        Found::Access { accesses } => Some(accesses),
        _ => None,
    });
    let mut known = accesses.flatten().filter(|access| access.walk != Walk::Fixed).peekable();
    known.peek()?;
    let streamed = known.filter(|access| access.walk == Walk::Unit).filter_map(|access| access.bytes);
    Some(f64::from(streamed.max().unwrap_or(0)))
}

/// A smaller share of the cost rounds to nothing.
const TOLD: f64 = 0.0005;

fn because(kind: &Kind, judged: &Judged<'_>, place: &str) -> String {
    let function = &judged.row.function.name;
    let from = if function == place { String::new() } else { format!(", called from `{place}`,") };
    let base = format!("`{function}`{from} {} on {:.1} % of its {}", kind.what, judged.rate, kind.each);
    if judged.cost >= TOLD {
        let floor = if kind.streams && judged.floor > 0.0 {
            format!(" ({:.1} % is what reading on and on costs)", judged.floor)
        } else {
            String::new()
        };
        format!("{base}{floor}, which costs {} of the estimated cycles", percent(judged.cost))
    } else if kind.streams && judged.rate > kind.limits.limit {
        let bound = if judged.rate > judged.floor { "hardly" } else { "no" };
        format!("{base}, {bound} more than reading its data once must ({:.1} %)", judged.floor)
    } else {
        base
    }
}

/// A share, with a digit behind the point below ten percent.
pub(super) fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value < 9.95 { format!("{value:.1} %") } else { format!("{value:.0} %") }
}

fn figure_of(kind: &Kind, judged: &Judged<'_>, costs: &Costs<'_>) -> Figure {
    Figure {
        limit: Some(kind.limits.limit + judged.floor),
        fail: Some(kind.limits.fail + judged.floor),
        cost: Some(judged.cost),
        location: Some(costs.place(judged.row.function)),
        ..figure(costs.simulated, &["cachegrind", "callgrind"], kind.metric, judged.rate, "%")
    }
}

/// The whole program's rate: told, not judged.
fn whole(kind: &Kind, simulated: &Simulated) -> Option<Figure> {
    let (misses, all) = (kind.of)(simulated.totals.as_ref()?)?;
    let name = format!("{}_whole_program", kind.metric);
    (all > 0.0).then(|| figure(simulated, &["cachegrind", "callgrind"], &name, misses / all * 100.0, "%"))
}

/// From the processor's own counters: of the whole program, with floors unknown, so never a failure of a cache.
fn by_counters(inputs: &Inputs<'_>, kind: &Kind) -> Dimension {
    let simulated = inputs.passes.simulated.as_ref();
    let counted = simulated.and_then(|simulated| {
        let misses = counter(simulated, kind.counters.0)?;
        let all = counter(simulated, kind.counters.1).filter(|all| *all > 0.0)?;
        Some((simulated, misses / all * 100.0))
    });
    let Some((simulated, rate)) = counted else {
        return without(not_measured(kind.name, "neither simulated nor counted"), super::unsimulated(inputs));
    };
    let tier = kind.limits.tier(rate);
    let tier = if kind.streams { milder(tier, Tier::Warn) } else { tier };
    let because = format!("the program {} on {rate:.1} % of its {}", kind.what, kind.each);
    let mut scored = dimension(kind.name, tier, because);
    scored.figures = vec![Figure {
        limit: Some(kind.limits.limit),
        fail: Some(kind.limits.fail),
        ..figure(simulated, &["perf stat"], kind.metric, rate, "%")
    }];
    scored.missing = vec!["which function: `--tier medium` simulates each".to_owned()];
    if worse(tier, Tier::Pass) {
        scored.location = super::cpu::top(inputs).and_then(|top| top.location);
        let place = scored.location.as_ref().map_or_else(|| "the hottest loop".to_owned(), words);
        scored.prescription = Some(super::advice::missed(kind.name, &place, rate, simulated, ""));
    }
    scored
}
