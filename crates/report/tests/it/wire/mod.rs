//! Hand-made wire values. The numbers are made up; the texts are in the style of the real ones.

mod answers;
mod benches;
mod compares;
mod doctors;
mod gates;
mod maps;
mod profiles;
pub(crate) mod recordings;
mod scales;
mod scores;
mod simulations;
pub(crate) mod traced;
mod worklists;

pub(crate) use answers::{answer, answer_once, answer_recorded};
pub(crate) use benches::{bench, extremes, many, once, pair, single, thrice};
pub(crate) use compares::{compare, inconclusive, suite};
pub(crate) use doctors::{doctor, doctor_narrow};
pub(crate) use gates::{baseline, gate, verify};
pub(crate) use maps::map;
pub(crate) use profiles::{place, profile, profile_bare};
pub(crate) use scales::scale;
pub(crate) use scores::{answer_scored, findings, ledger, scorecard, scorecard_well, summary};
pub(crate) use simulations::{answer_simulated, simulated};
pub(crate) use worklists::{runtime, worklist};

use model::Gap;
use model::bench::Warning;

pub(crate) fn warning(id: &str, text: &str, next: Option<&str>) -> Warning {
    Warning { id: id.to_owned(), text: text.to_owned(), next: next.map(str::to_owned) }
}

pub(crate) fn counters() -> Gap {
    Gap::new(
        "hardware counters",
        "perf_event_open: no such device; this VM has no PMU",
        Some("slowpath bench --count -- sort big.txt"),
    )
}
