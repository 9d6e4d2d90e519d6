//! Why is it slow? Real programs with a planted disease: the right place and the right cause stand first.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::answers::is_valid;
use crate::place::{Place, in_some_run};
use crate::recorded::recording;

fn specimen(name: &str) -> PathBuf {
    of_corpus("causes", name)
}

fn of_corpus(corpus: &str, name: &str) -> PathBuf {
    let specimens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specimens");
    specimens.join(corpus).join(name).canonicalize().unwrap()
}

/// Builds the C source of a specimen as people build.
fn built(place: &Place, source: &Path) -> PathBuf {
    let program = place.path().join("program");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-g", "-pthread", "-o"]).arg(&program).arg(source).arg("-lm");
    assert!(gcc.status().unwrap().success());
    program
}

#[track_caller]
fn answer(place: &Place, command: &[&str]) -> Value {
    let options = ["--json", "--runs", "1", "--warmup", "0", "--"];
    let answer = place.slowpath(options.iter().chain(command)).exits(0).json();
    is_valid("answer", &answer);
    is_sound(&place.last_run(), &answer);
    // Judged again from what was stored, byte by byte the same.
    let again = place.slowpath(["report", "--json", "last"]).exits(0);
    assert_eq!(again.json(), answer);
    answer
}

/// Each number was read from a file of the run, each cause that is excluded cites one, and each bound is that of its share.
#[track_caller]
fn is_sound(run: &Path, answer: &Value) {
    let all = |of: &Value, what: &str| of[what].as_array().cloned().unwrap_or_default();
    let mut ids: Vec<Value> = Vec::new();
    for evidence in all(answer, "evidence") {
        assert!(run.join(evidence["artifact"].as_str().unwrap()).is_file(), "{evidence:#}");
        assert!(
            evidence["coverage"].as_f64().is_none_or(|share| (0.0..=1.0).contains(&share)),
            "{evidence:#}"
        );
        assert!(!ids.contains(&evidence["id"]), "twice: {evidence:#}");
        ids.push(evidence["id"].clone());
    }
    let cites = |of: &Value| {
        let cited = all(of, "evidence");
        assert!(cited.iter().all(|id| ids.contains(id)), "{of:#}");
        !cited.is_empty()
    };
    for hypothesis in all(answer, "hypotheses") {
        assert!(cites(&hypothesis) || hypothesis["state"] != "rejected", "{hypothesis:#}");
    }
    for finding in all(answer, "findings") {
        assert!(cites(&finding), "{finding:#}");
        assert!(all(&finding, "because").iter().chain(&all(&finding, "chain")).all(cites), "{finding:#}");
        let share = &finding["share"];
        assert!(share["low"].is_null() || share["low"] != share["high"], "{share:#}");
        let most = share["high"].as_f64().or(share["value"].as_f64()).unwrap();
        let bound = finding["at_most"].as_f64().map(|bound| 1.0 - 1.0 / bound);
        assert!(bound.map_or(most >= 0.99, |bound| (bound - most).abs() < 1e-9), "{finding:#}");
    }
}

/// The first finding about the program itself: how busy the machine is stands apart.
#[track_caller]
fn first(answer: &Value) -> &Value {
    let findings = answer["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["class"] != "External").unwrap_or_else(|| panic!("{answer:#}"))
}

#[test]
fn a_list_searched_for_each_element_is_growth_in_the_function_that_searches() {
    in_some_run(|| {
        let place = Place::new();
        let source = specimen("py-visitor-report").join("sick/main.py");
        let answer = answer(&place, &["/usr/bin/python3", "-B", source.to_str().unwrap(), "7000"]);
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["class"]),
            (&"algorithmic-growth".into(), &"CPU".into()),
            "{answer:#}"
        );
        assert_eq!(first["location"]["function"], "Audience.note", "{first:#}");
        // Each witness cites evidence that is in the answer.
        let ids: Vec<&Value> =
            answer["evidence"].as_array().unwrap().iter().map(|evidence| &evidence["id"]).collect();
        let cited = first["evidence"].as_array().unwrap();
        assert!(!cited.is_empty() && cited.iter().all(|id| ids.contains(&id)), "{first:#}");
    });
}

#[test]
fn a_length_measured_at_every_step_is_growth_at_its_loop() {
    in_some_run(|| {
        let place = Place::new();
        let program = built(&place, &specimen("slugs").join("sick.c"));
        let answer = answer(&place, &[program.to_str().unwrap(), "40000"]);
        let first = first(&answer);
        assert_eq!(first["cause"], "algorithmic-growth", "{answer:#}");
        assert_eq!(first["location"]["function"], "fold", "{first:#}");
    });
}

#[test]
fn sleeping_until_something_has_happened_is_polling() {
    in_some_run(|| {
        let place = Place::new();
        let program = built(&place, &specimen("press").join("sick.c"));
        let answer = answer(&place, &[program.to_str().unwrap(), "40"]);
        let first = first(&answer);
        assert_eq!(first["cause"], "polling-sleep", "{answer:#}");
        assert_eq!(first["location"]["function"], "await_sheet", "{first:#}");
    });
}

#[test]
fn what_was_measured_and_excluded_is_told_with_its_number() {
    let place = Place::new();
    let program = built(&place, &specimen("slugs").join("sick.c"));
    let answer = answer(&place, &[program.to_str().unwrap(), "20000"]);
    let of = |id: &str| {
        let all = answer["hypotheses"].as_array().unwrap();
        all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("no {id}")).clone()
    };
    assert_eq!(of("polling-sleep")["state"], "rejected");
    let collector = of("gc-pressure");
    assert_eq!(collector["state"], "rejected", "{collector:#}");
    assert!(collector["because"].as_str().unwrap().contains('%'), "{collector:#}");
}

#[test]
fn every_cause_has_a_page() {
    let place = Place::new();
    let list = place.slowpath(["explain"]).exits(0).text();
    assert!(list.contains("lock-contention") && list.contains("algorithmic-growth"), "{list}");
    let page = place.slowpath(["explain", "lock-contention"]).exits(0).text();
    for title in ["What it is", "Speaks for it", "Rules it out", "Check it by hand", "Mend it"] {
        assert!(page.contains(title), "no `{title}` in {page}");
    }
    let all = place.slowpath(["explain", "--json"]).exits(0).json();
    assert!(all.as_array().unwrap().len() >= 30);
    place
        .slowpath(["explain", "lock"])
        .complains(2, &["there is no cause `lock`", "slowpath explain lock-contention"]);
}

#[test]
fn what_an_ordinary_user_cannot_see_is_untestable_not_excluded() {
    let place = Place::new();
    let program = built(&place, &specimen("slugs").join("sick.c"));
    let options = ["--json", "--runs", "1", "--warmup", "0", "--level", "A", "--"];
    let answer = place.slowpath(options.iter().chain(&[program.to_str().unwrap(), "40000"])).exits(0).json();
    // On a busy machine the kernel takes so much of the run that its calls are traced: then they are known.
    let traced = place.last_run().join("tier2/calls.json").exists();
    let ids = if traced {
        &["small-io", "syscall-storm"][..]
    } else {
        &["small-io", "syscall-storm", "page-faults"]
    };
    for id in ids {
        let all = answer["hypotheses"].as_array().unwrap();
        let hypothesis = all.iter().find(|one| one["id"] == *id).unwrap();
        let state = if traced { "rejected" } else { "untestable" };
        assert_eq!(hypothesis["state"], state, "{hypothesis:#}");
    }
}

#[test]
fn one_thread_that_does_the_work_of_all_is_told_at_their_common_start() {
    in_some_run(|| {
        // With one CPU there is nothing to share.
        if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
            return;
        }
        let place = Place::new();
        let program = built(&place, &specimen("pairs").join("sick.c"));
        let answer = answer(&place, &[program.to_str().unwrap(), "3000"]);
        let findings = answer["findings"].as_array().unwrap();
        let uneven = findings.iter().find(|finding| finding["cause"] == "poor-parallelism");
        let uneven = uneven.unwrap_or_else(|| panic!("{answer:#}"));
        assert_eq!(uneven["location"]["function"], "compare", "{uneven:#}");
    });
}

#[test]
fn memory_that_is_kept_is_told_from_memory_that_comes_and_goes() {
    in_some_run(|| {
        let place = Place::new();
        let source = specimen("py-quote-desk").join("sick.py");
        let kept = answer(&place, &["/usr/bin/python3", "-B", source.to_str().unwrap(), "12000"]);
        let state = |answer: &Value, cause: &str| {
            let all = answer["hypotheses"].as_array().unwrap();
            all.iter().find(|known| known["id"] == cause).unwrap()["state"].clone()
        };
        // An ordinary user does not see page faults, and cannot tell.
        let told = ["likely", "confirmed", "untestable"].map(Value::from);
        assert!(told.contains(&state(&kept, "memory-growth")), "{kept:#}");
        let never = ["rejected", "untestable"].map(Value::from);
        assert!(never.contains(&state(&kept, "page-faults")), "{kept:#}");
    });
}

#[test]
fn pythons_collector_is_seen_without_symbols() {
    in_some_run(|| {
        let place = Place::new();
        let script = place.path().join("keep.py");
        let text = "import gc\nkept = [[n] for n in range(300000)]\nfor _ in range(40):\n    gc.collect()\n";
        std::fs::write(&script, text).unwrap();
        // On a machine that lets the recorder hardly run, what Python does is read too rarely to be joined to the samples.
        let answer = answer(&place, &["/usr/bin/python3", script.to_str().unwrap()]);
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["class"]),
            (&"gc-pressure".into(), &"Memory".into()),
            "{first:#}"
        );
    });
}

#[test]
fn keys_with_the_same_hash_lead_to_the_function_that_hashes_them() {
    in_some_run(|| {
        let place = Place::new();
        let source = of_corpus("unseen", "py-otter-census").join("sick.py");
        let answer = answer(&place, &["/usr/bin/python3", "-B", source.to_str().unwrap(), "25000"]);
        // Hashing takes a hundredth of the time: on a busy machine nobody may have seen it.
        let recording = recording(&place);
        let frames = recording["frames"].as_array().unwrap();
        if !frames.iter().any(|frame| frame["function"] == "Holt.__hash__") {
            eprintln!("skipped: the function that hashes was not seen");
            return;
        }
        let first = first(&answer);
        assert_eq!(first["cause"], "algorithmic-growth", "{answer:#}");
        assert_eq!(first["location"]["function"], "Holt.__hash__", "{first:#}");
    });
}

#[test]
fn chains_of_keys_with_the_same_hash_are_told_by_their_steps() {
    in_some_run(|| {
        let place = Place::new();
        let answer_of = |twin: &str, side: &str| {
            let source = of_corpus("unseen", "cpp-heron-parcels").join(twin);
            let program = place.path().join(side);
            let mut gcc = Command::new("g++");
            gcc.args(["-O2", "-g", "-std=c++17", "-o"]).arg(&program).arg(source);
            assert!(gcc.status().unwrap().success());
            answer(&place, &[program.to_str().unwrap(), side])
        };
        let sick = answer_of("sick.cpp", "240");
        let found = first(&sick);
        assert_eq!(found["cause"], "algorithmic-growth", "{sick:#}");
        assert!(found["because"][0]["what"].as_str().unwrap().contains("those of `Square`"), "{found:#}");
        // The same with keys well spread: at most a step for each look-up.
        let healthy = answer_of("healthy.cpp", "1200");
        let causes = healthy["findings"].as_array().unwrap().iter().map(|finding| &finding["cause"]);
        assert!(causes.into_iter().all(|cause| cause != "algorithmic-growth"), "{healthy:#}");
    });
}

#[test]
fn what_a_pool_packs_for_each_task_is_told_where_the_tasks_are_made() {
    in_some_run(|| {
        let place = Place::new();
        let source = of_corpus("unseen", "py-lantern-pool").join("sick.py");
        let answer = answer(&place, &["/usr/bin/python3", "-B", source.to_str().unwrap(), "24"]);
        let first = first(&answer);
        assert_eq!(first["cause"], "copy-volume", "{answer:#}");
        assert_eq!(first["location"]["function"], "order_all", "{first:#}");
        let told = first["prescription"].as_str().unwrap();
        assert!(told.contains("initializer="), "{told}");
    });
}

#[test]
fn a_package_is_named_beside_the_call_in_a_project_and_first_where_a_script_only_drives_it() {
    in_some_run(|| {
        let place = Place::new();
        let package = "\
def distance(one, other):
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one):
        last, row[0] = row[0], at + 1
        for to, wanted in enumerate(other):
            last, row[to + 1] = row[to + 1], min(row[to + 1] + 1, row[to] + 1, last + (letter != wanted))
    return row[-1]


def nearest(word, known):
    return min(known, key=lambda other: distance(word, other))
";
        let driver = "\
import sys
sys.path.insert(0, 'site-packages')
import spelling


def corrected(count):
    known = [f'{number * 7919:012b}' * 2 for number in range(40)]
    return [spelling.nearest(f'{number:024b}', known) for number in range(count)]


print(len(corrected(40)))
";
        place.file("site-packages/spelling.py", package);
        place.file("driver.py", driver);
        let command = ["/usr/bin/python3", "-B", "driver.py"];
        let alone = answer(&place, &command);
        let found = &alone["findings"][0];
        assert_eq!(found["location"]["function"], "distance", "{found:#}");
        assert!(found["summary"].as_str().unwrap().contains("called by `corrected`"), "{found:#}");

        place.file(".git/HEAD", "ref: refs/heads/main\n");
        let in_project = answer(&place, &command);
        let found = &in_project["findings"][0];
        assert_eq!(found["location"]["function"], "corrected", "{found:#}");
        assert_eq!(found["inside"]["function"], "distance", "{found:#}");
    });
}

/// Threads that map and unmap memory wait for each other in page faults, and no page of these lies anywhere.
const MAPPING: &str = "
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
static void *fill(void *turns) {
    for (long turn = 0; turn < (long)turns; turn++) {
        char *room = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(room, 1, 16 << 20);
        munmap(room, 16 << 20);
    }
    return 0;
}
int main(void) {
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) pthread_create(&threads[i], 0, fill, (void *)25L);
    for (int i = 0; i < 6; i++) pthread_join(threads[i], 0);
}
";

#[test]
fn who_waits_for_a_change_of_the_same_memory_waits_for_no_swap() {
    in_some_run(|| {
        let place = Place::new();
        place.file("mapping.c", MAPPING);
        let program = built(&place, &place.path().join("mapping.c"));
        let answer = answer(&place, &[program.to_str().unwrap()]);
        for id in ["swap", "random-io", "cold-cache"] {
            let told = answer["hypotheses"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
            assert_eq!(told["state"], "rejected", "{told:#}");
        }
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"page-faults".into(), &"fill".into())
        );
    });
}

/// Every line is taken by a thread of the loop's own, one after the other.
const HANDED: &str = "import asyncio
lines = [f'{n % 17},{n * 7 % 1009}' for n in range(20000)]
at = iter(lines)

def following():
    return next(at, None)

async def tally(loop):
    totals = {}
    while (line := await loop.run_in_executor(None, following)) is not None:
        station, value = line.split(',')
        totals[station] = totals.get(station, 0) + int(value)
    return totals

async def main():
    totals = await tally(asyncio.get_running_loop())
    print(len(totals))

asyncio.run(main())
";

#[test]
fn pieces_that_are_handed_to_a_thread_one_by_one_are_named_where_they_are_awaited() {
    in_some_run(|| {
        let place = Place::new();
        place.file("handed.py", HANDED);
        // Who queues behind others has found its answer when it comes back, and hardly waits.
        let queued = |answer: &Value| {
            let leaves = answer["account"]["leaves"].as_array().unwrap().iter();
            let queued = leaves.filter(|leaf| leaf["leaf"].as_str().unwrap().starts_with("runnable/"));
            queued.map(|leaf| leaf["share"].as_f64().unwrap()).sum::<f64>()
        };
        let mut answers = (0..2).map(|_| answer(&place, &["/usr/bin/python3", "-B", "handed.py"]));
        let Some(answer) = answers.find(|answer| queued(answer) < 0.2) else {
            println!("skipped: others hold the CPUs");
            return;
        };
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"syscall-storm".into(), &"tally".into()),
            "{answer:#}"
        );
        assert!(first["prescription"].as_str().unwrap().contains("hand over larger ones"), "{first:#}");
    });
}

#[test]
fn a_program_without_symbols_that_sorts_is_not_told_to_search() {
    in_some_run(|| {
        let place = Place::new();
        let lines: String =
            (0..300_000_u32).map(|at| format!("{:08}\n", at.wrapping_mul(2_654_435_761))).collect();
        std::fs::write(place.path().join("lines"), lines).unwrap();
        let answer = answer(&place, &["/usr/bin/sort", "--parallel=1", "-o", "/dev/null", "lines"]);
        let findings = answer["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["cause"] != "algorithmic-growth"), "{answer:#}");
        let first = first(&answer);
        assert_eq!(first["cause"], "hot-compute", "{first:#}");
        assert!(first["prescription"].as_str().unwrap().contains("debug symbols"), "{first:#}");
    });
}

#[test]
fn a_script_that_starts_others_on_the_way_to_its_program_is_no_storm() {
    in_some_run(|| {
        let place = Place::new();
        let compute = "/usr/bin/python3 -c 'n = 0\nfor i in range(6_000_000): n += i % 7\nprint(n)'";
        let script = format!("for i in $(seq 20); do /bin/true; done\n{compute}\nexit 0\n");
        std::fs::write(place.path().join("report.sh"), script).unwrap();
        let answer = answer(&place, &["/bin/bash", "report.sh"]);
        let findings = answer["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["cause"] != "spawn-storm"), "{answer:#}");
        let storm = answer["hypotheses"].as_array().unwrap().iter().find(|one| one["id"] == "spawn-storm");
        let because = storm.unwrap()["because"].as_str().unwrap();
        assert!(because.contains("computes most"), "{because}");
    });
}

#[test]
fn processes_of_python_do_not_wait_for_each_others_interpreter() {
    in_some_run(|| {
        let place = Place::new();
        let script = "from multiprocessing import Pool\n\ndef count(n):\n    total = 0\n    for at in range(n):\n        total += at * at % 7\n    return total\n\nif __name__ == '__main__':\n    with Pool(2) as pool:\n        print(sum(pool.map(count, [400_000] * 12)))\n";
        std::fs::write(place.path().join("pool.py"), script).unwrap();
        let answer = answer(&place, &["/usr/bin/python3", "pool.py"]);
        let findings = answer["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["cause"] != "single-thread-bound"), "{answer:#}");
    });
}

#[test]
fn who_looks_at_each_of_many_files_once_asks_for_nothing_again() {
    in_some_run(|| {
        let place = Place::new();
        for folder in 0..300 {
            let folder = place.path().join(format!("tree/{folder}"));
            std::fs::create_dir_all(&folder).unwrap();
            (0..20).for_each(|file| std::fs::write(folder.join(file.to_string()), "x").unwrap());
        }
        let answer = answer(&place, &["/usr/bin/du", "-s", "tree"]);
        let findings = answer["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["cause"] != "syscall-storm"), "{answer:#}");
    });
}

#[test]
fn a_program_of_small_library_functions_shows_that_it_was_built_without_optimisation() {
    in_some_run(|| {
        let place = Place::new();
        let source = "use std::collections::HashMap;\n\nfn tally(to: u64) -> HashMap<u64, u64> {\n    let mut sums = HashMap::new();\n    for at in 0..to {\n        *sums.entry(at * 2_654_435_761 % 10_007).or_insert(0) += at;\n    }\n    sums\n}\n\nfn main() {\n    println!(\"{}\", tally(1_500_000).len());\n}\n";
        std::fs::write(place.path().join("tally.rs"), source).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.args(["-g", "--edition", "2021", "-o", "tally", "tally.rs"]).current_dir(place.path());
        assert!(rustc.status().unwrap().success());
        let answer = answer(&place, &["./tally"]);
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"debug-build".into(), &"tally::tally".into()),
            "{first:#}"
        );
        assert!(first["prescription"].as_str().unwrap().contains("--release"), "{first:#}");
    });
}

#[test]
fn a_buffer_that_is_thrown_away_at_each_seek_is_told_where_that_is_done() {
    let place = Place::new();
    let text = r#"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char buffer[8192];
__attribute__((noinline)) static long row(int file, long at)
{
    lseek(file, at, SEEK_SET);
    long sum = 0;
    for (ssize_t byte = read(file, buffer, sizeof buffer) > 30 ? 30 : 0; byte > 0; byte--) sum += buffer[byte];
    return sum;
}
int main(void)
{
    int file = open("rows", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int block = 0; block < 4000; block++) write(file, buffer, sizeof buffer);
    long sum = 0;
    for (long at = 0; at < 700000; at++) sum += row(file, at * 41);
    printf("%ld\n", sum);
    return 0;
}
"#;
    let program = built(&place, &place.file("rows.c", text));
    in_some_run(|| {
        let answer = answer(&place, &[program.to_str().unwrap()]);
        let first = first(&answer);
        assert_eq!(
            (&first["cause"], &first["location"]["function"]),
            (&"small-io".into(), &"row".into()),
            "{first:#}"
        );
        assert!(first["prescription"].as_str().unwrap().contains("throws that away"), "{first:#}");
    });
}

#[test]
fn what_is_over_at_once_has_no_place_to_change() {
    let place = Place::new();
    let answer = answer(&place, &["/bin/true"]);
    let found = answer["findings"].as_array().unwrap();
    assert!(found.iter().all(|finding| finding["class"] == "External"), "{answer:#}");
    let summary = answer["verdict"]["summary"].as_str().unwrap();
    assert!(!summary.contains('`'), "no place is named: {summary}");
    // On a machine with others at work it mostly waits for a CPU, and computes for too little to say anything of.
    let short = answer["gaps"].as_array().unwrap().iter().find(|gap| gap["what"] == "where it computes");
    let text = answer["gaps"].to_string();
    assert!(short.is_some() || summary.contains("waits") || summary.contains("mixed"), "{summary} {text}");
}
