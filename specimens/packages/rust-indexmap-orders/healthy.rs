//! Serves orders in the sequence they came in; while they wait, customers may change them.

use hashlink::LinkedHashMap;

struct Order {
    customer: u32,
    pieces: u32,
}

fn take_in(waiting: &mut LinkedHashMap<u64, Order>, number: u64) {
    waiting.insert(number, Order { customer: (number % 977) as u32, pieces: (number % 13) as u32 + 1 });
}

fn change(waiting: &mut LinkedHashMap<u64, Order>, number: u64) {
    if let Some(order) = waiting.get_mut(&number) {
        order.pieces += 1;
    }
}

fn serve(waiting: &mut LinkedHashMap<u64, Order>) -> Option<(u64, Order)> {
    waiting.pop_front()
}

fn run_day(orders: u64) -> (u64, u64) {
    let mut waiting = LinkedHashMap::new();
    for number in 0..orders {
        take_in(&mut waiting, number);
    }
    let (mut pieces, mut check) = (0, 0u64);
    for turn in 0..orders / 2 {
        change(&mut waiting, turn * 7 % orders);
        if let Some((number, order)) = serve(&mut waiting) {
            pieces += u64::from(order.pieces);
            check = check.wrapping_mul(31).wrapping_add(number + u64::from(order.customer));
        }
        take_in(&mut waiting, orders + turn);
    }
    (pieces, check)
}

fn main() {
    let orders = std::env::args().nth(1).and_then(|orders| orders.parse().ok()).unwrap_or(1000);
    let (pieces, check) = run_day(orders);
    println!("{pieces} pieces, check {check}");
}
