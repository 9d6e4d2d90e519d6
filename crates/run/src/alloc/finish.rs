//! What was collected, weighed and with names: the heap.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use model::heap::{Class, Heap, Lifetimes, Moment, Process, Site, Totals};
use model::recording::Cost;
use model::{Arg, Bytes, Count, Gap, Nanos, Ratio};
use stacks::{PerfMaps, Project};

use super::collect::{Collector, Program, Sampled};
use super::weigh::{Of, Weights};
use super::{Options, reach};
use crate::measure::Recipe;

/// Moments on the timeline.
const MOMENTS: usize = 400;

/// From this share of cut stacks on, the user is told.
const MANY_CUT: f64 = 0.05;

/// What the pass knows besides what was collected.
pub(super) struct Pass<'a> {
    pub(super) interval: u64,
    /// CLOCK_MONOTONIC.
    pub(super) begun: u64,
    pub(super) end: u64,
    pub(super) options: &'a Options,
    pub(super) recipe: &'a Recipe,
    pub(super) cpu: Nanos,
}

pub(super) fn heap(collector: Collector, pass: &Pass<'_>) -> Heap {
    let Collector { programs, reader, .. } = collector;
    let mut heap = Heap::new(Bytes::from_bytes(pass.interval));
    heap.wall = Some(Nanos::from_nanos(pass.end.saturating_sub(pass.begun)));
    heap.cost = Some(Cost { cpu: pass.cpu, after: Nanos::ZERO, peak_rss_bytes: crate::process::own_peak() });
    heap.losses = reader.losses;
    heap.processes = programs.iter().map(|program| process(program, pass.begun)).collect();
    heap.totals = sum(&heap.processes);
    let project = Project { root: pass.options.project.clone(), program: Some(pass.recipe.path.clone()) };
    let resolved = stacks::resolve(&reader.tree, reader.unwinder.files(), &PerfMaps::default(), &project);
    let weights = Weights::new(&reader.samples, &programs);
    let stack_of = |raw: u32| resolved.stack_of.get(raw as usize).copied();
    heap.sites = sites(&reader.samples, &programs, &weights, stack_of);
    heap.modules = resolved.modules;
    heap.frames = resolved.frames;
    heap.nodes = resolved.nodes;
    heap.timeline = timeline(reader.moments, pass);
    heap.gaps = gaps(&heap, &programs, pass);
    heap
}

fn process(program: &Program, begun: u64) -> Process {
    let (told, counted) = (&program.told, &program.counted);
    let live =
        |bytes: i64| Bytes::from_bytes(u64::try_from(bytes.saturating_add(told.inherited)).unwrap_or(0));
    let classes = counted.classes.iter().enumerate().filter(|(_, allocations)| **allocations > 0);
    let name = |bytes: &[u8]| Arg::from(OsString::from_vec(bytes.to_vec()));
    Process {
        pid: told.pid,
        forked_from: told.forked_from,
        program: (!told.program.is_empty()).then(|| name(&told.program)),
        argv: told.arguments.iter().map(|argument| name(argument)).collect(),
        from: Nanos::from_nanos(told.started.saturating_sub(begun)),
        peak_at: (counted.peak_at > 0).then(|| Nanos::from_nanos(counted.peak_at.saturating_sub(begun))),
        threads: Count(counted.threads),
        totals: Totals {
            allocations: Count(counted.allocations),
            reallocations: Count(counted.reallocations),
            frees: Count(counted.frees),
            bytes: Bytes::from_bytes(counted.bytes),
            live_at_end: live(counted.live),
            peak_live: live(counted.peak),
            classes: classes
                .map(|(bits, allocations)| Class {
                    from: Bytes::from_bytes(1 << bits),
                    allocations: Count(*allocations),
                })
                .collect(),
        },
        runtime: program.runtime.clone(),
    }
}

/// `None` for no process: nothing was seen.
fn sum(processes: &[Process]) -> Option<Totals> {
    let mut classes: std::collections::BTreeMap<Bytes, u64> = std::collections::BTreeMap::new();
    let mut totals = Totals::default();
    let add = |sum: &mut Count, more: Count| sum.0 += more.0;
    let add_bytes = |sum: &mut Bytes, more: Bytes| *sum = Bytes::from_bytes(sum.as_bytes() + more.as_bytes());
    for Process { totals: one, .. } in processes {
        add(&mut totals.allocations, one.allocations);
        add(&mut totals.reallocations, one.reallocations);
        add(&mut totals.frees, one.frees);
        add_bytes(&mut totals.bytes, one.bytes);
        add_bytes(&mut totals.live_at_end, one.live_at_end);
        add_bytes(&mut totals.peak_live, one.peak_live);
        for class in &one.classes {
            *classes.entry(class.from).or_default() += class.allocations.0;
        }
    }
    totals.classes = classes
        .into_iter()
        .map(|(from, allocations)| Class { from, allocations: Count(allocations) })
        .collect();
    (!processes.is_empty()).then_some(totals)
}

/// Stacks with the same names are one site.
fn sites(
    samples: &[Sampled],
    programs: &[Program],
    weights: &Weights,
    stack_of: impl Fn(u32) -> Option<u32>,
) -> Vec<Site> {
    let mut by_stack: HashMap<Option<u32>, Vec<usize>> = HashMap::new();
    for (at, sample) in samples.iter().enumerate() {
        by_stack.entry(sample.stack.and_then(&stack_of)).or_default().push(at);
    }
    let site = |(stack, members): (Option<u32>, Vec<usize>)| {
        let is = |test: &dyn Fn(&Sampled) -> bool, at: usize| samples.get(at).is_some_and(test);
        let at_peak = |sample: &Sampled| {
            let peak = programs.get(sample.program).map_or(0, |program| program.counted.peak_at);
            sample.at <= peak && sample.freed.is_none_or(|(freed, _)| freed > peak)
        };
        let bytes =
            |test: &dyn Fn(&Sampled) -> bool| weights.estimate(&members, Of::Bytes, |at| is(test, at));
        Site {
            stack,
            samples: Count(members.len() as u64),
            allocations: weights.estimate(&members, Of::Allocations, |_| true),
            bytes: bytes(&|_| true),
            freed: bytes(&|sample| sample.freed.is_some()),
            live_at_end: bytes(&|sample| sample.freed.is_none()),
            at_peak: bytes(&at_peak),
            lifetimes: lifetimes(&members, samples, weights),
        }
    };
    let mut sites: Vec<Site> = by_stack.into_iter().map(site).collect();
    sites.sort_by_key(|site| (std::cmp::Reverse(site.bytes.value), site.stack));
    sites
}

fn lifetimes(members: &[usize], samples: &[Sampled], weights: &Weights) -> Option<Lifetimes> {
    let pairs =
        || members.iter().filter_map(|at| Some((samples.get(*at)?, weights.each.get(*at)?.allocations)));
    let sum = |test: &dyn Fn(&Sampled) -> bool| -> f64 {
        pairs().filter(|(sample, _)| test(sample)).fold(0.0, |sum, (_, weight)| sum + weight)
    };
    let all = sum(&|_| true);
    let freed = sum(&|sample| sample.freed.is_some());
    let within = |nanos: u64| {
        Ratio(sum(&|sample| sample.freed.is_some_and(|(at, _)| at.saturating_sub(sample.at) < nanos)) / all)
    };
    (freed > 0.0 && all > 0.0).then(|| Lifetimes {
        within_100_micros: within(100_000),
        within_1_milli: within(1_000_000),
        within_1_second: within(1_000_000_000),
        freed: Ratio(freed / all),
        by_same_thread: Ratio(sum(&|sample| sample.freed.is_some_and(|(_, same)| same)) / freed),
        n: Count(pairs().filter(|(sample, _)| sample.freed.is_some()).count() as u64),
    })
}

/// The sum over all processes, thinned to the largest of each stretch of time.
fn timeline(mut moments: Vec<(u64, usize, i64)>, pass: &Pass<'_>) -> Vec<Moment> {
    moments.sort_by_key(|(at, ..)| *at);
    let mut live: HashMap<usize, i64> = HashMap::new();
    let mut sum = 0i64;
    let mut kept: Vec<Moment> = Vec::new();
    let stretch = (pass.end.saturating_sub(pass.begun) / MOMENTS as u64).max(1);
    for (at, program, now) in moments {
        sum = sum.saturating_sub(live.insert(program, now).unwrap_or(0)).saturating_add(now);
        let at = at.min(pass.end).saturating_sub(pass.begun);
        let moment =
            Moment { at: Nanos::from_nanos(at), live: Bytes::from_bytes(u64::try_from(sum).unwrap_or(0)) };
        match kept.last_mut() {
            Some(last) if last.at.as_nanos() / stretch == at / stretch => {
                last.live = last.live.max(moment.live);
            }
            _ => kept.push(moment),
        }
    }
    kept
}

#[expect(clippy::cast_precision_loss, reason = "counts of one run")]
fn gaps(heap: &Heap, programs: &[Program], pass: &Pass<'_>) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if heap.totals.is_none() {
        gaps.push(Gap::new("the heap", reach::obstacle(pass.recipe), None));
    }
    let by_malloc = |(name, value): &(OsString, OsString)| {
        name == "PYTHONMALLOC" && value.as_encoded_bytes().starts_with(b"malloc")
    };
    let unseen = |program: &Program| program.runtime.is_some() && program.counted.small == 0;
    if programs.iter().any(unseen) && !pass.recipe.env.iter().any(by_malloc) {
        let why = "an allocator of its own was asked for (PYTHONMALLOC, -X dev), or this build lets nobody stand before it";
        gaps.push(Gap::new("small objects of Python", why, None));
    }
    let losses = &heap.losses;
    if losses.samples + losses.frees > 0 {
        let why = format!("{} samples and {} frees found no room", losses.samples, losses.frees);
        gaps.push(Gap::new("some samples", why, Some("sample less often")));
    }
    let share = losses.cut_stacks as f64 / losses.stacks.max(1) as f64;
    if share > MANY_CUT {
        let why = format!("{:.0} % of the stacks end before their thread's first function", share * 100.0);
        gaps.push(Gap::new("outer callers", why, None));
    }
    if losses.crowded_threads > 0 {
        let why = format!("{} threads shared counters, so totals may miss some", losses.crowded_threads);
        gaps.push(Gap::new("exact totals", why, None));
    }
    gaps
}
