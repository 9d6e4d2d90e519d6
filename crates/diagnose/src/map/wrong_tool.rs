//! Is changing this program the right tool? Four indicators, each decided by a number or not at all.

use model::answer::{Account, Finding, Hypothesis, Indicator, State, Wall};
use model::passes::Passes;
use model::performance_map::{Decided, WrongTool};
use model::scenario::Scenario;

use crate::profile::Study;

use super::kinds::external;

/// What the indicators are decided on.
#[derive(Clone, Copy)]
pub(crate) struct Grounds<'a> {
    pub(crate) findings: &'a [Finding],
    pub(crate) hypotheses: &'a [Hypothesis],
    pub(crate) scenario: Option<&'a Scenario>,
    pub(crate) wall: &'a Wall,
    pub(crate) passes: &'a Passes,
    pub(crate) study: Option<&'a Study>,
}

/// ln-811's own limit: with a tenth left, the program itself can become 1.1 times as fast.
const EXTERNAL: f64 = 0.9;

/// Of wall time: more than what the program itself does.
const INFRASTRUCTURE: f64 = 0.5;

/// A finding below this is not worth a change: at most 1.05 times as fast.
const WORTH: f64 = 0.05;

/// What the account leaves unexplained before "nothing was found" says nothing.
const UNSEEN: f64 = 0.1;

/// Of wall time: a program that mostly waits for others has not shown how well it works.
const WAITING: f64 = 0.5;

/// A program that waits for a CPU this much cannot be judged on a machine so busy.
const CROWDED: f64 = 0.7;

/// Causes that are mended by asking less, later or all at once.
const AVOIDABLE: [&str; 8] = [
    "n-plus-one",
    "serial-calls",
    "serial-fan-out",
    "connection-per-request",
    "chatty-protocol",
    "repeated-work",
    "polling-sleep",
    "dns-stall",
];

/// Causes that lie in the machine.
const MACHINE: [&str; 3] = ["cpu-quota", "steal", "noisy-neighbour"];

pub(super) fn wrong_tool(grounds: &Grounds<'_>) -> WrongTool {
    WrongTool {
        external_service_no_alternative: external_service(grounds),
        within_industry_norm: within_norm(grounds),
        infrastructure_bound: infrastructure(grounds),
        already_optimized: already_optimized(grounds),
    }
}

/// Those that hold.
pub(crate) fn indicators(grounds: &Grounds<'_>) -> Vec<Indicator> {
    let decided = wrong_tool(grounds);
    let holding = decided.named().into_iter().filter(|(_, decided)| decided.holds == Some(true));
    holding
        .map(|(name, decided)| Indicator {
            indicator: name.to_owned(),
            because: decided.because.clone(),
            value: decided.value,
            limit: decided.limit,
        })
        .collect()
}

fn undecided(because: &str) -> Decided {
    Decided { holds: None, because: because.to_owned(), value: None, limit: None }
}

fn decided(holds: bool, value: f64, limit: f64, because: String) -> Decided {
    Decided { holds: Some(holds), because, value: Some(super::rounded(value, 4)), limit: Some(limit) }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn external_service(grounds: &Grounds<'_>) -> Decided {
    let Some((recording, study)) = grounds.passes.recording.as_ref().zip(grounds.study) else {
        return undecided("no run was recorded");
    };
    let peers = external(recording, &study.trail, grounds.passes.calls.as_ref());
    let queued = study.trail.queued;
    if queued >= CROWDED {
        return undecided(&format!("it waits for a CPU {} of the time", percent(queued)));
    }
    // Waiting for a CPU is the machine's doing: the program is judged by the rest.
    let share: f64 = peers.iter().fold(0.0, |sum, (_, share)| sum + share) / (1.0 - queued);
    let left_out = if queued >= 0.01 { ", waiting for a CPU left out," } else { "" };
    let Some((first, _)) = peers.first().filter(|_| share >= EXTERNAL) else {
        let because = format!(
            "{} of wall time{left_out} is spent waiting for peers outside the program",
            percent(share)
        );
        return decided(false, share, EXTERNAL, because);
    };
    let waiting = format!("{} of wall time{left_out} is spent waiting for {first}", percent(share));
    if let Some(cause) = grounds.findings.iter().find(|finding| is_avoidable(&finding.cause)) {
        return decided(false, share, EXTERNAL, format!("{waiting}, but {} can be mended", cause.cause));
    }
    let open = |one: &&Hypothesis| one.state == State::Untestable && is_avoidable(&one.id);
    match grounds.hypotheses.iter().find(open) {
        // What was not tested may be the alternative.
        Some(open) if grounds.passes.calls.is_none() => Decided {
            value: Some(super::rounded(share, 4)),
            limit: Some(EXTERNAL),
            ..undecided(&format!("{waiting}; {} could not be tested", open.id))
        },
        _ => decided(
            true,
            share,
            EXTERNAL,
            format!("{waiting}, outside the program, and no request can be saved, batched or sent earlier"),
        ),
    }
}

fn is_avoidable(cause: &str) -> bool {
    AVOIDABLE.contains(&cause)
}

/// The user's own limit on wall time is the only norm that is known here.
fn within_norm(grounds: &Grounds<'_>) -> Decided {
    let asked = grounds.scenario.into_iter().flat_map(|scenario| &scenario.hypotheses);
    let limit = asked.filter(|asked| asked.metric == "wall").find_map(|asked| asked.refuted_above);
    let Some(limit) = limit else { return undecided("no target was given") };
    let wall = grounds.wall.high_s.unwrap_or(grounds.wall.median_s);
    let holds = wall <= limit;
    let word = if holds { "within" } else { "beyond" };
    decided(holds, wall, limit, format!("it takes at most {wall:.4} s, {word} the {limit} s asked for"))
}

fn infrastructure(grounds: &Grounds<'_>) -> Decided {
    let Some(account) = grounds.study.and_then(|study| study.profile.account.as_ref()) else {
        return undecided("no run was recorded");
    };
    let is_sure = |finding: &&Finding| matches!(finding.state, State::Confirmed | State::Likely);
    let machine = grounds.findings.iter().filter(is_sure).filter(|one| MACHINE.contains(&one.cause.as_str()));
    let crowded: f64 = machine.map(|finding| finding.share.value).fold(0.0, f64::max);
    let disk = share_of(account, is_disk);
    // Where the program can ask less of the disk, the disk is not the bound.
    let avoidable = grounds.findings.iter().any(|finding| finding.class == "I/O-File");
    let disk = if avoidable { 0.0 } else { disk };
    let share = (crowded + disk).min(1.0);
    let because = format!(
        "{} of wall time is taken by other programs, a quota or the hypervisor, {} by the disk",
        percent(crowded),
        percent(disk)
    );
    decided(share >= INFRASTRUCTURE, share, INFRASTRUCTURE, because)
}

fn is_disk(leaf: &str) -> bool {
    matches!(leaf, "blocked/disk-read" | "blocked/disk-write" | "blocked/fault")
}

fn share_of(account: &Account, is_meant: impl Fn(&str) -> bool) -> f64 {
    account.leaves.iter().filter(|leaf| is_meant(&leaf.leaf)).fold(0.0, |sum, leaf| sum + leaf.share)
}

fn already_optimized(grounds: &Grounds<'_>) -> Decided {
    let Some(account) = grounds.study.and_then(|study| study.profile.account.as_ref()) else {
        return undecided("no run was recorded");
    };
    if account.unaccounted > UNSEEN {
        return undecided(&format!("{} of wall time is not explained", percent(account.unaccounted)));
    }
    if grounds.findings.is_empty() && !grounds.study.is_some_and(Study::saw_places) {
        return undecided("what computes was not seen: most of the time on a CPU has no stack");
    }
    let waiting = share_of(account, |leaf| leaf.starts_with("blocked/") && !is_disk(leaf));
    if grounds.findings.is_empty() && waiting >= WAITING {
        return undecided(&format!(
            "{} of wall time is spent waiting, and no cause was found",
            percent(waiting)
        ));
    }
    let largest = grounds.findings.iter().max_by(|one, other| one.share.value.total_cmp(&other.share.value));
    let share = largest.map_or(0.0, |finding| finding.share.value);
    let because = match largest {
        Some(finding) => format!("the largest finding is {}: {} of wall time", finding.cause, percent(share)),
        None => "no cause was found".to_owned(),
    };
    // Without a word on the causes, their absence says nothing.
    let judged = grounds.hypotheses.iter().any(|one| one.state == State::Rejected);
    if !judged {
        return undecided("no cause could be ruled out");
    }
    decided(share < WORTH, share, WORTH, because)
}
