//! Every captured file of valgrind's instruments and of `perf stat` against what is expected of it, and what must hold for all of them.

use std::cmp::Reverse;
use std::fmt::Write;

use proptest::prelude::*;

use super::callgrind::Callgrind;
use super::dhat::Dhat;
use super::massif::{Massif, Place};
use super::{Frame, callgrind, dhat, massif};
use crate::ParseError;
use crate::fixtures::{Fixture, cuts, error_text, have_every_case, of_tools, say_where_they_come_from};
use crate::perf_stat;

const TOOLS: [&str; 4] = ["callgrind", "dhat", "massif", "perf-stat"];

fn all() -> Vec<Fixture> {
    of_tools(TOOLS.into_iter())
}

#[test]
fn every_capture_gives_what_is_expected() {
    for fixture in all() {
        fixture.gives(&dump(&fixture.tool, &fixture.input));
    }
}

#[test]
fn every_capture_says_where_it_comes_from() {
    say_where_they_come_from(&all());
}

#[test]
fn every_instrument_has_every_case() {
    have_every_case(&all(), TOOLS.into_iter());
}

#[test]
fn ordinary_captures_are_read_and_others_are_not() {
    for fixture in all() {
        let readable = fixture.case.starts_with("ordinary") || fixture.case == "odd-names";
        let error = dump(&fixture.tool, &fixture.input).starts_with("error: ");
        assert_eq!(readable, !error, "{}", fixture.folder.display());
    }
}

#[test]
fn a_cut_capture_is_an_error_or_ends_where_a_whole_one_could() {
    for fixture in all() {
        let whole = dump(&fixture.tool, &fixture.input);
        if whole.starts_with("error: ") {
            continue;
        }
        let sound = fixture.input.trim_ascii_end().len();
        for end in cuts(&fixture.input) {
            let part = &fixture.input[..end];
            let found = dump(&fixture.tool, part);
            let ends = match fixture.tool.as_str() {
                // Its parts are checked one by one; the last one is whole when its summary is reached.
                "callgrind" => {
                    part.ends_with(b"\n") && (fixture.case.ends_with("combined") || end + 80 > sound)
                }
                // Snapshots and counters have no last one.
                "massif" => fixture.input[end..].starts_with(b"#-"),
                "perf-stat" => part.ends_with(b"\n"),
                _ => end >= sound,
            };
            assert!(found.starts_with("error: ") || ends, "{} at {end}", fixture.folder.display());
        }
    }
}

/// What must hold between the numbers of any file.
#[test]
fn costs_of_calls_and_functions_agree() {
    for fixture in all().iter().filter(|one| one.tool == "callgrind") {
        let Ok(read) = callgrind::parse(&fixture.input) else { continue };
        let place = fixture.folder.display();
        let own: u64 = read.functions.iter().map(|(_, counts)| counts[0]).sum();
        let lines: u64 = read.lines.iter().map(|(_, counts)| counts[0]).sum();
        assert_eq!((own, lines), (read.totals[0], read.totals[0]), "{place}");
        let mut called = vec![0; read.functions.len()];
        for (call, counts) in read.calls.iter() {
            called[call.callee as usize] += counts[0];
        }
        for (number, (function, own)) in (0..).zip(read.functions.iter()) {
            let inclusive = read.inclusive.row(number)[0];
            let name = String::from_utf8_lossy(function.name);
            assert!(own[0] <= inclusive && inclusive <= read.totals[0], "{place}: {name}");
            // What its callers paid for it is no more than it cost, except for calls that the end of the program interrupts: callgrind
            // gives `_Exit` some instructions more in its callers' view.
            let paid = called[number as usize];
            assert!(
                function.circle.is_some() || paid <= inclusive + 16,
                "{place}: {name} {paid} {inclusive}"
            );
        }
    }
}

#[test]
fn recursion_is_the_same_with_marks_and_without() {
    for version in ["3.19.0", "3.24.0"] {
        let all = all();
        let of = |case: &str| {
            let is = |one: &&Fixture| one.case == case && one.folder.to_string_lossy().contains(version);
            let fixture = all.iter().filter(|one| one.tool == "callgrind").find(is).unwrap();
            callgrind::parse(&fixture.input).unwrap()
        };
        let (marked, circular) = (of("ordinary"), of("ordinary-cycle"));
        assert_eq!(marked.totals, circular.totals);
        for name in ["main", "fill", "fib", "even", "sum"] {
            assert_eq!(costs(&marked, name), costs(&circular, name), "{name}");
        }
        // Only marks tell how much of a circle is `odd`.
        assert!(costs(&marked, "odd").1 < costs(&circular, "odd").1);
    }
}

fn costs(read: &Callgrind<'_>, name: &str) -> (u64, u64) {
    let mut all = (0..).zip(read.functions.iter());
    let (place, (_, own)) = all.find(|(_, (one, _))| one.name == name.as_bytes()).unwrap();
    (own[0], read.inclusive.row(place)[0])
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        try_all(&bytes);
    }

    #[test]
    fn arbitrary_lines_never_panic(lines in proptest::collection::vec(prop::sample::select(LINES.to_vec()), 0..40)) {
        try_all(lines.join("\n").as_bytes());
        try_all((lines.join("\n") + "\n").as_bytes());
    }

    #[test]
    fn damaged_captures_never_panic(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let fixtures = all();
        let mut input = which.get(&fixtures).input.clone();
        for (place, byte) in changes {
            if !input.is_empty() {
                let place = place.index(input.len());
                input[place] = byte;
            }
        }
        let _ = dump(&which.get(&fixtures).tool, &input);
    }
}

const LINES: [&str; 40] = [
    "# callgrind format",
    "version: 1",
    "cmd: a",
    "part: 1",
    "thread: 2",
    "positions: instr line",
    "positions: line",
    "event: x = Ir + 3 Dr : X",
    "events: Ir",
    "events: Ir Dr",
    "summary: 3",
    "totals: 3",
    "totals: 18446744073709551615",
    "ob=(1) o",
    "fl=(1) f",
    "fl=(1)",
    "fi=(2) g",
    "fe=(1)",
    "fn=(1) a",
    "fn=(1)",
    "fn=a'2",
    "cfn=(1)",
    "cfn=(2) b",
    "cob=(1)",
    "calls=1 +3",
    "jump=1 *",
    "jcnd=1/2 *",
    "1 3",
    "+1 3",
    "-9 1",
    "* 18446744073709551615",
    "0x10 3 1",
    "desc: x",
    "time_unit: i",
    "#-----------",
    "snapshot=0",
    "time=0",
    "mem_heap_B=0",
    "heap_tree=peak",
    "n1: 0 (x) y",
];

fn try_all(bytes: &[u8]) {
    for tool in TOOLS {
        let _ = dump(tool, bytes);
    }
    let _ = perf_stat::parse_text(bytes, b',').map_err(|error| error.to_string());
}

/// What a reader makes of an input, as text that does not change with the machine.
fn dump(tool: &str, input: &[u8]) -> String {
    let found = match tool {
        "callgrind" => callgrind::parse(input).map(|read| dump_calls(&read)),
        "dhat" => dhat::parse(input).map(|read| dump_points(&read)),
        "massif" => massif::parse(input).map(|read| dump_heap(&read)),
        _ => perf_stat::parse(input).map(|read| format!("{:#?}\n", read.counters)),
    };
    found.unwrap_or_else(|error: ParseError| error_text(&error, &error.next_step()))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn dump_calls(read: &Callgrind<'_>) -> String {
    let events: Vec<String> = read.events.iter().map(|event| lossy(event.name)).collect();
    let mut text = format!("command: {:?}\n", read.command.map(lossy));
    writeln!(text, "creator: {:?}\ncaches: {:?}", read.creator.map(lossy), read.caches).unwrap();
    writeln!(text, "{}: {:?}", events.join(" "), read.totals).unwrap();
    for part in &read.parts {
        writeln!(text, "part {:?} of thread {:?}: {:?}", part.number, part.thread, part.totals).unwrap();
    }
    let circles = read.functions.iter().filter(|(one, _)| one.circle.is_some()).count();
    let lengths = [read.functions.len(), read.lines.len(), read.calls.len(), circles];
    writeln!(text, "functions, lines, calls, functions in circles: {lengths:?}").unwrap();
    let mut functions: Vec<_> = (0..).zip(read.functions.iter()).collect();
    functions.sort_by_key(|(_, (_, own))| Reverse(own[0]));
    for (number, (one, own)) in functions.iter().take(8) {
        let (name, file, object) = (lossy(one.name), one.file.map(lossy), one.object.map(lossy));
        writeln!(text, "{name:?} {file:?} {object:?} called {}: {own:?}", one.called.0).unwrap();
        writeln!(text, "  with calls {:?}", read.inclusive.row(*number)).unwrap();
    }
    let mut lines: Vec<_> = read.lines.iter().collect();
    lines.sort_by_key(|(_, counts)| Reverse(counts[0]));
    for (line, counts) in lines.iter().take(4) {
        writeln!(text, "{:?}:{:?} {}", line.file.map(lossy), line.number, counts[0]).unwrap();
    }
    let name = |place| read.functions.get(place).map_or_else(String::new, |(one, _)| lossy(one.name));
    let mut calls: Vec<_> = read.calls.iter().collect();
    calls.sort_by_key(|(call, counts)| (Reverse(counts[0]), Reverse(call.count)));
    for (call, counts) in calls.iter().take(6) {
        let (caller, callee) = (name(call.caller), name(call.callee));
        let (count, nested) = (call.count.0, call.nested.0);
        writeln!(text, "{caller:?} -> {callee:?}, {count} times, {nested} nested: {}", counts[0]).unwrap();
    }
    text
}

fn dump_frame(frame: &Frame<'_>) -> String {
    let (function, file, object) =
        (frame.function.map(lossy), frame.file.map(lossy), frame.object.map(lossy));
    format!("{function:?} {file:?}:{:?} {object:?}", frame.line)
}

fn dump_heap(read: &Massif<'_>) -> String {
    let options = read.options.map(lossy);
    let mut text = format!("command: {:?}, options {options:?}\n", lossy(read.command));
    writeln!(text, "time in {:?}; {} snapshots", read.time_unit, read.snapshots.len()).unwrap();
    writeln!(text, "nodes, places: {:?}", [read.nodes.len(), read.places.len()]).unwrap();
    for snapshot in read.snapshots.iter().rev().take(3) {
        writeln!(text, "{snapshot:?}").unwrap();
    }
    for node in
        read.peak().and_then(|peak| peak.tree).map_or(&[][..], |tree| read.nodes_of(tree)).iter().take(12)
    {
        let place = match &read.places[node.place as usize] {
            Place::Frame(frame) => dump_frame(frame),
            other => format!("{other:?}"),
        };
        writeln!(text, "{:1$}{2} {place}", "", node.depth as usize, node.bytes.as_bytes()).unwrap();
    }
    text
}

fn dump_points(read: &Dhat) -> String {
    let mut text = format!(
        "command: {:?}, mode {:?}, end {}, peak {:?}\n",
        read.command, read.mode, read.end, read.peak
    );
    writeln!(text, "points: {}", read.points.len()).unwrap();
    let mut points: Vec<_> = read.points.iter().collect();
    points.sort_by_key(|point| Reverse(point.bytes));
    for point in points.iter().take(3) {
        let held = [point.most, point.at_peak, point.at_end]
            .map(|held| held.map(|held| (held.bytes.as_bytes(), held.blocks.0)));
        writeln!(
            text,
            "{} bytes in {} blocks, lifetime {:?}",
            point.bytes.as_bytes(),
            point.blocks.0,
            read.lifetime(point)
        )
        .unwrap();
        writeln!(
            text,
            "  most, at peak, at end {held:?}; read {:?}, written {:?}",
            point.read, point.written
        )
        .unwrap();
        for frame in point.stack.iter().take(4) {
            writeln!(text, "  {}", read.frame(*frame).map_or_else(|| "?".into(), |frame| dump_frame(&frame)))
                .unwrap();
        }
    }
    text
}
