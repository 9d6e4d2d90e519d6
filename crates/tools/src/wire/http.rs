//! The first line of an HTTP/1 request, and its host.

use super::Statement;
use super::normal;

const METHODS: [&str; 9] = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "CONNECT", "TRACE"];

/// `None` when a message does not begin with a request: it may be the body of one.
pub(super) fn request(bytes: &[u8]) -> Option<Statement> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let line = bytes.get(..end.unwrap_or(bytes.len()))?;
    let mut words = line.trim_ascii_end().splitn(3, |byte| *byte == b' ');
    let method = std::str::from_utf8(words.next()?).ok().filter(|word| METHODS.contains(word))?;
    let target = words.next().filter(|target| !target.is_empty())?;
    match words.next() {
        Some(version) if version.starts_with(b"HTTP/1.") => {}
        // A long target was cut.
        None if end.is_none() && target.len() > 100 => {}
        _ => return None,
    }
    let host = host(bytes).unwrap_or_default();
    let text = format!("{method} {host}{}", normal::target(target));
    Some(Statement { verb: method.to_owned(), text })
}

fn host(bytes: &[u8]) -> Option<String> {
    let lines = bytes.split(|byte| *byte == b'\n').skip(1).take_while(|line| !line.trim_ascii().is_empty());
    let value = lines.filter(|line| line.ends_with(b"\r")).find_map(|line| {
        let (name, value) = line.split_at_checked(5)?;
        name.eq_ignore_ascii_case(b"host:").then_some(value)
    })?;
    let host = std::str::from_utf8(value.trim_ascii()).ok()?;
    host.bytes().all(|byte| byte.is_ascii_graphic()).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_without_their_values() {
        let check = |bytes: &[u8], wanted: Option<&str>| {
            assert_eq!(request(bytes).map(|statement| statement.text).as_deref(), wanted);
        };
        check(
            b"GET /item/17?page=2&q=x HTTP/1.1\r\nHost: a.example:80\r\n\r\n",
            Some("GET a.example:80/item/??page=?&q=?"),
        );
        check(b"POST / HTTP/1.0\r\n\r\nbody", Some("POST /"));
        check(b"GET /a HTTP/1.1\r\nHost: cut", Some("GET /a"));
        check(b"{\"some\": \"body\"}", None);
        check(b"GETAWAY / HTTP/1.1\r\n", None);
        check(b"GET ", None);
        check(b"GET / FTP/1.1\r\n", None);
    }
}
