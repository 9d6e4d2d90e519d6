//! Names of real programs' functions.

use std::process::Command;

use model::recording::{Frame, Language, Owner};
use stacks::{End, PerfMaps, Project, Raw, Resolved, Tree, Unwinder, resolve};

use crate::specimen::{Bench, SPIN};
use crate::tracee::{Tracee, assert_order, functions, unwind};

/// Looks at a program until the wanted function runs, and names that stack.
fn stack_in(command: &mut Command, project: &Project, wanted: &str) -> (Resolved, u32) {
    let mut tracee = Tracee::start(command);
    let pid = tracee.pid();
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let mut tree = Tree::new();
    let stacks: Vec<u32> = (0..100)
        .map(|_| {
            let (frames, end) = unwind(&mut unwinder, pid, &tracee.look_after(67));
            assert_eq!(end, End::Whole);
            tree.intern(&frames).unwrap()
        })
        .collect();
    let resolved = resolve(&tree, unwinder.files(), &PerfMaps::default(), project);
    let found = stacks
        .iter()
        .map(|stack| resolved.stack_of[*stack as usize])
        .find(|stack| functions(&resolved, *stack).iter().any(|name| name.contains(wanted)));
    let seen = || stacks.iter().map(|stack| functions(&resolved, resolved.stack_of[*stack as usize])).next();
    let found = found.unwrap_or_else(|| panic!("{wanted} was never seen in {:#?}", seen()));
    (resolved, found)
}

fn frame<'a>(resolved: &'a Resolved, stack: u32, name: &str) -> &'a Frame {
    let mut next = Some(stack);
    while let Some(at) = next {
        let node = resolved.nodes[at as usize];
        let frame = &resolved.frames[node.frame as usize];
        if frame.function.as_deref().is_some_and(|function| function.contains(name)) {
            return frame;
        }
        next = node.parent;
    }
    panic!("{name} is not in {:#?}", functions(resolved, stack));
}

const INLINED: &str = r#"
#include <unistd.h>
volatile unsigned long sink;
static inline __attribute__((always_inline)) void innermost(unsigned long x) { sink ^= x * 31; }
static inline __attribute__((always_inline)) void between(unsigned long x) { innermost(x + 1); innermost(x + 2); }
__attribute__((noinline)) void leaf(unsigned long x) { for (int i = 0; i < 1000; i++) between(x + i); }
int main(void) { write(1, "r", 1); for (unsigned long i = 0;; i++) { leaf(i); sink++; } }
"#;

#[test]
fn inlined_functions_are_frames_of_their_own_with_file_and_line() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "inlined.c", INLINED, &["-O2", "-g"]) else { return };
    let project = Project { root: bench.path().canonicalize().unwrap(), program: Some(program.clone()) };
    let (resolved, stack) = stack_in(&mut Command::new(program), &project, "innermost");
    assert_order(&functions(&resolved, stack), &["innermost", "between", "leaf", "main"]);
    let innermost = frame(&resolved, stack, "innermost");
    assert_eq!((innermost.line, innermost.inlined), (Some(4), true));
    assert!(innermost.file.as_deref().unwrap().ends_with("/inlined.c"));
    assert_eq!((innermost.language, innermost.owner), (Language::C, Owner::Project));
    let between = frame(&resolved, stack, "between");
    assert_eq!((between.line, between.inlined), (Some(5), true));
    let leaf = frame(&resolved, stack, "leaf");
    assert_eq!((leaf.line, leaf.inlined), (Some(6), false));
    assert_eq!(frame(&resolved, stack, "libc_start").owner, Owner::Library);
}

#[test]
fn an_address_outside_every_symbol_has_no_name() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2"]) else { return };
    // Only `tiny` keeps its name. It stands before all others, so a careless reader would give it to them.
    assert!(Command::new("strip").args(["-K", "tiny"]).arg(&program).status().unwrap().success());
    let (resolved, stack) = stack_in(&mut Command::new(&program), &Project::default(), "tiny");
    let names = functions(&resolved, stack);
    let own = names.iter().filter(|name| name.starts_with(&format!("{}+0x", program.display())));
    assert!(names[0] == "tiny" && own.count() >= 4, "{names:?}");
    let unnamed = resolved.frames.iter().find(|frame| frame.function.is_none()).unwrap();
    assert!(unnamed.module.is_some() && unnamed.offset.is_some());
}

#[test]
fn functions_without_names_are_told_by_where_they_begin() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "inlined.c", INLINED, &["-O2", "-no-pie"]) else { return };
    let symbols = Command::new("nm").arg(&program).output().unwrap();
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    let start = |name: &str| {
        let line = symbols.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
        u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap()
    };
    assert!(Command::new("strip").arg(&program).status().unwrap().success());
    for section in ["", ".eh_frame_hdr"] {
        if !section.is_empty() {
            // Without the index the tables are read.
            let hidden = format!("{section}=.hidden");
            let renamed = Command::new("objcopy").args(["--rename-section", &hidden]).arg(&program).status();
            assert!(renamed.unwrap().success());
        }
        let (resolved, _) = stack_in(&mut Command::new(&program), &Project::default(), "inlined");
        let starts: Vec<u64> =
            resolved.frames.iter().filter(|frame| frame.is_start).filter_map(|frame| frame.offset).collect();
        for name in ["leaf", "main"] {
            assert!(starts.contains(&start(name)), "{name} {starts:x?} {:?}", resolved.frames);
        }
    }
}

const TEMPLATES: &str = r#"
#include <unistd.h>
#include <vector>
volatile unsigned long sink;
template <typename T> struct Pile {
    std::vector<T> values;
    template <typename U> __attribute__((noinline)) U sum(U start) { for (auto value : values) { start += value; sink = sink + 1; } return start; }
};
namespace shop { __attribute__((noinline)) long price(Pile<int> &pile) { return pile.sum<long>(1) + 1; } }
int main() { write(1, "r", 1); Pile<int> pile; pile.values.assign(1000, 3); for (;;) sink = sink + shop::price(pile); }
"#;

#[test]
fn names_of_cpp_are_demangled() {
    for flags in [&["-O1", "-g"][..], &["-O1"]] {
        let bench = Bench::new();
        let Some(program) = bench.compile("g++", "templates.cpp", TEMPLATES, flags) else { return };
        let (resolved, stack) = stack_in(&mut Command::new(program), &Project::default(), "sum<long>");
        assert_eq!(frame(&resolved, stack, "Pile<int>::sum<long>").language, Language::Cpp);
        assert_order(&functions(&resolved, stack), &["shop::price", "main"]);
    }
}

const DIGITS: &str = r#"
#include <stdio.h>
#include <unistd.h>
char text[64];
__attribute__((noinline)) int digits(long of) { return snprintf(text, sizeof text, "%ld %ld %ld", of, of + 1, of + 2); }
int main(void) { write(1, "r", 1); for (long at = 1L << 60;; at++) digits(at); }
"#;

#[test]
fn what_has_no_source_in_a_static_program_is_a_librarys_where_its_own_code_has_one() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "digits.c", DIGITS, &["-O1", "-g", "-static"]) else { return };
    let project = Project { root: bench.path().to_owned(), program: Some(program.clone()) };
    let (resolved, stack) = stack_in(&mut Command::new(program), &project, "digits");
    assert_eq!(frame(&resolved, stack, "digits").owner, Owner::Project);
    let own: Vec<_> = resolved.frames.iter().filter(|frame| frame.file.is_none()).collect();
    assert!(own.iter().all(|frame| frame.owner != Owner::Project), "{own:?}");
}

const FIND: &str = r#"
#include <unistd.h>
volatile long sink;
__attribute__((noinline)) long find(long after) { while (after--) sink = sink + 1; return sink; }
int main(void) { write(1, "r", 1); for (;;) find(100000); }
"#;

/// No compiler of Swift is asked for: the symbol is what it makes.
#[test]
fn names_of_swift_are_read() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "find.c", FIND, &["-O1"]) else { return };
    let mut rename = Command::new("objcopy");
    rename.args(["--redefine-sym", "find=$s4main5StoreC4find5afterS2i_tF"]).arg(&program);
    if !rename.status().is_ok_and(|status| status.success()) {
        return;
    }
    let (resolved, stack) = stack_in(&mut Command::new(program), &Project::default(), "find");
    assert_eq!(frame(&resolved, stack, "main.Store.find(after:)").language, Language::Swift);
}

const RUST: &str = r#"
use std::hint::black_box;
use std::io::Write;
mod shop {
    #[inline(never)]
    pub fn price(items: &[u64]) -> u64 { items.iter().map(|item| super::black_box(*item)).sum::<u64>() + 1 }
}
fn main() {
    std::io::stdout().write_all(b"r").unwrap();
    std::io::stdout().flush().unwrap();
    let items: Vec<u64> = (0..1000).collect();
    loop { black_box(shop::price(black_box(&items))); }
}
"#;

#[test]
fn names_of_rust_are_demangled_and_its_library_is_told_from_the_program() {
    let bench = Bench::new();
    let flags = ["-g", "-Copt-level=1", "--edition=2021"];
    let Some(program) = bench.compile("rustc", "shopping.rs", RUST, &flags) else { return };
    let project = Project { root: bench.path().canonicalize().unwrap(), program: Some(program.clone()) };
    let (resolved, stack) = stack_in(&mut Command::new(program), &project, "shop::price");
    assert_order(&functions(&resolved, stack), &["shopping::shop::price", "shopping::main"]);
    let price = frame(&resolved, stack, "shop::price");
    assert_eq!((price.language, price.owner), (Language::Rust, Owner::Project));
    assert_eq!(frame(&resolved, stack, "std::rt::lang_start").owner, Owner::Library);
}

const GO: &str = r#"package main

import "os"

var sink uint64

// Expanded into its caller.
func mix(x uint64) uint64 { x ^= x << 13; x ^= x >> 7; x ^= x << 17; return x*31 + x%7919 + sink }

//go:noinline
func leaf(x uint64) uint64 { for i := uint64(0); i < 1000; i++ { x = mix(x) }; return x }

//go:noinline
func middle(x uint64) uint64 { return leaf(x) + leaf(x+1) + 1 }

func main() { os.Stdout.Write([]byte("r")); for i := uint64(0); ; i++ { sink ^= middle(i) } }
"#;

/// Builds the program of Go; `None`, said aloud, without Go.
fn go_program(bench: &Bench, flags: &[&str]) -> Option<std::path::PathBuf> {
    let source = bench.path().join("spin.go");
    std::fs::write(&source, GO).unwrap();
    let program = bench.path().join("spin");
    let mut build = Command::new("go");
    build.current_dir(bench.path()).arg("build").args(flags).arg("-o").arg(&program).arg(&source);
    build.env("GOCACHE", std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache"));
    build.env("HOME", bench.path()).env("GOFLAGS", "");
    let Ok(output) = build.output() else {
        eprintln!("skipped: no go here");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

#[test]
fn programs_of_go_are_undone_and_named() {
    is_undone_and_named(&[]);
}

#[test]
fn stripped_programs_of_go_are_undone_and_named_by_their_own_table() {
    is_undone_and_named(&["-ldflags=-s -w"]);
}

#[test]
fn programs_of_go_without_debug_information_have_lines() {
    is_undone_and_named(&["-ldflags=-w"]);
}

#[test]
fn stripped_programs_of_go_that_may_lie_anywhere_are_undone_and_named() {
    is_undone_and_named(&["-buildmode=pie", "-ldflags=-s -w"]);
}

fn is_undone_and_named(flags: &[&str]) {
    let bench = Bench::new();
    let Some(program) = go_program(&bench, flags) else { return };
    let mut tracee =
        Tracee::start(Command::new(&program).env("GOMAXPROCS", "1").env("GODEBUG", "asyncpreemptoff=1"));
    let tid = busiest(tracee.pid());
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let mut tree = Tree::new();
    let looks: Vec<(u32, End)> = (0..60)
        .map(|turn| {
            let mut look = tracee.look_at(tid);
            // Of a thread that waits nobody knows the frame pointer.
            if turn % 2 == 1 {
                look.registers.bp = 0;
            }
            let (frames, end) = unwind(&mut unwinder, tracee.pid(), &look);
            (tree.intern(&frames).unwrap(), end)
        })
        .collect();
    let resolved = resolve(&tree, unwinder.files(), &PerfMaps::default(), &Project::default());
    let inside: Vec<_> = looks
        .iter()
        .map(|(stack, end)| (functions(&resolved, resolved.stack_of[*stack as usize]), end))
        .filter(|(names, _)| names.iter().any(|name| name == "main.leaf"))
        .collect();
    // The task may move to another thread than the one that is looked at.
    assert!(inside.len() >= 5, "{inside:#?}");
    for (names, end) in inside {
        let expected =
            ["main.mix", "main.leaf", "main.middle", "main.main", "runtime.main", "runtime.goexit"];
        let from = usize::from(names.first().is_none_or(|name| name != "main.mix"));
        assert_order(&names, &expected[from..]);
        assert_eq!(*end, End::Whole);
    }
    let found = |name: &str, line: u32| {
        let mut frames = resolved.frames.iter().filter(|frame| frame.function.as_deref() == Some(name));
        frames.any(|frame| frame.line == Some(line) && frame.language == Language::Go)
    };
    assert!(found("main.leaf", 11) && found("main.middle", 14), "{:#?}", resolved.frames);
    let expanded =
        resolved.frames.iter().find(|frame| frame.function.as_deref() == Some("main.mix")).unwrap();
    assert_eq!((expanded.line, expanded.inlined), (Some(8), true));
    assert!(expanded.file.as_deref().unwrap().ends_with("/spin.go"));
}

/// The thread of a process that has used most CPU time.
pub(crate) fn busiest(pid: u32) -> u32 {
    let ticks = |tid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/stat")).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap().split_whitespace().nth(11);
        fields.and_then(|field| field.parse::<u64>().ok()).unwrap_or(0)
    };
    // A program that just began has used none anywhere yet.
    loop {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
        let tids = tasks.flatten().filter_map(|task| task.file_name().to_str()?.parse().ok());
        let busiest = tids.max_by_key(ticks).unwrap();
        if ticks(&busiest) > 20 {
            return busiest;
        }
        std::thread::yield_now();
    }
}

#[test]
fn frames_of_the_kernel_have_names_where_it_tells_them() {
    let symbols = std::fs::read_to_string("/proc/kallsyms").unwrap_or_default();
    let line = symbols.lines().find(|line| line.ends_with(" T vfs_read"));
    let Some(address) = line.and_then(|line| u64::from_str_radix(&line[..16], 16).ok()).filter(|at| *at != 0)
    else {
        eprintln!("skipped: the kernel does not tell");
        return;
    };
    let mut tree = Tree::new();
    let stack = tree.intern(&[Raw::Kernel { address: address + 4 }, Raw::Kernel { address: 1 }]).unwrap();
    let resolved = resolve(&tree, Unwinder::new().files(), &PerfMaps::default(), &Project::default());
    assert_eq!(functions(&resolved, resolved.stack_of[stack as usize]), ["vfs_read", "[kernel]+0x1"]);
}

#[test]
fn frames_that_have_a_name_already_keep_it() {
    let mut tree = Tree::new();
    let frame = Frame {
        language: Language::Python,
        function: Some("fib".to_owned()),
        file: Some("fib.py".to_owned()),
        line: Some(3),
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Project,
    };
    let at = tree.name_frame(frame.clone());
    assert_eq!(tree.name_frame(frame.clone()), at);
    let stack = tree.intern(&[Raw::Named(at), Raw::Named(at)]).unwrap();
    let resolved = resolve(&tree, Unwinder::new().files(), &PerfMaps::default(), &Project::default());
    assert_eq!(resolved.frames, [frame]);
    assert_eq!(functions(&resolved, resolved.stack_of[stack as usize]), ["fib", "fib"]);
}

/// The loads of the loop are merged by the compiler, four elements at once, and have no line of their own.
const MERGED: &str = r#"
use std::io::Write;
pub struct Work { opens: u32, rest: [u32; 122] }
fn within(works: &[Work], from: u32) -> u32 {
    let mut hits = 0;
    for work in works {
        if work.opens >= from && work.opens < from + 2000 {
            hits += 1;
        }
    }
    hits
}
fn main() {
    let mut dice = 88172645463325252u64;
    let works: Vec<Work> = (0..30_000).map(|_| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        Work { opens: (dice >> 11) as u32 % 1_000_000, rest: [1; 122] }
    }).collect();
    std::io::stdout().write_all(b"r").unwrap();
    std::io::stdout().flush().unwrap();
    let mut last = works[7].rest[3];
    loop {
        last = std::hint::black_box(within(&works, last % 900_000));
    }
}
"#;

#[test]
fn an_instruction_without_a_line_belongs_to_what_comes_behind_it() {
    let bench = Bench::new();
    let Some(program) = bench.compile("rustc", "merged.rs", MERGED, &["-O", "-g"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(&program));
    let pid = tracee.pid();
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let mut tree = Tree::new();
    let stacks: Vec<u32> = (0..60)
        .map(|_| {
            let (frames, _) = unwind(&mut unwinder, pid, &tracee.look_after(67));
            tree.intern(&frames).unwrap()
        })
        .collect();
    let project = Project { root: bench.path().canonicalize().unwrap(), program: Some(program) };
    let resolved = resolve(&tree, unwinder.files(), &PerfMaps::default(), &project);
    let innermost = |stack: &u32| {
        let node = resolved.nodes[resolved.stack_of[*stack as usize] as usize];
        &resolved.frames[node.frame as usize]
    };
    let without: Vec<_> = stacks.iter().map(innermost).filter(|frame| frame.line.is_none()).collect();
    assert!(without.len() < 6, "{without:#?}");
    let within =
        |stack: &&u32| innermost(stack).function.as_deref().is_some_and(|name| name.contains("within"));
    assert!(
        stacks.iter().filter(within).count() > 40,
        "{:#?}",
        functions(&resolved, resolved.stack_of[stacks[9] as usize])
    );
}
