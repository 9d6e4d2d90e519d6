//! The texts that runtimes are handed, as `build.rs` has packed them.

use std::io::{self, Read as _};

/// One of them.
pub(super) struct Packed(pub(super) &'static [u8]);

/// The packed text of a file beside this one.
macro_rules! packed {
    ($name:literal) => {
        $crate::walk::runtime::packed::Packed(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".z")))
    };
}
pub(super) use packed;

impl Packed {
    /// # Errors
    /// Never, unless the binary is damaged.
    pub(super) fn text(&self) -> io::Result<String> {
        let mut text = String::new();
        flate2::read::DeflateDecoder::new(self.0).read_to_string(&mut text)?;
        Ok(text)
    }
}
