// Takes the manifests of coal trains from the colliery's office, line by line, and weighs them.
use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

const SORTS: [&str; 6] = ["anthracite", "steam", "house", "gas", "coking", "slack"];

// The other side: sends all wagons of all trains and hangs up.
fn office(listener: TcpListener, wagons: u32) -> io::Result<()> {
    let (line, _) = listener.accept()?;
    let mut out = BufWriter::with_capacity(1 << 16, line);
    let mut state = 12345u32;
    for wagon in 0..wagons {
        state = state.wrapping_mul(1103515245).wrapping_add(12345);
        let sort = SORTS[(state >> 16) as usize % SORTS.len()];
        let tons = 8 + (state >> 20) % 9;
        writeln!(out, "train {} wagon {} {} {}", wagon / 40, wagon % 40, sort, tons)?;
    }
    out.flush()
}

struct Lines {
    line: TcpStream,
    text: Vec<u8>,
}

impl Lines {
    fn open(port: u16) -> io::Result<Lines> {
        let line = TcpStream::connect(("127.0.0.1", port))?;
        Ok(Lines { line, text: Vec::with_capacity(128) })
    }

    fn next(&mut self) -> io::Result<Option<&str>> {
        self.text.clear();
        let mut letter = [0u8; 1];
        while self.line.read(&mut letter)? == 1 {
            if letter[0] == b'\n' {
                return Ok(std::str::from_utf8(&self.text).ok());
            }
            self.text.push(letter[0]);
        }
        Ok(None)
    }
}

#[derive(Default)]
struct Weighhouse {
    tons: HashMap<String, u64>,
    trains: HashMap<u32, u32>,
    sum: u64,
    bad: u32,
}

impl Weighhouse {
    fn weigh(&mut self, line: &str) {
        for byte in line.bytes() {
            self.sum = (self.sum ^ byte as u64).wrapping_mul(0x100000001b3);
        }
        match Self::parse(line) {
            Some((train, sort, tons)) => {
                *self.trains.entry(train).or_default() += 1;
                match self.tons.get_mut(sort) {
                    Some(sofar) => *sofar += tons,
                    None => {
                        self.tons.insert(sort.to_string(), tons);
                    }
                }
            }
            None => self.bad += 1,
        }
    }

    fn parse(line: &str) -> Option<(u32, &str, u64)> {
        let mut words = line.split(' ');
        words.next().filter(|word| *word == "train")?;
        let train = words.next()?.parse().ok()?;
        let sort = words.nth(2)?;
        let tons = words.next()?.parse().ok()?;
        Some((train, sort, tons))
    }
}

fn main() -> io::Result<()> {
    let wagons: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let sender = thread::spawn(move || office(listener, wagons));
    let mut house = Weighhouse::default();
    let mut lines = Lines::open(port)?;
    while let Some(line) = lines.next()? {
        house.weigh(line);
    }
    sender.join().unwrap()?;
    let mut sorts: Vec<_> = house.tons.iter().collect();
    sorts.sort();
    println!("trains {} bad {} first {:?} sum {:016x}", house.trains.len(), house.bad, sorts[0], house.sum);
    Ok(())
}
