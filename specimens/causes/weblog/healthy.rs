//! Adds up an access log: bytes by path, errors and the slowest requests.

use std::collections::HashMap;

struct Visit<'line> {
    path: &'line str,
    agent: &'line str,
    status: u16,
    bytes: u64,
    micros: u64,
}

#[derive(Default)]
struct Report {
    by_path: HashMap<String, u64>,
    errors: u64,
    slowest: Vec<u64>,
    agents: u64,
}

struct Dice(u32);

impl Dice {
    fn roll(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 9) % below
    }
}

fn write_log(dice: &mut Dice, lines: usize) -> String {
    let paths = ["/", "/cart", "/cart/checkout", "/search?q=lamp", "/img/logo.svg", "/api/v2/items"];
    let agents = ["Mozilla/5.0 (X11; Linux x86_64) Gecko", "curl/8.4.0", "feed-reader/1.2 (+https://feeds.example)"];
    let mut text = String::new();
    for _ in 0..lines {
        let path = paths[dice.roll(6) as usize];
        let agent = agents[dice.roll(3) as usize];
        let status = if dice.roll(40) == 0 { 500 } else { 200 };
        text += &format!("10.0.{}.7|{path}|{status}|{}|{}|{agent}|-|-|en\n", dice.roll(250), dice.roll(90_000), dice.roll(70_000));
    }
    text
}

fn parse(line: &str) -> Option<Visit<'_>> {
    let mut fields = line.split('|').skip(1);
    let path = fields.next()?;
    let status = fields.next()?.parse().ok()?;
    let bytes = fields.next()?.parse().ok()?;
    let micros = fields.next()?.parse().ok()?;
    Some(Visit { path, agent: fields.next()?, status, bytes, micros })
}

fn add(report: &mut Report, visit: &Visit) {
    match report.by_path.get_mut(visit.path) {
        Some(bytes) => *bytes += visit.bytes,
        None => drop(report.by_path.insert(visit.path.to_string(), visit.bytes)),
    }
    report.errors += u64::from(visit.status >= 500);
    report.agents += visit.agent.len() as u64;
    report.slowest.push(visit.micros);
}

fn analyse(log: &str) -> Report {
    let mut report = Report::default();
    for line in log.lines() {
        if let Some(visit) = parse(line) {
            add(&mut report, &visit);
        }
    }
    report.slowest.sort_unstable();
    report
}

fn digest(report: &Report) -> u64 {
    let mut paths: Vec<_> = report.by_path.iter().collect();
    paths.sort();
    let mut sum = report.errors + report.agents;
    for (path, bytes) in paths {
        sum = sum.wrapping_mul(31).wrapping_add(path.len() as u64 * 7 + bytes);
    }
    report.slowest.iter().rev().take(100).fold(sum, |sum, micros| sum.wrapping_mul(31).wrapping_add(*micros))
}

fn main() {
    let lines = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(260_000);
    let mut dice = Dice(9);
    let log = write_log(&mut dice, lines);
    let sum = (0..4).fold(0_u64, |sum, _| sum.wrapping_mul(31).wrapping_add(digest(&analyse(&log))));
    println!("{sum:016x}");
}
