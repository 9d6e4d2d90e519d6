//! `slowpath.recording/1`: what one pass saw of a process tree, moment by moment.
//!
//! Our own recorder and every importer write this one form; every view, account and export reads it. Stacks are stored
//! once, in tables: a stack is a [`Node`], which names a [`Frame`] and the stack of its caller.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::doctor::Level;
use crate::task::{Task, TaskSpan};
use crate::{Arg, Bytes, Count, Gap, Nanos};

pub const SCHEMA: &str = "slowpath.recording/1";

/// Where the recording of a run lies, packed: names of functions and files come again and again in it.
pub const RECORDING: &str = "tier1/account.json.gz";

/// Where it lay before it was packed.
pub const PLAIN_RECORDING: &str = "tier1/account.json";

/// Position in [`Recording::threads`].
pub type ThreadIndex = u32;

/// Position in [`Recording::nodes`]: a whole stack, named by its innermost frame.
pub type StackIndex = u32;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recording {
    pub schema: String,
    pub source: Source,
    /// From the start of the program to the end of its first process. `null` when the source keeps no clock.
    pub wall: Option<Nanos>,
    /// What a hit weighs.
    pub weight: Weight,
    /// Time on a CPU between two hits of one thread. `null` when it is not known or not constant.
    pub period: Option<Nanos>,
    pub processes: Vec<Process>,
    pub threads: Vec<Thread>,
    pub modules: Vec<Module>,
    pub frames: Vec<Frame>,
    pub nodes: Vec<Node>,
    /// Files, sockets, locks: what calls were made on.
    pub objects: Vec<Object>,
    /// System calls that threads waited in, each kind once.
    pub calls: Vec<Call>,
    /// Moments at which a thread was seen on a CPU, in time order.
    pub hits: Vec<Hit>,
    /// How many moments the hits stand for, where a source tells of those that look alike as one. `null`: each is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moments: Option<u64>,
    /// Spans in which a thread was off the CPU, ordered by their end.
    pub waits: Vec<Wait>,
    /// First touches of pages, by where. Empty where samples of the kernel's own work show them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
    /// Tasks that a runtime schedules itself: goroutines. Empty when none were looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
    /// What they were seen doing, task by task and each in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_spans: Vec<TaskSpan>,
    /// When waits were recorded. Empty: throughout. In a storm of switches only parts of the time are.
    pub watched: Vec<Span>,
    /// Where hits do not bring the frames of their interpreter along. `null` where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    pub losses: Losses,
    /// Memory of processes that ran already. `null` where the run itself was measured, or nothing could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<Resident>,
    /// The recorded run as the runner measured it. `null` for imports and attached processes.
    pub run: Option<crate::Sample>,
    /// What the recorder itself used. `null` for imports.
    pub cost: Option<Cost>,
    pub gaps: Vec<Gap>,
}

/// Resident memory of processes that ran already, when they were first and last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resident {
    #[serde(rename = "from_bytes")]
    pub from: Bytes,
    #[serde(rename = "to_bytes")]
    pub to: Bytes,
    /// Pages that they touched for the first time in between.
    pub minor_faults: Count,
}

/// Who recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// slowpath itself, at this level of privilege.
    Slowpath(Level),
    /// A file of another tool: its format.
    Import(String),
}

/// The unit of a hit's weight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Nanoseconds on a CPU.
    CpuTime,
    /// Nanoseconds of wall time, on a CPU or not.
    WallTime,
    /// Nanoseconds off the CPU.
    OffCpuTime,
    /// How often it was seen.
    Samples,
    /// Bytes allocated or alive.
    Bytes,
    /// Anything else, in the source's own words: "cycles", "objects".
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Process {
    pub pid: u32,
    /// Position of the parent in the table. `null` for the first process and where it is not known.
    pub parent: Option<u32>,
    /// The kernel's name of it, at its last `exec`.
    pub name: String,
    /// The program file at its last `exec`.
    pub program: Option<Arg>,
    /// Empty when it was gone before its arguments could be read.
    pub argv: Vec<Arg>,
    pub from: Nanos,
    /// `null` when it outlived the recording.
    pub to: Option<Nanos>,
    /// `python 3.11`, `node`, `jvm`, `go`: the runtime that was recognised.
    pub runtime: Option<String>,
    /// Its garbage collector at work stands in the stacks as [`COLLECTOR`], although nothing names its code.
    #[serde(default)]
    pub shows_collector: bool,
    /// When it last loaded a program. `null` where that was not seen.
    #[serde(rename = "loaded_ns", default)]
    pub loaded: Option<Nanos>,
}

/// The name of the frame that stands for a runtime's garbage collector at work.
pub const COLLECTOR: &str = "garbage collection";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thread {
    pub tid: u32,
    /// Position in [`Recording::processes`].
    pub process: u32,
    pub name: String,
    pub from: Nanos,
    /// `null` when it outlived the recording.
    pub to: Option<Nanos>,
    /// Exact time on a CPU, from its switches or the scheduler. `null` when neither was seen.
    pub on_cpu: Option<Nanos>,
    /// The scheduler's own figure for time on a CPU, as last read; a check on `on_cpu`.
    pub scheduler_on_cpu: Option<Nanos>,
    /// The scheduler's figure for time on a run queue, as last read.
    pub queued: Option<Nanos>,
    /// Time on a CPU in user mode as the kernel counts it, where no hit tells the mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Nanos>,
    /// The same in kernel mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<Nanos>,
    /// From here on it was hidden: the kernel tells of a program with privileges of another user only what the scheduler counts.
    #[serde(rename = "out_of_sight_ns", default, skip_serializing_if = "Option::is_none")]
    pub out_of_sight: Option<Nanos>,
    /// Time on a CPU between two hits of it, where that is another than the recording's: most of those that it was born among
    /// live for less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Nanos>,
    /// Moments at which a Python thread was seen with the interpreter lock, and how often it was looked at.
    pub interpreter_lock: Option<LockShare>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LockShare {
    pub held: u32,
    pub looked: u32,
}

/// A file that code was loaded from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Module {
    pub path: String,
    /// Hexadecimal.
    pub build_id: Option<String>,
}

/// The name of the frame for what our own recorder had the kernel do in the target's time.
pub const RECORDER: &str = "[recorder]";

/// One place in the code, the same for every runtime.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    pub language: Language,
    /// Demangled. `null` when nothing names it; then `module` and `offset` do.
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Position in [`Recording::modules`].
    pub module: Option<u32>,
    /// Address inside the module as its file counts, or the absolute address where there is no module.
    pub offset: Option<u64>,
    /// `offset` is where the function begins, by the unwind tables: it stands for the function that nothing names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_start: bool,
    /// Expanded into its caller by the compiler.
    pub inlined: bool,
    pub owner: Owner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Machine code whose source language is not known.
    Native,
    C,
    Cpp,
    Rust,
    Go,
    Swift,
    Python,
    JavaScript,
    Java,
    DotNet,
    Kernel,
    Unknown,
}

/// Whose code it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The user's own.
    Project,
    /// A package, a standard library, a system library.
    Library,
    /// The interpreter or virtual machine itself.
    Runtime,
    Kernel,
    Unknown,
}

/// Whether a class or method is the JDK's own, or of a language that runs on it.
#[must_use]
pub fn is_java_library(name: &str) -> bool {
    const OWN: [&str; 10] = [
        "java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "clojure.",
    ];
    // The JDK makes a class for each place that hands a function on; what that function does has a method of its own.
    OWN.iter().any(|own| name.starts_with(own)) || name.contains("$$Lambda")
}

/// A stack: its innermost frame and the stack below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "(Option<u32>, u32)", into = "(Option<u32>, u32)")]
#[schemars(with = "(Option<u32>, u32)")]
pub struct Node {
    /// The caller's stack. `None` at the outermost frame. Always smaller than the node's own position.
    pub parent: Option<StackIndex>,
    /// Position in [`Recording::frames`].
    pub frame: u32,
}

impl From<(Option<u32>, u32)> for Node {
    fn from((parent, frame): (Option<u32>, u32)) -> Self {
        Self { parent, frame }
    }
}

impl From<Node> for (Option<u32>, u32) {
    fn from(node: Node) -> Self {
        (node.parent, node.frame)
    }
}

/// A moment at which a thread was seen, as `[at, thread, stack, weight]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "(Nanos, u32, Option<u32>, u64)", into = "(Nanos, u32, Option<u32>, u64)")]
#[schemars(with = "(Nanos, u32, Option<u32>, u64)")]
pub struct Hit {
    /// Since the start of the recording; zero where the source keeps no clock.
    pub at: Nanos,
    pub thread: ThreadIndex,
    /// `None` when nothing could be told of its stack.
    pub stack: Option<StackIndex>,
    /// In the recording's unit.
    pub weight: u64,
}

/// Pages that were touched for the first time at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Touch {
    pub stack: StackIndex,
    /// Estimated: one in so many is looked at.
    pub pages: u64,
}

impl From<(Nanos, u32, Option<u32>, u64)> for Hit {
    fn from((at, thread, stack, weight): (Nanos, u32, Option<u32>, u64)) -> Self {
        Self { at, thread, stack, weight }
    }
}

impl From<Hit> for (Nanos, u32, Option<u32>, u64) {
    fn from(hit: Hit) -> Self {
        (hit.at, hit.thread, hit.stack, hit.weight)
    }
}

/// One span off the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    pub thread: ThreadIndex,
    /// It left the CPU.
    pub from: Nanos,
    /// It was back on a CPU, or its thread or the recording ended.
    pub to: Nanos,
    /// It was made runnable. `None` when no witness told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub woken: Option<Nanos>,
    pub why: Why,
    /// The call it waited in: position in [`Recording::calls`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<StackIndex>,
    /// The thread of the tree that ended the wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ThreadIndex>,
    /// The thread seen holding the lock meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<ThreadIndex>,
    /// The CPU it came back on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u32>,
}

/// Why a thread left the CPU, as the kernel said; what it waited *for* is in its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It could have gone on.
    Preempted,
    /// Inside a system call.
    Call,
    /// Outside any system call: the kernel fetched or made a page.
    Fault,
    /// Stopped by a signal or a tracer.
    Stopped,
    /// Made, but not yet run for the first time.
    NotYetRun,
    /// Nobody saw in which call.
    Unknown,
}

/// A system call on an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The kernel's name without prefix: `futex`, `read`, `epoll_wait`.
    pub name: String,
    /// Position in [`Recording::objects`]. `None` when the call has none or it could not be told.
    pub object: Option<u32>,
    /// A variant that matters: [`TIMED`], [`EXPIRED`].
    pub detail: Option<String>,
}

/// Of a call that waits for a word of memory: for some time at most.
pub const TIMED: &str = "timed";

/// Of a call that waits for one of several: nothing had happened when its time limit was up.
pub const EXPIRED: &str = "expired";

/// What a call was made on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Object {
    /// A file with data on a disk or in a file system.
    File {
        path: String,
    },
    Directory {
        path: String,
    },
    /// A terminal or another device.
    Device {
        path: String,
    },
    Socket {
        /// `tcp`, `udp`, `unix`, …
        family: String,
        /// `None` while it is not connected or the kernel does not tell.
        peer: Option<String>,
        /// The other end is in this tree: position in [`Recording::processes`].
        local_peer: Option<u32>,
        inode: u64,
    },
    Pipe {
        inode: u64,
    },
    /// A word of memory that a lock or a condition stands on.
    Lock {
        process: u32,
        address: u64,
    },
    /// epoll, poll or select on several.
    Set {
        members: Vec<String>,
    },
    /// A child, or any.
    Child {
        pid: Option<u32>,
    },
    Event,
    Timer,
    Other {
        text: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    pub from: Nanos,
    pub to: Nanos,
}

/// Looks at the frames of an interpreter that goes on meanwhile: the hits around one share what it found. A hit that tells its
/// function by itself counts as a look of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Looks {
    pub looks: u64,
    pub hits: u64,
}

/// What the recorder knows that it missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Losses {
    /// Records the kernel could not write.
    pub records: u64,
    /// Times the kernel slowed the sampler down.
    pub throttled: u64,
    /// Stacks that end before their thread's first function.
    pub cut_stacks: u64,
    /// Stacks taken in all.
    pub stacks: u64,
    /// Waits whose call or stack nobody saw.
    pub unexplained_waits: u64,
}

/// What the recorder used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// CPU time of our own process while the target ran.
    pub cpu: Nanos,
    /// From the target's end to the finished recording.
    pub after: Nanos,
    pub peak_rss_bytes: Option<u64>,
}

impl Recording {
    /// An empty recording.
    #[must_use]
    pub fn new(source: Source, weight: Weight) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            source,
            wall: None,
            weight,
            period: None,
            processes: Vec::new(),
            threads: Vec::new(),
            modules: Vec::new(),
            frames: Vec::new(),
            nodes: Vec::new(),
            objects: Vec::new(),
            calls: Vec::new(),
            hits: Vec::new(),
            moments: None,
            waits: Vec::new(),
            touches: Vec::new(),
            tasks: Vec::new(),
            task_spans: Vec::new(),
            watched: Vec::new(),
            looks: None,
            losses: Losses::default(),
            resident: None,
            run: None,
            cost: None,
            gaps: Vec::new(),
        }
    }

    /// How often a thread was seen: what shares of hits rest on.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.moments.unwrap_or(self.hits.len() as u64)
    }

    /// Whether it tells when what happened, and not only how much of it did.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        matches!(self.source, Source::Slowpath(_))
            || !self.waits.is_empty()
            || self.hits.iter().any(|hit| hit.at > Nanos::ZERO)
    }

    /// The frames of a stack from the innermost outwards.
    pub fn frames_of(&self, stack: StackIndex) -> impl Iterator<Item = &Frame> {
        self.path_of(stack).filter_map(|node| self.frames.get(node.frame as usize))
    }

    /// The nodes of a stack from the innermost outwards. Ends at a node that points nowhere or forward.
    pub fn path_of(&self, stack: StackIndex) -> impl Iterator<Item = Node> {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let index = next?;
            let node = *self.nodes.get(index as usize)?;
            next = node.parent.filter(|parent| *parent < index);
            Some(node)
        })
    }
}
