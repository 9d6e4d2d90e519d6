//! Everything the views are taken from: the trusted recording and what was made of it.

use model::Nanos;
use model::leaf::Charge;

use super::Context;
use super::lives::Lives;
use super::places::Places;
use super::queue::{Cpus, Outside};
use super::split::Split;
use super::thread::{Time, times};
use super::words::Labels;

pub(super) struct Scene<'a> {
    pub(super) lives: &'a Lives<'a>,
    pub(super) places: &'a Places<'a>,
    pub(super) cpus: Cpus,
    pub(super) times: Vec<Time>,
    pub(super) split: Split,
    pub(super) outside: Outside,
    pub(super) labels: Labels,
    /// The main thread of the first process.
    pub(super) first: Option<u32>,
    /// Whether the program was watched for a time, so that its end means nothing.
    pub(super) watched: bool,
}

impl<'a> Scene<'a> {
    pub(super) fn of(
        lives: &'a Lives<'a>,
        places: &'a Places<'a>,
        first: Option<u32>,
        context: &Context,
    ) -> Self {
        let cpus = Cpus::of(lives);
        let times = times(lives, &cpus);
        let computing: Vec<u64> = times.iter().map(|time| time.tally.of(Charge::Computing)).collect();
        Self {
            split: Split::of(lives, places, &computing, context),
            outside: outside(&times, lives, context),
            labels: Labels::of(lives, first),
            watched: context.watched,
            lives,
            places,
            cpus,
            times,
            first,
        }
    }
}

/// Quota and steal as shares of the time that others took, so that neither explains more than was seen.
fn outside(times: &[Time], lives: &Lives<'_>, context: &Context) -> Outside {
    let others = |time: &Time| time.preempted.others as f64 + time.woken.others as f64;
    let behind: f64 = times.iter().map(others).sum();
    let throttled = context.throttled.map_or(0.0, |throttled: Nanos| throttled.as_nanos() as f64);
    Outside {
        quota: if behind > 0.0 { (throttled / behind).min(1.0) } else { 0.0 },
        steal: context.steal.filter(|steal| steal.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0),
        idle: idle(times, lives),
    }
}

/// A smaller part of the time until a woken thread runs is within the error of the two witnesses.
const LAG: f64 = 0.2;

/// Of the time until woken threads ran, what the scheduler does not know as time on a queue.
fn idle(times: &[Time], lives: &Lives<'_>) -> f64 {
    let (mut seen, mut woken, mut counted) = (0.0, 0.0, 0.0);
    for (time, thread) in times.iter().zip(&lives.recording.threads) {
        let Some(queued) = thread.queued else { continue };
        let of = |charge: Charge| time.tally.of(charge) as f64;
        woken += of(Charge::Woken);
        seen += of(Charge::Woken) + of(Charge::Preempted) + of(Charge::Starting);
        counted += queued.as_nanos() as f64;
    }
    let lag = seen - counted;
    if woken > 0.0 && lag > LAG * woken { (lag / woken).min(1.0) } else { 0.0 }
}
