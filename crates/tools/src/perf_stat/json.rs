//! `perf stat -j`: one object a line.

use model::Ratio;
use serde::Deserialize;

use super::{Counter, Event, FORMAT, PerfStat, Reading, counted_for, counters, running, unknown};
use crate::ParseError;

pub(super) fn parse(bytes: &[u8]) -> Result<PerfStat, ParseError> {
    counters(bytes, |line, text| {
        let wire: Wire = serde_json::from_str(text).map_err(|source| ParseError::Malformed {
            format: FORMAT,
            line,
            column: source.column(),
            source,
        })?;
        wire.counter().map_err(|()| unknown(line, text))
    })
}

/// Keys that say what a row is of have changed between versions; those not named here are derived figures.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Wire {
    counter_value: Option<String>,
    #[serde(default)]
    unit: String,
    event: Option<String>,
    variance: Option<f64>,
    event_runtime: Option<u64>,
    pcnt_running: Option<f64>,
    interval: Option<f64>,
    cpu: Option<String>,
    core: Option<String>,
    die: Option<String>,
    socket: Option<String>,
    node: Option<String>,
    thread: Option<String>,
    cgroup: Option<String>,
}

impl Wire {
    /// `None` for a line of further metrics, which has no counter of its own.
    fn counter(self) -> Result<Option<Counter>, ()> {
        let (Some(value), Some(event)) = (&self.counter_value, &self.event) else {
            return if self.counter_value.is_none() && self.event.is_none() { Ok(None) } else { Err(()) };
        };
        let unit = Some(self.unit.clone()).filter(|unit| !unit.is_empty());
        let reading = Reading::of(value, unit.as_deref()).ok_or(())?;
        Ok(Some(Counter {
            event: Event::of(event),
            of: self.of(),
            reading,
            unit,
            counted_for: counted_for(reading, self.event_runtime),
            running: running(reading, self.pcnt_running),
            deviation: reading.value().and(self.variance).map(|percent| Ratio(percent / 100.0)),
        }))
    }

    fn of(&self) -> Option<String> {
        let interval = self.interval.map(|interval| format!("{interval} s"));
        let cpu = self.cpu.as_ref().map(|cpu| format!("CPU{cpu}"));
        let named = [&self.core, &self.die, &self.socket, &self.node, &self.thread, &self.cgroup];
        let parts = [interval, cpu].into_iter().chain(named.map(Clone::clone));
        let parts: Vec<String> = parts.flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}
