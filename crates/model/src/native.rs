//! Functions of native programs that can be watched: where they begin, and how what they are given is read there.
//!
//! Found in the program's file (`inspect`), used while it runs (`run`); never stored.

/// A function that can be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// As the recording names it.
    pub function: String,
    pub file: String,
    pub line: u32,
    /// The file that holds its code.
    pub module: String,
    /// Where it begins in that file.
    pub offset: u64,
    pub parameters: Vec<Parameter>,
    /// `None` where it gives nothing.
    pub result: Option<Parameter>,
}

/// Something given to a function, or by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: Option<String>,
    pub at: Where,
    pub shape: Shape,
    /// The position of the parameter that says how many of it there are: a pointer and a length.
    pub counted_by: Option<usize>,
}

/// Where a value lies when its function begins, or has ended; a result in memory, by the registers that it began with. Registers are numbered as DWARF does for x86-64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// Eight bytes in each.
    Registers(Vec<u16>),
    /// In memory, so far from where a register points.
    Memory { register: u16, offset: i64 },
    /// Nothing tells.
    Nowhere,
}

/// What a value is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Number {
        bytes: u32,
        signed: bool,
    },
    Float {
        bytes: u32,
    },
    /// Points to bytes that end with a zero.
    Text,
    /// Bytes without a pointer among them, whatever they mean.
    Plain {
        bytes: u32,
    },
    /// Begins with, or is, where its elements lie and how many they are.
    Sequence(Sequence),
    /// Says how many it holds, but not where they lie: a tree, a hash table.
    Counted {
        bytes: u32,
        count: u32,
    },
    /// Several of them, each at its place, pointers among them.
    Record {
        bytes: u32,
        parts: Vec<(u32, Shape)>,
    },
    /// A pointer or a reference to one.
    Pointer(Box<Shape>),
    /// Nothing tells what these bytes are.
    Unknown {
        bytes: u32,
    },
}

/// Elements in a row. Places are in bytes from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    pub bytes: u32,
    /// Where the pointer to the first lies.
    pub first: u32,
    pub length: Length,
    /// Bytes of one.
    pub element: u32,
    /// No element holds a pointer.
    pub plain: bool,
}

/// How a sequence tells its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number at this place.
    Number(u32),
    /// A pointer behind the last, at this place.
    End(u32),
}

impl Shape {
    /// How large the value itself is, without what it points to.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        match self {
            Self::Number { bytes, .. }
            | Self::Float { bytes }
            | Self::Plain { bytes }
            | Self::Counted { bytes, .. }
            | Self::Record { bytes, .. }
            | Self::Unknown { bytes } => *bytes,
            Self::Sequence(sequence) => sequence.bytes,
            Self::Text | Self::Pointer(_) => 8,
        }
    }

    /// Whether the bytes tell all of it.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Float { .. } | Self::Plain { .. })
    }
}
