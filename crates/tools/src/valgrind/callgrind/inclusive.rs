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
    edges: Edges,
    totals: &[u64],
) -> Folded {
    let circles = Circles::new(functions, &edges);
    let inclusive = circles.inclusive(&outer, &nested, &edges, totals);
    let mut called = vec![0_u64; functions.list.len()];
    for (edge, _) in edges.rows.iter() {
        if let Some(called) = called.get_mut(edge.callee.function as usize) {
            // A number of calls that does not fit is a damaged file's.
            *called = called.saturating_add(edge.count);
        }
    }
    let calls = circles.calls(edges);
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
        let homes = self.homes();
        let home = |function: u32| homes.get(function as usize).copied().unwrap_or(u32::MAX);
        let mut sums = Counts::new(totals.len());
        for ((place, found), home) in (0..).zip(&self.functions.list).zip(&homes) {
            sums.push();
            let own = if found.outermost { outer } else { nested };
            sums.add_capped(*home, own.row(place));
        }
        for (edge, counts) in edges.rows.iter() {
            let (caller, callee) = (home(edge.caller.function), home(edge.callee.function));
            let circular = caller == callee && is_outermost(self.functions, edge.callee);
            if is_outermost(self.functions, edge.caller) && !circular {
                sums.add_capped(caller, counts);
            }
        }
        for (place, home) in (0..).zip(&homes) {
            if *home != place {
                let whole = sums.row(*home).to_vec();
                sums.add_capped(place, &whole);
            }
            for (sum, total) in sums.row_mut(place).iter_mut().zip(totals) {
                *sum = (*sum).min(*total);
            }
        }
        sums
    }

    /// For each function the first of its circle: itself where there is none.
    fn homes(&self) -> Vec<u32> {
        // There are no more components than functions.
        let mut first = vec![u32::MAX; self.components.len()];
        let places = (0..).zip(&self.components).map(|(place, component)| {
            let first = first.get_mut(*component as usize)?;
            *first = place.min(*first);
            Some(*first)
        });
        places.map(|home| home.unwrap_or(u32::MAX)).collect()
    }

    /// Each call takes over the costs of its first edge, and those of the others are added.
    fn calls(&self, mut edges: Edges) -> Rows<Call> {
        let (mut calls, mut rows) = (Vec::<Call>::new(), Vec::new());
        let mut places: Table<(u32, u32), usize> = Table::default();
        places.reserve(edges.rows.len());
        for row in 0.. {
            let Some(edge) = edges.rows.thing(row) else { break };
            let (caller, callee, count) = (edge.caller.function, edge.callee.function, edge.count);
            let nested = self.is_nested(edge);
            if nested {
                edges.rows.clear(row);
            }
            let nested = if nested { count } else { 0 };
            let place = *places.entry((caller, callee)).or_insert(calls.len());
            match calls.get_mut(place).zip(rows.get(place)) {
                Some((call, first)) => {
                    call.count.0 = call.count.0.saturating_add(count);
                    call.nested.0 = call.nested.0.saturating_add(nested);
                    edges.rows.merge_capped(*first, row);
                }
                None => {
                    calls.push(Call { caller, callee, count: Count(count), nested: Count(nested) });
                    rows.push(row);
                }
            }
        }
        edges.rows.taken(calls, rows)
    }
}

/// A function that was only seen as a recursion is an ordinary one with such a name.
fn is_outermost(functions: &Functions, context: Context) -> bool {
    let seen = functions.list.get(context.function as usize).is_some_and(|found| found.outermost);
    !context.nested || !seen
}
