//! MySQL's and MariaDB's commands (client/server protocol: packets of a 3-byte length, a number and a body): queries, and
//! prepared statements by their number.

use std::collections::HashMap;

use super::Statement;
use super::normal::{self, Quotes};

const QUERY: u8 = 0x03;
const PREPARE: u8 = 0x16;
const EXECUTE: u8 = 0x17;
const CLOSE: u8 = 0x19;

/// In the capabilities of the client's first packet.
const ENCRYPT: u32 = 0x0800;

/// Prepared statements remembered for one connection.
const MOST: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Client {
    skip: u64,
    /// Sent for preparation and not answered.
    preparing: Option<Statement>,
    prepared: HashMap<u32, Statement>,
    encrypted: bool,
}

/// The server speaks first: version 10, its name as text.
pub(super) fn is_greeting(bytes: &[u8]) -> bool {
    let [_, _, _, 0, 10, version @ ..] = bytes else { return false };
    let end = version.iter().position(|byte| *byte == 0).unwrap_or(version.len());
    let version = version.get(..end).unwrap_or_default();
    version.first().is_some_and(u8::is_ascii_digit) && version.contains(&b'.') && version.is_ascii()
}

impl Client {
    pub(super) fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    pub(super) fn sent(&mut self, bytes: &[u8], length: u64) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut at = self.skip.min(length);
        self.skip -= at;
        while let Some(rest) = usize::try_from(at).ok().and_then(|at| bytes.get(at..)) {
            let [one, two, three, number, body @ ..] = rest else { break };
            let size = u64::from(u32::from_le_bytes([*one, *two, *three, 0]));
            let body =
                body.get(..usize::try_from(size).unwrap_or(usize::MAX).min(body.len())).unwrap_or_default();
            match number {
                0 => statements.extend(self.command(body)),
                1 => self.first(body, size),
                _ => {}
            }
            at = at.saturating_add(size + 4);
        }
        self.skip = self.skip.max(at.saturating_sub(length));
        statements
    }

    fn command(&mut self, body: &[u8]) -> Option<Statement> {
        let (kind, rest) = body.split_first()?;
        let number = rest.first_chunk().map(|number| u32::from_le_bytes(*number));
        match *kind {
            // Since 8.0.23 a count of attributes, mostly none, comes before the text.
            QUERY => normal::sql(rest.strip_prefix(&[0, 1]).unwrap_or(rest), Quotes::Values),
            PREPARE => {
                self.preparing = normal::sql(rest, Quotes::Values);
                None
            }
            EXECUTE => {
                let unknown = || Statement { verb: "EXECUTE".to_owned(), text: "EXECUTE ?".to_owned() };
                Some(self.prepared.get(&number?).cloned().unwrap_or_else(unknown))
            }
            CLOSE => {
                self.prepared.remove(&number?);
                None
            }
            _ => None,
        }
    }

    /// The client's answer to the greeting; a short one only asks for encryption.
    fn first(&mut self, body: &[u8], size: u64) {
        let capabilities = body.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        self.encrypted = size == 32 && capabilities.is_some_and(|bits| bits & ENCRYPT != 0);
    }

    /// `length number 0 statement…` answers a preparation.
    pub(super) fn received(&mut self, bytes: &[u8]) {
        let Some(statement) = self.preparing.take() else { return };
        if let [_, _, _, 1, 0, rest @ ..] = bytes
            && let Some(number) = rest.first_chunk()
            && self.prepared.len() < MOST
        {
            self.prepared.insert(u32::from_le_bytes(*number), statement);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(number: u8, body: &[u8]) -> Vec<u8> {
        let [one, two, three, _] = u32::try_from(body.len()).unwrap().to_le_bytes();
        [&[one, two, three, number][..], body].concat()
    }

    fn texts(client: &mut Client, bytes: &[u8]) -> Vec<String> {
        client.sent(bytes, bytes.len() as u64).into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn queries_and_prepared_statements_are_told() {
        assert!(is_greeting(&packet(0, b"\x0a8.0.36\0rest")));
        assert!(!is_greeting(b"HTTP/1.1 200 OK"));
        let mut client = Client::default();
        assert!(texts(&mut client, &packet(1, &[0; 100])).is_empty());
        assert_eq!(texts(&mut client, &packet(0, b"\x03SELECT \"x\", 5")), ["SELECT ?, ?"]);
        assert_eq!(texts(&mut client, &packet(0, b"\x03\x00\x01SELECT 5")), ["SELECT ?"]);
        assert!(texts(&mut client, &packet(0, b"\x16SELECT ? FROM t")).is_empty());
        client.received(&packet(1, b"\x00\x07\x00\x00\x00\x01\x00"));
        let execute = packet(0, b"\x17\x07\x00\x00\x00\x00\x01\x00\x00\x00");
        assert_eq!(texts(&mut client, &execute), ["SELECT ? FROM t"]);
        assert_eq!(texts(&mut client, &packet(0, b"\x17\x09\x00\x00\x00")), ["EXECUTE ?"]);
        assert!(texts(&mut client, &packet(0, b"\x0e")).is_empty());
    }

    #[test]
    fn a_request_for_encryption_is_noticed() {
        let mut client = Client::default();
        client.sent(&packet(1, &[&ENCRYPT.to_le_bytes()[..], &[0; 28]].concat()), 36);
        assert!(client.is_encrypted());
    }
}
