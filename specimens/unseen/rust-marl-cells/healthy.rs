//! Soil survey: readings of many probes are brought together for each cell of a field.

use std::env;

/// One reading of a probe, as it came in.
#[derive(Clone, Copy, Default)]
struct Reading {
    cell: u32,
    depth: u16,
    kind: u16,
    moisture: f32,
    acidity: f32,
    salt: f32,
    heat: f32,
    stamp: u64,
}

/// Numbers as a probe's radio would give them, the same in each run.
struct Radio(u64);

impl Radio {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// All readings, and for each cell the places of its own.
struct Field {
    readings: Vec<Reading>,
    starts: Vec<u32>,
}

fn receive(count: usize, cells: u32) -> Vec<Reading> {
    let mut radio = Radio(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|n| {
            let word = radio.next();
            Reading {
                cell: (word >> 20) as u32 % cells,
                depth: (word & 0x7f) as u16,
                kind: (word >> 8 & 3) as u16,
                moisture: (word >> 12 & 0xff) as f32,
                acidity: (word >> 16 & 0x3f) as f32,
                salt: (word >> 40 & 0x1f) as f32,
                heat: (word >> 48 & 0x3f) as f32,
                stamp: n as u64,
            }
        })
        .collect()
}

impl Field {
    fn lay_out(readings: Vec<Reading>, cells: u32) -> Field {
        let mut starts = vec![0u32; cells as usize + 1];
        for reading in &readings {
            starts[reading.cell as usize + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut ends = starts.clone();
        let mut places = vec![0u32; readings.len()];
        for (place, reading) in readings.iter().enumerate() {
            let end = &mut ends[reading.cell as usize];
            places[*end as usize] = place as u32;
            *end += 1;
        }
        let readings = places.iter().map(|&place| readings[place as usize]).collect();
        Field { readings, starts }
    }

    fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    /// Mean moisture of a cell, with weights by depth.
    fn moisture(&self, cell: usize, season: u32) -> f32 {
        let (from, to) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let (mut sum, mut weight) = (0.0f32, 1.0f32);
        for reading in &self.readings[from..to] {
            let share = 1.0 + f32::from(reading.depth) * season as f32 * 0.01;
            sum += reading.moisture * share + reading.acidity - reading.salt * 0.5 + reading.heat * 0.1;
            weight += share;
        }
        sum / weight
    }
}

/// Levels out a row of cells with their neighbours.
fn level(values: &mut [f32]) {
    for at in 1..values.len() - 1 {
        values[at] = (values[at - 1] + 2.0 * values[at] + values[at + 1]) * 0.25;
    }
}

fn season_of(field: &Field, season: u32) -> Vec<f32> {
    let mut values: Vec<f32> = (0..field.cells()).map(|cell| field.moisture(cell, season)).collect();
    level(&mut values);
    values
}

fn main() {
    let count: usize = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let cells = (count / 40) as u32;
    let readings = receive(count, cells);
    let deep = readings.iter().filter(|reading| reading.kind == 3 && reading.depth > 100).count();
    let late = readings.iter().map(|reading| reading.stamp).max().unwrap_or(0);
    let field = Field::lay_out(readings, cells);
    let mut total = 0.0f64;
    for season in 1..=24 {
        total += season_of(&field, season).iter().map(|&value| f64::from(value)).sum::<f64>();
    }
    println!("{count} readings, {cells} cells, {deep} deep, last {late}, sum {total:.3}");
}
