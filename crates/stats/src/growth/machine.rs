//! What a machine adds to times, and to nothing that is counted: a step does not cost the same at every size.

use super::class::Class;
use super::fit::{self, Fit};
use super::{Cost, Estimate, Growth};

/// How much the cost of a step may change with the size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// By what share the cost of a step may differ between the smallest and the largest size for no visible reason, at
    /// 95 %. 0 for counts.
    pub drift: f64,
    /// The sizes at which the data outgrow a cache. Empty for counts.
    pub outgrown: Vec<f64>,
}

impl Machine {
    /// Adds what the machine leaves open: classes that memory may have slowed until they look like the best one, and
    /// exponents.
    pub(super) fn allow_for(&self, growth: &mut Growth) {
        let told = |fit: &Fit| growth.set().iter().all(|known| known.class != fit.class);
        let slowed: Vec<Fit> = self.slowed(growth).into_iter().filter(told).collect();
        growth.fits.extend(slowed);
        let least = growth.set().into_iter().filter(|fit| fit.is_slowed()).filter_map(Fit::order);
        let least = least.fold(f64::INFINITY, f64::min);
        growth.exponent = growth.exponent.map(|exponent| {
            let exponent = self.widened(exponent, &growth.costs);
            Estimate { low: exponent.low.min(least), ..exponent }
        });
    }

    /// Classes that grow more slowly than the best one, with steps that cost more from where a cache is outgrown on.
    fn slowed(&self, growth: &Growth) -> Vec<Fit> {
        let costs = &growth.costs;
        let Some(order) = growth.best().and_then(Fit::order) else { return Vec::new() };
        let Some((first, last)) = costs.first().zip(costs.last()) else { return Vec::new() };
        let inside = |at: &&f64| (first.size..last.size).contains(*at);
        let outgrown: Vec<f64> = self.outgrown.iter().filter(inside).copied().collect();
        let slower = |class: &&Class| class.order().is_some_and(|own| own > 0.0 && own < order);
        let classes = Class::NAMED.iter().filter(slower);
        classes.filter_map(|class| fit::slowed(*class, &outgrown, costs, growth.floor)).collect()
    }

    /// Whether costs are times: what their sizes have between them is more than the noise at each tells.
    pub(super) fn is_timed(&self) -> bool {
        self.drift > 0.0
    }

    /// An interval of an exponent with what the drift adds to it. Drift and noise know nothing of each other, so their
    /// squares add up.
    fn widened(&self, exponent: Estimate, costs: &[Cost]) -> Estimate {
        let span = costs.first().zip(costs.last()).map_or(0.0, |(first, last)| (last.size / first.size).ln());
        let drift = self.drift.ln_1p() / span;
        if !(drift.is_finite() && drift > 0.0) {
            return exponent;
        }
        let Estimate { value, low, high } = exponent;
        let low = (value - (value - low).hypot(drift)).max(0.0);
        Estimate { value, low, high: value + (high - value).hypot(drift) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{growth, growth_on};
    use super::*;

    /// Programs of `specimens/growth` at seven doublings: the smallest size, lower quartiles of CPU time in milliseconds,
    /// and their relative errors. AMD EPYC with a second-level cache of 1 MiB, eight runs each, load average 3.
    type Measured = (f64, [f64; 7], [f64; 7]);

    const HASHSET: Measured = (
        16384.0,
        [1.2027, 1.8695, 3.2357, 6.0678, 12.1525, 25.478, 54.8157],
        [0.0273, 0.0235, 0.0091, 0.0231, 0.0222, 0.0042, 0.0064],
    );
    const TREE: Measured = (
        4000.0,
        [0.8065, 1.166, 1.8285, 3.7665, 8.3238, 20.3552, 53.7325],
        [0.0492, 0.0313, 0.0432, 0.0379, 0.0615, 0.03, 0.0502],
    );
    const SUM: Measured = (
        50_000.0,
        [0.9097, 1.114, 1.5, 2.3377, 4.0325, 7.3428, 13.9893],
        [0.0236, 0.011, 0.0162, 0.0048, 0.0055, 0.0097, 0.0062],
    );
    const PAIRS: Measured = (
        200.0,
        [0.563, 0.5985, 0.7297, 1.3302, 3.442, 12.1608, 48.7793],
        [0.0167, 0.0124, 0.0288, 0.027, 0.0097, 0.0043, 0.0024],
    );

    fn costs((smallest, times, noises): &Measured) -> Vec<Cost> {
        let both = times.iter().zip(noises).enumerate();
        both.map(|(at, (cost, noise))| Cost {
            size: smallest * f64::from(1_u32 << at),
            cost: *cost,
            noise: *noise,
        })
        .collect()
    }

    fn set(machine: &Machine, measured: &Measured) -> Vec<Class> {
        let growth = growth_on(machine, &costs(measured), 0.015).unwrap();
        growth.set().iter().map(|fit| fit.class).collect()
    }

    fn outgrown(at: f64) -> Machine {
        Machine { outgrown: vec![at], ..Machine::default() }
    }

    #[test]
    fn a_class_that_memory_may_have_slowed_is_in_the_set() {
        for (measured, at, truth) in
            [(&HASHSET, 41_000.0, Class::Linear), (&TREE, 39_000.0, Class::Linearithmic)]
        {
            let (without, with) = (set(&Machine::default(), measured), set(&outgrown(at), measured));
            assert!(!without.contains(&truth), "{without:?}");
            assert!(with.contains(&truth) && with.starts_with(&without), "{with:?}");
        }
    }

    #[test]
    fn memory_excuses_no_class_that_is_far_off_and_none_that_grows_faster() {
        for measured in [&HASHSET, &TREE] {
            let set = set(&outgrown(41_000.0), measured);
            assert!(!set.contains(&Class::SquareRoot) && !set.contains(&Class::Logarithmic), "{set:?}");
        }
        assert_eq!(set(&outgrown(262_000.0), &SUM), [Class::Linear]);
    }

    #[test]
    fn a_cache_outgrown_beyond_the_sizes_changes_nothing() {
        for at in [1000.0, 1_048_576.0, 1e9] {
            assert_eq!(set(&outgrown(at), &HASHSET), set(&Machine::default(), &HASHSET));
        }
    }

    #[test]
    fn the_exponent_reaches_down_to_a_slowed_class() {
        let exponent =
            |machine: &Machine| growth_on(machine, &costs(&HASHSET), 0.015).unwrap().exponent.unwrap();
        assert!(exponent(&Machine::default()).low > 1.05);
        assert!((exponent(&outgrown(41_000.0)).low - 1.0).abs() < 1e-9);
    }

    #[test]
    fn drift_and_noise_add_up_by_their_squares() {
        let machine = Machine { drift: 0.1, ..Machine::default() };
        let drift = 1.1_f64.ln() / 64.0_f64.ln();
        for measured in [&SUM, &PAIRS] {
            let counted = growth(&costs(measured), 0.015).unwrap().exponent.unwrap();
            let timed = growth_on(&machine, &costs(measured), 0.015).unwrap().exponent.unwrap();
            assert_eq!(timed.value, counted.value);
            for (wide, narrow) in [
                (timed.value - timed.low, counted.value - counted.low),
                (timed.high - timed.value, counted.high - counted.value),
            ] {
                assert!((wide * wide - narrow * narrow - drift * drift).abs() < 1e-12, "{wide} {narrow}");
            }
        }
    }
}
