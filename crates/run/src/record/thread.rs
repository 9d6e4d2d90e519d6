//! One thread's life as its records tell it: on a CPU, off it, in which call.

use model::Nanos;
use model::recording::Why;

use super::poll::Call;
use super::sight::Sight;
use super::syscalls::Syscall;

/// CPU time from the beginning of a call to the moment it blocks, at most. A copy of 64 KiB takes 10 µs; on a busy
/// machine interrupts come on top.
const MOST_BUSY: u64 = 300_000;

/// A thread being recorded.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) tid: u32,
    /// Position in the table of processes.
    pub(super) process: u32,
    pub(super) name: String,
    pub(super) from: u64,
    pub(super) to: Option<u64>,
    pub(super) state: State,
    pub(super) call: Option<InCall>,
    /// Seen waiting outside any call, for this reason.
    pub(super) outside: Option<Why>,
    /// Time on a CPU between switches seen.
    pub(super) on_cpu: u64,
    /// The scheduler's figures, when last read.
    pub(super) scheduler: Option<(u64, u64)>,
    /// What they were when it was adopted: they count from its birth.
    pub(super) scheduled_before: (u64, u64),
    /// When the figures were read.
    pub(super) asked: u64,
    /// What `on_cpu` was then. `None` where the figures are those of its end.
    pub(super) on_cpu_asked: Option<u64>,
    /// Time on a CPU that nobody else of its tree used.
    pub(super) left_for_it: Option<u64>,
    /// Time in user and kernel mode as the kernel counts it, where no hit tells the mode.
    pub(super) modes: Option<(Nanos, Nanos)>,
    /// The last call it was seen waiting in, for waits too short to be looked at.
    pub(super) last_sight: Option<Sight>,
    /// Waits since then whose call nobody told; the next look explains them.
    pub(super) unexplained: Vec<usize>,
    /// Its last wait among those told, while nobody knows its cause: a fault may still claim it.
    pub(super) open_cause: Option<usize>,
    /// Made runnable at this time, by this thread, as a witness told.
    pub(super) woken: Option<(u64, Option<u32>)>,
    /// Off the CPU when switches were no longer told: its time on a CPU then, as the scheduler counts.
    pub(super) held: Option<u64>,
    /// A look did not find it any more.
    pub(super) missed: bool,
    /// From here on the kernel tells nothing of it, though it lives: its program runs with privileges of another user.
    pub(super) out_of_sight: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nobody has seen it since.
    Unknown(u64),
    On(u64),
    Off {
        since: u64,
        left: Left,
    },
}

/// How it left the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Preempted,
    ByItself,
    /// It has not run yet.
    Made,
    /// Before it was watched.
    Before,
}

/// A system call it has begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InCall {
    pub(super) call: Syscall,
    pub(super) arguments: [u64; 6],
    pub(super) registers: stacks::Registers,
    /// A record told its beginning; else a look found it.
    pub(super) told: bool,
    /// Time on the CPU since it began.
    pub(super) busy: u64,
    /// What a look at it found while it waited.
    pub(super) sight: Option<Sight>,
    /// The thread id of who held the lock then.
    pub(super) holder: Option<u32>,
    /// For how long it waits at most, as a look told; nanoseconds.
    pub(super) limit: Option<u64>,
}

impl InCall {
    /// As a record tells it.
    pub(super) fn told(call: Syscall, arguments: [u64; 6], registers: stacks::Registers) -> Self {
        Self { call, arguments, registers, told: true, busy: 0, sight: None, holder: None, limit: None }
    }

    /// As /proc shows it. The frame pointer is not told; unwinding by tables does not need it here.
    pub(super) fn seen(call: &Call) -> Self {
        Self {
            call: call.syscall,
            arguments: call.args,
            registers: stacks::Registers { ip: call.pc, sp: call.sp, bp: 0, lr: 0 },
            told: false,
            busy: 0,
            sight: None,
            holder: None,
            limit: None,
        }
    }
}

impl Thread {
    pub(super) fn new(tid: u32, process: u32, name: String, from: u64, state: State) -> Self {
        Self {
            tid,
            process,
            name,
            from,
            to: None,
            state,
            call: None,
            outside: None,
            unexplained: Vec::new(),
            on_cpu: 0,
            scheduler: None,
            scheduled_before: (0, 0),
            asked: 0,
            on_cpu_asked: None,
            left_for_it: None,
            modes: None,
            last_sight: None,
            open_cause: None,
            woken: None,
            held: None,
            missed: false,
            out_of_sight: None,
        }
    }

    /// The scheduler's figures of the time that was recorded.
    pub(super) fn scheduled(&self) -> Option<(u64, u64)> {
        let (on_cpu, queued) = self.scheduled_before;
        self.scheduler.map(|seen| (seen.0.saturating_sub(on_cpu), seen.1.saturating_sub(queued)))
    }

    /// The same, brought from when they were read to its end by what the switches told since.
    pub(super) fn scheduled_to_end(&self) -> Option<(u64, u64)> {
        let since = self.on_cpu_asked.map_or(0, |asked| self.on_cpu.saturating_sub(asked));
        self.scheduled().map(|(on_cpu, queued)| (on_cpu + since, queued))
    }

    pub(super) fn was_seen_waiting(&self) -> bool {
        self.call.is_some_and(|call| call.sight.is_some())
    }

    /// It comes onto a CPU; the span it was away, if that was seen.
    pub(super) fn comes(&mut self, at: u64) -> Option<(u64, Left)> {
        let away = match self.state {
            State::Off { since, left } => Some((since, left)),
            State::Unknown(since) => Some((since, Left::Before)),
            State::On(_) => None,
        };
        self.state = State::On(at);
        away.filter(|(since, _)| at > *since)
    }

    pub(super) fn leaves(&mut self, at: u64, preempted: bool) {
        self.settle(at);
        // Nobody tells when a call ends. One that has kept the CPU for longer than calls do is over.
        self.call = self.call.filter(|call| call.busy <= MOST_BUSY);
        let left = if preempted { Left::Preempted } else { Left::ByItself };
        self.state = State::Off { since: at, left };
        self.open_cause = None;
        self.woken = None;
        self.outside = None;
    }

    /// Its wait is over, and the call may be: nobody tells when one ends. What a look found holds for that wait alone; a
    /// call that was told goes on until the next is, where all are told.
    pub(super) fn waited(&mut self, left: Left, all_told: bool) {
        if matches!(left, Left::ByItself | Left::Before) {
            let goes_on = self.call.filter(|call| call.told && all_told);
            self.call = goes_on.map(|call| InCall { sight: None, holder: None, limit: None, ..call });
        }
    }

    /// Books the time on the CPU up to now. Unknown is on: else its first record would have been that it comes.
    pub(super) fn settle(&mut self, at: u64) {
        if let State::On(since) | State::Unknown(since) = self.state {
            self.on_cpu += at.saturating_sub(since);
            if let Some(call) = &mut self.call {
                call.busy += at.saturating_sub(since);
            }
            self.state = State::On(at);
        }
    }
}
