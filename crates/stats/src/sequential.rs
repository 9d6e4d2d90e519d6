//! When a comparison may look at its blocks, and what error each look may spend, so that peeking stays honest.
//!
//! The errors of all looks add up to the total (Bonferroni), which holds whatever the looks have in common.

/// One look at the blocks measured so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// How many blocks must have been measured.
    pub blocks: usize,
    /// The two-sided error this look may spend on "different".
    pub alpha: f64,
    /// The one-sided error this look may spend on "no change".
    pub no_change_error: f64,
    /// No look follows.
    pub last: bool,
}

/// The two-sided error of all looks together, per metric.
const ALPHA: f64 = 0.01;
/// The one-sided error of all looks together.
const NO_CHANGE_ERROR: f64 = 0.01;

/// The first look: the fewest blocks that can prove a difference, 2/256 being below 1 %.
pub(crate) const FIRST_BLOCKS: usize = 8;
/// Just above 2/256, the least p that 8 blocks can reach.
const FIRST_ALPHA: f64 = 0.0079;
/// Just above 1/256, the error of the smallest and the largest of 8 blocks as bounds.
const FIRST_NO_CHANGE_ERROR: f64 = 0.0040;
const SECOND_BLOCKS: usize = 15;
const THIRD_BLOCKS: usize = 32;

/// The least number of fresh blocks on which a found difference is confirmed; [`confirm_blocks`] says how many.
pub const CONFIRM_BLOCKS: usize = 7;
/// The one-sided p that fresh blocks must reach: 7 blocks may have their smallest or second smallest on the other side.
pub const CONFIRM_P: f64 = 3.0 / 128.0;

/// The looks of a comparison of at most `max_blocks` blocks: after 8, 15, 32, 64, 128, … and `max_blocks`. Together they
/// call equal programs different in at most 1 % of comparisons, before confirmation.
///
/// A look just before the last one would only cost error and is left out: the last look is at least a third larger. Fewer
/// than 8 blocks get a single look, which cannot prove a difference. Empty for 0 blocks.
pub fn looks(max_blocks: usize) -> Vec<Look> {
    let blocks: Vec<usize> =
        sizes().take_while(|size| size + size.div_ceil(3) <= max_blocks).chain([max_blocks]).collect();
    match blocks.as_slice() {
        [0] | [] => Vec::new(),
        [only] => vec![Look { blocks: *only, alpha: ALPHA, no_change_error: NO_CHANGE_ERROR, last: true }],
        [first, later @ ..] => {
            let share = |total: f64, spent: f64| (total - spent) / later.len() as f64;
            let first = Look {
                blocks: *first,
                alpha: FIRST_ALPHA,
                no_change_error: FIRST_NO_CHANGE_ERROR,
                last: false,
            };
            let alpha = share(ALPHA, FIRST_ALPHA);
            let no_change_error = share(NO_CHANGE_ERROR, FIRST_NO_CHANGE_ERROR);
            let later = later.iter().map(|&blocks| Look {
                blocks,
                alpha,
                no_change_error,
                last: blocks == max_blocks,
            });
            [first].into_iter().chain(later).collect()
        }
    }
}

/// 8, 15, 32, 64, 128, …
fn sizes() -> impl Iterator<Item = usize> {
    let doubling = std::iter::successors(Some(THIRD_BLOCKS), |size| size.checked_mul(2));
    [FIRST_BLOCKS, SECOND_BLOCKS].into_iter().chain(doubling)
}

/// How many fresh blocks confirm a difference that was found after `found_at` blocks: half as many, at least
/// [`CONFIRM_BLOCKS`].
///
/// A late look finds effects that 7 blocks cannot see: of effects of 0.7 spreads, found in 97 % of 64 blocks, 7 fresh blocks
/// confirm 46 %, half as many as the look had 95 % (simulated, normal blocks, walked by [`crate::next_step`]).
pub fn confirm_blocks(found_at: usize) -> usize {
    found_at.div_ceil(2).max(CONFIRM_BLOCKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(max_blocks: usize) -> Vec<usize> {
        looks(max_blocks).iter().map(|look| look.blocks).collect()
    }

    #[test]
    fn looks_double_and_end_at_the_most_blocks() {
        let cases: [(usize, &[usize]); 9] = [
            (0, &[]),
            (5, &[5]),
            (8, &[8]),
            (10, &[10]),
            (11, &[8, 11]),
            (15, &[8, 15]),
            (32, &[8, 15, 32]),
            (40, &[8, 15, 40]),
            (128, &[8, 15, 32, 64, 128]),
        ];
        for (max_blocks, expected) in cases {
            assert_eq!(blocks(max_blocks), expected, "{max_blocks}");
        }
    }

    #[test]
    fn all_looks_together_spend_the_total_error() {
        for max_blocks in [1, 7, 8, 15, 30, 100, 1_000] {
            let looks = looks(max_blocks);
            assert!((looks.iter().map(|look| look.alpha).sum::<f64>() - 0.01).abs() < 1e-12);
            assert!((looks.iter().map(|look| look.no_change_error).sum::<f64>() - 0.01).abs() < 1e-12);
        }
    }

    #[test]
    fn the_first_look_can_just_use_all_of_its_eight_blocks() {
        let [first, ..] = looks(15)[..] else { panic!("no look") };
        assert!(first.alpha >= 2.0 / 256.0 && first.alpha < 4.0 / 256.0);
        assert!(first.no_change_error >= 1.0 / 256.0);
    }

    #[test]
    fn fewer_than_eight_blocks_cannot_prove_a_difference() {
        assert!(looks(7).iter().all(|look| look.alpha < 2.0 / 128.0));
    }
}
