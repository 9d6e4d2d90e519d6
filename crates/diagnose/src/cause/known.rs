//! Names by which libraries and runtimes are known: what a wait is for, who makes threads, what a call stands for.

use model::profile::{Place, WaitSite};
use model::recording::{Frame, Language, Owner};
use model::source::{Context, Trait, TraitKind};

use crate::profile::places::is_system_library;
use crate::profile::voices::is_sleep;

/// It waits for somebody to connect: nothing but its clients holds it up.
pub(super) fn listens(site: &WaitSite) -> bool {
    let call = site.call.as_deref().unwrap_or_default();
    let loops = ["serve_forever", "accept", "Accept", "listen"];
    let serves = || site.stack.iter().any(|place| loops.iter().any(|name| place.function.contains(name)));
    let unconnected = matches!(site.what.as_deref(), Some("tcp socket" | "unix socket")) && serves();
    call.starts_with("accept")
        || call == "IO wait" && serves()
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
    is_libuv(site) || site.stack.iter().any(in_asyncio) && !blocks_event_loop(site)
}

/// It waits in the loop of libuv, which is Node's.
pub(super) fn is_libuv(site: &WaitSite) -> bool {
    site.stack.iter().any(|place| matches!(place.function.as_str(), "uv_run" | "uv__io_poll"))
}

/// A task waits by itself instead of awaiting: the loop of `asyncio` that runs it stands still, and all its tasks with it.
pub(super) fn blocks_event_loop(site: &WaitSite) -> bool {
    let inside = site.stack.iter().rposition(in_asyncio).and_then(|at| site.stack.get(at..));
    inside.is_some_and(|inside| inside.iter().any(|place| place.owner == Owner::Project))
}

fn in_asyncio(place: &Place) -> bool {
    is_asyncio(place.file.as_deref())
}

/// The file of Python's library that holds the loop.
pub(super) fn is_asyncio(file: Option<&str>) -> bool {
    is_in(file, &["/asyncio/base_events.py"])
}

/// What does the same much faster, where the package is known for being slow at it: its folder or file, and what to use. Only what
/// the package's own documents call slow, or slower than another way that they name.
const STAND_INS: [(&str, &str); 10] = [
    ("/site-packages/yaml/", "its compiled loader (`yaml.CSafeLoader`)"),
    ("/dist-packages/yaml/", "its compiled loader (`yaml.CSafeLoader`)"),
    ("-packages/ruamel/yaml/scanner.py", "its compiled loader (`YAML(typ='safe')`)"),
    // Earley's way takes any grammar, and says so in these files alone.
    (
        "-packages/lark/parsers/earley",
        "its fast parser (`Lark(…, parser='lalr')`), which takes most grammars",
    ),
    (
        "-packages/lark/parsers/xearley",
        "its fast parser (`Lark(…, parser='lalr')`), which takes most grammars",
    ),
    // These are there for machines without the compiled part.
    (
        "-packages/msgpack/fallback.py",
        "its compiled part (a wheel for this Python, `MSGPACK_PUREPYTHON` unset)",
    ),
    (
        "-packages/google/protobuf/internal/python_message.py",
        "its compiled part (`PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION=upb`)",
    ),
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

/// Node's own threads queue for the lock of the queue that its loop hands them work by. Programs of Node have no such locks but
/// those that `Atomics` makes.
fn guards_runtime(site: &WaitSite) -> bool {
    let names = |name: &str| site.stack.iter().any(|place| place.function.contains(name));
    let is_node = |place: &Place| {
        place.language == Language::JavaScript
            || place.module.as_deref().is_some_and(|module| module.ends_with("/node"))
    };
    site.leaf == "blocked/lock"
        && site.stack.iter().chain(&site.place).any(is_node)
        && ["uv_mutex_", "uv_cond_"].into_iter().any(names)
        && !["Atomics", "FutexEmulation"].into_iter().any(names)
}

/// Below the locks and signs by which a JVM's own threads and its collector tell each other something (`Monitor`, `Semaphore` in its
/// sources): Java code waits on monitors of objects and by parking, which are other functions.
fn is_within_machine(site: &WaitSite) -> bool {
    let names = [
        "Monitor::wait",
        "Mutex::lock",
        "os::PlatformMonitor::",
        "os::PlatformMutex::",
        "PosixSemaphore::",
        "Semaphore::wait",
        "SafepointSynchronize::",
        "SafepointMechanism::",
        "VMThread::",
    ];
    let is_own = |place: &Place| is_jvm(place) && names.iter().any(|name| place.function.starts_with(name));
    site.stack.iter().any(is_own)
}

/// A runtime waits for itself: nothing that its program does by a lock, a message or a condition.
pub(super) fn is_runtimes_own(site: &WaitSite) -> bool {
    guards_runtime(site) || is_within_machine(site)
}

/// The leaf of a wait. Of an event loop whose time limit was up it is not known what its tasks waited for: that is as good as
/// a wait for one of several.
pub(super) fn leaf_of(site: &WaitSite) -> &str {
    let polls = site.leaf == "blocked/sleep" && site.call.as_deref().is_some_and(model::blocking::is_poll);
    if polls && is_event_loop(site) { "blocked/poll" } else { site.leaf.as_str() }
}

/// The leaf that a wait stands for; the runtime's own locks are none of the program's.
pub(super) fn kind_of(site: &WaitSite, timed: bool) -> &str {
    match leaf_of(site) {
        _ if timed || sleeps(site) => "blocked/sleep",
        _ if is_runtimes_own(site) => "runtime",
        leaf => leaf,
    }
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

pub(super) fn is_jvm(place: &Place) -> bool {
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

/// It waits for the result of a task that another thread does for it.
pub(super) fn awaits_task(site: &WaitSite) -> bool {
    let names = [
        "java.util.concurrent.CompletableFuture.",
        "java.util.concurrent.FutureTask.get",
        "java.util.concurrent.ForkJoinTask.",
    ];
    let is_future = |place: &Place| {
        names.iter().any(|begin| place.function.starts_with(begin))
            || place.language == Language::Python
                && is_in(place.file.as_deref(), &["/concurrent/futures/_base.py"])
    };
    site.stack.iter().any(is_future)
}

/// Takes a permit, which whoever holds it gives back, or somebody else gives as a sign.
pub(super) fn names_permit(function: &str) -> bool {
    ["java.util.concurrent.Semaphore.acquire", "java.util.concurrent.Semaphore.tryAcquire"]
        .iter()
        .any(|name| function.starts_with(name))
}

/// It waits until somebody lets go, by the name of the function that waits.
pub(super) fn is_contention(site: &WaitSite) -> bool {
    contends(site.stack.iter().map(|place| place.function.as_str()))
}

/// The same, by the functions of a stack from the outermost on.
pub(super) fn contends<'f>(mut functions: impl Iterator<Item = &'f str>) -> bool {
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
    let among = |names: &[&str], function: &str| names.iter().any(|name| function.contains(name));
    let outer = functions.find(|function| among(&names, function) || among(&waits, function));
    outer.is_some_and(|function| !among(&waits, function))
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
    wants_interpreter(site) || python && !has(&asked)
}

/// It waits for Python's own lock, by the names of the functions that wait for it or, where the interpreter has none, by
/// what they wait on: a condition of the interpreter's. What Python itself waits for is a semaphore.
pub(super) fn wants_interpreter(site: &WaitSite) -> bool {
    let named = |place: &Place| crate::profile::voices::wants_interpreter(&place.function);
    let is_system = |place: &&Place| place.module.as_deref().is_some_and(is_system_library);
    let inner = site.stack.iter().rev();
    let on_condition =
        inner.clone().take_while(is_system).any(|place| place.function.contains("pthread_cond_"));
    let is_interpreter = |place: &Place| {
        let name = place.module.as_deref().and_then(|module| module.rsplit('/').next()).unwrap_or_default();
        place.language == Language::Python || name.starts_with("python") || name.starts_with("libpython")
    };
    let runs_python = site.stack.iter().any(|place| place.language == Language::Python);
    let nameless = || inner.clone().find(|place| !is_system(place)).is_some_and(is_interpreter);
    site.stack.iter().any(named) || runs_python && on_condition && nameless()
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

/// Whether a call shows that its statement writes: what is written one by one cannot be fetched at once.
pub(super) fn is_write(call: &str) -> bool {
    const VERBS: [&str; 5] = ["insert ", "replace into", "delete from", "update ", "upsert "];
    let text = call.to_ascii_lowercase();
    let begins = |verb: &str| ['"', '\'', '`'].iter().any(|mark| text.contains(&format!("{mark}{verb}")));
    VERBS.iter().any(|verb| begins(verb))
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

/// What is awaited is awaited for so long at most.
pub(super) fn has_time_limit(context: &Context) -> bool {
    let calls = ["asyncio.wait_for(", "asyncio.timeout(", "move_on_after(", "fail_after("];
    // A function of the program's own may be called so, too.
    let limits = |line: &String| {
        calls.iter().any(|call| line.contains(call)) || line.contains("wait_for(") && line.contains("timeout")
    };
    context.statement.iter().any(limits)
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
    fn a_package_is_known_for_the_slow_one_of_its_ways_only() {
        let at = |file: &str| {
            let place = Place {
                function: "parse".to_owned(),
                file: Some(format!("/venv/lib/python3.11/site-packages/{file}")),
                line: None,
                module: None,
                language: Language::Python,
                owner: Owner::Library,
            };
            stand_in(&place).is_some()
        };
        assert!(at("lark/parsers/earley.py") && at("lark/parsers/xearley.py"));
        assert!(!at("lark/parsers/lalr_parser.py") && !at("lark/lark.py") && !at("msgpack/__init__.py"));
        assert!(at("msgpack/fallback.py") && at("html5lib/html5parser.py"));
    }

    #[test]
    fn a_statement_that_writes_is_known_by_its_first_word() {
        assert!(is_write("base.execute(f\"insert into {name} values ({marks})\", values)"));
        assert!(is_write("db.Exec(`UPDATE a SET b = ?`, b)"));
        assert!(!is_write("base.execute(\"select * from updates\")") && !is_write("base.execute(text)"));
    }

    #[test]
    fn who_awaits_for_so_long_at_most_says_so() {
        let limits = |statement: &str| {
            has_time_limit(&Context {
                language: model::source::Language::Python,
                line: 1,
                function: None,
                loops: Vec::new(),
                statement: vec![statement.to_owned()],
                traits: Vec::new(),
                callees: Vec::new(),
                in_lock: None,
                in_transaction: None,
                damaged: false,
            })
        };
        assert!(limits("await asyncio.wait_for(one.get(), 0.006)"));
        assert!(limits("await wait_for(one.get(), timeout=0.006)"));
        assert!(limits("with trio.move_on_after(0.1):"));
        assert!(!limits("total += await wait_for(job)"), "a function of its own");
        assert!(!limits("await out.get()"));
    }

    #[test]
    fn pythons_own_lock_is_known_by_name_and_without_names_by_the_condition() {
        let wait = |functions: &[(&str, Language, &str)]| {
            let place = |(function, language, module): &(&str, Language, &str)| Place {
                function: (*function).to_owned(),
                file: None,
                line: None,
                module: Some((*module).to_owned()),
                language: *language,
                owner: Owner::Library,
            };
            let stack = functions.iter().map(place).collect();
            wants_interpreter(&WaitSite {
                leaf: "blocked/lock".to_owned(),
                what: None,
                call: Some("futex".to_owned()),
                place: None,
                stack,
                seconds: 1.0,
                count: 9,
                longest_s: 0.005,
                critical_s: 0.0,
                queued_s: None,
                threads: 1,
                idle: false,
            })
        };
        let (libc, python) = ("/lib/libc.so.6", "/usr/bin/python3.11");
        let busy = ("busy", Language::Python, "");
        let condition = ("pthread_cond_timedwait", Language::C, libc);
        assert!(wait(&[busy, ("take_gil", Language::Native, python), condition]));
        assert!(wait(&[busy, ("0x1234 in python3.11", Language::Native, python), condition]));
        let semaphore = ("sem_clockwait", Language::C, libc);
        assert!(!wait(&[busy, ("0x1234 in python3.11", Language::Native, python), semaphore]));
        assert!(!wait(&[busy, ("poll_jobs", Language::Native, "/x/jobs.so"), condition]), "a package's own");
        assert!(!wait(&[("main", Language::Native, python), condition]), "no Python runs");
    }

    #[test]
    fn what_the_kernel_tells_is_new_each_time() {
        assert!(is_news("/proc/self/stat") && is_news("/sys/class/net/lo/mtu"));
        assert!(!is_news("/srv/proc/rates.csv") && !is_news("rates.csv"));
    }
}
