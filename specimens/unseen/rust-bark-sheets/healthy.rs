//! Sorts sheets of birch bark: for each sheet the signs on it are counted, and rare ones are reported.
use std::collections::HashMap;
use std::env;

struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

/// A sheet of bark with signs scratched into it.
struct Sheet {
    number: u32,
    signs: Vec<u32>,
}

/// Counts the signs of a sheet; keeps its table from sheet to sheet.
#[derive(Default)]
struct Reader {
    counts: HashMap<u32, u32>,
    rare: u64,
    common: u64,
    widest: usize,
}

impl Reader {
    fn read(&mut self, sheet: &Sheet) {
        self.begin();
        for &sign in &sheet.signs {
            *self.counts.entry(sign).or_insert(0) += 1;
        }
        self.widest = self.widest.max(self.counts.len());
        for &sign in &sheet.signs {
            match self.counts[&sign] {
                1 => self.rare += u64::from(weight(sign)),
                _ => self.common += u64::from(sheet.number % 7),
            }
        }
    }

    fn begin(&mut self) {
        if self.counts.capacity() > 4096 {
            self.counts = HashMap::new();
        }
        self.counts.clear();
    }
}

/// How much a sign tells about its scribe.
fn weight(sign: u32) -> u32 {
    let mut value = sign;
    for stroke in 0..12 {
        value = value.rotate_left(5) ^ (stroke * 0x9E37);
    }
    value % 100
}

/// The find: one great roll that was sewn of many sheets, and then thousands of small letters.
struct Find {
    chance: Chance,
    letters: u32,
}

impl Find {
    fn roll(&mut self) -> Sheet {
        let signs = (0..900_000).map(|_| self.chance.next() % 40_000_000).collect();
        Sheet { number: 0, signs }
    }

    fn letter(&mut self, number: u32) -> Sheet {
        let length = 20 + self.chance.next() % 60;
        let signs = (0..length).map(|_| self.chance.next() % 90).collect();
        Sheet { number, signs }
    }

    fn read_all(&mut self, reader: &mut Reader) {
        let roll = self.roll();
        reader.read(&roll);
        for number in 1..=self.letters {
            let letter = self.letter(number);
            reader.read(&letter);
        }
    }
}

fn main() {
    let letters = env::args().nth(1).map_or(500, |text| text.parse().expect("a number of letters"));
    let mut find = Find { chance: Chance(1951), letters };
    let mut reader = Reader::default();
    find.read_all(&mut reader);
    println!("{letters} letters, rare {}, common {}, widest {}", reader.rare, reader.common, reader.widest);
}
