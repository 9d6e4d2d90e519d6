//! Sorts a rope maker's sales of many years, more than one run may hold in memory, by way of sorted files that are merged.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const WIDTH: usize = 24;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sale {
    yard: u32,
    day: u32,
    number: u64,
    cents: u64,
}

impl Sale {
    fn pack(&self) -> [u8; WIDTH] {
        let mut raw = [0; WIDTH];
        raw[..4].copy_from_slice(&self.yard.to_be_bytes());
        raw[4..8].copy_from_slice(&self.day.to_be_bytes());
        raw[8..16].copy_from_slice(&self.number.to_be_bytes());
        raw[16..].copy_from_slice(&self.cents.to_be_bytes());
        raw
    }

    fn unpack(raw: &[u8; WIDTH]) -> Self {
        let word = |at: usize| u32::from_be_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
        let long = |at: usize| u64::from(word(at)) << 32 | u64::from(word(at + 4));
        Self { yard: word(0), day: word(4), number: long(8), cents: long(16) }
    }
}

/// The till's rolls, in no order that would help.
struct Till {
    state: u64,
    left: u64,
}

impl Iterator for Till {
    type Item = Sale;

    fn next(&mut self) -> Option<Sale> {
        self.left = self.left.checked_sub(1)?;
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.state >> 24;
        Some(Sale { yard: (mixed % 4001) as u32, day: (mixed >> 12) as u32 % 9000, number: self.left, cents: 50 + (mixed >> 20) % 90_000 })
    }
}

struct Workshop {
    folder: PathBuf,
    runs: Vec<PathBuf>,
}

impl Workshop {
    fn open() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("ropes-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, runs: Vec::new() })
    }

    /// Cuts the sales into runs of the given length, sorts each and puts it away.
    fn cut(&mut self, sales: impl Iterator<Item = Sale>, length: usize) -> io::Result<()> {
        let mut held = Vec::with_capacity(length);
        for sale in sales {
            held.push(sale);
            if held.len() == length {
                self.put_away(&mut held)?;
            }
        }
        if !held.is_empty() {
            self.put_away(&mut held)?;
        }
        Ok(())
    }

    fn put_away(&mut self, held: &mut Vec<Sale>) -> io::Result<()> {
        held.sort_unstable();
        let path = self.folder.join(format!("run-{}", self.runs.len()));
        let mut out = BufWriter::with_capacity(1 << 17, File::create(&path)?);
        for sale in held.drain(..) {
            out.write_all(&sale.pack())?;
        }
        out.flush()?;
        self.runs.push(path);
        Ok(())
    }

    fn merge(&self) -> io::Result<Merge> {
        let mut sources = Vec::with_capacity(self.runs.len());
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for (place, path) in self.runs.iter().enumerate() {
            let mut source = Source::open(path)?;
            if let Some(sale) = source.next()? {
                heads.push(Reverse((sale, place)));
            }
            sources.push(source);
        }
        Ok(Merge { sources, heads })
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

struct Source {
    file: BufReader<File>,
}

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: BufReader::with_capacity(1 << 16, File::open(path)?) })
    }

    fn next(&mut self) -> io::Result<Option<Sale>> {
        let mut raw = [0; WIDTH];
        match self.file.read_exact(&mut raw) {
            Ok(()) => Ok(Some(Sale::unpack(&raw))),
            Err(fault) if fault.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

struct Merge {
    sources: Vec<Source>,
    heads: BinaryHeap<Reverse<(Sale, usize)>>,
}

impl Merge {
    fn next(&mut self) -> io::Result<Option<Sale>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((sale, place)) = *head;
        match self.sources[place].next()? {
            Some(following) => *head = Reverse((following, place)),
            None => {
                std::collections::binary_heap::PeekMut::pop(head);
            }
        }
        Ok(Some(sale))
    }
}

/// Turnover of each yard, and the longest row of days with a sale on each.
#[derive(Default)]
struct Ledger {
    sales: u64,
    turnover: BTreeMap<u32, u64>,
    last: (u32, u32),
    row: u32,
    longest: u32,
}

impl Ledger {
    fn enter(&mut self, sale: &Sale) {
        self.sales += 1;
        *self.turnover.entry(sale.yard).or_insert(0) += sale.cents;
        let (yard, day) = self.last;
        if yard == sale.yard && sale.day == day + 1 {
            self.row += 1;
        } else if yard != sale.yard || sale.day > day + 1 {
            self.row = 1;
        }
        self.longest = self.longest.max(self.row);
        self.last = (sale.yard, sale.day);
    }
}

fn main() -> io::Result<()> {
    let count: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100_000);
    let mut shop = Workshop::open()?;
    shop.cut(Till { state: 29, left: count }, 200_000)?;
    let mut merge = shop.merge()?;
    let mut ledger = Ledger::default();
    while let Some(sale) = merge.next()? {
        ledger.enter(&sale);
    }
    let best = ledger.turnover.iter().max_by_key(|(_, cents)| **cents).map_or(0, |(yard, _)| *yard);
    println!("sales {} runs {} yards {} best {best} row {}", ledger.sales, shop.runs.len(), ledger.turnover.len(), ledger.longest);
    Ok(())
}
