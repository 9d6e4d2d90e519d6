//! Looks for the best balanced relay teams of four among the runners of a club.

use itertools::Itertools;

struct Runner {
    seconds: u32,
    age: u32,
}

fn club(count: usize) -> Vec<Runner> {
    let mut seed = 23u64;
    (0..count)
        .map(|_| {
            seed = seed * 48271 % 2147483647;
            Runner { seconds: 540 + (seed % 180) as u32, age: 16 + (seed / 256 % 40) as u32 }
        })
        .collect()
}

fn spread(one: &Runner, two: &Runner, three: &Runner, four: &Runner) -> u32 {
    let last = one.seconds.max(two.seconds).max(three.seconds).max(four.seconds);
    let first = one.seconds.min(two.seconds).min(three.seconds).min(four.seconds);
    last - first
}

fn allowed(ages: u32) -> bool {
    (100..=140).contains(&ages)
}

fn teams(club: &[Runner]) -> (usize, u32) {
    let mut count = 0;
    let mut best = u32::MAX;
    for (one, two, three, four) in club.iter().tuple_combinations() {
        if allowed(one.age + two.age + three.age + four.age) {
            count += 1;
            best = best.min(spread(one, two, three, four));
        }
    }
    (count, best)
}

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).expect("how many runners?");
    println!("{:?}", teams(&club(count)));
}
