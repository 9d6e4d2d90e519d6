//! The words of `slowpath verify`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use model::Metric;

use super::parse::{self, Share};
use super::{CountOptions, RecorderOptions, ShowOptions, TargetOptions};

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The `why` run whose finding is to be verified: folder, beginning of its name, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Which finding, by its cause or its rank; the first without it
    #[arg(long, value_name = "ID")]
    pub(crate) finding: Option<String>,
    /// The metric that decides
    ///
    /// Without it the one the finding is about: CPU time for causes that compute (instructions with --count), peak memory
    /// for memory that grows, wall time for everything that waits.
    #[arg(long, value_enum, value_name = "METRIC")]
    pub(crate) metric: Option<Decisive>,
    /// Metrics that may get worse: the price that was agreed on
    #[arg(long, value_enum, value_delimiter = ',', value_name = "METRIC")]
    pub(crate) allow: Vec<Decisive>,
    /// Shell command that tests the new program; a failure refutes the change
    ///
    /// Runs once, where the new program runs, before anything is measured.
    #[arg(long, value_name = "CMD")]
    pub(crate) tests: Option<OsString>,
    /// Lets the new program print something else
    ///
    /// Without it one run of each is compared first; where the old program repeats its own output and the new one does
    /// not, the change is refuted.
    #[arg(long)]
    pub(crate) other_output: bool,
    /// Old and new are git revisions: BASE or BASE..HEAD
    ///
    /// As in `compare`: each in a worktree of its own, built there with --build, and the stored command runs in both.
    #[arg(long, value_name = "BASE[..HEAD]", conflicts_with = "argv")]
    pub(crate) rev: Option<String>,
    /// Builds a revision, in its worktree
    #[arg(long, value_name = "CMD", requires = "rev")]
    pub(crate) build: Option<OsString>,
    /// The smallest change that matters
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = parse::share)]
    pub(crate) margin: Share,
    /// Most pairs before a verdict
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) pairs: u32,
    /// Leaves the recorded run of the new program out
    #[arg(long)]
    pub(crate) no_record: bool,
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) count: CountOptions,
    #[command(flatten)]
    pub(crate) recorder: RecorderOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// The new command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "rev")]
    pub(crate) argv: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Decisive {
    Wall,
    Cpu,
    Rss,
    Instructions,
}

impl Decisive {
    pub(crate) const fn metric(self) -> Metric {
        match self {
            Self::Wall => Metric::Wall,
            Self::Cpu => Metric::Cpu,
            Self::Rss => Metric::Rss,
            Self::Instructions => Metric::Instructions,
        }
    }
}
