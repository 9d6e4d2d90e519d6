//! How many blocks a question needs, and what a number of blocks can answer.
//!
//! The constants come from simulated comparisons of 8 to 128 normal blocks, walked by [`crate::next_step`]: the effect, in
//! spreads of one block and times √blocks, that half of the comparisons find is 3.4 to 3.9, that 95 % find and confirm is
//! 5.5 to 7.1, and the distance to the margin at which half prove no change is 3.5 to 4.7.

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
/// single blocks spread by `spread_per_block`. Within about 10 % for normal blocks, on the safe side for heavier tails.
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
    // spreads · √n = c (1 + f / n), solved from above: each turn uses the last n in the small term.
    let start = (FOUND_BY_MOST / spreads).powi(2);
    let step =
        |n: f64, _| (FOUND_BY_MOST * (1.0 + FEW_BLOCKS / n.max(FIRST_BLOCKS as f64)) / spreads).powi(2);
    let blocks = (0..20).fold(start, step).ceil().max(FIRST_BLOCKS as f64);
    (effect != 0.0 && blocks <= MOST_BLOCKS).then_some(blocks as u64)
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
    let mut needs: Vec<f64> =
        likely_effects(d, spread, rule).map(|effect| blocks_until_decided(effect, spread, rule)).collect();
    needs.sort_unstable_by(f64::total_cmp);
    let blocks = needs.get(needs.len() / 2).copied()?;
    let more = (blocks - d.n() as f64).ceil().max(1.0);
    (blocks <= MOST_BLOCKS).then_some(2 * more as u64)
}

/// Equally likely values of the true log ratio: the estimate and its error, joined with a normal prior as wide as the
/// margin.
fn likely_effects(d: &Values, spread: f64, rule: &Rule) -> impl Iterator<Item = f64> {
    const STEPS: u32 = 25;
    // 3/π is the efficiency of the pseudomedian for normal values.
    let error = spread.powi(2) / (d.n() as f64 * 3.0 / std::f64::consts::PI);
    let prior = rule.margin.ln_1p().powi(2)
        * std::env::var("PRIOR").map(|p| p.parse::<f64>().unwrap()).unwrap_or(1.0).powi(2);
    let weight = if error > 0.0 { prior / (prior + error) } else { 1.0 };
    let (centre, sd) = (
        weight * hodges_lehmann(d),
        (weight * error).sqrt() * std::env::var("SD").map(|p| p.parse::<f64>().unwrap()).unwrap_or(1.0),
    );
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
