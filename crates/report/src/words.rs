//! The words for what the wire types say in variants.

use model::answer::{Extent, Finding};
use model::bench::{CommandSummary, MetricSummary};
use model::compare::Verdict;
use model::{Arg, Ended, Metric};

use crate::document::Ink;
use crate::inert::TIE;
use crate::number;

/// `at most 1.2× faster (3.1× with what may go with it, up to 68 %)`: the first is of the finding's own share.
pub(crate) fn bound(finding: &Finding) -> Option<String> {
    let times = format!("at most {:.1}× faster", finding.at_most?);
    let more = finding.with.and_then(|with| Some((with.at_most?, with.share)));
    Some(match more {
        Some((more, share)) => {
            format!("{times} ({more:.1}× with what may go with it, up to {})", number::percent(share))
        }
        None => times,
    })
}

/// `86 % (83–89 %)`. One observation has no interval, and one that rounds to its value says nothing.
pub(crate) fn extent(extent: &Extent) -> String {
    let value = number::percent(extent.value);
    match interval(extent) {
        Some(interval) => format!("{value} ({interval})"),
        None => value,
    }
}

/// `83–89 %`.
pub(crate) fn interval(extent: &Extent) -> Option<String> {
    let (low, high) = extent.low.zip(extent.high)?;
    (number::percent(low) != number::percent(high)).then(|| number::percent_range(low, high))
}

/// A metric's name for people.
pub(crate) const fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Wall => "wall",
        Metric::Cpu => "cpu",
        Metric::User => "user",
        Metric::System => "system",
        Metric::Rss => "peak RSS",
        Metric::MinorFaults => "minor faults",
        Metric::MajorFaults => "major faults",
        Metric::VoluntarySwitches => "voluntary switches",
        Metric::InvoluntarySwitches => "involuntary switches",
        Metric::ReadBytes => "read by system calls",
        Metric::WrittenBytes => "written by system calls",
        Metric::BlockReadBytes => "read from storage",
        Metric::BlockWrittenBytes => "written to storage",
        Metric::Instructions => "instructions",
    }
}

pub(crate) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::NoChange => "no change",
        Verdict::Inconclusive => "inconclusive",
    }
}

pub(crate) const fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "✓",
        Verdict::Worse => "✗",
        Verdict::NoChange => "=",
        Verdict::Inconclusive => "?",
    }
}

pub(crate) const fn verdict_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Better => Ink::Good,
        Verdict::Worse => Ink::Bad,
        Verdict::NoChange => Ink::Strong,
        Verdict::Inconclusive => Ink::Unsure,
    }
}

pub(crate) fn ended(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("exit{TIE}status{TIE}{code}"),
        Ended::Signal(signal) => format!("signal{TIE}{signal}"),
    }
}

/// `18 runs`, `1 run`.
pub(crate) fn plural(n: u64, one: &str) -> String {
    format!("{} {one}{}", number::count(n), if n == 1 { "" } else { "s" })
}

/// A command as one would type it. For reading: invalid bytes are shown as U+FFFD.
pub(crate) fn command_line(argv: &[Arg]) -> String {
    argv.iter().map(|arg| quoted(&arg.lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(arg: &str) -> String {
    let bare = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    if !arg.is_empty() && arg.chars().all(bare) {
        arg.to_owned()
    } else {
        format!("'{}'", arg.replace('\'', "'\\''"))
    }
}

/// Whether text can be typed as it stands: it begins with a program that our advice names, or with a flag.
pub(crate) fn is_command(text: &str) -> bool {
    let programs = [
        "slowpath", "sudo", "sysctl", "echo", "apt-get", "apt", "pip", "cargo", "perf", "valgrind", "taskset",
    ];
    let first = text.split(' ').next().unwrap_or_default();
    (programs.contains(&first) || first.starts_with("--")) && !text.contains('`')
}

/// How a piece of prose is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    Prose,
    /// It stood between backticks.
    Verbatim,
}

/// Prose in pieces, at its backticks. A single one at the end is a letter like any other.
pub(crate) fn pieces(text: &str) -> Vec<(Letters, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, inside, after)) = opened(rest) {
        pieces.push((Letters::Prose, before));
        pieces.push((Letters::Verbatim, inside));
        rest = after;
    }
    pieces.push((Letters::Prose, rest));
    pieces.retain(|(_, piece)| !piece.is_empty());
    pieces
}

fn opened(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (inside, after) = rest.split_once('`')?;
    Some((before, inside, after))
}

pub(crate) fn summary_of(command: &CommandSummary, metric: Metric) -> Option<&MetricSummary> {
    command.metrics.iter().find(|summary| summary.metric == metric)
}

pub(crate) fn interval_of(summary: &MetricSummary) -> Option<(f64, f64)> {
    summary.interval.map(|bounds| (bounds.low, bounds.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_observation_has_no_interval() {
        let told = |low, high| extent(&Extent { value: 0.5, low, high }).replace(TIE, " ");
        assert_eq!(told(None, None), "50 %");
        assert_eq!(told(Some(0.499), Some(0.501)), "50 %");
        assert_eq!(told(Some(0.4), Some(0.61)), "50 % (40–61 %)");
    }

    #[test]
    fn backticks_come_in_pairs() {
        use Letters::{Prose, Verbatim};
        assert_eq!(
            pieces("keep a `set`, not `x in y`"),
            [(Prose, "keep a "), (Verbatim, "set"), (Prose, ", not "), (Verbatim, "x in y"),]
        );
        assert_eq!(pieces("a `b` c`"), [(Prose, "a "), (Verbatim, "b"), (Prose, " c`")]);
        assert_eq!(pieces("``"), []);
    }

    #[test]
    fn only_what_can_be_typed_is_a_command() {
        assert!(is_command("slowpath record -- ./x") && is_command("--limit 20s"));
        for prose in ["measure again", "trust CPU time over wall time", "record one: `slowpath record`", ""] {
            assert!(!is_command(prose), "{prose}");
        }
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let argv = ["sh", "-c", "echo it's", ""].map(Arg::from);
        assert_eq!(command_line(&argv), r"sh -c 'echo it'\''s' ''");
        assert_eq!(plural(1, "run"), "1 run");
        assert_eq!(plural(1200, "pair"), "1,200 pairs");
    }
}
