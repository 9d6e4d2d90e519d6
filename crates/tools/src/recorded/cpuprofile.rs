//! V8's `.cpuprofile`: `node --cpu-prof`, the inspector's `Profiler.stop`. Checked with Node.js 20.
//!
//! A sample lasts until the next one. Time in `(idle)` is none of the thread's and is left out; a gap says how much.
//! Older files have no samples, only how often each node was hit.

use std::collections::HashMap;

use model::recording::{Frame, Language, Owner, Recording, Weight};
use model::{Gap, Nanos};
use serde::Deserialize;

use super::lines::find;
use super::tables::{Tables, named};
use super::{RecordedError, json, place};

pub(super) const NAME: &str = "V8 CPU profile";
const REMEDY: &str = "record longer: node --cpu-prof writes the profile when the program ends by itself";

pub(super) fn recognises(head: &[u8]) -> bool {
    let json = head.trim_ascii_start().starts_with(b"{");
    json && find(head, b"\"nodes\"").is_some() && find(head, b"\"callFrame\"").is_some()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    nodes: Option<Vec<NodeEntry>>,
    start_time: Option<f64>,
    end_time: Option<f64>,
    samples: Option<Vec<u64>>,
    time_deltas: Option<Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeEntry {
    id: u64,
    call_frame: CallFrame,
    #[serde(default)]
    hit_count: u64,
    #[serde(default)]
    children: Vec<u64>,
    parent: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame {
    function_name: String,
    #[serde(default)]
    url: String,
    /// Counted from zero; -1 when there is none.
    #[serde(default = "nowhere")]
    line_number: f64,
}

fn nowhere() -> f64 {
    -1.0
}

pub(super) fn parse(bytes: &[u8]) -> Result<Recording, RecordedError> {
    let mut file: File = json::parse(NAME, bytes)?;
    let nested = || RecordedError::Unsupported {
        format: NAME,
        found: "no list of nodes".to_owned(),
        remedy: "record with Node.js 8 or later",
    };
    let nodes = file.nodes.take().ok_or_else(nested)?;
    let mut tables = Tables::new(NAME, Weight::WallTime, bytes.len());
    let thread = tables.thread(0, 1, Nanos::ZERO)?;
    tables.name(thread, b"main");
    if let Some(process) = tables.recording.processes.first_mut() {
        process.runtime = Some("node".to_owned());
    }
    let tree = Tree::of(&nodes)?;
    let stacks = tree.stacks(&mut tables)?;
    match (&file.samples, &file.time_deltas) {
        (Some(samples), Some(deltas)) => timed(&file, &mut tables, &tree, &stacks, samples, deltas)?,
        (Some(samples), None) => {
            tables.recording.weight = Weight::Samples;
            for sample in samples {
                let stack = stack_of(&tree, &stacks, *sample)?;
                hit(&mut tables, stack, 0, 1);
            }
        }
        (None, _) => {
            tables.recording.weight = Weight::Samples;
            for (entry, stack) in nodes.iter().zip(&stacks) {
                hit(&mut tables, *stack, 0, entry.hit_count);
            }
        }
    }
    tables.finish(REMEDY)
}

/// Nodes by their numbers, and the caller of each.
struct Tree<'f> {
    entries: &'f [NodeEntry],
    positions: HashMap<u64, usize>,
    parents: Vec<Option<usize>>,
}

/// Where samples of a node go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stack {
    /// V8's root: nothing is known of it.
    Root,
    /// The thread waited for events.
    Idle,
    Known(u32),
}

impl<'f> Tree<'f> {
    fn of(entries: &'f [NodeEntry]) -> Result<Self, RecordedError> {
        let mut positions = HashMap::with_capacity(entries.len());
        for (position, entry) in entries.iter().enumerate() {
            if positions.insert(entry.id, position).is_some() {
                return Err(bad("a node's number", entry.id, "different from the others"));
            }
        }
        let place = |id: u64| {
            positions.get(&id).copied().ok_or_else(|| bad("a node's child or parent", id, "one of the nodes"))
        };
        let mut parents = vec![None; entries.len()];
        for (position, entry) in entries.iter().enumerate() {
            if let Some(parent) = entry.parent {
                set(&mut parents, position, place(parent)?, entry.id)?;
            }
            for child in &entry.children {
                set(&mut parents, place(*child)?, position, *child)?;
            }
        }
        Ok(Self { entries, positions, parents })
    }

    /// The stack of each node.
    fn stacks(&self, tables: &mut Tables) -> Result<Vec<Stack>, RecordedError> {
        let mut stacks: Vec<Option<Stack>> = vec![None; self.entries.len()];
        let mut path = Vec::new();
        for start in 0..self.entries.len() {
            // Outwards to the first node whose stack is known, then back.
            let mut next = Some(start);
            while let Some(at) = next.filter(|at| stacks.get(*at).copied().flatten().is_none()) {
                path.push(at);
                if path.len() > self.entries.len() {
                    return Err(bad("the parent of a node", start as u64, "outside its own children"));
                }
                next = self.parents.get(at).copied().flatten();
            }
            let mut parent = next.and_then(|at| stacks.get(at).copied().flatten());
            while let Some(at) = path.pop() {
                let stack = self.stack(tables, at, parent)?;
                if let Some(place) = stacks.get_mut(at) {
                    *place = Some(stack);
                }
                parent = Some(stack);
            }
        }
        Ok(stacks.into_iter().map(|stack| stack.unwrap_or(Stack::Root)).collect())
    }

    fn stack(&self, tables: &mut Tables, at: usize, parent: Option<Stack>) -> Result<Stack, RecordedError> {
        let Some(entry) = self.entries.get(at) else { return Ok(Stack::Root) };
        match entry.call_frame.function_name.as_str() {
            "(root)" if parent.is_none() => return Ok(Stack::Root),
            "(idle)" => return Ok(Stack::Idle),
            _ => {}
        }
        let caller = match parent {
            Some(Stack::Known(node)) => Some(node),
            _ => None,
        };
        let frame = tables.frame(frame(&entry.call_frame))?;
        Ok(Stack::Known(tables.node(caller, frame)?))
    }
}

fn set(parents: &mut [Option<usize>], child: usize, parent: usize, id: u64) -> Result<(), RecordedError> {
    match parents.get_mut(child) {
        Some(place) if place.is_none() || *place == Some(parent) => {
            *place = Some(parent);
            Ok(())
        }
        _ => Err(bad("a node", id, "the child of one node only")),
    }
}

fn frame(call: &CallFrame) -> Frame {
    let own = call.function_name.starts_with('(') && call.url.is_empty();
    let name = if call.function_name.is_empty() { "(anonymous)" } else { &call.function_name };
    let mut frame = named(name.to_owned());
    frame.language = Language::JavaScript;
    frame.owner = if own || call.url.is_empty() { Owner::Runtime } else { Owner::Unknown };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
    let line = Some(call.line_number).filter(|line| (0.0..4e9).contains(line)).map(|line| line as u32 + 1);
    place::put(&mut frame, &call.url, line);
    frame.language = Language::JavaScript;
    frame
}

fn stack_of(tree: &Tree<'_>, stacks: &[Stack], sample: u64) -> Result<Stack, RecordedError> {
    let stack = tree.positions.get(&sample).and_then(|position| stacks.get(*position)).copied();
    stack.ok_or_else(|| bad("a sample", sample, "one of the nodes"))
}

fn timed(
    file: &File,
    tables: &mut Tables,
    tree: &Tree<'_>,
    stacks: &[Stack],
    samples: &[u64],
    deltas: &[f64],
) -> Result<(), RecordedError> {
    if samples.len() != deltas.len() {
        return Err(bad("the number of time deltas", deltas.len() as u64, "the number of samples"));
    }
    let mut at = 0.0;
    let mut moments = Vec::with_capacity(samples.len());
    for (sample, delta) in samples.iter().zip(deltas) {
        at += delta;
        moments.push((micros(at)?, stack_of(tree, stacks, *sample)?));
    }
    // V8 may take a sample late and write it after one that was taken later.
    moments.sort_by_key(|(at, _)| *at);
    let end = match (file.start_time, file.end_time) {
        (Some(start), Some(end)) => Some(micros(end - start)?),
        _ => None,
    };
    let last = moments.last().map_or(0, |(at, _)| *at);
    let ends = moments.iter().skip(1).map(|(at, _)| *at).chain([end.unwrap_or(last).max(last)]);
    let ends: Vec<u64> = ends.collect();
    let mut idle = 0_u64;
    for ((at, stack), end) in moments.into_iter().zip(ends) {
        match stack {
            Stack::Idle => idle = idle.saturating_add(end - at),
            stack => hit(tables, stack, at, end - at),
        }
    }
    tables.recording.wall = end.map(Nanos::from_nanos);
    if idle > 0 {
        let why = format!(
            "V8 was idle for {:.3} s; its waits are not in the file",
            Nanos::from_nanos(idle).as_secs_f64()
        );
        tables.recording.gaps.push(Gap::new("what the program waited for", why, None));
    }
    Ok(())
}

fn hit(tables: &mut Tables, stack: Stack, at: u64, weight: u64) {
    let node = match stack {
        Stack::Idle => return,
        Stack::Root => None,
        Stack::Known(node) => Some(node),
    };
    if weight > 0 {
        tables.hit(Nanos::from_nanos(at), 0, node, weight);
    }
}

fn micros(value: f64) -> Result<u64, RecordedError> {
    // The first samples may be some microseconds older than the start.
    let nanos = (value.max(0.0) * 1e3).round();
    if !(0.0..9e18).contains(&nanos) {
        let found = value.to_string();
        return Err(RecordedError::BadValue { format: NAME, place: "a time", found, wanted: "microseconds" });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
    Ok(nanos as u64)
}

fn bad(place: &'static str, found: u64, wanted: &'static str) -> RecordedError {
    RecordedError::BadValue { format: NAME, place, found: found.to_string(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: u64, name: &str, more: &str) -> String {
        format!(
            r#"{{"id": {id}, "callFrame": {{"functionName": "{name}", "url": "", "lineNumber": -1}}{more}}}"#
        )
    }

    fn file(nodes: &[String], more: &str) -> Result<Recording, RecordedError> {
        parse(format!(r#"{{"nodes": [{}]{more}}}"#, nodes.join(",")).as_bytes())
    }

    #[test]
    fn a_sample_lasts_until_the_next() {
        let nodes = [node(1, "(root)", r#", "children": [2, 3]"#), node(2, "f", ""), node(3, "(idle)", "")];
        let more = r#", "startTime": 100, "endTime": 200, "samples": [2, 3, 2], "timeDeltas": [10, 20, 30]"#;
        let recording = file(&nodes, more).unwrap();
        let hits: Vec<_> = recording.hits.iter().map(|hit| (hit.at.as_nanos(), hit.weight)).collect();
        assert_eq!(hits, [(10_000, 20_000), (60_000, 40_000)]);
        assert_eq!(recording.wall, Some(Nanos::from_nanos(100_000)));
        assert_eq!(recording.gaps.len(), 1);
    }

    #[test]
    fn a_file_without_samples_counts_hits() {
        let nodes = [node(1, "(root)", r#", "children": [2]"#), node(2, "f", r#", "hitCount": 7"#)];
        let recording = file(&nodes, "").unwrap();
        assert_eq!((recording.weight, recording.hits[0].weight), (Weight::Samples, 7));
    }

    #[test]
    fn circles_and_numbers_that_point_nowhere_are_errors() {
        let circle = [node(1, "a", r#", "children": [2]"#), node(2, "b", r#", "children": [1]"#)];
        let own = [node(1, "a", r#", "children": [1]"#)];
        let shared =
            [node(1, "a", r#", "children": [3]"#), node(2, "b", r#", "children": [3]"#), node(3, "c", "")];
        let lost = [node(1, "a", r#", "children": [9]"#)];
        let twice = [node(1, "a", ""), node(1, "b", "")];
        let samples = r#", "samples": [1], "timeDeltas": [1]"#;
        for nodes in [&circle[..], &own, &shared, &lost, &twice] {
            assert!(matches!(file(nodes, samples), Err(RecordedError::BadValue { .. })));
        }
        let sound = [node(1, "a", "")];
        for more in [r#", "samples": [2], "timeDeltas": [1]"#, r#", "samples": [1], "timeDeltas": []"#] {
            assert!(matches!(file(&sound, more), Err(RecordedError::BadValue { .. })), "{more}");
        }
    }
}
