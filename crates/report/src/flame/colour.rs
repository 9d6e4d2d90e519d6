//! Colours of pictures: the user's own code is full, other code pale, the kernel slate, waits cool; a change is red or
//! blue, which stay apart for colour-blind eyes.

use model::leaf::{Charge, LEAVES};
use model::recording::{Language, Owner};

use super::tree::{Label, Paint};

type Rgb = [f64; 3];

const PAPER: Rgb = [244.0, 243.0, 240.0];

/// The colour of a frame. A name's shade is its own, so that neighbours can be told apart.
pub(crate) fn frame(label: &Label) -> String {
    let shade = shade(&label.name);
    match label.paint {
        Paint::Root => hex([214.0, 211.0, 205.0], 0.0),
        Paint::Wait(leaf) => wait(leaf),
        Paint::Code(owner, language) => hex(code(owner, language), shade),
    }
}

fn code(owner: Owner, language: Language) -> Rgb {
    let full = language_hue(language);
    match owner {
        Owner::Project => full,
        Owner::Unknown => mixed(full, PAPER, 0.35),
        Owner::Library => mixed(full, PAPER, 0.62),
        Owner::Runtime => [205.0, 192.0, 222.0],
        Owner::Kernel => [158.0, 180.0, 205.0],
    }
}

const fn language_hue(language: Language) -> Rgb {
    match language {
        Language::Native | Language::C | Language::Cpp => [243.0, 156.0, 56.0],
        Language::Rust => [238.0, 120.0, 72.0],
        Language::Go => [84.0, 190.0, 196.0],
        Language::Swift => [240.0, 122.0, 108.0],
        Language::Python => [244.0, 200.0, 66.0],
        Language::JavaScript => [216.0, 204.0, 70.0],
        Language::Java => [214.0, 138.0, 96.0],
        Language::DotNet => [176.0, 134.0, 220.0],
        Language::Kernel => [158.0, 180.0, 205.0],
        Language::Unknown => [190.0, 187.0, 181.0],
    }
}

/// The colour of a wait's leaf, the same in every picture.
pub(crate) fn wait(leaf: Charge) -> String {
    let rgb = match leaf {
        Charge::DiskRead => [74.0, 134.0, 190.0],
        Charge::DiskWrite => [44.0, 98.0, 158.0],
        Charge::Fault => [120.0, 116.0, 196.0],
        Charge::Network => [56.0, 160.0, 150.0],
        Charge::Lock => [196.0, 86.0, 140.0],
        Charge::Child => [134.0, 170.0, 96.0],
        Charge::Pipe => [104.0, 150.0, 120.0],
        Charge::Poll => [150.0, 178.0, 186.0],
        Charge::Sleep => [186.0, 190.0, 196.0],
        Charge::Terminal => [170.0, 160.0, 120.0],
        // Apart from the orange of running by their lightness, whichever colours an eye sees.
        Charge::Woken => [240.0, 222.0, 150.0],
        Charge::Preempted => [140.0, 90.0, 62.0],
        Charge::Starting => [226.0, 210.0, 160.0],
        Charge::User | Charge::Kernel | Charge::Computing => [243.0, 156.0, 56.0],
        Charge::Ending => [210.0, 206.0, 196.0],
        Charge::Stopped => [120.0, 120.0, 120.0],
        Charge::Unaccounted => [168.0, 172.0, 178.0],
    };
    hex(rgb, 0.0)
}

/// The colour of a leaf of the account by its id; one of another version is grey.
pub(crate) fn leaf(id: &str) -> String {
    match LEAVES.iter().find(|(_, known, _)| *known == id) {
        Some((Charge::Kernel, ..)) => hex(code(Owner::Kernel, Language::Kernel), 0.0),
        Some((charge, ..)) => wait(*charge),
        None => wait(Charge::Unaccounted),
    }
}

/// Whether white letters read better on a colour than black ones. What is no colour is not dark.
pub(crate) fn is_dark(colour: &str) -> bool {
    let part = |at: usize| {
        let digits = colour.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        f64::from(digits.unwrap_or(u8::MAX))
    };
    // Weights of the three lights as eyes see them, ITU-R BT.709.
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) < 115.0
}

/// On a CPU, where a picture does not tell functions apart.
pub(crate) const ON_CPU: &str = "#f39c38"; // as `wait` has it for the leaves on a CPU

/// A change between -1 (blue: less) and 1 (red: more).
pub(crate) fn change(change: f64) -> String {
    let full = if change > 0.0 { [213.0, 72.0, 48.0] } else { [32.0, 108.0, 190.0] };
    hex(mixed([226.0, 223.0, 217.0], full, change.abs().min(1.0)), 0.0)
}

fn mixed(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let [a, b, c] = from;
    let [x, y, z] = to;
    let mix = |from: f64, to: f64| from + (to - from) * share;
    [mix(a, x), mix(b, y), mix(c, z)]
}

/// Between -1 and 1, from the letters of a name.
fn shade(name: &str) -> f64 {
    let sum =
        name.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    f64::from((sum >> 8) % 201) / 100.0 - 1.0
}

fn hex(rgb: Rgb, shade: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
    let byte = |value: f64| (value * (1.0 + 0.055 * shade)).round().clamp(0.0, 255.0) as u8;
    let [red, green, blue] = rgb.map(byte);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// What a paint stands for, for the legend.
pub(crate) fn meaning(paint: Paint) -> String {
    match paint {
        Paint::Root => "all".to_owned(),
        Paint::Wait(leaf) => leaf.id().to_owned(),
        Paint::Code(Owner::Kernel, _) => "kernel".to_owned(),
        Paint::Code(Owner::Runtime, _) => "runtime".to_owned(),
        Paint::Code(Owner::Project, language) => format!("your code, {}", language_word(language)),
        Paint::Code(Owner::Library, language) => format!("library, {}", language_word(language)),
        Paint::Code(Owner::Unknown, Language::Unknown) => "unknown".to_owned(),
        Paint::Code(Owner::Unknown, language) => language_word(language).to_owned(),
    }
}

/// The colour of a paint in the legend, without any name's shade.
pub(crate) fn swatch(paint: Paint) -> String {
    match paint {
        Paint::Code(owner, language) => hex(code(owner, language), 0.0),
        Paint::Wait(leaf) => wait(leaf),
        Paint::Root => hex([214.0, 211.0, 205.0], 0.0),
    }
}

const fn language_word(language: Language) -> &'static str {
    match language {
        Language::Native => "native",
        Language::C => "C",
        Language::Cpp => "C++",
        Language::Rust => "Rust",
        Language::Go => "Go",
        Language::Swift => "Swift",
        Language::Python => "Python",
        Language::JavaScript => "JavaScript",
        Language::Java => "Java",
        Language::DotNet => ".NET",
        Language::Kernel => "kernel",
        Language::Unknown => "unknown",
    }
}
