//! The code that a JVM has made: which piece lies at an address, and from which methods its instructions come.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::layout::Layout;
use super::memory::{Memory, number, signed};
use super::numbers::{Packed, Packing};

/// What a compiled method tells of its source is not read beyond this size.
const MOST_BYTES: u64 = 16 << 20;
/// Methods expanded into each other.
const DEEPEST: usize = 64;
/// Pieces of code are asked now and then whether they are still the same: code that nobody runs any more is thrown away,
/// and other code may come to lie there.
const LOOKS: u32 = 64;

/// A piece of generated code.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Where its instructions begin.
    pub(super) code: u64,
    /// Bytes of stack from its stack pointer to its caller's, once its frame is made. Zero: none, or it varies.
    pub(super) frame: u64,
    /// From this address on its frame is made.
    pub(super) complete: u64,
    number: u64,
    end: u64,
    looks: u32,
    scopes: Option<Scopes>,
    known: HashMap<u64, Arc<[Spot]>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Interpreter,
    /// From the method at this address.
    Compiled(u64),
    /// A bridge from the method at this address to native code.
    Bridge(u64),
    Stub,
}

/// An instruction of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// Its address.
    pub(super) method: u64,
    pub(super) instruction: Option<u32>,
}

/// The parts of a compiled method that name its instructions.
#[derive(Debug)]
struct Scopes {
    /// The last address of each piece of code, as a distance from its begin, with the place of what it belongs to.
    places: Vec<(i32, i32)>,
    methods: Vec<u64>,
    packed: Vec<u8>,
    packing: Packing,
}

#[derive(Debug, Default)]
pub(super) struct Pieces {
    heaps: Vec<Heap>,
    /// By their beginning.
    pieces: BTreeMap<u64, Piece>,
}

#[derive(Clone, Debug)]
struct Heap {
    memory: Range<u64>,
    map: u64,
    shift: u32,
}

impl Pieces {
    /// Whether an address lies where code is kept, as far as it had grown when last looked at.
    pub(super) fn contains(&self, address: u64) -> bool {
        self.heaps.iter().any(|heap| heap.memory.contains(&address))
    }

    /// The piece at an address. `None` when there is none, or the process has ended and nobody looked before.
    pub(super) fn at(&mut self, memory: &Memory, layout: &Layout, address: u64) -> Option<&mut Piece> {
        let start = match self.known(address) {
            Some(start) if self.is_same(memory, layout, start) => start,
            _ => self.look(memory, layout, address)?,
        };
        self.pieces.get_mut(&start)
    }

    fn known(&self, address: u64) -> Option<u64> {
        let (start, piece) = self.pieces.range(..=address).next_back()?;
        (address < piece.end).then_some(*start)
    }

    fn is_same(&mut self, memory: &Memory, layout: &Layout, start: u64) -> bool {
        let Some(piece) = self.pieces.get_mut(&start) else { return false };
        piece.looks += 1;
        let Kind::Compiled(method) = piece.kind else { return true };
        if piece.looks % LOOKS != 0 {
            return true;
        }
        // One that has ended is what it was.
        let Some(header) = memory.bytes(start, layout.blob.header) else { return true };
        layout.blob.number.of(&header) == Some(piece.number) && layout.blob.method.of(&header) == Some(method)
    }

    fn look(&mut self, memory: &Memory, layout: &Layout, address: u64) -> Option<u64> {
        if !self.contains(address) {
            self.heaps = heaps(memory, layout)?;
        }
        let heap = self.heaps.iter().find(|heap| heap.memory.contains(&address))?;
        let block = heap.block(memory, address)?;
        let used = memory.bytes(block.checked_add(layout.heap.used)?, 1)?;
        let start = block.checked_add(layout.heap.block)?;
        let piece = Piece::read(memory, layout, start).filter(|piece| used != [0] && address < piece.end)?;
        let stale: Vec<u64> = self.pieces.range(start..piece.end).map(|(start, _)| *start).collect();
        for start in stale {
            self.pieces.remove(&start);
        }
        self.pieces.insert(start, piece);
        Some(start)
    }
}

fn heaps(memory: &Memory, layout: &Layout) -> Option<Vec<Heap>> {
    const MOST: u64 = 16;
    let array = memory.word(layout.heaps)?;
    let length = number(&memory.bytes(array.checked_add(layout.heaps_length)?, 4)?, 0, 4)?;
    let first = memory.word(array.checked_add(layout.heaps_first)?)?;
    let heaps = (0..length.min(MOST)).filter_map(|at| {
        let heap = memory.word(first.checked_add(at * 8)?)?;
        let word = |offset: u64| memory.word(heap.checked_add(offset)?);
        let shift = number(&memory.bytes(heap.checked_add(layout.heap.shift)?, 4)?, 0, 4)?;
        let (low, high) = (word(layout.heap.low)?, word(layout.heap.high)?);
        let shift = u32::try_from(shift).ok().filter(|shift| *shift < 32)?;
        Some(Heap { memory: low..high, map: word(layout.heap.map)?, shift })
    });
    Some(heaps.collect())
}

impl Heap {
    /// Where the block begins that holds an address. The map has a byte for each segment: how far back the block begins,
    /// or, if that is too far for a byte, a step on the way there.
    fn block(&self, memory: &Memory, address: u64) -> Option<u64> {
        const FREE: u8 = 0xff;
        const AT_ONCE: u64 = 4096;
        let mut segment = (address - self.memory.start) >> self.shift;
        let mut from = segment.saturating_sub(AT_ONCE - 1);
        let mut map = memory.bytes(self.map.checked_add(from)?, usize::try_from(segment - from + 1).ok()?)?;
        loop {
            if segment < from {
                from = segment.saturating_sub(AT_ONCE - 1);
                let length = usize::try_from(segment - from + 1).ok()?;
                map = memory.bytes(self.map.checked_add(from)?, length)?;
            }
            match *map.get(usize::try_from(segment - from).ok()?)? {
                0 => return self.memory.start.checked_add(segment << self.shift),
                FREE => return None,
                back => segment = segment.checked_sub(u64::from(back))?,
            }
        }
    }
}

impl Piece {
    fn read(memory: &Memory, layout: &Layout, start: u64) -> Option<Self> {
        let fields = &layout.blob;
        let header = memory.bytes(start, fields.header)?;
        let name = memory.text(fields.name.of(&header)?)?;
        let code = fields.code.of(&header)?;
        let code = if fields.code_is_offset { start.checked_add(code)? } else { code };
        let method = || fields.method.of(&header);
        let kind = match name.as_str() {
            "nmethod" => Kind::Compiled(method()?),
            "native nmethod" => Kind::Bridge(method()?),
            "Interpreter" => Kind::Interpreter,
            _ => Kind::Stub,
        };
        let scopes = matches!(kind, Kind::Compiled(_)).then(|| Scopes::read(memory, layout, start, &header));
        let complete = signed(&header, fields.frame_complete.offset)?;
        Some(Self {
            kind,
            name,
            code,
            frame: fields.frame_size.of(&header)?.checked_mul(8).filter(|frame| *frame < 1 << 20)?,
            complete: code.checked_add(u64::try_from(complete).unwrap_or(0))?,
            number: fields.number.of(&header)?,
            end: start.checked_add(fields.size.of(&header)?)?,
            looks: 0,
            scopes: scopes.flatten(),
            known: HashMap::new(),
        })
    }

    /// The instructions that an address belongs to, innermost first: of the method and of those expanded into it. Only
    /// the method itself where nothing more is told; none in a stub.
    pub(super) fn spots(&mut self, address: u64) -> Arc<[Spot]> {
        if let Some(known) = self.known.get(&address) {
            return Arc::clone(known);
        }
        let told = address.checked_sub(self.code).and_then(|distance| self.scopes.as_ref()?.spots(distance));
        let spots: Arc<[Spot]> = match (told, self.kind) {
            (Some(told), _) => told.into(),
            (None, Kind::Compiled(method) | Kind::Bridge(method)) => {
                Arc::new([Spot { method, instruction: None }])
            }
            (None, Kind::Interpreter | Kind::Stub) => Arc::new([]),
        };
        self.known.insert(address, Arc::clone(&spots));
        spots
    }
}

impl Scopes {
    fn read(memory: &Memory, layout: &Layout, start: u64, header: &[u8]) -> Option<Self> {
        let fields = layout.scopes.as_ref()?;
        let at = |offset: u64| start.checked_add(offset);
        let (methods, places) = (fields.metadata.of(header)?, fields.places.of(header)?);
        let (methods, places, end) = (at(methods)?, at(places)?, at(fields.places_end.of(header)?)?);
        let packed = fields.begin.of(header)?;
        let packed = if fields.begin_is_offset { at(packed)? } else { packed };
        let in_order = methods <= packed && packed <= places && places <= end;
        let length = end.checked_sub(methods).filter(|length| in_order && *length <= MOST_BYTES)?;
        let bytes = memory.bytes(methods, usize::try_from(length).ok()?)?;
        let part = |from: u64, to: u64| {
            bytes.get(usize::try_from(from - methods).ok()?..usize::try_from(to - methods).ok()?)
        };
        let words = part(methods, packed)?.as_chunks::<8>().0;
        let rows = part(places, end)?.as_chunks::<16>().0;
        Some(Self {
            places: rows.iter().filter_map(|row| Some((signed(row, 0)?, signed(row, 4)?))).collect(),
            methods: words.iter().map(|word| u64::from_le_bytes(*word)).collect(),
            packed: part(packed, places)?.to_vec(),
            packing: layout.packing,
        })
    }

    /// `None` when nothing is told of the instruction.
    fn spots(&self, distance: u64) -> Option<Vec<Spot>> {
        let distance = i32::try_from(distance).ok()?;
        let after = self.places.partition_point(|(last, _)| *last < distance);
        let mut place = self.places.get(after)?.1;
        let mut spots = Vec::new();
        while place > 0 && spots.len() < DEEPEST {
            let (spot, outer) = self.spot(place)?;
            spots.push(spot);
            place = outer;
        }
        (!spots.is_empty()).then_some(spots)
    }

    fn spot(&self, place: i32) -> Option<(Spot, i32)> {
        let bytes = self.packed.get(usize::try_from(place).ok()?..)?;
        let mut packed = Packed { packing: self.packing, bytes };
        let outer = i32::try_from(packed.unsigned()?).ok()?;
        // Zero is no method.
        let index = usize::try_from(packed.unsigned()?).ok()?.checked_sub(1)?;
        let method = *self.methods.get(index)?;
        // Zero is the moment before the first instruction.
        let instruction = packed.unsigned()?.checked_sub(1);
        Some((Spot { method, instruction }, outer))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn arbitrary_bytes_name_something_or_nothing(
            packed: Vec<u8>,
            places: Vec<(i32, i32)>,
            distance in 0..100_u64,
            without_zero: bool,
        ) {
            let torn = Scopes { places, methods: vec![1, 2, 3], packed, packing: Packing { without_zero } };
            let spots = torn.spots(distance).unwrap_or_default();
            prop_assert!(spots.len() <= DEEPEST);
        }
    }

    fn scopes() -> Scopes {
        // At 1: method 1, instruction 5, called from nowhere. At 4: method 2, instruction 0, expanded into that.
        let packed = vec![0xff, 0, 1, 6, 1, 2, 1];
        let places = vec![(-1, 0), (10, 1), (20, 4), (i32::MAX, 0)];
        Scopes { places, methods: vec![0x100, 0x200], packed, packing: Packing { without_zero: false } }
    }

    #[test]
    fn an_instruction_belongs_to_the_first_place_that_ends_behind_it() {
        let outer = Spot { method: 0x100, instruction: Some(5) };
        let inner = Spot { method: 0x200, instruction: Some(0) };
        let spots = |distance| scopes().spots(distance);
        assert_eq!(spots(0), Some(vec![outer]));
        assert_eq!(spots(10), Some(vec![outer]));
        assert_eq!(spots(11), Some(vec![inner, outer]));
        assert_eq!(spots(21), None);
    }

    #[test]
    fn places_that_lead_nowhere_or_in_a_circle_have_an_end() {
        let mut torn = scopes();
        torn.packed = vec![0xff, 1, 1, 6, 1, 9, 1];
        assert_eq!(torn.spots(5).map(|spots| spots.len()), Some(DEEPEST));
        assert_eq!(torn.spots(15), None);
        for length in 0..7 {
            let mut cut = scopes();
            cut.packed.truncate(length);
            assert_eq!(cut.spots(15), None, "{length}");
        }
    }
}
