//! Folded stacks: one line a stack, frames from the outermost in, separated by semicolons, then a space and the weight.
//!
//! The suffixes `_[k]` (kernel) and `_[i]` (inlined) are those that flame graph programs read and take off again.

use std::collections::BTreeMap;
use std::io::{self, Write};

use model::recording::{Language, Owner, Recording};

use super::name;
use crate::stack::{self, Kind, NO_STACK};

/// Writes each stack once, sorted. Weights are nanoseconds, or what the recording's hits weigh.
pub fn folded(recording: &Recording, kind: Kind, mut out: impl Write) -> io::Result<()> {
    let labels: Vec<String> = recording.frames.iter().map(|frame| labelled(recording, frame)).collect();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for heap in stack::weigh(recording, kind).stacks {
        let mut path: Vec<&str> = heap.leaf.map(|leaf| leaf.id()).into_iter().collect();
        match heap.stack {
            Some(stack) => path.extend(
                recording
                    .path_of(stack)
                    .map(|node| labels.get(node.frame as usize).map_or("[unknown]", String::as_str)),
            ),
            None => path.push(NO_STACK),
        }
        path.reverse();
        let sum = lines.entry(path.join(";")).or_default();
        *sum = sum.saturating_add(heap.weight);
    }
    for (path, weight) in &lines {
        writeln!(out, "{path} {weight}")?;
    }
    out.flush()
}

fn labelled(recording: &Recording, frame: &model::recording::Frame) -> String {
    let kernel = frame.language == Language::Kernel || frame.owner == Owner::Kernel;
    let suffix = if kernel {
        "_[k]"
    } else if frame.inlined {
        "_[i]"
    } else {
        ""
    };
    // A semicolon would split the frame; the colon is what other writers put there.
    format!("{}{suffix}", name(recording, frame).replace(';', ":"))
}
