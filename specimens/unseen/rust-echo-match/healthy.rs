// Finds known calls in the echoes of a cave: each call is laid over the tape at every step and compared.
use std::fmt::Write;

const CALL: usize = 512;

struct Noise(u32);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn sample(&mut self) -> f32 {
        (self.next() % 17) as f32 - 8.0
    }
}

struct Call {
    name: String,
    wave: Vec<f32>,
    power: f32,
}

struct Match {
    call: usize,
    at: usize,
    likeness: f32,
}

fn record_calls(count: usize, noise: &mut Noise) -> Vec<Call> {
    (0..count)
        .map(|number| {
            let wave: Vec<f32> = (0..CALL).map(|_| noise.sample()).collect();
            let power = likeness(&wave, &wave);
            Call { name: format!("call-{number:02}"), wave, power }
        })
        .collect()
}

fn record_tape(length: usize, calls: &[Call], noise: &mut Noise) -> Vec<f32> {
    let mut tape: Vec<f32> = (0..length).map(|_| noise.sample()).collect();
    for (number, call) in calls.iter().enumerate() {
        let at = (number * 7001 + 900) % (length - CALL);
        tape[at..at + CALL].copy_from_slice(&call.wave);
    }
    tape
}

// How much of one wave is in the other.
fn likeness(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0f32; 16];
    for (one, other) in one.chunks_exact(16).zip(other.chunks_exact(16)) {
        for lane in 0..16 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

fn search(tape: &[f32], calls: &[Call]) -> Vec<Match> {
    let mut found = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        let mut best = Match { call: number, at: 0, likeness: f32::MIN };
        for at in 0..tape.len() - CALL {
            let value = likeness(&tape[at..at + CALL], &call.wave);
            if value > best.likeness {
                best = Match { call: number, at, likeness: value };
            }
        }
        found.push(best);
    }
    found
}

// The quiet stretches of the tape, for the record only.
fn quiet(tape: &[f32]) -> usize {
    tape.windows(16).filter(|part| part.iter().all(|sample| sample.abs() < 7.0)).count()
}

fn report(found: &[Match], calls: &[Call]) -> String {
    let mut text = String::new();
    for one in found {
        let call = &calls[one.call];
        let share = one.likeness / call.power * 100.0;
        write!(text, "{}@{}:{:.0};", call.name, one.at, share).unwrap();
    }
    text
}

fn main() {
    let length: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let mut noise = Noise(2463534242);
    let calls = record_calls(24, &mut noise);
    let tape = record_tape(length, &calls, &mut noise);
    let found = search(&tape, &calls);
    let text = report(&found, &calls);
    let sum = text.bytes().fold(5381u64, |sum, byte| sum.wrapping_mul(33) ^ byte as u64);
    println!("found {} quiet {} sum {:016x}", found.len(), quiet(&tape), sum);
}
