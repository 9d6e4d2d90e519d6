//! `slowpath.toml` (TOML 1.1): bytes → scenarios. Every fault has its line; an unknown key is one.

use std::fmt;
use std::ops::Range;

use model::scenario::{Asked, Budget};
use model::{Metric, Unit};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::keys::{self, Key, Shape};
use super::{Scenario, Words};
use crate::cli::{parse, scale};

/// What the file says.
#[derive(Debug, PartialEq)]
pub(super) struct Parsed {
    pub(super) build: Option<String>,
    pub(super) scenarios: Vec<Scenario>,
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    line: usize,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "line {}: {}", self.line, self.what)
    }
}

/// A fault at a place in the text, before lines are counted.
type At = (usize, String);

/// Reads the file.
///
/// # Errors
/// With the line of the first fault.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, Fault> {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let line = lines(bytes, error.valid_up_to());
            return Err(Fault { line, what: "this is not UTF-8 text".to_owned() });
        }
    };
    let located = |(at, what): At| Fault { line: lines(bytes, at), what };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span: Range<usize>| span.start);
        located((at, error.message().replace('\n', ", ")))
    })?;
    file(table.get_ref()).map_err(located)
}

fn lines(bytes: &[u8], at: usize) -> usize {
    bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

fn file(table: &DeTable<'_>) -> Result<Parsed, At> {
    let mut parsed = Parsed { build: None, scenarios: Vec::new() };
    let mut placed = Vec::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        match name {
            "build" => parsed.build = Some(text(name, value)?),
            "scenario" => {
                for (name, value) in table_of("scenario", value)? {
                    let own = table_of(name.get_ref(), value)?;
                    placed.push((name.span().start, scenario(name, own)?));
                }
            }
            _ => return Err(unknown(key, "the file", ["build", "scenario"].into_iter())),
        }
    }
    placed.sort_by_key(|(at, _)| *at);
    parsed.scenarios = placed.into_iter().map(|(_, scenario)| scenario).collect();
    Ok(parsed)
}

fn scenario(name: &Spanned<std::borrow::Cow<'_, str>>, table: &DeTable<'_>) -> Result<Scenario, At> {
    let called = name.get_ref().to_string();
    if called.is_empty() || called.starts_with('-') {
        return Err((
            name.span().start,
            "a scenario's name is not empty and does not begin with `-`".to_owned(),
        ));
    }
    let mut command = None;
    let mut this = Scenario {
        command: Words::Spelled(Vec::new()),
        options: Vec::new(),
        env: Vec::new(),
        size: None,
        margin: None,
        pairs: None,
        budgets: Vec::new(),
        asked: model::scenario::Scenario { name: called.clone(), ..Default::default() },
    };
    for (key, value) in table {
        let name: &str = key.get_ref();
        match name {
            "command" => command = Some(words(value)?),
            "env" => this.env = variables(value)?,
            "size" => this.size = Some(size(value)?),
            "work" => this.asked.work = Some(amount(value, "work", Unit::One)?),
            "unit" => this.asked.unit = Some(text(name, value)?),
            "margin" => this.margin = Some(checked(name, value, parse::share)?.0),
            "pairs" => this.pairs = Some(pairs(value)?),
            "budgets" => this.budgets = budgets(value)?,
            "hypotheses" => this.asked.hypotheses = hypotheses(value)?,
            _ => match keys::option(name) {
                Some(known) => this.options.extend(option(known, value)?),
                None => return Err(unknown(key, &format!("scenario `{called}`"), keys::all())),
            },
        }
    }
    this.command =
        command.ok_or_else(|| (name.span().start, format!("scenario `{called}` has no `command`")))?;
    Ok(this)
}

/// A flag and its value; nothing for a switch that is off.
fn option(key: &'static Key, value: &Spanned<DeValue<'_>>) -> Result<Option<(&'static str, String)>, At> {
    let written = match key.shape {
        Shape::Switch => match value.get_ref().as_bool() {
            Some(true) => return Ok(Some((key.name, String::new()))),
            Some(false) => return Ok(None),
            None => return Err(wrong(value, key.name, "`true` or `false`")),
        },
        Shape::Number => match value.get_ref() {
            DeValue::Integer(number) => plain(number.as_str(), number.radix())
                .ok_or_else(|| wrong(value, key.name, "a whole number"))?
                .to_string(),
            _ => return Err(wrong(value, key.name, "a whole number")),
        },
        Shape::Text => text(key.name, value)?,
        Shape::Sizes => sizes(key.name, value)?,
    };
    (key.check)(&written).map_err(|why| (value.span().start, format!("`{}`: {why}", key.name)))?;
    Ok(Some((key.name, written)))
}

fn sizes(name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, At> {
    let Some(array) = value.get_ref().as_array() else { return text(name, value) };
    let sizes = array.iter().map(size).collect::<Result<Vec<u64>, At>>()?;
    Ok(sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
}

fn size(value: &Spanned<DeValue<'_>>) -> Result<u64, At> {
    let wanted = || wrong(value, "size", "a whole number from 1 on, or a text such as \"64k\"");
    let written = match value.get_ref() {
        DeValue::Integer(number) => plain(number.as_str(), number.radix()).ok_or_else(wanted)?.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => return Err(wanted()),
    };
    scale::size(&written).map_err(|why| (value.span().start, why))
}

fn pairs(value: &Spanned<DeValue<'_>>) -> Result<u32, At> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => plain(number.as_str(), number.radix()),
        _ => None,
    };
    let number = number.and_then(|number| u32::try_from(number).ok()).filter(|pairs| *pairs >= 2);
    number.ok_or_else(|| wrong(value, "pairs", "a whole number from 2 on"))
}

/// A whole number of the file; `None` below zero or beyond 64 bits.
fn plain(digits: &str, radix: u32) -> Option<u64> {
    u64::from_str_radix(digits.trim_start_matches('+'), radix).ok()
}

/// A text in one piece, or its words.
fn words(value: &Spanned<DeValue<'_>>) -> Result<Words, At> {
    let wanted = || wrong(value, "command", "a text, or its words in brackets");
    let words = match value.get_ref() {
        DeValue::String(text) if text.trim().is_empty() => return Err(wanted()),
        DeValue::String(text) => Words::Text(text.to_string()),
        DeValue::Array(words) => {
            let words: Option<Vec<String>> =
                words.iter().map(|word| word.get_ref().as_str().map(str::to_owned)).collect();
            Words::Spelled(words.filter(|words| !words.is_empty()).ok_or_else(wanted)?)
        }
        _ => return Err(wanted()),
    };
    let holds_nul = match &words {
        Words::Text(text) => text.contains('\0'),
        Words::Spelled(words) => words.iter().any(|word| word.contains('\0')),
    };
    if holds_nul { Err(wrong(value, "command", "free of NUL characters")) } else { Ok(words) }
}

fn variables(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, String)>, At> {
    let mut variables = Vec::new();
    for (name, value) in table_of("env", value)? {
        let valid = !name.get_ref().is_empty() && !name.get_ref().contains(['=', '\0']);
        if !valid {
            return Err((name.span().start, "a variable's name is not empty and holds no `=`".to_owned()));
        }
        variables.push((name.get_ref().to_string(), text(name.get_ref(), value)?));
    }
    Ok(variables)
}

fn budgets(value: &Spanned<DeValue<'_>>) -> Result<Vec<Budget>, At> {
    let metrics = || Metric::TIMED.into_iter().chain([Metric::Instructions]);
    let mut budgets = Vec::new();
    for (key, value) in table_of("budgets", value)? {
        let metric = metrics().find(|metric| metric.name() == key.get_ref());
        let Some(metric) = metric else {
            return Err(unknown(key, "`budgets`", metrics().map(Metric::name)));
        };
        budgets.push(Budget { metric, limit: amount(value, metric.name(), metric.unit())? });
    }
    budgets.sort_by_key(|budget| budget.metric);
    Ok(budgets)
}

/// A quantity: a number in the unit itself, or a text with its unit.
fn amount(value: &Spanned<DeValue<'_>>, name: &str, unit: Unit) -> Result<f64, At> {
    let wanted = match unit {
        Unit::Seconds => "a time such as \"200ms\"",
        Unit::Bytes => "an amount such as \"64MiB\"",
        Unit::One => "a number such as 1000 or \"1.2M\"",
    };
    let number = match value.get_ref() {
        DeValue::Integer(number) => plain(number.as_str(), number.radix()).map(|number| number as f64),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => match unit {
            Unit::Seconds => parse::duration(text).ok().map(|duration| duration.as_secs_f64()),
            Unit::Bytes => scaled(text, &BYTES),
            Unit::One => scaled(text, &COUNTS),
        },
        _ => None,
    };
    number.filter(|number| number.is_finite() && *number > 0.0).ok_or_else(|| wrong(value, name, wanted))
}

const BYTES: [(&str, f64); 8] = [
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("kB", 1e3),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("B", 1.0),
];

const COUNTS: [(&str, f64); 3] = [("k", 1e3), ("M", 1e6), ("G", 1e9)];

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let unit = units.iter().find_map(|(name, factor)| Some((text.strip_suffix(name)?, *factor)));
    let (number, factor) = unit.unwrap_or((text, 1.0));
    number.trim().parse::<f64>().ok().map(|number| number * factor)
}

fn hypotheses(value: &Spanned<DeValue<'_>>) -> Result<Vec<Asked>, At> {
    let array: &DeArray<'_> = value
        .get_ref()
        .as_array()
        .ok_or_else(|| wrong(value, "hypotheses", "a list: `[[scenario.NAME.hypotheses]]`"))?;
    let mut known: Vec<Asked> = Vec::new();
    for value in array {
        let asked = hypothesis(value)?;
        // Two answers under one id could not be told apart, nor from a cause of ours.
        if known.iter().any(|other| other.id == asked.id) {
            return Err((value.span().start, format!("two hypotheses are called `{}`", asked.id)));
        }
        if diagnose::cause::explained(&asked.id).is_some() {
            let what = format!("`{}` is the id of a cause; call the hypothesis something else", asked.id);
            return Err((value.span().start, what));
        }
        known.push(asked);
    }
    Ok(known)
}

fn hypothesis(value: &Spanned<DeValue<'_>>) -> Result<Asked, At> {
    const KEYS: [&str; 5] = ["id", "claim", "metric", "refuted-below", "refuted-above"];
    let mut asked = Asked {
        id: String::new(),
        claim: String::new(),
        metric: String::new(),
        refuted_below: None,
        refuted_above: None,
    };
    for (key, value) in table_of("hypotheses", value)? {
        let name: &str = key.get_ref();
        match name {
            "id" => asked.id = text(name, value)?,
            "claim" => asked.claim = text(name, value)?,
            "metric" => asked.metric = text(name, value)?,
            "refuted-below" => asked.refuted_below = Some(limit(name, value)?),
            "refuted-above" => asked.refuted_above = Some(limit(name, value)?),
            _ => return Err(unknown(key, "a hypothesis", KEYS.into_iter())),
        }
    }
    let missing = [("id", &asked.id), ("claim", &asked.claim), ("metric", &asked.metric)];
    if let Some((name, _)) = missing.iter().find(|(_, text)| text.is_empty()) {
        return Err((value.span().start, format!("a hypothesis needs `{name}`")));
    }
    if asked.refuted_below.is_none() && asked.refuted_above.is_none() {
        let what = "a hypothesis needs what would refute it: `refuted-below` or `refuted-above`";
        return Err((value.span().start, what.to_owned()));
    }
    Ok(asked)
}

/// A number in the metric's unit; a text may name time or bytes.
fn limit(name: &str, value: &Spanned<DeValue<'_>>) -> Result<f64, At> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => parse::duration(text)
            .ok()
            .map(|duration| duration.as_secs_f64())
            .or_else(|| parse::share(text).ok().map(|share| share.0))
            .or_else(|| scaled(text, &BYTES)),
        _ => None,
    };
    let number: Option<f64> = number;
    number
        .filter(|number| number.is_finite())
        .ok_or_else(|| wrong(value, name, "a number, or a text such as \"20ms\", \"5%\" or \"64MiB\""))
}

fn checked<T>(
    name: &str,
    value: &Spanned<DeValue<'_>>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<T, At> {
    parse(&text(name, value)?).map_err(|why| (value.span().start, format!("`{name}`: {why}")))
}

fn text(name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, At> {
    match value.get_ref().as_str() {
        Some(text) if !text.contains('\0') => Ok(text.to_owned()),
        _ => Err(wrong(value, name, "a text in quotes")),
    }
}

fn table_of<'a, 'i>(name: &str, value: &'a Spanned<DeValue<'i>>) -> Result<&'a DeTable<'i>, At> {
    value.get_ref().as_table().ok_or_else(|| wrong(value, name, "a table"))
}

fn wrong(value: &Spanned<DeValue<'_>>, name: &str, wanted: &str) -> At {
    (value.span().start, format!("`{name}` is {wanted}"))
}

fn unknown<'a>(
    key: &Spanned<std::borrow::Cow<'_, str>>,
    place: &str,
    known: impl Iterator<Item = &'a str>,
) -> At {
    let name = key.get_ref();
    let near = keys::nearest(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    (key.span().start, format!("unknown key `{name}` in {place}{near}"))
}

#[cfg(test)]
mod tests;
