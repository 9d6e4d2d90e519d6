//! P3, P4 and P6: what profilers cost beside nothing, and how many bytes they keep.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use model::recording::{RECORDING, Recording};
use serde_json::json;
use stats::{Rng, Values};

use super::super::account::{Built, Language, Specimen, named, split};
use super::super::sitting::Sitting;
use super::super::table::{Figure, Table};
use super::profilers::{Order, Profiler, Profilers, RATE, Turn};
use crate::process::stdout_of;

/// A target and who measures it.
pub(super) struct Question {
    pub(super) goal: &'static str,
    pub(super) target: String,
    language: Language,
    argv: Vec<String>,
    /// A quarter of the work: tells a profiler's start and end from its cost while the target runs.
    short: Vec<String>,
    profilers: Vec<Profiler>,
    /// Switches it makes, printed by itself.
    counts_switches: bool,
}

/// The languages of P3; Go is held against perf in its shares only.
const LANGUAGES: [Language; 5] =
    [Language::C, Language::Rust, Language::Python, Language::Node, Language::Java];

pub(super) fn questions(built: &Built, profilers: &Profilers, seconds: f64) -> Vec<Question> {
    let ask = |goal, target: String, specimen: Option<&Specimen>, counts_switches| {
        let specimen = specimen?;
        let (language, argv) = (specimen.language, built.argv(specimen, seconds)?);
        let short = built.argv(specimen, seconds / 4.0)?;
        let profilers = if goal == "P3" { profilers.of(language) } else { profilers.of_waits() };
        Some(Question { goal, target, language, argv, short, profilers, counts_switches })
    };
    let on_cpu = LANGUAGES.map(|language| ask("P3", format!("{language:?}"), split(language), false));
    let waits = [
        ask("P4", STORM.to_owned(), named("switch-storm"), true),
        ask("P4", "ordinary program".to_owned(), split(Language::C), false),
    ];
    on_cpu.into_iter().chain(waits).flatten().collect()
}

const STORM: &str = "switch storm";

/// What was measured of each target under each profiler, round by round.
#[derive(Default)]
pub(super) struct Costs {
    turns: BTreeMap<(&'static str, String, Profiler), Vec<Cost>>,
    languages: BTreeMap<String, Language>,
    rounds: u32,
}

#[derive(Clone, Copy)]
struct Cost {
    /// Ratios are of one round: a profiler that failed in one leaves a hole.
    round: u32,
    cpu: f64,
    /// Of the short run.
    short: f64,
    elapsed: f64,
    kept: Option<Kept>,
    switches: Option<u64>,
}

/// A profile on disk.
#[derive(Clone, Copy)]
struct Kept {
    bytes: u64,
    hits: u64,
    /// Recorded spans off the CPU. `None` for peers.
    waits: Option<u64>,
}

impl Costs {
    /// Every profiler of a target once, in random order.
    pub(super) fn round(
        &mut self,
        sitting: &mut Sitting,
        profilers: &Profilers,
        question: &Question,
        rng: &mut Rng,
        folder: &Path,
    ) -> Result<()> {
        self.rounds += 1;
        let mut order = question.profilers.clone();
        rng.shuffle(&mut order);
        self.languages.insert(question.target.clone(), question.language);
        for profiler in order {
            let run = |argv: &[String]| {
                profilers.turn(&Order { profiler, argv, folder, rate: Some(RATE), maps: false })
            };
            let both = run(&question.short).and_then(|short| Ok((short.cpu, run(&question.argv)?)));
            let (short, turn) = match both {
                Ok(both) => both,
                Err(error) => {
                    sitting.keep(&json!({"goal": question.goal, "target": question.target, "who": profiler.name(), "error": format!("{error:#}")}))?;
                    continue;
                }
            };
            let printed = String::from_utf8_lossy(&turn.stdout);
            let bare = matches!(profiler, Profiler::Nothing | Profiler::Again) && question.counts_switches;
            let switches = printed.trim().parse().ok().filter(|_| bare);
            let kept = kept(profiler, &turn);
            let cost =
                Cost { round: self.rounds, cpu: turn.cpu, short, elapsed: turn.elapsed, kept, switches };
            sitting.keep(&json!({
                "goal": question.goal, "target": question.target, "who": profiler.name(), "cpu": cost.cpu,
                "short_cpu": short, "elapsed": cost.elapsed, "switches": switches,
                "bytes": kept.map(|kept| kept.bytes), "hits": kept.map(|kept| kept.hits), "waits": kept.map(|kept| kept.waits),
            }))?;
            self.turns.entry((question.goal, question.target.clone(), profiler)).or_default().push(cost);
        }
        Ok(())
    }

    pub(super) fn rows(&self, table: &mut Table) {
        for ((goal, target, profiler), costs) in &self.turns {
            let of =
                |profiler| self.turns.get(&(*goal, target.clone(), profiler)).map_or(&[][..], Vec::as_slice);
            if *profiler == Profiler::Nothing {
                bare_row(table, goal, target, costs);
                continue;
            }
            let what = format!("CPU while {target} runs, times bare");
            let figure = Figure { goal, what: &what, who: profiler.name() };
            let bare = of(Profiler::Nothing);
            let Some(ratio) = ratios(costs, bare, while_running) else { continue };
            let added = rest_text(costs, bare);
            let text = format!("{:.4}x, {added}", stats::median(&ratio));
            let n = ratio.n() as u64;
            match self.limit(goal, target, *profiler) {
                Some((limit, wanted)) => {
                    table.goal(&figure, text, n, &bounds(&ratio), &wanted, stats::median(&ratio) <= limit);
                }
                None => table.value(&figure, text, n, Some(bounds(&ratio))),
            }
            kept_rows(table, target, *profiler, costs, *goal == "P4");
        }
        table.note("cost: CPU seconds of target, profiler and their children by wait4, fixed work, ratios within a round; what grows with the run, from a short and a long run in each round, and apart from it what does not; perf runs without the runtimes' maps, which slowpath asks for");
        table.note("P4: slowpath samples the CPU at 999 Hz meanwhile, which is in its figure, and once at 10 Hz; perf record takes switches alone; an idle event is the least that any perf event costs");
    }

    /// The most slowpath may cost here, from the peers in the same rounds. `None` for peers.
    fn limit(&self, goal: &'static str, target: &str, profiler: Profiler) -> Option<(f64, String)> {
        if !matches!(profiler, Profiler::Slowpath | Profiler::SlowpathUser) {
            return None;
        }
        let median = |peer: Profiler| {
            let of = |profiler| {
                self.turns.get(&(goal, target.to_owned(), profiler)).map_or(&[][..], Vec::as_slice)
            };
            ratios(of(peer), of(Profiler::Nothing), while_running).map(|ratio| stats::median(&ratio))
        };
        if goal == "P4" {
            return match target {
                STORM => Some((1.05, "<= 1.05".to_owned())),
                _ => Some((1.01, "<= 1.01".to_owned())),
            };
        }
        if self.languages.get(target) == Some(&Language::Python) {
            let limit = 1.0 + (median(Profiler::PySpy)? - 1.0) / 2.0;
            return Some((limit, format!("<= {limit:.3}, half of py-spy's")));
        }
        let limit = median(Profiler::PerfFramePointers)?;
        Some((limit, format!("<= {limit:.4}, perf fp's")))
    }
}

fn bare_row(table: &mut Table, goal: &'static str, target: &str, costs: &[Cost]) {
    let cpu = Values::new(costs.iter().map(|cost| cost.cpu).collect());
    let elapsed = Values::new(costs.iter().map(|cost| cost.elapsed).collect());
    let (Some(cpu), Some(elapsed)) = (cpu, elapsed) else { return };
    let mut text = format!("{:.3} s CPU, {:.3} s elapsed", stats::median(&cpu), stats::median(&elapsed));
    let rates = costs.iter().filter_map(|cost| Some(cost.switches? as f64 / cost.elapsed)).collect();
    if let Some(rates) = Values::new(rates) {
        text += &format!(", {:.0} switches/s", stats::median(&rates));
    }
    table.value(
        &Figure { goal, what: &format!("bare run of {target}"), who: "nothing" },
        text,
        cpu.n() as u64,
        None,
    );
}

/// Round by round, one over the other.
fn ratios(costs: &[Cost], bare: &[Cost], of: impl Fn(&Cost) -> f64) -> Option<Values> {
    Values::new(paired(costs, bare).map(|(cost, bare)| of(cost) / of(bare)).collect())
}

fn paired<'a>(costs: &'a [Cost], bare: &'a [Cost]) -> impl Iterator<Item = (&'a Cost, &'a Cost)> {
    costs.iter().filter_map(|cost| Some((cost, bare.iter().find(|bare| bare.round == cost.round)?)))
}

/// The part of the CPU time that grows with the run.
fn while_running(cost: &Cost) -> f64 {
    cost.cpu - cost.short
}

/// What does not grow: start, symbols, writing; and the whole.
fn rest_text(costs: &[Cost], bare: &[Cost]) -> String {
    let fixed = |cost: &Cost| cost.short - while_running(cost) / 3.0;
    let fixed =
        Values::new(paired(costs, bare).map(|(cost, bare)| 1e3 * (fixed(cost) - fixed(bare))).collect());
    let wall = ratios(costs, bare, |cost| cost.elapsed);
    let whole = ratios(costs, bare, |cost| cost.cpu);
    match (fixed, wall, whole) {
        (Some(fixed), Some(wall), Some(whole)) => format!(
            "{:+.0} ms once; whole {:.3}x, elapsed {:.3}x",
            stats::median(&fixed),
            stats::median(&whole),
            stats::median(&wall)
        ),
        _ => "-".to_owned(),
    }
}

fn bounds(ratio: &Values) -> String {
    let interval = stats::median_interval(ratio, 0.95);
    interval.map_or_else(|| "too few rounds".to_owned(), |i| format!("{:.4} to {:.4}", i.low, i.high))
}

/// P6.
const BYTES_A_HIT: f64 = 150.0;
const BYTES_A_SWITCH: f64 = 250.0;

fn kept_rows(table: &mut Table, target: &str, profiler: Profiler, costs: &[Cost], waits: bool) {
    let per = |kept: &Kept| {
        let count = if waits { kept.waits.unwrap_or(kept.hits) } else { kept.hits };
        (count > 0).then(|| kept.bytes as f64 / count as f64)
    };
    let Some(each) = Values::new(costs.iter().filter_map(|cost| per(cost.kept.as_ref()?)).collect()) else {
        return;
    };
    let unit = if waits { "switch" } else { "sample" };
    let what = format!("bytes a {unit} on disk, {target}");
    let figure = Figure { goal: "P6", what: &what, who: profiler.name() };
    let middle = stats::median(&each);
    let text = format!("{middle:.0} B");
    let n = each.n() as u64;
    // Only a storm has enough switches for the fixed part of a file not to count.
    if profiler == Profiler::Slowpath && (!waits || target == STORM) {
        let limit = if waits { BYTES_A_SWITCH } else { BYTES_A_HIT };
        table.goal(&figure, text, n, "-", &format!("<= {limit} B"), middle <= limit);
    } else {
        table.value(&figure, text, n, None);
    }
}

/// Counts what a profiler left. `None` for those whose files are not ours to read.
fn kept(profiler: Profiler, turn: &Turn) -> Option<Kept> {
    match profiler {
        Profiler::Slowpath => {
            let bytes = fs::read(turn.left.output.join(RECORDING)).ok()?;
            let recording: Recording = serde_json::from_reader(GzDecoder::new(bytes.as_slice())).ok()?;
            let (hits, waits) = (recording.hits.len() as u64, recording.waits.len() as u64);
            Some(Kept { bytes: bytes.len() as u64, hits, waits: Some(waits) })
        }
        Profiler::PerfFramePointers | Profiler::PerfDwarf | Profiler::PerfSwitches => {
            let bytes = fs::metadata(&turn.left.output).ok()?.len();
            Some(Kept { bytes, hits: perf_samples(&turn.left.output).ok()?, waits: None })
        }
        _ => None,
    }
}

/// How many samples a file of perf holds, as perf itself counts them.
fn perf_samples(file: &Path) -> Result<u64> {
    let mut perf = Command::new("perf");
    perf.args(["report", "--stats", "-i"]).arg(file);
    let printed = stdout_of(&mut perf)?;
    samples_of(&String::from_utf8_lossy(&printed)).context("perf counts no samples")
}

/// The line `SAMPLE events:   484  (97.3%)` of `perf report --stats`.
fn samples_of(printed: &str) -> Option<u64> {
    let line = printed.lines().find_map(|line| line.trim().strip_prefix("SAMPLE events:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perf_s_samples_are_read_from_its_statistics() {
        let printed = "Aggregated stats:\n           TOTAL events:        497\n          SAMPLE events:        484  (97.4%)\n";
        assert_eq!(samples_of(printed), Some(484));
        assert_eq!(samples_of("TOTAL events: 3"), None);
    }

    fn cost(cpu: f64) -> Cost {
        Cost {
            round: 1,
            short: cpu / 4.0,
            cpu,
            elapsed: cpu,
            kept: Some(Kept { bytes: 1_000, hits: 10, waits: Some(5) }),
            switches: None,
        }
    }

    #[test]
    fn slowpath_is_held_against_the_peer_of_the_same_rounds() {
        let mut costs = Costs::default();
        costs.languages.insert("Python".to_owned(), Language::Python);
        for (profiler, cpu) in [(Profiler::Nothing, 1.0), (Profiler::Slowpath, 1.04), (Profiler::PySpy, 1.10)]
        {
            costs.turns.insert(("P3", "Python".to_owned(), profiler), vec![cost(cpu); 6]);
        }
        let (limit, _) = costs.limit("P3", "Python", Profiler::Slowpath).unwrap();
        assert!((limit - 1.05).abs() < 1e-9);
        let mut table = Table::default();
        costs.rows(&mut table);
        let text = table.text();
        assert!(
            text.contains("1.0400x") && text.contains("half of py-spy's") && text.contains("100 B"),
            "{text}"
        );
    }
}
