//! One stack from two: Python frames put where the evaluation loop stands in the native stack.

use crate::raw::Raw;

/// A Python frame on its way into a native stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strand {
    /// Usually [`Raw::Named`].
    pub frame: Raw,
    /// The outermost of those that ran in one evaluation loop.
    pub entry: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Woven {
    /// Innermost first.
    pub frames: Vec<Raw>,
    /// There were as many evaluation loops as entry frames. If not, the two stacks are of different moments.
    pub fitted: bool,
}

/// Replaces each evaluation loop by the Python frames that ran in it. All stacks are innermost first.
///
/// When the numbers differ, the outermost loops are matched first, because the outer frames of a thread change least;
/// Python frames that are left over go to the innermost loop, loops that are left over stay as they are. Without any
/// loop the Python frames go below the native ones, which they called.
pub fn weave(native: &[Raw], is_eval: impl Fn(&Raw) -> bool, python: &[Strand]) -> Woven {
    let loops: Vec<bool> = native.iter().map(is_eval).collect();
    let loop_count = loops.iter().filter(|is_loop| **is_loop).count();
    let mut groups: Vec<&[Strand]> = python.split_inclusive(|strand| strand.entry).collect();
    let fitted = loop_count == groups.len() && python.last().is_none_or(|strand| strand.entry);
    // Outermost first, so that both sides can be taken from their ends.
    let spare_loops = loop_count.saturating_sub(groups.len());
    let first_group = groups.len().saturating_sub(loop_count) + 1;
    let innermost: usize = groups.iter().take(first_group).map(|group| group.len()).sum();
    if loop_count > 0 && first_group > 1 {
        groups.splice(..first_group, python.get(..innermost));
    }
    let mut groups = groups.into_iter();
    let mut loops_seen = 0;
    let mut frames = Vec::with_capacity(native.len() + python.len());
    for (frame, is_loop) in native.iter().zip(loops) {
        loops_seen += usize::from(is_loop);
        match groups.as_slice().first() {
            Some(_) if is_loop && loops_seen > spare_loops => {
                frames.extend(groups.next().into_iter().flatten().map(|strand| strand.frame));
            }
            _ => frames.push(*frame),
        }
    }
    frames.extend(groups.flatten().map(|strand| strand.frame));
    Woven { frames, fitted }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `E` is the evaluation loop, other capitals native code; small letters are Python, `|` follows an entry frame.
    fn check(native: &str, python: &str, expected: &str, fitted: bool) {
        let native: Vec<Raw> = native.bytes().map(|byte| Raw::Kernel { address: byte.into() }).collect();
        let mut strands: Vec<Strand> = Vec::new();
        for byte in python.bytes() {
            match (byte, strands.last_mut()) {
                (b'|', Some(last)) => last.entry = true,
                _ => strands.push(Strand { frame: Raw::Named(byte.into()), entry: false }),
            }
        }
        let woven = weave(&native, |raw| *raw == Raw::Kernel { address: b'E'.into() }, &strands);
        let text: String = woven
            .frames
            .iter()
            .map(|raw| match raw {
                Raw::Kernel { address } => char::from(u8::try_from(*address).unwrap()),
                Raw::Named(name) => char::from(u8::try_from(*name).unwrap()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!((text.as_str(), woven.fitted), (expected, fitted), "{python}");
    }

    #[test]
    fn frames_of_one_loop_stand_together() {
        check("XEYEM", "abc|d|", "XabcYdM", true);
        check("XEYEZEM", "a|b|c|", "XaYbZcM", true);
        check("XM", "", "XM", true);
    }

    #[test]
    fn too_many_python_frames_go_to_the_innermost_loop() {
        check("XEYEM", "a|b|cd|e|", "XabcdYeM", false);
    }

    #[test]
    fn too_many_loops_stay_native_on_the_inside() {
        check("XEYEZEM", "ab|c|", "XEYabZcM", false);
        check("XEM", "", "XEM", false);
    }

    #[test]
    fn without_a_loop_python_called_the_native_code() {
        check("XY", "ab|", "XYab", false);
        check("", "ab|c|", "abc", false);
    }

    #[test]
    fn a_stack_that_does_not_end_with_an_entry_does_not_fit() {
        check("XEM", "ab", "XabM", false);
    }

    proptest! {
        #[test]
        fn no_python_frame_is_lost_or_moved(native in "[EXYZ]{0,12}", entries: Vec<bool>) {
            let native: Vec<Raw> = native.bytes().map(|byte| Raw::Kernel { address: byte.into() }).collect();
            let strands: Vec<Strand> = entries.iter().zip(0..)
                .map(|(entry, id)| Strand { frame: Raw::Named(id), entry: *entry }).collect();
            let woven = weave(&native, |raw| *raw == Raw::Kernel { address: 69 }, &strands);
            let named: Vec<Raw> = woven.frames.iter().copied().filter(|raw| matches!(raw, Raw::Named(_))).collect();
            prop_assert_eq!(named, strands.iter().map(|strand| strand.frame).collect::<Vec<_>>());
            let others = |frames: &[Raw]| frames.iter().filter(|raw| matches!(raw, Raw::Kernel { address } if *address != 69)).count();
            prop_assert_eq!(others(&woven.frames), others(&native));
        }
    }
}
