//! What a value is made of, by its type in the debug information.

use gimli::AttributeValue;
use model::native::{Length, Sequence, Shape};

use super::{Debug, Entry};

/// Pointers are followed so far, and parts of parts.
const DEPTH: u32 = 6;

/// Objects of more parts, or larger ones, are not described.
const MOST_PARTS: usize = 64;
const LARGEST: u64 = 4096;

pub(super) struct Shapes<'a> {
    pub(super) debug: &'a Debug,
    pub(super) is_rust: bool,
}

impl Shapes<'_> {
    pub(super) fn of(&self, kind: &Entry) -> Shape {
        self.at_depth(kind, DEPTH)
    }

    fn at_depth(&self, kind: &Entry, depth: u32) -> Shape {
        let Some(kind) = self.plain(kind) else { return Shape::Unknown { bytes: 0 } };
        let bytes = self.bytes(&kind);
        let unknown = || Shape::Unknown { bytes: bytes.unwrap_or(0) };
        match kind.die.tag() {
            gimli::DW_TAG_base_type => base(&kind, bytes.unwrap_or(0)),
            gimli::DW_TAG_enumeration_type => number(bytes.unwrap_or(0), false),
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => self.pointer(&kind, depth),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type if depth > 0 => self
                .known(&kind, depth)
                .unwrap_or_else(|| self.record(&kind, depth - 1).unwrap_or_else(unknown)),
            gimli::DW_TAG_union_type if depth > 0 => {
                let plain = self.members(&kind).is_some_and(|members| {
                    members.iter().all(|(_, member)| self.at_depth(member, depth - 1).is_plain())
                });
                if plain { Shape::Plain { bytes: bytes.unwrap_or(0) } } else { unknown() }
            }
            gimli::DW_TAG_array_type if depth > 0 => self.array(&kind, depth - 1).unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    /// A type without its other names and qualifiers. `None` for nothing at all (`void`).
    fn plain(&self, kind: &Entry) -> Option<Entry> {
        let mut kind = kind.clone();
        for _ in 0..32 {
            match kind.die.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_restrict_type
                | gimli::DW_TAG_atomic_type => kind = self.debug.inherited(&kind, gimli::DW_AT_type)?,
                _ => return Some(kind),
            }
        }
        None
    }

    fn bytes(&self, kind: &Entry) -> Option<u32> {
        let bytes = kind.die.attr_value(gimli::DW_AT_byte_size)?.udata_value()?;
        u32::try_from(bytes).ok()
    }

    fn pointer(&self, kind: &Entry, depth: u32) -> Shape {
        let to = self.debug.inherited(kind, gimli::DW_AT_type).and_then(|to| self.plain(&to));
        let anything = Shape::Pointer(Box::new(Shape::Unknown { bytes: 0 }));
        let Some(to) = to.filter(|_| depth > 0) else { return anything };
        if to.die.tag() == gimli::DW_TAG_subroutine_type {
            return Shape::Plain { bytes: 8 };
        }
        let is_pointer = kind.die.tag() == gimli::DW_TAG_pointer_type && !self.is_rust;
        let shape = self.at_depth(&to, depth - 1);
        match shape {
            // How many there are only a length says, or a zero at the end of a text.
            _ if is_pointer && is_letter(&to) => Shape::Text,
            Shape::Number { bytes, .. } | Shape::Float { bytes } if is_pointer => {
                Shape::Pointer(Box::new(Shape::Unknown { bytes }))
            }
            shape => Shape::Pointer(Box::new(shape)),
        }
    }

    fn array(&self, kind: &Entry, depth: u32) -> Option<Shape> {
        let element = self.at_depth(&self.debug.inherited(kind, gimli::DW_AT_type)?, depth);
        let mut count = 1_u64;
        for range in self.debug.children(kind) {
            let value =
                |name| range.die.attr_value(name).and_then(|value: AttributeValue<_>| value.udata_value());
            let own =
                value(gimli::DW_AT_count).or_else(|| value(gimli::DW_AT_upper_bound)?.checked_add(1))?;
            count = count.checked_mul(own)?;
        }
        let bytes = count.checked_mul(u64::from(element.bytes())).filter(|bytes| *bytes <= LARGEST)?;
        let bytes = u32::try_from(bytes).ok()?;
        Some(if element.is_plain() { Shape::Plain { bytes } } else { Shape::Unknown { bytes } })
    }

    /// Members and bases, each with its place. `None` where one has none that is fixed.
    fn members(&self, kind: &Entry) -> Option<Vec<(u32, Entry)>> {
        let mut found = Vec::new();
        for child in self.debug.children(kind) {
            match child.die.tag() {
                gimli::DW_TAG_member | gimli::DW_TAG_inheritance => {}
                // Which of them it is stands in the value.
                gimli::DW_TAG_variant_part => return None,
                _ => continue,
            }
            // One for all objects.
            if child.die.has_attr(gimli::DW_AT_external) || child.die.has_attr(gimli::DW_AT_declaration) {
                continue;
            }
            let at = match child.die.attr_value(gimli::DW_AT_data_member_location) {
                Some(at) => u32::try_from(at.udata_value()?).ok()?,
                None if child.die.has_attr(gimli::DW_AT_data_bit_offset) => {
                    let bits = child.die.attr_value(gimli::DW_AT_data_bit_offset)?.udata_value()?;
                    u32::try_from(bits / 8).ok()?
                }
                None => 0,
            };
            found.push((at, self.debug.inherited(&child, gimli::DW_AT_type)?));
        }
        (found.len() <= MOST_PARTS).then_some(found)
    }

    fn record(&self, kind: &Entry, depth: u32) -> Option<Shape> {
        if kind.die.has_attr(gimli::DW_AT_declaration) {
            return None;
        }
        let bytes = self.bytes(kind).filter(|bytes| u64::from(*bytes) <= LARGEST)?;
        let members = self.members(kind)?;
        let parts: Vec<(u32, Shape)> =
            members.iter().map(|(at, member)| (*at, self.at_depth(member, depth))).collect();
        let plain = parts.iter().all(|(_, part)| part.is_plain());
        Some(if plain { Shape::Plain { bytes } } else { Shape::Record { bytes, parts } })
    }

    /// Containers of the standard libraries.
    fn known(&self, kind: &Entry, depth: u32) -> Option<Shape> {
        let name = self.debug.name(kind)?;
        let bytes = self.bytes(kind)?;
        if self.is_rust {
            return self.known_rust(kind, &name, bytes, depth);
        }
        let begins = |with: &str| name.starts_with(with);
        let row = |first, length, element, plain| {
            Some(Shape::Sequence(Sequence { bytes, first, length, element, plain }))
        };
        match bytes {
            32 if begins("basic_string<char,") => row(0, Length::Number(8), 1, true),
            16 if begins("basic_string_view<char,") => row(8, Length::Number(0), 1, true),
            24 if begins("vector<") && !begins("vector<bool") => {
                let element = self.template(kind, depth)?;
                row(0, Length::End(8), Some(element.bytes()).filter(|bytes| *bytes > 0)?, element.is_plain())
            }
            56 if begins("unordered_map<") || begins("unordered_set<") => {
                Some(Shape::Counted { bytes, count: 24 })
            }
            48 if begins("map<") || begins("set<") || begins("multimap<") || begins("multiset<") => {
                Some(Shape::Counted { bytes, count: 40 })
            }
            _ => None,
        }
    }

    fn known_rust(&self, kind: &Entry, name: &str, bytes: u32, depth: u32) -> Option<Shape> {
        let members = self.named_members(kind);
        let place = |wanted: &str| members.iter().find(|(name, ..)| name == wanted).map(|(_, at, _)| *at);
        if name.starts_with('&') {
            let (first, length) = (place("data_ptr")?, place("length")?);
            let to = members.iter().find(|(name, ..)| name == "data_ptr").map(|(.., kind)| kind)?;
            let to = self.debug.inherited(&self.plain(to)?, gimli::DW_AT_type)?;
            let element = self.at_depth(&to, depth.checked_sub(1)?);
            let length = Length::Number(length);
            let plain = element.is_plain();
            return Some(Shape::Sequence(Sequence { bytes, first, length, element: element.bytes(), plain }));
        }
        if name == "String" {
            let (_, at, vec) = members.iter().find(|(name, ..)| name == "vec")?;
            let Shape::Sequence(vec) = self.at_depth(vec, depth.checked_sub(1)?) else { return None };
            let Length::Number(length) = vec.length else { return None };
            let (first, length) = (vec.first + at, Length::Number(length + at));
            return Some(Shape::Sequence(Sequence { bytes, first, length, ..vec }));
        }
        if !name.starts_with("Vec<") {
            return None;
        }
        let element = self.template(kind, depth)?;
        let (_, at, buffer) = members.iter().find(|(name, ..)| name == "buf")?;
        let first = at + self.first_pointer(buffer, depth)?;
        let length = Length::Number(place("len")?);
        Some(Shape::Sequence(Sequence {
            bytes,
            first,
            length,
            element: element.bytes(),
            plain: element.is_plain(),
        }))
    }

    fn named_members(&self, kind: &Entry) -> Vec<(String, u32, Entry)> {
        let members = self.debug.children(kind).into_iter();
        let named = |member: Entry| {
            let at = member.die.attr_value(gimli::DW_AT_data_member_location)?.udata_value()?;
            let name = self.debug.name(&member)?;
            Some((name, u32::try_from(at).ok()?, self.debug.inherited(&member, gimli::DW_AT_type)?))
        };
        members.filter(|member| member.die.tag() == gimli::DW_TAG_member).filter_map(named).collect()
    }

    /// Where the first pointer of an object lies.
    fn first_pointer(&self, kind: &Entry, depth: u32) -> Option<u32> {
        let kind = self.plain(kind)?;
        if kind.die.tag() == gimli::DW_TAG_pointer_type {
            return Some(0);
        }
        let depth = depth.checked_sub(1)?;
        let members = self.named_members(&kind);
        members.iter().find_map(|(_, at, member)| Some(at + self.first_pointer(member, depth)?))
    }

    /// What a container is of.
    fn template(&self, kind: &Entry, depth: u32) -> Option<Shape> {
        let children = self.debug.children(kind);
        let first = children.iter().find(|child| child.die.tag() == gimli::DW_TAG_template_type_parameter)?;
        Some(self.at_depth(&self.debug.inherited(first, gimli::DW_AT_type)?, depth.checked_sub(1)?))
    }
}

fn base(kind: &Entry, bytes: u32) -> Shape {
    let encoding = match kind.die.attr_value(gimli::DW_AT_encoding) {
        Some(AttributeValue::Encoding(encoding)) => encoding,
        _ => return Shape::Plain { bytes },
    };
    match encoding {
        gimli::DW_ATE_float if matches!(bytes, 4 | 8) => Shape::Float { bytes },
        gimli::DW_ATE_signed | gimli::DW_ATE_signed_char => number(bytes, true),
        gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_boolean | gimli::DW_ATE_UTF => {
            number(bytes, false)
        }
        _ => Shape::Plain { bytes },
    }
}

fn number(bytes: u32, signed: bool) -> Shape {
    if (1..=8).contains(&bytes) { Shape::Number { bytes, signed } } else { Shape::Plain { bytes } }
}

/// Letters of texts that end with a zero. Bytes without a sign are for anything else.
fn is_letter(kind: &Entry) -> bool {
    let encoding = kind.die.attr_value(gimli::DW_AT_encoding);
    kind.die.attr_value(gimli::DW_AT_byte_size).and_then(|bytes| bytes.udata_value()) == Some(1)
        && matches!(encoding, Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char)))
}
