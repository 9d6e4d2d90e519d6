//! What a wait was for and whose it was, in words.

use std::collections::HashMap;

use model::leaf::Charge;
use model::recording::{EXPIRED, Object, Recording, Thread};

use super::lives::{Absence, Lives};
use super::places::{BARE, Entry, NONE, Places};

/// Members of a set that are named one by one.
const MEMBERS: usize = 3;

/// What tells one part of a leaf from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Topic {
    pub(super) charge: Charge,
    /// Position in [`Recording::calls`], or [`NONE`].
    pub(super) call: u32,
    /// A lock's holder, a set's or a pipe's waker as a thread, a sleep's or a fault's function; [`NONE`] where there is none.
    pub(super) other: u32,
    /// It is for Python's own lock.
    pub(super) interpreter: bool,
}

/// Python's own lock, as people call it.
const INTERPRETER: &str = "interpreter lock (GIL)";

impl Topic {
    pub(super) fn of(absence: &Absence, places: &Places<'_>) -> Self {
        let other = match absence.charge {
            Charge::Lock => absence.interpreter.unwrap_or(absence.holder),
            Charge::Poll | Charge::Pipe => absence.by,
            Charge::Sleep | Charge::Fault | Charge::Unaccounted => {
                places.shown(absence.stack).map_or(NONE, |node| places.function_of(node))
            }
            _ => NONE,
        };
        let interpreter = absence.interpreter.is_some();
        Self { charge: absence.charge, call: absence.call, other, interpreter }
    }

    /// What it waited for. `None` when nothing is known but the leaf.
    pub(super) fn object(&self, recording: &Recording) -> Option<String> {
        let call = recording.calls.get(self.call as usize);
        let object = call.and_then(|call| recording.objects.get(call.object? as usize));
        let object = match self.interpreter {
            true => Some(INTERPRETER.to_owned()),
            false => object.map(|object| object_words(recording, object)),
        };
        let other = recording.threads.get(self.other as usize).map(|thread| other_words(recording, thread));
        match (self.charge, object, other) {
            // What did not happen is not what it waited for.
            (Charge::Sleep, Some(_), _) if self.is_expired(recording) => None,
            (Charge::Lock, object, Some(_)) => held(recording, object.as_deref(), self.other),
            (Charge::Poll, object, Some(waker)) => {
                Some(format!("{}, ready by {waker}", object.as_deref().unwrap_or("several")))
            }
            (Charge::Pipe, Some(object), Some(other)) => {
                let writes = call.is_some_and(|call| call.name.contains("write"));
                Some(format!("{object} {} {other}", if writes { "to" } else { "from" }))
            }
            (_, object, _) => object,
        }
    }

    fn is_expired(&self, recording: &Recording) -> bool {
        let call = recording.calls.get(self.call as usize);
        call.is_some_and(|call| call.detail.as_deref() == Some(EXPIRED))
    }

    /// A part of the leaf, in words.
    pub(super) fn words(&self, recording: &Recording, places: &Places<'_>) -> String {
        let call = recording.calls.get(self.call as usize).map(|call| call.name.as_str());
        let function = match self.charge {
            Charge::Sleep | Charge::Fault | Charge::Unaccounted if self.other != NONE => {
                Some(places.name(self.other).to_owned())
            }
            _ => None,
        };
        function
            .or_else(|| self.object(recording))
            .unwrap_or_else(|| call.unwrap_or(self.charge.words()).to_owned())
    }
}

/// A lock and the thread that has it. `None` where there is no such thread.
pub(super) fn held(recording: &Recording, lock: Option<&str>, holder: u32) -> Option<String> {
    let holder = recording.threads.get(holder as usize)?;
    Some(format!("{} held by {}", lock.unwrap_or("lock"), other_words(recording, holder)))
}

/// Another thread as one would call it. Threads without a name of their own carry their process's.
fn other_words(recording: &Recording, thread: &Thread) -> String {
    let Some(process) = recording.processes.get(thread.process as usize) else { return thread.name.clone() };
    let (main, unnamed) = (process.pid == thread.tid, process.name == thread.name);
    match (thread.process, main, unnamed) {
        (0, true, _) => "the main thread".to_owned(),
        (0, false, true) => format!("thread {}", thread.tid),
        (0, false, false) => thread.name.clone(),
        (_, true, _) | (_, _, true) => format!("child {}", process.name),
        (_, false, false) => format!("child {}, {}", process.name, thread.name),
    }
}

pub(super) fn object_words(recording: &Recording, object: &Object) -> String {
    match object {
        Object::File { path } | Object::Directory { path } | Object::Device { path } => path.clone(),
        Object::Socket { family, peer, local_peer, .. } => {
            let local = local_peer.and_then(|process| recording.processes.get(process as usize));
            match (peer, local) {
                (Some(peer), Some(process)) => format!("{peer} ({})", process.name),
                (Some(peer), None) => peer.clone(),
                (None, Some(process)) => format!("{family} socket to {}", process.name),
                (None, None) => format!("{family} socket"),
            }
        }
        Object::Pipe { .. } => "pipe".to_owned(),
        Object::Lock { address, .. } => format!("lock {address:#x}"),
        Object::Set { members } => set_words(members),
        Object::Child { pid: Some(pid) } => {
            match recording.processes.iter().find(|process| process.pid == *pid) {
                Some(process) => format!("child {}", process.name),
                None => format!("child {pid}"),
            }
        }
        Object::Child { pid: None } => "any child".to_owned(),
        Object::Event => "event".to_owned(),
        Object::Timer => "timer".to_owned(),
        Object::Other { text } => text.clone(),
    }
}

fn set_words(members: &[String]) -> String {
    let named: Vec<&str> = members.iter().take(MEMBERS).map(String::as_str).collect();
    match members.len().saturating_sub(MEMBERS) {
        0 if named.is_empty() => "nothing".to_owned(),
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// What the recorder itself does in the kernel, in the threads that it records.
pub(crate) const RECORDER: &str = "our recorder";

/// What a hit is counted under: its function, or in the kernel the way it was entered.
pub(super) fn hit_words(places: &Places<'_>, function: u32, entry: Entry) -> (Charge, String) {
    match entry {
        Entry::User => (Charge::User, places.name(function).to_owned()),
        Entry::Call(call) => {
            (Charge::Kernel, places.calls.get(call as usize).cloned().unwrap_or_else(|| "kernel".to_owned()))
        }
        Entry::Fault => (Charge::Kernel, "page faults".to_owned()),
        Entry::Interrupt => (Charge::Kernel, "interrupts".to_owned()),
        Entry::Recorder => (Charge::Kernel, RECORDER.to_owned()),
        Entry::Kernel => (Charge::Kernel, "kernel".to_owned()),
    }
}

/// The key that [`hit_words`] needs: functions matter in user mode only.
pub(super) fn hit_key(places: &Places<'_>, stack: u32) -> (u32, Entry) {
    let entry = places.entry_of(stack);
    (if entry == Entry::User { places.shown_function_of(stack) } else { BARE }, entry)
}

/// Names of threads as the first thread would call them, each name once.
pub(super) struct Labels {
    of_thread: Vec<u32>,
    texts: Vec<String>,
}

/// The label of the first thread.
pub(super) const FIRST: u32 = 0;

impl Labels {
    pub(super) fn of(lives: &Lives<'_>, first: Option<u32>) -> Self {
        let recording = lives.recording;
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut texts = vec![String::new()];
        let of_thread = (0_u32..)
            .zip(&recording.threads)
            .map(|(index, _)| {
                let Some(text) = label(recording, index, first) else { return FIRST };
                let next = u32::try_from(texts.len()).unwrap_or(FIRST);
                *known.entry(text).or_insert_with_key(|text| {
                    texts.push(text.clone());
                    next
                })
            })
            .collect();
        Self { of_thread, texts }
    }

    pub(super) fn id(&self, thread: u32) -> u32 {
        self.of_thread.get(thread as usize).copied().unwrap_or(FIRST)
    }

    /// `what`, with the thread it happened in where that is not the first.
    pub(super) fn attach(&self, what: String, label: u32) -> String {
        match self.texts.get(label as usize) {
            Some(text) if !text.is_empty() => format!("{what} ({text})"),
            _ => what,
        }
    }
}

/// `None` for the first thread.
fn label(recording: &Recording, index: u32, first: Option<u32>) -> Option<String> {
    let thread = recording.threads.get(index as usize)?;
    let first = recording.threads.get(first? as usize).filter(|_| first != Some(index))?;
    let process = recording.processes.get(thread.process as usize);
    let unnamed = process.is_none_or(|process| process.name == thread.name);
    if thread.process == first.process {
        // Threads without a name of their own carry their process's.
        let other = unnamed || thread.name == first.name;
        return Some(if other { "another thread".to_owned() } else { thread.name.clone() });
    }
    let name = process.map_or("?", |process| process.name.as_str());
    let main = process.is_some_and(|process| process.pid == thread.tid);
    Some(if main || unnamed { format!("child {name}") } else { format!("child {name}, {}", thread.name) })
}
