//! What programs say to databases and servers, recognised from the first bytes on their sockets.
//!
//! Messages come as calls sent and received them, each with its first bytes only. What lies behind them is stepped over
//! by the lengths that protocols carry; a statement that begins there is not seen. Nothing here fails: bytes of no known
//! form are no statement.
//!
//! Checked with PostgreSQL's protocol 3.0, MySQL's client/server protocol 4.1 and later, RESP 2 and 3, HTTP/1.

mod http;
mod mysql;
mod normal;
mod postgres;
mod redis;
mod sqlite;
mod talk;

#[cfg(test)]
mod captured;
#[cfg(test)]
mod garbage;

use std::collections::BTreeMap;

use model::calls::{Calls, Message, Peer, Sent, StatementUse};
use model::{Gap, Nanos};

use talk::{Spoken, Talk};

/// One request, without its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    pub verb: String,
    pub text: String,
}

/// A language that is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    PostgreSql,
    MySql,
    Redis,
    Http,
    Http2,
    Tls,
}

impl Protocol {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PostgreSql => "postgresql",
            Self::MySql => "mysql",
            Self::Redis => "redis",
            Self::Http => "http",
            Self::Http2 => "http/2",
            Self::Tls => "tls",
        }
    }
}

/// Tells of each peer what was asked of it, and of each file its format.
pub fn tell(calls: &mut Calls, messages: &[Message]) {
    let mut talks: BTreeMap<u64, (u32, Talk)> = BTreeMap::new();
    let mut peers: BTreeMap<u32, Heard> = BTreeMap::new();
    for message in messages {
        let Some(peer) = calls.peers.get(message.peer as usize) else { continue };
        let new = || (message.peer, Talk::new(peer.role));
        let (_, talk) = talks.entry(message.connection).or_insert_with(new);
        let heard = peers.entry(message.peer).or_default();
        for spoken in talk.hear(message) {
            heard.add(spoken);
        }
        heard.protocol = talk.protocol().or(heard.protocol);
    }
    for (peer, talk) in talks.values_mut() {
        let heard = peers.entry(*peer).or_default();
        talk.end().into_iter().for_each(|spoken| heard.add(spoken));
    }
    for (at, heard) in peers {
        if let Some(peer) = calls.peers.get_mut(at as usize) {
            calls.gaps.extend(heard.gap(peer));
            heard.finish(peer);
        }
    }
    for file in &mut calls.files {
        file.format = sqlite::format(&file.path, file.head.as_deref()).map(str::to_owned);
    }
}

/// Everything asked of one peer.
#[derive(Default)]
struct Heard {
    protocol: Option<Protocol>,
    requests: u64,
    statements: BTreeMap<Statement, Sum>,
}

#[derive(Default)]
struct Sum {
    count: u64,
    latencies: Vec<Nanos>,
    stacks: BTreeMap<Option<u32>, u64>,
}

impl Heard {
    fn add(&mut self, spoken: Spoken) {
        match spoken {
            Spoken::Asked { statement, stack } => {
                self.requests += 1;
                let sum = self.statements.entry(statement).or_default();
                sum.count += 1;
                *sum.stacks.entry(stack).or_default() += 1;
            }
            Spoken::Answered { statement, after } => {
                self.statements.entry(statement).or_default().latencies.push(after);
            }
        }
    }

    fn gap(&self, peer: &Peer) -> Option<Gap> {
        let address = peer.address.as_deref().unwrap_or("a peer");
        match self.protocol? {
            Protocol::Tls => {
                let what = format!("what is asked of {address}");
                Some(Gap::new(&what, "the connection is encrypted (TLS)", None))
            }
            Protocol::Http2 => {
                let what = format!("what is asked of {address}");
                Some(Gap::new(&what, "HTTP/2 is not read", None))
            }
            _ => None,
        }
    }

    fn finish(self, peer: &mut Peer) {
        peer.protocol = self.protocol.map(|protocol| protocol.name().to_owned());
        let is_read = !matches!(self.protocol, None | Some(Protocol::Tls | Protocol::Http2));
        peer.requests = is_read.then_some(self.requests);
        let mut statements: Vec<StatementUse> = self.statements.into_iter().map(used).collect();
        let order = |statement: &StatementUse| (statement.latency, statement.count);
        statements
            .sort_by(|one, other| order(other).cmp(&order(one)).then_with(|| one.text.cmp(&other.text)));
        peer.statements = statements;
    }
}

fn used((statement, mut sum): (Statement, Sum)) -> StatementUse {
    sum.latencies.sort_unstable();
    let total = sum.latencies.iter().fold(0_u64, |total, one| total.saturating_add(one.as_nanos()));
    let mut stacks: Vec<Sent> = sum.stacks.into_iter().map(|(stack, count)| Sent { stack, count }).collect();
    stacks.sort_by_key(|sent| std::cmp::Reverse(sent.count));
    StatementUse {
        fingerprint: normal::fingerprint(&statement.text),
        verb: statement.verb,
        text: statement.text,
        count: sum.count,
        answered: sum.latencies.len() as u64,
        latency: Nanos::from_nanos(total),
        median: sum.latencies.get(sum.latencies.len() / 2).copied(),
        longest: sum.latencies.last().copied().unwrap_or(Nanos::ZERO),
        stacks,
    }
}
