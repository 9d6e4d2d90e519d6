//! The texts of `/proc` and `/sys`: bytes in, typed values out, no I/O.
//!
//! The kernel ends each of these files with a newline, so a text without one was cut, and a cut number is another
//! number: such a text gives `None`. Formats after Documentation/filesystems/proc.rst,
//! Documentation/admin-guide/cgroup-v{1,2} and Documentation/ABI/testing/sysfs-devices-system-cpu of Linux 6.18.

use std::collections::BTreeSet;
use std::str;

/// The one line of a file, without its newline and outer blanks; `None` when cut, empty or longer than a line.
pub(super) fn line(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let text = text.trim();
    (!text.is_empty() && !text.contains('\n')).then_some(text)
}

/// All lines of a file that ends with a newline.
pub(super) fn lines(bytes: &[u8]) -> Option<str::Lines<'_>> {
    let text = str::from_utf8(bytes).ok()?;
    text.ends_with('\n').then(|| text.lines())
}

/// A decimal number alone on its line.
pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    line(bytes)?.parse().ok()
}

/// How many CPUs or nodes a list like `0-3,8,10-11` names.
pub(super) fn list_length(bytes: &[u8]) -> Option<u32> {
    let mut length = 0_u32;
    for range in line(bytes)?.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        length = length.checked_add(last.checked_sub(first)?.checked_add(1)?)?;
    }
    Some(length)
}

/// A cache size like `32K` or `1M`, in bytes.
pub(super) fn size(bytes: &[u8]) -> Option<u64> {
    let text = line(bytes)?;
    let (digits, unit) = match text.as_bytes().last()? {
        b'K' => (text.strip_suffix('K')?, 1 << 10),
        b'M' => (text.strip_suffix('M')?, 1 << 20),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// The choice in brackets of a line like `always [madvise] never`.
pub(super) fn chosen(bytes: &[u8]) -> Option<&str> {
    let (_, rest) = line(bytes)?.split_once('[')?;
    let (chosen, _) = rest.split_once(']')?;
    (!chosen.is_empty()).then_some(chosen)
}

/// A row of `/proc/meminfo` in bytes; the unit `kB` there is 1024 bytes.
pub(super) fn memory_row(bytes: &[u8], name: &str) -> Option<u64> {
    let row = lines(bytes)?.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    row.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The value all blocks of `/proc/cpuinfo` agree on; `None` when no block has it or they differ (little and big
/// cores).
pub(super) fn cpu_field<'a>(bytes: &'a [u8], name: &str) -> Option<&'a str> {
    let values: BTreeSet<&str> = lines(bytes)?
        .filter_map(|line| line.split_once(':'))
        .filter(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
        .collect();
    match values.len() {
        1 => values.first().copied().filter(|value| !value.is_empty()),
        _ => None,
    }
}

/// A variable of `/etc/os-release`, without its quotes.
pub(super) fn release_field<'a>(bytes: &'a [u8], name: &str) -> Option<&'a str> {
    let value = lines(bytes)?.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then_some(value)
}

/// A variable of a block of NUL-ended `name=value` texts, as `/proc/PID/environ` has them.
pub(super) fn variable<'a>(environ: &'a [u8], name: &str) -> Option<&'a str> {
    let value = environ
        .split_inclusive(|byte| *byte == 0)
        .filter_map(|text| text.strip_suffix(&[0]))
        .find_map(|text| text.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    str::from_utf8(value).ok()
}

/// A limit, or the knowledge that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    At(u64),
    Unlimited,
}

impl Limit {
    pub(super) fn word(self) -> String {
        match self {
            Self::At(value) => value.to_string(),
            Self::Unlimited => "unlimited".to_owned(),
        }
    }
}

/// `cpu.max` of cgroup v2 (`50000 100000`, `max 100000`) in thousandths of a CPU.
pub(super) fn cpu_max(bytes: &[u8]) -> Option<Limit> {
    let (quota, period) = line(bytes)?.split_once(' ')?;
    let period: u64 = period.parse().ok()?;
    match quota {
        "max" => Some(Limit::Unlimited),
        _ => share(quota.parse().ok()?, period),
    }
}

/// `cpu.cfs_quota_us` of cgroup v1, −1 without a limit, in thousandths of a CPU.
pub(super) fn cfs_quota(quota: &[u8], period: &[u8]) -> Option<Limit> {
    match line(quota)? {
        "-1" => Some(Limit::Unlimited),
        quota => share(quota.parse().ok()?, number(period)?),
    }
}

fn share(quota: u64, period: u64) -> Option<Limit> {
    Some(Limit::At(quota.checked_mul(1000)?.checked_div(period)?))
}

/// `memory.max` of cgroup v2.
pub(super) fn memory_max(bytes: &[u8]) -> Option<Limit> {
    match line(bytes)? {
        "max" => Some(Limit::Unlimited),
        limit => Some(Limit::At(limit.parse().ok()?)),
    }
}

/// `memory.limit_in_bytes` of cgroup v1, where no limit is the largest whole number of pages below 2^63.
pub(super) fn memory_limit(bytes: &[u8]) -> Option<Limit> {
    let limit = number(bytes)?;
    // The largest page in use is 64 KiB.
    let unlimited = limit >= (1 << 63) - (64 << 10);
    Some(if unlimited { Limit::Unlimited } else { Limit::At(limit) })
}

/// One line of `/proc/PID/mountinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// The folder of the filesystem that is mounted.
    pub(super) source: String,
    /// Where it is mounted.
    pub(super) point: String,
    pub(super) kind: String,
    pub(super) options: Vec<String>,
}

/// All mounts, in order; `None` when a line is not as proc(5) describes it.
pub(super) fn mounts(bytes: &[u8]) -> Option<Vec<Mount>> {
    // A path may be any bytes; only its own mount is then misnamed.
    let text = String::from_utf8_lossy(bytes);
    lines(text.as_bytes())?.map(mount).collect()
}

fn mount(line: &str) -> Option<Mount> {
    let (place, filesystem) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (source, point) = (unescaped(place.next()?)?, unescaped(place.next()?)?);
    let mut filesystem = filesystem.split(' ');
    let kind = filesystem.next()?.to_owned();
    let options = filesystem.nth(1)?.split(',').map(str::to_owned).collect();
    Some(Mount { source, point, kind, options })
}

/// A path of mountinfo: blanks, newlines and backslashes stand there as three octal digits.
fn unescaped(text: &str) -> Option<String> {
    let mut pieces = text.split('\\');
    let mut whole = pieces.next()?.to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(3)?;
        whole.push(char::from(u8::from_str_radix(digits, 8).ok()?));
        whole.push_str(rest);
    }
    Some(whole)
}

/// One line of `/proc/PID/cgroup`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Membership {
    /// Empty for the v2 hierarchy.
    pub(super) controllers: Vec<String>,
    pub(super) path: String,
}

/// The control groups of a process, one a hierarchy.
pub(super) fn memberships(bytes: &[u8]) -> Option<Vec<Membership>> {
    lines(bytes)?
        .map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let controllers = parts.next()?;
            let path = parts.next()?.to_owned();
            let controllers =
                controllers.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            Some(Membership { controllers, path })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cut of `whole` gives nothing; the whole gives `wanted`.
    fn check<T: PartialEq + std::fmt::Debug>(whole: &str, wanted: T, parse: impl Fn(&[u8]) -> Option<T>) {
        assert_eq!(parse(whole.as_bytes()), Some(wanted), "{whole:?}");
        for end in 0..whole.len() {
            // A text of several lines may be cut behind one of them; then the rest is missing, not misread.
            if end > 0 && whole.as_bytes()[end - 1] == b'\n' {
                continue;
            }
            assert_eq!(parse(&whole.as_bytes()[..end]), None, "{whole:?} cut at {end}");
        }
    }

    #[test]
    fn a_cut_value_is_unknown_never_another_value() {
        check("128\n", 128, number);
        check("0-3,8,10-11\n", 7, list_length);
        check("0\n", 1, list_length);
        check("32768K\n", 32 << 20, size);
        check("4M\n", 4 << 20, size);
        check("always [madvise] never\n", "madvise".to_owned(), |bytes| chosen(bytes).map(str::to_owned));
        check("SwapTotal:  12 kB\n", 12 << 10, |bytes| memory_row(bytes, "SwapTotal"));
        check("150000 100000\n", Limit::At(1500), cpu_max);
        check("max 100000\n", Limit::Unlimited, cpu_max);
        check("max\n", Limit::Unlimited, memory_max);
        check("1073741824\n", Limit::At(1 << 30), memory_max);
        check("9223372036854771712\n", Limit::Unlimited, memory_limit);
        check("1073741824\n", Limit::At(1 << 30), memory_limit);
        check("-1\n", Limit::Unlimited, |quota| cfs_quota(quota, b"100000\n"));
        check("250000\n", Limit::At(2500), |quota| cfs_quota(quota, b"100000\n"));
        check("cpu family\t: 25\n", "25".to_owned(), |bytes| {
            cpu_field(bytes, "cpu family").map(str::to_owned)
        });
        check("PRETTY_NAME=\"Debian 12\"\n", "Debian 12".to_owned(), |bytes| {
            release_field(bytes, "PRETTY_NAME").map(str::to_owned)
        });
    }

    #[test]
    fn odd_values_are_unknown_never_zero() {
        for odd in ["", "\n", " \n", "x\n", "-\n", "1 x\n", "99999999999999999999999\n", "\u{e9}\n", "1\n2\n"]
        {
            let bytes = odd.as_bytes();
            assert_eq!(number(bytes), None, "{odd:?}");
            assert_eq!(list_length(bytes), None, "{odd:?}");
            assert_eq!(size(bytes), None, "{odd:?}");
            assert_eq!(chosen(bytes), None, "{odd:?}");
            assert_eq!(cpu_max(bytes), None, "{odd:?}");
            assert_eq!(memory_max(bytes), None, "{odd:?}");
            assert_eq!(memory_limit(bytes), None, "{odd:?}");
            assert_eq!(cfs_quota(bytes, b"100000\n"), None, "{odd:?}");
        }
        for odd in ["3-1\n", "0-4294967295\n", "0,,1\n", "K\n", "5 0\n", "[]\n"] {
            let bytes = odd.as_bytes();
            assert_eq!(list_length(bytes).or(cpu_max(bytes).map(|_| 0)), None, "{odd:?}");
            assert_eq!(size(bytes), None, "{odd:?}");
            assert_eq!(chosen(bytes), None, "{odd:?}");
        }
        assert_eq!(number(b"\xff\n"), None);
        assert_eq!(cfs_quota(b"5\n", b"0\n"), None);
    }

    #[test]
    fn cpus_that_differ_have_no_common_value() {
        let same = b"processor : 0\nmodel name : A\n\nprocessor : 1\nmodel name : A\n";
        let differ = b"processor : 0\nmodel name : A\n\nprocessor : 1\nmodel name : B\n";
        assert_eq!(cpu_field(same, "model name"), Some("A"));
        assert_eq!(cpu_field(differ, "model name"), None);
        assert_eq!(cpu_field(same, "stepping"), None);
        assert_eq!(cpu_field(b"stepping :\n", "stepping"), None);
    }

    #[test]
    fn a_mount_point_with_a_blank_is_read_back() {
        let line = "27 1 254:0 / /a\\040b rw,relatime shared:1 - ext4 /dev/vda rw,discard\n";
        let wanted = Mount {
            source: "/".to_owned(),
            point: "/a b".to_owned(),
            kind: "ext4".to_owned(),
            options: vec!["rw".to_owned(), "discard".to_owned()],
        };
        check(line, vec![wanted], mounts);
        for odd in ["x\n", "1 2 3 / /a\\9 rw - ext4 d o\n", "1 2 3 / /a\\04\n", "1 2 3 / /a rw - ext4\n"] {
            assert_eq!(mounts(odd.as_bytes()), None, "{odd:?}");
        }
    }

    #[test]
    fn control_groups_of_both_versions_are_read() {
        let text = "4:memory,cpu:/a:b\n0::/user.slice\n";
        let read = memberships(text.as_bytes()).unwrap();
        assert_eq!(read[0].controllers, ["memory", "cpu"]);
        assert_eq!(read[0].path, "/a:b");
        assert!(read[1].controllers.is_empty());
        assert_eq!(memberships(b"4:memory\n"), None);
        assert_eq!(memberships(b"0::/cut"), None);
    }

    #[test]
    fn a_variable_cut_before_its_end_is_unknown() {
        assert_eq!(variable(b"a=1\0container=podman\0", "container"), Some("podman"));
        assert_eq!(variable(b"a=1\0container=pod", "container"), None);
        assert_eq!(variable(b"mycontainer=x\0", "container"), None);
    }
}
