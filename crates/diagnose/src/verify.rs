//! An old and a new program, measured in turns → did the change do what the finding promised?
//!
//! Refuted comes first: tests that fail, a program that does something else, a metric that pays for the gain. Then the
//! metric that the finding named decides. The bound is a share of wall time, so it holds on another machine too.

mod standing;

use model::answer::{Answer, Finding, Hypothesis, State};
use model::bench::Warning;
use model::compare::{Comparable, MetricVerdict, Verdict};
use model::manifest::Manifest;
use model::passes::Passes;
use model::profile::Place;
use model::sample::Counted;
use model::standing::{Standing, Stands};
use model::verify::{
    After, Asked, Behaviour, Bound, Outcome, Prediction, Remains, SCHEMA, Saving, Tests, Verify,
};
use model::{Ended, Gap, Metric, Sample};
use stats::Step;

use crate::blocks::log_ratios;
use crate::cause::place_words;
use crate::compare::{Judge, compare};
use crate::pool::Pool;
use crate::score::{Inputs, scorecard};

use standing::{Evidence, standings};

/// The arm that holds the new program.
pub const NEW: u32 = 1;

/// Causes whose price is memory, not time.
const MEMORY: [&str; 3] = ["memory-growth", "memory-leak", "swap"];

/// Classes whose price is time on a CPU; all others are waits, or the shape of the program, which wall time shows.
const COMPUTING: [&str; 3] = ["CPU", "Cache", "Memory"];

/// The metric on which a finding's promise is judged. Counts are exact, so they speak for CPU time where there are any.
#[must_use]
pub fn metric_of(finding: &Finding, counted: bool) -> Metric {
    if MEMORY.contains(&finding.cause.as_str()) {
        Metric::Rss
    } else if !COMPUTING.contains(&finding.class.as_str()) {
        Metric::Wall
    } else if counted {
        Metric::Instructions
    } else {
        Metric::Cpu
    }
}

/// How many blocks to have before asking again; `None` when every metric is decided or past its last look. Unlike a
/// comparison it does not end at the first proven metric: harm in another one must have had its chance to show.
#[must_use]
pub fn next(samples: &[Sample], judge: &Judge) -> Option<usize> {
    let (base, new) = Pool::pair(samples, 0, NEW);
    let steps =
        Metric::JUDGED.iter().map(|metric| judge.step(*metric, &base, &log_ratios(&base, &new, *metric)));
    let wanted = steps.filter_map(|step| match step {
        Step::Measure { blocks } => Some(blocks),
        Step::Stop { .. } => None,
    });
    wanted.max()
}

/// Concludes a run of `verify`.
#[must_use]
pub fn verify(
    manifest: &Manifest,
    samples: &[Sample],
    counted: &[Counted],
    passes: &Passes,
    asked: &Asked,
    gaps: &[Gap],
) -> Verify {
    let compared = compare(manifest, samples, counted, (Comparable::Fully, Vec::new()), gaps);
    let Prediction { finding, metric, .. } = &asked.prediction;
    let harms: Vec<Metric> = compared
        .metrics
        .iter()
        .filter(|judged| judged.metric != *metric && harmed(judged, compared.margin))
        .filter(|judged| !asked.allowed.contains(&judged.metric))
        .map(|judged| judged.metric)
        .collect();
    let decisive = compared.metrics.iter().find(|judged| judged.metric == *metric);
    let wall = compared.metrics.iter().find(|judged| judged.metric == Metric::Wall);
    let (answer, dimensions) = new_program(manifest, samples, passes, asked, &compared.metrics);
    let after = after(finding, &answer);
    let facts = Facts {
        asked,
        decisive,
        harms: &harms,
        dimensions: &dimensions,
        metrics: &compared.metrics,
        margin: compared.margin,
    };
    let (verdict, reason) = outcome(&facts);
    Verify {
        schema: SCHEMA.to_owned(),
        run: manifest.id.clone(),
        seed: manifest.seed,
        verdict,
        summary: format!("{}: {reason}", verdict.word()),
        prediction: asked.prediction.clone(),
        saving: wall.map(|wall| saving(wall, finding, crowded(asked))),
        base: compared.base,
        new: compared.new,
        warnings: warnings(&compared.metrics, asked, compared.margin)
            .into_iter()
            .chain(dimensions.iter().filter_map(|standing| tolerated_tier(standing, asked)))
            .chain(compared.warnings)
            .collect(),
        metrics: compared.metrics,
        harms,
        dimensions,
        tests: asked.tests.clone(),
        behaviour: asked.behaviour.clone(),
        after,
        margin: compared.margin,
        gaps: compared.gaps,
    }
}

fn harmed(judged: &MetricVerdict, margin: f64) -> bool {
    judged.verdict == Verdict::Worse && judged.ratio.value > 1.0 + margin
}

struct Facts<'a> {
    asked: &'a Asked,
    decisive: Option<&'a MetricVerdict>,
    harms: &'a [Metric],
    dimensions: &'a [Standing],
    metrics: &'a [MetricVerdict],
    margin: f64,
}

impl Facts<'_> {
    /// The first thing that got worse, by name and by how much.
    fn harm(&self) -> Option<(&str, String)> {
        let metric = self.metrics.iter().find(|judged| self.harms.contains(&judged.metric));
        let dimension = self.dimensions.iter().find(|standing| {
            standing.stands == Stands::Worse && !self.asked.allowed_dimensions.contains(&standing.dimension)
        });
        metric
            .map(|judged| (judged.metric.name(), change(judged)))
            .or_else(|| dimension.map(|standing| (standing.dimension.as_str(), tiers(standing))))
    }
}

fn tiers(standing: &Standing) -> String {
    format!("{} → {}: {}", standing.before.word(), standing.now.word(), standing.because)
}

fn outcome(facts: &Facts<'_>) -> (Outcome, String) {
    if let Some(Tests { command, ended }) =
        facts.asked.tests.as_ref().filter(|tests| !tests.ended.succeeded())
    {
        return (Outcome::Refuted, format!("the tests fail: `{command}` ended with {}", ended_words(*ended)));
    }
    match &facts.asked.behaviour {
        Behaviour::EndsDifferently { base, new } => {
            let (new, base) = (ended_words(*new), ended_words(*base));
            return (Outcome::Refuted, format!("the new program ends with {new}, the old one with {base}"));
        }
        Behaviour::OutputDiffers { .. } => {
            let text = "the new program prints something else, and the old one repeats itself".to_owned();
            return (Outcome::Refuted, text);
        }
        Behaviour::Same | Behaviour::Unsteady | Behaviour::Unchecked { .. } => {}
    }
    let metric = facts.asked.prediction.metric.name();
    let Some(decisive) = facts.decisive else {
        return (Outcome::Undecided, format!("{metric} was not measured in both programs"));
    };
    let change = change(decisive);
    match (decisive.verdict, facts.harm()) {
        (Verdict::Better, Some((name, harm))) => {
            (Outcome::Refuted, format!("helps {metric} ({change}) but harms {name} ({harm})"))
        }
        (Verdict::Worse, _) => (Outcome::Refuted, format!("{metric} is worse: {change}")),
        (_, Some((name, harm))) => (Outcome::Refuted, format!("{name} is worse: {harm}")),
        (Verdict::Better, None) => {
            (Outcome::Accepted, format!("{metric} changed by {change}{}", pairs(decisive)))
        }
        (Verdict::NoChange, None) => (
            Outcome::Refuted,
            format!("no change larger than {:.3} % in {metric}: {change}", facts.margin * 100.0),
        ),
        (Verdict::Inconclusive, None) => (Outcome::Undecided, undecided(decisive, &change)),
    }
}

fn undecided(decisive: &MetricVerdict, change: &str) -> String {
    let metric = decisive.metric.name();
    match (decisive.needed, decisive.needed_s) {
        (Some(pairs), Some(seconds)) => {
            format!("{metric} changed by {change}; about {pairs} more pairs, {seconds:.0} s, would decide")
        }
        _ => format!("{metric} changed by {change}, and no number of pairs is known to decide"),
    }
}

fn pairs(judged: &MetricVerdict) -> String {
    match judged.confirmed {
        Some(true) => format!(", {} pairs, repeated on fresh ones", judged.pairs),
        _ => format!(", counted by {}", judged.source),
    }
}

fn change(judged: &MetricVerdict) -> String {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let value = percent(judged.ratio.value);
    match (judged.ratio.low, judged.ratio.high) {
        (Some(low), Some(high)) => format!("{value:+.1} % ({:+.1} to {:+.1} %)", percent(low), percent(high)),
        _ => format!("{value:+.1} %"),
    }
}

fn ended_words(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("exit status {code}"),
        Ended::Signal(signal) => format!("signal {signal}"),
    }
}

/// From this share on, waiting for a CPU that others hold makes every other share of wall time too small.
const CROWDED: f64 = 0.1;

/// The share of the earlier run's wall time in which others held the CPUs, where that is worth a word.
fn crowded(asked: &Asked) -> Option<f64> {
    asked.before.as_ref()?.crowded.filter(|share| (CROWDED..1.0).contains(share))
}

/// What was saved of wall time, and where that lies against the bound. Work that is gone no longer waits for a CPU
/// either, so on a crowded machine the bound is a share of what is left without that.
fn saving(wall: &MetricVerdict, finding: &Finding, crowded: Option<f64>) -> Saving {
    let (low, high) = (wall.ratio.high.map(|high| 1.0 - high), wall.ratio.low.map(|low| 1.0 - low));
    let bounded = |share: f64| (share / (1.0 - crowded.unwrap_or(0.0))).min(1.0);
    let most = bounded(finding.share.most());
    let bound = if wall.verdict != Verdict::Better {
        Bound::NotReached
    } else if low.is_some_and(|low| low > most) {
        Bound::Beyond
    } else {
        Bound::Within
    };
    Saving {
        share: 1.0 - wall.ratio.value,
        low,
        high,
        bound_low: bounded(finding.share.least()),
        bound_high: most,
        bound,
    }
}

fn warnings(metrics: &[MetricVerdict], asked: &Asked, margin: f64) -> Vec<Warning> {
    let tolerated = |judged: &&MetricVerdict| {
        judged.verdict == Verdict::Worse
            && (!harmed(judged, margin) || asked.allowed.contains(&judged.metric))
    };
    let small = metrics.iter().filter(tolerated).filter(|judged| judged.metric != asked.prediction.metric);
    let mut warnings: Vec<Warning> = small
        .map(|judged| Warning {
            id: "tolerated-harm".to_owned(),
            text: format!(
                "{} is proven to be worse, {}: {}",
                judged.metric.name(),
                if harmed(judged, margin) { "which was allowed" } else { "by less than the margin" },
                change(judged)
            ),
            next: None,
        })
        .collect();
    if asked.prediction.comparable == Comparable::Not {
        warnings.push(Warning {
            id: "prediction-from-elsewhere".to_owned(),
            text:
                "the finding comes from another machine: its bound may not hold here; the verdict does not \
                   need it"
                    .to_owned(),
            next: Some("ask again here: `slowpath -- COMMAND`".to_owned()),
        });
    }
    if let Some(share) = crowded(asked) {
        warnings.push(Warning {
            id: "promise-from-a-busy-machine".to_owned(),
            text: format!(
                "others held the CPUs for {} of the earlier run, so its shares of wall time are too small: the bound is rough, the verdict does not need it",
                percent(share)
            ),
            next: Some("ask again on a quiet machine: `slowpath -- COMMAND`".to_owned()),
        });
    }
    if asked.behaviour == Behaviour::Unsteady {
        warnings.push(Warning {
            id: "output-unsteady".to_owned(),
            text: "the old program prints something else each time, so the outputs could not be compared"
                .to_owned(),
            next: Some("`--check CMD` can look at each run's output".to_owned()),
        });
    }
    warnings
}

/// A lower tier that refutes nothing, and why.
fn tolerated_tier(standing: &Standing, asked: &Asked) -> Option<Warning> {
    let reason = match standing.stands {
        Stands::Worse if asked.allowed_dimensions.contains(&standing.dimension) => "which was allowed",
        Stands::Doubtful => "by one tier, which is within the noise of samples",
        Stands::Uncovered => "because less of everything else is left",
        _ => return None,
    };
    Some(Warning {
        id: "tolerated-harm".to_owned(),
        text: format!("{} is lower, {reason}: {}", standing.dimension, tiers(standing)),
        next: None,
    })
}

/// What the new program's own runs and passes answer, and how its scorecard stands against the earlier one. No answer
/// when it was not recorded.
fn new_program(
    manifest: &Manifest,
    samples: &[Sample],
    passes: &Passes,
    asked: &Asked,
    metrics: &[MetricVerdict],
) -> (Option<Answer>, Vec<Standing>) {
    let arm = passes.recording.as_ref().and_then(|_| manifest.arms.get(NEW as usize).cloned());
    let manifest = Manifest { arms: arm.into_iter().collect(), scenario: None, ..manifest.clone() };
    let own = samples.iter().filter(|sample| sample.arm == NEW);
    let samples: Vec<Sample> = own.map(|sample| Sample { arm: 0, ..sample.clone() }).collect();
    let answer = match manifest.arms.is_empty() {
        true => None,
        false => crate::answer::answer(&manifest, &samples, &[], passes, &[]),
    };
    let card = answer.as_ref().map(|answer| {
        scorecard(&Inputs { manifest: &manifest, samples: &samples, passes, scaling: None, answer })
    });
    let totals = passes.simulated.as_ref().and_then(|simulated| simulated.totals.as_ref());
    let evidence = Evidence { before: asked.before.as_ref(), card: card.as_ref(), totals, metrics };
    let dimensions = standings(&evidence);
    (answer, dimensions)
}

/// Looks for the finding in the new program's answer.
fn after(finding: &Finding, answer: &Option<Answer>) -> After {
    let before = finding.share.value;
    let of = |state, because: String, share_after| After {
        state,
        because,
        share_before: before,
        share_after,
        next: answer.as_ref().and_then(|answer| answer.findings.first()).map(|first| first.summary.clone()),
    };
    let Some(answer) = answer else {
        return of(Remains::Unknown, "the new program was not recorded".to_owned(), None);
    };
    let same = |other: &&Finding| {
        other.cause == finding.cause && same_place(other.location.as_ref(), finding.location.as_ref())
    };
    let at = finding.location.as_ref().map(|place| format!(" in {}", place_words(place))).unwrap_or_default();
    if let Some(left) = answer.findings.iter().find(same) {
        let shares = format!("{}{at}: {} → {}", finding.cause, percent(before), percent(left.share.value));
        // Single observations tell nobody which is smaller.
        let smaller = left.share.high.zip(finding.share.low).is_some_and(|(after, before)| after < before);
        return of(if smaller { Remains::Smaller } else { Remains::Remains }, shares, Some(left.share.value));
    }
    let hypothesis = answer.hypotheses.iter().find(|hypothesis| hypothesis.id == finding.cause);
    match hypothesis {
        Some(Hypothesis { state: State::Untestable, because, .. }) => {
            of(Remains::Unknown, format!("{} could not be looked for: {because}", finding.cause), None)
        }
        _ => of(
            Remains::Gone,
            format!("{}{at} is no longer found (was {})", finding.cause, percent(before)),
            Some(0.0),
        ),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// The same function of the same file, wherever the file lies now; two findings about the whole program are one.
fn same_place(one: Option<&Place>, other: Option<&Place>) -> bool {
    let name =
        |place: &Place| place.file.as_deref().and_then(|file| file.rsplit('/').next()).map(str::to_owned);
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one.function == other.function && name(one) == name(other),
        _ => false,
    }
}
