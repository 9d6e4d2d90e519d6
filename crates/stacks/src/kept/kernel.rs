//! The functions of the kernel's own image, kept for as long as it is booted: to print and read its list takes the kernel and
//! us 50 ms. Modules and programs of BPF come and go, so whoever asks for an address among them is answered by the list.

use std::fs;

use super::{FILE_LIMIT, Kept, add, format::sum, write};
use crate::kernel::Kallsyms;

const MAGIC: &[u8] = b"slowpath kernel 1\n";
/// Changes with each start of the machine, and with it the addresses.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

impl Kept {
    /// Names for all these addresses.
    pub(crate) fn kernel(&self, addresses: &[u64]) -> Kallsyms {
        let Some(stamp) = stamp() else { return Kallsyms::read() };
        let place = self.folder.join("kernel");
        let small = fs::metadata(&place).is_ok_and(|file| file.len() <= FILE_LIMIT);
        let kept = fs::read(&place).ok().filter(|_| small).and_then(|bytes| decode(&bytes, &stamp));
        let missing = kept.is_none();
        if let Some(kept) = kept.filter(|kept| addresses.iter().all(|address| kept.is_between(*address))) {
            return kept;
        }
        let read = Kallsyms::read();
        let image = read.image();
        if missing && !image.is_empty() {
            write(&place, &encode(&image, &stamp));
        }
        read
    }
}

fn stamp() -> Option<Vec<u8>> {
    let mut stamp = fs::read(BOOT).ok()?;
    let own = std::env::current_exe().ok()?;
    add(&mut stamp, &own, &fs::metadata(&own).ok()?);
    Some(stamp)
}

/// What is stamped, the lines of the list, and a sum over all before it.
fn encode(image: &Kallsyms, stamp: &[u8]) -> Vec<u8> {
    let mut bytes = [MAGIC, stamp, b"\n"].concat();
    image.pack(&mut bytes);
    bytes.extend_from_slice(&sum(&bytes).to_le_bytes());
    bytes
}

/// `None` for a file that is cut, altered, or of another boot.
fn decode(bytes: &[u8], stamp: &[u8]) -> Option<Kallsyms> {
    let (told, last) = bytes.split_last_chunk::<8>()?;
    let packed = told.strip_prefix(MAGIC)?.strip_prefix(stamp)?.strip_prefix(b"\n")?;
    (sum(told) == u64::from_le_bytes(*last)).then(|| Kallsyms::unpack(packed))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_is_kept_for_this_boot_and_modules_are_not() {
        let text: &[u8] =
            b"ffffffff81000000 t first\nffffffff81000100 T second\nffffffffc0000000 t probe\t[e1000]\n";
        let image = Kallsyms::parse(text).image();
        let bytes = encode(&image, b"boot");
        let kept = decode(&bytes, b"boot").unwrap();
        assert_eq!(kept.function(0xffff_ffff_8100_0050), Some(("first", None)));
        assert_eq!(kept.function(0xffff_ffff_c000_0000), None);
        assert!(kept.is_between(0xffff_ffff_8100_0100) && !kept.is_between(0xffff_ffff_8100_0101));
        assert!(!kept.is_between(0xffff_ffff_c000_0000) && !kept.is_between(1));
        assert!(decode(&bytes, b"another").is_none());
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], b"boot").is_none(), "{length}");
        }
    }
}
