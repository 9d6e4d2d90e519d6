//! The wall-clock view follows whoever held up the end.

use model::answer::Account;
use model::doctor::Level;
use model::profile::Profile;
use model::recording::{Object, Why};

use super::super::Context;
use super::made::{Made, file, leaf, leaves, lock, ms, parts, socket};

fn wall(profile: &Profile) -> &Account {
    profile.account.as_ref().unwrap()
}

#[test]
fn a_lone_thread_is_its_own_path() {
    let mut made = Made::new(Level::C, 100);
    let stack = made.stack(&["p:main", "p:work"]);
    made.hits(0, 0, 60, stack);
    made.blocked(0, 60, 100, "nanosleep", None).stack = Some(stack);
    let profile = made.profile();
    assert_eq!(leaves(wall(&profile)), [("on-cpu/user", 60.0), ("blocked/sleep", 40.0)]);
    assert_eq!(parts(wall(&profile), "blocked/sleep"), [("work", 40.0)]);
}

#[test]
fn waiting_for_a_child_is_what_the_child_did() {
    for with_waker in [true, false] {
        let mut made = Made::new(Level::C, 100);
        let child = made.process("python3", Some(0), 10, 90);
        let (main, work) = (made.stack(&["p:main"]), made.stack(&["p:report"]));
        made.hits(0, 0, 10, main);
        made.hits(0, 90, 100, main);
        made.hits(child, 10, 60, work);
        made.blocked(child, 60, 90, "read", file("/big"));
        let wait = made.blocked(0, 10, 90, "wait4", Some(Object::Child { pid: None }));
        if with_waker {
            (wait.by, wait.woken) = (Some(child), Some(ms(90)));
        }
        let profile = made.profile();
        assert_eq!(
            leaves(wall(&profile)),
            [("on-cpu/user", 70.0), ("blocked/disk-read", 30.0)],
            "{with_waker}"
        );
        assert_eq!(parts(wall(&profile), "on-cpu/user"), [("report (child python3)", 50.0), ("main", 20.0)]);
        assert_eq!(parts(wall(&profile), "blocked/disk-read"), [("/big (child python3)", 30.0)]);
        let site = profile.waits.iter().find(|site| site.leaf == "blocked/child").unwrap();
        assert!((site.critical_s - 0.08).abs() < 1e-9, "it held up the program all the same");
    }
}

#[test]
fn the_child_that_ended_last_explains_a_wait_for_any() {
    let mut made = Made::new(Level::A, 100);
    let quick = made.process("quick", Some(0), 0, 40);
    let slow = made.process("slow", Some(0), 0, 95);
    assert_eq!((quick, slow), (1, 2));
    made.blocked(slow, 0, 95, "nanosleep", None);
    made.blocked(0, 0, 96, "wait4", Some(Object::Child { pid: None }));
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/sleep"), 95.0);
    assert_eq!(leaf(wall(&profile), "blocked/child"), 1.0);
}

#[test]
fn a_chain_of_pipes_leads_to_its_slowest_member() {
    // The shell waits for c, c for b, b for a; a computes.
    let mut made = Made::new(Level::C, 100);
    let [a, b, c] = ["a", "b", "c"].map(|name| made.process(name, Some(0), 0, 100));
    let pipe = |inode| Some(Object::Pipe { inode });
    made.woken(b, 0, 80, "read", pipe(1), a);
    made.woken(c, 0, 90, "read", pipe(2), b);
    made.woken(0, 0, 95, "wait4", None, c);
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "on-cpu/unknown"), 100.0);
    assert_eq!(leaf(wall(&profile), "blocked/pipe"), 0.0);
    let critical: f64 = profile.waits.iter().map(|site| site.critical_s).sum();
    assert!((critical - 0.265).abs() < 1e-9, "each of the three waits held up the end: {critical}");
}

#[test]
fn a_lock_is_what_its_holder_did_and_the_way_back_is_runnable() {
    let mut made = Made::new(Level::C, 100);
    let holder = made.thread(0, 101, "worker-3", 0, 100);
    made.blocked(holder, 20, 70, "fsync", file("/db"));
    let wait = made.blocked(0, 10, 90, "futex", lock(0x7f00));
    (wait.by, wait.woken) = (Some(holder), Some(ms(80)));
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/disk-write"), 50.0);
    assert_eq!(leaf(wall(&profile), "runnable/woken"), 10.0);
    assert_eq!(leaf(wall(&profile), "on-cpu/unknown"), 40.0);
    assert_eq!(parts(wall(&profile), "blocked/disk-write"), [("/db (worker-3)", 50.0)]);
}

#[test]
fn a_holder_stands_in_for_an_unseen_waker() {
    let mut made = Made::new(Level::A, 100);
    let holder = made.thread(0, 101, "worker-3", 0, 100);
    made.blocked(holder, 10, 90, "nanosleep", None);
    made.blocked(0, 10, 90, "futex", lock(1)).holder = Some(holder);
    assert_eq!(leaf(wall(&made.profile()), "blocked/sleep"), 80.0);
}

#[test]
fn joining_a_thread_is_what_it_did_even_when_no_waker_was_seen() {
    let mut made = Made::new(Level::A, 100);
    let worker = made.thread(0, 101, "worker", 0, 90);
    let spinner = made.thread(0, 102, "spinner", 0, 100);
    assert_eq!(spinner, 2);
    made.blocked(worker, 10, 89, "read", file("/x"));
    made.blocked(0, 10, 90, "futex", lock(1));
    assert_eq!(leaf(wall(&made.profile()), "blocked/disk-read"), 79.0);
}

#[test]
fn the_only_thread_that_ran_at_the_wake_is_taken_for_the_waker_and_two_are_not() {
    for rivals in [1, 2] {
        let mut made = Made::new(Level::A, 100);
        for index in 0..rivals {
            made.thread(0, 101 + index, "worker", 0, 100);
        }
        made.blocked(0, 10, 90, "futex", lock(1));
        let lock = leaf(wall(&made.profile()), "blocked/lock");
        assert_eq!(lock, if rivals == 1 { 0.0 } else { 80.0 }, "{rivals}");
    }
}

#[test]
fn of_several_that_ran_at_the_wake_the_one_that_had_just_come_is_taken_for_the_waker() {
    let mut made = Made::new(Level::A, 100);
    made.thread(0, 101, "computes", 0, 100);
    let worker = made.thread(0, 102, "worker", 0, 100);
    made.blocked(worker, 10, 89, "read", file("/x"));
    made.blocked(0, 10, 90, "futex", lock(1));
    assert_eq!(leaf(wall(&made.profile()), "blocked/disk-read"), 79.0);
    // Who has been there for long need not have anything to say.
    let mut made = Made::new(Level::A, 100);
    made.thread(0, 101, "computes", 0, 100);
    let worker = made.thread(0, 102, "worker", 0, 100);
    made.blocked(worker, 10, 60, "read", file("/x"));
    made.blocked(0, 10, 90, "futex", lock(1));
    assert_eq!(leaf(wall(&made.profile()), "blocked/lock"), 80.0);
}

#[test]
fn a_witness_that_saw_no_waker_of_ours_is_believed() {
    let mut made = Made::new(Level::C, 100);
    made.thread(0, 101, "worker", 0, 100);
    made.blocked(0, 10, 90, "futex", lock(1)).woken = Some(ms(90));
    assert_eq!(leaf(wall(&made.profile()), "blocked/lock"), 80.0);
}

#[test]
fn a_local_server_answers_for_the_client_and_a_remote_one_does_not() {
    let mut made = Made::new(Level::A, 100);
    let server = made.process("server", Some(0), 0, 100);
    made.blocked(server, 0, 20, "epoll_wait", None);
    made.blocked(server, 60, 100, "epoll_wait", None);
    made.blocked(0, 10, 60, "recvfrom", socket("tcp", Some("127.0.0.1:80"), Some(server)));
    made.blocked(0, 60, 90, "recvfrom", socket("tcp", Some("10.0.0.1:80"), None)).by = Some(server);
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/network"), 30.0);
    assert_eq!(parts(wall(&profile), "blocked/network"), [("10.0.0.1:80", 30.0)]);
    assert_eq!(leaf(wall(&profile), "blocked/poll"), 10.0, "the server was not yet at it");
    assert_eq!(leaf(wall(&profile), "on-cpu/unknown"), 60.0);
}

#[test]
fn a_disk_or_a_sleep_stays_what_it_is_whoever_took_the_interrupt() {
    let mut made = Made::new(Level::C, 100);
    let other = made.thread(0, 101, "other", 0, 100);
    made.woken(0, 10, 50, "read", file("/x"), other);
    made.woken(0, 50, 90, "nanosleep", None, other);
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/disk-read"), 40.0);
    assert_eq!(leaf(wall(&profile), "blocked/sleep"), 40.0);
}

#[test]
fn a_circle_of_wakers_ends() {
    let mut made = Made::new(Level::C, 100);
    let other = made.thread(0, 101, "other", 0, 100);
    made.woken(0, 10, 100, "futex", lock(1), other);
    made.woken(other, 10, 100, "futex", lock(1), 0);
    assert_eq!(leaf(wall(&made.profile()), "blocked/lock"), 90.0);
}

#[test]
fn a_waker_born_late_explains_only_its_own_time() {
    let mut made = Made::new(Level::C, 100);
    let late = made.thread(0, 101, "late", 60, 100);
    made.woken(0, 10, 90, "futex", lock(1), late);
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/lock"), 50.0);
    assert_eq!(leaf(wall(&profile), "on-cpu/unknown"), 50.0);
}

#[test]
fn a_program_whose_main_thread_ends_early_is_followed_in_the_one_that_lives_on() {
    let mut made = Made::new(Level::C, 100);
    made.0.threads[0].to = Some(ms(20));
    let worker = made.thread(0, 101, "worker", 5, 95);
    made.blocked(worker, 30, 90, "read", file("/x"));
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/disk-read"), 60.0);
    assert_eq!(leaf(wall(&profile), "on-cpu/unknown"), 35.0);
    assert_eq!(leaf(wall(&profile), "unaccounted"), 5.0);
}

#[test]
fn time_before_the_first_thread_is_starting() {
    let mut made = Made::new(Level::C, 100);
    made.0.threads[0].from = ms(8);
    assert_eq!(leaf(wall(&made.profile()), "starting"), 8.0);
}

#[test]
fn polls_find_the_only_one_that_ran_while_another_waited_for_a_pipe() {
    let mut made = Made::new(Level::D, 100);
    let child = made.process("child", Some(0), 0, 100);
    // The scheduler tells that the reader stood in a queue at the end, not who wrote.
    let wait = made.blocked(0, 0, 100, "read", Some(Object::Pipe { inode: 1 }));
    wait.woken = Some(ms(95));
    let stack = made.stack(&["p:work"]);
    made.hits(child, 10, 60, stack);
    made.wait(child, 0, 10, Why::Preempted);
    made.wait(child, 60, 100, Why::Preempted);
    for thread in &mut made.0.threads {
        thread.on_cpu = Some(ms(0));
    }
    made.0.threads[child as usize].on_cpu = Some(ms(50));
    let profile = made.profile();
    assert_eq!(leaf(wall(&profile), "blocked/pipe"), 0.0, "{:#?}", wall(&profile));
    assert_eq!(leaf(wall(&profile), "on-cpu/user"), 50.0);
}

#[test]
fn polls_do_not_tell_who_ended_a_wait_of_a_few_of_them() {
    let mut made = Made::new(Level::D, 10);
    let child = made.process("child", Some(0), 0, 20);
    made.blocked(0, 0, 10, "read", Some(Object::Pipe { inode: 1 }));
    made.wait(child, 5, 20, Why::Preempted);
    for thread in &mut made.0.threads {
        thread.on_cpu = Some(ms(0));
    }
    made.0.threads[child as usize].on_cpu = Some(ms(5));
    assert_eq!(leaves(wall(&made.profile())), [("blocked/pipe", 10.0)]);
}

#[test]
fn of_threads_that_end_together_polls_follow_the_one_in_the_word_of_the_lock() {
    let mut made = Made::new(Level::D, 100);
    let worker = made.thread(0, 201, "worker", 0, 98);
    let idler = made.thread(0, 202, "idler", 0, 98);
    made.blocked(idler, 0, 98, "nanosleep", None);
    let wait = made.blocked(0, 0, 100, "futex", lock(7));
    (wait.by, wait.holder) = (Some(idler), Some(worker));
    for (thread, on_cpu) in [(0, 0), (worker, 98), (idler, 0)] {
        made.0.threads[thread as usize].on_cpu = Some(ms(on_cpu));
    }
    assert_eq!(leaf(wall(&made.profile()), "blocked/sleep"), 0.0);
}

/// A server whose main thread waits for requests, with a thread for each from 100 on and a worker that is there always.
fn served(watched: bool) -> Profile {
    let mut made = Made::new(Level::C, 1000);
    let (work, keep) = (made.stack(&["p:serve"]), made.stack(&["p:keep"]));
    let request = made.thread(0, 101, "request", 100, 700);
    made.hits(request, 100, 500, work);
    made.blocked(request, 500, 700, "recvfrom", socket("tcp", Some("10.0.0.1:80"), None));
    let worker = made.thread(0, 102, "worker", 0, 1000);
    made.hits(worker, 800, 900, keep);
    made.blocked(worker, 0, 800, "futex", lock(1));
    made.blocked(worker, 900, 1000, "futex", lock(1));
    made.blocked(0, 0, 1000, "accept4", socket("tcp", None, None));
    (made.0.processes[0].to, made.0.threads[0].to, made.0.threads[worker as usize].to) = (None, None, None);
    made.profile_in(&Context { watched, ..Context::default() })
}

#[test]
fn a_watched_service_is_what_its_threads_do_while_the_main_one_waits_for_requests() {
    let profile = served(true);
    assert_eq!(leaves(wall(&profile)), [("on-cpu/user", 500.0), ("blocked/network", 500.0)]);
    let site = profile.waits.iter().find(|site| site.call.as_deref() == Some("accept4")).unwrap();
    assert!(site.idle && (site.critical_s - 0.3).abs() < 1e-9, "{site:?}");
    // A program that came to its end is what its end waited for.
    assert_eq!(leaves(wall(&served(false))), [("blocked/network", 1000.0)]);
}
