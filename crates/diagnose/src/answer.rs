//! Samples → why is it slow? Today: how long it takes, and how its first thread spent that time.

use model::answer::{Account, Answer, AnswerTarget, AnswerVerdict, Evidence, Leaf, Overhead, SCHEMA, Wall};
use model::manifest::{Manifest, SAMPLES};
use model::{Gap, Metric, Nanos, Sample};

use crate::pool::Pool;
use crate::summary::summary;

/// From this share of wall time on, a leaf names the kind of problem: at seven tenths, removing everything else
/// makes the program at most 1.4 times as fast.
const DOMINATES: f64 = 0.7;

/// Answers from the baseline runs. `None` without a run that counts.
#[must_use]
pub fn answer(manifest: &Manifest, samples: &[Sample], gaps: &[Gap]) -> Option<Answer> {
    let pool = Pool::of(samples, 0);
    let wall = summary(Metric::Wall, &pool.values(Metric::Wall)?);
    let account = account(&pool, wall.median);
    Some(Answer {
        schema: SCHEMA.to_owned(),
        run: manifest.id.clone(),
        target: AnswerTarget {
            argv: manifest.arms.first()?.target.argv.clone(),
            exit: pool.samples().last()?.ended,
        },
        wall: Wall {
            median_s: wall.median,
            low_s: wall.interval.map(|interval| interval.low),
            high_s: wall.interval.map(|interval| interval.high),
            n: wall.n,
        },
        verdict: verdict(account.as_ref(), &pool),
        evidence: evidence(&pool),
        gaps: gaps.iter().cloned().chain(blind_spots(account.is_some())).collect(),
        account: account.unwrap_or_else(unknown_account),
        // Nothing was attached to the runs that were timed.
        overhead: vec![Overhead { pass: "baseline".to_owned(), ratio: 1.0 }],
    })
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
    })
}

fn unknown_account() -> Account {
    Account {
        unit: "wall seconds of the first thread, median run".to_owned(),
        leaves: Vec::new(),
        unaccounted: 1.0,
    }
}

fn verdict(account: Option<&Account>, pool: &Pool<'_>) -> AnswerVerdict {
    let share = |prefix: &str| -> f64 {
        account.map_or(0.0, |account| {
            account.leaves.iter().filter(|leaf| leaf.leaf.starts_with(prefix)).map(|leaf| leaf.share).sum()
        })
    };
    let (on_cpu, runnable, blocked) = (share("on-cpu"), share("runnable"), share("blocked"));
    // Children and other threads can only stand in for the first thread while it waits.
    let helped = helpers_share(pool).unwrap_or(0.0).min(blocked);
    let (class, state, summary) = if account.is_none() {
        (None, "untestable", "this kernel does not tell how a thread spent its time".to_owned())
    } else if on_cpu >= DOMINATES {
        (Some("CPU"), "likely", format!("it computes: {:.0} % of wall time is on the CPU", on_cpu * 100.0))
    } else if on_cpu + helped >= DOMINATES {
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
    } else if blocked >= DOMINATES {
        (None, "untestable", format!("it waits: {:.0} % of wall time is blocked", blocked * 100.0))
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
        })
        .collect()
}

/// What the baseline alone cannot see.
fn blind_spots(accounted: bool) -> Vec<Gap> {
    let mut gaps = vec![
        Gap::new(
            "which function",
            "this version measures the program from outside only",
            Some("perf record -g -- CMD, or py-spy record -- CMD for Python"),
        ),
        Gap::new(
            "what it waited for",
            "this version does not look inside a wait",
            Some("strace -f -c -- CMD"),
        ),
    ];
    if !accounted {
        gaps.push(Gap::new("how the first thread spent its time", "/proc/PID/schedstat is not there", None));
    }
    gaps
}
