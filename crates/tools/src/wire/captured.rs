//! Conversations with real servers, as the tracer captured them on 2026-11-15.
//!
//! `redis-7.0.15.jsonl`: `redis-cli set` and `get` of three keys, then `shutdown`, both ends in the traced tree.
//! `postgresql-15.18.jsonl`: `psql -c` of five statements, then `pgbench` of one statement, prepared and extended, five times
//! each.

use model::calls::{Message, Role};

use super::talk::{Spoken, Talk};
use std::collections::{BTreeMap, HashMap};

/// How often each text was asked of each peer, and how many of them were answered.
fn heard(lines: &str, roles: &[Role]) -> BTreeMap<(u32, String), (u32, u32)> {
    let mut talks: HashMap<u64, (u32, Talk)> = HashMap::new();
    let mut heard: BTreeMap<(u32, String), (u32, u32)> = BTreeMap::new();
    let mut add = |peer: u32, spoken: Spoken| match spoken {
        Spoken::Asked { statement, .. } => heard.entry((peer, statement.text)).or_default().0 += 1,
        Spoken::Answered { statement, .. } => heard.entry((peer, statement.text)).or_default().1 += 1,
    };
    for line in lines.lines() {
        let message: Message = serde_json::from_str(line).unwrap();
        let role = roles[message.peer as usize];
        let (_, talk) = talks.entry(message.connection).or_insert_with(|| (message.peer, Talk::new(role)));
        talk.hear(&message).into_iter().for_each(|spoken| add(message.peer, spoken));
    }
    for (peer, talk) in talks.values_mut() {
        talk.end().into_iter().for_each(|spoken| add(*peer, spoken));
    }
    heard
}

fn row(peer: u32, text: &str, asked: u32, answered: u32) -> ((u32, String), (u32, u32)) {
    ((peer, text.to_owned()), (asked, answered))
}

#[test]
fn redis_commands_are_told_on_both_ends() {
    let found = heard(include_str!("captured/redis-7.0.15.jsonl"), &[Role::Asks, Role::Answers]);
    let wanted = [
        row(0, "GET user:?", 3, 3),
        row(0, "SET user:? ?", 3, 3),
        row(0, "SHUTDOWN nosave", 1, 0),
        row(1, "GET user:?", 3, 3),
        row(1, "SET user:? ?", 3, 3),
        row(1, "SHUTDOWN nosave", 1, 0),
    ];
    assert_eq!(found, BTreeMap::from(wanted));
}

#[test]
fn postgresql_statements_are_told_simple_extended_and_prepared() {
    let found = heard(include_str!("captured/postgresql-15.18.jsonl"), &[Role::Asks, Role::Asks]);
    let wanted = [
        row(1, "create table if not exists people(id int, name text)", 1, 1),
        row(1, "insert into people values(?)", 2, 2),
        row(1, "select * from people where id = ?", 2, 2),
        row(1, "select name from people where id = ? + ?", 10, 10),
    ];
    assert_eq!(found, BTreeMap::from(wanted));
}
