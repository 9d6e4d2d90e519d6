//! What the recorder missed, where it missed anything, and what its level cannot see.

use model::doctor::Level;
use model::profile::Profile;

use crate::document::{Block, Line, Note};
use crate::{notes, number, words};

/// Below this share of cut stacks the shares of the tree are as good as whole.
const MANY_CUT: f64 = 0.01;

pub(crate) fn blocks(profile: &Profile) -> Vec<Block> {
    let losses = profile.losses;
    let mut points = Vec::new();
    if losses.records > 0 {
        points.push(format!("{} the kernel could not write", words::plural(losses.records, "record")));
    }
    if losses.throttled > 0 {
        points
            .push(format!("the kernel slowed the sampler down {}", words::plural(losses.throttled, "time")));
    }
    if let Some(share) = share(losses.cut_stacks, losses.stacks).filter(|share| *share >= MANY_CUT) {
        let of = number::count(losses.stacks);
        points.push(format!(
            "{} of {of} stacks end before their thread's first function",
            number::percent(share)
        ));
    }
    if losses.unexplained_waits > 0 {
        points.push(format!(
            "{} whose call or stack nobody saw",
            words::plural(losses.unexplained_waits, "wait")
        ));
    }
    points.extend(profile.level.and_then(blind).map(str::to_owned));
    let note = |text: String| Note { text: Line::plain(text), next: None };
    notes::titled("limits of this recording", points.into_iter().map(note).collect())
}

fn share(part: u64, whole: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// What a level cannot see. `None` for the fullest.
const fn blind(level: Level) -> Option<&'static str> {
    match level {
        Level::C => None,
        Level::B => Some("level B: who ended a wait is seen only inside the program's own processes"),
        Level::A => {
            Some("level A: functions of the kernel are not seen, only how long it was at work in all")
        }
        Level::D => Some(
            "level D: no perf events; waits are samples of /proc, stacks of threads that were stopped for a moment",
        ),
    }
}
