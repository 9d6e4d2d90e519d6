//! Packs the newsletter of a beekeepers' club for each of its members, before it goes out.

use std::io::{self, Read, Write};

use brotli::{CompressorWriter, Decompressor};

const WORDS: [&str; 24] = [
    "honey", "hive", "swarm", "queen", "frame", "smoker", "clover", "lime", "garden", "meeting", "winter", "spring", "sugar",
    "wax", "drone", "cell", "meadow", "weather", "orchard", "evening", "members", "jar", "label", "prize",
];

fn letter(member: usize) -> String {
    let mut text = format!("<html><body><h1>Dear member {member}</h1>\n");
    let mut seed = member as u32 * 97 + 11;
    for paragraph in 0..60 {
        text.push_str(&format!("<p class=\"p{}\">", paragraph % 4));
        for _ in 0..50 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            text.push_str(WORDS[(seed >> 16) as usize % WORDS.len()]);
            text.push(' ');
        }
        text.push_str("</p>\n");
    }
    text + "</body></html>\n"
}

fn pack(text: &str) -> io::Result<Vec<u8>> {
    let mut writer = CompressorWriter::new(Vec::new(), 4096, 5, 22);
    writer.write_all(text.as_bytes())?;
    writer.flush()?;
    Ok(writer.into_inner())
}

fn letters_in(packed: &[u8]) -> io::Result<usize> {
    let mut text = String::new();
    Decompressor::new(packed, 4096).read_to_string(&mut text)?;
    Ok(text.len())
}

fn main() -> io::Result<()> {
    let members = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let mut letters = 0;
    for member in 0..members {
        letters += letters_in(&pack(&letter(member))?)?;
    }
    println!("{members} newsletters, {letters} letters");
    Ok(())
}
