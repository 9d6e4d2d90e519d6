//! Takes seed packets into a seed bank: one line of fields each.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Packet<'a> {
    genus: &'a str,
    country: &'a str,
    year: u32,
    grains: u32,
    dryness: u32,
}

#[derive(Default)]
struct Bank {
    shelves: HashMap<u64, u64>,
    grains: u64,
    expected: u64,
}

struct Courier {
    state: u64,
    lines: Vec<String>,
}

impl Courier {
    fn new(kinds: usize) -> Self {
        let mut courier = Self { state: 77, lines: Vec::new() };
        let genera = ["Secale", "Hordeum", "Triticum", "Avena", "Panicum"];
        let countries = ["NO", "SE", "FI", "IS", "DK"];
        for kind in 0..kinds {
            let line = format!(
                "{};{};{};{};{};box {};shelf {};lot {};a;b;wild;{}",
                genera[kind % 5],
                countries[courier.draw() as usize % 5],
                1950 + courier.draw() % 70,
                courier.draw() % 5000,
                courier.draw() % 40,
                kind % 300,
                kind % 40,
                kind,
                courier.draw() % 9
            );
            courier.lines.push(line);
        }
        courier
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.state >> 40
    }
}

impl<'a> Packet<'a> {
    fn parse(line: &'a str) -> Self {
        let mut fields = line.split(';').map(str::trim);
        let mut next = || fields.next().unwrap_or_default();
        Self {
            genus: next(),
            country: next(),
            year: next().parse().unwrap_or(0),
            grains: next().parse().unwrap_or(0),
            dryness: next().parse().unwrap_or(0),
        }
    }

    fn shelf(&self) -> u64 {
        let bytes = self.genus.bytes().chain(self.country.bytes());
        bytes.fold(5381, |hash: u64, byte| hash.wrapping_mul(33) ^ u64::from(byte)) % 512
    }

    fn germination(&self) -> u64 {
        let mut chance = 1000 - u64::from(self.dryness);
        for _ in 0..(2026 - self.year) / 8 {
            chance -= chance / 40;
        }
        chance
    }
}

impl Bank {
    fn take_in(&mut self, line: &str) {
        let packet = Packet::parse(line);
        *self.shelves.entry(packet.shelf()).or_default() += 1;
        self.grains += u64::from(packet.grains);
        self.expected += packet.germination() * u64::from(packet.grains) / 1000;
    }
}

fn main() {
    let packets = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000_usize);
    let open = Arc::new(AtomicBool::new(true));
    let degrees = Arc::new(AtomicI64::new(-18));
    let thermometer = thread::spawn({
        let (open, degrees) = (open.clone(), degrees.clone());
        move || {
            while open.load(Ordering::Relaxed) {
                degrees.fetch_xor(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(25));
            }
        }
    });
    let courier = Courier::new(4000);
    let mut bank = Bank::default();
    for packet in 0..packets {
        bank.take_in(&courier.lines[packet % courier.lines.len()]);
    }
    open.store(false, Ordering::Relaxed);
    thermometer.join().unwrap();
    println!("{} shelves, {} grains, {} expected", bank.shelves.len(), bank.grains, bank.expected);
}
