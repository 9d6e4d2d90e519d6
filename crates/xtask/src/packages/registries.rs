//! What the tests need from npm and PyPI, installed under `target/`, so that the machine itself stays as it was.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::follow;

/// Installs what is not there yet. A registry may be out of reach, so what cannot come is told, in CI too, and the
/// tests that need it say that they skip.
pub(super) fn provide(root: &Path) {
    for order in &ORDERS {
        match order.carry_out(root) {
            Ok(()) => eprintln!("packages: what is needed for {} is here", order.tests),
            Err(error) => eprintln!("{}", order.advice(&error)),
        }
    }
}

/// One command line and what it brings.
struct Order {
    /// Run in the repository's root.
    program: &'static str,
    /// With exact versions, the ones that the tests were written against.
    words: &'static [&'static str],
    /// The files that must be there, from the repository's root.
    signs: &'static [&'static str],
    tests: &'static str,
}

const ORDERS: [Order; 4] = [
    // All packages in one command, because npm removes what it has not been asked to save when it comes again.
    Order {
        program: "npm",
        words: &[
            "install",
            "--prefix=target/consumers",
            "--no-fund",
            "--no-audit",
            "--no-save",
            "--ignore-scripts",
            "--loglevel=error",
            "--fetch-retries=1",
            "--fetch-retry-mintimeout=1000",
            "speedscope@1.25.0",
            "@firefox-devtools/profiler-cli@0.10.0",
            "playwright-core@1.65.0",
        ],
        signs: &[
            // npm writes this one last, so an interrupted installation lacks it.
            "target/consumers/node_modules/.package-lock.json",
            "target/consumers/node_modules/speedscope/package.json",
            "target/consumers/node_modules/@firefox-devtools/profiler-cli/package.json",
            "target/consumers/node_modules/playwright-core/package.json",
        ],
        tests: "exports in speedscope and the Firefox Profiler, and pages in a browser",
    },
    // Into a plain folder, which is one command where a virtual environment takes two. `--upgrade` replaces what an
    // interrupted one has left.
    Order {
        program: "python3",
        words: &[
            "-m",
            "pip",
            "install",
            "--target=target/py-spy",
            "--upgrade",
            "--no-deps",
            "--only-binary=:all:",
            "--retries=1",
            "--disable-pip-version-check",
            "--quiet",
            "py-spy==0.4.3",
        ],
        signs: &["target/py-spy/bin/py-spy"],
        tests: "Python stacks beside py-spy's",
    },
    Order {
        program: "python3",
        words: &[
            "-m",
            "pip",
            "install",
            "--target=target/pyyaml",
            "--upgrade",
            "--no-deps",
            "--only-binary=:all:",
            "--retries=1",
            "--disable-pip-version-check",
            "--quiet",
            "PyYAML==6.0.3",
        ],
        signs: &["target/pyyaml/yaml/__init__.py"],
        tests: "performance maps in a reader of YAML",
    },
    Order {
        program: "python3",
        words: &[
            "-m",
            "pip",
            "install",
            "--target=target/lab",
            "--upgrade",
            "--only-binary=:all:",
            "--retries=1",
            "--disable-pip-version-check",
            "--quiet",
            "numba==0.68.1",
            "pytest==9.2.0",
            "pytest-benchmark==5.3.1",
        ],
        signs: &[
            "target/lab/numba/__init__.py",
            "target/lab/pytest/__init__.py",
            "target/lab/pytest_benchmark/__init__.py",
        ],
        tests: "code that Numba compiles, and benchmarks of pytest",
    },
];

impl Order {
    /// Does nothing when everything is there.
    fn carry_out(&self, root: &Path) -> Result<()> {
        if self.missing(root).is_none() {
            return Ok(());
        }
        follow(Command::new(self.program).args(self.words).current_dir(root))?;
        match self.missing(root) {
            Some(sign) => bail!("the command left no `{sign}`"),
            None => Ok(()),
        }
    }

    fn missing(&self, root: &Path) -> Option<&'static str> {
        self.signs.iter().copied().find(|sign| !root.join(sign).exists())
    }

    /// The reason names the command, which is also what to try by hand.
    fn advice(&self, error: &anyhow::Error) -> String {
        format!("packages: what is needed for {} is missing\n  because: {error:#}", self.tests)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const MADE_UP: Order = Order {
        program: "sh",
        words: &["-c", "echo once >>log; echo >thing"],
        signs: &["thing"],
        tests: "made-up ones",
    };

    #[test]
    fn what_is_there_is_not_installed_again() {
        let root = tempfile::tempdir().unwrap();
        MADE_UP.carry_out(root.path()).unwrap();
        MADE_UP.carry_out(root.path()).unwrap();
        assert_eq!(fs::read_to_string(root.path().join("log")).unwrap(), "once\n");
    }

    #[test]
    fn what_the_command_did_not_bring_is_named() {
        let root = tempfile::tempdir().unwrap();
        let error = Order { signs: &["thing", "other"], ..MADE_UP }.carry_out(root.path()).unwrap_err();
        assert!(error.to_string().contains("left no `other`"), "{error}");
    }

    #[test]
    fn a_program_that_is_not_installed_is_advice_with_reason_and_command() {
        let root = tempfile::tempdir().unwrap();
        let order = Order { program: "npm-of-nowhere", words: &["install", "thing@1.0.0"], ..MADE_UP };
        let text = order.advice(&order.carry_out(root.path()).unwrap_err());
        assert!(text.contains("needed for made-up ones is missing\n  because: "), "{text}");
        assert!(text.contains("cannot start `npm-of-nowhere install thing@1.0.0`: No such file"), "{text}");
    }

    #[test]
    fn every_order_stays_in_the_target_folder() {
        for order in &ORDERS {
            assert!(order.signs.iter().all(|sign| sign.starts_with("target/")));
            assert!(order.words.iter().any(|word| word.contains("=target/")), "{:?}", order.words);
        }
    }
}
