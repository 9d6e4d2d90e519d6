//! Both ends of a socket, asked of the socket itself.
//!
//! A copy of the target's descriptor is fetched for some microseconds (pidfd_getfd(2), Linux 5.6, allowed to whoever may
//! trace the target). The kernel's tables, the other way, take 10 ms to read even when they are empty, because it walks
//! all of its hash table.

use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net;

use super::lossy;
use super::sockets::{Row, protocol};

/// `None` when the descriptor may not be fetched.
pub(super) fn ask(pid: u32, fd: RawFd) -> Option<Row> {
    let copy = fetch(pid, fd)?;
    let family = protocol(pid, fd);
    // These types ask whatever socket they are given, and refuse an address that is not of their family.
    let stream = TcpStream::from(copy);
    if let Ok(local) = stream.local_addr() {
        let remote = stream.peer_addr().ok().map(plain);
        return Some(Row::Internet { family: family?, local: plain(local), remote });
    }
    let stream = net::UnixStream::from(OwnedFd::from(stream));
    match stream.local_addr() {
        // Of a connected pair only the side that listened has a name.
        Ok(own) => Some(Row::Unix {
            path: stream.peer_addr().ok().and_then(|peer| name(&peer)).or_else(|| name(&own)),
        }),
        Err(_) => Some(Row::Other { family: family? }),
    }
}

/// An IPv4 address in IPv6 clothes is an IPv4 address, so that both ends of a connection agree.
pub(super) fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

fn name(address: &net::SocketAddr) -> Option<String> {
    let path = address.as_pathname().map(|path| path.to_string_lossy().into_owned());
    path.or_else(|| Some(format!("@{}", lossy(address.as_abstract_name()?))))
}

fn fetch(pid: u32, fd: RawFd) -> Option<OwnedFd> {
    let process = opened(|| {
        // SAFETY: integers only.
        unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) }
    })?;
    opened(|| {
        // SAFETY: integers only; the descriptor lives as long as the call.
        unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), fd, 0) }
    })
}

fn opened(call: impl FnOnce() -> libc::c_long) -> Option<OwnedFd> {
    let fd = RawFd::try_from(call()).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: both callers return a descriptor the kernel just made for us.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}
