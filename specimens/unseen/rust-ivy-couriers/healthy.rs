//! A dispatch office for bicycle couriers: each rider calls in after a trip and is told the next one, until the bag is empty.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Copy)]
struct Trip {
    number: u32,
    from: (i32, i32),
    to: (i32, i32),
}

impl Trip {
    fn draw(number: u32) -> Self {
        let spot = |seed: u32| {
            let mixed = seed.wrapping_mul(2_654_435_761);
            ((mixed >> 8 & 127) as i32, (mixed >> 20 & 127) as i32)
        };
        Self { number, from: spot(number * 2 + 1), to: spot(number * 2 + 2) }
    }
}

/// The trips still to be ridden.
struct Bag {
    trips: Vec<Trip>,
    ridden: BTreeMap<u32, u32>,
}

impl Bag {
    fn new(count: u32) -> Self {
        Self { trips: (0..count).map(Trip::draw).collect(), ridden: BTreeMap::new() }
    }

    /// The trip that begins nearest to where the rider stands.
    fn nearest(&mut self, spot: (i32, i32)) -> Option<Trip> {
        let far = |trip: &Trip| (trip.from.0 - spot.0).abs() + (trip.from.1 - spot.1).abs();
        let best = (0..self.trips.len()).min_by_key(|&place| (far(&self.trips[place]), self.trips[place].number))?;
        Some(self.trips.swap_remove(best))
    }
}

struct Office {
    listener: TcpListener,
    closing: AtomicBool,
    bag: Mutex<Bag>,
}

impl Office {
    fn open(count: u32) -> std::io::Result<Arc<Self>> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        Ok(Arc::new(Self { listener, closing: AtomicBool::new(false), bag: Mutex::new(Bag::new(count)) }))
    }

    fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("bound")
    }

    /// Takes calls until the office closes.
    fn serve(&self) {
        while !self.closing.load(Ordering::Acquire) {
            match self.listener.accept() {
                Ok(_) if self.closing.load(Ordering::Acquire) => {}
                Ok((line, _)) => {
                    if let Err(fault) = self.answer(line) {
                        eprintln!("office: {fault}");
                    }
                }
                Err(fault) => eprintln!("office: {fault}"),
            }
        }
    }

    fn answer(&self, line: TcpStream) -> std::io::Result<()> {
        line.set_nonblocking(false)?;
        line.set_nodelay(true)?;
        let mut words = String::new();
        BufReader::new(&line).read_line(&mut words)?;
        let mut numbers = words.split_whitespace().map(|word| word.parse::<i32>().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        let (spot, done, length) = ((next(), next()), next(), next());
        let mut bag = self.bag.lock().expect("nobody panics");
        if length > 0 {
            bag.ridden.insert(done as u32, length as u32);
        }
        let reply = match bag.nearest(spot) {
            Some(trip) => format!("{} {} {} {} {}\n", trip.number, trip.from.0, trip.from.1, trip.to.0, trip.to.1),
            None => "home\n".to_owned(),
        };
        (&line).write_all(reply.as_bytes())
    }

    fn close(&self) {
        self.closing.store(true, Ordering::Release);
        drop(TcpStream::connect(self.address()));
    }
}

struct Rider {
    spot: (i32, i32),
    last: (u32, u32),
    calls: u32,
}

impl Rider {
    fn call(&mut self, office: SocketAddr) -> std::io::Result<Option<Trip>> {
        self.calls += 1;
        let mut line = TcpStream::connect(office)?;
        line.write_all(format!("{} {} {} {}\n", self.spot.0, self.spot.1, self.last.0, self.last.1).as_bytes())?;
        let mut reply = String::new();
        BufReader::new(line).read_line(&mut reply)?;
        let numbers: Vec<i32> = reply.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        Ok(match numbers[..] {
            [number, a, b, c, d] => Some(Trip { number: number as u32, from: (a, b), to: (c, d) }),
            _ => None,
        })
    }

    fn ride(&mut self, trip: Trip) {
        let leg = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).unsigned_abs() + (a.1 - b.1).unsigned_abs();
        self.last = (trip.number, 1 + leg(self.spot, trip.from) + leg(trip.from, trip.to));
        self.spot = trip.to;
    }
}

fn main() -> std::io::Result<()> {
    let count: u32 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(20);
    let office = Office::open(count)?;
    let clerk = {
        let office = office.clone();
        thread::spawn(move || office.serve())
    };
    let mut rider = Rider { spot: (64, 64), last: (0, 0), calls: 0 };
    while let Some(trip) = rider.call(office.address())? {
        rider.ride(trip);
    }
    office.close();
    clerk.join().expect("the clerk goes home");
    let bag = office.bag.lock().expect("nobody panics");
    let length: u32 = bag.ridden.values().sum();
    println!("calls {} trips {} blocks {length} last {:?}", rider.calls, bag.ridden.len(), rider.spot);
    Ok(())
}
