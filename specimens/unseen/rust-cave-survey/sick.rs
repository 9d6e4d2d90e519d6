//! Four explorers sound the galleries of a cave.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const EXPLORERS: usize = 4;

struct Gallery {
    number: u64,
    depth: u64,
}

struct Cave {
    galleries: Vec<Gallery>,
    lamp: AtomicBool,
}

#[derive(Default)]
struct Notes {
    echoes: u64,
    dripstones: u64,
}

impl Cave {
    fn new(count: u64) -> Self {
        let galleries = (0..count)
            .map(|number| {
                let deep = if number % 4 == 0 { 140 } else { 4 };
                Gallery { number, depth: deep + number % 3 }
            })
            .collect();
        Self { galleries, lamp: AtomicBool::new(true) }
    }

    fn keep_lamp(&self) {
        while self.lamp.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(15));
        }
    }
}

fn sound(gallery: &Gallery) -> Notes {
    let mut notes = Notes::default();
    let mut state = gallery.number * 2 + 1;
    for _ in 0..gallery.depth * 250_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        notes.echoes = notes.echoes.wrapping_add(state >> 58);
        if state % 1009 == 0 {
            notes.dripstones += 1;
        }
    }
    notes
}

/// The galleries of one explorer, dealt out like cards.
fn share_out(cave: &Cave, explorer: usize) -> impl Iterator<Item = &Gallery> {
    cave.galleries.iter().skip(explorer).step_by(EXPLORERS)
}

fn explore(cave: &Cave, explorer: usize) -> Notes {
    let mut all = Notes::default();
    for gallery in share_out(cave, explorer) {
        let notes = sound(gallery);
        all.echoes = all.echoes.wrapping_add(notes.echoes);
        all.dripstones += notes.dripstones;
    }
    all
}

fn survey(cave: &Cave) -> Notes {
    thread::scope(|scope| {
        scope.spawn(|| cave.keep_lamp());
        let explorers: Vec<_> =
            (0..EXPLORERS).map(|explorer| scope.spawn(move || explore(cave, explorer))).collect();
        let mut sum = Notes::default();
        for explorer in explorers {
            let notes = explorer.join().unwrap();
            sum.echoes = sum.echoes.wrapping_add(notes.echoes);
            sum.dripstones += notes.dripstones;
        }
        cave.lamp.store(false, Ordering::Relaxed);
        sum
    })
}

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(8);
    let cave = Cave::new(count);
    let notes = survey(&cave);
    println!("{} galleries, {} echoes, {} dripstones", count, notes.echoes, notes.dripstones);
}
