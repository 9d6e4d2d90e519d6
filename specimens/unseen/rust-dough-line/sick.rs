//! A bakery line: orders come in at one end, bakers take them and weigh, knead and bake.

use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

struct Order {
    number: u32,
    loaves: u32,
}

struct Loaf {
    order: u32,
    crust: u64,
}

fn knead(order: &Order) -> u64 {
    let mut dough = [0u64; 32];
    let mut salt = u64::from(order.number) + 1;
    for turn in 0..order.loaves as usize * 1800 {
        salt ^= salt << 13;
        salt ^= salt >> 7;
        salt ^= salt << 17;
        let at = turn & 31;
        dough[at] = dough[at].rotate_left(5) ^ dough[(at + 7) & 31].wrapping_add(salt);
    }
    dough.iter().fold(0, |sum, part| sum ^ part)
}

fn bake(orders: Arc<Mutex<Receiver<Order>>>, rack: Sender<Loaf>) {
    while let Ok(order) = orders.lock().unwrap().recv() {
        let crust = knead(&order);
        if rack.send(Loaf { order: order.number, crust }).is_err() {
            return;
        }
    }
}

struct Bakery {
    window: Option<Sender<Order>>,
    bakers: Vec<JoinHandle<()>>,
    rack: Receiver<Loaf>,
}

impl Bakery {
    fn open(count: usize) -> Bakery {
        let (window, orders) = channel();
        let (shelf, rack) = channel();
        let orders = Arc::new(Mutex::new(orders));
        let bakers = (0..count)
            .map(|_| {
                let (orders, shelf) = (Arc::clone(&orders), shelf.clone());
                thread::spawn(move || bake(orders, shelf))
            })
            .collect();
        Bakery { window: Some(window), bakers, rack }
    }

    fn take(&self, order: Order) {
        if let Some(window) = &self.window {
            window.send(order).expect("a baker");
        }
    }

    fn close(mut self) -> Vec<Loaf> {
        self.window.take();
        let mut loaves: Vec<Loaf> = self.rack.iter().collect();
        for baker in self.bakers {
            baker.join().expect("a whole baker");
        }
        loaves.sort_by_key(|loaf| loaf.order);
        loaves
    }
}

fn main() {
    let orders: u32 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(500);
    let bakery = Bakery::open(4);
    for number in 0..orders {
        bakery.take(Order { number, loaves: 20 + number * 7 % 40 });
    }
    let mut sum = 0u64;
    for loaf in bakery.close() {
        sum = sum.wrapping_mul(31).wrapping_add(loaf.crust);
    }
    println!("loaves {sum:016x}");
}
