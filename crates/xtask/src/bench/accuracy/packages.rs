//! Real packages at a pinned version: each specimen's in a folder of its own, installed once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Where a specimen's packages come from. Their names are written as its client wants them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Registry {
    /// `name==1.2`, into a virtual environment of the system's Python.
    Pypi,
    /// `name@1.2`, into `node_modules` beside the program.
    Npm,
    /// `name = "=1.2"`, a line of the manifest whose programs lie in `src/bin`.
    Crates,
    /// `name=1.2*`, unpacked but not installed.
    Debian,
}

/// The file that says what was installed; written last.
const DONE: &str = ".installed";

/// Installs `packages` into `folder` unless they are there, and gives the source to run: a copy where the language finds
/// packages by where the program lies.
pub(super) fn install(
    registry: Registry,
    packages: &[String],
    source: &Path,
    folder: &Path,
) -> Result<PathBuf> {
    let wanted = packages.join("\n");
    if fs::read_to_string(folder.join(DONE)).ok().as_ref() != Some(&wanted) {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        fetch(registry, packages, folder)
            .with_context(|| format!("cannot install {}", packages.join(" ")))?;
        fs::write(folder.join(DONE), wanted)?;
    }
    let beside = match registry {
        Registry::Npm => folder.to_owned(),
        Registry::Crates => folder.join("src/bin"),
        Registry::Pypi | Registry::Debian => return Ok(source.to_owned()),
    };
    fs::create_dir_all(&beside)?;
    let copy = beside.join(source.file_name().context("the source has no name")?);
    if fs::read(&copy).ok() != Some(fs::read(source)?) {
        fs::copy(source, &copy)?;
    }
    Ok(copy)
}

fn fetch(registry: Registry, packages: &[String], folder: &Path) -> Result<()> {
    match registry {
        Registry::Pypi => {
            run(Command::new("/usr/bin/python3").args(["-m", "venv", "--without-pip"]).arg(folder))?;
            let pip = ["-m", "pip", "--python"];
            let quietly = ["install", "--quiet", "--no-warn-script-location"];
            run(Command::new("python3").args(pip).arg(folder.join("bin/python")).args(quietly).args(packages))
        }
        Registry::Npm => {
            let quietly = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
            let npm = ["install", "--prefix", "."];
            run(Command::new("npm").current_dir(folder).args(npm).args(quietly).args(packages))
        }
        Registry::Crates => Ok(fs::write(folder.join("Cargo.toml"), manifest(packages))?),
        Registry::Debian => {
            run(Command::new("apt-get").current_dir(folder).args(["download", "--quiet"]).args(packages))?;
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "deb") {
                    run(Command::new("dpkg").arg("-x").arg(&path).arg(folder))?;
                }
            }
            Ok(())
        }
    }
}

/// A Cargo package outside any workspace, with lines in its release build.
fn manifest(packages: &[String]) -> String {
    let head = "[package]\nname = \"specimen\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
                [profile.release]\ndebug = \"line-tables-only\"\n\n[dependencies]\n";
    format!("{head}{}\n", packages.join("\n"))
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("no {program}"))?;
    if !output.status.success() {
        bail!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
