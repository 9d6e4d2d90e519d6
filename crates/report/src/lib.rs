//! Encoders: what was concluded, as terminal text, Markdown, CSV or JSON, and the JSON Schemas of the wire types.
//!
//! Nothing is concluded and nothing is printed here. Each wire value becomes one [`document`], which says what
//! stands where; [`terminal`] and [`markdown`] write any document and make every text in it [`inert`].

mod bench;
mod compare;
mod csv;
mod doctor;
mod document;
mod explained;
mod inert;
mod json;
mod markdown;
mod notes;
mod number;
mod page;
mod spark;
mod terminal;
mod words;

pub use csv::bench_csv;
pub use json::{json, schemas};
pub use markdown::{answer_markdown, bench_markdown, compare_markdown, doctor_markdown};
pub use page::Page;
pub use terminal::{answer_text, bench_text, compare_text, doctor_text};
