//! Instructions at which pages are faulted in.
//!
//! The kernel holds interrupts off while it leaves a fault, so what falls due then comes at the instruction that faulted,
//! before it begins anew. Such a hit is the kernel's. What falls due while the instruction itself runs comes behind it.

use stacks::hash::QuickMap;

/// Leaving takes at most this part of a fault: 70 of 700 ns for a fresh page, 60 of 250 for one that was only not mapped.
const PART: u64 = 4;

/// Nanoseconds that leaving takes at most.
const LEAVING: u64 = 100;

/// By process and address, the nanoseconds that leaving may have taken and that no hit was taken for yet.
#[derive(Debug, Default)]
pub(super) struct Faulting(QuickMap<(u32, u64), u64>);

impl Faulting {
    /// A hit in the kernel, which this instruction brought there.
    pub(super) fn handled(&mut self, pid: u32, ip: u64, weight: u64) {
        *self.0.entry((pid, ip)).or_default() += weight / PART;
    }

    /// This instruction faulted so many times.
    pub(super) fn touched(&mut self, pid: u32, ip: u64, faults: u64) {
        *self.0.entry((pid, ip)).or_default() += faults * LEAVING;
    }

    /// Whether a hit at this instruction belongs to the way back from its faults.
    pub(super) fn leaves(&mut self, pid: u32, ip: u64, weight: u64) -> bool {
        let left = self.0.get_mut(&(pid, ip)).filter(|left| **left >= weight);
        left.map(|left| *left -= weight).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_for_the_way_back_than_faults_explain() {
        let mut faulting = Faulting::default();
        assert!(!faulting.leaves(1, 0x40, 1000));
        for _ in 0..8 {
            faulting.handled(1, 0x40, 1000);
        }
        assert!(!faulting.leaves(2, 0x40, 1000) && !faulting.leaves(1, 0x43, 1000));
        let taken = (0..8).filter(|_| faulting.leaves(1, 0x40, 1000)).count();
        assert_eq!(taken, 2);
        faulting.touched(1, 0x40, 15);
        assert!(faulting.leaves(1, 0x40, 1000) && !faulting.leaves(1, 0x40, 1000));
    }
}
