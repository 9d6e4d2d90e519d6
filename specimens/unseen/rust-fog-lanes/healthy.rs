// Plans the lanes of ships in fog: two pilots work out courses in batches, the harbour master settles them.
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;

const SIDE: usize = 96;
const BATCH: u32 = 8;

struct Chart {
    depth: Vec<u8>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    far: std::cmp::Reverse<u32>,
    place: usize,
}

struct Course {
    ship: u32,
    length: u32,
    visited: u32,
}

impl Chart {
    fn new() -> Chart {
        let mut state = 99u32;
        let depth = (0..SIDE * SIDE)
            .map(|_| {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                1 + (state >> 24) as u8 % 9
            })
            .collect();
        Chart { depth }
    }

    fn around(place: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (place / SIDE, place % SIDE);
        let north = (row > 0).then(|| place - SIDE);
        let south = (row + 1 < SIDE).then(|| place + SIDE);
        let west = (column > 0).then(|| place - 1);
        let east = (column + 1 < SIDE).then(|| place + 1);
        [north, south, west, east].into_iter().flatten()
    }
}

struct Pilot<'a> {
    chart: &'a Chart,
    far: Vec<u32>,
    heap: BinaryHeap<Step>,
}

impl<'a> Pilot<'a> {
    fn new(chart: &'a Chart) -> Pilot<'a> {
        Pilot { chart, far: vec![u32::MAX; SIDE * SIDE], heap: BinaryHeap::new() }
    }

    fn course(&mut self, ship: u32) -> Course {
        let from = ship as usize * 977 % (SIDE * SIDE);
        let to = (ship as usize * 4651 + 3000) % (SIDE * SIDE);
        self.far.fill(u32::MAX);
        self.heap.clear();
        self.far[from] = 0;
        self.heap.push(Step { far: std::cmp::Reverse(0), place: from });
        let mut visited = 0;
        while let Some(Step { far: std::cmp::Reverse(far), place }) = self.heap.pop() {
            if place == to {
                break;
            }
            if far > self.far[place] {
                continue;
            }
            visited += 1;
            for next in Chart::around(place) {
                let there = far + 10 - self.chart.depth[next] as u32;
                if there < self.far[next] {
                    self.far[next] = there;
                    self.heap.push(Step { far: std::cmp::Reverse(there), place: next });
                }
            }
        }
        Course { ship, length: self.far[to], visited }
    }
}

// Takes the next batch of ships that nobody has begun, until there is none.
fn pilot_all(chart: &Chart, next: &AtomicU32, ships: u32, out: SyncSender<Vec<Course>>) {
    let mut pilot = Pilot::new(chart);
    loop {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        if first >= ships {
            return;
        }
        let batch = (first..ships.min(first + BATCH)).map(|ship| pilot.course(ship)).collect();
        if out.send(batch).is_err() {
            return;
        }
    }
}

fn settle(courses: Receiver<Vec<Course>>) -> (u64, u64, u32) {
    let (mut length, mut visited, mut odd) = (0u64, 0u64, 0u32);
    for batch in courses {
        for course in batch {
            length += course.length as u64;
            visited += course.visited as u64;
            odd ^= course.ship.wrapping_mul(2654435761) ^ course.length;
        }
    }
    (length, visited, odd)
}

fn main() {
    let ships: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let chart = Chart::new();
    let next = AtomicU32::new(0);
    let (length, visited, odd) = thread::scope(|scope| {
        let (out, courses) = sync_channel(4);
        for _ in 0..2 {
            let out = out.clone();
            scope.spawn(|| pilot_all(&chart, &next, ships, out));
        }
        drop(out);
        settle(courses)
    });
    println!("ships {ships} length {length} visited {visited} odd {odd:08x}");
}
