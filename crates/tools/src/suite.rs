//! Suites of benchmarks as commands: which tool a command line starts, how it is told to save its results, and how its number of
//! repetitions is fixed for instruments under which its own clock means nothing.
//!
//! Checked with pytest-benchmark 5, go 1.19, Google Benchmark 1.7 and criterion 0.5; JMH 1.37 by its documentation.

pub mod criterion;
pub mod go;

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A tool that runs benchmarks and times them itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    PytestBenchmark,
    Go,
    GoogleBenchmark,
    Jmh,
    Criterion,
}

/// Where a suite's results are after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Results {
    /// In this file.
    File,
    /// In what it prints.
    Printed,
    /// In a folder of its own: criterion's `target/criterion`.
    Folder,
}

impl Suite {
    /// The suite that a command line starts. A test run that times nothing is none.
    #[must_use]
    pub fn of(argv: &[OsString]) -> Option<Self> {
        let words: Vec<String> = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let program = words.first().map(|word| word.rsplit('/').next().unwrap_or(word))?;
        let has = |wanted: &str| words.iter().skip(1).any(|word| word == wanted);
        let begins = |wanted: &str| words.iter().skip(1).any(|word| word.starts_with(wanted));
        let pytest = matches!(program, "pytest" | "py.test") || has("pytest") || has("py.test");
        if pytest && begins("--benchmark-") && !has("--benchmark-disable") && !has("--benchmark-skip") {
            return Some(Self::PytestBenchmark);
        }
        if (program == "go" && has("test") && begins("-bench")) || begins("-test.bench") {
            return Some(Self::Go);
        }
        // What cargo built and starts is named like this, and told that benchmarks are to be run.
        let built = words.first().is_some_and(|path| path.contains("/deps/")) && has("--bench");
        if program == "cargo" && (has("bench") || has("criterion")) || built {
            return Some(Self::Criterion);
        }
        let jar =
            |word: &String| word.ends_with(".jar") && (word.contains("jmh") || word.contains("benchmark"));
        if program == "java" && words.iter().any(jar) {
            return Some(Self::Jmh);
        }
        begins("--benchmark_").then_some(Self::GoogleBenchmark)
    }

    /// How a benchmark at several sizes is written.
    #[must_use]
    pub const fn parametrized(self) -> &'static str {
        match self {
            Self::PytestBenchmark => "@pytest.mark.parametrize(\"n\", [1000, 2000, 4000, 8000])",
            Self::Go => "b.Run(fmt.Sprint(n), …) for n of 1000, 2000, 4000, 8000",
            Self::GoogleBenchmark => "BENCHMARK(sort)->RangeMultiplier(2)->Range(1024, 8192)",
            Self::Jmh => "@Param({\"1000\", \"2000\", \"4000\", \"8000\"})",
            Self::Criterion => "group.bench_with_input(n, …) for n of 1000, 2000, 4000, 8000",
        }
    }

    #[must_use]
    pub const fn results(self) -> Results {
        match self {
            Self::PytestBenchmark | Self::GoogleBenchmark | Self::Jmh => Results::File,
            Self::Go => Results::Printed,
            Self::Criterion => Results::Folder,
        }
    }

    /// The name of the file for its results.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::PytestBenchmark => "pytest_benchmark.json",
            Self::GoogleBenchmark => "google_benchmark.json",
            Self::Jmh => "jmh.json",
            Self::Go => "go_bench.txt",
            Self::Criterion => "criterion",
        }
    }

    /// The options that make it save its results in a file, to be put at the end of its command line.
    #[must_use]
    pub fn saving(self, file: &Path) -> Vec<OsString> {
        let option = |name: &str| {
            let mut option = OsString::from(name);
            option.push(file);
            option
        };
        match self {
            Self::PytestBenchmark => vec![option("--benchmark-json=")],
            Self::GoogleBenchmark => vec![option("--benchmark_out="), "--benchmark_out_format=json".into()],
            Self::Jmh => vec!["-rf".into(), "json".into(), "-rff".into(), file.into()],
            Self::Go | Self::Criterion => Vec::new(),
        }
    }

    /// The command line with each benchmark run a fixed few times. `None` when the tool has no such option.
    ///
    /// Under an instrument a tool that repeats until its own clock is satisfied does another amount of work each time.
    #[must_use]
    pub fn fixed(self, argv: &[OsString]) -> Option<Vec<OsString>> {
        let with = |options: &[&str]| {
            let kept = argv.iter().cloned();
            Some(kept.chain(options.iter().map(OsString::from)).collect())
        };
        match self {
            Self::PytestBenchmark => with(&[
                "--benchmark-min-time=0.0000001",
                "--benchmark-max-time=0.0000001",
                "--benchmark-min-rounds=1",
                "--benchmark-warmup=off",
            ]),
            Self::Go => {
                let compiled = argv.iter().any(|word| begins(word, "-test.bench"));
                with(&[if compiled { "-test.benchtime=1x" } else { "-benchtime=1x" }])
            }
            Self::Jmh => with(&["-f", "0", "-wi", "0", "-i", "1", "-bm", "ss"]),
            // Google Benchmark before 1.8 knows no number of iterations on its command line.
            Self::GoogleBenchmark => with(&["--benchmark_min_time=0.000001"]),
            // `cargo` builds first, and what a simulator would see is the compiler.
            Self::Criterion => criterion::once(argv),
        }
    }
}

fn begins(word: &OsStr, wanted: &str) -> bool {
    word.to_string_lossy().starts_with(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn suites_are_known_by_their_command_lines() {
        for (line, wanted) in [
            ("pytest --benchmark-only", Some(Suite::PytestBenchmark)),
            ("/v/bin/python3 -m pytest tests --benchmark-enable", Some(Suite::PytestBenchmark)),
            ("pytest tests", None),
            ("pytest --benchmark-disable", None),
            ("go test -bench=. ./...", Some(Suite::Go)),
            ("go test ./...", None),
            ("./sort.test -test.bench=. -test.run=NONE", Some(Suite::Go)),
            ("./bm --benchmark_filter=Sort", Some(Suite::GoogleBenchmark)),
            ("java -jar target/benchmarks.jar Sort", Some(Suite::Jmh)),
            ("java -jar app.jar", None),
            ("cargo bench --bench sort", Some(Suite::Criterion)),
            ("cargo build", None),
            ("target/release/deps/sort-3f --bench", Some(Suite::Criterion)),
            ("target/release/sort --bench", None),
            ("./bm 100", None),
        ] {
            assert_eq!(Suite::of(&words(line)), wanted, "{line}");
        }
        assert_eq!(Suite::of(&[]), None);
    }

    #[test]
    fn the_results_are_asked_for_in_a_file() {
        let saving = |suite: Suite| {
            let options = suite.saving(Path::new("/r/x.json"));
            options.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(saving(Suite::PytestBenchmark), "--benchmark-json=/r/x.json");
        assert_eq!(saving(Suite::Jmh), "-rf json -rff /r/x.json");
        assert_eq!(saving(Suite::Go), "");
    }

    #[test]
    fn repetitions_are_fixed_where_the_tool_can() {
        let fixed = Suite::Go.fixed(&words("go test -bench=.")).unwrap();
        assert_eq!(fixed, words("go test -bench=. -benchtime=1x"));
        assert_eq!(Suite::Criterion.fixed(&words("cargo bench")), None);
    }
}
