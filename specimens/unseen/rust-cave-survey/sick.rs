//! Two explorers sound a cave at once, each in galleries of their own.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

const EXPLORERS: usize = 2;

#[derive(Default)]
struct Gallery {
    echoes: AtomicU64,
    depth: AtomicU64,
}

struct Cave {
    galleries: [Gallery; EXPLORERS],
    lamp: AtomicBool,
}

impl Gallery {
    #[inline(never)]
    fn echo(&self, delay: u64) {
        let echoes = self.echoes.load(Ordering::Relaxed);
        self.echoes.store(echoes + 1, Ordering::Relaxed);
        if delay & 7 == 0 {
            let depth = self.depth.load(Ordering::Relaxed);
            self.depth.store(depth + delay, Ordering::Relaxed);
        }
    }
}

struct Sounder {
    state: u64,
}

impl Sounder {
    fn ping(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 52
    }
}

fn explore(cave: &Cave, explorer: usize, pings: u64) {
    let mut sounder = Sounder { state: 0x9e37_79b9 + explorer as u64 };
    let gallery = &cave.galleries[explorer];
    for _ in 0..pings {
        gallery.echo(sounder.ping());
    }
}

fn keep_lamp(cave: &Cave) {
    while cave.lamp.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(15));
    }
}

fn draw_map(cave: &Cave) -> u64 {
    let mut ink = 0_u64;
    for gallery in &cave.galleries {
        let depth = gallery.depth.load(Ordering::Relaxed);
        for metre in 0..200_000 {
            ink = ink.wrapping_mul(31).wrapping_add(depth ^ metre);
        }
    }
    ink
}

fn main() {
    let pings = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000_000_u64);
    let cave = Cave { galleries: Default::default(), lamp: AtomicBool::new(true) };
    thread::scope(|scope| {
        scope.spawn(|| keep_lamp(&cave));
        let explorers: Vec<_> = (0..EXPLORERS)
            .map(|explorer| {
                let cave = &cave;
                scope.spawn(move || explore(cave, explorer, pings))
            })
            .collect();
        for explorer in explorers {
            explorer.join().unwrap();
        }
        cave.lamp.store(false, Ordering::Relaxed);
    });
    let echoes: u64 = cave.galleries.iter().map(|gallery| gallery.echoes.load(Ordering::Relaxed)).sum();
    println!("{echoes} echoes, map {:x}", draw_map(&cave));
}
