//! What valgrind's log says of a program that it could not run.

use std::fmt;

/// A known reason why valgrind could not run a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValgrindFailure {
    /// Its reader of debug information gave up before the program started. No counts are written.
    DebugInformation {
        /// The file it was reading; `None` when the log does not say.
        image: Option<String>,
    },
    /// The program executed an instruction that valgrind does not know. Counts up to there are written, and look complete.
    Instruction {
        /// The instruction's bytes as valgrind prints them.
        bytes: String,
    },
    /// The program has instructions that no valgrind knows, and nothing in it that would choose others. It was not started.
    Foreseen {
        /// A function that has one; `None` where it has no name.
        function: Option<String>,
    },
}

impl fmt::Display for ValgrindFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DebugInformation { image: Some(image) } => {
                write!(f, "valgrind cannot read the debug information of `{image}`")
            }
            Self::DebugInformation { image: None } => {
                f.write_str("valgrind cannot read the debug information")
            }
            Self::Instruction { bytes } => write!(f, "valgrind does not know the instruction `{bytes}`"),
            Self::Foreseen { function } => {
                let whose = function.as_deref().map(|name| format!("`{name}` of ")).unwrap_or_default();
                write!(
                    f,
                    "{whose}the program has AVX-512 instructions, which valgrind does not know, and does not ask the processor before using them"
                )
            }
        }
    }
}

impl ValgrindFailure {
    /// What the user can do about it, for the `try:` line.
    #[must_use]
    pub fn next_step(&self) -> String {
        match self {
            Self::DebugInformation { image } => format!(
                "count a copy without it: `objcopy --strip-debug {} COPY`, or use valgrind 3.24",
                image.as_deref().unwrap_or("PROGRAM")
            ),
            Self::Instruction { .. } | Self::Foreseen { .. } => {
                "build for counting without `-march=native` and AVX-512 (Rust: without `-C target-cpu=native`)".into()
            }
        }
    }
}

/// Why valgrind could not run the program, from its `--log-file`; `None` when the log has no reason that is known.
///
/// Ask for a run that failed: a program may catch the signal that an unknown instruction raises, and go on.
#[must_use]
pub fn valgrind_failure(log: &[u8]) -> Option<ValgrindFailure> {
    let text = String::from_utf8_lossy(log);
    if text.contains("debuginfo reader: Possibly corrupted debuginfo file") {
        return Some(ValgrindFailure::DebugInformation { image: image(&text) });
    }
    let (_, after) = text.split_once("unhandled instruction bytes: ")?;
    let bytes = after.lines().next().unwrap_or_default().trim();
    Some(ValgrindFailure::Instruction { bytes: bytes.to_owned() })
}

/// The line after `valid image size of … for image:` has the path in quotes.
fn image(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.ends_with(" for image:"));
    let (_, quoted) = lines.nth(1)?.split_once('"')?;
    Some(quoted.strip_suffix('"')?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_log_has_no_failure() {
        for log in [&b""[..], b"==7== Command: ./a\n==7== I   refs:      5\n", b"\xff\xfe"] {
            assert_eq!(valgrind_failure(log), None);
        }
    }

    #[test]
    fn a_log_without_the_path_still_tells_the_reason() {
        let log = b"==7== Valgrind: debuginfo reader: Possibly corrupted debuginfo file.\n";
        let failure = valgrind_failure(log).unwrap();
        assert_eq!(failure, ValgrindFailure::DebugInformation { image: None });
        assert!(failure.next_step().contains("--strip-debug PROGRAM COPY"));
    }
}
