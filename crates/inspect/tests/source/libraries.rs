//! Well-known calls of each language.

use model::source::Language::{self, C, Cpp, Go, Java, JavaScript, Python, Rust};
use model::source::TraitKind::{self, *};

use crate::asking::{ask, find, lacks};

fn check(language: Language, marked: &str, wanted: TraitKind) {
    find(&ask(language, marked), wanted);
}

#[test]
fn calls_are_known_through_imports() {
    check(Python, "from json import loads as parse\nparse(x) @\n", Parse);
    check(Python, "import re as regex\nregex.compile(x) @\n", RegexCompile);
    check(JavaScript, "const { readFileSync: read } = require('node:fs');\nread(x); @", Read);
    check(JavaScript, "import { execSync } from 'child_process';\nexecSync(x); @", Spawn);
    check(Rust, "use std::thread::sleep;\nfn f() {\n    sleep(x); @\n}", Sleep);
    check(Go, "package a\nimport j \"encoding/json\"\nfunc f() {\n\tj.Unmarshal(a, &b) @\n}", Parse);
}

#[test]
fn a_function_of_the_file_hides_the_library() {
    lacks(&ask(Python, "def open(x):\n    return x\n\nopen(1) @\n"), Open);
    lacks(&ask(C, "int read(int x) { return x; }\nint f() {\n  return read(1); @\n}"), Read);
}

#[test]
fn files_are_known_by_how_they_were_opened() {
    check(Python, "with open('x') as f:\n    for line in f: @\n        use(line)\n", Read);
    check(Python, "f = open('x', 'w')\nfor x in xs:\n    f.flush() @\n", Flush);
    check(Python, "import os\nos.fsync(f.fileno()) @\n", Sync);
    check(Java, "class A { void f(BufferedWriter w) {\n w.write(x); @\n } }", Write);
    check(Rust, "fn f(x: &File) {\n    x.sync_all(); @\n}", Sync);
    check(Go, "package a\nfunc f(x *os.File) {\n\tx.Sync() @\n}", Sync);
    let one = ask(Python, "f = open('x')\nc = f.read(1) @\n");
    assert_eq!(find(&one, Read).bytes, Some(1));
    let one = ask(C, "void f(int fd) {\n  char c;\n  read(fd, &c, 1); @\n}");
    assert_eq!(find(&one, Read).bytes, Some(1));
    lacks(&ask(Go, "package a\nfunc f() {\n\tvar b strings.Builder\n\tb.WriteString(x) @\n}"), Write);
}

#[test]
fn queries_are_known_by_their_connection_or_their_words() {
    check(
        Python,
        "import sqlite3\ndb = sqlite3.connect('x')\nfor x in xs:\n    db.execute(sql, (x,)) @\n",
        Query,
    );
    check(Python, "def f(db, x):\n    db.execute('select a from b where c = ?', (x,)) @\n", Query);
    check(Python, "def f(link):\n    link.execute('COMMIT') @\n", Commit);
    check(Python, "import sqlite3\ndb = sqlite3.connect('x')\ndb.execute('COMMIT') @\n", Commit);
    check(Java, "class A { void f(PreparedStatement s) {\n s.executeQuery(); @\n } }", Query);
    check(Go, "package a\nfunc f(db *sql.DB) {\n\tdb.Exec(text) @\n}", Query);
    check(JavaScript, "await pool.query('SELECT a FROM b'); @", Query);
    check(C, "void f() {\n  sqlite3_step(s); @\n}", Query);
    check(Python, "def f(db):\n    db.commit() @\n", Commit);
    lacks(&ask(Java, "class A { void f(ExecutorService pool) {\n pool.execute(task); @\n } }"), Query);
    lacks(&ask(Python, "def f(plan):\n    plan.execute('now') @\n"), Query);
}

#[test]
fn what_is_begun_for_all_at_once_waits_in_no_loop() {
    let turns = |language, marked: &str| find(&ask(language, marked), Await).loop_depth;
    let all = "async function f() {\n return Promise.all(xs.map(async (x) => {\n  return { x, ...(await g(x)) }; @\n })); }";
    assert_eq!(turns(JavaScript, all), 0);
    let inner = "const f = () => xs.map(async (x) => { for (const y of x) {\n  await g(y); @\n } });";
    assert_eq!(turns(JavaScript, inner), 1, "its own loop");
    let fold = "xs.reduce(async (sum, x) => {\n  return (await sum) + (await g(x)); @\n}, 0);";
    assert_eq!(turns(JavaScript, fold), 1, "each turn awaits the one before");
    let tasks = "async fn f() { for x in xs { spawn(async move {\n  g(x).await; @\n }); } }";
    assert_eq!(turns(Rust, tasks), 0);
    assert_eq!(turns(Rust, "async fn f() { for x in xs {\n  g(x).await; @\n} }"), 1);
}

#[test]
fn waiting_and_starting_are_seen() {
    check(Python, "import time\nwhile not done():\n    time.sleep(0.1) @\n", Sleep);
    check(Python, "import subprocess\nfor x in xs:\n    subprocess.run(['a', x]) @\n", Spawn);
    check(Python, "async def f(xs):\n    for x in xs:\n        await g(x) @\n", Await);
    check(JavaScript, "async function f() { for (const x of xs) {\n  await g(x); @\n } }", Await);
    check(JavaScript, "async function f() {\n  await new Promise(r => setTimeout(r, 10)); @\n}", Sleep);
    check(Java, "class A { void f() {\n Thread.sleep(10); @\n } }", Sleep);
    check(Go, "package a\nfunc f() {\n\tgo g() @\n}", ThreadStart);
    check(Go, "package a\nfunc f() {\n\t<-ticker.C @\n}", Sleep);
    check(
        Go,
        "package a\nfunc f() {\n\tselect { @\n\tcase <-done:\n\t\treturn\n\tcase <-t.tick.C:\n\t\tlook()\n\t}\n}",
        Sleep,
    );
    check(
        Go,
        "package a\nimport \"time\"\nfunc f() {\n\tselect { @\n\tcase <-done:\n\t\treturn\n\tcase <-time.After(wait):\n\t}\n}",
        Sleep,
    );
    check(C, "void f() {\n  usleep(10); @\n}", Sleep);
    check(Cpp, "void f() {\n  std::this_thread::sleep_for(x); @\n}", Sleep);
    check(Rust, "async fn f() {\n    g().await; @\n}", Await);
    check(Python, "import requests\nfor x in xs:\n    requests.get(x) @\n", Request);
    check(Python, "import socket\ns = socket.create_connection(a) @\n", Connect);
    check(Cpp, "void f() {\n  std::cout << x << std::endl; @\n}", Flush);
}

#[test]
fn patterns_are_shown_and_judged() {
    let compiled = ask(Python, "import re\nP = re.compile(r'^(a+)+$')\ndef f(x):\n    return P.match(x) @\n");
    let found = find(&compiled, RegexMatch);
    assert_eq!((found.pattern.as_deref(), found.nested_quantifier), (Some("^(a+)+$"), Some(true)));
    let literal = find(&ask(JavaScript, "const ok = /^\\d+-\\d+$/.test(x); @"), RegexMatch);
    assert_eq!((literal.pattern.as_deref(), literal.nested_quantifier), (Some("^\\d+-\\d+$"), Some(false)));
    let escaped = find(
        &ask(
            Java,
            "class A { static final Pattern P = Pattern.compile(\"(\\\\w+\\\\s?)*$\");\n boolean f(String x) { return P.matcher(x).matches(); } @\n}",
        ),
        RegexMatch,
    );
    assert_eq!((escaped.pattern.as_deref(), escaped.nested_quantifier), (Some("(\\w+\\s?)*$"), Some(true)));
    let turned =
        "def f(p, x):\n    s = p.scanner(x)\n    for m in iter(s.search, None): @\n        print(m)\n";
    find(&ask(Python, turned), RegexMatch);
    let unknown = find(&ask(Python, "import re\ndef f(p, x):\n    return re.match(p, x) @\n"), RegexMatch);
    assert_eq!((unknown.pattern, unknown.nested_quantifier), (None, None));
    let rust = find(
        &ask(Rust, "fn f(x: &str) -> bool {\n    Regex::new(r\"(a*)*b\").unwrap().is_match(x) @\n}"),
        RegexCompile,
    );
    assert_eq!(rust.nested_quantifier, Some(true));
    let cpp = find(
        &ask(
            Cpp,
            "bool f(const std::string& x) {\n  std::regex p(\"(a|a)*\"); @\n  return std::regex_match(x, p);\n}",
        ),
        RegexCompile,
    );
    assert_eq!(cpp.nested_quantifier, Some(true));
}

#[test]
fn the_rest_is_seen_too() {
    check(Python, "xs.sort() @\n", Sorting);
    check(Python, "import hashlib\nhashlib.sha256(x) @\n", Hashing);
    check(Java, "class A { void f() { for (;;) {\n var x = new Point(1, 2); @\n } } }", Allocate);
    check(C, "void f() {\n  p = malloc(8); @\n}", Allocate);
    check(Python, "def f():\n    import json @\n", Import);
    check(Python, "raise ValueError(x) @\n", Exception);
    check(Python, "print(x) @\n", Print);
    check(Python, "import logging\nlog = logging.getLogger('a')\nlog.info('x') @\n", Log);
    check(C, "int f(int a, int b) {\n  return a * b; @\n}", Arithmetic);
}

#[test]
fn a_computed_number_that_becomes_an_object_is_told() {
    let class = |body: &str| {
        format!(
            "class A {{ List<Integer> depths; Map<String, Long> sums; int[] plain;\n void f(int by) {{\n for (int i = 0; i < by; i++) {{\n{body}\n}} }} }}"
        )
    };
    for boxed in [
        "Integer fresh = depths.get(i) + by; @",
        "Long sum = 0L;\n sum += by; @",
        "depths.set(i, depths.get(i) + 1); @",
        "sums.merge(\"all\", 1L + i, Long::sum); @",
    ] {
        find(&ask(Java, &class(boxed)), Boxing);
    }
    for plain in [
        "int fresh = depths.get(i) + by; @",
        "plain[i] = plain[i] + 1; @",
        "Integer known = depths.get(i); @",
    ] {
        lacks(&ask(Java, &class(plain)), Boxing);
    }
}
