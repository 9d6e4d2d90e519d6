//! The packages the tests need: which, how one sees that they are there, how they come.

mod registries;

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::follow;

/// Debian's packages, which CI must have, then those of npm and PyPI, which may be out of reach.
pub(crate) fn provide(root: &Path) -> Result<()> {
    provide_system()?;
    registries::provide(root);
    Ok(())
}

/// Installs what is missing where we may. Elsewhere it names the command and goes on, because
/// the tests that need the package say so themselves; in CI a missing package is an error.
fn provide_system() -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut absent = missing(&NEEDS, &path);
    let surroundings = Surroundings::look(&path)?;
    if let Some(means) = surroundings.means()
        && !absent.is_empty()
    {
        let outcome = install(means, &absent);
        if surroundings.ci {
            outcome?;
        } else if let Err(error) = outcome {
            eprintln!("packages: could not install: {error:#}");
        }
        absent = missing(&NEEDS, &path);
    }
    if absent.is_empty() {
        eprintln!("packages: all {} are here", NEEDS.len());
        return Ok(());
    }
    let text = advice(&absent);
    if surroundings.ci {
        bail!("{text}");
    }
    eprintln!("{text}");
    Ok(())
}

struct Need {
    sign: Sign,
    /// The name of the Debian package that brings it.
    package: &'static str,
    /// The tests that cannot say anything without it.
    tests: &'static str,
}

/// What must be there for a package to count as installed.
enum Sign {
    Command(&'static str),
    File(&'static str),
}

const NEEDS: [Need; 8] = [
    Need { sign: Sign::Command("valgrind"), package: "valgrind", tests: "instruction counts without a PMU" },
    Need { sign: Sign::Command("perf"), package: "linux-perf", tests: "imports of perf.data" },
    Need { sign: Sign::Command("python3"), package: "python3", tests: "Python targets" },
    Need { sign: Sign::Command("gcc"), package: "gcc", tests: "specimens written in C" },
    Need {
        sign: Sign::Command("git"),
        package: "git",
        tests: "comparing revisions, and the list of files for tidy",
    },
    Need { sign: Sign::File("/usr/include/stdio.h"), package: "libc6-dev", tests: "specimens written in C" },
    Need { sign: Sign::Command("go"), package: "golang-go", tests: "exports in `go tool pprof`" },
    Need { sign: Sign::Command("chromium"), package: "chromium", tests: "the page of a run in a browser" },
];

fn missing<'a>(needs: &'a [Need], path: &OsStr) -> Vec<&'a Need> {
    let here = |need: &&Need| match need.sign {
        Sign::Command(name) => on_path(name, path),
        Sign::File(file) => Path::new(file).exists(),
    };
    needs.iter().filter(|need| !here(need)).collect()
}

fn on_path(name: &str, path: &OsStr) -> bool {
    env::split_paths(path).any(|folder| {
        fs::metadata(folder.join(name))
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

/// What decides whether we may install a package.
struct Surroundings {
    root: bool,
    ci: bool,
    apt: bool,
    sudo: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Means {
    Directly,
    Sudo,
}

impl Surroundings {
    fn look(path: &OsStr) -> Result<Self> {
        // The owner of our own /proc folder is our effective user.
        let ourselves = fs::metadata("/proc/self").context("cannot look at `/proc/self`")?;
        Ok(Self {
            root: ourselves.uid() == 0,
            ci: env::var_os("CI").is_some_and(|value| value == "true" || value == "1"),
            apt: on_path("apt-get", path),
            sudo: on_path("sudo", path),
        })
    }

    /// `None` where installing is not ours to do: a developer's machine keeps its sudo.
    fn means(&self) -> Option<Means> {
        match self {
            Self { apt: false, .. } => None,
            Self { root: true, .. } => Some(Means::Directly),
            Self { ci: true, sudo: true, .. } => Some(Means::Sudo),
            _ => None,
        }
    }
}

fn install(means: Means, needs: &[&Need]) -> Result<()> {
    let packages = needs.iter().map(|need| need.package);
    follow(apt_get(means).arg("update"))?;
    follow(apt_get(means).args(INSTALL).args(packages))
}

const INSTALL: [&str; 3] = ["install", "-y", "--no-install-recommends"];

fn apt_get(means: Means) -> Command {
    // The variable goes through `env`, because sudo does not hand the environment on.
    let mut command = Command::new("env");
    if means == Means::Sudo {
        command = Command::new("sudo");
        command.args(["--non-interactive", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    command
}

/// The absent packages, the tests that miss them, and the command that brings them.
fn advice(absent: &[&Need]) -> String {
    let mut text = String::from("packages that the tests need are missing");
    for need in absent {
        text.push_str(&format!("\n  {}: for {}", need.package, need.tests));
    }
    let packages: Vec<_> = absent.iter().map(|need| need.package).collect();
    text.push_str(&format!(
        "\n  try: sudo apt-get update && sudo apt-get {} {}",
        INSTALL.join(" "),
        packages.join(" ")
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE_UP: [Need; 2] = [
        Need { sign: Sign::Command("sh"), package: "dash", tests: "nothing" },
        Need { sign: Sign::File("/nowhere/at/all.h"), package: "nowhere-dev", tests: "made-up ones" },
    ];

    fn missing_packages(path: &str) -> Vec<&'static str> {
        let absent = missing(&MADE_UP, OsStr::new(path));
        absent.iter().map(|need| need.package).collect()
    }

    #[test]
    fn what_is_not_there_is_missing() {
        assert_eq!(missing_packages("/usr/bin:/bin"), ["nowhere-dev"]);
        assert_eq!(missing_packages("/nowhere"), ["dash", "nowhere-dev"]);
    }

    #[test]
    fn a_file_that_cannot_be_executed_is_no_command() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("valgrind"), "").unwrap();
        assert!(!on_path("valgrind", folder.path().as_os_str()));
    }

    #[test]
    fn the_advice_names_package_tests_and_command() {
        let absent = missing(&MADE_UP, OsStr::new("/bin"));
        let text = advice(&absent);
        assert!(text.contains("nowhere-dev: for made-up ones"), "{text}");
        assert!(text.ends_with("--no-install-recommends nowhere-dev"), "{text}");
    }

    fn means(root: bool, ci: bool, apt: bool, sudo: bool) -> Option<Means> {
        Surroundings { root, ci, apt, sudo }.means()
    }

    #[test]
    fn only_root_or_ci_with_sudo_installs() {
        assert_eq!(means(true, false, true, false), Some(Means::Directly));
        assert_eq!(means(true, true, true, true), Some(Means::Directly));
        assert_eq!(means(false, true, true, true), Some(Means::Sudo));
        assert_eq!(means(false, false, true, true), None);
        assert_eq!(means(false, true, true, false), None);
        assert_eq!(means(true, true, false, true), None);
    }
}
