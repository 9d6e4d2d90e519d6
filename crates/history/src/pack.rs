//! Files whose names end in `.gz`: packed when they are stored, unpacked when they are loaded.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

const PACKED: &str = ".gz";

/// Three times as fast as the usual level, and a hundredth larger: 3.1 MB of a recording in 30 ms.
const LEVEL: Compression = Compression::new(4);

/// Recordings shrink to a sixth, storms of equal waits to a twentieth. Beyond this a file was made to swell.
const RATIO: u64 = 200;
/// Up to here the ratio does not matter.
const SMALL: u64 = 16 << 20;

pub(crate) fn packed<'a>(name: &str, bytes: &'a [u8]) -> io::Result<Cow<'a, [u8]>> {
    if !name.ends_with(PACKED) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut encoder = GzEncoder::new(Vec::new(), LEVEL);
    encoder.write_all(bytes)?;
    encoder.finish().map(Cow::Owned)
}

/// Cut anywhere it is an error: the end of a packed file holds its length and a checksum.
pub(crate) fn unpacked(name: &str, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !name.ends_with(PACKED) {
        return Ok(bytes);
    }
    let limit = (bytes.len() as u64).saturating_mul(RATIO).max(SMALL);
    let mut unpacked = Vec::new();
    GzDecoder::new(bytes.as_slice()).take(limit + 1).read_to_end(&mut unpacked)?;
    if unpacked.len() as u64 > limit {
        return Err(io::Error::other(format!("more than {limit} bytes come out of it")));
    }
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = br#"{"frames":["customers","customers","orders"]}"#;

    #[test]
    fn what_is_packed_comes_back() {
        let packed = packed("account.json.gz", TEXT).unwrap();
        assert!(packed.starts_with(b"\x1f\x8b"));
        assert_eq!(unpacked("account.json.gz", packed.into_owned()).unwrap(), TEXT);
    }

    #[test]
    fn other_names_stay_as_they_are() {
        assert_eq!(packed("source.json", TEXT).unwrap(), TEXT);
        assert_eq!(unpacked("source.json", TEXT.to_vec()).unwrap(), TEXT);
    }

    #[test]
    fn a_cut_file_is_an_error_at_any_byte() {
        let whole = packed("account.json.gz", TEXT).unwrap();
        for length in 0..whole.len() {
            assert!(unpacked("account.json.gz", whole[..length].to_vec()).is_err(), "{length}");
        }
    }

    #[test]
    fn a_file_made_to_swell_is_refused() {
        let zeros = vec![0; 64 << 20];
        let packed = packed("account.json.gz", &zeros).unwrap().into_owned();
        assert!(
            unpacked("account.json.gz", packed).unwrap_err().to_string().contains("bytes come out of it")
        );
    }
}
