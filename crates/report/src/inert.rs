//! Makes foreign text harmless, once per output. Names, arguments and paths belong to whoever wrote them: they may
//! hold terminal escapes, newlines, text direction marks or what a table, a browser or a spreadsheet acts upon.

use unicode_width::UnicodeWidthChar;

/// Keeps words together where a line may break; written as a plain space.
pub(crate) const TIE: char = '\u{a0}';

/// Text that a terminal shows and never obeys, on one line.
///
/// Whatever has no width of its own is spelt out: control characters, text direction marks, zero-width joiners, and
/// with them combining marks, because terminals disagree on where those stand. Without `unicode` our own signs get
/// an ASCII stand-in and other characters are spelt out.
pub(crate) fn terminal(text: &str, unicode: bool) -> String {
    let mut inert = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' | TIE => inert.push(character),
            _ if !unicode => match stand_in(character) {
                Some(ascii) => inert.push_str(ascii),
                None => inert.extend(character.escape_unicode()),
            },
            _ if is_visible(character) => inert.push(character),
            _ => inert.extend(character.escape_unicode()),
        }
    }
    inert
}

/// Text for Markdown prose and table cells: renderers show it and act on none of it.
///
/// A pipe or backslash becomes a character reference, because renderers disagree on `\\|` inside a table.
pub(crate) fn markdown(text: &str) -> String {
    let text = terminal(text, true);
    let mut inert = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        match character {
            TIE => inert.push(' '),
            // Before a space it opens no tag.
            '<' if after == ' ' || after == TIE => inert.push('<'),
            '|' | '\\' | '&' | '<' | '>' => inert.push_str(&reference(character)),
            // Inside a word an underscore means nothing.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => inert.push('_'),
            '`' | '*' | '_' | '[' | ']' | '#' | '~' | '$' | '!' => inert.extend(['\\', character]),
            _ => inert.push(character),
        }
        before = character;
    }
    inert
}

/// Verbatim text for Markdown. Most commands become a code span; one with characters that could end the span, the
/// cell or the page is written as references inside `<code>`.
pub(crate) fn markdown_code(text: &str) -> String {
    let text = terminal(text, true).replace(TIE, " ");
    let risky = |character: char| "`|\\&<>".contains(character);
    if text.is_empty() {
        return text;
    }
    if !text.contains(risky) {
        return format!("`{text}`");
    }
    let inner: String = text
        .chars()
        .map(|c| if risky(c) || "*_[]#~$!".contains(c) { reference(c) } else { c.to_string() })
        .collect();
    format!("<code>{inner}</code>")
}

/// One text field of a CSV row: quoted as RFC 4180 asks, on one line, and never a formula to a spreadsheet.
pub(crate) fn csv(text: &str) -> String {
    let formula = text
        .trim_start_matches(' ')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let shown = terminal(text, true).replace(TIE, " ");
    let shown = if formula { format!("'{shown}") } else { shown };
    if shown.contains([',', '"', '\'']) || shown.starts_with(' ') || shown.ends_with(' ') {
        format!("\"{}\"", shown.replace('"', "\"\""))
    } else {
        shown
    }
}

/// Text for XML content and attribute values, on one line. What XML cannot hold at all is spelt out before.
pub(crate) fn xml(text: &str) -> String {
    let shown = terminal(text, true);
    let mut inert = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            TIE => inert.push(' '),
            '&' | '<' | '>' | '"' | '\'' => inert.push_str(&reference(character)),
            // Noncharacters have a width to some libraries, but no place in XML.
            '\u{fffe}' | '\u{ffff}' => inert.extend(character.escape_unicode()),
            _ => inert.push(character),
        }
    }
    inert
}

/// Text for HTML content and attribute values. Words that are tied together stay on one line.
pub(crate) fn html(text: &str) -> String {
    let tied: Vec<String> = text.split(TIE).map(xml).collect();
    tied.join("&#160;")
}

/// A JSON value for a script element, where neither a name nor a string can end the element.
pub(crate) fn script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// JSON that a terminal shows and never obeys: what cannot be seen is escaped, which means the same to every reader.
/// Such characters stand inside strings only; the line ends between them are ours.
pub(crate) fn json(json: &str) -> String {
    let mut inert = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || is_visible(character) {
            inert.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                inert.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    inert
}

fn is_visible(character: char) -> bool {
    // Line and paragraph separator have a width to some libraries and break the line in some terminals.
    !matches!(character, '\u{2028}' | '\u{2029}') && character.width().is_some_and(|width| width > 0)
}

fn reference(character: char) -> String {
    format!("&#{};", u32::from(character))
}

/// The ASCII of a sign that slowpath itself prints.
fn stand_in(character: char) -> Option<&'static str> {
    Some(match character {
        '–' | '░' | '▃' | '─' => "-",
        '…' => "...",
        '×' | '✗' | '╳' => "x",
        '≤' => "<=",
        '≥' => ">=",
        '±' => "+/-",
        '✓' | '▅' | '└' => "+",
        'µ' => "u",
        '•' | '▆' => "*",
        '·' | '│' => "|",
        '→' => "->",
        '▁' | '┄' => ".",
        '\u{2007}' => " ",
        '▂' | '╱' => ":",
        '▄' | '▒' => "=",
        '▇' | '▓' => "%",
        '█' => "#",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_means_the_same_and_shows_everything() {
        let text = "a\u{9b}31m\u{202e}\u{feff}\u{e0041} é 日本";
        let shown = json(&serde_json::to_string(text).unwrap());
        assert!(shown.chars().all(is_visible), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }

    #[test]
    fn nothing_a_terminal_obeys_survives() {
        let nasty = "a\u{1b}[31mb\nc\td\re\u{7}\u{9b}f\u{202e}g\u{200b}h\u{2066}i\u{feff}j\u{2028}k\u{e0041}";
        let shown = terminal(nasty, true);
        assert!(shown.chars().all(is_visible), "{shown:?}");
        assert!(shown.starts_with("a\\u{1b}[31mb\\u{a}c\\u{9}d\\u{d}e"), "{shown}");
        assert!(terminal("naïve – 日本", false).is_ascii());
        assert_eq!(terminal("1–2 µs", false), "1-2 us");
    }

    #[test]
    fn every_character_is_shown_or_spelt_out() {
        for character in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let shown = terminal(&character.to_string(), true);
            assert!(shown.chars().all(|c| c == TIE || is_visible(c)), "{character:?}");
        }
    }

    #[test]
    fn markdown_cannot_be_left() {
        assert_eq!(markdown("a|b\\|c"), "a&#124;b&#92;&#124;c");
        assert_eq!(markdown("p < 0.001"), "p < 0.001");
        assert_eq!(markdown("<img src=x>"), "&#60;img src=x&#62;");
        assert_eq!(markdown("x`y` **z** _e_ a_b [l](u)"), "x\\`y\\` \\*\\*z\\*\\* \\_e\\_ a_b \\[l\\](u)");
        assert_eq!(markdown_code("sort big_file.txt"), "`sort big_file.txt`");
        assert_eq!(markdown_code("a`|b"), "<code>a&#96;&#124;b</code>");
        assert_eq!(markdown_code("</code>"), "<code>&#60;/code&#62;</code>");
        assert!(!markdown("a\n\n# b").contains('\n'));
    }

    #[test]
    fn xml_cannot_be_left() {
        assert_eq!(
            xml("]]><a b='\"'>&\u{1}\u{ffff}"),
            "]]&#62;&#60;a b=&#39;&#34;&#39;&#62;&#38;\\u{1}\\u{ffff}"
        );
    }

    #[test]
    fn a_spreadsheet_computes_nothing() {
        for (text, field) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("-n", "\"'-n\""),
            ("@x", "\"'@x\""),
            ("\tx", "\"'\\u{9}x\""),
            ("\rx", "\"'\\u{d}x\""),
            ("  =x", "\"'  =x\""),
            ("two\nlines", "two\\u{a}lines"),
        ] {
            assert_eq!(csv(text), field);
        }
    }
}
