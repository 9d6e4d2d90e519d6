//! Why a run does not count.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use model::Ended;

/// Every way in which starting, running or measuring a target can fail.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("cannot start `{}`", path.display())]
    NotStarted { path: PathBuf, source: io::Error },
    #[error("cannot enter `{}`, the target's working directory", path.display())]
    NoDirectory { path: PathBuf, source: io::Error },
    #[error("cannot open `{}` for the target's {stream}", path.display())]
    NoStream { path: PathBuf, stream: &'static str, source: io::Error },
    #[error("cannot start slowpath's own launcher")]
    NoLauncher { source: io::Error },
    #[error("slowpath's launcher ended before the target did")]
    LauncherLost,
    #[error("cannot be told of the target's end: `pidfd_open` and `clone` with CLONE_PIDFD are refused")]
    NoEnd { source: io::Error },
    #[error("the target did not end within {} s", after.as_secs_f64())]
    TimedOut { after: Duration, ended: Ended },
    #[error("interrupted by signal {signal}")]
    Interrupted { signal: i32 },
    #[error("cannot drop the page cache")]
    NotCold { source: io::Error },
    #[error("cannot record")]
    NoRecorder { source: io::Error },
    #[error("the recorder ended before the target did")]
    RecorderLost,
    #[error("there is no process {pid}")]
    NoSuchProcess { pid: u32 },
    #[error("process {pid} belongs to user {user}: what it does is not for others to see")]
    NotOurs { pid: u32, user: u32 },
    #[error("cannot wait for the target")]
    NoWait { source: io::Error },
}
