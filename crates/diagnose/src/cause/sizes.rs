//! What runs at several sizes say of a place.

use model::Metric;
use model::manifest::{COUNTS, SAMPLES};
use model::scale::{GateVerdict, Scale};

use super::facts::Inputs;
use super::subject::Subject;
use crate::profile::spots::Spot;
use crate::scale::data::relative;

/// What the growth was fitted to: instructions are counted in runs of their own.
const fn source_of(metric: Metric) -> (&'static str, &'static str) {
    let artifact = match metric {
        Metric::Instructions => COUNTS,
        _ => SAMPLES,
    };
    (artifact, "runs at several sizes")
}

/// The place that has this share of the time on the CPU is what grows.
const MOST: f64 = 0.5;

/// Cost that grows with a power of the data no larger than this may grow in step with them.
const IN_STEP: f64 = 1.2;

/// The growth of the run is that of the place that computes most of it, on however busy a machine. Growth that the user
/// expects speaks for nothing, nor does growth that is the data's own.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let expected =
        |scale: &&Scale| scale.gate.as_ref().is_some_and(|gate| gate.verdict == GateVerdict::Holds);
    let Some(scale) = inputs.scaling.filter(|scale| !expected(scale)) else { return };
    let relative = relative(scale).filter(|_| scale.gate.is_none());
    if relative.is_some_and(|relative| relative.low < IN_STEP) {
        return;
    }
    let Some(exponent) = relative.or(scale.exponent) else { return };
    if spot.wall.value < MOST * inputs.study.share_in("on-cpu") {
        return;
    }
    subject.number("size.exponent", exponent.value, "", source_of(scale.metric));
    if let Some(metric) = subject.metrics.get_mut("size.exponent") {
        (metric.low, metric.high) = (Some(exponent.low), Some(exponent.high));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_cited_from_what_it_was_fitted_to() {
        assert_eq!(source_of(Metric::Instructions).0, COUNTS);
        assert_eq!(source_of(Metric::Cpu).0, SAMPLES);
    }
}
