//! The judging of made samples: what is claimed, what is not, and what is said instead.
//! The attribute on each module tells clippy that tests may unwrap.

#[cfg(test)]
mod answer;
#[cfg(test)]
mod bench;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod counted;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod made;
#[cfg(test)]
mod score;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod verify;
#[cfg(test)]
mod worklist;
