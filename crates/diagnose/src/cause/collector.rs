//! What garbage collectors take, as the recording shows it and as the runtime counts it.

use model::profile::Place;
use model::recording::{Frame, Owner, Recording};

use super::facts::{Inputs, kernel_metric};
use super::subject::Subject;
use super::whole::{is_collector, is_managed, is_opaque, on_cpu, share_below, shows_collector};
use crate::profile::Study;
use crate::profile::family::Family;
use crate::profile::spots::Spot;

const ACCOUNT: (&str, &str) = (model::recording::RECORDING, "recorder");

/// A place that collects for less of wall time than this does not tell on whose behalf.
const TELLS: f64 = 0.02;

/// Functions of Go's collector. Its stacks may be cut where it changes from a task's stack to its own.
const GO: [&str; 5] = [
    "runtime.gcBgMarkWorker",
    "runtime.bgsweep",
    "runtime.gcDrain",
    "runtime.scanobject",
    "runtime.markroot",
];

/// Shares of wall time.
pub(super) struct Collected {
    /// In the program's own threads.
    inside: f64,
    /// In threads of the collector's.
    beside: f64,
    /// In which tasks of Go waited for it, in words of its own.
    waited: f64,
    /// In the program's own threads, when it was over.
    at_end: f64,
}

impl Collected {
    pub(super) fn of(recording: &Recording, study: &Study, wall: f64) -> Self {
        let threads = || study.profile.threads.iter();
        let collectors: f64 = threads().filter(|thread| is_collector(&thread.name)).map(on_cpu).sum();
        let busy: f64 = threads().map(on_cpu).sum();
        let waits = study.profile.waits.iter().filter(|site| super::known::is_collector(site));
        Self {
            inside: study.spots.iter().map(collecting).sum(),
            beside: (collectors + of_go(recording) * busy) / wall,
            waited: waits.fold(0.0, |sum, site| sum + site.critical_s) / wall,
            at_end: share_below(recording, ends) * busy / wall,
        }
    }

    pub(super) fn all(&self) -> f64 {
        self.inside + self.beside + self.waited
    }

    /// In the program's own threads and while it goes on: what an interpreter collects once more at its end is collected however
    /// few objects are made.
    fn meanwhile(&self) -> f64 {
        (self.inside - self.at_end).max(0.0) + self.waited
    }
}

fn collecting(spot: &Spot) -> f64 {
    spot.wall.value * spot.family(Family::Collect)
}

/// Python's last collection, of everything, which the interpreter asks for by this function of its interface.
fn ends(frame: &Frame) -> bool {
    frame.function.as_deref() == Some("PyGC_Collect")
}

/// Share of all hits that are Go's collector's.
fn of_go(recording: &Recording) -> f64 {
    let own = |name: &str| GO.iter().any(|own| name.starts_with(own));
    share_below(recording, |frame| frame.function.as_deref().is_some_and(own))
}

/// Notes how much of the run it is, and whose garbage.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, wall: f64) {
    super::sites::note_maker(subject, inputs);
    // The runtime saw where objects were made; a profile sees who was there when it had had enough of them.
    if let Some(place) = super::sites::maker(inputs).or_else(|| on_behalf_of(inputs.study)) {
        subject.instead.insert("gc-pressure", place.clone());
    }
    // An interpreter without symbols hides its collector among everything else; without stacks so does any program.
    let hidden = is_opaque(inputs.recording) && !shows_collector(inputs.recording);
    if hidden || !inputs.study.saw_places() {
        super::runtime::note_collector(subject, inputs, None);
        return;
    }
    let seen = Collected::of(inputs.recording, inputs.study, wall);
    // The heap of a runtime grows because the collector lets it: the pages are part of its price.
    let managed = inputs.study.spots.iter().filter(|spot| is_managed(spot.place.language));
    let pages: f64 = managed.map(in_pages).sum();
    let collector = (seen.all() + pages).min(1.0);
    subject.number("collector", collector, "1", ACCOUNT);
    subject.number("collector.part", collector, "1", ACCOUNT);
    super::runtime::note_collector(subject, inputs, Some(seen.meanwhile()));
    // What runs beside the program costs it nothing while a CPU is free: only what held it up can be won back.
    if inputs.runtime.is_some_and(|runtime| runtime.collector.beside) {
        let own = subject.value("gc.share").unwrap_or(1.0);
        subject.number("collector.part", (seen.inside + seen.waited).min(own), "1", ACCOUNT);
    }
}

fn in_pages(spot: &Spot) -> f64 {
    let calls = spot.kernel.iter().filter(|(call, _)| kernel_metric(call) == "kernel.memory");
    spot.wall.value * calls.fold(0.0, |sum, (_, share)| sum + share)
}

/// Who waits for the collector, else who collects, else who makes the objects: beside the program nothing tells.
fn on_behalf_of(study: &Study) -> Option<&Place> {
    let project = || study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let waits = study.profile.waits.iter().filter(|site| super::known::is_collector(site));
    let longest = waits.max_by(|a, b| a.critical_s.total_cmp(&b.critical_s));
    // The runtime's own functions stand in the program's file too.
    let is_own = |place: &&Place| place.owner == Owner::Project && !place.function.starts_with("runtime.");
    let waits = longest.and_then(|site| site.stack.iter().rev().find(is_own));
    let most = project().max_by(|a, b| collecting(a).total_cmp(&collecting(b)));
    let collects = most.filter(|spot| collecting(spot) > TELLS).map(|spot| &spot.place);
    let makes = |spot: &Spot| spot.wall.value * spot.family(Family::Allocate);
    let maker = project().max_by(|a, b| makes(a).total_cmp(&makes(b))).map(|spot| &spot.place);
    waits.or(collects).or(maker)
}
