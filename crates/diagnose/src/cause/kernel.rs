//! Time in the kernel that an ordinary user's samples do not show: the account knows how much it is, the traced calls whose.

use std::collections::BTreeMap;

use model::calls::Row;
use model::doctor::Level;
use model::profile::{Place, Share};
use model::recording::{Frame, Owner, Recording};

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

/// The places that compute, with the kernel's work for them.
pub(super) struct Charged {
    pub(super) spots: Vec<Spot>,
    /// Whose calls they were is known.
    calls: bool,
    /// Who touched pages first is known.
    touches: bool,
}

/// Something that the kernel did for a place: the call, and about how many seconds.
type Cost<'a> = (Option<&'a Frame>, &'a str, f64);

/// `None` where the samples show the kernel's work themselves, or nothing tells whose it is.
pub(super) fn charged(inputs: &Inputs<'_>) -> Option<Charged> {
    let profile = &inputs.study.profile;
    let recording = inputs.recording;
    if profile.level != Some(Level::A) || inputs.calls.is_none() && recording.touches.is_empty() {
        return None;
    }
    let leaves = &profile.account.as_ref()?.leaves;
    let kernel: f64 = leaves.iter().filter(|leaf| leaf.leaf == "on-cpu/kernel").map(|leaf| leaf.share).sum();
    let wall = profile.wall_s.filter(|wall| *wall > 0.0)?;
    let rows = inputs.calls.into_iter().flat_map(|calls| calls.rows.iter().map(move |row| (calls, row)));
    let rows = rows.filter(|(_, row)| works(&row.call));
    let mut costs: Vec<Cost<'_>> =
        rows.map(|(calls, row)| (own_frame(calls, row), row.call.as_str(), cost(row))).collect();
    let touches = touched(recording);
    costs.extend(&touches);
    let known: f64 = costs.iter().map(|(_, _, cost)| cost).sum();
    // What touched pages cost is known to be theirs; without the calls, the rest may be anybody's.
    let unseen = if touches.is_empty() { faults(inputs) } else { 0.0 };
    let seconds = (kernel * wall - unseen).max(0.0);
    let scale = if inputs.calls.is_some() { seconds / known } else { (seconds / known).min(1.0) };
    if seconds <= 0.0 || known <= 0.0 {
        return None;
    }
    let is_here = |frame: &Frame, place: &Place| {
        frame.function.as_deref() == Some(place.function.as_str())
            && same(frame.file.as_deref(), place.file.as_deref())
    };
    let shares = |place: &Place| {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (_, call, cost) in costs.iter().filter(|(frame, ..)| frame.is_some_and(|it| is_here(it, place))) {
            *shares.entry(call).or_default() += cost * scale / wall;
        }
        shares
    };
    let mut spots: Vec<Spot> =
        inputs.study.spots.iter().map(|spot| with(spot, &shares(&spot.place))).collect();
    // A place may have nearly all its work done by the kernel.
    for frame in costs.iter().filter_map(|(frame, ..)| *frame) {
        let known = spots.iter().any(|spot| is_here(frame, &spot.place));
        let Some(place) = place_of(frame).filter(|_| !known) else { continue };
        let shares = shares(&place);
        if shares.values().sum::<f64>() >= LEAST {
            spots.push(with(&Spot::bare(place), &shares));
        }
    }
    Some(Charged { spots, calls: inputs.calls.is_some(), touches: !touches.is_empty() })
}

/// Below this share of wall time a place that computes nothing itself is not worth a hypothesis.
const LEAST: f64 = 0.1;

fn place_of(frame: &Frame) -> Option<Place> {
    Some(Place {
        function: frame.function.clone()?,
        file: frame.file.clone(),
        line: frame.line,
        module: None,
        language: frame.language,
        owner: frame.owner,
    })
}

fn faults(inputs: &Inputs<'_>) -> f64 {
    inputs.recording.run.as_ref().map_or(0.0, |run| run.minor_faults.0 as f64 * FAULT)
}

/// Pages that were touched first, by the innermost frame of the user's own code.
fn touched(recording: &Recording) -> Vec<Cost<'_>> {
    let own = |stack| recording.frames_of(stack).find(|frame| frame.owner == Owner::Project);
    recording.touches.iter().map(|it| (own(it.stack), "page fault", it.pages as f64 * FAULT)).collect()
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

impl Charged {
    /// What was shared out so was not sampled: it has no interval, and rests on traced calls and touched pages. What neither
    /// tells stays unknown.
    pub(super) fn mark(&self, subject: &mut Subject) {
        if !self.touches {
            subject.metrics.remove("kernel.memory");
        }
        if !self.calls {
            let told = |name: &str| !name.starts_with("kernel.") || name == "kernel.memory";
            subject.metrics.retain(|name, _| told(name) && !matches!(*name, "peer.time" | "flushing"));
        }
        let shared = |name: &str| name.starts_with("kernel") || matches!(name, "peer.time" | "flushing");
        for (name, metric) in subject.metrics.iter_mut().filter(|(name, _)| shared(name)) {
            (metric.low, metric.high, metric.n) = (None, None, 1);
            (metric.artifact, metric.source) = if self.calls && *name != "kernel.memory" {
                (model::calls::CALLS, "account, shared out by traced calls")
            } else {
                (model::recording::RECORDING, "account, shared out by touched pages")
            };
        }
    }
}
