//! A recording while it is being filled: every frame, stack and thread stands in its table once.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use model::recording::{
    Frame, Hit, Language, Module, Node, Owner, Process, Recording, Source, Thread, Weight,
};
use model::{Gap, Nanos};

use super::RecordedError;
use super::index::Index;
use super::merge::{self, Kept, Most};

/// Stands for "no caller" in the index of stacks; no table grows that far.
const OUTERMOST: u32 = u32::MAX;

/// What a recording keeps: many times what a page can show, and a few hundred megabytes on the way there.
pub(super) const MOST: Most = Most { stacks: 1 << 20, frames: 1 << 17 };
/// The same number of hits without a time, of which those of one thread and stack are one.
const MOST_HITS: usize = 1 << 21;
/// What stands for stacks of which not even the outermost frame was kept.
pub(super) const SMALL: &str = "(small stacks)";

pub(super) struct Tables {
    pub(super) recording: Recording,
    pub(super) most: Most,
    merged: Merged,
    format: &'static str,
    /// More stacks than this are no recording's: a small file may describe very many.
    most_nodes: usize,
    frames: Index,
    hasher: RandomState,
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
            most: MOST,
            merged: Merged::default(),
            frames: Index::new(),
            hasher: RandomState::new(),
            places: Index::new(),
            modules: HashMap::new(),
            nodes: Index::new(),
            processes: HashMap::new(),
            threads: HashMap::new(),
        }
    }

    pub(super) fn frame(&mut self, frame: Frame) -> Result<u32, RecordedError> {
        let (frames, hasher) = (&self.recording.frames, &self.hasher);
        let hash = hasher.hash_one(&frame);
        if let Some(position) = self.frames.find(hash, |at| frames.get(at as usize) == Some(&frame)) {
            return Ok(position);
        }
        let position = self.position(frames.len(), "frames")?;
        self.frames
            .add(hash, position, |_, old| frames.get(old as usize).map_or(0, |old| hasher.hash_one(old)));
        self.recording.frames.push(frame);
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
        let node = Node { parent, frame };
        let hash = hash_of_node(&self.nodes, node);
        let nodes = &self.recording.nodes;
        if let Some(position) = self.nodes.find(hash, |at| nodes.get(at as usize) == Some(&node)) {
            return Ok(position);
        }
        let position = self.position(nodes.len(), "stacks")?;
        if nodes.len() >= self.most_nodes {
            return Err(RecordedError::TooMany { format: self.format, what: "stacks" });
        }
        self.nodes.add(hash, position, |index, old| {
            nodes.get(old as usize).map_or(0, |old| hash_of_node(index, *old))
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
            out_of_sight: None,
            period: None,
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

    /// Whether so much has come together that it is time to merge. `frames` is how many frames there are.
    pub(super) fn is_swollen(&self, frames: usize) -> bool {
        // Twice what is kept: each merge costs a walk over all.
        self.recording.nodes.len() > 2 * self.most.stacks
            || frames > 2 * self.most.frames
            || self.recording.hits.len() > 2 * self.merged.hits.max(MOST_HITS)
    }

    /// Whether there are more stacks or frames than a recording keeps.
    pub(super) fn is_too_large(&self, frames: usize) -> bool {
        self.recording.nodes.len() > self.most.stacks || frames > self.most.frames
    }

    /// Counts the smallest stacks as their callers until the rest fits. Gives the frames that are left, by the numbers
    /// they had: they are numbered anew in this order, and `small` gives the number of [`SMALL`] after them.
    pub(super) fn merge(
        &mut self,
        small: impl FnOnce(&[u32]) -> Result<u32, RecordedError>,
    ) -> Result<(), RecordedError> {
        let recording = &mut self.recording;
        let mut own = vec![0_u64; recording.nodes.len()];
        for hit in &recording.hits {
            if let Some(own) = hit.stack.and_then(|stack| own.get_mut(stack as usize)) {
                *own = own.saturating_add(hit.weight);
            }
        }
        let Kept { places, frames } = merge::keep(&mut recording.nodes, &own, self.most);
        self.nodes = Index::new();
        for (position, node) in (0_u32..).zip(&recording.nodes) {
            let nodes = &recording.nodes;
            let hash = hash_of_node(&self.nodes, *node);
            self.nodes.add(hash, position, |index, old| {
                nodes.get(old as usize).map_or(0, |old| hash_of_node(index, *old))
            });
        }
        let small = small(&frames)?;
        let lost = (0_u32..)
            .zip(&places)
            .any(|(at, place)| place.is_none() && own.get(at as usize).is_some_and(|weight| *weight > 0));
        let small = if lost { Some(self.node(None, small)?) } else { None };
        self.merged.count(&own, &places, small, self.recording.nodes.len());
        let timed = self.recording.hits.iter().any(|hit| hit.at > Nanos::ZERO);
        for hit in &mut self.recording.hits {
            if let Some(stack) = hit.stack {
                hit.stack = places.get(stack as usize).copied().flatten().or(small);
            }
        }
        if !timed {
            add_up(&mut self.recording.hits);
        }
        self.merged.hits = self.recording.hits.len();
        Ok(())
    }

    /// Counts in a unit that is ten times as fine. `None` where that does not fit.
    pub(super) fn refine(&mut self) -> Option<()> {
        let hits = self.recording.hits.iter_mut().map(|hit| &mut hit.weight);
        let merged = self.merged.inside.iter_mut().chain([&mut self.merged.weight]);
        for weight in hits.chain(merged) {
            *weight = weight.checked_mul(10)?;
        }
        Some(())
    }

    /// The recording; an error when nothing was hit.
    pub(super) fn finish(mut self, remedy: &'static str) -> Result<Recording, RecordedError> {
        if self.recording.hits.is_empty() {
            return Err(RecordedError::NoSamples { format: self.format, remedy });
        }
        if self.is_too_large(self.recording.frames.len()) {
            let mut frames = std::mem::take(&mut self.recording.frames);
            self.merge(|kept| {
                let mut place = 0_u32;
                frames.retain(|_| {
                    place += 1;
                    kept.binary_search(&(place - 1)).is_ok()
                });
                frames.push(named(SMALL.to_owned()));
                Ok(u32::try_from(kept.len()).unwrap_or(OUTERMOST))
            })?;
            self.recording.frames = frames;
        }
        if let Some(gap) = self.merged.gap(self.most, &self.recording.hits) {
            self.recording.gaps.push(gap);
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

    pub(super) fn position(&self, length: usize, what: &'static str) -> Result<u32, RecordedError> {
        let position = u32::try_from(length).ok().filter(|position| *position < OUTERMOST);
        position.ok_or(RecordedError::TooMany { format: self.format, what })
    }
}

/// What was counted as its callers.
#[derive(Default)]
struct Merged {
    stacks: u64,
    weight: u64,
    /// By stack, the weight that came from others: it is counted once, wherever it goes on to.
    inside: Vec<u64>,
    /// How many hits the last merge left.
    hits: usize,
}

impl Merged {
    fn count(&mut self, own: &[u64], places: &[Option<u32>], small: Option<u32>, nodes: usize) {
        let before = std::mem::replace(&mut self.inside, vec![0; nodes]);
        let mut taken = vec![false; nodes];
        for (at, (own, place)) in own.iter().zip(places).enumerate() {
            let inside = before.get(at).copied().unwrap_or(0);
            // The first stack that goes to a place is the one that stays there: callers come first.
            let stays = place.and_then(|place| taken.get_mut(place as usize));
            let moved = stays.is_none_or(|taken| std::mem::replace(taken, true));
            let new = if moved { own.saturating_sub(inside) } else { 0 };
            self.stacks += u64::from(new > 0);
            self.weight = self.weight.saturating_add(new);
            let place = place.or(small).and_then(|place| self.inside.get_mut(place as usize));
            if let Some(place) = place {
                *place = place.saturating_add(if moved { *own } else { inside });
            }
        }
    }

    fn gap(&self, most: Most, hits: &[Hit]) -> Option<Gap> {
        let all = hits.iter().fold(0_u64, |sum, hit| sum.saturating_add(hit.weight));
        #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
        let share = self.weight as f64 / all.max(1) as f64 * 100.0;
        let why = format!(
            "{} of the smallest stacks, which hold {share:.1} % of the weight, count as their callers: {} stacks and {} \
             different frames are kept",
            self.stacks, most.stacks, most.frames,
        );
        let remedy = "import a part of the file, or record at a lower rate";
        (self.stacks > 0).then(|| Gap::new("small stacks", why, Some(remedy)))
    }
}

/// Makes hits of one thread and stack one.
fn add_up(hits: &mut Vec<Hit>) {
    hits.sort_by_key(|hit| (hit.thread, hit.stack));
    hits.dedup_by(|next, hit| {
        let same = (next.thread, next.stack) == (hit.thread, hit.stack);
        if same {
            hit.weight = hit.weight.saturating_add(next.weight);
        }
        same
    });
    hits.shrink_to_fit();
}

fn hash_of_node(index: &Index, node: Node) -> u64 {
    index.hash_pair(node.parent.unwrap_or(OUTERMOST), node.frame)
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
        is_start: false,
        inlined: false,
        owner: Owner::Unknown,
    }
}
