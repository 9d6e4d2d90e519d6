//! What arguments of a stopped call point at: paths, the first bytes of buffers, addresses of sockets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::act::Shape;
use crate::record::memory::read_memory;

/// As long as the kernel takes.
const LONGEST_PATH: usize = 4096;

/// Of a list of buffers, those looked at.
const BUFFERS: usize = 16;

/// Of a list of messages, those counted; the kernel takes no more.
const MESSAGES: usize = 1024;

/// A text that ends with a zero byte. `None` when it does not lie in memory whole.
pub(super) fn text(pid: u32, address: u64) -> Option<Vec<u8>> {
    let mut bytes = [0; LONGEST_PATH];
    // Most paths are short, and a page is not worth copying for them.
    for length in [256, LONGEST_PATH] {
        let piece = bytes.get_mut(..length)?;
        let read = read_memory(pid, address, piece);
        let piece = piece.get(..read)?;
        if let Some(end) = piece.iter().position(|byte| *byte == 0) {
            return piece.get(..end).map(<[u8]>::to_vec);
        }
    }
    None
}

/// The first bytes a call moves, at most `most` and at most the `length` it moved.
pub(super) fn payload(pid: u32, shape: Shape, arguments: &[u64; 6], length: u64, most: usize) -> Vec<u8> {
    let [_, address, count, ..] = *arguments;
    let most = most.min(usize::try_from(length).unwrap_or(usize::MAX));
    match shape {
        Shape::Buffer => buffer(pid, address, most.min(usize::try_from(count).unwrap_or(most))),
        Shape::Vector => vector(pid, address, count, most),
        // Both begin with the first header.
        Shape::Header | Shape::Headers => match words::<4>(pid, address) {
            Some([_, _, buffers, count]) => vector(pid, buffers, count, most),
            None => Vec::new(),
        },
    }
}

/// Bytes that a list of messages moved: the kernel leaves each length behind its header (`struct mmsghdr`).
pub(super) fn lengths(pid: u32, address: u64, count: u64) -> u64 {
    let count = usize::try_from(count).unwrap_or(MESSAGES).min(MESSAGES);
    let bytes = buffer(pid, address, count * 64);
    let (messages, _) = bytes.as_chunks::<64>();
    let length =
        |message: &[u8; 64]| message.get(56..)?.first_chunk().map(|length| u32::from_ne_bytes(*length));
    messages.iter().filter_map(length).map(u64::from).sum()
}

fn buffer(pid: u32, address: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    let read = read_memory(pid, address, &mut bytes);
    bytes.truncate(read);
    bytes
}

fn vector(pid: u32, address: u64, count: u64, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (address, length) in buffers(pid, address, count) {
        let left = most.saturating_sub(bytes.len());
        let wanted = usize::try_from(length).unwrap_or(left).min(left);
        let piece = buffer(pid, address, wanted);
        let cut = piece.len() < wanted;
        bytes.extend(piece);
        if cut || bytes.len() >= most {
            break;
        }
    }
    bytes
}

/// Addresses and lengths of a `struct iovec` list.
fn buffers(pid: u32, address: u64, count: u64) -> Vec<(u64, u64)> {
    let count = usize::try_from(count).unwrap_or(BUFFERS).min(BUFFERS);
    let bytes = buffer(pid, address, count * 16);
    let word = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
    let (pairs, _) = bytes.as_chunks::<8>();
    let (pairs, _) = pairs.as_chunks::<2>();
    pairs.iter().map(|[address, length]| (word(address), word(length))).collect()
}

fn words<const COUNT: usize>(pid: u32, address: u64) -> Option<[u64; COUNT]> {
    let bytes = buffer(pid, address, COUNT * 8);
    let (chunks, _) = bytes.as_chunks::<8>();
    let mut words = [0; COUNT];
    for (at, word) in words.iter_mut().enumerate() {
        *word = u64::from_ne_bytes(*chunks.get(at)?);
    }
    Some(words)
}

/// The address a socket is told to connect or send to. `None` for families without one we can write.
pub(super) fn socket_address(pid: u32, address: u64, length: u64) -> Option<String> {
    let length = usize::try_from(length).ok()?.min(128);
    parse_socket_address(&buffer(pid, address, length))
}

fn parse_socket_address(bytes: &[u8]) -> Option<String> {
    let (family, rest) = bytes.split_first_chunk::<2>()?;
    match i32::from(u16::from_ne_bytes(*family)) {
        libc::AF_INET => {
            let (port, rest) = rest.split_first_chunk::<2>()?;
            let ip = Ipv4Addr::from(*rest.first_chunk::<4>()?);
            Some(SocketAddr::new(IpAddr::V4(ip), u16::from_be_bytes(*port)).to_string())
        }
        libc::AF_INET6 => {
            let (port, rest) = rest.split_first_chunk::<2>()?;
            let ip = Ipv6Addr::from(*rest.get(4..)?.first_chunk::<16>()?);
            Some(SocketAddr::new(IpAddr::V6(ip).to_canonical(), u16::from_be_bytes(*port)).to_string())
        }
        libc::AF_UNIX => {
            let (sign, name) = match rest.split_first()? {
                (0, name) => ("@", name),
                _ => ("", rest),
            };
            let name = name.split(|byte| *byte == 0).next()?;
            Some(format!("{sign}{}", String::from_utf8_lossy(name)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_the_kernel_means_them() {
        let check = |bytes: &[u8], wanted: Option<&str>| {
            assert_eq!(parse_socket_address(bytes).as_deref(), wanted, "{bytes:?}");
        };
        check(b"\x02\x00\x1f\x90\x7f\x00\x00\x01\0\0\0\0\0\0\0\0", Some("127.0.0.1:8080"));
        check(b"\x0a\x00\x00\x50\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0", Some("[::1]:80"));
        check(b"\x01\x00/run/x.sock\0", Some("/run/x.sock"));
        check(b"\x01\x00\0abstract", Some("@abstract"));
        check(b"\x10\x00\0\0\0\0", None);
        let whole = b"\x02\x00\x1f\x90\x7f\x00\x00\x01";
        for length in 0..whole.len() {
            check(&whole[..length], None);
        }
    }

    #[test]
    fn bytes_are_gathered_from_all_kinds_of_memory() {
        let pid = std::process::id();
        let (one, two) = (b"hello ", b"world");
        let list = [one.as_ptr() as u64, one.len() as u64, two.as_ptr() as u64, two.len() as u64];
        let header = [0, 0, list.as_ptr() as u64, 2];
        let arguments = |address: u64, count: u64| [0, address, count, 0, 0, 0];
        let buffer = arguments(one.as_ptr() as u64, 6);
        assert_eq!(payload(pid, Shape::Buffer, &buffer, 6, 256), one);
        assert_eq!(payload(pid, Shape::Buffer, &buffer, 6, 2), b"he");
        let vector = arguments(list.as_ptr() as u64, 2);
        assert_eq!(payload(pid, Shape::Vector, &vector, 11, 256), b"hello world");
        assert_eq!(payload(pid, Shape::Vector, &vector, 8, 256), b"hello wo");
        let header = arguments(header.as_ptr() as u64, 0);
        assert_eq!(payload(pid, Shape::Header, &header, 11, 7), b"hello w");
        assert_eq!(payload(pid, Shape::Buffer, &arguments(8, 10), 10, 256), b"");
        assert_eq!(text(pid, c"/etc/passwd".as_ptr() as u64).as_deref(), Some(&b"/etc/passwd"[..]));
        assert_eq!(text(pid, 8), None);
    }
}
