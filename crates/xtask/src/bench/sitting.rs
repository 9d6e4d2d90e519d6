//! One sitting: its folder, its seed, its load, its way to be stopped, and the conditions printed with every table.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use run::Interrupt;
use serde_json::{Value, json};

use super::Options;
use super::load::{GENERATORS, Load};
use super::table::Table;
use crate::process::stdout_of;

pub(crate) struct Sitting {
    pub(crate) root: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) seed: u64,
    name: &'static str,
    raw: File,
    raw_name: PathBuf,
    interrupt: Interrupt,
    load: Option<Load>,
    load_wanted: bool,
    load_before: String,
    began: Instant,
    versions: Vec<String>,
    cut_short: bool,
    /// Seconds and circumstances of the measuring, once it is over.
    ended: Option<(f64, String)>,
}

impl Sitting {
    /// Makes the folder `target/bench/NAME-UTC` and catches Ctrl-C from now on.
    pub(crate) fn open(root: &Path, name: &'static str, options: &Options) -> Result<Self> {
        let folder = root.join("target/bench").join(format!("{name}-{}", utc(SystemTime::now())));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let raw_name = folder.join("samples.jsonl");
        let raw =
            File::create(&raw_name).with_context(|| format!("cannot create `{}`", raw_name.display()))?;
        Ok(Self {
            root: root.to_owned(),
            folder,
            seed: options.seed,
            name,
            raw,
            raw_name,
            interrupt: Interrupt::install().context("cannot catch Ctrl-C")?,
            load: None,
            load_wanted: options.load,
            load_before: load_average(),
            began: Instant::now(),
            versions: machine(root),
            cut_short: false,
            ended: None,
        })
    }

    /// The measuring begins: the load starts here, where it is wanted, so that it does not slow down the building.
    pub(crate) fn begin(&mut self, load_program: &Path) -> Result<()> {
        if self.load_wanted {
            self.load = Some(Load::start(load_program, &self.folder)?);
            // Until the generators are all at it.
            std::thread::sleep(Duration::from_secs(1));
        }
        self.load_before = load_average();
        self.began = Instant::now();
        Ok(())
    }

    /// Whether the user wants to stop; what there is by then is still shown.
    pub(crate) fn stopped(&self) -> bool {
        self.interrupt.raised().is_some()
    }

    /// Remembers that the measuring was stopped before its end.
    pub(crate) fn cut_short(&mut self) {
        self.cut_short = true;
    }

    /// Adds one line to the raw samples.
    pub(crate) fn keep(&mut self, line: &Value) -> Result<()> {
        writeln!(self.raw, "{line}").with_context(|| format!("cannot write `{}`", self.raw_name.display()))
    }

    /// Names what the figures depend on, such as a peer's version.
    pub(crate) fn version(&mut self, line: impl Into<String>) {
        self.versions.push(line.into());
    }

    /// The progress line, between trials.
    pub(crate) fn progress(&self, done: usize, all: usize, what: &str) {
        let spent = self.began.elapsed().as_secs_f64();
        let left = spent / done.max(1) as f64 * (all - done.min(all)) as f64;
        let left = if done == 0 { "?".to_owned() } else { format!("{:.0} s", left) };
        eprint!("\r\x1b[K{done}/{all}, {spent:.0} s spent, about {left} left: {what}");
    }

    /// The measuring is over: the load ends here, so that it does not slow down the sums.
    pub(crate) fn end(&mut self) {
        if self.ended.is_none() {
            eprint!("\r\x1b[K");
            let spent = self.began.elapsed().as_secs_f64();
            self.ended = Some((spent, self.conditions(spent)));
            drop(self.load.take());
        }
    }

    /// Prints the table with the conditions, and stores both forms.
    pub(crate) fn close(mut self, mut table: Table) -> Result<()> {
        self.end();
        let (spent, conditions) = self.ended.clone().unwrap_or_default();
        table.note(conditions.clone());
        for version in &self.versions {
            table.note(version.clone());
        }
        if self.cut_short {
            table.note("stopped early by a signal: the trials so far");
        }
        let text = format!("cargo xtask bench {}\n\n{}\n", self.name, table.text());
        println!("{text}");
        println!("raw samples and this table: {}", self.folder.display());
        let whole = json!({
            "name": self.name, "seed": self.seed, "seconds": spent, "load": self.load_wanted,
            "conditions": conditions, "versions": self.versions, "table": table.json(),
        });
        self.store("table.txt", &text)?;
        self.store("table.json", &format!("{whole:#}\n"))
    }

    /// Stores a file in the sitting's folder.
    pub(crate) fn store(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    }

    fn conditions(&mut self, spent: f64) -> String {
        let load = match self.load.as_mut().map(Load::alive) {
            Some(alive) => format!("under load: {alive} of {GENERATORS} generators still running at the end"),
            None => "no load of ours".to_owned(),
        };
        let (before, after) = (&self.load_before, load_average());
        format!(
            "seed {}, {spent:.0} s, {load}, load average {before} at the start, {after} at the end",
            self.seed
        )
    }
}

fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// The machine and the tools every table names.
fn machine(root: &Path) -> Vec<String> {
    let cores =
        std::thread::available_parallelism().map_or_else(|_| "?".to_owned(), |cores| cores.to_string());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut revision = Command::new("git");
    revision.args(["describe", "--always", "--dirty"]).current_dir(root);
    let tools = [
        ("gcc", first_line(Command::new("gcc").arg("--version"))),
        ("valgrind", first_line(Command::new("valgrind").arg("--version"))),
        ("python3", first_line(Command::new("python3").arg("--version"))),
        ("slowpath at", first_line(&mut revision)),
    ];
    let named = tools.map(|(name, version)| format!("{name}: {version}")).join(", ");
    vec![format!("{}, {cores} cores, Linux {}", processor(), kernel.trim()), named]
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| "unknown processor".to_owned(), |(_, model)| model.to_owned())
}

/// The first line a tool prints, or that it is missing.
fn first_line(command: &mut Command) -> String {
    let printed = stdout_of(command).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    printed.and_then(|text| text.lines().next().map(str::to_owned)).unwrap_or_else(|| "missing".to_owned())
}

/// As in `20260131T235959Z`.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}{month:02}{day:02}T{:02}{:02}{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// The date of a day since 1970: Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: u64, wanted: &str) {
        assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), wanted);
    }

    #[test]
    fn dates_are_right_around_leap_days() {
        check(0, "19700101T000000Z");
        check(951_782_399, "20000228T235959Z");
        check(951_782_400, "20000229T000000Z");
        check(1_709_251_200, "20240301T000000Z");
    }
}
