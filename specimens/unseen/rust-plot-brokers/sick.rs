// Brokers of building plots ask one price board; the surveyor rewrites it between the rounds.
use std::collections::BTreeMap;
use std::sync::RwLock;
use std::thread;

const PLOTS: usize = 2400;

#[derive(Clone, Copy)]
struct Quote {
    plot: u32,
    price: u64,
    asked: u64,
    area: u32,
    slope: u32,
    distance: [u32; 4],
}

struct Board {
    quotes: RwLock<Vec<Quote>>,
}

impl Board {
    fn new() -> Board {
        let quotes = (0..PLOTS as u32)
            .map(|plot| Quote {
                plot,
                price: 20_000 + (plot as u64 * 7919) % 60_000,
                asked: 0,
                area: 300 + plot * 37 % 900,
                slope: plot * 13 % 30,
                distance: [plot % 17, plot % 29, plot % 41, plot % 53],
            })
            .collect();
        Board { quotes: RwLock::new(quotes) }
    }

    // What a broker sees of the board at this moment.
    fn view<T>(&self, look: impl Fn(&[Quote]) -> T) -> T {
        let quotes = self.quotes.read().unwrap().to_vec();
        look(&quotes)
    }

    fn revise(&self, round: u64) {
        let mut quotes = self.quotes.write().unwrap();
        for quote in quotes.iter_mut() {
            quote.asked += 1;
            let shift = (quote.plot as u64 * 31 + round * 17) % 900;
            quote.price = (quote.price + shift).saturating_sub(440);
        }
    }
}

struct Broker<'a> {
    board: &'a Board,
    state: u64,
    spent: u64,
    bought: BTreeMap<u32, u64>,
}

impl<'a> Broker<'a> {
    fn new(board: &'a Board, seed: u64) -> Broker<'a> {
        Broker { board, state: seed, spent: 0, bought: BTreeMap::new() }
    }

    fn chance(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.state >> 33
    }

    // Worth of a plot to a client: near the station, not too steep.
    fn worth(quote: &Quote) -> u64 {
        let far: u32 = quote.distance.iter().sum();
        let flat = 40 - quote.slope as u64;
        quote.area as u64 * flat * 3 / (1 + far as u64) + 20_000
    }

    fn consider(&mut self) {
        let first = self.chance() as usize % PLOTS;
        let best = self.board.view(|quotes| {
            (0..12)
                .map(|step| quotes[(first + step * 101) % PLOTS])
                .max_by_key(|quote| (Self::worth(quote).saturating_sub(quote.price), quote.plot))
                .unwrap()
        });
        if Self::worth(&best) > best.price {
            self.spent += best.price;
            *self.bought.entry(best.plot).or_insert(0) += best.asked;
        }
    }

    fn day(&mut self, calls: usize) {
        for _ in 0..calls {
            self.consider();
        }
    }
}

fn seal(brokers: &[Broker]) -> u64 {
    let mut hash = 0xcbf29ce484222325u64;
    for broker in brokers {
        for (plot, asked) in &broker.bought {
            hash = (hash ^ *plot as u64).wrapping_mul(0x100000001b3);
            hash = (hash ^ *asked).wrapping_mul(0x100000001b3);
        }
    }
    hash
}

fn main() {
    let calls: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let board = Board::new();
    let mut brokers: Vec<Broker> = (1..=2).map(|seed| Broker::new(&board, seed * 977)).collect();
    for round in 0..10 {
        thread::scope(|scope| {
            for broker in brokers.iter_mut() {
                scope.spawn(move || broker.day(calls));
            }
        });
        board.revise(round);
    }
    let spent: u64 = brokers.iter().map(|broker| broker.spent).sum();
    println!("spent {spent} seal {:016x}", seal(&brokers));
}
