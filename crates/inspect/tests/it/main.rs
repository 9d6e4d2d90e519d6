//! Real programs, compiled here, whose loops are known.

#[cfg(test)]
mod arm;
#[cfg(test)]
mod compiled;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod objdump;
#[cfg(test)]
mod weights;
