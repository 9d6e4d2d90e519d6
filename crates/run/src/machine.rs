//! What else the machine did during a run: steal, throttling, pressure, frequency, load.
//!
//! The files are opened once and read again between runs, never during one.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use model::sample::Covariates;
use model::{Count, Hertz, Nanos};

/// The open files behind the covariates. What cannot be opened stays unknown.
#[derive(Debug)]
pub struct Machine {
    stat: Option<File>,
    load: Option<File>,
    cpu_pressure: Option<File>,
    io_pressure: Option<File>,
    memory_pressure: Option<File>,
    throttling: Option<File>,
    memory: Option<File>,
    frequency: Option<File>,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    steal: Option<Nanos>,
    throttled: Option<Nanos>,
    cpu_pressure: Option<Nanos>,
    io_pressure: Option<Nanos>,
    memory_pressure: Option<Nanos>,
    runnable_tasks: Option<Count>,
    swapped_in: Option<u64>,
}

impl Machine {
    #[must_use]
    pub fn open() -> Self {
        let open = |path: &str| File::open(path).ok();
        Self {
            stat: open("/proc/stat"),
            load: open("/proc/loadavg"),
            cpu_pressure: open("/proc/pressure/cpu"),
            io_pressure: open("/proc/pressure/io"),
            memory_pressure: open("/proc/pressure/memory"),
            throttling: own_cpu_group().and_then(|group| File::open(group.join("cpu.stat")).ok()),
            memory: open("/proc/vmstat"),
            frequency: open("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"),
        }
    }

    #[must_use]
    pub fn moment(&self) -> Moment {
        let pressure = |file: &Option<File>| parse_pressure(&text(file)?);
        Moment {
            steal: text(&self.stat).and_then(|text| parse_steal(&text, ticks_per_second()?)),
            throttled: text(&self.throttling).and_then(|text| parse_throttled(&text)),
            cpu_pressure: pressure(&self.cpu_pressure),
            io_pressure: pressure(&self.io_pressure),
            memory_pressure: pressure(&self.memory_pressure),
            runnable_tasks: text(&self.load).and_then(|text| parse_runnable(&text)),
            swapped_in: text(&self.memory).and_then(|text| parse_swapped_in(&text)),
        }
    }

    /// What happened between two moments, with the frequency as it is now.
    #[must_use]
    pub fn between(&self, before: &Moment, after: &Moment) -> Covariates {
        let span = |after: Option<Nanos>, before: Option<Nanos>| after?.minus(before?);
        Covariates {
            steal: span(after.steal, before.steal),
            throttled: span(after.throttled, before.throttled),
            cpu_pressure: span(after.cpu_pressure, before.cpu_pressure),
            io_pressure: span(after.io_pressure, before.io_pressure),
            memory_pressure: span(after.memory_pressure, before.memory_pressure),
            frequency: text(&self.frequency).and_then(|text| parse_kilohertz(&text)),
            runnable_tasks: before.runnable_tasks,
            swapped_in: after
                .swapped_in
                .zip(before.swapped_in)
                .map(|(after, before)| Count(after.saturating_sub(before))),
        }
    }
}

fn text(file: &Option<File>) -> Option<String> {
    let mut bytes = [0; 8192];
    // The lines we want stand in the first two pages of every one of these files.
    let length = file.as_ref()?.read_at(&mut bytes, 0).ok()?;
    String::from_utf8(bytes.get(..length)?.to_vec()).ok()
}

/// `pswpin` of `/proc/vmstat`.
fn parse_swapped_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("pswpin ")?.parse().ok())
}

fn ticks_per_second() -> Option<u64> {
    // SAFETY: no arguments but a constant.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok().filter(|ticks| *ticks > 0)
}

/// Eighth number of the `cpu` line of /proc/stat, in clock ticks.
fn parse_steal(text: &str, ticks: u64) -> Option<Nanos> {
    let line = text.split_inclusive('\n').next()?.strip_suffix('\n')?.strip_prefix("cpu ")?;
    let steal: u64 = line.split_ascii_whitespace().nth(7)?.parse().ok()?;
    Some(Nanos::from_nanos(steal.checked_mul(1_000_000_000 / ticks)?))
}

/// Total of the `some` line of a pressure file, in microseconds.
fn parse_pressure(text: &str) -> Option<Nanos> {
    let line = text.split_inclusive('\n').find_map(|line| line.strip_prefix("some ")?.strip_suffix('\n'))?;
    let total = line.split(' ').find_map(|field| field.strip_prefix("total="))?;
    Nanos::from_micros(total.parse().ok()?)
}

/// `throttled_usec` of cgroup v2, `throttled_time` (nanoseconds) of v1.
fn parse_throttled(text: &str) -> Option<Nanos> {
    text.split_inclusive('\n').find_map(|line| {
        let line = line.strip_suffix('\n')?;
        if let Some(micros) = line.strip_prefix("throttled_usec ") {
            return Nanos::from_micros(micros.parse().ok()?);
        }
        Some(Nanos::from_nanos(line.strip_prefix("throttled_time ")?.parse().ok()?))
    })
}

/// The number before the slash in the fourth field of /proc/loadavg.
fn parse_runnable(text: &str) -> Option<Count> {
    let field = text.strip_suffix('\n')?.split(' ').nth(3)?;
    Some(Count(field.split_once('/')?.0.parse().ok()?))
}

fn parse_kilohertz(text: &str) -> Option<Hertz> {
    Some(Hertz(text.strip_suffix('\n')?.parse::<u64>().ok()?.checked_mul(1000)?))
}

/// The folder of our own CPU control group: v2 where it has a `cpu.stat`, else v1.
fn own_cpu_group() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = |controller: &str| {
        groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
            (controllers.split(',').any(|name| name == controller)).then(|| path.to_owned())
        })
    };
    let v1 = path("cpu").map(|path| join("/sys/fs/cgroup/cpu", &path));
    let v2 = path("").map(|path| join("/sys/fs/cgroup", &path));
    [v2, v1].into_iter().flatten().find(|folder| folder.join("cpu.stat").exists())
}

fn join(mount: &str, path: &str) -> PathBuf {
    Path::new(mount).join(path.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_lines_are_read() {
        let stat = "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(parse_steal(stat, 100), Some(Nanos::from_nanos(800_000_000)));
        let pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0.00 total=9\n";
        assert_eq!(parse_pressure(pressure), Nanos::from_micros(1234));
        assert_eq!(parse_throttled("nr_throttled 3\nthrottled_usec 7\n"), Nanos::from_micros(7));
        assert_eq!(parse_throttled("nr_throttled 3\nthrottled_time 7\n"), Some(Nanos::from_nanos(7)));
        assert_eq!(parse_runnable("0.42 0.15 0.05 2/79 1761\n"), Some(Count(2)));
        assert_eq!(parse_kilohertz("3200000\n"), Some(Hertz(3_200_000_000)));
    }

    #[test]
    fn a_missing_field_is_unknown_not_zero() {
        assert_eq!(parse_steal("cpu  10 20\n", 100), None);
        assert_eq!(parse_pressure("full avg10=0.00 total=9\n"), None);
        assert_eq!(parse_throttled("usage_usec 7\n"), None);
        assert_eq!(parse_runnable("0.42 0.15"), None);
    }

    #[test]
    fn an_absent_file_gives_unknown() {
        let nothing = Machine {
            stat: None,
            load: None,
            cpu_pressure: None,
            io_pressure: None,
            memory_pressure: None,
            throttling: None,
            memory: None,
            frequency: None,
        };
        let moment = nothing.moment();
        assert_eq!(nothing.between(&moment, &moment), Covariates::default());
    }
}
