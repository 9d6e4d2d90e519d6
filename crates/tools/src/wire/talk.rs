//! One connection: which language it speaks, what is asked, and when the answer comes.

use model::Nanos;
use model::calls::{Direction, Message, Role};

use super::{Protocol, Statement, http, mysql, postgres, redis};

/// Messages after which an unknown language stays unknown.
const TRIES: u32 = 8;

/// Something a message told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    Asked { statement: Statement, stack: Option<u32> },
    Answered { statement: Statement, after: Nanos },
}

#[derive(Debug)]
pub(super) struct Talk {
    role: Role,
    language: Language,
    /// Asked and not answered, with the time each was sent.
    open: Vec<(Statement, Nanos)>,
    /// Answered, as far as is known: what comes before the next request belongs to the last answer.
    answered: Vec<(Statement, Nanos)>,
    /// When the last piece of an answer was there.
    heard: Nanos,
}

#[derive(Debug)]
enum Language {
    /// After so many messages.
    Unknown(u32),
    PostgreSql(postgres::Client),
    MySql(mysql::Client),
    Redis,
    Http,
    Http2,
    Tls,
}

impl Talk {
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            language: Language::Unknown(0),
            open: Vec::new(),
            answered: Vec::new(),
            heard: Nanos::ZERO,
        }
    }

    pub(super) fn protocol(&self) -> Option<Protocol> {
        Some(match self.language {
            Language::Unknown(_) => return None,
            Language::PostgreSql(_) => Protocol::PostgreSql,
            Language::MySql(_) => Protocol::MySql,
            Language::Redis => Protocol::Redis,
            Language::Http => Protocol::Http,
            Language::Http2 => Protocol::Http2,
            Language::Tls => Protocol::Tls,
        })
    }

    pub(super) fn hear(&mut self, message: &Message) -> Vec<Spoken> {
        let asks = (message.direction == Direction::Sent) == (self.role == Role::Asks);
        if message.length == 0 {
            return Vec::new();
        }
        if let Language::Unknown(tries) = self.language {
            self.language = recognise(&message.bytes, message.length, asks, tries);
        }
        if asks { self.ask(message) } else { self.answer(message) }
    }

    fn ask(&mut self, message: &Message) -> Vec<Spoken> {
        let (bytes, length) = (&*message.bytes, message.length);
        let statements = match &mut self.language {
            Language::PostgreSql(client) => client.sent(bytes, length),
            Language::MySql(client) => client.sent(bytes, length),
            Language::Redis => redis::requests(bytes),
            Language::Http => http::request(bytes).into_iter().collect(),
            Language::Unknown(_) | Language::Http2 | Language::Tls => Vec::new(),
        };
        self.note_encryption();
        let mut spoken = self.end();
        for statement in statements {
            self.open.push((statement.clone(), message.from));
            spoken.push(Spoken::Asked { statement, stack: message.stack });
        }
        spoken
    }

    /// The first bytes back answer all that was asked: where several requests go together, so do their answers. The rest may
    /// come late: as long as a client waits for more of it, the answer is not over.
    fn answer(&mut self, message: &Message) -> Vec<Spoken> {
        match &mut self.language {
            Language::PostgreSql(client) => client.received(&message.bytes),
            Language::MySql(client) => client.received(&message.bytes),
            _ => {}
        }
        self.note_encryption();
        if self.open.is_empty() {
            self.go_on(message);
            return Vec::new();
        }
        let over = self.end();
        // A server that answers is done when it sends, a client when it has received.
        let at = if self.role == Role::Asks { message.to } else { message.from };
        let begun = self.open.drain(..).filter_map(|(statement, from)| Some((statement, at.minus(from)?)));
        self.answered = begun.collect();
        self.heard = message.to;
        over
    }

    /// More of the last answer. What the program did between two pieces, and did not wait, is no latency.
    fn go_on(&mut self, message: &Message) {
        let waited = message.to.minus(message.from.max(self.heard)).filter(|_| self.role == Role::Asks);
        self.heard = message.to;
        if let (Some((_, after)), Some(waited)) = (self.answered.last_mut(), waited) {
            *after = after.plus(waited).unwrap_or(*after);
        }
    }

    /// What was answered, once nothing more can belong to it.
    pub(super) fn end(&mut self) -> Vec<Spoken> {
        let answered = self.answered.drain(..);
        answered.map(|(statement, after)| Spoken::Answered { statement, after }).collect()
    }

    fn note_encryption(&mut self) {
        let encrypted = match &self.language {
            Language::PostgreSql(client) => client.is_encrypted(),
            Language::MySql(client) => client.is_encrypted(),
            _ => false,
        };
        if encrypted {
            self.language = Language::Tls;
        }
    }
}

fn recognise(bytes: &[u8], length: u64, asks: bool, tries: u32) -> Language {
    if tries >= TRIES {
        return Language::Unknown(tries);
    }
    if asks {
        if let [0x16, 3, 0..=4, ..] = bytes {
            return Language::Tls;
        }
        if bytes.starts_with(b"PRI * HTTP/2.0") {
            return Language::Http2;
        }
        if http::request(bytes).is_some() {
            return Language::Http;
        }
        if redis::is_request(bytes) {
            return Language::Redis;
        }
        if let Some(client) = postgres::Client::recognise(bytes, length) {
            return Language::PostgreSql(client);
        }
    } else if tries == 0 && mysql::is_greeting(bytes) {
        return Language::MySql(mysql::Client::default());
    }
    Language::Unknown(tries + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(direction: Direction, from: u64, to: u64, bytes: &[u8]) -> Message {
        let millis = |millis: u64| Nanos::from_nanos(millis * 1_000_000);
        let length = bytes.len() as u64;
        let bytes = bytes.to_vec();
        Message {
            peer: 0,
            connection: 1,
            direction,
            from: millis(from),
            to: millis(to),
            bytes,
            length,
            stack: None,
        }
    }

    fn latencies(messages: &[Message]) -> Vec<u64> {
        let mut talk = Talk::new(Role::Asks);
        let mut spoken: Vec<Spoken> = messages.iter().flat_map(|message| talk.hear(message)).collect();
        spoken.extend(talk.end());
        let after = spoken.into_iter().filter_map(|one| match one {
            Spoken::Answered { after, .. } => Some(after.as_nanos() / 1_000_000),
            Spoken::Asked { .. } => None,
        });
        after.collect()
    }

    const GET: &[u8] = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

    #[test]
    fn a_request_lasts_until_the_rest_of_its_answer_is_there() {
        use Direction::{Received, Sent};
        let ask = |at: u64| message(Sent, at, at, GET);
        let head = message(Received, 1, 21, b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
        assert_eq!(latencies(&[ask(0), head.clone(), message(Received, 21, 64, b"body"), ask(70)]), [64]);
        // Between the pieces the program worked for 40 ms and waited for 3.
        assert_eq!(latencies(&[ask(0), head.clone(), message(Received, 61, 64, b"body")]), [24]);
        assert_eq!(latencies(&[ask(0), head]), [21]);
    }
}
