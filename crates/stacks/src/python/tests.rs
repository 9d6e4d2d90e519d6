//! The reader over made-up memory: whatever stands there, it ends, and without a panic.

use proptest::prelude::*;

use super::find::Types;
use super::memory::{Memory, Piece, Unreadable};
use super::offsets::{self, Offsets, TableFault};
use super::reader::Interpreter;
use super::{Reading, Torn};

/// A small memory that begins at address zero.
struct Arena(Vec<u8>);

impl Memory for Arena {
    fn fill(&self, pieces: &[Piece], into: &mut [u8]) -> Result<usize, Unreadable> {
        let mut done = 0;
        for piece in pieces {
            let start = usize::try_from(piece.address).unwrap_or(usize::MAX);
            let Some(bytes) = self.0.get(start..start.saturating_add(piece.length)) else { break };
            into[done..done + piece.length].copy_from_slice(bytes);
            done += piece.length;
        }
        Ok(done)
    }
}

const TYPES: Types = Types { code: 16, frame: 24 };

/// A table as 3.`minor` would have it, with sizes that let every offset pass.
fn table(minor: u8) -> Vec<u8> {
    let mut words = vec![0_u64; 128];
    words[0] = u64::from_le_bytes(*b"xdebugpy");
    for (index, word) in words.iter_mut().enumerate().skip(3) {
        *word = index as u64 * 2;
    }
    let (thread, frame, code) = match minor {
        13 => (19, 28, 34),
        14 => (22, 31, 39),
        _ => (22, 39, 47),
    };
    for size in [3, 6, thread, frame, code] {
        words[size] = 4096;
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn row(minor: u8) -> Offsets {
    offsets::frozen(minor).unwrap_or_else(|| offsets::parse_table(&table(minor), minor).unwrap())
}

#[test]
fn a_table_without_its_mark_or_of_another_kind_is_refused() {
    let mut unmarked = table(14);
    unmarked[0] = 0;
    assert_eq!(offsets::parse_table(&unmarked, 14), Err(TableFault::NoCookie));
    let mut free = table(14);
    free[16] = 1;
    assert_eq!(offsets::parse_table(&free, 14), Err(TableFault::FreeThreaded));
    assert_eq!(offsets::parse_table(&table(13)[..200], 13), Err(TableFault::Strange));
    // An offset beyond the structure's size: the order of the table is not the one we know.
    let mut strange = table(15);
    strange[8 * 40..8 * 41].copy_from_slice(&5000_u64.to_le_bytes());
    assert_eq!(offsets::parse_table(&strange, 15), Err(TableFault::Strange));
    assert!(offsets::parse_table(&table(15), 16).is_ok());
}

#[test]
fn an_interpreter_that_has_not_begun_has_no_threads() {
    for minor in 8..=15 {
        let mut interpreter = Interpreter::at(Arena(vec![0; 8192]), minor, row(minor), 64, TYPES);
        assert_eq!(interpreter.read(), Ok(Reading::default()));
        assert_eq!(interpreter.read_thread(1), Ok(None));
    }
}

#[test]
fn unmapped_memory_is_torn() {
    for minor in 8..=15 {
        let mut interpreter = Interpreter::at(Arena(Vec::new()), minor, row(minor), 64, TYPES);
        assert_eq!(interpreter.read(), Err(Torn::Moved));
    }
}

/// Words that are mostly pointers into the arena, so that chains and circles come about.
fn words() -> impl Strategy<Value = Vec<u64>> {
    let pointer = (0_u64..128).prop_map(|slot| slot * 8);
    let word = prop_oneof![6 => pointer, 1 => Just(0_u64), 1 => 0_u64..9, 1 => any::<u64>()];
    proptest::collection::vec(word, 256)
}

proptest! {
    // Circles of frames take their time.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_memory_never_panics_nor_loops(words in words(), minor in 8_u8..16, runtime in 0_u64..64) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut interpreter = Interpreter::at(Arena(bytes), minor, row(minor), runtime * 8, TYPES);
        for _ in 0..3 {
            interpreter.read().ok();
            interpreter.read_thread(1).ok();
        }
    }

    #[test]
    fn an_arbitrary_table_never_panics(bytes: Vec<u8>, minor: u8) {
        let mut marked = b"xdebugpy".to_vec();
        marked.extend(bytes);
        offsets::parse_table(&marked, minor).ok();
    }

    /// A well-formed thread with an arbitrary frame: the walk itself is reached.
    #[test]
    fn an_arbitrary_frame_never_panics(words in words(), top in 0_u64..256, minor in 8_u8..16) {
        let row = row(minor);
        let mut words = words;
        let (runtime, state, thread) = (2048_usize, 4096_usize, 8192_usize);
        words.resize(2048, 0);
        let mut put = |address: usize, word: u64| if let Some(slot) = words.get_mut(address / 8) { *slot = word };
        put(runtime + row.interpreters_head, state as u64);
        put(state + row.interpreter_next, 0);
        put(state + row.threads_head, thread as u64);
        put(thread + row.thread_next, 0);
        put(thread + row.thread_interpreter, state as u64);
        put(thread + row.thread_frame, top * 8);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut interpreter = Interpreter::at(Arena(bytes), minor, row, runtime as u64, TYPES);
        for _ in 0..2 {
            interpreter.read().ok();
        }
    }

    /// Frames that are objects point to each other and to code, in chains and circles.
    #[test]
    fn arbitrary_objects_never_panic(words in words(), backs in proptest::array::uniform16(0_u64..16), minor in 8_u8..11) {
        let row = row(minor);
        let mut words = words;
        let (runtime, state, thread, code) = (2048_usize, 4096_usize, 8192_usize, 12_288_usize);
        words.resize(2048, 0);
        let mut put = |address: usize, word: u64| if let Some(slot) = words.get_mut(address / 8) { *slot = word };
        put(runtime + row.interpreters_head, state as u64);
        put(state + row.threads_head, thread as u64);
        put(thread + row.thread_interpreter, state as u64);
        put(thread + row.thread_frame, 128);
        put(code + 8, TYPES.code);
        for (frame, back) in (0..).step_by(128).zip(backs) {
            put(frame + 8, TYPES.frame);
            put(frame + row.frame_previous, back * 128);
            put(frame + row.frame_code, code as u64);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut interpreter = Interpreter::at(Arena(bytes), minor, row, runtime as u64, TYPES);
        for _ in 0..4 {
            interpreter.read().ok();
        }
    }
}
