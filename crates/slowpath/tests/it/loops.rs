//! What an event loop of Node's waits for: timers that are set to look again, promises that queue for a lock.

use std::process::Command;

use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes::{asked, asked_and_unchanged};

/// A box that a thread answers, and whoever looks into it from time to time.
const LOOKS: &str = "const { Worker, isMainThread, parentPort } = require('worker_threads');
if (!isMainThread) parentPort.on('message', (ticket) => parentPort.postMessage(ticket));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
class Box {
  constructor() {
    this.done = new Set();
    this.worker = new Worker(__filename);
    this.worker.on('message', (ticket) => this.done.add(ticket));
  }
  async collect(ticket) {
    while (!this.done.has(ticket)) await pause(5);
    return ticket;
  }
}
async function main() {
  const box = new Box();
  let sum = 0;
  for (let ticket = 0; ticket < 150; ticket += 1) {
    box.worker.postMessage(ticket);
    sum += await box.collect(ticket);
  }
  await box.worker.terminate();
  console.log(sum);
}
if (isMainThread) main();
";

#[test]
fn who_sleeps_and_looks_again_is_named_though_the_loop_is_rung_by_threads() {
    in_some_run(|| {
        let place = Place::new();
        place.file("box.js", LOOKS);
        let (runtime, answer) = asked(&place, &["node", "box.js"]);
        let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
        let first = &runtime["waits"]["sites"][0];
        assert_eq!(
            (&first["kind"], first["came"].as_u64() >= Some(150)),
            (&"Timeout".into(), true),
            "{first:#}"
        );
        let lines: Vec<u64> =
            first["stack"].as_array().unwrap().iter().map(|frame| frame["line"].as_u64().unwrap()).collect();
        assert!(lines.contains(&11) && lines.contains(&20), "{first:#}");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"polling-sleep".into(), &"Box.collect".into()),
            "{first:#}"
        );
    });
}

/// Calls that take a lock of promises for what waits for an answer.
const LOCKS: &str = "const { setTimeout: answer } = require('timers/promises');
class Lock {
  constructor() { this.last = Promise.resolve(); }
  acquire(work) {
    const turn = this.last.then(() => work());
    this.last = turn.catch(() => {});
    return turn;
  }
}
const KEYS;
async function enter(ride) {
  await answer(4);
  return ride * 2;
}
async function book(ride) {
  return locks[ride % locks.length].acquire(() => enter(ride));
}
async function main() {
  const all = await Promise.all(Array.from({ length: 300 }, (_, ride) => book(ride)));
  console.log(all.reduce((sum, one) => sum + one, 0));
}
main();
";

fn locked(locks: u32) -> (Option<Value>, Value) {
    let place = Place::new();
    let made = format!("locks = Array.from({{ length: {locks} }}, () => new Lock())");
    place.file("rides.js", LOCKS.replace("KEYS", &made));
    asked(&place, &["node", "rides.js"])
}

#[test]
fn promises_that_queue_for_a_lock_are_told_from_those_that_go_side_by_side() {
    in_some_run(|| {
        let (runtime, answer) = locked(1);
        let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
        let functions = runtime["waits"]["functions"].as_array().unwrap();
        let open = |name: &str| {
            let one = functions.iter().find(|one| one["function"] == name);
            one.and_then(|one| one["most"].as_u64()).unwrap_or_else(|| panic!("{name}: {functions:#?}"))
        };
        assert_eq!((open("book"), open("main")), (300, 1));
        assert!(open("enter") <= 2, "{functions:#?}");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"lock-across-io".into(), &"book".into()),
            "{first:#}"
        );
        let (_, answer) = locked(30);
        let causes = answer["findings"].to_string();
        assert!(!causes.contains("lock-across-io\"") || !causes.contains("book"), "{causes}");
    });
}

/// Rejections that nobody handles, promises by the hundred thousand, timers that are cleared and kept.
const HARD: &str = "process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function fails(n) { await null; throw new Error(`no ${n}`); }
function failing(n) { return Promise.reject(new Error(`never ${n}`)); }
async function many(n) { let sum = 0; for (let i = 0; i < n; i += 1) sum += await i; return sum; }
async function main() {
  fails(1);
  failing(2);
  await fails(3).catch((error) => console.log(error.message));
  for (let i = 0; i < 3000; i += 1) clearTimeout(setTimeout(() => console.log('never'), 1e6));
  console.log(await many(200000));
  for (let i = 0; i < 60; i += 1) await pause(8);
  const left = setInterval(() => {}, 1000);
  left.unref();
  console.log(new Error('x').stack.split('\\n').length > 1, Error.stackTraceLimit, Error.prepareStackTrace);
}
main();
";

#[test]
fn a_watched_loop_changes_nothing_of_what_a_program_says() {
    let place = Place::new();
    place.file("hard.js", HARD);
    let said = Command::new("node").arg("hard.js").current_dir(place.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&said.stdout).contains("unhandled no 1"));
    let (runtime, answer) = asked_and_unchanged(&place, &["node", "hard.js"]);
    let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
    assert!(runtime["waits"]["idle_ns"].as_u64() > Some(300_000_000), "{runtime:#}");
}
