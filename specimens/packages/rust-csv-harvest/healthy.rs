//! Adds up the apples of an orchard's harvest, listed tree by tree.

use std::error::Error;

use csv::{ByteRecord, ReaderBuilder};

fn list(trees: usize) -> Vec<u8> {
    let mut text = String::from("tree,apples\n");
    for tree in 0..trees {
        text.push_str(&format!("{},{}\n", tree % 1000, tree * 31 % 400));
    }
    text.into_bytes()
}

fn number(field: &[u8]) -> u64 {
    field.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

fn harvest(list: &[u8]) -> Result<u64, csv::Error> {
    let mut reader = ReaderBuilder::new().from_reader(list);
    let mut apples = 0;
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record)? {
        apples += number(&record[1]);
    }
    Ok(apples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let trees = std::env::args().nth(1).ok_or("how many trees?")?.parse()?;
    let list = list(trees);
    let mut apples = 0;
    for _day in 0..8 {
        apples += harvest(&list)?;
    }
    println!("{apples} apples");
    Ok(())
}
