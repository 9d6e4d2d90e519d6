//! `cargo xtask bench`: the figures of GOALS.md, each by one command, with the peers in the same sitting.
//!
//! Every command prints a table with n and Clopper-Pearson bounds beside each rate, and keeps the raw samples and the
//! table below `target/bench`.

mod account;
mod accuracy;
mod alarms;
mod case;
mod compare;
mod counts;
mod growth;
mod heap;
mod import;
mod load;
mod memory;
mod need;
mod peers;
mod plant;
mod programs;
mod rules;
mod runner;
mod sampler;
mod simulate;
mod sitting;
mod slowpath;
mod table;
mod valgrind;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// The account against specimens that log their own truth, at levels C, A and D: R4.
    Account(account::AccountOptions),
    /// Right culprit, right cause, healthy twins left alone, honest bounds: R1, R2, R3, R5.
    Accuracy(accuracy::AccuracyOptions),
    /// What sampling and the off-CPU account cost and keep, beside perf, samply and py-spy: P3, P4, P6, P9.
    Sampler(sampler::SamplerOptions),
    /// What the heap pass costs and how right its sites are, beside heaptrack and memray: P5.
    Heap(heap::HeapOptions),
    /// How fast recordings of other tools are read, beside perf script and inferno: P8.
    Import(import::ImportOptions),
    /// How fast files of valgrind's instruments are read, beside its own viewers: P7.
    Valgrind(valgrind::ValgrindOptions),
    /// False alarms, planted changes, honest "inconclusive": C1 to C4; with --counts C5.
    Compare {
        #[command(flatten)]
        options: Options,
        /// Instruction counts instead: C5
        #[arg(long)]
        counts: bool,
        /// Peers get every N-th of our trials
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
        peer_every: u32,
    },
    /// Classes of growth and exponents of programs whose truth is known: R6, R7.
    Growth {
        #[command(flatten)]
        options: Options,
    },
    /// What the runner costs and how right its peak memory is: P1, P2.
    Runner {
        #[command(flatten)]
        options: Options,
    },
    /// How often the printed intervals cover and the tests err, by simulation: C7.
    Stats {
        #[command(flatten)]
        options: Options,
    },
}

/// What every sitting may be told.
#[derive(Args, Clone)]
pub(crate) struct Options {
    /// A handful of trials, to see that everything works
    #[arg(long)]
    pub(crate) quick: bool,
    /// Trials: A/A comparisons, rounds, or resamples
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) trials: Option<u32>,
    /// Keeps a fixed background load running for the whole sitting
    #[arg(long)]
    pub(crate) load: bool,
    /// Leaves the peers out
    #[arg(long)]
    pub(crate) no_peers: bool,
    /// The hyperfine to measure beside ours; searched for or built when left out
    #[arg(long, value_name = "PATH")]
    pub(crate) hyperfine: Option<PathBuf>,
    /// Seeds every random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Options {
    /// The asked number of trials, else one of the two sizes.
    pub(crate) fn trials(&self, full: u32, quick: u32) -> u32 {
        self.trials.unwrap_or(if self.quick { quick } else { full })
    }
}

pub(crate) fn bench(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Account(asked) => account::account(asked),
        Bench::Accuracy(asked) => accuracy::accuracy(asked),
        Bench::Sampler(asked) => sampler::sampler(asked),
        Bench::Heap(asked) => heap::heap(asked),
        Bench::Import(asked) => import::import(asked),
        Bench::Valgrind(asked) => valgrind::valgrind(asked),
        Bench::Compare { options, counts: false, peer_every } => compare::compare(options, *peer_every),
        Bench::Compare { options, counts: true, .. } => counts::counts(options),
        Bench::Growth { options } => growth::growth(options),
        Bench::Runner { options } => runner::runner(options),
        Bench::Stats { options } => simulate::simulate(options),
    }
}
