//! What the program asked of files, peers and the kernel: statements, peers, files and calls, each with small bars that
//! compare count, bytes and time down the column.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use model::calls::{Calls, FileUse, On, Peer, Role, Row, StatementUse};
use model::recording::{Object, Owner, StackIndex};
use model::{Nanos, Unit};

use super::{Section, Sheet, width};
use crate::{inert, number, words};

/// Rows that are shown at once, and all that are on the page; the file has the rest.
const SHOWN: usize = 10;
const MOST: usize = 60;

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let calls = sheet.passes.calls.as_ref()?;
    let spent = Spent::of(calls);
    let body = [statements(calls), peers(calls, &spent), files(calls, &spent), rows(calls)].concat();
    let mut note = format!(
        "One traced run: {} in {}, {} of them timed. Times are of that run, with the tracer's own {} a call taken off: \
         good for comparing calls with each other.",
        words::plural(calls.totals.calls, "call"),
        number::quantity(calls.wall.as_secs_f64(), Unit::Seconds),
        number::count(calls.totals.seen),
        calls.tracing.map_or("unknown cost".to_owned(), |cost| {
            number::quantity(cost.as_secs_f64(), Unit::Seconds)
        }),
    );
    if calls.totals.unwatched > 0 {
        let _ = write!(note, " {} came after its time was up.", number::count(calls.totals.unwatched));
    }
    Some(Section::new("calls", "What it asked of files, peers and the kernel", note, body))
}

/// The time that was spent in calls on each object.
struct Spent(BTreeMap<On, f64>);

impl Spent {
    fn of(calls: &Calls) -> Self {
        let mut spent = BTreeMap::new();
        for row in &calls.rows {
            if let Some(on) = row.on {
                *spent.entry(on).or_insert(0.0) += row.latency.as_secs_f64();
            }
        }
        Self(spent)
    }

    /// No row, no call: nothing was spent.
    fn on(&self, on: On) -> f64 {
        self.0.get(&on).copied().unwrap_or(0.0)
    }
}

/// A cell of a table.
enum Cell {
    /// Markup of our own.
    Markup(String),
    /// A number with a bar as long as it is large among those of its column. `None` is not known.
    Measured(Option<f64>, Unit),
    /// There is no such number.
    Nothing,
}

fn counted(value: u64) -> Cell {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    Cell::Measured(Some(value as f64), Unit::One)
}

fn bytes(value: u64) -> Cell {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    Cell::Measured(Some(value as f64), Unit::Bytes)
}

fn seconds(value: Option<f64>) -> Cell {
    Cell::Measured(value, Unit::Seconds)
}

/// A titled table. Rows beyond the first few are folded away.
fn table(title: &str, columns: &[&str], rows: &[Vec<Cell>], left_out: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let largest: Vec<f64> = (0..columns.len()).map(|at| largest(rows, at)).collect();
    let mut head = String::new();
    for (at, name) in columns.iter().enumerate() {
        let measured = rows.iter().any(|row| matches!(row.get(at), Some(Cell::Measured(..))));
        let class = if measured { " class=\"num\"" } else { "" };
        let _ = write!(head, "<th scope=\"col\"{class}>{name}</th>");
    }
    let drawn = |rows: &[Vec<Cell>]| {
        let body: String = rows.iter().map(|row| drawn_row(row, &largest)).collect();
        format!(
            "<div class=\"scroll\"><table class=\"asked\"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
    };
    let (first, more) = rows.split_at(rows.len().min(SHOWN));
    let mut text = format!("<h3>{title}</h3>{}", drawn(first));
    if !more.is_empty() {
        let _ = write!(
            text,
            "<details class=\"long\"><summary>{} more</summary>{}</details>",
            more.len(),
            drawn(more)
        );
    }
    if left_out > 0 {
        let left = number::count(left_out as u64);
        let _ = write!(text, "<p class=\"faint\">{left} more are in the raw file.</p>");
    }
    text
}

fn largest(rows: &[Vec<Cell>], at: usize) -> f64 {
    let values = rows.iter().filter_map(|row| match row.get(at) {
        Some(Cell::Measured(value, _)) => *value,
        _ => None,
    });
    values.fold(0.0, f64::max)
}

fn drawn_row(row: &[Cell], largest: &[f64]) -> String {
    let cell = |(cell, largest): (&Cell, &f64)| match cell {
        Cell::Markup(text) => format!("<td>{text}</td>"),
        Cell::Measured(None, _) => "<td class=\"num faint\">unknown</td>".to_owned(),
        Cell::Measured(Some(0.0), _) | Cell::Nothing => "<td class=\"num faint\">–</td>".to_owned(),
        Cell::Measured(Some(value), unit) => format!(
            "<td class=\"num meter\">{}<i style=\"width:{:.1}%\"></i></td>",
            inert::html(&number::quantity(*value, *unit)),
            width(if *largest > 0.0 { value / largest } else { 0.0 }),
        ),
    };
    format!("<tr>{}</tr>", row.iter().zip(largest).map(cell).collect::<String>())
}

fn statements(calls: &Calls) -> String {
    let mut all: Vec<(&Peer, &StatementUse)> =
        calls.peers.iter().flat_map(|peer| peer.statements.iter().map(move |one| (peer, one))).collect();
    all.sort_by_key(|(_, one)| (std::cmp::Reverse((one.latency, one.count)), &one.text));
    let row = |(peer, one): &(&Peer, &StatementUse)| {
        let from = one.stacks.first().and_then(|sent| place(calls, sent.stack));
        let told = format!(
            "<code>{}</code><small>{}{}</small>",
            inert::html(&one.text),
            inert::html(&named(peer)),
            from.map_or_else(String::new, |from| format!(" · from {}", inert::html(&from))),
        );
        let answered = |value: f64| (one.answered > 0).then_some(value);
        vec![
            Cell::Markup(told),
            counted(one.count),
            seconds(answered(one.latency.as_secs_f64())),
            seconds(one.median.map(|median| median.as_secs_f64())),
            seconds(answered(one.longest.as_secs_f64())),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().take(MOST).map(row).collect();
    let columns = ["statement, values as ?", "count", "waited in all", "median", "longest"];
    table("Statements and requests", &columns, &rows, all.len().saturating_sub(MOST))
}

/// `postgresql at 127.0.0.1:5432`.
fn named(peer: &Peer) -> String {
    let address = peer.address.as_deref().unwrap_or("an unknown address");
    format!("{} at {address}", peer.protocol.as_deref().unwrap_or(&peer.family))
}

fn peers(calls: &Calls, spent: &Spent) -> String {
    let mut all: Vec<(f64, &Peer)> = calls
        .peers
        .iter()
        .enumerate()
        .map(|(at, peer)| (spent.on(On::Peer(u32::try_from(at).unwrap_or(u32::MAX))), peer))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let row = |(spent, peer): &(f64, &Peer)| {
        let role = match peer.role {
            Role::Asks => "asked by the program",
            Role::Answers => "clients that the program answers",
        };
        let refused = match peer.refused {
            0 => String::new(),
            n => format!(", {} refused", number::count(n)),
        };
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let requests = peer.requests.map(|requests| requests as f64);
        vec![
            Cell::Markup(format!(
                "<code>{}</code><small>{role}{}</small>",
                inert::html(&named(peer)),
                inert::html(&refused)
            )),
            counted(peer.connections),
            Cell::Measured(requests, Unit::One),
            bytes(peer.sent_bytes),
            bytes(peer.received_bytes),
            seconds(Some(*spent)),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().take(MOST).map(row).collect();
    let columns = ["peer", "connections", "requests", "sent", "received", "time in calls"];
    table("Peers", &columns, &rows, all.len().saturating_sub(MOST))
}

fn files(calls: &Calls, spent: &Spent) -> String {
    let mut all: Vec<(f64, &FileUse)> = calls
        .files
        .iter()
        .enumerate()
        .map(|(at, file)| (spent.on(On::File(u32::try_from(at).unwrap_or(u32::MAX))), file))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let row = |(spent, file): &(f64, &FileUse)| {
        vec![
            Cell::Markup(format!(
                "<code>{}</code><small>{}</small>",
                inert::html(&file.path),
                inert::html(&told(file))
            )),
            counted(file.opens.saturating_add(file.stats)),
            counted(file.reads.saturating_add(file.writes)),
            bytes(file.read_bytes),
            bytes(file.written_bytes),
            seconds(Some(*spent)),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().take(MOST).map(row).collect();
    let columns = ["file", "opened or looked up", "reads and writes", "read", "written", "time in calls"];
    table("Files", &columns, &rows, all.len().saturating_sub(MOST))
}

/// What is odd about a file: what it is, what it was read over again, what went to the disk, what failed.
fn told(file: &FileUse) -> String {
    let mut told: Vec<String> = file.format.iter().cloned().collect();
    if let Some(distinct) = file.distinct_read_bytes.filter(|distinct| *distinct > 0)
        && file.read_bytes / 2 >= distinct
    {
        #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
        let times = file.read_bytes as f64 / distinct as f64;
        told.push(format!("each byte read {times:.1} times"));
    }
    if file.syncs > 0 {
        let time = number::quantity(file.sync.as_secs_f64(), Unit::Seconds);
        told.push(format!("{} in {time}", words::plural(file.syncs, "sync")));
    }
    if file.failures > 0 {
        told.push(format!("not found or refused {}", words::plural(file.failures, "time")));
    }
    if file.maps > 0 {
        told.push("mapped: reads through the mapping are not seen".to_owned());
    }
    told.join(" · ")
}

/// Calls of one kind on one object from one place, whatever way led there.
struct Kind<'a> {
    first: &'a Row,
    from: Option<String>,
    count: u64,
    seen: u64,
    bytes: Option<u64>,
    latency: Nanos,
    longest: Nanos,
    sizes: Vec<u64>,
}

fn kinds(calls: &Calls) -> Vec<Kind<'_>> {
    let mut kinds: BTreeMap<(&str, Option<On>, Option<String>), Kind<'_>> = BTreeMap::new();
    for row in &calls.rows {
        let from = place(calls, row.stack);
        let kind = kinds.entry((&row.call, row.on, from.clone())).or_insert_with(|| Kind {
            first: row,
            from,
            count: 0,
            seen: 0,
            bytes: None,
            latency: Nanos::ZERO,
            longest: Nanos::ZERO,
            sizes: Vec::new(),
        });
        kind.count = kind.count.saturating_add(row.count);
        kind.seen = kind.seen.saturating_add(row.seen);
        kind.bytes = row.bytes.map(|bytes| kind.bytes.unwrap_or(0).saturating_add(bytes)).or(kind.bytes);
        kind.latency = Nanos::from_nanos(kind.latency.as_nanos().saturating_add(row.latency.as_nanos()));
        kind.longest = kind.longest.max(row.longest);
        kind.sizes.resize(kind.sizes.len().max(row.sizes.len()), 0);
        for (sum, count) in kind.sizes.iter_mut().zip(&row.sizes) {
            *sum = sum.saturating_add(*count);
        }
    }
    let mut kinds: Vec<Kind<'_>> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse((kind.latency, kind.count)));
    kinds
}

fn rows(calls: &Calls) -> String {
    let all = kinds(calls);
    let drawn = |kind: &Kind<'_>| {
        let on = kind.first.on.and_then(|on| object(calls, on)).filter(|on| !on.is_empty());
        let from = kind.from.as_ref().map(|from| format!("from {from}"));
        let small: Vec<String> = [on, from].into_iter().flatten().collect();
        vec![
            Cell::Markup(format!(
                "<code>{}</code><small>{}</small>",
                inert::html(&kind.first.call),
                inert::html(&small.join(" · "))
            )),
            counted(kind.count),
            kind.bytes.map_or(Cell::Nothing, bytes),
            Cell::Markup(sizes(&kind.sizes)),
            seconds((kind.seen > 0).then(|| kind.latency.as_secs_f64())),
            seconds((kind.seen > 0).then(|| kind.longest.as_secs_f64())),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().take(MOST).map(drawn).collect();
    let columns = ["call", "count", "bytes", "sizes", "time in calls", "longest"];
    let text = table("Calls by place", &columns, &rows, all.len().saturating_sub(MOST));
    match text.is_empty() {
        true => text,
        false => {
            text + "<p class=\"faint\">Sizes: how many calls moved nothing, 1 byte, 2 to 3, 4 to 7 and so on, left to right.</p>"
        }
    }
}

fn object(calls: &Calls, on: On) -> Option<String> {
    match on {
        On::File(at) => calls.files.get(at as usize).map(|file| file.path.clone()),
        On::Peer(at) => calls.peers.get(at as usize).map(named),
        On::Other(at) => calls.others.get(at as usize).map(other),
    }
}

fn other(object: &Object) -> String {
    match object {
        Object::File { path } | Object::Directory { path } | Object::Device { path } => path.clone(),
        Object::Socket { family, peer, .. } => {
            peer.as_ref().map_or_else(|| family.clone(), |peer| format!("{family} {peer}"))
        }
        Object::Pipe { .. } => "a pipe".to_owned(),
        Object::Lock { .. } => "a lock".to_owned(),
        Object::Set { members } => members.join(", "),
        Object::Child { .. } => "a child".to_owned(),
        Object::Event => "an event".to_owned(),
        Object::Timer => "a timer".to_owned(),
        Object::Other { text } => text.clone(),
    }
}

/// The innermost frame of the user's own code, else the innermost of all.
fn place(calls: &Calls, stack: Option<StackIndex>) -> Option<String> {
    let stack = stack?;
    let own = calls.frames_of(stack).find(|frame| frame.owner == Owner::Project);
    let frame = own.or_else(|| calls.frames_of(stack).next())?;
    let name = frame.function.as_deref().unwrap_or("unknown");
    let file = frame.file.as_deref().map(|file| file.rsplit('/').next().unwrap_or(file));
    Some(match (file, frame.line) {
        (Some(file), Some(line)) => format!("{name} ({file}:{line})"),
        (Some(file), None) => format!("{name} ({file})"),
        (None, _) => name.to_owned(),
    })
}

/// A small picture of how large the calls were.
fn sizes(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return String::new();
    }
    let mut text = String::from("<svg class=\"sizes\" viewBox=\"0 0 160 20\" role=\"img\" aria-label=\"");
    let told: Vec<String> = counts.iter().map(|count| number::count(*count)).collect();
    let _ = write!(text, "{}\">", inert::html(&format!("calls by size: {}", told.join(", "))));
    for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        #[expect(clippy::cast_precision_loss, reason = "a bar of a few pixels")]
        let tall = (*count as f64 / most as f64 * 20.0).max(1.5);
        let _ = write!(
            text,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"4\" height=\"{tall:.1}\"><title>{}</title></rect>",
            at * 5,
            20.0 - tall,
            inert::html(&format!("{}: {}", range(at), words::plural(*count, "call"))),
        );
    }
    text + "</svg>"
}

/// What the n-th bar stands for.
fn range(at: usize) -> String {
    match at {
        0 => "nothing".to_owned(),
        1 => "1 B".to_owned(),
        at => {
            let from = 1_u64.checked_shl(u32::try_from(at - 1).unwrap_or(u32::MAX)).unwrap_or(u64::MAX);
            #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
            let size = number::quantity(from as f64, Unit::Bytes);
            format!("from {size}")
        }
    }
}
