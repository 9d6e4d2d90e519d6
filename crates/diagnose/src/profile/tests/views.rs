//! Hotspots, places that waited, the call tree and the difference of two recordings.

use model::Nanos;
use model::doctor::Level;
use model::profile::{CallNode, Hotspot, Profile};
use model::recording::{Frame, Hit, Language, Looks, Object, Owner, Source, Weight};

use super::super::{Context, difference, study};
use super::made::{Made, file, lock, ms};

fn hotspot<'a>(profile: &'a Profile, function: &str) -> &'a Hotspot {
    profile.hotspots.iter().find(|hotspot| hotspot.place.function == function).unwrap()
}

fn child<'a>(nodes: &'a [CallNode], function: &str) -> &'a CallNode {
    nodes.iter().find(|node| node.place.function == function).unwrap()
}

#[test]
fn a_hotspot_knows_itself_its_lines_and_who_asked_for_it() {
    let mut made = Made::new(Level::C, 100);
    let sort = made.stack(&["p:main@3", "p:dedup@41", "c:memmove@9"]);
    let same = made.stack(&["p:main@3", "p:dedup@42", "c:memmove@10"]);
    let own = made.stack(&["p:main@3", "p:dedup@41"]);
    made.hits(0, 0, 50, sort);
    made.hits(0, 50, 70, same);
    made.hits(0, 70, 100, own);
    let profile = made.profile();
    let memmove = hotspot(&profile, "memmove");
    assert_eq!((memmove.own.value, memmove.total.value, memmove.n), (0.7, 0.7, 70));
    assert_eq!(memmove.seconds, Some(0.07));
    let project = memmove.project.as_ref().unwrap();
    assert_eq!((project.function.as_str(), project.line), ("dedup", Some(41)));
    let lines: Vec<(u32, f64)> = memmove.lines.iter().map(|line| (line.line, line.share)).collect();
    assert_eq!(lines, [(9, 0.5), (10, 0.2)]);
    assert_eq!(memmove.place.line, Some(9));
    let most = 1.0 / (1.0 - memmove.total.high);
    assert!((memmove.ceiling.unwrap() - most).abs() < 1e-9 && most > 1.0 / 0.3, "at most: the upper end");
    let dedup = hotspot(&profile, "dedup");
    assert_eq!((dedup.own.value, dedup.total.value, dedup.ceiling, &dedup.project), (0.3, 1.0, None, &None));
    assert_eq!(profile.hotspots[0].place.function, "memmove");
}

#[test]
fn recursion_counts_once() {
    let mut made = Made::new(Level::C, 100);
    let deep = made.stack(&["p:main", "p:fib", "p:fib", "p:fib"]);
    let flat = made.stack(&["p:main", "p:fib"]);
    made.hits(0, 0, 60, deep);
    made.hits(0, 60, 100, flat);
    let profile = made.profile();
    assert_eq!((hotspot(&profile, "fib").own.value, hotspot(&profile, "fib").total.value), (1.0, 1.0));
    let main = child(&profile.tree, "main");
    let fib = child(&main.children, "fib");
    assert_eq!((fib.total, fib.own, fib.children.len()), (1.0, 1.0, 0));
}

#[test]
fn a_ceiling_is_about_the_run_not_about_the_hits() {
    let mut made = Made::new(Level::C, 200);
    let work = made.stack(&["p:work"]);
    made.hits(0, 0, 100, work);
    made.blocked(0, 100, 200, "nanosleep", None);
    // A busy thread beside the path changes the hits, not what can be saved.
    let beside = made.thread(0, 101, "beside", 0, 200);
    let burn = made.stack(&["p:burn"]);
    made.hits(beside, 0, 200, burn);
    let profile = made.profile();
    assert!((hotspot(&profile, "work").ceiling.unwrap() - 2.0).abs() < 1e-9);
    assert!(hotspot(&profile, "burn").ceiling.unwrap() < 1.03, "of a hundred hits of the path none is its");
}

#[test]
fn unequal_weights_widen_the_interval() {
    let mut made = Made::new(Level::C, 100);
    let (one, other) = (made.stack(&["p:one"]), made.stack(&["p:other"]));
    made.hits(0, 0, 50, one);
    made.hits(0, 50, 100, other);
    let even = hotspot(&made.profile(), "one").own;
    made.0.hits.push(Hit { at: ms(99), thread: 0, stack: Some(one), weight: 50_000_000 });
    made.0.hits.push(Hit { at: ms(99), thread: 0, stack: Some(other), weight: 50_000_000 });
    let uneven = hotspot(&made.profile(), "one").own;
    assert_eq!((even.value, uneven.value), (0.5, 0.5));
    assert!(uneven.high - uneven.low > 2.0 * (even.high - even.low), "{even:?} {uneven:?}");
}

#[test]
fn hits_that_share_a_look_at_the_interpreter_count_once() {
    let mut made = Made::new(Level::C, 100);
    let (one, other) = (made.stack(&["p:one"]), made.stack(&["p:other"]));
    made.hits(0, 0, 50, one);
    made.hits(0, 50, 100, other);
    for frame in made.0.frames.iter_mut().filter(|frame| frame.function.as_deref() == Some("one")) {
        frame.language = Language::Python;
    }
    let width = |made: &mut Made, name: &str| {
        let own = hotspot(&made.profile(), name).own;
        own.high - own.low
    };
    let before = (width(&mut made, "one"), width(&mut made, "other"));
    made.0.looks = Some(Looks { looks: 25, hits: 100 });
    let after = (width(&mut made, "one"), width(&mut made, "other"));
    assert!((1.8..2.0).contains(&(after.0 / before.0)), "{before:?} {after:?}");
    assert!((after.1 - before.1).abs() < 1e-9, "{before:?} {after:?}");
}

#[test]
fn what_recording_costs_in_the_kernel_is_overhead_and_no_hotspot() {
    let mut made = Made::new(Level::C, 10);
    let own = made.stack(&["main"]);
    made.hits(0, 0, 8, own);
    for (frame, function) in (1..).zip(["do_syscall_64", model::recording::RECORDER]) {
        made.0.frames.push(Frame {
            language: Language::Kernel,
            function: Some(function.to_owned()),
            file: None,
            line: None,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner: Owner::Kernel,
        });
        made.0.nodes.push(model::recording::Node { parent: Some(frame - 1), frame });
    }
    made.hits(0, 8, 10, 2);
    let profile = made.profile();
    assert!(profile.hotspots.iter().all(|hotspot| !hotspot.place.function.contains("recorder")));
    let cost = profile.overhead.iter().find(|one| one.pass == "recorder's work in the kernel").unwrap();
    assert!((cost.ratio - 1.25).abs() < 1e-9, "{cost:?}");
    let kernel = profile.account.unwrap();
    assert!(format!("{kernel:?}").contains("our recorder"), "{kernel:?}");
}

#[test]
fn functions_without_names_are_told_apart_but_those_of_interpreters_are_one() {
    let mut made = Made::new(Level::C, 12);
    let frame = |offset, owner| Frame {
        language: Language::Native,
        function: None,
        file: None,
        line: None,
        module: Some(0),
        offset: Some(offset),
        is_start: true,
        inlined: false,
        owner,
    };
    for (frame_at, (offset, owner)) in (0..).zip([
        (0x1190, Owner::Project),
        (0x11e0, Owner::Project),
        (0x2000, Owner::Library),
        (0x3000, Owner::Library),
    ]) {
        made.0.frames.push(frame(offset, owner));
        made.0.nodes.push(model::recording::Node { parent: None, frame: frame_at });
    }
    for stack in 0..4 {
        made.hits(0, 3 * u64::from(stack), 3 * u64::from(stack) + 3, stack);
    }
    let profile = made.profile();
    for name in ["libc.so.6+0x1190", "libc.so.6+0x11e0", "libc.so.6+0x2000", "libc.so.6+0x3000"] {
        let spot = hotspot(&profile, name);
        assert!(spot.own.value == 0.25 && spot.place.is_nameless(), "{spot:?}");
        assert_eq!(child(&profile.tree, name).total, 0.25);
    }
    for frame in &mut made.0.frames {
        frame.owner = Owner::Runtime;
    }
    assert_eq!(hotspot(&made.profile(), "libc.so.6 (no symbols)").own.value, 1.0);
}

#[test]
fn an_interpreter_s_time_without_names_is_that_of_the_functions_it_runs() {
    let mut made = Made::new(Level::C, 100);
    let interpreter = |offset| Frame {
        language: Language::Native,
        function: None,
        file: None,
        line: None,
        module: Some(0),
        offset: Some(offset),
        is_start: true,
        inlined: false,
        owner: Owner::Runtime,
    };
    let named = Frame { function: Some("PyObject_Str".to_owned()), offset: None, ..interpreter(0) };
    let python = |function: &str, line| Frame {
        language: Language::Python,
        function: Some(function.to_owned()),
        file: Some("/a/run.py".to_owned()),
        line: Some(line),
        module: None,
        offset: None,
        owner: Owner::Project,
        ..interpreter(0)
    };
    made.0.frames =
        vec![interpreter(0x10), python("total", 7), python("sorter", 9), interpreter(0x20), named];
    // Its own beginning, then two functions, what they have it do, and what that does.
    for (parent, frame) in [(None, 0), (Some(0), 1), (Some(0), 2), (Some(1), 3), (Some(2), 4), (Some(4), 3)] {
        made.0.nodes.push(model::recording::Node { parent, frame });
    }
    for (from, to, stack) in [(0, 10, 0), (10, 30, 1), (30, 60, 3), (60, 70, 4), (70, 100, 5)] {
        made.hits(0, from, to, stack);
    }
    let profile = made.profile();
    let shares = |name| (hotspot(&profile, name).own.value, hotspot(&profile, name).total.value);
    assert_eq!(shares("total"), (0.5, 0.5));
    assert_eq!(shares("sorter"), (0.3, 0.4));
    assert_eq!(shares("PyObject_Str"), (0.1, 0.4));
    // What nobody asked for stays.
    let own = hotspot(&profile, "libc.so.6 (no symbols)");
    assert_eq!((own.own.value, own.total.value, &own.project), (0.1, 1.0, &None));
    assert_eq!(hotspot(&profile, "total").lines[0].line, 7);
}

#[test]
fn nameless_code_is_told_by_module_and_offset_and_hits_without_stack_are_not_lost() {
    let mut made = Made::new(Level::C, 10);
    made.0.frames.push(Frame {
        language: Language::Native,
        function: None,
        file: None,
        line: None,
        module: Some(0),
        offset: Some(0x1f40),
        is_start: false,
        inlined: false,
        owner: Owner::Unknown,
    });
    made.0.nodes.push(model::recording::Node { parent: None, frame: 0 });
    made.hits(0, 0, 6, 0);
    for at in 6..10 {
        made.0.hits.push(Hit { at: ms(at), thread: 0, stack: None, weight: 1_000_000 });
    }
    let profile = made.profile();
    assert_eq!(hotspot(&profile, "libc.so.6 (no symbols)").own.value, 0.6);
    assert!(profile.hotspots.iter().all(|hotspot| hotspot.place.function != "(no stack)"));
    let gap = profile.gaps.iter().find(|gap| gap.what == "all functions that computed").unwrap();
    assert!(gap.why.contains("40 %"), "{gap:?}");
    assert_eq!(child(&profile.tree, "(no stack)").total, 0.4);
}

#[test]
fn weights_that_are_not_time_have_no_seconds() {
    let mut made = Made::new(Level::C, 10);
    let stack = made.stack(&["p:f"]);
    made.hits(0, 0, 10, stack);
    made.0.weight = Weight::Bytes;
    assert_eq!(hotspot(&made.profile(), "f").seconds, None);
}

#[test]
fn waits_are_grouped_by_what_they_waited_for_and_where() {
    let mut made = Made::new(Level::C, 1000);
    let save = made.stack(&["p:main", "p:save@7", "l:fwrite", "c:fsync"]);
    let other = made.stack(&["p:main", "p:load", "l:fwrite", "c:fsync"]);
    for round in 0..10 {
        made.blocked(0, round * 10, round * 10 + 5, "fsync", file("/db")).stack = Some(save);
    }
    made.blocked(0, 200, 240, "fsync", file("/db")).stack = Some(save);
    made.blocked(0, 300, 320, "fsync", file("/db")).stack = Some(other);
    let profile = made.profile();
    let site = &profile.waits[0];
    assert_eq!(
        (site.leaf.as_str(), site.what.as_deref(), site.call.as_deref()),
        ("blocked/disk-write", Some("/db"), Some("fsync"))
    );
    assert_eq!((site.count, site.threads, site.idle), (11, 1, false));
    assert_eq!((site.seconds, site.longest_s, site.critical_s), (0.09, 0.04, 0.09));
    let place = site.place.as_ref().unwrap();
    assert_eq!((place.function.as_str(), place.line), ("save", Some(7)));
    let stack: Vec<&str> = site.stack.iter().map(|place| place.function.as_str()).collect();
    assert_eq!(stack, ["main", "save", "fwrite", "fsync"]);
    assert_eq!(profile.waits.len(), 2);
}

#[test]
fn without_own_code_a_wait_is_shown_at_the_first_frame_outside_the_system_library() {
    let mut made = Made::new(Level::C, 100);
    let stack = made.stack(&["l:start", "l:Queue::pop", "c:pthread_cond_wait", "k:__x64_sys_futex"]);
    made.blocked(0, 0, 50, "futex", lock(1)).stack = Some(stack);
    assert_eq!(made.profile().waits[0].place.as_ref().unwrap().function, "Queue::pop");
}

#[test]
fn the_tree_merges_lines_and_leaves_small_branches_out() {
    let mut made = Made::new(Level::C, 1000);
    let one = made.stack(&["p:main@1", "p:f@1"]);
    let two = made.stack(&["p:main@2", "p:f@2"]);
    let rare = made.stack(&["p:main@3", "p:rare"]);
    made.hits(0, 0, 400, one);
    made.hits(0, 400, 996, two);
    made.hits(0, 996, 1000, rare);
    let profile = made.profile();
    assert_eq!(profile.tree.len(), 1);
    let main = &profile.tree[0];
    assert_eq!((main.total, main.own, main.place.line), (1.0, 0.0, Some(2)));
    assert_eq!(main.children.len(), 1);
    assert_eq!((main.children[0].total, main.children[0].place.line), (0.996, Some(2)));
}

#[test]
fn a_stack_of_a_thousand_functions_gives_a_tree_that_json_readers_take() {
    let mut made = Made::new(Level::C, 10);
    let names: Vec<String> = (0..1000).map(|index| format!("p:f{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let stack = made.stack(&names);
    made.hits(0, 0, 10, stack);
    let profile = made.profile();
    let (mut depth, mut nodes) = (0, &profile.tree);
    while let Some(node) = nodes.first() {
        (depth, nodes) = (depth + 1, &node.children);
    }
    assert_eq!(depth, 60);
}

#[test]
fn mutual_recursion_folds_but_the_interpreters_loop_does_not() {
    let mut made = Made::new(Level::C, 10);
    let stack = made.stack(&["p:even", "p:odd", "p:even", "p:odd"]);
    made.hits(0, 0, 10, stack);
    let tree = made.profile().tree;
    assert_eq!(child(&child(&tree, "even").children, "odd").own, 1.0);
    let mut made = Made::new(Level::C, 10);
    let stack = made.stack(&["r", "p:a", "r", "p:b"]);
    for frame in &mut made.0.frames {
        if frame.function.as_deref() == Some("r") {
            frame.owner = Owner::Runtime;
        }
    }
    made.hits(0, 0, 10, stack);
    let tree = made.profile().tree;
    let a = child(&child(&tree, "r").children, "a");
    assert_eq!(child(&child(&a.children, "r").children, "b").own, 1.0);
}

#[test]
fn the_cost_of_recording_is_a_ratio_to_the_baseline() {
    let mut made = Made::new(Level::C, 110);
    let context = Context {
        baseline_wall: Some(ms(100)),
        cpu: Some(ms(60)),
        baseline_cpu: Some(ms(50)),
        ..Context::default()
    };
    let overhead: Vec<f64> =
        made.profile_in(&context).overhead.iter().map(|overhead| overhead.ratio).collect();
    assert!((overhead[0] - 1.1).abs() < 1e-9 && (overhead[1] - 1.2).abs() < 1e-9, "{overhead:?}");
    let context = Context { baseline_wall: Some(Nanos::ZERO), ..Context::default() };
    assert!(made.profile_in(&context).overhead.is_empty());
}

#[test]
fn a_difference_names_what_grew_and_what_went() {
    let mut before = Made::new(Level::C, 100);
    let (f, g) = (before.stack(&["p:main", "p:f"]), before.stack(&["p:main", "p:g"]));
    before.hits(0, 0, 50, f);
    before.hits(0, 50, 100, g);
    let mut after = Made::new(Level::C, 100);
    let (h, f) = (after.stack(&["p:main", "p:h"]), after.stack(&["p:main", "p:f@8"]));
    after.hits(0, 0, 40, f);
    after.hits(0, 40, 100, h);
    let changed: Vec<(String, f64, f64)> = difference(&before.0, &after.0)
        .into_iter()
        .map(|changed| (changed.stack.last().unwrap().function.clone(), changed.before, changed.after))
        .collect();
    assert_eq!(changed, [("h".to_owned(), 0.0, 0.6), ("g".to_owned(), 0.5, 0.0), ("f".to_owned(), 0.5, 0.4)]);
}

#[test]
fn what_only_calls_others_comes_last() {
    let mut made = Made::new(Level::C, 100);
    let (one, other) = (made.stack(&["p:main", "p:run", "p:one"]), made.stack(&["p:main", "p:run", "p:two"]));
    made.hits(0, 0, 60, one);
    made.hits(0, 60, 100, other);
    let profile = made.profile();
    let names: Vec<&str> = profile.hotspots.iter().map(|hotspot| hotspot.place.function.as_str()).collect();
    assert_eq!(names, ["one", "two", "main", "run"]);
    assert_eq!(child(&child(&profile.tree, "main").children, "run").total, 1.0);
}

#[test]
fn a_lock_and_a_pipe_name_who_was_at_the_other_end() {
    let mut made = Made::new(Level::C, 100);
    let python = made.process("python3", Some(0), 0, 100);
    let nameless = made.thread(0, 7, "main", 0, 100);
    let named = made.thread(0, 8, "worker-3", 0, 100);
    let pipe = || Some(Object::Pipe { inode: 1 });
    made.woken(0, 0, 10, "read", pipe(), python);
    made.woken(0, 10, 20, "write", pipe(), named);
    made.blocked(0, 20, 30, "read", pipe());
    for (from, holder) in [(30, nameless), (40, named)] {
        made.blocked(0, from, from + 10, "futex", lock(0x55)).holder = Some(holder);
    }
    made.blocked(nameless, 50, 60, "futex", lock(0x55)).holder = Some(0);
    let profile = made.profile();
    let mut words: Vec<&str> = profile.waits.iter().filter_map(|site| site.what.as_deref()).collect();
    words.sort_unstable();
    assert_eq!(
        words,
        [
            "lock 0x55 held by the main thread",
            "lock 0x55 held by thread 7",
            "lock 0x55 held by worker-3",
            "pipe",
            "pipe from child python3",
            "pipe to worker-3",
        ]
    );
}

#[test]
fn a_source_that_adds_up_what_looks_alike_rests_on_as_many_hits_as_it_saw() {
    let mut made = Made::new(Level::C, 100);
    let (burn, other) = (made.stack(&["p:burn"]), made.stack(&["p:other"]));
    made.0.source = Source::Import("pprof profile".to_owned());
    for (stack, weight) in [(burn, 810_000_000), (other, 59_000_000)] {
        made.0.hits.push(Hit { at: ms(0), thread: 0, stack: Some(stack), weight });
    }
    let few = made.profile();
    made.0.moments = Some(869);
    let profile = made.profile();
    assert_eq!((few.hits, profile.hits), (2, 869));
    let burn = hotspot(&profile, "burn");
    assert_eq!(burn.n, 810);
    assert!(burn.own.low > 0.9 && hotspot(&few, "burn").own.low < 0.5);
    assert_eq!(profile.account, None, "without a clock nothing tells what the end waited for");
}

#[test]
fn who_always_lets_go_of_a_lock_has_it_and_who_announces_something_has_none() {
    let what = |function: &str, by: [u32; 2]| {
        let mut made = Made::new(Level::C, 100);
        let owner = made.thread(0, 101, "owner", 0, 100);
        let other = made.thread(0, 102, "other", 0, 100);
        let stack = made.stack(&["p:place", function, "c:pthread_cond_wait"]);
        for (from, by) in [10, 40].into_iter().zip(by) {
            made.woken(0, from, from + 20, "futex", lock(0x10), [owner, other][by as usize]);
            made.0.waits.last_mut().unwrap().stack = Some(stack);
        }
        made.profile().waits[0].what.clone().unwrap()
    };
    assert_eq!(what("ObjectMonitor::enter", [0, 0]), "lock 0x10 held by owner");
    assert_eq!(what("ObjectMonitor::enter", [0, 1]), "lock 0x10");
    assert_eq!(what("ObjectMonitor::wait", [0, 0]), "lock 0x10");
}

#[test]
fn stacks_cut_in_the_middle_of_the_programs_own_code_are_its_and_those_of_its_start_and_end_are_not() {
    let mut made = Made::new(Level::C, 10);
    let (linker, copies, leaves) = (made.stack(&["handle"]), made.stack(&["copy"]), made.stack(&["k:exit"]));
    let own = made.stack(&["p:main", "p:spin"]);
    made.hits(0, 0, 1, linker);
    made.hits(0, 1, 4, own);
    made.hits(0, 4, 6, copies);
    made.hits(0, 6, 9, own);
    made.hits(0, 9, 10, leaves);
    let spots = study(&made.0, &Context::default()).spots;
    let spin = spots.iter().find(|spot| spot.place.function == "spin").unwrap();
    assert!((spin.wall.value - 0.8).abs() < 1e-9, "{:?}", spin.wall);
}
