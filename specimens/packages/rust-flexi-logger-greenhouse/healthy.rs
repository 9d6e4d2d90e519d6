//! Waters the beds of a greenhouse for a season and keeps a log of what the valves did.

use std::error::Error;
use std::fs;

use flexi_logger::{FileSpec, Logger, LoggerHandle, WriteMode};
use log::info;

fn start(folder: &str) -> Result<LoggerHandle, Box<dyn Error>> {
    let file = FileSpec::default().directory(folder).basename("valves").suppress_timestamp();
    Ok(Logger::try_with_str("info")?.log_to_file(file).write_mode(WriteMode::BufferAndFlush).start()?)
}

fn water(bed: u32, hour: u32, moisture: u32) -> u32 {
    if moisture > 40 {
        info!("hour {hour} bed {bed} closed at {moisture} percent");
        return moisture - 3;
    }
    info!("hour {hour} bed {bed} open at {moisture} percent");
    moisture + 25
}

fn season(beds: u32, hours: u32) -> u32 {
    let mut moisture: Vec<u32> = (0..beds).map(|bed| 30 + bed % 40).collect();
    for hour in 0..hours {
        for bed in 0..beds {
            moisture[bed as usize] = water(bed, hour, moisture[bed as usize]);
        }
    }
    moisture.iter().sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let hours = std::env::args().nth(1).ok_or("how many hours?")?.parse()?;
    let folder = std::env::temp_dir().join(format!("greenhouse-{}", std::process::id()));
    let folder = folder.to_str().ok_or("a folder with an odd name")?;
    let log = start(folder)?;
    let moisture = season(60, hours);
    log.flush();
    log.shutdown();
    fs::remove_dir_all(folder)?;
    println!("{moisture}");
    Ok(())
}
