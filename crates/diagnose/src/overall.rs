//! Many metrics → one verdict and one sentence.

use model::Metric;
use model::bench::Warning;
use model::compare::{MetricVerdict, Verdict};

/// CPU time may speak for wall time when it makes up at least this share of it: half, so that what it is blind to is
/// the smaller part.
const CPU_SPEAKS: f64 = 0.5;

/// How unlikely a difference of the base from itself must be before the sitting is distrusted: one in a hundred honest
/// sittings is repeated for nothing.
const CONTROL_P: f64 = 0.01;

/// The verdict on everything measured.
#[derive(Clone, Debug)]
pub(crate) struct Overall {
    pub(crate) verdict: Verdict,
    /// The metric that decided, as an index into the verdicts.
    decided_by: Option<usize>,
    pub(crate) warnings: Vec<Warning>,
}

/// The worst proven verdict. "No change" needs proof in a metric that speaks for the program's time: wall, or CPU
/// time where the program mostly computes. A control that moved proves nothing.
pub(crate) fn overall(
    metrics: &[MetricVerdict],
    control: Option<&[MetricVerdict]>,
    cpu_share: Option<f64>,
) -> Overall {
    if let Some(moved) = control.and_then(|control| control.iter().find(|metric| moved(metric))) {
        let warning = Warning {
            id: "control-moved".to_owned(),
            text: format!(
                "the base differs from itself in {}: this sitting proves nothing",
                moved.metric.name()
            ),
            next: Some("measure again on a quieter machine".to_owned()),
        };
        return Overall { verdict: Verdict::Inconclusive, decided_by: None, warnings: vec![warning] };
    }
    let first = |wanted: Verdict| metrics.iter().position(|metric| metric.verdict == wanted);
    let speaks = |metric: &MetricVerdict| match metric.metric {
        Metric::Wall => true,
        Metric::Cpu => cpu_share.is_none_or(|share| share >= CPU_SPEAKS),
        _ => false,
    };
    let unchanged = metrics.iter().position(|metric| metric.verdict == Verdict::NoChange && speaks(metric));
    let (verdict, decided_by) = if let Some(worse) = first(Verdict::Worse) {
        (Verdict::Worse, Some(worse))
    } else if let Some(better) = first(Verdict::Better) {
        (Verdict::Better, Some(better))
    } else if unchanged.is_some() {
        (Verdict::NoChange, unchanged)
    } else {
        (Verdict::Inconclusive, None)
    };
    Overall { verdict, decided_by, warnings: Vec::new() }
}

/// Between equal commands even an unconfirmed difference is a bad sign: one that the smallest error of a whole comparison
/// would allow, in an interval clear of 1.
fn moved(metric: &MetricVerdict) -> bool {
    let clear =
        metric.ratio.low.is_some_and(|low| low > 1.0) || metric.ratio.high.is_some_and(|high| high < 1.0);
    let unlikely = metric.p.is_some_and(|p| p <= CONTROL_P);
    matches!(metric.verdict, Verdict::Worse | Verdict::Better) || (clear && unlikely)
}

/// The verdict in one sentence.
pub(crate) fn sentence(overall: &Overall, metrics: &[MetricVerdict], margin: f64) -> String {
    let by = overall.decided_by.and_then(|index| metrics.get(index));
    let percent = margin * 100.0;
    match (overall.verdict, by) {
        (Verdict::Worse | Verdict::Better, Some(metric)) => {
            let word = if overall.verdict == Verdict::Worse { "worse" } else { "better" };
            let others = others(metrics, metric);
            format!("{word}: {} changed by {}{}{others}", metric.metric.name(), change(metric), proof(metric))
        }
        (Verdict::NoChange, Some(metric)) => {
            format!("no change larger than {percent:.3} % in {}: {}", metric.metric.name(), change(metric))
        }
        _ => inconclusive(overall, metrics),
    }
}

/// What else was proven to change, so that a price paid for a gain is seen with the gain.
fn others(metrics: &[MetricVerdict], told: &MetricVerdict) -> String {
    let changed = metrics.iter().filter(|metric| {
        metric.metric != told.metric && matches!(metric.verdict, Verdict::Worse | Verdict::Better)
    });
    let words = changed.map(|metric| {
        let word = if metric.verdict == Verdict::Worse { "worse" } else { "better" };
        format!("; {} {word} by {:+.2} %", metric.metric.name(), (metric.ratio.value - 1.0) * 100.0)
    });
    words.collect()
}

/// The sentence over stored results, which may be a suite.
pub(crate) fn stored_sentence(
    overall: &Overall,
    judged: &[(String, Vec<MetricVerdict>)],
    margin: f64,
) -> String {
    let all: Vec<MetricVerdict> = judged.iter().flat_map(|(_, verdicts)| verdicts.clone()).collect();
    let count = |wanted: Verdict| all.iter().filter(|metric| metric.verdict == wanted).count();
    let decided = overall.decided_by.and_then(|index| all.get(index));
    match (judged.len(), overall.verdict, decided) {
        (0 | 1, Verdict::Inconclusive, _) => {
            "inconclusive: the stored runs do not decide; measure both in one sitting".to_owned()
        }
        (0 | 1, Verdict::Worse | Verdict::Better, Some(metric)) => {
            let word = if overall.verdict == Verdict::Worse { "worse" } else { "better" };
            format!("{word}: {} changed by {}", metric.metric.name(), change(metric))
        }
        (0 | 1, _, _) => sentence(overall, &all, margin),
        (benchmarks, _, _) => format!(
            "{benchmarks} benchmarks: {} worse, {} better, {} without a change larger than {:.3} %, {} inconclusive",
            count(Verdict::Worse),
            count(Verdict::Better),
            count(Verdict::NoChange),
            margin * 100.0,
            count(Verdict::Inconclusive)
        ),
    }
}

fn inconclusive(overall: &Overall, metrics: &[MetricVerdict]) -> String {
    if let Some(warning) = overall.warnings.first() {
        return format!("inconclusive: {}", warning.text);
    }
    let cheapest = metrics
        .iter()
        .filter(|metric| metric.metric != Metric::Rss)
        .min_by_key(|metric| metric.needed.unwrap_or(u64::MAX));
    match cheapest.and_then(|metric| Some((metric.metric, metric.needed?, metric.needed_s?))) {
        Some((metric, pairs, seconds)) => {
            format!("inconclusive: about {pairs} more pairs, {seconds:.0} s, would decide {}", metric.name())
        }
        None => "inconclusive: too few pairs to decide anything".to_owned(),
    }
}

fn change(metric: &MetricVerdict) -> String {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let value = percent(metric.ratio.value);
    match (metric.ratio.low, metric.ratio.high) {
        (Some(low), Some(high)) => format!("{value:+.2} % ({:+.2} to {:+.2} %)", percent(low), percent(high)),
        _ => format!("{value:+.2} %"),
    }
}

fn proof(metric: &MetricVerdict) -> String {
    match metric.confirmed {
        Some(true) => format!(", {} pairs, repeated on fresh ones", metric.pairs),
        _ => format!(", counted by {}", metric.source),
    }
}
