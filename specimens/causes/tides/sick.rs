//! Lets water settle in a basin with an uneven floor and prints the levels.

#[derive(Clone)]
struct Basin {
    side: usize,
    floor: Vec<i32>,
    water: Vec<i32>,
}

struct Gauge {
    name: String,
    place: usize,
    readings: Vec<i32>,
}

fn roll(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 9
}

impl Basin {
    fn dig(side: usize) -> Basin {
        let mut state = 11;
        let floor = (0..side * side).map(|_| (roll(&mut state) % 300) as i32).collect();
        let water = (0..side * side).map(|_| (roll(&mut state) % 5000) as i32).collect();
        Basin { side, floor, water }
    }

    fn level(&self, place: usize) -> i32 {
        self.floor[place] + self.water[place]
    }

    fn relax(&mut self) {
        for y in 1..self.side - 1 {
            for x in 1..self.side - 1 {
                let here = y * self.side + x;
                for there in [here - 1, here + 1, here - self.side, here + self.side] {
                    let fall = self.level(here) - self.level(there);
                    if fall > 1 {
                        let moved = (fall / 4).min(self.water[here]);
                        self.water[here] -= moved;
                        self.water[there] += moved;
                    }
                }
            }
        }
    }

    fn volume(&self) -> i64 {
        self.water.iter().map(|depth| i64::from(*depth)).sum()
    }
}

impl Gauge {
    fn read(&mut self, basin: &Basin) {
        self.readings.push(basin.level(self.place));
    }

    fn spread(&self) -> i32 {
        let most = self.readings.iter().copied().max().unwrap_or(0);
        let least = self.readings.iter().copied().min().unwrap_or(0);
        most - least
    }
}

fn simulate(basin: &mut Basin, gauges: &mut [Gauge], hours: usize) {
    for _ in 0..hours {
        basin.relax();
        for gauge in gauges.iter_mut() {
            gauge.read(basin);
        }
    }
}

fn main() {
    let hours = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(30);
    let mut basin = Basin::dig(480);
    let mut gauges: Vec<Gauge> = (0..40)
        .map(|number| Gauge { name: format!("gauge {number}"), place: 481 + number * 5_003, readings: Vec::new() })
        .collect();
    simulate(&mut basin, &mut gauges, hours);
    let mut sum = basin.volume() as u64;
    for gauge in &gauges {
        sum = sum.wrapping_mul(31).wrapping_add(gauge.spread() as u64 + gauge.name.len() as u64);
    }
    println!("{sum:016x}");
}
