//! What was assembled, with names: the recording.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use model::doctor::Level;
use model::recording::{self, Cost, Language, LockShare, Owner, Recording, Source, Span, Weight, Why};
use model::{Arg, Nanos};
use stacks::owner::Place;
use stacks::{PerfMaps, Project};

use super::assemble::{Assembler, Wait};
use super::cut::Cut;
use super::generated::Generated;
use super::watched::in_one;

/// Names every frame and fills the tables. `asked`: runtimes were asked for maps, which are taken away again.
pub(super) fn recording(
    mut assembler: Assembler,
    asked: bool,
    watched: Vec<Span>,
    end: u64,
    level: Level,
    project: &Project,
    cost: Cost,
) -> (Recording, Vec<Generated>, Cut) {
    let start = assembler.start.unwrap_or(end);
    let since = |at: u64| Nanos::from_nanos(at.saturating_sub(start));
    let maps = perf_maps(&mut assembler);
    let generated = assembler.generated.take().map(|code| code.told(&maps)).unwrap_or_default();
    if asked {
        super::runtimes::tidy(&assembler.processes);
    }
    let Assembler {
        processes,
        threads,
        unwinder,
        tree,
        hits,
        touches,
        waits,
        sights,
        mut losses,
        cuts,
        period,
        pythons,
        goroutines,
        newborns,
        ..
    } = assembler;
    let mut resolved = stacks::resolve(&tree, unwinder.files(), &maps, project);
    let script = script(&processes);
    let scripts =
        [project.clone(), Project { root: script.unwrap_or_else(|| project.root.clone()), program: None }];
    let text =
        processes.iter().any(|process| stacks::is_python_text(process.argv.iter().map(OsString::as_os_str)));
    for frame in resolved.frames.iter_mut() {
        let scripted =
            matches!(frame.language, Language::Python | Language::JavaScript) || is_compiled(frame);
        if scripted && frame.owner != Owner::Runtime {
            let place = Place { file: frame.file.as_deref(), ..Place::default() };
            let own = scripts.iter().any(|project| project.owner(place) == Owner::Project);
            let own = own || text && is_of_text(frame);
            frame.owner = if own { Owner::Project } else { project.owner(place) };
        }
    }
    super::instrument::name(&mut resolved);
    let cut = cuts.judged(&resolved);
    losses.cut_stacks = losses.cut_stacks.saturating_sub(cut.whole);
    let stack = |raw: u32| resolved.stack_of.get(raw as usize).copied();
    let by_tid: HashMap<u32, u32> = threads
        .iter()
        .enumerate()
        .map(|(index, thread)| (thread.tid, super::assemble::index(index)))
        .collect();
    let mut recording = Recording::new(Source::Slowpath(level), Weight::CpuTime);
    recording.wall = Some(since(end));
    recording.period = Some(Nanos::from_nanos(period));
    let mut returning = super::returning::Returning::new(&resolved);
    recording.hits = hits
        .iter()
        .filter(|hit| hit.at >= start)
        .map(|hit| recording::Hit {
            at: since(hit.at),
            thread: hit.thread,
            stack: hit.stack.and_then(stack).map(|stack| returning.interrupted(stack)),
            weight: hit.weight,
        })
        .collect();
    let mut touched: BTreeMap<u32, u64> = BTreeMap::new();
    for (stack, pages) in touches.into_iter().filter_map(|(raw, pages)| Some((stack(raw)?, pages))) {
        *touched.entry(stack).or_default() += pages;
    }
    recording.touches = touched.into_iter().map(|(stack, pages)| recording::Touch { stack, pages }).collect();
    recording.looks = pythons.looks();
    recording.losses = losses;
    let mut told: Vec<recording::Wait> = Vec::with_capacity(waits.len());
    // Before its own clock began, it was us.
    for wait in waits.iter().filter(|wait| wait.to > start) {
        let sight = wait.sight.or_else(|| guess(wait, &threads));
        let raw = wait.stack.or_else(|| sights.stack_of(sight?.place));
        let call = wait.fault.or(sight.map(|sight| sight.call));
        let why = if wait.why == Why::Unknown && sight.is_some() { Why::Call } else { wait.why };
        recording.losses.unexplained_waits += u64::from(why == Why::Unknown);
        told.push(recording::Wait {
            thread: wait.thread,
            from: since(wait.from),
            to: since(wait.to),
            woken: wait.woken.map(since),
            why,
            call,
            stack: raw.and_then(stack),
            by: wait.by,
            holder: wait.holder.and_then(|holder| by_tid.get(&holder).copied()),
            cpu: wait.cpu,
        });
    }
    told.sort_by_key(|wait| wait.to);
    recording.waits = told;
    (recording.tasks, recording.task_spans) = goroutines.tables(since, stack);
    (recording.objects, recording.calls) = sights.tables();
    recording.modules = resolved.modules;
    recording.frames = resolved.frames;
    recording.nodes = resolved.nodes;
    recording.watched = watched;
    recording.cost = Some(cost);
    recording.processes = processes
        .into_iter()
        .map(|process| recording::Process {
            pid: process.pid,
            parent: process.parent,
            name: process.name,
            program: process.program.map(|program| Arg::from(program.into_os_string())),
            argv: process.argv.into_iter().map(Arg::from).collect(),
            from: since(process.from),
            to: process.to.map(since),
            runtime: process.runtime,
            shows_collector: process.shows_collector,
            loaded: process.loaded.map(since),
        })
        .collect();
    recording.threads = threads
        .into_iter()
        .map(|thread| {
            let always = recording.watched.is_empty();
            let to_end =
                always || in_one(&recording.watched, since(thread.asked), since(thread.to.unwrap_or(end)));
            let scheduled = if to_end { thread.scheduled_to_end() } else { thread.scheduled() };
            recording::Thread {
                tid: thread.tid,
                process: thread.process,
                name: thread.name,
                from: since(thread.from),
                to: thread.to.map(since),
                on_cpu: always.then_some(thread.on_cpu).or(thread.left_for_it).map(Nanos::from_nanos),
                scheduler_on_cpu: scheduled.map(|(on_cpu, _)| Nanos::from_nanos(on_cpu)),
                queued: scheduled.map(|(_, queued)| Nanos::from_nanos(queued)),
                user: thread.modes.map(|(user, _)| user),
                system: thread.modes.map(|(_, system)| system),
                out_of_sight: thread.out_of_sight.map(since),
                period: newborns.born_with(thread.from).map(Nanos::from_nanos),
                interpreter_lock: pythons.lock(thread.tid).map(|(looked, held)| LockShare { held, looked }),
            }
        })
        .collect();
    (recording, generated, cut)
}

/// Machine code that was made of a script's function.
fn is_compiled(frame: &recording::Frame) -> bool {
    frame.module.is_none() && frame.file.as_deref().is_some_and(|file| file.ends_with(".py"))
}

/// The folder of the script that was asked for, which is the user's own wherever it lies.
fn script(processes: &[super::assemble::Process]) -> Option<PathBuf> {
    let first = processes.first()?;
    let words = first.argv.iter().skip(1).map(Path::new);
    let script = words.filter(|word| word.extension().is_some()).find(|word| word.is_file())?;
    std::path::absolute(script).ok()?.parent().map(Path::to_owned)
}

pub(crate) fn is_of_text(frame: &recording::Frame) -> bool {
    stacks::is_of_text(frame.file.as_deref(), frame.function.as_deref())
}

/// A wait too short for a look, of which no record told the call: the call its thread was last seen in.
fn guess(wait: &Wait, threads: &[super::thread::Thread]) -> Option<super::sight::Sight> {
    if wait.why != Why::Unknown {
        return None;
    }
    threads.get(wait.thread as usize)?.last_sight
}

/// The maps of code made at run time that the processes left behind.
fn perf_maps(assembler: &mut Assembler) -> PerfMaps {
    let mut maps = PerfMaps::default();
    for (pid, grown) in std::mem::take(&mut assembler.code_names).grown() {
        maps.insert_grown(pid, grown);
    }
    for process in &assembler.processes {
        if maps.map(process.pid).is_none() {
            maps.read(process.pid, process.has_written_since());
        }
    }
    std::mem::take(&mut assembler.nameless).tell(&assembler.processes, &mut maps);
    for (pid, map) in assembler.pythons.maps() {
        if maps.map(pid).is_none() {
            maps.insert(pid, map);
        }
    }
    maps
}
