//! The causes. Each stands in one file with the page that explains it; every threshold has its reason beside it.

mod computing;
pub(super) mod external;
mod files;
mod locks;
mod machine;
mod memory;
pub(in crate::cause) mod peers;
mod shape;

use super::{Cause, Condition, Is};

/// Every cause that is looked for.
pub static CAUSES: &[&Cause] = &[
    &computing::ALGORITHMIC_GROWTH,
    &computing::REGEX_BACKTRACKING,
    &computing::REPEATED_WORK,
    &computing::HOT_COMPUTE,
    &computing::STARTUP_DOMINATED,
    &machine::DEBUG_BUILD,
    &machine::MISSED_VECTORISATION,
    &machine::CACHE_MISSES,
    &machine::BRANCH_MISPREDICTS,
    &machine::FALSE_SHARING,
    &memory::ALLOCATION_CHURN,
    &memory::COPY_VOLUME,
    &memory::GC_PRESSURE,
    &memory::PAGE_FAULTS,
    &memory::MEMORY_GROWTH,
    &memory::SWAP,
    &locks::LOCK_CONTENTION,
    &locks::LOCK_ACROSS_IO,
    &shape::SINGLE_THREAD_BOUND,
    &shape::POOR_PARALLELISM,
    &shape::OVERSUBSCRIPTION,
    &shape::POLLING_SLEEP,
    &shape::SPAWN_STORM,
    &files::SMALL_IO,
    &files::FSYNC_PER_RECORD,
    &files::RANDOM_IO,
    &files::COLD_CACHE,
    &files::SYSCALL_STORM,
    &peers::N_PLUS_ONE,
    &peers::SLOW_QUERY,
    &peers::CONNECTION_PER_REQUEST,
    &peers::SERIAL_FAN_OUT,
    &peers::SERIAL_CALLS,
    &peers::CHATTY_PROTOCOL,
    &peers::SLOW_PEER,
    &peers::DNS_STALL,
    &external::SLOW_THIRD_PARTY,
    &external::CPU_QUOTA,
    &external::STEAL,
    &external::NOISY_NEIGHBOUR,
];

/// The cause with this id.
#[must_use]
pub fn explained(id: &str) -> Option<&'static Cause> {
    CAUSES.iter().find(|cause| cause.id == id).copied()
}

const fn at_least(
    metric: &'static str,
    threshold: f64,
    witness: &'static str,
    means: &'static str,
) -> Condition {
    Condition { metric, is: Is::AtLeast(threshold), witness, means }
}

const fn at_most(
    metric: &'static str,
    threshold: f64,
    witness: &'static str,
    means: &'static str,
) -> Condition {
    Condition { metric, is: Is::AtMost(threshold), witness, means }
}

const fn yes(metric: &'static str, witness: &'static str, means: &'static str) -> Condition {
    at_least(metric, 0.5, witness, means)
}

const fn no(metric: &'static str, witness: &'static str, means: &'static str) -> Condition {
    at_most(metric, 0.5, witness, means)
}

/// Less than a twentieth of wall time can make a program at most 1.05 times as fast.
const WORTH: Condition = at_least("wall", 0.05, "profile", "it takes a share of wall time that matters");
