//! `--tier asm` on code that a runtime makes while it runs: V8's and the JVM's.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::lab::without_tools;
use crate::place::Place;

const PATIENCE: Duration = Duration::from_secs(240);

const NODE: &str = "\
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
const a = new Float64Array(4096).fill(1), b = new Float64Array(4096).fill(2);
let all = 0;
for (let i = 0; i < 200000; i++) all += dot(a, b);
console.log(all);
";

const JAVA: &str = "\
public class Main {
    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
        return sum;
    }
    public static void main(String[] words) {
        double[] a = new double[4096], b = new double[4096];
        double all = 0;
        for (int i = 0; i < 200000; i++) all += dot(a, b);
        System.out.println(all);
    }
}
";

fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("install {name}"))
}

/// What was found in the process's own code. `None` where nothing tells which instruction runs, which is said.
fn audited(place: &Place, name: &str, words: &[&str]) -> Option<Value> {
    let program = program(name);
    let options = ["why", "--runs", "1", "--warmup", "0", "--tier", "asm", "--", program.to_str().unwrap()];
    // Simulators would take minutes and tell nothing here.
    let text = without_tools(place, &[&options[..], words].concat()).exits(0).text();
    let doctor: Value = serde_json::from_str(&place.slowpath(["doctor", "--json"]).exits(0).text()).unwrap();
    if doctor["level"] == "D" {
        eprintln!("skipped: no perf events are granted here");
        return None;
    }
    let file = place.last_run().join("tier4/generated-code.json");
    let found: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let image = found[0]["image"].as_str().unwrap();
    assert!(image.contains(name), "{image}");
    // The text tells the same, and so does the stored run.
    for text in [text, place.slowpath(["report", "last"]).exits(0).text()] {
        assert!(text.contains("made while it ran") && text.contains("source lines"), "{text}");
        assert!(!text.contains("functions that the runtime compiled"), "{text}");
    }
    Some(found[0].clone())
}

/// The loop with the most weight adds one product at a time, whichever function it was expanded into.
fn is_scalar_sum(found: &Value) {
    let loops = found["functions"].as_array().unwrap().iter().flat_map(|function| {
        assert!(function["build"]["unoptimised"].is_null(), "{function:#}");
        function["loops"].as_array().unwrap()
    });
    let inner = loops.filter(|one| one["innermost"] == true);
    let hot = inner.max_by_key(|one| one["weight"].as_u64()).unwrap_or_else(|| panic!("{found:#}"));
    assert!(hot["share"].as_f64().unwrap() > 0.2, "{hot:#}");
    let patterns = hot["patterns"].as_array().unwrap();
    assert_eq!(patterns.len(), 6, "{hot:#}");
    let vector = patterns.iter().find(|pattern| pattern["pattern"] == "vector").unwrap();
    assert_eq!(vector["packed"], 0, "{hot:#}");
    assert!(vector["scalar_float"].as_u64().unwrap() >= 2, "{hot:#}");
    let listing = hot["listing"].as_array().unwrap();
    assert!(listing.iter().any(|line| line["weight"].as_u64() > Some(0)), "{hot:#}");
}

#[test]
fn hot_loops_of_javascript_are_audited_as_v8_compiled_them() {
    let place = Place::new();
    place.file("dot.js", NODE);
    let Some(found) = audited(&place, "node", &["dot.js"]) else { return };
    is_scalar_sum(&found);
    let name = found["functions"][0]["name"].as_str().unwrap();
    assert!(name.contains("dot.js:1)"), "{name}");
}

#[test]
fn hot_loops_of_java_are_audited_as_the_jvm_compiled_them() {
    let place = Place::new();
    place.file("Main.java", JAVA);
    let built = Command::new("javac").arg("Main.java").current_dir(place.path()).status().unwrap();
    assert!(built.success(), "install a JDK");
    let Some(found) = audited(&place, "java", &["-cp", ".", "Main"]) else { return };
    is_scalar_sum(&found);
    let name = found["functions"][0]["name"].as_str().unwrap();
    assert!(name.starts_with("Main."), "{name}");
}

#[test]
fn ordinary_runs_copy_no_code() {
    let place = Place::new();
    place.file("dot.js", NODE);
    let command = place.command(["why", "--runs", "1", "--warmup", "0", "--", "node", "dot.js"]);
    place.start(command).end_within(PATIENCE).exits(0);
    assert!(!place.last_run().join("tier4/generated-code.json").exists());
}

/// A program whose time is all the interpreter's: none of it is the user's machine code.
#[test]
fn the_loops_of_an_interpreter_are_not_audited() {
    let place = Place::new();
    place.file("spin.py", "total = 0\nfor i in range(3_000_000):\n    total += i * i\nprint(total)\n");
    let options =
        ["why", "--runs", "1", "--warmup", "0", "--tier", "asm", "--", "/usr/bin/python3", "spin.py"];
    without_tools(&place, &options).exits(0);
    let file = place.last_run().join("tier4/machine-code.json");
    let Ok(found) = std::fs::read(&file) else { return };
    let found: Value = serde_json::from_slice(&found).unwrap();
    let images: Vec<&str> =
        found.as_array().unwrap().iter().map(|one| one["image"].as_str().unwrap()).collect();
    let runtime = |image: &&str| image.rsplit('/').next().unwrap().contains("python");
    assert!(!images.iter().any(runtime), "{images:?}");
}
