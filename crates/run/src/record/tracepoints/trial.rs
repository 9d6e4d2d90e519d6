//! Which tracepoint is which, found by making calls and watching what counts.
//!
//! A process of its own opens every number that is granted (about 700 of 4095), makes each wanted call a number of
//! times that is its alone, and sees which two counters moved just as often: the call's entry and its return. Then it
//! answers, waits until nobody minds, and takes its time to exit, because closing all those tracepoints takes half a minute.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use super::super::closer::{agreement, close_elsewhere, close_in_quiet, detached};
use super::super::syscalls::Syscall;
use super::{NoTracepoints, Tracepoints, Way, counter, wanted};

/// Linux 6.18 has about 1800 tracepoints of its own; modules add more, but no system calls.
const MOST_NUMBERS: u32 = 4095;

/// What the trial needs besides (handlers, timers) is called less often than any wanted call.
const FEWEST: usize = 8;

/// The trial takes a third of a second on an idle machine.
const PATIENCE: Duration = Duration::from_secs(10);

struct Counter {
    number: u32,
    fd: RawFd,
    before: u64,
    moved: u64,
}

pub(super) fn find() -> Result<Tracepoints, NoTracepoints> {
    let calls: Vec<Syscall> = wanted().collect();
    let mut counters = Vec::with_capacity(MOST_NUMBERS as usize);
    let (reader, writer) = io::pipe().map_err(NoTracepoints::NoProcess)?;
    let file = agreement();
    let (out, agreed_by) = (writer.as_raw_fd(), file.as_ref().map(AsRawFd::as_raw_fd));
    let work = || {
        examine(&calls, &mut counters, out);
        close_in_quiet(agreed_by, counters.iter().map(|counter| counter.fd));
    };
    // SAFETY: `work` makes system calls only; the list has room for every number.
    unsafe { detached([out].into_iter().chain(agreed_by).collect(), work) }
        .map_err(NoTracepoints::NoProcess)?;
    drop(writer);
    understand(&read_all(reader).ok_or(NoTracepoints::NoAnswer)?)
}

/// Everything up to the end of the pipe; `None` when it does not come in time.
fn read_all(mut reader: io::PipeReader) -> Option<Vec<u8>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        let left = until.checked_duration_since(Instant::now())?;
        let mut poll = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let timeout = libc::c_int::try_from(left.as_millis()).unwrap_or(libc::c_int::MAX);
        // SAFETY: one pollfd of our own stack.
        if unsafe { libc::poll(&raw mut poll, 1, timeout) } <= 0 {
            continue;
        }
        let mut part = [0_u8; 1024];
        match reader.read(&mut part).ok()? {
            0 => return Some(bytes),
            length => bytes.extend_from_slice(part.get(..length)?),
        }
    }
}

/// The first number of an answer is an error number or zero; then three numbers for each call.
fn understand(answer: &[u8]) -> Result<Tracepoints, NoTracepoints> {
    let (words, _) = answer.as_chunks::<4>();
    let mut words = words.iter().map(|word| u32::from_ne_bytes(*word));
    match words.next() {
        None => return Err(NoTracepoints::NoAnswer),
        Some(0) => {}
        Some(error) => return Err(NoTracepoints::Refused(io::Error::from_raw_os_error(error.cast_signed()))),
    }
    let mut found =
        Tracepoints { enter: Vec::new(), exit: Vec::new(), waking: None, raw_enter: None, way: Way::Trial };
    while let (Some(call), Some(enter), Some(exit)) = (words.next(), words.next(), words.next()) {
        found.enter.push((enter.into(), Syscall(call)));
        found.exit.push((exit.into(), Syscall(call)));
    }
    if found.enter.is_empty() { Err(NoTracepoints::Silent) } else { Ok(found) }
}

/// The whole trial, in a process that exits afterwards. Makes system calls only.
fn examine(calls: &[Syscall], counters: &mut Vec<Counter>, out: RawFd) {
    raise_descriptor_limit();
    let refusal = open_all(counters);
    if counters.is_empty() {
        tell(out, &[refusal.unwrap_or(libc::ENOENT).cast_unsigned()]);
    } else {
        tell(out, &[0]);
        for counter in &mut *counters {
            counter.before = counter::count(counter.fd).unwrap_or(0);
        }
        for (position, call) in calls.iter().enumerate() {
            make_calls(*call, FEWEST + position);
        }
        for counter in &mut *counters {
            counter.moved = counter::count(counter.fd).unwrap_or(0).wrapping_sub(counter.before);
        }
        tell_pairs(calls, counters, out);
    }
    // Exiting is slow from here on, and the answer ends only with its last descriptor.
    // SAFETY: a descriptor of this process alone, not used again.
    unsafe { libc::close(out) };
}

fn tell_pairs(calls: &[Syscall], counters: &[Counter], out: RawFd) {
    // Each counter was read once between the two readings of any other.
    let Some((first, second)) = pair(counters, counters.len()) else {
        return;
    };
    // A call that reads the counter of its own entry has entered already, but not returned.
    let enter_is_first = match (reads_itself(first), reads_itself(second)) {
        (true, false) => true,
        (false, true) => false,
        _ => return,
    };
    for (position, call) in calls.iter().enumerate() {
        let times = if is_read(*call) { counters.len() } else { FEWEST + position };
        if let Some((first, second)) = pair(counters, times) {
            let (enter, exit) = if enter_is_first { (first, second) } else { (second, first) };
            tell(out, &[call.0, enter.number, exit.number]);
        }
    }
}

/// The two counters that moved so often, by number. `None` when it is not two.
fn pair(counters: &[Counter], times: usize) -> Option<(&Counter, &Counter)> {
    let mut moved = counters.iter().filter(|counter| usize::try_from(counter.moved) == Ok(times));
    let (first, second) = (moved.next()?, moved.next()?);
    moved.next().is_none().then_some((first, second))
}

fn reads_itself(counter: &Counter) -> bool {
    // `_IO('$', 3)`, PERF_EVENT_IOC_RESET.
    const RESET: libc::c_ulong = 0x2403;
    // SAFETY: the call takes a descriptor and a flag.
    unsafe { libc::ioctl(counter.fd, RESET as _, 0) };
    counter::count(counter.fd) == Some(1)
}

/// Opens all that is granted. The first refusal for want of rights, or the error that ended it.
fn open_all(counters: &mut Vec<Counter>) -> Option<libc::c_int> {
    let mut refusal = None;
    for number in 1..=MOST_NUMBERS {
        match counter::open(number.into()) {
            Ok(fd) => counters.push(Counter { number, fd, before: 0, moved: 0 }),
            Err(error @ (libc::ENOSYS | libc::EMFILE | libc::ENFILE)) => return Some(error),
            Err(error @ (libc::EPERM | libc::EACCES)) => refusal = refusal.or(Some(error)),
            // No tracepoint has this number.
            Err(_) => {}
        }
    }
    refusal
}

fn raise_descriptor_limit() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: one struct of our own stack.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) == 0 {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
    }
}

fn tell(out: RawFd, words: &[u32]) {
    // SAFETY: the slice is as long as said.
    unsafe { libc::write(out, words.as_ptr().cast(), size_of_val(words)) };
}

fn is_read(call: Syscall) -> bool {
    libc::c_long::from(call.0) == libc::SYS_read
}

/// Makes a call so many times that returns at once. Safe after a fork.
fn make_calls(call: Syscall, times: usize) {
    #[cfg(target_arch = "x86_64")]
    match libc::c_long::from(call.0) {
        libc::SYS_pause => return pause(times),
        libc::SYS_vfork => return start_and_end(times),
        _ => {}
    }
    if !is_read(call) {
        (0..times).for_each(|_| fail(call));
    }
}

/// With −1 everywhere each wanted call but two finds a bad descriptor, pointer, size or flag before it does anything.
fn fail(call: Syscall) {
    // SAFETY: no memory can be at the address −1, so the kernel reads and writes none.
    unsafe { libc::syscall(call.0.into(), -1_i64, -1_i64, -1_i64, -1_i64, -1_i64, -1_i64) };
}

/// Sleeps until a signal comes, again and again; a timer sends them.
#[cfg(target_arch = "x86_64")]
fn pause(times: usize) {
    extern "C" fn nothing(_signal: libc::c_int) {}
    let every = |tv_usec| {
        let time = libc::timeval { tv_sec: 0, tv_usec };
        let timer = libc::itimerval { it_interval: time, it_value: time };
        // SAFETY: one struct of our own stack; the old value is not wanted.
        unsafe { libc::syscall(libc::SYS_setitimer, libc::ITIMER_REAL, &raw const timer, 0) };
    };
    // SAFETY: the handler touches nothing; this process has one thread and no other use for the signal.
    unsafe { libc::signal(libc::SIGALRM, nothing as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    every(100);
    for _ in 0..times {
        // SAFETY: plain call.
        unsafe { libc::syscall(libc::SYS_pause) };
    }
    every(0);
}

/// Makes processes that share our memory and exit before they could touch any.
#[cfg(target_arch = "x86_64")]
fn start_and_end(times: usize) {
    // SAFETY: whoever ignores the signal need not wait for its children.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    for _ in 0..times {
        // SAFETY: the new process runs the instructions up to its own exit, which use no stack. The kernel changes
        // rax, rcx and r11.
        unsafe {
            std::arch::asm!(
                "syscall",
                "test eax, eax",
                "jnz 2f",
                "xor edi, edi",
                "mov eax, {exit}",
                "syscall",
                "2:",
                exit = const libc::SYS_exit,
                inlateout("rax") libc::SYS_vfork => _,
                out("rdi") _,
                out("rcx") _,
                out("r11") _,
            );
        }
    }
}

/// Whether numbers from elsewhere are still right: the lowest, the highest and one between must count one call.
pub(super) fn agrees(found: &Tracepoints) -> bool {
    let mut pairs: Vec<(u64, u64, Syscall)> = found
        .enter
        .iter()
        .zip(&found.exit)
        .map(|((enter, call), (exit, _))| (*enter, *exit, *call))
        .collect();
    pairs.retain(|(_, _, call)| !matches!(call.name(), Some("read" | "pause" | "vfork") | None));
    pairs.sort_unstable();
    let picks = [pairs.first(), pairs.get(pairs.len() / 2), pairs.last()];
    let mut open = Vec::new();
    let right = picks.into_iter().all(|pick| pick.is_some_and(|pick| counts_once(*pick, &mut open)));
    close_elsewhere(open);
    right
}

fn counts_once((enter, exit, call): (u64, u64, Syscall), open: &mut Vec<OwnedFd>) -> bool {
    let (Ok(enter), Ok(exit)) = (owned(enter), owned(exit)) else {
        return false;
    };
    let counts = || [&enter, &exit].map(|fd| counter::count(fd.as_raw_fd()));
    let before = counts();
    fail(call);
    let right = before == [Some(0); 2] && counts() == [Some(1); 2];
    open.extend([enter, exit]);
    right
}

fn owned(number: u64) -> Result<OwnedFd, libc::c_int> {
    // SAFETY: the kernel just opened this descriptor, and nobody else owns it.
    counter::open(number).map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}
