//! Functions that can be watched while they are called: where they begin, and by their debug information where what they are given
//! lies and what it is made of.
//!
//! In optimised code the compiler says in which register a parameter lies when its function begins. Without optimisation it only
//! says where the function puts it afterwards; then the calling convention (System V, x86-64) tells. What neither tells is
//! nowhere. Where debug information has lines alone, the registers show which object it is that a function is given again, and
//! which numbers go up, but never whether two inputs are the same.

mod convention;
mod shape;

use std::rc::Rc;

use gimli::{AttributeValue, EndianRcSlice, LittleEndian, Operation, Reader, UnitOffset};
use model::machine_code::Architecture;
use model::native::{Callable, Parameter, Shape, Where};

use crate::code::Names;
use crate::image::Image;

type Slice = EndianRcSlice<LittleEndian>;
type Dwarf = gimli::Dwarf<Slice>;
type Unit = gimli::Unit<Slice>;
type Die = gimli::DebuggingInformationEntry<Slice>;

/// The stack pointer, as DWARF numbers registers.
const STACK: u16 = 7;

/// A function with more parameters is not looked at.
const MOST_PARAMETERS: usize = 12;

/// The function that is wanted, as a recording names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted<'a> {
    pub function: &'a str,
    pub file: &'a str,
    pub line: u32,
}

/// Where these functions of an image begin and what they are given. `None` for one that is not there, that stands at several places,
/// or that no debug information describes.
#[must_use]
pub fn callables(image: &Image<'_>, module: &str, wanted: &[Wanted<'_>]) -> Vec<Option<Callable>> {
    let nothing = || wanted.iter().map(|_| None).collect();
    if image.architecture != Architecture::X86_64 {
        return nothing();
    }
    let Some(debug) = image.lines.with_locations().map(Debug::new) else { return nothing() };
    let names = Names::of(&image.functions);
    let callable = |wanted: &Wanted<'_>| {
        let mut starts: Vec<u64> =
            names.named(wanted.function).iter().map(|found| found.range.start).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut found = starts.iter().filter_map(|start| Some((*start, debug.function(*start)?)));
        let ((start, function), None) = (found.next()?, found.next()) else { return None };
        Some(Callable {
            function: wanted.function.to_owned(),
            file: wanted.file.to_owned(),
            line: wanted.line,
            module: module.to_owned(),
            offset: image.offset_of(start)?,
            parameters: function.parameters,
            result: function.result,
        })
    };
    wanted.iter().map(callable).collect()
}

/// The debug information of an image.
struct Debug {
    dwarf: Dwarf,
    units: Vec<Rc<Unit>>,
}

struct Described {
    parameters: Vec<Parameter>,
    result: Option<Parameter>,
}

/// An entry and the unit it stands in.
#[derive(Clone)]
struct Entry {
    unit: Rc<Unit>,
    die: Die,
}

impl Debug {
    fn new(dwarf: Dwarf) -> Self {
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            units.extend(dwarf.unit(header).ok().map(Rc::new));
        }
        Self { dwarf, units }
    }

    /// The function that begins at an address.
    fn function(&self, address: u64) -> Option<Described> {
        let holds = |unit: &&Rc<Unit>| {
            let mut ranges = self.dwarf.unit_ranges(unit).ok();
            std::iter::from_fn(move || ranges.as_mut()?.next().ok()?)
                .any(|range| (range.begin..range.end).contains(&address))
        };
        let unit = self.units.iter().find(holds)?;
        let entry = self.begins_at(unit, address)?;
        if !self.tells_types(unit) {
            return Some(Described { parameters: convention::untold(), result: None });
        }
        let is_rust = self.language(unit) == Some(gimli::DW_LANG_Rust);
        let shapes = shape::Shapes { debug: self, is_rust };
        let result = self.inherited(&entry, gimli::DW_AT_type).map(|kind| shapes.of(&kind));
        let parameters = self.parameters(&entry, &shapes, result.as_ref(), address)?;
        let at = result.as_ref().map(convention::result);
        let result = result.zip(at).map(|(shape, at)| Parameter { name: None, at, shape, counted_by: None });
        Some(Described { parameters, result })
    }

    fn language(&self, unit: &Rc<Unit>) -> Option<gimli::DwLang> {
        let root = unit.entry(unit.header.root_offset()).ok()?;
        match root.attr_value(gimli::DW_AT_language)? {
            AttributeValue::Language(language) => Some(language),
            _ => None,
        }
    }

    /// Whether a unit says what its functions are given. Where only lines were asked for, it knows no type.
    fn tells_types(&self, unit: &Rc<Unit>) -> bool {
        let mut entries = unit.entries();
        while let Ok(Some(die)) = entries.next_dfs() {
            if matches!(die.tag(), gimli::DW_TAG_base_type | gimli::DW_TAG_formal_parameter) {
                return true;
            }
        }
        false
    }

    fn begins_at(&self, unit: &Rc<Unit>, address: u64) -> Option<Entry> {
        let mut entries = unit.entries();
        while let Ok(Some(die)) = entries.next_dfs() {
            if die.tag() != gimli::DW_TAG_subprogram {
                continue;
            }
            let low = die.attr_value(gimli::DW_AT_low_pc);
            let low = low.and_then(|low| self.dwarf.attr_address(unit, low).ok()?);
            let first = || {
                let mut ranges = self.dwarf.die_ranges(unit, die).ok()?;
                Some(ranges.next().ok()??.begin)
            };
            if low.or_else(|| die.has_attr(gimli::DW_AT_ranges).then(first)?) == Some(address) {
                return Some(Entry { unit: Rc::clone(unit), die: die.clone() });
            }
        }
        None
    }

    /// What it is given. `None` where there is too much of it, or any number of things.
    fn parameters(
        &self,
        function: &Entry,
        shapes: &shape::Shapes<'_>,
        result: Option<&Shape>,
        address: u64,
    ) -> Option<Vec<Parameter>> {
        let mut convention = convention::Convention::new(result, shapes.is_rust);
        let mut parameters = Vec::new();
        for child in self.children(function) {
            match child.die.tag() {
                gimli::DW_TAG_formal_parameter => {}
                gimli::DW_TAG_unspecified_parameters => return None,
                _ => continue,
            }
            let kind = self.inherited(&child, gimli::DW_AT_type);
            let shape = kind.as_ref().map_or(Shape::Unknown { bytes: 0 }, |kind| shapes.of(kind));
            let by_convention = convention.next(&shape);
            let at = self.place(&child, address, by_convention);
            parameters.push(Parameter { name: self.name(&child), at, shape, counted_by: None });
            if parameters.len() > MOST_PARAMETERS {
                return None;
            }
        }
        count(&mut parameters);
        Some(parameters)
    }

    /// Where a parameter lies when its function begins.
    fn place(&self, parameter: &Entry, address: u64, by_convention: Where) -> Where {
        let Some(value) = parameter.die.attr_value(gimli::DW_AT_location) else { return Where::Nowhere };
        let unit = &parameter.unit;
        let (expression, is_list) = match value {
            AttributeValue::Exprloc(expression) => (Some(expression), false),
            other => (self.at_beginning(unit, other, address), true),
        };
        let Some(expression) = expression else { return Where::Nowhere };
        let mut operations = expression.operations(unit.encoding());
        let (mut registers, mut waiting, mut memory) = (Vec::new(), None, None);
        loop {
            match operations.next() {
                Ok(None) => break,
                Ok(Some(Operation::Register { register })) => waiting = Some(register.0),
                Ok(Some(Operation::Piece { size_in_bits: 64, bit_offset: None | Some(0) })) => {
                    let Some(register) = waiting.take() else { return Where::Nowhere };
                    registers.push(register);
                }
                Ok(Some(Operation::FrameOffset { offset })) => memory = Some((None, offset)),
                Ok(Some(Operation::RegisterOffset { register, offset, .. })) => {
                    memory = Some((Some(register.0), offset));
                }
                _ => return Where::Nowhere,
            }
        }
        registers.extend(waiting);
        match memory {
            None if !registers.is_empty() => Where::Registers(registers),
            // What the caller has put onto its stack, seen from where the return address lies.
            Some((None, offset @ 0..)) if is_list => Where::Memory { register: STACK, offset: offset + 8 },
            Some((Some(register), offset)) if is_list => Where::Memory { register, offset },
            // Where it will be put.
            Some(_) if !is_list => by_convention,
            _ => Where::Nowhere,
        }
    }

    /// Of a list of places, the one at the beginning of a function.
    fn at_beginning(
        &self,
        unit: &Unit,
        list: AttributeValue<Slice>,
        address: u64,
    ) -> Option<gimli::Expression<Slice>> {
        let mut places = self.dwarf.attr_locations(unit, list).ok()??;
        while let Ok(Some(place)) = places.next() {
            if (place.range.begin..place.range.end).contains(&address) {
                return Some(place.data);
            }
        }
        None
    }

    fn children(&self, entry: &Entry) -> Vec<Entry> {
        let mut found = Vec::new();
        let Ok(mut tree) = entry.unit.entries_tree(Some(entry.die.offset())) else { return found };
        let Ok(root) = tree.root() else { return found };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            found.push(Entry { unit: Rc::clone(&entry.unit), die: child.entry().clone() });
        }
        found
    }

    fn name(&self, entry: &Entry) -> Option<String> {
        let (unit, value) = self.attribute(entry, gimli::DW_AT_name)?;
        let text = self.dwarf.attr_string(&unit, value).ok()?;
        Some(text.to_string_lossy().ok()?.into_owned())
    }

    /// What an attribute refers to.
    fn inherited(&self, entry: &Entry, attribute: gimli::DwAt) -> Option<Entry> {
        let (unit, value) = self.attribute(entry, attribute)?;
        self.referred(&unit, &value)
    }

    /// An attribute of an entry, or of the one that it was made from or declared by.
    fn attribute(&self, entry: &Entry, wanted: gimli::DwAt) -> Option<(Rc<Unit>, AttributeValue<Slice>)> {
        /// A clone of a declared method is three steps from its declaration; more are a circle.
        const STEPS: u32 = 6;
        let mut entry = entry.clone();
        for _ in 0..STEPS {
            if let Some(value) = entry.die.attr_value(wanted) {
                return Some((entry.unit, value));
            }
            let origin = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
            let origin = origin.iter().find_map(|origin| entry.die.attr_value(*origin))?;
            entry = self.referred(&entry.unit, &origin)?;
        }
        None
    }

    fn referred(&self, unit: &Rc<Unit>, value: &AttributeValue<Slice>) -> Option<Entry> {
        let (unit, offset) = match value {
            AttributeValue::UnitRef(offset) => (Rc::clone(unit), *offset),
            AttributeValue::DebugInfoRef(offset) => self.units.iter().find_map(|unit| {
                let begin = unit.header.debug_info_offset()?.0;
                let end = begin + unit.header.length_including_self();
                (begin..end).contains(&offset.0).then(|| (Rc::clone(unit), UnitOffset(offset.0 - begin)))
            })?,
            _ => return None,
        };
        let die = unit.entry(offset).ok()?;
        Some(Entry { unit, die })
    }
}

/// What a number of things is called.
const COUNTS: [&str; 8] = ["len", "size", "count", "n", "num", "bytes", "total", "amount"];

/// Finds numbers that say how many things the pointer before them points to.
fn count(parameters: &mut [Parameter]) {
    let is_count = |parameter: &Parameter| {
        let name = parameter.name.as_deref().unwrap_or_default().to_ascii_lowercase();
        let mut words = name.split('_');
        let named = words.any(|word| {
            COUNTS.iter().any(|count| word == *count || count.len() > 2 && word.ends_with(count))
        });
        named && matches!(parameter.shape, Shape::Number { .. })
    };
    for at in 1..parameters.len() {
        let counts = parameters.get(at).is_some_and(is_count);
        let Some(before) = parameters.get_mut(at - 1).filter(|_| counts) else { continue };
        match &before.shape {
            Shape::Text => {
                before.shape = Shape::Pointer(Box::new(Shape::Number { bytes: 1, signed: false }));
                before.counted_by = Some(at);
            }
            Shape::Pointer(to)
                if !matches!(**to, Shape::Sequence(_) | Shape::Counted { .. }) && to.bytes() > 0 =>
            {
                before.counted_by = Some(at);
            }
            _ => {}
        }
    }
}
