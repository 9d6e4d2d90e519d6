//! The sign-flip randomisation test over blocks.

use crate::location::median_of;
use crate::{Rng, Values};

/// How likely flips of the signs alone bring a sum at least as far out as the one seen, each between 0 (never) and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    pub p_two_sided: f64,
    /// Small when the values lie above zero.
    pub p_greater: f64,
    /// Small when the values lie below zero.
    pub p_less: f64,
}

/// Up to here all 2ⁿ flips are counted; beyond, [`FLIPS`] are drawn.
const EXACT_UP_TO: usize = 32;
const FLIPS: u32 = 40_000;

/// The randomisation test of "as likely above as below zero", exact whatever the distribution, as long as the values are
/// independent and symmetric about zero, which interleaved blocks of equal programs are.
///
/// The statistic is the sum of the values, each cut to the median distance from zero so that one wild block weighs no more
/// than an ordinary one; the cut depends on distances only, so flips leave it alone. Ties count against the finding. Exact up to
/// 32 values, by 40,000 drawn flips beyond; `seed` matters only there.
pub fn sign_flip(values: &Values, seed: u64) -> SignFlip {
    let distances = cut_distances(values);
    let total: f64 = distances.iter().sum();
    let above: f64 =
        values.in_order().iter().zip(&distances).filter(|(value, _)| **value > 0.0).map(|(_, d)| d).sum();
    // Sums in another order differ in the last digits, and ties must stay ties.
    let slack = 1e-9 * total;
    let at_least = chances(&distances, [above - slack, total - above - slack], seed);
    let [p_greater, p_less] = at_least;
    SignFlip { p_two_sided: (2.0 * p_greater.min(p_less)).min(1.0), p_greater, p_less }
}

/// The distances from zero, none above their median. For normal values this is nearly as sharp as the plain sum; measured
/// blocks have a wild one among fifteen often enough that a cut at twice the median lost a third of the findings.
fn cut_distances(values: &Values) -> Vec<f64> {
    let distances: Vec<f64> = values.in_order().iter().map(|value| value.abs()).collect();
    let cap = median_of(distances.clone());
    distances.iter().map(|distance| distance.min(cap)).collect()
}

/// For each limit the chance that the distances with a positive sign sum up to it or more, when each sign is a coin flip.
fn chances(distances: &[f64], limits: [f64; 2], seed: u64) -> [f64; 2] {
    if distances.len() <= EXACT_UP_TO { counted(distances, limits) } else { drawn(distances, limits, seed) }
}

/// All flips: the sums of each half of the distances, sorted, then matched. 2¹⁶ steps do for 2³² flips.
fn counted(distances: &[f64], limits: [f64; 2]) -> [f64; 2] {
    let (one, other) = distances.split_at(distances.len() / 2);
    let (one, other) = (subset_sums(one), subset_sums(other));
    let flips = one.len() as f64 * other.len() as f64;
    limits.map(|limit| pairs_reaching(&one, &other, limit) as f64 / flips)
}

/// The sums of all subsets, sorted: each distance doubles the list by a merge with its shifted copy.
fn subset_sums(distances: &[f64]) -> Vec<f64> {
    let start = vec![0.0; 1];
    distances.iter().fold(start, |sums, distance| {
        let mut merged = Vec::with_capacity(2 * sums.len());
        let mut shifted = sums.iter().map(|sum| sum + distance).peekable();
        for sum in &sums {
            merged.extend(std::iter::from_fn(|| shifted.next_if(|with| with < sum)));
            merged.push(*sum);
        }
        merged.extend(shifted);
        merged
    })
}

/// How many pairs of one sum each reach the limit; both slices are sorted.
fn pairs_reaching(one: &[f64], other: &[f64], limit: f64) -> u64 {
    let mut short_of_it = other;
    let mut reaching = 0;
    for sum in one {
        while let [shorter @ .., last] = short_of_it
            && sum + last >= limit
        {
            short_of_it = shorter;
        }
        reaching += (other.len() - short_of_it.len()) as u64;
    }
    reaching
}

/// Drawn flips, with the seen one among them: (1 + hits) / (1 + flips) is never too small, Phipson and Smyth (2010).
fn drawn(distances: &[f64], limits: [f64; 2], seed: u64) -> [f64; 2] {
    let mut rng = Rng::new(seed);
    let mut hits = [1_u32; 2];
    for _ in 0..FLIPS {
        let sum = flipped_sum(distances, &mut rng);
        for (hits, limit) in hits.iter_mut().zip(limits) {
            *hits += u32::from(sum >= limit);
        }
    }
    hits.map(|hits| f64::from(hits) / f64::from(FLIPS + 1))
}

fn flipped_sum(distances: &[f64], rng: &mut Rng) -> f64 {
    distances
        .chunks(64)
        .map(|chunk| {
            let signs = rng.next_u64();
            let picked = chunk.iter().zip(0..).filter(|(_, place)| signs >> place & 1 == 1);
            picked.map(|(distance, _)| distance).sum::<f64>()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flip(values: &[f64]) -> SignFlip {
        sign_flip(&Values::new(values.to_vec()).unwrap(), 1)
    }

    /// Every flip listed, the plain way.
    fn listed(values: &[f64]) -> SignFlip {
        let distances = cut_distances(&Values::new(values.to_vec()).unwrap());
        let seen: f64 =
            values.iter().zip(&distances).map(|(value, distance)| value.signum() * distance).sum();
        let flips = 1_u32 << values.len();
        let sum = |signs: u32| -> f64 {
            distances.iter().enumerate().map(|(at, d)| if signs >> at & 1 == 1 { *d } else { -d }).sum()
        };
        let share = |hit: &dyn Fn(f64) -> bool| {
            f64::from((0..flips).filter(|&s| hit(sum(s))).count() as u32) / f64::from(flips)
        };
        SignFlip {
            p_two_sided: share(&|sum| sum.abs() >= seen.abs() - 1e-9),
            p_greater: share(&|sum| sum >= seen - 1e-9),
            p_less: share(&|sum| sum <= seen + 1e-9),
        }
    }

    #[test]
    fn matched_halves_agree_with_listing_every_flip() {
        for values in [
            vec![0.3, -0.1, 0.7, 0.7, -0.2, 5.0, 0.05],
            vec![1.0, 1.0, 1.0, -1.0, -1.0],
            vec![-0.4, -0.3, -9.0, 0.2, -0.6, -0.6, -0.1, -0.2, -1.0],
            vec![2.0],
        ] {
            let (found, expected) = (flip(&values), listed(&values));
            assert!((found.p_two_sided - expected.p_two_sided).abs() < 1e-12, "{found:?} {expected:?}");
            assert!((found.p_greater - expected.p_greater).abs() < 1e-12, "{found:?} {expected:?}");
            assert!((found.p_less - expected.p_less).abs() < 1e-12, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn eight_blocks_on_one_side_reach_two_in_256() {
        let found = flip(&[0.01, 0.02, 0.011, 0.013, 0.5, 0.012, 0.009, 0.02]);
        assert_eq!(found, SignFlip { p_two_sided: 2.0 / 256.0, p_greater: 1.0 / 256.0, p_less: 1.0 });
    }

    #[test]
    fn one_wild_block_cannot_hide_the_others() {
        let mut blocks = vec![0.02; 14];
        blocks.push(-3.0);
        // Cut to the same distance as the others: no flip or any one of fifteen, of 2¹⁵.
        assert!((flip(&blocks).p_greater - 16.0 / 32_768.0).abs() < 1e-12);
    }

    #[test]
    fn zeros_prove_nothing() {
        assert_eq!(flip(&[0.0; 12]), SignFlip { p_two_sided: 1.0, p_greater: 1.0, p_less: 1.0 });
    }

    #[test]
    fn drawn_flips_come_close_to_counted_ones() {
        let mut rng = Rng::new(4);
        let distances: Vec<f64> = (0..32).map(|_| rng.normal().abs()).collect();
        let limits = [0.65, 0.5].map(|share| share * distances.iter().sum::<f64>());
        let (exact, near) = (counted(&distances, limits), drawn(&distances, limits, 9));
        assert!(
            (exact[0] - near[0]).abs() < 0.005 && (exact[1] - near[1]).abs() < 0.02,
            "{exact:?} {near:?}"
        );
    }

    #[test]
    fn many_blocks_are_drawn_and_never_give_zero() {
        let found = flip(&[0.01; 200]);
        assert_eq!(found.p_greater, 1.0 / 40_001.0);
        assert_eq!(found.p_less, 1.0);
    }
}
