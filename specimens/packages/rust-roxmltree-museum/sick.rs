//! Reads the catalogue of a museum and says in which lines the things without a year stand.

use std::fmt::Write;

use roxmltree::{Document, Node};

fn catalogue(things: usize) -> String {
    let mut text = String::from("<museum>\n");
    for thing in 0..things {
        let year = if thing % 4 == 1 { String::new() } else { format!(" year=\"{}\"", 1500 + thing * 7 % 500) };
        writeln!(text, "  <thing room=\"{}\"{year}>\n    <name>Vase {thing}</name>\n  </thing>", thing % 30).unwrap();
    }
    text + "</museum>\n"
}

fn is_incomplete(thing: &Node) -> bool {
    thing.has_tag_name("thing") && !thing.has_attribute("year")
}

fn incomplete(museum: &Document) -> Vec<u32> {
    let things = museum.descendants().filter(is_incomplete);
    things.map(|thing| museum.text_pos_at(thing.range().start).row).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let things = std::env::args().nth(1).ok_or("how many things?")?.parse()?;
    let text = catalogue(things);
    let museum = Document::parse(&text)?;
    let rows = incomplete(&museum);
    let sum: u64 = rows.iter().map(|&row| u64::from(row)).sum();
    println!("{} things without a year, the last in line {:?}, sum {sum}", rows.len(), rows.last());
    Ok(())
}
