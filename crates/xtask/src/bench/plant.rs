//! Planted slowdowns, true by instruction count before anything is claimed about them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::programs::Target;

/// Two commands whose instruction counts differ by a known share.
pub(crate) struct Plant {
    pub(crate) base: Target,
    pub(crate) new: Target,
    /// What cachegrind counts: new / base − 1.
    pub(crate) effect: f64,
}

/// A command of a size.
pub(crate) type Sized<'a> = &'a dyn Fn(u64) -> Target;

/// For each effect, the size whose command takes that much more instructions than that of `size`, each counted to be
/// sure. Anything further than a twentieth of the effect from what was wanted is an error.
pub(crate) fn plants(sized: Sized<'_>, size: u64, effects: &[f64]) -> Result<Vec<Plant>> {
    let base = sized(size);
    let counted = instructions(&base)?;
    // Start-up does not grow with the size, so the slope is taken from a second count.
    let further = instructions(&sized(size + size / 4))?;
    let slope = (further as f64 - counted as f64) / (size / 4) as f64;
    ensure!(slope > 0.0, "`{}` does not grow with its size", base.quoted());
    let plant = |effect: &f64| {
        let more = (counted as f64 * effect / slope).ceil() as u64;
        let new = sized(size + more);
        let reached = instructions(&new)? as f64 / counted as f64 - 1.0;
        let (wanted, percent) = (effect * 100.0, reached * 100.0);
        ensure!(
            (reached - effect).abs() <= effect / 20.0,
            "`{}` takes {percent:+.3} % instructions instead of {wanted:+.3} %",
            new.quoted()
        );
        Ok(Plant { base: base.clone(), new, effect: reached })
    };
    effects.iter().map(plant).collect()
}

/// The instructions cachegrind counts, address layout and hash seed pinned. Not slowpath's own counting, on purpose.
pub(crate) fn instructions(target: &Target) -> Result<u64> {
    let mut command = Command::new("setarch");
    command.args([
        "-R",
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    ]);
    command.args(&target.argv).env("PYTHONHASHSEED", "0").env("LC_ALL", "C");
    let output = command.output().context("cannot start valgrind; install it: apt-get install valgrind")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{}` under cachegrind: {}", target.quoted(), stderr.trim());
    counted(&stderr).with_context(|| format!("cachegrind printed no count for `{}`", target.quoted()))
}

/// The number in `==123== I   refs:      1,234,567`.
fn counted(stderr: &str) -> Option<u64> {
    let line = stderr.lines().find(|line| line.contains("I") && line.contains("refs:"))?;
    let (_, number) = line.split_once("refs:")?;
    number.trim().replace(',', "").parse().ok()
}

/// Whether valgrind is here at all.
pub(crate) fn valgrind_is_here() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join("valgrind").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_cachegrinds_words() {
        assert_eq!(counted("==1== Cachegrind\n==1== I   refs:      1,234,567\n"), Some(1_234_567));
        assert_eq!(counted("==1== I refs:        42\n"), Some(42));
        assert_eq!(counted("==1== Command: ./a\n"), None);
    }
}
