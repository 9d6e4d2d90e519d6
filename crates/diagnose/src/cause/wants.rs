//! Which further pass the first evidence asks for. A second plan from the first evidence, not a callback.

use crate::profile::Study;

/// From this share of wall time on, the kernel's work for a place is worth knowing call by call.
const KERNEL: f64 = 0.15;

/// From this share of wall time on, waits for files and peers are.
const WAITS: f64 = 0.1;

/// Why the calls of the program should be traced; `None` when nothing asks for it.
#[must_use]
pub fn wants_calls(study: &Study) -> Option<String> {
    let profile = &study.profile;
    let wall = profile.wall_s.filter(|wall| *wall > 0.0)?;
    let account = profile.account.as_ref()?;
    let kernel: f64 =
        account.leaves.iter().filter(|leaf| leaf.leaf == "on-cpu/kernel").map(|leaf| leaf.share).sum();
    if kernel >= KERNEL {
        return Some(format!("{:.0} % of wall time is the kernel's work", kernel * 100.0));
    }
    let is_transfer = |leaf: &str| {
        matches!(
            leaf,
            "blocked/network" | "blocked/disk-read" | "blocked/disk-write" | "blocked/poll" | "blocked/pipe"
        )
    };
    let waits: f64 = profile
        .waits
        .iter()
        .filter(|site| is_transfer(&site.leaf) && !site.idle)
        .map(|site| site.critical_s)
        .sum();
    (waits / wall >= WAITS)
        .then(|| format!("{:.0} % of wall time waits for files and peers", waits / wall * 100.0))
}
