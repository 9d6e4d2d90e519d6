//! Stacks of Java programs: names, lines, callers, waits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::calls::{Calls, On, Row};
use model::doctor::Level;
use model::recording::{Frame, Language, Owner, Recording, StackIndex};
use model::{Ended, Stage};
use run::launch::{Layout, environment};
use run::record::{Options, record};
use run::stdio::{Input, Output};
use run::{Recipe, Rig, Slot};

const SLOT: Slot = Slot { arm: 0, order: 0, block: None, stage: Stage::Measure };

/// One target at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder of a compiled program. `None` where there is no JDK, which is said.
fn compiled(source: &str) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Main.java");
    fs::write(&file, source).unwrap();
    let Ok(made) = Command::new("javac").arg("-g").arg("-d").arg(folder.path()).arg(&file).status() else {
        eprintln!("skipped: no javac here");
        return None;
    };
    assert!(made.success());
    Some(folder)
}

fn recorded(folder: &Path, words: &[&str]) -> Recording {
    recorded_by(folder, words, |_, _| {})
}

fn recorded_by(folder: &Path, words: &[&str], change: impl FnOnce(&mut Recipe, &mut Options)) -> Recording {
    let _alone = alone();
    let mut recipe = Recipe {
        path: PathBuf::from("/usr/bin/java"),
        argv: std::iter::once("java").chain(words.iter().copied()).map(Into::into).collect(),
        env: environment([]),
        cwd: Some(folder.to_owned()),
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    };
    let mut options = Options {
        rate: 999,
        stack: None,
        level: None,
        project: folder.to_owned(),
        cache: None,
        runtimes: true,
        generated: false,
        seed: 1,
    };
    change(&mut recipe, &mut options);
    let recorded = record(&Rig::open().unwrap(), &recipe, SLOT, &options).unwrap();
    assert_eq!(recorded.run.unwrap().sample.ended, Ended::Code(0));
    recorded.recording
}

/// Innermost first.
fn stack(recording: &Recording, stack: StackIndex) -> Vec<&Frame> {
    recording.frames_of(stack).collect()
}

fn hits(recording: &Recording) -> Vec<Vec<&Frame>> {
    recording.hits.iter().filter_map(|hit| Some(stack(recording, hit.stack?))).collect()
}

fn is(frame: &Frame, function: &str) -> bool {
    frame.function.as_deref() == Some(function)
}

/// Whether the functions stand in this order, from the inside, with others between them.
fn in_order(frames: &[&Frame], functions: &[&str]) -> bool {
    let mut rest = frames.iter();
    functions.iter().all(|function| rest.any(|frame| is(frame, function)))
}

fn names(stacks: &[Vec<&Frame>]) -> Vec<Vec<String>> {
    let names = |frames: &Vec<&Frame>| frames.iter().filter_map(|frame| frame.function.clone()).collect();
    stacks.iter().map(names).collect()
}

/// The lines a function was seen at.
fn lines(stacks: &[Vec<&Frame>], function: &str) -> Vec<u32> {
    let frames = stacks.iter().flatten().filter(|frame| is(frame, function));
    let mut lines: Vec<u32> = frames.filter_map(|frame| frame.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

const COMPUTING: &str = "\
public class Main {
    static int mix(int value) {
        return value * 31 + (value >>> 7);
    }

    static int chew(int rounds) {
        int value = 1;
        for (int at = 0; at < rounds; at++) {
            value = mix(value);
        }
        return value;
    }

    static int all(int rounds) {
        int sum = 0;
        for (int at = 0; at < rounds; at++) {
            sum += chew(20000);
        }
        return sum;
    }

    public static void main(String[] words) {
        System.out.println(all(Integer.parseInt(words[0])));
    }
}
";

#[test]
fn a_hot_compiled_method_has_its_line_and_its_callers_up_to_main() {
    let Some(folder) = compiled(COMPUTING) else { return };
    let recording = recorded(folder.path(), &["-cp", ".", "Main", "40000"]);
    let stacks = hits(&recording);
    let hot: Vec<_> =
        stacks.iter().filter(|frames| frames.iter().any(|frame| is(frame, "Main.chew"))).collect();
    assert!(hot.len() > 100, "{} of {}", hot.len(), stacks.len());
    let whole = hot.iter().filter(|frames| in_order(frames, &["Main.chew", "Main.all", "Main.main"])).count();
    assert!(whole * 20 > hot.len() * 19, "{whole} of {}", hot.len());
    let lines = lines(&stacks, "Main.chew");
    assert!(lines.iter().all(|line| (6..=11).contains(line)) && lines.contains(&9), "{lines:?}");
    let chew = stacks.iter().flatten().find(|frame| is(frame, "Main.chew")).unwrap();
    assert_eq!((chew.language, chew.owner), (Language::Java, Owner::Project));
    // Where the working directory leads through a link, the file is named as the kernel does.
    let file = folder.path().canonicalize().unwrap().join("Main.java");
    assert_eq!(chew.file.as_deref(), file.to_str());
    assert!(recording.processes[0].runtime.as_deref().is_some_and(|runtime| runtime.starts_with("java ")));
    assert!(!Path::new(&format!("/tmp/perf-{}.map", recording.processes[0].pid)).exists());
}

#[test]
fn methods_expanded_into_others_are_frames() {
    let Some(folder) = compiled(COMPUTING) else { return };
    let recording = recorded(folder.path(), &["-cp", ".", "Main", "40000"]);
    let stacks = hits(&recording);
    let mixes: Vec<_> = stacks.iter().filter(|frames| in_order(frames, &["Main.mix", "Main.chew"])).collect();
    assert!(!mixes.is_empty());
    let expanded =
        mixes.iter().any(|frames| frames.iter().any(|frame| is(frame, "Main.mix") && frame.inlined));
    assert!(expanded);
    assert_eq!(lines(&stacks, "Main.mix"), [3]);
}

#[test]
fn interpreted_frames_have_names_and_lines() {
    let Some(folder) = compiled(COMPUTING) else { return };
    let recording = recorded(folder.path(), &["-Xint", "-cp", ".", "Main", "700"]);
    let stacks = hits(&recording);
    let wanted = ["Main.chew", "Main.all", "Main.main"];
    let whole = stacks.iter().filter(|frames| in_order(frames, &wanted)).count();
    assert!(whole * 4 > stacks.len(), "{whole} of {}", stacks.len());
    let lines = lines(&stacks, "Main.all");
    // A caller stands at its call.
    assert_eq!(lines, [17]);
    let java = |frames: &&Vec<&Frame>| frames.iter().any(|frame| frame.language == Language::Java);
    let nameless = stacks
        .iter()
        .filter(java)
        .filter(|frames| frames.iter().skip(1).any(|frame| is(frame, "Interpreter")));
    let (nameless, all) = (nameless.count(), stacks.iter().filter(java).count());
    assert!(nameless * 20 < all, "{nameless} of {all}");
}

#[test]
fn a_program_given_as_a_source_has_names_and_lines() {
    let Some(folder) = compiled(COMPUTING) else { return };
    fs::remove_file(folder.path().join("Main.class")).unwrap();
    let recording = recorded(folder.path(), &["Main.java", "40000"]);
    let stacks = hits(&recording);
    let hot =
        stacks.iter().filter(|frames| in_order(frames, &["Main.chew", "Main.all", "Main.main"])).count();
    assert!(hot > 100, "{hot} of {}", stacks.len());
    let chew = stacks.iter().flatten().find(|frame| is(frame, "Main.chew")).unwrap();
    assert_eq!(chew.owner, Owner::Project);
    assert!(chew.file.as_deref().is_some_and(|file| Path::new(file).is_file()), "{chew:?}");
    // The compiler is Java too, but not the user's.
    let compiler = stacks
        .iter()
        .flatten()
        .find(|frame| frame.function.as_deref().is_some_and(|name| name.starts_with("com.sun.tools.javac.")));
    assert!(compiler.is_none_or(|frame| frame.owner == Owner::Library));
}

const WAITING: &str = "\
import java.net.*;
import java.util.concurrent.locks.LockSupport;

public class Main {
    static final Object gate = new Object();

    static void parks() {
        long end = System.nanoTime() + 300_000_000L;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    static void enters() {
        synchronized (gate) {
            gate.notifyAll();
        }
    }

    static void reads(Socket socket) throws Exception {
        socket.getInputStream().read();
    }

    public static void main(String[] words) throws Exception {
        parks();
        Thread second = new Thread(Main::enters, \"second\");
        synchronized (gate) {
            second.start();
            Thread.sleep(1000);
        }
        second.join();
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket here = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket there = server.accept();
        Thread third = new Thread(() -> {
            try {
                reads(here);
            } catch (Exception gone) {
            }
        }, \"third\");
        third.start();
        Thread.sleep(1000);
        there.getOutputStream().write(1);
        third.join();
    }
}
";

#[test]
fn a_thread_that_waits_shows_who_called() {
    let Some(folder) = compiled(WAITING) else { return };
    let recording = recorded(folder.path(), &["-cp", ".", "Main"]);
    let waits: Vec<_> = recording
        .waits
        .iter()
        // A thread may be late on a busy machine; the others wait for a second.
        .filter(|wait| wait.to.as_nanos() - wait.from.as_nanos() > 200_000_000)
        .filter_map(|wait| Some(stack(&recording, wait.stack?)))
        .collect();
    let seen = |functions: &[&str]| waits.iter().any(|frames| in_order(frames, functions));
    let all = || names(&waits);
    assert!(
        seen(&["java.util.concurrent.locks.LockSupport.parkNanos", "Main.parks", "Main.main"]),
        "{:#?}",
        all()
    );
    assert!(seen(&["Main.enters", "java.lang.Thread.run"]), "{:#?}", all());
    assert!(seen(&["Main.reads", "java.lang.Thread.run"]), "{:#?}", all());
    assert_eq!(lines(&waits, "Main.parks"), [10]);
    assert_eq!(lines(&waits, "Main.reads"), [21]);
}

#[test]
fn the_users_own_options_for_the_jvm_are_kept() {
    let source = "public class Main { public static void main(String[] w) { if (!\"yes\".equals(System.getProperty(\"mine\"))) System.exit(3); } }";
    let Some(folder) = compiled(source) else { return };
    recorded_by(folder.path(), &["-cp", ".", "Main"], |recipe, _| {
        recipe.env.push(("JAVA_TOOL_OPTIONS".into(), "-Dmine=yes".into()));
    });
}

#[test]
fn a_jvm_that_was_asked_for_nothing_has_names_and_callers_too() {
    let Some(folder) = compiled(COMPUTING) else { return };
    let words = ["-cp", ".", "Main", "40000"];
    let recording = recorded_by(folder.path(), &words, |_, options| options.runtimes = false);
    let stacks = hits(&recording);
    let hot: Vec<_> =
        stacks.iter().filter(|frames| frames.iter().any(|frame| is(frame, "Main.chew"))).collect();
    assert!(hot.len() > 100, "{} of {}", hot.len(), stacks.len());
    let whole = hot.iter().filter(|frames| in_order(frames, &["Main.chew", "Main.all", "Main.main"])).count();
    assert!(whole * 20 > hot.len() * 19, "{whole} of {}", hot.len());
}

#[test]
fn without_perf_events_waits_still_show_who_called() {
    let Some(folder) = compiled(WAITING) else { return };
    let recording =
        recorded_by(folder.path(), &["-cp", ".", "Main"], |_, options| options.level = Some(Level::D));
    let waits: Vec<_> =
        recording.waits.iter().filter_map(|wait| Some(stack(&recording, wait.stack?))).collect();
    let seen = |functions: &[&str]| waits.iter().any(|frames| in_order(frames, functions));
    assert!(seen(&["java.util.concurrent.locks.LockSupport.parkNanos", "Main.parks", "Main.main"]));
    assert!(seen(&["Main.enters", "java.lang.Thread.run"]), "{:#?}", names(&waits));
}

const FILLING: &str = "\
import java.util.*;

public class Main {
    public static void main(String[] words) {
        Map<String, Integer> counts = new TreeMap<>();
        Random random = new Random(1);
        for (int at = 0; at < 2_000_000; at++) {
            counts.merge(\"k\" + random.nextInt(200_000), 1, Integer::sum);
        }
        System.out.println(counts.size());
    }
}
";

/// What the collector must be told, compiled code tells with a register pushed on its frame.
#[test]
fn callers_are_found_while_code_tells_the_collector_what_it_stored() {
    let Some(folder) = compiled(FILLING) else { return };
    let words = ["-XX:+UseG1GC", "-cp", ".", "Main"];
    let recording = recorded(folder.path(), &words);
    let all = hits(&recording);
    let filling = all.iter().filter(|frames| frames.iter().any(|frame| is(frame, "java.util.TreeMap.merge")));
    let (whole, cut): (Vec<_>, Vec<_>) =
        filling.partition(|frames| frames.iter().any(|frame| is(frame, "Main.main")));
    assert!(whole.len() >= 20 && cut.len() * 30 <= whole.len(), "{} cut of {}", cut.len(), whole.len());
    // A class that the JDK made for `Integer::sum` is nobody's to change.
    let is_made = |frame: &&&Frame| frame.function.as_deref().is_some_and(|name| name.contains("$$Lambda"));
    assert!(all.iter().flatten().filter(is_made).all(|frame| frame.owner == Owner::Library));
}

/// Two methods at the same depth, one after the other: all that differs on their stacks is which methods they are.
const READING: &str = "\
import java.io.FileInputStream;

public class Main {
    static int bread(String file, int times) throws Exception {
        int sum = 0;
        try (FileInputStream in = new FileInputStream(file)) {
            for (int at = 0; at < times; at++) sum += in.read();
        }
        return sum;
    }

    static int milk(String file, int times) throws Exception {
        int sum = 0;
        try (FileInputStream in = new FileInputStream(file)) {
            for (int at = 0; at < times; at++) sum += in.read();
        }
        return sum;
    }

    public static void main(String[] words) throws Exception {
        System.out.println(bread(\"bread.bin\", 150));
        System.out.println(milk(\"milk.bin\", 50));
    }
}
";

#[test]
fn traced_calls_know_the_interpreted_methods_that_make_them() {
    let Some(folder) = compiled(READING) else { return };
    for name in ["bread.bin", "milk.bin"] {
        fs::write(folder.path().join(name), vec![7; 200]).unwrap();
    }
    let _alone = alone();
    let recipe = Recipe {
        path: PathBuf::from("/usr/bin/java"),
        argv: ["java", "-Xint", "-cp", ".", "Main"].map(Into::into).to_vec(),
        env: environment([]),
        cwd: Some(folder.path().to_owned()),
        stdin: Input::Null,
        stdout: Output::Null,
        stderr: Output::Null,
        timeout: Some(Duration::from_secs(120)),
        layout: Layout::Random,
    };
    let options = run::calls::Options::new(folder.path().to_owned());
    let calls = run::calls::trace(&Rig::open().unwrap(), &recipe, SLOT, &options).unwrap().calls;
    for (file, function, line, reads) in
        [("bread.bin", "Main.bread", 7, 150), ("milk.bin", "Main.milk", 15, 50)]
    {
        let is_read = |row: &&Row| {
            row.call == "read"
                && matches!(row.on, Some(On::File(at)) if calls.files[at as usize].path.ends_with(file))
        };
        let rows: Vec<&Row> = calls.rows.iter().filter(is_read).collect();
        assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), reads, "{file}");
        for row in rows {
            let own = own(&calls, row);
            let names: Vec<_> = own.iter().filter_map(|frame| frame.function.as_deref()).collect();
            assert_eq!(names, [function, "Main.main"], "{file}");
            assert_eq!(own[0].line, Some(line), "{file}");
        }
    }
}

/// Frames of the program's own below a call, innermost first.
fn own<'a>(calls: &'a Calls, row: &Row) -> Vec<&'a Frame> {
    let frames = row.stack.into_iter().flat_map(|stack| calls.frames_of(stack));
    frames.filter(|frame| frame.owner == Owner::Project).collect()
}
