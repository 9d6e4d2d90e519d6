//! A recording in other tools' formats, written as a stream.
//!
//! Every format takes an empty recording, one without a clock and one with hostile names. Strings are written as the
//! format quotes them; characters that have no place on a screen are spelt out, because the readers of these files
//! print them.

mod chrome;
mod firefox;
mod folded;
mod pprof;
mod speedscope;
mod threads;

pub use chrome::chrome;
pub use firefox::firefox;
pub use folded::folded;
pub use pprof::pprof;
pub use speedscope::speedscope;

pub use crate::stack::Kind;

use std::io::{self, Write};

use model::recording::{Frame, Recording};
use serde::Serialize;

use crate::inert;
use crate::stack;

/// What a frame is called, fit for any reader.
fn name(recording: &Recording, frame: &Frame) -> String {
    shown(&stack::name(recording, frame))
}

/// Foreign text without anything a terminal or a page would act upon before it is quoted.
fn shown(text: &str) -> String {
    inert::terminal(text, true)
}

/// JSON into a stream; its errors are those of the stream, for wire types always have a form in JSON.
fn put(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// The items as a JSON array, one at a time, so that a long list is never held as text.
fn put_list<T: Serialize>(out: &mut impl Write, items: impl Iterator<Item = T>) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        put(out, &item)?;
    }
    out.write_all(b"]")
}

/// Nanoseconds in the unit of a format that counts in larger ones.
#[expect(clippy::cast_precision_loss, reason = "2^53 ns is 104 days")]
fn in_units(nanos: u64, unit: u64) -> f64 {
    nanos as f64 / unit as f64
}
