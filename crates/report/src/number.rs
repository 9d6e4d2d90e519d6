//! Numbers for people: three significant digits, a unit that fits, and the interval in the same unit.

use model::Unit;
use model::compare::RatioEstimate;

use crate::inert::TIE;

/// A unit on the page and how much of the wire's unit it is. Values up to `most` of it are written in it.
struct Scale {
    name: &'static str,
    size: f64,
    most: f64,
}

const TIME: [Scale; 6] = [
    Scale { name: "ns", size: 1e-9, most: 999.5 },
    Scale { name: "µs", size: 1e-6, most: 999.5 },
    Scale { name: "ms", size: 1e-3, most: 999.5 },
    Scale { name: "s", size: 1.0, most: 300.0 },
    Scale { name: "min", size: 60.0, most: 180.0 },
    Scale { name: "h", size: 3600.0, most: f64::INFINITY },
];

const MEMORY: [Scale; 5] = [
    Scale { name: "B", size: 1.0, most: 1023.5 },
    Scale { name: "KiB", size: 1024.0, most: 1023.5 },
    Scale { name: "MiB", size: 1_048_576.0, most: 1023.5 },
    Scale { name: "GiB", size: 1_073_741_824.0, most: 1023.5 },
    Scale { name: "TiB", size: 1_099_511_627_776.0, most: f64::INFINITY },
];

const PLAIN: [Scale; 1] = [Scale { name: "", size: 1.0, most: f64::INFINITY }];

/// `812 ms`.
pub(crate) fn quantity(value: f64, unit: Unit) -> String {
    bounded(value, None, unit, None)
}

/// `812 ms (807–821)`; without an interval the value alone.
pub(crate) fn estimate(value: f64, interval: Option<(f64, f64)>, unit: Unit) -> String {
    bounded(value, interval, unit, None)
}

/// `812 ms (807–821, n=18)`, and in words why where there is no interval.
pub(crate) fn estimate_of(value: f64, interval: Option<(f64, f64)>, unit: Unit, n: u32) -> String {
    let note = if interval.is_some() { format!("n={n}") } else { format!("n={n}; {}", no_interval(n)) };
    bounded(value, interval, unit, Some(&note))
}

/// `795–850 ms`.
pub(crate) fn range(low: f64, high: f64, unit: Unit) -> String {
    let scale = scale_of(high, unit);
    let digits = decimals(high / scale.size, Some((low / scale.size, high / scale.size)), unit, scale);
    named(format!("{}–{}", fixed(low / scale.size, digits), fixed(high / scale.size, digits)), scale)
}

/// `1.021 (1.018–1.024)`.
pub(crate) fn ratio(ratio: &RatioEstimate) -> String {
    bare(ratio.value, ratio.low.zip(ratio.high))
}

/// A number of no unit, with its interval if there is one.
pub(crate) fn bare(value: f64, interval: Option<(f64, f64)>) -> String {
    let digits = digits_for(value, interval);
    let number = fixed(value, digits);
    match interval {
        Some((low, high)) => format!("{number}{TIE}({}–{})", fixed(low, digits), fixed(high, digits)),
        None => number,
    }
}

/// What a ratio changes, in percent: `+2.1 %`. What rounds to nothing has no sign.
pub(crate) fn change(ratio: f64) -> String {
    let change = ratio - 1.0;
    if change.abs() < 0.000_05 {
        return percent(0.0);
    }
    let sign = if change < 0.0 { "-" } else { "+" };
    format!("{sign}{}", percent(change.abs()))
}

/// A share in percent, two significant digits: `2.1 %`.
pub(crate) fn percent(share: f64) -> String {
    let value = share * 100.0;
    let digits = match value.abs() {
        size if size >= 9.95 => 0,
        size if size >= 0.995 || size == 0.0 => 1,
        _ => 2,
    };
    format!("{}{TIE}%", fixed(value, digits))
}

/// `18–24 %`.
pub(crate) fn percent_range(low: f64, high: f64) -> String {
    let low = percent(low);
    format!("{}–{}", low.trim_end_matches('%').trim_end_matches(TIE), percent(high))
}

/// A chance: `0.003`, and below what the digits can say `< 0.001`.
pub(crate) fn chance(p: f64) -> String {
    if p < 0.001 {
        format!("<{TIE}0.001")
    } else {
        format!("={TIE}{}", fixed(p, if p < 0.1 { 3 } else { 2 }))
    }
}

/// A share that someone chose, in percent and as short as it was chosen: `2 %`.
pub(crate) fn percent_as_set(share: f64) -> String {
    format!("{}{TIE}%", (share * 100_000.0).round() / 1000.0)
}

/// A share in percent with one decimal, for parts that are added up: `82.1 %`.
pub(crate) fn percent_to_tenths(share: f64) -> String {
    format!("{}{TIE}%", fixed(share * 100.0, 1))
}

/// `10,312`.
pub(crate) fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// Why a median of n runs has no interval. With 95 % confidence it takes six: all of five lie on one side of the
/// median once in 16 times (2 / 2^5), all of six once in 32. With more, its source gave none.
pub(crate) const fn no_interval(n: u32) -> &'static str {
    if n < 6 { "interval needs n ≥ 6" } else { "interval unknown" }
}

fn bounded(value: f64, interval: Option<(f64, f64)>, unit: Unit, note: Option<&str>) -> String {
    let scale = scale_of(value, unit);
    let inner = interval.map(|(low, high)| (low / scale.size, high / scale.size));
    let digits = decimals(value / scale.size, inner, unit, scale);
    let bounds = inner.map(|(low, high)| format!("{}–{}", fixed(low, digits), fixed(high, digits)));
    let value = named(fixed(value / scale.size, digits), scale);
    match (bounds, note) {
        (None, None) => value,
        (Some(inside), None) => format!("{value}{TIE}({inside})"),
        (None, Some(inside)) => format!("{value}{TIE}({})", inside.replace(' ', &TIE.to_string())),
        (Some(bounds), Some(note)) => format!("{value}{TIE}({bounds},{TIE}{note})"),
    }
}

fn named(number: String, scale: &Scale) -> String {
    if scale.name.is_empty() { number } else { format!("{number}{TIE}{}", scale.name) }
}

fn scale_of(value: f64, unit: Unit) -> &'static Scale {
    let scales: &'static [Scale] = match unit {
        Unit::Seconds => &TIME,
        Unit::Bytes => &MEMORY,
        Unit::One => &PLAIN,
    };
    let home = match unit {
        // Nothing is written as zero nanoseconds.
        Unit::Seconds if value == 0.0 => scales.get(3),
        _ => scales.iter().find(|scale| value.abs() / scale.size < scale.most),
    };
    home.or(scales.last()).unwrap_or(&PLAIN[0])
}

/// Whole bytes and counts have no fraction, unless the median fell between two small ones.
fn decimals(value: f64, interval: Option<(f64, f64)>, unit: Unit, scale: &Scale) -> usize {
    let whole = match unit {
        Unit::One => true,
        Unit::Bytes => scale.size == 1.0,
        Unit::Seconds => false,
    };
    if !whole {
        return digits_for(value, interval);
    }
    let halves = |value: f64| value.fract() != 0.0 && value.abs() < 100.0;
    usize::from(halves(value) || interval.is_some_and(|(low, high)| halves(low) || halves(high)))
}

/// Decimals for three significant digits, and for up to two beyond them while the interval would not show.
fn digits_for(value: f64, interval: Option<(f64, f64)>) -> usize {
    let three = if value == 0.0 || !value.is_finite() { 0 } else { 2 - magnitude(value) }.clamp(0, 9);
    let width = interval.map(|(low, high)| high - low).filter(|width| *width > 0.0 && width.is_finite());
    let shown = width.map_or(three, |width| -magnitude(width)).clamp(three, three + 2);
    usize::try_from(shown).unwrap_or(0)
}

/// The power of ten of the first digit, after rounding to three.
fn magnitude(value: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "a finite f64 has its exponent within ±324")]
    let power = (value.abs() * 1.0005).log10().floor() as i32;
    power
}

/// A number with this many decimals and thousands separators.
fn fixed(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "not a number".replace(' ', &TIE.to_string());
    }
    if value.is_infinite() {
        return if value > 0.0 { "infinite".to_owned() } else { "-infinite".to_owned() };
    }
    if value.abs() >= 1e15 {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.digits$}");
    let (sign, text) = match text.strip_prefix('-') {
        // A rounded nothing has no sign.
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => ("", rest),
        Some(rest) => ("-", rest),
        None => ("", text.as_str()),
    };
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{sign}{}.{fraction}", grouped(whole)),
        None => format!("{sign}{}", grouped(text)),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shown: &str, wanted: &str) {
        assert_eq!(shown.replace(TIE, " "), wanted);
    }

    #[test]
    fn units_fit_the_magnitude() {
        for (value, wanted) in [
            (0.0, "0 s"),
            (3.4e-9, "3.40 ns"),
            (1.234e-6, "1.23 µs"),
            (0.012_34, "12.3 ms"),
            (0.999_7, "1.00 s"),
            (9.996, "10.0 s"),
            (1.239, "1.24 s"),
            (299.0, "299 s"),
            (301.0, "5.02 min"),
            (86_400.0, "24.0 h"),
            (f64::NAN, "not a number h"),
        ] {
            check(&quantity(value, Unit::Seconds), wanted);
        }
        for (value, wanted) in [
            (0.0, "0 B"),
            (812.0, "812 B"),
            (43_201_331.0, "41.2 MiB"),
            (1e13, "9.09 TiB"),
            (1023.7, "1.00 KiB"),
        ] {
            check(&quantity(value, Unit::Bytes), wanted);
        }
        for (value, wanted) in
            [(0.0, "0"), (12.5, "12.5"), (10_312.5, "10,312"), (1e9, "1,000,000,000"), (1e20, "1.00e20")]
        {
            check(&quantity(value, Unit::One), wanted);
        }
    }

    #[test]
    fn an_interval_is_in_the_unit_of_its_value_and_shows() {
        let seconds = |value, low, high| estimate(value, Some((low, high)), Unit::Seconds);
        check(&seconds(0.812, 0.807, 0.821), "812 ms (807–821)");
        check(&seconds(0.812_31, 0.812_24, 0.812_40), "812.3 ms (812.2–812.4)");
        check(&seconds(1.0, 1.0, 1.0), "1.00 s (1.00–1.00)");
        check(&estimate_of(1.24, Some((1.21, 1.28)), Unit::Seconds, 12), "1.24 s (1.21–1.28, n=12)");
        check(&estimate_of(1.24, None, Unit::Seconds, 3), "1.24 s (n=3; interval needs n ≥ 6)");
        check(&estimate_of(1.24, None, Unit::Seconds, 30), "1.24 s (n=30; interval unknown)");
        check(&range(0.795, 0.85, Unit::Seconds), "795–850 ms");
    }

    #[test]
    fn ratios_and_changes() {
        let of = |value, low, high| ratio(&RatioEstimate { value, low: Some(low), high: Some(high) });
        check(&of(1.021, 1.018, 1.024), "1.021 (1.018–1.024)");
        check(&of(0.52, 0.51, 0.53), "0.520 (0.510–0.530)");
        check(&of(12.41, 11.0, 14.0), "12.4 (11.0–14.0)");
        check(&ratio(&RatioEstimate { value: 1.5, low: None, high: None }), "1.50");
        for (ratio, wanted) in
            [(1.021, "+2.1 %"), (0.52, "-48 %"), (1.0, "0.0 %"), (1.002, "+0.20 %"), (100.0, "+9,900 %")]
        {
            check(&change(ratio), wanted);
        }
        check(&change(0.999_999), "0.0 %");
        check(&change(f64::NAN), "+not a number %");
    }
}
