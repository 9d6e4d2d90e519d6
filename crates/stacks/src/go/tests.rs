//! The reader over made-up memory: what it makes of a goroutine, and that whatever stands there, it ends without a panic.

use proptest::prelude::*;

use super::find::{List, made};
use super::{Doing, Goroutine, NotGo, Runtime};
use crate::python::{Memory, Piece, Unreadable};

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

impl Arena {
    fn put(&mut self, address: usize, word: u64) {
        self.0[address..address + 8].copy_from_slice(&word.to_le_bytes());
    }
}

const LIST: List = List { array: 0x10, length: 0x18 };
const ARRAY: usize = 0x100;
const STACK: usize = 0x4000;

/// A goroutine of Go 1.19 at its place in the list.
fn goroutine(arena: &mut Arena, at: usize, id: u64, status: u32) -> usize {
    let address = 0x1000 + at * 0x200;
    arena.put(ARRAY + at * 8, address as u64);
    arena.put(address + 8, STACK as u64 + 0x100);
    arena.put(address + 56, STACK as u64);
    arena.put(address + 64, 0xaaaa);
    arena.put(address + 104, STACK as u64 + 0x10);
    arena.put(address + 144, u64::from(status));
    arena.put(address + 152, id);
    arena.put(address + 176, 1);
    arena.0[address + 189] = 5;
    address
}

/// Two goroutines that wait and one that runs; the frames of the first two lead to 0xbbbb and 0xcccc.
fn arena() -> Arena {
    let mut arena = Arena(vec![0; 0x5000]);
    arena.put(0x10, ARRAY as u64);
    arena.put(0x18, 3);
    arena.put(STACK + 0x10, STACK as u64 + 0x40);
    arena.put(STACK + 0x18, 0xbbbb);
    arena.put(STACK + 0x48, 0xcccc);
    goroutine(&mut arena, 0, 1, 4);
    // As the collector scans it.
    goroutine(&mut arena, 1, 7, 0x1004);
    let running = goroutine(&mut arena, 2, 8, 2);
    arena.put(running + 48, 0x3000);
    arena.put(0x3000 + 72, 4321);
    arena
}

fn look(arena: Arena) -> Vec<Goroutine> {
    Runtime::at(arena, made::found(LIST)).look().unwrap()
}

#[test]
fn a_goroutine_that_waits_is_read_along_its_frame_pointers() {
    let seen = look(arena());
    let ids: Vec<u64> = seen.iter().map(|goroutine| goroutine.id).collect();
    assert_eq!(ids, [1, 7, 8]);
    assert_eq!(seen[0].doing, Doing::Waiting { reason: 1 });
    assert_eq!(*seen[0].returns, [0xaaaa, 0xbbbb, 0xcccc]);
    assert_eq!(seen[1].doing, Doing::Waiting { reason: 1 });
    assert_eq!(seen[2].doing, Doing::Running { tid: Some(4321) });
    assert!(seen[2].returns.is_empty());
}

#[test]
fn goroutines_of_the_runtime_itself_and_dead_ones_are_not_shown() {
    let mut arena = arena();
    let own = goroutine(&mut arena, 1, 7, 4);
    arena.put(own + 312, 0x7777);
    goroutine(&mut arena, 2, 8, 6);
    let ids: Vec<u64> = look(arena).iter().map(|goroutine| goroutine.id).collect();
    assert_eq!(ids, [1]);
}

#[test]
fn frames_in_a_circle_end() {
    let mut arena = arena();
    arena.put(STACK + 0x40, STACK as u64 + 0x10);
    assert_eq!(*look(arena)[0].returns, [0xaaaa, 0xbbbb, 0xcccc]);
}

#[test]
fn where_there_are_more_than_fit_a_look_the_main_one_is_in_all() {
    let mut arena = Arena(vec![0; 0x100_000]);
    arena.put(0x10, ARRAY as u64);
    arena.put(0x18, 500);
    for at in 0..500 {
        let address = 0x2000 + at * 0x200;
        arena.put(ARRAY + at * 8, address as u64);
        arena.put(address + 144, 1);
        arena.put(address + 152, at as u64 + 1);
    }
    let mut runtime = Runtime::at(arena, made::found(LIST));
    let mut all = std::collections::BTreeSet::new();
    for _ in 0..5 {
        let ids: Vec<u64> = runtime.look().unwrap().iter().map(|goroutine| goroutine.id).collect();
        assert!(ids.contains(&super::MAIN) && ids.len() <= 128);
        all.extend(ids);
    }
    assert_eq!(all.len(), 500);
}

#[test]
fn memory_that_ends_early_shows_fewer_goroutines() {
    let whole = arena().0;
    for length in (0..whole.len()).step_by(64) {
        let seen = look(Arena(whole[..length].to_vec()));
        assert!(seen.len() <= 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn garbage_is_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..4096), flips in proptest::collection::vec((0_usize..0x5000, any::<u8>()), 0..64)) {
        let mut torn = arena();
        for (at, byte) in flips {
            torn.0[at] = byte;
        }
        let mut runtime = Runtime::at(torn, made::found(LIST));
        for _ in 0..3 {
            let _ = runtime.look();
        }
        let _ = Runtime::at(Arena(bytes), made::found(LIST)).look();
    }

    #[test]
    fn symbols_that_lead_nowhere_find_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..512), places in any::<[u16; 4]>(), size in any::<u64>()) {
        let _ = made::try_symbols(&Arena(bytes), places.map(|place| u64::from(place) % 600), size);
    }
}

#[test]
fn a_version_nobody_knows_is_named_once_there_are_goroutines() {
    let mut arena = Arena(vec![0; 0x100]);
    arena.put(0x20, 0x40);
    arena.put(0x28, 7);
    arena.0[0x40..0x47].copy_from_slice(b"go1.999");
    let places = [0x20, 0x10, 0x18, 0x30];
    assert_eq!(made::try_symbols(&arena, places, 0), Err(NotGo::TooEarly));
    arena.put(0x10, 0x80);
    let refused = made::try_symbols(&arena, places, 0);
    assert_eq!(refused, Err(NotGo::Unsupported { version: "go1.999".to_owned() }));
}

#[test]
fn every_version_in_the_table_keeps_its_fields_inside_what_is_read() {
    for minor in [19, 21, 22, 23, 24, 25, 26, 27] {
        let row = super::offsets::of_version(&format!("go1.{minor}.1")).unwrap();
        for field in [row.stack_high, row.machine, row.sp, row.pc, row.bp, row.status, row.id, row.start] {
            assert!(field + 8 <= row.length, "{minor}: {field}");
        }
        assert!(row.parkings < row.length && row.reason < row.length);
    }
    assert_eq!(super::offsets::of_version("devel +abc"), None);
    assert_eq!(super::offsets::of_version("go1.20"), None);
}
