//! Work that an event loop hands to threads of its own piece by piece: where the pieces are small, waking each other is all
//! that both sides do.

use model::answer::Leaf;
use model::profile::WaitSite;

use super::facts::{Inputs, RECORDER};
use super::known::is_event_loop;
use super::subject::Subject;

/// Pieces in each second that the program had, from which on handing over costs: two wakings and two switches each are about 20 µs.
const OFTEN: f64 = 2000.0;

/// Seconds, on average, in which the other thread is done with a piece that is hardly any work.
const SHORT: f64 = 0.0005;

/// Notes how often pieces are handed over, and what that takes; the place is who waits for them.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    let profile = &inputs.study.profile;
    let sites: Vec<&WaitSite> = profile.waits.iter().filter(|site| !site.idle && is_handed(site)).collect();
    let count: u64 = sites.iter().map(|site| site.count).sum();
    let seconds: f64 = sites.iter().map(|site| site.seconds).sum();
    let rate = count as f64 / (wall * inputs.study.had()).max(f64::MIN_POSITIVE);
    let main = sites.iter().max_by_key(|site| site.count).filter(|_| rate >= OFTEN);
    let (Some(main), Some(account)) = (main.filter(|_| seconds <= SHORT * count as f64), &profile.account)
    else {
        subject.number("kernel.asking", 0.0, "1", RECORDER);
        return;
    };
    let leaf = |name: &str| account.leaves.iter().find(|leaf| leaf.leaf == name);
    let share = |name: &str| leaf(name).map_or(0.0, |leaf| leaf.share);
    let waking = leaf("on-cpu/kernel").map_or(0.0, waking) / wall;
    let computing = share("on-cpu/user") + share("on-cpu/kernel");
    let critical: f64 = sites.iter().map(|site| site.critical_s).sum();
    subject.number("handovers", rate, "/s", RECORDER);
    subject.number("kernel.asking", (waking / computing.max(f64::MIN_POSITIVE)).min(1.0), "1", RECORDER);
    let part = waking + share("runnable/woken") + critical / wall;
    subject.number("kernel", part.min(1.0), "1", RECORDER);
    subject.word("way", "handover".to_owned());
    let place = super::waiting::awaiting(inputs, main)
        .or_else(|| main.place.clone().filter(|place| place.owner == model::recording::Owner::Project));
    if let Some(place) = place {
        subject.instead.insert("syscall-storm", place);
    }
}

/// A loop waits until one of its own threads has done something.
fn is_handed(site: &WaitSite) -> bool {
    let rung = site.what.as_deref().is_some_and(|what| what.contains("ready by thread"));
    // Tokio's `block_on` parks its thread on a lock of its own.
    let parked = || site.stack.iter().any(|place| place.function.contains("::block_on"));
    site.leaf == "blocked/poll" && rung && is_event_loop(site) || site.leaf == "blocked/lock" && parked()
}

/// Seconds that the kernel wakes others, waits for them or switches.
fn waking(kernel: &Leaf) -> f64 {
    let is_waking = |what: &str| ["futex", "epoll", "kernel"].iter().any(|begin| what.starts_with(begin));
    kernel.parts.iter().filter(|part| is_waking(&part.what)).map(|part| part.seconds).sum()
}
