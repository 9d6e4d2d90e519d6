//! The heap pass: the target under a small library that counts and samples what it allocates.
//!
//! The library (`preload/heap.rs`, built by `build.rs`) is put before the target's allocator by `LD_PRELOAD` and shares
//! a file with us for each program that a process of the tree runs (`layout`, `shared`). A thread of ours empties the
//! rings and unwinds (`collect`); when the target has ended, samples are weighed (`weigh`) and named (`finish`).

mod collect;
mod finish;
#[path = "../../preload/layout.rs"]
#[expect(dead_code, reason = "the library uses the rest")]
mod layout;
mod maps;
mod place;
mod reach;
mod shared;
mod weigh;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::thread::JoinHandle;

use model::heap::Heap;
use model::{Bytes, Nanos};

use collect::Collector;
use place::Place;

use crate::RunError;
use crate::clock::{monotonic, of_this_thread};
use crate::measure::{Measured, Recipe, Rig, Slot, measure_with};

/// How to watch the heap.
#[derive(Clone, Debug)]
pub struct Options {
    /// Mean bytes between two samples. One costs the target some 5 µs, a thread of Python's about a hundred, because it waits
    /// meanwhile; so a thread has about a thousand a second at most, one of Python's a hundred and as many of small objects.
    pub interval: Bytes,
    /// Where the user's own code lies.
    pub project: PathBuf,
}

impl Options {
    pub const INTERVAL: Bytes = Bytes::from_bytes(512 * 1024);
}

/// A watched run.
#[derive(Debug)]
pub struct Watched {
    /// No timing may come from it.
    pub measured: Measured,
    pub heap: Heap,
}

/// Runs the target once under the heap library.
///
/// # Errors
/// As [`crate::measure`], and when the library cannot be laid out. A target that the library does not reach is no
/// error: its heap is unknown and the gaps say why.
pub fn watch(rig: &Rig, recipe: &Recipe, slot: Slot, options: &Options) -> Result<Watched, RunError> {
    let refused = |source| RunError::NoRecorder { source };
    let place = Place::make().map_err(refused)?;
    let interval = options.interval.as_bytes().max(1);
    let asked = place.asked(recipe, interval);
    let (stop, stopped) = pipe().map_err(refused)?;
    let mut worker = None;
    let outcome =
        measure_with(rig, &asked, slot, None, |_| worker = Worker::begin(place, stop, stopped).ok());
    let ended = monotonic();
    let worker = worker.ok_or_else(|| refused(io::Error::from(io::ErrorKind::OutOfMemory)))?;
    let (collector, cpu) = worker.end().ok_or_else(|| refused(io::Error::from(io::ErrorKind::BrokenPipe)))?;
    let measured = outcome?;
    let pass = finish::Pass {
        interval,
        begun: measured.begun,
        end: measured.begun + measured.sample.wall.as_nanos(),
        options,
        recipe,
        cpu,
    };
    let mut heap = finish::heap(collector, &pass);
    if let Some(cost) = &mut heap.cost {
        cost.after = Nanos::from_nanos(monotonic().saturating_sub(ended));
    }
    heap.run = Some(measured.sample.clone());
    Ok(Watched { measured, heap })
}

/// The thread at work.
struct Worker {
    stop: File,
    thread: JoinHandle<(Collector, Nanos)>,
}

impl Worker {
    fn begin(place: Place, stop: OwnedFd, stopped: OwnedFd) -> io::Result<Self> {
        let thread = std::thread::Builder::new().name("heap".to_owned()).spawn(move || {
            let mut collector = Collector::new(place);
            collector.work(stopped.as_fd());
            (collector, of_this_thread())
        })?;
        Ok(Self { stop: File::from(stop), thread })
    }

    /// `None` when the thread failed.
    fn end(mut self) -> Option<(Collector, Nanos)> {
        let _ = self.stop.write_all(b"x");
        self.thread.join().ok()
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: an array of two descriptors; the results are new and ours.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        let [read, write] = ends;
        Ok((OwnedFd::from_raw_fd(write), OwnedFd::from_raw_fd(read)))
    }
}
