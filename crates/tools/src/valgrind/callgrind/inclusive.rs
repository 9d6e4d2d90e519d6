//! From what each activation cost to what each function cost, with all it calls.

use model::Count;

use super::super::hash::Table;
use super::super::rows::{Counts, Rows};
use super::Call;
use super::body::{Context, Edge, Edges, Functions};
use super::circles::components;

/// One of each for each function, and the calls.
pub(super) struct Folded {
    pub(super) own: Counts,
    pub(super) inclusive: Counts,
    pub(super) called: Vec<u64>,
    pub(super) circles: Vec<Option<u32>>,
    pub(super) calls: Rows<Call>,
}

/// Takes self costs of outermost and of nested activations, and what was called from either.
pub(super) fn fold(
    functions: &Functions,
    outer: Counts,
    nested: Counts,
    edges: &Edges,
    totals: &[u64],
) -> Folded {
    let circles = Circles::new(functions, edges);
    let inclusive = circles.inclusive(&outer, &nested, edges, totals);
    let mut called = vec![0_u64; functions.list.len()];
    for (edge, _) in edges.rows.iter() {
        if let Some(called) = called.get_mut(edge.callee.function as usize) {
            // A number of calls that does not fit is a damaged file's.
            *called = called.saturating_add(edge.count);
        }
    }
    let calls = circles.calls(edges, totals.len());
    let mut own = outer;
    for (function, counts) in (0..).zip(nested.iter()) {
        own.add_capped(function, counts);
    }
    let members = (0..functions.list.len()).map(|function| circles.number(function)).collect();
    Folded { own, inclusive, called, circles: members, calls }
}

struct Circles<'f> {
    functions: &'f Functions,
    components: Vec<u32>,
    /// Numbers of components with more than one member.
    numbers: Table<u32, u32>,
}

impl<'f> Circles<'f> {
    fn new(functions: &'f Functions, edges: &Edges) -> Self {
        // Calls seen at different times may form a circle that no stack ever had. Where recursion is marked there is nothing to guess.
        let calls: Vec<(u32, u32)> = match functions.marked() {
            true => Vec::new(),
            false => {
                edges.rows.iter().map(|(edge, _)| (edge.caller.function, edge.callee.function)).collect()
            }
        };
        let components = components(functions.list.len(), &calls);
        let mut sizes: Table<u32, u32> = Table::default();
        let mut numbers = Table::default();
        for component in &components {
            let size = sizes.entry(*component).or_default();
            *size += 1;
            if *size == 2 {
                let number = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                numbers.insert(*component, number);
            }
        }
        Self { functions, components, numbers }
    }

    fn component(&self, function: u32) -> u32 {
        self.components.get(function as usize).copied().unwrap_or(u32::MAX)
    }

    fn number(&self, function: usize) -> Option<u32> {
        self.numbers.get(self.components.get(function)?).copied()
    }

    /// A call that stays in its circle, so that its cost is in that of the outermost call already.
    fn is_nested(&self, edge: &Edge) -> bool {
        let within = self.component(edge.caller.function) == self.component(edge.callee.function);
        within || !is_outermost(self.functions, edge.callee)
    }

    /// What an outermost activation costs itself, and all it calls. A circle's activations are taken together; its inner calls are not
    /// counted, because each contains those below it. Nothing costs more than everything.
    fn inclusive(&self, outer: &Counts, nested: &Counts, edges: &Edges, totals: &[u64]) -> Counts {
        let mut sums = Counts::new(totals.len());
        // There are no more components than functions.
        self.components.iter().for_each(|_| sums.push());
        for ((place, found), component) in (0..).zip(&self.functions.list).zip(&self.components) {
            let own = if found.outermost { outer } else { nested };
            sums.add_capped(*component, own.row(place));
        }
        for (edge, counts) in edges.rows.iter() {
            let component = self.component(edge.caller.function);
            let circular = component == self.component(edge.callee.function)
                && is_outermost(self.functions, edge.callee);
            if is_outermost(self.functions, edge.caller) && !circular {
                sums.add_capped(component, counts);
            }
        }
        let mut inclusive = Counts::new(totals.len());
        for (place, component) in (0..).zip(&self.components) {
            inclusive.push();
            let row = inclusive.row_mut(place).iter_mut();
            for ((sum, count), total) in row.zip(sums.row(*component)).zip(totals) {
                *sum = *count.min(total);
            }
        }
        inclusive
    }

    fn calls(&self, edges: &Edges, events: usize) -> Rows<Call> {
        let mut calls = Rows::new(events);
        let mut places = Table::default();
        for (edge, counts) in edges.rows.iter() {
            let (caller, callee) = (edge.caller.function, edge.callee.function);
            let nothing = Call { caller, callee, count: Count(0), nested: Count(0) };
            // There are no more calls than edges, whose places fit.
            let place = *places.entry((caller, callee)).or_insert_with(|| calls.push(nothing).unwrap_or(0));
            let nested = self.is_nested(edge);
            if let Some(call) = calls.thing_mut(place) {
                call.count.0 = call.count.0.saturating_add(edge.count);
                call.nested.0 = call.nested.0.saturating_add(if nested { edge.count } else { 0 });
            }
            if !nested {
                calls.add_capped(place, counts);
            }
        }
        calls
    }
}

/// A function that was only seen as a recursion is an ordinary one with such a name.
fn is_outermost(functions: &Functions, context: Context) -> bool {
    let seen = functions.list.get(context.function as usize).is_some_and(|found| found.outermost);
    !context.nested || !seen
}
