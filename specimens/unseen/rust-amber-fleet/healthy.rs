//! Amber fleet: reads position messages of fishing boats from a text it makes up itself and sums the ways they sailed.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

#[derive(Default, Clone)]
struct Boat {
    last: Option<(f64, f64)>,
    way: f64,
    reports: u32,
    catch: u64,
}

struct Message<'text> {
    boat: &'text str,
    north: f64,
    east: f64,
    catch: u64,
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

/// One hour of messages, one to a line.
fn hour(count: usize, state: &mut u64, text: &mut String) {
    text.clear();
    for _ in 0..count {
        let boat = random(state) % 3000;
        let north = 5400 + random(state) % 300;
        let east = 1800 + random(state) % 400;
        let _ = writeln!(text, "BOAT{boat:04},{}.{:02},{}.{:02},{}", north / 100, north % 100, east / 100, east % 100, random(state) % 90);
    }
}

fn parse(line: &str) -> Option<Message<'_>> {
    let mut parts = line.split(',');
    Some(Message {
        boat: parts.next()?,
        north: parts.next()?.parse().ok()?,
        east: parts.next()?.parse().ok()?,
        catch: parts.next()?.parse().ok()?,
    })
}

/// Great-circle distance in sea miles.
fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (north, other) = (from.0.to_radians(), to.0.to_radians());
    let across = (to.1 - from.1).to_radians();
    let part = ((other - north) / 2.0).sin().powi(2) + north.cos() * other.cos() * (across / 2.0).sin().powi(2);
    2.0 * 3440.065 * part.sqrt().asin()
}

struct Fleet {
    places: HashMap<String, usize>,
    boats: Vec<Boat>,
}

impl Fleet {
    fn boat(&mut self, name: &str) -> &mut Boat {
        let place = match self.places.get(name) {
            Some(place) => *place,
            None => {
                self.places.insert(name.to_string(), self.boats.len());
                self.boats.push(Boat::default());
                self.boats.len() - 1
            }
        };
        &mut self.boats[place]
    }

    fn report(&mut self, message: &Message) {
        let boat = self.boat(message.boat);
        let here = (message.north, message.east);
        if let Some(last) = boat.last {
            boat.way += distance(last, here);
        }
        boat.last = Some(here);
        boat.reports += 1;
        boat.catch += message.catch;
    }
}

fn main() {
    let messages: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let (stop, stopped) = mpsc::channel::<()>();
    let heartbeat = thread::spawn(move || while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(Duration::from_millis(500)) {});
    let mut fleet = Fleet { places: HashMap::new(), boats: Vec::new() };
    let mut state = 1880;
    let mut text = String::new();
    let mut left = messages;
    while left > 0 {
        let now = left.min(20_000);
        hour(now, &mut state, &mut text);
        text.lines().filter_map(parse).for_each(|message| fleet.report(&message));
        left -= now;
    }
    let mut order: Vec<&Boat> = fleet.boats.iter().collect();
    order.sort_by(|one, other| other.way.total_cmp(&one.way));
    drop(stop);
    heartbeat.join().unwrap();
    println!("{} boats, longest way {:.3}, its catch {}, reports {}", order.len(), order[0].way, order[0].catch, fleet.boats.iter().map(|boat| boat.reports).sum::<u32>());
}
