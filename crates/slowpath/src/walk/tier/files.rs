//! The files that an instrument left, one for each process.

use std::fs;
use std::path::Path;

use tools::valgrind::Process;

/// What one process wrote.
pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// It was forked and started no program of its own: its counts begin with its parent's.
    pub(super) forked: bool,
}

/// All files of one run, the oldest process first.
pub(super) struct Files {
    pub(super) list: Vec<File>,
    /// As valgrind's log has it.
    pub(super) version: Option<String>,
}

/// Valgrind's own words about each process.
pub(super) fn logs(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".log"));
    named.filter_map(|entry| fs::read(entry.path()).ok()).collect()
}

/// The files that begin with an instrument's name. Empty ones were left by processes that executed something else.
pub(super) fn files(folder: &Path, instrument: &str) -> Files {
    let logs = logs(folder);
    let processes: Vec<Process> = logs.iter().filter_map(|log| Process::of(log)).collect();
    let forked = |pid: u32| {
        let child = processes.iter().find(|process| process.id == pid);
        child.is_some_and(|child| processes.iter().any(|parent| child.seems_forked_from(parent)))
    };
    let mut list: Vec<(u32, File)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix(instrument).and_then(|rest| rest.strip_prefix('.')?.parse().ok());
        let Some((pid, bytes)) = pid.zip(fs::read(entry.path()).ok()).filter(|(_, bytes)| !bytes.is_empty())
        else {
            continue;
        };
        list.push((pid, File { name, bytes, forked: forked(pid) }));
    }
    list.sort_by_key(|(pid, _)| *pid);
    let version = logs.iter().find_map(|log| version(log));
    Files { list: list.into_iter().map(|(_, file)| file).collect(), version }
}

/// `3.19.0` of `Using Valgrind-3.19.0 and LibVEX`.
fn version(log: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(log);
    let (_, rest) = text.split_once("Using Valgrind-")?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// The share of all counts up to which forked processes are left out rather than everything.
const SMALL: f64 = 0.05;

/// The processes whose counts are their own, and how many were left out.
pub(super) struct Settled<T> {
    pub(super) own: Vec<T>,
    pub(super) left_out: usize,
}

/// Leaves forked processes out: their counts begin with their parent's, and where that ends is not told. The error says so
/// where they may be a large part.
pub(super) fn settled<T>(parsed: Vec<(bool, T)>, weight: impl Fn(&T) -> u64) -> Result<Settled<T>, String> {
    let (forked, own): (Vec<_>, Vec<_>) = parsed.into_iter().partition(|(forked, _)| *forked);
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
    let sum = |all: &[(bool, T)]| all.iter().map(|(_, one)| weight(one) as f64).sum::<f64>();
    if sum(&forked) > SMALL * sum(&own) {
        let why = "it forks without starting another program, and valgrind counts the common part twice";
        return Err(why.to_owned());
    }
    Ok(Settled { own: own.into_iter().map(|(_, one)| one).collect(), left_out: forked.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_fork_is_left_out_and_a_large_one_spoils_the_counts() {
        let small = settled(vec![(false, 100), (true, 4)], |weight| *weight).unwrap();
        assert_eq!((small.own.as_slice(), small.left_out), (&[100][..], 1));
        assert!(settled(vec![(false, 100), (true, 60)], |weight| *weight).is_err());
    }

    #[test]
    fn the_version_is_in_the_log() {
        let log = b"==1== Cachegrind\n==1== Using Valgrind-3.19.0 and LibVEX; rerun with -h\n";
        assert_eq!(version(log).as_deref(), Some("3.19.0"));
        assert_eq!(version(b"valgrind: no such tool"), None);
    }
}
