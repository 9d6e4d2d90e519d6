//! Reads a catalogue of radio stations, one small table for each.

use std::collections::BTreeMap;
use std::error::Error;

use toml::Value;

fn catalogue(stations: usize) -> String {
    let mut text = String::new();
    for station in 0..stations {
        text.push_str(&format!("[station-{station}]\nname = \"Radio {station}\"\ntags = [\"news\", \"t{}\"]\n\n", station % 40));
    }
    text
}

fn tags(catalogue: &BTreeMap<String, Value>) -> usize {
    catalogue.values().filter_map(|station| station["tags"].as_array()).map(Vec::len).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let stations = std::env::args().nth(1).ok_or("how many stations?")?.parse()?;
    let catalogue: BTreeMap<String, Value> = toml::from_str(&catalogue(stations))?;
    println!("{} {}", catalogue.len(), tags(&catalogue));
    Ok(())
}
