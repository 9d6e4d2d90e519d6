//! The leaves of an account: everything that a nanosecond of a thread can be charged to.

/// What one nanosecond is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Charge {
    User,
    Kernel,
    /// On a CPU; nobody saw whether in user or kernel mode.
    Computing,
    Preempted,
    Woken,
    DiskRead,
    DiskWrite,
    Fault,
    Network,
    Lock,
    Child,
    Pipe,
    Poll,
    Sleep,
    Terminal,
    Stopped,
    Starting,
    Ending,
    Unaccounted,
}

/// Every leaf with its permanent id and the words a reader sees, in the order of the enum.
pub const LEAVES: [(Charge, &str, &str); 19] = [
    (Charge::User, "on-cpu/user", "computing in the program's own code"),
    (Charge::Kernel, "on-cpu/kernel", "computing in the kernel on its behalf"),
    (Charge::Computing, "on-cpu/unknown", "computing; user or kernel mode was not seen"),
    (Charge::Preempted, "runnable/preempted", "pushed off the CPU while it could go on"),
    (Charge::Woken, "runnable/woken", "ready again, waiting for a CPU"),
    (Charge::DiskRead, "blocked/disk-read", "waiting for a file to be read"),
    (Charge::DiskWrite, "blocked/disk-write", "waiting for a file to be written"),
    (Charge::Fault, "blocked/fault", "waiting for a page of memory"),
    (Charge::Network, "blocked/network", "waiting for a network peer"),
    (Charge::Lock, "blocked/lock", "waiting for a lock or a condition"),
    (Charge::Child, "blocked/child", "waiting for a child process"),
    (Charge::Pipe, "blocked/pipe", "waiting for the other end of a pipe"),
    (Charge::Poll, "blocked/poll", "waiting for one of several events"),
    (Charge::Sleep, "blocked/sleep", "sleeping on purpose"),
    (Charge::Terminal, "blocked/terminal", "waiting for a terminal or another device"),
    (Charge::Stopped, "stopped", "stopped by a signal or a tracer"),
    (Charge::Starting, "starting", "made, but not yet run"),
    (Charge::Ending, "ending", "ended, being taken down by the kernel"),
    (Charge::Unaccounted, "unaccounted", "not explained"),
];

impl Charge {
    /// Kebab-case and permanent.
    #[must_use]
    pub fn id(self) -> &'static str {
        LEAVES.get(self as usize).map_or("unaccounted", |(_, id, _)| id)
    }

    #[must_use]
    pub fn words(self) -> &'static str {
        LEAVES.get(self as usize).map_or("not explained", |(_, _, words)| words)
    }

    /// The thread could have gone on, had a CPU been free: its waker explains nothing of this time.
    #[must_use]
    pub fn is_runnable(self) -> bool {
        matches!(self, Self::Preempted | Self::Woken | Self::Starting)
    }
}

/// The words of a leaf, by its id. `None` for an id of another version.
#[must_use]
pub fn words_of(id: &str) -> Option<&'static str> {
    LEAVES.iter().find(|(_, known, _)| *known == id).map(|(_, _, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_stands_at_its_own_place_in_the_table() {
        for (index, (charge, id, words)) in LEAVES.iter().enumerate() {
            assert_eq!(*charge as usize, index);
            assert_eq!((charge.id(), charge.words()), (*id, *words));
            assert_eq!(words_of(id), Some(*words));
        }
    }
}
