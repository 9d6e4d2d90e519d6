//! The runner by itself: what it starts, how it looks there, what stays.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use model::{Ended, Stage};
use run::count::Event;
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, RunError, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// slowpath starts one target at a time, and so do these tests.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn shell(text: &str) -> Recipe {
    Recipe {
        path: PathBuf::from("/bin/sh"),
        argv: ["sh", "-c", text].map(Into::into).into(),
        env: environment([]),
        cwd: None,
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: None,
        layout: Layout::Random,
    }
}

fn within_deadline(so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Whether a process is there and no zombie.
fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(' ') && !rest.starts_with(" Z"))
}

#[test]
fn a_layout_is_fixed_or_random_as_asked() {
    let _alone = alone();
    let rig = Rig::open().unwrap();
    for (layout, wanted) in [(Layout::Fixed, "00040000\n"), (Layout::Random, "00000000\n")] {
        let recipe = Recipe { layout, stdout: Output::Capture, ..shell("cat /proc/self/personality") };
        let measured = run::measure(&rig, &recipe, SLOT).unwrap();
        assert_eq!(measured.sample.ended, Ended::Code(0));
        let stdout = measured.stdout.unwrap();
        assert_eq!(stdout.whole(), Some(wanted.as_bytes()), "{layout:?}");
        assert_eq!(stdout.total(), 9);
    }
}

#[test]
fn a_measured_target_leaves_nothing_and_a_hook_may_leave_a_server() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let rig = Rig::open().unwrap();
    let pid = folder.path().join("pid");
    let text = format!("sleep 300 & echo $! > '{}'", pid.display());
    let (ended, _) = run::beside(&rig, &shell(&text)).unwrap();
    assert_eq!(ended, Ended::Code(0));
    let server = fs::read_to_string(&pid).unwrap();
    assert!(lives(&server));
    let end = run::beside(&rig, &shell(&format!("kill {server}"))).unwrap();
    assert_eq!(end.0, Ended::Code(0));
    assert!(within_deadline(|| !lives(&server)));
    for exactly in [true, false] {
        let measured = if exactly {
            run::measure_exactly(&rig, &shell(&text), SLOT)
        } else {
            run::measure(&rig, &shell(&text), SLOT)
        };
        assert_eq!(measured.unwrap().sample.left_behind.0, 1);
        assert!(!lives(&fs::read_to_string(&pid).unwrap()));
    }
}

#[test]
fn a_time_limit_is_an_error_of_its_own() {
    let _alone = alone();
    let rig = Rig::open().unwrap();
    let recipe = Recipe { timeout: Some(Duration::from_millis(100)), ..shell("sleep 300") };
    let error = run::measure(&rig, &recipe, SLOT).unwrap_err();
    assert!(matches!(error, RunError::TimedOut { ended: Ended::Signal(15), .. }), "{error:?}");
}

#[test]
fn what_cannot_be_started_is_told_with_the_kernels_reason() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    fs::write(&text, "no program").unwrap();
    let rig = Rig::open().unwrap();
    let start = |path: &Path| {
        let recipe = Recipe { path: path.to_owned(), ..shell("") };
        match run::measure(&rig, &recipe, SLOT).unwrap_err() {
            RunError::NotStarted { source, .. } => source.raw_os_error(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(start(&text), Some(libc::EACCES));
    fs::set_permissions(&text, PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(start(&text), Some(libc::ENOEXEC));
    assert_eq!(start(&folder.path().join("nothing")), Some(libc::ENOENT));
}

#[test]
fn a_counter_begins_with_the_program_and_follows_its_children() {
    let _alone = alone();
    if run::count::try_event(Event::PageFaults).is_err() {
        println!("skipped: no perf events here");
        return;
    }
    let rig = Rig::open().unwrap();
    let count = |text: &str| {
        let (measured, count) = run::count::count(&rig, &shell(text), SLOT, Event::PageFaults).unwrap();
        (count.unwrap().0, measured.sample.minor_faults.0)
    };
    let (one, _) = count(":");
    let (three, faults) = count("sh -c : ; sh -c : ; :");
    assert!(one > 0 && three > 2 * one, "{one} {three}");
    assert!(three <= faults, "user faults are a part of all: {three} {faults}");
}

#[test]
fn every_kind_of_end_is_kept() {
    let _alone = alone();
    let rig = Rig::open().unwrap();
    for (text, wanted) in
        [("exit 255", Ended::Code(255)), ("kill -KILL $$", Ended::Signal(9)), (":", Ended::Code(0))]
    {
        assert_eq!(run::measure(&rig, &shell(text), SLOT).unwrap().sample.ended, wanted);
        assert_eq!(run::beside(&rig, &shell(text)).unwrap().0, wanted);
    }
}
