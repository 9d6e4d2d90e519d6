use model::answer::{Account, Answer, AnswerTarget, AnswerVerdict, Evidence, Leaf, Overhead, SCHEMA, Wall};
use model::{Arg, Ended};

use super::counters;

fn evidence(id: &str, metric: &str, value: f64, unit: &str) -> Evidence {
    Evidence {
        id: id.to_owned(),
        metric: metric.to_owned(),
        value,
        low: Some(value * 0.98),
        high: Some(value * 1.03),
        unit: unit.to_owned(),
        n: 12,
        artifact: "tier1/samples.jsonl".to_owned(),
        source: "rusage of the target and its children".to_owned(),
        coverage: Some(1.0),
    }
}

pub(crate) fn answer() -> Answer {
    let leaf = |leaf: &str, share: f64| Leaf {
        leaf: leaf.to_owned(),
        seconds: 1.24 * share,
        share,
        parts: Vec::new(),
    };
    Answer {
        schema: SCHEMA.to_owned(),
        run: "20260801T101500Z-7f3a".to_owned(),
        target: AnswerTarget {
            argv: ["python3", "report.py", "20000"].map(Arg::from).into(),
            exit: Some(Ended::Code(0)),
        },
        wall: Wall { median_s: 1.24, low_s: Some(1.21), high_s: Some(1.28), n: 12 },
        account: Account {
            unit: "thread-seconds of the critical path".to_owned(),
            leaves: vec![
                leaf("on-cpu/user", 0.8215),
                leaf("on-cpu/system", 0.0915),
                leaf("waiting for a CPU", 0.02),
                leaf("blocked", 0.06),
            ],
            unaccounted: 0.007,
            checks: Vec::new(),
        },
        verdict: AnswerVerdict {
            class: Some("CPU".to_owned()),
            cause: None,
            state: "likely".to_owned(),
            summary: "91 % of the wall time is spent computing; the program hardly waits.".to_owned(),
        },
        findings: Vec::new(),
        hypotheses: Vec::new(),
        indicators: Vec::new(),
        hotspots: Vec::new(),
        waits: Vec::new(),
        depth: None,
        scaling: None,
        suite: None,
        scorecard: None,
        simulated: None,
        evidence: vec![
            evidence("e1", "cpu", 1.13, "s"),
            evidence("e2", "peak RSS", 43_200_512.0, "B"),
            evidence("e3", "cpu / wall", 0.91, "1"),
            evidence("e4", "page faults per second", 8300.0, "1/s"),
        ],
        gaps: vec![
            counters(),
            model::Gap::new(
                "which function computes",
                "the baseline pass attaches nothing to the program",
                Some("slowpath record -- python3 report.py 20000"),
            ),
        ],
        overhead: vec![Overhead { pass: "baseline".to_owned(), ratio: 1.0 }],
    }
}

/// A single run that was killed; nothing is certain.
pub(crate) fn answer_once() -> Answer {
    let answer = answer();
    Answer {
        target: AnswerTarget { exit: Some(Ended::Signal(9)), ..answer.target },
        wall: Wall { median_s: 0.000_31, low_s: None, high_s: None, n: 1 },
        account: Account { leaves: Vec::new(), unaccounted: 1.0, ..answer.account },
        verdict: AnswerVerdict {
            class: None,
            cause: None,
            state: "untestable".to_owned(),
            summary: "one run is not enough to say anything.".to_owned(),
        },
        evidence: Vec::new(),
        overhead: Vec::new(),
        ..answer
    }
}

/// A run of which a second one was recorded.
pub(crate) fn answer_recorded() -> Answer {
    let profile = super::profile();
    let account = profile.account.unwrap();
    Answer { hotspots: profile.hotspots, waits: profile.waits, account, ..answer() }
}
