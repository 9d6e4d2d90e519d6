//! Trials of tracepoints, whose numbers tracefs knows and only root may read.

use std::ffi::CStr;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use perf_event_open_sys::bindings::{
    PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_SAMPLE_RAW, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT,
    perf_event_attr,
};

use super::super::root::Root;
use super::super::text;
use super::child::in_child;
use super::errno::Errno;
use super::event::{Event, Kernel, Scope, attributes};
use super::perf::{Need, refused};
use super::{Scene, Seen, is_root};

/// The tracepoints that are tried; `None` where the number cannot be read.
#[derive(Default)]
pub(super) struct Numbers {
    switch: Option<u64>,
    /// Entry of `getppid`, the cheapest call that does something each time.
    getppid: Option<u64>,
}

const SWITCH: &str = "events/sched/sched_switch/id";
const GETPPID: &str = "events/syscalls/sys_enter_getppid/id";

impl Numbers {
    pub(super) fn read(root: &Root) -> Self {
        let number = |path: &str| root.read(path).as_deref().and_then(text::number);
        for folder in ["sys/kernel/tracing", "sys/kernel/debug/tracing"] {
            let numbers = Self {
                switch: number(&format!("{folder}/{SWITCH}")),
                getppid: number(&format!("{folder}/{GETPPID}")),
            };
            if numbers.switch.is_some() {
                return numbers;
            }
        }
        Self::from_private_mount().unwrap_or_default()
    }

    /// From a tracefs that only a child of ours sees: it is mounted in the child's own namespace and gone with it.
    /// `None` without the right to mount.
    fn from_private_mount() -> Option<Self> {
        const PATHS: [&CStr; 2] = [
            c"/sys/kernel/tracing/events/sched/sched_switch/id",
            c"/sys/kernel/tracing/events/syscalls/sys_enter_getppid/id",
        ];
        let (mut reader, writer) = std::io::pipe().ok()?;
        let out = writer.as_raw_fd();
        // SAFETY: the closure makes system calls only, on constants and its own stack.
        let result = unsafe { in_child(|| mount_and_copy(PATHS, out)) };
        drop(writer);
        if result != Ok(0) {
            return None;
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).ok()?;
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        Some(Self {
            switch: lines.next().and_then(text::number),
            getppid: lines.next().and_then(text::number),
        })
    }
}

/// Mounts tracefs where nobody else sees it and writes the files, one line each, to `out`. Zero when all went well.
fn mount_and_copy(paths: [&CStr; 2], out: libc::c_int) -> libc::c_int {
    let private = libc::MS_REC | libc::MS_PRIVATE;
    let careful = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let (none, folder, kind) = (std::ptr::null(), c"/sys/kernel/tracing".as_ptr(), c"tracefs".as_ptr());
    // SAFETY: all texts end with NUL, and null is allowed where mount(2) ignores the argument.
    let mounted = unsafe {
        libc::unshare(libc::CLONE_NEWNS) == 0
            && libc::mount(none, c"/".as_ptr(), none, private, std::ptr::null()) == 0
            && libc::mount(kind, folder, kind, careful, std::ptr::null()) == 0
    };
    if !mounted {
        return 1;
    }
    for path in paths {
        let mut line = [0_u8; 32];
        // SAFETY: the path ends with NUL, the buffer is as long as said, and the descriptors go with the process.
        let copied = unsafe {
            let file = libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            let length = libc::read(file, line.as_mut_ptr().cast(), line.len());
            length > 0 && libc::write(out, line.as_ptr().cast(), length.cast_unsigned()) == length
        };
        if !copied {
            return 2;
        }
    }
    0
}

pub(super) fn system_calls(scene: &Scene) -> Seen {
    let tried = match scene.tracepoints.getppid {
        Some(number) => count_calls(number),
        None => find_number(),
    };
    match tried {
        Ok(Some(because)) => Seen::yes(because),
        Ok(None) => Seen::no(
            "no tracepoint of a system call was granted among the numbers tried, and tracefs is not readable",
            Some("sudo slowpath doctor".to_owned()),
        ),
        Err(errno) => refused(&scene.root, "a tracepoint of a system call", errno, Need::Paranoid(2)),
    }
}

fn unreadable() -> Seen {
    let because = "tracefs, which has the numbers of tracepoints, is not mounted and cannot be mounted";
    Seen::no(because, Some("mount -t tracefs tracefs /sys/kernel/tracing".to_owned()))
}

/// Counts calls made on purpose.
fn count_calls(number: u64) -> Result<Option<String>, Errno> {
    let event = Event::open(&tracepoint(number, Kernel::Excluded), Scope::Own)?;
    for _ in 0..10 {
        // SAFETY: getppid takes nothing and cannot fail.
        unsafe { libc::getppid() };
    }
    match event.count() {
        Some(count) if count >= 10 => Ok(Some("ten calls of our own thread were counted".to_owned())),
        _ => Ok(None),
    }
}

/// Numbers that were in use on Linux 6.18 end below 2000; modules add more.
const MOST_NUMBERS: u64 = 4096;
const PATIENCE: Duration = Duration::from_millis(50);

/// Opens numbers until one is granted. An ordinary user is granted the raw record of a system call's tracepoint and
/// of no other (`TRACE_EVENT_FL_CAP_ANY`), so the first grant after a refusal answers; who is granted the very first
/// number is granted all. Only one is opened, because the kernel takes 40 ms to close a tracepoint.
fn find_number() -> Result<Option<String>, Errno> {
    let until = Instant::now() + PATIENCE;
    let mut refusal = None;
    for number in 1..MOST_NUMBERS {
        match (Event::open(&tracepoint(number, Kernel::Excluded), Scope::Own), refusal) {
            (Ok(_), None) => {
                return Ok(Some(
                    "tracefs is not readable, but any tracepoint is granted by number".to_owned(),
                ));
            }
            (Ok(_), Some(_)) => {
                return Ok(Some(format!(
                    "tracefs is not readable, but tracepoint {number} was granted by number"
                )));
            }
            (Err(errno @ Errno(libc::EPERM | libc::EACCES)), _) => refusal = Some(errno),
            // No tracepoint has this number, or it takes other attributes.
            (Err(_), _) => {}
        }
        if Instant::now() > until {
            break;
        }
    }
    refusal.map_or(Ok(None), Err)
}

pub(super) fn scheduler(scene: &Scene) -> Seen {
    let Some(number) = scene.tracepoints.switch else {
        return without_number(scene);
    };
    match Event::open(&tracepoint(number, Kernel::Included), Scope::Cpu(this_cpu())) {
        Ok(_) => Seen::yes("switches of one whole CPU were granted, with their raw records"),
        Err(errno) => refused(&scene.root, "switches of a whole CPU", errno, Need::Root),
    }
}

/// Without the number the trial is another event of the same breadth, to name the right obstacle.
fn without_number(scene: &Scene) -> Seen {
    let attributes = attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES.into(), Kernel::Included);
    match Event::open(&attributes, Scope::Cpu(this_cpu())) {
        Ok(_) if is_root() => unreadable(),
        Ok(_) => Seen::no(
            "events of a whole CPU are granted, but the numbers of tracepoints are not readable",
            Some("sudo slowpath doctor".to_owned()),
        ),
        Err(errno) => refused(&scene.root, "events of a whole CPU", errno, Need::Root),
    }
}

fn tracepoint(number: u64, kernel: Kernel) -> perf_event_attr {
    let mut attributes = attributes(PERF_TYPE_TRACEPOINT, number, kernel);
    attributes.__bindgen_anon_1.sample_period = 1;
    attributes.sample_type = PERF_SAMPLE_RAW.into();
    attributes
}

fn this_cpu() -> libc::c_int {
    // SAFETY: sched_getcpu takes nothing. It fails only where the call is missing; CPU 0 is then as good as any.
    unsafe { libc::sched_getcpu() }.max(0)
}
