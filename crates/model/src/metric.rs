//! What is measured of each run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sample;

/// A quantity of one run that can be pooled and compared. Less is better for each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    Wall,
    Cpu,
    User,
    System,
    Rss,
    MinorFaults,
    MajorFaults,
    VoluntarySwitches,
    InvoluntarySwitches,
    ReadBytes,
    WrittenBytes,
    BlockReadBytes,
    BlockWrittenBytes,
    Instructions,
}

/// The unit a metric's numbers are in on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "B")]
    Bytes,
    #[serde(rename = "1")]
    One,
}

impl Metric {
    /// Everything one timed run yields, in the order it is shown.
    pub const TIMED: [Self; 13] = [
        Self::Wall,
        Self::Cpu,
        Self::User,
        Self::System,
        Self::Rss,
        Self::MinorFaults,
        Self::MajorFaults,
        Self::VoluntarySwitches,
        Self::InvoluntarySwitches,
        Self::ReadBytes,
        Self::WrittenBytes,
        Self::BlockReadBytes,
        Self::BlockWrittenBytes,
    ];

    /// The metrics a comparison judges.
    pub const JUDGED: [Self; 3] = [Self::Wall, Self::Cpu, Self::Rss];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::User => "user",
            Self::System => "system",
            Self::Rss => "rss",
            Self::MinorFaults => "minor-faults",
            Self::MajorFaults => "major-faults",
            Self::VoluntarySwitches => "voluntary-switches",
            Self::InvoluntarySwitches => "involuntary-switches",
            Self::ReadBytes => "read-bytes",
            Self::WrittenBytes => "written-bytes",
            Self::BlockReadBytes => "block-read-bytes",
            Self::BlockWrittenBytes => "block-written-bytes",
            Self::Instructions => "instructions",
        }
    }

    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Wall | Self::Cpu | Self::User | Self::System => Unit::Seconds,
            Self::Rss
            | Self::ReadBytes
            | Self::WrittenBytes
            | Self::BlockReadBytes
            | Self::BlockWrittenBytes => Unit::Bytes,
            Self::MinorFaults
            | Self::MajorFaults
            | Self::VoluntarySwitches
            | Self::InvoluntarySwitches
            | Self::Instructions => Unit::One,
        }
    }

    /// The metric's value of one run, in its unit. `None` when the machine did not give it.
    #[must_use]
    pub fn of(self, sample: &Sample) -> Option<f64> {
        let io = sample.io;
        match self {
            Self::Wall => Some(sample.wall.as_secs_f64()),
            Self::Cpu => Some(sample.cpu()?.as_secs_f64()),
            Self::User => Some(sample.user.as_secs_f64()),
            Self::System => Some(sample.system.as_secs_f64()),
            Self::Rss => Some(sample.peak_rss.as_f64()),
            Self::MinorFaults => Some(sample.minor_faults.as_f64()),
            Self::MajorFaults => Some(sample.major_faults.as_f64()),
            Self::VoluntarySwitches => Some(sample.voluntary_switches.as_f64()),
            Self::InvoluntarySwitches => Some(sample.involuntary_switches.as_f64()),
            Self::ReadBytes => io.map(|io| io.read.as_f64()),
            Self::WrittenBytes => io.map(|io| io.written.as_f64()),
            Self::BlockReadBytes => io.map(|io| io.block_read.as_f64()),
            Self::BlockWrittenBytes => io.map(|io| io.block_written.as_f64()),
            Self::Instructions => None,
        }
    }
}
