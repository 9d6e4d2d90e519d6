//! Samples → document → text. Pure from the samples on, so a stored run is concluded again as it was the first time.

use model::answer::Answer;
use model::bench::Bench;
use model::compare::{Comparable, Compare, Difference};
use model::doctor::Doctor;
use model::fingerprint::Fingerprint;
use model::gate::Gate;
use model::manifest::{Kind, Manifest};
use model::passes::Passes;
use model::profile::Profile;
use model::recording::Recording;
use model::sample::Counted;
use model::scale::Scale;
use model::verify::Verify;
use model::{Gap, Sample};
use report::Page;
use report::html::{Sheet, Told};

use crate::cli::ShowOptions;

/// What a command answers.
pub(crate) enum Document {
    Why(Box<Answer>),
    Bench(Box<Bench>),
    Compare(Box<Compare>),
    Doctor(Box<Doctor>),
    Profile(Box<Profile>),
    Scale(Box<Scale>),
    Verify(Box<Verify>),
    Gate(Box<Gate>),
}

/// What a page shows besides its document.
pub(crate) struct Parts<'a> {
    /// `None` without a run folder.
    pub(crate) manifest: Option<&'a Manifest>,
    pub(crate) samples: &'a [Sample],
    pub(crate) passes: &'a Passes,
    /// An earlier recording.
    pub(crate) before: Option<&'a Recording>,
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    /// Text, with the call tree.
    Tree,
    Json,
    Markdown,
    Csv,
}

impl Form {
    pub(crate) fn of(show: &ShowOptions, csv: bool) -> Self {
        match (show.json, show.markdown, csv) {
            (true, _, _) => Self::Json,
            (_, true, _) => Self::Markdown,
            (_, _, true) => Self::Csv,
            _ => Self::Text,
        }
    }

    pub(crate) fn with_tree(self, tree: bool) -> Self {
        if tree && self == Self::Text { Self::Tree } else { self }
    }
}

impl Document {
    pub(crate) fn render(&self, form: Form, page: &Page) -> String {
        match (self, form) {
            (_, Form::Json) => self.json(),
            (Self::Bench(bench), Form::Csv) => report::bench_csv(bench),
            (Self::Why(answer), Form::Markdown) => report::answer_markdown(answer),
            (Self::Bench(bench), Form::Markdown) => report::bench_markdown(bench),
            (Self::Compare(compare), Form::Markdown) => report::compare_markdown(compare),
            (Self::Doctor(doctor), Form::Markdown) => report::doctor_markdown(doctor),
            (Self::Profile(profile), Form::Csv) => report::profile_csv(profile),
            (Self::Profile(profile), Form::Markdown) => report::profile_markdown(profile),
            (Self::Verify(verify), Form::Markdown) => report::verify_markdown(verify),
            (Self::Verify(verify), _) => report::verify_text(verify, page),
            (Self::Gate(gate), Form::Markdown) => report::gate_markdown(gate),
            (Self::Gate(gate), _) => report::gate_text(gate, page),
            (Self::Scale(scale), Form::Markdown) => report::scale_markdown(scale),
            (Self::Scale(scale), _) => report::scale_text(scale, page),
            (Self::Why(answer), _) => report::answer_text(answer, page),
            (Self::Bench(bench), _) => report::bench_text(bench, page),
            (Self::Compare(compare), _) => report::compare_text(compare, page),
            (Self::Doctor(doctor), _) => report::doctor_text(doctor, page),
            (Self::Profile(profile), Form::Tree) => report::profile_tree(profile, page),
            (Self::Profile(profile), _) => report::profile_text(profile, page),
        }
    }

    /// The page of a run, with what it shows besides the document. `None` for what has no page.
    pub(crate) fn html(&self, parts: &Parts<'_>) -> Option<String> {
        let told = match self {
            Self::Why(answer) => Told::Why(answer),
            Self::Bench(bench) => Told::Bench(bench),
            Self::Compare(compare) => Told::Compare(compare),
            Self::Profile(profile) => Told::Profile(profile),
            Self::Scale(scale) => Told::Scale(scale),
            Self::Verify(verify) => Told::Verify(verify),
            Self::Gate(gate) => Told::Gate(gate),
            Self::Doctor(_) => return None,
        };
        let Parts { manifest, samples, passes, before } = *parts;
        Some(report::html::html(&Sheet { told, manifest, samples, passes, before }))
    }

    pub(crate) fn json(&self) -> String {
        match self {
            Self::Why(answer) => report::json(answer),
            Self::Bench(bench) => report::json(bench),
            Self::Compare(compare) => report::json(compare),
            Self::Doctor(doctor) => report::json(doctor),
            Self::Profile(profile) => report::json(profile),
            Self::Scale(scale) => report::json(scale),
            Self::Verify(verify) => report::json(verify),
            Self::Gate(gate) => report::json(gate),
        }
    }
}

/// Concludes a run of any kind. `None` when no run counts.
pub(crate) fn conclude(
    manifest: &Manifest,
    samples: &[Sample],
    counted: &[Counted],
    passes: &Passes,
    gaps: &[Gap],
) -> Option<Document> {
    let gaps: Vec<Gap> = manifest.gaps.iter().chain(gaps).cloned().collect();
    if matches!(manifest.kind, Kind::Record | Kind::Import) {
        let profile = diagnose::recorded::of_run(manifest, samples, passes.recording.as_ref()?, &gaps);
        return Some(Document::Profile(Box::new(profile)));
    }
    // A program that was watched and not timed has no samples.
    let watched = manifest.kind == Kind::Why && samples.is_empty() && passes.recording.is_some();
    if !watched {
        samples.iter().find(|sample| sample.block.is_some())?;
    }
    Some(match manifest.kind {
        Kind::Why => {
            let answer = diagnose::answer::answer(manifest, samples, counted, passes, &gaps)?;
            Document::Why(Box::new(answer))
        }
        // The latter two need more than one run's samples; their walks conclude them.
        Kind::Record | Kind::Import | Kind::Verify | Kind::Gate => return None,
        Kind::Scale => Document::Scale(Box::new(diagnose::scale::scale(manifest, samples, counted, &gaps)?)),
        Kind::Bench => Document::Bench(Box::new(diagnose::bench::bench(manifest, samples, counted, &gaps))),
        // A command against itself is a comparison too; `doctor` adds what it means for the machine.
        Kind::Compare | Kind::Noise => {
            let comparable = same_sitting(&manifest.fingerprint);
            Document::Compare(Box::new(diagnose::compare::compare(
                manifest, samples, counted, comparable, &gaps,
            )))
        }
    })
}

/// Within one sitting the machine is the same one, also where its facts are unknown: only the programs may differ.
fn same_sitting(fingerprint: &Fingerprint) -> (Comparable, Vec<Difference>) {
    let side = |arm: usize| Fingerprint {
        programs: fingerprint.programs.get(arm).cloned().into_iter().collect(),
        ..fingerprint.clone()
    };
    let (_, mut differences) = diagnose::comparable::comparable(&side(0), &side(1));
    differences.retain(|difference| difference.base.is_some() || difference.new.is_some());
    let comparable = if differences.is_empty() { Comparable::Fully } else { Comparable::Advisory };
    (comparable, differences)
}
