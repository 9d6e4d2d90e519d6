//! perf's own file, `perf.data`. Checked with perf 6.1, written to files and to pipes.
//!
//! Frames are places in files: module and offset, without names, because the file has none; whoever can read the
//! modules names them. A caller's place is one byte before its return address, inside the call, so that every
//! offset names its own line. Code without a file (just-in-time compiled) and the kernel's keep their addresses.
//!
//! Stacks that were only copied are walked by the caller's [`Unwind`]; without one they keep their innermost frame
//! and count as cut.

mod check;
mod fields;
mod import;
mod record;
mod space;

use model::recording::Recording;

use super::{Options, RecordedError};

use fields::Order;

pub(super) const NAME: &str = "perf.data";

/// Walks copied stacks; for whoever can read the programs' files. Calls come in time order.
pub trait Unwind {
    /// Code was mapped into a process; what lay there is gone.
    fn map(&mut self, mapping: &Mapping<'_>);

    /// A process began with its parent's mappings.
    fn fork(&mut self, parent: u32, child: u32);

    /// A process began anew with another program: it has no mappings yet.
    fn exec(&mut self, pid: u32);

    /// The kernel's release, where it is told, and where one of its symbols lay: that changes with every start.
    fn kernel(&mut self, _release: Option<&str>, _symbol: &[u8], _address: u64) {}

    /// Puts the addresses of a stack into `addresses`, innermost first: the place it was at, then return addresses.
    fn unwind(&mut self, stack: &StackCopy<'_>, addresses: &mut Vec<u64>) -> Reach;
}

/// Whether a stack was walked to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Outermost,
    Cut,
}

/// A file mapped as code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping<'a> {
    pub pid: u32,
    pub start: u64,
    pub length: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// As the kernel names it: `/usr/lib/x`, `[vdso]`, `//anon`.
    pub path: &'a [u8],
    /// `None` where perf noted none, as it does for files without samples.
    pub build_id: Option<&'a [u8]>,
}

/// A thread's registers and the top of its stack.
#[derive(Clone, Copy, Debug)]
pub struct StackCopy<'a> {
    pub pid: u32,
    pub tid: u32,
    /// Which registers there are, a bit each, as the kernel numbers them (`asm/perf_regs.h`).
    pub mask: u64,
    /// Their values, lowest number first.
    pub registers: &'a [u64],
    /// From the stack pointer upwards.
    pub bytes: &'a [u8],
}

impl StackCopy<'_> {
    /// The value of a register, by the kernel's number. `None` when it was not recorded.
    #[must_use]
    pub fn register(&self, number: u32) -> Option<u64> {
        let bit = 1_u64.checked_shl(number).filter(|bit| self.mask & bit != 0)?;
        let position = (self.mask & (bit - 1)).count_ones();
        self.registers.get(position as usize).copied()
    }
}

pub(super) fn recognises(head: &[u8]) -> bool {
    order(head).is_some()
}

fn order(bytes: &[u8]) -> Option<Order> {
    match bytes.get(..8)? {
        b"PERFILE2" => Some(Order::Little),
        b"2ELIFREP" => Some(Order::Big),
        _ => None,
    }
}

/// Reads a file of perf, packed with gzip or not, and walks its copied stacks with `unwind`.
///
/// # Errors
///
/// When the file is cut or damaged, holds no samples, or lacks the event asked for.
pub fn parse(
    bytes: &[u8],
    options: &Options<'_>,
    unwind: Option<&mut dyn Unwind>,
) -> Result<Recording, RecordedError> {
    let bytes = super::whole(bytes)?;
    let magic = || bad("the first word", 0, "PERFILE2");
    let order = order(&bytes).ok_or_else(magic)?;
    let layout = check::layout(&bytes, order)?;
    import::import(&bytes, layout, order, options, unwind)
}

fn bad(place: &'static str, found: u64, wanted: &'static str) -> RecordedError {
    RecordedError::BadValue { format: NAME, place, found: found.to_string(), wanted }
}

fn unsupported(found: String) -> RecordedError {
    let remedy = "convert it with `perf script`, and import the text";
    RecordedError::Unsupported { format: NAME, found, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_found_by_the_kernels_numbers() {
        let copy = StackCopy { pid: 1, tid: 1, mask: 0b1_0000_1100, registers: &[7, 8, 9], bytes: b"" };
        assert_eq!(
            [2, 3, 8, 4, 64].map(|number| copy.register(number)),
            [Some(7), Some(8), Some(9), None, None]
        );
    }
}
