//! Whether on-CPU shares agree with perf, and for Python with py-spy, within sampling error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use model::profile::Profile;
use serde_json::json;

use super::super::account::{Built, Language, Truth, is_function, split};
use super::super::sitting::Sitting;
use super::super::table::{Figure, Table};
use super::profilers::{Order, Profiler, Profilers, RATE};
use crate::process::stdout_of;

const LANGUAGES: [Language; 6] =
    [Language::C, Language::Rust, Language::Go, Language::Python, Language::Node, Language::Java];

/// Hits in the two functions, and what the program says of the same run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    heavy: f64,
    light: f64,
    /// How many of them tell something of their own: several may share one look at an interpreter.
    independent: f64,
    /// Seconds, as logged.
    true_heavy: f64,
    true_light: f64,
}

/// All rounds of a language and a profiler, added up.
#[derive(Default)]
pub(super) struct Agreement {
    seen: BTreeMap<(&'static str, Profiler), (Seen, u64)>,
}

impl Agreement {
    /// slowpath and its peer on each language, one after the other.
    pub(super) fn round(
        &mut self,
        sitting: &mut Sitting,
        built: &Built,
        profilers: &Profilers,
        seconds: f64,
        folder: &Path,
    ) -> Result<()> {
        for language in LANGUAGES {
            let Some(argv) = split(language).and_then(|specimen| built.argv(specimen, seconds)) else {
                continue;
            };
            for profiler in [Profiler::Slowpath, peer(language)] {
                if !profilers.has(profiler) {
                    continue;
                }
                let seen = seen(profilers, profiler, &argv, folder);
                let outcome = seen
                    .as_ref()
                    .map(|seen| json!([seen.heavy, seen.light, seen.true_heavy, seen.true_light]));
                let outcome = outcome.unwrap_or_else(|error| json!(format!("{error:#}")));
                sitting.keep(&json!({"shares": name(language), "who": profiler.name(), "heavy, light, truth": outcome}))?;
                if let Ok(seen) = seen {
                    let (sum, rounds) = self.seen.entry((name(language), profiler)).or_default();
                    *sum = sum.plus(seen);
                    *rounds += 1;
                }
            }
        }
        Ok(())
    }

    pub(super) fn rows(&self, table: &mut Table) {
        for language in LANGUAGES {
            let of = |profiler| self.seen.get(&(name(language), profiler));
            let what = format!("share of the heavier function, {}", name(language));
            for profiler in [Profiler::Slowpath, peer(language)] {
                let figure = Figure { goal: "shares", what: &what, who: profiler.name() };
                match of(profiler) {
                    Some((seen, rounds)) => {
                        let text = format!(
                            "{:.2} %, truth {:.2} %, {:.0} hits",
                            100.0 * seen.share(),
                            100.0 * seen.truth(),
                            seen.hits()
                        );
                        table.value(&figure, text, *rounds, None);
                    }
                    None => table.value(&figure, "not measured".to_owned(), 0, None),
                }
            }
            let (Some((ours, rounds)), Some((theirs, _))) = (of(Profiler::Slowpath), of(peer(language)))
            else {
                continue;
            };
            let (apart, error) = ours.apart(theirs);
            let who = format!("slowpath against {}", peer(language).name());
            let text = format!("{:+.2} points", 100.0 * apart);
            let wanted = format!("within {:.2}", 100.0 * error);
            table.goal(
                &Figure { goal: "shares", what: &what, who: &who },
                text,
                *rounds,
                "-",
                &wanted,
                apart.abs() <= error,
            );
        }
        table.note("shares: both runs are first held against their own logs; sampling error at 95 % of both together, by slowpath's own interval where hits share looks");
    }
}

fn name(language: Language) -> &'static str {
    match language {
        Language::C => "C",
        Language::Rust => "Rust",
        Language::Go => "Go",
        Language::Python => "Python",
        Language::Node => "Node",
        Language::Java => "Java",
        Language::Shell => "shell",
    }
}

/// perf sees no Python function.
fn peer(language: Language) -> Profiler {
    if language == Language::Python { Profiler::PySpy } else { Profiler::PerfFramePointers }
}

impl Seen {
    fn plus(self, more: Self) -> Self {
        Self {
            heavy: self.heavy + more.heavy,
            light: self.light + more.light,
            independent: self.independent + more.independent,
            true_heavy: self.true_heavy + more.true_heavy,
            true_light: self.true_light + more.true_light,
        }
    }

    fn hits(self) -> f64 {
        self.heavy + self.light
    }

    fn share(self) -> f64 {
        self.heavy / self.hits()
    }

    fn truth(self) -> f64 {
        self.true_heavy / (self.true_heavy + self.true_light)
    }

    /// The difference of two shares, each less its own truth, and what chance explains of it in 19 of 20 cases.
    fn apart(self, other: &Self) -> (f64, f64) {
        let apart = (self.share() - self.truth()) - (other.share() - other.truth());
        let variance = |seen: &Self| seen.share() * (1.0 - seen.share()) / seen.independent;
        (apart, 1.96 * (variance(&self) + variance(other)).sqrt())
    }
}

fn seen(profilers: &Profilers, profiler: Profiler, argv: &[String], folder: &Path) -> Result<Seen> {
    let maps = profiler == Profiler::PerfFramePointers;
    let turn = profilers.turn(&Order { profiler, argv, folder, rate: Some(RATE), maps })?;
    let truth = Truth::parse(&fs::read_to_string(&turn.left.truth).context("the specimen left no log")?)?;
    let mut each = 1.0;
    let (heavy, light) = match profiler {
        Profiler::Slowpath => {
            let profile = serde_json::from_slice(&turn.stdout).context("no `slowpath.profile/1`")?;
            each = independence(&profile);
            of_profile(&profile)
        }
        Profiler::PySpy => of_folded(&fs::read_to_string(&turn.left.output)?),
        _ => of_perf(&turn.left.output)?,
    };
    ensure!(heavy + light > 0.0, "neither function was seen");
    let seconds = |name: &str| truth.functions.get(name).copied().unwrap_or(0.0);
    let independent = (heavy + light) * each;
    Ok(Seen { heavy, light, independent, true_heavy: seconds("heavy"), true_light: seconds("light") })
}

fn of_profile(profile: &Profile) -> (f64, f64) {
    let total = |name: &str| -> f64 {
        let named = profile.hotspots.iter().filter(|hotspot| is_function(&hotspot.place.function, name));
        named.map(|hotspot| hotspot.total.value * profile.hits as f64).sum()
    };
    (total("heavy"), total("light"))
}

/// The part of its hits that its own interval of the heavier function counts.
fn independence(profile: &Profile) -> f64 {
    let named = profile.hotspots.iter().filter(|hotspot| is_function(&hotspot.place.function, "heavy"));
    let widest = named.map(|hotspot| hotspot.total).max_by(|one, other| one.value.total_cmp(&other.value));
    let counted = widest.map(|share| {
        let error = (share.high - share.low) / 2.0 / 1.96;
        share.value * (1.0 - share.value) / (error * error) / profile.hits as f64
    });
    counted.filter(|part| part.is_finite()).map_or(1.0, |part| part.min(1.0))
}

/// Lines `a;b;heavy (file:12) 34`.
fn of_folded(text: &str) -> (f64, f64) {
    let mut counts = (0.0, 0.0);
    for line in text.lines() {
        let Some((stack, count)) = line.rsplit_once(' ') else { continue };
        let count = count.parse().unwrap_or(0.0);
        if is_function(stack, "heavy") {
            counts.0 += count;
        } else if is_function(stack, "light") {
            counts.1 += count;
        }
    }
    counts
}

/// perf's own reading of its samples, the innermost function alone. The maps that runtimes left for it are removed.
fn of_perf(file: &Path) -> Result<(f64, f64)> {
    let mut perf = Command::new("perf");
    let printed = stdout_of(perf.args(["script", "-G", "-F", "pid,ip,sym", "-i"]).arg(file))?;
    let text = String::from_utf8_lossy(&printed);
    let pids: BTreeSet<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for pid in pids {
        let _ = fs::remove_file(format!("/tmp/perf-{pid}.map"));
    }
    let count = |name: &str| text.lines().filter(|line| is_function(line, name)).count() as f64;
    Ok((count("heavy"), count("light")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_stacks_count_by_the_function_on_them() {
        let text = "<module> (twin.py:94);split (twin.py:55);heavy (twin.py:40) 456\nmain;light (twin.py:47) 44\nmain;queued 9\n";
        assert_eq!(of_folded(text), (456.0, 44.0));
    }

    #[test]
    fn shares_are_held_against_their_own_truth_first() {
        let seen = |heavy: f64, independent| Seen {
            heavy: heavy * 1000.0,
            light: 1000.0 - heavy * 1000.0,
            independent,
            true_heavy: heavy,
            true_light: 1.0 - heavy,
        };
        let (apart, error) = seen(0.7, 1000.0).apart(&seen(0.68, 1000.0));
        assert!(apart.abs() < 1e-9 && (0.03..0.05).contains(&error), "{apart} {error}");
        let (_, shared) = seen(0.7, 250.0).apart(&seen(0.68, 250.0));
        assert!((shared / error - 2.0).abs() < 1e-6, "{shared} {error}");
    }
}
