//! The bytes of a file, seen through the page cache instead of copied.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;
use std::time::SystemTime;

use crate::module::Image;

/// A whole file.
#[derive(Debug)]
pub struct Mapped {
    image: Image,
    /// When it was last written. `None` where the file system does not tell.
    pub modified: Option<SystemTime>,
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.image
    }
}

/// The bytes of a file: mapped where it is a plain one, read where it is a pipe or a file of the kernel.
///
/// A mapping shows the file as it is now. Tools write a new file or append; somebody who shortens the file in place
/// while it is read ends this process by SIGBUS, which is the price of not holding gigabytes in memory.
///
/// # Errors
///
/// When the file cannot be opened or read.
pub fn mapped(path: &Path) -> io::Result<Mapped> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let modified = metadata.modified().ok();
    if metadata.is_file()
        && metadata.len() > 0
        && let Some(image) = Image::of_file(&file)
    {
        return Ok(Mapped { image, modified });
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Mapped { image: Image::Owned(bytes), modified })
}
