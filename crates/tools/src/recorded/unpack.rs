//! Files packed with gzip, as pprof writes them and as the others are often kept.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::RecordedError;

const MAGIC: &[u8] = b"\x1f\x8b";
/// No profile is larger.
const LIMIT: usize = 4 << 30;
/// Profiles shrink to a fifth or a tenth; gzip can reach a thousandth with nothing but repetition.
const RATIO: usize = 100;
/// Up to here the ratio does not matter.
const SMALL: usize = 16 << 20;

/// The bytes, unpacked where they are packed.
pub(super) fn all(bytes: &[u8]) -> Result<Cow<'_, [u8]>, RecordedError> {
    if !bytes.starts_with(MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let limit = bytes.len().saturating_mul(RATIO).clamp(SMALL, LIMIT);
    let mut unpacked = Vec::new();
    let reader = MultiGzDecoder::new(bytes);
    let read = reader.take(limit as u64 + 1).read_to_end(&mut unpacked);
    read.map_err(|source| match source.kind() {
        io::ErrorKind::UnexpectedEof => RecordedError::Cut { format: "gzip file", wanted: "its end" },
        _ => RecordedError::Packed { source },
    })?;
    if unpacked.len() > limit {
        return Err(RecordedError::Swollen { packed: bytes.len(), limit });
    }
    Ok(Cow::Owned(unpacked))
}

/// The first bytes, unpacked as far as they go.
pub(super) fn head(bytes: &[u8], most: usize) -> Cow<'_, [u8]> {
    if !bytes.starts_with(MAGIC) {
        return Cow::Borrowed(bytes.get(..most).unwrap_or(bytes));
    }
    let mut unpacked = Vec::new();
    // The head of a file ends in the middle of its packed bytes; what came before is sound.
    let _ = MultiGzDecoder::new(bytes).take(most as u64).read_to_end(&mut unpacked);
    Cow::Owned(unpacked)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut writer = GzEncoder::new(Vec::new(), Compression::best());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn a_packed_file_unpacks_and_a_cut_one_is_an_error() {
        let file = packed(b"a;b 1\n");
        assert_eq!(&*all(&file).unwrap(), b"a;b 1\n");
        for end in 2..file.len() {
            assert!(matches!(all(&file[..end]), Err(RecordedError::Cut { .. })), "{end}");
        }
        assert_eq!(&*head(&file[..file.len() - 8], 100), b"a;b 1\n");
    }

    #[test]
    fn a_damaged_file_is_not_called_a_cut_one() {
        let mut file = packed(&(0..=255).cycle().take(4000).collect::<Vec<u8>>());
        let end = file.len() - 8;
        file[end] ^= 1;
        assert!(matches!(all(&file), Err(RecordedError::Packed { .. })));
    }

    #[test]
    fn a_bomb_is_refused() {
        let file = packed(&vec![0; 64 << 20]);
        assert!(file.len() < 100 << 10);
        assert!(matches!(all(&file), Err(RecordedError::Swollen { .. })));
    }
}
