//! The thread of ours that empties the rings while the target runs, and looks at whoever waits.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::Duration;

use super::assemble::Assembler;
use super::decode::{self, Body, Record};
use super::events::{Events, Kind};
use super::goroutines;
use super::look;
use super::storm::Storm;
use super::syscalls::Syscall;
use crate::clock::monotonic;

/// Between two looks at the threads that wait. Each finds the places that cost the most time first.
const TICK: Duration = Duration::from_millis(10);

/// Between two looks at Python's frames, so that each hit has a look close by.
const PYTHON_TICK: Duration = Duration::from_millis(4);

/// Records younger than this are left for the next round: those of another CPU may still be on their way.
const UNSETTLED: u64 = 200_000;

/// The scheduler's own figures are read this often.
const SCHEDULER: u64 = 100_000_000;

#[derive(Debug)]
pub(super) struct Collector {
    events: Events,
    pub(super) assembler: Assembler,
    storm: Storm,
    /// Records not yet settled.
    pending: Vec<Vec<u8>>,
    bytes: Vec<u8>,
    scheduler_read: u64,
    hung_up: bool,
}

impl Collector {
    pub(super) fn new(events: Events, assembler: Assembler) -> Self {
        Self {
            events,
            assembler,
            storm: Storm::default(),
            pending: Vec::new(),
            bytes: Vec::new(),
            scheduler_read: 0,
            hung_up: false,
        }
    }

    /// Works until `stop` becomes readable.
    pub(super) fn work(&mut self, stop: BorrowedFd<'_>) {
        loop {
            let tick = if self.assembler.pythons.any() { PYTHON_TICK } else { TICK };
            let stopped = self.sleep(stop, tick);
            let now = monotonic();
            self.round(now, now.saturating_sub(UNSETTLED));
            if stopped {
                return;
            }
        }
    }

    /// Takes what is left and ends every open span.
    pub(super) fn finish(mut self, end: u64) -> (Assembler, Vec<model::recording::Span>) {
        self.round(monotonic(), u64::MAX);
        self.assembler.end(end);
        let watched = self.storm.watched(self.assembler.start.unwrap_or(end), end);
        self.events.close();
        (self.assembler, watched)
    }

    fn round(&mut self, now: u64, settled: u64) {
        self.drain(now, settled);
        self.storm.check(now, &self.events, &mut self.assembler);
        look::at_programs(&mut self.assembler);
        look::at_runtimes(&mut self.assembler);
        goroutines::look(&mut self.assembler, now);
        look::at_waiting(&mut self.assembler, now);
        if now.saturating_sub(self.scheduler_read) >= SCHEDULER {
            self.scheduler_read = now;
            look::at_scheduler(&mut self.assembler);
        }
    }

    /// Reads all rings, sorts what is settled by time and hands it on.
    fn drain(&mut self, now: u64, settled: u64) {
        // Used again each time: fresh memory would be faulted in page by page.
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        for ring in &mut self.events.rings {
            ring.drain(&mut bytes);
        }
        let mut later = Vec::new();
        {
            let events = &self.events;
            let fields = |id| events.fields(id);
            let old = std::mem::take(&mut self.pending);
            let mut records: Vec<Record<'_>> =
                old.iter().filter_map(|record| decode::record(record, fields)).collect();
            let mut rest = bytes.as_slice();
            while let Some((whole, after)) = decode::split(rest) {
                rest = after;
                match decode::record(whole, fields) {
                    Some(record) if record.at > settled => later.push(whole.to_vec()),
                    Some(record) => records.push(record),
                    None => {}
                }
            }
            records.sort_by_key(|record| record.at);
            let running = running(&records, events);
            self.assembler.pythons.look(&running, now, &mut self.assembler.tree);
            for record in &records {
                self.assembler.take(record, |id| events.kind(id));
            }
        }
        self.pending = later;
        self.bytes = bytes;
    }

    /// `true` when it is time to stop.
    fn sleep(&mut self, stop: BorrowedFd<'_>, tick: Duration) -> bool {
        let watched =
            |fd: BorrowedFd<'_>| libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let mut fds = vec![watched(stop.as_fd())];
        if !self.hung_up {
            fds.extend(self.events.leaders().map(watched));
        }
        let time = libc::timespec { tv_sec: 0, tv_nsec: libc::c_long::from(tick.subsec_nanos()) };
        // SAFETY: descriptors of ours with their number, a time that outlives the call, no signal mask.
        let seen = unsafe {
            libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, &raw const time, std::ptr::null())
        };
        if seen < 0 {
            return io::Error::last_os_error().kind() != io::ErrorKind::Interrupted;
        }
        // When everything watched has ended the rings would wake us for ever.
        self.hung_up |= fds.iter().skip(1).any(|fd| fd.revents & libc::POLLHUP != 0);
        fds.first().is_some_and(|stop| stop.revents != 0)
    }

    /// Calls whose tracepoints were switched off because they came too often.
    pub(super) fn silenced(&self) -> Vec<Syscall> {
        self.storm.silenced()
    }
}

/// Processes and threads that were hit, each once.
fn running(records: &[Record<'_>], events: &Events) -> Vec<(u32, u32)> {
    let hit = |record: &&Record<'_>| matches!(&record.body, Body::Sample(sample) if events.kind(sample.id) == Some(Kind::Clock));
    let mut threads: Vec<(u32, u32)> =
        records.iter().filter(hit).map(|record| (record.pid, record.tid)).collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}
