//! Trials of the kernel's files of figures.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::super::text;
use super::errno::Errno;
use super::{Scene, Seen, as_root};

/// A file read whole, or the reason with the call's name.
fn read(scene: &Scene, path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let result: io::Result<usize> =
        File::open(scene.root.path(path)).and_then(|mut file| file.read_to_end(&mut bytes));
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("reading /{path} gives {}", Errno::of(&error))),
    }
}

pub(super) fn pressure(scene: &Scene) -> Seen {
    let kinds = ["cpu", "io", "memory"];
    let failures: Vec<String> = kinds
        .iter()
        .filter_map(|kind| match read(scene, &format!("proc/pressure/{kind}")) {
            Ok(bytes) if bytes.starts_with(b"some avg10=") => None,
            Ok(_) => Some(format!("/proc/pressure/{kind} does not read as expected")),
            Err(because) => Some(because),
        })
        .collect();
    let next = || Some("boot with `psi=1` on the kernel's command line".to_owned());
    match failures.as_slice() {
        [] => Seen::yes("cpu, io and memory pressure are readable"),
        [first, ..] if failures.len() == kinds.len() => Seen::no(first.clone(), next()),
        [first, ..] => Seen::partly(first.clone(), next()),
    }
}

pub(super) fn steal(scene: &Scene) -> Seen {
    match read(scene, "proc/stat").map(|bytes| steal_ticks(&bytes)) {
        Ok(Some(_)) => Seen::yes("/proc/stat counts it"),
        Ok(None) => Seen::no("/proc/stat has no such column", None),
        Err(because) => Seen::no(because, None),
    }
}

/// The eighth number of the first line of `/proc/stat`.
fn steal_ticks(bytes: &[u8]) -> Option<u64> {
    let line = text::lines(bytes)?.find_map(|line| line.strip_prefix("cpu "))?;
    line.split_ascii_whitespace().nth(7)?.parse().ok()
}

pub(super) fn schedstat(scene: &Scene) -> Seen {
    match read(scene, "proc/self/schedstat").map(|bytes| on_cpu(&bytes)) {
        Ok(Some(1..)) => Seen::yes("/proc/self/schedstat counts"),
        Ok(Some(0)) => {
            Seen::no("/proc/self/schedstat is all zero: the kernel was built without SCHED_INFO", None)
        }
        Ok(None) => Seen::no("/proc/self/schedstat does not read as expected", None),
        Err(because) => Seen::no(because, None),
    }
}

/// Nanoseconds on a CPU, when all three numbers of the line are there.
fn on_cpu(bytes: &[u8]) -> Option<u64> {
    let numbers =
        text::line(bytes)?.split(' ').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?;
    match numbers.as_slice() {
        [on_cpu, _, _] => Some(*on_cpu),
        _ => None,
    }
}

pub(super) fn io(scene: &Scene) -> Seen {
    let Ok(child) = &scene.child else {
        return Seen::no("no child could be made to try it on", None);
    };
    match read(scene, &format!("proc/{}/io", child.pid)) {
        Ok(bytes) if bytes.starts_with(b"rchar: ") => {
            Seen::yes("/proc/PID/io of a child of ours is readable")
        }
        Ok(_) => Seen::no("/proc/PID/io does not read as expected", None),
        Err(because) => Seen::no(because, None),
    }
}

pub(super) fn frequency(scene: &Scene) -> Seen {
    let current = "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq";
    if scene.root.read(current).as_deref().and_then(text::number).is_some() {
        return Seen::yes(format!("/{current} is readable"));
    }
    let cpus = scene.root.read("proc/cpuinfo").unwrap_or_default();
    let listed = text::lines(&cpus).is_some_and(|mut lines| lines.any(|line| line.starts_with("cpu MHz")));
    match listed {
        true => Seen::partly(
            "the kernel manages no frequency here; /proc/cpuinfo has one, which in a virtual machine never changes",
            None,
        ),
        false => Seen::no("neither cpufreq nor /proc/cpuinfo shows a frequency", None),
    }
}

pub(super) fn drop_caches(_: &Scene) -> Seen {
    // Opening is the whole trial: writing would empty the cache for everyone.
    match OpenOptions::new().write(true).open(Path::new("/proc/sys/vm/drop_caches")) {
        Ok(_) => Seen::yes("/proc/sys/vm/drop_caches may be written; nothing was written"),
        Err(error) => Seen::no(
            format!("opening /proc/sys/vm/drop_caches for writing gives {}", Errno::of(&error)),
            Some(as_root("slowpath bench --cold -- COMMAND")),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_are_cut_or_odd_are_unknown() {
        assert_eq!(steal_ticks(b"cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1\n"), Some(8));
        assert_eq!(on_cpu(b"5 6 7\n"), Some(5));
        for odd in ["", "cpu  1 2 3 4 5 6 7\n", "cpu  1 2 3 4 5 6 7 8", "cpu  1 2 3 4 5 6 7 x\n", "intr 1\n"]
        {
            assert_eq!(steal_ticks(odd.as_bytes()), None, "{odd:?}");
        }
        for odd in ["", "5 6 7", "5 6\n", "5 6 x\n", "5 6 7 8\n"] {
            assert_eq!(on_cpu(odd.as_bytes()), None, "{odd:?}");
        }
    }
}
