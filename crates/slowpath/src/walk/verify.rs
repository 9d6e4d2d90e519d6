//! `slowpath verify`: an old and a new program, against what a stored finding promised.

mod before;

use std::fs;
use std::path::Path;

use diagnose::verify::{metric_of, next};
use history::Loaded;
use model::answer::{Answer, Finding};
use model::compare::{Comparable, Settings};
use model::manifest::{Kind, Manifest};
use model::standing::Before;
use model::verify::{ASKED, Asked, Behaviour, Outcome, Prediction, Tests};
use model::{Arg, Arm, Exit, Gap};
use run::stdio::{Captured, Output};

use crate::cli::tier::{Tier, TierOptions};
use crate::cli::verify::Verify;
use crate::document::{Document, Form, conclude};
use crate::hook::{shell, stopped};
use crate::request::{self, Written};
use crate::show::{self, End};
use crate::sitting::{Plan, Sitting};
use crate::stop::Stop;
use crate::walk::compare::measure_until;
use crate::walk::count;
use crate::walk::revision::{Build, Revisions};
use crate::walk::stored::{self, Source};
use crate::walk::tier;
use crate::walk::why::{account, settings};

/// The arms of the old and of the new program.
const OLD: usize = 0;
const NEW: usize = 1;

pub(crate) fn verify(asked: &Verify) -> Result<End, Stop> {
    let (promised, prediction, before) = promise(asked)?;
    // The worktrees live until the answer is given, whatever it is.
    let (arms, _revisions) = arms(asked, &promised.manifest)?;
    let plan = Plan { kind: Kind::Verify, arms, settings: wanted(asked)?, gaps: Vec::new(), starts: true };
    let mut sitting = Sitting::open(plan, &asked.target, &asked.show)?;
    let mut question = Asked {
        prediction,
        tests: None,
        behaviour: Behaviour::Unchecked { why: "nothing ran".to_owned() },
        allowed: asked.allow.iter().filter_map(|price| price.metric()).collect(),
        allowed_dimensions: asked
            .allow
            .iter()
            .filter_map(|price| price.dimension().map(str::to_owned))
            .collect(),
        before: Some(before),
    };
    let (comparable, differences) =
        diagnose::comparable::comparable(&promised.manifest.fingerprint, &sitting.manifest.fingerprint);
    question.prediction.comparable = comparable;
    question.prediction.differences = differences;
    let depth = asked.tier.unwrap_or_else(|| before::depth(&promised.passes));
    let outcome = measure(&mut sitting, asked, &mut question, depth);
    let stored = sitting.store(ASKED, &question);
    let outcome = sitting.end(outcome.and(stored));
    let run = Loaded {
        manifest: sitting.manifest.clone(),
        samples: std::mem::take(&mut sitting.samples),
        counted: std::mem::take(&mut sitting.counted),
        passes: std::mem::take(&mut sitting.passes),
        gaps: sitting.gaps(),
    };
    let document = document(&run, &question);
    (sitting.samples, sitting.counted, sitting.passes) = (run.samples, run.counted, run.passes);
    show::finish(&sitting, Some(&document), outcome, &asked.show, Form::of(&asked.show, false))?;
    Ok(End::Exit(exit(&document)))
}

fn exit(document: &Document) -> Exit {
    let Document::Verify(verify) = document else { return Exit::Defect };
    match verify.verdict {
        Outcome::Accepted => Exit::Answered,
        Outcome::Refuted => Exit::GateBroken,
        Outcome::Undecided => Exit::Inconclusive,
    }
}

fn document(run: &Loaded, question: &Asked) -> Document {
    let gaps: Vec<Gap> = run.manifest.gaps.iter().chain(&run.gaps).cloned().collect();
    let verify =
        diagnose::verify::verify(&run.manifest, &run.samples, &run.counted, &run.passes, question, &gaps);
    Document::Verify(Box::new(verify))
}

/// A stored run of `verify`, concluded again.
pub(crate) fn again(folder: &Path, run: &Loaded) -> Result<Document, Stop> {
    let path = folder.join(ASKED);
    let unreadable = |why: String| Stop::NotRead {
        path: path.clone(),
        why,
        next: "the run was killed before it measured anything, or the folder is damaged: verify again"
            .to_owned(),
    };
    let bytes = fs::read(&path).map_err(|error| unreadable(error.to_string()))?;
    let question = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
    Ok(document(run, &question))
}

/// The stored run, what its finding promises, and its scorecard.
fn promise(asked: &Verify) -> Result<(Box<Loaded>, Prediction, Before), Stop> {
    let not_an_answer = |what: String| Stop::Usage {
        what,
        why: None,
        next: "name a run of `slowpath -- COMMAND`; `slowpath compare` needs no finding".to_owned(),
    };
    let Source::Run(run) = stored::load(&asked.run)? else {
        return Err(not_an_answer(format!("`{}` is not a run of slowpath", asked.run.display())));
    };
    let answer = match conclude(&run.manifest, &run.samples, &run.counted, &run.passes, &run.gaps) {
        Some(Document::Why(answer)) => answer,
        _ => return Err(not_an_answer(format!("run {} asks nothing that can be verified", run.manifest.id))),
    };
    let finding = finding(&answer, asked.finding.as_deref()).ok_or_else(|| {
        let found: Vec<&str> = answer.findings.iter().map(|finding| finding.id.as_str()).collect();
        let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
        not_an_answer(match &asked.finding {
            Some(id) => format!("run {} has no finding `{id}`: it has {found}", answer.run),
            None => format!("run {} has no finding to verify", answer.run),
        })
    })?;
    let metric = asked.metric.map(|metric| metric.metric());
    let prediction = Prediction {
        run: answer.run.clone(),
        metric: metric.unwrap_or_else(|| metric_of(finding, asked.count.count)),
        finding: finding.clone(),
        wall_s: answer.wall.median_s,
        comparable: Comparable::Fully,
        differences: Vec::new(),
    };
    if prediction.metric == model::Metric::Instructions && !asked.count.count {
        return Err(Stop::usage("instructions decide, but nobody counts them", "add `--count`"));
    }
    let before = before::of(&answer, &run);
    Ok((run, prediction, before))
}

fn finding<'a>(answer: &'a Answer, wanted: Option<&str>) -> Option<&'a Finding> {
    match wanted {
        None => answer.findings.first(),
        Some(wanted) => answer.findings.iter().find(|finding| {
            finding.id == wanted || finding.cause == wanted || finding.rank.to_string() == wanted
        }),
    }
}

/// The old and the new program: the stored command and the one after `--`, or the stored one in two revisions.
fn arms(asked: &Verify, promised: &Manifest) -> Result<(Vec<Arm>, Option<Revisions>), Stop> {
    let Some(old) = promised.arms.first().cloned() else {
        return Err(Stop::usage(format!("run {} has no command", promised.id), "name another run"));
    };
    if let Some(range) = &asked.rev {
        let mut old = old;
        old.target.env.extend(variables(asked));
        let build = Build { text: asked.build.as_deref(), arm: &old, at: None, quiet: asked.show.quiet };
        let revisions = Revisions::check_out(range, &build)?;
        return Ok((revisions.arms(&old, None), Some(revisions)));
    }
    let written = Written::spelled(&asked.argv, asked.target.shell);
    let mut old = old;
    old.target.cwd = old.target.cwd.or_else(|| elsewhere(promised));
    let mut arms = vec![old.clone()];
    for mut new in request::arms(&[written], &[], &[], &asked.target)? {
        // What the finding was made under holds for the new program too, unless the user says otherwise.
        new.target.cwd = new.target.cwd.or_else(|| old.target.cwd.clone());
        let mut env = old.target.env.clone();
        env.extend(variables(asked));
        new.target.env = env;
        if new.label == old.label {
            new.label = format!("{} (new)", new.label);
        }
        arms.push(new);
    }
    Ok((arms, None))
}

fn variables(asked: &Verify) -> impl Iterator<Item = (String, Arg)> {
    asked.target.env.iter().map(|variable| (variable.name.clone(), Arg::from(variable.value.as_str())))
}

/// Where the old run was made, if that is not here.
fn elsewhere(promised: &Manifest) -> Option<Arg> {
    let here = std::env::current_dir().ok()?;
    (promised.cwd.as_os_str() != here.as_os_str()).then(|| promised.cwd.clone())
}

fn wanted(asked: &Verify) -> Result<Settings, Stop> {
    Ok(Settings {
        margin: asked.margin.0,
        pairs: Some(asked.pairs),
        count: asked.count.count,
        startup: count::startup(&asked.count, &asked.target)?,
        ..settings(&asked.target, None, 0.0, 0.0)
    })
}

/// Tests, behaviour, blocks, counts, one recorded run of the new program and the instruments of the tier. What is refuted
/// is not measured.
fn measure(sitting: &mut Sitting<'_>, asked: &Verify, question: &mut Asked, tier: Tier) -> Result<(), Stop> {
    if let Some(tests) = &asked.tests {
        sitting.progress.draw("testing the new program", None);
        question.tests = Some(tested(sitting, tests)?);
        if question.tests.as_ref().is_some_and(|tests| !tests.ended.succeeded()) {
            return Ok(());
        }
    }
    sitting.progress.draw("comparing what both print", None);
    question.behaviour = behaviour(sitting, asked)?;
    if matches!(question.behaviour, Behaviour::OutputDiffers { .. } | Behaviour::EndsDifferently { .. }) {
        return Ok(());
    }
    sitting.store(ASKED, question)?;
    measure_until(sitting, next)?;
    count::pass(sitting)?;
    if asked.no_record {
        return Ok(());
    }
    sitting.look_at(NEW);
    account(sitting, &asked.recorder)?;
    let options = TierOptions {
        tier,
        sizes: None,
        size: None,
        expected: None,
        source_prefix: Vec::new(),
        limit: asked.limit,
    };
    tier::gather(sitting, &options)
}

fn tested(sitting: &Sitting<'_>, text: &std::ffi::OsString) -> Result<Tests, Stop> {
    let Some(arm) = sitting.manifest.arms.get(NEW) else {
        return Err(Stop::Defect { what: "there is no new program".to_owned() });
    };
    let mut recipe = shell(text, arm)?;
    recipe.stderr = Output::Capture;
    let (ended, said) = run::beside(&sitting.rig, &recipe).map_err(|source| stopped(text, source))?;
    if !ended.succeeded() {
        let said =
            String::from_utf8_lossy(said.as_ref().map(Captured::tail).unwrap_or_default()).into_owned();
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        if let Some(last) = last {
            show::complain(&format!("tests: {}\n", crate::stop::inert(last)));
        }
    }
    Ok(Tests { command: text.to_string_lossy().into_owned(), ended })
}

/// One run of each; where they print different things, the old one once more, to see whether it repeats itself.
fn behaviour(sitting: &mut Sitting<'_>, asked: &Verify) -> Result<Behaviour, Stop> {
    if asked.target.cold {
        return Ok(Behaviour::Unchecked { why: "runs are cold and dear".to_owned() });
    }
    let (old_end, old) = sitting.behaviour(OLD)?;
    if !old_end.succeeded() && !asked.target.ignore_failure {
        return Err(Stop::TargetFailed {
            command: sitting.label(OLD),
            run: 1,
            ended: old_end,
            said: None,
            stdin: run::stdio::Input::Inherit,
        });
    }
    let (new_end, new) = sitting.behaviour(NEW)?;
    if new_end != old_end {
        return Ok(Behaviour::EndsDifferently { base: old_end, new: new_end });
    }
    if asked.other_output {
        return Ok(Behaviour::Unchecked { why: "another output was allowed".to_owned() });
    }
    if old == new {
        return Ok(Behaviour::Same);
    }
    let (_, repeated) = sitting.behaviour(OLD)?;
    Ok(if repeated == old { Behaviour::OutputDiffers { base: old, new } } else { Behaviour::Unsteady })
}
