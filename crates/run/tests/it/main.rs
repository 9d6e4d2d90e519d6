//! Tests with real processes.

#[cfg(test)]
mod host;
#[cfg(test)]
mod runner;
