//! Sockets by inode: family, peer, and the process of the tree that has the other end.
//!
//! The socket itself is asked first. Where that is refused, the kernel's tables tell; they list every socket of a network
//! namespace, so reading them is paced: at most a fiftieth of the time goes into it, however many sockets there are.

use std::collections::HashMap;
use std::ffi::CString;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

use model::recording::Object;

use super::diag::Diag;
use super::{ends, lossy, split};

#[derive(Debug, Default)]
pub(super) struct Sockets {
    /// By network namespace.
    tables: HashMap<u64, Table>,
    /// Processes of the tree that have a socket open, by its inode.
    owners: HashMap<u64, Vec<u32>>,
    owners_read: Pace,
    diag: Diag,
}

#[derive(Debug, Default)]
struct Table {
    sockets: HashMap<u64, Row>,
    by_pair: HashMap<(SocketAddr, SocketAddr), u64>,
    read: Pace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Internet {
        family: String,
        local: SocketAddr,
        remote: Option<SocketAddr>,
    },
    /// The path of the other end or, failing that, its own.
    Unix {
        path: Option<String>,
    },
    Other {
        family: String,
    },
}

/// Keeps what is done again and again below a fiftieth of the time.
#[derive(Debug, Default)]
struct Pace {
    last: Option<u64>,
    cost: u64,
}

impl Pace {
    fn is_due(&self, now: u64) -> bool {
        self.last
            .is_none_or(|last| now.saturating_sub(last) >= super::FRESH.max(self.cost.saturating_mul(50)))
    }

    fn spend<T>(&mut self, now: u64, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        self.last = Some(now);
        self.cost = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        result
    }
}

impl Sockets {
    pub(super) fn examine(
        &mut self,
        pid: u32,
        fd: i32,
        inode: u64,
        now: u64,
        tree: &HashMap<u32, u32>,
    ) -> Object {
        let namespace = namespace(&pid.to_string());
        let row = ends::ask(pid, fd)
            .or_else(|| self.row(pid, namespace?, inode, now))
            .or_else(|| protocol(pid, fd).map(|family| Row::Other { family }));
        let (family, peer, other) = match row {
            Some(Row::Internet { family, local, remote }) => {
                let other = remote.and_then(|remote| self.other_end(&family, namespace?, local, remote));
                (family, remote.map(|remote| remote.to_string()), other)
            }
            Some(Row::Unix { path }) => {
                let other = self.diag.unix_peer(inode, namespace);
                let named = other.and_then(|other| self.path(namespace?, other));
                ("unix".to_owned(), named.or(path), other)
            }
            Some(Row::Other { family }) => (family, None, None),
            None => ("unknown".to_owned(), None, None),
        };
        let owner = other.and_then(|other| self.owner(other, pid, now, tree));
        Object::Socket { family, peer, local_peer: owner.and_then(|pid| tree.get(&pid).copied()), inode }
    }

    /// The inode of the socket with the same addresses the other way round.
    fn other_end(
        &mut self,
        family: &str,
        namespace: u64,
        local: SocketAddr,
        remote: SocketAddr,
    ) -> Option<u64> {
        let asked = if family == "tcp" { self.diag.tcp_socket(remote, local, namespace) } else { None };
        asked.or_else(|| self.tables.get(&namespace)?.by_pair.get(&(remote, local)).copied())
    }

    /// A row that has a peer is final; one that has none, or none at all, is looked for again when it is due.
    fn row(&mut self, pid: u32, namespace: u64, inode: u64, now: u64) -> Option<Row> {
        let table = self.tables.entry(namespace).or_default();
        let known = table.sockets.get(&inode);
        let is_final = matches!(known, Some(Row::Unix { .. } | Row::Internet { remote: Some(_), .. }));
        if !is_final && table.read.is_due(now) {
            let mut read = std::mem::take(&mut table.read);
            *table = read.spend(now, || Table::of(pid));
            table.read = read;
        }
        table.sockets.get(&inode).cloned()
    }

    fn path(&self, namespace: u64, inode: u64) -> Option<String> {
        match self.tables.get(&namespace)?.sockets.get(&inode)? {
            Row::Unix { path } => path.clone(),
            Row::Internet { .. } | Row::Other { .. } => None,
        }
    }

    /// The process that has this socket open; of several another than `asking`, which has the near end.
    fn owner(&mut self, inode: u64, asking: u32, now: u64, tree: &HashMap<u32, u32>) -> Option<u32> {
        if !self.owners.contains_key(&inode) && self.owners_read.is_due(now) {
            self.owners = self.owners_read.spend(now, || owners(tree));
        }
        let owners = self.owners.get(&inode)?;
        owners.iter().find(|owner| **owner != asking).or_else(|| owners.first()).copied()
    }
}

impl Table {
    fn of(pid: u32) -> Self {
        let mut table = Self::default();
        let read = |name: &str| fs::read(format!("/proc/{pid}/net/{name}")).unwrap_or_default();
        for (name, family) in [("tcp", "tcp"), ("tcp6", "tcp"), ("udp", "udp"), ("udp6", "udp")] {
            for line in read(name).split(|byte| *byte == b'\n').skip(1) {
                if let Some((inode, local, remote)) = internet(line) {
                    table.sockets.insert(inode, Row::Internet { family: family.to_owned(), local, remote });
                    if let Some(remote) = remote {
                        table.by_pair.insert((local, remote), inode);
                    }
                }
            }
        }
        let unix = read("unix");
        let rows = unix.split(|byte| *byte == b'\n').skip(1).filter_map(unix_row);
        table.sockets.extend(rows.map(|(inode, path)| (inode, Row::Unix { path })));
        table
    }
}

/// `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`. `None` for sockets nobody has open.
fn internet(line: &[u8]) -> Option<(u64, SocketAddr, Option<SocketAddr>)> {
    let mut fields = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let (local, remote) = (address(fields.next()?)?, address(fields.next()?)?);
    let inode = fields.nth(6)?.parse().ok()?;
    (inode != 0).then_some((inode, local, (remote.port() != 0).then_some(remote)))
}

/// Hexadecimal words as they lie in memory, then the port.
fn address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let mut bytes = [0_u8; 16];
    let words = ip.as_bytes().chunks(8);
    let length = words.len();
    for (word, place) in words.zip(bytes.chunks_mut(4)) {
        let word = u32::from_str_radix(std::str::from_utf8(word).ok()?, 16).ok()?;
        place.copy_from_slice(&word.to_ne_bytes());
    }
    let ip = match (length, ip.len(), bytes) {
        (1, 8, [a, b, c, d, ..]) => IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        (4, 32, bytes) => IpAddr::V6(Ipv6Addr::from(bytes)),
        _ => return None,
    };
    Some(ends::plain(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?)))
}

/// `Num RefCount Protocol Flags Type St Inode Path`; the path may hold anything, or be missing.
fn unix_row(line: &[u8]) -> Option<(u64, Option<String>)> {
    let mut fields = line.splitn(2, |byte| *byte == b':').nth(1)?;
    let mut inode = None;
    for _ in 0..6 {
        fields = fields.trim_ascii_start();
        let end = fields.iter().position(|byte| *byte == b' ').unwrap_or(fields.len());
        let (field, rest) = fields.split_at(end);
        inode = std::str::from_utf8(field).ok();
        fields = rest;
    }
    let path = fields.strip_prefix(b" ").filter(|path| !path.is_empty()).map(lossy);
    Some((inode?.parse().ok()?, path))
}

/// Who of the tree has which sockets open.
fn owners(tree: &HashMap<u32, u32>) -> HashMap<u64, Vec<u32>> {
    let mut owners: HashMap<u64, Vec<u32>> = HashMap::new();
    for pid in tree.keys() {
        let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        for link in entries.filter_map(|entry| fs::read_link(entry.path()).ok()) {
            if let (b"socket", inode) = split(link.as_os_str().as_bytes())
                && let Some(inode) = std::str::from_utf8(inode).ok().and_then(|inode| inode.parse().ok())
            {
                owners.entry(inode).or_default().push(*pid);
            }
        }
    }
    owners
}

/// The network namespace of a process; its number is that of an inode.
pub(super) fn namespace(pid: &str) -> Option<u64> {
    let link = fs::read_link(format!("/proc/{pid}/ns/net")).ok()?;
    std::str::from_utf8(split(link.as_os_str().as_bytes()).1).ok()?.parse().ok()
}

/// The kernel's own word for a socket that is in no table: not bound yet, or of a rarer family.
pub(super) fn protocol(pid: u32, fd: i32) -> Option<String> {
    let place = CString::new(format!("/proc/{pid}/fd/{fd}")).ok()?;
    let mut name = [0_u8; 64];
    // SAFETY: both texts end with NUL, and the buffer is as long as said.
    let length = unsafe {
        let attribute = c"system.sockprotoname".as_ptr();
        libc::getxattr(place.as_ptr(), attribute, name.as_mut_ptr().cast(), name.len())
    };
    let name = name.get(..usize::try_from(length).ok()?)?;
    let name = std::str::from_utf8(name).ok()?.trim_end_matches('\0').to_ascii_lowercase();
    let plain = name.strip_suffix("v6").unwrap_or(&name);
    Some(plain.strip_prefix("unix").map_or(plain, |_| "unix").to_owned())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn rows_of_the_kernels_tables_are_understood() {
        let line = b"   1: 0100007F:1F90 0200000A:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 20";
        let (inode, local, remote) = internet(line).unwrap();
        assert_eq!((inode, local.to_string().as_str()), (4242, "127.0.0.1:8080"));
        assert_eq!(remote.unwrap().to_string(), "10.0.0.2:50000");
        let waiting =
            b"   1: 0100007F:1F90 0200000A:C350 06 00000000:00000000 03:00000000 00000000  0        0 0 3 0";
        assert_eq!(internet(waiting), None);
    }

    #[test]
    fn the_tables_tell_what_the_sockets_tell() {
        let listener = TcpListener::bind("[::]:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let near = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (far, _) = listener.accept().unwrap();
        let table = Table::of(std::process::id());
        let inode = |stream: &TcpStream| {
            let link = fs::read_link(format!("/proc/self/fd/{}", stream.as_raw_fd())).unwrap();
            std::str::from_utf8(split(link.as_os_str().as_bytes()).1).unwrap().parse::<u64>().unwrap()
        };
        let row = table.sockets.get(&inode(&near)).cloned();
        assert_eq!(row, ends::ask(std::process::id(), near.as_raw_fd()));
        let Some(Row::Internet { local, remote: Some(remote), .. }) = row else { panic!("{row:?}") };
        assert_eq!(table.by_pair.get(&(remote, local)), Some(&inode(&far)));
    }

    #[test]
    fn addresses_of_both_families_are_written_as_people_do() {
        for (text, wanted) in [
            ("0100007F:0050", "127.0.0.1:80"),
            ("00000000000000000000000001000000:0050", "[::1]:80"),
            ("0000000000000000FFFF00000100007F:0050", "127.0.0.1:80"),
        ] {
            assert_eq!(address(text).unwrap().to_string(), wanted);
        }
        for text in ["", ":", "0100007F", "0100007F:", "01007F:0050", "zz00007F:0050", "0100007F:10000"] {
            assert_eq!(address(text), None, "{text}");
        }
    }

    #[test]
    fn a_unix_path_may_be_missing_or_hold_spaces() {
        let row = |rest: &str| {
            unix_row(format!("0000000000000000: 00000002 00000000 00010000 0001 01 {rest}").as_bytes())
        };
        assert_eq!(row("663"), Some((663, None)));
        assert_eq!(row("663 /run/a b"), Some((663, Some("/run/a b".to_owned()))));
        assert_eq!(row("663 @abstract"), Some((663, Some("@abstract".to_owned()))));
        assert_eq!(row(""), None);
        assert_eq!(unix_row(b""), None);
    }
}
