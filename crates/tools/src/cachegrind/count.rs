//! The numbers of one line.

/// Room for the counts of a line, used again for each.
pub(super) struct Counts {
    values: Vec<u64>,
    used: bool,
}

impl Counts {
    pub(super) fn new(events: usize) -> Self {
        Self { values: vec![0; events], used: false }
    }

    /// Whether no line was read yet.
    pub(super) fn is_unused(&self) -> bool {
        !self.used
    }

    /// The first counts of the line just read.
    pub(super) fn first(&self, counted: usize) -> &[u64] {
        self.values.get(..counted).unwrap_or_default()
    }

    /// Reads `LINE COUNT COUNT…` with its line end: how many counts there were, and the text after it.
    /// `None` when the line is not such a line, or is cut.
    pub(super) fn read<'a>(&mut self, text: &'a [u8]) -> Option<(usize, &'a [u8])> {
        let (_line, mut rest) = number(text)?;
        let mut counted = 0;
        loop {
            let spaced = past_blanks(rest);
            if let [b'\n', after @ ..] = spaced {
                self.used = true;
                return Some((counted, after));
            }
            // Two numbers without a blank between them are no count line.
            if spaced.len() == rest.len() {
                return None;
            }
            let (count, after) = match spaced {
                // Cachegrind's way to write that an event did not happen there.
                [b'.', after @ ..] => (0, after),
                _ => number(spaced)?,
            };
            *self.values.get_mut(counted)? = count;
            counted += 1;
            rest = after;
        }
    }
}

fn past_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', after @ ..] = text {
        text = after;
    }
    text
}

/// The decimal number the text begins with, and the text after it. `None` when there is none or it does not fit 64 bits.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let [first @ b'0'..=b'9', rest @ ..] = text else {
        return None;
    };
    let mut rest = rest;
    let mut value = u64::from(first - b'0');
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        rest = after;
    }
    Some((value, rest))
}

/// A field that is one number and nothing else.
pub(super) fn whole(field: &[u8]) -> Option<u64> {
    number(field).filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_count_lines_are_read() {
        for (text, wanted) in [
            ("1 2\nx", Some(1)),
            ("1 2 3 \nx", Some(2)),
            ("1\nx", Some(0)),
            ("1 .\nx", Some(1)),
            ("1 2", None),
            ("1 2 3 4\nx", None),
            ("1 2x\nx", None),
            ("1 .2\nx", None),
            ("1 +2\nx", None),
            ("x\n", None),
            ("", None),
        ] {
            let read = Counts::new(2).read(text.as_bytes()).map(|(counted, rest)| {
                assert_eq!(rest, b"x");
                counted
            });
            assert_eq!(read, wanted, "{text:?}");
        }
    }
}
