//! Reads the heat meters of a row of houses through their radio gate and writes the bill.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const READERS: usize = 8;

#[derive(Debug, Clone, Copy)]
struct Meter {
    house: u32,
    number: u32,
}

#[derive(Debug)]
struct Reading {
    house: u32,
    units: u64,
}

/// The gate: a meter answers when its radio wakes up.
fn gate(listener: TcpListener) {
    for guest in listener.incoming() {
        let Ok(guest) = guest else { return };
        thread::spawn(move || {
            guest.set_nodelay(true).expect("socket");
            let mut lines = BufReader::new(guest.try_clone().expect("socket")).lines();
            let mut guest = guest;
            while let Some(Ok(line)) = lines.next() {
                let number: u64 = line.trim().parse().unwrap_or(0);
                thread::sleep(Duration::from_millis(4 + number % 3));
                let answer = format!("{}\n", number * 7_919 % 4_001);
                if guest.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        });
    }
}

/// A line to the gate.
struct Line {
    answers: BufReader<TcpStream>,
    out: TcpStream,
}

impl Line {
    fn open(address: SocketAddr) -> std::io::Result<Line> {
        let out = TcpStream::connect(address)?;
        out.set_nodelay(true)?;
        Ok(Line { answers: BufReader::new(out.try_clone()?), out })
    }

    fn read(&mut self, meter: Meter) -> std::io::Result<Reading> {
        self.out.write_all(format!("{}\n", meter.number).as_bytes())?;
        let mut text = String::new();
        self.answers.read_line(&mut text)?;
        let units = text.trim().parse().unwrap_or(0);
        Ok(Reading { house: meter.house, units })
    }
}

/// One of the readers: takes meters from the queue until it is empty.
fn reader(address: SocketAddr, queue: Arc<Mutex<Receiver<Meter>>>, results: Sender<Reading>) {
    let mut line = Line::open(address).expect("gate");
    while let Ok(meter) = queue.lock().unwrap().recv() {
        let reading = line.read(meter).expect("answer");
        if results.send(reading).is_err() {
            return;
        }
    }
}

fn meters(count: u32) -> impl Iterator<Item = Meter> {
    (0..count).map(|number| Meter { house: number * 13 % 29, number })
}

fn tariff(units: u64) -> u64 {
    let low = units.min(1_000);
    let middle = units.saturating_sub(1_000).min(2_000);
    let high = units.saturating_sub(3_000);
    low * 9 + middle * 11 + high * 14
}

fn bill(readings: impl Iterator<Item = Reading>) -> BTreeMap<u32, u64> {
    let mut houses = BTreeMap::new();
    for reading in readings {
        *houses.entry(reading.house).or_insert(0) += tariff(reading.units);
    }
    houses
}

fn main() {
    let count = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(300);
    let listener = TcpListener::bind("127.0.0.1:0").expect("port");
    let address = listener.local_addr().expect("address");
    thread::spawn(move || gate(listener));

    let (jobs, queue) = mpsc::channel();
    let queue = Arc::new(Mutex::new(queue));
    let (results, readings) = mpsc::channel();
    let readers: Vec<_> = (0..READERS)
        .map(|_| {
            let (queue, results) = (Arc::clone(&queue), results.clone());
            thread::spawn(move || reader(address, queue, results))
        })
        .collect();
    drop(results);
    for meter in meters(count) {
        jobs.send(meter).expect("queue");
    }
    drop(jobs);
    let houses = bill(readings.iter());
    for reader in readers {
        reader.join().expect("reader");
    }
    let total: u64 = houses.values().sum();
    let dearest = houses.iter().max_by_key(|(house, cents)| (**cents, **house)).expect("houses");
    println!("{} houses, {} cents, dearest {} with {}", houses.len(), total, dearest.0, dearest.1);
}
