//! The worklist of a run, written beside its answer.

use diagnose::worklist::worklist;
use model::worklist::{TEXT, WORKLIST};

use crate::document::Document;
use crate::sitting::Sitting;
use crate::stop::Stop;

/// Stores the worklist of an answer in the run folder; other documents have none.
pub(crate) fn write(sitting: &Sitting<'_>, document: Option<&Document>) -> Result<(), Stop> {
    let Some(Document::Why(answer)) = document else { return Ok(()) };
    let list = worklist(answer);
    sitting.put(WORKLIST, ::report::json(&list).as_bytes())?;
    sitting.put(TEXT, ::report::worklist_markdown(&list).as_bytes()).map(|_| ())
}
