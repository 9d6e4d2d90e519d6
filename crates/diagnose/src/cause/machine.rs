//! What the machine code of hot loops says of a place.

use model::machine_code::{
    BlockerKind, Direction, Found, HotFunction, HotLoop, ListingLine, MachineCode, Walk,
};
use model::profile::Place;
use model::recording::{Language, Owner};

use super::facts::RECORDER;
use super::subject::Subject;

const CODE: (&str, &str) = (model::machine_code::MACHINE_CODE, "machine code of the hot loops");

const MACHINE: [&str; 9] = [
    "machine.block-copy",
    "machine.scattered",
    "machine.unoptimised",
    "machine.scalar-float",
    "machine.blocked",
    "machine.chase",
    "machine.gather",
    "machine.stride",
    "machine.branches",
];

/// A hot loop must hold this share of its function's time to speak for it.
const HOT_LOOP: f64 = 0.3;

fn image_of<'a>(code: &'a [MachineCode], place: &Place) -> Option<&'a MachineCode> {
    code.iter().find(|image| place.module.as_deref() == Some(image.image.as_str()))
}

/// A program is built as a whole: what most of its hot functions are, the others are too.
fn is_unoptimised(image: &MachineCode) -> Option<bool> {
    let weight = |wanted: bool| -> u64 {
        image
            .functions
            .iter()
            .filter(|function| function.build.unoptimised == Some(wanted))
            .map(|function| function.weight)
            .sum()
    };
    let (bad, good) = (weight(true), weight(false));
    (bad + good > 0).then(|| bad > 4 * good)
}

/// With a smaller share of its time in its own instructions, the machine code of a function is not what takes its time.
const OWN: f64 = 0.2;

/// Memory that the inner caches of no processor in use hold, in bytes.
const CACHED: f64 = 16e6;

/// A name without its parameters, which debug information and symbols spell differently.
fn bare(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// Notes what the machine code of the place's function is like; `seconds` is the time of the place with all that it calls.
pub(super) fn note(subject: &mut Subject, code: &[MachineCode], place: &Place, seconds: f64) {
    let function = code
        .iter()
        .flat_map(|image| &image.functions)
        .find(|function| function.name.as_deref().is_some_and(|name| bare(name) == bare(&place.function)));
    let holds_line = |inner: &HotLoop| {
        inner.source.as_ref().is_some_and(|span| {
            place.file.as_deref() == Some(span.file.as_str())
                && place.line.is_some_and(|line| span.from <= line && line <= span.to)
        })
    };
    let lines = |function: &&HotFunction| function.loops.iter().any(holds_line);
    let all = || code.iter().flat_map(|image| &image.functions);
    // Where everything was expanded into one function, that one holds the loop.
    let whole = || all().find(|function| function.share.is_some_and(|share| share.0 >= 0.5));
    let function = function.or_else(|| all().find(lines)).or_else(whole);
    let Some(function) = function.filter(|_| place.owner == Owner::Project) else {
        let image =
            image_of(code, place).filter(|_| place.owner == Owner::Project && place.language != Language::Go);
        if let Some(unoptimised) = image.and_then(is_unoptimised) {
            subject.number("machine.unoptimised", f64::from(u8::from(unoptimised)), "yes", CODE);
        }
        // Code that an interpreter runs has no machine code of its own.
        if !matches!(
            place.language,
            Language::Native | Language::C | Language::Cpp | Language::Rust | Language::Go
        ) {
            for name in MACHINE {
                subject.number(name, 0.0, "yes", RECORDER);
            }
        }
        return;
    };
    let yes = |subject: &mut Subject, name: &'static str, holds: bool| {
        subject.number(name, f64::from(u8::from(holds)), "yes", CODE);
    };
    // A function that does little but call others does not tell how it was built, but they do.
    let built = || image_of(code, place).and_then(is_unoptimised);
    let unoptimised = match place.language {
        // Go's compiler keeps more on the stack than others, at its best too.
        Language::Go => Some(false),
        _ => function.build.unoptimised.or_else(built),
    };
    if let Some(unoptimised) = unoptimised {
        yes(subject, "machine.unoptimised", unoptimised);
    }
    if unoptimised == Some(true) {
        return;
    }
    // Where nearly all of its time is in what it calls, its own loop says nothing of that.
    if function.weight as f64 / 1e9 < OWN * seconds {
        return;
    }
    let weight = function.weight.max(1) as f64;
    let hot: Vec<_> = function
        .loops
        .iter()
        .filter(|inner| inner.innermost && inner.weight.is_some_and(|own| own as f64 / weight >= HOT_LOOP))
        .collect();
    // Of a function that others were expanded into, the loops of this one tell of it.
    let is_itself = function.name.as_deref().is_some_and(|name| bare(name) == bare(&place.function));
    let own: Vec<_> = hot.iter().copied().filter(|inner| !is_itself && holds_line(inner)).collect();
    let hot = if own.is_empty() { hot } else { own };
    if hot.is_empty() {
        return;
    }
    let patterns = || hot.iter().flat_map(|inner| &inner.patterns).map(|pattern| &pattern.found);
    let walks = |wanted: fn(&Walk) -> bool| {
        patterns().any(|found| matches!(found, Found::Access { accesses } if accesses.iter().any(|access| wanted(&access.walk))))
    };
    let is_blocked =
        |kind: BlockerKind| hot.iter().flat_map(|inner| &inner.blockers).any(|blocker| blocker.kind == kind);
    // Each step of a recurrence over registers decides whether there is a next one: no two can be done at once.
    let recurs = is_blocked(BlockerKind::EarlyExit) && !walks(|walk| !matches!(walk, Walk::Fixed));
    yes(
        subject,
        "machine.scalar-float",
        !recurs && patterns()
            .any(|found| matches!(found, Found::Vector { packed, scalar_float, .. } if *scalar_float >= 2 * *packed && *scalar_float > 0)),
    );
    // Integers stay scalar for good reasons too; a possible overlap, an end in the middle and a narrow index can be removed.
    let integers = patterns()
        .any(|found| matches!(found, Found::Vector { packed: 0, scalar_integer, .. } if *scalar_integer > 0));
    let removable = [BlockerKind::PossibleAlias, BlockerKind::EndsBySum, BlockerKind::WrappingIndex];
    let removable = removable.into_iter().any(is_blocked);
    if removable && integers {
        yes(subject, "machine.scalar-float", true);
    }
    // Large values are copied by one instruction that repeats itself.
    let is_here = |line: &ListingLine| {
        let source = line.source.as_ref();
        source.is_some_and(|source| Some(source.line) == place.line) && line.text.starts_with("rep movs")
    };
    yes(subject, "machine.block-copy", hot.iter().flat_map(|inner| &inner.listing).any(is_here));
    yes(subject, "machine.chase", walks(|walk| matches!(walk, Walk::Chase)));
    yes(
        subject,
        "machine.stride",
        walks(|walk| {
            matches!(walk, Walk::RuntimeStride)
                || matches!(walk, Walk::Stride { bytes } if bytes.unsigned_abs() >= 64)
        }),
    );
    yes(
        subject,
        "machine.scattered",
        walks(|walk| {
            matches!(walk, Walk::Chase | Walk::RuntimeStride | Walk::Indexed)
                || matches!(walk, Walk::Stride { bytes } if bytes.unsigned_abs() >= 64)
        }),
    );
    let is_large = subject.value("memory.peak").is_some_and(|peak| peak >= CACHED);
    yes(subject, "machine.gather", is_large && walks(|walk| matches!(walk, Walk::Indexed)));
    let writes = patterns().any(|found| {
        matches!(found, Found::Access { accesses } if accesses.iter().any(|access| {
            access.direction != Direction::Read && matches!(access.walk, Walk::Fixed | Walk::Indexed)
        }))
    });
    yes(subject, "machine.stores", writes);
    yes(
        subject,
        "machine.branches",
        patterns()
            .any(|found| matches!(found, Found::Branches { by_loaded_values, .. } if *by_loaded_values > 0)),
    );
    let blockers = [
        BlockerKind::FloatReduction,
        BlockerKind::PossibleAlias,
        BlockerKind::DataDependentBranch,
        BlockerKind::EndsBySum,
        BlockerKind::WrappingIndex,
    ];
    yes(subject, "machine.blocked", blockers.into_iter().any(is_blocked));
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::facts::exact;
    use super::*;

    #[test]
    fn that_a_script_has_no_machine_code_is_no_reading_of_machine_code() {
        let place = Place {
            function: "words".to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::Python,
            owner: Owner::Project,
        };
        let mut subject = Subject::new(Kind::Computing, Some(place.clone()), exact(0.9));
        note(&mut subject, &[], &place, 1.0);
        assert_eq!(subject.metrics.len(), MACHINE.len());
        assert!(subject.metrics.values().all(|metric| metric.artifact == RECORDER.0 && metric.value <= 0.0));
    }
}
