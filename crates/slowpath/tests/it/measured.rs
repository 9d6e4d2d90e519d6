//! The numbers are the target's own, and nothing else's.

use std::fs;

use serde_json::Value;

use crate::place::{Place, actor, counted, manifest, part, samples, static_actor, within_deadline};

/// One run of the actor in a part, as it was stored.
#[track_caller]
fn measured(place: &Place, options: &[&str], words: &[&str]) -> Value {
    let actor = [actor().to_str().unwrap()];
    let fixed = ["bench", "--json", "--runs", "1", "--warmup", "0"];
    let arguments = fixed.iter().chain(options).chain(&["--"]).chain(&actor).chain(words);
    place.slowpath(arguments).exits(0);
    counted(&place.last_run()).pop().unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

const MS: u64 = 1_000_000;

#[test]
fn cpu_time_is_what_the_program_used() {
    let place = Place::new();
    let sample = measured(&place, &[], &["burn", "200"]);
    let cpu = number(&sample["user_ns"]) + number(&sample["system_ns"]);
    assert!((199 * MS..400 * MS).contains(&cpu), "{sample:#}");
    assert!(number(&sample["user_ns"]) > cpu / 2, "{sample:#}");
    assert!(number(&sample["wall_ns"]) > 195 * MS, "{sample:#}");
}

#[test]
fn system_time_is_told_from_user_time() {
    let place = Place::new();
    let sample = measured(&place, &[], &["system", "150"]);
    assert!(number(&sample["system_ns"]) > 140 * MS, "{sample:#}");
    assert!(number(&sample["system_ns"]) > number(&sample["user_ns"]), "{sample:#}");
}

#[test]
fn childrens_cpu_time_is_in_the_whole_and_not_in_the_own() {
    let place = Place::new();
    let sample = measured(&place, &[], &["children", "3", "60"]);
    let (whole, own) =
        (number(&sample["user_ns"]) + number(&sample["system_ns"]), number(&sample["own_cpu_ns"]));
    assert!(whole >= 177 * MS, "{sample:#}");
    assert!(own < whole / 3, "{sample:#}");
}

#[test]
fn a_sleeping_program_uses_wall_time_and_no_cpu_time() {
    let place = Place::new();
    place.slowpath(["bench", "--runs", "3", "--", "sleep", "0.2"]).exits(0);
    for sample in counted(&place.last_run()) {
        let cpu = number(&sample["user_ns"]) + number(&sample["system_ns"]);
        assert!(number(&sample["wall_ns"]) >= 200 * MS && cpu < 100 * MS, "{sample:#}");
    }
}

#[test]
fn peak_memory_is_the_targets_and_not_the_spawners() {
    let place = Place::new();
    const MIB: u64 = 1 << 20;
    for mib in [0, 16, 64] {
        let words = part(&format!("touch {mib}"));
        place.slowpath(["bench", "--runs", "3", "--warmup", "2", &words]).exits(0);
        for (run, sample) in samples(&place.last_run()).iter().enumerate() {
            let exact = sample["exact_peak_rss_bytes"].as_u64();
            assert_eq!(exact.is_some(), run == 1, "the first has no tracer: {sample:#}");
            let peak = exact.unwrap_or_else(|| number(&sample["peak_rss_bytes"]));
            assert!((mib * MIB..(mib + 4) * MIB).contains(&(peak + MIB / 2)), "{mib} MiB: {sample:#}");
        }
    }
}

#[test]
fn every_touched_page_is_a_fault() {
    let place = Place::new();
    let little = number(&measured(&place, &[], &["touch", "0"])["minor_faults"]);
    let much = number(&measured(&place, &[], &["touch", "32"])["minor_faults"]);
    let pages = 32 * 1024 / 4;
    assert!((pages - 50..pages + 200).contains(&(much - little)), "{little} {much}");
}

#[test]
fn bytes_and_calls_are_exact() {
    let place = Place::new();
    let input = place.file("input", vec![b'x'; 1_000_000]);
    let input = input.to_str().unwrap();
    let nothing = measured(&place, &[], &["read", input, "0"]);
    let all = measured(&place, &[], &["read", input, "999999"]);
    let more = |field: &str| number(&all["io"][field]) - number(&nothing["io"][field]);
    assert_eq!(more("read_bytes"), 999_999);
    assert_eq!(more("read_calls"), 245);
    let written = measured(&place, &[], &["write", "123457"]);
    assert_eq!(written["io"]["written_bytes"], 123_457);
    assert_eq!(written["io"]["write_calls"], 31);
    assert_eq!(nothing["io"]["written_bytes"], 0);
}

#[test]
fn an_ordinary_user_learns_the_bytes_too() {
    if !crate::place::is_root() {
        println!("skipped: `bytes_and_calls_are_exact` was run by an ordinary user already");
        return;
    }
    use std::os::unix::process::CommandExt;
    let place = Place::new();
    place.open_to_all();
    let slowpath = place.copy(env!("CARGO_BIN_EXE_slowpath").as_ref(), "slowpath");
    place.copy(actor(), "actor");
    let mut command = std::process::Command::new(&slowpath);
    command.args(["bench", "--runs", "2", "--warmup", "1", "--", "./actor", "write", "5000"]);
    place.dress(&mut command);
    command.uid(65534).gid(65534);
    place.start(command).end().exits(0);
    for sample in samples(&place.last_run()) {
        assert_eq!(sample["io"]["written_bytes"], 5000, "{sample:#}");
    }
}

#[test]
fn switches_are_counted() {
    let place = Place::new();
    let quiet = number(&measured(&place, &[], &["spin", "1"])["voluntary_switches"]);
    let busy = number(&measured(&place, &[], &["many", "20"])["voluntary_switches"]);
    assert!(busy > quiet, "{quiet} {busy}");
}

#[test]
fn an_exit_status_and_a_signal_are_kept_and_passed_on() {
    let place = Place::new();
    let actor = actor().to_str().unwrap();
    let ways =
        [("exit", "3", r#"{"code":3}"#), ("die", "9", r#"{"signal":9}"#), ("die", "11", r#"{"signal":11}"#)];
    for (way, number, stored) in ways {
        let options = ["--json", "--ignore-failure", "--runs", "2"];
        let ran = place.slowpath(options.iter().chain(&["--", actor, way, number])).exits(0);
        assert_eq!(ran.json()["target"]["exit"].to_string(), stored);
        let ran = place.slowpath(options.iter().chain(&["--exit-with-target", "--", actor, way, number]));
        let number: i32 = number.parse().unwrap();
        assert_eq!(ran.code.or(ran.signal), Some(number), "{ran:?}");
        assert_eq!(ran.code.is_some(), way == "exit");
    }
}

#[test]
fn exit_with_target_passes_a_failure_on_that_does_not_count() {
    let place = Place::new();
    let actor = actor().to_str().unwrap();
    let ran = place.slowpath(["--exit-with-target", "--", actor, "exit", "3"]).exits(3);
    assert!(ran.stderr.contains("error: ") && ran.stderr.contains("exit status 3"), "{}", ran.stderr);
    let ran = place.slowpath(["--exit-with-target", "--", actor, "die", "15"]);
    assert_eq!(ran.signal, Some(15), "{ran:?}");
    place.slowpath(["--exit-with-target", "--runs", "1", "--", actor, "exit", "0"]).exits(0);
}

#[test]
fn what_the_target_leaves_behind_is_counted_and_ended() {
    let place = Place::new();
    let actor = actor().to_str().unwrap();
    let ran =
        place.slowpath(["bench", "--json", "--runs", "2", "--warmup", "1", "--", actor, "daemon", "log"]);
    let answer = ran.exits(0).json();
    place.is_left_by_all();
    for sample in samples(&place.last_run()) {
        assert_eq!(sample["left_behind"], 1, "{sample:#}");
    }
    let warnings = answer["commands"][0]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["id"] == "left-behind"), "{warnings:#?}");
}

#[test]
fn a_whole_family_left_behind_is_counted_to_the_last() {
    let place = Place::new();
    let family =
        "rm -f up; setsid sh -c 'sleep 300 & sleep 300 & echo x > up; wait' & until test -s up; do :; done";
    place.slowpath(["bench", "--runs", "3", "--warmup", "1", "--", "sh", "-c", family]).exits(0);
    place.is_left_by_all();
    for sample in samples(&place.last_run()) {
        assert_eq!(sample["left_behind"], 3, "{sample:#}");
    }
}

/// Control groups that belong to one slowpath, wherever the second hierarchy is mounted.
fn groups_of(pid: u32) -> Vec<std::path::PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let mount =
        mounts.lines().find(|line| line.contains(" - cgroup2 ")).and_then(|line| line.split(' ').nth(4));
    let own = fs::read_to_string("/proc/self/cgroup").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default().to_owned();
    let Some(mount) = mount else { return Vec::new() };
    let entries = fs::read_dir(std::path::Path::new(mount).join(own)).map(Iterator::collect::<Vec<_>>);
    let paths = entries.unwrap_or_default().into_iter().flatten().map(|entry| entry.path());
    let name = format!("slowpath-{pid}-");
    paths.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&name)).collect()
}

#[test]
fn the_control_group_of_a_run_is_removed() {
    let place = Place::new();
    let live = place.start(place.command(["bench", "--runs", "3", "--", "true"]));
    let pid = live.pid();
    live.end().exits(0);
    assert_eq!(groups_of(pid), Vec::<std::path::PathBuf>::new());
    let tree = &samples(&place.last_run())[0]["tree"];
    if tree.is_null() {
        println!("skipped: no control group can be made here");
    } else {
        assert!(number(&tree["cpu_ns"]) > 0, "{tree}");
    }
}

#[test]
fn the_control_group_of_a_killed_slowpath_is_removed_by_the_next_one() {
    let place = Place::new();
    let mut live = place.start(place.command(["bench", "--", "sh", "-c", "touch ready; exec sleep 60"]));
    live.until(|| place.path().join("ready").exists());
    let pid = live.pid();
    if groups_of(pid).is_empty() {
        println!("skipped: no control group can be made here");
    }
    live.signal("KILL");
    live.end();
    place.is_left_by_all();
    place.slowpath(["bench", "--runs", "1", "--", "true"]).exits(0);
    assert_eq!(groups_of(pid), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_target_that_kills_its_launcher_is_ended_with_all_it_started() {
    let place = Place::new();
    let script = "setsid sleep 300 & sleep 0.1; kill -9 $PPID; sleep 300";
    let live = place.start(place.command(["bench", "--warmup", "0", "--", "sh", "-c", script]));
    let pid = live.pid();
    live.end().complains(70, &["launcher"]);
    assert_eq!(manifest(&place.last_run())["state"], "failed");
    place.is_left_by_all();
    assert_eq!(groups_of(pid), Vec::<std::path::PathBuf>::new());
}

#[test]
fn the_target_has_a_process_group_of_its_own() {
    let place = Place::new();
    measured(&place, &[], &["group"]);
}

/// Over five runs at least one shows both at rest: a thread, timer or redraw of ours would show in every one.
#[test]
fn nothing_of_ours_runs_while_the_target_runs() {
    let place = Place::new();
    let quiet = part("quiet log");
    place.slowpath(["bench", "--runs", "5", "--warmup", "0", &quiet]).exits(0);
    let log = place.read("log");
    let runs: Vec<Vec<u64>> =
        log.lines().map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(runs.len(), 5);
    assert!(runs.iter().all(|run| run[2] == 1), "the scheduler's accounts can be read: {log}");
    assert!(runs.iter().any(|run| run[0] == 0 && run[1] == 0), "launcher, slowpath: {log}");
}

#[test]
fn the_main_threads_account_lies_within_its_wall_time() {
    let place = Place::new();
    let sample = measured(&place, &[], &["burn", "50"]);
    if sample["main_thread"].is_null() {
        println!("skipped: this kernel has no scheduler accounts");
        return;
    }
    let (on_cpu, runnable) =
        (number(&sample["main_thread"]["on_cpu_ns"]), number(&sample["main_thread"]["runnable_ns"]));
    assert!(on_cpu > 45 * MS && on_cpu + runnable <= number(&sample["wall_ns"]) + MS, "{sample:#}");
}

#[test]
fn a_static_and_stripped_program_is_measured() {
    let place = Place::new();
    let program = static_actor().to_str().unwrap();
    let ran = place.slowpath(["bench", "--json", "--runs", "3", "--", program, "spin", "1000"]).exits(0);
    assert_eq!(ran.json()["commands"][0]["n"], 3);
    let print = manifest(&place.last_run())["fingerprint"]["programs"][0].clone();
    assert_eq!(print["has_symbols"], false, "{print:#}");
}

#[test]
fn two_hundred_children_at_once_are_one_run() {
    let place = Place::new();
    let sample = measured(&place, &[], &["many", "200"]);
    assert_eq!(sample["left_behind"], 0);
    assert!(within_deadline(|| place.survivors().is_empty()));
}
