//! What the program's files say at the places where the recording found time: its source, its machine code.
//!
//! Nothing is run for this. What was read is stored, so that a stored run is judged again without the files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use diagnose::profile::spots::is_packaged;
use diagnose::profile::{Study, family};
use inspect::{Code, Hot, Request};
use model::calls::On;
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

/// Native code that takes less than this share of the time that the program had is not worth a look at its instructions.
const WORTH: f64 = 0.1;

/// The same where the user asks for all hot loops.
const WORTH_TO_ALL: f64 = 0.01;

/// Functions of an image that are then looked at.
const MOST_FUNCTIONS: usize = 100;

/// Which machine code is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// The user's own that take much of the time.
    Hottest,
    /// Every hot one, libraries' too. An interpreter's own are nobody's to change.
    All,
}

/// Looks at source and machine code of the recording's hot places, and stores what was found.
pub(crate) fn look(sitting: &mut Sitting<'_>, study: &Study, loops: Loops) -> Result<(), Stop> {
    let Some(recording) = sitting.passes.recording.as_ref() else { return Ok(()) };
    let folder = sitting.folder_of_target();
    let source = source(study, &folder);
    let code = machine_code(study, recording, loops);
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

/// Lines of one file that are looked at for what they say, though nothing was seen there.
const MOST_LINES: usize = 200;

/// Looks at the user's own lines that were seen at work, for a page that only shows them.
pub(crate) fn look_at_lines(sitting: &mut Sitting<'_>) -> Result<(), Stop> {
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let frames = sitting.passes.recording.iter().flat_map(|recording| &recording.frames);
    for frame in frames.filter(|frame| frame.owner == Owner::Project) {
        if let (Some(file), Some(line @ 1..)) = (&frame.file, frame.line) {
            let lines = wanted.entry(file.clone()).or_default();
            if lines.len() < MOST_LINES {
                lines.insert(line);
            }
        }
    }
    let project = is_project(wanted.keys().map(String::as_str), &sitting.folder_of_target());
    look_also(sitting, wanted, project)
}

/// Looks also at the source of whoever asks peers, where their calls have been traced, and at every line that awaits:
/// event loops do not tell on whose behalf they wait.
pub(crate) fn look_at_callers(sitting: &mut Sitting<'_>) -> Result<(), Stop> {
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let frames = sitting.passes.recording.iter().flat_map(|recording| &recording.frames);
    let awaits = frames.filter(|frame| {
        frame.owner == Owner::Project && matches!(frame.language, Language::JavaScript | Language::Python)
    });
    let files: BTreeSet<&String> = awaits.filter_map(|frame| frame.file.as_ref()).collect();
    let project = is_project(files.iter().map(|file| file.as_str()), &sitting.folder_of_target());
    for file in files {
        let lines = lines_with(&["await ", "async for "], file, &sitting.folder_of_target());
        wanted.entry(file.clone()).or_default().extend(lines);
    }
    if let Some(calls) = &sitting.passes.calls {
        let peers = calls.rows.iter().filter(|row| matches!(row.on, Some(On::Peer(_))));
        for frame in peers.filter_map(|row| row.stack).flat_map(|stack| calls.frames_of(stack)) {
            if let (Owner::Project, Some(file), Some(line)) = (frame.owner, &frame.file, frame.line) {
                wanted.entry(file.clone()).or_default().insert(line);
            }
        }
    }
    look_also(sitting, wanted, project)
}

/// Looks also at the source of whoever asked for what an event loop waited for, and of functions whose promises it waited for.
pub(crate) fn look_at_awaited(sitting: &mut Sitting<'_>) -> Result<(), Stop> {
    let runtime = sitting.passes.runtime.as_ref();
    let Some(waits) = runtime.and_then(|runtime| runtime.waits.as_ref()) else { return Ok(()) };
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for place in waits.sites.iter().flat_map(|site| &site.stack) {
        wanted.entry(place.file.clone()).or_default().insert(place.line);
    }
    for pending in &waits.functions {
        wanted.entry(pending.file.clone()).or_default().insert(pending.line);
    }
    let project = is_project(wanted.keys().map(String::as_str), &sitting.folder_of_target());
    look_also(sitting, wanted, project)
}

/// Adds these lines to those that were looked at.
fn look_also(
    sitting: &mut Sitting<'_>,
    mut wanted: BTreeMap<String, BTreeSet<u32>>,
    project: bool,
) -> Result<(), Stop> {
    let folder = sitting.folder_of_target();
    let mut source = sitting.passes.source.clone().unwrap_or_else(|| Source {
        schema: SCHEMA.to_owned(),
        places: Vec::new(),
        project,
    });
    for (file, lines) in &mut wanted {
        lines.retain(|line| !source.places.iter().any(|known| known.file == *file && known.line == *line));
        source.places.extend(read(file, lines, &folder));
    }
    if wanted.values().any(|lines| !lines.is_empty()) {
        sitting.store(SOURCE, &source)?;
        sitting.passes.source = Some(source);
    }
    Ok(())
}

/// The first lines of a file that hold one of these words.
fn lines_with(words: &[&str], file: &str, folder: &Path) -> Vec<u32> {
    let text = text(&located(file, folder)).unwrap_or_default();
    let with = (1..).zip(text.lines()).filter(|(_, line)| words.iter().any(|word| line.contains(word)));
    with.map(|(number, _)| number).take(MOST_LINES).collect()
}

/// How scripts match regular expressions.
const MATCHING: [&str; 7] = [".test(", ".exec(", ".match(", ".matchAll(", ".replace", ".search(", ".split("];

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
        spot.inside.iter().for_each(|(place, _)| want(place, &[]));
        spot.through.iter().for_each(|place| want(place, &[]));
        // V8 says which pattern takes the time, not always which function matches it.
        if spot.leaves.iter().any(|(leaf, _)| family::pattern_of(&leaf.function).is_some()) {
            let file = spot.place.file.as_deref().unwrap_or_default();
            want(&spot.place, &lines_with(&MATCHING, file, folder));
        }
        spot.callers.iter().for_each(|(caller, _)| want(caller, &[]));
    }
    for site in &study.profile.waits {
        let own = site.stack.iter().filter(|place| place.owner == Owner::Project);
        let package = site.stack.iter().rfind(|place| is_packaged(place));
        site.place.iter().chain(own).chain(package).for_each(|place| want(place, &[]));
    }
    for hotspot in study.profile.hotspots.iter().filter(|hotspot| hotspot.place.owner == Owner::Project) {
        want(&hotspot.place, &[]);
    }
    let places = wanted.iter().flat_map(|(file, lines)| read(file, lines, folder)).collect();
    let own = study.spots.iter().map(|spot| &spot.place).filter(|place| place.owner == Owner::Project);
    let project = is_project(own.filter_map(|place| place.file.as_deref()), folder);
    Source { schema: SCHEMA.to_owned(), places, project }
}

/// What a repository's root holds, or whoever has told slowpath about a project.
const ROOTS: [&str; 5] = [".git", ".hg", ".jj", ".svn", crate::scenario::FILE];

/// Whether one of these files, or the folder that the program runs in, belongs to a project.
fn is_project<'a>(files: impl Iterator<Item = &'a str>, folder: &Path) -> bool {
    let is_root = |folder: &Path| ROOTS.iter().any(|name| folder.join(name).exists());
    let mut all = files.map(|file| located(file, folder)).chain([folder.join("any")]);
    all.any(|file| file.ancestors().skip(1).any(is_root))
}

fn read(file: &str, lines: &BTreeSet<u32>, folder: &Path) -> Vec<model::source::Place> {
    let path = located(file, folder);
    let lines: Vec<u32> = lines.iter().copied().collect();
    let contexts = inspect::source::language_of(&path)
        .zip(text(&path))
        .map(|(language, text)| inspect::source::contexts(language, &text, &lines))
        .unwrap_or_default();
    let mut contexts = contexts.into_iter();
    let place =
        |line| model::source::Place { file: file.to_owned(), line, context: contexts.next().flatten() };
    lines.into_iter().map(place).collect()
}

fn located(file: &str, folder: &Path) -> PathBuf {
    let path = PathBuf::from(file.strip_prefix("file://").unwrap_or(file));
    if path.is_absolute() { path } else { folder.join(path) }
}

/// The text of a file that somebody may have written.
fn text(path: &Path) -> Option<String> {
    let file = fs::metadata(path).ok()?;
    let bytes = (file.is_file() && file.len() <= LARGEST).then(|| fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Audits the machine code of native places that compute.
fn machine_code(study: &Study, recording: &Recording, loops: Loops) -> Vec<MachineCode> {
    let native = |language: Language| {
        matches!(language, Language::Native | Language::C | Language::Cpp | Language::Rust | Language::Go)
    };
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let had = study.had();
    let hot = own.filter(|spot| spot.wall.value >= WORTH * had && native(spot.place.language));
    let mut modules: BTreeSet<&str> = hot.filter_map(|spot| spot.place.module.as_deref()).collect();
    if loops == Loops::All {
        let leaves = study.spots.iter().flat_map(|spot| {
            let all = spot.leaves.iter().map(|(place, share)| (place, share * spot.wall.value));
            all.chain([(&spot.place, spot.wall.value)])
        });
        let hot = leaves.filter(|(place, share)| {
            *share >= WORTH_TO_ALL * had && native(place.language) && place.owner != Owner::Runtime
        });
        modules.extend(hot.filter_map(|(place, _)| place.module.as_deref()));
    }
    modules.into_iter().filter_map(|module| audit(module, recording, loops)).collect()
}

fn audit(module: &str, recording: &Recording, loops: Loops) -> Option<MachineCode> {
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
    let mut request = Request::new(module, "nanoseconds on a CPU");
    if loops == Loops::All {
        request.most_functions = MOST_FUNCTIONS;
    }
    Some(inspect::audit(&code, &hot, &request))
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
