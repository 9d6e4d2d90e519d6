//! The words of the scorecard: what it is held against and where it goes.

use std::path::PathBuf;

use clap::Args;

use super::parse::{self, Share};

/// What the run is held against, and where its findings go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scorecard")]
pub(crate) struct ScoreOptions {
    /// Compares with an earlier run or `benchmark_summary.json`; a regression ends with exit status 1
    ///
    /// Wall time, CPU time, peak memory and instructions are compared size by size, tiers dimension by dimension. Times
    /// of two sittings must differ by a quarter (twice, where the machine was busy) before they count. What cannot be
    /// read ends with exit status 2, another workload or machine with 6.
    #[arg(long, value_name = "RUN|FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Compares with the last and the best line of this file, then appends one
    ///
    /// Lines are compared only with those of the same command, tier, sizes and machine. Lines that cannot be read stay as
    /// they are, with a warning.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Writes the findings of the scorecard to this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) findings_out: Option<PathBuf>,
    /// Wall times that differ by more are noise, unless the machine was shown to be quiet
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = parse::share)]
    pub(crate) max_cv: Share,
}
