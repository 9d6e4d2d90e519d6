//! The words of the tiers of `slowpath why`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use model::scale::Class;

use super::parse;
use super::scale::{Sizes, class, size, sizes};

/// How deep to look, and at which size.
#[derive(Debug, Args)]
#[command(next_help_heading = "Depth")]
pub(crate) struct TierOptions {
    /// How deep to look: each tier adds instruments, which run one after the other
    ///
    /// fast: timing, and one recorded run. medium: also cachegrind (instructions, simulated caches and branches) and
    /// callgrind (calls). deep: also massif and DHAT (the heap), perf stat, and tracemalloc in a Python target's own
    /// interpreter; perf record is not needed, the recorder of slowpath takes its place. asm: also the machine code of
    /// every hot loop. Simulators make a program 20 to 90 times slower; timing never comes from them.
    #[arg(long, value_enum, default_value_t = Tier::Fast, value_name = "TIER")]
    pub(crate) tier: Tier,
    /// Sizes that stand for {SIZE}: 1k,4k,16k or 1k..64k*2; the answer then has the growth
    ///
    /// At least three different ones, as for `slowpath scale`. All are timed in turns; from tier medium on their
    /// instructions are counted. The answer is about the largest, or the one that --size names.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    pub(crate) sizes: Option<Sizes>,
    /// The size that the answer is about, and that is simulated
    ///
    /// Without it the largest of --sizes is recorded, and the largest that takes at most 50 ms of CPU time, else the
    /// smallest, is simulated.
    #[arg(long, value_name = "N", value_parser = size)]
    pub(crate) size: Option<u64>,
    /// The growth that is allowed; a worse one ends with exit status 1
    ///
    /// Of --sizes, or of the sizes that a suite's own benchmarks have in their names. Without it the scorecard expects n log n,
    /// or as much as the data in memory grow where these grow faster, as a matrix of n rows does.
    #[arg(long, value_name = "CLASS", value_parser = class)]
    pub(crate) expected: Option<Class>,
    /// Shows simulated costs of sources below this folder only; the rest is one sum (repeatable)
    #[arg(long, value_name = "DIR")]
    pub(crate) source_prefix: Vec<PathBuf>,
    /// Time for all instruments of the tier; what would not fit is left out and named
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse::duration)]
    pub(crate) limit: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Tier {
    /// Timing and one recorded run
    Fast,
    /// And instructions, caches, branches, calls
    Medium,
    /// And the heap, counters, Python's allocations
    Deep,
    /// And the machine code of all hot loops
    Asm,
}
