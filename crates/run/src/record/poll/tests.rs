//! Looks at real processes.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use super::*;

/// A process that ends with the test.
struct Running(Child);

impl Running {
    fn start(program: &str, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for living in tree_of(self.pid()).iter().rev() {
            // SAFETY: descendants of a child of ours that is not waited for.
            unsafe { libc::kill(living.pid.cast_signed(), libc::SIGKILL) };
        }
        let _ = self.0.wait();
    }
}

fn now() -> u64 {
    monotonic()
}

/// Looks until something is seen; all events up to then.
fn until(poller: &mut Poller, mut wanted: impl FnMut(&Event) -> bool) -> Vec<Event> {
    let began = Instant::now();
    let mut events = Vec::new();
    loop {
        let from = events.len();
        poller.tick(now(), &mut events);
        if events[from..].iter().any(&mut wanted) {
            return events;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "never seen: {events:#?}");
        std::thread::sleep(poller.pause());
    }
}

fn waits_in(event: &Event, names: &[&str]) -> Option<Call> {
    match event {
        Event::Seen(Seen { state: 'S', place: Place::Call(call), .. }) => {
            call.syscall.name().is_some_and(|name| names.contains(&name)).then_some(*call)
        }
        _ => None,
    }
}

#[test]
fn a_sleeping_process_is_seen_in_its_call() {
    let child = Running::start("sleep", &["1000"]);
    let mut poller = Poller::new(child.pid());
    let events = until(&mut poller, |event| waits_in(event, &["clock_nanosleep", "nanosleep"]).is_some());
    assert!(matches!(&events[0], Event::NewProcess { pid, parent: None, .. } if *pid == child.pid()));
    // It does not run any more: the next look is the same but for the time.
    let Some(Event::Seen(first)) = events.last() else { panic!("{events:?}") };
    let mut more = Vec::new();
    poller.tick(now(), &mut more);
    let [Event::Seen(second)] = more.as_slice() else { panic!("{more:?}") };
    assert!(second.at > first.at);
    assert_eq!(Seen { at: first.at, ..*second }, *first);
}

#[test]
fn a_blocked_reader_is_seen_with_its_descriptor() {
    let child = Running::start("cat", &[]);
    let mut poller = Poller::new(child.pid());
    let mut found = None;
    until(&mut poller, |event| {
        found = waits_in(event, &["read"]);
        found.is_some_and(|call| call.args[0] == 0)
    });
    assert!(found.is_some_and(|call| call.sp != 0 && call.pc != 0));
}

#[test]
fn a_spinning_process_gains_cpu_time() {
    let child = Running::start("sh", &["-c", "while :; do :; done"]);
    let mut poller = Poller::new(child.pid());
    let mut least = None;
    until(&mut poller, |event| match event {
        Event::Seen(Seen { state: 'R', place: Place::Running, on_cpu: Some(on_cpu), .. }) => {
            *on_cpu > *least.get_or_insert(*on_cpu)
        }
        _ => false,
    });
}

#[test]
fn forks_are_found_with_their_parents_and_gone_when_they_ended() {
    let script = "sleep 1000 & one=$!; sh -c 'sleep 1000; :' & read line; kill $one; read line";
    let mut child = Running::start("sh", &["-c", script]);
    let mut poller = Poller::new(child.pid());
    let mut made = Vec::new();
    until(&mut poller, |event| {
        if let Event::NewProcess { pid, parent, .. } = event {
            made.push((*pid, *parent));
        }
        made.len() == 4
    });
    let first = child.pid();
    assert_eq!(made.iter().filter(|(_, parent)| *parent == Some(first)).count(), 2);
    assert!(made.iter().any(|(_, parent)| parent.is_some_and(|parent| parent != first)), "{made:?}");
    let mut tree: Vec<_> = tree_of(first).iter().map(|living| (living.pid, living.parent)).collect();
    tree.sort_unstable();
    made.sort_unstable();
    assert_eq!(tree, made);
    child.0.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
    until(&mut poller, |event| matches!(event, Event::GoneProcess { pid, .. } if *pid != first));
}

#[test]
fn a_system_without_lists_of_children_is_searched() {
    let child = Running::start("sh", &["-c", "sleep 1000; :"]);
    let mut poller = Poller::new(child.pid());
    poller.children_files = false;
    until(
        &mut poller,
        |event| matches!(event, Event::NewProcess { parent, .. } if *parent == Some(child.pid())),
    );
}

#[test]
fn a_new_program_in_an_old_process_is_told() {
    let mut child = Running::start("sh", &["-c", "read line; exec sleep 1000"]);
    let mut poller = Poller::new(child.pid());
    until(&mut poller, |event| waits_in(event, &["read"]).is_some_and(|call| call.args[0] == 0));
    child.0.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
    let mut found = None;
    until(&mut poller, |event| {
        if let Event::Exec { program, .. } = event {
            found = Some(program.clone());
        }
        found.is_some()
    });
    let program = found.unwrap();
    assert_eq!(program.name, "sleep");
    assert_eq!(program.argv, [Arg::from("sleep"), Arg::from("1000")]);
    assert!(program.file.is_some());
}

#[test]
fn threads_come_and_go() {
    let (name, named) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let thread = std::thread::Builder::new().name("a thread".to_owned()).spawn(move || {
        // SAFETY: plain call.
        name.send(unsafe { libc::gettid() }.cast_unsigned()).unwrap();
        let _ = ended.recv();
    });
    let wanted = named.recv().unwrap();
    let mut poller = Poller::new(std::process::id());
    let sleeps = |event: &Event| waits_in(event, &["futex"]).is_some();
    until(&mut poller, |event| matches!(event, Event::Seen(seen) if seen.tid == wanted && sleeps(event)));
    drop(end);
    thread.unwrap().join().unwrap();
    until(&mut poller, |event| matches!(event, Event::GoneThread { tid, .. } if *tid == wanted));
}

#[test]
fn the_end_of_the_tree_is_told_once_though_nobody_waits_for_it() {
    let mut child = Running::start("cat", &[]);
    let mut poller = Poller::new(child.pid());
    until(&mut poller, |event| matches!(event, Event::Seen(_)));
    drop(child.0.stdin.take());
    until(&mut poller, |event| matches!(event, Event::GoneProcess { .. }));
    let mut more = Vec::new();
    for _ in 0..3 {
        poller.tick(now(), &mut more);
    }
    child.0.wait().unwrap();
    for _ in 0..3 {
        poller.tick(now(), &mut more);
    }
    assert_eq!(more, []);
}

#[test]
fn without_room_for_files_all_is_seen_all_the_same() {
    let child = Running::start("cat", &[]);
    let mut poller = Poller::new(child.pid());
    poller.room = Room::none();
    until(&mut poller, |event| waits_in(event, &["read"]).is_some());
}

#[test]
fn pauses_vary_and_grow_with_the_cost_of_a_look() {
    let mut poller = Poller::new(1);
    let mut pauses: Vec<Duration> = (0..100).map(|_| poller.pause()).collect();
    pauses.sort_unstable();
    pauses.dedup();
    assert!(pauses.len() > 50);
    assert!(pauses[0] >= SHORTEST_PAUSE * 3 / 4 && pauses[pauses.len() - 1] <= SHORTEST_PAUSE * 5 / 4);
    poller.cost = Duration::from_millis(4);
    assert!(poller.pause() >= Duration::from_millis(150));
    poller.cost = Duration::from_secs(4);
    assert!(poller.pause() <= LONGEST_PAUSE * 5 / 4);
}

#[test]
fn a_poller_that_may_not_read_calls_says_so_once() {
    // SAFETY: plain call.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root can become another user");
        return;
    }
    let child = Running::start("cat", &[]);
    let pid = child.pid();
    super::super::closer::as_nobody(|| {
        let mut poller = Poller::new(pid);
        let mut events = Vec::new();
        for _ in 0..3 {
            poller.tick(now(), &mut events);
        }
        let refusals = events.iter().filter(|event| matches!(event, Event::CallsRefused { .. })).count();
        let seen =
            events.iter().any(|event| matches!(event, Event::Seen(seen) if seen.place == Place::Refused));
        if refusals == 1 && seen { Ok(()) } else { Err(format!("{events:?}")) }
    })
    .unwrap();
}
