//! The host as root, as an ordinary user and behind a filter that refuses perf events.
//!
//! Each role is this test program started again, because a filter and a user id stay for the life of a process.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use model::doctor::{Level, Works};
use run::host::{fingerprint, key, probe};

const ROLE: &str = "SLOWPATH_TEST_ROLE";
const NOBODY: u32 = 65534;

/// What the program does in a role: everything is tried, shown, and nothing is left behind.
#[test]
fn in_a_role() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let before = descriptors();
    let begun = Instant::now();
    let (level, probes) = probe::probes();
    let took = begun.elapsed();
    assert_eq!(descriptors(), before, "a descriptor was left open");
    assert_eq!(children(), 0, "a child was left");
    assert!(took < Duration::from_secs(10), "{took:?}");
    for probe in &probes {
        assert!(!probe.because.is_empty(), "{probe:?}");
        println!(
            "{}: {:?}: {} | {}",
            probe.id,
            probe.works,
            probe.because,
            probe.next.as_deref().unwrap_or("-")
        );
    }
    println!("took: {took:?}");
    let fingerprint = fingerprint(&[], &[]);
    println!("{fingerprint:?}");
    println!("key: {}", key(&fingerprint));
    println!("level: {level:?}");
}

fn descriptors() -> Vec<String> {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    // The listing has its own descriptor, closed by the time its link is read.
    let mut links: Vec<String> = open
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .map(|link| link.display().to_string())
        .collect();
    links.sort();
    links
}

fn children() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

/// What `in_a_role` shows after `prepare` has changed the command.
fn play(role: &str, prepare: impl FnOnce(&mut Command)) -> String {
    // An ordinary user may not reach the build folder.
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let program = folder.path().join("it");
    // By another process: a child forked meanwhile by another test would inherit our descriptor, and a file that is
    // open for writing cannot be executed.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(&program);
    command
        .args(["--exact", "host::in_a_role", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .current_dir("/");
    prepare(&mut command);
    let output = command.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{shown}\n{}", String::from_utf8_lossy(&output.stderr));
    println!("{role}:\n{shown}");
    shown
}

fn level_of(shown: &str) -> &str {
    shown.lines().find_map(|line| line.strip_prefix("level: ")).unwrap()
}

fn works(shown: &str, id: &str) -> bool {
    shown.lines().any(|line| line.starts_with(&format!("{id}: {:?}: ", Works::Yes)))
}

fn is_root() -> bool {
    // SAFETY: geteuid takes nothing and cannot fail.
    unsafe { libc::geteuid() == 0 }
}

#[test]
fn as_ourselves_everything_is_tried_and_taken_back() {
    let shown = play("ourselves", |_| {});
    assert!(works(&shown, "proc-io"), "{shown}");
}

#[test]
fn an_ordinary_user_has_less_than_root() {
    if !is_root() {
        println!("skipped: only root can become another user");
        return;
    }
    let shown = play("nobody", |command| {
        // The standard library drops root's groups with its user.
        command.uid(NOBODY).gid(NOBODY);
    });
    assert!(!works(&shown, "sched-tracepoints"), "{shown}");
    assert!(!works(&shown, "drop-caches"), "{shown}");
    assert_ne!(level_of(&shown), format!("{:?}", Level::C));
}

#[test]
fn without_perf_events_the_level_is_d() {
    let shown = play("filtered", |command| {
        // SAFETY: `refuse_perf_events` makes system calls only.
        unsafe { command.pre_exec(refuse_perf_events) };
    });
    assert_eq!(level_of(&shown), format!("{:?}", Level::D));
    for id in [
        "perf-sampling-user",
        "perf-switch-records",
        "hardware-counters",
        "syscall-tracepoints",
        "sched-tracepoints",
    ] {
        assert!(!works(&shown, id), "{shown}");
    }
    assert!(shown.contains("EPERM; a seccomp filter is in place"), "{shown}");
    assert!(works(&shown, "remote-memory"), "level D lives from it: {shown}");
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A filter that answers `EPERM` to perf_event_open, as Docker's does, and lets everything else pass.
fn refuse_perf_events() -> io::Result<()> {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut steps = [
        // The number of the call is the first word of what the filter sees (struct seccomp_data).
        step(LOAD, 0, 0, 0),
        step(JUMP_IF_EQUAL, 0, 1, libc::SYS_perf_event_open as u32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog { len: 4, filter: steps.as_mut_ptr() };
    // SAFETY: prctl with integers, then with a filter that outlives the call and is as long as it says.
    unsafe {
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
        check(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter))
    }
}
