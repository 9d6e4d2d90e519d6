//! Simulates a morning at a post office whose doors open to a long queue.
use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::env;

#[derive(Clone, Debug)]
struct Customer {
    number: u64,
    arrived: u64,
    letters: u32,
    errand: [u32; 4],
}

#[derive(Default)]
struct Counter {
    waiting: VecDeque<Customer>,
    served: u64,
    longest: usize,
    waited: u64,
}

impl Counter {
    fn join(&mut self, customer: Customer) {
        self.waiting.push_back(customer);
        self.longest = self.longest.max(self.waiting.len());
    }

    fn serve(&mut self, now: u64) -> Option<Customer> {
        let customer = self.waiting.pop_front()?;
        self.served += 1;
        self.waited += now - customer.arrived;
        Some(customer)
    }
}

#[derive(Default)]
struct Frame {
    slots: BTreeMap<u32, u64>,
}

impl Frame {
    fn sort(&mut self, customer: &Customer) {
        for letter in 0..customer.letters {
            let mut code = customer.number as u32 ^ letter.wrapping_mul(0x9E37_79B9);
            for errand in customer.errand {
                code = (code ^ errand).wrapping_mul(0x0100_0193).rotate_left(7);
            }
            *self.slots.entry(code % 500).or_default() += 1;
        }
    }

    fn fullest(&self) -> (u32, u64) {
        self.slots.iter().map(|(slot, count)| (*slot, *count)).max_by_key(|(slot, count)| (*count, *slot)).unwrap_or((0, 0))
    }
}

fn customer(number: u64, now: u64) -> Customer {
    let letters = 1 + (number * 7919 % 6) as u32;
    Customer { number, arrived: now, letters, errand: [number as u32, letters, (number % 9) as u32, 3] }
}

fn simulate(count: u64) -> (Counter, Frame) {
    let mut counter = Counter::default();
    let mut frame = Frame::default();
    let early = count / 2;
    for number in 0..early {
        counter.join(customer(number, 0));
    }
    let mut next = early;
    let mut now = 1;
    loop {
        if next < count && now % 2 == 0 {
            counter.join(customer(next, now));
            next += 1;
        }
        match counter.serve(now) {
            Some(done) => frame.sort(&done),
            None if next >= count => break,
            None => {}
        }
        now += 1;
    }
    (counter, frame)
}

fn main() {
    let count = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let (counter, frame) = simulate(count);
    println!("served {} longest {} waited {} fullest {:?}", counter.served, counter.longest, counter.waited, frame.fullest());
}
