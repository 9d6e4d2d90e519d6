//! Adds the echo of a chapel to the recording of a choir: what was sung some seconds ago is heard again, softer.

use bytes::{Buf, BufMut, BytesMut};

const RATE: usize = 48_000;
const BLOCK: usize = 128;

struct Voice {
    state: u32,
}

impl Voice {
    fn next(&mut self) -> i16 {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.state >> 18) as i16 - 8_192
    }
}

struct Chapel {
    walls: BytesMut,
}

impl Chapel {
    fn new(seconds: usize) -> Chapel {
        let mut walls = BytesMut::with_capacity((RATE * seconds + BLOCK) * 2);
        walls.put_bytes(0, RATE * seconds * 2);
        Chapel { walls }
    }

    fn sing(&mut self, block: &mut [i16]) {
        self.walls.reserve(block.len() * 2);
        for sample in block.iter_mut() {
            let heard = *sample / 2 + self.walls.get_i16_le() / 3;
            self.walls.put_i16_le(heard);
            *sample = heard;
        }
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut chapel = Chapel::new(6);
    let mut voice = Voice { state: 7 };
    let (mut loudest, mut sum) = (0, 0i64);
    for _ in 0..RATE * seconds / BLOCK {
        let mut block = [0i16; BLOCK];
        block.iter_mut().for_each(|sample| *sample = voice.next());
        chapel.sing(&mut block);
        loudest = block.iter().copied().fold(loudest, i16::max);
        sum += block.iter().map(|sample| i64::from(*sample)).sum::<i64>();
    }
    println!("{seconds} s, loudest {loudest}, sum {sum}");
}
