//! Calls of real programs under the tracer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::calls::{Calls, Direction, FileUse, On, Role, Row};
use model::{Ended, Stage};
use run::calls::{Options, Traced, trace};
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, RunError, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };
const PYTHON: &str = "/usr/bin/python3";

/// One target at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn recipe(folder: &Path, words: &[&str]) -> Recipe {
    Recipe {
        path: PathBuf::from(words[0]),
        argv: words.iter().map(Into::into).collect(),
        env: environment([]),
        cwd: Some(folder.to_owned()),
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Inherit,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    }
}

fn traced_with(folder: &Path, words: &[&str], options: &Options) -> Traced {
    let _alone = alone();
    let rig = Rig::open().unwrap();
    let traced = trace(&rig, &recipe(folder, words), SLOT, options).unwrap();
    assert!(is_sound(&traced.calls));
    traced
}

fn traced(folder: &Path, words: &[&str]) -> Traced {
    let traced = traced_with(folder, words, &Options::new(folder.to_owned()));
    assert_eq!(traced.run.as_ref().unwrap().sample.ended, Ended::Code(0), "{:#?}", traced.calls.gaps);
    traced
}

fn is_sound(calls: &Calls) -> bool {
    calls.rows.iter().all(|row| {
        let in_table = match row.on {
            Some(On::File(at)) => (at as usize) < calls.files.len(),
            Some(On::Peer(at)) => (at as usize) < calls.peers.len(),
            Some(On::Other(at)) => (at as usize) < calls.others.len(),
            None => true,
        };
        in_table
            && row.stack.is_none_or(|stack| (stack as usize) < calls.nodes.len())
            && row.seen <= row.count
    })
}

/// A C program, built with the tables that unwinding needs.
fn compiled(folder: &Path, text: &str, flags: &[&str]) -> String {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    fs::write(&source, format!("#define _GNU_SOURCE\n{INCLUDES}{text}")).unwrap();
    let built = Command::new("gcc")
        .args(["-O1", "-g", "-fno-inline", "-fno-optimize-sibling-calls", "-w"])
        .args(flags)
        .arg("-o")
        .args([&program, &source])
        .status()
        .unwrap();
    assert!(built.success());
    program.to_str().unwrap().to_owned()
}

const INCLUDES: &str = "
#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/sendfile.h>
";

fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("script.py");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn file<'a>(calls: &'a Calls, name: &str) -> &'a FileUse {
    let found = calls.files.iter().find(|file| file.path.ends_with(name));
    found.unwrap_or_else(|| panic!("{name} in {:#?}", calls.files))
}

fn rows<'a>(calls: &'a Calls, call: &str, name: &str) -> Vec<&'a Row> {
    let on = |row: &Row| match row.on {
        Some(On::File(at)) => calls.files[at as usize].path.ends_with(name),
        _ => false,
    };
    calls.rows.iter().filter(|row| row.call == call && on(row)).collect()
}

fn functions(calls: &Calls, stack: Option<u32>) -> Vec<String> {
    let (mut names, mut next) = (Vec::new(), stack);
    while let Some(at) = next {
        let node = calls.nodes[at as usize];
        names.extend(calls.frames[node.frame as usize].function.clone());
        next = node.parent;
    }
    names
}

#[test]
fn small_writes_and_a_sync_for_each_record_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(
        folder.path(),
        r#"
        void store(int fd, int i) { char text[8] = "record\n"; write(fd, text, 7); fdatasync(fd); }
        void other(int fd) { write(fd, "x", 1); }
        int main() {
            int fd = open("log", O_CREAT | O_WRONLY | O_TRUNC, 0644);
            for (int i = 0; i < 100; i++) store(fd, i);
            other(fd);
            close(fd);
            return 0;
        }"#,
        &[],
    );
    let calls = traced(folder.path(), &[&program]).calls;
    let log = file(&calls, "/log");
    assert_eq!((log.opens, log.writes, log.written_bytes, log.syncs), (1, 101, 701, 100));
    assert_eq!((log.distinct_written_bytes, log.size), (Some(701), Some(701)));
    assert_eq!((log.reads, log.distinct_read_bytes), (0, Some(0)));
    assert!(log.sync.as_nanos() > 0);
    let writes = rows(&calls, "write", "/log");
    assert_eq!(writes.len(), 2, "{writes:#?}");
    let store = writes.iter().find(|row| row.count == 100).unwrap();
    assert_eq!((store.seen, store.bytes, store.requested), (100, Some(700), Some(700)));
    assert_eq!(store.sizes, [0, 0, 0, 100]);
    assert_eq!((store.sequential, store.reread), (Some(100), None));
    let names = functions(&calls, store.stack);
    assert!(names.windows(2).any(|pair| pair == ["store", "main"]), "{names:?}");
    let other = writes.iter().find(|row| row.count == 1).unwrap();
    assert!(functions(&calls, other.stack).contains(&"other".to_owned()));
    assert_eq!(calls.watched, calls.wall);
}

#[test]
fn reads_that_begin_inside_the_last_one_are_told_from_reads_that_go_on_or_jump() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), vec![b'x'; 100_000]).unwrap();
    let text = script(
        folder.path(),
        "
import os
def reads(places):
    fd = os.open('input', os.O_RDONLY)
    for at in places:
        os.lseek(fd, at, 0)
        os.read(fd, 1000)
def inside():
    reads(range(0, 4000, 20))
def on():
    reads(range(0, 90000, 1000))
def again():
    reads([0] * 50)
def jumps():
    reads(at * 7919 % 90000 for at in range(100))
for what in inside, on, again, jumps:
    what()
",
    );
    let calls = traced(folder.path(), &[PYTHON, &text]).calls;
    let overlapping = |function: &str| {
        let reads = rows(&calls, "read", "/input");
        let own: Vec<_> = reads
            .into_iter()
            .filter(|row| functions(&calls, row.stack).iter().any(|name| name == function))
            .collect();
        assert!(own.iter().map(|row| row.count).sum::<u64>() >= 50, "{function}");
        own.iter().filter_map(|row| row.overlapping).sum::<u64>()
    };
    assert_eq!(["inside", "on", "again", "jumps"].map(overlapping), [199, 0, 0, 0]);
}

#[test]
fn bytes_read_again_are_told_apart_from_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), vec![b'x'; 10_000]).unwrap();
    let text = script(
        folder.path(),
        "
import os
def again():
    with open('input', 'rb', buffering=0) as file:
        return file.read(10000)
for _ in range(100):
    again()
fd = os.open('input', os.O_RDONLY)
for at in (8000, 0, 4000):
    os.pread(fd, 100, at)
os.lseek(fd, 9000, 0)
os.read(fd, 5000)
",
    );
    let calls = traced(folder.path(), &[PYTHON, &text]).calls;
    let input = file(&calls, "/input");
    assert_eq!(input.opens, 101);
    assert_eq!((input.distinct_read_bytes, input.size), (Some(10_000), Some(10_000)));
    assert_eq!(input.read_bytes, 1_000_000 + 300 + 1000);
    let reads = rows(&calls, "read", "/input");
    let reread: u64 = reads.iter().filter_map(|row| row.reread).sum();
    assert_eq!(reread, 990_000 + 1000);
    let again = reads.iter().max_by_key(|row| row.count).unwrap();
    let names = functions(&calls, again.stack);
    assert!(names.iter().any(|name| name == "again"), "{names:?}");
    let random: Vec<_> = rows(&calls, "pread64", "/input");
    assert_eq!(random.iter().filter_map(|row| row.sequential).sum::<u64>(), 0);
    assert_eq!(random.iter().filter_map(|row| row.reread).sum::<u64>(), 300);
}

#[test]
fn a_storm_of_stats_is_counted_with_its_failures() {
    let folder = tempfile::tempdir().unwrap();
    let text = script(
        folder.path(),
        "
import os
def probe(name):
    return os.path.exists(name)
for _ in range(300):
    probe('missing'); probe('sub/../missing2'); os.getrandom(16)
os.access('script.py', os.R_OK)
",
    );
    let calls = traced(folder.path(), &[PYTHON, &text]).calls;
    let missing = file(&calls, "/missing");
    assert_eq!((missing.stats, missing.failures, missing.opens), (300, 300, 0));
    let looks: Vec<_> =
        ["stat", "newfstatat"].iter().flat_map(|call| rows(&calls, call, "/missing")).collect();
    assert_eq!(looks.iter().map(|row| row.errors[0].count).sum::<u64>(), 300);
    assert!(looks.iter().all(|row| row.errors[0].error == "ENOENT"));
    assert!(looks.iter().all(|row| functions(&calls, row.stack).iter().any(|name| name == "probe")));
    let asked = calls.rows.iter().filter(|row| row.call == "getrandom" && row.on.is_none());
    assert!(asked.map(|row| row.count).sum::<u64>() >= 300);
}

#[test]
fn a_call_that_comes_too_often_is_counted_on_and_looked_at_now_and_then() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(
        folder.path(),
        r#"int main() {
            int fd = open("log", O_CREAT | O_WRONLY | O_TRUNC, 0644);
            for (int i = 0; i < 5000; i++) write(fd, "abc", 3);
            for (int i = 0; i < 5000; i++) access("nothing", 0);
            write(fd, "end", 3);
            close(fd);
            return 0;
        }"#,
        &[],
    );
    let options = Options { storm: 500, ..Options::new(folder.path().to_owned()) };
    let calls = traced_with(folder.path(), &[&program], &options).calls;
    let log = file(&calls, "/log");
    assert_eq!((log.writes, log.distinct_written_bytes, log.size), (5001, None, Some(15_003)));
    let row = rows(&calls, "write", "/log").into_iter().max_by_key(|row| row.count).unwrap();
    // In a storm the last one, from another line, is not told apart.
    assert!((5000..=5001).contains(&row.count), "{row:?}");
    assert!((700..900).contains(&row.seen), "{row:?}");
    assert_eq!(row.bytes, Some(row.seen * 3));
    // Where the last one ended is asked for again, and they all followed each other.
    assert!(row.sequential.unwrap() >= 500);
    let access: u64 = calls.rows.iter().filter(|row| row.call == "access").map(|row| row.count).sum();
    assert!(access >= 5000);
    assert!(calls.gaps.iter().any(|gap| gap.why.contains("access, write")), "{:?}", calls.gaps);
}

#[test]
fn when_its_time_is_up_the_target_goes_on_and_the_rest_is_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"int main() { for (int i = 0; i < 3000; i++) access("nothing", 0); return 7; }"#;
    let program = compiled(folder.path(), text, &[]);
    let options = Options { limit: Some(Duration::ZERO), ..Options::new(folder.path().to_owned()) };
    let traced = traced_with(folder.path(), &[&program], &options);
    assert_eq!(traced.run.unwrap().sample.ended, Ended::Code(7));
    assert_eq!((traced.calls.totals.calls, traced.calls.tracing), (0, None));
    assert!(traced.calls.totals.unwatched >= 3000);
    assert!(traced.calls.watched < traced.calls.wall);
    assert!(!traced.calls.gaps.is_empty());
}

#[test]
fn connections_requests_and_who_answers_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = script(
        folder.path(),
        "
import os, threading, time, http.client, http.server
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header('content-length', '2'); self.end_headers(); self.wfile.write(b'ok')
    def log_message(self, *words): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Answers)
if os.fork() == 0:
    server.serve_forever()
port = server.server_port
server.socket.close()
def ask(number):
    line = http.client.HTTPConnection('127.0.0.1', port)
    line.request('GET', '/item/%d' % number)
    line.getresponse().read()
    line.close()
for number in range(20):
    ask(number)
    time.sleep(0.001)
",
    );
    let traced = traced(folder.path(), &[PYTHON, &text]);
    let calls = &traced.calls;
    let asked = calls.peers.iter().position(|peer| peer.role == Role::Asks && peer.connections > 0).unwrap();
    let answers = calls.peers.iter().find(|peer| peer.role == Role::Answers).unwrap();
    let peer = &calls.peers[asked];
    assert_eq!((peer.connections, peer.refused, peer.sends), (20, 0, 20));
    assert_eq!(peer.family, "tcp");
    assert_eq!((answers.connections, &answers.address), (20, &peer.address));
    assert_eq!((peer.process, answers.process), (Some(1), Some(1)));
    assert_eq!(peer.sleeps, 19);
    // The sleeps end at a moment that was fixed before the tracer looked, so they seem a little shorter.
    assert!(peer.slept.as_nanos() > 5_000_000);
    let sent: Vec<_> = traced
        .messages
        .iter()
        .filter(|message| message.peer as usize == asked && message.direction == Direction::Sent)
        .collect();
    assert_eq!(sent.len(), 20);
    assert!(sent[7].bytes.starts_with(b"GET /item/7 HTTP/1.1\r\n"));
    assert!(functions(calls, sent[7].stack).iter().any(|name| name == "ask"));
}

#[test]
fn a_refused_connection_has_its_address() {
    let folder = tempfile::tempdir().unwrap();
    let text = script(
        folder.path(),
        "
import socket
for _ in range(3):
    try: socket.create_connection(('127.0.0.1', 1))
    except ConnectionRefusedError: pass
try: socket.socket(socket.AF_UNIX).connect('/nowhere.sock')
except FileNotFoundError: pass
",
    );
    let calls = traced(folder.path(), &[PYTHON, &text]).calls;
    let find =
        |address: &str| calls.peers.iter().find(|peer| peer.address.as_deref() == Some(address)).unwrap();
    let (tcp, unix) = (find("127.0.0.1:1"), find("/nowhere.sock"));
    assert_eq!((&*tcp.family, tcp.connections, tcp.refused), ("tcp", 0, 3));
    assert_eq!((&*unix.family, unix.connections, unix.refused), ("unix", 0, 1));
    assert!(
        calls.rows.iter().any(
            |row| row.call == "connect" && row.errors.iter().any(|errors| errors.error == "ECONNREFUSED")
        )
    );
}

#[test]
fn sqlite_is_seen_through_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let text = script(
        folder.path(),
        "
import sqlite3
base = sqlite3.connect('base.db', isolation_level=None)
base.execute('create table numbers (value integer)')
for value in range(20):
    base.execute('insert into numbers values (?)', (value,))
",
    );
    let calls = traced(folder.path(), &[PYTHON, &text]).calls;
    let base = file(&calls, "/base.db");
    assert!(base.syncs >= 21, "{base:?}");
    assert!(base.head.as_deref().unwrap().starts_with("53514c69746520666f726d61742033"), "{base:?}");
    let journal = file(&calls, "/base.db-journal");
    assert!(journal.opens >= 21 && journal.syncs >= 20, "{journal:?}");
}

#[test]
fn threads_vectors_positions_and_copies_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), vec![b'x'; 4000]).unwrap();
    let program = compiled(
        folder.path(),
        r#"
        void *reader(void *name) {
            char bytes[100];
            int fd = open("input", O_RDONLY);
            for (int i = 0; i < 40; i++) read(fd, bytes, 100);
            close(fd);
            return 0;
        }
        int main() {
            pthread_t threads[4];
            for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, reader, 0);
            for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
            int fd = open("output", O_CREAT | O_WRONLY | O_APPEND, 0644), in = open("input", O_RDONLY);
            struct iovec pieces[2] = {{"ab", 2}, {"cde", 3}};
            writev(fd, pieces, 2);
            write(fd, "fg", 2);
            close(fd);
            fd = open("copy", O_CREAT | O_WRONLY, 0644);
            sendfile(fd, in, 0, 1000);
            close(fd);
            return 0;
        }"#,
        &["-pthread"],
    );
    let calls = traced(folder.path(), &[&program]).calls;
    assert_eq!((calls.processes.len(), calls.processes[0].threads), (1, 5));
    let input = file(&calls, "/input");
    assert_eq!((input.opens, input.reads, input.read_bytes), (5, 161, 17_000));
    assert_eq!(input.distinct_read_bytes, Some(4000));
    let reads = rows(&calls, "read", "/input");
    assert_eq!(reads.iter().filter_map(|row| row.sequential).sum::<u64>(), 160);
    let output = file(&calls, "/output");
    assert_eq!((output.writes, output.written_bytes, output.distinct_written_bytes), (2, 7, Some(7)));
    assert_eq!(file(&calls, "/copy").written_bytes, 1000);
    assert!(reads.iter().all(|row| functions(&calls, row.stack).contains(&"reader".to_owned())));
}

#[test]
fn programs_that_start_others_are_listed_with_what_they_ran() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(
        folder.path(),
        r#"
        extern char **environ;
        int main() {
            char *words[] = {"true", 0};
            pid_t pid;
            for (int i = 0; i < 5; i++) { posix_spawn(&pid, "/bin/true", 0, 0, words, environ); waitpid(pid, 0, 0); }
            if (vfork() == 0) execl("/bin/sh", "sh", "-c", "exec /bin/sh -c 'exit 3'", 0);
            wait(0);
            if (fork() == 0) _exit(4);
            wait(0);
            return 0;
        }"#,
        &[],
    );
    let calls = traced(folder.path(), &[&program]).calls;
    let ran = &calls.processes;
    assert_eq!(ran.len(), 8, "{ran:#?}");
    assert!(ran[1..].iter().all(|ran| ran.parent == Some(0) && ran.to.is_some_and(|to| to >= ran.from)));
    assert!(ran[1..6].iter().all(|ran| ran.programs.len() == 1 && ran.programs[0].argv[0].lossy() == "true"));
    assert_eq!((ran[6].programs.len(), ran[6].ended), (2, Some(Ended::Code(3))));
    assert_eq!((ran[7].programs.len(), ran[7].ended), (0, Some(Ended::Code(4))));
}

#[test]
fn a_killed_target_and_one_that_hangs_leave_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"int main() { write(open("log", O_CREAT|O_WRONLY, 0644), "x", 1); raise(SIGKILL); }"#;
    let program = compiled(folder.path(), text, &[]);
    let options = Options::new(folder.path().to_owned());
    let killed = traced_with(folder.path(), &[&program], &options);
    assert_eq!(killed.run.unwrap().sample.ended, Ended::Signal(9));
    assert_eq!(file(&killed.calls, "/log").writes, 1);
    let _alone = alone();
    let rig = Rig::open().unwrap();
    let mut hangs = recipe(folder.path(), &["/bin/sh", "-c", "sleep 300 & cat < /proc/self/status; wait"]);
    hangs.timeout = Some(Duration::from_millis(500));
    let hung = trace(&rig, &hangs, SLOT, &options).unwrap();
    assert!(matches!(hung.run, Err(RunError::TimedOut { .. })));
    assert!(hung.calls.totals.calls > 0);
}

#[test]
fn a_target_that_traces_is_refused_and_a_gap_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(
        folder.path(),
        r#"int main() {
            if (fork() == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == EPERM ? 0 : 1);
            int status;
            wait(&status);
            return WEXITSTATUS(status);
        }"#,
        &[],
    );
    let calls = traced(folder.path(), &[&program]).calls;
    assert!(calls.gaps.iter().any(|gap| gap.what.contains("tracer")), "{:?}", calls.gaps);
}

#[test]
fn a_static_program_and_stopped_threads_are_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(
        folder.path(),
        r#"
        void caught(int signal) { }
        int main() {
            signal(SIGALRM, caught);
            alarm(1);
            pause();
            pid_t child = fork();
            if (child == 0) { raise(SIGSTOP); write(open("log", O_CREAT|O_WRONLY, 0644), "x", 1); _exit(0); }
            waitpid(child, 0, WUNTRACED);
            kill(child, SIGCONT);
            waitpid(child, 0, 0);
            return 0;
        }"#,
        &["-static"],
    );
    let calls = traced(folder.path(), &[&program]).calls;
    assert_eq!(file(&calls, "/log").writes, 1);
    let row = rows(&calls, "write", "/log")[0];
    assert!(functions(&calls, row.stack).contains(&"main".to_owned()));
}

#[test]
fn a_target_that_cannot_be_started_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    let rig = Rig::open().unwrap();
    let options = Options::new(folder.path().to_owned());
    let error = trace(&rig, &recipe(folder.path(), &["/nowhere/program"]), SLOT, &options).unwrap_err();
    assert!(matches!(error, RunError::NotStarted { .. }), "{error:?}");
}

#[test]
fn a_program_of_go_is_seen_with_its_stacks() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("main.go");
    let text = r#"
package main

import "os"

//go:noinline
func store(file *os.File) { file.Write([]byte("record\n")) }

func main() {
	file, _ := os.Create("log")
	for i := 0; i < 50; i++ {
		store(file)
	}
	file.Close()
}
"#;
    fs::write(&source, text).unwrap();
    let program = folder.path().join("program");
    let built = Command::new("go")
        .args(["build", "-o"])
        .args([&program, &source])
        .env("GOFLAGS", "-mod=mod")
        .status();
    if !built.is_ok_and(|status| status.success()) {
        println!("skipped: no go");
        return;
    }
    let calls = traced(folder.path(), &[program.to_str().unwrap()]).calls;
    assert_eq!(file(&calls, "/log").writes, 50);
    let row = rows(&calls, "write", "/log")[0];
    let names = functions(&calls, row.stack);
    assert!(names.iter().any(|name| name == "main.store"), "{names:?}");
}

const FOLDER: &str = "SLOWPATH_TEST_CALLS";

#[test]
fn in_a_folder() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let text = "import os, sqlite3, socket\n\
        base = sqlite3.connect('base.db')\n\
        for number in range(5):\n    base.execute('create table t%d (x)' % number); base.commit()\n\
        a, b = socket.socketpair(); a.sendall(b'hello'); b.recv(10)\n\
        os.system('true')\n";
    let text = script(&folder, text);
    let calls = traced(&folder, &[PYTHON, &text]).calls;
    assert!(file(&calls, "/base.db").syncs >= 5);
    assert!(
        calls
            .peers
            .iter()
            .any(|peer| peer.family == "unix" && peer.sent_bytes == 5 && peer.received_bytes == 5)
    );
    assert!(calls.processes.len() >= 2);
    let syncs = rows(&calls, "fdatasync", "/base.db");
    assert!(syncs.iter().all(|row| functions(&calls, row.stack).iter().any(|name| name == "<module>")));
    println!("seen as an ordinary user");
}

#[test]
fn an_ordinary_user_sees_the_calls_of_his_own_program() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    // SAFETY: geteuid takes nothing and cannot fail.
    if unsafe { libc::geteuid() } != 0 {
        println!("skipped: only root can become another user");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let program = folder.path().join("it");
    // By another process: a file that a child of another test has open for writing cannot be executed.
    assert!(
        Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap().success()
    );
    let output = Command::new(&program)
        .args(["--exact", "calls::in_a_folder", "--nocapture"])
        .env(FOLDER, folder.path())
        .env("HOME", folder.path())
        .current_dir("/")
        .uid(65534)
        .gid(65534)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("seen as an ordinary user"),
        "{shown}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

const TALKS: &str = r#"
import socket, threading

def whole(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            return None
        data += part
    return data

def serve(door):
    while True:
        line, _ = door.accept()
        threading.Thread(target=answer, args=(line,), daemon=True).start()

def answer(line):
    while whole(line, 48) is not None:
        line.sendall(b"0123456789abcdef")

door = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(door,), daemon=True).start()

def in_pieces(line):
    line.sendall(b"h" * 16)
    line.sendall(b"b" * 32)
    return whole(line, 16)

def at_once(line):
    line.sendall(b"r" * 48)
    return whole(line, 16)

one = socket.create_connection(door.getsockname())
for _ in range(12):
    in_pieces(one)
one.close()
for _ in range(6):
    line = socket.create_connection(door.getsockname())
    at_once(line)
    line.close()
"#;

#[test]
fn requests_in_pieces_wait_for_an_acknowledgement_and_connections_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("talks.py"), TALKS).unwrap();
    let calls = traced(folder.path(), &[PYTHON, "talks.py"]).calls;
    let asked: Vec<_> =
        calls.peers.iter().filter(|peer| peer.role == Role::Asks && peer.family == "tcp").collect();
    let sum = |of: &dyn Fn(&model::calls::Peer) -> u64| asked.iter().map(|peer| of(peer)).sum::<u64>();
    // The kernel acknowledges the first few pieces of a connection at once.
    assert!((4..=12).contains(&sum(&|peer| peer.stalls)), "{asked:#?}");
    assert!(sum(&|peer| peer.stalled.as_nanos()) >= 4 * 36_000_000, "{asked:#?}");
    assert_eq!((sum(&|peer| peer.connections), sum(&|peer| peer.again)), (7, 6), "{asked:#?}");
    let at = asked.iter().find_map(|peer| peer.stalled_at).unwrap();
    let named = calls.frames_of(at).any(|frame| frame.function.as_deref() == Some("in_pieces"));
    assert!(named, "{:?}", calls.frames_of(at).collect::<Vec<_>>());
}

#[test]
fn who_reads_and_who_writes_by_a_descriptor_each_have_one_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let reader = "(readers.get(line) or readers.setdefault(line, line.dup()))";
    let text = TALKS.replace("return whole(line, 16)", &format!("return whole({reader}, 16)"));
    fs::write(folder.path().join("talks.py"), format!("readers = {{}}\n{text}")).unwrap();
    let calls = traced(folder.path(), &[PYTHON, "talks.py"]).calls;
    let asked: Vec<_> =
        calls.peers.iter().filter(|peer| peer.role == Role::Asks && peer.family == "tcp").collect();
    let sum = |of: &dyn Fn(&model::calls::Peer) -> u64| asked.iter().map(|peer| of(peer)).sum::<u64>();
    assert!((4..=12).contains(&sum(&|peer| peer.stalls)), "{asked:#?}");
    assert_eq!((sum(&|peer| peer.connections), sum(&|peer| peer.received_bytes)), (7, 18 * 16), "{asked:#?}");
}
