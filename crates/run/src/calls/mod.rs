//! What a program asks of files, peers and other programs: one run under a tracer.
//!
//! The target puts a filter on itself just before its program is loaded (`filter`, `act`), so that it stops for calls
//! that do I/O and for no others. A thread of ours is told of each stop (`watch`), follows descriptors and
//! processes (`tree`, `follow`), finds the stack (`place`) and what arguments point at (`pointed`), and adds up (`book`,
//! `ranges`). When the target has ended, addresses get names (`finish`).
//!
//! An ordinary user may do this to a child of his own. What it costs: two stops a call, each two switches between the
//! target and us. A filter cannot be taken off and the calls it selects fail without a tracer, so a tracer whose time
//! is up does not leave; it lets every call through at its first stop.

mod act;
mod book;
mod filter;
mod finish;
mod follow;
mod place;
mod pointed;
mod ranges;
mod stalls;
mod tree;
mod watch;

use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use model::Gap;
use model::calls::{Calls, Message};

use crate::RunError;
use crate::clock::monotonic;
use crate::launch::Order;
use crate::measure::{Measured, Recipe, Rig, Slot, measure_filtered, order, set_user_id};
use crate::ptrace;

use act::Acts;
use finish::Span;
use watch::{Limits, Watch};

/// Stops at selected calls, at programs loaded and in whatever is made. Without its tracer the target ends.
const OPTIONS: i32 = libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACEEXEC
    | ptrace::WHOLE_TREE
    | libc::PTRACE_O_EXITKILL;

/// How to trace.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the user's own code lies.
    pub project: PathBuf,
    /// After this time calls are let through unseen. `None`: never.
    pub limit: Option<Duration>,
    /// Calls from one place that are all looked at; of more, one in 16 is.
    pub storm: u64,
    /// First bytes of a message to a peer that are kept, to tell what it says.
    pub payload: usize,
}

impl Options {
    #[must_use]
    pub fn new(project: PathBuf) -> Self {
        Self { project, limit: None, storm: 20_000, payload: 1024 }
    }
}

/// A traced run.
#[derive(Debug)]
pub struct Traced {
    /// A run that was cut short is an error here, and what was seen of it is kept.
    pub run: Result<Measured, RunError>,
    pub calls: Calls,
    /// What was said to peers and by them, for whoever knows their languages.
    pub messages: Vec<Message>,
}

/// Runs the target once under the tracer.
///
/// # Errors
/// When the target cannot be started, or not traced.
pub fn trace(rig: &Rig, recipe: &Recipe, slot: Slot, options: &Options) -> Result<Traced, RunError> {
    // Calls of generated code are made by functions that only its runtime can name.
    let asked = crate::record::asked(recipe);
    let filter = filter::file(&Acts::new()).map_err(|source| RunError::NoRecorder { source })?;
    let order = Order { filter: Some(filter.as_fd()), ..order(&asked) };
    let (mut tracer, mut attached) = (None, 0);
    let run = measure_filtered(rig, &asked, slot, None, &order, |pid| {
        attached = monotonic();
        tracer = Some(Tracer::attach(pid, options)?);
        Ok(())
    });
    let ended = monotonic();
    let Some(tracer) = tracer else {
        return Err(run.err().unwrap_or(RunError::RecorderLost));
    };
    let watch = tracer.seen()?;
    if let Err(RunError::NotStarted { .. }) = run {
        return Err(run.err().unwrap_or(RunError::RecorderLost));
    }
    let span = match &run {
        Ok(measured) => {
            Span { begun: measured.begun, ended: measured.begun + measured.sample.wall.as_nanos() }
        }
        Err(_) => Span { begun: attached, ended },
    };
    let (mut calls, messages) = finish::calls(watch, span, &options.project);
    calls.gaps.extend(privileges(recipe));
    calls.run = run.as_ref().ok().map(|measured| measured.sample.clone());
    Ok(Traced { run, calls, messages })
}

/// Under a tracer that is not root, set-user-id programs do not become another user.
fn privileges(recipe: &Recipe) -> Option<Gap> {
    let why =
        "the target is a set-user-id program, which a tracer may not let gain privileges: it may have failed";
    let next = Some("trace it as root");
    // SAFETY: takes nothing and cannot fail.
    let is_root = unsafe { libc::geteuid() == 0 };
    (set_user_id(recipe) && !is_root).then(|| Gap::new("the target with its privileges", why, next))
}

/// A tracer at work, on a thread of its own because the kernel ties tracing to one.
struct Tracer {
    thread: JoinHandle<Watch>,
}

impl Tracer {
    /// Begins to trace a stopped target and everything it will start.
    fn attach(pid: i32, options: &Options) -> Result<Self, RunError> {
        let until = options.limit.map_or(u64::MAX, |limit| {
            monotonic().saturating_add(u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX))
        });
        let limits = Limits { storm: options.storm.max(1), payload: options.payload, until };
        let (sender, ready) = mpsc::channel();
        let thread = std::thread::Builder::new().name("tracer".to_owned()).spawn(move || {
            let attached = ptrace::seize(pid, OPTIONS);
            let is_ours = attached.is_ok();
            let _ = sender.send(attached);
            let mut watch = Watch::new(limits);
            if is_ours {
                watch.work();
            }
            watch
        });
        let thread = thread.map_err(|source| RunError::NoRecorder { source })?;
        let attached = ready.recv().map_err(|_| RunError::RecorderLost)?;
        attached.map_err(|source| RunError::NoRecorder { source })?;
        Ok(Self { thread })
    }

    /// What it saw, once all processes have ended.
    fn seen(self) -> Result<Watch, RunError> {
        self.thread.join().map_err(|_| RunError::RecorderLost)
    }
}
