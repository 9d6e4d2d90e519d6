//! The Firefox Profiler's "processed profile" JSON: hits as samples, waits as markers with their stacks.
//!
//! Version 60 of the format, the first whose tables are shared by all threads as a recording's are; the viewer turns
//! older versions into its own. Checked with `@firefox-devtools/profiler-cli` 0.10.0, which reads up to version 75.

mod tables;

use std::io::{self, Write};

use model::leaf::Charge;
use model::recording::{Recording, Thread, Wait};
use serde_json::{Value, json};

use self::tables::Tables;
use super::threads::{Lives, call, process_of, thread_at, timed};
use super::{in_units, put, put_list, shown};
use crate::stack::{self, Measure};
use crate::waiting::pieces;

const VERSION: u32 = 60;

/// Nanoseconds in the format's unit of time.
const MILLI: u64 = 1_000_000;

/// Writes the recording as a file that profiler.firefox.com opens.
pub fn firefox(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let lives = Lives::new(recording);
    let tables = Tables::new(recording);
    write!(out, "{{\"meta\":")?;
    put(&mut out, &meta(recording))?;
    write!(out, ",\"libs\":")?;
    put_list(&mut out, recording.modules.iter().map(tables::library))?;
    write!(out, ",\"pages\":[],\"shared\":")?;
    tables.write(recording, &mut out)?;
    write!(out, ",\"threads\":[")?;
    let mut seen: Vec<usize> = lives.seen().collect();
    if seen.is_empty() {
        // The viewer has nothing to select without a thread.
        seen.push(recording.threads.len());
    }
    for (at, index) in seen.into_iter().enumerate() {
        if at > 0 {
            write!(out, ",")?;
        }
        thread(&mut out, recording, &lives, &tables, index)?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}

fn meta(recording: &Recording) -> Value {
    let program = recording.processes.first().map_or_else(|| "recording".to_owned(), |p| shown(&p.name));
    let interval = recording.period.map_or(1.0, |period| in_units(period.as_nanos(), MILLI));
    let category =
        |(name, color): (&str, &str)| json!({ "name": name, "color": color, "subcategories": ["Other"] });
    json!({
        "categories": tables::CATEGORIES.map(category),
        "debug": false,
        "importedFrom": "slowpath",
        "interval": interval,
        "markerSchema": [{
            "name": "Wait",
            "display": ["marker-chart", "marker-table", "timeline-overview"],
            "tooltipLabel": "{marker.name}",
            "tableLabel": "{marker.data.call}",
            "chartLabel": "{marker.name} {marker.data.call}",
            "fields": [
                { "key": "call", "label": "Call", "format": "string" },
                { "key": "by", "label": "Woken by", "format": "string" },
                { "key": "holder", "label": "Held by", "format": "string" },
            ],
        }],
        "pausedRanges": [],
        "preprocessedProfileVersion": VERSION,
        "processType": 0,
        "product": program,
        "sampleUnits": { "time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns" },
        "sourceCodeIsNotOnSearchfox": true,
        "stackwalk": 1,
        "startTime": 0,
        "symbolicated": true,
        "toolkit": "",
        "usesOnlyOneStackType": true,
        "version": 30,
    })
}

fn thread(
    out: &mut impl Write,
    recording: &Recording,
    lives: &Lives,
    tables: &Tables,
    index: usize,
) -> io::Result<()> {
    let thread = thread_at(recording, index);
    let head = head(recording, thread);
    for (at, (key, value)) in head.iter().enumerate() {
        write!(out, "{}\"{key}\":{value}", if at == 0 { "{" } else { "," })?;
    }
    write!(out, ",\"samples\":")?;
    samples(out, recording, lives, index)?;
    write!(out, ",\"markers\":")?;
    markers(out, recording, lives, tables, index)?;
    write!(out, "}}")
}

fn head(recording: &Recording, thread: Option<&Thread>) -> Vec<(&'static str, Value)> {
    let process = process_of(recording, thread);
    let (pid, tid) = (process.map_or(0, |p| p.pid), thread.map_or(0, |t| t.tid));
    let name = thread.map_or_else(|| "unknown thread".to_owned(), |thread| shown(&thread.name));
    let ms = |at: Option<model::Nanos>| at.map(|at| in_units(at.as_nanos(), MILLI));
    vec![
        ("name", name.into()),
        ("processName", process.map(|process| shown(&process.name)).into()),
        ("processType", "default".into()),
        ("isMainThread", (pid == tid).into()),
        ("pid", pid.to_string().into()),
        ("tid", tid.into()),
        ("processStartupTime", ms(process.map(|process| process.from)).unwrap_or(0.0).into()),
        ("processShutdownTime", ms(process.and_then(|process| process.to)).into()),
        ("registerTime", ms(thread.map(|thread| thread.from)).unwrap_or(0.0).into()),
        ("unregisterTime", ms(thread.and_then(|thread| thread.to)).into()),
        ("pausedRanges", json!([])),
        ("showMarkersInTimeline", true.into()),
    ]
}

/// Hits in time order. Without a clock they follow each other, each as long as it weighs.
fn samples(out: &mut impl Write, recording: &Recording, lives: &Lives, index: usize) -> io::Result<()> {
    let hits = lives.hits.get(index).map_or(&[][..], Vec::as_slice);
    let (measure, scale) = (Measure::of(recording), stack::scale(recording));
    let weight = |weight: u64| match measure {
        Measure::Time => json!(in_units(weight.saturating_mul(scale), MILLI)),
        _ => json!(weight),
    };
    let kind = match measure {
        Measure::Time => "tracing-ms",
        Measure::Bytes => "bytes",
        Measure::Samples | Measure::Other(_) => "samples",
    };
    write!(out, "{{\"length\":{},\"weightType\":\"{kind}\",\"stack\":", hits.len())?;
    let known = |stack: &u32| (*stack as usize) < recording.nodes.len();
    put_list(out, hits.iter().map(|hit| hit.stack.filter(known)))?;
    write!(out, ",\"weight\":")?;
    put_list(out, hits.iter().map(|hit| weight(hit.weight)))?;
    write!(out, ",\"time\":")?;
    if timed(recording) {
        put_list(out, hits.iter().map(|hit| in_units(hit.at.as_nanos(), MILLI)))?;
    } else {
        let mut since = 0_u64;
        let step = |weight: u64| if measure == Measure::Time { weight.saturating_mul(scale) } else { MILLI };
        put_list(
            out,
            hits.iter().map(|hit| {
                let at = since;
                since = since.saturating_add(step(hit.weight));
                in_units(at, MILLI)
            }),
        )?;
    }
    write!(out, "}}")
}

/// Waits as intervals.
fn markers(
    out: &mut impl Write,
    recording: &Recording,
    lives: &Lives,
    tables: &Tables,
    index: usize,
) -> io::Result<()> {
    let waits = lives.waits.get(index).map_or(&[][..], Vec::as_slice);
    let mut all: Vec<(&Wait, Charge, f64, f64)> = Vec::new();
    for wait in waits {
        for (leaf, from, to) in pieces(recording, wait) {
            all.push((wait, leaf, in_units(from.as_nanos(), MILLI), in_units(to.as_nanos(), MILLI)));
        }
    }
    all.sort_by(|a, b| a.2.total_cmp(&b.2));
    write!(out, "{{\"length\":{},\"category\":", all.len())?;
    put_list(out, all.iter().map(|_| tables::WAITING))?;
    write!(out, ",\"name\":")?;
    put_list(out, all.iter().map(|(_, leaf, ..)| tables.leaf(*leaf)))?;
    // Phase 1: an interval with both ends.
    write!(out, ",\"phase\":")?;
    put_list(out, all.iter().map(|_| 1))?;
    write!(out, ",\"startTime\":")?;
    put_list(out, all.iter().map(|(_, _, from, _)| from))?;
    write!(out, ",\"endTime\":")?;
    put_list(out, all.iter().map(|(_, _, _, to)| to))?;
    write!(out, ",\"data\":")?;
    put_list(out, all.iter().map(|(wait, _, from, _)| told(recording, wait, *from)))?;
    write!(out, "}}")
}

fn told(recording: &Recording, wait: &Wait, from: f64) -> Value {
    let mut told = json!({ "type": "Wait" });
    let other = |thread: Option<u32>| {
        let thread = thread_at(recording, thread? as usize)?;
        Some(shown(&format!("{} {}", thread.name, thread.tid)))
    };
    let facts = [
        ("call", call(recording, wait).map(|call| shown(&call))),
        ("by", other(wait.by)),
        ("holder", other(wait.holder)),
    ];
    let Some(object) = told.as_object_mut() else { return told };
    for (key, fact) in facts {
        if let Some(fact) = fact {
            object.insert(key.to_owned(), fact.into());
        }
    }
    if let Some(stack) = wait.stack.filter(|stack| (*stack as usize) < recording.nodes.len()) {
        let tid = thread_at(recording, wait.thread as usize).map_or(0, |thread| thread.tid);
        object.insert("cause".to_owned(), json!({ "tid": tid, "time": from, "stack": stack }));
    }
    told
}
