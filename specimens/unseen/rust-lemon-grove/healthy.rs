//! Looks at all wells of a lemon grove; each well is read by a small program of its own.
use std::collections::BTreeMap;
use std::env;
use std::io;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

struct Reading {
    well: u32,
    depth: u32,
    salt: u32,
}

impl Reading {
    fn parse(text: &str) -> Option<Reading> {
        let mut words = text.split_whitespace().map(|word| word.parse::<u32>());
        Some(Reading { well: words.next()?.ok()?, depth: words.next()?.ok()?, salt: words.next()?.ok()? })
    }
}

/// The program that reads one well: lets a sinker down, waits until it is quiet and prints what it found.
fn read_well(well: u32) {
    thread::sleep(Duration::from_millis(18 + u64::from(well % 4) * 4));
    let depth = 12 + well.wrapping_mul(2_654_435_761) % 60;
    println!("{well} {depth} {}", depth * 7 % 31);
}

fn probe(well: u32) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("well").arg(well.to_string()).stdin(Stdio::null()).stdout(Stdio::piped());
    Ok(command)
}

fn understand(output: &Output) -> io::Result<Reading> {
    let text = String::from_utf8_lossy(&output.stdout);
    Reading::parse(&text).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, text.into_owned()))
}

struct Grove {
    wells: Vec<u32>,
    terraces: BTreeMap<u32, u32>,
}

impl Grove {
    fn new(wells: u32) -> Grove {
        Grove { wells: (1..=wells).collect(), terraces: BTreeMap::new() }
    }

    fn readings(&self) -> io::Result<Vec<Reading>> {
        let mut readings = Vec::with_capacity(self.wells.len());
        for wells in self.wells.chunks(16) {
            let children = wells.iter().map(|&well| probe(well)?.spawn()).collect::<io::Result<Vec<_>>>()?;
            for child in children {
                readings.push(understand(&child.wait_with_output()?)?);
            }
        }
        Ok(readings)
    }

    fn water(&mut self, readings: &[Reading]) -> u64 {
        let mut total = 0;
        for reading in readings {
            let litres = need(reading);
            *self.terraces.entry(reading.well % 6).or_default() += litres;
            total += u64::from(litres);
        }
        total
    }
}

/// How many litres the trees around a well need.
fn need(reading: &Reading) -> u32 {
    let mut litres = reading.depth * 10 + reading.salt;
    for tree in 0..20_000u32 {
        litres = (litres * 29 + tree) % 4093;
    }
    litres
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    if arguments.len() == 3 && arguments[1] == "well" {
        read_well(arguments[2].parse().expect("a well"));
        return Ok(());
    }
    let wells = arguments.get(1).map_or(6, |text| text.parse().expect("a number of wells"));
    let mut grove = Grove::new(wells);
    let readings = grove.readings()?;
    let deepest = readings.iter().max_by_key(|reading| (reading.depth, reading.well)).map_or(0, |reading| reading.well);
    let total = grove.water(&readings);
    println!("{} wells, deepest {deepest}, {total} litres, {:?}", readings.len(), grove.terraces);
    Ok(())
}
