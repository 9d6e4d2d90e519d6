//! Packs many small notes into an archive and keeps an index of their places.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

struct Entry {
    name: u64,
    at: u64,
    length: u32,
    owner: u64,
}

struct Packer {
    path: PathBuf,
    out: BufWriter<File>,
    written: u64,
    base: Option<u64>,
    entries: Vec<Entry>,
}

fn roll(state: &mut u64, below: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state % below
}

fn fold(text: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..24 {
        for byte in text {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

impl Packer {
    fn open() -> std::io::Result<Packer> {
        let path = std::env::temp_dir().join(format!("archive-{}", std::process::id()));
        let mut file = File::create(&path)?;
        file.write_all(b"notes archive 1\n")?;
        Ok(Packer { path, out: BufWriter::with_capacity(1 << 25, file), written: 0, base: None, entries: Vec::new() })
    }

    fn stamp(&mut self) -> std::io::Result<(u64, u64)> {
        let folder = self.path.parent().map(fs::metadata).transpose()?;
        let length = fs::metadata(&self.path)?.len();
        self.base = folder.map(|found| found.len().min(1));
        Ok((length, self.base.unwrap_or(0)))
    }

    fn pack(&mut self, note: &[u8]) -> std::io::Result<()> {
        let (base, owner) = self.stamp()?;
        self.entries.push(Entry { name: fold(note), at: base + self.written, length: note.len() as u32, owner });
        self.out.write_all(note)?;
        self.written += note.len() as u64;
        Ok(())
    }

    fn close(mut self) -> std::io::Result<u64> {
        self.out.flush()?;
        let sum = self.entries.iter().fold(self.written, |sum, entry| {
            sum.wrapping_mul(31).wrapping_add(entry.name ^ entry.at).wrapping_add(u64::from(entry.length) * entry.owner)
        });
        fs::remove_file(&self.path)?;
        Ok(sum)
    }
}

fn write_note(state: &mut u64, number: u64) -> Vec<u8> {
    let words = ["milk", "call the plumber", "tickets", "rent", "look at the roof"];
    format!("note {number}: {} and {}", words[roll(state, 5) as usize], words[roll(state, 5) as usize]).into_bytes()
}

fn main() -> std::io::Result<()> {
    let notes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(240_000);
    let mut state = 0x2545_F491_4F6C_DD1D;
    let mut packer = Packer::open()?;
    for number in 0..notes {
        packer.pack(&write_note(&mut state, number))?;
    }
    println!("{:016x}", packer.close()?);
    Ok(())
}
