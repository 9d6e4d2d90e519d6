use std::fs;

use redb::{Database, ReadableTable, TableDefinition};

const READINGS: TableDefinition<u64, &[u8]> = TableDefinition::new("readings");
const SENSORS: TableDefinition<&str, u64> = TableDefinition::new("sensors");

struct Reading {
    at: u64,
    sensor: String,
    payload: Vec<u8>,
}

fn readings(count: u64) -> Vec<Reading> {
    (0..count)
        .map(|i| Reading {
            at: 1_700_000_000 + i * 5,
            sensor: format!("sensor-{:02}", i % 24),
            payload: (0..64).map(|b| ((i * 31 + b * 7) % 251) as u8).collect(),
        })
        .collect()
}

fn store(db: &Database, batch: &[Reading]) -> Result<(), redb::Error> {
    for reading in batch {
        let txn = db.begin_write()?;
        {
            let mut table = txn.open_table(READINGS)?;
            table.insert(reading.at, reading.payload.as_slice())?;
            let mut sensors = txn.open_table(SENSORS)?;
            sensors.insert(reading.sensor.as_str(), reading.at)?;
        }
        txn.commit()?;
    }
    Ok(())
}

fn summary(db: &Database) -> Result<(u64, u64), redb::Error> {
    let txn = db.begin_read()?;
    let table = txn.open_table(READINGS)?;
    let mut count = 0;
    let mut sum = 0;
    for row in table.iter()? {
        let (_, value) = row?;
        count += 1;
        sum += value.value().iter().map(|b| u64::from(*b)).sum::<u64>();
    }
    Ok((count, sum))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1000);
    let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let db = Database::create(folder.join("readings.redb"))?;
    store(&db, &readings(count))?;
    let (rows, sum) = summary(&db)?;
    drop(db);
    fs::remove_dir_all(&folder)?;
    println!("rows {} sum {}", rows, sum);
    Ok(())
}
