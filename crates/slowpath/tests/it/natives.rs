//! Functions without a Python frame: what they are given again, what makes them take longer, and arrays that are put together anew.

use std::process::Command;

use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes;

/// The two parts of the hook, as slowpath lays them.
const HOOK: &str = concat!(
    include_str!("../../src/walk/runtime/hook.py"),
    include_str!("../../src/walk/runtime/natives.py")
);
const SITE: &str = include_str!("../../src/walk/hooked/sitecustomize.py");

/// Signs a letter for each reader, with so many rounds.
fn signing(letter: &str, rounds: &str) -> String {
    format!(
        "import hashlib

LETTER = b'We meet at noon.' * 20


class Desk:
    def sign(self, reader):
        return hashlib.pbkdf2_hmac('sha256', {letter}, b'salt', {rounds})[0] + reader


def main():
    desk, total = Desk(), 0
    for reader in range(1, 900):
        total += desk.sign(reader)
    print(total)


main()
"
    )
}

fn asked(program: &str) -> (Value, Value) {
    let place = Place::new();
    place.file("read.py", program);
    let (runtime, answer) = runtimes::asked(&place, &["/usr/bin/python3", "read.py"]);
    (runtime.unwrap(), answer)
}

fn finding<'a>(answer: &'a Value, cause: &str) -> Option<&'a Value> {
    answer["findings"].as_array().unwrap().iter().find(|one| one["cause"] == cause)
}

#[test]
fn a_compiled_function_that_is_given_the_same_again_is_a_witness_of_repeated_work() {
    in_some_run(|| {
        let (runtime, answer) = asked(&signing("LETTER", "3000"));
        let native = &runtime["natives"][0];
        assert_eq!(native["by"]["function"], "Desk.sign", "{runtime:#}");
        assert!(native["same"].as_u64().unwrap() >= 890, "{native:#}");
        let repeated =
            finding(&answer, "repeated-work").unwrap_or_else(|| panic!("{:#}", answer["findings"]));
        assert_eq!(repeated["location"]["function"], "Desk.sign");
        assert!(repeated["because"].to_string().contains("pbkdf2_hmac"), "{repeated:#}");
    });
}

#[test]
fn a_compiled_function_that_is_given_something_else_each_time_is_not() {
    in_some_run(|| {
        let (runtime, answer) = asked(&signing("LETTER + bytes([reader % 256, reader // 256])", "3000"));
        assert_eq!(runtime["natives"][0]["same"], 0, "{runtime:#}");
        assert_eq!(finding(&answer, "repeated-work"), None);
        assert_eq!(finding(&answer, "algorithmic-growth"), None);
    });
}

#[test]
fn a_compiled_function_that_takes_longer_at_each_turn_is_a_witness_of_growth() {
    in_some_run(|| {
        let (runtime, answer) = asked(&signing("LETTER", "reader * 5"));
        let costs = runtime["natives"][0]["costs"].as_array().unwrap();
        let cost = costs.iter().find(|cost| cost["over"] == "place").unwrap_or_else(|| panic!("{runtime:#}"));
        assert_eq!(cost["argument"], "reader * 5");
        let growth =
            finding(&answer, "algorithmic-growth").unwrap_or_else(|| panic!("{:#}", answer["findings"]));
        assert_eq!(growth["location"]["function"], "Desk.sign");
    });
}

/// Puts a number into a column, in a way.
fn columns(way: &str) -> String {
    format!(
        "from array import array


class Column:
    def __init__(self, count):
        self.numbers = array('q', range(count))

    def put(self, at, number):
        {way}


def main():
    column = Column(150000)
    for number in range(1500):
        column.put(number * 7919 % 150000, number)
    print(len(column.numbers))


main()
"
    )
}

#[test]
fn an_array_that_is_put_together_anew_for_each_number_is_told() {
    in_some_run(|| {
        let (runtime, answer) =
            asked(&columns("self.numbers = self.numbers[:at] + array('q', [number]) + self.numbers[at:]"));
        let copies = &runtime["copies"][0];
        assert_eq!(copies["function"], "Column.put", "{runtime:#}");
        let each = copies["bytes"].as_u64().unwrap() / copies["calls"].as_u64().unwrap();
        assert!(each >= 1_000_000, "{copies:#}");
        assert!(finding(&answer, "copy-volume").is_some(), "{:#}", answer["findings"]);
    });
}

#[test]
fn an_array_that_is_changed_in_place_or_computed_anew_is_no_copy() {
    in_some_run(|| {
        for way in [
            "self.numbers[at] = sum(range(number % 7000))",
            "self.numbers = array('q', [one ^ number for one in self.numbers[:20000]])",
        ] {
            let (runtime, _) = asked(&columns(way));
            assert_eq!(runtime["copies"], Value::Array(Vec::new()), "{way}");
        }
    });
}

/// The same program with and without the hook. What it says, and what the hook wrote.
fn hooked(program: &str, natives: &str, lines: &str) -> (String, Value) {
    let place = Place::new();
    let script = place.file("odd.py", program);
    place.file("hook/sitecustomize.py", SITE);
    place.file("hook/slowpath_hook.py", HOOK);
    std::fs::create_dir(place.path().join("out")).unwrap();
    let path = |name: &str| place.path().join(name);
    let lines: Vec<String> =
        lines.lines().map(|line| format!("{}\t{line}", script.canonicalize().unwrap().display())).collect();
    let ran = Command::new("/usr/bin/python3")
        .arg(script.canonicalize().unwrap())
        .env("PYTHONPATH", path("hook"))
        .env("SLOWPATH_OUT", path("out"))
        .env("SLOWPATH_PROJECT", place.path())
        .env("SLOWPATH_REPEATS", "1")
        .env("SLOWPATH_NATIVES", natives)
        .env("SLOWPATH_LINES", lines.join("\n"))
        .env("SLOWPATH_ROUNDS", lines.join("\n"))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let written = std::fs::read_dir(path("out")).unwrap().next().unwrap().unwrap().path();
    let told = serde_json::from_slice(&std::fs::read(written).unwrap()).unwrap();
    (String::from_utf8(ran.stdout).unwrap(), told)
}

#[test]
fn a_stand_in_of_a_module_is_found_by_its_name_and_knows_who_called() {
    in_some_run(|| {
        let found = Command::new("/usr/bin/python3")
            .args(["-c", "import _hashlib, os; print(os.path.realpath(_hashlib.__file__), end='')"])
            .output()
            .unwrap();
        let file = String::from_utf8(found.stdout).unwrap();
        let program = "import _hashlib, inspect, pickle
from _hashlib import pbkdf2_hmac


def sign(letter):
    return pbkdf2_hmac('sha256', letter, b'salt', iterations=10)[0]


print(sum(sign(b'noon' * 9) for _ in range(30)), pickle.loads(pickle.dumps(pbkdf2_hmac)) is pbkdf2_hmac)
print(pbkdf2_hmac.__name__, _hashlib.pbkdf2_hmac is pbkdf2_hmac)
";
        let (said, told) = hooked(program, &format!("{file}\tpbkdf2_hmac"), "");
        assert!(said.ends_with("True\npbkdf2_hmac True\n"), "{said}");
        let native = &told["natives"][0];
        let by = (&native["function"], &native["by"]["function"]);
        assert_eq!(by, (&"pbkdf2_hmac".into(), &"sign".into()), "{told:#}");
        assert_eq!((&native["calls"], &native["same"]), (&30.into(), &29.into()));
    });
}

/// Goes through what a pattern finds, and through other things at the same lines.
const FINDS: &str = "import re

WORD = re.compile('[a-z]+')


class Own:
    def finditer(self, text):
        return iter([re.match('a', 'a'), None, 3])


def words(text):
    count = 0
    for match in WORD.finditer(text):
        if match.group() == 'stop':
            break
        count += 1
    return count, [one.start() for one in re.finditer('b', text)][:3], list(Own().finditer(text))[1:]


def lazy(text):
    for match in WORD.finditer(text):
        yield match.group()


for at in range(5):
    print(words('a b c stop d'), words('ab ' * 400), list(lazy('a b'))[at % 2], next(lazy('x y')))
";

#[test]
fn what_a_pattern_finds_one_by_one_is_timed_and_stays_what_it_is() {
    let lines = "13\n17\n21";
    let plain = Command::new("/usr/bin/python3").args(["-c", FINDS]).output().unwrap();
    let (said, told) = hooked(FINDS, "", lines);
    assert_eq!(said, String::from_utf8(plain.stdout).unwrap());
    let inside = |name: &str| -> u64 {
        let steps = told["steps"].as_array().unwrap().iter();
        let own = steps.filter(|step| step["inside"]["function"] == name && step["kind"] == "match");
        own.map(|step| step["calls"].as_u64().unwrap()).sum()
    };
    // A find that ends the loop is one, too.
    assert!(inside("words") >= 5 * (4 + 400), "{told:#}");
    assert_eq!(inside("lazy"), 5 * 3, "{told:#}");
}

#[test]
fn many_short_finds_are_computing_and_long_ones_try_every_way() {
    in_some_run(|| {
        let program = |pattern: &str, text: &str| {
            format!(
                "import re\n\nPATTERN = re.compile(r'{pattern}')\n\ndef found(text):\n    kinds = {{}}\n    for match in PATTERN.finditer(text):\n        kinds[match.lastgroup] = kinds.get(match.lastgroup, 0) + 1\n    return kinds\n\nprint(found({text}))\n"
            )
        };
        let cause = |text: String| {
            let place = Place::new();
            place.file("read.py", text);
            let (_, answer) = runtimes::asked(&place, &["/usr/bin/python3", "read.py"]);
            answer["findings"][0]["cause"].as_str().unwrap_or_default().to_owned()
        };
        let lexer = program(
            "\\s*(?:(?P<num>\\d+)|(?P<name>[a-z_]\\w*)|(?P<op>[-+*/()=;]))",
            "'let value = compute(17, other) + 3;\\n' * 200000",
        );
        assert_eq!(cause(lexer), "hot-compute");
        let tries = program("(?P<name>(?:[a-z]+-?)+)!", "('ab-cd-ef-gh' * 3 + ' ') * 60 + 'x!'");
        assert_eq!(cause(tries), "regex-backtracking");
    });
}

#[test]
fn a_function_whose_lines_are_watched_does_what_it_did() {
    let program = "import asyncio, collections, functools, hashlib


def kept(function):
    @functools.wraps(function)
    def inner(*given, **named):
        return function(*given, **named)
    return inner


class Base:
    def __init__(self, *words):
        self.words = words


class Desk(Base):
    def __init__(self, *words):
        super().__init__(*words)
        self.queue = collections.deque(range(50))

    @property
    def middle(self):
        return self.queue[len(self.queue) // 2]

    @kept
    def sign(self, text=b'a', *, times=3):
        return sorted(dict(locals())), hashlib.md5(text * times).hexdigest()


def closed(count):
    total = 0

    def add(number):
        nonlocal total
        total += collections.deque(range(number))[number // 2]
        return [hashlib.md5(bytes([one])).digest()[0] for one in range(number)][0]

    return sum(add(number) for number in range(1, count)) + total


def steps(count):
    for number in range(count):
        got = yield hashlib.md5(b'%d' % number).digest()[0]
    return got


async def task(number):
    await asyncio.sleep(0)
    return hashlib.md5(b'%d' % number).digest()[0]


def missing():
    try:
        return collections.deque()[3]
    except IndexError as error:
        return str(error)


def main():
    desk = Desk(1, 2)
    print(desk.words, desk.middle, desk.sign(times=2), closed(12), sum(steps(10)), missing())
    print(asyncio.run(task(3)), {(1, 2): 3}[1, 2], 'text'[1:3], f'{hashlib.md5(b\"q\").hexdigest()[:4]}')


main()
";
    let lines = (1..=program.lines().count()).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
    let (plain, _) = hooked(program, "", "");
    let (watched, told) = hooked(program, "", &lines);
    assert_eq!(plain, watched);
    let by = |name: &str| told["natives"].as_array().unwrap().iter().any(|one| one["by"]["function"] == name);
    assert!(by("Desk.middle") && by("Desk.sign") && by("steps") && by("task"), "{told:#}");
}
