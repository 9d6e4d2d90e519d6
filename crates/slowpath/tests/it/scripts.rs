//! Which JavaScript functions the time is in, whatever their runtime does with their code.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::recorded::{levels, recording};

/// A second thread makes new code where that of the first one was.
const WORKER: &str = "\
'use strict';
const { Worker, isMainThread } = require('worker_threads');
function parseLines(n) { let s = 0; for (let i = 0; i < n; i++) s += ('a,b,c,' + i).split(',').length; return s; }
function sortRows(n) { const a = []; for (let i = 0; i < n; i++) a.push((i * 1009) % 1000003); a.sort((x, y) => x - y); return a[0]; }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
if (isMainThread) {
  parseLines(1000000); sortRows(400000); fib(30);
  new Worker(__filename).on('exit', () => setTimeout(() => {}, 100));
} else fib(32);
";

const SERVER: &str = "\
'use strict';
function hashAll(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
let x = 0;
const end = Date.now() + 30000;
function tick() { x += hashAll(3000000); if (Date.now() < end) setTimeout(tick, 5); }
tick();
";

fn is_installed() -> bool {
    let installed = Command::new("node").arg("--version").output().is_ok();
    if !installed {
        eprintln!("skipped: no node here");
    }
    installed && !levels().is_empty()
}

/// For each function the hits in it or below it, as parts of all.
fn shares(recording: &Value) -> HashMap<String, f64> {
    let (frames, nodes) = (&recording["frames"], &recording["nodes"]);
    let hits = recording["hits"].as_array().unwrap();
    let mut counts: HashMap<String, f64> = HashMap::new();
    for hit in hits {
        let mut names = Vec::new();
        let mut next = hit[2].as_u64();
        while let Some(node) = next {
            let node = &nodes[usize::try_from(node).unwrap()];
            let frame = &frames[usize::try_from(node[1].as_u64().unwrap()).unwrap()];
            names.extend(frame["function"].as_str().map(str::to_owned));
            next = node[0].as_u64();
        }
        names.sort_unstable();
        names.dedup();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1.0 / hits.len() as f64);
    }
    counts
}

#[test]
fn functions_keep_their_time_when_a_worker_makes_code_where_theirs_was() {
    if !is_installed() {
        return;
    }
    // In most runs, not in a lucky one: code is freed and used again at other places each time. What V8 goes back from while it
    // runs is hardly named (see the limits in ARCHITECTURE.md), so of the second all runs together say something.
    let runs = (0..4).map(|_| {
        let place = Place::new();
        place.file("worker.js", WORKER);
        place.slowpath(["record", "--", "node", "worker.js"]).exits(0);
        let shares = shares(&recording(&place));
        let share = |name: &str| shares.get(name).copied().unwrap_or(0.0);
        println!("parseLines {} sortRows {} fib {}", share("parseLines"), share("sortRows"), share("fib"));
        (share("parseLines") > 0.15, share("sortRows"))
    });
    let runs: Vec<(bool, f64)> = runs.collect();
    assert!(runs.iter().filter(|(parses, _)| *parses).count() >= 3);
    assert!(runs.iter().map(|(_, sorts)| sorts).sum::<f64>() > 0.06);
}

#[test]
fn code_of_a_process_without_a_map_is_one_row_and_a_gap() {
    if !is_installed() {
        return;
    }
    in_some_run(|| {
        let place = Place::new();
        place.file("server.js", SERVER);
        let mut command = Command::new("node");
        place.dress(&mut command);
        let mut server = command.arg("server.js").stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let pid = server.id().to_string();
        let answer = place.slowpath(["record", "--pid", &pid, "--duration", "2s"]);
        server.kill().unwrap();
        server.wait().unwrap();
        let text = answer.exits(0).text();
        let shares = shares(&recording(&place));
        assert!(shares.get("JavaScript without names").is_some_and(|share| *share > 0.5), "{text}");
        assert!(text.contains("JavaScript without names") && !text.contains(" 0x7f"), "{text}");
        assert!(text.contains("--perf-basic-prof"), "{text}");
        // Who called it is known, too.
        assert!(shares.iter().any(|(name, share)| name.contains("uv_run") && *share > 0.5), "{shares:?}");
    });
}
