//! Instructions at each size, in all and by function: cachegrind without any simulation, which is its fastest mode.

use std::collections::HashMap;
use std::time::Instant;

use model::manifest::Pass;
use model::sample::Counted;
use model::scale::{FUNCTIONS, FunctionCost, FunctionCosts};
use tools::valgrind::cachegrind::{self, Cachegrind};
use tools::valgrind::invocation;

use super::Tour;
use super::files::{files, settled};
use super::instrument::{Instrument, Ran, plain_blocks};
use super::sizes::size_of;
use crate::stop::Stop;
use crate::walk::scale::functions::interpreter;

/// Against the bare program, when it is not known better.
const SLOWER: f64 = 12.0;

/// Counting may take this share of the limit; the simulators have the rest.
const SHARE: f64 = 0.5;

/// Functions that are kept of a size, the costliest.
const MOST: usize = 400;

/// A size whose instructions a simulated run has counted.
pub(super) struct Known<'k, 'f> {
    pub(super) arm: usize,
    pub(super) own: &'k [Cachegrind<'f>],
    pub(super) ran: &'k Ran,
}

/// Counts every size that was timed, the smallest first. Nothing to do without sizes.
pub(super) fn count(tour: &mut Tour<'_, '_>, known: Option<&Known<'_, '_>>) -> Result<(), Stop> {
    if tour.sitting.manifest.settings.scale.is_none() {
        return Ok(());
    }
    let timed = |arm: &usize| tour.sitting.samples.iter().any(|sample| u32::try_from(*arm) == Ok(sample.arm));
    let mut arms: Vec<usize> = (0..tour.sitting.arms()).filter(timed).collect();
    arms.sort_by_key(|arm| size_of(tour.sitting, *arm));
    let whole = tour.deadline;
    let left = whole.saturating_duration_since(Instant::now());
    tour.deadline = Instant::now() + left.mul_f64(SHARE);
    let outcome = each(tour, &arms, known);
    tour.deadline = whole;
    let functions = outcome?;
    if functions.is_empty() {
        return Ok(());
    }
    if let Some(name) = interpreter(tour.sitting) {
        let why = format!("valgrind would name the functions of {name}, not those of the program it runs");
        tour.gap("growth of single functions", why, None);
        return Ok(());
    }
    tour.sitting.store(FUNCTIONS, &functions)
}

/// The costs of functions at each size that could be counted.
fn each(
    tour: &mut Tour<'_, '_>,
    arms: &[usize],
    known: Option<&Known<'_, '_>>,
) -> Result<Vec<FunctionCosts>, Stop> {
    let mut all = Vec::new();
    let mut slowest = None;
    for arm in arms {
        let size = size_of(tour.sitting, *arm).unwrap_or_default();
        if let Some(known) = known.filter(|known| known.arm == *arm) {
            tour.sitting.counted(counted(*arm, known.own, known.ran))?;
            all.push(costs(size, known.own));
            continue;
        }
        let folder = format!("tier2/cachegrind-{arm}-0");
        let Some(valgrind) = tour.valgrind.clone() else { break };
        let argv = plain_blocks(invocation::instructions(&valgrind, &tour.folder(&folder)));
        let what = "instruction counts of the largest sizes";
        let instrument =
            Instrument { name: "cachegrind", what, slower: SLOWER, folder, argv, env: Vec::new() };
        let Some(ran) = tour.run(*arm, &instrument)? else { break };
        let files = files(&ran.folder, "cachegrind");
        let parsed = files.list.iter().map(|file| {
            let parsed = cachegrind::parse(&file.bytes).map_err(|error| error.to_string())?;
            Ok((file.forked, parsed))
        });
        let own = parsed
            .collect::<Result<Vec<_>, String>>()
            .and_then(|parsed| settled(parsed, |process: &Cachegrind<'_>| process.instructions.0));
        let own = match own {
            Ok(settled) if !settled.own.is_empty() => settled.own,
            Ok(_) => {
                tour.gap(what, "cachegrind wrote no file".to_owned(), Some(&ran.command));
                break;
            }
            Err(why) => {
                tour.gap(what, why, Some("count a single-process variant"));
                break;
            }
        };
        slowest = ran.ratio.or(slowest);
        tour.sitting.counted(counted(*arm, &own, &ran))?;
        all.push(costs(size, &own));
    }
    let runs = u32::try_from(all.len()).unwrap_or(u32::MAX);
    if runs > 0 {
        let (pass, instrument) = ("count".to_owned(), "cachegrind".to_owned());
        tour.sitting.note_pass(Pass { pass, instrument, runs, ratio: slowest });
    }
    Ok(all)
}

fn counted(arm: usize, own: &[Cachegrind<'_>], ran: &Ran) -> Counted {
    let instructions = own.iter().map(|process| process.instructions.0).fold(0, u64::saturating_add);
    Counted {
        arm: u32::try_from(arm).unwrap_or(u32::MAX),
        order: 0,
        ended: ran.sample.ended,
        instructions: model::Count(instructions),
        source: "cachegrind".to_owned(),
        processes: u32::try_from(own.len()).unwrap_or(u32::MAX),
        wall: ran.sample.wall,
    }
}

/// Each function of all processes, whatever files its code comes from.
fn costs(size: u64, own: &[Cachegrind<'_>]) -> FunctionCosts {
    struct Sum<'f> {
        own: u64,
        file: &'f [u8],
        line: Option<u32>,
        costliest: u64,
    }
    let mut sums: HashMap<&[u8], Sum<'_>> = HashMap::new();
    for process in own {
        let mut first: Vec<Option<u32>> = vec![None; process.functions.len()];
        for line in process.lines.iter() {
            if let Some(first) = first.get_mut(line.function as usize) {
                *first = [*first, line.number].into_iter().flatten().min();
            }
        }
        let at = process.events.iter().position(|event| *event == b"Ir").unwrap_or(0);
        for ((row, counts), line) in process.functions.iter().zip(first) {
            let ir = counts.get(at).copied().unwrap_or(0);
            let sum = sums.entry(row.function).or_insert(Sum { own: 0, file: row.file, line, costliest: 0 });
            sum.own = sum.own.saturating_add(ir);
            if ir > sum.costliest {
                (sum.file, sum.line, sum.costliest) = (row.file, line, ir);
            }
        }
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let total = own.iter().map(|process| process.instructions.0).fold(0, u64::saturating_add);
    let mut functions: Vec<FunctionCost> = sums
        .iter()
        .map(|(name, sum)| FunctionCost {
            name: text(name),
            file: Some(sum.file).filter(|file| *file != b"???").map(text),
            line: sum.line,
            own: sum.own,
            inclusive: None,
        })
        .collect();
    functions.sort_by(|a, b| b.own.cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
    functions.truncate(MOST);
    FunctionCosts { size, total, functions }
}
