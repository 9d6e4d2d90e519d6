//! One argument of a command, byte for byte.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An argument, path or environment value. Linux gives bytes, JSON wants text: what is UTF-8 is written as a
/// string, anything else as its bytes in hexadecimal, so that nothing is lost or changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Wire", into = "Wire")]
#[schemars(with = "Wire")]
pub struct Arg(OsString);

/// How an argument stands in JSON.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Wire {
    Text(String),
    Bytes { hex: String },
}

impl Arg {
    #[must_use]
    pub fn as_os_str(&self) -> &OsStr {
        &self.0
    }

    /// The argument for people: invalid bytes become U+FFFD.
    #[must_use]
    pub fn lossy(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

impl From<OsString> for Arg {
    fn from(text: OsString) -> Self {
        Self(text)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Wire> for Arg {
    fn from(wire: Wire) -> Self {
        match wire {
            Wire::Text(text) => Self(text.into()),
            Wire::Bytes { hex } => Self(OsString::from_vec(bytes_of(&hex))),
        }
    }
}

impl From<Arg> for Wire {
    fn from(arg: Arg) -> Self {
        match arg.0.into_string() {
            Ok(text) => Self::Text(text),
            Err(bytes) => Self::Bytes { hex: hex_of(bytes.as_bytes()) },
        }
    }
}

/// Lower-case hexadecimal, two digits a byte.
#[must_use]
pub fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Digits that are not hexadecimal end the text: such a file was not written by us, and its argument is only shown.
fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.chars().map_while(|c| c.to_digit(16)).filter_map(|d| u8::try_from(d).ok()).collect();
    digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_json() {
        for bytes in [&b"plain"[..], b"caf\xc3\xa9", b"\xff\x00bad", b""] {
            let arg = Arg::from(OsString::from_vec(bytes.to_vec()));
            let json = serde_json::to_string(&arg).unwrap();
            assert_eq!(serde_json::from_str::<Arg>(&json).unwrap(), arg, "{json}");
        }
    }
}
