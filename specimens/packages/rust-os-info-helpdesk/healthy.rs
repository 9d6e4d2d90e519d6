//! Writes the letters that go to a help desk, one for each trouble a day's log tells of.

use std::collections::BTreeMap;
use std::fmt::Write;

struct Trouble {
    minute: u32,
    device: &'static str,
    code: u32,
}

const DEVICES: [&str; 5] = ["printer", "scanner", "till", "scales", "door"];

fn day(troubles: u32) -> Vec<Trouble> {
    (0..troubles)
        .map(|at| Trouble { minute: at * 97 % 1440, device: DEVICES[at as usize % 5], code: 400 + at * 7 % 120 })
        .collect()
}

fn greeting(trouble: &Trouble) -> String {
    format!("At {:02}:{:02} the {} stopped.\n", trouble.minute / 60, trouble.minute % 60, trouble.device)
}

fn signature() -> String {
    let system = os_info::get();
    format!("{} {}, {}\n", system.os_type(), system.version(), system.bitness())
}

fn letter(trouble: &Trouble, signature: &str) -> String {
    let mut letter = greeting(trouble);
    let _ = writeln!(letter, "It shows the code {}.", trouble.code);
    letter.push_str(signature);
    letter
}

fn main() {
    let troubles = std::env::args().nth(1).and_then(|troubles| troubles.parse().ok()).unwrap_or(10);
    let signature = signature();
    let mut letters = BTreeMap::<&str, usize>::new();
    for trouble in day(troubles) {
        *letters.entry(trouble.device).or_default() += letter(&trouble, &signature).len();
    }
    println!("{letters:?}");
}
