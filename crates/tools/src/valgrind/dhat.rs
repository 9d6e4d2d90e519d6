//! `valgrind --tool=dhat`: every allocation by the stack it came from, with lifetimes and accesses.
//!
//! Source of the format: "DHAT Viewer" and `dh_main.c` of valgrind, which has no description of it. Checked with file version 2 of 3.19.0
//! and 3.24.0; version 1, of 3.15 and 3.16, lacks the fields that say what was measured and is a heap profile.

use std::borrow::Cow;

use model::{Bytes, Count};
use serde::Deserialize;

use super::frame::Frame;
use crate::ParseError;

pub use super::invocation::dhat as invocation;

const FORMAT: &str = "DHAT file";

/// One process's allocations.
#[derive(Clone, Debug, PartialEq)]
pub struct Dhat {
    pub mode: Mode,
    pub command: String,
    pub process: u64,
    /// What times are counted in; `instrs` unless another program wrote the file.
    pub time_unit: String,
    /// When the program ended.
    pub end: u64,
    /// When the heap was largest; `None` unless lifetimes were measured.
    pub peak: Option<u64>,
    pub points: Vec<Point>,
    /// The text of each frame; [`Dhat::frame`] takes it apart.
    frames: Vec<String>,
}

/// What the points count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Heap,
    /// Bytes copied by `memcpy` and the like.
    Copy,
    /// What the program told by itself.
    AdHoc,
}

/// A stack from which blocks were allocated. What was not measured is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub bytes: Bytes,
    pub blocks: Count,
    /// The sum of all blocks' lifetimes, in [`Dhat::time_unit`].
    pub lifetimes: Option<u64>,
    /// The most it had at once.
    pub most: Option<Held>,
    /// What it had when the whole heap was largest.
    pub at_peak: Option<Held>,
    /// What it still had at the end.
    pub at_end: Option<Held>,
    pub read: Option<Bytes>,
    pub written: Option<Bytes>,
    /// Numbers of frames, the allocating function first.
    pub stack: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub bytes: Bytes,
    pub blocks: Count,
}

impl Dhat {
    /// A frame of a [`Point::stack`]. `None` for the root, which is no place, and for a form that is not known.
    #[must_use]
    pub fn frame(&self, number: u32) -> Option<Frame<'_>> {
        Frame::of(self.frames.get(number as usize)?.as_bytes())
    }

    /// The average life of a point's blocks, in [`Dhat::time_unit`]. `None` when it was not measured or there were none.
    #[must_use]
    pub fn lifetime(&self, point: &Point) -> Option<u64> {
        point.lifetimes?.checked_div(point.blocks.0)
    }
}

/// Reads a whole file.
///
/// # Errors
///
/// When it is cut, of an unknown version, or has no points.
pub fn parse(bytes: &[u8]) -> Result<Dhat, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    // Paths may hold any bytes; JSON may not.
    let text = match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    };
    let version: Version = serde_json::from_str(&text).map_err(malformed)?;
    if !(1..=2).contains(&version.number) {
        let found = format!("version {}", version.number);
        let known = "`valgrind --tool=dhat`, file versions 1 and 2";
        return Err(ParseError::Unsupported { format: FORMAT, found, known });
    }
    let wire: Wire = serde_json::from_str(&text).map_err(malformed)?;
    let mode = mode(wire.mode.as_deref())?;
    if wire.points.is_empty() {
        let remedy = match mode {
            Mode::Heap => {
                "link the program dynamically and use the C library's allocator, which is what DHAT sees"
            }
            Mode::Copy | Mode::AdHoc => "run `valgrind --tool=dhat --mode=heap`",
        };
        return Err(ParseError::NoSamples { format: FORMAT, remedy });
    }
    let frames = wire.frames.len();
    let points = wire.points.into_iter().enumerate().map(|(place, point)| point.checked(place, frames));
    Ok(Dhat {
        mode,
        command: wire.command,
        process: wire.process,
        time_unit: wire.time_unit.unwrap_or_else(|| "instrs".into()),
        end: wire.end,
        peak: wire.peak,
        points: points.collect::<Result<_, _>>()?,
        frames: wire.frames,
    })
}

fn malformed(source: serde_json::Error) -> ParseError {
    let (line, column) = (source.line(), source.column());
    if source.is_eof() {
        return ParseError::Cut { format: FORMAT, line, wanted: "the end of the JSON document" };
    }
    ParseError::Malformed { format: FORMAT, line, column, source }
}

fn mode(name: Option<&str>) -> Result<Mode, ParseError> {
    match name {
        None | Some("heap" | "rust-heap") => Ok(Mode::Heap),
        Some("copy") => Ok(Mode::Copy),
        Some("ad-hoc" | "rust-ad-hoc") => Ok(Mode::AdHoc),
        Some(other) => {
            let (found, known) = (format!("mode {other}"), "the modes heap, copy and ad-hoc");
            Err(ParseError::Unsupported { format: FORMAT, found, known })
        }
    }
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "dhatFileVersion")]
    number: u64,
}

#[derive(Deserialize)]
struct Wire {
    mode: Option<String>,
    #[serde(rename = "cmd")]
    command: String,
    #[serde(rename = "pid")]
    process: u64,
    #[serde(rename = "tu")]
    time_unit: Option<String>,
    #[serde(rename = "te")]
    end: u64,
    #[serde(rename = "tg")]
    peak: Option<u64>,
    #[serde(rename = "pps")]
    points: Vec<WirePoint>,
    #[serde(rename = "ftbl")]
    frames: Vec<String>,
}

/// As DHAT names them: total, maximum, at the global maximum, at the end; bytes and blocks.
#[derive(Deserialize)]
struct WirePoint {
    tb: u64,
    tbk: u64,
    tl: Option<u64>,
    mb: Option<u64>,
    mbk: Option<u64>,
    gb: Option<u64>,
    gbk: Option<u64>,
    eb: Option<u64>,
    ebk: Option<u64>,
    rb: Option<u64>,
    wb: Option<u64>,
    fs: Vec<u32>,
}

impl WirePoint {
    fn checked(self, place: usize, frames: usize) -> Result<Point, ParseError> {
        if let Some(frame) = self.fs.iter().find(|frame| **frame as usize >= frames) {
            return Err(ParseError::BadValue {
                format: FORMAT,
                place: format!("pps[{place}].fs"),
                found: frame.to_string(),
                wanted: "a frame of `ftbl`",
            });
        }
        let held = |bytes: Option<u64>, blocks: Option<u64>| {
            Some(Held { bytes: Bytes::from_bytes(bytes?), blocks: Count(blocks?) })
        };
        Ok(Point {
            bytes: Bytes::from_bytes(self.tb),
            blocks: Count(self.tbk),
            lifetimes: self.tl,
            most: held(self.mb, self.mbk),
            at_peak: held(self.gb, self.gbk),
            at_end: held(self.eb, self.ebk),
            read: self.rb.map(Bytes::from_bytes),
            written: self.wb.map(Bytes::from_bytes),
            stack: self.fs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs",
"Mtu":"Minstr","tuth":500,"cmd":"./a","pid":7,"te":900,"tg":400,"pps":[{"tb":48,"tbk":3,"tl":90,"mb":32,"mbk":2,"gb":32,
"gbk":2,"eb":0,"ebk":0,"rb":5,"wb":48,"acc":[-4,1,2],"fs":[1,2]}],"ftbl":["[root]","0x10: malloc (in /v.so)","0x20: f (a.c:3)"]}"#;

    #[test]
    fn points_have_their_numbers_and_frames() {
        let read = parse(SMALL.as_bytes()).unwrap();
        assert_eq!((read.end, read.peak, read.time_unit.as_str()), (900, Some(400), "instrs"));
        let point = &read.points[0];
        assert_eq!((point.bytes.as_bytes(), point.blocks.0, read.lifetime(point)), (48, 3, Some(30)));
        assert_eq!(point.at_end, Some(Held { bytes: Bytes::from_bytes(0), blocks: Count(0) }));
        assert_eq!((point.read.unwrap().as_bytes(), point.written.unwrap().as_bytes()), (5, 48));
        let frame = read.frame(point.stack[1]).unwrap();
        assert_eq!((frame.function, frame.file, frame.line), (Some(&b"f"[..]), Some(&b"a.c"[..]), Some(3)));
        assert_eq!(read.frame(0), None);
    }

    #[test]
    fn what_was_not_measured_is_unknown_not_zero() {
        let text = SMALL.replace(r#","tl":90"#, "").replace(r#","rb":5"#, "").replace(r#","tg":400"#, "");
        let read = parse(text.as_bytes()).unwrap();
        assert_eq!((read.points[0].lifetimes, read.points[0].read, read.peak), (None, None, None));
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        for (from, to) in [
            (r#""dhatFileVersion":2"#, r#""dhatFileVersion":3"#),
            (r#""dhatFileVersion":2,"#, ""),
            (r#""mode":"heap""#, r#""mode":"sideways""#),
            (r#""fs":[1,2]"#, r#""fs":[1,3]"#),
            (r#""fs":[1,2]"#, r#""fs":[-1]"#),
            (r#""tb":48"#, r#""tb":-48"#),
            (r#""tb":48,"#, ""),
        ] {
            let text = SMALL.replace(from, to);
            assert_ne!(text, SMALL);
            assert!(parse(text.as_bytes()).is_err(), "{from} -> {to}");
        }
        for end in 0..SMALL.len() {
            assert!(parse(&SMALL.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn a_file_of_version_one_is_a_heap_profile() {
        let text = SMALL
            .replace(r#""dhatFileVersion":2,"mode":"heap","verb":"Allocated""#, r#""dhatFileVersion":1"#);
        assert_eq!(parse(text.as_bytes()).unwrap().mode, Mode::Heap);
    }
}
