//! Frames → functions, and for every stack what its hits are counted as. All in one pass over each table.

use std::collections::{HashMap, HashSet};

use model::profile::Place;
use model::recording::{Frame, Language, Module, Owner, RECORDER, Recording};

use super::family::{self, Family};

/// "None" in the packed tables below.
pub(super) const NONE: u32 = u32::MAX;

/// The function of hits without a stack.
pub(super) const BARE: u32 = 0;

/// How the kernel was entered, told by the kernel frames of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Entry {
    /// The innermost frame is not the kernel's.
    User,
    /// By this system call: position in [`Places::calls`].
    Call(u32),
    Fault,
    Interrupt,
    /// By a call, for the recorder's sake.
    Recorder,
    /// Nothing in the stack tells.
    Kernel,
}

/// What is known of one stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Checked: smaller than the node's own position, or [`NONE`].
    pub(super) parent: u32,
    pub(super) function: u32,
    pub(super) entry: Entry,
    /// The node of the innermost frame of the user's own code, or [`NONE`].
    pub(super) project: u32,
    /// The node of the innermost frame outside kernel and system library, or [`NONE`].
    pub(super) outside: u32,
    /// No caller is the same function: recursion is counted here and nowhere else.
    pub(super) first: bool,
}

pub(super) struct Places<'a> {
    pub(super) recording: &'a Recording,
    /// Functions without their lines; the first stands for hits without a stack.
    pub(super) functions: Vec<Place>,
    /// What stands for each of them in causes and waits: itself, but for a library's functions without names the library.
    stand_ins: Vec<u32>,
    /// What each of them is for.
    families: Vec<Option<Family>>,
    pub(super) views: Vec<View>,
    /// For each node the one that its own time is shown at.
    pub(super) shown: Vec<u32>,
    /// Names of system calls seen in kernel stacks.
    pub(super) calls: Vec<String>,
}

impl<'a> Places<'a> {
    pub(super) fn of(recording: &'a Recording) -> Self {
        let (mut functions, of_frame) = functions(recording);
        let stand_ins = stand_ins(&mut functions);
        let (entries, mut calls) = entries(&functions);
        let hints = hints(recording, &functions, &mut calls);
        let families = functions.iter().map(family::of).collect();
        let (views, shown) = (Vec::new(), Vec::new());
        let mut places = Self { recording, functions, stand_ins, families, views, shown, calls };
        let frames: Vec<Traits> = recording.frames.iter().map(|frame| Traits::of(recording, frame)).collect();
        places.views.reserve(recording.nodes.len());
        // Whether a stack's call is a mere guess.
        let mut guessed = vec![false; recording.nodes.len()];
        for (index, node) in (0_u32..).zip(&recording.nodes) {
            let parent = node.parent.filter(|parent| *parent < index);
            let caller = parent.and_then(|parent| places.view(parent)).copied();
            let function = of_frame.get(node.frame as usize).copied().unwrap_or(BARE);
            let traits = frames.get(node.frame as usize).copied().unwrap_or_default();
            let own_entry = entries.get(function as usize).copied().flatten();
            let of_caller = |hint: Hint| caller.and_then(|caller| hint.of(&hints, caller.function));
            let outer = caller.map_or(Entry::User, |caller| caller.entry);
            let is_open = outer == Entry::User
                || outer == Entry::Kernel
                || parent.is_some_and(|parent| guessed.get(parent as usize) == Some(&true));
            let hint = match (own_entry, traits.kernel && is_open) {
                // Behind the gate the first function is the call's, whatever it is called …
                (None, true) if of_caller(Hint::Gate).is_some() => Hint::Served.of(&hints, function),
                // … and before it the C library's.
                (None, true) if outer == Entry::User => of_caller(Hint::Asked),
                _ => None,
            };
            places.views.push(View {
                parent: parent.unwrap_or(NONE),
                function,
                entry: match hint {
                    _ if !traits.kernel => Entry::User,
                    Some(call) => Entry::Call(call),
                    None if is_open && own_entry.is_some() => own_entry.unwrap_or(Entry::Kernel),
                    None => entry(own_entry, caller),
                },
                project: if traits.project { index } else { caller.map_or(NONE, |caller| caller.project) },
                outside: if traits.system { caller.map_or(NONE, |caller| caller.outside) } else { index },
                first: true,
            });
            if let Some(guess) = guessed.get_mut(index as usize) {
                *guess = traits.kernel && is_open && !matches!(own_entry, Some(Entry::Call(_)));
            }
        }
        places.mark_recursion();
        places.shown = shown_at(&places);
        places
    }

    pub(super) fn view(&self, stack: u32) -> Option<&View> {
        self.views.get(stack as usize)
    }

    /// The function of a stack's innermost frame. A library's functions without names are the library: what it is for is
    /// known, which of them does it is nobody's choice.
    pub(super) fn function_of(&self, stack: u32) -> u32 {
        self.view(stack).map_or(BARE, |view| self.stand_in(view.function))
    }

    /// As [`Self::function_of`], of the node that the time is shown at.
    pub(super) fn shown_function_of(&self, stack: u32) -> u32 {
        self.function_of(self.shown.get(stack as usize).copied().unwrap_or(stack))
    }

    fn stand_in(&self, function: u32) -> u32 {
        self.stand_ins.get(function as usize).copied().unwrap_or(function)
    }

    /// What a function of a library is for.
    pub(super) fn family(&self, function: u32) -> Option<Family> {
        self.families.get(function as usize).copied().flatten()
    }

    pub(super) fn entry_of(&self, stack: u32) -> Entry {
        self.view(stack).map_or(Entry::User, |view| view.entry)
    }

    /// Hits in it are not the target's doing, or nobody knows whose.
    pub(super) fn is_unseen(&self, function: u32) -> bool {
        function == BARE || self.is_recorder(function)
    }

    pub(super) fn is_recorder(&self, function: u32) -> bool {
        let place = self.functions.get(function as usize);
        place.is_some_and(|place| place.owner == Owner::Kernel && place.function == RECORDER)
    }

    pub(super) fn name(&self, function: u32) -> &str {
        self.functions.get(function as usize).map_or("?", |place| place.function.as_str())
    }

    /// The line that a node's frame stands on.
    pub(super) fn line(&self, node: u32) -> Option<u32> {
        let node = self.recording.nodes.get(node as usize)?;
        self.recording.frames.get(node.frame as usize)?.line
    }

    /// The place of a node, with its line.
    pub(super) fn place(&self, node: u32) -> Option<Place> {
        self.view(node)?;
        let function = self.functions.get(self.function_of(node) as usize)?;
        Some(Place { line: self.line(node), ..function.clone() })
    }

    /// The node that a wait is shown at: the user's own code, else the first outside the system library.
    pub(super) fn shown(&self, stack: u32) -> Option<u32> {
        let view = self.view(stack)?;
        [view.project, view.outside].into_iter().find(|node| *node != NONE).or(Some(stack))
    }

    /// A walk over the tree that knows at each node which functions are open above it.
    fn mark_recursion(&mut self) {
        let count = self.views.len();
        let (mut first_child, mut next_sibling) = (vec![NONE; count + 1], vec![NONE; count]);
        for (index, view) in (0_u32..).zip(&self.views) {
            let parent = if view.parent == NONE { count } else { view.parent as usize };
            if let (Some(head), Some(next)) =
                (first_child.get_mut(parent), next_sibling.get_mut(index as usize))
            {
                *next = std::mem::replace(head, index);
            }
        }
        let child = |node: usize| first_child.get(node).copied().filter(|child| *child != NONE);
        let mut open = vec![0_u32; self.functions.len()];
        let mut path: Vec<u32> = Vec::new();
        let mut next = child(count);
        while let Some(node) = next {
            let Some(view) = self.views.get_mut(node as usize) else { break };
            if let Some(depth) = open.get_mut(view.function as usize) {
                view.first = *depth == 0;
                *depth += 1;
            }
            path.push(node);
            next = child(node as usize);
            while next.is_none() {
                let Some(done) = path.pop() else { return };
                let function = self.views.get(done as usize).map_or(BARE, |view| view.function);
                if let Some(depth) = open.get_mut(function as usize) {
                    *depth -= 1;
                }
                next = next_sibling.get(done as usize).copied().filter(|sibling| *sibling != NONE);
            }
        }
    }
}

/// For each node the one that its own time is shown at: itself, but for an interpreter's code without names the function of
/// the script that it works for. Which part of the interpreter it is nobody can tell; for whom it works tells where the time
/// goes, and the loop that runs a function is that function's own time.
fn shown_at(places: &Places<'_>) -> Vec<u32> {
    // The script's function that each node works for, through the interpreter alone.
    let mut script: Vec<u32> = Vec::with_capacity(places.views.len());
    let mut shown = Vec::with_capacity(places.views.len());
    for (node, view) in (0_u32..).zip(&places.views) {
        let own = places.functions.get(view.function as usize);
        let below = script.get(view.parent as usize).copied().unwrap_or(NONE);
        let is_interpreter = own.is_some_and(|own| own.owner == Owner::Runtime && own.module.is_some());
        let is_script =
            own.is_some_and(|own| matches!(own.language, Language::Python | Language::JavaScript));
        let is_nameless = is_interpreter && own.is_some_and(Place::is_nameless);
        script.push(match (is_script && !is_interpreter, is_interpreter) {
            (true, _) => node,
            (false, true) => below,
            (false, false) => NONE,
        });
        shown.push(if is_nameless && below != NONE { below } else { node });
    }
    shown
}

/// What matters of a frame, apart from its function.
#[derive(Clone, Copy, Default)]
struct Traits {
    kernel: bool,
    project: bool,
    system: bool,
}

impl Traits {
    fn of(recording: &Recording, frame: &Frame) -> Self {
        let kernel = frame.language == Language::Kernel || frame.owner == Owner::Kernel;
        let module = frame.module.and_then(|module| recording.modules.get(module as usize));
        let system = kernel || module.is_some_and(|module| is_system_library(&module.path));
        Self { kernel, project: frame.owner == Owner::Project, system }
    }
}

/// The C library, its threads and its loader: below these nothing is anybody's choice.
pub(crate) fn is_system_library(path: &str) -> bool {
    const STEMS: [&str; 7] =
        ["libc.so", "libc-2", "libpthread", "ld-linux", "ld-musl", "libc.musl", "[vdso]"];
    let name = base_name(path);
    STEMS.iter().any(|stem| name.starts_with(stem))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The function of whoever was on a CPU where nobody saw its stack.
pub(crate) const NO_STACK: &str = "(no stack)";

/// Name, file, module and language.
type FunctionKey<'a> = (String, Option<&'a str>, Option<&'a str>, Language);

/// The table of functions and, for each frame, its position there.
fn functions(recording: &Recording) -> (Vec<Place>, Vec<u32>) {
    let bare = Place {
        function: NO_STACK.to_owned(),
        file: None,
        line: None,
        module: None,
        language: Language::Unknown,
        owner: Owner::Unknown,
    };
    let mut known: HashMap<FunctionKey<'_>, u32> = HashMap::new();
    let mut functions = vec![bare];
    let of_frame = recording
        .frames
        .iter()
        .map(|frame| {
            let module = frame.module.and_then(|module| recording.modules.get(module as usize));
            let module = module.map(|module| module.path.as_str());
            let key = (name_of(frame, module), frame.file.as_deref(), module, frame.language);
            let next = u32::try_from(functions.len()).unwrap_or(BARE);
            *known.entry(key.clone()).or_insert_with(|| {
                functions.push(Place {
                    function: key.0,
                    file: frame.file.clone(),
                    line: None,
                    module: module.map(str::to_owned),
                    language: frame.language,
                    owner: frame.owner,
                });
                next
            })
        })
        .collect();
    (functions, of_frame)
}

/// For each function what stands for it. Modules that need it are added to the functions.
fn stand_ins(functions: &mut Vec<Place>) -> Vec<u32> {
    let mut wholes: HashMap<(String, Language, Owner), u32> = (0..)
        .zip(functions.iter())
        .filter(|(_, place)| place.is_whole_module())
        .filter_map(|(at, place)| Some(((place.module.clone()?, place.language, place.owner), at)))
        .collect();
    let mut stand_ins = Vec::with_capacity(functions.len());
    for at in 0..functions.len() {
        let own = u32::try_from(at).unwrap_or(BARE);
        let nameless = functions.get(at).filter(|place| place.owner != Owner::Project && place.is_nameless());
        let whole = nameless.and_then(|place| {
            let module = place.module.clone()?;
            let function = Place::name_of_module(base_name(&module));
            let next = u32::try_from(functions.len()).unwrap_or(BARE);
            let whole = *wholes.entry((module, place.language, place.owner)).or_insert(next);
            Some((whole, Place { function, file: None, ..place.clone() })).filter(|_| whole != own)
        });
        if let Some((whole, place)) = &whole
            && *whole as usize == functions.len()
        {
            functions.push(place.clone());
        }
        stand_ins.push(whole.map_or(own, |(whole, _)| whole));
    }
    stand_ins
}

/// What code that nothing names is called.
pub(crate) fn name_without_symbols(frame: &Frame, module: &str) -> String {
    match frame.offset.filter(|_| frame.is_start && frame.owner != Owner::Runtime) {
        Some(start) => Place::name_of_start(base_name(module), start),
        // Without tables every address would be a hotspot of its own; together they are what the module costs. So are the
        // functions of an interpreter: whom it works for tells more.
        None => Place::name_of_module(base_name(module)),
    }
}

fn name_of(frame: &Frame, module: Option<&str>) -> String {
    if let Some(function) = &frame.function {
        return function.clone();
    }
    match (module, frame.offset) {
        (Some(module), Some(_)) => name_without_symbols(frame, module),
        (Some(module), None) => base_name(module).to_owned(),
        (None, Some(offset)) => format!("{offset:#x}"),
        (None, None) => "(unknown)".to_owned(),
    }
}

/// What each function says of how the kernel was entered, and the calls named there.
fn entries(functions: &[Place]) -> (Vec<Option<Entry>>, Vec<String>) {
    let mut calls: Vec<String> = Vec::new();
    let mut known: HashMap<&str, u32> = HashMap::new();
    let entries = functions
        .iter()
        .map(|place| {
            if place.language != Language::Kernel && place.owner != Owner::Kernel {
                return None;
            }
            if let Some(call) = system_call(&place.function) {
                let next = u32::try_from(calls.len()).unwrap_or(NONE);
                return Some(Entry::Call(*known.entry(call).or_insert_with(|| {
                    calls.push(call.to_owned());
                    next
                })));
            }
            kernel_entry(&place.function)
        })
        .collect();
    (entries, calls)
}

/// What the name of a function suggests of the call that it serves or asks for, where no function is named after the call alone.
#[derive(Clone, Copy)]
enum Hint {
    /// Through it all calls enter the kernel.
    Gate,
    /// A function of the kernel that does the work of a call.
    Served,
    /// A function of the C library that asks for a call.
    Asked,
}

/// For each function: whether it is a gate, and the call it may serve, or ask for.
type Hints = Vec<(bool, Option<u32>, Option<u32>)>;

impl Hint {
    fn of(self, hints: &Hints, function: u32) -> Option<u32> {
        let (is_gate, served, asked) = hints.get(function as usize).copied()?;
        match self {
            Self::Gate => is_gate.then_some(NONE),
            Self::Served => served,
            Self::Asked => asked,
        }
    }
}

fn hints(recording: &Recording, functions: &[Place], calls: &mut Vec<String>) -> Hints {
    let seen: HashSet<String> =
        calls.iter().cloned().chain(recording.calls.iter().map(|call| call.name.clone())).collect();
    let mut position = |name: Option<&str>| {
        let name = name.filter(|name| seen.contains(*name) || model::blocking::is_known(name))?;
        let known = calls.iter().position(|known| known == name).unwrap_or_else(|| {
            calls.push(name.to_owned());
            calls.len() - 1
        });
        u32::try_from(known).ok()
    };
    let hint = |place: &Place| {
        let name = place.function.as_str();
        if place.language == Language::Kernel || place.owner == Owner::Kernel {
            (is_gate(name), position(serves(name)), None)
        } else if place.module.as_deref().is_some_and(is_system_library) {
            (false, None, position(asks(name)))
        } else {
            (false, None, None)
        }
    };
    functions.iter().map(hint).collect()
}

/// Every call comes through these, on x86-64 and aarch64.
fn is_gate(function: &str) -> bool {
    const GATES: [&str; 6] =
        ["entry_SYSCALL", "do_syscall_64", "x64_sys_call", "el0_svc", "do_el0_svc", "invoke_syscall"];
    GATES.iter().any(|gate| function.starts_with(gate))
}

/// `read` of `ksys_read` and `vfs_read`, `futex` of `do_futex`: compilers let the call's own function jump to what it ends with.
fn serves(function: &str) -> Option<&str> {
    let name = function.split('.').next().unwrap_or(function);
    ["ksys_", "do_sys_", "vfs_", "do_"].iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// `read` of `__GI___libc_read`.
fn asks(function: &str) -> Option<&str> {
    let name = function.split('@').next().unwrap_or(function);
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    let name = name.strip_prefix("__libc_").unwrap_or(name);
    Some(name.trim_start_matches('_'))
}

/// The system call that a function of the kernel serves, or one of the C library stands for.
pub(crate) fn call_of<'f>(frame: &'f Frame, modules: &[Module]) -> Option<&'f str> {
    let name = frame.function.as_deref()?;
    if frame.owner == Owner::Kernel {
        return system_call(name).or_else(|| serves(name));
    }
    let module = modules.get(frame.module? as usize)?;
    is_system_library(&module.path).then(|| asks(name))?
}

/// The system call that a kernel function serves, from the prefixes that the kernel's own macros make.
pub(crate) fn system_call(function: &str) -> Option<&str> {
    const PREFIXES: [&str; 6] =
        ["__x64_sys_", "__arm64_sys_", "__ia32_sys_", "__do_sys_", "__se_sys_", "__riscv_sys_"];
    let rest = PREFIXES.iter().find_map(|prefix| function.strip_prefix(prefix))?;
    // Compilers add ".isra.0" and the like.
    let name = rest.split('.').next().unwrap_or(rest);
    let name = name.strip_prefix("new").filter(|plain| STAT.contains(plain)).unwrap_or(name);
    (!name.is_empty()).then_some(name)
}

/// The kernel calls these `newstat`, everybody else `stat`.
const STAT: [&str; 3] = ["stat", "lstat", "fstat"];

fn kernel_entry(function: &str) -> Option<Entry> {
    const FAULTS: [&str; 6] = [
        "asm_exc_page_fault",
        "exc_page_fault",
        "handle_mm_fault",
        "do_user_addr_fault",
        "do_page_fault",
        "el0_da",
    ];
    const INTERRUPTS: [&str; 7] = [
        "asm_sysvec_",
        "asm_common_interrupt",
        "common_interrupt",
        "irq_exit",
        "handle_softirqs",
        "__do_softirq",
        "el1_interrupt",
    ];
    if function == RECORDER {
        Some(Entry::Recorder)
    } else if FAULTS.contains(&function) {
        Some(Entry::Fault)
    } else if INTERRUPTS.iter().any(|prefix| function.starts_with(prefix)) {
        Some(Entry::Interrupt)
    } else {
        None
    }
}

/// The outermost name decides (a fault while a call copies belongs to the call), but an interrupt may come anywhere.
fn entry(own: Option<Entry>, caller: Option<View>) -> Entry {
    let outer = caller.map_or(Entry::User, |caller| caller.entry);
    match (outer, own) {
        (_, Some(Entry::Interrupt)) => Entry::Interrupt,
        (Entry::User | Entry::Kernel, Some(own)) => own,
        (Entry::User, None) => Entry::Kernel,
        (outer, _) => outer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_functions_name_their_system_call() {
        for (function, expected) in [
            ("__x64_sys_futex", Some("futex")),
            ("__do_sys_newfstat", Some("fstat")),
            ("__arm64_sys_read", Some("read")),
            ("__se_sys_openat.isra.0", Some("openat")),
            ("do_syscall_64", None),
            ("__x64_sys_", None),
        ] {
            assert_eq!(system_call(function), expected, "{function}");
        }
    }

    #[test]
    fn a_call_is_known_by_whoever_serves_or_asks_for_it_behind_and_before_the_gate() {
        use crate::profile::tests::made::Made;
        let gates = ["k:entry_SYSCALL_64_after_hwframe", "k:do_syscall_64"];
        for (asks, serves, expected) in [
            ("c:sum", vec!["k:ksys_read", "k:vfs_read", "k:read_zero"], Some("read")),
            ("c:sum", vec!["k:vfs_write"], Some("write")),
            ("c:sum", vec!["k:do_futex"], Some("futex")),
            ("c:__GI___libc_read", vec![], Some("read")),
            ("c:__GI___libc_read", vec!["k:syscall_exit_work"], Some("read")),
            // The kernel's own word is better.
            ("c:__GI___libc_read", vec!["k:__x64_sys_pread64", "k:vfs_read"], Some("pread64")),
            ("c:sum", vec!["k:do_fault"], None),
            // Not behind the gate: a call for something else has it read.
            ("c:sum", vec!["k:load_it", "k:vfs_read"], None),
            ("p:read", vec![], None),
        ] {
            let mut made = Made::new(model::doctor::Level::C, 10);
            let names: Vec<&str> = ["p:main", asks].into_iter().chain(gates).chain(serves.clone()).collect();
            let stack = made.stack(&names);
            let places = Places::of(&made.0);
            let told = match places.entry_of(stack) {
                Entry::Call(call) => places.calls.get(call as usize).map(String::as_str),
                _ => None,
            };
            assert_eq!(told, expected, "{asks} {serves:?}");
        }
    }
}
