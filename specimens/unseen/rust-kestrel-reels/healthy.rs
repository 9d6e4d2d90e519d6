//! Reels of film from nest boxes: each reel is one file of frames, and a viewer needs only what stands at their heads.
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const HEAD: usize = 16;

#[derive(Clone, Copy)]
struct Head {
    moment: u32,
    length: u16,
    nest: u16,
    light: u32,
    kind: u32,
}

impl Head {
    fn decode(bytes: &[u8; HEAD]) -> Head {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Head { moment: word(0), length: half(4), nest: half(6), light: word(8), kind: word(12) }
    }

    fn encode(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[0..4].copy_from_slice(&self.moment.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.length.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.nest.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.light.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.kind.to_le_bytes());
        bytes
    }
}

/// A reel that is being watched, frame by frame.
struct Reel<R> {
    film: R,
    frames: u64,
}

impl<R: Read + Seek> Reel<R> {
    fn new(film: R) -> Reel<R> {
        Reel { film, frames: 0 }
    }

    fn next(&mut self) -> io::Result<Option<Head>> {
        let mut bytes = [0; HEAD];
        match self.film.read_exact(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let head = Head::decode(&bytes);
        self.pass(i64::from(head.length))?;
        self.frames += 1;
        Ok(Some(head))
    }

    fn pass(&mut self, bytes: i64) -> io::Result<()> {
        self.film.seek_relative(bytes)?;
        Ok(())
    }
}

#[derive(Default)]
struct Diary {
    visits: BTreeMap<u16, u64>,
    brightest: u32,
    feedings: u64,
    seal: u64,
}

impl Diary {
    fn enter(&mut self, head: Head) {
        *self.visits.entry(head.nest).or_default() += u64::from(head.kind & 1);
        self.brightest = self.brightest.max(head.light);
        self.feedings += u64::from(head.kind % 7 == 3);
        self.seal = (self.seal ^ u64::from(head.moment)).wrapping_mul(1_099_511_628_211).rotate_left(7);
    }
}

fn expose(path: &Path, frames: u32, number: u32) -> io::Result<()> {
    let mut state = 0x2545_F491u32.wrapping_add(number.wrapping_mul(7919));
    let mut film = BufWriter::with_capacity(1 << 18, File::create(path)?);
    let grain: Vec<u8> = (0..512u32).map(|at| (at * 37 % 251) as u8).collect();
    for frame in 0..frames {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let head = Head {
            moment: frame * 40 + number,
            length: 48 + (state % 160) as u16,
            nest: (state >> 8) as u16 % 60,
            light: state >> 14,
            kind: state >> 5 & 0xff,
        };
        film.write_all(&head.encode())?;
        film.write_all(&grain[..usize::from(head.length)])?;
    }
    film.flush()
}

fn watch(path: &Path, diary: &mut Diary) -> io::Result<u64> {
    let mut reel = Reel::new(BufReader::new(File::open(path)?));
    while let Some(head) = reel.next()? {
        diary.enter(head);
    }
    Ok(reel.frames)
}

/// The seal of the whole film, grain and all, so that a damaged reel is noticed.
fn inspect(path: &Path) -> io::Result<u64> {
    let mut film = File::open(path)?;
    let mut piece = vec![0; 1 << 16];
    let mut sum = 5381u64;
    loop {
        let got = film.read(&mut piece)?;
        if got == 0 {
            return Ok(sum);
        }
        for byte in &piece[..got] {
            sum = sum.wrapping_mul(33) ^ u64::from(*byte);
        }
    }
}

fn main() -> io::Result<()> {
    let reels: u32 = env::args().nth(1).map_or(2, |text| text.parse().expect("a number of reels"));
    let folder: PathBuf = env::temp_dir().join(format!("kestrel-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let (stop, stopped) = mpsc::channel::<()>();
    let lamp = thread::spawn(move || {
        let mut blinks = 0u32;
        while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(Duration::from_millis(500)) {
            blinks += 1;
        }
        blinks
    });
    let mut diary = Diary::default();
    let mut frames = 0;
    let mut grain = 0u64;
    for number in 0..reels {
        let path = folder.join(format!("reel-{number}.film"));
        expose(&path, 40_000, number)?;
        grain ^= inspect(&path)?;
        frames += watch(&path, &mut diary)?;
        fs::remove_file(&path)?;
    }
    fs::remove_dir(&folder)?;
    drop(stop);
    lamp.join().expect("the lamp goes out");
    let busiest = diary.visits.iter().max_by_key(|(_, visits)| **visits).map_or(0, |(nest, _)| *nest);
    println!(
        "{frames} frames, nest {busiest} busiest, {} feedings, light {}, grain {grain:016x}, seal {:016x}",
        diary.feedings, diary.brightest, diary.seal
    );
    Ok(())
}
