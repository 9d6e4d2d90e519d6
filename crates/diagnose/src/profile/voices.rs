//! What the names on a stack say of a wait for a word of memory.

use std::collections::HashSet;

use model::doctor::Level;
use model::recording::{EXPIRED, Language, Object, Recording, Source, TIMED, Wait};

use super::places::Places;

/// Words of functions that wait until somebody has work for them.
const CONDITION: [&str; 16] = [
    "cond_wait",
    "cond_timedwait",
    "cond_clockwait",
    "condvar",
    "condition",
    "park",
    "sem_wait",
    "sem_clockwait",
    "semaphore::wait",
    "worker",
    "queue",
    "notesleep",
    "recv",
    "wait_for",
    "threadpool",
    "thread_pool",
];

/// Words of functions that wait for somebody to let go.
const CONTENTION: [&str; 10] = [
    "mutex_lock",
    "mutex::lock",
    "lll_lock_wait",
    "lock_contended",
    "rwlock",
    "take_gil",
    "objectmonitor::enter",
    "runtime.lock",
    "spinlock",
    "barrier",
];

/// Those of them that one thread alone ends: the one that had what they want.
const EXCLUSIVE: [&str; 6] =
    ["mutex_lock", "mutex::lock", "lll_lock_wait", "lock_contended", "objectmonitor::enter", "runtime.lock"];

/// Words of functions that wait on a condition until a set time, …
const SET: [&str; 6] =
    ["cond_timedwait", "cond_clockwait", "nanos", "wait_timeout", "park_timeout", "wait_until"];

/// … and on a semaphore.
const SEMAPHORE: [&str; 4] = ["sem_timedwait", "sem_clockwait", "sem_wait_slow", "acquire_lock_timed"];

/// Functions of Python that wait for its interpreter's own lock, or until another thread has taken it.
const INTERPRETER: [&str; 2] = ["take_gil", "drop_gil"];

pub(crate) fn wants_interpreter(function: &str) -> bool {
    INTERPRETER.iter().any(|name| function.contains(name))
}

/// A function of the JVM that does nothing but wait until a set time, on a lock that nobody else has.
pub(crate) fn is_sleep(function: &str) -> bool {
    let names =
        ["java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep", "JVM_Sleep", "JavaThread::sleep"];
    names.iter().any(|name| function.starts_with(name))
}

/// What the functions of a stack speak of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voice {
    pub(super) condition: bool,
    pub(super) contention: bool,
    pub(super) sleep: bool,
    set: bool,
    semaphore: bool,
    python: bool,
    pub(super) interpreter: bool,
    pub(super) exclusive: bool,
}

impl Voice {
    /// Of a wait that nobody ended: the time that it had set itself did. Whoever wants Python's own lock looks up every 5 ms, on
    /// a condition; what Python itself waits for is a semaphore.
    pub(super) fn expires(&self) -> bool {
        !self.contention && !self.interpreter && (self.semaphore || self.set && !self.python)
    }

    fn or(self, other: Self) -> Self {
        Self {
            condition: self.condition || other.condition,
            contention: self.contention || other.contention,
            sleep: self.sleep || other.sleep,
            set: self.set || other.set,
            semaphore: self.semaphore || other.semaphore,
            python: self.python || other.python,
            interpreter: self.interpreter || other.interpreter,
            exclusive: self.exclusive || other.exclusive,
        }
    }
}

/// For every stack.
pub(super) struct Voices(Vec<Voice>);

impl Voices {
    fn of(places: &Places<'_>) -> Self {
        let speaks = |name: &str, words: &[&str]| words.iter().any(|word| name.contains(word));
        let of_function = places.functions.iter().map(|place| {
            let name = place.function.to_ascii_lowercase();
            Voice {
                condition: speaks(&name, &CONDITION),
                contention: speaks(&name, &CONTENTION),
                sleep: is_sleep(&place.function),
                set: speaks(&name, &SET),
                semaphore: speaks(&name, &SEMAPHORE),
                python: place.language == Language::Python,
                interpreter: wants_interpreter(&place.function),
                exclusive: speaks(&name, &EXCLUSIVE),
            }
        });
        let of_function: Vec<Voice> = of_function.collect();
        let mut voices: Vec<Voice> = Vec::with_capacity(places.views.len());
        for view in &places.views {
            let own = of_function.get(view.function as usize).copied().unwrap_or_default();
            let outer = voices.get(view.parent as usize).copied().unwrap_or_default();
            voices.push(own.or(outer));
        }
        Self(voices)
    }

    pub(super) fn of_stack(&self, stack: u32) -> Voice {
        self.0.get(stack as usize).copied().unwrap_or_default()
    }
}

/// Tells which waits for a word a set time ended: the JVM, .NET and everybody's conditions sleep like that.
pub(super) struct Clock {
    /// For every call, whether it waits for some time at most.
    pub(super) timed: Vec<bool>,
    pub(super) voices: Voices,
    /// Whoever wakes somebody is seen.
    sees_wakers: bool,
    /// Words of memory that Python's own lock stands on, by their place in the table of objects.
    interpreter: HashSet<u32>,
    /// Calls from stacks that somebody ended once: it waits for that, and looks up now and then.
    told: HashSet<(u32, u32)>,
}

impl Clock {
    pub(super) fn of(recording: &Recording, places: &Places<'_>) -> Self {
        let sees_wakers = matches!(recording.source, Source::Slowpath(Level::A | Level::B | Level::C));
        let told = recording.waits.iter().filter(|wait| wait.by.is_some());
        let told = told.filter_map(|wait| Some((wait.call?, wait.stack?))).collect();
        let timed = |detail: &str| detail == TIMED || detail == EXPIRED;
        let timed = recording.calls.iter().map(|call| call.detail.as_deref().is_some_and(timed)).collect();
        let voices = Voices::of(places);
        let wants = recording
            .waits
            .iter()
            .filter(|wait| wait.stack.is_some_and(|stack| voices.of_stack(stack).interpreter));
        let interpreter = wants.filter_map(|wait| word_of(recording, wait)).collect();
        Self { timed, voices, sees_wakers, interpreter, told }
    }

    /// It is for Python's own lock, by its stack or, where nobody looked, by its word.
    pub(super) fn wants_interpreter(&self, recording: &Recording, wait: &Wait) -> bool {
        match wait.stack {
            Some(stack) => self.voices.of_stack(stack).interpreter,
            None => word_of(recording, wait).is_some_and(|word| self.interpreter.contains(&word)),
        }
    }

    pub(super) fn ended(&self, wait: &Wait) -> bool {
        let (Some(call), Some(stack), None) = (wait.call, wait.stack, wait.by) else { return false };
        let voice = self.voices.of_stack(stack);
        let is_sleep =
            voice.sleep || self.sees_wakers && voice.expires() && !self.told.contains(&(call, stack));
        is_sleep && self.timed.get(call as usize) == Some(&true)
    }
}

/// The word that a wait stands on: its position in the table of objects.
fn word_of(recording: &Recording, wait: &Wait) -> Option<u32> {
    let word = recording.calls.get(wait.call? as usize)?.object?;
    let is_word = matches!(recording.objects.get(word as usize)?, Object::Lock { .. });
    is_word.then_some(word)
}
