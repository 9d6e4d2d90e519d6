//! What the program's files say at the places where the recording found time: its source, its machine code.
//!
//! Nothing is run for this. What was read is stored, so that a stored run is judged again without the files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use diagnose::profile::Study;
use inspect::{Code, Hot, Request};
use model::machine_code::{MACHINE_CODE, MachineCode};
use model::manifest::Pass;
use model::profile::Place;
use model::recording::{Language, Owner, Recording};
use model::source::{SCHEMA, SOURCE, Source};

use crate::sitting::Sitting;
use crate::stop::Stop;

/// Files larger than this are generated; nobody changes them by hand.
const LARGEST: u64 = 4 << 20;

/// Images larger than this would take longer to read than the program took to run.
const LARGEST_IMAGE: u64 = 256 << 20;

/// Native code that takes less than this share of wall time is not worth a look at its instructions.
const WORTH: f64 = 0.1;

/// Looks at source and machine code of the recording's hot places, and stores what was found.
pub(crate) fn look(sitting: &mut Sitting<'_>, study: &Study) -> Result<(), Stop> {
    let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
    let folder = sitting.folder_of_target();
    let source = source(study, &folder);
    let code = machine_code(study, recording);
    if !source.places.is_empty() {
        sitting.store(SOURCE, &source)?;
        sitting.note_pass(pass("source", "files on disk"));
        sitting.passes.source = Some(source);
    }
    if !code.is_empty() {
        sitting.store(MACHINE_CODE, &code)?;
        sitting.note_pass(pass("machine code", "files on disk"));
        sitting.passes.code = code;
    }
    Ok(())
}

/// A pass that runs nothing costs the target nothing.
fn pass(name: &str, instrument: &str) -> Pass {
    Pass { pass: name.to_owned(), instrument: instrument.to_owned(), runs: 0, ratio: None }
}

fn source(study: &Study, folder: &Path) -> Source {
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut want = |place: &Place, lines: &[u32]| {
        if let Some(file) = place.file.as_ref().filter(|_| place.owner != Owner::Kernel) {
            wanted
                .entry(file.clone())
                .or_default()
                .extend(place.line.iter().chain(lines).filter(|line| **line > 0));
        }
    };
    for spot in &study.spots {
        let lines: Vec<u32> = spot.lines.iter().map(|line| line.line).collect();
        want(&spot.place, &lines);
        spot.callers.iter().for_each(|(caller, _)| want(caller, &[]));
    }
    for site in &study.profile.waits {
        let own = site.stack.iter().filter(|place| place.owner == Owner::Project);
        site.place.iter().chain(own).for_each(|place| want(place, &[]));
    }
    for hotspot in study.profile.hotspots.iter().filter(|hotspot| hotspot.place.owner == Owner::Project) {
        want(&hotspot.place, &[]);
    }
    let places = wanted.iter().flat_map(|(file, lines)| read(file, lines, folder)).collect();
    Source { schema: SCHEMA.to_owned(), places }
}

fn read(file: &str, lines: &BTreeSet<u32>, folder: &Path) -> Vec<model::source::Place> {
    let path = PathBuf::from(file.strip_prefix("file://").unwrap_or(file));
    let path = if path.is_absolute() { path } else { folder.join(path) };
    let lines: Vec<u32> = lines.iter().copied().collect();
    let text = fs::metadata(&path)
        .ok()
        .filter(|file| file.is_file() && file.len() <= LARGEST)
        .and_then(|_| fs::read(&path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let contexts = inspect::source::language_of(&path)
        .zip(text)
        .map(|(language, text)| inspect::source::contexts(language, &text, &lines))
        .unwrap_or_default();
    let mut contexts = contexts.into_iter();
    let place =
        |line| model::source::Place { file: file.to_owned(), line, context: contexts.next().flatten() };
    lines.into_iter().map(place).collect()
}

/// Audits the machine code of native places that compute.
fn machine_code(study: &Study, recording: &Recording) -> Vec<MachineCode> {
    let native = |language: Language| {
        matches!(language, Language::Native | Language::C | Language::Cpp | Language::Rust | Language::Go)
    };
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let hot = own.filter(|spot| spot.wall.value >= WORTH && native(spot.place.language));
    let modules: BTreeSet<&str> = hot.filter_map(|spot| spot.place.module.as_deref()).collect();
    modules.into_iter().filter_map(|module| audit(module, recording)).collect()
}

fn audit(module: &str, recording: &Recording) -> Option<MachineCode> {
    let file = fs::metadata(module).ok().filter(|file| file.is_file() && file.len() <= LARGEST_IMAGE)?;
    let bytes = fs::read(module).ok().filter(|bytes| bytes.len() as u64 <= file.len().max(1) * 2)?;
    let code = Code::image(&bytes).ok()?;
    let mut weights: HashMap<u32, u64> = HashMap::new();
    for hit in &recording.hits {
        if let Some(stack) = hit.stack {
            *weights.entry(stack).or_default() += hit.weight;
        }
    }
    let mut stacks: Vec<(u32, u64)> = weights.into_iter().collect();
    stacks.sort_unstable();
    let hot: Vec<Hot> =
        stacks.iter().filter_map(|(stack, weight)| hot(recording, module, *stack, *weight)).collect();
    Some(inspect::audit(&code, &hot, &Request::new(module, "nanoseconds on a CPU")))
}

/// The line that a stack ends at, in the function whose machine code holds it.
fn hot(recording: &Recording, module: &str, stack: u32, weight: u64) -> Option<Hot> {
    let frame_of = |node: u32| recording.frames.get(recording.nodes.get(node as usize)?.frame as usize);
    let leaf = frame_of(stack)?;
    let mut node = stack;
    while frame_of(node)?.inlined {
        node = recording.nodes.get(node as usize)?.parent?;
    }
    let holder = frame_of(node)?;
    let path = recording.modules.get(holder.module? as usize).map(|module| module.path.as_str());
    if path != Some(module) {
        return None;
    }
    let name = holder.function.clone()?;
    Some(match (&leaf.file, leaf.line) {
        (Some(file), Some(line)) => Hot::Line { function: name, file: file.clone(), line, weight },
        _ => Hot::Function { name, weight },
    })
}
