//! Places that wait, as subjects.

use std::collections::{BTreeMap, BTreeSet};

use model::profile::{Place, WaitSite};
use model::recording::{Frame, Language, Owner, Recording};
use model::source::{Context, TraitKind};

use super::Kind;
use super::calls::{is_sync, note_all_peers, note_peers};
use super::coverage::{is_set_aside, is_unknown};
use super::facts::{Contexts, Inputs, context_of, exact};
use super::known::{
    self, awaits_task, blocks_event_loop, hands_out, has_time_limit, is_condition, is_contention,
    is_event_loop, is_interpreter_lock, is_join, is_machine, is_pool, is_schedule, is_word, is_worker,
    kind_of, names_schedule, resolves, sleeps, wants_interpreter,
};
use super::rules::peers::{LONG_ANSWER, MANY_ANSWERS};
use super::source::{REPEATED, growing};
use super::subject::Subject;
use crate::profile::spots::{Spot, is_packaged};

/// Places that hold the program up for less than this share of wall time are not worth a hypothesis.
const LEAST: f64 = 0.01;

const WAITS: (&str, &str) = (model::recording::RECORDING, "recorder");

/// Leaves and their metric.
const LEAVES: &[(&str, &str)] = &[
    ("blocked/lock", "wait.lock"),
    ("blocked/sleep", "wait.sleep"),
    ("blocked/fault", "wait.fault"),
    ("blocked/network", "wait.network"),
];

/// Leaf, function and file; without a place what it waited for, which then is all that is known.
type Key<'a> = (&'a str, Result<(&'a str, Option<&'a str>), Option<&'a str>>);

/// Sites of one leaf in one function belong together: the file or peer may differ each time.
#[derive(Default)]
struct Group<'a> {
    sites: Vec<&'a WaitSite>,
}

pub(super) fn subjects(inputs: &Inputs<'_>, contexts: &Contexts<'_>) -> Vec<Subject> {
    let Some(wall) = inputs.study.profile.wall_s.filter(|wall| *wall > 0.0) else { return Vec::new() };
    let mut groups: BTreeMap<Key<'_>, Group<'_>> = BTreeMap::new();
    for site in &inputs.study.profile.waits {
        if is_unknown(site) || is_set_aside(inputs, site) {
            continue;
        }
        let place = packaged(site)
            .or_else(|| owner(site, contexts))
            .map(|place| (place.function.as_str(), place.file.as_deref()));
        let key = (leaf_of(site), place.ok_or(site.what.as_deref()));
        groups.entry(key).or_default().sites.push(site);
    }
    let served = served(inputs);
    groups.values().filter_map(|group| group.subject(inputs, contexts, wall, served)).collect()
}

/// The function of a package that waits in a thread of its own, where no code of the user's is on the way.
fn packaged(site: &WaitSite) -> Option<&Place> {
    let own = |place: &Place| place.owner == Owner::Project;
    let none = !site.place.as_ref().is_some_and(own) && !site.stack.iter().any(own);
    site.stack.iter().rfind(|place| is_packaged(place)).filter(|_| none)
}

/// Who waits: of functions that only move bytes for their caller, the caller.
fn owner<'s>(site: &'s WaitSite, contexts: &Contexts<'_>) -> Option<&'s Place> {
    let own = site.place.as_ref()?;
    let moves = |place: &Place| context_of(contexts, place).is_some_and(super::source::moves_for_others);
    if !moves(own) {
        return Some(own);
    }
    let callers = site.stack.iter().rev().filter(|place| place.owner == Owner::Project);
    let mut callers = callers.skip_while(|place| place.function == own.function);
    callers.find(|place| !moves(place)).or(Some(own))
}

/// A connect is told from other waits for a peer, a flush from other writes.
fn leaf_of(site: &WaitSite) -> &str {
    match site.call.as_deref() {
        Some("connect") => "connect",
        Some(call) if is_sync(call) => "sync",
        _ => known::leaf_of(site),
    }
}

/// The same function also waits for requests: it is somebody's peer.
fn answers(inputs: &Inputs<'_>, place: Option<&Place>) -> bool {
    let Some(place) = place else { return false };
    inputs.study.profile.waits.iter().any(|site| {
        site.leaf == "blocked/network" && site.stack.iter().any(|caller| caller.function == place.function)
    })
}

/// Seconds in which some thread waits for a peer of its own tree, and how often.
fn served(inputs: &Inputs<'_>) -> (f64, u64) {
    let waits = &inputs.study.profile.waits;
    let peers = waits.iter().filter(|site| site.leaf == "blocked/network" || site.leaf == "blocked/pipe");
    peers.fold((0.0, 0), |(seconds, count), site| (seconds + site.critical_s, count + site.count))
}

/// Share of wall time in which the critical path was blocked.
fn blocked(inputs: &Inputs<'_>) -> Option<f64> {
    let leaves = &inputs.study.profile.account.as_ref()?.leaves;
    let blocked = leaves.iter().filter(|leaf| leaf.leaf.starts_with("blocked"));
    Some(blocked.fold(0.0, |sum, leaf| sum + leaf.share))
}

/// Seconds in which an event loop that waits for its workers holds up the run.
fn looping(inputs: &Inputs<'_>) -> f64 {
    let loops =
        inputs.study.profile.waits.iter().filter(|site| is_event_loop(site) && has_workers(inputs, site));
    loops.map(|site| site.critical_s).sum()
}

/// About as often as an event loop waits, its workers do.
pub(super) fn has_workers(inputs: &Inputs<'_>, site: &WaitSite) -> bool {
    let workers = inputs.study.profile.waits.iter().filter(|other| is_worker(other));
    is_event_loop(site) && workers.map(|worker| worker.count).sum::<u64>() * 4 >= site.count
}

/// The function of the user's that awaits inside a loop: an event loop and its workers wait on its behalf. Of several the one that was
/// seen running most.
pub(super) fn awaiting(inputs: &Inputs<'_>, site: &WaitSite) -> Option<Place> {
    if !is_event_loop(site) && !is_worker(site) {
        return None;
    }
    let flushes = site.call.as_deref().is_some_and(is_sync);
    let timed = sleeps(site) || super::meanwhile::is_timer(inputs, site) == Some(true);
    let does = |context: &Context, kind: TraitKind| context.traits.iter().any(|found| found.kind == kind);
    let is_await = |context: &Context| {
        let looping = context.loops.iter().any(|around| !around.bounded);
        does(context, TraitKind::Await) && looping && (!flushes || does(context, TraitKind::Sync))
    };
    let own = inputs.source?.places.iter().filter(|place| !place.file.contains("/node_modules/"));
    let found = own.filter_map(|place| {
        let context = place.context.as_ref().filter(|context| is_await(context))?;
        Some((place, context.function.as_ref()?))
    });
    let seen = |file: &str, from: u32, to: u32| {
        let recording = inputs.recording;
        let is_here = |frame: &Frame| {
            frame.file.as_deref() == Some(file) && frame.line.is_some_and(|line| (from..=to).contains(&line))
        };
        let frames: BTreeSet<u32> = (0..)
            .zip(&recording.frames)
            .filter(|(_, frame)| is_here(frame))
            .map(|(index, _)| index)
            .collect();
        recording.nodes.iter().filter(|node| frames.contains(&node.frame)).count()
    };
    let (place, function) = found.max_by_key(|(place, function)| {
        // Going through what there is can be done at once; going on until something happens cannot.
        let context = place.context.as_ref();
        let goes_through = context.is_some_and(super::source::goes_through);
        // Where the clock ends the loop's waits, whoever sleeps again and again, or waits for so long at most, has it wait.
        let ends = |context: &Context| does(context, TraitKind::Sleep) || has_time_limit(context);
        let sleeps = timed && context.is_some_and(ends);
        let seen = seen(&place.file, function.first_line, function.last_line);
        let lines = (function.first_line, function.last_line);
        let calls = super::awaited::awaited(inputs, &place.file, lines);
        (sleeps, calls > 0, goes_through, calls, seen, std::cmp::Reverse(place.line))
    })?;
    let mut frames = inputs.recording.frames.iter();
    let known = frames.find(|frame| frame.file.as_deref() == Some(place.file.as_str()));
    Some(Place {
        function: function.name.clone()?,
        file: Some(place.file.clone()),
        line: Some(place.line),
        module: None,
        language: known.map_or(Language::Unknown, |frame| frame.language),
        owner: Owner::Project,
    })
}

/// Who makes a call, by the traced calls, else by the time that the call spends on a CPU.
fn caller_of(inputs: &Inputs<'_>, call: &str) -> Option<Place> {
    let in_call = |spot: &&Spot| {
        let share = spot.kernel.iter().find(|(known, _)| known == call).map_or(0.0, |(_, share)| *share);
        spot.wall.value * share
    };
    let spots = inputs.study.spots.iter().filter(|spot| in_call(spot) > 0.0);
    let busiest = spots.max_by(|a, b| in_call(a).total_cmp(&in_call(b)));
    super::calls::making(inputs.calls, call).or_else(|| busiest.map(|spot| spot.place.clone()))
}

/// From this share of the waits on in which the holder had lost its CPU, the waits are the machine's doing rather than its.
const QUEUED: f64 = 0.4;

/// From this share of the time on in which the holder waits itself, it holds the lock for that, as the rule wants it.
const HOLDER_WAITS: f64 = 0.5;

impl Group<'_> {
    fn subject(
        &self,
        inputs: &Inputs<'_>,
        contexts: &Contexts<'_>,
        wall: f64,
        served: (f64, u64),
    ) -> Option<Subject> {
        let critical: f64 = self.sites.iter().map(|site| site.critical_s).sum();
        let seconds: f64 = self.sites.iter().map(|site| site.seconds).sum();
        let main = self.sites.iter().max_by(|one, other| one.critical_s.total_cmp(&other.critical_s))?;
        let main = &super::holding::queue(inputs.recording, main, seconds);
        // What holds up a worker holds up the loop that it works for, whoever was seen to wake it.
        let critical = if is_worker(main) { seconds.min(critical + looping(inputs)) } else { critical };
        // Loops of several processes that wait for each other hold up the same moments: together they take no more than
        // the critical path was blocked.
        let most = if is_event_loop(main) { blocked(inputs) } else { None };
        let share = (critical / wall).min(most.unwrap_or(f64::INFINITY)).max(queued(
            inputs.manifest.fingerprint.machine.cpus_present,
            main,
            seconds / wall,
        ));
        if share < LEAST {
            return None;
        }
        let asks = matches!(known::leaf_of(main), "blocked/network" | "blocked/poll") || is_word(main);
        // Whoever started the event loop is not the one that waits.
        let is_own =
            !is_event_loop(main) && main.place.as_ref().is_some_and(|place| place.owner == Owner::Project);
        let below = main.stack.iter().rfind(|place| is_packaged(place));
        let sleeper = super::timed::sleeper(inputs.recording, main);
        let ticks = super::timed::is_tick(main, contexts) || sleeper.is_some();
        let package = packaged(main).or(below.filter(|_| ticks)).cloned().or(sleeper);
        // A package that says that it sleeps does so, however often.
        let naps = package.is_some() && sleeps(main) && !is_schedule(main);
        let timed = ticks || naps || super::timed::is_timed(inputs.recording, main, package.as_ref());
        let reason = super::awaited::reason(inputs, contexts, main);
        let place = match asks && !is_own {
            // A package's own thread that looks from time to time: what it looks for, somebody waits for.
            true if timed && package.is_some() => {
                super::meanwhile::held_up(inputs, critical).or_else(|| package.clone())
            }
            // Threads of a virtual machine wait for each other on nobody's behalf.
            true if is_machine(main) || (main.leaf == "blocked/lock" && main.stack.is_empty()) => {
                main.place.clone()
            }
            true => reason
                .as_ref()
                .map(|reason| reason.place().clone())
                .or_else(|| awaiting(inputs, main))
                .or_else(|| super::calls::asking(inputs.calls, contexts))
                .or_else(|| super::meanwhile::busiest(inputs))
                .or_else(|| main.place.clone()),
            false if is_worker(main) => awaiting(inputs, main).or_else(|| main.place.clone()),
            // Waits that are over before anybody looks have no stack of their own.
            false => owner(main, contexts).cloned().or_else(|| caller_of(inputs, main.call.as_deref()?)),
        };
        let mut subject = Subject::new(Kind::Waiting, place.clone(), exact(share.min(1.0)));
        subject.number("wall", share.min(1.0), "1", WAITS);
        let count: u64 = self.sites.iter().map(|site| site.count).sum();
        let longest = self.sites.iter().map(|site| site.longest_s).fold(0.0, f64::max);
        subject.number("count", count as f64, "count", WAITS);
        subject.number("rate", count as f64 / wall, "/s", WAITS);
        subject.number("mean", seconds / count.max(1) as f64, "s", WAITS);
        let long = seconds >= LONG_ANSWER * count as f64 && (count as f64) < MANY_ANSWERS;
        subject.number("answers.long", f64::from(u8::from(long)), "yes", WAITS);
        subject.number("longest", (longest / seconds.max(f64::MIN_POSITIVE)).min(1.0), "1", WAITS);
        let threads = self.sites.iter().map(|site| site.threads).fold(main.threads, u32::max);
        // Of waits that nobody looked at, nothing tells that they are for one thing.
        if main.leaf != "blocked/lock" || main.place.is_some() {
            subject.number("threads", f64::from(threads), "count", WAITS);
        }
        let leaf = leaf_of(main);
        if let Some(package) = package.as_ref().filter(|_| timed) {
            subject.word("way", "package".to_owned());
            subject.word("package", super::finding::words(package));
        }
        subject.inside = package;
        let kind = kind_of(main, timed);
        for (known, name) in LEAVES {
            subject.number(name, f64::from(u8::from(kind == *known)), "yes", WAITS);
        }
        subject.number("wait.queue", f64::from(u8::from(kind == "blocked/lock")), "yes", WAITS);
        subject.number(
            "sleep.in-vain",
            super::polling::in_vain(inputs.recording, main, contexts),
            "1",
            WAITS,
        );
        subject.number("flushing", f64::from(u8::from(leaf == "sync")), "1", WAITS);
        // A loop or a pipe made for one child is gone before anybody sees what it is.
        let is_pipe = |what: &str| {
            what.contains("pipe") || what == "several" || what == "unknown" || what.contains("ready by child")
        };
        let pipes = known::leaf_of(main) == "blocked/poll" && main.what.as_deref().is_some_and(is_pipe);
        let child = pipes || matches!(main.leaf.as_str(), "blocked/child" | "blocked/pipe");
        // A schedule is kept for what its threads do in between.
        if is_schedule(main)
            && let Some(task) = super::team::task_of(inputs.recording, names_schedule)
        {
            subject.instead.insert("polling-sleep", task);
        }
        // What a library of pools waits for is whose pool it is.
        if child
            && !is_own
            && let Some(user) = super::threads::user_of(inputs.recording, is_pool)
        {
            subject.instead.insert("spawn-storm", user);
        }
        subject.number("spawning", f64::from(u8::from(child)), "1", WAITS);
        let port = |port: &str| {
            self.sites.iter().any(|site| site.what.as_deref().is_some_and(|what| what.ends_with(port)))
        };
        subject.number(
            "wait.resolver",
            f64::from(u8::from(port(":53") || self.sites.iter().copied().any(resolves))),
            "yes",
            WAITS,
        );
        subject.number(
            "wait.idle",
            f64::from(u8::from(self.sites.iter().all(|site| site.idle))),
            "yes",
            WAITS,
        );
        // `127.0.0.1:80 (server)` is `127.0.0.1:80`.
        let address = |what: &'_ str| what.split(" (").next().unwrap_or_default().to_owned();
        let mut what: Vec<String> =
            self.sites.iter().filter_map(|site| site.what.as_deref()).map(address).collect();
        what.sort_unstable();
        what.dedup();
        super::meanwhile::note_swap(&mut subject, inputs);
        if matches!(main.leaf.as_str(), "blocked/network") {
            subject.number("peers", what.len().max(1) as f64, "count", WAITS);
            let database = [":5432", ":3306", ":6379", ":27017", ":1433"].iter().any(|known| port(known));
            subject.number("peer.database", f64::from(u8::from(database)), "yes", WAITS);
        }
        let disk = super::meanwhile::is_for_disk(inputs, main, count);
        subject.number("wait.disk", f64::from(u8::from(disk)), "yes", WAITS);
        let peer = matches!(known::leaf_of(main), "blocked/network" | "blocked/poll")
            && !hands_out(main)
            && !(known::leaf_of(main) == "blocked/poll" && super::meanwhile::talks(inputs) == Some(false));
        subject.number("wait.peer", f64::from(u8::from(peer)), "yes", WAITS);
        subject.number("peer.asking", f64::from(u8::from(peer)), "yes", WAITS);
        let blocks = blocks_event_loop(main);
        subject.number("loop.blocked", f64::from(u8::from(blocks)), "yes", WAITS);
        if blocks {
            subject.word("way", "blocked".to_owned());
        }
        subject.number("peer.time", f64::from(u8::from(peer)), "1", WAITS);
        let sqlite = main.stack.iter().any(|place| place.function.starts_with("sqlite3"));
        let database = sqlite || subject.value("peer.database").is_some_and(|value| value > 0.0);
        subject.number("database", f64::from(u8::from(database)), "yes", WAITS);
        super::whole::note_children(&mut subject, inputs);
        // Who sleeps while others wait for its answer is a peer that takes its time; who looks again after each sleep is not.
        let looks = main.place.as_ref().and_then(|place| Some((context_of(contexts, place)?, place.line?)));
        let looks = looks.is_some_and(|(context, line)| super::source::looks_again(context, line));
        let awaited = served.0 >= 0.8 * critical;
        let answers = answers(inputs, main.place.as_ref());
        // What a package sleeps for by itself is nobody's answer.
        let mut named =
            main.stack.iter().rev().filter(|place| place.owner == Owner::Project || is_packaged(place));
        let by_package = named.next().is_some_and(is_packaged);
        let is_answer = kind == "blocked/sleep"
            && subject.inside.is_none()
            && !by_package
            // Each answer is waited for; a result at the end is not what a worker sleeps for.
            && (answers && awaited
                || !looks
                    && (awaited && served.1 * 2 >= count
                        || answers
                        || super::meanwhile::answers_in_process(inputs, main)));
        subject.number("served", f64::from(u8::from(is_answer)), "yes", WAITS);
        subject.word("count", count.to_string());
        if let Some(what) = main.what.as_deref() {
            subject.word("what", what.to_owned());
        }
        // Who connects is not always who waits for the answer.
        if let Some(making) = super::calls::making(inputs.calls, "connect").filter(|_| asks) {
            subject.instead.insert("connection-per-request", making);
        }
        self.note_lock(&mut subject, inputs, main, critical);
        // Those who only wait inside the section need no CPU of their own to do so side by side.
        if subject.value("holder.waits").is_some_and(|waits| waits >= HOLDER_WAITS) {
            let share = queued(Some(main.threads), main, seconds / wall).max(share).min(1.0);
            subject.wall = exact(share);
            subject.number("wall", share, "1", WAITS);
        }
        note_source(&mut subject, main, place.as_ref(), contexts);
        // Of a chain the long ones count, whatever else was asked on the way.
        let chained = subject.value("source.chained") == Some(1.0) && longest > 0.0;
        subject.number("answers", if chained { seconds / longest } else { count as f64 }, "count", WAITS);
        if known::leaf_of(main) == "blocked/poll" && !is_own {
            note_all_peers(&mut subject, inputs.calls);
        }
        if let Some(place) = &place {
            note_peers(&mut subject, inputs.calls, place);
            // Who answers waits for whoever asks: one after the other is asked there.
            // Whose promises the loop waits for its runtime knows better.
            let told = is_event_loop(main) && super::awaited::is_awaited(inputs, contexts, place);
            let asker = super::calls::asking_of(inputs.calls, place, contexts);
            if let Some(asker) = asker.filter(|_| peer && !told) {
                subject.instead.extend(REPEATED.map(|cause| (cause, asker.clone())));
            }
            super::calls::note_files(&mut subject, inputs.calls, place);
            if let Some(writes) = super::calls::writes(inputs.calls, place) {
                super::meanwhile::note_synchronous(&mut subject, main, count, writes);
            }
        }
        // Tasks of a runtime connect, send and receive without a frame of the user's.
        if peer && subject.value("peer.requests").is_none() {
            note_all_peers(&mut subject, inputs.calls);
        }
        if subject.words.get("way").is_none_or(|way| way != "stall") {
            // Waits inside a client may be many for each request.
            let requests = subject.value("peer.requests").filter(|requests| *requests > 0.0 && peer);
            let trips = requests.unwrap_or(f64::INFINITY).min(count.max(1) as f64);
            subject.number("trip.mean", seconds / trips, "s", WAITS);
            subject.number("trip.count", trips, "count", WAITS);
        }
        super::meanwhile::note_timer(&mut subject, inputs, main);
        super::holding::note(&mut subject, inputs, main);
        if peer {
            super::meanwhile::note_overlap(&mut subject, inputs, wall);
            super::pool::note_full(&mut subject, inputs, main, wall);
            note_who_waits(&mut subject, inputs, count, contexts);
        }
        if is_event_loop(main) {
            note_task_lock(&mut subject, inputs, contexts);
        }
        super::awaited::note(&mut subject, inputs, main, reason.as_ref());
        Some(subject)
    }

    /// What the holders of the lock did meanwhile.
    fn note_lock(&self, subject: &mut Subject, inputs: &Inputs<'_>, main: &WaitSite, critical: f64) {
        // Without a place nothing tells one lock's waits from another's.
        if main.leaf != "blocked/lock" || critical <= 0.0 || main.place.is_none() {
            return;
        }
        let recording = inputs.recording;
        let java = main.stack.iter().any(|place| place.language == Language::Java);
        let mut meanwhile = super::holding::Meanwhile::of(recording, java);
        let (mut busy, mut waits, mut queued) = (0.0, 0.0, 0.0);
        let (mut known, mut joined, mut all) = (0.0, 0.0, 0.0);
        let mut held: Vec<super::holding::Held> = Vec::new();
        for wait in &recording.waits {
            let call = wait.call.and_then(|call| recording.calls.get(call as usize));
            if !call.is_some_and(|call| call.name.starts_with("futex")) || !is_at(recording, wait.stack, main)
            {
                continue;
            }
            let (from, to) = (wait.from.as_nanos(), wait.woken.unwrap_or(wait.to).as_nanos());
            let length = to.saturating_sub(from) as f64;
            all += length;
            if super::holding::ends_with_a_thread(recording, wait, to) {
                joined += length;
            }
            let Some(holder) = wait.holder.or(wait.by).filter(|holder| *holder != wait.thread) else {
                continue;
            };
            let (absent, without) = meanwhile.absent(holder, from, to);
            held.push((holder, from, to));
            known += length;
            waits += absent;
            queued += without;
            busy += (length - absent - without).max(0.0);
        }
        let moving = super::holding::Moving::of(recording, &held);
        (busy, waits) = (busy * (1.0 - moving.part), waits + busy * moving.part);
        if moving.flushes {
            subject.word("way", "flush");
        }
        // A holder that lost its CPU to others holds the lock for no reason of its own.
        let had = known - queued;
        if known > 0.0 && queued < QUEUED * known {
            subject.number("holder.busy", busy / had, "1", WAITS);
            subject.number("holder.waits", waits / had, "1", WAITS);
        } else if had > 0.0 {
            subject.number("holder.perhaps-busy", busy / had, "1", WAITS);
        }
        let function = main.place.as_ref().map(|place| place.function.as_str());
        if let Some(holder) =
            function.and_then(|name| inputs.study.holders.get(name)).filter(|_| known == 0.0)
        {
            subject.number("holder.busy", holder.busy, "1", WAITS);
            subject.number("holder.waits", holder.waits, "1", WAITS);
        }
        if is_join(main) {
            subject.number("wait.join", 1.0, "1", WAITS);
        } else if is_contention(main) {
            subject.number("wait.join", 0.0, "1", WAITS);
        } else if all > 0.0 {
            subject.number("wait.join", joined / all, "1", WAITS);
        }
        // Whoever wants Python's own lock waits on a condition for it, which is how that lock is made.
        let condition = is_condition(main)
            && !wants_interpreter(main)
            && (!is_contention(main) || super::holding::is_signal(recording, main));
        subject.number("wait.condition", f64::from(u8::from(condition)), "yes", WAITS);
        if condition
            && !main.idle
            && main.threads == 1
            && super::meanwhile::is_exchange(&inputs.study.profile.waits, main)
        {
            subject.number("peer.time", 1.0, "1", WAITS);
        }
        subject.number("interpreter-lock", f64::from(u8::from(is_interpreter_lock(main))), "yes", WAITS);
        super::holding::note_kind(subject, &inputs.study.profile.waits, main);
        super::meanwhile::note_convoy(subject, inputs, main);
    }
}

/// Share of wall time that threads lose which queue for a lock and could compute side by side: the path through the run
/// goes on with whoever holds the lock, so they are not on it. With one in the section, the others wait all the time.
fn queued(cpus: Option<u32>, site: &WaitSite, waited: f64) -> f64 {
    let side_by_side = site.threads.min(cpus.unwrap_or(1));
    if side_by_side < 2 || !is_contention(site) {
        return 0.0;
    }
    (waited / f64::from(site.threads - 1)).min(1.0) * (1.0 - 1.0 / f64::from(side_by_side))
}

/// The stack of a wait leads to the place of a site.
pub(super) fn is_at(recording: &Recording, stack: Option<u32>, site: &WaitSite) -> bool {
    let (Some(place), Some(stack)) = (&site.place, stack) else { return false };
    recording.path_of(stack).any(|node| {
        let frame = recording.frames.get(node.frame as usize);
        frame.and_then(|frame| frame.function.as_deref()) == Some(place.function.as_str())
    })
}

/// A task that asks once and ends is no loop; whoever waits for one such task after the other is.
fn note_who_waits(subject: &mut Subject, inputs: &Inputs<'_>, count: u64, contexts: &Contexts<'_>) {
    let own = subject.place.as_ref().map(|place| place.function.clone());
    let waits = &inputs.study.profile.waits;
    let is_wait = |site: &&WaitSite| site.leaf == "blocked/lock";
    let place_of = |site: &'_ WaitSite| site.place.clone().filter(|place| place.owner == Owner::Project);
    // The words of a condition change by turns, and each is a site of its own.
    let waited = |place: &Place| -> u64 {
        let same = |site: &&WaitSite| site.place.as_ref().is_some_and(|own| own.function == place.function);
        waits.iter().filter(is_wait).filter(same).map(|site| site.count).sum()
    };
    let collects = |site: &&WaitSite| {
        let Some(place) = place_of(site).filter(|place| Some(&place.function) != own.as_ref()) else {
            return false;
        };
        let often = waited(&place);
        let as_often = often >= count / 5 * 4 && often / 5 * 4 <= count;
        let loops = context_of(contexts, &place).map(|context| growing(&context.loops));
        is_wait(site) && as_often && loops.is_some_and(|loops| loops > 0)
    };
    let found = waits.iter().find(collects);
    if found.is_some_and(awaits_task) {
        subject.number("task.awaited", 1.0, "yes", WAITS);
    }
    let is_step = subject.value("loops") == Some(0.0);
    if let Some(place) = found.and_then(|site| site.place.clone()).filter(|_| is_step) {
        for cause in REPEATED {
            subject.instead.entry(cause).or_insert_with(|| place.clone());
        }
    }
}

/// Tasks of an event loop queue for a lock without a call: it is known by where peers are asked.
fn note_task_lock(subject: &mut Subject, inputs: &Inputs<'_>, contexts: &Contexts<'_>) {
    let several = contexts.values().any(|context| context.traits.iter().any(known::gathers));
    if let Some(place) = super::calls::locked(inputs.calls, contexts).filter(|_| several) {
        for name in ["wait.queue", "source.held"] {
            subject.number(name, 1.0, "yes", super::source::SOURCE);
        }
        subject.instead.insert("lock-across-io", place);
    }
}

fn note_source(subject: &mut Subject, site: &WaitSite, place: Option<&Place>, contexts: &Contexts<'_>) {
    let own: Vec<&Context> = place.and_then(|place| context_of(contexts, place)).into_iter().collect();
    let is_other = |place: &&Place| {
        place.owner == Owner::Project && site.place.as_ref().is_none_or(|own| own.function != place.function)
    };
    let callers: Vec<(&Place, &Context)> = site
        .stack
        .iter()
        .rev()
        .filter(is_other)
        .filter_map(|place| Some((place, context_of(contexts, place)?)))
        .collect();
    super::source::note(subject, &own, &callers);
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use crate::cause::meanwhile::is_exchange;

    /// A wait below these functions, the outermost first.
    fn site(stack: &[&str], threads: u32) -> WaitSite {
        let place = |function: &&str| Place {
            function: (*function).to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Library,
        };
        WaitSite {
            leaf: "blocked/lock".to_owned(),
            what: None,
            call: Some("futex".to_owned()),
            place: None,
            stack: stack.iter().map(place).collect(),
            seconds: 1.0,
            count: 1000,
            longest_s: 0.01,
            critical_s: 0.0,
            queued_s: None,
            threads,
            idle: false,
        }
    }

    #[test]
    fn latches_of_java_are_no_locks_though_they_wait_by_the_same_means() {
        let acquire = "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire";
        let latch = site(&["Main.finish", "java.util.concurrent.CountDownLatch.await", acquire], 1);
        assert!(!is_contention(&latch));
        let lock = site(&["java.util.concurrent.FutureTask.run", "Main.place", acquire], 4);
        assert!(is_contention(&lock), "a task of a pool");
        let queue = "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take";
        let awaits = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitNanos";
        assert!(sleeps(&site(&[queue, awaits], 1)) && !sleeps(&site(&[queue, acquire], 1)));
    }

    #[test]
    fn threads_that_queue_lose_what_they_could_do_side_by_side() {
        let lock = site(&["bake", "pthread_mutex_lock", "__lll_lock_wait"], 4);
        assert!((queued(Some(2), &lock, 3.0) - 0.5).abs() < 1e-9, "three of four wait all the time");
        assert!((queued(Some(8), &lock, 1.5) - 0.375).abs() < 1e-9);
        assert_eq!(queued(Some(1), &lock, 3.0), 0.0, "one CPU does one thing at a time");
        assert_eq!(queued(None, &lock, 3.0), 0.0);
        let condition =
            site(&["wait", "pthread_cond_wait", "__pthread_mutex_cond_lock", "__lll_lock_wait"], 4);
        assert_eq!(queued(Some(2), &condition, 3.0), 0.0, "a condition takes its lock again");
        let monitor = site(&["place", "ObjectMonitor::enter", "pthread_cond_wait"], 4);
        assert!(queued(Some(2), &monitor, 3.0) > 0.0, "the JVM's locks wait on conditions");
    }

    /// The innermost function is the virtual machine's.
    fn in_machine(mut site: WaitSite) -> WaitSite {
        if let Some(place) = site.stack.last_mut() {
            place.module = Some("/usr/lib/jvm/lib/server/libjvm.so".to_owned());
        }
        site
    }

    #[test]
    fn what_a_virtual_machine_tells_itself_is_no_message_and_no_lock_of_the_programs() {
        let news = || site(&["Thread::call_run", "pthread_cond_wait"], 1);
        let exchange = |stack: &[&str]| is_exchange(&[news()], &in_machine(site(stack, 1)));
        for own in
            ["os::PlatformMonitor::wait(long)", "PosixSemaphore::wait()", "VMThread::execute(VM_Operation*)"]
        {
            let wait = in_machine(site(&["G.render", own], 1));
            assert!(!exchange(&["G.render", own]), "{own}");
            assert!(!is_exchange(from_ref(&wait), &news()), "{own}");
            assert_eq!(kind_of(&wait, false), "runtime");
        }
        let asked = ["Main.ask", "java.lang.Object.wait", "ObjectMonitor::wait(long, bool, JavaThread*)"];
        assert!(exchange(&asked), "threads of Java that tell each other something");
        assert_eq!(kind_of(&in_machine(site(&asked, 1)), false), "blocked/lock");
    }

    #[test]
    fn turns_for_the_interpreter_are_no_messages() {
        let turns = site(&["crunch", "take_gil", "__pthread_cond_timedwait"], 2);
        let news = site(&["main", "Event.wait"], 1);
        assert!(!is_exchange(from_ref(&turns), &news) && !is_exchange(from_ref(&news), &turns));
        assert!(is_exchange(&[site(&["other", "Condition.wait"], 1)], &news));
    }
}
