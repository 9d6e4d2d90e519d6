//! The target finds the world it would have found without us: streams, signals, environment, arguments, folders.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;

use crate::place::{Place, actor, manifest, part, samples};

fn bench(place: &Place, options: &[&str], words: &[&str]) {
    let fixed = ["bench", "--runs", "1", "--warmup", "0"];
    place.slowpath(fixed.iter().chain(options).chain(&["--"]).chain(words)).exits(0);
}

#[test]
fn descriptors_signals_and_limits_are_those_of_a_bare_start() {
    let place = Place::new();
    let actor = actor().to_str().unwrap();
    let null = ["--stdin", "null", "--stdout", "null", "--stderr", "null"];
    bench(&place, &null, &[actor, "world", "under-slowpath"]);
    let mut bare = Command::new("env");
    bare.arg("--default-signal=INT,TERM,HUP").args([actor, "world", "bare"]);
    place.dress(&mut bare);
    bare.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    assert!(bare.status().unwrap().success());
    assert_eq!(place.read("under-slowpath"), place.read("bare"));
}

#[test]
fn the_first_traced_run_finds_the_same_world_too() {
    let place = Place::new();
    let actor = actor().to_str().unwrap();
    place.slowpath(["bench", "--runs", "1", "--warmup", "1", "--", actor, "world", "log"]).exits(0);
    let log = place.read("log");
    // The warm-up's standard error is captured; everything else is as in the second run.
    let halves: Vec<Vec<&str>> = log
        .lines()
        .filter(|line| !line.starts_with("fd 2 "))
        .collect::<Vec<_>>()
        .chunks(log.lines().count() / 2 - 1)
        .map(<[_]>::to_vec)
        .collect();
    assert_eq!(halves.len(), 2, "{log}");
    assert_eq!(halves[0], halves[1]);
}

#[test]
fn standard_input_is_empty_unless_it_is_given() {
    let place = Place::new();
    let input = place.file("input", "hello\n");
    let input = input.to_str().unwrap();
    bench(&place, &["--stdout", "out"], &["cat"]);
    assert_eq!(place.read("out"), "");
    bench(&place, &["--stdin", input, "--stdout", "out"], &["cat"]);
    assert_eq!(place.read("out"), "hello\n");
    // Every run reads it from the beginning.
    place.slowpath(["bench", "--golden", "first", "--runs", "3", "--stdin", input, "--", "cat"]).exits(0);
    let mut command =
        place.command(["bench", "--runs", "1", "--warmup", "0", "--stdin", "inherit", "--", "cat"]);
    command.arg("/dev/stdin").stdin(fs::File::open(input).unwrap());
    place.start(command).end().exits(0);
    assert_eq!(samples(&place.last_run())[0]["io"]["written_bytes"], 6);
}

#[test]
fn standard_output_goes_where_it_is_sent() {
    let place = Place::new();
    let sh = ["sh", "-c", "echo out; echo err >&2"];
    bench(&place, &["--stdout", "o", "--stderr", "e"], &sh);
    assert_eq!((place.read("o").as_str(), place.read("e").as_str()), ("out\n", "err\n"));
    let fixed =
        ["bench", "--quiet", "--runs", "1", "--warmup", "0", "--stdout", "inherit", "--stderr", "inherit"];
    let ran = place.slowpath(fixed.iter().chain(&["--"]).chain(&sh)).exits(0);
    assert!(ran.text().starts_with("out\n") && ran.stderr.starts_with("err\n"), "{ran:?}");
    bench(&place, &["--stdout", "capture", "--stderr", "capture"], &sh);
    let sample = samples(&place.last_run()).pop().unwrap();
    // echo out | sha256sum
    assert_eq!(sample["output"], "54034ac5c6e9ea95734ec2b729fd6d62abf64af34a9f9ce5d466cb788191a73d");
}

#[test]
fn ten_thousand_lines_pass_by_every_policy() {
    let place = Place::new();
    let lines = part("lines 10000");
    for policy in ["null", "capture", "file", "inherit"] {
        let options = ["bench", "--quiet", "--runs", "2", "--warmup", "1", "--stdout", policy, &lines];
        let ran = place.slowpath(options).exits(0);
        let written: Vec<u64> =
            samples(&place.last_run()).iter().map(|s| s["io"]["written_bytes"].as_u64().unwrap()).collect();
        assert!(
            written.iter().all(|bytes| *bytes == written[0] && *bytes > 300_000),
            "{policy}: {written:?}"
        );
        assert_eq!(ran.text().lines().count() > 30_000, policy == "inherit", "{policy}");
        // Only the last run's output is in the file: it is emptied before each.
        assert_eq!(place.read("file").lines().count(), if policy == "file" { 10_000 } else { 0 });
        let _ = fs::remove_file(place.path().join("file"));
    }
    place.slowpath(["bench", "--golden", "first", "--runs", "2", &lines]).exits(0);
}

#[test]
fn the_environment_is_ours_with_the_users_additions() {
    let place = Place::new();
    let script = "test \"$ONE\" = 'a b=c' && test -n \"$PATH\" && env > log";
    bench(&place, &["--env", "ONE=a b=c", "--env", "TWO="], &["sh", "-c", script]);
    let log = place.read("log");
    assert!(log.lines().any(|line| line == "TWO="), "{log}");
    place.slowpath(["bench", "--env", "novalue", "--", "true"]).complains(2, &["NAME=VALUE"]);
}

#[test]
fn padding_moves_the_environment_and_breaks_nothing() {
    let place = Place::new();
    let script = "printf '%s\\n' \"${#SLOWPATH_PADDING}\" >> lengths";
    place.slowpath(["bench", "--runs", "12", "--warmup", "0", "--", "sh", "-c", script]).exits(0);
    let text = place.read("lengths");
    let mut lengths: Vec<u32> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(lengths.len(), 12);
    assert!(lengths.iter().all(|length| *length <= 4096), "{lengths:?}");
    lengths.dedup();
    assert!(lengths.len() > 2, "{lengths:?}");
}

#[test]
fn the_working_directory_may_have_any_name() {
    let place = Place::new();
    let name = "a b\nc'\"$x";
    let folder = place.path().join(name);
    fs::create_dir(&folder).unwrap();
    bench(&place, &["--cwd", name], &["sh", "-c", "pwd > here"]);
    assert_eq!(fs::read_to_string(folder.join("here")).unwrap(), format!("{}\n", folder.display()));
    // A relative program is looked for where it runs.
    place.script(&format!("{name}/tool"), "#!/bin/sh\ntouch ran\n");
    bench(&place, &["--cwd", name], &["./tool"]);
    assert!(folder.join("ran").exists());
    // And slowpath itself may stand there.
    let mut command = place.command(["bench", "--json", "--runs", "1", "--", "./tool"]);
    command.current_dir(&folder);
    place.start(command).end().exits(0);
    let mut again = place.command(["report", "last"]);
    again.current_dir(&folder);
    place.start(again).end().exits(0);
    place.slowpath(["bench", "--cwd", "nowhere", "--", "true"]).complains(2, &["nowhere"]);
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let place = Place::new();
    let hostile: [&[u8]; 6] = [b"", b"a b", b"\xff\xfe", b"new\nline", b"*$HOME`x`", b"-h"];
    let mut arguments: Vec<OsString> =
        ["bench", "--json", "--runs", "1", "--warmup", "0", "--stdout", "out", "--"]
            .map(OsString::from)
            .into();
    arguments.push(actor().into());
    arguments.push("hex".into());
    arguments.extend(hostile.map(|bytes| OsStr::from_bytes(bytes).to_owned()));
    let ran = place.slowpath(&arguments).exits(0);
    let wanted: String =
        hostile.map(|bytes| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>() + "\n").concat();
    assert_eq!(place.read("out"), wanted);
    let argv = manifest(&place.last_run())["arms"][0]["target"]["argv"].clone();
    assert_eq!(argv[4]["hex"], "fffe", "{argv}");
    assert_eq!(argv[5], "new\nline");
    crate::answers::is_valid("bench", &ran.json());
    // Re-rendering has them as well, and keeps a terminal safe.
    let again = place.slowpath(["report", "last", "--json"]).exits(0);
    assert_eq!(again.stdout, ran.stdout);
    place.slowpath(["report", "last"]).exits(0);
}

#[test]
fn a_quoted_command_may_hold_bytes_that_are_no_text() {
    let place = Place::new();
    let mut command = part("hex ").into_bytes();
    command.extend_from_slice(b"'\xff \xfe'");
    let fixed = ["bench", "--runs", "1", "--warmup", "0", "--stdout", "out"].map(OsString::from);
    place.slowpath(fixed.into_iter().chain([OsString::from_vec(command)])).exits(0);
    assert_eq!(place.read("out"), "ff20fe\n");
}

#[test]
fn programs_and_run_folders_may_have_any_name() {
    let place = Place::new();
    for name in [&b"with space"[..], b"with\nnewline", b"with \xff byte", b"-dash"] {
        let name = OsStr::from_bytes(name);
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let program = folder.join(name);
        assert!(Command::new("cp").arg(actor()).arg(&program).status().unwrap().success());
        let out = folder.join("out");
        let fixed: [&OsStr; 6] = ["bench", "--json", "--runs", "1", "--out"]
            .map(OsStr::new)
            .into_iter()
            .chain([out.as_os_str()])
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let words = [OsStr::new("--"), program.as_os_str(), OsStr::new("spin"), OsStr::new("1")];
        let ran = place.slowpath(fixed.iter().chain(&words)).exits(0);
        let again = place.slowpath([OsStr::new("report"), OsStr::new("--json"), out.as_os_str()]).exits(0);
        assert_eq!(again.stdout, ran.stdout, "{name:?}");
    }
}

#[test]
fn a_shell_runs_only_when_asked_for() {
    let place = Place::new();
    place.slowpath(["bench", "--runs", "1", "echo a > made"]).exits(0);
    assert!(!place.path().join("made").exists(), "`>` is a word like any other");
    place.slowpath(["bench", "--shell", "--runs", "1", "echo a > made && test -s made"]).exits(0);
    assert_eq!(place.read("made"), "a\n");
}
