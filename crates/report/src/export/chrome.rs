//! Trace Event JSON for chrome://tracing and Perfetto: a slice for each span on and off the CPU, hits as samples.
//!
//! Times are microseconds with fractions. `stackFrames` and `samples` are read by chrome://tracing; Perfetto shows
//! the slices and takes a wait's stack from its arguments.

use std::io::{self, Write};

use model::Nanos;
use model::recording::{Recording, Wait};
use serde_json::{Map, Value, json};

use super::threads::{Lives, call, process_of, thread_at};
use super::{in_units, name, put, put_list, shown};
use crate::waiting::pieces;

/// Frames of a stack that a slice tells of.
const MOST_FRAMES: usize = 24;

/// Writes the recording as a trace.
pub fn chrome(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let lives = Lives::new(recording);
    write!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":")?;
    let threads = 0..recording.threads.len();
    let slices = threads.flat_map(|thread| slices(recording, &lives, thread));
    put_list(&mut out, names(recording).into_iter().chain(slices))?;
    write!(out, ",\"stackFrames\":{{")?;
    for (at, node) in recording.nodes.iter().enumerate() {
        let frame = recording.frames.get(node.frame as usize);
        let called = frame.map_or_else(|| "[unknown]".to_owned(), |frame| name(recording, frame));
        let mut entry = Map::new();
        entry.insert("name".to_owned(), called.into());
        let category = frame.map_or_else(|| Value::from("unknown"), |frame| json!(frame.owner));
        entry.insert("category".to_owned(), category);
        if let Some(parent) = node.parent.filter(|parent| (*parent as usize) < at) {
            entry.insert("parent".to_owned(), parent.to_string().into());
        }
        write!(out, "{}\"{at}\":", if at > 0 { "," } else { "" })?;
        put(&mut out, &entry)?;
    }
    write!(out, "}},\"samples\":")?;
    let stacked =
        recording.hits.iter().filter(|hit| hit.stack.is_some_and(|s| (s as usize) < recording.nodes.len()));
    put_list(
        &mut out,
        stacked.map(|hit| {
            let thread = thread_at(recording, hit.thread as usize);
            json!({
                "name": "hit",
                "cpu": 0,
                "tid": thread.map_or(0, |thread| thread.tid),
                "ts": micros(hit.at),
                "sf": hit.stack.unwrap_or(0).to_string(),
                "weight": hit.weight,
            })
        }),
    )?;
    writeln!(out, "}}")?;
    out.flush()
}

/// The names of processes and threads.
fn names(recording: &Recording) -> Vec<Value> {
    let process = recording.processes.iter().map(|process| {
        json!({ "ph": "M", "name": "process_name", "pid": process.pid, "tid": process.pid,
                "args": { "name": shown(&process.name) } })
    });
    let thread = recording.threads.iter().map(|thread| {
        let pid = process_of(recording, Some(thread)).map_or(0, |process| process.pid);
        json!({ "ph": "M", "name": "thread_name", "pid": pid, "tid": thread.tid,
                "args": { "name": shown(&thread.name) } })
    });
    process.chain(thread).collect()
}

/// The spans of one thread: its waits, and between them the time it ran. Without waits nobody knows when it ran.
fn slices(recording: &Recording, lives: &Lives, at: usize) -> Vec<Value> {
    let (Some(thread), Some(waits)) = (thread_at(recording, at), lives.waits.get(at)) else {
        return Vec::new();
    };
    let pid = process_of(recording, Some(thread)).map_or(0, |process| process.pid);
    let slice = |name: &str, category: &str, from: Nanos, to: Nanos, told: Map<String, Value>| {
        let long = to.as_nanos().saturating_sub(from.as_nanos());
        json!({ "ph": "X", "name": name, "cat": category, "pid": pid, "tid": thread.tid, "ts": micros(from),
                "dur": in_units(long, 1000), "args": told })
    };
    let mut waits: Vec<&Wait> = waits.clone();
    waits.sort_by_key(|wait| wait.from);
    let mut slices = Vec::new();
    let mut since = thread.from;
    for wait in &waits {
        if wait.from > since && is_watched(recording, since, wait.from) {
            slices.push(slice("on CPU", "on-cpu", since, wait.from, Map::new()));
        }
        for (leaf, from, to) in pieces(recording, wait) {
            slices.push(slice(leaf.id(), "wait", from, to, told(recording, wait)));
        }
        since = since.max(wait.to);
    }
    let end = thread.to.or(recording.wall).unwrap_or(since);
    if !waits.is_empty() && end > since && is_watched(recording, since, end) {
        slices.push(slice("on CPU", "on-cpu", since, end, Map::new()));
    }
    slices
}

/// Between two waits a thread ran only if nobody looked away meanwhile.
fn is_watched(recording: &Recording, from: Nanos, to: Nanos) -> bool {
    recording.watched.is_empty() || recording.watched.iter().any(|span| span.from <= from && to <= span.to)
}

fn told(recording: &Recording, wait: &Wait) -> Map<String, Value> {
    let mut told = Map::new();
    if let Some(call) = call(recording, wait) {
        told.insert("call".to_owned(), shown(&call).into());
    }
    let stack: Vec<String> = wait
        .stack
        .into_iter()
        .flat_map(|stack| recording.frames_of(stack))
        .take(MOST_FRAMES)
        .map(|frame| name(recording, frame))
        .collect();
    if !stack.is_empty() {
        told.insert("stack".to_owned(), stack.into());
    }
    let other = |thread: Option<u32>| {
        let thread = thread_at(recording, thread? as usize)?;
        Some(shown(&format!("{} {}", thread.name, thread.tid)))
    };
    for (key, thread) in [("woken by", wait.by), ("held by", wait.holder)] {
        if let Some(name) = other(thread) {
            told.insert(key.to_owned(), name.into());
        }
    }
    told
}

fn micros(at: Nanos) -> f64 {
    in_units(at.as_nanos(), 1000)
}
