//! The words of `slowpath export`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Run folder, beginning of its name, `last`, or another tool's recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,
    /// Which time a flame graph or folded stacks show
    #[arg(long, value_enum, default_value_t = View::Cpu, value_name = "VIEW")]
    pub(crate) view: View,
    /// Turns a flame graph upside down: callers of the innermost functions
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Compares with this earlier run: a differential flame graph
    #[arg(long, value_name = "RUN")]
    pub(crate) against: Option<PathBuf>,
    /// The file to write; standard output without it, or as `-`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Export {
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One line a stack: `a;b;c 12`
    Folded,
    /// For `go tool pprof` and its kin, compressed
    Pprof,
    /// JSON for speedscope
    Speedscope,
    /// JSON for the Firefox Profiler
    Firefox,
    /// Trace events for Perfetto and Chrome
    Chrome,
    /// A flame graph: SVG
    Flame,
    /// Threads over time: SVG
    Timeline,
    /// The findings of `why` or `gate` for code scanners: SARIF 2.1.0
    Sarif,
    /// The performance map of `why` as ln-811's profile result: JSON
    #[value(name = "ln-811")]
    ProfileResult,
    /// The same as what ln-810's `record-worker-result` takes: JSON
    #[value(name = "ln-810")]
    WorkerResult,
    /// The same in the envelope of a worker's summary: JSON
    WorkerSummary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// On a CPU
    Cpu,
    /// Waiting
    OffCpu,
    /// Both
    Wall,
}
