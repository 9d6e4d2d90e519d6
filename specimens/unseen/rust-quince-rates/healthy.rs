//! Quince rates: several desks price fruit shipments; the rates come from an office over the network and are kept.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const DESKS: u32 = 8;

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 17
}

/// The office answers each question for a lane with its rate, after looking it up.
fn office(listener: TcpListener) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { return };
        thread::spawn(move || {
            let mut reader = BufReader::new(stream.try_clone().expect("clone"));
            let mut stream = stream;
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap_or(0) > 0 {
                let lane: u64 = line.trim().parse().unwrap_or(0);
                thread::sleep(Duration::from_millis(3));
                let answer = format!("{}\n", 100 + mix(lane) % 900);
                if stream.write_all(answer.as_bytes()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
}

struct Line {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
    text: String,
}

impl Line {
    fn open(address: SocketAddr) -> Line {
        let stream = TcpStream::connect(address).expect("connect");
        stream.set_nodelay(true).expect("nodelay");
        Line { reader: BufReader::new(stream.try_clone().expect("clone")), stream, text: String::new() }
    }

    fn rate(&mut self, lane: u32) -> u64 {
        self.text.clear();
        self.stream.write_all(format!("{lane}\n").as_bytes()).expect("ask");
        self.reader.read_line(&mut self.text).expect("answer");
        self.text.trim().parse().expect("a number")
    }
}

#[derive(Default)]
struct Rates {
    known: Mutex<HashMap<u32, u64>>,
}

impl Rates {
    fn lookup(&self, line: &mut Line, lane: u32) -> u64 {
        let held = self.known.lock().unwrap().get(&lane).copied();
        match held {
            Some(rate) => rate,
            None => {
                let rate = line.rate(lane);
                *self.known.lock().unwrap().entry(lane).or_insert(rate)
            }
        }
    }
}

struct Shipment {
    lane: u32,
    weight: u64,
}

fn shipments(desk: u32, count: u32) -> impl Iterator<Item = Shipment> {
    (0..count).map(move |n| {
        let value = mix(u64::from(desk) << 32 | u64::from(n));
        let lane = if n % 3 == 0 { desk * 100_000 + n } else { desk * 100_000 + n - n % 3 };
        Shipment { lane, weight: 20 + value % 400 }
    })
}

fn customs(shipment: &Shipment, rate: u64) -> u64 {
    let mut duty = shipment.weight * rate;
    for round in 0..2000 {
        duty = mix(duty + round) % 50_000 + shipment.weight;
    }
    duty
}

fn work(desk: u32, count: u32, rates: &Rates, address: SocketAddr) -> (u64, u64) {
    let mut line = Line::open(address);
    let mut sums = (0, 0);
    for shipment in shipments(desk, count) {
        let rate = rates.lookup(&mut line, shipment.lane);
        sums.0 += rate * shipment.weight;
        sums.1 += customs(&shipment, rate);
    }
    sums
}

fn main() {
    let count: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    let listener = TcpListener::bind("127.0.0.1:0").expect("bind");
    let address = listener.local_addr().expect("address");
    thread::spawn(move || office(listener));

    let rates = Arc::new(Rates::default());
    let desks: Vec<_> = (0..DESKS)
        .map(|desk| {
            let rates = Arc::clone(&rates);
            thread::spawn(move || work(desk, count, &rates, address))
        })
        .collect();
    let mut total = (0, 0);
    for desk in desks {
        let sums = desk.join().expect("desk");
        total = (total.0 + sums.0, total.1 + sums.1);
    }
    println!("desks {DESKS} freight {} duty {}", total.0, total.1);
}
