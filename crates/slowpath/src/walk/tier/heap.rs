//! Tier deep: the heap's peak by massif, every allocation with its life by DHAT.

use model::simulated::SimulatedHeap;
use tools::ParseError;
use tools::valgrind::dhat::{self, Dhat};
use tools::valgrind::massif::{self, Massif};
use tools::valgrind::{held, invocation};

use super::Tour;
use super::callgraph::{left_out, taken};
use super::files::settled;
use super::instrument::Instrument;
use crate::stop::Stop;

/// Against the bare program, when it is not known better.
const MASSIF: f64 = 20.0;
const DHAT: f64 = 40.0;

/// Runs both instruments on an arm, and adds what they saw.
pub(super) fn watch(tour: &mut Tour<'_, '_>, arm: usize) -> Result<(), Stop> {
    let mut heap = SimulatedHeap::default();
    watch_peak(tour, arm, &mut heap)?;
    watch_blocks(tour, arm, &mut heap)?;
    if heap != SimulatedHeap::default() {
        tour.found.heap = Some(heap);
    }
    Ok(())
}

fn watch_peak(tour: &mut Tour<'_, '_>, arm: usize, heap: &mut SimulatedHeap) -> Result<(), Stop> {
    let folder = "tier3/massif".to_owned();
    let Some(valgrind) = tour.valgrind.clone() else { return Ok(()) };
    let argv = invocation::massif(&valgrind, &tour.folder(&folder));
    let what = "the heap's peak and who holds it";
    let instrument = Instrument { name: "massif", what, slower: MASSIF, folder, argv, env: Vec::new() };
    let Some(ran) = tour.run(arm, &instrument)? else { return Ok(()) };
    let Some(files) = taken(tour, &instrument, &ran) else { return Ok(()) };
    // A forked process really has its parent's heap, so each file tells the truth of its process.
    let parsed: Result<Vec<Massif<'_>>, ParseError> =
        files.list.iter().map(|file| massif::parse(&file.bytes)).collect();
    match parsed {
        Ok(processes) => {
            let whose = &tour.whose;
            held::add_massif(heap, &processes, &|file, module| whose.owns(file, module));
        }
        Err(error) => tour.gap(what, error.to_string(), Some(&error.next_step())),
    }
    Ok(())
}

fn watch_blocks(tour: &mut Tour<'_, '_>, arm: usize, heap: &mut SimulatedHeap) -> Result<(), Stop> {
    let folder = "tier3/dhat".to_owned();
    let Some(valgrind) = tour.valgrind.clone() else { return Ok(()) };
    let argv = invocation::dhat(&valgrind, &tour.folder(&folder));
    let what = "allocations, their number and lives";
    let instrument = Instrument { name: "dhat", what, slower: DHAT, folder, argv, env: Vec::new() };
    let Some(ran) = tour.run(arm, &instrument)? else { return Ok(()) };
    let Some(files) = taken(tour, &instrument, &ran) else { return Ok(()) };
    let (mut processes, mut empty) = (Vec::new(), None);
    for file in &files.list {
        match dhat::parse(&file.bytes) {
            Ok(dhat) => processes.push((file.forked, dhat)),
            // A process beside the real one may well allocate nothing.
            Err(error @ ParseError::NoSamples { .. }) => empty = Some(error),
            Err(error) => {
                tour.gap(what, error.to_string(), Some(&error.next_step()));
                return Ok(());
            }
        }
    }
    if let Some(error) = empty.filter(|_| processes.is_empty()) {
        tour.gap(what, "no allocation was seen".to_owned(), Some(&error.next_step()));
        return Ok(());
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
    Ok(())
}
