//! A traced run made up: a database, a file read over again, a pipe, and a call that moves nothing.

use model::calls::{Calls, Errors, FileUse, On, Peer, Role, Row, SCHEMA, Sent, StatementUse, Totals};
use model::recording::Object;
use model::{Gap, Nanos};

use super::recordings::{MS, recording};

fn row(call: &str, on: Option<On>, bytes: Option<u64>, millis: u64) -> Row {
    Row {
        call: call.to_owned(),
        on,
        stack: Some(2),
        count: 120,
        seen: 100,
        requested: bytes,
        bytes,
        latency: Nanos::from_nanos(millis * MS),
        longest: Nanos::from_nanos(millis * MS / 10),
        sizes: if bytes.is_some() { vec![1, 0, 0, 40, 59] } else { Vec::new() },
        errors: vec![Errors { error: "EINTR".to_owned(), count: 1 }],
        sequential: None,
        overlapping: None,
        reread: None,
    }
}

/// Every name in it is `text`, if there is one.
pub(crate) fn calls(text: Option<&str>) -> Calls {
    let named = |name: &str| text.unwrap_or(name).to_owned();
    let recorded = recording();
    let statement = |verb: &str, answered: u64| StatementUse {
        verb: verb.to_owned(),
        text: named("SELECT name FROM user WHERE id = ?"),
        fingerprint: "0a".to_owned(),
        count: 200,
        answered,
        latency: Nanos::from_nanos(80 * MS),
        median: (answered > 0).then(|| Nanos::from_nanos(MS)),
        longest: Nanos::from_nanos(9 * MS),
        stacks: vec![Sent { stack: Some(2), count: 200 }],
    };
    Calls {
        schema: SCHEMA.to_owned(),
        wall: Nanos::from_nanos(1500 * MS),
        watched: Nanos::from_nanos(1500 * MS),
        tracing: Some(Nanos::from_nanos(12_000)),
        totals: Totals { calls: 480, seen: 400, unwatched: 3, stacks: 9, cut_stacks: 1 },
        rows: vec![
            row("recvfrom", Some(On::Peer(0)), Some(8192), 300),
            row("recvfrom", Some(On::Peer(0)), Some(8192), 20),
            row("read", Some(On::File(0)), Some(65_536), 40),
            row("fdatasync", Some(On::File(0)), None, 30),
            row("write", Some(On::Other(0)), Some(0), 2),
            Row { stack: None, ..row(&named("futex"), Some(On::File(99)), None, 1) },
        ],
        files: vec![FileUse {
            path: named("/srv/app/settings.ini"),
            format: Some(named("SQLite database")),
            opens: 12,
            failures: 2,
            reads: 100,
            read_bytes: 65_536,
            distinct_read_bytes: Some(4096),
            syncs: 120,
            sync: Nanos::from_nanos(30 * MS),
            maps: 1,
            ..FileUse::default()
        }],
        peers: vec![Peer {
            family: "tcp".to_owned(),
            address: Some(named("127.0.0.1:5432")),
            role: Role::Asks,
            process: None,
            connections: 1,
            again: 0,
            refused: 1,
            sends: 200,
            sent_bytes: 9000,
            receives: 240,
            received_bytes: 8192,
            protocol: Some(named("postgresql")),
            requests: None,
            sleeps: 0,
            slept: Nanos::ZERO,
            stalls: 0,
            stalled: Nanos::ZERO,
            stalled_at: None,
            statements: vec![statement("SELECT", 199), statement("INSERT", 0)],
        }],
        others: vec![Object::Pipe { inode: 7 }],
        processes: Vec::new(),
        modules: recorded.modules,
        frames: recorded.frames,
        nodes: recorded.nodes,
        run: None,
        gaps: vec![Gap::new("calls", "none", None)],
    }
}
