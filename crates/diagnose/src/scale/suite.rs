//! A suite of benchmarks that was run once → how each family of them grows with the number in its name.

use model::Gap;
use model::manifest::Manifest;
use model::scale::{Gate, GateVerdict, SCHEMA, Scale};
use model::suite::{Family, Suite};

use super::{judged, order, reach, summary, warnings};

/// Concludes a sitting of a suite. `None` when no family of its benchmarks has three sizes.
#[must_use]
pub fn of_suite(manifest: &Manifest, mut suite: Suite, gaps: &[Gap]) -> Option<Scale> {
    let asked = manifest.settings.scale.as_ref();
    let command = asked.map(|asked| asked.command.clone());
    let command = command.or_else(|| manifest.arms.first().map(|arm| arm.label.clone())).unwrap_or_default();
    for family in &mut suite.families {
        let verdict = |expected| judged(expected, &family.growth);
        family.gate = asked
            .and_then(|asked| asked.expected)
            .map(|expected| Gate { expected, verdict: verdict(expected) });
    }
    let worst =
        suite.families.iter().reduce(|worst, next| if is_worse(next, worst) { next } else { worst })?;
    let leading = worst.growth.clone();
    let among = match suite.families.len() {
        1 => String::new(),
        count => format!(", the worst of {count} families"),
    };
    Some(Scale {
        schema: SCHEMA.to_owned(),
        run: Some(manifest.id.clone()),
        seed: manifest.seed,
        command,
        summary: format!("{} in {}{among}", summary(&leading), worst.name),
        metric: leading.metric,
        class: leading.class,
        set: leading.set.iter().map(|likely| likely.class).collect(),
        exponent: leading.exponent,
        data: None,
        // The worst one decides: its verdict is the first thing that makes it so.
        gate: worst.gate,
        warnings: warnings(std::slice::from_ref(&leading))
            .into_iter()
            .chain(reach::doubts(&leading))
            .collect(),
        fits: vec![leading],
        functions: Vec::new(),
        suite: Some(suite),
        gaps: gaps.to_vec(),
    })
}

/// By verdict, then by class, then by exponent. What may be worse comes before what holds.
fn is_worse(one: &Family, other: &Family) -> bool {
    let verdict = |family: &Family| match family.gate.map(|gate| gate.verdict) {
        Some(GateVerdict::Broken) => 2.0,
        Some(GateVerdict::Inconclusive) => 1.0,
        Some(GateVerdict::Holds) | None => 0.0,
    };
    let rank = |family: &Family| {
        let power = family.growth.exponent.map_or(0.0, |exponent| exponent.value);
        [verdict(family), order(family.growth.class, power), power]
    };
    rank(one) > rank(other)
}
