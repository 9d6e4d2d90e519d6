//! The thread of ours that empties the rings while the target runs, and looks at whoever waits.

mod windows;

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::task::Poll;
use std::time::Duration;

use self::windows::Windows;
use super::assemble::Assembler;
use super::bell::Bell;
use super::copies;
use super::decode::{self, Body, Record};
use super::events::{Again, Events, Kind, Opening, Retired, period_in_windows};
use super::goroutines;
use super::look;
use super::newborn;
use super::pythons::{WasHit, this_cpu};
use super::ring;
use super::storm::{self, Storm};
use super::syscalls::Syscall;
use super::watched::{Mark, Watched};
use crate::clock::monotonic;

/// Between two looks at the threads that wait. Each finds the places that cost the most time first.
const TICK: Duration = Duration::from_millis(10);

/// The longest time between two looks. It is reached, each twice the one before, while nobody has anything to be looked at
/// for: all threads compute or go on waiting. Half of what a round costs is to wake up for it.
const CALM_TICK: Duration = Duration::from_millis(64);

/// Between two looks while a storm is sampled and nothing is told: each costs as much as ten switches.
const STORM_TICK: Duration = Duration::from_millis(25);

/// Between two looks at Python's frames, so that each hit has a look close by.
const PYTHON_TICK: Duration = Duration::from_millis(4);

/// Between two looks in the beginning: a short program would be over after two of the usual ones …
const FIRST_TICK: Duration = Duration::from_millis(2);

/// … which is until so long after the start.
const BEGINNING: u64 = 100_000_000;

/// Records younger than this are left for the next round: those of another CPU may still be on their way.
const UNSETTLED: u64 = 200_000;

/// The scheduler's own figures are read this often …
const SCHEDULER: u64 = 100_000_000;

/// … this often while everybody goes on with what he did …
const SCHEDULER_CALM: u64 = 200_000_000;

/// … and this often where they must tell what the switches do not: what a thread does after the last time is a guess.
const SCHEDULER_ALONE: u64 = 20_000_000;

/// If there are no more threads than this, each of which costs about 6 µs.
const FEW: usize = 16;

/// Where records of a storm are lost, who lives is looked up this often.
const LIVES: u64 = 100_000_000;

/// After a storm all threads may get their events back so many times, until none of them was born meanwhile.
const TRIES: u32 = 4;

#[derive(Debug)]
pub(super) struct Collector {
    events: Events,
    pub(super) assembler: Assembler,
    storm: Storm,
    /// While a storm is seen through them.
    windows: Option<Windows>,
    /// What to open after a storm.
    again: Option<Again>,
    /// Events of threads that take the place of those of whole CPUs.
    narrowing: Option<Opening>,
    /// How often that left somebody out.
    tries: u32,
    /// Records were lost since the living were looked up …
    missed: bool,
    /// … which was then.
    looked: u64,
    /// What a storm left to be closed.
    retired: Vec<Retired>,
    watched: Watched,
    /// CPUs whose ring was full, while the kernel has not told yet how many records did not fit.
    untold: HashSet<u32>,
    /// From the kernel's clock to ours.
    shift: i64,
    /// When events of whole CPUs took over: what they tell from before was told already.
    wide: Option<u64>,
    /// Records not yet settled, one behind the other.
    pending: Vec<u8>,
    bytes: Vec<u8>,
    scheduler_read: u64,
    /// Nothing has moved since the last look.
    calm: bool,
    random: u64,
    /// Until all that is watched has ended.
    bell: Option<Bell>,
}

impl Collector {
    pub(super) fn new(mut events: Events, mut assembler: Assembler) -> Self {
        (assembler.sees_kernel, assembler.sees_wakings) = (events.kernel, events.waking);
        // Without one the next tick finds what the rings hold.
        let bell = Bell::of(events.leaders()).ok();
        let again = events.again();
        Self {
            events,
            assembler,
            storm: Storm::default(),
            windows: None,
            again,
            narrowing: None,
            tries: 0,
            missed: false,
            looked: 0,
            retired: Vec::new(),
            watched: Watched::default(),
            untold: HashSet::new(),
            shift: shift(),
            wide: None,
            pending: Vec::new(),
            bytes: Vec::new(),
            scheduler_read: 0,
            calm: false,
            random: monotonic() | 1,
            bell,
        }
    }

    /// Works until `stop` becomes readable.
    pub(super) fn work(&mut self, stop: BorrowedFd<'_>) {
        let mut now = monotonic();
        let usual = now + BEGINNING;
        let mut tick = TICK;
        loop {
            tick = if now < usual { FIRST_TICK } else { self.next_tick(tick) };
            let is_open = self.windows.as_ref().is_some_and(Windows::are_open);
            let pause = match (is_open, self.storm.is_trying()) {
                (true, _) => Duration::from_nanos(windows::ON / 2),
                (false, true) => Duration::from_nanos(storm::ON),
                (false, false) => uneven(tick, &mut self.random),
            };
            let stopped = self.sleep(stop, pause);
            now = monotonic();
            self.round(now, now.saturating_sub(UNSETTLED));
            if stopped {
                return;
            }
        }
    }

    fn next_tick(&mut self, last: Duration) -> Duration {
        let assembler = &mut self.assembler;
        let moved = std::mem::take(&mut assembler.moved);
        if assembler.pythons.any() {
            return PYTHON_TICK;
        }
        if self.windows.is_some() || self.events.is_sparse() && self.storm.is_paused() {
            self.calm = false;
            return STORM_TICK;
        }
        // In a storm looks tell what switches do not; runtimes that are read from outside go on meanwhile.
        self.calm = !moved
            && !self.watched.interrupted()
            && !assembler.is_read_from_outside()
            && !assembler.code_names.grew;
        after(last, self.calm)
    }

    /// Takes what is left and ends every open span.
    pub(super) fn finish(mut self, end: u64) -> (Assembler, Vec<model::recording::Span>) {
        self.round(monotonic(), u64::MAX);
        if self.assembler.unheard {
            self.assembler.note_gone(end);
        }
        newborn::end(&mut self.assembler, end);
        self.assembler.end(end);
        self.end_windows();
        self.storm.end(&mut self.assembler);
        // It tells with the next record, which did not come: one at least is lost.
        self.assembler.losses.records += self.untold.len() as u64;
        let watched = self.watched.spans(self.assembler.start.unwrap_or(end), end);
        self.events.close(self.retired.iter().flat_map(Retired::rest));
        (self.assembler, watched)
    }

    fn round(&mut self, now: u64, settled: u64) {
        self.assembler.code_names.look(now);
        self.drain(now, settled);
        if self.windows.is_none() {
            self.choose_copies();
            self.storm.check(now, &mut self.events, &mut self.assembler, &mut self.watched);
            self.widen();
            if self.events.is_sparse() && self.missed && now.saturating_sub(self.looked) >= LIVES {
                self.find_missed(now);
            }
            self.narrow(now);
        }
        self.watch_newborns(now);
        self.sample(now);
        look::at_programs(&mut self.assembler);
        look::at_runtimes(&mut self.assembler);
        if let Some(code) = &mut self.assembler.generated {
            code.look();
        }
        goroutines::look(&mut self.assembler, now);
        look::at_waiting(&mut self.assembler, now);
        let alone = self.watched.interrupted() && self.assembler.living().len() <= FEW;
        let pause = match (alone, self.calm) {
            (true, _) => SCHEDULER_ALONE,
            (false, true) => SCHEDULER_CALM,
            (false, false) => SCHEDULER,
        };
        if now.saturating_sub(self.scheduler_read) >= pause {
            self.scheduler_read = now;
            look::at_scheduler(&mut self.assembler, now);
        }
    }

    /// Where switches are told in parts of the time nobody knows how long a thread lived.
    fn watch_newborns(&mut self, now: u64) {
        if self.windows.is_some() || self.events.is_sparse() || self.storm.is_paused() {
            newborn::end(&mut self.assembler, now);
        } else {
            let again = self.again.as_ref();
            newborn::watch(&mut self.assembler, &mut self.events, again, now, self.random);
        }
    }

    /// Lets events of whole CPUs take over once they are there, while switches are not told.
    fn widen(&mut self) {
        let wide = self.storm.is_paused().then(|| self.events.widened()).flatten();
        let Some(mut wide) = wide else { return };
        wide.begin();
        let from = monotonic();
        std::thread::sleep(Duration::from_nanos(UNSETTLED));
        self.drain(monotonic(), from);
        self.pending.clear();
        self.wide = Some(from);
        self.bell = Bell::of(wide.leaders()).ok();
        self.retired.push(std::mem::replace(&mut self.events, wide).retire());
        self.assembler.apart = period_in_windows(self.assembler.period);
        self.storm.sample(&self.assembler);
    }

    /// Lets events of the threads take over again when the storm is over: those of whole CPUs tell of everybody.
    fn narrow(&mut self, now: u64) {
        if !self.events.is_sparse() || !self.storm.is_calm() {
            self.narrowing = None;
            return;
        }
        let Some(opening) = &mut self.narrowing else {
            if self.again.is_some() {
                self.find_missed(now);
                let threads = self.assembler.living_tids();
                self.narrowing = self.again.as_ref().and_then(|again| again.begin(&threads));
            }
            return;
        };
        let Poll::Ready(ready) = opening.ready() else { return };
        self.narrowing = None;
        let Some(mut ready) = ready else { return };
        let from = monotonic();
        std::thread::sleep(Duration::from_nanos(UNSETTLED));
        self.drain(monotonic(), from);
        self.find_missed(from);
        if !ready.covers(self.assembler.living_since()) {
            self.leave_out(ready.events);
            return;
        }
        self.pending.clear();
        self.wide = Some(from);
        self.assembler.look_around(from, from);
        self.again = ready.events.again();
        self.bell = Bell::of(ready.events.leaders()).ok();
        self.storm.is_over(&mut ready.events);
        self.assembler.apart = self.assembler.period;
        self.assembler.unheard = true;
        self.retired.push(std::mem::replace(&mut self.events, ready.events).retire());
    }

    /// Events that would leave somebody out are no use. Where threads are born all the time there will be no others, and those
    /// of whole CPUs stay.
    fn leave_out(&mut self, events: Events) {
        self.retired.push(events.retire());
        self.tries += 1;
        if self.tries >= TRIES {
            self.again = None;
        }
    }

    /// In a storm that is seen through events of whole CPUs records may be lost, those of births as well: whoever is not known
    /// to live is not told of any more.
    fn find_missed(&mut self, now: u64) {
        self.assembler.look_for_missed(self.looked, now);
        (self.missed, self.looked) = (false, now);
    }

    fn choose_copies(&mut self) {
        if self.events.is_sparse() && self.storm.is_paused() {
            return;
        }
        let mut copying = self.assembler.copying;
        let few = || self.assembler.living().len() <= copies::MOST_THREADS;
        if let Some(copies) = copying.wanted(|| self.events.has_short_copies() && few()) {
            self.events.copy(copies);
        }
        self.assembler.copying = copying;
    }

    /// Reads all rings, sorts what is settled by time and hands it on.
    fn drain(&mut self, now: u64, settled: u64) {
        // Used again each time: fresh memory would be faulted in page by page.
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes.append(&mut self.pending);
        let mut full = Vec::new();
        // In windows switches are told in the rings of hits.
        let together = self.events.lives.iter().filter(|_| self.events.switches.is_empty());
        for ring in self.events.switches.iter().chain(together) {
            let before = bytes.len();
            if ring.drain(&mut bytes) {
                full.push((before..bytes.len(), monotonic()));
            }
        }
        for (part, emptied) in full {
            self.note_full(bytes.get(part).unwrap_or_default(), emptied);
        }
        let mut wakings = Vec::new();
        for ring in &self.events.wakings {
            ring.drain(&mut wakings);
        }
        // Where some found no room those waits have no witness; nothing of the target's own is lost.
        wholes(&wakings).filter(|one| decode::is_sample(one)).for_each(|one| bytes.extend_from_slice(one));
        let mut in_place = Vec::new();
        let mut records: Vec<&[u8]> = Vec::new();
        for ring in &self.events.lives {
            match ring.in_place() {
                Some(published) => {
                    published.records(ring.stack, &mut records, &mut bytes);
                    in_place.push((ring, published.to));
                }
                None => {
                    ring.drain(&mut bytes);
                }
            }
        }
        records.extend(wholes(&bytes));
        let hands = Hands {
            assembler: &mut self.assembler,
            watched: &mut self.watched,
            untold: &mut self.untold,
            wide: self.wide,
        };
        self.pending = hands.take(&records, (&self.events, self.shift), now, settled);
        in_place.iter().for_each(|(ring, to)| ring.release(*to));
        self.bytes = bytes;
    }

    /// A ring of switches had no room left after its last record.
    fn note_full(&mut self, bytes: &[u8], emptied: u64) {
        let last = wholes(bytes).last();
        if let Some(last) = last.and_then(|last| decoded(last, &self.events, self.shift)) {
            self.watched.mark(last.at, Mark::Full);
            self.watched.mark(emptied, Mark::Emptied);
            self.untold.insert(last.cpu);
            self.missed = true;
        }
    }

    /// `true` when it is time to stop.
    fn sleep(&mut self, stop: BorrowedFd<'_>, tick: Duration) -> bool {
        let watched = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        // The kernel passes over a negative one.
        let bell = self.bell.as_ref().map_or(-1, |bell| bell.as_fd().as_raw_fd());
        let mut fds = [watched(stop.as_raw_fd()), watched(bell)];
        let time = libc::timespec { tv_sec: 0, tv_nsec: libc::c_long::from(tick.subsec_nanos()) };
        // SAFETY: descriptors of ours with their number, a time that outlives the call, no signal mask.
        let seen = unsafe {
            libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, &raw const time, std::ptr::null())
        };
        if seen < 0 {
            return io::Error::last_os_error().kind() != io::ErrorKind::Interrupted;
        }
        let [stop, bell] = fds;
        if bell.revents != 0 {
            self.bell.take_if(|bell| bell.answer());
        }
        stop.revents != 0
    }

    /// Calls whose tracepoints were switched off because they came too often.
    pub(super) fn silenced(&self) -> Vec<Syscall> {
        self.storm.silenced()
    }
}

/// Those who follow what the records tell.
struct Hands<'a> {
    assembler: &'a mut Assembler,
    watched: &'a mut Watched,
    untold: &'a mut HashSet<u32>,
    wide: Option<u64>,
}

impl Hands<'_> {
    /// Takes what is settled, in the order of time. Returns the rest.
    fn take(self, records: &[&[u8]], (events, shift): (&Events, i64), now: u64, settled: u64) -> Vec<u8> {
        let stack = events.lives.first().map_or(0, |ring| ring.stack);
        let mut later = Vec::new();
        let mut order: Vec<(u64, u32)> = Vec::with_capacity(records.len());
        for (index, record) in (0..).zip(records) {
            let at = decode::time(record, |id| events.fields(id)).map(|at| at.saturating_add_signed(shift));
            if at.is_some_and(|at| at > settled) {
                ring::copy(record, stack, &mut later);
            }
            order.extend(at.map(|at| (at, index)));
        }
        // Of those made at the same moment, the one that was found first is first.
        order.sort_unstable();
        let read = |(_, index): &(u64, u32)| decoded(records.get(*index as usize)?, events, shift);
        let pythons = &mut self.assembler.pythons;
        let hit = if pythons.any() { hit(order.iter().filter_map(read), events) } else { Vec::new() };
        pythons.look(&hit, now, &mut self.assembler.tree);
        for record in order.iter().take_while(|(at, _)| *at <= settled).filter_map(read) {
            while let Some((at, watched)) = self.watched.change(record.at) {
                self.assembler.watch(at, watched);
            }
            if matches!(record.body, Body::Lost { .. }) {
                self.untold.remove(&record.cpu);
            }
            if !self.concerns(&record, events) {
                continue;
            }
            self.assembler.take(&record, |id| events.kind(id));
        }
        while let Some((at, watched)) = self.watched.change(settled) {
            self.assembler.watch(at, watched);
        }
        later
    }

    /// Events of whole CPUs tell of everybody, at first of what was told before, and of a thread even after its end.
    fn concerns(&self, record: &Record<'_>, events: &Events) -> bool {
        let ours = || match &record.body {
            // It is of whoever wakes, and about somebody else.
            Body::Sample(sample) if events.kind(sample.id) == Some(Kind::Waking) => true,
            Body::Lost { .. } | Body::Throttled => true,
            // Whoever loads a program goes on as the first thread, though that one had ended.
            Body::Name { .. } => self.assembler.process_index(record.pid).is_some(),
            _ => self.assembler.living_thread(record.tid).is_some(),
        };
        self.wide.is_none_or(|from| record.at > from && ours())
    }
}

/// Between a half and one and a half of a tick: a program with a rhythm of its own must not be seen in step with it.
fn uneven(tick: Duration, random: &mut u64) -> Duration {
    // Marsaglia's xorshift.
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    let part = u32::try_from(*random % 1024).unwrap_or(0);
    tick * (512 + part) / 1024
}

/// The tick after `last`, where no runtime asks for another.
fn after(last: Duration, calm: bool) -> Duration {
    if calm { (last * 2).clamp(TICK, CALM_TICK) } else { TICK }
}

fn wholes(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (whole, after) = decode::split(rest)?;
        rest = after;
        Some(whole)
    })
}

/// A record in our own time.
fn decoded<'a>(bytes: &'a [u8], events: &Events, shift: i64) -> Option<Record<'a>> {
    let record = decode::record(bytes, |id| events.fields(id))?;
    Some(Record { at: record.at.saturating_add_signed(shift), ..record })
}

/// What a container's clock is ahead of the machine's, which the kernel stamps its records with.
fn shift() -> i64 {
    let offsets = std::fs::read_to_string("/proc/self/timens_offsets").unwrap_or_default();
    offsets.lines().find_map(monotonic_offset).unwrap_or(0)
}

/// Of the line `monotonic   86400   0`: seconds and nanoseconds.
fn monotonic_offset(line: &str) -> Option<i64> {
    let mut words = line.strip_prefix("monotonic")?.split_ascii_whitespace().map(str::parse::<i64>);
    let (seconds, nanos) = (words.next()?.ok()?, words.next()?.ok()?);
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

/// Threads that were hit, each once, of records in the order of time.
fn hit<'a>(records: impl Iterator<Item = Record<'a>>, events: &Events) -> Vec<WasHit> {
    let mut threads: HashMap<u32, WasHit> = HashMap::new();
    let ours = this_cpu();
    for record in records {
        // Whoever was on our CPU last is not on it now.
        let elsewhere = Some(record.cpu) != ours;
        match &record.body {
            Body::Sample(sample) if matches!(events.kind(sample.id), Some(Kind::Clock | Kind::Newborn)) => {
                threads.insert(
                    record.tid,
                    WasHit { pid: record.pid, tid: record.tid, runs: elsewhere, left: None },
                );
            }
            Body::In | Body::Out { .. } => {
                if let Some(thread) = threads.get_mut(&record.tid) {
                    thread.runs = elsewhere && matches!(record.body, Body::In);
                    thread.left = matches!(record.body, Body::Out { .. }).then_some(record.at);
                }
            }
            _ => {}
        }
    }
    threads.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_computes_is_looked_at_less_and_less_often_until_somebody_waits() {
        let ticks = std::iter::successors(Some(FIRST_TICK), |last| Some(after(*last, true)));
        assert_eq!(ticks.take(5).collect::<Vec<_>>(), [FIRST_TICK, TICK, TICK * 2, TICK * 4, CALM_TICK]);
        assert_eq!(after(CALM_TICK, false), TICK);
    }

    #[test]
    fn ticks_are_uneven_and_right_on_average() {
        let mut random = 7;
        let ticks: Vec<Duration> = (0..4000).map(|_| uneven(TICK, &mut random)).collect();
        assert!(ticks.iter().all(|tick| (TICK / 2..TICK * 3 / 2).contains(tick)));
        let mean = ticks.iter().sum::<Duration>() / 4000;
        assert!(mean > TICK * 97 / 100 && mean < TICK * 103 / 100, "{mean:?}");
    }

    #[test]
    fn a_container_s_clock_is_read_with_its_sign_and_nothing_else_is_believed() {
        assert_eq!(monotonic_offset("monotonic       86400         5"), Some(86_400_000_000_005));
        assert_eq!(monotonic_offset("monotonic          -1         0"), Some(-1_000_000_000));
        for line in ["boottime 1 1", "monotonic 1", "monotonic x 0", "monotonic 9223372036854775807 0", ""] {
            assert_eq!(monotonic_offset(line), None, "{line}");
        }
    }
}
