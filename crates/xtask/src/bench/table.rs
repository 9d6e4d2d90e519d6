//! The printed table: one row a figure, never a rate without its bounds.

use serde_json::{Value, json};

/// What was found, row by row.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
    notes: Vec<String>,
}

struct Row {
    goal: &'static str,
    what: String,
    who: String,
    figure: String,
    n: u64,
    bounds: String,
    target: String,
    met: &'static str,
}

/// Which side of a limit a figure has to be on.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
    /// A peer's figure, or one without a goal.
    None,
}

/// Whose figure it is and what it says.
pub(crate) struct Figure<'a> {
    pub(crate) goal: &'static str,
    pub(crate) what: &'a str,
    pub(crate) who: &'a str,
}

const CONFIDENCE: f64 = 0.95;

impl Table {
    /// Adds `hits` of `n` with its Clopper-Pearson bounds. Nothing tried is a row of its own, not a rate of zero.
    pub(crate) fn rate(&mut self, figure: &Figure<'_>, hits: u64, n: u64, target: Target) {
        let (low, high) = stats::clopper_pearson(hits, n, CONFIDENCE);
        let rate = hits as f64 / n as f64;
        let (text, bounds, met) = if n == 0 {
            ("not measured".to_owned(), "-".to_owned(), "")
        } else {
            let bounds = format!("{:.2} to {:.2} %", low * 100.0, high * 100.0);
            (format!("{hits}/{n} = {:.2} %", rate * 100.0), bounds, target.met(rate, low, high))
        };
        self.push(figure, text, n, bounds, target.percent(), met);
    }

    /// Adds a figure that is not a rate, with an interval of its own where there is one.
    pub(crate) fn value(&mut self, figure: &Figure<'_>, text: String, n: u64, bounds: Option<String>) {
        self.push(figure, text, n, bounds.unwrap_or_else(|| "-".to_owned()), String::new(), "");
    }

    /// Adds a figure with a goal in words and whether it is met.
    pub(crate) fn goal(
        &mut self,
        figure: &Figure<'_>,
        text: String,
        n: u64,
        bounds: &str,
        target: &str,
        met: bool,
    ) {
        let met = if met { "met" } else { "missed" };
        self.push(figure, text, n, bounds.to_owned(), target.to_owned(), met);
    }

    fn push(
        &mut self,
        figure: &Figure<'_>,
        text: String,
        n: u64,
        bounds: String,
        target: String,
        met: &'static str,
    ) {
        let (what, who) = (figure.what.to_owned(), figure.who.to_owned());
        self.rows.push(Row { goal: figure.goal, what, who, figure: text, n, bounds, target, met });
    }

    /// Adds a sentence below the table.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The table as text, columns aligned, notes below.
    pub(crate) fn text(&self) -> String {
        let head = ["goal", "what", "who", "figure", "n", "95 % bounds", "wanted", ""].map(str::to_owned);
        let rows: Vec<[String; 8]> = [head].into_iter().chain(self.rows.iter().map(Row::cells)).collect();
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..8).filter_map(width).collect();
        let line = |row: &[String; 8]| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let notes = self.notes.iter().map(|note| format!("- {note}"));
        rows.iter().map(line).chain([String::new()]).chain(notes).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(), "notes": self.notes })
    }
}

impl Row {
    fn cells(&self) -> [String; 8] {
        let n = if self.n == 0 { "-".to_owned() } else { self.n.to_string() };
        let (what, who, figure) = (self.what.clone(), self.who.clone(), self.figure.clone());
        let (bounds, target) = (self.bounds.clone(), self.target.clone());
        [self.goal.to_owned(), what, who, figure, n, bounds, target, self.met.to_owned()]
    }

    fn json(&self) -> Value {
        json!({
            "goal": self.goal, "what": self.what, "who": self.who, "figure": self.figure, "n": self.n,
            "bounds": self.bounds, "wanted": self.target, "met": self.met,
        })
    }
}

impl Target {
    /// A rate can meet its goal without being enough trials to show it; the word says which.
    fn met(self, rate: f64, low: f64, high: f64) -> &'static str {
        let (met, shown) = match self {
            Self::AtMost(limit) => (rate <= limit, high <= limit),
            Self::AtLeast(limit) => (rate >= limit, low >= limit),
            Self::Between(least, most) => ((least..=most).contains(&rate), low >= least && high <= most),
            Self::None => return "",
        };
        match (met, shown) {
            (true, true) => "met, bounds included",
            (true, false) => "met",
            (false, _) => self.missed(low, high),
        }
    }

    /// A rate whose bounds still hold the goal may be missed by chance.
    fn missed(self, low: f64, high: f64) -> &'static str {
        let by_chance = match self {
            Self::AtMost(limit) => low <= limit,
            Self::AtLeast(limit) => high >= limit,
            Self::Between(least, most) => low <= most && high >= least,
            Self::None => false,
        };
        if by_chance { "missed, bounds hold the goal" } else { "missed" }
    }

    fn percent(self) -> String {
        match self {
            Self::AtMost(limit) => format!("<= {} %", limit * 100.0),
            Self::AtLeast(limit) => format!(">= {} %", limit * 100.0),
            Self::Between(least, most) => format!("{} to {} %", least * 100.0, most * 100.0),
            Self::None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE: Figure<'static> = Figure { goal: "C1", what: "alarms", who: "ours" };

    fn check(hits: u64, n: u64, target: Target, wanted: &[&str]) {
        let mut table = Table::default();
        table.rate(&FIGURE, hits, n, target);
        let text = table.text();
        for part in wanted {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_rate_of_zero_shows_its_upper_bound() {
        check(0, 40, Target::AtMost(0.01), &["0/40 = 0.00 %", "0.00 to 8.81 %", "<= 1 %", "met"]);
        check(0, 600, Target::AtMost(0.01), &["met, bounds included"]);
    }

    #[test]
    fn a_miss_by_chance_is_told_from_a_miss() {
        check(3, 200, Target::AtMost(0.01), &["missed, bounds hold the goal"]);
        check(30, 200, Target::AtMost(0.01), &["missed"]);
        check(180, 200, Target::AtLeast(0.95), &["missed"]);
    }

    #[test]
    fn nothing_tried_is_not_a_rate() {
        check(0, 0, Target::AtMost(0.01), &["not measured"]);
    }
}
