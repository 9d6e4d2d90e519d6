//! The tracer's loop: every stop of every thread, from the first program to the last exit.

use std::collections::{BTreeSet, HashMap};

use model::calls::On;

use super::act::{Act, Acts, Beyond, Way};
use super::book::{Book, Key};
use super::place::Places;
use super::tree::{Pending, Tree, descriptor};
use crate::clock::monotonic;
use crate::ptrace::{self, Entry, Stop};

/// In a storm, one call in so many is looked at.
const ONE_IN: u64 = 16;

/// What the tracer keeps to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Calls from one place that are all looked at.
    pub(super) storm: u64,
    /// First bytes of a message that are kept.
    pub(super) payload: usize,
    /// By the monotonic clock; after it calls are only let through.
    pub(super) until: u64,
}

/// A tracer at work, and in the end what it saw.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) limits: Limits,
    acts: Acts,
    pub(super) tree: Tree,
    pub(super) book: Book,
    pub(super) places: Places,
    sites: HashMap<Site, (u64, Key)>,
    /// When it stopped looking.
    pub(super) stopped: Option<u64>,
    pub(super) stormy: BTreeSet<&'static str>,
    pub(super) beyond: BTreeSet<Beyond>,
}

/// A place that calls are made from; for calls with a descriptor, on that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Site {
    pid: u32,
    number: u64,
    ip: u64,
    sp: u64,
    fd: Option<i32>,
}

impl Watch {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            acts: Acts::new(),
            tree: Tree::new(),
            book: Book::default(),
            places: Places::new(),
            sites: HashMap::new(),
            stopped: None,
            stormy: BTreeSet::new(),
            beyond: BTreeSet::new(),
        }
    }

    /// Until all traced threads are gone.
    pub(super) fn work(&mut self) {
        while let Some((tid, stop)) = ptrace::next() {
            if !matches!(stop, Stop::Gone(_)) {
                self.adopt(tid);
            }
            match stop {
                Stop::Enters => self.enters(tid),
                Stop::Leaves => {
                    self.leaves(tid);
                    ptrace::go(tid, 0);
                }
                Stop::Loaded => {
                    self.loaded(tid);
                    ptrace::go(tid, 0);
                }
                Stop::Signal(signal) => ptrace::go(tid, signal),
                Stop::Halted => ptrace::leave_halted(tid),
                Stop::Made | Stop::Trapped | Stop::Exits | Stop::Other => ptrace::go(tid, 0),
                Stop::Gone(status) => self.gone(tid, status),
            }
        }
    }

    fn adopt(&mut self, tid: i32) {
        if let Some(pid) = self.tree.adopt(tid, monotonic()) {
            self.places.begin(pid);
        }
    }

    fn loaded(&mut self, tid: i32) {
        let pid = tid.cast_unsigned();
        self.tree.loaded(pid, monotonic());
        self.places.begin(pid);
        self.sites.retain(|site, _| site.pid != pid);
    }

    fn gone(&mut self, tid: i32, status: i32) {
        let (pending, process) = self.tree.gone(tid, status, monotonic());
        if let Some(pending) = pending {
            self.book.count((pending.name, pending.on, pending.stack));
        }
        if let Some(pid) = process {
            self.places.forget(pid);
            self.sites.retain(|site, _| site.pid != pid);
        }
    }

    fn enters(&mut self, tid: i32) {
        if self.goes_through(tid) {
            ptrace::go_through(tid);
        } else {
            ptrace::go(tid, 0);
        }
    }

    /// Looks at a call that begins; whether its end matters.
    fn goes_through(&mut self, tid: i32) -> bool {
        let now = monotonic();
        if self.stopped.is_some() || now >= self.limits.until {
            self.stopped.get_or_insert(now);
            self.book.totals.unwatched += 1;
            return false;
        }
        let (Some(entry), Some(pid)) =
            (ptrace::entry(tid), self.tree.threads.get(&tid).map(|thread| thread.pid))
        else {
            return false;
        };
        let Some((name, act)) = self.acts.of(entry.number) else { return false };
        let site = site(pid, &entry, act);
        if matches!(act, Act::Move { way: Way::Out, .. }) && self.writes_map(site) {
            return false;
        }
        self.book.totals.calls += 1;
        if act.may_be_skipped() && self.skips(site, act) {
            self.stormy.insert(name);
            return false;
        }
        if let Act::Beyond(beyond) = act {
            self.beyond.insert(beyond);
        }
        let stack = self.places.of(pid, tid, entry.ip, entry.sp, now);
        let mut pending = Pending {
            name,
            act,
            arguments: entry.arguments,
            on: None,
            stack,
            bytes: Vec::new(),
            path: None,
            entered: 0,
        };
        self.begins(pid, &mut pending, now);
        if act.may_be_skipped() {
            let named = matches!(act, Act::Path { .. });
            self.note(site, (name, if named { None } else { pending.on }, stack));
        }
        if act == Act::Ready
            && let Some(thread) = self.tree.threads.get_mut(&tid)
        {
            thread.polled = Some(now);
        }
        if !act.has_result() {
            self.book.count((name, pending.on, stack));
            return false;
        }
        // The last thing before it goes on: what we did is not the call's.
        if let Some(thread) = self.tree.threads.get_mut(&tid) {
            pending.entered = monotonic();
            thread.pending = Some(pending);
        }
        true
    }

    /// Whether a runtime writes down where its code lies, a line a time: it does so because we asked for it.
    fn writes_map(&mut self, site: Site) -> bool {
        let open = site.fd.and_then(|fd| self.tree.open(site.pid, fd)).and_then(|open| open.on);
        open.is_some_and(|on| self.book.is_map(on, site.pid))
    }

    /// In a storm most calls are only counted, on the object of the last one that was looked at.
    fn skips(&mut self, site: Site, act: Act) -> bool {
        let Some((count, key)) = self.sites.get(&site).copied() else { return false };
        if count < self.limits.storm || count.is_multiple_of(ONE_IN) {
            return false;
        }
        if let Some(fd) = site.fd {
            // The number may be another file's by now.
            let Some(open) = self.tree.open(site.pid, fd).filter(|open| open.on == key.1) else {
                return false;
            };
            open.position = None;
        }
        self.note(site, key);
        self.book.count(key);
        self.book.skipped(key.1, act);
        true
    }

    fn note(&mut self, site: Site, key: Key) {
        let (count, last) = self.sites.entry(site).or_insert((0, key));
        (*count, *last) = (*count + 1, key);
    }

    fn leaves(&mut self, tid: i32) {
        let now = monotonic();
        let Some(thread) = self.tree.threads.get_mut(&tid) else { return };
        let pid = thread.pid;
        let (Some(pending), Some(result)) = (thread.pending.take(), ptrace::result(tid)) else { return };
        self.ends(pid, tid, pending, result, now);
    }

    /// The object of a descriptor.
    pub(super) fn on(&mut self, pid: u32, fd: i32, now: u64) -> Option<On> {
        self.tree.known(pid, fd, now, &mut self.book).and_then(|open| open.on)
    }
}

fn site(pid: u32, entry: &Entry, act: Act) -> Site {
    let fd = match act {
        Act::Path { .. } | Act::Sleep | Act::Ask | Act::Ready => None,
        Act::Copy { to, .. } => entry.arguments.get(to).copied().map(descriptor),
        _ => Some(descriptor(entry.arguments[0])),
    };
    Site { pid, number: entry.number, ip: entry.ip, sp: entry.sp, fd }
}
