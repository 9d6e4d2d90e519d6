//! Heather scans: reads field notes of a moor survey, finds the tagged plants in them and counts what grows where.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

const PLANTS: [&str; 6] = ["heather", "bilberry", "sphagnum", "crowberry", "cotton-grass", "bog-myrtle"];

fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

/// One survey sheet: free text with tags such as `[heather:12]`.
fn sheet(length: usize, state: &mut u64) -> String {
    let mut text = String::new();
    while text.len() < length {
        let plant = PLANTS[draw(state) as usize % PLANTS.len()];
        match draw(state) % 4 {
            0 => write!(text, "[{plant}:{}] ", draw(state) % 60),
            1 => write!(text, "am Hügel, {} Schritte östlich; ", draw(state) % 90),
            2 => write!(text, "wet ground near grid {}\n", draw(state) % 500),
            _ => write!(text, "nothing new to tell about {plant}, see last year. "),
        }
        .expect("text");
    }
    text
}

struct Cursor<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Cursor<'text> {
    fn new(text: &'text str) -> Self {
        Cursor { text, at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text.chars().nth(self.at)
    }

    fn next(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.at += 1;
        Some(sign)
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let mut found = String::new();
        while let Some(sign) = self.peek() {
            if !fits(sign) {
                break;
            }
            found.push(sign);
            self.next();
        }
        found
    }
}

#[derive(Default)]
struct Survey {
    plants: BTreeMap<String, (u64, u64)>,
    words: u64,
    lines: u64,
    mark: u64,
}

impl Survey {
    fn tag(&mut self, cursor: &mut Cursor) {
        let name = cursor.take_while(|sign| sign.is_alphabetic() || sign == '-');
        if cursor.next() != Some(':') {
            return;
        }
        let number = cursor.take_while(|sign| sign.is_ascii_digit());
        let entry = self.plants.entry(name).or_default();
        entry.0 += 1;
        entry.1 += number.parse::<u64>().unwrap_or(0);
    }

    fn read(&mut self, text: &str) {
        let mut cursor = Cursor::new(text);
        while let Some(sign) = cursor.next() {
            match sign {
                '[' => self.tag(&mut cursor),
                ' ' => self.words += 1,
                '\n' => self.lines += 1,
                _ => self.mark = self.mark.rotate_left(5) ^ u64::from(sign),
            }
        }
    }

    /// A fingerprint over all bytes, so that a sheet is not counted twice.
    fn fingerprint(text: &str, rounds: u32) -> u64 {
        let mut print = 0xcbf2_9ce4_8422_2325;
        for round in 0..rounds {
            for byte in text.bytes() {
                print = (print ^ u64::from(byte) ^ u64::from(round)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        print
    }
}

fn main() {
    let length: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8000);
    let folder = std::env::temp_dir().join(format!("heather-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("folder");
    let mut state = 99;
    for number in 0..6 {
        fs::write(folder.join(format!("sheet{number}.txt")), sheet(length, &mut state)).expect("write");
    }

    let mut survey = Survey::default();
    let mut prints = 0u64;
    for number in 0..6 {
        let text = fs::read_to_string(folder.join(format!("sheet{number}.txt"))).expect("read");
        prints ^= Survey::fingerprint(&text, 900);
        survey.read(&text);
    }
    fs::remove_dir_all(&folder).expect("remove");
    let (tags, sum) = survey.plants.values().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    println!("tags {tags} sum {sum} words {} lines {} mark {:016x} prints {prints:016x}", survey.words, survey.lines, survey.mark);
}
