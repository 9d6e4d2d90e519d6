//! Simulators side by side. Nothing is timed meanwhile, and what they count does not depend on who else runs.
//!
//! Two copies of a target may still get in each other's way, at a port or a file. One that then ends in another way than it
//! should is run again, alone.

use std::sync::mpsc;

use model::Metric;

use super::Tour;
use super::instrument::{Job, Outcome, Ran};
use crate::stop::Stop;

/// The most at once: a few are enough to be done soon, and leave the machine to its user.
const MOST: usize = 4;

/// Memory of a simulator beside its target's own, which it holds about twice.
const OWN_BYTES: f64 = 256e6;

/// The share of the machine's memory that all of them may take.
const SHARE: f64 = 0.5;

impl Tour<'_, '_> {
    /// Runs all jobs, several at once where that can do no harm. `None` for each that cannot count; why is then among the gaps.
    pub(super) fn run_all(&mut self, jobs: &[Job<'_>]) -> Result<Vec<Option<Ran>>, Stop> {
        let lanes = self.lanes(jobs);
        if lanes < 2 {
            return jobs.iter().map(|job| self.run(job.arm, job.instrument)).collect();
        }
        self.announce(jobs, lanes);
        let outcomes = self.side_by_side(jobs, lanes)?;
        let unreadable = outcomes.iter().find_map(|outcome| match outcome {
            Outcome::Unreadable(_, image) => Some(image.clone()),
            _ => None,
        });
        if unreadable.is_some_and(|image| self.strip(image.as_deref())) {
            return self.run_all(jobs);
        }
        let mut all = Vec::new();
        for (job, outcome) in jobs.iter().zip(outcomes) {
            all.push(match outcome {
                Outcome::Failed(_) => self.run(job.arm, job.instrument)?,
                other => self.kept(other),
            });
        }
        Ok(all)
    }

    /// How many may run at once.
    fn lanes(&self, jobs: &[Job<'_>]) -> usize {
        if self.sitting.has_hooks() {
            return 1;
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let most = jobs.len().min(processors).min(MOST);
        let largest = jobs.iter().filter_map(|job| self.median(job.arm, Metric::Rss)).fold(0.0, f64::max);
        #[expect(clippy::cast_precision_loss, reason = "memory and a few lanes")]
        let fits = |lanes: usize| {
            let memory = self.sitting.manifest.fingerprint.machine.memory_bytes;
            memory.is_none_or(|bytes| lanes as f64 * (2.0 * largest + OWN_BYTES) < SHARE * bytes as f64)
        };
        (2..=most).rev().find(|lanes| fits(*lanes)).unwrap_or(1)
    }

    fn announce(&mut self, jobs: &[Job<'_>], lanes: usize) {
        let seconds: f64 = jobs.iter().map(|job| self.expected(*job, self.slower)).sum();
        let longest = jobs.iter().map(|job| self.expected(*job, self.slower)).fold(0.0, f64::max);
        let slower = jobs.iter().map(|job| job.instrument.slower).fold(0.0, f64::max);
        #[expect(clippy::cast_precision_loss, reason = "a few lanes")]
        let seconds = (seconds / lanes as f64).max(longest);
        let words = format!("{} simulated runs, up to {slower:.0} times slower", jobs.len());
        self.sitting.progress.dear(&words, seconds);
    }

    /// The outcomes in the order of the jobs.
    fn side_by_side(&self, jobs: &[Job<'_>], lanes: usize) -> Result<Vec<Outcome>, Stop> {
        let mut waiting: Vec<usize> = (0..jobs.len()).collect();
        let expected = |at: &usize| jobs.get(*at).map_or(0.0, |job| self.expected(*job, self.slower));
        let left = self.deadline.saturating_duration_since(std::time::Instant::now()).as_secs_f64();
        if waiting.iter().map(expected).sum::<f64>() < left {
            // The longest first, so that no lane is left with it at the end. Where time is short, the first are the dearest.
            waiting.sort_by(|a, b| expected(b).total_cmp(&expected(a)));
        }
        let mut waiting = waiting.into_iter();
        let mut outcomes: Vec<(usize, Outcome)> = Vec::new();
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| -> Result<(), Stop> {
            let mut running = 0;
            loop {
                while running < lanes
                    && let Some(at) = waiting.next()
                {
                    let Some(job) = jobs.get(at).copied() else { continue };
                    match self.planned(job, self.slower)? {
                        Err(gap) => outcomes.push((at, Outcome::Gap(gap))),
                        Ok(planned) => {
                            let (sender, rig) = (sender.clone(), &self.sitting.rig);
                            scope.spawn(move || {
                                let measured = run::measure(rig, &planned.recipe, planned.slot);
                                // Nobody listens any more when another run was interrupted.
                                let _ = sender.send((at, planned, measured));
                            });
                            running += 1;
                        }
                    }
                }
                if running == 0 {
                    return Ok(());
                }
                let Ok((at, planned, measured)) = receiver.recv() else { return Ok(()) };
                running -= 1;
                let Some(job) = jobs.get(at).copied() else { continue };
                outcomes.push((at, self.outcome(job, planned, measured)?));
            }
        })?;
        outcomes.sort_by_key(|(at, _)| *at);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
}
