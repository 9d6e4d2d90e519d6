use model::answer::{Account, AnswerTarget, Check, Leaf, Overhead, Part};
use model::doctor::Level;
use model::profile::{CallNode, Hotspot, LineCost, Place, Profile, SCHEMA, Share, ThreadAccount, WaitSite};
use model::recording::{Language, Losses, Owner, Weight};
use model::{Arg, Ended, Gap, Nanos};

pub(crate) fn place(
    function: &str,
    file: Option<&str>,
    line: u32,
    language: Language,
    owner: Owner,
) -> Place {
    Place {
        function: function.to_owned(),
        file: file.map(str::to_owned),
        line: file.map(|_| line),
        module: Some("/usr/lib/x86_64-linux-gnu/libc.so.6".to_owned()),
        language,
        owner,
    }
}

fn share(value: f64) -> Share {
    Share { value, low: (value - 0.02).max(0.0), high: value + 0.021 }
}

fn hotspot(place: Place, own: f64, total: f64, project: Option<Place>) -> Hotspot {
    Hotspot {
        own: share(own),
        total: share(total),
        n: (own * 4200.0) as u64,
        seconds: Some(own * 4.2),
        ceiling: (total < 1.0).then(|| 1.0 / (1.0 - total)),
        project,
        lines: vec![LineCost { line: place.line.unwrap_or(1), share: own / 2.0 }],
        place,
    }
}

fn leaf(leaf: &str, seconds: f64, parts: &[(&str, f64)]) -> Leaf {
    let part = |(what, seconds): &(&str, f64)| Part { what: (*what).to_owned(), seconds: *seconds };
    Leaf { leaf: leaf.to_owned(), seconds, share: seconds / 6.1, parts: parts.iter().map(part).collect() }
}

fn account() -> Account {
    Account {
        unit: "wall time along the critical path".to_owned(),
        leaves: vec![
            leaf("on-cpu/user", 3.4, &[("json.loads", 1.9), ("Row.total", 0.8), ("re.match", 0.03)]),
            leaf("blocked/network", 1.31, &[("10.0.0.1:5432", 1.2), ("10.0.0.2:6379", 0.1)]),
            leaf("blocked/disk-write", 0.62, &[("/var/lib/app/journal", 0.61)]),
            leaf("on-cpu/kernel", 0.41, &[("pwrite64", 0.3), ("read", 0.1)]),
            leaf("blocked/lock", 0.2, &[("lock 0x7f3c21a0 held by worker-3", 0.2)]),
            leaf("runnable/woken", 0.09, &[]),
        ],
        unaccounted: 1.0 - 6.03 / 6.1,
        checks: vec![
            Check {
                what: "time on a CPU, all threads".to_owned(),
                against: "rusage".to_owned(),
                ours_s: 4.21,
                theirs_s: 4.19,
            },
            Check {
                what: "time on a run queue".to_owned(),
                against: "schedstat".to_owned(),
                ours_s: 0.09,
                theirs_s: 0.13,
            },
        ],
    }
}

fn thread(name: &str, tid: u32, running: f64, waiting: f64, idle: f64) -> ThreadAccount {
    ThreadAccount {
        process: "python3".to_owned(),
        pid: 4100,
        tid,
        name: name.to_owned(),
        from: Nanos::ZERO,
        to: Nanos::from_nanos(6_100_000_000),
        account: Account {
            unit: "seconds of the thread".to_owned(),
            leaves: vec![
                leaf("on-cpu/user", running, &[]),
                leaf("blocked/poll", idle, &[]),
                leaf("blocked/network", waiting, &[]),
            ],
            unaccounted: 0.0,
            checks: Vec::new(),
        },
        idle_s: idle,
        interpreter_lock: (tid == 4100).then_some(0.71),
    }
}

fn wait(
    leaf: &str,
    what: Option<&str>,
    place: Option<Place>,
    seconds: f64,
    critical: f64,
    idle: bool,
) -> WaitSite {
    WaitSite {
        leaf: leaf.to_owned(),
        what: what.map(str::to_owned),
        call: Some("recvfrom".to_owned()),
        stack: place.iter().cloned().collect(),
        place,
        seconds,
        count: (seconds * 1000.0) as u64,
        longest_s: seconds / 3.0,
        critical_s: critical,
        queued_s: None,
        threads: 1,
        idle,
    }
}

fn tree() -> Vec<CallNode> {
    let python = |name: &str, line: u32, owner: Owner| {
        place(name, Some("/srv/app/report.py"), line, Language::Python, owner)
    };
    let node = |place: Place, total: f64, own: f64, children: Vec<CallNode>| CallNode {
        place,
        total,
        own,
        children,
    };
    let decode = node(place("scan_once", None, 0, Language::C, Owner::Runtime), 0.41, 0.41, Vec::new());
    let loads = node(python("loads", 346, Owner::Library), 0.45, 0.04, vec![decode]);
    let total = node(python("Row.total", 88, Owner::Project), 0.19, 0.19, Vec::new());
    let read = node(python("read_rows", 52, Owner::Project), 0.66, 0.02, vec![loads, total]);
    let write = node(python("write", 131, Owner::Project), 0.22, 0.22, Vec::new());
    let main = node(python("main", 12, Owner::Project), 0.99, 0.0, vec![read, write]);
    vec![node(python("<module>", 150, Owner::Project), 1.0, 0.0, vec![main])]
}

/// A Python program that computes, waits for a database and writes a journal.
pub(crate) fn profile() -> Profile {
    let project = |function: &str, line: u32| {
        place(function, Some("/srv/app/report.py"), line, Language::Python, Owner::Project)
    };
    let read_rows = || Some(project("read_rows", 52));
    Profile {
        schema: SCHEMA.to_owned(),
        run: "20261115T101500Z-7f3a".to_owned(),
        target: Some(AnswerTarget {
            argv: ["python3", "report.py", "20000"].map(Arg::from).into(),
            exit: Some(Ended::Code(0)),
        }),
        source: "slowpath".to_owned(),
        level: Some(Level::A),
        weight: Weight::CpuTime,
        wall_s: Some(6.1),
        hits: 4210,
        account: Some(account()),
        threads: vec![
            thread("python3", 4100, 3.8, 2.2, 0.0),
            thread("worker-3", 4103, 0.41, 0.2, 5.4),
            thread("worker-4", 4104, 0.0, 0.0, 6.0),
        ],
        hotspots: vec![
            hotspot(place("scan_once", None, 0, Language::C, Owner::Runtime), 0.41, 0.41, read_rows()),
            hotspot(project("Row.total", 88), 0.19, 0.27, None),
            hotspot(
                place("__memmove_avx_unaligned_erms", None, 0, Language::C, Owner::Library),
                0.082,
                0.082,
                Some(project("write", 131)),
            ),
            hotspot(project("main", 12), 0.004, 1.0, None),
        ],
        waits: vec![
            wait("blocked/poll", Some("4 sockets"), None, 11.2, 0.0, true),
            wait("blocked/network", Some("10.0.0.1:5432"), read_rows(), 1.31, 1.3, false),
            wait(
                "blocked/disk-write",
                Some("/var/lib/app/journal"),
                Some(project("write", 131)),
                0.62,
                0.62,
                false,
            ),
            wait(
                "blocked/lock",
                Some("lock 0x7f3c21a0 held by worker-3"),
                Some(project("flush", 140)),
                0.2,
                0.0,
                false,
            ),
        ],
        tree: tree(),
        losses: Losses { records: 12, throttled: 0, cut_stacks: 130, stacks: 5800, unexplained_waits: 41 },
        overhead: vec![Overhead { pass: "recorder".to_owned(), ratio: 1.013 }],
        gaps: vec![Gap::new(
            "kernel functions",
            "perf_event_paranoid is 2",
            Some("sysctl kernel.perf_event_paranoid=1"),
        )],
    }
}

/// An import without a clock, threads or losses.
pub(crate) fn profile_bare() -> Profile {
    let hotspot = hotspot(place("encode", Some("enc.go"), 4, Language::Go, Owner::Unknown), 1.0, 1.0, None);
    Profile {
        target: None,
        source: "pprof".to_owned(),
        level: None,
        weight: Weight::Samples,
        wall_s: None,
        hits: 1,
        account: None,
        threads: Vec::new(),
        hotspots: vec![Hotspot { seconds: None, ceiling: None, ..hotspot }],
        waits: Vec::new(),
        tree: Vec::new(),
        losses: Losses::default(),
        overhead: Vec::new(),
        gaps: Vec::new(),
        ..profile()
    }
}
