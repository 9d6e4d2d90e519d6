//! The runs that count: each as a dot in the order they were made, and how their values are spread.

use std::fmt::Write as _;

use model::compare::Side;
use model::{Metric, Sample};

use super::{Section, Sheet, Told};
use crate::{inert, number, words};

/// Dots of one plot; of more runs every n-th is drawn, and said so.
const DOTS: usize = 600;

/// Bars of a histogram.
const BARS: usize = 24;

/// Commands with plots of their own.
const ARMS: usize = 12;

/// One metric of one command.
struct Series {
    title: String,
    metric: Metric,
    /// In the order of measurement.
    values: Vec<f64>,
    median: Option<f64>,
    interval: Option<(f64, f64)>,
}

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let all = series(sheet);
    let body: String = all.iter().filter(|series| !series.values.is_empty()).map(plot).collect();
    if body.is_empty() {
        return None;
    }
    let note = "Every counted run as a dot, from the first to the last; the line is the median, the band its 95\u{a0}% \
                interval. Beside it the same values as a histogram.";
    Some(Section::new("runs", "The runs", note, format!("<div class=\"panels\">{body}</div>")))
}

const SHOWN: [Metric; 2] = [Metric::Wall, Metric::Cpu];

fn series(sheet: &Sheet) -> Vec<Series> {
    match sheet.told {
        Told::Bench(bench) => {
            let commands = bench.commands.iter().take(ARMS);
            let all = commands.flat_map(|command| {
                let metrics = SHOWN.into_iter().filter_map(|metric| words::summary_of(command, metric));
                metrics.map(|summary| Series {
                    title: format!("{} · {}", words::metric(summary.metric), command.label),
                    metric: summary.metric,
                    values: summary.values.clone(),
                    median: Some(summary.median),
                    interval: words::interval_of(summary),
                })
            });
            all.collect()
        }
        Told::Why(answer) => {
            let wall = &answer.wall;
            let cpu = answer.evidence.iter().find(|one| one.metric == "cpu" && one.unit == "s");
            let told = |metric: Metric| match metric {
                Metric::Wall => (Some(wall.median_s), wall.low_s.zip(wall.high_s)),
                _ => (cpu.map(|cpu| cpu.value), cpu.and_then(|cpu| cpu.low.zip(cpu.high))),
            };
            SHOWN.map(|metric| measured(sheet.samples, 0, metric, String::new(), told(metric))).into()
        }
        Told::Compare(compare) => both(sheet.samples, &compare.base, &compare.new),
        Told::Verify(verify) => both(sheet.samples, &verify.base, &verify.new),
        // One run, other sizes each time, or runs that lie in folders of their own: nothing to spread.
        Told::Profile(_) | Told::Scale(_) | Told::Gate(_) => Vec::new(),
    }
}

fn both(samples: &[Sample], base: &Side, new: &Side) -> Vec<Series> {
    let all = [(0, base), (1, new)].into_iter().flat_map(|(arm, side)| {
        SHOWN.map(|metric| {
            let median = side.medians.iter().find(|median| median.metric == metric);
            let title = format!(" · {}", side.label);
            measured(samples, arm, metric, title, (median.map(|median| median.value), None))
        })
    });
    all.collect()
}

fn measured(
    samples: &[Sample],
    arm: u32,
    metric: Metric,
    title: String,
    (median, interval): (Option<f64>, Option<(f64, f64)>),
) -> Series {
    let counted = samples.iter().filter(|sample| sample.arm == arm && sample.block.is_some());
    Series {
        title: format!("{}{title}", words::metric(metric)),
        metric,
        values: counted.filter_map(|sample| metric.of(sample)).collect(),
        median,
        interval,
    }
}

fn plot(series: &Series) -> String {
    let unit = series.metric.unit();
    let (low, high) = range(series);
    let y = |value: f64| (92.0 - (value - low) / (high - low) * 84.0).clamp(0.0, 100.0);
    let n = series.values.len();
    let every = n.div_ceil(DOTS).max(1);
    let thinned = if every > 1 { format!(", every {every}th drawn") } else { String::new() };
    let middle = series.median.map_or_else(String::new, |median| {
        format!("median {}, ", number::estimate(median, series.interval, unit))
    });
    let caption = format!("{middle}n = {n}{thinned}");
    let mut text = format!(
        "<figure class=\"plot\"><figcaption><b>{}</b> {}</figcaption><div class=\"axes with-side\">\
         <div class=\"up\" aria-hidden=\"true\"><span>{}</span><span>{}</span></div><svg role=\"img\" aria-label=\"{}\">",
        inert::html(&series.title),
        inert::html(&caption),
        inert::html(&number::quantity(high, unit)),
        inert::html(&number::quantity(low, unit)),
        inert::html(&format!("{} in run order: {caption}", series.title)),
    );
    if let Some((from, to)) = series.interval {
        let (top, tall) = (y(to), (y(from) - y(to)).max(0.4));
        let _ = write!(
            text,
            "<rect class=\"band\" x=\"0\" y=\"{top:.2}%\" width=\"100%\" height=\"{tall:.2}%\"/>"
        );
    }
    if let Some(median) = series.median {
        let _ = write!(
            text,
            "<line class=\"median\" x1=\"0\" x2=\"100%\" y1=\"{0:.2}%\" y2=\"{0:.2}%\"/>",
            y(median)
        );
    }
    for (at, value) in series.values.iter().enumerate().step_by(every) {
        #[expect(clippy::cast_precision_loss, reason = "a place in a plot")]
        let x = 2.0 + 96.0 * (at as f64 + 0.5) / n as f64;
        let told = format!("run {}: {}", at + 1, number::quantity(*value, unit));
        let _ = write!(
            text,
            "<circle cx=\"{x:.2}%\" cy=\"{:.2}%\" r=\"3.5\"><title>{}</title></circle>",
            y(*value),
            inert::html(&told)
        );
    }
    text.push_str("</svg><svg class=\"side\" aria-hidden=\"true\">");
    histogram(&mut text, &series.values, (low, high), &y);
    let _ = write!(
        text,
        "</svg><div class=\"along\" aria-hidden=\"true\"><span>run 1</span><span>run {n}</span></div></div></figure>"
    );
    text
}

/// The ends of the upright axis: all values, and where they hardly differ at least a hundredth of them, so that noise
/// does not look like spread.
fn range(series: &Series) -> (f64, f64) {
    let finite = || series.values.iter().copied().filter(|value| value.is_finite());
    let (least, most) = (finite().fold(f64::INFINITY, f64::min), finite().fold(0.0, f64::max));
    if least > most {
        return (0.0, 1.0);
    }
    let middle = f64::midpoint(least, most);
    let half = ((most - least) / 2.0).max(middle.abs() * 0.005).max(f64::MIN_POSITIVE);
    ((middle - half).max(0.0), middle + half)
}

fn histogram(text: &mut String, values: &[f64], (low, high): (f64, f64), y: &impl Fn(f64) -> f64) {
    let mut counts = [0_u32; BARS];
    #[expect(clippy::cast_precision_loss, reason = "a few dozen bars")]
    let step = (high - low) / BARS as f64;
    for value in values {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates at the ends")]
        let at = ((value - low) / step).clamp(0.0, 1e3) as usize;
        if let Some(count) = counts.get_mut(at.min(BARS - 1)) {
            *count += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or(1).max(1);
    for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        #[expect(clippy::cast_precision_loss, reason = "a few dozen bars")]
        let from = low + at as f64 * step;
        let (top, bottom) = (y(from + step), y(from));
        let _ = write!(
            text,
            "<rect x=\"0\" y=\"{top:.2}%\" width=\"{:.1}%\" height=\"{:.2}%\"/>",
            f64::from(*count) / f64::from(most) * 100.0,
            (bottom - top - 0.6).max(0.6)
        );
    }
}
