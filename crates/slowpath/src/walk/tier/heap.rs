//! Tier deep: the heap's peak by massif, every allocation with its life by DHAT.

use model::simulated::SimulatedHeap;
use tools::ParseError;
use tools::valgrind::dhat::{self, Dhat};
use tools::valgrind::massif::{self, Massif};
use tools::valgrind::{held, invocation};

use super::Tour;
use super::callgraph::{left_out, taken};
use super::files::settled;
use super::instrument::{Instrument, Job, Ran};
use crate::stop::Stop;

/// Against the bare program, when it is not known better.
const MASSIF: f64 = 20.0;
const DHAT: f64 = 40.0;

/// Runs both instruments on an arm, and adds what they saw.
pub(super) fn watch(tour: &mut Tour<'_, '_>, arm: usize) -> Result<(), Stop> {
    let Some(valgrind) = tour.valgrind.clone() else { return Ok(()) };
    let folder = |name: &str| format!("tier3/{name}");
    let peak = Instrument {
        name: "massif",
        what: "the heap's peak and who holds it",
        slower: MASSIF,
        folder: folder("massif"),
        argv: invocation::massif(&valgrind, &tour.folder(&folder("massif"))),
        env: Vec::new(),
    };
    let blocks = Instrument {
        name: "dhat",
        what: "allocations, their number and lives",
        slower: DHAT,
        folder: folder("dhat"),
        argv: invocation::dhat(&valgrind, &tour.folder(&folder("dhat"))),
        env: Vec::new(),
    };
    let jobs = [&peak, &blocks].map(|instrument| Job { arm, instrument });
    let mut ran = tour.run_all(&jobs)?.into_iter();
    let mut heap = SimulatedHeap::default();
    if let Some(ran) = ran.next().flatten() {
        add_peak(tour, &peak, &ran, &mut heap);
    }
    if let Some(ran) = ran.next().flatten() {
        add_blocks(tour, &blocks, &ran, &mut heap);
    }
    if heap != SimulatedHeap::default() {
        tour.found.heap = Some(heap);
    }
    Ok(())
}

fn add_peak(tour: &mut Tour<'_, '_>, instrument: &Instrument, ran: &Ran, heap: &mut SimulatedHeap) {
    let Some(files) = taken(tour, instrument, ran) else { return };
    // A forked process really has its parent's heap, so each file tells the truth of its process.
    let parsed: Result<Vec<Massif<'_>>, ParseError> =
        files.list.iter().map(|file| massif::parse(&file.bytes)).collect();
    match parsed {
        Ok(processes) => {
            let whose = &tour.whose;
            held::add_massif(heap, &processes, &|file, module| whose.owns(file, module));
        }
        Err(error) => tour.gap(instrument.what, error.to_string(), Some(&error.next_step())),
    }
}

fn add_blocks(tour: &mut Tour<'_, '_>, instrument: &Instrument, ran: &Ran, heap: &mut SimulatedHeap) {
    let Some(files) = taken(tour, instrument, ran) else { return };
    let what = instrument.what;
    let (mut processes, mut empty) = (Vec::new(), None);
    for file in &files.list {
        match dhat::parse(&file.bytes) {
            Ok(dhat) => processes.push((file.forked, dhat)),
            // A process beside the real one may well allocate nothing.
            Err(error @ ParseError::NoSamples { .. }) => empty = Some(error),
            Err(error) => {
                tour.gap(what, error.to_string(), Some(&error.next_step()));
                return;
            }
        }
    }
    if let Some(error) = empty.filter(|_| processes.is_empty()) {
        tour.gap(what, "no allocation was seen".to_owned(), Some(&error.next_step()));
        return;
    }
    let blocks =
        |process: &Dhat| process.points.iter().map(|point| point.blocks.0).fold(0, u64::saturating_add);
    match settled(processes, blocks) {
        Ok(settled) => {
            let whose = &tour.whose;
            held::add_dhat(heap, &settled.own, &|file, module| whose.owns(file, module));
            left_out(tour, settled.left_out);
        }
        Err(why) => tour.gap(what, why, Some("watch a single-process variant")),
    }
}
