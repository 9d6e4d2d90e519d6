//! Tier deep: counters of the processor and the kernel by `perf stat`, at the size the answer is about, alone on the machine.

use std::fs;

use model::simulated::Counter;
use tools::perf_stat::{self, Form, PerfStat};

use super::Tour;
use super::instrument::{Instrument, Ran, Read};
use crate::stop::Stop;

/// Every one is counted or said to be unsupported by perf itself.
const EVENTS: [&str; 15] = [
    "task-clock",
    "context-switches",
    "cpu-migrations",
    "page-faults",
    "cycles",
    "instructions",
    "branches",
    "branch-misses",
    "L1-dcache-loads",
    "L1-dcache-load-misses",
    "L1-icache-load-misses",
    "LLC-loads",
    "LLC-load-misses",
    "dTLB-loads",
    "dTLB-load-misses",
];

/// Those that every kernel has, for a perf that does not know all names.
const SOFTWARE: usize = 4;

const WHAT: &str = "counters of the processor";

/// Counts one run. What perf could not count has no value.
pub(super) fn stat(tour: &mut Tour<'_, '_>) -> Result<(), Stop> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let Ok(perf) = run::host::resolve("perf".as_ref(), &path, None) else {
        tour.gap(WHAT, "perf is not installed".to_owned(), Some("apt-get install linux-perf"));
        return Ok(());
    };
    // JSON is known since 6.0; a processor's events may have names that an old perf does not know.
    let forms = [(Form::Json, EVENTS.len()), (Form::Text, EVENTS.len()), (Form::Text, SOFTWARE)];
    let before = tour.found.gaps.len();
    for (form, events) in forms {
        let folder = "tier3/perf".to_owned();
        let out = tour.folder(&folder).join("stat");
        let argv = perf_stat::invocation(&perf, &out, EVENTS.get(..events).unwrap_or(&EVENTS), form);
        let instrument =
            Instrument { name: "perf stat", what: WHAT, slower: 1.2, folder, argv, env: Vec::new() };
        let Some(ran) = tour.run(tour.sitting.subject(), &instrument)? else { continue };
        let bytes = fs::read(&out).unwrap_or_default();
        match perf_stat::parse(&bytes) {
            Ok(found) => {
                // An earlier form that perf did not take is no gap.
                tour.found.gaps.truncate(before);
                keep(tour, &instrument, &ran, &found);
                return Ok(());
            }
            Err(error) => tour.gap(WHAT, error.to_string(), Some(&ran.command)),
        }
    }
    tour.found.gaps.truncate(before + 1);
    Ok(())
}

fn keep(tour: &mut Tour<'_, '_>, instrument: &Instrument, ran: &Ran, found: &PerfStat) {
    let counter = |counter: &perf_stat::Counter| Counter {
        event: counter.event.written.clone(),
        value: counter.reading.value(),
        unit: counter.unit.clone().unwrap_or_default(),
        enabled: counter.running.map(|running| running.0),
    };
    tour.found.counters = found.counters.iter().map(counter).collect();
    let missing: Vec<&str> = tour
        .found
        .counters
        .iter()
        .filter(|counter| counter.value.is_none())
        .map(|counter| counter.event.as_str())
        .collect();
    if !missing.is_empty() {
        let why = format!("this machine or user does not have {}", missing.join(", "));
        tour.gap(WHAT, why, Some("slowpath doctor"));
    }
    tour.note(
        instrument,
        ran,
        Read { version: None, artifacts: vec!["tier3/perf/stat".to_owned()], processes: 1 },
    );
}
