//! Recordings of real programs: the right function, the right wait, at every level of privilege.

use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, is_root, manifest};

/// The program that plays every kind of time, compiled as people compile: no frame pointers.
pub(crate) fn scene() -> &'static Path {
    static SCENE: OnceLock<PathBuf> = OnceLock::new();
    SCENE.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("slowpath-scene-").tempdir().unwrap().keep();
        let program = folder.join("scene");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/scene.c");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-g", "-pthread", "-o"]).arg(&program).arg(source);
        assert!(gcc.status().unwrap().success());
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        program
    })
}

fn record(place: &Place, options: &[&str], words: &[&str]) -> Ran {
    let scene = scene().to_str().unwrap();
    place.slowpath(["record", "--json"].iter().chain(options).chain(&["--", scene]).chain(words))
}

/// The profile of a scene, and its recording.
#[track_caller]
pub(crate) fn played(options: &[&str], words: &[&str]) -> (Value, Value) {
    let place = Place::new();
    let profile = record(&place, options, words).exits(0).json();
    is_valid("profile", &profile);
    (profile, recording(&place))
}

pub(crate) fn recording(place: &Place) -> Value {
    let file = fs::File::open(place.last_run().join("tier1/account.json.gz")).unwrap();
    let recording = serde_json::from_reader(flate2::read::GzDecoder::new(file)).unwrap();
    is_valid("recording", &recording);
    recording
}

/// Share of the critical path in leaves of this name.
fn share(profile: &Value, leaf: &str) -> f64 {
    sum(profile, leaf, "share")
}

/// Seconds of it. Sleeping and computing take at least as long as they were told to, on any machine.
pub(crate) fn seconds(profile: &Value, leaf: &str) -> f64 {
    sum(profile, leaf, "seconds")
}

fn sum(profile: &Value, leaf: &str, what: &str) -> f64 {
    let leaves = profile["account"]["leaves"].as_array().unwrap();
    let named = leaves.iter().filter(|known| known["leaf"].as_str().unwrap().starts_with(leaf));
    named.map(|leaf| leaf[what].as_f64().unwrap()).sum()
}

#[track_caller]
pub(crate) fn closes(profile: &Value) {
    // What passed before the first look at a thread, polls cannot explain; these runs take a few tenths of a second.
    closes_within(profile, if profile["level"] == "D" { 0.1 } else { 0.02 });
}

fn closes_within(profile: &Value, most: f64) {
    let account = &profile["account"];
    let sum: f64 =
        account["leaves"].as_array().unwrap().iter().map(|leaf| leaf["share"].as_f64().unwrap()).sum();
    let unaccounted = account["unaccounted"].as_f64().unwrap();
    assert!((sum + unaccounted - 1.0).abs() < 1e-6, "{account:#}");
    assert!(unaccounted <= most, "{account:#}");
}

/// Functions of a stack, innermost first.
fn functions(recording: &Value, stack: &Value) -> Vec<String> {
    let (nodes, frames) = (&recording["nodes"], &recording["frames"]);
    let mut names = Vec::new();
    let mut next = stack.as_u64();
    while let Some(node) = next {
        let node = &nodes[usize::try_from(node).unwrap()];
        let frame = &frames[usize::try_from(node[1].as_u64().unwrap()).unwrap()];
        names.push(frame["function"].as_str().unwrap_or("?").to_owned());
        next = node[0].as_u64();
    }
    names
}

/// Hits whose stack has all of these functions in this order, as a share of all.
pub(crate) fn hits_through(recording: &Value, wanted: &[&str]) -> f64 {
    let hits = recording["hits"].as_array().unwrap();
    let through = hits.iter().filter(|hit| {
        let functions = functions(recording, &hit[2]);
        let mut rest = functions.iter();
        wanted.iter().all(|name| rest.any(|function| function == name))
    });
    through.count() as f64 / hits.len().max(1) as f64
}

/// Waits in a call of this name whose stack has this function, in seconds.
pub(crate) fn waited(recording: &Value, call: &str, function: &str) -> f64 {
    let name = |wait: &Value| {
        let call = wait["call"].as_u64().map(|call| usize::try_from(call).unwrap());
        call.map(|call| recording["calls"][call]["name"].as_str().unwrap().to_owned())
    };
    let waits = recording["waits"].as_array().unwrap().iter();
    let here = waits.filter(|wait| {
        name(wait).as_deref() == Some(call)
            && functions(recording, &wait["stack"]).iter().any(|f| f == function)
    });
    here.map(|wait| wait["to"].as_f64().unwrap() - wait["from"].as_f64().unwrap()).sum::<f64>() / 1e9
}

/// The levels with perf events that this machine grants, as `doctor` finds by trying.
pub(crate) fn levels() -> Vec<&'static str> {
    static LEVEL: OnceLock<String> = OnceLock::new();
    let level = LEVEL.get_or_init(|| {
        let doctor = Place::new().slowpath(["doctor", "--json"]).exits(0).json();
        doctor["level"].as_str().unwrap().to_owned()
    });
    match level.as_str() {
        "C" => vec!["C", "B", "A"],
        "B" => vec!["B", "A"],
        "A" => vec!["A"],
        _ => {
            eprintln!("skipped: no perf events are granted here");
            Vec::new()
        }
    }
}

#[test]
fn the_function_that_computes_is_where_the_hits_are() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["compute", "300"]);
        closes(&profile);
        let through = hits_through(&recording, &["hot_leaf", "caller", "main"]);
        assert!(through > 0.9, "{level}: {through}");
        assert_eq!(profile["hotspots"][0]["place"]["function"], "hot_leaf", "{level}");
        assert_eq!(profile["hotspots"][0]["place"]["owner"], "project", "{level}");
        assert_eq!(profile["level"], level);
    }
}

#[test]
fn a_sleep_is_a_wait_of_its_function() {
    for level in levels().into_iter().chain(["D"]) {
        let (profile, recording) = played(&["--level", level], &["sleep", "400"]);
        closes(&profile);
        assert!(seconds(&profile, "blocked/sleep") > 0.3, "{level}: {:#}", profile["account"]);
        // Polls see the beginning late.
        let least = if level == "D" { 0.3 } else { 0.39 };
        let slept = waited(&recording, "clock_nanosleep", "nap");
        assert!(slept >= least, "{level}: {slept}");
    }
}

#[test]
fn a_condition_that_nobody_tells_until_its_time_is_up_is_a_sleep() {
    for level in levels() {
        let (profile, _) = played(&["--level", level], &["condition", "400"]);
        closes(&profile);
        assert!(seconds(&profile, "blocked/sleep") > 0.39, "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn a_lock_knows_its_holder_and_time_goes_to_what_the_holder_did() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["lock"]);
        closes(&profile);
        assert!(waited(&recording, "futex", "wants_lock") > 0.1, "{level}");
        let wanted =
            |site: &&Value| site["leaf"] == "blocked/lock" && site["place"]["function"] == "wants_lock";
        let site = profile["waits"].as_array().unwrap().iter().find(wanted).unwrap();
        assert!(site["what"].as_str().unwrap().contains("holder"), "{level}: {site:#}");
        // The holder slept, so that is what the program waited for.
        assert!(seconds(&profile, "blocked/sleep") > 0.1, "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn waiting_for_a_child_that_computes_is_charged_to_its_work() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["child", "300"]);
        closes(&profile);
        assert_eq!(recording["processes"].as_array().unwrap().len(), 2);
        assert!(seconds(&profile, "on-cpu") > 0.25, "{level}: {:#}", profile["account"]);
        assert!(hits_through(&recording, &["hot_leaf", "caller", "main"]) > 0.9, "{level}");
    }
}

#[test]
fn a_pipe_names_its_writer() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["pipe", "300"]);
        closes(&profile);
        assert!(waited(&recording, "read", "main") > 0.25, "{level}");
        assert!(seconds(&profile, "blocked/sleep") > 0.25, "{level}: {:#}", profile["account"]);
    }
}

#[test]
fn children_that_are_gone_before_anybody_looks_waited_for_their_pipes() {
    for level in levels() {
        let place = Place::new();
        let script =
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do (sleep 0.005; echo $i) | wc -c; done";
        let words = ["record", "--json", "--level", level, "--", "sh", "-c", script];
        place.slowpath(words).exits(0);
        let recording = recording(&place);
        let (mut all, mut named) = (0.0, 0.0);
        for wait in recording["waits"].as_array().unwrap() {
            let Some(call) = wait["call"].as_u64() else { continue };
            let call = &recording["calls"][usize::try_from(call).unwrap()];
            if call["name"] == "read" {
                let length = wait["to"].as_f64().unwrap() - wait["from"].as_f64().unwrap();
                all += length;
                named += if call["object"].is_null() { 0.0 } else { length };
            }
        }
        assert!(all > 16.0 * 4e6 && named > 0.9 * all, "{level}: {named} of {all}");
    }
}

#[test]
fn an_ordinary_user_gets_the_same_answer() {
    if !is_root() || levels().is_empty() {
        eprintln!("skipped: needs root and perf events");
        return;
    }
    let place = Place::new();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    place.copy(scene(), "scene");
    for part in [["sleep", "300"], ["condition", "300"], ["compute", "300"]] {
        let mut command = Command::new(&slowpath);
        command.args(["record", "--json", "--", "./scene"]).args(part);
        place.dress(&mut command);
        command.uid(65534).gid(65534);
        let profile = place.start(command).end().exits(0).json();
        assert_eq!(profile["level"], "A", "{profile:#}");
        closes(&profile);
        let leaf = if part[0] == "compute" { "on-cpu" } else { "blocked/sleep" };
        assert!(seconds(&profile, leaf) > 0.25, "{:#}", profile["account"]);
    }
}

#[test]
fn without_perf_events_the_account_still_closes() {
    let (profile, _) = played(&["--level", "D"], &["compute", "300"]);
    closes(&profile);
    assert_eq!(profile["level"], "D");
    assert!(share(&profile, "on-cpu") + share(&profile, "runnable") > 0.9, "{:#}", profile["account"]);
    assert!(profile["gaps"].as_array().unwrap().iter().any(|gap| gap["what"] == "every switch and wake"));
}

#[test]
fn python_functions_stand_in_native_stacks() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let script = place.file(
        "slow.py",
        "import time\ndef inner(n):\n    s = 0\n    for i in range(n):\n        s += i * i\n    return s\n\
         def outer():\n    return [inner(20000) for _ in range(400)]\ndef rest():\n    time.sleep(0.3)\nouter()\nrest()\n",
    );
    let profile = place
        .slowpath(["record", "--json", "--", "/usr/bin/python3", script.to_str().unwrap()])
        .exits(0)
        .json();
    closes(&profile);
    let recording = recording(&place);
    assert!(recording["processes"][0]["runtime"].as_str().unwrap().starts_with("python 3"));
    assert!(waited(&recording, "clock_nanosleep", "rest") > 0.25);
    let inner = profile["hotspots"].as_array().unwrap().iter().find(|hotspot| {
        let place = &hotspot["place"];
        place["function"] == "inner" && place["language"] == "python" && place["line"].as_u64() >= Some(4)
    });
    assert!(inner.unwrap()["total"]["value"].as_f64().unwrap() > 0.3, "{:#}", profile["hotspots"]);
    assert_eq!(inner.unwrap()["place"]["owner"], "project");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn made_code_is_named_by_a_list_of_its_own_process_only() {
    if levels().is_empty() {
        return;
    }
    for list in ["fresh", "stale", "none"] {
        let place = Place::new();
        let profile = record(&place, &[], &["code", list]).exits(0).json();
        closes(&profile);
        let recording = recording(&place);
        assert!(recording["hits"].as_array().unwrap().len() > 10, "{list}");
        let named = hits_through(&recording, &["made_code"]);
        assert_eq!(named > 0.5, list == "fresh", "{list}: {named}");
        // A list of ours is taken away; what another process left is not ours.
        let path = PathBuf::from(format!("/tmp/perf-{}.map", recording["processes"][0]["pid"]));
        assert_eq!(path.exists(), list == "stale", "{list}");
        let _ = fs::remove_file(path);
    }
}

#[test]
fn a_program_that_ends_at_once_is_recorded() {
    let place = Place::new();
    for level in levels().into_iter().chain(["D"]) {
        let profile = place.slowpath(["record", "--json", "--level", level, "--", "true"]).exits(0).json();
        assert!(profile["wall_s"].as_f64().unwrap() > 0.0);
        let account = &profile["account"];
        let sum: f64 =
            account["leaves"].as_array().unwrap().iter().map(|leaf| leaf["share"].as_f64().unwrap()).sum();
        assert!((sum + account["unaccounted"].as_f64().unwrap() - 1.0).abs() < 1e-6, "{account:#}");
    }
}

#[test]
fn a_chain_of_programs_is_one_process_with_the_last_name() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let scene = scene().to_str().unwrap();
    let words = ["record", "--json", "--", "sh", "-c", "exec env A=1 \"$0\" compute 200", scene];
    let profile = place.slowpath(words).exits(0).json();
    closes(&profile);
    let recording = recording(&place);
    assert_eq!(recording["processes"].as_array().unwrap().len(), 1, "{:#}", recording["processes"]);
    assert_eq!(recording["processes"][0]["name"], "scene");
    assert!(hits_through(&recording, &["hot_leaf", "caller", "main"]) > 0.8);
}

#[test]
fn every_child_of_a_storm_of_forks_is_seen() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["forks", "150"]);
        // The whole takes some hundredths of a second; on a busy machine a child or two are gone before they are placed.
        closes_within(&profile, 0.1);
        assert_eq!(recording["losses"]["records"], 0);
        assert_eq!(recording["processes"].as_array().unwrap().len(), 151, "{level}");
    }
}

#[test]
fn children_that_live_for_less_than_a_period_are_hit() {
    for level in levels() {
        let (profile, recording) = played(&["--level", level], &["brief", "1500"]);
        let sum = |of: &str, part: usize| -> f64 {
            let all = recording[of].as_array().unwrap().iter();
            all.map(|one| {
                if of == "hits" { one[part].as_f64() } else { one["on_cpu"].as_f64() }.unwrap_or(0.0)
            })
            .sum()
        };
        // A user's hits are those outside the kernel, and a life is hit in whole periods.
        assert!(
            sum("hits", 3) > sum("threads", 0) / 8.0,
            "{level}: {} of {}",
            sum("hits", 3),
            sum("threads", 0)
        );
        assert!(
            sum("hits", 3) < sum("threads", 0) * 1.2,
            "{level}: {} of {}",
            sum("hits", 3),
            sum("threads", 0)
        );
        assert_eq!(
            profile["hotspots"][0]["place"]["function"], "brief",
            "{level}: {:#}",
            profile["hotspots"][0]
        );
        assert!(recording["threads"].as_array().unwrap().iter().any(|thread| thread["period"].is_u64()));
    }
}

#[test]
fn two_thousand_threads_are_followed() {
    if levels().is_empty() {
        return;
    }
    let (profile, recording) = played(&[], &["threads", "2000"]);
    closes(&profile);
    let threads = recording["threads"].as_array().unwrap().len();
    let lost = recording["losses"]["records"].as_u64().unwrap();
    assert!(threads == 2001 || lost > 0, "{threads} threads, {lost} records lost");
}

#[test]
fn a_storm_of_switches_is_sampled_and_says_so() {
    if levels().is_empty() {
        return;
    }
    let (profile, recording) = played(&[], &["switches", "60000"]);
    let watched = recording["watched"].as_array().unwrap();
    // A slow machine may never reach the rate at which sampling begins; then every switch was told.
    assert!(!watched.is_empty() || recording["waits"].as_array().unwrap().len() > 60000);
    let account = &profile["account"];
    let sum: f64 =
        account["leaves"].as_array().unwrap().iter().map(|leaf| leaf["share"].as_f64().unwrap()).sum();
    assert!((sum + account["unaccounted"].as_f64().unwrap() - 1.0).abs() < 1e-6, "{account:#}");
}

#[test]
fn a_target_in_disguise_is_recorded_and_its_name_is_inert() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let scene = scene().to_str().unwrap();
    let ran = place.slowpath(["record", "--", scene, "disguise", "200"]).exits(0);
    assert!(!ran.text().contains('\u{1b}'), "{}", ran.text());
    assert!(hits_through(&recording(&place), &["hot_leaf", "caller", "main"]) > 0.8);
}

#[test]
fn a_target_that_is_killed_leaves_its_recording() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    record(&place, &[], &["die", "200"]).exits(4);
    let run = place.last_run();
    assert_eq!(manifest(&run)["state"], "failed");
    assert!(hits_through(&recording(&place), &["hot_leaf", "caller", "main"]) > 0.8);
    record(&place, &["--ignore-failure"], &["die", "200"]).exits(0);
    let ran = record(&place, &["--ignore-failure", "--exit-with-target"], &["die", "200"]);
    assert_eq!(ran.signal, Some(9));
}

#[test]
fn a_running_process_is_attached_to() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let mut command = Command::new(scene());
    command.args(["compute", "20000"]);
    place.dress(&mut command);
    let mut target = command.spawn().unwrap();
    let pid = target.id().to_string();
    let profile = place.slowpath(["record", "--json", "--pid", &pid, "--duration", "500ms"]).exits(0).json();
    target.kill().unwrap();
    target.wait().unwrap();
    let recording = recording(&place);
    assert_eq!(
        (&recording["processes"][0]["name"], &recording["threads"][0]["name"]),
        (&"scene".into(), &"scene".into())
    );
    assert!(hits_through(&recording, &["hot_leaf", "caller", "main"]) > 0.9, "{:#}", profile["account"]);
    assert!(share(&profile, "on-cpu") + share(&profile, "runnable") > 0.9, "{:#}", profile["account"]);
    place.slowpath(["record", "--pid", "999999999"]).complains(2, &["no process"]);
}

#[test]
fn what_a_process_did_before_is_not_in_its_account() {
    let place = Place::new();
    let mut command = Command::new("sh");
    command.args(["-c", "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done; echo; exec sleep 600"]);
    place.dress(&mut command);
    let mut target = command.stdout(Stdio::piped()).spawn().unwrap();
    target.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    let pid = target.id().to_string();
    for level in levels().into_iter().chain(["D"]) {
        let words = ["record", "--json", "--level", level, "--pid", &pid, "--duration", "300ms"];
        let profile = place.slowpath(words).exits(0).json();
        assert!(share(&profile, "on-cpu") < 0.3, "{level}: {:#}", profile["account"]);
    }
    target.kill().unwrap();
    target.wait().unwrap();
}

#[test]
fn children_of_a_running_process_have_names() {
    let place = Place::new();
    let mut command = Command::new("sh");
    // One stays, others come and go all the time.
    let script = "\"$0\" sleep 60000 & while :; do \"$0\" sleep 20; done";
    command.args(["-c", script, scene().to_str().unwrap()]);
    place.dress(&mut command);
    let target = place.start(command);
    let pid = target.pid().to_string();
    for level in levels().into_iter().chain(["D"]) {
        let words = ["record", "--json", "--level", level, "--pid", &pid, "--duration", "500ms"];
        place.slowpath(words).exits(0);
        let recording = recording(&place);
        let processes = recording["processes"].as_array().unwrap();
        assert!(processes.iter().all(|process| process["name"] != ""), "{level}: {processes:#?}");
        assert_eq!(processes[0]["name"], "sh", "{level}");
        assert!(processes[1..].iter().any(|process| process["name"] == "scene"), "{level}: {processes:#?}");
    }
    target.signal_group("KILL");
    target.end();
    place.end_survivors();
}

#[test]
fn a_recording_is_shown_again_and_exported() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    record(&place, &[], &["compute", "200"]).exits(0);
    let shown = place.slowpath(["report", "last", "--tree"]).exits(0).text();
    assert!(shown.contains("hot_leaf") && shown.contains("caller"), "{shown}");
    let folded = place.slowpath(["export", "last", "--format", "folded"]).exits(0).text();
    assert!(folded.lines().any(|line| line.contains("main;caller;hot_leaf")), "{folded}");
    for format in ["pprof", "speedscope", "firefox", "chrome", "flame", "timeline"] {
        let ran = place.slowpath(["export", "last", "--format", format]).exits(0);
        assert!(!ran.stdout.is_empty(), "{format}");
        if matches!(format, "speedscope" | "firefox" | "chrome") {
            ran.json();
        }
    }
    let pprof = place.path().join("cpu.pb.gz");
    place.slowpath(["export", "last", "--format", "pprof", "-o", pprof.to_str().unwrap()]).exits(0);
    let again = place.slowpath(["import", "--json", pprof.to_str().unwrap()]).exits(0).json();
    assert_eq!(again["hotspots"][0]["place"]["function"], "hot_leaf");
    place.slowpath(["import", scene().to_str().unwrap()]).complains(2, &["no known recording"]);
    place.slowpath(["export", "last", "--format", "folded", "--against", "last"]).complains(2, &["flame"]);
}

#[test]
fn the_whole_answer_names_the_function() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let scene = scene().to_str().unwrap();
    let answer = place.slowpath(["--json", "--runs", "3", "--", scene, "compute", "200"]).exits(0).json();
    is_valid("answer", &answer);
    assert_eq!(answer["hotspots"][0]["place"]["function"], "hot_leaf");
    assert!(answer["verdict"]["summary"].as_str().unwrap().contains("hot_leaf"), "{:#}", answer["verdict"]);
    assert_eq!(answer["overhead"][1]["pass"], "account");
    let passes = manifest(&place.last_run())["passes"].clone();
    assert_eq!(
        (&passes[0]["pass"], &passes[1]["pass"]),
        (&"baseline".into(), &"account".into()),
        "{passes:#}"
    );
}

/// Records a part of the scene where a filter forbids perf events, and with `--ptrace` tracing.
fn denied(options: &[&str], part: [&str; 2]) -> Value {
    let place = Place::new();
    let deny = place.path().join("deny");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../specimens/account/deny.c");
    assert!(Command::new("gcc").args(["-O2", "-o"]).arg(&deny).arg(source).status().unwrap().success());
    let mut command = Command::new(&deny);
    command.args(options).args([env!("CARGO_BIN_EXE_slowpath"), "record", "--json", "--"]);
    command.arg(scene()).args(part);
    place.dress(&mut command);
    let profile = place.start(command).end().exits(0).json();
    assert_eq!(profile["level"], "D");
    closes(&profile);
    profile
}

#[test]
fn a_filter_that_forbids_perf_events_leaves_the_account_and_the_stacks() {
    let profile = denied(&[], ["sleep", "300"]);
    assert!(seconds(&profile, "blocked/sleep") > 0.2, "{:#}", profile["account"]);
    assert!(profile["gaps"].as_array().unwrap().iter().any(|gap| gap["what"] == "every switch and wake"));
    let profile = denied(&[], ["compute", "400"]);
    assert_eq!(profile["hotspots"][0]["place"]["function"], "hot_leaf", "{:#}", profile["hotspots"]);
}

#[test]
fn where_tracing_is_forbidden_too_the_account_is_left_and_a_gap_says_so() {
    let profile = denied(&["--ptrace"], ["sleep", "300"]);
    assert!(seconds(&profile, "blocked/sleep") > 0.2, "{:#}", profile["account"]);
    let gaps = profile["gaps"].as_array().unwrap();
    let gap = gaps.iter().find(|gap| gap["what"] == "stacks on the CPU").unwrap();
    assert!(gap["why"].as_str().unwrap().contains("ptrace: "), "{gap:#}");
    assert!(gap["try"].as_str().unwrap().contains("SYS_PTRACE"), "{gap:#}");
}

#[test]
fn what_was_recorded_of_a_run_that_is_cut_short_is_kept() {
    let place = Place::new();
    record(&place, &["--timeout", "1"], &["sleep", "60000"]).exits(4);
    let profile = place.slowpath(["report", "--json", place.last_run().to_str().unwrap()]).exits(0).json();
    is_valid("profile", &profile);
    assert_eq!(profile["target"]["exit"], Value::Null);
    assert!(seconds(&profile, "blocked/sleep") >= 0.5, "{profile:#}");
}

const THREE: &str = r#"
#define APART __attribute__((noinline, noipa))
static volatile unsigned long sink;
APART unsigned long hot(unsigned long n) { unsigned long x = 1; while (n--) { x = x * 31 + n; x ^= x >> 7; } return x; }
APART unsigned long cold(unsigned long n) { unsigned long x = 1; while (n--) { x = x * 33 + n; x ^= x >> 9; } return x; }
APART unsigned long outer(unsigned long n) { unsigned long all = hot(3 * n); return all ^ cold(n); }
int main(void) { for (int i = 0; i < 60; i++) sink += outer(1000000); return 0; }
"#;

#[test]
fn functions_of_a_stripped_program_are_told_apart_in_every_view() {
    let place = Place::new();
    let program = place.path().join("three");
    let source = place.file("three.c", THREE);
    assert!(Command::new("gcc").args(["-O2", "-o"]).arg(&program).arg(source).status().unwrap().success());
    let symbols = String::from_utf8(Command::new("nm").arg(&program).output().unwrap().stdout).unwrap();
    let start = |name: &str| {
        let line = symbols.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
        format!("three+{:#x}", u64::from_str_radix(line.split(' ').next().unwrap(), 16).unwrap())
    };
    assert!(Command::new("strip").arg(&program).status().unwrap().success());
    let program = program.to_str().unwrap();
    let profile = place.slowpath(["record", "--json", "--", program]).exits(0).json();
    is_valid("profile", &profile);
    recording(&place);
    if profile["level"] == "D" {
        eprintln!("skipped: no perf events are granted here");
        return;
    }
    let hotspots = profile["hotspots"].as_array().unwrap();
    let own = |name: &str| {
        let is_it = |hotspot: &&Value| hotspot["place"]["function"] == start(name).as_str();
        hotspots.iter().find(is_it).unwrap_or_else(|| panic!("{name} {hotspots:#?}"))["own"]["value"]
            .as_f64()
            .unwrap()
    };
    assert!(own("hot") > 0.6 && (0.1..0.4).contains(&own("cold")), "{} {}", own("hot"), own("cold"));
    let tree = place.slowpath(["record", "--tree", "--", program]).exits(0).text();
    let run = place.last_run();
    let folded = place.slowpath(["export", "--format", "folded", run.to_str().unwrap()]).exits(0).text();
    for name in ["hot", "cold", "outer"].map(start) {
        assert!(tree.contains(&name) && folded.contains(&name), "{name}\n{tree}\n{folded}");
    }
}

#[test]
fn what_recording_costs_in_the_kernel_is_not_the_programs() {
    let place = Place::new();
    let program = place.path().join("calls");
    let source = place.file(
        "calls.c",
        "#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { for (long i = 0; i < 1500000; i++) syscall(SYS_getppid); return 0; }",
    );
    assert!(Command::new("gcc").args(["-O2", "-o"]).arg(&program).arg(source).status().unwrap().success());
    let profile = place.slowpath(["record", "--json", "--", program.to_str().unwrap()]).exits(0).json();
    let hotspots = profile["hotspots"].as_array().unwrap();
    let functions = hotspots.iter().map(|hotspot| hotspot["place"]["function"].as_str().unwrap());
    let ours: Vec<&str> =
        functions.filter(|name| name.contains("perf_") || name.contains("filter_match")).collect();
    assert!(ours.is_empty(), "{ours:?}");
    if profile["level"] == "C" {
        assert!(
            profile["overhead"].to_string().contains("recorder's work in the kernel"),
            "{}",
            profile["overhead"]
        );
    }
}
