//! Events of threads that run already, in a storm that lasts: for a moment, and for good when it is over.
//!
//! The kernel moves the events of a thread at each switch, so in a storm all are closed but in short windows. There each
//! thread has one event, which tells everything, bound to no CPU: so nobody inherits it, and it has a ring of its own.

use std::collections::HashSet;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::task::Poll;

use super::super::ring;
use super::super::tracepoints::Tracepoints;
use super::attributes::{attributes, window};
use super::{Begin, Copies, Events, Kind, Wish, disable, share};
use crate::clock::monotonic;

/// In windows hits come this many times more often than the user asked for …
const DENSER: u64 = 10;

/// … but not more often than this.
const DENSEST: u64 = 100_000;

/// Of a stack, in windows.
const STACK: u32 = 8 * 1024;

/// What was asked for in the beginning.
#[derive(Clone, Debug)]
pub(in super::super) struct Again {
    period: u64,
    stack_bytes: u32,
    short_bytes: Option<u32>,
    kernel: bool,
    waking: bool,
    tracepoints: Option<Tracepoints>,
}

/// Between two hits of a thread in a window.
pub(in super::super) fn period_in_windows(period: u64) -> u64 {
    (period / DENSER).max(DENSEST).min(period)
}

impl Again {
    pub(super) fn of(wish: &Wish<'_>, kernel: bool) -> Self {
        Self {
            period: wish.period,
            stack_bytes: wish.stack_bytes,
            short_bytes: wish.short_bytes,
            kernel,
            waking: wish.waking,
            tracepoints: wish.tracepoints.cloned(),
        }
    }

    fn wish(&self) -> Wish<'_> {
        Wish {
            period: self.period,
            stack_bytes: self.stack_bytes,
            short_bytes: self.short_bytes,
            begin: Begin::AtOnce,
            kernel: self.kernel,
            waking: self.waking,
            tracepoints: self.tracepoints.as_ref(),
        }
    }

    /// Opens the events of a window on these threads; those that are gone have none.
    ///
    /// # Errors
    /// When no thread is left, or the kernel has no room.
    pub(in super::super) fn window(&self, threads: &[u32], copies: Copies) -> io::Result<Events> {
        const ANY: i32 = -1;
        let stack_bytes = match (copies, self.short_bytes) {
            (Copies::Short, Some(short)) => short,
            _ => self.stack_bytes.min(STACK),
        };
        let wish = Wish { period: period_in_windows(self.period), stack_bytes, ..self.wish() };
        let attributes = window(&attributes(Kind::Clock, None, &wish, self.kernel));
        let mut events = Events { kernel: self.kernel, ..Events::none() };
        let mut opened: Vec<OwnedFd> = Vec::new();
        let mut refusal = io::Error::from(io::ErrorKind::NotFound);
        for thread in threads.iter().filter_map(|thread| i32::try_from(*thread).ok()) {
            match events.event(Kind::Clock, &attributes, thread, ANY) {
                Ok(event) => opened.push(event),
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => refusal = error,
                Err(error) => return Err(error),
            }
        }
        if opened.is_empty() {
            return Err(refusal);
        }
        let each: Vec<BorrowedFd<'_>> = opened.iter().map(AsFd::as_fd).collect();
        events.lives = ring::map_each(&each, stack_bytes)?;
        events.others = opened.into_iter().map(|event| (Kind::Clock, event)).collect();
        Ok(events)
    }

    /// Events of their own for a while: on these threads and whoever they make, with this period. Who is gone has none.
    pub(in super::super) fn newborn(
        &self,
        events: &mut Events,
        threads: &[u32],
        period: u64,
        copies: Copies,
    ) -> Vec<OwnedFd> {
        let stack_bytes = match (copies, self.short_bytes) {
            (Copies::Short, Some(short)) => short,
            _ => self.stack_bytes.min(STACK),
        };
        let wish = Wish { period, stack_bytes, ..self.wish() };
        let attributes = attributes(Kind::Newborn, None, &wish, events.kernel);
        let leaders = events.leaders.iter().map(|pair| Some((pair.cpu, pair.lives.try_clone().ok()?)));
        let Some(leaders) = leaders.collect::<Option<Vec<_>>>() else { return Vec::new() };
        let mut opened = Vec::new();
        for thread in threads.iter().filter_map(|thread| i32::try_from(*thread).ok()) {
            for (cpu, leader) in &leaders {
                let event = events.event(Kind::Newborn, &attributes, thread, *cpu);
                opened.extend(event.ok().filter(|event| share(event.as_fd(), leader.as_fd()).is_ok()));
            }
        }
        opened
    }

    /// Begins to open all events on these threads, aside: tracepoints wait for locks of the kernel. `None` without a thread.
    pub(in super::super) fn begin(&self, threads: &[u32]) -> Option<Opening> {
        let (send, opened) = channel();
        let again = self.clone();
        let each: Vec<i32> = threads.iter().filter_map(|thread| i32::try_from(*thread).ok()).collect();
        // Nobody takes them when the recording is over.
        let work =
            move || drop(send.send(Events::open(&each, &again.wish()).map(|events| (events, monotonic()))));
        let begun = std::thread::Builder::new().name("storm".to_owned()).spawn(work).is_ok();
        begun.then(|| Opening { threads: threads.iter().copied().collect(), opened })
    }
}

/// All events of threads that run, while they are opened.
#[derive(Debug)]
pub(in super::super) struct Opening {
    threads: HashSet<u32>,
    opened: Receiver<io::Result<(Events, u64)>>,
}

/// All events of threads that run.
#[derive(Debug)]
pub(in super::super) struct Ready {
    pub(in super::super) events: Events,
    threads: HashSet<u32>,
    /// When the last one was there: whoever is born later inherits them.
    since: u64,
}

impl Opening {
    /// `None` when the kernel refused them, or a thread was gone.
    pub(in super::super) fn ready(&mut self) -> Poll<Option<Ready>> {
        match self.opened.try_recv() {
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) | Ok(Err(_)) => Poll::Ready(None),
            Ok(Ok((events, since))) => {
                Poll::Ready(Some(Ready { events, threads: std::mem::take(&mut self.threads), since }))
            }
        }
    }
}

impl Ready {
    /// Whether they tell of all these, each with the moment of its birth: a thread that was born while they were opened, or
    /// whose birth nobody told, would go on without any.
    pub(in super::super) fn covers(&self, mut living: impl Iterator<Item = (u32, u64)>) -> bool {
        living.all(|(tid, born)| self.threads.contains(&tid) || born > self.since)
    }
}

impl Events {
    /// None at all.
    pub(in super::super) fn none() -> Self {
        Self {
            lives: Vec::new(),
            switches: Vec::new(),
            wakings: Vec::new(),
            leaders: Vec::new(),
            clocks: Vec::new(),
            others: Vec::new(),
            tracepoints: Vec::new(),
            opened: Vec::new(),
            any_enter: None,
            replacing: None,
            widening: super::Widening::Never,
            again: None,
            kinds: super::QuickMap::default(),
            kernel: false,
            calls: false,
            waking: false,
            sparse: false,
        }
    }

    /// Nothing more is told of a window.
    pub(in super::super) fn end_window(&self) {
        self.others.iter().for_each(|(_, event)| disable(event.as_fd()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::super::decode::{self, Body};
    use super::*;

    fn wish(kernel: bool) -> Wish<'static> {
        Wish {
            period: 1_000_000,
            stack_bytes: 4096,
            short_bytes: None,
            begin: Begin::AtOnce,
            kernel,
            waking: false,
            tracepoints: None,
        }
    }

    fn of_this_thread() -> u32 {
        // SAFETY: takes nothing.
        u32::try_from(unsafe { libc::gettid() }).unwrap()
    }

    #[test]
    fn a_window_tells_of_hits_and_switches_and_a_thread_that_is_gone_is_left_out() {
        let again = Again::of(&wish(false), false);
        let gone = std::thread::spawn(of_this_thread).join().unwrap();
        let Ok(events) = again.window(&[gone, of_this_thread()], Copies::Long) else {
            eprintln!("skipped: no perf events are granted here");
            return;
        };
        assert_eq!(events.lives.len(), 1);
        let (mut hits, mut left, mut came) = (0, 0, 0);
        let begun = Instant::now();
        while hits == 0 || left == 0 || came == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{hits} {left} {came}");
            std::thread::sleep(Duration::from_millis(1));
            std::hint::black_box((0..2_000_000_u64).fold(1, |sum: u64, one| std::hint::black_box(sum ^ one)));
            let mut bytes = Vec::new();
            events.lives.iter().for_each(|ring| {
                ring.drain(&mut bytes);
            });
            let mut rest = &bytes[..];
            while let Some((record, after)) = decode::split(rest) {
                rest = after;
                match decode::record(record, |id| events.fields(id)).map(|record| record.body) {
                    Some(Body::Sample(sample)) => {
                        hits += u32::from(events.kind(sample.id) == Some(Kind::Clock))
                    }
                    Some(Body::Out { .. }) => left += 1,
                    Some(Body::In) => came += 1,
                    _ => {}
                }
            }
        }
        events.end_window();
    }

    #[test]
    fn all_events_come_back_on_threads_that_run() {
        let again = Again::of(&wish(false), false);
        let mut opening = again.begin(&[of_this_thread()]).unwrap();
        let ready = loop {
            match opening.ready() {
                Poll::Pending => std::thread::sleep(Duration::from_millis(1)),
                Poll::Ready(ready) => break ready,
            }
        };
        let Some(mut ready) = ready else {
            eprintln!("skipped: no perf events are granted here");
            return;
        };
        let now = monotonic();
        assert!(ready.covers([(of_this_thread(), 0), (1, now)].into_iter()));
        assert!(
            !ready.covers([(of_this_thread(), 0), (1, 0)].into_iter()),
            "it was born before and nobody knew it"
        );
        let events = &mut ready.events;
        assert!(!events.lives.is_empty() && events.lives.len() == events.switches.len());
        assert!(events.again().is_some_and(|again| again.period == 1_000_000));
    }

    #[test]
    fn windows_are_denser_but_not_without_bound() {
        assert_eq!(period_in_windows(10_000_000), 1_000_000);
        assert_eq!(period_in_windows(1_000_000), DENSEST);
        assert_eq!(period_in_windows(50_000), 50_000);
    }
}
