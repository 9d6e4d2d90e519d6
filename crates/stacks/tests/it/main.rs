//! The stacks crate against real programs.

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod jit;
#[cfg(test)]
mod naming;
#[cfg(test)]
mod past;
#[cfg(test)]
mod python;
#[cfg(test)]
mod specimen;
#[cfg(test)]
mod tracee;
#[cfg(test)]
mod unwinding;
