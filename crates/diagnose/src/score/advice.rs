//! What to do about it: prescriptions that name the place and the change, and questions to ask of the code.

use model::scale::Class;
use model::scorecard::{Dimension, Location, Tier};
use model::simulated::Simulated;

use super::Inputs;
use super::cost::words;

/// Growth beyond the expected.
pub(super) fn grows(place: Option<&Location>, class: Class) -> String {
    let at = place.map_or_else(|| "the part that grows".to_owned(), words);
    let how = match class {
        Class::Exponential | Class::Factorial => {
            "it tries every combination: keep results of equal sub-problems, cut branches that cannot win, or settle for a good answer"
        }
        Class::Cubic | Class::Quadratic | Class::QuadraticLogarithmic | Class::ThreeHalves => {
            "it visits elements once for each other element: look them up in a hash set or a sorted index built once, or keep the result up to date as elements come"
        }
        _ => {
            "do the work once instead of once for each element: move what does not change out of the loop, keep an index"
        }
    };
    format!("{at}: {how}; then measure the same sizes again")
}

/// Too many calls, reads or writes an element.
pub(super) fn per_element(check: &str, place: &str, times: &str) -> String {
    let what = match check {
        "call_amplification" => format!(
            "it is called {times} times an element: call it once for a batch, or keep what it returned for the same argument"
        ),
        "write_amplification" => format!(
            "it writes {times} times an element: gather the result in a local variable and store it once"
        ),
        _ => format!(
            "it reads memory {times} times an element: join the passes over the data into one, keep sums as elements come"
        ),
    };
    format!("{place}: {what}")
}

/// A lock taken again and again.
pub(super) fn locking(place: &str) -> String {
    format!(
        "{place}: let each thread gather in a variable of its own and take the lock once for a batch, or replace lock and counter by one atomic operation"
    )
}

/// Blocks made and given back at once.
pub(super) fn churn(place: Option<&Location>) -> String {
    let at = place.map_or_else(|| "the allocating loop".to_owned(), words);
    format!(
        "{at}: allocate before the loop and reuse the block, or give small fixed-size blocks a place on the stack"
    )
}

/// Misses of caches and branches.
pub(super) fn missed(
    dimension: &str,
    place: &str,
    rate: f64,
    simulated: &Simulated,
    function: &str,
) -> String {
    let line = busiest_line(simulated, dimension, function)
        .map(|line| format!(" (line {line} misses most)"))
        .unwrap_or_default();
    match dimension {
        "Branch Prediction" => format!(
            "{place}{line}: its branch goes either way with the data: sort or partition the data first, or compute both sides and select without a jump"
        ),
        _ if rate > 50.0 => format!(
            "{place}{line}: nearly every access opens a new cache line: swap the loops so that the inner one walks along memory, or store what is used together side by side"
        ),
        "Last-Level Cache" => format!(
            "{place}{line}: its data do not fit the cache: work on blocks that do, or make elements smaller"
        ),
        _ => format!(
            "{place}{line}: it jumps about in memory: put the fields it uses into arrays of their own, or work on blocks that fit the first-level cache"
        ),
    }
}

/// The function's line with the most misses of that kind.
fn busiest_line(simulated: &Simulated, dimension: &str, function: &str) -> Option<String> {
    let misses = |line: &&model::simulated::Line| match dimension {
        "Branch Prediction" => line.own.bcm.unwrap_or(0),
        "Last-Level Cache" => line.own.dlmr.unwrap_or(0) + line.own.dlmw.unwrap_or(0),
        _ => line.own.d1mr.unwrap_or(0) + line.own.d1mw.unwrap_or(0),
    };
    let own = simulated.lines.iter().filter(|line| line.function == function);
    let line = own.max_by_key(misses).filter(|line| misses(line) > 0)?;
    let file = line.file.rsplit('/').next().unwrap_or(&line.file);
    Some(format!("{file}:{}", line.line))
}

pub(super) fn memory(place: Option<&Location>) -> String {
    let at = place.map_or_else(|| "whatever is allocated most (`--tier deep` tells where)".to_owned(), words);
    format!(
        "{at}: hold less at once: stream instead of collecting, drop what is no longer read, use smaller elements"
    )
}

/// Blames the program only where the machine was shown to be quiet.
pub(super) fn unsteady(command: &str, quiet: Option<bool>) -> String {
    let compare = format!(
        "compare a fast and a slow run of `{command}` (random choices, timers, caches on disk, network)"
    );
    match quiet {
        Some(true) => {
            format!("the machine was quiet, so the program itself differs from run to run: {compare}")
        }
        Some(false) => format!(
            "others used the CPUs meanwhile: measure again on a quiet machine (`slowpath doctor --noise` tells when it is); if it still differs, {compare}"
        ),
        None => format!(
            "nothing tells whether the machine was quiet: measure again when no other program runs; if it still differs, {compare}"
        ),
    }
}

pub(super) fn stalled(inputs: &Inputs<'_>, place: Option<&Location>) -> String {
    let at = place.map_or_else(|| "the hottest loop".to_owned(), words);
    format!(
        "{at}: the processor waits more than it works: `slowpath --tier medium -- {}` tells whether for memory or for branches",
        inputs.command()
    )
}

/// Questions keyed to what was found; none for what is well.
pub(super) fn questions(dimensions: &[Dimension], waits: bool) -> Vec<String> {
    let waiting = "Waiting: what is waited for, is it needed at once, and could other work go on meanwhile?";
    let asked = |dimension: &Dimension| -> Vec<&'static str> {
        let bad = matches!(dimension.tier, Tier::Warn | Tier::Fail);
        match dimension.name.as_str() {
            "Algorithmic Scaling" if bad => checks(dimension),
            "Wall-Time Stability" if dimension.tier == Tier::Noise => {
                vec![
                    "Measuring: what else ran on this machine, and can the comparison be made in one sitting instead?",
                ]
            }
            "Wall-Time Stability" if bad => {
                vec!["Measuring: does the program do the same work each time, with the same input and seed?"]
            }
            "CPU Efficiency" if bad && decides(dimension, "locking") => {
                vec!["Locking: what does the lock protect, and could each thread keep its own part of it?"]
            }
            "CPU Efficiency" if bad => vec![
                "Priority: which result of the hot function is used, and how often is it asked for with the same arguments?",
            ],
            "L1 Cache Efficiency" if bad => vec![
                "Layout: in which order does memory hold the elements, and in which order does the loop visit them?",
                "Layout: how many bytes of each element does the loop use?",
            ],
            "Last-Level Cache" if bad => {
                vec!["Cache: how large is the data one pass touches, and must it be all of it?"]
            }
            "Branch Prediction" if bad => {
                vec!["Branches: what decides the branch, and could the data be ordered by it?"]
            }
            "Memory Profile" if bad => {
                vec!["Memory: what is still held at the peak that nobody will read again?"]
            }
            _ => Vec::new(),
        }
    };
    let asked = dimensions.iter().flat_map(asked);
    waits.then_some(waiting).into_iter().chain(asked).map(str::to_owned).collect()
}

/// Whether that figure stands first, as the one that decides does.
fn decides(dimension: &Dimension, figure: &str) -> bool {
    dimension.figures.first().is_some_and(|first| first.name == figure)
}

fn checks(dimension: &Dimension) -> Vec<&'static str> {
    let bad = dimension.checks.iter().filter(|check| matches!(check.tier, Tier::Warn | Tier::Fail));
    bad.filter_map(|check| {
        Some(match check.name.as_str() {
            "complexity_exponent" => {
                "Complexity: which sizes will users really have, and what does the growth cost them there?"
            }
            "call_amplification" => "Streaming: does each call need the whole input, or only what changed?",
            "data_reuse" => "Streaming: how many passes read the same data, and could one do?",
            "write_amplification" => {
                "Layout: who reads what is written between the first and the last write?"
            }
            "allocation_churn" => "Allocation: does the block have to outlive one turn of the loop?",
            "multiplicative_paths" => "Complexity: what is searched again and again that could be looked up?",
            _ => return None,
        })
    })
    .collect()
}
