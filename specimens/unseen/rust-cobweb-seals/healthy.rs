//! Cobweb seals: the cabinets of an old archive are sealed anew each spring; the seals are made from phrases of the keepers.
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::sync::mpsc;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

const ROUNDS: u32 = 6_000;

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

type Digest = [u32; 8];

fn compress(state: &mut Digest, words: &[u32; 16]) {
    let mut w = [0u32; 64];
    w[..16].copy_from_slice(words);
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for i in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(K[i]).wrapping_add(w[i]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}

/// A keyed digest whose two halves of the key are worked in once and for all.
#[derive(Clone)]
struct Keyed {
    inner: Digest,
    outer: Digest,
}

impl Keyed {
    fn new(phrase: &str) -> Keyed {
        let mut key = [0u8; 64];
        for (place, byte) in phrase.bytes().take(64).enumerate() {
            key[place] = byte;
        }
        let half = |pad: u8| {
            let mut words = [0u32; 16];
            for (word, four) in words.iter_mut().zip(key.chunks_exact(4)) {
                *word = u32::from_be_bytes([four[0] ^ pad, four[1] ^ pad, four[2] ^ pad, four[3] ^ pad]);
            }
            let mut state = START;
            compress(&mut state, &words);
            state
        };
        Keyed { inner: half(0x36), outer: half(0x5c) }
    }

    fn digest(&self, message: &Digest) -> Digest {
        let finish = |from: &Digest, words: &Digest| {
            let mut block = [0u32; 16];
            block[..8].copy_from_slice(words);
            block[8] = 0x8000_0000;
            block[15] = (64 + 32) * 8;
            let mut state = *from;
            compress(&mut state, &block);
            state
        };
        finish(&self.outer, &finish(&self.inner, message))
    }
}

fn stretch(phrase: &str, salt: u32) -> Digest {
    let keyed = Keyed::new(phrase);
    let mut last = keyed.digest(&[salt, 1, 0, 0, 0, 0, 0, salt.rotate_left(16)]);
    let mut sum = last;
    for _ in 1..ROUNDS {
        last = keyed.digest(&last);
        for (word, new) in sum.iter_mut().zip(last) {
            *word ^= new;
        }
    }
    sum
}

struct Cabinet {
    number: u32,
    salt: u32,
    phrase: String,
}

fn short(digest: &Digest) -> u64 {
    u64::from(digest[0]) << 32 | u64::from(digest[5])
}

/// Every keeper chose a phrase of his own this spring.
fn cabinets(count: u32) -> Vec<Cabinet> {
    const HALLS: [&str; 5] = ["moth", "mildew", "vellum", "wormwood", "candle"];
    (0..count)
        .map(|number| {
            let salt = number.wrapping_mul(2_654_435_761);
            let (hall, shelf) = (HALLS[number as usize % HALLS.len()], salt >> 20);
            Cabinet { number, salt, phrase: format!("{hall} and {shelf} spiders in {number}") }
        })
        .collect()
}

/// Takes cabinets until none is left, and enters their new seals in the book.
fn seal_all(waiting: &Mutex<Vec<Cabinet>>, book: &Mutex<BTreeMap<u32, u64>>) -> u32 {
    let mut done = 0;
    loop {
        let next = waiting.lock().expect("the queue").pop();
        let Some(cabinet) = next else { return done };
        let seal = short(&stretch(&cabinet.phrase, cabinet.salt));
        book.lock().expect("the book").insert(cabinet.number, seal);
        done += 1;
    }
}

fn main() {
    let count: u32 = env::args().nth(1).map_or(12, |text| text.parse().expect("a number of cabinets"));
    let (stop, stopped) = mpsc::channel::<()>();
    let candle = thread::spawn(move || {
        let mut flickers = 0u32;
        while stopped.recv_timeout(Duration::from_millis(50)) == Err(mpsc::RecvTimeoutError::Timeout) {
            flickers += 1;
        }
        flickers
    });
    let waiting = Mutex::new(cabinets(count));
    let book = Mutex::new(BTreeMap::new());
    let done: u32 = thread::scope(|scope| {
        let clerks: Vec<_> = (0..2).map(|_| scope.spawn(|| seal_all(&waiting, &book))).collect();
        clerks.into_iter().map(|clerk| clerk.join().expect("a clerk")).sum()
    });
    drop(stop);
    candle.join().expect("the candle burns down");
    let book = book.into_inner().expect("the book");
    let distinct: BTreeSet<u64> = book.values().copied().collect();
    let seal = book.values().fold(0u64, |sum, seal| sum.rotate_left(9) ^ seal);
    println!("{done} cabinets sealed, {} seals differ, all {seal:016x}", distinct.len());
}
