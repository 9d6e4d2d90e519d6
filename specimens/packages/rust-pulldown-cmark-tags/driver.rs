use pulldown_cmark::{html, Event, Parser, Tag};

struct Page {
    title: String,
    body: String,
}

fn write_pages(pages: usize, steps: usize) -> Vec<Page> {
    let words = ["header", "sidebar", "footer", "article", "comment", "gallery"];
    (0..pages)
        .map(|p| {
            let mut body = format!("# Theme guide {}\n\n", p + 1);
            for s in 0..steps {
                let word = words[(p + s) % words.len()];
                body.push_str("Open the ");
                body.push_str(word);
                body.push_str(" template with <?php and call the ");
                body.push_str(word);
                body.push_str(" hook\n");
            }
            Page { title: format!("guide-{}", p + 1), body }
        })
        .collect()
}

fn render_page(page: &Page) -> String {
    let mut out = String::with_capacity(page.body.len() * 3 / 2);
    html::push_html(&mut out, Parser::new(&page.body));
    out
}

fn count_paragraphs(page: &Page) -> usize {
    Parser::new(&page.body)
        .filter(|event| matches!(event, Event::Start(Tag::Paragraph)))
        .count()
}

fn main() {
    let steps: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(4000);
    let pages = write_pages(3, steps);
    let mut paragraphs = 0;
    let mut titles = 0;
    let mut mentions = 0;
    for page in &pages {
        let rendered = render_page(page);
        mentions += rendered.matches("hook").count();
        paragraphs += count_paragraphs(page);
        titles += page.title.len();
    }
    println!("pages {} titles {} paragraphs {} hooks {}", pages.len(), titles, paragraphs, mentions);
}
