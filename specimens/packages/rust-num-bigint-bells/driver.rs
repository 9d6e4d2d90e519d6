//! Counts the orders in which the bells of a tower can be rung, and writes the counts down.

use num_bigint::BigUint;

fn orders(bells: u32) -> BigUint {
    let mut pieces: Vec<BigUint> = (1..=bells).map(BigUint::from).collect();
    while pieces.len() > 1 {
        pieces = pieces.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    pieces.pop().unwrap_or_else(|| BigUint::from(1u32))
}

fn written(count: &BigUint) -> String {
    count.to_string()
}

fn main() {
    let bells: u32 = std::env::args().nth(1).expect("how many bells?").parse().expect("a number");
    for tower in [bells / 3, bells / 2, bells] {
        let text = written(&orders(tower));
        let nines = text.bytes().filter(|&digit| digit == b'9').count();
        println!("{tower} bells: {} digits, {nines} of them 9, the first {}", text.len(), &text[..6]);
    }
}
