//! The words of `slowpath gate`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::ShowOptions;
use super::parse::{self, Share};

#[derive(Debug, Args)]
pub(crate) struct Gate {
    /// Scenarios of `slowpath.toml`; all of them without it
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<String>,
    /// Holds them against a git revision, measured in turns: BASE or BASE..HEAD
    ///
    /// Each revision is checked out into a worktree of its own and built there; BASE alone is compared with HEAD. Nothing
    /// but the code differs between the two sides, so this is the baseline to trust.
    #[arg(long, value_name = "BASE[..HEAD]", conflicts_with = "baseline")]
    pub(crate) rev: Option<String>,
    /// Builds a revision, in its worktree; else `build` of `slowpath.toml`
    #[arg(long, value_name = "CMD", requires = "rev")]
    pub(crate) build: Option<OsString>,
    /// Holds them against stored results: what --save wrote, or a run of `gate` or `bench`
    #[arg(long, value_name = "RUN|FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Writes the results as a baseline for later gates
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// The smallest change that matters; else `margin` of the scenario, else 2 %
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    pub(crate) margin: Option<Share>,
    /// Most pairs before a verdict (with --rev); else `pairs` of the scenario, else 30
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) pairs: Option<u32>,
    /// Ends with exit status 0 where nothing is broken but something is inconclusive
    #[arg(long)]
    pub(crate) allow_inconclusive: bool,
    /// Does not record broken scenarios to find out why they are slow
    #[arg(long)]
    pub(crate) no_record: bool,
    /// Writes the verdicts for a test reporter
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Writes the findings of broken scenarios for a code scanner
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Seeds every random choice
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
}
