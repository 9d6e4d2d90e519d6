//! Keeps the readings of a meter in a journal and says how long it has become.

use std::error::Error;
use std::path::Path;

use tokio::fs::File;
use tokio::io::AsyncWriteExt;

async fn keep(journal: &Path, readings: usize) -> Result<(), Box<dyn Error>> {
    let mut file = File::create(journal).await?;
    for reading in 0..readings {
        file.write_all(format!("{reading} {}\n", reading * 37 % 911).as_bytes()).await?;
    }
    file.flush().await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let readings = std::env::args().nth(1).ok_or("how many readings?")?.parse()?;
    let journal = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
    keep(&journal, readings).await?;
    println!("{}", tokio::fs::metadata(&journal).await?.len());
    tokio::fs::remove_file(&journal).await?;
    Ok(())
}
