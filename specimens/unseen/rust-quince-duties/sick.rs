//! Works out the customs duty of a ship's parcels from the printed schedule of rates.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

const HEADINGS: u32 = 900;

#[derive(Clone, Copy)]
struct Rate {
    per_mille: u32,
    free_below: u32,
}

struct Parcel {
    number: u32,
    heading: u32,
    value: u32,
}

struct Schedule {
    text: String,
}

impl Schedule {
    fn open(path: &PathBuf) -> io::Result<Schedule> {
        let text = fs::read_to_string(path)?;
        Ok(Schedule { text })
    }

    fn rates(&self) -> BTreeMap<u32, Rate> {
        let mut rates = BTreeMap::new();
        for line in self.text.lines() {
            if line.starts_with('#') {
                continue;
            }
            let mut fields = line.split('|').map(str::trim);
            let heading = fields.next().and_then(|field| field.parse().ok());
            let per_mille = fields.nth(1).and_then(|field| field.parse().ok());
            let free_below = fields.next().and_then(|field| field.parse().ok());
            if let (Some(heading), Some(per_mille), Some(free_below)) = (heading, per_mille, free_below) {
                rates.insert(heading, Rate { per_mille, free_below });
            }
        }
        rates
    }

    fn rate(&self, heading: u32) -> Option<Rate> {
        self.rates().get(&heading).copied()
    }
}

struct Office {
    schedule: Schedule,
    due: u64,
    free: u32,
    unknown: u32,
    seal: u32,
}

impl Office {
    fn clear(&mut self, parcel: &Parcel) {
        match self.schedule.rate(parcel.heading) {
            None => self.unknown += 1,
            Some(rate) if parcel.value < rate.free_below => self.free += 1,
            Some(rate) => self.due += u64::from(parcel.value) * u64::from(rate.per_mille) / 1000,
        }
        self.stamp(parcel);
    }

    fn stamp(&mut self, parcel: &Parcel) {
        let mut ink = parcel.number ^ self.seal;
        for press in 0..4000u32 {
            ink = ink.wrapping_mul(1_664_525).wrapping_add(press ^ (ink >> 11));
        }
        self.seal = ink;
    }
}

fn print_schedule(path: &PathBuf) -> io::Result<()> {
    let mut text = String::from("# heading | goods | per mille | free below\n");
    for heading in 0..HEADINGS {
        let code = 1000 + heading * 7;
        let _ = writeln!(text, "{code} | goods of heading {code} | {} | {}", 10 + heading % 170, heading % 11 * 40);
    }
    fs::write(path, text)
}

fn print_manifest(path: &PathBuf, parcels: u32) -> io::Result<()> {
    let mut out = io::BufWriter::new(fs::File::create(path)?);
    let mut state = 77u32;
    for number in 0..parcels {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        writeln!(out, "{number},{},{}", 1000 + (state >> 8) % (HEADINGS + 20) * 7, (state >> 18) % 5000)?;
    }
    out.flush()
}

fn read_parcel(line: &str) -> Option<Parcel> {
    let mut fields = line.split(',').map(str::parse::<u32>);
    let number = fields.next()?.ok()?;
    let heading = fields.next()?.ok()?;
    let value = fields.next()?.ok()?;
    Some(Parcel { number, heading, value })
}

fn main() -> io::Result<()> {
    let parcels = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(200);
    let folder = std::env::temp_dir().join(format!("duties-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (schedule, manifest) = (folder.join("schedule.txt"), folder.join("manifest.csv"));
    print_schedule(&schedule)?;
    print_manifest(&manifest, parcels)?;
    let mut office = Office { schedule: Schedule::open(&schedule)?, due: 0, free: 0, unknown: 0, seal: 1 };
    for line in BufReader::new(fs::File::open(&manifest)?).lines() {
        if let Some(parcel) = read_parcel(&line?) {
            office.clear(&parcel);
        }
    }
    fs::remove_dir_all(&folder)?;
    println!("due {} free {} unknown {} seal {:08x}", office.due, office.free, office.unknown, office.seal);
    Ok(())
}
