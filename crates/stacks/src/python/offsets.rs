//! Where CPython keeps what: a row of numbers for each version.
//!
//! The rows of 3.8 to 3.12 were printed by `offsets/print.c`; those versions are frozen. From 3.13 on `_PyRuntime`
//! begins with a table of its own (`_Py_DebugOffsets`, marked `xdebugpy`), whose order differs between versions.

use super::lines::Table;
use super::memory::word_at;

/// A field that the version does not have.
const NONE: usize = usize::MAX;

/// Offsets in bytes from the start of each structure. Absent ones are asked for through methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    pub(crate) interpreters_head: usize,
    pub(crate) interpreter_next: usize,
    pub(crate) threads_head: usize,
    pub(crate) thread_next: usize,
    pub(crate) thread_interpreter: usize,
    pub(crate) thread_id: usize,
    native_thread_id: usize,
    pub(crate) thread_frame: usize,
    c_frame_current: usize,
    thread_chunk: usize,
    chunk_top: usize,
    pub(crate) frame_previous: usize,
    pub(crate) frame_code: usize,
    pub(crate) frame_instruction: usize,
    frame_owner: usize,
    frame_generator: usize,
    frame_is_entry: usize,
    frame_state: usize,
    /// What stands there while the frame runs or waits for what it called.
    frame_runs: u8,
    pub(crate) code_file: usize,
    pub(crate) code_name: usize,
    code_qualified_name: usize,
    pub(crate) code_lines: usize,
    pub(crate) code_first_line: usize,
    pub(crate) code_frame: FrameSize,
    code_instructions: usize,
    code_bytes: usize,
    code_kept_frame: usize,
    pub(crate) ascii_size: usize,
    pub(crate) string_state: usize,
    pub(crate) bytes_start: usize,
    pub(crate) lock: LockPlace,
    pub(crate) collecting: CollectorPlace,
}

/// Where the interpreter lock is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockPlace {
    /// Until 3.11: `_PyRuntime` holds the thread that has it, or null.
    Runtime { current: usize },
    /// From 3.12: each interpreter points to its lock, which has a flag and the last holder.
    Interpreter { pointer: usize, locked: usize, holder: usize },
}

/// Where it is noted that the garbage collector is at work: a flag of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectorPlace {
    /// 3.8: in `_PyRuntime`.
    Runtime(usize),
    /// From 3.9: in each interpreter.
    Interpreter(usize),
    /// Not known of this version.
    Unknown,
}

/// Where a code object notes how long its frames are, each number of four bytes and counting words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameSize {
    /// 3.11: what belongs to each frame, variables, and room for values.
    Sum { fixed: u32, variables: usize, values: usize },
    /// From 3.12.
    Whole(usize),
    /// Until 3.10, where frames are objects, and in versions that were not looked at.
    Unknown,
}

/// How a version tells where a C-level evaluation loop began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Until 3.10 each frame has its own loop.
    Each,
    /// 3.11: a flag in the frame.
    Flag(usize),
    /// From 3.12: a frame without code lies below, with an owner of at least [`SHIM_OWNER`].
    Shim(usize),
}

/// `FRAME_OWNED_BY_CSTACK` in 3.12 and 3.13, `FRAME_OWNED_BY_INTERPRETER` later; above are other frames without code.
pub(crate) const SHIM_OWNER: u8 = 3;

/// `FRAME_OWNED_BY_GENERATOR`.
const GENERATOR_OWNER: u8 = 1;

impl Offsets {
    /// The thread's number in the kernel, from 3.11.
    pub(crate) fn native_thread_id(&self) -> Option<usize> {
        present(self.native_thread_id)
    }

    /// 3.11 and 3.12: the thread points to a record of the C stack, and that to the frame.
    pub(crate) fn c_frame_current(&self) -> Option<usize> {
        present(self.c_frame_current)
    }

    /// From 3.11: the newest piece of the stack of frames, and where its used part ends.
    pub(crate) fn chunk(&self) -> Option<(usize, usize)> {
        Some((present(self.thread_chunk)?, present(self.chunk_top)?))
    }

    pub(crate) fn entry(&self) -> Entry {
        match (present(self.frame_is_entry), present(self.frame_owner)) {
            (Some(flag), _) => Entry::Flag(flag),
            (None, Some(owner)) => Entry::Shim(owner),
            (None, None) => Entry::Each,
        }
    }

    /// Whether the frame is a generator's: from 3.11 its owner says so, before it points to the generator.
    pub(crate) fn is_generator(&self, frame: &[u8]) -> Option<bool> {
        match present(self.frame_owner) {
            Some(owner) => Some(*frame.get(owner)? == GENERATOR_OWNER),
            None => Some(word_at(frame, self.frame_generator)? != 0),
        }
    }

    /// The qualified name where the version has one.
    pub(crate) fn code_best_name(&self) -> usize {
        present(self.code_qualified_name).unwrap_or(self.code_name)
    }

    /// From 3.11 a frame points into its code; before, it counts.
    pub(crate) fn code_instructions(&self) -> Option<usize> {
        present(self.code_instructions)
    }

    /// Until 3.10: the `bytes` that hold the instructions, and the frame of its last call, kept for the next one.
    pub(crate) fn code_objects(&self) -> Option<(usize, usize)> {
        Some((present(self.code_bytes)?, present(self.code_kept_frame)?))
    }

    /// Whether the frame runs or waits for what it called. Until 3.10 it says so, later frames lie in pieces of one stack.
    pub(crate) fn runs(&self, frame: &[u8]) -> Option<bool> {
        match present(self.frame_state) {
            Some(state) => Some(*frame.get(state)? == self.frame_runs),
            None => Some(true),
        }
    }

    /// What must be read of a thread.
    pub(crate) fn thread_length(&self) -> usize {
        self.farthest(&[
            self.thread_next,
            self.thread_interpreter,
            self.thread_id,
            self.native_thread_id,
            self.thread_frame,
            self.thread_chunk,
            self.chunk_top,
        ])
    }

    /// What must be read of a frame.
    pub(crate) fn frame_length(&self) -> usize {
        self.farthest(&[
            self.frame_previous,
            self.frame_code,
            self.frame_instruction,
            self.frame_owner,
            self.frame_generator,
            self.frame_is_entry,
            self.frame_state,
        ])
    }

    /// What must be read of a code object.
    pub(crate) fn code_length(&self) -> usize {
        self.farthest(&[
            self.code_file,
            self.code_name,
            self.code_qualified_name,
            self.code_lines,
            self.code_first_line,
            self.farthest_size(),
            self.code_bytes,
            self.code_kept_frame,
        ])
    }

    fn farthest_size(&self) -> usize {
        match self.code_frame {
            FrameSize::Sum { variables, values, .. } => variables.max(values),
            FrameSize::Whole(size) => size,
            FrameSize::Unknown => NONE,
        }
    }

    fn farthest(&self, offsets: &[usize]) -> usize {
        offsets.iter().filter_map(|offset| present(*offset)).max().unwrap_or(0) + 8
    }
}

fn present(offset: usize) -> Option<usize> {
    (offset != NONE).then_some(offset)
}

/// The row of a version without a table of its own: 3.`minor`.
pub(crate) fn frozen(minor: u8) -> Option<Offsets> {
    match minor {
        8 => Some(PYTHON_3_8),
        9 => Some(PYTHON_3_9),
        10 => Some(PYTHON_3_10),
        11 => Some(PYTHON_3_11),
        12 => Some(PYTHON_3_12),
        _ => None,
    }
}

/// How 3.`minor` writes its line table.
pub(crate) fn line_table(minor: u8) -> Table {
    match minor {
        ..=9 => Table::Steps,
        10 => Table::Ranges,
        11.. => Table::Locations,
    }
}

/// What begins `_PyRuntime` from 3.13 on.
const COOKIE: &[u8] = b"xdebugpy";

/// Enough of `_PyRuntime` for every known table.
pub(crate) const TABLE_LENGTH: usize = 8 * 128;

/// Why a table could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFault {
    NoCookie,
    FreeThreaded,
    /// Its numbers contradict each other, so the order must have changed.
    Strange,
}

/// Where the sections of the table begin, in words.
struct Sections {
    interpreter: usize,
    /// Where the lock's words begin inside the interpreter's section.
    lock: usize,
    thread: usize,
    /// `thread_id` inside the thread's section; the frame stands before it.
    thread_id: usize,
    frame: usize,
    code: usize,
    /// The collector's section, where it was seen; its offsets count from the interpreter's `gc`.
    collector: usize,
}

/// As in 3.13.0, 3.14.10 and 3.15.2. 3.14 added `threads_main` and two generations, 3.15 three frames and some flags of
/// threads.
const SECTIONS_3_13: Sections =
    Sections { interpreter: 6, lock: 8, thread: 19, thread_id: 5, frame: 28, code: 34, collector: 71 };
const SECTIONS_3_14: Sections =
    Sections { interpreter: 6, lock: 9, thread: 22, thread_id: 5, frame: 31, code: 39, collector: NONE };
const SECTIONS_3_15: Sections =
    Sections { interpreter: 6, lock: 9, thread: 22, thread_id: 8, frame: 39, code: 47, collector: NONE };

/// The newest version that was looked at for where `co_framesize` is.
const NEWEST_FRAME_SIZE: u8 = 13;

/// The row that the interpreter itself tells. A version newer than we know is read like the newest, if that fits.
pub(crate) fn parse_table(bytes: &[u8], minor: u8) -> Result<Offsets, TableFault> {
    if !bytes.starts_with(COOKIE) {
        return Err(TableFault::NoCookie);
    }
    if word_at(bytes, 16) != Some(0) {
        return Err(TableFault::FreeThreaded);
    }
    let sections = match minor {
        ..=13 => SECTIONS_3_13,
        14 => SECTIONS_3_14,
        15.. => SECTIONS_3_15,
    };
    let mut offsets = told(bytes, &sections).ok_or(TableFault::Strange)?;
    if minor <= NEWEST_FRAME_SIZE {
        // The table does not tell it: `co_firstlineno`, `co_nlocalsplus` and `co_framesize` follow each other.
        offsets.code_frame = FrameSize::Whole(offsets.code_first_line + 8);
    }
    Ok(offsets)
}

fn told(bytes: &[u8], sections: &Sections) -> Option<Offsets> {
    let slot = |section: usize, field: usize| {
        let value = usize::try_from(word_at(bytes, (section + field) * 8)?).ok()?;
        // The first word of each section is the structure's size; no offset reaches beyond it.
        let size = usize::try_from(word_at(bytes, section * 8)?).ok()?;
        (value < size && size < 1 << 24).then_some(value)
    };
    let runtime = |field| slot(3, field);
    let interpreter = |field| slot(sections.interpreter, field);
    let thread = |field| slot(sections.thread, field);
    let frame = |field| slot(sections.frame, field);
    let code = |field| slot(sections.code, field);
    let own_lock = interpreter(sections.lock + 1)?;
    let collecting =
        present(sections.collector).and_then(|section| Some(interpreter(4)? + slot(section, 1)?));
    Some(Offsets {
        interpreters_head: runtime(2)?,
        interpreter_next: interpreter(2)?,
        threads_head: interpreter(3)?,
        thread_next: thread(2)?,
        thread_interpreter: thread(3)?,
        thread_id: thread(sections.thread_id)?,
        native_thread_id: thread(sections.thread_id + 1)?,
        thread_frame: thread(4)?,
        c_frame_current: NONE,
        thread_chunk: thread(sections.thread_id + 2)?,
        // `datastack_top` has followed `datastack_chunk` since both exist; the reader checks that it lies inside.
        chunk_top: thread(sections.thread_id + 2)? + 8,
        frame_previous: frame(1)?,
        frame_code: frame(2)?,
        frame_instruction: frame(3)?,
        frame_owner: frame(5)?,
        frame_generator: NONE,
        frame_is_entry: NONE,
        frame_state: NONE,
        frame_runs: 0,
        code_file: code(1)?,
        code_name: code(2)?,
        code_qualified_name: code(3)?,
        code_lines: code(4)?,
        code_first_line: code(5)?,
        code_frame: FrameSize::Unknown,
        code_instructions: code(9)?,
        code_bytes: NONE,
        code_kept_frame: NONE,
        // Strings and bytes have not changed since 3.12.
        ascii_size: PYTHON_3_12.ascii_size,
        string_state: PYTHON_3_12.string_state,
        bytes_start: PYTHON_3_12.bytes_start,
        lock: LockPlace::Interpreter {
            pointer: interpreter(sections.lock)?,
            locked: interpreter(sections.lock + 3)?.checked_sub(own_lock)?,
            holder: interpreter(sections.lock + 4)?.checked_sub(own_lock)?,
        },
        collecting: collecting.map_or(CollectorPlace::Unknown, CollectorPlace::Interpreter),
    })
}

const PYTHON_3_8: Offsets = Offsets {
    interpreters_head: 32,
    interpreter_next: 0,
    threads_head: 8,
    thread_next: 8,
    thread_interpreter: 16,
    thread_id: 176,
    native_thread_id: NONE,
    thread_frame: 24,
    c_frame_current: NONE,
    thread_chunk: NONE,
    chunk_top: NONE,
    frame_previous: 24,
    frame_code: 32,
    frame_instruction: 104,
    frame_owner: NONE,
    frame_generator: 96,
    frame_is_entry: NONE,
    frame_state: 116,
    frame_runs: 1,
    code_file: 104,
    code_name: 112,
    code_qualified_name: NONE,
    code_lines: 120,
    code_first_line: 40,
    code_frame: FrameSize::Unknown,
    code_instructions: NONE,
    code_bytes: 48,
    code_kept_frame: 128,
    ascii_size: 48,
    string_state: 32,
    bytes_start: 32,
    lock: LockPlace::Runtime { current: 1368 },
    collecting: CollectorPlace::Runtime(544),
};

const PYTHON_3_9: Offsets = Offsets {
    interpreters_head: 32,
    interpreter_next: 0,
    threads_head: 8,
    thread_next: 8,
    thread_interpreter: 16,
    thread_id: 176,
    native_thread_id: NONE,
    thread_frame: 24,
    c_frame_current: NONE,
    thread_chunk: NONE,
    chunk_top: NONE,
    frame_previous: 24,
    frame_code: 32,
    frame_instruction: 104,
    frame_owner: NONE,
    frame_generator: 96,
    frame_is_entry: NONE,
    frame_state: 116,
    frame_runs: 1,
    code_file: 104,
    code_name: 112,
    code_qualified_name: NONE,
    code_lines: 120,
    code_first_line: 40,
    code_frame: FrameSize::Unknown,
    code_instructions: NONE,
    code_bytes: 48,
    code_kept_frame: 128,
    ascii_size: 48,
    string_state: 32,
    bytes_start: 32,
    lock: LockPlace::Runtime { current: 568 },
    collecting: CollectorPlace::Interpreter(816),
};

const PYTHON_3_10: Offsets = Offsets {
    interpreters_head: 32,
    interpreter_next: 0,
    threads_head: 8,
    thread_next: 8,
    thread_interpreter: 16,
    thread_id: 176,
    native_thread_id: NONE,
    thread_frame: 24,
    c_frame_current: NONE,
    thread_chunk: NONE,
    chunk_top: NONE,
    frame_previous: 24,
    frame_code: 32,
    frame_instruction: 96,
    frame_owner: NONE,
    frame_generator: 88,
    frame_is_entry: NONE,
    frame_state: 108,
    frame_runs: 0,
    code_file: 104,
    code_name: 112,
    code_qualified_name: NONE,
    code_lines: 120,
    code_first_line: 40,
    code_frame: FrameSize::Unknown,
    code_instructions: NONE,
    code_bytes: 48,
    code_kept_frame: 128,
    ascii_size: 48,
    string_state: 32,
    bytes_start: 32,
    lock: LockPlace::Runtime { current: 568 },
    collecting: CollectorPlace::Interpreter(816),
};

const PYTHON_3_11: Offsets = Offsets {
    interpreters_head: 40,
    interpreter_next: 0,
    threads_head: 16,
    thread_next: 8,
    thread_interpreter: 16,
    thread_id: 152,
    native_thread_id: 160,
    thread_frame: 56,
    c_frame_current: 8,
    thread_chunk: 296,
    chunk_top: 304,
    frame_previous: 48,
    frame_code: 32,
    frame_instruction: 56,
    frame_owner: 69,
    frame_generator: NONE,
    frame_is_entry: 68,
    frame_state: NONE,
    frame_runs: 0,
    code_file: 112,
    code_name: 120,
    code_qualified_name: 128,
    code_lines: 136,
    code_first_line: 72,
    code_frame: FrameSize::Sum { fixed: 9, variables: 76, values: 68 },
    code_instructions: 184,
    code_bytes: NONE,
    code_kept_frame: NONE,
    ascii_size: 48,
    string_state: 32,
    bytes_start: 32,
    lock: LockPlace::Runtime { current: 576 },
    collecting: CollectorPlace::Interpreter(848),
};

const PYTHON_3_12: Offsets = Offsets {
    interpreters_head: 40,
    interpreter_next: 0,
    threads_head: 72,
    thread_next: 8,
    thread_interpreter: 16,
    thread_id: 136,
    native_thread_id: 144,
    thread_frame: 56,
    c_frame_current: 0,
    thread_chunk: 232,
    chunk_top: 240,
    frame_previous: 8,
    frame_code: 0,
    frame_instruction: 56,
    frame_owner: 70,
    frame_generator: NONE,
    frame_is_entry: NONE,
    frame_state: NONE,
    frame_runs: 0,
    code_file: 112,
    code_name: 120,
    code_qualified_name: 128,
    code_lines: 136,
    code_first_line: 68,
    code_frame: FrameSize::Whole(76),
    code_instructions: 192,
    code_bytes: NONE,
    code_kept_frame: NONE,
    ascii_size: 40,
    string_state: 32,
    bytes_start: 32,
    lock: LockPlace::Interpreter { pointer: 384, locked: 16, holder: 8 },
    collecting: CollectorPlace::Interpreter(312),
};
