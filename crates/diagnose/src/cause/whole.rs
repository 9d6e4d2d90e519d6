//! The run as a whole, as a subject.

use std::collections::BTreeSet;

use model::profile::{ThreadAccount, WaitSite};
use model::recording::{Language, Owner, Recording};
use model::{Metric, Nanos};

use super::Kind;
use super::facts::{Inputs, exact};
use super::subject::Subject;
use crate::pool::Pool;
use crate::profile::family::Family;
use crate::summary::summary;

const ACCOUNT: (&str, &str) = (model::recording::RECORDING, "recorder");
const SAMPLES: (&str, &str) = (model::manifest::SAMPLES, "kernel, at its end");

/// A thread that computes less than this share of wall time takes no part in the work.
const WORKER: f64 = 0.05;

/// Of many threads that share few CPUs each gets this share of wall time at least.
const CROWD: f64 = 0.01;

/// A process that lives shorter than this is over before it can be worth its start.
const SHORT: f64 = 0.25;

pub(super) fn subject(inputs: &Inputs<'_>) -> Subject {
    let place = inputs.study.spots.first().map(|spot| spot.place.clone());
    let mut subject = Subject::new(Kind::Whole, place, exact(1.0));
    let profile = &inputs.study.profile;
    let wall = profile.wall_s.unwrap_or(inputs.wall_s).max(f64::MIN_POSITIVE);
    let leaf = |leaf: &str, account: &model::answer::Account| -> f64 {
        account.leaves.iter().filter(|known| known.leaf.starts_with(leaf)).map(|known| known.share).sum()
    };
    let share = |prefix: &str| profile.account.as_ref().map(|account| leaf(prefix, account));
    subject.number("wall", 1.0, "1", ACCOUNT);
    let on_cpu = |thread: &ThreadAccount| leaf("on-cpu", &thread.account) * length(thread);
    let busy: f64 = profile.threads.iter().map(on_cpu).sum();
    subject.number("cpus", busy / wall, "", ACCOUNT);
    if let Some(cpus) = inputs.manifest.fingerprint.machine.cpus_present {
        subject.number("cpus.present", f64::from(cpus), "count", SAMPLES);
    }
    let own = own_threads(inputs.recording);
    let runs_own = |thread: &ThreadAccount| own.contains(&(thread.pid, thread.tid));
    let workers: Vec<&ThreadAccount> =
        profile.threads.iter().filter(|thread| on_cpu(thread) >= WORKER * wall && runs_own(thread)).collect();
    subject.number("threads.computing", workers.len() as f64, "count", ACCOUNT);
    let wanting: f64 = workers
        .iter()
        .map(|thread| (leaf("on-cpu", &thread.account) + leaf("runnable", &thread.account)) * length(thread))
        .sum();
    subject.number("threads.wanting", wanting / wall, "", ACCOUNT);
    // A pool of the user's own: threads of runtimes that wait for their runtime's work are not idle hands.
    let is_pool = |site: &&WaitSite| {
        site.idle
            && site.seconds >= 0.3 * wall
            && site.place.as_ref().is_some_and(|place| place.owner == Owner::Project)
    };
    let idle: u32 = profile.waits.iter().filter(is_pool).map(|site| site.threads).sum();
    subject.number("threads.idle", f64::from(idle), "count", ACCOUNT);
    if workers.len() >= 2 && !moves_tasks(inputs.recording) {
        let most = workers.iter().map(|thread| on_cpu(thread)).fold(0.0, f64::max);
        subject.number(
            "threads.uneven",
            most * workers.len() as f64
                / workers.iter().map(|thread| on_cpu(thread)).sum::<f64>().max(f64::MIN_POSITIVE),
            "x",
            ACCOUNT,
        );
    }
    note_queue(&mut subject, inputs);
    note_machine(&mut subject, inputs, wall);
    note_children(&mut subject, inputs, wall);
    note_parallel(&mut subject, inputs, wall, &workers, share("on-cpu"));
    note_memory(&mut subject, inputs, wall);
    let spots = &inputs.study.spots;
    let imports: f64 = spots.iter().map(|spot| spot.wall.value * spot.family(Family::Import)).sum();
    subject.number("startup", imports, "1", ACCOUNT);
    let collected: f64 = spots.iter().map(|spot| spot.wall.value * spot.family(Family::Collect)).sum();
    let collectors =
        profile.threads.iter().filter(|thread| is_collector(&thread.name)).map(on_cpu).sum::<f64>();
    // An interpreter without symbols hides its collector among everything else.
    if is_opaque(inputs.recording) {
        return subject;
    }
    subject.number("collector", (collected + collectors / wall).min(1.0), "1", ACCOUNT);
    subject
}

/// Threads most of whose hits are below the user's own code: compilers and collectors of a runtime are not.
fn own_threads(recording: &Recording) -> BTreeSet<(u32, u32)> {
    let mut below: Vec<bool> = Vec::with_capacity(recording.nodes.len());
    for node in &recording.nodes {
        let own =
            recording.frames.get(node.frame as usize).is_some_and(|frame| frame.owner == Owner::Project);
        let caller = node.parent.and_then(|parent| below.get(parent as usize).copied()).unwrap_or(false);
        below.push(own || caller);
    }
    let mut weights = vec![(0_u64, 0_u64); recording.threads.len()];
    for hit in &recording.hits {
        let is_own = hit.stack.and_then(|stack| below.get(stack as usize).copied()).unwrap_or(false);
        if let Some((own, all)) = weights.get_mut(hit.thread as usize) {
            *all = all.saturating_add(hit.weight);
            *own = own.saturating_add(if is_own { hit.weight } else { 0 });
        }
    }
    let chosen = recording.threads.iter().zip(weights).filter(|(_, (own, all))| *own > all / 2);
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

/// Go moves its tasks from thread to thread, so what one thread computed means nothing.
fn moves_tasks(recording: &Recording) -> bool {
    recording.frames.iter().any(|frame| frame.language == Language::Go && frame.owner == Owner::Project)
}

fn length(thread: &ThreadAccount) -> f64 {
    thread.to.minus(thread.from).unwrap_or(Nanos::ZERO).as_secs_f64()
}

/// Threads that runtimes collect garbage with.
fn is_collector(name: &str) -> bool {
    ["GC Thread", "G1 ", "VM Thread", "ZWorker", "Shenandoah"].iter().any(|begin| name.starts_with(begin))
}

/// Who held the CPU that the critical path waited for.
fn note_queue(subject: &mut Subject, inputs: &Inputs<'_>) {
    let Some(account) = &inputs.study.profile.account else { return };
    let wall = inputs.study.profile.wall_s.unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let (mut own, mut others) = (0.0, 0.0);
    for leaf in account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("runnable")) {
        let foreign: f64 = leaf
            .parts
            .iter()
            .filter(|part| part.what.starts_with("neighbours"))
            .map(|part| part.seconds)
            .sum();
        let mine: f64 =
            leaf.parts.iter().filter(|part| part.what.starts_with("own")).map(|part| part.seconds).sum();
        (own, others) = (own + mine / wall, others + foreign / wall);
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

/// What more CPUs could take over.
fn note_parallel(
    subject: &mut Subject,
    inputs: &Inputs<'_>,
    wall: f64,
    workers: &[&ThreadAccount],
    on_cpu: Option<f64>,
) {
    let cpus = inputs.manifest.fingerprint.machine.cpus_present.map_or(1.0, f64::from);
    let is_turn = |site: &&WaitSite| site.leaf == "blocked/lock" && super::waiting::is_interpreter_lock(site);
    let queue = inputs.study.profile.waits.iter().filter(is_turn).fold(0.0, |sum, site| sum + site.seconds);
    subject.number("interpreter.queue", queue / wall, "x", ACCOUNT);
    let turns = workers.iter().filter(|thread| thread.interpreter_lock.is_some()).count();
    subject.number("threads.taking-turns", turns as f64, "count", ACCOUNT);
    let crowd = inputs.study.profile.threads.iter().filter(|thread| {
        let on_cpu = thread.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("on-cpu"));
        on_cpu.fold(0.0, |sum, leaf| sum + leaf.share) * length(thread) >= CROWD * wall
    });
    subject.number("threads.crowd", crowd.count() as f64 / cpus, "x", ACCOUNT);
    if let Some(on_cpu) = on_cpu {
        subject.number("parallel.part", on_cpu * (1.0 - 1.0 / cpus), "1", ACCOUNT);
    }
    if let Some(own) = subject.value("queue.own") {
        subject.number("queue.part", own, "1", ACCOUNT);
    }
    if let Some(run) = &inputs.recording.run {
        subject.number("switches", run.involuntary_switches.0 as f64 / wall, "/s", SAMPLES);
    }
}

pub(super) fn note_children(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let processes = &inputs.recording.processes;
    let children = processes.len().saturating_sub(1);
    subject.number("children", children as f64, "count", ACCOUNT);
    subject.word("children", children.to_string());
    let lives: Vec<f64> = processes
        .iter()
        .skip(1)
        .filter_map(|process| Some(process.to?.minus(process.from)?.as_secs_f64()))
        .collect();
    if !lives.is_empty() {
        let mean = lives.iter().sum::<f64>() / lives.len() as f64;
        subject.number("children.mean", mean, "s", ACCOUNT);
        let short: f64 = lives.iter().filter(|life| **life < SHORT * wall).sum();
        subject.number("children.share", (short / wall).min(1.0), "1", ACCOUNT);
    }
}

/// The median peak of resident memory.
pub(super) fn peak(inputs: &Inputs<'_>) -> Option<f64> {
    let values = Pool::of(inputs.samples, 0).values(Metric::Rss)?;
    Some(summary(Metric::Rss, &values).median)
}

fn note_memory(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let pool = Pool::of(inputs.samples, 0);
    if let Some(peak) = peak(inputs) {
        subject.number("memory.peak", peak, "B", SAMPLES);
    }
    let mean = |of: fn(&model::Sample) -> Option<u64>| -> Option<f64> {
        let values: Option<Vec<u64>> = pool.samples().iter().map(|sample| of(sample)).collect();
        let values = values.filter(|values| !values.is_empty())?;
        Some(values.iter().sum::<u64>() as f64 / values.len() as f64)
    };
    if let Some(faults) = mean(|sample| Some(sample.minor_faults.0)) {
        subject.number("faults", faults / wall, "/s", SAMPLES);
    }
    if let Some(major) = mean(|sample| Some(sample.major_faults.0)) {
        subject.number("major", major, "count", SAMPLES);
    }
}
