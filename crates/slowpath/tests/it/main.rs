//! slowpath from outside: real processes, real folders, real signals.

#[cfg(test)]
mod answered;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod compiled_calls;
#[cfg(test)]
mod costs;
#[cfg(test)]
mod counts;
#[cfg(test)]
mod documented;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod folders;
#[cfg(test)]
mod gated;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod help;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod imported;
#[cfg(test)]
mod java_waits;
#[cfg(test)]
mod lab;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod mapped;
#[cfg(test)]
mod measured;
#[cfg(test)]
mod native_calls;
#[cfg(test)]
mod natives;
#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod paged;
#[cfg(test)]
mod place;
#[cfg(test)]
mod pythons;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod rendered;
#[cfg(test)]
mod revisions;
#[cfg(test)]
mod runtimes;
#[cfg(test)]
mod scaled;
#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod scored;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod stressed;
#[cfg(test)]
mod suites;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod tiers;
#[cfg(test)]
mod verdicts;
#[cfg(test)]
mod verified;
#[cfg(test)]
mod waits;
#[cfg(test)]
mod watched;
#[cfg(test)]
mod weaknesses;
#[cfg(test)]
mod world;
