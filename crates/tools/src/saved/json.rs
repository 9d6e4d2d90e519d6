//! JSON as all the formats need it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

use crate::ParseError;

/// The whole file as one typed value.
pub(super) fn parse<'a, T: Deserialize<'a>>(format: &'static str, bytes: &'a [u8]) -> Result<T, ParseError> {
    serde_json::from_slice(bytes).map_err(|error| explain(format, error))
}

/// An error when the bytes begin like JSON but are not sound JSON.
pub(super) fn check(bytes: &[u8]) -> Result<(), ParseError> {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return Ok(());
    }
    parse::<IgnoredAny>("JSON", bytes).map(|_| ())
}

fn explain(format: &'static str, error: serde_json::Error) -> ParseError {
    if error.is_eof() {
        return ParseError::Cut { format, line: error.line(), wanted: "the end of the JSON text" };
    }
    ParseError::Malformed { format, line: error.line(), column: error.column(), source: error }
}

/// The keys of the outermost object, or of the first object of the outermost list, up to where the text is sound.
pub(super) struct Keys {
    pub(super) inside_list: bool,
    names: Vec<String>,
}

impl Keys {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut keys = Self { inside_list: false, names: Vec::new() };
        // An error only ends the look: what was seen until then tells the formats apart, in a cut file too.
        let _ =
            Look { keys: &mut keys, depth: 0 }.deserialize(&mut serde_json::Deserializer::from_slice(bytes));
        keys
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }
}

struct Look<'k> {
    keys: &'k mut Keys,
    depth: u8,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list of objects")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.keys.names.push(name);
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        if self.depth > 0 {
            return Err(de::Error::custom("a list in a list"));
        }
        self.keys.inside_list = true;
        let first = Look { keys: self.keys, depth: 1 };
        list.next_element_seed(first)?;
        Err(de::Error::custom("the first element is enough"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_seen_in_a_cut_file_too() {
        let keys = Keys::of(br#"{"a": [1, 2], "b": {"c": 1}, "d": [1,"#);
        assert!(keys.has("a") && keys.has("b") && keys.has("d"));
        assert!(!keys.has("c") && !keys.inside_list);
    }

    #[test]
    fn keys_of_a_list_are_those_of_its_first_object() {
        let keys = Keys::of(br#"[{"a": 1}, {"b": 2}]"#);
        assert!(keys.inside_list && keys.has("a") && !keys.has("b"));
    }

    #[test]
    fn a_cut_and_a_broken_text_are_told_apart() {
        assert!(matches!(check(b"{\"a\": [1,"), Err(ParseError::Cut { .. })));
        assert!(matches!(check(b"{\"a\" 1}"), Err(ParseError::Malformed { .. })));
        assert!(check(b"plain text").is_ok());
    }
}
