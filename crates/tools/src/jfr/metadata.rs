//! Which types a chunk has, and their fields.

use std::collections::BTreeMap;

use super::bytes::{Bytes, Text};
use crate::ParseError;

/// Types are nested in annotations and regions; none of either is deeper.
const DEEPEST: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) classes: BTreeMap<u64, Class>,
}

#[derive(Debug, Default)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) class: u64,
    /// Its value is the number of a constant.
    pub(super) constant: bool,
    pub(super) array: bool,
}

impl Metadata {
    /// Reads the event that describes all others.
    pub(super) fn parse(mut bytes: Bytes<'_>) -> Result<Self, ParseError> {
        bytes.number()?;
        if bytes.number()? != 0 {
            return Err(bytes.bad("the description of its types"));
        }
        // When, for how long, and which one it is.
        for _ in 0..3 {
            bytes.number()?;
        }
        let count = bytes.count()?;
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(match bytes.text()? {
                Some(Text::Here(text)) => text,
                Some(Text::Constant(_)) => return Err(bytes.bad("a name, not the number of one")),
                None => String::new(),
            });
        }
        let mut metadata = Self::default();
        Reader { names: &names, metadata: &mut metadata }.element(&mut bytes, None, 0)?;
        Ok(metadata)
    }

    pub(super) fn class_named(&self, name: &str) -> Option<u64> {
        self.classes.iter().find(|(_, class)| class.name == name).map(|(id, _)| *id)
    }
}

struct Reader<'a> {
    names: &'a [String],
    metadata: &'a mut Metadata,
}

impl<'a> Reader<'a> {
    fn name(&self, bytes: &mut Bytes<'_>) -> Result<&'a str, ParseError> {
        let place = bytes.size()?;
        self.names.get(place).map(String::as_str).ok_or_else(|| bytes.bad("the number of a name"))
    }

    /// An element with what is inside it; what is inside a class may be a field of it.
    fn element(
        &mut self,
        bytes: &mut Bytes<'_>,
        within: Option<u64>,
        depth: usize,
    ) -> Result<(), ParseError> {
        if depth > DEEPEST {
            return Err(bytes.bad("types that are not as deep"));
        }
        let name = self.name(bytes)?;
        let mut attributes: BTreeMap<&str, &str> = BTreeMap::new();
        for _ in 0..bytes.count()? {
            let key = self.name(bytes)?;
            attributes.insert(key, self.name(bytes)?);
        }
        let number = |key: &str| attributes.get(key).and_then(|text| text.parse::<u64>().ok());
        let text = |key: &str| attributes.get(key).copied().unwrap_or_default().to_owned();
        let mut inside = None;
        match (name, within) {
            ("class", _) => {
                let id = number("id").ok_or_else(|| bytes.bad("a type with its number"))?;
                self.metadata.classes.insert(id, Class { name: text("name"), fields: Vec::new() });
                inside = Some(id);
            }
            ("field", Some(class)) => {
                let field = Field {
                    name: text("name"),
                    class: number("class").ok_or_else(|| bytes.bad("a field with its type"))?,
                    constant: text("constantPool") == "true",
                    array: number("dimension").is_some_and(|dimension| dimension > 0),
                };
                if let Some(class) = self.metadata.classes.get_mut(&class) {
                    class.fields.push(field);
                }
            }
            // Annotations, settings and the region say how to show it, not how to read it.
            _ => {}
        }
        for _ in 0..bytes.count()? {
            self.element(bytes, inside, depth + 1)?;
        }
        Ok(())
    }
}
