//! A tracepoint of all calls that takes the place of another, with fewer calls.
//!
//! Opening one waits for a lock of the kernel that whoever closes a tracepoint holds for tens of milliseconds: too long
//! for the thread that empties the rings. The threads that live now get theirs; one that is born meanwhile has none, and
//! its calls are looked at.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::{Receiver, channel};

use super::attributes::attributes;
use super::{Begin, Kind, Wish, open, set_filter, share};

/// In more threads than this none is replaced. Each costs 50 µs for each CPU.
const MOST: usize = 64;

#[derive(Debug)]
pub(super) struct Replacing {
    opened: Receiver<Vec<(Kind, OwnedFd)>>,
}

impl Replacing {
    /// Opens one for each thread and leader, which is a CPU and the event whose ring it writes to. `None` when there are
    /// no threads, or too many.
    pub(super) fn begin(
        id: u64,
        filter: CString,
        leaders: Vec<(i32, OwnedFd)>,
        threads: &[u32],
    ) -> Option<Self> {
        let threads: Vec<i32> = threads.iter().filter_map(|tid| i32::try_from(*tid).ok()).collect();
        if threads.is_empty() || threads.len() > MOST {
            return None;
        }
        let (send, opened) = channel();
        let open_all = move || {
            let each = threads.iter().flat_map(|thread| leaders.iter().map(move |leader| (*thread, leader)));
            // A thread that is gone tells nothing more; what is refused is looked at.
            let events = each.filter_map(|(thread, leader)| one(id, &filter, leader, thread));
            // Nobody takes them when the recording is over, or when still more calls are to be left out.
            drop(send.send(events.map(|event| (Kind::AnyEnter, event)).collect()));
        };
        std::thread::Builder::new().name("storm".to_owned()).spawn(open_all).ok().map(|_| Self { opened })
    }

    /// What was opened so far; if it is not all, nothing.
    pub(super) fn done(self) -> Vec<(Kind, OwnedFd)> {
        self.opened.try_recv().unwrap_or_default()
    }
}

fn one(id: u64, filter: &CString, (cpu, leader): &(i32, OwnedFd), thread: i32) -> Option<OwnedFd> {
    let wish = Wish {
        period: 1,
        stack_bytes: 0,
        short_bytes: None,
        begin: Begin::AtOnce,
        kernel: true,
        waking: false,
        tracepoints: None,
    };
    let event = open(&attributes(Kind::AnyEnter, Some(id), &wish, true), thread, *cpu).ok()?;
    set_filter(event.as_fd(), filter).ok()?;
    share(event.as_fd(), leader.as_fd()).ok()?;
    Some(event)
}
