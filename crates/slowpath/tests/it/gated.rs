//! Gates: budgets and baselines of scenarios, in every form, with programs whose memory tells, for that is steady.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, Ran, actor, manifest, part};

fn write(place: &Place, text: &str) {
    place.file("slowpath.toml", text.replace("ACTOR", actor().to_str().unwrap()));
}

fn place(text: &str) -> Place {
    let place = Place::new();
    write(&place, text);
    place
}

const LARGE: &str = "[scenario.large]\ncommand = 'ACTOR touch 16'\nruns = 8\nwarmup = 1\n";

fn scenario<'a>(gate: &'a Value, name: &str) -> &'a Value {
    let all = gate["scenarios"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no `{name}` in {gate:#}"))
}

/// The answer is valid, kept, and the same whenever it is asked for.
#[track_caller]
fn is_kept(place: &Place, ran: &Ran) -> Value {
    let gate = ran.json();
    is_valid("gate", &gate);
    let run = place.last_run();
    is_valid("run", &manifest(&run));
    assert_eq!(fs::read(run.join("answer.json")).unwrap(), ran.stdout);
    assert_eq!(place.slowpath(["report", "last", "--json"]).exits(0).stdout, ran.stdout);
    place.slowpath(["report", "last", "--html", "-o", "again.html"]).exits(0);
    assert_eq!(place.read("again.html"), fs::read_to_string(run.join("report.html")).unwrap());
    for form in ["--markdown", "--quiet"] {
        assert!(!place.slowpath(["report", "last", form]).exits(0).stdout.is_empty());
    }
    gate
}

/// What a real XML reader finds: each test's name and the elements in it.
fn junit(path: &Path) -> Value {
    let script = "import json,sys,xml.etree.ElementTree as e\n\
                  r=e.parse(sys.argv[1]).getroot()\n\
                  print(json.dumps({'tests': r.get('tests'), 'failures': r.get('failures'), 'errors': r.get('errors'), 'skipped': r.get('skipped'),\n\
                  'cases': [[c.get('name'), [x.tag for x in c]] for c in r.iter('testcase')]}))";
    let output = Command::new("python3").args(["-c", script]).arg(path).output().unwrap();
    assert!(output.status.success(), "{output:?}\n{}", fs::read_to_string(path).unwrap());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The parts of SARIF 2.1.0 that every reader relies on (sections 3.13 to 3.29 of the standard).
#[track_caller]
fn is_sarif(path: &Path) -> Value {
    let log: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "slowpath");
    let rules = driver["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        for location in result["locations"].as_array().unwrap() {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.contains(' ') && uri.is_ascii(), "{uri}");
            assert!(physical["region"]["startLine"].as_u64().is_none_or(|line| line > 0));
        }
    }
    log
}

#[test]
fn a_budget_holds_or_breaks_and_every_form_says_so() {
    let place = place(&format!(
        "{LARGE}[scenario.large.budgets]\nrss = '4MiB'\n[scenario.small]\ncommand = 'ACTOR touch 1'\nruns = 8\n[scenario.small.budgets]\nrss = '1GiB'\nwall = '1h'\n"
    ));
    let ran = place.slowpath(["gate", "--json", "--junit", "j.xml", "--sarif", "s.sarif"]).exits(1);
    let gate = is_kept(&place, &ran);
    assert_eq!(gate["verdict"], "broken");
    assert_eq!(gate["scenarios"][0]["name"], "large", "the order of the file");
    let large = scenario(&gate, "large");
    assert_eq!((&large["verdict"], &large["repeated"]), (&"broken".into(), &true.into()), "{large:#}");
    assert_eq!(scenario(&gate, "small")["verdict"], "holds");
    let tests = junit(&place.path().join("j.xml"));
    assert_eq!(tests["cases"], serde_json::json!([["large", ["failure"]], ["small", []]]));
    assert_eq!((&tests["tests"], &tests["failures"]), (&"2".into(), &"1".into()));
    is_sarif(&place.path().join("s.sarif"));
    let exported = place.slowpath(["export", "last", "--format", "sarif", "-o", "again.sarif"]).exits(0);
    assert!(exported.stdout.is_empty());
    let shown = place.slowpath(["export", "last", "--format", "sarif", "-o", "-"]).exits(0);
    assert_eq!(shown.text(), fs::read_to_string(place.path().join("again.sarif")).unwrap());
    is_sarif(&place.path().join("again.sarif"));
    // Only what was named is measured.
    let gate = place.slowpath(["gate", "--json", "small"]).exits(0).json();
    assert_eq!(gate["scenarios"].as_array().unwrap().len(), 1);
    let comment = place.slowpath(["gate", "--markdown", "small"]).exits(0).text();
    assert!(comment.starts_with("**✓") && comment.contains("<details>"), "{comment}");
}

#[test]
fn memory_that_grows_breaks_the_baseline_and_what_is_new_does_not() {
    let place = place(LARGE);
    place.slowpath(["gate", "--save", "base.json"]).exits(0);
    is_valid("baseline", &serde_json::from_str(&place.read("base.json")).unwrap());
    let first = place.last_run();
    write(&place, &LARGE.replace("touch 16", "touch 48"));
    let first = first.to_str().unwrap();
    for baseline in ["base.json", first] {
        let ran = place
            .slowpath(["gate", "--json", "--no-record", "--margin", "20%", "--baseline", baseline])
            .exits(1);
        let gate = is_kept(&place, &ran);
        let large = scenario(&gate, "large");
        assert_eq!((&large["verdict"], &large["repeated"]), (&"broken".into(), &true.into()), "{large:#}");
        let rss =
            large["changes"].as_array().unwrap().iter().find(|one| one["judged"]["metric"] == "rss").unwrap();
        assert!(rss["adjusted_p"].as_f64().unwrap() <= 0.05, "{rss:#}");
    }
    write(&place, &LARGE.replace("large", "fresh"));
    let gate = place.slowpath(["gate", "--json", "--baseline", "base.json"]).exits(0).json();
    assert_eq!(scenario(&gate, "fresh")["verdict"], "new");
    // A run of `bench` is a baseline too, by its names.
    let name = part("touch 16");
    place.slowpath(["bench", "--runs", "8", "--name", "fresh", "--out", "bench", &name]).exits(0);
    let gate =
        place.slowpath(["gate", "--json", "--baseline", "bench", "--allow-inconclusive", "--margin", "50%"]);
    assert_ne!(scenario(&gate.json(), "fresh")["verdict"], "new");
}

#[test]
fn a_baseline_of_another_machine_is_not_comparable() {
    let place = place(LARGE);
    place.slowpath(["gate", "--save", "base.json"]).exits(0);
    let mut base: Value = serde_json::from_str(&place.read("base.json")).unwrap();
    base["scenarios"][0]["fingerprint"]["machine"]["cpu_model"] = "another one".into();
    place.file("base.json", base.to_string());
    let ran = place
        .slowpath(["gate", "--json", "--margin", "50%", "--baseline", "base.json", "--junit", "j.xml"])
        .exits(6);
    assert_eq!(is_kept(&place, &ran)["verdict"], "not-comparable");
    assert_eq!(junit(&place.path().join("j.xml"))["skipped"], "1");
}

#[test]
fn a_baseline_that_cannot_be_read_is_never_new() {
    let place = place(LARGE);
    place.slowpath(["gate", "--save", "base.json"]).exits(0);
    let good = place.read("base.json");
    for (name, text) in [
        ("cut.json", good[..good.len() / 2].to_owned()),
        ("empty.json", String::new()),
        ("other.json", good.replace("slowpath.baseline/1", "slowpath.baseline/2")),
        ("garbage.json", "{\"schema\": 3}".to_owned()),
        ("negative.json", good.replacen("\"values\": [\n", "\"values\": [\n -1,", 1)),
    ] {
        place.file(name, text);
        place.slowpath(["gate", "--baseline", name]).complains(2, &[]);
    }
    place.slowpath(["gate", "--baseline", "nothing-there"]).complains(2, &[]);
    let run = place.last_run();
    fs::remove_file(run.join("tier1/gate.json")).unwrap();
    place.slowpath(["gate", "--baseline", "last"]).complains(2, &["gate.json"]);
    place.slowpath(["report", "last"]).complains(2, &["gate.json"]);
}

#[test]
fn without_scenarios_there_is_no_gate() {
    let place = Place::new();
    place.slowpath(["gate"]).complains(2, &["slowpath.toml"]);
    place.file("slowpath.toml", "");
    place.slowpath(["gate"]).complains(2, &["no scenarios"]);
    assert!(place.runs().is_empty());
}

#[test]
fn a_program_that_fails_fails_its_scenario_alone() {
    let place = place(&format!(
        "[scenario.bad]\ncommand = 'ACTOR exit {{SIZE}}'\nsize = 3\n[scenario.gone]\ncommand = './no-such'\n{LARGE}"
    ));
    let ran = place.slowpath(["gate", "--json", "--junit", "j.xml"]).exits(1);
    let gate = is_kept(&place, &ran);
    let verdict = |name: &str| scenario(&gate, name)["verdict"].clone();
    assert_eq!(
        (verdict("bad"), verdict("gone"), verdict("large")),
        ("failed".into(), "failed".into(), "new".into())
    );
    assert!(scenario(&gate, "bad")["because"][0].as_str().unwrap().contains("exit status 3"));
    assert!(scenario(&gate, "bad")["command"].as_str().unwrap().ends_with("exit 3"), "{gate:#}");
    assert_eq!(junit(&place.path().join("j.xml"))["errors"], "2");
}

#[test]
fn hostile_names_are_inert_in_every_form() {
    let hostile = "a</testcase>\"'&<script>|`x` \u{1b}[31m\u{202e}]]>\n# h1";
    let key = serde_json::to_string(hostile).unwrap().replace("\\u001b", "\\u001B");
    let place = place(&format!(
        "[scenario.{key}]\ncommand = ['ACTOR', 'touch', '4', \"<b>\\u001B[0m\"]\nruns = 6\n[scenario.{key}.budgets]\nrss = '1MiB'\n"
    ));
    let ran = place.slowpath(["gate", "--json", "--junit", "j.xml", "--sarif", "s.sarif"]).exits(1);
    assert_eq!(ran.json()["scenarios"][0]["name"], hostile);
    let tests = junit(&place.path().join("j.xml"));
    assert_eq!(tests["cases"].as_array().unwrap().len(), 1, "{tests:#}");
    assert!(tests["cases"][0][0].as_str().unwrap().starts_with("a</testcase>\"'&<script>|`x` \\u{1b}[31m"));
    let sarif = is_sarif(&place.path().join("s.sarif")).to_string();
    let text = place.slowpath(["report", "last"]).exits(0).text();
    let comment = place.slowpath(["report", "last", "--markdown"]).exits(0).text();
    for shown in [&sarif, &text, &comment] {
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
    }
    assert!(
        !comment.contains("<script>") && !comment.contains("<b>") && !comment.contains("\n# h1"),
        "{comment}"
    );
}

/// A repository whose program touches more memory in its second commit, and has a scenario more.
fn repository() -> Place {
    let place = Place::new();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        place.dress(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    place.file(".gitignore", "/program\n.slowpath\n");
    write(
        &place,
        "build = \"cp program.sh program && chmod +x program\"\n[scenario.grows]\ncommand = './program 1'\npairs = 16\nmargin = '50%'\n[scenario.later]\ncommand = './program 2'\nmargin = '50%'\nruns = 6\n",
    );
    for (tag, size) in [("small", 4), ("large", 40)] {
        let known = if tag == "small" { "1" } else { "[12]" };
        let script = format!(
            "#!/bin/sh\ncase $1 in {known}) exec '{}' touch {size};; esac\nexit 9\n",
            actor().display()
        );
        place.file("program.sh", script);
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", tag]);
        git(&["tag", tag]);
    }
    place
}

#[test]
fn a_revision_is_measured_in_turns_and_a_scenario_it_lacks_is_new() {
    let place = repository();
    let ran =
        place.slowpath(["gate", "--json", "--no-record", "--rev", "small", "--junit", "j.xml"]).exits(1);
    let gate = is_kept(&place, &ran);
    assert_eq!(gate["baseline"]["kind"], "revision");
    let grows = scenario(&gate, "grows");
    assert_eq!(grows["verdict"], "broken", "{grows:#}");
    let rss =
        grows["changes"].as_array().unwrap().iter().find(|one| one["judged"]["metric"] == "rss").unwrap();
    assert_eq!((&rss["verdict"], &rss["judged"]["confirmed"]), (&"broken".into(), &true.into()), "{rss:#}");
    assert_eq!(scenario(&gate, "later")["verdict"], "new", "{gate:#}");
    assert!(!place.path().join("program").exists(), "the user's tree is as it was");
    place.slowpath(["gate", "--rev", "nothing"]).complains(2, &["revision"]);
    place.slowpath(["gate", "--rev", "small", "--build", "exit 7"]).complains(4, &["build", "exit status 7"]);
    place.slowpath(["gate", "--rev", "small", "--baseline", "x"]).complains(2, &["--baseline"]);
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let place = place(LARGE);
    place.slowpath(["gate", "--junit", "no/such/folder.xml"]).complains(2, &["no/such/folder.xml"]);
}

#[test]
fn the_example_workflow_asks_what_the_gate_takes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci/slowpath-gate.yml");
    let text = fs::read_to_string(path).unwrap();
    let help = Place::new().slowpath(["gate", "--help"]).exits(0).text();
    let flags: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.contains("slowpath gate"))
        .take(2)
        .flat_map(str::split_whitespace)
        .filter(|word| word.starts_with("--"))
        .collect();
    assert!(flags.len() >= 4, "{flags:?}");
    for flag in flags {
        assert!(help.contains(flag), "`{flag}` is no flag of the gate");
    }
    assert!(!text.contains('\t'), "YAML has no tabs");
}
