//! Who made a thread runnable, and when, as the kernel tells of all wakings on the machine.

use super::Assembler;

/// In an interrupt, hard or soft: whoever ran has nothing to do with it.
const IN_INTERRUPT: u8 = 0x08 | 0x10;

impl Assembler {
    /// A witness: whoever this is makes a thread runnable. Most wakings are none of the target's, and a timer or a disk
    /// interrupts whoever runs.
    pub(super) fn waking(&mut self, tid: u32, at: u64, raw: &[u8]) {
        let Some(woken) = woken(raw).and_then(|woken| self.by_tid.get(&woken)).copied() else { return };
        // Whoever ends wakes those who wait for that after the last record of its own.
        let by = self.by_tid.get(&tid).or_else(|| self.ended.get(&tid)).copied();
        let interrupt = raw.get(2).is_some_and(|flags| flags & IN_INTERRUPT != 0);
        // What is sent over the loopback arrives in a soft interrupt of the sender's own call.
        let sends = || by.and_then(|by| self.thread(by)?.call).is_some_and(|call| call.call.sends());
        let by = by.filter(|_| !interrupt || sends());
        if let Some(thread) = self.threads.get_mut(woken as usize) {
            thread.woken.get_or_insert((at, by));
        }
    }
}

/// Whom a record of `sched_waking` is about.
fn woken(raw: &[u8]) -> Option<u32> {
    raw.get(24..28).and_then(|bytes| bytes.first_chunk()).map(|bytes| u32::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::super::super::thread::State;
    use super::*;

    /// A record of a waking of this thread.
    fn raw(woken: u32, flags: u8) -> Vec<u8> {
        let mut raw = vec![0; 36];
        raw[2] = flags;
        raw[24..28].copy_from_slice(&woken.to_ne_bytes());
        raw
    }

    /// What is told of thread 7, woken by this one, of two that live and one that has ended.
    fn told(by: u32, flags: u8) -> Option<(u64, Option<u32>)> {
        let mut assembler = Assembler::new(1_000_000);
        assembler.start = Some(0);
        let process = assembler.add_process(7, None, "made".to_owned(), 0);
        for tid in [7, 8, 9] {
            assembler.add_thread(tid, process, 0, State::On(0));
        }
        assembler.exited(7, 9, 40);
        assembler.waking(by, 50, &raw(7, flags));
        assembler.waking(8, 60, &raw(7, 0));
        assembler.waking(8, 60, &raw(1234, 0));
        assert_eq!(assembler.threads.len(), 3, "nobody else was taken for one of the target");
        assembler.threads[0].woken
    }

    #[test]
    fn the_moment_of_a_waking_is_known_whoever_was_interrupted_by_it() {
        assert_eq!(told(8, 0), Some((50, Some(1))));
        assert_eq!(told(9, 0), Some((50, Some(2))));
        for (by, flags) in [(8, 0x08), (8, 0x10), (0, 0x08), (4321, 0x10), (4321, 0)] {
            assert_eq!(told(by, flags), Some((50, None)), "{by} {flags}");
        }
    }
}
