//! `slowpath report`: a stored run, concluded and shown again; another tool's file, as if it were one.

use std::path::Path;

use diagnose::profile::{Context, profile};
use model::Exit;
use model::machine_code::MachineCode;
use model::manifest::{Kind, SAMPLES};

use crate::cli::Report;
use crate::document::{Document, Form, conclude};
use crate::show::{self, End};
use crate::stop::Stop;
use crate::walk::stored::{Source, load, summarise};
use crate::walk::{gate, import, map, page, score, stored, suite, verify};

pub(crate) fn report(report: &Report) -> Result<End, Stop> {
    if report.html {
        return page::page(report);
    }
    if report.map {
        return map::print(&report.run);
    }
    let (document, audits) = read(&report.run)?;
    if report.csv && !matches!(document, Document::Bench(_) | Document::Profile(_)) {
        return Err(Stop::usage(
            "only a benchmark or a recording can be written as CSV",
            "`--json` has everything",
        ));
    }
    let form = Form::of(&report.show, report.csv).with_tree(report.tree);
    let page = show::page(&report.show);
    show::print(&show::with_audits(document.render(form, &page), &audits, form, &page))?;
    Ok(End::Exit(Exit::Answered))
}

/// What a stored run or another tool's file says.
pub(crate) fn document(name: &Path) -> Result<Document, Stop> {
    read(name).map(|(document, _)| document)
}

/// The same, with the machine code that stands below it.
fn read(name: &Path) -> Result<(Document, Vec<MachineCode>), Stop> {
    let alone = |document| (document, Vec::new());
    if import::is_recording(name) {
        let recording = import::read(name, None)?;
        let context = Context { run: name.display().to_string(), ..Context::default() };
        return Ok(alone(Document::Profile(Box::new(profile(&recording, &context)))));
    }
    match load(name)? {
        Source::Run(run) if run.manifest.kind == Kind::Verify => {
            verify::again(&stored::folder(name)?, &run).map(alone)
        }
        Source::Run(run) if run.manifest.kind == Kind::Gate => {
            gate::again(&stored::folder(name)?, &run).map(alone)
        }
        Source::Run(run) => {
            let folder = stored::folder(name)?;
            let concluded = conclude(&run.manifest, &run.samples, &run.counted, &run.passes, &run.gaps)
                .or_else(|| suite::growth(&run.manifest, &run.gaps, &folder));
            let mut document = concluded.ok_or_else(|| Stop::Nothing {
                why: match run.gaps.iter().find(|gap| gap.what == SAMPLES) {
                    Some(gap) => format!("`{}`: {}", gap.what, gap.why),
                    None => format!("run {} ended before its first counted run", run.manifest.id),
                },
                next: "measure again".to_owned(),
            })?;
            stored::add_kept(&mut document, &folder);
            score::add(&mut document, &run.manifest, &run.samples, &run.passes);
            Ok((document, show::audits(&run.manifest, &run.passes)))
        }
        Source::File(label, saved) => Ok(alone(Document::Bench(Box::new(summarise(&label, &saved))))),
    }
}
