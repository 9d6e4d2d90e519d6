//! Verdicts over made blocks.

use diagnose::compare::{Judge, compare, next};
use model::compare::{Comparable, Compare, Verdict};
use model::manifest::{Kind, Manifest};
use model::{Metric, Sample, Stage};

use crate::made::{blocks, manifest, nanos, settings};

const SAME: fn(u32) -> f64 = |_| 1.0;
const SLOWER: fn(u32) -> f64 = |_| 1.05;
const FASTER: fn(u32) -> f64 = |_| 0.90;
/// Far too wild for any verdict at 15 blocks.
const WILD: fn(u32) -> f64 = |block| if block % 2 == 0 { 1.4 } else { 0.7 };

fn judged(samples: &[Sample]) -> Compare {
    judged_with(&manifest(Kind::Compare, &["old", "new"]), samples)
}

fn judged_with(manifest: &Manifest, samples: &[Sample]) -> Compare {
    compare(manifest, samples, &[], (Comparable::Fully, Vec::new()), &[])
}

fn verdict(compare: &Compare, metric: Metric) -> Verdict {
    compare.metrics.iter().find(|found| found.metric == metric).unwrap().verdict
}

fn asked(samples: &[Sample]) -> Option<usize> {
    next(samples, &Judge::of(&settings(), 7))
}

#[test]
fn a_comparison_begins_with_the_first_look() {
    assert_eq!(asked(&[]), Some(8));
}

#[test]
fn a_difference_is_confirmed_before_it_is_claimed() {
    let mut samples = blocks(0, 8, SLOWER, SLOWER);
    assert_eq!(asked(&samples), Some(15));
    assert_eq!(judged(&samples).verdict, Verdict::Inconclusive, "not yet confirmed");
    samples.extend(blocks(8, 15, SLOWER, SLOWER));
    assert_eq!(asked(&samples), None);
    let answer = judged(&samples);
    assert_eq!(answer.verdict, Verdict::Worse);
    let cpu = answer.metrics.iter().find(|metric| metric.metric == Metric::Cpu).unwrap();
    assert_eq!((cpu.confirmed, cpu.pairs, cpu.needed), (Some(true), 30, None));
    assert!((cpu.ratio.value - 1.05).abs() < 0.003, "{:?}", cpu.ratio);
    assert!(answer.summary.starts_with("worse: "), "{}", answer.summary);
}

#[test]
fn a_difference_that_does_not_repeat_is_not_claimed() {
    let mut samples = blocks(0, 8, SLOWER, SLOWER);
    samples.extend(blocks(8, 15, WILD, WILD));
    let answer = judged(&samples);
    assert_eq!(answer.verdict, Verdict::Inconclusive);
    assert!(answer.metrics.iter().all(|metric| metric.confirmed.is_none()));
}

#[test]
fn better_is_better() {
    let mut samples = blocks(0, 8, FASTER, FASTER);
    samples.extend(blocks(8, 15, FASTER, FASTER));
    assert_eq!(judged(&samples).verdict, Verdict::Better);
}

#[test]
fn equal_commands_are_proven_equal() {
    let samples = blocks(0, 8, SAME, SAME);
    assert_eq!(asked(&samples), None);
    assert_eq!(judged(&samples).verdict, Verdict::NoChange);
}

#[test]
fn noise_is_inconclusive_and_says_what_it_would_take() {
    let samples = blocks(0, 15, WILD, WILD);
    assert_eq!(asked(&samples), None, "the pairs are used up");
    let answer = judged(&samples);
    assert_eq!(answer.verdict, Verdict::Inconclusive);
    let wall = answer.metrics.iter().find(|metric| metric.metric == Metric::Wall).unwrap();
    assert!(wall.needed.unwrap() > 30, "{:?}", wall.needed);
    assert!(wall.needed_s.unwrap() > 0.1);
    assert!(answer.summary.contains("more pairs"), "{}", answer.summary);
}

#[test]
fn cpu_time_speaks_for_wall_time_only_where_it_is_most_of_it() {
    let computing = blocks(0, 15, WILD, SAME);
    assert_eq!(judged(&computing).verdict, Verdict::NoChange);
    let mut waiting = computing;
    for sample in &mut waiting {
        sample.wall = nanos(sample.wall.as_secs_f64() * 10.0);
    }
    let answer = judged(&waiting);
    assert_eq!(verdict(&answer, Metric::Cpu), Verdict::NoChange);
    assert_eq!(answer.verdict, Verdict::Inconclusive, "what it waited for is not known to be unchanged");
}

#[test]
fn peak_memory_alone_proves_no_equality() {
    let answer = judged(&blocks(0, 15, WILD, WILD));
    assert_eq!(verdict(&answer, Metric::Rss), Verdict::NoChange);
    assert_eq!(answer.verdict, Verdict::Inconclusive);
}

#[test]
fn a_control_that_moves_withdraws_every_claim() {
    let mut samples = blocks(0, 8, SLOWER, SLOWER);
    samples.extend(blocks(8, 15, SLOWER, SLOWER));
    let moved: Vec<Sample> = samples
        .iter()
        .filter(|sample| sample.arm == 1)
        .map(|sample| Sample { arm: 2, ..sample.clone() })
        .collect();
    let still: Vec<Sample> = samples
        .iter()
        .filter(|sample| sample.arm == 0)
        .map(|sample| Sample { arm: 2, ..sample.clone() })
        .collect();
    let mut manifest = manifest(Kind::Compare, &["old", "new", "old (control)"]);
    manifest.settings.control = true;
    let with = |control: Vec<Sample>| {
        judged_with(&manifest, &samples.iter().cloned().chain(control).collect::<Vec<_>>())
    };
    assert_eq!(with(still).verdict, Verdict::Worse);
    let answer = with(moved);
    assert_eq!(answer.verdict, Verdict::Inconclusive);
    assert_eq!(answer.warnings[0].id, "control-moved");
}

#[test]
fn a_block_that_was_cut_does_not_count() {
    let mut samples = blocks(0, 9, SAME, SAME);
    samples.pop();
    let answer = judged(&samples);
    assert_eq!(answer.metrics[0].pairs, 16);
}

#[test]
fn the_same_lag_in_peak_memory_is_added_to_both_sides() {
    let mut samples = blocks(0, 8, SAME, SAME);
    for (arm, lag) in [(0, 0u64), (1, 512 << 10)] {
        let warm = crate::made::sample(arm, 0, None, Stage::WarmUp);
        let exact = model::Bytes::from_bytes(warm.peak_rss.as_bytes() + lag);
        samples.push(Sample { exact_peak_rss: Some(exact), ..warm });
    }
    let answer = judged(&samples);
    let rss = answer.metrics.iter().find(|metric| metric.metric == Metric::Rss).unwrap();
    assert!((rss.ratio.value - 1.0).abs() < 1e-9, "{:?}", rss.ratio);
}

#[test]
fn a_small_change_in_memory_is_not_worth_a_word() {
    let changed = |share: f64| {
        let mut samples = blocks(0, 8, SAME, SAME);
        samples.extend(blocks(8, 15, SAME, SAME));
        for sample in samples.iter_mut().filter(|sample| sample.arm == 1) {
            sample.peak_rss = model::Bytes::from_bytes((8_388_608.0 * share) as u64);
        }
        judged(&samples)
    };
    assert_eq!(changed(1.015).verdict, Verdict::NoChange);
    assert_eq!(
        changed(1.025).metrics[2].verdict,
        Verdict::Inconclusive,
        "200 KiB may be the kernel's counters"
    );
    let worse = changed(1.05);
    assert_eq!(worse.verdict, Verdict::Worse);
    assert!(worse.summary.starts_with("worse: rss"), "{}", worse.summary);
}

#[test]
fn a_price_paid_for_a_gain_is_told_with_the_gain() {
    let mut samples = blocks(0, 8, FASTER, FASTER);
    samples.extend(blocks(8, 15, FASTER, FASTER));
    for sample in samples.iter_mut().filter(|sample| sample.arm == 1) {
        sample.peak_rss = model::Bytes::from_bytes(9 << 20);
    }
    let answer = judged(&samples);
    assert_eq!(answer.verdict, Verdict::Worse, "the worst proven one");
    assert!(answer.summary.contains("; wall better by -10"), "{}", answer.summary);
}

#[test]
fn pairs_that_can_prove_nothing_are_warned_of() {
    let warned = |pairs: u32| {
        let mut manifest = manifest(Kind::Compare, &["old", "new"]);
        manifest.settings.pairs = Some(pairs);
        let answer = judged_with(&manifest, &blocks(0, 2, SLOWER, SLOWER));
        answer.warnings.iter().any(|warning| warning.id == "few-pairs")
    };
    assert!(warned(4) && warned(15) && !warned(16) && !warned(30));
}
