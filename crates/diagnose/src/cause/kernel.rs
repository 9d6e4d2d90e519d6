//! Time in the kernel that an ordinary user's samples do not show: the account knows how much it is, the traced calls whose.

use std::collections::BTreeMap;

use model::calls::Row;
use model::doctor::Level;
use model::profile::Share;
use model::recording::Frame;

use super::calls::own_frame;
use super::facts::{Inputs, kernel_metric};
use super::subject::Subject;
use crate::profile::family::Family;
use crate::profile::spots::Spot;

/// A call that takes longer on average waits for something; its work takes about this long at most.
const LONGEST: f64 = 20e-6;

/// The shortest calls take about this long.
const SHORTEST: f64 = 0.1e-6;

/// What the first touch of a page costs the kernel, which clears it.
const FAULT: f64 = 0.5e-6;

/// The places that compute, with the kernel's work for them. `None` where the samples show that work themselves, or nothing
/// tells whose it is.
pub(super) fn charged(inputs: &Inputs<'_>) -> Option<Vec<Spot>> {
    let profile = &inputs.study.profile;
    let calls = inputs.calls.filter(|_| profile.level == Some(Level::A))?;
    let leaves = &profile.account.as_ref()?.leaves;
    let kernel: f64 = leaves.iter().filter(|leaf| leaf.leaf == "on-cpu/kernel").map(|leaf| leaf.share).sum();
    let wall = profile.wall_s.filter(|wall| *wall > 0.0)?;
    let faults = inputs.recording.run.as_ref().map_or(0.0, |run| run.minor_faults.0 as f64 * FAULT / wall);
    let kernel = (kernel - faults).max(0.0);
    let costs: Vec<(Option<&Frame>, &Row, f64)> = calls
        .rows
        .iter()
        .filter(|row| works(&row.call))
        .map(|row| (own_frame(calls, row), row, cost(row)))
        .collect();
    let all: f64 = costs.iter().map(|(_, _, cost)| cost).sum();
    if kernel <= 0.0 || all <= 0.0 {
        return None;
    }
    let of_spot = |spot: &Spot| {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (frame, row, cost) in &costs {
            let is_here = frame.is_some_and(|frame| {
                frame.function.as_deref() == Some(spot.place.function.as_str())
                    && same(frame.file.as_deref(), spot.place.file.as_deref())
            });
            if is_here {
                *shares.entry(row.call.as_str()).or_default() += kernel * cost / all;
            }
        }
        with(spot, &shares)
    };
    Some(inputs.study.spots.iter().map(of_spot).collect())
}

/// The same file, as far as both are known.
fn same(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// Calls that do something on a CPU and do not mainly wait for somebody.
fn works(call: &str) -> bool {
    let waits = matches!(
        call,
        "nanosleep" | "clock_nanosleep" | "wait4" | "waitid" | "pause" | "select" | "pselect6"
    );
    !waits && !matches!(kernel_metric(call), "kernel.sync" | "kernel.unknown") && !call.contains("poll")
}

fn cost(row: &Row) -> f64 {
    let mean = row.latency.as_secs_f64() / row.seen.max(1) as f64;
    row.count as f64 * mean.clamp(SHORTEST, LONGEST)
}

/// The spot with this much more of wall time, spent in the kernel.
fn with(spot: &Spot, shares: &BTreeMap<&str, f64>) -> Spot {
    let more: f64 = shares.values().sum();
    let mut spot = spot.clone();
    if more <= 0.0 {
        return spot;
    }
    let whole = spot.wall.value + more;
    let left = spot.wall.value / whole;
    spot.wall = Share {
        value: whole.min(1.0),
        low: (spot.wall.low + more).min(1.0),
        high: (spot.wall.high + more).min(1.0),
    };
    // What libraries do for it they do in the kernel, too.
    for (_, share) in spot.families.iter_mut().filter(|(family, _)| *family == Family::Own) {
        *share *= left;
    }
    for line in &mut spot.lines {
        line.share *= left;
    }
    spot.kernel = shares.iter().map(|(call, share)| ((*call).to_owned(), share / whole)).collect();
    spot.kernel.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    spot
}

/// What was shared out so was not sampled: it has no interval, and rests on the traced calls.
pub(super) fn mark(subject: &mut Subject) {
    let shared = |name: &str| name.starts_with("kernel") || matches!(name, "peer.time" | "flushing");
    for (_, metric) in subject.metrics.iter_mut().filter(|(name, _)| shared(name)) {
        (metric.low, metric.high, metric.n) = (None, None, 1);
        (metric.artifact, metric.source) = (model::calls::CALLS, "account, shared out by traced calls");
    }
}
