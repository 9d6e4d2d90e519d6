//! The same loops in code by gcc for aarch64, kept as files, so that any machine can check them.

use std::path::Path;

use model::machine_code::{Architecture, BlockerKind, Found, Verdict, Walk};

use crate::compiled::{blockers, by_name, function, main_loop, pattern, verdict, walks};

pub(crate) fn recorded(case: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machine-code/aarch64");
    std::fs::read(root.join(case).join("input")).unwrap()
}

#[test]
fn vector_instructions_are_recognised() {
    let bytes = recorded("loops-O3");
    assert_eq!(by_name(&bytes, "vector_sum").architecture, Architecture::Aarch64);
    for name in ["vector_sum", "vector_scale"] {
        let found = main_loop(&bytes, name);
        assert_eq!(verdict(&found, "vector"), Verdict::Good, "{found:#?}");
        let Found::Vector { bits, .. } = pattern(&found, "vector").found else { unreachable!() };
        assert_eq!(bits, Some(128));
        assert!(walks(&found).iter().all(|walk| *walk == Walk::Unit), "{found:#?}");
    }
}

#[test]
fn vectors_of_the_processors_own_width_have_no_number() {
    let found = main_loop(&recorded("sve"), "vector_scale");
    let Found::Vector { packed, bits, .. } = pattern(&found, "vector").found else { unreachable!() };
    assert!(packed >= 1 && bits.is_none(), "{found:#?}");
    // Two arrays are walked, by a width that is not in the code: neither none nor a claim.
    assert_eq!(walks(&found), [Walk::Unknown, Walk::Unknown], "{found:#?}");
    assert_eq!(verdict(&found, "access"), Verdict::Unknown);
}

#[test]
fn a_floating_sum_is_named_a_reduction() {
    let found = main_loop(&recorded("loops-O2"), "float_sum");
    assert_eq!(verdict(&found, "vector"), Verdict::Bad);
    assert_eq!(blockers(&found), [BlockerKind::FloatReduction], "{found:#?}");
    assert!(pattern(&found, "vector").lines[0].file.ends_with("loops.c"));
}

#[test]
fn walks_are_told_apart() {
    let bytes = recorded("loops-O2");
    for (name, wanted) in [
        ("chase", Walk::Chase),
        ("column", Walk::Stride { bytes: 8000 }),
        ("any_column", Walk::RuntimeStride),
        ("gather", Walk::Indexed),
        ("float_sum", Walk::Unit),
    ] {
        let found = main_loop(&bytes, name);
        assert!(walks(&found).contains(&wanted), "{name}: {found:#?}");
    }
}

#[test]
fn branches_calls_and_divisions_are_found() {
    let bytes = recorded("loops-O2");
    let found = main_loop(&bytes, "branchy");
    let Found::Branches { by_loaded_values, .. } = pattern(&found, "branches").found else { unreachable!() };
    assert_eq!(by_loaded_values, 1, "{found:#?}");
    let found = main_loop(&bytes, "selected");
    let Found::Branches { by_loaded_values, selects, .. } = pattern(&found, "branches").found else {
        unreachable!()
    };
    assert_eq!((by_loaded_values, selects), (0, 1), "{found:#?}");
    for (name, callee) in [("calling", Some("step")), ("calling_any", None)] {
        let found = main_loop(&bytes, name);
        let Found::Calls { calls } = &pattern(&found, "calls").found else { unreachable!() };
        assert_eq!(calls[0].to.as_deref(), callee);
        assert_eq!(calls[0].indirect, callee.is_none());
    }
    assert!(blockers(&main_loop(&bytes, "divided")).contains(&BlockerKind::IntegerDivision));
}

#[test]
fn a_debug_build_is_recognised() {
    for (case, wanted) in [("loops-O0", true), ("loops-O2", false)] {
        let bytes = recorded(case);
        for name in ["vector_sum", "float_sum", "branchy", "chase", "gather"] {
            let build = function(&bytes, name).build;
            assert_eq!(build.unoptimised, Some(wanted), "{case} {name}: {build:?}");
        }
    }
    let found = main_loop(&recorded("loops-O0"), "chase");
    assert!(walks(&found).contains(&Walk::Chase), "{found:#?}");
}
