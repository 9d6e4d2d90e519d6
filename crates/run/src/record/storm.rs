//! Keeping the recorder's cost bounded when a program switches or calls very often.
//!
//! A switch costs its thread 0.6 µs to tell, the beginning of a call 0.75 µs (measured in a VM, see the feasibility
//! study). Above the rates below that is more than two hundredths of a CPU. Then switches are told a tenth of the time
//! only, and calls that come too often are not told at all; who waits in them is found by looking.

use std::collections::HashMap;

use model::Nanos;
use model::recording::Span;

use super::assemble::Assembler;
use super::events::{Events, Kind};
use super::syscalls::Syscall;

/// Switches a second from which on they are told in parts of the time: 25,000 × 0.6 µs is 1.5 % of one CPU.
const SWITCHES: u64 = 25_000;

/// Calls of one kind a second from which on they are not told: 15,000 × 0.75 µs is 1.1 % of one CPU.
const CALLS: u64 = 15_000;

/// Rates are taken over at least this time.
const WINDOW: u64 = 50_000_000;

/// In a storm: told for this long …
const ON: u64 = 10_000_000;

/// … of each this long.
const OF: u64 = 100_000_000;

#[derive(Debug, Default)]
pub(super) struct Storm {
    since: u64,
    /// When the present state of telling switches began; `None` while there was no storm.
    telling: Option<(bool, u64)>,
    spans: Vec<Span>,
    silenced: HashMap<Syscall, u64>,
}

impl Storm {
    pub(super) fn check(&mut self, now: u64, events: &Events, assembler: &mut Assembler) {
        if self.since == 0 {
            self.since = now;
            return;
        }
        match self.telling {
            Some((true, since)) if now - since >= ON => self.stop(now, events, assembler),
            Some((false, since)) if now - since >= OF - ON => {
                events.switch(Kind::Switches, true);
                events.switch(Kind::Waking, true);
                assembler.watch(now, true);
                self.telling = Some((true, now));
                self.since = now;
                assembler.switches = 0;
            }
            _ => {}
        }
        let elapsed = now - self.since;
        if elapsed < WINDOW {
            return;
        }
        if self.telling.is_none() && rate(assembler.switches, elapsed) > SWITCHES {
            let start = assembler.start.unwrap_or(now);
            self.spans.push(span(start, start, now));
            self.telling = Some((true, now.saturating_sub(ON)));
            self.stop(now, events, assembler);
        }
        let silenced = self.silenced.len();
        for (call, count) in assembler.calls_begun.drain() {
            if rate(count, elapsed) > CALLS {
                self.silenced.insert(call, now);
            }
        }
        if self.silenced.len() > silenced {
            events.silence(&self.silenced.keys().copied().collect::<Vec<_>>());
        }
        assembler.forget_calls(|call| self.silenced.contains_key(&call));
        assembler.switches = 0;
        self.since = now;
    }

    fn stop(&mut self, now: u64, events: &Events, assembler: &mut Assembler) {
        if let (Some((true, since)), Some(start)) = (self.telling, assembler.start) {
            // The first span, up to the discovery of the storm, is there already.
            if self.spans.last().is_none_or(|last| last.to < Nanos::from_nanos(now - start)) {
                self.spans.push(span(start, since, now));
            }
        }
        events.switch(Kind::Switches, false);
        events.switch(Kind::Waking, false);
        assembler.watch(now, false);
        self.telling = Some((false, now));
    }

    /// The times in which switches were told; none when they always were.
    pub(super) fn watched(mut self, start: u64, end: u64) -> Vec<Span> {
        if let Some((true, since)) = self.telling {
            self.spans.push(span(start, since, end));
        }
        self.spans
    }

    pub(super) fn silenced(&self) -> Vec<Syscall> {
        let mut calls: Vec<Syscall> = self.silenced.keys().copied().collect();
        calls.sort_unstable();
        calls
    }
}

fn rate(count: u64, elapsed: u64) -> u64 {
    count.saturating_mul(1_000_000_000) / elapsed.max(1)
}

fn span(start: u64, from: u64, to: u64) -> Span {
    let since = |at: u64| Nanos::from_nanos(at.saturating_sub(start));
    Span { from: since(from), to: since(to) }
}
