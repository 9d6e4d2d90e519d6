use std::collections::BTreeMap;

use model::performance_map::{
    Baseline, Bottleneck, Cited, Decided, EndToEnd, EntryPoint, Gpu, PerformanceMap, Priority, SCHEMA,
    Spread, Step, StepType, Suspicion, SuspicionVerdict, WrongTool,
};

fn step(id: &str, function: &str, share: f64, kind: StepType, children: Vec<Step>) -> Step {
    let below: f64 = children.iter().map(|child| child.time_share_pct).sum();
    Step {
        id: id.to_owned(),
        function: function.to_owned(),
        location: Some(format!("/srv/app/{function}.py:41")),
        service: None,
        wall_time_ms: share * 12.4,
        time_share_pct: share,
        self_share_pct: share - below,
        kind,
        http_round_trips: Some(3),
        children,
    }
}

fn decided(holds: Option<bool>) -> Decided {
    Decided {
        holds,
        because: "69 % of wall time: too little".to_owned(),
        value: Some(0.69),
        limit: Some(0.9),
    }
}

pub(crate) fn map() -> PerformanceMap {
    let fetch = Step {
        service: Some("10.0.0.1:80".to_owned()),
        ..step("1.2", "recv", 20.0, StepType::External, Vec::new())
    };
    let dedup = step("1.1", "dedup", 75.5, StepType::Cpu, Vec::new());
    PerformanceMap {
        schema: SCHEMA.to_owned(),
        run: "20260801T101500Z-7f3a".to_owned(),
        test_command: "python3 report.py 20000".to_owned(),
        entry_point_info: EntryPoint {
            kind: "pipeline".to_owned(),
            location: Some("/srv/app/report.py:3".to_owned()),
            route: None,
            function: Some("<module>".to_owned()),
        },
        baseline: Baseline {
            wall_time_ms: Some(1240.0),
            cpu_time_ms: Some(1130.5),
            memory_peak_mb: Some(43.2),
            memory_delta_mb: None,
            io_read_bytes: Some(4096.0),
            io_write_bytes: None,
            http_round_trips: Some(3),
            gpu: Some(Gpu {
                name: "NVIDIA H200".to_owned(),
                memory_before_mb: Some(3.0),
                memory_after_mb: None,
                memory_peak_mb: Some(512.0),
                use_mean_pct: Some(71.0),
                looks: 9,
                use_before_pct: Some(0.0),
                use_after_pct: Some(1e-7),
            }),
        },
        baseline_intervals: BTreeMap::from([(
            "wall_time_ms".to_owned(),
            Spread { runs: 12, low: Some(1210.0), high: None, source: "monotonic clock".to_owned() },
        )]),
        steps: vec![step("1", "report", 100.0, StepType::Cpu, vec![dedup, fetch])],
        bottleneck_classification: Some(StepType::Cpu),
        bottleneck_detail: "a list is searched: 76 % of wall time".to_owned(),
        top_bottlenecks: vec![Bottleneck {
            step: "1.1".to_owned(),
            kind: StepType::Cpu,
            share: 75.5,
            priority: Priority::Primary,
            description: "dedup".to_owned(),
            cause: Some("algorithmic-growth".to_owned()),
        }],
        optimization_hints: vec!["`dedup` (report.py:41): keep a `set`".to_owned()],
        suspicion_stack: vec![Suspicion {
            category: "redundant work".to_owned(),
            cause: "algorithmic-growth".to_owned(),
            location: Some("/srv/app/dedup.py:41".to_owned()),
            description: "a list is searched for each of its elements".to_owned(),
            verdict: SuspicionVerdict::Confirmed,
            evidence: vec![Cited {
                id: "e12".to_owned(),
                metric: "wall of dedup".to_owned(),
                value: 0.755,
                unit: "1".to_owned(),
                samples: 400,
            }],
            verification_note: "it grows with the input".to_owned(),
        }],
        wrong_tool_indicators: WrongTool {
            external_service_no_alternative: decided(Some(false)),
            within_industry_norm: Decided { value: None, limit: None, ..decided(None) },
            infrastructure_bound: decided(Some(true)),
            already_optimized: decided(Some(false)),
        },
        e2e_test: EndToEnd { command: None, source: "none".to_owned() },
        instrumented_files: Vec::new(),
    }
}
