//! Parcel exchange: clerks ask the carriers for a price of each parcel and book the cheaper one.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const CLERKS: usize = 6;
const NAMES: [&str; 8] = ["adder", "bison", "crane", "dingo", "egret", "finch", "gecko", "hyena"];

/// A carrier's office: answers each line with a price after a look into its own books.
fn open_office(rank: u64) -> std::io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for caller in listener.incoming().flatten() {
            thread::spawn(move || answer(caller, rank));
        }
    });
    Ok(port)
}

fn answer(caller: TcpStream, rank: u64) -> std::io::Result<()> {
    caller.set_nodelay(true)?;
    let mut out = caller.try_clone()?;
    for line in BufReader::new(caller).lines() {
        let line = line?;
        let grams: u64 = line.trim().parse().unwrap_or(0);
        thread::sleep(Duration::from_millis(3));
        let cents = 250 + grams * (9 + rank % 4) / 40 + (grams * (rank + 3)) % 71;
        out.write_all(format!("{cents}\n").as_bytes())?;
    }
    Ok(())
}

struct Wire {
    reader: BufReader<TcpStream>,
}

impl Wire {
    fn ask(&mut self, grams: u64) -> std::io::Result<u64> {
        self.reader.get_mut().write_all(format!("{grams}\n").as_bytes())?;
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        Ok(line.trim().parse().unwrap_or(0))
    }
}

/// One carrier as the exchange sees it; free wires are kept for the next call.
struct Carrier {
    port: u16,
    free: Mutex<Vec<Wire>>,
    asked: AtomicUsize,
}

impl Carrier {
    fn new(port: u16) -> Carrier {
        Carrier { port, free: Mutex::new(Vec::new()), asked: AtomicUsize::new(0) }
    }

    fn take(&self) -> std::io::Result<Wire> {
        let kept = self.free.lock().unwrap().pop();
        match kept {
            Some(wire) => Ok(wire),
            None => {
                let stream = TcpStream::connect(("127.0.0.1", self.port))?;
                stream.set_nodelay(true)?;
                Ok(Wire { reader: BufReader::new(stream) })
            }
        }
    }

    fn price(&self, grams: u64) -> std::io::Result<u64> {
        let mut wire = self.take()?;
        let cents = wire.ask(grams)?;
        self.free.lock().unwrap().push(wire);
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(cents)
    }
}

/// The list of carriers; they may sign on and off at any time.
struct Exchange {
    carriers: Mutex<HashMap<String, Arc<Carrier>>>,
}

impl Exchange {
    fn sign_on(&self, name: &str, port: u16) {
        self.carriers.lock().unwrap().insert(name.to_string(), Arc::new(Carrier::new(port)));
    }

    fn quote(&self, name: &str, grams: u64) -> Option<u64> {
        match self.carriers.lock().unwrap().get(name).cloned() {
            Some(carrier) => carrier.price(grams).ok(),
            None => None,
        }
    }

    fn asked(&self) -> usize {
        let carriers = self.carriers.lock().unwrap();
        carriers.values().map(|carrier| carrier.asked.load(Ordering::Relaxed)).sum()
    }
}

struct Parcel {
    number: u64,
    grams: u64,
}

fn parcels(clerk: usize, count: usize) -> impl Iterator<Item = Parcel> {
    (0..count).map(move |at| {
        let number = (at * CLERKS + clerk) as u64;
        Parcel { number, grams: 120 + (number * 7919) % 9000 }
    })
}

fn book(exchange: &Exchange, parcel: &Parcel) -> (u64, &'static str) {
    let first = NAMES[(parcel.number % 8) as usize];
    let second = NAMES[((parcel.number * 3 + 1) % 8) as usize];
    let mut best = (u64::MAX, "none");
    for name in [first, second, "zebra"] {
        if let Some(cents) = exchange.quote(name, parcel.grams) {
            if cents < best.0 {
                best = (cents, name);
            }
        }
    }
    best
}

fn seal(sum: u64, text: &str) -> u64 {
    text.bytes().fold(sum, |sum, byte| (sum ^ byte as u64).wrapping_mul(1_099_511_628_211))
}

fn main() -> std::io::Result<()> {
    let count: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(40);
    let exchange = Arc::new(Exchange { carriers: Mutex::new(HashMap::new()) });
    for (rank, name) in NAMES.iter().enumerate() {
        exchange.sign_on(name, open_office(rank as u64)?);
    }
    let mut clerks = Vec::new();
    for clerk in 0..CLERKS {
        let exchange = Arc::clone(&exchange);
        clerks.push(thread::spawn(move || {
            let mut sum = 14_695_981_039_346_656_037u64;
            for parcel in parcels(clerk, count) {
                let (cents, name) = book(&exchange, &parcel);
                sum = seal(sum, &format!("{} {} {}", parcel.number, name, cents));
            }
            sum
        }));
    }
    let mut total = 0u64;
    for clerk in clerks {
        total = total.rotate_left(7) ^ clerk.join().expect("a clerk left early");
    }
    println!("parcels {} quotes {} seal {:016x}", count * CLERKS, exchange.asked(), total);
    Ok(())
}
