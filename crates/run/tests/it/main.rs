//! Tests with real processes.

#[cfg(test)]
mod alloc;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod copies;
#[cfg(test)]
mod go;
#[cfg(test)]
mod host;
#[cfg(test)]
mod jvm;
#[cfg(test)]
mod runner;
#[cfg(test)]
mod seized;
