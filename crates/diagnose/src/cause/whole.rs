//! The run as a whole, as a subject.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::{ThreadAccount, WaitSite};
use model::recording::{Frame, Hit, Language, Owner, Process, Recording};
use model::{Metric, Nanos};

use super::Kind;
use super::facts::{Inputs, exact};
use super::subject::Subject;
use crate::pool::Pool;

const ACCOUNT: (&str, &str) = (model::recording::RECORDING, "recorder");
const SAMPLES: (&str, &str) = (model::manifest::SAMPLES, "kernel, at its end");

/// A thread that computes less than this share of wall time takes no part in the work.
const WORKER: f64 = 0.05;

/// Of many threads that share few CPUs each gets this share of wall time at least.
const CROWD: f64 = 0.01;

/// A team that computes less than this share of wall time does not decide how long the run takes.
const TEAM: f64 = 0.5;

/// Share of wall time in a queue behind nobody knows whom, from which on nothing is said of who that was.
const UNKNOWN: f64 = 0.05;

/// Of the CPU time of a team, what one member must have for the others to count as idle.
pub(super) const ONE: f64 = 0.95;

pub(super) fn subject(inputs: &Inputs<'_>) -> Subject {
    let place = inputs.study.spots.first().map(|spot| spot.place.clone());
    let mut subject = Subject::new(Kind::Whole, place, exact(1.0));
    let profile = &inputs.study.profile;
    let wall = profile.wall_s.unwrap_or(inputs.wall_s).max(f64::MIN_POSITIVE);
    subject.number("wall", 1.0, "1", ACCOUNT);
    let busy: f64 = profile.threads.iter().map(on_cpu).sum();
    subject.number("cpus", busy / wall, "", ACCOUNT);
    if let Some(cpus) = inputs.manifest.fingerprint.machine.cpus_present {
        subject.number("cpus.present", f64::from(cpus), "count", SAMPLES);
    }
    let own = own_threads(inputs.recording);
    let runs_own = |thread: &ThreadAccount| own.contains(&(thread.pid, thread.tid));
    let workers: Vec<&ThreadAccount> =
        profile.threads.iter().filter(|thread| on_cpu(thread) >= WORKER * wall && runs_own(thread)).collect();
    note_queue(&mut subject, inputs);
    note_team(&mut subject, inputs, wall);
    note_machine(&mut subject, inputs, wall);
    note_children(&mut subject, inputs);
    note_parallel(&mut subject, inputs, wall, &workers);
    super::resident::note(&mut subject, inputs);
    super::collector::note(&mut subject, inputs, wall);
    super::handed::note(&mut subject, inputs, wall);
    subject
}

/// For each stack, whether a frame of it is one of these.
pub(super) fn below(recording: &Recording, wanted: impl Fn(&Frame) -> bool) -> Vec<bool> {
    let mut below: Vec<bool> = Vec::with_capacity(recording.nodes.len());
    for node in &recording.nodes {
        let here = recording.frames.get(node.frame as usize).is_some_and(&wanted);
        let caller = node.parent.and_then(|parent| below.get(parent as usize).copied()).unwrap_or(false);
        below.push(here || caller);
    }
    below
}

/// Hits in stacks with such a function.
pub(super) fn hits_below(
    recording: &Recording,
    wanted: impl Fn(&Frame) -> bool,
) -> impl Iterator<Item = &Hit> {
    let below = below(recording, wanted);
    let is_below = move |stack: u32| below.get(stack as usize) == Some(&true);
    recording.hits.iter().filter(move |hit| hit.stack.is_some_and(&is_below))
}

/// Share of all time on a CPU in stacks with such a function.
pub(super) fn share_below(recording: &Recording, wanted: impl Fn(&Frame) -> bool) -> f64 {
    let all: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    let below: u64 = hits_below(recording, wanted).map(|hit| hit.weight).sum();
    below as f64 / all.max(1) as f64
}

/// Seconds that a thread was on a CPU.
pub(super) fn on_cpu(thread: &ThreadAccount) -> f64 {
    let leaves = thread.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("on-cpu"));
    leaves.fold(0.0, |sum, leaf| sum + leaf.share) * length(thread)
}

/// Threads most of whose hits are below the user's own code: compilers and collectors of a runtime are not.
pub(super) fn own_threads(recording: &Recording) -> BTreeSet<(u32, u32)> {
    let below = below(recording, |frame| frame.owner == Owner::Project);
    let mut weights = vec![(0_u64, 0_u64); recording.threads.len()];
    for hit in &recording.hits {
        let is_own = hit.stack.and_then(|stack| below.get(stack as usize).copied()).unwrap_or(false);
        if let Some((own, all)) = weights.get_mut(hit.thread as usize) {
            *all = all.saturating_add(hit.weight);
            *own = own.saturating_add(if is_own { hit.weight } else { 0 });
        }
    }
    let chosen = recording.threads.iter().zip(weights).filter(|(_, (own, all))| *own > all / 2);
    // Their stacks may seem to come through code that a virtual machine made.
    let chosen = chosen.filter(|(thread, _)| !is_collector(&thread.name) && !is_compiler(&thread.name));
    chosen
        .filter_map(|(thread, _)| Some((recording.processes.get(thread.process as usize)?.pid, thread.tid)))
        .collect()
}

/// Python code ran in an interpreter whose functions nothing names.
pub(super) fn is_opaque(recording: &Recording) -> bool {
    let python = recording.frames.iter().any(|frame| frame.language == Language::Python);
    let is_interpreter = |module: Option<u32>| {
        let module = module.and_then(|module| recording.modules.get(module as usize));
        module
            .is_some_and(|module| module.path.rsplit('/').next().is_some_and(|name| name.contains("python")))
    };
    python && recording.frames.iter().any(|frame| frame.function.is_none() && is_interpreter(frame.module))
}

/// The interpreter itself tells when it collects.
pub(super) fn shows_collector(recording: &Recording) -> bool {
    recording.processes.iter().any(|process| process.shows_collector)
}

/// Go moves its tasks from thread to thread, so what one thread computed means nothing.
fn moves_tasks(recording: &Recording) -> bool {
    recording.frames.iter().any(|frame| frame.language == Language::Go && frame.owner == Owner::Project)
}

pub(super) fn length(thread: &ThreadAccount) -> f64 {
    thread.to.minus(thread.from).unwrap_or(Nanos::ZERO).as_secs_f64()
}

/// Threads that runtimes collect garbage with.
pub(super) fn is_collector(name: &str) -> bool {
    ["GC Thread", "G1 ", "VM Thread", "ZWorker", "Shenandoah"].iter().any(|begin| name.starts_with(begin))
}

/// Threads that virtual machines compile with.
fn is_compiler(name: &str) -> bool {
    ["C1 Compiler", "C2 Compiler", "Sweeper", "VM Periodic"].iter().any(|begin| name.starts_with(begin))
}

/// Who held the CPU that the critical path waited for.
fn note_queue(subject: &mut Subject, inputs: &Inputs<'_>) {
    let Some(account) = &inputs.study.profile.account else { return };
    let wall = inputs.study.profile.wall_s.unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let runnable = || account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("runnable"));
    let held_by = |whom: &str| {
        let parts = runnable().flat_map(|leaf| &leaf.parts).filter(|part| part.what.starts_with(whom));
        parts.fold(0.0, |sum, part| sum + part.seconds / wall)
    };
    let (own, mut others, unknown) = (held_by("own"), held_by("neighbours"), held_by("rival not known"));
    let busy = inputs.study.profile.threads.iter().filter(|thread| on_cpu(thread) >= CROWD * wall).count();
    match busy {
        // A thread alone does not stand in its own way.
        0 | 1 => others += unknown,
        _ if unknown >= UNKNOWN && unknown > own + others => return,
        _ => {}
    }
    subject.number("queue.own", own, "1", ACCOUNT);
    subject.number("queue.others", others, "1", ACCOUNT);
}

fn note_machine(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let run = inputs.recording.run.as_ref();
    if let Some(throttled) = run.and_then(|run| run.covariates.throttled) {
        subject.number("throttled", throttled.as_secs_f64() / wall, "1", SAMPLES);
    }
    let cpus = inputs.manifest.fingerprint.machine.cpus_present.map_or(1.0, f64::from);
    if let Some(steal) = run.and_then(|run| run.covariates.steal) {
        subject.number("steal", steal.as_secs_f64() / (wall * cpus), "1", SAMPLES);
    }
}

/// How evenly the threads that do the same share it, and what more CPUs could take over.
fn note_team(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    // Go moves its tasks from thread to thread, so what one thread computed means nothing.
    if moves_tasks(inputs.recording) {
        return;
    }
    let Some(team) = super::team::team(inputs.recording, inputs.study) else { return };
    let members = team.busy.len();
    subject.number("threads.team", members as f64, "count", ACCOUNT);
    subject.word("count", members.to_string());
    // On a busy machine the team is judged by the time that it had.
    let had = 1.0 - subject.value("queue.others").unwrap_or(0.0).clamp(0.0, 0.95);
    if team.total() >= TEAM * wall * had {
        subject.number("threads.one", team.busiest(), "1", ACCOUNT);
        subject.number("threads.uneven", team.busiest() * members as f64, "x", ACCOUNT);
    }
    if let Some(cpus) = inputs.manifest.fingerprint.machine.cpus_present {
        let hands = f64::from(cpus).min(members as f64).max(1.0);
        let used = subject.value("cpus").unwrap_or(hands);
        subject.number("parallel.part", (1.0 - used / hands).max(0.0), "1", ACCOUNT);
    }
    for cause in ["single-thread-bound", "poor-parallelism", "oversubscription"] {
        subject.instead.insert(cause, team.entry.clone());
    }
}

/// Threads of a runtime's own, which collect and compile beside the program: nobody has set their number.
fn helpers(recording: &Recording) -> BTreeSet<(u32, u32)> {
    let is_run = |language: Language| is_managed(language) || language == Language::Python;
    let of_program = below(recording, |frame| frame.owner == Owner::Project || is_run(frame.language));
    let of_runtime = below(recording, |frame| frame.owner == Owner::Runtime);
    let is = |known: &[bool], stack: Option<u32>| {
        stack.and_then(|stack| known.get(stack as usize).copied()).unwrap_or(false)
    };
    let mut seen = vec![(false, false); recording.threads.len()];
    for hit in &recording.hits {
        if let Some((program, runtime)) = seen.get_mut(hit.thread as usize) {
            *program |= is(&of_program, hit.stack);
            *runtime |= is(&of_runtime, hit.stack);
        }
    }
    let chosen = recording.threads.iter().zip(seen).filter(|(_, (program, runtime))| *runtime && !program);
    chosen
        .filter_map(|(thread, _)| Some((recording.processes.get(thread.process as usize)?.pid, thread.tid)))
        .collect()
}

/// Threads that wait for Python's own lock for this part of wall time together have their turns held up by each other; whoever
/// comes back from a call now and then waits for less.
const QUEUEING: f64 = 0.1;

/// Threads that were seen to wait for the lock of their interpreter until another one gave it up. In a short run that is known
/// before looks tell who has it.
fn queueing(waits: &[WaitSite], wall: f64) -> usize {
    let wants = || waits.iter().filter(|site| super::known::wants_interpreter(site));
    let waited: f64 = wants().map(|site| site.seconds).sum();
    let turns = wants().map(|site| site.threads).max();
    if waited >= QUEUEING * wall { turns.unwrap_or(0) as usize } else { 0 }
}

/// Threads against CPUs.
fn note_parallel(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64, workers: &[&ThreadAccount]) {
    let cpus = inputs.manifest.fingerprint.machine.cpus_present.map_or(1.0, f64::from);
    // Each process has an interpreter of its own.
    let mut turns: BTreeMap<u32, usize> = BTreeMap::new();
    for thread in workers.iter().filter(|thread| thread.interpreter_lock.is_some()) {
        *turns.entry(thread.pid).or_default() += 1;
    }
    let turns = turns
        .into_values()
        .max()
        .unwrap_or(0)
        .max(queueing(&inputs.study.profile.waits, wall).min(workers.len()));
    subject.number("threads.taking-turns", turns as f64, "count", ACCOUNT);
    if let Some(one) = subject.value("threads.one") {
        let bound = turns >= 2 || one >= ONE;
        subject.number("threads.turns-or-one", f64::from(u8::from(bound)), "yes", ACCOUNT);
    }
    let share = |thread: &ThreadAccount, prefixes: &[&str]| {
        let leaves = &thread.account.leaves;
        let wanted = leaves.iter().filter(|leaf| prefixes.iter().any(|prefix| leaf.leaf.starts_with(prefix)));
        wanted.fold(0.0, |sum, leaf| sum + leaf.share) * length(thread)
    };
    let helpers = helpers(inputs.recording);
    let threads = inputs.study.profile.threads.iter();
    let threads = threads.filter(|thread| !helpers.contains(&(thread.pid, thread.tid)));
    let crowd: Vec<&ThreadAccount> =
        threads.filter(|thread| share(thread, &["on-cpu"]) >= CROWD * wall).collect();
    subject.number("threads.crowd", crowd.len() as f64 / cpus, "x", ACCOUNT);
    let wanting = crowd.iter().fold(0.0, |sum, thread| sum + share(thread, &["on-cpu", "runnable"]));
    subject.number("threads.wanting", wanting / wall, "", ACCOUNT);
    let pool = Pool::of(inputs.samples, 0);
    if let (Some(cpu), Some(plain)) = (pool.median(Metric::Cpu), pool.median(Metric::Wall)) {
        subject.number("cpus.used", cpu / plain.max(f64::MIN_POSITIVE), "", SAMPLES);
    }
    if let Some(account) = &inputs.study.profile.account {
        let kernel = account.leaves.iter().filter(|leaf| leaf.leaf == "on-cpu/kernel");
        let switching = kernel.flat_map(|leaf| &leaf.parts).filter(|part| {
            super::facts::kernel_metric(part.what.split(" (").next().unwrap_or_default()) == "kernel.sync"
        });
        let switching = switching.fold(0.0, |sum, part| sum + part.seconds) / wall;
        subject.number("threads.switching", switching, "1", ACCOUNT);
        let own = subject.value("queue.own").unwrap_or(0.0);
        subject.number("queue.part", (own + switching).min(1.0), "1", ACCOUNT);
    }
    if let Some(run) = &inputs.recording.run {
        let switches = run.involuntary_switches.0.saturating_add(run.voluntary_switches.0);
        subject.number("switches", switches as f64 / wall / cpus, "/s", SAMPLES);
    }
}

pub(super) fn note_children(subject: &mut Subject, inputs: &Inputs<'_>) {
    let processes = &inputs.recording.processes;
    // What a wrapper starts before it becomes the program is over when the program begins.
    let begun = processes.first().and_then(|first| first.loaded).unwrap_or(Nanos::ZERO);
    let own = || processes.iter().skip(1).filter(|process| process.from >= begun);
    let children = own().count();
    subject.number("children", children as f64, "count", ACCOUNT);
    subject.word("children", format!("{children} processes"));
    if let Some(busiest) = busiest(inputs.recording, begun) {
        subject.number("children.busiest", busiest, "1", ACCOUNT);
    }
    let lives: Vec<f64> =
        own().filter_map(|process| Some(process.to?.minus(process.from)?.as_secs_f64())).collect();
    let all = lives.iter().sum::<f64>();
    // What waits for most of its life costs that, not its start.
    let waited = waited(inputs, processes.first().map(|first| first.pid));
    if !lives.is_empty() && waited < all / 2.0 {
        let mean = all / lives.len() as f64;
        subject.number("children.mean", mean, "s", ACCOUNT);
    }
}

/// What the busiest of the processes that began since computes, against all of them.
fn busiest(recording: &Recording, begun: Nanos) -> Option<f64> {
    let mut computed: BTreeMap<u32, f64> = BTreeMap::new();
    for thread in &recording.threads {
        let begins = |process: &Process| process.from >= begun;
        if thread.process > 0 && recording.processes.get(thread.process as usize).is_some_and(begins) {
            *computed.entry(thread.process).or_default() += thread.on_cpu?.as_secs_f64();
        }
    }
    let all = computed.values().sum::<f64>();
    computed.into_values().max_by(f64::total_cmp).filter(|_| all > 0.0).map(|busiest| busiest / all)
}

/// Seconds in which threads of other processes than the first slept, or waited for peers or the disk.
fn waited(inputs: &Inputs<'_>, first: Option<u32>) -> f64 {
    const WAITS: [&str; 4] = ["blocked/sleep", "blocked/network", "blocked/disk", "blocked/poll"];
    let others = inputs.study.profile.threads.iter().filter(|thread| Some(thread.pid) != first);
    let leaves = others.flat_map(|thread| &thread.account.leaves);
    let waits = leaves.filter(|leaf| WAITS.iter().any(|begin| leaf.leaf.starts_with(begin)));
    waits.map(|leaf| leaf.seconds).sum()
}

/// Languages whose runtimes collect garbage and grow their heap as they see fit.
pub(super) fn is_managed(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::Java | Language::Go)
}

/// Two threads of one core each get about this part of what a core alone gives.
const SHARED_CORE: f64 = 0.6;

/// CPU time on all CPUs against CPU time on one: what threads cost each other. Smallest of all runs on both sides.
pub(super) fn apart(inputs: &Inputs<'_>) -> Option<f64> {
    let least = |samples: &[&model::Sample]| {
        samples.iter().filter_map(|sample| Metric::Cpu.of(sample)).min_by(f64::total_cmp)
    };
    let alone: Vec<&model::Sample> = inputs.solo?.runs.iter().collect();
    let together = least(Pool::of(inputs.samples, 0).samples())?;
    let alone = least(&alone).filter(|alone| *alone > 0.0)?;
    let smt = inputs.manifest.fingerprint.system.smt.as_deref() == Some("on");
    Some(together / alone * if smt { SHARED_CORE } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use model::recording::Language;

    use super::*;

    /// Threads that wait for so many seconds below a function of the interpreter.
    fn site(function: &str, threads: u32, seconds: f64) -> WaitSite {
        let place = model::profile::Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Runtime,
        };
        WaitSite {
            leaf: "blocked/lock".to_owned(),
            what: None,
            call: Some("futex".to_owned()),
            place: None,
            stack: vec![place],
            seconds,
            count: 100,
            longest_s: 0.01,
            critical_s: 0.0,
            queued_s: None,
            threads,
            idle: false,
        }
    }

    #[test]
    fn threads_that_wait_for_their_interpreter_take_turns_however_seldom_they_were_looked_at() {
        assert_eq!(queueing(&[site("take_gil", 4, 0.4), site("take_gil", 2, 0.1)], 1.0), 4);
        assert_eq!(queueing(&[site("take_gil", 4, 0.05)], 1.0), 0, "now and then");
        assert_eq!(queueing(&[site("pthread_mutex_lock", 4, 0.4)], 1.0), 0, "another lock");
    }
}
