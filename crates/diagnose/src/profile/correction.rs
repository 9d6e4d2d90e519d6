//! What other witnesses know better than the switches: a program's end, and the price of a switch.

use model::doctor::Level;
use model::leaf::Charge;
use model::recording::{Recording, Source, Thread};

use super::lives::Absence;
use super::places::NONE;
use super::queue::level;

/// By how much a switch may be told too late. 0.7 µs a switch were seen on a quiet virtual machine, 14 to 25 µs on a
/// loaded one; what the difference comes from is not known.
const SWITCH: u64 = 30_000;

/// When a process ended, as the kernel told; it is gone a while later.
pub(super) fn ended(recording: &Recording, process: u32) -> Option<u64> {
    let is_ours = matches!(recording.source, Source::Slowpath(_));
    let to = recording.processes.get(process as usize).filter(|_| is_ours)?.to?;
    Some(to.as_nanos())
}

/// From the end of its process to the end of a main thread nobody sees it switch, so it is not seen on a CPU either.
pub(super) fn ending(recording: &Recording, thread: &Thread, free_from: u64, to: u64) -> Option<Absence> {
    let is_main = recording.processes.get(thread.process as usize).is_some_and(|of| of.pid == thread.tid);
    let from = ended(recording, thread.process).filter(|from| is_main && free_from <= *from && *from < to)?;
    Some(Absence {
        from,
        to,
        woken: to,
        wait: NONE,
        call: NONE,
        stack: NONE,
        by: NONE,
        holder: NONE,
        cpu: NONE,
        // Nothing tells of a queue here.
        witnessed: true,
        charge: Charge::Ending,
        interpreter: None,
    })
}

/// The scheduler's figure for time on a CPU, where a recording of switches can be held against it.
pub(super) fn scheduled(recording: &Recording, thread: &Thread) -> Option<u64> {
    // Polls take the scheduler's figure for their own.
    let is_ours = matches!(recording.source, Source::Slowpath(Level::A | Level::B | Level::C));
    thread.scheduler_on_cpu.filter(|_| is_ours).map(|nanos| nanos.as_nanos())
}

/// The scheduler's figure only grows, so where it is above ours the absences are too long. It is taken for the delay
/// with which switches are told, the same for each; the rest was spent while the thread was taken down.
pub(super) fn lengthen(absences: &mut [Absence], life: u64, on_cpu: u64) {
    let off: u64 = absences.iter().map(|absence| absence.to - absence.from).sum();
    let missing = on_cpu.min(life).saturating_sub(life - off);
    let missing = shorten(absences, missing, SWITCH);
    let missing = match absences.last_mut().filter(|last| last.charge == Charge::Ending) {
        Some(ending) => {
            let given = missing.min(ending.to - ending.from);
            ending.from += given;
            missing - given
        }
        None => missing,
    };
    shorten(absences, missing, u64::MAX);
}

/// Takes `amount` off the ends of absences, the same from each and at most `most`. Returns what is left of it.
fn shorten(absences: &mut [Absence], amount: u64, most: u64) -> u64 {
    if amount == 0 {
        return 0;
    }
    let switched = |absence: &&mut Absence| absence.charge != Charge::Ending;
    let mut lengths: Vec<u64> =
        absences.iter_mut().filter(switched).map(|absence| absence.to - absence.from).collect();
    lengths.sort_unstable();
    let level = level(&lengths, amount).min(most);
    let mut left = amount;
    for absence in absences.iter_mut().filter(switched) {
        let given = level.min(absence.to - absence.from);
        absence.to -= given;
        absence.woken = absence.woken.min(absence.to);
        left = left.saturating_sub(given);
    }
    left
}
