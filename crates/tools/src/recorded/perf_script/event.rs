//! An event's line: `comm pid/tid [cpu] time: period event: rest`.
//!
//! The command's name comes first and may hold anything, spaces, colons and numbers too; so the numbers behind it are
//! looked for, first together with a time and an event, which no name can imitate in its fifteen bytes.

use model::Nanos;

use super::super::lines::{decimal, word};
use super::time;

pub(super) struct Event<'a> {
    pub(super) comm: &'a [u8],
    /// `None` when only the thread is printed.
    pub(super) pid: Option<u32>,
    pub(super) tid: u32,
    pub(super) time: Option<Nanos>,
    pub(super) period: Option<u64>,
    /// With modifiers, without its last colon. Empty when it is not printed.
    pub(super) name: &'a [u8],
    pub(super) kind: Kind<'a>,
}

pub(super) enum Kind<'a> {
    /// What stands behind the event's name.
    Sample(&'a [u8]),
    /// Records that the kernel could not write.
    Lost(u64),
    Throttled,
    Ignored,
}

/// What must stand behind the thread's number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    Both,
    Time,
    Name,
}

impl<'a> Event<'a> {
    /// `None` when the line is no event.
    pub(super) fn of(line: &'a [u8]) -> Option<Self> {
        let demands = [Demand::Both, Demand::Time, Demand::Name];
        demands.into_iter().find_map(|demand| Self::search(line, demand))
    }

    fn search(line: &'a [u8], demand: Demand) -> Option<Self> {
        let mut rest = line;
        loop {
            let (first, behind) = word(rest);
            if first.is_empty() {
                return None;
            }
            if let Some((pid, tid)) = ids(first)
                && let Some(mut event) = Self::behind(behind, demand)
            {
                let start = line.len() - behind.len() - first.len();
                event.comm = line.get(..start)?.trim_ascii();
                (event.pid, event.tid) = (pid, tid);
                return Some(event);
            }
            rest = behind;
        }
    }

    /// What stands behind the thread's number.
    fn behind(text: &'a [u8], demand: Demand) -> Option<Self> {
        let mut event =
            Self { comm: b"", pid: None, tid: 0, time: None, period: None, name: b"", kind: Kind::Ignored };
        let mut rest = text;
        let (first, behind) = word(rest);
        if is_cpu(first) {
            rest = behind;
        }
        let (first, behind) = word(rest);
        event.time = first.strip_suffix(b":").and_then(time);
        if event.time.is_some() {
            rest = behind;
        } else if demand != Demand::Name {
            return None;
        }
        let (first, behind) = word(rest);
        if first.starts_with(b"PERF_RECORD_") && event.time.is_some() {
            event.kind = record(first, behind);
            return Some(event);
        }
        event.period = decimal(first);
        let (first, behind) = if event.period.is_some() { word(behind) } else { (first, behind) };
        match first.strip_suffix(b":") {
            Some(name) if !name.is_empty() => (event.name, rest) = (name, behind),
            // With a time the event's name may be left out; then what follows is a frame or nothing.
            _ if demand == Demand::Time => event.period = None,
            _ => return None,
        }
        event.kind = Kind::Sample(rest.trim_ascii());
        Some(event)
    }
}

/// `tid` or `pid/tid`.
fn ids(text: &[u8]) -> Option<(Option<u32>, u32)> {
    let number = |text| decimal(text).and_then(|number| u32::try_from(number).ok());
    match text.iter().position(|byte| *byte == b'/') {
        Some(slash) => Some((Some(number(text.get(..slash)?)?), number(text.get(slash + 1..)?)?)),
        None => Some((None, number(text)?)),
    }
}

fn is_cpu(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]"));
    inside.is_some_and(|inside| decimal(inside).is_some())
}

fn record<'a>(first: &[u8], rest: &[u8]) -> Kind<'a> {
    match first.strip_suffix(b":").unwrap_or(first) {
        b"PERF_RECORD_LOST" | b"PERF_RECORD_LOST_SAMPLES" => {
            let last = rest.rsplit(|byte| *byte == b' ').find(|word| !word.is_empty());
            last.and_then(decimal).map_or(Kind::Ignored, Kind::Lost)
        }
        b"PERF_RECORD_THROTTLE" => Kind::Throttled,
        _ => Kind::Ignored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, comm: &str, ids: (Option<u32>, u32), name: &str, rest: &str) {
        let event = Event::of(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(event.comm, comm.as_bytes(), "{line}");
        assert_eq!((event.pid, event.tid), ids, "{line}");
        assert_eq!(event.name, name.as_bytes(), "{line}");
        let Kind::Sample(found) = event.kind else { panic!("{line}") };
        assert_eq!(found, rest.as_bytes(), "{line}");
    }

    #[test]
    fn fields_may_be_absent_and_names_odd() {
        check("spin  6466 12051.082798:    5025125 cpu-clock: ", "spin", (None, 6466), "cpu-clock", "");
        check("a 1 2: b  7/8  [003] 1.000000001: 3 cycles:ppp: ", "a 1 2: b", (Some(7), 8), "cycles:ppp", "");
        check("x 7 1.000001: y  6465 12.09: 5 cpu-clock: ", "x 7 1.000001: y", (None, 6465), "cpu-clock", "");
        check("12 34 56 1.000001: 9 x: ", "12 34", (None, 56), "x", "");
        check(
            "     spin  6635 12.846089:  5 cpu-clock:   55bb leaf (/s)",
            "spin",
            (None, 6635),
            "cpu-clock",
            "55bb leaf (/s)",
        );
        check("spin 6635 12.846089:   55bb leaf (/s)", "spin", (None, 6635), "", "55bb leaf (/s)");
        check("spin 6635/6635 cycles: ", "spin", (Some(6635), 6635), "cycles", "");
        check(
            "x 1 [000] 1.000001: sched:sched_switch: prev_comm=x ==> y",
            "x",
            (None, 1),
            "sched:sched_switch",
            "prev_comm=x ==> y",
        );
        check("7 1.000001: 9 x: ", "", (None, 7), "x", "");
    }

    #[test]
    fn other_lines_are_no_events() {
        for line in
            ["", "hello", "a;b;c 12", "\t 1237 leaf+0x27 (/tmp/x)", "main 12", "x 99999999999 1.0: y:"]
        {
            assert!(Event::of(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn lost_records_are_counted() {
        let line = b"spin  6462 12051.056832: PERF_RECORD_LOST lost 17";
        assert!(matches!(Event::of(line).unwrap().kind, Kind::Lost(17)));
    }
}
