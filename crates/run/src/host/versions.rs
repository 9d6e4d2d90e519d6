//! Versions of the tools a measurement used, asked from the tools themselves.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a tool may take to name its version.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// How often the tools are looked at while they start.
const STEP: Duration = Duration::from_millis(1);

/// The first line of each tool's `--version`; `None` where it is missing, silent, failing or slower than 2 s.
///
/// The tools start together: each costs a process start, a virtual machine for Java.
pub(super) fn versions(tools: &[&str]) -> BTreeMap<String, Option<String>> {
    let started: Vec<(&str, Option<Child>)> = tools.iter().map(|tool| (*tool, start(tool).ok())).collect();
    let until = Instant::now() + PATIENCE;
    started
        .into_iter()
        .map(|(tool, child)| (tool.to_owned(), child.and_then(|child| answer(child, until))))
        .collect()
}

/// The first line of one tool's `--version`; `None` as for [`versions`].
#[must_use]
pub fn version_of(tool: &str) -> Option<String> {
    versions(&[tool]).remove(tool).flatten()
}

fn start(tool: &str) -> std::io::Result<Child> {
    // Java before 9 knows only the single dash.
    let question = if tool == "java" { "-version" } else { "--version" };
    Command::new(tool)
        .arg(question)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A wrapper script and what it started end together.
        .process_group(0)
        .spawn()
}

/// The first line that a tool says, on either stream; `None` as for [`versions`].
pub(super) fn answer(mut child: Child, until: Instant) -> Option<String> {
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < until => std::thread::sleep(STEP),
            _ => break None,
        }
    };
    let Some(status) = ended else {
        end(&mut child);
        return None;
    };
    let out = child.stdout.take().map(available).unwrap_or_default();
    let errors = child.stderr.take().map(available).unwrap_or_default();
    let line = first_line(&out).or_else(|| first_line(&errors))?;
    status.success().then_some(line)
}

/// Kills the whole group and takes the child's status, so that none is left behind.
fn end(child: &mut Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: kill takes no pointers; the child leads its group and is not waited for yet, so the number is its.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    // The child is dead or dying; an error here means that it is already gone.
    let _gone = child.wait();
}

/// What is in the pipe now. A process the tool left behind may hold the other end open, so waiting for its end
/// could take for ever.
fn available(mut pipe: impl Read + AsRawFd) -> Vec<u8> {
    // SAFETY: F_SETFL takes an integer; the descriptor is open because `pipe` is borrowed.
    unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    let mut bytes = vec![0; 4096];
    let length = pipe.read(&mut bytes).unwrap_or(0);
    bytes.truncate(length);
    bytes
}

fn first_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Another process writes the script: a child forked meanwhile by another test would inherit our descriptor, and
    /// a file that is open for writing cannot be executed.
    fn script(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool").to_str().unwrap().to_owned();
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod 755 \"$2\"";
        let written = Command::new("sh").args(["-c", write, "sh", text, &path]).status();
        assert!(written.unwrap().success());
        (folder, path)
    }

    #[test]
    fn a_tool_answers_on_either_stream_or_not_at_all() {
        for (text, wanted) in [
            ("echo; echo tool 1.2; echo more", Some("tool 1.2")),
            ("echo tool 3 >&2", Some("tool 3")),
            ("echo tool 4; exit 1", None),
            ("exit 0", None),
            ("test \"$1\" = --version && test \"$LC_ALL\" = C && echo asked", Some("asked")),
        ] {
            let (_folder, path) = script(text);
            let found = versions(&[&path]);
            assert_eq!(found[&path].as_deref(), wanted, "{text}");
        }
        assert_eq!(versions(&["no-such-tool-here"])["no-such-tool-here"], None);
    }

    #[test]
    fn a_tool_that_hangs_is_ended_with_what_it_started() {
        let (folder, path) = script("sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"; wait");
        let begun = Instant::now();
        assert_eq!(versions(&[&path])[&path], None);
        assert!(begun.elapsed() < 3 * PATIENCE);
        let pid: i32 = fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
        // Killed is not yet gone: the kernel takes it off a CPU first, and then it is a zombie of whoever adopts it.
        let running = || fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|command| !command.is_empty());
        while running() {
            assert!(begun.elapsed() < 5 * PATIENCE, "still running");
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_background_process_holding_the_pipe_does_not_hold_us() {
        let (_folder, path) = script("sleep 3 & echo tool 5");
        let begun = Instant::now();
        assert_eq!(versions(&[&path])[&path].as_deref(), Some("tool 5"));
        assert!(begun.elapsed() < PATIENCE);
    }
}
