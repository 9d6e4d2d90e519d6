//! What a descriptor of the target is: a file, a socket and its other end, a pipe, a set of others.
//!
//! All comes from /proc while the target lives; what is gone is `None`. A number is given out again once it is closed, so a
//! look is believed of the time before it only as far as the looks before found the same, and of no time after it.

mod diag;
mod ends;
mod sockets;
mod unsure;

use std::collections::HashMap;
use std::ffi::{CString, OsString};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use model::recording::Object;
use sockets::Sockets;

use crate::clock::monotonic;

/// A set gains members and a socket a peer, so what one was found to be is believed for this long; nanoseconds.
const FRESH: u64 = 20_000_000;

/// The moment at which a descriptor is that of a thread that waits for it right now.
pub(crate) const PRESENT: u64 = u64::MAX;

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

/// What a number was found to mean.
#[derive(Debug)]
struct Look {
    /// When it was found so last …
    seen: u64,
    /// … and first, unless nothing else was found before.
    from: Option<u64>,
    /// When more than its link was looked at.
    examined: u64,
    link: OsString,
    /// `None`: nothing.
    object: Option<Object>,
    /// What it meant before.
    before: Option<Object>,
}

impl Look {
    /// What it meant at a moment that is not after the look.
    fn told(&self, at: u64) -> Option<Object> {
        if self.from.is_none_or(|from| from <= at) {
            return self.object.clone();
        }
        match (&self.before, &self.object) {
            (Some(before), Some(object)) => unsure::both(before, object),
            (None, Some(object)) => unsure::kind(object),
            (Some(before), None) => unsure::file(before),
            (None, None) => None,
        }
    }

    /// What it meant at the end of its process, after the look: files are opened one after the other, all else stays.
    fn last(&self) -> Option<Object> {
        let object = self.object.as_ref()?;
        unsure::file(object).or_else(|| Some(object.clone()))
    }
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

    /// What it was at a moment, as far as looks can tell. `None` when the process or the descriptor is gone, or belongs to
    /// somebody else.
    pub(crate) fn of_fd(&mut self, pid: u32, fd: i32, at: u64) -> Option<Object> {
        self.look(pid, fd, at, 0)
    }

    /// What `poll` or `select` waits for: the one object, or the set of all.
    pub(crate) fn of_poll(&mut self, pid: u32, fds: &[i32], at: u64) -> Option<Object> {
        match fds {
            [] => None,
            [fd] => self.of_fd(pid, *fd, at),
            _ => Some(Object::Set { members: self.members(pid, fds, at, 1) }),
        }
    }

    fn look(&mut self, pid: u32, fd: i32, at: u64, depth: u32) -> Option<Object> {
        let known = self.looks.get_mut(&(pid, fd));
        if let Some(look) = known.as_ref().filter(|look| at <= look.seen) {
            return look.told(at);
        }
        let now = monotonic();
        let Ok(link) = fs::read_link(format!("/proc/{pid}/fd/{fd}")) else {
            // We come late: what was seen last is what it had until its end.
            if let Some(look) = known.as_ref().filter(|_| has_ended(pid)) {
                return look.last();
            }
            return self.found(pid, fd, (now, OsString::new()), None, at);
        };
        let link = link.into_os_string();
        if let Some(look) = known.filter(|look| {
            let settled = look.object.as_ref().is_some_and(is_settled);
            look.link == link && (settled || now.saturating_sub(look.examined) < FRESH)
        }) {
            look.seen = now;
            return look.told(at);
        }
        let object = self.examine(pid, fd, link.as_bytes(), at, depth)?;
        self.found(pid, fd, (now, link), Some(object), at)
    }

    /// Notes what a look found, and says what that tells of the moment in question.
    fn found(
        &mut self,
        pid: u32,
        fd: i32,
        (now, link): (u64, OsString),
        object: Option<Object>,
        at: u64,
    ) -> Option<Object> {
        let before = self.looks.remove(&(pid, fd));
        let same = before.as_ref().is_some_and(|look| look.link == link);
        let from = match &before {
            Some(look) if same => look.from,
            Some(_) => Some(now),
            None => object.is_none().then_some(now),
        };
        let before = before.and_then(|look| if same { look.before } else { look.object.or(look.before) });
        let look = Look { seen: now, from, examined: now, link, object, before };
        let told = look.told(at);
        self.looks.insert((pid, fd), look);
        told
    }

    fn examine(&mut self, pid: u32, fd: i32, link: &[u8], at: u64, depth: u32) -> Option<Object> {
        if link.starts_with(b"/") {
            return of_path(pid, fd, link);
        }
        let (kind, rest) = split(link);
        let inode = std::str::from_utf8(rest).ok().and_then(|rest| rest.parse().ok());
        Some(match (kind, inode, rest) {
            (b"socket", Some(inode), _) => self.sockets.examine(pid, fd, inode, monotonic(), &self.tree),
            (b"pipe", Some(inode), _) => Object::Pipe { inode },
            (b"anon_inode", _, b"eventfd") => Object::Event,
            (b"anon_inode", _, b"timerfd") => Object::Timer,
            (b"anon_inode", _, b"eventpoll") => {
                let fds = watched(&description(pid, fd)?);
                Object::Set { members: self.members(pid, &fds, at, depth + 1) }
            }
            (b"anon_inode", _, b"pidfd") => Object::Child { pid: watched_process(&description(pid, fd)?) },
            (b"anon_inode", _, name) => Object::Other { text: lossy(name) },
            _ => Object::Other { text: lossy(link) },
        })
    }

    /// Each member in a few words, alike ones once.
    fn members(&mut self, pid: u32, fds: &[i32], at: u64, depth: u32) -> Vec<String> {
        let mut members: Vec<String> = Vec::new();
        for fd in fds.iter().take(MEMBERS) {
            let object = if depth > DEPTH { None } else { self.look(pid, *fd, at, depth) };
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
