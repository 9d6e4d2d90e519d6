//! Samples made by hand.

use std::collections::BTreeMap;

use model::compare::Settings;
use model::fingerprint::Fingerprint;
use model::manifest::{Conditions, Kind, Manifest, SCHEMA, State};
use model::sample::{Covariates, Io, MainThread};
use model::{Arg, Arm, Bytes, Count, Ended, Nanos, Sample, Stage, Target};

pub(crate) fn nanos(seconds: f64) -> Nanos {
    Nanos::from_secs_f64(seconds).unwrap()
}

/// A run of 10 ms, all of it on the CPU.
pub(crate) fn sample(arm: u32, order: u32, block: Option<u32>, stage: Stage) -> Sample {
    Sample {
        arm,
        order,
        block,
        stage,
        ended: Ended::Code(0),
        wall: nanos(0.010),
        user: nanos(0.009),
        system: nanos(0.001),
        own_cpu: Some(nanos(0.010)),
        peak_rss: Bytes::from_bytes(8 << 20),
        exact_peak_rss: None,
        peak_mapped: None,
        minor_faults: Count(100),
        major_faults: Count(0),
        voluntary_switches: Count(1),
        involuntary_switches: Count(0),
        io: Some(Io {
            read: Bytes::from_bytes(1000),
            written: Bytes::from_bytes(0),
            block_read: Bytes::from_bytes(0),
            block_written: Bytes::from_bytes(0),
            read_calls: Count(3),
            write_calls: Count(0),
        }),
        main_thread: Some(MainThread { on_cpu: nanos(0.010), runnable: Nanos::ZERO }),
        tree: None,
        covariates: Covariates::default(),
        left_behind: Count(0),
        output: None,
    }
}

/// How the new side of a block differs from the base, by block.
pub(crate) type Change = fn(u32) -> f64;

/// ABBA blocks whose base takes 10 ms of wall and CPU with a wobble, and whose new side takes `wall` and `cpu` times that.
pub(crate) fn blocks(from: u32, to: u32, wall: Change, cpu: Change) -> Vec<Sample> {
    let mut samples = Vec::new();
    for block in from..to {
        for arm in [0, 1, 1, 0] {
            let order = u32::try_from(samples.len()).unwrap();
            let wobble = 1.0 + 0.002 * f64::from((order * 7 + block * 3) % 5);
            let (wall, cpu) = if arm == 0 { (1.0, 1.0) } else { (wall(block), cpu(block)) };
            samples.push(Sample {
                wall: nanos(0.010 * wobble * wall),
                user: nanos(0.009 * wobble * cpu),
                system: nanos(0.001 * wobble * cpu),
                ..sample(arm, order, Some(block), Stage::Measure)
            });
        }
    }
    samples
}

pub(crate) fn settings() -> Settings {
    Settings {
        margin: 0.02,
        pairs: Some(30),
        control: false,
        runs: None,
        precision: 0.01,
        budget_s: 10.0,
        ignore_failure: false,
        cold: false,
        captured: false,
        warm_up: None,
        count: false,
        startup: None,
        scale: None,
    }
}

pub(crate) fn arm(label: &str) -> Arm {
    let target = Target { argv: vec![Arg::from(label)], shell: false, cwd: None, env: BTreeMap::new() };
    Arm { label: label.to_owned(), target, params: BTreeMap::new() }
}

pub(crate) fn manifest(kind: Kind, labels: &[&str]) -> Manifest {
    Manifest {
        schema: SCHEMA.to_owned(),
        id: "made".to_owned(),
        kind,
        state: State::Complete,
        slowpath: "0".to_owned(),
        started: String::new(),
        ended: None,
        argv: Vec::new(),
        cwd: Arg::from("/"),
        seed: 7,
        arms: labels.iter().map(|label| arm(label)).collect(),
        settings: settings(),
        scenario: None,
        fingerprint: Fingerprint::default(),
        conditions: Conditions::default(),
        passes: Vec::new(),
        artifacts: Vec::new(),
        gaps: Vec::new(),
    }
}
