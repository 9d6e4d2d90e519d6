//! Pictures of a recording as self-contained SVG: flame graphs, differences of two, and a timeline of threads.
//!
//! A picture opens from a file, asks nothing of the network, and shows the same without its script, only unmoved.
//! Names stand in it as text alone: the script reads them and never runs or parses them as markup.

pub(crate) mod colour;
pub(crate) mod difference;
pub(crate) mod layout;
pub(crate) mod timeline;
pub(crate) mod tree;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::recording::Recording;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use self::difference::Ground;
use self::layout::{Layout, Placed, WIDTH};
use self::tree::{Paint, Tree};
use crate::stack::Measure;
use crate::{inert, number, words};

pub use crate::stack::Kind;
pub use timeline::timeline;
pub use tree::Direction;

/// What to draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flame<'a> {
    pub kind: Kind,
    pub direction: Direction,
    /// An earlier recording: frames are coloured by how their share surely changed since, widths are today's.
    pub before: Option<&'a Recording>,
    /// `None`: the program's name.
    pub title: Option<&'a str>,
}

const PAD: f64 = 12.0;
const HEAD: f64 = 92.0;
const FOOT: f64 = 30.0;
const STEP: f64 = 18.0;
/// Height of a line of the legend.
const LEGEND: f64 = 16.0;
/// Width of a letter of the frames' font at its size, 11 px.
const LETTER: f64 = 6.62;

/// A flame graph of what ran or waited.
#[must_use]
pub fn svg(recording: &Recording, options: &Flame) -> String {
    let (tree, measure) = tree::of(recording, options.before, options.kind, options.direction);
    let layout = layout::layout(&tree);
    let ground = options.before.map(|before| Ground::of(recording, before, options.kind));
    let height = height(&layout);
    let picture = Picture { options, tree: &tree, measure: &measure, layout: &layout, height, ground };
    picture.drawn(recording)
}

fn height(layout: &Layout) -> f64 {
    HEAD + f64::from(layout.deepest + 1) * STEP + FOOT
}

struct Picture<'a> {
    options: &'a Flame<'a>,
    tree: &'a Tree,
    measure: &'a Measure,
    layout: &'a Layout,
    height: f64,
    /// What a difference rests on.
    ground: Option<Ground>,
}

impl Picture<'_> {
    fn drawn(&self, recording: &Recording) -> String {
        let mut text = String::with_capacity(200 * self.layout.placed.len() + 16_384);
        let root = if self.options.direction == Direction::Callees { "bottom" } else { "top" };
        opened(&mut text, self.height, &format!(" data-root=\"{root}\""));
        text.push_str("<g id=\"frames\">\n");
        for placed in &self.layout.placed {
            self.frame(&mut text, placed);
        }
        text.push_str("</g>\n");
        if self.layout.whole == 0 {
            let words = "Nothing of this kind was recorded.";
            line(&mut text, "sub", PAD, HEAD + STEP, words);
        }
        self.head(&mut text, recording);
        line(&mut text, "sub", PAD, self.height - 11.0, &self.left_out());
        let _ = write!(text, "<script><![CDATA[\n{}]]></script>\n</svg>\n", include_str!("flame/flame.js"));
        text
    }

    fn head(&self, text: &mut String, recording: &Recording) {
        text.push_str("<g id=\"head\">");
        let _ = write!(text, "<rect class=\"paper\" width=\"{WIDTH}\" height=\"{}\"/>", HEAD - 4.0);
        line(text, "title", PAD, 26.0, self.options.title.unwrap_or(&program(recording)));
        line(text, "sub", PAD, 44.0, &self.subtitle(recording));
        self.legend(text);
        text.push_str("<text id=\"details\" class=\"details\" x=\"12\" y=\"82\"></text>");
        text.push_str(
            "<g id=\"find\" style=\"display:none\"><text id=\"found\" class=\"sub\" x=\"960\" y=\"25\" \
             text-anchor=\"end\"></text><text id=\"reset\" class=\"button\" x=\"972\" y=\"25\">reset</text>\
             <foreignObject x=\"1016\" y=\"8\" width=\"172\" height=\"26\"><input \
             xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" placeholder=\"search (Ctrl-F)\" \
             style=\"box-sizing:border-box;width:170px;height:24px;font:12px system-ui,sans-serif;\
             border:1px solid #b9b5ac;border-radius:5px;padding:0 7px\"/></foreignObject></g></g>\n",
        );
    }

    /// `on CPU · 12.3 s in 12,345 hits · frames from the innermost outwards`.
    fn subtitle(&self, recording: &Recording) -> String {
        let kind = match self.options.kind {
            Kind::OnCpu => "on CPU",
            Kind::OffCpu => "off CPU",
            Kind::Wall => "on and off CPU",
        };
        let seen = match self.options.kind {
            Kind::OnCpu => words::plural(recording.seen(), "hit"),
            Kind::OffCpu => words::plural(recording.waits.len() as u64, "wait"),
            Kind::Wall => format!(
                "{} and {}",
                words::plural(recording.seen(), "hit"),
                words::plural(recording.waits.len() as u64, "wait")
            ),
        };
        let mut parts = vec![kind.to_owned(), format!("{} in {seen}", self.measure.shown(self.layout.whole))];
        if self.options.direction == Direction::Callers {
            parts.push("callers hang below what ran".to_owned());
        }
        if self.options.before.is_some() {
            parts.push(format!("before: {}", self.measure.shown(self.layout.whole_before)));
            let (count, weight) = layout::gone(self.tree);
            if let Some(share) = share(weight, self.layout.whole_before).filter(|_| count > 0) {
                parts.push(format!("gone since: {} with {}", branches(count), number::percent(share)));
            }
        }
        parts.join(" · ")
    }

    /// The paints that are there, heaviest first, by the weight of the frames that end in them.
    fn legend(&self, text: &mut String) {
        let items = if self.options.before.is_some() {
            difference::legend()
        } else {
            let mut paints: BTreeMap<Paint, u64> = BTreeMap::new();
            for placed in self.layout.placed.iter().skip(1) {
                if let Some(label) = self.tree.labels.get(placed.branch.label as usize) {
                    let sum = paints.entry(label.paint).or_default();
                    *sum = sum.saturating_add(placed.branch.own);
                }
            }
            let mut paints: Vec<(Paint, u64)> = paints.into_iter().collect();
            paints.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
            paints.iter().map(|(paint, _)| (colour::swatch(*paint), colour::meaning(*paint))).collect()
        };
        swatches(text, &items, 62.0, 1);
    }

    fn frame(&self, text: &mut String, placed: &Placed) {
        let branch = placed.branch;
        let Some(label) = self.tree.labels.get(branch.label as usize) else { return };
        let (x, width) = (self.across(placed.start), self.across(branch.total) - PAD);
        let y = match self.options.direction {
            Direction::Callees => HEAD + f64::from(self.layout.deepest - branch.depth) * STEP,
            Direction::Callers => HEAD + f64::from(branch.depth) * STEP,
        };
        let fill = match self.options.before {
            Some(_) => difference::fill(self.change(placed)),
            None => colour::frame(label),
        };
        let class = if label.inlined { " class=\"inlined\"" } else { "" };
        let _ = write!(
            text,
            "<g{class} data-a=\"{}\" data-w=\"{}\" data-d=\"{}\"><title>{}</title>\
             <rect x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{}\" fill=\"{fill}\"/>",
            placed.start,
            branch.total,
            branch.depth,
            self.told(placed),
            (width - 0.4).max(0.1),
            STEP - 1.0,
        );
        if let Some(short) = shortened(&inert::terminal(&label.name, true), width) {
            let shown = inert::xml(&short);
            let _ = write!(text, "<text x=\"{:.2}\" y=\"{}\">{shown}</text>", x + 4.0, y + 12.5);
        }
        text.push_str("</g>\n");
    }

    fn across(&self, weight: u64) -> f64 {
        PAD + share(weight, self.layout.whole).unwrap_or(0.0) * (WIDTH - 2.0 * PAD)
    }

    /// What hovering says: the name, its place, its weight. Lines of our own making, each inert.
    fn told(&self, placed: &Placed) -> String {
        let branch = placed.branch;
        let label = self.tree.labels.get(branch.label as usize);
        let mut lines = vec![label.map_or_else(String::new, |label| label.name.clone())];
        lines.extend(label.filter(|label| label.inlined).map(|_| "inlined into its caller".to_owned()));
        lines.extend(
            self.tree.origins.get(branch.label as usize).filter(|origin| !origin.is_empty()).cloned(),
        );
        let percent = |weight| share(weight, self.layout.whole).map_or_else(String::new, number::percent);
        let mut weight = format!("{}, {}", self.measure.shown(branch.total), percent(branch.total));
        if branch.own > 0 && branch.own < branch.total {
            let _ = write!(weight, "; itself {}", percent(branch.own));
        }
        lines.push(weight);
        if self.options.before.is_some() {
            let before = share(branch.before, self.layout.whole_before);
            let before = before.map_or_else(|| "unknown".to_owned(), number::percent);
            let sure = if self.change(placed) == 0.0 { "; no more than chance" } else { "" };
            lines.push(format!("before {before}{sure}"));
        }
        lines.iter().map(|line| inert::xml(line)).collect::<Vec<_>>().join("&#10;")
    }

    /// By how much a frame's share of the whole has surely changed.
    fn change(&self, placed: &Placed) -> f64 {
        let (whole, before) = (self.layout.whole, self.layout.whole_before);
        self.ground.map_or(0.0, |ground| ground.sure(&placed.branch, whole, before))
    }

    fn left_out(&self) -> String {
        let mut parts = Vec::new();
        if self.layout.narrow > 0 {
            parts.push(format!("{} narrower than 0.1 px left out", branches(self.layout.narrow)));
        }
        if self.layout.deep > 0 {
            parts.push(format!("{} deeper than the picture left out", branches(self.layout.deep)));
        }
        parts.join(" · ")
    }
}

fn branches(count: u64) -> String {
    if count == 1 { "1 branch".to_owned() } else { format!("{} branches", number::count(count)) }
}

#[expect(clippy::cast_precision_loss, reason = "a share is drawn to a hundredth of a pixel")]
fn share(weight: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| weight as f64 / whole as f64)
}

/// The name cut to what fits a frame; `None` when nothing useful does.
fn shortened(name: &str, width: f64) -> Option<String> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most the picture's width"
    )]
    let room = ((width - 6.0) / LETTER).max(0.0) as usize;
    if room < 3 {
        return None;
    }
    if name.width() <= room {
        return Some(name.to_owned());
    }
    let mut used = 1;
    let fits = name.chars().take_while(|letter| {
        used += letter.width().unwrap_or(0);
        used <= room
    });
    Some(fits.chain(['…']).collect())
}

/// The first process's command, as far as it is known.
fn program(recording: &Recording) -> String {
    let process = recording.processes.first();
    match process {
        Some(process) if !process.argv.is_empty() => words::command_line(&process.argv),
        Some(process) => process.name.clone(),
        None => "recording".to_owned(),
    }
}

/// The beginning of every picture: its size, its paper, its letters.
fn opened(text: &mut String, height: f64, attributes: &str) {
    let _ = write!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" \
         height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\"{attributes}>\n<style>{}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
        include_str!("flame/flame.css")
    );
}

/// One line of text of ours or others'.
fn line(text: &mut String, class: &str, x: f64, y: f64, words: &str) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred letters")]
    let room = ((WIDTH - x - PAD) / 6.0) as usize;
    let shown: String = inert::terminal(words, true).chars().take(room).collect();
    let _ = writeln!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", inert::xml(&shown));
}

/// Coloured squares with their words, in as many lines as they need, `lines` at most. Returns how many those were.
fn swatches(text: &mut String, items: &[(String, String)], y: f64, lines: u32) -> u32 {
    let (mut x, mut row) = (PAD, 0);
    for (fill, word) in items {
        #[expect(clippy::cast_precision_loss, reason = "a short word")]
        let width = 32.0 + 6.6 * word.width() as f64;
        if x + width > WIDTH - PAD {
            (x, row) = (PAD, row + 1);
        }
        if row >= lines {
            return lines;
        }
        let y = y + LEGEND * f64::from(row);
        let _ = write!(
            text,
            "<rect x=\"{x:.0}\" y=\"{:.0}\" width=\"10\" height=\"10\" rx=\"2\" fill=\"{fill}\"/>\
             <text class=\"sub\" x=\"{:.0}\" y=\"{y:.0}\">{}</text>",
            y - 9.0,
            x + 14.0,
            inert::xml(word)
        );
        x += width;
    }
    row + 1
}
