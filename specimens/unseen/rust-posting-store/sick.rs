// Builds a small full-text index: counts terms of documents and lays their postings down in a file.
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn document(dice: &mut Dice, words: usize) -> Vec<u32> {
    (0..words)
        .map(|_| {
            let broad = dice.roll(3000) + 1;
            (dice.roll(broad) + dice.roll(40)) as u32
        })
        .collect()
}

#[derive(Default)]
struct Postings {
    terms: BTreeMap<u32, Vec<(u32, u32)>>,
}

impl Postings {
    fn add(&mut self, number: u32, words: &mut Vec<u32>) {
        words.sort_unstable();
        let mut at = 0;
        while at < words.len() {
            let mut end = at + 1;
            while end < words.len() && words[end] == words[at] {
                end += 1;
            }
            self.terms
                .entry(words[at])
                .or_default()
                .push((number, (end - at) as u32));
            at = end;
        }
    }
}

fn put_varint(out: &mut impl Write, mut value: u32) -> io::Result<usize> {
    let mut bytes = [0u8; 5];
    let mut used = 0;
    while value >= 0x80 {
        bytes[used] = value as u8 | 0x80;
        value >>= 7;
        used += 1;
    }
    bytes[used] = value as u8;
    out.write_all(&bytes[..=used])?;
    Ok(used + 1)
}

fn get_varint(input: &mut impl Read) -> io::Result<Option<u32>> {
    let mut value = 0u32;
    let mut shift = 0;
    let mut byte = [0u8; 1];
    loop {
        if input.read(&mut byte)? == 0 {
            return Ok(None);
        }
        value |= ((byte[0] & 0x7f) as u32) << shift;
        if byte[0] < 0x80 {
            return Ok(Some(value));
        }
        shift += 7;
    }
}

struct Segment {
    path: PathBuf,
    bytes: usize,
}

fn store(index: &Postings, folder: &Path) -> io::Result<Segment> {
    let path = folder.join("segment-0.post");
    let mut out = File::create(&path)?;
    let mut bytes = 0;
    for (term, list) in &index.terms {
        bytes += put_varint(&mut out, *term)?;
        bytes += put_varint(&mut out, list.len() as u32)?;
        let mut last = 0;
        for (number, count) in list {
            bytes += put_varint(&mut out, number - last)?;
            bytes += put_varint(&mut out, *count)?;
            last = *number;
        }
    }
    out.flush()?;
    Ok(Segment { path, bytes })
}

fn verify(segment: &Segment) -> io::Result<(usize, u64)> {
    let mut input = BufReader::new(File::open(&segment.path)?);
    let mut values = 0;
    let mut seal = 1469598103934665603u64;
    while let Some(value) = get_varint(&mut input)? {
        values += 1;
        seal = (seal ^ value as u64).wrapping_mul(1099511628211);
    }
    Ok((values, seal))
}

fn main() -> io::Result<()> {
    let documents: u32 = env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1000);
    let folder = env::temp_dir().join(format!("postings-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let mut dice = Dice(0x2545F4914F6CDD1D);
    let mut index = Postings::default();
    for number in 1..=documents {
        let mut words = document(&mut dice, 300);
        index.add(number, &mut words);
    }
    let segment = store(&index, &folder)?;
    let (values, seal) = verify(&segment)?;
    fs::remove_dir_all(&folder)?;
    println!(
        "terms={} bytes={} values={} seal={:016x}",
        index.terms.len(),
        segment.bytes,
        values,
        seal
    );
    Ok(())
}
