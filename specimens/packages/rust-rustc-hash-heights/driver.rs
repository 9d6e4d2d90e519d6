//! Counts how often each height was measured in a survey, and how many were measured once.

use std::error::Error;

use rustc_hash::FxHashMap;

fn survey(points: usize) -> Vec<f64> {
    (0..points).map(|point| ((point * 7919) % 100_003) as f64 / 4.0).collect()
}

fn tally(heights: &[f64]) -> FxHashMap<u64, u32> {
    let mut seen = FxHashMap::default();
    for height in heights {
        *seen.entry(height.to_bits()).or_insert(0) += 1;
    }
    seen
}

fn main() -> Result<(), Box<dyn Error>> {
    let points = std::env::args().nth(1).ok_or("how many points?")?.parse()?;
    let seen = tally(&survey(points));
    let once = seen.values().filter(|times| **times == 1).count();
    println!("{} {once}", seen.len());
    Ok(())
}
