//! The call tree, indented.

use model::profile::{CallNode, Place, Profile};
use model::recording::Owner;

use super::{site, whole};
use crate::document::{Block, Column, Fit, Ink, Line, Side, Table};
use crate::{number, words};

/// Lines of a tree; more is a picture's business.
const MOST: usize = 60;

/// Indents; deeper ones would leave no room for names.
const DEEPEST: usize = 16;

pub(super) fn blocks(profile: &Profile) -> Vec<Block> {
    if profile.tree.is_empty() {
        return Vec::new();
    }
    let (rows, left_out) = rows(&profile.tree);
    let columns = vec![
        Column::new("total", Side::Right, Fit::Whole),
        Column::new("own", Side::Right, Fit::Whole),
        Column::new("call tree", Side::Left, Fit::Cut),
    ];
    let mut note = format!("shares of {}; small branches left out", whole(&profile.weight));
    if left_out > 0 {
        note.push_str(&format!("; {} more: --json", words::plural(left_out, "line")));
    }
    vec![Block::Table(Table { columns, rows }), Block::Paragraph(Line::of(Ink::Faint, note))]
}

/// The largest branches first, as a walk from the outermost calls inwards. The walk keeps its own list, because a
/// recursive program's tree may be deeper than our stack.
fn rows(tree: &[CallNode]) -> (Vec<Vec<Line>>, u64) {
    let mut rows = Vec::new();
    let mut left_out = 0;
    let mut next: Vec<(&CallNode, usize)> = tree.iter().rev().map(|node| (node, 0)).collect();
    while let Some((node, depth)) = next.pop() {
        if rows.len() < MOST {
            rows.push(row(node, depth));
        } else {
            left_out += 1;
        }
        next.extend(node.children.iter().rev().map(|child| (child, depth + 1)));
    }
    (rows, left_out)
}

fn row(node: &CallNode, depth: usize) -> Vec<Line> {
    let own = if node.own > 0.0 { number::percent(node.own) } else { String::new() };
    vec![Line::plain(number::percent(node.total)), Line::plain(own), call(&node.place, depth)]
}

fn call(place: &Place, depth: usize) -> Line {
    // Spaces that are not broken or dropped.
    let indent = crate::inert::TIE.to_string().repeat(2 * depth.min(DEEPEST));
    let ink = if place.owner == Owner::Project { Ink::Strong } else { Ink::Plain };
    let line = Line::plain(indent).and(ink, &place.function);
    match site(place) {
        Some(site) => line.and(Ink::Faint, format!(" {site}")),
        None => line,
    }
}
