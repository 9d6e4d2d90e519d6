//! The k-th smallest of all pair sums, without listing the pairs: a thousand values have half a million.

/// All sums of one value of each slice, both sorted.
pub(crate) struct PairSums<'a> {
    pub(crate) left: &'a [f64],
    pub(crate) right: &'a [f64],
    pub(crate) pairs: Pairs,
}

/// Which pairs count.
#[derive(Clone, Copy)]
pub(crate) enum Pairs {
    All,
    /// Each unordered pair once, every value paired with itself as well; both slices are the same one.
    Unordered,
}

impl PairSums<'_> {
    /// How many sums there are.
    pub(crate) fn len(&self) -> u64 {
        let all = self.left.len() as u64 * self.right.len() as u64;
        match self.pairs {
            Pairs::All => all,
            Pairs::Unordered => (all + self.left.len() as u64) / 2,
        }
    }

    /// The `rank`-th smallest sum, counted from 1: the least f64 that `rank` sums do not exceed, found by halving the
    /// 2⁶⁴ of them. Exact, since the answer is one of the sums.
    pub(crate) fn smallest(&self, rank: u64) -> f64 {
        let (mut below, mut reached) = (key(f64::NEG_INFINITY), key(f64::INFINITY));
        while reached - below > 1 {
            let middle = below + (reached - below) / 2;
            if self.at_most(value(middle)) >= rank { reached = middle } else { below = middle }
        }
        value(reached)
    }

    /// The `rank`-th largest sum, counted from 1.
    pub(crate) fn largest(&self, rank: u64) -> f64 {
        self.smallest((self.len() + 1).saturating_sub(rank))
    }

    /// The middle sum, or the mean of the two middle ones.
    pub(crate) fn median(&self) -> f64 {
        let middle = self.len().div_ceil(2);
        f64::midpoint(self.smallest(middle), self.largest(middle))
    }

    /// How many sums are at most `limit`: one walk up the left slice and down the right one.
    fn at_most(&self, limit: f64) -> u64 {
        let mut rest = self.right;
        let mut all = 0;
        for left in self.left {
            while let [shorter @ .., last] = rest
                && left + last > limit
            {
                rest = shorter;
            }
            all += rest.len() as u64;
        }
        match self.pairs {
            Pairs::All => all,
            Pairs::Unordered => (all + self.left.iter().filter(|&x| x + x <= limit).count() as u64) / 2,
        }
    }
}

/// A whole number that rises with the f64: IEEE 754 order with the negative half turned round.
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(sums: &PairSums) -> Vec<f64> {
        let mut all = Vec::new();
        for (i, left) in sums.left.iter().enumerate() {
            let from = match sums.pairs {
                Pairs::All => 0,
                Pairs::Unordered => i,
            };
            all.extend(sums.right[from..].iter().map(|right| left + right));
        }
        all.sort_by(f64::total_cmp);
        all
    }

    fn check(left: &[f64], right: &[f64], pairs: Pairs) {
        let sums = PairSums { left, right, pairs };
        let listed = listed(&sums);
        assert_eq!(sums.len(), listed.len() as u64);
        for (expected, rank) in listed.iter().zip(1..) {
            assert_eq!(sums.smallest(rank), *expected, "rank {rank}");
        }
    }

    #[test]
    fn every_rank_agrees_with_the_listed_sums() {
        let ties = [-2.5, -1.0, 0.0, 0.0, 0.1, 0.3, 0.3, 7.0];
        check(&ties, &ties, Pairs::Unordered);
        check(&ties, &[-3.0, 0.7, 1e9], Pairs::All);
        check(&[1.0], &[1.0], Pairs::Unordered);
        check(&[-1e-300, 1e-300, 1e150], &[-1e150, 0.0], Pairs::All);
    }

    #[test]
    fn an_even_number_of_sums_has_its_median_between_two() {
        let sums = PairSums { left: &[0.0, 1.0], right: &[0.0, 4.0], pairs: Pairs::All };
        assert_eq!(sums.median(), 2.5);
    }
}
