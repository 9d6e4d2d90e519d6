//! Summaries, outliers and warnings.

use diagnose::bench::{bench, precise_enough};
use model::bench::Bench;
use model::manifest::{Kind, Manifest};
use model::sample::MainThread;
use model::{Bytes, Count, Ended, Metric, Sample, Stage};

use crate::made::{blocks, manifest, nanos, sample};

fn runs(n: u32, wall: fn(u32) -> f64) -> Vec<Sample> {
    (0..n)
        .map(|run| Sample { wall: nanos(wall(run)), ..sample(0, run, Some(run / 2), Stage::Measure) })
        .collect()
}

/// A wobble without order: the same few values again and again.
fn wobble(run: u32) -> f64 {
    0.100 + 0.0001 * f64::from(run * 7 % 13)
}

fn summarised(samples: &[Sample]) -> Bench {
    summarised_with(&manifest(Kind::Bench, &["one"]), samples)
}

fn summarised_with(manifest: &Manifest, samples: &[Sample]) -> Bench {
    bench(manifest, samples, &[], &[])
}

fn warned(bench: &Bench, id: &str) -> bool {
    bench.commands[0].warnings.iter().any(|warning| warning.id == id)
}

#[test]
fn warm_up_is_counted_but_not_pooled() {
    let mut samples = runs(10, wobble);
    samples.insert(0, Sample { wall: nanos(5.0), ..sample(0, 0, None, Stage::WarmUp) });
    let bench = summarised(&samples);
    assert_eq!((bench.commands[0].n, bench.commands[0].warm_up), (10, 1));
    assert!(bench.commands[0].metrics[0].max < 1.0);
}

#[test]
fn a_metric_one_run_lacks_is_left_out_not_zero() {
    let mut samples = runs(10, wobble);
    samples[3].io = None;
    let bench = summarised(&samples);
    assert!(bench.commands[0].metrics.iter().all(|metric| metric.metric != Metric::ReadBytes));
}

#[test]
fn few_runs_have_no_interval() {
    let bench = summarised(&runs(5, wobble));
    assert_eq!(bench.commands[0].metrics[0].interval, None);
    assert!(summarised(&runs(6, wobble)).commands[0].metrics[0].interval.is_some());
}

#[test]
fn the_lag_of_peak_memory_is_made_good() {
    let mut samples = runs(6, wobble);
    let warm = sample(0, 0, None, Stage::WarmUp);
    let exact = Bytes::from_bytes(warm.peak_rss.as_bytes() + 4096);
    samples.push(Sample { exact_peak_rss: Some(exact), ..warm });
    let bench = summarised(&samples);
    let rss = bench.commands[0].metrics.iter().find(|metric| metric.metric == Metric::Rss).unwrap();
    assert!((rss.median - exact.as_f64()).abs() < 0.5);
}

#[test]
fn precision_needs_every_command() {
    let mut samples = runs(20, wobble);
    assert!(precise_enough(&samples, 1, 0.01));
    assert!(!precise_enough(&samples, 2, 0.01), "the second has no run");
    samples.extend(runs(20, |run| 0.1 * f64::from(1 + run % 7)).into_iter().map(|s| Sample { arm: 1, ..s }));
    assert!(!precise_enough(&samples, 2, 0.01), "the second is all over the place");
}

#[test]
fn commands_are_related_to_the_first_by_blocks() {
    let samples = blocks(0, 10, |_| 2.0, |_| 2.0);
    let bench = summarised_with(&manifest(Kind::Bench, &["one", "two"]), &samples);
    let wall = &bench.ratios[0];
    assert_eq!((wall.command.as_str(), wall.against.as_str(), wall.blocks), ("two", "one", 10));
    assert!((wall.ratio.value - 2.0).abs() < 0.02, "{:?}", wall.ratio);
}

#[test]
fn an_outlier_gets_its_reason_from_the_covariates() {
    let reason = |change: fn(&mut Sample)| {
        let mut samples = runs(20, wobble);
        samples[7].wall = nanos(0.200);
        change(&mut samples[7]);
        let bench = summarised(&samples);
        assert_eq!(bench.commands[0].outliers.len(), 1);
        assert_eq!(bench.commands[0].outliers[0].order, 7);
        assert_eq!(bench.commands[0].n, 20, "labelled, not dropped");
        bench.commands[0].outliers[0].reason.clone()
    };
    assert_eq!(reason(|_| ()), None);
    let steal = reason(|sample| sample.covariates.steal = Some(nanos(0.090))).unwrap();
    assert!(steal.contains("hypervisor"), "{steal}");
    let queue = reason(|sample| {
        sample.main_thread = Some(MainThread { on_cpu: nanos(0.1), runnable: nanos(0.099) });
    });
    assert!(queue.unwrap().contains("waiting for a CPU"));
    let faults = reason(|sample| sample.major_faults = Count(40)).unwrap();
    assert!(faults.contains("40 major page faults"), "{faults}");
    let cpu = reason(|sample| sample.user = nanos(0.109)).unwrap();
    assert!(cpu.contains("more CPU time"), "{cpu}");
    assert_eq!(
        reason(|sample| sample.covariates.steal = Some(nanos(0.010))),
        None,
        "too little to explain it"
    );
}

#[test]
fn quiet_runs_raise_no_warning() {
    let bench = summarised(&runs(30, wobble));
    assert!(bench.commands[0].warnings.is_empty(), "{:?}", bench.commands[0].warnings);
}

#[test]
fn what_spoils_a_number_is_said() {
    let with = |change: fn(&mut Sample)| {
        let mut samples = runs(30, wobble);
        samples.iter_mut().for_each(change);
        summarised(&samples)
    };
    assert!(warned(&with(|sample| sample.ended = Ended::Code(3)), "runs-failed"));
    assert!(warned(&with(|sample| sample.left_behind = Count(1)), "left-behind"));
    assert!(warned(&with(|sample| sample.wall = nanos(0.000_2)), "very-short"));
    let busy =
        with(|sample| sample.main_thread = Some(MainThread { on_cpu: nanos(0.01), runnable: nanos(0.03) }));
    assert!(warned(&busy, "busy-machine"));
}

#[test]
fn advice_on_drift_depends_on_what_was_already_tried() {
    let samples = runs(30, |run| 0.100 + 0.002 * f64::from(run));
    let advice = |warm_up: Option<u32>| {
        let mut manifest = manifest(Kind::Bench, &["one"]);
        manifest.settings.warm_up = warm_up;
        let bench = summarised_with(&manifest, &samples);
        bench.commands[0].warnings.iter().find(|warning| warning.id == "drift").unwrap().next.clone().unwrap()
    };
    assert!(advice(None).contains("--warmup"));
    assert!(!advice(Some(10)).contains("--warmup"));
}

#[test]
fn two_kinds_of_runs_are_told() {
    let bench = summarised(&runs(
        60,
        |run| if run * 7 % 11 < 5 { 0.1 } else { 0.2 } + 0.0005 * f64::from(run * 5 % 7),
    ));
    assert!(warned(&bench, "two-modes"), "{:?}", bench.commands[0].warnings);
}

#[test]
fn a_run_that_stands_out_by_a_hair_is_no_outlier() {
    let bench = summarised(&runs(20, |run| if run == 7 { 0.1010 } else { 0.1 }));
    assert!(bench.commands[0].outliers.is_empty(), "{:?}", bench.commands[0].outliers);
}
