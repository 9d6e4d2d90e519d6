//! What each function costs on the simulated machine, and which of them are judged.
//!
//! Rates alone condemn good code: a loader function with 69 reads may miss half of them. So a row counts by what it costs,
//! start-up, interpreters and code without names are left out, and what is below one part in a hundred is ignored.

use model::scorecard::{Better, Figure, Location};
use model::simulated::{Events, Function, SIMULATED, Simulated};

use super::Inputs;

/// Cycles of a miss of the first level that the last level answers, and of one that memory answers, on top of the
/// instruction itself: the estimate that users of cachegrind and kcachegrind know (10 and 100).
pub(super) const L1_PENALTY: f64 = 10.0;
pub(super) const LL_PENALTY: f64 = 100.0;

/// Cycles of a mispredicted branch: pipelines of the last ten years lose 12 to 20.
pub(super) const BRANCH_PENALTY: f64 = 15.0;

/// A program that takes less than this besides start-up does too little for its rates to mean anything.
const LEAST_CYCLES: f64 = 1e6;

/// Rows below this share of the cost are not judged.
pub(super) const LEAST_SHARE: f64 = 0.01;

/// Misses that cost less than this share of the program are no warning, whatever their rate.
pub(super) const WARN_COST: f64 = 0.01;

/// Misses that cost less than this share of the program are no failure, whatever their rate.
pub(super) const FAIL_COST: f64 = 0.05;

/// Programs whose own machine code is not the user's program: interpreters and virtual machines. Shells are told apart,
/// because what they start is machine code as a rule.
const INTERPRETERS: [&str; 11] = [
    "python",
    "libpython",
    "pypy",
    "node",
    "libnode",
    "java",
    "libjvm",
    "ruby",
    "libruby",
    "perl",
    "libperl",
];

/// What valgrind calls a function without a symbol: many of them are one row, which tells neither place nor remedy.
const UNNAMED: &str = "???";

/// From this share of the cost on, what is not judged is told.
const TOLD_UNSEEN: f64 = 0.1;

/// From this share of the cost on, what is judged says nothing good of the whole.
const MOSTLY_UNSEEN: f64 = 0.5;

/// Calls are followed outwards so far to find the user's own code.
const MOST_CALLERS: usize = 12;

/// The functions of a simulated run, with their costs.
pub(super) struct Costs<'a> {
    pub(super) simulated: &'a Simulated,
    /// Estimated cycles of everything but start-up.
    pub(super) total: f64,
    /// What is judged, the costliest first.
    pub(super) rows: Vec<Row<'a>>,
    /// Share of the cost inside interpreters, with what they load and compile.
    pub(super) interpreted: f64,
    /// Share of the cost in code without names.
    unnamed: f64,
}

pub(super) struct Row<'a> {
    pub(super) function: &'a Function,
    /// Of the estimated cycles.
    pub(super) share: f64,
}

impl<'a> Costs<'a> {
    /// `None` when nothing was counted, or nearly nothing besides start-up.
    pub(super) fn of(inputs: &Inputs<'a>) -> Option<Self> {
        let simulated = inputs.passes.simulated.as_ref()?;
        let totals = simulated.totals.as_ref()?;
        let startup: f64 = simulated
            .functions
            .iter()
            .filter(|function| function.startup)
            .map(|function| cycles(&function.own))
            .sum();
        let total = cycles(totals) - startup;
        if total < LEAST_CYCLES {
            return None;
        }
        let own = |function: &Function| cycles(&function.own) / total;
        let running = || simulated.functions.iter().filter(|function| !function.startup);
        // Without callgrind nothing tells which file a function is from; beside an interpreter it is hardly the user's.
        let beside = runs_interpreter(inputs);
        let is_interpreted = |function: &Function| {
            is_interpreter(function) || beside && !function.project && function.module.is_none()
        };
        let is_unnamed = |function: &Function| function.name == UNNAMED && !is_interpreted(function);
        let mut rows: Vec<Row<'a>> = running()
            .filter(|function| !is_interpreted(function) && !is_unnamed(function))
            .map(|function| Row { function, share: own(function) })
            .filter(|row| row.share >= LEAST_SHARE)
            .collect();
        rows.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.function.name.cmp(&b.function.name)));
        let share = |wanted: &dyn Fn(&Function) -> bool| {
            running().filter(|function| wanted(function)).map(own).fold(0.0, |a, b| a + b)
        };
        let (interpreted, unnamed) = (share(&is_interpreted), share(&is_unnamed));
        Some(Self { simulated, total, rows, interpreted, unnamed })
    }

    /// The user's own functions among the rows.
    pub(super) fn project(&self) -> impl Iterator<Item = &Row<'a>> {
        self.rows.iter().filter(|row| row.function.project)
    }

    /// What is not judged, in words; `None` when that is little.
    pub(super) fn unseen(&self) -> Option<String> {
        let interpreted = format!(
            "{:.0} % of the cost is inside the interpreter, whose caches and branches are not the program's: not judged",
            self.interpreted * 100.0
        );
        let unnamed = format!(
            "{:.0} % of the cost is in code without names: not judged; build with symbols (`-g`, no `strip`)",
            self.unnamed * 100.0
        );
        let told: Vec<String> = [(self.interpreted, interpreted), (self.unnamed, unnamed)]
            .into_iter()
            .filter_map(|(share, words)| (share >= TOLD_UNSEEN).then_some(words))
            .collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// Most of the cost is not judged, so that nothing wrong in the rest is no praise.
    pub(super) fn is_mostly_unseen(&self) -> bool {
        self.interpreted + self.unnamed > MOSTLY_UNSEEN
    }

    /// The function itself when it is the user's own, else the user's call that it comes from.
    pub(super) fn place(&self, function: &Function) -> Location {
        if function.project {
            location(function)
        } else {
            self.caller(function).unwrap_or_else(|| location(function))
        }
    }

    fn caller(&self, function: &Function) -> Option<Location> {
        let mut callee = function.name.as_str();
        for _ in 0..MOST_CALLERS {
            let edge = self
                .simulated
                .edges
                .iter()
                .filter(|edge| edge.callee == callee && edge.caller != callee)
                .max_by_key(|edge| edge.inclusive)?;
            if let Some(caller) = self.function(&edge.caller).filter(|caller| caller.project) {
                let file = edge.file.clone().or_else(|| caller.file.clone());
                return Some(Location { file, line: edge.line.or(caller.line), ..location(caller) });
            }
            callee = &edge.caller;
        }
        None
    }

    /// How many calls a function makes, as far as callgrind tells.
    pub(super) fn calls_from(&self, function: &Function) -> u64 {
        let own = self.simulated.edges.iter().filter(|edge| edge.caller == function.name);
        own.map(|edge| edge.calls).fold(0, u64::saturating_add)
    }

    pub(super) fn function(&self, name: &str) -> Option<&'a Function> {
        self.simulated.functions.iter().find(|function| function.name == name)
    }
}

/// Estimated cycles; what was not counted adds nothing.
pub(super) fn cycles(events: &Events) -> f64 {
    let sum = |counts: [Option<u64>; 3]| counts.into_iter().flatten().map(float).sum::<f64>();
    float(events.ir)
        + L1_PENALTY * sum([events.i1mr, events.d1mr, events.d1mw])
        + LL_PENALTY * sum([events.ilmr, events.dlmr, events.dlmw])
        + BRANCH_PENALTY * sum([events.bcm, events.bim, None])
}

#[expect(clippy::cast_precision_loss, reason = "counts above 2^53 do not occur in one run")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

fn is_interpreter(function: &Function) -> bool {
    let module = function.module.as_deref().and_then(|module| module.rsplit('/').next()).unwrap_or_default();
    !function.project && (is_shell(module) || is_runtime(module))
}

fn is_shell(file: &str) -> bool {
    ["sh", "bash", "dash", "busybox"].contains(&file)
}

/// `python3.11`, `libpython3.11.so.1.0`, `node`.
fn is_runtime(file: &str) -> bool {
    let stem = file.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.iter().any(|name| {
        stem == *name || file.starts_with(&format!("{name}3")) || file.starts_with(&format!("{name}.so"))
    })
}

/// Whether the command, or a program it starts, is an interpreter other than a shell.
fn runs_interpreter(inputs: &Inputs<'_>) -> bool {
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let recorded = inputs.passes.recording.iter().flat_map(|recording| &recording.processes);
    let written = inputs.manifest.arms.first().and_then(|arm| arm.target.argv.first());
    recorded
        .filter_map(|process| process.program.as_ref())
        .chain(written)
        .any(|program| is_runtime(&file(&program.lossy())))
}

pub(super) fn location(function: &Function) -> Location {
    Location {
        function: function.name.clone(),
        file: function.file.clone(),
        line: function.line,
        module: function.module.clone(),
        project: function.project,
    }
}

/// `main (quad.c:14)`.
pub(super) fn words(location: &Location) -> String {
    let name = location.file.as_deref().and_then(|file| file.rsplit('/').next());
    match (name, location.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", location.function),
        (Some(file), None) => format!("{} ({file})", location.function),
        _ => location.function.clone(),
    }
}

/// A figure of a simulated run, without limits.
pub(super) fn figure(
    simulated: &Simulated,
    instruments: &[&str],
    name: &str,
    value: f64,
    unit: &str,
) -> Figure {
    let instrument = instruments
        .iter()
        .find_map(|wanted| simulated.instruments.iter().find(|instrument| instrument.name == *wanted));
    let version = instrument.and_then(|instrument| instrument.version.as_deref());
    let source = match instrument {
        Some(instrument) => {
            format!("{} {}", instrument.name, version.unwrap_or_default()).trim_end().to_owned()
        }
        None => "valgrind".to_owned(),
    };
    Figure {
        name: name.to_owned(),
        value,
        low: None,
        high: None,
        unit: unit.to_owned(),
        limit: None,
        fail: None,
        better: Better::Lower,
        size: simulated.size,
        n: Some(1),
        cost: None,
        location: None,
        artifact: instrument
            .and_then(|instrument| instrument.artifacts.first().cloned())
            .unwrap_or_else(|| SIMULATED.to_owned()),
        source,
        command: instrument.map(|instrument| instrument.command.clone()),
    }
}
