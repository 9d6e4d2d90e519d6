//! What happens now, on standard error, between runs and never during one.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Redrawing more often than this would only cost time.
const PERIOD: Duration = Duration::from_millis(100);

/// A line that wraps could not be drawn over.
const LETTERS: usize = 78;

/// A line that is drawn over itself; silent when nobody watches.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    drawn: Option<Instant>,
    begun: Instant,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        Self { shown, drawn: None, begun: Instant::now() }
    }

    /// `share` of the planned work is done, as far as that is known.
    pub(crate) fn draw(&mut self, words: &str, share: Option<f64>) {
        let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= PERIOD);
        if !self.shown || !due {
            return;
        }
        self.drawn = Some(Instant::now());
        let left = share.filter(|share| *share > 0.02 && *share <= 1.0).map(|share| {
            let left = self.begun.elapsed().as_secs_f64() * (1.0 - share) / share;
            format!(" · about {left:.0} s left")
        });
        let words: String = report::inert_text(words).chars().take(LETTERS).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[K{words}{}", left.unwrap_or_default());
    }

    /// A pass begins, which takes about so many seconds: shown at once, because nothing is drawn while it runs.
    pub(crate) fn pass(&mut self, words: &str, seconds: Option<f64>) {
        self.drawn = None;
        let about = seconds.map(|seconds| format!(", about {:.0} s", seconds.max(1.0).ceil()));
        self.draw(&format!("{words}{}", about.unwrap_or_default()), None);
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
