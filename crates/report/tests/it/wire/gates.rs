use model::answer::{Finding, Reason, State};
use model::compare::{Comparable, MetricVerdict, RatioEstimate, Verdict};
use model::gate::{
    Against, BASELINE_SCHEMA, Baseline, BudgetVerdict, Change, Gate, GateVerdict, SCHEMA, Saved,
    ScenarioVerdict, Series,
};
use model::profile::Share;
use model::recording::{Language, Owner};
use model::scorecard::Tier;
use model::standing::{Standing, Stands};
use model::verify::{self, After, Behaviour, Bound, Outcome, Prediction, Remains, Saving, Tests, Verify};
use model::{Ended, Metric};

use super::{compare, counters, place, warning};

pub(crate) fn finding() -> Finding {
    Finding {
        rank: 1,
        id: "algorithmic-growth".to_owned(),
        class: "CPU".to_owned(),
        cause: "algorithmic-growth".to_owned(),
        state: State::Confirmed,
        summary: "a list is searched for each item in `dedup` (report.py:41): 81 % of wall time".to_owned(),
        inside: None,
        location: Some(place("dedup", Some("report.py"), 41, Language::Python, Owner::Project)),
        share: Share { value: 0.81, low: 0.78, high: 0.84 }.into(),
        recoverable_s: 0.97,
        at_most: Some(5.1),
        with: None,
        because: vec![Reason { what: "the loop searches".to_owned(), evidence: vec!["e1".to_owned()] }],
        chain: Vec::new(),
        evidence: vec!["e1".to_owned()],
        prescription: "keep a `set`".to_owned(),
        verify: "slowpath verify last -- CHANGED COMMAND".to_owned(),
    }
}

pub(crate) fn verify() -> Verify {
    let compare = compare();
    Verify {
        schema: verify::SCHEMA.to_owned(),
        run: "20260801T101500Z-7f3a".to_owned(),
        seed: 42,
        verdict: Outcome::Accepted,
        summary: "accepted: cpu changed by -48.4 % (-48.7 to -48.0 %), 30 pairs, repeated on fresh ones"
            .to_owned(),
        prediction: Prediction {
            run: "20260801T100000Z-11aa".to_owned(),
            finding: finding(),
            metric: Metric::Cpu,
            wall_s: 1.24,
            comparable: Comparable::Not,
            differences: compare.differences.clone(),
        },
        saving: Some(Saving {
            share: 0.48,
            low: Some(0.47),
            high: Some(0.49),
            bound_low: 0.78,
            bound_high: 0.84,
            bound: Bound::Within,
        }),
        base: compare.base.clone(),
        new: compare.new.clone(),
        metrics: compare.metrics.clone(),
        harms: vec![Metric::Rss],
        dimensions: vec![
            standing("L1 Cache Efficiency", Tier::Warn, Stands::Worse),
            standing("Memory Profile", Tier::NotMeasured, Stands::Unchecked),
        ],
        tests: Some(Tests { command: "make test".to_owned(), ended: Ended::Code(0) }),
        behaviour: Behaviour::EndsDifferently { base: Ended::Code(0), new: Ended::Signal(11) },
        after: After {
            state: Remains::Gone,
            because: "algorithmic-growth in `dedup` is no longer found (was 81 %)".to_owned(),
            share_before: 0.81,
            share_after: Some(0.0),
            next: None,
        },
        margin: 0.02,
        warnings: vec![warning("busy-machine", "the machine is busy", None)],
        gaps: vec![counters()],
    }
}

fn standing(name: &str, now: Tier, stands: Stands) -> Standing {
    Standing {
        dimension: name.to_owned(),
        before: Tier::Pass,
        now,
        stands,
        because: "`dedup` misses the first-level cache on 4.1 % of its accesses".to_owned(),
    }
}

fn change(metric: Metric, ratio: f64, verdict: GateVerdict) -> Change {
    Change {
        judged: MetricVerdict {
            metric,
            ratio: RatioEstimate { value: ratio, low: Some(ratio * 0.99), high: Some(ratio * 1.01) },
            verdict: if verdict == GateVerdict::Broken { Verdict::Worse } else { Verdict::NoChange },
            pairs: 30,
            needed: None,
            needed_s: None,
            detectable: Some(0.01),
            p: Some(0.008),
            confirmed: (verdict == GateVerdict::Broken).then_some(true),
            source: "rusage".to_owned(),
        },
        base: Some(1.2),
        new: Some(1.2 * ratio),
        adjusted_p: Some(0.0004),
        verdict,
    }
}

fn scenario(name: &str, verdict: GateVerdict) -> ScenarioVerdict {
    ScenarioVerdict {
        name: name.to_owned(),
        command: format!("./{name} 100000"),
        verdict,
        because: Vec::new(),
        budgets: Vec::new(),
        changes: Vec::new(),
        comparable: None,
        differences: Vec::new(),
        repeated: None,
        findings: Vec::new(),
        n: 30,
        measured_s: 12.5,
    }
}

pub(crate) fn gate() -> Gate {
    let broken = ScenarioVerdict {
        because: vec!["cpu is worse than the baseline: +12.0 % (+10.9 to +13.1 %)".to_owned()],
        budgets: vec![BudgetVerdict {
            metric: Metric::Rss,
            limit: 67_108_864.0,
            value: Some(50_000_000.0),
            low: Some(49_000_000.0),
            high: Some(51_000_000.0),
            n: 30,
            verdict: GateVerdict::Holds,
        }],
        changes: vec![
            change(Metric::Cpu, 1.12, GateVerdict::Broken),
            change(Metric::Rss, 1.0, GateVerdict::Holds),
        ],
        findings: vec![finding()],
        ..scenario("search-100k", GateVerdict::Broken)
    };
    let failed = ScenarioVerdict {
        because: vec!["run 1 of `import` failed: exit status 3".to_owned()],
        ..scenario("import", GateVerdict::Failed)
    };
    Gate {
        schema: SCHEMA.to_owned(),
        run: "20260801T101500Z-7f3a".to_owned(),
        seed: 42,
        verdict: GateVerdict::Broken,
        summary: "broken: 4 scenarios, 1 broken, 1 failed, 1 inconclusive, 1 holds".to_owned(),
        baseline: Against::Revision { name: "main (0123456789) → HEAD (9876543210)".to_owned() },
        scenarios: vec![
            broken,
            failed,
            scenario("parse", GateVerdict::Inconclusive),
            scenario("start-up", GateVerdict::Holds),
        ],
        warnings: vec![warning("busy-machine", "the machine is busy", None)],
        gaps: vec![counters()],
    }
}

pub(crate) fn baseline() -> Saved {
    Saved {
        schema: BASELINE_SCHEMA.to_owned(),
        slowpath: "0.1.0".to_owned(),
        saved: "2026-08-01T10:15:00Z".to_owned(),
        scenarios: vec![Baseline {
            name: "search-100k".to_owned(),
            fingerprint: model::fingerprint::Fingerprint::default(),
            series: vec![Series { metric: Metric::Wall, values: vec![1.2, 1.3] }],
        }],
    }
}
