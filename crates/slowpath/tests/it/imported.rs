//! Recordings of other tools: what they say is what slowpath says, and a damaged file is an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::Place;
use crate::recorded::recording;

fn fixture(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(case).join("input")
}

/// The profile and the recording of a file.
#[track_caller]
fn imported(place: &Place, file: &Path) -> (Value, Value) {
    let mut command = place.command(["import", "--json"]);
    command.arg(file).env("HOME", place.path());
    let profile = place.start(command).end().exits(0).json();
    is_valid("profile", &profile);
    (profile, recording(place))
}

/// Compiles the program of known shape; the salt makes another build of it.
fn calls(place: &Place, salt: u32, options: &[&str]) -> PathBuf {
    let program = place.path().join("calls");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/calls.c");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-g"]).args(options).arg(format!("-DSALT={salt}")).arg("-o").arg(&program).arg(source);
    assert!(gcc.status().unwrap().success());
    program
}

/// What perf records of a program. perf keeps copies of programs at home; that is this place.
fn perf(place: &Place, options: &[&str], program: &Path) -> PathBuf {
    let file = place.path().join("perf.data");
    let mut perf = Command::new("perf");
    perf.args(["record", "-q", "-e", "cpu-clock", "-F", "997"]).args(options).arg("-o").arg(&file);
    perf.arg("--").arg(program).current_dir(place.path()).env("HOME", place.path());
    let ran = perf.output().expect("perf is installed where slowpath is tested");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    file
}

/// The functions of each sample as perf tells them, innermost first; what it expands is left out.
fn told_by_perf(place: &Place, file: &Path) -> Vec<Vec<String>> {
    let mut perf = Command::new("perf");
    perf.args(["script", "--no-inline", "-F", "event,ip,sym,dso", "-i"]).arg(file).env("HOME", place.path());
    let text = String::from_utf8(perf.output().unwrap().stdout).unwrap();
    let mut samples: Vec<Vec<String>> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match (line.starts_with(char::is_whitespace), words.next(), words.next()) {
            // The outermost mark of a stack that was cut.
            (true, Some("ffffffffffffffff"), _) => {}
            (true, Some(_), Some(name)) if line.ends_with("/calls)") => {
                samples.last_mut().unwrap().push(name.to_owned());
            }
            (_, Some(event), _) if event.starts_with("cpu-clock") => samples.push(Vec::new()),
            _ => {}
        }
    }
    samples
}

/// The functions of each hit in the program of known shape, innermost first.
fn told_by_slowpath(recording: &Value) -> Vec<Vec<String>> {
    let at =
        |table: &str, at: &Value| recording[table][usize::try_from(at.as_u64().unwrap()).unwrap()].clone();
    let hits = recording["hits"].as_array().unwrap().iter();
    hits.map(|hit| {
        let mut functions = Vec::new();
        let mut next = hit[2].clone();
        while next.is_u64() {
            let node = at("nodes", &next);
            let frame = at("frames", &node[1]);
            let own = frame["module"].is_u64()
                && at("modules", &frame["module"])["path"].as_str().unwrap().ends_with("/calls");
            if own && frame["inlined"] == false {
                functions.push(frame["function"].as_str().unwrap_or("[unknown]").to_owned());
            }
            next = node[0].clone();
        }
        functions
    })
    .collect()
}

/// Whether slowpath and perf agree on the program's functions and their order in 95 of 100 samples.
#[track_caller]
fn agree(options: &[&str], compiled: &[&str]) -> (Value, Value) {
    let place = Place::new();
    let program = calls(&place, 1, compiled);
    let file = perf(&place, options, &program);
    let (profile, recording) = imported(&place, &file);
    let (ours, perfs) = (told_by_slowpath(&recording), told_by_perf(&place, &file));
    assert_eq!(ours.len(), perfs.len());
    assert!(ours.len() > 50, "too few samples to tell: {}", ours.len());
    let differ: Vec<_> = ours.iter().zip(&perfs).filter(|(ours, perfs)| ours != perfs).collect();
    assert!(differ.len() * 20 <= ours.len(), "{} of {}: {:#?}", differ.len(), ours.len(), differ.first());
    let whole = ours.iter().filter(|stack| stack.iter().any(|name| name == "main"));
    assert!(whole.count() * 20 >= ours.len() * 19, "stacks do not reach main");
    (profile, recording)
}

#[test]
fn stacks_that_perf_copied_are_unwound_and_named_as_perf_does() {
    let (profile, recording) = agree(&["--call-graph", "dwarf,16384"], &[]);
    let functions: Vec<_> =
        profile["hotspots"].as_array().unwrap().iter().map(|hotspot| &hotspot["place"]["function"]).collect();
    assert!(functions[..3].contains(&&Value::from("leaf_of_left")), "{functions:?}");
    // perf leaves out what was expanded when told to; we have it as frames of their own.
    assert!(functions.contains(&&Value::from("expanded")), "{functions:?}");
    let (cut, all) = (&recording["losses"]["cut_stacks"], recording["losses"]["stacks"].as_u64().unwrap());
    assert!(cut.as_u64().unwrap() * 20 <= all, "{cut} of {all}");
}

#[test]
fn stacks_by_frame_pointers_are_named_as_perf_does() {
    let (profile, _) = agree(&["-g"], &["-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"]);
    // Which of its functions is the dearest depends on the few hits that a busy machine leaves.
    let hotspots = profile["hotspots"].as_array().unwrap();
    let leaf = hotspots.iter().map(|one| &one["place"]).find(|place| place["function"] == "leaf_of_left");
    let leaf = leaf.unwrap_or_else(|| panic!("{hotspots:#?}"));
    assert_eq!(leaf["owner"], "project");
    assert!(leaf["file"].as_str().unwrap().ends_with("calls.c") && leaf["line"].is_u64(), "{leaf}");
}

#[test]
fn a_program_built_anew_is_named_by_perfs_copy_or_not_at_all() {
    let place = Place::new();
    let file = perf(&place, &["-g"], &calls(&place, 1, &[]));
    calls(&place, 2, &["-O0"]);
    let (profile, _) = imported(&place, &file);
    let names = |profile: &Value| -> Vec<String> {
        let hotspots = profile["hotspots"].as_array().unwrap();
        hotspots.iter().map(|one| one["place"]["function"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&profile).iter().any(|name| name == "leaf_of_left"), "{:?}", names(&profile));
    fs::remove_dir_all(place.path().join(".debug")).unwrap();
    let (profile, _) = imported(&place, &file);
    assert!(names(&profile).iter().all(|name| !name.contains("leaf")), "{:?}", names(&profile));
    assert!(names(&profile).iter().any(|name| name == "calls (no symbols)"), "{:?}", names(&profile));
    let gaps = profile["gaps"].as_array().unwrap();
    let told = gaps.iter().any(|gap| gap["why"].as_str().unwrap().contains("another build"));
    assert!(told, "{gaps:#?}");
    fs::remove_file(place.path().join("calls")).unwrap();
    let (profile, _) = imported(&place, &file);
    assert!(profile["gaps"].to_string().contains("not on this machine"), "{:#}", profile["gaps"]);
}

#[test]
fn generated_code_is_named_by_a_map_as_new_as_the_recording() {
    let place = Place::new();
    let map = |recording: &Value| format!("/tmp/perf-{}.map", recording["processes"][0]["pid"]);
    // Without a stack unwound by tables, libraries without frame pointers leave words that look like generated code.
    let file = place.file("made.c", include_str!("generated.c"));
    let program = place.path().join("made");
    assert!(Command::new("gcc").args(["-O1", "-o"]).arg(&program).arg(file).status().unwrap().success());
    let file = perf(&place, &[], &program);
    let (profile, recording) = imported(&place, &file);
    assert!(profile["gaps"].to_string().contains("no map or dump"), "{:#}", profile["gaps"]);
    let lie = |hit: &Value| {
        let node = &recording["nodes"][usize::try_from(hit[2].as_u64().unwrap()).unwrap()];
        recording["frames"][usize::try_from(node[1].as_u64().unwrap()).unwrap()].clone()
    };
    let hits: Vec<Value> = recording["hits"].as_array().unwrap().iter().map(lie).collect();
    let address = hits.iter().find(|frame| frame["module"].is_null()).unwrap()["offset"].as_u64().unwrap();
    let path = map(&recording);
    fs::write(&path, format!("{:x} 1000 jumped\n", address & !0xfff)).unwrap();
    let (profile, _) = imported(&place, &file);
    let found = profile["hotspots"][0]["place"]["function"].clone();
    let old = Command::new("touch").args(["-d", "2001-01-01", &path]).status().unwrap();
    let (older, _) = imported(&place, &file);
    fs::remove_file(&path).unwrap();
    assert!(old.success());
    assert_eq!(found, "jumped");
    assert_ne!(older["hotspots"][0]["place"]["function"], "jumped", "an older map is another process's");
}

#[test]
fn every_format_becomes_a_profile_a_report_and_an_export() {
    for case in [
        "perf-data/6.1.187/ordinary",
        "perf-data/6.1.187/ordinary-dwarf",
        "perf-data/6.1.187/ordinary-pipe",
        "perf-script/6.1.187/ordinary",
        "folded/inferno-0.12.8/ordinary",
        "folded/py-spy-0.4.3/ordinary",
        "pprof/go-1.19.8/ordinary",
        "speedscope/py-spy-0.4.3/ordinary",
        "cpuprofile/node-20.20.2/ordinary",
    ] {
        let place = Place::new();
        let (profile, _) = imported(&place, &fixture(case));
        assert!(profile["hits"].as_u64().unwrap() > 0, "{case}");
        let file = fixture(case);
        let file = file.to_str().unwrap();
        let reported = place.slowpath(["report", "--json", file]).exits(0).json();
        is_valid("profile", &reported);
        assert_eq!(reported["hotspots"], profile["hotspots"], "{case}");
        assert_eq!(place.runs().len(), 1, "a report stores nothing");
        let text = place.slowpath(["report", file]).exits(0).text();
        assert!(text.contains("hotspot"), "{case}: {text}");
        let folded = place.slowpath(["export", "--format", "folded", file]).exits(0).text();
        assert_eq!(
            folded,
            place.slowpath(["export", "--format", "folded", "last"]).exits(0).text(),
            "{case}"
        );
        assert!(folded.lines().count() > 0, "{case}");
    }
}

#[test]
fn results_that_are_no_recordings_are_reported_as_before() {
    for case in
        ["hyperfine/1.20.0/ordinary", "go/1.19/ordinary", "pyperf/2.10.0/ordinary", "jmh/1.37/ordinary"]
    {
        let file = fixture(case);
        if file.exists() {
            let ran = Place::new().slowpath(["report", "--json", file.to_str().unwrap()]).exits(0);
            is_valid("bench", &ran.json());
        }
    }
}

#[track_caller]
fn is_refused(place: &Place, file: &Path, options: &[&str], words: &[&str]) {
    for command in ["import", "report"] {
        if command == "report" && !options.is_empty() {
            continue;
        }
        let mut slowpath = place.command([command]);
        slowpath.args(options).arg(file);
        let ran = place.start(slowpath).end().complains(2, words);
        assert!(ran.stderr.contains("\n  because: "), "{}", ran.stderr);
    }
    assert!(place.runs().is_empty(), "nothing is stored of a file that cannot be read");
}

#[test]
fn a_damaged_file_is_an_error_with_its_cause() {
    let place = Place::new();
    for (case, word) in [
        ("perf-data/6.1.187/cut", "ends too early"),
        ("perf-data/6.1.187/empty", "no samples"),
        ("perf-data/6.1.187/unsupported", "compressed"),
        ("perf-script/6.1.187/cut", "perf script"),
        ("pprof/go-1.19.8/cut", "the gzip file ends too early"),
        ("speedscope/py-spy-0.4.3/cut", "ends too early"),
        ("cpuprofile/node-20.20.2/cut", "ends too early"),
        ("cpuprofile/node-20.20.2/empty", "no samples"),
    ] {
        is_refused(&place, &fixture(case), &[], &[word, "try: "]);
    }
}

#[test]
fn a_file_that_is_cut_before_anything_tells_its_format_is_called_a_cut_one() {
    let place = Place::new();
    let whole = fs::read(fixture("pprof/go-1.19.8/ordinary")).unwrap();
    is_refused(&place, &place.file("cut.pb.gz", &whole[..60]), &[], &["ends too early", "incomplete"]);
}

#[test]
fn a_line_without_an_end_is_refused_before_all_of_the_file_is_read() {
    let place = Place::new();
    let endless = place.file("endless.folded", "main;work 3\n");
    fs::OpenOptions::new().write(true).open(&endless).unwrap().set_len(1 << 31).unwrap();
    is_refused(&place, &endless, &[], &["line 2", "does not end within"]);
}

#[test]
fn a_perf_file_cut_or_overwritten_anywhere_never_crashes() {
    let place = Place::new();
    let whole = fs::read(fixture("perf-data/6.1.187/ordinary")).unwrap();
    for step in 1..24 {
        let at = whole.len() * step / 24;
        is_refused(&place, &place.file("cut", &whole[..at]), &[], &[]);
        let mut wild = whole.clone();
        let end = (at + 64).min(wild.len());
        wild[at..end].fill(0xff);
        let file = place.file("wild", &wild);
        let code = place.slowpath([Path::new("report"), Path::new("--json"), &file]).code;
        assert!(matches!(code, Some(0 | 2)), "{at}: {code:?}");
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    let place = Place::new();
    let empty = place.file("empty", "");
    place.slowpath([Path::new("import"), &empty]).complains(2, &["because: the file is empty"]);
    place.slowpath([Path::new("import"), place.path()]).complains(2, &["because: ", "directory"]);
    place.slowpath(["import", "nowhere"]).complains(2, &["nowhere", "because: "]);
    let noise = place.file("noise", [0, 1, 2, 255, 254, 10, 7]);
    place.slowpath([Path::new("import"), &noise]).complains(2, &["no known recording", "perf.data"]);
    assert!(place.runs().is_empty());
}

#[test]
fn an_event_that_is_not_there_is_an_error_that_names_those_that_are() {
    let place = Place::new();
    let two = fixture("perf-data/6.1.187/ordinary-two-events");
    is_refused(&place, &two, &["--event", "cycles"], &["cycles", "cpu-clock", "context-switches"]);
    let mut command = place.command(["import", "--json", "--event", "context-switches"]);
    command.arg(&two);
    let profile = place.start(command).end().exits(0).json();
    assert!(profile["gaps"].to_string().contains("cpu-clock"), "{:#}", profile["gaps"]);
}

#[test]
fn a_recording_may_come_through_a_pipe() {
    let place = Place::new();
    let mut shell = Command::new("sh");
    let text = "cat \"$0\" | \"$1\" import --json /dev/stdin";
    shell.args(["-c", text]).arg(fixture("perf-script/6.1.187/ordinary")).arg(env!("CARGO_BIN_EXE_slowpath"));
    place.dress(&mut shell);
    assert!(place.start(shell).end().exits(0).json()["hits"].as_u64().unwrap() > 0);
}
