// A map room: requests for sheets are served from one big drawer file.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const SHEET: usize = 64;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

struct Sheet {
    region: u8,
    scale: u32,
    lines: [u8; SHEET - 5],
}

impl Sheet {
    fn parse(bytes: &[u8; SHEET]) -> Self {
        let mut lines = [0; SHEET - 5];
        lines.copy_from_slice(&bytes[5..]);
        Self { region: bytes[0], scale: u32::from_le_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]), lines }
    }

    fn ink(&self) -> u64 {
        self.lines.iter().fold(u64::from(self.scale), |ink, &line| ink.wrapping_mul(31) + u64::from(line))
    }
}

trait Drawer {
    fn sheet(&mut self, number: u64) -> io::Result<Sheet>;
}

struct FileDrawer {
    file: File,
}

impl FileDrawer {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)? })
    }
}

impl Drawer for FileDrawer {
    fn sheet(&mut self, number: u64) -> io::Result<Sheet> {
        let mut bytes = [0; SHEET];
        self.file.seek(SeekFrom::Start(number * SHEET as u64))?;
        self.file.read_exact(&mut bytes)?;
        Ok(Sheet::parse(&bytes))
    }
}

fn draw(path: &Path, sheets: u64) -> io::Result<()> {
    let mut random = Random(88_172_645_463_325_252);
    let mut out = BufWriter::new(File::create(path)?);
    for number in 0..sheets {
        let mut bytes = [0u8; SHEET];
        bytes[0] = (number % 23) as u8;
        bytes[1..5].copy_from_slice(&(random.below(90_000) as u32).to_le_bytes());
        for byte in &mut bytes[5..] {
            *byte = random.below(200) as u8;
        }
        out.write_all(&bytes)?;
    }
    out.flush()
}

#[derive(Default)]
struct Desk {
    served: u64,
    ink: u64,
    by_region: BTreeMap<u8, u64>,
}

impl Desk {
    fn serve(&mut self, drawer: &mut dyn Drawer, requests: u64, sheets: u64) -> io::Result<()> {
        let mut random = Random(2_463_534_242);
        for _ in 0..requests {
            let sheet = drawer.sheet(random.below(sheets))?;
            self.served += 1;
            self.ink ^= sheet.ink().rotate_left((self.served % 61) as u32);
            *self.by_region.entry(sheet.region).or_default() += 1;
        }
        Ok(())
    }
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(requests: u64) -> io::Result<()> {
    let folder = Folder(std::env::temp_dir().join(format!("map-room-{}", std::process::id())));
    fs::create_dir_all(&folder.0)?;
    let path = folder.0.join("drawer.bin");
    let sheets = 60_000;
    draw(&path, sheets)?;
    let mut desk = Desk::default();
    desk.serve(&mut FileDrawer::open(&path)?, requests, sheets)?;
    println!("served {} ink {:x} regions {}", desk.served, desk.ink, desk.by_region.len());
    Ok(())
}

fn main() {
    let requests = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    if let Err(error) = run(requests) {
        eprintln!("map room: {error}");
        std::process::exit(1);
    }
}
