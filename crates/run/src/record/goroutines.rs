//! Goroutines of the Go programs in the tree: what each does, looked at each tick.
//!
//! A goroutine that waits has no thread, so neither switches nor stacks of threads tell of it. What one look finds
//! stands for the time halfway to the looks before and after; a goroutine that has not left its wait in between is
//! known to have waited throughout.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use model::task::{Doing, Task, TaskSpan};
use model::{Gap, Nanos};
use stacks::Raw;
use stacks::go::{self, Goroutine, NotGo, Runtime};

use super::assemble::{Assembler, index};
use crate::clock::of_this_thread;

/// Between two looks, unless they take long.
const TICK: u64 = 9_000_000;

/// A look is followed by at least so many times the CPU time it took without one: looks take at most 5 % of a CPU.
const REST: u64 = 20;

/// But not for longer than this: what one look reads is bounded.
const LONGEST_REST: u64 = 100_000_000;

/// Spans kept. Programs whose goroutines change at every look would otherwise fill memory in an hour.
const MOST_SPANS: usize = 2_000_000;

#[derive(Debug, Default)]
pub(super) struct Goroutines {
    /// Processes with a program that nobody has looked at, or too early.
    fresh: Vec<u32>,
    programs: Vec<Program>,
    tasks: Vec<Task>,
    lives: Vec<Life>,
    by_id: HashMap<(u32, u64), u32>,
    /// Why some could not be read.
    refusals: BTreeSet<String>,
    next: u64,
    spans: usize,
}

/// A Go program that runs.
#[derive(Debug)]
struct Program {
    pid: u32,
    process: u32,
    runtime: Runtime,
    looked: u64,
}

/// One goroutine's spans so far.
#[derive(Debug)]
struct Life {
    looked: u64,
    parkings: u8,
    returns: Arc<[u64]>,
    spans: Vec<Span>,
}

/// A [`TaskSpan`] whose stack and times are still the recorder's.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: u64,
    to: u64,
    doing: Doing,
    thread: Option<u32>,
    call: Option<u32>,
    stack: Option<u32>,
    looks: u32,
    parkings: u32,
}

impl Goroutines {
    /// The process has loaded a program.
    pub(super) fn loaded(&mut self, pid: u32) {
        self.fresh.push(pid);
    }

    pub(super) fn forget(&mut self, pid: u32) {
        self.fresh.retain(|fresh| *fresh != pid);
        self.programs.retain(|program| program.pid != pid);
    }

    /// Whether there is Go to look at, or to look for.
    pub(super) fn any(&self) -> bool {
        !self.programs.is_empty() || !self.fresh.is_empty()
    }

    pub(super) fn gap(&self) -> Option<Gap> {
        let why: Vec<&str> = self.refusals.iter().map(String::as_str).collect();
        let next = Some("build it without `-ldflags=-s`, with a released version of Go");
        (!why.is_empty()).then(|| Gap::new("what goroutines wait for", why.join("; "), next))
    }

    /// The tables of a recording. `since` makes its times, `stack` its stacks.
    pub(super) fn tables(
        self,
        since: impl Fn(u64) -> Nanos,
        stack: impl Fn(u32) -> Option<u32>,
    ) -> (Vec<Task>, Vec<TaskSpan>) {
        let spans = (0..).zip(&self.lives).flat_map(|(task, life)| {
            let task: u32 = task;
            life.spans.iter().map(move |span| (task, *span))
        });
        let spans = spans.map(|(task, span)| TaskSpan {
            task,
            from: since(span.from),
            to: since(span.to),
            doing: span.doing,
            thread: span.thread,
            call: span.call,
            stack: span.stack.and_then(&stack),
            looks: span.looks,
            parkings: span.parkings,
        });
        let spans = spans.collect();
        (self.tasks, spans)
    }

    /// Adds what one look found of a goroutine. `before`: when its program was looked at last.
    fn add(&mut self, process: u32, goroutine: &Goroutine, now: u64, before: u64, seen: Seen) {
        let task = *self.by_id.entry((process, goroutine.id)).or_insert_with(|| {
            self.tasks.push(Task { process, id: goroutine.id, main: goroutine.id == go::MAIN });
            self.lives.push(Life {
                looked: before,
                parkings: goroutine.parkings.wrapping_sub(1),
                returns: Arc::from([]),
                spans: Vec::new(),
            });
            index(self.tasks.len() - 1)
        });
        let Some(life) = self.lives.get_mut(task as usize) else { return };
        let parkings = goroutine.parkings.wrapping_sub(life.parkings);
        let middle = life.looked + now.saturating_sub(life.looked) / 2;
        let is_same = |last: &Span| {
            parkings == 0
                && (last.doing, last.thread, last.call, last.stack)
                    == (seen.doing, seen.thread, seen.call, seen.stack)
        };
        (life.looked, life.parkings) = (now, goroutine.parkings);
        life.returns = Arc::clone(&goroutine.returns);
        // Half a tick after the look; the next one knows better.
        let to = now + TICK / 2;
        match life.spans.last_mut() {
            Some(last) if is_same(last) => {
                last.to = to;
                last.looks += 1;
                return;
            }
            Some(last) => last.to = middle.max(last.from),
            None => {}
        }
        if self.spans < MOST_SPANS {
            self.spans += 1;
            let Seen { doing, thread, call, stack } = seen;
            let parkings = u32::from(parkings);
            life.spans.push(Span { from: middle, to, doing, thread, call, stack, looks: 1, parkings });
        }
    }

    /// The stack a goroutine was last seen with, if it is the same still.
    fn known_stack(&self, process: u32, goroutine: &Goroutine) -> Option<u32> {
        let task = self.by_id.get(&(process, goroutine.id))?;
        let life = self.lives.get(*task as usize)?;
        let last = life.spans.last()?;
        last.stack.filter(|_| Arc::ptr_eq(&life.returns, &goroutine.returns))
    }
}

/// What a look says of one goroutine, in the recorder's tables.
#[derive(Clone, Copy)]
struct Seen {
    doing: Doing,
    thread: Option<u32>,
    call: Option<u32>,
    stack: Option<u32>,
}

/// Looks at all Go programs, when it is time.
pub(super) fn look(assembler: &mut Assembler, now: u64) {
    if now < assembler.goroutines.next {
        return;
    }
    let begun = of_this_thread();
    recognise(assembler, now);
    let mut programs = std::mem::take(&mut assembler.goroutines.programs);
    programs.retain_mut(|program| look_at(assembler, program, now).is_some());
    assembler.goroutines.programs = programs;
    let took = of_this_thread().as_nanos().saturating_sub(begun.as_nanos());
    assembler.goroutines.next = now + took.saturating_mul(REST).clamp(TICK, LONGEST_REST);
}

/// Finds the Go programs among those just loaded.
fn recognise(assembler: &mut Assembler, now: u64) {
    for pid in std::mem::take(&mut assembler.goroutines.fresh) {
        let Some(process) = assembler.process_index(pid) else { continue };
        match Runtime::find(pid) {
            Ok(runtime) => {
                let version = runtime.version().trim_start_matches("go");
                if let Some(process) = assembler.processes.get_mut(process as usize) {
                    process.runtime = Some(format!("go {version}"));
                }
                assembler.goroutines.programs.push(Program { pid, process, runtime, looked: now });
            }
            Err(NotGo::OtherProgram | NotGo::Unreadable { .. }) => {}
            Err(NotGo::TooEarly) => assembler.goroutines.fresh.push(pid),
            Err(refusal @ (NotGo::Stripped | NotGo::Unsupported { .. })) => {
                let name = assembler.processes.get(process as usize).map_or("", |process| &process.name);
                assembler.goroutines.refusals.insert(format!("{name}: {refusal}"));
            }
        }
    }
}

/// `None` when the program has ended.
fn look_at(assembler: &mut Assembler, program: &mut Program, now: u64) -> Option<()> {
    let goroutines = program.runtime.look().ok()?;
    for goroutine in &goroutines {
        let (doing, tid, reason) = match goroutine.doing {
            go::Doing::Running { tid } => (Doing::Running, tid, None),
            go::Doing::Call { tid } => (Doing::Call, tid, None),
            go::Doing::Ready => (Doing::Ready, None, None),
            go::Doing::Waiting { reason } => (Doing::Waiting, None, Some(reason)),
        };
        let known = assembler.goroutines.known_stack(program.process, goroutine);
        let stack = known.or_else(|| stack(assembler, program.pid, &goroutine.returns));
        let reason = reason.map(|reason| program.runtime.reason(reason)).filter(|words| !words.is_empty());
        let call = reason.map(|words| assembler.sights.call(words, None));
        let thread = tid.and_then(|tid| assembler.living_thread(tid));
        let seen = Seen { doing, thread, call, stack };
        assembler.goroutines.add(program.process, goroutine, now, program.looked, seen);
    }
    program.looked = now;
    Some(())
}

/// The stack of a goroutine that waits. `None` when it was not read.
fn stack(assembler: &mut Assembler, pid: u32, returns: &[u64]) -> Option<u32> {
    let frames: Vec<Raw> = returns.iter().map(|back| assembler.unwinder.returning(pid, *back)).collect();
    assembler.tree.intern(&frames)
}
