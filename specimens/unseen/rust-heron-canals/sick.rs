//! Plans boat trips on a wide net of canals: the shortest way between two locks, by the number of steps.

use std::collections::VecDeque;
use std::env;

const SIDE: usize = 3_600;
const NOT_YET: u32 = 0;

/// The net is a grid; some crossings are closed.
struct Net {
    closed: Vec<u64>,
}

impl Net {
    fn new() -> Net {
        let cells = SIDE * SIDE;
        let mut closed = vec![0u64; cells / 64 + 1];
        let mut state = 88_172_645_463_325_252u64;
        for _ in 0..cells / 12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let cell = (state % cells as u64) as usize;
            closed[cell / 64] |= 1 << (cell % 64);
        }
        Net { closed }
    }

    fn is_open(&self, cell: usize) -> bool {
        self.closed[cell / 64] >> (cell % 64) & 1 == 0
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let (row, column) = (cell / SIDE, cell % SIDE);
        let up = (row > 0).then(|| cell - SIDE);
        let down = (row + 1 < SIDE).then(|| cell + SIDE);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < SIDE).then(|| cell + 1);
        [up, down, left, right].into_iter().flatten().filter(|next| self.is_open(*next))
    }
}

#[derive(Clone, Copy)]
struct Trip {
    from: usize,
    to: usize,
}

fn trips(net: &Net, count: usize) -> Vec<Trip> {
    let mut list = Vec::with_capacity(count);
    let mut state = 362_436_069u64;
    while list.len() < count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let row = 100 + (state >> 33) as usize % (SIDE - 200);
        let column = 100 + (state >> 13) as usize % (SIDE - 200);
        let from = row * SIDE + column;
        let to = (row + 15 + (state >> 50) as usize % 12) * SIDE + column + (state >> 45) as usize % 10;
        if net.is_open(from) && net.is_open(to) {
            list.push(Trip { from, to });
        }
    }
    list
}

/// Finds ways by going outward from the start, ring by ring.
struct Planner<'a> {
    net: &'a Net,
    looked_at: u64,
}

impl<'a> Planner<'a> {
    fn new(net: &'a Net) -> Planner<'a> {
        Planner { net, looked_at: 0 }
    }

    fn steps(&mut self, trip: Trip) -> Option<u32> {
        let mut rings = vec![NOT_YET; SIDE * SIDE];
        let mut queue = VecDeque::with_capacity(1_024);
        rings[trip.from] = 1;
        queue.push_back(trip.from);
        let mut found = None;
        while let Some(cell) = queue.pop_front() {
            self.looked_at += 1;
            if cell == trip.to {
                found = Some(rings[cell] - 1);
                break;
            }
            for next in self.net.neighbours(cell) {
                if rings[next] == NOT_YET {
                    rings[next] = rings[cell] + 1;
                    queue.push_back(next);
                }
            }
        }
        found
    }
}

/// Fare by length, with a rebate for long trips.
fn fare(steps: u32) -> u64 {
    let steps = u64::from(steps);
    if steps > 25 { 25 * 40 + (steps - 25) * 25 } else { steps * 40 }
}

fn main() {
    let count = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7_000);
    let net = Net::new();
    let list = trips(&net, count);
    let mut planner = Planner::new(&net);
    let (mut cents, mut nowhere, mut longest) = (0, 0, 0);
    for trip in list {
        match planner.steps(trip) {
            Some(steps) => {
                cents += fare(steps);
                longest = longest.max(steps);
            }
            None => nowhere += 1,
        }
    }
    let crossings = planner.looked_at;
    println!("{count} trips, {cents} cents, {nowhere} without a way, longest {longest}, {crossings} crossings");
}
