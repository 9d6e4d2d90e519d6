//! Reads lute tablature: letters on courses, signs for time, and prints what a player must stretch.
use std::collections::BTreeMap;
use std::fmt;

/// One sign of the tablature.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Fret { course: u8, fret: u8 },
    Time(u8),
    Bar,
}

struct Reader<'a> {
    text: &'a str,
    place: usize,
    line: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, place: 0, line: 1 }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.place..].chars().next()
    }

    fn step(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.place += letter.len_utf8();
        if letter == '\n' {
            self.line += 1;
        }
        Some(letter)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.step();
        }
    }

    fn sign(&mut self) -> Option<Sign> {
        self.skip_blanks();
        match self.step()? {
            '|' => Some(Sign::Bar),
            letter @ '♩'..='♯' => Some(Sign::Time(letter as u8 % 4)),
            letter @ 'a'..='k' => {
                let mut course = 0;
                while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
                    course = course * 10 + digit as u8;
                    self.step();
                }
                Some(Sign::Fret { course, fret: letter as u8 - b'a' })
            }
            other => panic!("line {}: no such sign: {other}", self.line),
        }
    }
}

#[derive(Default)]
struct Piece {
    bars: usize,
    length: u64,
    frets: BTreeMap<u8, usize>,
    stretch: u64,
    last: u8,
}

impl Piece {
    fn play(&mut self, sign: Sign) {
        match sign {
            Sign::Bar => self.bars += 1,
            Sign::Time(part) => self.length += 8 >> part,
            Sign::Fret { course, fret } => {
                *self.frets.entry(course).or_default() += 1;
                self.stretch += self.effort(course, fret);
                self.last = fret;
            }
        }
    }

    /// How far the hand goes, worse on the low courses.
    fn effort(&self, course: u8, fret: u8) -> u64 {
        let mut effort = u64::from(self.last.abs_diff(fret));
        for _ in 0..course {
            effort += effort / 3 + 1;
        }
        effort
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bars, length {}, stretch {}, courses {:?}", self.bars, self.length, self.stretch, self.frets)
    }
}

fn compose(bars: usize) -> String {
    let mut text = String::new();
    let mut state: u32 = 1563;
    for bar in 0..bars {
        for _ in 0..4 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(['♩', '♪', '♫', '♬'][(state >> 20) as usize % 4]);
            for voice in 0..1 + (state >> 12) % 3 {
                text.push((b'a' + ((state >> (voice + 5)) % 11) as u8) as char);
                text.push_str(&(1 + (state >> (voice + 9)) % 12).to_string());
                text.push(' ');
            }
        }
        text.push_str(if bar % 4 == 3 { "|\n" } else { "| " });
    }
    text
}

fn main() {
    let bars = std::env::args().nth(1).map_or(40, |text| text.parse().expect("a number of bars"));
    let text = compose(bars);
    let mut reader = Reader::new(&text);
    let mut piece = Piece::default();
    while let Some(sign) = reader.sign() {
        piece.play(sign);
    }
    println!("{piece} on {} lines", reader.line);
}
