// Counts distinct visitors per quarter of an hour from a gate's counter stream.
use std::env;

const SLOTS: usize = 1 << 23;

struct Stream {
    state: u64,
    quarter: u64,
}

struct Visit {
    ticket: u64,
    gate: u8,
    seconds: u32,
}

impl Stream {
    fn new() -> Stream {
        Stream { state: 0x9e3779b97f4a7c15, quarter: 0 }
    }

    fn step(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn quarter(&mut self, visits: usize) -> Vec<Visit> {
        self.quarter += 1;
        let crowd = 6_000 + self.quarter * 41 % 3_000;
        (0..visits)
            .map(|i| {
                let roll = self.step();
                Visit { ticket: 1 + self.quarter * 977 + roll % crowd, gate: (roll >> 40) as u8 % 12, seconds: i as u32 % 900 }
            })
            .collect()
    }
}

// Open addressing over ticket numbers; sized for the biggest day.
struct Seen {
    slots: Vec<u64>,
    used: Vec<usize>,
}

impl Seen {
    fn new() -> Seen {
        Seen { slots: vec![0; SLOTS], used: Vec::new() }
    }

    fn insert(&mut self, ticket: u64) -> bool {
        let mut at = (ticket.wrapping_mul(0x9e3779b97f4a7c15) >> 41) as usize;
        while self.slots[at] != 0 {
            if self.slots[at] == ticket {
                return false;
            }
            at = (at + 1) & (SLOTS - 1);
        }
        self.slots[at] = ticket;
        self.used.push(at);
        true
    }

    fn len(&self) -> usize {
        self.used.len()
    }
}

struct Report {
    distinct: usize,
    busiest: usize,
    spread: u64,
}

struct Counter {
    gates: [u32; 12],
}

impl Counter {
    fn new() -> Counter {
        Counter { gates: [0; 12] }
    }

    fn quarter(&mut self, visits: &[Visit]) -> Report {
        self.gates = [0; 12];
        let mut seen = Seen::new();
        let mut spread = 0;
        for visit in visits {
            if seen.insert(visit.ticket) {
                self.gates[visit.gate as usize] += 1;
                spread += visit.seconds as u64;
            }
        }
        let busiest = (0..12).max_by_key(|&gate| (self.gates[gate], gate)).unwrap_or(0);
        Report { distinct: seen.len(), busiest, spread }
    }
}

fn smooth(history: &[usize]) -> f64 {
    let mut level = 0.0;
    for &count in history {
        level = level * 0.8 + count as f64 * 0.2;
    }
    level
}

fn main() {
    let quarters: usize = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    let mut stream = Stream::new();
    let mut counter = Counter::new();
    let mut history = Vec::new();
    let mut seal = 0u64;
    for _ in 0..quarters {
        let visits = stream.quarter(14_000);
        let report = counter.quarter(&visits);
        history.push(report.distinct);
        seal = seal.wrapping_mul(31).wrapping_add(report.spread + report.busiest as u64);
    }
    println!("{} {:.2} {:x}", history.iter().sum::<usize>(), smooth(&history), seal);
}
