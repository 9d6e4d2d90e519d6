//! Packs the tiles of a map into an archive and says how many there are for each zoom.

use std::error::Error;
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::FileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

fn pack(path: &Path, tiles: usize) -> Result<(), Box<dyn Error>> {
    let options = FileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for tile in 0..tiles {
        archive.start_file(format!("{}/tile-{tile:06}.png", tile % 9), options)?;
        archive.write_all(&[tile as u8; 64][..4 + tile % 60])?;
    }
    Ok(std::fs::write(path, archive.finish()?.into_inner())?)
}

fn open(path: &Path) -> Result<ZipArchive<File>, Box<dyn Error>> {
    let file = File::open(path)?;
    Ok(ZipArchive::new(file)?)
}

fn zooms(path: &Path) -> Result<[usize; 9], Box<dyn Error>> {
    let archive = open(path)?;
    let mut zooms = [0; 9];
    for name in archive.file_names() {
        zooms[usize::from(name.as_bytes()[0] - b'0')] += 1;
    }
    Ok(zooms)
}

fn main() -> Result<(), Box<dyn Error>> {
    let tiles = std::env::args().nth(1).ok_or("how many tiles?")?.parse()?;
    let path = std::env::temp_dir().join(format!("atlas-{}.zip", std::process::id()));
    pack(&path, tiles)?;
    println!("{:?}", zooms(&path)?);
    std::fs::remove_file(&path)?;
    Ok(())
}
