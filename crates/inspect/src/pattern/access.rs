//! How does the loop walk over memory?

use std::collections::BTreeMap;

use model::machine_code::{Access, Direction, Found, Pattern, Verdict, Walk};

use super::Scene;
use crate::audit::count;
use crate::instruction::Memory;
use crate::iteration::{Location, Step, Value};

/// From here on each step needs a cache line of its own.
const CACHE_LINE: u64 = 64;

pub(super) fn pattern(scene: &Scene<'_, '_>) -> Pattern {
    let accesses = accesses(scene);
    let verdict = accesses.iter().map(|access| verdict(access.walk)).max_by_key(|verdict| rank(*verdict));
    let verdict = verdict.unwrap_or(Verdict::Good);
    let at = accesses.iter().filter(|access| self::verdict(access.walk) == verdict).map(|access| access.at);
    let at = at.collect();
    scene.pattern(verdict, Found::Access { accesses }, at)
}

const fn verdict(walk: Walk) -> Verdict {
    match walk {
        Walk::Fixed | Walk::Unit => Verdict::Good,
        Walk::Stride { bytes } if bytes.unsigned_abs() >= CACHE_LINE => Verdict::Bad,
        Walk::Stride { .. } | Walk::RuntimeStride | Walk::Indexed => Verdict::Attention,
        Walk::Chase => Verdict::Bad,
        Walk::Unknown => Verdict::Unknown,
    }
}

/// What is worse hides what is better; what is known to be worse hides what is not known.
const fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Good => 0,
        Verdict::Unknown => 1,
        Verdict::Attention => 2,
        Verdict::Bad => 3,
    }
}

/// Accesses whose addresses differ by a constant are one walk: an unrolled loop, or the parts of one record.
pub(super) fn accesses(scene: &Scene<'_, '_>) -> Vec<Access> {
    let mut groups: BTreeMap<Vec<(Location, i64)>, Group> = BTreeMap::new();
    let mut lone = Vec::new();
    for (at, address) in &scene.iteration.accesses {
        let Some(memory) = scene.instructions.get(*at).and_then(|one| one.memory.as_ref()) else { continue };
        match address {
            Value::Linear(terms, constant) if !memory.gathered => {
                let key = terms.iter().map(|(location, factor)| (*location, *factor)).collect();
                let step = scene.iteration.moves(address);
                groups.entry(key).or_insert_with(|| Group::new(*at, step)).add(memory, *constant);
            }
            _ => {
                let step = if memory.gathered { Step::Loaded } else { scene.iteration.moves(address) };
                let mut group = Group::new(*at, step);
                group.add(memory, 0);
                lone.push(group);
            }
        }
    }
    let mut accesses: Vec<Access> =
        groups.values().chain(&lone).filter_map(|group| group.access(scene)).collect();
    accesses.sort_by_key(|access| access.at);
    accesses
}

struct Group {
    first: usize,
    step: Step,
    instructions: usize,
    read: bool,
    written: bool,
    /// Width by distance; `None` where one is not known.
    widths: Option<BTreeMap<i64, u32>>,
}

impl Group {
    fn new(first: usize, step: Step) -> Self {
        Self { first, step, instructions: 0, read: false, written: false, widths: Some(BTreeMap::new()) }
    }

    fn add(&mut self, memory: &Memory, constant: i64) {
        self.instructions += 1;
        self.read |= memory.read;
        self.written |= memory.written;
        match (memory.bytes, &mut self.widths) {
            (Some(bytes), Some(widths)) => {
                let slot = widths.entry(constant).or_insert(0);
                *slot = bytes.max(*slot);
            }
            _ => self.widths = None,
        }
    }

    fn access(&self, scene: &Scene<'_, '_>) -> Option<Access> {
        Some(Access {
            at: scene.instructions.get(self.first)?.address,
            instructions: count(self.instructions),
            direction: match (self.read, self.written) {
                (true, true) => Direction::Both,
                (false, true) => Direction::Write,
                _ => Direction::Read,
            },
            bytes: self.widths.as_ref().and_then(|widths| widths.values().max()).copied(),
            walk: self.walk(),
        })
    }

    fn walk(&self) -> Walk {
        match self.step {
            Step::By(0) => Walk::Fixed,
            Step::By(bytes) => match self.covered() {
                Some(covered) if covered >= bytes.unsigned_abs() => Walk::Unit,
                Some(_) => Walk::Stride { bytes },
                None => Walk::Unknown,
            },
            // By the width of scalable vectors, perhaps, which only the running program knows too.
            Step::Steady if self.widths.is_none() => Walk::Unknown,
            Step::Steady => Walk::RuntimeStride,
            Step::Loaded => Walk::Indexed,
            Step::Chased => Walk::Chase,
            Step::Unknown => Walk::Unknown,
        }
    }

    /// Bytes used in each iteration, places that overlap counted once.
    fn covered(&self) -> Option<u64> {
        let mut total = 0;
        let mut end = i64::MIN;
        for (start, width) in self.widths.as_ref()? {
            let stop = start.saturating_add(i64::from(*width));
            total += stop.saturating_sub(end.max(*start)).max(0).unsigned_abs();
            end = end.max(stop);
        }
        Some(total)
    }
}
