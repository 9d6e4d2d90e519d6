//! A folder of its own for one test, the slowpath that runs there, and what is left of it afterwards.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a machine with a hundred things to do; nothing waits this long when it works.
const DEADLINE: Duration = Duration::from_secs(60);

const RUNS: usize = 4;

/// Every process a test starts carries this variable, so that /proc shows what was left behind.
const MARK: &str = "SLOWPATH_TEST_PLACE";

/// What a machine with others at work takes for something is partly what they took: of a few runs one must tell it right.
pub(crate) fn in_some_run(check: impl Fn()) {
    let told = (1..RUNS).any(|_| catch_unwind(AssertUnwindSafe(&check)).is_ok());
    if !told {
        check();
    }
}

/// Where a test works; removed afterwards.
pub(crate) struct Place {
    work: PathBuf,
    streams: PathBuf,
    _folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("slowpath-it-").tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (work, streams) = (root.join("work"), root.join("streams"));
        for path in [&work, &streams] {
            fs::create_dir(path).unwrap();
        }
        Self { work, streams, _folder: folder }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.work
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// An executable. It is written by another process: a child forked meanwhile by another test would inherit our
    /// descriptor, and a file that is open for writing cannot be executed.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work.join(name);
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
        path
    }

    pub(crate) fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let path = self.work.join(name);
        assert!(Command::new("cp").arg(from).arg(&path).status().unwrap().success());
        path
    }

    /// Lets another user in.
    pub(crate) fn open_to_all(&self) {
        for path in [self.work.parent().unwrap(), &self.work, &self.streams] {
            fs::set_permissions(path, PermissionsExt::from_mode(0o777)).unwrap();
        }
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.work.join(name)).unwrap_or_default()
    }

    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        // Signals that whoever runs the tests ignores would otherwise be ignored by slowpath too.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,TERM,HUP").arg(env!("CARGO_BIN_EXE_slowpath")).args(arguments);
        self.dress(&mut command);
        command
    }

    /// Working directory, mark and the environment every command of a test has.
    pub(crate) fn dress(&self, command: &mut Command) {
        command.current_dir(&self.work).env(MARK, self.mark()).stdin(Stdio::null()).process_group(0);
        for name in ["NO_COLOR", "COLUMNS", "CARGO_TARGET_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"]
        {
            command.env_remove(name);
        }
    }

    fn mark(&self) -> &OsStr {
        self.work.as_os_str()
    }

    /// Runs slowpath to its end.
    pub(crate) fn slowpath<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        self.start(self.command(arguments)).end()
    }

    pub(crate) fn start(&self, mut command: Command) -> Live {
        let name = format!("{:?}", Instant::now()).replace(|c: char| !c.is_ascii_digit(), "");
        let (out, err) = (self.streams.join(format!("{name}.out")), self.streams.join(format!("{name}.err")));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        let said = format!("{command:?}");
        Live { child: command.spawn().unwrap(), out, err, said }
    }

    /// Processes of this test that still live, by their command lines. What closes tracepoints waits for others who
    /// record, and ends by itself.
    pub(crate) fn survivors(&self) -> Vec<String> {
        let mut mark = MARK.as_bytes().to_vec();
        mark.push(b'=');
        mark.extend_from_slice(self.mark().as_bytes());
        processes()
            .into_iter()
            .filter(|pid| {
                let name = fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
                name != b"slowpath-closes\n"
            })
            .filter(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|variable| variable == mark)
            })
            .map(|pid| {
                let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                format!("{pid} {}", String::from_utf8_lossy(&words).replace('\0', " "))
            })
            .collect()
    }

    /// Waits until every process of this test is gone.
    pub(crate) fn is_left_by_all(&self) {
        let mut left = Vec::new();
        let gone = within_deadline(|| {
            left = self.survivors();
            left.is_empty()
        });
        assert!(gone, "left behind: {left:#?}");
    }

    /// Ends every process of this test.
    pub(crate) fn end_survivors(&self) {
        for survivor in self.survivors() {
            let pid = survivor.split(' ').next().unwrap_or_default().to_owned();
            let _ = Command::new("sh").args(["-c", "kill -s KILL \"$0\"", &pid]).status();
        }
    }

    /// The folders of the runs made here, oldest first.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.work.join(".slowpath/runs")).map(Iterator::collect::<Vec<_>>);
        let mut runs: Vec<PathBuf> =
            entries.unwrap_or_default().into_iter().map(|entry| entry.unwrap().path()).collect();
        runs.sort_by_key(|run| manifest(run)["started"].as_str().map(str::to_owned));
        runs
    }

    pub(crate) fn last_run(&self) -> PathBuf {
        self.runs().pop().expect("a run folder")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return self.is_left_by_all();
        }
        // A failed test has said what it has to say; its processes go with it.
        self.end_survivors();
    }
}

fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Asks again and again until it is so; `false` when it never was.
pub(crate) fn within_deadline(so: impl FnMut() -> bool) -> bool {
    within(DEADLINE, so)
}

fn within(deadline: Duration, mut so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < deadline {
        if so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// A slowpath at work.
pub(crate) struct Live {
    child: Child,
    out: PathBuf,
    err: PathBuf,
    said: String,
}

impl Live {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for a sign of life of the target.
    pub(crate) fn until(&mut self, so: impl Fn() -> bool) {
        let mut ended = None;
        let seen = within_deadline(|| {
            if so() {
                return true;
            }
            ended = self.child.try_wait().unwrap();
            ended.is_some()
        });
        assert!(
            seen && ended.is_none(),
            "{}: {ended:?}\n{}",
            self.said,
            fs::read_to_string(&self.err).unwrap()
        );
    }

    /// Types at the terminal behind standard input, which must have been piped.
    pub(crate) fn types(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Sends a signal to slowpath alone.
    pub(crate) fn signal(&self, name: &str) {
        signal(name, &self.pid().to_string());
    }

    /// Sends a signal to slowpath's process group, as a terminal does.
    pub(crate) fn signal_group(&self, name: &str) {
        signal(name, &format!("-{}", self.pid()));
    }

    pub(crate) fn end(self) -> Ran {
        self.end_within(DEADLINE)
    }

    /// For a slowpath that has a simulator or two to wait for.
    pub(crate) fn end_within(mut self, deadline: Duration) -> Ran {
        let mut status = None;
        let ended = within(deadline, || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        if !ended {
            let _ = self.child.kill();
            panic!("{} does not end\n{}", self.said, fs::read_to_string(&self.err).unwrap());
        }
        let status = status.unwrap();
        Ran {
            code: status.code(),
            signal: status.signal(),
            stdout: fs::read(&self.out).unwrap(),
            stderr: String::from_utf8_lossy(&fs::read(&self.err).unwrap()).into_owned(),
            said: self.said,
        }
    }
}

fn signal(name: &str, to: &str) {
    // A shell's own `kill` needs no package.
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" -- \"$1\"", name, to]).status().unwrap();
    assert!(sent.success(), "cannot send {name} to {to}");
}

/// What a slowpath that has ended said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    said: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}\n{}", self.said, self.stderr, self.text());
        self
    }

    /// Ended with this status, in the house's form, and with these words in it.
    #[track_caller]
    pub(crate) fn complains(self, code: i32, words: &[&str]) -> Self {
        let ran = self.exits(code);
        assert!(ran.stderr.contains("error: ") && ran.stderr.contains("\n  try: "), "{}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        for word in words {
            assert!(ran.stderr.contains(word), "no `{word}` in:\n{}", ran.stderr);
        }
        assert!(ran.stdout.is_empty(), "an error leaves standard output alone: {}", ran.text());
        ran
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}\n{}", self.said, self.text(), self.stderr))
    }
}

/// `run.json` of a run folder; null where there is none.
pub(crate) fn manifest(run: &Path) -> Value {
    fs::read(run.join("run.json")).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap())
}

/// The samples of a run folder, each a whole line.
pub(crate) fn samples(run: &Path) -> Vec<Value> {
    lines(&run.join("tier1/samples.jsonl"))
}

pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The samples that count.
pub(crate) fn counted(run: &Path) -> Vec<Value> {
    samples(run).into_iter().filter(|sample| sample["stage"] != "warm-up").collect()
}

/// The metric of this name in a list of them.
pub(crate) fn metric<'a>(metrics: &'a Value, name: &str) -> &'a Value {
    let found = metrics.as_array().unwrap().iter().find(|metric| metric["metric"] == name);
    found.unwrap_or_else(|| panic!("no `{name}` in {metrics:#}"))
}

/// The program that plays the targets.
pub(crate) fn actor() -> &'static Path {
    static ACTOR: OnceLock<PathBuf> = OnceLock::new();
    ACTOR.get_or_init(|| compiled("actor", &["-O1"]))
}

/// The same without a loader and without names.
pub(crate) fn static_actor() -> &'static Path {
    static ACTOR: OnceLock<PathBuf> = OnceLock::new();
    ACTOR.get_or_init(|| compiled("static-actor", &["-O1", "-static", "-s"]))
}

fn compiled(name: &str, options: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let fresh = path.with_file_name(format!("{name}.{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/actor.c");
    let built = Command::new("gcc").args(options).arg(source).arg("-o").arg(&fresh).status();
    assert!(built.expect("gcc can be started").success(), "actor.c does not compile");
    fs::rename(&fresh, &path).unwrap();
    path
}

/// The actor in a part, as a quoted command.
pub(crate) fn part(words: &str) -> String {
    format!("'{}' {words}", actor().display())
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A fixture of the repository.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}
