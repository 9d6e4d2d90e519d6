//! Tests with real processes.

#[cfg(test)]
mod host;
