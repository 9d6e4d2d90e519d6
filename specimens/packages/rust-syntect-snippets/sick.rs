//! Colours the snippets of a newsletter for the web and weighs the pages.

use syntect::highlighting::ThemeSet;
use syntect::html::highlighted_html_for_string;
use syntect::parsing::SyntaxSet;

struct Snippet {
    language: &'static str,
    code: String,
}

fn snippets(count: usize) -> Vec<Snippet> {
    (0..count)
        .map(|at| match at % 3 {
            0 => Snippet { language: "rs", code: format!("fn tide(hour: u32) -> u32 {{\n    hour * {at} % 24 // high\n}}\n") },
            1 => Snippet { language: "py", code: format!("def tide(hour):\n    return hour * {at} % 24  # high\n") },
            _ => Snippet { language: "js", code: format!("const tide = (hour) => hour * {at} % 24; // high\n") },
        })
        .collect()
}

fn colour(snippet: &Snippet) -> String {
    let syntaxes = SyntaxSet::load_defaults_newlines();
    let themes = ThemeSet::load_defaults();
    let syntax = syntaxes.find_syntax_by_extension(snippet.language).expect("a language that is known");
    highlighted_html_for_string(&snippet.code, &syntaxes, syntax, &themes.themes["InspiredGitHub"]).expect("a page")
}

fn main() {
    let count = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("how many snippets?");
    let pages: Vec<String> = snippets(count).iter().map(colour).collect();
    let coloured = pages.iter().map(|page| page.matches("<span").count()).sum::<usize>();
    println!("{} pages, {coloured} spans, {} bytes", pages.len(), pages.iter().map(String::len).sum::<usize>());
}
