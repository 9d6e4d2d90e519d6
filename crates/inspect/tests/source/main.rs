//! What is read from source, claim by claim, in every language.

#[cfg(test)]
mod asking;
#[cfg(test)]
mod containers;
#[cfg(test)]
mod held;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod lasting;
#[cfg(test)]
mod libraries;
#[cfg(test)]
mod places;
#[cfg(test)]
mod repetition;
