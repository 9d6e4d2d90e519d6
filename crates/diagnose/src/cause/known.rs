//! Names by which libraries and runtimes are known: what a wait is for, who makes threads, what a call stands for.

use model::profile::{Place, WaitSite};
use model::recording::{Frame, Language, Owner};
use model::source::{Context, Trait, TraitKind};

use crate::profile::voices::is_sleep;

/// It waits for somebody to connect: nothing but its clients holds it up.
pub(super) fn listens(site: &WaitSite) -> bool {
    let call = site.call.as_deref().unwrap_or_default();
    let loops = ["serve_forever", "accept", "Accept", "listen"];
    let serves = || site.stack.iter().any(|place| loops.iter().any(|name| place.function.contains(name)));
    let unconnected = matches!(site.what.as_deref(), Some("tcp socket" | "unix socket")) && serves();
    call.starts_with("accept")
        || unconnected
            && matches!(call, "poll" | "ppoll" | "select" | "pselect6" | "epoll_wait" | "epoll_pwait")
}

/// Below the functions that turn a name into an address.
pub(super) fn resolves(site: &WaitSite) -> bool {
    let names = [
        "getaddrinfo",
        "gethostbyname",
        "__res_",
        "ares_",
        "net.(*Resolver).",
        "java.net.InetAddress.getAllByName",
    ];
    // Packages that speak to name servers themselves.
    let files = ["/dns/resolver.py", "/dns/asyncresolver.py", "/dns/query.py", "/dns/asyncquery.py"];
    let is_resolver = |place: &Place| {
        let name = place.function.trim_start_matches("__GI_");
        let file = place.file.as_deref().unwrap_or_default();
        place.owner != Owner::Project
            && (names.iter().any(|begin| name.starts_with(begin))
                || files.iter().any(|end| file.ends_with(end)))
    };
    site.stack.iter().any(is_resolver)
}

/// It waits for the collector of Go, which is no lock of the program's.
pub(super) fn is_collector(site: &WaitSite) -> bool {
    let said = |call: &str| call.starts_with("GC ") || call == "wait for GC cycle";
    let starts = |place: &Place| {
        matches!(place.function.as_str(), "runtime.gcStart" | "runtime.gcMarkDone" | "runtime.gcAssistAlloc")
    };
    site.call.as_deref().is_some_and(said) || site.stack.iter().any(starts)
}

/// In the scheduler of a runtime that moves tasks between threads.
pub(super) fn is_parked(site: &WaitSite) -> bool {
    let names =
        ["runtime.findRunnable", "runtime.mPark", "runtime.stopm", "runtime.schedule", "runtime.notesleep"];
    site.stack.iter().any(|place| names.contains(&place.function.as_str()))
}

/// It waits in the loop of `asyncio` or of libuv, for whatever was awaited.
pub(super) fn is_event_loop(site: &WaitSite) -> bool {
    let libuv = |place: &Place| matches!(place.function.as_str(), "uv_run" | "uv__io_poll");
    site.stack.iter().any(libuv) || site.stack.iter().any(is_asyncio) && !blocks_event_loop(site)
}

/// A task waits by itself instead of awaiting: the loop of `asyncio` that runs it stands still, and all its tasks with it.
pub(super) fn blocks_event_loop(site: &WaitSite) -> bool {
    let inside = site.stack.iter().rposition(is_asyncio).and_then(|at| site.stack.get(at..));
    inside.is_some_and(|inside| inside.iter().any(|place| place.owner == Owner::Project))
}

fn is_asyncio(place: &Place) -> bool {
    place.file.as_deref().is_some_and(|file| file.ends_with("/asyncio/base_events.py"))
}

/// What does the same much faster, where the package is known for being slow at it: its folder, and what to use.
const STAND_INS: [(&str, &str); 5] = [
    ("/site-packages/yaml/", "its compiled loader (`yaml.CSafeLoader`)"),
    ("/dist-packages/yaml/", "its compiled loader (`yaml.CSafeLoader`)"),
    ("/chardet/", "`charset-normalizer`, or say which encoding it is"),
    ("/fuzzywuzzy/", "`rapidfuzz`"),
    ("/html5lib/", "`lxml.html` or `selectolax`"),
];

pub(super) fn stand_in(package: &Place) -> Option<&'static str> {
    let file = package.file.as_deref()?;
    STAND_INS.iter().find(|(folder, _)| file.contains(folder)).map(|(_, instead)| *instead)
}

/// A thread of libuv's that does for the event loop what would block it.
pub(super) fn is_worker(site: &WaitSite) -> bool {
    site.stack.iter().any(|place| place.function.starts_with("uv__fs_"))
}

/// The JVM sleeps until its time is up; in recordings of earlier versions on a lock.
pub(super) fn sleeps(site: &WaitSite) -> bool {
    is_word(site) && (site.stack.iter().any(|place| is_sleep(&place.function)) || is_schedule(site))
}

/// It waits for a word of memory: a lock, a condition, or a set time.
pub(super) fn is_word(site: &WaitSite) -> bool {
    let timed = site.call.as_deref().is_some_and(|call| call.starts_with("futex"));
    site.leaf == "blocked/lock" || timed && site.leaf == "blocked/sleep"
}

/// A pool of Java that runs its tasks at set times waits for the next such time.
pub(super) fn is_schedule(site: &WaitSite) -> bool {
    let timed = |place: &Place| place.function.contains("awaitNanos");
    site.stack.iter().any(|place| names_schedule(&place.function)) && site.stack.iter().any(timed)
}

pub(super) fn names_schedule(function: &str) -> bool {
    function.contains("ScheduledThreadPoolExecutor$DelayedWorkQueue")
}

/// Below the first function of a thread that the JVM made for itself, or of the one that only started it.
pub(super) fn is_machine(site: &WaitSite) -> bool {
    let names = ["CallJavaMainInNewThread", "Thread::call_run", "thread_native_entry"];
    site.stack.iter().any(|place| names.iter().any(|name| place.function.starts_with(name)))
}

/// Some process is a JVM.
pub(super) fn has_machine(sites: &[WaitSite]) -> bool {
    sites.iter().any(|site| site.stack.iter().any(is_jvm))
}

fn is_jvm(place: &Place) -> bool {
    place.module.as_deref().is_some_and(|module| module.ends_with("/libjvm.so"))
}

/// A JVM's own pause, some microseconds while it waits for its threads to stand still: `Thread.sleep` waits on a lock.
pub(super) fn is_pause(site: &WaitSite) -> bool {
    let sleeps = matches!(site.call.as_deref(), Some("clock_nanosleep" | "nanosleep"));
    let own = site.stack.iter().any(|place| place.owner == Owner::Project);
    sleeps && !own && (site.stack.is_empty() || site.stack.iter().any(is_jvm))
}

/// It waits for a thread to end, by the name of the function that waits.
pub(super) fn is_join(site: &WaitSite) -> bool {
    site.stack.iter().any(|place| names_join(&place.function))
}

pub(super) fn names_join(function: &str) -> bool {
    let names = [
        "pthread_join",
        "clockjoin",
        "std::thread::join",
        "JoinInner",
        "Thread.join",
        "JavaThread::join",
        "CallJavaMainInNewThread",
    ];
    names.iter().any(|name| function.contains(name))
}

/// It waits until somebody lets go, by the name of the function that waits.
pub(super) fn is_contention(site: &WaitSite) -> bool {
    let names = [
        "mutex_lock",
        "lll_lock_wait",
        "ObjectMonitor::enter",
        "rwlock",
        "sync.(*Mutex)",
        "sync.(*RWMutex)",
        "Mutex::lock",
        "lock_contended",
        "AbstractQueuedSynchronizer.acquire",
        "ReentrantLock",
    ];
    // A condition takes its lock again before it returns, and is none for that; the JVM's own locks wait on conditions.
    // Latches and futures of Java wait by the same means as its locks.
    let waits = [
        "Condition",
        "Object.wait",
        "ObjectMonitor::wait",
        "cond_wait",
        "cond_timedwait",
        "CountDownLatch.await",
        "CyclicBarrier.await",
        "FutureTask.awaitDone",
        "CompletableFuture.waitingGet",
        "Phaser.await",
    ];
    let among = |names: &[&str], place: &Place| names.iter().any(|name| place.function.contains(name));
    let outer = site.stack.iter().find(|place| among(&names, place) || among(&waits, place));
    outer.is_some_and(|place| !among(&waits, place))
}

/// It waits until somebody tells it something, which is no fight for a lock.
pub(super) fn is_condition(site: &WaitSite) -> bool {
    let names = [
        "cond_wait",
        "cond_timedwait",
        "condition_variable",
        "Condvar",
        "Condition.wait",
        "Event.wait",
        "notesleep",
        "Object.wait",
        "LockSupport.park",
        "Thread>::park",
        "thread::park",
        "sem_wait",
        "Barrier",
        "barrier_wait",
        "SimpleQueue",
        "Thread.join",
        "_wait_for_tstate_lock",
        "FutexEmulation::Wait",
        "Builtins_AtomicsWait",
    ];
    // Python's own locks are semaphores of the C library.
    let python = site.stack.iter().any(|place| place.function.starts_with("PyThread_acquire_lock"));
    let names = names.iter().filter(|name| !(python && name.contains('_')));
    let names: Vec<&&str> = names.collect();
    site.stack.iter().rev().take(12).any(|place| names.iter().any(|name| place.function.contains(**name)))
}

/// Python code that waits on a word without having asked for a lock waits for its interpreter.
pub(super) fn is_interpreter_lock(site: &WaitSite) -> bool {
    let python = site.stack.iter().any(|place| place.language == Language::Python);
    let asked = [
        "PyThread_acquire_lock",
        "lock_PyThread_acquire",
        "acquire_timed",
        "rlock_acquire",
        "_queue_SimpleQueue",
    ];
    let has = |names: &[&str]| {
        site.stack.iter().any(|place| names.iter().any(|name| place.function.contains(name)))
    };
    has(&["take_gil"]) || python && !has(&asked)
}

/// Python code that is back from a call and wants its interpreter again.
pub(super) fn comes_back(site: &WaitSite) -> bool {
    let names = ["PyEval_RestoreThread", "PyGILState_Ensure", "take_gil"];
    site.stack.iter().any(|place| names.iter().any(|name| place.function.contains(name)))
}

/// Databases' libraries take many rows at once by these calls.
pub(super) fn is_batch(call: &str) -> bool {
    let names = [
        "executemany",
        "executescript",
        "execute_batch",
        "execute_values",
        "executeBatch",
        "insertMany",
        "batchUpdate",
        "copy_from",
    ];
    names.iter().any(|name| call.contains(name))
}

/// Functions of libraries that make a thread.
const MAKERS: [&str; 7] = [
    "pthread_create",
    "__pthread_create",
    "std::thread::thread",
    "std::thread::_M_start_thread",
    "std::thread::spawn",
    "std::thread::Builder::spawn",
    "java.lang.Thread.start",
];

pub(super) fn is_maker(frame: &Frame) -> bool {
    if frame.owner == Owner::Project {
        return false;
    }
    let file = frame.file.as_deref().unwrap_or_default();
    let name = frame.function.as_deref().unwrap_or_default();
    match name {
        "Worker" => file.ends_with("internal/worker"),
        "start" | "Thread.start" => file.ends_with("/threading.py"),
        _ => MAKERS.iter().any(|maker| name.split(['(', '<']).next() == Some(maker)),
    }
}

/// What a runtime writes because it was asked to name its code for us.
pub(super) fn is_ours(frame: &Frame) -> bool {
    let names = ["v8::internal::V8FileLogger::", "v8::internal::Builtins::EmitCodeCreateEvents"];
    frame.function.as_deref().is_some_and(|name| names.iter().any(|begin| name.starts_with(begin)))
}

/// Files of Python's library that hand work to other processes.
const POOLS: [&str; 2] = ["/concurrent/futures/process.py", "/multiprocessing/pool.py"];

/// Hands work to other processes of Python, or waits for what they give back.
pub(super) fn is_pool(frame: &Frame) -> bool {
    frame.language == Language::Python
        && (is_in(frame.file.as_deref(), &POOLS)
            || is_in(frame.file.as_deref(), &["/concurrent/futures/_base.py"]))
}

/// A pool waits for its own processes, which are no peers.
pub(super) fn hands_out(site: &WaitSite) -> bool {
    site.stack.iter().any(|place| is_in(place.file.as_deref(), &POOLS))
}

/// Packs or unpacks what such processes are sent.
pub(super) fn is_handing_over(frame: &Frame) -> bool {
    let files =
        ["/multiprocessing/queues.py", "/multiprocessing/connection.py", "/multiprocessing/reduction.py"];
    frame.language == Language::Python && is_in(frame.file.as_deref(), &files)
}

fn is_in(file: Option<&str>, files: &[&str]) -> bool {
    file.is_some_and(|file| files.iter().any(|end| file.ends_with(end)))
}

/// Objects are written as text and read again only to copy them.
pub(super) fn goes_there_and_back(context: &Context) -> bool {
    const TRIPS: [(&str, &str); 4] = [
        ("JSON.parse(", "JSON.stringify("),
        ("json.loads(", "json.dumps("),
        ("pickle.loads(", "pickle.dumps("),
        ("v8.deserialize(", "v8.serialize("),
    ];
    let is_trip = |text: &String| {
        TRIPS.iter().any(|(reads, writes)| {
            text.split_once(reads).is_some_and(|(_, inside)| inside.trim_start().starts_with(writes))
        })
    };
    context.statement.iter().any(is_trip)
}

/// Several answers are awaited at once.
pub(super) fn gathers(found: &Trait) -> bool {
    let calls = ["Promise.all", "Promise.any", "Promise.race", "gather(", "asyncio.wait(", "as_completed("];
    found.kind == TraitKind::Await && calls.iter().any(|call| found.text.contains(call))
}

/// Files that the C library reads whenever an address is looked up: who reads them again connects again.
pub(super) fn is_for_connecting(path: &str) -> bool {
    const FILES: [&str; 7] =
        ["hosts", "resolv.conf", "nsswitch.conf", "host.conf", "gai.conf", "services", "protocols"];
    path.strip_prefix("/etc/").is_some_and(|name| FILES.contains(&name))
}

/// Files that the kernel writes when they are read: each reading may tell something else.
pub(super) fn is_news(path: &str) -> bool {
    ["/proc/", "/sys/", "/dev/"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_tells_is_new_each_time() {
        assert!(is_news("/proc/self/stat") && is_news("/sys/class/net/lo/mtu"));
        assert!(!is_news("/srv/proc/rates.csv") && !is_news("rates.csv"));
    }
}
