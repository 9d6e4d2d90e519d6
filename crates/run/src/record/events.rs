//! The perf events of one recording, opened on a process that has not begun or on threads that run already.
//!
//! One event of each kind for each CPU, because an event that children inherit may only write to a ring when it is
//! bound to a CPU. A CPU has two rings: what a storm of switches and calls fills must not take the room of births, ends,
//! mappings and hits.

mod again;
mod attributes;
mod replacing;
mod wide;

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use perf_event_open_sys as perf;
use perf_event_open_sys::bindings::{PERF_FLAG_FD_CLOEXEC, perf_event_attr};
use stacks::Registers;
use stacks::hash::QuickMap;

pub(super) use self::again::{Again, Opening, period_in_windows};
use self::attributes::{attributes, fields};
use self::replacing::Replacing;
pub(super) use self::wide::Retired;
use self::wide::Widening;
use super::ring::{self, Ring};
use super::syscalls::Syscall;
use super::tracepoints::Tracepoints;

/// What an event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Where a thread is, each period of CPU time.
    Clock,
    /// The same for those who live too short for that, in parts of the time.
    Newborn,
    /// Leaving and entering a CPU.
    Switches,
    /// A page had to be fetched. Programs, mappings, names, births and ends are told with it.
    MajorFault,
    /// So many pages were touched for the first time.
    Touches,
    /// A call begins.
    Enter(Syscall),
    /// Any call of our list begins: the record says which.
    AnyEnter,
    /// A thread is made runnable, by the thread the record belongs to or by what interrupted it.
    Waking,
}

/// Which parts a sample of an event has.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each bit of the kernel's sample type")]
pub(super) struct Fields {
    pub(super) ip: bool,
    pub(super) address: bool,
    pub(super) kernel_chain: bool,
    pub(super) raw: bool,
    pub(super) registers: bool,
    /// All of them, where registers are there at all.
    pub(super) general: bool,
    pub(super) stack: bool,
}

/// The kernel's numbers of the registers we want, ascending: frame pointer, (link register,) stack and instruction.
#[cfg(target_arch = "x86_64")]
pub(super) const REGISTERS: [u32; 3] = [6, 7, 8];
#[cfg(target_arch = "aarch64")]
pub(super) const REGISTERS: [u32; 4] = [29, 30, 31, 32];

#[cfg(target_arch = "x86_64")]
pub(super) fn registers([bp, sp, ip]: [u64; 3]) -> Registers {
    Registers { ip, sp, bp, lr: 0 }
}
#[cfg(target_arch = "aarch64")]
pub(super) fn registers([bp, lr, sp, ip]: [u64; 4]) -> Registers {
    Registers { ip, sp, bp, lr }
}

/// Calls that threads wait in or wake others with, the most telling first.
const CALLS: [&str; 24] = [
    "futex",
    "read",
    "epoll_wait",
    "poll",
    "clock_nanosleep",
    "wait4",
    "recvfrom",
    "write",
    "epoll_pwait",
    "fsync",
    "fdatasync",
    "sendto",
    "recvmsg",
    "connect",
    "accept4",
    "select",
    "pselect6",
    "ppoll",
    "sendmsg",
    "writev",
    "accept",
    "pread64",
    "nanosleep",
    "waitid",
];

/// More of these, where one tracepoint tells of all calls: there each costs a comparison.
const MORE_CALLS: [&str; 9] = [
    "msync",
    "pwrite64",
    "flock",
    "sync_file_range",
    "sendfile",
    "recvmmsg",
    "epoll_pwait2",
    "io_uring_enter",
    "semtimedop",
];

/// Tracepoint events on all CPUs together. Each is inherited by each new thread, which costs that thread about 9 µs, and
/// each tracepoint takes 30 ms to close, in which no other thread can inherit. What is left out is found by looking.
const MOST_TRACEPOINTS: usize = 24;

/// Of first touches of pages one in so many is looked at: a program that does nothing else makes some 2,000 looks a second.
pub(super) const TOUCHES: u64 = 509;

/// When events begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// When the process loads its program.
    AtExec,
    AtOnce,
    /// When they are switched on, on whole CPUs: nobody inherits them.
    Later,
}

/// What to open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    /// CPU time between two hits of one thread.
    pub(super) period: u64,
    pub(super) stack_bytes: u32,
    /// Of the copies that may take their place later, if any.
    pub(super) short_bytes: Option<u32>,
    pub(super) begin: Begin,
    /// Whether to ask for the kernel's part, too.
    pub(super) kernel: bool,
    /// Whether to ask who wakes whom.
    pub(super) waking: bool,
    pub(super) tracepoints: Option<&'a Tracepoints>,
}

#[derive(Debug)]
pub(super) struct Events {
    /// Births, ends, mappings, hits.
    pub(super) lives: Vec<Ring>,
    /// Switches and calls.
    pub(super) switches: Vec<Ring>,
    /// Wakings: those of others, which are most of them, must not take the room of our own switches.
    pub(super) wakings: Vec<Ring>,
    /// The events whose rings the others share.
    leaders: Vec<Leaders>,
    clocks: Vec<Clock>,
    /// All other events but tracepoints.
    others: Vec<(Kind, OwnedFd)>,
    tracepoints: Vec<(Kind, OwnedFd)>,
    /// The numbers of theirs.
    opened: Vec<(Kind, u64)>,
    /// The tracepoint of all calls, where that is used.
    any_enter: Option<u64>,
    replacing: Option<Replacing>,
    widening: Widening,
    /// For after a storm. `None` for those of whole CPUs.
    again: Option<Again>,
    kinds: QuickMap<u64, Kind>,
    /// Kernel stacks and kernel samples are granted.
    pub(super) kernel: bool,
    /// System calls are seen.
    pub(super) calls: bool,
    /// Wakings are, all of the machine.
    pub(super) waking: bool,
    /// Hits are told with the switches only.
    sparse: bool,
}

/// The two events of a CPU that have a ring.
#[derive(Debug)]
struct Leaders {
    cpu: i32,
    lives: OwnedFd,
    switches: OwnedFd,
}

/// The sampler of a thread on a CPU, and the same with short copies of the stack, which is off at first.
#[derive(Debug)]
struct Clock {
    long: OwnedFd,
    short: Option<OwnedFd>,
}

/// How much of a stack is copied with each hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    Long,
    Short,
}

impl Events {
    /// Opens everything this user is granted on these threads.
    ///
    /// # Errors
    /// When not even time on the CPU may be sampled.
    pub(super) fn open(threads: &[i32], wish: &Wish<'_>) -> io::Result<Self> {
        let mut events = Self { widening: Widening::of(wish), kernel: wish.kernel, ..Self::none() };
        let (first, rest) = threads.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut refusal = io::Error::from(io::ErrorKind::NotFound);
        let mut leaders = Vec::new();
        for cpu in online_cpus() {
            match events.lead(cpu, *first, wish) {
                Ok(pair) => leaders.push(pair),
                // The CPU went away, or the thread did: others may still be seen.
                Err(error) if matches!(error.raw_os_error(), Some(libc::ENODEV | libc::ESRCH)) => {
                    refusal = error
                }
                Err(error) => return Err(error),
            }
        }
        if leaders.is_empty() {
            return Err(refusal);
        }
        let lives: Vec<BorrowedFd<'_>> = leaders.iter().map(|(pair, _)| pair.lives.as_fd()).collect();
        let switches: Vec<BorrowedFd<'_>> = leaders.iter().map(|(pair, _)| pair.switches.as_fd()).collect();
        (events.lives, events.switches) = ring::map_all(&lives, &switches, wish.stack_bytes)?;
        for (pair, clock) in leaders {
            events.add_clock(clock, *first, &pair, wish)?;
            events.follow(&pair, (*first, rest), wish)?;
            events.leaders.push(pair);
        }
        events.open_wakings(wish);
        events.again = (wish.begin != Begin::Later).then(|| Again::of(wish, events.kernel));
        Ok(events)
    }

    /// With the sampler, which tells what is granted.
    fn lead(&mut self, cpu: i32, thread: i32, wish: &Wish<'_>) -> io::Result<(Leaders, OwnedFd)> {
        let clock = self.clock(thread, cpu, wish)?;
        let mut leader = |kind| self.event(kind, &attributes(kind, None, wish, self.kernel), thread, cpu);
        Ok((Leaders { cpu, lives: leader(Kind::MajorFault)?, switches: leader(Kind::Switches)? }, clock))
    }

    /// All that goes into the rings of one CPU besides its leaders.
    fn follow(&mut self, to: &Leaders, (first, rest): (i32, &[i32]), wish: &Wish<'_>) -> io::Result<()> {
        for thread in rest {
            if let Ok(clock) = self.clock(*thread, to.cpu, wish) {
                self.add_clock(clock, *thread, to, wish)?;
            }
            self.software(Kind::MajorFault, *thread, to.cpu, wish, to.lives.as_fd())?;
            self.software(Kind::Switches, *thread, to.cpu, wish, to.switches.as_fd())?;
        }
        for thread in std::iter::once(&first).chain(rest) {
            // Whoever sees the kernel at work sees that, too.
            if !self.kernel {
                self.software(Kind::Touches, *thread, to.cpu, wish, to.lives.as_fd())?;
            }
            self.open_tracepoints(*thread, to.cpu, wish, to.switches.as_fd())?;
        }
        Ok(())
    }

    /// Without it less is told of waits; the account shows what is missing.
    fn software(
        &mut self,
        kind: Kind,
        thread: i32,
        cpu: i32,
        wish: &Wish<'_>,
        leader: BorrowedFd<'_>,
    ) -> io::Result<()> {
        if let Ok(event) = self.event(kind, &attributes(kind, None, wish, self.kernel), thread, cpu) {
            share(event.as_fd(), leader)?;
            self.others.push((kind, event));
        }
        Ok(())
    }

    /// All wakings of the machine: a timer or a disk interrupts whoever runs, and an event of the thread that is woken does
    /// not tell of it.
    fn open_wakings(&mut self, wish: &Wish<'_>) {
        const ANY: i32 = -1;
        let waking = wish.tracepoints.and_then(|tracepoints| tracepoints.waking);
        let Some(id) = waking.filter(|_| self.kernel && wish.waking && counts_alike()) else { return };
        // Nobody loads a program in such an event.
        let begin = if wish.begin == Begin::Later { Begin::Later } else { Begin::AtOnce };
        let attributes = attributes(Kind::Waking, Some(id), &Wish { begin, ..*wish }, true);
        let cpus: Vec<i32> = self.leaders.iter().map(|pair| pair.cpu).collect();
        let opened: io::Result<Vec<OwnedFd>> =
            cpus.iter().map(|cpu| self.event(Kind::Waking, &attributes, ANY, *cpu)).collect();
        let Ok(opened) = opened else { return };
        let each: Vec<BorrowedFd<'_>> = opened.iter().map(AsFd::as_fd).collect();
        let Ok(rings) = ring::map_each(&each, 0) else { return };
        self.wakings = rings;
        self.tracepoints.extend(opened.into_iter().map(|event| (Kind::Waking, event)));
        self.opened.push((Kind::Waking, id));
        self.waking = true;
    }

    fn open_tracepoints(
        &mut self,
        thread: i32,
        cpu: i32,
        wish: &Wish<'_>,
        leader: BorrowedFd<'_>,
    ) -> io::Result<()> {
        let Some(tracepoints) = wish.tracepoints else { return Ok(()) };
        for (kind, id) in chosen(tracepoints, self.kernel) {
            if let Ok(event) = self.event(kind, &attributes(kind, Some(id), wish, self.kernel), thread, cpu) {
                if kind == Kind::AnyEnter {
                    filter(&[]).map_or(Ok(()), |filter| set_filter(event.as_fd(), &filter))?;
                    self.any_enter = Some(id);
                }
                share(event.as_fd(), leader)?;
                self.tracepoints.push((kind, event));
                if !self.opened.contains(&(kind, id)) {
                    self.opened.push((kind, id));
                }
                self.calls |= matches!(kind, Kind::Enter(_) | Kind::AnyEnter);
            }
        }
        Ok(())
    }

    /// The sampler; without the kernel's part where that is refused.
    fn clock(&mut self, thread: i32, cpu: i32, wish: &Wish<'_>) -> io::Result<OwnedFd> {
        let with = |kernel| attributes(Kind::Clock, None, wish, kernel);
        match self.event(Kind::Clock, &with(self.kernel), thread, cpu) {
            Err(error) if self.kernel && error.kind() == io::ErrorKind::PermissionDenied => {
                self.kernel = false;
                self.event(Kind::Clock, &with(false), thread, cpu)
            }
            other => other,
        }
    }

    fn add_clock(&mut self, long: OwnedFd, thread: i32, to: &Leaders, wish: &Wish<'_>) -> io::Result<()> {
        share(long.as_fd(), to.lives.as_fd())?;
        let short = wish.short_bytes.and_then(|bytes| {
            let attributes =
                attributes::waiting(Kind::Clock, &Wish { stack_bytes: bytes, ..*wish }, self.kernel);
            self.event(Kind::Clock, &attributes, thread, to.cpu).ok()
        });
        if let Some(short) = &short {
            share(short.as_fd(), to.lives.as_fd())?;
        }
        self.clocks.push(Clock { long, short });
        Ok(())
    }

    fn event(
        &mut self,
        kind: Kind,
        attributes: &perf_event_attr,
        thread: i32,
        cpu: i32,
    ) -> io::Result<OwnedFd> {
        let event = open(attributes, thread, cpu)?;
        let mut id = 0_u64;
        // SAFETY: the kernel writes one number.
        if unsafe { perf::ioctls::ID(event.as_raw_fd(), &raw mut id) } < 0 {
            return Err(io::Error::last_os_error());
        }
        self.kinds.insert(id, kind);
        Ok(event)
    }

    pub(super) fn kind(&self, id: u64) -> Option<Kind> {
        // Those opened later, by another thread, are all of one kind.
        self.kinds.get(&id).copied().or_else(|| self.replacing.as_ref().map(|_| Kind::AnyEnter))
    }

    pub(super) fn fields(&self, id: u64) -> Option<Fields> {
        self.kind(id).map(|kind| fields(kind, self.kernel))
    }

    /// For waiting until a ring is half full.
    pub(super) fn leaders(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let wakings = self.tracepoints.iter().filter(|(kind, _)| *kind == Kind::Waking);
        let pairs = self.leaders.iter().flat_map(|pair| [pair.lives.as_fd(), pair.switches.as_fd()]);
        pairs.chain(wakings.map(|(_, event)| event.as_fd()))
    }

    /// What was asked for, once.
    pub(super) fn again(&mut self) -> Option<Again> {
        self.again.take()
    }

    /// Whether hits are told with the switches only.
    pub(super) fn is_sparse(&self) -> bool {
        self.sparse
    }

    /// Stops or goes on with switches and wakings, in every thread.
    pub(super) fn switch(&self, on: bool, copies: Copies) {
        match (self.sparse, on) {
            (true, true) => self.copy(copies),
            (true, false) => self.stop_clocks(),
            (false, _) => {}
        }
        let wanted = |(kind, _): &&(Kind, OwnedFd)| matches!(kind, Kind::Switches | Kind::Waking);
        let others = self.others.iter().chain(&self.tracepoints).filter(wanted);
        let leaders = self.leaders.iter().map(|pair| &pair.switches);
        for event in leaders.chain(others.map(|(_, event)| event)) {
            if on {
                enable(event.as_fd());
            } else {
                disable(event.as_fd());
            }
        }
    }

    /// Whether there may be short copies.
    pub(super) fn has_short_copies(&self) -> bool {
        self.clocks.iter().all(|clock| clock.short.is_some())
    }

    /// Copies so much of a stack from now on, in every thread. Who is born at this very moment may take over the state of
    /// before; another time sets that right.
    pub(super) fn copy(&self, copies: Copies) {
        for Clock { long, short } in &self.clocks {
            let (off, on) = match (copies, short) {
                (_, None) => (None, long),
                (Copies::Long, Some(short)) => (Some(short), long),
                (Copies::Short, Some(short)) => (Some(long), short),
            };
            off.iter().for_each(|off| disable(off.as_fd()));
            enable(on.as_fd());
        }
    }

    fn stop_clocks(&self) {
        for Clock { long, short } in &self.clocks {
            std::iter::once(long).chain(short).for_each(|event| disable(event.as_fd()));
        }
    }

    /// No longer tells when these calls begin. The kernel gives an event one filter for life, so the one that tells of
    /// all calls is replaced in these threads. Returns whether other calls are still told.
    pub(super) fn silence(&mut self, calls: &[Syscall], threads: &[u32]) -> bool {
        self.tracepoints.extend(self.replacing.take().into_iter().flat_map(Replacing::done));
        for (kind, event) in &self.tracepoints {
            match kind {
                Kind::AnyEnter => disable(event.as_fd()),
                Kind::Enter(call) if calls.contains(call) => disable(event.as_fd()),
                _ => {}
            }
        }
        let leaders = self.leaders.iter().map(|pair| Some((pair.cpu, pair.switches.try_clone().ok()?)));
        if let (Some(id), Some(leaders), Some(filter)) = (self.any_enter, leaders.collect(), filter(calls)) {
            self.replacing = Replacing::begin(id, filter, leaders, threads);
        }
        self.any_enter.is_none() || self.replacing.is_some()
    }

    /// Closing the last event of a tracepoint costs 40 ms; others do that for us.
    pub(super) fn close(mut self, retired: impl Iterator<Item = OwnedFd>) {
        self.tracepoints.extend(self.replacing.take().into_iter().flat_map(Replacing::done));
        let tracepoints = self.tracepoints.into_iter().map(|(_, event)| event);
        super::closer::close_elsewhere(tracepoints.chain(retired).collect());
    }
}

/// The tracepoints to open: all calls through one where the kernel's part is granted, else one for each call.
fn chosen(tracepoints: &Tracepoints, kernel: bool) -> Vec<(Kind, u64)> {
    match tracepoints.raw_enter.filter(|_| kernel) {
        Some(id) => vec![(Kind::AnyEnter, id)],
        None => {
            let room = MOST_TRACEPOINTS / online_cpus().len();
            let id =
                |call: Syscall| tracepoints.enter.iter().find(|(_, known)| *known == call).map(|(id, _)| *id);
            calls().filter_map(|call| Some((Kind::Enter(call), id(call)?))).take(room).collect()
        }
    }
}

/// Whether the numbers of threads that the kernel writes into a waking are those that we know them by: of a container it
/// writes those outside.
fn counts_alike() -> bool {
    const FIRST: &str = "pid:[4026531836]";
    std::fs::read_link("/proc/self/ns/pid").is_ok_and(|namespace| namespace.as_os_str() == FIRST)
}

fn calls() -> impl Iterator<Item = Syscall> {
    CALLS.iter().filter_map(|name| Syscall::named(name))
}

/// Lets only our calls pass, without these; `None` when none is left.
fn filter(without: &[Syscall]) -> Option<CString> {
    let more = MORE_CALLS.iter().filter_map(|name| Syscall::named(name));
    let wanted = calls().chain(more).filter(|call| !without.contains(call));
    let words: Vec<String> = wanted.map(|call| format!("id=={}", call.0)).collect();
    CString::new(words.join("||")).ok().filter(|_| !words.is_empty())
}

fn set_filter(event: BorrowedFd<'_>, filter: &CStr) -> io::Result<()> {
    // SAFETY: our own descriptor and a text that ends in zero.
    match unsafe { perf::ioctls::SET_FILTER(event.as_raw_fd(), filter.as_ptr().cast_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn open(attributes: &perf_event_attr, thread: i32, cpu: i32) -> io::Result<OwnedFd> {
    let mut attributes = *attributes;
    // SAFETY: an attribute struct of ours with its size; the result is checked and new.
    unsafe {
        let fd = perf::perf_event_open(&raw mut attributes, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC.into());
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

fn enable(event: BorrowedFd<'_>) {
    // SAFETY: our own descriptor and a plain request.
    unsafe { perf::ioctls::ENABLE(event.as_raw_fd(), 0) };
}

fn disable(event: BorrowedFd<'_>) {
    // SAFETY: our own descriptor and a plain request.
    unsafe { perf::ioctls::DISABLE(event.as_raw_fd(), 0) };
}

fn share(event: BorrowedFd<'_>, leader: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: two descriptors of ours.
    match unsafe { perf::ioctls::SET_OUTPUT(event.as_raw_fd(), leader.as_raw_fd()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// CPUs that can run anything now; the first alone where the kernel does not tell.
pub(super) fn online_cpus() -> Vec<i32> {
    let list = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let cpus: Vec<i32> = list.trim().split(',').filter_map(range).flatten().collect();
    if cpus.is_empty() { vec![0] } else { cpus }
}

fn range(text: &str) -> Option<std::ops::RangeInclusive<i32>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Some(from.parse().ok()?..=to.parse().ok()?)
}
