//! Calls, reads and writes an element, and functions that grow faster than they should.
//!
//! Only the user's own functions that cost at least one part in a hundred count, and only where the size is known. The
//! rubric's limits hold for work in proportion to the size; where more is expected they grow with it (× log n, × n).

use model::answer::State;
use model::recording::Owner;
use model::scale::{Class, Function as Grown, Scale};
use model::scorecard::{Figure, Location, SubCheck, Tier};

use super::cost::{Costs, LEAST_SHARE, Row, figure, float, location, words};
use super::scaling::{again, class_words, grown, unmeasured};
use super::tier::{Limits, milder, worse};
use super::{Inputs, advice};

/// Of anything an element, where work in proportion to the size is expected.
const PER_ELEMENT: Limits = Limits::at_most(10.0, 100.0);

/// Writes by reads.
const WRITES: Limits = Limits::at_most(0.2, 0.5);

/// A function with less of the cost is no suspect.
const LEAST_SUSPECT: f64 = 0.2;

/// What a check is of.
struct Ratio {
    name: &'static str,
    what: &'static str,
    instruments: &'static [&'static str],
    of: fn(&Costs<'_>, &Row<'_>) -> Option<u64>,
}

pub(super) fn calls(inputs: &Inputs<'_>) -> SubCheck {
    let ratio = Ratio {
        name: "call_amplification",
        what: "is called",
        instruments: &["callgrind"],
        of: |_, row| row.function.calls,
    };
    per_element(inputs, &ratio, |_, tier| tier)
}

pub(super) fn reads(inputs: &Inputs<'_>) -> SubCheck {
    let ratio = Ratio {
        name: "data_reuse",
        what: "reads memory",
        instruments: &["cachegrind", "callgrind"],
        of: |_, row| row.function.own.dr,
    };
    per_element(inputs, &ratio, |_, tier| tier)
}

/// Writes count when there are both many an element and many for each read: a loop that fills an array only writes. The
/// return address that each call leaves on the stack is no result.
pub(super) fn writes(inputs: &Inputs<'_>) -> SubCheck {
    let ratio = Ratio {
        name: "write_amplification",
        what: "writes memory",
        instruments: &["cachegrind", "callgrind"],
        of: |costs, row| Some(row.function.own.dw?.saturating_sub(costs.calls_from(row.function))),
    };
    per_element(inputs, &ratio, |row, tier| match (row.function.own.dw, row.function.own.dr) {
        (Some(written), Some(read)) if read > 0 => milder(tier, WRITES.tier(float(written) / float(read))),
        _ => tier,
    })
}

/// The worst of the user's functions by something an element.
fn per_element(inputs: &Inputs<'_>, ratio: &Ratio, eased: fn(&Row<'_>, Tier) -> Tier) -> SubCheck {
    let Some(costs) = Costs::of(inputs) else {
        return unmeasured(ratio.name, super::unsimulated(inputs).join("; "));
    };
    let Some(size) = costs.simulated.size.filter(|size| *size > 0) else {
        return unmeasured(
            ratio.name,
            "the size of the input is not known: `--sizes`, with `{SIZE}` in the command",
        );
    };
    if inputs.scaling.is_some_and(|scale| scale.set == [Class::Constant]) {
        return unmeasured(ratio.name, "the cost does not depend on the size, which counts no elements then");
    }
    let expected = inputs.expected();
    let limits = scaled(expected, size);
    let judged = costs.project().filter_map(|row| {
        let value = float((ratio.of)(&costs, row)?) / float(size);
        let tier = eased(row, limits.tier(value));
        Some((row, value, convicted(inputs, row, tier, expected)))
    });
    let worst =
        judged.max_by(|a, b| super::tier::rank(a.2).cmp(&super::tier::rank(b.2)).then(a.1.total_cmp(&b.1)));
    let Some((row, value, tier)) = worst else {
        let why = if costs.project().next().is_none() {
            "no function of the program's own costs 1 % or more"
        } else {
            "not counted by the instruments that ran"
        };
        return unmeasured(ratio.name, why);
    };
    let place = location(row.function);
    SubCheck {
        name: ratio.name.to_owned(),
        tier,
        because: format!(
            "`{}` {} {} times an element at size {size}",
            place.function,
            ratio.what,
            short(value)
        ),
        figure: Some(Figure {
            limit: Some(limits.limit),
            fail: Some(limits.fail),
            cost: Some(row.share),
            location: Some(place.clone()),
            ..figure(costs.simulated, ratio.instruments, ratio.name, value, "an element")
        }),
        prescription: worse(tier, Tier::Pass)
            .then(|| advice::per_element(ratio.name, &words(&place), &short(value))),
        location: worse(tier, Tier::Pass).then_some(place),
    }
}

/// A failing ratio needs growth behind it: without, it is a warning.
fn convicted(inputs: &Inputs<'_>, row: &Row<'_>, tier: Tier, expected: Class) -> Tier {
    if tier != Tier::Fail {
        return tier;
    }
    let grows = inputs
        .scaling
        .and_then(|scale| scale.functions.iter().find(|function| function.name == row.function.name))
        .is_some_and(|function| grown(&function.set, function.exponent, expected) == Tier::Fail);
    if grows { Tier::Fail } else { Tier::Warn }
}

/// The limits an element for the expected growth: a sort may touch each element log n times, pairs n times.
fn scaled(expected: Class, size: u64) -> Limits {
    let n = float(size);
    let factor = match expected {
        Class::Linearithmic => n.log2(),
        Class::ThreeHalves => n.sqrt(),
        Class::Quadratic => n,
        Class::QuadraticLogarithmic => n * n.log2(),
        Class::Cubic => n * n,
        Class::Exponential | Class::Factorial | Class::Power => f64::MAX / PER_ELEMENT.fail,
        Class::Constant | Class::Logarithmic | Class::SquareRoot | Class::Linear => 1.0,
    };
    let factor = factor.max(1.0);
    Limits::at_most(PER_ELEMENT.limit * factor, PER_ELEMENT.fail * factor)
}

fn short(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// Functions of the user's own that grow faster than expected: one warns, two fail.
pub(super) fn multiplied(inputs: &Inputs<'_>) -> SubCheck {
    let name = "multiplicative_paths";
    let Some(scale) = inputs.scaling.filter(|scale| !scale.functions.is_empty()) else {
        return unmeasured(
            name,
            "needs the cost of single functions at three or more sizes: `--sizes`, and valgrind",
        );
    };
    let expected = inputs.expected();
    let grows: Vec<&Grown> = scale
        .functions
        .iter()
        .filter(|function| function.own >= LEAST_SHARE && is_project(inputs, function))
        .filter(|function| grown(&function.set, function.exponent, expected) == Tier::Fail)
        .collect();
    let limits = Limits::at_most(0.0, 1.0);
    let count = grows.len();
    #[expect(clippy::cast_precision_loss, reason = "a handful of functions")]
    let value = count as f64;
    let tier = limits.tier(value);
    let place = grows.first().map(|function| grown_place(function));
    let told: Vec<String> = grows
        .iter()
        .take(3)
        .map(|function| format!("`{}` ({})", function.name, function.class.name()))
        .collect();
    let because = match count {
        0 => format!("no function grows faster than {}", class_words(expected)),
        1 => format!("one function grows faster than {}: {}", class_words(expected), told.join(", ")),
        _ => format!("{count} functions grow faster than {}: {}", class_words(expected), told.join(", ")),
    };
    SubCheck {
        name: name.to_owned(),
        tier,
        because,
        figure: Some(Figure {
            location: place.clone(),
            command: Some(again(inputs, scale)),
            ..plain(value, limits)
        }),
        prescription: place.as_ref().map(|place| advice::grows(Some(place), scale.class)),
        location: place,
    }
}

fn plain(value: f64, limits: Limits) -> Figure {
    Figure {
        name: "multiplicative_paths".to_owned(),
        value,
        low: None,
        high: None,
        unit: "functions".to_owned(),
        limit: Some(limits.limit),
        fail: Some(limits.fail),
        better: model::scorecard::Better::Lower,
        size: None,
        n: None,
        cost: None,
        location: None,
        artifact: model::scale::FUNCTIONS.to_owned(),
        source: "valgrind".to_owned(),
        command: None,
    }
}

/// The user's function that grows fastest, of those that matter.
pub(super) fn fastest(inputs: &Inputs<'_>, scale: &Scale) -> Option<(Location, Class)> {
    let power = |function: &Grown| function.exponent.map_or(f64::MAX, |exponent| exponent.value);
    let own = scale.functions.iter().filter(|function| function.own >= 0.05 && is_project(inputs, function));
    let worst = own.max_by(|a, b| {
        // Exponents closer than a tenth are the same growth; the costlier function is the better advice.
        if (power(a) - power(b)).abs() < 0.1 {
            a.own.total_cmp(&b.own)
        } else {
            power(a).total_cmp(&power(b))
        }
    })?;
    Some((grown_place(worst), worst.class))
}

/// Where no growth of single functions is known: what the answer found to grow, else the user's function that has most of
/// the cost.
pub(super) fn suspect(inputs: &Inputs<'_>) -> Option<Location> {
    let firm = |state: State| matches!(state, State::Confirmed | State::Likely);
    let found =
        inputs.answer.findings.iter().find(|found| {
            found.cause == "algorithmic-growth" && firm(found.state) && found.location.is_some()
        });
    if let Some(place) = found.and_then(|found| found.location.as_ref()) {
        return Some(Location {
            function: place.function.clone(),
            file: place.file.clone(),
            line: place.line,
            module: place.module.clone(),
            project: place.owner == Owner::Project,
        });
    }
    let costliest = Costs::of(inputs).and_then(|costs| {
        let row = costs.project().next().filter(|row| row.share >= LEAST_SUSPECT)?;
        Some(location(row.function))
    });
    costliest.or_else(|| {
        let sampled = super::cpu::sampled(inputs).filter(|top| top.value >= LEAST_SUSPECT * 100.0)?;
        // An interpreter or library as a whole is no place that grows.
        sampled.location.filter(|place| place.project)
    })
}

fn grown_place(function: &Grown) -> Location {
    Location {
        function: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
        module: None,
        project: true,
    }
}

/// As the simulated run says; a function it does not know is the user's when its file lies in the working directory.
fn is_project(inputs: &Inputs<'_>, function: &Grown) -> bool {
    let known = inputs.passes.simulated.as_ref().and_then(|simulated| {
        simulated.functions.iter().find(|other| other.name == function.name).map(|other| other.project)
    });
    known.unwrap_or_else(|| {
        function
            .file
            .as_deref()
            .is_some_and(|file| !file.starts_with('/') || file.starts_with(&inputs.root()))
    })
}
