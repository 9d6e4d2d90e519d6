//! What stands on the page and what it means, before anyone asks how it is drawn. The texts in here are raw: the
//! encoder that writes them makes them inert, so no caller can forget to.

/// Sections with air between them.
#[derive(Default)]
pub(crate) struct Document {
    pub(crate) sections: Vec<Vec<Block>>,
}

impl Document {
    /// Adds a section unless there is nothing in it.
    pub(crate) fn section(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            self.sections.push(blocks);
        }
    }
}

pub(crate) enum Block {
    /// The answer.
    Headline(Line),
    /// Prose that may wrap.
    Paragraph(Line),
    Table(Table),
    /// Parts of one whole as shares, the last of them the unexplained rest. Negative parts take no room.
    Bar(Vec<f64>),
    Notes(Notes),
    /// Lines that stand as they are, at most 58 columns wide and of our own making.
    Picture(Vec<Line>),
}

/// A heading and its points.
pub(crate) struct Notes {
    /// Empty where the points belong to what stands above them.
    pub(crate) title: String,
    pub(crate) notes: Vec<Note>,
}

pub(crate) struct Note {
    pub(crate) text: Line,
    /// What the reader can do about it.
    pub(crate) next: Option<String>,
}

/// Text in pieces, each with its meaning.
#[derive(Clone, Default)]
pub(crate) struct Line(pub(crate) Vec<Span>);

#[derive(Clone)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) ink: Ink,
}

/// What a piece of text is. Colour only repeats what the words or numbers say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
    Unsure,
    /// A command, name or path, to be read letter by letter.
    Verbatim,
    /// The n-th part of a bar.
    Part(usize),
    /// The part of a bar that nothing explains.
    Rest,
}

impl Line {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::default().and(Ink::Plain, text)
    }

    pub(crate) fn of(ink: Ink, text: impl Into<String>) -> Self {
        Self::default().and(ink, text)
    }

    /// The line with a further piece.
    pub(crate) fn and(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.0.push(Span { text: text.into(), ink });
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.text.is_empty())
    }
}

pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Line>>,
}

pub(crate) struct Column {
    pub(crate) title: String,
    pub(crate) side: Side,
    pub(crate) fit: Fit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// What may happen to a column on a narrow page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Nothing: numbers are never cut.
    Whole,
    /// Cells are shortened in their middle.
    Cut,
    /// Cells go on in further lines.
    Wrap,
    /// The last such column is left out first.
    Spare,
}

impl Column {
    pub(crate) fn new(title: impl Into<String>, side: Side, fit: Fit) -> Self {
        Self { title: title.into(), side, fit }
    }
}

impl Table {
    /// The table without the columns in which no row says anything.
    pub(crate) fn without_empty_columns(mut self) -> Self {
        let said: Vec<bool> = (0..self.columns.len())
            .map(|at| self.rows.iter().any(|row| row.get(at).is_some_and(|cell| !cell.is_empty())))
            .collect();
        keep(&mut self.columns, &said);
        for row in &mut self.rows {
            keep(row, &said);
        }
        self
    }
}

fn keep<T>(items: &mut Vec<T>, wanted: &[bool]) {
    let mut at = wanted.iter();
    items.retain(|_| at.next().copied().unwrap_or(false));
}

/// The sign and ink of the n-th of a bar's parts, so that the bar reads without colour. The last part is the rest.
pub(crate) fn part(at: usize, parts: usize) -> (char, Ink) {
    let signs = ['█', '▓', '▒', '░', '╱', '•'];
    match signs.get(at % signs.len()) {
        Some(sign) if at + 1 < parts => (*sign, Ink::Part(at)),
        _ => ('┄', Ink::Rest),
    }
}
