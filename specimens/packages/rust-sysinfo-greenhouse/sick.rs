//! Watches the memory of the host that steers a greenhouse and draws how often it stood in which band.

use sysinfo::System;

const BANDS: u64 = 4;

struct Gauge {
    system: System,
}

struct Reading {
    total: u64,
    available: u64,
}

impl Gauge {
    fn new() -> Self {
        Gauge { system: System::new() }
    }

    fn look(&mut self) -> Reading {
        self.system.refresh_all();
        Reading { total: self.system.total_memory(), available: self.system.available_memory() }
    }
}

fn band(reading: &Reading) -> usize {
    let used = reading.total.saturating_sub(reading.available);
    (used * BANDS / reading.total.max(1)).min(BANDS - 1) as usize
}

fn watch(readings: usize) -> ([usize; BANDS as usize], u64) {
    let mut gauge = Gauge::new();
    let mut bands = [0; BANDS as usize];
    let mut total = 0;
    for _ in 0..readings {
        let reading = gauge.look();
        bands[band(&reading)] += 1;
        total = reading.total;
    }
    (bands, total)
}

fn main() {
    let readings = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("how many readings?");
    let (bands, total) = watch(readings);
    println!("{} readings of {} MiB", bands.iter().sum::<usize>(), total / 1024 / 1024);
}
