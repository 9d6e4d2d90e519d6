//! Calls in loops that could stand before them.

use model::source::Language::{self, C, Go, Java, JavaScript, Python, Rust};
use model::source::TraitKind::{self, InvariantCall};

use crate::asking::{ask, find, lacks};

#[test]
fn a_call_that_nothing_in_the_loop_changes_is_invariant() {
    for (language, marked) in [
        (
            Python,
            "import re\ndef f(pattern, xs):\n    for x in xs:\n        if re.compile(pattern).match(x): @\n            use(x)\n",
        ),
        (Python, "def f(path, xs):\n    for x in xs:\n        rules = load(path) @\n        use(rules, x)\n"),
        (
            JavaScript,
            "function f(text, xs) { for (const x of xs) {\n  const rules = JSON.parse(text); @\n  use(rules, x);\n } }",
        ),
        (
            Java,
            "class A { void f(String p, List<String> xs) { for (String x : xs) {\n boolean ok = Pattern.compile(p).matcher(x).find(); @\n } } }",
        ),
        (
            Rust,
            "fn f(p: &str, xs: &[String]) { for x in xs {\n let ok = Regex::new(p).unwrap().is_match(x); @\n } }",
        ),
        (
            Go,
            "package a\nfunc f(p string, xs []string) { for _, x := range xs {\n ok := regexp.MustCompile(p).MatchString(x) @\n _ = ok\n } }",
        ),
        (C, "void f(const char *s, int n) { for (int i = 0; i < n; i++) {\n x[i] = measure(s); @\n } }"),
    ] {
        find(&ask(language, marked), InvariantCall);
    }
}

fn varies(language: Language, marked: &str) {
    lacks(&ask(language, marked), InvariantCall);
}

#[test]
fn a_call_that_depends_on_the_loop_is_not() {
    varies(Python, "for x in xs:\n    y = load(x) @\n");
    varies(Python, "for x in xs:\n    p = x.path\n    y = load(p) @\n");
    // What a function takes its parameter apart into is another one each time.
    varies(JavaScript, "function f(all) { return all.map(({ id, salt }) =>\n stretch(id, salt) @\n); }");
    varies(JavaScript, "function f(all) { return all.map(([id, salt]) =>\n stretch(id, salt) @\n); }");
    varies(Rust, "fn f(all: &[(u8, u8)]) { all.iter().map(|(id, salt)|\n stretch(id, salt) @\n).collect() }");
    varies(Python, "def f(seen, xs):\n    for x in xs:\n        seen.append(x)\n        y = total(seen) @\n");
    varies(Python, "def f(a, xs):\n    for x in xs:\n        a[x] = 1\n        y = total(a) @\n");
    varies(
        C,
        "void f(char *s, int n) { for (int i = 0; i < n; i++) {\n change(s);\n x[i] = measure(s); @\n } }",
    );
}

#[test]
fn a_benchmarks_own_loop_repeats_on_purpose() {
    let loops = |head: &str| {
        format!("package a\nfunc B(b *testing.B, n int) {{ for {head} {{\n sink += pairs(n) @\n }} }}")
    };
    find(&ask(Go, &loops("i := 0; i < m; i++")), InvariantCall);
    varies(Go, &loops("i := 0; i < b.N; i++"));
    varies(Go, &loops("b.Loop()"));
    let state = "void B(benchmark::State& state) { for (auto _ : state) {\n sink += pairs(n); @\n } }";
    varies(Language::Cpp, state);
    for name in ["_", "_day"] {
        varies(Rust, &format!("fn f() {{ for {name} in 0..8 {{\n sum += pairs(&list); @\n }} }}"));
        varies(Python, &format!("for {name} in range(5):\n    total += pairs(rows) @\n"));
    }
    find(&ask(Rust, "fn f() { for day in 0..8 {\n sum += day * pairs(&list); @\n } }"), InvariantCall);
    find(&ask(Python, "for _ in range(count):\n    total += pairs(rows) @\n"), InvariantCall);
}

#[test]
fn a_call_that_gives_something_else_each_time_is_not() {
    varies(Python, "f = open('x')\nwhile True:\n    y = f.read(10) @\n");
    varies(Python, "def f(q):\n    while True:\n        y = q.take() @\n");
    varies(Python, "import random\nfor x in xs:\n    y = random.randint(1, 6) @\n");
    varies(Java, "class A { void f(ResultSet r) { while (r.next()) {\n use(r.getString(1)); @\n } } }");
    varies(C, "void f() { while (sqlite3_step(s) == 100) {\n use(sqlite3_column_int(s, 1)); @\n } }");
    varies(
        Python,
        "class A:\n    def g(self, n):\n        self.k += 1\n        return self.k\n    def f(self, xs):\n        for x in xs:\n            y = self.g(1) @\n",
    );
}

#[test]
fn a_reader_that_moves_on_is_not() {
    varies(
        Java,
        "class A { int at; int step() { at++; return at; } void f() { while (at < 9) {\n use(step()); @\n } } }",
    );
    varies(
        Java,
        "class A { int at; int word() { at = at + 1; return at; } int step() { return word(); } void f() { while (more) {\n use(step()); @\n } } }",
    );
    varies(C, "int at; int step() { return at++; } void f() { while (more) {\n use(step()); @\n } }");
}

#[test]
fn outside_loops_nothing_is_invariant() {
    let context = ask(Python, "def f(path):\n    return load(path) @\n");
    lacks(&context, InvariantCall);
    assert!(context.traits.iter().all(|one| one.invariant.is_none()));
}

#[test]
fn length_in_a_condition_is_seen_where_it_costs() {
    let c = ask(C, "void f(char *s) { for (int i = 0; i < strlen(s); i++) { @\n use(s[i]);\n } }");
    find(&c, TraitKind::LengthInCondition);
    let python = ask(Python, "def f(xs):\n    while i < len(xs): @\n        i += 1\n");
    lacks(&python, TraitKind::LengthInCondition);
    let before = ask(
        C,
        "void f(char *s) {\n  size_t n = strlen(s); @\n  for (size_t i = 0; i < n; i++) use(s[i]);\n}",
    );
    lacks(&before, TraitKind::LengthInCondition);
}
