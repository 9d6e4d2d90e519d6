//! Quantities whose unit is their type.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A span of time in whole nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Nanos(u64);

impl Nanos {
    pub const ZERO: Self = Self(0);

    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// `None` when the product does not fit 64 bits (584 years).
    #[must_use]
    pub const fn from_micros(micros: u64) -> Option<Self> {
        match micros.checked_mul(1_000) {
            Some(nanos) => Some(Self(nanos)),
            None => None,
        }
    }

    /// `None` for negative, non-finite or too large values.
    #[must_use]
    pub fn from_secs_f64(seconds: f64) -> Option<Self> {
        let nanos = (seconds * 1e9).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
        (0.0..1.8e19).contains(&nanos).then_some(Self(nanos as u64))
    }

    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns is 104 days")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// `None` when the sum does not fit 64 bits.
    #[must_use]
    pub const fn plus(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(nanos) => Some(Self(nanos)),
            None => None,
        }
    }

    /// `None` when `earlier` is the larger one: a negative span is a mistake, not zero.
    #[must_use]
    pub const fn minus(self, earlier: Self) -> Option<Self> {
        match self.0.checked_sub(earlier.0) {
            Some(nanos) => Some(Self(nanos)),
            None => None,
        }
    }

    /// `None` when `whole` is zero: an unknown share is not a share of zero.
    #[must_use]
    pub fn share_of(self, whole: Self) -> Option<Ratio> {
        (whole.0 != 0).then(|| Ratio(self.as_secs_f64() / whole.as_secs_f64()))
    }
}

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Bytes(u64);

impl Bytes {
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// `None` when the product does not fit 64 bits.
    #[must_use]
    pub const fn from_kib(kib: u64) -> Option<Self> {
        match kib.checked_mul(1024) {
            Some(bytes) => Some(Self(bytes)),
            None => None,
        }
    }

    #[must_use]
    pub const fn as_bytes(self) -> u64 {
        self.0
    }

    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 bytes is 8 PiB")]
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

/// How often something happened.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Count(pub u64);

impl Count {
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts above 2^53 do not occur in one run")]
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

/// A clock rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Hertz(pub u64);

/// A dimensionless quotient.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Ratio(pub f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_unknown() {
        assert_eq!(Nanos::from_nanos(5).share_of(Nanos::ZERO), None);
    }

    #[test]
    fn a_negative_span_is_not_zero() {
        assert_eq!(Nanos::from_nanos(1).minus(Nanos::from_nanos(2)), None);
    }

    #[test]
    fn seconds_outside_the_range_are_refused() {
        for seconds in [-1.0, f64::NAN, f64::INFINITY, 1e30] {
            assert_eq!(Nanos::from_secs_f64(seconds), None, "{seconds}");
        }
        assert_eq!(Nanos::from_secs_f64(1.5), Some(Nanos::from_nanos(1_500_000_000)));
    }

    #[test]
    fn products_that_overflow_are_refused() {
        assert_eq!(Nanos::from_micros(u64::MAX), None);
        assert_eq!(Bytes::from_kib(u64::MAX), None);
    }
}
