//! The scorecard of the run that a finding comes from, as the new program is held against it.

use diagnose::score::{self, Inputs};
use history::Loaded;
use model::answer::Answer;
use model::passes::Passes;
use model::scale::PARAMETER;
use model::scorecard::{Dimension, Tier as Points};
use model::standing::{Before, Scored};

use crate::cli::tier::Tier;

/// Dimensions that a simulated run may decide.
const SIMULATED: [&str; 3] = ["L1 Cache Efficiency", "Last-Level Cache", "Branch Prediction"];

/// Scores the earlier run again, from what it stored.
pub(super) fn of(answer: &Answer, run: &Loaded) -> Before {
    let Loaded { manifest, samples, passes, .. } = run;
    let scaling = answer.scaling.as_ref();
    let card = score::scorecard(&Inputs { manifest, samples, passes, scaling, answer });
    let elsewhere = other_size(run);
    let scored = |dimension: Dimension| match elsewhere.filter(|_| SIMULATED.contains(&&*dimension.name)) {
        // Its verdict is about another input than the one that runs again.
        Some(size) => Scored {
            dimension: dimension.name,
            tier: Points::NotMeasured,
            because: format!("only size {size} was simulated, which is not the one that runs again"),
        },
        None => Scored { dimension: dimension.name, tier: dimension.tier, because: dimension.because },
    };
    let totals = passes.simulated.as_ref().and_then(|simulated| simulated.totals);
    Before {
        scored: card.dimensions.into_iter().map(scored).collect(),
        totals: totals.filter(|_| elsewhere.is_none()),
        crowded: passes.recording.as_ref().map(|_| {
            let leaves = answer.account.leaves.iter().filter(|leaf| leaf.leaf.starts_with("runnable"));
            leaves.map(|leaf| leaf.share).sum()
        }),
    }
}

/// The size that was simulated, where it is not the size of the answer.
fn other_size(run: &Loaded) -> Option<u64> {
    let simulated = run.passes.simulated.as_ref()?.size?;
    let answered = run.manifest.arms.first()?.params.get(PARAMETER)?.parse::<u64>().ok();
    (answered != Some(simulated)).then_some(simulated)
}

/// How deep the earlier run looked, by the instruments that it ran.
pub(super) fn depth(passes: &Passes) -> Tier {
    let Some(simulated) = &passes.simulated else { return Tier::Fast };
    let ran = |names: &[&str]| simulated.instruments.iter().any(|one| names.contains(&&*one.name));
    if ran(&["massif", "dhat", "perf stat", "tracemalloc"]) {
        Tier::Deep
    } else if ran(&["cachegrind", "callgrind"]) {
        Tier::Medium
    } else {
        Tier::Fast
    }
}
