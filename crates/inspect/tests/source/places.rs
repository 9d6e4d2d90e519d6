//! Functions, loops and statements around a line.

use inspect::source::{contexts, functions, language_of};
use model::source::Language::{C, Cpp, Go, Java, JavaScript, Python, Rust};
use model::source::{ContainerKind, LoopKind, TraitKind};
use std::path::Path;

use crate::asking::{ask, find, lacks};

#[test]
fn functions_have_the_names_that_people_know() {
    for (language, marked, wanted) in [
        (Python, "class A:\n    def f(self, x, *, y=1):\n        return x @\n", "A.f"),
        (JavaScript, "class A { f(x) {\n  return x; @\n} }", "A.f"),
        (JavaScript, "const f = async (x) => {\n  return x; @\n};", "f"),
        (Java, "class A { int f(int x) {\n  return x; @\n} }", "A.f"),
        (C, "static int f(int x) {\n  return x; @\n}", "f"),
        (Cpp, "int A::f(int x) {\n  return x; @\n}", "A::f"),
        (Rust, "impl A {\n    fn f(&self, x: u8) -> u8 {\n        x @\n    }\n}", "A::f"),
        (Go, "package a\nfunc (a *A) f(x int) int {\n\treturn x @\n}", "A.f"),
    ] {
        let function = ask(language, marked).function.unwrap();
        assert_eq!(function.name.as_deref(), Some(wanted), "{marked}");
        assert!(function.parameters.contains(&"x".to_owned()), "{:?}", function.parameters);
    }
}

#[test]
fn every_form_of_loop_is_a_loop() {
    for (language, marked, kind, binds) in [
        (Python, "for i, x in enumerate(xs):\n    use(x) @\n", LoopKind::For, "x"),
        (Python, "while n:\n    use(n) @\n", LoopKind::While, ""),
        (JavaScript, "for (const x of xs) {\n  use(x); @\n}", LoopKind::For, "x"),
        (JavaScript, "xs.forEach(x => {\n  use(x); @\n});", LoopKind::Callback, "x"),
        (Java, "class A { void f() { for (String x : xs) {\n use(x); @\n } } }", LoopKind::For, "x"),
        (
            Java,
            "class A { void f() { xs.stream().map(x -> {\n return use(x); @\n }); } }",
            LoopKind::Callback,
            "x",
        ),
        (C, "void f() { for (int x = 0; x < n; x++) {\n use(x); @\n } }", LoopKind::For, "x"),
        (C, "void f() { do {\n use(x); @\n } while (x); }", LoopKind::While, ""),
        (Cpp, "void f() { for (auto& x : xs) {\n use(x); @\n } }", LoopKind::For, "x"),
        (
            Cpp,
            "void f() { std::for_each(xs.begin(), xs.end(), [&](int x) {\n use(x); @\n }); }",
            LoopKind::Callback,
            "x",
        ),
        (Rust, "fn f() { for x in xs {\n use_it(x); @\n } }", LoopKind::For, "x"),
        (Rust, "fn f() { while let Some(x) = it.next() {\n use_it(x); @\n } }", LoopKind::While, "x"),
        (Rust, "fn f() { xs.iter().for_each(|x| {\n use_it(x); @\n }); }", LoopKind::Callback, "x"),
        (Go, "package a\nfunc f() { for _, x := range xs {\n use(x) @\n } }", LoopKind::For, "x"),
        (Go, "package a\nfunc f() { for n > 0 {\n use(n) @\n } }", LoopKind::While, ""),
        (
            Go,
            "package a\nfunc f() { for _, x := range xs {\n func() {\n use(x) @\n }()\n } }",
            LoopKind::For,
            "x",
        ),
    ] {
        let context = ask(language, marked);
        let [one] = context.loops.as_slice() else { panic!("{marked}: {:?}", context.loops) };
        assert_eq!(one.kind, kind, "{marked}");
        assert!(binds.is_empty() || one.binds.contains(&binds.to_owned()), "{marked}: {:?}", one.binds);
    }
}

#[test]
fn an_option_that_is_mapped_is_no_loop() {
    let context = ask(Rust, "fn f(x: Option<u8>) { x.map(|y| {\n use_it(y) @\n }); }");
    assert!(context.loops.is_empty());
    let go = ask(Go, "package a\nfunc f() { for _, x := range xs {\n go func() {\n use(x) @\n }()\n } }");
    assert!(go.loops.is_empty());
}

#[test]
fn what_a_loop_goes_through_is_evaluated_once() {
    let head = ask(Python, "for x in sorted(xs): @\n    use(x)\n");
    assert_eq!(head.loops.len(), 1);
    assert_eq!(find(&head, TraitKind::Sorting).loop_depth, 0);
}

#[test]
fn loops_of_few_turns_are_bounded() {
    for (language, marked, bounded) in [
        (Python, "for x in (1, 2, 3):\n    use(x) @\n", true),
        (Python, "for x in range(8):\n    use(x) @\n", true),
        (Python, "for x in range(n):\n    use(x) @\n", false),
        (Python, "DAYS = ['mo', 'tu']\nfor x in DAYS:\n    use(x) @\n", true),
        (Python, "days = ['mo']\ndays.append(y)\nfor x in days:\n    use(x) @\n", false),
        (C, "#define SIDE 8\nvoid f() { for (int x = 0; x < SIDE; x++) {\n use(x); @\n } }", true),
        (C, "void f(int n) { for (int x = 0; x < n; x++) {\n use(x); @\n } }", false),
        (Rust, "fn f() { for x in 0..4 {\n use_it(x); @\n } }", true),
        (Go, "package a\nfunc f() { for _, x := range []int{1, 2} {\n use(x) @\n } }", true),
    ] {
        let context = ask(language, marked);
        assert_eq!(context.loops.last().unwrap().bounded, bounded, "{marked}");
    }
}

#[test]
fn a_loop_in_a_loop_says_whether_it_can_grow() {
    let pairs = ask(Python, "def f(xs):\n    for a in xs:\n        for b in xs:\n            use(a, b) @\n");
    let inner = find(&pairs, TraitKind::InnerLoop);
    assert_eq!((inner.same_collection, inner.bounded), (Some(true), Some(false)));
    let sides =
        ask(Python, "def f(xs):\n    for a in xs:\n        for b in (-1, 1):\n            use(a, b) @\n");
    assert_eq!(find(&sides, TraitKind::InnerLoop).bounded, Some(true));
    let hidden = ask(Python, "def f(xs, ys):\n    for a in xs:\n        ok = any(a == b for b in ys) @\n");
    assert_eq!(find(&hidden, TraitKind::InnerLoop).loop_depth, 2);
    let single = ask(Python, "def f(xs):\n    for a in xs:\n        use(a) @\n");
    lacks(&single, TraitKind::InnerLoop);
    let indexed = ask(
        Java,
        "class A { void f() { for (int i = 0; i < xs.size(); i++) for (int j = 0; j < xs.size(); j++) {\n use(i, j); @\n } } }",
    );
    assert_eq!(find(&indexed, TraitKind::InnerLoop).same_collection, Some(true));
}

#[test]
fn a_loop_that_may_be_left_says_so() {
    assert!(ask(Python, "for x in xs:\n    if x: @\n        break\n").loops[0].ends_early);
    assert!(!ask(Python, "for x in xs:\n    for y in x:\n        break\n    use(x) @\n").loops[0].ends_early);
    let go = |value: &str| {
        let text = format!(
            "package a\nfunc f(xs []int) (int, error) {{\n\tfor _, x := range xs {{\n\t\tif g(x) {{ @\n\t\t\treturn {value}\n\t\t}}\n\t}}\n\treturn 0, nil\n}}"
        );
        ask(Go, &text).loops[0].ends_early
    };
    assert!(go("x, nil") && !go("0, err") && !go("0, fmt.Errorf(\"%d, %d\", x, x)"));
}

#[test]
fn a_loop_that_asks_with_the_last_answer_is_a_chain() {
    for (language, marked) in [
        (
            Python,
            "while True:\n    page = ask(url, cursor) @\n    take(page)\n    cursor = page['next']\n    if not cursor: break\n",
        ),
        (Python, "async def f():\n    async for row in rows(db):\n        use(row) @\n"),
        (
            JavaScript,
            "async function f() { while (cursor !== null) {\n const { rows, next } = await ask(`/x?c=${cursor}`); @\n cursor = next;\n } }",
        ),
        (JavaScript, "async function f() { for await (const x of pages(a)) {\n use(x); @\n } }"),
        (
            Java,
            "class A { void f() { String mark = \"0\"; do {\n String line = ask(\"PAGE \" + mark); @\n String[] parts = line.split(\" \");\n mark = parts[0];\n } while (!mark.isEmpty()); } }",
        ),
        (
            Rust,
            "fn f() { let mut at = 0; loop {\n let page = ask(at); @\n at = match page.next { Some(next) => next, None => break };\n } }",
        ),
        (
            Go,
            "package a\nfunc f() {\n\tfor at != \"\" {\n\t\tpage, err := ask(at) @\n\t\tif err != nil { return }\n\t\tat = page.Next\n\t}\n}",
        ),
        (C, "void f(void) { while (at) {\n at = ask(at); @\n } }"),
    ] {
        assert!(ask(language, marked).loops[0].chained, "{marked}");
    }
    for (language, marked) in [
        (Python, "for key in keys:\n    total = total + ask(key) @\n"),
        (Python, "i = 0\nwhile i < n:\n    row = ask(i) @\n    i = i + 1\n"),
        (
            JavaScript,
            "async function f() { for (const id of ids) {\n const row = await ask(id); @\n rows.push(row);\n } }",
        ),
        (
            JavaScript,
            "async function f() { while (queue.length) {\n const id = queue.pop(); @\n out = merge(out, await ask(id));\n } }",
        ),
        (Go, "package a\nfunc f() {\n\tfor _, id := range ids {\n\t\tout = append(out, ask(id)) @\n\t}\n}"),
        (Rust, "fn f() { for id in ids {\n sum = add(sum, ask(id)); @\n } }"),
    ] {
        assert!(!ask(language, marked).loops[0].chained, "{marked}");
    }
}

#[test]
fn a_comprehension_in_the_statement_is_a_loop_of_the_line() {
    let context = ask(Python, "def one(x):\n    return x\n\ndef f(xs):\n    return [one(x) for x in xs] @\n");
    assert_eq!(context.loops[0].kind, LoopKind::Comprehension);
    assert_eq!(context.callees[0].loop_depth, 1);
}

#[test]
fn recursion_is_told() {
    let context = ask(Python, "def f(n):\n    return f(n - 1) + f(n - 2) @\n");
    find(&context, TraitKind::Recursion);
    assert_eq!(context.loops[0].kind, LoopKind::Recursion);
    assert!(context.function.unwrap().recursive);
}

#[test]
fn callees_of_the_file_are_looked_into_one_level_deep() {
    let context = ask(
        Python,
        "def lookup(rows, key):\n    for row in rows:\n        if row.key == key:\n            return row\n\ndef f(keys):\n    rows = []\n    for key in keys:\n        use(lookup(rows, key)) @\n",
    );
    let [callee] = context.callees.as_slice() else { panic!("{:?}", context.callees) };
    assert_eq!(callee.function.name.as_deref(), Some("lookup"));
    assert_eq!(callee.loops[0].container, ContainerKind::List);
    assert!(callee.traits.iter().any(|one| one.kind == TraitKind::Membership));
}

#[test]
fn a_method_that_anybody_may_have_is_not_taken_for_one_of_this_file() {
    let context = ask(Python, "class A:\n    def close(self):\n        self.link.close() @\n");
    lacks(&context, TraitKind::Recursion);
    assert!(context.callees.is_empty());
}

#[test]
fn the_statement_is_shown_in_at_most_three_lines() {
    let context = ask(Python, "use(\n    a,\n    b, @\n    c,\n    d,\n)\n");
    assert_eq!(context.statement.len(), 3);
    assert!(context.statement.contains(&"b,".to_owned()));
}

#[test]
fn a_file_tells_its_functions() {
    let text = "def f(xs):\n    for x in xs:\n        for y in x:\n            g(y)\n\ndef g(y):\n    return json.loads(y)\n";
    let found = functions(Python, text);
    let told: Vec<_> =
        found.iter().map(|one| (one.function.name.as_deref().unwrap(), one.loop_depth)).collect();
    assert_eq!(told, [("f", 2), ("g", 0)]);
    assert_eq!(found[1].calls, ["json.loads"]);
}

#[test]
fn lines_that_are_not_there_have_no_context() {
    assert_eq!(contexts(Python, "x = 1\n", &[0, 2]), [None, None]);
    assert!(contexts(Python, "x = 1\n", &[1])[0].is_some());
}

#[test]
fn languages_are_known_by_their_files() {
    assert_eq!(language_of(Path::new("a/b.py")), Some(Python));
    assert_eq!(language_of(Path::new("b.hpp")), Some(Cpp));
    assert_eq!(language_of(Path::new("b.txt")), None);
    assert_eq!(language_of(Path::new("py")), None);
}

#[test]
fn the_head_of_a_script_function_stands_for_all_that_may_be_inlined_into_it() {
    let text = "\
class Book {
  constructor() { this.guests = []; }
  lookup(mail) {
    return this.guests.find((guest) => guest.mail === mail);
  }
  merge(row) {
    const known = this.lookup(row.mail);
    if (!known) this.guests.push(row);
  }
}
function load(book, rows) {
  for (const row of rows) {
    book.merge(row);
  }
}
";
    let context = contexts(JavaScript, text, &[11])[0].clone().unwrap();
    let lookup = context.callees.iter().find(|callee| callee.function.name.as_deref() == Some("Book.lookup"));
    let lookup = lookup.unwrap_or_else(|| panic!("{context:#?}"));
    assert_eq!((lookup.loop_depth, lookup.traits.len()), (1, 1), "{lookup:#?}");
    assert_eq!(lookup.traits[0].kind, TraitKind::Membership);
    // Other languages tell the line.
    let python = "class Book:\n    def merge(self, row):\n        return row in self.rows\n\ndef load(book, rows):\n    for row in rows:\n        book.merge(row)\n";
    assert!(contexts(Python, python, &[5])[0].as_ref().unwrap().callees.is_empty());
}

#[test]
fn a_function_on_one_line_spends_its_time_in_its_loop() {
    let cases = [
        (Java, "class A { static long f(int n){ long s=0; for(int i=0;i<n;i++) s+=g(i); return s; } @\n}"),
        (C, "long f(int n){ long s=0; for(int i=0;i<n;i++) s+=g(i); return s; } @\n"),
        (JavaScript, "function f(n){ let s=0; for(let i=0;i<n;i++) s+=g(i); return s; } // @\n"),
    ];
    for (language, marked) in cases {
        let context = ask(language, marked);
        assert_eq!(context.loops.iter().map(|one| one.kind).collect::<Vec<_>>(), [LoopKind::For], "{marked}");
        assert_eq!(
            context.function.and_then(|function| function.name).map(|name| name.ends_with('f')),
            Some(true)
        );
    }
}
