// Takes in the parcels' scan frames of a sorting hall and answers, at the end, which routes were busy.
use std::collections::HashMap;
use std::env;

const FRAME_BYTES: usize = 16 * 1024;
const HEAD_BYTES: usize = 48;

struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

// The scanner at the belt: a head with the address, then the picture.
struct Scanner {
    draw: Draw,
    plate: Vec<u8>,
    taken: u32,
}

impl Scanner {
    fn new() -> Scanner {
        let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
        let plate = (0..FRAME_BYTES).map(|_| (draw.next() >> 40) as u8).collect();
        Scanner { draw, plate, taken: 0 }
    }

    fn shoot(&mut self) -> Vec<u8> {
        let mut frame = Vec::with_capacity(FRAME_BYTES);
        frame.extend_from_slice(&self.taken.to_le_bytes());
        frame.extend_from_slice(&(self.draw.next() % 160).to_le_bytes());
        frame.extend_from_slice(&(self.draw.next() % 31_000).to_le_bytes());
        while frame.len() < HEAD_BYTES {
            frame.push(b'A' + (self.draw.next() % 26) as u8);
        }
        frame.extend_from_slice(&self.plate[HEAD_BYTES..]);
        let spot = HEAD_BYTES + (self.draw.next() as usize) % (FRAME_BYTES - HEAD_BYTES);
        frame[spot] ^= 0x55;
        self.taken += 1;
        frame
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(raw)
}

// How sharp the picture is, from every other of its lines.
fn sharpness(frame: &[u8]) -> u64 {
    let picture = &frame[HEAD_BYTES..];
    let mut sum = 0;
    for line in picture.chunks(128).step_by(2) {
        for pair in line.windows(2) {
            sum += u64::from(pair[0].abs_diff(pair[1]));
        }
    }
    sum
}

struct Parcel {
    head: Vec<u8>,
    blurred: bool,
}

impl Parcel {
    fn route(&self) -> u64 {
        word(&self.head, 4)
    }

    fn grams(&self) -> u64 {
        word(&self.head, 12)
    }

    fn address(&self) -> &[u8] {
        &self.head[20..]
    }
}

#[derive(Default)]
struct Hall {
    parcels: Vec<Parcel>,
    sharpest: u64,
}

impl Hall {
    fn admit(&mut self, mut frame: Vec<u8>) {
        let sharp = sharpness(&frame);
        self.sharpest = self.sharpest.max(sharp);
        frame.truncate(HEAD_BYTES);
        frame.shrink_to_fit();
        self.parcels.push(Parcel { head: frame, blurred: sharp + 100 < self.sharpest });
    }

    fn routes(&self) -> Vec<(u64, usize, u64)> {
        let mut table: HashMap<u64, (usize, u64)> = HashMap::new();
        for parcel in &self.parcels {
            let row = table.entry(parcel.route()).or_default();
            row.0 += 1;
            row.1 += parcel.grams();
        }
        let mut rows: Vec<_> = table.into_iter().map(|(route, (count, grams))| (route, count, grams)).collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        rows
    }

    fn mark(&self) -> u64 {
        let mut mark: u64 = 1469598103934665603;
        for parcel in &self.parcels {
            for byte in parcel.address() {
                mark = (mark ^ u64::from(*byte)).wrapping_mul(1099511628211);
            }
        }
        mark
    }
}

fn main() {
    let count: u32 = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60_000);
    let mut scanner = Scanner::new();
    let mut hall = Hall::default();
    for _ in 0..count {
        let frame = scanner.shoot();
        hall.admit(frame);
    }
    let blurred = hall.parcels.iter().filter(|parcel| parcel.blurred).count();
    let rows = hall.routes();
    let (route, parcels, grams) = rows[0];
    println!(
        "parcels {} blurred {} routes {} busiest {} with {} of {} g mark {:016x}",
        hall.parcels.len(),
        blurred,
        rows.len(),
        route,
        parcels,
        grams,
        hall.mark()
    );
}
