//! Storms of switches: waits are recorded in windows, the scheduler counts throughout.

use model::Nanos;
use model::doctor::Level;
use model::recording::{Object, Span, Why};

use super::made::{Made, leaf, ms, thread};

fn pipe(inode: u64) -> Option<Object> {
    Some(Object::Pipe { inode })
}

/// Two processes that wake each other every two milliseconds, watched for ten of each hundred. In the windows each is
/// seen half of the time on a CPU; the scheduler knows that it was less, because watching costs.
fn ping_pong(level: Level) -> Made {
    let mut made = Made::new(level, 1000);
    let other = made.process("other", Some(0), 0, 1000);
    for window in 0..10 {
        let from = window * 100 + 40;
        made.0.watched.push(Span { from: ms(from), to: ms(from + 10) });
        for turn in 0..5 {
            let at = from + 2 * turn;
            made.blocked(0, at, at + 1, "read", pipe(1)).by = Some(other);
            made.blocked(other, at + 1, at + 2, "read", pipe(2)).by = Some(0);
            if level == Level::C {
                let wakes = made.0.waits.iter_mut().rev().take(2);
                wakes.for_each(|wait| wait.woken = Some(wait.to));
            }
        }
    }
    for thread in &mut made.0.threads {
        (thread.scheduler_on_cpu, thread.queued) = (Some(ms(300)), Some(ms(200)));
    }
    made
}

#[test]
fn the_schedulers_figures_are_of_the_whole_life() {
    for level in [Level::C, Level::A] {
        let profile = ping_pong(level).profile();
        for name in ["main", "other"] {
            let account = &thread(&profile, name).account;
            let runnable = leaf(account, "runnable/woken") + leaf(account, "runnable/preempted");
            assert_eq!(leaf(account, "on-cpu/unknown"), 300.0, "{level:?} {name}");
            assert_eq!(runnable, 200.0, "{level:?} {name}");
            assert_eq!(leaf(account, "blocked/pipe"), 500.0, "{level:?} {name}");
        }
    }
}

#[test]
fn the_path_and_the_places_that_waited_are_scaled_too() {
    let profile = ping_pong(Level::C).profile();
    let path = profile.account.as_ref().unwrap();
    // One or the other is always on a CPU, as far as was seen.
    assert_eq!(leaf(path, "on-cpu/unknown"), 1000.0);
    let sites: f64 = profile.waits.iter().map(|site| site.seconds).sum();
    assert!((sites - 1.0).abs() < 1e-6, "{:?}", profile.waits);
    assert_eq!(profile.waits.iter().map(|site| site.count).sum::<u64>(), 1000);
}

#[test]
fn the_long_first_window_speaks_for_itself_only() {
    let mut made = Made::new(Level::A, 1000);
    // Before the storm it slept; since then it computes and waits for a pipe by turns.
    for (from, to) in [(0, 200), (500, 510), (890, 900)] {
        made.0.watched.push(Span { from: ms(from), to: ms(to) });
    }
    made.blocked(0, 0, 180, "nanosleep", None);
    for at in [190, 500, 890] {
        made.blocked(0, at, at + 5, "read", pipe(1));
    }
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "blocked/sleep"), 180.0);
    assert_eq!(leaf(account, "blocked/pipe"), 5.0 + 400.0);
}

#[test]
fn a_scheduler_that_was_asked_too_early_is_not_believed() {
    let mut made = ping_pong(Level::C);
    // It lived for half a second only, and was asked when it had hardly begun.
    made.0.threads[1].to = Some(ms(500));
    made.0.processes[1].to = Some(ms(500));
    made.0.waits.retain(|wait| wait.thread == 0 || wait.to <= ms(500));
    made.0.threads[1].scheduler_on_cpu = Some(ms(3));
    made.0.threads[1].queued = Some(ms(1));
    let profile = made.profile();
    let account = &thread(&profile, "other").account;
    assert_eq!(leaf(account, "on-cpu/unknown"), 250.0);
    assert_eq!(leaf(account, "blocked/pipe"), 250.0);
}

#[test]
fn a_queue_that_was_seen_after_the_scheduler_was_asked_counts() {
    let mut made = Made::new(Level::C, 1500);
    made.0.watched.push(Span { from: ms(400), to: ms(1500) });
    made.wait(0, 1450, 1490, Why::Preempted);
    (made.0.threads[0].scheduler_on_cpu, made.0.threads[0].queued) = (Some(ms(1450)), Some(ms(10)));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "runnable/preempted"), 40.0, "{account:?}");
}

#[test]
fn a_queue_that_telling_made_longer_is_as_long_as_the_scheduler_says() {
    let mut made = ping_pong(Level::C);
    for wait in &mut made.0.waits {
        wait.woken = Some(Nanos::from_nanos(wait.from.as_nanos() + 1));
    }
    for thread in &mut made.0.threads {
        thread.queued = Some(ms(20));
    }
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "runnable/woken"), 20.0, "{account:?}");
    assert_eq!(leaf(account, "blocked/pipe"), 680.0, "{account:?}");
}

#[test]
fn what_was_seen_once_is_not_multiplied() {
    let mut made = ping_pong(Level::C);
    // A wait for a child long before the storm, and windows that saw far less than happened.
    made.0.watched[0].from = ms(0);
    made.blocked(0, 0, 20, "clone", None);
    made.0.threads[0].scheduler_on_cpu = Some(ms(100));
    made.0.threads[0].queued = Some(ms(0));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "blocked/child"), 20.0);
    assert_eq!(leaf(account, "blocked/pipe"), 880.0);
}

#[test]
fn a_thread_that_no_window_shows_is_told_by_what_looks_found_between_them() {
    let mut made = ping_pong(Level::A);
    let sleeper = made.process("sleeper", Some(0), 150, 230);
    made.blocked(sleeper, 160, 200, "nanosleep", None);
    let last = made.0.threads.len() - 1;
    (made.0.threads[last].scheduler_on_cpu, made.0.threads[last].queued) = (Some(ms(2)), Some(ms(0)));
    made.0.watched.retain(|window| window.to <= ms(150) || window.from >= ms(230));
    let profile = made.profile();
    let account = &thread(&profile, "sleeper").account;
    assert_eq!(leaf(account, "blocked/sleep"), 78.0, "{account:?}");
    assert_eq!(account.unaccounted, 0.0);
}

/// One that only waits for its child, seen in pieces as a storm of the child's makes them.
#[test]
fn a_child_that_is_waited_for_explains_every_piece_of_the_wait() {
    for asked in [Some(101), None] {
        let mut made = Made::new(Level::C, 1000);
        let child = made.process("child", Some(0), 0, 990);
        if let Some(pid) = asked {
            made.0.processes[1].pid = pid;
        }
        for window in 0..10 {
            let (from, to) = (window * 100, window * 100 + 50);
            made.0.watched.push(Span { from: ms(from), to: ms(to) });
            made.blocked(0, from, to, "wait4", Some(Object::Child { pid: asked }));
            made.blocked(child, from + 10, from + 40, "fsync", None);
        }
        let profile = made.profile();
        let path = profile.account.as_ref().unwrap();
        assert_eq!(leaf(path, "blocked/child"), 0.0, "{asked:?}: {path:?}");
        assert_eq!(leaf(path, "blocked/disk-write"), 600.0, "{asked:?}: {path:?}");
    }
}
