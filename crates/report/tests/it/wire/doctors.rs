use std::collections::BTreeMap;

use model::Metric;
use model::compare::RatioEstimate;
use model::doctor::{Doctor, Level, MetricNoise, Needed, Noise, Probe, SCHEMA, Works};
use model::fingerprint::{Fingerprint, Limits, Machine, System};

fn probe(id: &str, what: &str, gives: &str, works: Works, because: &str, next: Option<&str>) -> Probe {
    let own = str::to_owned;
    Probe {
        id: own(id),
        what: own(what),
        gives: own(gives),
        works,
        because: own(because),
        next: next.map(own),
    }
}

fn noise(metric: Metric, spread: f64) -> MetricNoise {
    let need = |change: f64, pairs: u64| Needed { change, pairs, seconds: 0.21 * pairs as f64 };
    MetricNoise {
        metric,
        run_spread: spread,
        block_spread: spread / 2.0,
        ratio: RatioEstimate {
            value: 1.0 + spread / 20.0,
            low: Some(1.0 - spread / 4.0),
            high: Some(1.0 + spread / 3.0),
        },
        detectable: Some(spread * 0.6),
        needed: vec![need(0.01, 1240), need(0.02, 310), need(0.05, 50)],
    }
}

pub(crate) fn doctor() -> Doctor {
    let text = |text: &str| Some(text.to_owned());
    Doctor {
        schema: SCHEMA.to_owned(),
        level: Level::A,
        probes: vec![
            probe(
                "rusage",
                "time and memory of a child",
                "wall, cpu, peak RSS, faults",
                Works::Yes,
                "measured `true` in 0.6 ms",
                None,
            ),
            probe(
                "cgroup",
                "a control group of our own",
                "the whole process tree, orphans included",
                Works::Partly,
                "cpu.stat is readable; memory.peak is missing before Linux 5.19",
                Some("upgrade the kernel to 5.19 or newer"),
            ),
            probe(
                "pmu",
                "hardware counters",
                "instructions, cycles, cache misses",
                Works::No,
                "perf_event_open: no such device; the hypervisor gives this VM no PMU",
                Some("slowpath bench --count, which counts with valgrind"),
            ),
        ],
        fingerprint: Fingerprint {
            machine: Machine {
                cpu_model: text("AMD EPYC 7B13"),
                cpus_present: Some(4),
                memory_bytes: Some(16_777_216_000),
                hypervisor: text("KVM"),
                ..Machine::default()
            },
            system: System { kernel: text("6.8.0-45-generic"), ..System::default() },
            limits: Limits { cpus_allowed: Some(2), ..Limits::default() },
            tools: BTreeMap::from([("perf".to_owned(), None), ("valgrind".to_owned(), text("3.22.0"))]),
            programs: Vec::new(),
        },
        noise: Some(Noise {
            command: "slowpath's own busy loop".to_owned(),
            run: "20260801T101500Z-7f3a".to_owned(),
            pairs: 40,
            metrics: vec![noise(Metric::Wall, 0.031), noise(Metric::Cpu, 0.011), noise(Metric::Rss, 0.001)],
        }),
    }
}

/// Nothing works and little is known.
pub(crate) fn doctor_narrow() -> Doctor {
    let doctor = doctor();
    Doctor { level: Level::D, probes: Vec::new(), fingerprint: Fingerprint::default(), noise: None, ..doctor }
}
