//! Programs whose runtime schedules tasks: what held them up is what their tasks waited for, not where threads park.

use model::answer::Account;
use model::doctor::Level;
use model::profile::{Profile, WaitSite};
use model::task::{Doing, Task, TaskSpan};
use proptest::prelude::*;

use super::super::{Context, study};
use super::made::{Made, assert_closed, leaf, leaves, lock, ms};

fn wall(profile: &Profile) -> &Account {
    profile.account.as_ref().unwrap()
}

/// A task of the first process; the first one runs `main`.
fn task(made: &mut Made) -> u32 {
    let tasks = &mut made.0.tasks;
    let index = tasks.len() as u32;
    tasks.push(Task { process: 0, id: u64::from(index) + 1, main: index == 0 });
    index
}

fn span(made: &mut Made, task: u32, from: u64, to: u64, doing: Doing) -> &mut TaskSpan {
    made.0.task_spans.push(TaskSpan {
        task,
        from: ms(from),
        to: ms(to),
        doing,
        thread: None,
        call: None,
        stack: None,
        looks: 5,
        parkings: 1,
    });
    made.0.task_spans.last_mut().unwrap()
}

fn waits(made: &mut Made, task: u32, from: u64, to: u64, reason: &str, functions: &[&str]) {
    let (call, stack) = (made.call(reason, None), made.stack(functions));
    let span = span(made, task, from, to, Doing::Waiting);
    (span.call, span.stack) = (Some(call), Some(stack));
}

fn runs(made: &mut Made, task: u32, from: u64, to: u64, thread: u32) {
    span(made, task, from, to, Doing::Running).thread = Some(thread);
}

/// The thread is parked by the runtime; its stack ends after one frame.
fn parked(made: &mut Made, thread: u32, from: u64, to: u64) {
    let stack = made.stack(&["runtime.futex"]);
    made.blocked(thread, from, to, "futex", lock(0x8c0)).stack = Some(stack);
}

fn site<'a>(profile: &'a Profile, function: &str) -> &'a WaitSite {
    let at = |site: &&WaitSite| site.place.as_ref().is_some_and(|place| place.function == function);
    profile.waits.iter().find(at).unwrap_or_else(|| panic!("{:?}", profile.waits))
}

const SLEEP: [&str; 5] = ["runtime.goexit", "p:main.main", "p:main.rest", "time.Sleep", "runtime.gopark"];

#[test]
fn a_parked_thread_waits_for_what_the_main_task_waits_for() {
    let mut made = Made::new(Level::C, 100);
    let work = made.stack(&["p:main.main", "p:main.work"]);
    made.hits(0, 0, 40, work);
    parked(&mut made, 0, 40, 100);
    let main = task(&mut made);
    runs(&mut made, main, 0, 40, 0);
    waits(&mut made, main, 40, 100, "sleep", &SLEEP);
    let profile = made.profile();
    assert_eq!(leaves(wall(&profile)), [("blocked/sleep", 60.0), ("on-cpu/user", 40.0)]);
    let rest = site(&profile, "main.rest");
    assert_eq!((rest.leaf.as_str(), rest.threads, rest.idle), ("blocked/sleep", 1, false));
    assert!((rest.critical_s - 0.06).abs() < 1e-9 && (rest.seconds - 0.06).abs() < 1e-9);
    assert_eq!(profile.waits.len(), 1, "the thread itself has nothing to add");
}

#[test]
fn an_answer_awaited_through_a_library_is_a_wait_for_the_network_at_who_asked() {
    let mut made = Made::new(Level::C, 100);
    parked(&mut made, 0, 0, 100);
    let main = task(&mut made);
    let ask = ["p:main.main", "p:main.ask", "net/http.(*persistConn).roundTrip", "runtime.selectgo"];
    waits(&mut made, main, 0, 100, "select", &ask);
    // The library's own reader and a server that waits for its next caller say nothing.
    let (reader, door) = (task(&mut made), task(&mut made));
    waits(
        &mut made,
        reader,
        0,
        100,
        "IO wait",
        &["net/http.(*persistConn).readLoop", "internal/poll.runtime_pollWait"],
    );
    waits(
        &mut made,
        door,
        0,
        100,
        "IO wait",
        &["p:main.serve", "net.(*netFD).accept", "internal/poll.runtime_pollWait"],
    );
    let profile = made.profile();
    assert_eq!(leaves(wall(&profile)), [("blocked/network", 100.0)]);
    assert!((site(&profile, "main.ask").critical_s - 0.1).abs() < 1e-9);
    let serve = site(&profile, "main.serve");
    assert_eq!(
        (serve.idle, serve.leaf.as_str()),
        (true, "blocked/network"),
        "who waits for a caller has no lock"
    );
    assert_eq!(profile.waits.len(), 2);
}

#[test]
fn a_server_that_is_told_to_end_waits_for_its_own_tasks() {
    let mut made = Made::new(Level::C, 100);
    parked(&mut made, 0, 0, 100);
    let main = task(&mut made);
    let ends = ["p:main.main", "net/http.(*Server).Shutdown", "runtime.selectgo"];
    waits(&mut made, main, 0, 100, "select", &ends);
    let profile = made.profile();
    assert_eq!(site(&profile, "main.main").leaf, "blocked/lock", "no peer is known");
}

/// The main task waits for a group of four, of which one computes and three wait for its lock.
fn contended() -> Made {
    let mut made = Made::new(Level::C, 100);
    let worker = made.thread(0, 101, "main", 0, 100);
    parked(&mut made, 0, 0, 100);
    let work = made.stack(&["runtime.goexit", "p:main.visit", "p:main.serve", "p:main.count"]);
    made.hits(worker, 0, 100, work);
    let main = task(&mut made);
    waits(
        &mut made,
        main,
        0,
        100,
        "semacquire",
        &["p:main.main", "sync.(*WaitGroup).Wait", "runtime.gopark"],
    );
    let holder = task(&mut made);
    runs(&mut made, holder, 0, 100, worker);
    for _ in 0..3 {
        let other = task(&mut made);
        let queue = ["p:main.visit", "p:main.serve", "sync.(*Mutex).lockSlow", "runtime.gopark"];
        waits(&mut made, other, 0, 100, "semacquire", &queue);
    }
    let idle = task(&mut made);
    waits(&mut made, idle, 0, 100, "chan receive", &["p:main.bell", "runtime.chanrecv", "runtime.gopark"]);
    made
}

#[test]
fn a_group_that_queues_for_a_lock_is_held_up_by_it_while_its_holder_computes() {
    let mut made = contended();
    let profile = made.profile();
    assert_eq!(leaves(wall(&profile)), [("on-cpu/user", 100.0)], "the holder's work is the reason");
    let serve = site(&profile, "main.serve");
    assert_eq!((serve.leaf.as_str(), serve.threads), ("blocked/lock", 3));
    assert!((serve.seconds - 0.3).abs() < 1e-9);
    assert!((serve.critical_s - 0.075).abs() < 1e-9, "three of the four that work: {}", serve.critical_s);
    assert!(site(&profile, "main.bell").idle);
    let holders = study(&made.0, &Context::default()).holders;
    assert!((holders["main.serve"].busy - 1.0).abs() < 1e-9 && holders["main.serve"].waits == 0.0);
}

#[test]
fn a_holder_that_sleeps_below_the_function_that_locks_is_seen_waiting() {
    let mut made = Made::new(Level::C, 100);
    parked(&mut made, 0, 0, 100);
    let main = task(&mut made);
    waits(
        &mut made,
        main,
        0,
        100,
        "semacquire",
        &["p:main.main", "sync.(*WaitGroup).Wait", "runtime.gopark"],
    );
    let (holder, other) = (task(&mut made), task(&mut made));
    waits(&mut made, holder, 0, 100, "sleep", &["p:main.serve", "time.Sleep", "runtime.gopark"]);
    waits(
        &mut made,
        other,
        0,
        100,
        "semacquire",
        &["p:main.serve", "sync.(*Mutex).lockSlow", "runtime.gopark"],
    );
    let holders = study(&made.0, &Context::default()).holders;
    assert!((holders["main.serve"].waits - 1.0).abs() < 1e-9, "{holders:?}");
    let profile = made.profile();
    assert!(
        (leaf(wall(&profile), "blocked/sleep") + leaf(wall(&profile), "blocked/lock") - 100.0).abs() < 1e-6
    );
}

#[test]
fn who_answers_requests_is_not_what_the_main_task_waits_for_unless_it_serves_itself() {
    for serves in [false, true] {
        let mut made = Made::new(Level::C, 100);
        parked(&mut made, 0, 0, 100);
        let (main, asker, answerer) = (task(&mut made), task(&mut made), task(&mut made));
        let group = ["p:main.main", "sync.(*WaitGroup).Wait", "runtime.gopark"];
        let door = ["p:main.main", "net.(*netFD).accept", "runtime.gopark"];
        waits(&mut made, main, 0, 100, "semacquire", if serves { &door } else { &group });
        let ask =
            ["p:main.gather.func1", "p:main.ask", "net/http.(*persistConn).roundTrip", "runtime.selectgo"];
        waits(&mut made, asker, 0, 100, "select", &ask);
        let answer = ["runtime.goexit", "net/http.(*conn).serve", "p:main.answer", "time.Sleep"];
        waits(&mut made, answerer, 0, 100, "sleep", &answer);
        let profile = made.profile();
        let critical = |function| (site(&profile, function).critical_s * 1000.0).round() as u64;
        let expected = if serves { (50, 50) } else { (100, 0) };
        assert_eq!((critical("main.ask"), critical("main.answer")), expected, "{serves}");
    }
}

#[test]
fn time_in_which_the_main_task_runs_on_another_thread_is_that_threads() {
    let mut made = Made::new(Level::C, 100);
    let other = made.thread(0, 101, "main", 0, 100);
    let (first, second) =
        (made.stack(&["p:main.main", "p:main.read"]), made.stack(&["p:main.main", "p:main.sort"]));
    made.hits(0, 0, 30, first);
    parked(&mut made, 0, 30, 100);
    parked(&mut made, other, 0, 30);
    made.hits(other, 30, 100, second);
    let main = task(&mut made);
    runs(&mut made, main, 0, 30, 0);
    runs(&mut made, main, 30, 100, other);
    let profile = made.profile();
    assert_eq!(leaves(wall(&profile)), [("on-cpu/user", 100.0)]);
    let sort = profile.hotspots.iter().find(|hotspot| hotspot.place.function == "main.sort").unwrap();
    assert!((sort.total.value - 0.7).abs() < 1e-9);
}

#[test]
fn without_tasks_nothing_changes() {
    let mut made = contended();
    made.0.tasks.clear();
    made.0.task_spans.clear();
    let profile = made.profile();
    assert!(profile.waits.iter().all(|site| site.call.as_deref() == Some("futex")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_the_spans_say_every_account_adds_up(
        spans in proptest::collection::vec((0_u32..8, 0_u64..120, 0_u64..60, 0_u8..4, 0_u32..4, 0_u32..40, 0_u32..3), 0..60),
        main in any::<bool>(),
    ) {
        let mut made = contended();
        made.0.tasks[0].main = main;
        for (task, from, length, doing, thread, stack, looks) in spans {
            made.0.task_spans.push(TaskSpan {
                task,
                from: ms(from),
                to: ms(from + length),
                doing: [Doing::Running, Doing::Call, Doing::Ready, Doing::Waiting][usize::from(doing)],
                thread: Some(thread),
                call: Some(stack),
                stack: Some(stack),
                looks,
                parkings: looks,
            });
        }
        let profile = made.profile();
        assert_closed(&made.0, &profile);
        for site in &profile.waits {
            prop_assert!(site.critical_s <= site.seconds * (1.0 + 1e-9) + 1e-9, "{site:?}");
        }
    }
}
