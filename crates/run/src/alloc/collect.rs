//! The thread of ours that empties the rings while the target runs, unwinds at once and keeps interned stacks only.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use model::heap::Losses;
use stacks::{End, Raw, Registers, Tree, Unwinder};

use super::layout;
use super::maps;
use super::place::Place;
use super::shared::{Counted, Event, Shared, Told};
use crate::clock::monotonic;
use crate::record::pythons::{Native, Pythons};

/// Between two rounds. The ring of a process holds 500 samples.
const TICK: Duration = Duration::from_millis(10);

/// The mappings of a process are read again at most this often, when a stack leads out of those known.
const MAPS_AGAIN: u64 = 5_000_000;

/// Between two moments of a process on the timeline.
const MOMENT: u64 = 1_000_000;

#[derive(Debug)]
pub(super) struct Collector {
    place: Place,
    seen: HashSet<OsString>,
    pub(super) programs: Vec<Program>,
    pub(super) reader: Reader,
}

/// A program that a process ran.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) told: Told,
    /// `None` when it is over.
    shared: Option<Shared>,
    pub(super) counted: Counted,
    pub(super) runtime: Option<String>,
    /// The sample that lives at an address.
    living: HashMap<u64, usize>,
    maps_read: u64,
    maps_wait: u64,
    moment: u64,
}

/// A sampled allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    pub(super) program: usize,
    pub(super) at: u64,
    pub(super) size: u64,
    pub(super) key: u64,
    /// Mean bytes between two samples of its kind.
    pub(super) interval: u64,
    /// It was chosen by chance, and not because its site was to be looked at.
    pub(super) by_chance: bool,
    pub(super) tid: u32,
    /// In the tree of raw stacks.
    pub(super) stack: Option<u32>,
    /// When, and whether the thread that made it did.
    pub(super) freed: Option<(u64, bool)>,
}

/// What samples become.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) unwinder: Unwinder,
    pub(super) tree: Tree,
    pythons: Pythons,
    pub(super) samples: Vec<Sampled>,
    /// Moment, program, live bytes.
    pub(super) moments: Vec<(u64, usize, i64)>,
    pub(super) losses: Losses,
    frames: Vec<Raw>,
}

impl Collector {
    pub(super) fn new(place: Place) -> Self {
        let reader = Reader {
            unwinder: Unwinder::new(),
            tree: Tree::new(),
            pythons: Pythons::default(),
            samples: Vec::new(),
            moments: Vec::new(),
            losses: Losses::default(),
            frames: Vec::new(),
        };
        Self { place, seen: HashSet::new(), programs: Vec::new(), reader }
    }

    /// Works until `stop` becomes readable, and then takes what is left.
    pub(super) fn work(&mut self, stop: BorrowedFd<'_>) {
        while !self.sleep(stop) {
            self.round(false);
        }
        self.round(true);
    }

    fn round(&mut self, last: bool) {
        self.welcome();
        for at in 0..self.programs.len() {
            let Some(program) = self.programs.get_mut(at).filter(|program| program.shared.is_some()) else {
                continue;
            };
            // First asked, then drained: what it wrote before it ended is there.
            let ended = last || !crate::process::exists(program.told.pid);
            program.drain(at, ended, &mut self.reader);
            if ended {
                self.reader.unwinder.exit(program.told.pid);
                self.reader.pythons.forget(program.told.pid);
                self.remove(at);
            }
        }
    }

    /// Opens the files of programs that have begun, in the order of their beginning.
    fn welcome(&mut self) {
        let Ok(entries) = std::fs::read_dir(&self.place.folder) else { return };
        let mut fresh = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_file = name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
            if !is_file || self.seen.contains(&name) {
                continue;
            }
            let open = || {
                let file = File::options().read(true).write(true).open(entry.path())?;
                Shared::open(&file)
            };
            // One that is not filled in yet is looked at in the next round.
            if let Ok(Some(shared)) = open() {
                self.seen.insert(name);
                fresh.push((shared.told(), shared));
            }
        }
        fresh.sort_by_key(|(told, _)| told.started);
        for (told, shared) in fresh {
            self.begin(told, shared);
        }
    }

    fn begin(&mut self, told: Told, shared: Shared) {
        let pid = told.pid;
        let earlier =
            self.programs.iter().rposition(|program| program.told.pid == pid && program.shared.is_some());
        if let Some(earlier) = earlier {
            // The process has loaded another program.
            if let Some(program) = self.programs.get_mut(earlier) {
                program.drain(earlier, true, &mut self.reader);
            }
            self.reader.pythons.forget(pid);
        }
        match told.forked_from {
            Some(parent) => {
                self.reader.unwinder.fork(parent, pid);
                self.reader.pythons.forked(parent, pid);
            }
            None => {
                self.reader.unwinder.exec(pid);
                for mapping in maps::executable(&told.maps) {
                    self.reader.unwinder.map(pid, &mapping);
                    self.reader.pythons.mapped(pid, &mapping.path);
                }
            }
        }
        self.programs.push(Program {
            moment: told.started,
            told,
            shared: Some(shared),
            counted: Counted::default(),
            runtime: None,
            living: HashMap::new(),
            maps_read: 0,
            maps_wait: MAPS_AGAIN,
        });
    }

    /// The files of a process that is over take memory for nothing, and another process may get its number.
    fn remove(&mut self, at: usize) {
        let Some(pid) = self.programs.get(at).map(|program| program.told.pid) else { return };
        let programs = self.programs.iter().take(at + 1).filter(|program| program.told.pid == pid).count();
        for number in 0..programs {
            let name = OsString::from(format!("{pid}.{number}"));
            let _ = std::fs::remove_file(self.place.folder.join(&name));
            self.seen.remove(&name);
        }
    }

    /// `true` when it is time to stop.
    fn sleep(&mut self, stop: BorrowedFd<'_>) -> bool {
        let watched = |fd: i32| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds = [watched(stop.as_raw_fd()), watched(self.place.bell.as_raw_fd())];
        let time = libc::timespec { tv_sec: 0, tv_nsec: libc::c_long::from(TICK.subsec_nanos()) };
        // SAFETY: two descriptors of ours, a time that outlives the call, no signal mask.
        let seen = unsafe { libc::ppoll(fds.as_mut_ptr(), 2, &raw const time, std::ptr::null()) };
        if seen < 0 {
            return io::Error::last_os_error().kind() != io::ErrorKind::Interrupted;
        }
        let [stop, bell] = fds;
        if bell.revents != 0 {
            let _ = self.place.bell.read(&mut [0; 512]);
        }
        stop.revents != 0
    }
}

impl Program {
    fn drain(&mut self, at: usize, ended: bool, reader: &mut Reader) {
        let Some(mut shared) = self.shared.take() else { return };
        shared.drain(ended, |event| reader.take(at, self, event));
        if ended {
            self.counted = shared.counted();
            reader.losses.samples += self.counted.lost_samples;
            reader.losses.frees += self.counted.lost_frees;
            reader.losses.crowded_threads += self.counted.threads.saturating_sub(layout::SHARDS as u64);
            // Its memory is gone with it.
            reader.moments.push((monotonic(), at, 0));
            return;
        }
        reader.moment(monotonic(), at, self, shared.live());
        self.shared = Some(shared);
    }
}

impl Reader {
    fn moment(&mut self, at: u64, index: usize, program: &mut Program, live: i64) {
        if at >= program.moment {
            program.moment = at + MOMENT;
            self.moments.push((at, index, live.saturating_add(program.told.inherited)));
        }
    }

    fn take(&mut self, index: usize, program: &mut Program, event: Event<'_>) {
        match event {
            Event::Allocation { record, stack } => {
                let found = self.stack(program, record, stack);
                self.moment(record.at, index, program, record.live);
                program.living.insert(record.address, self.samples.len());
                // A thread that stood still for us begins to live with its block only now.
                let at = if self.pythons.knows(program.told.pid) { monotonic() } else { record.at };
                self.samples.push(Sampled {
                    program: index,
                    at,
                    size: record.size,
                    key: record.key,
                    interval: record.interval.max(1),
                    by_chance: record.why & layout::LOOK == 0,
                    tid: record.tid,
                    stack: found,
                    freed: None,
                });
            }
            Event::Free { at, address, tid } => {
                let sample = program.living.remove(&address).and_then(|sample| self.samples.get_mut(sample));
                if let Some(sample) = sample {
                    sample.freed = Some((at, tid == sample.tid));
                }
            }
        }
    }

    /// Unwinds and stores a stack. Where it leads out of the code that is known, the mappings are read anew.
    fn stack(&mut self, program: &mut Program, record: &layout::Allocation, bytes: &[u8]) -> Option<u32> {
        let pid = program.told.pid;
        // Inside the call, not behind it.
        let ip = record.ip.wrapping_sub(1);
        let registers = Registers { ip, sp: record.sp, bp: record.bp, lr: 0 };
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        let mut end = self.unwinder.unwind(pid, &registers, bytes, &mut frames);
        let now = monotonic();
        let leads_out = end == End::Cut || frames.iter().any(|raw| matches!(raw, Raw::Anonymous { .. }));
        if leads_out && now.saturating_sub(program.maps_read) >= program.maps_wait {
            program.maps_read = now;
            // Code made at run time stays unknown however often one looks.
            program.maps_wait = program.maps_wait.saturating_mul(2);
            if self.unwinder.read_maps(pid).is_ok() {
                frames.clear();
                end = self.unwinder.unwind(pid, &registers, bytes, &mut frames);
            }
        }
        self.losses.stacks += 1;
        self.losses.cut_stacks += u64::from(end == End::Cut);
        self.python(program, record.tid, now, &mut frames);
        let stack = self.tree.intern(&frames);
        self.frames = frames;
        stack
    }

    /// A thread of Python stands still until its record is taken, so its frames are those of this allocation.
    fn python(&mut self, program: &mut Program, tid: u32, now: u64, frames: &mut Vec<Raw>) {
        let pid = program.told.pid;
        if !self.pythons.any() {
            return;
        }
        if !self.pythons.knows(pid) {
            self.pythons.recognise();
            for found in self.pythons.recognised() {
                if found.pid == pid {
                    program.runtime = Some(found.version);
                }
            }
        }
        self.pythons.look_at_waiting(pid, tid, now, &mut self.tree);
        let native = Native { pid, tid, at: None, frames, unwinder: &self.unwinder, copied: None };
        self.pythons.weave(native, &mut self.tree);
    }
}
