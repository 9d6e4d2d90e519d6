//! Wall-Time Stability: how much the wall time of equal runs differs.
//!
//! The rubric's gate refuses to score a spread above `--max-cv` (5 %), which made its FAIL (above 8 %) unreachable. Here
//! the gate asks whose fault the spread is: where the machine was shown to be quiet (the first thread hardly waited for a
//! CPU, nothing was stolen), the spread is the program's and is scored, FAIL included; else it is noise.

use std::collections::BTreeMap;

use model::manifest::SAMPLES;
use model::scorecard::{Better, Dimension, Figure, Tier};
use model::{Metric, Nanos, Sample};
use stats::Values;

use super::tier::Limits;
use super::{Arm, Inputs, dimension, not_measured, without};
use crate::pool::Pool;

pub(super) const NAME: &str = "Wall-Time Stability";

/// In percent.
const LIMITS: Limits = Limits::at_most(3.0, 8.0);

/// Fewer runs have no spread worth the name.
const LEAST_RUNS: usize = 3;

/// Fewer runs do not tell a program that wavers from a moment's disturbance.
const LEAST_CLAIM: u32 = 6;

/// A first thread that waits for a CPU longer than this share of the run has rivals.
const QUIET_RUNNABLE: f64 = 0.02;

/// Tasks of the machine that wait for a CPU longer than this share of the run make it busy.
const QUIET_PRESSURE: f64 = 0.05;

/// Time stolen by the hypervisor above this share of the run is felt.
const QUIET_STEAL: f64 = 0.01;

pub(super) fn scored(inputs: &Inputs<'_>) -> Dimension {
    let spreads = spreads(inputs);
    let Some((worst, cv)) = spreads.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        let missing = vec![format!("at least {LEAST_RUNS} runs of a size: `--runs {LEAST_RUNS}`")];
        return without(not_measured(NAME, "too few runs"), missing);
    };
    let n = Pool::of(inputs.samples, worst.index).n();
    let gate = inputs.max_cv() * 100.0;
    let quiet = quiet(inputs.samples, worst.index);
    let scored_above = quiet == Some(true) && n >= LEAST_CLAIM;
    let tier = if *cv > gate && !scored_above { Tier::Noise } else { LIMITS.tier(*cv) };
    let at = worst.size.map(|size| format!(" at size {size}")).unwrap_or_default();
    let because = match (tier, quiet) {
        (Tier::Noise, Some(true)) => {
            format!(
                "wall times{at} differ by {cv:.1} %, above the gate of {gate} %, and {n} runs are too few to blame the program"
            )
        }
        (Tier::Noise, Some(false)) => format!(
            "wall times{at} differ by {cv:.1} % (n={n}), above the gate of {gate} %, while others used the CPUs: not the program's doing as far as one can tell"
        ),
        (Tier::Noise, None) => format!(
            "wall times{at} differ by {cv:.1} % (n={n}), above the gate of {gate} %, and nothing tells whether the machine was quiet"
        ),
        _ => format!("wall times{at} differ by {cv:.1} % (standard deviation by mean, n={n})"),
    };
    let mut scored = dimension(NAME, tier, because);
    scored.figures = vec![figure(*cv, worst, n)];
    let others = spreads.iter().filter(|(arm, _)| arm.index != worst.index);
    scored.figures.extend(others.map(|(arm, cv)| figure(*cv, arm, Pool::of(inputs.samples, arm.index).n())));
    match tier {
        Tier::Noise => {
            scored.missing = vec![
                "a quiet machine: end other programs, `slowpath doctor --noise` tells when it is".to_owned(),
            ];
        }
        Tier::Warn | Tier::Fail => scored.prescription = Some(super::advice::unsteady(&worst.label, quiet)),
        Tier::Pass | Tier::NotMeasured => {}
    }
    scored
}

/// The spread of each size in percent.
pub(super) fn spreads(inputs: &Inputs<'_>) -> Vec<(Arm, f64)> {
    let spread = |arm: Arm| {
        let values = Pool::of(inputs.samples, arm.index).values(Metric::Wall)?;
        (values.n() >= LEAST_RUNS).then_some(())?;
        Some((arm, stats::standard_deviation(&values)? / stats::mean(&values) * 100.0))
    };
    inputs.arms().into_iter().filter_map(spread).collect()
}

/// By size, as text.
pub(super) fn by_size(inputs: &Inputs<'_>) -> BTreeMap<String, f64> {
    spreads(inputs).iter().filter_map(|(arm, cv)| Some((arm.size?.to_string(), *cv))).collect()
}

/// Whether the machine was quiet at every size.
pub(super) fn all_quiet(inputs: &Inputs<'_>) -> Option<bool> {
    let known: Option<Vec<bool>> = inputs.arms().iter().map(|arm| quiet(inputs.samples, arm.index)).collect();
    known.map(|known| known.into_iter().all(|quiet| quiet))
}

/// Whether the machine left the program alone. `None` when the kernel did not tell.
fn quiet(samples: &[Sample], arm: u32) -> Option<bool> {
    let pool = Pool::of(samples, arm);
    let largest = |of: &dyn Fn(&Sample) -> Option<Nanos>| -> Option<f64> {
        let shares: Option<Vec<f64>> = pool
            .samples()
            .iter()
            .map(|sample| Some(of(sample)?.as_secs_f64() / sample.wall.as_secs_f64().max(f64::MIN_POSITIVE)))
            .collect();
        Some(Values::new(shares?)?.max())
    };
    let runnable = largest(&|sample| Some(sample.main_thread?.runnable))?;
    // A machine that tells nothing of theft has no hypervisor that tells of it; the run queue decides alone.
    let stolen = largest(&|sample| sample.covariates.steal).unwrap_or(0.0);
    let throttled = largest(&|sample| sample.covariates.throttled).unwrap_or(0.0);
    let pressed = largest(&|sample| sample.covariates.cpu_pressure).unwrap_or(0.0);
    Some(
        runnable <= QUIET_RUNNABLE
            && stolen <= QUIET_STEAL
            && throttled <= QUIET_STEAL
            && pressed <= QUIET_PRESSURE,
    )
}

fn figure(cv: f64, arm: &Arm, n: u32) -> Figure {
    Figure {
        name: "wall_time_cv".to_owned(),
        value: cv,
        low: None,
        high: None,
        unit: "%".to_owned(),
        limit: Some(LIMITS.limit),
        fail: Some(LIMITS.fail),
        better: Better::Lower,
        size: arm.size,
        n: Some(n),
        cost: None,
        location: None,
        artifact: SAMPLES.to_owned(),
        source: "monotonic clock".to_owned(),
        command: Some(format!("slowpath bench -- {}", arm.label)),
    }
}
