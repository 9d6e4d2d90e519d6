//! Every nanosecond of a thread stands in the right leaf.

use model::Nanos;
use model::doctor::Level;
use model::recording::{EXPIRED, Hit, LockShare, Object, Source, Span, TIMED, Why};

use super::super::Context;
use super::made::{Made, file, leaf, leaves, lock, ms, parts, socket, thread};

#[test]
fn what_a_hidden_program_did_is_unknown_but_for_its_time_on_a_cpu() {
    let mut made = Made::new(Level::A, 300);
    let stack = made.stack(&["p:main"]);
    made.hits(0, 0, 40, stack);
    made.wait(0, 40, 300, Why::Unknown);
    let thread = &mut made.0.threads[0];
    (thread.out_of_sight, thread.on_cpu) = (Some(ms(40)), Some(ms(40)));
    (thread.scheduler_on_cpu, thread.queued) = (Some(ms(140)), Some(ms(30)));
    let study = super::super::study(&made.0, &Context::default());
    let account = study.profile.account.clone().unwrap();
    assert_eq!(leaf(&account, "unaccounted"), 130.0, "{account:#?}");
    assert_eq!(leaf(&account, "on-cpu/unknown"), 140.0, "no hit tells the mode: {account:#?}");
    assert!(account.leaves.iter().all(|leaf| leaf.leaf != "ending"), "{account:#?}");
    assert!(!study.saw_waits() && !study.saw_places(), "{}", study.unseen);
    assert!(account.checks.iter().all(|check| check.ours_s >= 0.03), "nobody saw it: {:#?}", account.checks);
    // What was never hidden is seen throughout.
    made.0.threads[0].out_of_sight = None;
    (made.0.threads[0].scheduler_on_cpu, made.0.threads[0].queued) = (None, None);
    assert_eq!(super::super::study(&made.0, &Context::default()).unseen, 0.0);
}

#[test]
fn each_kind_of_wait_has_its_own_leaf() {
    let mut made = Made::new(Level::C, 200);
    let device = Some(Object::Device { path: "/dev/pts/0".to_owned() });
    let set = Some(Object::Set { members: vec!["a".to_owned(), "b".to_owned()] });
    made.blocked(0, 10, 20, "read", file("/etc/x"));
    made.blocked(0, 20, 31, "fsync", file("/etc/x"));
    made.wait(0, 31, 43, Why::Fault);
    made.blocked(0, 43, 56, "recvfrom", socket("tcp", Some("10.0.0.1:5432"), None));
    made.blocked(0, 56, 70, "futex", lock(0x10)).holder = Some(0);
    made.blocked(0, 70, 85, "wait4", None);
    made.blocked(0, 85, 101, "read", Some(Object::Pipe { inode: 3 }));
    made.blocked(0, 101, 118, "epoll_wait", set);
    made.blocked(0, 118, 136, "clock_nanosleep", None);
    made.blocked(0, 136, 155, "read", device);
    made.wait(0, 155, 156, Why::Stopped);
    made.wait(0, 156, 158, Why::Preempted);
    made.wait(0, 158, 161, Why::Unknown);
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    for (id, expected) in [
        ("blocked/disk-read", 10.0),
        ("blocked/disk-write", 11.0),
        ("blocked/fault", 12.0),
        ("blocked/network", 13.0),
        ("blocked/lock", 14.0),
        ("blocked/child", 15.0),
        ("blocked/pipe", 16.0),
        ("blocked/poll", 17.0),
        ("blocked/sleep", 18.0),
        ("blocked/terminal", 19.0),
        ("stopped", 1.0),
        ("runnable/preempted", 2.0),
        ("unaccounted", 3.0),
        ("on-cpu/unknown", 49.0),
    ] {
        assert_eq!(leaf(account, id), expected, "{id}");
    }
    assert_eq!(parts(account, "blocked/network"), [("10.0.0.1:5432", 13.0)]);
    assert_eq!(parts(account, "blocked/lock"), [("lock 0x10 held by the main thread", 14.0)]);
}

#[test]
fn a_wait_for_a_word_is_a_sleep_where_a_set_time_ended_it() {
    let own = |level, stack: &[&str], by: Option<u32>| {
        let mut made = Made::new(level, 100);
        let stack = made.stack(stack);
        let wait = made.blocked(0, 10, 60, "futex", lock(0x10));
        (wait.stack, wait.by) = (Some(stack), by);
        made.0.calls[0].detail = Some(TIMED.to_owned());
        let profile = made.profile();
        leaf(&thread(&profile, "main").account, "blocked/sleep")
    };
    let condition = ["p:main", "c:pthread_cond_timedwait"];
    assert_eq!(own(Level::C, &condition, None), 50.0);
    assert_eq!(own(Level::A, &condition, None), 50.0);
    assert_eq!(own(Level::C, &condition, Some(0)), 0.0, "somebody told it");
    assert_eq!(own(Level::D, &condition, None), 0.0, "nobody sees who tells it");
    assert_eq!(own(Level::D, &["Main.main", "JavaThread::sleep", "c:pthread_cond_timedwait"], None), 50.0);
    assert_eq!(
        own(Level::C, &["take_gil", "c:pthread_cond_timedwait"], None),
        0.0,
        "it looks up and waits on"
    );
}

#[test]
fn kernel_frames_tell_the_modes_and_the_system_calls() {
    let mut made = Made::new(Level::C, 100);
    let user = made.stack(&["p:main", "p:work"]);
    let write = made.stack(&["p:main", "c:write", "k:do_syscall_64", "k:__x64_sys_write", "k:copy"]);
    let fault = made.stack(&["p:main", "k:asm_exc_page_fault", "k:handle_mm_fault", "k:clear_page"]);
    let copy_fault = made.stack(&["p:main", "k:do_syscall_64", "k:__x64_sys_write", "k:asm_exc_page_fault"]);
    made.hits(0, 0, 50, user);
    made.hits(0, 50, 80, write);
    made.hits(0, 80, 90, fault);
    made.hits(0, 90, 100, copy_fault);
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaves(account), [("on-cpu/user", 50.0), ("on-cpu/kernel", 50.0)]);
    assert_eq!(parts(account, "on-cpu/kernel"), [("write", 40.0), ("page faults", 10.0)]);
    assert_eq!(parts(account, "on-cpu/user"), [("work", 50.0)]);
}

#[test]
fn at_level_a_what_hits_do_not_cover_is_the_kernels() {
    let mut made = Made::new(Level::A, 200);
    let stack = made.stack(&["p:main"]);
    made.hits(0, 0, 120, stack);
    made.blocked(0, 150, 200, "nanosleep", None);
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaves(account), [("on-cpu/user", 120.0), ("blocked/sleep", 50.0), ("on-cpu/kernel", 30.0)]);
}

#[test]
fn more_hits_than_time_never_give_negative_kernel_time() {
    let mut made = Made::new(Level::A, 100);
    let stack = made.stack(&["p:main"]);
    made.hits(0, 0, 100, stack);
    made.hits(0, 0, 20, stack);
    let profile = made.profile();
    assert_eq!(leaves(&thread(&profile, "main").account), [("on-cpu/user", 100.0)]);
}

#[test]
fn threads_with_few_hits_share_one_split() {
    let mut made = Made::new(Level::A, 1000);
    made.blocked(0, 0, 1000, "nanosleep", None);
    let stack = made.stack(&["p:work"]);
    for index in 0..10 {
        let worker = made.thread(0, 200 + index, &format!("w{index}"), 0, 10);
        // Half of them were hit always, half never: alone each would be all user or all kernel.
        if index % 2 == 0 {
            made.hits(worker, 0, 10, stack);
        }
    }
    let profile = made.profile();
    for index in 0..10 {
        let account = &thread(&profile, &format!("w{index}")).account;
        assert_eq!(leaf(account, "on-cpu/user"), 5.0);
        assert_eq!(leaf(account, "on-cpu/kernel"), 5.0);
    }
}

#[test]
fn too_few_hits_leave_the_split_to_rusage() {
    let mut made = Made::new(Level::A, 100);
    let context = Context { user: Some(ms(30)), system: Some(ms(70)), ..Context::default() };
    let profile = made.profile_in(&context);
    assert_eq!(leaves(&thread(&profile, "main").account), [("on-cpu/kernel", 70.0), ("on-cpu/user", 30.0)]);
    let checks = &profile.account.as_ref().unwrap().checks;
    assert!(
        checks.iter().any(|check| check.against == "rusage" && check.theirs_s == 0.1 && check.ours_s == 0.1)
    );
}

#[test]
fn what_a_short_life_uses_before_its_first_hit_and_after_its_last_is_like_the_rest() {
    let mut made = Made::new(Level::A, 1000);
    made.0.period = Some(ms(2));
    let stack = made.stack(&["p:work"]);
    for child in 0..60 {
        let from = child * 10;
        let index = made.process(&format!("child {child}"), Some(0), from, from + 3);
        made.0.hits.push(Hit { at: ms(from + 2), thread: index, stack: Some(stack), weight: 2_000_000 });
    }
    made.blocked(0, 0, 1000, "wait4", None);
    let profile = made.profile();
    assert_eq!(leaves(&thread(&profile, "child 7").account), [("on-cpu/user", 3.0)]);
}

#[test]
fn ticks_that_fall_due_while_a_fault_is_left_are_the_kernels() {
    let mut made = Made::new(Level::D, 1000);
    made.0.threads[0].on_cpu = Some(ms(1000));
    let context =
        Context { user: Some(ms(100)), system: Some(ms(900)), faults: Some(600_000), ..Context::default() };
    assert_eq!(leaf(&thread(&made.profile_in(&context), "main").account, "on-cpu/user"), 70.0);
    let nothing_but = Context { user: Some(ms(10)), ..context };
    assert_eq!(leaf(&thread(&made.profile_in(&nothing_but), "main").account, "on-cpu/kernel"), 1000.0);
}

#[test]
fn a_polled_thread_has_its_own_modes_where_they_are_surely_others() {
    for (user, expected) in [(10, 10.0), (590, 600.0), (615, 600.0), (100, 100.0)] {
        let mut made = Made::new(Level::D, 1000);
        (made.0.threads[0].user, made.0.threads[0].system) = (Some(ms(user)), Some(ms(1000 - user)));
        made.0.threads[0].on_cpu = Some(ms(1000));
        let context = Context { user: Some(ms(600)), system: Some(ms(400)), ..Context::default() };
        let profile = made.profile_in(&context);
        assert_eq!(leaf(&thread(&profile, "main").account, "on-cpu/user"), expected, "{user}");
    }
}

#[test]
fn without_any_witness_of_the_mode_it_is_not_made_up() {
    let mut made = Made::new(Level::A, 10);
    let profile = made.profile();
    assert_eq!(leaves(&thread(&profile, "main").account), [("on-cpu/unknown", 10.0)]);
}

#[test]
fn a_seen_wake_splits_the_wait_exactly() {
    let mut made = Made::new(Level::C, 100);
    made.blocked(0, 10, 90, "nanosleep", None).woken = Some(ms(70));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!((leaf(account, "blocked/sleep"), leaf(account, "runnable/woken")), (60.0, 20.0));
}

#[test]
fn without_a_seen_wake_the_schedulers_delay_is_spread_over_the_waits() {
    let mut made = Made::new(Level::A, 100);
    made.blocked(0, 10, 12, "nanosleep", None);
    made.blocked(0, 20, 40, "read", file("/x"));
    made.wait(0, 50, 55, Why::Preempted);
    made.0.threads[0].queued = Some(ms(5 + 10));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    // Ten milliseconds over two waits: five each, but the first is only two long.
    assert_eq!(leaf(account, "runnable/woken"), 10.0);
    assert_eq!(leaf(account, "blocked/sleep"), 0.0);
    assert_eq!(leaf(account, "blocked/disk-read"), 12.0);
    assert_eq!(leaf(account, "runnable/preempted"), 5.0);
}

#[test]
fn who_had_the_cpu_meanwhile_is_told() {
    let mut made = Made::new(Level::C, 100);
    let rival = made.thread(0, 101, "rival", 0, 100);
    made.wait(0, 0, 1, Why::Preempted).cpu = Some(3);
    // The rival runs on CPU 3 from 20 to 30; the first thread is off it from 10 to 50.
    made.wait(rival, 0, 20, Why::Preempted).cpu = Some(3);
    made.wait(rival, 30, 100, Why::Preempted).cpu = Some(5);
    made.wait(0, 10, 50, Why::Preempted).cpu = Some(3);
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(parts(account, "runnable/preempted"), [("neighbours", 31.0), ("own threads", 10.0)]);
    let all = |profile: &model::profile::Profile| -> f64 {
        let accounts = profile.threads.iter().flat_map(|thread| parts(&thread.account, "runnable/preempted"));
        accounts.filter(|(what, _)| *what == "quota").map(|(_, millis)| millis).sum()
    };
    let throttled = made.profile_in(&Context { throttled: Some(ms(12)), ..Context::default() });
    assert!((all(&throttled) - 12.0).abs() < 0.01);
    let endless = made.profile_in(&Context { throttled: Some(ms(100_000)), ..Context::default() });
    assert_eq!(parts(&thread(&endless, "main").account, "runnable/preempted")[0], ("quota", 31.0));
    let stolen = made.profile_in(&Context { steal: Some(0.1), ..Context::default() });
    let stolen = parts(&thread(&stolen, "main").account, "runnable/preempted");
    assert_eq!(stolen, [("neighbours", 26.9), ("own threads", 10.0), ("steal", 4.1)]);
}

#[test]
fn what_the_scheduler_does_not_count_as_a_queue_is_a_cpu_that_wakes_up() {
    let mut made = Made::new(Level::C, 100);
    let wait = made.blocked(0, 10, 90, "nanosleep", None);
    (wait.woken, wait.cpu) = (Some(ms(70)), Some(1));
    let woken = |made: &mut Made, queued: u64| {
        made.0.threads[0].queued = Some(ms(queued));
        let profile = made.profile();
        let found = parts(&thread(&profile, "main").account, "runnable/woken");
        found.iter().map(|(what, millis)| ((*what).to_owned(), *millis)).collect::<Vec<_>>()
    };
    let named = |all: &[(&str, f64)]| -> Vec<(String, f64)> {
        all.iter().map(|(what, millis)| ((*what).to_owned(), *millis)).collect()
    };
    assert_eq!(woken(&mut made, 5), named(&[("an idle CPU wakes up", 15.0), ("neighbours", 5.0)]));
    // Within the error of the two witnesses.
    assert_eq!(woken(&mut made, 17), named(&[("neighbours", 20.0)]));
}

#[test]
fn a_storm_is_extrapolated_from_the_watched_windows() {
    let mut made = Made::new(Level::A, 1000);
    // Watched for a tenth of the time: there, of 60 ms off the CPU, 40 were for a lock and 20 for a file.
    made.0.watched = vec![Span { from: ms(500), to: ms(600) }];
    made.0.threads[0].on_cpu = Some(ms(400));
    made.blocked(0, 510, 550, "futex", lock(1));
    made.blocked(0, 560, 580, "read", file("/x"));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "blocked/lock"), 400.0);
    assert_eq!(leaf(account, "blocked/disk-read"), 200.0);
    assert_eq!(leaf(account, "on-cpu/unknown"), 400.0);
    let wall = profile.account.as_ref().unwrap();
    assert_eq!(leaf(wall, "blocked/lock"), 400.0);
    assert!(profile.gaps.iter().any(|gap| gap.what == "every wait" && gap.why.contains("10 %")));
}

#[test]
fn a_storm_without_a_watched_moment_of_a_thread_is_unaccounted() {
    let mut made = Made::new(Level::A, 1000);
    made.0.watched = vec![Span { from: ms(500), to: ms(600) }];
    let short = made.thread(0, 7, "short", 0, 100);
    assert_eq!(short, 1);
    let profile = made.profile();
    assert_eq!(thread(&profile, "short").account.unaccounted, 1.0);
}

#[test]
fn polled_waits_give_way_to_the_exact_time_on_a_cpu() {
    let mut made = Made::new(Level::D, 100);
    made.blocked(0, 0, 90, "nanosleep", None);
    made.0.threads[0].on_cpu = Some(ms(30));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!((leaf(account, "blocked/sleep"), leaf(account, "on-cpu/unknown")), (70.0, 30.0));
}

#[test]
fn children_that_nobody_waited_for_do_not_lend_their_parent_s_modes() {
    for (waited_for, user, unknown) in [(60, 60.0, 0.0), (40, 0.0, 60.0)] {
        let mut made = Made::new(Level::D, 60);
        made.0.threads[0].on_cpu = Some(ms(60));
        let context = Context { user: Some(ms(waited_for)), system: Some(ms(0)), ..Context::default() };
        let child = made.process("child", Some(0), 0, 60);
        made.0.threads[child as usize].on_cpu = Some(ms(60));
        let profile = made.profile_in(&context);
        let account = &thread(&profile, "child").account;
        assert_eq!((leaf(account, "on-cpu/user"), leaf(account, "on-cpu/unknown")), (user, unknown));
    }
}

#[test]
fn time_that_is_neither_waited_nor_computed_is_queued_or_unaccounted() {
    let mut made = Made::new(Level::D, 100);
    made.0.threads[0].on_cpu = Some(ms(30));
    made.0.threads[0].queued = Some(ms(50));
    let profile = made.profile();
    let account = &thread(&profile, "main").account;
    assert_eq!(leaf(account, "on-cpu/unknown"), 30.0);
    assert_eq!(leaf(account, "runnable/preempted"), 50.0);
    assert_eq!(leaf(account, "unaccounted"), 20.0);
    assert_eq!(leaf(profile.account.as_ref().unwrap(), "unaccounted"), 20.0);
}

#[test]
fn an_import_of_hits_alone_does_not_claim_the_rest_was_computing() {
    let mut made = Made::new(Level::A, 100);
    made.0.source = Source::Import("perf.data".to_owned());
    let stack = made.stack(&["p:main"]);
    made.hits(0, 0, 40, stack);
    let profile = made.profile();
    assert_eq!(leaf(&thread(&profile, "main").account, "unaccounted"), 60.0);
    assert_eq!((profile.source.as_str(), profile.level), ("perf.data", None));
    made.0.wall = None;
    assert_eq!(made.profile().account, None);
}

#[test]
fn a_kernel_stack_names_the_call_that_nobody_else_named() {
    let mut made = Made::new(Level::B, 100);
    let stack = made.stack(&["p:main", "k:do_syscall_64", "k:__x64_sys_futex", "k:schedule"]);
    made.wait(0, 0, 50, Why::Unknown).stack = Some(stack);
    let profile = made.profile();
    assert_eq!(leaf(&thread(&profile, "main").account, "blocked/lock"), 50.0);
}

#[test]
fn the_scheduler_is_a_second_witness() {
    let mut made = Made::new(Level::C, 100);
    made.blocked(0, 40, 100, "nanosleep", None).woken = Some(ms(90));
    made.0.threads[0].scheduler_on_cpu = Some(Nanos::from_nanos(41_000_000));
    made.0.threads[0].queued = Some(ms(11));
    let profile = made.profile();
    let checks: Vec<(&str, f64, f64)> = profile
        .account
        .as_ref()
        .unwrap()
        .checks
        .iter()
        .map(|check| (check.what.as_str(), check.ours_s, check.theirs_s))
        .collect();
    assert_eq!(
        checks,
        // The account takes the millisecond over, from the end of the wait; the check is about the switches.
        [
            ("time on a CPU by switches, all threads", 0.04, 0.041),
            ("time on a run queue, all threads", 0.009, 0.011),
        ]
    );
}

#[test]
fn whoever_wants_pythons_own_lock_waits_for_who_has_it_and_never_sleeps() {
    let mut made = Made::new(Level::A, 100);
    let busy = made.thread(0, 200, "busy", 0, 100);
    let loops = made.stack(&["p:main"]);
    made.hits(busy, 0, 100, loops);
    let wants = made.stack(&["p:run", "take_gil", "c:pthread_cond_timedwait"]);
    for (from, by) in [(10, None), (20, Some(busy)), (30, None)] {
        let wait = made.blocked(0, from, from + 5, "futex", lock(0x10));
        (wait.stack, wait.by) = ((from != 30).then_some(wants), by);
    }
    made.0.calls[0].detail = Some(TIMED.to_owned());
    let profile = made.profile();
    let sites: Vec<_> =
        profile.waits.iter().map(|site| (site.leaf.as_str(), site.what.as_deref(), site.count)).collect();
    let what = Some("interpreter lock (GIL) held by busy");
    // The last was not looked at: its word tells.
    assert_eq!(sites, [("blocked/lock", what, 2), ("blocked/lock", what, 1)]);
}

#[test]
fn what_hardly_any_look_told_of_the_interpreters_lock_is_not_known() {
    let share = |held: u32, looked: u32| {
        let mut made = Made::new(Level::A, 100);
        made.0.threads[0].interpreter_lock = Some(LockShare { held, looked });
        thread(&made.profile(), "main").interpreter_lock
    };
    assert_eq!(share(0, 1), None);
    assert_eq!(share(0, 0), None);
    assert_eq!(share(5, 20), Some(0.25));
}

#[test]
fn waits_whose_time_limit_was_up_are_one_sleep_whatever_their_set() {
    let mut made = Made::new(Level::A, 300);
    let stack = made.stack(&["p:main", "c:epoll_wait"]);
    for (from, to, member, expired) in
        [(0, 90, "socket a:1", true), (100, 190, "socket a:2", true), (200, 290, "b", false)]
    {
        let set = Object::Set { members: vec![member.to_owned(), "tcp socket".to_owned()] };
        made.blocked(0, from, to, "epoll_wait", Some(set)).stack = Some(stack);
        if expired {
            made.0.calls.last_mut().unwrap().detail = Some(EXPIRED.to_owned());
        }
    }
    let profile = made.profile();
    let account = profile.account.unwrap();
    assert_eq!((leaf(&account, "blocked/sleep"), leaf(&account, "blocked/poll")), (180.0, 90.0));
    assert_eq!(parts(&account, "blocked/sleep"), [("main", 180.0)]);
    let sites: Vec<(&str, u64)> = profile.waits.iter().map(|site| (site.leaf.as_str(), site.count)).collect();
    assert_eq!(sites, [("blocked/sleep", 2), ("blocked/poll", 1)], "{:#?}", profile.waits);
}
