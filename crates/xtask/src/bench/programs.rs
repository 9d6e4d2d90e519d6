//! The programs a sitting measures: slowpath itself and the small ones in `specimens/bench`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process::{cargo, follow, stdout_of};

/// Where everything a sitting runs lies.
pub(crate) struct Programs {
    pub(crate) slowpath: PathBuf,
    folder: PathBuf,
    sources: PathBuf,
    python: Option<PathBuf>,
}

/// Built static and with -O2; the one without libc has its own flags.
const WITH_LIBC: [&str; 7] = ["bare", "load", "noop", "spin", "table", "usage", "words"];
const WITHOUT_LIBC: [&str; 1] = ["touch"];

impl Programs {
    /// Builds slowpath in release mode and compiles the specimens with gcc.
    pub(crate) fn build(root: &Path) -> Result<Self> {
        let programs = Self::compile(root)?;
        follow(cargo(root).args(["build", "--release", "--quiet", "-p", "slowpath"]))?;
        ensure!(programs.slowpath.is_file(), "`cargo build` left no `{}`", programs.slowpath.display());
        Ok(programs)
    }

    fn compile(root: &Path) -> Result<Self> {
        let folder = root.join("target/bench/programs");
        fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let programs = Self {
            slowpath: root.join("target/release/slowpath"),
            sources: root.join("specimens/bench"),
            python: interpreter(),
            folder,
        };
        for name in WITH_LIBC {
            programs.gcc(name, &[])?;
        }
        for name in WITHOUT_LIBC {
            programs.gcc(name, &["-nostdlib", "-fno-stack-protector"])?;
        }
        Ok(programs)
    }

    fn gcc(&self, name: &str, flags: &[&str]) -> Result<()> {
        let source = self.sources.join(format!("{name}.c"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-static"]).args(flags).arg("-o").arg(self.folder.join(name)).arg(source);
        stdout_of(&mut gcc).map(|_| ()).context("install gcc and libc6-dev")
    }

    pub(crate) fn specimen(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A command of a specimen and one number.
    pub(crate) fn target(&self, name: &str, size: u64) -> Target {
        Target { argv: vec![self.specimen(name).display().to_string(), size.to_string()] }
    }

    /// CPython without site packages running the small loop. `None` without python3.
    ///
    /// Not with -E: that ignores PYTHONHASHSEED, and the count of instructions then wanders by 4 %.
    pub(crate) fn python_loop(&self, rounds: u64) -> Option<Target> {
        let script = self.sources.join("loop.py").display().to_string();
        let python = self.python.as_ref()?.display().to_string();
        Some(Target { argv: vec![python, "-S".into(), script, rounds.to_string()] })
    }

    pub(crate) fn python(&self) -> Option<&Path> {
        self.python.as_deref()
    }
}

/// The interpreter itself: a `python3` on the path may be a shell script that looks for one.
fn interpreter() -> Option<PathBuf> {
    let mut python = Command::new("python3");
    let printed = stdout_of(python.args(["-c", "import sys; print(sys.executable)"])).ok()?;
    let path = PathBuf::from(String::from_utf8(printed).ok()?.trim_end());
    path.is_file().then_some(path)
}

/// A command to be measured.
#[derive(Clone, PartialEq)]
pub(crate) struct Target {
    pub(crate) argv: Vec<String>,
}

impl Target {
    /// As one string that a shell, slowpath and hyperfine split alike.
    pub(crate) fn quoted(&self) -> String {
        self.argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+:,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let argv = ["./a b", "it's", "12", ""].map(str::to_owned).to_vec();
        assert_eq!(Target { argv }.quoted(), r"'./a b' 'it'\''s' 12 ''");
    }
}
