//! A judged cause in words: where, how much, why, what to do, and the evidence behind each number.

use model::answer::{Evidence, Extent, Finding, Reason, State, With};
use model::profile::Place;
use model::recording::Language;

use super::Kind;
use super::coverage::Coverage;
use super::facts::Facts;
use super::hypothesis::words_of;
use super::judge::Judged;
use super::subject::{Metric, Subject};

/// Evidence as it is cited, each number once.
#[derive(Debug)]
pub(super) struct Ledger {
    first: usize,
    coverage: Coverage,
    evidence: Vec<Evidence>,
}

impl Ledger {
    pub(super) fn new(first: usize, coverage: Coverage) -> Self {
        Self { first, coverage, evidence: Vec::new() }
    }

    pub(super) fn cite(&mut self, subject: &Subject, name: &str, metric: &Metric) -> String {
        // What is true of the run is of no place, wherever it is to be changed.
        let place = subject.place.as_ref().filter(|_| subject.kind != Kind::Whole);
        let at = place.map_or("run", |place| &place.function);
        self.add(Evidence {
            id: String::new(),
            metric: format!("{name} of {at}"),
            value: metric.value,
            low: metric.low,
            high: metric.high,
            unit: metric.unit.to_owned(),
            n: metric.n,
            artifact: metric.artifact.to_owned(),
            source: metric.source.to_owned(),
            coverage: self.coverage.by(metric.artifact, subject.kind),
        })
    }

    /// Cites a share of wall time that the account of the run tells.
    pub(super) fn cite_run(&mut self, metric: &str, share: f64, n: u64) -> String {
        self.add(Evidence {
            id: String::new(),
            metric: metric.to_owned(),
            value: share,
            low: None,
            high: None,
            unit: "1".to_owned(),
            n: u32::try_from(n).unwrap_or(u32::MAX),
            artifact: model::recording::RECORDING.to_owned(),
            source: "recorder, account of the run".to_owned(),
            coverage: self.coverage.by(model::recording::RECORDING, Kind::Whole),
        })
    }

    fn add(&mut self, evidence: Evidence) -> String {
        let known = self.evidence.iter().find(|known| {
            known.metric == evidence.metric && known.value.to_bits() == evidence.value.to_bits()
        });
        if let Some(known) = known {
            return known.id.clone();
        }
        let id = format!("e{}", self.first + self.evidence.len());
        self.evidence.push(Evidence { id: id.clone(), ..evidence });
        id
    }

    pub(super) fn into_evidence(self) -> Vec<Evidence> {
        self.evidence
    }
}

pub(super) fn finding(
    judged: &Judged<'_>,
    rank: u32,
    alike: &[&Place],
    facts: &Facts,
    ledger: &mut Ledger,
) -> Finding {
    let (cause, subject) = (judged.cause, judged.subject);
    // What lies outside the program has no place in it.
    let place = subject
        .instead
        .get(cause.id)
        .or(subject.place.as_ref())
        .filter(|_| !cause.is_outside())
        .cloned()
        .map(super::naming::named);
    let name = |place: &Place| super::naming::enclosing(&place.function).into_owned();
    let is_here = place.as_ref().map(name) == subject.place.as_ref().map(name);
    let inside = subject.within.get(judged.cause.id).or(subject.inside.as_ref());
    let inside = inside.cloned().filter(|_| is_here);
    let mut because: Vec<Reason> = judged
        .held
        .iter()
        .filter_map(|condition| {
            let metric = subject.metrics.get(condition.metric)?;
            let number = number_of(condition.metric, metric);
            let what = filled(condition.means, subject, place.as_ref());
            Some(Reason {
                what: if number.is_empty() { what } else { format!("{what} ({number})") },
                evidence: vec![ledger.cite(subject, condition.metric, metric)],
            })
        })
        .collect();
    let wall = subject.metrics.get("wall").map(|metric| ledger.cite(subject, "wall", metric));
    if because.is_empty() {
        let evidence = wall.iter().cloned().collect();
        because.push(Reason { what: "nothing else explains its time".to_owned(), evidence });
    }
    let mut evidence: Vec<String> =
        wall.into_iter().chain(because.iter().flat_map(|reason| reason.evidence.clone())).collect();
    let share = extent(judged);
    // A change may save more than the part that shows the cause: at most all that is done there, and where else the same
    // is wrong, since what is changed may be common to them.
    let places: Vec<&Place> = place.iter().chain(&subject.place).chain(alike.iter().copied()).collect();
    let had = if cause.is_outside() { 1.0 } else { facts.had };
    // Of a place that was never seen at work nobody knows what else would go with it. What is not done any more does not queue for
    // a CPU either: with it goes its part of that.
    let reach = cause.reach().filter(|_| place.is_some());
    let most = reach.map_or(0.0, |reach| facts.ceilings.of_all(&places, reach).unwrap_or(1.0));
    let most = most.max((share.most() / had).min(1.0));
    let is_package = inside.is_some() && is_packages_own(judged, facts);
    let location = if is_package { inside.clone() } else { place.clone() };
    let chain = chain(judged, place.as_ref(), inside.as_ref(), ledger);
    for id in chain.iter().flat_map(|step| &step.evidence) {
        if !evidence.contains(id) {
            evidence.push(id.clone());
        }
    }
    Finding {
        rank,
        id: cause.id.to_owned(),
        class: cause.class.to_owned(),
        cause: cause.id.to_owned(),
        state: judged.state,
        summary: summary(judged, place.as_ref(), inside.as_ref(), is_package),
        share,
        recoverable_s: share.least() * facts.wall_s,
        at_most: bound(share.most()),
        with: (most > share.most() + NEAR).then(|| With { share: most, at_most: bound(most) }),
        chain,
        because,
        evidence,
        prescription: prescription(judged, location.as_ref()),
        verify: facts.verify(),
        location,
        inside,
    }
}

/// A script that belongs to no project only drives the package, whose maintainers have something to change: unless the
/// script's own text shows what it does wrong, or the same is asked for again and again.
fn is_packages_own(judged: &Judged<'_>, facts: &Facts) -> bool {
    const DRIVERS: [&str; 4] = ["source.", "repeat.", "io.", "starting"];
    let is_drivers = |metric: &str| DRIVERS.iter().any(|begin| metric.starts_with(begin));
    !facts.project
        && judged.subject.kind == Kind::Computing
        && !judged.held.iter().any(|condition| is_drivers(condition.metric))
}

/// The share that it explains, with the interval of its subject's share. One observation has none.
fn extent(judged: &Judged<'_>) -> Extent {
    let wall = judged.subject.wall;
    let once = wall.low.to_bits() == wall.high.to_bits();
    let part = judged.share / wall.value.max(f64::MIN_POSITIVE);
    Extent {
        value: judged.share,
        low: (!once).then(|| judged.low.min(judged.share)),
        high: (!once).then(|| (wall.high * part).max(judged.share).min(1.0)),
    }
}

/// Shares nearer to each other than this are told as one.
const NEAR: f64 = 0.015;

/// From this share on nothing else takes time that is worth a bound: it would be two hundred times.
const ALL: f64 = 0.995;

/// How many times as fast the program becomes at most without this share of its time.
fn bound(share: f64) -> Option<f64> {
    (share < ALL).then(|| 1.0 / (1.0 - share))
}

fn summary(judged: &Judged<'_>, place: Option<&Place>, inside: Option<&Place>, is_package: bool) -> String {
    let verb = match judged.state {
        State::Confirmed | State::Likely => "",
        _ => "perhaps ",
    };
    let at = match (place, inside) {
        (Some(place), Some(inside)) if is_package => {
            format!(" in {}, called by {}", words(inside), words(place))
        }
        (Some(place), Some(inside)) => format!(" in {}, inside {}", words(place), words(inside)),
        (Some(place), None) => format!(" in {}", words(place)),
        (None, _) => String::new(),
    };
    format!(
        "{verb}{}{at}: {:.0} % of wall time",
        filled(judged.cause.title, judged.subject, place),
        judged.share * 100.0
    )
}

/// From the symptom to the code: what takes the time, who does it, what for.
fn chain(
    judged: &Judged<'_>,
    place: Option<&Place>,
    inside: Option<&Place>,
    ledger: &mut Ledger,
) -> Vec<Reason> {
    let subject = judged.subject;
    let mut cite = |name: &str| -> Vec<String> {
        subject.metrics.get(name).map(|metric| ledger.cite(subject, name, metric)).into_iter().collect()
    };
    let wall = cite("wall");
    // What takes most of the place's time, by the profile's own number.
    let most = subject
        .metrics
        .iter()
        .filter(|(name, metric)| {
            let inside = name.starts_with("leaf.") || name.starts_with("kernel");
            inside && !matches!(**name, "leaf.special" | "kernel") && metric.value >= 0.2
        })
        .max_by(|(_, one), (_, other)| one.value.total_cmp(&other.value))
        .map(|(name, _)| *name);
    let held: Vec<(&'static str, Vec<String>)> =
        judged.held.iter().map(|condition| (condition.metric, cite(condition.metric))).collect();
    let by = |prefix: &str| -> Vec<String> {
        held.iter().filter(|(name, _)| name.starts_with(prefix)).flat_map(|(_, ids)| ids.clone()).collect()
    };
    let leaves = most.map(&mut cite).unwrap_or_default();
    let mut chain = Vec::new();
    let mut step = |what: String, evidence: Vec<String>| chain.push(Reason { what, evidence });
    let (first, shown) = match subject.kind {
        Kind::Whole => (format!("{:.0} % of wall time, over the whole run", judged.share * 100.0), by("")),
        _ => {
            let at =
                subject.place.as_ref().map_or_else(|| "here".to_owned(), |at| format!("in {}", words(at)));
            (format!("{:.0} % of wall time is spent {at}", subject.wall.value * 100.0), wall)
        }
    };
    step(first, shown.clone());
    let or_shown = |ids: Vec<String>| if ids.is_empty() { shown.clone() } else { ids };
    if let Some(callee) = subject.words.get("callee") {
        step(format!("most of it in {callee}"), or_shown(leaves));
    } else if let Some(what) = subject.words.get("what") {
        step(format!("it waits for {what}"), or_shown(by("wait")));
    }
    if let Some(inside) = inside {
        step(format!("inside the package's {}", words(inside)), shown.clone());
    }
    if let Some(statement) = subject.words.get("statement") {
        step(format!("at `{statement}`"), or_shown(by("source")));
    }
    // Where the time is and what is to be changed may be two functions: what one makes, the other frees.
    let elsewhere = |place: &&Place| subject.place.as_ref().is_none_or(|at| at.function != place.function);
    if let Some(place) = place.filter(elsewhere) {
        step(format!("what is to be changed is {}", words(place)), shown.clone());
    }
    let title = filled(judged.cause.title, subject, place);
    let explains = match subject.kind {
        Kind::Whole => title,
        _ => format!("{title}: {:.0} % of wall time", judged.share * 100.0),
    };
    step(explains, or_shown(by("")));
    let root = match judged.cause.class {
        "External" if judged.cause.is_outside() => "it lies in how the machine is set up, not in the code",
        _ if judged.cause.is_others() => "it lies in others' code, or in how it is used",
        "Architecture" | "Lock" => "it lies in how the work is arranged",
        _ => "it lies in the code at this place",
    };
    step(root.to_owned(), shown);
    chain
}

pub(super) fn prescription(judged: &Judged<'_>, place: Option<&Place>) -> String {
    let language = place.map_or(Language::Unknown, |place| place.language);
    let name = match language {
        Language::Native | Language::C => "c",
        Language::Cpp => "c++",
        Language::Rust => "rust",
        Language::Go => "go",
        Language::Python => "python",
        Language::JavaScript => "javascript",
        Language::Java => "java",
        _ => "",
    };
    let fixes = judged.cause.fixes;
    let way = judged.subject.words.get("way").map(String::as_str).unwrap_or_default();
    let way = if judged.subject.within.contains_key(judged.cause.id) { "within" } else { way };
    // Words that say what is done there are for where that is known.
    let says = |text: &str| {
        ["what", "query"]
            .iter()
            .all(|word| !text.contains(&format!("{{{word}}}")) || judged.subject.words.contains_key(word))
    };
    let told = |wanted: &str| {
        fixes.iter().find(|(known, text)| !wanted.is_empty() && *known == wanted && says(text))
    };
    let protocol = judged.subject.words.get("protocol").map(String::as_str).unwrap_or_default();
    let by = |kind: &str| {
        if kind.is_empty() { None } else { told(&format!("{kind} {name}")).or_else(|| told(kind)) }
    };
    let special = by(way).or_else(|| by(protocol));
    let text = special.or_else(|| told(name)).or_else(|| fixes.first());
    let text = text.map(|(_, text)| filled(text, judged.subject, place)).unwrap_or_default();
    // Nothing speaks for it yet.
    match judged.state {
        State::Possible => format!("if {} is so: {text}", judged.cause.id),
        _ => text,
    }
}

/// Fills in what stands in braces; what is not known is left out with its words around it, so texts read without it.
fn filled(text: &str, subject: &Subject, place: Option<&Place>) -> String {
    let at = place.map_or_else(|| "the program".to_owned(), words);
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let (mut filled, mut rest) = (String::new(), text);
    // Once from left to right: what is filled in may have braces of its own.
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}').filter(|(name, _)| is_name(name)) {
            Some((name, after)) => {
                let word = subject.words.get(name).map(String::as_str);
                filled.push_str(if name == "place" { &at } else { word.unwrap_or("it") });
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

/// A place as people read it.
pub(crate) fn words(place: &Place) -> String {
    let function = model::brief::brief(&place.function);
    let name = place.file.as_deref().and_then(|file| file.rsplit('/').next());
    match (name, place.line) {
        (Some(file), Some(line)) => format!("`{function}` ({file}:{line})"),
        (Some(file), None) => format!("`{function}` ({file})"),
        _ => format!("`{function}`"),
    }
}

/// The number behind a witness; nothing for a plain yes.
fn number_of(name: &str, metric: &Metric) -> String {
    if metric.unit == "yes" {
        String::new()
    } else {
        format!("{}: {}", words_of(name), amount(metric.value, metric.unit))
    }
}

/// A whole number with its thousands apart.
fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value + 0.0);
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && grouped != "-" {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A value with its unit, as people read it.
pub(super) fn amount(value: f64, unit: &str) -> String {
    match unit {
        // Rounded towards zero: what is less than a threshold is not printed as equal to it.
        "1" => format!("{} %", (value * 100.0 + 1e-9).trunc() + 0.0),
        "yes" if value >= 0.5 => "yes".to_owned(),
        "yes" => "no".to_owned(),
        "s" if value < 0.001 => format!("{:.0} µs", value * 1e6),
        "s" if value < 1.0 => format!("{:.1} ms", value * 1e3),
        "s" => format!("{value:.2} s"),
        "B" if value >= 1e6 => format!("{:.1} MB", value / 1e6),
        "B" if value >= 1e3 => format!("{:.1} kB", value / 1e3),
        "B" => format!("{value:.0} B"),
        "" if value.fract() != 0.0 && value < 10.0 => format!("{value:.2}"),
        "" | "count" => grouped(value),
        "/s" if value >= 10.0 => format!("{} /s", grouped(value)),
        "x" => format!("{value:.1}×"),
        other => format!("{value:.1} {other}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::profile::Share;
    use model::recording::Owner;

    use super::super::judge::weigh;
    use super::super::rules::CAUSES;
    use super::*;

    fn place(function: &str) -> Place {
        Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::Cpp,
            owner: Owner::Project,
        }
    }

    /// `drop_row` frees what `make_row` makes.
    fn found(id: &str, metrics: &[(&'static str, f64)], wall: Share) -> Finding {
        let mut subject = Subject::new(Kind::Computing, Some(place("drop_row")), wall);
        subject.share("wall", wall.value, 90);
        for (name, value) in metrics {
            subject.share(name, *value, 90);
        }
        subject.instead.insert("allocation-churn", place("make_row"));
        subject.word("statement", "free(r)");
        let cause = CAUSES.iter().find(|cause| cause.id == id).expect("a cause");
        let facts = Facts::seen(Coverage::default(), (true, true));
        finding(&weigh(cause, &subject), 1, &[], &facts, &mut Ledger::new(1, Coverage::default()))
    }

    const SAMPLED: Share = Share { value: 0.3, low: 0.25, high: 0.35 };

    #[test]
    fn the_chain_says_where_the_time_is_before_what_is_to_be_changed_and_cites_each_step() {
        let churn = found("allocation-churn", &[("leaf.allocate", 0.9), ("allocating", 0.9)], SAMPLED);
        let told: Vec<&str> = churn.chain.iter().map(|step| step.what.as_str()).collect();
        assert_eq!(told.first(), Some(&"30 % of wall time is spent in `drop_row`"));
        let at = |wanted: &str| told.iter().position(|step| step.contains(wanted));
        assert!(at("at `free(r)`") < at("what is to be changed is `make_row`"), "{told:?}");
        let cited: BTreeSet<&String> = churn.chain.iter().flat_map(|step| &step.evidence).collect();
        assert!(churn.chain.iter().all(|step| !step.evidence.is_empty()), "{:?}", churn.chain);
        assert!(cited.iter().all(|id| churn.evidence.contains(id)), "{:?}", churn.evidence);
    }

    #[test]
    fn a_bound_is_that_of_the_shares_upper_end_and_what_may_go_with_it_stands_beside() {
        let starts = found("startup-dominated", &[("starting", 1.0)], SAMPLED);
        assert!((starts.at_most.unwrap() - 1.0 / 0.65).abs() < 1e-9, "{starts:?}");
        assert_eq!(starts.with, None, "all that is done below an import is in its share");
        let churn = found("allocation-churn", &[("leaf.allocate", 0.9), ("allocating", 0.9)], SAMPLED);
        let most = churn.share.high.unwrap();
        assert!((churn.at_most.unwrap() - 1.0 / (1.0 - most)).abs() < 1e-9);
        // Nobody saw the place at work: all else may go with it.
        assert_eq!(churn.with, Some(With { share: 1.0, at_most: None }));
    }

    #[test]
    fn what_was_seen_once_has_no_interval() {
        let once = Share { value: 0.3, low: 0.3, high: 0.3 };
        let share = found("startup-dominated", &[("starting", 1.0)], once).share;
        assert_eq!((share.low, share.high), (None, None));
        assert!((share.value - 0.3).abs() < 1e-9);
    }

    #[test]
    fn what_is_true_of_the_run_is_cited_of_the_run() {
        let mut whole = Subject::new(Kind::Whole, Some(place("make_row")), SAMPLED);
        whole.number("steal", 0.0, "1", (model::manifest::SAMPLES, "kernel"));
        let mut ledger = Ledger::new(7, Coverage::made(&[], 0.25));
        let metric = whole.metrics.get("steal").expect("steal").clone();
        assert_eq!(ledger.cite(&whole, "steal", &metric), "e7");
        assert_eq!(ledger.cite_run("blocked of run", 0.0, 9), "e8");
        let told: Vec<(String, Option<f64>)> =
            ledger.into_evidence().into_iter().map(|one| (one.metric, one.coverage)).collect();
        assert_eq!(told, [("steal of run".to_owned(), Some(1.0)), ("blocked of run".to_owned(), Some(0.75))]);
    }
}
