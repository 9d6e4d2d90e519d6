//! One row a thread: when it ran and what it waited for.
//!
//! Each row is a strip of columns one pixel wide. Within a column every kind has the height of its share of that
//! moment, so nothing shorter than a pixel is lost or blown up.

use std::fmt::Write as _;

use model::Nanos;
use model::leaf::LEAVES;
use model::recording::{Recording, Span, Thread};

use super::{LEGEND, PAD, colour, line, opened, program, share, swatches};
use crate::stack::{self, Measure};
use crate::waiting::pieces;
use crate::{inert, number, words};

/// Rows of a picture; the threads that did least are left out.
const MOST: usize = 250;

const NAMES: f64 = 190.0;
const TOP: f64 = 84.0;
const ROW: f64 = 22.0;
const STRIP: f64 = 16.0;
const COLUMNS: usize = 980;
/// All kinds fit in these.
const LEGEND_LINES: u32 = 6;

/// On a CPU, then each leaf.
const KINDS: usize = 1 + LEAVES.len();

/// When each thread ran and what it waited for, as SVG.
#[must_use]
pub fn timeline(recording: &Recording) -> String {
    let end = end(recording);
    let order = rows(recording, MOST);
    let left_out = recording.threads.len() - order.len();
    let strips = strips(recording, end, &order);
    let mut legend = String::new();
    let lines = swatches(&mut legend, &kinds(&strips), 62.0, LEGEND_LINES);
    let top = TOP + LEGEND * f64::from(lines - 1);
    #[expect(clippy::cast_precision_loss, reason = "a few hundred rows")]
    let height = top + ROW * order.len().max(1) as f64 + 34.0;
    let mut text = String::new();
    opened(&mut text, height, "");
    line(&mut text, "title", PAD, 26.0, &program(recording));
    line(&mut text, "sub", PAD, 44.0, &subtitle(recording, end, left_out));
    text.push_str(&legend);
    if end == 0 {
        line(&mut text, "sub", PAD, top + 14.0, "The source of this recording keeps no clock.");
    } else {
        axis(&mut text, end, (top, height));
        for (row, at) in order.iter().enumerate() {
            let strip = strips.get(*at).and_then(Option::as_ref);
            if let (Some(thread), Some(strip)) = (recording.threads.get(*at), strip) {
                draw(&mut text, (recording, thread), strip, top + row_height(row), end);
            }
        }
    }
    text.push_str("</svg>\n");
    text
}

/// The threads that ran most, in the order of their start, which tells more than the order of their weight.
fn rows(recording: &Recording, most: usize) -> Vec<usize> {
    let mut ran: Vec<u64> =
        recording.threads.iter().map(|thread| thread.on_cpu.map_or(0, |time| time.as_nanos())).collect();
    for hit in &recording.hits {
        let unknown = recording.threads.get(hit.thread as usize).is_some_and(|t| t.on_cpu.is_none());
        if let Some(sum) = ran.get_mut(hit.thread as usize).filter(|_| unknown) {
            *sum = sum.saturating_add(hit.weight);
        }
    }
    let mut order: Vec<usize> = (0..ran.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(ran.get(*at).copied()));
    order.truncate(most);
    order
        .sort_by_key(|at| recording.threads.get(*at).map(|thread| (thread.process, thread.from, thread.tid)));
    order
}

/// The last moment that anything tells of.
fn end(recording: &Recording) -> u64 {
    let threads = recording.threads.iter().filter_map(|thread| thread.to);
    let waits = recording.waits.iter().map(|wait| wait.to);
    let hits = recording.hits.iter().map(|hit| hit.at);
    recording.wall.into_iter().chain(threads).chain(waits).chain(hits).max().map_or(0, |end| end.as_nanos())
}

/// Nanoseconds of each kind in each column.
struct Strip {
    columns: Vec<[f32; KINDS]>,
    sums: [f64; KINDS],
    step: f64,
}

impl Strip {
    fn new(end: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "drawn to a pixel")]
        let step = (end as f64 / COLUMNS as f64).max(1e-9);
        Self { columns: vec![[0.0; KINDS]; COLUMNS], sums: [0.0; KINDS], step }
    }

    /// Adds a span to every column it touches. Negative time takes back what was added before.
    fn add(&mut self, kind: usize, from: Nanos, to: Nanos, sign: f64) {
        #[expect(clippy::cast_precision_loss, reason = "drawn to a pixel")]
        let (from, to) = (from.as_nanos() as f64 / self.step, to.as_nanos() as f64 / self.step);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates at the ends")]
        let (first, last) = (from.max(0.0) as usize, to.max(0.0) as usize);
        let columns = self.columns.iter_mut().enumerate().skip(first).take(last.saturating_sub(first) + 1);
        for (at, column) in columns {
            #[expect(clippy::cast_precision_loss, reason = "below a thousand")]
            let inside = (to.min(at as f64 + 1.0) - from.max(at as f64)).max(0.0) * sign;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a share of a column, drawn to a tenth of a pixel"
            )]
            let inside = inside as f32;
            if let Some(cell) = column.get_mut(kind) {
                *cell += inside;
            }
        }
        if let Some(sum) = self.sums.get_mut(kind) {
            *sum += (to - from) * self.step * sign;
        }
    }
}

/// A strip for each thread that has a row.
fn strips(recording: &Recording, end: u64, rows: &[usize]) -> Vec<Option<Strip>> {
    let mut strips: Vec<Option<Strip>> = recording.threads.iter().map(|_| None).collect();
    for at in rows {
        if let Some(slot) = strips.get_mut(*at) {
            *slot = Some(Strip::new(end));
        }
    }
    if recording.waits.is_empty() {
        by_hits(recording, &mut strips);
    } else {
        by_waits(recording, &mut strips, end);
    }
    strips
}

/// A thread runs when it does not wait, as long as waits are watched.
fn by_waits(recording: &Recording, strips: &mut [Option<Strip>], end: u64) {
    let whole = [Span { from: Nanos::ZERO, to: Nanos::from_nanos(end) }];
    let watched: &[Span] = if recording.watched.is_empty() { &whole } else { &recording.watched };
    for (thread, strip) in recording.threads.iter().zip(strips.iter_mut()) {
        let Some(strip) = strip else { continue };
        let to = thread.to.unwrap_or(Nanos::from_nanos(end));
        for span in watched {
            let (from, to) = (thread.from.max(span.from), to.min(span.to));
            if to > from {
                strip.add(0, from, to, 1.0);
            }
        }
    }
    for wait in &recording.waits {
        let Some(strip) = strips.get_mut(wait.thread as usize).and_then(Option::as_mut) else { continue };
        for (leaf, from, to) in pieces(recording, wait) {
            strip.add(0, from, to, -1.0);
            strip.add(1 + leaf as usize, from, to, 1.0);
        }
    }
}

/// Without waits, each hit stands for the time before the next.
fn by_hits(recording: &Recording, strips: &mut [Option<Strip>]) {
    let timed = Measure::of(recording) == Measure::Time;
    let scale = stack::scale(recording);
    for hit in &recording.hits {
        let Some(strip) = strips.get_mut(hit.thread as usize).and_then(Option::as_mut) else { continue };
        let time = if timed { hit.weight.saturating_mul(scale) } else { 0 };
        let to = hit.at.as_nanos().saturating_add(time);
        strip.add(0, hit.at, Nanos::from_nanos(to), 1.0);
    }
}

fn subtitle(recording: &Recording, end: u64, left_out: usize) -> String {
    let mut parts = vec![
        words::plural(recording.threads.len() as u64, "thread"),
        Measure::Time.shown(end),
        "height is the share of each moment".to_owned(),
    ];
    if !recording.watched.is_empty() {
        parts.push("waits were watched part of the time; the rest is blank".to_owned());
    }
    if left_out > 0 {
        parts.push(format!("{} that ran least left out", words::plural(left_out as u64, "thread")));
    }
    parts.join(" · ")
}

/// Colour and word of each kind that occurs.
fn kinds(strips: &[Option<Strip>]) -> Vec<(String, String)> {
    let sum = |kind: usize| strips.iter().flatten().filter_map(|strip| strip.sums.get(kind)).sum::<f64>();
    let kinds = (0..KINDS).filter(|kind| sum(*kind) > 0.0);
    kinds.map(|kind| (fill(kind), word(kind).to_owned())).collect()
}

fn fill(kind: usize) -> String {
    kind.checked_sub(1)
        .and_then(|at| LEAVES.get(at))
        .map_or_else(|| colour::ON_CPU.to_owned(), |(leaf, ..)| colour::wait(*leaf))
}

fn word(kind: usize) -> &'static str {
    kind.checked_sub(1).and_then(|at| LEAVES.get(at)).map_or("on CPU", |(_, id, _)| id)
}

/// Moments to read the time by: about eight round steps.
fn axis(text: &mut String, end: u64, (top, height): (f64, f64)) {
    let rough = end / 8;
    let power = 10_u64.checked_pow(rough.max(1).ilog10()).unwrap_or(1);
    let step =
        [1, 2, 5, 10].into_iter().map(|times| times * power).find(|step| *step >= rough).unwrap_or(power);
    let mut at = 0;
    while at <= end {
        let x = NAMES + share(at, end).unwrap_or(0.0) * width();
        let _ = write!(
            text,
            "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"#8885\" stroke-width=\"1\"/>\
             <text class=\"sub\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            top - 6.0,
            height - 28.0,
            height - 12.0,
            inert::xml(&Measure::Time.shown(at)),
        );
        at = at.saturating_add(step.max(1));
    }
}

#[expect(clippy::cast_precision_loss, reason = "below a thousand")]
const fn width() -> f64 {
    COLUMNS as f64
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred rows")]
fn row_height(row: usize) -> f64 {
    ROW * row as f64
}

fn draw(text: &mut String, (recording, thread): (&Recording, &Thread), strip: &Strip, y: f64, end: u64) {
    let name: String = inert::terminal(&thread.name, true).chars().take(20).collect();
    let process = recording.processes.get(thread.process as usize);
    let told = format!(
        "{} ({}), process {}",
        thread.name,
        thread.tid,
        process.map_or_else(|| "unknown".to_owned(), |process| format!("{} ({})", process.name, process.pid))
    );
    let _ = write!(
        text,
        "<g><title>{}</title><text class=\"row\" x=\"{PAD}\" y=\"{:.1}\">{} {}</text></g>",
        inert::xml(&told),
        y + 12.0,
        inert::xml(&name),
        thread.tid
    );
    for stripe in stripes(strip, (NAMES, y), end) {
        let _ = writeln!(
            text,
            "<path fill=\"{}\" d=\"{}\"><title>{}</title></path>",
            stripe.fill,
            stripe.path,
            inert::xml(&stripe.told)
        );
    }
}

/// One kind of time in one thread's row.
pub(crate) struct Stripe {
    pub(crate) fill: String,
    /// The path of its rectangles.
    pub(crate) path: String,
    /// `blocked/lock: 12 ms, 1.2 %`.
    pub(crate) told: String,
}

/// One thread's row.
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) tid: u32,
    pub(crate) process: Option<String>,
    pub(crate) stripes: Vec<Stripe>,
}

/// The rows of the threads that ran most, for a page that draws them itself.
pub(crate) struct Lanes {
    /// The length of a row in nanoseconds; zero when the recording keeps no clock.
    pub(crate) end: u64,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) left_out: usize,
    /// Colour and word of each kind that occurs.
    pub(crate) legend: Vec<(String, String)>,
}

/// Width and height of the rows of [`lanes`].
pub(crate) const LANE: (usize, f64) = (COLUMNS, STRIP);

pub(crate) fn lanes(recording: &Recording, most: usize) -> Lanes {
    let end = end(recording);
    let order = rows(recording, most);
    let strips = strips(recording, end, &order);
    let lane = |at: &usize| {
        let thread = recording.threads.get(*at)?;
        let strip = strips.get(*at)?.as_ref()?;
        let process = recording.processes.get(thread.process as usize);
        let process = process.map(|process| format!("{} ({})", process.name, process.pid));
        let stripes = stripes(strip, (0.0, 0.0), end);
        Some(Lane { name: thread.name.clone(), tid: thread.tid, process, stripes })
    };
    Lanes {
        end,
        lanes: order.iter().filter_map(lane).collect(),
        left_out: recording.threads.len() - order.len(),
        legend: kinds(&strips),
    }
}

fn stripes(strip: &Strip, origin: (f64, f64), end: u64) -> Vec<Stripe> {
    let stripe = |kind: usize| {
        let path = path(strip, kind, origin);
        let sum = strip.sums.get(kind).copied().unwrap_or(0.0).max(0.0) / 1e9;
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let share = number::percent(sum * 1e9 / end.max(1) as f64);
        let told = format!("{}: {}, {share}", word(kind), number::quantity(sum, model::Unit::Seconds));
        (!path.is_empty()).then(|| Stripe { fill: fill(kind), path, told })
    };
    (0..KINDS).filter_map(stripe).collect()
}

/// The rectangles of one kind in one row; equal neighbours are one.
fn path(strip: &Strip, kind: usize, origin: (f64, f64)) -> String {
    let mut path = String::new();
    let mut open: Option<(usize, i64, i64)> = None;
    for at in 0..=strip.columns.len() {
        let (low, high) = strip.columns.get(at).map_or((0, 0), |column| extent(column, kind));
        if let Some((from, below, above)) = open {
            if (below, above) == (low, high) {
                continue;
            }
            rectangle(&mut path, origin, (from, at), (below, above));
            open = None;
        }
        if high > low {
            open = Some((at, low, high));
        }
    }
    path
}

/// From where to where a kind reaches in a column, in tenths of a pixel from below.
fn extent(column: &[f32; KINDS], kind: usize) -> (i64, i64) {
    let below: f32 = column.iter().take(kind).map(|share| share.max(0.0)).sum();
    let own = column.get(kind).copied().unwrap_or(0.0).max(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "at most the height of a row")]
    let tenths = |share: f32| (f64::from(share.min(1.0)) * STRIP * 10.0).round() as i64;
    (tenths(below), tenths(below + own))
}

fn rectangle(path: &mut String, origin: (f64, f64), (from, to): (usize, usize), (below, above): (i64, i64)) {
    #[expect(clippy::cast_precision_loss, reason = "below a thousand")]
    let (x, top, tall) =
        (origin.0 + from as f64, origin.1 + STRIP - above as f64 / 10.0, (above - below) as f64 / 10.0);
    let _ = write!(path, "M{x:.0} {top:.1}h{}v{tall:.1}h-{}z", to - from, to - from);
}
