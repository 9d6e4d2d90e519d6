//! A recording while it is being filled: every frame, stack and thread stands in its table once.

use std::collections::HashMap;

use model::Nanos;
use model::recording::{
    Frame, Hit, Language, Module, Node, Owner, Process, Recording, Source, Thread, Weight,
};

use super::RecordedError;
use super::index::Index;

/// Stands for "no caller" in the index of stacks; no table grows that far.
const OUTERMOST: u32 = u32::MAX;

pub(super) struct Tables {
    pub(super) recording: Recording,
    format: &'static str,
    /// More stacks than this are no recording's: a small file may describe very many.
    most_nodes: usize,
    frames: HashMap<Frame, u32>,
    places: Index,
    modules: HashMap<(String, Option<String>), u32>,
    nodes: Index,
    processes: HashMap<u32, u32>,
    threads: HashMap<(u32, u32), u32>,
}

impl Tables {
    /// `size` is the length of the file: every stack takes a byte of it at least.
    pub(super) fn new(format: &'static str, weight: Weight, size: usize) -> Self {
        Self {
            most_nodes: size.max(1 << 20),
            recording: Recording::new(Source::Import(format.to_owned()), weight),
            format,
            frames: HashMap::new(),
            places: Index::new(),
            modules: HashMap::new(),
            nodes: Index::new(),
            processes: HashMap::new(),
            threads: HashMap::new(),
        }
    }

    pub(super) fn frame(&mut self, frame: Frame) -> Result<u32, RecordedError> {
        if let Some(position) = self.frames.get(&frame) {
            return Ok(*position);
        }
        let position = self.position(self.recording.frames.len(), "frames")?;
        self.recording.frames.push(frame.clone());
        self.frames.insert(frame, position);
        Ok(position)
    }

    /// The frame of a place that has no name. Only its module and offset tell it from others, which is quicker.
    pub(super) fn place(&mut self, frame: Frame) -> Result<u32, RecordedError> {
        let hash = hash_of(&self.places, &frame);
        let frames = &self.recording.frames;
        if let Some(position) = self.places.find(hash, |at| frames.get(at as usize) == Some(&frame)) {
            return Ok(position);
        }
        let position = self.position(frames.len(), "frames")?;
        self.places
            .add(hash, position, |index, old| frames.get(old as usize).map_or(0, |old| hash_of(index, old)));
        self.recording.frames.push(frame);
        Ok(position)
    }

    pub(super) fn module(&mut self, path: &str, build_id: Option<String>) -> Result<u32, RecordedError> {
        let key = (path.to_owned(), build_id);
        if let Some(position) = self.modules.get(&key) {
            return Ok(*position);
        }
        let position = self.position(self.recording.modules.len(), "modules")?;
        self.recording.modules.push(Module { path: key.0.clone(), build_id: key.1.clone() });
        self.modules.insert(key, position);
        Ok(position)
    }

    /// The stack of a frame called from another stack.
    pub(super) fn node(&mut self, parent: Option<u32>, frame: u32) -> Result<u32, RecordedError> {
        let hash = self.nodes.hash_pair(parent.unwrap_or(OUTERMOST), frame);
        let node = Node { parent, frame };
        let nodes = &self.recording.nodes;
        if let Some(position) = self.nodes.find(hash, |at| nodes.get(at as usize) == Some(&node)) {
            return Ok(position);
        }
        let position = self.position(nodes.len(), "stacks")?;
        if nodes.len() >= self.most_nodes {
            return Err(RecordedError::TooMany { format: self.format, what: "stacks" });
        }
        self.nodes.add(hash, position, |index, old| {
            nodes
                .get(old as usize)
                .map_or(0, |old| index.hash_pair(old.parent.unwrap_or(OUTERMOST), old.frame))
        });
        self.recording.nodes.push(node);
        Ok(position)
    }

    /// The stack of these frames. `None` when there are none.
    pub(super) fn stack(
        &mut self,
        outermost_first: impl Iterator<Item = u32>,
    ) -> Result<Option<u32>, RecordedError> {
        let mut stack = None;
        for frame in outermost_first {
            stack = Some(self.node(stack, frame)?);
        }
        Ok(stack)
    }

    pub(super) fn process(&mut self, pid: u32, from: Nanos) -> Result<u32, RecordedError> {
        if let Some(position) = self.processes.get(&pid) {
            return Ok(*position);
        }
        let position = self.position(self.recording.processes.len(), "processes")?;
        self.recording.processes.push(Process {
            pid,
            parent: None,
            name: String::new(),
            program: None,
            argv: Vec::new(),
            from,
            to: None,
            runtime: None,
            shows_collector: false,
            loaded: None,
        });
        self.processes.insert(pid, position);
        Ok(position)
    }

    pub(super) fn thread(&mut self, pid: u32, tid: u32, from: Nanos) -> Result<u32, RecordedError> {
        if let Some(position) = self.threads.get(&(pid, tid)) {
            return Ok(*position);
        }
        let process = self.process(pid, from)?;
        let position = self.position(self.recording.threads.len(), "threads")?;
        self.recording.threads.push(Thread {
            tid,
            process,
            name: String::new(),
            from,
            to: None,
            on_cpu: None,
            scheduler_on_cpu: None,
            queued: None,
            user: None,
            system: None,
            interpreter_lock: None,
        });
        self.threads.insert((pid, tid), position);
        Ok(position)
    }

    /// Names a thread, and its process where it is the first one or nothing else does.
    pub(super) fn name(&mut self, thread: u32, name: &[u8]) {
        let Some(thread) = self.recording.threads.get_mut(thread as usize) else { return };
        if thread.name.as_bytes() == name {
            return;
        }
        thread.name = String::from_utf8_lossy(name).into_owned();
        let process = self.recording.processes.get_mut(thread.process as usize);
        if let Some(process) = process
            && (process.name.is_empty() || process.pid == thread.tid)
        {
            process.name.clone_from(&thread.name);
        }
    }

    pub(super) fn hit(&mut self, at: Nanos, thread: u32, stack: Option<u32>, weight: u64) {
        self.recording.hits.push(Hit { at, thread, stack, weight });
    }

    /// The recording; an error when nothing was hit.
    pub(super) fn finish(mut self, remedy: &'static str) -> Result<Recording, RecordedError> {
        if self.recording.hits.is_empty() {
            return Err(RecordedError::NoSamples { format: self.format, remedy });
        }
        let hits = &mut self.recording.hits;
        if !hits.is_sorted_by_key(|hit| hit.at) {
            hits.sort_by_key(|hit| hit.at);
        }
        if self.recording.weight == Weight::CpuTime
            && let Some(first) = hits.first().map(|hit| hit.weight)
            && hits.iter().all(|hit| hit.weight == first)
        {
            self.recording.period = Some(Nanos::from_nanos(first));
        }
        self.recording.losses.stacks = hits.iter().filter(|hit| hit.stack.is_some()).count() as u64;
        Ok(self.recording)
    }

    fn position(&self, length: usize, what: &'static str) -> Result<u32, RecordedError> {
        let position = u32::try_from(length).ok().filter(|position| *position < OUTERMOST);
        position.ok_or(RecordedError::TooMany { format: self.format, what })
    }
}

fn hash_of(index: &Index, place: &Frame) -> u64 {
    index.hash_words([u64::from(place.module.unwrap_or(OUTERMOST)), place.offset.unwrap_or(0)])
}

/// A frame of which only the name is known.
pub(super) fn named(function: String) -> Frame {
    Frame {
        language: Language::Unknown,
        function: Some(function),
        file: None,
        line: None,
        module: None,
        offset: None,
        inlined: false,
        owner: Owner::Unknown,
    }
}
