//! Algorithmic Scaling: six sub-checks, of which growth measured over several sizes decides.
//!
//! The worst known evidence wins: one sub-check that fails fails the dimension, whatever else is missing. A ratio at one
//! size can acquit or warn, never fail (start-up and passes over the data look the same there): only growth convicts.
//! Without an exponent the dimension has points only where something is wrong; otherwise it was not measured.

use model::Metric;
use model::manifest::{COUNTS, SAMPLES};
use model::scale::{Class, Estimate, Fit, Scale};
use model::scorecard::{Better, Dimension, Figure, SubCheck, Tier};
use model::suite::{Family, SUITE};

use super::tier::{Limits, worse};
use super::{Inputs, dimension, not_measured};
use super::{allocation, per_element};

pub(super) const NAME: &str = "Algorithmic Scaling";

pub(super) fn scored(inputs: &Inputs<'_>) -> Dimension {
    let checks = vec![
        exponent(inputs),
        per_element::calls(inputs),
        per_element::reads(inputs),
        per_element::writes(inputs),
        allocation::churn(inputs),
        per_element::multiplied(inputs),
    ];
    let tier = composite(&checks);
    let missing: Vec<String> = checks
        .iter()
        .filter(|check| check.tier == Tier::NotMeasured)
        .map(|check| format!("{}: {}", check.name, check.because))
        .collect();
    let deciding = checks.iter().filter(|check| worse(check.tier, Tier::Pass)).max_by_key(|check| {
        // The first of the worst: sub-checks stand in the order of their weight.
        (
            super::tier::rank(check.tier),
            std::cmp::Reverse(checks.iter().position(|other| other.name == check.name)),
        )
    });
    let because = match (tier, deciding) {
        (Tier::NotMeasured, _) => checks
            .first()
            .map(|check| format!("growth was not measured: {}", check.because))
            .unwrap_or_default(),
        (Tier::Pass, Some(check)) => format!("growth is as expected; one warning: {}", check.because),
        (_, Some(check)) => check.because.clone(),
        (_, None) => checks.first().map(|check| check.because.clone()).unwrap_or_default(),
    };
    let mut scored =
        if tier == Tier::NotMeasured { not_measured(NAME, &because) } else { dimension(NAME, tier, because) };
    if worse(tier, Tier::Pass) {
        scored.location = deciding.and_then(|check| check.location.clone());
        scored.prescription = deciding.and_then(|check| check.prescription.clone());
    }
    scored.figures = checks.iter().filter_map(|check| check.figure.clone()).collect();
    scored.missing = missing;
    scored.checks = checks;
    scored
}

/// Any failure fails; two warnings warn, and growth's own warning counts as two; growth as expected passes.
fn composite(checks: &[SubCheck]) -> Tier {
    let count = |tier: Tier| checks.iter().filter(|check| check.tier == tier).count();
    let growth = checks.first().map_or(Tier::NotMeasured, |check| check.tier);
    if count(Tier::Fail) > 0 {
        Tier::Fail
    } else if count(Tier::Warn) >= 2 || growth == Tier::Warn {
        Tier::Warn
    } else if growth == Tier::Pass {
        Tier::Pass
    } else {
        Tier::NotMeasured
    }
}

/// A sub-check that could not be made.
pub(super) fn unmeasured(name: &str, why: impl Into<String>) -> SubCheck {
    SubCheck {
        name: name.to_owned(),
        tier: Tier::NotMeasured,
        because: why.into(),
        figure: None,
        location: None,
        prescription: None,
    }
}

/// Exponents up to which growth passes, and beyond which it fails. Those of n, n log n and n² are the rubric's; the others
/// follow them.
pub(super) const fn limits(expected: Class) -> Limits {
    match expected {
        Class::Constant => Limits::at_most(0.1, 0.3),
        Class::Logarithmic => Limits::at_most(0.3, 0.5),
        Class::SquareRoot => Limits::at_most(0.6, 0.8),
        Class::Linear => Limits::at_most(1.1, 1.3),
        Class::Linearithmic => Limits::at_most(1.3, 1.5),
        Class::ThreeHalves => Limits::at_most(1.6, 1.8),
        Class::Quadratic => Limits::at_most(2.0, 2.2),
        Class::QuadraticLogarithmic => Limits::at_most(2.3, 2.5),
        Class::Cubic => Limits::at_most(3.0, 3.2),
        Class::Exponential | Class::Factorial | Class::Power => Limits::at_most(f64::MAX, f64::MAX),
    }
}

/// Classes on the scale of exponents; a logarithm counts as a hundredth. `None` for a power, which its exponent tells.
const fn order(class: Class) -> Option<f64> {
    Some(match class {
        Class::Constant => 0.0,
        Class::Logarithmic => 0.01,
        Class::SquareRoot => 0.5,
        Class::Linear => 1.0,
        Class::Linearithmic => 1.01,
        Class::ThreeHalves => 1.5,
        Class::Quadratic => 2.0,
        Class::QuadraticLogarithmic => 2.01,
        Class::Cubic => 3.0,
        Class::Exponential => 1e6,
        Class::Factorial => 1e7,
        Class::Power => return None,
    })
}

/// The tier of a measured growth. [`Tier::NotMeasured`] when the measurements do not decide: an interval that spans the
/// limits is no failure.
pub(super) fn grown(set: &[Class], exponent: Option<Estimate>, expected: Class) -> Tier {
    let limit = order(expected).unwrap_or(f64::MAX);
    let within = |class: &Class| order(*class).is_some_and(|order| order <= limit);
    if !set.is_empty() && set.iter().all(within) {
        return Tier::Pass;
    }
    let limits = limits(expected);
    match exponent {
        Some(exponent) => match (limits.tier(exponent.low), limits.tier(exponent.high)) {
            // A part that grows fast may hide in a large one that does not: then the costs fit any class.
            (Tier::Pass, Tier::Pass) if set.iter().any(|class| is_beyond(*class, &limits)) => {
                Tier::NotMeasured
            }
            (low, high) if low == high => low,
            (Tier::Warn, _) => Tier::Warn,
            _ => Tier::NotMeasured,
        },
        None if !set.is_empty() && !set.iter().any(within) => Tier::Fail,
        None => Tier::NotMeasured,
    }
}

/// A class that fails.
fn is_beyond(class: Class, limits: &Limits) -> bool {
    order(class).is_some_and(|order| order > limits.fail)
}

fn exponent(inputs: &Inputs<'_>) -> SubCheck {
    let name = "complexity_exponent";
    let Some(scale) = inputs.scaling else {
        return unmeasured(
            name,
            "needs the command at three or more sizes: `--sizes 1k,4k,16k` with `{SIZE}` in it",
        );
    };
    let expected = inputs.expected();
    let hides = scale.fits.first().is_some_and(crate::scale::is_hidden);
    let tier = match grown(&scale.set, scale.exponent, expected) {
        Tier::Pass if hides => Tier::NotMeasured,
        tier => tier,
    };
    let k = match scale.exponent {
        Some(k) => format!("the power of {:.2} ({:.2}–{:.2}) of the size", k.value, k.low, k.high),
        None => format!("{} of the size", scale.class.name()),
    };
    let what = match scale.metric {
        Metric::Instructions => "instructions grow",
        Metric::Wall => "wall time grows",
        _ => "CPU time grows",
    };
    let what = match family(inputs, scale) {
        Some(family) => format!("{what} in {}", family.name),
        None => what.to_owned(),
    };
    let against = against(inputs, scale, expected);
    let hidden = || hides || scale.exponent.is_some_and(|k| limits(expected).tier(k.high) == Tier::Pass);
    let because = match tier {
        Tier::NotMeasured if hidden() => format!(
            "inconclusive: what grows with the size is too small beside the rest to tell how ({against}); larger sizes would tell"
        ),
        Tier::NotMeasured => format!(
            "inconclusive: {what} with {k}, which spans the limits ({against}); more or larger sizes would tell"
        ),
        Tier::Pass if scale.set == [Class::Constant] => format!("{}, {against}", scale.summary),
        Tier::Pass if inputs.natural().is_some() => {
            format!("{what} with {k}: the cost grows as the data do, {against}")
        }
        _ => format!("{what} with {k}, {against}"),
    };
    let bad = worse(tier, Tier::Pass);
    let culprit = per_element::fastest(inputs, scale).filter(|_| bad);
    let suspect = per_element::suspect(inputs).filter(|_| bad && culprit.is_none());
    let place = culprit.as_ref().map(|(place, _)| place.clone()).or_else(|| suspect.clone());
    SubCheck {
        name: name.to_owned(),
        tier,
        because: match (&culprit, &suspect) {
            (Some((place, class)), _) => format!("{because}; `{}` grows as {}", place.function, class.name()),
            (None, Some(place)) => format!("{because}; most of the cost is in `{}`", place.function),
            (None, None) => because,
        },
        figure: figure(inputs, scale, expected),
        prescription: bad.then(|| super::advice::grows(place.as_ref(), scale.class)),
        location: place,
    }
}

/// What growth is held against, and why where nobody said so.
fn against(inputs: &Inputs<'_>, scale: &Scale, expected: Class) -> String {
    match scale.data.filter(|_| inputs.natural().is_some()) {
        Some(data) => format!(
            "the memory in use with the power of {:.2} ({:.2}–{:.2}); {} expected of such data",
            data.value,
            data.low,
            data.high,
            class_words(expected)
        ),
        None => format!("{} expected", class_words(expected)),
    }
}

/// The family of a suite whose growth it is. `None` where slowpath itself ran the sizes.
fn family<'a>(inputs: &Inputs<'a>, scale: &Scale) -> Option<&'a Family> {
    let families = &inputs.answer.suite.as_ref()?.families;
    families.iter().find(|family| scale.fits.first() == Some(&family.growth))
}

/// The class as sentences name it.
pub(super) fn class_words(class: Class) -> String {
    match class {
        Class::Constant => "no growth".to_owned(),
        other => other.name().to_owned(),
    }
}

fn figure(inputs: &Inputs<'_>, scale: &Scale, expected: Class) -> Option<Figure> {
    let exponent = scale.exponent?;
    let fit: Option<&Fit> = scale.fits.iter().find(|fit| fit.metric == scale.metric);
    let limits = limits(expected);
    Some(Figure {
        name: "complexity_exponent".to_owned(),
        value: exponent.value,
        low: Some(exponent.low),
        high: Some(exponent.high),
        unit: "1".to_owned(),
        limit: Some(limits.limit),
        fail: Some(limits.fail),
        better: Better::Lower,
        size: None,
        n: fit.and_then(|fit| u32::try_from(fit.points.len()).ok()),
        cost: None,
        location: None,
        artifact: match scale.metric {
            Metric::Instructions => COUNTS,
            _ if family(inputs, scale).is_some() => SUITE,
            _ => SAMPLES,
        }
        .to_owned(),
        source: fit.map(|fit| fit.source.clone()).unwrap_or_default(),
        command: Some(again(inputs, scale)),
    })
}

/// The command that measures the growth again.
pub(super) fn again(inputs: &Inputs<'_>, scale: &Scale) -> String {
    if family(inputs, scale).is_some() {
        return format!("slowpath scale -- {}", inputs.workload());
    }
    let fit = scale.fits.iter().find(|fit| fit.metric == scale.metric);
    let points = fit.iter().flat_map(|fit| &fit.points);
    let sizes: Vec<String> = points.map(|point| point.size.to_string()).collect();
    format!("slowpath scale --sizes {} -- {}", sizes.join(","), inputs.workload())
}
