//! Exports a star catalogue as a table and reads it back for a summary.
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

struct Star {
    number: u32,
    ascension: f64,
    declination: f64,
    magnitude: f64,
}

impl Star {
    fn new(number: u32) -> Star {
        let turn = number as f64 * 0.618_033_988_75;
        let ascension = turn.fract() * 360.0;
        let declination = (number as f64 * 0.01).sin() * 89.0;
        Star { number, ascension, declination, magnitude: 2.0 + (number * 7919 % 1000) as f64 / 100.0 }
    }

    /// Rectangular place on the unit sphere, turned for precession.
    fn place(&self) -> [f64; 3] {
        let (a, d) = (self.ascension.to_radians(), self.declination.to_radians());
        let mut place = [d.cos() * a.cos(), d.cos() * a.sin(), d.sin()];
        for year in 0..25 {
            let turn = 2.4e-4 * year as f64;
            place = [place[0] - turn * place[1], place[1] + turn * place[0], place[2]];
        }
        place
    }
}

fn write_row(out: &mut impl Write, star: &Star) -> io::Result<()> {
    let place = star.place();
    writeln!(out, "{},{:.5},{:.5},{:.2},{:.6}", star.number, star.ascension, star.declination, star.magnitude, place[0] + place[1] + place[2])
}

fn export(path: &Path, stars: &[Star]) -> io::Result<()> {
    let mut out = io::BufWriter::new(File::create(path)?);
    writeln!(out, "number,ra,dec,mag,sum")?;
    for star in stars {
        write_row(&mut out, star)?;
    }
    out.flush()
}

struct Summary {
    rows: usize,
    bright: usize,
    sum: f64,
}

fn summarise(path: &Path) -> io::Result<Summary> {
    let mut summary = Summary { rows: 0, bright: 0, sum: 0.0 };
    for line in BufReader::new(File::open(path)?).lines().skip(1) {
        let line = line?;
        let fields: Vec<f64> = line.split(',').filter_map(|field| field.parse().ok()).collect();
        summary.rows += 1;
        summary.bright += usize::from(fields[3] < 3.0);
        summary.sum += fields[4];
    }
    Ok(summary)
}

fn temporary() -> PathBuf {
    env::temp_dir().join(format!("stars-{}.csv", std::process::id()))
}

fn main() -> io::Result<()> {
    let count = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let stars: Vec<Star> = (1..=count).map(Star::new).collect();
    let path = temporary();
    export(&path, &stars)?;
    let summary = summarise(&path)?;
    let size = fs::metadata(&path)?.len();
    fs::remove_file(&path)?;
    println!("rows {} bright {} sum {:.3} size {}", summary.rows, summary.bright, summary.sum, size);
    Ok(())
}
