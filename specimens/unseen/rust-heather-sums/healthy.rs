//! Rates the honey of many hives: reads the samples, simulates the ripening of each on two threads, writes the list.
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

const BATCH: usize = 64;

#[derive(Clone)]
struct Sample {
    hive: u32,
    water: f64,
    sugar: f64,
}

#[derive(Clone, Copy, Default)]
struct Grade {
    hive: u32,
    ripeness: f64,
    days: u32,
}

fn write_samples(path: &std::path::Path, count: u32) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut state = 3u32;
    for hive in 0..count {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        writeln!(out, "{hive};{:.2};{:.2}", 17.0 + f64::from(state >> 24) / 32.0, 60.0 + f64::from((state >> 12) % 200) / 10.0)?;
    }
    out.flush()
}

fn read_samples(path: &std::path::Path) -> io::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        let mut fields = line.trim().split(';');
        if let (Some(hive), Some(water), Some(sugar)) = (fields.next(), fields.next(), fields.next()) {
            samples.push(Sample {
                hive: hive.parse().unwrap_or(0),
                water: water.parse().unwrap_or(18.0),
                sugar: sugar.parse().unwrap_or(70.0),
            });
        }
        line.clear();
    }
    Ok(samples)
}

fn ripen(sample: &Sample) -> Grade {
    let (mut water, mut sugar, mut days) = (sample.water, sample.sugar, 0);
    for hour in 0..2400u32 {
        let air = 0.55 + f64::from(hour % 24) * 0.004;
        let loss = (water - 15.0) * 0.0021 * (1.0 - air * 0.4);
        water -= loss;
        sugar += loss * 0.8 - sugar * 0.000_01;
        if water > 18.0 && hour % 24 == 23 {
            days += 1;
        }
    }
    Grade { hive: sample.hive, ripeness: sugar / water, days }
}

fn rate(samples: &[Sample]) -> Vec<Grade> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![Grade::default(); samples.len()]);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                if first >= samples.len() {
                    break;
                }
                let last = samples.len().min(first + BATCH);
                let grades: Vec<Grade> = samples[first..last].iter().map(ripen).collect();
                done.lock().unwrap()[first..last].copy_from_slice(&grades);
            });
        }
    });
    done.into_inner().unwrap()
}

fn write_list(path: &std::path::Path, grades: &[Grade]) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(path)?);
    for grade in grades {
        writeln!(out, "hive {:06} ripeness {:.4} after {} days", grade.hive, grade.ripeness, grade.days)?;
    }
    out.flush()?;
    Ok(fs::metadata(path)?.len())
}

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1000);
    let folder = std::env::temp_dir().join(format!("heather-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let path = folder.join("samples.csv");
    write_samples(&path, count)?;
    let samples = read_samples(&path)?;
    let mut grades = rate(&samples);
    grades.sort_by(|a, b| b.ripeness.total_cmp(&a.ripeness).then(a.hive.cmp(&b.hive)));
    let bytes = write_list(&folder.join("list.txt"), &grades)?;
    fs::remove_dir_all(&folder)?;
    println!("hives {} best {} {:.4} bytes {bytes}", grades.len(), grades[0].hive, grades[0].ripeness);
    Ok(())
}
