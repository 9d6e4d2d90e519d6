//! A parsed file as one flat table of nodes, so that every walk is a loop and no nesting can exhaust the stack.

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use model::source::Language;
use tree_sitter::{ParseOptions, ParseState, Parser, TreeCursor};

/// Bigger files are generated or hold tables; nobody writes their hot loop there.
const MOST_BYTES: usize = 2 << 20;

/// Deeper nodes are left out. Real code stays below 100; this bounds every walk towards the root.
const DEEPEST: usize = 600;

/// The parser reports after each hundred of its steps. Ordinary files take one report for 80 to 200 bytes, so this
/// stops only what makes the parser try many readings at once. Counting steps, unlike a clock, always ends the same.
const BYTES_PER_REPORT: usize = 16;
const REPORTS_AT_LEAST: usize = 5_000;

/// Position of a node in the table.
pub(super) type At = usize;

struct Node {
    kind: &'static str,
    field: &'static str,
    parent: u32,
    /// Behind the last node inside.
    end: u32,
    bytes: Range<u32>,
    first_line: u32,
    last_line: u32,
}

static NOTHING: Node =
    Node { kind: "", field: "", parent: u32::MAX, end: 0, bytes: 0..0, first_line: 0, last_line: 0 };

/// Named nodes, and tokens that have a field, in the order of the text; a parent stands before its children.
pub(super) struct Tree<'t> {
    pub(super) language: Language,
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    /// `None` when the text is too big or its parsing takes too many steps.
    pub(super) fn parse(language: Language, text: &'t str) -> Option<Self> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let grammar = grammar(language);
        let mut parser = Parser::new();
        parser.set_language(grammar).ok()?;
        let mut reports_left = (text.len() / BYTES_PER_REPORT).max(REPORTS_AT_LEAST);
        let mut watch = |_: &ParseState| match reports_left.checked_sub(1) {
            Some(left) => {
                reports_left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut watch);
        let bytes = text.as_bytes();
        let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
        let parsed = parser.parse_with_options(&mut read, None, Some(options))?;
        Some(Self { language, text, nodes: table(grammar, parsed.walk())? })
    }

    fn node(&self, at: At) -> &Node {
        self.nodes.get(at).unwrap_or(&NOTHING)
    }

    pub(super) fn all(&self) -> Range<At> {
        0..self.nodes.len()
    }

    pub(super) fn kind(&self, at: At) -> &'static str {
        self.node(at).kind
    }

    /// The role that the parent gives it; empty when it has none.
    pub(super) fn field(&self, at: At) -> &'static str {
        self.node(at).field
    }

    pub(super) fn text(&self, at: At) -> &'t str {
        let bytes = &self.node(at).bytes;
        self.text.get(bytes.start as usize..bytes.end as usize).unwrap_or_default()
    }

    pub(super) fn bytes(&self, at: At) -> Range<u32> {
        self.node(at).bytes.clone()
    }

    /// The text from the start of the node to a byte of the file.
    pub(super) fn text_until(&self, at: At, end: u32) -> &'t str {
        self.text.get(self.node(at).bytes.start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn first_line(&self, at: At) -> u32 {
        self.node(at).first_line
    }

    pub(super) fn last_line(&self, at: At) -> u32 {
        self.node(at).last_line
    }

    pub(super) fn covers(&self, at: At, line: u32) -> bool {
        (self.first_line(at)..=self.last_line(at)).contains(&line)
    }

    pub(super) fn line_text(&self, line: u32) -> Option<&'t str> {
        self.text.lines().nth((line as usize).checked_sub(1)?)
    }

    pub(super) fn parent(&self, at: At) -> Option<At> {
        let parent = self.node(at).parent as usize;
        (parent < self.nodes.len()).then_some(parent)
    }

    /// From the parent to the root.
    pub(super) fn ancestors(&self, at: At) -> impl Iterator<Item = At> + '_ {
        std::iter::successors(self.parent(at), |at| self.parent(*at))
    }

    /// The node and everything in it.
    pub(super) fn inside(&self, at: At) -> Range<At> {
        at..self.node(at).end as usize
    }

    pub(super) fn children(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let end = self.node(at).end as usize;
        let first = Some(at + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.node(*child).end as usize).filter(|next| *next < end && *next > *child)
        })
    }

    /// The first child in a role.
    pub(super) fn child(&self, at: At, field: &str) -> Option<At> {
        self.children(at).find(|child| self.field(*child) == field)
    }

    /// The first child in the first role of the list that is taken.
    pub(super) fn child_of(&self, at: At, fields: &[&str]) -> Option<At> {
        fields.iter().find_map(|field| self.child(at, field))
    }

    pub(super) fn first_child(&self, at: At) -> Option<At> {
        self.children(at).next()
    }

    /// The text of an operator or other child in a role; empty when there is none.
    pub(super) fn child_text(&self, at: At, field: &str) -> &'t str {
        self.child(at, field).map(|child| self.text(child)).unwrap_or_default()
    }
}

/// Kept for good, so that the names of node kinds outlive the tree.
type Grammar = LazyLock<tree_sitter::Language>;

static PYTHON: Grammar = LazyLock::new(|| tree_sitter_python::LANGUAGE.into());
static JAVASCRIPT: Grammar = LazyLock::new(|| tree_sitter_javascript::LANGUAGE.into());
static TYPESCRIPT: Grammar = LazyLock::new(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
static JAVA: Grammar = LazyLock::new(|| tree_sitter_java::LANGUAGE.into());
static C: Grammar = LazyLock::new(|| tree_sitter_c::LANGUAGE.into());
static CPP: Grammar = LazyLock::new(|| tree_sitter_cpp::LANGUAGE.into());
static RUST: Grammar = LazyLock::new(|| tree_sitter_rust::LANGUAGE.into());
static GO: Grammar = LazyLock::new(|| tree_sitter_go::LANGUAGE.into());

fn grammar(language: Language) -> &'static tree_sitter::Language {
    match language {
        Language::Python => &PYTHON,
        Language::JavaScript => &JAVASCRIPT,
        Language::TypeScript => &TYPESCRIPT,
        Language::Java => &JAVA,
        Language::C => &C,
        Language::Cpp => &CPP,
        Language::Rust => &RUST,
        Language::Go => &GO,
    }
}

/// `None` when there are more nodes than the table can number.
fn table(grammar: &'static tree_sitter::Language, mut cursor: TreeCursor<'_>) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    // The kept ancestors of the cursor, and for each level the cursor has gone down whether its node was kept.
    let mut open: Vec<u32> = Vec::new();
    let mut kept: Vec<bool> = Vec::new();
    loop {
        let keep = enter(grammar, &cursor, &mut nodes, open.last().copied())?;
        if kept.len() < DEEPEST && cursor.goto_first_child() {
            if keep {
                open.push(u32::try_from(nodes.len() - 1).ok()?);
            }
            kept.push(keep);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(nodes);
            }
            if kept.pop() == Some(true) {
                close(&mut nodes, &mut open);
            }
        }
    }
}

/// Whether the node under the cursor was written into the table.
fn enter(
    grammar: &'static tree_sitter::Language,
    cursor: &TreeCursor<'_>,
    nodes: &mut Vec<Node>,
    parent: Option<u32>,
) -> Option<bool> {
    let node = cursor.node();
    let field = cursor.field_id().and_then(|id| grammar.field_name_for_id(id.get())).unwrap_or_default();
    if !node.is_named() && field.is_empty() {
        return Some(false);
    }
    let line = |row: usize| u32::try_from(row + 1).ok();
    let byte = |offset: usize| u32::try_from(offset).ok();
    nodes.push(Node {
        kind: grammar.node_kind_for_id(node.kind_id()).unwrap_or_default(),
        field,
        parent: parent.unwrap_or(u32::MAX),
        end: u32::try_from(nodes.len() + 1).ok()?,
        bytes: byte(node.start_byte())?..byte(node.end_byte())?,
        first_line: line(node.start_position().row)?,
        last_line: line(node.end_position().row)?,
    });
    Some(true)
}

fn close(nodes: &mut [Node], open: &mut Vec<u32>) {
    let end = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
    if let Some(node) = open.pop().and_then(|at| nodes.get_mut(at as usize)) {
        node.end = end;
    }
}
