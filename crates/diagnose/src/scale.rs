//! Samples and counts at several sizes → how the cost grows.

pub(crate) mod data;
mod functions;
mod memory;
mod reach;
mod suite;

use model::bench::Warning;
use model::manifest::Manifest;
use model::sample::Counted;
use model::scale::{
    Bend, Class, Estimate, Fit, Gate, GateVerdict, Likely, PARAMETER, Point, Prediction, SCHEMA, Scale,
};
use model::{Gap, Metric, Sample};
use stats::{Cost, Growth, Machine, Values};

use crate::pool::Pool;

pub use functions::add_functions;
pub(crate) use memory::Outgrown;
pub use suite::of_suite;

/// What a right model of exact counts may be off by, relative: allocators, libraries and digits of numbers have their own
/// small steps. Set beforehand; `cargo xtask bench growth` shows what comes of it.
pub const COUNT_FLOOR: f64 = 0.004;

/// The same for CPU time, in which caches and clock rates change with the size too.
pub const TIME_FLOOR: f64 = 0.015;

/// By what share the time of a step may differ between the smallest and the largest size while the data stay in the cache,
/// at 95 %: clock rates, predictors, alignment, the first-level cache. Counts have no such thing. In the medians of
/// three sittings of eight programs of `specimens/growth` with one kind of step (append, dedup, divisors, insertion, lookups,
/// pairs, primes, quadruples) the time of an instruction differed by 4.6 % root mean square, by 11 % at most, in `pairs`.
/// Programs with steps of several kinds (blocks, matrix, mixed, paths) say nothing of it: the mixture changes too.
const TIME_DRIFT: f64 = 0.1;

/// Concludes a sitting of one command at several sizes. `None` when fewer than three sizes have a cost.
#[must_use]
pub fn scale(manifest: &Manifest, samples: &[Sample], counted: &[Counted], gaps: &[Gap]) -> Option<Scale> {
    let asked = manifest.settings.scale.as_ref()?;
    let sizes: Vec<(u32, u64)> = manifest
        .arms
        .iter()
        .enumerate()
        .filter_map(|(at, arm)| Some((u32::try_from(at).ok()?, arm.params.get(PARAMETER)?.parse().ok()?)))
        .collect();
    let counts = measured(&sizes, |arm| count(counted, arm));
    let times = measured(&sizes, |arm| time(samples, arm));
    let caches = manifest.fingerprint.machine.caches.as_deref().unwrap_or_default();
    let memory = memory(samples, &sizes);
    let outgrown = memory::outgrown(caches, &memory);
    let data = data::grown(&data::touched(&memory, samples, &sizes));
    let source = counted.first().map_or("", |counted| counted.source.as_str());
    let counts = fit(Metric::Instructions, source, &counts, &[], &asked.predict);
    let times = fit(Metric::Cpu, "rusage", &times, &outgrown, &asked.predict);
    let counted_fit = counts.as_ref().map(|(fit, _)| fit);
    let doubt = times.as_ref().and_then(|(times, kept)| memory::doubt(times, kept, &outgrown, counted_fit));
    let mut fits: Vec<Fit> = [counts, times].into_iter().flatten().map(|(fit, _)| fit).collect();
    if let [counted, timed] = fits.as_slice()
        && largest(counted) * REACHES < largest(timed)
        && !agree(counted, timed)
    {
        fits.reverse();
    }
    let leading = fits.first()?;
    Some(Scale {
        schema: SCHEMA.to_owned(),
        run: Some(manifest.id.clone()),
        seed: manifest.seed,
        command: asked.command.clone(),
        summary: data::told(summary(leading), leading.exponent, data),
        metric: leading.metric,
        class: leading.class,
        set: leading.set.iter().map(|likely| likely.class).collect(),
        exponent: leading.exponent,
        data,
        gate: asked.expected.map(|expected| Gate { expected, verdict: judged(expected, leading) }),
        warnings: warnings(&fits)
            .into_iter()
            .chain(doubt)
            .chain(fits.iter().flat_map(reach::doubts))
            .collect(),
        fits,
        functions: Vec::new(),
        suite: None,
        gaps: gaps.to_vec(),
    })
}

/// Counts lead unless they end below this part of the largest timed size and the times say otherwise: what they did not
/// reach they cannot tell.
const REACHES: f64 = 3.0;

/// Whether the class of one cannot be told apart from the other's.
fn agree(one: &Fit, other: &Fit) -> bool {
    let holds = |fit: &Fit, class: Class| fit.set.iter().any(|likely| likely.class == class);
    holds(one, other.class) || holds(other, one.class)
}

/// Whether the counts so far tell the growth: they fit one class alone, and the times of all sizes do not contradict it.
#[must_use]
pub fn counts_suffice(manifest: &Manifest, samples: &[Sample], counted: &[Counted]) -> bool {
    let Some(scale) = scale(manifest, samples, counted, &[]) else { return false };
    match scale.fits.as_slice() {
        [counts, times] => {
            let told = counts.metric == Metric::Instructions && counts.set.len() == 1;
            told && (agree(counts, times) || largest(counts) >= largest(times))
        }
        _ => false,
    }
}

fn largest(fit: &Fit) -> f64 {
    fit.points.last().map_or(0.0, |point| as_f64(point.size))
}

/// A cost at one size and the runs behind it.
pub(crate) struct Measured {
    pub(crate) size: u64,
    pub(crate) cost: Cost,
    pub(crate) n: u32,
}

fn measured(sizes: &[(u32, u64)], of: impl Fn(u32) -> Option<(f64, f64, u32)>) -> Vec<Measured> {
    let mut all: Vec<Measured> = sizes
        .iter()
        .filter_map(|(arm, size)| {
            let (cost, noise, n) = of(*arm)?;
            (cost > 0.0).then(|| Measured { size: *size, cost: Cost { size: as_f64(*size), cost, noise }, n })
        })
        .collect();
    all.sort_by_key(|measured| measured.size);
    all
}

#[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are not run")]
fn as_f64(size: u64) -> f64 {
    size as f64
}

fn count(counted: &[Counted], arm: u32) -> Option<(f64, f64, u32)> {
    let own = counted.iter().filter(|counted| counted.arm == arm);
    let values = Values::new(own.map(|counted| counted.instructions.as_f64()).collect())?;
    let median = stats::median(&values);
    Some((median, (values.max() - values.min()) / median, u32::try_from(values.n()).ok()?))
}

/// CPU time's lower quartile: what disturbs a run only ever adds to it.
fn time(samples: &[Sample], arm: u32) -> Option<(f64, f64, u32)> {
    let values = Pool::of(samples, arm).values(Metric::Cpu)?;
    let quartile = stats::quantile(&values, 0.25);
    let n = u32::try_from(values.n()).ok()?;
    // The standard error of a quartile of normal values is 1.36 standard deviations over the root of n; the lower half
    // of the values tells their deviation without the disturbed ones.
    let deviation = (stats::median(&values) - values.min()) / 1.2;
    Some((quartile, 1.36 * deviation / f64::from(n).sqrt() / quartile.max(f64::MIN_POSITIVE), n))
}

/// Peak resident memory, the smallest size first.
fn memory(samples: &[Sample], sizes: &[(u32, u64)]) -> Vec<(u64, f64)> {
    let median = |arm| Some(stats::median(&Pool::of(samples, arm).values(Metric::Rss)?));
    let mut all: Vec<(u64, f64)> =
        sizes.iter().filter_map(|(arm, size)| Some((*size, median(*arm)?))).collect();
    all.sort_by_key(|(size, _)| *size);
    all
}

/// The growth of a metric, and those classes of its set that only a cache which the data outgrew keeps there.
pub(crate) fn fit(
    metric: Metric,
    source: &str,
    measured: &[Measured],
    outgrown: &[Outgrown],
    predict: &[u64],
) -> Option<(Fit, Vec<Class>)> {
    let costs: Vec<Cost> = measured.iter().map(|measured| measured.cost).collect();
    let growth = if metric == Metric::Instructions {
        stats::growth(&costs, COUNT_FLOOR)?
    } else {
        let outgrown = outgrown.iter().map(|outgrown| outgrown.at).collect();
        stats::growth_on(&Machine { drift: TIME_DRIFT, outgrown }, &costs, TIME_FLOOR)?
    };
    let best = growth.best()?;
    let kept = growth.set().into_iter().filter(|fit| fit.is_slowed()).map(|fit| class(fit.class)).collect();
    let likely = |fit: &stats::Fit| Likely {
        class: class(fit.class),
        weight: growth.weight(fit),
        residual: fit.residual,
    };
    let point = |measured: &Measured| Point {
        size: measured.size,
        cost: measured.cost.cost,
        fitted: best.cost(measured.cost.size),
        n: measured.n,
    };
    let exponential = best.class == stats::Class::Exponential;
    let fit = Fit {
        metric,
        unit: metric.unit(),
        source: source.to_owned(),
        class: class(best.class),
        set: growth.set().into_iter().map(likely).collect(),
        exponent: growth.exponent.map(estimate),
        base: best.parameter.filter(|_| exponential),
        residual: best.residual,
        fixed: growth.fixed().map(estimate),
        marginal: growth.marginal().map(estimate),
        bend: growth.bend.map(bend),
        predictions: predict.iter().filter_map(|size| prediction(&growth, *size)).collect(),
        points: measured.iter().map(point).collect(),
    };
    Some((fit, kept))
}

fn prediction(growth: &Growth, size: u64) -> Option<Prediction> {
    let cost = growth.predicted(as_f64(size)).map(estimate)?;
    (cost.value.is_finite() && cost.high.is_finite()).then_some(Prediction { size, cost })
}

fn estimate(known: stats::Estimate) -> Estimate {
    Estimate { value: known.value, low: known.low, high: known.high }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "measured sizes are whole and positive"
)]
fn bend(bend: stats::Bend) -> Bend {
    Bend { after: bend.after as u64, size: bend.size as u64, below: bend.below, above: bend.above }
}

const fn class(class: stats::Class) -> Class {
    match class {
        stats::Class::Constant => Class::Constant,
        stats::Class::Logarithmic => Class::Logarithmic,
        stats::Class::SquareRoot => Class::SquareRoot,
        stats::Class::Linear => Class::Linear,
        stats::Class::Linearithmic => Class::Linearithmic,
        stats::Class::ThreeHalves => Class::ThreeHalves,
        stats::Class::Quadratic => Class::Quadratic,
        stats::Class::QuadraticLogarithmic => Class::QuadraticLogarithmic,
        stats::Class::Cubic => Class::Cubic,
        stats::Class::Exponential => Class::Exponential,
        stats::Class::Factorial => Class::Factorial,
        stats::Class::Power => Class::Power,
    }
}

fn what(metric: Metric) -> &'static str {
    match metric {
        Metric::Instructions => "instructions",
        Metric::Wall => "wall time",
        _ => "CPU time",
    }
}

/// The answer in one sentence, without the numbers that stand beside it.
fn summary(fit: &Fit) -> String {
    let what = what(fit.metric);
    let others = fit.set.len() > 1;
    let how = match fit.class {
        Class::Constant if others || is_hidden(fit) => {
            return format!("{what}: no growth that can be told from none");
        }
        Class::Constant => {
            return format!("{what} do not depend on the size").replace("time do", "time does");
        }
        Class::Logarithmic => "with the logarithm of the size".to_owned(),
        Class::SquareRoot => "with the square root of the size".to_owned(),
        Class::Linear => "in proportion to the size".to_owned(),
        Class::Linearithmic => "a little faster than the size, as sorting does".to_owned(),
        Class::ThreeHalves => "with the size to the power of 1.5".to_owned(),
        Class::Quadratic => "with the square of the size".to_owned(),
        Class::QuadraticLogarithmic => "a little faster than the square of the size".to_owned(),
        Class::Cubic => "with the cube of the size".to_owned(),
        Class::Exponential => {
            format!("exponentially: × {:.2} for each unit of size", fit.base.unwrap_or(2.0))
        }
        Class::Factorial => "with the factorial of the size".to_owned(),
        Class::Power => match fit.exponent {
            Some(exponent) => format!("with the size to the power of {:.2}", exponent.value),
            None => "with a power of the size".to_owned(),
        },
    };
    let verb = if fit.metric == Metric::Instructions { "grow" } else { "grows" };
    format!("{what} {verb} {how}")
}

/// Powers that differ by less than this are told apart by no logarithm.
const LOGARITHM: f64 = 0.01;

/// The order of a class on the scale of exponents; a logarithm counts as a hundredth.
fn order(class: Class, power: f64) -> f64 {
    match class {
        Class::Constant => 0.0,
        Class::Logarithmic => LOGARITHM,
        Class::SquareRoot => 0.5,
        Class::Linear => 1.0,
        Class::Linearithmic => 1.0 + LOGARITHM,
        Class::ThreeHalves => 1.5,
        Class::Quadratic => 2.0,
        Class::QuadraticLogarithmic => 2.0 + LOGARITHM,
        Class::Cubic => 3.0,
        Class::Exponential => f64::MAX / 2.0,
        Class::Factorial => f64::MAX,
        Class::Power => power,
    }
}

/// What a logarithm adds to an exponent over the sizes one measures: ln n between 1k and 1M doubles in ten doublings.
const LOGARITHM_LOOKS_LIKE: f64 = 0.15;

/// The expected class against all that cannot be told apart.
fn judged(expected: Class, fit: &Fit) -> GateVerdict {
    let slack = match expected {
        Class::Logarithmic | Class::Linearithmic | Class::QuadraticLogarithmic => LOGARITHM_LOOKS_LIKE,
        _ => 0.0,
    };
    let limit = order(expected, f64::INFINITY);
    let worse = |likely: &Likely| match (likely.class, fit.exponent) {
        (Class::Power, Some(exponent)) if exponent.high <= limit + slack => Some(false),
        (Class::Power, Some(exponent)) if exponent.low > limit + slack => Some(true),
        (Class::Power, _) => None,
        (class, _) => Some(order(class, 0.0) > limit),
    };
    let judged: Vec<Option<bool>> = fit.set.iter().map(worse).collect();
    if judged.iter().all(|worse| *worse == Some(false)) {
        if is_hidden(fit) { GateVerdict::Inconclusive } else { GateVerdict::Holds }
    } else if judged.iter().all(|worse| *worse == Some(true)) {
        GateVerdict::Broken
    } else {
        GateVerdict::Inconclusive
    }
}

/// Times that grow by less than this from the smallest to the largest size are mostly start-up.
const VISIBLE: f64 = 2.0;

/// Whether any growth may hide behind start-up: noise leaves the class of what is small beside it open, so times alone do
/// not acquit. Counts repeat, and do.
pub(crate) fn is_hidden(fit: &Fit) -> bool {
    let [first, .., last] = fit.points.as_slice() else { return false };
    fit.metric != Metric::Instructions && last.cost < VISIBLE * first.cost
}

/// A best model that is off by more than this describes the growth badly.
const ROUGH: f64 = 0.1;

/// Times this much start-up at the largest size hide the growth.
const MOSTLY_FIXED: f64 = 0.5;

fn warnings(fits: &[Fit]) -> Vec<Warning> {
    let mut all = Vec::new();
    let mut warn = |id: &str, text: String, next: Option<&str>| {
        all.push(Warning { id: id.to_owned(), text, next: next.map(str::to_owned) });
    };
    if let [counts, times] = fits
        && counts.metric == Metric::Instructions
        && !agree(counts, times)
    {
        let text = format!(
            "instructions grow as {}, CPU time as {}: an instruction does not cost the same at every size, as when caches are full or the kernel works",
            counts.class.name(),
            times.class.name()
        );
        warn(
            "metrics-disagree",
            text,
            Some("`slowpath -- COMMAND` at the largest size tells where its time goes"),
        );
    }
    let Some(leading) = fits.first() else { return all };
    if leading.residual > ROUGH {
        let text = format!(
            "the best model is off by {:.0} %: the cost has steps or depends on more than the size",
            leading.residual * 100.0
        );
        warn("rough-fit", text, Some("sizes that are powers of two, and more of them"));
    }
    let largest = leading.points.last().map_or(0.0, |point| point.cost);
    let fixed = leading.fixed.map_or(0.0, |fixed| fixed.value);
    if leading.class != Class::Constant && fixed > MOSTLY_FIXED * largest {
        let text = format!("{:.0} % of the cost at the largest size is start-up", fixed / largest * 100.0);
        warn("mostly-start-up", text, Some("larger sizes"));
    }
    let reach = leading
        .points
        .first()
        .zip(leading.points.last())
        .map_or(0.0, |(a, b)| as_f64(b.size) / as_f64(a.size));
    let exponential = matches!(leading.class, Class::Exponential | Class::Factorial);
    if leading.set.len() > 1 && reach < 16.0 && !exponential {
        warn(
            "narrow-range",
            format!("the sizes span a factor of {reach:.0} only"),
            Some("sizes that span a factor of 30 or more"),
        );
    }
    all
}
