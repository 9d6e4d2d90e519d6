//! The tree as it is written: what matters, with ids, shares that add up, and the kind of each step.

use model::answer::{Answer, Finding, State};
use model::calls::Calls;
use model::performance_map::{Step, StepType};

use super::requests::{self, Requests};
use super::steps::{Key, Node, Tree};

/// Smaller steps are their parent's own time: nothing is won there.
const LEAST: f64 = 0.01;

/// Steps below each other, the program included.
const DEEPEST: usize = 8;

/// Steps in all.
const MOST: usize = 100;

/// The program with all steps that matter.
pub(super) fn shown(tree: &Tree<'_>, answer: &Answer, calls: Option<&Calls>) -> Step {
    let writer = Writer {
        tree,
        kept: kept(tree),
        requests: calls.and_then(|calls| requests::placed(tree, calls)),
        findings: &answer.findings,
        wall_ms: answer.wall.median_s * 1e3,
    };
    writer.step(0, "1".to_owned(), None)
}

/// The largest nodes; a parent is never smaller than its child, so every one kept can be reached.
fn kept(tree: &Tree<'_>) -> Vec<bool> {
    let mut order: Vec<(usize, f64)> = Vec::new();
    let mut open = vec![(0, 1)];
    while let Some((at, depth)) = open.pop() {
        let Some(node) = tree.nodes.get(at) else { continue };
        if depth > DEEPEST || node.share < LEAST {
            continue;
        }
        order.push((at, node.share));
        open.extend(node.children.values().map(|child| (*child, depth + 1)));
    }
    // A child was made after its parent, so among equals the parent comes first.
    order.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut kept = vec![false; tree.nodes.len()];
    for (at, _) in order.iter().take(MOST) {
        if let Some(kept) = kept.get_mut(*at) {
            *kept = true;
        }
    }
    kept
}

struct Writer<'a> {
    tree: &'a Tree<'a>,
    kept: Vec<bool>,
    requests: Option<Requests>,
    findings: &'a [Finding],
    wall_ms: f64,
}

impl Writer<'_> {
    fn step(&self, at: usize, id: String, service: Option<&str>) -> Step {
        let Some(node) = self.tree.nodes.get(at) else { return nothing(id) };
        let service = self.service(node).or_else(|| service.map(str::to_owned));
        let mut children: Vec<(usize, &Node)> = node
            .children
            .values()
            .filter(|child| self.kept.get(**child) == Some(&true))
            .filter_map(|child| Some((*child, self.tree.nodes.get(*child)?)))
            .collect();
        children.sort_by(|one, other| other.1.share.total_cmp(&one.1.share).then(one.0.cmp(&other.0)));
        let hundredths = hundredths(node.share);
        let below: u32 = children.iter().map(|(_, child)| self::hundredths(child.share)).sum();
        let inside = service.as_deref().filter(|_| !matches!(node.key, Key::Wait(_)));
        Step {
            function: self.tree.function(node.key),
            location: self.location(node),
            wall_time_ms: thousandths(node.share * self.wall_ms),
            time_share_pct: f64::from(hundredths) / 100.0,
            self_share_pct: f64::from(hundredths.saturating_sub(below)) / 100.0,
            kind: self.kind(node),
            http_round_trips: self.requests.as_ref().and_then(|requests| requests.of(at)),
            children: (1..)
                .zip(&children)
                .map(|(number, (child, _))| self.step(*child, format!("{id}.{number}"), inside))
                .collect(),
            id,
            service,
        }
    }

    /// The other side of a wait, or the process itself.
    fn service(&self, node: &Node) -> Option<String> {
        match node.key {
            Key::Process(_) => Some(self.tree.function(node.key)),
            Key::Wait(wait) => self.tree.waits.get(wait as usize)?.service.clone(),
            _ => None,
        }
    }

    fn location(&self, node: &Node) -> Option<String> {
        let Key::Function(function) = node.key else { return None };
        let (_, file) = self.tree.functions.get(function as usize)?;
        let file = file.as_ref()?;
        let dearest =
            node.lines.iter().max_by(|one, other| one.1.total_cmp(other.1).then(other.0.cmp(one.0)));
        Some(dearest.map_or_else(|| file.clone(), |(line, _)| format!("{file}:{line}")))
    }

    /// What a finding says of this very function; else what most of its time is.
    fn kind(&self, node: &Node) -> StepType {
        let found = self.findings.iter().find(|finding| {
            matches!(finding.state, State::Confirmed | State::Likely) && self.is_at(finding, node)
        });
        let largest =
            node.kinds.iter().max_by(|one, other| one.1.total_cmp(other.1).then(other.0.cmp(one.0)));
        found
            .and_then(|finding| StepType::of_class(&finding.class))
            .or_else(|| largest.map(|(kind, _)| *kind))
            .unwrap_or(StepType::Cpu)
    }

    fn is_at(&self, finding: &Finding, node: &Node) -> bool {
        let (Some(place), Key::Function(function)) = (&finding.location, node.key) else { return false };
        let named = self.tree.functions.get(function as usize);
        named.is_some_and(|(name, file)| *name == place.function && *file == place.file)
    }
}

/// Percent in hundredths, rounded down, so that children never add up to more than their parent.
#[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "clamped to 0 to 10,000")]
fn hundredths(share: f64) -> u32 {
    (share * 10_000.0 + 1e-6).floor().clamp(0.0, 10_000.0) as u32
}

fn thousandths(value: f64) -> f64 {
    (value * 1e3 + 1e-6).floor() / 1e3
}

/// A node that is not there; never written, for positions come from the tree itself.
fn nothing(id: String) -> Step {
    Step {
        id,
        function: String::new(),
        location: None,
        service: None,
        wall_time_ms: 0.0,
        time_share_pct: 0.0,
        self_share_pct: 0.0,
        kind: StepType::Cpu,
        http_round_trips: None,
        children: Vec::new(),
    }
}
