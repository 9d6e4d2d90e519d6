//! Names, each numbered once, and the numbers a file gives them.

use super::super::hash::Table;
use super::super::text::number;

/// Names that are parts of the input.
#[derive(Default)]
pub(super) struct Names<'a> {
    texts: Vec<&'a [u8]>,
    numbers: Table<&'a [u8], u32>,
}

/// Callgrind's word for a file or object it does not know.
const UNKNOWN: &[u8] = b"???";

impl<'a> Names<'a> {
    /// `None` when there are too many for 32 bits.
    fn number(&mut self, text: &'a [u8]) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let number = u32::try_from(self.texts.len()).ok()?;
        self.texts.push(text);
        self.numbers.insert(text, number);
        Some(number)
    }

    pub(super) fn text(&self, number: u32) -> &'a [u8] {
        self.texts.get(number as usize).copied().unwrap_or(UNKNOWN)
    }

    /// `None` for the name that stands for an unknown one.
    pub(super) fn known(&self, number: u32) -> Option<&'a [u8]> {
        Some(self.text(number)).filter(|text| *text != UNKNOWN && !text.is_empty())
    }
}

/// A name and what is left of it without the mark of recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) whole: u32,
    pub(super) base: u32,
}

/// The short numbers for names of one kind: `(7) name` defines one, `(7)` uses it. Callgrind counts them from one.
#[derive(Default)]
pub(super) struct Short {
    small: Vec<Option<Name>>,
    /// Numbers so large that a table by number would be mostly empty.
    large: Table<u64, Name>,
}

/// Numbers below this have a place of their own: 12 MB at most, whatever a file says.
const SMALL: usize = 1 << 20;

impl Short {
    /// The name a line's value stands for. `None` for a number that was not defined.
    pub(super) fn name<'a>(&mut self, names: &mut Names<'a>, value: &'a [u8]) -> Option<Name> {
        let Some((short, text)) = compressed(value) else {
            return name_of(names, value);
        };
        if text.is_empty() {
            let small = usize::try_from(short).ok().and_then(|short| self.small.get(short));
            return small.copied().flatten().or_else(|| self.large.get(&short).copied());
        }
        let name = name_of(names, text)?;
        match usize::try_from(short) {
            Ok(short) if short < SMALL => {
                if short >= self.small.len() {
                    self.small.resize(short + 1, None);
                }
                *self.small.get_mut(short)? = Some(name);
            }
            _ => drop(self.large.insert(short, name)),
        }
        Some(name)
    }

    pub(super) fn clear(&mut self) {
        self.small.clear();
        self.large.clear();
    }
}

fn name_of<'a>(names: &mut Names<'a>, text: &'a [u8]) -> Option<Name> {
    let whole = names.number(text)?;
    let base = match without_recursion(text) {
        Some(base) => names.number(base)?,
        None => whole,
    };
    Some(Name { whole, base })
}

/// The number and the name of `(NUMBER) NAME`. `None` for a name such as `(below main)`.
fn compressed(value: &[u8]) -> Option<(u64, &[u8])> {
    let (short, rest) = number(value.strip_prefix(b"(")?)?;
    Some((short, rest.strip_prefix(b")")?.trim_ascii_start()))
}

/// `f` of `f'2`, `f'3` and so on.
fn without_recursion(text: &[u8]) -> Option<&[u8]> {
    let mark = text.iter().rposition(|byte| *byte == b'\'')?;
    let (base, rest) = text.split_at_checked(mark)?;
    let depth = rest.get(1..).and_then(number)?;
    (depth.0 >= 2 && depth.1.is_empty() && !base.is_empty()).then_some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_the_name_it_was_defined_with() {
        let mut names = Names::default();
        let mut short = Short::default();
        let mut text = |value| short.name(&mut names, value).map(|name| names.text(name.whole).to_vec());
        assert_eq!(text(b"(1)"), None);
        assert_eq!(text(b"(1) a b"), Some(b"a b".to_vec()));
        assert_eq!(text(b"(1)"), Some(b"a b".to_vec()));
        assert_eq!(text(b"(below main)"), Some(b"(below main)".to_vec()));
        assert_eq!(text(b"plain"), Some(b"plain".to_vec()));
        assert_eq!(text(b"(1) c"), Some(b"c".to_vec()));
        assert_eq!(text(b"(1)"), Some(b"c".to_vec()));
        assert_eq!(text(b"(9999999999) far"), Some(b"far".to_vec()));
        assert_eq!(text(b"(9999999999)"), Some(b"far".to_vec()));
        assert_eq!(text(b"(99999999999999999999) d"), Some(b"(99999999999999999999) d".to_vec()));
    }

    #[test]
    fn recursion_is_marked_by_a_number_from_two() {
        for (text, wanted) in [
            ("f'2", Some("f")),
            ("f'main'12", Some("f'main")),
            ("f'1", None),
            ("f'", None),
            ("f'2x", None),
            ("'2", None),
            ("f", None),
        ] {
            assert_eq!(without_recursion(text.as_bytes()), wanted.map(str::as_bytes), "{text}");
        }
    }
}
