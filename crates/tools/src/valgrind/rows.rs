//! Things with one number for each event.

/// A table of things, each with its counts in the order of the file's events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<T> {
    things: Vec<T>,
    counts: Counts,
}

impl<T> Rows<T> {
    pub(super) fn new(events: usize) -> Self {
        Self { things: Vec::new(), counts: Counts::new(events) }
    }

    /// Puts tables together that were made apart. They must be of the same length.
    pub(super) fn of(things: Vec<T>, counts: Counts) -> Self {
        Self { things, counts }
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

    /// The same, with sums that stay at the largest number.
    pub(super) fn add_capped(&mut self, place: u32, counts: &[u64]) {
        self.counts.add_capped(place, counts);
    }

    /// The place of a thing, if it is one of the last so many.
    #[inline]
    pub(super) fn last_of(&self, thing: &T, near: usize) -> Option<u32>
    where
        T: PartialEq,
    {
        let first = self.things.len().saturating_sub(near);
        let near = self.things.get(first..)?;
        let place = near.iter().rposition(|other| other == thing)?;
        u32::try_from(first + place).ok()
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
        Some((self.things.get(place as usize)?, self.counts.row(place)))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&T, &[u64])> {
        self.things.iter().zip(self.counts.iter())
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
