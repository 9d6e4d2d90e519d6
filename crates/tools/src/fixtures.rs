//! Every captured file against what is expected of it, and what must hold for all of them.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::ParseError;
use crate::cachegrind::{self, Cachegrind, Process, valgrind_failure};
use crate::saved::{self, Saved};

/// The cases each tool must have.
const CASES: [&str; 5] = ["ordinary", "empty", "cut", "odd-names", "unsupported"];

/// The tools whose files `saved::read` takes.
const SAVED: [&str; 7] =
    ["criterion", "go", "google-benchmark", "hyperfine", "jmh", "pyperf", "pytest-benchmark"];

pub(crate) struct Fixture {
    pub(crate) tool: String,
    pub(crate) case: String,
    pub(crate) folder: PathBuf,
    pub(crate) input: Vec<u8>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Origin {
    how: String,
    command: String,
    versions: toml::Table,
    date: String,
}

#[test]
fn every_fixture_gives_what_is_expected() {
    for fixture in all() {
        fixture.gives(&dump(&fixture.tool, &fixture.input));
    }
}

impl Fixture {
    /// Holds what a reader made of it against what is expected, or keeps it as that.
    pub(crate) fn gives(&self, found: &str) {
        let path = self.folder.join("expected");
        if std::env::var_os("SLOWPATH_BLESS").is_some() {
            fs::write(&path, found).unwrap();
        }
        let expected = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; set SLOWPATH_BLESS=1", path.display()));
        assert_eq!(found, expected, "{}", self.folder.display());
    }
}

#[test]
fn every_fixture_says_where_it_comes_from() {
    say_where_they_come_from(&all());
}

pub(crate) fn say_where_they_come_from(fixtures: &[Fixture]) {
    for fixture in fixtures {
        let text = fs::read_to_string(fixture.folder.join("origin.toml")).unwrap();
        let origin: Origin = toml::from_str(&text).unwrap();
        assert!(["captured", "cut", "made"].contains(&origin.how.as_str()), "{}", origin.how);
        assert!(!origin.command.is_empty() && !origin.versions.is_empty() && !origin.date.is_empty());
    }
}

#[test]
fn every_tool_has_every_case() {
    have_every_case(&all(), SAVED.into_iter().chain(["cachegrind"]));
}

pub(crate) fn have_every_case<'a>(fixtures: &[Fixture], tools: impl Iterator<Item = &'a str>) {
    for tool in tools {
        for case in CASES {
            let there = fixtures.iter().any(|one| one.tool == tool && one.case.starts_with(case));
            assert!(there, "{tool} has no case `{case}`");
        }
    }
}

#[test]
fn a_cut_file_is_an_error_never_another_number() {
    for fixture in all().iter().filter(|one| one.tool != "valgrind") {
        let whole = dump(&fixture.tool, &fixture.input);
        if whole.starts_with("error: ") {
            continue;
        }
        let sound = fixture.input.trim_ascii_end().len();
        for end in cuts(&fixture.input) {
            let found = dump(&fixture.tool, &fixture.input[..end]);
            // Without the blanks after the last bracket JSON is still whole.
            let same = found == whole && end >= sound && fixture.tool != "cachegrind";
            assert!(found.starts_with("error: ") || same, "{} at {end}", fixture.folder.display());
        }
    }
}

/// Every place of a small file; of a large one both ends and some places between, for time.
pub(crate) fn cuts(input: &[u8]) -> impl Iterator<Item = usize> {
    let length = input.len();
    let edges = if length <= 1500 { length } else { 80 };
    let between = (edges..length).step_by((length / 40).max(1));
    (0..edges).chain(between).chain(length - edges..length)
}

#[test]
fn a_changed_count_is_an_error() {
    for fixture in all().iter().filter(|one| one.tool == "cachegrind") {
        if cachegrind::parse(&fixture.input).is_err() {
            continue;
        }
        let body = fixture.input.windows(4).position(|word| word == b"\nfl=").unwrap();
        let counts = (body..fixture.input.len()).filter(|place| is_count(&fixture.input, *place));
        let counts: Vec<usize> = counts.collect();
        for place in counts.iter().step_by(1 + counts.len() / 50).copied() {
            let mut input = fixture.input.clone();
            input[place] = if input[place] == b'9' { b'8' } else { input[place] + 1 };
            assert!(cachegrind::parse(&input).is_err(), "{} at {place}", fixture.folder.display());
        }
    }
}

/// Whether a count of a count line begins there.
fn is_count(input: &[u8], place: usize) -> bool {
    let start = input[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    input[place].is_ascii_digit() && input[place - 1] == b' ' && input[start].is_ascii_digit()
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        try_all(&bytes);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[\\[\\]{}\":,.0-9eE +a-z=\n\t-]{0,200}") {
        try_all(text.as_bytes());
    }

    #[test]
    fn damaged_fixtures_never_panic(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let fixtures = small();
        let mut input = which.get(&fixtures).clone();
        for (place, byte) in changes {
            let place = place.index(input.len());
            input[place] = byte;
        }
        try_all(&input);
    }
}

fn small() -> Vec<Vec<u8>> {
    let inputs = all().into_iter().map(|fixture| fixture.input);
    inputs.filter(|input| (1..20_000).contains(&input.len())).collect()
}

fn try_all(bytes: &[u8]) {
    for format in saved::FORMATS {
        let _ = (format.recognises)(bytes);
        let _ = (format.parse)(bytes).map_err(|error| (error.to_string(), error.next_step()));
    }
    let _ = saved::read(bytes);
    let _ = saved::criterion_name(bytes);
    let _ = cachegrind::parse(bytes).map_err(|error| error.to_string());
    let _ = Process::of(bytes);
    let _ = valgrind_failure(bytes).map(|failure| (failure.to_string(), failure.next_step()));
}

/// The fixtures of this module.
fn all() -> Vec<Fixture> {
    of_tools(SAVED.into_iter().chain(["cachegrind", "valgrind"]))
}

/// The fixtures of these tools, in order of their paths.
pub(crate) fn of_tools<'a>(tools: impl Iterator<Item = &'a str>) -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut fixtures = Vec::new();
    for tool in tools {
        for version in folders(&root.join(tool)) {
            for folder in folders(&version) {
                fixtures.push(Fixture {
                    tool: tool.to_owned(),
                    case: folder.file_name().unwrap().to_str().unwrap().to_owned(),
                    input: fs::read(folder.join("input")).unwrap(),
                    folder,
                });
            }
        }
    }
    assert!(!fixtures.is_empty(), "no fixtures under {}", root.display());
    fixtures
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!paths.is_empty(), "{} is empty", parent.display());
    paths.sort();
    paths
}

/// What a reader makes of an input, as text that does not change with the machine.
fn dump(tool: &str, input: &[u8]) -> String {
    match tool {
        "valgrind" => dump_log(input),
        "cachegrind" => {
            cachegrind::parse(input).map_or_else(|error| dump_error(&error), |read| dump_counts(&read))
        }
        _ => saved::read(input).map_or_else(|error| dump_error(&error), |saved| dump_saved(&saved)),
    }
}

fn dump_error(error: &ParseError) -> String {
    error_text(error, &error.next_step())
}

/// An error as a user sees it.
pub(crate) fn error_text(error: &dyn Error, next: &str) -> String {
    let mut text = format!("error: {error}\n");
    if let Some(source) = error.source() {
        writeln!(text, "  because: {source}").unwrap();
    }
    writeln!(text, "  try: {next}").unwrap();
    text
}

fn dump_saved(saved: &Saved) -> String {
    let mut text = String::new();
    let unknown = |field: &Option<String>| field.clone().unwrap_or_else(|| "unknown".into());
    writeln!(text, "tool: {}, version {}", saved.tool, unknown(&saved.version)).unwrap();
    let host = &saved.host;
    writeln!(
        text,
        "host: cpu {}, kernel {}, cpus {}",
        unknown(&host.cpu),
        unknown(&host.kernel),
        unknown(&host.cpus)
    )
    .unwrap();
    for note in &saved.notes {
        writeln!(text, "note: {note}").unwrap();
    }
    for benchmark in &saved.benchmarks {
        writeln!(text, "benchmark: {}", benchmark.name).unwrap();
        for series in &benchmark.series {
            let values = &series.values;
            writeln!(
                text,
                "  {} n={} first={:.9e} last={:.9e} sum={:.9e} each={}",
                series.metric.name(),
                values.len(),
                values[0],
                values[values.len() - 1],
                values.iter().sum::<f64>(),
                series.each
            )
            .unwrap();
        }
        for note in &benchmark.notes {
            writeln!(text, "  note: {note}").unwrap();
        }
    }
    text
}

fn dump_counts(read: &Cachegrind<'_>) -> String {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut text = format!("command: {:?}\n", lossy(read.command));
    let events: Vec<String> = read.events.iter().map(|event| lossy(event)).collect();
    let place = read.events.iter().position(|event| *event == b"Ir").unwrap();
    writeln!(text, "events: {}\ninstructions: {}", events.join(" "), read.instructions.0).unwrap();
    writeln!(text, "functions: {}", read.functions.len()).unwrap();
    let own = |counts: &[u64]| counts.get(place).copied().unwrap_or(0);
    let mut largest: Vec<_> = read.functions.iter().collect();
    largest.sort_by_key(|(_, counts)| std::cmp::Reverse(own(counts)));
    for (one, counts) in largest.iter().take(5) {
        let (file, function) = (lossy(one.file), lossy(one.function));
        writeln!(text, "  {} {function:?} in {file:?}", own(counts)).unwrap();
    }
    text
}

fn dump_log(input: &[u8]) -> String {
    let mut text = match Process::of(input) {
        Some(one) => {
            let command = String::from_utf8_lossy(&one.command);
            format!("process: {} of {}, command {command:?}\n", one.id, one.parent)
        }
        None => "process: unknown\n".into(),
    };
    match valgrind_failure(input) {
        Some(failure) => writeln!(text, "failure: {failure}\n  try: {}", failure.next_step()).unwrap(),
        None => writeln!(text, "failure: none known").unwrap(),
    }
    text
}
