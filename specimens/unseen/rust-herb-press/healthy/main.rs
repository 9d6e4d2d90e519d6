// Presses a small markup of herbals into plain text and counts what stands in it.
mod herbal;
mod markup;

use std::collections::BTreeMap;

struct Page {
    text: String,
    depth: usize,
    marks: BTreeMap<String, usize>,
}

fn press(source: &str) -> Result<Page, String> {
    let tree = markup::parse(markup::tokens(source))?;
    let mut page = Page { text: String::new(), depth: 0, marks: BTreeMap::new() };
    visit(&tree, 0, &mut page);
    Ok(page)
}

fn visit(node: &markup::Node, depth: usize, page: &mut Page) {
    page.depth = page.depth.max(depth);
    match node {
        markup::Node::Word(word) => {
            page.text.push_str(word);
            page.text.push(' ');
        }
        markup::Node::Block(name, children) => {
            *page.marks.entry(name.clone()).or_default() += 1;
            for child in children {
                visit(child, depth + 1, page);
            }
        }
    }
}

/// A seal that is dear to forge.
fn seal(text: &str, rounds: u64) -> u64 {
    (0..rounds).fold(5381, |seal, round| text.bytes().fold(seal ^ round, |sum, byte| sum.wrapping_mul(33) ^ u64::from(byte)))
}

fn main() {
    let plants = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(500);
    let source = herbal::write(plants);
    match press(&source) {
        Ok(page) => {
            let seal = seal(&page.text, 300);
            println!("letters {} deepest {} marks {:?} seal {seal:x}", page.text.len(), page.depth, page.marks);
        }
        Err(error) => {
            eprintln!("press: {error}");
            std::process::exit(1);
        }
    }
}
