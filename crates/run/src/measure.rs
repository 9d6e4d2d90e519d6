//! One run of a target, measured. Nothing of ours runs while the target does.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use model::sample::Covariates;
use model::{Bytes, Count, Nanos, Sample, Stage};

use crate::group::{Group, Groups};
use crate::launch::{Ended, Launcher, Layout, Order, Prepared};
use crate::machine::Machine;
use crate::peak::Tracer;
use crate::stdio::{Captured, Input, Output};
use crate::terminal::Terminal;
use crate::wait::{Because, wait};
use crate::{Interrupt, RunError, process};

/// How to run a target, the same for each of its runs.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The program file, already searched for.
    pub path: PathBuf,
    pub argv: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub cwd: Option<PathBuf>,
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
    pub timeout: Option<Duration>,
    pub layout: Layout,
}

/// Where a run stands in its sitting.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub arm: u32,
    pub order: u32,
    pub block: Option<u32>,
    pub stage: Stage,
}

/// What is opened once and used for every run.
#[derive(Debug)]
pub struct Rig {
    pub launcher: Launcher,
    pub machine: Machine,
    /// `None` where no control group can be made.
    pub groups: Option<Groups>,
    pub interrupt: Interrupt,
}

impl Rig {
    /// Readies the launcher, the machine's counters and the signal handlers.
    ///
    /// # Errors
    /// When the launcher cannot be laid out or signals cannot be caught.
    pub fn open() -> Result<Self, RunError> {
        process::adopt_orphans();
        Ok(Self {
            launcher: Launcher::new()?,
            machine: Machine::open(),
            groups: Groups::find(),
            interrupt: Interrupt::install().map_err(|source| RunError::NoLauncher { source })?,
        })
    }
}

/// A run and what was captured of its output.
#[derive(Debug)]
pub struct Measured {
    pub sample: Sample,
    /// When its clock began: CLOCK_MONOTONIC, nanoseconds.
    pub(crate) begun: u64,
    pub stdout: Option<Captured>,
    pub stderr: Option<Captured>,
}

/// Runs the target once.
///
/// # Errors
/// When it cannot be started or does not end in time, and when the user interrupts. A target that ends by itself,
/// however badly, is not an error here.
pub fn measure(rig: &Rig, recipe: &Recipe, slot: Slot) -> Result<Measured, RunError> {
    measure_with(rig, recipe, slot, None, |_| ())
}

/// Runs the target once for warm-up, in a control group of its own, which sees the whole tree but costs a run about 50 µs.
///
/// # Errors
/// As [`measure`].
pub fn measure_in_group(rig: &Rig, recipe: &Recipe, slot: Slot) -> Result<Measured, RunError> {
    measure_with(rig, recipe, slot, rig.groups.as_ref(), |_| ())
}

/// As [`measure_in_group`], and under a tracer that reads its peak memory exactly. A set-user-id program loses its privilege
/// under a tracer, so it is not traced. The peak of a run that failed is not told: tracing may have been the reason.
///
/// # Errors
/// As [`measure`].
pub fn measure_exactly(rig: &Rig, recipe: &Recipe, slot: Slot) -> Result<Measured, RunError> {
    let mut tracer = None;
    let traced = !set_user_id(recipe);
    let measured = measure_with(rig, recipe, slot, rig.groups.as_ref(), |pid| {
        tracer = traced.then(|| Tracer::attach(pid)).flatten();
    });
    let exact = tracer.and_then(Tracer::peak);
    let mut measured = measured?;
    if let Some(peak) = exact.filter(|_| measured.sample.ended.succeeded()) {
        measured.sample.exact_peak_rss = peak.resident;
        measured.sample.peak_mapped = peak.mapped;
    }
    Ok(measured)
}

/// Runs something between the measurements, a hook or a build, and tells how it ended. What it leaves behind stays,
/// because a setup may start a server; only when the user interrupts, all of it is ended.
///
/// # Errors
/// When it cannot be started, and when the user interrupts.
pub fn beside(rig: &Rig, recipe: &Recipe) -> Result<(model::Ended, Option<Captured>), RunError> {
    let stdin = recipe.stdin.open()?;
    let (stdout, mut stdout_read) = recipe.stdout.open("standard output")?;
    let (stderr, mut stderr_read) = recipe.stderr.open("standard error")?;
    let prepared = rig.launcher.prepare(&order(recipe), [stdin, stdout, stderr])?;
    // It may ask for a password.
    let terminal = Terminal::lend(prepared.pid());
    let running = prepared.go()?;
    let mut streams: Vec<&mut Captured> =
        [&mut stdout_read, &mut stderr_read].into_iter().flatten().collect();
    let waited = wait(running, recipe.timeout, &rig.interrupt, &mut streams);
    let lent = terminal.is_some();
    drop(terminal);
    let (mut ended, because) = waited?;
    let (status, ..) = ended.reap()?;
    let how = process::ended(status);
    let interrupted = match because {
        Because::Interrupted(signal) => Some(signal),
        _ => lent.then(|| interrupted_at(how)).flatten(),
    };
    if let Some(signal) = interrupted {
        end_orphans(&mut ended, None)?;
        ended.leave()?;
        return Err(RunError::Interrupted { signal });
    }
    ended.leave()?;
    Ok((how, stderr_read))
}

/// Who has the terminal gets its Ctrl-C, and we do not: such an end is the user's wish to stop. A shell that lost its
/// child to it says so with 130.
fn interrupted_at(ended: model::Ended) -> Option<i32> {
    match ended {
        model::Ended::Signal(signal) if [libc::SIGINT, libc::SIGQUIT].contains(&signal) => Some(signal),
        model::Ended::Code(130) => Some(libc::SIGINT),
        _ => None,
    }
}

pub(crate) fn order(recipe: &Recipe) -> Order<'_> {
    Order {
        path: &recipe.path,
        argv: &recipe.argv,
        env: &recipe.env,
        cwd: recipe.cwd.as_deref(),
        layout: recipe.layout,
        filter: None,
    }
}

pub(crate) fn set_user_id(recipe: &Recipe) -> bool {
    use std::os::unix::fs::MetadataExt;
    recipe.path.metadata().is_ok_and(|metadata| metadata.mode() & 0o6000 != 0)
}

/// Runs the target once; `attach` is called while it is stopped before its first instruction.
///
/// # Errors
/// As [`measure`].
pub(crate) fn measure_with(
    rig: &Rig,
    recipe: &Recipe,
    slot: Slot,
    groups: Option<&Groups>,
    attach: impl FnOnce(i32),
) -> Result<Measured, RunError> {
    let order = order(recipe);
    measure_filtered(rig, recipe, slot, groups, &order, |pid| {
        attach(pid);
        Ok(())
    })
}

/// As [`measure_with`], where the target is started as `order` says and only if `attach` could do its work.
///
/// # Errors
/// As [`measure`], and those of `attach`.
pub(crate) fn measure_filtered(
    rig: &Rig,
    recipe: &Recipe,
    slot: Slot,
    groups: Option<&Groups>,
    order: &Order<'_>,
    attach: impl FnOnce(i32) -> Result<(), RunError>,
) -> Result<Measured, RunError> {
    if let Some(signal) = rig.interrupt.raised() {
        return Err(RunError::Interrupted { signal });
    }
    let stdin = recipe.stdin.open()?;
    let (stdout, mut stdout_read) = recipe.stdout.open("standard output")?;
    let (stderr, mut stderr_read) = recipe.stderr.open("standard error")?;
    let prepared = rig.launcher.prepare(order, [stdin, stdout, stderr])?;
    let group = groups.and_then(|groups| own_group(groups, &prepared));
    let terminal = (recipe.stdin == Input::Inherit).then(|| Terminal::lend(prepared.pid())).flatten();
    attach(prepared.pid())?;
    let before = rig.machine.moment();
    let running = prepared.go()?;
    let mut streams: Vec<&mut Captured> =
        [&mut stdout_read, &mut stderr_read].into_iter().flatten().collect();
    let waited = wait(running, recipe.timeout, &rig.interrupt, &mut streams);
    let after = rig.machine.moment();
    let lent = terminal.is_some();
    drop(terminal);
    let (ended, because) = waited?;
    let begun = ended.started.begun;
    let mut sample = account(ended, slot, group.as_ref(), rig.machine.between(&before, &after))?;
    sample.output = stdout_read.as_ref().map(Captured::sha256);
    if let Some(signal) = interrupted_at(sample.ended).filter(|_| lent) {
        return Err(RunError::Interrupted { signal });
    }
    match because {
        Because::ItEnded => Ok(Measured { sample, begun, stdout: stdout_read, stderr: stderr_read }),
        Because::TimeIsUp(after) => Err(RunError::TimedOut { after, ended: sample.ended }),
        Because::Interrupted(signal) => Err(RunError::Interrupted { signal }),
    }
}

/// Reads everything a zombie still shows, reaps it and ends what it left behind.
fn account(
    mut ended: Ended,
    slot: Slot,
    group: Option<&Group>,
    covariates: Covariates,
) -> Result<Sample, RunError> {
    let own_cpu = process::own_cpu(ended.pid);
    let main_thread = process::main_thread(ended.pid, ended.started.schedstat, &ended.started.usage);
    let (status, whole, io) = ended.reap()?;
    let left_behind = end_orphans(&mut ended, group)?;
    let before = ended.started.usage;
    let usage = whole.since(&before);
    let wall = ended.started.wall;
    ended.leave()?;
    Ok(Sample {
        arm: slot.arm,
        order: slot.order,
        block: slot.block,
        stage: slot.stage,
        ended: process::ended(status),
        wall,
        user: usage.user(),
        system: usage.system(),
        own_cpu: own_cpu
            .and_then(|own| own.minus(Nanos::from_micros(before.user_micros + before.system_micros)?)),
        peak_rss: Bytes::from_kib(usage.peak_rss_kib).unwrap_or_default(),
        exact_peak_rss: None,
        peak_mapped: None,
        minor_faults: Count(usage.minor_faults),
        major_faults: Count(usage.major_faults),
        voluntary_switches: Count(usage.voluntary_switches),
        involuntary_switches: Count(usage.involuntary_switches),
        io,
        main_thread,
        tree: group.map(Group::tree),
        covariates,
        left_behind,
        output: None,
    })
}

/// Ends every process of the tree that outlived the target, also those that left its group.
fn end_orphans(ended: &mut Ended, group: Option<&Group>) -> Result<Count, RunError> {
    let mut found = std::collections::BTreeSet::new();
    while ended.sweep()? {
        for pid in process::children(ended.launcher_pid()) {
            found.insert(pid);
            // SAFETY: a child of our own launcher, not yet reaped.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        if let Some(group) = group {
            // Ended all at once, they may be reaped before they are seen as children of the launcher.
            found.extend(group.processes());
            group.kill();
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(Count(found.len() as u64))
}

fn own_group(groups: &Groups, prepared: &Prepared) -> Option<Group> {
    let group = groups.make()?;
    group.add(prepared.pid()).then_some(group)
}
