//! What calls added up to, while they come: rows, files, peers, messages.

use std::collections::{BTreeMap, HashMap};

use model::calls::{FileUse, Message, On, Peer, Role, Totals};
use model::recording::Object;
use model::{Nanos, calls::Direction};

use super::act::{Act, Purpose, Way};
use super::ranges::Ranges;
use super::stalls::Stalls;

/// Paths and objects with a row of their own; of more, only their folders have one.
const MOST_FILES: usize = 20_000;
const MOST_OTHERS: usize = 4_096;

/// Bytes of messages that are kept in all.
const MOST_BYTES: usize = 64 << 20;

/// Call, object and stack: what makes a row.
pub(super) type Key = (&'static str, Option<On>, Option<u32>);

#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) rows: HashMap<Key, Sum>,
    pub(super) files: Vec<FileSum>,
    by_path: HashMap<String, u32>,
    pub(super) peers: Vec<Peer>,
    by_peer: HashMap<(String, Option<String>, Role), u32>,
    pub(super) others: Vec<Object>,
    by_object: HashMap<Object, u32>,
    pub(super) messages: Vec<Message>,
    pub(super) stalls: Stalls,
    /// Connections to a peer that were closed, and not made again since.
    closed: HashMap<u32, u64>,
    kept: usize,
    /// Messages that were not kept.
    pub(super) dropped: u64,
    pub(super) totals: Totals,
    /// The shortest time from the beginning of a call to its end: nearly all of it is ours.
    pub(super) shortest: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct FileSum {
    pub(super) told: FileUse,
    pub(super) read: Ranges,
    pub(super) written: Ranges,
}

#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) seen: u64,
    pub(super) requested: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) latency: u64,
    pub(super) longest: u64,
    pub(super) sizes: Vec<u64>,
    pub(super) errors: BTreeMap<i64, u64>,
    pub(super) sequential: Option<u64>,
    pub(super) overlapping: Option<u64>,
    pub(super) reread: Option<u64>,
}

/// One call that ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) spent: u64,
    /// As the kernel gave it.
    pub(super) result: i64,
    /// Bytes it was asked to move. `None` where that is not one number.
    pub(super) requested: Option<u64>,
    /// `None` for calls that move nothing.
    pub(super) moved: Option<u64>,
    pub(super) sequential: Option<bool>,
    pub(super) overlapping: Option<bool>,
    pub(super) reread: Option<u64>,
}

impl Book {
    /// A call that is counted and no more.
    pub(super) fn count(&mut self, key: Key) {
        self.rows.entry(key).or_default().count += 1;
    }

    pub(super) fn add(&mut self, key: Key, outcome: &Outcome) {
        self.totals.seen += 1;
        self.shortest = Some(self.shortest.map_or(outcome.spent, |shortest| shortest.min(outcome.spent)));
        let sum = self.rows.entry(key).or_default();
        sum.count += 1;
        sum.seen += 1;
        sum.latency += outcome.spent;
        sum.longest = sum.longest.max(outcome.spent);
        if outcome.result < 0 {
            *sum.errors.entry(-outcome.result).or_default() += 1;
        }
        sum.requested = added(sum.requested, outcome.requested);
        if let Some(moved) = outcome.moved {
            sum.bytes = Some(sum.bytes.unwrap_or(0) + moved);
            let size = size_class(moved);
            if sum.sizes.len() <= size {
                sum.sizes.resize(size + 1, 0);
            }
            if let Some(slot) = sum.sizes.get_mut(size) {
                *slot += 1;
            }
        }
        sum.sequential = added(sum.sequential, outcome.sequential.map(u64::from));
        sum.overlapping = added(sum.overlapping, outcome.overlapping.map(u64::from));
        sum.reread = added(sum.reread, outcome.reread);
    }

    /// The row of a path. Beyond many of them, that of its folder.
    pub(super) fn file(&mut self, path: &str) -> u32 {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let folder;
        let path = if self.files.len() < MOST_FILES {
            path
        } else {
            folder = format!("{}/*", path.rsplit_once('/').map_or("", |(folder, _)| folder));
            &folder
        };
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let index = index(self.files.len());
        let told = FileUse { path: path.to_owned(), ..FileUse::default() };
        self.files.push(FileSum { told, ..FileSum::default() });
        self.by_path.insert(path.to_owned(), index);
        index
    }

    /// Whether a file is the map that a runtime writes of its code, `/tmp/perf-PID.map`.
    pub(super) fn is_map(&self, on: On, pid: u32) -> bool {
        let On::File(at) = on else { return false };
        let path = self.files.get(at as usize).map(|file| file.told.path.as_str());
        let number = path.and_then(|path| path.rsplit_once("/perf-")?.1.strip_suffix(".map"));
        number.is_some_and(|number| number.parse() == Ok(pid))
    }

    pub(super) fn peer(&mut self, family: &str, address: Option<&str>, role: Role) -> u32 {
        let key = (family.to_owned(), address.map(str::to_owned), role);
        if let Some(known) = self.by_peer.get(&key) {
            return *known;
        }
        let index = index(self.peers.len());
        self.peers.push(Peer {
            family: key.0.clone(),
            address: key.1.clone(),
            role,
            process: None,
            connections: 0,
            again: 0,
            refused: 0,
            sends: 0,
            sent_bytes: 0,
            receives: 0,
            received_bytes: 0,
            protocol: None,
            requests: None,
            sleeps: 0,
            slept: Nanos::ZERO,
            stalls: 0,
            stalled: Nanos::ZERO,
            stalled_at: None,
            statements: Vec::new(),
        });
        self.by_peer.insert(key, index);
        index
    }

    /// A connection to a peer is gone.
    pub(super) fn closed(&mut self, on: Option<On>) {
        if let Some(On::Peer(at)) = on {
            *self.closed.entry(at).or_default() += 1;
        }
    }

    /// A connection to a peer is made; whether an earlier one was closed before.
    pub(super) fn is_again(&mut self, on: Option<On>) -> bool {
        let Some(On::Peer(at)) = on else { return false };
        let Some(closed) = self.closed.get_mut(&at).filter(|closed| **closed > 0) else { return false };
        *closed -= 1;
        true
    }

    /// `None` when there are too many.
    pub(super) fn other(&mut self, object: Object) -> Option<u32> {
        if let Some(known) = self.by_object.get(&object) {
            return Some(*known);
        }
        if self.others.len() >= MOST_OTHERS {
            return None;
        }
        let index = index(self.others.len());
        self.others.push(object.clone());
        self.by_object.insert(object, index);
        Some(index)
    }

    pub(super) fn file_at(&mut self, on: Option<On>) -> Option<&mut FileSum> {
        let Some(On::File(at)) = on else { return None };
        self.files.get_mut(at as usize)
    }

    pub(super) fn peer_at(&mut self, on: Option<On>) -> Option<&mut Peer> {
        let Some(On::Peer(at)) = on else { return None };
        self.peers.get_mut(at as usize)
    }

    /// Books what moved between memory and a file or peer. How many of the bytes had been read before.
    pub(super) fn moved(&mut self, on: Option<On>, way: Way, offset: Option<u64>, bytes: u64) -> Option<u64> {
        if let Some(peer) = self.peer_at(on) {
            match way {
                Way::In => {
                    (peer.receives, peer.received_bytes) = (peer.receives + 1, peer.received_bytes + bytes)
                }
                Way::Out => (peer.sends, peer.sent_bytes) = (peer.sends + 1, peer.sent_bytes + bytes),
            }
            return None;
        }
        let file = self.file_at(on)?;
        let (count, total, ranges) = match way {
            Way::In => (&mut file.told.reads, &mut file.told.read_bytes, &mut file.read),
            Way::Out => (&mut file.told.writes, &mut file.told.written_bytes, &mut file.written),
        };
        (*count, *total) = (*count + 1, *total + bytes);
        let known = match offset {
            Some(offset) => ranges.add(offset, bytes),
            None => {
                ranges.lose();
                None
            }
        };
        known.filter(|_| way == Way::In)
    }

    /// Books a call that was counted only.
    pub(super) fn skipped(&mut self, on: Option<On>, act: Act) {
        match act {
            Act::Move { way: Way::In, .. } => {
                if let Some(peer) = self.peer_at(on) {
                    peer.receives += 1;
                } else if let Some(file) = self.file_at(on) {
                    file.told.reads += 1;
                    file.read.lose();
                }
            }
            Act::Move { way: Way::Out, .. } => {
                if let Some(peer) = self.peer_at(on) {
                    peer.sends += 1;
                } else if let Some(file) = self.file_at(on) {
                    file.told.writes += 1;
                    file.written.lose();
                }
            }
            Act::Sync => {
                if let Some(file) = self.file_at(on) {
                    file.told.syncs += 1;
                }
            }
            _ => {}
        }
    }

    pub(super) fn named(&mut self, on: Option<On>, purpose: Purpose, failed: bool) {
        let Some(file) = self.file_at(on) else { return };
        match purpose {
            Purpose::Open => file.told.opens += 1,
            Purpose::Stat => file.told.stats += 1,
            Purpose::Change => {}
        }
        file.told.failures += u64::from(failed && purpose != Purpose::Change);
    }

    pub(super) fn keep(&mut self, message: Message) {
        if self.kept + message.bytes.len() > MOST_BYTES
            || (message.length == 0 && message.direction == Direction::Sent)
        {
            self.dropped += u64::from(message.length > 0);
            return;
        }
        // What a message weighs besides its bytes.
        self.kept += message.bytes.len() + 80;
        self.messages.push(message);
    }
}

/// 0 for nothing, 1 for one byte, 2 for two and three, and so on.
fn size_class(bytes: u64) -> usize {
    (u64::BITS - bytes.leading_zeros()) as usize
}

fn added(sum: Option<u64>, more: Option<u64>) -> Option<u64> {
    more.map_or(sum, |more| Some(sum.unwrap_or(0) + more))
}

#[expect(clippy::cast_possible_truncation, reason = "four billion rows do not fit a machine")]
pub(super) fn index(length: usize) -> u32 {
    length as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_fall_into_powers_of_two() {
        for (bytes, class) in [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (4095, 12), (4096, 13), (u64::MAX, 64)]
        {
            assert_eq!(size_class(bytes), class, "{bytes}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_zero() {
        let mut book = Book::default();
        let outcome = Outcome {
            spent: 5,
            result: -2,
            requested: None,
            moved: None,
            sequential: None,
            overlapping: None,
            reread: None,
        };
        book.add(("stat", None, None), &outcome);
        book.count(("stat", None, None));
        let sum = &book.rows[&("stat", None, None)];
        assert_eq!((sum.count, sum.seen, sum.bytes, sum.reread), (2, 1, None, None));
        assert_eq!(sum.errors[&2], 1);
        let on = Some(On::File(book.file("/x")));
        book.moved(on, Way::In, None, 10);
        assert_eq!(book.files[0].read.covered(), None);
        assert_eq!(book.files[0].written.covered(), Some(0));
    }

    #[test]
    fn a_flood_of_paths_becomes_its_folders() {
        let mut book = Book::default();
        for number in 0..MOST_FILES + 50 {
            book.file(&format!("/a/b/{number}"));
        }
        assert_eq!(book.files.len(), MOST_FILES + 1);
        assert_eq!(book.files.last().unwrap().told.path, "/a/b/*");
    }
}
