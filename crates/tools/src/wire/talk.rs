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
        Self { role, language: Language::Unknown(0), open: Vec::new() }
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
        let mut spoken = Vec::with_capacity(statements.len());
        for statement in statements {
            self.open.push((statement.clone(), message.from));
            spoken.push(Spoken::Asked { statement, stack: message.stack });
        }
        spoken
    }

    /// The first bytes back answer all that was asked: where several requests go together, so do their answers.
    fn answer(&mut self, message: &Message) -> Vec<Spoken> {
        match &mut self.language {
            Language::PostgreSql(client) => client.received(&message.bytes),
            Language::MySql(client) => client.received(&message.bytes),
            _ => {}
        }
        self.note_encryption();
        // A server that answers is done when it sends, a client when it has received.
        let at = if self.role == Role::Asks { message.to } else { message.from };
        let answered = self
            .open
            .drain(..)
            .filter_map(|(statement, from)| Some(Spoken::Answered { statement, after: at.minus(from)? }));
        answered.collect()
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
