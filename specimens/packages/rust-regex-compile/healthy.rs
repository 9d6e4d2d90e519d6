//! Adds up the orders of a shop, day by day, from its log.

use std::error::Error;

use regex::Regex;

fn day(number: usize) -> Vec<String> {
    (0..60)
        .map(|line| match line % 4 {
            0 => format!("2023-04-{:02} order A-{line:05} paid {}.50 EUR", number % 28 + 1, (number + line) % 300),
            _ => format!("2023-04-{:02} page /item/{line} seen", number % 28 + 1),
        })
        .collect()
}

fn sum(order: &Regex, lines: &[String]) -> f64 {
    let found = lines.iter().filter_map(|line| order.captures(line));
    found.filter_map(|found| found[6].parse::<f64>().ok()).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let days = std::env::args().nth(1).ok_or("how many days?")?.parse()?;
    let order = Regex::new(r"^(\d{4})-(\d{2})-(\d{2}) order ([A-Z])-(\d+) paid (\d+\.\d{2}) [A-Z]{3}$")?;
    let mut total = 0.0;
    for number in 0..days {
        total += sum(&order, &day(number));
    }
    println!("{total:.2}");
    Ok(())
}
