//! The heap pass against programs whose allocations are known.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};

use model::heap::{Heap, Site};
use model::{Bytes, Ended, Stage};
use run::alloc::{Options, Watched, watch};
use run::launch::{Layout, environment};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn compiled(folder: &Path, name: &str, compiler: &str, flags: &[&str], source: &str) -> PathBuf {
    let file = folder.join(format!("{name}.{}", if compiler == "g++" { "cc" } else { "c" }));
    fs::write(&file, source).unwrap();
    let program = folder.join(name);
    let made =
        Command::new(compiler).args(["-O1", "-g"]).args(flags).arg("-o").arg(&program).arg(&file).status();
    assert!(made.unwrap().success());
    program
}

fn recipe(program: &Path, arguments: &[&str]) -> Recipe {
    let argv = std::iter::once(program.as_os_str().to_owned()).chain(arguments.iter().map(Into::into));
    Recipe {
        path: program.to_owned(),
        argv: argv.collect(),
        env: environment([]),
        cwd: None,
        stdin: Input::Null,
        stdout: Output::Capture,
        stderr: Output::Capture,
        timeout: None,
        layout: Layout::Random,
    }
}

fn watched(recipe: &Recipe, interval: u64) -> Watched {
    let _alone = alone();
    let options = Options { interval: Bytes::from_bytes(interval), project: std::env::temp_dir() };
    watch(&Rig::open().unwrap(), recipe, SLOT, &options).unwrap()
}

/// A C program of these functions, linked against the C library.
fn watched_c(name: &str, source: &str, flags: &[&str], interval: u64) -> Watched {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#define N __attribute__((noinline))\nvoid *volatile p;\n{source}"
    );
    let program = compiled(folder.path(), name, "gcc", flags, &source);
    watched(&recipe(&program, &[]), interval)
}

/// All sites in whose stacks a function stands.
fn through<'a>(heap: &'a Heap, function: &str) -> Vec<&'a Site> {
    let stands = |site: &&Site| {
        let mut frames = site.stack.into_iter().flat_map(|stack| heap.frames_of(stack));
        frames.any(|frame| frame.function.as_deref() == Some(function))
    };
    heap.sites.iter().filter(stands).collect()
}

fn sum(sites: &[&Site], of: impl Fn(&Site) -> u64) -> u64 {
    sites.iter().map(|site| of(site)).sum()
}

/// The figure is within a twentieth of the truth, and its bounds hold it.
fn check(heap: &Heap, function: &str, allocations: u64, bytes: u64) {
    let sites = through(heap, function);
    let near = |value: u64, truth: u64| value.abs_diff(truth) * 20 <= truth;
    assert!(near(sum(&sites, |site| site.bytes.value), bytes), "{function} {bytes}: {sites:?}");
    assert!(
        near(sum(&sites, |site| site.allocations.value), allocations),
        "{function} {allocations}: {sites:?}"
    );
    let (low, high) = (sum(&sites, |site| site.bytes.low), sum(&sites, |site| site.bytes.high));
    assert!(low <= bytes && bytes <= high + bytes / 1000, "{function} {bytes}: {sites:?}");
}

#[test]
fn known_numbers_of_mallocs_are_told_by_function_and_totals_are_exact() {
    let source = "
        N void small(void) { for (int i = 0; i < 40000; i++) { p = malloc(32); free(p); } }
        N void middle(void) { for (int i = 0; i < 4000; i++) { p = calloc(10, 100); free(p); } }
        N void large(void) { for (int i = 0; i < 40; i++) { p = malloc(1000000); memset(p, 1, 1000000); free(p); } }
        N void growing(void) { void *q = 0; for (int i = 1; i <= 2000; i++) q = realloc(q, i * 10); free(q); }
        N void aligned(void) { for (int i = 0; i < 2000; i++) { void *q; if (!posix_memalign(&q, 64, 640)) free(q); p = aligned_alloc(64, 640); free(p); } }
        int main(void) { small(); middle(); large(); growing(); aligned(); return 7; }";
    let Watched { measured, heap } = watched_c("known", source, &[], 512 * 1024);
    assert_eq!(measured.sample.ended, Ended::Code(7));
    check(&heap, "small", 40_000, 1_280_000);
    check(&heap, "middle", 4_000, 4_000_000);
    check(&heap, "large", 40, 40_000_000);
    check(&heap, "growing", 2_000, 20_010_000);
    check(&heap, "aligned", 4_000, 2_560_000);
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!((totals.allocations.0, totals.frees.0, totals.reallocations.0), (50_040, 50_040, 1_999));
    assert_eq!(totals.bytes.as_bytes(), 67_850_000);
    assert_eq!(totals.live_at_end.as_bytes(), 0);
    assert!((1_000_000..1_200_000).contains(&totals.peak_live.as_bytes()), "{totals:?}");
    assert_eq!(totals.classes.iter().map(|class| class.allocations.0).sum::<u64>(), 50_040);
    let of_32 = totals.classes.iter().find(|class| class.from.as_bytes() == 32).unwrap();
    assert!((40_000..40_010).contains(&of_32.allocations.0), "{totals:?}");
    assert_eq!(heap.losses.samples + heap.losses.frees, 0);
    assert!(heap.losses.cut_stacks * 20 <= heap.losses.stacks, "{:?}", heap.losses);
}

#[test]
fn what_is_never_freed_is_live_at_the_end_and_what_is_freed_soon_lives_shortly() {
    let source = "
        void *kept[5000];
        N void leak(void) { for (int i = 0; i < 5000; i++) kept[i] = malloc(1000); }
        N void churn(void) { for (int i = 0; i < 50000; i++) { p = malloc(200); free(p); } }
        int main(void) { leak(); churn(); _exit(0); }";
    let Watched { heap, .. } = watched_c("leak", source, &[], 64 * 1024);
    let (leak, churn) = (through(&heap, "leak"), through(&heap, "churn"));
    let live = sum(&leak, |site| site.live_at_end.value);
    assert!(live.abs_diff(5_000_000) < 250_000, "{leak:?}");
    assert!(sum(&leak, |site| site.at_peak.value).abs_diff(5_000_000) < 250_000, "{leak:?}");
    assert_eq!(sum(&churn, |site| site.live_at_end.value), 0);
    assert!(churn.iter().all(|site| site.live_at_end.high > 0), "{churn:?}");
    assert!(leak.iter().all(|site| site.lifetimes.is_none()));
    let lifetimes =
        churn.iter().filter_map(|site| site.lifetimes).max_by_key(|lifetimes| lifetimes.n.0).unwrap();
    // One or two of a few may have been kept from the CPU meanwhile.
    assert!(lifetimes.within_1_milli.0 > 0.6 && lifetimes.by_same_thread.0 > 0.99, "{lifetimes:?}");
    let totals = heap.totals.unwrap();
    assert!((5_000_000..5_200_000).contains(&totals.live_at_end.as_bytes()), "{totals:?}");
}

#[test]
fn growth_and_churn_of_cpp_go_to_their_functions() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <string>\n#include <vector>\n#define N __attribute__((noinline))\nvolatile size_t s;
        N void grow() { for (int r = 0; r < 20; r++) { std::vector<long> v; for (long i = 0; i < 100000; i++) v.push_back(i); s += v.size(); } }
        N void texts() { for (int i = 0; i < 100000; i++) { std::string t(100, 'x'); s += t.size(); } }
        int main() { grow(); texts(); }";
    let program = compiled(folder.path(), "cpp", "g++", &[], source);
    let Watched { heap, .. } = watched(&recipe(&program, &[]), 64 * 1024);
    let bytes = |name: &str| sum(&through(&heap, name), |site| site.bytes.value);
    // Doubling from 1 to 131072 longs, twenty times.
    let (grow, texts) = (20 * (2 * 131_072 - 1) * 8, 100_000 * 101);
    assert!(bytes("grow()").abs_diff(grow) * 20 <= grow, "{} {:?}", grow, through(&heap, "grow()"));
    assert!(bytes("texts()").abs_diff(texts) * 20 <= texts, "{} {:?}", texts, through(&heap, "texts()"));
}

#[test]
fn threads_are_counted_together_and_a_free_by_another_is_told() {
    let source = "#include <pthread.h>
        N void *give(void) { void *b = malloc(500000); memset(b, 1, 10); return b; }
        N void *work(void *x) { for (int i = 0; i < 20000; i++) { void *b = malloc(100); memset(b, 1, 10); free(b); } return give(); }
        int main(void) { pthread_t t[8]; void *b; for (int r = 0; r < 5; r++) {
            for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, 0);
            for (int i = 0; i < 8; i++) { pthread_join(t[i], &b); free(b); } } return 0; }";
    let Watched { heap, .. } = watched_c("threads", source, &["-pthread", "-fno-builtin"], 64 * 1024);
    // On a busy machine the places of a thread that ends before slowpath has read them are lost; totals are not.
    let (sites, truth) = (through(&heap, "work"), 40 * 2_500_000);
    let bytes = sum(&sites, |site| site.bytes.value);
    assert!(truth / 2 <= bytes && bytes <= truth + truth / 20, "{bytes} of {truth}: {sites:?}");
    let totals = heap.totals.as_ref().unwrap();
    assert!(totals.allocations.0 >= 40 * 20_001, "{totals:?}");
    assert_eq!(heap.processes[0].threads.0, 41);
    let given = through(&heap, "give");
    assert!(
        given.iter().filter_map(|site| site.lifetimes).all(|life| life.by_same_thread.0 < 0.1),
        "{given:?}"
    );
}

/// Functions `f0` to `f31`, each of which allocates and frees `64 + 40 * number` bytes; and threads that call all of them.
fn many_sites() -> String {
    let functions: String = (0..32)
        .map(|at| {
            format!(
                "N void f{at}(int n) {{ for (int i = 0; i < n; i++) {{ void *volatile b = malloc({}); free(b); }} }}\n",
                64 + 40 * at
            )
        })
        .collect();
    let calls: String = (0..32).map(|at| format!("f{at}(400); ")).collect();
    format!(
        "#include <pthread.h>
        {functions}
        void *kept[20000];
        N void leak(int n) {{ for (int i = 0; i < n; i++) kept[i] = malloc(200); }}
        N void peak(void) {{ void *volatile b = malloc(30000000); free(b); }}
        N void *work(void *x) {{ for (int r = 0; r < 200; r++) {{ {calls} }} return 0; }}
        int main(void) {{ pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
            work(0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
            peak(); leak(20000); work(0); _exit(0); }}"
    )
}

#[test]
fn threads_that_allocate_all_the_time_are_sampled_less_and_their_sites_stay_right() {
    let interval = 16 * 1024;
    let Watched { measured, heap } =
        watched_c("many", &many_sites(), &["-pthread", "-fno-builtin"], interval);
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!(measured.sample.ended, Ended::Code(0));
    // Without a pace there would be one for each 16 KiB; with it about a thousand a second and thread, and the looks.
    let (samples, due) = (heap.losses.stacks, totals.bytes.as_bytes() / interval);
    let seconds = heap.wall.unwrap().as_secs_f64();
    assert!(
        due > 50_000 && samples < due / 4 + 8_000 * (1.0 + seconds) as u64,
        "{samples} of {due} in {seconds} s"
    );
    for at in 0..32 {
        let calls = 5 * 200 * 400;
        check(&heap, &format!("f{at}"), calls, calls * (64 + 40 * at));
    }
    let leak = through(&heap, "leak");
    let live = sum(&leak, |site| site.live_at_end.value);
    assert!(live.abs_diff(4_000_000) < 200_000, "{leak:?}");
    let churned = heap.sites.iter().map(|site| site.live_at_end.value).sum::<u64>() - live;
    let kept: Vec<_> = heap.sites.iter().filter(|site| site.live_at_end.value > 0).collect();
    assert!(churned < 100_000, "{churned}: {kept:#?} {:?}", heap.losses);
    assert!(totals.allocations.0.abs_diff(32 * 5 * 200 * 400 + 20_001) < 20, "{totals:?}");
    assert!((30_000_000..30_600_000).contains(&totals.peak_live.as_bytes()), "{totals:?}");
    assert!((4_000_000..4_800_000).contains(&totals.live_at_end.as_bytes()), "{totals:?}");
}

#[test]
fn more_places_than_there_is_room_for_are_still_counted() {
    let source = "
        N void deep(int n) { volatile char room[32]; room[0] = 1; p = malloc(100); free(p); if (n > 1) deep(n - 1); room[1] = room[0]; }
        int main(void) { for (int r = 0; r < 3; r++) deep(6000); return 0; }";
    let Watched { heap, .. } = watched_c("deep", source, &["-fno-builtin"], 64 * 1024);
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!((totals.allocations.0, totals.frees.0, totals.bytes.as_bytes()), (18_000, 18_000, 1_800_000));
    assert_eq!(totals.classes.iter().map(|class| class.allocations.0).sum::<u64>(), 18_000);
    assert_eq!(totals.live_at_end.as_bytes(), 0);
}

#[test]
fn what_fails_is_not_counted_and_nothing_may_be_freed() {
    let source = "
        int main(void) { volatile size_t most = -16, half = (size_t)1 << 63; void *q = malloc(100);
            for (int i = 0; i < 1000; i++) { p = malloc(most); if (p) return 1; p = malloc(half + 100); if (p) return 2;
                p = calloc(half, 2); if (p) return 3; p = calloc(1 << 20, half >> 20); if (p) return 4;
                p = realloc(q, most); if (p) return 5; free(0); p = malloc(0); free(p); p = realloc(0, 10); free(p); }
            p = realloc(q, 0); return 0; }";
    let Watched { measured, heap } = watched_c("fails", source, &["-fno-builtin"], 64 * 1024);
    assert_eq!(measured.sample.ended, Ended::Code(0));
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!((totals.allocations.0, totals.frees.0, totals.bytes.as_bytes()), (2001, 2001, 10_100));
    assert_eq!(totals.live_at_end.as_bytes(), 0);
}

#[test]
fn an_allocator_without_headers_is_asked_for_its_sizes() {
    let folder = tempfile::tempdir().unwrap();
    // Before each block lies what would be a wrong size.
    let theirs = "#include <stddef.h>\n#include <string.h>\n#include <errno.h>
        static char memory[64 << 20], *at = memory; static size_t sizes[1 << 20];
        static size_t *size(void *b) { return &sizes[((char *)b - memory) / 64]; }
        static void *take(size_t n) { char *b = at + 64; at = b + (n + 63) / 64 * 64; if (at > memory + sizeof memory) return 0; *size(b) = n; memset(b - 8, 0x7e, 8); return b; }
        void *malloc(size_t n) { return take(n); }
        void free(void *b) {}
        void *calloc(size_t n, size_t m) { return take(n * m); }
        void *realloc(void *b, size_t n) { void *a = take(n); if (a && b) memcpy(a, b, *size(b) < n ? *size(b) : n); return a; }
        void *memalign(size_t a, size_t n) { return take(n); }
        void *aligned_alloc(size_t a, size_t n) { return take(n); }
        int posix_memalign(void **b, size_t a, size_t n) { *b = take(n); return *b ? 0 : ENOMEM; }
        size_t malloc_usable_size(void *b) { return b ? *size(b) : 0; }";
    let library =
        compiled(folder.path(), "libtheirs.so", "gcc", &["-shared", "-fPIC", "-fno-builtin"], theirs);
    let source = "#include <stdlib.h>\n#define N __attribute__((noinline))\nvoid *volatile p;
        N void kept(void) { for (int i = 0; i < 5000; i++) p = malloc(1000); }
        N void gone(void) { for (int i = 0; i < 20000; i++) { p = malloc(500); free(p); p = calloc(5, 100); p = realloc(p, 600); free(p); } }
        int main(void) { kept(); gone(); return 0; }";
    let program = compiled(
        folder.path(),
        "linked",
        "gcc",
        &["-fno-builtin", "-Wl,--no-as-needed", library.to_str().unwrap()],
        source,
    );
    let Watched { measured, heap } = watched(&recipe(&program, &[]), 64 * 1024);
    assert_eq!(measured.sample.ended, Ended::Code(0));
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!((totals.allocations.0, totals.frees.0), (65_000, 60_000));
    assert_eq!((totals.bytes.as_bytes(), totals.live_at_end.as_bytes()), (37_000_000, 5_000_000));
    check(&heap, "kept", 5000, 5_000_000);
    check(&heap, "gone", 60_000, 32_000_000);
}

#[test]
fn every_process_of_a_tree_has_its_own_account() {
    let source = "#include <sys/wait.h>
        N void before(void) { p = malloc(100000); }
        N void in_child(void) { for (int i = 0; i < 1000; i++) { p = malloc(2000); } }
        int main(int c, char **v) { if (c > 1) { for (int i = 0; i < 500; i++) p = malloc(3000); return 0; }
            before(); if (!fork()) { in_child(); execl(v[0], v[0], \"again\", NULL); } wait(0); return 0; }";
    let Watched { heap, .. } = watched_c("tree", source, &[], 64 * 1024);
    let allocations: Vec<u64> = heap.processes.iter().map(|process| process.totals.allocations.0).collect();
    assert_eq!(allocations, [1, 1000, 500]);
    assert_eq!(heap.processes[1].forked_from, Some(heap.processes[0].pid));
    assert_eq!(heap.processes[1].pid, heap.processes[2].pid);
    assert_eq!(heap.processes[2].argv.len(), 2);
    // What it had from its parent is still there.
    assert!(heap.processes[1].totals.live_at_end.as_bytes() >= 2_100_000);
    check(&heap, "in_child", 1000, 2_000_000);
    assert!(through(&heap, "in_child").iter().all(|site| site.live_at_end.value > 0));
}

#[test]
fn counters_survive_a_kill() {
    let source = "#include <signal.h>
        N void work(void) { for (int i = 0; i < 1234; i++) p = malloc(1000); }
        int main(void) { work(); raise(SIGKILL); }";
    let Watched { measured, heap } = watched_c("killed", source, &[], 64 * 1024);
    assert_eq!(measured.sample.ended, Ended::Signal(9));
    let totals = heap.totals.as_ref().unwrap();
    assert_eq!((totals.allocations.0, totals.bytes.as_bytes(), totals.frees.0), (1234, 1_234_000, 0));
    check(&heap, "work", 1234, 1_234_000);
}

#[test]
fn a_program_that_the_library_cannot_reach_is_a_gap_and_not_zero() {
    let source = "int main(void) { for (int i = 0; i < 100; i++) p = malloc(10000); return 0; }";
    let Watched { heap, .. } = watched_c("static", source, &["-static"], 64 * 1024);
    assert_eq!(heap.totals, None);
    assert!(heap.gaps[0].why.contains("static"), "{:?}", heap.gaps);
    let source = "static char m[1 << 20], *at = m; void *malloc(size_t n) { void *b = at; at += (n + 15) / 16 * 16; return b; }
        void free(void *b) {} int main(void) { for (int i = 0; i < 100; i++) p = malloc(1000); return 0; }";
    let Watched { heap, .. } = watched_c("own", source, &["-rdynamic", "-fno-builtin"], 64 * 1024);
    assert_eq!(heap.totals, None);
    assert!(heap.gaps[0].why.contains("of its own"), "{:?}", heap.gaps);
}

#[test]
fn a_library_of_the_users_stays_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = "#include <stdlib.h>\n#include <unistd.h>\nint getppid(void) { return 4242; }";
    let library = compiled(folder.path(), "theirs.so", "gcc", &["-shared", "-fPIC"], theirs);
    let source = "#include <stdlib.h>\n#include <unistd.h>\nint main(void) { free(malloc(10)); return getppid() == 4242 ? 0 : 1; }";
    let program = compiled(folder.path(), "asks", "gcc", &["-fno-builtin"], source);
    let mut recipe = recipe(&program, &[]);
    recipe.env.retain(|(name, _)| name != "LD_PRELOAD");
    recipe.env.push(("LD_PRELOAD".into(), library.into()));
    let Watched { measured, heap } = watched(&recipe, 64 * 1024);
    assert_eq!(measured.sample.ended, Ended::Code(0));
    assert_eq!(heap.totals.unwrap().allocations.0, 1);
}

#[test]
fn small_objects_of_python_go_to_their_lines() {
    let python = Path::new("/usr/bin/python3");
    if !python.exists() {
        println!("skipped: no /usr/bin/python3");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.py");
    let source = "
def keeps():
    return [str(number) * 10 for number in range(100000)]
def churns():
    for _ in range(300):
        b'x' * 100000
kept = keeps()
churns()
";
    fs::write(&script, source).unwrap();
    let Watched { measured, heap } = watched(&recipe(python, &[script.to_str().unwrap()]), 256 * 1024);
    assert_eq!(measured.sample.ended, Ended::Code(0));
    assert!(heap.processes[0].runtime.as_deref().unwrap().starts_with("python 3."));
    let churns = through(&heap, "churns");
    let bytes = sum(&churns, |site| site.bytes.value);
    assert!(bytes.abs_diff(300 * 100_033) * 10 <= 300 * 100_033, "{bytes} {churns:?}");
    // Strings of 50 letters with their headers, at least; some 24 MB with the numbers and the list that grows, by a hundred
    // samples.
    let bytes = sum(&through(&heap, "keeps"), |site| site.bytes.value);
    assert!((7_000_000..40_000_000).contains(&bytes), "{bytes}");
    assert_eq!(heap.losses.samples, 0);
}

/// A Python program under the pass, where there is Python.
fn watched_python(source: &str, interval: u64, env: &[(&str, &str)]) -> Option<Watched> {
    let python = Path::new("/usr/bin/python3");
    if !python.exists() {
        println!("skipped: no /usr/bin/python3");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.py");
    fs::write(&script, source).unwrap();
    let mut recipe = recipe(python, &[script.to_str().unwrap()]);
    recipe.env.extend(env.iter().map(|(name, value)| (name.into(), value.into())));
    Some(watched(&recipe, interval))
}

#[test]
fn objects_of_python_that_are_sampled_are_as_good_as_others() {
    // Nearly every object is sampled, so comes from elsewhere; grown, shrunk, collected, in threads and after a fork.
    let source = "
import gc, os, threading
def grown(number):
    whole = []
    for at in range(number):
        whole.append((at, str(at) * 3))
    del whole[number // 2:]
    words = {word: [at] for at, word in whole}
    for held in words.values():
        held.extend(range(20))
        held[:] = held[:2]
    return sum(len(word) + sum(held) for word, held in words.items())
expected = sum(len(str(at)) * 3 + at for at in range(400))
def check():
    assert grown(800) == expected
threads = [threading.Thread(target=check) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
child = os.fork()
if child == 0:
    check()
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
gc.collect()
print('right')
";
    let Some(Watched { measured, heap }) = watched_python(source, 256, &[]) else { return };
    assert_eq!(measured.sample.ended, Ended::Code(0));
    assert_eq!(measured.stdout.unwrap().whole().unwrap(), b"right\n");
    let sites = through(&heap, "grown");
    assert!(sum(&sites, |site| site.samples.0) > 200, "{sites:?}");
    assert!(heap.gaps.iter().all(|gap| gap.what != "small objects of Python"), "{:?}", heap.gaps);
}

#[test]
fn small_objects_of_python_are_counted_exactly_and_their_ends_are_told() {
    let source =
        |number: u32| format!("held = []\nfor at in range({number}):\n    held = [held and 1.5 * at]\n");
    let totals = |number: u32| {
        let Watched { heap, .. } = watched_python(&source(number), 64 * 1024, &[])?;
        let sites =
            heap.sites.iter().filter(|site| site.lifetimes.is_some()).map(|site| site.samples.0).sum::<u64>();
        Some((heap.totals.unwrap(), sites))
    };
    let (Some((few, _)), Some((many, ended))) = (totals(1_000), totals(201_000)) else { return };
    // A list's array of one; lists and numbers come from those that Python keeps, and numbers above 256 are made anew.
    let more = many.allocations.0 - few.allocations.0;
    assert!((200_000..700_000).contains(&more), "{few:?} {many:?}");
    assert!(ended > 10, "{ended}");
    // Nothing is kept.
    assert!(many.peak_live.as_bytes() < few.peak_live.as_bytes() + 2_200_000, "{few:?} {many:?}");
}

#[test]
fn objects_of_a_python_with_another_allocator_are_seen_there_or_are_a_gap() {
    let source = "whole = [str(at) for at in range(100000)]\n";
    let unseen = |heap: &Heap| heap.gaps.iter().any(|gap| gap.what == "small objects of Python");
    let Some(by_malloc) = watched_python(source, 64 * 1024, &[("PYTHONMALLOC", "malloc")]) else { return };
    assert!(by_malloc.heap.totals.as_ref().unwrap().allocations.0 > 100_000);
    assert!(!unseen(&by_malloc.heap));
    let checked = watched_python(source, 64 * 1024, &[("PYTHONMALLOC", "debug")]).unwrap();
    assert_eq!(checked.measured.sample.ended, Ended::Code(0));
    assert!(unseen(&checked.heap), "{:?}", checked.heap.gaps);
}
