//! What a function is given and what it gives, read from the registers and the memory of a stopped thread.
//!
//! What cannot be told has no number: two things that are not known are never the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use libc::user_regs_struct;
use model::native::{Callable, Length, Parameter, Sequence, Shape, Where};

use super::space::Space;

/// Longer things are not compared.
const LONGEST: u64 = 256 << 10;

/// Texts are read in pieces of up to this many bytes, none across the end of a page.
const PIECE: u64 = 4096;

/// Of an object that holds pointers, the bytes that are compared.
const SHALLOW: u32 = 1024;

/// Bytes at either end of a text that tell whether it is the one of before with more, or less, of it.
pub(super) const ENDS: usize = 64;

/// Numbers beyond count nothing.
const LARGEST: u64 = 1 << 53;

/// The registers of a stopped thread.
pub(super) struct Moment<'a> {
    pub(super) space: &'a Space,
    pub(super) general: &'a user_regs_struct,
    /// The low halves of the first eight vector registers. `None` where nobody asked.
    pub(super) vectors: Option<[u64; 8]>,
}

/// What is known of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The same for the same content. `None`: not known.
    pub(super) known: Option<u64>,
    /// Known by which one it is, and by its own bytes alone: what it points to may change unseen.
    pub(super) is_object: bool,
    /// A number, as far as it may count something.
    pub(super) number: Option<i64>,
    pub(super) thing: Option<Thing>,
}

/// Something that may be given again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    /// Where it lies. Zero for a text, which is known by its ends alone.
    pub(super) id: u64,
    pub(super) length: Option<u64>,
    pub(super) first: u64,
    pub(super) last: u64,
    /// All of a text, while the call begins.
    pub(super) text: Vec<u8>,
}

/// What a function is given.
pub(super) fn given(moment: &Moment<'_>, parameters: &[Parameter]) -> Vec<Told> {
    let values: Vec<Option<Vec<u8>>> = parameters.iter().map(|one| moment.value(one)).collect();
    let number = |at: usize| {
        let shape = &parameters.get(at)?.shape;
        let Shape::Number { bytes, signed } = shape else { return None };
        u64::try_from(signed_number(values.get(at)?.as_deref()?, *bytes, *signed)?).ok()
    };
    let told = |(one, value): (&Parameter, &Option<Vec<u8>>)| {
        let Some(value) = value else { return Told::default() };
        match (one.counted_by, &one.shape) {
            (Some(by), Shape::Pointer(to)) => {
                let address = word(value, 0);
                match address.zip(number(by)) {
                    Some((address, count)) => {
                        moment.elements(address, count, to.bytes(), to.is_plain(), address)
                    }
                    None => Told::default(),
                }
            }
            _ => moment.tell(&one.shape, value),
        }
    };
    parameters.iter().zip(&values).map(told).collect()
}

/// What a function gave: a number that is the same for the same, as far as that can be told, and whether it says anything.
pub(super) fn result(moment: &Moment<'_>, result: &Parameter) -> Option<Given> {
    let value = moment.value(result)?;
    let told = moment.tell(&result.shape, &value);
    let length = told.thing.as_ref().and_then(|thing| thing.length);
    match &result.shape {
        // Which object it is says nothing of what was made, and the very one again was kept by somebody.
        Shape::Pointer(_) => None,
        Shape::Record { .. } => {
            let mut hasher = DefaultHasher::new();
            let parts = moment.alike(&result.shape, &value, &mut hasher);
            (parts > 0).then(|| Given { known: hasher.finish(), number: None, length })
        }
        _ => Some(Given { known: told.known?, number: told.number, length }),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) known: u64,
    pub(super) number: Option<i64>,
    pub(super) length: Option<u64>,
}

impl Moment<'_> {
    /// The bytes of a value.
    fn value(&self, parameter: &Parameter) -> Option<Vec<u8>> {
        let bytes = usize::try_from(parameter.shape.bytes()).ok()?;
        match &parameter.at {
            Where::Registers(all) => {
                let words: Option<Vec<u64>> = all.iter().map(|one| self.register(*one)).collect();
                let mut value: Vec<u8> = words?.into_iter().flat_map(u64::to_le_bytes).collect();
                (value.len() >= bytes).then(|| value.truncate(bytes))?;
                Some(value)
            }
            Where::Memory { register, offset } => {
                let at = self.register(*register)?.checked_add_signed(*offset)?;
                self.bytes(at, u64::from(parameter.shape.bytes()))
            }
            Where::Nowhere => None,
        }
    }

    /// By its number in DWARF.
    fn register(&self, number: u16) -> Option<u64> {
        let all = self.general;
        let general = [
            all.rax, all.rdx, all.rcx, all.rbx, all.rsi, all.rdi, all.rbp, all.rsp, all.r8, all.r9, all.r10,
            all.r11, all.r12, all.r13, all.r14, all.r15,
        ];
        let number = usize::from(number);
        general.get(number).copied().or_else(|| self.vectors?.get(number.checked_sub(17)?).copied())
    }

    fn bytes(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let length = usize::try_from(length).ok().filter(|_| length <= LONGEST)?;
        let mut bytes = vec![0; length];
        (length == 0 || self.space.read(address, &mut bytes)).then_some(bytes)
    }

    fn tell(&self, shape: &Shape, value: &[u8]) -> Told {
        match shape {
            Shape::Number { bytes, signed } => {
                let number = signed_number(value, *bytes, *signed);
                let counts = number.filter(|number| number.unsigned_abs() < LARGEST);
                Told { known: Some(hash(&value)), number: counts, ..Told::default() }
            }
            Shape::Float { .. } | Shape::Plain { .. } => {
                Told { known: Some(hash(&value)), ..Told::default() }
            }
            Shape::Text => word(value, 0).map_or_else(Told::default, |address| self.text(address)),
            Shape::Sequence(sequence) => self.sequence(sequence, value, 0),
            Shape::Pointer(to) => {
                word(value, 0).map_or_else(Told::default, |address| self.pointed(to, address))
            }
            Shape::Record { parts, .. } => {
                let told: Option<Vec<Told>> = parts
                    .iter()
                    .map(|(at, part)| Some(self.tell(part, slice(value, *at, part.bytes())?)))
                    .collect();
                let Some(told) = told else { return Told::default() };
                let known: Option<Vec<u64>> = told.iter().map(|one| one.known).collect();
                let is_object = told.iter().any(|one| one.is_object);
                Told { known: known.map(|all| hash(&all)), is_object, ..Told::default() }
            }
            Shape::Counted { .. } | Shape::Unknown { .. } => Told::default(),
        }
    }

    /// What lies behind a pointer.
    fn pointed(&self, to: &Shape, address: u64) -> Told {
        if address == 0 {
            return Told { known: Some(0), ..Told::default() };
        }
        let thing = Thing { id: address, length: None, first: 0, last: 0, text: Vec::new() };
        let only_where = Told { thing: Some(thing.clone()), ..Told::default() };
        if let Shape::Unknown { .. } = to {
            return only_where;
        }
        let Some(value) = self.bytes(address, u64::from(to.bytes().min(SHALLOW))) else {
            return Told::default();
        };
        match to {
            Shape::Sequence(sequence) => self.sequence(sequence, &value, address),
            Shape::Counted { count, .. } => {
                let length = word(&value, *count).filter(|length| *length < LARGEST);
                let known = Some(hash(&(address, &value)));
                Told { known, is_object: true, thing: Some(Thing { length, ..thing }), ..Told::default() }
            }
            _ if to.is_plain() && to.bytes() <= SHALLOW => {
                Told { known: Some(hash(&value)), thing: Some(thing), ..Told::default() }
            }
            _ => {
                let known = (to.bytes() <= SHALLOW).then(|| hash(&(address, &value)));
                Told { known, is_object: true, thing: Some(thing), ..Told::default() }
            }
        }
    }

    fn sequence(&self, sequence: &Sequence, value: &[u8], address: u64) -> Told {
        let first = word(value, sequence.first);
        let element = u64::from(sequence.element.max(1));
        let count = match sequence.length {
            Length::Number(at) => word(value, at),
            Length::End(at) => {
                word(value, at).zip(first).and_then(|(end, first)| Some(end.checked_sub(first)? / element))
            }
        };
        let Some((first, count)) = first.zip(count) else { return Told::default() };
        self.elements(first, count, sequence.element, sequence.plain, address)
    }

    /// Elements in a row, of a container that lies at `owner`, which is zero where only they are given.
    fn elements(&self, first: u64, count: u64, element: u32, plain: bool, owner: u64) -> Told {
        let element = u64::from(element);
        let whole = count.checked_mul(element).filter(|_| count < LARGEST && element > 0);
        let Some(whole) = whole else { return Told::default() };
        let is_text = plain && element == 1;
        let id = if is_text {
            0
        } else if owner == 0 {
            first
        } else {
            owner
        };
        let thing =
            |ends: (u64, u64), text| Thing { id, length: Some(count), first: ends.0, last: ends.1, text };
        let Some(bytes) = self.bytes(first, whole) else {
            // Too much to compare, but not to know how much; or no such memory.
            let edge = |at: u64| self.bytes(at, element.min(PIECE)).map(|bytes| hash(&bytes));
            let ends = edge(first).zip(edge(first.saturating_add(whole.saturating_sub(element))));
            let thing = ends.filter(|_| whole > LONGEST).map(|ends| thing(ends, Vec::new()));
            return Told {
                thing: thing.map(|thing| Thing { id: id.max(first), ..thing }),
                ..Told::default()
            };
        };
        let size = if is_text { ENDS } else { usize::try_from(element).unwrap_or(ENDS) }.min(bytes.len());
        let ends = (hash(&bytes.get(..size)), hash(&bytes.get(bytes.len() - size..)));
        let known = if plain { hash(&bytes) } else { hash(&(first, &bytes)) };
        let text = if is_text { bytes } else { Vec::new() };
        Told { known: Some(known), is_object: !plain, thing: Some(thing(ends, text)), ..Told::default() }
    }

    /// Bytes up to a zero.
    fn text(&self, address: u64) -> Told {
        if address == 0 {
            return Told { known: Some(0), ..Told::default() };
        }
        let mut text = Vec::new();
        while (text.len() as u64) < LONGEST {
            let at = address.saturating_add(text.len() as u64);
            // The first pieces are short: most texts are.
            let most = (PIECE - at % PIECE).min(64 << (text.len() / 64).min(6));
            let Some(piece) = self.bytes(at, most) else { return Told::default() };
            let end = piece.iter().position(|byte| *byte == 0);
            text.extend_from_slice(piece.get(..end.unwrap_or(piece.len())).unwrap_or_default());
            if end.is_some() {
                let size = ENDS.min(text.len());
                let ends = (hash(&text.get(..size)), hash(&text.get(text.len() - size..)));
                let known = Some(hash(&text));
                let length = Some(text.len() as u64);
                let thing = Thing { id: 0, length, first: ends.0, last: ends.1, text };
                return Told { known, thing: Some(thing), ..Told::default() };
            }
        }
        Told::default()
    }

    /// Adds what two results of the same input would have alike, however far it can be told: numbers, texts, lengths; never where
    /// something lies. How many parts that are.
    fn alike(&self, shape: &Shape, value: &[u8], hasher: &mut DefaultHasher) -> u32 {
        match shape {
            Shape::Record { parts, .. } => {
                let part = |(at, part): &(u32, Shape)| {
                    slice(value, *at, part.bytes()).map_or(0, |value| self.alike(part, value, hasher))
                };
                parts.iter().map(part).sum()
            }
            Shape::Sequence(_) | Shape::Text => {
                let told = self.tell(shape, value);
                told.known.filter(|_| !told.is_object).hash(hasher);
                let length = told.thing.and_then(|thing| thing.length);
                length.hash(hasher);
                u32::from(length.is_some())
            }
            Shape::Counted { count, .. } => {
                word(value, *count).hash(hasher);
                1
            }
            Shape::Number { .. } | Shape::Float { .. } | Shape::Plain { .. } => {
                value.hash(hasher);
                1
            }
            Shape::Pointer(_) | Shape::Unknown { .. } => 0,
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn slice(value: &[u8], at: u32, length: u32) -> Option<&[u8]> {
    let at = usize::try_from(at).ok()?;
    value.get(at..at.checked_add(usize::try_from(length).ok()?)?)
}

fn word(value: &[u8], at: u32) -> Option<u64> {
    Some(u64::from_le_bytes(slice(value, at, 8)?.try_into().ok()?))
}

fn signed_number(value: &[u8], bytes: u32, signed: bool) -> Option<i64> {
    let bytes = usize::try_from(bytes).ok().filter(|bytes| (1..=8).contains(bytes))?;
    let own = value.get(..bytes)?;
    let is_negative = signed && own.last()? & 0x80 != 0;
    let mut whole = [if is_negative { 0xff } else { 0 }; 8];
    whole.get_mut(..bytes)?.copy_from_slice(own);
    let number = i64::from_le_bytes(whole);
    // Beyond what a signed word holds.
    (signed || number >= 0).then_some(number)
}

pub(super) fn uses_vectors(function: &Callable) -> bool {
    function.parameters.iter().any(in_vectors)
}

/// Whether a value lies in a vector register; these have numbers from 17 on.
pub(super) fn in_vectors(parameter: &Parameter) -> bool {
    matches!(&parameter.at, Where::Registers(all) if all.iter().any(|one| *one >= 17))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_sign() {
        assert_eq!(signed_number(&[0xff, 0xff, 0, 0], 2, true), Some(-1));
        assert_eq!(signed_number(&[0xff, 0xff, 0, 0], 2, false), Some(65535));
        assert_eq!(signed_number(&[0xff; 8], 8, false), None);
        assert_eq!(signed_number(&[1], 2, false), None);
    }

    #[test]
    fn what_lies_in_our_own_memory_is_read() {
        let space = Space::open(std::process::id()).unwrap();
        // SAFETY: all bytes zero is a valid struct of integers.
        let mut general: user_regs_struct = unsafe { std::mem::zeroed() };
        let text = c"a text of some letters";
        let numbers = [3_u32, 1, 2];
        general.rdi = text.as_ptr() as u64;
        general.rsi = numbers.as_ptr() as u64;
        general.rdx = 3;
        let moment = Moment { space: &space, general: &general, vectors: None };
        let parameter = |at: u16, shape, counted_by| Parameter {
            name: None,
            at: Where::Registers(vec![at]),
            shape,
            counted_by,
        };
        let number = Shape::Number { bytes: 4, signed: true };
        let parameters = [
            parameter(5, Shape::Text, None),
            parameter(4, Shape::Pointer(Box::new(number.clone())), Some(2)),
            parameter(1, number, None),
            parameter(4, Shape::Pointer(Box::new(Shape::Unknown { bytes: 0 })), None),
        ];
        let told = given(&moment, &parameters);
        let lengths: Vec<_> =
            told.iter().map(|one| one.thing.as_ref().and_then(|thing| thing.length)).collect();
        assert_eq!(lengths, [Some(22), Some(3), None, None]);
        assert_eq!(told[2].number, Some(3));
        // What lies behind it is not known, only where.
        assert!(told[3].known.is_none() && told[3].thing.is_some());
        let again = given(&moment, &parameters);
        assert!(told.iter().zip(&again).all(|(one, other)| one.known == other.known));
        general.rdi += 1;
        let moment = Moment { space: &space, general: &general, vectors: None };
        let other = given(&moment, &parameters);
        assert!(other[0].known.is_some() && other[0].known != told[0].known);
        general.rdi = 8;
        let moment = Moment { space: &space, general: &general, vectors: None };
        assert!(given(&moment, &parameters)[0].known.is_none());
    }
}
