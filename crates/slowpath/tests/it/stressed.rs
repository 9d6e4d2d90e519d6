//! Recordings under stress: storms of switches, records that are lost, targets that hide, daemonise or go away. The claims
//! are about what is told, never about speed, so they hold on any machine.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, in_some_run, is_root};
use crate::recorded::{closes, hits_through, levels, played, recording, scene, seconds, waited};

fn losses(profile: &Value) -> u64 {
    profile["losses"]["records"].as_u64().unwrap()
}

fn has_gap(profile: &Value, what: &str) -> bool {
    profile["gaps"].as_array().unwrap().iter().any(|gap| gap["what"] == what)
}

/// What was not seen is told, and the account closes all the same, with no more time on a CPU than the kernel counted.
#[track_caller]
fn is_honest(profile: &Value, recording: &Value) {
    closes(profile);
    let watched = recording["watched"].as_array().unwrap();
    assert_eq!(has_gap(profile, "some records"), losses(profile) > 0);
    assert_eq!(has_gap(profile, "every wait"), !watched.is_empty());
    // Once, while a hypervisor took CPU time, 3.9 % of a thread that computed behind a storm had no cause; why is not known.
    let most = if watched.is_empty() { 0.02 } else { 0.06 };
    for thread in profile["threads"].as_array().unwrap() {
        assert!(thread["account"]["unaccounted"].as_f64().unwrap() <= most, "{thread:#}");
    }
    let checks = profile["account"]["checks"].as_array().unwrap();
    let of = |check: &&Value| {
        let against = check["against"].as_str().unwrap();
        check["what"] == "time on a CPU, all threads" && against.starts_with("rusage")
    };
    let check = checks.iter().find(of).unwrap();
    let (ours, theirs) = (check["ours_s"].as_f64().unwrap(), check["theirs_s"].as_f64().unwrap());
    assert!(ours <= theirs * 1.1 + 0.03, "{check:#}");
}

#[test]
fn a_storm_between_two_threads_leaves_a_closed_account() {
    for level in levels() {
        for how in ["free", "pinned", "joined"] {
            let words = ["storm", "60000", how];
            let (profile, recording) = played(&["--level", level], &words);
            is_honest(&profile, &recording);
            // Between the looks of a tenth of the time and all of it, both threads are seen to wait for a pipe.
            let waits = profile["waits"].as_array().unwrap();
            assert!(waits.iter().any(|site| site["leaf"] == "blocked/pipe"), "{level} {words:?}: {waits:#?}");
        }
    }
}

#[test]
fn after_a_storm_children_are_told_and_strangers_are_not() {
    for level in levels() {
        in_some_run(|| {
            let mut stranger = Command::new("yes").stdout(Stdio::null()).spawn().unwrap();
            let place = Place::new();
            let script = "\"$0\" storm 150000 pinned; \"$0\" compute 300";
            let scene = scene().to_str().unwrap();
            let ran = place.slowpath(["record", "--json", "--level", level, "--", "sh", "-c", script, scene]);
            stranger.kill().unwrap();
            stranger.wait().unwrap();
            closes(&ran.exits(0).json());
            let recording = recording(&place);
            let processes = recording["processes"].as_array().unwrap();
            let names: Vec<&str> =
                processes.iter().map(|process| process["name"].as_str().unwrap()).collect();
            assert_eq!(names, ["sh", "scene", "scene"], "{level}");
            let hit = hits_through(&recording, &["hot_leaf", "caller", "main"]);
            assert!(hit > 0.1, "{level}: {:#}", told_of(&recording));
        });
    }
}

#[test]
fn a_storm_that_lasts_is_sampled_and_what_comes_after_it_is_seen_whole() {
    for level in levels() {
        in_some_run(|| {
            let place = Place::new();
            let script = "\"$0\" storm 120000 free; \"$0\" compute 1500";
            let scene = scene().to_str().unwrap();
            let ran = place.slowpath(["record", "--json", "--level", level, "--", "sh", "-c", script, scene]);
            let profile = ran.exits(0).json();
            let recording = recording(&place);
            is_honest(&profile, &recording);
            let names = recording["processes"].as_array().unwrap().iter().map(|process| &process["name"]);
            assert_eq!(names.collect::<Vec<_>>(), ["sh", "scene", "scene"], "{level}");
            // Hits stand for the time between windows too: together for no more than each process used, and for most of what
            // was computed.
            for process in [1, 2] {
                let threads = recording["threads"].as_array().unwrap().iter();
                let own: Vec<(usize, &Value)> =
                    threads.enumerate().filter(|(_, thread)| thread["process"] == process).collect();
                let used: f64 =
                    own.iter().map(|(_, thread)| thread["scheduler_on_cpu"].as_f64().unwrap_or(0.0)).sum();
                let hits = recording["hits"].as_array().unwrap().iter();
                let own_hits = hits.filter(|hit| own.iter().any(|(thread, _)| hit[1] == *thread));
                let weight: f64 = own_hits.map(|hit| hit[3].as_f64().unwrap()).sum();
                let told = told_of(&recording);
                assert!(weight <= used * 1.25 + 1e8, "{level} {process}: {weight} of {used}: {told:#}");
                let least = if process == 2 { used * 0.75 - 1e8 } else { 0.0 };
                assert!(weight >= least, "{level} {process}: {weight} of {used}: {told:#}");
            }
        });
    }
}

#[test]
fn who_is_born_in_a_storm_is_found() {
    for level in levels() {
        in_some_run(|| {
            let place = Place::new();
            let script = "\"$0\" storm 100000 free & sleep 0.7; \"$0\" compute 800; wait";
            let scene = scene().to_str().unwrap();
            let ran = place.slowpath(["record", "--json", "--level", level, "--", "sh", "-c", script, scene]);
            closes(&ran.exits(0).json());
            let recording = recording(&place);
            let processes = recording["processes"].as_array().unwrap();
            let mut names: Vec<&str> =
                processes.iter().map(|process| process["name"].as_str().unwrap()).collect();
            names.sort_unstable();
            assert_eq!(names, ["scene", "scene", "sh", "sleep"], "{level}");
            assert!(processes.iter().all(|process| process["to"].is_u64()), "{level}: {processes:#?}");
            let hit = hits_through(&recording, &["hot_leaf", "caller", "main"]);
            assert!(hit > 0.0, "{level}: {:#}", told_of(&recording));
        });
    }
}

/// What a recording holds beside its stacks: where hits went, and what was lost.
fn told_of(recording: &Value) -> Value {
    let mut hits: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for hit in recording["hits"].as_array().unwrap() {
        let at = hit[0].as_u64().unwrap_or(0) / 100_000_000;
        let of = hits.entry(format!("thread {} in tenth {at:03}", hit[1])).or_default();
        *of = (of.0 + 1, of.1 + hit[3].as_u64().unwrap_or(0));
    }
    let mut told = recording.clone();
    for large in ["hits", "waits", "nodes", "frames", "stacks", "calls", "modules"] {
        told.as_object_mut().unwrap().remove(large);
    }
    told["hits"] = json!(hits);
    told
}

#[test]
fn a_wait_in_a_storm_of_calls_is_not_that_of_the_call_before() {
    for level in levels() {
        let place = Place::new();
        let scene = scene().to_str().unwrap();
        place.slowpath(["record", "--json", "--level", level, "--", scene, "both"]).exits(0);
        let truth = fs::read_to_string(place.path().join("truth")).unwrap();
        let truth: Vec<f64> = truth.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let recording = recording(&place);
        // What the recorder sees late is a small part of each.
        let (file, lock) = (waited(&recording, "flock", "main"), waited(&recording, "futex", "wants_lock"));
        assert!(file > truth[0] / 2.0 && lock > truth[1] / 2.0, "{level}: {file} and {lock} of {truth:?}");
        assert!(file < truth[0] + truth[1] / 2.0, "{level}: {file} of {truth:?}");
    }
}

#[test]
fn a_child_lives_until_whoever_waits_for_it_is_woken() {
    for level in levels() {
        let place = Place::new();
        let script = "i=0; while [ $i -lt 60 ]; do (:); i=$((i+1)); done";
        let profile = place.slowpath(["record", "--json", "--level", level, "--", "sh", "-c", script]);
        closes(&profile.exits(0).json());
        let recording = recording(&place);
        let of = |wait: &Value| {
            wait["call"].as_u64().map(|call| &recording["calls"][usize::try_from(call).unwrap()])
        };
        let waits = recording["waits"].as_array().unwrap().iter();
        let waited =
            waits.filter(|wait| of(wait).is_some_and(|call| call["name"] == "wait4") && wait["by"].is_u64());
        let (mut known, mut kept, mut all) = (0, 0, 0);
        for wait in waited {
            let child = &recording["threads"][usize::try_from(wait["by"].as_u64().unwrap()).unwrap()];
            let (woken, to) = (wait["woken"].as_u64(), child["to"].as_u64());
            // None takes a quarter of a millisecond to end: others had its CPU, which no record tells.
            let late = woken.zip(to).map_or(0, |(woken, to)| woken.saturating_sub(to));
            assert!(late == 0 || late > 250_000, "{level}: {wait:#} {child:#}");
            kept += usize::from(late > 0);
            (known, all) = (known + usize::from(woken.is_some()), all + 1);
        }
        assert!(kept * 4 <= all, "{level}: {kept} of {all}");
        // A child may end before its parent waits for it, and of a few alone nothing is known.
        assert!(known + 10 > all, "{level}: {known} of {all}");
    }
}

/// How often slowpath's threads went to sleep by themselves.
fn sleeps(pid: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let of = |task: fs::DirEntry| {
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.and_then(|count| count.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    tasks.flatten().map(of).sum()
}

#[test]
fn records_that_are_lost_are_counted_and_their_time_is_not_watched() {
    for level in levels() {
        let place = Place::new();
        let words =
            ["record", "--json", "--level", level, "--", scene().to_str().unwrap(), "burst", "100000"];
        let mut live = place.start(place.command(words));
        let exists = |name: &str| place.path().join(name).exists();
        live.until(|| exists("begun"));
        // Nobody empties the rings meanwhile, and they hold far less than this storm.
        live.signal("STOP");
        place.file("go", "");
        live.until(|| exists("done"));
        live.signal("CONT");
        let before = sleeps(live.pid());
        // It has emptied them, and looked at the target while that lives, when it has slept a few times.
        let pid = live.pid();
        live.until(|| sleeps(pid) > before + 5);
        place.file("end", "");
        let profile = live.end().exits(0).json();
        assert!(losses(&profile) > 0, "{level}: {:#}", profile["losses"]);
        let recording = recording(&place);
        is_honest(&profile, &recording);
        // Nobody saw what the second thread did, nor asked the scheduler about it: the rest of the run's CPU time is its.
        let second = &recording["threads"][1];
        assert!(second["on_cpu"].is_u64() || second["scheduler_on_cpu"].is_u64(), "{level}: {second:#}");
    }
}

#[test]
fn a_target_that_hides_from_an_ordinary_user_is_told_by_the_scheduler() {
    if !is_root() || levels().is_empty() {
        eprintln!("skipped: needs root and perf events");
        return;
    }
    for level in ["A", "D"] {
        let place = Place::new();
        place.open_to_all();
        let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
        place.copy(scene(), "scene");
        let mut command = Command::new(&slowpath);
        command.args(["record", "--json", "--level", level, "--", "./scene", "shy", "300"]);
        place.dress(&mut command);
        command.uid(65534).gid(65534);
        let profile = place.start(command).end().exits(0).json();
        assert_eq!(profile["level"], level);
        let account = &profile["account"];
        let sum: f64 =
            account["leaves"].as_array().unwrap().iter().map(|leaf| leaf["share"].as_f64().unwrap()).sum();
        assert!((sum + account["unaccounted"].as_f64().unwrap() - 1.0).abs() < 1e-6, "{account:#}");
        let computed = seconds(&profile, "on-cpu");
        assert!(computed < 0.15, "{level}: a nap of 0.3 s is no {computed} s of computing: {account:#}");
        if level == "D" {
            assert!(has_gap(&profile, "what it waited for"), "{:#}", profile["gaps"]);
        }
    }
}

#[test]
fn a_daemon_does_not_keep_the_recording_open() {
    for level in levels().into_iter().chain(["D"]) {
        let place = Place::new();
        let words =
            ["record", "--json", "--level", level, "--", scene().to_str().unwrap(), "daemon", "60000"];
        let profile = place.slowpath(words).exits(0).json();
        assert!(profile["wall_s"].as_f64().unwrap() < 50.0);
        let gaps = profile["gaps"].as_array().unwrap();
        assert!(gaps.iter().any(|gap| gap["what"] == "what it leaves behind"), "{level}: {gaps:#?}");
        place.is_left_by_all();
    }
}

#[test]
fn a_chain_of_interpreters_ends_in_the_program() {
    if levels().is_empty() {
        return;
    }
    let place = Place::new();
    let shim =
        place.script("shim", "#!/usr/bin/python3\nimport os, sys\nos.execv(sys.argv[1], sys.argv[1:])\n");
    let (shim, scene) = (shim.to_str().unwrap(), scene().to_str().unwrap());
    let words = ["record", "--json", "--", "sh", "-c", "exec env A=1 \"$0\" \"$1\" compute 300", shim, scene];
    let profile = place.slowpath(words).exits(0).json();
    closes(&profile);
    let recording = recording(&place);
    assert_eq!(recording["processes"].as_array().unwrap().len(), 1, "{:#}", recording["processes"]);
    assert_eq!(recording["processes"][0]["name"], "scene");
    // What the shim did stands beside it under its own names.
    assert_eq!(profile["hotspots"][0]["place"]["function"], "hot_leaf", "{:#}", profile["hotspots"]);
}

#[test]
fn another_clock_for_the_container_is_no_other_time_for_the_recording() {
    if !is_root() || levels().is_empty() {
        eprintln!("skipped: needs root and perf events");
        return;
    }
    for shift in ["86400", "-1"] {
        let mut unshare = Command::new("unshare");
        unshare.args(["--time", "--fork", "--monotonic", shift, "true"]);
        if !unshare.status().is_ok_and(|status| status.success()) {
            eprintln!("skipped: no time namespaces here");
            return;
        }
        let place = Place::new();
        let mut command = Command::new("unshare");
        command.args(["--time", "--fork", "--monotonic", shift, env!("CARGO_BIN_EXE_slowpath")]);
        command.args(["record", "--json", "--", scene().to_str().unwrap(), "sleep", "300"]);
        place.dress(&mut command);
        let profile = place.start(command).end().exits(0).json();
        closes(&profile);
        let wall = profile["wall_s"].as_f64().unwrap();
        let slept = seconds(&profile, "blocked/sleep");
        assert!((0.3..60.0).contains(&wall) && slept > 0.2, "{shift}: {slept} of {wall}");
    }
}
