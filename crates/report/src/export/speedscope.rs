//! speedscope's own file format: one sampled profile a thread, its waits between its hits.
//!
//! Format: `file-format-schema.json` of speedscope, checked with 1.25.0.

use std::collections::HashMap;
use std::io::{self, Write};

use model::leaf::LEAVES;
use model::recording::Recording;
use serde::Serialize;
use serde_json::json;

use super::threads::{Lives, Piece, process_of, thread_at};
use super::{name, put, put_list, shown};
use crate::stack::{Measure, NO_STACK};

/// Writes the recording as a file that speedscope opens.
pub fn speedscope(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let lives = Lives::new(recording);
    let frames = Frames::new(recording);
    let title =
        recording.processes.first().map_or_else(|| "recording".to_owned(), |process| shown(&process.name));
    write!(
        out,
        "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"slowpath\",\"name\":"
    )?;
    put(&mut out, &title)?;
    write!(out, ",\"activeProfileIndex\":{},\"shared\":{{\"frames\":", busiest(&lives, recording))?;
    put_list(&mut out, frames.list.iter())?;
    write!(out, "}},\"profiles\":[")?;
    let mut first = true;
    for thread in lives.seen() {
        if !first {
            write!(out, ",")?;
        }
        first = false;
        let pieces = merged(lives.pieces(recording, thread));
        profile(&mut out, recording, thread, &pieces, &frames)?;
    }
    if first {
        // The viewer refuses a file without any profile.
        profile(&mut out, recording, usize::MAX, &[], &frames)?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}

/// The profile to show first: the thread with most hits.
fn busiest(lives: &Lives, recording: &Recording) -> usize {
    let seen: Vec<usize> = lives.seen().collect();
    let weight = |thread: usize| lives.hits.get(thread).map_or(0, Vec::len);
    let best = seen.iter().enumerate().max_by_key(|(at, thread)| (weight(**thread), std::cmp::Reverse(*at)));
    best.map_or(0, |(at, _)| at).min(recording.threads.len())
}

#[derive(Serialize)]
struct FrameEntry {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Functions, not lines: speedscope adds up what has one entry.
struct Frames {
    list: Vec<FrameEntry>,
    /// The entry of each frame of the recording.
    of: Vec<usize>,
    leaves: usize,
    bare: usize,
}

impl Frames {
    fn new(recording: &Recording) -> Self {
        let mut seen: HashMap<(String, Option<String>), usize> = HashMap::new();
        let mut list = Vec::new();
        let mut of = Vec::with_capacity(recording.frames.len());
        for frame in &recording.frames {
            let key = (name(recording, frame), frame.file.as_deref().map(shown));
            let at = *seen.entry(key).or_insert_with_key(|(name, file)| {
                list.push(FrameEntry { name: name.clone(), file: file.clone() });
                list.len() - 1
            });
            of.push(at);
        }
        let leaves = list.len();
        let words = LEAVES.iter().map(|(_, id, _)| format!("[{id}]"));
        list.extend(words.map(|name| FrameEntry { name, file: None }));
        let bare = list.len();
        list.push(FrameEntry { name: NO_STACK.to_owned(), file: None });
        Self { list, of, leaves, bare }
    }

    fn path(&self, recording: &Recording, piece: &Piece) -> Vec<usize> {
        let mut path: Vec<usize> = piece.leaf.map(|leaf| self.leaves + leaf as usize).into_iter().collect();
        match piece.stack {
            Some(stack) => path.extend(
                recording
                    .path_of(stack)
                    .map(|node| self.of.get(node.frame as usize).copied().unwrap_or(self.bare)),
            ),
            None => path.push(self.bare),
        }
        path.reverse();
        path
    }
}

/// Neighbours in the same stack are one sample.
fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if (last.stack, last.leaf) == (piece.stack, piece.leaf) => {
                last.weight = last.weight.saturating_add(piece.weight);
            }
            _ => merged.push(piece),
        }
    }
    merged
}

fn profile(
    out: &mut impl Write,
    recording: &Recording,
    thread: usize,
    pieces: &[Piece],
    frames: &Frames,
) -> io::Result<()> {
    let unit = match Measure::of(recording) {
        Measure::Time => "nanoseconds",
        Measure::Bytes => "bytes",
        Measure::Samples | Measure::Other(_) => "none",
    };
    let end: u64 = pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.weight));
    let title = title(recording, thread);
    write!(out, "{{\"type\":\"sampled\",\"name\":")?;
    put(out, &title)?;
    write!(out, ",\"unit\":{},\"startValue\":0,\"endValue\":{end},\"samples\":", json!(unit))?;
    put_list(out, pieces.iter().map(|piece| frames.path(recording, piece)))?;
    write!(out, ",\"weights\":")?;
    put_list(out, pieces.iter().map(|piece| piece.weight))?;
    write!(out, "}}")
}

fn title(recording: &Recording, thread: usize) -> String {
    let Some(thread) = thread_at(recording, thread) else { return "unknown thread".to_owned() };
    let process = process_of(recording, Some(thread));
    let process = process.map_or_else(String::new, |process| format!("{} {} · ", process.name, process.pid));
    shown(&format!("{process}{} {}", thread.name, thread.tid))
}
