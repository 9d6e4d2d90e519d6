//! The account against other witnesses, what the pass cost, and what could not be seen.

use model::answer::{Check, Overhead};
use model::doctor::Level;
use model::leaf::Charge;
use model::recording::{Recording, Source, Thread};
use model::{Gap, Nanos};

use super::Context;
use super::places::Places;
use super::scene::Scene;
use super::thread::Time;
use super::weights::Weights;

const ON_CPU: &str = "time on a CPU, all threads";

/// By the switches alone …
const SWITCHED: &str = "time on a CPU by switches, all threads";

/// … which miss what the scheduler does not.
const ACCOUNTED: &str = "schedstat (which the account uses)";

const WAITED_FOR: &str = "rusage (children that were waited for)";

/// Every figure that two witnesses know.
pub(super) fn checks(scene: &Scene<'_>, context: &Context) -> Vec<Check> {
    let computing = |time: &Time| time.tally.of(Charge::Computing);
    let mut checks = Vec::new();
    let counted = counted_by_rusage(scene.lives.recording);
    let rusage = if scene.lives.recording.processes.len() > 1 { WAITED_FOR } else { "rusage" };
    if let Some(cpu) = context.cpu.or_else(|| context.user?.plus(context.system?)) {
        let counted = scene.times.iter().zip(&counted).filter(|(_, counted)| **counted);
        let ours = counted.map(|(time, _)| whole_seconds(computing(time))).sum();
        checks.push(check(ON_CPU, rusage, ours, cpu.as_secs_f64()));
    }
    if let Some(user) = context.user.filter(|_| !scene.split.counted_alone)
        && let Some(ours) = user_seconds(scene, &counted)
    {
        checks.push(check("time in user mode, all threads", rusage, ours, user.as_secs_f64()));
    }
    // The account has taken over what the scheduler knows better; a witness is not held against itself. In a storm
    // nobody else counted.
    if scene.lives.windows.always() {
        let switched = scene.lives.lives.iter().map(|life| life.switched);
        let check = against(scene, SWITCHED, switched, |thread| thread.scheduler_on_cpu);
        checks.extend(check.map(|check| Check {
            against: if check.theirs_s > check.ours_s { ACCOUNTED.to_owned() } else { check.against },
            ..check
        }));
    }
    let runnable = scene.times.iter().map(|time| {
        let leaves = [Charge::Preempted, Charge::Woken, Charge::Starting];
        leaves.iter().map(|charge| time.tally.of(*charge)).fold(0, u64::saturating_add)
    });
    if scene.outside.idle == 0.0 {
        checks.extend(against(scene, "time on a run queue, all threads", runnable, |thread| thread.queued));
    }
    checks.retain(|check| check.ours_s.max(check.theirs_s) >= LEAST);
    checks
}

/// Seconds below which two witnesses cannot be held against each other: a switch is told up to 30 µs late.
const LEAST: f64 = 0.000_1;

/// For each thread, whether rusage can know of it: a child's time is added when its parent waits for it, which one that
/// lived longer was not. Whether the others were waited for nobody saw.
fn counted_by_rusage(recording: &Recording) -> Vec<bool> {
    let mut known: Vec<bool> = Vec::with_capacity(recording.processes.len());
    for (index, process) in (0_u32..).zip(&recording.processes) {
        let parent = process.parent.filter(|parent| *parent < index);
        let of_parent = parent.and_then(|parent| recording.processes.get(parent as usize));
        let outlived = match (of_parent.and_then(|parent| parent.to), process.to) {
            (Some(parent), Some(own)) => own > parent,
            (_, None) => of_parent.is_some(),
            (None, Some(_)) => false,
        };
        let parent_known = parent.and_then(|parent| known.get(parent as usize)).copied().unwrap_or(true);
        known.push(parent_known && !outlived);
    }
    let of_thread = |thread: &Thread| known.get(thread.process as usize).copied().unwrap_or(true);
    recording.threads.iter().map(of_thread).collect()
}

fn user_seconds(scene: &Scene<'_>, counted: &[bool]) -> Option<f64> {
    let user = |(thread, time): (u32, &Time)| scene.split.user(thread, time.tally.of(Charge::Computing));
    let counted = (0_u32..).zip(&scene.times).zip(counted).filter(|(_, counted)| **counted);
    counted.map(|(thread, _)| user(thread)).map(|nanos| nanos.map(whole_seconds)).sum()
}

/// Threads that end so close to the main one were asked about to their end.
const DYING: u64 = 10_000_000;

/// Only threads that the scheduler was asked about are compared; in a program that is watched, and where /proc is all there
/// is, those that last: it was asked about the others some time before their end.
fn against(
    scene: &Scene<'_>,
    what: &str,
    ours: impl Iterator<Item = u64>,
    theirs: impl Fn(&Thread) -> Option<Nanos>,
) -> Option<Check> {
    let lives = scene.lives;
    let end = scene.first.and_then(|first| lives.life(first)).map_or(0, |main| main.to);
    let lasts = |thread: u32| lives.life(thread).is_some_and(|life| life.to.saturating_add(DYING) >= end);
    let both = (0_u32..).zip(ours.zip(&lives.recording.threads));
    let late = scene.watched || matches!(lives.recording.source, Source::Slowpath(Level::D));
    let both = both.filter(|(thread, _)| !late || lasts(*thread)).map(|(_, pair)| pair);
    // Of who was hidden the scheduler alone knows.
    let both: Vec<(f64, f64)> = both
        .filter(|(_, thread)| thread.out_of_sight.is_none())
        .filter_map(|(ours, thread)| Some((whole_seconds(ours), theirs(thread)?.as_secs_f64())))
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

/// What the kernel did for the recorder in the target's time. It makes every call longer that is told.
pub(super) fn overhead_in_kernel(places: &Places<'_>, weights: &Weights) -> Option<Overhead> {
    let hits = places.views.iter().zip(&weights.own);
    let ours = hits.filter(|(view, _)| places.is_recorder(view.function));
    let ours = weights.share(ours.fold(0, |sum, (_, own)| own.saturating_add(sum)));
    (TOLD..1.0)
        .contains(&ours)
        .then(|| Overhead { pass: "recorder's work in the kernel".to_owned(), ratio: 1.0 / (1.0 - ours) })
}

/// From this share of CPU time on it is said whose nobody knows, and what recording cost in the kernel.
const TOLD: f64 = 0.01;

/// CPU time of which nobody saw where it was spent. It is no function's, so no hotspot stands for it.
pub(super) fn without_stack(weights: &Weights) -> Option<Gap> {
    let share = weights.share(weights.bare.0);
    let why = format!("of {:.0} % of the CPU time nobody saw the stack", share * 100.0);
    let next = "run `slowpath doctor` to see which events are granted";
    (share >= TOLD).then(|| Gap::new("all functions that computed", why, Some(next)))
}

/// Further from what the kernel counted than this, time on the CPU says little: checks that agree differ by 3 %.
const ADRIFT: f64 = 0.2;

/// Below this differences have no reason that could be told, in seconds.
const SHORT: f64 = 0.05;

/// Why time on the CPU is not what the kernel counted, where that is known.
pub(super) fn adrift(checks: &[Check], recording: &Recording) -> Option<Gap> {
    let counted = checks.iter().find(|check| check.what == ON_CPU && check.against.starts_with("rusage"))?;
    let Check { ours_s: ours, theirs_s: theirs, .. } = *counted;
    if (ours - theirs).abs() < SHORT.max(ADRIFT * theirs) {
        return None;
    }
    let (why, next) = match &recording.source {
        Source::Slowpath(Level::D) if ours < theirs => (
            "what threads did that came and went between two looks at /proc was not seen",
            "record with perf events: `slowpath doctor` tells how to get them",
        ),
        Source::Slowpath(Level::D) => (
            "there were too many threads to look at each often: how they shared the CPUs between looks is a guess",
            "record with perf events: `slowpath doctor` tells how to get them",
        ),
        Source::Slowpath(_) if recording.losses.records > 0 => (
            "with the records that the kernel lost, it is not known when threads left their CPU",
            "record with fewer threads at a time, or with more CPUs left for the recorder",
        ),
        _ => return None,
    };
    let why = format!("{ours:.2} s of it stand in the account where rusage counted {theirs:.2} s: {why}");
    Some(Gap::new("exact time on the CPU", why, Some(next)))
}

/// What was not seen, beside what the recorder said itself.
pub(super) fn gaps(scene: &Scene<'_>) -> Vec<Gap> {
    let (recording, mistrust) = (scene.lives.recording, scene.lives.mistrust);
    let mut gaps = recording.gaps.clone();
    let mut tell = |what: &str, count: u64, (one, several): (&str, &str)| {
        if count > 0 {
            gaps.push(Gap::new(what, format!("{count} {}", if count == 1 { one } else { several }), None));
        }
    };
    tell(
        "some waits",
        mistrust.waits_left_out,
        (
            "wait names no thread, lies outside its life or has no length",
            "waits name no thread, lie outside its life or have no length",
        ),
    );
    tell(
        "the exact length of some waits",
        mistrust.waits_clipped,
        ("wait overlaps another or its thread's end", "waits overlap another or their thread's end"),
    );
    tell("some hits", mistrust.hits_left_out, ("hit names no thread", "hits name no thread"));
    tell(
        "the life of some threads",
        mistrust.threads,
        ("thread ends before it begins", "threads end before they begin"),
    );
    tell(
        "some records",
        recording.losses.records,
        ("record was lost by the kernel", "records were lost by the kernel"),
    );
    if !scene.lives.windows.always() {
        let watched = scene.lives.windows.watched(0, u64::MAX);
        let share = watched as f64 / scene.lives.end.max(1) as f64 * 100.0;
        let why = format!("too many switches: waits were recorded in {share:.0} % of the time and scaled");
        gaps.push(Gap::new("every wait", why, None));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use model::recording::Weight;

    use super::*;

    #[test]
    fn time_on_the_cpu_that_is_far_from_what_the_kernel_counted_has_its_reason_told() {
        let gap = |level, lost, ours, theirs| {
            let mut recording = Recording::new(Source::Slowpath(level), Weight::CpuTime);
            recording.losses.records = lost;
            adrift(&[check(ON_CPU, "rusage", ours, theirs)], &recording).map(|gap| gap.why)
        };
        assert!(gap(Level::D, 0, 3.38, 5.51).unwrap().contains("between two looks"));
        assert!(gap(Level::D, 0, 8.0, 5.51).unwrap().contains("a guess"));
        assert!(gap(Level::C, 12_730, 46.2, 2.39).unwrap().contains("records that the kernel lost"));
        assert_eq!(gap(Level::C, 0, 46.2, 2.39), None, "no reason is known");
        assert_eq!(gap(Level::D, 0, 5.3, 5.51), None);
        assert_eq!(gap(Level::D, 0, 0.01, 0.03), None);
    }
}
