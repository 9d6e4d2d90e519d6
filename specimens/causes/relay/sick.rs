//! Crates walk through three stations, each on its own thread, and come back to the start.

use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread;
use std::time::Duration;

struct Crate {
    number: u64,
    seal: u64,
    weights: Vec<u32>,
}

struct Belt {
    from: Receiver<Crate>,
}

impl Belt {
    fn take(&self) -> Option<Crate> {
        loop {
            match self.from.try_recv() {
                Ok(found) => return Some(found),
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return None,
                Err(std::sync::mpsc::TryRecvError::Empty) => thread::sleep(Duration::from_millis(4)),
            }
        }
    }
}

fn weigh(mut item: Crate, station: u64) -> Crate {
    for round in 0..14_u32 {
        for weight in &mut item.weights {
            *weight = weight.wrapping_mul(1_664_525).wrapping_add(round) ^ (*weight >> 7);
            item.seal = (item.seal ^ u64::from(*weight)).wrapping_mul(0x100_0000_01b3);
        }
    }
    item.seal = item.seal.rotate_left(station as u32);
    item
}

fn stage(station: u64, belt: Belt, to: Sender<Crate>) {
    while let Some(item) = belt.take() {
        if to.send(weigh(item, station)).is_err() {
            return;
        }
    }
}

fn pack(number: u64) -> Crate {
    Crate { number, seal: number, weights: (0..30_000).map(|place| place * 7 + number as u32).collect() }
}

fn sort_all(first: &Sender<Crate>, last: &Belt, crates: u64) -> u64 {
    let mut sum = 0_u64;
    for number in 0..crates {
        if first.send(pack(number)).is_err() {
            break;
        }
        match last.take() {
            Some(done) => sum = sum.wrapping_mul(31).wrapping_add(done.seal ^ done.number),
            None => break,
        }
    }
    sum
}

fn belt() -> (Sender<Crate>, Belt) {
    let (to, from) = channel();
    (to, Belt { from })
}

fn main() {
    let crates = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(110);
    let (first, mut next) = belt();
    let (ended, clerk_waits) = channel::<()>();
    let clerk = thread::spawn(move || clerk_waits.recv().is_err());
    let mut stations = Vec::new();
    for station in 1..=3 {
        let (to, after) = belt();
        let before = std::mem::replace(&mut next, after);
        stations.push(thread::spawn(move || stage(station, before, to)));
    }
    let sum = sort_all(&first, &next, crates);
    drop(first);
    for station in stations {
        if station.join().is_err() {
            std::process::exit(1);
        }
    }
    drop(ended);
    println!("{:016x} {}", sum, clerk.join().unwrap_or(false));
}
