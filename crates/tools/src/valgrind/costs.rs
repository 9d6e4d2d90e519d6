//! What cachegrind and callgrind counted of all processes, as one table of functions, lines and calls.
//!
//! Cachegrind tells a function's cost once for each source file its code comes from; callgrind tells which of those files is the
//! function's own, its program or library, and its calls. Rows are joined by name, and by file where a name occurs twice.

use std::collections::HashMap;

use model::simulated::{Edge, Events, Function, Line};

use super::cachegrind::Cachegrind;
use super::callgrind::Callgrind;
use super::startup::is_startup;
use crate::ParseError;

/// Functions, lines and calls that are kept; the rest is added up.
const MOST: usize = 200;

/// Valgrind's word for a name it does not know.
const UNKNOWN: &[u8] = b"???";

/// Whose code a place is: `true` for the user's own. Takes the source file and the program or library.
pub type Owns<'o> = &'o dyn Fn(Option<&str>, Option<&str>) -> bool;

/// Whose code is shown.
#[derive(Clone, Copy)]
pub enum Shown {
    All,
    /// The user named folders: everything else is one sum.
    Own,
}

/// The tables of [`model::simulated::Simulated`] that come from counted instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    pub totals: Events,
    pub functions: Vec<Function>,
    pub others: Option<Events>,
    pub lines: Vec<Line>,
    pub edges: Vec<Edge>,
    pub calls: Option<u64>,
    pub outside: Option<Events>,
}

/// Joins the files of all processes. Own costs are cachegrind's where there are any, else callgrind's.
///
/// # Errors
///
/// When there is nothing to join, files count different events, or the functions do not add up to the totals.
pub fn costs(
    cachegrind: &[Cachegrind<'_>],
    callgrind: Option<&Callgrind<'_>>,
    owns: Owns<'_>,
    shown: Shown,
) -> Result<Costs, ParseError> {
    let mut table = Table::of(callgrind);
    let totals = match cachegrind.first() {
        Some(first) => {
            for process in cachegrind {
                if process.events != first.events {
                    let found = "processes with other events".into();
                    return Err(ParseError::Unsupported {
                        format: "cachegrind file",
                        found,
                        known: "one run",
                    });
                }
                table.add_process(process);
            }
            let sums = cachegrind.iter().map(|process| events(&process.events, &process.totals));
            sums.reduce(|sum, one| sum.plus(&one))
        }
        None => callgrind.map(|callgrind| {
            table.add_callgrind(callgrind);
            events(&names(callgrind), &callgrind.totals)
        }),
    };
    let totals = totals.ok_or(ParseError::Empty)?;
    let sum = table.entries.iter().fold(zero_like(&totals), |sum, entry| sum.plus(&entry.own(&totals)));
    if sum != totals {
        let (lines, summary) = (sum.ir, totals.ir);
        return Err(ParseError::SumDiffers { format: "function table", event: "Ir".into(), lines, summary });
    }
    Ok(table.finish(totals, callgrind, owns, shown))
}

/// A row of counts under their names. What was not counted is unknown.
#[must_use]
pub fn events(names: &[&[u8]], counts: &[u64]) -> Events {
    let of = |wanted: &[u8]| {
        let place = names.iter().position(|name| *name == wanted)?;
        // A count left out at the end of a line is zero.
        Some(counts.get(place).copied().unwrap_or(0))
    };
    Events {
        ir: of(b"Ir").unwrap_or(0),
        i1mr: of(b"I1mr"),
        ilmr: of(b"ILmr"),
        dr: of(b"Dr"),
        d1mr: of(b"D1mr"),
        dlmr: of(b"DLmr"),
        dw: of(b"Dw"),
        d1mw: of(b"D1mw"),
        dlmw: of(b"DLmw"),
        bc: of(b"Bc"),
        bcm: of(b"Bcm"),
        bi: of(b"Bi"),
        bim: of(b"Bim"),
    }
}

fn names<'c>(callgrind: &'c Callgrind<'_>) -> Vec<&'c [u8]> {
    callgrind.events.iter().map(|event| event.name).collect()
}

/// Nothing of everything that was counted.
fn zero_like(totals: &Events) -> Events {
    let zero = |count: Option<u64>| count.map(|_| 0);
    Events {
        ir: 0,
        i1mr: zero(totals.i1mr),
        ilmr: zero(totals.ilmr),
        dr: zero(totals.dr),
        d1mr: zero(totals.d1mr),
        dlmr: zero(totals.dlmr),
        dw: zero(totals.dw),
        d1mw: zero(totals.d1mw),
        dlmw: zero(totals.dlmw),
        bc: zero(totals.bc),
        bcm: zero(totals.bcm),
        bi: zero(totals.bi),
        bim: zero(totals.bim),
    }
}

/// A function of the joined table.
struct Entry<'a> {
    name: &'a [u8],
    file: Option<&'a [u8]>,
    module: Option<&'a [u8]>,
    /// Its first line with a cost in its own file.
    line: Option<u32>,
    /// `None` while no row told of it.
    own: Option<Events>,
    inclusive: Option<u64>,
    calls: Option<u64>,
    /// The file is callgrind's word, not the costliest row's.
    settled: bool,
    costliest: u64,
    process: usize,
}

impl Entry<'_> {
    fn own(&self, totals: &Events) -> Events {
        self.own.unwrap_or_else(|| zero_like(totals))
    }
}

#[derive(Default)]
struct Table<'a> {
    entries: Vec<Entry<'a>>,
    by_name: HashMap<&'a [u8], Vec<usize>>,
    lines: HashMap<(usize, &'a [u8], u32), Events>,
    processes: usize,
}

fn known(name: &[u8]) -> Option<&[u8]> {
    Some(name).filter(|name| *name != UNKNOWN && !name.is_empty())
}

impl<'a> Table<'a> {
    /// With callgrind's functions, still without costs.
    fn of(callgrind: Option<&Callgrind<'a>>) -> Self {
        let mut table = Self::default();
        let Some(callgrind) = callgrind else { return table };
        let at = callgrind.events.iter().position(|event| event.name == b"Ir");
        for ((function, _), inclusive) in callgrind.functions.iter().zip(callgrind.inclusive.iter()) {
            table.push(Entry {
                name: function.name,
                file: function.file,
                module: function.object,
                line: None,
                own: None,
                inclusive: at.and_then(|at| inclusive.get(at).copied()),
                calls: Some(function.called.0),
                settled: function.file.is_some(),
                costliest: 0,
                process: 0,
            });
        }
        table
    }

    fn push(&mut self, entry: Entry<'a>) -> usize {
        let place = self.entries.len();
        self.by_name.entry(entry.name).or_default().push(place);
        self.entries.push(entry);
        place
    }

    /// Where a row of a process belongs.
    fn place(&mut self, name: &'a [u8], file: Option<&'a [u8]>) -> usize {
        let process = self.processes;
        let candidates = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        let found = candidates.iter().filter_map(|place| Some((*place, self.entries.get(*place)?)));
        let same = found.clone().find(|(_, entry)| entry.file == file);
        // Code that was inlined from another file; within a process a name is taken to mean one function.
        let near = || found.clone().find(|(_, entry)| entry.settled || entry.process == process);
        if let Some((place, _)) = same.or_else(near) {
            return place;
        }
        self.push(Entry {
            name,
            file,
            module: None,
            line: None,
            own: None,
            inclusive: None,
            calls: None,
            settled: false,
            costliest: 0,
            process,
        })
    }

    fn add(&mut self, place: usize, file: Option<&'a [u8]>, own: Events) {
        let Some(entry) = self.entries.get_mut(place) else { return };
        entry.own = Some(entry.own.map_or(own, |sum| sum.plus(&own)));
        if !entry.settled && own.ir > entry.costliest {
            (entry.file, entry.costliest) = (file, own.ir);
        }
    }

    fn add_line(&mut self, place: usize, file: Option<&'a [u8]>, line: Option<u32>, own: Events) {
        let (Some(file), Some(line)) = (file, line) else { return };
        let sum = self.lines.entry((place, file, line)).or_insert_with(|| zero_like(&own));
        *sum = sum.plus(&own);
    }

    fn add_process(&mut self, process: &Cachegrind<'a>) {
        self.processes += 1;
        let mut places = Vec::with_capacity(process.functions.len());
        for (row, counts) in process.functions.iter() {
            let file = known(row.file);
            let place = self.place(row.function, file);
            places.push((place, file));
            self.add(place, file, events(&process.events, counts));
        }
        for line in process.lines.iter() {
            let Some((place, file)) = places.get(line.function as usize).copied() else { continue };
            self.add_line(place, file, line.number, events(&process.events, line.counts));
        }
    }

    /// Own costs of callgrind, whose functions the table has in the same order.
    fn add_callgrind(&mut self, callgrind: &Callgrind<'a>) {
        let names: Vec<&[u8]> = callgrind.events.iter().map(|event| event.name).collect();
        for (place, (function, counts)) in callgrind.functions.iter().enumerate() {
            self.add(place, function.file, events(&names, counts));
        }
        for (line, counts) in callgrind.lines.iter() {
            let number = line.number.filter(|number| *number > 0);
            self.add_line(line.function as usize, line.file, number, events(&names, counts));
        }
    }

    fn finish(
        mut self,
        totals: Events,
        callgrind: Option<&Callgrind<'_>>,
        owns: Owns<'_>,
        shown: Shown,
    ) -> Costs {
        for (place, file, line) in self.lines.keys() {
            if let Some(entry) = self.entries.get_mut(*place).filter(|entry| entry.file == Some(*file)) {
                entry.line = Some(entry.line.map_or(*line, |first| first.min(*line)));
            }
        }
        let functions: Vec<Function> =
            self.entries.iter().map(|entry| function(entry, &totals, owns)).collect();
        let inside: Vec<bool> =
            functions.iter().map(|one| matches!(shown, Shown::All) || one.project).collect();
        let is_inside = |place: usize| inside.get(place).copied().unwrap_or(false);
        let lines = lines(&self.lines, &functions, &is_inside);
        let (edges, calls) = edges(callgrind, &functions, &is_inside);
        let (kept, left): (Vec<_>, Vec<_>) =
            functions.into_iter().zip(&inside).partition(|(_, inside)| **inside);
        let sum = |functions: &mut dyn Iterator<Item = &Function>| {
            functions.fold(zero_like(&totals), |sum, one| sum.plus(&one.own))
        };
        let outside = match shown {
            Shown::All => None,
            Shown::Own => Some(sum(&mut left.iter().map(|(one, _)| one))),
        };
        let mut kept: Vec<Function> = kept.into_iter().map(|(one, _)| one).collect();
        kept.sort_by(|a, b| (b.own.ir, &a.name, &a.file).cmp(&(a.own.ir, &b.name, &b.file)));
        let others = kept.get(MOST..).filter(|rest| !rest.is_empty()).map(|rest| sum(&mut rest.iter()));
        kept.truncate(MOST);
        Costs { totals, functions: kept, others, lines, edges, calls, outside }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn function(entry: &Entry<'_>, totals: &Events, owns: Owns<'_>) -> Function {
    let (file, module) = (entry.file.map(text), entry.module.map(text));
    let name = text(entry.name);
    let startup = is_startup(&name, file.as_deref(), module.as_deref());
    Function {
        project: !startup && owns(file.as_deref(), module.as_deref()),
        startup,
        name,
        file,
        line: entry.line,
        module,
        own: entry.own(totals),
        inclusive: entry.inclusive,
        calls: entry.calls,
    }
}

fn lines(
    found: &HashMap<(usize, &[u8], u32), Events>,
    functions: &[Function],
    is_inside: &dyn Fn(usize) -> bool,
) -> Vec<Line> {
    let inside = found.iter().filter(|((place, ..), _)| is_inside(*place));
    let mut ranked: Vec<_> = inside.collect();
    ranked.sort_by(|((a_place, a_file, a_line), a), ((b_place, b_file, b_line), b)| {
        (b.ir, a_file, a_line, a_place).cmp(&(a.ir, b_file, b_line, b_place))
    });
    let line = |((place, file, line), own): &(&(usize, &[u8], u32), &Events)| Line {
        file: text(file),
        line: *line,
        function: functions.get(*place).map(|one| one.name.clone()).unwrap_or_default(),
        own: **own,
    };
    ranked.iter().take(MOST).map(line).collect()
}

/// Calls in which a shown function takes part, and the number of all calls.
fn edges(
    callgrind: Option<&Callgrind<'_>>,
    functions: &[Function],
    is_inside: &dyn Fn(usize) -> bool,
) -> (Vec<Edge>, Option<u64>) {
    let Some(callgrind) = callgrind else { return (Vec::new(), None) };
    let at = callgrind.events.iter().position(|event| event.name == b"Ir");
    let all = callgrind.calls.iter().map(|(call, _)| call.count.0).fold(0, u64::saturating_add);
    let mut edges: Vec<Edge> = callgrind
        .calls
        .iter()
        .filter(|(call, _)| is_inside(call.caller as usize) || is_inside(call.callee as usize))
        .filter_map(|(call, counts)| {
            // The table begins with callgrind's functions, in its order.
            let caller = functions.get(call.caller as usize)?;
            Some(Edge {
                caller: caller.name.clone(),
                callee: functions.get(call.callee as usize)?.name.clone(),
                file: caller.file.clone(),
                line: None,
                calls: call.count.0,
                inclusive: at.and_then(|at| counts.get(at).copied()).unwrap_or(0),
            })
        })
        .collect();
    edges.sort_by(|a, b| (b.calls, &a.caller, &a.callee).cmp(&(a.calls, &b.caller, &b.callee)));
    edges.truncate(MOST);
    (edges, Some(all))
}

#[cfg(test)]
mod tests {
    use super::super::{cachegrind, callgrind};
    use super::*;

    const COUNTED: &str = "cmd: a\nevents: Ir Dr D1mr\nfl=/w/a.c\nfn=main\n3 10 4 1\n4 5\nfl=/w/a.h\nfn=main\n9 2\n\
                           fl=./elf/dl-lookup.c\nfn=do_lookup_x\n1 7 3 2\nfl=/u/b.c\nfn=far\n2 6\nsummary: 30 7 3\n";

    const CALLED: &str = "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n\nob=/w/a\nfl=/w/a.c\nfn=main\n\
                          3 17\ncfi=/u/b.c\ncfn=far\ncalls=4 2\n4 6\n\nfl=/u/b.c\nfn=far\n2 6\n\ntotals: 23\n";

    fn own(file: Option<&str>, _module: Option<&str>) -> bool {
        file.is_some_and(|file| file.starts_with("/w/"))
    }

    fn joined(shown: Shown) -> Costs {
        let counted = cachegrind::parse(COUNTED.as_bytes()).unwrap();
        let called = callgrind::parse(CALLED.as_bytes()).unwrap();
        costs(&[counted], Some(&called), &own, shown).unwrap()
    }

    #[test]
    fn code_from_a_header_belongs_to_the_function_it_was_inlined_into() {
        let found = joined(Shown::All);
        let main = &found.functions[0];
        assert_eq!((main.name.as_str(), main.own.ir, main.own.d1mr), ("main", 17, Some(1)));
        assert_eq!((main.file.as_deref(), main.line), (Some("/w/a.c"), Some(3)));
        assert_eq!((main.inclusive, main.project, main.startup), (Some(23), true, false));
        assert_eq!(found.lines[0].file, "/w/a.c");
        assert_eq!((found.calls, found.edges[0].calls, found.edges[0].callee.as_str()), (Some(4), 4, "far"));
    }

    #[test]
    fn the_loader_is_startup() {
        let found = joined(Shown::All);
        let loader = found.functions.iter().find(|one| one.name == "do_lookup_x").unwrap();
        assert!(loader.startup && !loader.project);
        assert_eq!(found.outside, None);
    }

    #[test]
    fn what_is_outside_the_named_folders_is_one_sum() {
        let found = joined(Shown::Own);
        let names: Vec<&str> = found.functions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["main"]);
        let outside = found.outside.unwrap();
        assert_eq!((outside.ir, outside.d1mr, outside.bc), (13, Some(2), None));
        assert_eq!(found.functions[0].own.plus(&outside), found.totals);
    }

    #[test]
    fn without_cachegrind_callgrind_counts_instructions_alone() {
        let called = callgrind::parse(CALLED.as_bytes()).unwrap();
        let found = costs(&[], Some(&called), &own, Shown::All).unwrap();
        assert_eq!((found.totals.ir, found.totals.dr), (23, None));
        assert_eq!(found.functions[0].own.ir, 17);
        assert!(costs(&[], None, &own, Shown::All).is_err());
    }
}
