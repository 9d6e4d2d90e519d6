//! The other end of a socket, from the kernel's socket diagnosis: one question, one answer, no search.
//!
//! Messages: `struct unix_diag_req` and `unix_diag_msg` of <linux/unix_diag.h>, `struct inet_diag_req_v2` and
//! `inet_diag_msg` of <linux/inet_diag.h>.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::sockets::namespace;

/// `SOCK_DIAG_BY_FAMILY`.
const BY_FAMILY: u16 = 20;
/// `UDIAG_SHOW_PEER`.
const SHOW_PEER: u32 = 4;
/// `UNIX_DIAG_PEER`.
const PEER: u16 = 2;
/// `TCP_LISTEN`: the kernel names the listener where there is no connection.
const LISTENS: u8 = 10;
const ANY: u32 = u32::MAX;

/// Pairs are remembered up to this many; then they are asked for again.
const MOST_PAIRS: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Diag {
    /// `None` before the first question.
    line: Option<Line>,
    /// Inodes of both ends. An inode is given out again only after both are closed, but then it is.
    pairs: HashMap<u64, u64>,
}

#[derive(Debug)]
struct Line {
    /// `None` when the kernel gives no such socket.
    socket: Option<OwnedFd>,
    /// Questions are about our own network namespace.
    namespace: Option<u64>,
}

impl Diag {
    /// The inode of the other end; `None` when it is not connected, in another namespace, or the kernel does not say.
    pub(super) fn unix_peer(&mut self, inode: u64, namespace: Option<u64>) -> Option<u64> {
        if let Some(peer) = self.pairs.get(&inode) {
            return Some(*peer);
        }
        let inode = u32::try_from(inode).ok()?;
        let peer = unix_peer(&self.ask(&unix_question(inode), namespace?)?, inode)?;
        if self.pairs.len() >= MOST_PAIRS {
            self.pairs.clear();
        }
        self.pairs.insert(inode.into(), peer);
        Some(peer)
    }

    /// The inode of the connected TCP socket with these addresses; `None` as above.
    pub(super) fn tcp_socket(
        &mut self,
        local: SocketAddr,
        remote: SocketAddr,
        namespace: u64,
    ) -> Option<u64> {
        tcp_inode(&self.ask(&tcp_question(local, remote), namespace)?)
    }

    fn ask(&mut self, question: &[u8], about: u64) -> Option<Vec<u8>> {
        let line = self.line.get_or_insert_with(|| Line { socket: open(), namespace: namespace("self") });
        if line.namespace != Some(about) {
            return None;
        }
        ask(line.socket.as_ref()?, question)
    }
}

fn open() -> Option<OwnedFd> {
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: integers only; the result is checked, new and ours.
    unsafe {
        let fd = libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_SOCK_DIAG);
        (fd >= 0).then(|| OwnedFd::from_raw_fd(fd))
    }
}

fn ask(socket: &OwnedFd, question: &[u8]) -> Option<Vec<u8>> {
    let mut answer = [0_u8; 1024];
    // SAFETY: both buffers are as long as said. The kernel has answered when `send` returns.
    let length = unsafe {
        if libc::send(socket.as_raw_fd(), question.as_ptr().cast(), question.len(), 0) < 0 {
            return None;
        }
        libc::recv(socket.as_raw_fd(), answer.as_mut_ptr().cast(), answer.len(), libc::MSG_DONTWAIT)
    };
    answer.get(..usize::try_from(length).ok()?).map(<[u8]>::to_vec)
}

/// Family and padding, states, inode, what to show, cookie.
fn unix_question(inode: u32) -> Vec<u8> {
    let mut request = vec![libc::AF_UNIX as u8, 0, 0, 0];
    for word in [ANY, inode, SHOW_PEER, ANY, ANY] {
        request.extend(word.to_ne_bytes());
    }
    with_header(&request)
}

/// Family, protocol and padding, states, ports, addresses of 16 bytes each, interface, cookie.
fn tcp_question(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let family = if local.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    let mut request = vec![family as u8, libc::IPPROTO_TCP as u8, 0, 0];
    request.extend(ANY.to_ne_bytes());
    request.extend([local.port().to_be_bytes(), remote.port().to_be_bytes()].concat());
    for address in [local.ip(), remote.ip()] {
        match address {
            IpAddr::V4(address) => request.extend([address.octets(), [0; 4], [0; 4], [0; 4]].concat()),
            IpAddr::V6(address) => request.extend(address.octets()),
        }
    }
    for word in [0, ANY, ANY] {
        request.extend(word.to_ne_bytes());
    }
    with_header(&request)
}

/// Length, kind, flags, sequence, sender.
fn with_header(request: &[u8]) -> Vec<u8> {
    let mut question = Vec::with_capacity(16 + request.len());
    question.extend((16 + request.len() as u32).to_ne_bytes());
    question.extend(BY_FAMILY.to_ne_bytes());
    question.extend((libc::NLM_F_REQUEST as u16).to_ne_bytes());
    question.extend([0; 8]);
    question.extend(request);
    question
}

/// The state is the second byte after the header, the inode the last word of the fixed part.
fn tcp_inode(answer: &[u8]) -> Option<u64> {
    let listens = *answer.get(17)? == LISTENS;
    let inode = word(answer, 84)?;
    // A connection that nobody has accepted yet has no inode.
    (short(answer, 4)? == BY_FAMILY && !listens && inode != 0).then(|| inode.into())
}

/// Header of 16 bytes, message of 16 (the inode at its fourth byte), then attributes: length, kind, value, padded to 4.
fn unix_peer(answer: &[u8], inode: u32) -> Option<u64> {
    if short(answer, 4)? != BY_FAMILY || word(answer, 20)? != inode {
        return None;
    }
    let mut attributes = answer.get(32..)?;
    loop {
        let length = usize::from(short(attributes, 0)?);
        if short(attributes, 2)? == PEER {
            return word(attributes.get(..length)?, 4).map(u64::from);
        }
        attributes = attributes.get(length.max(4).next_multiple_of(4)..)?;
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_ne_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_answer_names_no_peer() {
        let mut answer = vec![0; 32];
        answer[4] = 20;
        answer[20..24].copy_from_slice(&7_u32.to_ne_bytes());
        // An attribute of five bytes and its padding, then the peer.
        answer.extend([5, 0, 0, 0, 1, 0, 0, 0]);
        answer.extend([8, 0, 2, 0, 9, 0, 0, 0]);
        assert_eq!(unix_peer(&answer, 7), Some(9));
        assert_eq!(unix_peer(&answer, 8), None);
        for length in 0..answer.len() {
            assert_eq!(unix_peer(&answer[..length], 7), None, "{length}");
        }
    }
}
