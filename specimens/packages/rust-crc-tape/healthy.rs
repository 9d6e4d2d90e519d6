//! Reads the blocks of a backup tape and writes a check word for each into the index.

use std::error::Error;

use crc::{Crc, Table, CRC_32_ISO_HDLC};

const BLOCK: usize = 1 << 20;

static CHECK: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

struct Tape {
    state: u64,
    left: usize,
}

impl Tape {
    fn next_block(&mut self, block: &mut [u8]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        for word in block.chunks_exact_mut(8) {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            word.copy_from_slice(&self.state.to_le_bytes());
        }
        true
    }
}

fn check_word(block: &[u8]) -> u32 {
    let mut digest = CHECK.digest();
    for sector in block.chunks(64 << 10) {
        digest.update(sector);
    }
    digest.finalize()
}

fn index(tape: &mut Tape) -> Vec<(usize, u32)> {
    let mut block = vec![0; BLOCK];
    let mut rows = Vec::new();
    while tape.next_block(&mut block) {
        rows.push((rows.len() * BLOCK, check_word(&block)));
    }
    rows
}

fn main() -> Result<(), Box<dyn Error>> {
    let blocks = std::env::args().nth(1).ok_or("how many blocks?")?.parse()?;
    let mut tape = Tape { state: 0x9e37_79b9_7f4a_7c15, left: blocks };
    let rows = index(&mut tape);
    let all = rows.iter().fold(0u32, |sum, &(offset, word)| sum.rotate_left(3) ^ word ^ offset as u32);
    println!("{} blocks, index {all:08x}", rows.len());
    Ok(())
}
