//! What the source and the machine code say of a place.

use model::profile::Place;
use model::recording::Language as Runs;
use model::source::{Callee, ContainerKind, Context, Language, Loop, LoopKind, Trait, TraitKind};

use super::facts::Contexts;
use super::known::{gathers, goes_there_and_back};
use super::subject::Subject;
use crate::profile::spots::Spot;

pub(super) const SOURCE: (&str, &str) = (model::source::SOURCE, "source around the hot lines");

/// Reads or writes of at most so many bytes are few: a system call costs as much as copying some kilobytes.
const TINY: u64 = 64;

/// What a layer of functions may stand between a loop and.
const ASKED: [&str; 5] =
    ["source.query", "source.commit", "source.connect", "source.request", "source.spawn"];

/// Notes what the source around a place's hot lines does, and where its callers repeat it.
pub(super) fn note(subject: &mut Subject, own: &[&Context], callers: &[(&Place, &Context)]) {
    if own.is_empty() {
        // A function without its source may still be called from a line whose source is known.
        note_invariant(subject, callers);
        return;
    }
    let around = repeated_by(subject.place.as_ref(), callers).max().unwrap_or(0);
    let nest = own.iter().map(|context| growing(&context.loops)).max().unwrap_or(0);
    subject.number("loops", (nest + around) as f64, "count", SOURCE);
    let traits: Vec<(&Trait, bool)> = own.iter().flat_map(|context| traits_of(context, around > 0)).collect();
    // Searches somewhere in a function may be what its own instructions do, not what others do for it.
    let itself =
        ["leaf.own", "leaf.search"].iter().filter_map(|name| subject.value(name)).sum::<f64>() >= ITSELF;
    let whole = own.iter().any(|context| is_whole(context));
    let traits: Vec<(&Trait, bool)> =
        traits.into_iter().filter(|(found, _)| itself || !whole || !is_search(found)).collect();
    let has =
        |wanted: &dyn Fn(&Trait) -> bool| traits.iter().any(|(found, repeated)| *repeated && wanted(found));
    let growth = traits.iter().find(|(found, repeated)| grows(found, *repeated)).map(|(found, _)| *found);
    let joined = own.iter().any(|context| searches(context, around) || joins(context));
    let line = subject.place.as_ref().and_then(|place| place.line).unwrap_or(0);
    // Of a database in the program itself no way to it can be saved by writing many at once.
    let local = subject.value("leaf.database").is_some();
    let mut yes =
        |name: &'static str, holds: bool| subject.number(name, f64::from(u8::from(holds)), "yes", SOURCE);
    yes("source.growth", growth.is_some() || joined);
    let kinds: &[(&'static str, &[TraitKind])] = &[
        ("source.regex-compile", &[TraitKind::RegexCompile]),
        ("source.copy", &[TraitKind::Copy]),
        ("source.allocate", &[TraitKind::Allocate]),
        ("source.box", &[TraitKind::Boxing]),
        ("source.query", &[TraitKind::Query]),
        ("source.commit", &[TraitKind::Commit]),
        ("source.sync", &[TraitKind::Sync, TraitKind::Flush]),
        ("source.connect", &[TraitKind::Connect]),
        ("source.request", &[TraitKind::Request, TraitKind::Receive]),
        ("source.await", &[TraitKind::Await]),
        ("source.spawn", &[TraitKind::Spawn]),
        ("source.sleep", &[TraitKind::Sleep]),
    ];
    // What a caller's loop asks for is done here, below its call.
    let asked = |wanted: &[TraitKind]| {
        let asks = |found: &Trait| wanted.contains(&found.kind) && found.loop_depth > 0;
        callers.iter().any(|(_, context)| context.traits.iter().any(asks))
    };
    // A query whose rows a loop goes through fetches many at once; some calls are for many.
    let fetches = |found: &Trait| {
        let writes = || local && super::known::is_write(&found.text);
        if found.kind == TraitKind::Query && (super::known::is_batch(&found.text) || writes()) {
            return true;
        }
        let over = |context: &&Context| context.loops.last().and_then(|inner| inner.over.clone());
        let is_head = |over: String| over.contains(&found.text);
        found.kind == TraitKind::Query && found.loop_depth == 0 && own.iter().filter_map(over).any(is_head)
    };
    for (name, wanted) in kinds {
        let below = ASKED.contains(name) && asked(wanted);
        // What is awaited until something happens depends on what came before; who sleeps for each of what there is
        // does not look whether something has happened.
        let through = own.iter().any(|context| goes_through(context));
        let looks = own.iter().any(|context| is_short(context) || looks_again(context, line));
        let other = (*name == "source.await" && !through) || (*name == "source.sleep" && (through || !looks));
        let copies = *name == "source.copy" && own.iter().any(|context| goes_there_and_back(context));
        // A pattern that is another one in each turn is compiled once.
        let differs = |found: &Trait| found.kind == TraitKind::RegexCompile && found.invariant == Some(false);
        let done = has(&|found| {
            wanted.contains(&found.kind) && !fetches(found) && !differs(found) && !is_told(found)
        });
        yes(name, below || copies || !other && done);
    }
    let asking = own.iter().copied().chain(callers.iter().map(|(_, context)| *context));
    let innermost = asking.filter_map(|context| context.loops.iter().rfind(|around| !around.bounded)).next();
    yes("source.chained", innermost.is_some_and(|around| around.chained));
    yes("source.gathers", traits.iter().any(|(found, _)| gathers(found)));
    yes("source.regex-nested", traits.iter().any(|(found, _)| found.nested_quantifier == Some(true)));
    yes("source.tiny-transfer", has(&|found| found.bytes.is_some_and(|bytes| bytes <= TINY)));
    if own.iter().any(|context| goes_there_and_back(context)) {
        subject.word("way", "text".to_owned());
    }
    note_words(subject, own, growth, joined);
    note_invariant(subject, callers);
    super::again::note_invariant(subject, &traits);
    note_owner_of_query(subject, &traits, callers);
    note_owner_of_growth(subject, own, callers);
    // What a caller repeats is the caller's to change, if the place itself has no loop.
    let mut loops = repeated_by(subject.place.as_ref(), callers).zip(callers);
    let repeats = loops.find(|(loops, _)| *loops > 0).map(|(_, caller)| caller);
    if let (0, Some((place, _))) = (nest, repeats) {
        for cause in REPEATED {
            subject.instead.entry(cause).or_insert_with(|| (*place).clone());
        }
    }
}

/// For each caller, the loops in which it calls again and again. What a loop goes through is asked for once, before its first
/// turn.
fn repeated_by<'c>(
    place: Option<&'c Place>,
    callers: &'c [(&'c Place, &'c Context)],
) -> impl Iterator<Item = usize> + 'c {
    let callees = place.into_iter().chain(callers.iter().map(|(place, _)| *place));
    callers.iter().zip(callees).map(|((_, context), callee)| {
        let name = callee.function.split('(').next().unwrap_or_default();
        let call = format!("{}(", name.rsplit(['.', ':', '$']).next().unwrap_or(name));
        let is_head = |around: &&Loop| {
            // A condition is asked before each turn.
            let goes_through =
                |over: &&str| around.kind != LoopKind::While && !over.contains(['<', '>', '=', '!']);
            around.over.as_deref().filter(goes_through).is_some_and(|over| is_called(over, &call))
        };
        context.loops.iter().filter(|around| !around.bounded && !is_head(around)).count()
    })
}

/// From this share of its time on in its own instructions, a function itself does what takes the time.
const ITSELF: f64 = 0.8;

/// The line is the one that a script's function begins in: the context is that of the whole function.
fn is_whole(context: &Context) -> bool {
    let script = matches!(context.language, Language::JavaScript | Language::TypeScript);
    script && context.function.as_ref().is_some_and(|function| function.first_line == context.line)
}

fn is_search(found: &Trait) -> bool {
    matches!(
        found.kind,
        TraitKind::Membership | TraitKind::FrontInsert | TraitKind::Sorting | TraitKind::Extreme
    )
}

/// Lines of a loop that does little but look again.
const LOOKING: u32 = 6;

fn is_short(context: &Context) -> bool {
    let innermost = context.loops.iter().rfind(|around| !around.bounded);
    innermost.is_some_and(|inner| inner.last_line.saturating_sub(inner.first_line) <= LOOKING)
}

/// The line ends the innermost loop that goes on until something happens: what comes next is another look.
pub(super) fn looks_again(context: &Context, line: u32) -> bool {
    let innermost = context.loops.iter().rfind(|around| !around.bounded);
    // A brace may end it on a line of its own.
    let brace = u32::from(context.language != Language::Python);
    let is_last = innermost.is_some_and(|inner| line <= inner.last_line && inner.last_line - line <= brace);
    is_last && !goes_through(context)
}

/// The innermost loop that grows goes through something that is there before, not on until something happens.
pub(super) fn goes_through(context: &Context) -> bool {
    let innermost = context.loops.iter().rfind(|around| !around.bounded);
    innermost.is_some_and(|inner| inner.kind != LoopKind::While && inner.over.is_some())
}

/// Causes that lie in the loop, not in the call it repeats.
pub(super) const REPEATED: [&str; 4] = ["serial-calls", "serial-fan-out", "chatty-protocol", "slow-peer"];

fn note_words(subject: &mut Subject, own: &[&Context], growth: Option<&Trait>, joined: bool) {
    if let Some(first) = own.first().and_then(|context| context.statement.first()) {
        subject.word("statement", first.trim().to_owned());
        if joined {
            subject.word("what", first.trim().trim_end_matches(['{', ':', ' ']).to_owned());
        }
    }
    if let Some(growth) = growth {
        subject.word("what", growth.text.clone());
        let joins = ["concat(", "concatenate(", "append(", "stack("];
        let way = match growth.kind {
            TraitKind::Concatenation if joins.iter().any(|call| growth.text.contains(call)) => "pieces",
            TraitKind::Concatenation => "concatenation",
            TraitKind::FrontInsert if growth.text.ends_with(":]") => "rest",
            TraitKind::FrontInsert => "front",
            TraitKind::Membership => "membership",
            TraitKind::Sorting => "sorting",
            TraitKind::Extreme => "extreme",
            TraitKind::LengthInCondition => "length",
            _ => return,
        };
        subject.word("way", way.to_owned());
    }
}

/// The call that leads here repeats with arguments that do not change.
fn note_invariant(subject: &mut Subject, callers: &[(&Place, &Context)]) {
    let callees = subject.place.iter().chain(callers.iter().map(|(place, _)| *place));
    let repeats = callers.iter().zip(callees).find(|((_, context), callee)| {
        context.traits.iter().any(|found| {
            found.kind == TraitKind::InvariantCall
                && found.loop_depth > 0
                && found.invariant != Some(false)
                && super::again::calls(&found.text, &callee.function)
        })
    });
    let repeats = repeats.map(|(caller, _)| caller);
    let known = subject.metrics.contains_key("loops") || !callers.is_empty();
    if known {
        subject.number("source.invariant", f64::from(u8::from(repeats.is_some())), "yes", SOURCE);
    }
    if let Some((place, _)) = repeats {
        subject.instead.insert("repeated-work", (*place).clone());
    }
}

/// A place without loops of its own is a step of somebody's loop: the growth is theirs.
fn note_owner_of_growth(subject: &mut Subject, own: &[&Context], callers: &[(&Place, &Context)]) {
    let has_own = own.iter().any(|context| {
        growing(&context.loops) > 0 || traits_of(context, true).any(|(found, _)| grows(found, true))
    });
    if has_own {
        return;
    }
    note_owner_of_step(subject, own, callers);
    // What is seen to copy or allocate copies or allocates, however often it is called.
    let moves = subject.value("leaf.copy").unwrap_or(0.0) + subject.value("leaf.allocate").unwrap_or(0.0);
    if moves >= MOVES {
        note_owner_of_copies(subject, callers);
        return;
    }
    let nested = callers.iter().find(|(_, context)| {
        // What else a whole function does has nothing to do with this step of it.
        let grown = || traits_of(context, false).any(|(found, repeated)| grows(found, repeated));
        growing(&context.loops) >= 2 || !is_whole(context) && grown()
    });
    if let Some((place, context)) = nested {
        let searched = searches(context, 0)
            || joins(context)
            || traits_of(context, false).any(|(found, repeated)| grows(found, repeated));
        if searched {
            subject.number("source.growth", 1.0, "yes", SOURCE);
        }
        subject.instead.insert("algorithmic-growth", (*place).clone());
    }
}

/// Notes work that grows where a package does it on the place's behalf, in a loop of its own, and objects of a package
/// that are made again and again although nothing is asked for that could be another thing each time.
pub(super) fn note_inside(subject: &mut Subject, spot: &Spot, contexts: &Contexts<'_>) {
    let file = spot.place.file.as_deref().unwrap_or_default();
    let lines = spot.lines.iter().filter_map(|line| contexts.get(&(file, line.line)));
    let mut texts = lines.flat_map(|context| &context.statement);
    let made = spot.through.iter().find(|made| match maker(&made.function) {
        Some(name) => texts.clone().any(|text| is_called(text, &format!("{name}()"))),
        // A class of classes makes its objects by being called; what the class is called only the line tells.
        None => made.function.ends_with(".__call__") && texts.any(|text| makes_plainly(text)),
    });
    let repeated = subject.value("loops").is_some_and(|loops| loops >= 1.0);
    // What the kernel is asked for each time is not kept for the next.
    let asks = subject.value("kernel").is_some_and(|kernel| kernel >= 0.5);
    if let (Some(made), true) = (made, repeated && !asks) {
        subject.number("source.rebuilt", 1.0, "yes", SOURCE);
        subject.blame("repeated-work", made);
    }
    let inside = spot.inside.as_ref().filter(|(_, share)| *share >= MOVES);
    let context = inside.and_then(|(place, _)| contexts.get(&(place.file.as_deref()?, place.line?)));
    let loops = context.filter(|context| growing(&context.loops) > 0);
    let growth = loops.and_then(|context| context.traits.iter().find(|found| grows(found, true)));
    // What an object keeps is gone through at each call of whoever has it.
    let extreme = context.filter(|_| repeated);
    let extreme =
        || extreme.and_then(|context| context.traits.iter().find(|found| found.kind == TraitKind::Extreme));
    // Each with each of the same: who is called there is called a square of times.
    let around: Vec<&&Context> = spot
        .through
        .iter()
        .filter_map(|place| contexts.get(&(place.file.as_deref()?, place.line?)))
        .collect();
    let pairs = || {
        let mut traits = around.iter().flat_map(|context| &context.traits);
        traits.find(|found| found.kind == TraitKind::InnerLoop && grows(found, true))
    };
    let again =
        || around.iter().find_map(|one| around.iter().find_map(|other| super::again::goes_again(other, one)));
    if let Some(what) =
        growth.or_else(extreme).or_else(pairs).map(|growth| growth.text.as_str()).or_else(again)
    {
        subject.number("source.growth", 1.0, "yes", SOURCE);
        subject.word("what", what.to_owned());
    }
}

/// The name by which a function that makes an object is called.
fn maker(function: &str) -> Option<&str> {
    let mut parts = function.split('(').next().unwrap_or(function).rsplit(['.', ':', '/']);
    let last = parts.next()?;
    match last {
        "<init>" | "__init__" | "__new__" => {
            parts.next().map(|class| class.rsplit('$').next().unwrap_or(class))
        }
        _ if last.starts_with("New") || last.starts_with(char::is_uppercase) || last == "new" => Some(last),
        _ => None,
    }
}

/// A class is called without arguments: `pint.UnitRegistry()`.
fn makes_plainly(text: &str) -> bool {
    text.match_indices("()").any(|(at, _)| {
        words_of(&text[..at]).last().is_some_and(|name| {
            text[..at].ends_with(name)
                && name.starts_with(char::is_uppercase)
                && name.contains(char::is_lowercase)
        })
    })
}

/// A call stands in a text by its whole name.
fn is_called(text: &str, call: &str) -> bool {
    text.match_indices(call)
        .any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
}

/// From this share of its time on in copying and allocating, that is what a place does.
pub(super) const MOVES: f64 = 0.5;

/// Objects are made, copied and thrown away by functions of their own; whoever has that done is the place to change.
fn note_owner_of_copies(subject: &mut Subject, callers: &[(&Place, &Context)]) {
    let is_member = subject.place.as_ref().is_some_and(|place| is_member(&place.function));
    if let (true, Some((place, _))) = (is_member, callers.first()) {
        for cause in ["copy-volume", "allocation-churn"] {
            subject.instead.insert(cause, (*place).clone());
        }
    }
}

/// Nobody calls it by name: a constructor or the like of C++; `clone` and `drop` of Rust.
fn is_member(function: &str) -> bool {
    let name = function.split('(').next().unwrap_or(function);
    super::naming::is_special_member(function) || matches!(name.rsplit("::").next(), Some("clone" | "drop"))
}

/// A function that is handed its statement only passes it on; whoever calls it decides what is asked, and how often.
fn note_owner_of_query(subject: &mut Subject, traits: &[(&Trait, bool)], callers: &[(&Place, &Context)]) {
    let mut queries = traits.iter().map(|(found, _)| found).filter(|found| found.kind == TraitKind::Query);
    let passes = queries.next().is_some_and(|found| is_handed_on(&found.text));
    if let (true, Some((place, _))) = (passes, callers.first()) {
        subject.instead.insert("n-plus-one", (*place).clone());
    }
}

/// The first argument of a call is a variable: no text, and no constant by the look of its name.
fn is_handed_on(call: &str) -> bool {
    let inner = call.split_once('(').map(|(_, inner)| inner);
    let first = inner.and_then(|inner| inner.split([',', ')']).next()).map(str::trim);
    first.is_some_and(|first| {
        let is_name = first.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        is_name && first.starts_with(|letter: char| letter.is_lowercase())
    })
}

/// Calls that move bytes between memory and a peer or file.
const MOVERS: [&str; 16] = [
    "read",
    "write",
    "recv",
    "send",
    "pread",
    "pwrite",
    "recv_into",
    "sendall",
    "Read",
    "Write",
    "ReadFull",
    "read_exact",
    "write_all",
    "readFully",
    "recvfrom",
    "sendto",
];

/// A function that is handed a connection and how much to move, and goes on until that is done: it moves bytes on behalf of
/// its caller, who decides what is asked, and how often.
pub(super) fn moves_for_others(context: &Context) -> bool {
    let Some(function) = &context.function else { return false };
    let is_given = |word: &str| function.parameters.iter().any(|given| given == word);
    let moved = context.statement.iter().find_map(|line| {
        MOVERS.iter().find_map(|mover| handed_to(line, mover).filter(|handed| is_given(handed)))
    });
    let counts = |over: &str, handed: &str| words_of(over).any(|word| word != handed && is_given(word));
    let until = || context.loops.iter().filter_map(|around| around.over.as_deref());
    moved.is_some_and(|handed| until().any(|over| counts(over, handed)))
}

/// What a call in a line is made on: `line` of `read(line, at, length)`, `peer` of `peer.recv(count)`.
fn handed_to<'t>(line: &'t str, call: &str) -> Option<&'t str> {
    let called = format!("{call}(");
    let at = line
        .match_indices(called.as_str())
        .map(|(at, _)| at)
        .find(|at| !line[..*at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))?;
    let before = line[..at].strip_suffix('.').map(|owner| words_of(owner).last().unwrap_or_default());
    let first = line[at + called.len()..].split([',', ')']).next().map(str::trim);
    match before {
        // `io.ReadFull(peer, …)`, `os.read(peer, …)`: the owner is a package.
        Some("io" | "os" | "syscall" | "unix" | "libc") | None => first,
        owner => owner,
    }
}

/// A function of so few lines and no loop is a step of whoever loops over it.
const STEP_LINES: u32 = 8;

/// What a small step computes and touches is its caller's: the loop is there.
fn note_owner_of_step(subject: &mut Subject, own: &[&Context], callers: &[(&Place, &Context)]) {
    let functions: Vec<_> = own.iter().filter_map(|context| context.function.as_ref()).collect();
    let small = !functions.is_empty()
        && functions.iter().all(|function| {
            !function.recursive && function.last_line.saturating_sub(function.first_line) <= STEP_LINES
        });
    let looping = callers.iter().find(|(_, context)| growing(&context.loops) > 0);
    // Who throws could return instead.
    let throws = subject.value("leaf.exception").is_some_and(|share| share >= 0.3);
    // Whoever calls a package is where that can be changed; so is who has the runtime's own library compute.
    let most = |metric| subject.value(metric).is_some_and(|share| share >= super::rules::external::PACKAGE);
    let is_interpreted = subject
        .place
        .as_ref()
        .is_some_and(|place| matches!(place.language, Runs::Python | Runs::JavaScript | Runs::Java));
    let calls = most("leaf.package") || is_interpreted && most("leaf.library");
    if let (true, Some((place, _))) = (small && !throws && !calls, looping) {
        // Whoever goes through the steps also chooses the order in which memory is walked.
        for cause in ["hot-compute", "cache-misses", "debug-build"] {
            subject.instead.insert(cause, (*place).clone());
        }
    }
}

/// Loops that go on longer the more input there is.
pub(super) fn growing(loops: &[Loop]) -> usize {
    loops.iter().filter(|around| !around.bounded).count()
}

/// The traits of a statement and of what it calls in the same file, with whether a loop repeats them.
fn traits_of(context: &Context, repeated: bool) -> impl Iterator<Item = (&Trait, bool)> {
    let outside = repeated || growing(&context.loops) > 0;
    let own = context.traits.iter().map(move |found| (found, repeated || found.loop_depth > 0));
    // What a loop goes through is asked for once, before its first turn.
    let is_head = |callee: &Callee| {
        let name = callee.function.name.as_deref().map(|name| format!("{name}("));
        let heads = context.loops.iter().filter_map(|around| around.over.as_deref());
        name.is_some_and(|name| heads.clone().any(|over| over.contains(&name)))
    };
    // A function of Python has frames of its own: what it copies is not seen at whoever calls it.
    let apart = context.language == Language::Python;
    let called = context.callees.iter().flat_map(move |callee| {
        let once = is_head(callee);
        let outside = outside || callee.loop_depth > 0;
        let told = callee.traits.iter().filter(move |found| match found.kind {
            TraitKind::Query => !once,
            TraitKind::Copy => !apart,
            _ => true,
        });
        told.map(move |found| (found, outside || found.loop_depth > 0))
    });
    own.chain(called)
}

/// Work whose cost grows with what it works on, done again and again.
fn grows(found: &Trait, repeated: bool) -> bool {
    let linear = !matches!(found.container, Some(ContainerKind::Set | ContainerKind::Map));
    match found.kind {
        TraitKind::Membership => {
            repeated
                && matches!(
                    found.container,
                    Some(ContainerKind::List | ContainerKind::LinkedList | ContainerKind::Deque)
                )
        }
        TraitKind::FrontInsert => repeated && linear && found.container != Some(ContainerKind::Deque),
        TraitKind::IndexedLinked | TraitKind::Concatenation => repeated && linear,
        // What an object keeps is sorted anew for each element that comes.
        TraitKind::Sorting => {
            repeated && linear && (found.text.starts_with("self.") || found.text.starts_with("this."))
        }
        TraitKind::Extreme => repeated,
        TraitKind::LengthInCondition => true,
        TraitKind::InnerLoop => found.same_collection == Some(true) && found.bounded != Some(true),
        _ => false,
    }
}

/// A loop in a loop that ends as soon as it has found something is a search, once for each.
fn searches(context: &Context, around: usize) -> bool {
    let own = growing(&context.loops);
    let innermost = context.loops.iter().rfind(|inner| !inner.bounded);
    own + around >= 2
        && innermost.is_some_and(|inner| {
            inner.ends_early
                && matches!(inner.kind, LoopKind::For | LoopKind::Comprehension | LoopKind::Callback)
                && inner.over.as_deref().is_some_and(names_a_collection)
        })
}

/// Each of one collection with each of another that has nothing to do with it, to find the few that belong together.
fn joins(context: &Context) -> bool {
    let growing: Vec<&Loop> = context.loops.iter().filter(|around| !around.bounded).collect();
    let [.., outer, inner] = growing.as_slice() else { return false };
    let Some(over) = inner.over.as_deref() else { return false };
    let depends = outer.binds.iter().any(|bound| words_of(over).any(|word| word == bound));
    if depends {
        return false;
    }
    inner.kind == LoopKind::For && names_a_collection(over) || compares(context)
}

pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty())
}

/// A name or a field, not a count.
pub(super) fn names_a_collection(over: &str) -> bool {
    over.chars().all(|letter| letter.is_alphanumeric() || "_.&*:>-()".contains(letter))
        && !over.contains("range")
        && !over.contains("..")
        && over.chars().next().is_some_and(|letter| !letter.is_ascii_digit())
}

/// The statement only asks whether two things are equal.
fn compares(context: &Context) -> bool {
    let first = context.statement.first().map(|line| line.trim()).unwrap_or_default();
    let asks = first.starts_with("if ") || first.starts_with("if(") || first.starts_with("} else if");
    asks && ["==", ".equals(", "strcmp(", "memcmp(", ".eq(", " is "].iter().any(|sign| first.contains(sign))
}

/// Whether a sleep is as long as something says that came in this turn (`sleep(answer["pause"])`): who keeps to what it was told
/// does not sleep for want of a better way.
fn is_told(found: &Trait) -> bool {
    found.kind == TraitKind::Sleep && found.invariant == Some(false) && is_part(&found.text)
}

/// Whether what a call is given is a part of something, other than of what is always there.
fn is_part(call: &str) -> bool {
    let Some((_, mut rest)) = call.split_once('(') else { return false };
    while let Some(from) = rest.find(|letter: char| letter.is_alphabetic()) {
        rest = rest.get(from..).unwrap_or_default();
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let of_itself =
            ["self", "this", "time", "asyncio"].contains(&name) || name.starts_with(char::is_uppercase);
        if !of_itself && ["[", ".", "->"].iter().any(|part| after.starts_with(part)) {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_makes_an_object_is_called_by_the_name_of_its_type() {
        assert_eq!(maker("github.com/go-playground/validator/v10.New"), Some("New"));
        assert_eq!(maker("com.fasterxml.jackson.databind.ObjectMapper.<init>"), Some("ObjectMapper"));
        assert_eq!((maker("Environment.__init__"), maker("Ajv")), (Some("Environment"), Some("Ajv")));
        assert_eq!((maker("Validator.validate"), maker("render")), (None, None));
        assert!(is_called("v := validator.New()", "New()") && !is_called("x = isNew()", "New()"));
        assert!(makes_plainly("units = pint.UnitRegistry()") && makes_plainly("Reader().read(text)"));
        assert!(!makes_plainly("units = registry()") && !makes_plainly("x = LIMIT()"));
        assert!(!makes_plainly("units = Registry(path)"));
    }

    #[test]
    fn what_a_call_is_made_on_stands_before_it_or_first_in_it() {
        assert_eq!(handed_to("ssize_t got = read(line, place, length);", "read"), Some("line"));
        assert_eq!(handed_to("part = peer.recv(count - len(all))", "recv"), Some("peer"));
        assert_eq!(handed_to("n, err := io.ReadFull(conn, buf)", "ReadFull"), Some("conn"));
        assert_eq!(handed_to("out ? write(line, at, n) : read(line, at, n)", "write"), Some("line"));
        assert_eq!(handed_to("spread(line)", "read"), None);
    }

    #[test]
    fn who_sleeps_as_long_as_it_was_told_is_told_from_who_sleeps_for_a_time_of_its_own() {
        let told = ["time.sleep(answer[\"pause\"])", "usleep(reply->pause)", "Thread.sleep(answer.pause())"];
        assert!(told.iter().all(|call| is_part(call)));
        let own = [
            "time.sleep(delay)",
            "time.sleep(self.delay)",
            "time.Sleep(n * time.Millisecond)",
            "sleep(Pace.SHORT)",
        ];
        assert!(!own.iter().any(|call| is_part(call)));
    }

    #[test]
    fn a_statement_that_is_handed_on_has_no_text() {
        assert!(is_handed_on("self.connection.execute(text, values)") && is_handed_on("db.query(sql)"));
        let own = ["execute(\"select 1\")", "execute(SELECT, (id,))", "execute(f'select {x}')", "execute()"];
        assert!(own.iter().all(|call| !is_handed_on(call)));
    }
}
