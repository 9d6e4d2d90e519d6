// Matches tenders against a board of open works: each tender takes the cheapest gap that fits its window.
use std::env;

#[derive(Clone)]
struct Work {
    trade: u16,
    region: u16,
    title: [u8; 96],
    notes: [u8; 240],
    price: u32,
    contacts: [u32; 20],
    history: [u32; 16],
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as u32
    }
}

struct Tender {
    from: u32,
    to: u32,
    purse: u32,
}

struct Board {
    works: Vec<Work>,
    opens: Vec<u32>,
}

impl Board {
    fn fill(count: usize, dice: &mut Dice) -> Board {
        let mut works = Vec::with_capacity(count);
        let mut opens = Vec::with_capacity(count);
        for i in 0..count {
            let mut work = Work {
                trade: (i % 23) as u16,
                region: (i % 61) as u16,
                title: [b' '; 96],
                notes: [b'.'; 240],
                price: 0,
                contacts: [0; 20],
                history: [0; 16],
            };
            opens.push(dice.next() % 1_000_000);
            work.price = 100 + dice.next() % 90_000;
            work.title[i % 96] = b'A' + (i % 26) as u8;
            work.notes[i % 240] = b'*';
            work.contacts[i % 20] = i as u32;
            work.history[i % 16] = work.price / 2;
            works.push(work);
        }
        Board { works, opens }
    }

    // How many works open within the window, and the sum of their places.
    fn within(&self, tender: &Tender) -> (u32, u64) {
        let mut hits = 0u32;
        let mut places = 0u64;
        for (place, &opens) in self.opens.iter().enumerate() {
            if opens >= tender.from && opens < tender.to {
                hits += 1;
                places += place as u64;
            }
        }
        (hits, places)
    }

    fn cheapest(&self, tender: &Tender, near: usize) -> u32 {
        let start = near % self.works.len();
        let end = (start + 400).min(self.works.len());
        self.works[start..end]
            .iter()
            .filter(|work| work.price <= tender.purse)
            .map(|work| work.price + work.trade as u32 + work.region as u32)
            .min()
            .unwrap_or(0)
    }

    fn digest(&self) -> u64 {
        let mut sum = 1469598103934665603u64;
        for work in self.works.iter().step_by(97) {
            for &byte in work.title.iter().chain(work.notes.iter()) {
                sum = (sum ^ byte as u64).wrapping_mul(1099511628211);
            }
            sum ^= work.contacts[3] as u64 + work.history[2] as u64;
        }
        sum
    }
}

fn tender(dice: &mut Dice, last: u32) -> Tender {
    let from = (dice.next() + last) % 990_000;
    Tender { from, to: from + 2_000, purse: 5_000 + dice.next() % 60_000 }
}

fn main() {
    let rounds: usize = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut dice = Dice(88172645463325252);
    let board = Board::fill(300_000, &mut dice);
    let (mut hits, mut places, mut paid, mut last) = (0u64, 0u64, 0u64, 0u32);
    for _ in 0..rounds {
        let next = tender(&mut dice, last);
        let (found, sum) = board.within(&next);
        last = board.cheapest(&next, sum as usize);
        hits += found as u64;
        places += sum;
        paid += last as u64;
    }
    println!("{hits} {places} {paid} {:x}", board.digest());
}
