//! After the run: every raw frame gets its names, and the tree becomes the tables of a recording.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::time::UNIX_EPOCH;

use model::recording::{Frame, Language, Module, Node, Owner};

use crate::files::Files;
use crate::generated::{self, Generated};
use crate::hash::Quick;
use crate::kept::Kept;
use crate::kernel::Kallsyms;
use crate::owner::{Place, Project, is_linked_in};
use crate::perf_map::{PerfMap, PerfMaps};
use crate::raw::{ModuleId, Raw};
use crate::starts::Starts;
use crate::symbols::{self, Symbol};
use crate::tree::Tree;

const KERNEL: &str = "[kernel]";

/// The tables of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    pub modules: Vec<Module>,
    pub frames: Vec<Frame>,
    pub nodes: Vec<Node>,
    /// For each node of the raw tree the stack it became: a position in `nodes`.
    pub stack_of: Vec<u32>,
}

/// Names all frames of a tree. Modules, symbols of the kernel and debug information are read once, and only those that
/// are needed.
#[must_use]
pub fn resolve(tree: &Tree, files: &Files, maps: &PerfMaps, project: &Project) -> Resolved {
    let mut naming = Naming::new(files, maps, project);
    naming.dumps = files.dumps(UNIX_EPOCH);
    naming.chains(tree).tables(tree)
}

/// As [`resolve`], where frames of the tree that have their names already point into a table of modules, and with the
/// kernel's names at hand.
pub(crate) fn resolve_onto(
    modules: Vec<Module>,
    kernel: Option<Kallsyms>,
    dumps: HashMap<u32, PerfMap>,
    tree: &Tree,
    (files, maps, project): (&Files, &PerfMaps, &Project),
) -> Resolved {
    let mut naming = Naming::new(files, maps, project);
    naming.module_at = (0..).zip(&modules).map(|(at, module)| (key(module), at)).collect();
    naming.modules = modules;
    naming.kernel = kernel;
    naming.dumps = dumps;
    naming.chains(tree).tables(tree)
}

/// Frames being named.
struct Naming<'a> {
    files: &'a Files,
    maps: &'a PerfMaps,
    /// What runtimes dumped of their code, which tells more than a map.
    dumps: HashMap<u32, PerfMap>,
    project: &'a Project,
    kept: Option<Kept>,
    /// Read when addresses of the kernel are named.
    kernel: Option<Kallsyms>,
    modules: Vec<Module>,
    module_at: HashMap<String, u32>,
    frames: Vec<Frame>,
    frame_at: HashMap<Frame, u32>,
    /// The frames of each raw one, outer first.
    chains: HashMap<Raw, Vec<u32>, BuildHasherDefault<Quick>>,
}

impl<'a> Naming<'a> {
    fn new(files: &'a Files, maps: &'a PerfMaps, project: &'a Project) -> Self {
        Self {
            files,
            maps,
            dumps: HashMap::new(),
            project,
            kept: Kept::of_user(),
            kernel: None,
            modules: Vec::new(),
            module_at: HashMap::new(),
            frames: Vec::new(),
            frame_at: HashMap::new(),
            chains: HashMap::default(),
        }
    }

    fn chains(mut self, tree: &Tree) -> Self {
        let mut native: HashMap<ModuleId, Vec<u64>> = HashMap::new();
        let mut kernel = Vec::new();
        for (_, raw) in tree.nodes() {
            if self.chains.contains_key(&raw) {
                continue;
            }
            let chain = match raw {
                Raw::Native { module, address } => {
                    native.entry(module).or_default().push(address);
                    Vec::new()
                }
                Raw::Kernel { address } => {
                    kernel.push(address);
                    Vec::new()
                }
                Raw::Anonymous { pid, address } => vec![self.generated(pid, address)],
                Raw::Labelled { label } => {
                    vec![match tree.labelled(label) {
                        Some((name, maker)) => self.made(generated::decode(name, maker)),
                        None => self.frame(unknown()),
                    }]
                }
                Raw::Named(at) => vec![self.frame(tree.named(at).cloned().unwrap_or_else(unknown))],
            };
            self.chains.insert(raw, chain);
        }
        let mut native: Vec<_> = native.into_iter().collect();
        // The tables must not depend on the order of a hash.
        native.sort_by_key(|(module, _)| *module);
        for (module, addresses) in native {
            self.name_native(module, addresses);
        }
        if let Some(kept) = &self.kept {
            kept.bound();
        }
        self.name_kernel(&kernel);
        self
    }

    fn name_native(&mut self, id: ModuleId, mut addresses: Vec<u64>) {
        let Some(module) = self.files.module(id) else { return };
        addresses.sort_unstable();
        let path = String::from_utf8_lossy(module.path()).into_owned();
        let at = self.module(&path, module.build_id());
        let chains = symbols::symbols(module, &addresses, self.kept.as_ref());
        // Beside code that has its source, what has none came in from a library.
        let has_source = chains.iter().flatten().any(|symbol| symbol.file.is_some());
        let holds_libraries = has_source && module.is_static();
        let is_unnamed = |chain: &Vec<Symbol>| chain.first().is_none_or(|symbol| symbol.function.is_none());
        let starts = chains.iter().any(is_unnamed).then(|| Starts::of(module)).flatten();
        for (address, symbols) in addresses.iter().zip(chains) {
            let place = Place { file: None, module: Some(&path), role: Some(module.role()) };
            let start = || starts.as_ref()?.start(*address);
            let chain = self.native((*address, &start), symbols, at, (place, holds_libraries));
            self.chains.insert(Raw::Native { module: id, address: *address }, chain);
        }
    }

    /// The frames of an address, outer first; `start` tells where its function begins, if anything does.
    fn native(
        &mut self,
        (address, start): (u64, &dyn Fn() -> Option<u64>),
        symbols: Vec<Symbol>,
        module: u32,
        (place, holds_libraries): (Place<'_>, bool),
    ) -> Vec<u32> {
        let unnamed =
            Symbol { function: None, file: None, line: None, language: Language::Native, inlined: false };
        let symbols = if symbols.is_empty() { vec![unnamed] } else { symbols };
        let owner = |symbol: &Symbol| {
            let is_librarys = |name: &str| holds_libraries || is_linked_in(name);
            let linked = symbol.file.is_none() && symbol.function.as_deref().is_some_and(is_librarys);
            match self.project.owner(Place { file: symbol.file.as_deref(), ..place }) {
                Owner::Project if linked => Owner::Library,
                owner => owner,
            }
        };
        let frames = symbols.into_iter().map(|symbol| {
            let is_unnamed = symbol.function.is_none();
            let start = if is_unnamed { start() } else { None };
            Frame {
                owner: owner(&symbol),
                language: symbol.language,
                // The address stands for the name only: with it, each call site would be a frame of its own.
                offset: start.or(is_unnamed.then_some(address)),
                is_start: start.is_some(),
                function: symbol.function,
                file: symbol.file,
                line: symbol.line,
                module: Some(module),
                inlined: symbol.inlined,
            }
        });
        let frames: Vec<Frame> = frames.collect();
        frames.into_iter().map(|frame| self.frame(frame)).collect()
    }

    fn name_kernel(&mut self, addresses: &[u64]) {
        if addresses.is_empty() {
            return;
        }
        let kept = || self.kept.as_ref().map_or_else(Kallsyms::read, |kept| kept.kernel(addresses));
        let kernel = self.kernel.take().unwrap_or_else(kept);
        for address in addresses {
            let found = kernel.function(*address);
            let module = found.and_then(|(_, module)| module).unwrap_or(KERNEL);
            let module = self.module(module, None);
            let frame = self.frame(Frame {
                language: Language::Kernel,
                function: found.map(|(name, _)| name.to_owned()),
                file: None,
                line: None,
                module: Some(module),
                offset: found.is_none().then_some(*address),
                is_start: false,
                inlined: false,
                owner: Owner::Kernel,
            });
            self.chains.insert(Raw::Kernel { address: *address }, vec![frame]);
        }
    }

    /// Code that no file holds: named by the runtime that made it, or not at all.
    fn generated(&mut self, pid: u32, address: u64) -> u32 {
        let dumped = self.dumps.get(&pid).and_then(|map| {
            let named = generated::decode(map.name(address)?, map.maker());
            let Some((file, line)) = map.line(address) else { return Some(named) };
            Some(Generated { file: named.file.or_else(|| Some(file.to_owned())), line: Some(line), ..named })
        });
        let maker = || self.maps.map(pid).and_then(PerfMap::maker);
        let mapped = || Some(generated::decode(self.maps.name(pid, address)?, maker()));
        match dumped.or_else(mapped) {
            Some(named) => self.made(named),
            None => self.frame(match self.maps.nameless(pid, address) {
                // Its addresses tell nobody anything, and each would be a place of its own.
                Some(language) => {
                    Frame { language, function: Some(without_names(language).to_owned()), ..unknown() }
                }
                None => Frame { offset: Some(address), ..unknown() },
            }),
        }
    }

    fn made(&mut self, named: Generated) -> u32 {
        let by_file = || self.project.owner(Place { file: named.file.as_deref(), ..Place::default() });
        self.frame(Frame {
            language: named.language,
            owner: named.owner.unwrap_or_else(by_file),
            function: Some(named.function),
            file: named.file,
            line: named.line,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
        })
    }

    fn module(&mut self, path: &str, build_id: Option<&[u8]>) -> u32 {
        let module = Module { path: path.to_owned(), build_id: build_id.map(hexadecimal) };
        let key = key(&module);
        if let Some(at) = self.module_at.get(&key) {
            return *at;
        }
        let at = position(self.modules.len());
        self.modules.push(module);
        self.module_at.insert(key, at);
        at
    }

    fn frame(&mut self, frame: Frame) -> u32 {
        if let Some(at) = self.frame_at.get(&frame) {
            return *at;
        }
        let at = position(self.frames.len());
        self.frames.push(frame.clone());
        self.frame_at.insert(frame, at);
        at
    }

    fn tables(self, tree: &Tree) -> Resolved {
        let mut nodes: Vec<Node> = Vec::new();
        let mut node_at: HashMap<Node, u32, BuildHasherDefault<Quick>> = HashMap::default();
        let mut stack_of: Vec<Option<u32>> = Vec::with_capacity(tree.len());
        for (parent, raw) in tree.nodes() {
            let mut stack = parent.and_then(|parent| stack_of.get(parent as usize).copied().flatten());
            for frame in self.chains.get(&raw).into_iter().flatten() {
                let node = Node { parent: stack, frame: *frame };
                stack = Some(*node_at.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    position(nodes.len() - 1)
                }));
            }
            stack_of.push(stack);
        }
        // Every raw frame has at least one name, so every raw node has become a stack.
        let stack_of = stack_of.into_iter().map(|stack| stack.unwrap_or(0)).collect();
        Resolved { modules: self.modules, frames: self.frames, nodes, stack_of }
    }
}

/// The same path may have held two builds.
fn key(module: &Module) -> String {
    format!("{}\n{}", module.path, module.build_id.as_deref().unwrap_or_default())
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What stands for all code made at run time that nothing names.
#[must_use]
pub fn without_names(language: Language) -> &'static str {
    match language {
        Language::JavaScript => "JavaScript without names",
        _ => "generated code without names",
    }
}

fn unknown() -> Frame {
    Frame {
        language: Language::Unknown,
        function: None,
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Unknown,
    }
}

/// Tables are bounded far below this by the tree.
fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
