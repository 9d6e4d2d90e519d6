//! The performance map of a run: written beside the answer, printed again, handed to the workers that read it.

use std::path::Path;

use diagnose::map::{Inputs, performance_map};
use history::Loaded;
use model::Exit;
use model::answer::Answer;
use model::performance_map::{Gpu, MAP, PerformanceMap};

use crate::cli::{Export, ExportFormat};
use crate::document::Document;
use crate::show::{self, End};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::stored::{self, Source, load};
use crate::walk::{gpu, report};

/// Stores the map of an answer in the run folder; other documents have none.
pub(crate) fn write(
    sitting: &Sitting<'_>,
    document: Option<&Document>,
    gpu: Option<&Gpu>,
) -> Result<(), Stop> {
    let Some(Document::Why(answer)) = document else { return Ok(()) };
    let map = performance_map(&Inputs {
        manifest: &sitting.manifest,
        samples: &sitting.samples,
        passes: &sitting.passes,
        answer,
        gpu,
    });
    sitting.put(MAP, ::report::yaml(&map).as_bytes()).map(|_| ())
}

/// `slowpath report RUN --map`.
pub(crate) fn print(name: &Path) -> Result<End, Stop> {
    let (map, _) = again(name)?;
    show::print(&::report::yaml(&map))?;
    Ok(End::Exit(Exit::Answered))
}

/// The map of a stored run in the form asked for. `None` where no form of it was asked for.
pub(crate) fn exported(export: &Export) -> Result<Option<String>, Stop> {
    let write = match export.format {
        ExportFormat::ProfileResult => |map: &PerformanceMap, _: &Loaded| ::report::map_profile_result(map),
        ExportFormat::WorkerResult => |map: &PerformanceMap, _: &Loaded| ::report::map_worker_result(map),
        ExportFormat::WorkerSummary => {
            |map: &PerformanceMap, run: &Loaded| ::report::map_worker_summary(map, &run.manifest)
        }
        _ => return Ok(None),
    };
    let (map, run) = again(&export.run)?;
    Ok(Some(write(&map, &run)))
}

/// Concluded again from what was measured, so that a stored run gives the same bytes.
fn again(name: &Path) -> Result<(PerformanceMap, Box<Loaded>), Stop> {
    let none = || {
        Stop::usage(
            "only a run of `slowpath -- COMMAND` has a performance map",
            "`slowpath report RUN` shows what this one has",
        )
    };
    if name.is_file() {
        return Err(none());
    }
    let Source::Run(run) = load(name)? else { return Err(none()) };
    let Document::Why(answer) = report::document(name)? else { return Err(none()) };
    let gpu = gpu::kept(&stored::folder(name)?);
    Ok((of_stored(&run, &answer, gpu.as_ref()), run))
}

fn of_stored(run: &Loaded, answer: &Answer, gpu: Option<&Gpu>) -> PerformanceMap {
    performance_map(&Inputs {
        manifest: &run.manifest,
        samples: &run.samples,
        passes: &run.passes,
        answer,
        gpu,
    })
}
