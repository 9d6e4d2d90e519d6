//! Searching, growing at the front, building anew.

use model::source::ContainerKind::{self, Deque, LinkedList, List, Map, Set, String as Text, Unknown};
use model::source::Language::{self, C, Cpp, Go, Java, JavaScript, Python, Rust, TypeScript};
use model::source::TraitKind;

use crate::asking::{ask, find, lacks};

fn membership(language: Language, marked: &str, wanted: ContainerKind) {
    let found = find(&ask(language, marked), TraitKind::Membership);
    assert_eq!(found.container, Some(wanted), "{marked}");
}

#[test]
fn what_is_searched_is_told_by_how_it_was_made() {
    membership(Python, "seen = []\nfor x in xs:\n    if x in seen: @\n        pass\n", List);
    membership(Python, "seen = set()\nfor x in xs:\n    if x in seen: @\n        pass\n", Set);
    membership(Python, "def f(seen: dict[str, int], x):\n    return x in seen @\n", Map);
    membership(Python, "def f(seen, x):\n    return x in seen @\n", Unknown);
    membership(
        JavaScript,
        "const seen = [];\nfor (const x of xs) {\n  if (seen.includes(x)) { @\n  }\n}",
        List,
    );
    membership(
        JavaScript,
        "const seen = new Set();\nfor (const x of xs) {\n  if (seen.has(x)) { @\n  }\n}",
        Set,
    );
    membership(TypeScript, "function f(seen: string[], x: string) {\n  return seen.indexOf(x); @\n}", List);
    membership(
        Java,
        "class A { List<String> seen = new ArrayList<>();\n boolean f(String x) { return seen.contains(x); } @\n}",
        List,
    );
    membership(
        Java,
        "class A { Set<String> seen = new HashSet<>();\n boolean f(String x) { return seen.contains(x); } @\n}",
        Set,
    );
    membership(Rust, "fn f(seen: &[u8], x: u8) -> bool {\n    seen.contains(&x) @\n}", List);
    membership(
        Rust,
        "struct A { seen: HashSet<u8> }\nimpl A { fn f(&self, x: u8) -> bool {\n    self.seen.contains(&x) @\n} }",
        Set,
    );
    membership(
        Go,
        "package a\nimport \"slices\"\nfunc f(seen []string, x string) bool {\n\treturn slices.Contains(seen, x) @\n}",
        List,
    );
    membership(
        Cpp,
        "bool f(const std::vector<int>& seen, int x) {\n  return std::find(seen.begin(), seen.end(), x) != seen.end(); @\n}",
        List,
    );
    membership(
        Cpp,
        "bool f(const std::unordered_set<int>& seen, int x) {\n  return seen.find(x) != seen.end(); @\n}",
        Set,
    );
    membership(C, "int f(const char *s) {\n  return strchr(s, 'x') != 0; @\n}", Text);
}

#[test]
fn kinds_that_disagree_are_unknown() {
    membership(Python, "seen = []\nif fast:\n    seen = set()\nprint(x in seen) @\n", Unknown);
}

#[test]
fn a_kind_goes_through_one_call_when_all_callers_agree() {
    membership(Python, "def f(seen, x):\n    return x in seen @\n\nf([1, 2], 3)\nf(list(xs), 4)\n", List);
    membership(Python, "def f(seen, x):\n    return x in seen @\n\nf([1, 2], 3)\nf({1}, 4)\n", Unknown);
}

#[test]
fn members_are_known_by_their_class() {
    let text = "class A:\n    def __init__(self):\n        self.seen = []\n\nclass B:\n    def __init__(self):\n        self.seen = set()\n    def f(self, x):\n        return x in self.seen @\n";
    membership(Python, text, Set);
}

#[test]
fn a_search_written_as_a_loop_is_a_search() {
    membership(
        Go,
        "package a\nfunc f(seen []string, x string) bool {\n\tfor _, one := range seen { @\n\t\tif one == x {\n\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n}",
        List,
    );
    membership(
        C,
        "int f(struct book *b, const char *name) {\n  for (int i = 0; i < b->n; i++)\n    if (strcmp(b->names[i], name) == 0) return i; @\n  return -1;\n}",
        Unknown,
    );
    membership(
        C,
        "struct n *f(struct n *at, int key) {\n  for (; at; at = at->next) {\n    if (at->key == key) return at; @\n  }\n  return 0;\n}",
        LinkedList,
    );
    let sum = ask(Python, "def f(xs):\n    for x in xs:\n        if x == 0: @\n            break\n");
    lacks(&sum, TraitKind::Membership);
}

fn front(language: Language, marked: &str, wanted: ContainerKind) {
    assert_eq!(find(&ask(language, marked), TraitKind::FrontInsert).container, Some(wanted), "{marked}");
}

#[test]
fn the_front_of_a_list_is_dear() {
    front(Python, "xs = []\nxs.insert(0, 1) @\n", List);
    front(Python, "xs = list(ys)\nwhile xs:\n    x = xs.pop(0) @\n", List);
    front(Python, "xs = []\nfor y in ys:\n    xs = [y] + xs @\n", List);
    front(Python, "text = ''\nwhile len(text) > 9:\n    text = text[9:] @\n", Text);
    front(JavaScript, "const q = [];\nwhile (q.length) {\n  const x = q.shift(); @\n}", List);
    front(Java, "class A { void f() { List<String> q = new ArrayList<>();\n q.remove(0); @\n } }", List);
    front(Rust, "fn f(mut q: Vec<u8>) {\n    q.remove(0); @\n}", List);
    front(Rust, "fn f(mut q: IndexMap<u8, u8>) {\n    q.shift_remove_index(0); @\n}", List);
    front(Cpp, "void f(std::vector<int>& q) {\n  q.erase(q.begin()); @\n}", List);
    front(Go, "package a\nfunc f(q []int) {\n\tq = append([]int{1}, q...) @\n}", List);
}

#[test]
fn the_front_of_a_deque_and_the_end_of_a_list_are_cheap() {
    for (language, marked) in [
        (Python, "from collections import deque\nq = deque()\nq.pop(0) @\n"),
        (Python, "q = []\nq.pop() @\n"),
        (Python, "q = []\nq.insert(3, x) @\n"),
        (Python, "q = []\nq = q[:3] @\n"),
        (Python, "q = []\nrest = q[3:] @\n"),
        (Java, "class A { void f() { List<String> q = new LinkedList<>();\n q.remove(0); @\n } }"),
        (Rust, "fn f(mut q: VecDeque<u8>) {\n    q.remove(0); @\n}"),
        (Rust, "fn f(mut q: IndexMap<u8, u8>) {\n    q.swap_remove_index(0); @\n}"),
        (Cpp, "void f(std::list<int>& q) {\n  q.erase(q.begin()); @\n}"),
    ] {
        lacks(&ask(language, marked), TraitKind::FrontInsert);
    }
}

#[test]
fn elements_of_a_chain_by_number_are_seen() {
    let java = ask(
        Java,
        "class A { void f(LinkedList<String> xs) { for (int i = 0; i < xs.size(); i++) {\n use(xs.get(i)); @\n } } }",
    );
    assert_eq!(find(&java, TraitKind::IndexedLinked).container, Some(LinkedList));
    let array = ask(
        Java,
        "class A { void f(ArrayList<String> xs) { for (int i = 0; i < xs.size(); i++) {\n use(xs.get(i)); @\n } } }",
    );
    lacks(&array, TraitKind::IndexedLinked);
    let item = ask(
        C,
        "void f(cJSON *xs) {\n  for (int i = 0; i < n; i++) {\n    use(cJSON_GetArrayItem(xs, i)); @\n  }\n}",
    );
    assert_eq!(find(&item, TraitKind::IndexedLinked).container, Some(LinkedList));
    let deque =
        ask(Python, "import collections\nq = collections.deque()\nfor i in range(n):\n    use(q[i]) @\n");
    assert_eq!(find(&deque, TraitKind::IndexedLinked).container, Some(Deque));
    let nth = ask(Rust, "fn f(s: &str) {\n    for i in 0..9 { use_it(s.chars().nth(i)); } @\n}");
    assert_eq!(find(&nth, TraitKind::IndexedLinked).container, Some(Text));
}

#[test]
fn the_smallest_of_all_that_is_left_is_looked_for_where_it_stays() {
    for (language, marked) in [
        (
            Python,
            "def f(far, left):\n    while left:\n        x = min(left, key=far.get) @\n        left.discard(x)\n",
        ),
        (Python, "def f(far):\n    for y in ys:\n        k = max(far.items()) @\n        del far[k]\n"),
        (Python, "class A:\n    def f(self):\n        return self.uses.most_common(1)[0] @\n"),
        (
            JavaScript,
            "function f(left) {\n  while (left.length) {\n    const x = Math.min(...left); @\n    left.splice(left.indexOf(x), 1);\n  }\n}",
        ),
        (
            Java,
            "class A { void f(List<Integer> left) { while (!left.isEmpty()) {\n int x = Collections.min(left); @\n left.remove(x);\n } } }",
        ),
        (
            Rust,
            "fn f(mut left: Vec<u8>) {\n    while !left.is_empty() {\n        let x = left.iter().enumerate().min_by_key(|(_, x)| **x); @\n        left.swap_remove(0);\n        left.remove(1);\n    }\n}",
        ),
        (
            Cpp,
            "void f(std::vector<int>& left) {\n  while (!left.empty()) {\n    auto x = std::min_element(left.begin(), left.end()); @\n    left.erase(x);\n  }\n}",
        ),
    ] {
        find(&ask(language, marked), TraitKind::Extreme);
    }
    for (language, marked) in [
        // Another one each time, one that stays as it is, and two numbers.
        (Python, "for row in rows:\n    use(max(row)) @\n"),
        (Python, "for row in rows:\n    part = row[1:]\n    use(max(part)) @\n    part.append(1)\n"),
        (Python, "for row in rows:\n    use(max(limits), row) @\n"),
        (Python, "left = []\nfor row in rows:\n    use(max(left, row)) @\n    left.append(row)\n"),
        (
            Rust,
            "fn f(mut left: Vec<u8>, n: u8) {\n    for x in 0..n { use_it(x.min(n)); left.push(x); } @\n}",
        ),
    ] {
        lacks(&ask(language, marked), TraitKind::Extreme);
    }
}

#[test]
fn a_loop_that_finds_the_one_to_take_out_is_seen_where_others_repeat_it() {
    for (language, marked) in [
        (
            JavaScript,
            "class A {\n  evict() {\n    let least = Infinity, victim;\n    for (const [key, n] of this.uses) {\n      if (n < least) { @\n        least = n; victim = key;\n      }\n    }\n    this.uses.delete(victim);\n  }\n}",
        ),
        (
            Python,
            "def f(left, far):\n    while left:\n        best = None\n        for x in left:\n            if best is None or far[x] < far[best]: @\n                best = x\n        left.discard(best)\n",
        ),
        (
            Go,
            "package a\nfunc f(left map[int]int) {\n\tbest := 0\n\tfor k := range left {\n\t\tif k < best { @\n\t\t\tbest = k\n\t\t}\n\t}\n\tdelete(left, best)\n}",
        ),
    ] {
        let found = find(&ask(language, marked), TraitKind::Extreme);
        assert_eq!(found.loop_depth, u32::from(language == Python), "{marked}");
    }
    for (language, marked) in [
        (Python, "def f(left, other):\n    for x in left:\n        use(x) @\n    other.discard(1)\n"),
        (Python, "def f(left):\n    left.discard(1)\n    for x in left:\n        use(x) @\n"),
        (Python, "def f(left):\n    for x in left:\n        use(x) @\n    left.clear()\n"),
    ] {
        lacks(&ask(language, marked), TraitKind::Extreme);
    }
}

fn built(language: Language, marked: &str, wanted: ContainerKind) {
    assert_eq!(find(&ask(language, marked), TraitKind::Concatenation).container, Some(wanted), "{marked}");
}

#[test]
fn what_is_built_from_its_old_self_is_seen() {
    built(Python, "out = ''\nfor x in xs:\n    out += str(x) @\n", Text);
    built(Python, "def f(xs):\n    out = []\n    for x in xs:\n        out = out + [x] @\n", List);
    built(Python, "out = ''\nfor x in xs:\n    out = f'{out}{x}' @\n", Text);
    built(
        Java,
        "class A { String f() { String s = \"\"; for (String x : xs) {\n s += x; @\n } return s; } }",
        Text,
    );
    built(
        Go,
        "package a\nfunc f(xs []string) string {\n\ts := \"\"\n\tfor _, x := range xs {\n\t\ts += x @\n\t}\n\treturn s\n}",
        Text,
    );
    built(JavaScript, "let acc = [];\nfor (const x of xs) {\n  acc = [...acc, x]; @\n}", List);
    built(JavaScript, "const o = xs.reduce((acc, x) => ({ ...acc, [x]: 1 }), {}); @", Map);
    built(
        Rust,
        "fn f(xs: &[u8]) {\n    let mut s = String::new();\n    for x in xs {\n        s = format!(\"{}{}\", s, x); @\n    }\n}",
        Text,
    );
    built(
        C,
        "void f(char *out, char **xs, int n) {\n  for (int i = 0; i < n; i++) strcat(out, xs[i]); @\n}",
        Text,
    );
}

#[test]
fn adding_numbers_or_growing_in_place_builds_nothing_anew() {
    for (language, marked) in [
        (Python, "n = 0\nfor x in xs:\n    n += 1 @\n"),
        (Python, "n = 0\nfor x in xs:\n    n = n + len(x) @\n"),
        (Python, "xs = []\nfor y in ys:\n    xs += [y] @\n"),
        (Python, "def f(total, x):\n    total += x @\n"),
        (Java, "class A { int f() { int n = 0; for (String x : xs) {\n n += 1; @\n } return n; } }"),
        (
            Java,
            "class A { void f() { StringBuilder s = new StringBuilder(); for (String x : xs) {\n s.append(x); @\n } } }",
        ),
        (Go, "package a\nfunc f(xs []int) {\n\tn := 0\n\tfor _, x := range xs {\n\t\tn += x @\n\t}\n}"),
        (
            Rust,
            "fn f(xs: &[String]) {\n    let mut s = String::new();\n    for x in xs {\n        s += x; @\n    }\n}",
        ),
        (Cpp, "void f() { std::string s; for (auto& x : xs) {\n  s += x; @\n } }"),
        (JavaScript, "let n = 0;\nfor (const x of xs) {\n  n += x.price; @\n}"),
    ] {
        lacks(&ask(language, marked), TraitKind::Concatenation);
    }
}

#[test]
fn copies_are_seen() {
    for (language, marked) in [
        (Python, "import copy\nfor x in xs:\n    y = copy.deepcopy(x) @\n"),
        (Python, "from copy import deepcopy as clone\ny = clone(x) @\n"),
        (Python, "xs = []\nys = xs[1:] @\n"),
        (JavaScript, "const y = structuredClone(x); @"),
        (Rust, "fn f(x: &Table) -> Table {\n    x.clone() @\n}"),
        (Go, "package a\nfunc f(a, b []byte) {\n\tcopy(a, b) @\n}"),
        (C, "void f(char *a, char *b, int n) {\n  memcpy(a, b, n); @\n}"),
        (Cpp, "void f(const std::vector<int>& xs) {\n  std::vector<int> ys = xs; @\n}"),
        (
            C,
            "struct game { int cells[64]; };\nint g(struct game game) { return 0; }\nint f(struct game game) {\n  return g(game); @\n}",
        ),
    ] {
        find(&ask(language, marked), TraitKind::Copy);
    }
    lacks(
        &ask(Cpp, "void f(const std::vector<int>& xs) {\n  const std::vector<int>& ys = xs; @\n}"),
        TraitKind::Copy,
    );
    lacks(&ask(Python, "ys = list() @\n"), TraitKind::Copy);
    // Each turn another piece, to a place of its own: all of it is moved once. The same block again is a copy each time.
    let rows = |to: &str| {
        format!(
            "void f(char *a, char *b, int n) {{\n  for (int i = 0; i < n; i++) {{\n    memcpy({to}, b + i * 64, 64); @\n  }}\n}}"
        )
    };
    lacks(&ask(C, &rows("a + i * 64")), TraitKind::Copy);
    find(&ask(C, &rows("a")), TraitKind::Copy);
}

#[test]
fn python_appends_in_place_to_a_text_that_a_local_variable_alone_has() {
    let appends = |before: &str, does: &str| {
        ask(Python, &format!("def f(self, xs):\n{before}    for x in xs:\n        {does} @\n    return 1\n"))
    };
    for does in ["s += str(x)", "s = s + str(x)"] {
        lacks(&appends("    s = ''\n", does), TraitKind::Concatenation);
    }
    for (before, does) in [
        ("    self.s = ''\n", "self.s += str(x)"),
        ("    global s\n    s = ''\n", "s += str(x)"),
        ("    s = ''\n    def g():\n        return s\n", "s += str(x)"),
        ("    s = b''\n", "s += x.tobytes()"),
        ("    s = ''\n", "s = str(x) + s"),
        ("    s = ''\n", "s = f'{s}{x}'"),
    ] {
        find(&appends(before, does), TraitKind::Concatenation);
    }
}

#[test]
fn what_makes_its_elements_itself_is_a_copy_of_nothing() {
    for made in ["list(range(20))", "tuple(y * y for y in x)", "list(map(str, x))", "bytes(64)"] {
        lacks(&ask(Python, &format!("for x in xs:\n    y = {made} @\n")), TraitKind::Copy);
    }
    for copied in ["list(x)", "tuple(x.parts)", "dict(x)", "list(x.keys())"] {
        find(&ask(Python, &format!("for x in xs:\n    y = {copied} @\n")), TraitKind::Copy);
    }
}

#[test]
fn a_text_that_begins_anew_in_each_turn_does_not_grow() {
    for (language, marked) in [
        (Python, "for x in xs:\n    s = f'{x}'\n    if x:\n        s += '!' @\n    yield s\n"),
        (JavaScript, "for (const x of xs) {\n  let s = 'a';\n  s += x.name; @\n  out.push(s);\n}"),
        (
            Java,
            "class A { void f() { for (String x : xs) {\n String s = \"\";\n s += x; @\n out.add(s);\n } } }",
        ),
        (
            Go,
            "package a\nfunc f(xs []string) {\n\tfor _, x := range xs {\n\t\ts := \"\"\n\t\ts += x @\n\t\tput(s)\n\t}\n}",
        ),
    ] {
        lacks(&ask(language, marked), TraitKind::Concatenation);
    }
}

#[test]
fn a_text_that_is_seldom_emptied_or_emptied_further_out_grows() {
    built(Python, "s = ''\nfor x in xs:\n    if x:\n        s = ''\n    s += str(x) @\n", Text);
    built(Python, "for xs in all:\n    s = ''\n    for x in xs:\n        s += str(x) @\n", Text);
    built(Python, "for x in xs:\n    s = s + 'a'\n    s += str(x) @\n", Text);
}
