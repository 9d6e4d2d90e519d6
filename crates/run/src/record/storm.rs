//! Keeping the recorder's cost bounded when a program switches or calls very often.
//!
//! A switch costs its thread 0.6 µs to tell, the beginning of a call 0.75 µs (measured in a VM, see the feasibility
//! study). Above the rates below that is more than two hundredths of a CPU. Then switches are told a twentieth of the
//! time only, until they come less often again; calls that come too often are not told any more, and who waits in them is
//! found by looking.
//!
//! An event that is switched off still costs. Of a switch of 5.0 µs between two processes through pipes, two calls
//! included (least CPU time of 25 runs of 80,000 switches, two CPUs):
//!
//! | events of the threads | costs | events of whole CPUs | costs |
//! |---|---|---|---|
//! | any one, though it never comes | +7 % | page faults and lives | 0 % |
//! | clock at 999 Hz | +11 % | clock at 999 Hz | +4 % |
//! | … and switches, off | +14 % | … and switches, off | +6 % |
//! | … and page faults, a second clock, off | +15 % | | |
//! | … and wakings, off; and calls, off | +25 % | … and wakings, off | +8 % |
//! | all but calls, on | +50 % | switches, on | +21 % |
//!
//! Closing some is no way out: the first thread's events are then not those of the others any more, so the kernel takes
//! all of them off and on at each switch, which costs 9 µs. Closing all is. So in a storm that lasts root gets events of
//! whole CPUs (`events/wide`), whose clock goes with the switches; others get one event a thread, for 10 ms of each 250
//! (`collector/windows`, `events/again`). Between them /proc tells who lives and what each used, and hits are weighed by that
//! (`sampled`). When the storm is over all get back what they had.
//!
//! What is left of closed events, empty lists at each thread, costs as much as one that never comes, for as long as any event
//! on this machine belongs to a thread or asks for switches, and a second longer. Of 10 µs a switch with its work, 100,000
//! a second (median of 14 runs on another, quiet machine):
//!
//! | of the threads | costs |
//! |---|---|
//! | one event that never comes; closed ones | +3.4 %, +3.3 % |
//! | the clock at 999 Hz | +22 % |
//! | one event for 10 ms of each 250; for 20 | +2.8 %, +3.8 % |
//! | the whole recorder, before: an ordinary user | +19 % |
//! | the whole recorder: an ordinary user; root; root at 10 Hz | +4 %, +4 %, +5 % |

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::Assembler;
use super::events::Events;
use super::sampled::Sampled;
use super::syscalls::Syscall;
use super::watched::{Mark, Watched};
use crate::clock::monotonic;

/// Switches a second from which on they are told in parts of the time: 25,000 × 0.6 µs is 1.5 % of one CPU.
const SWITCHES: u64 = 25_000;

/// Calls of one kind a second from which on they are not told: 15,000 × 0.75 µs is 1.1 % of one CPU.
const CALLS: u64 = 15_000;

/// So many calls of one kind are told whatever their rate: 4 ms of one CPU, once. A runtime that starts writes its map of
/// 3,000 functions a line a time, and what the program itself writes is wanted.
const FREE: u64 = 5_000;

/// Switches a second up to which a tracepoint may be replaced. Threads with events of their own, not inherited ones, switch
/// by 8 µs slower: 1,000 of these are 0.8 % of one CPU.
const CALM: u64 = 1_000;

/// Rates are taken over this time. A burst that is too much for it is seen before it has passed.
const WINDOW: u64 = 50_000_000;

/// In a storm: told for this long, whatever comes meanwhile, so that busy times are not cut shorter than quiet ones …
pub(super) const ON: u64 = 5_000_000;

/// … of each this long.
const OF: u64 = 100_000_000;

/// So many times this rate was not reached in a row before that is done after a storm.
const CALM_WINDOWS: u32 = 6;

/// A storm is over when so many of these in a row were calm: others may have taken the CPU in one of them.
const CALM_ROWS: u32 = 3;

#[derive(Debug, Default)]
pub(super) struct Storm {
    /// When counting began.
    since: u64,
    /// Switches are not told since.
    paused: Option<u64>,
    /// They are told again, to see whether the storm goes on.
    trying: bool,
    /// How often in a row it did not.
    calm: u32,
    silenced: BTreeSet<Syscall>,
    /// Calls told before the window that is under way.
    told: BTreeMap<Syscall, u64>,
    /// With these, all other calls had to be left out.
    all_silenced: bool,
    /// It went on when switches were told again.
    lasts: bool,
    /// So many times in a row threads could have had events that are not inherited.
    calm_windows: u32,
    /// Threads are hit while switches are told only.
    sampled: Option<Sampled>,
}

impl Storm {
    pub(super) fn check(
        &mut self,
        now: u64,
        events: &mut Events,
        assembler: &mut Assembler,
        watched: &mut Watched,
    ) {
        if self.since == 0 {
            self.since = now;
            return;
        }
        match self.paused {
            Some(since) if now - since >= OF - ON => self.resume(now, events, assembler, watched),
            Some(_) => {}
            None => self.count_switches(now, events, assembler, watched),
        }
        self.count_calls(now, events, assembler);
        if now - self.since >= WINDOW {
            let calm = self.paused.is_none() && assembler.switches <= most(CALM, now - self.since, WINDOW);
            self.calm_windows = if calm { self.calm_windows + 1 } else { 0 };
            self.begin_window(now, assembler);
        }
    }

    fn begin_window(&mut self, now: u64, assembler: &mut Assembler) {
        self.since = now;
        assembler.switches = 0;
        for (call, count) in assembler.calls_begun.drain() {
            *self.told.entry(call).or_default() += count;
        }
    }

    fn count_switches(
        &mut self,
        now: u64,
        events: &mut Events,
        assembler: &mut Assembler,
        watched: &mut Watched,
    ) {
        let window = if self.trying { ON } else { WINDOW };
        let often = assembler.switches > most(SWITCHES, now - self.since, window);
        if self.trying {
            if now - self.since < ON {
                return;
            }
            self.calm = if often { 0 } else { self.calm + 1 };
        }
        if !often && (!self.trying || self.calm >= CALM_ROWS) {
            (self.trying, self.calm) = (false, 0);
            self.end(assembler);
            return;
        }
        match &mut self.sampled {
            Some(sampled) => sampled.close(assembler),
            None => self.sampled = events.is_sparse().then(|| Sampled::begin(assembler)),
        }
        watched.mark(monotonic(), Mark::Pause);
        events.switch(false, assembler.copying.now());
        self.paused = Some(now);
        self.lasts = self.trying && often;
        // Events of whole CPUs tell of no calls.
        if self.lasts && self.all_silenced {
            events.widen();
        }
    }

    fn resume(&mut self, now: u64, events: &Events, assembler: &mut Assembler, watched: &mut Watched) {
        events.switch(true, assembler.copying.now());
        watched.mark(monotonic(), Mark::Resume);
        if let Some(sampled) = &mut self.sampled {
            sampled.open(assembler);
        }
        (self.paused, self.trying) = (None, true);
        self.begin_window(now, assembler);
    }

    fn count_calls(&mut self, now: u64, events: &mut Events, assembler: &mut Assembler) {
        let elapsed = now - self.since;
        let most_calls = most(CALLS, elapsed, WINDOW);
        let silenced = self.silenced.len();
        let told = |call: &Syscall| self.told.get(call).copied().unwrap_or(0);
        let often = assembler
            .calls_begun
            .iter()
            .filter(|(call, count)| **count > most_calls && told(call) + **count > FREE);
        self.silenced.extend(often.map(|(call, _)| *call));
        if self.silenced.len() > silenced {
            let calm = self.paused.is_none() && assembler.switches <= most(CALM, elapsed, WINDOW);
            let threads = if calm { assembler.living_tids() } else { Vec::new() };
            self.all_silenced = !events.silence(&self.silenced(), &threads);
        }
        if !self.silenced.is_empty() {
            assembler.forget_calls(|call| self.all_silenced || self.silenced.contains(&call));
        }
    }

    /// Threads are hit in windows only from now on.
    pub(super) fn sample(&mut self, assembler: &Assembler) {
        self.sampled = Some(Sampled::begin(assembler));
    }

    /// Threads are always hit again, or the recording is over.
    pub(super) fn end(&mut self, assembler: &mut Assembler) {
        if let Some(mut sampled) = self.sampled.take() {
            if self.paused.is_none() {
                sampled.close(assembler);
            }
            sampled.end(assembler);
        }
    }

    /// It goes on, and switches are not told now.
    pub(super) fn lasts(&self) -> bool {
        self.lasts && self.paused.is_some()
    }

    /// Threads may have events again that are not inherited.
    pub(super) fn is_calm(&self) -> bool {
        self.calm_windows >= CALM_WINDOWS
    }

    /// Threads have new events.
    pub(super) fn is_over(&mut self, events: &mut Events) {
        (self.since, self.paused, self.trying, self.lasts) = (0, None, false, false);
        (self.calm, self.calm_windows) = (0, 0);
        if !self.silenced.is_empty() {
            self.all_silenced = !events.silence(&self.silenced(), &[]);
        }
    }

    /// Switches are told for a moment.
    pub(super) fn is_trying(&self) -> bool {
        self.trying && self.paused.is_none()
    }

    /// Switches are not told now.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Calls that are not told any more.
    pub(super) fn silenced(&self) -> Vec<Syscall> {
        self.silenced.iter().copied().collect()
    }
}

/// How many come at this rate in the time that has passed, or in the window that is under way.
fn most(rate: u64, elapsed: u64, window: u64) -> u64 {
    rate.saturating_mul(elapsed.max(window)) / 1_000_000_000
}
