//! The words of `slowpath scale`.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use model::scale::Class;

use super::{ShowOptions, TargetOptions, parse};

#[derive(Debug, Args)]
pub(crate) struct Scale {
    /// A scenario of `slowpath.toml`, instead of a command
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: Option<String>,
    /// Sizes that stand for {SIZE}: 1k,4k,16k or 1k..64k*2; chosen without it
    ///
    /// A list, or a range as for --param: `1..9`, `100..900:200` (step), `1k..64k*2` (factor). k, M and G are thousands,
    /// millions and milliards. At least three different ones. Without it slowpath starts small and goes up for as long as
    /// the limit allows.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub(crate) sizes: Option<Sizes>,
    /// The growth that is allowed; a worse one ends with exit status 1
    ///
    /// constant, log, sqrt, linear, nlogn, quadratic, cubic, exponential, or a class as it is printed, such as `n^2`.
    /// Exit status 5 when the measurements do not tell.
    #[arg(long, value_name = "CLASS", value_parser = class)]
    pub(crate) expected: Option<Class>,
    /// Sizes whose cost is to be predicted
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub(crate) predict: Option<Sizes>,
    /// Time for everything
    ///
    /// Sizes that would take longer are left out, and the answer says so.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse::duration)]
    pub(crate) limit: Duration,
    /// Timed runs of each size; without it up to eight, as the limit allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: Option<u32>,
    /// Leaves instruction counts out: CPU time alone
    #[arg(long)]
    pub(crate) no_count: bool,
    /// Leaves the growth of single functions out
    #[arg(long)]
    pub(crate) no_functions: bool,
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// The command and its arguments, {SIZE} where the size belongs, or a suite of benchmarks
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "scenario")]
    pub(crate) argv: Vec<OsString>,
}

/// Sizes in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sizes(pub(crate) Vec<u64>);

/// `1k,4k,16k`, `1..9`, `100..900:200`, `1k..64k*2`.
pub(crate) fn sizes(text: &str) -> Result<Sizes, String> {
    let Some((from, rest)) = text.split_once("..") else {
        return text.split(',').map(size).collect::<Result<Vec<u64>, String>>().map(Sizes);
    };
    let (to, step, factor) = match (rest.split_once(':'), rest.split_once('*')) {
        (Some((to, step)), _) => (to, size(step)?.to_string(), None),
        (None, Some((to, factor))) => (to, String::new(), Some(factor)),
        (None, None) => (rest, "1".to_owned(), None),
    };
    let (from, to) = (size(from)?, size(to)?);
    let how = factor.map_or_else(|| format!(":{step}"), |factor| format!("*{factor}"));
    let range = parse::parameter(&format!("n={from}..{to}{how}"))?;
    range.values.iter().map(|value| size(value)).collect::<Result<Vec<u64>, String>>().map(Sizes)
}

/// The largest size: what an f64 holds to the unit.
const LARGEST: u64 = 1 << 50;

/// `1000`, `1k`, `2.5M`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is no size; sizes are whole numbers from 1 on, such as 500, 64k or 2M");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text.get(digits.len()..) {
        Some("") => 1,
        Some("k" | "K") => 1_000,
        Some("m" | "M") => 1_000_000,
        Some("g" | "G") => 1_000_000_000_u64,
        _ => return Err(wrong()),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let mut value = whole.checked_mul(factor).ok_or_else(wrong)?;
    let mut place = factor;
    for digit in part.chars() {
        // A fraction of a unit is no size.
        let digit = digit.to_digit(10).filter(|digit| *digit == 0 || place % 10 == 0).ok_or_else(wrong)?;
        place /= 10;
        value = value.saturating_add(u64::from(digit) * place);
    }
    if (1..=LARGEST).contains(&value) { Ok(value) } else { Err(wrong()) }
}

/// A class by its name or as it is printed.
pub(crate) fn class(text: &str) -> Result<Class, String> {
    let plain: String = text.to_ascii_lowercase().chars().filter(|c| !" -_*()".contains(*c)).collect();
    let plain = plain.strip_prefix('o').filter(|rest| !rest.is_empty()).unwrap_or(&plain);
    Ok(match plain {
        "1" | "constant" => Class::Constant,
        "logn" | "log" | "logarithmic" => Class::Logarithmic,
        "sqrtn" | "sqrt" => Class::SquareRoot,
        "n" | "linear" => Class::Linear,
        "nlogn" | "linearithmic" => Class::Linearithmic,
        "n^1.5" => Class::ThreeHalves,
        "n^2" | "n2" | "quadratic" => Class::Quadratic,
        "n^2logn" => Class::QuadraticLogarithmic,
        "n^3" | "n3" | "cubic" => Class::Cubic,
        "2^n" | "exponential" => Class::Exponential,
        "n!" | "factorial" => Class::Factorial,
        _ => {
            return Err(
                "classes are constant, log, sqrt, linear, nlogn, n^1.5, quadratic, n^2 log n, cubic, \
                        exponential and factorial"
                    .to_owned(),
            );
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suffixes_and_ranges() {
        let of = |text: &str| sizes(text).map(|sizes| sizes.0);
        assert_eq!(of("1k,4k,2.5M").unwrap(), [1000, 4000, 2_500_000]);
        assert_eq!(of("1k..8k*2").unwrap(), [1000, 2000, 4000, 8000]);
        assert_eq!(of("4..6").unwrap(), [4, 5, 6]);
        assert_eq!(of("1k..2k:500").unwrap(), [1000, 1500, 2000]);
        for wrong in
            ["", "0", "x", "1q", "-4", "1.5", "1,,2", "9..1", "1..9*1", "99999999G", "1.0005k", "1e3"]
        {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn classes_are_taken_by_name_and_as_printed() {
        assert_eq!(class("nlogn"), Ok(Class::Linearithmic));
        assert_eq!(class("O(n^2)"), Ok(Class::Quadratic));
        assert_eq!(class("n^2 log n"), Ok(Class::QuadraticLogarithmic));
        assert!(class("fast").is_err());
    }
}
