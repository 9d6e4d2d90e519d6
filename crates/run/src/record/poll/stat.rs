//! `/proc/PID/task/TID/stat`, as proc(5) describes it.

use std::fs;

use model::Nanos;

/// `PF_EXITING` of the kernel's `include/linux/sched.h`.
const EXITING: u64 = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) name: String,
    pub(super) state: char,
    /// It is being taken down: it runs no program any more.
    exiting: bool,
    pub(crate) parent: u32,
    pub(crate) user: Nanos,
    pub(crate) system: Nanos,
    /// Where the first stack of the program begins; zero when we may not know or there is no program.
    pub(super) stack: u64,
    pub(super) cpu: Option<u32>,
    /// Since the machine was started.
    pub(crate) born: Nanos,
}

impl Stat {
    /// `None` when the thread is gone.
    pub(crate) fn of(pid: u32, tid: u32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/task/{tid}/stat")).ok()?)
    }

    /// `None` for a cut line. The name in parentheses may hold anything, parentheses and line ends included.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = text.strip_suffix(b"\n")?;
        let open = text.iter().position(|byte| *byte == b'(')?;
        let close = text.iter().rposition(|byte| *byte == b')')?;
        let name = String::from_utf8_lossy(text.get(open + 1..close)?).into_owned();
        let rest = std::str::from_utf8(text.get(close + 1..)?).ok()?;
        // The first of these is the third field of proc(5).
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        Some(Self {
            name,
            state: fields.first()?.chars().next()?,
            exiting: number(9)? & EXITING != 0,
            parent: number(4)?.try_into().ok()?,
            user: ticks(number(14)?)?,
            system: ticks(number(15)?)?,
            stack: number(28)?,
            cpu: number(39)?.try_into().ok(),
            born: ticks(number(22)?)?,
        })
    }

    /// By a signal or a tracer.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.state, 'T' | 't')
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// It has ended, or the kernel is at it.
    pub(crate) fn is_ending(&self) -> bool {
        self.exiting || self.has_ended()
    }
}

fn ticks(count: u64) -> Option<Nanos> {
    // SAFETY: sysconf takes an integer.
    let per_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok()?;
    Nanos::from_micros(count.checked_mul(1_000_000)?.checked_div(per_second)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "42 (a) b\n(c) S 7 42 42 0 -1 4194304 100 0 0 0 25 3 0 0 20 0 1 0 12345 1000 50 \
        18446744073709551615 1 2 140737488346000 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

    #[test]
    fn a_name_may_hold_anything() {
        let stat = Stat::parse(LINE.as_bytes()).unwrap();
        assert_eq!((stat.name.as_str(), stat.state, stat.parent), ("a) b\n(c", 'S', 7));
        assert_eq!((stat.user.as_nanos(), stat.system.as_nanos()), (250_000_000, 30_000_000));
        assert_eq!((stat.stack, stat.cpu), (140_737_488_346_000, Some(3)));
    }

    #[test]
    fn who_is_taken_down_is_ending_before_its_state_says_so() {
        let stat = |line: &str| Stat::parse(line.as_bytes()).unwrap();
        assert!(!stat(LINE).is_ending());
        assert!(stat(&LINE.replace("4194304", "4194308")).is_ending());
        assert!(stat(&LINE.replace("c) S", "c) Z")).is_ending());
    }

    #[test]
    fn a_cut_line_is_unknown() {
        for length in 0..LINE.len() {
            assert_eq!(Stat::parse(&LINE.as_bytes()[..length]), None, "{length}");
        }
    }
}
