//! Runtimes are asked what they know better than any profile: their collector, and calls that repeat.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, in_some_run};

const PATIENCE: Duration = Duration::from_secs(240);

/// Parses the same text for each row.
const SAME: &str = r#"import json

TEXT = json.dumps({"rows": list(range(3000)), "limits": {"most": 7}})


def settings(text):
    return json.loads(text)


def limited(row):
    return min(row, settings(TEXT)["limits"]["most"])


def main():
    print(sum(limited(row) for row in range(2500)))


main()
"#;

/// Parses another text for each row.
const OTHER: &str = r#"import json


def settings(text):
    return json.loads(text)


def main():
    total = 0
    for row in range(2500):
        total += settings(json.dumps({"rows": list(range(row % 7, 1500)), "row": row}))["row"]
    print(total)


main()
"#;

const NODE: &str = "'use strict';
function entry(i) { return { a: i, b: [i, i + 1], c: { d: String(i) } }; }
let kept = [];
for (let i = 0; i < 3e6; i++) { kept.push(entry(i)); if (kept.length > 300000) kept = kept.slice(150000); }
console.log(kept.length);
";

const JAVA: &str = "import java.util.ArrayList;

class Entries {
    static ArrayList<int[]> kept = new ArrayList<>();

    static void add(int i) {
        kept.add(new int[] {i, i + 1, i + 2, i + 3});
        if (kept.size() > 400_000) kept = new ArrayList<>(kept.subList(200_000, kept.size()));
    }

    public static void main(String[] words) {
        for (int i = 0; i < 12_000_000; i++) add(i);
        System.out.println(kept.size());
    }
}
";

const GO: &str = r#"package main

import "fmt"

type entry struct {
	next *entry
	text string
}

func grow(n int) *entry {
	var first *entry
	for i := 0; i < n; i++ {
		first = &entry{first, fmt.Sprint(i)}
	}
	return first
}

func main() {
	total := 0
	for i := 0; i < 12; i++ {
		for one := grow(300000); one != nil; one = one.next {
			total += len(one.text)
		}
	}
	fmt.Println(total)
}
"#;

/// What the runtime said, and the answer made of it.
pub(crate) fn asked(place: &Place, words: &[&str]) -> (Option<Value>, Value) {
    let command = place.command(["why", "--json", "--runs", "1", "--warmup", "0", "--"].iter().chain(words));
    let answer = place.start(command).end_within(PATIENCE).exits(0).json();
    let file = place.last_run().join("tier2/runtime.json");
    let runtime = std::fs::read(file).ok().map(|bytes| serde_json::from_slice(&bytes).unwrap());
    if let Some(runtime) = &runtime {
        is_valid("runtime", runtime);
    }
    (runtime, answer)
}

fn repeat<'r>(runtime: &'r Value, function: &str) -> &'r Value {
    let all = runtime["repeats"].as_array().unwrap();
    all.iter().find(|one| one["function"] == function).unwrap_or_else(|| panic!("{runtime:#}"))
}

#[test]
fn calls_with_the_same_input_and_result_are_a_witness_of_repeated_work() {
    in_some_run(|| {
        // A space and a quote in the path must not keep the hook from being found.
        let place = Place::new();
        place.file("it's a folder/same.py", SAME);
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "it's a folder/same.py"]);
        let runtime = runtime.unwrap();
        let settings = repeat(&runtime, "settings");
        assert_eq!((&settings["calls"], &settings["same"]), (&2500.into(), &2499.into()));
        assert_eq!(repeat(&runtime, "limited")["same"], 0);
        let found = answer["findings"].as_array().unwrap();
        let repeated = found.iter().find(|one| one["cause"] == "repeated-work");
        let repeated = repeated.unwrap_or_else(|| panic!("{:#}", answer["findings"]));
        assert_eq!(repeated["location"]["function"], "settings");
        assert!(repeated["because"].to_string().contains("2499 of 2500 calls"), "{repeated:#}");
    });
}

#[test]
fn a_script_outside_the_working_directory_is_watched_and_the_watch_is_not() {
    in_some_run(|| {
        let (place, elsewhere) = (Place::new(), Place::new());
        let script =
            elsewhere.file("same.py", format!("import gc\nfor _ in range(5):\n    gc.collect()\n\n{SAME}"));
        let (runtime, _) = asked(&place, &["/usr/bin/python3", script.to_str().unwrap()]);
        let runtime = runtime.unwrap();
        assert_eq!(repeat(&runtime, "settings")["same"], 2499);
        let all = runtime["repeats"].as_array().unwrap();
        let ours = |one: &&Value| one["file"].as_str().unwrap().ends_with("slowpath_hook.py");
        assert_eq!(all.iter().find(ours), None);
    });
}

#[test]
fn other_input_each_time_is_no_repetition() {
    in_some_run(|| {
        let place = Place::new();
        place.file("other.py", OTHER);
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "other.py"]);
        assert_eq!(repeat(&runtime.unwrap(), "settings")["same"], 0);
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "repeated-work"), "{found:#?}");
    });
}

/// A package that builds all its cells for each cell that is asked for, and one that goes on at each call.
const SHELF: &str = "
class Cell:
    def __init__(self, row):
        self.row = row


class Shelf:
    def __init__(self, rows):
        self.rows = rows

    def cells(self):
        return [Cell([row]) for row in self.rows for _ in range(3)]

    def cell(self, at):
        return self.cells()[at].row[0]


def check(rules):
    if sum(i & 1 for i in range(3000)) == len(rules):
        raise ValueError(rules)


class Reader:
    def __init__(self):
        self.at = 0

    def step(self):
        self.at += 1
        return sum(i & 1 for i in range(3000)) + self.at * 0
";

#[test]
fn results_that_come_back_from_other_inputs_are_a_witness_too() {
    in_some_run(|| {
        let place = Place::new();
        // What the minute is does not matter for the table of a day.
        let bands = "from decimal import Decimal\n\ndef bands(minute):\n    day = minute // 1440\n    return [Decimal(day * 7 + step) / 3 for step in range(40)]\n\ndef price(minute):\n    return sum(bands(minute))\n\nprint(sum(price(minute) for minute in range(40000)))\n";
        place.file("rates.py", bands);
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "rates.py"]);
        let told = repeat(runtime.as_ref().unwrap(), "bands").clone();
        assert!(
            told["same"] == 0 && told["given"].as_u64() >= told["calls"].as_u64().map(|calls| calls * 8 / 10),
            "{told:#}"
        );
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"repeated-work".into(), &"bands".into())
        );
    });
}

#[test]
fn a_package_that_makes_the_same_objects_again_is_named() {
    in_some_run(|| {
        let place = Place::new();
        place.file("site-packages/shelf.py", SHELF);
        // What its collector takes is another story.
        let read = "import gc\nimport shelf\n\ngc.disable()\n\ndef read(n):\n    one = shelf.Shelf(list(range(n)))\n    return sum(one.cell(i) for i in range(n))\n\nprint(read(1500))\n";
        place.file("read.py", format!("import sys\nsys.path.insert(0, 'site-packages')\n{read}"));
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "read.py"]);
        let cells = repeat(runtime.as_ref().unwrap(), "Shelf.cells").clone();
        // The watch may end inside a call.
        assert!(cells["same"].as_u64() >= cells["calls"].as_u64().map(|calls| calls - 2), "{cells:#}");
        assert!(cells["calls"].as_u64() >= Some(100), "{cells:#}");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"repeated-work".into(), &"read".into())
        );
        assert_eq!(first["inside"]["function"], "Shelf.cells", "{first:#}");
    });
}

#[test]
fn an_object_that_goes_on_does_something_each_time() {
    in_some_run(|| {
        let place = Place::new();
        place.file("site-packages/shelf.py", SHELF);
        let read = "import shelf\n\ndef read(n):\n    one = shelf.Reader()\n    return sum(one.step() for _ in range(n))\n\nprint(read(4000))\n";
        place.file("read.py", format!("import sys\nsys.path.insert(0, 'site-packages')\n{read}"));
        let (runtime, _) = asked(&place, &["/usr/bin/python3", "read.py"]);
        assert_eq!(repeat(runtime.as_ref().unwrap(), "Reader.step")["same"], 0);
    });
}

/// Proxies of web frameworks are so outside of a request.
const REFUSES: &str = "
class Proxy:
    @property
    def __class__(self):
        raise RuntimeError('outside of a request')

    @property
    def __dict__(self):
        raise RuntimeError('outside of a request')


def spend(proxy, n):
    return sum(i & 1 for i in range(n)), proxy


def opened(name):
    return open(name), sum(i & 1 for i in range(300))


print(sum(spend(Proxy(), 3000)[0] for _ in range(4000)), sum(opened(__file__)[1] for _ in range(300)))
";

#[test]
fn an_object_that_refuses_to_be_looked_at_does_no_harm() {
    let place = Place::new();
    place.file("refuses.py", REFUSES);
    let (runtime, _) = asked(&place, &["/usr/bin/python3", "refuses.py"]);
    let runtime = runtime.unwrap();
    assert_eq!(repeat(&runtime, "spend")["same"], 0);
    // Files look alike, but each is another one.
    assert!(runtime["repeats"].as_array().unwrap().iter().all(|one| one["same"] == 0), "{runtime:#}");
}

#[test]
fn a_package_that_checks_the_same_rules_again_is_named() {
    in_some_run(|| {
        let place = Place::new();
        place.file("site-packages/shelf.py", SHELF);
        let read = "import shelf\n\nRULES = {'a': [1, 2]}\n\ndef read(n):\n    for _ in range(n):\n        shelf.check(RULES)\n    return n\n\nprint(read(4000))\n";
        place.file("read.py", format!("import sys\nsys.path.insert(0, 'site-packages')\n{read}"));
        let (runtime, _) = asked(&place, &["/usr/bin/python3", "read.py"]);
        let check = repeat(runtime.as_ref().unwrap(), "check").clone();
        assert!(check["same"].as_u64() >= check["calls"].as_u64().map(|calls| calls - 2), "{check:#}");
    });
}

/// The runtime counted collections, and the ledger cites it.
/// A package that fetches what an object has when it is asked for.
const MAPPER: &str = "
import sqlite3

connection = sqlite3.connect(':memory:')
connection.execute('create table parts (owner integer, weight integer)')
connection.execute('create index owners on parts (owner)')
connection.executemany('insert into parts values (?, ?)', [(n % 3000, n) for n in range(6000)])


class Crate:
    def __init__(self, number):
        self.number = number

    @property
    def parts(self):
        return [self.made(row) for row in self.ask('select weight from parts where owner = %d' % self.number)]

    def ask(self, query):
        return connection.execute(query).fetchall()

    def made(self, row):
        return row[0]
";

#[test]
fn rows_that_a_package_asks_for_one_by_one_are_told() {
    in_some_run(|| {
        let place = Place::new();
        place.file("site-packages/mapper.py", MAPPER);
        let read = "import mapper\n\ndef weigh(n):\n    total = 0\n    for number in range(n):\n        total += sum(mapper.Crate(number % 3000).parts)\n    return total\n\nprint(weigh(60000))\n";
        place.file("read.py", format!("import sys\nsys.path.insert(0, 'site-packages')\n{read}"));
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "read.py"]);
        let steps = runtime.as_ref().unwrap()["steps"].as_array().unwrap().clone();
        let step = steps.iter().find(|step| step["kind"] == "query").unwrap_or_else(|| panic!("{steps:#?}"));
        assert_eq!(
            (&step["by"]["function"], &step["inside"]["function"]),
            (&"weigh".into(), &"Crate.ask".into())
        );
        assert!(step["calls"].as_u64() >= Some(1000), "{step:#}");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"n-plus-one".into(), &"weigh".into())
        );
    });
}

/// A package that tries its rules one after the other; the line of the match names no pattern.
const RULES: &str = r"
import re

RULES = [re.compile(rule).match for rule in (r'\d+x', r'(?:[a-z]+\s?)+!', r'[a-z]+')]


def tokens(text):
    return [found for found in (rule(text) for rule in RULES) if found]
";

#[test]
fn a_pattern_that_a_package_matches_is_told() {
    in_some_run(|| {
        let place = Place::new();
        place.file("site-packages/rules.py", RULES);
        let read = "import rules\n\ndef read(n):\n    return sum(len(rules.tokens('abcdefghijklmnopq' + str(i % 7))) for i in range(n))\n\nprint(read(200))\n";
        place.file("read.py", format!("import sys\nsys.path.insert(0, 'site-packages')\n{read}"));
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "read.py"]);
        let steps = runtime.as_ref().unwrap()["steps"].as_array().unwrap().clone();
        assert_eq!(steps[0]["kind"], "match", "{steps:#?}");
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "regex-backtracking", "{first:#}");
        assert!(first["inside"]["function"].as_str().unwrap().starts_with("tokens"), "{first:#}");
    });
}

/// Cuts the same texts into words again, a short match at a time.
const WORDS: &str = r"
import re

WORD = re.compile(r'\s*(?:(\d+)|([a-z_]+)|(<=|>=|[-+*/<>(),?:]))')


def words(text):
    found = []
    at = 0
    while at < len(text):
        match = WORD.match(text, at)
        found.append(match.groups())
        at = match.end()
    return found


def read(n):
    texts = ['max(%d, weight * 2 + volume / 1000) - (zone > %d ? zone * 3 : 1)' % (i, i) for i in range(40)]
    return sum(len(words(text)) for _ in range(n) for text in texts)


print(read(700))
";

#[test]
fn many_short_matches_are_no_backtracking() {
    // A busy machine may interrupt one match for milliseconds, so that it passes for a long one.
    in_some_run(|| {
        let place = Place::new();
        place.file("words.py", WORDS);
        let (runtime, answer) = asked(&place, &["/usr/bin/python3", "words.py"]);
        assert!(runtime.is_some());
        let hypotheses = answer["hypotheses"].as_array().unwrap();
        let told = hypotheses.iter().find(|told| told["id"] == "regex-backtracking").unwrap();
        assert_eq!(told["state"], "rejected", "{told:#}");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"repeated-work".into(), &"words".into())
        );
    });
}

/// Tasks side by side, each of which stops the loop that runs them all.
const BLOCKS: &str = "
import asyncio, http.server, threading, time, urllib.request


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.015)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{}')

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()


def fetch(number):
    with urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/{number}') as answer:
        return len(answer.read())


async def reading(slots, number):
    async with slots:
        return fetch(number)


async def main():
    slots = asyncio.Semaphore(8)
    print(sum(await asyncio.gather(*(reading(slots, number) for number in range(60)))))


asyncio.run(main())
";

#[test]
fn a_task_that_stops_its_event_loop_holds_no_lock() {
    in_some_run(|| {
        let place = Place::new();
        place.file("blocks.py", BLOCKS);
        let (_, answer) = asked(&place, &["/usr/bin/python3", "blocks.py"]);
        let held = answer["hypotheses"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["id"] == "lock-across-io")
            .unwrap();
        assert!(["rejected", "untestable"].iter().any(|state| held["state"] == *state), "{held:#}");
        let first = &answer["findings"][0];
        assert!(["serial-fan-out", "serial-calls"].iter().any(|cause| first["cause"] == *cause), "{first:#}");
    });
}

const LOOKS: &str = "import threading

class Looker(threading.Thread):
    def __init__(self, shelf, told):
        super().__init__(daemon=True)
        self.shelf, self.told, self.end = shelf, told, threading.Event()

    def look(self):
        self.end.wait(0.2)
        while self.shelf:
            self.told.put(self.shelf.pop())

    def run(self):
        while not self.end.is_set():
            self.look()
";

const COLLECTS: &str = "import os, queue, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'site-packages'))
from looker import Looker

def collect(count):
    shelf, told = [], queue.Queue()
    Looker(shelf, told).start()
    books = []
    for book in range(count):
        shelf.append(book)
        books.append(told.get())
    return books

print(*collect(5))
";

#[test]
fn a_package_that_looks_from_time_to_time_is_named_beside_who_waits_for_it() {
    in_some_run(|| {
        let place = Place::new();
        place.file("shelf.py", COLLECTS);
        place.file("site-packages/looker.py", LOOKS);
        let (_, answer) = asked(&place, &["/usr/bin/python3", "shelf.py"]);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "polling-sleep", "{first:#}");
        assert_eq!(first["location"]["function"], "collect", "{first:#}");
        assert_eq!(first["inside"]["function"], "Looker.look", "{first:#}");
        assert!(first["prescription"].to_string().contains("told"), "{first:#}");
    });
}

const FLUSHES: &str = "const fs = require('fs');
async function save(file, count) {
  for (let i = 0; i < count; i += 1) {
    await file.write(`record ${i}\\n`);
    await file.datasync();
  }
}
(async () => {
  const file = await fs.promises.open('journal', 'w');
  await save(file, 1500);
  await file.close();
  fs.unlinkSync('journal');
})();
";

#[test]
fn a_loop_that_its_own_threads_ring_does_not_sleep_on_purpose() {
    in_some_run(|| {
        let place = Place::new();
        place.file("journal.js", FLUSHES);
        let (_, answer) = asked(&place, &["node", "journal.js"]);
        let sleeps =
            answer["hypotheses"].as_array().unwrap().iter().find(|one| one["id"] == "polling-sleep").unwrap();
        assert!(["rejected", "untestable"].iter().any(|state| sleeps["state"] == *state), "{sleeps:#}");
    });
}

fn is_told(runtime: Option<Value>, answer: &Value, name: &str) {
    let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
    assert_eq!(runtime["runtime"], name);
    assert!(runtime["collector"]["collections"].as_u64().unwrap() >= 2, "{runtime:#}");
    assert!(runtime["collector"]["taken_ns"].as_u64().unwrap() > 0, "{runtime:#}");
    let hypotheses = answer["hypotheses"].as_array().unwrap();
    let collector = hypotheses.iter().find(|one| one["id"] == "gc-pressure").unwrap();
    assert_ne!(collector["state"], "untestable", "{collector:#}");
    assert!(answer["overhead"].to_string().contains("runtime"), "{:#}", answer["overhead"]);
}

#[test]
fn node_tells_what_its_collector_took() {
    let place = Place::new();
    place.file("entries.js", NODE);
    let (runtime, answer) = asked(&place, &["node", "entries.js"]);
    is_told(runtime, &answer, "v8");
}

#[test]
fn the_jvm_tells_what_its_collector_took() {
    let place = Place::new();
    place.file("Entries.java", JAVA);
    let built = Command::new("javac").arg("Entries.java").current_dir(place.path()).status().unwrap();
    assert!(built.success(), "install a JDK");
    let (runtime, answer) = asked(&place, &["java", "-Xmx128m", "-XX:+UseSerialGC", "-cp", ".", "Entries"]);
    is_told(runtime, &answer, "jvm");
}

/// Builds a program of Go; not where Go is not installed, which is said.
fn is_built(place: &Place, text: &str) -> bool {
    if Command::new("go").arg("version").output().is_err() {
        println!("skipped: go is not installed");
        return false;
    }
    place.file("main.go", text);
    let built = Command::new("go")
        .args(["build", "-o", "program", "main.go"])
        .current_dir(place.path())
        .env("GOCACHE", place.path().join("cache"))
        .env("GO111MODULE", "off")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    true
}

#[test]
fn go_tells_what_its_collector_took() {
    let place = Place::new();
    if !is_built(&place, GO) {
        return;
    }
    let (runtime, answer) = asked(&place, &["./program"]);
    is_told(runtime, &answer, "go");
}

/// Garbage is made in one of three functions, and what it is made of is kept for a while.
const THREE: &str = "'use strict';
function small(i) { return [i]; }
function count(i) { let n = 0; for (let k = 0; k < 20; k++) n += i ^ k; return n; }
function parse(i) {
  return { a: i, b: [i, i + 1], c: { d: String(i) } };
}
let kept = [], total = 0;
for (let i = 0; i < 2e6; i++) {
  kept.push(parse(i));
  if (kept.length > 300000) kept = kept.slice(150000);
  if (i % 20 === 0) total += small(i).length;
  total += count(i) & 1;
}
console.log(kept.length, total);
";

const THREE_JAVA: &str = "

class Three {
    static Object[] kept = new Object[300_000];
    static long total = 0;

    static String small(int i) { return \"x\" + i; }
    static long count(int i) { long n = 0; for (int k = 0; k < 20; k++) n += i ^ k; return n; }

    static int[] parse(int i) {
        return new int[] {i, i + 1, i + 2, i + 3, i, i, i, i};
    }

    public static void main(String[] words) {
        for (int i = 0; i < 8_000_000; i++) {
            kept[i % kept.length] = parse(i);
            if (i % 20 == 0) total += small(i).length();
            total += count(i) & 1;
        }
        System.out.println(kept.length + \" \" + total);
        if (words.length > 0 && words[0].equals(\"exit\")) System.exit(0);
        if (words.length > 0) throw new IllegalStateException(words[0]);
    }
}
";

/// The largest site is one function, and the finding names it and cites it.
fn is_made_in(runtime: Option<Value>, answer: &Value, function: &str, line: u64) {
    let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
    let sites = &runtime["sites"];
    let first = &sites["largest"][0];
    assert_eq!(first["place"]["function"], function, "{sites:#} {:#}", answer["gaps"]);
    assert_eq!((&first["place"]["line"], &first["place"]["owner"]), (&line.into(), &"project".into()));
    // More than half; the JVM's samples of a busy machine are few, and a third is what the rule asks for.
    assert!(first["bytes"].as_u64() > sites["bytes"].as_u64().map(|all| all / 3), "{sites:#}");
    assert!(first["samples"].as_u64() > Some(20), "{sites:#}");
    let sum: u64 =
        sites["largest"].as_array().unwrap().iter().map(|one| one["bytes"].as_u64().unwrap()).sum();
    assert!(sum <= sites["bytes"].as_u64().unwrap());
    let found = answer["findings"].as_array().unwrap();
    let pressure = found.iter().find(|one| one["cause"] == "gc-pressure");
    let pressure = pressure.unwrap_or_else(|| panic!("{:#}", answer["hypotheses"]));
    assert_eq!(pressure["location"]["function"], function, "{pressure:#}");
    let because = pressure["because"].to_string();
    assert!(because.contains(&format!("made at `{function}`")), "{because}");
}

#[test]
fn node_tells_which_function_makes_the_garbage_however_it_ends() {
    let ends = ["", "process.exit(0);", "throw new Error('at its end');"];
    for end in ends {
        in_some_run(|| {
            let place = Place::new();
            place.file("three.js", format!("{THREE}{end}"));
            // Neighbours may make the run that is asked half as dear again, and then it is not believed.
            let noisy = |answer: &Value| answer["gaps"].to_string().contains("another program");
            let mut asked = (0..4).map(|_| asked_and_unchanged(&place, &["node", "three.js"]));
            let (runtime, answer) =
                asked.find(|(_, answer)| !noisy(answer)).expect("four runs, none of them alike");
            is_made_in(runtime, &answer, "parse", 4);
        });
    }
}

#[test]
fn the_jvm_tells_which_function_makes_the_garbage_however_it_ends() {
    let place = Place::new();
    place.file("Three.java", THREE_JAVA);
    let built = Command::new("javac").arg("Three.java").current_dir(place.path()).status().unwrap();
    assert!(built.success(), "install a JDK");
    let java = ["java", "-Xmx128m", "-XX:+UseSerialGC", "-cp", ".", "Three"];
    for end in [&[][..], &["exit"], &["at its end"]] {
        in_some_run(|| {
            let words: Vec<&str> = java.iter().chain(end).copied().collect();
            let (runtime, answer) = asked_and_unchanged(&place, &words);
            is_made_in(runtime, &answer, "Three.parse", 11);
        });
    }
}

/// As `asked`, of a program that may fail; what it writes is what it writes when nobody asks.
const TICKS: &str = "package main

import (
	\"context\"
	\"fmt\"
	\"sync/atomic\"
	\"time\"
)

type depot struct{ done atomic.Int64 }

func (d *depot) work(jobs int64) {
	for n := int64(0); n < jobs; n++ {
		time.Sleep(3 * time.Millisecond)
		d.done.Add(1)
	}
}

func (d *depot) await(ctx context.Context, jobs int64) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if d.done.Load() >= jobs {
				return nil
			}
		}
	}
}

func main() {
	total := int64(0)
	for batch := 0; batch < 15; batch++ {
		d := &depot{}
		go d.work(5)
		if err := d.await(context.Background(), 5); err != nil {
			panic(err)
		}
		total += d.done.Load()
	}
	fmt.Println(total)
}
";

#[test]
fn a_select_that_only_the_clock_ends_is_polling() {
    in_some_run(|| {
        let place = Place::new();
        if !is_built(&place, TICKS) {
            return;
        }
        let (_, answer) = asked(&place, &["./program"]);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "polling-sleep", "{first:#}");
        assert_eq!(first["location"]["function"], "main.(*depot).await", "{first:#}");
    });
}

pub(crate) fn asked_and_unchanged(place: &Place, words: &[&str]) -> (Option<Value>, Value) {
    let plain = Command::new(words[0]).args(&words[1..]).current_dir(place.path()).output().unwrap();
    let options =
        ["why", "--json", "--runs", "1", "--warmup", "0", "--ignore-failure", "--stdout", "out", "--"];
    let command = place.command(options.iter().chain(words));
    let answer = place.start(command).end_within(PATIENCE).exits(0).json();
    let runtime = std::fs::read(place.last_run().join("tier2/runtime.json")).ok();
    let runtime: Option<Value> = runtime.map(|bytes| serde_json::from_slice(&bytes).unwrap());
    if let Some(runtime) = &runtime {
        is_valid("runtime", runtime);
    }
    // The pass that asks is the last run of all.
    let written = std::fs::read(place.path().join("out")).unwrap();
    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&plain.stdout));
    (runtime, answer)
}

/// Without inlining it makes four objects in each step that it else does not make.
const OTHER_PROGRAM: &str = "'use strict';
class Vec {
  constructor(x, y) { this.x = x; this.y = y; }
  add(other) { return new Vec(this.x + other.x, this.y + other.y); }
  length() { return this.x * this.x + this.y * this.y; }
}
function step(a, b) { return a.add(b).add(a).length(); }
function entry(i) { return { a: i, b: [i, i + 1], c: { d: String(i) } }; }
let total = 0, kept = [];
for (let i = 0; i < 2e6; i++) {
  for (let j = 0; j < 15; j++) total += step(new Vec(i, 1), new Vec(2, j));
  kept.push(entry(i));
  if (kept.length > 300000) kept = kept.slice(150000);
}
console.log(total);
";

#[test]
fn garbage_that_only_the_question_makes_is_a_gap_and_not_a_site() {
    let place = Place::new();
    place.file("other.js", OTHER_PROGRAM);
    let (runtime, answer) = asked(&place, &["node", "other.js"]);
    let runtime = runtime.unwrap_or_else(|| panic!("{:#}", answer["gaps"]));
    assert_eq!(runtime["sites"], Value::Null, "{runtime:#}");
    assert!(runtime["collector"]["collections"].as_u64() > Some(1), "{runtime:#}");
    assert!(answer["gaps"].to_string().contains("another program"), "{:#}", answer["gaps"]);
}

#[test]
fn who_wants_runtimes_left_alone_is_told_what_was_not_asked() {
    let place = Place::new();
    place.file("count.py", "def count(n):\n    total = 0\n    for at in range(n):\n        total += at % 7\n    return total\n\nprint(sum(count(20000) for _ in range(300)))\n");
    let words = [
        "why",
        "--json",
        "--runs",
        "1",
        "--warmup",
        "0",
        "--no-runtimes",
        "--",
        "/usr/bin/python3",
        "count.py",
    ];
    let answer = place.start(place.command(words)).end_within(PATIENCE).exits(0).json();
    assert!(!place.last_run().join("tier2/runtime").exists());
    let gaps = answer["gaps"].as_array().unwrap();
    assert!(gaps.iter().any(|gap| gap["why"].as_str().unwrap().contains("--no-runtimes")), "{gaps:#?}");
}
