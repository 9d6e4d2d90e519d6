//! The trail as a tree: the program, the user's functions, below them what they wait for, and below a wait the process
//! that was waited for, with its own functions.

use std::collections::{BTreeMap, HashMap};

use model::calls::Calls;
use model::performance_map::StepType;
use model::recording::{Frame, Language, Owner, Recording};

use crate::profile::trail::{Behalf, Piece, Trail};
use crate::profile::{is_system_library, name_without_symbols};

use super::kinds::{Peers, Waited, process_name, waited};

/// What the wait for a CPU is called.
pub(super) const QUEUE: &str = "waiting for a CPU";

/// Function and file.
pub(super) type Named = (String, Option<String>);

/// What tells one child from another; positions in the tree's own tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Program,
    Function(u32),
    /// Position in the recording's processes.
    Process(u32),
    Wait(u32),
    Queue,
    Kernel,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) key: Key,
    pub(super) children: BTreeMap<Key, usize>,
    /// Of wall time, with all below.
    pub(super) share: f64,
    pub(super) kinds: BTreeMap<StepType, f64>,
    pub(super) lines: BTreeMap<u32, f64>,
}

impl Node {
    fn new(key: Key) -> Self {
        Self { key, children: BTreeMap::new(), share: 0.0, kinds: BTreeMap::new(), lines: BTreeMap::new() }
    }
}

pub(super) struct Tree<'a> {
    pub(super) recording: &'a Recording,
    /// The first is the program.
    pub(super) nodes: Vec<Node>,
    pub(super) functions: Vec<Named>,
    /// For each function whether it is the user's own.
    pub(super) own: Vec<bool>,
    pub(super) waits: Vec<Waited>,
}

/// A function on the way down, and the line it is left at.
type Hop = (u32, Option<u32>);

pub(super) fn tree<'a>(recording: &'a Recording, trail: &Trail, calls: Option<&Calls>) -> Tree<'a> {
    let mut builder = Builder::new(recording, calls);
    for piece in &trail.pieces {
        builder.add(trail, piece);
    }
    builder.leaf(Key::Queue, StepType::External, trail.queued);
    builder.leaf(Key::Kernel, StepType::Cpu, trail.unplaced);
    let mut tree = builder.tree;
    if let Some(program) = tree.nodes.first_mut() {
        // What nobody could place is the program's own time.
        program.share = program.share.max(1.0);
    }
    tree
}

struct Builder<'a> {
    tree: Tree<'a>,
    peers: Peers,
    of_frame: Vec<u32>,
    known_waits: BTreeMap<Waited, u32>,
    of_call: HashMap<(u32, Option<u32>), u32>,
}

impl<'a> Builder<'a> {
    fn new(recording: &'a Recording, calls: Option<&Calls>) -> Self {
        let mut known: HashMap<Named, u32> = HashMap::new();
        let mut functions: Vec<Named> = Vec::new();
        let of_frame = recording.frames.iter().map(|frame| {
            let named = (name_of(recording, frame), frame.file.clone());
            let next = u32::try_from(functions.len()).unwrap_or(u32::MAX);
            *known.entry(named).or_insert_with_key(|named| {
                functions.push(named.clone());
                next
            })
        });
        let of_frame: Vec<u32> = of_frame.collect();
        let mut own = vec![false; functions.len()];
        for (frame, function) in recording.frames.iter().zip(&of_frame) {
            if let Some(own) = own.get_mut(*function as usize) {
                *own |= frame.owner == Owner::Project;
            }
        }
        let tree =
            Tree { recording, nodes: vec![Node::new(Key::Program)], functions, own, waits: Vec::new() };
        Self {
            tree,
            peers: Peers::of(recording, calls),
            of_frame,
            known_waits: BTreeMap::new(),
            of_call: HashMap::new(),
        }
    }

    fn add(&mut self, trail: &Trail, piece: &Piece) {
        let mut way: Vec<(Key, Option<u32>)> = Vec::new();
        let mut process = 0;
        for behalf in chain(trail, piece.behalf) {
            self.pass(&mut way, &mut process, (behalf.process, behalf.stack), false);
        }
        self.pass(&mut way, &mut process, (piece.process, piece.stack), true);
        let mut kind = StepType::Cpu;
        if let Some(charge) = piece.charge {
            let wait = self.wait(charge, piece.call);
            kind = self.tree.waits.get(wait as usize).map_or(kind, |wait| wait.kind);
            way.push((Key::Wait(wait), None));
        }
        self.charge(&way, kind, piece.share);
    }

    /// Adds the functions of one stack to the way, below the process they run in where that is another one. What a
    /// library does is told where the time is spent, not on the way to somebody who spends it.
    fn pass(
        &self,
        way: &mut Vec<(Key, Option<u32>)>,
        at: &mut u32,
        (process, stack): (u32, Option<u32>),
        spends: bool,
    ) {
        if process != *at {
            *at = process;
            way.push((Key::Process(process), None));
        }
        let start = way.len();
        for (function, line) in stack.map(|stack| self.hops(stack, spends)).unwrap_or_default() {
            let key = Key::Function(function);
            // Recursion is one step: back to where it began.
            match way.iter().skip(start).position(|(known, _)| *known == key) {
                Some(before) => way.truncate(start + before + 1),
                None => way.push((key, line)),
            }
        }
    }

    /// The user's functions of a stack, outermost first, and the one that they call into; without any, the innermost
    /// function that is not the system's.
    fn hops(&self, stack: u32, spends: bool) -> Vec<Hop> {
        let recording = self.tree.recording;
        let nodes: Vec<(u32, &Frame)> = recording
            .path_of(stack)
            .filter_map(|node| Some((node.frame, recording.frames.get(node.frame as usize)?)))
            .collect();
        let hop = |(index, frame): &(u32, &Frame)| -> Option<Hop> {
            Some((*self.of_frame.get(*index as usize)?, frame.line))
        };
        let own = |(_, frame): &&(u32, &Frame)| frame.owner == Owner::Project && !is_beginning(frame);
        let mut hops: Vec<Hop> = nodes.iter().rev().filter(own).filter_map(hop).collect();
        let callee = match nodes.iter().position(|frame| own(&frame)) {
            Some(innermost) => nodes.iter().take(innermost).rev().find(|frame| self.is_telling(frame.1)),
            None => nodes.iter().find(|frame| self.is_telling(frame.1)),
        };
        if spends || hops.is_empty() {
            hops.extend(callee.and_then(hop));
        }
        hops
    }

    /// A library's function that somebody chose to call.
    fn is_telling(&self, frame: &Frame) -> bool {
        let module = frame.module.and_then(|module| self.tree.recording.modules.get(module as usize));
        let system = module.is_some_and(|module| is_system_library(&module.path));
        frame.owner == Owner::Library
            && frame.language != Language::Kernel
            && !system
            && frame.function.is_some()
    }

    fn wait(&mut self, charge: model::leaf::Charge, call: Option<u32>) -> u32 {
        if let Some(known) = self.of_call.get(&(charge as u32, call)) {
            return *known;
        }
        let waited = waited(self.tree.recording, &self.peers, charge, call);
        let next = u32::try_from(self.tree.waits.len()).unwrap_or(u32::MAX);
        let waits = &mut self.tree.waits;
        let wait = *self.known_waits.entry(waited).or_insert_with_key(|waited| {
            waits.push(waited.clone());
            next
        });
        self.of_call.insert((charge as u32, call), wait);
        wait
    }

    fn charge(&mut self, way: &[(Key, Option<u32>)], kind: StepType, share: f64) {
        let mut at = 0;
        self.note(at, None, kind, share);
        for (key, line) in way {
            at = self.child(at, *key);
            self.note(at, *line, kind, share);
        }
    }

    fn note(&mut self, at: usize, line: Option<u32>, kind: StepType, share: f64) {
        if let Some(node) = self.tree.nodes.get_mut(at) {
            node.share += share;
            *node.kinds.entry(kind).or_insert(0.0) += share;
            if let Some(line) = line {
                *node.lines.entry(line).or_insert(0.0) += share;
            }
        }
    }

    fn child(&mut self, at: usize, key: Key) -> usize {
        let next = self.tree.nodes.len();
        let Some(node) = self.tree.nodes.get_mut(at) else { return at };
        let child = *node.children.entry(key).or_insert(next);
        if child == next {
            self.tree.nodes.push(Node::new(key));
        }
        child
    }

    fn leaf(&mut self, key: Key, kind: StepType, share: f64) {
        if share > 0.0 {
            self.charge(&[(key, None)], kind, share);
        }
    }
}

/// From the program's own wait down to the one that is explained.
fn chain(trail: &Trail, behalf: u32) -> Vec<Behalf> {
    let mut next = trail.behalves.get(behalf as usize).copied();
    let chain = std::iter::from_fn(|| {
        let behalf = next?;
        // The first has no outer one and is the program itself, which is no wait.
        let outer = behalf.outer?;
        next = trail.behalves.get(outer as usize).copied();
        Some(behalf)
    });
    let mut chain: Vec<Behalf> = chain.take(trail.behalves.len()).collect();
    chain.reverse();
    chain
}

/// Code that compilers put before `main`.
fn is_beginning(frame: &Frame) -> bool {
    matches!(frame.function.as_deref(), Some("_start" | "__libc_start_main" | "__libc_start_main_impl"))
}

fn name_of(recording: &Recording, frame: &Frame) -> String {
    if let Some(function) = &frame.function {
        return function.clone();
    }
    let module = frame.module.and_then(|module| recording.modules.get(module as usize));
    module.map_or_else(|| "(unknown)".to_owned(), |module| name_without_symbols(frame, &module.path))
}

impl Tree<'_> {
    /// What a node is called.
    pub(super) fn function(&self, key: Key) -> String {
        match key {
            Key::Program => process_name(self.recording, 0).unwrap_or_else(|| "the program".to_owned()),
            Key::Function(function) => {
                self.functions.get(function as usize).map_or_else(String::new, |named| named.0.clone())
            }
            Key::Process(process) => {
                process_name(self.recording, process).unwrap_or_else(|| "another process".to_owned())
            }
            Key::Wait(wait) => {
                self.waits.get(wait as usize).map_or_else(String::new, |wait| wait.function.clone())
            }
            Key::Queue => QUEUE.to_owned(),
            Key::Kernel => "computing in the kernel, place not seen".to_owned(),
        }
    }
}
