//! Tier medium: instructions, simulated caches and branches by cachegrind, calls by callgrind, joined into one table.
//!
//! The simulated run counts the instructions of its size as well as a run without caches does, so the growth takes them from it.

use model::simulated::Caches;
use tools::ParseError;
use tools::valgrind::cachegrind::{self, Cachegrind};
use tools::valgrind::callgrind::{self, Callgrind};
use tools::valgrind::costs::costs;
use tools::valgrind::invocation::{self, Threads};

use super::Tour;
use super::caches::caches;
use super::files::{File, Files, files, settled};
use super::growth::{self, Growth, Known};
use super::instrument::{Instrument, Job, Ran, Read};
use crate::stop::Stop;

/// Against the bare program, when it is not known better.
const CACHEGRIND: f64 = 25.0;
const CALLGRIND: f64 = 40.0;

/// Runs both simulators on an arm, counts other sizes beside them, and adds what they counted.
pub(super) fn simulate(tour: &mut Tour<'_, '_>, arm: usize) -> Result<(), Stop> {
    let caches = caches_instrument(tour);
    let calls = calls_instrument(tour);
    let sizes = growth::first(tour, caches.as_ref().map(|_| arm));
    let simulators = [caches.as_ref().map(|(instrument, _)| instrument), calls.as_ref()];
    let simulators = simulators.map(|instrument| instrument.map(|instrument| Job { arm, instrument }));
    let jobs: Vec<Job<'_>> =
        simulators.into_iter().flatten().chain(sizes.iter().map(growth::Wanted::job)).collect();
    let mut ran = tour.run_all(&jobs)?.into_iter();
    let mut of_next = |is_there: bool| if is_there { ran.next().flatten() } else { None };
    let counted = of_next(caches.is_some());
    let called = of_next(calls.is_some());
    let counted = caches.zip(counted).and_then(|((instrument, told), ran)| {
        let files = taken(tour, &instrument, &ran)?;
        tour.found.caches = Some(told);
        Some((ran, files))
    });
    let called = calls.zip(called).and_then(|(instrument, ran)| taken(tour, &instrument, &ran));
    let counted_files = counted.as_ref().map(|(_, files)| files.list.as_slice()).unwrap_or_default();
    let counts = own_counts(tour, counted_files);
    let mut grown = Growth::default();
    if let Some((ran, _)) = counted.as_ref().filter(|_| !counts.is_empty()) {
        grown.add_known(tour, &Known { arm, own: &counts, ran })?;
    }
    for (size, ran) in sizes.iter().zip(ran) {
        if let Some(ran) = ran {
            grown.add(tour, size, &ran)?;
        }
    }
    grown.finish(tour)?;
    if tour.is_python() {
        let why = "valgrind sees the interpreter's functions; the hotspots of the recorded run name Python's"
            .to_owned();
        tour.gap("instructions by Python function", why, None);
    }
    let called_files = called.as_ref().map(|files| files.list.as_slice()).unwrap_or_default();
    let calls = own_calls(tour, called_files);
    if counts.is_empty() && calls.is_none() {
        return Ok(());
    }
    let whose = &tour.whose;
    let owns = |file: Option<&str>, module: Option<&str>| whose.owns(file, module);
    match costs(&counts, calls.as_ref(), &owns, whose.shown()) {
        Ok(costs) => {
            let found = &mut tour.found;
            (found.totals, found.functions, found.others) =
                (Some(costs.totals), costs.functions, costs.others);
            (found.lines, found.edges, found.calls) = (costs.lines, costs.edges, costs.calls);
            found.outside = costs.outside;
            tour.name_places();
            tell_empty(tour);
        }
        Err(error) => tour.gap("instructions by function", error.to_string(), Some(&error.next_step())),
    }
    Ok(())
}

/// Cachegrind with the caches of this machine. `None` when they have no form that it takes.
fn caches_instrument(tour: &mut Tour<'_, '_>) -> Option<(Instrument, Caches)> {
    let folder = "tier2/cachegrind".to_owned();
    let what = "cache misses and mispredicted branches";
    let Some((caches, told)) = caches(&tour.sitting.manifest.fingerprint.machine) else {
        tour.gap(what, "no cache of this machine has a form that cachegrind takes".to_owned(), None);
        return None;
    };
    let argv = invocation::cachegrind(tour.valgrind.as_ref()?, &tour.folder(&folder), &caches);
    let name = "cachegrind";
    Some((Instrument { name, what, slower: CACHEGRIND, folder, argv, env: Vec::new() }, told))
}

/// Callgrind. `None` for Python.
fn calls_instrument(tour: &mut Tour<'_, '_>) -> Option<Instrument> {
    let folder = "tier2/callgrind".to_owned();
    let what = "calls and inclusive costs";
    if tour.is_python() {
        let why = "they would be those of the interpreter's own functions".to_owned();
        tour.gap(what, why, None);
        return None;
    }
    let argv = invocation::callgrind(tour.valgrind.as_ref()?, &tour.folder(&folder), None, Threads::Together);
    Some(Instrument { name: "callgrind", what, slower: CALLGRIND, folder, argv, env: Vec::new() })
}

/// The files of a run, noted. `None` when there are none: valgrind was left behind by what it started.
pub(super) fn taken(tour: &mut Tour<'_, '_>, instrument: &Instrument, ran: &Ran) -> Option<Files> {
    let files = files(&ran.folder, instrument.name);
    if files.list.is_empty() {
        tour.gap(instrument.what, format!("{} wrote no file", instrument.name), Some(&ran.command));
        return None;
    }
    let artifacts = files.list.iter().map(|file| format!("{}/{}", instrument.folder, file.name)).collect();
    let processes = u32::try_from(files.list.len()).unwrap_or(u32::MAX);
    tour.note(instrument, ran, Read { version: files.version.clone(), artifacts, processes });
    Some(files)
}

/// Each process's counts, those of forked ones left out. Nothing when a file cannot be read: a part would look whole.
fn own_counts<'f>(tour: &mut Tour<'_, '_>, files: &'f [File]) -> Vec<Cachegrind<'f>> {
    let what = "cache misses and mispredicted branches";
    let parsed: Result<Vec<(bool, Cachegrind<'f>)>, ParseError> =
        files.iter().map(|file| Ok((file.forked, cachegrind::parse(&file.bytes)?))).collect();
    let settled = parsed
        .map_err(|error| error.to_string())
        .and_then(|parsed| settled(parsed, |process| process.instructions.0));
    match settled {
        Ok(settled) => {
            left_out(tour, settled.left_out);
            settled.own
        }
        Err(why) => {
            tour.gap(what, why, Some("count a single-process variant"));
            Vec::new()
        }
    }
}

pub(super) fn left_out(tour: &mut Tour<'_, '_>, processes: usize) {
    if processes > 0 {
        let why = format!(
            "{processes} of them started no program of their own, and valgrind's counts of them begin with their parent's"
        );
        tour.gap("what forked processes did after the fork", why, None);
    }
}

/// All processes' calls in one table.
fn own_calls<'f>(tour: &mut Tour<'_, '_>, files: &'f [File]) -> Option<Callgrind<'f>> {
    if files.is_empty() {
        return None;
    }
    let weigh =
        |bytes: &&[u8]| callgrind::parse(bytes).map_or(0, |one| one.totals.first().copied().unwrap_or(0));
    // A single process has nobody to be weighed against, and files may be large.
    let settled = match files {
        [file] => Ok(vec![file.bytes.as_slice()]),
        files => {
            let all = files.iter().map(|file| (file.forked, file.bytes.as_slice())).collect();
            settled(all, weigh).map(|settled| settled.own)
        }
    };
    let parsed = settled.and_then(|own| callgrind::parse_all(&own).map_err(|error| error.to_string()));
    match parsed {
        Ok(parsed) => Some(parsed),
        Err(why) => {
            tour.gap("calls and inclusive costs", why, Some("count a single-process variant"));
            None
        }
    }
}

/// Prefixes that leave nothing are likelier a mistake than an answer.
fn tell_empty(tour: &mut Tour<'_, '_>) {
    if tour.whose.prefixes.is_empty() || !tour.found.functions.is_empty() {
        return;
    }
    let named: Vec<String> =
        tour.options.source_prefix.iter().map(|prefix| format!("`{}`", prefix.display())).collect();
    let why = format!("no function that ran has its source below {}", named.join(" or "));
    let next = "leave `--source-prefix` out, and look where the sources lie";
    tour.gap("costs below the prefixes", why, Some(next));
}
