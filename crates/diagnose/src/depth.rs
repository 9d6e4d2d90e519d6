//! How deep the evidence goes: function, line, memory. Each level says what it cost, the last why it is the last.

use model::answer::{Depth, DepthLevel, Finding, State, Stopped};
use model::manifest::Manifest;
use model::passes::Passes;
use model::profile::Profile;

/// A level that makes the run so many times as long describes another program: its counts hold, its times do not.
const DEAR: f64 = 1.2;

/// `None` where nothing was recorded.
pub(crate) fn depth(
    manifest: &Manifest,
    passes: &Passes,
    profile: Option<&Profile>,
    findings: &[Finding],
) -> Option<Depth> {
    let profile = profile?;
    let recorded = profile.overhead.iter().find(|one| one.pass == "account").map(|one| one.ratio);
    let mut levels = vec![DepthLevel {
        level: "function".to_owned(),
        by: "recorder".to_owned(),
        ratio: recorded,
        artifact: model::recording::RECORDING.to_owned(),
    }];
    // Source and machine code are read, nothing runs for them.
    let lines =
        passes.source.as_ref().is_some_and(|source| !source.places.is_empty()) || !passes.code.is_empty();
    if lines {
        levels.push(DepthLevel {
            level: "line".to_owned(),
            by: "source and machine code at the hot places".to_owned(),
            ratio: None,
            artifact: model::source::SOURCE.to_owned(),
        });
    }
    let ratio_of =
        |name: &str| manifest.passes.iter().find(|pass| pass.pass == name).and_then(|pass| pass.ratio);
    let memory = [
        (passes.heap.is_some(), "allocator hook", ratio_of("heap"), model::heap::HEAP),
        (passes.runtime.is_some(), "the runtime itself", ratio_of("runtime"), model::runtime::RUNTIME),
        (passes.simulated.is_some(), "valgrind", dearest(passes), model::simulated::SIMULATED),
    ];
    for (_, by, ratio, artifact) in memory.into_iter().filter(|(made, ..)| *made) {
        levels.push(DepthLevel {
            level: "memory".to_owned(),
            by: by.to_owned(),
            ratio,
            artifact: artifact.to_owned(),
        });
    }
    let (stopped, because) = stopped(&levels, findings, lines);
    Some(Depth { levels, stopped, because })
}

fn dearest(passes: &Passes) -> Option<f64> {
    let instruments = passes.simulated.iter().flat_map(|simulated| &simulated.instruments);
    instruments.filter_map(|one| one.ratio).max_by(f64::total_cmp)
}

fn stopped(levels: &[DepthLevel], findings: &[Finding], lines: bool) -> (Stopped, String) {
    let deepest = levels.last().map_or("", |level| level.level.as_str());
    if let Some(first) = findings.first().filter(|first| first.state == State::Confirmed) {
        let words = format!("{} is confirmed at the level of the {deepest}", first.cause);
        return (Stopped::CauseClear, words);
    }
    if deepest == "memory" {
        return (Stopped::LevelsExhausted, "function, line and memory were looked at".to_owned());
    }
    let dear = levels.iter().find(|level| level.ratio.is_some_and(|ratio| ratio > DEAR));
    if let Some((dear, ratio)) = dear.and_then(|level| Some((level, level.ratio?))) {
        let words = format!(
            "the {} already made the run {ratio:.2} times as long, more than {DEAR}: deeper would describe another program",
            dear.by
        );
        return (Stopped::Overhead, words);
    }
    match lines {
        false => (Stopped::LevelsExhausted, "no line of the program is known: build it with `-g`".to_owned()),
        true => (
            Stopped::NotAsked,
            "no number of the first levels asks for the next; `--tier medium` makes it all the same"
                .to_owned(),
        ),
    }
}
