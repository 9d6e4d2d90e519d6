//! `nvidia-smi`: what NVIDIA's devices are doing at this moment.
//!
//! Source of the format: `nvidia-smi --help-query-gpu`. Checked with 580.159 on an H200. What a device does not tell is
//! `[N/A]` or `[Not Supported]` and unknown here.

use model::Bytes;

use crate::ParseError;

const FORMAT: &str = "nvidia-smi table";

/// The program and its arguments: one line a device.
pub const INVOCATION: [&str; 3] =
    ["nvidia-smi", "--query-gpu=name,memory.used,utilization.gpu", "--format=csv,noheader,nounits"];

/// The same, of the first device alone, again and again until it is ended.
pub const WATCH: [&str; 4] = ["-i", "0", "-lms", "200"];

/// One device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub name: String,
    pub memory: Option<Bytes>,
    /// Percent of the last moments in which something ran on it.
    pub busy: Option<u8>,
}

/// All devices, in the driver's order.
///
/// # Errors
/// When a line is cut or is no such line.
pub fn parse(bytes: &[u8]) -> Result<Vec<Device>, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|_| unknown(1, "no text"))?;
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    let lines = text.lines().count();
    // Without its newline the last number may be cut short.
    let whole =
        text.strip_suffix('\n').ok_or(ParseError::Cut { format: FORMAT, line: lines, wanted: "its end" })?;
    whole.lines().zip(1..).map(|(line, number)| device(line, number)).collect()
}

/// Every whole line of a watch that was ended in the middle of one.
#[must_use]
pub fn watched(bytes: &[u8]) -> Vec<Device> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
    text.lines().filter_map(|line| device(line, 0).ok()).collect()
}

fn device(text: &str, line: usize) -> Result<Device, ParseError> {
    // A name may hold a comma; the numbers behind it do not.
    let mut fields = text.rsplitn(3, ", ");
    let (busy, memory, name) = (fields.next(), fields.next(), fields.next());
    let (Some(busy), Some(memory), Some(name)) = (busy, memory, name) else {
        return Err(unknown(line, text));
    };
    let mebibytes: Option<u64> = number(memory).ok_or_else(|| unknown(line, text))?;
    let busy: Option<u8> = number(busy).ok_or_else(|| unknown(line, text))?;
    let memory = mebibytes.and_then(|mebibytes| mebibytes.checked_mul(1 << 20)).map(Bytes::from_bytes);
    Ok(Device { name: name.to_owned(), memory, busy })
}

/// `Some(None)` for what the device does not tell; `None` for what is no such field.
fn number<T: std::str::FromStr>(field: &str) -> Option<Option<T>> {
    if field.starts_with('[') && field.ends_with(']') {
        return Some(None);
    }
    field.parse().ok().map(Some)
}

fn unknown(line: usize, text: &str) -> ParseError {
    ParseError::UnknownLine { format: FORMAT, line, text: text.chars().take(80).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Captured on the machine named above.
    const H200: &[u8] = b"NVIDIA H200, 0, 0\n";

    #[test]
    fn a_device_tells_its_memory_and_how_busy_it_is() {
        let device = |name: &str, memory: Option<u64>, busy| Device {
            name: name.to_owned(),
            memory: memory.map(Bytes::from_bytes),
            busy,
        };
        assert_eq!(parse(H200).unwrap(), [device("NVIDIA H200", Some(0), Some(0))]);
        let two = b"A, big one, 1024, 97\nB, [N/A], [Not Supported]\n";
        assert_eq!(
            parse(two).unwrap(),
            [device("A, big one", Some(1 << 30), Some(97)), device("B", None, None)]
        );
    }

    #[test]
    fn a_cut_or_foreign_text_is_an_error_never_another_number() {
        let whole = b"NVIDIA H200, 1234, 56\n";
        for end in 0..whole.len() {
            assert!(parse(&whole[..end]).is_err(), "{end}");
        }
        for text in ["No devices were found\n", "a, b, c\n", "x, -1, 5\n", "x, 1, 300\n"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\xff, 1, 1\n").is_err());
    }
}
