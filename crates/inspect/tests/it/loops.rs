//! What is said of loops whose answers are known, in code by gcc for x86-64.

use model::machine_code::{BlockerKind, Found, Verdict, Walk};

use crate::compiled::{accesses, blockers, function, loops, main_loop, pattern, verdict, walks};

const DEBUG: [&str; 2] = ["-g", "-O0"];
const ORDINARY: [&str; 2] = ["-g", "-O2"];
const FULL: [&str; 2] = ["-g", "-O3"];

#[test]
fn an_integer_sum_is_vectorised_at_o3_and_scalar_at_o1() {
    let Some(bytes) = loops(&FULL) else { return };
    let found = main_loop(&bytes, "vector_sum");
    assert_eq!(verdict(&found, "vector"), Verdict::Good);
    let Found::Vector { packed, scalar_float, bits, .. } = pattern(&found, "vector").found else {
        unreachable!()
    };
    assert!(packed >= 1 && scalar_float == 0 && bits == Some(128), "{found:#?}");
    assert_eq!(walks(&found), [Walk::Unit]);
    assert_eq!(blockers(&found), []);

    let bytes = loops(&["-g", "-O1"]).unwrap();
    let found = main_loop(&bytes, "vector_sum");
    assert_eq!(verdict(&found, "vector"), Verdict::Attention);
    assert_eq!(walks(&found), [Walk::Unit]);
    assert_eq!(blockers(&found), [], "nothing in the code forbids it");
}

#[test]
fn wider_registers_are_seen() {
    let Some(bytes) = loops(&["-g", "-O3", "-mavx2"]) else { return };
    let found = main_loop(&bytes, "vector_scale");
    let Found::Vector { bits, .. } = pattern(&found, "vector").found else { unreachable!() };
    assert_eq!(bits, Some(256), "{found:#?}");
    assert_eq!(walks(&found), [Walk::Unit, Walk::Unit]);
    assert_eq!(verdict(&found, "access"), Verdict::Good);
}

#[test]
fn a_floating_sum_is_named_a_reduction() {
    for options in [&ORDINARY, &FULL] {
        let Some(bytes) = loops(options) else { return };
        let found = main_loop(&bytes, "float_sum");
        assert_eq!(verdict(&found, "vector"), Verdict::Bad, "{found:#?}");
        assert_eq!(blockers(&found), [BlockerKind::FloatReduction], "{found:#?}");
        let line = &pattern(&found, "vector").lines[0];
        assert!(line.file.ends_with("loops.c"), "{line:?}");
        let text =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/loops.c")).unwrap();
        assert_eq!(text.lines().nth(line.line as usize - 1).unwrap().trim(), "sum += values[i];");
    }
    let bytes = loops(&["-g", "-O3", "-ffast-math"]).unwrap();
    assert_eq!(verdict(&main_loop(&bytes, "float_sum"), "vector"), Verdict::Good);
}

#[test]
fn a_branch_on_loaded_values_is_told_from_a_conditional_move() {
    let Some(bytes) = loops(&ORDINARY) else { return };
    let found = main_loop(&bytes, "branchy");
    assert_eq!(verdict(&found, "branches"), Verdict::Attention);
    let Found::Branches { by_loaded_values, exits, .. } = pattern(&found, "branches").found else {
        unreachable!()
    };
    assert_eq!((by_loaded_values, exits), (1, 1), "{found:#?}");
    assert!(blockers(&found).contains(&BlockerKind::DataDependentBranch));

    let found = main_loop(&bytes, "selected");
    assert_eq!(verdict(&found, "branches"), Verdict::Good);
    let Found::Branches { by_loaded_values, selects, .. } = pattern(&found, "branches").found else {
        unreachable!()
    };
    assert_eq!((by_loaded_values, selects), (0, 1), "{found:#?}");
}

#[test]
fn calls_are_named_whether_direct_by_linkage_table_or_by_pointer() {
    // With and without a linkage table.
    for more in ["-fplt", "-fno-plt"] {
        let Some(bytes) = loops(&["-g", "-O2", more]) else { return };
        for (name, callee, indirect) in [
            ("calling", Some("step"), false),
            ("calling_library", Some("strlen"), false),
            ("calling_any", None, true),
        ] {
            let found = main_loop(&bytes, name);
            assert_eq!(verdict(&found, "calls"), Verdict::Bad);
            let Found::Calls { calls } = &pattern(&found, "calls").found else { unreachable!() };
            let [call] = calls.as_slice() else { panic!("{calls:?}") };
            assert_eq!(
                (call.to.as_deref(), call.indirect, call.each_iteration),
                (callee, indirect, true),
                "{name}"
            );
            if name != "calling_library" {
                assert!(blockers(&found).contains(&BlockerKind::Call), "{name}: {found:#?}");
            }
            let listed = found.listing.iter().any(|line| line.text.contains(callee.unwrap_or("call")));
            assert!(listed, "{:?}", found.listing);
        }
        assert_eq!(verdict(&main_loop(&bytes, "float_sum"), "calls"), Verdict::Good);
    }
}

#[test]
fn a_list_is_chased_with_or_without_optimisation() {
    for options in [&DEBUG, &ORDINARY, &FULL] {
        let Some(bytes) = loops(options) else { return };
        let found = main_loop(&bytes, "chase");
        assert_eq!(verdict(&found, "access"), Verdict::Bad, "{options:?}: {found:#?}");
        assert!(walks(&found).contains(&Walk::Chase), "{options:?}: {found:#?}");
        if options != &DEBUG {
            assert_eq!(blockers(&found), [BlockerKind::PointerChasing]);
        }
    }
}

#[test]
fn a_column_walks_by_the_length_of_a_row() {
    for options in [&DEBUG, &ORDINARY] {
        let Some(bytes) = loops(options) else { return };
        let found = main_loop(&bytes, "column");
        let strides = [Walk::Stride { bytes: 8000 }];
        // Without optimisation the factor 1000 is an `imul`, which is not followed.
        if options == &ORDINARY {
            assert_eq!(walks(&found), strides, "{options:?}: {found:#?}");
            assert_eq!(verdict(&found, "access"), Verdict::Bad);
            let found = main_loop(&bytes, "any_column");
            assert_eq!(walks(&found), [Walk::RuntimeStride], "{found:#?}");
            assert!(blockers(&found).contains(&BlockerKind::Stride));
        } else {
            assert!(strides == *walks(&found) || walks(&found) == [Walk::Unknown], "{found:#?}");
        }
    }
}

#[test]
fn an_index_from_memory_is_a_gather() {
    let Some(bytes) = loops(&ORDINARY) else { return };
    let found = main_loop(&bytes, "gather");
    assert_eq!(walks(&found), [Walk::Unit, Walk::Indexed], "{found:#?}");
    assert_eq!(verdict(&found, "access"), Verdict::Attention);
    assert!(blockers(&found).contains(&BlockerKind::Gather));
    assert_eq!(accesses(&found)[0].bytes, Some(4));
}

#[test]
fn what_is_read_anew_after_each_store_may_overlap() {
    for options in [&ORDINARY, &FULL] {
        let Some(bytes) = loops(options) else { return };
        let found = main_loop(&bytes, "reloaded");
        assert_eq!(blockers(&found), [BlockerKind::PossibleAlias], "{options:?}: {found:#?}");
    }
}

#[test]
fn a_sum_that_ends_the_loop_is_told_from_an_element_that_does() {
    for options in [&ORDINARY, &FULL] {
        let Some(bytes) = loops(options) else { return };
        let found = main_loop(&bytes, "until");
        assert_eq!(blockers(&found), [BlockerKind::EndsBySum], "{options:?}: {found:#?}");
        let found = main_loop(&bytes, "found");
        assert!(!blockers(&found).contains(&BlockerKind::EndsBySum), "{options:?}: {found:#?}");
    }
}

#[test]
fn an_index_that_may_wrap_around_is_told_from_one_that_cannot() {
    let Some(bytes) = loops(&FULL) else { return };
    let found = main_loop(&bytes, "from_unsigned");
    assert_eq!(blockers(&found), [BlockerKind::WrappingIndex], "{found:#?}");
    assert!(blockers(&main_loop(&bytes, "from_long")).is_empty());
    let Some(bytes) = loops(&ORDINARY) else { return };
    assert!(!blockers(&main_loop(&bytes, "from_long")).contains(&BlockerKind::WrappingIndex));
}

#[test]
fn spills_are_found_where_registers_run_out() {
    let Some(bytes) = loops(&ORDINARY) else { return };
    let found = main_loop(&bytes, "spilled");
    let Found::Spills { slots, loads, stores, instructions } = pattern(&found, "spills").found else {
        unreachable!()
    };
    assert!(slots >= 3 && loads >= slots && stores >= slots && instructions > 40, "{found:#?}");
    assert_eq!(verdict(&found, "spills"), Verdict::Bad);

    let found = main_loop(&bytes, "float_sum");
    let Found::Spills { slots, instructions, .. } = pattern(&found, "spills").found else { unreachable!() };
    assert_eq!((slots, instructions), (0, 4), "{found:#?}");
    assert_eq!(verdict(&found, "spills"), Verdict::Good);
}

#[test]
fn an_early_exit_and_a_division_keep_a_loop_scalar() {
    let Some(bytes) = loops(&FULL) else { return };
    let found = main_loop(&bytes, "divided");
    assert!(blockers(&found).contains(&BlockerKind::IntegerDivision), "{found:#?}");
    let found = main_loop(&bytes, "found");
    let Found::Branches { exits, .. } = pattern(&found, "branches").found else { unreachable!() };
    assert_eq!(exits, 2);
}

#[test]
fn alignment_is_that_of_the_head() {
    let Some(bytes) = loops(&["-g", "-O2", "-falign-loops=32"]) else { return };
    let found = main_loop(&bytes, "float_sum");
    let Found::Alignment { aligned_to, bytes: size, cache_lines, .. } = pattern(&found, "alignment").found
    else {
        unreachable!()
    };
    assert!(aligned_to >= 32 && found.head.is_multiple_of(u64::from(aligned_to)), "{found:#?}");
    assert_eq!((cache_lines, size), (1, found.bytes));
    assert_eq!(verdict(&found, "alignment"), Verdict::Good);
}

#[test]
fn a_debug_build_is_recognised_by_its_code_alone() {
    let names = ["vector_sum", "float_sum", "branchy", "calling", "chase", "gather", "spilled", "nested"];
    for (options, wanted) in [(["-O0", "-g0"], true), (["-O1", "-g0"], false), (["-O2", "-g0"], false)] {
        let Some(bytes) = loops(&options) else { return };
        for name in names {
            let build = function(&bytes, name).build;
            // What must be on the stack, because registers run out or a call changes them, looks like either.
            let open = ["spilled", "calling"].contains(&name) && build.unoptimised.is_none();
            let right = build.unoptimised == Some(wanted) || open;
            assert!(right, "{name} {options:?}: {build:?}");
        }
    }
}

#[test]
fn the_compilers_own_record_is_used() {
    let Some(bytes) = loops(&DEBUG) else { return };
    let build = function(&bytes, "spilled").build;
    assert_eq!(build.unoptimised, Some(true));
    assert!(build.producer.unwrap().starts_with("GNU C"));
    let bytes = loops(&ORDINARY).unwrap();
    let build = function(&bytes, "vector_sum").build;
    assert!(build.evidence.iter().any(|text| text.contains("-O2")), "{:?}", build.evidence);
}

#[test]
fn a_loop_in_a_loop_is_nested() {
    let Some(bytes) = loops(&["-g", "-O1"]) else { return };
    let code = inspect::Code::image(&bytes).unwrap();
    let range = code.functions_named("nested")[0].range.clone();
    let hot: Vec<_> = range.map(|address| inspect::Hot::Address { address, weight: 1 }).collect();
    let answer = inspect::audit(&code, &hot, &inspect::Request::new("program", "samples"));
    let loops = &answer.functions[0].loops;
    assert_eq!(
        loops.iter().map(|found| (found.depth, found.innermost)).collect::<Vec<_>>(),
        [(1, false), (2, true)]
    );
    assert!(
        loops[0].weight > loops[1].weight && loops[0].patterns.is_empty() && loops[1].patterns.len() == 6
    );
}
