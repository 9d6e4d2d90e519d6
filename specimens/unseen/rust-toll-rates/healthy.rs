//! Toll desk: prices trips over motorway sections with the tariff that is valid at the moment of the trip.
//! The tariff is replaced now and then while trips come in.

use std::collections::BTreeMap;
use std::env;
use std::sync::{Arc, RwLock};

const CLASSES: usize = 4;
const SEAL_ROUNDS: usize = 500;

#[derive(Clone, Copy)]
struct Section {
    id: u32,
    metres: u32,
    zone: u16,
    cents_per_km: [u16; CLASSES],
}

struct Trip {
    entry: usize,
    sections: usize,
    class: usize,
    night: bool,
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit
    }
}

fn draw_sections(count: usize, edition: u64) -> Vec<Section> {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ edition);
    (0..count)
        .map(|i| {
            let base = 8 + dice.below(14) as u16;
            Section {
                id: 10_000 + i as u32,
                metres: 400 + dice.below(9_000) as u32,
                zone: (i / 64) as u16,
                cents_per_km: [base, base + 4, base * 2, base * 3 + edition as u16],
            }
        })
        .collect()
}

/// The tariff that is valid now; readers take it, the back office replaces it.
struct Tariff {
    sections: RwLock<Arc<Vec<Section>>>,
}

impl Tariff {
    fn new(sections: Vec<Section>) -> Self {
        Tariff { sections: RwLock::new(Arc::new(sections)) }
    }

    fn replace(&self, sections: Vec<Section>) {
        *self.sections.write().unwrap() = Arc::new(sections);
    }

    fn current(&self) -> Arc<Vec<Section>> {
        Arc::clone(&self.sections.read().unwrap())
    }
}

fn draw_trip(dice: &mut Dice, sections: usize) -> Trip {
    let length = 3 + dice.below(40);
    Trip {
        entry: dice.below(sections - length),
        sections: length,
        class: dice.below(CLASSES),
        night: dice.below(5) == 0,
    }
}

fn price(tariff: &Tariff, trip: &Trip) -> (u64, u64, u16) {
    let table = tariff.current();
    let mut tenths = 0u64;
    let mut metres = 0u64;
    let mut last = 0;
    for section in &table[trip.entry..trip.entry + trip.sections] {
        metres += u64::from(section.metres);
        tenths += u64::from(section.metres) * u64::from(section.cents_per_km[trip.class]) / 100;
        last = section.zone;
    }
    if trip.night {
        tenths = tenths * 8 / 10;
    }
    (tenths / 10, metres, last)
}

fn receipt(number: usize, trip: &Trip, cents: u64, check: u64) -> u64 {
    let text = format!("{number:08}/{}/{}/{}.{:02}", trip.entry, trip.class, cents / 100, cents % 100);
    let mut hash = check ^ 0xcbf2_9ce4_8422_2325;
    for _ in 0..SEAL_ROUNDS {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

fn main() {
    let trips: usize = env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(12_000);
    let sections: usize = env::args().nth(2).and_then(|a| a.parse().ok()).unwrap_or(200_000);
    let tariff = Tariff::new(draw_sections(sections, 0));
    let mut dice = Dice(0xD1CE_D1CE_D1CE_D1CE);
    let mut zones: BTreeMap<u16, u64> = BTreeMap::new();
    let mut total = 0;
    let mut way = 0;
    let mut check = 0;
    for number in 0..trips {
        if number > 0 && number % 2_000 == 0 {
            tariff.replace(draw_sections(sections, (number / 2_000) as u64));
        }
        let trip = draw_trip(&mut dice, sections);
        let (cents, metres, zone) = price(&tariff, &trip);
        *zones.entry(zone).or_default() += cents;
        total += cents;
        way += metres;
        check = receipt(number, &trip, cents, check);
    }
    let (zone, most) = zones.iter().max_by_key(|(zone, cents)| (**cents, **zone)).unwrap();
    let first = tariff.current()[0].id;
    println!(
        "trips {trips} cents {total} km {} zones {} best {zone}:{most} first {first} check {check:016x}",
        way / 1000,
        zones.len()
    );
}
