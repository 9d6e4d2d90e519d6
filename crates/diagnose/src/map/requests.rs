//! HTTP requests of the traced run: how many, and from which steps.

use std::collections::HashMap;

use model::calls::{Calls, Peer, Role};
use model::recording::{Frame, Owner};

use super::steps::{Key, Named, Tree};

/// Requests that the program and its children sent. `None` when they could not all be seen: the tracer stopped early, or
/// connections are encrypted.
pub(super) fn total(calls: &Calls) -> Option<u64> {
    let hidden = calls
        .peers
        .iter()
        .any(|peer| peer.role == Role::Asks && peer.sends > 0 && peer.protocol.as_deref() == Some("tls"));
    // Without the run's own figures it was ended before its time.
    if hidden || calls.totals.unwatched > 0 || calls.watched < calls.wall || calls.run.is_none() {
        return None;
    }
    Some(asked(calls).filter_map(|peer| peer.requests).sum())
}

fn asked(calls: &Calls) -> impl Iterator<Item = &Peer> {
    calls.peers.iter().filter(|peer| peer.role == Role::Asks && peer.protocol.as_deref() == Some("http"))
}

/// Requests by node of the tree; `None` where nobody can tell, as inside libraries.
pub(super) struct Requests(Vec<Option<u64>>);

impl Requests {
    pub(super) fn of(&self, at: usize) -> Option<u64> {
        self.0.get(at).copied().flatten()
    }
}

/// Places each request at the steps that its stack leads through. `None` when not all were seen.
pub(super) fn placed(tree: &Tree<'_>, calls: &Calls) -> Option<Requests> {
    let total = total(calls)?;
    let known: HashMap<&Named, u32> = tree.functions.iter().zip(0_u32..).collect();
    let countable = |key: Key| match key {
        Key::Program | Key::Process(_) => true,
        Key::Function(function) => tree.own.get(function as usize) == Some(&true),
        Key::Wait(_) | Key::Queue | Key::Kernel => false,
    };
    let mut counts: Vec<Option<u64>> =
        tree.nodes.iter().map(|node| countable(node.key).then_some(0)).collect();
    if let Some(program) = counts.first_mut() {
        *program = Some(total);
    }
    for peer in asked(calls) {
        for sent in peer.statements.iter().flat_map(|statement| &statement.stacks) {
            let Some(stack) = sent.stack else { continue };
            let own = calls.frames_of(stack).filter(|frame| frame.owner == Owner::Project);
            let mut way: Vec<u32> = own.filter_map(|frame| known.get(&named(frame)?).copied()).collect();
            way.reverse();
            for at in passed(tree, &way) {
                if let Some(Some(count)) = counts.get_mut(at) {
                    *count += sent.count;
                }
            }
        }
    }
    Some(Requests(counts))
}

fn named(frame: &Frame) -> Option<Named> {
    Some((frame.function.clone()?, frame.file.clone()))
}

/// The nodes that lead down this way, in the program or in the one of its processes where it begins.
fn passed(tree: &Tree<'_>, way: &[u32]) -> Vec<usize> {
    let processes = (0..).zip(&tree.nodes).filter(|(_, node)| matches!(node.key, Key::Process(_)));
    let begins = std::iter::once(0).chain(processes.map(|(at, _)| at));
    let mut best = Vec::new();
    for begin in begins {
        let found = descend(tree, begin, way);
        if found.len() > best.len() {
            best = found;
        }
    }
    best
}

fn descend(tree: &Tree<'_>, begin: usize, way: &[u32]) -> Vec<usize> {
    let (mut at, mut found) = (begin, Vec::new());
    for function in way {
        let child = tree.nodes.get(at).and_then(|node| node.children.get(&Key::Function(*function)));
        // Recursion was folded, so a function that is no child may be the same one again.
        if let Some(child) = child {
            at = *child;
            found.push(at);
        }
    }
    if begin != 0 && !found.is_empty() {
        found.push(begin);
    }
    found
}
