//! Node's functions, watched without a change to the program: calls that grow, calls that repeat, and programs that do what
//! they always did.

use std::process::Command;
use std::time::Duration;

use inspect::source::{WATCH, Watch};
use serde_json::Value;

use crate::answers::is_valid;
use crate::place::Place;

const PATIENCE: Duration = Duration::from_secs(240);

/// Functions of every kind, whose text must go on to mean what it meant.
const KINDS: &str = r#"
const out = [];
var seven = function (a, b) { 'use strict'; return [this === undefined, a, b, arguments.length]; };
function redeclared(given) { var given = given || 'none'; return given; }
function hoisted(n) { return inner(n) + 1; function inner(m) { return m * 2; } }
function taken({ a, b = 3 }, [c], ...rest) { return [a, b, c, rest, arguments.length]; }
function takenAgain({ a }) { var a = a || 5; return a; }
const short = x => x + 1, object = (x) => ({ x }), curried = a => b => c => a + b + c;
const lines = (x) => x // a remark
  + 1;
function remark(x) { return x; /* done */ } // and over }
const parted = ({ a = 2, ...rest }, [b = 3] = []) => [a, b, rest], inDefault = (f = (x) => x * 2, n = 1) => { return f(n); };
class Base {
  #hidden = 1;
  static made = 0;
  constructor(n) { this.n = n; Base.made += 1; }
  get half() { return this.n / 2; }
  set half(value) { this.n = value * 2; }
  static of(n) { return new this(n); }
  ['com' + 'puted'](x) { return x * this.n + this.#hidden; }
  *each() { yield this.n; }
  async later() { return this.n; }
  arrow = (x) => this.n + x;
}
class Derived extends Base {
  constructor(n) { super(n + 1); this.target = new.target.name; }
  computed(x) { return super.computed(x) + 1; }
}
function Old(n) { if (!(this instanceof Old)) return new Old(n); this.n = n; }
function deep(n) { return n === 0 ? 0 : 1 + deep(n - 1); }
function labels(n) { outer: for (let i = 0; i < n; i++) { for (;;) { if (i > 2) break outer; continue outer; } } return n; }
function throws(n) { try { if (n > 1) throw new Error('no'); return 'yes'; } catch { return 'caught'; } finally { out.push(n); } }
const it = Derived.of(4);
it.half = 8;
for (let turn = 0; turn < 3; turn += 1) {
  out.push(seven(1, 2, 3), seven.call({}, 1), redeclared(), redeclared('x'), hoisted(2), taken({ a: 1 }, [2], 3, 4));
  out.push(takenAgain({ a: 0 }), takenAgain({ a: 9 }), short(1), object(2), curried(1)(2)(3), lines(4), remark(5), parted({ c: 1 }), inDefault());
  out.push(it.half, it.computed(3), [...it.each()], it.arrow(2), it.target, Base.made, Old(3).n, deep(40), labels(5));
  out.push(throws(1), throws(2), seven.length, `${[1, 2].map((x) => { return x * 2; })}`);
}
it.later().then((n) => console.log(JSON.stringify(out), n));
"#;

#[test]
fn watched_functions_do_what_they_did() {
    let place = Place::new();
    let watch = Watch::read(KINDS).unwrap();
    let names: Vec<&str> = watch.functions().filter_map(|one| one.name.as_deref()).collect();
    for name in ["seven", "redeclared", "taken", "short", "get half", "constructor", "arrow", "deep"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // Those that are entered often, and one whose parameter would lose its value.
    for name in ["each", "later", "takenAgain"] {
        assert!(!names.contains(&name), "{name}: {names:?}");
    }
    let always = format!(
        "let calls = 0; {WATCH} = new Proxy([], {{ get: () => ({{ next: 0, call(self, given, body) {{ calls += 1; return Reflect.apply(body, undefined, given); }} }}) }}); process.on('exit', () => {{ if (calls < 100) throw new Error(`${{calls}} calls`); }});"
    );
    let watched = watch.text(&|at| Some(at));
    let output = |name: &str, text: String| {
        let file = place.file(name, text);
        let output = Command::new("node").arg(file).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(output("plain.js", KINDS.to_owned()), output("watched.js", always + &watched));
}

/// Keeps V8 from putting the package's small functions into the program's own.
const APART: &[&str] = &["--max-inlined-bytecode-size=0", "--max-inlined-bytecode-size-small=0"];

/// What the runtime said, and the answer made of it.
fn asked(options: &[&str], name: &str, program: &str) -> (Value, Value) {
    let place = Place::new();
    place.file(
        "node_modules/shelf/index.js",
        "exports.Shelf = class Shelf {\n  constructor() { this.rows = []; }\n  add(row) {\n    this.rows.push(row);\n    let sum = 0;\n    for (const one of this.rows) sum = (sum * 31 + one) & 0xffff;\n    return sum;\n  }\n};\n\
         exports.spell = (words) => {\n  let out = 0;\n  for (let turn = 0; turn < 20000; turn += 1) out = (out * 7 + words.length + turn) % 1000003;\n  return `${words} ${out}`;\n};\n",
    );
    place.file("node_modules/shelf/package.json", "{\"name\":\"shelf\",\"main\":\"index.js\"}");
    place.file(name, program);
    let words = ["why", "--json", "--runs", "1", "--warmup", "0", "--", "node"];
    let words = words.into_iter().chain(options.iter().copied()).chain([name]).collect::<Vec<&str>>();
    let answer = place.start(place.command(words)).end_within(PATIENCE).exits(0).json();
    let file = place.last_run().join("tier2/runtime.json");
    let runtime = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    is_valid("runtime", &runtime);
    (runtime, answer)
}

/// A package that goes through all it has at each call is where the program grows, however it was loaded.
#[test]
fn a_package_that_goes_through_all_it_has_grows() {
    let fill = "function fill(n) {\n  const shelf = new Shelf();\n  let last = 0;\n  for (let row = 0; row < n; row += 1) last = shelf.add(row);\n  return last;\n}\nconsole.log(fill(40000));\n";
    for (name, load) in [
        ("fill.js", "const { Shelf } = require('shelf');\n"),
        ("fill.mjs", "import { Shelf } from 'shelf';\n"),
    ] {
        let (runtime, answer) = asked(APART, name, &format!("{load}{fill}"));
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{name}: {first}\n{runtime}");
        let cost = runtime["costs"].as_array().unwrap().iter().find(|cost| cost["function"] == "add");
        let cost = cost.unwrap_or_else(|| panic!("{name}: {runtime}"));
        assert!(cost["sizes"].as_array().unwrap().len() > 6, "{cost}");
    }
}

/// The same text spelt again and again could be kept; other texts could not.
#[test]
fn calls_with_the_same_input_and_result_repeat() {
    let letters = |words: &str| {
        format!(
            "const {{ spell }} = require('shelf');\nfunction letters(n) {{\n  let sum = 0;\n  for (let one = 0; one < n; one += 1) sum += spell({words}).length;\n  return sum;\n}}\nconsole.log(letters(10000));\n"
        )
    };
    let (runtime, answer) = asked(APART, "letters.js", &letters("`post ${one % 5}`"));
    let first = &answer["findings"][0];
    assert_eq!(first["cause"], "repeated-work", "{first}\n{runtime}");
    let (runtime, answer) = asked(APART, "letters.js", &letters("`post ${one}`"));
    let first = &answer["findings"][0];
    assert_ne!(first["cause"], "repeated-work", "{first}\n{runtime}");
    let spelt = runtime["repeats"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["function"].as_str().unwrap().ends_with("spell"));
    assert_eq!(spelt.unwrap_or_else(|| panic!("{runtime}"))["same"], 0);
}

/// V8 puts a small function into whoever calls it; its time is then seen there.
#[test]
fn a_function_that_v8_hides_in_its_caller_is_told() {
    let program = "class Ledger {\n  constructor() { this.rows = []; }\n  add(row) {\n    for (let at = 0; at < this.rows.length; at += 1) {\n      if (this.rows[at].id === row.id) return false;\n    }\n    this.rows.push(row);\n    return true;\n  }\n}\n\
        function main(n) {\n  const ledger = new Ledger();\n  let added = 0;\n  for (let id = 0; id < n; id += 1) added += ledger.add({ id }) ? 1 : 0;\n  console.log(added);\n}\nmain(40000);\n";
    let (runtime, answer) = asked(&[], "ledger.js", program);
    let first = &answer["findings"][0];
    assert_eq!(first["cause"], "algorithmic-growth", "{first}\n{runtime}");
    assert_eq!(first["location"]["function"], "add", "{first}\n{runtime}");
}
