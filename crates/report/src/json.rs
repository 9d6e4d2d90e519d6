//! The wire values as JSON, and what their JSON looks like as JSON Schema.

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json as value};

use crate::inert;

/// Pretty, fields in the order of the type, with a newline at the end.
#[must_use]
pub fn json<T: Serialize>(document: &T) -> String {
    match serde_json::to_string_pretty(document) {
        Ok(text) => inert::json(&text) + "\n",
        Err(error) => unreachable!("wire types are plain records with text keys: {error}"),
    }
}

/// The JSON Schema (2020-12) of each file that slowpath writes, by the file's name without ending.
#[must_use]
pub fn schemas() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("answer", versioned::<model::answer::Answer>(model::answer::SCHEMA)),
        ("bench", versioned::<model::bench::Bench>(model::bench::SCHEMA)),
        ("compare", versioned::<model::compare::Compare>(model::compare::SCHEMA)),
        ("counted", plain::<model::sample::Counted>()),
        ("doctor", versioned::<model::doctor::Doctor>(model::doctor::SCHEMA)),
        ("baseline", versioned::<model::gate::Saved>(model::gate::BASELINE_SCHEMA)),
        ("findings", plain::<Vec<model::scorecard::Finding>>()),
        ("ledger", versioned::<model::scorecard::LedgerEntry>(model::scorecard::LEDGER_SCHEMA)),
        ("summary", versioned::<model::summary::Summary>(model::summary::SCHEMA)),
        ("gate", versioned::<model::gate::Gate>(model::gate::SCHEMA)),
        ("verify", versioned::<model::verify::Verify>(model::verify::SCHEMA)),
        (
            "performance_map",
            versioned::<model::performance_map::PerformanceMap>(model::performance_map::SCHEMA),
        ),
        ("profile", versioned::<model::profile::Profile>(model::profile::SCHEMA)),
        ("recording", versioned::<model::recording::Recording>(model::recording::SCHEMA)),
        ("run", versioned::<model::manifest::Manifest>(model::manifest::SCHEMA)),
        ("scale", versioned::<model::scale::Scale>(model::scale::SCHEMA)),
        ("sample", plain::<model::Sample>()),
        ("runtime", versioned::<model::runtime::Runtime>(model::runtime::SCHEMA)),
        ("worklist", versioned::<model::worklist::Worklist>(model::worklist::SCHEMA)),
        ("simulated", versioned::<model::simulated::Simulated>(model::simulated::SCHEMA)),
    ])
}

fn plain<T: JsonSchema>() -> Value {
    SchemaGenerator::default().into_root_schema_for::<T>().to_value()
}

/// The schema of a document that names its version: no other version is valid.
fn versioned<T: JsonSchema>(name: &str) -> Value {
    let mut schema = plain::<T>();
    if let Some(field) = schema.pointer_mut("/properties/schema") {
        *field = value!({ "const": name });
    }
    schema
}
