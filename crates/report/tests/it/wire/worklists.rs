use model::answer::State;
use model::profile::Share;
use model::recording::{Language, Owner};
use model::runtime::{
    AtSize, Collector, Copies, Cost, Native, Over, Repeat, Runtime, Step, StepKind, StepPlace,
};
use model::worklist::{Cited, Effort, Entry, Opportunity, Row, Worklist};
use model::{Bytes, Nanos, Sample};

use super::place;

pub(crate) fn worklist(name: &str) -> Worklist {
    let artifact = "tier1/account.json.gz".to_owned();
    let somewhere = || Some(place(name, Some("/srv/app/report.py"), 41, Language::Python, Owner::Project));
    Worklist {
        schema: model::worklist::SCHEMA.to_owned(),
        run: "20260801T101500Z-7f3a".to_owned(),
        wall_s: 1.24,
        opportunities: vec![Opportunity {
            rank: 1,
            cause: "algorithmic-growth".to_owned(),
            class: "CPU".to_owned(),
            state: State::Confirmed,
            place: somewhere(),
            share: Share { value: 0.81, low: 0.78, high: 0.84 }.into(),
            ceiling: Some(6.2),
            saves_s: 0.97,
            impact: 5,
            confidence: 5,
            effort: Effort::Hours,
            score: 25.0 / 3.0,
            act: true,
            first_step: format!("`{name}`: keep a set"),
            verify: "slowpath verify 20260801T101500Z-7f3a -- CHANGED COMMAND".to_owned(),
            artifacts: vec![artifact.clone()],
        }],
        hotspots: vec![Row {
            rank: 1,
            place: somewhere(),
            category: "blocked/network".to_owned(),
            what: Some(name.to_owned()),
            share: 0.5,
            seconds: Some(0.6),
            n: 12,
            artifact: artifact.clone(),
        }],
        ledger: vec![Entry {
            hypothesis: "lock-contention".to_owned(),
            class: "Lock".to_owned(),
            verdict: State::Rejected,
            number: format!("{name}: 0 %"),
            place: somewhere(),
            evidence: vec![Cited { id: "e7".to_owned(), artifact }],
            revive: Some("a run in which this number is on the other side of its limit".to_owned()),
        }],
    }
}

pub(crate) fn runtime(run: Sample) -> Runtime {
    Runtime {
        schema: model::runtime::SCHEMA.to_owned(),
        runtime: "python".to_owned(),
        processes: 1,
        collector: Collector {
            collections: 7,
            taken: Nanos::from_nanos(270_000),
            longest: Nanos::from_nanos(90_000),
            beside: false,
            allocated: None,
            kept: None,
            span: None,
        },
        sites: None,
        repeats: vec![Repeat {
            function: "settings".to_owned(),
            file: "/srv/app/report.py".to_owned(),
            line: 3,
            calls: 4000,
            same: 3999,
            given: 0,
            taken: Some(Nanos::from_nanos(600_000_000)),
            callers: Vec::new(),
        }],
        costs: vec![Cost {
            function: "merged".to_owned(),
            file: "/srv/app/report.py".to_owned(),
            line: 17,
            calls: 60,
            taken: Nanos::from_nanos(80_000_000),
            callers: Vec::new(),
            over: Over::Kept,
            argument: Some("rows".to_owned()),
            again: 59,
            sizes: vec![AtSize { size: 48, calls: 20, median: Nanos::from_nanos(90_000) }],
        }],
        steps: vec![Step {
            kind: StepKind::Query,
            by: StepPlace { function: "owners".to_owned(), file: "/srv/app/report.py".to_owned(), line: 31 },
            inside: StepPlace {
                function: "Connection.run".to_owned(),
                file: "/usr/lib/python3/dist-packages/mapper.py".to_owned(),
                line: 212,
            },
            calls: 400,
            taken: Nanos::from_nanos(41_000_000),
            on_cpu: Some(Nanos::from_nanos(1_000_000)),
            longest: Nanos::from_nanos(310_000),
            again: Some(Nanos::ZERO),
        }],
        natives: vec![Native {
            function: "parse_schema".to_owned(),
            file: "/usr/lib/python3/dist-packages/avro/_schema.so".to_owned(),
            line: 0,
            by: StepPlace { function: "pack".to_owned(), file: "/srv/app/report.py".to_owned(), line: 46 },
            calls: 300,
            same: 299,
            given: 0,
            taken: Nanos::from_nanos(70_000_000),
            costs: Vec::new(),
        }],
        copies: vec![Copies {
            function: "Table.insert".to_owned(),
            file: "/srv/app/report.py".to_owned(),
            line: 71,
            calls: 200,
            bytes: Bytes::from_bytes(190_000_000),
            taken: Nanos::from_nanos(150_000_000),
        }],
        watched: Some(Nanos::from_nanos(900_000_000)),
        watched_on_cpu: Some(Nanos::from_nanos(800_000_000)),
        waits: None,
        run,
    }
}
