//! A column walk as the simulators see it.

use model::answer::Answer;
use model::simulated::{
    Cache, Caches, Counter, Edge, Events, Function, HeapSite, Instrument, Line, PythonHeap, SCHEMA,
    Simulated, SimulatedHeap,
};

fn events(ir: u64) -> Events {
    Events {
        ir,
        i1mr: Some(12),
        ilmr: Some(11),
        dr: Some(ir / 4),
        d1mr: Some(ir / 5),
        dlmr: Some(ir / 100),
        dw: Some(ir / 40),
        d1mw: Some(3),
        dlmw: Some(0),
        bc: Some(ir / 8),
        bcm: Some(ir / 80),
        bi: Some(0),
        bim: Some(0),
    }
}

fn function(name: &str, ir: u64) -> Function {
    Function {
        name: name.to_owned(),
        file: Some("/srv/me/colrow.c".to_owned()),
        line: Some(9),
        module: Some("/srv/me/colrow".to_owned()),
        project: true,
        startup: false,
        own: events(ir),
        inclusive: Some(ir),
        calls: Some(1),
    }
}

fn site(blocks: Option<u64>) -> HeapSite {
    HeapSite {
        function: "fill".to_owned(),
        file: Some("/srv/me/colrow.c".to_owned()),
        line: Some(4),
        project: true,
        bytes: 4_000_000,
        blocks,
        lifetime: blocks.map(|_| 0.5),
        accesses: blocks.map(|_| 8_000_000),
    }
}

fn cache(real: Option<&str>) -> Cache {
    Cache { real: real.map(str::to_owned), simulated: "32768,8,64".to_owned() }
}

pub(crate) fn simulated() -> Simulated {
    let functions = vec![function("by_column", 8_000_000), function("by_row", 4_000_000)];
    Simulated {
        schema: SCHEMA.to_owned(),
        size: Some(1000),
        instruments: vec![Instrument {
            name: "cachegrind".to_owned(),
            version: Some("3.19.0".to_owned()),
            command: "valgrind --tool=cachegrind ./colrow 1000".to_owned(),
            artifacts: vec!["tier2/cachegrind/cachegrind.7".to_owned()],
            processes: 1,
            wall_s: 1.5,
            ratio: Some(40.0),
        }],
        caches: Some(Caches {
            i1: cache(None),
            d1: cache(Some("32768,8,64")),
            ll: cache(Some("12582912,8,64")),
        }),
        totals: Some(functions.iter().fold(events(0), |sum, one| sum.plus(&one.own))),
        others: None,
        lines: vec![Line {
            file: "/srv/me/colrow.c".to_owned(),
            line: 11,
            function: "by_column".to_owned(),
            own: events(7_000_000),
        }],
        edges: vec![Edge {
            caller: "main".to_owned(),
            callee: "by_column".to_owned(),
            file: None,
            line: None,
            calls: 1,
            inclusive: 8_000_000,
        }],
        calls: Some(2),
        outside: None,
        heap: Some(SimulatedHeap {
            peak: Some(4_000_000),
            at_peak: vec![site(None)],
            blocks: Some(1),
            bytes: Some(4_000_000),
            sites: vec![site(Some(1))],
        }),
        counters: vec![Counter {
            event: "cycles".to_owned(),
            value: None,
            unit: String::new(),
            enabled: None,
        }],
        python_heap: Some(PythonHeap { peak: 10, at_end: 5, sites: Vec::new() }),
        functions,
        gaps: vec![super::counters()],
    }
}

/// An answer of tier `medium` at several sizes.
pub(crate) fn answer_simulated() -> Answer {
    Answer { scaling: Some(super::scale()), simulated: simulated().glance(5), ..super::answer() }
}
