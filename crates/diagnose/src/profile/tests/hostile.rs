//! Recordings that lie: indices that point nowhere, waits that overlap, times that run backwards. Nothing panics,
//! everything still adds up, and the same bytes give the same answer.

use model::Nanos;
use model::doctor::Level;
use model::recording::{
    Call, Frame, Hit, Language, Node, Object, Owner, Process, Recording, Source, Span, Thread, Wait, Weight,
    Why,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::{Context, difference, profile};
use super::made::{Made, assert_closed, ms};

fn time() -> impl Strategy<Value = Nanos> {
    prop_oneof![9 => 0..2_000_u64, 1 => Just(u64::MAX), 1 => 0..u64::MAX].prop_map(Nanos::from_nanos)
}

/// Mostly a position in a small table, sometimes far outside.
fn index() -> impl Strategy<Value = u32> {
    prop_oneof![9 => 0..6_u32, 1 => Just(u32::MAX), 1 => 0..u32::MAX]
}

fn object() -> impl Strategy<Value = Object> {
    prop_oneof![
        Just(Object::File { path: "/x".to_owned() }),
        Just(Object::Pipe { inode: 1 }),
        Just(Object::Event),
        Just(Object::Set { members: vec!["10.0.0.1:1".to_owned(), "pipe".to_owned()] }),
        (0..3_u64).prop_map(|address| Object::Lock { process: 0, address }),
        option::of(index()).prop_map(|pid| Object::Child { pid }),
        option::of(index()).prop_map(|local_peer| Object::Socket {
            family: "tcp".to_owned(),
            peer: None,
            local_peer,
            inode: 4
        }),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let names =
        ["futex", "read", "wait4", "vfork", "recvfrom", "epoll_wait", "poll", "nanosleep", "accept", "?"];
    (proptest::sample::select(names.to_vec()), option::of(index())).prop_map(|(name, object)| Call {
        name: name.to_owned(),
        object,
        detail: None,
    })
}

fn process() -> impl Strategy<Value = Process> {
    (index(), option::of(index()), time(), option::of(time())).prop_map(|(pid, parent, from, to)| Process {
        pid,
        parent,
        name: "p".to_owned(),
        program: None,
        argv: Vec::new(),
        from,
        to,
        runtime: None,
        shows_collector: false,
        loaded: None,
    })
}

fn thread() -> impl Strategy<Value = Thread> {
    let figures =
        (option::of(time()), option::of(time()), option::of(time()), option::of(time()), option::of(time()));
    (index(), index(), time(), option::of(time()), figures).prop_map(|(tid, process, from, to, figures)| {
        Thread {
            tid,
            process,
            name: format!("t{tid}"),
            from,
            to,
            on_cpu: figures.0,
            scheduler_on_cpu: figures.1,
            queued: figures.2,
            user: figures.3,
            system: figures.4,
            out_of_sight: None,
            period: None,
            interpreter_lock: None,
        }
    })
}

fn frame() -> impl Strategy<Value = Frame> {
    let names = ["main", "f", "g", "__x64_sys_read", "asm_exc_page_fault", "pthread_cond_wait"];
    let owners = [Owner::Project, Owner::Library, Owner::Runtime, Owner::Kernel];
    (
        option::of(proptest::sample::select(names.to_vec())),
        proptest::sample::select(owners.to_vec()),
        option::of(index()),
    )
        .prop_map(|(name, owner, module)| Frame {
            language: if owner == Owner::Kernel { Language::Kernel } else { Language::C },
            function: name.map(str::to_owned),
            file: None,
            line: module,
            module,
            offset: None,
            is_start: false,
            inlined: false,
            owner,
        })
}

fn wait() -> impl Strategy<Value = Wait> {
    let whys = [
        Why::Preempted,
        Why::Call,
        Why::Call,
        Why::Call,
        Why::Fault,
        Why::Stopped,
        Why::NotYetRun,
        Why::Unknown,
    ];
    let whole = (index(), time(), time(), option::of(time()), proptest::sample::select(whys.to_vec()));
    let links = (option::of(index()), option::of(index()), option::of(index()), option::of(index()));
    (whole, links, option::of(0..3_u32)).prop_map(
        |((thread, from, to, woken, why), (call, stack, by, holder), cpu)| Wait {
            thread,
            from,
            to,
            woken,
            why,
            call,
            stack,
            by,
            holder,
            cpu,
        },
    )
}

fn hit() -> impl Strategy<Value = Hit> {
    let weight = prop_oneof![9 => 0..100_u64, 1 => Just(u64::MAX)];
    (time(), index(), option::of(index()), weight).prop_map(|(at, thread, stack, weight)| Hit {
        at,
        thread,
        stack,
        weight,
    })
}

prop_compose! {
    fn recording()(
        processes in vec(process(), 0..5),
        threads in vec(thread(), 0..6),
        frames in vec(frame(), 0..6),
        nodes in vec((option::of(index()), index()), 0..12),
        objects in vec(object(), 0..6),
        calls in vec(call(), 0..6),
        hits in vec(hit(), 0..40),
        waits in vec(wait(), 0..40),
        watched in vec((time(), time()), 0..3),
        rest in (option::of(time()), option::of(time()), 0..6_usize),
    ) -> Recording {
        let sources = [
            Source::Slowpath(Level::A), Source::Slowpath(Level::B), Source::Slowpath(Level::C),
            Source::Slowpath(Level::D), Source::Import("x".to_owned()), Source::Slowpath(Level::A),
        ];
        let mut recording = Recording::new(sources[rest.2].clone(), Weight::CpuTime);
        (recording.wall, recording.period) = (rest.0, rest.1);
        recording.processes = processes;
        recording.threads = threads;
        recording.frames = frames;
        recording.nodes = nodes.into_iter().map(Node::from).collect();
        recording.objects = objects;
        recording.calls = calls;
        recording.hits = hits;
        recording.waits = waits;
        recording.watched = watched.into_iter().map(|(from, to)| Span { from, to }).collect();
        recording
    }
}

/// A few hundred find what there is to find; `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    ProptestConfig::default().cases.max(400)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn any_recording_adds_up(recording in recording(), steal in option::of(any::<f64>()), throttled in option::of(time())) {
        let context = Context { steal, throttled, user: throttled, system: recording.wall, ..Context::default() };
        let once = profile(&recording, &context);
        assert_closed(&recording, &once);
        prop_assert_eq!(format!("{once:?}"), format!("{:?}", profile(&recording, &context)));
        prop_assert!(difference(&recording, &recording).iter().all(|changed| changed.before == changed.after));
    }
}

#[test]
fn what_is_not_trusted_is_told() {
    let mut made = Made::new(Level::C, 100);
    made.blocked(0, 10, 50, "nanosleep", None);
    made.blocked(0, 40, 60, "nanosleep", None);
    made.blocked(0, 95, 120, "nanosleep", None);
    made.blocked(0, 70, 65, "nanosleep", None);
    made.blocked(7, 70, 75, "nanosleep", None);
    made.0.hits.push(Hit { at: ms(1), thread: 9, stack: Some(77), weight: 1 });
    let profile = made.profile();
    let told: Vec<&str> = profile.gaps.iter().map(|gap| gap.why.split(' ').next().unwrap()).collect();
    assert_eq!(told, ["2", "2", "1", "of"], "{:?}", profile.gaps);
    let sleep = profile.threads[0].account.leaves.iter().find(|leaf| leaf.leaf == "blocked/sleep").unwrap();
    assert!((sleep.seconds - 0.055).abs() < 1e-9, "{sleep:?}");
}

#[test]
fn an_empty_recording_is_an_empty_profile() {
    let recording = Recording::new(Source::Import("folded".to_owned()), Weight::Samples);
    let profile = profile(&recording, &Context::default());
    assert!(profile.account.is_none() && profile.hotspots.is_empty() && profile.tree.is_empty());
}
