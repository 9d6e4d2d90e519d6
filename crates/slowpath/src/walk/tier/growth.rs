//! Instructions at several sizes, in all and by function: cachegrind without any simulation, which is its fastest mode.
//!
//! Small sizes come first, because they are counted in a moment: those that are dear to count are left out as long as what
//! the small ones show and what the times of all show do not contradict each other.

use std::collections::HashMap;

use model::Metric;
use model::manifest::Pass;
use model::sample::Counted;
use model::scale::{FUNCTIONS, FunctionCost, FunctionCosts};
use tools::valgrind::cachegrind::{self, Cachegrind};
use tools::valgrind::invocation;

use super::Tour;
use super::files::{files, settled};
use super::instrument::{Instrument, Job, Ran};
use super::sizes::{CHEAP, size_of};
use crate::stop::Stop;
use crate::walk::scale::functions::interpreter;

/// Against the bare program, when it is not known better.
const SLOWER: f64 = 12.0;

/// Functions that are kept of a size, the costliest.
const MOST: usize = 400;

/// A size whose instructions a simulated run has counted.
pub(super) struct Known<'k, 'f> {
    pub(super) arm: usize,
    pub(super) own: &'k [Cachegrind<'f>],
    pub(super) ran: &'k Ran,
}

/// A size that is to be counted.
pub(super) struct Wanted {
    arm: usize,
    instrument: Instrument,
}

impl Wanted {
    pub(super) fn job(&self) -> Job<'_> {
        Job { arm: self.arm, instrument: &self.instrument }
    }
}

/// What was counted so far.
#[derive(Default)]
pub(super) struct Growth {
    costs: Vec<FunctionCosts>,
    slowest: Option<f64>,
}

/// The sizes that are counted first, without the one that is simulated anyway. None without sizes.
pub(super) fn first(tour: &Tour<'_, '_>, simulated: Option<usize>) -> Vec<Wanted> {
    let arms = by_size(tour);
    let cheap = |arm: &usize| tour.median(*arm, Metric::Cpu).is_none_or(|cpu| cpu <= CHEAP);
    let mut chosen: Vec<usize> = arms.iter().copied().filter(cheap).collect();
    if chosen.len() + usize::from(simulated.is_some_and(|arm| !chosen.contains(&arm))) < stats::LEAST_SIZES {
        // Too few to fit anything, so the smallest is needed whatever it costs.
        chosen = arms.iter().copied().take(stats::LEAST_SIZES).collect();
    }
    chosen.retain(|arm| Some(*arm) != simulated);
    chosen.into_iter().filter_map(|arm| wanted(tour, arm)).collect()
}

/// Sizes that can be counted, the smallest first: those that were timed, and those that are there to be counted.
fn by_size(tour: &Tour<'_, '_>) -> Vec<usize> {
    let sitting = &tour.sitting;
    let Some(sizes) = tour.options.sizes.as_ref().filter(|_| sitting.manifest.settings.scale.is_some())
    else {
        return Vec::new();
    };
    let timed = |arm: usize| sitting.samples.iter().any(|sample| u32::try_from(arm) == Ok(sample.arm));
    let added = |arm: usize| size_of(sitting, arm).is_some_and(|size| !sizes.0.contains(&size));
    let mut arms: Vec<usize> = (0..sitting.arms()).filter(|arm| timed(*arm) || added(*arm)).collect();
    arms.sort_by_key(|arm| size_of(sitting, *arm));
    arms
}

fn wanted(tour: &Tour<'_, '_>, arm: usize) -> Option<Wanted> {
    let folder = format!("tier2/cachegrind-{arm}-0");
    let argv = invocation::instructions(tour.valgrind.as_ref()?, &tour.folder(&folder));
    let what = "instruction counts of all sizes";
    let instrument = Instrument { name: "cachegrind", what, slower: SLOWER, folder, argv, env: Vec::new() };
    Some(Wanted { arm, instrument })
}

impl Growth {
    /// Adds the size that was simulated.
    pub(super) fn add_known(&mut self, tour: &mut Tour<'_, '_>, known: &Known<'_, '_>) -> Result<(), Stop> {
        let size = size_of(tour.sitting, known.arm);
        let Some(size) = size.filter(|_| tour.sitting.manifest.settings.scale.is_some()) else {
            return Ok(());
        };
        tour.sitting.counted(counted(known.arm, known.own, known.ran))?;
        self.costs.push(costs(size, known.own));
        Ok(())
    }

    /// Adds a size that was counted. What cannot be read is a gap.
    pub(super) fn add(&mut self, tour: &mut Tour<'_, '_>, wanted: &Wanted, ran: &Ran) -> Result<(), Stop> {
        let what = wanted.instrument.what;
        let files = files(&ran.folder, "cachegrind");
        let parsed = files.list.iter().map(|file| {
            let parsed = cachegrind::parse(&file.bytes).map_err(|error| error.to_string())?;
            Ok((file.forked, parsed))
        });
        let own = parsed
            .collect::<Result<Vec<_>, String>>()
            .and_then(|parsed| settled(parsed, |process: &Cachegrind<'_>| process.instructions.0));
        match own {
            Ok(settled) if !settled.own.is_empty() => {
                let size = size_of(tour.sitting, wanted.arm).unwrap_or_default();
                self.slowest = ran.ratio.or(self.slowest);
                tour.sitting.counted(counted(wanted.arm, &settled.own, ran))?;
                self.costs.push(costs(size, &settled.own));
            }
            Ok(_) => tour.gap(what, "cachegrind wrote no file".to_owned(), Some(&ran.command)),
            Err(why) => tour.gap(what, why, Some("count a single-process variant")),
        }
        Ok(())
    }

    /// Counts the other sizes too, the smallest first, where those so far do not tell the growth, and keeps what was found.
    pub(super) fn finish(mut self, tour: &mut Tour<'_, '_>) -> Result<(), Stop> {
        if !self.costs.is_empty() {
            self.add_others(tour)?;
        }
        let runs = u32::try_from(self.costs.len()).unwrap_or(u32::MAX);
        if runs == 0 {
            return Ok(());
        }
        let (pass, instrument) = ("count".to_owned(), "cachegrind".to_owned());
        tour.sitting.note_pass(Pass { pass, instrument, runs, ratio: self.slowest });
        if let Some(name) = interpreter(tour.sitting) {
            let why =
                format!("valgrind would name the functions of {name}, not those of the program it runs");
            tour.gap("growth of single functions", why, None);
            return Ok(());
        }
        self.costs.sort_by_key(|costs| costs.size);
        tour.sitting.store(FUNCTIONS, &self.costs)
    }

    fn add_others(&mut self, tour: &mut Tour<'_, '_>) -> Result<(), Stop> {
        for arm in by_size(tour) {
            let is_counted = tour.sitting.counted.iter().any(|counted| u32::try_from(arm) == Ok(counted.arm));
            if is_counted {
                continue;
            }
            let sitting = &tour.sitting;
            if diagnose::scale::counts_suffice(&sitting.manifest, &sitting.samples, &sitting.counted) {
                break;
            }
            let Some(wanted) = wanted(tour, arm) else { break };
            // Larger sizes would not fit either.
            let Some(ran) = tour.run(arm, &wanted.instrument)? else { break };
            self.add(tour, &wanted, &ran)?;
        }
        Ok(())
    }
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
