//! AVX-512 in a program's own code, which simulators do not know.

use iced_x86::{Decoder, DecoderOptions, EncodingKind};
use model::machine_code::Architecture;

use crate::image::Image;

/// More code than this is not looked through: a browser has about so much, and decoding it takes a second.
const MOST: usize = 64 << 20;

/// Instructions of AVX-512 in an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The first function that has one, where it has a name.
    pub function: Option<String>,
    pub chosen: Chosen,
}

/// Whether a program may run without its AVX-512 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// It can ask the processor what it knows, and go another way.
    AtRunTime,
    /// Nothing in it asks.
    WhenBuilt,
}

/// `None` when no function has any, and when that is not looked for: other processors, images without end.
#[must_use]
pub fn wide(image: &Image<'_>) -> Option<Wide> {
    let code: usize = image.executable().map(<[u8]>::len).sum();
    if image.architecture != Architecture::X86_64 || code > MOST {
        return None;
    }
    let holds = |function: &&crate::Function| image.code(&function.range).is_some_and(is_wide);
    let first = image.functions.iter().find(holds)?;
    let chosen = if asks(image) { Chosen::AtRunTime } else { Chosen::WhenBuilt };
    Some(Wide { function: first.name.as_deref().map(crate::code::demangled), chosen })
}

/// The byte that AVX-512 instructions begin with, prefixes of other kinds aside.
const EVEX: u8 = 0x62;

/// What does not decode to the end is as likely a table between functions: it says nothing.
fn is_wide(bytes: &[u8]) -> bool {
    if !bytes.contains(&EVEX) {
        return false;
    }
    let mut found = false;
    for decoded in &mut Decoder::new(64, bytes, DecoderOptions::NONE) {
        if decoded.is_invalid() {
            return false;
        }
        found |= decoded.code().encoding() == EncodingKind::EVEX;
    }
    found
}

const CPUID: [u8; 2] = [0x0f, 0xa2];

/// Whether it has `cpuid`, or takes what it tells from a library (`__cpu_model`, `__x86_get_cpuid_feature_leaf`). The bytes are
/// sought anywhere: where they are something else, only a warning takes the place of a refusal.
fn asks(image: &Image<'_>) -> bool {
    image.executable().any(|code| code.windows(CPUID.len()).any(|bytes| bytes == CPUID))
        || image.links().any(|name| name.contains("cpu"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_functions_of_instructions_are_wide() {
        for (bytes, wanted) in [
            // vpaddd %zmm0, %zmm0, %zmm0; ret
            (&[0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc0, 0xc3][..], true),
            // vpaddd %ymm0, %ymm0, %ymm0; ret
            (&[0xc5, 0xfd, 0xfe, 0xc0, 0xc3], false),
            // mov $0x62, %al; ret
            (&[0xb0, 0x62, 0xc3], false),
            // The same, and bytes that are no instruction.
            (&[0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc0, 0x06], false),
            (&[0x62, 0xf1, 0x7d], false),
            (&[], false),
        ] {
            assert_eq!(is_wide(bytes), wanted, "{bytes:x?}");
        }
    }
}
