//! The statement that stands on a line, and what belongs to it alone.

use super::File;
use super::grammar::{is_loop, is_statement, shortened};
use super::tree::At;

const MOST_LINES: usize = 3;
const MOST_TEXT: usize = 160;

impl File<'_> {
    /// The statements whose own part is on a line, outermost first, and the innermost one around the line: of several beside each other, the one in most loops. A line with
    /// no more than a closing brace has only the latter.
    pub(super) fn statements_on(&self, line: u32) -> (Vec<At>, Option<At>) {
        let tree = &self.tree;
        let covering: Vec<At> =
            tree.all().filter(|at| tree.covers(*at, line) && is_statement(tree, *at)).collect();
        let head_on_line = |at: &At| (tree.first_line(*at)..=self.head_end(*at)).contains(&line);
        let heads: Vec<At> = covering.iter().copied().filter(head_on_line).collect();
        // Where a whole function stands on the line, its time goes by in its loops, not in what follows them.
        let deepest = heads.iter().copied().max_by_key(|at| self.chain(*at).len());
        let innermost = deepest.or(covering.last().copied());
        (heads, innermost)
    }

    /// The last line before the first statement inside.
    fn head_end(&self, at: At) -> u32 {
        let tree = &self.tree;
        let inner = tree.inside(at).skip(1).find(|inside| is_statement(tree, *inside));
        match inner {
            Some(inner) if tree.first_line(inner) > tree.first_line(at) => {
                let body = tree.ancestors(inner).take_while(|above| *above > at).last().unwrap_or(inner);
                tree.first_line(body).min(tree.first_line(inner) - 1).max(tree.first_line(at))
            }
            Some(inner) => tree.first_line(inner),
            None => tree.last_line(at),
        }
    }

    /// The nodes of a statement that are in no statement inside it.
    pub(super) fn own_nodes(&self, statement: At) -> Vec<At> {
        let tree = &self.tree;
        let range = tree.inside(statement);
        let mut own = Vec::new();
        let mut at = range.start;
        while at < range.end {
            if at != statement && is_statement(tree, at) {
                at = tree.inside(at).end.max(at + 1);
                continue;
            }
            own.push(at);
            at += 1;
        }
        own
    }

    /// The loop that a statement is, which Rust wraps in another node.
    pub(super) fn loop_of(&self, statement: At) -> Option<At> {
        let inner = || {
            self.tree.first_child(statement).filter(|_| self.tree.kind(statement) == "expression_statement")
        };
        Some(statement)
            .filter(|at| is_loop(self.tree.kind(*at)))
            .or_else(|| inner().filter(|at| is_loop(self.tree.kind(*at))))
    }

    /// The lines of a statement's own part, with the asked one among them.
    pub(super) fn lines_of(&self, statement: Option<At>, line: u32) -> Vec<String> {
        let (from, to) = match statement {
            Some(at) => (self.tree.first_line(at), self.head_end(at)),
            None => (line, line),
        };
        let from = if line < from || line > to {
            line
        } else {
            from.max(line.saturating_sub(MOST_LINES as u32 - 1))
        };
        let lines = (from..=to.max(from)).take(MOST_LINES).filter_map(|line| self.tree.line_text(line));
        lines.map(|text| shortened(text, MOST_TEXT)).collect()
    }
}
