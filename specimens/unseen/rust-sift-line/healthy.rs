//! Sifts a long record of bird calls: one thread reads the record in blocks, another counts who calls when.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;

const BLOCK: usize = 64 * 1024;
const BIRDS: [&str; 6] = ["owl", "wren", "crake", "plover", "heron", "swift"];

/// A block of whole lines, handed back to the writer when it has been counted.
type Block = String;

fn record(lines: u32, full: SyncSender<Block>, empty: Receiver<Block>) {
    let mut state = 0x2545_f491u32;
    let mut block = Block::with_capacity(BLOCK + 64);
    for line in 0..lines {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let bird = BIRDS[(state >> 8) as usize % BIRDS.len()];
        let _ = writeln!(block, "{line} {bird} {}", state % 9000 + 200);
        if block.len() >= BLOCK {
            if full.send(block).is_err() {
                return;
            }
            block = empty.try_recv().unwrap_or_else(|_| Block::with_capacity(BLOCK + 64));
            block.clear();
        }
    }
    let _ = full.send(block);
}

#[derive(Default)]
struct Calls {
    count: u64,
    hertz: u64,
    longest_silence: u64,
    last: u64,
}

impl Calls {
    fn hear(&mut self, at: u64, hertz: u64) {
        self.count += 1;
        self.hertz += hertz;
        self.longest_silence = self.longest_silence.max(at - self.last);
        self.last = at;
    }
}

fn count(block: &str, calls: &mut BTreeMap<usize, Calls>) -> Option<()> {
    for line in block.lines() {
        let mut words = line.split(' ');
        let at = words.next()?.parse().ok()?;
        let name = words.next()?;
        let hertz = words.next()?.parse().ok()?;
        let bird = BIRDS.iter().position(|bird| *bird == name)?;
        calls.entry(bird).or_default().hear(at, hertz);
    }
    Some(())
}

fn main() {
    let lines = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let (full, blocks) = sync_channel::<Block>(8);
    let (back, empty) = sync_channel::<Block>(16);
    let recorder = thread::spawn(move || record(lines, full, empty));
    let mut calls = BTreeMap::new();
    for block in blocks {
        count(&block, &mut calls).expect("a well-formed record");
        let _ = back.try_send(block);
    }
    recorder.join().expect("the recorder");
    for (bird, calls) in &calls {
        print!("{} {} {} {}; ", BIRDS[*bird], calls.count, calls.hertz / calls.count, calls.longest_silence);
    }
    println!();
}
