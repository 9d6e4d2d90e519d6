//! Values checked and converted at the door.

use crate::ParseError;

/// The value, if it is finite and not negative.
pub(super) fn checked(
    format: &'static str,
    place: impl FnOnce() -> String,
    value: f64,
) -> Result<f64, ParseError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(ParseError::BadValue {
        format,
        place: place(),
        found: value.to_string(),
        wanted: "a finite number that is not negative",
    })
}

/// The values of a list, each checked. An empty list is an error: it has nothing to compare.
pub(super) fn all_checked(
    format: &'static str,
    place: &str,
    values: impl IntoIterator<Item = f64>,
) -> Result<Vec<f64>, ParseError> {
    let values = values
        .into_iter()
        .enumerate()
        .map(|(row, value)| checked(format, || format!("{place}[{row}]"), value))
        .collect::<Result<Vec<f64>, ParseError>>()?;
    if values.is_empty() {
        return Err(ParseError::BadValue {
            format,
            place: place.to_owned(),
            found: "[]".into(),
            wanted: "a list of values",
        });
    }
    Ok(values)
}

/// A list as long as the one it goes with, or an error.
pub(super) fn same_length(
    format: &'static str,
    place: &str,
    found: usize,
    wanted: usize,
) -> Result<(), ParseError> {
    if found == wanted {
        return Ok(());
    }
    Err(ParseError::BadValue {
        format,
        place: place.to_owned(),
        found: format!("a list of {found}"),
        wanted: "as long as the list of times",
    })
}

/// Seconds of a span given in a unit as the tools write it. `None` for an unknown unit.
/// Dividing, because 1e9 is exact in binary and 1e-9 is not.
pub(super) fn seconds(span: f64, unit: &str) -> Option<f64> {
    match unit {
        "ns" => Some(span / 1e9),
        "us" => Some(span / 1e6),
        "ms" => Some(span / 1e3),
        "s" => Some(span),
        "min" => Some(span * 60.0),
        "hr" => Some(span * 3600.0),
        "day" => Some(span * 86400.0),
        _ => None,
    }
}

/// The one number of passes behind every value. `None` when they differ.
pub(super) fn common_passes(passes: impl IntoIterator<Item = u64>) -> Option<u64> {
    let mut passes = passes.into_iter();
    let first = passes.next()?;
    passes.all(|other| other == first).then_some(first)
}

/// A whole number of passes, at least one.
pub(super) fn passes(
    format: &'static str,
    place: impl FnOnce() -> String,
    count: f64,
) -> Result<u64, ParseError> {
    if (1.0..=9e15).contains(&count) && count.fract() == 0.0 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number below 2^53"
        )]
        return Ok(count as u64);
    }
    Err(ParseError::BadValue {
        format,
        place: place(),
        found: count.to_string(),
        wanted: "a whole number of passes",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_convert_without_a_rounding_of_their_own() {
        for (span, unit, wanted) in
            [(1.0, "ns", 1e-9), (2.5, "us", 2.5e-6), (3.0, "ms", 3e-3), (2.0, "min", 120.0)]
        {
            assert_eq!(seconds(span, unit), Some(wanted), "{unit}");
        }
        assert_eq!(seconds(1.0, "fortnight"), None);
    }

    #[test]
    fn odd_values_are_refused_with_their_place() {
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            let error = all_checked("x", "times", [1.0, value]).unwrap_err();
            assert!(error.to_string().contains("`times[1]`"), "{error}");
        }
        assert!(all_checked("x", "times", []).is_err());
    }

    #[test]
    fn no_passes_is_an_error() {
        for count in [0.0, -1.0, 0.5, f64::NAN, 1e300] {
            assert!(passes("x", String::new, count).is_err(), "{count}");
        }
    }
}
