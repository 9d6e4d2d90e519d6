//! The levels of privilege an account is taken at: root, an ordinary user, a user without perf events.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use model::doctor::Level as Found;

use super::specimens::Built;
use crate::process::stdout_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Level {
    /// Root.
    #[value(name = "C")]
    C,
    /// An ordinary user, made for the test.
    #[value(name = "A")]
    A,
    /// The same user where `perf_event_open` is refused.
    #[value(name = "D")]
    D,
}

impl Level {
    pub(crate) const ALL: [Self; 3] = [Self::C, Self::A, Self::D];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C => "C (root)",
            Self::A => "A (user)",
            Self::D => "D (no perf)",
        }
    }

    /// Whether slowpath found itself where we put it.
    pub(crate) fn is(self, found: Found) -> bool {
        matches!((self, found), (Self::C, Found::C) | (Self::A, Found::A) | (Self::D, Found::D))
    }

    /// `program`, to be started at this level.
    pub(crate) fn command(self, program: &Path, built: &Built, user: Option<User>) -> Command {
        let mut command = match self {
            Self::D => {
                let mut command = Command::new(built.program("deny"));
                command.arg(program);
                command
            }
            Self::C | Self::A => Command::new(program),
        };
        if let Some(user) = user.filter(|_| self != Self::C) {
            // The standard library drops the groups too, and with the last root id go all capabilities.
            command.uid(user.uid).gid(user.gid);
        }
        command.stdin(Stdio::null());
        command
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct User {
    pub(crate) uid: u32,
    gid: u32,
}

const NAME: &str = "slowpath-bench";

/// We are root: who we are is whose /proc/self is.
pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

impl User {
    /// The ordinary user, made on first use. `None` when we are one ourselves.
    pub(crate) fn find() -> Result<Option<Self>> {
        if !is_root() {
            return Ok(None);
        }
        if id("-u").is_err() {
            eprintln!("making the user `{NAME}`, once");
            let mut useradd = Command::new("useradd");
            useradd.args(["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]);
            stdout_of(&mut useradd).context("an ordinary user is needed for level A")?;
        }
        let user = Self { uid: id("-u")?, gid: id("-g")? };
        ensure!(user.uid != 0, "the user `{NAME}` is root");
        Ok(Some(user))
    }

    /// The words before a command that make it this user's.
    pub(crate) fn prefix(self) -> Vec<String> {
        let (uid, gid) = (format!("--reuid={}", self.uid), format!("--regid={}", self.gid));
        vec!["setpriv".to_owned(), uid, gid, "--clear-groups".to_owned()]
    }

    /// Gives the folder to the user.
    pub(crate) fn own(user: Option<Self>, folder: &Path) -> Result<()> {
        let Some(user) = user else { return Ok(()) };
        chown(folder, Some(user.uid), Some(user.gid))
            .with_context(|| format!("cannot chown `{}`", folder.display()))
    }
}

fn id(which: &str) -> Result<u32> {
    let printed = stdout_of(Command::new("id").args([which, NAME]))?;
    match String::from_utf8_lossy(&printed).trim().parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("`id {which} {NAME}` prints no number"),
    }
}
