//! The performance map of real programs: what takes the time, in which process, and whether there is something to fix.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::Place;

/// An HTTP server that thinks for so many seconds before each answer, and tells its port. Without Python's own modules,
/// because loading them is a thousand calls, which take a tracer long on a busy machine.
const SERVER: &str = r#"
import _socket, os, sys, time

def think():
    time.sleep(float(sys.argv[1]))

def serve(connection):
    while connection.recv(4096):
        think()
        connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
listener.bind(("127.0.0.1", 0))
listener.listen(8)
os.write(1, b"%d\n" % listener.getsockname()[1])
while True:
    serve(_socket.socket(fileno=listener._accept()[0]))
"#;

/// The other side: asks `fetch` so many times over one connection.
const CLIENT: &str = r#"
import _socket

def fetch(connection, n):
    connection.send(b"GET /item/%d HTTP/1.1\r\nHost: a\r\n\r\n" % n)
    return connection.recv(4096)

def ask(port, times):
    connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    connection.connect(("127.0.0.1", port))
    for n in range(times):
        fetch(connection, n)
    connection.close()
"#;

const PYTHON: &str = "/usr/bin/python3";

/// What PyYAML makes of a map. `None` when it is not installed; `cargo xtask test` puts it into `target/pyyaml`.
fn parsed(path: &Path) -> Option<Value> {
    const READER: &str =
        "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1], encoding='utf-8'))))";
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pyyaml");
    let mut reader = Command::new("python3");
    if ours.join("yaml").is_dir() {
        reader.env("PYTHONPATH", ours);
    }
    let output = reader.args(["-c", READER]).arg(path).output().ok()?;
    let missing = String::from_utf8_lossy(&output.stderr).contains("No module named");
    if missing {
        println!("skipped: PyYAML is not installed");
        return None;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The map of the last run: valid, the same in every form, and the same when asked for again.
#[track_caller]
fn map(place: &Place) -> Value {
    let path = place.last_run().join("performance_map.yaml");
    let printed = place.slowpath(["report", "last", "--map"]).exits(0);
    assert_eq!(printed.stdout, fs::read(&path).unwrap(), "the stored map is not the map of what is stored");
    let result = place.slowpath(["export", "last", "--format", "ln-810"]).exits(0).json();
    let map = result["performance_map"].clone();
    is_valid("performance_map", &map);
    if let Some(read) = parsed(&path) {
        assert_eq!(read, map);
    }
    for step in steps(&map) {
        assert_adds_up(step);
    }
    map
}

/// Every step, parents first.
fn steps(map: &Value) -> Vec<&Value> {
    let mut all: Vec<&Value> = map["steps"].as_array().unwrap().iter().collect();
    let mut at = 0;
    while let Some(step) = all.get(at).copied() {
        all.extend(step["children"].as_array().unwrap());
        at += 1;
    }
    all
}

#[track_caller]
fn assert_adds_up(step: &Value) {
    let share = |step: &Value| step["time_share_pct"].as_f64().unwrap();
    let below: f64 = step["children"].as_array().unwrap().iter().map(share).sum();
    let own = step["self_share_pct"].as_f64().unwrap();
    assert!(share(step) >= 1.0 && (below + own - share(step)).abs() < 1e-6, "{step:#}");
}

#[track_caller]
fn step<'a>(map: &'a Value, function: &str) -> &'a Value {
    let found = steps(map).into_iter().find(|step| step["function"] == function);
    found.unwrap_or_else(|| panic!("no step {function} in {map:#}"))
}

fn built(place: &Place, source: &str) -> PathBuf {
    let (file, program) = (place.file("work.c", source), place.path().join("work"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-g", "-o"]).arg(&program).arg(file);
    assert!(gcc.status().unwrap().success());
    program
}

#[test]
fn a_program_that_computes_is_mapped_down_to_the_function_that_does() {
    let place = Place::new();
    let program = built(
        &place,
        "#include <stdio.h>\n\
         static volatile unsigned long sink;\n\
         static __attribute__((noinline)) void grind(unsigned long n) {\n\
             for (unsigned long i = 0; i < n; i++) sink = sink * 3 + i;\n\
         }\n\
         int main(void) { grind(150000000); return sink == 1; }\n",
    );
    let options = ["--json", "--runs", "2", "--warmup", "0", "--"];
    place.slowpath(options.iter().chain(&[program.to_str().unwrap()])).exits(0);
    let map = map(&place);
    assert_eq!(map["test_command"], program.to_str().unwrap());
    assert!(map["baseline"]["wall_time_ms"].as_f64().unwrap() > 1.0);
    assert_eq!(map["baseline_intervals"]["wall_time_ms"]["runs"], 2);
    assert_eq!(map["baseline"]["http_round_trips"], Value::Null, "nobody traced its calls");
    assert_eq!(map["baseline"]["gpu"].is_null(), !Path::new("/proc/driver/nvidia").is_dir());
    let grind = step(&map, "grind");
    assert!(grind["location"].as_str().unwrap().ends_with("work.c:4"), "{grind:#}");
    assert_eq!(grind["service"], Value::Null);
    // Other programs may take much of the wall time; of what the program does itself, this is nearly all.
    let queue = steps(&map).into_iter().find(|step| step["function"] == "waiting for a CPU");
    let queued = queue.map_or(0.0, |step| step["time_share_pct"].as_f64().unwrap());
    assert!(grind["time_share_pct"].as_f64().unwrap() > 0.8 * (100.0 - queued) - 5.0, "{map:#}");
    let suspicions = map["suspicion_stack"].as_array().unwrap();
    assert!(suspicions.len() > 30 && suspicions.iter().any(|one| one["verdict"] == "DISMISSED"));
    let external = &map["wrong_tool_indicators"]["external_service_no_alternative"];
    assert_ne!(external["holds"], true, "{external:#}");
}

#[test]
fn a_server_that_the_program_started_stands_below_the_function_that_waits_for_it() {
    let place = Place::new();
    place.file("serve.py", SERVER);
    let script = format!(
        "{CLIENT}\n\
         import os, sys\n\
         told, tell = os.pipe()\n\
         words = [sys.executable, *'-B -S -I serve.py 0.1'.split()]\n\
         server = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, tell, 1)])\n\
         ask(int(os.read(told, 9)), 7)\n\
         os.kill(server, 9)\n\
         os.waitpid(server, 0)\n"
    );
    let client = place.file("client.py", script);
    let options = ["--json", "--runs", "1", "--warmup", "0", "--", PYTHON, "-B", "-S", "-I"];
    let answer = place.slowpath(options.iter().chain(&[client.to_str().unwrap()])).exits(0).json();
    let map = map(&place);
    let fetch = step(&map, "fetch");
    assert!(fetch["service"].is_null() && fetch["time_share_pct"].as_f64().unwrap() > 10.0, "{fetch:#}");
    let served = steps(&map)
        .into_iter()
        .find(|step| step["service"].as_str().is_some_and(|service| service.contains("serve.py")));
    assert!(served.is_some(), "{map:#}");
    // A traced run that had to be ended has not told how many there were.
    let gaps = answer["gaps"].as_array().unwrap();
    let cut = gaps.iter().any(|gap| gap["what"].as_str().unwrap().contains("traced run"));
    let trips = &map["baseline"]["http_round_trips"];
    if cut {
        println!("the traced run was ended early");
        assert!(trips.is_null(), "{trips}");
    } else {
        assert_eq!((trips, &fetch["http_round_trips"]), (&Value::from(7), &Value::from(7)), "{map:#}");
    }
    assert_ne!(map["wrong_tool_indicators"]["external_service_no_alternative"]["holds"], true);
}

/// A server outside the tree; ended with the test.
struct Outside(Child, String);

impl Outside {
    fn start(place: &Place, seconds: &str) -> Self {
        let script = place.file("serve.py", SERVER);
        let mut server = Command::new(PYTHON);
        server.args(["-B", "-S", "-I"]).arg(script).arg(seconds).stdout(Stdio::piped());
        let mut child = server.spawn().unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self(child, port.trim().to_owned())
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_program_that_only_waits_for_somebody_else_has_nothing_to_fix() {
    let place = Place::new();
    let outside = Outside::start(&place, "2");
    let client = place.file("ask.py", format!("{CLIENT}\nimport sys\nask(int(sys.argv[1]), 1)\n"));
    let options =
        ["--json", "--runs", "1", "--warmup", "0", "--", PYTHON, "-B", "-S", "-I", client.to_str().unwrap()];
    let answer = place.slowpath(options.iter().chain(&[outside.1.as_str()])).exits(0).json();
    is_valid("answer", &answer);
    let map = map(&place);
    let peer = format!("127.0.0.1:{}", outside.1);
    let waited = steps(&map).into_iter().find(|step| step["service"] == peer.as_str());
    assert_eq!(waited.unwrap_or_else(|| panic!("{map:#}"))["type"], "External");
    let external = &map["wrong_tool_indicators"]["external_service_no_alternative"];
    assert_eq!(external["holds"], true, "{external:#}");
    assert!(external["because"].as_str().unwrap().contains(&peer), "{external:#}");
    assert_eq!(answer["indicators"][0]["indicator"], "external_service_no_alternative");
    let text = place.slowpath(["report", "last"]).exits(0).text();
    assert!(text.contains("nothing to fix here"), "{text}");
    let summary = place.slowpath(["export", "last", "--format", "worker-summary"]).exits(0).json();
    assert_eq!(summary["summary_kind"], "optimization-profile");
    assert_eq!(summary["payload"]["wrong_tool_indicators"][0], "external_service_no_alternative");
    assert_eq!(summary["run_id"], answer["run"]);
    let profile = place.slowpath(["export", "last", "--format", "ln-811"]).exits(0).json();
    assert_eq!(profile["performance_map"]["steps"], map["steps"]);
}

#[test]
fn what_is_no_why_has_no_map() {
    let place = Place::new();
    place.slowpath(["bench", "--runs", "1", "--warmup", "0", "--", "true"]).exits(0);
    place.slowpath(["report", "last", "--map"]).complains(2, &["performance map"]);
    place.slowpath(["export", "last", "--format", "ln-811"]).complains(2, &["performance map"]);
    assert!(!place.last_run().join("performance_map.yaml").exists());
    // Nothing recorded: the baseline is there, steps are not made up.
    place.slowpath(["--no-record", "--runs", "1", "--warmup", "0", "--", "true"]).exits(0);
    let map = map(&place);
    assert_eq!(map["steps"], Value::Array(Vec::new()));
    assert_eq!(map["wrong_tool_indicators"]["already_optimized"]["holds"], Value::Null);
}
