//! From hot addresses to audited loops.

use model::machine_code::{
    Build, HotFunction, HotLoop, ListingLine, MachineCode, SCHEMA, SourceLine, SourceSpan,
};
use model::{Gap, Ratio};

use crate::code::{Code, Function, demangled};
use crate::graph::{Graph, Loop};
use crate::instruction::{Flow, Instruction};
use crate::iteration::{Convention, Iteration};
use crate::optimisation;
use crate::pattern::{self, Scene};
use crate::weight::{Hot, Measured, Weights};

/// Following a loop of more instructions would take long, and no reader would look at it.
const MOST_IN_LOOP: usize = 5_000;

/// Loops of a function whose inner weights are not known.
const MOST_UNWEIGHED: usize = 12;

/// What to look at, and what the answer is to say of the measurement.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The file's name, for the answer.
    pub image: &'a str,
    /// What a weight counts: "samples", "instructions".
    pub weight_unit: &'a str,
    /// The widest vector registers of the processor that ran it. `None` when not known.
    pub machine_bits: Option<u32>,
    /// Functions and loops below this share of all weight are left out.
    pub least_share: Ratio,
    pub most_functions: usize,
}

impl<'a> Request<'a> {
    /// Everything that holds at least 1 % of the weight, in at most 20 functions.
    #[must_use]
    pub const fn new(image: &'a str, weight_unit: &'a str) -> Self {
        Self { image, weight_unit, machine_bits: None, least_share: Ratio(0.01), most_functions: 20 }
    }
}

/// The hot functions of `code`, their loops, and what these are like. What cannot be told is a gap in the answer.
#[must_use]
pub fn audit(code: &Code<'_>, hot: &[Hot], request: &Request<'_>) -> MachineCode {
    let weights = Weights::place(code, hot);
    let is_hot = |measured: &&&Measured<'_>| reaches(measured.weight, weights.total, request);
    let ranked = weights.ranked();
    let chosen = ranked.iter().filter(is_hot).take(request.most_functions);
    let functions: Vec<_> = chosen.map(|measured| function(code, measured, weights.total, request)).collect();
    let obstacle = code.lines_obstacle().filter(|_| !functions.is_empty());
    let gap = |why| Gap::new("source lines", why, code.lines_remedy());
    MachineCode {
        schema: SCHEMA.to_owned(),
        image: request.image.to_owned(),
        architecture: code.architecture(),
        weight: weights.total,
        weight_unit: request.weight_unit.to_owned(),
        unplaced: weights.unplaced,
        functions,
        gaps: obstacle.map(gap).into_iter().collect(),
    }
}

fn reaches(weight: u64, total: u64, request: &Request<'_>) -> bool {
    weight > 0 && share(weight, total).is_some_and(|share| share.0 >= request.least_share.0)
}

/// `None` when the whole is nothing.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
fn share(part: u64, whole: u64) -> Option<Ratio> {
    (whole != 0).then(|| Ratio(part as f64 / whole as f64))
}

fn function(code: &Code<'_>, measured: &Measured<'_>, total: u64, request: &Request<'_>) -> HotFunction {
    let function = measured.function;
    let decoded = code.instructions(function);
    let instructions = decoded.as_deref().unwrap_or_default();
    let convention = Convention::of(code.architecture(), instructions);
    let mut answer = HotFunction {
        name: function.name.as_deref().map(demangled),
        from: function.range.start,
        to: function.range.end,
        weight: measured.weight,
        share: share(measured.weight, total),
        instructions: count(instructions.len()),
        build: optimisation::build(code, function, instructions, convention),
        loops: Vec::new(),
        outside_loops: None,
        gaps: Vec::new(),
    };
    if instructions.is_empty() {
        answer.gaps.push(unread(function, decoded.is_some()));
        return answer;
    }
    let graph = Graph::of(instructions);
    let weights = measured.by_instruction(code, instructions, &depths(&graph, instructions.len()));
    let body =
        Body { code, instructions, graph: &graph, weights: weights.as_deref(), convention, total, request };
    body.fill(&mut answer);
    answer
}

/// How many loops each instruction lies in.
fn depths(graph: &Graph, instructions: usize) -> Vec<u32> {
    let mut depths = vec![0; instructions];
    for found in &graph.loops {
        let blocks = found.blocks.iter().filter_map(|block| graph.blocks.get(*block));
        for at in blocks.flat_map(|block| block.instructions.clone()) {
            if let Some(depth) = depths.get_mut(at) {
                *depth += 1;
            }
        }
    }
    depths
}

fn unread(function: &Function, has_bytes: bool) -> Gap {
    let size = function.range.end.saturating_sub(function.range.start);
    let why = match has_bytes {
        true => "its bytes are not in the image".to_owned(),
        false => format!("its {size} bytes are not in the image or too many to look at"),
    };
    Gap::new("instructions", why, None)
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// One decoded function with its weights.
struct Body<'a, 'bytes> {
    code: &'a Code<'bytes>,
    instructions: &'a [Instruction],
    graph: &'a Graph,
    /// `None` when only the function as a whole was measured.
    weights: Option<&'a [u64]>,
    convention: Convention,
    total: u64,
    request: &'a Request<'a>,
}

impl Body<'_, '_> {
    fn fill(&self, answer: &mut HotFunction) {
        answer.outside_loops = self.outside_loops();
        if self.graph.jumps_anywhere > 0 {
            let why = format!("{} jumps go through a register or table", self.graph.jumps_anywhere);
            answer.gaps.push(Gap::new("loops that go through these jumps", why, None));
        }
        if self.graph.left_out > 0 {
            let why = format!("{} more loops than can be looked at", self.graph.left_out);
            answer.gaps.push(Gap::new("outer loops", why, None));
        }
        if self.weights.is_none() {
            let next = Some("record instruction addresses");
            answer.gaps.push(Gap::new("weights of loops", "only the function was measured", next));
        }
        let mut loops: Vec<(&Loop, Option<u64>)> =
            self.graph.loops.iter().map(|found| (found, self.weight_of(found))).collect();
        match self.weights {
            Some(_) => {
                loops.retain(|(_, weight)| reaches(weight.unwrap_or(0), self.total, self.request));
                loops.sort_by_key(|(found, weight)| {
                    (std::cmp::Reverse(*weight), std::cmp::Reverse(found.depth))
                });
            }
            None => {
                loops.retain(|(found, _)| found.innermost);
                loops.sort_by_key(|(found, _)| std::cmp::Reverse(found.depth));
                loops.truncate(MOST_UNWEIGHED);
            }
        }
        answer.loops =
            loops.iter().map(|(found, weight)| self.hot_loop(found, *weight, &answer.build)).collect();
    }

    fn positions(&self, found: &Loop) -> Vec<usize> {
        let blocks = found.blocks.iter().filter_map(|block| self.graph.blocks.get(*block));
        blocks.flat_map(|block| block.instructions.clone()).collect()
    }

    fn weight_of(&self, found: &Loop) -> Option<u64> {
        let weights = self.weights?;
        let all = self.positions(found).into_iter().filter_map(|at| weights.get(at));
        Some(all.fold(0, |sum: u64, weight| sum.saturating_add(*weight)))
    }

    fn outside_loops(&self) -> Option<u64> {
        let weights = self.weights?;
        let mut inside = vec![false; weights.len()];
        for found in &self.graph.loops {
            for at in self.positions(found) {
                if let Some(slot) = inside.get_mut(at) {
                    *slot = true;
                }
            }
        }
        let outside = weights.iter().zip(inside).filter(|(_, inside)| !inside);
        Some(outside.fold(0, |sum: u64, (weight, _)| sum.saturating_add(*weight)))
    }

    fn hot_loop(&self, found: &Loop, weight: Option<u64>, build: &Build) -> HotLoop {
        let positions = self.positions(found);
        let instructions = || positions.iter().filter_map(|at| self.instructions.get(*at));
        let head = instructions().map(|instruction| instruction.address);
        let first = self
            .graph
            .blocks
            .get(found.head)
            .and_then(|block| self.instructions.get(block.instructions.start));
        let mut answer = HotLoop {
            head: first.map_or_else(|| head.min().unwrap_or(0), |first| first.address),
            depth: found.depth,
            innermost: found.innermost,
            weight,
            share: weight.and_then(|weight| share(weight, self.total)),
            instructions: count(positions.len()),
            bytes: instructions().map(|instruction| instruction.length).sum(),
            source: None,
            patterns: Vec::new(),
            blockers: Vec::new(),
            listing: Vec::new(),
        };
        let lines: Vec<_> =
            instructions().map(|instruction| self.code.line_at(instruction.address)).collect();
        answer.source = span(&lines);
        if !found.innermost || positions.len() > MOST_IN_LOOP {
            return answer;
        }
        let scene = Scene {
            code: self.code,
            instructions: self.instructions,
            graph: self.graph,
            found,
            iteration: &Iteration::follow(self.graph, found, self.instructions, self.convention),
            positions: &positions,
            machine_bits: self.request.machine_bits,
            unoptimised: build.unoptimised == Some(true),
        };
        answer.patterns = pattern::all(&scene);
        answer.blockers = pattern::blockers(&scene, &answer.patterns);
        answer.listing = self.listing(&positions, lines, weight);
        answer
    }

    fn listing(
        &self,
        positions: &[usize],
        lines: Vec<Option<SourceLine>>,
        whole: Option<u64>,
    ) -> Vec<ListingLine> {
        let listed = positions.iter().zip(lines).filter_map(|(at, source)| {
            let instruction = self.instructions.get(*at)?;
            let weight = self.weights.and_then(|weights| weights.get(*at)).copied();
            let share = weight.and_then(|weight| share(weight, whole?));
            Some(ListingLine {
                address: instruction.address,
                text: self.text(instruction),
                weight,
                share,
                source,
            })
        });
        listed.collect()
    }

    /// The instruction, and the name of what it calls.
    fn text(&self, instruction: &Instruction) -> String {
        let name = match instruction.flow {
            Flow::Call(callee) => self.code.callee(callee),
            _ => None,
        };
        name.map_or_else(|| instruction.text.clone(), |name| format!("{} <{name}>", instruction.text))
    }
}

/// First and last line, when all are of one file.
fn span(lines: &[Option<SourceLine>]) -> Option<SourceSpan> {
    let known = || lines.iter().flatten();
    let file = &known().next()?.file;
    let numbers = || known().map(|source| source.line);
    let one = known().all(|source| source.file == *file);
    one.then_some(())?;
    Some(SourceSpan { file: file.clone(), from: numbers().min()?, to: numbers().max()? })
}
