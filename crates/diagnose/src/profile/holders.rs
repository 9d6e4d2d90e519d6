//! What the holder of a lock did while tasks waited for it.
//!
//! Runtimes keep no owner beside their locks. But whoever holds one either computes, and then some task runs, or it
//! waits itself, and then it stands below the function that others want to enter.

use std::collections::{BTreeMap, HashSet};

use model::leaf::Charge;
use model::recording::Recording;

use super::places::{NONE, Places};
use super::tasks::{Goal, Stint, Tasks};

/// Waits asked for one function.
const ASKED: usize = 500;

/// Tasks looked at for each.
const CROWD: usize = 256;

/// Shares of the time in which tasks wait for a lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holder {
    /// Some task runs meanwhile.
    pub busy: f64,
    /// A task waits for something else below the function that takes the lock.
    pub waits: f64,
}

/// By the function that waits for a lock. Functions at which nothing tells are left out.
pub(super) fn holders(recording: &Recording, tasks: &Tasks, places: &Places<'_>) -> BTreeMap<String, Holder> {
    let mut queues: BTreeMap<u32, Vec<&Stint>> = BTreeMap::new();
    for stint in tasks.stints.iter().filter(|stint| stint.waits() && stint.goal == Goal::Leaf(Charge::Lock)) {
        let node = places.view(stint.stack).map_or(NONE, |view| view.project);
        if node != NONE {
            queues.entry(places.function_of(node)).or_default().push(stint);
        }
    }
    let below = |function: u32| -> HashSet<u32> {
        let nodes = (0_u32..).zip(&recording.nodes).map(|(node, _)| node);
        let mut below = HashSet::new();
        for node in nodes {
            let outer = places.view(node).is_some_and(|view| below.contains(&view.parent));
            if outer || places.function_of(node) == function {
                below.insert(node);
            }
        }
        below
    };
    let of = |(function, stints): (u32, Vec<&Stint>)| {
        Some((places.name(function).to_owned(), holder(recording, tasks, &stints, &below(function))?))
    };
    queues.into_iter().filter_map(of).collect()
}

/// `below`: the stacks that lead through the function.
fn holder(recording: &Recording, tasks: &Tasks, stints: &[&Stint], below: &HashSet<u32>) -> Option<Holder> {
    let (mut busy, mut waits, mut all) = (0.0, 0.0, 0.0);
    for stint in stints.iter().step_by(stints.len().div_ceil(ASKED).max(1)) {
        let (length, middle) = ((stint.to - stint.from) as f64, stint.from + (stint.to - stint.from) / 2);
        let process = recording.tasks.get(stint.task as usize)?.process;
        let others = (0_u32..).zip(&recording.tasks).filter(|(_, task)| task.process == process);
        let others = others.map(|(task, _)| task).filter(|task| *task != stint.task).take(CROWD);
        let (mut runs, mut sits) = (false, false);
        for other in others.filter_map(|task| tasks.stints.get(tasks.at(task, middle)?)) {
            let elsewhere = matches!(other.goal, Goal::Leaf(charge) if charge != Charge::Lock);
            runs |= !other.waits();
            sits |= other.waits() && elsewhere && below.contains(&other.stack);
        }
        all += length;
        waits += if sits { length } else { 0.0 };
        busy += if runs && !sits { length } else { 0.0 };
    }
    (busy + waits > 0.0).then(|| Holder { busy: busy / all, waits: waits / all })
}
