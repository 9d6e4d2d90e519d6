//! Programs that do not end by themselves: watched for a while, and explained like any other.

use std::process::{Child, Command, Stdio};

use crate::answers::is_valid;
use crate::place::Place;

const SERVICE: &str = "import os
print(os.getpid(), file=open('service.pid', 'w'), flush=True)


def dedup(n):
    seen = []
    for i in range(n):
        if i not in seen:
            seen.append(i)
    return seen


while True:
    dedup(2000)
";

/// Ends the process whatever the test does.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_explained(place: &Place, answer: &serde_json::Value) {
    is_valid("answer", answer);
    // Nothing was timed.
    assert_eq!((&answer["wall"]["n"], &answer["wall"]["low_s"]), (&0.into(), &serde_json::Value::Null));
    assert!(answer["wall"]["median_s"].as_f64().unwrap() > 0.5, "{:#}", answer["wall"]);
    let first = &answer["findings"][0];
    assert_eq!(first["cause"], "algorithmic-growth", "{:#}", answer["findings"]);
    assert_eq!(first["location"]["function"], "dedup");
    assert!(place.last_run().join("worklist.json").is_file());
    let again = place.slowpath(["report", "last", "--json"]).exits(0).json();
    assert!(&again == answer, "told otherwise the second time");
    let text = place.slowpath(["report", "last"]).exits(0);
    assert!(text.text().contains("was watched for"), "{}", text.text());
}

#[test]
fn a_command_that_does_not_end_is_watched_and_ended() {
    let place = Place::new();
    place.file("service.py", SERVICE);
    let words = ["why", "--json", "--duration", "1500ms", "--", "/usr/bin/python3", "service.py"];
    is_explained(&place, &place.slowpath(words).exits(0).json());
    let pid = std::fs::read_to_string(place.path().join("service.pid")).unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "still running");
}

#[test]
fn a_running_process_is_explained_and_left_alone() {
    let place = Place::new();
    place.file("service.py", SERVICE);
    let service = Command::new("/usr/bin/python3")
        .arg("service.py")
        .current_dir(place.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut service = Service(service);
    let pid = service.0.id().to_string();
    let answer = place.slowpath(["--json", "--pid", &pid, "--duration", "1500ms"]).exits(0).json();
    is_explained(&place, &answer);
    assert!(service.0.try_wait().unwrap().is_none());
    place.slowpath(["--pid", &pid, "--runs", "3"]).complains(2, &["--runs"]);
    place.slowpath(["--pid", "999999999"]).complains(2, &["no process"]);
}
