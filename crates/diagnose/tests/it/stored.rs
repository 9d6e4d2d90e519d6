//! Results of two sittings.

use diagnose::stored::{Stored, StoredBenchmark, Unmatched, compare};
use model::Metric;
use model::compare::{Comparable, Compare, Verdict};

fn series(n: usize, centre: f64) -> Vec<f64> {
    (0..n).map(|run| centre * (1.0 + 0.001 * (run * 7 % 11) as f64)).collect()
}

fn stored(benchmarks: &[(&str, Vec<f64>)]) -> Stored {
    let benchmarks = benchmarks.iter().map(|(name, values)| StoredBenchmark {
        name: (*name).to_owned(),
        series: vec![(Metric::Wall, values.clone())],
    });
    Stored { label: "file".to_owned(), benchmarks: benchmarks.collect() }
}

fn judged(base: &Stored, new: &Stored) -> Result<Compare, Unmatched> {
    compare(base, new, 0.02, 0, (Comparable::Advisory, Vec::new()), &[])
}

#[test]
fn clear_differences_are_claimed_whatever_the_names_and_counts() {
    let base = stored(&[("old", series(20, 1.0))]);
    assert_eq!(judged(&base, &stored(&[("new", series(13, 1.10))])).unwrap().verdict, Verdict::Worse);
    assert_eq!(judged(&base, &stored(&[("new", series(40, 0.90))])).unwrap().verdict, Verdict::Better);
    assert_eq!(judged(&base, &stored(&[("new", series(20, 1.0))])).unwrap().verdict, Verdict::NoChange);
}

#[test]
fn a_difference_inside_the_margin_is_not_claimed_across_sittings() {
    let answer = judged(&stored(&[("a", series(20, 1.0))]), &stored(&[("a", series(20, 1.015))])).unwrap();
    assert_eq!(answer.verdict, Verdict::NoChange);
    assert_eq!(answer.order, "separate sittings");
    assert_eq!(answer.warnings[0].id, "separate-sittings");
}

#[test]
fn too_few_values_decide_nothing() {
    let answer = judged(&stored(&[("a", vec![1.0, 1.01])]), &stored(&[("a", vec![2.0])])).unwrap();
    assert_eq!(answer.verdict, Verdict::Inconclusive);
    assert_eq!(answer.metrics[0].ratio.low, None, "two values bound nothing");
}

#[test]
fn a_suite_is_matched_by_name() {
    let base = stored(&[("x", series(20, 1.0)), ("y", series(20, 1.0)), ("gone", series(20, 1.0))]);
    let new = stored(&[("y", series(20, 1.2)), ("x", series(20, 1.0)), ("added", series(20, 1.0))]);
    let answer = judged(&base, &new).unwrap();
    let verdicts: Vec<_> =
        answer.benchmarks.iter().map(|found| (found.name.as_str(), found.verdict)).collect();
    assert_eq!(verdicts, [("x", Verdict::NoChange), ("y", Verdict::Worse)]);
    assert_eq!(answer.verdict, Verdict::Worse);
}

#[test]
fn nothing_in_common_is_an_error_not_no_change() {
    let base = stored(&[("x", series(20, 1.0)), ("y", series(20, 1.0))]);
    let new = stored(&[("p", series(20, 1.0)), ("q", series(20, 1.0))]);
    assert!(matches!(judged(&base, &new), Err(Unmatched::NoSharedName { .. })));
    let mut other = stored(&[("x", series(20, 1.0))]);
    other.benchmarks[0].series[0].0 = Metric::Cpu;
    assert_eq!(judged(&stored(&[("x", series(20, 1.0))]), &other), Err(Unmatched::NoSharedMetric));
}

#[test]
fn a_zero_is_no_ratio() {
    let zero = stored(&[("x", vec![0.0; 10])]);
    assert_eq!(judged(&zero, &zero), Err(Unmatched::NoSharedMetric));
}
