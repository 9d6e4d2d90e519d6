//! Places that waited: what for, how long, how often, and how much of it held up the program.

use std::collections::HashMap;

use model::leaf::Charge;
use model::profile::{Place, WaitSite};

use super::hash::QuickMap;
use super::lives::Absence;
use super::places::{NONE, Places};
use super::scene::Scene;
use super::tally::seconds;
use super::tasks::{Goal, Stint, Tasks};
use super::wakers::Wakers;
use super::words::{Topic, held};

const MOST: usize = 300;

/// Frames shown of one stack.
const FRAMES: usize = 128;

/// What waits are shown under.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Site {
    charge: Charge,
    what: Option<String>,
    call: Option<String>,
    place: Option<Place>,
    /// The function of the user's that calls it, where a peer is waited for: a function that only moves bytes is called by
    /// those who ask and by those who answer.
    caller: u32,
}

#[derive(Clone, Copy, Debug)]
struct Sums {
    nanos: u64,
    /// Waits, in a storm with those that they stand for.
    count: f64,
    longest: u64,
    critical: u64,
    queued: u64,
    idle: u64,
    threads: u32,
    /// The last thread counted; threads come one after the other.
    thread: u32,
    /// The stack that waited longest, and for how long.
    dearest: (u64, u32),
    /// Who ended waits for a lock whose holder was not seen. [`NONE`]: nobody yet.
    let_go: u32,
    /// Not always the same.
    by_several: bool,
}

impl Sums {
    const NOTHING: Self = Self {
        nanos: 0,
        count: 0.0,
        longest: 0,
        critical: 0,
        queued: 0,
        idle: 0,
        threads: 0,
        thread: NONE,
        dearest: (0, NONE),
        let_go: NONE,
        by_several: false,
    };

    /// Notes who let go of a lock that one thread has at a time: it has had it.
    fn note_end(&mut self, thread: u32, absence: &Absence, scene: &Scene<'_>) {
        let asks = absence.charge == Charge::Lock && absence.holder == NONE && absence.interpreter.is_none();
        if !asks || absence.by == NONE || !scene.lives.clock.voices.of_stack(absence.stack).exclusive {
            return;
        }
        let other = self.let_go != NONE && self.let_go != absence.by;
        self.by_several |= other || absence.by == thread;
        self.let_go = absence.by;
    }

    /// `length`: of the wait itself; `nanos`: what it stands for.
    fn add(&mut self, thread: u32, length: u64, nanos: u64, critical: u64, idle: bool) {
        // Saturating: many threads' time may pass 64 bits in a hostile recording.
        self.nanos = self.nanos.saturating_add(nanos);
        self.critical = self.critical.saturating_add(critical);
        self.idle = self.idle.saturating_add(if idle { nanos } else { 0 });
        self.longest = self.longest.max(nanos.min(length));
        self.count += if length == 0 { 1.0 } else { nanos as f64 / length as f64 };
        if self.thread != thread {
            (self.thread, self.threads) = (thread, self.threads + 1);
        }
    }
}

/// Tasks of a library's own that wait for work are nobody's to change.
fn is_shown(stint: &Stint, scene: &Scene<'_>) -> bool {
    let is_own = || scene.places.view(stint.stack).is_some_and(|view| view.project != NONE);
    stint.waits() && (stint.goal != Goal::Work || is_own())
}

impl Sums {
    /// A stint of a task.
    fn add_task(&mut self, stint: &Stint, critical: u64, nanos: u64) {
        self.nanos = self.nanos.saturating_add(nanos);
        self.critical = self.critical.saturating_add(critical);
        let is_idle = match stint.goal {
            Goal::Leaf(_) => false,
            Goal::Others => critical == 0,
            Goal::Work => true,
        };
        self.idle = self.idle.saturating_add(if is_idle { nanos } else { 0 });
        self.longest = self.longest.max(nanos);
        self.count += f64::from(stint.parkings);
        // Tasks are numbered apart from threads.
        let task = (NONE - 1).saturating_sub(stint.task);
        if self.thread != task {
            (self.thread, self.threads) = (task, self.threads + 1);
        }
    }
}

fn is_wait(absence: &Absence) -> bool {
    !absence.charge.is_runnable() && absence.charge != Charge::Ending
}

/// `covered`: nanoseconds of each wait, or of each stint of a task, on the critical path.
pub(super) fn sites(
    scene: &Scene<'_>,
    wakers: &Wakers<'_>,
    (covered, idle): (&[u64], &[bool]),
    (tasks, covered_tasks): (&Tasks, &[u64]),
) -> Vec<WaitSite> {
    let mut table = Table::default();
    for thread in (0_u32..).zip(&scene.lives.lives).map(|(thread, _)| thread) {
        // Where the tasks themselves tell what they wait for, a thread without one has nothing to add.
        let tells = |absence: &&Absence| is_wait(absence) && !tasks.is_parked(thread, absence, wakers);
        for absence in scene.lives.absences(thread).iter().filter(tells) {
            let critical = covered.get(absence.wait as usize).copied().unwrap_or(0);
            let is_idle = idle.get(absence.wait as usize).copied().unwrap_or(false);
            let site = table.site(scene, absence);
            if let Some(sums) = table.sums.get_mut(site as usize) {
                sums.add(thread, absence.blocked(), scene.lives.blocked(absence), critical, is_idle);
                sums.queued = sums.queued.saturating_add(scene.lives.queued(absence));
                sums.note_end(thread, absence, scene);
            }
        }
    }
    for (stint, critical) in
        tasks.stints.iter().zip(covered_tasks).filter(|(stint, _)| is_shown(stint, scene))
    {
        let site = table.site(scene, &stint.absence());
        if let Some(sums) = table.sums.get_mut(site as usize) {
            sums.add_task(stint, *critical, scene.lives.windows.length(stint.from, stint.to));
        }
    }
    let mut sites = table.finish();
    sites.sort_by(|one, other| other.1.nanos.cmp(&one.1.nanos).then_with(|| one.0.cmp(&other.0)));
    sites.truncate(MOST);
    sites.into_iter().map(|(site, sums)| shown(scene.places, site, &sums)).collect()
}

/// Sites by what is quick to compare first, and by their names last: many stacks lead to one site.
#[derive(Default)]
struct Table {
    /// By topic and stack: the site, and nanoseconds.
    stacks: QuickMap<(Topic, u32), (u32, u64)>,
    /// By topic, function, line and caller.
    places: QuickMap<(Topic, u32, Option<u32>, u32), u32>,
    names: HashMap<Site, u32>,
    sums: Vec<Sums>,
}

impl Table {
    /// The position of an absence's site in `sums`.
    fn site(&mut self, scene: &Scene<'_>, absence: &Absence) -> u32 {
        let topic = Topic::of(absence, scene.places);
        if let Some((site, nanos)) = self.stacks.get_mut(&(topic, absence.stack)) {
            *nanos = nanos.saturating_add(scene.lives.blocked(absence));
            return *site;
        }
        let node = scene.places.shown(absence.stack);
        let function = node.map_or(NONE, |node| scene.places.function_of(node));
        let line = node.and_then(|node| scene.places.line(node));
        let caller = if talks(topic.charge) { caller(scene.places, node) } else { NONE };
        let site = match self.places.get(&(topic, function, line, caller)) {
            Some(site) => *site,
            None => self.named(scene, &topic, node, caller),
        };
        self.places.insert((topic, function, line, caller), site);
        self.stacks.insert((topic, absence.stack), (site, scene.lives.blocked(absence)));
        site
    }

    fn named(&mut self, scene: &Scene<'_>, topic: &Topic, node: Option<u32>, caller: u32) -> u32 {
        let recording = scene.lives.recording;
        let site = Site {
            charge: topic.charge,
            what: topic.object(recording),
            call: recording.calls.get(topic.call as usize).map(|call| call.name.clone()),
            place: node.and_then(|node| scene.places.place(node)),
            caller,
        };
        let next = u32::try_from(self.sums.len()).unwrap_or(NONE);
        let position = *self.names.entry(site).or_insert(next);
        if position == next {
            self.sums.push(Sums::NOTHING);
        }
        position
    }

    fn finish(mut self) -> Vec<(Site, Sums)> {
        for ((_, stack), (site, nanos)) in self.stacks {
            if let Some(sums) = self.sums.get_mut(site as usize) {
                sums.dearest = sums.dearest.max((nanos, stack));
            }
        }
        let sums = &self.sums;
        self.names
            .into_iter()
            .filter_map(|(site, position)| Some((site, *sums.get(position as usize)?)))
            .collect()
    }
}

fn talks(charge: Charge) -> bool {
    matches!(charge, Charge::Network | Charge::Pipe | Charge::Poll)
}

/// The innermost function of the user's outside of a frame.
fn caller(places: &Places<'_>, node: Option<u32>) -> u32 {
    let parent = node.and_then(|node| places.view(node)).map_or(NONE, |view| view.parent);
    let project = places.view(parent).map_or(NONE, |view| view.project);
    if project == NONE { NONE } else { places.function_of(project) }
}

fn shown(places: &Places<'_>, site: Site, sums: &Sums) -> WaitSite {
    let keeper = Some(sums.let_go).filter(|_| !sums.by_several);
    let held = keeper.and_then(|keeper| held(places.recording, site.what.as_deref(), keeper));
    WaitSite {
        leaf: site.charge.id().to_owned(),
        what: held.or(site.what),
        call: site.call,
        place: site.place,
        stack: stack(places, sums.dearest.1),
        seconds: seconds(sums.nanos),
        count: sums.count.round().max(1.0) as u64,
        longest_s: seconds(sums.longest),
        critical_s: seconds(sums.critical),
        queued_s: Some(seconds(sums.queued)),
        threads: sums.threads,
        // A site is what most of its time is.
        idle: sums.idle > sums.nanos / 2,
    }
}

/// Outermost first.
fn stack(places: &Places<'_>, innermost: u32) -> Vec<Place> {
    let mut next = innermost;
    let nodes = std::iter::from_fn(|| {
        let node = next;
        next = places.view(node)?.parent;
        Some(node)
    });
    let mut stack: Vec<Place> = nodes.take(FRAMES).filter_map(|node| places.place(node)).collect();
    stack.reverse();
    stack
}
