//! The project's own tasks, started as `cargo xtask TASK`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task talks to the terminal; the fence is for the crates behind the binary"
)]

mod bench;
mod generate;
mod packages;
mod process;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Bench(bench) => bench::bench(&bench),
        Task::Test => test::test(),
        Task::Tidy => tidy::tidy(),
        Task::Generate { check: true } => generate::check(),
        Task::Generate { check: false } => generate::write(),
    };
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  because: {cause}");
    }
    ExitCode::FAILURE
}

/// Tasks of the slowpath repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure the figures of GOALS.md, peers in the same sitting.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Install the packages the tests need where allowed, then format, lint, tidy and test.
    Test,
    /// Check the fences: crate edges, licences, names, sizes, tables, generated files.
    Tidy,
    /// Write the man page, the completions and the schemas from the binary's own definition.
    Generate {
        /// Write nothing; fail when a file is stale.
        #[arg(long)]
        check: bool,
    },
}
