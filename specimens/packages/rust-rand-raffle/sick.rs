//! Draws the prizes of a town raffle many times over to see how often each street would win.

use rand::rngs::OsRng;
use rand::{Rng, RngCore};

const STREETS: usize = 40;

struct Ticket {
    street: usize,
    serial: u32,
}

fn tickets(count: usize) -> Vec<Ticket> {
    (0..count).map(|number| Ticket { street: number * 7 % STREETS, serial: 10_000 + number as u32 }).collect()
}

fn drum() -> impl RngCore {
    OsRng
}

fn draw<'a>(drum: &mut impl RngCore, tickets: &'a [Ticket], prizes: usize) -> Vec<&'a Ticket> {
    (0..prizes).map(|_| &tickets[drum.gen_range(0..tickets.len())]).collect()
}

fn evenings(tickets: &[Ticket], count: usize) -> (Vec<u32>, u32) {
    let mut drum = drum();
    let mut wins = vec![0; STREETS];
    let mut highest = 0;
    for _ in 0..count {
        for ticket in draw(&mut drum, tickets, 12) {
            wins[ticket.street] += 1;
            highest = highest.max(ticket.serial);
        }
    }
    (wins, highest)
}

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("how many evenings?");
    let tickets = tickets(3000);
    let (wins, highest) = evenings(&tickets, count);
    let total: u32 = wins.iter().sum();
    let fair = wins.iter().all(|&won| won.abs_diff(total / STREETS as u32) < total / 400);
    println!("{total} prizes, highest ticket {highest}, {}", if fair { "fair" } else { "unfair" });
}
