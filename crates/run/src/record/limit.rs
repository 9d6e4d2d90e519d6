//! How long a call waits for one of several things at most, by its arguments: poll(2), select(2), epoll_wait(2).

use super::memory::read_memory;
use super::thread::InCall;

/// The kernel takes the time when the call begins, and its thread leaves the CPU a little later. What takes longer than this part of
/// the limit is not that …
const PART: u64 = 100;

/// … but of a short one for so long; nanoseconds.
const LEAST: u64 = 50_000;

/// Where a call has its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Milliseconds as an int; negative ones are none.
    Millis(u64),
    /// A `struct timespec`.
    Timespec(u64),
    /// A `struct timeval`.
    Timeval(u64),
}

fn place(call: &InCall) -> Option<Place> {
    let [_, _, third, fourth, fifth, _] = call.arguments;
    Some(match call.call.name()? {
        "epoll_wait" | "epoll_pwait" => Place::Millis(fourth),
        "poll" => Place::Millis(third),
        "ppoll" => Place::Timespec(third),
        "epoll_pwait2" => Place::Timespec(fourth),
        "pselect6" => Place::Timespec(fifth),
        "select" => Place::Timeval(fifth),
        _ => return None,
    })
}

/// Nanoseconds. `None` without a limit, and where it stands in memory: the kernel writes there what is left of it, so that only a
/// look during the wait tells it.
pub(super) fn told(call: &InCall) -> Option<u64> {
    match place(call)? {
        #[expect(clippy::cast_possible_truncation, reason = "as the kernel does")]
        Place::Millis(millis) => u64::from(u32::try_from(millis as i32).ok()?).checked_mul(1_000_000),
        Place::Timespec(_) | Place::Timeval(_) => None,
    }
}

/// The same of a thread that waits right now.
pub(super) fn read(pid: u32, call: &InCall) -> Option<u64> {
    let (address, unit) = match place(call)? {
        Place::Millis(_) => return told(call),
        Place::Timespec(address) => (address, 1),
        Place::Timeval(address) => (address, 1000),
    };
    let mut bytes = [0; 16];
    if address == 0 || read_memory(pid, address, &mut bytes) < bytes.len() {
        return None;
    }
    let [seconds, rest] = bytes.as_chunks::<8>().0 else { return None };
    let seconds = u64::from_ne_bytes(*seconds).checked_mul(1_000_000_000)?;
    u64::from_ne_bytes(*rest).checked_mul(unit)?.checked_add(seconds)
}

/// Whether a wait of this length was over because its limit was up.
pub(super) fn is_up(limit: Option<u64>, length: u64) -> bool {
    limit.is_some_and(|limit| limit > 0 && length.saturating_add(LEAST.max(limit / PART)) >= limit)
}

#[cfg(test)]
mod tests {
    use super::super::syscalls::Syscall;
    use super::*;

    fn call(name: &str, arguments: [u64; 6]) -> InCall {
        let registers = stacks::Registers { ip: 0, sp: 0, bp: 0, lr: 0 };
        InCall::told(Syscall::named(name).unwrap(), arguments, registers)
    }

    #[test]
    fn limits_are_read_where_each_call_has_them() {
        let time = [1_u64, 500];
        let at = std::ptr::from_ref(&time) as u64;
        let own = std::process::id();
        for (name, arguments, expected) in [
            ("epoll_wait", [3, 0, 1, 200, 0, 0], Some(200_000_000)),
            ("epoll_wait", [3, 0, 1, 0xffff_ffff, 0, 0], None),
            ("poll", [0, 1, 100, 0, 0, 0], Some(100_000_000)),
            ("ppoll", [0, 1, at, 0, 0, 0], Some(1_000_000_500)),
            ("ppoll", [0, 1, 0, 0, 0, 0], None),
            ("pselect6", [0, 0, 0, 0, at, 0], Some(1_000_000_500)),
            ("select", [0, 0, 0, 0, at, 0], Some(1_000_500_000)),
            ("read", [0, 0, 100, 100, 0, 0], None),
        ] {
            assert_eq!(read(own, &call(name, arguments)), expected, "{name} {arguments:?}");
        }
    }

    #[test]
    fn a_wait_that_is_shorter_than_its_limit_was_ended_by_something_else() {
        for (limit, length, expected) in [
            (Some(200_000_000), 200_100_000, true),
            (Some(200_000_000), 199_950_000, true),
            (Some(200_000_000), 150_000_000, false),
            (Some(1_000_000), 960_000, true),
            (Some(0), 1000, false),
            (None, u64::MAX, false),
        ] {
            assert_eq!(is_up(limit, length), expected, "{limit:?} {length}");
        }
    }
}
