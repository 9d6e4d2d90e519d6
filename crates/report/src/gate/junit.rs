//! The verdicts of a gate as JUnit XML: one test a scenario.

use model::gate::{Gate, GateVerdict, ScenarioVerdict};

use crate::inert::xml;

/// For test reporters. A broken scenario is a failure, one that could not be measured an error, and one that nothing
/// decides is skipped with its reason.
#[must_use]
pub fn gate_junit(gate: &Gate) -> String {
    let count =
        |wanted: &[GateVerdict]| gate.scenarios.iter().filter(|one| wanted.contains(&one.verdict)).count();
    let time: f64 = gate.scenarios.iter().map(|scenario| scenario.measured_s).sum();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{time:.3}\"",
        gate.scenarios.len(),
        count(&[GateVerdict::Broken]),
        count(&[GateVerdict::Failed]),
        count(&[GateVerdict::Inconclusive, GateVerdict::NotComparable]),
    );
    let cases: String = gate.scenarios.iter().map(case).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"slowpath gate\" {totals}>\n  \
         <testsuite name=\"slowpath gate\" {totals}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

fn case(scenario: &ScenarioVerdict) -> String {
    let head = format!(
        "    <testcase classname=\"slowpath.gate\" name=\"{}\" time=\"{:.3}\"",
        xml(&scenario.name),
        scenario.measured_s
    );
    let why = xml(&scenario.because.join("; "));
    let word = scenario.verdict.word();
    let inner = match scenario.verdict {
        GateVerdict::Holds | GateVerdict::New if why.is_empty() => return format!("{head}/>\n"),
        GateVerdict::Holds | GateVerdict::New => format!("<system-out>{why}</system-out>"),
        GateVerdict::Broken => {
            format!("<failure type=\"{word}\" message=\"{why}\">{}</failure>", xml(&causes(scenario)))
        }
        GateVerdict::Failed => format!("<error type=\"{word}\" message=\"{why}\"/>"),
        GateVerdict::Inconclusive | GateVerdict::NotComparable => {
            format!("<skipped message=\"{word}: {why}\"/>")
        }
    };
    format!("{head}>\n      {inner}\n    </testcase>\n")
}

fn causes(scenario: &ScenarioVerdict) -> String {
    let told = scenario.findings.iter().map(|finding| format!("{}: {}", finding.cause, finding.summary));
    told.collect::<Vec<_>>().join("; ")
}
