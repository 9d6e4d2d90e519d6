//! Hoop races: the lanes of a meadow grow longer from heat to heat; every heat is run on the track, then checked by a small simulation.

use std::sync::mpsc;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

#[derive(Clone, Copy, Default)]
struct Time {
    heat: usize,
    ticks: u64,
    falls: u32,
}

struct Hoop {
    spin: u64,
    lean: i64,
}

impl Hoop {
    fn new(heat: usize, lane: usize) -> Self {
        Hoop { spin: (heat * 131 + lane * 17 + 1) as u64, lean: 0 }
    }

    fn push(&mut self) -> bool {
        self.spin ^= self.spin << 13;
        self.spin ^= self.spin >> 7;
        self.spin ^= self.spin << 17;
        self.lean += (self.spin & 15) as i64 - 7;
        if self.lean.abs() > 60 {
            self.lean = 0;
            return false;
        }
        true
    }
}

/// The length of a lane; the later the heat, the farther they run.
fn length(heat: usize) -> usize {
    heat * heat * 4 + 400
}

fn time_lane(heat: usize, lane: usize) -> (u64, u32) {
    let mut hoop = Hoop::new(heat, lane);
    let mut ticks = 0;
    let mut falls = 0;
    for _ in 0..length(heat) {
        ticks += 1;
        if !hoop.push() {
            falls += 1;
            ticks += 5;
        }
    }
    (ticks, falls)
}

/// The hoops are on the track for as long as the lane is.
fn track(heat: usize) {
    thread::sleep(Duration::from_micros((heat * heat * 75) as u64));
}

fn heat(number: usize) -> Time {
    let mut time = Time { heat: number, ..Time::default() };
    track(number);
    for lane in 0..16 {
        let (ticks, falls) = time_lane(number, lane);
        time.ticks += ticks;
        time.falls += falls;
    }
    time
}

/// All heats, on as many threads as there are judges.
fn run_heats(heats: usize, judges: usize, board: &mpsc::Sender<usize>) -> Vec<Time> {
    let times = Mutex::new(Vec::with_capacity(heats));
    let each = heats.div_ceil(judges);
    thread::scope(|scope| {
        for judge in 0..judges {
            let times = &times;
            let board = board.clone();
            scope.spawn(move || {
                let mut mine = Vec::new();
                for number in judge * each..((judge + 1) * each).min(heats) {
                    mine.push(heat(number));
                }
                let _ = board.send(mine.len());
                times.lock().unwrap().extend(mine);
            });
        }
    });
    let mut times = times.into_inner().unwrap();
    times.sort_by_key(|time| time.heat);
    times
}

fn rank(times: &[Time]) -> u64 {
    times.iter().fold(7, |sum: u64, time| sum.wrapping_mul(31).wrapping_add(time.ticks ^ u64::from(time.falls) << 20))
}

fn main() {
    let heats: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let (sender, receiver) = mpsc::channel::<usize>();
    let scoreboard = thread::spawn(move || receiver.iter().sum::<usize>());
    let times = run_heats(heats, 6, &sender);
    drop(sender);
    let shown = scoreboard.join().unwrap();
    println!("{} heats shown, rank {:016x}", shown, rank(&times));
}
