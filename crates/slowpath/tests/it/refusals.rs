//! Bad input is refused with a reason and a way on, and nothing is run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::place::{Place, Ran, actor, part};

#[track_caller]
fn is_refused(arguments: &[&str], code: i32, words: &[&str]) {
    let place = Place::new();
    place.file("noexec", "x");
    place.slowpath(arguments).complains(code, words);
    assert!(place.runs().iter().all(|run| crate::place::samples(run).is_empty()));
}

#[test]
fn wrong_usage_is_refused() {
    let cases: [(&[&str], &[&str]); 24] = [
        (&[], &["COMMAND"]),
        (&["bench"], &["no command"]),
        (&["bench", "--runs", "0", "--", "true"], &["--runs", "0"]),
        (&["bench", "--runs", "-1", "--", "true"], &[]),
        (&["why", "--runs", "0", "--", "true"], &["--runs"]),
        (&["compare", "--pairs", "1", "true", "true"], &["--pairs"]),
        (&["compare", "--margin", "0", "true", "true"], &["0 and 100 %"]),
        (&["compare", "true"], &["two sides"]),
        (&["compare", "true", "true", "--", "true"], &["contradict"]),
        (&["compare", "--build", "make", "true", "true"], &["--rev"]),
        (&["compare", "--rev", "HEAD", "--runs", "a", "b"], &["--runs"]),
        (&["compare", "--fail-on", "anything", "true", "true"], &["anything"]),
        (&["bench", "--json", "--csv", "--", "true"], &["--csv"]),
        (&["bench", "--json", "--markdown", "--", "true"], &["--markdown"]),
        (&["bench", "--json", "--stdout", "inherit", "--", "true"], &["contradict"]),
        (&["bench", "--golden", "first", "--stdout", "file", "--", "true"], &["--stdout"]),
        (&["bench", "--stdin", "capture", "--", "true"], &["captured"]),
        (&["bench", "--count-minus", "true", "--", "true"], &["--count"]),
        (&["bench", "--timeout", "0", "--", "true"], &["time"]),
        (&["bench", "--budget", "soon", "--", "true"], &["time"]),
        (&["bench", ""], &["empty"]),
        (&["bench", "a 'b"], &["quote"]),
        (&["nosuchsubcommand"], &[]),
        (&["bench", "--nosuchflag", "--", "true"], &["--nosuchflag"]),
    ];
    for (arguments, words) in cases {
        is_refused(arguments, 2, words);
    }
}

#[test]
fn a_command_that_cannot_be_started_is_told_with_its_reason() {
    let cases: [(&[&str], &[&str]); 6] = [
        (&["bench", "--", "no-such-program-at-all"], &["no-such-program-at-all", "PATH"]),
        (&["bench", "--", "./nothing"], &["does not exist"]),
        (&["bench", "--", "/"], &["is a folder"]),
        (&["bench", "--", "./noexec"], &["not executable", "chmod +x"]),
        (&["bench", "--", ""], &["empty"]),
        (&["compare", "true", "no-such-program-at-all"], &["no-such-program-at-all"]),
    ];
    for (arguments, words) in cases {
        is_refused(arguments, 4, words);
    }
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    let place = Place::new();
    place.script("sorted-input", "#!/bin/sh\n");
    place.slowpath(["bench", "--", "./sorted-inptu"]).complains(4, &["did you mean `sorted-input`"]);
}

#[test]
fn scripts_without_an_interpreter_are_refused() {
    let place = Place::new();
    place.script("nothing-first", "echo hello\n");
    place.slowpath(["bench", "--", "./nothing-first"]).complains(4, &["#!", "--shell"]);
    place.slowpath(["bench", "--shell", "--runs", "1", "--", "./nothing-first"]).exits(0);
    place.script("no-interpreter", "#!/no/such/interpreter -x\n");
    place.slowpath(["bench", "--", "./no-interpreter"]).complains(4, &["/no/such/interpreter"]);
    place.script("garbage", "\u{7f}ELF but not really");
    place.slowpath(["bench", "--", "./garbage"]).complains(4, &["cannot start"]);
}

#[test]
fn streams_that_cannot_be_opened_are_named() {
    is_refused(&["bench", "--stdin", "no/such/file", "--", "true"], 2, &["no/such/file"]);
    is_refused(&["bench", "--stdout", "no/such/file", "--", "true"], 2, &["no/such/file"]);
    is_refused(&["bench", "--stderr", "/", "--", "true"], 2, &["`/`"]);
}

#[test]
fn names_in_errors_cannot_command_a_terminal() {
    let place = Place::new();
    let ran = place.slowpath(["bench", "--", "./\u{1b}[31mred\u{7}"]).complains(4, &["red"]);
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stderr.contains('\u{7}'), "{:?}", ran.stderr);
    let target = "printf '\\033]0;title\\007' >&2; exit 1";
    let ran = place.slowpath(["bench", "--", "sh", "-c", target]).complains(4, &["title"]);
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn strange_targets_are_measured() {
    let place = Place::new();
    for words in ["close", "noise", "spin 0", "many 3"] {
        for warmup in ["0", "1"] {
            for stdout in ["null", "capture"] {
                let options = ["bench", "--runs", "2", "--warmup", warmup, "--stdout", stdout, &part(words)];
                place.slowpath(options).exits(0);
            }
        }
    }
    place.slowpath(["--runs", "3", "--", "true"]).exits(0);
}

#[test]
fn a_set_user_id_program_is_measured_by_another_user() {
    if !crate::place::is_root() {
        println!("skipped: only root can make a set-user-id program of another user");
        return;
    }
    let place = Place::new();
    place.open_to_all();
    let program = place.copy(actor(), "setuid");
    fs::set_permissions(&program, PermissionsExt::from_mode(0o4755)).unwrap();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    let nobody = |words: &[&str]| {
        let mut command = Command::new(&slowpath);
        command.args(["bench", "--json", "--runs", "2"]).args(words);
        place.dress(&mut command);
        command.uid(65534).gid(65534);
        place.start(command).end()
    };
    let answer = nobody(&["--", "./setuid", "spin", "1000"]).exits(0).json();
    assert_eq!(answer["commands"][0]["n"], 2);
    nobody(&["--timeout", "300ms", "--", "./setuid", "stubborn", "/dev/null"]).complains(4, &["did not end"]);
    place.is_left_by_all();
}

/// Starts a program to which the kernel refuses `pidfd_open`, with the error of its first argument, and where a second one
/// says so also a `clone` that gives such a descriptor.
const REFUSES: &str = r#"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int error = atoi(argv[1]), both = atoi(argv[2]);
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, both ? SYS_clone : -1, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 99;
    execvp(argv[3], argv + 3);
    return 98;
}
"#;

fn refused(place: &Place, error: i32, both: bool) -> Ran {
    let program = place.path().join("refuses");
    let source = place.file("refuses.c", REFUSES);
    assert!(Command::new("gcc").arg("-o").arg(&program).arg(source).status().unwrap().success());
    let slowpath = place.command(["bench", "--runs", "3", "--", "true"]);
    let mut command = Command::new(program);
    command.args([error.to_string(), i32::from(both).to_string()]);
    command.arg(slowpath.get_program()).args(slowpath.get_args());
    place.dress(&mut command);
    place.start(command).end()
}

#[test]
fn without_pidfd_open_programs_are_run_all_the_same() {
    for error in [libc::EPERM, libc::ENOSYS] {
        refused(&Place::new(), error, false).exits(0);
    }
}

#[test]
fn where_nothing_tells_of_the_end_the_refused_calls_are_named() {
    let words = ["pidfd_open", "CLONE_PIDFD", "Operation not permitted", "seccomp"];
    refused(&Place::new(), libc::EPERM, true).complains(3, &words);
}

/// What a shell does when somebody traces it.
fn when_traced(then: &str) -> String {
    format!(
        "#!/bin/sh\nwhile read -r name value; do\n  if [ \"$name\" = TracerPid: ] && [ \"$value\" != 0 ]; then \
         {then}; fi\ndone < /proc/self/status\n"
    )
}

#[test]
fn a_target_that_waits_for_ever_when_it_is_traced_gets_its_answer() {
    let place = Place::new();
    place.script("shy", &when_traced("exec sleep 300"));
    let ran = place.slowpath(["why", "--json", "--no-record", "--timeout", "60s", "--", "./shy"]).exits(0);
    let gaps = ran.json()["gaps"].to_string();
    assert!(gaps.contains("under slowpath's tracer the target did not end within"), "{gaps}");
}

#[test]
fn what_a_target_says_when_it_refuses_its_tracer_is_told() {
    let place = Place::new();
    place.script("picky", &when_traced("echo 'no debugger please' >&2; exit 4"));
    let ran = place.slowpath(["why", "--json", "--no-record", "--", "./picky"]).exits(0);
    let gaps = ran.json()["gaps"].to_string();
    assert!(gaps.contains("exit status 4, and said `no debugger please`"), "{gaps}");
}
