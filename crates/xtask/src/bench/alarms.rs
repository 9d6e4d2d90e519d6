//! The rows of C1, C2, C3 and the time to a verdict.

use model::Metric;
use model::compare::Verdict;
use stats::Values;

use super::case::{Case, Kind};
use super::compare::{PAIRS, Timed, Trials};
use super::peers::Peers;
use super::rules::{Called, RULES, Sides};
use super::slowpath::Compared;
use super::table::{Figure, Table, Target};

const OURS: &str = "slowpath compare";

pub(crate) fn rows(table: &mut Table, cases: &[Case], trials: &Trials, peers: &Peers) {
    let seen = Seen { cases, trials, hyperfine: peers.hyperfine.as_ref().map(|tool| tool.version.clone()) };
    seen.same(table);
    seen.planted(table, Kind::Two, "C2", Target::AtLeast(0.95));
    seen.planted(table, Kind::One, "C3", Target::AtLeast(0.85));
    seen.margin(table);
    seen.time(table);
    seen.truths(table);
    if peers.pyperf.is_none() {
        table.note("pyperf was not measured");
    }
    if peers.hyperfine.is_none() {
        table.note("hyperfine was not measured");
    }
    table.note("rows named \"rule\" are rules written again here, on samples of a bare loop (sequential) or of slowpath (interleaved); they are not the tools' own runs");
    table.note(format!(
        "every tool gets {PAIRS} runs a side; slowpath may stop early, and takes up to 16 pairs more to confirm a difference"
    ));
}

struct Seen<'a> {
    cases: &'a [Case],
    trials: &'a Trials,
    hyperfine: Option<String>,
}

impl Seen<'_> {
    fn kind(&self, index: usize) -> Option<Kind> {
        self.cases.get(index).map(|case| case.kind)
    }

    fn ours(&self, kind: Kind) -> Vec<&Compared> {
        let own = self.trials.slowpath.iter().filter(|(index, _)| self.kind(*index) == Some(kind));
        own.map(|(_, compared)| compared).collect()
    }

    fn of_case(&self, case: usize) -> Vec<&Compared> {
        self.trials
            .slowpath
            .iter()
            .filter(|(index, _)| *index == case)
            .map(|(_, compared)| compared)
            .collect()
    }

    fn timed<'b>(&self, trials: &'b [(usize, Timed)], kind: Kind) -> Vec<&'b Timed> {
        trials.iter().filter(|(index, _)| self.kind(*index) == Some(kind)).map(|(_, timed)| timed).collect()
    }

    /// C1: equal commands.
    fn same(&self, table: &mut Table) {
        let all = self.ours(Kind::Same);
        let alarm = |compared: &Compared| alarms(compared.answer.verdict);
        let goal = "C1";
        for (metric, name) in [
            (Metric::Wall, "A/A alarm, wall"),
            (Metric::Cpu, "A/A alarm, CPU"),
            (Metric::Rss, "A/A alarm, RSS"),
        ] {
            let hit = |compared: &Compared| compared.verdict(metric).is_some_and(alarms);
            count(table, &Figure { goal, what: name, who: OURS }, &all, hit, Target::AtMost(0.01));
            self.same_by_peers(table, metric);
        }
        count(
            table,
            &Figure { goal, what: "A/A alarm, any metric", who: OURS },
            &all,
            alarm,
            Target::AtMost(0.01),
        );
        for (index, case) in self.cases.iter().enumerate().filter(|(_, case)| case.kind == Kind::Same) {
            let what = format!("  of these, {}", case.program);
            count(table, &Figure { goal, what: &what, who: OURS }, &self.of_case(index), alarm, Target::None);
        }
        let undecided = |compared: &Compared| compared.answer.verdict == Verdict::Inconclusive;
        count(table, &Figure { goal, what: "A/A inconclusive", who: OURS }, &all, undecided, Target::None);
    }

    /// The peers' own commands, then the rules, for one metric of equal commands.
    fn same_by_peers(&self, table: &mut Table, metric: Metric) {
        let goal = "C1";
        let name = metric.name();
        let hyperfine = self.timed(&self.trials.hyperfine, Kind::Same);
        let changes: Vec<f64> =
            hyperfine.iter().filter_map(|timed| mean_change(sides(timed, metric)?)).collect();
        let what = format!("A/A, {name} mean off by 2 % or more");
        self.beyond(table, goal, &what, &changes);
        if metric == Metric::Wall {
            let (mut hits, all) = (0, self.trials.pyperf.len() as u64);
            self.trials.pyperf.iter().for_each(|(_, compared)| hits += u64::from(compared.different));
            table.rate(
                &Figure { goal, what: "A/A called different, wall", who: "pyperf compare_to" },
                hits,
                all,
                Target::None,
            );
        }
        if metric != Metric::Rss {
            self.rules(table, goal, Kind::Same, metric, "A/A called different", |called| {
                called != Called::Nothing
            });
        }
    }

    fn beyond(&self, table: &mut Table, goal: &'static str, what: &str, changes: &[f64]) {
        let Some(who) = &self.hyperfine else { return };
        let hits = changes.iter().filter(|change| change.abs() >= 0.02).count() as u64;
        table.rate(&Figure { goal, what, who }, hits, changes.len() as u64, Target::None);
    }

    /// Every rule on sequential and on interleaved runs.
    fn rules(
        &self,
        table: &mut Table,
        goal: &'static str,
        kind: Kind,
        metric: Metric,
        what: &str,
        hit: impl Fn(Called) -> bool,
    ) {
        let sequential = self.timed(&self.trials.sequence, kind);
        let sequential: Vec<Sides> =
            sequential.iter().filter_map(|timed| sides(timed, metric).cloned()).collect();
        let interleaved: Vec<Sides> =
            self.ours(kind).iter().map(|compared| first_pairs(&compared.sides(metric))).collect();
        for rule in RULES {
            for (order, samples) in [("sequential", &sequential), ("interleaved", &interleaved)] {
                let called: Vec<Called> =
                    samples.iter().zip(0..).filter_map(|(sides, seed)| (rule.call)(sides, seed)).collect();
                let hits = called.iter().filter(|called| hit(**called)).count() as u64;
                let what = format!("{what}, {}, {order}", metric.name());
                table.rate(
                    &Figure { goal, what: &what, who: rule.name },
                    hits,
                    called.len() as u64,
                    Target::None,
                );
            }
        }
    }

    /// C2 and C3: a planted slowdown is found.
    fn planted(&self, table: &mut Table, kind: Kind, goal: &'static str, target: Target) {
        let all = self.ours(kind);
        for (metric, target) in [(Metric::Wall, Target::None), (Metric::Cpu, target)] {
            let what = format!("{} found, {}", kind.name(), metric.name());
            let found = |compared: &Compared| compared.verdict(metric) == Some(Verdict::Worse);
            count(table, &Figure { goal, what: &what, who: OURS }, &all, found, target);
            if metric == Metric::Cpu {
                self.planted_by_program(table, kind, goal);
            }
            let what = format!("{} found", kind.name());
            self.rules(table, goal, kind, metric, &what, |called| called == Called::Slower);
            self.planted_by_hyperfine(table, kind, goal, metric);
        }
        let wrong = |compared: &Compared| {
            compared.answer.metrics.iter().any(|metric| metric.verdict == Verdict::Better)
        };
        let what = format!("{} called better in a metric", kind.name());
        count(table, &Figure { goal, what: &what, who: OURS }, &all, wrong, Target::AtMost(0.01));
    }

    fn planted_by_program(&self, table: &mut Table, kind: Kind, goal: &'static str) {
        for (index, case) in self.cases.iter().enumerate().filter(|(_, case)| case.kind == kind) {
            let what = format!("  of these, {}", case.program);
            let found = |compared: &Compared| compared.verdict(Metric::Cpu) == Some(Verdict::Worse);
            count(table, &Figure { goal, what: &what, who: OURS }, &self.of_case(index), found, Target::None);
        }
    }

    /// hyperfine gives no verdict: its ratio is within half a point of the truth, or it is not.
    fn planted_by_hyperfine(&self, table: &mut Table, kind: Kind, goal: &'static str, metric: Metric) {
        let Some(who) = &self.hyperfine else { return };
        let timed = self.timed(&self.trials.hyperfine, kind);
        let changes: Vec<f64> = timed.iter().filter_map(|timed| mean_change(sides(timed, metric)?)).collect();
        let truth =
            Kind::PLANTED.iter().find(|(planted, _)| *planted == kind).map_or(0.0, |(_, effect)| *effect);
        let hits = changes.iter().filter(|change| (*change - truth).abs() <= 0.005).count() as u64;
        let what = format!("{} printed within 0.5 points, {}", kind.name(), metric.name());
        table.rate(&Figure { goal, what: &what, who }, hits, changes.len() as u64, Target::None);
    }

    /// C4: "no change above 2 %" where there is one.
    fn margin(&self, table: &mut Table) {
        let all = self.ours(Kind::Margin);
        let goal = "C4";
        for metric in [Metric::Wall, Metric::Cpu] {
            let what = format!("+2.2 % wrongly called no change, {}", metric.name());
            let wrong = |compared: &Compared| compared.verdict(metric) == Some(Verdict::NoChange);
            count(table, &Figure { goal, what: &what, who: OURS }, &all, wrong, Target::AtMost(0.01));
        }
        let wrong = |compared: &Compared| compared.answer.verdict == Verdict::NoChange;
        count(
            table,
            &Figure { goal, what: "+2.2 % wrongly called no change, overall", who: OURS },
            &all,
            wrong,
            Target::AtMost(0.01),
        );
        let found = |compared: &Compared| compared.verdict(Metric::Cpu) == Some(Verdict::Worse);
        count(table, &Figure { goal, what: "+2.2 % found, cpu", who: OURS }, &all, found, Target::None);
    }

    /// How long until an answer, in pairs and in seconds, ours and the peers' at equal runs.
    fn time(&self, table: &mut Table) {
        let goal = "time";
        for kind in [Kind::Same, Kind::One, Kind::Two] {
            let all = self.ours(kind);
            let pairs = all.iter().map(|compared| f64::from(compared.pairs())).collect();
            let seconds = all.iter().map(|compared| compared.seconds).collect();
            let what = format!("{}: median pairs and seconds", kind.name());
            self.typical(table, goal, &what, OURS, Some(pairs), seconds);
            let seconds =
                self.timed(&self.trials.hyperfine, kind).iter().map(|timed| timed.seconds).collect();
            if let Some(who) = &self.hyperfine {
                self.typical(table, goal, &what, who, None, seconds);
            }
        }
        let seconds = self.trials.pyperf.iter().map(|(_, compared)| compared.seconds).collect();
        self.typical(table, goal, "A/A: median pairs and seconds", "pyperf", None, seconds);
    }

    fn typical(
        &self,
        table: &mut Table,
        goal: &'static str,
        what: &str,
        who: &str,
        pairs: Option<Vec<f64>>,
        seconds: Vec<f64>,
    ) {
        let n = seconds.len() as u64;
        let Some(seconds) = Values::new(seconds) else { return };
        let pairs = pairs.and_then(Values::new).map_or(f64::from(PAIRS), |pairs| stats::median(&pairs));
        let text = format!("{pairs:.0} pairs, {:.2} s", stats::median(&seconds));
        let bounds = stats::median_interval(&seconds, 0.95)
            .map(|between| format!("{:.2} to {:.2} s", between.low, between.high));
        table.value(&Figure { goal, what, who }, text, n, bounds);
    }

    /// What the plants are by instruction count, and by the CPU time of all trials together.
    fn truths(&self, table: &mut Table) {
        for (index, case) in self.cases.iter().enumerate() {
            let all = self.of_case(index);
            for metric in [Metric::Cpu, Metric::Wall] {
                let blocks: Vec<f64> = all.iter().flat_map(|compared| compared.blocks(metric)).collect();
                let n = blocks.len() as u64;
                let Some(blocks) = Values::new(blocks) else { continue };
                let what = format!("{} {}: {} of all blocks", case.program, case.kind.name(), metric.name());
                let text = format!(
                    "{:+.2} % (counted {:+.3} %)",
                    stats::median(&blocks).exp_m1() * 100.0,
                    case.effect * 100.0
                );
                let bounds = stats::median_interval(&blocks, 0.95).map(|between| {
                    format!("{:+.2} to {:+.2} %", between.low.exp_m1() * 100.0, between.high.exp_m1() * 100.0)
                });
                table.value(&Figure { goal: "truth", what: &what, who: "pooled" }, text, n, bounds);
            }
        }
    }
}

fn alarms(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Worse | Verdict::Better)
}

fn count(
    table: &mut Table,
    figure: &Figure<'_>,
    all: &[&Compared],
    hit: impl Fn(&Compared) -> bool,
    target: Target,
) {
    let hits = all.iter().filter(|compared| hit(compared)).count() as u64;
    table.rate(figure, hits, all.len() as u64, target);
}

/// `None` where the tool does not give the metric for each run.
fn sides(timed: &Timed, metric: Metric) -> Option<&Sides> {
    let sides = match metric {
        Metric::Wall => &timed.wall,
        Metric::Cpu => &timed.cpu,
        _ => &timed.rss,
    };
    (!sides.base.is_empty()).then_some(sides)
}

/// New against base by their means, which is what hyperfine prints.
fn mean_change(sides: &Sides) -> Option<f64> {
    let mean = |side: &[f64]| side.iter().sum::<f64>() / side.len() as f64;
    let change = mean(&sides.new) / mean(&sides.base) - 1.0;
    change.is_finite().then_some(change)
}

/// No more runs than the peers get: confirmation runs would be an advantage.
fn first_pairs(sides: &Sides) -> Sides {
    let most = PAIRS as usize;
    let first = |side: &[f64]| side.iter().take(most).copied().collect();
    Sides { base: first(&sides.base), new: first(&sides.new) }
}
