//! A recording of the past whose frames are only places: names for them, from the files of this machine.
//!
//! A place that cannot be named stays as it is, and a gap tells why. One place may become several frames, where the
//! compiler expanded functions into their callers, so stacks are built anew.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::SystemTime;

use model::Gap;
use model::recording::{Frame, Language, Owner, Recording, StackIndex};

use crate::boot::{self, RecordedKernel};
use crate::files::{Absence, Files};
use crate::kernel::Kallsyms;
use crate::name::{self, hexadecimal};
use crate::owner::{self, Place, Project};
use crate::perf_map::PerfMaps;
use crate::raw::Raw;
use crate::tree::Tree;

/// So many modules are listed by name when theirs are missing.
const LISTED: usize = 5;

/// Where names may come from.
#[derive(Debug)]
pub struct Sources<'a> {
    /// Made by [`Files::of_recording`].
    pub files: Files,
    pub project: &'a Project,
    pub kernel: RecordedKernel,
    /// When the recording began, or before: maps of generated code that are older are not of its processes. `None`: no
    /// map is believed.
    pub begun: Option<SystemTime>,
}

/// Names what has no name: places in files (module and offset in the file), in the kernel, and in generated code
/// (addresses without a module), which the maps of the hits' processes name.
pub fn name_recording(recording: &mut Recording, sources: Sources<'_>) {
    let Sources { mut files, project, kernel, begun } = sources;
    if recording.frames.iter().all(|frame| frame.function.is_some() || frame.offset.is_none()) {
        return;
    }
    let mut tree = Tree::new();
    let kernel = kernel_names(recording, kernel);
    let places = places(recording, &mut files, project, kernel.is_some(), &mut tree);
    let maps = perf_maps(recording, &places, begun);
    let mut stacks = Stacks::new(recording, &places, tree);
    let hits: Vec<_> = recording.hits.iter().map(|hit| stacks.of(hit.stack, hit.thread)).collect();
    let waits: Vec<_> = recording.waits.iter().map(|wait| stacks.of(wait.stack, wait.thread)).collect();
    let tree = stacks.tree;
    if tree.shortened() > 0 {
        let why = format!("there are more different stacks than fit; {} lost inner frames", tree.shortened());
        recording.gaps.push(Gap::new("whole stacks", why, Some("record for a shorter time")));
    }
    let modules = std::mem::take(&mut recording.modules);
    let dumps = begun.map(|begun| files.dumps(begun)).unwrap_or_default();
    let resolved = name::resolve_onto(modules, kernel, dumps, &tree, (&files, &maps, project));
    let became = |stack: Option<u32>| stack.and_then(|at| resolved.stack_of.get(at as usize).copied());
    for (hit, stack) in recording.hits.iter_mut().zip(hits) {
        hit.stack = became(stack);
    }
    for (wait, stack) in recording.waits.iter_mut().zip(waits) {
        wait.stack = became(stack);
    }
    recording.modules = resolved.modules;
    recording.frames = resolved.frames;
    recording.nodes = resolved.nodes;
    recording.gaps.extend(nameless_hits(recording));
}

/// What a frame of the recording becomes before it is named.
#[derive(Clone, Copy)]
enum Origin {
    /// The same in every process.
    Shared(Raw),
    /// Code without a file, at this address of its process.
    Generated(u64),
}

/// The kernel's functions, if the recording has any and they are those of the kernel that runs here.
fn kernel_names(recording: &mut Recording, mut kernel: RecordedKernel) -> Option<Kallsyms> {
    let is_needed = |frame: &Frame| frame.language == Language::Kernel && frame.function.is_none();
    let frame = recording.frames.iter().find(|frame| is_needed(frame))?;
    let module = frame.module.and_then(|at| recording.modules.get(at as usize));
    kernel.build_id = kernel.build_id.or_else(|| module?.build_id.clone());
    match boot::names(&kernel) {
        Ok(names) => Some(names),
        Err(why) => {
            let next = "import it on the machine that recorded it, as root, before that is started again";
            recording.gaps.push(Gap::new("names of the kernel's functions", why, Some(next)));
            None
        }
    }
}

/// Where each frame lies. Modules that are here get their build-id; of the others a gap tells.
fn places(
    recording: &mut Recording,
    files: &mut Files,
    project: &Project,
    kernel: bool,
    tree: &mut Tree,
) -> Vec<Origin> {
    let mut absent: BTreeMap<Absence, Vec<u32>> = BTreeMap::new();
    let mut found = HashMap::new();
    let mut places = Vec::with_capacity(recording.frames.len());
    for frame in &recording.frames {
        let place = match (frame.offset.filter(|_| frame.function.is_none()), frame.module) {
            (None, _) => None,
            (Some(address), _) if frame.language == Language::Kernel => {
                kernel.then_some(Origin::Shared(Raw::Kernel { address }))
            }
            (Some(address), None) => Some(Origin::Generated(address)),
            (Some(offset), Some(at)) => {
                let module = *found.entry(at).or_insert_with(|| {
                    let module = recording.modules.get(at as usize)?;
                    let build_id = module.build_id.as_deref().and_then(bytes);
                    let known = files.recorded(module.path.as_bytes(), build_id.as_deref());
                    if let Err(absence) = known {
                        absent.entry(absence).or_default().push(at);
                    }
                    known.ok()
                });
                let address = module.and_then(|id| files.module(id)?.address_of(offset));
                module.zip(address).map(|(module, address)| Origin::Shared(Raw::Native { module, address }))
            }
        };
        places.push(place.unwrap_or_else(|| {
            let owner = left_owner(frame, recording, project);
            Origin::Shared(Raw::Named(tree.name_frame(Frame { owner, ..frame.clone() })))
        }));
    }
    recording.gaps.extend(nameless_modules(recording, &absent));
    for (at, id) in found {
        let build_id = id.and_then(|id| files.module(id)?.build_id()).map(hexadecimal);
        if let (Some(module), Some(build_id)) = (recording.modules.get_mut(at as usize), build_id) {
            module.build_id = Some(build_id);
        }
    }
    places
}

/// Whose code a place without a name is. A program that is not here cannot be told from a library.
fn left_owner(frame: &Frame, recording: &Recording, project: &Project) -> Owner {
    let module = frame.module.and_then(|at| recording.modules.get(at as usize)).map(|module| &*module.path);
    let (Owner::Unknown, Some(path)) = (frame.owner, module) else { return frame.owner };
    match project.owner(Place { file: None, module: Some(path), role: None }) {
        Owner::Library if !owner::is_system(Path::new(path)) => Owner::Unknown,
        owner => owner,
    }
}

fn bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hexadecimal.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

fn nameless_modules(recording: &Recording, absent: &BTreeMap<Absence, Vec<u32>>) -> Option<Gap> {
    let mut listed = Vec::new();
    for (absence, modules) in absent {
        let why = match absence {
            Absence::NotHere => "is not on this machine",
            Absence::OtherBuild => "is another build here",
            Absence::Changed => "has changed since, and its build-id was not recorded",
            Absence::Doubtful => "may be another build here: its build-id was not recorded",
            Absence::NotCode => "is no program or library of this machine's kind",
        };
        let paths = modules.iter().filter_map(|at| Some(&recording.modules.get(*at as usize)?.path));
        // `[uprobes]`, `[vsyscall]`: never files, so nobody misses their names.
        let real = paths.filter(|path| !path.starts_with('[') || *absence != Absence::NotHere);
        listed.extend(real.map(|path| format!("`{path}` {why}")));
    }
    let more = listed.len().saturating_sub(LISTED);
    listed.truncate(LISTED);
    if more > 0 {
        listed.push(format!("and {more} more"));
    }
    let next = "import it on the machine that recorded it, before its programs are built anew";
    (!listed.is_empty()).then(|| Gap::new("names of functions", listed.join("; "), Some(next)))
}

/// Says how much of the time went to generated code that no map names. Addresses further out are not counted: without
/// tables, what looks like a caller may be any word of the stack.
fn nameless_hits(recording: &Recording) -> Option<Gap> {
    let innermost = recording.hits.iter().filter_map(|hit| recording.frames_of(hit.stack?).next());
    let nameless = innermost.filter(|frame| {
        frame.function.is_none() && frame.module.is_none() && frame.language != Language::Kernel
    });
    let (count, all) = (nameless.count(), recording.hits.len());
    let why = format!(
        "{count} of {all} hits lie in code without a file, and no map or dump of it as new as the recording names it"
    );
    let next = "let the runtime write its map (`node --perf-basic-prof`), and import before it is removed";
    (count > 0).then(|| Gap::new("names of generated code", why, Some(next)))
}

/// The maps of the processes that ran generated code.
fn perf_maps(recording: &Recording, places: &[Origin], begun: Option<SystemTime>) -> PerfMaps {
    let mut maps = PerfMaps::default();
    let Some(begun) = begun.filter(|_| places.iter().any(|place| matches!(place, Origin::Generated(_))))
    else {
        return maps;
    };
    for process in &recording.processes {
        maps.read_recorded(process.pid, begun);
    }
    maps
}

/// Stacks of the recording while they become stacks of a tree.
struct Stacks<'a> {
    recording: &'a Recording,
    places: &'a [Origin],
    tree: Tree,
    /// Stacks that are the same in every process.
    shared: Vec<Option<StackIndex>>,
    /// Stacks with generated code, by process.
    own: HashMap<(u32, StackIndex), StackIndex>,
    /// Which stacks have generated code.
    is_own: Vec<bool>,
}

impl<'a> Stacks<'a> {
    fn new(recording: &'a Recording, places: &'a [Origin], tree: Tree) -> Self {
        let mut is_own: Vec<bool> = Vec::with_capacity(recording.nodes.len());
        for node in &recording.nodes {
            let generated = matches!(places.get(node.frame as usize), Some(Origin::Generated(_)));
            let below = node.parent.and_then(|parent| is_own.get(parent as usize)).copied();
            is_own.push(generated || below == Some(true));
        }
        let shared = vec![None; recording.nodes.len()];
        Self { recording, places, tree, shared, own: HashMap::new(), is_own }
    }

    /// The stack of the tree that a thread's stack became.
    fn of(&mut self, stack: Option<StackIndex>, thread: u32) -> Option<StackIndex> {
        let thread = self.recording.threads.get(thread as usize);
        let process = thread.and_then(|thread| self.recording.processes.get(thread.process as usize));
        let pid = process.map_or(0, |process| process.pid);
        let mut inner = Vec::new();
        let mut next = stack;
        let mut became = None;
        while let Some(at) = next {
            became = self.known(pid, at);
            if became.is_some() {
                break;
            }
            inner.push(at);
            let parent = self.recording.nodes.get(at as usize).and_then(|node| node.parent);
            next = parent.filter(|parent| *parent < at);
        }
        for at in inner.into_iter().rev() {
            became = self.grown(became, pid, at);
        }
        became
    }

    fn known(&self, pid: u32, stack: StackIndex) -> Option<StackIndex> {
        match self.is_own.get(stack as usize)? {
            true => self.own.get(&(pid, stack)).copied(),
            false => self.shared.get(stack as usize).copied().flatten(),
        }
    }

    /// Adds the innermost frame of a stack whose callers became `below`.
    fn grown(&mut self, below: Option<u32>, pid: u32, stack: StackIndex) -> Option<StackIndex> {
        let node = self.recording.nodes.get(stack as usize)?;
        let raw = match *self.places.get(node.frame as usize)? {
            Origin::Shared(raw) => raw,
            Origin::Generated(address) => Raw::Anonymous { pid, address },
        };
        let became = self.tree.child(below, raw)?;
        if *self.is_own.get(stack as usize)? {
            self.own.insert((pid, stack), became);
        } else if let Some(slot) = self.shared.get_mut(stack as usize) {
            *slot = Some(became);
        }
        Some(became)
    }
}
