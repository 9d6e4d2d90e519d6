//! How the terminal is.

/// The narrowest page that is laid out; a narrower terminal gets lines of this width.
const NARROWEST: usize = 60;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Columns. No line is wider, down to 60.
    pub width: usize,
    pub colour: bool,
    /// Whether characters beyond ASCII arrive whole.
    pub unicode: bool,
}

impl Page {
    /// The columns that are laid out.
    pub(crate) fn columns(&self) -> usize {
        self.width.max(NARROWEST)
    }
}
