//! A planted difference is found, equal commands are left alone, and the exit status says which.

use crate::place::{Place, metric, part};

/// Twice the work, judged by CPU time with a wide margin, so that a busy machine cannot hide or invent it.
const LESS: &str = "spin 3000000";
const MORE: &str = "spin 6000000";
const WIDE: [&str; 4] = ["compare", "--json", "--margin", "30%"];

#[track_caller]
fn compared(place: &Place, more: &[&str], base: &str, new: &str, code: i32) -> serde_json::Value {
    let (base, new) = (part(base), part(new));
    let arguments = WIDE.iter().chain(more).copied().chain([base.as_str(), &new]);
    place.slowpath(arguments).exits(code).json()
}

#[test]
fn twice_the_work_is_worse_and_half_of_it_is_better() {
    let place = Place::new();
    let worse = compared(&place, &[], LESS, MORE, 0);
    assert_eq!(metric(&worse["metrics"], "cpu")["verdict"], "worse", "{worse:#}");
    assert_eq!(worse["verdict"], "worse", "{worse:#}");
    let better = compared(&place, &[], MORE, LESS, 0);
    assert_eq!(metric(&better["metrics"], "cpu")["verdict"], "better", "{better:#}");
    assert_ne!(better["verdict"], "worse", "{better:#}");
}

#[test]
fn a_gate_is_broken_only_by_the_verdict_it_names() {
    let place = Place::new();
    assert_eq!(compared(&place, &["--fail-on", "worse"], LESS, MORE, 1)["verdict"], "worse");
    compared(&place, &["--fail-on", "better,inconclusive"], LESS, MORE, 0);
}

#[test]
fn a_command_is_neither_better_nor_worse_than_itself() {
    let place = Place::new();
    let (one, two) = (part(LESS), part(LESS));
    let ran = place.slowpath(["compare", "--json", "--margin", "20%", "--control", &one, &two]);
    assert!(matches!(ran.code, Some(0 | 5)), "{ran:?}");
    let answer = ran.json();
    assert!(answer["verdict"] == "no-change" || answer["verdict"] == "inconclusive", "{answer:#}");
    assert_eq!(ran.code == Some(5), answer["verdict"] == "inconclusive");
    assert!(answer["control"].as_array().is_some_and(|control| !control.is_empty()), "{answer:#}");
}

#[test]
fn too_few_pairs_are_inconclusive_and_may_be_a_broken_gate() {
    let place = Place::new();
    let answer = compared(&place, &["--pairs", "2"], LESS, LESS, 5);
    assert_eq!(answer["verdict"], "inconclusive");
    compared(&place, &["--pairs", "2", "--fail-on", "inconclusive"], LESS, LESS, 1);
}

#[test]
fn more_memory_is_worse_in_rss_alone() {
    let place = Place::new();
    let answer = compared(&place, &[], "touch 8", "touch 24", 0);
    let rss = metric(&answer["metrics"], "rss");
    assert_eq!(rss["verdict"], "worse", "{rss:#}");
    assert!(rss["ratio"]["value"].as_f64().unwrap() > 1.5, "{rss:#}");
}

#[test]
fn the_same_seed_gives_the_same_order() {
    let place = Place::new();
    let orders: Vec<Vec<u64>> = (0..2)
        .map(|_| {
            place
                .slowpath(["bench", "--seed", "7", "--runs", "12", "--warmup", "0", "true", "sleep 0"])
                .exits(0);
            let samples = crate::place::samples(&place.last_run());
            samples.iter().map(|sample| sample["arm"].as_u64().unwrap()).collect()
        })
        .collect();
    assert_eq!(orders[0], orders[1]);
}
