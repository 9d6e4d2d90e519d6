//! Waits for work are told from waits that hold up the program.

use model::Nanos;
use model::doctor::Level;
use model::profile::Profile;
use model::recording::Object;

use super::made::{Made, lock, ms, socket, thread};

fn idle_ms(profile: &Profile, name: &str) -> f64 {
    (thread(profile, name).idle_s * 1e3).round()
}

/// A main thread that hands out work at 100, 200, … and goes on computing; workers take ten milliseconds for each.
fn pool(stack: &[&str], with_wakers: bool) -> Profile {
    let mut made = Made::new(if with_wakers { Level::C } else { Level::A }, 1000);
    let stack = made.stack(stack);
    for worker in 1..=3 {
        let thread = made.thread(0, 100 + worker, &format!("worker-{worker}"), 0, 1000);
        for round in 0..10 {
            let wait = made.blocked(thread, round * 100 + 10, (round + 1) * 100, "futex", lock(0x10));
            wait.stack = Some(stack);
            if with_wakers {
                (wait.by, wait.woken) = (Some(0), Some(ms((round + 1) * 100)));
            }
        }
    }
    made.profile()
}

#[test]
fn workers_that_wait_for_the_next_piece_of_work_are_idle() {
    for with_wakers in [true, false] {
        let profile = pool(&["run_worker", "c:pthread_cond_wait"], with_wakers);
        assert_eq!(idle_ms(&profile, "worker-2"), 900.0, "wakers seen: {with_wakers}");
        let site = &profile.waits[0];
        assert!(site.idle && site.threads == 3 && site.critical_s == 0.0, "{site:?}");
    }
}

#[test]
fn threads_that_wait_for_a_mutex_are_not_idle() {
    for with_wakers in [true, false] {
        let profile = pool(&["run_worker", "c:pthread_mutex_lock"], with_wakers);
        assert_eq!(idle_ms(&profile, "worker-2"), 0.0, "wakers seen: {with_wakers}");
    }
}

#[test]
fn without_names_only_wakers_that_do_not_wait_themselves_make_it_a_condition() {
    assert_eq!(idle_ms(&pool(&["f"], true), "worker-1"), 900.0);
    assert_eq!(idle_ms(&pool(&["f"], false), "worker-1"), 0.0);
    // Two threads that take turns wake each other: contention.
    let mut made = Made::new(Level::C, 1000);
    made.blocked(0, 0, 1000, "nanosleep", None);
    let one = made.thread(0, 101, "one", 0, 1000);
    let other = made.thread(0, 102, "other", 0, 1000);
    for round in 0..5 {
        made.woken(one, round * 200, round * 200 + 100, "futex", lock(1), other);
        made.woken(other, round * 200 + 100, round * 200 + 200, "futex", lock(1), one);
    }
    assert_eq!(idle_ms(&made.profile(), "one"), 0.0);
}

#[test]
fn a_worker_that_the_program_waits_for_is_not_idle_while_it_waits_itself() {
    // Main waits for the worker throughout, and the worker for a set that somebody else makes ready.
    let mut made = Made::new(Level::C, 1000);
    let worker = made.thread(0, 101, "worker", 0, 1000);
    let set = || Some(Object::Set { members: vec!["10.0.0.1:80".to_owned()] });
    for round in 0..10 {
        made.blocked(worker, round * 100, round * 100 + 90, "epoll_wait", set()).woken =
            Some(ms(round * 100 + 90));
    }
    made.woken(0, 0, 1000, "futex", lock(1), worker);
    let profile = made.profile();
    assert_eq!(idle_ms(&profile, "worker"), 0.0);
    let site = profile.waits.iter().find(|site| site.leaf == "blocked/poll").unwrap();
    assert!(!site.idle && (site.critical_s - 0.9).abs() < 1e-9, "{site:?}");
}

#[test]
fn an_event_loop_beside_a_busy_main_thread_is_idle() {
    let mut made = Made::new(Level::A, 1000);
    let reactor = made.thread(0, 101, "reactor", 0, 1000);
    for round in 0..10 {
        made.blocked(reactor, round * 100, round * 100 + 95, "epoll_wait", None);
    }
    assert_eq!(idle_ms(&made.profile(), "reactor"), 950.0);
}

#[test]
fn a_server_that_nobody_asked_is_idle_even_at_the_end_of_the_path() {
    let mut made = Made::new(Level::A, 1000);
    made.blocked(0, 0, 900, "accept4", socket("tcp", None, None));
    let profile = made.profile();
    assert_eq!(idle_ms(&profile, "main"), 900.0);
    assert!((profile.waits[0].critical_s - 0.9).abs() < 1e-9);
}

#[test]
fn one_wait_in_passing_is_not_idle_but_one_to_the_end_is() {
    let mut made = Made::new(Level::A, 1000);
    let passing = made.thread(0, 101, "passing", 0, 1000);
    let unused = made.thread(0, 102, "unused", 0, 1000);
    made.blocked(passing, 0, 500, "epoll_wait", None);
    made.blocked(unused, 1, 1000, "epoll_wait", None);
    let profile = made.profile();
    assert_eq!((idle_ms(&profile, "passing"), idle_ms(&profile, "unused")), (0.0, 999.0));
}

#[test]
fn workers_that_die_with_their_process_waited_for_work_to_the_end() {
    for names in [&["c:pthread_cond_wait"][..], &["c:pthread_mutex_lock"]] {
        for with_main in [true, false] {
            let mut made = Made::new(Level::A, 1000);
            let stack = made.stack(names);
            for worker in 1..=3 {
                let thread = made.thread(0, 100 + worker, &format!("worker-{worker}"), 0, 990);
                let wait = made.blocked(thread, 10, 990, "futex", lock(0x10));
                wait.stack = Some(stack);
                // Killed, each still runs for a moment; one after the other, so that they seem to wake each other.
                wait.to = Nanos::from_nanos(989_970_000);
                wait.woken = Some(Nanos::from_nanos(989_940_000));
                wait.by = Some(if with_main { 0 } else { thread % 3 + 1 });
            }
            let expected = if names[0].contains("cond") { 980.0 } else { 0.0 };
            assert_eq!(idle_ms(&made.profile(), "worker-2"), expected, "{names:?}, by main: {with_main}");
        }
    }
}
