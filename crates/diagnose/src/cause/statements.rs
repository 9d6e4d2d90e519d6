//! How long a database works for one statement, by the runtime's stopwatch or by the bytes on its socket: many that each do little
//! are one trouble, some that each search long another.

use model::calls::{Peer, StatementUse};
use model::runtime::{Step, StepKind};

use super::calls::CALLS;
use super::runtime::{RUNTIME, covered, is_by};
use super::subject::Subject;
use super::{facts::Inputs, facts::RECORDER};
use crate::profile::spots::Spot;

/// Finding a row by its key takes some ten microseconds, with the way into the library and back. A statement that takes fifty
/// times as long goes through thousands of rows, however few it gives.
const LONG: f64 = 0.000_5;

/// Of the place's time in such statements: most of it, as the rules want it.
pub(super) const MOSTLY: f64 = 0.5;

/// Where the kernel takes more than this of the place's time, statements are long because rows are written.
const KERNEL: f64 = 0.2;

/// Statements that take so many times as long as the place computes wait for somebody.
const WAITS: f64 = 1.5;

/// Notes the share of the place's time in statements that each take long, and that of the library where no stopwatch says so.
pub(super) fn note(subject: &mut Subject, inputs: &Inputs<'_>, spot: &Spot) {
    let long = long(inputs, spot);
    if let Some(long) = long {
        subject.number("query.long", long, "1", RUNTIME);
    }
    // Beside statements that were seen to be long, whatever is done with their rows says nothing against them.
    let brief = subject.value("leaf.database").filter(|_| long.is_none_or(|long| long < MOSTLY));
    if let Some(share) = brief {
        subject.number("database.brief", share, "1", RECORDER);
    }
}

/// `None` where no statement of the place was timed, or its time is not the library's own.
fn long(inputs: &Inputs<'_>, spot: &Spot) -> Option<f64> {
    let runtime = inputs.runtime.filter(|_| spot.in_kernel() < KERNEL)?;
    let covered = covered(runtime, inputs.samples)? * spot.wall.value / inputs.study.had();
    let is_statement = |step: &&Step| step.kind != StepKind::Match && is_by(&step.by, &spot.place);
    share(runtime.steps.iter().filter(is_statement), covered)
}

/// Of so many seconds, the share in statements of lines where one takes long.
fn share<'s>(statements: impl Iterator<Item = &'s Step> + Clone, seconds: f64) -> Option<f64> {
    let all: f64 = statements.clone().map(|step| step.taken.as_secs_f64()).sum();
    if all <= 0.0 || all > WAITS * seconds {
        return None;
    }
    let is_long = |step: &&Step| step.taken.as_secs_f64() >= LONG * step.calls.max(1) as f64;
    let long: f64 = statements.filter(is_long).map(|step| step.taken.as_secs_f64()).sum();
    Some((long / seconds).min(1.0))
}

/// On a socket a statement that finds a row by its key is answered in less than this wherever the way there is short.
const LONG_ON_THE_WIRE: f64 = 0.005;

/// So many times as long as the way there and back takes a statement for which the database works, not the network.
const TIMES_THE_WAY: f64 = 10.0;

/// Seconds there and back that are ordinary within a continent: where nothing tells how long the way is, it may be this.
const LONG_WAY: f64 = 0.05;

/// Notes the share of the time for answers of databases that goes into statements which each take long. `way`: seconds there and
/// back, where connecting told.
pub(super) fn note_sent<'p>(subject: &mut Subject, asked: impl Iterator<Item = &'p Peer>, way: Option<f64>) {
    let statements: Vec<&StatementUse> =
        asked.flat_map(|peer| &peer.statements).filter(|statement| statement.answered > 0).collect();
    if let Some(share) = long_on_the_wire(&statements, way) {
        subject.number("query.long", share, "1", CALLS);
    }
    if let Some(dearest) = statements.iter().max_by_key(|statement| statement.latency) {
        subject.word("query", format!("`{}`", cut(&dearest.text)));
    }
}

/// Of a statement as much as a line has room for.
const LINE: usize = 100;

fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LINE {
        return line;
    }
    line.chars().take(LINE - 1).chain(['…']).collect()
}

/// `None` where no statement was seen to be answered.
fn long_on_the_wire(statements: &[&StatementUse], way: Option<f64>) -> Option<f64> {
    let median = |statement: &&&StatementUse| statement.median.map(|median| median.as_secs_f64());
    let quickest = statements.iter().filter_map(|statement| median(&statement)).min_by(f64::total_cmp)?;
    let all: f64 = statements.iter().map(|statement| statement.latency.as_secs_f64()).sum();
    // Of several, the quickest did little more than go there and back.
    let way = way.or_else(|| (statements.len() > 1).then_some(quickest)).unwrap_or(LONG_WAY / TIMES_THE_WAY);
    let least = (way * TIMES_THE_WAY).max(LONG_ON_THE_WIRE);
    let is_long = |statement: &&&StatementUse| median(statement).is_some_and(|median| median >= least);
    let long: f64 = statements.iter().filter(is_long).map(|statement| statement.latency.as_secs_f64()).sum();
    (all > 0.0).then(|| long / all)
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::answer::State;
    use model::runtime::StepPlace;

    use super::super::judge::weigh;
    use super::super::rules::CAUSES;
    use super::super::{Kind, facts::exact};
    use super::*;

    fn step(calls: u64, millis: u64) -> Step {
        let at = || StepPlace { function: "pages".to_owned(), file: "a.py".to_owned(), line: 3 };
        Step {
            kind: StepKind::Query,
            by: at(),
            inside: at(),
            calls,
            taken: Nanos::from_nanos(millis * 1_000_000),
            on_cpu: None,
            longest: Nanos::from_nanos(millis * 1_000_000),
            again: None,
        }
    }

    #[test]
    fn long_statements_are_told_from_many_short_ones() {
        assert_eq!(share([step(800, 800)].iter(), 1.0), Some(0.8));
        assert_eq!(share([step(60_000, 800)].iter(), 1.0), Some(0.0));
        // A loop asks for one row each, after one long search.
        assert_eq!(share([step(60_000, 600), step(1, 200)].iter(), 1.0), Some(0.2));
        assert_eq!(share([].iter(), 1.0), None, "nobody timed any");
        assert_eq!(share([step(100, 4000)].iter(), 1.0), None, "they wait for a peer");
    }

    fn sent(count: u64, micros_each: u64) -> StatementUse {
        let each = Nanos::from_nanos(micros_each * 1000);
        StatementUse {
            verb: "SELECT".to_owned(),
            text: "SELECT ?".to_owned(),
            fingerprint: micros_each.to_string(),
            count,
            answered: count,
            latency: Nanos::from_nanos(micros_each * 1000 * count),
            median: Some(each),
            longest: each,
            stacks: Vec::new(),
        }
    }

    #[test]
    fn a_statement_is_told_on_one_line() {
        assert_eq!(cut("SELECT a\n  FROM t"), "SELECT a FROM t");
        let long = cut(&"SELECT column, ".repeat(20));
        assert!(long.ends_with('…') && long.chars().count() == LINE, "{long}");
    }

    #[test]
    fn on_a_socket_long_statements_are_told_from_a_long_way() {
        let share = |statements: &[StatementUse], way: Option<f64>| {
            long_on_the_wire(&statements.iter().collect::<Vec<_>>(), way)
        };
        assert_eq!(share(&[sent(30, 20_000), sent(1, 200)], None).map(|share| share > 0.99), Some(true));
        assert_eq!(share(&[sent(3000, 200), sent(1, 100)], None), Some(0.0), "many that each do little");
        assert_eq!(
            share(&[sent(100, 20_000), sent(100, 19_000)], None),
            Some(0.0),
            "all take as long: the way"
        );
        assert_eq!(share(&[sent(30, 20_000)], None), Some(0.0), "nobody knows how long the way is");
        assert_eq!(share(&[sent(30, 20_000)], Some(0.0001)), Some(1.0), "connecting tells");
        assert_eq!(share(&[sent(3, 80_000)], None), Some(1.0));
        assert_eq!(share(&[], None), None);
    }

    #[test]
    fn a_loop_of_statements_is_judged_by_how_long_each_takes() {
        let judged = |id: &str, long: Option<f64>| {
            let mut subject = Subject::new(Kind::Computing, None, exact(0.7));
            for (name, value) in
                [("wall", 0.7), ("database", 1.0), ("source.query", 1.0), ("leaf.database", 0.81)]
            {
                subject.number(name, value, "1", RECORDER);
            }
            match long {
                Some(long) => subject.number("query.long", long, "1", RUNTIME),
                None => subject.number("database.brief", 0.81, "1", RECORDER),
            }
            CAUSES.iter().find(|cause| cause.id == id).map(|cause| weigh(cause, &subject).state)
        };
        assert_eq!(judged("n-plus-one", Some(0.8)), Some(State::Rejected));
        assert_eq!(judged("slow-query", Some(0.8)), Some(State::Likely));
        assert_eq!(judged("n-plus-one", Some(0.0)), judged("n-plus-one", None));
        assert_ne!(judged("n-plus-one", None), Some(State::Rejected));
        assert_eq!(judged("slow-query", None), Some(State::Rejected));
    }
}
