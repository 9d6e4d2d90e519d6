//! The one definition of the command line: help, man page and completions come from here.
//! Parsing arguments has no effects.

pub(crate) mod advice;
pub(crate) mod export;
pub(crate) mod gate;
pub(crate) mod parse;
pub(crate) mod scale;
pub(crate) mod score;
pub(crate) mod tier;
pub(crate) mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use parse::{Golden, Parameter, Share, Stream, Variable};

pub(crate) use export::{Export, ExportFormat, View};

/// Why is this program slow? Ranked, measured evidence, and proof that a change helped.
///
/// `slowpath -- CMD` runs the command, and prints one screen: how long it takes and how sure that is, where the time
/// went, what could not be seen. Everything behind it lies in one run folder below `.slowpath/runs`.
#[derive(Debug, Parser)]
#[command(
    name = "slowpath",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "slowpath [OPTIONS] -- COMMAND...\n       slowpath SUBCOMMAND [OPTIONS]",
    after_help = "Exit status: 0 answered, 1 a gate is broken, 2 wrong usage or unreadable input, 3 nothing could be \
                  measured,\n4 the target failed, 5 inconclusive, 6 not comparable, 70 a defect in slowpath.",
    after_long_help = "Examples:\n  slowpath -- python3 report.py 20000\n  slowpath bench 'sort -n a' 'sort a'\n  \
                       slowpath compare './old 1' './new 1'\n  slowpath doctor --noise\n\nExit status: 0 answered, 1 a \
                       gate the user set is broken, 2 wrong usage or unreadable input, 3 nothing could be\nmeasured, 4 \
                       the target failed to start or its runs do not count, 5 inconclusive, 6 not comparable,\n70 a \
                       defect in slowpath."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) why: Why,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Why is it slow? The same as `slowpath -- CMD`.
    ///
    /// Runs the command several times with nothing attached, then once under the recorder, and tells how long it takes,
    /// where the wall time went along the critical path, the hotspots and the waits.
    ///
    /// A bare word names a scenario of `slowpath.toml`, found here or in a folder above; what stands after `--` is always
    /// a command. The same holds for `bench`, `record` and `scale`, and flags win over the file.
    ///
    /// Examples: slowpath why -- python3 report.py 20000; slowpath why search-100k
    Why(NamedWhy),
    /// How fast is it? One or more commands, interleaved.
    ///
    /// Several commands are quoted strings, split as a shell would but run without one. They take turns in random
    /// balanced blocks, so that a busy minute hits all of them alike.
    ///
    /// Example: slowpath bench --param size=1000,2000 './sort {size}' './qsort {size}'
    Bench(Bench),
    /// Did it change? Two commands, two git revisions, or two stored runs.
    ///
    /// Runs the two sides in random ABBA blocks and judges wall time, CPU time and peak memory, each with a three-way
    /// verdict: better, worse, no change larger than the margin, or inconclusive with the number of pairs it would
    /// take. A difference is repeated on fresh runs before it is claimed.
    ///
    /// Examples: slowpath compare './old 1' './new 1';
    /// slowpath compare --rev main..HEAD --build 'make -s' -- ./prog 1;
    /// slowpath compare --runs RUN_A RUN_B
    Compare(Compare),
    /// Did the change do what a finding promised?
    ///
    /// Takes the first finding of a stored `why` run, measures the old and the new program in random ABBA blocks, and
    /// answers accepted, refuted or undecided on the metric that the finding is about. A metric that gets worse by more
    /// than the margin, tests that fail, or another output refute it. The new program is then recorded once, to see
    /// whether the finding is gone.
    ///
    /// Exit status: 0 accepted, 1 refuted, 5 undecided.
    ///
    /// Examples: slowpath verify last -- ./new 1; slowpath verify last --tests 'make test' --rev main --build 'make -s'
    Verify(Box<verify::Verify>),
    /// Do the scenarios of `slowpath.toml` keep their budgets and their speed?
    ///
    /// Measures every scenario, or those named, and holds them against the budgets in the file and against a baseline: a
    /// revision measured in turns (--rev, the one to trust) or stored results (--baseline). What looks broken is measured
    /// once more before it is claimed, and the claims are corrected for the size of the suite.
    ///
    /// Exit status: 0 all hold, 1 one is broken, 5 inconclusive, 6 the baseline is not comparable.
    ///
    /// Examples: slowpath gate --rev origin/main --build 'make -s'; slowpath gate --save base.json;
    /// slowpath gate --baseline base.json search-100k
    Gate(Box<gate::Gate>),
    /// How does cost grow with the input? One command at several sizes.
    ///
    /// Runs the command with different sizes in place of {SIZE}, counts its instructions where that is possible, and
    /// tells the class of growth, every class that cannot be told from it, the exponent with its interval, and what is
    /// fixed cost. Start-up does not bend the answer.
    ///
    /// A suite of benchmarks (pytest-benchmark, go test -bench, Google Benchmark, criterion, JMH) needs no {SIZE}: it runs
    /// once, to its end, and benchmarks that differ by one number in their names are its sizes. Times are all it has, and
    /// --runs and --limit do not apply.
    ///
    /// Examples: slowpath scale -- ./sort {SIZE}; slowpath scale --sizes 1k..64k*2 --expected nlogn -- ./sort {SIZE};
    /// slowpath scale --predict 10M -- python3 report.py {SIZE};
    /// slowpath scale --expected linear -- pytest --benchmark-only
    Scale(Box<scale::Scale>),
    /// Where was it, moment by moment? Records one run, or a process that runs already.
    ///
    /// Samples every thread and child on the CPU, follows every wait, and prints where the wall time went along the
    /// critical path, the hotspots and the waits. Works for native programs, Python, Node.js and the JVM, as an
    /// ordinary user; what this user may not see is named.
    ///
    /// Examples: slowpath record -- ./prog 1; slowpath record --pid 1234 --duration 10s;
    /// slowpath record --tree -- python3 report.py
    Record(Record),
    /// Reads another tool's recording.
    ///
    /// perf.data, `perf script`, folded stacks, pprof, speedscope and V8 .cpuprofile files become a run of their own,
    /// which `report` and `export` take.
    Import(Import),
    /// Writes a recorded run in another tool's format, or as a flame graph.
    ///
    /// Examples: slowpath export last --format pprof -o cpu.pb.gz;
    /// slowpath export last --format flame --view wall -o wall.svg
    Export(Export),
    /// What does a cause mean? How it is recognised, checked by hand and mended.
    ///
    /// Without a cause, lists them all.
    ///
    /// Example: slowpath explain algorithmic-growth
    Explain(Explain),
    /// What can this machine measure, and how noisy is it?
    ///
    /// Tries everything slowpath would like to use and says what works, what does not, why, and how to get it. With
    /// --noise it measures a command against itself and tells the smallest change that could be seen here.
    Doctor(Doctor),
    /// Shows a stored run again.
    ///
    /// RUN is a run folder, the beginning of its name, `last`, or a result file of hyperfine, pyperf,
    /// pytest-benchmark, criterion, `go test -bench`, Google Benchmark or JMH, or criterion's whole folder.
    Report(Report),
    /// Prints generated files: man page, completions, JSON schemas.
    #[command(hide = true)]
    Generate(Generate),
    /// Spins for a while: what `doctor --noise` measures when no command is given.
    #[command(hide = true)]
    Spin(Spin),
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A cause as findings name it
    #[arg(value_name = "CAUSE")]
    pub(crate) cause: Option<String>,
    /// Prints JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// `why` as a subcommand, which takes a scenario too.
#[derive(Debug, Args)]
pub(crate) struct NamedWhy {
    /// A scenario of `slowpath.toml`, instead of a command
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: Option<String>,
    #[command(flatten)]
    pub(crate) why: Why,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// Runs of the command
    ///
    /// Exactly this many runs count. Without it, at least six (three when six would take longer than the budget),
    /// until the median is known to within the precision or the budget is spent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: Option<u32>,
    /// Time for the answer
    ///
    /// The timed runs take 1.1 s of it, or half of it where that is more; the passes that the evidence asks for get the rest. All
    /// together may always take as long as six runs and two seconds; a larger budget leaves room for dearer passes.
    #[arg(long, value_name = "TIME", default_value = "1.1s", value_parser = parse::duration)]
    pub(crate) budget: Duration,
    #[command(flatten)]
    pub(crate) tier: tier::TierOptions,
    #[command(flatten)]
    pub(crate) score: score::ScoreOptions,
    #[command(flatten)]
    pub(crate) recorder: RecorderOptions,
    /// Leaves the recorded run out: timing alone
    #[arg(long)]
    pub(crate) no_record: bool,
    /// Watches this process and its children instead of starting a command
    #[arg(long, value_name = "PID", conflicts_with_all = ["argv", "runs", "no_record", "tier", "sizes", "shell", "exit_with_target"])]
    pub(crate) pid: Option<u32>,
    /// Watches for so long: a process, or a command that is then ended
    ///
    /// For services, which do not end by themselves. Nothing is timed; 10s for `--pid` without it.
    #[arg(long, value_name = "TIME", value_parser = parse::duration, conflicts_with_all = ["runs", "no_record", "tier", "sizes", "exit_with_target"])]
    pub(crate) duration: Option<Duration>,
    /// Ends with the target's own exit status
    #[arg(long)]
    pub(crate) exit_with_target: bool,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Commands as quoted strings, or scenarios of `slowpath.toml`
    #[arg(value_name = "COMMAND")]
    pub(crate) commands: Vec<OsString>,
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) count: CountOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// Runs of each command
    ///
    /// Exactly this many runs of each command count. Without it, until every median is known to within the precision
    /// or the budget is spent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: Option<u32>,
    /// Time for each command's runs
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse::duration)]
    pub(crate) budget: Duration,
    /// How well the median must be known
    ///
    /// Stop when half the 95 % interval of the median wall time is at most this share of it.
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = parse::share)]
    pub(crate) precision: Share,
    /// Values for {NAME} in the commands
    ///
    /// `--param n=1,2,3` or a range `--param n=1..9`, `1..9:2` (step), `1000..64000*2` (factor). Several parameters
    /// give every combination.
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse::parameter)]
    pub(crate) param: Vec<Parameter>,
    /// Name to show instead of a command, in their order
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// Prints the summary as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) csv: bool,
    /// One command and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// Base and new command as quoted strings
    #[arg(value_name = "COMMAND", num_args = 0..=2)]
    pub(crate) commands: Vec<OsString>,
    /// Compares git revisions: BASE or BASE..HEAD
    ///
    /// Each revision is checked out into a worktree of its own, built there with --build, and removed afterwards.
    /// BASE alone is compared with HEAD. The command runs in the worktrees.
    #[arg(long, value_name = "BASE[..HEAD]", conflicts_with = "runs")]
    pub(crate) rev: Option<String>,
    /// Builds a revision, in its worktree
    #[arg(long, value_name = "CMD", requires = "rev")]
    pub(crate) build: Option<OsString>,
    /// Compares two stored runs or result files
    #[arg(long, num_args = 2, value_names = ["BASE", "NEW"], conflicts_with_all = ["commands", "argv"])]
    pub(crate) runs: Vec<PathBuf>,
    /// The smallest change that matters
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = parse::share)]
    pub(crate) margin: Share,
    /// Most pairs before a verdict
    ///
    /// A difference found before is repeated on fresh pairs; one found at the last look takes half as many more.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) pairs: u32,
    /// Measures the base as a third side, as a check on the measurement
    #[arg(long)]
    pub(crate) control: bool,
    /// Verdicts that end with exit status 1
    #[arg(long, value_enum, value_delimiter = ',', value_name = "VERDICT")]
    pub(crate) fail_on: Vec<FailOn>,
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) count: CountOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// The command that runs in each revision's worktree
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Record {
    /// A scenario of `slowpath.toml`, instead of a command
    #[arg(value_name = "SCENARIO", conflicts_with = "pid")]
    pub(crate) scenario: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetOptions,
    #[command(flatten)]
    pub(crate) recorder: RecorderOptions,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// Records this process and its children instead of a command
    #[arg(long, value_name = "PID", conflicts_with = "argv")]
    pub(crate) pid: Option<u32>,
    /// How long to watch a process, 10 s when nobody says; a command is ended after so long
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) duration: Option<Duration>,
    /// Shows the call tree too
    #[arg(long)]
    pub(crate) tree: bool,
    /// Prints the hotspots as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) csv: bool,
    /// Ends with the target's own exit status
    #[arg(long)]
    pub(crate) exit_with_target: bool,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["pid", "scenario"])]
    pub(crate) argv: Vec<OsString>,
}

/// How a run is recorded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Recording")]
pub(crate) struct RecorderOptions {
    /// Samples in a second of CPU time; chosen by the run's length without it
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) rate: Option<u32>,
    /// Bytes of stack copied with each sample, at most 65528; without it 32768, or 4096 while that is enough
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1024..=65_528))]
    pub(crate) stack: Option<u32>,
    /// Uses no more than this level grants: C (root), B, A (an ordinary user), D (no perf events)
    #[arg(long, value_name = "LEVEL", value_parser = parse::level)]
    pub(crate) level: Option<model::doctor::Level>,
    /// Leaves runtimes alone: no variables that ask Node.js, the JVM and .NET for the names of their code, none that ask
    /// Python, Node.js, the JVM and Go what they do, and no breakpoints at functions of native programs
    #[arg(long)]
    pub(crate) no_runtimes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Which event or sample type, where the file has several
    #[arg(long, value_name = "NAME")]
    pub(crate) event: Option<String>,
    /// Shows the call tree too
    #[arg(long)]
    pub(crate) tree: bool,
    /// Prints the hotspots as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Measures a command against itself
    #[arg(long)]
    pub(crate) noise: bool,
    /// Pairs for --noise
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(16..))]
    pub(crate) pairs: u32,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
    /// The command for --noise; a built-in loop without it
    #[arg(last = true, value_name = "COMMAND", requires = "noise")]
    pub(crate) argv: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Run folder, beginning of its name, `last`, or another tool's result file
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Shows the call tree too (recorded runs)
    #[arg(long)]
    pub(crate) tree: bool,
    /// Prints the summary as comma-separated values (bench and recorded runs)
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) csv: bool,
    /// Writes the page of the run again: report.html in its folder
    #[arg(long, conflicts_with_all = ["json", "markdown", "csv", "tree"])]
    pub(crate) html: bool,
    /// Prints the performance map (`why`): steps, baseline, suspicions; YAML
    #[arg(long, conflicts_with_all = ["json", "markdown", "csv", "tree", "html"])]
    pub(crate) map: bool,
    /// The file to write the page to
    #[arg(short, long, value_name = "FILE", requires = "html")]
    pub(crate) output: Option<PathBuf>,
    /// Shows in the page's flame graphs what changed since this earlier run
    #[arg(long, value_name = "RUN", requires = "html")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generated {
    Man,
    Completions { shell: clap_complete::Shell },
    Schemas,
}

#[derive(Debug, Args)]
pub(crate) struct Spin {
    /// Rounds of the loop
    pub(crate) rounds: u64,
}

/// How the target runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running the target")]
pub(crate) struct TargetOptions {
    /// Runs the command through `sh -c`
    #[arg(long)]
    pub(crate) shell: bool,
    /// Sets an environment variable for the target
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::variable)]
    pub(crate) env: Vec<Variable>,
    /// Working directory of the target
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Standard input: null, inherit, or a file
    #[arg(long, value_name = "WHERE", default_value = "null", value_parser = parse::stream)]
    pub(crate) stdin: Stream,
    /// Standard output: null, inherit, capture, or a file
    #[arg(long, value_name = "WHERE", default_value = "null", value_parser = parse::stream)]
    pub(crate) stdout: Stream,
    /// Standard error: null, inherit, capture, or a file
    #[arg(long, value_name = "WHERE", default_value = "null", value_parser = parse::stream)]
    pub(crate) stderr: Stream,
    /// Ends a run that takes longer; it does not count
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Runs that fail count too
    #[arg(long)]
    pub(crate) ignore_failure: bool,
    /// Runs before the first counted one
    ///
    /// Without it, until runs no longer get faster: at least one, at most ten.
    #[arg(long, value_name = "N")]
    pub(crate) warmup: Option<u32>,
    /// Drops the page cache before each run (needs root)
    #[arg(long)]
    pub(crate) cold: bool,
    /// Shell command before the first run of a command
    #[arg(long, value_name = "CMD")]
    pub(crate) setup: Option<OsString>,
    /// Shell command before each run
    #[arg(long, value_name = "CMD")]
    pub(crate) prepare: Option<OsString>,
    /// Shell command after each run
    #[arg(long, value_name = "CMD")]
    pub(crate) conclude: Option<OsString>,
    /// Shell command after the last run of a command
    #[arg(long, value_name = "CMD")]
    pub(crate) cleanup: Option<OsString>,
    /// What standard output must be: sha256:HEX, a file, or `first`
    ///
    /// A run whose output differs is an error, not a sample. `first` takes the first run's output, of all
    /// commands; with --param or several sizes, that of each value.
    #[arg(long, value_name = "OUTPUT", value_parser = parse::golden)]
    pub(crate) golden: Option<Golden>,
    /// Shell command that checks each run's output, on its standard input
    #[arg(long, value_name = "CMD")]
    pub(crate) check: Option<OsString>,
    /// Seeds every random choice
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// What the scenario asks that no flag says.
    #[arg(skip)]
    pub(crate) scenario: Option<model::scenario::Scenario>,
}

impl Default for TargetOptions {
    /// What the options are when none is given: the definitions above, read by their own parser.
    fn default() -> Self {
        Alone::<Self>::parse_from(["slowpath"]).options
    }
}

/// Options that stand without a command.
#[derive(Debug, Parser)]
struct Alone<A: Args> {
    #[command(flatten)]
    options: A,
}

/// Options as their own parser reads these words.
pub(crate) fn options<A: Args>(words: &[OsString]) -> Result<A, clap::Error> {
    let words = std::iter::once(OsString::from("slowpath")).chain(words.iter().cloned());
    Ok(Alone::<A>::try_parse_from(words)?.options)
}

/// Counting instructions.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountOptions {
    /// Counts instructions too
    ///
    /// With the processor's counter where it answers, else with valgrind's cachegrind (20 to 90 times slower), hash
    /// seeds pinned and address randomisation off.
    #[arg(long)]
    pub(crate) count: bool,
    /// A command whose instructions are subtracted as start-up, e.g. 'python3 -c pass'
    #[arg(long, value_name = "CMD", requires = "count")]
    pub(crate) count_minus: Option<OsString>,
}

/// What is shown and where it is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ShowOptions {
    /// Prints the answer as JSON, and nothing else on standard output
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Prints the answer as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Keeps the run in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Prints nothing but the answer
    #[arg(long)]
    pub(crate) quiet: bool,
    /// When to use colour
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", alias = "colour")]
    pub(crate) color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Worse,
    Better,
    NoChange,
    Inconclusive,
}
