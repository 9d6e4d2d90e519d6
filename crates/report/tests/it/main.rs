//! The reports as a reader sees them, from hand-made wire values.

#[cfg(test)]
mod browser;
#[cfg(test)]
mod consumers;
#[cfg(test)]
mod expected;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod gates;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod maps;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod poisoned;
#[cfg(test)]
mod scales;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod widths;
#[cfg(test)]
mod wire;
