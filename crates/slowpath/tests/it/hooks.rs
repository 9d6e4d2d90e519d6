//! What surrounds the runs: hooks, parameters, checks of the output, failures and time limits.

use std::fs;

use crate::place::{Place, actor, counted, manifest, part, samples};

#[test]
fn hooks_run_in_their_order() {
    let place = Place::new();
    let note = |word: &str| format!("echo {word} >> log");
    let [setup, prepare, conclude, cleanup] =
        ["setup", "prepare", "conclude", "cleanup"].map(|word| note(&format!("{word} {{n}}")));
    let hooks = ["--setup", &setup, "--prepare", &prepare, "--conclude", &conclude, "--cleanup", &cleanup];
    let fixed = ["bench", "--json", "--runs", "2", "--warmup", "1", "--param", "n=1,2"];
    let words = ["--", "sh", "-c", "echo run {n} >> log"];
    place.slowpath(fixed.iter().chain(&hooks).chain(&words)).exits(0);
    let log = place.read("log");
    let lines: Vec<&str> = log.lines().collect();
    let one_run = |n: u32| [format!("prepare {n}"), format!("run {n}"), format!("conclude {n}")];
    let begin = |n: u32| [format!("setup {n}")].into_iter().chain(one_run(n));
    let wanted: Vec<String> = begin(1).chain(begin(2)).collect();
    assert_eq!(lines[..8], wanted[..], "{log}");
    // Four runs in any order, each between its own hooks.
    let mut arms = Vec::new();
    for run in lines[8..20].chunks(3) {
        let n = run[0].strip_prefix("prepare ").unwrap().parse().unwrap();
        assert_eq!(run, one_run(n));
        arms.push(n);
    }
    arms.sort_unstable();
    assert_eq!(arms, [1, 1, 2, 2]);
    assert_eq!(lines[20..], ["cleanup 1", "cleanup 2"], "{log}");
}

#[test]
fn a_failing_hook_ends_the_sitting_and_cleanup_still_runs() {
    let place = Place::new();
    for hook in ["setup", "prepare", "conclude"] {
        let option = format!("--{hook}");
        let text = "echo it broke >&2; exit 7";
        let cleanup = ["--cleanup", "touch cleaned"];
        let fixed = ["bench", "--runs", "2", &option, text];
        let ran = place.slowpath(fixed.iter().chain(&cleanup).chain(&["--", "true"]));
        ran.complains(
            4,
            &[&format!("the {hook} command failed"), "  because: ", "it broke", "exit status 7"],
        );
        assert!(place.path().join("cleaned").exists(), "{hook}");
        fs::remove_file(place.path().join("cleaned")).unwrap();
        assert_eq!(manifest(&place.last_run())["state"], "failed");
    }
    place.slowpath(["bench", "--runs", "2", "--cleanup", "exit 7", "--", "true"]).complains(4, &["cleanup"]);
}

#[test]
fn hooks_have_the_targets_environment_and_folder() {
    let place = Place::new();
    fs::create_dir(place.path().join("sub")).unwrap();
    let options = ["--env", "WHO=me", "--cwd", "sub", "--setup", "echo $WHO > who"];
    place.slowpath(["bench", "--runs", "1"].iter().chain(&options).chain(&["--", "true"])).exits(0);
    assert_eq!(place.read("sub/who"), "me\n");
}

#[test]
fn a_setup_may_start_a_server_that_stays_until_cleanup() {
    let place = Place::new();
    let setup = "sleep 300 & echo $! > server";
    let cleanup = "kill $(cat server)";
    let target = "kill -0 $(cat server)";
    let hooks = ["--setup", setup, "--cleanup", cleanup];
    let fixed = ["bench", "--json", "--runs", "2"];
    place.slowpath(fixed.iter().chain(&hooks).chain(&["--", "sh", "-c", target])).exits(0);
    place.is_left_by_all();
}

#[test]
fn parameters_give_every_combination() {
    let place = Place::new();
    let fixed = ["bench", "--json", "--runs", "1", "--warmup", "0", "--param", "a=1..3", "--param", "b=x,y"];
    let answer = place.slowpath(fixed.iter().chain(&["echo {a} {b} {c}"])).exits(0).json();
    let commands = answer["commands"].as_array().unwrap();
    let mut labels: Vec<&str> = commands.iter().map(|command| command["label"].as_str().unwrap()).collect();
    labels.sort_unstable();
    let wanted =
        ["echo 1 x {c}", "echo 1 y {c}", "echo 2 x {c}", "echo 2 y {c}", "echo 3 x {c}", "echo 3 y {c}"];
    assert_eq!(labels, wanted);
    assert_eq!(commands[0]["params"]["a"], "1");
    let range =
        place.slowpath(["bench", "--json", "--runs", "1", "--param", "n=1..8*2", "sleep 0.00{n}"]).exits(0);
    assert_eq!(range.json()["commands"].as_array().unwrap().len(), 4);
}

#[test]
fn a_parameter_that_nobody_uses_is_a_mistake() {
    let place = Place::new();
    place.slowpath(["bench", "--param", "n=1,2", "true"]).complains(2, &["`n`", "`{n}`"]);
    place.slowpath(["bench", "--param", "n=9..1", "true {n}"]).complains(2, &["range"]);
    place.slowpath(["bench", "--name", "a", "--name", "b", "true"]).complains(2, &["names"]);
    assert!(place.runs().is_empty());
}

#[test]
fn the_right_output_counts() {
    let place = Place::new();
    let golden = place.file("golden", "7\n");
    let hash = "sha256:10159baf262b43a92d95db59dae1f72c645127301661e0a3ce4e38b295a97c58";
    for golden in ["first", hash, golden.to_str().unwrap()] {
        place.slowpath(["bench", "--runs", "2", "--golden", golden, "--", "echo", "7"]).exits(0);
        let run = place.last_run();
        assert!(samples(&run).iter().all(|sample| sample["output"] == hash[7..]));
        assert!(!run.join("tier1/output").exists());
    }
}

#[test]
fn a_run_with_another_output_is_an_error_and_not_a_sample() {
    let place = Place::new();
    let golden = place.file("golden", "8\n");
    for golden in [golden.to_str().unwrap(), &format!("sha256:{}", "0".repeat(64))] {
        let ran = place.slowpath(["bench", "--runs", "2", "--golden", golden, "--", "echo", "7"]);
        ran.complains(4, &["run 1", "printed something else", "SHA-256"]);
        assert_eq!(samples(&place.last_run()).len(), 0);
    }
    // The fourth run prints something else; the three before it stay.
    let target = "echo x >> n; test $(wc -l < n) -lt 4 && echo same || echo other";
    let fixed = ["bench", "--runs", "9", "--warmup", "0", "--golden", "first", "--", "sh", "-c", target];
    place.slowpath(fixed).complains(4, &["run 4"]);
    assert_eq!(samples(&place.last_run()).len(), 3);
    // Of all commands: the second prints something else than the first.
    place
        .slowpath(["bench", "--runs", "2", "--golden", "first", "echo 1", "echo 2"])
        .complains(4, &["echo 2"]);
    // Each size prints its own, and must repeat it.
    let sizes = ["bench", "--runs", "2", "--golden", "first", "--param", "n=1,2", "echo {n}"];
    place.slowpath(sizes).exits(0);
    let differ = ["bench", "--runs", "2", "--golden", "first", "--param", "n=1,2", "echo {n}", "echo {n}{n}"];
    place.slowpath(differ).complains(4, &[]);
    place.slowpath(["bench", "--golden", "nofile", "--", "true"]).complains(2, &["nofile"]);
    place.slowpath(["bench", "--golden", "sha256:12", "--", "true"]).complains(2, &["64"]);
}

#[test]
fn a_check_reads_the_output_and_decides() {
    let place = Place::new();
    place.slowpath(["bench", "--runs", "2", "--check", "grep -q 7", "--", "echo", "7"]).exits(0);
    let ran = place.slowpath(["bench", "--runs", "2", "--check", "grep -q 8", "--", "echo", "7"]);
    ran.complains(4, &["the check command failed"]);
    assert_eq!(samples(&place.last_run()).len(), 0);
}

#[test]
fn a_failure_on_the_third_run_keeps_the_two_before_it() {
    let place = Place::new();
    let target = "echo x >> n; test $(wc -l < n) -lt 3 || { echo no more >&2; exit 5; }";
    let ran = place.slowpath(["bench", "--json", "--runs", "9", "--warmup", "0", "--", "sh", "-c", target]);
    ran.complains(4, &["run 3", "exit status 5", "--ignore-failure"]);
    let run = place.last_run();
    assert_eq!(manifest(&run)["state"], "failed");
    assert_eq!(counted(&run).len(), 2);
    let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert_eq!(again["commands"][0]["n"], 2);
    assert_eq!(again["gaps"][0]["what"], "the rest of the run", "{}", again["gaps"]);
}

#[test]
fn a_first_run_that_fails_is_told_with_its_last_words() {
    let place = Place::new();
    let script = "echo first >&2; echo 'the last word' >&2; exit 9";
    let ran = place.slowpath(["bench", "--", "sh", "-c", script]);
    ran.complains(4, &["run 1", "exit status 9", "the last word"]);
    place.slowpath(["report", "last"]).complains(3, &["before its first counted run"]);
    let actor = actor().to_str().unwrap();
    place.slowpath(["bench", "--", actor, "die", "11"]).complains(4, &["killed by signal 11"]);
    place.slowpath(["bench", "--", actor, "noise", "3"]).complains(4, &["exit status 3"]);
}

#[test]
fn failures_count_when_they_are_asked_to() {
    let place = Place::new();
    let ran = place.slowpath(["bench", "--json", "--runs", "3", "--ignore-failure", "--", "false"]).exits(0);
    let command = &ran.json()["commands"][0];
    assert_eq!((&command["n"], &command["ended"]["code"]), (&3.into(), &1.into()));
    assert!(command["warnings"].as_array().unwrap().iter().any(|w| w["id"] == "runs-failed"), "{command:#}");
}

#[test]
fn prepare_comes_before_every_single_execution() {
    let place = Place::new();
    // What prepare makes, the target uses up.
    for failing in ["true", "false"] {
        let target = format!("rm ready || touch unprepared; {failing}");
        let fixed = ["bench", "--runs", "2", "--warmup", "1", "--ignore-failure", "--prepare", "touch ready"];
        place.slowpath(fixed.iter().chain(&["--", "sh", "-c", &target])).exits(0);
        assert!(!place.path().join("unprepared").exists(), "{failing}: it ran without its prepare");
    }
}

#[test]
fn a_run_past_its_time_is_ended_with_all_its_children() {
    let place = Place::new();
    let target = "sleep 300 & sleep 300 & setsid sleep 300 & wait";
    let ran = place.slowpath(["bench", "--timeout", "300ms", "--", "sh", "-c", target]);
    ran.complains(4, &["did not end within 0.3 s", "--timeout"]);
    place.is_left_by_all();
}

#[test]
fn a_target_that_ignores_the_request_is_ended_all_the_same() {
    let place = Place::new();
    let stubborn = part("stubborn log");
    for warmup in ["0", "1"] {
        let ran = place.slowpath(["bench", "--timeout", "300ms", "--warmup", warmup, &stubborn]);
        ran.complains(4, &["did not end within"]);
        place.is_left_by_all();
    }
}

#[test]
fn a_stopped_target_is_ended_at_its_time() {
    let place = Place::new();
    for warmup in ["0", "1"] {
        let ran = place.slowpath(["bench", "--timeout", "300ms", "--warmup", warmup, &part("stop")]);
        ran.complains(4, &["did not end within"]);
        place.is_left_by_all();
    }
}

#[test]
fn a_time_limit_does_not_touch_a_quick_target() {
    let place = Place::new();
    place.slowpath(["bench", "--timeout", "60s", "--runs", "3", "--", "true"]).exits(0);
}
