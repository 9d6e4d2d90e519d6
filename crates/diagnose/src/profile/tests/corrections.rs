//! What other witnesses know better than the switches.

use model::Nanos;
use model::doctor::Level;
use model::recording::{Hit, Object, Why};

use super::super::Context;
use super::made::{Made, file, leaf, ms, parts, thread};

fn micros(micros: u64) -> Nanos {
    Nanos::from_nanos(micros * 1000)
}

#[test]
fn the_end_of_a_child_is_not_the_wake_of_its_parent() {
    for (level, queued) in [(Level::C, 0), (Level::A, 1)] {
        let mut made = Made::new(level, 1000);
        let child = made.process("child", Some(0), 100, 900);
        made.0.threads[0].queued = Some(ms(queued));
        let wait = made.blocked(0, 100, 990, "wait4", Some(Object::Child { pid: Some(101) }));
        (wait.by, wait.woken) = (Some(child), Some(ms(900)));
        let profile = made.profile();
        let account = &thread(&profile, "main").account;
        assert_eq!(leaf(account, "runnable/woken"), queued as f64);
        assert_eq!(leaf(account, "blocked/child"), 890.0 - queued as f64);
        // The child computes until its end; the rest is the wait's own.
        let path = profile.account.as_ref().unwrap();
        assert_eq!(leaf(path, "blocked/child"), 90.0 - queued as f64);
        assert_eq!(leaf(path, "on-cpu/unknown"), 910.0);
    }
}

#[test]
fn a_seen_wake_wins_over_the_schedulers_figure() {
    let mut made = Made::new(Level::C, 100);
    made.woken(0, 10, 90, "wait4", None, 0);
    made.0.waits[0].woken = Some(ms(70));
    made.0.threads[0].queued = Some(ms(1));
    assert_eq!(leaf(&thread(&made.profile(), "main").account, "runnable/woken"), 20.0);
}

#[test]
fn the_schedulers_queue_holds_birth_and_preemption_too() {
    let mut made = Made::new(Level::A, 1000);
    made.blocked(0, 0, 1000, "nanosleep", None);
    let child = made.process("child", Some(0), 100, 1000);
    made.wait(child, 100, 130, Why::NotYetRun);
    made.wait(child, 200, 250, Why::Preempted);
    made.blocked(child, 300, 900, "nanosleep", None);
    made.0.threads[child as usize].queued = Some(ms(79));
    let profile = made.profile();
    let account = &thread(&profile, "child").account;
    for (id, expected) in
        [("starting", 30.0), ("runnable/preempted", 50.0), ("runnable/woken", 0.0), ("blocked/sleep", 600.0)]
    {
        assert_eq!(leaf(account, id), expected, "{id}");
    }
}

#[test]
fn what_switches_cost_is_time_on_a_cpu() {
    for level in [Level::C, Level::A] {
        let mut made = Made::new(level, 1000);
        // A thousand reads of 900 µs; the scheduler had the thread on its CPU 20 µs before the recorder was told.
        for read in 0..1000 {
            let wait = made.blocked(0, read, read, "pread64", file("/x"));
            (wait.from, wait.to) = (micros(1000 * read), micros(1000 * read + 900));
        }
        made.0.threads[0].on_cpu = Some(ms(100));
        made.0.threads[0].scheduler_on_cpu = Some(ms(120));
        made.0.threads[0].queued = Some(ms(50));
        let profile = made.profile();
        for account in [&thread(&profile, "main").account, profile.account.as_ref().unwrap()] {
            assert_eq!(leaf(account, "on-cpu/unknown"), 120.0);
            assert_eq!(leaf(account, "runnable/woken"), 50.0);
            assert_eq!(leaf(account, "blocked/disk-read"), 830.0);
        }
    }
}

#[test]
fn a_figure_that_was_read_too_early_takes_nothing_away() {
    let mut made = Made::new(Level::A, 100);
    made.blocked(0, 40, 100, "nanosleep", None);
    made.0.threads[0].on_cpu = Some(ms(40));
    made.0.threads[0].scheduler_on_cpu = Some(ms(5));
    assert_eq!(leaf(&thread(&made.profile(), "main").account, "on-cpu/unknown"), 40.0);
}

#[test]
fn a_program_that_is_taken_down_is_not_computing() {
    let mut made = Made::new(Level::A, 1000);
    made.0.processes[0].to = Some(ms(800));
    made.0.threads[0].on_cpu = Some(ms(1000));
    let profile = made.profile();
    for account in [&thread(&profile, "main").account, profile.account.as_ref().unwrap()] {
        assert_eq!((leaf(account, "ending"), leaf(account, "on-cpu/unknown")), (200.0, 800.0));
    }
    assert!(profile.waits.is_empty(), "{:?}", profile.waits);
    // Unless the scheduler says so: much memory takes long to give back.
    made.0.threads[0].scheduler_on_cpu = Some(ms(950));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!((leaf(account, "ending"), leaf(account, "on-cpu/unknown")), (50.0, 950.0));
}

#[test]
fn a_pipe_ends_with_its_last_writer() {
    let mut made = Made::new(Level::A, 1000);
    let stack = made.stack(&["p:work"]);
    let writer = made.process("cpu", Some(0), 0, 700);
    let reader = made.process("cat", Some(0), 0, 950);
    made.hits(writer, 0, 700, stack);
    // The writer closes the pipe while it is taken down, where nobody sees it.
    made.blocked(reader, 1, 940, "read", Some(Object::Pipe { inode: 7 }));
    let wait = made.blocked(0, 1, 960, "wait4", Some(Object::Child { pid: None }));
    (wait.by, wait.woken) = (Some(reader), Some(ms(950)));
    let profile = made.profile();
    let path = profile.account.as_ref().unwrap();
    assert_eq!(leaf(path, "blocked/pipe"), 240.0);
    assert_eq!(parts(path, "on-cpu/user")[0].0, "work (child cpu)");
    // At its end somebody else ran: nothing tells who wrote.
    let other = made.process("other", Some(0), 930, 1000);
    let another = made.process("another", Some(0), 930, 1000);
    assert_eq!((other, another), (3, 4));
    assert_eq!(leaf(made.profile().account.as_ref().unwrap(), "blocked/pipe"), 939.0);
}

#[test]
fn rusage_is_held_against_those_it_can_know() {
    let check = |outlives: bool| {
        let mut made = Made::new(Level::C, 100);
        made.process("waited", Some(0), 0, 60);
        let server = made.process("server", Some(0), 0, if outlives { 101 } else { 60 });
        made.process("grandchild", Some(server), 0, 40);
        let context = Context { cpu: Some(ms(160)), ..Context::default() };
        let profile = made.profile_in(&context);
        let checks = profile.account.unwrap().checks;
        let check = checks.iter().find(|check| check.against.starts_with("rusage")).unwrap();
        assert_eq!(check.against, "rusage (children that were waited for)");
        (check.ours_s * 1e3).round()
    };
    assert_eq!((check(true), check(false)), (160.0, 260.0));
}

#[test]
fn a_millisecond_has_no_mode_and_the_kernels_count_no_witness_but_itself() {
    for (micros, mode) in [(700, "on-cpu/unknown"), (200_000, "on-cpu/user")] {
        let mut made = Made::new(Level::A, 300);
        made.wait(0, 0, 300, Why::Unknown).from = Nanos::from_nanos(micros * 1000);
        let cpu = Some(Nanos::from_nanos(micros * 1000));
        let context = Context { cpu, user: cpu, system: Some(ms(0)), ..Context::default() };
        let account = made.profile_in(&context).account.unwrap();
        let computing: Vec<&str> = account
            .leaves
            .iter()
            .map(|leaf| leaf.leaf.as_str())
            .filter(|leaf| leaf.starts_with("on-cpu"))
            .collect();
        assert_eq!(computing, [mode], "{account:#?}");
        assert!(account.checks.iter().all(|check| !check.what.contains("user mode")), "{account:#?}");
    }
}

#[test]
fn of_two_figures_it_is_said_which_the_account_uses_and_microseconds_are_no_check() {
    let mut made = Made::new(Level::A, 100);
    made.wait(0, 10, 100, Why::Unknown);
    made.0.threads[0].scheduler_on_cpu = Some(ms(40));
    made.0.threads[0].queued = Some(Nanos::from_nanos(22_000));
    let account = made.profile().account.unwrap();
    let told: Vec<&str> = account.checks.iter().map(|check| check.against.as_str()).collect();
    assert_eq!(told, ["schedstat (which the account uses)"], "{account:#?}");
}

#[test]
fn lives_that_are_never_hit_are_not_the_kernels_because_their_parent_is() {
    let split = |period: Option<u64>| {
        let mut made = Made::new(Level::A, 400);
        // It does nothing but make children, in the kernel, where no hit comes.
        for turn in 0..100 {
            let child = made.process("brief", Some(0), 4 * turn + 2, 4 * turn + 4);
            made.0.threads[child as usize].from = Nanos::from_nanos((4 * turn + 2) * 1_000_000 + 1_000_100);
            made.0.threads[child as usize].period = period.map(Nanos::from_nanos);
            let wait =
                made.blocked(0, 4 * turn + 2, 4 * turn + 4, "wait4", Some(Object::Child { pid: None }));
            (wait.by, wait.woken) = (Some(child), Some(ms(4 * turn + 4)));
        }
        let stack = made.stack(&["p:work"]);
        made.0.hits.push(Hit { at: ms(1), thread: 0, stack: Some(stack), weight: 1_000_000 });
        // Half of the children's time, by hits of a shorter period.
        for turn in 0..period.map_or(0, |_| 100) {
            let at = Nanos::from_nanos((4 * turn + 3) * 1_000_000 + 500_000);
            made.0.hits.push(Hit { at, thread: turn as u32 + 1, stack: Some(stack), weight: 500_000 });
        }
        let context = Context { user: Some(ms(90)), system: Some(ms(210)), ..Context::default() };
        let account = made.profile_in(&context).account.unwrap();
        leaf(&account, "on-cpu/user")
    };
    // What the kernel counted, and none of it is their parent's.
    assert!((85.0..=95.0).contains(&split(None)), "{}", split(None));
    assert!((45.0..=56.0).contains(&split(Some(100_000))), "{}", split(Some(100_000)));
}
