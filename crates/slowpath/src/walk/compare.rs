//! `slowpath compare`: two commands or two revisions, interleaved; stored runs are in `stored`.

use std::time::Duration;

use diagnose::compare::{Judge, PAIRS_PER_BLOCK, next};
use model::compare::{Comparable, Settings, Verdict};
use model::manifest::Kind;
use model::{Arm, Exit, Sample, Stage};

use crate::cli::{Compare, FailOn};
use crate::document::{Document, Form, conclude};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::revision::{Build, Revisions};
use crate::walk::why::settings;
use crate::walk::{count, stored};

pub(crate) fn compare(compare: &Compare) -> Result<End, Stop> {
    if let [base, new] = compare.runs.as_slice() {
        return stored::compare(compare, base, new);
    }
    // The worktrees live until the comparison is over, whatever its end.
    let revisions = compare.rev.as_ref().map(|rev| check_out(rev, compare)).transpose()?;
    let arms = match &revisions {
        Some((revisions, arm)) => with_control(revisions.arms(arm, None), compare.control),
        None => commands(compare)?,
    };
    let plan = Plan { kind: Kind::Compare, arms, settings: asked(compare)?, gaps: Vec::new(), starts: true };
    let mut sitting = Sitting::open(plan, &compare.target, &compare.show)?;
    let outcome = measure(&mut sitting).and_then(|()| count::pass(&mut sitting));
    let outcome = sitting.end(outcome);
    let document =
        conclude(&sitting.manifest, &sitting.samples, &sitting.counted, &sitting.passes, &sitting.gaps());
    show::finish(&sitting, document.as_ref(), outcome, &compare.show, Form::of(&compare.show, false))?;
    Ok(End::Exit(document.map_or(Exit::Inconclusive, |document| exit(&document, &compare.fail_on))))
}

/// Both revisions, and the command that runs in them.
fn check_out(range: &str, compare: &Compare) -> Result<(Revisions, Arm), Stop> {
    if compare.argv.is_empty() {
        return Err(Stop::usage(
            "there is no command to run in the revisions",
            "`slowpath compare --rev BASE..HEAD --build 'make' -- ./prog 1`",
        ));
    }
    if compare.target.cwd.is_some() {
        return Err(Stop::usage(
            "`--cwd` and `--rev` contradict each other",
            "go to the folder of the repository where the command belongs",
        ));
    }
    let written = Written::spelled(&compare.argv, compare.target.shell);
    let Some(arm) = request::arms(&[written], &[], &[], &compare.target)?.into_iter().next() else {
        return Err(Stop::Defect { what: "one command makes one arm".to_owned() });
    };
    let build = Build { text: compare.build.as_deref(), arm: &arm, at: None, quiet: compare.show.quiet };
    Ok((Revisions::check_out(range, &build)?, arm))
}

/// Base, new, and the base once more as control.
fn commands(compare: &Compare) -> Result<Vec<Arm>, Stop> {
    let [base, new] = compare.commands.as_slice() else {
        return Err(Stop::usage(
            "a comparison needs two sides",
            "`slowpath compare './old 1' './new 1'`, `--rev BASE..HEAD -- CMD`, or `--runs RUN_A RUN_B`",
        ));
    };
    if !compare.argv.is_empty() {
        return Err(Stop::usage(
            "two quoted commands and a command after `--` contradict each other",
            "a command after `--` belongs to `--rev`",
        ));
    }
    let shell = compare.target.shell;
    let written = [Written::quoted(base, shell)?, Written::quoted(new, shell)?];
    let arms = request::arms(&written, &[], &[], &compare.target)?;
    Ok(with_control(arms, compare.control))
}

/// Adds the first arm again as the control.
fn with_control(mut arms: Vec<Arm>, control: bool) -> Vec<Arm> {
    if let (true, Some(base)) = (control, arms.first().cloned()) {
        arms.push(Arm { label: format!("{} (control)", base.label), ..base });
    }
    arms
}

fn asked(compare: &Compare) -> Result<Settings, Stop> {
    Ok(Settings {
        margin: compare.margin.0,
        pairs: Some(compare.pairs),
        control: compare.control,
        count: compare.count.count,
        startup: count::startup(&compare.count, &compare.target)?,
        ..settings(&compare.target, None, 0.0, 0.0)
    })
}

/// How much of the pairs' time warm-up may take, in the absence of a budget.
const WARM_UP_BUDGET: Duration = Duration::from_secs(10);

/// Blocks until every metric is decided or the pairs are used up; a difference is repeated on fresh blocks.
pub(crate) fn measure(sitting: &mut Sitting<'_>) -> Result<(), Stop> {
    measure_until(sitting, next)
}

/// Blocks for as long as `next` asks for more.
pub(crate) fn measure_until(
    sitting: &mut Sitting<'_>,
    next: fn(&[Sample], &Judge) -> Option<usize>,
) -> Result<(), Stop> {
    sitting.begin(WARM_UP_BUDGET)?;
    let judge = Judge::of(&sitting.manifest.settings, sitting.manifest.seed);
    let most = judge.max_blocks + stats::confirm_blocks(judge.max_blocks);
    let orders = stats::balanced_order(sitting.arms(), most, judge.seed);
    let mut done = 0;
    while let Some(until) = next(&sitting.samples, &judge) {
        // Blocks that yield no ratio (a metric of zero) must not be asked for again and again.
        if until <= done {
            break;
        }
        for (block, order) in orders.iter().enumerate().take(until).skip(done) {
            draw(sitting, block, until);
            sitting.block(block, order, Stage::Measure)?;
        }
        done = until;
    }
    Ok(())
}

fn draw(sitting: &mut Sitting<'_>, block: usize, until: usize) {
    let pairs = PAIRS_PER_BLOCK as usize;
    #[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
    let share = block as f64 / until as f64;
    let words = format!("pair {} of {} before the next look", block * pairs + 1, until * pairs);
    sitting.progress.draw(&words, Some(share));
}

/// The exit status a comparison ends with.
pub(crate) fn exit(document: &Document, fail_on: &[FailOn]) -> Exit {
    let Document::Compare(compare) = document else { return Exit::Answered };
    let broken = fail_on.iter().any(|fail| {
        compare.verdict
            == match fail {
                FailOn::Worse => Verdict::Worse,
                FailOn::Better => Verdict::Better,
                FailOn::NoChange => Verdict::NoChange,
                FailOn::Inconclusive => Verdict::Inconclusive,
            }
    });
    if compare.comparable == Comparable::Not {
        Exit::NotComparable
    } else if broken {
        Exit::GateBroken
    } else if compare.verdict == Verdict::Inconclusive {
        Exit::Inconclusive
    } else {
        Exit::Answered
    }
}
