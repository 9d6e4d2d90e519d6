//! Tasks that a runtime schedules itself, with nothing left to mistrust, and what each of their waits is for.
//!
//! The kernel sees the threads of such a runtime park, whatever their tasks wait for. What holds the program up is told
//! by the task that runs `main`: what it waits for, and where that is other tasks, what those wait for.

use std::ops::Range;

use model::leaf::Charge;
use model::recording::{Owner, Recording};
use model::task::{Doing, TaskSpan};

use super::lives::{Absence, Lives};
use super::places::{NONE, Places};
use super::wakers::Wakers;

/// What a wait of a task is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// For something outside the tasks, or for a lock.
    Leaf(Charge),
    /// For other tasks: a channel, a group, a condition.
    Others,
    /// For the next piece of work, or in a task of a library's own.
    Work,
}

/// One span of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stint {
    pub(super) task: u32,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) doing: Doing,
    /// [`NONE`] for none, as the next two.
    pub(super) thread: u32,
    pub(super) call: u32,
    pub(super) stack: u32,
    /// Seen by more than one look, so it is known to have lasted.
    pub(super) lasted: bool,
    pub(super) parkings: u32,
    pub(super) goal: Goal,
    /// It waits for the network, whatever for.
    pub(super) connected: bool,
    /// A library began the task and calls the user's code in it, as servers do for each request.
    pub(super) served: bool,
}

impl Stint {
    pub(super) fn waits(&self) -> bool {
        self.doing == Doing::Waiting
    }

    /// The leaf of its time.
    pub(super) fn charge(&self) -> Charge {
        match self.goal {
            Goal::Leaf(charge) => charge,
            Goal::Work if self.connected => Charge::Network,
            Goal::Others | Goal::Work => Charge::Lock,
        }
    }

    /// The wait as if a thread made it.
    pub(super) fn absence(&self) -> Absence {
        Absence {
            from: self.from,
            to: self.to,
            woken: self.to,
            wait: NONE,
            call: self.call,
            stack: self.stack,
            by: NONE,
            holder: NONE,
            cpu: NONE,
            witnessed: false,
            charge: self.charge(),
            interpreter: None,
        }
    }
}

/// The tasks of one process.
#[derive(Clone, Debug, Default)]
struct Team {
    main: Option<u32>,
    others: Vec<u32>,
}

pub(super) struct Tasks {
    teams: Vec<Team>,
    /// Task by task, each in order and apart.
    pub(super) stints: Vec<Stint>,
    of_task: Vec<Range<usize>>,
    /// The process of each thread.
    processes: Vec<u32>,
    /// By call: a thread of the runtime may park in it.
    parks: Vec<bool>,
    /// By frame: the runtime's own way into the kernel.
    enters: Vec<bool>,
}

/// Calls that a runtime's thread without a task waits in.
const PARKS: [&str; 5] = ["futex", "epoll_wait", "epoll_pwait", "epoll_pwait2", "nanosleep"];

/// Packages of the runtime.
const RUNTIME: [&str; 3] = ["runtime.", "runtime/internal/", "internal/runtime/"];

impl Tasks {
    pub(super) fn of(recording: &Recording, lives: &Lives<'_>, places: &Places<'_>) -> Self {
        let mut teams = vec![Team::default(); recording.processes.len()];
        for (index, task) in (0_u32..).zip(&recording.tasks) {
            let Some(team) = teams.get_mut(task.process as usize) else { continue };
            if task.main && team.main.is_none() {
                team.main = Some(index);
            } else {
                team.others.push(index);
            }
        }
        let mut tasks = Self {
            teams,
            stints: Vec::with_capacity(recording.task_spans.len()),
            of_task: vec![0..0; recording.tasks.len()],
            processes: recording.threads.iter().map(|thread| thread.process).collect(),
            parks: recording.calls.iter().map(|call| PARKS.contains(&call.name.as_str())).collect(),
            enters: recording.frames.iter().map(|frame| is_runtime(frame.function.as_deref())).collect(),
        };
        tasks.trust(recording, lives.end, places);
        tasks
    }

    /// Takes over the spans that name a task, in order, apart and inside the recording.
    fn trust(&mut self, recording: &Recording, end: u64, places: &Places<'_>) {
        let goals = Goals::of(recording, places);
        let is_known = |span: &&TaskSpan| (span.task as usize) < recording.tasks.len();
        let mut spans: Vec<&TaskSpan> = recording.task_spans.iter().filter(is_known).collect();
        spans.sort_by_key(|span| (span.task, span.from));
        let mut free = (NONE, 0);
        for span in spans {
            let after = if free.0 == span.task { free.1 } else { 0 };
            let (from, to) = (span.from.as_nanos().max(after), span.to.as_nanos().min(end));
            if from >= to {
                continue;
            }
            free = (span.task, to);
            let at = self.stints.len();
            if let Some(range) = self.of_task.get_mut(span.task as usize) {
                *range = if range.start == range.end { at..at + 1 } else { range.start..at + 1 };
            }
            self.stints.push(Stint {
                task: span.task,
                from,
                to,
                doing: span.doing,
                thread: self.carrier(recording, span),
                call: span.call.unwrap_or(NONE),
                stack: span.stack.unwrap_or(NONE),
                lasted: span.looks > 1,
                parkings: span.parkings,
                goal: goals.goal(span),
                connected: goals.reason(span) == Some(Goal::Leaf(Charge::Network)),
                served: span.stack.is_some_and(|stack| goals.is_served(stack)),
            });
        }
    }

    /// The thread of a span, if it is of the task's own process.
    fn carrier(&self, recording: &Recording, span: &TaskSpan) -> u32 {
        let process = recording.tasks.get(span.task as usize).map(|task| task.process);
        let is_its =
            |thread: &u32| process.is_some() && self.processes.get(*thread as usize).copied() == process;
        span.thread.filter(is_its).unwrap_or(NONE)
    }

    /// Whether a thread waits for its next task, where tasks are known. The stack of a parked thread often ends after its
    /// first frame, for its frame pointer is not told; what the runtime itself calls in the kernel says as much.
    pub(super) fn is_parked(&self, thread: u32, absence: &Absence, wakers: &Wakers<'_>) -> bool {
        self.main(thread).is_some()
            && (wakers.is_scheduler(absence)
                || self.parks.get(absence.call as usize) == Some(&true)
                    && self.is_entered(wakers, absence.stack))
    }

    /// Whether the innermost frame of a stack is the runtime's, or there is none.
    fn is_entered(&self, wakers: &Wakers<'_>, stack: u32) -> bool {
        let node = wakers.recording().nodes.get(stack as usize);
        node.is_none_or(|node| self.enters.get(node.frame as usize) == Some(&true))
    }

    /// The main task of a thread's process.
    pub(super) fn main(&self, thread: u32) -> Option<u32> {
        let process = self.processes.get(thread as usize)?;
        let main = self.teams.get(*process as usize)?.main?;
        (!self.positions(main).is_empty()).then_some(main)
    }

    /// The other tasks of a thread's process.
    pub(super) fn others(&self, thread: u32) -> &[u32] {
        let team = self.processes.get(thread as usize).and_then(|process| self.teams.get(*process as usize));
        team.map_or(&[], |team| &team.others)
    }

    /// Positions of a task's stints.
    pub(super) fn positions(&self, task: u32) -> Range<usize> {
        self.of_task.get(task as usize).cloned().unwrap_or(0..0)
    }

    /// The stint of a task at a moment, by its position.
    pub(super) fn at(&self, task: u32, moment: u64) -> Option<usize> {
        let range = self.positions(task);
        let stints = self.stints.get(range.clone())?;
        let after = stints.partition_point(|stint| stint.from <= moment);
        let last = after.checked_sub(1)?;
        stints.get(last).filter(|stint| moment < stint.to).map(|_| range.start + last)
    }
}

fn is_runtime(function: Option<&str>) -> bool {
    function.is_some_and(|function| RUNTIME.iter().any(|package| function.starts_with(package)))
}

/// Functions that tell what a wait is for, by how their names begin. The innermost that is here decides.
const SIGNS: &[(&str, Goal)] = &[
    ("net.(*netFD).accept", Goal::Work),
    ("net.(*TCPListener)", Goal::Work),
    ("net.(*UnixListener)", Goal::Work),
    ("internal/poll.(*FD).Accept", Goal::Work),
    ("os/signal.", Goal::Work),
    ("sync.(*Mutex).", Goal::Leaf(Charge::Lock)),
    ("sync.(*RWMutex).", Goal::Leaf(Charge::Lock)),
    ("internal/sync.(*Mutex).", Goal::Leaf(Charge::Lock)),
    ("golang.org/x/sync/semaphore.", Goal::Leaf(Charge::Lock)),
    ("sync.(*WaitGroup).", Goal::Others),
    ("sync.(*Cond).", Goal::Others),
    ("golang.org/x/sync/errgroup.", Goal::Others),
    ("time.Sleep", Goal::Leaf(Charge::Sleep)),
    ("os/exec.", Goal::Leaf(Charge::Child)),
    ("os.(*Process).", Goal::Leaf(Charge::Child)),
    ("os.(*File).", Goal::Leaf(Charge::Pipe)),
    // Serving, it waits for its own tasks; what it asks its peers is the client's.
    ("net/http.(*Server).", Goal::Others),
    ("net/http.", Goal::Leaf(Charge::Network)),
    ("net/rpc.", Goal::Leaf(Charge::Network)),
    ("net.", Goal::Leaf(Charge::Network)),
    ("crypto/tls.", Goal::Leaf(Charge::Network)),
    ("database/sql.", Goal::Leaf(Charge::Network)),
    ("google.golang.org/grpc", Goal::Leaf(Charge::Network)),
    ("github.com/jackc/pgx", Goal::Leaf(Charge::Network)),
    ("github.com/lib/pq", Goal::Leaf(Charge::Network)),
    ("github.com/go-sql-driver/", Goal::Leaf(Charge::Network)),
    ("github.com/redis/", Goal::Leaf(Charge::Network)),
];

/// The runtime's own words for waits that need no function to tell what they are for.
const REASONS: &[(&str, Goal)] = &[
    ("sleep", Goal::Leaf(Charge::Sleep)),
    ("sync.Mutex.Lock", Goal::Leaf(Charge::Lock)),
    ("sync.RWMutex", Goal::Leaf(Charge::Lock)),
    ("IO wait", Goal::Leaf(Charge::Network)),
];

/// Frames from the innermost on that are looked at.
const FRAMES: usize = 48;

/// What the functions and words of a recording say of waits.
struct Goals<'a> {
    recording: &'a Recording,
    places: &'a Places<'a>,
    /// By frame.
    signs: Vec<Option<Goal>>,
    /// By call.
    reasons: Vec<Option<Goal>>,
}

impl<'a> Goals<'a> {
    fn of(recording: &'a Recording, places: &'a Places<'a>) -> Self {
        if recording.tasks.is_empty() {
            return Self { recording, places, signs: Vec::new(), reasons: Vec::new() };
        }
        let find = |table: &[(&str, Goal)], name: &str| {
            table.iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, goal)| *goal)
        };
        let signs = recording.frames.iter().map(|frame| find(SIGNS, frame.function.as_deref()?));
        Self {
            recording,
            places,
            signs: signs.collect(),
            reasons: recording.calls.iter().map(|call| find(REASONS, &call.name)).collect(),
        }
    }

    fn goal(&self, span: &TaskSpan) -> Goal {
        let is_own =
            span.stack.and_then(|stack| self.places.view(stack)).is_some_and(|view| view.project != NONE);
        if span.stack.is_some() && !is_own {
            return Goal::Work;
        }
        let sign = span.stack.and_then(|stack| self.sign(stack));
        sign.or_else(|| self.reason(span)).unwrap_or(Goal::Others)
    }

    /// What the runtime's own words say.
    fn reason(&self, span: &TaskSpan) -> Option<Goal> {
        self.reasons.get(span.call? as usize).copied().flatten()
    }

    /// Whether the outermost function, apart from the runtime's, is not the user's own.
    fn is_served(&self, stack: u32) -> bool {
        let frames = self.recording.frames_of(stack);
        let first = frames.filter(|frame| !is_runtime(frame.function.as_deref())).last();
        first.is_some_and(|frame| frame.owner != Owner::Project)
    }

    /// What the innermost function that tells says, up to the user's own.
    fn sign(&self, stack: u32) -> Option<Goal> {
        for node in self.recording.path_of(stack).take(FRAMES) {
            let frame = self.recording.frames.get(node.frame as usize)?;
            if frame.owner == Owner::Project {
                return None;
            }
            if let Some(goal) = self.signs.get(node.frame as usize).copied().flatten() {
                return Some(goal);
            }
        }
        None
    }
}
