//! What was seen of the functions that were watched.

use super::book::Book;
use super::pace::MOST;
use super::{Callable, Cost, Gap, Repeat};

/// What was seen, function by function.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) functions: Vec<Callable>,
    pub(super) books: Vec<Book>,
    /// Processes in which something was watched.
    pub(super) processes: u32,
    /// Functions that were found in the memory of one.
    pub(super) found: Vec<bool>,
    pub(super) is_cut: bool,
    /// What a stop adds to the time of its thread, in nanoseconds, of late.
    pub(super) stop: u64,
}

impl Seen {
    /// In the form that all runtimes tell it.
    pub(super) fn told(&self) -> (Vec<Repeat>, Vec<Cost>, Vec<Gap>) {
        let both = || self.functions.iter().zip(&self.books);
        let repeats = both().filter_map(|(function, book)| book.repeat(function, self.stop)).collect();
        let costs = both().flat_map(|(function, book)| book.costs(function)).collect();
        let mut gaps = Vec::new();
        let missing: Vec<&str> = self
            .functions
            .iter()
            .zip(&self.found)
            .filter(|(_, found)| !**found)
            .map(|(function, _)| function.function.as_str())
            .collect();
        if !missing.is_empty() {
            let why = format!("their code was loaded late, or is another one: {}", missing.join(", "));
            gaps.push(Gap::new("calls of some functions", why, None));
        }
        if self.is_cut {
            let why = format!("{MOST} stops were made; what came later was let through");
            gaps.push(Gap::new("calls of the rest of the run", why, None));
        }
        (repeats, costs, gaps)
    }
}
