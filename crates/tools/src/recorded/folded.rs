//! Folded stacks: `outermost;…;innermost weight`, one a line, as `stackcollapse-*`, inferno and `py-spy -f raw` write them.
//!
//! A suffix tells more of a frame: `_[k]` kernel, `_[j]` just-in-time compiled, `_[i]` inlined. `function (file:line)`
//! is taken apart. The format has no clock, no unit and no end: a file cut between two lines reads as a whole one.

use model::recording::{Frame, Language, Owner, Recording, Weight};
use model::{Gap, Nanos};

use super::error::excerpt;
use super::index::Names;
use super::lines::{Lines, decimal, lossy, split_once};
use super::tables::{SMALL, Tables, named};
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
    let mut numbers = Numbers::default();
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
            // Frames are made at the end, of the names that are left.
            let next = names.len();
            let name = names.number(text, || tables.position(next, "frames"))?;
            node = Some(tables.node(node, name)?);
        }
        if weight > 0 {
            numbers.add(weight);
            tables.hit(Nanos::ZERO, thread, node, weight);
        }
        if tables.is_swollen(names.len()) {
            merge(&mut tables, &mut names)?;
        }
    }
    if tables.is_too_large(names.len()) {
        merge(&mut tables, &mut names)?;
    }
    name_all(&mut tables, &names)?;
    drop(names);
    if scale.decimals > 0 {
        tables.recording.weight = Weight::Other(format!("10^-{} of the file's unit", scale.decimals));
    }
    let (moments, assumed) = numbers.moments(scale.decimals);
    let mut recording = tables.finish(REMEDY)?;
    recording.moments = Some(moments);
    recording.gaps.extend(assumed.map(|why| Gap::new("what the file's numbers count", why, None)));
    Ok(recording)
}

/// A stack that is hardly ever seen is not seen so often: what has no smaller number counts time.
const LEAST_TIME: u64 = 100_000;

/// What is common to all numbers of several lines by chance is smaller: such a one is the time from one sample to the next.
const PERIOD: u64 = 1000;

const SEVERAL: u64 = 3;

/// What the weights are together: the format does not tell whether they count samples or time.
#[derive(Default)]
struct Numbers {
    lines: u64,
    sum: u64,
    least: u64,
    /// The greatest number that all of them are multiples of.
    common: u64,
}

impl Numbers {
    fn add(&mut self, weight: u64) {
        self.least = if self.lines == 0 { weight } else { self.least.min(weight) };
        self.lines += 1;
        self.sum = self.sum.saturating_add(weight);
        let (mut one, mut other) = (self.common, weight);
        while other > 0 {
            (one, other) = (other, one % other);
        }
        self.common = one;
    }

    /// How often something was seen, and what was assumed for that.
    fn moments(&self, decimals: usize) -> (u64, Option<String>) {
        let lines = self.lines;
        if decimals > 0 {
            let why = format!(
                "they have fractions, so they are taken for times and each of {lines} lines for one sample"
            );
            return (lines, Some(why));
        }
        if self.common >= PERIOD && lines >= SEVERAL {
            let (common, moments) = (self.common, self.sum / self.common);
            let why = format!(
                "all are multiples of {common}, so they are taken for times, and that for the time of each of {moments} samples"
            );
            return (moments, Some(why));
        }
        if self.least >= LEAST_TIME {
            let least = self.least;
            let why = format!(
                "none is below {least}, so they are taken for times and each of {lines} lines for one sample"
            );
            return (lines, Some(why));
        }
        (self.sum, None)
    }
}

/// Names that are no longer in use are let go of.
fn merge<'a>(tables: &mut Tables, names: &mut Names<'a>) -> Result<(), RecordedError> {
    tables.merge(|kept| {
        names.keep(kept);
        let next = u32::try_from(names.len()).unwrap_or(0);
        names.number(SMALL.as_bytes(), || Ok(next))
    })
}

/// Puts frames where the stacks have names.
fn name_all(tables: &mut Tables, names: &Names<'_>) -> Result<(), RecordedError> {
    let mut frames = Vec::with_capacity(names.len());
    for text in names.texts() {
        frames.push(tables.frame(frame(text))?);
    }
    for node in &mut tables.recording.nodes {
        node.frame = frames.get(node.frame as usize).copied().unwrap_or(0);
    }
    Ok(())
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
            tables.refine()?;
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
    use super::super::tables::MOST;
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
    fn numbers_count_samples_unless_they_are_clearly_times() {
        let seen = |text: &str| {
            let recording = parse(text.as_bytes()).unwrap();
            (recording.moments, recording.gaps.len())
        };
        assert_eq!(seen("a;b 812\na;c 57\n"), (Some(869), 0));
        assert_eq!(seen("a;b 5000\n"), (Some(5000), 0));
        assert_eq!(seen("a;b 2010022\na;c 1005011\na 5025055\n"), (Some(8), 1));
        assert_eq!(seen("a;b 2010022\na;c 1005013\na 5025057\n"), (Some(3), 1), "no period in common");
        assert_eq!(seen("a;b 0.25\na;c 1.5\n"), (Some(2), 1));
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
    fn stacks_that_are_all_different_are_merged_into_their_callers_and_none_of_their_weight_is_lost() {
        let line = |i: u32| format!("main;a{};b{i};c{};d{} {}\n", i % 1000, i * 7, i % 13, i % 5 + 1);
        let text: String = (0..300_000).map(line).chain(["main;heavy;leaf 90000\n".to_owned()]).collect();
        let recording = parse(text.as_bytes()).unwrap();
        assert!(recording.frames.len() <= MOST.frames + 1 && recording.nodes.len() <= MOST.stacks + 1);
        assert_eq!(recording.hits.iter().map(|hit| hit.weight).sum::<u64>(), 990_000);
        let leaf = |hit: &&model::recording::Hit| {
            recording.frames_of(hit.stack.unwrap()).next().unwrap().function.as_deref() == Some("leaf")
        };
        assert_eq!(recording.hits.iter().find(leaf).map(|hit| hit.weight), Some(90_000));
        let [gap] = recording.gaps.as_slice() else { panic!("{:?}", recording.gaps) };
        assert!(gap.why.contains("of the smallest stacks, which hold"), "{gap:?}");
    }

    #[test]
    fn stacks_without_a_caller_to_go_to_are_small_ones() {
        let text: String = (0..400_000).map(|i| format!("root{i} 1\n")).collect();
        let recording = parse(text.as_bytes()).unwrap();
        let small =
            recording.frames.iter().position(|frame| frame.function.as_deref() == Some(SMALL)).unwrap();
        let is_small = |hit: &&model::recording::Hit| {
            recording.nodes[hit.stack.unwrap() as usize].frame as usize == small
        };
        let weight: u64 = recording.hits.iter().filter(is_small).map(|hit| hit.weight).sum();
        assert!((200_000..400_000).contains(&weight), "{weight}");
        assert_eq!(recording.hits.iter().map(|hit| hit.weight).sum::<u64>(), 400_000);
        assert!(
            recording.gaps[0].why.starts_with(&format!("{weight} of the smallest")),
            "{:?}",
            recording.gaps
        );
    }

    #[test]
    fn nothing_but_zero_weights_is_an_error() {
        assert!(matches!(parse(b"a;b 0\n"), Err(RecordedError::NoSamples { .. })));
    }
}
