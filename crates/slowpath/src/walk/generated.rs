//! The machine code that the recorded processes made while they ran: V8's, the JVM's, .NET's, Numba's.

use inspect::{Code, Hot, Piece, Request};
use model::Gap;
use model::machine_code::{Architecture, GENERATED_CODE, MachineCode};
use model::manifest::Pass;
use model::recording::Recording;
use run::record::Generated;

use crate::sitting::Sitting;
use crate::stop::Stop;

/// A process whose own code takes less than this share of all time on a CPU is not worth a look at it.
const WORTH: f64 = 0.01;

/// Processes that are looked at: those of a pool run the same code.
const MOST_PROCESSES: usize = 4;

/// Of the time in generated code, a share that is not looked at and is worth telling.
const TOLD: f64 = 0.05;

/// Audits what the recorder copied, and stores what was found.
pub(crate) fn look(sitting: &mut Sitting<'_>, generated: &[Generated]) -> Result<(), Stop> {
    let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
    let audits = audits(recording, generated);
    if audits.is_empty() {
        return Ok(());
    }
    sitting.store(GENERATED_CODE, &audits)?;
    let (pass, instrument) = ("generated code".to_owned(), "memory of the recorded processes".to_owned());
    sitting.note_pass(Pass { pass, instrument, runs: 0, ratio: None });
    sitting.passes.generated = audits;
    Ok(())
}

fn audits(recording: &Recording, generated: &[Generated]) -> Vec<MachineCode> {
    let all: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    let mut hot: Vec<(u64, &Generated)> =
        generated.iter().map(|process| (weight(process), process)).collect();
    hot.retain(|(weight, process)| share(*weight, all) >= WORTH && !process.pieces.is_empty());
    hot.sort_by_key(|(weight, process)| (std::cmp::Reverse(*weight), process.pid));
    let mut audits: Vec<MachineCode> =
        hot.iter().take(MOST_PROCESSES).map(|(_, process)| audit(recording, process)).collect();
    let more = hot.len() - audits.len();
    if let Some(last) = audits.last_mut().filter(|_| more > 0) {
        let why = format!(
            "{more} more made code while they ran; the {MOST_PROCESSES} with the most time are shown"
        );
        last.gaps.push(Gap::new("machine code of other processes", why, None));
    }
    audits
}

fn weight(process: &Generated) -> u64 {
    process.hits.iter().fold(0, |sum, (_, weight)| sum.saturating_add(*weight))
}

#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn audit(recording: &Recording, process: &Generated) -> MachineCode {
    let name = recording.processes.iter().find(|known| known.pid == process.pid);
    let name = name.map_or("a process", |known| known.name.as_str());
    let image = format!("code that {name} made while it ran (process {})", process.pid);
    let pieces = process.pieces.iter().map(|piece| Piece {
        name: piece.name.clone(),
        base: piece.start,
        bytes: &piece.bytes,
    });
    let code = Code::pieces(pieces.collect(), architecture());
    let hot: Vec<Hot> = process
        .hits
        .iter()
        .map(|(address, weight)| Hot::Address { address: *address, weight: *weight })
        .collect();
    let mut audit = inspect::audit(&code, &hot, &Request::new(&image, "nanoseconds on a CPU"));
    for function in &mut audit.functions {
        if process.pieces.iter().any(|piece| piece.start == function.from && piece.cut) {
            let why = "it is longer than what was copied of it";
            function.gaps.push(Gap::new("all of its instructions", why, None));
        }
    }
    let left = [
        (process.interpreted, "it is the interpreter's, a stub, or code that was not optimised yet"),
        (process.missed, "it was gone before it could be copied"),
    ];
    for (weight, why) in left {
        let share = share(weight, audit.weight);
        if share >= TOLD {
            let why = format!("{:.0} % of the time in code made at run time: {why}", share * 100.0);
            audit.gaps.push(Gap::new("machine code", why, None));
        }
    }
    audit
}

/// What ran here was made for this processor.
const fn architecture() -> Architecture {
    if cfg!(target_arch = "aarch64") { Architecture::Aarch64 } else { Architecture::X86_64 }
}
