//! `slowpath doctor`.

use model::compare::Settings;
use model::doctor::{Doctor, Noise, SCHEMA};
use model::manifest::Kind;
use model::{Exit, Stage};

use crate::cli::{self, TargetOptions};
use crate::document::{Document, Form};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::why::settings;

/// Tools whose versions belong to the machine's description.
const TOOLS: [&str; 6] = ["valgrind", "perf", "python3", "node", "java", "gcc"];

/// Rounds of the built-in loop: about 20 ms on a machine of 2024, long enough for wall noise, short enough for many.
const SPIN_ROUNDS: &str = "20000000";

pub(crate) fn doctor(doctor: &cli::Doctor) -> Result<End, Stop> {
    let (level, probes) = run::host::probe::probes();
    let fingerprint = run::host::fingerprint(&[], &TOOLS);
    let noise = if doctor.noise { Some(noise(doctor)?) } else { None };
    let answer = Doctor { schema: SCHEMA.to_owned(), level, probes, fingerprint, noise };
    let document = Document::Doctor(Box::new(answer));
    show::print(&document.render(Form::of(&doctor.show, false), &show::page(&doctor.show)))?;
    Ok(End::Exit(Exit::Answered))
}

/// A command against itself, every pair asked for measured.
fn noise(doctor: &cli::Doctor) -> Result<Noise, Stop> {
    let options = TargetOptions::default();
    let argv = if doctor.argv.is_empty() { built_in()? } else { doctor.argv.clone() };
    let written = Written::spelled(&argv, false);
    let name = if doctor.argv.is_empty() { vec!["built-in loop".to_owned(); 2] } else { Vec::new() };
    let arms = request::arms(&[written.clone(), written], &[], &name, &options)?;
    let plan = Plan {
        kind: Kind::Noise,
        arms,
        settings: Settings { pairs: Some(doctor.pairs), ..settings(&options, None, 0.0, 0.0) },
        gaps: Vec::new(),
        starts: true,
    };
    let mut sitting = Sitting::open(plan, &options, &doctor.show)?;
    let outcome = measure(&mut sitting, doctor.pairs as usize / 2);
    let outcome = sitting.end(outcome);
    let noise = diagnose::noise::noise(&sitting.manifest, &sitting.samples);
    outcome.map(|()| noise)
}

fn measure(sitting: &mut Sitting<'_>, blocks: usize) -> Result<(), Stop> {
    sitting.begin(std::time::Duration::from_secs(10))?;
    for (block, order) in stats::balanced_order(2, blocks, sitting.manifest.seed).iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
        let share = block as f64 / blocks as f64;
        sitting.progress.draw(&format!("pair {} of {}", 2 * block + 1, 2 * blocks), Some(share));
        sitting.block(block, order, Stage::Measure)?;
    }
    Ok(())
}

fn built_in() -> Result<Vec<std::ffi::OsString>, Stop> {
    let own = std::env::current_exe().map_err(|error| Stop::Nothing {
        why: format!("slowpath cannot find itself: {error}"),
        next: "name a command: `slowpath doctor --noise -- CMD`".to_owned(),
    })?;
    Ok(vec![own.into_os_string(), "spin".into(), SPIN_ROUNDS.into()])
}

/// The built-in loop: arithmetic that cannot be shortened.
pub(crate) fn spin(rounds: u64) -> u64 {
    (0..rounds).fold(1, |state: u64, round| {
        std::hint::black_box(state.wrapping_mul(6_364_136_223_846_793_005) ^ round)
    })
}
