//! `cargo xtask test`: everything that must hold before a change goes in, in one command.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::packages;
use crate::process::{self, cargo, follow};
use crate::tidy;

/// Walks through the steps and stops at the first that does not pass.
pub(crate) fn test() -> Result<()> {
    walk(&STEPS, &process::workspace_root()?)
}

struct Step {
    name: &'static str,
    act: fn(&Path) -> Result<()>,
}

const STEPS: [Step; 5] = [
    Step { name: "packages", act: packages::provide },
    Step { name: "format", act: |root| follow(cargo(root).args(["fmt", "--all", "--check"])) },
    Step { name: "lint", act: |root| follow(cargo(root).args(LINT)) },
    Step { name: "tidy", act: tidy::tidy_at },
    // Last and unfiltered, so that cargo's closing lines are the ones a reader sees.
    Step { name: "tests", act: |root| follow(cargo(root).args(TESTS)) },
];

/// All that fails is told at once.
const TESTS: [&str; 3] = ["test", "--workspace", "--no-fail-fast"];

const LINT: [&str; 6] = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];

fn walk(steps: &[Step], root: &Path) -> Result<()> {
    let began = Instant::now();
    for (index, step) in steps.iter().enumerate() {
        let place = format!("[{}/{}] {}", index + 1, steps.len(), step.name);
        eprintln!("{place}");
        let step_began = Instant::now();
        let outcome = (step.act)(root);
        let took = step_began.elapsed().as_secs_f64();
        outcome
            .with_context(|| format!("{place} did not pass ({took:.1} s); the steps after it did not run"))?;
        eprintln!("{place}: passed in {took:.1} s");
    }
    let took = began.elapsed().as_secs_f64();
    eprintln!("all {} steps passed in {took:.1} s", steps.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn the_first_failing_step_is_named_and_ends_the_walk() {
        let steps = [
            Step { name: "fine", act: |_| Ok(()) },
            Step { name: "broken", act: |_| bail!("a reason") },
            Step { name: "after", act: |_| unreachable!("the walk goes on after a failure") },
        ];
        let error = walk(&steps, Path::new(".")).unwrap_err();
        assert!(error.to_string().starts_with("[2/3] broken did not pass"));
        assert_eq!(error.root_cause().to_string(), "a reason");
    }

    #[test]
    fn every_step_has_its_own_name() {
        let mut names = STEPS.map(|step| step.name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
