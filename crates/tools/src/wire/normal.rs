//! Texts without their values, so that requests of one kind look alike.

use super::Statement;

/// As much of a text as is kept.
const LONGEST: usize = 600;

/// What stands in double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Standard SQL.
    Names,
    /// MySQL as it comes.
    Values,
}

/// A short number for a text (FNV-1a, 64 bits), in hexadecimal.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Whether bytes can be part of a text somebody wrote.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    !bytes.is_empty() && bytes.iter().all(|byte| *byte >= b' ' || b"\t\r\n".contains(byte))
}

/// An SQL statement. `None` when there is no word in it.
pub(super) fn sql(bytes: &[u8], quotes: Quotes) -> Option<Statement> {
    let text = String::from_utf8_lossy(bytes);
    let tokens = tokens(&text, quotes);
    let verb = tokens.iter().find(|token| token.starts_with(|first: char| first.is_ascii_alphabetic()))?;
    let verb = verb.to_ascii_uppercase();
    let mut text = String::new();
    let mut tokens = lists_shortened(&tokens);
    tokens.truncate(tokens.iter().rposition(|token| *token != ";").map_or(0, |last| last + 1));
    for token in tokens {
        if text.len() + token.len() > LONGEST {
            text.push('…');
            break;
        }
        if wants_space(&text, token) {
            text.push(' ');
        }
        text.push_str(token);
    }
    Some(Statement { verb, text })
}

fn wants_space(before: &str, token: &str) -> bool {
    let Some(last) = before.chars().next_back() else { return false };
    let joins = |character: char| "(.".contains(character);
    !joins(last) && !matches!(token, "," | ")" | ";" | "." | "(")
        || (token == "(" && !last.is_alphanumeric() && !joins(last))
}

/// Words, signs and `?` for values; spaces and comments are left out.
fn tokens(text: &str, quotes: Quotes) -> Vec<&str> {
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, kept) = token(rest, first, quotes);
        let (token, after) = rest.split_at(length);
        match kept {
            Kept::Nothing => {}
            Kept::Itself => tokens.push(token),
            Kept::Mark => {
                // The mark of a string's kind, as in E'…', is part of the value.
                if token.starts_with('\'')
                    && tokens.last().is_some_and(|last| is_prefix(last))
                    && glued(text, rest)
                {
                    tokens.pop();
                }
                tokens.push("?");
            }
        }
        rest = after;
    }
    tokens
}

fn is_prefix(token: &str) -> bool {
    ["e", "b", "x", "n", "E", "B", "X", "N"].contains(&token)
}

/// Whether nothing lies between the token before `rest` and `rest`.
fn glued(text: &str, rest: &str) -> bool {
    let before = text.get(..text.len() - rest.len()).unwrap_or_default();
    before.ends_with(|last: char| last.is_alphanumeric())
}

enum Kept {
    Nothing,
    Itself,
    Mark,
}

/// How long the first token is, and what becomes of it.
fn token(rest: &str, first: char, quotes: Quotes) -> (usize, Kept) {
    let up_to = |end: Option<usize>| end.unwrap_or(rest.len());
    match first {
        _ if first.is_whitespace() || first == '\0' => (first.len_utf8(), Kept::Nothing),
        '-' if rest.starts_with("--") => (up_to(rest.find('\n')), Kept::Nothing),
        '/' if rest.starts_with("/*") => (up_to(rest.find("*/").map(|end| end + 2)), Kept::Nothing),
        '\'' => (quoted(rest, '\''), Kept::Mark),
        '"' if quotes == Quotes::Values => (quoted(rest, '"'), Kept::Mark),
        '"' | '`' => (quoted(rest, first), Kept::Itself),
        '$' => dollar(rest),
        '?' => (1, Kept::Itself),
        '0'..='9' => (span(rest, |one| one.is_ascii_alphanumeric() || one == '.'), Kept::Mark),
        _ if first.is_alphanumeric() || first == '_' || first == '@' => {
            (span(rest, |one| one.is_alphanumeric() || "_@$".contains(one)), Kept::Itself)
        }
        _ => (first.len_utf8(), Kept::Itself),
    }
}

/// `$1`, or `$tag$ … $tag$`.
fn dollar(rest: &str) -> (usize, Kept) {
    let after = rest.get(1..).unwrap_or_default();
    let word = span(after, |one| one.is_alphanumeric() || one == '_');
    if !after.get(word..).is_some_and(|rest| rest.starts_with('$')) {
        return (1 + word, if word == 0 { Kept::Itself } else { Kept::Mark });
    }
    let tag = rest.get(..word + 2).unwrap_or("$$");
    let inner = rest.get(tag.len()..).unwrap_or_default();
    (inner.find(tag).map_or(rest.len(), |end| tag.len() * 2 + end), Kept::Mark)
}

fn span(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|one: char| !holds(one)).unwrap_or(text.len())
}

/// Up to the closing quote; a doubled or escaped one does not close. A cut text ends where it is cut.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' && quote != '`' {
            letters.next();
        } else if letter == quote {
            if letters.peek().is_some_and(|(_, next)| *next == quote) {
                letters.next();
            } else {
                return at + 1;
            }
        }
    }
    text.len()
}

/// `(?, ?, ?)` becomes `(?)`, and of several such rows one remains: how many there are is a value too.
fn lists_shortened<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut short: Vec<&str> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match (*token, &*short) {
            ("?", [.., "(", "?", ","]) => {
                short.pop();
            }
            (")", [.., "(", "?", ")", ",", "(", "?"]) => short.truncate(short.len() - 3),
            _ => short.push(token),
        }
    }
    short
}

/// A key of Redis: its letters, with `?` for what looks like a number or an id.
pub(super) fn key(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(80)).unwrap_or_default());
    let parts = text.split_inclusive(|one: char| ":/.-_|{}".contains(one) || one.is_control());
    parts.map(part).collect()
}

/// The target of an HTTP request: path parts that look like ids, and all values of a query, become `?`.
pub(super) fn target(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(LONGEST)).unwrap_or_default());
    let (path, query) = text.split_once('?').map_or((&*text, None), |(path, query)| (path, Some(query)));
    let mut target: String = path.split_inclusive('/').map(part).collect();
    if let Some(query) = query {
        let names = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}=?"),
            None => pair.to_owned(),
        });
        target.push('?');
        target.push_str(&names.collect::<Vec<_>>().join("&"));
    }
    target
}

/// A part with its separator: a name stays, an id becomes `?`.
fn part(part: &str) -> String {
    let name = part.trim_end_matches(|one: char| ":/.-_|{}".contains(one) || one.is_control());
    let separator = part.get(name.len()..).unwrap_or_default();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    let is_id = !name.is_empty() && (digits * 2 >= name.chars().count() || (digits > 0 && name.len() >= 16));
    let separator: String = separator.chars().filter(|one| !one.is_control()).collect();
    format!("{}{separator}", if is_id { "?" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        assert_eq!(sql(text.as_bytes(), Quotes::Names).unwrap().text, wanted, "{text}");
    }

    #[test]
    fn values_become_marks_and_names_stay() {
        check(
            "select a1, b FROM t2 WHERE x=17 and y = 'it''s'",
            "select a1, b FROM t2 WHERE x = ? and y = ?",
        );
        check("SELECT  *\n FROM t -- why\n WHERE id = $1", "SELECT * FROM t WHERE id = ?");
        check("/* trace 17 */ SELECT \"a b\".c, 1.5e3, 0xff", "SELECT \"a b\".c, ?, ?");
        check("SELECT E'a\\'b', $$body 'x'$$, $f$ $$ $f$", "SELECT ?, ?, ?");
        check("INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y'), (3, 'z')", "INSERT INTO t(a, b) VALUES(?)");
        check("SELECT 1 WHERE a IN (1,2,3) AND f(1)", "SELECT ? WHERE a IN(?) AND f(?)");
        let values = sql(b"SELECT \"text\"", Quotes::Values).unwrap();
        assert_eq!((&*values.verb, &*values.text), ("SELECT", "SELECT ?"));
    }

    #[test]
    fn texts_that_differ_in_values_only_have_one_fingerprint() {
        let print = |text: &str| fingerprint(&sql(text.as_bytes(), Quotes::Names).unwrap().text);
        assert_eq!(print("SELECT a FROM t WHERE id IN (1, 2)"), print("SELECT a  FROM t WHERE id IN (3)"));
        assert_ne!(print("SELECT a FROM t"), print("SELECT b FROM t"));
        assert_eq!(fingerprint(""), "cbf29ce484222325");
    }

    #[test]
    fn nothing_to_say_is_no_statement() {
        for text in ["", " ;", "-- only\n", "17", "'cut"] {
            assert_eq!(sql(text.as_bytes(), Quotes::Names), None, "{text}");
        }
    }

    #[test]
    fn keys_and_targets_lose_their_ids() {
        assert_eq!(key(b"user:17:name"), "user:?:name");
        assert_eq!(key(b"sess_0f3a9b1c2d4e5f60"), "sess_?");
        assert_eq!(key(b"md5"), "md5");
        assert_eq!(target(b"/a/17/b?x=1&y&z=a=b"), "/a/?/b?x=?&y&z=?");
        assert_eq!(target(b"/v1/items"), "/?/items");
    }
}
