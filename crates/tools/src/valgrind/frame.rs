//! A code address as massif and DHAT print it: `0x109214: fill (work.c:14)` or `0x48417B4: malloc (in /usr/lib/x.so)`.

use super::text::hexadecimal;

/// A place in the program, as far as valgrind knew it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame<'a> {
    pub address: u64,
    /// `None` when there is no symbol.
    pub function: Option<&'a [u8]>,
    pub file: Option<&'a [u8]>,
    pub line: Option<u32>,
    /// The file of the program or library; only told where there is no source file.
    pub object: Option<&'a [u8]>,
}

impl<'a> Frame<'a> {
    /// `None` when the text is not of this form.
    #[must_use]
    pub fn of(text: &'a [u8]) -> Option<Self> {
        let end = text.iter().position(|byte| *byte == b':')?;
        let (address, rest) = text.split_at_checked(end)?;
        let address = hexadecimal(address.strip_prefix(b"0x")?)?;
        let rest = rest.strip_prefix(b": ")?;
        let (function, place) = split_place(rest);
        let function = Some(function).filter(|name| *name != b"???");
        let mut frame = Self { address, function, file: None, line: None, object: None };
        match place {
            Some(Place::Object(object)) => frame.object = Some(object),
            Some(Place::Line(file, line)) => (frame.file, frame.line) = (Some(file), Some(line)),
            None => {}
        }
        Some(frame)
    }
}

enum Place<'a> {
    Object(&'a [u8]),
    Line(&'a [u8], u32),
}

/// The name, and what the last brackets hold. Names of C++ and files hold brackets too, so only a place that can be one is taken.
fn split_place(text: &[u8]) -> (&[u8], Option<Place<'_>>) {
    let Some(inside) = text.strip_suffix(b")") else {
        return (text, None);
    };
    let starts = inside.windows(2).enumerate().filter(|(_, pair)| *pair == b" (").map(|(start, _)| start);
    // An object's path may hold brackets and blanks: the first ` (in /` begins it. A source file may, too, but has no mark.
    let object =
        starts.clone().find(|start| inside.get(*start..).is_some_and(|rest| rest.starts_with(b" (in /")));
    if let Some(start) = object {
        return (before(inside, start), inside.get(start + 5..).map(Place::Object));
    }
    // Brackets of a signature follow the name without a blank, except `(anonymous namespace)` and the like, which have no line.
    let line = starts.filter_map(|start| Some((start, file_and_line(inside.get(start + 2..)?)?))).next();
    match line {
        Some((start, (file, line))) => (before(inside, start), Some(Place::Line(file, line))),
        None => (text, None),
    }
}

fn before(text: &[u8], end: usize) -> &[u8] {
    text.get(..end).unwrap_or_default()
}

fn file_and_line(text: &[u8]) -> Option<(&[u8], u32)> {
    let colon = text.iter().rposition(|byte| *byte == b':')?;
    let (file, line) = text.split_at_checked(colon)?;
    let line = str::from_utf8(line.strip_prefix(b":")?).ok()?.parse().ok()?;
    // A bracket that closes before it opens belongs to the name.
    let mut depth = 0_i32;
    for byte in file {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        if depth < 0 {
            return None;
        }
    }
    (!file.is_empty()).then_some((file, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, function: Option<&str>, file: Option<(&str, u32)>, object: Option<&str>) {
        let frame = Frame::of(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(frame.function, function.map(str::as_bytes), "{text}");
        assert_eq!(frame.file.zip(frame.line), file.map(|(name, line)| (name.as_bytes(), line)), "{text}");
        assert_eq!(frame.object, object.map(str::as_bytes), "{text}");
    }

    #[test]
    fn places_are_taken_apart() {
        check("0x109214: fill (work.c:14)", Some("fill"), Some(("work.c", 14)), None);
        check("0x48: malloc (in /usr/x (1) y.so)", Some("malloc"), None, Some("/usr/x (1) y.so"));
        check("0x48: ??? (in /usr/x.so)", None, None, Some("/usr/x.so"));
        check("0x48: ???", None, None, None);
        check("0x48: main", Some("main"), None, None);
        let name = "std::function<int (long)>::operator()(long) const";
        check(&format!("0x48: {name} (a.h:3)"), Some(name), Some(("a.h", 3)), None);
        check("0x48: (below main) (libc-start.c:5)", Some("(below main)"), Some(("libc-start.c", 5)), None);
        let name = "void (anonymous namespace)::f<int (&)(int)>(int)";
        check(&format!("0x48: {name} (a b.cpp:9)"), Some(name), Some(("a b.cpp", 9)), None);
        check("0x48: f (a, b; (x.c:3).c:14)", Some("f"), Some(("a, b; (x.c:3).c", 14)), None);
    }

    #[test]
    fn other_text_is_no_frame() {
        for text in ["", "main", "0x: f", "12: f", "0x12 f", "0xg: f", "0x12:f"] {
            assert_eq!(Frame::of(text.as_bytes()), None, "{text}");
        }
    }
}
