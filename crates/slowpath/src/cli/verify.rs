//! The words of `slowpath verify`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use model::Metric;
use model::scorecard::DIMENSIONS;

use super::parse::{self, Share};
use super::tier::Tier;
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
    /// What may get worse, the price that was agreed on: metrics, or dimensions of the scorecard
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub(crate) allow: Vec<Price>,
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
    ///
    /// The finding is then not looked for, and no dimension of the scorecard is checked for harm.
    #[arg(long)]
    pub(crate) no_record: bool,
    /// How deep to look at the new program; as deep as the stored run without it
    ///
    /// A dimension of the scorecard is checked for harm where both runs measured it. `fast` leaves valgrind out.
    #[arg(long, value_enum, value_name = "TIER")]
    pub(crate) tier: Option<Tier>,
    /// Time for all instruments of the tier
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse::duration)]
    pub(crate) limit: Duration,
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

/// What may pay for a gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Price {
    Wall,
    Cpu,
    Rss,
    Instructions,
    /// Algorithmic Scaling
    Scaling,
    /// Wall-Time Stability
    Stability,
    /// CPU Efficiency
    Efficiency,
    /// L1 Cache Efficiency
    L1,
    /// Last-Level Cache
    LastLevel,
    /// Branch Prediction
    Branches,
    /// Memory Profile
    Memory,
}

impl Price {
    /// `None` for a dimension.
    pub(crate) const fn metric(self) -> Option<Metric> {
        match self {
            Self::Wall => Some(Metric::Wall),
            Self::Cpu => Some(Metric::Cpu),
            Self::Rss => Some(Metric::Rss),
            Self::Instructions => Some(Metric::Instructions),
            _ => None,
        }
    }

    /// `None` for a metric.
    pub(crate) const fn dimension(self) -> Option<&'static str> {
        let [scaling, stability, efficiency, l1, last_level, branches, memory] = DIMENSIONS;
        match self {
            Self::Scaling => Some(scaling),
            Self::Stability => Some(stability),
            Self::Efficiency => Some(efficiency),
            Self::L1 => Some(l1),
            Self::LastLevel => Some(last_level),
            Self::Branches => Some(branches),
            Self::Memory => Some(memory),
            _ => None,
        }
    }
}
