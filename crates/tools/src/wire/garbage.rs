//! Cut, shuffled and random messages: nothing of it panics, and cutting adds no statement.

use model::Nanos;
use model::calls::{Direction, Message, Role};
use proptest::prelude::*;

use super::talk::{Spoken, Talk};

fn message(direction: Direction, bytes: Vec<u8>, length: u64) -> Message {
    let (from, to) = (Nanos::from_nanos(1), Nanos::from_nanos(2));
    Message { peer: 0, connection: 1, direction, from, to, bytes, length, stack: None }
}

fn asked(messages: &[Message]) -> usize {
    let mut talk = Talk::new(Role::Asks);
    let spoken = messages.iter().flat_map(|message| talk.hear(message)).collect::<Vec<_>>();
    spoken.iter().filter(|spoken| matches!(spoken, Spoken::Asked { .. })).count()
}

/// Real beginnings, to be spoilt.
fn seeds() -> Vec<(Direction, Vec<u8>)> {
    let sent = |bytes: &[u8]| (Direction::Sent, bytes.to_vec());
    let received = |bytes: &[u8]| (Direction::Received, bytes.to_vec());
    vec![
        sent(b"\0\0\0\x14\0\x03\0\0user\0me\0\0\0\0\0"),
        sent(b"Q\0\0\0\x0dSELECT 1\0"),
        sent(b"P\0\0\0\x10\0SELECT 1\0\0\0B\0\0\0\x0c\0\0\0\0\0\0\0\0E\0\0\0\x09\0\0\0\0\0"),
        received(b"\x4a\0\0\0\x0a8.0.36\0........"),
        sent(b"\x09\0\0\0\x03SELECT 1"),
        sent(b"\x09\0\0\0\x16SELECT 1"),
        received(b"\x0c\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0"),
        sent(b"\x0a\0\0\0\x17\x01\0\0\0\0\x01\0\0\0"),
        sent(b"*3\r\n$3\r\nSET\r\n$6\r\nuser:7\r\n$5\r\nhello\r\n"),
        sent(b"GET /item/7?x=1 HTTP/1.1\r\nHost: here\r\n\r\n"),
        sent(b"\x16\x03\x01\x02\0\x01\0\x01\xfc"),
        sent("SELECT 'ä' -- ü\n/* ö".as_bytes()),
    ]
}

#[test]
fn cutting_what_was_captured_adds_no_statement() {
    for (direction, bytes) in seeds() {
        let length = bytes.len() as u64;
        let whole = asked(&[message(direction, bytes.clone(), length)]);
        for end in 0..bytes.len() {
            assert!(
                asked(&[message(direction, bytes[..end].to_vec(), length)]) <= whole.max(1),
                "{bytes:?} {end}"
            );
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_talk_never_panics(
        pieces in proptest::collection::vec((any::<bool>(), proptest::collection::vec(any::<u8>(), 0..80), any::<u64>()), 0..12)
    ) {
        let direction = |sent| if sent { Direction::Sent } else { Direction::Received };
        let messages: Vec<_> =
            pieces.into_iter().map(|(sent, bytes, length)| message(direction(sent), bytes, length)).collect();
        asked(&messages);
    }

    #[test]
    fn spoilt_talk_never_panics(
        order in proptest::collection::vec((0_usize..12, 0_usize..60, any::<u8>(), 0_u64..200), 0..20)
    ) {
        let seeds = seeds();
        let messages: Vec<_> = order.into_iter().map(|(which, at, byte, length)| {
            let (direction, mut bytes) = seeds[which].clone();
            if let Some(place) = bytes.get_mut(at) { *place = byte; }
            message(direction, bytes, length)
        }).collect();
        asked(&messages);
    }
}
