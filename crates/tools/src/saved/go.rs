//! The text that `go test -bench` prints.
//!
//! Source: <https://go.dev/design/14313-benchmark-format>, `testing/benchmark.go`. Checked with Go 1.19. The results of a package
//! count once its `ok` line is there: without it the text is cut. A file of several packages that was cut just after one of these
//! lines cannot be told from a shorter one.

use std::str;

use model::Metric;

use super::value::{checked, common_passes, seconds};
use super::{Benchmark, ByName, Each, Format, Saved, SavedHost, Series, with_samples};
use crate::ParseError;

pub(super) const FORMAT: Format = Format {
    name: "go test -bench text",
    recognises: |bytes| is_test2json(bytes) || bytes.split(|byte| *byte == b'\n').any(is_typical),
    parse,
};

fn is_typical(line: &[u8]) -> bool {
    line.starts_with(b"goos: ")
        || line.starts_with(b"ok  \t")
        || (line.starts_with(b"Benchmark") && line.windows(5).any(|word| word == b"ns/op"))
}

/// `go test -json`, which splits lines where it likes.
fn is_test2json(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\"Time\":") || bytes.starts_with(b"{\"Action\":")
}

/// The repetitions of one benchmark.
#[derive(Default)]
struct Repetitions {
    wall: Vec<f64>,
    passes: Vec<u64>,
    /// Units that are not compared.
    others: Vec<String>,
}

/// One line of the text.
enum Line<'a> {
    Ok,
    Package(&'a str),
    Cpu(&'a str),
    Result(&'a str),
    Failure,
    /// Log lines, names alone (`-v`), packages without tests: nothing to measure.
    Ignored,
    /// What the program printed itself.
    Foreign,
}

fn parse(bytes: &[u8]) -> Result<Saved, ParseError> {
    if is_test2json(bytes) {
        return Err(ParseError::Unsupported {
            format: FORMAT.name,
            found: "go test -json".into(),
            known: "`go test -bench` without `-json`",
        });
    }
    let mut text = Text::new();
    let mut number = 0;
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, after) = rest.split_at(end);
        rest = after.strip_prefix(b"\n").unwrap_or_default();
        number += 1;
        text.add(number, line.strip_suffix(b"\r").unwrap_or(line))?;
    }
    if !rest.is_empty() || text.open {
        return Err(ParseError::Cut {
            format: FORMAT.name,
            line: number + 1,
            wanted: "the `ok` line of the package",
        });
    }
    let saved = Saved {
        tool: "go test",
        version: None,
        host: SavedHost { cpu: text.cpu, ..SavedHost::default() },
        benchmarks: text.repetitions.rows.into_iter().map(benchmark).collect(),
        notes: text
            .foreign
            .map(|line| format!("other output is ignored, first in line {line}"))
            .into_iter()
            .collect(),
    };
    with_samples(saved, FORMAT.name, "name benchmarks that exist: `go test -run '^$' -bench REGEXP`")
}

/// What the lines read so far say.
struct Text {
    repetitions: ByName<Repetitions>,
    package: Option<String>,
    cpu: Option<String>,
    /// Results, or a package's name, were seen after the last `ok` line.
    open: bool,
    /// The first line of the program's own output.
    foreign: Option<usize>,
}

impl Text {
    fn new() -> Self {
        Self { repetitions: ByName::new(), package: None, cpu: None, open: false, foreign: None }
    }

    fn add(&mut self, number: usize, line: &[u8]) -> Result<(), ParseError> {
        let unknown = || ParseError::UnknownLine { format: FORMAT.name, line: number, text: start_of(line) };
        match classify(line).ok_or_else(unknown)? {
            Line::Ok => {
                self.open = false;
                self.package = None;
            }
            Line::Package(name) => {
                self.open = true;
                self.package = Some(name.to_owned());
            }
            Line::Cpu(name) => self.cpu = Some(name.to_owned()),
            Line::Result(line) => {
                self.open = true;
                self.result(number, line)?;
            }
            Line::Failure => {
                return Err(ParseError::Failed { format: FORMAT.name, line: number, text: start_of(line) });
            }
            Line::Ignored => {}
            Line::Foreign => self.foreign = self.foreign.or(Some(number)),
        }
        Ok(())
    }

    /// `BenchmarkName-8  1000  12.5 ns/op  3 B/op`: a name, the passes, then values with their units.
    fn result(&mut self, number: usize, line: &str) -> Result<(), ParseError> {
        let unknown =
            || ParseError::UnknownLine { format: FORMAT.name, line: number, text: start_of(line.as_bytes()) };
        let mut fields = line.split_ascii_whitespace();
        let name = fields.next().ok_or_else(unknown)?;
        let passes = fields.next().and_then(|field| field.parse::<u64>().ok());
        let passes = passes.filter(|passes| *passes > 0).ok_or_else(unknown)?;
        let mut wall = None;
        let mut others = Vec::new();
        while let Some(value) = fields.next() {
            let unit = fields.next().ok_or_else(unknown)?;
            let value = value.parse::<f64>().map_err(|_| unknown())?;
            match unit {
                "ns/op" => {
                    let value = checked(FORMAT.name, || format!("line {number}: ns/op"), value)?;
                    wall = seconds(value, "ns");
                }
                // The bytes of one pass over its time: nothing new.
                "MB/s" => {}
                other => others.push(other.to_owned()),
            }
        }
        let name = match &self.package {
            Some(package) => format!("{package}.{name}"),
            None => name.to_owned(),
        };
        self.repetitions.change(&name, |one| {
            one.wall.extend(wall);
            one.passes.extend(wall.map(|_| passes));
            others.retain(|unit| !one.others.contains(unit));
            one.others.extend(others);
        });
        Ok(())
    }
}

/// `None` for a line that holds a result but cannot be read, such as one that the program's own output tore apart.
fn classify(line: &[u8]) -> Option<Line<'_>> {
    let Ok(text) = str::from_utf8(line) else {
        let torn = line.starts_with(b"Benchmark") || line.windows(5).any(|word| word == b"ns/op");
        return (!torn).then_some(Line::Foreign);
    };
    if let Some(name) = text.strip_prefix("pkg: ") {
        return Some(Line::Package(name));
    }
    if let Some(name) = text.strip_prefix("cpu: ") {
        return Some(Line::Cpu(name));
    }
    if text.starts_with("ok  \t") {
        return Some(Line::Ok);
    }
    if text == "FAIL" || text.starts_with("FAIL\t") || text.starts_with("--- FAIL: ") {
        return Some(Line::Failure);
    }
    if text.starts_with("Benchmark") {
        return match text.split_ascii_whitespace().nth(1) {
            Some(passes) if passes.bytes().all(|byte| byte.is_ascii_digit()) => Some(Line::Result(text)),
            Some(_) => None,
            None => Some(Line::Ignored),
        };
    }
    if text.contains("ns/op") {
        return None;
    }
    let ignored = ["goos: ", "goarch: ", "--- BENCH: ", "--- SKIP: ", "=== ", "    ", "?   \t", "PASS"];
    if text.is_empty() || ignored.iter().any(|start| text.starts_with(start)) {
        return Some(Line::Ignored);
    }
    Some(Line::Foreign)
}

fn benchmark((name, one): (String, Repetitions)) -> Benchmark {
    let mut notes = Vec::new();
    if !one.others.is_empty() {
        notes.push(format!("not compared: {}", one.others.join(", ")));
    }
    if one.wall.is_empty() {
        notes.push("has no ns/op".into());
    }
    let each = Each::Pass { of: common_passes(one.passes) };
    let series = Series { metric: Metric::Wall, values: one.wall, each };
    Benchmark {
        name,
        series: Some(series).filter(|series| !series.values.is_empty()).into_iter().collect(),
        notes,
    }
}

fn start_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_result_is_an_error() {
        for text in [
            "BenchmarkA-2 \tprinted\n     100\t  40 ns/op\nok  \tlab\t1s\n",
            "noise     100\t  40 ns/op\nok  \tlab\t1s\n",
            "BenchmarkA-2 100 40\nok  \tlab\t1s\n",
            "BenchmarkA-2 100 x ns/op\nok  \tlab\t1s\n",
            "BenchmarkA-2 100 -4 ns/op\nok  \tlab\t1s\n",
            "BenchmarkA-2 100 NaN ns/op\nok  \tlab\t1s\n",
            "BenchmarkA-2 0 40 ns/op\nok  \tlab\t1s\n",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn foreign_lines_are_noted() {
        let text = b"hello\n\xff\nBenchmarkA-2 100 40 ns/op\nok  \tlab\t1s\n";
        let saved = parse(text).unwrap();
        assert_eq!(saved.notes, ["other output is ignored, first in line 1"]);
        assert_eq!(saved.benchmarks[0].series[0].values, [40e-9]);
    }

    #[test]
    fn packages_keep_their_benchmarks_apart() {
        let one =
            |package: &str| format!("pkg: {package}\nBenchmarkA-2 1 40 ns/op\nPASS\nok  \t{package}\t1s\n");
        let saved = parse((one("a") + &one("b")).as_bytes()).unwrap();
        let names: Vec<&str> = saved.benchmarks.iter().map(|benchmark| benchmark.name.as_str()).collect();
        assert_eq!(names, ["a.BenchmarkA-2", "b.BenchmarkA-2"]);
    }
}
