//! Calls of a native program's functions, watched in one run: what they are given, what they give, and what they take.
//!
//! A thread of ours traces the target. Where a function begins it puts a trap into the code (`space`); a thread that comes to it
//! stops, its arguments are read (`told`), and another trap waits where the function returns to. The first instruction is
//! carried out for it where that is simple (`first`), else it takes one step. Of functions that are called often bursts of calls
//! are looked at, spread over the run (`pace`). What was seen is added up for each function (`book`).
//!
//! A thread that leaves a function in another way, by an exception or a long jump, is seen by its stack pointer: what was
//! expected of it is dropped. Traps of the program's own reach it. Children that get a copy of the memory get it without traps,
//! and are not watched.

#[cfg(target_arch = "x86_64")]
mod book;
#[cfg(target_arch = "x86_64")]
mod engine;
#[cfg(target_arch = "x86_64")]
mod first;
#[cfg(target_arch = "x86_64")]
mod pace;
#[cfg(target_arch = "x86_64")]
mod places;
#[cfg(target_arch = "x86_64")]
mod seen;
#[cfg(target_arch = "x86_64")]
mod space;
#[cfg(target_arch = "x86_64")]
mod told;

use std::io;
use std::time::Duration;

use model::native::Callable;
use model::runtime::{Cost, Repeat};
use model::{Gap, Nanos};

use crate::RunError;
use crate::measure::{Measured, Recipe, Rig, Slot, set_user_id};
#[cfg(target_arch = "x86_64")]
use crate::measure::{measure_filtered, order};

/// A run whose functions were watched.
#[derive(Debug)]
pub struct Watched {
    pub run: Measured,
    /// Processes in which a function was watched.
    pub processes: u32,
    pub repeats: Vec<Repeat>,
    pub costs: Vec<Cost>,
    /// How long they were watched.
    pub watched: Nanos,
    pub gaps: Vec<Gap>,
}

/// Runs the target once and watches these functions. `expected`: how long it usually takes.
///
/// # Errors
/// When the target cannot be started, not traced, or does not end in time.
pub fn watch(
    rig: &Rig,
    recipe: &Recipe,
    slot: Slot,
    functions: Vec<Callable>,
    expected: Duration,
) -> Result<Watched, RunError> {
    if set_user_id(recipe) {
        let source = io::Error::other("under a tracer a set-user-id program does not get its privileges");
        return Err(RunError::NoRecorder { source });
    }
    traced(rig, recipe, slot, functions, expected)
}

#[cfg(target_arch = "x86_64")]
fn traced(
    rig: &Rig,
    recipe: &Recipe,
    slot: Slot,
    functions: Vec<Callable>,
    expected: Duration,
) -> Result<Watched, RunError> {
    let mut tracer = None;
    let run = measure_filtered(rig, recipe, slot, None, &order(recipe), |pid| {
        tracer = Some(engine::Tracer::attach(pid, functions, expected)?);
        Ok(())
    });
    let Some(tracer) = tracer else {
        return Err(run.err().unwrap_or(RunError::RecorderLost));
    };
    // It ends with the last of the traced processes, however the run ended.
    let seen = tracer.seen()?;
    let run = run?;
    let watched = run.sample.wall;
    let (repeats, costs, gaps) = seen.told();
    Ok(Watched { run, processes: seen.processes, repeats, costs, watched, gaps })
}

/// Traps and registers of other machines are not known here.
#[cfg(not(target_arch = "x86_64"))]
fn traced(_: &Rig, _: &Recipe, _: Slot, _: Vec<Callable>, _: Duration) -> Result<Watched, RunError> {
    let source = io::Error::other("functions are watched on x86-64 only");
    Err(RunError::NoRecorder { source })
}
