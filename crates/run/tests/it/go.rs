//! Goroutines of Go programs: where each waits and why, seen from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::doctor::Level;
use model::recording::Recording;
use model::task::{Doing, TaskSpan};
use model::{Ended, Stage};
use run::launch::{Layout, environment};
use run::record::{Options, record};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// One target at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder of a built program. `None` where there is no Go, which is said.
fn built(source: &str, flags: &[&str]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("main.go");
    fs::write(&file, source).unwrap();
    let program = folder.path().join("program");
    let mut go = Command::new("go");
    go.arg("build").args(flags).arg("-o").arg(&program).arg(&file).current_dir(folder.path());
    let Ok(made) = go.output() else {
        eprintln!("skipped: no go here");
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(folder)
}

fn recorded(folder: &Path) -> Recording {
    recorded_at(folder, None)
}

fn recorded_at(folder: &Path, level: Option<Level>) -> Recording {
    let _alone = alone();
    let recipe = Recipe {
        path: folder.join("program"),
        argv: vec!["program".into()],
        env: environment([]),
        cwd: Some(folder.to_owned()),
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    };
    let options = Options {
        rate: 999,
        stack: None,
        level,
        project: PathBuf::from(folder),
        cache: None,
        runtimes: false,
        generated: false,
        seed: 1,
    };
    let recorded = record(&Rig::open().unwrap(), &recipe, SLOT, &options).unwrap();
    assert_eq!(recorded.run.unwrap().sample.ended, Ended::Code(0));
    recorded.recording
}

/// The functions of a span's stack, innermost first.
fn functions<'a>(recording: &'a Recording, span: &TaskSpan) -> Vec<&'a str> {
    let frames = span.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
    frames.filter_map(|frame| frame.function.as_deref()).collect()
}

/// Whether the functions stand in this order, from the inside, with others between them.
fn in_order(functions: &[&str], wanted: &[&str]) -> bool {
    let mut rest = functions.iter();
    wanted.iter().all(|wanted| rest.any(|function| function == wanted))
}

fn waiting(recording: &Recording) -> impl Iterator<Item = &TaskSpan> {
    recording.task_spans.iter().filter(|span| span.doing == Doing::Waiting)
}

/// The goroutines that were seen waiting along these functions, and the looks that saw them.
fn seen_at(recording: &Recording, wanted: &[&str]) -> (usize, u32) {
    let spans: Vec<&TaskSpan> =
        waiting(recording).filter(|span| in_order(&functions(recording, span), wanted)).collect();
    let mut tasks: Vec<u32> = spans.iter().map(|span| span.task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    (tasks.len(), spans.iter().map(|span| span.looks).sum())
}

fn told(recording: &Recording) -> Vec<(Option<String>, Vec<&str>)> {
    let reason = |span: &TaskSpan| span.call.map(|call| recording.calls[call as usize].name.clone());
    waiting(recording).map(|span| (reason(span), functions(recording, span))).collect()
}

const LOCKED: &str = r#"package main

import (
	"sync"
	"time"
)

type desk struct {
	mutex sync.Mutex
	count int
}

//go:noinline
func (d *desk) serve() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	time.Sleep(20 * time.Millisecond)
	d.count++
}

//go:noinline
func visit(d *desk, group *sync.WaitGroup) {
	defer group.Done()
	for i := 0; i < 5; i++ {
		d.serve()
	}
}

func main() {
	var group sync.WaitGroup
	d := &desk{}
	for i := 0; i < 4; i++ {
		group.Add(1)
		go visit(d, &group)
	}
	group.Wait()
}
"#;

#[test]
fn a_goroutine_that_waits_for_a_mutex_is_seen_at_lock_with_its_caller() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    let recording = recorded(folder.path());
    let (tasks, looks) = seen_at(&recording, &["main.(*desk).serve", "main.visit"]);
    assert!(tasks >= 3 && looks >= 10, "{tasks} {looks} {:?}", told(&recording));
    let slow = seen_at(&recording, &["sync.(*Mutex).lockSlow", "main.(*desk).serve", "main.visit"]);
    let lock = seen_at(&recording, &["internal/sync.(*Mutex).lockSlow", "main.(*desk).serve", "main.visit"]);
    assert!(slow.0.max(lock.0) >= 3, "{:?}", told(&recording));
    assert!(recording.processes[0].runtime.as_deref().is_some_and(|runtime| runtime.starts_with("go 1.")));
}

#[test]
fn a_goroutine_that_sleeps_is_seen_in_its_sleep() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    let recording = recorded(folder.path());
    let (_, looks) = seen_at(&recording, &["time.Sleep", "main.(*desk).serve", "main.visit"]);
    assert!(looks >= 10, "{:?}", told(&recording));
    let is_sleep = |span: &&TaskSpan| functions(&recording, span).contains(&"time.Sleep");
    let mut reasons = waiting(&recording).filter(is_sleep).filter_map(|span| span.call);
    assert!(reasons.all(|call| recording.calls[call as usize].name == "sleep"));
}

#[test]
fn the_main_goroutine_is_seen_waiting_for_the_others() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    // On a busy machine the looks at it may all have come while it was on its way there.
    let is_seen = || {
        let recording = recorded(folder.path());
        let main = recording.tasks.iter().position(|task| task.main).unwrap();
        let of_main = waiting(&recording).filter(|span| span.task as usize == main);
        let longest = of_main.max_by_key(|span| span.to.as_nanos() - span.from.as_nanos()).unwrap();
        println!("{longest:?} {:?}", functions(&recording, longest));
        // It stays there from the first visit to the last, so many looks see the same wait.
        in_order(&functions(&recording, longest), &["sync.(*WaitGroup).Wait", "main.main"])
            && longest.looks >= 10
            && longest.parkings <= 8
    };
    assert!((0..3).any(|_| is_seen()));
}

#[test]
fn goroutines_of_the_runtime_itself_are_not_shown() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    let recording = recorded(folder.path());
    // Main and four visitors.
    assert_eq!(recording.tasks.len(), 5, "{:?}", told(&recording));
    let own = ["runtime.bgsweep", "runtime.bgscavenge", "runtime.forcegchelper", "runtime.runfinq"];
    for (_, functions) in told(&recording) {
        assert!(!functions.iter().any(|function| own.contains(function)), "{functions:?}");
    }
}

#[test]
fn spans_of_a_goroutine_follow_each_other_and_do_not_overlap() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    let recording = recorded(folder.path());
    for pair in recording.task_spans.windows(2) {
        assert!(pair[0].from <= pair[0].to);
        assert!(pair[0].task < pair[1].task || pair[0].to <= pair[1].from, "{pair:?}");
    }
}

#[test]
fn without_perf_events_goroutines_are_seen_too() {
    let Some(folder) = built(LOCKED, &[]) else { return };
    let recording = recorded_at(folder.path(), Some(Level::D));
    let (_, looks) = seen_at(&recording, &["time.Sleep", "main.(*desk).serve", "main.visit"]);
    assert!(looks >= 10, "{:?}", told(&recording));
}

const ASKING: &str = r#"package main

import (
	"io"
	"net"
	"time"
)

func answer(door net.Listener) {
	for {
		caller, err := door.Accept()
		if err != nil {
			return
		}
		go func() {
			var word [1]byte
			for {
				if _, err := io.ReadFull(caller, word[:]); err != nil {
					return
				}
				time.Sleep(30 * time.Millisecond)
				caller.Write(word[:])
			}
		}()
	}
}

//go:noinline
func ask(line net.Conn) {
	var word [1]byte
	line.Write(word[:])
	io.ReadFull(line, word[:])
}

func main() {
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go answer(door)
	line, err := net.Dial("tcp", door.Addr().String())
	if err != nil {
		panic(err)
	}
	for i := 0; i < 10; i++ {
		ask(line)
	}
}
"#;

#[test]
fn a_goroutine_that_waits_for_an_answer_is_seen_in_its_read() {
    let Some(folder) = built(ASKING, &[]) else { return };
    let recording = recorded(folder.path());
    let (tasks, looks) = seen_at(&recording, &["net.(*conn).Read", "main.ask", "main.main"]);
    assert!(tasks == 1 && looks >= 10, "{:?}", told(&recording));
    let reasons = told(&recording);
    let asks = reasons.iter().filter(|(_, functions)| functions.contains(&"main.ask"));
    let waits =
        asks.filter_map(|(reason, _)| reason.as_deref()).filter(|reason| *reason == "IO wait").count();
    // Ten answers, each later than several looks; a loaded machine may merge or miss a few.
    assert!(waits >= 5, "{reasons:?}");
}

#[test]
fn a_program_without_symbols_says_what_is_missing() {
    let Some(folder) = built(LOCKED, &["-ldflags=-s -w"]) else { return };
    let recording = recorded(folder.path());
    assert!(recording.tasks.is_empty());
    let gap = recording.gaps.iter().find(|gap| gap.what == "what goroutines wait for").unwrap();
    assert!(gap.why.contains("stripped"), "{gap:?}");
}

#[test]
fn a_program_that_may_lie_anywhere_is_read_as_well() {
    let Some(folder) = built(LOCKED, &["-buildmode=pie"]) else { return };
    let recording = recorded(folder.path());
    let (_, looks) = seen_at(&recording, &["time.Sleep", "main.(*desk).serve", "main.visit"]);
    assert!(looks >= 10, "{:?}", told(&recording));
}

#[test]
fn a_program_of_another_language_has_no_tasks() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/bin/true", folder.path().join("program")).unwrap();
    let recording = recorded(folder.path());
    assert!(recording.tasks.is_empty() && recording.task_spans.is_empty());
    assert!(!recording.gaps.iter().any(|gap| gap.what.contains("goroutine")));
}

/// The compiler writes `(*Sheet).At`, which copies a sheet for each call: its frame is larger than what is copied of a stack
/// at first, and begins with what an earlier call has left there.
const COPIES: &str = r#"
package main

import "fmt"

type Surface interface {
	Label() string
	At(x int) float32
}

type Sheet struct {
	row   int
	cells [1024]float32
}

func (s Sheet) Label() string { return fmt.Sprintf("row %d", s.row) }

func (s Sheet) At(x int) float32 { return s.cells[x&1023] }

//go:noinline
func around(s Surface, x int) float32 {
	var sum float32
	for d := 0; d < 25; d++ {
		sum += s.At(x + d)
	}
	return sum
}

func main() {
	var sum float32
	var s Surface = Sheet{row: 7}
	for x := 0; x < 60000; x++ {
		if x%64 == 0 && len(s.Label()) == 0 {
			break
		}
		sum += around(s, x)
	}
	fmt.Println(sum)
}
"#;

#[test]
fn a_function_with_a_large_frame_is_called_by_who_calls_it() {
    let Some(folder) = built(COPIES, &[]) else { return };
    let recording = recorded(folder.path());
    let stacks = recording.hits.iter().filter_map(|hit| hit.stack);
    let names = |stack: u32| recording.frames_of(stack).filter_map(|frame| frame.function.as_deref());
    let at: Vec<Vec<&str>> = stacks
        .map(|stack| names(stack).collect::<Vec<_>>())
        .filter(|names| names.iter().any(|name| name.ends_with("Sheet).At")))
        .collect();
    let right = at.iter().filter(|names| {
        let callee = names.iter().position(|name| name.ends_with("Sheet).At"));
        callee.and_then(|callee| names.get(callee + 1)) == Some(&"main.around")
    });
    let (right, all) = (right.count(), at.len());
    assert!(all > 20 && right * 10 >= all * 9, "{right} of {all}: {:?}", at.first());
}
