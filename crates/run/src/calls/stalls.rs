//! Requests that go out in pieces and wait for an acknowledgement.
//!
//! TCP holds a small piece back while an earlier one is not acknowledged (RFC 896), and the receiver, which has nothing to
//! say before the request is whole, acknowledges late (RFC 1122, 4.2.3.2): on Linux after 40 ms at the earliest
//! (`TCP_DELACK_MIN` in the kernel's `include/net/tcp.h`). So each such request costs 40 ms, whatever the peer does.

use std::collections::HashMap;

use model::Nanos;
use model::calls::Peer;

/// From the last piece to the answer: the least delay, and a little for the peer and a busy machine.
const DELAYED: std::ops::RangeInclusive<u64> = 36_000_000..=56_000_000;

/// More in one piece is not held back: it fills a packet of any network but the loopback.
const SMALL: u64 = 1_400;

/// By connection: what was said since the peer last answered.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    talks: HashMap<u64, Talk>,
    found: HashMap<(u32, Option<u32>), (u64, u64)>,
}

#[derive(Debug, Default)]
struct Talk {
    pieces: u32,
    small: bool,
    sent: u64,
    stack: Option<u32>,
}

impl Stalls {
    /// A piece went out.
    pub(super) fn sent(&mut self, connection: u64, length: u64, stack: Option<u32>, now: u64) {
        let talk = self.talks.entry(connection).or_default();
        *talk = Talk { pieces: talk.pieces.saturating_add(1), small: length <= SMALL, sent: now, stack };
    }

    /// Something came in from a peer.
    pub(super) fn received(&mut self, connection: u64, peer: u32, now: u64) {
        let Some(talk) = self.talks.remove(&connection) else { return };
        let late = now.saturating_sub(talk.sent);
        if talk.pieces >= 2 && talk.small && DELAYED.contains(&late) {
            let (count, time) = self.found.entry((peer, talk.stack)).or_default();
            (*count, *time) = (*count + 1, *time + late);
        }
    }

    /// Notes them with the peers.
    pub(super) fn tell(self, peers: &mut [Peer], stack: impl Fn(Option<u32>) -> Option<u32>) {
        let mut found: Vec<_> = self.found.into_iter().collect();
        // The most frequent place last, so that it stays.
        found.sort_unstable_by_key(|((peer, stack), (count, _))| (*peer, *count, *stack));
        for ((peer, raw), (count, time)) in found {
            let Some(peer) = peers.get_mut(peer as usize) else { continue };
            peer.stalls += count;
            peer.stalled = peer.stalled.plus(Nanos::from_nanos(time)).unwrap_or(peer.stalled);
            peer.stalled_at = stack(raw).or(peer.stalled_at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(sends: &[u64], answer: u64) -> u64 {
        let mut stalls = Stalls::default();
        sends.iter().for_each(|at| stalls.sent(1, 100, Some(7), *at * 1_000_000));
        stalls.received(1, 0, answer * 1_000_000);
        stalls.found.values().map(|(count, _)| count).sum()
    }

    #[test]
    fn only_pieces_that_are_answered_40_ms_late_were_held_back() {
        assert_eq!(count(&[0, 1], 42), 1);
        assert_eq!(count(&[0], 42), 0, "one piece is never held back");
        assert_eq!(count(&[0, 1], 3), 0, "an answer at once");
        assert_eq!(count(&[0, 1], 300), 0, "a peer that takes its time");
    }
}
