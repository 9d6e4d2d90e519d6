//! Hand-made recordings: C with inlined functions, Python over native code, kernel frames, two threads with waits.

use model::doctor::Level;
use model::recording::{
    Call, Frame, Hit, Language, Module, Node, Object, Owner, Process, Recording, Source, Thread, Wait,
    Weight, Why,
};
use model::{Arg, Nanos};

pub(crate) const MS: u64 = 1_000_000;

pub(crate) fn at(ms: u64) -> Nanos {
    Nanos::from_nanos(ms * MS)
}

pub(crate) fn frame(function: &str, language: Language, owner: Owner) -> Frame {
    Frame {
        language,
        function: Some(function.to_owned()),
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner,
    }
}

/// Adds a stack from its outermost frame inwards; the frames are positions.
pub(crate) fn stack(recording: &mut Recording, frames: &[u32]) -> u32 {
    let mut parent = None;
    for frame in frames {
        let node = Node { parent, frame: *frame };
        let known = recording.nodes.iter().position(|other| *other == node);
        parent = Some(known.unwrap_or_else(|| {
            recording.nodes.push(node);
            recording.nodes.len() - 1
        }) as u32);
    }
    parent.expect("a stack has a frame")
}

fn thread(tid: u32, name: &str, from: u64, to: u64) -> Thread {
    Thread {
        tid,
        process: 0,
        name: name.to_owned(),
        from: at(from),
        to: Some(at(to)),
        on_cpu: None,
        scheduler_on_cpu: None,
        queued: None,
        user: None,
        system: None,
        out_of_sight: None,
        period: None,
        interpreter_lock: None,
    }
}

fn wait(thread: u32, from: u64, to: u64, why: Why, call: Option<u32>, stack: Option<u32>) -> Wait {
    let (from, to) = (at(from), at(to));
    Wait { thread, from, to, woken: None, why, call, stack, by: None, holder: None, cpu: None }
}

fn frames() -> Vec<Frame> {
    let native = |function: &str, line: u32, inlined: bool, offset: u64| Frame {
        file: Some("/srv/app/parse.c".to_owned()),
        line: Some(line),
        module: Some(0),
        offset: Some(offset),
        is_start: false,
        inlined,
        ..frame(function, Language::C, Owner::Project)
    };
    let python = |function: &str, line: u32| Frame {
        file: Some("/srv/app/job.py".to_owned()),
        line: Some(line),
        ..frame(function, Language::Python, Owner::Project)
    };
    let library = |function: Option<&str>, offset: u64| Frame {
        function: function.map(str::to_owned),
        module: Some(1),
        offset: Some(offset),
        ..frame("", Language::Native, Owner::Library)
    };
    vec![
        native("main", 90, false, 0x1180),
        native("parse", 41, false, 0x1240),
        native("next_token", 17, true, 0x1240),
        native("is_space", 8, true, 0x1240),
        library(Some("__memcpy_avx_unaligned"), 0x9_1000),
        library(None, 0x9_2f40),
        frame("_PyEval_EvalFrameDefault", Language::C, Owner::Runtime),
        python("<module>", 30),
        python("work", 12),
        frame("entry_SYSCALL_64_after_hwframe", Language::Kernel, Owner::Kernel),
        frame("ksys_read", Language::Kernel, Owner::Kernel),
        native("parse", 57, false, 0x1290),
    ]
}

/// One second of a program with two threads.
pub(crate) fn recording() -> Recording {
    let mut recording = Recording::new(Source::Slowpath(Level::C), Weight::CpuTime);
    recording.wall = Some(at(1000));
    recording.period = Some(at(1));
    recording.processes.push(Process {
        pid: 4100,
        parent: None,
        name: "job".to_owned(),
        program: Some(Arg::from("/srv/app/job")),
        argv: ["./job", "--fast", "in put"].map(Arg::from).into(),
        from: at(0),
        to: Some(at(1000)),
        runtime: Some("python 3.11".to_owned()),
        shows_collector: false,
        loaded: None,
    });
    recording.threads = vec![thread(4100, "job", 0, 1000), thread(4101, "worker-1", 100, 900)];
    recording.modules = vec![
        Module {
            path: "/srv/app/job".to_owned(),
            build_id: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        },
        Module { path: "/usr/lib/libc.so.6".to_owned(), build_id: None },
    ];
    recording.frames = frames();
    let stacks = [
        stack(&mut recording, &[0, 1, 2, 3]),
        stack(&mut recording, &[0, 11]),
        stack(&mut recording, &[0, 1, 4]),
        stack(&mut recording, &[0, 6, 7, 8, 6, 5]),
        stack(&mut recording, &[0, 6, 7, 8]),
        stack(&mut recording, &[0, 1, 9, 10]),
    ];
    let reading = stack(&mut recording, &[0, 1, 9]);
    let working = stacks[4];
    recording.objects = vec![
        Object::File { path: "/srv/in put".to_owned() },
        Object::Lock { process: 0, address: 0x7f00_1234 },
        Object::Socket {
            family: "tcp".to_owned(),
            peer: Some("10.0.0.1:5432".to_owned()),
            local_peer: None,
            inode: 7,
        },
    ];
    let call = |name: &str, object: u32| Call { name: name.to_owned(), object: Some(object), detail: None };
    recording.calls = vec![call("read", 0), call("futex", 1), call("recvfrom", 2)];
    // The main thread runs 0–400 and 600–1000 ms, the worker 100–300, 500–600 and 800–900 ms.
    for ms in (0..400).chain(600..1000) {
        let stack = stacks[(ms as usize / 7) % stacks.len()];
        recording.hits.push(Hit { at: at(ms), thread: 0, stack: Some(stack), weight: MS });
    }
    for ms in (100..300).chain(500..600).chain(800..900) {
        let stack = (ms % 50 != 0).then_some(working);
        recording.hits.push(Hit { at: at(ms), thread: 1, stack, weight: MS });
    }
    recording.hits.sort_by_key(|hit| hit.at);
    let lock = Wait {
        woken: Some(at(480)),
        by: Some(0),
        holder: Some(0),
        ..wait(1, 300, 500, Why::Call, Some(1), Some(working))
    };
    recording.waits = vec![
        lock,
        wait(0, 400, 600, Why::Call, Some(0), Some(reading)),
        wait(1, 600, 790, Why::Call, Some(2), None),
        wait(1, 790, 800, Why::Preempted, None, None),
    ];
    recording
}

/// The same program after a change: more time in `__memcpy`, none in `ksys_read`.
pub(crate) fn changed() -> Recording {
    let mut recording = recording();
    let (memcpy, read) = (stack(&mut recording, &[0, 1, 4]), stack(&mut recording, &[0, 1, 9, 10]));
    for hit in &mut recording.hits {
        if hit.stack == Some(read) {
            hit.stack = Some(memcpy);
        }
    }
    recording
}

/// Folded stacks of another tool: no clock, no threads worth the name, samples that weigh one.
pub(crate) fn clockless() -> Recording {
    let mut recording = Recording::new(Source::Import("folded".to_owned()), Weight::Samples);
    recording.threads = vec![Thread { to: None, ..thread(0, "", 0, 0) }];
    recording.frames =
        vec![frame("main", Language::Unknown, Owner::Unknown), frame("f", Language::Unknown, Owner::Unknown)];
    let stack = stack(&mut recording, &[0, 1]);
    for (stack, weight) in [(Some(stack), 41), (Some(0), 1), (None, 3)] {
        recording.hits.push(Hit { at: Nanos::ZERO, thread: 0, stack, weight });
    }
    recording
}

/// Nothing at all.
pub(crate) fn empty() -> Recording {
    Recording::new(Source::Slowpath(Level::D), Weight::CpuTime)
}

/// Positions that point nowhere, times that run backwards, and this text wherever text can stand.
pub(crate) fn hostile(text: &str) -> Recording {
    let mut recording = recording();
    for frame in &mut recording.frames {
        frame.function = frame.function.as_ref().map(|name| format!("{text}{name}"));
        frame.file = Some(text.to_owned());
    }
    recording.processes[0].name = text.to_owned();
    recording.processes[0].argv = vec![Arg::from(text)];
    for thread in &mut recording.threads {
        thread.name = text.to_owned();
    }
    recording.modules[0] = Module { path: text.to_owned(), build_id: Some(text.to_owned()) };
    recording.objects[0] = Object::File { path: text.to_owned() };
    recording.calls[1].name = text.to_owned();
    recording.nodes.push(Node { parent: Some(u32::MAX), frame: u32::MAX });
    let lost = recording.nodes.len() as u32 - 1;
    for stack in [lost, u32::MAX] {
        recording.hits.push(Hit { at: at(1), thread: u32::MAX, stack: Some(stack), weight: u64::MAX / 4 });
    }
    recording.waits.push(wait(u32::MAX, 900, 100, Why::Unknown, Some(u32::MAX), Some(u32::MAX)));
    recording
}

/// This many hits in random stacks, from a fixed seed.
pub(crate) fn random(hits: u32) -> Recording {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut recording = Recording::new(Source::Slowpath(Level::A), Weight::CpuTime);
    recording.wall = Some(at(u64::from(hits) / 4));
    recording.threads =
        (0..4).map(|tid| thread(tid + 1, &format!("t{tid}"), 0, u64::from(hits) / 4)).collect();
    let owners = [Owner::Project, Owner::Library, Owner::Runtime, Owner::Kernel];
    recording.frames =
        (0..400).map(|n| frame(&format!("function_{n}"), Language::Rust, owners[n % 4])).collect();
    for _ in 0..20_000 {
        let nodes = recording.nodes.len() as u64;
        let parent = (nodes > 3).then(|| next(nodes) as u32);
        recording.nodes.push(Node { parent, frame: next(400) as u32 });
    }
    for n in 0..hits {
        let stack = next(20_000).min(next(20_000)) as u32;
        recording.hits.push(Hit { at: at(u64::from(n) / 4), thread: n % 4, stack: Some(stack), weight: MS });
    }
    recording
}
