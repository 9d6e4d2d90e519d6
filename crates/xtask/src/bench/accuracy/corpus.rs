//! The corpus: programs in a folder of `specimens`, each with its truth and its healthy twin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use model::profile::Place;
use serde::Deserialize;

use super::packages::{self, Registry};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    Sick,
    Healthy,
}

impl Health {
    const fn word(self) -> &'static str {
        match self {
            Self::Sick => "sick",
            Self::Healthy => "healthy",
        }
    }
}

/// What `specimen.toml` says. Keys for people are left out.
#[derive(Debug, Deserialize)]
pub(super) struct Truth {
    pub(super) cause: String,
    pub(super) class: String,
    #[serde(default)]
    pub(super) also_cause: Vec<String>,
    #[serde(default)]
    pub(super) also_class: Vec<String>,
    pub(super) culprit: Culprit,
    #[serde(default)]
    also: Vec<String>,
    /// Functions of the program that call into a package whose own function is the culprit.
    #[serde(default)]
    callers: Vec<String>,
    registry: Option<Registry>,
    #[serde(default)]
    packages: Vec<String>,
    /// The packages of the healthy twin, where another version is the cure.
    #[serde(default)]
    healthy_packages: Vec<String>,
    #[serde(default)]
    build: Vec<String>,
    #[serde(default)]
    healthy_build: Vec<String>,
    run: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Culprit {
    pub(super) function: String,
    file: String,
    lines: (u32, u32),
}

#[derive(Debug)]
pub(super) struct Specimen {
    pub(super) name: String,
    folder: PathBuf,
    pub(super) truth: Truth,
}

/// Every specimen whose name holds one of `only`; all without.
pub(super) fn load(folder: &Path, only: &[String]) -> Result<Vec<Specimen>> {
    let mut specimens = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("no specimens in {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wanted = only.is_empty() || only.iter().any(|part| name.contains(part));
        let Ok(text) = fs::read_to_string(path.join("specimen.toml")) else { continue };
        if wanted {
            let truth = toml::from_str(&text).with_context(|| format!("{name}/specimen.toml"))?;
            specimens.push(Specimen { name, folder: path, truth });
        }
    }
    specimens.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(specimens)
}

impl Specimen {
    /// Builds the program unless it is there, and gives the command that runs it.
    pub(super) fn build(&self, programs: &Path, health: Health) -> Result<Vec<String>> {
        fs::create_dir_all(programs)?;
        let (out, source) = self.prepare(programs, health)?;
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let filled = |words: &[String]| -> Vec<String> {
            let fill = |word: &String| {
                word.replace("{OUT}", &out.to_string_lossy())
                    .replace("{SOURCE}", &source.to_string_lossy())
                    .replace("{STEM}", &stem)
            };
            words.iter().map(fill).collect()
        };
        let own = health == Health::Healthy && !self.truth.healthy_build.is_empty();
        let build = filled(if own { &self.truth.healthy_build } else { &self.truth.build });
        let is_built = self.truth.registry.is_none() && is_newer(&out, &source);
        if let ([program, rest @ ..], false) = (build.as_slice(), is_built) {
            let output =
                Command::new(program).args(rest).output().with_context(|| format!("no {program}"))?;
            if !output.status.success() {
                bail!("does not build: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
        Ok(filled(&self.truth.run))
    }

    /// The program, or the folder of its packages, which are installed unless they are there; and the source.
    fn prepare(&self, programs: &Path, health: Health) -> Result<(PathBuf, PathBuf)> {
        let source = self.source(health)?;
        let truth = &self.truth;
        let Some(registry) = truth.registry else {
            return Ok((programs.join(format!("{}-{}", self.name, health.word())), source));
        };
        let own = health == Health::Healthy && !truth.healthy_packages.is_empty();
        let (packages, whose) =
            if own { (&truth.healthy_packages, Health::Healthy) } else { (&truth.packages, Health::Sick) };
        let out = programs.join(format!("{}-{}-packages", self.name, whose.word()));
        let source = packages::install(registry, packages, &source, &out)?;
        Ok((out, source))
    }

    /// `sick.c`, the main file in the folder `sick`, or `driver.c` for both twins.
    fn source(&self, health: Health) -> Result<PathBuf> {
        let word = health.word();
        let in_folder = self.folder.join(word);
        let (folder, stem) =
            if in_folder.is_dir() { (in_folder, "main") } else { (self.folder.clone(), word) };
        for stem in [stem, "driver"] {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let is_it =
                    path.file_stem().is_some_and(|name| name.to_string_lossy().eq_ignore_ascii_case(stem));
                if is_it && path.is_file() {
                    return Ok(path);
                }
            }
        }
        bail!("no {stem}.* in {}", folder.display())
    }

    /// The place is in the program's own call to the package that is the culprit: a function on the way, or anywhere in the
    /// driver itself.
    pub(super) fn is_caller(&self, place: &Place) -> bool {
        let named = self.truth.callers.iter().any(|name| bare(name) == bare(&place.function));
        let driver = place.file.as_deref().is_some_and(|file| base(file).starts_with("driver."));
        named || self.truth.registry.is_some() && driver
    }

    /// The place is the function or the lines to change, or one that a reader would accept.
    pub(super) fn is_culprit(&self, place: &Place) -> bool {
        let culprit = &self.truth.culprit;
        let named = std::iter::once(&culprit.function).chain(&self.truth.also);
        let (first, last) = culprit.lines;
        let in_file = place.file.as_deref().is_some_and(|file| base(file) == base(&culprit.file));
        let in_lines = place.line.is_some_and(|line| first <= line && line <= last) && in_file;
        // Every file has its `<module>`: it must be one of the specimen's own.
        let own = place.file.as_deref().is_some_and(|file| Path::new(file).starts_with(&self.folder));
        let telling = own || !place.function.starts_with('<');
        in_lines || telling && named.into_iter().any(|name| bare(name) == bare(&place.function))
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A function's name without parameters, class, package and receiver: `main.(*client).price` is `price`.
fn bare(name: &str) -> &str {
    let name = match name.rfind(").") {
        Some(receiver) => name.get(receiver + 2..).unwrap_or(name),
        None => name.split('(').find(|part| !part.is_empty()).unwrap_or(name),
    };
    let name = name.rsplit("::").next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

fn is_newer(built: &Path, source: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    time(built).zip(time(source)).is_some_and(|(built, source)| built > source)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::NONE;
    use super::{Health, Specimen, bare, base, load};
    use crate::process::workspace_root;

    #[test]
    fn names_are_compared_without_what_surrounds_them() {
        for (name, wanted) in [
            ("Desk::rate_of(int, unsigned int)", "rate_of"),
            ("main.(*client).price", "price"),
            ("Shop.grams", "grams"),
            ("sick::Depot::next_parcel", "next_parcel"),
            ("weigh", "weigh"),
        ] {
            assert_eq!(bare(name), wanted);
        }
    }

    #[test]
    fn every_specimen_has_its_sources_and_a_culprit_in_them() {
        let specimens = workspace_root().unwrap().join("specimens");
        for corpus in ["causes", "unseen", "packages"] {
            let loaded = load(&specimens.join(corpus), &[]).unwrap();
            let folders = fs::read_dir(specimens.join(corpus)).unwrap();
            let folders = folders.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
            assert_eq!(loaded.len(), folders, "{corpus}: a folder without specimen.toml");
            for specimen in &loaded {
                specimen.source(Health::Healthy).unwrap();
                packages_are_pinned(specimen);
                if specimen.truth.cause != NONE {
                    culprit_is_in(specimen, &specimen.source(Health::Sick).unwrap());
                }
            }
        }
    }

    /// The lines exist, where the culprit is in the source itself.
    fn culprit_is_in(specimen: &Specimen, source: &Path) {
        let culprit = &specimen.truth.culprit;
        let (first, last) = culprit.lines;
        assert!(first <= last, "{}", specimen.name);
        let name = source.file_name().unwrap().to_string_lossy();
        if base(&culprit.file) == name {
            let lines = fs::read_to_string(source).unwrap().lines().count();
            assert!(last as usize <= lines, "{}: {name} has {lines} lines", specimen.name);
        }
    }

    fn packages_are_pinned(specimen: &Specimen) {
        let Specimen { name, folder, truth } = specimen;
        let packages = truth.packages.iter().chain(&truth.healthy_packages);
        assert_eq!(truth.registry.is_none(), truth.packages.is_empty(), "{name}");
        for package in packages {
            let version = package.split_once(['=', '@']).map_or("", |(_, version)| version);
            assert!(version.contains(|letter: char| letter.is_ascii_digit()), "{name}: {package}");
        }
        if truth.registry.is_some() {
            let text = fs::read_to_string(folder.join("specimen.toml")).unwrap();
            let table: toml::Table = toml::from_str(&text).unwrap();
            assert!(table.contains_key("cited"), "{name}: where is it documented?");
        }
    }
}
