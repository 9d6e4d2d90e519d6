//! What the traced calls of a place say.

use std::collections::{BTreeMap, BTreeSet};

use model::calls::{Calls, On, Peer, Role, Row};
use model::profile::Place;
use model::recording::{Frame, Object, Owner};

use super::facts::{Contexts, RECORDER};
use super::naming::place_of;
use super::subject::Subject;
use crate::profile::name_without_symbols;
use crate::profile::spots::Spot;

pub(super) const CALLS: (&str, &str) = (model::calls::CALLS, "tracer");

/// Who makes a file asks for it up to so many times: opens it, looks at it, renames it.
const ONCE: u64 = 5;

/// Seconds that the slowest of parsers take for a byte, …
const PARSED: f64 = 1e-7;

/// … and the part of the run that reading and parsing the same again must take, at that pace, to be noticed.
const NOTICED: f64 = 0.01;

/// So many of the reads begin inside what the one before has read: now and then that is a step back.
const MOSTLY: f64 = 0.5;

/// Notes the calls on files that the user's function at a place makes, itself or through libraries.
pub(super) fn note_files(subject: &mut Subject, calls: Option<&Calls>, place: &Place) {
    let Some(calls) = calls else { return };
    if place.is_nameless() {
        // Which of its functions asks for what is not known; whether it goes through many files is.
        let rows: Vec<&Row> = calls.rows.iter().filter(|row| is_through(calls, row, place)).collect();
        super::per_file::note(subject, &rows);
        return;
    }
    let from = calls.rows.iter().filter(|row| is_from(calls, row, place));
    let rows: Vec<&Row> = from.filter(|row| !is_ours(calls, row)).collect();
    if rows.is_empty() {
        return;
    }
    note_messages(subject, calls, &rows);
    let sum = |wanted: &dyn Fn(&Row) -> u64| rows.iter().map(|row| wanted(row)).sum::<u64>() as f64;
    let transfers =
        |row: &Row| if row.bytes.is_some() && matches!(row.on, Some(On::File(_))) { row.seen } else { 0 };
    let count = sum(&transfers);
    if count > 0.0 {
        let bytes = sum(&|row| if transfers(row) > 0 { row.bytes.unwrap_or(0) } else { 0 });
        let overlapping = sum(&|row| row.overlapping.unwrap_or(0)) / count;
        if overlapping >= MOSTLY {
            // What each moves has mostly been moved before.
            subject.number("io.overlapping", overlapping, "1", CALLS);
            subject.word("way", "overlapping".to_owned());
        } else {
            subject.number("io.bytes", bytes / count, "B", CALLS);
        }
        subject.number("io.sequential", sum(&|row| row.sequential.unwrap_or(0)) / count, "1", CALLS);
    }
    let syncs = sum(&|row| if is_sync(&row.call) { row.count } else { 0 });
    subject.number("io.syncs", syncs, "count", CALLS);
    if syncs > 0.0 {
        subject.number(
            "io.records",
            sum(&|row| if row.call.contains("write") { row.count } else { 0 }) / syncs,
            "x",
            CALLS,
        );
    }
    super::per_file::note(subject, &rows);
    let mut looked_up: BTreeMap<Option<On>, u64> = BTreeMap::new();
    for row in rows.iter().filter(|row| super::per_file::is_lookup(row)) {
        *looked_up.entry(row.on).or_default() += row.count;
    }
    let again: u64 = looked_up.values().map(|count| count.saturating_sub(ONCE)).sum();
    let fresh = looked_up.values().sum::<u64>() - again;
    // Folders on the way to each new file are looked up with it.
    subject.number("io.lookups", again.saturating_sub(fresh) as f64, "count", CALLS);
    let file = |row: &Row| match row.on {
        Some(On::File(file)) => {
            let other = |path: &str| super::known::is_for_connecting(path) || super::known::is_news(path);
            calls.files.get(file as usize).filter(|file| !other(&file.path))
        }
        _ => None,
    };
    if let Some(most) = rows.iter().filter_map(|row| file(row)).max_by_key(|file| file.opens) {
        subject.number("io.repeated-opens", most.opens as f64, "count", CALLS);
        subject.word("file", most.path.clone());
    }
    // What it only writes, others read.
    let read = rows.iter().filter(|row| row.call.contains("read")).filter_map(|row| file(row));
    let reread = read.filter_map(|file| {
        let distinct = file.distinct_read_bytes.filter(|distinct| *distinct > 0)?;
        // The head of a library, which its loader reads four times, costs nobody anything.
        let again = file.read_bytes.saturating_sub(distinct) as f64 * PARSED;
        let counts = again >= NOTICED * calls.watched.as_secs_f64();
        Some(if counts { file.read_bytes as f64 / distinct as f64 } else { 1.0 })
    });
    if let Some(most) = reread.max_by(f64::total_cmp) {
        subject.number("io.reread", most, "x", CALLS);
    }
    note_pieces(subject, calls, &rows);
    super::per_file::note_made(subject, &calls.files, &rows);
}

/// So many requests over one connection are a queue …
const QUEUE: u64 = 10;

/// … that is waited for, if it has a request under way for this part of the time.
const BUSY: f64 = 0.5;

/// So many calls one way for each call the other way are no exchange: one message is moved in pieces.
const ONE_WAY: u64 = 20;

/// Notes a message that is sent or received in pieces: that is input and output as with files.
fn note_pieces(subject: &mut Subject, calls: &Calls, rows: &[&Row]) {
    let on_peer = |row: &&&Row| matches!(row.on, Some(On::Peer(_)));
    let moved = rows.iter().filter(on_peer).filter(|row| row.bytes.is_some());
    let (mut seen, mut bytes) = (0_u64, 0_u64);
    for row in moved {
        seen += row.seen;
        bytes += row.bytes.unwrap_or(0);
    }
    let of_peers = rows.iter().filter(on_peer).filter_map(|row| match row.on {
        Some(On::Peer(peer)) => calls.peers.get(peer as usize),
        _ => None,
    });
    // The tracer may have seen more of the other end.
    let exchanged = |peer: &Peer| {
        let is_same = |other: &&Peer| peer.address.is_some() && other.address == peer.address;
        // What one end sends the other receives.
        let sends_more = |end: &Peer| end.sends >= end.receives;
        let ways = |end: &Peer| match sends_more(end) == sends_more(peer) {
            true => (end.sends, end.receives),
            false => (end.receives, end.sends),
        };
        let ends = std::iter::once(peer).chain(calls.peers.iter().filter(is_same)).map(ways);
        let (there, back) = ends.fold((0, 0), |most, ways| (ways.0.max(most.0), ways.1.max(most.1)));
        there.min(back)
    };
    let exchanges = of_peers.map(exchanged).max().unwrap_or(0);
    let count: u64 = rows.iter().filter(on_peer).map(|row| row.count).sum();
    if seen == 0 || count < ONE_WAY * exchanges.max(1) {
        return;
    }
    subject.number("io.pieces", 1.0, "yes", CALLS);
    subject.number("io.exchanges", 0.0, "1", CALLS);
    subject.number("io.bytes", bytes as f64 / seen as f64, "B", CALLS);
    if let (Some(moving), Some(network)) = (subject.value("io.moving"), subject.value("kernel.network")) {
        subject.number("io.moving", (moving + network).min(1.0), "1", CALLS);
    }
}

/// The list of generated functions that a runtime writes because we asked for it.
fn is_ours(calls: &Calls, row: &Row) -> bool {
    let Some(On::File(file)) = row.on else { return false };
    let name = calls.files.get(file as usize).and_then(|file| file.path.rsplit('/').next());
    name.is_some_and(|name| name.starts_with("perf-") && name.ends_with(".map"))
}

/// Threads that tell each other something by way of the kernel exchange messages as processes do.
fn note_messages(subject: &mut Subject, calls: &Calls, rows: &[&Row]) {
    let is_event = |row: &Row| match row.on {
        Some(On::Other(other)) => matches!(calls.others.get(other as usize), Some(Object::Event)),
        _ => false,
    };
    let took = |wanted: &dyn Fn(&Row) -> bool| -> f64 {
        let moved = rows.iter().filter(|row| row.bytes.is_some() && wanted(row));
        moved.map(|row| row.latency.as_secs_f64()).sum()
    };
    let all = took(&|_| true);
    if all <= 0.0 {
        return;
    }
    let is_sent = |row: &Row| match row.on {
        Some(On::Peer(_)) => true,
        Some(On::Other(other)) => {
            matches!(calls.others.get(other as usize), Some(Object::Event | Object::Pipe { .. }))
        }
        _ => false,
    };
    subject.number("io.exchanges", took(&is_sent) / all, "1", CALLS);
    let told = took(&is_event) / all;
    if let Some(transfer) = subject.value("kernel.transfer").filter(|_| told >= 0.5) {
        let sent = rows.iter().filter(|row| is_event(row) && row.call.contains("write"));
        subject.number("kernel.network", transfer * told, "1", CALLS);
        subject.number("peer.time", transfer * told, "1", CALLS);
        subject.number("peer.requests", sent.map(|row| row.count).sum::<u64>() as f64, "count", CALLS);
    }
}

/// Notes how many connections the program makes and answers itself, for each of so many threads.
pub(super) fn note_answered(subject: &mut Subject, calls: Option<&Calls>, threads: usize) {
    let Some(calls) = calls else { return };
    let made = |role: Role| -> u64 {
        calls.peers.iter().filter(|peer| peer.role == role).map(|peer| peer.connections).sum()
    };
    let answered = made(Role::Answers).min(made(Role::Asks));
    subject.number("children.answering", answered as f64 / threads.max(1) as f64, "x", CALLS);
}

/// Writes to files from a place. `None` where calls were not traced.
pub(super) fn writes(calls: Option<&Calls>, place: &Place) -> Option<u64> {
    let is_write = |row: &&Row| row.call.contains("write") && matches!(row.on, Some(On::File(_)));
    let from = |calls: &Calls| {
        let own = calls.rows.iter().filter(|row| !is_ours(calls, row));
        let rows = own.filter(is_write).filter(|row| is_from(calls, row, place));
        rows.map(|row| row.count).sum()
    };
    calls.map(from)
}

/// Notes what was asked of peers from a place.
pub(super) fn note_peers(subject: &mut Subject, calls: Option<&Calls>, place: &Place) {
    note_asked(subject, calls, |calls, row| is_from(calls, row, place));
}

/// Notes what was asked of peers by an event loop, whose calls do not tell on whose behalf they are made.
pub(super) fn note_all_peers(subject: &mut Subject, calls: Option<&Calls>) {
    note_asked(subject, calls, |_, _| true);
}

/// Pieces that a program sends of a TLS connection besides its requests: two of the handshake, and a farewell.
const HANDSHAKE: u64 = 3;

/// Where nobody can read the requests, the pieces that are sent tell how many there are at most.
const PIECES: (&str, &str) = (model::calls::CALLS, "tracer, by the pieces sent: the requests cannot be read");

/// Fewer connections cost little, whatever they are made for.
const CONNECTED: f64 = 50.0;

/// With less of its time in the network's calls and in packages that make them, a place has something else to do.
const CONNECTING: f64 = 0.5;

/// Notes that a place has its time taken by making connections rather than by waiting for answers.
pub(super) fn note_connecting(subject: &mut Subject, calls: Option<&Calls>, spot: &Spot) {
    // Calls of compiled code may have no frame of the user's.
    if subject.value("peer.requests").is_none() && spot.kernel.iter().any(|(call, _)| call == "connect") {
        note_all_peers(subject, calls);
    }
    let of = |metric: &str| subject.value(metric).unwrap_or(0.0);
    let asking = of("peer.connected") >= CONNECTED
        && of("peer.connections") >= 0.5
        && of("kernel.network") + of("leaf.package") >= CONNECTING;
    let said = f64::from(u8::from(asking));
    match (calls, subject.value("kernel.network")) {
        (Some(_), _) => subject.number("peer.asking", said, "yes", CALLS),
        // Untraced, the profile tells who does something else; not who asks.
        (None, Some(network)) if network + of("leaf.package") < CONNECTING => {
            subject.number("peer.asking", 0.0, "yes", RECORDER);
        }
        (None, _) => {}
    }
}

fn note_asked(subject: &mut Subject, calls: Option<&Calls>, wanted: impl Fn(&Calls, &Row) -> bool) {
    let Some(calls) = calls else { return };
    let rows = calls.rows.iter().filter(|row| wanted(calls, row));
    let mut peers: Vec<u32> = rows
        .filter_map(|row| match row.on {
            Some(On::Peer(peer)) => Some(peer),
            _ => None,
        })
        .collect();
    peers.sort_unstable();
    peers.dedup();
    let peers: Vec<_> = peers.iter().filter_map(|peer| calls.peers.get(*peer as usize)).collect();
    let asked = peers.iter().filter(|peer| peer.role == Role::Asks);
    let said = |peer: &Peer| peer.requests.unwrap_or(peer.sends);
    // Whom it says little to is asked for a name or a number on the way.
    let most = asked.clone().map(|peer| said(peer)).max().unwrap_or(0);
    // A pair of sockets is how a loop wakes itself, and what a parent accepted is its child's client.
    let named = |peer: &Peer| peer.connections > 0 || peer.requests.is_some();
    let asked: Vec<_> =
        asked.filter(|peer| said(peer) > 0 && said(peer) * 5 >= most && named(peer)).collect();
    if asked.is_empty() {
        // Its peers are its clients.
        if peers.iter().any(|peer| peer.role == Role::Answers) {
            subject.number("peers", 0.0, "count", CALLS);
        }
        return;
    }
    // Who awaits several answers at once still has them one after the other, if one connection takes all requests.
    let connections: u64 = asked.iter().map(|peer| peer.connections).sum();
    let known = asked.iter().all(|peer| peer.requests.is_some());
    let gathers = subject.value("source.gathers") == Some(1.0);
    let under_way: f64 =
        asked.iter().flat_map(|peer| &peer.statements).map(|statement| statement.latency.as_secs_f64()).sum();
    let wall = calls.watched.as_secs_f64();
    // What is waited for besides is not the connection.
    let busy = under_way >= BUSY * subject.value("wall").unwrap_or(1.0) * wall;
    if gathers && known && connections == 1 && most >= QUEUE && busy {
        subject.number("peer.single", 1.0, "yes", CALLS);
        subject.metrics.remove("source.gathers");
    }
    if wall > 0.0 && under_way > 0.0 {
        subject.number("peer.overlap", under_way / wall, "x", CALLS);
    }
    // What is encrypted hides its requests: what is sent besides the handshakes and the farewells is them, in a piece each.
    let hidden = |peer: &Peer| match peer.protocol.as_deref() {
        Some("tls") => peer.sends.saturating_sub(HANDSHAKE * peer.connections).max(peer.connections),
        _ => peer.sends,
    };
    // Who closes a connection and makes the next one, over and over, and has a conversation on each that nobody understands,
    // says there what it has to say once.
    let once = |peer: &Peer| {
        let again = peer.again >= MANY_AGAIN && peer.again * 5 >= peer.connections * 4;
        again && peer.requests.is_none() && peer.sends >= CONVERSATION * peer.connections
    };
    let asks = |peer: &Peer| match peer.requests {
        Some(requests) => requests,
        None if once(peer) => peer.connections,
        None => hidden(peer),
    };
    let requests: u64 = asked.iter().map(|peer| asks(peer)).sum();
    let plain = asked.iter().all(|peer| peer.protocol.as_deref() != Some("tls") && !once(peer));
    if plain && asked.len() >= IN_TURN {
        note_in_turn(subject, calls, connections as f64 / requests.max(1) as f64);
    }
    // Of a whole conversation on each connection, greetings and keys are part of what a connection costs.
    if let (Some(mean), false) = (subject.value("mean"), asked.iter().any(|peer| once(peer))) {
        subject.number("connected.mean", mean, "s", CALLS);
    }
    subject.number("peers", asked.len() as f64, "count", CALLS);
    subject.number("peer.requests", requests as f64, "count", if known { CALLS } else { PIECES });
    if requests > 0 {
        let source = if known { CALLS } else { PIECES };
        subject.number("peer.connections", connections as f64 / requests as f64, "x", source);
        subject.number("peer.connected", connections as f64, "count", CALLS);
        let alike = asked
            .iter()
            .flat_map(|peer| &peer.statements)
            .map(|statement| statement.count)
            .max()
            .unwrap_or(0);
        subject.number("peer.alike", (alike as f64 / requests as f64).min(1.0), "1", CALLS);
    }
    note_stalls(subject, calls, &asked);
    let is_database = |protocol: &str| matches!(protocol, "postgresql" | "mysql" | "redis");
    let database = asked.iter().any(|peer| peer.protocol.as_deref().is_some_and(is_database));
    let pipelines = asked.iter().all(|peer| peer.protocol.as_deref() == Some("redis"));
    subject.number("peer.pipelines", f64::from(u8::from(pipelines)), "yes", CALLS);
    subject.number("peer.database", f64::from(u8::from(database)), "yes", CALLS);
    if let Some(way) = said_in(&asked) {
        subject.word("protocol", way.to_owned());
    }
    if database {
        subject.number("database", 1.0, "yes", CALLS);
        super::statements::note_sent(subject, asked.iter().map(|peer| **peer), connecting(&connects(calls)));
    }
}

/// What kind of language all of these peers are asked in; `None` where it is hidden, unknown, or not the same.
fn said_in(asked: &[&&Peer]) -> Option<&'static str> {
    let kind = |peer: &&&Peer| match peer.protocol.as_deref() {
        Some("postgresql" | "mysql" | "redis") => Some("database"),
        Some("http") => Some("http"),
        _ => None,
    };
    let first = kind(asked.first()?)?;
    asked.iter().all(|peer| kind(peer) == Some(first)).then_some(first)
}

/// Who asks so many peers one after the other could ask them all at once, and would save more than half of it.
const IN_TURN: usize = 3;

/// With fewer connections for each request than this, some carry more than it: a greeting, or a proof.
const ALONE: f64 = 0.9;

/// Notes how much longer than a connection an answer takes, where several peers are asked: keeping the connections to each would
/// save no more than connecting takes.
fn note_in_turn(subject: &mut Subject, calls: &Calls, connections: f64) {
    let connecting = connecting(&connects(calls)).filter(|_| connections >= ALONE);
    if let (Some(mean), Some(connecting)) = (subject.value("mean"), connecting) {
        subject.number("peers.answer", mean / connecting, "x", CALLS);
    }
}

/// Calls by which connections are made.
fn connects(calls: &Calls) -> Vec<&Row> {
    let connects = |row: &&Row| {
        let peer = row.on.and_then(|on| if let On::Peer(peer) = on { Some(peer) } else { None });
        let peer = peer.and_then(|peer| calls.peers.get(peer as usize));
        row.call == "connect" && peer.is_some_and(|peer| peer.connections > 0)
    };
    calls.rows.iter().filter(connects).collect()
}

/// Seconds that one of these calls takes to connect. Where it does not wait for the connection, nobody knows what that takes.
fn connecting(rows: &[&Row]) -> Option<f64> {
    let waited = rows.iter().all(|row| row.errors.is_empty());
    let count: u64 = rows.iter().map(|row| row.seen).sum();
    let taken: f64 = rows.iter().map(|row| row.latency.as_secs_f64()).sum();
    (waited && count > 0 && taken > 0.0).then(|| taken / count as f64)
}

/// Greetings, keys and a farewell take so many messages at least.
const CONVERSATION: u64 = 4;

/// Fewer connections after others may be lost ones.
const MANY_AGAIN: u64 = 5;

/// Fewer requests that waited for an acknowledgement may be chance.
const STALLS: u64 = 8;

/// Share of wall time in requests that were sent in pieces and waited for an acknowledgement.
fn note_stalls(subject: &mut Subject, calls: &Calls, asked: &[&&Peer]) {
    let count: u64 = asked.iter().map(|peer| peer.stalls).sum();
    let wall = calls.watched.as_secs_f64();
    let most = asked.iter().max_by_key(|peer| peer.stalls).filter(|_| count >= STALLS && wall > 0.0);
    let Some(most) = most else { return };
    let stalled: f64 = asked.iter().map(|peer| peer.stalled.as_secs_f64()).sum();
    subject.number("peer.stalled", (stalled / wall).min(1.0), "1", CALLS);
    subject.word("stalls", count.to_string());
    let own = most.stalled_at.into_iter().flat_map(|stack| calls.frames_of(stack));
    let own: Vec<&Frame> = own.filter(|frame| frame.owner == Owner::Project).collect();
    // Who sends a piece from one line only moves bytes, where another of the user's functions calls it.
    let own =
        if own.first().is_some_and(|frame| sends_from(calls, frame) > 1) { own.first() } else { own.get(1) }
            .or(own.first());
    if let Some(place) = own.and_then(|frame| place_of(frame, &calls.modules))
        && stalled / wall >= STALLED
    {
        subject.word("way", "stall".to_owned());
        subject.instead.insert("chatty-protocol", place);
    }
}

/// Lines from which the function of a frame sends to a peer.
fn sends_from(calls: &Calls, frame: &Frame) -> usize {
    let sends = |row: &&Row| {
        matches!(row.on, Some(On::Peer(_))) && (row.call.starts_with("send") || row.call.starts_with("write"))
    };
    let own = calls.rows.iter().filter(sends).filter_map(|row| own_frame(calls, row));
    let same = own.filter(|other| (&other.function, &other.file) == (&frame.function, &frame.file));
    same.map(|other| other.line).collect::<BTreeSet<_>>().len()
}

/// From this share of wall time on, what holds requests back is what the program waits for.
const STALLED: f64 = 0.3;

/// The place of the user's code that asks peers most.
pub(super) fn asking(calls: Option<&Calls>, contexts: &Contexts<'_>) -> Option<Place> {
    let calls = calls?;
    let asks = |row: &Row| match row.on {
        Some(On::Peer(peer)) => calls.peers.get(peer as usize).is_some_and(|peer| peer.role == Role::Asks),
        _ => false,
    };
    longest(calls, asks, |row| looping_place(calls, row, contexts))
}

/// The place of the user's code that asks whoever answers at a place. `None` where the place asks somebody itself, or is asked
/// from elsewhere.
pub(super) fn asking_of(calls: Option<&Calls>, place: &Place, contexts: &Contexts<'_>) -> Option<Place> {
    let calls = calls?;
    let peer_of = |row: &Row| match row.on {
        Some(On::Peer(peer)) => calls.peers.get(peer as usize),
        _ => None,
    };
    let own = calls.rows.iter().filter(|row| is_from(calls, row, place)).filter_map(peer_of);
    let own: Vec<&Peer> = own.collect();
    if own.iter().any(|peer| peer.role == Role::Asks) {
        return None;
    }
    let answered: Vec<&str> = own.iter().filter_map(|peer| peer.address.as_deref()).collect();
    let is_answered = |peer: &Peer| {
        peer.role == Role::Asks && peer.address.as_deref().is_some_and(|address| answered.contains(&address))
    };
    let asks = |row: &Row| peer_of(row).is_some_and(is_answered);
    longest(calls, asks, |row| looping_place(calls, row, contexts))
}

/// The place of the user's code that holds a lock while it asks, if most of what peers are asked is asked so.
pub(super) fn locked(calls: Option<&Calls>, contexts: &Contexts<'_>) -> Option<Place> {
    let calls = calls?;
    let asks = |row: &&Row| match row.on {
        Some(On::Peer(peer)) => {
            (row.call.starts_with("send") || row.call.starts_with("write"))
                && calls.peers.get(peer as usize).is_some_and(|peer| peer.role == Role::Asks)
        }
        _ => false,
    };
    let holds = |frame: &&Frame| {
        let at = frame.file.as_deref().zip(frame.line);
        frame.owner == Owner::Project
            && at.and_then(|at| contexts.get(&at)).is_some_and(|context| context.in_lock.is_some())
    };
    let of =
        |row: &Row| calls.frames_of(row.stack?).find(holds).and_then(|frame| place_of(frame, &calls.modules));
    let (mut locked, mut all, mut place) = (0, 0, None);
    for row in calls.rows.iter().filter(asks) {
        let found = of(row);
        all += row.count;
        locked += if found.is_some() { row.count } else { 0 };
        place = place.or(found);
    }
    place.filter(|_| locked * 2 > all)
}

/// The innermost frame of the user's own code that stands in a loop, or awaits; else the innermost with a name.
fn looping_place(calls: &Calls, row: &Row, contexts: &Contexts<'_>) -> Option<Place> {
    let own = calls.frames_of(row.stack?).filter(|frame| frame.owner == Owner::Project);
    let own: Vec<&Frame> = own.collect();
    let loops = |frame: &&&Frame| {
        let (Some(file), Some(line)) = (frame.file.as_deref(), frame.line) else { return false };
        let context = contexts.get(&(file, line));
        context.is_some_and(|context| context.loops.iter().any(|around| !around.bounded))
    };
    let is_named = |frame: &&&Frame| frame.function.as_deref().is_some_and(|name| !name.starts_with('('));
    let frame = own.iter().find(loops).or_else(|| own.iter().find(is_named)).or_else(|| own.first())?;
    place_of(frame, &calls.modules)
}

/// The place of the user's code that spends most time in a call.
pub(super) fn making(calls: Option<&Calls>, call: &str) -> Option<Place> {
    let calls = calls?;
    longest(calls, |row| row.call == call, |row| place_of(own_frame(calls, row)?, &calls.modules))
}

fn longest(
    calls: &Calls,
    wanted: impl Fn(&Row) -> bool,
    place: impl Fn(&Row) -> Option<Place>,
) -> Option<Place> {
    let mut sums: BTreeMap<(String, Option<String>), (u64, Place)> = BTreeMap::new();
    for row in calls.rows.iter().filter(|row| wanted(row)) {
        let Some(place) = place(row) else { continue };
        let sum = sums.entry((place.function.clone(), place.file.clone())).or_insert((0, place));
        sum.0 += row.latency.as_nanos();
    }
    sums.into_values().max_by_key(|(latency, _)| *latency).map(|(_, place)| place)
}

/// The code without a name is in the row's stack.
fn is_through(calls: &Calls, row: &Row, place: &Place) -> bool {
    let module = |frame: &Frame| calls.modules.get(frame.module? as usize).map(|module| module.path.as_str());
    let is_it = |frame: &Frame| {
        let own =
            module(frame).filter(|own| frame.function.is_none() && place.module.as_deref() == Some(*own));
        own.is_some_and(|own| place.is_whole_module() || name_without_symbols(frame, own) == place.function)
    };
    row.stack.is_some_and(|stack| calls.frames_of(stack).any(is_it))
}

/// The innermost frame of the user's own code in the row's stack.
pub(super) fn own_frame<'a>(calls: &'a Calls, row: &Row) -> Option<&'a Frame> {
    calls.frames_of(row.stack?).find(|frame| frame.owner == Owner::Project)
}

pub(super) fn is_sync(call: &str) -> bool {
    matches!(call, "fsync" | "fdatasync" | "sync" | "syncfs" | "sync_file_range" | "msync")
}

/// The innermost frame of the user's own code in the row's stack is in this function; where the place is not the user's,
/// any frame is.
pub(super) fn is_from(calls: &Calls, row: &Row, place: &Place) -> bool {
    let is_it = |frame: &Frame| frame.function.as_deref() == Some(place.function.as_str());
    match own_frame(calls, row) {
        Some(own) if place.owner == Owner::Project => is_it(own),
        _ => row.stack.is_some_and(|stack| calls.frames_of(stack).any(is_it)),
    }
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::calls::{Errors, Totals};
    use model::recording::{Language, Node};

    use super::super::per_file::tests::row;
    use super::*;

    const SERVE: &str = "serve";
    const ASK: &str = "ask";

    /// `serve` talks to the first peer and `ask` to the second: their roles and addresses.
    fn talking(peers: [(Role, &str); 2]) -> Calls {
        let frame = |name: &str| Frame {
            language: Language::C,
            function: Some(name.to_owned()),
            file: None,
            line: None,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner: Owner::Project,
        };
        let peer = |(role, address): (Role, &str)| Peer {
            family: "tcp".to_owned(),
            address: Some(address.to_owned()),
            role,
            process: None,
            connections: 1,
            again: 0,
            refused: 0,
            sends: 9,
            sent_bytes: 9,
            receives: 9,
            received_bytes: 9,
            protocol: None,
            requests: None,
            sleeps: 0,
            slept: Nanos::ZERO,
            stalls: 0,
            stalled: Nanos::ZERO,
            stalled_at: None,
            statements: Vec::new(),
        };
        let on = |at: u32| Row { on: Some(On::Peer(at)), stack: Some(at), ..row("read", None, 9) };
        Calls {
            schema: String::new(),
            wall: Nanos::ZERO,
            watched: Nanos::ZERO,
            tracing: None,
            totals: Totals::default(),
            rows: vec![on(0), on(1)],
            files: Vec::new(),
            peers: peers.map(peer).to_vec(),
            others: Vec::new(),
            processes: Vec::new(),
            modules: Vec::new(),
            frames: vec![frame(SERVE), frame(ASK)],
            nodes: vec![Node { parent: None, frame: 0 }, Node { parent: None, frame: 1 }],
            run: None,
            gaps: Vec::new(),
        }
    }

    fn talking_place() -> Place {
        Place {
            function: SERVE.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Project,
        }
    }

    fn asker(peers: [(Role, &str); 2]) -> Option<String> {
        asking_of(Some(&talking(peers)), &talking_place(), &Contexts::new()).map(|place| place.function)
    }

    fn metric(subject: &Subject, name: &str) -> (f64, &'static str, &'static str) {
        let metric = subject.metrics.get(name).expect(name);
        (metric.value, metric.artifact, metric.source)
    }

    fn waiting() -> Subject {
        Subject::new(super::super::Kind::Waiting, None, super::super::facts::exact(0.9))
    }

    #[test]
    fn requests_that_nobody_can_read_are_counted_by_the_pieces_besides_the_handshakes() {
        let asked = |connections: u64, sends: u64| {
            let mut calls = talking([(Role::Asks, ":443"), (Role::Answers, ":80")]);
            let hidden = calls.peers.first_mut().expect("a peer");
            (hidden.connections, hidden.sends) = (connections, sends);
            hidden.protocol = Some("tls".to_owned());
            let mut subject = waiting();
            note_all_peers(&mut subject, Some(&calls));
            (metric(&subject, "peer.requests"), metric(&subject, "peer.connections").0)
        };
        // Thirty requests over one connection, and one over each of thirty.
        let (requests, connections) = asked(1, 33);
        assert_eq!(requests, (30.0, PIECES.0, PIECES.1));
        assert!((connections - 1.0 / 30.0).abs() < 1e-9);
        assert_eq!(asked(30, 120), ((30.0, PIECES.0, PIECES.1), 1.0));
    }

    #[test]
    fn what_no_tracer_saw_is_not_cited_from_it() {
        let place = talking_place();
        let asking = |network: Option<f64>| {
            let mut subject = waiting();
            if let Some(network) = network {
                subject.share("kernel.network", network, 100);
            }
            note_connecting(&mut subject, None, &Spot::bare(place.clone()));
            subject.metrics.get("peer.asking").map(|metric| (metric.value, metric.artifact))
        };
        assert_eq!(asking(Some(0.1)), Some((0.0, model::recording::RECORDING)));
        assert_eq!(asking(Some(0.9)), None, "who spends its time on peers may ask");
        assert_eq!(asking(None), None);
    }

    #[test]
    fn whoever_asks_is_the_place_of_who_answers_in_the_same_program() {
        assert_eq!(asker([(Role::Answers, ":80"), (Role::Asks, ":80")]).as_deref(), Some(ASK));
        assert_eq!(asker([(Role::Answers, ":80"), (Role::Asks, ":5432")]), None, "it asks somebody else");
        assert_eq!(asker([(Role::Asks, ":80"), (Role::Asks, ":80")]), None, "it asks itself");
    }

    #[test]
    fn a_language_is_known_only_where_all_peers_are_asked_in_it() {
        let mut calls = talking([(Role::Asks, ":5432"), (Role::Asks, ":80")]);
        let mut said = |protocols: [Option<&str>; 2]| {
            for (peer, protocol) in calls.peers.iter_mut().zip(protocols) {
                peer.protocol = protocol.map(str::to_owned);
            }
            let peers: Vec<&Peer> = calls.peers.iter().collect();
            said_in(&peers.iter().collect::<Vec<_>>())
        };
        assert_eq!(said([Some("postgresql"), Some("mysql")]), Some("database"));
        assert_eq!(said([Some("http"), Some("http")]), Some("http"));
        assert_eq!(said([Some("http"), Some("postgresql")]), None);
        assert_eq!(said([Some("tls"), Some("tls")]), None);
        assert_eq!(said([None, Some("http")]), None);
    }

    #[test]
    fn what_connecting_takes_is_known_where_it_is_waited_for() {
        let connect = |errors: &[&str]| Row {
            call: "connect".to_owned(),
            on: Some(On::Peer(0)),
            stack: None,
            count: 4,
            seen: 4,
            requested: None,
            bytes: None,
            latency: Nanos::from_nanos(2_000_000),
            longest: Nanos::from_nanos(1_000_000),
            sizes: Vec::new(),
            errors: errors.iter().map(|error| Errors { error: (*error).to_owned(), count: 4 }).collect(),
            sequential: None,
            overlapping: None,
            reread: None,
        };
        assert_eq!(connecting(&[&connect(&[]), &connect(&[])]), Some(0.0005));
        assert_eq!(connecting(&[&connect(&[]), &connect(&["EINPROGRESS"])]), None);
        assert_eq!(connecting(&[]), None);
    }
}
