//! Asks every ferry for its free seats and counts the full ones as the answers come in.

use std::task::Poll;

use futures::channel::mpsc::{unbounded, UnboundedReceiver, UnboundedSender};
use futures::channel::oneshot;
use futures::executor::LocalPool;
use futures::future::poll_fn;
use futures::stream::{FuturesUnordered, StreamExt};
use futures::task::LocalSpawnExt;

struct Question {
    ferry: u32,
    answer: oneshot::Sender<u32>,
}

#[derive(Default)]
struct Tally {
    seats: u64,
    full: u32,
}

fn note(tally: &mut Tally, seats: u32) {
    tally.seats += u64::from(seats);
    tally.full += u32::from(seats == 0);
}

async fn pause() {
    let mut paused = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await
}

async fn harbour(mut questions: UnboundedReceiver<Question>) {
    while let Some(question) = questions.next().await {
        let _ = question.answer.send((question.ferry * 37 + 11) % 240);
        pause().await;
    }
}

async fn ask(harbour: UnboundedSender<Question>, ferry: u32) -> u32 {
    let (answer, answered) = oneshot::channel();
    let _ = harbour.unbounded_send(Question { ferry, answer });
    answered.await.unwrap_or(0)
}

async fn free_seats(harbour: UnboundedSender<Question>, ferries: u32) -> Tally {
    let mut tally = Tally::default();
    let mut open: FuturesUnordered<_> = (0..ferries).map(|ferry| ask(harbour.clone(), ferry)).collect();
    while let Some(seats) = open.next().await {
        note(&mut tally, seats);
    }
    tally
}

fn main() {
    let ferries = std::env::args().nth(1).and_then(|ferries| ferries.parse().ok()).unwrap_or(1000);
    let mut pool = LocalPool::new();
    let (questions, asked) = unbounded();
    pool.spawner().spawn_local(harbour(asked)).expect("the pool runs");
    let tally = pool.run_until(free_seats(questions, ferries));
    println!("{} free seats, {} ferries are full", tally.seats, tally.full);
}
