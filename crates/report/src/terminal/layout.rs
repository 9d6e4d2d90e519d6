//! Words into lines of a given width. All text here is inert already.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Row;
use crate::document::{Ink, Line, Span};

pub(super) fn width_of(row: &[Span]) -> usize {
    row.iter().map(|span| span.text.width()).sum()
}

/// The line broken at spaces, behind a first and a further indent.
pub(super) fn paragraph(line: &Line, columns: usize, first: &str, further: &str) -> Vec<Row> {
    let [room, rest] = [first, further].map(|indent| columns.saturating_sub(indent.width()));
    let indent = |at: usize| Span { text: if at == 0 { first } else { further }.to_owned(), ink: Ink::Plain };
    hung(line, room, rest)
        .into_iter()
        .enumerate()
        .map(|(at, mut row)| {
            row.insert(0, indent(at));
            row
        })
        .collect()
}

/// The line broken at spaces to at most this width; a longer word is broken anywhere.
pub(super) fn wrapped(line: &Line, room: usize) -> Vec<Row> {
    hung(line, room, room)
}

/// The same, with another width for the first line than for the rest.
fn hung(line: &Line, first: usize, rest: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut row: Row = Vec::new();
    let mut used = 0;
    for word in words(line).into_iter().flat_map(|word| broken(word, first.min(rest))) {
        let width = width_of(&word);
        let room = if rows.is_empty() { first } else { rest };
        if !row.is_empty() && used + 1 + width > room {
            rows.push(std::mem::take(&mut row));
            used = 0;
        } else if !row.is_empty() {
            let ink = same_ink(row.last(), word.first());
            push(&mut row, Span { text: " ".to_owned(), ink });
            used += 1;
        }
        for span in word {
            push(&mut row, span);
        }
        used += width;
    }
    rows.push(row);
    rows
}

/// Items side by side, as many as fit on a line, each whole; one that is too wide for a line is wrapped.
pub(super) fn flowed(items: &[Line], room: usize, gap: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for item in items {
        let width = width_of(&item.0);
        match rows.last_mut() {
            Some(row) if width_of(row) + gap.width() + width <= room => {
                row.push(Span { text: gap.to_owned(), ink: Ink::Plain });
                row.extend(item.0.iter().cloned());
            }
            _ if width <= room => rows.push(item.0.clone()),
            _ => rows.extend(wrapped(item, room)),
        }
    }
    rows
}

/// What is left of a place must at least show a line number.
const PLACE: usize = 4;

/// The line shortened in its middle, so that the beginning and the end can be told apart. A name that fits stays whole
/// before the place that follows it.
pub(super) fn cut(line: &Line, room: usize, ellipsis: &str) -> Row {
    let text: String = line.0.iter().map(|span| span.text.as_str()).collect();
    if text.width() <= room {
        return line.0.clone();
    }
    let ink = line.0.first().map_or(Ink::Plain, |span| span.ink);
    let left = room.saturating_sub(ellipsis.width());
    if let [name, .., place] = line.0.as_slice()
        && let Some(spare) = left.checked_sub(name.text.width() + 1)
        && name.text.width() > left.div_ceil(2)
        && spare >= PLACE
    {
        let tail = format!(" {ellipsis}{}", ending(&text, spare));
        return vec![name.clone(), Span { text: tail, ink: place.ink }];
    }
    let head = fitting(text.chars(), left.div_ceil(2));
    vec![Span { text: format!("{head}{ellipsis}{}", ending(&text, left / 2)), ink }]
}

fn ending(text: &str, room: usize) -> String {
    fitting(text.chars().rev(), room).chars().rev().collect()
}

fn fitting(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    characters
        .take_while(|character| {
            used += character.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

fn words(line: &Line) -> Vec<Row> {
    let mut words: Vec<Row> = Vec::new();
    let mut word: Row = Vec::new();
    for span in &line.0 {
        for (at, piece) in span.text.split(' ').enumerate() {
            if at > 0 && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !piece.is_empty() {
                word.push(Span { text: piece.to_owned(), ink: span.ink });
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A word in pieces that fit; most words are one piece.
fn broken(word: Row, room: usize) -> Vec<Row> {
    if width_of(&word) <= room {
        return vec![word];
    }
    let mut pieces: Vec<Row> = Vec::new();
    let mut used = 0;
    for span in word {
        for character in span.text.chars() {
            let letter = Span { text: character.to_string(), ink: span.ink };
            let width = character.width().unwrap_or(0);
            used += width;
            match pieces.last_mut() {
                Some(piece) if used <= room => push(piece, letter),
                _ => {
                    pieces.push(vec![letter]);
                    used = width;
                }
            }
        }
    }
    pieces
}

fn push(row: &mut Row, span: Span) {
    match row.last_mut() {
        Some(last) if last.ink == span.ink => last.text.push_str(&span.text),
        _ => row.push(span),
    }
}

fn same_ink(before: Option<&Span>, after: Option<&Span>) -> Ink {
    match (before, after) {
        (Some(before), Some(after)) if before.ink == after.ink => before.ink,
        _ => Ink::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.iter().map(|span| span.text.as_str()).collect()).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        let rows = paragraph(&Line::plain("one two three abcdefghijkl"), 10, " ", "   ");
        assert_eq!(shown(&rows), [" one two", "   three", "   abcdefg", "   hijkl"]);
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shown(&[cut(&Line::plain("sort --key=7 big.txt"), 11, "…")]), ["sort …g.txt".to_owned()]);
        assert_eq!(shown(&[cut(&Line::plain("日本語日本語"), 6, "…")]), ["日…語".to_owned()]);
        let place = Line::plain("list_contains").and(Ink::Faint, " listobject.c:451");
        assert_eq!(shown(&[cut(&place, 24, "…")]), ["list_contains …ect.c:451".to_owned()]);
    }
}
