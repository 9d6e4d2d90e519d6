//! Memory Profile: how much memory the program needs, and whether that is more than it was or grows faster than it should.
//!
//! Peak resident memory is measured in every run, at every size. Against a baseline, equal sizes are compared, and a heap's
//! peak only with one from the same source. Without a baseline, the growth from the smallest to the largest size is judged
//! as it is paid, start-up included. One number alone is told and not judged: nothing says what it should be.

use std::cmp::Ordering;

use model::manifest::SAMPLES;
use model::scale::Class;
use model::scorecard::{Better, Dimension, Figure, Tier};
use model::simulated::SIMULATED;
use model::{Metric, heap};

use super::baseline::LEAST_BYTES;
use super::scaling::{class_words, limits};
use super::tier::Limits;
use super::{Inputs, dimension, not_measured, without};
use crate::pool::Pool;

pub(super) const NAME: &str = "Memory Profile";

/// New by old.
const RATIO: Limits = Limits::at_most(1.1, 1.5);

/// Peak resident memory at one size.
struct Peak {
    size: Option<u64>,
    bytes: f64,
    n: u32,
    label: String,
}

pub(super) fn scored(inputs: &Inputs<'_>) -> Dimension {
    let peaks = peaks(inputs);
    let Some(largest) = peaks.last() else {
        return without(not_measured(NAME, "no run counts"), Vec::new());
    };
    let mut figures: Vec<Figure> = peaks.iter().rev().map(figure).collect();
    figures.extend(heaps(inputs));
    let told = format!("peak resident memory is {}", bytes(largest.bytes));
    let judged = against_baseline(inputs, &peaks).or_else(|| growth(inputs, &peaks));
    let Some((tier, because, first)) = judged else {
        let mut scored = not_measured(NAME, &format!("{told}, and nothing tells what it should be"));
        scored.figures = figures;
        scored.missing =
            vec!["something to compare with: `--baseline RUN`, or two sizes with `--sizes`".to_owned()];
        return scored;
    };
    let mut scored = dimension(NAME, tier, format!("{told}; {because}"));
    scored.figures = std::iter::once(first).chain(figures).collect();
    if tier != Tier::Pass {
        let (location, prescription) = super::allocation::largest(inputs);
        scored.location = location;
        scored.prescription = Some(prescription);
    }
    scored
}

fn peaks(inputs: &Inputs<'_>) -> Vec<Peak> {
    let mut all: Vec<Peak> = inputs
        .arms()
        .into_iter()
        .filter_map(|arm| {
            let pool = Pool::of(inputs.samples, arm.index);
            Some(Peak { size: arm.size, bytes: pool.median(Metric::Rss)?, n: pool.n(), label: arm.label })
        })
        .collect();
    all.sort_by_key(|peak| peak.size);
    all
}

/// The worst ratio over the sizes both have. What the kernel's counters lag by is no growth, whatever part of a small
/// program it is.
fn against_baseline(inputs: &Inputs<'_>, peaks: &[Peak]) -> Option<(Tier, String, Figure)> {
    let baseline = inputs.baseline()?;
    let before = |size: Option<u64>| {
        let same = baseline.samples.iter().find(|series| series.metric == Metric::Rss && series.size == size);
        same.map(|series| series.median).filter(|median| *median > 0.0)
    };
    let ratios = peaks.iter().filter_map(|peak| {
        let before = before(peak.size)?;
        Some((peak, peak.bytes / before, peak.bytes - before < LEAST_BYTES))
    });
    let (peak, ratio, is_lag) =
        ratios.max_by(|a, b| (!a.2, a.1).partial_cmp(&(!b.2, b.1)).unwrap_or(Ordering::Equal))?;
    let at = peak.size.map(|size| format!(" at size {size}")).unwrap_or_default();
    let within = if is_lag { ", a difference of less than the kernel's counters tell apart" } else { "" };
    let because = format!("{ratio:.2} times the baseline's{at}{within}");
    let figure = Figure {
        name: "baseline_ratio".to_owned(),
        value: ratio,
        unit: "1".to_owned(),
        limit: Some(RATIO.limit),
        fail: Some(RATIO.fail),
        ..figure(peak)
    };
    Some((if is_lag { Tier::Pass } else { RATIO.tier(ratio) }, because, figure))
}

/// A smaller exponent of the peak is the heap's rounding.
const FLAT: f64 = 0.05;

fn growth(inputs: &Inputs<'_>, peaks: &[Peak]) -> Option<(Tier, String, Figure)> {
    let (first, last) = (peaks.first()?, peaks.last()?);
    let (small, large) = (super::cost::float(first.size?), super::cost::float(last.size?));
    if small <= 0.0 || large <= small || first.bytes <= 0.0 {
        return None;
    }
    let exponent = (last.bytes / first.bytes).ln() / (large / small).ln();
    // Held against itself, no memory would grow too fast.
    let expected = inputs.asked().unwrap_or(Class::Linearithmic);
    let limits = limits(expected);
    let small_growth = last.bytes - first.bytes < LEAST_BYTES;
    // Data that grow faster than the size may be its nature or a defect; their cost is not blamed, so they are told here.
    let natural = inputs.natural().filter(|_| !small_growth);
    let tier = match natural {
        _ if small_growth => Tier::Pass,
        Some(_) => Tier::Warn,
        None => limits.tier(exponent),
    };
    let because = if exponent < FLAT {
        format!("from size {small} to {large} it does not grow")
    } else {
        format!(
            "from size {small} to {large} it grows with the power of {exponent:.2} of the size, {} expected",
            class_words(expected)
        )
    };
    let because = match natural {
        Some(_) => {
            format!("{because}; where the size counts rows of a matrix, `--expected quadratic` says so")
        }
        None => because,
    };
    let figure = Figure {
        name: "memory_growth".to_owned(),
        value: exponent,
        unit: "1".to_owned(),
        limit: Some(limits.limit),
        fail: Some(limits.fail),
        size: None,
        n: u32::try_from(peaks.len()).ok(),
        ..figure(last)
    };
    Some((tier, because, figure))
}

fn figure(peak: &Peak) -> Figure {
    Figure {
        name: "peak_bytes".to_owned(),
        value: peak.bytes,
        low: None,
        high: None,
        unit: "B".to_owned(),
        limit: None,
        fail: None,
        better: Better::Lower,
        size: peak.size,
        n: Some(peak.n),
        cost: None,
        location: None,
        artifact: SAMPLES.to_owned(),
        source: "peak RSS, wait4".to_owned(),
        command: Some(format!("slowpath bench -- {}", peak.label)),
    }
}

/// Heap peaks, each from its own source: told, never mixed.
fn heaps(inputs: &Inputs<'_>) -> Vec<Figure> {
    let plain = |name: &str, value: u64, artifact: &str, source: &str, size| Figure {
        name: name.to_owned(),
        value: super::cost::float(value),
        low: None,
        high: None,
        unit: "B".to_owned(),
        limit: None,
        fail: None,
        better: Better::Lower,
        size,
        n: Some(1),
        cost: None,
        location: None,
        artifact: artifact.to_owned(),
        source: source.to_owned(),
        command: None,
    };
    let simulated = inputs.passes.simulated.as_ref();
    let size = simulated.and_then(|simulated| simulated.size);
    let massif = simulated.and_then(|simulated| simulated.heap.as_ref()?.peak);
    let python = simulated.and_then(|simulated| Some(simulated.python_heap.as_ref()?.peak));
    let own = inputs.passes.heap.as_ref().and_then(|heap| Some(heap.totals.as_ref()?.peak_live.as_bytes()));
    [
        massif.map(|peak| plain("heap_peak_massif", peak, SIMULATED, "massif", size)),
        python.map(|peak| plain("heap_peak_tracemalloc", peak, SIMULATED, "tracemalloc", size)),
        own.map(|peak| plain("heap_peak_allocator", peak, heap::HEAP, "allocator hook", None)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// For sentences.
pub(super) fn bytes(bytes: f64) -> String {
    let scales = [("GiB", 1_073_741_824.0), ("MiB", 1_048_576.0), ("KiB", 1024.0)];
    match scales.iter().find(|(_, size)| bytes >= *size) {
        Some((name, size)) => format!("{:.1} {name}", bytes / size),
        None => format!("{bytes:.0} B"),
    }
}
