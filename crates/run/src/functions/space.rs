//! The memory of one process: breakpoints that are put into its code and taken out again, and what is read and written beside.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

use crate::record::memory::read_memory;

/// The instruction that traps.
const TRAP: u8 = 0xcc;

/// A place in the code at which threads stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    original: u8,
    /// The function that begins there.
    pub(super) entry: Option<usize>,
    /// Calls under way that will return to it.
    returns: u32,
    /// The trap is in memory.
    pub(super) is_in: bool,
}

impl Placed {
    pub(super) fn is_expected(self) -> bool {
        self.returns > 0
    }

    fn is_wanted(self) -> bool {
        self.entry.is_some() || self.returns > 0
    }
}

#[derive(Debug)]
pub(super) struct Space {
    pub(super) pid: u32,
    memory: File,
    placed: HashMap<u64, Placed>,
    /// What stood at every place that ever held a trap: a copy of this memory may still hold it.
    ever: HashMap<u64, u8>,
    /// Where the program begins, once its libraries are there.
    pub(super) start: Option<u64>,
}

impl Space {
    /// # Errors
    /// When the process may not be written to.
    pub(super) fn open(pid: u32) -> io::Result<Self> {
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem"))?;
        Ok(Self { pid, memory, placed: HashMap::new(), ever: HashMap::new(), start: None })
    }

    pub(super) fn at(&self, address: u64) -> Option<Placed> {
        self.placed.get(&address).copied()
    }

    pub(super) fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        read_memory(self.pid, address, buffer) == buffer.len()
    }

    pub(super) fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    pub(super) fn write_word(&self, address: u64, value: u64) -> bool {
        self.memory.write_all_at(&value.to_le_bytes(), address).is_ok()
    }

    /// Code as it is without traps of ours.
    pub(super) fn code(&self, address: u64, buffer: &mut [u8]) -> bool {
        let is_read = self.read(address, buffer);
        for (at, byte) in (address..).zip(buffer.iter_mut()) {
            if let Some(placed) = self.placed.get(&at).filter(|placed| placed.is_in) {
                *byte = placed.original;
            }
        }
        is_read
    }

    /// Stops whoever begins a function here.
    pub(super) fn begin_watching(&mut self, address: u64, function: usize) -> bool {
        let Some(placed) = self.place(address) else { return false };
        placed.entry = Some(function);
        self.put_back(address)
    }

    /// Lets them begin it again.
    pub(super) fn end_watching(&mut self, address: u64) {
        if let Some(placed) = self.placed.get_mut(&address) {
            placed.entry = None;
        }
        self.tidy(address);
    }

    /// Stops the next one that returns to here.
    pub(super) fn expect(&mut self, address: u64) -> bool {
        let Some(placed) = self.place(address) else { return false };
        placed.returns += 1;
        self.put_back(address)
    }

    /// One fewer will return to here. The trap goes with the last of them.
    pub(super) fn expect_no_more(&mut self, address: u64) {
        if let Some(placed) = self.placed.get_mut(&address) {
            placed.returns = placed.returns.saturating_sub(1);
        }
        self.tidy(address);
    }

    /// Takes the trap out for a step.
    pub(super) fn lift(&mut self, address: u64) {
        if let Some(placed) = self.placed.get_mut(&address).filter(|placed| placed.is_in) {
            placed.is_in = self.memory.write_all_at(&[placed.original], address).is_err();
        }
    }

    /// Puts it back, if somebody still wants it.
    pub(super) fn put_back(&mut self, address: u64) -> bool {
        let Some(placed) = self.placed.get_mut(&address).filter(|placed| placed.is_wanted()) else {
            return false;
        };
        if !placed.is_in {
            placed.is_in = self.memory.write_all_at(&[TRAP], address).is_ok();
        }
        placed.is_in
    }

    /// Whether a trap of ours was here and is gone: who ran into it has to go back.
    pub(super) fn held_trap(&self, address: u64) -> bool {
        let mut byte = [0];
        self.ever.contains_key(&address) && self.read(address, &mut byte) && byte != [TRAP]
    }

    /// All traps go, for good.
    pub(super) fn clear(&mut self) {
        let places: Vec<u64> = self.placed.keys().copied().collect();
        for address in places {
            self.lift(address);
        }
        self.placed.clear();
    }

    /// Takes traps out of a copy of this memory, which a child was given.
    pub(super) fn cleanse(&self, child: u32) {
        let Ok(memory) = OpenOptions::new().read(true).write(true).open(format!("/proc/{child}/mem")) else {
            return;
        };
        for (address, original) in &self.ever {
            let mut byte = [0];
            if memory.read_exact_at(&mut byte, *address).is_ok() && byte == [TRAP] && *original != TRAP {
                let _ = memory.write_all_at(&[*original], *address);
            }
        }
    }

    /// `None` where nothing can be read, or the program has a trap of its own.
    fn place(&mut self, address: u64) -> Option<&mut Placed> {
        if !self.placed.contains_key(&address) {
            let mut byte = [0];
            let [original] = self.read(address, &mut byte).then_some(byte)?;
            if original == TRAP {
                return None;
            }
            self.ever.insert(address, original);
            self.placed.insert(address, Placed { original, entry: None, returns: 0, is_in: false });
        }
        self.placed.get_mut(&address)
    }

    fn tidy(&mut self, address: u64) {
        if self.placed.get(&address).is_some_and(|placed| !placed.is_wanted()) {
            self.lift(address);
            self.placed.remove(&address);
        }
    }
}
