//! Events of whole CPUs, which take the place of those of threads in a storm of switches.
//!
//! The kernel moves the events of a thread at each switch; those of a CPU stay where they are. They tell of everybody on
//! the machine, so only root is granted them, and what is not the target's is left out. Opening and closing tracepoints
//! waits for locks of the kernel, so threads of ours do it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::tracepoints::{Tracepoints, Way};
use super::attributes::attributes;
use super::{Begin, Events, Kind, Wish, enable, open};

/// Whether events of whole CPUs may be had, and how far that is.
#[derive(Debug, Default)]
pub(super) enum Widening {
    /// They are not granted, or there already.
    #[default]
    Never,
    Possible(Plan),
    Begun(Receiver<io::Result<Events>>),
}

/// What to open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    period: u64,
    stack_bytes: u32,
    short_bytes: Option<u32>,
    waking: u64,
}

impl Widening {
    pub(super) fn of(wish: &Wish<'_>) -> Self {
        let waking = wish.tracepoints.and_then(|tracepoints| tracepoints.waking);
        match waking.filter(|_| wish.kernel && wish.waking && wish.begin != Begin::Later) {
            Some(waking) => Self::Possible(Plan {
                period: wish.period,
                stack_bytes: wish.stack_bytes,
                short_bytes: wish.short_bytes,
                waking,
            }),
            None => Self::Never,
        }
    }
}

impl Plan {
    fn open(self) -> io::Result<Events> {
        let tracepoints = Tracepoints {
            enter: Vec::new(),
            exit: Vec::new(),
            waking: Some(self.waking),
            raw_enter: None,
            way: Way::Cache,
        };
        let wish = Wish {
            period: super::period_in_windows(self.period),
            stack_bytes: self.stack_bytes,
            short_bytes: self.short_bytes,
            begin: Begin::Later,
            kernel: true,
            waking: true,
            tracepoints: Some(&tracepoints),
        };
        // Whatever runs there.
        const ANY: i32 = -1;
        Events::open(&[ANY], &wish).and_then(|events| match events.kernel && events.waking {
            true => Ok(events),
            false => Err(io::ErrorKind::PermissionDenied.into()),
        })
    }
}

impl Events {
    /// Begins to open events of whole CPUs, once.
    pub(in super::super) fn widen(&mut self) {
        let Widening::Possible(plan) = self.widening else { return };
        let (send, opened) = channel();
        // Nobody takes them when the recording is over.
        let work = move || drop(send.send(plan.open()));
        let begun = std::thread::Builder::new().name("storm".to_owned()).spawn(work).is_ok();
        self.widening = if begun { Widening::Begun(opened) } else { Widening::Never };
    }

    /// Those that were opened, all off, once they are.
    pub(in super::super) fn widened(&mut self) -> Option<Self> {
        let Widening::Begun(opened) = &self.widening else { return None };
        let opened = opened.try_recv().ok()?;
        self.widening = Widening::Never;
        opened.ok()
    }

    /// Lives are told from now on, hits with the switches.
    pub(in super::super) fn begin(&mut self) {
        self.leaders.iter().for_each(|pair| enable(pair.lives.as_fd()));
        self.sparse = true;
    }

    /// Takes them all off the threads, aside.
    pub(in super::super) fn retire(mut self) -> Retired {
        let replaced = self.replacing.take().into_iter().flat_map(super::Replacing::done);
        self.tracepoints.extend(replaced);
        let retired = Retired::default();
        let closing = Arc::clone(&retired.0);
        let work = move || {
            // Whoever closes the last event of a tracepoint keeps all who inherit one waiting: by then nobody does.
            let last: Vec<OwnedFd> =
                self.opened.iter().filter_map(|(kind, id)| anchor(*kind, *id, self.kernel)).collect();
            drop(self);
            closing.lock().unwrap_or_else(PoisonError::into_inner).extend(last);
            while let Some(one) = next(&closing) {
                drop(one);
            }
        };
        // Without a thread they are closed here, slowly: the closure is dropped with all it holds.
        drop(std::thread::Builder::new().name("storm".to_owned()).spawn(work));
        retired
    }
}

/// The last events of tracepoints, each of which takes a while to close.
#[derive(Debug, Default)]
pub(in super::super) struct Retired(Arc<Mutex<Vec<OwnedFd>>>);

impl Retired {
    /// Those that are not closed yet: a program that ends must not wait for them.
    pub(in super::super) fn rest(&self) -> Vec<OwnedFd> {
        std::iter::from_fn(|| next(&self.0)).collect()
    }
}

fn next(closing: &Mutex<Vec<OwnedFd>>) -> Option<OwnedFd> {
    closing.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// An event of our own of a tracepoint, off.
fn anchor(kind: Kind, id: u64, kernel: bool) -> Option<OwnedFd> {
    let wish = Wish {
        period: 1,
        stack_bytes: 0,
        short_bytes: None,
        begin: Begin::Later,
        kernel,
        waking: false,
        tracepoints: None,
    };
    open(&attributes(kind, Some(id), &wish, kernel), 0, -1).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::decode::{self, Body};
    use super::super::super::tracepoints;
    use super::*;

    #[test]
    fn they_tell_of_a_child_that_is_born_after_they_took_over() {
        let found = tracepoints::find(None).ok().filter(|found| found.waking.is_some());
        let wish = Wish {
            period: 1_000_000,
            stack_bytes: 4096,
            short_bytes: None,
            begin: Begin::AtOnce,
            kernel: true,
            waking: true,
            tracepoints: found.as_ref(),
        };
        let Some(mut events) = found.as_ref().and_then(|_| Events::open(&[0], &wish).ok()) else {
            eprintln!("skipped: events of whole CPUs are for root");
            return;
        };
        events.widen();
        let mut wide = loop {
            if let Some(wide) = events.widened() {
                break wide;
            }
            assert!(!matches!(events.widening, Widening::Never), "they were refused");
            std::thread::sleep(Duration::from_millis(1));
        };
        wide.begin();
        drop(events.retire());
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let (pid, ours) = (child.id(), std::process::id());
        child.wait().unwrap();
        let mut bytes = Vec::new();
        wide.lives.iter().for_each(|ring| {
            ring.drain(&mut bytes);
        });
        let (mut rest, mut born, mut ended) = (&bytes[..], false, false);
        while let Some((record, after)) = decode::split(rest) {
            rest = after;
            let Some(record) = decode::record(record, |id| wide.fields(id)) else { continue };
            match record.body {
                Body::Fork { pid: child, .. } if child == pid => born = record.pid == ours,
                Body::Exit if record.pid == pid => ended = true,
                _ => {}
            }
        }
        assert!(born && ended, "{born} {ended}");
        wide.close(std::iter::empty());
    }
}
