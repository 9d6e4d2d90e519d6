//! Functions of Node and the JVM, watched without a change to the program: calls that grow, calls that repeat, and programs
//! that do what they always did.

use std::process::Command;

use inspect::source::{WATCH, Watch};
use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes;

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
  async lately(...given) { if (given.length > 1) { return; } return /* all of */ arguments.length
  }
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
function given(x) { x = x || {}; x.y = 1; return [].slice.call(arguments); }
function longNames(numberOfSamplesPerChannelIn, numberOfSamplesPerChannelOut) { var numberOfSamplesPerChannelIn = numberOfSamplesPerChannelIn || 4; return numberOfSamplesPerChannelIn + numberOfSamplesPerChannelOut; }
function strictly() { /* a licence */ 'use client'; 'use strict'; return this === undefined; }
function loosely() { 'use strict' + 1; return this === undefined; }
function twice(_, _, x) { return x; }
const tag = (strings) => strings;
function tagged() { return tag`same`; }
class Quoted extends Base { 'constructor'(n) { super(n); } }
const it = Derived.of(4);
it.half = 8;
for (let turn = 0; turn < 3; turn += 1) {
  out.push(seven(1, 2, 3), seven.call({}, 1), redeclared(), redeclared('x'), hoisted(2), taken({ a: 1 }, [2], 3, 4));
  out.push(takenAgain({ a: 0 }), takenAgain({ a: 9 }), short(1), object(2), curried(1)(2)(3), lines(4), remark(5), parted({ c: 1 }), inDefault());
  out.push(given(), longNames(0, 1), strictly(), loosely(), twice(1, 2, 3), tagged() === tagged(), new Quoted(1).n);
  out.push(it.half, it.computed(3), [...it.each()], it.arrow(2), it.target, Base.made, Old(3).n, deep(40), labels(5));
  out.push(throws(1), throws(2), seven.length, `${[1, 2].map((x) => { return x * 2; })}`);
}
const soon = async x => x * 2, sooner = async({ a }, b = a) => { 'use client'; return tag`one`, [a, b]; };
async function within(x) { const inner = async () => { return x; }; return [await inner(), (() => { return x + 1; })()]; }
async function fails() { throw new Error('no'); }
Promise.all([it.later(), it.lately(), it.lately(1, 2), soon(4), sooner({ a: 1 }), within(3), fails().catch((error) => error.message)])
  .then((all) => console.log(JSON.stringify(out), JSON.stringify(all)));
"#;

#[test]
fn watched_functions_do_what_they_did() {
    let place = Place::new();
    let watch = Watch::read(KINDS).unwrap();
    let names: Vec<&str> = watch.functions().filter_map(|one| one.name.as_deref()).collect();
    for name in
        ["redeclared", "parted", "short", "get half", "constructor", "arrow", "deep", "later", "sooner"]
    {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // Those that are entered often, and those that would mean something else.
    for name in ["each", "takenAgain", "given", "twice", "tagged", "seven"] {
        assert!(!names.contains(&name), "{name}: {names:?}");
    }
    let always = format!(
        "let calls = 0; {WATCH} = new Proxy([], {{ get: () => ({{ next: 0, call(self, given, body) {{ calls += 1; return Reflect.apply(body, undefined, given); }}, enter() {{ calls += 1000; return calls; }}, back(at, value) {{ if (!(at >= 1000)) throw new Error('not entered'); return value; }} }}) }}); process.on('exit', () => {{ if (calls < 8000 || calls % 1000 < 100) throw new Error(`${{calls}} calls`); }});"
    );
    let watched = watch.text(&|at| Some(at));
    // Each line is known by what it was.
    let lines: Vec<&str> = KINDS.lines().collect();
    for (line, was) in watched.text.lines().zip(&watched.lines) {
        let was = lines.get(*was as usize - 1).unwrap_or_else(|| panic!("{was}"));
        let mut words = was.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let last = words.next_back().unwrap_or_default();
        assert!(line.contains(last), "{line}\n{was}");
    }
    let output = |name: &str, text: String| {
        let file = place.file(name, text);
        let output = Command::new("node").arg(file).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(output("plain.js", KINDS.to_owned()), output("watched.js", always + &watched.text));
}

/// Keeps V8 from putting the package's small functions into the program's own.
const APART: &[&str] = &["--max-inlined-bytecode-size=0", "--max-inlined-bytecode-size-small=0"];

/// What the runtime said, and the answer made of it.
fn asked(options: &[&str], name: &str, program: &str) -> (Value, Value) {
    let place = Place::new();
    place.file(
        "node_modules/shelf/index.js",
        "exports.Shelf = class Shelf {\n  constructor() { this.rows = []; }\n  add(row) {\n    this.rows.push(row);\n    let sum = 0;\n    for (const one of this.rows) sum = (sum * 31 + one) & 0xffff;\n    return sum;\n  }\n};\n\
         exports.spell = (words) => {\n  let out = 0;\n  for (let turn = 0; turn < 20000; turn += 1) out = (out * 7 + words.length + turn) % 1000003;\n  return `${words} ${out}`;\n};\n\
         exports.Area = class Area {\n  constructor(points) { this.points = points; }\n  joined(point) {\n    let seen = 0;\n    const points = [];\n    for (const one of this.points) { seen = (seen * 31 + one) & 0xffff; points.push(one); }\n    points.push(point + seen * 0);\n    return new Area(points);\n  }\n  mixed(point) {\n    return new Area(this.points.map((one) => (one * 31 + point) & 0xffff));\n  }\n};\n\
         exports.read = function read(place, form) {\n  let width = 0;\n  for (let turn = 0; turn < 20000; turn += 1) width = (width * 7 + form.length + place.name.length + turn) % 1000003;\n  return { form, width, name: place.name };\n};\n\
         exports.weigh = function weigh(value, path) {\n  if (typeof value !== 'object') return String(value).length + path.length;\n  let sum = 0;\n  for (const name in value) sum = (sum + weigh(value[name], path.concat(name))) % 1000003;\n  return sum;\n};\n",
    );
    place.file("node_modules/shelf/package.json", "{\"name\":\"shelf\",\"main\":\"index.js\"}");
    place.file(name, program);
    let words: Vec<&str> = ["node"].iter().chain(options).copied().chain([name]).collect();
    let (runtime, answer) = runtimes::asked(&place, &words);
    (runtime.unwrap(), answer)
}

/// A package that goes through all it has at each call is where the program grows, however it was loaded.
#[test]
fn a_package_that_goes_through_all_it_has_grows() {
    in_some_run(|| {
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
    });
}

/// What each call gives, in an object of its own, is what the next one goes on with.
#[test]
fn what_each_call_gives_to_the_next_grows_where_that_takes_longer() {
    in_some_run(|| {
        let fold = |method: &str, size: u32, n: u32| {
            format!(
                "const {{ Area }} = require('shelf');\nfunction fold(n) {{\n  let area = new Area(Array.from({{ length: {size} }}, (_, at) => at));\n  for (let at = 0; at < n; at += 1) area = area.{method}(at);\n  return area.points.length;\n}}\nconsole.log(fold({n}));\n"
            )
        };
        let (runtime, answer) = asked(APART, "fold.js", &fold("joined", 1, 9000));
        assert_eq!(answer["findings"][0]["cause"], "algorithmic-growth", "{}\n{runtime}", answer["findings"]);
        let (runtime, answer) = asked(APART, "fold.js", &fold("mixed", 4000, 12000));
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "algorithmic-growth"), "{found:#?}\n{runtime}");
    });
}

/// The same text spelt again and again could be kept; other texts could not.
#[test]
fn calls_with_the_same_input_and_result_repeat() {
    in_some_run(|| {
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
    });
}

/// The same again, though what it is given is another object each time: what that holds tells.
#[test]
fn objects_that_hold_the_same_are_the_same_input() {
    in_some_run(|| {
        let read = |at: &str| {
            format!(
                "const {{ read }} = require('shelf');\nclass Place {{ constructor(name) {{ this.name = name; this.digits = null; }} }}\nfunction all(n) {{\n  let sum = 0;\n  for (let one = 0; one < n; one += 1) sum += read(new Place({at}), 'dd.mm.yyyy').width;\n  return sum;\n}}\nconsole.log(all(12000));\n"
            )
        };
        let (runtime, answer) = asked(APART, "read.js", &read("'north'"));
        assert_eq!(answer["findings"][0]["cause"], "repeated-work", "{}\n{runtime}", answer["findings"]);
        let (runtime, answer) = asked(APART, "read.js", &read("`north ${one}`"));
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "repeated-work"), "{found:#?}\n{runtime}");
    });
}

/// A state that a package walks through as a whole for each change: of thousands of calls in between only some are compared.
#[test]
fn what_is_walked_through_again_repeats_however_much_there_is() {
    in_some_run(|| {
        let program = "const { weigh } = require('shelf');\nfunction sell(n) {\n  const plants = {};\n  for (let at = 0; at < 3000; at += 1) plants[`p${at}`] = { name: `plant ${at}`, left: at % 40 };\n  let sum = 0;\n  for (let turn = 0; turn < n; turn += 1) {\n    plants[`p${turn}`].left += 1;\n    sum = (sum + weigh(plants, [])) % 1000003;\n  }\n  return sum;\n}\nconsole.log(sell(400));\n";
        let (runtime, answer) = asked(APART, "sell.js", program);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "repeated-work", "{first}\n{runtime}");
    });
}

/// A list that is too much to go through at each call is the same while it is the same list and nothing has come or gone.
#[test]
fn long_lists_that_are_given_again_are_the_same_input() {
    in_some_run(|| {
        let read = |turn: &str| {
            format!(
                "function sums(rows, shelf) {{\n  const found = {{}};\n  for (const row of rows) if (row.shelf === shelf) found[row.kind] = (found[row.kind] || 0) + row.grams;\n  return found;\n}}\nfunction all(n) {{\n  const rows = [];\n  for (let at = 0; at < 20000; at += 1) rows.push({{ shelf: at % 40, kind: 'k' + at % 5, grams: at % 31 }});\n  let sum = 0;\n  for (let turn = 0; turn < n; turn += 1) {{ {turn} sum += sums(rows, turn % 40).k0 || 1; }}\n  return sum;\n}}\nconsole.log(all(16000));\n"
            )
        };
        let (runtime, answer) = asked(&[], "sums.js", &read(""));
        assert_eq!(answer["findings"][0]["cause"], "repeated-work", "{}\n{runtime}", answer["findings"]);
        let (runtime, answer) =
            asked(&[], "sums.js", &read("rows[turn].grams += 1; rows.push(rows[turn % 9]);"));
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "repeated-work"), "{found:#?}\n{runtime}");
    });
}

/// A watched call stands on the stack more than once; what could recurse before still can.
#[test]
fn who_recurses_deeply_still_can() {
    let program = "function depthOf(node, depth) {\n  let sum = depth & 3;\n  if (node.next !== null) sum += depthOf(node.next, depth + 1);\n  return sum & 0xffff;\n}\nlet changes = 0;\nfunction walk(node) {\n  changes += 1;\n  if (node.next !== null) walk(node.next);\n}\n\
        function rounds(n) {\n  let list = null, sum = 0;\n  for (let at = 0; at < 5000; at += 1) list = { next: list, at };\n  for (let round = 0; round < n; round += 1) {\n    sum += depthOf(list, 0);\n    walk(list);\n  }\n  return sum + changes;\n}\nconsole.log(rounds(8000));\n";
    let (runtime, _) = asked(&[], "rounds.js", program);
    assert!(
        runtime["repeats"].as_array().unwrap().iter().any(|one| one["function"] == "depthOf"),
        "{runtime:#}"
    );
}

/// Long and short documents by turns: none of them grows.
#[test]
fn things_of_different_size_by_turns_do_not_grow() {
    in_some_run(|| {
        let program = "function score(page, asked) {\n  let sum = asked;\n  for (let at = 0; at < page.length; at += 1) sum = (sum * 31 + page[at]) % 1000003;\n  return sum;\n}\n\
        function search(n) {\n  const pages = Array.from({ length: 20 }, (_, at) => Array.from({ length: 40 * 2 ** (at % 8) }, (_, letter) => letter % 26));\n  let sum = 0;\n  for (let asked = 0; asked < n; asked += 1) for (const page of pages) sum += score(page, asked);\n  return sum;\n}\nconsole.log(search(8000));\n";
        let (runtime, answer) = asked(APART, "search.js", program);
        assert_ne!(
            answer["findings"][0]["cause"], "algorithmic-growth",
            "{:#}\n{runtime}",
            answer["findings"][0]
        );
        assert!(
            runtime["costs"].as_array().unwrap().iter().any(|one| one["function"] == "score"),
            "{runtime:#}"
        );
    });
}

/// What goes on from where it was does not repeat, though it is asked the same and gives the same.
#[test]
fn calls_that_change_what_they_belong_to_do_not_repeat() {
    in_some_run(|| {
        let program = "let seed = 7;\nfunction chance(n) {\n  for (let turn = 0; turn < 3000; turn += 1) seed = (seed * 16807 + turn) % 2147483647;\n  return seed % n >= 0;\n}\n\
        class Scanner {\n  constructor(text) { this.text = text; this.at = 0; }\n  next(letter) {\n    let sum = 0;\n    for (let turn = 0; turn < 3000; turn += 1) sum = (sum * 31 + this.text.charCodeAt((this.at + turn) % this.text.length)) % 9973;\n    this.at += 1;\n    return sum >= 0 && letter === ' ';\n  }\n}\n\
        function scan(n) {\n  const scanner = new Scanner('some words to go through, one by one');\n  let found = 0;\n  for (let at = 0; at < n; at += 1) found += (scanner.next(' ') ? 1 : 0) + (chance(5) ? 1 : 0);\n  return found;\n}\nconsole.log(scan(30000));\n";
        let (runtime, answer) = asked(APART, "scan.js", program);
        for name in ["next", "chance"] {
            assert_eq!(named(&runtime["repeats"], name)["same"], 0, "{runtime:#}");
        }
        assert_ne!(answer["findings"][0]["cause"], "repeated-work", "{:#}", answer["findings"][0]);
    });
}

/// V8 puts a small function into whoever calls it; its time is then seen there.
#[test]
fn a_function_that_v8_hides_in_its_caller_is_told() {
    in_some_run(|| {
        let program = "class Ledger {\n  constructor() { this.rows = []; }\n  add(row) {\n    for (let at = 0; at < this.rows.length; at += 1) {\n      if (this.rows[at].id === row.id) return false;\n    }\n    this.rows.push(row);\n    return true;\n  }\n}\n\
        function main(n) {\n  const ledger = new Ledger();\n  let added = 0;\n  for (let id = 0; id < n; id += 1) added += ledger.add({ id }) ? 1 : 0;\n  console.log(added);\n}\nmain(40000);\n";
        let (runtime, answer) = asked(&[], "ledger.js", program);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first}\n{runtime}");
        assert_eq!(first["location"]["function"], "add", "{first}\n{runtime}");
    });
}

/// A shelf that goes through all it has, words that are spelt, and methods of several kinds beside them.
const JAVA: &str = r#"
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

public class Shop {
    static class Shelf {
        private final List<Integer> rows = new ArrayList<>();

        int add(int row) {
            rows.add(row);
            int sum = 0;
            for (int one : rows) sum = (sum * 31 + one) & 0xffff;
            return sum;
        }
    }

    static final class Area {
        private final long[] parts;

        Area(long... parts) { this.parts = parts; }

        Area joined(long part) {
            long[] all = java.util.Arrays.copyOf(parts, parts.length + 1);
            for (int at = 0; at < all.length; at += 1) {
                for (int turn = 0; turn < 8; turn += 1) all[at] = (all[at] * 31 + part) % 1000003;
            }
            return new Area(all);
        }
    }

    static long areas(int n) {
        Area area = new Area();
        for (int one = 0; one < n; one += 1) area = area.joined(one * 7919 % 101);
        return area.parts.length;
    }

    static final class Part {
        private Part next;
        private final int weight;

        Part(int weight, Part next) { this.weight = weight; this.next = next; }
    }

    static Part first;

    static long distance(Part part) {
        long steps = 0;
        for (Part at = first; at != part; at = at.next) steps += at.weight % 7 + 1;
        return steps;
    }

    static long distances(int n) {
        for (int one = 0; one < n; one += 1) first = new Part(one, first);
        long sum = 0;
        for (Part at = first; at != null; at = at.next) sum += distance(at);
        return sum;
    }

    static String spell(String words) {
        long out = 0;
        for (int turn = 0; turn < 200000; turn += 1) out = (out * 7 + words.length() + turn) % 1000003;
        return words + " " + out;
    }

    static synchronized long wide(long one, double two, int... more) { return one + (long) (two * 2) + more.length; }

    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

    static int fails(int n) {
        try {
            if (n % 3 == 0) throw new IllegalStateException("no");
            return n;
        } catch (IllegalStateException error) {
            return -1;
        } finally {
            Shop.seen += n;
        }
    }

    static int seen;

    static int fill(int n) {
        Shelf shelf = new Shelf();
        int last = 0;
        for (int row = 0; row < n; row += 1) last = shelf.add(row);
        return last;
    }

    static long letters(int n, int kinds) {
        long sum = 0;
        for (int one = 0; one < n; one += 1) sum += spell("post " + one % kinds).length();
        return sum;
    }

    static boolean matches(String line) {
        return java.util.regex.Pattern.compile("^(\\w+)-(\\d{1,4})-([a-z]{2,9}|none)(/[^/]+)*$").matcher(line).find();
    }

    static String folder(String line) { return matches(line) ? "kept" : "left"; }

    static long folders(int n) {
        long sum = 0;
        for (int one = 0; one < n; one += 1) sum += folder("post-" + one + "-letters/" + one).length();
        return sum;
    }

    public static void main(String[] words) {
        long kinds = 0;
        IntUnaryOperator twice = n -> n * 2;
        for (int turn = 0; turn < 100; turn += 1) kinds += wide(turn, 0.5, 1, 2) + fails(turn) + twice.applyAsInt(turn);
        System.out.println(kinds + " " + deep(3000) + " " + seen);
        if (words[0].equals("fill")) System.out.println(fill(Integer.parseInt(words[1])));
        else if (words[0].equals("areas")) System.out.println(areas(Integer.parseInt(words[1])));
        else if (words[0].equals("parts")) System.out.println(distances(Integer.parseInt(words[1])));
        else if (words[0].equals("folders")) System.out.println(folders(Integer.parseInt(words[1])));
        else System.out.println(letters(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
    }
}
"#;

fn java(words: &[&str]) -> (Value, Value) {
    let place = Place::new();
    place.file("Shop.java", JAVA);
    let built = Command::new("javac").args(["-g", "Shop.java"]).current_dir(place.path()).status().unwrap();
    assert!(built.success(), "install a JDK");
    let words: Vec<&str> = ["java", "-cp", ".", "Shop"].iter().chain(words).copied().collect();
    let (runtime, answer) = runtimes::asked_and_unchanged(&place, &words);
    let runtime = runtime.unwrap();
    assert!(runtime["watched_ns"].is_number(), "{:#}", answer["gaps"]);
    (runtime, answer)
}

fn named<'v>(rows: &'v Value, name: &str) -> &'v Value {
    let found = rows.as_array().unwrap().iter().find(|row| row["function"].as_str().unwrap().ends_with(name));
    found.unwrap_or_else(|| panic!("no {name}: {rows:#}"))
}

#[test]
fn methods_of_a_jvm_that_go_through_all_they_have_grow() {
    in_some_run(|| {
        let (runtime, answer) = java(&["fill", "60000"]);
        let cost = named(&runtime["costs"], ".add");
        let sizes = cost["sizes"].as_array().unwrap();
        let (first, last) = (&sizes[0], &sizes[sizes.len() - 1]);
        assert!(last["size"].as_u64() > first["size"].as_u64().map(|size| size * 1000), "{cost:#}");
        assert!(
            last["median_ns"].as_u64() > first["median_ns"].as_u64().map(|median| median * 3),
            "{cost:#}"
        );
        assert_eq!(answer["findings"][0]["cause"], "algorithmic-growth", "{:#}", answer["findings"][0]);
    });
}

/// Another object each time, but the one that the call before gave.
#[test]
fn methods_of_a_jvm_that_go_on_from_what_they_gave_grow() {
    in_some_run(|| {
        let (runtime, answer) = java(&["areas", "6000"]);
        let cost = named(&runtime["costs"], ".joined");
        assert_eq!(cost["over"], "turn", "{cost:#}");
        // Calls that went by unwatched are counted on.
        let last = cost["sizes"].as_array().unwrap().last().unwrap();
        assert!(last["size"].as_u64() > Some(4000), "{cost:#}");
        assert_eq!(answer["findings"][0]["cause"], "algorithmic-growth", "{:#}", answer["findings"][0]);
    });
}

/// Another object each time, of which nothing tells that it is part of a whole.
#[test]
fn methods_of_a_jvm_that_go_through_all_that_came_before_grow() {
    in_some_run(|| {
        let (runtime, answer) = java(&["parts", "20000"]);
        let cost = named(&runtime["costs"], ".distance");
        assert_eq!((&cost["over"], &cost["again"]), (&"turn".into(), &0.into()), "{cost:#}");
        let last = cost["sizes"].as_array().unwrap().last().unwrap();
        assert!(last["size"].as_u64() > Some(10_000), "{cost:#}");
        assert_eq!(answer["findings"][0]["cause"], "algorithmic-growth", "{:#}", answer["findings"][0]);
        let (runtime, _) = java(&["letters", "1500", "1500"]);
        let costs = runtime["costs"].as_array().unwrap();
        assert!(
            !costs.iter().any(|cost| cost["function"] == "Shop.spell" && cost["over"] == "turn"),
            "{costs:#?}"
        );
    });
}

#[test]
fn methods_of_a_jvm_that_are_given_the_same_repeat() {
    in_some_run(|| {
        let (runtime, answer) = java(&["letters", "1500", "5"]);
        let spelt = named(&runtime["repeats"], ".spell");
        assert!(spelt["same"].as_u64() >= spelt["calls"].as_u64().map(|calls| calls - 5), "{spelt:#}");
        assert_eq!(answer["findings"][0]["cause"], "repeated-work", "{:#}", answer["findings"][0]);
        let (runtime, answer) = java(&["letters", "1500", "1500"]);
        assert_eq!(named(&runtime["repeats"], ".spell")["same"], 0);
        assert_ne!(answer["findings"][0]["cause"], "repeated-work", "{:#}", answer["findings"][0]);
    });
}

/// Who calls the one that compiles the pattern has another input each time, and is not the place.
#[test]
fn calls_that_do_not_repeat_leave_the_place_where_the_profile_has_it() {
    in_some_run(|| {
        let (runtime, answer) = java(&["folders", "400000"]);
        assert_eq!(named(&runtime["repeats"], ".folder")["same"], 0);
        let first = &answer["findings"][0];
        let told = (&first["cause"], &first["location"]["function"]);
        assert_eq!(told, (&"repeated-work".into(), &"Shop.matches".into()), "{first:#}");
    });
}

/// Makes a format for each row, in a function that V8 puts into whoever calls it once it is hot.
const FORMATS: &str = "'use strict';
function stamp(row) {
  const clock = new Intl.DateTimeFormat('da-DK', { timeZone: row.zone, weekday: 'short', hour: '2-digit' });
  return clock.format(row.moment);
}
function render(row) {
  const parts = [String(row.number).padEnd(7), stamp(row)];
  return parts.join(' | ');
}
class Statement {
  constructor() { this.lines = []; }
  add(row) { this.lines.push(render(row)); }
}
function main(count) {
  const statement = new Statement();
  const zones = ['Europe/Copenhagen', 'Europe/London', 'Europe/Warsaw'];
  for (let number = 0; number < count; number += 1) {
    statement.add({ number, zone: zones[number % 3], moment: 1677645000000 + number * 3600000 });
  }
  console.log(statement.lines.length);
}
main(12000);
";

#[test]
fn who_has_something_compiled_is_named_though_it_hides_in_its_callers() {
    in_some_run(|| {
        let (runtime, answer) = asked(&[], "statement.js", FORMATS);
        let first = &answer["findings"][0];
        let told = (&first["cause"], &first["location"]["function"]);
        assert_eq!(told, (&"repeated-work".into(), &"stamp".into()), "{first:#}\n{runtime:#}");
        let others = answer["findings"].as_array().unwrap().iter().skip(1);
        assert!(others.into_iter().all(|one| one["cause"] != "repeated-work"), "{:#}", answer["findings"]);
    });
}
