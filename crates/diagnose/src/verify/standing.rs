//! The new program's scorecard against the earlier run's: which dimension pays for the gain?
//!
//! A dimension is a rate or a share, so a change that removes most of the work lets what is left stand out. A lower tier
//! is harm only where what the dimension is about did not become smaller itself. Dimensions that rest on samples move by
//! one tier between sittings; two are harm.

use model::Metric;
use model::compare::{MetricVerdict, Verdict};
use model::scorecard::{DIMENSIONS, Dimension, Scorecard, Tier};
use model::simulated::Events;
use model::standing::{Before, Scored, Standing, Stands};

use crate::score::{SAMPLED, rank};

/// What a scorecard is held against, and what was measured beside it.
pub(super) struct Evidence<'a> {
    pub(super) before: Option<&'a Before>,
    /// `None` when the new program was not recorded.
    pub(super) card: Option<&'a Scorecard>,
    /// What the new program's simulated run counted.
    pub(super) totals: Option<&'a Events>,
    pub(super) metrics: &'a [MetricVerdict],
}

/// Every dimension. What was not measured in both programs is said to be unchecked.
pub(super) fn standings(evidence: &Evidence<'_>) -> Vec<Standing> {
    DIMENSIONS.iter().map(|name| standing(name, evidence)).collect()
}

fn standing(name: &str, evidence: &Evidence<'_>) -> Standing {
    let before = evidence.before.and_then(|card| card.scored.iter().find(|scored| scored.dimension == name));
    let now = evidence.card.and_then(|card| card.dimensions.iter().find(|dimension| dimension.name == name));
    let (stands, because) = judged(name, before, now, evidence);
    Standing {
        dimension: name.to_owned(),
        before: before.map_or(Tier::NotMeasured, |scored| scored.tier),
        now: now.map_or(Tier::NotMeasured, |dimension| dimension.tier),
        stands,
        because,
    }
}

fn judged(
    name: &str,
    before: Option<&Scored>,
    now: Option<&Dimension>,
    evidence: &Evidence<'_>,
) -> (Stands, String) {
    let unchecked = |why: String| (Stands::Unchecked, why);
    let Some(before) = before else { return unchecked("the earlier run has no scorecard".to_owned()) };
    if before.tier.score().is_none() {
        return unchecked(format!("not measured before: {}", before.because));
    }
    let Some(now) = now else { return unchecked("the new program was not recorded".to_owned()) };
    if now.tier.score().is_none() {
        return unchecked(format!("not measured now: {}", now.because));
    }
    let because = now.because.clone();
    match i32::from(rank(now.tier)) - i32::from(rank(before.tier)) {
        ..0 => (Stands::Better, because),
        0 => (Stands::Same, because),
        drop => match shrunk(name, evidence) {
            Some(why) => (Stands::Uncovered, format!("{because}; {why}")),
            None if drop < 2 && SAMPLED.contains(&name) => (Stands::Doubtful, because),
            None => (Stands::Worse, because),
        },
    }
}

/// Why a lower tier is no harm: what the dimension counts became less. `None` when it did not, or nobody counted.
fn shrunk(name: &str, evidence: &Evidence<'_>) -> Option<String> {
    if name == crate::score::CPU {
        let cpu = evidence.metrics.iter().find(|judged| judged.metric == Metric::Cpu)?;
        return (cpu.verdict == Verdict::Better)
            .then(|| "CPU time itself became less, so this is a larger share of a smaller whole".to_owned());
    }
    let before = misses(name, evidence.before?.totals.as_ref()?)?;
    let now = misses(name, evidence.totals?)?;
    (now < before).then(|| format!("misses fell from {before} to {now}, the rest of the work fell further"))
}

fn misses(name: &str, events: &Events) -> Option<u64> {
    let both = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
    match name {
        "L1 Cache Efficiency" => both(events.d1mr, events.d1mw),
        "Last-Level Cache" => both(events.dlmr, events.dlmw),
        "Branch Prediction" => events.bcm,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::compare::RatioEstimate;

    fn before(tier: Tier, l1_misses: u64) -> Before {
        let scored = |name: &&str| Scored { dimension: (*name).to_owned(), tier, because: "old".to_owned() };
        let totals = Events { ir: 1, d1mr: Some(l1_misses), d1mw: Some(0), ..Events::default() };
        Before { scored: DIMENSIONS.iter().map(scored).collect(), totals: Some(totals), crowded: None }
    }

    fn card(tier: Tier) -> Scorecard {
        let dimension = |name: &&str| Dimension {
            name: (*name).to_owned(),
            score: tier.score(),
            tier,
            iso: String::new(),
            because: "new".to_owned(),
            figures: Vec::new(),
            checks: Vec::new(),
            missing: Vec::new(),
            location: None,
            prescription: None,
        };
        Scorecard {
            total: 0,
            max: 0,
            coverage: String::new(),
            summary: String::new(),
            band: None,
            stop: None,
            notes: Vec::new(),
            dimensions: DIMENSIONS.iter().map(dimension).collect(),
            baseline: None,
            questions: Vec::new(),
        }
    }

    fn cpu(verdict: Verdict) -> MetricVerdict {
        MetricVerdict {
            metric: Metric::Cpu,
            ratio: RatioEstimate { value: 0.5, low: None, high: None },
            verdict,
            pairs: 8,
            needed: None,
            needed_s: None,
            detectable: None,
            p: None,
            confirmed: Some(true),
            source: String::new(),
        }
    }

    #[track_caller]
    fn check(name: &str, old: Tier, new: Option<Tier>, misses: (u64, u64), verdict: Verdict, stands: Stands) {
        let totals = Events { ir: 1, d1mr: Some(misses.1), d1mw: Some(0), ..Events::default() };
        let (before, card) = (before(old, misses.0), new.map(card));
        let metrics = [cpu(verdict)];
        let evidence =
            Evidence { before: Some(&before), card: card.as_ref(), totals: Some(&totals), metrics: &metrics };
        let all = standings(&evidence);
        assert_eq!(all.len(), DIMENSIONS.len());
        let one = all.iter().find(|standing| standing.dimension == name).unwrap();
        assert_eq!(one.stands, stands, "{name}: {one:?}");
    }

    #[test]
    fn a_lower_tier_is_harm_only_where_what_it_counts_did_not_shrink() {
        let (l1, pass, warn, fail) = ("L1 Cache Efficiency", Tier::Pass, Tier::Warn, Tier::Fail);
        let worse = Verdict::NoChange;
        check(l1, pass, Some(warn), (10, 20), worse, Stands::Worse);
        check(l1, pass, Some(warn), (20, 10), worse, Stands::Uncovered);
        check(l1, warn, Some(warn), (10, 20), worse, Stands::Same);
        check(l1, fail, Some(warn), (10, 20), worse, Stands::Better);
        check("Algorithmic Scaling", pass, Some(warn), (20, 10), worse, Stands::Worse);
    }

    #[test]
    fn what_rests_on_samples_may_move_by_one_tier() {
        let (pass, warn, fail) = (Tier::Pass, Tier::Warn, Tier::Fail);
        check("CPU Efficiency", pass, Some(warn), (1, 1), Verdict::NoChange, Stands::Doubtful);
        check("CPU Efficiency", pass, Some(fail), (1, 1), Verdict::NoChange, Stands::Worse);
        check("CPU Efficiency", pass, Some(fail), (1, 1), Verdict::Better, Stands::Uncovered);
        check("Wall-Time Stability", warn, Some(fail), (1, 1), Verdict::Better, Stands::Doubtful);
    }

    #[test]
    fn what_was_not_measured_in_both_is_unchecked_and_never_fine() {
        let memory = "Memory Profile";
        check(memory, Tier::NotMeasured, Some(Tier::Pass), (1, 1), Verdict::Better, Stands::Unchecked);
        check(memory, Tier::Pass, Some(Tier::Noise), (1, 1), Verdict::Better, Stands::Unchecked);
        check(memory, Tier::Pass, None, (1, 1), Verdict::Better, Stands::Unchecked);
    }
}
