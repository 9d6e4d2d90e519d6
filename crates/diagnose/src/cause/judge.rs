//! Every cause at every subject: confirmed, likely, possible, rejected or untestable, and the number that decided.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use model::answer::State;
use model::profile::Place;
use model::recording::Owner;

use super::facts::Facts;
use super::finding::{Ledger, finding};
use super::hypothesis::hypothesis;
use super::rules::CAUSES;
use super::subject::Subject;
use super::{Cause, Condition, Judgement, Kind};

/// Compared call by call: where that was looked for and nothing else speaks for the cause, it is not there.
const SETTLES: [&str; 1] = ["repeat.same"];

/// Findings that an answer names.
const MOST: usize = 6;

/// Less than this share of wall time is not worth anybody's afternoon.
const WORTH: f64 = 0.05;

/// What nothing speaks for must take so many times as much before it is named: small places are of many kinds.
const CONJECTURED: f64 = 2.0;

/// From this share of wall time on, two witnesses confirm a cause; below it programs without a problem have the same.
const CONFIRMED: f64 = 0.2;

/// Seconds of a run that nobody feels: start-up, first touches of memory and the machine's moods take as much, in healthy
/// programs too.
const FELT: f64 = 0.05;

/// With less than this share of wall time left to it by others, queues for a CPU are not the program's own doing alone.
const FREE: f64 = 0.9;

/// What a place that nobody here wrote is trusted, against one of the user's.
const ABROAD: f64 = 0.5;

/// From this part of the time that a package takes at a place on, a more special cause there is why.
const PART_OF_PACKAGE: f64 = 0.3;

/// Of a place's time, what a cause that explains a part of it must explain to stand before plain computing of the whole: where
/// a third is the collector's, the other two thirds are what to look at.
const PART_OF_PLACE: f64 = 0.35;

/// What was concluded of one cause at one subject.
#[derive(Clone, Debug)]
pub(super) struct Judged<'a> {
    pub(super) cause: &'static Cause,
    pub(super) subject: &'a Subject,
    pub(super) state: State,
    /// Conditions that hold and speak for it.
    pub(super) held: Vec<&'static Condition>,
    /// The condition that decided against it, or the metric that is missing.
    pub(super) against: Option<&'static Condition>,
    /// Share of wall time that it explains.
    pub(super) share: f64,
    pub(super) low: f64,
}

impl Judged<'_> {
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state, State::Confirmed | State::Likely | State::Possible)
    }

    /// Which state speaks for the cause as a whole: it is excluded only where it was looked for everywhere that matters.
    pub(super) fn weight_in_all(&self) -> u8 {
        match self.state {
            State::Confirmed => 0,
            State::Likely => 1,
            State::Possible => 2,
            State::Untestable if self.subject.wall.value >= WORTH => 3,
            State::Rejected => 4,
            State::Untestable => 5,
        }
    }

    /// The place to change. What lies outside the program has none.
    fn place(&self) -> Option<&Place> {
        if self.cause.is_outside() {
            return None;
        }
        self.subject.instead.get(self.cause.id).or(self.subject.place.as_ref())
    }

    fn place_key(&self) -> Option<(Cow<'_, str>, Option<&str>)> {
        self.place().map(|place| (super::naming::enclosing(&place.function), place.file.as_deref()))
    }

    fn is_own(&self) -> bool {
        self.place().is_some_and(|place| place.owner == Owner::Project)
    }

    /// Whether it explains so small a part of what another finding at the same place does that the rest is what to look at.
    fn is_small_part_of(&self, known: &Self) -> bool {
        self.cause.part.is_some() && self.share < PART_OF_PLACE * known.share
    }

    /// Takes over what another place with the same cause explains.
    fn add(&mut self, other: &Self) {
        self.share = (self.share + other.share).min(1.0);
        self.low = (self.low + other.low).min(1.0);
    }

    /// The surest first, then the most special, then what more witnesses speak for, then what saves most. What explains a small part
    /// of the place is no better than plain computing; and where nothing speaks for anything, that is what is known of it.
    fn order(&self) -> (State, Reverse<u8>, Reverse<usize>, Reverse<u64>) {
        let is_part = self.cause.part.is_some() && self.share < PART_OF_PLACE * self.subject.wall.value;
        let special = match self.state {
            State::Possible if self.cause.special == 0 => u8::MAX,
            _ if is_part => 0,
            _ => self.cause.special,
        };
        let witnesses: BTreeSet<&str> = self.held.iter().map(|support| support.witness).collect();
        (self.state, Reverse(special), Reverse(witnesses.len()), Reverse(micros(self.low)))
    }
}

/// A share as a number that can be ordered.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share between 0 and 1")]
pub(super) fn micros(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * 1e6) as u64
}

/// Judges every cause. Pure: the same facts give the same bytes.
#[must_use]
pub fn judge(facts: &Facts, first_id: usize) -> Judgement {
    let mut ledger = Ledger::new(first_id, facts.coverage.clone());
    let mut all: Vec<Judged<'_>> = CAUSES
        .iter()
        .flat_map(|cause| {
            let subjects = facts.subjects().iter().filter(|subject| cause.kinds.contains(&subject.kind));
            subjects.map(|subject| weigh(cause, subject))
        })
        .collect();
    for judged in all.iter_mut().filter(|judged| judged.state == State::Confirmed) {
        let busy = judged.cause.is_queueing() && facts.had < FREE;
        if judged.share * facts.wall_s < FELT || busy {
            judged.state = State::Likely;
        }
    }
    let chosen = choose(facts, &all);
    let findings = chosen
        .iter()
        .zip(1..)
        .map(|(judged, rank)| finding(judged, rank, &alike(judged, &all), facts, &mut ledger))
        .collect();
    let hypotheses = CAUSES.iter().map(|cause| hypothesis(cause, &all, facts, &mut ledger)).collect();
    Judgement { findings, hypotheses, evidence: ledger.into_evidence() }
}

pub(super) fn weigh<'a>(cause: &'static Cause, subject: &'a Subject) -> Judged<'a> {
    let part = cause.part.map_or(Some(1.0), |part| subject.value(part)).unwrap_or(0.0).clamp(0.0, 1.0);
    let mut judged = Judged {
        cause,
        subject,
        state: State::Possible,
        held: Vec::new(),
        against: None,
        share: subject.wall.value * part,
        low: subject.wall.low * part,
    };
    let holds =
        |condition: &Condition| subject.value(condition.metric).map(|value| condition.is.holds(value));
    if let Some(gate) = cause.gates.iter().find(|gate| holds(gate) != Some(true)) {
        let is_known = holds(gate).is_some();
        (judged.state, judged.against) =
            (if is_known { State::Rejected } else { State::Untestable }, Some(gate));
        return judged;
    }
    let seen = |support: &&Condition| {
        matches!(support.witness, "tracer" | "runtime") && holds(support) == Some(true)
    };
    if let Some(reject) = cause.rejects.iter().find(|reject| holds(reject) == Some(true)) {
        // What the text at one place does not show may stand elsewhere: it does not outweigh what was seen to happen.
        let outweighed = reject.is_absence() && cause.supports.iter().any(|support| seen(&support));
        judged.state = if outweighed { State::Untestable } else { State::Rejected };
        judged.against = Some(reject);
        judged.held = cause.supports.iter().filter(seen).filter(|_| outweighed).collect();
        return judged;
    }
    judged.held = cause.supports.iter().filter(|support| holds(support) == Some(true)).collect();
    let settles = |support: &&Condition| SETTLES.contains(&support.metric) && holds(support) == Some(false);
    let witnesses: BTreeSet<&str> = judged.held.iter().map(|support| support.witness).collect();
    judged.state = match witnesses.len() {
        0 if cause.supports.iter().all(|support| holds(support).is_none()) => {
            judged.against = cause.supports.first();
            State::Untestable
        }
        0 if cause.supports.iter().all(|support| holds(support).is_some()) => {
            judged.against = cause.supports.first();
            State::Rejected
        }
        0 if let Some(settled) = cause.supports.iter().find(settles) => {
            judged.against = Some(settled);
            State::Rejected
        }
        0 => State::Possible,
        1 => State::Likely,
        // Plain computing is what remains where nothing else is found, whoever says that it computes.
        _ if cause.special == 0 => State::Likely,
        // A place that nobody here wrote is not the place to change: the real one was not seen.
        _ if subject
            .place
            .as_ref()
            .map_or(subject.kind != Kind::Whole, |place| place.owner != Owner::Project) =>
        {
            State::Likely
        }
        // What takes a small part of the run may be as it should be: nobody has seen the program without it.
        _ if judged.share < CONFIRMED => State::Likely,
        _ => State::Confirmed,
    };
    judged
}

/// Where the same cause is at least as likely: the places to change, and those that the time was seen at.
fn alike<'a>(judged: &Judged<'_>, all: &[Judged<'a>]) -> Vec<&'a Place> {
    let same = all.iter().filter(|other| other.cause.id == judged.cause.id);
    let open = same.filter(|other| matches!(other.state, State::Confirmed | State::Likely));
    open.flat_map(|other| other.subject.instead.get(judged.cause.id).into_iter().chain(&other.subject.place))
        .collect()
}

/// One cause for each subject, the surest; each second of the run is claimed once.
fn choose<'a>(facts: &'a Facts, all: &[Judged<'a>]) -> Vec<Judged<'a>> {
    let mut chosen = worth(facts, all, WORTH);
    // On a busy machine the program is judged by the time that it had, unless something stands out as it is.
    if !chosen.iter().any(|judged| !judged.cause.is_outside()) {
        chosen.extend(
            worth(facts, all, WORTH * facts.had).into_iter().filter(|judged| !judged.cause.is_outside()),
        );
    }
    let mut chosen = brought_home(chosen);
    chosen.sort_by_key(|judged| (Reverse(micros(judged.low * trust(judged))), judged.cause.id));
    let mut named = one_for_each_place(chosen);
    // What is wrong with the machine stands behind what is wrong with the program.
    let is_outside = |judged: &Judged<'_>| judged.cause.is_outside();
    named.sort_by_key(|judged| {
        (is_outside(judged), Reverse(micros(judged.low * trust(judged))), judged.cause.id)
    });
    drop_mere_possibilities(&mut named);
    named.truncate(MOST);
    named
}

/// Findings at the same place, those that save most first, as one of them.
fn one_for_each_place(chosen: Vec<Judged<'_>>) -> Vec<Judged<'_>> {
    let (mut named, mut beside): (Vec<Judged<'_>>, Vec<Judged<'_>>) = (Vec::new(), Vec::new());
    for judged in chosen {
        let key = judged.place_key();
        match named.iter_mut().find(|known| key.is_some() && known.place_key() == key) {
            // A function and the steps it calls have one cause: their time adds up.
            Some(known) if known.cause.id == judged.cause.id => known.add(&judged),
            // What the collector takes on behalf of a place that computes for much longer is worth a line of its own, behind it.
            Some(known)
                if known.cause.special == 0
                    && judged.subject.kind == Kind::Whole
                    && judged.is_small_part_of(known) =>
            {
                beside.push(judged);
            }
            // Plain computing is what remains where nothing else is found.
            Some(known)
                if known.cause.special == 0
                    && judged.cause.special > 0
                    && judged.state != State::Possible =>
            {
                *known = judged;
            }
            // So is a package that takes the time: what is more special says why.
            Some(known)
                if known.cause.is_others()
                    && judged.cause.special > known.cause.special
                    && judged.state != State::Possible
                    && judged.share >= PART_OF_PACKAGE * known.share =>
            {
                *known = judged;
            }
            // The same place is named once.
            Some(_) => {}
            None => named.push(judged),
        }
    }
    named.append(&mut beside);
    named
}

/// Mere possibilities are worth a line only where nothing better is known; plain computing is not. One that would save
/// more than all that is known, even when trusted so little, stays.
fn drop_mere_possibilities(named: &mut Vec<Judged<'_>>) {
    let is_better = |judged: &&Judged<'_>| {
        judged.state != State::Possible && judged.cause.special > 0 && !judged.cause.is_outside()
    };
    let better: Vec<f64> = named.iter().filter(is_better).map(|judged| judged.low).collect();
    let known: f64 = better.iter().sum();
    if !better.is_empty() {
        named.retain(|judged| judged.state != State::Possible || judged.low * trust(judged) > known);
    }
}

/// What a library does without the user's code on its stack is done for the place of the user's that has the same cause.
fn brought_home(chosen: Vec<Judged<'_>>) -> Vec<Judged<'_>> {
    let is_abroad = |judged: &Judged<'_>| judged.place().is_some() && !judged.is_own();
    let (abroad, mut home): (Vec<_>, Vec<_>) = chosen.into_iter().partition(is_abroad);
    for judged in abroad {
        let same = home.iter_mut().filter(|own| own.is_own() && own.cause.id == judged.cause.id);
        match same.max_by_key(|own| micros(own.share)) {
            Some(own) => own.add(&judged),
            None => home.push(judged),
        }
    }
    home
}

/// The surest cause of each subject among those that explain so much of wall time.
fn worth<'a>(facts: &'a Facts, all: &[Judged<'a>], least: f64) -> Vec<Judged<'a>> {
    let mut chosen: Vec<Judged<'_>> = Vec::new();
    for subject in facts.subjects() {
        let open = all.iter().filter(|judged| std::ptr::eq(judged.subject, subject) && judged.is_open());
        // What nothing speaks for says nothing at a small place, or at one that nobody here wrote.
        let says = |judged: &&Judged<'_>| {
            judged.state != State::Possible || judged.is_own() && judged.share >= CONJECTURED * least
        };
        let worth: Vec<&Judged<'_>> = open.filter(|judged| judged.share >= least).filter(says).collect();
        // What the machine does to the program and what the program does itself are two stories.
        for outside in [false, true] {
            let own = worth.iter().filter(|judged| judged.cause.is_outside() == outside);
            chosen.extend(own.min_by_key(|judged| judged.order()).map(|judged| (*judged).clone()));
        }
    }
    chosen
}

/// What is surer stands before what would save a little more.
fn trust(judged: &Judged<'_>) -> f64 {
    // A place that nobody here wrote tells less of what to change.
    let whose = if judged.place().is_some() && !judged.is_own() { ABROAD } else { 1.0 };
    let sure = match judged.state {
        // Plain computing is what remains when nothing special is found.
        State::Likely if judged.cause.special == 0 => 0.35,
        State::Confirmed => 1.0,
        State::Likely => 0.65,
        _ => 0.25,
    };
    sure * whose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_possibility_stays_only_where_it_would_save_more_than_all_that_is_known() {
        let exact = |share: f64| model::profile::Share { value: share, low: share, high: share };
        let subjects = [0.1, 0.71, 0.3].map(|share| Subject::new(Kind::Computing, None, exact(share)));
        let judged = |at: usize, id: &str, state: State| Judged {
            cause: CAUSES.iter().find(|cause| cause.id == id).expect("a cause"),
            subject: &subjects[at],
            state,
            held: Vec::new(),
            against: None,
            share: subjects[at].wall.value,
            low: subjects[at].wall.low,
        };
        let possibilities =
            || vec![judged(1, "repeated-work", State::Possible), judged(2, "repeated-work", State::Possible)];
        let left = |mut named: Vec<Judged<'_>>| {
            drop_mere_possibilities(&mut named);
            named.iter().map(|judged| micros(judged.share)).collect::<Vec<_>>()
        };
        assert_eq!(left(possibilities()), [710_000, 300_000]);
        let known = judged(0, "gc-pressure", State::Likely);
        assert_eq!(left([possibilities(), vec![known]].concat()), [710_000, 100_000]);
        let more = judged(2, "gc-pressure", State::Likely);
        assert_eq!(left([possibilities(), vec![more]].concat()), [300_000]);
    }

    #[test]
    fn a_small_part_of_a_place_does_not_stand_for_the_rest_of_it() {
        let exact = model::profile::Share { value: 0.8, low: 0.8, high: 0.8 };
        let subject = Subject::new(Kind::Computing, None, exact);
        let judged = |id: &str, share: f64| Judged {
            cause: CAUSES.iter().find(|cause| cause.id == id).expect("a cause"),
            subject: &subject,
            state: State::Likely,
            held: Vec::new(),
            against: None,
            share,
            low: share,
        };
        let computing = judged("hot-compute", 0.8);
        assert!(computing.order() < judged("page-faults", 0.2).order());
        assert!(judged("page-faults", 0.4).order() < computing.order());
    }

    #[test]
    fn what_the_collector_takes_of_a_place_that_computes_for_longer_stands_behind_it() {
        let at = |kind: Kind, share: f64| {
            let exact = model::profile::Share { value: share, low: share, high: share };
            let place = Place {
                function: "main".to_owned(),
                file: None,
                line: None,
                module: None,
                language: model::recording::Language::Python,
                owner: Owner::Project,
            };
            Subject::new(kind, Some(place), exact)
        };
        let subjects = [at(Kind::Computing, 0.8), at(Kind::Whole, 1.0)];
        let told = |id: &str, collecting: f64| {
            let judged = |at: usize, id: &str, share: f64| Judged {
                cause: CAUSES.iter().find(|cause| cause.id == id).expect("a cause"),
                subject: &subjects[at],
                state: State::Likely,
                held: Vec::new(),
                against: None,
                share,
                low: share,
            };
            let all = vec![judged(0, id, 0.8), judged(1, "gc-pressure", collecting)];
            one_for_each_place(all).iter().map(|one| one.cause.id).collect::<Vec<_>>()
        };
        assert_eq!(told("hot-compute", 0.16), ["hot-compute", "gc-pressure"]);
        assert_eq!(told("hot-compute", 0.4), ["gc-pressure"]);
        // A package that is known for being slow makes its garbage, too.
        assert_eq!(told("slow-third-party", 0.16), ["slow-third-party"]);
    }

    #[test]
    fn at_a_place_too_small_to_confirm_anything_two_witnesses_stand_before_one() {
        let exact = model::profile::Share { value: 0.15, low: 0.15, high: 0.15 };
        let mut subject = Subject::new(Kind::Computing, None, exact);
        let numbers =
            [("wall", 0.15), ("io.moving", 0.8), ("io.bytes", 1.0), ("repeat.same", 0.9), ("kernel", 0.8)];
        for (name, value) in numbers {
            subject.number(name, value, "1", ("recording", "recorder"));
        }
        let judged = |id: &str| {
            let cause = CAUSES.iter().find(|cause| cause.id == id).expect("a cause");
            weigh(cause, &subject)
        };
        let (small, again) = (judged("small-io"), judged("repeated-work"));
        assert_eq!((small.state, again.state), (State::Likely, State::Likely));
        assert!(small.low < again.low && small.order() < again.order());
    }

    #[test]
    fn plain_computing_is_never_confirmed_and_stands_behind_what_is_special() {
        let exact = model::profile::Share { value: 0.9, low: 0.9, high: 0.9 };
        let mut place = Subject::new(Kind::Computing, None, exact);
        place.place = Some(Place {
            function: "words".to_owned(),
            file: None,
            line: None,
            module: None,
            language: model::recording::Language::Python,
            owner: Owner::Project,
        });
        for name in ["wall", "loop", "leaf.own", "regex.plain", "leaf.search"] {
            place.number(name, 0.9, "1", ("recording", "recorder"));
        }
        let judged = |id: &str| {
            let cause = CAUSES.iter().find(|cause| cause.id == id).expect("a cause");
            weigh(cause, &place)
        };
        let (plain, growth) = (judged("hot-compute"), judged("algorithmic-growth"));
        let witnesses: BTreeSet<&str> = plain.held.iter().map(|support| support.witness).collect();
        assert_eq!((witnesses.len(), plain.state), (2, State::Likely));
        assert_eq!(growth.state, State::Likely);
        assert!(growth.order() < plain.order());
    }

    #[test]
    fn what_a_library_does_on_its_own_comes_home_to_the_place_with_the_same_cause() {
        let cause = CAUSES.iter().find(|cause| cause.id == "spawn-storm").expect("a cause");
        let at = |function: &str, owner: Owner, share: f64| {
            let exact = model::profile::Share { value: share, low: share, high: share };
            let place = Place {
                function: function.to_owned(),
                file: None,
                line: None,
                module: None,
                language: model::recording::Language::Go,
                owner,
            };
            Subject::new(Kind::Waiting, Some(place), exact)
        };
        let subjects = [
            at("Syscall6", Owner::Library, 0.4),
            at("seal", Owner::Project, 0.2),
            at("print", Owner::Project, 0.1),
        ];
        let all: Vec<Judged<'_>> = subjects
            .iter()
            .map(|subject| Judged {
                share: subject.wall.value,
                low: subject.wall.value,
                ..weigh(cause, subject)
            })
            .collect();
        let home: Vec<(String, u64)> = brought_home(all.clone())
            .iter()
            .map(|one| (one.place().unwrap().function.clone(), micros(one.share)))
            .collect();
        assert_eq!(home, [("seal".to_owned(), 600_000), ("print".to_owned(), 100_000)]);
        let alone = brought_home(all.into_iter().take(1).collect());
        assert_eq!(alone.len(), 1, "where nobody of the user's is known it stays");
    }
}
