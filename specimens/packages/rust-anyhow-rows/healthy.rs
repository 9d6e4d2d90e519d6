//! Goes over the rows of a survey: adds up the answers that are numbers and counts the others by reason.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

fn rows(count: usize) -> Vec<String> {
    (0..count)
        .map(|row| match row % 4 {
            0 => format!("{row};no answer"),
            1 => format!("{row}"),
            _ => format!("{row};{}", row * 31 % 120),
        })
        .collect()
}

fn answer(row: &str) -> Result<u64, &'static str> {
    let (_, answer) = row.split_once(';').ok_or("short row")?;
    answer.parse().map_err(|_| "not a number")
}

fn tally(rows: &[String]) -> (u64, BTreeMap<String, usize>) {
    let (mut total, mut reasons) = (0, BTreeMap::new());
    for row in rows {
        match answer(row) {
            Ok(answer) => total += answer,
            Err(reason) => *reasons.entry(reason.to_string()).or_insert(0) += 1,
        }
    }
    (total, reasons)
}

fn main() -> Result<()> {
    let count = std::env::args().nth(1).context("how many rows?")?.parse()?;
    let (total, reasons) = tally(&rows(count));
    println!("{total} {reasons:?}");
    Ok(())
}
