//! Encoders: what was concluded, as terminal text, Markdown, CSV or JSON, pictures as SVG, recordings in other tools'
//! formats, and the JSON Schemas of the wire types.
//!
//! Nothing is concluded and nothing is printed here. Each wire value becomes one [`document`], which says what
//! stands where; [`terminal`] and [`markdown`] write any document and make every text in it [`inert`].

mod account;
mod bench;
mod compare;
mod csv;
mod doctor;
mod document;
mod explained;
pub mod export;
mod findings;
pub mod flame;
mod gate;
pub mod html;
mod inert;
mod json;
mod machine_code;
mod map;
mod markdown;
mod notes;
mod number;
mod page;
mod profile;
mod scale;
mod score;
mod simulated;
mod spark;
mod stack;
mod suite;
mod summary;
mod terminal;
mod verify;
mod waiting;
mod words;
mod worklist;
mod yaml;

pub use csv::{bench_csv, profile_csv};
pub use gate::{answer_sarif, gate_junit, gate_markdown, gate_sarif, gate_text};
pub use json::{json, schemas};
pub use map::{map_profile_result, map_worker_result, map_worker_summary};
pub use markdown::{
    answer_markdown, bench_markdown, compare_markdown, doctor_markdown, machine_code_markdown,
    profile_markdown, scale_markdown,
};
pub use page::Page;
pub use scale::svg as scale_svg;
pub use summary::summary_markdown;
pub use terminal::{
    answer_text, bench_text, compare_text, doctor_text, inert_text, machine_code_text, profile_text,
    profile_tree, scale_text,
};
pub use verify::{verify_markdown, verify_text};
pub use worklist::worklist_markdown;
pub use yaml::yaml;
