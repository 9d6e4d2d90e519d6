//! Parcels wait at a depot and are handed to couriers in the order of their arrival.

use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug)]
struct Parcel {
    number: u64,
    street: u32,
    grams: u32,
    tries: u32,
}

struct Depot {
    waiting: VecDeque<Parcel>,
    delivered: u64,
    weight: u64,
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

impl Depot {
    fn open() -> Depot {
        Depot { waiting: VecDeque::new(), delivered: 0, weight: 0 }
    }

    fn accept(&mut self, parcel: Parcel) {
        self.waiting.push_back(parcel);
    }

    fn next_parcel(&mut self) -> Option<Parcel> {
        self.waiting.pop_front()
    }
}

fn label(parcel: &Parcel) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for round in 0..300_u64 {
        for byte in (parcel.number + round).to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

fn deliver(depot: &mut Depot, dice: &mut Dice, streets: &mut BTreeMap<u32, u64>) -> u64 {
    let mut sum = 0_u64;
    while let Some(mut parcel) = depot.next_parcel() {
        if parcel.tries < 2 && dice.roll(10) == 0 {
            parcel.tries += 1;
            depot.accept(parcel);
            continue;
        }
        depot.delivered += 1;
        depot.weight += u64::from(parcel.grams);
        *streets.entry(parcel.street).or_default() += 1;
        sum = sum.rotate_left(5) ^ label(&parcel);
    }
    sum
}

fn fill(depot: &mut Depot, dice: &mut Dice, parcels: u64) {
    for number in 0..parcels {
        let street = dice.roll(700) as u32;
        let grams = 50 + dice.roll(9_000) as u32;
        depot.accept(Parcel { number, street, grams, tries: 0 });
    }
}

fn main() {
    let parcels = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60_000);
    let mut dice = Dice(88_172_645_463_325_252);
    let mut depot = Depot::open();
    let mut streets = BTreeMap::new();
    fill(&mut depot, &mut dice, parcels);
    let mut sum = deliver(&mut depot, &mut dice, &mut streets);
    for (street, seen) in &streets {
        sum = sum.wrapping_mul(31).wrapping_add(u64::from(*street) * seen);
    }
    println!("{:016x} {} {}", sum, depot.delivered, depot.weight);
}
