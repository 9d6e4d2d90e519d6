//! The words of the command line: durations, shares, streams, parameters.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use model::doctor::Level;

/// A part of a whole, 0 < share < 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share(pub(crate) f64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Null,
    Inherit,
    Capture,
    File(PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Golden {
    First,
    Sha256(String),
    File(PathBuf),
}

/// `{name}` in a command stands for each of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// A level of privilege by its letter.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    match text.to_ascii_uppercase().as_str() {
        "A" => Ok(Level::A),
        "B" => Ok(Level::B),
        "C" => Ok(Level::C),
        "D" => Ok(Level::D),
        _ => Err("levels are A, B, C and D; `slowpath doctor` tells yours".to_owned()),
    }
}

/// The most values one parameter may have: each becomes a command.
const MOST_VALUES: usize = 1000;

/// `10s`, `500ms`, `2m`, `1h`, or plain seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text.get(digits.len()..) {
        Some("ms") => 1e-3,
        Some("" | "s") => 1.0,
        Some("m" | "min") => 60.0,
        Some("h") => 3600.0,
        _ => return Err("a time is a number with ms, s, m or h".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "a time is a number with ms, s, m or h".to_owned())?;
    match Duration::try_from_secs_f64(number * factor) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("a time is longer than nothing".to_owned()),
    }
}

/// `2%` or `0.02`.
pub(crate) fn share(text: &str) -> Result<Share, String> {
    let (number, factor) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 0.01));
    match number.trim().parse::<f64>() {
        Ok(number) if number * factor > 0.0 && number * factor < 1.0 => Ok(Share(number * factor)),
        _ => Err("a share lies between 0 and 100 %, such as 2% or 0.02".to_owned()),
    }
}

pub(crate) fn variable(text: &str) -> Result<Variable, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            Ok(Variable { name: name.to_owned(), value: value.to_owned() })
        }
        _ => Err("a variable is NAME=VALUE".to_owned()),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape clap wants")]
pub(crate) fn stream(text: &str) -> Result<Stream, String> {
    Ok(match text {
        "null" => Stream::Null,
        "inherit" => Stream::Inherit,
        "capture" => Stream::Capture,
        path => Stream::File(path.into()),
    })
}

pub(crate) fn golden(text: &str) -> Result<Golden, String> {
    if text == "first" {
        return Ok(Golden::First);
    }
    match text.strip_prefix("sha256:") {
        None => Ok(Golden::File(text.into())),
        Some(hex) if hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Ok(Golden::Sha256(hex.to_ascii_lowercase()))
        }
        Some(_) => Err("sha256: is followed by 64 hexadecimal digits".to_owned()),
    }
}

/// `name=a,b,c`, `name=1..9`, `name=1..9:2`, `name=1000..64000*2`.
pub(crate) fn parameter(text: &str) -> Result<Parameter, String> {
    let (name, values) = text.split_once('=').ok_or("a parameter is NAME=VALUES")?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
        return Err("a parameter's name is made of letters, digits, - and _".to_owned());
    }
    let values = match values.split_once("..") {
        Some((from, rest)) => range(from, rest)?,
        None => values.split(',').map(str::to_owned).collect(),
    };
    Ok(Parameter { name: name.to_owned(), values })
}

fn range(from: &str, rest: &str) -> Result<Vec<String>, String> {
    let number = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is not a whole number"));
    let (to, step, factor) = match (rest.split_once(':'), rest.split_once('*')) {
        (Some((to, step)), _) => (to, number(step)?, 1),
        (None, Some((to, factor))) => (to, 0, number(factor)?),
        (None, None) => (rest, 1, 1),
    };
    let (from, to) = (number(from)?, number(to)?);
    let grows = step > 0 || (factor > 1 && from > 0);
    if !grows || to < from {
        return Err("a range goes up: FROM..TO, FROM..TO:STEP, FROM..TO*FACTOR".to_owned());
    }
    let next = |value: &i64| value.checked_mul(factor)?.checked_add(step);
    let values: Vec<String> = std::iter::successors(Some(from), next)
        .take_while(|value| *value <= to)
        .take(MOST_VALUES + 1)
        .map(|value| value.to_string())
        .collect();
    if values.len() > MOST_VALUES {
        return Err(format!("a range has at most {MOST_VALUES} values"));
    }
    Ok(values)
}

/// Splits a quoted command as a shell would, without running one.
pub(crate) fn words(command: &OsString) -> Option<Vec<OsString>> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let words = shlex::bytes::split(command.as_bytes())?;
    Some(words.into_iter().map(OsString::from_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "s", "-1s", "0", "5 parsecs", "1e99h", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_parts_of_a_whole() {
        assert_eq!(share("2%"), Ok(Share(0.02)));
        assert_eq!(share("0.5"), Ok(Share(0.5)));
        for wrong in ["0", "100%", "-1%", "x", "nan%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_are_written_out() {
        let values = |text: &str| parameter(text).map(|parameter| parameter.values.join(" "));
        assert_eq!(values("n=a,b").unwrap(), "a b");
        assert_eq!(values("n=1..4").unwrap(), "1 2 3 4");
        assert_eq!(values("n=1..9:4").unwrap(), "1 5 9");
        assert_eq!(values("n=1000..8000*2").unwrap(), "1000 2000 4000 8000");
        for wrong in ["n", "=1", "n=5..1", "n=1..9:0", "n=0..9*2", "n=1..9*1", "a b=1", "n=1..9999999"] {
            assert!(parameter(wrong).is_err(), "{wrong}");
        }
    }
}
