//! Named scenarios: a word on the command line is all that `slowpath.toml` says of it, and what is typed wins.

use std::fs;

use crate::place::{Place, manifest, part, samples};

/// A place with this `slowpath.toml`; `ACTOR` in it is the program that plays the targets.
fn place(text: &str) -> Place {
    let place = Place::new();
    let actor = crate::place::actor().to_str().unwrap();
    place.file("slowpath.toml", text.replace("ACTOR", actor));
    place
}

fn argv(place: &Place) -> Vec<String> {
    let argv = manifest(&place.last_run())["arms"][0]["target"]["argv"].clone();
    argv.as_array().unwrap().iter().skip(1).map(|word| word.as_str().unwrap().to_owned()).collect()
}

const SPIN: &str = "[scenario.spin]\ncommand = ['ACTOR', 'spin', '{SIZE}']\nsize = '100k'\nsizes = [100_000, 200_000, 400_000]\nruns = 3\nwarmup = 0\nenv = { ONE = '1', TWO = '2' }\n";

#[test]
fn a_name_stands_for_command_and_options_in_every_subcommand() {
    let place = place(SPIN);
    place.slowpath(["why", "spin", "--no-record"]).exits(0);
    assert_eq!(argv(&place), ["spin", "100000"]);
    let run = manifest(&place.last_run());
    assert_eq!(run["settings"]["runs"], 3);
    assert_eq!(run["scenario"]["name"], "spin");
    assert_eq!(run["arms"][0]["target"]["env"]["TWO"], "2");
    crate::answers::is_valid("run", &run);
    let bench = place.slowpath(["bench", "--json", "spin"]).exits(0).json();
    assert_eq!(bench["commands"][0]["label"], "spin");
    assert_eq!(bench["commands"][0]["n"], 3);
    place.slowpath(["record", "spin"]).exits(0);
    assert_eq!(argv(&place), ["spin", "100000"]);
    let scale = place.slowpath(["scale", "spin", "--no-count", "--no-functions", "--json"]).exits(0).json();
    assert!(scale["command"].as_str().unwrap().ends_with("spin {SIZE}"), "{scale:#}");
}

#[test]
fn what_is_typed_wins_over_the_file() {
    let place = place(SPIN);
    place.slowpath(["bench", "spin", "--runs", "2", "--env", "ONE=mine", "--name", "other"]).exits(0);
    let run = manifest(&place.last_run());
    assert_eq!(run["settings"]["runs"], 2);
    assert_eq!(run["arms"][0]["label"], "other");
    let env = &run["arms"][0]["target"]["env"];
    assert_eq!((&env["ONE"], &env["TWO"]), (&"mine".into(), &"2".into()));
}

#[test]
fn after_two_dashes_a_word_is_a_command() {
    let place = place("[scenario.true]\ncommand = 'false'\n");
    place.slowpath(["bench", "--runs", "1", "--", "true"]).exits(0);
    assert_eq!(manifest(&place.last_run())["arms"][0]["target"]["argv"][0], "true");
    place.slowpath(["bench", "--runs", "1", "true"]).complains(4, &["exit status 1"]);
    place.slowpath(["why", "true", "--", "true"]).complains(2, &["contradict"]);
    // A word that names no scenario is a command for `bench`, as ever.
    place.slowpath(["bench", "--runs", "1", "echo"]).exits(0);
}

#[test]
fn the_file_is_found_above_and_commands_run_where_it_lies() {
    let place = place(
        "[scenario.here]\ncommand = 'pwd'\nstdout = 'out'\nruns = 1\nwarmup = 0\n[scenario.there]\ncommand = 'pwd'\ncwd = 'sub'\nstdout = 'out'\nruns = 1\nwarmup = 0\n",
    );
    let below = place.path().join("sub/deep");
    fs::create_dir_all(&below).unwrap();
    let ask = |name: &str| {
        let mut command = place.command(["bench", name]);
        command.current_dir(&below);
        place.start(command).end()
    };
    ask("here").exits(0);
    assert_eq!(place.read("out"), format!("{}\n", place.path().display()));
    ask("there").exits(0);
    assert_eq!(place.read("out"), format!("{}\n", place.path().join("sub").display()));
    // A repository's root is the last place to look.
    fs::create_dir(place.path().join("sub/.git")).unwrap();
    ask("here").complains(4, &["here"]);
    let mut command = place.command(["why", "here"]);
    command.current_dir(&below);
    place.start(command).end().complains(2, &["no scenario `here`", "slowpath.toml", "-- here"]);
}

#[test]
fn a_fault_in_the_file_is_told_with_its_line_and_nothing_runs() {
    for (text, words) in [
        ("[scenario.x]\ncomand = 'a'\n", &["line 2", "`comand`", "did you mean `command`"][..]),
        ("[scenario.x]\ncommand = 'a'\ntimeout = 'soon'\n", &["line 3", "timeout"]),
        ("[scenario.x\n", &["line 1"]),
        ("\u{1b}[31m = 1\n", &["line 1"]),
    ] {
        let place = place(text);
        for words_typed in [&["why", "x"][..], &["bench", "x"], &["record", "x"], &["scale", "x"], &["gate"]]
        {
            let ran = place.slowpath(words_typed).complains(2, words);
            assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
        }
        assert!(place.runs().is_empty());
    }
    let place = Place::new();
    fs::create_dir(place.path().join("slowpath.toml")).unwrap();
    place.slowpath(["why", "x"]).complains(2, &["slowpath.toml"]);
    fs::remove_dir(place.path().join("slowpath.toml")).unwrap();
    place.file("slowpath.toml", b"\xff\xfe");
    place.slowpath(["gate"]).complains(2, &["UTF-8"]);
}

#[test]
fn an_unknown_name_has_a_nearest_one() {
    let place = place(SPIN);
    place.slowpath(["why", "spni"]).complains(2, &["no scenario `spni`", "did you mean `spin`"]);
    place.slowpath(["gate", "spni"]).complains(2, &["did you mean `spin`"]);
}

#[test]
fn a_size_that_nobody_names_is_asked_for() {
    let place = place("[scenario.x]\ncommand = 'ACTOR spin {SIZE}'\n");
    place.slowpath(["why", "x"]).complains(2, &["{SIZE}", "size"]);
}

#[test]
fn scenarios_that_run_differently_are_not_put_into_one_sitting() {
    let place = place(
        "[scenario.a]\ncommand = 'true'\nruns = 2\n[scenario.b]\ncommand = 'echo b'\nruns = 2\n[scenario.c]\ncommand = 'true'\nsetup = 'true'\nruns = 2\n",
    );
    let both = place.slowpath(["bench", "--json", "a", "b"]).exits(0).json();
    let labels: Vec<&str> =
        both["commands"].as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a", "b"]);
    place.slowpath(["bench", "a", "c"]).complains(2, &["setup", "gate"]);
    place.slowpath(["bench", "a", &part("spin 1")]).complains(2, &["together"]);
}

#[test]
fn a_shell_text_and_its_check_come_from_the_file() {
    let place = place(
        "[scenario.x]\ncommand = 'echo hello | tr a-z A-Z'\nshell = true\ncheck = 'grep -q HELLO'\nruns = 2\n[scenario.y]\ncommand = 'echo hello'\ncheck = 'grep -q HELLO'\nruns = 2\n",
    );
    place.slowpath(["bench", "x"]).exits(0);
    assert!(!samples(&place.last_run()).is_empty());
    place.slowpath(["bench", "y"]).complains(4, &["check"]);
}

#[test]
fn what_the_user_believes_is_judged_and_kept() {
    let place = place(
        "[scenario.x]\ncommand = 'ACTOR spin 1000000'\nruns = 6\nwork = 1000\nunit = 'row'\n\
         [[scenario.x.hypotheses]]\nid = 'tiny'\nclaim = 'it stays small'\nmetric = 'rss'\nrefuted-above = '1GiB'\n\
         [[scenario.x.hypotheses]]\nid = 'huge'\nclaim = 'it is huge'\nmetric = 'rss'\nrefuted-below = '1GiB'\n\
         [[scenario.x.hypotheses]]\nid = 'blind'\nclaim = 'nobody knows'\nmetric = 'no such thing'\nrefuted-above = 1\n",
    );
    let ran = place.slowpath(["why", "x", "--no-record", "--json"]).exits(0);
    let answer = ran.json();
    crate::answers::is_valid("answer", &answer);
    let state = |id: &str| {
        let all = answer["hypotheses"].as_array().unwrap();
        all.iter().find(|one| one["id"] == id).map(|one| one["state"].clone()).unwrap_or_default()
    };
    assert_eq!(
        (state("tiny"), state("huge"), state("blind")),
        ("confirmed".into(), "rejected".into(), "untestable".into())
    );
    let evidence = answer["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|one| one["metric"] == "wall per row"), "{evidence:#?}");
    assert_eq!(place.slowpath(["report", "last", "--json"]).exits(0).stdout, ran.stdout);
    let text = place.slowpath(["report", "last"]).exits(0).text();
    assert!(text.contains("huge rejected"), "{text}");
}
