//! Renders a page of a wiki: one long line of links to the other pages.

use std::error::Error;

use comrak::{ComrakOptions, markdown_to_html};

fn page(links: usize) -> String {
    let mut page = String::from("# All pages\n\n");
    for link in 0..links {
        page.push_str(&format!("[page {link}](/wiki/{link}) "));
    }
    page
}

fn main() -> Result<(), Box<dyn Error>> {
    let links = std::env::args().nth(1).ok_or("how many links?")?.parse()?;
    let html = markdown_to_html(&page(links), &ComrakOptions::default());
    println!("{}", html.matches("<a href").count());
    Ok(())
}
