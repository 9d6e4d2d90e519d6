//! A colony of gulls over some summers: nests on a cliff, pairs that look for room, and the wind.
use std::collections::{BinaryHeap, HashMap};
use std::env;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    strength: u32,
    number: u32,
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as u32) % limit
    }
}

struct Cliff {
    width: usize,
    height: usize,
    wind: Vec<f32>,
    next: Vec<f32>,
    nests: HashMap<usize, u32>,
}

impl Cliff {
    fn new(width: usize, height: usize, chance: &mut Chance) -> Cliff {
        let wind = (0..width * height).map(|_| chance.below(100) as f32).collect::<Vec<_>>();
        Cliff { width, height, next: wind.clone(), wind, nests: HashMap::new() }
    }

    /// The wind of the next hour: each ledge takes a share of its neighbours'.
    fn blow(&mut self) {
        let width = self.width;
        for row in 1..self.height - 1 {
            let above = &self.wind[(row - 1) * width..row * width];
            let here = &self.wind[row * width..(row + 1) * width];
            let below = &self.wind[(row + 1) * width..(row + 2) * width];
            let out = &mut self.next[row * width..(row + 1) * width];
            for at in 1..width - 1 {
                out[at] = 0.6 * here[at] + 0.1 * (above[at] + below[at] + here[at - 1] + here[at + 1]);
            }
        }
        std::mem::swap(&mut self.wind, &mut self.next);
    }

    fn settle(&mut self, pairs: &mut BinaryHeap<Pair>, chance: &mut Chance) -> u32 {
        let mut refused = 0;
        while let Some(pair) = pairs.pop() {
            let places = self.wind.len() as u32;
            let place = (0..6)
                .map(|_| chance.below(places) as usize)
                .filter(|place| !self.nests.contains_key(place))
                .min_by(|one, other| self.wind[*one].total_cmp(&self.wind[*other]));
            match place {
                Some(place) => {
                    self.nests.insert(place, pair.number);
                }
                None => refused += 1,
            }
        }
        refused
    }

    fn fledged(&self) -> u64 {
        self.nests.keys().map(|&place| if self.wind[place] < 51.0 { 2 } else { 1 }).sum()
    }
}

fn main() {
    let summers: u32 = env::args().nth(1).map_or(2, |text| text.parse().expect("a number of summers"));
    let mut chance = Chance(88_172_645_463_325_252);
    let mut cliff = Cliff::new(600, 400, &mut chance);
    let mut pairs = BinaryHeap::new();
    let (mut young, mut refused) = (0, 0);
    for summer in 0..summers {
        for number in 0..30_000 {
            pairs.push(Pair { strength: chance.below(1000), number: summer * 100_000 + number });
        }
        for _ in 0..120 {
            cliff.blow();
        }
        refused += cliff.settle(&mut pairs, &mut chance);
        young += cliff.fledged();
        cliff.nests.clear();
    }
    println!("{summers} summers, {young} young, {refused} pairs without a nest");
}
