//! The sample every function here takes, and the interval many of them return.

/// At least one value, all finite. Keeps the order of measurement and a sorted copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    in_order: Vec<f64>,
    sorted: Vec<f64>,
}

/// Values beyond this size are refused, so that sums, differences and squares of values stay finite.
const LARGEST: f64 = 1e150;

impl Values {
    /// The values in the order of measurement. `None` when there are none, or when one is not a number, infinite or
    /// beyond ±1e150.
    pub fn new(in_order: Vec<f64>) -> Option<Self> {
        let fits = |value: &f64| value.abs() <= LARGEST;
        if in_order.is_empty() || !in_order.iter().all(fits) {
            return None;
        }
        let mut sorted = in_order.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self { in_order, sorted })
    }

    /// How many values there are, at least 1.
    pub fn n(&self) -> usize {
        self.sorted.len()
    }

    /// The values as they were measured.
    pub fn in_order(&self) -> &[f64] {
        &self.in_order
    }

    /// The values from the smallest to the largest.
    pub fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// The smallest value.
    pub fn min(&self) -> f64 {
        self.sorted.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The largest value.
    pub fn max(&self) -> f64 {
        self.sorted.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The natural logarithms, in the same order. `None` when a value is zero or negative.
    pub fn ln(&self) -> Option<Self> {
        let positive = self.in_order.iter().all(|&value| value > 0.0);
        positive.then(|| Self {
            in_order: self.in_order.iter().map(|value| value.ln()).collect(),
            sorted: self.sorted.iter().map(|value| value.ln()).collect(),
        })
    }

    /// The `rank`-th smallest value, counted from 1. `None` outside 1 to n.
    pub(crate) fn smallest(&self, rank: u64) -> Option<f64> {
        let at = usize::try_from(rank.checked_sub(1)?).ok()?;
        self.sorted.get(at).copied()
    }

    /// The `rank`-th largest value, counted from 1. `None` outside 1 to n.
    pub(crate) fn largest(&self, rank: u64) -> Option<f64> {
        self.smallest((self.n() as u64 + 1).checked_sub(rank)?)
    }
}

/// A range that holds the true value with the given confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    /// The confidence really reached, between 0 and 1. Exact methods reach at least the wanted one, interpolated ones
    /// just about it.
    pub confidence: f64,
}

impl Interval {
    /// Whether `value` lies between the ends, ends included.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_what_is_not_finite_is_refused() {
        for refused in [vec![], vec![f64::NAN], vec![1.0, f64::INFINITY], vec![1e200]] {
            assert_eq!(Values::new(refused), None);
        }
    }

    #[test]
    fn the_order_of_measurement_is_kept_beside_the_sorted_copy() {
        let values = Values::new(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!(values.in_order(), [3.0, 1.0, 2.0]);
        assert_eq!(values.sorted(), [1.0, 2.0, 3.0]);
        assert_eq!((values.n(), values.min(), values.max()), (3, 1.0, 3.0));
    }

    #[test]
    fn ranks_count_from_one_on_both_sides() {
        let values = Values::new(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!([0, 1, 3, 4].map(|rank| values.smallest(rank)), [None, Some(1.0), Some(3.0), None]);
        assert_eq!([0, 1, 3, 4].map(|rank| values.largest(rank)), [None, Some(3.0), Some(1.0), None]);
    }

    #[test]
    fn a_zero_has_no_logarithm() {
        assert_eq!(Values::new(vec![1.0, 0.0]).unwrap().ln(), None);
    }
}
