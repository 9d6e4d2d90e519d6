//! Null distributions of rank statistics, and how deep an order statistic may lie for a given error.

use crate::normal;

/// An order statistic and the chance that it lies on the wrong side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) rank: u64,
    pub(crate) error: f64,
}

/// The largest rank in 1..=`limit` whose error, `cdf(rank - 1)`, is at most `error`. `None` when rank 1 already errs more.
pub(crate) fn deepest(limit: u64, error: f64, cdf: impl Fn(u64) -> f64) -> Option<Cut> {
    // Rounding must not lose a bound that is reached exactly, as 1/256 is by 8 values.
    let allowed = error * (1.0 + 1e-9);
    let fits = |rank: u64| cdf(rank - 1) <= allowed;
    if limit == 0 || !fits(1) {
        return None;
    }
    let (mut good, mut beyond) = (1, limit + 1);
    while beyond - good > 1 {
        let middle = good + (beyond - good) / 2;
        if fits(middle) { good = middle } else { beyond = middle }
    }
    Some(Cut { rank: good, error: cdf(good - 1) })
}

/// A statistic's distribution when nothing is going on.
pub(crate) enum Null {
    /// P(statistic = 0), P(= 1), …, summed up from the left.
    Exact(Vec<f64>),
    /// The normal approximation with its continuity correction.
    Normal { mean: f64, sd: f64 },
}

impl Null {
    /// P(statistic ≤ `value`).
    pub(crate) fn cdf(&self, value: u64) -> f64 {
        match self {
            Self::Exact(sums) => {
                usize::try_from(value).ok().and_then(|at| sums.get(at)).copied().unwrap_or(1.0)
            }
            Self::Normal { mean, sd } => normal::cdf((value as f64 + 0.5 - mean) / sd),
        }
    }

    fn exact(mut chances: Vec<f64>) -> Self {
        let whole: f64 = chances.iter().sum();
        let mut sum = 0.0;
        for chance in &mut chances {
            sum += *chance / whole;
            *chance = sum;
        }
        Self::Exact(chances)
    }
}

/// Wilcoxon's signed-rank statistic of `n` values without ties; exact up to 100 values.
pub(crate) fn signed_rank(n: usize) -> Null {
    const EXACT_UP_TO: usize = 100;
    if n > EXACT_UP_TO {
        let n = n as f64;
        return Null::Normal {
            mean: n * (n + 1.0) / 4.0,
            sd: (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt(),
        };
    }
    let start = vec![1.0; 1];
    Null::exact((1..=n).fold(start, |chances, rank| convolved(&chances, &[0, rank])))
}

/// Kendall's number of discordant pairs among `n` values without ties; exact, for n of at most about 100.
pub(crate) fn discordant_pairs(n: usize) -> Null {
    let start = vec![1.0; 1];
    Null::exact((2..=n).fold(start, |chances, place| convolved(&chances, &(0..place).collect::<Vec<_>>())))
}

/// The distribution after adding one of `steps` (rising), each equally likely.
fn convolved(chances: &[f64], steps: &[usize]) -> Vec<f64> {
    let mut next = vec![0.0; chances.len() + steps.last().copied().unwrap_or(0)];
    for step in steps {
        for (sum, chance) in next.iter_mut().skip(*step).zip(chances) {
            *sum += chance / steps.len() as f64;
        }
    }
    next
}

/// The sum of `chosen` of these whole-numbered ranks, every choice equally likely; exact. The cost grows with
/// `chosen` · ranks · their sum, so this is for some 50 ranks.
pub(crate) fn rank_sum(ranks: &[usize], chosen: usize) -> Null {
    let most: usize = ranks.iter().sum();
    // Row j holds the number of ways to choose j of the ranks seen so far, by their sum.
    let mut ways = vec![vec![0.0; most + 1]; chosen + 1];
    if let Some(nothing_chosen) = ways.first_mut().and_then(|row| row.first_mut()) {
        *nothing_chosen = 1.0;
    }
    for rank in ranks {
        add_rank(&mut ways, *rank);
    }
    Null::exact(ways.pop().unwrap_or_default())
}

fn add_rank(ways: &mut [Vec<f64>], rank: usize) {
    for row in (1..ways.len()).rev() {
        let (fewer, more) = ways.split_at_mut(row);
        let (Some(without), Some(with)) = (fewer.last(), more.first_mut()) else { continue };
        for (sum, ways) in with.iter_mut().skip(rank).zip(without) {
            *sum += ways;
        }
    }
}

/// The ranks of `sorted` values, doubled so that ties have whole ranks too: 2, 4, 6, … without ties.
pub(crate) fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for tied in sorted.chunk_by(|a, b| a == b) {
        let doubled = 2 * ranks.len() + tied.len() + 1;
        ranks.extend(tied.iter().map(|_| doubled));
    }
    ranks
}

/// Σ (t³ − t) over groups of t tied values, the usual correction term.
pub(crate) fn tie_term(sorted: &[f64]) -> f64 {
    let size = |tied: &[f64]| tied.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(|tied| size(tied).powi(3) - size(tied)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tables of Wilcoxon's test: P(T ≤ 3) for 8 pairs is 5/256, P(T ≤ 25) for 15 is 0.0240.
    #[test]
    fn signed_ranks_agree_with_the_tables() {
        assert!((signed_rank(8).cdf(3) - 5.0 / 256.0).abs() < 1e-12);
        assert!((signed_rank(15).cdf(25) - 0.023_956_298_828_125).abs() < 1e-12);
        assert!((signed_rank(8).cdf(36) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_approximation_joins_the_exact_distribution() {
        let (exact, near) = (signed_rank(100).cdf(1_955), signed_rank(101).cdf(1_998));
        assert!((exact - 0.025).abs() < 0.002 && (near - 0.025).abs() < 0.002, "{exact} {near}");
    }

    #[test]
    fn four_values_have_no_discordant_pair_once_in_24() {
        assert!((discordant_pairs(4).cdf(0) - 1.0 / 24.0).abs() < 1e-12);
        assert!((discordant_pairs(4).cdf(6) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn three_of_six_ranks_have_the_least_sum_once_in_twenty() {
        let null = rank_sum(&[1, 2, 3, 4, 5, 6], 3);
        assert_eq!(null.cdf(5), 0.0);
        assert!((null.cdf(6) - 0.05).abs() < 1e-12 && (null.cdf(7) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn tied_values_share_their_mean_rank() {
        assert_eq!(doubled_ranks(&[1.0, 2.0, 2.0, 3.0]), [2, 5, 5, 8]);
        assert_eq!(tie_term(&[1.0, 2.0, 2.0, 3.0]), 6.0);
    }

    #[test]
    fn no_rank_is_deep_enough_for_no_values() {
        assert!(deepest(0, 0.5, |_| 0.0).is_none());
        assert_eq!(deepest(3, 0.5, |_| 0.0).unwrap().rank, 3);
    }
}
