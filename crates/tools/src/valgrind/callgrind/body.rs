//! The lines with costs: where they are, and what they add up to.

use super::super::hash::Table;
use super::super::rows::{Counts, Rows, add};
use super::super::text::{counts, fields, number, number_or_address, past_blanks};
use super::lines::Lines;
use super::names::{Name, Names, Short};

/// Everything read so far.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub(super) names: Names<'a>,
    objects: Short,
    files: Short,
    symbols: Short,
    pub(super) functions: Functions,
    /// Self costs in activations that are not nested in another one of the same function, and in those that are.
    pub(super) outer: Counts,
    pub(super) nested: Counts,
    pub(super) lines: Lines,
    pub(super) edges: Edges,
    /// Of the open part, without the open function's.
    pub(super) sums: Vec<u64>,
    /// Self costs of the open function since it was entered.
    own: Vec<u64>,
    /// Room for the counts of a line, used again for each.
    room: Vec<u64>,
    place: Place,
    positions: Positions,
}

/// Where the next line's costs belong.
#[derive(Clone, Copy, Default)]
struct Place {
    object: Option<u32>,
    /// The file of the function, and that of the line, which differs where code was inlined.
    function_file: Option<u32>,
    file: Option<u32>,
    context: Option<Context>,
    piece: Option<u32>,
    called_object: Option<u32>,
    called_file: Option<u32>,
    called: Option<Context>,
    next: Next,
}

/// What the next line of costs is of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Next {
    #[default]
    Own,
    Call {
        count: u64,
    },
    Jump,
}

/// Which numbers stand before the costs, and those of the line before.
#[derive(Clone, Copy, Default)]
struct Positions {
    last: [u64; 2],
    used: usize,
    /// Which of them is the line; `None` when lines were not kept.
    line: Option<usize>,
}

/// A function, and whether it is entered while it is active already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) function: u32,
    pub(super) nested: bool,
}

#[derive(Default)]
pub(super) struct Functions {
    pub(super) list: Vec<Found>,
    places: Table<(Option<u32>, Option<u32>, u32), u32>,
}

pub(super) struct Found {
    pub(super) object: Option<u32>,
    pub(super) file: Option<u32>,
    name: Name,
    /// Whether it was seen other than as a recursion of itself. If not, the mark is part of its name.
    pub(super) outermost: bool,
    /// Whether it was seen as a recursion of itself.
    nested: bool,
}

impl Found {
    pub(super) fn shown(&self) -> u32 {
        if self.outermost { self.name.base } else { self.name.whole }
    }
}

impl Functions {
    fn context(&mut self, object: Option<u32>, file: Option<u32>, name: Name) -> Option<Context> {
        let new = u32::try_from(self.list.len()).ok()?;
        let function = *self.places.entry((object, file, name.base)).or_insert(new);
        if function == new {
            self.list.push(Found { object, file, name, outermost: false, nested: false });
        }
        let nested = name.whole != name.base;
        let found = self.list.get_mut(function as usize)?;
        found.nested |= nested;
        found.outermost |= !nested;
        Some(Context { function, nested })
    }

    /// Whether the file marks recursion, so that no unmarked function is entered while it is active.
    pub(super) fn marked(&self) -> bool {
        self.list.iter().any(|found| found.outermost && found.nested)
    }
}

/// Calls between functions, nested or not, with how often.
pub(super) struct Edges {
    pub(super) rows: Rows<Edge>,
    places: Table<(Context, Context), u32>,
}

pub(super) struct Edge {
    pub(super) caller: Context,
    pub(super) callee: Context,
    pub(super) count: u64,
}

impl Default for Edges {
    fn default() -> Self {
        Self { rows: Rows::new(0), places: Table::default() }
    }
}

impl Edges {
    fn add(&mut self, caller: Context, callee: Context, count: u64, counts: &[u64]) -> Option<()> {
        let key = (caller, callee);
        let row = match self.places.get(&key) {
            Some(row) => *row,
            None => {
                let row = self.rows.push(Edge { caller, callee, count: 0 })?;
                self.places.insert(key, row);
                row
            }
        };
        let edge = self.rows.thing_mut(row)?;
        edge.count = edge.count.checked_add(count)?;
        self.rows.add(row, counts)
    }
}

impl<'a> Body<'a> {
    /// How many events there are, before the first line of costs.
    pub(super) fn widen(&mut self, events: usize) {
        self.outer = Counts::new(events);
        self.nested = Counts::new(events);
        self.lines = Lines::new(events);
        self.edges.rows = Rows::new(events);
        self.sums = vec![0; events];
        self.own = vec![0; events];
        self.room = vec![0; events];
    }

    /// Makes room for the costs of a file of so many bytes.
    pub(super) fn expect(&mut self, bytes: usize) {
        self.lines.expect(bytes);
        self.edges.rows.reserve(bytes / 240);
    }

    /// A new file has its own numbers for names.
    pub(super) fn begin_file(&mut self) {
        self.objects.clear();
        self.files.clear();
        self.symbols.clear();
    }

    /// A new part: its sums begin at zero, and it is nowhere yet.
    pub(super) fn begin_part(&mut self) {
        self.sums.fill(0);
        self.place = Place::default();
        self.positions.last = [0; 2];
    }

    /// `None` when a `positions:` line is not understood.
    pub(super) fn set_positions(&mut self, value: &[u8]) -> Option<()> {
        let kinds: Vec<&[u8]> = fields(value).collect();
        let known = kinds.iter().all(|kind| [&b"instr"[..], b"addr", b"line"].contains(kind));
        if !known || !(1..=2).contains(&kinds.len()) {
            return None;
        }
        let line = kinds.iter().position(|kind| *kind == b"line");
        self.positions = Positions { last: [0; 2], used: kinds.len(), line };
        Some(())
    }

    /// Whether a line of costs still has to come.
    pub(super) fn wants_costs(&self) -> bool {
        self.place.next != Next::Own
    }

    /// A line `KEY=VALUE`. `None` when it is not understood.
    pub(super) fn assign(&mut self, key: &[u8], value: &'a [u8]) -> Option<()> {
        if self.wants_costs() {
            return None;
        }
        let names = &mut self.names;
        let place = &mut self.place;
        match key {
            b"ob" => place.object = Some(self.objects.name(names, value)?.whole),
            b"fl" => {
                place.function_file = Some(self.files.name(names, value)?.whole);
                place.file = place.function_file;
                self.refresh_piece()?;
            }
            b"fi" | b"fe" => {
                place.file = Some(self.files.name(names, value)?.whole);
                self.refresh_piece()?;
            }
            b"fn" => {
                let name = self.symbols.name(names, value)?;
                self.leave()?;
                let place = &mut self.place;
                place.file = place.function_file;
                place.context = Some(self.functions.context(place.object, place.file, name)?);
                self.grow();
                self.refresh_piece()?;
            }
            b"cob" => place.called_object = Some(self.objects.name(names, value)?.whole),
            b"cfi" | b"cfl" => place.called_file = Some(self.files.name(names, value)?.whole),
            b"cfn" => {
                let name = self.symbols.name(names, value)?;
                // What is not named is where the call stands.
                let object = place.called_object.or(place.object);
                let file = place.called_file.or(place.file);
                place.called = Some(self.functions.context(object, file, name)?);
                self.grow();
            }
            b"calls" => place.next = Next::Call { count: targeted(value)? },
            b"jump" | b"jcnd" => {
                jump(value)?;
                place.next = Next::Jump;
            }
            // Jumps are not kept, but their names may be used again.
            b"jfi" | b"jfl" => drop(self.files.name(names, value)?),
            b"jfn" => drop(self.symbols.name(names, value)?),
            b"job" => drop(self.objects.name(names, value)?),
            _ => return None,
        }
        Some(())
    }

    /// Adds up what the open function cost. `None` when a sum does not fit 64 bits.
    pub(super) fn leave(&mut self) -> Option<()> {
        let Some(context) = self.place.context else { return Some(()) };
        add(&mut self.sums, &self.own)?;
        let sums = if context.nested { &mut self.nested } else { &mut self.outer };
        sums.add(context.function, &self.own)?;
        self.own.fill(0);
        Some(())
    }

    /// A row for each function that was just seen for the first time.
    fn grow(&mut self) {
        while self.outer.len() < self.functions.list.len() {
            self.outer.push();
            self.nested.push();
        }
    }

    fn refresh_piece(&mut self) -> Option<()> {
        if let Some(context) = self.place.context {
            self.place.piece = Some(self.lines.piece(context.function, self.place.file)?);
        }
        Some(())
    }

    /// Reads a line of costs and returns the text after it. `None` when it is no such line, stands outside a function, or a sum does
    /// not fit 64 bits.
    pub(super) fn cost_line(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let rest = self.positions.read(text)?;
        let (counted, rest) = counts(rest, &mut self.room)?;
        let counts = self.room.get(..counted)?;
        let context = self.place.context?;
        match std::mem::take(&mut self.place.next) {
            Next::Own => {
                add(&mut self.own, counts)?;
                self.lines.add(self.place.piece?, self.positions.line()?, counts)?;
            }
            Next::Call { count } => {
                self.edges.add(context, self.place.called?, count, counts)?;
                (self.place.called, self.place.called_file, self.place.called_object) = (None, None, None);
            }
            Next::Jump if counted > 0 => return None,
            Next::Jump => {}
        }
        Some(rest)
    }
}

impl Positions {
    /// Reads the positions a line begins with, and remembers them for the next.
    #[inline]
    fn read<'a>(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let mut rest = text;
        for (index, last) in self.last.iter_mut().enumerate().take(self.used) {
            if index > 0 {
                rest = past_blanks(rest);
            }
            (*last, rest) = position(rest, *last)?;
        }
        Some(rest)
    }

    /// Zero when lines were not kept. `None` for a line that cannot be.
    fn line(&self) -> Option<u32> {
        self.line.map_or(Some(0), |place| u32::try_from(*self.last.get(place)?).ok())
    }
}

/// An absolute or relative position.
#[inline]
fn position(text: &[u8], last: u64) -> Option<(u64, &[u8])> {
    match text {
        [b'*', rest @ ..] => Some((last, rest)),
        [b'+', rest @ ..] => {
            number_or_address(rest).and_then(|(by, rest)| Some((last.checked_add(by)?, rest)))
        }
        [b'-', rest @ ..] => {
            number_or_address(rest).and_then(|(by, rest)| Some((last.checked_sub(by)?, rest)))
        }
        _ => number_or_address(text),
    }
}

/// The number before the position a call goes to. The position is of no use: the called function's name is known.
fn targeted(value: &[u8]) -> Option<u64> {
    let (count, rest) = number(value)?;
    is_position(rest).then_some(count)
}

/// `COUNT TARGET` or `TAKEN/EXECUTED TARGET`.
fn jump(value: &[u8]) -> Option<()> {
    let (_, rest) = number(value)?;
    let rest = match rest.strip_prefix(b"/") {
        Some(rest) => number(rest)?.1,
        None => rest,
    };
    is_position(rest).then_some(())
}

/// Blanks and positions, nothing else. Relative ones may go below zero here, which does not matter.
fn is_position(text: &[u8]) -> bool {
    let apart = text.first().is_none_or(u8::is_ascii_whitespace);
    apart && fields(text).all(|field| position(field, 1 << 62).is_some_and(|(_, rest)| rest.is_empty()))
}
