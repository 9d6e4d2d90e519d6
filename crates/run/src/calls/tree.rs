//! The traced processes and threads, and what their descriptors stand for.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use model::calls::{On, Role};
use model::recording::Object;

use super::act::Act;
use super::book::Book;
use crate::record::objects::Objects;

#[derive(Debug)]
pub(super) struct Thread {
    pub(super) pid: u32,
    pub(super) pending: Option<Pending>,
    /// Sleeps since its last request, and how long they took.
    pub(super) slept: (u64, u64),
    pub(super) asked: Option<u32>,
    /// When it last began to wait for a descriptor to be ready, and has received nothing since.
    pub(super) polled: Option<u64>,
}

/// A call that has begun.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) name: &'static str,
    pub(super) act: Act,
    pub(super) arguments: [u64; 6],
    pub(super) on: Option<On>,
    pub(super) stack: Option<u32>,
    /// What it sends.
    pub(super) bytes: Vec<u8>,
    pub(super) path: Option<String>,
    pub(super) entered: u64,
}

impl Pending {
    /// The descriptor, for calls that have one first.
    pub(super) fn fd(&self) -> i32 {
        descriptor(self.arguments[0])
    }
}

/// Descriptors that are looked at for the socket of another, 2 µs each.
const MOST_TWINS: usize = 64;

/// The low half of a register.
#[expect(clippy::cast_possible_truncation, reason = "the kernel takes the low half too")]
pub(super) fn descriptor(argument: u64) -> i32 {
    argument as i32
}

/// What an open descriptor stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) on: Option<On>,
    pub(super) is_file: bool,
    /// Where the next byte comes from. `None` when it has to be asked for.
    pub(super) position: Option<u64>,
    /// Each write goes to the end.
    pub(super) appends: bool,
    /// Where the last transfer ended.
    pub(super) expected: Option<u64>,
    /// Where the last read or write began.
    pub(super) last: Option<u64>,
    pub(super) connection: Option<u64>,
    pub(super) listens: bool,
}

#[derive(Debug)]
pub(super) struct Process {
    /// Position in the table of those that ran.
    pub(super) index: u32,
    pub(super) fds: HashMap<i32, Open>,
    folder: Option<PathBuf>,
}

#[derive(Debug)]
pub(super) struct Tree {
    pub(super) threads: HashMap<i32, Thread>,
    pub(super) processes: HashMap<u32, Process>,
    pub(super) ran: Vec<Ran>,
    objects: Objects,
    connections: u64,
}

/// A process, its times by the monotonic clock.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) pid: u32,
    pub(super) parent: Option<u32>,
    pub(super) programs: Vec<(u64, Vec<std::ffi::OsString>)>,
    pub(super) from: u64,
    pub(super) to: Option<u64>,
    pub(super) status: Option<i32>,
    pub(super) threads: u32,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            threads: HashMap::new(),
            processes: HashMap::new(),
            ran: Vec::new(),
            objects: Objects::new(),
            connections: 0,
        }
    }

    /// Takes in a thread at its first stop. Its process, when that is a new one.
    pub(super) fn adopt(&mut self, tid: i32, now: u64) -> Option<u32> {
        if self.threads.contains_key(&tid) {
            return None;
        }
        let (pid, parent) = crate::process::family(tid).unwrap_or((tid.cast_unsigned(), 0));
        self.threads.insert(tid, Thread { pid, pending: None, slept: (0, 0), asked: None, polled: None });
        if let Some(process) = self.processes.get(&pid) {
            if let Some(ran) = self.ran.get_mut(process.index as usize) {
                ran.threads += 1;
            }
            return None;
        }
        let index = super::book::index(self.ran.len());
        let above = self.processes.get(&parent);
        // Connections are the same in a child; where it is in a file may not be for long.
        let fds = above.map(|above| above.fds.iter().filter(|(_, open)| open.connection.is_some()));
        let fds = fds.map(|fds| fds.map(|(fd, open)| (*fd, *open)).collect()).unwrap_or_default();
        self.ran.push(Ran {
            pid,
            parent: above.map(|above| above.index),
            programs: Vec::new(),
            from: now,
            to: None,
            status: None,
            threads: 1,
        });
        self.processes.insert(pid, Process { index, fds, folder: None });
        self.objects.add_process(pid, index);
        Some(pid)
    }

    /// A process became another program: its other threads are gone, and many descriptors.
    pub(super) fn loaded(&mut self, pid: u32, now: u64) {
        let leader = pid.cast_signed();
        self.threads.retain(|tid, thread| thread.pid != pid || *tid == leader);
        if let Some(thread) = self.threads.get_mut(&leader) {
            thread.pending = None;
        }
        let Some(process) = self.processes.get_mut(&pid) else { return };
        process.fds.clear();
        let argv = crate::process::command_line(pid);
        if let Some(ran) = self.ran.get_mut(process.index as usize) {
            ran.programs.push((now, argv));
        }
        self.objects.remove_process(pid);
        self.objects.add_process(pid, process.index);
    }

    /// A thread is gone. Its unfinished call, and the process that went with it.
    pub(super) fn gone(&mut self, tid: i32, status: i32, now: u64) -> (Option<Pending>, Option<u32>) {
        let thread = self.threads.remove(&tid);
        let pid = tid.cast_unsigned();
        // The first thread is reported last, with the status of the whole.
        let process = self.processes.remove(&pid);
        if let Some(ran) = process.as_ref().and_then(|process| self.ran.get_mut(process.index as usize)) {
            (ran.to, ran.status) = (Some(now), Some(status));
        }
        if process.is_some() {
            self.objects.remove_process(pid);
        }
        (thread.and_then(|thread| thread.pending), process.map(|_| pid))
    }

    pub(super) fn open(&mut self, pid: u32, fd: i32) -> Option<&mut Open> {
        self.processes.get_mut(&pid)?.fds.get_mut(&fd)
    }

    pub(super) fn close(&mut self, pid: u32, fd: i32) -> Option<Open> {
        self.objects.forget(pid, fd);
        self.processes.get_mut(&pid)?.fds.remove(&fd)
    }

    pub(super) fn close_range(&mut self, pid: u32, first: u64, last: u64) {
        if let Some(process) = self.processes.get_mut(&pid) {
            process.fds.retain(|fd, _| !u64::try_from(*fd).is_ok_and(|fd| (first..=last).contains(&fd)));
        }
    }

    pub(super) fn put(&mut self, pid: u32, fd: i32, open: Open) {
        self.objects.forget(pid, fd);
        if let Some(process) = self.processes.get_mut(&pid) {
            process.fds.insert(fd, open);
        }
    }

    /// What a descriptor stands for, looked up where nobody saw it come.
    pub(super) fn known(&mut self, pid: u32, fd: i32, now: u64, book: &mut Book) -> Option<Open> {
        if let Some(open) = self.open(pid, fd) {
            return Some(*open);
        }
        self.objects.forget(pid, fd);
        let object = self.objects.of_fd(pid, fd, now)?;
        if let Object::Socket { inode, .. } = object
            && let Some(open) = self.twin(pid, inode, now)
        {
            self.put(pid, fd, open);
            return Some(open);
        }
        let is_file = matches!(object, Object::File { .. });
        let mut open = Open {
            on: None,
            is_file,
            position: None,
            appends: false,
            expected: None,
            last: None,
            connection: None,
            listens: false,
        };
        open.on = match object {
            Object::File { path } | Object::Directory { path } => Some(On::File(book.file(&path))),
            Object::Socket { family, peer, local_peer, .. } => {
                open.connection = Some(self.connection());
                let at = book.peer(&family, peer.as_deref(), Role::Asks);
                if let Some(peer) = book.peers.get_mut(at as usize) {
                    peer.process = peer.process.or(local_peer);
                }
                Some(On::Peer(at))
            }
            object => book.other(object).map(On::Other),
        };
        self.put(pid, fd, open);
        Some(open)
    }

    /// Another descriptor of the same socket: who reads and who writes often have one each, of one conversation.
    fn twin(&mut self, pid: u32, inode: u64, now: u64) -> Option<Open> {
        let process = self.processes.get(&pid)?;
        let talks = process.fds.iter().filter(|(_, open)| open.connection.is_some());
        let mut talks: Vec<(i32, Open)> = talks.map(|(fd, open)| (*fd, *open)).collect();
        // The newest first.
        talks.sort_unstable_by_key(|(fd, _)| std::cmp::Reverse(*fd));
        talks.truncate(MOST_TWINS);
        let is_same = |object| matches!(object, Some(Object::Socket { inode: other, .. }) if other == inode);
        talks.into_iter().find(|(fd, _)| is_same(self.objects.of_fd(pid, *fd, now))).map(|(_, open)| open)
    }

    /// The kind of socket a descriptor is: `tcp`, `unix`.
    pub(super) fn family(&mut self, pid: u32, fd: i32, now: u64) -> Option<String> {
        self.objects.forget(pid, fd);
        match self.objects.of_fd(pid, fd, now)? {
            Object::Socket { family, .. } => Some(family),
            _ => None,
        }
    }

    pub(super) fn connection(&mut self) -> u64 {
        self.connections += 1;
        self.connections
    }

    pub(super) fn moved_folder(&mut self, pid: u32) {
        if let Some(process) = self.processes.get_mut(&pid) {
            process.folder = None;
        }
    }

    /// A path as the kernel would begin to walk it. `None` for none at all, which means the descriptor itself.
    pub(super) fn absolute(&mut self, pid: u32, folder: Option<i32>, path: &[u8]) -> Option<String> {
        if path.is_empty() {
            return None;
        }
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        let whole = if path.is_absolute() {
            path.to_owned()
        } else {
            self.folder(pid, folder.unwrap_or(libc::AT_FDCWD))
                .unwrap_or_else(|| PathBuf::from("."))
                .join(path)
        };
        // Without its `.` parts, which programs add at will.
        Some(whole.components().collect::<PathBuf>().to_string_lossy().into_owned())
    }

    fn folder(&mut self, pid: u32, folder: i32) -> Option<PathBuf> {
        if folder != libc::AT_FDCWD {
            return std::fs::read_link(format!("/proc/{pid}/fd/{folder}")).ok();
        }
        let process = self.processes.get_mut(&pid)?;
        if process.folder.is_none() {
            process.folder = std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
        }
        process.folder.clone()
    }
}

/// Where a descriptor stands in its file.
pub(super) fn position(pid: u32, fd: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/fdinfo/{fd}")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("pos:"))?.trim().parse().ok()
}

/// The size of a regular file. A server that does not answer is not waited for.
pub(super) fn size(pid: u32, fd: i32) -> Option<u64> {
    let place = std::ffi::CString::new(format!("/proc/{pid}/fd/{fd}")).ok()?;
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut found: libc::statx = unsafe { std::mem::zeroed() };
    let (flags, wanted) = (libc::AT_STATX_DONT_SYNC, libc::STATX_SIZE | libc::STATX_TYPE);
    // SAFETY: the path ends with NUL, and the struct is ours.
    let failed = unsafe { libc::statx(libc::AT_FDCWD, place.as_ptr(), flags, wanted, &raw mut found) } != 0;
    let regular = u32::from(found.stx_mode) & libc::S_IFMT == libc::S_IFREG;
    (!failed && regular).then_some(found.stx_size)
}
