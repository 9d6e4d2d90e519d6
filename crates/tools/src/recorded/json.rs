//! JSON as the profile formats need it.

use serde::Deserialize;

use super::RecordedError;

/// The whole file as one typed value.
pub(super) fn parse<'a, T: Deserialize<'a>>(
    format: &'static str,
    bytes: &'a [u8],
) -> Result<T, RecordedError> {
    serde_json::from_slice(bytes).map_err(|source| {
        if source.is_eof() {
            return RecordedError::Cut { format, wanted: "the end of the JSON text" };
        }
        RecordedError::Malformed { format, line: source.line(), column: source.column(), source }
    })
}
