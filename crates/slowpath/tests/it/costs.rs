//! Python functions that take longer the more there is, found in one run; and what is made anew though it could be kept.

use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes;

/// A package that goes through all it has at each call, in a function that has no loop around it, and one that does not.
const LEDGER: &str = "
class Ledger:
    def __init__(self):
        self.rows, self.digest = [], 0

    def add(self, row):
        self.rows.append(row)
        self.digest = self.checked()

    def checked(self):
        digest = 0
        for row in self.rows:
            digest = (digest * 31 + row) & 0xffff
        return digest


class Chained(Ledger):
    def add(self, row):
        self.rows.append(row)
        for _ in range(1000):
            self.digest = (self.digest * 31 + row) & 0xffff
";

/// What the runtime said, and the answer made of it.
fn asked(package: &str, program: &str) -> (Value, Value) {
    let place = Place::new();
    place.file("site-packages/package.py", package);
    place.file(
        "read.py",
        format!("import sys\nsys.path.insert(0, 'site-packages')\nimport package\n\n{program}"),
    );
    let (runtime, answer) = runtimes::asked(&place, &["/usr/bin/python3", "read.py"]);
    (runtime.unwrap(), answer)
}

#[test]
fn calls_that_take_longer_the_more_there_is_grow_and_others_do_not() {
    in_some_run(|| {
        let read = |class: &str| {
            format!(
                "def fill(n):\n    book = package.{class}()\n    for row in range(n):\n        book.add(row)\n    return book.digest\n\nprint(fill(6000))\n"
            )
        };
        let (_, answer) = asked(LEDGER, &read("Ledger"));
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first:#}");
        assert_eq!(first["inside"]["function"], "Ledger.checked", "{first:#}");
        assert!(first["because"].to_string().contains("times as long"), "{first:#}");
        let (runtime, answer) = asked(LEDGER, &read("Chained"));
        // It was looked at, and found to take the same each time.
        let looked =
            runtime["costs"].as_array().unwrap().iter().any(|cost| cost["function"] == "Chained.add");
        assert!(looked, "{runtime:#}");
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "algorithmic-growth"), "{found:#?}");
    });
}

/// What each call takes anyway hides what it takes with little.
const LATE: &str = "
class Journal:
    def __init__(self):
        self.rows, self.mark = [], 0

    def add(self, row):
        for step in range(150):
            self.mark = (self.mark * 31 + step) & 0xffff
        self.rows.append(row)
        self.mark ^= sum(self.rows)
";

#[test]
fn what_grows_behind_thousands_of_calls_is_told_by_the_last_ones() {
    in_some_run(|| {
        let fill = "def fill(n):\n    journal = package.Journal()\n    for row in range(n):\n        journal.add(row)\n    return journal.mark\n\nprint(fill(24000))\n";
        let (runtime, answer) = asked(LATE, fill);
        let turn = runtime["costs"].as_array().unwrap().iter().find(|cost| cost["over"] == "turn").unwrap();
        let last = turn["sizes"].as_array().unwrap().last().unwrap();
        assert!(last["size"].as_u64().unwrap() > 18000, "{turn:#}");
        assert_eq!(answer["findings"][0]["cause"], "algorithmic-growth", "{turn:#}");
    });
}

/// Looks at all that a node has before it adds another; and goes through a list.
const SHELVES: &str = "
class Node:
    def __init__(self):
        self.children = []

    def add(self, child):
        for one in self.children:
            if one is child:
                return False
        self.children.append(child)
        return True


def weigh(page):
    total = 0
    for letter in page:
        total = (total * 31 + letter) % 1000003
    return total
";

#[test]
fn things_that_are_given_by_turns_grow_each_on_its_own() {
    in_some_run(|| {
        let fill = "def fill(n):\n    shelves = [package.Node() for _ in range(4)]\n    for at in range(n):\n        shelves[at % 4].add(object())\n    return len(shelves[0].children)\n\nprint(fill(14000))\n";
        let (runtime, answer) = asked(SHELVES, fill);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first:#}\n{runtime:#}");
        // Long and short ones by turns, none of which grows.
        let read = "def read(n):\n    pages = [list(range(40 * 2 ** (at % 8))) for at in range(20)]\n    return sum(package.weigh(page) for _ in range(n) for page in pages)\n\nprint(read(20))\n";
        let (runtime, answer) = asked(SHELVES, read);
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "algorithmic-growth"), "{found:#?}\n{runtime:#}");
    });
}

/// Takes another list each time, at the address of the one before.
const SCORES: &str = "
class Engine:
    def score(self, words):
        total = 0
        for word in words:
            total = (total * 31 + len(word)) % 9973
        return total
";

#[test]
fn another_list_at_the_same_address_is_not_the_same_list() {
    in_some_run(|| {
        let read = "def read(n):\n    words = ['w%d' % i for i in range(9000)]\n    texts = [' '.join(words[i:i + (i * 7919 % 4001)]) for i in range(n)]\n    engine = package.Engine()\n    return sum(engine.score(text.split()) for text in texts)\n\nprint(read(3000))\n";
        let (runtime, answer) = asked(SCORES, read);
        let costs = runtime["costs"].as_array().unwrap();
        let of_words = costs.iter().find(|cost| cost["argument"] == "words");
        assert_eq!(of_words.map(|cost| &cost["over"]), Some(&"given".into()), "{costs:#?}");
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "algorithmic-growth"), "{found:#?}");
    });
}

/// Looks for a code up to the end of the text behind each quote.
const QUOTES: &str = r#"
import re

CODE, QUOTE = re.compile(r"\\[0-3][0-7][0-7]"), re.compile(r"\\.")


def unquoted(text):
    parts, at = [], 0
    while at < len(text):
        code, quote = CODE.search(text, at), QUOTE.search(text, at)
        if not code and not quote:
            break
        end = quote.end() if quote else code.end()
        parts.append(text[at:end])
        at = end
    return "".join(parts)
"#;

#[test]
fn a_search_that_begins_again_behind_each_find_grows_and_tries_nothing_twice() {
    in_some_run(|| {
        let read = "def read(n):\n    return len(package.unquoted('said \\\\\" to him ' * n))\n\nprint(read(8000))\n";
        let (runtime, answer) = asked(QUOTES, read);
        let again = |step: &Value| step["again_ns"].as_u64() > step["on_cpu_ns"].as_u64().map(|all| all / 2);
        assert!(runtime["steps"].as_array().unwrap().iter().any(again), "{:#}", runtime["steps"]);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first:#}");
        assert_eq!(first["inside"]["function"], "unquoted", "{first:#}");
    });
}

/// Something to build once and use often, which can be closed.
const CLIENT: &str = "
import threading


class Client:
    def __init__(self, region):
        self.region, self.lock = region, threading.Lock()
        self.routes = sum([i % 7 for i in range(100000)])

    def signed(self, key):
        return self.routes + len(key)

    def close(self):
        pass


def client(region):
    return Client(region)
";

#[test]
fn what_can_be_closed_and_is_made_of_the_same_each_time_is_repeated_work() {
    in_some_run(|| {
        let read = "def storage(region):\n    return package.client(region)\n\ndef link(key):\n    return storage('north').signed(key)\n\nprint(sum(link('a' * n) for n in range(60)))\n";
        let (_, answer) = asked(CLIENT, read);
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"repeated-work".into(), &"storage".into())
        );
    });
}

/// Is given numbers that no length has.
const FIELD: &str = "
class Field:
    def up(self, number):
        return sum(i & 3 for i in range(4000)) + number % 7
";

#[test]
fn numbers_beyond_any_length_keep_the_rest_from_nothing() {
    in_some_run(|| {
        let read = "def walk(n):\n    field = package.Field()\n    return sum(field.up((1 << (70 + i // 8)) + i) for i in range(n))\n\nprint(walk(2000))\n";
        let (runtime, _) = asked(FIELD, read);
        let calls = runtime["costs"].as_array().unwrap().iter().find(|cost| cost["function"] == "Field.up");
        assert!(calls.is_some_and(|cost| cost["over"] == "turn"), "{runtime:#}");
    });
}

/// An area that grows by what is joined to it, in a new object each time; and one of fixed size.
const AREAS: &str = "
class Area:
    __slots__ = ('points',)

    def __init__(self, points):
        self.points = points

    def joined(self, other):
        seen, points = 0, []
        for point in self.points:
            seen = (seen * 31 + point) % 1000003
            points.append(point)
        return Area(points + other)

    def mixed(self, other):
        return Area([(point * 31 + other[0]) % 1000003 for point in self.points])
";

#[test]
fn what_each_call_gives_to_the_next_grows_where_that_takes_longer() {
    in_some_run(|| {
        let fold = |method: &str, size: u32, n: u32| {
            format!(
                "def fold(n):\n    area = package.Area(list(range({size})))\n    for at in range(n):\n        area = area.{method}([at])\n    return sum(area.points)\n\nprint(fold({n}))\n"
            )
        };
        let (runtime, answer) = asked(AREAS, &fold("joined", 1, 4000));
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first:#}\n{runtime:#}");
        assert_eq!(first["inside"]["function"], "Area.joined", "{first:#}");
        let (runtime, answer) = asked(AREAS, &fold("mixed", 2000, 2000));
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "algorithmic-growth"), "{found:#?}\n{runtime:#}");
    });
}

/// Makes a reader for each line, of the same form; and compiles what it is given.
const READERS: &str = "
import re


class Reader:
    def __init__(self, form):
        parts = [self.part(word) for word in form.split() for _ in range(20)]
        self.width, self.used = len(parts), 0

    def part(self, word):
        total = 0
        for letter in word:
            total = (total * 31 + ord(letter)) % 1000003
        return total

    def read(self, line):
        self.used += 1
        return len(line) + self.width


class Rule:
    def __init__(self, number):
        areas = '|'.join('%03d[%d-9]' % ((number * 7 + step * 31) % 997, step % 5) for step in range(80))
        self.pattern = re.compile('(?P<area>' + areas + ')(?P<rest>[0-9]{3,9})')
";

#[test]
fn an_object_made_again_of_the_same_is_told_whichever_object_it_is() {
    in_some_run(|| {
        let read = "def read(line):\n    return package.Reader('at {hour} wind {knots} from {bearing} sea {sea}').read(line)\n\nprint(sum(read('line %d' % at) for at in range(20000)))\n";
        let (runtime, answer) = asked(READERS, read);
        let all = runtime["repeats"].as_array().unwrap();
        let made = all.iter().find(|one| one["function"] == "Reader.__init__");
        let made = made.unwrap_or_else(|| panic!("{runtime:#}"));
        assert!(made["same"].as_u64() >= made["calls"].as_u64().map(|calls| calls * 9 / 10), "{made:#}");
        assert_eq!(answer["findings"][0]["cause"], "repeated-work", "{:#}", answer["findings"]);
    });
}

#[test]
fn patterns_that_are_compiled_once_each_are_not_compiled_again() {
    in_some_run(|| {
        let rules = "def rules(n):\n    return [package.Rule(number) for number in range(n)]\n\nprint(len(rules(500)))\n";
        let (runtime, answer) = asked(READERS, rules);
        let all = runtime["repeats"].as_array().unwrap();
        let compiled = all.iter().find(|one| one["function"] == "compile");
        let compiled = compiled.unwrap_or_else(|| panic!("{runtime:#}"));
        assert!(compiled["calls"].as_u64() >= Some(100) && compiled["same"] == 0, "{compiled:#}");
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().all(|one| one["cause"] != "repeated-work"), "{found:#?}");
    });
}

/// Goes through all it has by small functions, which are asked about their calls more often in the beginning than later.
const NESTED: &str = "
class Span:
    def __init__(self, first, last, kind):
        self.first, self.last, self.kind = first, last, kind

    def start(self):
        return self.first

    def end(self):
        return self.last


def joined(one, other, kind):
    return Span(min(one.start(), other.start()), max(one.end(), other.end()), kind)


class Spans:
    def __init__(self):
        self.spans, self.all = [], None

    def add(self, first):
        self.spans.append(Span(first, first + 7, 'lease'))
        self.merge()

    def merge(self):
        whole = self.spans[0]
        for span in self.spans:
            whole = joined(whole, span, ('merged', span.kind))
        self.all = whole
";

#[test]
fn what_the_watch_asks_of_small_functions_is_not_what_their_callers_take() {
    in_some_run(|| {
        let program = "def gather(n):\n    held = package.Spans()\n    for first in range(n):\n        held.add(first * 9)\n    return held.all.last\n\nprint(gather(1500))\n";
        let (runtime, answer) = asked(NESTED, program);
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "algorithmic-growth", "{first:#}");
        let costs = runtime["costs"].as_array().unwrap().iter();
        let merge = costs.clone().find(|cost| cost["function"] == "Spans.merge").unwrap();
        let sizes = merge["sizes"].as_array().unwrap();
        let each = |size: &Value| size["median_ns"].as_f64().unwrap() / size["size"].as_f64().unwrap();
        let (early, late) = (each(&sizes[1]), each(sizes.last().unwrap()));
        assert!((0.4..2.5).contains(&(late / early)), "{early} {late} {merge:#}");
    });
}
