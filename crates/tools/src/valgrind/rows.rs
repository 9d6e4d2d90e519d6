//! Things with one number for each event.

/// A table of things, each with its counts in the order of the file's events.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    things: Vec<T>,
    counts: Counts,
    /// The row of each thing's counts, where they do not stand in the same order.
    places: Option<Vec<u32>>,
}

impl<T: PartialEq> PartialEq for Rows<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for Rows<T> {}

impl<T> Rows<T> {
    pub(super) fn new(events: usize) -> Self {
        Self { things: Vec::new(), counts: Counts::new(events), places: None }
    }

    /// Makes room for so many more things, as far as there is memory.
    pub(super) fn reserve(&mut self, things: usize) {
        let _ = self.things.try_reserve(things);
        let _ = self.counts.values.try_reserve(things.saturating_mul(self.counts.events));
    }

    /// Puts tables together that were made apart. They must be of the same length.
    pub(super) fn of(things: Vec<T>, counts: Counts) -> Self {
        Self { things, counts, places: None }
    }

    /// Adds a thing without counts and returns its place. `None` when there are too many for 32 bits.
    pub(super) fn push(&mut self, thing: T) -> Option<u32> {
        let place = u32::try_from(self.things.len()).ok()?;
        self.things.push(thing);
        self.counts.push();
        Some(place)
    }

    /// `None` when a sum does not fit 64 bits, or there is no such thing.
    pub(super) fn add(&mut self, place: u32, counts: &[u64]) -> Option<()> {
        self.counts.add(place, counts)
    }

    /// Takes a thing's counts away.
    pub(super) fn clear(&mut self, place: u32) {
        self.counts.row_mut(place).fill(0);
    }

    /// Adds the counts of another thing; sums stay at the largest number.
    pub(super) fn merge_capped(&mut self, place: u32, other: u32) {
        let counts = self.counts.row(other).to_vec();
        self.counts.add_capped(place, &counts);
    }

    /// Other things with the same counts: for each the row of its own.
    pub(super) fn taken<U>(self, things: Vec<U>, places: Vec<u32>) -> Rows<U> {
        Rows { things, counts: self.counts, places: Some(places) }
    }

    #[inline]
    pub(super) fn thing(&self, place: u32) -> Option<&T> {
        self.things.get(place as usize)
    }

    pub(super) fn thing_mut(&mut self, place: u32) -> Option<&mut T> {
        self.things.get_mut(place as usize)
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.things.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    #[must_use]
    pub fn get(&self, place: u32) -> Option<(&T, &[u64])> {
        Some((self.things.get(place as usize)?, self.counts.row(self.row_of(place)?)))
    }

    fn row_of(&self, place: u32) -> Option<u32> {
        self.places.as_ref().map_or(Some(place), |places| places.get(place as usize).copied())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&T, &[u64])> {
        (0..).zip(&self.things).map(|(place, thing)| {
            (thing, self.row_of(place).map(|row| self.counts.row(row)).unwrap_or_default())
        })
    }
}

/// Counts of things that are kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    events: usize,
    values: Vec<u64>,
}

impl Counts {
    pub(super) fn new(events: usize) -> Self {
        Self { events, values: Vec::new() }
    }

    pub(super) fn push(&mut self) {
        self.values.resize(self.values.len() + self.events, 0);
    }

    /// The counts of a thing; none when there is no such thing.
    #[must_use]
    pub fn row(&self, place: u32) -> &[u64] {
        let from = place as usize * self.events;
        self.values.get(from..from + self.events).unwrap_or_default()
    }

    /// Row after row. There is at least one event, or there are no rows.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.values.chunks_exact(self.events.max(1))
    }

    pub(super) fn row_mut(&mut self, place: u32) -> &mut [u64] {
        let from = place as usize * self.events;
        self.values.get_mut(from..from + self.events).unwrap_or_default()
    }

    /// `None` when a sum does not fit 64 bits, or there is no such row.
    pub(super) fn add(&mut self, place: u32, counts: &[u64]) -> Option<()> {
        add(self.row_mut(place), counts)
    }

    /// For sums of numbers that were checked before, as parts of a total: they do not overflow, except in a damaged file.
    pub(super) fn add_capped(&mut self, place: u32, counts: &[u64]) {
        for (sum, count) in self.row_mut(place).iter_mut().zip(counts) {
            *sum = sum.saturating_add(*count);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len().checked_div(self.events).unwrap_or(0)
    }
}

impl Default for Counts {
    /// Without events, and so without rows.
    fn default() -> Self {
        Self::new(0)
    }
}

/// Adds counts; those left out at the end are zero. `None` when there are more than sums, or a sum does not fit 64 bits.
#[inline]
pub(super) fn add(sums: &mut [u64], counts: &[u64]) -> Option<()> {
    for (sum, count) in sums.get_mut(..counts.len())?.iter_mut().zip(counts) {
        *sum = sum.checked_add(*count)?;
    }
    Some(())
}
