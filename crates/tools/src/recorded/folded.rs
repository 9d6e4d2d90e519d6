//! Folded stacks: `outermost;…;innermost weight`, one a line, as `stackcollapse-*`, inferno and `py-spy -f raw` write them.
//!
//! A suffix tells more of a frame: `_[k]` kernel, `_[j]` just-in-time compiled, `_[i]` inlined. `function (file:line)`
//! is taken apart. The format has no clock, no unit and no end: a file cut between two lines reads as a whole one.

use model::Nanos;
use model::recording::{Frame, Language, Owner, Recording, Weight};

use super::error::excerpt;
use super::index::Names;
use super::lines::{Lines, decimal, lossy, split_once};
use super::tables::{Tables, named};
use super::{RecordedError, place};

pub(super) const NAME: &str = "folded stack text";
const REMEDY: &str = "check that the tool that collapsed the stacks found samples";
/// Finer weights than this are cut.
const MOST_DECIMALS: usize = 9;

/// Whether the first whole line is a stack with a weight.
pub(super) fn recognises(head: &[u8]) -> bool {
    let mut lines = head.split_inclusive(|byte| *byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
    // JSON and the like may end in a number, too.
    let text = |line: &&[u8]| !line.starts_with(b"{") && !line.starts_with(b"[{") && !line.contains(&0);
    first.filter(text).is_some_and(|line| apart(line.trim_ascii_end()).is_some())
}

pub(super) fn parse(bytes: &[u8]) -> Result<Recording, RecordedError> {
    let mut tables = Tables::new(NAME, Weight::Samples, bytes.len());
    let mut names = Names::new();
    let mut lines = Lines::new(bytes, NAME);
    let mut scale = Scale { decimals: 0 };
    while let Some(line) = lines.next()? {
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            continue;
        }
        let bad = || RecordedError::BadLine {
            format: NAME,
            line: lines.number,
            wanted: "a stack and its weight",
            text: excerpt(line),
        };
        let (stack, weight) = apart(line.trim_ascii_end()).ok_or_else(bad)?;
        let weight = scale.weight(weight, &mut tables).ok_or_else(bad)?;
        let (thread, stack) = thread(&mut tables, stack)?;
        let mut node = None;
        for text in stack.split(|byte| *byte == b';').filter(|text| !text.is_empty()) {
            let frame = names.number(text, || tables.frame(frame(text)))?;
            node = Some(tables.node(node, frame)?);
        }
        if weight > 0 {
            tables.hit(Nanos::ZERO, thread, node, weight);
        }
    }
    if scale.decimals > 0 {
        tables.recording.weight = Weight::Other(format!("10^-{} of the file's unit", scale.decimals));
    }
    tables.finish(REMEDY)
}

/// Stack and weight. `None` when the line does not end in a number.
fn apart(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = line.iter().rposition(|byte| *byte == b' ' || *byte == b'\t')?;
    let (stack, weight) = (line.get(..space)?, line.get(space + 1..)?);
    let digits = weight.iter().filter(|byte| **byte != b'.').all(u8::is_ascii_digit);
    let one_dot = weight.iter().filter(|byte| **byte == b'.').count() <= 1;
    (digits && one_dot && weight.first()?.is_ascii_digit()).then_some((stack.trim_ascii(), weight))
}

/// Weights are counted in the finest unit seen so far.
struct Scale {
    decimals: usize,
}

impl Scale {
    fn weight(&mut self, text: &[u8], tables: &mut Tables) -> Option<u64> {
        let dot = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
        let whole = decimal(text.get(..dot)?)?;
        let part = text.get(dot + 1..).unwrap_or_default();
        let part = part.get(..MOST_DECIMALS).unwrap_or(part);
        while self.decimals < part.len() {
            self.decimals += 1;
            for hit in &mut tables.recording.hits {
                hit.weight = hit.weight.checked_mul(10)?;
            }
        }
        let mut weight = whole;
        for place in 0..self.decimals {
            let digit = part.get(place).map_or(0, |digit| u64::from(digit - b'0'));
            weight = weight.checked_mul(10)?.checked_add(digit)?;
        }
        Some(weight)
    }
}

/// The thread that py-spy writes as the outermost frame, `thread (12): name`, and the rest of the stack.
fn thread<'a>(tables: &mut Tables, stack: &'a [u8]) -> Result<(u32, &'a [u8]), RecordedError> {
    let end = stack.iter().position(|byte| *byte == b';').unwrap_or(stack.len());
    let told = stack.get(..end).and_then(|first| {
        let (number, name) = match split_once(first.strip_prefix(b"thread (")?, b')')? {
            (number, b"") => (number, &b""[..]),
            (number, name) => (number, name.strip_prefix(b": ")?),
        };
        Some((decimal(number).and_then(|number| u32::try_from(number).ok())?, name))
    });
    let Some((tid, name)) = told else { return Ok((tables.thread(0, 0, Nanos::ZERO)?, stack)) };
    let thread = tables.thread(0, tid, Nanos::ZERO)?;
    if !name.is_empty() {
        tables.name(thread, name);
    }
    Ok((thread, stack.get(end..).unwrap_or_default()))
}

fn frame(text: &[u8]) -> Frame {
    let text = lossy(text);
    let suffixes = [("_[k]", Language::Kernel), ("_[j]", Language::Unknown), ("_[i]", Language::Native)];
    for (suffix, language) in suffixes {
        if let Some(name) = text.strip_suffix(suffix) {
            let mut frame = placed(name);
            if frame.language == Language::Unknown {
                frame.language = language;
            }
            frame.inlined = suffix == "_[i]";
            if language == Language::Kernel {
                frame.owner = Owner::Kernel;
            }
            return frame;
        }
    }
    placed(&text)
}

/// `function (file:line)` or `function (file.py)` taken apart; anything else is a name.
fn placed(text: &str) -> Frame {
    let mut frame = named(text.to_owned());
    let inside = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let Some((function, inside)) = inside else {
        place::from_map(&mut frame, text);
        return frame;
    };
    let (file, line) = place::with_line(inside);
    if line.is_some() || place::language(file).is_some() {
        frame.function = Some(function.to_owned());
        place::put(&mut frame, file, line);
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> Vec<u64> {
        parse(text.as_bytes()).unwrap().hits.iter().map(|hit| hit.weight).collect()
    }

    #[test]
    fn fractions_are_kept_in_the_finest_unit() {
        assert_eq!(weights("a 1\na;b 2.5\nc 0.125\nd 3\n"), [1000, 2500, 125, 3000]);
        assert_eq!(weights("a;b 12\n"), [12]);
    }

    #[test]
    fn a_line_without_a_weight_is_an_error_with_its_number() {
        let error = parse(b"a;b 1\na;c\n").unwrap_err();
        assert!(matches!(error, RecordedError::BadLine { line: 2, .. }), "{error}");
    }

    #[test]
    fn annotations_tell_the_kernel_and_inlined_frames() {
        let recording = parse(b"main;inner_[i];sys_read_[k] 3\n").unwrap();
        let [main, inner, read] = recording.frames.as_slice() else { panic!() };
        assert_eq!((main.function.as_deref(), main.inlined), (Some("main"), false));
        assert!(inner.inlined && inner.function.as_deref() == Some("inner"));
        assert_eq!((read.language, read.owner), (Language::Kernel, Owner::Kernel));
    }

    #[test]
    fn equal_stacks_are_one_node() {
        let recording = parse(b"a;b 1\na;b 2\na 3\n").unwrap();
        assert_eq!((recording.nodes.len(), recording.hits.len()), (2, 3));
    }

    #[test]
    fn nothing_but_zero_weights_is_an_error() {
        assert!(matches!(parse(b"a;b 0\n"), Err(RecordedError::NoSamples { .. })));
    }
}
