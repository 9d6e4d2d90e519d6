//! Reads the patterns of a knitting club and lists, by line, where a row asks for more stitches than the needle holds.

use pest::Parser;
use pest::iterators::Pair;
use pest_derive::Parser;

#[derive(Parser)]
#[grammar_inline = r#"
WHITESPACE = _{ " " }
count = { ASCII_DIGIT+ }
stitch = { ^"k" | ^"p" | "yo" | "sl" }
step = { stitch ~ count }
row = { "row" ~ count ~ ":" ~ step ~ ("," ~ step)* ~ NEWLINE }
pattern = { SOI ~ row* ~ EOI }
"#]
struct Patterns;

struct Step {
    line: usize,
    column: usize,
    stitches: u32,
}

fn club(rows: u32) -> String {
    let mut text = String::new();
    for row in 0..rows {
        text.push_str(&format!("row {row}: k{}, p{}, yo{}\n", 1 + row % 17, 2 + row * 7 % 23, 1 + row % 3));
    }
    text
}

fn step(pair: Pair<Rule>) -> Step {
    let (line, column) = pair.line_col();
    let count = pair.into_inner().nth(1).expect("a count");
    Step { line, column, stitches: count.as_str().parse().expect("a number") }
}

fn steps(text: &str) -> Vec<Step> {
    let pattern = Patterns::parse(Rule::pattern, text).expect("a pattern").next().expect("one pattern");
    pattern
        .into_inner()
        .filter(|row| row.as_rule() == Rule::row)
        .flat_map(|row| row.into_inner().filter(|part| part.as_rule() == Rule::step))
        .map(step)
        .collect()
}

fn main() {
    let rows = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("how many rows?");
    let steps = steps(&club(rows));
    let wide: Vec<&Step> = steps.iter().filter(|step| step.stitches > 22).collect();
    let columns: usize = steps.iter().map(|step| step.column).sum();
    println!("{} steps, {} too wide, the last at line {}, columns {columns}", steps.len(), wide.len(), wide.last().map_or(0, |step| step.line));
}
