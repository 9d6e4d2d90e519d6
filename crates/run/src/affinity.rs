//! Running on fewer CPUs.

use std::mem::{size_of, zeroed};

/// Runs `work` while this thread and everything it starts may use one CPU only. `None` when the kernel refuses.
pub fn on_one_cpu<T>(work: impl FnOnce() -> T) -> Option<T> {
    let allowed = allowed()?;
    // SAFETY: the macros read and write inside of the set.
    let one = unsafe {
        let first =
            (0..libc::CPU_SETSIZE.unsigned_abs() as usize).find(|cpu| libc::CPU_ISSET(*cpu, &allowed))?;
        let mut one: libc::cpu_set_t = zeroed();
        libc::CPU_SET(first, &mut one);
        one
    };
    allow(&one)?;
    let done = work();
    // What was allowed a moment ago is not refused; if it were, slowpath would only be slower.
    let _ = allow(&allowed);
    Some(done)
}

fn allowed() -> Option<libc::cpu_set_t> {
    // SAFETY: a set of the size that is told.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        (libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) == 0).then_some(set)
    }
}

fn allow(set: &libc::cpu_set_t) -> Option<()> {
    // SAFETY: a set of the size that is told.
    let result = unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set) };
    (result == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cpu_is_allowed_for_a_while() {
        // SAFETY: the macro reads inside of the set.
        let count = || allowed().map(|set| unsafe { libc::CPU_COUNT(&set) });
        let before = count();
        assert_eq!(on_one_cpu(count).flatten(), Some(1));
        assert_eq!(count(), before);
    }
}
