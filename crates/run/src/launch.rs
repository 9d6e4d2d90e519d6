//! Starting a target stopped, and letting it go.
//!
//! The states are types: [`Launcher`] → [`Prepared`] (stopped before `exec`; instruments attach here) → [`Running`] →
//! [`Ended`] (a zombie whose /proc files can still be read) → reaped. Dropping any of them ends the target.
//!
//! The launcher program itself is `launcher/launcher.rs`; the messages it sends are read here.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use model::Nanos;
use model::sample::Io;

use crate::RunError;
use crate::process::{self, Foreign, SchedStat, Usage};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/launcher"));

/// What its file is called.
const NAME: &CStr = c"slowpath-launcher";

/// Whether this program is the launcher, and not yet the target.
pub(crate) fn is_launcher(program: &Path) -> bool {
    program.file_name().is_some_and(|name| name.to_string_lossy().contains(&*NAME.to_string_lossy()))
}

/// Length of the message that the target ended: see `Start` there.
const MESSAGE_WORDS: usize = 31;

/// Length of the launcher's I/O account: see `Account` there.
const ACCOUNT_WORDS: usize = 99;

/// Length of one of its texts.
const ACCOUNT_TEXT: usize = 384;

/// One start at a time: a descriptor that is inheritable for one launcher must not reach another.
static STARTING: Mutex<()> = Mutex::new(());

/// The launcher program, ready to be started.
#[derive(Debug)]
pub struct Launcher {
    path: PathBuf,
    /// Keeps the anonymous file behind `path` alive.
    _image: Image,
}

#[derive(Debug)]
enum Image {
    /// Held for its descriptor, which `path` names.
    Memory { _file: File },
    /// On machines that do not execute anonymous files.
    Temporary(PathBuf),
}

impl Drop for Image {
    fn drop(&mut self) {
        if let Self::Temporary(path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// What to start.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    pub(crate) path: &'a Path,
    pub(crate) argv: &'a [OsString],
    pub(crate) env: &'a [(OsString, OsString)],
    pub(crate) cwd: Option<&'a Path>,
    pub(crate) layout: Layout,
    /// A filter of system calls that the child puts on itself just before its program is loaded. Without a tracer the
    /// calls it selects fail.
    pub(crate) filter: Option<BorrowedFd<'a>>,
}

/// Whether the kernel may place the target's memory at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// For time: many layouts average out.
    Random,
    /// For counts: the same layout each time.
    Fixed,
}

impl Launcher {
    /// Lays the launcher into an anonymous file.
    ///
    /// # Errors
    /// When neither an anonymous nor a temporary file can be made.
    pub fn new() -> Result<Self, RunError> {
        Self::in_memory()
            .or_else(|_| Self::in_temporary_file())
            .map_err(|source| RunError::NoLauncher { source })
    }

    fn in_memory() -> io::Result<Self> {
        // SAFETY: a constant name; the result is checked and new.
        let mut file = unsafe {
            let fd = libc::memfd_create(NAME.as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from_raw_fd(fd)
        };
        file.write_all(IMAGE)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        // Without arguments the launcher refuses with this status: so it can be executed from here.
        let answer = Command::new(&path).stdin(Stdio::null()).status()?;
        match answer.code() {
            Some(64) => Ok(Self { path, _image: Image::Memory { _file: file } }),
            _ => Err(io::Error::from(io::ErrorKind::PermissionDenied)),
        }
    }

    fn in_temporary_file() -> io::Result<Self> {
        use std::os::unix::fs::OpenOptionsExt;
        let path = std::env::temp_dir().join(format!("{}-{}", NAME.to_string_lossy(), std::process::id()));
        std::fs::OpenOptions::new().create_new(true).write(true).mode(0o700).open(&path)?.write_all(IMAGE)?;
        Ok(Self { path: path.clone(), _image: Image::Temporary(path) })
    }

    /// Starts the target and stops it just before its program is loaded.
    pub(crate) fn prepare(&self, order: &Order<'_>, streams: [Stdio; 3]) -> Result<Prepared, RunError> {
        let (ours, theirs) = socket_pair().map_err(|source| RunError::NoLauncher { source })?;
        let [stdin, stdout, stderr] = streams;
        let mut command = Command::new(&self.path);
        command.arg0(theirs.as_raw_fd().to_string());
        command.arg(flags(order).to_string()).arg(order.path).args(order.argv);
        command.env_clear().envs(order.env.iter().map(|(name, value)| (name, value)));
        command.stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
        if let Some(cwd) = order.cwd {
            command.current_dir(cwd);
        }
        let starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        for fd in [Some(theirs.as_fd()), order.filter].into_iter().flatten() {
            inheritable(fd).map_err(|source| RunError::NoLauncher { source })?;
        }
        let child = command.spawn().map_err(|source| not_spawned(order.cwd, source))?;
        drop(theirs);
        drop(starting);
        let mut socket = Socket { control: File::from(ours), launcher: child };
        let [ready, pid, failed] = socket.hear::<3>()?;
        if ready != 1 {
            return Err(RunError::LauncherLost);
        }
        if failed != 0 {
            let number = i32::try_from(failed).map_err(|_| RunError::LauncherLost)?;
            return Err(RunError::NoEnd { source: io::Error::from_raw_os_error(number) });
        }
        let pid = i32::try_from(pid).map_err(|_| RunError::LauncherLost)?;
        Ok(Prepared { socket, pid, path: order.path.to_owned() })
    }
}

/// The second argument of the launcher: see `NO_RANDOM_LAYOUT` there.
fn flags(order: &Order<'_>) -> u64 {
    let filter = order.filter.and_then(|filter| u64::try_from(filter.as_raw_fd()).ok()).unwrap_or(0);
    filter << 8 | u64::from(order.layout == Layout::Fixed)
}

fn not_spawned(cwd: Option<&Path>, source: io::Error) -> RunError {
    match cwd {
        // Spawning reports a bad directory and a bad program alike; the program is our own.
        Some(path) if !path.is_dir() => RunError::NoDirectory { path: path.to_owned(), source },
        _ => RunError::NoLauncher { source },
    }
}

/// The line to a launcher. Dropping it makes the launcher kill the target and leave; we wait for that.
#[derive(Debug)]
struct Socket {
    control: File,
    launcher: Child,
}

impl Socket {
    fn hear<const WORDS: usize>(&mut self) -> Result<[u64; WORDS], RunError> {
        let mut bytes = [0u8; ACCOUNT_WORDS * 8];
        let heard = loop {
            match self.control.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(|source| RunError::NoWait { source })?,
            }
        };
        if heard != WORDS * 8 {
            return Err(RunError::LauncherLost);
        }
        let mut words = [0; WORDS];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_ne_bytes(*chunk);
        }
        Ok(words)
    }

    fn say(&mut self, command: u8) -> Result<(), RunError> {
        self.control.write_all(&[command]).map_err(|_| RunError::LauncherLost)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // SAFETY: our own descriptor; after this the launcher's read ends.
        unsafe { libc::shutdown(self.control.as_raw_fd(), libc::SHUT_RDWR) };
        // A launcher that was killed, by the target perhaps, has ended nothing; its orphans are ours.
        if self.launcher.wait().is_ok_and(|status| status.signal().is_some()) {
            process::end_adopted();
        }
    }
}

/// A target that exists but has not begun.
#[derive(Debug)]
pub(crate) struct Prepared {
    socket: Socket,
    pid: i32,
    path: PathBuf,
}

impl Prepared {
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    pub(crate) fn go(mut self) -> Result<Running, RunError> {
        self.socket.say(b'g')?;
        Ok(Running { socket: self.socket, pid: self.pid, path: self.path })
    }
}

/// A target that runs.
#[derive(Debug)]
pub(crate) struct Running {
    socket: Socket,
    pid: i32,
    path: PathBuf,
}

impl Running {
    /// Becomes readable when the target has ended.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.socket.control.as_fd()
    }

    /// Sends a signal to the target's process group.
    pub(crate) fn signal(&self, signal: i32) {
        // SAFETY: the group was made by us and its leader is not reaped yet, so the number cannot be reused.
        unsafe { libc::kill(-self.pid, signal) };
    }

    /// The end, once [`Self::fd`] is readable; waits for it otherwise.
    pub(crate) fn end(mut self) -> Result<Ended, RunError> {
        let words = self.socket.hear::<MESSAGE_WORDS>()?;
        let started = Started::from_words(&words).ok_or(RunError::LauncherLost)?;
        if let Some(number) = started.error {
            let source = io::Error::from_raw_os_error(number);
            return Err(RunError::NotStarted { path: self.path, source });
        }
        Ok(Ended { socket: self.socket, pid: self.pid, started })
    }
}

/// What the launcher told of a run: clocks, and what the child had used up before its program was loaded.
#[derive(Debug)]
pub(crate) struct Started {
    /// CLOCK_MONOTONIC, nanoseconds.
    pub(crate) begun: u64,
    pub(crate) wall: Nanos,
    pub(crate) usage: Usage,
    pub(crate) schedstat: Option<SchedStat>,
    /// Bytes of the scheduler's text the child read, which its I/O account holds too.
    pub(crate) schedstat_bytes: u64,
    error: Option<i32>,
}

impl Started {
    fn from_words(words: &[u64; MESSAGE_WORDS]) -> Option<Self> {
        let [kind, begin, end, error, rest @ ..] = words;
        let (usage, rest) = rest.split_first_chunk::<18>()?;
        let (schedstat_bytes, text) = rest.split_first()?;
        let text: Vec<u8> = text.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let text = text.get(..usize::try_from(*schedstat_bytes).ok()?)?;
        (*kind == 2).then_some(())?;
        Some(Self {
            begun: *begin,
            // The end is read after the start by the same clock; a failed exec has no start.
            wall: Nanos::from_nanos(end.checked_sub(*begin)?),
            usage: Usage::from_words(usage),
            schedstat: SchedStat::parse(text),
            schedstat_bytes: *schedstat_bytes,
            error: if *error == 0 { None } else { Some(i32::try_from(*error).ok()?) },
        })
    }
}

/// A target that has ended and is not reaped.
#[derive(Debug)]
pub(crate) struct Ended {
    socket: Socket,
    pub(crate) pid: i32,
    pub(crate) started: Started,
}

impl Ended {
    pub(crate) fn launcher_pid(&self) -> u32 {
        self.socket.launcher.id()
    }

    /// Wait status, resources and I/O of the target and the children it waited for.
    pub(crate) fn reap(&mut self) -> Result<(i32, Usage, Option<Io>), RunError> {
        self.socket.say(b'r')?;
        let [kind, status, usage @ ..] = self.socket.hear::<20>()?;
        if kind != 3 {
            return Err(RunError::LauncherLost);
        }
        // The kernel wrote an int into the low half of a zeroed word.
        let status = i32::from_ne_bytes(status.to_ne_bytes().first_chunk().copied().unwrap_or_default());
        let [kind, lengths @ ..] = self.socket.hear::<ACCOUNT_WORDS>()?;
        if kind != 5 {
            return Err(RunError::LauncherLost);
        }
        Ok((status, Usage::from_words(&usage), self.io(&lengths)))
    }

    /// The target's I/O from the launcher's two accounts. Between them the launcher read the first one; before `exec`
    /// the child had read a byte at the gate and its scheduler account.
    fn io(&self, words: &[u64; ACCOUNT_WORDS - 1]) -> Option<Io> {
        let [before, after, texts @ ..] = words;
        let texts: Vec<u8> = texts.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let text = |which: usize, length: u64| {
            let length = usize::try_from(length).ok().filter(|length| *length <= ACCOUNT_TEXT)?;
            texts.get(which * ACCOUNT_TEXT..)?.get(..length)
        };
        let foreign = Foreign { read: before + 1 + self.started.schedstat_bytes, read_calls: 1 + 2 };
        process::io_between(text(0, *before)?, text(1, *after)?, &foreign)
    }

    /// Reaps ended orphans; `true` when living ones remain.
    pub(crate) fn sweep(&mut self) -> Result<bool, RunError> {
        self.socket.say(b's')?;
        let [_, living, _] = self.socket.hear::<3>()?;
        Ok(living != 0)
    }

    pub(crate) fn leave(mut self) -> Result<(), RunError> {
        self.socket.say(b'q')
    }
}

fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: an array of two descriptors; the results are new and ours.
    unsafe {
        if libc::socketpair(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0, ends.as_mut_ptr())
            < 0
        {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Lets the next started program keep this descriptor. `STARTING` is held, so nobody else starts one meanwhile.
fn inheritable(fd: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: our own descriptor.
    match unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFD, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// slowpath's environment with the target's additions, in a fixed order.
#[must_use]
pub fn environment<'a>(
    additions: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
) -> Vec<(OsString, OsString)> {
    let mut all: std::collections::BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    all.extend(additions.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
    all.into_iter().collect()
}
