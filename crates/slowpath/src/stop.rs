//! Every way a command can stop without an answer, and the one renderer of errors.

use std::error::Error;
use std::path::PathBuf;

use history::StoreError;
use model::{Ended, Exit};
use run::RunError;
use run::stdio::Input;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    #[error("{what}")]
    Usage { what: String, why: Option<String>, next: String },
    #[error("cannot find the command `{program}`")]
    NoProgram { program: String, why: String, next: String },
    #[error("cannot measure `{command}`")]
    Run {
        command: String,
        #[source]
        source: RunError,
    },
    #[error("run {run} of `{command}` failed: {}", ended_words(*ended))]
    TargetFailed { command: String, run: u32, ended: Ended, said: Option<String>, stdin: Input },
    #[error("run {run} of `{command}` printed something else")]
    OutputDiffers { command: String, run: u32, why: String },
    #[error("the {hook} command failed")]
    HookFailed { hook: &'static str, why: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot read `{}`", path.display())]
    NotRead { path: PathBuf, why: String, next: String },
    #[error("cannot write `{}`", path.display())]
    NotWritten { path: PathBuf, why: String, next: String },
    #[error("the two sides cannot be compared")]
    Unmatched { why: String },
    #[error("revision `{revision}` cannot be measured")]
    Revision { revision: String, why: String, next: String },
    #[error("nothing could be measured")]
    Nothing { why: String, next: String },
    /// Not an error of anybody: the user stopped us. What was measured is kept.
    #[error("interrupted")]
    Interrupted { signal: i32 },
    #[error("a defect in slowpath: {what}")]
    Defect { what: String },
}

impl Stop {
    pub(crate) fn usage(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), why: None, next: next.into() }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage { .. }
            | Self::NotRead { .. }
            | Self::NotWritten { .. }
            | Self::Revision { .. }
            | Self::Unmatched { .. } => Exit::Usage,
            Self::NoProgram { .. } | Self::TargetFailed { .. } | Self::OutputDiffers { .. } => {
                Exit::TargetFailed
            }
            Self::HookFailed { .. } => Exit::TargetFailed,
            Self::Run { source, .. } => run_exit(source),
            Self::Store(StoreError::NotWritten { .. }) => Exit::NothingMeasured,
            Self::Store(_) => Exit::Usage,
            Self::Nothing { .. } | Self::Interrupted { .. } => Exit::NothingMeasured,
            Self::Defect { .. } => Exit::Defect,
        }
    }

    /// What is behind the error, if more is known than its first line says.
    fn because(&self) -> Option<String> {
        match self {
            Self::Usage { why, .. } => why.clone(),
            Self::NoProgram { why, .. }
            | Self::OutputDiffers { why, .. }
            | Self::HookFailed { why, .. }
            | Self::NotRead { why, .. }
            | Self::NotWritten { why, .. }
            | Self::Unmatched { why }
            | Self::Revision { why, .. }
            | Self::Nothing { why, .. } => Some(why.clone()),
            Self::TargetFailed { said, .. } => said.as_ref().map(|said| format!("it said `{said}`")),
            Self::Run { source, .. } => Some(chain(source)),
            Self::Store(error) => error.source().map(chain),
            Self::Interrupted { .. } | Self::Defect { .. } => None,
        }
    }

    fn next_step(&self) -> Option<String> {
        Some(match self {
            Self::Usage { next, .. }
            | Self::NoProgram { next, .. }
            | Self::NotRead { next, .. }
            | Self::NotWritten { next, .. }
            | Self::Revision { next, .. }
            | Self::Nothing { next, .. } => next.clone(),
            Self::TargetFailed { ended, said, stdin, .. } => failed_next_step(*ended, said.as_deref(), stdin),
            Self::OutputDiffers { .. } => {
                "run it by hand twice and compare; a program whose output changes needs `--check` instead"
                    .to_owned()
            }
            Self::HookFailed { .. } => "run that command by hand".to_owned(),
            Self::Unmatched { .. } => "store results that share a benchmark name and a metric".to_owned(),
            Self::Run { source, .. } => run_next_step(source),
            Self::Store(error) => error.next_step(),
            Self::Interrupted { .. } => return None,
            Self::Defect { .. } => {
                "please report it with the command line and `slowpath doctor --json`".to_owned()
            }
        })
    }

    /// The error as people read it.
    pub(crate) fn render(&self) -> String {
        let mut text = format!("error: {}\n", inert(&self.to_string()));
        if let Some(because) = self.because() {
            text.push_str(&format!("  because: {}\n", inert(&because)));
        }
        if let Some(next) = self.next_step() {
            text.push_str(&format!("  try: {}\n", inert(&next)));
        }
        text
    }
}

/// Words of programs that miss a terminal (`ENOTTY` is `Inappropriate ioctl for device`).
const OF_TERMINALS: [&str; 4] = ["terminal", "tty", "TTY", "Inappropriate ioctl"];

/// What may help a target that failed. Whether it read its input is not known; that there was nothing in it is.
fn failed_next_step(ended: Ended, said: Option<&str>, stdin: &Input) -> String {
    let needs_terminal = said.is_some_and(|said| OF_TERMINALS.iter().any(|word| said.contains(word)));
    let mut steps: Vec<&str> = Vec::new();
    match (stdin, ended) {
        (Input::Null, Ended::Code(_)) if needs_terminal => {
            steps.push("`--stdin inherit --stdout inherit` lets it have your terminal");
        }
        (Input::Null, Ended::Code(_)) => {
            steps.push("`--stdin FILE` or `--stdin inherit` if it reads its input, which was empty");
        }
        _ => {}
    }
    if said.is_none() {
        steps.push("`--stderr inherit` shows what it says");
    }
    steps.push("`--ignore-failure` lets failed runs count");
    steps.join("; ")
}

fn run_exit(error: &RunError) -> Exit {
    match error {
        RunError::NotStarted { .. } | RunError::TimedOut { .. } => Exit::TargetFailed,
        RunError::NoDirectory { .. } | RunError::NoStream { .. } | RunError::NoSuchProcess { .. } => {
            Exit::Usage
        }
        RunError::NoRecorder { .. }
        | RunError::NoLauncher { .. }
        | RunError::NoEnd { .. }
        | RunError::NotCold { .. }
        | RunError::NotOurs { .. }
        | RunError::Interrupted { .. } => Exit::NothingMeasured,
        RunError::LauncherLost | RunError::RecorderLost | RunError::NoWait { .. } => Exit::Defect,
    }
}

fn run_next_step(error: &RunError) -> String {
    match error {
        RunError::NotStarted { source, .. } if source.raw_os_error() == Some(8) => {
            "give the script a `#!` line, or run it with `--shell`"
        }
        RunError::NotStarted { .. } => "run it by hand to see what the system says",
        RunError::NoDirectory { .. } => "check `--cwd`",
        RunError::NoSuchProcess { .. } => "`ps -ef` lists the processes",
        RunError::NoStream { .. } => "check the path given to `--stdin`, `--stdout` or `--stderr`",
        RunError::NoRecorder { .. } | RunError::NoLauncher { .. } => {
            "`slowpath doctor` tells what this machine allows"
        }
        RunError::NotOurs { .. } => "run slowpath as that user, or as root",
        RunError::NoEnd { .. } => {
            "let the seccomp filter of the container or service pass them: docker run --security-opt seccomp=unconfined"
        }
        RunError::TimedOut { .. } => "a longer `--timeout`, or a smaller input",
        RunError::NotCold { .. } => "run as root, or leave `--cold` out",
        RunError::Interrupted { .. } => "run it again",
        RunError::LauncherLost | RunError::RecorderLost | RunError::NoWait { .. } => {
            "please report it with `slowpath doctor --json`"
        }
    }
    .to_owned()
}

/// An error and its causes, outermost first.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

pub(crate) fn ended_words(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("exit status {code}"),
        Ended::Signal(signal) => format!("killed by signal {signal}"),
    }
}

/// Names and output of programs may hold anything; a terminal must not obey it.
pub(crate) fn inert(text: &str) -> String {
    report::inert_text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(stdin: Input, ended: Ended, said: Option<&str>) -> String {
        failed_next_step(ended, said, &stdin)
    }

    #[test]
    fn who_failed_with_an_empty_input_is_told_how_to_give_one() {
        let step = next(Input::Null, Ended::Code(1), Some("EOFError: EOF when reading a line"));
        assert!(step.contains("--stdin FILE") && step.contains("--stdin inherit"), "{step}");
        let given = next(Input::Inherit, Ended::Code(1), Some("EOFError"));
        assert!(!given.contains("--stdin"), "{given}");
        let killed = next(Input::Null, Ended::Signal(11), None);
        assert!(!killed.contains("--stdin") && killed.contains("--stderr inherit"), "{killed}");
    }

    #[test]
    fn who_misses_a_terminal_is_lent_one() {
        let step = next(Input::Null, Ended::Code(1), Some("error: needs a terminal"));
        assert!(step.contains("`--stdin inherit --stdout inherit`"), "{step}");
    }
}
