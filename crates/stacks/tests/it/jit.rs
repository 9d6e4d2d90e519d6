//! Stacks through generated code.

use std::process::Command;

use stacks::{End, PerfMaps, Project, Tree, Unwinder, resolve};

use crate::naming::busiest;
use crate::specimen::Bench;
use crate::tracee::{Tracee, all_names, unwind};

const LOOKS: usize = 60;

/// How many of the looks at the busiest thread are whole and hold all these functions in this order.
fn through(
    tracee: &mut Tracee,
    expected: &[&str],
    before_naming: impl FnOnce(u32),
) -> (usize, Vec<Vec<String>>) {
    let pid = tracee.pid();
    let tid = busiest(pid);
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let (stacks, ends): (Vec<_>, Vec<_>) =
        (0..LOOKS).map(|_| unwind(&mut unwinder, pid, &tracee.look_at(tid))).unzip();
    before_naming(pid);
    let mut maps = PerfMaps::default();
    assert!(maps.read(pid, std::time::UNIX_EPOCH));
    let names = all_names(&unwinder, &stacks, &maps);
    let ordered = |names: &[String]| {
        let mut rest = names.iter();
        expected.iter().all(|wanted| rest.any(|name| name.contains(wanted)))
    };
    let good = names.iter().zip(&ends).filter(|(names, end)| ordered(names) && **end == End::Whole).count();
    (good, names)
}

const NODE: &str = r"
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function run() { let sum = 0; for (let i = 0; i < 10; i++) sum += fib(15); return sum; }
require('fs').writeSync(1, 'r');
for (;;) run();
";

#[test]
fn a_stack_of_node_goes_through_generated_code_and_back_into_native_code() {
    let bench = Bench::new();
    let script = bench.path().join("fib.js");
    std::fs::write(&script, NODE).unwrap();
    let mut command = Command::new("node");
    // It leaves an empty log where it runs.
    command
        .args(["--perf-basic-prof", "--interpreted-frames-native-stack"])
        .arg(&script)
        .current_dir(bench.path());
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: no node here");
        return;
    }
    let mut tracee = Tracee::start(&mut command);
    let map = format!("/tmp/perf-{}.map", tracee.pid());
    let (good, names) = through(&mut tracee, &["fib", "run", "(top level)", "node::Start", "main"], |_| {});
    let _ = std::fs::remove_file(map);
    assert!(good > LOOKS / 2, "{good} of {LOOKS}: {:#?}", names.last());
}

const LINED: &str = r"
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++)
    sum = (sum * 31 + i) % 1000003;
  return sum;
}
const fs = require('fs');
fs.writeSync(1, 'r');
while (!fs.existsSync('enough')) work(1000000);
";

#[test]
fn code_that_a_runtime_dumped_has_its_name_and_no_line_but_its_own() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: no node here");
        return;
    }
    let bench = Bench::new();
    let script = bench.path().join("work.js");
    std::fs::write(&script, LINED).unwrap();
    // It leaves its dump where it runs, and no map.
    let mut command = Command::new("node");
    command.args(["--perf-prof", "--no-use-osr"]).arg(&script).current_dir(bench.path());
    let mut tracee = Tracee::start(&mut command);
    let (pid, tid) = (tracee.pid(), busiest(tracee.pid()));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let mut tree = Tree::new();
    for _ in 0..LOOKS {
        tree.intern(&unwind(&mut unwinder, pid, &tracee.look_at(tid)).0).unwrap();
    }
    // The last records are written at its end.
    std::fs::write(bench.path().join("enough"), b"").unwrap();
    tracee.wait();
    let resolved = resolve(&tree, unwinder.files(), &PerfMaps::default(), &Project::default());
    let frames: Vec<_> =
        resolved.frames.iter().filter(|frame| frame.function.as_deref() == Some("work")).collect();
    assert!(!frames.is_empty(), "{:#?}", resolved.frames);
    for frame in frames {
        // The loop where the runtime tells (Node 26 does, 20 does not), else the declaration.
        assert!(matches!(frame.line, Some(2 | 4 | 5)), "{frame:?}");
        assert_eq!(frame.file.as_deref(), script.to_str());
    }
}

const JAVA: &str = r"
public class Fib {
    static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static long run() { long sum = 0; for (int i = 0; i < 1000; i++) sum += fib(20); return sum; }
    public static void main(String[] arguments) { System.out.print('r'); System.out.flush(); long sum = 0; while (sum != 1) sum += run(); }
}
";

#[test]
fn a_stack_of_java_goes_through_generated_code_and_back_into_native_code() {
    let bench = Bench::new();
    let source = bench.path().join("Fib.java");
    std::fs::write(&source, JAVA).unwrap();
    let Ok(compiled) = Command::new("javac").arg(&source).status() else {
        eprintln!("skipped: no javac here");
        return;
    };
    assert!(compiled.success());
    let mut command = Command::new("java");
    command.args(["-XX:+PreserveFramePointer", "-cp"]).arg(bench.path()).arg("Fib");
    let mut tracee = Tracee::start(&mut command);
    let map = format!("/tmp/perf-{}.map", tracee.pid());
    let expected = ["Fib.fib", "Interpreter", "JavaMain"];
    let (good, names) = through(&mut tracee, &expected, |pid| {
        let asked = Command::new("jcmd").arg(pid.to_string()).arg("Compiler.perfmap").output().unwrap();
        assert!(asked.status.success());
    });
    let _ = std::fs::remove_file(map);
    assert!(good > LOOKS / 2, "{good} of {LOOKS}: {:#?}", names.last());
}
