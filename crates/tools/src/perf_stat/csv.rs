//! `perf stat -x`: `value;unit;event;[deviation%;]nanoseconds;percent;metric;unit`, with what the row is of before the value.

use model::Ratio;

use super::{Counter, Event, PerfStat, Reading, counted_for, counters, running, unknown};
use crate::ParseError;

pub(super) fn parse(bytes: &[u8], separator: u8) -> Result<PerfStat, ParseError> {
    counters(bytes, |line, text| {
        counter(text, char::from(separator)).ok_or_else(|| unknown(line, text)).map(Some)
    })
}

fn counter(text: &str, separator: char) -> Option<Counter> {
    let fields: Vec<&str> = text.split(separator).collect();
    // The last field that is a time comes before the last that is a percentage; what is before the event tells the rest.
    (0..fields.len()).find_map(|start| row(&fields, start))
}

/// A row whose value stands in the field `start`. `None` when what follows it does not fit, as for a CPU or an interval before the value.
fn row(fields: &[&str], start: usize) -> Option<Counter> {
    let mut rest = fields.get(start..)?.iter().map(|field| field.trim());
    let (value, unit, event) = (rest.next()?, rest.next()?, rest.next()?);
    let unit = Some(unit).filter(|unit| !unit.is_empty());
    let reading = Reading::of(value, unit)?;
    // Of `CPU0;12;msec;…` and of `0.1;12;msec;…` the unit would be a number, or the event one.
    let is_name = |text: &str| text.starts_with(|first: char| !first.is_ascii_digit() && first != '<');
    if !is_name(event) || unit.is_some_and(|unit| !is_name(unit)) {
        return None;
    }
    let mut next = rest.next()?;
    let deviation = next.strip_suffix('%').map(|percent| percent.parse::<f64>());
    let deviation = match deviation {
        Some(percent) => {
            next = rest.next()?;
            Some(Ratio(percent.ok()? / 100.0))
        }
        None => None,
    };
    let nanos: u64 = next.parse().ok()?;
    let percent: f64 = rest.next()?.parse().ok()?;
    let of: Vec<&str> = fields.iter().take(start).map(|field| field.trim()).collect();
    Some(Counter {
        event: Event::of(event),
        of: (!of.is_empty()).then(|| of.join(" ")),
        reading,
        unit: unit.map(str::to_owned),
        counted_for: counted_for(reading, Some(nanos)),
        running: running(reading, Some(percent)),
        deviation: reading.value().and(deviation),
    })
}
