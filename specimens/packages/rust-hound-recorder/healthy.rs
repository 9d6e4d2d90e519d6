use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

const RATE: u32 = 16_000;

fn spec() -> WavSpec {
    WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int }
}

fn tone(frame: u32, pitch: u32) -> (i16, i16) {
    let phase = (frame.wrapping_mul(pitch) % RATE) as i32;
    let left = phase * 4 - 2 * RATE as i32;
    let right = if phase * 2 < RATE as i32 { 9000 } else { -9000 };
    ((left / 4) as i16, right)
}

fn record_track(path: &Path, frames: u32, pitch: u32) -> hound::Result<()> {
    let file = File::create(path).map_err(hound::Error::IoError)?;
    let mut writer = WavWriter::new(BufWriter::new(file), spec())?;
    for frame in 0..frames {
        let (left, right) = tone(frame, pitch);
        writer.write_sample(left)?;
        writer.write_sample(right)?;
    }
    writer.finalize()
}

fn loudness(path: &Path) -> hound::Result<u64> {
    let mut reader = WavReader::open(path)?;
    let mut total = 0u64;
    for sample in reader.samples::<i16>() {
        total += u64::from(sample?.unsigned_abs());
    }
    Ok(total)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let frames: u32 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(200_000);
    let folder: PathBuf = std::env::temp_dir().join(format!("recorder-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut total = 0;
    let mut bytes = 0;
    for (index, pitch) in [220u32, 330, 440].iter().enumerate() {
        let path = folder.join(format!("track-{}.wav", index));
        record_track(&path, frames, *pitch)?;
        total += loudness(&path)?;
        bytes += fs::metadata(&path)?.len();
    }
    fs::remove_dir_all(&folder)?;
    println!("tracks 3 bytes {} loudness {}", bytes, total);
    Ok(())
}
