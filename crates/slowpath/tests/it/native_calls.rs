//! Functions of compiled programs, watched without a change to them: calls that repeat, calls that grow, and programs that do what
//! they always did.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inspect::{Image, Wanted};
use model::native::Callable;
use model::runtime::{Cost, Over, Repeat};
use model::{Ended, Stage};
use run::functions::{Watched, watch};
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};
use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes;

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// One target at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn compiled(folder: &Path, name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let (source, program) = (folder.join(name), folder.join("program"));
    fs::write(&source, text).unwrap();
    let compiler = match source.extension().and_then(|extension| extension.to_str()) {
        Some("c") => "gcc",
        Some("cpp") => "g++",
        _ => "rustc",
    };
    let flags = if compiler == "rustc" { [&["-g"], flags].concat() } else { [&["-g", "-w"], flags].concat() };
    let built = Command::new(compiler).args(flags).arg("-o").args([&program, &source]).status().unwrap();
    assert!(built.success());
    program
}

fn callables(program: &Path, functions: &[&str]) -> Vec<Callable> {
    let bytes = fs::read(program).unwrap();
    let image = Image::parse(&bytes).unwrap();
    let wanted: Vec<Wanted<'_>> =
        functions.iter().map(|function| Wanted { function, file: "program.c", line: 1 }).collect();
    let found = inspect::callables(&image, program.to_str().unwrap(), &wanted);
    found.into_iter().zip(functions).map(|(one, name)| one.unwrap_or_else(|| panic!("{name}"))).collect()
}

fn watched_as(program: &Path, words: &[&str], functions: &[&str]) -> Watched {
    let _alone = alone();
    let folder = program.parent().unwrap();
    let callables = callables(program, functions);
    let argv: Vec<&str> = if words.is_empty() { vec![program.to_str().unwrap()] } else { words.to_vec() };
    let recipe = Recipe {
        path: PathBuf::from(argv[0]),
        argv: argv.iter().map(Into::into).collect(),
        env: environment([]),
        cwd: Some(folder.to_owned()),
        stdin: Input::Null,
        stdout: Output::File(folder.join("out")),
        stderr: Output::Inherit,
        timeout: Some(Duration::from_secs(60)),
        layout: Layout::Random,
    };
    let plain = Command::new(argv[0]).args(&argv[1..]).current_dir(folder).output().unwrap();
    let rig = Rig::open().unwrap();
    let watched = watch(&rig, &recipe, SLOT, callables, Duration::from_millis(500)).unwrap();
    assert_eq!(fs::read(folder.join("out")).unwrap(), plain.stdout, "it does what it always did");
    let code = plain.status.code().and_then(|code| u8::try_from(code).ok());
    let ended = code.map(Ended::Code);
    assert!(ended.is_none_or(|ended| watched.run.sample.ended == ended), "{:?}", watched.run.sample.ended);
    watched
}

fn watched(name: &str, text: &str, flags: &[&str], functions: &[&str]) -> Watched {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), name, text, flags);
    watched_as(&program, &[], functions)
}

fn repeat<'a>(watched: &'a Watched, function: &str) -> &'a Repeat {
    let found = watched.repeats.iter().find(|repeat| repeat.function == function);
    found.unwrap_or_else(|| panic!("{function} in {watched:#?}"))
}

fn share(repeat: &Repeat) -> f64 {
    repeat.same as f64 / repeat.calls as f64
}

fn cost(watched: &Watched, function: &str, over: Over) -> Option<Cost> {
    watched.costs.iter().find(|cost| cost.function == function && cost.over == over).cloned()
}

/// How many times as long the largest takes as the smallest.
fn longer(cost: &Cost) -> f64 {
    let at = |at: Option<&model::runtime::AtSize>| at.unwrap().median.as_nanos() as f64;
    at(cost.sizes.last()) / at(cost.sizes.first()).max(1.0)
}

/// Parses a text, which is the same each time or another one.
const PARSE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) long parse(const char *text)
{
    long sum = 0;
    for (int turn = 0; turn < 20; turn++)
        for (const char *at = text; *at; at++)
            sum = sum * 31 + *at;
    return sum;
}
int main(void)
{
    char text[4000];
    long sum = 0;
    for (int row = 0; row < 3000; row++) {
        memset(text, 'a', sizeof text);
        text[sizeof text - 1] = 0;
        sprintf(text, "row %d of all", SAME ? 7 : row);
        text[strlen(text)] = ' ';
        sum += parse(text);
    }
    printf("%ld\n", sum);
    return 3;
}
"#;

#[test]
fn a_text_that_is_parsed_again_and_again_is_told_from_other_texts() {
    in_some_run(|| {
        for flags in [["-O0", "-no-pie"], ["-O2", "-pie"]] {
            let same = watched("program.c", PARSE, &[&flags[..], &["-DSAME=1"]].concat(), &["parse"]);
            let again = repeat(&same, "parse");
            assert!(again.calls >= 400 && share(again) > 0.95, "{again:?}");
            let other = watched("program.c", PARSE, &[&flags[..], &["-DSAME=0"]].concat(), &["parse"]);
            assert_eq!(repeat(&other, "parse").same, 0);
        }
    });
}

/// Looks through all rows before it adds one, or does not.
const GROWS: &str = r#"
#include <cstdio>
#include <string>
#include <vector>
struct Table {
    std::vector<int> rows;
    int depth = 0;
    __attribute__((noinline)) bool add(int row)
    {
        if (LOOKS)
            for (int turn = 0; turn < 40; turn++)
                for (int one : rows)
                    if (one == row + turn * 100000000)
                        return false;
        int sum = 0;
        for (volatile int at = 0; at < 3000; at++)
            sum += at;
        rows.push_back(row + (sum == 1));
        return true;
    }
};
__attribute__((noinline)) long all(const std::vector<int>& rows, const std::string& name)
{
    long sum = name.size();
    for (int turn = 0; turn < 60; turn++)
        for (int row : rows)
            sum = sum * 3 + row;
    return sum;
}
int main()
{
    Table table;
    long sum = 0;
    std::vector<int> kept;
    for (int row = 0; row < 6000; row++) {
        table.add(row * 7);
        if (row % 4 == 0) {
            kept.push_back(row);
            sum += all(kept, "kept");
        }
    }
    std::printf("%zu %ld\n", table.rows.size(), sum);
}
"#;

#[test]
fn what_takes_longer_at_each_turn_or_with_what_is_kept_is_told() {
    in_some_run(|| {
        for flags in ["-O0", "-O2"] {
            let sick = watched("program.cpp", GROWS, &[flags, "-DLOOKS=1"], &["Table::add", "all"]);
            let turn = cost(&sick, "Table::add", Over::Turn).unwrap_or_else(|| panic!("{sick:#?}"));
            assert!(longer(&turn) > 3.0, "{turn:#?}");
            let kept = cost(&sick, "all", Over::Kept).unwrap_or_else(|| panic!("{sick:#?}"));
            assert_eq!(kept.argument.as_deref(), Some("rows"));
            assert!(longer(&kept) > 3.0, "{kept:#?}");
            let healthy = watched("program.cpp", GROWS, &[flags, "-DLOOKS=0"], &["Table::add"]);
            let turn = cost(&healthy, "Table::add", Over::Turn).unwrap();
            assert!(longer(&turn) < 2.5, "{turn:#?}");
        }
    });
}

#[test]
fn with_lines_alone_calls_grow_and_never_repeat() {
    in_some_run(|| {
        let flags = ["-O2", "-g1", "-DLOOKS=1"];
        let sick = watched("program.cpp", GROWS, &flags, &["Table::add", "all"]);
        let turn = cost(&sick, "Table::add", Over::Turn).unwrap_or_else(|| panic!("{sick:#?}"));
        assert!(longer(&turn) > 3.0, "{turn:#?}");
        let same = watched("program.c", PARSE, &["-O2", "-g1", "-DSAME=1"], &["parse"]);
        assert!(same.repeats.iter().all(|one| one.same == 0), "{same:#?}");
    });
}

const RUST: &str = r#"
use std::hint::black_box;
#[inline(never)]
fn settings(text: &str) -> Vec<u64> {
    (0..90).flat_map(|turn| text.bytes().map(move |byte| u64::from(byte) * turn)).collect()
}
#[inline(never)]
fn total(name: &str) -> u64 {
    let mut sum = name.len() as u64;
    for turn in 0..4000 {
        for byte in name.bytes() { sum = sum.wrapping_mul(31).wrapping_add(u64::from(byte) ^ turn); }
    }
    sum
}
#[inline(never)]
fn seen(rows: &mut Vec<String>, row: String) -> usize {
    for _ in 0..8 {
        if rows.iter().filter(|one| **one == row).count() > 0 { return 0; }
    }
    rows.push(row);
    rows.len()
}
fn main() {
    let text = "limits: 7, 9, 11, and all that follows; ".repeat(8);
    let (mut all, mut sum) = (Vec::new(), 0_u64);
    for row in 0..1000_u64 {
        let made = settings(black_box(&text));
        sum ^= made[7] ^ total(&black_box(format!("row {row}")));
        sum += seen(&mut all, format!("a row with the number {row}")) as u64;
    }
    println!("{sum}");
}
"#;

#[test]
fn rust_is_read_as_well() {
    in_some_run(|| {
        for flags in [&["-O"][..], &["-C", "opt-level=0"]] {
            let names = ["program::settings", "program::total", "program::seen"];
            let watched = watched("program.rs", RUST, flags, &names);
            assert!(share(repeat(&watched, "program::settings")) > 0.95, "{watched:#?}");
            assert_eq!(repeat(&watched, "program::total").same, 0, "its name is another one each time");
            let kept = cost(&watched, "program::seen", Over::Kept).unwrap_or_else(|| panic!("{watched:#?}"));
            assert!(longer(&kept) > 5.0, "{kept:#?}");
        }
    });
}

/// Threads, recursion, tail calls, long jumps, signals and a trap of its own.
const ODD: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t traps, ticks;
static jmp_buf out;
static void trapped(int signal) { traps++; }
static void ticked(int signal) { ticks++; }
__attribute__((noinline)) long deep(int n) { return n == 0 ? 1 : deep(n - 1) + n; }
__attribute__((noinline)) long leaves(int n) { if (n % 3 == 0) longjmp(out, 1); return n * 2; }
__attribute__((noinline)) long work(long n)
{
    long sum = 0;
    for (volatile long at = 0; at < 200000; at++) sum += at * n;
    return sum;
}
__attribute__((noinline)) long jumps(long n) { return work(n + 1); }
static void *body(void *given)
{
    long sum = 0;
    for (int at = 0; at < 400; at++) sum += jumps(at) + work(at % 5);
    return (void *)sum;
}
extern char **environ;
int main(void)
{
    signal(SIGTRAP, trapped);
    struct sigaction tick = {.sa_handler = ticked, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &tick, 0);
    struct itimerval often = {{0, 700}, {0, 700}};
    setitimer(ITIMER_REAL, &often, 0);
    pthread_t threads[4];
    for (long at = 0; at < 4; at++) pthread_create(&threads[at], 0, body, 0);
    long sum = 0, jumped = 0;
    for (int at = 0; at < 300; at++) sum += deep(at % 60);
    for (volatile int at = 0; at < 3000; at++) {
        if (setjmp(out)) { jumped++; continue; }
        sum += leaves(at);
    }
    for (int at = 0; at < 5; at++) __asm__ volatile("int3");
    raise(SIGTRAP);
    for (int at = 0; at < 3; at++) {
        pid_t child = fork();
        if (child == 0) { long own = 0; for (int n = 0; n < 50; n++) own += work(n); _exit(own != 0 ? 7 : 8); }
        int status;
        while (waitpid(child, &status, 0) < 0) {}
        sum += WEXITSTATUS(status);
        char *words[] = {"/bin/true", 0};
        posix_spawn(&child, words[0], 0, 0, words, environ);
        while (waitpid(child, &status, 0) < 0) {}
        sum += WEXITSTATUS(status);
    }
    for (int at = 0; at < 4; at++) { void *own; pthread_join(threads[at], &own); sum += (long)own; }
    printf("%ld %ld %d %d\n", sum, jumped, (int)traps, ticks > 0);
    return 9;
}
"#;

#[test]
fn threads_recursion_jumps_signals_and_traps_of_its_own_are_left_as_they_were() {
    for flags in [["-O0", "-pthread"], ["-O2", "-pthread"]] {
        let functions = ["deep", "leaves", "work", "jumps", "body"];
        in_some_run(|| {
            let watched = watched("program.c", ODD, &flags, &functions);
            assert!(repeat(&watched, "work").calls > 100, "{watched:#?}");
        });
    }
}

const THROWS: &str = r#"
#include <cstdio>
#include <stdexcept>
#include <string>
__attribute__((noinline)) int inner(const std::string& text, int at)
{
    if (at % 2) throw std::runtime_error(text);
    return at + text.size();
}
__attribute__((noinline)) int outer(std::string text, int at)
{
    try { return inner(text, at); } catch (const std::runtime_error&) { if (at % 3) return -1; throw; }
}
int main()
{
    long sum = 0, caught = 0;
    for (int at = 0; at < 5000; at++)
        try { sum += outer("a text that is long enough to be elsewhere", at); } catch (const std::exception&) { caught++; }
    std::printf("%ld %ld\n", sum, caught);
}
"#;

#[test]
fn exceptions_pass_through_watched_functions() {
    for flags in ["-O0", "-O2", "-static"] {
        watched("program.cpp", THROWS, &[flags], &["inner", "outer"]);
    }
}

#[test]
fn a_program_that_another_one_starts_is_watched_and_millions_of_calls_do_not_hold_it_up() {
    let text = r#"
#include <stdio.h>
__attribute__((noinline)) unsigned tiny(unsigned n) { return n * 2654435761u >> 7; }
int main(void)
{
    unsigned sum = 0;
    for (unsigned at = 0; at < 100000000; at++) sum += tiny(at);
    printf("%u\n", sum);
    return 0;
}
"#;
    in_some_run(|| {
        let folder = tempfile::tempdir().unwrap();
        let program = compiled(folder.path(), "program.c", text, &["-O1"]);
        let path = program.to_str().unwrap();
        let watched = watched_as(&program, &["/bin/sh", "-c", &format!("{path}; exec {path}")], &["tiny"]);
        assert_eq!(watched.processes, 2, "{watched:#?}");
        // What takes next to nothing is not worth keeping, whatever it gives.
        assert!(watched.repeats.is_empty(), "{watched:?}");
        assert!(watched.run.sample.wall.as_secs_f64() < 30.0, "{:?}", watched.run.sample.wall);
    });
}

/// What slowpath says of a program that parses.
fn answered(same: &str) -> (Value, Value) {
    let _alone = alone();
    let place = Place::new();
    let text = PARSE.replace("return 3;", "return 0;").replace("row < 3000", "row < 6000");
    let program = compiled(place.path(), "program.c", &text, &["-O2", same]);
    let (runtime, answer) = runtimes::asked(&place, &[program.to_str().unwrap()]);
    (runtime.unwrap(), answer)
}

#[test]
fn the_answer_tells_repeated_work_by_what_was_watched() {
    in_some_run(|| {
        let (runtime, answer) = answered("-DSAME=1");
        assert_eq!(runtime["runtime"], "native");
        let first = &answer["findings"][0];
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"repeated-work".into(), &"parse".into())
        );
        assert!(first["because"][0]["what"].as_str().unwrap().contains("calls of `parse`"), "{first:#}");
        let (runtime, answer) = answered("-DSAME=0");
        assert_eq!(runtime["repeats"][0]["same"], 0);
        let again = answer["findings"].as_array().unwrap().iter().find(|one| one["cause"] == "repeated-work");
        assert!(again.is_none_or(|one| one["state"] == "possible"), "{again:#?}");
        // A program without a collector says nothing of one.
        assert!(!answer.to_string().contains("gc.share"), "{answer:#}");
    });
}
