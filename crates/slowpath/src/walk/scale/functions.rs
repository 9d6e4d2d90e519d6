//! Which function grows: callgrind at a few sizes, the costs of each function kept.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;

use model::manifest::Pass;
use model::scale::{FUNCTIONS, FunctionCost, FunctionCosts};
use model::{Gap, Stage};
use run::{RunError, Slot};
use tools::valgrind::invocation::Threads;
use tools::valgrind::{Valgrind, callgrind};

use super::climb::Step;
use crate::cli::scale::Scale;
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::count::{Bare, Counter, ended_after, pinned, under_valgrind};
use crate::walk::valgrind::{places, unread};

/// Sizes at which functions are looked at.
const SIZES: usize = 4;

/// Callgrind against cachegrind.
const SLOWER: f64 = 2.0;

/// Functions that are kept of a run, the costliest.
const MOST: usize = 400;

/// Programs whose own functions are an interpreter's: what grows in them is not what the user wrote.
const INTERPRETERS: [&str; 9] = ["python", "pypy", "node", "java", "ruby", "perl", "php", "lua", "dotnet"];

/// Runs the largest counted sizes under callgrind while the limit allows. What it costs in time stays out of every figure.
pub(super) fn pass(
    sitting: &mut Sitting<'_>,
    asked: &Scale,
    counter: &Counter,
    steps: &[Step],
) -> Result<(), Stop> {
    let Counter::Cachegrind { valgrind, folder, bare } = counter else { return Ok(()) };
    if let Some(name) = interpreter(sitting) {
        let why = format!("valgrind would name the functions of {name}, not those of the program it runs");
        sitting.manifest.gaps.push(Gap::new("growth of single functions", why, None));
        return Ok(());
    }
    let counted = steps.iter().filter_map(|step| {
        let arm = u32::try_from(step.arm).ok()?;
        let wall = sitting.counted.iter().find(|counted| counted.arm == arm)?.wall;
        Some((*step, wall.as_secs_f64() * SLOWER))
    });
    let counted: Vec<(Step, f64)> = counted.collect();
    if counted.len() < stats::LEAST_SIZES {
        // Why the instructions were not counted is told already, and holds for functions too.
        return Ok(());
    }
    let left = asked.limit.as_secs_f64() - sitting.elapsed().as_secs_f64();
    let Some(chosen) = affordable(&counted, left) else {
        let why = "the limit left no time for it".to_owned();
        let next = format!("--limit {}s", asked.limit.as_secs() * 2);
        sitting.manifest.gaps.push(Gap::new("growth of single functions", why, Some(&next)));
        return Ok(());
    };
    let mut all = Vec::new();
    for step in &chosen {
        sitting.progress.draw(&format!("functions with callgrind: size {}", step.size), None);
        let into = folder.join(format!("callgrind-{}", step.arm));
        let left = asked.limit.as_secs_f64() - sitting.elapsed().as_secs_f64();
        match costs(sitting, (valgrind, bare), &into, (step, left))? {
            Ok(costs) => all.push(costs),
            Err(why) => {
                sitting.manifest.gaps.push(Gap::new("growth of single functions", why, None));
                return Ok(());
            }
        }
    }
    for program in bare.programs() {
        sitting.manifest.gaps.push(unread(valgrind, "source lines of simulated costs"));
        name_places(&mut all, program);
    }
    let json = serde_json::to_vec(&all)
        .map_err(|error| Stop::Defect { what: format!("costs cannot be written: {error}") })?;
    sitting.put(FUNCTIONS, &json)?;
    let runs = u32::try_from(all.len()).unwrap_or(u32::MAX);
    let pass = "functions".to_owned();
    sitting.manifest.passes.push(Pass { pass, instrument: "callgrind".to_owned(), runs, ratio: None });
    Ok(())
}

/// The largest sizes that fit the time left. `None` when fewer than three do.
fn affordable(counted: &[(Step, f64)], left: f64) -> Option<Vec<Step>> {
    let mut counted = counted.to_vec();
    while counted.len() >= stats::LEAST_SIZES {
        // Spread out from the largest: neighbours would say little of a function's growth.
        let apart = (counted.len() / SIZES).max(1);
        let chosen: Vec<&(Step, f64)> = counted.iter().rev().step_by(apart).take(SIZES).collect();
        if chosen.iter().map(|(_, seconds)| seconds).sum::<f64>() <= left {
            return Some(chosen.into_iter().rev().map(|(step, _)| *step).collect());
        }
        counted.pop();
    }
    None
}

/// Adds where functions begin in the source, which a copy without debug information does not tell.
fn name_places(all: &mut [FunctionCosts], program: &Path) {
    for costs in all {
        let names: Vec<&str> = costs.functions.iter().map(|function| function.name.as_str()).collect();
        let begin = places(program, &names);
        for (function, begin) in costs.functions.iter_mut().zip(begin).filter(|(one, _)| one.file.is_none()) {
            (function.file, function.line) = begin.map(|place| (place.file, place.line)).unzip();
        }
    }
}

/// The interpreter the command starts, if it is one. A shell is none: what it starts is seen by its own functions.
pub(in crate::walk) fn interpreter(sitting: &Sitting<'_>) -> Option<String> {
    let path = sitting.recipes.first()?.path.clone();
    let mut first = Vec::new();
    // Beyond this the kernel does not read a first line either.
    let read = fs::File::open(&path).map(|file| file.take(256).read_to_end(&mut first));
    let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    let script = read.is_ok() && line.starts_with("#!");
    let names = line.split(['/', ' ', '\t']).filter(|_| script).map(str::to_owned);
    let name = path.file_name()?.to_string_lossy().into_owned();
    std::iter::once(name).chain(names).find(|name| INTERPRETERS.iter().any(|known| name.starts_with(known)))
}

/// One size under callgrind. The inner error says why there are no costs.
fn costs(
    sitting: &Sitting<'_>,
    (valgrind, bare): (&Valgrind, &Bare),
    folder: &Path,
    (step, left): (&Step, f64),
) -> Result<Result<FunctionCosts, String>, Stop> {
    let Some(recipe) = sitting.recipes.get(step.arm).map(pinned) else {
        return Err(Stop::Defect { what: format!("arm {} has no recipe", step.arm) });
    };
    let arm = u32::try_from(step.arm).unwrap_or(u32::MAX);
    let slot = Slot { arm, order: 0, block: None, stage: Stage::Measure };
    let argv = callgrind::invocation(valgrind, folder, None, Threads::Together);
    let recipe = ended_after(bare.recipe(&recipe), left);
    let sample = match under_valgrind(sitting, &recipe, &valgrind.path, argv, folder, slot) {
        Ok(sample) => sample,
        Err(Ok(RunError::TimedOut { after, .. })) => {
            return Ok(Err(format!("callgrind was ended after {:.0} s, at the limit", after.as_secs_f64())));
        }
        Err(Ok(source)) => return Err(sitting.stopped(step.arm, source)),
        Err(Err(stop)) => return Err(stop),
    };
    if !sample.ended.succeeded() && !sitting.manifest.settings.ignore_failure {
        return Ok(Err(format!("under callgrind it failed: {}", crate::stop::ended_words(sample.ended))));
    }
    Ok(read(folder, step.size))
}

/// The costs of all processes that wrote a file.
fn read(folder: &Path, size: u64) -> Result<FunctionCosts, String> {
    let named = |name: &OsString| {
        let name = name.to_string_lossy();
        name.starts_with("callgrind.") && !name.ends_with(".log")
    };
    let files = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten();
    let files: Vec<Vec<u8>> = files
        .filter(|entry| named(&entry.file_name()))
        .filter_map(|entry| fs::read(entry.path()).ok())
        .collect();
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).filter(|bytes| !bytes.is_empty()).collect();
    let parsed = callgrind::parse_all(&files).map_err(|error| error.to_string())?;
    let at = parsed
        .events
        .iter()
        .position(|event| event.name == b"Ir")
        .ok_or("callgrind counted no instructions")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut lines = vec![None; parsed.functions.len()];
    for (line, _) in parsed.lines.iter() {
        if let Some(first) = lines.get_mut(line.function as usize) {
            *first = [*first, line.number].into_iter().flatten().filter(|number| *number > 0).min();
        }
    }
    let rows = parsed.functions.iter().zip(parsed.inclusive.iter()).zip(lines);
    let mut functions: Vec<FunctionCost> = rows
        .map(|(((function, own), inclusive), line)| FunctionCost {
            name: text(function.name),
            file: function.file.map(text),
            line,
            own: own.get(at).copied().unwrap_or(0),
            inclusive: inclusive.get(at).copied(),
        })
        .collect();
    functions.sort_by(|a, b| b.own.cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
    functions.truncate(MOST);
    Ok(FunctionCosts { size, total: parsed.totals.get(at).copied().unwrap_or(0), functions })
}
