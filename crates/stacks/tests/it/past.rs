//! Recordings of the past, named by the files of this machine.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use model::Nanos;
use model::recording::{
    Frame, Hit, Language, Module, Node, Owner, Process, Recording, Source, Thread, Weight,
};
use stacks::{Files, Origin, Project, RecordedKernel, Sources, name_recording};

use crate::specimen::Bench;

const EXPANDED: &str = r#"
volatile unsigned long sink;
static inline __attribute__((always_inline)) void innermost(unsigned long x) { sink ^= x * 31; }
static inline __attribute__((always_inline)) void between(unsigned long x) { innermost(x + 1); innermost(x + 2); }
__attribute__((noinline)) void leaf(unsigned long x) { for (int i = 0; i < 1000; i++) between(x + i); }
int main(void) { for (unsigned long i = 0;; i++) { leaf(i); sink++; } }
"#;

/// Where programs that are not moved begin.
const BASE: u64 = 0x40_0000;

fn place(module: Option<u32>, offset: u64, language: Language) -> Frame {
    Frame {
        language,
        function: None,
        file: None,
        line: None,
        module,
        offset: Some(offset),
        is_start: false,
        inlined: false,
        owner: Owner::Unknown,
    }
}

/// One process and thread for each number.
fn recording(pids: &[u32], modules: Vec<Module>, frames: Vec<Frame>) -> Recording {
    let mut recording = Recording::new(Source::Import("perf.data".to_owned()), Weight::Samples);
    for (process, pid) in (0..).zip(pids) {
        recording.processes.push(Process {
            pid: *pid,
            parent: None,
            name: String::new(),
            program: None,
            argv: Vec::new(),
            from: Nanos::ZERO,
            to: None,
            runtime: None,
            shows_collector: false,
            loaded: None,
        });
        recording.threads.push(Thread {
            tid: *pid,
            process,
            name: String::new(),
            from: Nanos::ZERO,
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
    }
    recording.modules = modules;
    recording.frames = frames;
    recording
}

fn hit(thread: u32, stack: u32) -> Hit {
    Hit { at: Nanos::ZERO, thread, stack: Some(stack), weight: 1 }
}

fn name(recording: &mut Recording, root: &Path, origin: Origin, begun: Option<SystemTime>) {
    let project = Project { root: root.to_owned(), program: None };
    let files = Files::of_recording(origin);
    name_recording(recording, Sources { files, project: &project, kernel: RecordedKernel::default(), begun });
}

/// The functions of each hit, innermost first.
fn functions(recording: &Recording) -> Vec<Vec<String>> {
    let name =
        |frame: &Frame| frame.function.clone().unwrap_or_else(|| format!("{:#x}", frame.offset.unwrap()));
    let hits = recording.hits.iter();
    hits.map(|hit| recording.frames_of(hit.stack.unwrap()).map(name).collect()).collect()
}

/// A hit at each of the first bytes of `leaf`, called from `main`.
fn hits_in_leaf(program: &Path, build_id: Option<&str>) -> Recording {
    let symbols = Command::new("nm").arg(program).output().unwrap().stdout;
    let symbols = String::from_utf8(symbols).unwrap();
    let address = |name: &str| {
        let line = symbols.lines().find(|line| line.ends_with(&format!(" T {name}"))).unwrap();
        u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap() - BASE
    };
    let module = Module { path: program.to_str().unwrap().to_owned(), build_id: build_id.map(str::to_owned) };
    let places = std::iter::once(address("main")).chain((0..40).map(|byte| address("leaf") + byte));
    let frames = places.map(|offset| place(Some(0), offset, Language::Native)).collect();
    let mut recording = recording(&[7], vec![module], frames);
    recording.nodes.push(Node { parent: None, frame: 0 });
    for frame in 1..41 {
        recording.nodes.push(Node { parent: Some(0), frame });
        recording.hits.push(hit(0, frame));
    }
    recording
}

#[test]
fn places_in_a_file_become_functions_and_those_expanded_into_them() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "expanded.c", EXPANDED, &["-O2", "-g", "-no-pie"]) else {
        return;
    };
    let mut recording = hits_in_leaf(&program, None);
    name(&mut recording, bench.path(), Origin::default(), None);
    let functions = functions(&recording);
    assert!(functions.iter().all(|stack| stack.ends_with(&["leaf".to_owned(), "main".to_owned()])));
    assert!(
        functions.contains(&["innermost", "between", "leaf", "main"].map(str::to_owned).to_vec()),
        "{functions:?}"
    );
    assert!(recording.frames.iter().all(|frame| frame.owner == Owner::Project && frame.line.is_some()));
    assert!(recording.nodes.len() < 41 * 3, "equal stacks are one");
    assert!(recording.modules[0].build_id.is_some() && recording.gaps.is_empty(), "{:?}", recording.gaps);
}

#[test]
fn a_file_that_is_not_surely_the_recorded_one_names_nothing() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "expanded.c", EXPANDED, &["-O2", "-g", "-no-pie"]) else {
        return;
    };
    let before = SystemTime::now() - Duration::from_secs(3600);
    for (build_id, origin, why) in [
        (Some("0123456789"), Origin::default(), "another build"),
        (None, Origin { ended: Some(before), ..Origin::default() }, "has changed since"),
        (None, Origin { elsewhere: true, ..Origin::default() }, "may be another build"),
    ] {
        let mut recording = hits_in_leaf(&program, build_id);
        let places = functions(&recording);
        name(&mut recording, bench.path(), origin, None);
        assert_eq!(functions(&recording), places);
        let [gap] = recording.gaps.as_slice() else { panic!("{:?}", recording.gaps) };
        assert!(gap.why.contains(why) && gap.why.contains("expanded.out"), "{gap:?}");
    }
    let mut recording = hits_in_leaf(&program, None);
    std::fs::remove_file(&program).unwrap();
    name(&mut recording, bench.path(), Origin::default(), None);
    assert!(recording.gaps[0].why.contains("not on this machine"), "{:?}", recording.gaps);
}

#[test]
fn one_address_of_two_processes_may_be_two_functions() {
    // No process has such a number: the kernel's limit is 4194304.
    let pids = [4_194_311, 4_194_312, 4_194_313];
    let frames = vec![place(None, 0x1000, Language::Native), place(None, 0x2000, Language::Native)];
    let mut recording = recording(&pids, Vec::new(), frames);
    recording.nodes = vec![Node { parent: None, frame: 0 }, Node { parent: Some(0), frame: 1 }];
    recording.hits = vec![hit(0, 1), hit(1, 1), hit(2, 1), hit(0, 0)];
    let path = |pid| format!("/tmp/perf-{pid}.map");
    std::fs::write(path(pids[0]), "1000 10 first\n2000 10 second\n").unwrap();
    std::fs::write(path(pids[1]), "1000 10 other\n").unwrap();
    name(&mut recording, Path::new("/nowhere"), Origin::default(), Some(SystemTime::UNIX_EPOCH));
    std::fs::remove_file(path(pids[0])).unwrap();
    std::fs::remove_file(path(pids[1])).unwrap();
    let expected =
        [vec!["second", "first"], vec!["0x2000", "other"], vec!["0x2000", "0x1000"], vec!["first"]];
    assert_eq!(functions(&recording), expected);
    assert!(recording.gaps[0].why.starts_with("2 of 4 hits"), "{:?}", recording.gaps);
}

#[test]
fn addresses_of_an_unknown_kernel_stay_addresses() {
    let module = Module { path: "[kernel.kallsyms]".to_owned(), build_id: None };
    let mut recording =
        recording(&[1], vec![module], vec![place(Some(0), 0xffff_ffff_8100_0010, Language::Kernel)]);
    recording.nodes = vec![Node { parent: None, frame: 0 }];
    recording.hits = vec![hit(0, 0)];
    name(&mut recording, Path::new("/nowhere"), Origin::default(), None);
    assert_eq!(functions(&recording), [["0xffffffff81000010"]]);
    assert!(recording.gaps[0].what.contains("kernel"), "{:?}", recording.gaps);
}
