//! A judged cause in words: where, how much, why, what to do, and the evidence behind each number.

use model::answer::{Evidence, Finding, Reason, State};
use model::profile::{Place, Share};
use model::recording::Language;

use super::Kind;
use super::facts::Facts;
use super::judge::{Judged, words_of};
use super::subject::{Metric, Subject};
use crate::profile::NEARLY_ALL;

/// Evidence as it is cited, each number once.
#[derive(Debug)]
pub(super) struct Ledger {
    first: usize,
    evidence: Vec<Evidence>,
}

impl Ledger {
    pub(super) fn new(first: usize) -> Self {
        Self { first, evidence: Vec::new() }
    }

    pub(super) fn cite(&mut self, subject: &Subject, name: &str, metric: &Metric) -> String {
        let at = subject.place.as_ref().map_or_else(|| "run".to_owned(), |place| place.function.clone());
        let described = format!("{name} of {at}");
        let known = self.evidence.iter().find(|evidence| {
            evidence.metric == described && evidence.value.to_bits() == metric.value.to_bits()
        });
        if let Some(known) = known {
            return known.id.clone();
        }
        let id = format!("e{}", self.first + self.evidence.len());
        self.evidence.push(Evidence {
            id: id.clone(),
            metric: described,
            value: metric.value,
            low: metric.low,
            high: metric.high,
            unit: metric.unit.to_owned(),
            n: metric.n,
            artifact: metric.artifact.to_owned(),
            source: metric.source.to_owned(),
        });
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
    if because.is_empty() {
        because.push(Reason { what: "nothing else explains its time".to_owned(), evidence: Vec::new() });
    }
    let wall = subject.metrics.get("wall").map(|metric| ledger.cite(subject, "wall", metric));
    let evidence: Vec<String> =
        wall.into_iter().chain(because.iter().flat_map(|reason| reason.evidence.clone())).collect();
    let share = Share {
        value: judged.share,
        low: judged.low.min(judged.share),
        high: (subject.wall.high * judged.share / subject.wall.value.max(f64::MIN_POSITIVE))
            .max(judged.share)
            .min(1.0),
    };
    // A change may save more than the part that shows the cause: at most all that is done there, and where else the same
    // is wrong, since what is changed may be common to them.
    let places: Vec<&Place> = place.iter().chain(&subject.place).chain(alike.iter().copied()).collect();
    let had = if cause.is_outside() { 1.0 } else { facts.had };
    // Of a place that was never seen at work nobody knows what else would go with it.
    let most =
        if place.is_some() { facts.ceilings.of_all(&places, cause.reach()).unwrap_or(1.0) } else { 0.0 };
    let most = most.max(share.high / had);
    let is_package = inside.is_some() && is_packages_own(judged, facts);
    let location = if is_package { inside.clone() } else { place.clone() };
    Finding {
        rank,
        id: cause.id.to_owned(),
        class: cause.class.to_owned(),
        cause: cause.id.to_owned(),
        state: judged.state,
        summary: summary(judged, place.as_ref(), inside.as_ref(), is_package),
        share,
        recoverable_s: share.low * facts.wall_s,
        at_most: bound(most),
        chain: chain(judged, place.as_ref(), inside.as_ref(), ledger),
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

/// How many times as fast the program becomes at most, without this share of the time that it had: what it does not do any
/// more it does not queue for a CPU for either.
fn bound(share: f64) -> Option<f64> {
    (share < NEARLY_ALL).then(|| 1.0 / (1.0 - share))
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
        _ => (format!("{:.0} % of wall time is spent here", subject.wall.value * 100.0), wall),
    };
    step(first, shown.clone());
    if let Some(callee) = subject.words.get("callee") {
        step(format!("most of it in {callee}"), leaves);
    } else if let Some(what) = subject.words.get("what") {
        step(format!("it waits for {what}"), by("wait"));
    }
    if let Some(inside) = inside {
        step(format!("inside the package's {}", words(inside)), shown.clone());
    }
    if let Some(place) = place {
        step(format!("called for by {}", words(place)), shown);
    }
    if let Some(statement) = subject.words.get("statement") {
        step(format!("at `{statement}`"), by("source"));
    }
    step(filled(judged.cause.title, subject, place), by(""));
    let root = match judged.cause.class {
        "External" if judged.cause.is_outside() => "it lies in how the machine is set up, not in the code",
        _ if judged.cause.is_others() => "it lies in others' code, or in how it is used",
        "Architecture" | "Lock" => "it lies in how the work is arranged",
        _ => "it lies in the code at this place",
    };
    step(root.to_owned(), Vec::new());
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
