//! Piers of walnut wood need to know the tide: a crew asks the tide house for each pier and works out how long it stands dry.
use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const CREW: usize = 6;

#[derive(Clone)]
struct Pier {
    number: usize,
    harbour: u32,
    deck: i32,
}

#[derive(Clone, Copy, Default)]
struct Finding {
    low: i32,
    high: i32,
    dry: u32,
}

/// A line to the tide house that stays open for the whole shift.
struct Line {
    hear: BufReader<TcpStream>,
    say: TcpStream,
    answer: String,
}

impl Line {
    fn open(house: SocketAddr) -> io::Result<Line> {
        let say = TcpStream::connect(house)?;
        say.set_nodelay(true)?;
        Ok(Line { hear: BufReader::new(say.try_clone()?), say, answer: String::new() })
    }

    fn tide(&mut self, harbour: u32) -> io::Result<(i32, i32)> {
        self.say.write_all(format!("TIDE {harbour}\n").as_bytes())?;
        self.answer.clear();
        self.hear.read_line(&mut self.answer)?;
        let mut numbers = self.answer.split_whitespace().map(|word| word.parse().unwrap_or(0));
        Ok((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
    }
}

/// What is still to be asked, and what was found so far.
struct Roster {
    open: Mutex<VecDeque<Pier>>,
    found: Mutex<Vec<Finding>>,
}

impl Roster {
    fn new(piers: &[Pier]) -> Roster {
        Roster {
            open: Mutex::new(piers.iter().cloned().collect()),
            found: Mutex::new(vec![Finding::default(); piers.len()]),
        }
    }

    fn record(&self, number: usize, finding: Finding) {
        self.found.lock().expect("the findings")[number] = finding;
    }
}

fn dry_minutes(pier: &Pier, low: i32, high: i32) -> u32 {
    let (middle, swing) = (f64::from(low + high) / 2.0, f64::from(high - low) / 2.0);
    (0..1440)
        .filter(|minute| {
            let level = middle + swing * (f64::from(*minute) / 745.0 * std::f64::consts::TAU).sin();
            level < f64::from(pier.deck) * 0.25
        })
        .count() as u32
}

fn shift(roster: &Roster, house: SocketAddr) -> io::Result<usize> {
    let mut line = Line::open(house)?;
    let mut done = 0;
    loop {
        let next = roster.open.lock().expect("the roster").pop_front();
        let Some(pier) = next else { break };
        let (low, high) = line.tide(pier.harbour)?;
        let dry = dry_minutes(&pier, low, high);
        roster.record(pier.number, Finding { low, high, dry });
        done += 1;
    }
    Ok(done)
}

/// One caller of the tide house; the keeper climbs down to read the staff each time.
fn attend(caller: TcpStream) -> io::Result<()> {
    let mut say = caller.try_clone()?;
    say.set_nodelay(true)?;
    for line in BufReader::new(caller).lines() {
        let line = line?;
        let harbour: i32 = line.strip_prefix("TIDE ").and_then(|text| text.parse().ok()).unwrap_or(0);
        thread::sleep(Duration::from_millis(3));
        let low = harbour * 37 % 41;
        say.write_all(format!("{low} {}\n", low + 90 + harbour * 13 % 70).as_bytes())?;
    }
    Ok(())
}

fn tide_house() -> io::Result<SocketAddr> {
    let door = TcpListener::bind("127.0.0.1:0")?;
    let address = door.local_addr()?;
    thread::spawn(move || {
        for caller in door.incoming().flatten() {
            thread::spawn(move || attend(caller));
        }
    });
    Ok(address)
}

fn survey(count: usize) -> Vec<Pier> {
    let mut state = 1_234_567u32;
    (0..count)
        .map(|number| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Pier { number, harbour: (state >> 9) % 300, deck: 60 + (state >> 20) as i32 % 400 }
        })
        .collect()
}

/// The order in which the joiners visit: driest first, then the lowest tide.
fn plan(found: &[Finding]) -> u64 {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|place| (u32::MAX - found[*place].dry, found[*place].low, found[*place].high, *place));
    order.iter().fold(17, |sum: u64, place| sum.wrapping_mul(31).wrapping_add(*place as u64))
}

fn main() -> io::Result<()> {
    let count = env::args().nth(1).map_or(12, |text| text.parse().expect("a number of piers"));
    let house = tide_house()?;
    let roster = Arc::new(Roster::new(&survey(count)));
    let crew: Vec<_> = (0..CREW)
        .map(|_| {
            let roster = Arc::clone(&roster);
            thread::spawn(move || shift(&roster, house))
        })
        .collect();
    let mut done = 0;
    for member in crew {
        done += member.join().expect("a member of the crew")?;
    }
    let found = roster.found.lock().expect("the findings");
    let dry: u64 = found.iter().map(|finding| u64::from(finding.dry)).sum();
    println!("{done} piers, {dry} dry minutes, plan {:016x}", plan(&found));
    Ok(())
}
