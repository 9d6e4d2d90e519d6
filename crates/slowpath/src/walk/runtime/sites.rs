//! Stacks in which a runtime says that objects were made, added up by the user's function that had them made.

use std::collections::BTreeMap;
use std::path::Path;

use model::profile::Place;
use model::recording::{Language, Owner, Recording, is_java_library};
use model::runtime::{Site, Sites};
use model::{Bytes, Count};
use serde::Deserialize;
use tools::jfr::{Allocations, Frame};

/// What Node's hook writes of its samples.
#[derive(Deserialize)]
pub(super) struct Sampled {
    bytes: u64,
    samples: u64,
    stacks: Vec<Stack>,
}

#[derive(Deserialize)]
struct Stack {
    /// The innermost function outside of packages and Node itself.
    own: Option<Spoken>,
    /// The innermost function.
    here: Spoken,
    bytes: u64,
    samples: u64,
}

#[derive(Deserialize)]
struct Spoken {
    function: String,
    file: Option<String>,
    line: Option<u32>,
}

/// Sums over all processes of a run.
pub(super) struct Sums<'r> {
    recording: &'r Recording,
    project: &'r Path,
    sites: Sites,
    by_function: BTreeMap<(String, Option<String>), Sum>,
}

/// Of one function: bytes and samples of each line, and of each function inside.
struct Sum {
    place: Place,
    lines: BTreeMap<Option<u32>, u64>,
    inside: BTreeMap<(String, Option<String>), (Place, u64)>,
    bytes: u64,
    samples: u64,
}

impl<'r> Sums<'r> {
    pub(super) fn new(recording: &'r Recording, project: &'r Path) -> Self {
        Self { recording, project, sites: Sites::default(), by_function: BTreeMap::new() }
    }

    /// Adds what a process of Node said.
    pub(super) fn add_node(&mut self, sampled: Sampled) {
        self.add_total(sampled.bytes, sampled.samples);
        self.sites.changed = Some("functions are not inlined".to_owned());
        for stack in sampled.stacks {
            let here = self.script(stack.here);
            let own = stack.own.map(|own| self.script(own)).filter(|own| own.owner == Owner::Project);
            self.add(own, here, stack.bytes, stack.samples);
        }
    }

    /// Adds what a JVM recorded.
    pub(super) fn add_jvm(&mut self, recorded: &Allocations) {
        self.add_total(recorded.bytes, recorded.samples);
        for stack in &recorded.stacks {
            let Some(innermost) = stack.frames.first() else { continue };
            let here = self.method(innermost);
            let mut places = stack.frames.iter().map(|frame| self.method(frame));
            let own = places.find(|place| place.owner == Owner::Project);
            self.add(own, here, stack.bytes, stack.samples);
        }
    }

    /// The largest of all. `None` when nothing was sampled: so little says nothing.
    pub(super) fn into_sites(mut self) -> Option<Sites> {
        let mut all: Vec<Site> = self.by_function.into_values().map(Sum::into_site).collect();
        all.sort_by(|one, other| (other.bytes, &one.place.function).cmp(&(one.bytes, &other.place.function)));
        all.truncate(Sites::MOST);
        self.sites.largest = all;
        (self.sites.samples.0 > 0).then_some(self.sites)
    }

    fn add_total(&mut self, bytes: u64, samples: u64) {
        self.sites.bytes = Bytes::from_bytes(self.sites.bytes.as_bytes().saturating_add(bytes));
        self.sites.samples = Count(self.sites.samples.0.saturating_add(samples));
    }

    fn add(&mut self, own: Option<Place>, here: Place, bytes: u64, samples: u64) {
        let key = |place: &Place| (place.function.clone(), place.file.clone());
        let place = own.unwrap_or_else(|| here.clone());
        let sum = self.by_function.entry(key(&place)).or_insert_with(|| Sum {
            place: place.clone(),
            lines: BTreeMap::new(),
            inside: BTreeMap::new(),
            bytes: 0,
            samples: 0,
        });
        sum.bytes = sum.bytes.saturating_add(bytes);
        sum.samples = sum.samples.saturating_add(samples);
        *sum.lines.entry(place.line).or_default() += bytes;
        sum.inside.entry(key(&here)).or_insert_with(|| (here, 0)).1 += bytes;
    }

    fn script(&self, spoken: Spoken) -> Place {
        let owner = spoken.file.as_deref().map_or(Owner::Runtime, |file| {
            let known = self.recording.frames.iter().find(|frame| frame.file.as_deref() == Some(file));
            let near = Path::new(file).starts_with(self.project) && !file.contains("/node_modules/");
            known.map_or(if near { Owner::Project } else { Owner::Library }, |frame| frame.owner)
        });
        let Spoken { function, file, line } = spoken;
        Place { function, file, line, module: None, language: Language::JavaScript, owner }
    }

    fn method(&self, frame: &Frame) -> Place {
        let (file, owner) = self.class(&frame.class);
        let function = format!("{}.{}", frame.class, frame.method);
        Place { function, file, line: frame.line, module: None, language: Language::Java, owner }
    }

    /// File and owner of a class, as the recorder found them, else by its package.
    fn class(&self, class: &str) -> (Option<String>, Owner) {
        // Classes with an address in their name are made while the program runs.
        if is_java_library(class) || class.contains("+0x") {
            return (None, Owner::Library);
        }
        let of = |class: &str| {
            let is_of =
                |name: &String| name.strip_prefix(class).is_some_and(|rest| rest.starts_with(['.', '$']));
            self.recording.frames.iter().find(|frame| frame.function.as_ref().is_some_and(is_of))
        };
        let outermost = class.split('$').next().unwrap_or(class);
        if let Some(known) = of(class).or_else(|| of(outermost)) {
            return (known.file.clone(), known.owner);
        }
        let package = |class: &str| class.rsplit_once('.').map(|(package, _)| package.to_owned());
        let own = self
            .recording
            .frames
            .iter()
            .filter(|frame| frame.owner == Owner::Project && frame.language == Language::Java);
        // A function's name is its class's, and a package more.
        let own = own.filter_map(|frame| frame.function.as_deref()?.rsplit_once('.'));
        let near = own.map(|(class, _)| package(class)).any(|own| own == package(class));
        (None, if near { Owner::Project } else { Owner::Library })
    }
}

impl Sum {
    fn into_site(self) -> Site {
        let line = self.lines.iter().max_by_key(|(_, bytes)| **bytes).and_then(|(line, _)| *line);
        let inside = self.inside.into_values().max_by_key(|(_, bytes)| *bytes).map(|(place, _)| place);
        let same = |inside: &Place| inside.function == self.place.function && inside.file == self.place.file;
        let inside = inside.filter(|inside| !same(inside));
        let (bytes, samples) = (Bytes::from_bytes(self.bytes), Count(self.samples));
        Site { place: Place { line, ..self.place }, inside, bytes, samples }
    }
}
