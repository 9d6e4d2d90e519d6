//! What happens now, on standard error, between runs and never during one.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Redrawing more often than this would only cost time.
const PERIOD: Duration = Duration::from_millis(100);

/// Columns of a terminal that does not tell.
const COLUMNS: usize = 80;

/// A line that is drawn over itself; silent when nobody watches, but for what takes long.
#[derive(Debug)]
pub(crate) struct Progress {
    quiet: bool,
    shown: bool,
    drawn: Option<Instant>,
    begun: Instant,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        Self { quiet, shown, drawn: None, begun: Instant::now() }
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
        self.write(words, &left.unwrap_or_default());
    }

    fn write(&self, words: &str, time: &str) {
        if self.shown {
            let columns = run::terminal_width().unwrap_or(COLUMNS);
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", line(&report::inert_text(words), time, columns));
        }
    }

    /// A pass begins, which takes about so many seconds: shown at once, because nothing is drawn while it runs.
    pub(crate) fn pass(&mut self, words: &str, seconds: Option<f64>) {
        self.drawn = self.shown.then(Instant::now);
        let about = seconds.map(|seconds| format!(", about {:.0} s", seconds.max(1.0).ceil()));
        self.write(words, &about.unwrap_or_default());
    }

    /// A pass begins under which the target is many times slower. In a log it is a line, so that nobody takes it for hanging.
    pub(crate) fn dear(&mut self, words: &str, seconds: f64) {
        self.pass(words, Some(seconds));
        if !self.shown && !self.quiet {
            let words = report::inert_text(words);
            let _ = writeln!(std::io::stderr(), "{words}, about {:.0} s", seconds.max(1.0).ceil());
        }
    }

    /// Words that stay above the line.
    pub(crate) fn say(&mut self, words: &str) {
        if self.shown {
            self.clear();
            let _ = writeln!(std::io::stderr(), "{}", report::inert_text(words));
        }
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

/// A line that wraps could not be drawn over: the words give way to the time.
fn line(words: &str, time: &str, columns: usize) -> String {
    let room = columns.saturating_sub(2 + time.chars().count());
    if words.chars().count() <= room {
        return format!("{words}{time}");
    }
    let cut: String = words.chars().take(room.saturating_sub(1)).collect();
    format!("{cut}…{time}")
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_time_stays_where_the_words_are_cut() {
        assert_eq!(line("recording one run", ", about 1 s", 80), "recording one run, about 1 s");
        let long = line(&"asking ".repeat(40), " · about 3 s left", 80);
        assert!(long.ends_with("… · about 3 s left") && long.chars().count() == 78, "{long}");
        assert_eq!(line("recording", ", about 1 s", 5), "…, about 1 s");
    }
}
