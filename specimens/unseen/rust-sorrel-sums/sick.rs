//! Sorrel sums: leaves of random grade are tallied by class, again and again with another price list.

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[derive(Clone, Copy)]
struct Leaf {
    grade: u32,
    grams: u32,
}

#[derive(Default)]
struct Tally {
    fine: Vec<u32>,
    plain: Vec<u32>,
    fine_grams: u64,
    plain_grams: u64,
    changes: u64,
}

impl Tally {
    fn clear(&mut self) {
        self.fine.clear();
        self.plain.clear();
    }
}

struct Basket {
    leaves: Vec<Leaf>,
}

impl Basket {
    fn pick(count: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let leaves = (0..count)
            .map(|_| {
                let value = random.next();
                Leaf { grade: (value >> 20) as u32 % 1000, grams: (value >> 45) as u32 % 30 }
            })
            .collect();
        Basket { leaves }
    }
}

/// Parts the basket at a grade into two heaps of weights.
#[inline(never)]
fn tally(basket: &Basket, limit: u32, into: &mut Tally) {
    for leaf in &basket.leaves {
        if leaf.grade < limit {
            into.plain.push(leaf.grams);
            into.plain_grams += u64::from(leaf.grams);
        } else {
            into.fine.push(leaf.grams);
            into.fine_grams += u64::from(leaf.grams) * 3;
            into.changes += u64::from(leaf.grade & 1);
        }
    }
}

/// The weight of all leaves, whatever their grade.
#[inline(never)]
fn weigh(basket: &Basket) -> u64 {
    basket.leaves.iter().map(|leaf| u64::from(leaf.grams) ^ u64::from(leaf.grade & 3)).sum()
}

fn heaviest(heap: &[u32]) -> u32 {
    heap.iter().copied().max().unwrap_or(0)
}

#[derive(Default)]
struct Year {
    value: u64,
    weight: u64,
    heaviest: u64,
}

fn season(basket: &Basket, limits: std::ops::Range<u32>, tally_of: &mut Tally, year: &mut Year) {
    for limit in limits {
        tally_of.clear();
        tally(basket, 470 + limit % 60, tally_of);
        year.heaviest += u64::from(heaviest(&tally_of.fine)) + u64::from(heaviest(&tally_of.plain));
        year.weight += weigh(basket);
    }
    year.value = year.value.wrapping_mul(31).wrapping_add(tally_of.fine_grams + tally_of.plain_grams);
}

fn main() {
    let seasons: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2);
    let mut tally_of = Tally::default();
    let mut year = Year::default();
    for number in 0..seasons {
        let basket = Basket::pick(100_000, 1729 + number);
        season(&basket, 0..60, &mut tally_of, &mut year);
    }
    println!(
        "{} seasons, value {}, weight {}, heaviest {}, changes {}",
        seasons, year.value, year.weight, year.heaviest, tally_of.changes
    );
}
