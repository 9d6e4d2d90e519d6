//! Runs before those that count, which may be looked at more closely.
//!
//! The first has no tracer: some programs refuse one, or wait for it for ever, and how long a run takes without it tells when
//! that is so.

use std::time::{Duration, Instant};

use model::{Gap, Nanos, Sample, Stage};
use run::{Measured, RunError, Slot};

use super::Sitting;
use crate::heard::{heard, words_of};
use crate::stop::Stop;

/// The most warm-up runs when the user named no number.
const MOST_WARM_UPS: u32 = 10;

/// How closely a run is looked at. Those for warm-up never count, so they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    /// Its whole tree is counted, and what it says on standard error is kept for the error message.
    Heard,
    /// That, and its peak memory is read exactly. `None` where the tracer is known to do no harm.
    Traced {
        untraced: Option<Nanos>,
    },
}

/// A traced run is ended after so many times the wall time without the tracer, which stops a process where it begins and ends
/// only: a program may wait for its debugger for ever.
const TRACED: u32 = 4;
const TRACED_LEAST: Duration = Duration::from_secs(2);

impl Sitting<'_> {
    /// Setup and one warm-up run of an arm; two of the first, because its arms are one program at several sizes.
    pub(crate) fn first(&mut self, arm: usize) -> Result<Sample, Stop> {
        self.hook("setup", |options| options.setup.as_ref(), arm)?;
        let look = match self.bears_tracer {
            Some(true) => Look::Traced { untraced: None },
            Some(false) => Look::Heard,
            None => {
                let heard = self.run(arm, None, Stage::WarmUp, Look::Heard)?;
                Look::Traced { untraced: Some(heard.wall) }
            }
        };
        self.run(arm, None, Stage::WarmUp, look)
    }

    /// Runs until runs no longer get faster, or as often as the user said.
    pub(super) fn warm_up(&mut self, arm: usize, budget: Duration) -> Result<(), Stop> {
        let (least, most) = match self.options.warmup {
            Some(runs) => (runs, runs),
            None if self.options.cold => (0, 0),
            None => (1, MOST_WARM_UPS),
        };
        let begun = Instant::now();
        let mut walls = Vec::new();
        let mut untraced = None;
        for run in 0..most {
            let enough = run >= least && (stats::steady(&walls) || begun.elapsed() * 4 > budget);
            if enough {
                break;
            }
            let label = self.label(arm);
            self.progress.draw(&format!("{label}: warm-up run {}", run + 1), None);
            let look = match (run, untraced) {
                (0, _) => Look::Heard,
                // Only now it is known how long a run takes that no tracer keeps from ending.
                (1, untraced) => Look::Traced { untraced },
                _ => Look::Plain,
            };
            let sample = self.run(arm, None, Stage::WarmUp, look)?;
            untraced = Some(sample.wall);
            walls.push(sample.wall.as_secs_f64());
        }
        Ok(())
    }

    pub(super) fn measure(&self, arm: usize, slot: Slot, look: Look) -> Result<Measured, Stop> {
        let Some(recipe) = self.recipes.get(arm) else {
            return Err(Stop::Defect { what: format!("arm {arm} has no recipe") });
        };
        let mut recipe = if look == Look::Plain { recipe.clone() } else { heard(recipe) };
        let measure = match look {
            Look::Plain => run::measure,
            Look::Heard => run::measure_in_group,
            Look::Traced { untraced } => {
                let limit =
                    untraced.map(|wall| (Duration::from_nanos(wall.as_nanos()) * TRACED).max(TRACED_LEAST));
                recipe.timeout = [recipe.timeout, limit].into_iter().flatten().min();
                run::measure_exactly
            }
        };
        measure(&self.rig, &recipe, slot).map_err(|source| self.stopped(arm, source))
    }

    /// A run under the tracer. One that it keeps from ending well was no run: once more without it.
    pub(super) fn measure_traced(
        &mut self,
        arm: usize,
        slot: Slot,
        untraced: Option<Nanos>,
    ) -> Result<Measured, Stop> {
        let traced = self.measure(arm, slot, Look::Traced { untraced });
        let why = match traced {
            Ok(traced) if traced.sample.ended.succeeded() => {
                self.bears_tracer = Some(true);
                return Ok(traced);
            }
            Ok(traced) => format!("ended with {}", words_of(&traced)),
            Err(Stop::Run { source: RunError::TimedOut { after, .. }, .. }) if untraced.is_some() => {
                format!("did not end within {:.1} s", after.as_secs_f64())
            }
            Err(stop) => return Err(stop),
        };
        self.hook("conclude", |options| options.conclude.as_ref(), arm)?;
        self.hook("prepare", |options| options.prepare.as_ref(), arm)?;
        let again = self.measure(arm, slot, Look::Heard)?;
        // What fails alone as well says nothing of the tracer.
        if again.sample.ended.succeeded() && self.bears_tracer.is_none() {
            self.bears_tracer = Some(false);
            let why = format!("under slowpath's tracer the target {why}; without it, it ends as usual");
            self.manifest.gaps.push(Gap::new("peak memory to the page", why, None));
        }
        Ok(again)
    }
}
