//! Maps of recordings made by hand.

use model::answer::{Account, Answer, AnswerTarget, AnswerVerdict, Finding, Hypothesis, SCHEMA, State, Wall};
use model::calls::{self, Calls, Peer, Role, Sent, StatementUse};
use model::doctor::Level;
use model::passes::Passes;
use model::performance_map::{Step, StepType};
use model::profile::{Place, Share};
use model::recording::{Frame, Language, Node, Owner, Recording, Why};
use model::sample::Covariates;
use model::{Arg, Bytes, Count, Ended, Nanos, Sample, Stage};

use crate::profile::tests::made::{Made, file, ms, socket};
use crate::profile::{Context, Study, study};

use super::wrong_tool::wrong_tool;
use super::{Grounds, bottlenecks, requests, show, steps, suspicions};

fn answer() -> Answer {
    Answer {
        schema: SCHEMA.to_owned(),
        run: "made".to_owned(),
        target: AnswerTarget { argv: vec![Arg::from("prog")], exit: None },
        wall: Wall { median_s: 0.2, low_s: None, high_s: None, n: 1 },
        account: Account { unit: String::new(), leaves: Vec::new(), unaccounted: 0.0, checks: Vec::new() },
        verdict: AnswerVerdict {
            class: None,
            cause: None,
            state: "possible".to_owned(),
            summary: String::new(),
        },
        findings: Vec::new(),
        hypotheses: Vec::new(),
        indicators: Vec::new(),
        hotspots: Vec::new(),
        waits: Vec::new(),
        scaling: None,
        simulated: None,
        suite: None,
        depth: None,
        scorecard: None,
        evidence: Vec::new(),
        gaps: Vec::new(),
        overhead: Vec::new(),
    }
}

fn place(function: &str) -> Place {
    Place {
        function: function.to_owned(),
        file: Some("work.c".to_owned()),
        line: Some(7),
        module: None,
        language: Language::C,
        owner: Owner::Project,
    }
}

fn finding(cause: &str, class: &str, at: Option<&str>, share: f64) -> Finding {
    Finding {
        rank: 1,
        id: cause.to_owned(),
        class: class.to_owned(),
        cause: cause.to_owned(),
        state: State::Confirmed,
        summary: format!("{cause} here"),
        inside: None,
        location: at.map(place),
        share: Share { value: share, low: share, high: share }.into(),
        recoverable_s: 0.0,
        at_most: None,
        with: None,
        because: Vec::new(),
        chain: Vec::new(),
        evidence: Vec::new(),
        prescription: format!("mend {cause}"),
        verify: "slowpath compare".to_owned(),
    }
}

fn hypothesis(id: &str, state: State) -> Hypothesis {
    Hypothesis {
        id: id.to_owned(),
        class: "CPU".to_owned(),
        state,
        because: "0 %".to_owned(),
        location: None,
        evidence: Vec::new(),
        next: None,
    }
}

fn studied(made: &mut Made) -> Study {
    for frame in made.0.frames.iter_mut().filter(|frame| frame.owner == Owner::Project) {
        frame.file = Some("work.c".to_owned());
    }
    made.0.waits.sort_by_key(|wait| wait.to);
    made.0.hits.sort_by_key(|hit| hit.at);
    study(&made.0, &Context::default())
}

fn mapped(made: &mut Made, answer: &Answer, calls: Option<&Calls>) -> Step {
    let study = studied(made);
    let tree = steps::tree(&made.0, &study.trail, calls);
    let program = show::shown(&tree, answer, calls);
    assert_adds_up(&program, 1);
    program
}

/// Children never take more than their parent, and what is left is its own.
fn assert_adds_up(step: &Step, depth: usize) {
    let below: f64 = step.children.iter().map(|child| child.time_share_pct).sum();
    assert!((below + step.self_share_pct - step.time_share_pct).abs() < 1e-6, "{step:#?}");
    assert!(below <= step.time_share_pct + 1e-9 && depth <= 8 && step.time_share_pct >= 1.0, "{step:#?}");
    step.children.iter().for_each(|child| assert_adds_up(child, depth + 1));
}

fn find<'a>(step: &'a Step, function: &str) -> Option<&'a Step> {
    let below = || step.children.iter().find_map(|child| find(child, function));
    if step.function == function { Some(step) } else { below() }
}

/// Half of the time computing in `inner`, half reading a file from `load`.
fn mixed() -> Made {
    let mut made = Made::new(Level::C, 100);
    let inner = made.stack(&["p:main@3", "p:outer@5", "p:inner@7", "c:memcpy"]);
    let load = made.stack(&["p:main@4", "p:load@9", "c:read"]);
    made.hits(0, 0, 50, inner);
    made.blocked(0, 50, 100, "read", file("/var/log/x")).stack = Some(load);
    made
}

#[test]
fn time_stands_at_the_users_functions_and_below_them_at_what_they_wait_for() {
    let program = mapped(&mut mixed(), &answer(), None);
    assert_eq!((program.id.as_str(), program.function.as_str()), ("1", "main"));
    assert!((program.time_share_pct - 100.0).abs() < 1e-9 && (program.wall_time_ms - 200.0).abs() < 1e-6);
    let inner = find(&program, "inner").unwrap();
    assert_eq!((inner.kind, inner.location.as_deref()), (StepType::Cpu, Some("work.c:7")));
    assert!(
        (inner.time_share_pct - 50.0).abs() < 1.0 && (inner.wall_time_ms - 100.0).abs() < 2.0,
        "{inner:?}"
    );
    let load = find(&program, "load").unwrap();
    assert_eq!((load.kind, load.children.len()), (StepType::File, 1), "{load:?}");
    assert_eq!(load.children[0].function, "read");
    // Nobody traced the calls, so how many requests there were is not known.
    assert_eq!(load.http_round_trips, None);
    // Ids tell the way.
    assert!(inner.id.starts_with("1.1."), "{}", inner.id);
    assert_eq!(find(&program, "memcpy"), None, "the system's library is nobody's choice");
}

#[test]
fn what_a_child_does_stands_below_the_function_that_waits_for_it() {
    let mut made = Made::new(Level::C, 100);
    let run = made.stack(&["p:main", "p:run_tool", "c:wait4"]);
    let crunch = made.stack(&["p:start", "p:crunch@30"]);
    let child = made.process("tool", Some(0), 10, 90);
    made.woken(0, 10, 90, "wait4", None, child);
    made.0.waits[0].stack = Some(run);
    made.hits(child, 10, 90, crunch);
    let program = mapped(&mut made, &answer(), None);
    let waiting = find(&program, "run_tool").unwrap();
    assert!(waiting.service.is_none());
    let tool = find(waiting, "tool").unwrap_or_else(|| panic!("{program:#?}"));
    assert_eq!(tool.service.as_deref(), Some("tool"));
    let crunch = find(tool, "crunch").unwrap();
    assert_eq!(crunch.service.as_deref(), Some("tool"), "a step of another process names it");
    assert!(crunch.time_share_pct > 70.0, "{crunch:?}");
}

#[test]
fn recursion_is_one_step() {
    let mut made = Made::new(Level::C, 100);
    let deep: Vec<&str> = std::iter::once("p:main").chain(std::iter::repeat_n("p:walk", 40)).collect();
    let stack = made.stack(&deep);
    made.hits(0, 0, 100, stack);
    let program = mapped(&mut made, &answer(), None);
    assert_eq!(find(&program, "walk").unwrap().children, Vec::new(), "{program:#?}");
}

#[test]
fn a_tree_of_a_thousand_places_is_cut_to_what_matters() {
    let mut made = Made::new(Level::C, 1000);
    for at in 0..1000_u64 {
        let (big, small) = (format!("p:big{}", at % 7), format!("p:small{at}"));
        let deep = ["p:a", "p:b", "p:c", "p:d", "p:e", "p:f", "p:g", "p:h"];
        let names: Vec<&str> = deep.into_iter().chain([big.as_str(), small.as_str()]).collect();
        let stack = made.stack(if at % 2 == 0 { &names } else { &names[8..] });
        made.hits(0, at, at + 1, stack);
    }
    let program = mapped(&mut made, &answer(), None);
    let mut count = 0;
    let mut open = vec![&program];
    while let Some(step) = open.pop() {
        count += 1;
        open.extend(&step.children);
    }
    assert!((8..=100).contains(&count), "{count}");
    assert!(find(&program, "big3").is_some() && find(&program, "small3").is_none());
}

fn run() -> Sample {
    Sample {
        arm: 0,
        order: 1,
        block: None,
        stage: Stage::Measure,
        ended: Ended::Code(0),
        wall: ms(100),
        user: ms(1),
        system: ms(1),
        own_cpu: None,
        peak_rss: Bytes::from_bytes(1 << 20),
        exact_peak_rss: None,
        peak_mapped: None,
        minor_faults: Count(1),
        major_faults: Count(0),
        voluntary_switches: Count(1),
        involuntary_switches: Count(0),
        io: None,
        main_thread: None,
        tree: None,
        covariates: Covariates::default(),
        left_behind: Count(0),
        output: None,
    }
}

/// One request, made in `fetch`.
fn traced(count: u64) -> Calls {
    let frame = |name: &str| Frame {
        language: Language::C,
        function: Some(name.to_owned()),
        file: Some("work.c".to_owned()),
        line: Some(1),
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Project,
    };
    let statement = StatementUse {
        verb: "GET".to_owned(),
        text: "GET /".to_owned(),
        fingerprint: "0".to_owned(),
        count,
        answered: count,
        latency: ms(1),
        median: None,
        longest: ms(1),
        stacks: vec![Sent { stack: Some(1), count }],
    };
    let peer = Peer {
        family: "tcp".to_owned(),
        address: Some("10.0.0.1:80".to_owned()),
        role: Role::Asks,
        process: None,
        connections: 1,
        again: 0,
        refused: 0,
        sends: count,
        sent_bytes: 100,
        receives: count,
        received_bytes: 100,
        protocol: Some("http".to_owned()),
        requests: Some(count),
        sleeps: 0,
        slept: Nanos::ZERO,
        stalls: 0,
        stalled: Nanos::ZERO,
        stalled_at: None,
        statements: vec![statement],
    };
    Calls {
        schema: calls::SCHEMA.to_owned(),
        wall: ms(100),
        watched: ms(100),
        tracing: None,
        totals: calls::Totals::default(),
        rows: Vec::new(),
        files: Vec::new(),
        peers: vec![peer],
        others: Vec::new(),
        processes: Vec::new(),
        modules: Vec::new(),
        frames: vec![frame("main"), frame("fetch")],
        nodes: vec![Node { parent: None, frame: 0 }, Node { parent: Some(0), frame: 1 }],
        run: Some(run()),
        gaps: Vec::new(),
    }
}

/// Nearly all of the time waiting for a peer that is not of the tree.
fn asking() -> Made {
    let mut made = Made::new(Level::C, 100);
    let main = made.stack(&["p:main"]);
    let fetch = made.stack(&["p:main", "p:fetch", "c:recv"]);
    made.hits(0, 0, 3, main);
    made.blocked(0, 3, 100, "recvfrom", socket("tcp", Some("10.0.0.1:80"), None)).stack = Some(fetch);
    made
}

#[test]
fn requests_stand_at_the_steps_that_send_them() {
    let calls = traced(3);
    let program = mapped(&mut asking(), &answer(), Some(&calls));
    assert_eq!(program.http_round_trips, Some(3));
    let fetch = find(&program, "fetch").unwrap();
    assert_eq!((fetch.http_round_trips, fetch.kind), (Some(3), StepType::External));
    assert_eq!(fetch.children[0].http_round_trips, None, "who can tell inside a wait");
    assert_eq!(fetch.children[0].service.as_deref(), Some("10.0.0.1:80"));
    assert_eq!(fetch.children[0].function, "recvfrom");
}

#[test]
fn requests_that_were_not_all_seen_are_unknown() {
    let whole = traced(3);
    assert_eq!(requests::total(&whole), Some(3));
    let cut = Calls { watched: ms(50), ..whole.clone() };
    assert_eq!(requests::total(&cut), None);
    let ended = Calls { run: None, ..whole.clone() };
    assert_eq!(requests::total(&ended), None);
    let mut hidden = whole.clone();
    hidden.peers[0].protocol = Some("tls".to_owned());
    assert_eq!(requests::total(&hidden), None);
    let none = Calls { peers: Vec::new(), ..whole };
    assert_eq!(requests::total(&none), Some(0), "traced, and there were none");
}

#[test]
fn a_database_is_known_by_its_protocol() {
    let mut calls = traced(3);
    calls.peers[0].protocol = Some("postgresql".to_owned());
    let program = mapped(&mut asking(), &answer(), Some(&calls));
    assert_eq!(find(&program, "fetch").unwrap().kind, StepType::Database);
}

#[test]
fn a_findings_class_decides_the_kind_of_its_step() {
    let answer =
        Answer { findings: vec![finding("lock-contention", "Lock", Some("inner"), 0.5)], ..answer() };
    let program = mapped(&mut mixed(), &answer, None);
    assert_eq!(find(&program, "inner").unwrap().kind, StepType::Architecture);
    let steps = [program];
    let top = bottlenecks::top(&answer, &steps);
    assert_eq!(top[0].step, find(&steps[0], "inner").unwrap().id);
    assert_eq!((top[0].cause.as_deref(), top[0].kind), (Some("lock-contention"), StepType::Architecture));
    // The other half has no cause; the step is named all the same.
    assert!(top[1].cause.is_none() && top[1].description.contains("no cause"), "{top:#?}");
}

fn grounds<'a>(answer: &'a Answer, passes: &'a Passes, study: Option<&'a Study>) -> Grounds<'a> {
    Grounds {
        findings: &answer.findings,
        hypotheses: &answer.hypotheses,
        scenario: None,
        wall: &answer.wall,
        passes,
        study,
    }
}

fn recorded(recording: &Recording, calls: Option<Calls>) -> Passes {
    Passes { recording: Some(recording.clone()), calls, ..Passes::default() }
}

#[test]
fn a_slow_peer_without_an_alternative_is_nothing_to_fix_here() {
    let mut made = asking();
    let study = studied(&mut made);
    let mut answer = Answer { hypotheses: vec![hypothesis("serial-calls", State::Rejected)], ..answer() };
    let passes = recorded(&made.0, Some(traced(1)));
    let decided = wrong_tool(&grounds(&answer, &passes, Some(&study))).external_service_no_alternative;
    assert_eq!(decided.holds, Some(true), "{decided:?}");
    assert!(decided.because.contains("97 %") && decided.because.contains("10.0.0.1:80"), "{decided:?}");
    // With a request that could be saved it is the program's business again.
    answer.findings.push(finding("serial-calls", "I/O-Network", Some("fetch"), 0.9));
    let decided = wrong_tool(&grounds(&answer, &passes, Some(&study))).external_service_no_alternative;
    assert_eq!(decided.holds, Some(false), "{decided:?}");
    // And where the calls were not traced nobody knows.
    answer.findings.clear();
    answer.hypotheses = vec![hypothesis("serial-calls", State::Untestable)];
    let passes = recorded(&made.0, None);
    let decided = wrong_tool(&grounds(&answer, &passes, Some(&study))).external_service_no_alternative;
    assert_eq!((decided.holds, decided.value), (None, Some(0.97)), "{decided:?}");
}

#[test]
fn indicators_are_undecided_without_a_recording() {
    let (answer, passes) = (answer(), Passes::default());
    for (name, decided) in wrong_tool(&grounds(&answer, &passes, None)).named() {
        assert_eq!(decided.holds, None, "{name}");
    }
}

#[test]
fn nothing_found_is_told_only_where_causes_were_ruled_out() {
    let mut made = mixed();
    let study = studied(&mut made);
    let passes = recorded(&made.0, None);
    let mut answer = answer();
    let decide = |answer: &Answer| wrong_tool(&grounds(answer, &passes, Some(&study)));
    assert_eq!(decide(&answer).already_optimized.holds, None);
    answer.hypotheses = vec![hypothesis("gc-pressure", State::Rejected)];
    assert_eq!(decide(&answer).already_optimized.holds, Some(true));
    answer.findings = vec![finding("hot-compute", "CPU", Some("inner"), 0.5)];
    assert_eq!(decide(&answer).already_optimized.holds, Some(false));
    // Half of the time on the disk, and nothing found that asks less of it.
    let bound = decide(&answer).infrastructure_bound;
    assert_eq!(bound.holds, Some(true), "{bound:?}");
    answer.findings = vec![finding("small-io", "I/O-File", Some("load"), 0.5)];
    assert_eq!(decide(&answer).infrastructure_bound.holds, Some(false));
}

#[test]
fn a_program_that_waits_for_others_for_no_known_cause_is_not_called_optimised() {
    let mut made = mixed();
    let mut study = studied(&mut made);
    let leaves = &mut study.profile.account.as_mut().unwrap().leaves;
    let disk = leaves.iter_mut().find(|leaf| leaf.leaf == "blocked/disk-read").unwrap();
    disk.leaf = "blocked/network".to_owned();
    let (passes, mut answer) = (recorded(&made.0, None), answer());
    answer.hypotheses = vec![hypothesis("gc-pressure", State::Rejected)];
    let decided = wrong_tool(&grounds(&answer, &passes, Some(&study))).already_optimized;
    assert_eq!(decided.holds, None);
    assert!(decided.because.contains("is spent waiting"), "{decided:?}");
}

#[test]
fn a_program_whose_work_nobody_saw_is_not_called_optimised() {
    let mut made = mixed();
    made.0.hits.iter_mut().for_each(|hit| hit.stack = None);
    let study = studied(&mut made);
    assert!((study.unseen - 1.0).abs() < 1e-9 && !study.saw_places() && !study.native);
    let (passes, mut answer) = (recorded(&made.0, None), answer());
    answer.hypotheses = vec![hypothesis("serial-calls", State::Rejected)];
    let decided = wrong_tool(&grounds(&answer, &passes, Some(&study))).already_optimized;
    assert_eq!(decided.holds, None);
    assert!(decided.because.contains("was not seen"), "{decided:?}");
}

#[test]
fn every_hypothesis_is_a_suspicion_and_only_confirmed_ones_give_hints() {
    let mut likely = finding("serial-calls", "I/O-Network", None, 0.3);
    likely.state = State::Likely;
    let answer = Answer {
        findings: vec![finding("n-plus-one", "I/O-DB", Some("fetch"), 0.6), likely],
        hypotheses: vec![
            hypothesis("n-plus-one", State::Confirmed),
            hypothesis("gc-pressure", State::Rejected),
            hypothesis("steal", State::Untestable),
            hypothesis("mine", State::Rejected),
        ],
        ..answer()
    };
    let told: Vec<String> = suspicions::stack(&answer)
        .iter()
        .map(|one| format!("{} {} {:?}", one.cause, one.category, one.verdict))
        .collect();
    let expected = [
        "n-plus-one data flow Confirmed",
        "serial-calls async patterns Likely",
        "gc-pressure resource lifecycle Dismissed",
        "steal open Untested",
        "mine open Dismissed",
    ];
    assert_eq!(told, expected);
    assert_eq!(suspicions::hints(&answer), ["mend n-plus-one"]);
}

#[test]
fn a_busy_machine_is_not_held_against_the_program() {
    let mut made = Made::new(Level::C, 200);
    let main = made.stack(&["p:main"]);
    let fetch = made.stack(&["p:main", "p:fetch", "c:recv"]);
    made.hits(0, 0, 3, main);
    made.blocked(0, 3, 100, "recvfrom", socket("tcp", Some("10.0.0.1:80"), None)).stack = Some(fetch);
    made.wait(0, 100, 200, Why::Preempted);
    let program = mapped(&mut made, &answer(), None);
    let queue = find(&program, "waiting for a CPU").unwrap();
    assert!((queue.time_share_pct - 50.0).abs() < 0.1 && queue.kind == StepType::External, "{queue:?}");
    let study = studied(&mut made);
    let passes = recorded(&made.0, Some(traced(1)));
    let decided = wrong_tool(&grounds(&answer(), &passes, Some(&study))).external_service_no_alternative;
    assert_eq!(decided.holds, Some(true), "{decided:?}");
    assert!(decided.because.contains("left out"), "{decided:?}");
}
