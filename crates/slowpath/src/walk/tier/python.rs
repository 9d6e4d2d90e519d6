//! Tier deep: Python's own allocations by tracemalloc, started in the target's own interpreter by a hook on its path.

use std::fs;

use model::simulated::PythonHeap;

use super::Tour;
use super::instrument::{Instrument, Read};
use crate::stop::Stop;
use crate::walk::hooked;

/// What the interpreter runs when it starts.
const HOOK: &str = include_str!("python/hook.py");

/// Against the bare program: each allocation is noted with the line it comes from.
const SLOWER: f64 = 4.0;

const WHAT: &str = "Python's allocations by line";

/// Traces one run, when the recorded one was in Python code. Other programs have nothing to trace, which is no gap.
pub(super) fn trace(tour: &mut Tour<'_, '_>) -> Result<(), Stop> {
    if !tour.is_python() {
        return Ok(());
    }
    let folder = "tier3/tracemalloc".to_owned();
    let out = tour.folder(&folder);
    let own =
        tour.sitting.recipe(tour.sitting.subject()).map(|recipe| recipe.env.clone()).unwrap_or_default();
    let env = match hooked::python(&own, &out, HOOK) {
        Ok(env) => env,
        Err(error) => {
            tour.gap(WHAT, error.to_string(), None);
            return Ok(());
        }
    };
    let name = "tracemalloc";
    let instrument = Instrument { name, what: WHAT, slower: SLOWER, folder, argv: Vec::new(), env };
    let Some(ran) = tour.run(tour.sitting.subject(), &instrument)? else { return Ok(()) };
    let mut found = Vec::new();
    for entry in fs::read_dir(&ran.folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".json") {
            continue;
        }
        let heap =
            fs::read(entry.path()).ok().and_then(|bytes| serde_json::from_slice::<PythonHeap>(&bytes).ok());
        match heap {
            Some(heap) => found.push((name, heap)),
            None => tour.gap(WHAT, format!("`{name}` is damaged"), Some(&ran.command)),
        }
    }
    found.sort_by(|a, b| (b.1.peak, &a.0).cmp(&(a.1.peak, &b.0)));
    let artifacts: Vec<String> =
        found.iter().map(|(name, _)| format!("{}/{name}", instrument.folder)).collect();
    let processes = u32::try_from(found.len()).unwrap_or(u32::MAX);
    let Some((_, mut heap)) = found.into_iter().next() else {
        let why =
            "its interpreter did not run the hook: it ignores PYTHONPATH (-I, -E, -S), or ended in a hurry";
        tour.gap(WHAT, why.to_owned(), Some("python3 -X tracemalloc"));
        return Ok(());
    };
    for site in &mut heap.sites {
        site.project = tour.whose.owns(site.file.as_deref(), None);
    }
    tour.note(&instrument, &ran, Read { version: None, artifacts, processes });
    tour.found.python_heap = Some(heap);
    Ok(())
}
