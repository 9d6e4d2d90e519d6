//! The Python reader against real interpreters: every version that is installed.
//!
//! Looked for: `/usr/bin/python3`, which must be there, pyenv's versions, and the programs named in
//! `SLOWPATH_PYTHONS`, separated by colons. py-spy is the oracle where `target/py-spy/bin/py-spy` exists
//! (`python3 -m venv target/py-spy && target/py-spy/bin/pip install py-spy`).

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use model::recording::{Language, Owner};
use stacks::python::{Interpreter, NotPython, PyThread, Torn};

const SCRIPT: &str = include_str!("nested.py");

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/nested.py")
}

fn pythons() -> Vec<PathBuf> {
    let system = PathBuf::from("/usr/bin/python3");
    assert!(system.exists(), "the tests need /usr/bin/python3");
    let root = std::env::var("PYENV_ROOT").or_else(|_| std::env::var("HOME").map(|home| home + "/.pyenv"));
    let mut found = vec![system];
    for minor in 8..=13 {
        let versions = Path::new(root.as_deref().unwrap_or("/nowhere")).join("versions");
        let wanted = format!("3.{minor}.");
        let installed = versions.read_dir().into_iter().flatten().flatten();
        let version = installed
            .map(|entry| entry.path())
            .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&wanted)));
        match version {
            Some(path) => found.push(path.join("bin/python3")),
            None => println!("skipped: Python 3.{minor} is not installed"),
        }
    }
    match std::env::var("SLOWPATH_PYTHONS") {
        Ok(more) => found.extend(more.split(':').map(PathBuf::from)),
        Err(_) => println!("skipped: SLOWPATH_PYTHONS names no further interpreters"),
    }
    found
}

/// A running script, ended with the test.
struct Target {
    child: Child,
    /// Kept open, or the script could not go on speaking.
    _stdout: BufReader<ChildStdout>,
    /// What it said when it was ready.
    words: Vec<u32>,
}

impl Target {
    fn start(python: &Path, what: &str) -> Self {
        let mut child = Command::new(python)
            .arg(script())
            .arg(what)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|cause| panic!("{}: {cause}", python.display()));
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let words = line.split_ascii_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        Self { child, _stdout: stdout, words }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Reads until the thread has come to where the script sleeps.
fn asleep(interpreter: &mut Interpreter, tid: u32, name: &str) -> PyThread {
    for _ in 0..2000 {
        if let Ok(Some(thread)) = interpreter.read_thread(tid) {
            let stack = stack(interpreter, &thread);
            if stack.iter().any(|(function, line, _)| function.ends_with(name) && *line == line_of(name)) {
                return thread;
            }
        }
        sleep(Duration::from_millis(5));
    }
    panic!("thread {tid} never came to {name}");
}

/// The line of the script that a function is marked at.
fn line_of(function: &str) -> Option<u32> {
    let mark = format!("# line: {function}");
    let marked =
        |line: &str| line.ends_with(&mark) || line.ends_with(&mark.replace("line: ", "line: Worker."));
    SCRIPT.lines().zip(1..).find(|(line, _)| marked(line)).map(|(_, number)| number)
}

/// Name, line, entry of each frame.
fn stack(interpreter: &Interpreter, thread: &PyThread) -> Vec<(String, Option<u32>, bool)> {
    let frames = thread.frames.iter();
    frames
        .map(|frame| (interpreter.code(frame.code).unwrap().name.clone(), frame.line, frame.entry))
        .collect()
}

/// What `sleep` of the script looks like: name before 3.11, name since, line, entry since 3.11.
const SLEEP: [(&str, &str, &str, bool); 10] = [
    ("pause", "pause", "pause", false),
    ("fold", "fold", "fold", true),
    ("by_key", "by_key", "by_key", true),
    ("ordered", "ordered", "ordered", false),
    ("<genexpr>", "numbers.<locals>.<genexpr>", "numbers", true),
    ("numbers", "numbers", "numbers", true),
    ("step", "Machine.step", "Machine.step", false),
    ("run", "Machine.run", "Machine.run", false),
    ("sleep", "sleep", "sleep", false),
    ("<module>", "<module>", "<module>", true),
];

#[test]
fn a_sleeping_program_is_read_exactly() {
    for python in pythons() {
        let target = Target::start(&python, "sleep");
        let mut interpreter = Interpreter::find(target.pid()).unwrap();
        let [minor, main, worker] = target.words[..] else { panic!("{:?}", target.words) };
        assert_eq!(u32::from(interpreter.minor()), minor);
        let thread = asleep(&mut interpreter, main, "pause");
        let expected: Vec<_> = SLEEP
            .iter()
            .map(|(plain, qualified, mark, entry)| {
                let name = if minor < 11 { plain } else { qualified };
                ((*name).to_owned(), line_of(mark), *entry || minor < 11)
            })
            .collect();
        assert_eq!(stack(&interpreter, &thread), expected, "{}", python.display());
        assert_eq!((thread.tid, thread.holds_lock), (target.pid(), Some(false)), "{}", python.display());
        let frame = interpreter.frame(&thread.frames[0], |_| Owner::Project);
        assert_eq!((frame.language, frame.owner), (Language::Python, Owner::Project));
        assert_eq!(frame.file.as_deref(), script().to_str());

        let other = asleep(&mut interpreter, worker, "loop");
        let names: Vec<String> = stack(&interpreter, &other).into_iter().map(|(name, ..)| name).collect();
        let bottom = if minor < 11 { "_bootstrap" } else { "Thread._bootstrap" };
        assert_eq!(names.last().map(String::as_str), Some(bottom), "{names:?}");

        let reading = interpreter.read().unwrap();
        let tids: HashSet<u32> = reading.threads.iter().map(|thread| thread.tid).collect();
        assert_eq!((tids, reading.torn, reading.holder()), (HashSet::from([main, worker]), 0, None));
        assert_eq!(interpreter.read_thread(1).unwrap(), None);
    }
}

/// Who may call whom in `spin`, `small` and `deep`, by plain names.
fn is_edge(caller: &str, callee: &str) -> bool {
    matches!(
        (caller, callee),
        ("<module>", "spin" | "small" | "deep")
            | ("spin", "say" | "odd" | "even" | "<genexpr>" | "made")
            | ("odd", "even")
            | ("even", "odd")
            | ("<genexpr>" | "made_", "square")
            | ("made", "made_" | "<module>")
            | ("small", "top")
            | ("top", "middle")
            | ("middle" | "first", "leaf")
            | ("deep" | "item", "node")
            | ("node", "sequence")
            | ("sequence", "item")
            | ("node" | "sequence", "first")
    )
}

/// Without the class, the enclosing function, and the number of a made function.
fn plain(name: &str) -> &str {
    let name = name.rsplit('.').next().unwrap();
    if name.starts_with("made_") && name[5..].parse::<u32>().is_ok() { "made_" } else { name }
}

/// What looks at a running program found.
#[derive(Debug, Default)]
struct Looks {
    whole: usize,
    torn: usize,
    /// Between two frames there is a moment without one.
    none: usize,
    /// Stacks that cannot be.
    mixed: Vec<Vec<String>>,
    /// The innermost functions of the others, and the most frames.
    innermost: HashMap<String, usize>,
    deepest: usize,
}

impl Looks {
    fn look(&mut self, interpreter: &mut Interpreter, tid: u32) {
        match interpreter.read_thread(tid) {
            Ok(Some(thread)) => {
                self.whole += 1;
                let names: Vec<String> =
                    stack(interpreter, &thread).iter().map(|(name, ..)| plain(name).to_owned()).collect();
                let is_call = |pair: &[String]| matches!(pair, [callee, caller] if is_edge(caller, callee));
                let is_whole = names.last().is_some_and(|name| name == "<module>");
                if is_whole && names.windows(2).all(is_call) {
                    self.deepest = self.deepest.max(names.len());
                    *self.innermost.entry(names[0].clone()).or_default() += 1;
                } else {
                    self.mixed.push(names);
                }
            }
            Ok(None) => self.none += 1,
            // A chain that changed while it was walked may lead in a circle.
            Err(Torn::Moved | Torn::Deep { .. }) => self.torn += 1,
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_program_in_motion_is_made_of_its_own_calls() {
    for python in pythons() {
        for (program, functions, depth) in [("spin", 4, 4), ("small", 4, 5), ("deep", 5, 21)] {
            let target = Target::start(&python, program);
            let mut interpreter = Interpreter::find(target.pid()).unwrap();
            let mut looks = Looks::default();
            // On a busy machine the target may not run for a while, and a stack that stands still proves little.
            for _ in 0..200_000 {
                if looks.whole >= 1000 && looks.innermost.len() >= functions && looks.deepest >= depth {
                    break;
                }
                std::thread::yield_now();
                looks.look(&mut interpreter, target.pid());
            }
            let Looks { whole, torn, none, mixed, innermost, deepest } = &looks;
            let which = format!("{program} of {}", python.display());
            println!(
                "{which}: {whole} whole, {torn} torn, {} mixed, {deepest} deep, innermost {innermost:?}",
                mixed.len()
            );
            // A new frame is linked in a few instructions. A target that loses its CPU between them stands still with the
            // caller of a moment ago, and nothing in its memory tells. A busy machine makes that more likely.
            // Generators link and unlink one at each turn: with 3.13, 10 to 21 of a thousand were seen on a quiet machine.
            let part = if program == "deep" { 20 } else { 100 };
            assert!(mixed.len() * part <= *whole, "{which}: {mixed:?} of {whole}");
            // Who is thrown away depends on how fast one CPU of this machine sees what another one writes: 10 to 35 % of the
            // deep ones until 3.10. Half of them must be read.
            assert!(torn <= whole, "{which}: {whole} whole, {torn} torn");
            assert!(none * 50 <= *whole, "{which}: {none} without a frame, {whole} whole");
            assert!(innermost.len() >= functions, "{which}: {innermost:?}");
            assert!(*deepest >= depth, "{which}: {deepest}");
        }
    }
}

#[test]
fn the_spinning_thread_holds_the_lock_and_the_sleeping_one_does_not() {
    for python in pythons() {
        let target = Target::start(&python, "hold");
        let mut interpreter = Interpreter::find(target.pid()).unwrap();
        let [_, main, spinning] = target.words[..] else { panic!("{:?}", target.words) };
        asleep(&mut interpreter, main, "pause");
        let mut locks = || {
            let reading = interpreter.read().unwrap();
            let lock_of = |tid| reading.threads.iter().find(|thread| thread.tid == tid)?.holds_lock;
            (lock_of(main), lock_of(spinning))
        };
        // The line says where it will sleep, not that it does already. Once it has let go, it does.
        let truth = (Some(false), Some(true));
        assert!(
            (0..2000).any(|_| locks() == truth || {
                sleep(Duration::from_millis(5));
                false
            }),
            "{}",
            python.display()
        );
        // A thread that moved too fast to be read is left out; one that is read has the truth.
        let seen: Vec<_> = (0..300).map(|_| locks()).collect();
        assert!(
            seen.iter().all(|(main, spinning)| *main != Some(true) && *spinning != Some(false)),
            "{seen:?}"
        );
        let whole = seen.iter().filter(|locks| **locks == truth).count();
        assert!(whole >= 200, "{}: {whole} of 300", python.display());
    }
}

#[test]
fn a_thread_that_collects_garbage_says_so_and_one_that_spins_does_not() {
    for python in pythons() {
        let share = |what: &str| {
            let target = Target::start(&python, what);
            let mut interpreter = Interpreter::find(target.pid()).unwrap();
            let mut look = || interpreter.read().ok()?.threads.first()?.collecting;
            let seen: Vec<bool> = (0..200)
                .filter_map(|_| {
                    sleep(Duration::from_millis(1));
                    look()
                })
                .collect();
            if !interpreter.shows_collector() {
                assert!(seen.is_empty(), "{}", python.display());
                return None;
            }
            assert!(seen.len() >= 20, "{}: {} of 200", python.display(), seen.len());
            Some(seen.iter().filter(|collecting| **collecting).count() as f64 / seen.len() as f64)
        };
        let (Some(collecting), Some(spinning)) = (share("collect"), share("spin")) else { continue };
        assert!(collecting >= 0.8, "{}: {collecting}", python.display());
        assert!(spinning <= 0.2, "{}: {spinning}", python.display());
    }
}

#[test]
fn a_forked_child_has_its_own_number() {
    for python in pythons() {
        let target = Target::start(&python, "fork");
        let child = target.words[0];
        let mut interpreter = Interpreter::find(child).unwrap();
        let thread = asleep(&mut interpreter, child, "pause");
        assert_eq!(thread.tid, child, "{}", python.display());
        // SAFETY: a signal to a process this test has started.
        unsafe { libc::kill(child.cast_signed(), libc::SIGKILL) };
    }
}

#[test]
fn a_process_that_dies_is_gone_and_not_torn() {
    let mut target = Target::start(Path::new("/usr/bin/python3"), "spin");
    let mut interpreter = Interpreter::find(target.pid()).unwrap();
    interpreter.read().unwrap();
    target.child.kill().unwrap();
    target.child.wait().unwrap();
    assert_eq!(interpreter.read(), Err(Torn::Gone));
    assert_eq!(interpreter.read_thread(target.pid()), Err(Torn::Gone));
    assert_eq!(Interpreter::find(target.pid()).unwrap_err(), NotPython::Gone { pid: target.pid() });
}

#[test]
fn other_programs_are_not_python() {
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    // Its own libraries may not be there yet, but that makes it no Python either.
    assert_eq!(Interpreter::find(child.id()).unwrap_err(), NotPython::NoInterpreter);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_process_of_another_user_is_refused() {
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } != 0 {
        return println!("skipped: only root can become another user");
    }
    let target = Target::start(Path::new("/usr/bin/python3"), "spin");
    let pid = target.pid();
    let mut before = Interpreter::find(pid).unwrap();
    let refused = std::thread::scope(|scope| {
        let as_nobody = scope.spawn(|| {
            // SAFETY: by the bare system call only this thread changes its user, and it ends after this.
            let changed = unsafe { libc::syscall(libc::SYS_setresuid, 65534, 65534, 65534) };
            assert_eq!(changed, 0);
            Interpreter::find(pid).map(|_| ()).unwrap_err()
        });
        as_nobody.join().unwrap()
    });
    assert_eq!(refused, NotPython::Refused { pid });
    before.read().unwrap();
}

#[test]
fn py_spy_sees_the_same() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let py_spy = workspace.join("target/py-spy/bin/py-spy");
    if !py_spy.exists() {
        return println!("skipped: {} is not installed", py_spy.display());
    }
    for python in pythons() {
        let target = Target::start(&python, "sleep");
        let mut interpreter = Interpreter::find(target.pid()).unwrap();
        asleep(&mut interpreter, target.words[1], "pause");
        asleep(&mut interpreter, target.words[2], "loop");
        let dump = Command::new(&py_spy).args(["dump", "--pid", &target.pid().to_string()]).output().unwrap();
        let theirs = String::from_utf8_lossy(&dump.stdout).into_owned();
        if !dump.status.success() {
            println!("skipped: py-spy cannot read {}", python.display());
            continue;
        }
        for thread in interpreter.read().unwrap().threads {
            // py-spy prints the plain name, the file's short name and the line.
            let ours: Vec<String> = stack(&interpreter, &thread)
                .iter()
                .map(|(name, line, _)| {
                    format!("{} ", name.rsplit('.').next().unwrap()) + &format!(":{})", line.unwrap())
                })
                .collect();
            let blocks: Vec<Vec<String>> = theirs
                .split("\nThread ")
                .map(|block| {
                    let frames = block.lines().filter(|line| line.starts_with("    "));
                    let parts = frames.filter_map(|line| line.trim().split_once(" ("));
                    parts
                        .map(|(name, place)| {
                            let name = name.rsplit('.').next().unwrap();
                            format!("{name} :{}", place.rsplit(':').next().unwrap())
                        })
                        .collect()
                })
                .collect();
            assert!(blocks.contains(&ours), "{}: {ours:?} not in {theirs}", python.display());
        }
    }
}
