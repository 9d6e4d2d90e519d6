//! A recording thread by thread: what happened in the order it happened.

use model::Nanos;
use model::leaf::Charge;
use model::recording::{Hit, Process, Recording, StackIndex, Thread, Wait};

use crate::stack::{self, Measure};
use crate::waiting::pieces;

/// A piece of a thread's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) from: Nanos,
    pub(super) stack: Option<StackIndex>,
    /// `None` while it ran.
    pub(super) leaf: Option<Charge>,
    /// Nanoseconds, or what hits weigh where that is not time.
    pub(super) weight: u64,
}

/// The hits and waits of each thread, by position in the recording's table. What belongs to no known thread is in the
/// last list, one behind the table.
pub(super) struct Lives<'a> {
    pub(super) hits: Vec<Vec<&'a Hit>>,
    pub(super) waits: Vec<Vec<&'a Wait>>,
}

impl<'a> Lives<'a> {
    pub(super) fn new(recording: &'a Recording) -> Self {
        let threads = recording.threads.len();
        let mut hits: Vec<Vec<&Hit>> = vec![Vec::new(); threads + 1];
        let mut waits: Vec<Vec<&Wait>> = vec![Vec::new(); threads + 1];
        for hit in &recording.hits {
            if let Some(list) = hits.get_mut((hit.thread as usize).min(threads)) {
                list.push(hit);
            }
        }
        for wait in &recording.waits {
            if let Some(list) = waits.get_mut((wait.thread as usize).min(threads)) {
                list.push(wait);
            }
        }
        Self { hits, waits }
    }

    /// Threads of which something was seen.
    pub(super) fn seen(&self) -> impl Iterator<Item = usize> {
        let lists = self.hits.iter().zip(&self.waits).enumerate();
        lists.filter(|(_, (hits, waits))| !hits.is_empty() || !waits.is_empty()).map(|(at, _)| at)
    }

    /// Hits and waits of one thread together, in time order.
    pub(super) fn pieces(&self, recording: &Recording, thread: usize) -> Vec<Piece> {
        let scale = stack::scale(recording);
        let hits = self.hits.get(thread).into_iter().flatten().map(|hit| Piece {
            from: hit.at,
            stack: hit.stack,
            leaf: None,
            weight: hit.weight.saturating_mul(scale),
        });
        // Waits are time; where hits are bytes or bare samples, the two cannot stand in one list.
        let waits = self.waited(recording, thread).filter(|_| Measure::of(recording) == Measure::Time);
        let mut all: Vec<Piece> = hits.chain(waits).collect();
        all.sort_by_key(|piece| piece.from);
        all
    }

    pub(super) fn waited(&self, recording: &Recording, thread: usize) -> impl Iterator<Item = Piece> {
        self.waits.get(thread).into_iter().flatten().flat_map(move |wait| {
            pieces(recording, wait).map(|(leaf, from, to)| Piece {
                from,
                stack: wait.stack,
                leaf: Some(leaf),
                weight: to.as_nanos().saturating_sub(from.as_nanos()),
            })
        })
    }
}

pub(super) fn thread_at(recording: &Recording, at: usize) -> Option<&Thread> {
    recording.threads.get(at)
}

pub(super) fn process_of<'a>(recording: &'a Recording, thread: Option<&Thread>) -> Option<&'a Process> {
    recording.processes.get(thread?.process as usize)
}

/// Whether hits know when they happened.
pub(super) fn timed(recording: &Recording) -> bool {
    recording.wall.is_some() || recording.hits.iter().any(|hit| hit.at > Nanos::ZERO)
}

/// What a wait was made on, in words: `read /var/log/x`.
pub(super) fn call(recording: &Recording, wait: &Wait) -> Option<String> {
    use model::recording::Object;
    let call = recording.calls.get(wait.call? as usize)?;
    let object = call.object.and_then(|object| recording.objects.get(object as usize));
    let on = object.map(|object| match object {
        Object::File { path } | Object::Directory { path } | Object::Device { path } => path.clone(),
        Object::Socket { family, peer, .. } => format!("{family} {}", peer.as_deref().unwrap_or("socket")),
        Object::Pipe { inode } => format!("pipe {inode}"),
        Object::Lock { address, .. } => format!("lock {address:#x}"),
        Object::Set { members } => members.join(", "),
        Object::Child { pid: Some(pid) } => format!("process {pid}"),
        Object::Child { pid: None } => "any child".to_owned(),
        Object::Event => "event".to_owned(),
        Object::Timer => "timer".to_owned(),
        Object::Other { text } => text.clone(),
    });
    Some(on.map_or_else(|| call.name.clone(), |on| format!("{} {on}", call.name)))
}
