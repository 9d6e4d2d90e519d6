//! Reading the list of goroutines and the stacks of those that wait.

use std::collections::HashMap;
use std::sync::Arc;

use super::find::{self, Found};
use super::{Doing, Goroutine, NotGo};
use crate::python::{Memory, Piece, Remote, Snapshot, Unreadable};

/// Goroutines read in one look. Where there are more, looks take turns; the main one is in all of them.
const AT_ONCE: u64 = 128;

/// Of a stack that waits; a parked one is a few hundred bytes deep.
const STACK: u64 = 16 * 1024;

const FRAMES: usize = 128;

/// Readings of a stack that changes meanwhile.
const TRIES: usize = 2;

/// The runtime's number for a goroutine that is parked.
const WAITING: u32 = 4;

/// A bit that the collector sets while it scans the goroutine's stack.
const SCANNED: u32 = 0x1000;

/// A Go program, seen from outside.
#[derive(Debug)]
pub struct Runtime<M: Memory = Remote> {
    memory: M,
    found: Found,
    /// Where the next look begins, when one is not enough for all.
    turn: u64,
    /// What each goroutine was last seen with, by its address: who still waits is not read again.
    seen: HashMap<u64, Parked>,
    shot: Snapshot,
}

/// A goroutine that waits, as its own fields tell.
#[derive(Clone, Debug)]
struct Parked {
    mark: Mark,
    returns: Arc<[u64]>,
}

/// The same mark twice: it has not moved in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    id: u64,
    sp: u64,
    pc: u64,
    bp: u64,
    stack_high: u64,
    parkings: u8,
}

/// The fields of one goroutine.
#[derive(Clone, Copy, Debug)]
struct Fields {
    mark: Mark,
    status: u32,
    reason: u8,
    machine: u64,
    start: u64,
}

impl Runtime {
    /// Looks whether the process is a Go program, which, and where its goroutines are.
    ///
    /// # Errors
    /// When it is none, or cannot be read. For other programs this reads the headers of their file, no more.
    pub fn find(pid: u32) -> Result<Self, NotGo> {
        // A hostile file may reach a corner of the reader that panics; it is then no program of ours.
        let found = std::panic::catch_unwind(|| find::find(pid)).unwrap_or(Err(NotGo::OtherProgram))?;
        Ok(Self::at(Remote { pid }, found))
    }
}

impl<M: Memory> Runtime<M> {
    pub(crate) fn at(memory: M, found: Found) -> Self {
        Self { memory, found, turn: 0, seen: HashMap::new(), shot: Snapshot::default() }
    }

    /// As the program states it: `go1.19.8`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.found.version
    }

    /// The runtime's own words for why a goroutine waits. Empty when it has none.
    #[must_use]
    pub fn reason(&self, reason: u8) -> &str {
        self.found.reasons.get(usize::from(reason)).map_or("", String::as_str)
    }

    /// The user's goroutines, without those of the runtime itself. Before the program has begun there are none.
    ///
    /// # Errors
    /// When the process has ended or refuses.
    pub fn look(&mut self) -> Result<Vec<Goroutine>, Unreadable> {
        let addresses = self.turn()?;
        let mut all: Vec<(u64, Fields)> = self.fields(&addresses)?;
        // One that went on while it was read may stand still the next time.
        for _ in 0..TRIES {
            self.read_stacks(&mut all)?;
        }
        let machines: Vec<u64> = all
            .iter()
            .filter(|(_, fields)| matches!(fields.status, 2 | 3))
            .map(|(_, fields)| fields.machine)
            .collect();
        let tids = self.tids(&machines)?;
        Ok(all.iter().filter_map(|(address, fields)| self.goroutine(*address, fields, &tids)).collect())
    }

    /// The addresses of the goroutines whose turn it is.
    fn turn(&mut self) -> Result<Vec<u64>, Unreadable> {
        let list = self.found.list;
        self.shot.clear();
        self.shot.want(list.length, 8);
        self.shot.want(list.array, 8);
        self.shot.take(&self.memory)?;
        let (Some(length), Some(array)) = (self.shot.word(list.length), self.shot.word(list.array)) else {
            return Ok(Vec::new());
        };
        let length = length.min(1 << 24);
        if length <= AT_ONCE {
            return self.pointers(array, 0, length);
        }
        if self.turn == 0 || self.turn >= length {
            self.turn = 1;
        }
        let many = (AT_ONCE - 1).min(length - self.turn);
        let mut addresses = self.pointers(array, 0, 1)?;
        addresses.extend(self.pointers(array, self.turn, many)?);
        self.turn += many;
        Ok(addresses)
    }

    /// Some addresses of the array.
    fn pointers(&mut self, array: u64, from: u64, many: u64) -> Result<Vec<u64>, Unreadable> {
        let mut bytes = vec![0; usize::try_from(many.min(AT_ONCE) * 8).unwrap_or(0)];
        let piece = Piece { address: array.wrapping_add(from * 8), length: bytes.len() };
        let filled = self.memory.fill(&[piece], &mut bytes)?;
        let whole = bytes.get(..filled).unwrap_or_default().as_chunks::<8>().0;
        Ok(whole.iter().map(|word| u64::from_le_bytes(*word)).filter(|address| *address != 0).collect())
    }

    fn fields(&mut self, addresses: &[u64]) -> Result<Vec<(u64, Fields)>, Unreadable> {
        let length = self.found.offsets.length;
        self.shot.clear();
        let pieces: Vec<usize> = addresses.iter().map(|address| self.shot.want(*address, length)).collect();
        self.shot.take(&self.memory)?;
        let fields = pieces.iter().zip(addresses).filter_map(|(piece, address)| {
            Some((*address, self.found.offsets.fields(self.shot.piece(*piece)?)?))
        });
        Ok(fields.filter(|(_, fields)| !self.found.own_starts.contains(&fields.start)).collect())
    }

    /// Reads the stacks of goroutines that wait somewhere new. Of one that moved meanwhile only the fields are kept, as
    /// they are then.
    fn read_stacks(&mut self, all: &mut [(u64, Fields)]) -> Result<(), Unreadable> {
        let length = self.found.offsets.length;
        self.shot.clear();
        let mut pieces = Vec::new();
        for (address, fields) in all.iter_mut() {
            let mark = fields.mark;
            let is_known = self.seen.get(address).is_some_and(|seen| seen.mark == mark);
            if fields.status != WAITING || is_known {
                continue;
            }
            let depth = mark.stack_high.saturating_sub(mark.sp).min(STACK);
            let stack = self.shot.want(mark.sp, usize::try_from(depth).unwrap_or(0));
            // Again, and after its stack: the same mark says that nothing moved in between.
            let again = self.shot.want(*address, length);
            pieces.push((*address, fields, stack, again));
        }
        if pieces.is_empty() {
            return Ok(());
        }
        self.shot.take(&self.memory)?;
        for (address, fields, stack, again) in pieces {
            let after = self.shot.piece(again).and_then(|bytes| self.found.offsets.fields(bytes));
            let still = after.is_some_and(|after| after.mark == fields.mark && after.status == WAITING);
            match self.shot.piece(stack).filter(|_| still) {
                Some(bytes) => {
                    let returns = returns(&fields.mark, bytes);
                    self.seen.insert(address, Parked { mark: fields.mark, returns });
                }
                None => {
                    self.seen.remove(&address);
                    *fields = after.unwrap_or(*fields);
                }
            }
        }
        Ok(())
    }

    /// The kernel's numbers of the threads that carry goroutines, by the address of the runtime's own record of them.
    fn tids(&mut self, machines: &[u64]) -> Result<HashMap<u64, u32>, Unreadable> {
        let offset = self.found.offsets.tid as u64;
        self.shot.clear();
        for machine in machines.iter().filter(|machine| **machine != 0) {
            self.shot.want(machine.wrapping_add(offset), 8);
        }
        if !self.shot.is_empty() {
            self.shot.take(&self.memory)?;
        }
        let tid = |machine: &u64| {
            let word = self.shot.word(machine.wrapping_add(offset))?;
            Some((*machine, u32::try_from(word).ok().filter(|tid| *tid != 0)?))
        };
        Ok(machines.iter().filter_map(tid).collect())
    }

    fn goroutine(&self, address: u64, fields: &Fields, tids: &HashMap<u64, u32>) -> Option<Goroutine> {
        let tid = tids.get(&fields.machine).copied();
        let doing = match fields.status {
            1 | 9 => Doing::Ready,
            2 => Doing::Running { tid },
            3 => Doing::Call { tid },
            WAITING => Doing::Waiting { reason: fields.reason },
            // Not begun, or ended, or its stack is being moved.
            _ => return None,
        };
        let seen =
            self.seen.get(&address).filter(|seen| fields.status == WAITING && seen.mark == fields.mark);
        Some(Goroutine {
            id: fields.mark.id,
            doing,
            parkings: fields.mark.parkings,
            returns: seen.map_or_else(|| Arc::from([]), |seen| Arc::clone(&seen.returns)),
        })
    }
}

impl super::offsets::Offsets {
    /// `None` when there are too few bytes, or they are no goroutine's.
    fn fields(&self, bytes: &[u8]) -> Option<Fields> {
        let word = |at: usize| bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word));
        let half = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|half| u32::from_le_bytes(*half));
        let mark = Mark {
            id: word(self.id)?,
            sp: word(self.sp)?,
            pc: word(self.pc)?,
            bp: word(self.bp)?,
            stack_high: word(self.stack_high)?,
            parkings: *bytes.get(self.parkings)?,
        };
        Some(Fields {
            mark,
            status: half(self.status)? & !SCANNED,
            reason: *bytes.get(self.reason)?,
            machine: word(self.machine)?,
            start: word(self.start)?,
        })
        .filter(|fields| fields.mark.id != 0)
    }
}

/// The return addresses along the frame pointers, which the Go compiler always keeps. `stack`: the bytes from `sp` on.
fn returns(mark: &Mark, stack: &[u8]) -> Arc<[u64]> {
    let word = |address: u64| {
        let at = usize::try_from(address.checked_sub(mark.sp)?).ok()?;
        stack.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
    };
    let mut returns = vec![mark.pc];
    let mut bp = mark.bp;
    while returns.len() < FRAMES {
        let (Some(outer), Some(back)) = (word(bp), bp.checked_add(8).and_then(word)) else { break };
        if back == 0 {
            break;
        }
        returns.push(back);
        if outer <= bp {
            break;
        }
        bp = outer;
    }
    returns.into()
}
