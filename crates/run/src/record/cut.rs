//! Stacks that end before their thread's first function, and why: their copy ended, or nothing tells how to go on.

use std::collections::HashMap;

use model::Gap;
use model::recording::{Frame, Language, Owner};
use stacks::Resolved;

use super::copies::SHORT;

/// From this share of cut stacks on, the user is told how to get the rest.
const MANY_CUT: f64 = 0.05;

/// What the kernel keeps of a copy for the rest of its record, at most: the longest copies are that much shorter.
const RECORD: usize = 4096;

/// The functions that the outermost code of a thread is in. Whoever called them says nothing of the program.
const BEGINNINGS: [&str; 11] = [
    "main",
    "_start",
    "_start_c",
    "__libc_start_main",
    "libc_start_main_stage2",
    "start_thread",
    "thread_start",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
];

/// What musl calls the first function of a thread; only outermost is it that.
const OF_MUSL: &str = "start";

/// Stacks that could not be undone to their end, while they come.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// By its position in the tree: how often, and how often its copy had ended.
    by_stack: HashMap<u32, (u64, u64)>,
    /// The bytes that are copied of a stack that has them.
    pub(super) wish: usize,
}

impl Cuts {
    /// One that was read so far, of a copy of so many bytes.
    pub(super) fn add(&mut self, stack: Option<u32>, reach: u64, copied: usize) {
        let Some(stack) = stack else { return };
        // A copy that is shorter than was asked for ends where the stack does.
        let is_full = copied == SHORT as usize || copied.saturating_add(RECORD) > self.wish;
        let cut = self.by_stack.entry(stack).or_default();
        cut.0 += 1;
        cut.1 += u64::from(is_full && reach > copied as u64);
    }

    /// What is left of them when names tell which had reached the first function of their thread.
    pub(super) fn judged(&self, resolved: &Resolved) -> Cut {
        let mut cut = Cut::default();
        let mut modules: HashMap<u32, (u64, Owner)> = HashMap::new();
        for (raw, (times, copied)) in &self.by_stack {
            let stack = resolved.stack_of.get(*raw as usize).copied();
            let frames = || {
                let next = |stack: &u32| resolved.nodes.get(*stack as usize)?.parent;
                let nodes = std::iter::successors(stack, next);
                nodes
                    .filter_map(|node| resolved.frames.get(resolved.nodes.get(node as usize)?.frame as usize))
            };
            let outermost = frames().last();
            let starts = outermost.is_some_and(|frame| frame.function.as_deref() == Some(OF_MUSL));
            if starts || frames().any(begins) {
                cut.whole += times;
                continue;
            }
            cut.short += copied;
            cut.others += times - copied;
            if let Some((at, owner)) = outermost.and_then(|frame| Some((frame.module?, frame.owner))) {
                modules.entry(at).or_insert((0, owner)).0 += times - copied;
            }
        }
        let most = modules.iter().max_by_key(|(at, (times, _))| (*times, std::cmp::Reverse(**at)));
        cut.module = most.filter(|(_, (times, _))| *times > 0).and_then(|(at, (_, owner))| {
            let path = &resolved.modules.get(*at as usize)?.path;
            Some((path.rsplit('/').next().unwrap_or(path).to_owned(), *owner))
        });
        cut
    }
}

fn begins(frame: &Frame) -> bool {
    let native = matches!(frame.language, Language::Native | Language::C | Language::Cpp | Language::Rust);
    native && frame.function.as_deref().is_some_and(|function| BEGINNINGS.contains(&function))
}

/// Stacks that could not be undone to their end, by the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    /// They had reached the first function of their thread nevertheless.
    pub(super) whole: u64,
    /// Their copy had ended.
    pub(super) short: u64,
    pub(super) others: u64,
    /// The file that most of the others end in, and whose it is.
    pub(super) module: Option<(String, Owner)>,
}

impl Cut {
    /// What the user can do where many are cut. `longest`: copies cannot be longer than they were.
    #[expect(clippy::cast_precision_loss, reason = "counts of one run")]
    pub(super) fn gap(&self, stacks: u64, longest: bool) -> Option<Gap> {
        let share = (self.short + self.others) as f64 / stacks.max(1) as f64;
        if share <= MANY_CUT {
            return None;
        }
        let ends = format!("{:.0} % of the stacks end before their thread's first function", share * 100.0);
        if self.short >= self.others {
            let next = (!longest).then(|| "record with a longer copy: --stack 65528".to_owned());
            let why = format!("{ends}, most where their copy ends");
            return Some(Gap::new("outer callers", why, next.as_deref()));
        }
        let Some((module, owner)) = &self.module else {
            return Some(Gap::new("outer callers", format!("{ends}, most in generated code"), None));
        };
        let next = "build it with `-fasynchronous-unwind-tables` or `-fno-omit-frame-pointer`";
        let why = format!("{ends}, most in `{module}`, of which nothing tells how to go on");
        Some(Gap::new("outer callers", why, (*owner == Owner::Project).then_some(next)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(cut: &Cut, longest: bool) -> Option<String> {
        cut.gap(100, longest).and_then(|gap| gap.next)
    }

    #[test]
    fn a_longer_copy_is_advised_where_copies_ended_and_can_be_longer() {
        let short = Cut { short: 40, others: 2, ..Cut::default() };
        assert!(advice(&short, false).unwrap().contains("--stack 65528"));
        assert!(short.gap(100, true).is_some() && advice(&short, true).is_none());
        assert_eq!(Cut { short: 3, whole: 90, ..Cut::default() }.gap(100, false), None);
    }

    #[test]
    fn code_without_tables_is_built_anew_where_it_is_the_users_own() {
        let of = |owner| Cut { others: 90, module: Some(("mill".to_owned(), owner)), ..Cut::default() };
        assert!(advice(&of(Owner::Project), false).unwrap().contains("-fno-omit-frame-pointer"));
        assert_eq!(advice(&of(Owner::Library), false), None);
        assert!(of(Owner::Library).gap(100, false).unwrap().why.contains("`mill`"));
    }

    #[test]
    fn a_copy_that_is_shorter_than_was_asked_for_did_not_end_too_early() {
        let resolved = Resolved { stack_of: vec![0], ..Resolved::default() };
        let cuts = |copied: usize| {
            let mut cuts = Cuts { wish: 32 * 1024, ..Cuts::default() };
            cuts.add(Some(0), 60_000, copied);
            let cut = cuts.judged(&resolved);
            (cut.short, cut.others)
        };
        assert_eq!((cuts(32 * 1024), cuts(SHORT as usize), cuts(9000)), ((1, 0), (1, 0), (0, 1)));
    }
}
