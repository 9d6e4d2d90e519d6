//! A storm that lasts, seen through windows: between them no thread has an event, and /proc tells who lives.

use std::task::Poll;
use std::time::Duration;

use super::super::bell::Bell;
use super::super::events::{Events, Opening, period_in_windows};
use super::super::sampled::Sampled;
use super::super::watched::Mark;
use super::{Collector, FEW, TRIES, UNSETTLED, uneven};
use crate::clock::monotonic;

/// A window lasts this long. In it a switch takes half as long again, in a storm of 100,000 a second …
pub(super) const ON: u64 = 10_000_000;

/// … and this long, more or less, there is none.
const OFF: Duration = Duration::from_millis(240);

/// Whoever was born later may not be the last: births between windows are seen late.
const NEWEST: u64 = 100_000_000;

/// Switches a nanosecond up to which threads may get their events back. They are not inherited then, which makes each
/// switch 8 µs longer: 1,000 a second are 0.8 % of one CPU.
const CALM: f64 = 1e-6;

/// A storm is over when so many times between two windows were calm.
const CALM_ROWS: u32 = 3;

#[derive(Debug)]
pub(super) struct Windows {
    sampled: Sampled,
    is_open: bool,
    /// When the present one ends, or the next one begins.
    next: u64,
    /// When the last one ended.
    ended: u64,
    calm: u32,
    /// For after the storm.
    opening: Option<Opening>,
}

impl Windows {
    pub(super) fn are_open(&self) -> bool {
        self.is_open
    }
}

impl Collector {
    /// Goes on with a storm that is seen through windows, or begins to where one lasts.
    pub(super) fn sample(&mut self, now: u64) {
        self.windows = match self.windows.take() {
            None => self.begin_windows(now),
            Some(windows) => self.go_on(windows, now),
        };
    }

    pub(super) fn end_windows(&mut self) {
        if let Some(mut windows) = self.windows.take() {
            if windows.is_open {
                windows.sampled.close(&self.assembler);
            }
            windows.sampled.end(&mut self.assembler);
        }
    }

    /// Root has events of whole CPUs, which tell who wakes whom.
    fn begin_windows(&mut self, now: u64) -> Option<Windows> {
        let assembler = &self.assembler;
        let newest = assembler.threads.last().map_or(0, |thread| thread.from);
        let few = assembler.living().len() <= FEW && newest + NEWEST < now;
        if !self.storm.lasts() || self.events.waking || self.again.is_none() || !few || !self.is_plain() {
            return None;
        }
        std::thread::sleep(Duration::from_nanos(UNSETTLED));
        self.drain(monotonic(), u64::MAX);
        self.bell = None;
        self.retired.push(std::mem::replace(&mut self.events, Events::none()).retire());
        self.assembler.forget_calls(|_| true);
        self.assembler.apart = period_in_windows(self.assembler.period);
        self.assembler.unheard = true;
        let (sampled, ended) = (Sampled::begin(&self.assembler), monotonic());
        let next = ended + self.pause();
        Some(Windows { sampled, is_open: false, next, ended, calm: 0, opening: None })
    }

    /// Runtimes are read while their threads are hit: of a window that would be a handful of looks.
    fn is_plain(&self) -> bool {
        !self.assembler.pythons.any() && !self.assembler.is_read_from_outside()
    }

    fn pause(&mut self) -> u64 {
        u64::try_from(uneven(OFF, &mut self.random).as_nanos()).unwrap_or(0)
    }

    fn go_on(&mut self, mut windows: Windows, now: u64) -> Option<Windows> {
        match windows.opening.as_mut().map(Opening::ready) {
            Some(Poll::Pending) => return Some(windows),
            Some(Poll::Ready(ready)) => {
                windows.opening = None;
                self.assembler.look_around(windows.ended, now);
                match ready {
                    Some(ready) if self.tries >= TRIES || ready.covers(self.assembler.living_since()) => {
                        return self.leave(windows, ready.events);
                    }
                    Some(ready) => {
                        self.tries += 1;
                        self.retired.push(ready.events.retire());
                    }
                    // Threads came or went meanwhile.
                    None => {}
                }
            }
            None => {}
        }
        if now >= windows.next {
            if windows.is_open {
                self.close_window(&mut windows)
            } else {
                self.open_window(&mut windows, now)
            }
        }
        Some(windows)
    }

    fn open_window(&mut self, windows: &mut Windows, now: u64) {
        let calm = windows.sampled.switches(&self.assembler) <= CALM;
        windows.calm = if calm { windows.calm + 1 } else { 0 };
        self.assembler.look_around(windows.ended, now);
        let threads = self.assembler.living_tids();
        let Some(again) = &self.again else { return };
        if windows.calm >= CALM_ROWS || threads.len() > 2 * FEW || !self.is_plain() {
            windows.opening = again.begin(&threads);
            windows.calm = 0;
            return;
        }
        // Where all have gone there is nothing to be told.
        if let Ok(events) = again.window(&threads, self.assembler.copying.now()) {
            self.events = events;
            self.watched.mark(monotonic(), Mark::Resume);
            windows.sampled.open(&mut self.assembler);
            (windows.is_open, windows.next) = (true, monotonic() + ON);
        } else {
            windows.next = now + self.pause();
        }
    }

    fn close_window(&mut self, windows: &mut Windows) {
        windows.sampled.close(&self.assembler);
        windows.ended = monotonic();
        self.watched.mark(windows.ended, Mark::Pause);
        self.events.end_window();
        self.drain(monotonic(), u64::MAX);
        self.events = Events::none();
        (windows.is_open, windows.next) = (false, windows.ended + self.pause());
    }

    /// The storm is over: threads have all their events again.
    fn leave(&mut self, windows: Windows, mut events: Events) -> Option<Windows> {
        windows.sampled.end(&mut self.assembler);
        self.assembler.apart = self.assembler.period;
        self.assembler.look_around(windows.ended, monotonic());
        self.again = events.again();
        self.bell = Bell::of(events.leaders()).ok();
        self.storm.is_over(&mut events);
        self.events = events;
        self.watched.mark(monotonic(), Mark::Resume);
        None
    }
}
