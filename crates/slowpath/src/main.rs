//! slowpath: why is this program slow? This file is the table of contents; each subcommand is one walk.

mod cli;
mod document;
mod generate;
mod heard;
mod hook;
mod progress;
mod request;
mod scenario;
mod show;
mod sitting;
mod stop;
mod walk;

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use cli::{Cli, Command};
use model::{Ended, Exit};
use show::End;
use stop::Stop;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let outcome = panic::catch_unwind(|| carry_out(&scenario::expand::expand(cli)?));
    match outcome {
        Ok(Ok(End::Exit(exit))) => ExitCode::from(exit.code()),
        Ok(Ok(End::Target(Ended::Code(code)))) => ExitCode::from(code),
        Ok(Ok(End::Target(Ended::Signal(signal)))) => ends_by(signal),
        Ok(Err(Stop::Interrupted { signal })) => {
            show::complain("interrupted: what was measured so far is kept\n");
            ends_by(signal)
        }
        Ok(Err(stop)) => {
            show::complain(&stop.render());
            ExitCode::from(stop.exit().code())
        }
        // The panic's own message is already on standard error.
        Err(_) => {
            show::complain(&Stop::Defect { what: "see the message above".to_owned() }.render());
            ExitCode::from(Exit::Defect.code())
        }
    }
}

fn carry_out(cli: &Cli) -> Result<End, Stop> {
    match &cli.command {
        None => walk::why::why(&cli.why),
        Some(Command::Why(named)) => walk::why::why(&named.why),
        Some(Command::Bench(bench)) => walk::bench::bench(bench),
        Some(Command::Compare(compare)) => walk::compare::compare(compare),
        Some(Command::Verify(verify)) => walk::verify::verify(verify),
        Some(Command::Gate(gate)) => walk::gate::gate(gate),
        Some(Command::Scale(scale)) => walk::scale::scale(scale),
        Some(Command::Record(record)) => walk::record::record(record),
        Some(Command::Import(import)) => walk::import::import(import),
        Some(Command::Export(export)) => walk::export::export(export),
        Some(Command::Explain(explain)) => walk::explain::explain(explain),
        Some(Command::Doctor(doctor)) => walk::doctor::doctor(doctor),
        Some(Command::Report(report)) => walk::report::report(report),
        Some(Command::Generate(wanted)) => {
            show::print(&generate::generate(&wanted.what)?)?;
            Ok(End::Exit(Exit::Answered))
        }
        Some(Command::Spin(spin)) => {
            std::hint::black_box(walk::doctor::spin(spin.rounds));
            Ok(End::Exit(Exit::Answered))
        }
    }
}

/// Help and version go to standard output; a mistake is told in our own form.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match show::print(&error.render().to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(stop) => ExitCode::from(stop.exit().code()),
        };
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let what = paragraphs.next().unwrap_or_default();
    let what = what.strip_prefix("error: ").unwrap_or(&what).to_owned();
    let tip = paragraphs.find_map(|part| part.strip_prefix("tip: ").map(str::to_owned));
    // What clap makes of a stray word is about values; what we say of it is about programs.
    let words: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    let next = cli::advice::next(error, &words);
    let why = tip.filter(|tip| !tip.starts_with("to pass"));
    let stop = Stop::Usage { what, why, next };
    show::complain(&stop.render());
    ExitCode::from(Exit::Usage.code())
}

/// Ends as the signal would have ended us, so that a shell loop stops too.
fn ends_by(signal: i32) -> ExitCode {
    run::interrupt::die_by(signal);
    // A signal that does not end a process by default: the shell's convention instead.
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(Exit::NothingMeasured.code()))
}
