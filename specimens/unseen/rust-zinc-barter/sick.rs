//! Quotes barter rates: a book of depth levels per metal is kept up to date and read by every quote.
use std::sync::Mutex;

const METALS: usize = 6;
const LEVELS: usize = 2500;

#[derive(Clone, Copy)]
struct Level {
    price: f64,
    weight: f64,
    houses: u64,
}

#[derive(Clone)]
struct Book {
    turn: u64,
    bids: Vec<Level>,
    asks: Vec<Level>,
}

struct Desk {
    book: Mutex<Book>,
}

struct Request {
    metal: usize,
    buying: bool,
    weight: f64,
}

struct Quote {
    price: f64,
    depth: usize,
}

struct Floor {
    desks: Vec<Desk>,
    quoted: u64,
    updated: u64,
}

impl Book {
    fn open(metal: usize) -> Book {
        let middle = 100.0 + 40.0 * metal as f64;
        let side = |sign: f64| {
            (0..LEVELS)
                .map(|i| Level {
                    price: middle + sign * (0.01 + 0.01 * i as f64),
                    weight: 5.0 + ((i * 37 + metal) % 23) as f64,
                    houses: 1 + (i % 5) as u64,
                })
                .collect::<Vec<_>>()
        };
        Book { turn: 0, bids: side(-1.0), asks: side(1.0) }
    }

    fn amend(&mut self, level: usize, weight: f64) {
        self.turn += 1;
        let side = if level % 2 == 0 { &mut self.bids } else { &mut self.asks };
        side[level / 2 % LEVELS].weight = weight;
    }

    fn fill(&self, buying: bool, wanted: f64) -> Quote {
        let side = if buying { &self.asks } else { &self.bids };
        let (mut rest, mut paid, mut depth) = (wanted, 0.0, 0);
        for level in side {
            let part = rest.min(level.weight);
            paid += part * level.price * (1.0 + 0.0001 / level.houses as f64);
            rest -= part;
            depth += 1;
            if rest <= 0.0 {
                break;
            }
        }
        Quote { price: paid / (wanted - rest), depth }
    }
}

impl Desk {
    fn open(metal: usize) -> Desk {
        Desk { book: Mutex::new(Book::open(metal)) }
    }

    fn current(&self) -> Book {
        self.book.lock().unwrap().clone()
    }

    fn amend(&self, level: usize, weight: f64) {
        self.book.lock().unwrap().amend(level, weight);
    }
}

impl Floor {
    fn open() -> Floor {
        Floor { desks: (0..METALS).map(Desk::open).collect(), quoted: 0, updated: 0 }
    }

    fn quote(&mut self, request: &Request) -> Quote {
        self.quoted += 1;
        let book = self.desks[request.metal].current();
        let mut quote = book.fill(request.buying, request.weight);
        if book.turn % 2 == 1 {
            quote.price += 0.005;
        }
        quote
    }

    fn news(&mut self, draw: u64) {
        self.updated += 1;
        let metal = (draw >> 33) as usize % METALS;
        self.desks[metal].amend((draw >> 40) as usize % 400, 3.0 + (draw >> 20 & 31) as f64);
    }
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state ^ *state >> 29
}

fn main() {
    let requests: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(5000);
    let mut floor = Floor::open();
    let (mut state, mut total, mut depth) = (7u64, 0.0, 0usize);
    for number in 0..requests {
        let draw = next(&mut state);
        if number % 64 == 0 {
            floor.news(draw);
        }
        let request = Request {
            metal: (draw >> 50) as usize % METALS,
            buying: draw >> 60 & 1 == 1,
            weight: 6000.0 + (draw >> 24 & 8191) as f64,
        };
        let quote = floor.quote(&request);
        total += quote.price;
        depth += quote.depth;
    }
    println!("quoted {} updated {} depth {} mean {:.4}", floor.quoted, floor.updated, depth, total / requests as f64);
}
