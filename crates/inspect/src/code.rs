//! The code to look at: an image, or plain bytes as a just-in-time compiler leaves them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use model::machine_code::{Architecture, SourceLine};

use crate::image::{Image, ImageError};
use crate::instruction::{Callee, Instruction};

/// A function of more instructions is not looked at: generated code of that size would take seconds.
const MOST_INSTRUCTIONS: usize = 200_000;

/// Code with addresses.
pub enum Code<'a> {
    Image(Box<Image<'a>>),
    Raw(Raw<'a>),
}

/// Functions without an image: Numba's, V8's or a virtual machine's.
pub struct Raw<'a> {
    /// In address order, not overlapping.
    functions: Vec<Function>,
    /// Of each function.
    bytes: Vec<&'a [u8]>,
    architecture: Architecture,
}

/// The bytes of one function, and where they lay while it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub name: Option<String>,
    pub base: u64,
    pub bytes: &'a [u8],
}

/// A range of code that was compiled as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// As the linker knows it. `None` when no symbol names it.
    pub name: Option<String>,
    /// Other names of the same place.
    pub aliases: Vec<String>,
    pub range: Range<u64>,
}

impl Function {
    pub(crate) const fn new(name: Option<String>, range: Range<u64>) -> Self {
        Self { name, aliases: Vec::new(), range }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.name.iter().chain(&self.aliases)
    }
}

/// Functions by name. Demangling a large image takes long, so it is done once, and only when the linker's names do not
/// help.
#[derive(Default)]
pub(crate) struct Names<'a> {
    linked: HashMap<&'a str, Vec<&'a Function>>,
    /// Without parameters, which debug information leaves out: the whole demangled name beside each.
    demangled: OnceCell<HashMap<String, Vec<(String, &'a Function)>>>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(functions: &'a [Function]) -> Self {
        let mut names = Self::default();
        for function in functions {
            for name in function.names() {
                names.linked.entry(name).or_default().push(function);
            }
        }
        names
    }

    /// Those of this name, mangled or not, with their parameters or without.
    pub(crate) fn named(&self, wanted: &str) -> Vec<&'a Function> {
        if let Some(found) = self.linked.get(wanted) {
            return found.clone();
        }
        let demangled = self.demangled.get_or_init(|| {
            let mut table: HashMap<String, Vec<(String, &'a Function)>> = HashMap::new();
            for (name, functions) in &self.linked {
                let name = demangled(name);
                let key = without_parameters(&name).to_owned();
                table
                    .entry(key)
                    .or_default()
                    .extend(functions.iter().map(|function| (name.clone(), *function)));
            }
            table
        });
        let found = demangled.get(without_parameters(wanted)).map(Vec::as_slice).unwrap_or_default();
        let exactly: Vec<_> = found.iter().filter(|(name, _)| name == wanted).collect();
        let chosen = if exactly.is_empty() { found.iter().collect() } else { exactly };
        chosen.into_iter().map(|(_, function)| *function).collect()
    }
}

/// Where functions of these names begin in the source, as far as the image's debug information tells; `None` for one that stands
/// at several places.
#[must_use]
pub fn places(image: &Image<'_>, wanted: &[&str]) -> Vec<Option<SourceLine>> {
    let names = Names::of(&image.functions);
    let place = |wanted: &&str| {
        let found = names.named(wanted);
        let mut places = found.iter().map(|function| image.lines.at(function.range.start));
        let first = places.next()??;
        places.all(|other| other.as_ref() == Some(&first)).then_some(first)
    };
    wanted.iter().map(place).collect()
}

fn without_parameters(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// A name as its author wrote it; unchanged when it is not mangled.
pub(crate) fn demangled(name: &str) -> String {
    if !model::mangled::is_mangled(name) {
        return model::swift::demangled(name).unwrap_or_else(|| name.to_owned());
    }
    addr2line::demangle_auto(Cow::Borrowed(name), None).into_owned()
}

impl<'a> Code<'a> {
    /// A program or library from the bytes of its file.
    pub fn image(bytes: &'a [u8]) -> Result<Self, ImageError> {
        Image::parse(bytes).map(|image| Self::Image(Box::new(image)))
    }

    /// The bytes of one function that lay at `base` while it ran.
    #[must_use]
    pub fn raw(name: Option<&str>, bytes: &'a [u8], base: u64, architecture: Architecture) -> Self {
        Self::pieces(vec![Piece { name: name.map(str::to_owned), base, bytes }], architecture)
    }

    /// Several functions of one process. Of two that overlap the one that begins first is taken.
    #[must_use]
    pub fn pieces(mut pieces: Vec<Piece<'a>>, architecture: Architecture) -> Self {
        pieces.sort_by_key(|piece| piece.base);
        let (mut functions, mut bytes): (Vec<Function>, Vec<&[u8]>) = (Vec::new(), Vec::new());
        for piece in pieces {
            let range = piece.base..piece.base.saturating_add(piece.bytes.len() as u64);
            if functions.last().is_none_or(|last| last.range.end <= range.start) {
                functions.push(Function::new(piece.name, range));
                bytes.push(piece.bytes);
            }
        }
        Self::Raw(Raw { functions, bytes, architecture })
    }

    #[must_use]
    pub const fn architecture(&self) -> Architecture {
        match self {
            Self::Image(image) => image.architecture,
            Self::Raw(raw) => raw.architecture,
        }
    }

    /// The address of a byte of the file. `None` where nothing of it is loaded, or there is no file.
    #[must_use]
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        match self {
            Self::Image(image) => image.address_of(offset),
            Self::Raw(_) => None,
        }
    }

    /// The function that holds an address.
    #[must_use]
    pub fn function_at(&self, address: u64) -> Option<&Function> {
        match self {
            Self::Image(image) => image.function_at(address),
            Self::Raw(raw) => raw.position(address).and_then(|at| raw.functions.get(at)),
        }
    }

    /// All functions, in address order.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        match self {
            Self::Image(image) => &image.functions,
            Self::Raw(raw) => &raw.functions,
        }
    }

    /// Where its instructions begin. `None` when its bytes are not there or it is too large to look at.
    #[must_use]
    pub fn boundaries(&self, function: &Function) -> Option<Vec<u64>> {
        let instructions = self.instructions(function)?;
        Some(instructions.iter().map(|instruction| instruction.address).collect())
    }

    /// All functions of this name, mangled or not.
    #[must_use]
    pub fn functions_named(&self, name: &str) -> Vec<&Function> {
        Names::of(self.functions()).named(name)
    }

    /// Its instructions. `None` when its bytes are not there or it is too large to look at.
    pub(crate) fn instructions(&self, function: &Function) -> Option<Vec<Instruction>> {
        let bytes = match self {
            Self::Image(image) => image.code(&function.range)?,
            Self::Raw(raw) => raw.bytes.get(raw.position(function.range.start)?)?,
        };
        let decode = match self.architecture() {
            Architecture::X86_64 => crate::x86::decode,
            Architecture::Aarch64 => crate::aarch64::decode,
        };
        let instructions = decode(bytes, function.range.start, MOST_INSTRUCTIONS + 1);
        (instructions.len() <= MOST_INSTRUCTIONS).then_some(instructions)
    }

    pub(crate) fn line_at(&self, address: u64) -> Option<SourceLine> {
        match self {
            Self::Image(image) => image.lines.at(address),
            Self::Raw(_) => None,
        }
    }

    /// Why no lines are told. `None` when they are.
    pub(crate) fn lines_obstacle(&self) -> Option<&'static str> {
        match self {
            Self::Image(image) => image.lines.obstacle(),
            Self::Raw(_) => Some("code made at run time has no debug information"),
        }
    }

    /// What would give lines. `None` when nothing does.
    pub(crate) fn lines_remedy(&self) -> Option<&'static str> {
        matches!(self, Self::Image(_)).then_some("compile with -g")
    }

    pub(crate) fn producer_at(&self, address: u64) -> Option<String> {
        match self {
            Self::Image(image) => image.lines.producer_at(address),
            Self::Raw(_) => None,
        }
    }

    pub(crate) fn callee(&self, callee: Callee) -> Option<String> {
        match (self, callee) {
            (Self::Image(image), Callee::At(address)) => image.callee(address),
            (Self::Image(image), Callee::Through(word)) => image.linked_to(word),
            (Self::Raw(raw), Callee::At(address)) => {
                let function = raw.functions.get(raw.position(address)?)?;
                function.name.clone().filter(|_| function.range.start == address)
            }
            (_, Callee::Kernel) => Some("system call".to_owned()),
            _ => None,
        }
    }
}

impl Raw<'_> {
    /// Of the function that holds an address.
    fn position(&self, address: u64) -> Option<usize> {
        let at = self.functions.partition_point(|function| function.range.start <= address).checked_sub(1)?;
        self.functions.get(at)?.range.contains(&address).then_some(at)
    }
}
