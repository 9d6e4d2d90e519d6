//! PostgreSQL's frontend messages (protocol 3.0, "Message Formats" of its manual): simple queries, and parse, bind and
//! execute.

use std::collections::HashMap;

use super::Statement;
use super::normal::{self, Quotes};

/// Codes in the place of a version, in the first message.
const VERSION_3: u32 = 0x0003_0000;
const CANCEL: u32 = 80_877_102;
const ENCRYPT: [u32; 2] = [80_877_103, 80_877_104];

/// Prepared statements remembered for one connection.
const MOST: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Client {
    /// The message without a kind, which comes first, is over.
    started: bool,
    /// Encryption was asked for and not answered.
    asked_encryption: bool,
    encrypted: bool,
    /// Bytes of the current message that are still to come.
    skip: u64,
    prepared: HashMap<Vec<u8>, Statement>,
}

impl Client {
    /// `None` when the bytes do not begin a conversation, nor go on with one that nobody saw begin.
    pub(super) fn recognise(bytes: &[u8], length: u64) -> Option<Self> {
        let code = bytes.get(4..)?.first_chunk().map(|code| u32::from_be_bytes(*code));
        let size = bytes.first_chunk().map(|size| u64::from(u32::from_be_bytes(*size)))?;
        if code.is_some_and(|code| code == VERSION_3 || code == CANCEL || ENCRYPT.contains(&code))
            && size == length
        {
            return Some(Self::default());
        }
        let (kind, size) = head(bytes)?;
        let begins = matches!(kind, b'Q' | b'P' | b'B') && size < length && size > 4;
        // A query is text, and its message ends where the call does.
        let text = bytes.get(5..).unwrap_or_default();
        let plausible = kind != b'Q' || (size + 1 == length && normal::is_text(text));
        (begins && plausible && chained(bytes, length)).then(|| Self { started: true, ..Self::default() })
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// What one call sent: its first bytes, and how many there were.
    pub(super) fn sent(&mut self, bytes: &[u8], length: u64) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut fresh = None;
        let mut at = self.skip.min(length);
        self.skip -= at;
        while let Some(rest) =
            usize::try_from(at).ok().and_then(|at| bytes.get(at..)).filter(|rest| !rest.is_empty())
        {
            let Some(size) = self.step(rest, &mut statements, &mut fresh) else { break };
            at = at.saturating_add(size);
        }
        self.skip = self.skip.max(at.saturating_sub(length));
        // It was prepared to be executed in the same breath, but that part was not captured.
        let cut = u64::try_from(bytes.len()).is_ok_and(|seen| seen < length);
        statements.extend(fresh.filter(|_| cut && statements.is_empty()));
        statements
    }

    /// One message; its size. `None` when it does not begin like one.
    fn step(&mut self, bytes: &[u8], out: &mut Vec<Statement>, fresh: &mut Option<Statement>) -> Option<u64> {
        if !self.started {
            let size = u32::from_be_bytes(*bytes.first_chunk()?);
            let code = bytes.get(4..)?.first_chunk().map(|code| u32::from_be_bytes(*code))?;
            self.asked_encryption = ENCRYPT.contains(&code);
            self.started = !self.asked_encryption;
            return Some(u64::from(size.max(8)));
        }
        let (kind, size) = head(bytes)?;
        let end = usize::try_from(size).ok()?.saturating_add(1).min(bytes.len());
        let body = bytes.get(5..end).unwrap_or_default();
        match kind {
            b'Q' => out.extend(normal::sql(field(body).0, Quotes::Names)),
            b'P' => {
                let (name, rest) = field(body);
                let statement = normal::sql(field(rest).0, Quotes::Names);
                if let Some(statement) = statement.clone().filter(|_| self.prepared.len() < MOST) {
                    self.prepared.insert(name.to_owned(), statement);
                }
                *fresh = statement;
            }
            b'B' => {
                let (_, rest) = field(body);
                out.extend(self.prepared.get(field(rest).0).cloned());
                *fresh = None;
            }
            _ => {}
        }
        Some(size.saturating_add(1))
    }

    pub(super) fn received(&mut self, bytes: &[u8]) {
        if std::mem::take(&mut self.asked_encryption) {
            self.encrypted = matches!(bytes.first(), Some(b'S' | b'G'));
        }
    }
}

/// Kind and size; the size counts itself but not the kind.
fn head(bytes: &[u8]) -> Option<(u8, u64)> {
    let (kind, rest) = bytes.split_first()?;
    let size = u64::from(u32::from_be_bytes(*rest.first_chunk()?));
    (size >= 4).then_some((*kind, size))
}

/// Whether messages follow each other as far as the bytes go.
fn chained(bytes: &[u8], length: u64) -> bool {
    let mut at = 0_u64;
    while let Some(rest) =
        usize::try_from(at).ok().and_then(|at| bytes.get(at..)).filter(|rest| rest.len() >= 5)
    {
        match head(rest) {
            Some((kind, size)) if kind.is_ascii_alphabetic() => {
                at = at.saturating_add(size).saturating_add(1)
            }
            _ => return false,
        }
    }
    at <= length
}

/// A text up to its zero byte, and what follows. A cut text is what there is.
fn field(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(end);
    (text, rest.get(1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let size = u32::try_from(body.len() + 4).unwrap();
        [&[kind][..], &size.to_be_bytes(), body].concat()
    }

    fn startup() -> Vec<u8> {
        let body = b"user\0me\0database\0base\0\0";
        let size = u32::try_from(body.len() + 8).unwrap();
        [&size.to_be_bytes()[..], &VERSION_3.to_be_bytes(), body].concat()
    }

    fn texts(client: &mut Client, bytes: &[u8]) -> Vec<String> {
        let statements = client.sent(bytes, bytes.len() as u64);
        statements.into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn simple_and_prepared_queries_are_told_when_they_run() {
        let mut client = Client::recognise(&startup(), startup().len() as u64).unwrap();
        assert!(texts(&mut client, &startup()).is_empty());
        assert!(texts(&mut client, &message(b'p', b"secret\0")).is_empty());
        let query = message(b'Q', b"SELECT * FROM people WHERE id = 17\0");
        assert_eq!(texts(&mut client, &query), ["SELECT * FROM people WHERE id = ?"]);
        let prepare = [message(b'P', b"one\0SELECT $1\0\0\0"), message(b'S', b"")].concat();
        assert!(texts(&mut client, &prepare).is_empty());
        let run = [message(b'B', b"\0one\0\0\0\0\0\0\0"), message(b'E', b"\0\0\0\0\0"), message(b'S', b"")]
            .concat();
        assert_eq!(texts(&mut client, &run), ["SELECT ?"]);
        assert_eq!(texts(&mut client, &run), ["SELECT ?"]);
        let unnamed = [message(b'P', b"\0DELETE FROM t\0\0\0"), message(b'B', b"\0\0\0\0\0\0\0\0")].concat();
        assert_eq!(texts(&mut client, &unnamed), ["DELETE FROM t"]);
    }

    #[test]
    fn a_long_message_is_stepped_over() {
        let mut client = Client { started: true, ..Client::default() };
        let long = message(b'Q', &[&b"INSERT INTO t VALUES ("[..], &[b'1'; 1000], b")\0"].concat());
        let told = client.sent(&long[..100], long.len() as u64);
        assert_eq!(told.len(), 1);
        // The same in two calls.
        assert_eq!(client.sent(&long[..50], 50).len(), 1);
        assert!(client.sent(&long[50..150], long.len() as u64 - 50).is_empty());
        let next = message(b'Q', b"SELECT 1\0");
        assert_eq!(texts(&mut client, &next), ["SELECT ?"]);
        let prepared = message(b'P', &[&b"\0SELECT "[..], &[b'x'; 500], b"\0\0\0"].concat());
        let whole = [prepared, message(b'B', b"\0\0\0\0\0\0\0\0")].concat();
        assert_eq!(client.sent(&whole[..64], whole.len() as u64).len(), 1);
    }

    #[test]
    fn encryption_is_noticed_when_it_is_granted() {
        let ask = [8_u32.to_be_bytes(), ENCRYPT[0].to_be_bytes()].concat();
        for (answer, encrypted) in [(b"S", true), (b"N", false)] {
            let mut client = Client::recognise(&ask, 8).unwrap();
            client.sent(&ask, 8);
            client.received(answer);
            assert_eq!(client.is_encrypted(), encrypted);
        }
    }

    #[test]
    fn a_conversation_joined_late_is_recognised_by_whole_messages() {
        let query = message(b'Q', b"SELECT 1\0");
        assert!(Client::recognise(&query, query.len() as u64).is_some());
        assert!(Client::recognise(b"Quite another thing", 19).is_none());
    }
}
