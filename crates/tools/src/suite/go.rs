//! `go test -bench` without go: the test binary that it builds, and that binary's own options.
//!
//! Checked with go 1.19. `go test` leaves out the symbols of what it runs at once; `go test -c` does not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options that `go test` hands on to the binary, and whether they take a value.
const OF_BINARY: [(&str, bool); 13] = [
    ("bench", true),
    ("benchmem", false),
    ("benchtime", true),
    ("count", true),
    ("cpu", true),
    ("failfast", false),
    ("list", true),
    ("parallel", true),
    ("run", true),
    ("short", false),
    ("shuffle", true),
    ("timeout", true),
    ("v", false),
];

/// Options of the build that take the next word.
const OF_BUILD: [&str; 8] = ["asmflags", "gcflags", "ldflags", "mod", "modfile", "overlay", "p", "tags"];

/// A test binary: how it is built, and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    pub build: Vec<OsString>,
    pub run: Vec<OsString>,
    /// The folder of its package, below the one in which `go` is started. `None` where that is the same.
    pub folder: Option<PathBuf>,
}

/// The binary that a `go test` of one package stands for, to be written to `output`. `None` for several packages, and where an
/// option is not known.
#[must_use]
pub fn binary(argv: &[OsString], output: &Path) -> Option<Binary> {
    let words: Vec<&str> = argv.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let (program, rest) = words.split_first()?;
    let (["test"], rest) = rest.split_at_checked(1)? else { return None };
    if program.rsplit('/').next() != Some("go") {
        return None;
    }
    let mut build: Vec<OsString> =
        vec![(*program).into(), "test".into(), "-c".into(), "-o".into(), output.into()];
    let mut run: Vec<OsString> = vec![output.into()];
    let mut package = None;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
            if package.replace(*word).is_some() {
                return None;
            }
            continue;
        };
        if option == "args" {
            run.extend(rest.by_ref().map(OsString::from));
            continue;
        }
        let option = option.strip_prefix("test.").unwrap_or(option);
        let (name, value) =
            option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let takes = OF_BINARY.iter().find(|(known, _)| *known == name).map(|(_, takes)| *takes);
        let to = if takes.is_some() { &mut run } else { &mut build };
        let dash = if takes.is_some() { "-test." } else { "-" };
        match (value, takes) {
            (Some(value), _) => to.push(format!("{dash}{name}={value}").into()),
            (None, Some(false)) => to.push(format!("{dash}{name}").into()),
            (None, Some(true)) => to.push(format!("{dash}{name}={}", rest.next()?).into()),
            (None, None) if OF_BUILD.contains(&name) => {
                to.push(format!("{dash}{name}={}", rest.next()?).into())
            }
            (None, None) if ["race", "trimpath", "msan"].contains(&name) => {
                to.push(format!("{dash}{name}").into())
            }
            (None, None) => return None,
        }
    }
    let folder = match package {
        None | Some("." | "./") => None,
        Some(path) if path.starts_with("./") && !path.contains("...") => Some(PathBuf::from(path)),
        Some(_) => return None,
    };
    build.extend(package.map(OsString::from));
    Some(Binary { build, run, folder })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_of_one_package_is_a_binary_with_options_of_its_own() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for (line, build, run, folder) in [
            ("go test -bench .", "", "-test.bench=.", None),
            (
                "go test -bench=. -benchtime 100ms -run NONE ./sort",
                " ./sort",
                "-test.bench=. -test.benchtime=100ms -test.run=NONE",
                Some("./sort"),
            ),
            (
                "/usr/bin/go test --bench . -tags fast -benchmem -args x",
                " -tags=fast",
                "-test.bench=. -test.benchmem x",
                None,
            ),
        ] {
            let found = binary(&words(line), Path::new("/r/t.test")).unwrap();
            let go = line.split(' ').next().unwrap();
            assert_eq!(found.build, words(&format!("{go} test -c -o /r/t.test{build}")), "{line}");
            assert_eq!(found.run, words(&format!("/r/t.test {run}")), "{line}");
            assert_eq!(found.folder.as_deref(), folder.map(Path::new), "{line}");
        }
        for line in [
            "go test -bench . ./...",
            "go test -bench . ./a ./b",
            "go test -bench . example.org/a",
            "go test -bench . -exec xprog",
            "go test -bench",
            "go vet",
            "./sums.test -test.bench .",
        ] {
            assert_eq!(binary(&words(line), Path::new("/r/t.test")), None, "{line}");
        }
    }
}
