//! That measured weight reaches the loop it belongs to, however it was measured.

use inspect::{Code, Hot, Request, audit};
use model::Ratio;
use model::machine_code::MachineCode;

use crate::compiled::loops;

fn program() -> Option<Vec<u8>> {
    loops(&["-g", "-O2"])
}

/// The addresses of the loop of `float_sum` and of its whole function.
fn float_sum(bytes: &[u8]) -> (Vec<u64>, std::ops::Range<u64>) {
    let found = crate::compiled::main_loop(bytes, "float_sum");
    let code = Code::image(bytes).unwrap();
    let range = code.functions_named("float_sum")[0].range.clone();
    (found.listing.iter().map(|line| line.address).collect(), range)
}

fn run(bytes: &[u8], hot: &[Hot]) -> MachineCode {
    audit(&Code::image(bytes).unwrap(), hot, &Request::new("program", "samples"))
}

#[test]
fn samples_in_the_loop_are_the_loops_and_others_are_not() {
    let Some(bytes) = program() else { return };
    let (inside, range) = float_sum(&bytes);
    let hot = [
        Hot::Address { address: inside[0], weight: 70 },
        Hot::Address { address: *inside.last().unwrap(), weight: 20 },
        Hot::Address { address: range.start, weight: 5 },
        Hot::Address { address: 0xdead_0000_0000, weight: 5 },
    ];
    let answer = run(&bytes, &hot);
    let [function] = answer.functions.as_slice() else { panic!("{answer:?}") };
    assert_eq!((answer.weight, answer.unplaced), (100, 5));
    assert_eq!((function.weight, function.outside_loops), (95, Some(5)));
    let [found] = function.loops.as_slice() else { panic!("{function:?}") };
    assert_eq!((found.weight, found.share), (Some(90), Some(Ratio(0.9))));
    assert_eq!(found.listing[0].weight, Some(70));
    assert_eq!(found.listing[0].share, Some(Ratio(70.0 / 90.0)));
}

#[test]
fn a_place_in_the_file_is_the_same_as_its_address() {
    let Some(bytes) = program() else { return };
    let (inside, _) = float_sum(&bytes);
    let code = Code::image(&bytes).unwrap();
    let offset = (0..bytes.len() as u64).find(|offset| code.address_of(*offset) == Some(inside[1])).unwrap();
    let answer = run(&bytes, &[Hot::Offset { offset, weight: 3 }]);
    assert_eq!(answer.functions[0].loops[0].listing[1].weight, Some(3));
}

#[test]
fn a_source_line_gives_its_weight_to_its_instructions() {
    let Some(bytes) = program() else { return };
    let found = crate::compiled::main_loop(&bytes, "float_sum");
    let line = found.listing.iter().find(|line| line.text.contains("addsd")).unwrap().source.clone().unwrap();
    let hot = Hot::Line { function: "float_sum".into(), file: "loops.c".into(), line: line.line, weight: 11 };
    let answer = run(&bytes, &[hot]);
    assert_eq!(answer.functions[0].loops[0].weight, Some(11));
}

#[test]
fn a_line_before_and_in_a_loop_runs_in_the_loop() {
    let Some(bytes) = program() else { return };
    let found = crate::compiled::main_loop(&bytes, "float_sum");
    // The jump back belongs to the line of `for`, whose first part stands before the loop.
    let line = found.listing.last().unwrap().source.clone().unwrap();
    let hot = Hot::Line { function: "float_sum".into(), file: "loops.c".into(), line: line.line, weight: 12 };
    let answer = run(&bytes, &[hot]);
    let function = &answer.functions[0];
    assert_eq!((function.loops[0].weight, function.outside_loops), (Some(12), Some(0)));
}

#[test]
fn compressed_debug_information_tells_the_same_lines() {
    let (Some(plain), Some(compressed)) = (program(), loops(&["-g", "-O2", "-gz=zlib"])) else { return };
    assert!(compressed.len() < plain.len(), "the compiler did not compress");
    let lines = |bytes: &[u8]| {
        let found = crate::compiled::main_loop(bytes, "float_sum");
        found.listing.iter().map(|line| line.source.clone()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&compressed), lines(&plain));
    assert!(lines(&compressed).iter().any(Option::is_some));
}

#[test]
fn what_was_measured_as_a_whole_has_loops_of_unknown_weight() {
    let Some(bytes) = program() else { return };
    let answer = crate::compiled::by_name(&bytes, "float_sum");
    let found = &answer.functions[0].loops[0];
    assert_eq!((found.weight, found.share, found.listing[0].weight), (None, None, None));
    assert!(answer.functions[0].gaps.iter().any(|gap| gap.what == "weights of loops"));
}

#[test]
fn the_answer_survives_being_stored() {
    let Some(bytes) = program() else { return };
    let answer = crate::compiled::by_name(&bytes, "branchy");
    let text = serde_json::to_string(&answer).unwrap();
    assert_eq!(serde_json::from_str::<MachineCode>(&text).unwrap(), answer);
}

#[test]
fn plain_bytes_of_a_compiler_at_run_time_are_audited_alike() {
    let Some(bytes) = program() else { return };
    let (inside, range) = float_sum(&bytes);
    let code = Code::image(&bytes).unwrap();
    let offset = (0..bytes.len()).find(|at| code.address_of(*at as u64) == Some(range.start)).unwrap();
    let cut = &bytes[offset..offset + (range.end - range.start) as usize];
    let moved = 0x7f00_0000_1000;
    let raw = Code::raw(Some("jitted"), cut, moved, code.architecture());
    let hot = Hot::Address { address: moved + inside[0] - range.start, weight: 9 };
    let answer = audit(&raw, &[hot], &Request::new("[anon]", "samples"));
    let found = &answer.functions[0].loops[0];
    assert_eq!(answer.functions[0].name.as_deref(), Some("jitted"));
    assert_eq!(found.weight, Some(9));
    assert_eq!(found.listing.len(), inside.len());
    assert_eq!(answer.gaps[0].what, "source lines");
}

#[test]
fn a_stripped_program_is_found_by_its_unwind_tables() {
    let Some(bytes) = program() else { return };
    let (inside, range) = float_sum(&bytes);
    let Some(stripped) = loops(&["-O2", "-s"]) else { return };
    let code = Code::image(&stripped).unwrap();
    // Debug information does not change the code.
    let function = code.function_at(inside[0]).unwrap();
    assert_eq!((function.name.as_ref(), function.range.clone()), (None, range));
    let answer = run(&stripped, &[Hot::Address { address: inside[0], weight: 1 }]);
    assert_eq!(answer.functions[0].loops.len(), 1);
}
