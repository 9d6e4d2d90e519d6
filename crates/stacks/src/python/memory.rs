//! Pieces of another process's memory, many in one call.

use std::cell::Cell;
use std::io;

/// Some bytes of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub address: u64,
    pub length: usize,
}

/// Why nothing at all can be read, whatever the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the process has ended")]
    Gone,
    #[error("the kernel does not let us read the process's memory")]
    Refused,
}

/// What the reader looks at: a process, or in tests a made-up memory.
pub trait Memory {
    /// Fills `into` with the pieces, one after the other, and returns how many bytes were filled. It stops at the
    /// first piece that is not mapped.
    fn fill(&self, pieces: &[Piece], into: &mut [u8]) -> Result<usize, Unreadable>;
}

/// The memory of a running process, which is not stopped for it.
#[derive(Clone, Copy, Debug)]
pub struct Remote {
    pub pid: u32,
}

/// Pieces in one call. The kernel allows 1024 (`UIO_MAXIOV`), but their list is cleared for each call.
const MOST_PIECES: usize = 256;

impl Memory for Remote {
    fn fill(&self, pieces: &[Piece], into: &mut [u8]) -> Result<usize, Unreadable> {
        let mut done = 0;
        for pieces in pieces.chunks(MOST_PIECES) {
            let wanted: usize = pieces.iter().map(|piece| piece.length).sum();
            let Some(room) = into.get_mut(done..done + wanted) else { break };
            let filled = fill_at_once(self.pid, pieces, room)?;
            done += filled;
            if filled < wanted {
                break;
            }
        }
        Ok(done)
    }
}

fn fill_at_once(pid: u32, pieces: &[Piece], into: &mut [u8]) -> Result<usize, Unreadable> {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let mut remote = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; MOST_PIECES];
    for (slot, piece) in remote.iter_mut().zip(pieces) {
        // An address of another process is only a number here.
        slot.iov_base = std::ptr::without_provenance_mut(usize::try_from(piece.address).unwrap_or(0));
        slot.iov_len = piece.length;
    }
    // SAFETY: `local` describes `into`, which is borrowed mutably for the call, so the kernel writes only there; the
    // first `pieces.len()` elements of `remote` are initialised and there are at most MOST_PIECES; remote addresses
    // are checked by the kernel.
    let filled = unsafe {
        libc::process_vm_readv(
            pid.cast_signed(),
            &raw const local,
            1,
            remote.as_ptr(),
            pieces.len().min(MOST_PIECES) as libc::c_ulong,
            0,
        )
    };
    usize::try_from(filled).or_else(|_| match io::Error::last_os_error().raw_os_error() {
        Some(libc::ESRCH) => Err(Unreadable::Gone),
        Some(libc::EPERM | libc::EACCES | libc::ENOSYS) => Err(Unreadable::Refused),
        _ => Ok(0),
    })
}

/// Exactly these bytes, or `None` when they are not all mapped.
pub(crate) fn bytes<M: Memory>(
    memory: &M,
    address: u64,
    length: usize,
) -> Result<Option<Vec<u8>>, Unreadable> {
    let mut into = vec![0; length];
    let filled = memory.fill(&[Piece { address, length }], &mut into)?;
    Ok((filled == length).then_some(into))
}

/// The word at an address, or `None` when it is not mapped.
pub(crate) fn word<M: Memory>(memory: &M, address: u64) -> Result<Option<u64>, Unreadable> {
    let mut into = [0; 8];
    let filled = memory.fill(&[Piece { address, length: 8 }], &mut into)?;
    Ok((filled == 8).then(|| u64::from_le_bytes(into)))
}

/// The word at `offset` of bytes already here.
pub(crate) fn word_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let word = bytes.get(offset..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*word))
}

/// The half word at `offset` of bytes already here.
pub(crate) fn half_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let half = bytes.get(offset..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*half))
}

/// Many pieces taken at (nearly) one moment. The room is used again for the next moment.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pieces: Vec<Piece>,
    /// Where each piece lies in `bytes`; `None` when it was not mapped.
    places: Vec<Option<usize>>,
    bytes: Vec<u8>,
    /// The piece found last: the next one asked for is usually the one after it.
    hint: Cell<usize>,
}

impl Snapshot {
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.places.clear();
        self.hint.set(0);
    }

    /// Asks for a piece and returns its position. Nothing is at address zero.
    pub(crate) fn want(&mut self, address: u64, length: usize) -> usize {
        let length = if address == 0 { 0 } else { length };
        self.pieces.push(Piece { address, length });
        self.pieces.len() - 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Takes everything that was wanted. A piece that is not mapped is left out, the others are still taken.
    pub(crate) fn take<M: Memory>(&mut self, memory: &M) -> Result<(), Unreadable> {
        let total = self.pieces.iter().map(|piece| piece.length).sum();
        self.bytes.resize(total, 0);
        self.places.clear();
        let mut start = 0;
        while let Some(pieces) = self.pieces.get(self.places.len()..).filter(|left| !left.is_empty()) {
            let room = self.bytes.get_mut(start..).unwrap_or_default();
            let filled = start + memory.fill(pieces, room)?;
            for piece in pieces {
                let end = start + piece.length;
                let whole = end <= filled;
                self.places.push(whole.then_some(start));
                start = end;
                if !whole {
                    break;
                }
            }
        }
        Ok(())
    }

    /// These bytes, when one of the pieces holds them all.
    pub(crate) fn bytes(&self, address: u64, length: usize) -> Option<&[u8]> {
        let hint = self.hint.get();
        let order = (hint..self.pieces.len()).chain(0..hint.min(self.pieces.len()));
        for index in order {
            let piece = self.pieces.get(index)?;
            let Some(inside) = address.checked_sub(piece.address) else { continue };
            if inside.saturating_add(length as u64) > piece.length as u64 {
                continue;
            }
            if let Some(place) = self.places.get(index).copied().flatten() {
                self.hint.set(index);
                let start = place + usize::try_from(inside).ok()?;
                return self.bytes.get(start..start + length);
            }
        }
        None
    }

    /// These bytes in the first piece at or after a position that holds them all, and that piece's position.
    pub(crate) fn copy_from(&self, position: usize, address: u64, length: usize) -> Option<(usize, &[u8])> {
        let later = self.pieces.iter().zip(&self.places).enumerate().skip(position);
        for (position, (piece, place)) in later {
            let Some(inside) = address.checked_sub(piece.address) else { continue };
            if inside.saturating_add(length as u64) > piece.length as u64 {
                continue;
            }
            if let Some(place) = place {
                let start = place + usize::try_from(inside).ok()?;
                return Some((position, self.bytes.get(start..start + length)?));
            }
        }
        None
    }

    /// The piece at a position, when it was mapped. The same address may have been taken more than once.
    pub(crate) fn piece(&self, index: usize) -> Option<&[u8]> {
        let piece = self.pieces.get(index).filter(|piece| piece.length > 0)?;
        let place = self.places.get(index).copied().flatten()?;
        self.bytes.get(place..place + piece.length)
    }

    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        word_at(self.bytes(address, 8)?, 0)
    }
}
