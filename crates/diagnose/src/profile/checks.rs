//! The account against other witnesses, what the pass cost, and what could not be seen.

use model::answer::{Check, Overhead};
use model::recording::{Recording, Thread};
use model::{Gap, Nanos};

use super::Context;
use super::leaf::Charge;
use super::scene::Scene;
use super::thread::Time;

const ON_CPU: &str = "time on a CPU, all threads";

/// Every figure that two witnesses know.
pub(super) fn checks(scene: &Scene<'_>, context: &Context) -> Vec<Check> {
    let computing = |time: &Time| time.tally.of(Charge::Computing);
    let mut checks = Vec::new();
    if let Some(cpu) = context.cpu.or_else(|| context.user?.plus(context.system?)) {
        let ours = scene.times.iter().map(|time| whole_seconds(computing(time))).sum();
        checks.push(check(ON_CPU, "rusage", ours, cpu.as_secs_f64()));
    }
    if let Some(user) = context.user
        && let Some(ours) = user_seconds(scene)
    {
        checks.push(check("time in user mode, all threads", "rusage", ours, user.as_secs_f64()));
    }
    checks.extend(against(scene, ON_CPU, computing, |thread| thread.scheduler_on_cpu));
    let runnable = |time: &Time| {
        let leaves = [Charge::Preempted, Charge::Woken, Charge::Starting];
        leaves.iter().map(|charge| time.tally.of(*charge)).fold(0, u64::saturating_add)
    };
    checks.extend(against(scene, "time on a run queue, all threads", runnable, |thread| thread.queued));
    checks
}

fn user_seconds(scene: &Scene<'_>) -> Option<f64> {
    let user = |(thread, time): (u32, &Time)| scene.split.user(thread, time.tally.of(Charge::Computing));
    (0_u32..).zip(&scene.times).map(user).map(|nanos| nanos.map(whole_seconds)).sum()
}

/// Only threads that the scheduler was asked about are compared.
fn against(
    scene: &Scene<'_>,
    what: &str,
    ours: impl Fn(&Time) -> u64,
    theirs: impl Fn(&Thread) -> Option<Nanos>,
) -> Option<Check> {
    let both = scene.times.iter().zip(&scene.lives.recording.threads);
    let both: Vec<(f64, f64)> = both
        .filter_map(|(time, thread)| Some((whole_seconds(ours(time)), theirs(thread)?.as_secs_f64())))
        .collect();
    let sum = |of: fn(&(f64, f64)) -> f64| both.iter().map(of).sum();
    (!both.is_empty()).then(|| check(what, "schedstat", sum(|pair| pair.0), sum(|pair| pair.1)))
}

fn check(what: &str, against: &str, ours: f64, theirs: f64) -> Check {
    Check { what: what.to_owned(), against: against.to_owned(), ours_s: ours, theirs_s: theirs }
}

fn whole_seconds(nanos: u64) -> f64 {
    Nanos::from_nanos(nanos).as_secs_f64()
}

/// What recording cost the target: its wall and CPU time against runs without an instrument.
pub(super) fn overhead(recording: &Recording, context: &Context) -> Vec<Overhead> {
    let ratio = |pass: &str, ours: Option<Nanos>, baseline: Option<Nanos>| {
        let ratio = ours?.share_of(baseline?)?.0;
        Some(Overhead { pass: pass.to_owned(), ratio })
    };
    let wall = ratio("account", recording.wall, context.baseline_wall);
    let cpu = ratio("account, CPU time", context.cpu, context.baseline_cpu);
    wall.into_iter().chain(cpu).collect()
}

/// What was not seen, beside what the recorder said itself.
pub(super) fn gaps(scene: &Scene<'_>) -> Vec<Gap> {
    let (recording, mistrust) = (scene.lives.recording, scene.lives.mistrust);
    let mut gaps = recording.gaps.clone();
    let mut tell = |what: &str, count: u64, why: &str| {
        if count > 0 {
            gaps.push(Gap::new(what, format!("{count} {why}"), None));
        }
    };
    tell(
        "some waits",
        mistrust.waits_left_out,
        "waits name no thread, lie outside its life or have no length",
    );
    tell(
        "the exact length of some waits",
        mistrust.waits_clipped,
        "waits overlap another or their thread's end",
    );
    tell("some hits", mistrust.hits_left_out, "hits name no thread");
    tell("the life of some threads", mistrust.threads, "threads end before they begin");
    tell("some records", recording.losses.records, "records were lost by the kernel");
    if !scene.windows.always() {
        let watched = scene.windows.length(0, u64::MAX);
        let share = watched as f64 / scene.lives.end.max(1) as f64 * 100.0;
        let why = format!("too many switches: waits were recorded in {share:.0} % of the time and scaled");
        gaps.push(Gap::new("every wait", why, None));
    }
    gaps
}
