//! A specimen's own log: what it did with its time. The lines are described in `specimens/account/truth.h`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Seconds by leaf. A leaf without its last part (`on-cpu`) stands for any below it.
pub(crate) type Leaves = BTreeMap<String, f64>;

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Truth {
    /// Main threads and their seconds: one program after the other on the critical path.
    walls: Vec<(u32, f64)>,
    pub(crate) threads: BTreeMap<u32, Leaves>,
    charges: Vec<Charge>,
    /// Seconds a thread waited for work without holding anybody up.
    pub(crate) idle: BTreeMap<u32, f64>,
    /// Seconds on a CPU by function.
    pub(crate) functions: BTreeMap<String, f64>,
}

/// A wait that stands for another's work.
#[derive(Debug, PartialEq)]
struct Charge {
    thread: u32,
    from: String,
    to: String,
    seconds: f64,
    /// To leave it with the wait is right too.
    may: bool,
}

impl Truth {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        ensure!(text.ends_with('\n'), "the truth log is cut");
        let mut truth = Self::default();
        for line in text.lines() {
            truth.line(line).with_context(|| format!("`{line}` is no line of a truth log"))?;
        }
        ensure!(!truth.walls.is_empty(), "the truth log does not tell how long the specimen ran");
        Ok(truth)
    }

    fn line(&mut self, line: &str) -> Result<()> {
        let value: Value = serde_json::from_str(line)?;
        let number =
            |name: &str| value.get(name).and_then(Value::as_f64).with_context(|| format!("no {name}"));
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let thread = value.get("thread").and_then(Value::as_u64).context("no thread")?;
        let thread = u32::try_from(thread)?;
        if value.get("wall").is_some() {
            self.walls.push((thread, number("wall")?));
        } else if value.get("idle").is_some() {
            *self.idle.entry(thread).or_default() += number("idle")?;
        } else if let Some(leaf) = text("leaf") {
            *self.threads.entry(thread).or_default().entry(leaf).or_default() += number("seconds")?;
        } else if let Some(name) = text("function") {
            *self.functions.entry(name).or_default() += number("seconds")?;
        } else if let (Some(to), Some(from)) = (text("charged"), text("from")) {
            let may = value.get("may").and_then(Value::as_bool).context("no may")?;
            self.charges.push(Charge { thread, from, to, seconds: number("seconds")?, may });
        } else {
            bail!("unknown kind");
        }
        Ok(())
    }

    /// From the start of each `main` to its end.
    pub(crate) fn wall(&self) -> f64 {
        self.walls.iter().map(|(_, seconds)| seconds).sum()
    }

    /// Whether two readings of the critical path are right.
    pub(crate) fn ambiguous(&self) -> bool {
        self.charges.iter().any(|charge| charge.may)
    }

    /// The critical path: the main threads' own time, waits replaced by the work they were for, and of those waits whose
    /// replacement is a matter of taste this `part`.
    pub(crate) fn path(&self, part: f64) -> Leaves {
        let mut path = Leaves::new();
        for leaves in self.walls.iter().filter_map(|(thread, _)| self.threads.get(thread)) {
            for (leaf, seconds) in leaves {
                *path.entry(leaf.clone()).or_default() += seconds;
            }
        }
        let main = |thread: u32| self.walls.iter().any(|(main, _)| *main == thread);
        for charge in self.charges.iter().filter(|charge| main(charge.thread)) {
            let seconds = charge.seconds * if charge.may { part } else { 1.0 };
            *path.entry(charge.from.clone()).or_default() -= seconds;
            *path.entry(charge.to.clone()).or_default() += seconds;
        }
        path
    }

    /// The share of a function among all that were logged.
    pub(crate) fn share(&self, function: &str) -> Option<f64> {
        let whole: f64 = self.functions.values().sum();
        self.functions.get(function).filter(|_| whole > 0.0).map(|seconds| seconds / whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"wall": 1.0, "thread": 7}
{"leaf": "blocked/child", "seconds": 0.9, "thread": 7}
{"leaf": "on-cpu", "seconds": 0.1, "thread": 7}
{"leaf": "on-cpu/user", "seconds": 0.8, "thread": 8}
{"charged": "on-cpu/user", "from": "blocked/child", "may": false, "seconds": 0.8, "thread": 7}
{"function": "heavy", "seconds": 0.6, "thread": 8}
{"function": "light", "seconds": 0.2, "thread": 8}
"#;

    fn close(path: &Leaves, leaf: &str, wanted: f64) {
        assert!((path[leaf] - wanted).abs() < 1e-9, "{leaf}: {path:?}");
    }

    #[test]
    fn a_wait_for_a_child_is_its_work_on_the_path_and_a_wait_in_the_thread() {
        let truth = Truth::parse(LOG).unwrap();
        let path = truth.path(0.0);
        close(&path, "on-cpu/user", 0.8);
        close(&path, "blocked/child", 0.1);
        close(&truth.threads[&7], "blocked/child", 0.9);
        assert_eq!(truth.share("heavy").map(|share| (share * 100.0).round()), Some(75.0));
    }

    #[test]
    fn a_charge_of_taste_is_made_as_far_as_asked_for() {
        let truth = Truth::parse(&LOG.replace("false", "true")).unwrap();
        assert!(truth.ambiguous());
        close(&truth.path(0.0), "blocked/child", 0.9);
        close(&truth.path(0.5), "blocked/child", 0.5);
        close(&truth.path(1.0), "on-cpu/user", 0.8);
    }

    #[test]
    fn a_cut_or_unknown_log_is_an_error() {
        for log in ["", "{\"wall\": 1}\n", "{\"thread\": 1}\n", &LOG[..LOG.len() - 1], &LOG[27..]] {
            assert!(Truth::parse(log).is_err(), "{log}");
        }
    }
}
