//! Recording without perf events: stacks of threads that are stopped for a moment, and programs that do not notice.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use model::doctor::Level;
use model::recording::{Recording, Why};
use model::{Ended, Stage};
use run::launch::{Layout, environment};
use run::record::{Options, Recorded, attach, record};
use run::stdio::{Input, Output};
use run::{Interrupt, Recipe, Rig, Slot};
use tempfile::TempDir;

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// Each part prints what a program that is left alone would print.
const SOURCE: &str = r#"
    #define _GNU_SOURCE
    #include <errno.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/epoll.h>
    #include <sys/time.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
    static volatile unsigned long sink;
    static volatile int over, rang, children;
    static double used(void) {
        struct timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return t.tv_sec + t.tv_nsec / 1e9;
    }
    __attribute__((noinline)) void spin(double seconds) {
        for (double until = used() + seconds; used() < until;)
            for (unsigned long i = 0; i < 100000; i++) sink = sink * 31 + i;
        sink++;
    }
    __attribute__((noinline)) void much(double seconds) { spin(seconds); sink++; }
    __attribute__((noinline)) void little(double seconds) { spin(seconds); sink++; }
    static void nap(int ms) {
        struct timespec left = {ms / 1000, ms % 1000 * 1000000L};
        while (nanosleep(&left, &left)) {}
    }
    static void on_alarm(int signal) { (void)signal; rang++; }
    static void on_child(int signal) {
        (void)signal;
        while (waitpid(-1, NULL, WNOHANG) > 0) children++;
    }
    static void *waits(void *none) {
        (void)none;
        int none_comes = epoll_create1(0), interrupted = 0;
        struct epoll_event event;
        while (!over) if (epoll_wait(none_comes, &event, 1, 3) < 0 && errno == EINTR) interrupted++;
        return (void *)(long)interrupted;
    }
    static void *ends(void *none) { return none; }
    int main(int argc, char **argv) {
        const char *part = argc > 1 ? argv[1] : "";
        if (!strcmp(part, "compute")) {
            much(0.9);
            little(0.3);
        } else if (!strcmp(part, "signals")) {
            signal(SIGALRM, on_alarm);
            signal(SIGCHLD, on_child);
            struct itimerval each = {{0, 10000}, {0, 10000}};
            for (int i = 0; i < 5; i++) if (!fork()) _exit(0);
            setitimer(ITIMER_REAL, &each, NULL);
            while (rang < 30 || children < 5) spin(0.001);
            printf("%d children\n", children);
        } else if (!strcmp(part, "halts")) {
            pid_t self = getpid();
            if (!fork()) { nap(200); kill(self, SIGCONT); _exit(0); }
            raise(SIGSTOP);
            spin(0.2);
            wait(NULL);
            puts("went on");
        } else if (!strcmp(part, "execs")) {
            spin(0.1);
            execl(argv[0], argv[0], "compute", NULL);
        } else if (!strcmp(part, "forks")) {
            for (int i = 0; i < 200; i++) {
                if (!fork()) { spin(0.002); _exit(7); }
                int status;
                wait(&status);
                if (WEXITSTATUS(status) == 7) children++;
            }
            printf("%d children\n", children);
        } else if (!strcmp(part, "threads")) {
            for (int i = 0; i < 300; i++) {
                pthread_t thread;
                pthread_create(&thread, NULL, ends, NULL);
                pthread_join(thread, NULL);
            }
            puts("all joined");
        } else if (!strcmp(part, "crowd")) {
            static pthread_t crowd[600];
            pthread_attr_t small;
            pthread_attr_init(&small);
            pthread_attr_setstacksize(&small, 65536);
            for (int i = 0; i < 600; i++) pthread_create(&crowd[i], &small, waits, NULL);
            spin(0.3);
            over = 1;
            for (int i = 0; i < 600; i++) pthread_join(crowd[i], NULL);
            puts("all joined");
        } else if (!strcmp(part, "epoll")) {
            pthread_t threads[4];
            long interrupted = 0;
            for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, waits, NULL);
            spin(1.0);
            over = 1;
            for (int i = 0; i < 4; i++) {
                void *seen;
                pthread_join(threads[i], &seen);
                interrupted += (long)seen;
            }
            printf("%ld interrupted\n", interrupted);
        } else if (!strcmp(part, "calls")) {
            static char bytes[1 << 16];
            FILE *zero = fopen("/dev/zero", "r");
            setvbuf(zero, NULL, _IONBF, 0);
            // Not by its own CPU time: the kernel takes the CPU from a busy machine's threads at the end of that question.
            time_t until = time(NULL) + 2;
            while (time(NULL) < until)
                for (int i = 0; i < 20; i++) if (!fread(bytes, sizeof bytes, 1, zero)) return 1;
        } else if (!strcmp(part, "dies")) {
            spin(0.1);
            raise(SIGTERM);
        } else if (!strcmp(part, "serves")) {
            int none_comes = epoll_create1(0);
            struct epoll_event event;
            puts("ready");
            fflush(stdout);
            for (;;) {
                spin(0.005);
                if (epoll_wait(none_comes, &event, 1, 5) < 0) { puts("interrupted"); return 3; }
            }
        }
        return 0;
    }
"#;

fn built() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), SOURCE).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-g", "-pthread", "-o"]).arg(folder.path().join("program"));
    assert!(gcc.arg(folder.path().join("program.c")).status().unwrap().success());
    folder
}

fn options(folder: &Path) -> Options {
    Options {
        rate: 999,
        stack: None,
        level: Some(Level::D),
        project: folder.to_owned(),
        cache: None,
        runtimes: false,
        generated: false,
        seed: 1,
    }
}

fn played_by(program: &Path, words: &[&str], folder: &Path) -> Recorded {
    let mut argv = vec![program.as_os_str().to_owned()];
    argv.extend(words.iter().map(Into::into));
    let recipe = Recipe {
        path: program.to_owned(),
        argv,
        env: environment([]),
        cwd: Some(folder.to_owned()),
        stdin: Input::Null,
        stdout: Output::Capture,
        stderr: Output::Null,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    };
    record(&Rig::open().unwrap(), &recipe, SLOT, &options(folder)).unwrap()
}

/// What the recorder saw and what the program said. `None` where nothing may be traced.
fn played(part: &str) -> Option<(Recorded, String)> {
    let folder = built();
    let recorded = played_by(&folder.path().join("program"), &[part], folder.path());
    if recorded.recording.gaps.iter().any(|gap| gap.what == "stacks on the CPU") {
        eprintln!("skipped: nothing may be traced here");
        return None;
    }
    let run = recorded.run.as_ref().unwrap();
    let said = run.stdout.as_ref().map(|captured| String::from_utf8_lossy(captured.tail()).into_owned());
    Some((recorded, said.unwrap_or_default()))
}

fn functions(recording: &Recording, stack: u32) -> Vec<&str> {
    let mut functions = Vec::new();
    let mut next = Some(stack);
    while let Some(node) = next.and_then(|node| recording.nodes.get(node as usize)) {
        functions.push(recording.frames[node.frame as usize].function.as_deref().unwrap_or("?"));
        next = node.parent;
    }
    functions
}

/// The share of the time on a CPU in stacks that hold these functions in this order, innermost first.
fn share(recording: &Recording, wanted: &[&str]) -> f64 {
    let all: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    let holds = |stack: u32| {
        let functions = functions(recording, stack);
        let mut rest = functions.iter();
        wanted.iter().all(|wanted| rest.any(|function| function == wanted))
    };
    let through = recording.hits.iter().filter(|hit| hit.stack.is_some_and(holds));
    through.map(|hit| hit.weight).sum::<u64>() as f64 / all as f64
}

fn ended(recorded: &Recorded) -> Ended {
    recorded.run.as_ref().unwrap().sample.ended
}

#[test]
fn functions_are_named_with_their_callers_and_have_their_share() {
    let Some((recorded, _)) = played("compute") else { return };
    let recording = &recorded.recording;
    let (much, little) =
        (share(recording, &["spin", "much", "main"]), share(recording, &["spin", "little", "main"]));
    assert!((much - 0.75).abs() < 0.1 && (little - 0.25).abs() < 0.1, "{much} {little}");
    assert!(recording.losses.stacks > 50, "{:?}", recording.losses);
}

#[test]
fn nobody_stood_in_the_queue_for_longer_than_the_scheduler_counted() {
    for part in ["", "execs", "forks"] {
        let Some((recorded, _)) = played(part) else { return };
        let counted = recorded.run.as_ref().unwrap().sample.main_thread.unwrap().runnable.as_nanos();
        let own = recorded.recording.waits.iter().filter(|wait| wait.thread == 0);
        let stood = own.map(|wait| match (wait.why, wait.woken) {
            (Why::Preempted, _) => wait.to.as_nanos() - wait.from.as_nanos(),
            (_, woken) => woken.map_or(0, |woken| wait.to.as_nanos() - woken.as_nanos()),
        });
        let stood: u64 = stood.sum();
        // Looks are not at the very moment of the program's beginning.
        assert!(stood <= counted + 200_000, "{part}: {stood} of {counted}");
    }
}

#[test]
fn time_inside_calls_has_the_call_above_its_caller() {
    let Some((recorded, _)) = played("calls") else { return };
    let name = if cfg!(target_arch = "x86_64") { "__x64_sys_read" } else { return };
    let inside = share(&recorded.recording, &[name, "main"]);
    assert!(inside > 0.5, "{inside}");
}

#[test]
fn signals_arrive_and_children_are_heard_of() {
    let Some((recorded, said)) = played("signals") else { return };
    assert_eq!((ended(&recorded), said.as_str()), (Ended::Code(0), "5 children\n"));
}

#[test]
fn who_stops_itself_stands_until_it_is_continued() {
    let Some((recorded, said)) = played("halts") else { return };
    assert_eq!((ended(&recorded), said.as_str()), (Ended::Code(0), "went on\n"));
    let stopped = recorded.recording.waits.iter().filter(|wait| wait.why == Why::Stopped && wait.thread == 0);
    let stopped: u64 = stopped.map(|wait| wait.to.as_nanos() - wait.from.as_nanos()).sum();
    assert!(stopped > 100_000_000, "{stopped}");
}

#[test]
fn another_program_in_the_same_process_is_followed() {
    let Some((recorded, _)) = played("execs") else { return };
    assert_eq!(ended(&recorded), Ended::Code(0));
    assert_eq!(recorded.recording.processes.len(), 1);
    let much = share(&recorded.recording, &["spin", "much", "main"]);
    assert!(much > 0.5, "{much}");
}

#[test]
fn two_hundred_short_lives_are_all_in_the_account() {
    let Some((recorded, said)) = played("forks") else { return };
    assert_eq!((ended(&recorded), said.as_str()), (Ended::Code(0), "200 children\n"));
    let recording = &recorded.recording;
    assert_eq!((recording.processes.len(), recording.threads.len()), (201, 201));
    let run = &recorded.run.as_ref().unwrap().sample;
    let used = run.user.as_nanos() + run.system.as_nanos();
    let told: u64 =
        recording.threads.iter().filter_map(|thread| thread.scheduler_on_cpu).map(|on| on.as_nanos()).sum();
    assert!(told.abs_diff(used) < used / 10, "{told} of {used}");
    let booked: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    assert!(booked.abs_diff(used) < used / 5, "{booked} of {used}");
    assert!(share(recording, &["spin", "main"]) > 0.2);
}

#[test]
fn threads_that_end_at_once_are_told() {
    let Some((recorded, said)) = played("threads") else { return };
    assert_eq!((ended(&recorded), said.as_str()), (Ended::Code(0), "all joined\n"));
    assert_eq!(recorded.recording.threads.len(), 301);
    assert!(recorded.recording.threads.iter().all(|thread| thread.to.is_some()));
}

#[test]
fn a_crowd_is_let_go_and_looked_at_from_outside() {
    let Some((recorded, said)) = played("crowd") else { return };
    assert_eq!((said.as_str(), ended(&recorded)), ("all joined\n", Ended::Code(0)));
    let gaps = &recorded.recording.gaps;
    assert!(gaps.iter().any(|gap| gap.why.contains("more threads than can be traced")), "{gaps:?}");
    assert!(recorded.recording.threads.len() > 128);
}

#[test]
fn who_waits_is_not_interrupted() {
    let Some((recorded, said)) = played("epoll") else { return };
    assert_eq!((ended(&recorded), said.as_str()), (Ended::Code(0), "0 interrupted\n"));
}

#[test]
fn a_program_that_dies_by_a_signal_does_so() {
    let Some((recorded, _)) = played("dies") else { return };
    assert_eq!(ended(&recorded), Ended::Signal(libc::SIGTERM));
}

#[test]
fn attaching_and_leaving_again_disturbs_nobody() {
    let folder = built();
    let mut child =
        Command::new(folder.path().join("program")).arg("serves").stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let interrupt = Interrupt::install().unwrap();
    let until = Instant::now() + Duration::from_millis(700);
    let recording = attach(child.id(), until, &interrupt, &options(folder.path())).unwrap();
    let tracer = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        status.lines().find_map(|line| line.strip_prefix("TracerPid:")).unwrap().trim().to_owned()
    };
    let began = Instant::now();
    while tracer() != "0" {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
    let spins = share(&recording, &["spin", "main"]);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(child.try_wait().unwrap(), None, "it was interrupted");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(spins > 0.8 || recording.gaps.iter().any(|gap| gap.what == "stacks on the CPU"), "{spins}");
}

#[test]
fn python_functions_stand_in_native_stacks() {
    let Some(python) =
        ["/usr/bin/python3", "/usr/local/bin/python3"].map(Path::new).into_iter().find(|path| path.exists())
    else {
        eprintln!("skipped: no Python here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = "import time\ndef inner():\n    return sorted(range(2000), key=lambda x: -x)\n\
                  def outer():\n    until = time.process_time() + 1\n    while time.process_time() < until:\n        inner()\nouter()\n";
    fs::write(folder.path().join("script.py"), script).unwrap();
    let recorded = played_by(python, &["script.py"], folder.path());
    let recording = &recorded.recording;
    if recording.gaps.iter().any(|gap| gap.what == "stacks on the CPU") {
        eprintln!("skipped: nothing may be traced here");
        return;
    }
    let through = share(recording, &["inner", "outer", "<module>"]);
    assert!(through > 0.4, "{through}");
    let native = |stack: u32| {
        let mut next = Some(stack);
        let mut native = false;
        while let Some(node) = next.and_then(|node| recording.nodes.get(node as usize)) {
            native |= recording.frames[node.frame as usize].module.is_some();
            next = node.parent;
        }
        native
    };
    let hits = recording.hits.iter().filter_map(|hit| hit.stack);
    assert!(hits.filter(|stack| native(*stack)).count() > recording.hits.len() / 2);
}
