//! Exports the trips of a delivery fleet as a table, one row for each stop, with a summary under it.
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy)]
struct Stop {
    van: u32,
    minute: u32,
    crates: u32,
    metres: u32,
}

struct Fleet {
    state: u64,
    vans: u32,
}

#[derive(Default)]
struct Summary {
    stops: u64,
    crates: u64,
    metres: u64,
    late: u64,
}

struct Sheet {
    out: BufWriter<File>,
    rows: u64,
}

fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (south, north) = (from.0.to_radians(), to.0.to_radians());
    let rise = ((north - south) / 2.0).sin().powi(2);
    let run = ((to.1 - from.1).to_radians() / 2.0).sin().powi(2);
    2.0 * 6_371_000.0 * (rise + south.cos() * north.cos() * run).sqrt().asin()
}

impl Fleet {
    fn draw(&mut self, limit: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as u32 % limit
    }

    fn point(&mut self) -> (f64, f64) {
        (50.0 + f64::from(self.draw(9000)) / 45000.0, 8.0 + f64::from(self.draw(9000)) / 30000.0)
    }

    fn stop(&mut self) -> Stop {
        let via: Vec<(f64, f64)> = (0..40).map(|_| self.point()).collect();
        let metres = via.windows(2).map(|leg| distance(leg[0], leg[1])).sum::<f64>();
        Stop { van: self.draw(self.vans), minute: self.draw(1440), crates: 1 + self.draw(40), metres: metres as u32 }
    }
}

impl Summary {
    fn add(&mut self, stop: &Stop) {
        self.stops += 1;
        self.crates += u64::from(stop.crates);
        self.metres += u64::from(stop.metres);
        if stop.minute > 1080 {
            self.late += 1;
        }
    }
}

impl Sheet {
    fn create(path: &Path) -> io::Result<Sheet> {
        let mut out = BufWriter::new(File::create(path)?);
        out.write_all(b"van;clock;crates;kilometres\n")?;
        Ok(Sheet { out, rows: 0 })
    }

    fn row(&mut self, stop: &Stop) -> io::Result<()> {
        self.rows += 1;
        writeln!(
            self.out,
            "V{:04};{:02}:{:02};{};{}.{:03}",
            stop.van,
            stop.minute / 60,
            stop.minute % 60,
            stop.crates,
            stop.metres / 1000,
            stop.metres % 1000
        )
    }

    fn finish(mut self, summary: &Summary) -> io::Result<u64> {
        writeln!(self.out, "all;{};{};{}", summary.late, summary.crates, summary.metres)?;
        self.out.flush()?;
        Ok(self.rows)
    }
}

fn collect(count: usize) -> Vec<Stop> {
    let mut fleet = Fleet { state: 0x9e3779b97f4a7c15, vans: 320 };
    let mut stops: Vec<Stop> = (0..count).map(|_| fleet.stop()).collect();
    stops.sort_by_key(|stop| (stop.van, stop.minute, stop.metres, stop.crates));
    stops
}

fn export(stops: &[Stop], path: &Path) -> io::Result<(u64, Summary)> {
    let mut sheet = Sheet::create(path)?;
    let mut summary = Summary::default();
    for stop in stops {
        summary.add(stop);
        sheet.row(stop)?;
    }
    let rows = sheet.finish(&summary)?;
    Ok((rows, summary))
}

fn seal(path: &Path) -> io::Result<u32> {
    let bytes = fs::read(path)?;
    Ok(bytes.iter().fold(2166136261u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(16777619)))
}

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(5000);
    let path: PathBuf = std::env::temp_dir().join(format!("fleet-{}.csv", std::process::id()));
    let stops = collect(count);
    let outcome = export(&stops, &path).and_then(|(rows, summary)| Ok((rows, summary, seal(&path)?)));
    let _ = fs::remove_file(&path);
    let (rows, summary, seal) = outcome?;
    println!("rows {} stops {} late {} crates {} seal {:08x}", rows, summary.stops, summary.late, summary.crates, seal);
    Ok(())
}
