//! Labels and warnings: how often they are wrong, and how often they see what is there.

use stats::{Rng, Values};

use super::super::table::{Figure, Target};
use super::Desk;
use super::shape::{SPREAD, Shape};

/// A warning on one run in twenty is noise of our own; the tests here promise 1 %, so 2 % is where it is too much.
const RARELY: Target = Target::AtMost(0.02);

pub(super) fn labels(desk: &mut Desk) {
    outliers(desk);
    bimodality(desk);
    trend(desk);
    steady(desk);
    effective(desk);
}

/// Labels are counted run by run.
fn outliers(desk: &mut Desk) {
    let trials = desk.trials;
    desk.rate("ordinary run labelled, normal, 30 runs", "outliers", RARELY, trials, |seed| {
        let runs = Values::new(Shape::Normal.runs(30, &mut Rng::new(seed)))?;
        // The first run stands for all: runs of one sample are labelled together.
        Some(stats::outliers(&runs).contains(&0))
    });
    desk.rate("run 10 to 30 % slower labelled, 30 runs", "outliers", Target::AtLeast(0.95), trials, |seed| {
        let mut rng = Rng::new(seed);
        let mut runs = Shape::Contaminated.runs(29, &mut rng);
        runs.push(1.1 + 0.2 * rng.uniform());
        Some(stats::outliers(&Values::new(runs)?).contains(&29))
    });
}

fn bimodality(desk: &mut Desk) {
    let trials = desk.trials.div_ceil(4);
    for shape in [Shape::Normal, Shape::Lognormal, Shape::Contaminated, Shape::Correlated] {
        for n in [30, 100] {
            let what = format!("two groups where there is one, {n} runs, {}", shape.name());
            desk.rate(&what, "bimodality", RARELY, trials, |seed| {
                Some(stats::bimodality(&Values::new(shape.runs(n, &mut Rng::new(seed)))?, seed).is_some())
            });
        }
    }
    for n in [15, 30] {
        let what = format!("two groups 10 spreads apart seen, {n} runs");
        desk.rate(&what, "bimodality", Target::None, trials, |seed| {
            Some(
                stats::bimodality(&Values::new(Shape::Bimodal.runs(n, &mut Rng::new(seed)))?, seed).is_some(),
            )
        });
    }
}

/// As the warning asks: p below 1 %.
fn trend(desk: &mut Desk) {
    let trials = desk.trials;
    let drifts = |runs: Vec<f64>| Some(stats::trend(&Values::new(runs)?)?.p < 0.01);
    for shape in [Shape::Normal, Shape::Contaminated, Shape::Correlated] {
        let what = format!("drift where there is none, 30 runs, {}", shape.name());
        // Neighbours that depend on each other make p too small, as its documentation says: shown, not promised.
        let target = if shape == Shape::Correlated { Target::None } else { RARELY };
        desk.rate(&what, "trend", target, trials, |seed| drifts(shape.runs(30, &mut Rng::new(seed))));
    }
    desk.rate("drift of 3 spreads seen, 30 runs", "trend", Target::AtLeast(0.8), trials, |seed| {
        let runs = Shape::Normal.runs(30, &mut Rng::new(seed));
        drifts(
            runs.iter()
                .zip(0_u32..)
                .map(|(run, place)| run + 3.0 * SPREAD * f64::from(place) / 29.0)
                .collect(),
        )
    });
}

/// Warm-up ends at once on steady runs, and not while runs still get faster.
fn steady(desk: &mut Desk) {
    let trials = desk.trials;
    for shape in [Shape::Normal, Shape::Contaminated] {
        let what = format!("steady after 3 runs, {}", shape.name());
        desk.rate(&what, "steady", Target::AtLeast(0.9), trials, |seed| {
            Some(stats::steady(&shape.runs(3, &mut Rng::new(seed))))
        });
    }
    desk.rate(
        "steady while the last runs still fall by 10 %",
        "steady",
        Target::AtMost(0.05),
        trials,
        |seed| {
            let mut rng = Rng::new(seed);
            let falling = [1.6, 1.4, 1.25, 1.1].map(|level| level * (1.0 + SPREAD * rng.normal()));
            Some(stats::steady(&falling))
        },
    );
}

fn effective(desk: &mut Desk) {
    let sizes = |shape: Shape| {
        let of = |seed: u64| {
            Values::new(shape.runs(100, &mut Rng::new(seed))).map(|runs| stats::effective_n(&runs))
        };
        Values::new((0..200).filter_map(of).collect()).map_or(f64::NAN, |sizes| stats::median(&sizes))
    };
    for (shape, wanted) in [(Shape::Normal, 100.0), (Shape::Correlated, 25.0)] {
        let (what, middle) = (format!("effective n of 100 runs, {}", shape.name()), sizes(shape));
        let near = (wanted / 1.4..=wanted * 1.4).contains(&middle);
        let figure = Figure { goal: "C7", what: &what, who: "effective_n" };
        desk.table.goal(
            &figure,
            format!("{middle:.0} (median)"),
            200,
            "-",
            &format!("about {wanted:.0}"),
            near,
        );
    }
}

/// Families of a hundred questions.
pub(super) fn families(desk: &mut Desk) {
    let trials = desk.trials.div_ceil(4);
    let clean = |seed: u64| p_values(0, seed);
    desk.rate(
        "any false call, 100 questions, none real",
        "holm at 5 %",
        Target::AtMost(0.05),
        trials,
        |seed| Some(stats::holm(&clean(seed)).iter().any(|p| *p <= 0.05)),
    );
    desk.rate(
        "any false call, 100 questions, none real",
        "benjamini_hochberg at 5 %",
        Target::AtMost(0.05),
        trials,
        |seed| Some(stats::benjamini_hochberg(&clean(seed)).iter().any(|p| *p <= 0.05)),
    );
    const REAL: usize = 5;
    let (mut false_calls, mut calls, mut found) = (0, 0, 0);
    for seed in 0..u64::from(trials) {
        let adjusted = stats::benjamini_hochberg(&p_values(REAL, seed));
        let called = adjusted.iter().enumerate().filter(|(_, p)| **p <= 0.05).map(|(place, _)| place);
        for place in called {
            calls += 1;
            if place < REAL { found += 1 } else { false_calls += 1 }
        }
    }
    let figure = |what: &'static str| Figure { goal: "C7", what, who: "benjamini_hochberg at 5 %" };
    desk.table.rate(&figure("calls that are false, 5 of 100 real"), false_calls, calls, Target::AtMost(0.05));
    desk.table.rate(
        &figure("real ones found, 5 of 100"),
        found,
        REAL as u64 * u64::from(trials),
        Target::None,
    );
}

/// 100 sign-flip tests over 15 blocks each; the first `real` of them have an effect of two block spreads.
fn p_values(real: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    let question = |place: usize| {
        let effect = if place < real { 2.0 } else { 0.0 };
        let d: Vec<f64> = (0..15).map(|_| effect + rng.normal()).collect();
        Values::new(d).map_or(1.0, |d| stats::sign_flip(&d, seed).p_two_sided)
    };
    (0..100).map(question).collect()
}
