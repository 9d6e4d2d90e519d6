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

/// Before a function that is all that is shown of what the one above it calls: such chains are not indented.
const ONLY: &str = "↳ ";

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
    let mut note = format!(
        "shares of {}; small branches left out; ↳ the only one that the line above calls",
        whole(&profile.weight)
    );
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
    let mut next: Vec<(&CallNode, Depth)> =
        tree.iter().rev().map(|node| (node, Depth { branches: 0, only: false })).collect();
    while let Some((node, depth)) = next.pop() {
        if rows.len() < MOST {
            rows.push(row(node, depth));
        } else {
            left_out += 1;
        }
        let only = node.children.len() == 1;
        let branches = depth.branches + usize::from(!only);
        next.extend(node.children.iter().rev().map(|child| (child, Depth { branches, only })));
    }
    (rows, left_out)
}

/// Where a call stands: how many of its callers call several, and whether its own calls nothing else.
#[derive(Clone, Copy)]
struct Depth {
    branches: usize,
    only: bool,
}

fn row(node: &CallNode, depth: Depth) -> Vec<Line> {
    let own = if node.own > 0.0 { number::percent(node.own) } else { String::new() };
    vec![Line::plain(number::percent(node.total)), Line::plain(own), call(&node.place, depth)]
}

fn call(place: &Place, depth: Depth) -> Line {
    // Spaces that are not broken or dropped.
    let tie = crate::inert::TIE.to_string();
    let mut before = tie.repeat(2 * depth.branches.min(DEEPEST));
    if depth.branches > DEEPEST {
        before.push_str(&format!("({}){tie}", depth.branches));
    }
    if depth.only {
        before.push_str(&ONLY.replace(' ', &tie));
    }
    let ink = if place.owner == Owner::Project { Ink::Strong } else { Ink::Plain };
    let line = Line::plain(before).and(ink, &place.function);
    match site(place) {
        Some(site) => line.and(Ink::Faint, format!(" {site}")),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use model::recording::Language;

    use super::*;
    use crate::inert::TIE;

    fn node(function: &str, children: Vec<CallNode>) -> CallNode {
        let place = Place {
            function: function.to_owned(),
            file: None,
            line: None,
            module: None,
            language: Language::C,
            owner: Owner::Project,
        };
        CallNode { place, total: 0.5, own: 0.0, children }
    }

    fn shown(tree: &[CallNode]) -> Vec<String> {
        let text = |line: &Line| line.0.iter().map(|span| span.text.as_str()).collect::<String>();
        rows(tree).0.iter().map(|row| text(&row[2]).replace(TIE, " ")).collect()
    }

    #[test]
    fn parents_and_siblings_are_told_apart_however_deep() {
        let two = node("d", vec![node("left", Vec::new()), node("right", Vec::new())]);
        let tree = [node("a", vec![node("b", vec![node("c", vec![two])])])];
        assert_eq!(shown(&tree), ["a", "↳ b", "↳ c", "↳ d", "  left", "  right"]);
        let mut deep = node("end", Vec::new());
        for _ in 0..20 {
            deep = node("on", vec![deep, node("aside", Vec::new())]);
        }
        let lines = shown(&[deep]);
        let indent = |function: &str| lines.iter().find(|line| line.ends_with(function)).unwrap().clone();
        assert_eq!(indent("end").trim_start(), "(20) end");
    }
}
