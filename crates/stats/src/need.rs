//! How many blocks a question needs, and what a number of blocks can answer.
//!
//! The constants come from simulated comparisons of 8 to 128 normal blocks, walked by [`crate::next_step`]: the effect, in
//! spreads of one block and times √blocks, that half of the comparisons find is 3.2 to 4.0, that 95 % find and confirm is
//! 5.5 to 7.1, and the distance to the margin at which half prove no change is 3.5 to 4.7.

use crate::location::median_of;
use crate::order::{PairSums, Pairs};
use crate::sequential::FIRST_BLOCKS;
use crate::{Rule, Values, hodges_lehmann, normal};

/// Half of the comparisons find an effect of this many spreads / √blocks.
const FOUND_BY_HALF: f64 = 3.5;
/// 95 % of the comparisons find and confirm an effect of this many spreads / √blocks, when blocks are many.
const FOUND_BY_MOST: f64 = 5.4;
/// How much more few blocks need: their tests reach only coarse p-values.
const FEW_BLOCKS: f64 = 2.2;
/// Half of the comparisons prove no change when the margin is this many spreads / √blocks away: between 3.9 for one near
/// margin and 4.5 for both at the same distance.
const NO_CHANGE_BY_HALF: f64 = 4.2;
/// More blocks than anyone measures; beyond, the answer is that measuring more does not help.
const MOST_BLOCKS: f64 = 1e6;

/// The spread of single blocks: 1.0483 times the median distance of all pairs, the standard deviation of normal values
/// (Shamos 1976; 86 % as precise as the plain one, and a quarter of wild blocks do not move it far). Zero for one value,
/// whose spread is unknown.
///
/// For independent runs it is about the spread of the logarithm of a single run, as a block compares means of two.
pub fn spread(d: &Values) -> f64 {
    const TO_SD: f64 = 1.048_358;
    let negated: Vec<f64> = d.sorted().iter().rev().map(|value| -value).collect();
    let distances = PairSums { left: &negated, right: d.sorted(), pairs: Pairs::All };
    // All n² differences: half of the n (n − 1) distances above zero, n zeros, the rest below. The median distance is the
    // median of the upper part.
    let pairs = (d.n() * (d.n() - 1) / 2) as u64;
    if pairs == 0 {
        return 0.0;
    }
    let middle = pairs.div_ceil(2);
    TO_SD * f64::midpoint(distances.largest(middle), distances.largest(pairs + 1 - middle))
}

/// The least effect, as a share, that a comparison of at most this many blocks finds and confirms in 95 % of cases, when
/// single blocks spread by `spread_per_block`. Within 12 % for normal blocks, on the safe side for heavier tails.
/// `None` below 8 blocks, which prove no difference of any size.
pub fn detectable(spread_per_block: f64, blocks: usize) -> Option<f64> {
    let n = blocks as f64;
    let spreads = FOUND_BY_MOST * (1.0 + FEW_BLOCKS / n) / n.sqrt();
    (blocks >= FIRST_BLOCKS).then(|| (spreads * spread_per_block).exp_m1())
}

/// How many blocks find and confirm this effect, as a share, in 95 % of cases: the other way round of [`detectable`], at
/// least 8; a block is two pairs. `None` for an effect of zero, and beyond a million blocks.
pub fn blocks_for(spread_per_block: f64, effect: f64) -> Option<u64> {
    let spreads = effect.abs().ln_1p() / spread_per_block;
    let known = effect != 0.0 && !spreads.is_nan();
    // Each turn uses the last n in the small term, which moves the answer by less than one block after a few.
    let least = FIRST_BLOCKS as f64;
    let turn = |n: f64, _| (FOUND_BY_MOST * (1.0 + FEW_BLOCKS / n) / spreads).powi(2).max(least);
    let blocks = (0..20).fold(least, turn).ceil();
    (known && blocks <= MOST_BLOCKS).then_some(blocks as u64)
}

/// About how many more pairs, two per block, until half of such comparisons are decided either way: a difference, or no
/// change. At least 2. `None` for fewer than 4 blocks, whose spread says nothing, and beyond a million blocks.
///
/// The true effect is not known, so this is the median over what it may be: the estimate with its error, drawn towards zero
/// as effects far beyond the margin are rare.
pub fn pairs_needed(d: &Values, rule: &Rule) -> Option<u64> {
    if d.n() < 4 {
        return None;
    }
    let spread = spread(d);
    let needs = likely_effects(d, spread, rule).map(|effect| blocks_until_decided(effect, spread, rule));
    let blocks = median_of(needs.collect());
    let more = (blocks - d.n() as f64).ceil().max(1.0);
    (blocks <= MOST_BLOCKS).then(|| 2 * more as u64)
}

/// Equally likely values of the true log ratio: the estimate and its error, joined with a normal prior.
fn likely_effects(d: &Values, spread: f64, rule: &Rule) -> impl Iterator<Item = f64> {
    const STEPS: u32 = 25;
    // Simulated widths of 1 to 3 margins were within ×2 of the true need about equally often (63 to 65 % over effects from
    // 0 to 5 %); narrow ones do better near zero, wide ones beyond the margin, and this lies between.
    const PRIOR_MARGINS: f64 = 1.5;
    // 3/π is the efficiency of the pseudomedian for normal values.
    let error = spread.powi(2) / (d.n() as f64 * 3.0 / std::f64::consts::PI);
    let prior = (PRIOR_MARGINS * rule.margin.ln_1p()).powi(2);
    let weight = if error > 0.0 { prior / (prior + error) } else { 1.0 };
    let (centre, sd) = (weight * hodges_lehmann(d), (weight * error).sqrt());
    (0..STEPS).map(move |step| centre + sd * normal::inverse_cdf((f64::from(step) + 0.5) / f64::from(STEPS)))
}

/// How many blocks decide half of the comparisons with this true log ratio.
fn blocks_until_decided(effect: f64, spread: f64, rule: &Rule) -> f64 {
    let size = effect.abs();
    let blocks = |spreads: f64, distance: f64| (spreads * spread / distance).powi(2);
    let difference =
        if size >= rule.least_effect.ln_1p() { blocks(FOUND_BY_HALF, size) } else { f64::INFINITY };
    let room = rule.margin.ln_1p() - size;
    let no_change = if room > 0.0 { blocks(NO_CHANGE_BY_HALF, room) } else { f64::INFINITY };
    difference.min(no_change).max(FIRST_BLOCKS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn normal_blocks(n: usize, effect: f64, spread: f64, seed: u64) -> Values {
        let mut rng = Rng::new(seed);
        Values::new((0..n).map(|_| effect + spread * rng.normal()).collect()).unwrap()
    }

    #[test]
    fn the_spread_of_normal_blocks_is_their_standard_deviation() {
        let found = spread(&normal_blocks(2_000, 5.0, 0.03, 1));
        assert!((found / 0.03 - 1.0).abs() < 0.05, "{found}");
    }

    #[test]
    fn the_spread_is_the_median_distance_of_all_pairs() {
        let found = spread(&Values::new(vec![1.0, 2.0, 4.0, 8.0]).unwrap());
        assert!((found - 1.048_358 * 3.5).abs() < 1e-9, "{found}: distances 1, 2, 3, 4, 6, 7");
        assert_eq!(spread(&Values::new(vec![3.0]).unwrap()), 0.0);
    }

    #[test]
    fn fewer_than_eight_blocks_detect_nothing() {
        assert_eq!(detectable(0.01, 7), None);
        assert!(detectable(0.01, 8).unwrap() > detectable(0.01, 15).unwrap());
    }

    /// The simulated effects that 95 % of comparisons find and confirm, in spreads, for these blocks.
    #[test]
    fn what_is_detectable_agrees_with_simulated_comparisons() {
        for (blocks, simulated) in
            [(8, 2.51), (10, 1.90), (11, 2.14), (15, 1.58), (20, 1.34), (32, 1.03), (64, 0.71)]
        {
            let found = detectable(1e-6, blocks).unwrap() / 1e-6;
            assert!((found / simulated - 1.0).abs() < 0.12, "{blocks} blocks: {found}");
        }
    }

    #[test]
    fn blocks_for_an_effect_detect_just_that_effect() {
        for (spread, effect) in [(0.006, 0.01), (0.006, 0.02), (0.03, 0.02), (0.13, 0.02), (0.03, 1.0)] {
            let blocks = usize::try_from(blocks_for(spread, effect).unwrap()).unwrap();
            assert!(detectable(spread, blocks).unwrap() <= effect * 1.001, "{spread} {effect}: {blocks}");
            assert!(
                blocks == 8 || detectable(spread, blocks - 1).unwrap() > effect,
                "{spread} {effect}: {blocks}"
            );
        }
    }

    #[test]
    fn no_number_of_blocks_finds_an_effect_of_zero() {
        assert_eq!(blocks_for(0.01, 0.0), None);
        assert_eq!(blocks_for(0.0, 0.0), None);
        assert_eq!(blocks_for(10.0, 0.001), None);
        assert_eq!(blocks_for(0.0, 0.01), Some(8));
    }

    #[test]
    fn noisier_blocks_need_more_pairs() {
        let need = |spread| pairs_needed(&normal_blocks(15, 0.0, spread, 3), &Rule::default()).unwrap();
        assert!(need(0.03) < need(0.06) && need(0.06) < need(0.12));
        assert!((400..6_000).contains(&need(0.12)), "{}", need(0.12));
    }

    #[test]
    fn quiet_blocks_need_one_more_block_and_three_blocks_say_nothing() {
        let rule = Rule::default();
        assert_eq!(pairs_needed(&Values::new(vec![0.0; 8]).unwrap(), &rule), Some(2));
        assert_eq!(pairs_needed(&Values::new(vec![0.0; 3]).unwrap(), &rule), None);
        assert_eq!(pairs_needed(&normal_blocks(8, 0.0, 1e3, 1), &rule), None);
    }
}
