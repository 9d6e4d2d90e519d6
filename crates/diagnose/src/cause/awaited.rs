//! What an event loop of Node's waits for, by its own word: timers that somebody sets to look again, and promises that queue.

use model::profile::{Place, WaitSite};
use model::recording::{Language, Owner};
use model::runtime::{Awaited, Pending, StepPlace, Waits};
use model::source::{Context, Trait, TraitKind};

use super::facts::{Contexts, Inputs};
use super::known::is_libuv;
use super::subject::Subject;
use crate::profile::spots::is_packaged;

const SOURCE: (&str, &str) = super::source::SOURCE;
const TOLD: (&str, &str) = super::runtime::RUNTIME;

/// Of the loop's idle time, what one reason ends: most of it.
const MOST: f64 = 0.5;

/// Fewer are no habit.
const OFTEN: u64 = 5;

/// So many calls of a function are open on average while the loop is idle, …
const QUEUE: f64 = 4.0;

/// … and of the one that they come to in turn so many: the next begins before the promise of the last is done with.
const IN_TURN: f64 = 1.3;

/// Of the calls that queue, those that have come to it.
const COME: f64 = 0.5;

/// Why the loop waits, and at whose wish.
pub(super) enum Reason {
    /// A loop of the program's, or of a package's that it calls, sleeps and looks again.
    Looks { place: Place, package: Option<Place>, in_loop: bool },
    /// Calls wait until the one before is through with what waits itself.
    Queues { place: Place, inside: String, open: f64, held: f64, named: bool },
}

impl Reason {
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Looks { place, .. } | Self::Queues { place, .. } => place,
        }
    }
}

/// Why an event loop waits at this site. `None` where its runtime was not asked, or what it tells is nothing of the kind.
pub(super) fn reason(inputs: &Inputs<'_>, contexts: &Contexts<'_>, site: &WaitSite) -> Option<Reason> {
    let waits = inputs.runtime?.waits.as_ref().filter(|_| is_libuv(site))?;
    queues(waits, contexts).or_else(|| looks(waits, contexts)).or_else(|| watches(waits, contexts))
}

/// Notes what the loop waits for at a site.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, site: &WaitSite, reason: Option<&Reason>) {
    match reason {
        Some(reason) => note_reason(subject, reason),
        None if side_by_side(inputs, site) => subject.number("wait.sleep", 0.0, "yes", TOLD),
        None => {}
    }
}

fn note_reason(subject: &mut Subject, reason: &Reason) {
    let looks = matches!(reason, Reason::Looks { .. });
    subject.number("wait.sleep", f64::from(u8::from(looks)), "yes", TOLD);
    for (name, unit) in
        [("wait.peer", "yes"), ("peer.asking", "yes"), ("peer.time", "1"), ("wait.idle", "yes")]
    {
        subject.number(name, 0.0, unit, TOLD);
    }
    match reason {
        Reason::Looks { package, in_loop, .. } => {
            subject.number("source.sleep", f64::from(u8::from(*in_loop)), "yes", SOURCE);
            if let Some(package) = package {
                subject.word("way", "package");
                subject.word("package", super::finding::words(package));
                subject.inside = Some(package.clone());
            }
        }
        Reason::Queues { inside, open, held, named, .. } => {
            subject.number("wait.queue", 1.0, "yes", TOLD);
            subject.number("wait.holding", 1.0, "1", TOLD);
            subject.number("holder.waits", *held, "1", TOLD);
            subject.number("queue.open", *open, "count", TOLD);
            subject.number("source.lock", f64::from(u8::from(*named)), "yes", SOURCE);
            subject.word("inside", format!("`{inside}`"));
        }
    }
}

/// So many times as long as the loop is idle for them, timers run: others come in between, as many are set at once.
const AT_ONCE: f64 = 3.0;

/// Whether an event loop waits for timers that run side by side: answers that somebody plays, or time limits, but no sleep.
fn side_by_side(inputs: &Inputs<'_>, site: &WaitSite) -> bool {
    let waits = inputs.runtime.and_then(|runtime| runtime.waits.as_ref()).filter(|_| is_libuv(site));
    waits.is_some_and(are_side_by_side)
}

fn are_side_by_side(waits: &Waits) -> bool {
    let seconds = |site: &Awaited| (site.idle.as_secs_f64(), site.taken.as_secs_f64());
    let timers = waits.sites.iter().filter(|site| site.kind == "Timeout").map(seconds);
    let together = timers.filter(|(idle, taken)| *taken >= AT_ONCE * idle);
    let idle: f64 = together.map(|(idle, _)| idle).sum();
    idle > 0.0 && idle >= MOST * waits.idle.as_secs_f64()
}

/// How often a function was called, from its first line to its last, whose promises were open most of the time that the loop was
/// idle: whoever is called more often is further inside. 0 where it is none, or nobody looked.
pub(super) fn awaited(inputs: &Inputs<'_>, file: &str, lines: (u32, u32)) -> u64 {
    let Some(waits) = inputs.runtime.and_then(|runtime| runtime.waits.as_ref()) else { return 0 };
    let is_here = |one: &&Pending| one.file == file && (lines.0..=lines.1).contains(&one.line);
    let open = waits.functions.iter().filter(is_here);
    let open = open.filter(|one| one.idle.as_secs_f64() >= MOST * waits.idle.as_secs_f64());
    open.map(|one| one.calls).max().unwrap_or(0)
}

/// Whether the function at a place is one whose promises were open most of the time that the loop was idle.
pub(super) fn is_awaited(inputs: &Inputs<'_>, contexts: &Contexts<'_>, place: &Place) -> bool {
    let context = super::facts::context_of(contexts, place);
    let function = context.and_then(|context| context.function.as_ref());
    let file = place.file.as_deref().unwrap_or_default();
    function.is_some_and(|function| awaited(inputs, file, (function.first_line, function.last_line)) > 0)
}

/// The loop of whoever sets most of the timers that end the idle time.
fn looks(waits: &Waits, contexts: &Contexts<'_>) -> Option<Reason> {
    let timers = waits.sites.iter().filter(|site| site.kind == "Timeout");
    let looking: Vec<(&Awaited, usize)> =
        timers.filter_map(|site| Some((site, looking(site, contexts)?))).collect();
    let frame = |(site, at): &(&Awaited, usize)| site.stack.get(*at).cloned();
    let first = frame(looking.first()?)?;
    let same = |one: &&(&Awaited, usize)| {
        frame(one).is_some_and(|other| other.file == first.file && other.line == first.line)
    };
    let here: Vec<&(&Awaited, usize)> = looking.iter().filter(same).collect();
    let idle: f64 = here.iter().map(|(site, _)| site.idle.as_secs_f64()).sum();
    let came: u64 = here.iter().map(|(site, _)| site.came).sum();
    if idle < MOST * waits.idle.as_secs_f64() || came < OFTEN {
        return None;
    }
    let (site, at) = looking.first()?;
    let (place, package) = whose(site.stack.get(*at..)?, contexts)?;
    Some(Reason::Looks { place, package, in_loop: true })
}

/// Whoever has Node look at a file from time to time (`fs.watchFile`), where changes that it saw end most of the idle time.
fn watches(waits: &Waits, contexts: &Contexts<'_>) -> Option<Reason> {
    let watching = || waits.sites.iter().filter(|site| site.kind == "STATWATCHER");
    let idle: f64 = watching().map(|site| site.idle.as_secs_f64()).sum();
    let site = watching().max_by_key(|site| site.idle)?;
    let (place, package) = whose(&site.stack, contexts)?;
    let looks = || Reason::Looks { place, package, in_loop: false };
    (idle >= MOST * waits.idle.as_secs_f64()).then(looks)
}

/// Whose function it is: the program's own, or a package's and whoever of the program's calls it.
fn whose(stack: &[StepPlace], contexts: &Contexts<'_>) -> Option<(Place, Option<Place>)> {
    let place = place_of(stack.first()?, contexts);
    if place.owner == Owner::Project {
        return Some((place, None));
    }
    let mut callers = stack.iter().skip(1).map(|frame| place_of(frame, contexts));
    let caller = callers.find(|place| place.owner == Owner::Project);
    Some((caller.unwrap_or_else(|| place.clone()), Some(place)))
}

/// Which function of those that asked for a timer has a loop that looks again when it has come. Whoever stands between does nothing
/// but wait.
fn looking(site: &Awaited, contexts: &Contexts<'_>) -> Option<usize> {
    for (at, frame) in site.stack.iter().enumerate() {
        let context = contexts.get(&(frame.file.as_str(), frame.line))?;
        let innermost = context.loops.iter().rfind(|around| !around.bounded);
        if innermost.is_some_and(|around| around.looks && !around.chained) {
            return Some(at);
        }
        if !context.function.as_ref().is_some_and(|function| function.single) {
            return None;
        }
    }
    None
}

/// Functions whose calls queue for one that goes on one at a time, and waits itself.
fn queues(waits: &Waits, contexts: &Contexts<'_>) -> Option<Reason> {
    let idle = waits.idle.as_secs_f64();
    let own = || waits.functions.iter().filter(|one| !one.file.contains("/node_modules/"));
    let large = |one: &&Pending| one.calls >= OFTEN && one.idle.as_secs_f64() >= MOST * idle;
    let at_once = |one: &Pending| one.at_once().unwrap_or(0.0);
    let many: Vec<&Pending> = own().filter(large).filter(|one| at_once(one) >= QUEUE).collect();
    let calls = many.iter().map(|one| one.calls).max()?;
    let in_turn = |one: &&Pending| {
        let comes = one.calls as f64 >= COME * calls as f64;
        comes && at_once(one) <= IN_TURN && one.most <= 2 && !is_looped(one, waits, contexts)
    };
    let single: Vec<&Pending> = own().filter(large).filter(in_turn).collect();
    let longest = single.iter().max_by_key(|one| one.idle)?;
    let mentions = |one: &&&Pending| single.iter().any(|inner| mentions(contexts, one, &inner.function));
    let who =
        many.iter().find(|one| mentions(one)).or_else(|| many.iter().max_by_key(|one| one.taken)).copied()?;
    let inside = single.iter().find(|inner| self::mentions(contexts, who, &inner.function));
    let frame = StepPlace { function: who.function.clone(), file: who.file.clone(), line: who.line };
    Some(Reason::Queues {
        place: place_of(&frame, contexts),
        inside: inside.unwrap_or(longest).function.clone(),
        open: at_once(who),
        held: (longest.idle.as_secs_f64() / who.idle.as_secs_f64()).min(1.0),
        named: texts(contexts, who).any(names_lock),
    })
}

/// A loop of the program's own awaits one call of it after the other: nobody queues for it. A loop that many are in does not.
fn is_looped(inner: &Pending, waits: &Waits, contexts: &Contexts<'_>) -> bool {
    let is_in = |frame: &StepPlace, one: &Pending| {
        let function = context_of(contexts, frame).and_then(|context| context.function.as_ref());
        let lines = function.map(|function| function.first_line..=function.last_line);
        frame.file == one.file && lines.is_some_and(|lines| lines.contains(&one.line))
    };
    let is_many = |frame: &StepPlace| {
        let mut many = waits.functions.iter().filter(|one| one.at_once() >= Some(QUEUE));
        many.any(|one| is_in(frame, one))
    };
    let awaits = |frame: &StepPlace| {
        let in_loop = |found: &Trait| found.kind == TraitKind::Await && found.loop_depth > 0;
        context_of(contexts, frame).is_some_and(|context| context.traits.iter().any(in_loop))
    };
    let loops =
        |frame: &StepPlace| !frame.file.contains("/node_modules/") && awaits(frame) && !is_many(frame);
    let (mut looped, mut all) = (0.0, 0.0);
    for site in &waits.sites {
        let Some(at) = site.stack.iter().position(|frame| is_in(frame, inner)) else { continue };
        all += site.idle.as_secs_f64();
        looped += if site.stack.iter().skip(at + 1).any(loops) { site.idle.as_secs_f64() } else { 0.0 };
    }
    all > 0.0 && looped >= MOST * all
}

fn context_of<'a>(contexts: &Contexts<'a>, frame: &'a StepPlace) -> Option<&'a Context> {
    contexts.get(&(frame.file.as_str(), frame.line)).copied()
}

/// What was read of a function's own lines.
fn texts<'a>(contexts: &'a Contexts<'_>, of: &'a Pending) -> impl Iterator<Item = &'a str> {
    let here = contexts.iter().filter(move |((file, _), context)| {
        let begins = context.function.as_ref().map(|function| (function.first_line, function.last_line));
        *file == of.file && begins.is_some_and(|(first, last)| (first..=last).contains(&of.line))
    });
    here.flat_map(|(_, context)| context.statement.iter().map(String::as_str))
}

fn mentions(contexts: &Contexts<'_>, of: &Pending, function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    let call = format!("{name}(");
    let head = of.function.rsplit('.').next().unwrap_or_default();
    name != head && texts(contexts, of).any(|text| text.contains(&call))
}

/// How packages for locks of promises are asked for one.
fn names_lock(text: &str) -> bool {
    const CALLS: [&str; 6] =
        [".acquire(", ".runExclusive(", ".lock(", ".withLock(", ".use(", ".synchronized("];
    CALLS.iter().any(|call| text.contains(call))
}

/// The function that a line is in, by the name that its source gives it.
fn place_of(frame: &StepPlace, contexts: &Contexts<'_>) -> Place {
    let function = context_of(contexts, frame).and_then(|context| context.function.as_ref());
    let name = function.and_then(|function| function.name.clone());
    let place = Place {
        function: name.unwrap_or_else(|| frame.function.clone()),
        file: Some(frame.file.clone()),
        line: Some(frame.line),
        module: None,
        language: Language::JavaScript,
        owner: Owner::Library,
    };
    if is_packaged(&place) { place } else { Place { owner: Owner::Project, ..place } }
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::source::{ContainerKind, Function, Language as Written, Loop, LoopKind};

    use super::*;

    const FILE: &str = "/srv/app/main.js";

    /// A line of a function that begins at another one.
    fn line(name: &str, lines: (u32, u32), at: u32, statement: &str) -> ((&'static str, u32), Context) {
        let function = Function {
            name: Some(name.to_owned()),
            first_line: lines.0,
            last_line: lines.1,
            parameters: Vec::new(),
            is_async: true,
            recursive: false,
            single: lines.1 - lines.0 <= 2,
        };
        let context = Context {
            language: Written::JavaScript,
            line: at,
            function: Some(function),
            loops: Vec::new(),
            statement: vec![statement.to_owned()],
            traits: Vec::new(),
            callees: Vec::new(),
            in_lock: None,
            in_transaction: None,
            damaged: false,
        };
        ((FILE, at), context)
    }

    /// The same, awaited in a loop.
    fn turn(name: &str, lines: (u32, u32), at: u32, looks: bool) -> ((&'static str, u32), Context) {
        let (key, mut context) = line(name, lines, at, "await");
        context.loops.push(Loop {
            kind: LoopKind::While,
            first_line: at,
            last_line: at,
            over: None,
            container: ContainerKind::Unknown,
            binds: Vec::new(),
            ends_early: false,
            chained: false,
            looks,
            bounded: false,
        });
        context.traits.push(Trait {
            kind: TraitKind::Await,
            line: at,
            text: "await".to_owned(),
            loop_depth: 1,
            container: None,
            pattern: None,
            nested_quantifier: None,
            bytes: None,
            same_collection: None,
            bounded: None,
            invariant: None,
        });
        (key, context)
    }

    fn millis(millis: u64) -> Nanos {
        Nanos::from_nanos(millis * 1_000_000)
    }

    fn timer(stack: &[(&str, u32)], idle: u64) -> Awaited {
        let frame = |function: &str, line: u32| StepPlace {
            function: function.to_owned(),
            file: FILE.to_owned(),
            line,
        };
        Awaited {
            kind: "Timeout".to_owned(),
            stack: stack.iter().map(|(function, line)| frame(function, *line)).collect(),
            asked: 300,
            came: 300,
            idle: millis(idle),
            taken: millis(idle),
        }
    }

    fn pending(function: &str, line: u32, calls: u64, most: u64, at_once: u64) -> Pending {
        Pending {
            function: function.to_owned(),
            file: FILE.to_owned(),
            line,
            calls,
            most,
            taken: millis(900 * at_once),
            idle: millis(900),
            queued: millis(900 * at_once),
        }
    }

    fn told(
        read: &[((&'static str, u32), Context)],
        site: Awaited,
        functions: Vec<Pending>,
    ) -> Option<(bool, String)> {
        let contexts: Contexts<'_> = read.iter().map(|(key, context)| (*key, context)).collect();
        let waits =
            Waits { began_ms: 1, watched: millis(1000), idle: millis(1000), sites: vec![site], functions };
        let looks = || looks(&waits, &contexts).or_else(|| watches(&waits, &contexts));
        let reason = queues(&waits, &contexts).or_else(looks)?;
        Some((matches!(reason, Reason::Looks { .. }), reason.place().function.clone()))
    }

    #[test]
    fn whoever_sleeps_and_looks_again_has_the_loop_wait() {
        let read = [
            line("pause", (1, 3), 2, "return new Promise((resolve) => setTimeout(resolve, ms));"),
            turn("Box.collect", (5, 8), 6, true),
            turn("Box.drain", (9, 14), 12, false),
            line("Box.step", (15, 18), 16, "await pause(4);"),
            turn("Box.work", (19, 21), 20, true),
        ];
        let by = |frames: &[(&str, u32)], idle: u64| {
            let pause = [("(anonymous)", 2), ("pause", 2)];
            let stack: Vec<(&str, u32)> = pause.iter().chain(frames).copied().collect();
            told(&read, timer(&stack, idle), Vec::new())
        };
        assert_eq!(by(&[("collect", 6), ("through", 30)], 800), Some((true, "Box.collect".to_owned())));
        assert_eq!(by(&[("drain", 12)], 800), None, "it changes what it asks for: it keeps a pace");
        assert_eq!(by(&[("step", 16), ("work", 20)], 800), None, "each step does more than wait");
        assert_eq!(by(&[("collect", 6)], 300), None, "others end most of the idle time");
        assert_eq!(by(&[("elsewhere", 99)], 800), None, "its source is not known");
    }

    #[test]
    fn a_file_that_is_looked_at_from_time_to_time_is_whose_idea_that_was() {
        let read = [line("follow", (1, 3), 2, "return new Tail(file, { useWatchFile: true });")];
        let by = |idle: u64| {
            let package = StepPlace {
                function: "watch".to_owned(),
                file: "/srv/app/node_modules/tail/tail.js".to_owned(),
                line: 271,
            };
            let mut site = timer(&[("follow", 2), ("main", 9)], idle);
            site.stack.insert(0, package);
            told(&read, Awaited { kind: "STATWATCHER".to_owned(), came: 4, ..site }, Vec::new())
        };
        assert_eq!(by(900), Some((true, "follow".to_owned())));
        assert_eq!(by(300), None, "something else ends most of the idle time");
    }

    /// `ask` is awaited by `enter`, which `book` takes a lock for, and `main` calls in a loop, too.
    fn locks() -> Vec<((&'static str, u32), Context)> {
        vec![
            line("ask", (1, 4), 2, "await pause(4);"),
            line("enter", (5, 8), 7, "if (await ask(ride)) await write(sheet);"),
            line("book", (9, 11), 9, "return lock.acquire('sheet', () => enter(ride));"),
            line("track", (12, 14), 12, "return once(ride, 'end');"),
            turn("main", (15, 21), 19, false),
        ]
    }

    #[test]
    fn calls_that_come_to_their_turn_one_by_one_queue_for_a_lock() {
        let by = |functions: Vec<Pending>| {
            told(&locks(), timer(&[("ask", 2), ("enter", 7), ("exec", 400)], 900), functions)
        };
        let book = || pending("book", 9, 300, 300, 150);
        let main = || pending("main", 15, 1, 1, 1);
        let enter = |most: u64| pending("enter", 5, 300, most, most);
        assert_eq!(by(vec![book(), enter(1), main()]), Some((false, "book".to_owned())));
        assert_eq!(by(vec![book(), enter(40), main()]), None, "many are at it at once");
        assert_eq!(by(vec![enter(1), main()]), None, "nobody queues");
        assert_eq!(by(vec![book(), main()]), None, "one waits for all of them");
    }

    #[test]
    fn timers_that_run_side_by_side_are_no_sleep() {
        let by = |idle: u64, taken: u64| {
            let site = Awaited { taken: millis(taken), ..timer(&[("ask", 2)], idle) };
            let (watched, functions) = (millis(1000), Vec::new());
            are_side_by_side(&Waits { began_ms: 1, watched, idle: millis(900), sites: vec![site], functions })
        };
        assert!(by(800, 6400) && !by(800, 850), "one after the other");
        assert!(!by(300, 6400), "others end most of the idle time");
    }

    #[test]
    fn a_loop_that_awaits_each_in_turn_is_no_lock() {
        let site = timer(&[("ask", 2), ("enter", 7), ("main", 19)], 900);
        let functions = vec![pending("track", 12, 300, 300, 150), pending("enter", 5, 300, 1, 1)];
        assert_eq!(told(&locks(), site, functions), None);
    }
}
