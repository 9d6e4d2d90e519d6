//! Where HotSpot keeps what we read: every build of it carries tables of its own fields for tools like this one
//! (`runtime/vmStructs.cpp`), exported from `libjvm.so`.

use std::collections::HashMap;

use super::memory::{Memory, Pages, number, signed};
use super::numbers::Packing;

/// So many rows of a table are read; JDK 17 has 1,300 of the longest kind.
const MOST_ROWS: usize = 20_000;

/// Addresses in the process of the variables that describe the tables, by their names.
pub(super) type Symbols = HashMap<String, u64>;

/// A field of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) offset: u64,
    width: usize,
}

impl Field {
    /// Its value in the bytes of a structure.
    pub(super) fn of(self, bytes: &[u8]) -> Option<u64> {
        number(bytes, self.offset, self.width)
    }
}

/// The tables as they are.
struct Tables {
    fields: HashMap<(String, String), Field>,
    statics: HashMap<(String, String), u64>,
    sizes: HashMap<String, u64>,
    numbers: HashMap<String, i64>,
}

/// What of it is used. Names differ between versions; `Option`s are what some do not have.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) release: u64,
    pub(super) packing: Packing,
    pub(super) heaps: u64,
    pub(super) heaps_length: u64,
    pub(super) heaps_first: u64,
    pub(super) heap: Heap,
    pub(super) blob: Blob,
    pub(super) scopes: Option<Scopes>,
    pub(super) method: Method,
}

#[derive(Debug)]
pub(super) struct Heap {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) map: u64,
    pub(super) shift: u64,
    pub(super) block: u64,
    pub(super) used: u64,
}

#[derive(Debug)]
pub(super) struct Blob {
    pub(super) name: Field,
    pub(super) size: Field,
    pub(super) frame_size: Field,
    pub(super) frame_complete: Field,
    pub(super) code: Field,
    /// The code is told as a distance from the blob.
    pub(super) code_is_offset: bool,
    pub(super) method: Field,
    pub(super) number: Field,
    /// Of the largest kind.
    pub(super) header: usize,
}

/// Parts of a compiled method that say which source an instruction comes from.
#[derive(Debug)]
pub(super) struct Scopes {
    pub(super) begin: Field,
    pub(super) begin_is_offset: bool,
    pub(super) metadata: Field,
    pub(super) places: Field,
    pub(super) places_end: Field,
}

#[derive(Debug)]
pub(super) struct Method {
    pub(super) constant: Field,
    pub(super) pool: Field,
    pub(super) code_size: Field,
    pub(super) name: Field,
    pub(super) flags: Option<(Field, u64)>,
    /// Of its fixed part, after which its instructions lie.
    pub(super) length: u64,
    /// Of all of it, in words.
    pub(super) words: Field,
    pub(super) pool_length: u64,
    pub(super) pool_source: Option<Field>,
    pub(super) class: Field,
    pub(super) class_name: u64,
    pub(super) class_source: Option<u64>,
    pub(super) symbol_length: Field,
    pub(super) symbol_body: u64,
}

impl Layout {
    /// `None` when the tables lack what no version we know lacks, or are not there yet.
    pub(super) fn read(memory: &Memory, symbols: &Symbols) -> Option<Self> {
        Tables::read(&mut Pages::of(*memory), symbols)?.layout(memory)
    }
}

impl Tables {
    fn read(memory: &mut Pages, symbols: &Symbols) -> Option<Self> {
        let mut tables = Self {
            fields: HashMap::new(),
            statics: HashMap::new(),
            sizes: HashMap::new(),
            numbers: HashMap::new(),
        };
        tables.read_fields(memory, symbols)?;
        let table = Table::of("Type", ("TypeName", "Size"), memory, symbols)?;
        for (name, row) in table.rows(memory) {
            tables.sizes.insert(name, number(&row, table.value, 8)?);
        }
        let table = Table::of("IntConstant", ("Name", "Value"), memory, symbols)?;
        for (name, row) in table.rows(memory) {
            tables.numbers.insert(name, i64::from(signed(&row, table.value)?));
        }
        Some(tables)
    }

    fn read_fields(&mut self, memory: &mut Pages, symbols: &Symbols) -> Option<()> {
        let table = Table::of("Struct", ("TypeName", "Offset"), memory, symbols)?;
        let mut column =
            |name: &str| memory.word(*symbols.get(&format!("gHotSpotVMStructEntry{name}Offset"))?);
        let (name, kind) = (column("FieldName")?, column("TypeString")?);
        let (is_static, address) = (column("IsStatic")?, column("Address")?);
        for (owner, row) in table.rows(memory) {
            let mut text = |offset| memory.text(number(&row, offset, 8)?);
            let Some(name) = text(name) else { continue };
            if number(&row, is_static, 4)? == 0 {
                let width = width(&text(kind).unwrap_or_default());
                self.fields.insert((owner, name), Field { offset: number(&row, table.value, 8)?, width });
            } else {
                self.statics.insert((owner, name), number(&row, address, 8)?);
            }
        }
        Some(())
    }

    fn field(&self, owners: &[&str], name: &str) -> Option<Field> {
        owners.iter().find_map(|owner| self.fields.get(&((*owner).to_owned(), name.to_owned())).copied())
    }

    fn fixed(&self, owner: &str, name: &str) -> Option<u64> {
        self.statics.get(&(owner.to_owned(), name.to_owned())).copied()
    }

    fn size(&self, name: &str) -> Option<u64> {
        self.sizes.get(name).copied()
    }

    fn layout(&self, memory: &Memory) -> Option<Layout> {
        let offset = |owner: &str, name: &str| Some(self.field(&[owner], name)?.offset);
        let release = self.fixed("Abstract_VM_Version", "_vm_major_version")?;
        let release = number(&memory.bytes(release, 4)?, 0, 4)?;
        let array = ["GrowableArrayBase", "GenericGrowableArray"];
        let (low, high) = (offset("VirtualSpace", "_low")?, offset("VirtualSpace", "_high")?);
        let space = offset("CodeHeap", "_memory")?;
        let header = self.size("nmethod")?.max(self.size("CodeBlob")?);
        Some(Layout {
            release,
            packing: Packing { without_zero: release >= 20 },
            heaps: self.fixed("CodeCache", "_heaps")?,
            heaps_length: self.field(&array, "_len")?.offset,
            heaps_first: offset("GrowableArray<int>", "_data")?,
            heap: Heap {
                low: space + low,
                high: space + high,
                map: offset("CodeHeap", "_segmap")? + low,
                shift: offset("CodeHeap", "_log2_segment_size")?,
                block: self.size("HeapBlock")?,
                used: offset("HeapBlock::Header", "_used")?,
            },
            blob: self.blob(usize::try_from(header).ok()?)?,
            scopes: self.scopes(),
            method: self.method()?,
        })
    }

    fn blob(&self, header: usize) -> Option<Blob> {
        let begin = self.field(&["CodeBlob"], "_code_begin");
        Some(Blob {
            name: self.field(&["CodeBlob"], "_name")?,
            size: self.field(&["CodeBlob"], "_size")?,
            frame_size: self.field(&["CodeBlob"], "_frame_size")?,
            frame_complete: self.field(&["CodeBlob"], "_frame_complete_offset")?,
            code: begin.or_else(|| self.field(&["CodeBlob"], "_code_offset"))?,
            code_is_offset: begin.is_none(),
            method: self.field(&["CompiledMethod", "nmethod"], "_method")?,
            number: self.field(&["nmethod"], "_compile_id")?,
            header,
        })
    }

    /// `None` for versions that keep them outside the compiled method (JDK 23 on): then its own name is all we tell.
    fn scopes(&self) -> Option<Scopes> {
        if self.field(&["nmethod"], "_immutable_data").is_some() {
            return None;
        }
        let begin = self.field(&["CompiledMethod", "nmethod"], "_scopes_data_begin");
        Some(Scopes {
            begin: begin.or_else(|| self.field(&["nmethod"], "_scopes_data_offset"))?,
            begin_is_offset: begin.is_none(),
            metadata: self.field(&["nmethod"], "_metadata_offset")?,
            places: self.field(&["nmethod"], "_scopes_pcs_offset")?,
            places_end: self.field(&["nmethod"], "_dependencies_offset")?,
        })
    }

    fn method(&self) -> Option<Method> {
        let offset = |owner: &str, name: &str| Some(self.field(&[owner], name)?.offset);
        let flags = ["_flags", "_flags._flags"].iter().find_map(|name| self.field(&["ConstMethod"], name));
        let has_lines =
            ["ConstMethod::_has_linenumber_table", "ConstMethodFlags::_misc_has_linenumber_table"];
        let has_lines = has_lines.iter().find_map(|name| self.numbers.get(*name));
        let has_lines = has_lines.and_then(|mask| u64::try_from(*mask).ok());
        Some(Method {
            constant: self.field(&["Method"], "_constMethod")?,
            pool: self.field(&["ConstMethod"], "_constants")?,
            code_size: self.field(&["ConstMethod"], "_code_size")?,
            name: self.field(&["ConstMethod"], "_name_index")?,
            flags: flags.zip(has_lines),
            length: self.size("ConstMethod")?,
            words: self.field(&["ConstMethod"], "_constMethod_size")?,
            pool_length: self.size("ConstantPool")?,
            pool_source: self.field(&["ConstantPool"], "_source_file_name_index"),
            class: self.field(&["ConstantPool"], "_pool_holder")?,
            class_name: offset("Klass", "_name")?,
            class_source: offset("InstanceKlass", "_source_file_name_index"),
            symbol_length: self.field(&["Symbol"], "_length")?,
            symbol_body: offset("Symbol", "_body").or_else(|| offset("Symbol", "_body[0]"))?,
        })
    }
}

/// One of the tables: where it begins, how long its rows are, where in them name and value stand.
struct Table {
    begin: u64,
    stride: u64,
    name: u64,
    value: u64,
}

impl Table {
    fn of(kind: &str, (name, value): (&str, &str), memory: &mut Pages, symbols: &Symbols) -> Option<Self> {
        let mut told = |what: String| memory.word(*symbols.get(&format!("gHotSpotVM{kind}{what}"))?);
        Some(Self {
            begin: told("s".to_owned())?,
            stride: told("EntryArrayStride".to_owned()).filter(|stride| (8..=256).contains(stride))?,
            name: told(format!("Entry{name}Offset"))?,
            value: told(format!("Entry{value}Offset"))?,
        })
    }

    /// Names and rows. A row without a name ends the table.
    fn rows(&self, memory: &mut Pages) -> Vec<(String, Vec<u8>)> {
        let mut rows = Vec::new();
        let mut at = self.begin;
        while rows.len() < MOST_ROWS {
            let row = usize::try_from(self.stride).ok().and_then(|length| memory.bytes(at, length));
            let Some(row) = row else { break };
            let Some(name) = number(&row, self.name, 8).and_then(|name| memory.text(name)) else { break };
            rows.push((name, row));
            at = at.saturating_add(self.stride);
        }
        rows
    }
}

/// By the C++ type that the table tells.
fn width(kind: &str) -> usize {
    match kind {
        "u1" | "bool" | "uint8_t" | "volatile signed char" => 1,
        "u2" | "uint16_t" | "int16_t" | "jushort" | "short" | "unsigned short" => 2,
        "u4" | "int" | "jint" | "juint" | "uint" | "uint32_t" | "int32_t" | "unsigned int" => 4,
        _ => 8,
    }
}
