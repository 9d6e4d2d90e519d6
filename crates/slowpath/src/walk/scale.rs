//! `slowpath scale`: one command at several sizes, timed in turns, then counted; or a suite, once, at the sizes in its names.

pub(in crate::walk) mod climb;
pub(in crate::walk) mod functions;

use std::collections::BTreeSet;
use std::time::Duration;

use model::compare::Settings;
use model::manifest::{Kind, Pass};
use model::scale::{Asked, GateVerdict, PARAMETER, PLOT};
use model::{Exit, Gap, Stage};
use run::RunError;

use tools::suite::Suite;

use crate::cli::parse::Parameter;
use crate::cli::scale::Scale;
use crate::document::{Document, Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::count::{Counter, SLOWDOWN, ended_after, passed_by, pinned};
use crate::walk::why::settings;
use crate::walk::{stored, suite};
use climb::Step;

/// Timed runs of each size when nobody says how many.
const RUNS: u32 = 8;

/// The share of the limit at which timing ends; counting has the rest.
const TIMING_ENDS: f64 = 0.45;

pub(crate) fn scale(asked: &Scale) -> Result<End, Stop> {
    let written = Written::spelled(&asked.argv, asked.target.shell);
    let suite = suite::of_scale(asked);
    let parameters = if suite.is_some() { Vec::new() } else { vec![sizes(asked)?] };
    let arms = request::arms(std::slice::from_ref(&written), &parameters, &[], &asked.target)
        .map_err(|stop| missing(stop, asked))?;
    let plan = Plan {
        kind: Kind::Scale,
        arms,
        settings: Settings {
            count: suite.is_none() && !asked.no_count,
            scale: Some(Asked {
                // Quotes around the braces would only be noise: they are replaced before anything runs.
                command: written.label().replace("'{SIZE}'", "{SIZE}"),
                expected: asked.expected,
                predict: asked.predict.as_ref().map(|sizes| sizes.0.clone()).unwrap_or_default(),
            }),
            ..settings(&asked.target, asked.runs, 0.0, asked.limit.as_secs_f64())
        },
        gaps: Vec::new(),
        starts: true,
    };
    let mut sitting = Sitting::open(plan, &asked.target, &asked.show)?;
    let outcome = match suite {
        Some(suite) => suite::grow(&mut sitting, suite),
        None => measure(&mut sitting, asked, &written),
    };
    let outcome = sitting.end(outcome);
    let mut document =
        conclude(&sitting.manifest, &sitting.samples, &sitting.counted, &sitting.passes, &sitting.gaps())
            .or_else(|| suite::growth(&sitting.manifest, &sitting.gaps(), sitting.folder().path()));
    if let Some(document) = &mut document {
        stored::add_kept(document, sitting.folder().path());
    }
    if let Some(Document::Scale(scale)) = &document {
        sitting.put(PLOT, report::scale_svg(scale).as_bytes())?;
    }
    show::finish(&sitting, document.as_ref(), outcome, &asked.show, Form::of(&asked.show, false))?;
    match document {
        Some(Document::Scale(scale)) => Ok(End::Exit(exit(Some(&scale)))),
        Some(_) => Ok(End::Exit(Exit::Answered)),
        None => Err(too_few(0, asked)),
    }
}

fn sizes(asked: &Scale) -> Result<Parameter, Stop> {
    let values = first_sizes(asked)?.iter().map(u64::to_string).collect();
    Ok(Parameter { name: PARAMETER.to_owned(), values })
}

/// The sizes the user named, or the smallest to begin with.
fn first_sizes(asked: &Scale) -> Result<Vec<u64>, Stop> {
    let Some(sizes) = &asked.sizes else { return Ok(vec![climb::SMALLEST]) };
    let sizes: BTreeSet<u64> = sizes.0.iter().copied().collect();
    if sizes.len() < stats::LEAST_SIZES {
        return Err(Stop::Usage {
            what: format!("growth needs at least {} different sizes", stats::LEAST_SIZES),
            why: Some(format!("`--sizes` names {}", sizes.len())),
            next: "`--sizes 1k,2k,4k,8k,16k`, or leave `--sizes` out".to_owned(),
        });
    }
    Ok(sizes.into_iter().collect())
}

/// The command has no place for the size: the likeliest mistake gets its own words.
fn missing(stop: Stop, asked: &Scale) -> Stop {
    let program = asked.argv.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    match stop {
        Stop::Usage { .. } if Suite::of(&asked.argv).is_some() => Stop::Usage {
            what: "the command has no place for the size, and is a suite of benchmarks".to_owned(),
            why: Some("a suite has sizes of its own, in the names of its benchmarks".to_owned()),
            next: format!("leave `--sizes` out: `slowpath scale -- {program} …`"),
        },
        Stop::Usage { .. } => Stop::Usage {
            what: "the command has no place for the size".to_owned(),
            why: Some("`{SIZE}` does not occur in it".to_owned()),
            next: format!("write `{{SIZE}}` where the size belongs: `slowpath scale -- {program} {{SIZE}}`"),
        },
        other => other,
    }
}

fn too_few(done: usize, asked: &Scale) -> Stop {
    Stop::Nothing {
        why: format!("{done} sizes gave a cost, and growth needs {}", stats::LEAST_SIZES),
        next: format!("smaller sizes, or a longer `--limit` than {} s", asked.limit.as_secs_f64()),
    }
}

fn measure(sitting: &mut Sitting<'_>, asked: &Scale, written: &Written) -> Result<(), Stop> {
    let steps = match &asked.sizes {
        Some(_) => climb::given(sitting, asked)?,
        None => climb::chosen(sitting, asked, written)?,
    };
    if steps.len() < stats::LEAST_SIZES {
        return Err(too_few(steps.len(), asked));
    }
    time(sitting, asked, &steps)?;
    count(sitting, asked, &steps)
}

/// All sizes in turns, in random order and back, as often as the limit allows.
fn time(sitting: &mut Sitting<'_>, asked: &Scale, steps: &[Step]) -> Result<(), Stop> {
    let once: f64 = steps.iter().map(|step| step.wall).sum();
    let wanted = asked.runs.unwrap_or(RUNS);
    let orders = stats::balanced_order(
        steps.len(),
        usize::try_from(wanted.div_ceil(2)).unwrap_or(1),
        sitting.manifest.seed,
    );
    let mut runs = 0;
    for (block, order) in orders.iter().enumerate() {
        for half in order.chunks(steps.len()) {
            let arms: Vec<usize> = half.iter().filter_map(|at| steps.get(*at)).map(|step| step.arm).collect();
            let late = sitting.elapsed().as_secs_f64() + once > TIMING_ENDS * asked.limit.as_secs_f64();
            if runs >= wanted || (runs > 0 && late && asked.runs.is_none()) {
                return Ok(());
            }
            let words = format!("{} sizes: run {} of up to {wanted}", steps.len(), runs + 1);
            sitting.progress.draw(&words, Some(f64::from(runs) / f64::from(wanted)));
            sitting.block(block, &arms, Stage::Measure)?;
            runs += 1;
        }
    }
    Ok(())
}

/// A size whose shortest run took less than this times the smallest one's is start-up alone.
const SHOWS: f64 = 1.2;

/// The smallest size and those in which more than start-up shows, where there are enough of them.
fn worth_counting(steps: &[Step]) -> Vec<Step> {
    let Some(first) = steps.first() else { return Vec::new() };
    let grown = steps.iter().skip(1).filter(|step| step.wall > SHOWS * first.wall);
    let chosen: Vec<Step> = std::iter::once(first).chain(grown).copied().collect();
    if chosen.len() > stats::LEAST_SIZES { chosen } else { steps.to_vec() }
}

/// Counts each size once, the smallest first, while the limit allows: a count repeats to within a few instructions.
fn count(sitting: &mut Sitting<'_>, asked: &Scale, steps: &[Step]) -> Result<(), Stop> {
    if asked.no_count {
        return Ok(());
    }
    let mut counter = match Counter::find(sitting) {
        Ok(counter) => counter,
        Err(gap) => {
            sitting.manifest.gaps.push(gap);
            return Ok(());
        }
    };
    let passed_by = sitting.recipes.first().and_then(passed_by);
    sitting.manifest.gaps.extend(passed_by);
    let recipes: Vec<_> = steps.iter().filter_map(|step| sitting.recipes.get(step.arm)).map(pinned).collect();
    if let Some(gap) = counter.foreseen(sitting, &recipes) {
        sitting.manifest.gaps.push(gap);
        return Ok(());
    }
    let steps: Vec<Step> = steps.iter().map(|step| Step { wall: fastest(sitting, step), ..*step }).collect();
    let steps = &worth_counting(&steps);
    let mut slowdown = if matches!(counter, Counter::Pmu) { 1.0 } else { SLOWDOWN };
    announce(sitting, &counter, steps, slowdown);
    for step in steps {
        let expected = step.wall * slowdown;
        let left = asked.limit.as_secs_f64() - sitting.elapsed().as_secs_f64();
        let enough = sitting.counted.len() >= stats::LEAST_SIZES;
        if expected > left && (enough || expected > 2.0 * asked.limit.as_secs_f64()) {
            let why = format!(
                "counting size {} would take about {expected:.0} s, more than the limit leaves",
                step.size
            );
            let longer = Duration::from_secs_f64(asked.limit.as_secs_f64() + expected * 3.0);
            let next = format!("--limit {}s", longer.as_secs());
            sitting.manifest.gaps.push(Gap::new("instruction counts of the largest sizes", why, Some(&next)));
            break;
        }
        let words = format!("counting instructions with {}: size {}", counter.name(), step.size);
        sitting.progress.draw(&words, None);
        let Some(recipe) = sitting.recipes.get(step.arm).map(pinned) else { continue };
        let allowed = if enough { left } else { left + asked.limit.as_secs_f64() };
        let counted = match counter.count(sitting, step.arm, 0, &ended_after(recipe, allowed)) {
            Err(Stop::Run { source: RunError::TimedOut { after, .. }, .. }) => Err(Gap::new(
                "instruction counts",
                format!("counting size {} was ended after {:.0} s", step.size, after.as_secs_f64()),
                Some(&format!("--limit {}s", asked.limit.as_secs() * 4)),
            )),
            other => other?,
        };
        match counted {
            Ok(counted) => {
                if step.wall > 0.0 {
                    slowdown = (counted.wall.as_secs_f64() / step.wall).max(1.0);
                }
                sitting.counted(counted)?;
            }
            Err(gap) => {
                sitting.manifest.gaps.push(gap);
                break;
            }
        }
    }
    let runs = u32::try_from(sitting.counted.len()).unwrap_or(u32::MAX);
    if runs > 0 {
        let pass = "count".to_owned();
        sitting.manifest.passes.push(Pass {
            pass,
            instrument: counter.name().to_owned(),
            runs,
            ratio: Some(slowdown),
        });
    }
    if asked.no_functions { Ok(()) } else { functions::pass(sitting, asked, &counter, steps) }
}

/// What counting will cost, told before it begins.
fn announce(sitting: &mut Sitting<'_>, counter: &Counter, steps: &[Step], slowdown: f64) {
    let seconds = slowdown * steps.iter().map(|step| step.wall).sum::<f64>();
    let counting = format!("counting {} sizes with {}", steps.len(), counter.name());
    match counter {
        Counter::Pmu => sitting.progress.pass(&counting, Some(seconds)),
        Counter::Cachegrind { .. } => {
            sitting.progress.dear(&format!("{counting}, about {slowdown:.0} times slower"), seconds);
        }
    }
}

/// The shortest run of a size: a first run may have been held up.
fn fastest(sitting: &Sitting<'_>, step: &Step) -> f64 {
    let own = sitting.samples.iter().filter(|sample| usize::try_from(sample.arm) == Ok(step.arm));
    own.map(|sample| sample.wall.as_secs_f64()).fold(step.wall, f64::min)
}

/// A gate that the user set decides; without one the growth is an answer like any other.
pub(crate) fn exit(scale: Option<&model::scale::Scale>) -> Exit {
    match scale.and_then(|scale| scale.gate).map(|gate| gate.verdict) {
        Some(GateVerdict::Broken) => Exit::GateBroken,
        Some(GateVerdict::Inconclusive) => Exit::Inconclusive,
        Some(GateVerdict::Holds) | None => Exit::Answered,
    }
}
