//! A mint stamps coins: each batch is weighed, sorted out and entered in the mint's book.
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process;

/// O_DSYNC of Linux.
const SAFE: i32 = 0o10_000;

struct Batch {
    number: u32,
    struck: u32,
    spoiled: u32,
    grams: u64,
}

struct Press {
    state: u32,
    wear: u32,
}

impl Press {
    fn draw(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.state >> 9
    }

    /// Strikes the coins of a batch; a worn stamp spoils more of them.
    fn strike(&mut self, number: u32) -> Batch {
        let struck = 400 + self.draw() % 200;
        let mut batch = Batch { number, struck, spoiled: 0, grams: 0 };
        for _ in 0..struck {
            let weight = 780 + self.draw() % 40;
            if weight < 782 + self.wear / 4000 {
                batch.spoiled += 1;
            } else {
                batch.grams += u64::from(weight);
            }
            self.wear += 1;
        }
        if self.wear > 40_000 {
            self.wear = 0;
        }
        batch
    }
}

struct Book {
    file: File,
    page: String,
    entries: usize,
}

impl Book {
    fn open(path: &Path) -> io::Result<Book> {
        let file = OpenOptions::new().create(true).append(true).custom_flags(SAFE).open(path)?;
        Ok(Book { file, page: String::new(), entries: 0 })
    }

    fn enter(&mut self, batch: &Batch) -> io::Result<()> {
        let line = format!("{:06} {} {} {}\n", batch.number, batch.struck, batch.spoiled, batch.grams);
        self.page.push_str(&line);
        self.entries += 1;
        if self.entries % 4 == 0 {
            self.turn()?;
        }
        Ok(())
    }

    fn turn(&mut self) -> io::Result<()> {
        self.file.write_all(self.page.as_bytes())?;
        self.page.clear();
        Ok(())
    }

    fn close(mut self) -> io::Result<()> {
        self.turn()?;
        self.file.sync_data()
    }
}

/// Reads the book again and adds it up.
fn audit(path: &Path) -> io::Result<(u64, u64, u64)> {
    let mut sums = (0, 0, 0);
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        let mut numbers = line.split(' ').skip(1).filter_map(|word| word.parse::<u64>().ok());
        sums.0 += numbers.next().unwrap_or(0);
        sums.1 += numbers.next().unwrap_or(0);
        sums.2 += numbers.next().unwrap_or(0);
    }
    Ok(sums)
}

fn book_path() -> PathBuf {
    env::temp_dir().join(format!("mint-{}.book", process::id()))
}

fn main() -> io::Result<()> {
    let batches: u32 = env::args().nth(1).map_or(20, |text| text.parse().expect("a number of batches"));
    let path = book_path();
    let mut press = Press { state: 1279, wear: 0 };
    let mut book = Book::open(&path)?;
    for number in 0..batches {
        let batch = press.strike(number);
        book.enter(&batch)?;
    }
    book.close()?;
    let (struck, spoiled, grams) = audit(&path)?;
    fs::remove_file(&path)?;
    println!("{batches} batches, {struck} struck, {spoiled} spoiled, {grams} grams");
    Ok(())
}
