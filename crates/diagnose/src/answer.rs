//! Samples and a recording → why is it slow? How long it takes, where that time went, in which functions and waits.

use model::answer::{
    Account, Answer, AnswerTarget, AnswerVerdict, Evidence, Leaf, Overhead, Part, SCHEMA, State, Wall,
};
use model::manifest::{Manifest, Pass, SAMPLES};
use model::passes::Passes;
use model::profile::{Hotspot, Profile, WaitSite};
use model::sample::Counted;
use model::scale::Scale;
use model::{Gap, Metric, Nanos, Sample};

use crate::cause::{Facts, Inputs, Judgement, judge, place_words as words};
use crate::map::{Grounds, indicators};
use crate::pool::Pool;
use crate::profile::places::NO_STACK;
use crate::profile::words::RECORDER;
use crate::profile::{FEW_HITS, Study};
use crate::recorded::study_of;
use crate::summary::summary;

/// From this share of wall time on, a leaf names the kind of problem: at seven tenths, removing everything else
/// makes the program at most 1.4 times as fast.
const DOMINATES: f64 = 0.7;

/// Hotspots and waits that an answer names; the recording has the rest.
const NAMED: usize = 10;

/// Functions of the simulated machine that an answer names.
const NAMED_COSTS: usize = 5;

/// Answers from the baseline runs and the recorded one. `None` without a run that counts.
#[must_use]
pub fn answer(
    manifest: &Manifest,
    samples: &[Sample],
    counted: &[Counted],
    passes: &Passes,
    gaps: &[Gap],
) -> Option<Answer> {
    let pool = Pool::of(samples, 0);
    let pooled = match pool.values(Metric::Wall).map(|walls| summary(Metric::Wall, &walls)) {
        Some(wall) => Wall {
            median_s: wall.median,
            low_s: wall.interval.map(|interval| interval.low),
            high_s: wall.interval.map(|interval| interval.high),
            n: wall.n,
        },
        // Watched and not timed: the time that it was watched for.
        None => {
            let watched = passes.recording.as_ref().filter(|_| samples.is_empty())?.wall?;
            Wall { median_s: watched.as_secs_f64(), low_s: None, high_s: None, n: 0 }
        }
    };
    let wall_s = pooled.median_s;
    let study = passes.recording.as_ref().map(|recording| study_of(manifest, samples, recording, &[]));
    let scaling = crate::scale::scale(manifest, samples, counted, &[]);
    let mut judgement = judged(manifest, samples, passes, study.as_ref(), scaling.as_ref(), wall_s);
    // What this command has just done is no next step.
    if passes.simulated.is_some() {
        let is_new = |next: &String| !next.contains("--tier medium");
        judgement.hypotheses.iter_mut().for_each(|one| one.next = one.next.take().filter(is_new));
    }
    let indicators = indicators(&Grounds {
        findings: &judgement.findings,
        hypotheses: &judgement.hypotheses,
        scenario: manifest.scenario.as_ref(),
        wall: &pooled,
        passes,
        study: study.as_ref(),
    });
    let short = study.as_ref().and_then(too_short);
    let untold = study.as_ref().and_then(crate::lines::untold);
    let profile = study.map(|study| study.profile);
    let recorded = profile.as_ref().and_then(|profile| {
        let account = profile.account.as_ref()?;
        // A program that was watched only had the recorder beside it all the time.
        if samples.is_empty() { Some(account.clone()) } else { scaled(account, wall_s) }
    });
    let is_recorded = recorded.is_some();
    let account = recorded.or_else(|| account(&pool, wall_s));
    let seen = Seen::of(profile.as_ref(), short.is_some());
    let hits = profile.as_ref().filter(|_| is_recorded).map(|profile| profile.hits);
    let depth = crate::depth::depth(manifest, passes, profile.as_ref(), &judgement.findings);
    let mut answer = Answer {
        depth,
        schema: SCHEMA.to_owned(),
        run: manifest.id.clone(),
        target: AnswerTarget {
            argv: manifest.arms.first()?.target.argv.clone(),
            exit: pool.samples().last().map(|sample| sample.ended),
        },
        wall: pooled,
        verdict: found(&judgement).unwrap_or_else(|| verdict(account.as_ref(), &pool, &seen)),
        evidence: evidence(&pool).into_iter().chain(judgement.evidence).collect(),
        findings: judgement.findings,
        hypotheses: judgement.hypotheses,
        indicators,
        gaps: gaps
            .iter()
            .chain(seen.gaps)
            .chain(passes.calls.iter().flat_map(|calls| &calls.gaps))
            .chain(passes.heap.iter().flat_map(|heap| &heap.gaps))
            .chain(passes.simulated.iter().flat_map(|simulated| &simulated.gaps))
            .cloned()
            .chain(untold)
            .chain(blind_spots(account.is_some(), profile.is_some()))
            .chain(short)
            .chain(passes.recording.is_none().then(|| crate::unlike::gap(None, samples)).flatten())
            .collect(),
        account: account.unwrap_or_else(unknown_account),
        // Nothing was attached to the runs that were timed.
        overhead: (!samples.is_empty())
            .then(|| Overhead { pass: "baseline".to_owned(), ratio: 1.0 })
            .into_iter()
            .chain(seen.overhead.iter().cloned())
            .chain(traced(manifest, samples))
            .chain(simulated(passes))
            .collect(),
        hotspots: seen.hotspots.iter().take(NAMED).cloned().collect(),
        waits: seen.waits.iter().take(NAMED).cloned().collect(),
        scaling,
        // It lies in the run folder: whoever reads that adds it.
        suite: None,
        // Points need the growth: whoever adds that adds them.
        scorecard: None,
        simulated: passes.simulated.as_ref().and_then(|simulated| simulated.glance(NAMED_COSTS)),
    };
    crate::cause::asked::add(&mut answer, manifest.scenario.as_ref(), samples, hits);
    Some(answer)
}

/// The causes, judged on all that was recorded; nothing without a recording.
fn judged(
    manifest: &Manifest,
    samples: &[Sample],
    passes: &Passes,
    study: Option<&Study>,
    scaling: Option<&Scale>,
    wall_s: f64,
) -> Judgement {
    let Some((recording, study)) = passes.recording.as_ref().zip(study) else { return Judgement::default() };
    let facts = Facts::of(&Inputs {
        manifest,
        samples,
        wall_s,
        recording,
        study,
        source: passes.source.as_ref(),
        calls: passes.calls.as_ref(),
        code: &passes.code,
        heap: passes.heap.as_ref(),
        solo: passes.solo.as_ref(),
        runtime: passes.runtime.as_ref(),
        scaling,
        simulated: passes.simulated.as_ref(),
    });
    judge(&facts, Metric::TIMED.len() + 1)
}

/// The first finding is the verdict, unless it is a mere possibility.
fn found(judgement: &Judgement) -> Option<AnswerVerdict> {
    let first = judgement.findings.first().filter(|first| first.state != State::Possible)?;
    Some(AnswerVerdict {
        class: Some(first.class.clone()),
        cause: Some(first.cause.clone()),
        state: first.state.word().to_owned(),
        summary: first.summary.clone(),
    })
}

/// What tracing calls, watching the heap and asking the runtime cost the run that it was done to.
fn traced(manifest: &Manifest, samples: &[Sample]) -> Vec<Overhead> {
    let is_traced = |pass: &&Pass| matches!(pass.pass.as_str(), "calls" | "heap" | "runtime" | "functions");
    let passes = manifest.passes.iter().filter(is_traced);
    let all = passes.filter_map(|pass| Some(Overhead { pass: pass.pass.clone(), ratio: pass.ratio? }));
    all.filter(|one| crate::unlike::is_overhead(one.ratio, samples)).collect()
}

/// What each instrument of the deeper tiers cost the run that it was put under.
fn simulated(passes: &Passes) -> Vec<Overhead> {
    let instruments = passes.simulated.iter().flat_map(|simulated| &simulated.instruments);
    instruments.filter_map(|one| Some(Overhead { pass: one.name.clone(), ratio: one.ratio? })).collect()
}

/// What the recorded run adds; nothing when there was none.
#[derive(Default)]
struct Seen<'a> {
    recorded: bool,
    hotspots: &'a [Hotspot],
    waits: &'a [WaitSite],
    gaps: &'a [Gap],
    overhead: &'a [Overhead],
    /// Hits, where they are too few to say who computes.
    few: Option<u64>,
}

impl<'a> Seen<'a> {
    fn of(profile: Option<&'a Profile>, short: bool) -> Self {
        profile.map_or_else(Self::default, |profile| Self {
            recorded: profile.account.is_some(),
            hotspots: &profile.hotspots,
            waits: &profile.waits,
            gaps: &profile.gaps,
            overhead: &profile.overhead,
            few: short.then_some(profile.hits),
        })
    }
}

/// The recorded run's account in seconds of the median run: shares are the recording's, time is the baseline's.
fn scaled(recorded: &Account, median: f64) -> Option<Account> {
    let explained: f64 = recorded.leaves.iter().map(|leaf| leaf.seconds).sum();
    let whole = explained / (1.0 - recorded.unaccounted);
    // Nobody recorded the run that this is scaled to.
    let program = whole - recorded.leaves.iter().map(recorders).sum::<f64>();
    if !program.is_finite() || program <= 0.0 {
        return None;
    }
    let factor = median / program;
    let mut leaves: Vec<Leaf> =
        recorded.leaves.iter().map(|leaf| without_recorder(leaf, program, factor)).collect();
    leaves.retain(|leaf| leaf.seconds > 0.0);
    leaves.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    Some(Account {
        unit: format!("{}, scaled to the median run", recorded.unit),
        leaves,
        unaccounted: recorded.unaccounted * whole / program,
        ..recorded.clone()
    })
}

/// Seconds of a leaf that our recorder took.
fn recorders(leaf: &Leaf) -> f64 {
    leaf.parts.iter().filter(|part| part.what == RECORDER).map(|part| part.seconds).sum()
}

fn without_recorder(leaf: &Leaf, program: f64, factor: f64) -> Leaf {
    let seconds = leaf.seconds - recorders(leaf);
    let parts = leaf.parts.iter().filter(|part| part.what != RECORDER);
    let part = |part: &Part| Part { what: part.what.clone(), seconds: part.seconds * factor };
    Leaf {
        leaf: leaf.leaf.clone(),
        seconds: seconds * factor,
        share: seconds / program,
        parts: parts.map(part).collect(),
    }
}

/// The first thread's wall time by what it did, over all runs together, scaled to the median run.
fn account(pool: &Pool<'_>, median: f64) -> Option<Account> {
    let total = |of: fn(&Sample) -> Option<Nanos>| -> Option<f64> {
        pool.samples().iter().map(|sample| of(sample).map(Nanos::as_secs_f64)).sum()
    };
    let wall = total(|sample| Some(sample.wall))?;
    let on_cpu = total(|sample| Some(sample.main_thread?.on_cpu))?;
    let runnable = total(|sample| Some(sample.main_thread?.runnable))?;
    let (user, system) = (total(|sample| Some(sample.user))?, total(|sample| Some(sample.system))?);
    // The split into user and kernel is known for the whole tree only; the thread is taken to have the same one.
    let user_share = if user + system > 0.0 { user / (user + system) } else { 0.0 };
    // Clocks are read a few microseconds apart, so the sum may pass the whole by a hair.
    let blocked = (wall - on_cpu - runnable).max(0.0);
    let whole = on_cpu + runnable + blocked;
    let leaf = |leaf: &str, seconds: f64| Leaf {
        leaf: leaf.to_owned(),
        seconds: seconds / whole * median,
        share: seconds / whole,
        parts: Vec::new(),
    };
    (whole > 0.0).then(|| Account {
        unit: "wall seconds of the first thread, median run".to_owned(),
        leaves: vec![
            leaf("on-cpu/user", on_cpu * user_share),
            leaf("on-cpu/kernel", on_cpu * (1.0 - user_share)),
            leaf("runnable", runnable),
            leaf("blocked", blocked),
        ],
        unaccounted: 0.0,
        checks: Vec::new(),
    })
}

fn unknown_account() -> Account {
    Account {
        unit: "wall seconds of the first thread, median run".to_owned(),
        leaves: Vec::new(),
        unaccounted: 1.0,
        checks: Vec::new(),
    }
}

fn verdict(account: Option<&Account>, pool: &Pool<'_>, seen: &Seen<'_>) -> AnswerVerdict {
    let share = |prefix: &str| -> f64 {
        account.map_or(0.0, |account| {
            // An empty sum of floats is negative zero.
            account
                .leaves
                .iter()
                .filter(|leaf| leaf.leaf.starts_with(prefix))
                .fold(0.0, |sum, leaf| sum + leaf.share)
        })
    };
    let (on_cpu, runnable, blocked) = (share("on-cpu"), share("runnable"), share("blocked"));
    // Waiting for a CPU is the machine's doing: the program is judged by the rest.
    let own = (1.0 - runnable).max(f64::MIN_POSITIVE);
    // Children and other threads can only stand in for the first thread while it waits; a recording has charged them.
    let helped = if seen.recorded { 0.0 } else { helpers_share(pool).unwrap_or(0.0).min(blocked) };
    let (class, state, summary) = if account.is_none() {
        (None, "untestable", "this kernel does not tell how a thread spent its time".to_owned())
    } else if on_cpu / own >= DOMINATES && runnable < DOMINATES {
        let text = format!(
            "it computes: {:.0} % of wall time is on the CPU{}{}",
            on_cpu * 100.0,
            seen.few.map_or_else(|| hottest(seen.hotspots), few),
            crowded(runnable)
        );
        (Some("CPU"), "likely", text)
    } else if (on_cpu + helped) / own >= DOMINATES && runnable < DOMINATES {
        let text = format!(
            "it computes: {:.0} % of wall time is on the CPU, {:.0} % more in its children and threads",
            on_cpu * 100.0,
            helped * 100.0
        );
        (Some("CPU"), "likely", text)
    } else if runnable >= DOMINATES {
        let text = format!(
            "it waits for a CPU {:.0} % of the time: the machine is too busy to judge it",
            runnable * 100.0
        );
        (None, "untestable", text)
    } else if blocked / own >= DOMINATES {
        waiting(account, seen, blocked)
    } else {
        let text = format!(
            "mixed: {:.0} % on the CPU, {:.0} % waiting for a CPU, {:.0} % blocked",
            on_cpu * 100.0,
            runnable * 100.0,
            blocked * 100.0
        );
        (None, "possible", text)
    };
    AnswerVerdict { class: class.map(str::to_owned), cause: None, state: state.to_owned(), summary }
}

/// From this share on, other programs on the machine are part of the answer.
const CROWDED: f64 = 0.1;

fn crowded(runnable: f64) -> String {
    if runnable < CROWDED { String::new() } else { format!("; {:.0} % it waits for a CPU", runnable * 100.0) }
}

/// What is said instead of a place where too little was seen.
fn few(hits: u64) -> String {
    format!("; it was over after {hits} samples, too few to say where it computes")
}

/// The first place to look at, as the end of a sentence.
fn hottest(hotspots: &[Hotspot]) -> String {
    let Some(first) = hotspots.first() else { return String::new() };
    let place = first.project.as_ref().unwrap_or(&first.place);
    let share = first.own.value * 100.0;
    if first.place.function == NO_STACK {
        return format!("; what computes there was not seen in {share:.0} % of it");
    }
    match first.project {
        Some(_) => {
            format!(", {share:.0} % of that in `{}` called from {}", first.place.function, words(place))
        }
        None => format!(", {share:.0} % of that in {}", words(place)),
    }
}

/// What a program that waits waits for: the largest blocked leaf of the critical path.
fn waiting(
    account: Option<&Account>,
    seen: &Seen<'_>,
    blocked: f64,
) -> (Option<&'static str>, &'static str, String) {
    let leaf =
        account.and_then(|account| account.leaves.iter().find(|leaf| leaf.leaf.starts_with("blocked/")));
    let Some(leaf) = leaf else {
        return (None, "untestable", format!("it waits: {:.0} % of wall time is blocked", blocked * 100.0));
    };
    let class = match leaf.leaf.as_str() {
        "blocked/disk-read" | "blocked/disk-write" | "blocked/fault" => Some("I/O-File"),
        "blocked/network" => Some("I/O-Network"),
        "blocked/lock" => Some("Lock"),
        "blocked/sleep" => Some("Architecture"),
        _ => None,
    };
    let site = seen
        .waits
        .iter()
        .filter(|site| site.leaf == leaf.leaf)
        .max_by(|a, b| a.critical_s.total_cmp(&b.critical_s));
    let place = site.and_then(|site| site.place.as_ref()).map(|place| format!(", in {}", words(place)));
    let kind = leaf.leaf.trim_start_matches("blocked/").replace('-', " ");
    let text = format!(
        "it waits: {:.0} % of wall time is blocked, {:.0} % on {kind}{}",
        blocked * 100.0,
        leaf.share * 100.0,
        place.unwrap_or_default()
    );
    (class, if class.is_some() { "likely" } else { "possible" }, text)
}

/// CPU time of everything but the first thread, as a share of wall time. `None` where it is not known.
fn helpers_share(pool: &Pool<'_>) -> Option<f64> {
    let mut helpers = 0.0;
    let mut wall = 0.0;
    for sample in pool.samples() {
        helpers += sample.cpu()?.as_secs_f64() - sample.main_thread?.on_cpu.as_secs_f64();
        wall += sample.wall.as_secs_f64();
    }
    (wall > 0.0).then_some(helpers / wall)
}

fn evidence(pool: &Pool<'_>) -> Vec<Evidence> {
    let measured =
        Metric::TIMED.iter().filter_map(|metric| Some((*metric, summary(*metric, &pool.values(*metric)?))));
    measured
        .enumerate()
        .map(|(index, (metric, summary))| Evidence {
            id: format!("e{}", index + 1),
            metric: metric.name().to_owned(),
            value: summary.median,
            low: summary.interval.map(|interval| interval.low),
            high: summary.interval.map(|interval| interval.high),
            unit: match summary.unit {
                model::Unit::Seconds => "s",
                model::Unit::Bytes => "B",
                model::Unit::One => "1",
            }
            .to_owned(),
            n: summary.n,
            artifact: SAMPLES.to_owned(),
            source: if metric == Metric::Wall { "monotonic clock" } else { "kernel, at its end" }.into(),
            // Of the whole tree, from the first instruction to the last.
            coverage: Some(1.0),
        })
        .collect()
}

/// A run that was over before enough was seen of where it computes.
fn too_short(study: &Study) -> Option<Gap> {
    study.is_too_short().then(|| {
        let samples = study.profile.hits;
        let why = format!("the recorded run was over after {samples} samples; shares need {FEW_HITS} or more");
        let next = "give it more work, or have it done again and again: `slowpath --shell -- 'for i in 1 2 3 4 5 6 7 8 9; do COMMAND; done'`";
        Gap::new("where it computes", why, Some(next))
    })
}

/// What the baseline alone cannot see.
fn blind_spots(accounted: bool, recorded: bool) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if !recorded {
        gaps.push(Gap::new(
            "which function, and what it waited for",
            "no run was recorded",
            Some("leave --no-record out"),
        ));
    }
    if !accounted {
        gaps.push(Gap::new("how the first thread spent its time", "/proc/PID/schedstat is not there", None));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorders_time_is_not_the_programs() {
        let part = |what: &str, seconds: f64| Part { what: what.to_owned(), seconds };
        let leaf = |leaf: &str, seconds: f64, parts: Vec<Part>| Leaf {
            leaf: leaf.to_owned(),
            seconds,
            share: seconds / 2.0,
            parts,
        };
        let recorded = Account {
            unit: "seconds".to_owned(),
            leaves: vec![
                leaf("on-cpu/kernel", 1.2, vec![part("read", 0.6), part(RECORDER, 0.6)]),
                leaf("on-cpu/user", 0.8, Vec::new()),
            ],
            unaccounted: 0.0,
            checks: Vec::new(),
        };
        let account = scaled(&recorded, 0.7).unwrap();
        let told: Vec<(&str, f64, f64)> =
            account.leaves.iter().map(|leaf| (leaf.leaf.as_str(), leaf.seconds, leaf.share)).collect();
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(
            told[0].0 == "on-cpu/user" && close(told[0].1, 0.4) && close(told[0].2, 0.8 / 1.4),
            "{told:?}"
        );
        assert!(close(told[1].1, 0.3) && close(told.iter().map(|one| one.2).sum(), 1.0), "{told:?}");
        assert!(account.leaves.iter().all(|leaf| leaf.parts.iter().all(|part| part.what != RECORDER)));
    }
}
