// Reads the books of wine cellars and tells what lies where; the tasting notes between the entries are not wanted.
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;

struct Draw(u64);

impl Draw {
    fn next(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as u32) % bound
    }
}

#[derive(Clone, Copy)]
struct Entry {
    cellar: u16,
    vintage: u16,
    bottles: u16,
    cents: u32,
}

const ENTRY_BYTES: usize = 12;

impl Entry {
    fn pack(&self, notes: u16) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[0..2].copy_from_slice(&self.cellar.to_le_bytes());
        out[2..4].copy_from_slice(&self.vintage.to_le_bytes());
        out[4..6].copy_from_slice(&self.bottles.to_le_bytes());
        out[6..10].copy_from_slice(&self.cents.to_le_bytes());
        out[10..12].copy_from_slice(&notes.to_le_bytes());
        out
    }

    fn unpack(raw: &[u8; ENTRY_BYTES]) -> (Entry, u16) {
        let word = |at: usize| u16::from_le_bytes([raw[at], raw[at + 1]]);
        let entry = Entry {
            cellar: word(0),
            vintage: word(2),
            bottles: word(4),
            cents: u32::from_le_bytes([raw[6], raw[7], raw[8], raw[9]]),
        };
        (entry, word(10))
    }
}

const WORDS: [&str; 8] = ["oak ", "plum ", "leather ", "slate ", "honey ", "pepper ", "cork ", "smoke "];

fn write_book(path: &Path, entries: u32, draw: &mut Draw) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut notes = String::new();
    for _ in 0..entries {
        let entry = Entry {
            cellar: draw.next(40) as u16,
            vintage: 1960 + draw.next(60) as u16,
            bottles: 1 + draw.next(24) as u16,
            cents: 700 + draw.next(90_000),
        };
        notes.clear();
        for _ in 0..2 + draw.next(6) {
            notes.push_str(WORDS[draw.next(8) as usize]);
        }
        out.write_all(&entry.pack(notes.len() as u16))?;
        out.write_all(notes.as_bytes())?;
    }
    out.flush()
}

struct Book {
    source: BufReader<File>,
    left: u32,
}

impl Book {
    fn open(path: &Path, entries: u32) -> io::Result<Book> {
        Ok(Book { source: BufReader::new(File::open(path)?), left: entries })
    }

    fn turn(&mut self) -> io::Result<Option<Entry>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut raw = [0; ENTRY_BYTES];
        self.source.read_exact(&mut raw)?;
        let (entry, notes) = Entry::unpack(&raw);
        self.source.seek(SeekFrom::Current(i64::from(notes)))?;
        Ok(Some(entry))
    }
}

#[derive(Default)]
struct Shelf {
    bottles: u64,
    cents: u64,
    vintages: BTreeMap<u16, u32>,
}

fn tally(book: &mut Book, shelves: &mut BTreeMap<u16, Shelf>) -> io::Result<u32> {
    let mut read = 0;
    while let Some(entry) = book.turn()? {
        let shelf = shelves.entry(entry.cellar).or_default();
        shelf.bottles += u64::from(entry.bottles);
        shelf.cents += u64::from(entry.bottles) * u64::from(entry.cents);
        *shelf.vintages.entry(entry.vintage).or_insert(0) += u32::from(entry.bottles);
        read += 1;
    }
    Ok(read)
}

fn report(shelves: &BTreeMap<u16, Shelf>) -> String {
    let mut mark: u64 = 1469598103934665603;
    let mut best = (0, 0, 0);
    for (cellar, shelf) in shelves {
        for value in [u64::from(*cellar), shelf.bottles, shelf.cents, shelf.vintages.len() as u64] {
            mark = (mark ^ value).wrapping_mul(1099511628211);
        }
        for (vintage, bottles) in &shelf.vintages {
            if *bottles > best.2 {
                best = (*cellar, *vintage, *bottles);
            }
        }
    }
    format!("cellars {} mark {:016x} best {}/{} with {}", shelves.len(), mark, best.0, best.1, best.2)
}

fn run(entries: u32, folder: &Path) -> io::Result<String> {
    let mut draw = Draw(31);
    let mut shelves = BTreeMap::new();
    let mut read = 0;
    for number in 0..4 {
        let path: PathBuf = folder.join(format!("book{number}.bin"));
        write_book(&path, entries / 4, &mut draw)?;
        read += tally(&mut Book::open(&path, entries / 4)?, &mut shelves)?;
    }
    Ok(format!("entries {} {}", read, report(&shelves)))
}

fn main() {
    let entries = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(400_000);
    let folder = env::temp_dir().join(format!("cellar-books-{}", process::id()));
    let done = fs::create_dir_all(&folder).and_then(|()| run(entries, &folder));
    let _ = fs::remove_dir_all(&folder);
    match done {
        Ok(line) => println!("{line}"),
        Err(error) => {
            eprintln!("books: {error}");
            process::exit(1);
        }
    }
}
