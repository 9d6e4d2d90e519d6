//! Stacks that are copied short once that is enough, and long again when it is not.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use model::doctor::Level;
use model::recording::{Hit, Recording};
use model::{Ended, Stage};
use run::launch::{Layout, environment};
use run::record::{Options, Recorded, record};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// `late` calls itself to a depth of twelve kilobytes when copies are short. `tree` has threads, a child and another program
/// then, each with 0.4 s of CPU time.
const SOURCE: &str = r#"
    #include <pthread.h>
    #include <string.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
    static volatile unsigned long sink;
    static double used(void) {
        struct timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return t.tv_sec + t.tv_nsec / 1e9;
    }
    __attribute__((noinline)) void spin(double seconds) {
        for (double until = used() + seconds; used() < until;)
            for (unsigned long i = 0; i < 300000; i++) sink = sink * 31 + i;
        sink++;
    }
    __attribute__((noinline)) void shallow(double seconds) { spin(seconds); sink++; }
    __attribute__((noinline)) void deep(int levels, double seconds) {
        volatile char room[256];
        room[0] = (char)levels;
        if (levels > 0) deep(levels - 1, seconds); else spin(seconds);
        sink += room[0];
    }
    static void *of_thread(void *of) { shallow(0.4); return of; }
    int main(int argc, char **argv) {
        if (argc < 2) { shallow(0.4); return 0; }
        shallow(1.5);
        if (strcmp(argv[1], "late") == 0) { deep(40, 1.5); return 0; }
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, of_thread, NULL);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < 2; i++) {
            if (fork() == 0) {
                if (i == 0) { shallow(0.4); _exit(0); }
                execl(argv[0], argv[0], NULL);
                _exit(1);
            }
            wait(NULL);
        }
        return 0;
    }
"#;

fn recorded(scene: &str, level: Level) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    fs::write(folder.path().join("program.c"), SOURCE).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-g", "-pthread", "-o"]).arg(&program).arg(folder.path().join("program.c"));
    assert!(gcc.status().unwrap().success());
    let recipe = Recipe {
        path: program.clone(),
        argv: vec![program.into(), scene.into()],
        env: environment([]),
        cwd: Some(folder.path().to_owned()),
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    };
    let options = Options {
        rate: 999,
        stack: None,
        level: Some(level),
        project: folder.path().to_owned(),
        cache: None,
        runtimes: false,
        generated: false,
        seed: 1,
    };
    let recorded = record(&Rig::open().unwrap(), &recipe, SLOT, &options).unwrap();
    assert_eq!(recorded.run.as_ref().unwrap().sample.ended, Ended::Code(0));
    recorded
}

/// Where perf events are granted; else it is said.
fn checked(scene: &str, check: impl Fn(&Recorded)) {
    for level in [Level::C, Level::A] {
        let recorded = recorded(scene, level);
        if recorded.recording.losses.stacks == 0 {
            eprintln!("skipped: no perf events are granted here");
            return;
        }
        assert!(recorded.short_copies > 0, "{:?}", recorded.recording.losses);
        check(&recorded);
    }
}

fn functions<'a>(recording: &'a Recording, hit: &Hit) -> Vec<&'a str> {
    let frames = hit.stack.into_iter().flat_map(|stack| recording.frames_of(stack));
    frames.filter_map(|frame| frame.function.as_deref()).collect()
}

/// Seconds of the hits whose stacks are like that.
fn seconds(recording: &Recording, like: impl Fn(&[&str]) -> bool) -> f64 {
    let hits = recording.hits.iter().filter(|hit| like(&functions(recording, hit)));
    hits.map(|hit| hit.weight as f64 / 1e9).sum()
}

/// Interrupts and a busy host take hits away; nothing but a second clock adds any.
fn is_about(seconds: f64, wanted: f64) -> bool {
    seconds > 0.6 * wanted && seconds < 1.1 * wanted
}

#[test]
fn recursion_that_begins_late_has_whole_stacks_and_no_hit_comes_twice() {
    checked("late", |Recorded { recording, .. }| {
        let deep = |stack: &[&str]| stack.iter().filter(|function| **function == "deep").count();
        let whole = |stack: &[&str]| stack.contains(&"main");
        let shallow = seconds(recording, |stack| stack.contains(&"shallow") && whole(stack));
        assert!(is_about(shallow, 1.5), "{shallow}");
        let (all, kept) = (
            seconds(recording, |stack| deep(stack) > 0),
            seconds(recording, |stack| deep(stack) == 41 && whole(stack)),
        );
        assert!(is_about(all, 1.5), "{all}");
        assert!(kept > 0.6 * all, "{kept} of {all}");
        assert!(recording.losses.cut_stacks > 0, "{:?}", recording.losses);
    });
}

#[test]
fn who_comes_after_the_change_is_hit_as_often_as_before() {
    checked("tree", |Recorded { recording, .. }| {
        let mut threads: BTreeMap<u32, f64> = BTreeMap::new();
        for hit in &recording.hits {
            *threads.entry(hit.thread).or_default() += hit.weight as f64 / 1e9;
        }
        let first = threads.remove(&0).unwrap();
        assert!(is_about(first, 1.5), "{first}");
        let late: Vec<f64> = threads.into_values().filter(|seconds| *seconds > 0.1).collect();
        assert_eq!(late.len(), 4, "{late:?}");
        assert!(late.iter().all(|seconds| is_about(*seconds, 0.4)), "{late:?}");
        // The dynamic linker of the other program may be deeper.
        assert!(recording.losses.cut_stacks * 50 < recording.losses.stacks, "{:?}", recording.losses);
    });
}
