//! The command lines of the instruments, to be put before a program and its own arguments.
//!
//! All follow into child processes, because a target is often a shell script, and write one file for each process, named by its
//! number. None passes `--error-exitcode`, so the status is the target's own. `out` must be absolute, because the target and its
//! children may change their directory; it then holds the files and `valgrind.PID.log` for each process.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::geometry::Caches;
use super::version::Valgrind;

/// Instructions alone: what [`super::cachegrind`] counts fastest. Files: `cachegrind.PID`.
#[must_use]
pub fn instructions(valgrind: &Valgrind, out: &Path) -> Vec<OsString> {
    // 3.19 simulates caches by default and 3.24 does not; both know the options.
    let options = ["--cache-sim=no", "--branch-sim=no", valgrind.plain_blocks()];
    arguments(valgrind, "cachegrind", out, options.map(OsString::from))
}

/// Instructions, cache misses and mispredicted branches, by line. Files: `cachegrind.PID`.
#[must_use]
pub fn cachegrind(valgrind: &Valgrind, out: &Path, caches: &Caches) -> Vec<OsString> {
    let plain_blocks = [OsString::from(valgrind.plain_blocks())];
    arguments(valgrind, "cachegrind", out, simulation(caches).into_iter().chain(plain_blocks))
}

/// Whether the threads of a process are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    Together,
    /// The files are then `callgrind.PID-NN`, beside an empty `callgrind.PID`.
    Apart,
}

/// Calls with their costs; caches and branches too when `caches` are given. Files: `callgrind.PID`.
#[must_use]
pub fn callgrind(
    valgrind: &Valgrind,
    out: &Path,
    caches: Option<&Caches>,
    threads: Threads,
) -> Vec<OsString> {
    // Recursion is told apart once (`f` and `f'2`), which makes inclusive costs exact. Instructions and jumps would only make the
    // file larger.
    let fixed = ["--dump-line=yes", "--dump-instr=no", "--collect-jumps=no", "--separate-recs=2"];
    let threads = match threads {
        Threads::Together => "--separate-threads=no",
        Threads::Apart => "--separate-threads=yes",
    };
    let simulated = match caches {
        Some(caches) => simulation(caches).to_vec(),
        None => ["--cache-sim=no", "--branch-sim=no"].map(OsString::from).to_vec(),
    };
    let options = fixed.into_iter().chain([threads]).map(OsString::from).chain(simulated);
    arguments(valgrind, "callgrind", out, options)
}

/// The heap over time, with whole trees at every tenth snapshot and at the peak. Files: `massif.PID`.
#[must_use]
pub fn massif(valgrind: &Valgrind, out: &Path) -> Vec<OsString> {
    // A peak that is not exact may lie between two snapshots; massif's default is off by up to 1 %.
    let options = ["--heap=yes", "--stacks=no", "--time-unit=i", "--peak-inaccuracy=0.0", WHOLE_PATHS];
    arguments(valgrind, "massif", out, options.map(OsString::from))
}

/// Every allocation by its stack: bytes, blocks, lifetimes, accesses. Files: `dhat.PID`.
#[must_use]
pub fn dhat(valgrind: &Valgrind, out: &Path) -> Vec<OsString> {
    // 3.15 knows no modes, and heap is the only one it has.
    arguments(valgrind, "dhat", out, [WHOLE_PATHS.into()])
}

/// Frames have the whole path of their source file, not its name alone: after nothing means from the beginning.
const WHOLE_PATHS: &str = "--fullpath-after=";

fn simulation(caches: &Caches) -> [OsString; 5] {
    let Caches { instructions, first_level, last_level } = caches;
    [
        "--cache-sim=yes".into(),
        "--branch-sim=yes".into(),
        format!("--I1={}", instructions.simulated).into(),
        format!("--D1={}", first_level.simulated).into(),
        format!("--LL={}", last_level.simulated).into(),
    ]
}

fn arguments(
    valgrind: &Valgrind,
    tool: &str,
    out: &Path,
    options: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    // No gdb server, because its pipes would stay in /tmp when the target is killed.
    let fixed = [format!("--tool={tool}"), "--trace-children=yes".into(), "--vgdb=no".into()];
    let mut arguments = vec![OsString::from(&valgrind.path)];
    arguments.extend(fixed.map(OsString::from));
    arguments.extend(options);
    arguments.push(in_folder(&format!("--{tool}-out-file="), out, &format!("/{tool}.%p")));
    arguments.push(in_folder("--log-file=", out, "/valgrind.%p.log"));
    arguments.push("--".into());
    arguments
}

/// An option that names a file. Valgrind expands `%p`, and takes `%%` for one `%`.
fn in_folder(option: &str, folder: &Path, file: &str) -> OsString {
    let mut bytes = option.as_bytes().to_vec();
    for byte in folder.as_os_str().as_bytes() {
        bytes.extend(if *byte == b'%' { &b"%%"[..] } else { std::slice::from_ref(byte) });
    }
    bytes.extend(file.bytes());
    OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::geometry::legal_geometry;
    use super::super::version::Version;
    use super::*;

    fn all() -> Vec<(&'static str, Vec<String>)> {
        let version = Version::of("valgrind-3.19.0");
        let (valgrind, out) =
            (&Valgrind { path: "/usr/bin/valgrind".into(), version }, Path::new("/tmp/50% p"));
        let first = legal_geometry(32_768, 8, 64).unwrap();
        let last_level = legal_geometry(12_582_912, 8, 64).unwrap();
        let caches = Caches { instructions: first, first_level: first, last_level };
        let text = |words: Vec<OsString>| words.into_iter().map(|word| word.into_string().unwrap()).collect();
        vec![
            ("cachegrind", text(instructions(valgrind, out))),
            ("cachegrind", text(cachegrind(valgrind, out, &caches))),
            ("callgrind", text(callgrind(valgrind, out, None, Threads::Together))),
            ("callgrind", text(callgrind(valgrind, out, Some(&caches), Threads::Apart))),
            ("massif", text(massif(valgrind, out))),
            ("dhat", text(dhat(valgrind, out))),
        ]
    }

    #[test]
    fn percent_signs_of_the_folder_are_kept() {
        for (tool, words) in all() {
            let last: Vec<&str> = words.iter().rev().take(3).rev().map(String::as_str).collect();
            let file = format!("--{tool}-out-file=/tmp/50%% p/{tool}.%p");
            assert_eq!(last, [&file, "--log-file=/tmp/50%% p/valgrind.%p.log", "--"]);
        }
    }

    #[test]
    fn every_instrument_follows_children_and_leaves_the_status_alone() {
        for (tool, words) in all() {
            assert_eq!(words[1], format!("--tool={tool}"));
            assert!(words.contains(&"--trace-children=yes".to_owned()));
            assert!(!words.iter().any(|word| word.starts_with("--error-exitcode")));
        }
    }

    #[test]
    fn every_simulation_is_asked_for_or_switched_off_by_name() {
        for (tool, words) in all() {
            let has = |option: &str| words.iter().any(|word| word.starts_with(option));
            let on = has("--cache-sim=yes") && has("--branch-sim=yes") && has("--I1=32768,8,64");
            let on = on && has("--D1=32768,8,64") && has("--LL=12582912,6,64");
            let off = has("--cache-sim=no") && has("--branch-sim=no");
            assert_eq!(on || off, ["cachegrind", "callgrind"].contains(&tool), "{words:?}");
        }
    }
}
