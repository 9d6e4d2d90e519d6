//! Constants of a chunk: what events refer to by number.

use std::collections::HashMap;

use super::Frame;
use super::bytes::{Bytes, Text};
use super::metadata::Metadata;
use crate::ParseError;

/// Types whose constants samples refer to; others are read over.
const WANTED: [&str; 6] = [
    "jdk.types.StackTrace",
    "jdk.types.Method",
    "java.lang.Class",
    "jdk.types.Symbol",
    "java.lang.String",
    "java.lang.Thread",
];

/// Values within values; the deepest of the JVM's own are stacks, with three.
const DEEPEST: usize = 16;

/// Values that are read for each byte of a chunk. A type without fields takes no bytes, and damaged counts could ask for
/// any number of them.
const STEPS: usize = 8;

/// A value, as far as its type tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Nothing,
    Number(u64),
    Text(String),
    /// The number of a constant of a type.
    Constant(u64, u64),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn number(&self) -> Option<u64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

pub(super) struct Constants<'m> {
    metadata: &'m Metadata,
    known: HashMap<(u64, u64), Value>,
    steps: usize,
}

impl<'m> Constants<'m> {
    pub(super) fn new(metadata: &'m Metadata, size: usize) -> Self {
        Self { metadata, known: HashMap::new(), steps: size.saturating_mul(STEPS) }
    }

    /// Adds what one event of constants holds.
    pub(super) fn add(&mut self, mut bytes: Bytes<'_>) -> Result<(), ParseError> {
        // When, for how long, where the last one lies, and what made it be written: all are read in the order of the file.
        for _ in 0..3 {
            bytes.number()?;
        }
        bytes.take(1, "the kind of a set of constants")?;
        for _ in 0..bytes.count()? {
            let class = bytes.number()?;
            let wanted =
                self.metadata.classes.get(&class).is_some_and(|class| WANTED.contains(&class.name.as_str()));
            for _ in 0..bytes.count()? {
                let number = bytes.number()?;
                let value = self.value(&mut bytes, class)?;
                if wanted {
                    self.known.insert((class, number), value);
                }
            }
        }
        Ok(())
    }

    /// A value of a type.
    pub(super) fn value(&mut self, bytes: &mut Bytes<'_>, class: u64) -> Result<Value, ParseError> {
        self.nested(bytes, class, 0)
    }

    fn nested(&mut self, bytes: &mut Bytes<'_>, class: u64, depth: usize) -> Result<Value, ParseError> {
        self.steps = self.steps.checked_sub(1).ok_or_else(|| bytes.bad("fewer values than that"))?;
        if depth > DEEPEST {
            return Err(bytes.bad("values that are not as deep"));
        }
        let metadata = self.metadata;
        let known = metadata.classes.get(&class).ok_or_else(|| bytes.bad("a value of a known type"))?;
        Ok(match known.name.as_str() {
            "boolean" | "byte" => Value::Number(bytes.fixed(1)?),
            "char" | "short" | "int" | "long" => Value::Number(bytes.number()?),
            "float" => Value::Number(bytes.fixed(4)?),
            "double" => Value::Number(bytes.fixed(8)?),
            "java.lang.String" => match bytes.text()? {
                None => Value::Nothing,
                Some(Text::Here(text)) => Value::Text(text),
                Some(Text::Constant(number)) => Value::Constant(class, number),
            },
            _ => {
                let mut fields = Vec::new();
                for field in &known.fields {
                    let count = if field.array { bytes.count()? } else { 1 };
                    let mut values = Vec::new();
                    for _ in 0..count {
                        values.push(match field.constant {
                            true => Value::Constant(field.class, bytes.number()?),
                            false => self.nested(bytes, field.class, depth + 1)?,
                        });
                    }
                    let value = if field.array {
                        Value::Array(values)
                    } else {
                        values.pop().unwrap_or(Value::Nothing)
                    };
                    fields.push((field.name.clone(), value));
                }
                Value::Object(fields)
            }
        })
    }

    /// What a value is once it is looked up. `None` when the chunk does not say.
    fn behind<'v>(&'v self, value: &'v Value) -> Option<&'v Value> {
        match value {
            Value::Constant(class, number) => self.known.get(&(*class, *number)),
            other => Some(other),
        }
    }

    fn text<'v>(&'v self, value: Option<&'v Value>) -> Option<&'v str> {
        let value = self.behind(value?)?;
        // A symbol is an object around a text.
        let value = value.field("string").map_or(Some(value), |inner| self.behind(inner))?;
        if let Value::Text(text) = value { Some(text) } else { None }
    }

    /// The frames of a stack, and whether outer ones are missing. Number 0 is no stack. `None` when the chunk does not
    /// describe it.
    pub(super) fn stack(&self, value: Option<&Value>) -> Option<(Vec<Frame>, bool)> {
        if let None | Some(Value::Constant(_, 0)) = value {
            return Some((Vec::new(), false));
        }
        let stack = self.behind(value?)?;
        let cut = stack.field("truncated").and_then(Value::number) == Some(1);
        let Some(Value::Array(frames)) = stack.field("frames") else { return None };
        let frames: Option<Vec<Frame>> = frames.iter().map(|frame| self.frame(frame)).collect();
        Some((frames?, cut))
    }

    /// The number that Java knows a thread by. `None` for threads of the JVM's own.
    pub(super) fn thread(&self, value: Option<&Value>) -> Option<u64> {
        self.behind(value?)?.field("javaThreadId")?.number().filter(|number| *number > 0)
    }

    fn frame(&self, frame: &Value) -> Option<Frame> {
        let frame = self.behind(frame)?;
        let method = self.behind(frame.field("method")?)?;
        let class = self.behind(method.field("type")?)?;
        let line = frame.field("lineNumber").and_then(Value::number);
        Some(Frame {
            class: self.text(class.field("name"))?.replace('/', "."),
            method: self.text(method.field("name"))?.to_owned(),
            line: line.and_then(|line| u32::try_from(line).ok()).filter(|line| (1..=0xffff).contains(line)),
        })
    }
}
