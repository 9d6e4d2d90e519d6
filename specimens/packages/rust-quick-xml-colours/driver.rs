//! Reads the colours of a theme, which an editor keeps as attributes of one element.

use std::error::Error;

use quick_xml::events::Event;
use quick_xml::reader::Reader;

fn theme(colours: usize) -> String {
    let mut text = String::from("<themes><theme name=\"night\"");
    for colour in 0..colours {
        text.push_str(&format!(" scope-{colour}=\"#{:06x}\"", colour * 7919 % 0x1000000));
    }
    text.push_str("/></themes>");
    text
}

fn dark(text: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let mut reader = Reader::from_str(text);
    let (mut all, mut dark) = (0, 0);
    loop {
        match reader.read_event()? {
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    let attribute = attribute?;
                    all += 1;
                    dark += usize::from(attribute.value.starts_with(b"#0"));
                }
            }
            Event::Eof => return Ok((all, dark)),
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let colours = std::env::args().nth(1).ok_or("how many colours?")?.parse()?;
    let (all, dark) = dark(&theme(colours))?;
    println!("{all} {dark}");
    Ok(())
}
