//! Small files whose sums can be done by hand.

use super::*;

/// main calls f once (in a.c) and g of another object; code of h.h is inlined into f.
const SMALL: &str = "# callgrind format
version: 1
creator: hand
pid: 7
cmd:  ./a b
part: 1

desc: I1 cache: 32768 B, 64 B, 8-way associative
event: Ir : Instruction Fetch
positions: line
events: Ir Dr
summary: 100 7

ob=(1) /bin/a
fl=(1) a.c
fn=(1) main
10 5 1
+2 5
cfn=(2) f
calls=3 +9 
* 60 2
cob=(2) /lib/b.so
cfi=(2) b.c
cfn=(3) g
calls=1 1 
-1 30 4
12 0 0

fn=(2)
21 20
fi=(3) h.h
3 15 2
fe=(1)
* 25

ob=(2)
fl=(2)
fn=(3)
1 30 4

totals: 100 7
";

fn named<'r>(read: &'r Callgrind<'_>, name: &str) -> (u32, &'r Function<'r>, &'r [u64], &'r [u64]) {
    let mut all = (0..).zip(read.functions.iter());
    let (place, (function, own)) = all.find(|(_, (one, _))| one.name == name.as_bytes()).unwrap();
    (place, function, own, read.inclusive.row(place))
}

#[test]
fn functions_lines_and_calls_have_their_costs() {
    let read = parse(SMALL.as_bytes()).unwrap();
    assert_eq!(read.command, Some(&b"./a b"[..]));
    assert_eq!((read.process, read.totals.as_slice()), (Some(7), &[100, 7][..]));
    assert_eq!(read.events[0].definition, Some(&b": Instruction Fetch"[..]));
    assert_eq!(read.caches.instructions.unwrap().ways, 8);
    assert_eq!(read.functions.len(), 3);
    let (main, function, own, inclusive) = named(&read, "main");
    assert_eq!((function.object, function.file), (Some(&b"/bin/a"[..]), Some(&b"a.c"[..])));
    assert_eq!((own, inclusive, function.called.0), (&[10, 1][..], &[100, 7][..], 0));
    let (f, function, own, inclusive) = named(&read, "f");
    assert_eq!((own, inclusive, function.called.0), (&[60, 2][..], &[60, 2][..], 3));
    let (g, function, ..) = named(&read, "g");
    assert_eq!((function.object, function.file), (Some(&b"/lib/b.so"[..]), Some(&b"b.c"[..])));
    let calls: Vec<_> =
        read.calls.iter().map(|(call, cost)| (call.caller, call.callee, call.count.0, cost[0])).collect();
    assert_eq!(calls, [(main, f, 3, 60), (main, g, 1, 30)]);
    let lines: Vec<_> = read
        .lines
        .iter()
        .map(|(line, cost)| (line.function, line.file.unwrap(), line.number, cost[0]))
        .collect();
    let (a, h, b) = (&b"a.c"[..], &b"h.h"[..], &b"b.c"[..]);
    let wanted = [
        (main, a, Some(10), 5),
        (main, a, Some(12), 5),
        (f, a, Some(3), 25),
        (f, a, Some(21), 20),
        (f, h, Some(3), 15),
        (g, b, Some(1), 30),
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_damaged_file_is_an_error() {
    for (from, to) in [
        ("21 20", "21 21"),
        ("21 20", "21 20 0 0"),
        ("21 20", "21 2x"),
        ("21 20", "-99 20"),
        ("21 20", "+99999999999999999999 20"),
        ("21 20", "5000000000 20"),
        ("21 20", "21 18446744073709551615"),
        ("21 20\n", ""),
        ("fn=(1) main\n", ""),
        ("fn=(2)\n", "fn=(9)\n"),
        ("fn=(2)\n", "what=(2)\n"),
        ("cfn=(2) f\n", ""),
        ("calls=3 +9 \n", "calls=3x\n"),
        ("calls=3 +9 \n", "calls=3 f\n"),
        ("calls=3 +9 \n", "calls=3 +9 \ncalls=3 +9 \n"),
        ("calls=3 +9 \n", ""),
        ("calls=3 +9 \n", "jump=3 +9 \n"),
        ("totals: 100 7", "totals: 100 7 0"),
        ("totals: 100 7", "totals: 101 7"),
        ("totals: 100 7", "totals: 100"),
        ("totals: 100 7\n", "totals: 100 7\n5 5\n"),
        ("totals: 100 7\n", "totals: 100 7\nsomething\n"),
        ("events: Ir Dr\n", ""),
        ("events: Ir Dr\n", "events:\n"),
        ("version: 1", "version: 2"),
        ("positions: line", "positions: file"),
    ] {
        let text = SMALL.replace(from, to);
        assert_ne!(text, SMALL);
        assert!(parse(text.as_bytes()).is_err(), "{from} -> {to}");
    }
}

#[test]
fn differing_sums_are_both_named() {
    let text = SMALL.replace("totals: 100", "totals: 101");
    let error = parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "the lines of the callgrind file add up to 100 `Ir`, its summary says 101");
}

#[test]
fn a_cut_at_any_byte_is_an_error_unless_the_summary_proves_the_rest_whole() {
    let body = SMALL.find("\ntotals").unwrap();
    for end in 0..SMALL.len() {
        let found = parse(&SMALL.as_bytes()[..end]);
        // The head's summary is reached when the last line of costs is.
        assert!(found.is_err() || (end >= body && end <= body + 1), "{end}");
    }
}

#[test]
fn a_file_without_costs_is_an_error() {
    let text = "version: 1\nevents: Ir\nsummary: 0\ntotals: 0\n";
    assert!(matches!(parse(text.as_bytes()), Err(ParseError::NoSamples { .. })));
    assert!(matches!(parse(b""), Err(ParseError::Empty)));
    assert!(matches!(parse(b"version: 1\n"), Err(ParseError::Cut { .. })));
}

#[test]
fn addresses_jumps_and_repeated_positions_are_read() {
    let text = "positions: instr line\nevents: Ir\nfl=a\nfn=f\n0x10 5 1\n+3 * 1\njcnd=1/2 0x20 +4 \n* * \njfi=(4) b\njfn=(5) g\njump=2 +2 +1 \n+1 -1\n0x20 +0x2 1\nfn=(5)\n0x30 1 1\ntotals: 4\n";
    let read = parse(text.as_bytes()).unwrap();
    let lines: Vec<_> = read.lines.iter().map(|(line, cost)| (line.number.unwrap(), cost[0])).collect();
    assert_eq!(lines, [(5, 2), (6, 1), (1, 1)]);
    assert_eq!(named(&read, "g").2, [1]);
}

#[test]
fn parts_are_added_and_checked_one_by_one() {
    let two = SMALL.replace("part: 1\n", "part: 1\nthread: 1\n")
        + &SMALL.replace("part: 1\n", "part: 1\nthread: 2\n").replace("(1) main", "(1) start");
    let read = parse(two.as_bytes()).unwrap();
    assert_eq!(read.totals, [200, 14]);
    let threads: Vec<_> = read.parts.iter().map(|part| (part.number, part.thread)).collect();
    assert_eq!(threads, [(Some(1), Some(1)), (Some(1), Some(2))]);
    assert_eq!((read.functions.len(), named(&read, "f").2), (4, &[120, 4][..]));
    assert!(parse(two.replacen("totals: 100", "totals: 99", 1).as_bytes()).is_err());
    let apart = parse_all(&[SMALL.as_bytes(), b"", SMALL.as_bytes()]).unwrap();
    assert_eq!(apart.totals, [200, 14]);
    let other = SMALL.replace("events: Ir Dr", "events: Ir Dw");
    assert!(parse_all(&[SMALL.as_bytes(), other.as_bytes()]).is_err());
}

/// `a` calls itself twice and, in turn with `b`, each other.
const RECURSIVE: &str = "events: Ir
fl=x
fn=main
1 1
cfn=a
calls=1 1
1 64
fn=a
1 10
cfn=a'2
calls=2 1
1 45
cfn=b
calls=1 1
1 9
fn=a'2
1 50
cfn=a'2
calls=5 1
1 200
cfn=b
calls=1 1
1 10
fn=b
1 4
cfn=a'2
calls=1 1
1 15
totals: 65
";

#[test]
fn recursion_counts_once_for_each_outermost_entry() {
    let read = parse(RECURSIVE.as_bytes()).unwrap();
    assert_eq!(read.functions.len(), 3);
    let (a, function, own, inclusive) = named(&read, "a");
    assert_eq!((own, inclusive, function.called.0, function.circle), (&[60][..], &[64][..], 9, None));
    assert_eq!((named(&read, "b").2, named(&read, "b").3), (&[4][..], &[19][..]));
    let (main, ..) = named(&read, "main");
    let call = |caller, callee| {
        read.calls.iter().find(|(call, _)| (call.caller, call.callee) == (caller, callee)).unwrap()
    };
    assert_eq!((call(main, a).1, call(main, a).0.nested.0), (&[64][..], 0));
    assert_eq!((call(a, a).1, call(a, a).0.count.0, call(a, a).0.nested.0), (&[0][..], 7, 7));
}

#[test]
fn without_marks_a_circle_is_taken_as_a_whole() {
    let text = "events: Ir
fl=x
fn=main
1 1
cfn=even
calls=1 1
1 40
fn=even
1 10
cfn=odd
calls=5 1
1 100
fn=odd
1 20
cfn=even
calls=4 1
1 90
cfn=leaf
calls=5 1
1 10
fn=leaf
1 10
cfn=self
calls=1 1
1 5
fn=self
1 5
cfn=self
calls=4 1
1 10
totals: 46
";
    let read = parse(text.as_bytes()).unwrap();
    for (name, wanted, circle) in [
        ("main", 41, None),
        ("even", 40, Some(0)),
        ("odd", 40, Some(0)),
        ("leaf", 15, None),
        ("self", 5, None),
    ] {
        let (_, function, _, inclusive) = named(&read, name);
        assert_eq!((inclusive[0], function.circle), (wanted, circle), "{name}");
    }
}

#[test]
fn a_name_that_only_looks_like_recursion_is_kept() {
    let text = "events: Ir\nfl=x\nfn=prime'2\n1 5\ntotals: 5\n";
    let read = parse(text.as_bytes()).unwrap();
    assert_eq!(named(&read, "prime'2").3, [5]);
}

#[test]
fn a_line_break_in_an_argument_stays_in_the_command() {
    let text = SMALL.replace("./a b", "./a b\nfn=x\n\n1 2");
    assert_eq!(parse(text.as_bytes()).unwrap().command, Some(&b"./a b\nfn=x\n\n1 2"[..]));
}

#[test]
fn calls_at_different_times_are_no_circle_where_recursion_is_marked() {
    let text = "events: Ir
fl=x
fn=main
1 1
cfn=a
calls=1 1
1 30
cfn=b
calls=1 1
1 25
fn=a
1 10
cfn=b
calls=1 1
1 20
cfn=a'2
calls=1 1
1 5
fn=a'2
1 5
fn=b
1 40
cfn=a
calls=1 1
1 5
totals: 56
";
    let read = parse(text.as_bytes()).unwrap();
    for (name, wanted) in [("main", 56), ("a", 35), ("b", 45)] {
        let (_, function, _, inclusive) = named(&read, name);
        assert_eq!((inclusive[0], function.circle), (wanted, None), "{name}");
    }
}
