//! Python's own frames of the processes that run Python, and their place in the native stacks.
//!
//! Native stacks come with the kernel's samples; Python's frames are read from outside at each tick and joined to the
//! hits of the same thread around that moment. Which function was innermost the hit tells by itself
//! (`stacks::python::Moment`); its line and its callers are those of the last look that found it. Where it does not, both
//! are of the same thread and at most [`NEAR`] apart, not of the same instant.
//!
//! Who is looked at off the CPU stands where it left, which is at a call more often than where it computes: kernels let a
//! program go on until its next call before somebody else gets its CPU, and that may be us. So a look at a thread that
//! runs, though older, comes before one at a thread that does not.

mod frames;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use model::Gap;
use model::recording::{COLLECTOR, Frame, Language, Looks, Owner};
use stacks::jitted::{self, Jitted};
use stacks::python::{
    self, CodeId, Habit, Interpreter, Moment, NotPython, PyFrame, PyThread, Running, Runs, Strand,
};
use stacks::{Files, General, ModuleId, PerfMap, Raw, Tree, Unwinder};

use self::frames::Frames;

/// A hit and a look further apart than this are not joined.
const NEAR: u64 = 12_000_000;

/// The same of a look at a thread that ran: on a busy machine one in ten finds it so.
const NEAR_RUNNING: u64 = 100_000_000;

/// All threads are looked at this often, to know who holds the interpreter's lock.
const ALL: u64 = 50_000_000;

/// Looks for an interpreter in a process that mapped a file called python, before it is given up: it takes a moment
/// until it has begun.
const TRIES: u32 = 150;

/// What is missing where Python's frames are.
const FUNCTIONS: &str = "Python functions";

/// A smaller part of the hits without a frame is no news: the interpreter begins and ends without one.
const LEAST_FRAMELESS: f64 = 0.02;

#[derive(Debug, Default)]
pub(crate) struct Pythons {
    /// Processes that may be Python, and how often that was tried.
    maybe: HashMap<u32, u32>,
    known: HashMap<u32, Known>,
    /// Processes recognised since this was last asked for, with their version.
    fresh: Vec<Recognised>,
    /// By thread: the last look, and the last one that found it on a CPU.
    seen: HashMap<u32, Seen>,
    seen_running: HashMap<u32, Seen>,
    /// By the file of the interpreter.
    habits: HashMap<ModuleId, Habit>,
    /// When all threads were last looked at.
    all_read: u64,
    /// How often each thread was looked at, and had the interpreter's lock.
    locks: HashMap<u32, (u32, u32)>,
    /// Processes that mapped a compiler, not yet looked at.
    compiles: HashSet<u32>,
    /// What compilers inside the processes made, kept beyond their end.
    jitted: HashMap<u32, Jitted>,
    looks: Looks,
    /// Since the last look it was tried to read whatever may be Python.
    asked: bool,
    /// By thread: the last hit that told by itself what ran.
    told: HashMap<u32, Told>,
    /// Hits in an evaluation loop, or below one, whose functions nothing told.
    frameless: u64,
    /// Versions that cannot be read, and why.
    unread: BTreeMap<u32, NotPython>,
}

/// Nanoseconds for which what a thread did at some depth is taken for what it does there again.
const DEEPER: u64 = 100_000_000;

/// Looks at each thread that are kept, for functions that the next looks miss.
const RECENT: usize = 64;

/// Threads whose looks are kept, more or less.
const MOST_THREADS: usize = 256;

/// What called a function longer ago than this may not call it now.
const OLDEST: u64 = 1_000_000_000;

/// A thread that was hit since the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WasHit {
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// It has not left its CPU since.
    pub(crate) runs: bool,
    /// When it left its CPU, where that is known: so it stands since then.
    pub(crate) left: Option<u64>,
}

/// A process that runs Python.
#[derive(Debug)]
pub(crate) struct Recognised {
    pub(crate) pid: u32,
    pub(crate) version: String,
    pub(crate) shows_collector: bool,
}

#[derive(Debug)]
struct Known {
    interpreter: Interpreter,
    /// The file with the evaluation loop, once a stack came through it.
    module: Option<ModuleId>,
    others: HashSet<ModuleId>,
    /// The last looks at each thread, the latest first. Numbers of functions are this interpreter's own.
    recent: HashMap<u32, VecDeque<Arc<Frames>>>,
    /// Frames by what they were made of.
    named: HashMap<(CodeId, Option<u32>), Raw>,
}

/// A thread's native stack that Python's frames belong into.
pub(crate) struct Native<'a> {
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// When it was so. `None`: it still is.
    pub(crate) at: Option<u64>,
    /// As the unwinder has just left them.
    pub(crate) frames: &'a mut Vec<Raw>,
    pub(crate) unwinder: &'a Unwinder,
    /// What they were unwound from, where that is all of it.
    pub(crate) copied: Option<(General<'a>, &'a [u8])>,
}

/// What a hit told.
#[derive(Debug)]
struct Told {
    at: u64,
    /// How many evaluation loops there were.
    loops: usize,
    strands: Vec<Strand>,
}

/// A look at a thread.
#[derive(Debug)]
struct Seen {
    frames: Arc<Frames>,
    /// What the innermost frame had the interpreter do, where that is known.
    doing: Option<Raw>,
    /// A hit has it already.
    joined: bool,
}

impl Pythons {
    /// Whether there is Python to look at, or to look for.
    pub(crate) fn any(&self) -> bool {
        !self.known.is_empty() || !self.maybe.is_empty()
    }

    /// Whether there is Python to look for.
    pub(crate) fn any_unknown(&self) -> bool {
        !self.maybe.is_empty()
    }

    pub(crate) fn knows(&self, pid: u32) -> bool {
        self.known.contains_key(&pid)
    }

    pub(crate) fn mapped(&mut self, pid: u32, path: &[u8]) {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        if name.starts_with(b"python") || name.starts_with(b"libpython") || name.starts_with(b"pypy") {
            self.maybe.entry(pid).or_insert(0);
        }
        if jitted::may_compile(path) {
            self.compiles.insert(pid);
        }
    }

    /// This process may turn out to run Python.
    pub(crate) fn maybe(&mut self, pid: u32) {
        self.maybe.entry(pid).or_insert(0);
    }

    pub(crate) fn forked(&mut self, parent: u32, child: u32) {
        if self.known.contains_key(&parent) {
            self.maybe.entry(child).or_insert(0);
        }
        if let Some(jitted) = self.jitted.get(&parent).map(|jitted| jitted.forked(child)) {
            self.jitted.insert(child, jitted);
        }
    }

    pub(crate) fn forget(&mut self, pid: u32) {
        self.maybe.remove(&pid);
        self.known.remove(&pid);
    }

    /// Processes recognised since the last time, with their version.
    pub(crate) fn recognised(&mut self) -> Vec<Recognised> {
        std::mem::take(&mut self.fresh)
    }

    /// Times a thread was looked at, and those in which it held the interpreter's lock.
    pub(crate) fn lock(&self, tid: u32) -> Option<(u32, u32)> {
        self.locks.get(&tid).copied()
    }

    /// Looks that hits were joined to, where there are any.
    pub(crate) fn looks(&self) -> Option<Looks> {
        (self.looks.hits > 0).then_some(self.looks)
    }

    /// Names of the machine code that was made inside the processes.
    pub(crate) fn maps(&self) -> impl Iterator<Item = (u32, PerfMap)> {
        self.jitted.iter().map(|(pid, jitted)| (*pid, jitted.map()))
    }

    /// Reads the frames of threads that were hit.
    pub(crate) fn look(&mut self, threads: &[WasHit], now: u64, tree: &mut Tree) {
        self.recognise();
        self.asked = false;
        for pid in self.compiles.drain() {
            self.jitted.extend(Jitted::find(pid).map(|jitted| (pid, jitted)));
        }
        self.jitted.values_mut().for_each(Jitted::read);
        for WasHit { pid, tid, runs, left } in threads {
            let since = left.filter(|left| !runs && *left <= now).unwrap_or(now);
            if let Some(seen) = self.read(*pid, *tid, (since, now), tree) {
                let looks = if *runs { &mut self.seen_running } else { &mut self.seen };
                looks.insert(*tid, seen);
            }
        }
        if now.saturating_sub(self.all_read) >= ALL {
            self.all_read = now;
            self.look_at_all(now, tree);
        }
    }

    /// Reads the frames of one thread.
    pub(crate) fn look_at(&mut self, pid: u32, tid: u32, now: u64, tree: &mut Tree) {
        if let Some(seen) = self.read(pid, tid, (now, now), tree) {
            self.seen.insert(tid, seen);
        }
    }

    fn read(&mut self, pid: u32, tid: u32, when: (u64, u64), tree: &mut Tree) -> Option<Seen> {
        let known = self.known.get_mut(&pid)?;
        // A torn reading is of no use; the next one comes soon.
        let thread = known.interpreter.read_thread(tid).ok().flatten()?;
        let seen = known.seen(&thread, when, tree);
        known.keep(tid, &seen.frames);
        Some(seen)
    }

    /// Reads every thread, also those that wait: who holds the lock?
    fn look_at_all(&mut self, now: u64, tree: &mut Tree) {
        for known in self.known.values_mut() {
            let Ok(reading) = known.interpreter.read() else { continue };
            for thread in &reading.threads {
                // Where the look did not tell who has the lock, it says nothing of it.
                if let Some(holds) = thread.holds_lock {
                    let (looked, held) = self.locks.entry(thread.tid).or_default();
                    *looked += 1;
                    *held += u32::from(holds);
                }
                self.seen.insert(thread.tid, known.seen(thread, (now, now), tree));
            }
        }
    }

    /// Reads the frames of a thread that waits now.
    pub(crate) fn look_at_waiting(&mut self, pid: u32, tid: u32, now: u64, tree: &mut Tree) {
        if self.known.contains_key(&pid) {
            self.seen.remove(&tid);
            self.look(&[WasHit { pid, tid, runs: false, left: None }], now, tree);
        }
    }

    /// Tries to read whatever may be Python.
    pub(crate) fn recognise(&mut self) {
        let (known, fresh, unread) = (&mut self.known, &mut self.fresh, &mut self.unread);
        self.maybe.retain(|pid, tries| {
            *tries += 1;
            match Interpreter::find(*pid) {
                Ok(interpreter) => {
                    fresh.push(Recognised {
                        pid: *pid,
                        version: format!("python 3.{}", interpreter.minor()),
                        shows_collector: interpreter.shows_collector(),
                    });
                    known.insert(*pid, Known::new(interpreter));
                    unread.remove(pid);
                    false
                }
                Err(why) => {
                    if matches!(why, NotPython::Unsupported { .. } | NotPython::FreeThreaded { .. }) {
                        unread.insert(*pid, why);
                    }
                    *tries < TRIES
                }
            }
        });
    }

    /// What is not known of Python's functions, and why.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = Vec::new();
        for why in self.unread.values() {
            let next = Some("run it with a Python of a version that is read");
            let gap = Gap::new(FUNCTIONS, why.to_string(), next);
            if !gaps.contains(&gap) {
                gaps.push(gap);
            }
        }
        let hits = self.looks.hits + self.frameless;
        let share = self.frameless as f64 / hits.max(1) as f64;
        if share >= LEAST_FRAMELESS {
            let why = format!(
                "{:.0} % of Python's hits have no Python frame: looks at its frames came too late or found them moving",
                share * 100.0
            );
            gaps.push(Gap::new(FUNCTIONS, why, Some("record a longer run, or on a machine with less to do")));
        }
        gaps
    }

    /// Puts a thread's Python frames into its native stack, when there are some of about that moment.
    pub(crate) fn weave(&mut self, native: Native<'_>, tree: &mut Tree) {
        let Native { pid, tid, at, frames, unwinder, copied } = native;
        // What was told together with its first hits was not known at the last look.
        if !self.asked && self.maybe.contains_key(&pid) {
            self.asked = true;
            self.recognise();
        }
        let Some(known) = self.known.get_mut(&pid) else { return };
        for frame in frames.iter() {
            known.learn(frame, unwinder.files());
        }
        let evals: Vec<usize> =
            (0..).zip(frames.iter()).filter(|(_, raw)| known.is_eval(raw)).map(|(at, _)| at).collect();
        let loops = evals.len();
        let kept = known.recent.get(&tid).cloned().unwrap_or_default();
        let is_recent = |frames: &&Arc<Frames>| at.is_none_or(|at| frames.apart(at) <= OLDEST);
        let mut recent = kept.iter().filter(is_recent);
        let habit = known.module.map(|module| self.habits.entry(module).or_default());
        let exact = copied.zip(habit).and_then(|(copied, habit)| {
            let runs = if evals.first() == Some(&0) { Runs::Itself } else { Runs::Called };
            let running = known.running(habit, *evals.first()?, runs, unwinder, copied)?;
            let found = if known.interpreter.has_loop_for_each() {
                let next = evals.get(1);
                let caller = next.and_then(|at| known.running(habit, *at, Runs::Another, unwinder, copied));
                let caller = caller.map(|running| running.code);
                match recent.clone().find_map(|frames| frames.below(loops, caller, running.code)) {
                    Some(found) => found,
                    None => {
                        let last =
                            recent.clone().find(|frames| at.is_none_or(|at| frames.apart(at) <= DEEPER));
                        let mut own = |frame| known.running(habit, frame, Runs::Another, unwinder, copied);
                        let codes: Vec<_> =
                            evals.iter().skip(1).map(|at| own(*at).map(|own| own.code)).collect();
                        let callers = known.callers(&codes, last.map(|last| &**last), tree)?;
                        return Some([&[known.strand(running.code, running.line, tree)], &*callers].concat());
                    }
                }
            } else {
                let same = recent.clone().filter(|frames| frames.loops == loops);
                let of = |guessed: bool| {
                    let mut like = same.clone().filter(|frames| frames.guessed == guessed);
                    like.find_map(|frames| frames.of(running.code))
                };
                of(false).or_else(|| of(true))?
            };
            let entry = found.function.is_none_or(|function| function.entry);
            let told = Strand { entry, ..known.strand(running.code, running.line, tree) };
            // Where the loop has called something, the hit often lacks the line: who took it only where it is there would see
            // too little of such lines. A look lacks none, but that of a caller is where it calls.
            let by_look = found.function.filter(|_| found.innermost || running.line.is_none());
            Some([&[by_look.unwrap_or(told)], found.callers].concat())
        });
        let near = |seen: &&mut Seen, most: u64| at.is_none_or(|at| seen.frames.apart(at) <= most);
        let standing = self.seen.get_mut(&tid).filter(|seen| near(seen, NEAR));
        let while_running = self.seen_running.get_mut(&tid).filter(|_| at.is_some());
        let while_running = while_running.filter(|seen| near(seen, NEAR_RUNNING));
        // One of another depth was somewhere else.
        let is_elsewhere = |seen: &&mut Seen| {
            seen.frames.loops != loops && standing.as_ref().is_some_and(|seen| seen.frames.loops == loops)
        };
        let mut seen = match while_running {
            Some(seen) if !is_elsewhere(&seen) => Some(seen),
            _ => standing,
        };
        // A hit that told nothing comes a moment after one that did: a thread as deep as then is where it was.
        let exact = match (exact, at) {
            (Some(strands), Some(at)) => {
                self.told.insert(tid, Told { at, loops, strands: strands.clone() });
                Some(strands)
            }
            (None, Some(at)) if loops > 0 && seen.as_ref().is_none_or(|seen| seen.frames.loops != loops) => {
                let last = self.told.get(&tid).filter(|told| told.loops == loops);
                last.filter(|told| at.saturating_sub(told.at) <= NEAR).map(|told| told.strands.clone())
            }
            (exact, _) => exact,
        };
        let joined = seen.as_mut().map(|seen| std::mem::replace(&mut seen.joined, true));
        if at.is_some() && (exact.is_some() || seen.is_some()) {
            self.looks.hits += 1;
            self.looks.looks += u64::from(exact.is_some() || joined == Some(false));
        }
        let doing = seen.as_ref().and_then(|seen| seen.doing);
        let woven = match (exact, seen) {
            (Some(strands), _) => python::weave(frames, |raw| known.is_eval(raw), &strands),
            (None, Some(seen)) => {
                // A look comes a moment after the hit: where the thread has come back from something meanwhile, it was last
                // seen in that a short time ago.
                let is_back = loops > seen.frames.loops && at.is_some();
                let deeper = recent.find(|frames| frames.loops == loops && is_back);
                let deeper = deeper.filter(|frames| at.is_none_or(|at| frames.apart(at) <= DEEPER));
                python::weave(frames, |raw| known.is_eval(raw), &deeper.unwrap_or(&seen.frames).strands)
            }
            (None, None) => {
                // Looks have failed, or came late: a thread as deep as a short time ago is most likely where it was.
                let same = recent.find(|frames| frames.loops == loops && loops > 0);
                let same = same.filter(|frames| at.is_none_or(|at| frames.apart(at) <= DEEPER));
                let Some(same) = same else {
                    self.frameless += u64::from(loops > 0 && at.is_some());
                    return;
                };
                self.looks.hits += u64::from(at.is_some());
                python::weave(frames, |raw| known.is_eval(raw), &same.strands)
            }
        };
        *frames = woven.frames;
        frames.splice(0..0, doing);
    }
}

impl Known {
    fn new(interpreter: Interpreter) -> Self {
        Self {
            interpreter,
            module: None,
            others: HashSet::new(),
            recent: HashMap::new(),
            named: HashMap::new(),
        }
    }

    fn seen(&mut self, thread: &PyThread, (since, at): (u64, u64), tree: &mut Tree) -> Seen {
        let mut strand =
            |frame: &PyFrame| Strand { frame: self.named(frame.code, frame.line, tree), entry: frame.entry };
        let strands: Vec<Strand> = thread.frames.iter().map(&mut strand).collect();
        let loops = strands.iter().filter(|strand| strand.entry).count();
        let codes = thread.frames.iter().map(|frame| frame.code).collect();
        let collecting = thread.collecting == Some(true);
        let doing = collecting.then(|| Raw::Named(tree.name_frame(collector())));
        Seen {
            frames: Arc::new(Frames { since, at, strands, codes, loops, guessed: thread.guessed }),
            doing,
            joined: false,
        }
    }

    /// Keeps a look for the hits to come. Threads that were not looked at for long are forgotten when there are many.
    fn keep(&mut self, tid: u32, frames: &Arc<Frames>) {
        if self.recent.len() >= MOST_THREADS && !self.recent.contains_key(&tid) {
            let is_recent = |last: &Arc<Frames>| last.at.saturating_add(OLDEST) >= frames.at;
            self.recent.retain(|_, looks| looks.front().is_some_and(is_recent));
        }
        let recent = self.recent.entry(tid).or_default();
        recent.truncate(RECENT - 1);
        recent.push_front(Arc::clone(frames));
    }

    /// The callers of the innermost loop's function where each function has a loop of its own: as their loops tell, else as
    /// the last look found them at that height, because outer functions change least. `None` when neither tells.
    fn callers(
        &mut self,
        codes: &[Option<CodeId>],
        last: Option<&Frames>,
        tree: &mut Tree,
    ) -> Option<Vec<Strand>> {
        let callers = codes.iter().enumerate().map(|(at, code)| {
            let seen = last.and_then(|last| last.caller(*code, codes.len() - at));
            seen.or_else(|| code.map(|code| self.strand(code, None, tree)))
        });
        callers.collect()
    }

    fn strand(&mut self, code: CodeId, line: Option<u32>, tree: &mut Tree) -> Strand {
        Strand { frame: self.named(code, line, tree), entry: true }
    }

    fn named(&mut self, code: CodeId, line: Option<u32>, tree: &mut Tree) -> Raw {
        *self.named.entry((code, line)).or_insert_with(|| {
            let frame = PyFrame { code, line, entry: false };
            Raw::Named(tree.name_frame(self.interpreter.frame(&frame, |_| Owner::Unknown)))
        })
    }

    /// What the evaluation loop of a native frame ran, where the registers and the stack of that moment tell.
    fn running(
        &mut self,
        habit: &mut Habit,
        frame: usize,
        runs: Runs,
        unwinder: &Unwinder,
        (general, stack): (General<'_>, &[u8]),
    ) -> Option<Running> {
        let frame = unwinder.stack_pointer(frame)?.checked_sub(general.unwound_from().sp)?;
        let moment = Moment { general, runs, stack, frame: usize::try_from(frame).ok()? };
        self.interpreter.running(habit, &moment)
    }

    fn is_eval(&self, raw: &Raw) -> bool {
        match raw {
            Raw::Native { module, address } => {
                Some(*module) == self.module && self.interpreter.eval().contains(*address)
            }
            _ => false,
        }
    }

    fn learn(&mut self, frame: &Raw, files: &Files) {
        let Raw::Native { module, .. } = frame else { return };
        if self.module.is_some() || self.others.contains(module) {
            return;
        }
        let same = files.module(*module).is_some_and(|file| file.path() == self.interpreter.eval().path);
        if same {
            self.module = Some(*module);
        } else {
            self.others.insert(*module);
        }
    }
}

/// The CPU that we run on.
pub(crate) fn this_cpu() -> Option<u32> {
    // SAFETY: takes nothing and touches no memory.
    u32::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The garbage collector at work: most interpreters have no symbols that would name it.
fn collector() -> Frame {
    Frame {
        language: Language::Python,
        function: Some(COLLECTOR.to_owned()),
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Runtime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_without_python_frames_are_told_with_their_share() {
        let mut pythons = Pythons::default();
        (pythons.looks.hits, pythons.frameless) = (990, 10);
        assert!(pythons.gaps().is_empty());
        (pythons.looks.hits, pythons.frameless) = (80, 20);
        let gaps = pythons.gaps();
        assert!(gaps[0].why.starts_with("20 % of Python's hits have no Python frame"), "{gaps:?}");
    }

    #[test]
    fn a_version_that_is_not_read_is_told_once() {
        let mut pythons = Pythons::default();
        for pid in [1, 2] {
            pythons.unread.insert(pid, NotPython::Unsupported { minor: 7 });
        }
        let gaps = pythons.gaps();
        assert_eq!(gaps.len(), 1);
        assert!(gaps[0].why.contains("Python 3.7"), "{gaps:?}");
    }
}
