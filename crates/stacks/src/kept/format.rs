//! The file of kept names: a stamp, all texts once, then the frames of each address, then a sum over everything before it.
//!
//! All numbers are little-endian. A file that is cut, altered, of another form or of another module is no file.

use std::collections::HashMap;

use model::recording::Language;

use super::Names;
use crate::symbols::Symbol;

const MAGIC: &[u8] = b"slowpath names 4\n";
/// Stands for a text or a line that is not known.
const NONE: u32 = u32::MAX;
/// Only languages that native code is written in are ever kept.
const LANGUAGES: [Language; 6] =
    [Language::Native, Language::C, Language::Cpp, Language::Rust, Language::Go, Language::Swift];

/// The bytes of a file. `None` when there is more than the form can hold.
pub(super) fn encode(stamp: &[u8], names: &Names) -> Option<Vec<u8>> {
    let mut addresses: Vec<_> = names.iter().collect();
    addresses.sort_unstable_by_key(|(address, _)| **address);
    let mut texts = Texts::default();
    let mut body = Vec::new();
    put_length(&mut body, addresses.len())?;
    for (address, chain) in addresses {
        body.extend_from_slice(&address.to_le_bytes());
        put_length(&mut body, chain.len())?;
        for symbol in chain {
            let language = LANGUAGES.iter().position(|language| *language == symbol.language)?;
            put(&mut body, texts.number(symbol.function.as_deref())?);
            put(&mut body, texts.number(symbol.file.as_deref())?);
            put(&mut body, symbol.line.unwrap_or(NONE));
            body.extend_from_slice(&[u8::try_from(language).ok()?, u8::from(symbol.inlined)]);
        }
    }
    let mut bytes = MAGIC.to_vec();
    put_text(&mut bytes, stamp)?;
    put_length(&mut bytes, texts.all.len())?;
    for text in texts.all {
        put_text(&mut bytes, text.as_bytes())?;
    }
    bytes.extend_from_slice(&body);
    let sum = sum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    Some(bytes)
}

/// What a file holds. `None` when it is not whole, or not of the module with this stamp.
pub(super) fn decode(bytes: &[u8], stamp: &[u8]) -> Option<Names> {
    let (whole, told) = bytes.split_last_chunk::<8>()?;
    let mut rest = Rest(whole.strip_prefix(MAGIC)?);
    if rest.text()? != stamp || sum(whole) != u64::from_le_bytes(*told) {
        return None;
    }
    let texts = (0..rest.number()?)
        .map(|_| std::str::from_utf8(rest.text()?).ok().map(str::to_owned))
        .collect::<Option<Vec<String>>>()?;
    let count = rest.number()?;
    let mut names = Names::default();
    for _ in 0..count {
        let address = u64::from_le_bytes(rest.take()?);
        let length = rest.number()?;
        let chain = (0..length).map(|_| symbol(&mut rest, &texts)).collect::<Option<Vec<Symbol>>>()?;
        names.insert(address, chain);
    }
    rest.0.is_empty().then_some(names)
}

fn symbol(rest: &mut Rest<'_>, texts: &[String]) -> Option<Symbol> {
    let text = |number: u32| match number {
        NONE => Some(None),
        number => texts.get(number as usize).cloned().map(Some),
    };
    let function = text(rest.number()?)?;
    let file = text(rest.number()?)?;
    let line = Some(rest.number()?).filter(|line| *line != NONE);
    let [language, inlined] = rest.take()?;
    Some(Symbol {
        function,
        file,
        line,
        language: *LANGUAGES.get(usize::from(language))?,
        inlined: inlined != 0,
    })
}

/// Texts in the order in which they came, each once.
#[derive(Default)]
struct Texts<'a> {
    all: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: Option<&'a str>) -> Option<u32> {
        let Some(text) = text else { return Some(NONE) };
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let number = u32::try_from(self.all.len()).ok().filter(|number| *number != NONE)?;
        self.all.push(text);
        self.numbers.insert(text, number);
        Some(number)
    }
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

fn put(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn put_length(bytes: &mut Vec<u8>, length: usize) -> Option<()> {
    put(bytes, u32::try_from(length).ok()?);
    Some(())
}

fn put_text(bytes: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    put_length(bytes, text.len())?;
    bytes.extend_from_slice(text);
    Some(())
}

/// Tells accidents, not attacks: whoever can write to the user's own cache can do worse.
pub(super) fn sum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mix = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let outer = Symbol {
            function: Some("shop::price".to_owned()),
            file: Some("/a/shop.rs".to_owned()),
            line: Some(3),
            language: Language::Rust,
            inlined: false,
        };
        let inner = Symbol { function: None, line: None, inlined: true, ..outer.clone() };
        Names::from_iter([(0x1000, vec![outer, inner]), (0x2000, Vec::new())])
    }

    #[test]
    fn what_was_written_is_read_again() {
        let bytes = encode(b"stamp", &names()).unwrap();
        assert_eq!(decode(&bytes, b"stamp"), Some(names()));
    }

    #[test]
    fn names_of_another_module_are_none() {
        let bytes = encode(b"stamp", &names()).unwrap();
        assert_eq!(decode(&bytes, b"stamq"), None);
    }

    #[test]
    fn a_file_that_is_cut_or_altered_anywhere_is_none() {
        let bytes = encode(b"stamp", &names()).unwrap();
        for at in 0..bytes.len() {
            assert_eq!(decode(&bytes[..at], b"stamp"), None, "cut at {at}");
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[at] ^= 1 << bit;
                assert_eq!(decode(&altered, b"stamp"), None, "bit {bit} of byte {at}");
            }
        }
    }
}
