// Works out what it costs to build clocks from parts that are themselves built from parts.
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

type Id = usize;

trait Part {
    fn name(&self) -> &str;
    fn cost(&self, shop: &Shop) -> u64;
    fn weight(&self) -> u64;
}

struct Bought {
    name: String,
    price: u64,
    grams: u64,
}

impl Part for Bought {
    fn name(&self) -> &str {
        &self.name
    }

    fn cost(&self, shop: &Shop) -> u64 {
        self.price * (100 + shop.duty) / 100
    }

    fn weight(&self) -> u64 {
        self.grams
    }
}

struct Built {
    name: String,
    minutes: u64,
    needs: Vec<(Id, u64)>,
}

impl Part for Built {
    fn name(&self) -> &str {
        &self.name
    }

    fn cost(&self, shop: &Shop) -> u64 {
        let material: u64 = self.needs.iter().map(|&(part, count)| count * shop.cost(part) % 1_000_000_007).sum();
        (material + self.minutes * shop.wage) % 1_000_000_007
    }

    fn weight(&self) -> u64 {
        self.needs.len() as u64
    }
}

struct Shop {
    parts: Vec<Box<dyn Part>>,
    duty: u64,
    wage: u64,
    known: RefCell<HashMap<Id, u64>>,
}

impl Shop {
    fn stock(layers: usize, width: usize) -> Self {
        let mut parts: Vec<Box<dyn Part>> = Vec::new();
        for number in 0..width {
            let price = 3 + (number * 7 % 40) as u64;
            parts.push(Box::new(Bought { name: format!("screw {number}"), price, grams: price / 2 + 1 }));
        }
        for layer in 1..layers {
            for number in 0..width {
                let below = (layer - 1) * width;
                let needs = (0..3).map(|step| (below + (number + step * step) % width, 1 + step as u64)).collect();
                parts.push(Box::new(Built { name: format!("group {layer}/{number}"), minutes: (layer + number) as u64, needs }));
            }
        }
        Self { parts, duty: 7, wage: 2, known: RefCell::default() }
    }

    fn cost(&self, id: Id) -> u64 {
        if let Some(&cost) = self.known.borrow().get(&id) {
            return cost;
        }
        let cost = self.parts[id].cost(self);
        self.known.borrow_mut().insert(id, cost);
        cost
    }

    fn top(&self, width: usize) -> impl Iterator<Item = Id> + '_ {
        self.parts.len() - width..self.parts.len()
    }
}

struct Quote {
    lines: BTreeMap<String, u64>,
}

impl Quote {
    fn of(shop: &Shop, width: usize) -> Self {
        let lines = shop.top(width).map(|id| (shop.parts[id].name().to_owned(), shop.cost(id))).collect();
        Self { lines }
    }

    fn mark(&self) -> u64 {
        self.lines.iter().fold(17, |mark, (name, cost)| mark * 31 % 1_000_003 + name.len() as u64 + cost)
    }
}

fn weights(shop: &Shop) -> u64 {
    let mut by_initial: HashMap<char, u64> = HashMap::new();
    for part in &shop.parts {
        *by_initial.entry(part.name().chars().next().unwrap_or('?')).or_default() += part.weight();
    }
    by_initial.values().sum()
}

/// How the teeth of a wheel wear over the years.
fn wear(teeth: usize, turns: u32) -> u64 {
    let mut depth = vec![1000u64; teeth];
    let mut at = 0;
    for turn in 0..turns {
        at = (at + 7 + (turn % 3) as usize) % teeth;
        depth[at] = depth[at] * 4095 / 4096 + u64::from(turn & 1);
    }
    depth.iter().sum()
}

fn tick(stop: Arc<AtomicBool>, ticks: Arc<AtomicU64>) {
    while !stop.load(Ordering::Relaxed) {
        ticks.fetch_add(1, Ordering::Relaxed);
        thread::park_timeout(Duration::from_millis(20));
    }
}

fn main() {
    let layers = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(8);
    let (stop, ticks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let clock = thread::spawn({
        let (stop, ticks) = (stop.clone(), ticks.clone());
        move || tick(stop, ticks)
    });
    let shop = Shop::stock(layers, 12);
    let quote = Quote::of(&shop, 12);
    let worn = wear(61, 20_000_000);
    println!("clocks {} mark {} weight {} worn {worn}", quote.lines.len(), quote.mark(), weights(&shop));
    stop.store(true, Ordering::Relaxed);
    clock.thread().unpark();
    clock.join().expect("the clock stopped badly");
}
