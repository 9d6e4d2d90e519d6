//! Damson rows: pickers hand in slips, one line each, and the press house makes a table of growers and days out of them.
use std::collections::HashMap;
use std::env;
use std::fmt::Write;

/// The columns of a slip.
const GROWER: usize = 0;
const ROW: usize = 2;
const DAY: usize = 4;
const WEIGHT: usize = 7;
const SUGAR: usize = 9;
const HEADS: &str =
    "grower|variety|row number|basket|day of month|weather|position|net weight|unit|sugar content|scale|slip number|state|purpose";

/// One line of a slip, cut into its columns.
struct Slip {
    heads: Vec<String>,
    cells: Vec<String>,
}

impl Slip {
    fn cut(line: &str, heads: &[String]) -> Option<Slip> {
        let cells: Vec<_> = line.split('|').map(tidy).collect();
        (cells.len() == heads.len()).then(|| Slip { heads: heads.to_vec(), cells })
    }

    fn text(&self, column: usize) -> &str {
        &self.cells[column]
    }

    fn number(&self, column: usize) -> Result<u32, String> {
        self.text(column).parse().map_err(|_| self.heads[column].to_string())
    }
}

/// Columns are padded with blanks, and some pickers put quotes around them.
fn tidy(cell: &str) -> String {
    let bytes = cell.as_bytes();
    let wanted = |byte: &u8| *byte != b' ' && *byte != b'"';
    let from = bytes.iter().position(wanted).unwrap_or(bytes.len());
    let to = bytes.iter().rposition(wanted).map_or(from, |last| last + 1);
    cell[from..to].to_owned()
}

#[derive(Default, Clone)]
struct Account {
    slips: u32,
    grams: u64,
    sugar: u64,
    heaviest: u32,
    days: [u32; 32],
}

#[derive(Default)]
struct Press {
    numbers: HashMap<String, usize>,
    accounts: Vec<Account>,
    spoilt: u32,
    blamed: HashMap<String, u32>,
    rows: u64,
}

impl Press {
    fn account(&mut self, grower: &str) -> &mut Account {
        let number = match self.numbers.get(grower) {
            Some(number) => *number,
            None => {
                let number = self.accounts.len();
                self.numbers.insert(grower.to_owned(), number);
                self.accounts.push(Account::default());
                number
            }
        };
        &mut self.accounts[number]
    }

    fn receive(&mut self, slip: &Slip) -> Result<(), String> {
        let (weight, sugar) = (slip.number(WEIGHT)?, slip.number(SUGAR)?);
        let (day, row) = (slip.number(DAY)?, slip.number(ROW)?);
        self.rows = self.rows.wrapping_mul(31).wrapping_add(u64::from(row));
        let account = self.account(slip.text(GROWER));
        account.slips += 1;
        account.grams += u64::from(weight);
        account.sugar += u64::from(weight) * u64::from(sugar);
        account.heaviest = account.heaviest.max(weight);
        account.days[day as usize % 32] += weight;
        Ok(())
    }

    fn take(&mut self, bundle: &str, heads: &[String]) {
        for line in bundle.lines() {
            match Slip::cut(line, heads) {
                Some(slip) => {
                    if let Err(column) = self.receive(&slip) {
                        *self.blamed.entry(column).or_default() += 1;
                    }
                }
                None => self.spoilt += 1,
            }
        }
    }
}

fn draw(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

/// A day's bundle of slips, as the pickers write them.
fn bundle(slips: u32, state: &mut u32) -> String {
    const GROWERS: [&str; 10] =
        ["hollins", "marlow", "ashdown", "pettigrew", "quarrie", "thackray", "underhill", "vesey", "wragg", "yarrow"];
    let mut text = String::with_capacity(slips as usize * 120);
    for number in 0..slips {
        let grower = GROWERS[draw(state) as usize % 10];
        let weight = 400 + draw(state) % 9000;
        if draw(state) % 997 == 0 {
            text.push_str("torn slip\n");
            continue;
        }
        writeln!(
            text,
            "{grower}-{} | \"damson\" | {:>3}{} | basket {} | {:>2} | dry | south wall | {weight:>6} | g | {} | brix | {number:06} | \"ok\" | pressed",
            draw(state) % 40,
            draw(state) % 800,
            if number % 700 == 699 { "?" } else { "" },
            draw(state) % 12,
            draw(state) % 31,
            90 + draw(state) % 80,
        )
        .expect("a string");
    }
    text
}

/// Compares each grower's days with all others; who picks alike is pressed together.
fn alike(accounts: &[Account]) -> u64 {
    let mut nearest = 0;
    for (place, account) in accounts.iter().enumerate() {
        let distance = |other: &Account| -> u64 {
            account.days.iter().zip(&other.days).map(|(left, right)| u64::from(left.abs_diff(*right))).sum()
        };
        let best = accounts.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, other)| distance(other)).min();
        nearest += best.unwrap_or(0);
    }
    nearest
}

fn main() {
    let rounds: u32 = env::args().nth(1).map_or(2, |text| text.parse().expect("a number of rounds"));
    let mut state = 2_463_534_242;
    let bundles: Vec<String> = (0..4).map(|_| bundle(6_000, &mut state)).collect();
    let heads: Vec<String> = HEADS.split('|').map(str::to_owned).collect();
    let mut press = Press::default();
    let mut groups = 0u64;
    for round in 0..rounds {
        press.take(&bundles[round as usize % bundles.len()], &heads);
        if round % 40 == 39 {
            groups = groups.wrapping_mul(17).wrapping_add(alike(&press.accounts));
        }
    }
    let slips: u32 = press.accounts.iter().map(|account| account.slips).sum();
    let grams: u64 = press.accounts.iter().map(|account| account.grams).sum();
    let sweetest = press.accounts.iter().map(|account| account.sugar / account.grams.max(1)).max().unwrap_or(0);
    let heaviest = press.accounts.iter().map(|account| account.heaviest).max().unwrap_or(0);
    println!(
        "{slips} slips of {} growers, {} spoilt, {} blamed, {grams} g, sweetest {sweetest}, heaviest {heaviest}, rows {:016x}, groups {groups}",
        press.accounts.len(),
        press.spoilt,
        press.blamed.values().sum::<u32>(),
        press.rows
    );
}
