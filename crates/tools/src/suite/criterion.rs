//! criterion behind `cargo bench`: the executable that cargo builds, and how it runs its benchmarks without timing them.
//!
//! Checked with cargo 1.9x's messages and criterion 0.5: `--profile-time` runs each benchmark for so many seconds and analyses
//! and saves nothing, `--test` runs each once.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Options of `cargo bench` that take the next word.
const OF_CARGO: [&str; 20] = [
    "--bench",
    "--bin",
    "--color",
    "--config",
    "--example",
    "--exclude",
    "--features",
    "--jobs",
    "--lockfile-path",
    "--manifest-path",
    "--package",
    "--profile",
    "--target",
    "--target-dir",
    "--test",
    "-C",
    "-F",
    "-Z",
    "-j",
    "-p",
];

/// Options of a criterion executable that take the next word.
const OF_CRITERION: [&str; 19] = [
    "--baseline",
    "--baseline-lenient",
    "--color",
    "--colour",
    "--confidence-level",
    "--format",
    "--load-baseline",
    "--measurement-time",
    "--noise-threshold",
    "--nresamples",
    "--output-format",
    "--plotting-backend",
    "--profile-time",
    "--sample-size",
    "--save-baseline",
    "--significance-level",
    "--warm-up-time",
    "-b",
    "-s",
];

/// What a criterion executable has in it, whatever else was left out of it.
const MARK: &[u8] = b"profile-time";

/// Seconds for which each benchmark is run while it is looked at.
const SECONDS: &str = "1";

/// An executable with benchmarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    pub path: PathBuf,
    /// The folder of its package, in which cargo runs it.
    pub folder: Option<PathBuf>,
}

/// The command line that only builds what `cargo bench` would run, and tells where it lies. `None` when the command is not
/// cargo's, or asks for something else already.
#[must_use]
pub fn building(argv: &[OsString]) -> Option<Vec<OsString>> {
    let (own, _) = halves(argv);
    let is = |wanted: &str| own.iter().any(|word| word.as_os_str() == wanted);
    let told = own.iter().any(|word| word.to_string_lossy().starts_with("--message-format"));
    if !is_cargo(argv) || !is("bench") || is("--no-run") || told {
        return None;
    }
    let filters = after_bench(own);
    let kept = own.iter().filter(|word| !filters.contains(word)).cloned();
    Some(kept.chain(["--no-run".into(), "--message-format=json".into()]).collect())
}

/// The executables among the messages of such a build: benchmarks alone, not the tests of libraries that `cargo bench` starts too.
#[must_use]
pub fn executables(messages: &[u8]) -> Vec<Executable> {
    #[derive(Deserialize)]
    struct Message {
        manifest_path: Option<PathBuf>,
        target: Option<Target>,
        executable: Option<PathBuf>,
    }
    #[derive(Deserialize)]
    struct Target {
        kind: Vec<String>,
    }
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Message>(line).ok());
    messages
        .filter(|message| {
            message.target.as_ref().is_some_and(|target| target.kind.iter().any(|kind| kind == "bench"))
        })
        .filter_map(|message| {
            let folder = message.manifest_path.and_then(|path| Some(path.parent()?.to_owned()));
            Some(Executable { path: message.executable?, folder })
        })
        .collect()
}

/// Whether an executable runs its benchmarks with criterion, from its bytes.
#[must_use]
pub fn is_criterion(executable: &[u8]) -> bool {
    holds(executable, MARK)
}

/// Whether an executable has source lines.
#[must_use]
pub fn has_lines(executable: &[u8]) -> bool {
    holds(executable, b".debug_line\0")
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// The executable's own command line that runs the benchmarks of `cargo bench …` for a second each: no analysis, nothing saved.
#[must_use]
pub fn profiled(executable: &Executable, argv: &[OsString]) -> Vec<OsString> {
    let program = executable.path.clone().into_os_string();
    let chosen = chosen(argv);
    std::iter::once(program)
        .chain(std::iter::once("--bench".into()))
        .chain(chosen)
        .chain(["--profile-time".into(), SECONDS.into()])
        .collect()
}

/// The same, each benchmark once. `None` when the command is cargo's.
pub(super) fn once(argv: &[OsString]) -> Option<Vec<OsString>> {
    let program = argv.first().filter(|_| !is_cargo(argv))?;
    let words = std::iter::once(program.clone()).chain(std::iter::once("--bench".into()));
    Some(words.chain(chosen(argv)).chain(std::iter::once("--test".into())).collect())
}

/// Which benchmarks a command line chooses; what else it says is of timing and saving.
fn chosen(argv: &[OsString]) -> Vec<OsString> {
    let (own, rest) = halves(argv);
    let before = match is_cargo(argv) {
        true => after_bench(own),
        false => plain(own.get(1..).unwrap_or_default(), &OF_CRITERION),
    };
    let exact = argv.iter().find(|word| word.as_os_str() == "--exact");
    before.into_iter().chain(plain(rest, &OF_CRITERION)).chain(exact).cloned().collect()
}

/// Words of cargo's that it hands on to the executable.
fn after_bench(own: &[OsString]) -> Vec<&OsString> {
    let bench = own.iter().position(|word| word.as_os_str() == "bench");
    plain(own.get(bench.map_or(own.len(), |at| at + 1)..).unwrap_or_default(), &OF_CARGO)
}

/// Words that are neither options nor what an option takes.
fn plain<'w>(words: &'w [OsString], taking: &[&str]) -> Vec<&'w OsString> {
    let mut found = Vec::new();
    let mut taken = false;
    for word in words {
        let text = word.to_string_lossy();
        if !taken && !text.starts_with('-') {
            found.push(word);
        }
        taken = !taken && taking.contains(&&*text);
    }
    found
}

fn is_cargo(argv: &[OsString]) -> bool {
    argv.first().is_some_and(|program| Path::new(program).file_name() == Some(OsStr::new("cargo")))
}

/// What stands before the first `--`, and after it.
fn halves(argv: &[OsString]) -> (&[OsString], &[OsString]) {
    let at = argv.iter().position(|word| word.as_os_str() == "--").unwrap_or(argv.len());
    (argv.get(..at).unwrap_or_default(), argv.get(at + 1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_build_is_the_same_command_without_its_run() {
        for (line, wanted) in [
            ("cargo bench", Some("cargo bench --no-run --message-format=json")),
            (
                "cargo bench --bench grow pairs -- --exact",
                Some("cargo bench --bench grow --no-run --message-format=json"),
            ),
            (
                "cargo +nightly bench -p a -j 2",
                Some("cargo +nightly bench -p a -j 2 --no-run --message-format=json"),
            ),
            ("cargo bench --no-run", None),
            ("cargo criterion", None),
            ("target/release/deps/grow-1 --bench", None),
        ] {
            assert_eq!(building(&words(line)), wanted.map(words), "{line}");
        }
    }

    #[test]
    fn the_executable_runs_the_benchmarks_that_were_chosen() {
        let executable = Executable { path: "/t/grow-1".into(), folder: None };
        for (line, wanted) in [
            ("cargo bench --bench grow", "/t/grow-1 --bench --profile-time 1"),
            ("cargo bench --bench grow sorts", "/t/grow-1 --bench sorts --profile-time 1"),
            (
                "cargo bench -- --sample-size 10 pairs/100 --exact --save-baseline main",
                "/t/grow-1 --bench pairs/100 --exact --profile-time 1",
            ),
            ("/t/grow-1 --bench pairs", "/t/grow-1 --bench pairs --profile-time 1"),
        ] {
            let found = profiled(&executable, &words(line));
            assert_eq!(found, words(wanted), "{line}");
            let wanted = wanted.replace("--profile-time 1", "--test");
            assert_eq!(once(&found), Some(words(&wanted)), "{line}");
        }
        for line in ["cargo bench", "cargo criterion"] {
            assert_eq!(once(&words(line)), None, "{line}");
        }
    }

    #[test]
    fn only_benchmarks_are_executables_to_look_at() {
        let messages = br#"{"reason":"compiler-artifact","target":{"kind":["lib"]},"executable":"/t/lib-1"}
{"reason":"compiler-artifact","manifest_path":"/p/Cargo.toml","target":{"kind":["bench"],"name":"g"},"executable":"/t/g-1"}
{"reason":"compiler-artifact","target":{"kind":["bench"]},"executable":null}
{"reason":"build-finished","success":true}
no message
"#;
        let wanted = Executable { path: "/t/g-1".into(), folder: Some("/p".into()) };
        assert_eq!(executables(messages), [wanted]);
        assert!(executables(b"").is_empty());
    }
}
