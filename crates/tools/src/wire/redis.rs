//! Commands of Redis and its kin as RESP arrays: `*2␍␊$3␍␊GET␍␊$6␍␊user:7␍␊`.

use super::Statement;
use super::normal;

/// Arguments of one command that are read.
const MOST: usize = 64;

pub(super) fn is_request(bytes: &[u8]) -> bool {
    command(bytes).is_some()
}

/// The commands that begin in these bytes. A message that begins inside of one tells nothing.
pub(super) fn requests(bytes: &[u8]) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut rest = bytes;
    while let Some((statement, after)) = command(rest) {
        statements.push(statement);
        rest = after;
    }
    statements
}

/// One command, as far as it was captured, and what follows; nothing does where it was cut.
fn command(bytes: &[u8]) -> Option<(Statement, &[u8])> {
    let (count, mut rest) = number(bytes.strip_prefix(b"*")?)?;
    if !(1..=1 << 20).contains(&count) {
        return None;
    }
    let (verb, mut after) = argument(rest)?;
    let verb = std::str::from_utf8(verb).ok().filter(|verb| !verb.is_empty() && verb.len() <= 32)?;
    if !verb.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
        return None;
    }
    let verb = verb.to_ascii_uppercase();
    let mut text = verb.clone();
    rest = after;
    for at in 1..count.min(MOST) {
        let Some((argument, next)) = argument(rest) else {
            rest = &[];
            break;
        };
        match at {
            // The key tells what it is about, its numbers do not; of all else there may be any number.
            1 => text.push_str(&format!(" {}", normal::key(argument))),
            2 => text.push_str(" ?"),
            _ => {}
        }
        rest = next;
        after = next;
    }
    let whole = count <= MOST && !rest.is_empty() || after.is_empty();
    Some((Statement { verb, text }, if whole { rest } else { &[] }))
}

/// `$6␍␊user:7␍␊`. `None` when it is cut.
fn argument(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = number(bytes.strip_prefix(b"$")?)?;
    let (argument, rest) = rest.split_at_checked(length)?;
    Some((argument, rest.strip_prefix(b"\r\n")?))
}

/// Digits up to the end of a line.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(12).position(|byte| *byte == b'\r')?;
    let (digits, rest) = bytes.split_at_checked(end)?;
    let number =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some((number.parse().ok()?, rest.strip_prefix(b"\r\n")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<String> {
        requests(bytes).into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn commands_are_told_with_the_pattern_of_their_key() {
        let get = b"*2\r\n$3\r\nget\r\n$7\r\nuser:17\r\n";
        let set = b"*3\r\n$3\r\nSET\r\n$6\r\nuser:7\r\n$5\r\nhello\r\n";
        assert_eq!(texts(get), ["GET user:?"]);
        assert_eq!(texts(set), ["SET user:? ?"]);
        assert_eq!(texts(b"*1\r\n$4\r\nPING\r\n"), ["PING"]);
        assert_eq!(texts(&[&get[..], set].concat()), ["GET user:?", "SET user:? ?"]);
    }

    #[test]
    fn a_cut_command_is_told_and_a_piece_of_a_value_is_not() {
        let set = b"*3\r\n$3\r\nSET\r\n$6\r\nuser:7\r\n$5000\r\nhello";
        assert_eq!(texts(set), ["SET user:?"]);
        assert_eq!(texts(b"hello\r\n*1\r\n$4\r\nPING\r\n"), [""; 0]);
        assert_eq!(texts(b"*2\r\n$3\r\nGE"), [""; 0]);
        assert_eq!(texts(b"*0\r\n"), [""; 0]);
        assert_eq!(texts(b"*99999999999\r\n$3\r\nGET\r\n"), [""; 0]);
    }
}
