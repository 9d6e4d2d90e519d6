//! What a descriptor of the target is: a file, a socket and its other end, a pipe, a set of others.
//!
//! All comes from /proc while the target lives; what is gone is `None`. A look that is younger than 20 ms is believed, and
//! the last one of a process that has ended.

mod diag;
mod ends;
mod sockets;

use std::collections::HashMap;
use std::ffi::{CString, OsString};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use model::recording::Object;
use sockets::Sockets;

/// A descriptor may be closed and opened anew, so a look is believed for this long only; nanoseconds.
const FRESH: u64 = 20_000_000;

/// Members of a set that are looked at; of the others only the number is told.
const MEMBERS: usize = 16;

/// Sets of sets of sets are not followed.
const DEPTH: u32 = 2;

/// Looks and what they found. Times are nanoseconds of the monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    looks: HashMap<(u32, i32), Look>,
    /// Processes of the tree: their number and their position in the recording.
    tree: HashMap<u32, u32>,
    sockets: Sockets,
}

#[derive(Debug)]
struct Look {
    at: u64,
    link: OsString,
    object: Object,
}

impl Objects {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// From now on a socket's other end may be found in this process.
    pub(crate) fn add_process(&mut self, pid: u32, position: u32) {
        self.tree.insert(pid, position);
    }

    pub(crate) fn remove_process(&mut self, pid: u32) {
        self.tree.remove(&pid);
        self.looks.retain(|(owner, _), _| *owner != pid);
    }

    /// The descriptor stands for something else now.
    pub(crate) fn forget(&mut self, pid: u32, fd: i32) {
        self.looks.remove(&(pid, fd));
    }

    /// `None` when the process or the descriptor is gone, or belongs to somebody else.
    pub(crate) fn of_fd(&mut self, pid: u32, fd: i32, now: u64) -> Option<Object> {
        self.look(pid, fd, now, 0)
    }

    /// What `poll` or `select` waits for: the one object, or the set of all.
    pub(crate) fn of_poll(&mut self, pid: u32, fds: &[i32], now: u64) -> Option<Object> {
        match fds {
            [] => None,
            [fd] => self.of_fd(pid, *fd, now),
            _ => Some(Object::Set { members: self.members(pid, fds, now, 1) }),
        }
    }

    fn look(&mut self, pid: u32, fd: i32, now: u64, depth: u32) -> Option<Object> {
        let known = self.looks.get_mut(&(pid, fd));
        if let Some(look) = known.as_ref().filter(|look| now.saturating_sub(look.at) < FRESH) {
            return Some(look.object.clone());
        }
        let Ok(link) = fs::read_link(format!("/proc/{pid}/fd/{fd}")) else {
            // We come late: what was seen last is what it had until its end.
            if let Some(look) = known.filter(|_| has_ended(pid)) {
                look.at = now;
                return Some(look.object.clone());
            }
            self.looks.remove(&(pid, fd));
            return None;
        };
        let link = link.into_os_string();
        if let Some(look) = known.filter(|look| look.link == link && is_settled(&look.object)) {
            look.at = now;
            return Some(look.object.clone());
        }
        let object = self.examine(pid, fd, link.as_bytes(), now, depth)?;
        self.looks.insert((pid, fd), Look { at: now, link, object: object.clone() });
        Some(object)
    }

    fn examine(&mut self, pid: u32, fd: i32, link: &[u8], now: u64, depth: u32) -> Option<Object> {
        if link.starts_with(b"/") {
            return of_path(pid, fd, link);
        }
        let (kind, rest) = split(link);
        let inode = std::str::from_utf8(rest).ok().and_then(|rest| rest.parse().ok());
        Some(match (kind, inode, rest) {
            (b"socket", Some(inode), _) => self.sockets.examine(pid, fd, inode, now, &self.tree),
            (b"pipe", Some(inode), _) => Object::Pipe { inode },
            (b"anon_inode", _, b"eventfd") => Object::Event,
            (b"anon_inode", _, b"timerfd") => Object::Timer,
            (b"anon_inode", _, b"eventpoll") => {
                let fds = watched(&description(pid, fd)?);
                Object::Set { members: self.members(pid, &fds, now, depth + 1) }
            }
            (b"anon_inode", _, b"pidfd") => Object::Child { pid: watched_process(&description(pid, fd)?) },
            (b"anon_inode", _, name) => Object::Other { text: lossy(name) },
            _ => Object::Other { text: lossy(link) },
        })
    }

    /// Each member in a few words, alike ones once.
    fn members(&mut self, pid: u32, fds: &[i32], now: u64, depth: u32) -> Vec<String> {
        let mut members: Vec<String> = Vec::new();
        for fd in fds.iter().take(MEMBERS) {
            let object = if depth > DEPTH { None } else { self.look(pid, *fd, now, depth) };
            members.push(object.map_or_else(|| "unknown".to_owned(), |object| words(&object)));
        }
        members.sort_unstable();
        members.dedup();
        if let Some(more) = fds.len().checked_sub(MEMBERS).filter(|more| *more > 0) {
            members.push(format!("{more} more"));
        }
        members
    }
}

/// A process that has ended has no program any more, before its parent has asked for its end too.
fn has_ended(pid: u32) -> bool {
    fs::read_link(format!("/proc/{pid}/exe")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// The address a socket is bound to, as a peer would name it.
pub(crate) fn local_address(pid: u32, fd: i32) -> Option<String> {
    match ends::ask(pid, fd)? {
        sockets::Row::Internet { local, .. } => Some(local.to_string()),
        sockets::Row::Unix { path } => path,
        sockets::Row::Other { .. } => None,
    }
}

/// Whether a descriptor with the same link is the same object. A set gains members, a socket a peer.
fn is_settled(object: &Object) -> bool {
    !matches!(object, Object::Set { .. } | Object::Socket { .. })
}

/// `kind:[rest]`, or `kind:rest` as some anonymous inodes are written.
fn split(link: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = link.iter().position(|byte| *byte == b':') else {
        return (link, b"");
    };
    let (kind, rest) = link.split_at(colon);
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    (kind, rest.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")).unwrap_or(rest))
}

/// `None` when the descriptor is gone meanwhile.
fn of_path(pid: u32, fd: i32, link: &[u8]) -> Option<Object> {
    let place = CString::new(format!("/proc/{pid}/fd/{fd}")).ok()?;
    // SAFETY: all bytes zero is a valid struct of integers.
    let mut found: libc::statx = unsafe { std::mem::zeroed() };
    // A file on a server that does not answer must not stop us: what the kernel knows already is enough.
    let flags = libc::AT_STATX_DONT_SYNC;
    let wanted = libc::STATX_TYPE | libc::STATX_INO;
    // SAFETY: the path ends with NUL, and the struct is ours.
    if unsafe { libc::statx(libc::AT_FDCWD, place.as_ptr(), flags, wanted, &raw mut found) } != 0 {
        return None;
    }
    let path = lossy(link);
    Some(match u32::from(found.stx_mode) & libc::S_IFMT {
        libc::S_IFDIR => Object::Directory { path },
        libc::S_IFCHR | libc::S_IFBLK => Object::Device { path },
        libc::S_IFIFO => Object::Pipe { inode: found.stx_ino },
        _ => Object::File { path },
    })
}

/// What the kernel tells of a descriptor besides its link.
fn description(pid: u32, fd: i32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{pid}/fdinfo/{fd}")).ok()
}

/// The descriptors in an epoll set: `tfd:        5 events:       19 …`.
fn watched(description: &[u8]) -> Vec<i32> {
    let lines = description.split(|byte| *byte == b'\n');
    lines.filter_map(|line| first_number(line.strip_prefix(b"tfd:")?)).collect()
}

/// The process a pidfd stands for; `None` once it is reaped (the kernel writes −1).
fn watched_process(description: &[u8]) -> Option<u32> {
    let mut lines = description.split(|byte| *byte == b'\n');
    lines.find_map(|line| first_number(line.strip_prefix(b"Pid:")?)).and_then(|pid| u32::try_from(pid).ok())
}

fn first_number(text: &[u8]) -> Option<i32> {
    std::str::from_utf8(text).ok()?.split_ascii_whitespace().next()?.parse().ok()
}

/// An object as a member of a set.
fn words(object: &Object) -> String {
    match object {
        Object::File { path } => format!("file {path}"),
        Object::Directory { path } => format!("directory {path}"),
        Object::Device { path } => format!("device {path}"),
        Object::Socket { family, peer: Some(peer), .. } if family == "unix" => format!("unix socket {peer}"),
        Object::Socket { peer: Some(peer), .. } => format!("socket {peer}"),
        Object::Socket { family, .. } => format!("{family} socket"),
        Object::Pipe { .. } => "pipe".to_owned(),
        Object::Lock { .. } => "lock".to_owned(),
        Object::Set { members } => format!("set of {}", members.join(", ")),
        Object::Child { .. } => "child".to_owned(),
        Object::Event => "event".to_owned(),
        Object::Timer => "timer".to_owned(),
        Object::Other { text } => text.clone(),
    }
}

fn lossy(bytes: &[u8]) -> String {
    OsString::from_vec(bytes.to_vec()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
