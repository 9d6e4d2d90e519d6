//! `slowpath.calls/1`: what a program asked of files, peers and other programs, added up by place.
//!
//! A pass of its own under a tracer writes it. Latencies are from such a run and only for comparing calls with each
//! other: [`Calls::tracing`] is taken off each of them, and what remains of the tracer is in them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::recording::{Frame, Module, Node, Object, StackIndex};
use crate::{Arg, Ended, Gap, Nanos};

pub const SCHEMA: &str = "slowpath.calls/1";

/// Where the calls of a run lie.
pub const CALLS: &str = "tier2/calls.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calls {
    pub schema: String,
    /// Of the traced run, which is slower than an untraced one.
    #[serde(rename = "wall_ns")]
    pub wall: Nanos,
    /// From the start until calls were only let through; equal to `wall` when all of the run was seen.
    #[serde(rename = "watched_ns")]
    pub watched: Nanos,
    /// What the tracer adds to the shortest call; already taken off. `null` when no call was timed.
    #[serde(rename = "tracing_ns")]
    pub tracing: Option<Nanos>,
    pub totals: Totals,
    /// Dearest first.
    pub rows: Vec<Row>,
    pub files: Vec<FileUse>,
    pub peers: Vec<Peer>,
    /// Pipes, devices, events: what is neither a file nor a peer.
    pub others: Vec<Object>,
    pub processes: Vec<Ran>,
    pub modules: Vec<Module>,
    pub frames: Vec<Frame>,
    pub nodes: Vec<Node>,
    /// The run as the runner measured it, under the tracer.
    pub run: Option<crate::Sample>,
    pub gaps: Vec<Gap>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Calls that came to the tracer while it watched.
    pub calls: u64,
    /// Of these, those whose result and latency were taken; the others are in `count` only.
    pub seen: u64,
    /// Calls let through unseen after the tracer's time was up.
    pub unwatched: u64,
    pub stacks: u64,
    /// Stacks that end before their thread's first function.
    pub cut_stacks: u64,
}

/// Calls of one kind on one object from one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The kernel's name: `read`, `fdatasync`.
    pub call: String,
    /// `null` when the call has no object or it could not be told.
    pub on: Option<On>,
    /// `null` when nothing could be told of it.
    pub stack: Option<StackIndex>,
    pub count: u64,
    /// Calls whose result is in the figures below. In a storm it is smaller than `count`.
    pub seen: u64,
    /// Bytes the calls had room for or wanted to give. `null` for calls that move none or tell it otherwise.
    pub requested: Option<u64>,
    /// `null` for calls that move none.
    pub bytes: Option<u64>,
    #[serde(rename = "latency_ns")]
    pub latency: Nanos,
    #[serde(rename = "longest_ns")]
    pub longest: Nanos,
    /// How many moved 0 bytes, 1, 2 to 3, 4 to 7, and so on; as long as needed. Empty for calls that move none.
    pub sizes: Vec<u64>,
    pub errors: Vec<Errors>,
    /// Reads and writes of a file that began where the last one of its descriptor ended. `null` where that has no
    /// meaning.
    pub sequential: Option<u64>,
    /// Reads and writes of a file that began inside what the last one of its descriptor had moved, behind its beginning. `null` as
    /// there.
    #[serde(default)]
    pub overlapping: Option<u64>,
    /// Bytes read that this run had read of the file before. `null` for other calls, and where offsets are not known.
    pub reread: Option<u64>,
}

impl Calls {
    /// The frames of a stack from the innermost on.
    pub fn frames_of(&self, stack: StackIndex) -> impl Iterator<Item = &Frame> {
        let first = self.nodes.get(stack as usize);
        // Callers come before those they call, so a damaged table cannot lead in a circle.
        let nodes = std::iter::successors(first.map(|node| (stack, node)), |(at, node)| {
            let parent = node.parent.filter(|parent| parent < at)?;
            Some((parent, self.nodes.get(parent as usize)?))
        });
        nodes.filter_map(|(_, node)| self.frames.get(node.frame as usize))
    }
}

/// What the calls of a row were made on, as a position in the table of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    File(u32),
    Peer(u32),
    Other(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Errors {
    /// `ENOENT`; the number where it has no name.
    pub error: String,
    pub count: u64,
}

/// All that was done with one path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileUse {
    /// Ends with `/*` when it stands for many files of a folder that have no row of their own.
    pub path: String,
    /// `SQLite database`, `SQLite journal`: what its first bytes or its name say. `null` when nothing was recognised.
    pub format: Option<String>,
    /// The first 16 bytes as they were read or written, in hexadecimal.
    pub head: Option<String>,
    /// When it was last opened or closed. `null` when it could not be told.
    pub size: Option<u64>,
    pub opens: u64,
    /// `stat`, `access` and their like.
    pub stats: u64,
    /// Opens and stats that did not find it or were refused.
    pub failures: u64,
    pub reads: u64,
    pub read_bytes: u64,
    /// Different bytes of the file that were read. `null` when an offset was not known.
    pub distinct_read_bytes: Option<u64>,
    pub writes: u64,
    pub written_bytes: u64,
    /// Different bytes of the file that were written. `null` when an offset was not known.
    pub distinct_written_bytes: Option<u64>,
    pub syncs: u64,
    #[serde(rename = "sync_ns")]
    pub sync: Nanos,
    /// Times it was mapped; what is read through a mapping is not seen.
    pub maps: u64,
}

/// Which side asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The traced program connected.
    Asks,
    /// The traced program accepted: the peer is all of its clients.
    Answers,
}

/// The other end of connections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Peer {
    /// `tcp`, `udp`, `unix`, …
    pub family: String,
    /// Where it was asked; for clients, where the program listens. `null` where the kernel does not tell.
    pub address: Option<String>,
    pub role: Role,
    /// The process that answers, when it is in the tree: position in [`Calls::processes`].
    pub process: Option<u32>,
    pub connections: u64,
    /// Of these, those that were made after an earlier one had been closed.
    #[serde(default)]
    pub again: u64,
    pub refused: u64,
    pub sends: u64,
    pub sent_bytes: u64,
    pub receives: u64,
    pub received_bytes: u64,
    /// `postgresql`, `mysql`, `redis`, `http`, `tls`. `null` when its bytes are of no known protocol.
    pub protocol: Option<String>,
    /// Requests recognised in the bytes. `null` when the protocol is not known or encrypted.
    pub requests: Option<u64>,
    /// Sleeps of a thread between two requests of it to this peer.
    pub sleeps: u64,
    #[serde(rename = "slept_ns")]
    pub slept: Nanos,
    /// Answers to requests that were sent in pieces and came as late as a delayed acknowledgement: the last piece was held
    /// back until the first one's came.
    #[serde(default)]
    pub stalls: u64,
    #[serde(default, rename = "stalled_ns")]
    pub stalled: Nanos,
    /// Where the last piece of such a request is sent from most often.
    #[serde(default)]
    pub stalled_at: Option<StackIndex>,
    /// Dearest first.
    pub statements: Vec<StatementUse>,
}

/// Requests that differ in their values only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatementUse {
    /// `SELECT`, `GET`, `POST`.
    pub verb: String,
    /// With `?` for values; cut where the captured bytes end.
    pub text: String,
    /// The same for the same text, in hexadecimal.
    pub fingerprint: String,
    pub count: u64,
    /// Of these, those whose answer was seen to begin.
    pub answered: u64,
    /// From sending the request to the last bytes of its answer that the program waited for.
    #[serde(rename = "latency_ns")]
    pub latency: Nanos,
    /// `null` when none was answered.
    #[serde(rename = "median_ns")]
    pub median: Option<Nanos>,
    #[serde(rename = "longest_ns")]
    pub longest: Nanos,
    /// Where they were sent from, most frequent first.
    pub stacks: Vec<Sent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sent {
    pub stack: Option<StackIndex>,
    pub count: u64,
}

/// One process of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ran {
    pub pid: u32,
    /// Position of its parent. `null` for the first and where it is not known.
    pub parent: Option<u32>,
    /// Programs it loaded, in order. Empty for a fork that loaded none.
    pub programs: Vec<Program>,
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// `null` when it outlived the pass.
    #[serde(rename = "to_ns")]
    pub to: Option<Nanos>,
    /// `null` when it outlived the pass.
    pub ended: Option<Ended>,
    /// Threads it had in all, the first included.
    pub threads: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    pub argv: Vec<Arg>,
}

/// One piece of a conversation, as one call sent or received it. Recognising what it says needs no target, so it is
/// done elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Position in [`Calls::peers`].
    pub peer: u32,
    /// Alike for all messages of one connection.
    pub connection: u64,
    pub direction: Direction,
    /// The call began and ended, since the start. Where the thread had waited for it to be ready, the wait began.
    pub from: Nanos,
    pub to: Nanos,
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// Bytes in all.
    pub length: u64,
    pub stack: Option<StackIndex>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    Sent,
    Received,
}
