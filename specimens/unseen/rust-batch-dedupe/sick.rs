// Import of delivery receipts: each batch is cleared of receipts named twice, then booked per depot.
use std::collections::HashMap;
use std::env;

const RECEIPTS: usize = 48 << 20;
const DEPOTS: usize = 64;

#[derive(Clone, Copy)]
struct Receipt {
    number: u32,
    depot: u8,
    cents: u32,
}

struct Source {
    state: u64,
}

impl Source {
    fn draw(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let mixed = self.state ^ (self.state >> 29);
        mixed.wrapping_mul(0xBF58476D1CE4E5B9) >> 16
    }

    fn fill(&mut self, batch: &mut Vec<Receipt>, size: usize) {
        batch.clear();
        while batch.len() < size {
            let receipt = Receipt {
                number: (self.draw() % RECEIPTS as u64) as u32,
                depot: (self.draw() % DEPOTS as u64) as u8,
                cents: (self.draw() % 90_000) as u32,
            };
            batch.push(receipt);
            if self.draw() % 9 == 0 && batch.len() < size {
                batch.push(receipt);
            }
        }
    }
}

struct Filter {
    dropped: usize,
}

impl Filter {
    fn new() -> Filter {
        Filter { dropped: 0 }
    }

    fn unique(&mut self, batch: &[Receipt], kept: &mut Vec<Receipt>) {
        kept.clear();
        let mut seen = vec![0u8; RECEIPTS];
        for receipt in batch {
            let mark = &mut seen[receipt.number as usize];
            if *mark == 0 {
                *mark = 1;
                kept.push(*receipt);
            } else {
                self.dropped += 1;
            }
        }
    }
}

#[derive(Default)]
struct Ledger {
    depots: HashMap<u8, (u64, u64)>,
    journal: u64,
}

impl Ledger {
    fn book(&mut self, receipts: &mut [Receipt]) {
        receipts.sort_unstable_by_key(|r| (r.depot, r.number, r.cents));
        let mut at = 0;
        while at < receipts.len() {
            let depot = receipts[at].depot;
            let entry = self.depots.entry(depot).or_insert((0, 0));
            while at < receipts.len() && receipts[at].depot == depot {
                entry.0 += 1;
                entry.1 += receipts[at].cents as u64;
                self.journal = (self.journal ^ receipts[at].number as u64).wrapping_mul(0x100000001B3);
                at += 1;
            }
        }
    }

    fn richest(&self) -> (u8, u64) {
        let mut best = (0, 0);
        for (depot, (_, cents)) in &self.depots {
            if *cents > best.1 || (*cents == best.1 && *depot < best.0) {
                best = (*depot, *cents);
            }
        }
        best
    }
}

fn main() {
    let batches: usize = env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(50);
    let mut source = Source { state: 1234567 };
    let mut filter = Filter::new();
    let mut ledger = Ledger::default();
    let mut batch = Vec::new();
    let mut kept = Vec::new();
    for _ in 0..batches {
        source.fill(&mut batch, 12_000);
        filter.unique(&batch, &mut kept);
        ledger.book(&mut kept);
    }
    let booked: u64 = ledger.depots.values().map(|(count, _)| count).sum();
    let (depot, cents) = ledger.richest();
    println!(
        "booked={} dropped={} richest={}/{} journal={:016x}",
        booked, filter.dropped, depot, cents, ledger.journal
    );
}
