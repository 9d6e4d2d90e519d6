//! Which functions call each other in circles: Tarjan's strongly connected components, without recursion of our own.

const NONE: u32 = u32::MAX;

/// For each of `functions` the number of its component; functions are in one when each reaches the other by `calls`.
pub(super) fn components(functions: usize, calls: &[(u32, u32)]) -> Vec<u32> {
    let mut search = Search {
        graph: Graph::new(functions, calls),
        seen: vec![NONE; functions],
        low: vec![NONE; functions],
        component: vec![NONE; functions],
        counter: 0,
        components: 0,
        waiting: Vec::new(),
        path: Vec::new(),
    };
    for root in (0..NONE).take(functions) {
        if at(&search.seen, root) == NONE {
            search.enter(root);
            search.walk();
        }
    }
    search.component
}

/// Who is called, function after function.
struct Graph {
    /// Where the callees of each function begin.
    starts: Vec<u32>,
    callees: Vec<u32>,
}

impl Graph {
    fn new(functions: usize, calls: &[(u32, u32)]) -> Self {
        let mut calls = calls.to_vec();
        calls.sort_unstable();
        calls.dedup();
        let mut starts = Vec::with_capacity(functions + 1);
        let mut place = 0;
        for function in (0..NONE).take(functions) {
            starts.push(place);
            let own = calls.get(place as usize..).unwrap_or_default();
            let own = own.iter().take_while(|(caller, _)| *caller <= function).count();
            place += u32::try_from(own).unwrap_or(NONE - place);
        }
        Self { starts, callees: calls.into_iter().map(|(_, callee)| callee).collect() }
    }
}

struct Search {
    graph: Graph,
    /// When each function was seen first, and the earliest one that is reached from it.
    seen: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    counter: u32,
    components: u32,
    /// Seen, but not yet in a component.
    waiting: Vec<u32>,
    /// The way here, each with the callee to look at next.
    path: Vec<(u32, u32)>,
}

impl Search {
    fn enter(&mut self, function: u32) {
        put(&mut self.seen, function, self.counter);
        put(&mut self.low, function, self.counter);
        self.counter += 1;
        self.waiting.push(function);
        self.path.push((function, at(&self.graph.starts, function)));
    }

    fn walk(&mut self) {
        while let Some((function, next)) = self.path.last_mut() {
            let function = *function;
            let end = self.graph.starts.get(function as usize + 1).copied();
            let end = end.unwrap_or(u32::try_from(self.graph.callees.len()).unwrap_or(NONE));
            if *next >= end {
                self.path.pop();
                self.leave(function);
                continue;
            }
            let callee = at(&self.graph.callees, *next);
            *next += 1;
            if at(&self.seen, callee) == NONE {
                self.enter(callee);
            } else if at(&self.component, callee) == NONE {
                self.lower(function, at(&self.seen, callee));
            }
        }
    }

    /// A function that reaches nothing earlier than itself closes a component.
    fn leave(&mut self, function: u32) {
        let low = at(&self.low, function);
        if low == at(&self.seen, function) {
            while let Some(member) = self.waiting.pop() {
                put(&mut self.component, member, self.components);
                if member == function {
                    break;
                }
            }
            self.components += 1;
        }
        if let Some((caller, _)) = self.path.last() {
            self.lower(*caller, low);
        }
    }

    fn lower(&mut self, function: u32, to: u32) {
        let low = at(&self.low, function).min(to);
        put(&mut self.low, function, low);
    }
}

fn at(values: &[u32], place: u32) -> u32 {
    values.get(place as usize).copied().unwrap_or(NONE)
}

fn put(values: &mut [u32], place: u32, value: u32) {
    if let Some(room) = values.get_mut(place as usize) {
        *room = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(functions: usize, calls: &[(u32, u32)], wanted: &[&[u32]]) {
        let found = components(functions, calls);
        for one in 0..functions {
            for other in 0..functions {
                let together = wanted.iter().any(|set| {
                    set.contains(&u32::try_from(one).unwrap()) && set.contains(&u32::try_from(other).unwrap())
                });
                assert_eq!(found[one] == found[other], one == other || together, "{one} {other}");
            }
        }
    }

    #[test]
    fn circles_are_found_and_nothing_else() {
        check(0, &[], &[]);
        check(3, &[(0, 1), (1, 2), (0, 2)], &[]);
        check(3, &[(1, 1), (0, 1)], &[]);
        check(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)], &[&[1, 2]]);
        check(
            6,
            &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 4)],
            &[&[0, 1, 2], &[3, 4, 5]],
        );
        check(4, &[(3, 2), (2, 1), (1, 0), (0, 3)], &[&[0, 1, 2, 3]]);
    }

    #[test]
    fn a_long_chain_does_not_need_a_deep_stack() {
        let calls: Vec<(u32, u32)> = (0..300_000).map(|n| (n, n + 1)).collect();
        let found = components(300_001, &calls);
        assert_ne!(found[0], found[300_000]);
    }
}
