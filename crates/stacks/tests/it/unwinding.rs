//! Stacks of real programs, stopped at arbitrary instructions.

use std::os::fd::{AsRawFd, FromRawFd};
use std::process::Command;

use stacks::{End, PerfMaps, Raw, Unwinder};

use crate::specimen::{Bench, SPIN};
use crate::tracee::{Tracee, all_names, assert_order, names, unwind};

const LOOKS: usize = 150;
/// Instructions between two looks: a prime, so that looks fall everywhere in a loop.
const STEP: usize = 67;
/// What the spinning specimen calls, innermost first.
const CHAIN: [&str; 5] = ["tiny", "leaf", "middle", "outer", "main"];

/// Every look at the program gives a whole stack through `middle`, `outer` and `main`.
#[track_caller]
fn check(mut command: Command, expected: &[&str]) {
    let mut tracee = Tracee::start(&mut command);
    let pid = tracee.pid();
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let stacks: Vec<_> = (0..LOOKS)
        .map(|turn| {
            let look = tracee.look_after(STEP);
            let undone = unwind(&mut unwinder, pid, &look);
            if turn % 7 == 0 {
                let mut fresh = Unwinder::new();
                fresh.read_maps(pid).unwrap();
                assert_eq!(undone, unwind(&mut fresh, pid, &look), "what was seen before changes nothing");
            }
            (undone, look.registers)
        })
        .collect();
    let frames: Vec<_> = stacks.iter().map(|((frames, _), _)| frames.clone()).collect();
    let names = all_names(&unwinder, &frames, &PerfMaps::default());
    for (names, ((_, end), registers)) in names.iter().zip(&stacks) {
        assert_eq!(*end, End::Whole, "{names:#?} {registers:x?}");
        assert_order(names, expected);
        let own: Vec<&str> =
            CHAIN.into_iter().filter(|function| names.iter().any(|name| name == function)).collect();
        assert!(CHAIN.ends_with(&own), "no caller is missing: {names:#?}");
        assert_order(names, &own);
        let count = names.iter().filter(|name| CHAIN.contains(&name.as_str())).count();
        assert_eq!(count, own.len(), "no frame is there twice: {names:#?}");
    }
}

fn spin(flags: &[&str]) {
    let bench = Bench::new();
    if let Some(program) = bench.compile("gcc", "spin.c", SPIN, flags) {
        check(Command::new(program), &["main"]);
    }
}

#[test]
fn ordinary_programs_without_frame_pointers_give_whole_stacks() {
    spin(&["-O2", "-fomit-frame-pointer"]);
}

#[test]
fn programs_without_position_independence_give_whole_stacks() {
    spin(&["-O1", "-no-pie"]);
}

#[test]
fn static_programs_give_whole_stacks() {
    spin(&["-O2", "-static"]);
}

#[test]
fn programs_without_tables_are_undone_by_frame_pointers() {
    spin(&["-O1", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-omit-frame-pointer"]);
}

#[test]
fn tables_for_debuggers_serve_where_there_are_no_others() {
    spin(&["-O2", "-g", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fomit-frame-pointer"]);
}

#[test]
fn stripped_programs_give_whole_stacks_without_names() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2", "-s"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(&program));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let look = tracee.look_after(STEP);
    let (frames, end) = unwind(&mut unwinder, tracee.pid(), &look);
    assert_eq!(end, End::Whole);
    let names = names(&unwinder, &frames, &PerfMaps::default());
    let unnamed = format!("{}+0x", program.display());
    assert!(names.iter().any(|name| name.starts_with(&unnamed)), "{names:?}");
}

const SIGNALLED: &str = r#"
#include <signal.h>
#include <unistd.h>
volatile unsigned long sink;
__attribute__((noinline)) void handler(int number) { write(1, "r", 1); for (;;) sink += number; }
__attribute__((noinline)) int interrupted(int x) { for (;;) { sink += x; if (sink == 100000) kill(getpid(), SIGUSR1); } return x; }
__attribute__((noinline)) int caller(int x) { return interrupted(x + 1) + 1; }
int main(void) { signal(SIGUSR1, handler); return caller(0); }
"#;

#[test]
fn a_stack_goes_on_below_the_frame_of_a_signal() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "signalled.c", SIGNALLED, &["-O2", "-fomit-frame-pointer"])
    else {
        return;
    };
    check(Command::new(program), &["handler", "__restore_rt", "interrupted", "main"]);
}

const LAZY: &str = r#"
#include <signal.h>
#include <unistd.h>
#include <stdlib.h>
__attribute__((noinline)) long first(void) { return labs(-3) + getppid() + random() + atol("3"); }
__attribute__((noinline)) long caller(void) { return first() + 1; }
int main(void) { write(1, "r", 1); kill(getpid(), SIGSTOP); for (;;) caller(); }
"#;

#[test]
fn a_stack_goes_through_the_binder_that_looks_functions_up_on_their_first_call() {
    let bench = Bench::new();
    let flags = ["-O2", "-fno-builtin", "-Wl,-z,lazy", "-fomit-frame-pointer"];
    let Some(program) = bench.compile("gcc", "lazy.c", LAZY, &flags) else { return };
    let mut tracee = Tracee::start(&mut Command::new(program));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let mut stacks = Vec::new();
    for _ in 0..600 {
        let look = tracee.look_after(7);
        let (frames, end) = unwind(&mut unwinder, tracee.pid(), &look);
        assert_eq!(end, End::Whole, "{frames:x?}");
        stacks.push(frames);
    }
    let names = all_names(&unwinder, &stacks, &PerfMaps::default());
    let linker = |raw: &Raw| {
        let Raw::Native { module, .. } = raw else { return false };
        String::from_utf8_lossy(unwinder.files().module(*module).unwrap().path()).contains("/ld-")
    };
    let lookups =
        stacks.iter().zip(&names).filter(|(frames, _)| frames.iter().any(linker)).map(|(_, names)| names);
    let lookups: Vec<_> = lookups.filter(|names| names.iter().any(|name| name == "first")).collect();
    assert!(lookups.len() > 100, "{}", lookups.len());
    for names in lookups {
        assert_order(names, &["first", "caller", "main"]);
    }
}

const CLOCK: &str = r#"
#include <time.h>
#include <unistd.h>
volatile long sink;
__attribute__((noinline)) long ticking(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_nsec; }
int main(void) { write(1, "r", 1); for (;;) sink += ticking(); }
"#;

#[test]
fn the_kernels_own_library_is_a_module_with_names() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "clock.c", CLOCK, &["-O2"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(program));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let mut stacks = Vec::new();
    for _ in 0..LOOKS {
        let look = tracee.look_after(STEP);
        let (frames, end) = unwind(&mut unwinder, tracee.pid(), &look);
        assert_eq!(end, End::Whole);
        stacks.push(frames);
    }
    let vdso = |raw: &Raw| {
        let Raw::Native { module, .. } = raw else { return false };
        unwinder.files().module(*module).unwrap().path() == b"[vdso]"
    };
    let names = all_names(&unwinder, &stacks, &PerfMaps::default());
    let inside: Vec<_> = stacks.iter().zip(&names).filter(|(frames, _)| vdso(&frames[0])).collect();
    assert!(!inside.is_empty());
    assert!(inside.iter().any(|(_, names)| names[0].contains("clock_gettime")), "{:?}", inside[0].1);
    for (_, names) in inside {
        assert_order(names, &["main"]);
    }
}

const THREADED: &str = r#"
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <stdio.h>
volatile unsigned long sink;
__attribute__((noinline)) void work(void) { for (;;) sink++; }
void *thread(void *x) { char b[16]; int n = sprintf(b, "%ld\n", syscall(SYS_gettid)); write(1, b, n); work(); return x; }
int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); }
"#;

#[test]
fn a_thread_ends_where_it_was_made() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "threaded.c", THREADED, &["-O2"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(program));
    let pid = tracee.pid();
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let tid = tasks.flatten().filter_map(|task| task.file_name().to_str()?.parse().ok()).max().unwrap();
    let look = tracee.look_at(tid);
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(pid).unwrap();
    let (frames, end) = unwind(&mut unwinder, pid, &look);
    assert_eq!(end, End::Whole);
    assert_order(&names(&unwinder, &frames, &PerfMaps::default()), &["thread"]);
}

#[test]
fn a_deleted_program_is_still_unwound_and_named() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(&program));
    std::fs::remove_file(&program).unwrap();
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let look = tracee.look_after(STEP);
    let (frames, end) = unwind(&mut unwinder, tracee.pid(), &look);
    drop(tracee);
    assert_eq!(end, End::Whole);
    assert_order(&names(&unwinder, &frames, &PerfMaps::default()), &["main"]);
}

#[test]
fn a_program_in_memory_is_unwound_and_named() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2"]) else { return };
    // SAFETY: the name is a C string; the descriptor is owned by the file made of it.
    let mut file = unsafe { std::fs::File::from_raw_fd(libc::memfd_create(c"spin".as_ptr(), 0)) };
    std::io::copy(&mut std::fs::File::open(program).unwrap(), &mut file).unwrap();
    check(Command::new(format!("/proc/self/fd/{}", file.as_raw_fd())), &["main"]);
}

#[test]
fn a_program_under_another_root_is_found_there() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2", "-static"]) else { return };
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: only root may change its root");
        return;
    }
    let mut command = Command::new("chroot");
    command.arg(bench.path()).arg(format!("/{}", program.file_name().unwrap().display()));
    check(command, &["main"]);
}

#[test]
fn a_forked_process_has_its_parents_mappings_until_it_execs() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(program));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    unwinder.fork(tracee.pid(), 1);
    unwinder.exit(tracee.pid());
    let look = tracee.look_after(STEP);
    assert_eq!(unwind(&mut unwinder, 1, &look).1, End::Whole);
    unwinder.exec(1);
    let (frames, _) = unwind(&mut unwinder, 1, &look);
    assert_eq!(frames[0], Raw::Anonymous { pid: 1, address: look.registers.ip });
}

#[test]
fn a_short_copy_is_cut_not_wrong() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2"]) else { return };
    let mut tracee = Tracee::start(&mut Command::new(program));
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(tracee.pid()).unwrap();
    let look = tracee.look_after(STEP);
    let (whole, _) = unwind(&mut unwinder, tracee.pid(), &look);
    for length in 0..look.stack.len().min(600) {
        let mut frames = Vec::new();
        let end = unwinder.unwind(tracee.pid(), &look.registers, &look.stack[..length], &mut frames);
        assert_eq!(frames, whole[..frames.len()], "{length}");
        assert_eq!(end == End::Whole, frames.len() == whole.len(), "{length}");
    }
}
