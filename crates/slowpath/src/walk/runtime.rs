//! The pass that asks the target's runtime: what its collector takes, where objects are made, of Python, Node and the JVM
//! which calls repeat and which take longer the more there is, and of Node what its event loop waits for.

mod jvm;
mod node;
mod packed;
mod sites;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use diagnose::cause::{Asked, wants_runtime};
use diagnose::profile::Study;
use model::manifest::Pass;
use model::profile::Place;
use model::recording::{Language, Recording};
use model::runtime::{Collector, Copies, Cost, Native, RUNTIME, Repeat, Runtime, SCHEMA, Step, Waits};
use model::{Gap, Metric, Nanos, Sample, Stage};
use run::stdio::Output;
use run::{Recipe, RunError, Slot};
use serde::Deserialize;

use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::calls::{TOO_LONG, is_too_long, spare, usual};
use crate::walk::hooked;
use packed::{Packed, packed};
use sites::{Sampled, Sums};

const PYTHON: Packed = packed!("hook.py");
/// The second part of the same file.
const NATIVES: Packed = packed!("natives.py");
const NODE: Packed = packed!("hook.cjs");

/// A watch on Python's calls ends by itself after some seconds; a run that takes so much longer hangs.
const PATIENCE: f64 = 3.0;
const LEAST: Duration = Duration::from_secs(15);

/// So many times as long as a plain run one takes in which the runtime talks.
const LONGER: f64 = 1.5;

const WHAT: &str = "what the runtime says of its collector";
const WATCHED: &str =
    "what the runtime says of its collector, and which calls repeat or take longer the more there is";
const SITES: &str = "where objects are made";
const UNWATCHED: &str = "none of its functions could be watched: they wait, or are loaded in another way";
const CALLS: &str = "which calls repeat or take longer the more there is";

/// What the JVM's recorder takes to begin and to end, in seconds: 1.0 of CPU time with OpenJDK 17.
const RECORDER: f64 = 1.0;

/// Sampled, Node's functions are not inlined: objects that never leave the function they are made in are then made, which
/// else are not. Sampling takes up to 15 % of CPU time, and busy machines add a tenth: beyond, the garbage is another
/// program's, and so is what it costs to collect.
const OTHER: f64 = 1.3;
/// Watched calls take their time, once for each function; beyond this the rest is another program, too.
const WATCHES: f64 = 3.5;
/// Loading Node's inspector, in seconds.
const STARTING: f64 = 0.02;

/// Allocation samples are known since then.
const SAMPLING_JVM: u32 = 16;

/// What a hook writes.
#[derive(Deserialize)]
struct Told {
    /// A JVM writes it to a log of its own.
    #[serde(default)]
    collector: Option<Collector>,
    #[serde(default)]
    sites: Option<Sampled>,
    repeats: Vec<Repeat>,
    #[serde(default)]
    costs: Vec<Cost>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    natives: Vec<Native>,
    #[serde(default)]
    copies: Vec<Copies>,
    #[serde(default, rename = "watched_ns")]
    watched: Option<Nanos>,
    #[serde(default, rename = "watched_on_cpu_ns")]
    watched_on_cpu: Option<Nanos>,
    #[serde(default)]
    waits: Option<Waits>,
}

/// Asks in one run, if the recording leaves a question that only the runtime can answer. A pass that fails is a gap, and so is
/// one that the user does not want.
pub(crate) fn ask(sitting: &mut Sitting<'_>, study: &Study, may: bool) -> Result<(), Stop> {
    let arm = sitting.subject();
    let wanted = sitting.passes.recording.as_ref().and_then(|recording| wants_runtime(recording, study));
    let (Some(asked), Some(usual)) = (wanted, usual(&sitting.samples, arm)) else { return Ok(()) };
    if !may {
        return left_out(sitting, &asked, "`--no-runtimes` leaves it alone".to_owned());
    }
    let spare = spare(sitting, usual);
    if is_too_long(spare, usual, LONGER) {
        return left_out(sitting, &asked, TOO_LONG.to_owned());
    }
    let out = sitting.folder().path().join("tier2/runtime");
    let out = std::path::absolute(&out).unwrap_or(out);
    let project = sitting.folder_of_target();
    let watches =
        asked.waits || asked.repeats && matches!(asked.language, Language::JavaScript | Language::Java);
    let mut besides = match may_sample(sitting, &asked, &out, spare.map(|spare| spare - usual * LONGER)) {
        Ok(Some(option)) => Besides::Sites(option),
        Ok(None) if watches => Besides::Calls,
        Ok(None) => Besides::Nothing,
        Err(why) => {
            without(sitting, &asked, &Besides::Sites(OsString::new()), why);
            if watches { Besides::Calls } else { Besides::Nothing }
        }
    };
    let mut made =
        once(sitting, &asked, &out, &besides, usual)?.and_then(|one| sound(sitting, &asked, one, &besides));
    while let Some(why) =
        made.as_ref().err().filter(|_| besides != Besides::Nothing && may_run(sitting, usual))
    {
        without(sitting, &asked, &besides, why.clone());
        sitting.conclude(sitting.subject())?;
        // What that run has said must not be counted beside what the next one says.
        let _ = fs::remove_dir_all(&out);
        let sampled = matches!(besides, Besides::Sites(_));
        besides = if sampled && watches { Besides::Calls } else { Besides::Nothing };
        made = once(sitting, &asked, &out, &besides, usual)?
            .and_then(|one| sound(sitting, &asked, one, &besides));
    }
    let sample = match made {
        Ok(sample) => sample,
        Err(why) => return left_out(sitting, &asked, why),
    };
    let mut told = told(asked.language, &out);
    let collectors: Vec<Collector> = told.iter().filter_map(|one| one.collector).collect();
    let Some(collector) = collectors.iter().copied().reduce(Collector::and) else {
        return left_out(
            sitting,
            &asked,
            "it said nothing: it does not know the option, or ends in a hurry".to_owned(),
        );
    };
    let sites = sitting.passes.recording.as_ref().and_then(|recording| {
        let mut sums = Sums::new(recording, &project);
        told.iter_mut().filter_map(|one| one.sites.take()).for_each(|sampled| sums.add_node(sampled));
        recorded(&out).iter().for_each(|recorded| sums.add_jvm(recorded));
        sums.into_sites()
    });
    let sampled = matches!(besides, Besides::Sites(_));
    if sampled && sites.is_none() {
        without(sitting, &asked, &besides, "the runtime took no sample, or ended in a hurry".to_owned());
    }
    let ratio = (usual > 0.0).then(|| sample.wall.as_secs_f64() / usual);
    let mut runs = 1;
    // Objects that are sampled take their time; calls are watched without.
    if sampled && watches {
        sitting.conclude(sitting.subject())?;
        match watched(sitting, &asked, &out.join("calls"), usual)? {
            Ok(calls) => {
                told = calls;
                runs = 2;
            }
            Err(why) => without(sitting, &asked, &Besides::Calls, why),
        }
    }
    if besides == Besides::Calls && asked.repeats && told.iter().all(|one| one.watched.is_none()) {
        without(sitting, &asked, &besides, UNWATCHED.to_owned());
    }
    if !asked.repeats {
        // Functions were watched for whoever waits for them: what else they tell was not asked for.
        for one in &mut told {
            (one.repeats, one.costs, one.steps, one.watched) = (Vec::new(), Vec::new(), Vec::new(), None);
        }
    }
    let mut repeats: Vec<Repeat> = told.iter().flat_map(|one| one.repeats.iter().cloned()).collect();
    repeats.sort_by(|one, other| (other.same, &one.function).cmp(&(one.same, &other.function)));
    let mut costs: Vec<Cost> = told.iter().flat_map(|one| one.costs.iter().cloned()).collect();
    costs.sort_by(|one, other| (other.taken, &one.function).cmp(&(one.taken, &other.function)));
    let mut steps: Vec<Step> = told.iter().flat_map(|one| one.steps.iter().cloned()).collect();
    steps.sort_by(|one, other| (other.taken, &one.by.function).cmp(&(one.taken, &other.by.function)));
    let mut natives: Vec<Native> = told.iter().flat_map(|one| one.natives.iter().cloned()).collect();
    natives.sort_by(|one, other| (other.taken, &one.function).cmp(&(one.taken, &other.function)));
    let mut copies: Vec<Copies> = told.iter().flat_map(|one| one.copies.iter().cloned()).collect();
    copies.sort_by(|one, other| (other.bytes, &one.function).cmp(&(one.bytes, &other.function)));
    let on_cpu = told.iter().map(|one| one.watched_on_cpu.map(Nanos::as_nanos));
    let watched_on_cpu = on_cpu.sum::<Option<u64>>().map(Nanos::from_nanos);
    let runtime = Runtime {
        schema: SCHEMA.to_owned(),
        runtime: name(asked.language).to_owned(),
        processes: u32::try_from(collectors.len()).unwrap_or(u32::MAX),
        collector,
        sites,
        repeats,
        costs,
        steps,
        natives,
        copies,
        watched: told.iter().filter_map(|one| one.watched).max(),
        watched_on_cpu,
        waits: first_of(told.iter().filter_map(|one| one.waits.as_ref())).cloned(),
        run: sample,
    };
    sitting.store(RUNTIME, &runtime)?;
    let instrument = runtime.runtime.clone();
    sitting.note_pass(Pass { pass: "runtime".to_owned(), instrument, runs, ratio });
    sitting.passes.runtime = Some(runtime);
    sitting.conclude(sitting.subject())
}

/// Of several processes the one that began first, of those whose own functions wait: whoever only starts others has none.
fn first_of<'w>(all: impl Iterator<Item = &'w Waits>) -> Option<&'w Waits> {
    all.min_by_key(|waits| (waits.functions.is_empty(), waits.began_ms))
}

/// What a run tells besides the collector.
#[derive(Debug, PartialEq, Eq)]
enum Besides {
    Nothing,
    /// Where objects are made, by an option of the JVM's; Node needs none.
    Sites(OsString),
    /// Which calls of Node or a JVM repeat and which grow. Python tells that in any case.
    Calls,
}

/// Whether there is time for one more run.
fn may_run(sitting: &Sitting<'_>, usual: f64) -> bool {
    !is_too_long(spare(sitting, usual), usual, LONGER)
}

/// One more run, in which calls are watched. The inner error says in words why that told nothing.
fn watched(
    sitting: &mut Sitting<'_>,
    asked: &Asked,
    out: &Path,
    usual: f64,
) -> Result<Result<Vec<Told>, String>, Stop> {
    if !may_run(sitting, usual) {
        return Ok(Err(TOO_LONG.to_owned()));
    }
    let made = once(sitting, asked, out, &Besides::Calls, usual)?;
    let made = made.and_then(|one| sound(sitting, asked, one, &Besides::Calls));
    let told = made.map(|_| told(asked.language, out));
    let said = |told: &Vec<Told>| told.iter().any(|one| one.watched.is_some() || one.waits.is_some());
    Ok(told.and_then(|told| if said(&told) { Ok(told) } else { Err(UNWATCHED.to_owned()) }))
}

/// One run in which the runtime talks. The inner error says in words why it told nothing.
fn once(
    sitting: &mut Sitting<'_>,
    asked: &Asked,
    out: &Path,
    besides: &Besides,
    usual: f64,
) -> Result<Result<Sample, String>, Stop> {
    let arm = sitting.subject();
    let Some(plain) = sitting.recipe(arm).cloned() else { return Ok(Err("it has no command".to_owned())) };
    let project = sitting.folder_of_target();
    let mut recipe = match dressed(plain, asked, besides, out, &project, sitting.passes.recording.as_ref()) {
        Ok(recipe) => recipe,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let limit = Duration::from_secs_f64(usual * PATIENCE).max(LEAST);
    // Whoever makes millions of small calls takes longer while they are watched; the answer does not wait for that.
    let left = spare(sitting, usual).filter(|_| *besides == Besides::Calls);
    let limit = left.map_or(limit, |left| limit.min(Duration::from_secs_f64(left.max(usual * LONGER))));
    recipe.timeout = Some(recipe.timeout.map_or(limit, |timeout| timeout.min(limit)));
    sitting.progress.pass(&format!("asking the runtime, because {}", asked.why), Some(usual));
    sitting.prepare(arm)?;
    let order = u32::try_from(sitting.samples.len() + 6).unwrap_or(u32::MAX);
    let slot =
        Slot { arm: u32::try_from(arm).unwrap_or(u32::MAX), order, block: None, stage: Stage::Measure };
    match run::measure(&sitting.rig, &recipe, slot) {
        Ok(measured) => Ok(Ok(measured.sample)),
        Err(source @ RunError::Interrupted { .. }) => Err(sitting.stopped(arm, source)),
        Err(source) => Ok(Err(crate::stop::chain(&source))),
    }
}

/// The run, if what was said in it is said of the program.
fn sound(sitting: &Sitting<'_>, asked: &Asked, sample: Sample, besides: &Besides) -> Result<Sample, String> {
    if !sample.ended.succeeded() && !sitting.ignores_failure() {
        return Err(format!("the run failed: {}", crate::stop::ended_words(sample.ended)));
    }
    let most = match besides {
        Besides::Sites(_) if asked.language == Language::JavaScript => OTHER,
        Besides::Calls => WATCHES,
        _ => return Ok(sample),
    };
    let own = sitting.samples.iter().filter(|other| other.arm == sample.arm && other.stage != Stage::WarmUp);
    // The collector's threads make some runs far dearer than others.
    let usual = own.filter_map(|other| Metric::Cpu.of(other)).max_by(f64::total_cmp);
    let ratio = Metric::Cpu.of(&sample).zip(usual).map(|(own, usual)| own / (usual + STARTING));
    match ratio.filter(|ratio| *ratio > most) {
        Some(ratio) => {
            Err(format!("without inlining it is another program, with {ratio:.1} times the CPU time"))
        }
        None => Ok(sample),
    }
}

/// What makes the runtime sample where objects are made, besides: an option of the JVM, nothing for Node. `None` when that is
/// not wanted; the error says why it cannot be. `left`: seconds that it may take.
fn may_sample(
    sitting: &Sitting<'_>,
    asked: &Asked,
    out: &Path,
    left: Option<f64>,
) -> Result<Option<OsString>, String> {
    match asked.language {
        _ if !asked.sites => Ok(None),
        Language::JavaScript => Ok(Some(OsString::new())),
        Language::Java => {
            let processes = sitting.passes.recording.iter().flat_map(|recording| &recording.processes);
            let release = processes.filter_map(|process| process.runtime.as_deref()?.strip_prefix("java "));
            let number = |text: &str| text.split(['.', '-', '+']).next()?.parse::<u32>().ok();
            if let Some(old) = release.filter_map(number).find(|release| *release < SAMPLING_JVM) {
                return Err(format!("java {old} does not sample them, {SAMPLING_JVM} and later do"));
            }
            if left.is_some_and(|left| left < RECORDER) {
                return Err(TOO_LONG.to_owned());
            }
            let settings = out.join("slowpath.jfc");
            let option = settings.to_str().zip(out.to_str());
            let option = option.and_then(|(settings, out)| tools::jfr::invocation(settings, out));
            option
                .map(|option| Some(option.into()))
                .ok_or_else(|| format!("the JVM cannot be told to record into `{}`", out.display()))
        }
        // Its linker leaves the memory profile out of programs that do not read it themselves.
        _ => Err("Go samples them only in programs that read `runtime.MemProfile` themselves".to_owned()),
    }
}

/// What a run would have told besides is a gap.
fn without(sitting: &mut Sitting<'_>, asked: &Asked, besides: &Besides, why: String) {
    let (what, next) = match (besides, asked.language) {
        (Besides::Calls, Language::Java) => (CALLS, "java -XX:StartFlightRecording"),
        (Besides::Calls, _) => (CALLS, "node --cpu-prof"),
        (_, Language::JavaScript) => (SITES, "node --heap-prof"),
        (_, Language::Java) => (SITES, "java -XX:StartFlightRecording"),
        _ => (SITES, "go test -memprofile"),
    };
    sitting.manifest.gaps.push(Gap::new(what, why, Some(next)));
}

/// Flight recordings of the JVMs. One that cannot be read tells nothing.
fn recorded(out: &Path) -> Vec<tools::jfr::Allocations> {
    let files = fs::read_dir(out).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "jfr"));
    files.filter_map(|path| tools::jfr::parse(&fs::read(path).ok()?).ok()).collect()
}

fn name(language: Language) -> &'static str {
    match language {
        Language::JavaScript => "v8",
        Language::Java => "jvm",
        Language::Go => "go",
        _ => "python",
    }
}

/// The recipe with what makes its runtime talk.
fn dressed(
    plain: Recipe,
    asked: &Asked,
    besides: &Besides,
    out: &Path,
    project: &Path,
    recording: Option<&Recording>,
) -> io::Result<Recipe> {
    fs::create_dir_all(out)?;
    let mut recipe = plain;
    let env = match asked.language {
        Language::JavaScript => {
            let mut env = hooked::node(&recipe.env, out, &NODE.text()?)?;
            match besides {
                Besides::Sites(_) => env.push(("SLOWPATH_SITES".into(), "1".into())),
                Besides::Calls => env.extend(node::lay(&asked.through, asked.waits, out)?),
                Besides::Nothing => {}
            }
            env
        }
        Language::Java => {
            let mut option = OsString::from("'-Xlog:gc:file=");
            option.push(out.join("jvm.%p.log"));
            option.push(":uptime'");
            match besides {
                Besides::Sites(sites) => {
                    fs::write(out.join("slowpath.jfc"), tools::jfr::SETTINGS)?;
                    option.push(" ");
                    option.push(sites);
                }
                Besides::Calls => {
                    let recording = recording.ok_or_else(|| io::Error::other("nothing was recorded"))?;
                    option.push(" ");
                    option.push(jvm::lay(&asked.through, recording, out).map_err(io::Error::other)?);
                }
                Besides::Nothing => {}
            }
            vec![("JAVA_TOOL_OPTIONS".into(), hooked::appended(&recipe.env, "JAVA_TOOL_OPTIONS", &option))]
        }
        Language::Go => {
            recipe.stderr = Output::File(out.join("go.log"));
            let known = recipe.env.iter().find(|(name, _)| name == "GODEBUG").map(|(_, value)| value.clone());
            let mut value =
                known.filter(|known| !known.is_empty()).map_or_else(OsString::new, |mut known| {
                    known.push(",");
                    known
                });
            // The second makes it say something in any case.
            value.push("gctrace=1,inittrace=1");
            vec![("GODEBUG".into(), value)]
        }
        _ => {
            let mut env = hooked::python(&recipe.env, out, &(PYTHON.text()? + &NATIVES.text()?))?;
            env.push(("SLOWPATH_PROJECT".into(), project.into()));
            if asked.repeats {
                let name = |function: &str| function.rsplit('.').next().unwrap_or(function).to_owned();
                let line =
                    |place: &Place| Some(format!("{}\t{}", place.file.as_deref()?, name(&place.function)));
                let packages: Vec<String> = asked.through.iter().filter_map(line).collect();
                env.push(("SLOWPATH_REPEATS".into(), "1".into()));
                env.push(("SLOWPATH_PACKAGES".into(), packages.join("\n").into()));
                let natives = &asked.natives;
                let functions = natives.functions.iter().map(|(file, name)| format!("{file}\t{name}"));
                let spelled = |(file, line): &(String, u32)| format!("{file}\t{line}");
                let (lines, rounds) = (natives.lines.iter().map(spelled), natives.rounds.iter().map(spelled));
                env.push(("SLOWPATH_ROUNDS".into(), rounds.collect::<Vec<_>>().join("\n").into()));
                env.push(("SLOWPATH_NATIVES".into(), functions.collect::<Vec<_>>().join("\n").into()));
                env.push(("SLOWPATH_LINES".into(), lines.collect::<Vec<_>>().join("\n").into()));
            }
            env
        }
    };
    for (name, value) in env {
        recipe.env.retain(|(known, _)| *known != name);
        recipe.env.push((name, value));
    }
    Ok(recipe)
}

/// What each process said.
fn told(language: Language, out: &Path) -> Vec<Told> {
    let mut files: Vec<_> =
        fs::read_dir(out).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let of_log = |collector: Option<Collector>| {
        Some(Told {
            collector: Some(collector?),
            sites: None,
            repeats: Vec::new(),
            costs: Vec::new(),
            steps: Vec::new(),
            natives: Vec::new(),
            copies: Vec::new(),
            watched: None,
            watched_on_cpu: None,
            waits: None,
        })
    };
    let read = |path: &Path| -> Option<Told> {
        let bytes = fs::read(path).ok()?;
        match (language, path.extension()?.to_str()?) {
            (Language::Java, "log") => of_log(tools::collector::jvm(&bytes)),
            (Language::Go, "log") => of_log(tools::collector::go(&bytes)),
            (_, "json") => serde_json::from_slice(&bytes).ok(),
            _ => None,
        }
    };
    files.iter().filter_map(|path| read(path)).collect()
}

/// What the pass would have told is a gap; the user's command after a run is due all the same.
fn left_out(sitting: &mut Sitting<'_>, asked: &Asked, why: String) -> Result<(), Stop> {
    let next = match asked.language {
        Language::JavaScript => "node --trace-gc",
        Language::Java => "java -Xlog:gc",
        Language::Go => "GODEBUG=gctrace=1",
        _ => "gc.callbacks",
    };
    let what = if asked.repeats { WATCHED } else { WHAT };
    sitting.manifest.gaps.push(Gap::new(what, why, Some(next)));
    sitting.conclude(sitting.subject())
}
