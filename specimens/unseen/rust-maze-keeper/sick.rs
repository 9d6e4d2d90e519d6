//! Keeps a maze: carves it, then finds the cheapest way for every guest from gate to gate.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::env;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    row: i32,
    column: i32,
}

impl Place {
    fn next_to(self) -> impl Iterator<Item = Place> {
        [(0, 1), (1, 0), (0, -1), (-1, 0)]
            .into_iter()
            .map(move |(down, right)| Place { row: self.row + down, column: self.column + right })
    }
}

struct Maze {
    side: i32,
    toll: Vec<u8>,
}

struct Way {
    cost: u32,
    opened: usize,
}

impl fmt::Display for Way {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} over {}", self.cost, self.opened)
    }
}

impl Maze {
    fn carve(side: i32, mut seed: u32) -> Maze {
        let toll = (0..side * side)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                if seed % 5 == 0 { 0 } else { 1 + (seed % 9) as u8 }
            })
            .collect();
        Maze { side, toll }
    }

    fn index(&self, place: Place) -> Option<usize> {
        let inside = |at: i32| (0..self.side).contains(&at);
        (inside(place.row) && inside(place.column)).then(|| (place.row * self.side + place.column) as usize)
    }

    fn toll_at(&self, place: Place) -> Option<u32> {
        self.index(place).map(|index| self.toll[index]).filter(|&toll| toll > 0).map(u32::from)
    }

    fn way(&self, from: Place, to: Place) -> Option<Way> {
        let mut best = vec![u32::MAX; self.toll.len()];
        let mut open = BinaryHeap::new();
        let mut opened = 0;
        best[self.index(from)?] = 0;
        open.push(Reverse((0, from)));
        while let Some(Reverse((cost, place))) = open.pop() {
            if place == to {
                return Some(Way { cost, opened });
            }
            if cost > best[self.index(place)?] {
                continue;
            }
            opened += 1;
            for next in place.next_to() {
                let Some(toll) = self.toll_at(next) else { continue };
                let index = self.index(next)?;
                if cost + toll < best[index] {
                    best[index] = cost + toll;
                    open.push(Reverse((cost + toll, next)));
                }
            }
        }
        None
    }
}

fn guests(maze: &Maze, count: i32) -> Way {
    let mut sum = Way { cost: 0, opened: 0 };
    for guest in 0..count {
        let from = Place { row: guest * 7 % maze.side, column: 0 };
        let to = Place { row: guest * 13 % maze.side, column: maze.side - 1 };
        if let Some(way) = maze.way(from, to) {
            sum.cost += way.cost;
            sum.opened += way.opened;
        }
    }
    sum
}

fn main() {
    let count = env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(3);
    let maze = Maze::carve(300, 2463534242);
    println!("ways {}", guests(&maze, count));
}
