//! `slowpath bench`.

use std::time::Duration;

use model::compare::Settings;
use model::manifest::Kind;
use model::{Exit, Stage};

use crate::cli::Bench;
use crate::document::{Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::why::settings;
use crate::walk::{count, suite};

/// Runs before precision alone may stop: fewer say little of the spread.
const LEAST_FOR_PRECISION: u32 = 10;

/// Runs that give the median an interval; with fewer there is none at 95 %.
const LEAST: u32 = 6;

/// Runs of a command of which more would take longer than the budget.
const LEAST_OF_LONG: u32 = 3;

/// The most runs of one command, whatever the budget: a precision that 10,000 runs do not reach is out of reach.
const MOST: u32 = 10_000;

pub(crate) fn bench(bench: &Bench) -> Result<End, Stop> {
    let commands = commands(bench)?;
    let arms = request::arms(&commands, &bench.param, &bench.name, &bench.target)?;
    let startup = count::startup(&bench.count, &bench.target)?;
    let plan = Plan {
        kind: Kind::Bench,
        arms,
        settings: Settings {
            count: bench.count.count,
            startup,
            ..settings(&bench.target, bench.runs, bench.precision.0, bench.budget.as_secs_f64())
        },
        gaps: Vec::new(),
        starts: true,
    };
    let mut sitting = Sitting::open(plan, &bench.target, &bench.show)?;
    let stopping = Stopping {
        runs: bench.runs,
        budget: bench.budget,
        precision: bench.precision.0,
        least: LEAST_FOR_PRECISION,
    };
    let outcome = match suite::of_bench(bench, &sitting) {
        Some(suite) => suite::time(&mut sitting, suite, bench.runs),
        None => measure(&mut sitting, &stopping).and_then(|()| count::pass(&mut sitting)),
    };
    let outcome = sitting.end(outcome);
    let mut document =
        conclude(&sitting.manifest, &sitting.samples, &sitting.counted, &sitting.passes, &sitting.gaps());
    if let Some(document) = &mut document {
        suite::add(document, sitting.folder().path());
    }
    show::finish(&sitting, document.as_ref(), outcome, &bench.show, Form::of(&bench.show, bench.csv))?;
    Ok(End::Exit(Exit::Answered))
}

fn commands(bench: &Bench) -> Result<Vec<Written>, Stop> {
    let shell = bench.target.shell;
    let quoted = bench.commands.iter().map(|command| Written::quoted(command, shell));
    let spelled = (!bench.argv.is_empty()).then(|| Ok(Written::spelled(&bench.argv, shell)));
    let all: Vec<Written> = quoted.chain(spelled).collect::<Result<_, _>>()?;
    if all.is_empty() {
        return Err(Stop::usage(
            "there is no command to measure",
            "`slowpath bench -- sort big.txt`, or several: `slowpath bench 'sort a' 'sort -n a'`",
        ));
    }
    Ok(all)
}

/// When enough was measured.
pub(crate) struct Stopping {
    pub(crate) runs: Option<u32>,
    /// For each command.
    pub(crate) budget: Duration,
    pub(crate) precision: f64,
    /// Runs before precision alone may stop.
    pub(crate) least: u32,
}

/// Runs all arms in balanced blocks until enough was measured.
pub(crate) fn measure(sitting: &mut Sitting<'_>, stopping: &Stopping) -> Result<(), Stop> {
    sitting.begin(stopping.budget)?;
    let budget = stopping.budget * u32::try_from(sitting.arms()).unwrap_or(u32::MAX);
    let mut runs = 0;
    let mut block = 0;
    // Orders are drawn in batches; how many blocks it takes is not known before.
    loop {
        let seed = sitting.manifest.seed.wrapping_add(block as u64);
        for order in stats::balanced_order(sitting.arms(), 16, seed) {
            if enough(sitting, stopping, runs, budget) {
                return Ok(());
            }
            // With an odd number of runs the last block is cut at its half: every arm once.
            let half = match stopping.runs {
                Some(wanted) => wanted == runs + 1,
                None => runs + 1 == LEAST_OF_LONG && is_long(sitting, stopping),
            };
            let order = if half { order.get(..sitting.arms()).unwrap_or(&order) } else { &order };
            draw(sitting, stopping, runs, budget);
            sitting.block(block, order, Stage::Measure)?;
            runs += if half { 1 } else { 2 };
            block += 1;
        }
    }
}

fn enough(sitting: &Sitting<'_>, stopping: &Stopping, runs: u32, budget: Duration) -> bool {
    if let Some(wanted) = stopping.runs {
        return runs >= wanted;
    }
    let longest = sitting.samples.iter().map(|sample| sample.wall).max().unwrap_or_default();
    let longest = longest.as_secs_f64();
    let floor = if is_long(sitting, stopping) { LEAST_OF_LONG } else { LEAST };
    // A block is every command twice; one that would end after the budget is not begun.
    let block = Duration::from_secs_f64(longest * 2.0) * u32::try_from(sitting.arms()).unwrap_or(u32::MAX);
    let precise = || diagnose::bench::precise_enough(&sitting.samples, sitting.arms(), stopping.precision);
    runs >= MOST
        || (runs >= floor && sitting.elapsed() + block > budget)
        || (runs >= stopping.least && precise())
}

/// Six runs, which an interval needs, are worth this much whatever the budget.
const SIX: f64 = 2.5;

/// Six runs of the longest command would take longer than they are worth.
fn is_long(sitting: &Sitting<'_>, stopping: &Stopping) -> bool {
    let longest = sitting.samples.iter().map(|sample| sample.wall).max().unwrap_or_default();
    longest.as_secs_f64() * f64::from(LEAST) > stopping.budget.as_secs_f64().max(SIX)
}

fn draw(sitting: &mut Sitting<'_>, stopping: &Stopping, runs: u32, budget: Duration) {
    let (words, share) = match stopping.runs {
        Some(wanted) => (format!("run {} of {wanted}", runs + 1), f64::from(runs) / f64::from(wanted)),
        None => (format!("run {}", runs + 1), sitting.elapsed().as_secs_f64() / budget.as_secs_f64()),
    };
    let last = sitting.samples.last().map(|sample| sample.wall.as_secs_f64());
    let last = last.map(|wall| format!(" · last {wall:.3} s")).unwrap_or_default();
    let label = if sitting.arms() == 1 { sitting.label(0) } else { format!("{} commands", sitting.arms()) };
    sitting.progress.draw(&format!("{label}: {words}{last}"), Some(share));
}
