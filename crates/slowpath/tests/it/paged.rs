//! The page of a run: written with the answer, and written again from what is stored.

use std::fs;

use crate::place::Place;

/// Runs slowpath with these words and returns its page.
fn page(place: &Place, out: &str, words: &[&str]) -> String {
    let ran = place.slowpath([words, &["--out", out]].concat()).exits(0);
    let path = place.path().join(out).join("report.html");
    let last = ran.stderr.lines().last().unwrap_or_default().to_owned();
    assert_eq!(last, format!("report: {out}/report.html"));
    let page = fs::read_to_string(path).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    page
}

/// The page written again into another file and into the folder is the same.
fn is_the_same_again(place: &Place, out: &str, page: &str) {
    place.slowpath(["report", out, "--html", "-o", "again.html"]).exits(0);
    assert_eq!(place.read("again.html"), page);
    fs::remove_file(place.path().join(out).join("report.html")).unwrap();
    let ran = place.slowpath(["report", out, "--html"]).exits(0);
    assert!(ran.stderr.starts_with("report: "), "{}", ran.stderr);
    assert_eq!(place.read(&format!("{out}/report.html")), page);
}

#[test]
fn a_recorded_run_has_a_page_and_the_same_one_again() {
    let place = Place::new();
    place.script("busy.sh", "#!/bin/sh\ni=0; while [ $i -lt 60000 ]; do i=$((i+1)); done\n");
    let words = ["record", "--out", "r", "--", "./busy.sh"];
    place.slowpath(words).exits(0);
    let page = place.read("r/report.html");
    assert!(page.contains("Where does the time go?") && page.contains("id=\"trees\""));
    is_the_same_again(&place, "r", &page);
}

#[test]
fn the_page_of_a_recording_shows_the_text_of_its_lines() {
    let place = Place::new();
    let text = "total = 0\nfor number in range(3_000_000):\n    total += number * number\nprint(total)\n";
    place.file("squares.py", text);
    place.slowpath(["record", "--out", "r", "--", "python3", "squares.py"]).exits(0);
    let page = place.read("r/report.html");
    assert!(page.contains("<pre>total += number * number</pre>"), "the column of the source is empty");
    is_the_same_again(&place, "r", &page);
}

#[test]
fn a_benchmark_and_a_comparison_have_pages() {
    let place = Place::new();
    let bench = page(&place, "b", &["bench", "--runs", "6", "true"]);
    assert!(bench.contains("How fast is it?"), "{bench}");
    is_the_same_again(&place, "b", &bench);
    let ran = place.slowpath(["compare", "--pairs", "2", "--out", "c", "true", "true"]);
    assert!(ran.stderr.contains("report: "), "{}", ran.stderr);
    assert!(place.read("c/report.html").contains("Did it change?"));
}

#[test]
fn a_page_that_cannot_be_written_says_where_else() {
    let place = Place::new();
    page(&place, "b", &["bench", "--runs", "3", "true"]);
    let path = place.path().join("b/report.html");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    place.slowpath(["report", "b", "--html"]).complains(2, &["cannot write", "report.html", "-o FILE"]);
    place.slowpath(["report", "b", "--html", "-o", "here.html"]).exits(0);
    assert!(place.read("here.html").contains("</html>"));
}

#[test]
fn many_small_functions_are_said_to_be_that() {
    let place = Place::new();
    let stacks: String = (0..20_000).map(|n| format!("main;f{};leaf{n} 1\n", n % 900)).collect();
    place.file("many.folded", stacks);
    let text = place.slowpath(["report", "many.folded"]).exits(0).text();
    assert!(text.contains("no function stands out"), "{text}");
    place.slowpath(["report", "many.folded", "--html", "-o", "many.html"]).exits(0);
    let page = place.read("many.html");
    assert!(page.contains("<h1>No function stands out</h1>"), "no share of nothing");
    assert!(page.contains("\"left_out\":"), "what is too narrow to draw is counted");
}

#[test]
fn another_tools_recording_has_a_page_where_it_is_told_to_lie() {
    let place = Place::new();
    place.file("a.folded", "main;work;deep 30\nmain;rest 12\n");
    place.slowpath(["report", "a.folded", "--html"]).complains(2, &["no run folder", "-o FILE"]);
    place.slowpath(["report", "a.folded", "--html", "-o", "a.html"]).exits(0);
    assert!(place.read("a.html").contains("\"deep\""));
    place.file("b.folded", "main;work;deep 10\nmain;rest 12\n");
    place.slowpath(["report", "a.folded", "--html", "--against", "b.folded", "-o", "d.html"]).exits(0);
    assert!(place.read("d.html").contains("\"before\":[22,"), "weights of the earlier one");
}
