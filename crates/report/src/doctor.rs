//! What this machine can measure and how noisy it is, as a document.

use model::Unit;
use model::doctor::{Doctor, Level, MetricNoise, Noise, Probe, Works};
use model::fingerprint::Fingerprint;

use crate::document::{Block, Column, Document, Fit, Ink, Line, Note, Side, Table};
use crate::inert::TIE;
use crate::{notes, number, words};

pub(crate) fn document(doctor: &Doctor) -> Document {
    let mut document = Document::default();
    let headline = Line::plain(level(doctor.level));
    document.section(vec![Block::Headline(headline), Block::Paragraph(machine(&doctor.fingerprint))]);
    document.section(probes(&doctor.probes));
    document.section(notes::titled("to see more", doctor.probes.iter().filter_map(next).collect()));
    document.section(tools(&doctor.fingerprint));
    document.section(doctor.noise.as_ref().map(noise).unwrap_or_default());
    document
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::C => "Level C, the fullest view: both witnesses of each wait are seen.",
        Level::B => "Level B: kernel stacks and switches of your own tasks are seen.",
        Level::A => "Level A: your own tasks, user stacks and system calls are seen; the kernel is not.",
        Level::D => "Level D, the narrowest view: there are no perf events at all.",
    }
}

fn machine(fingerprint: &Fingerprint) -> Line {
    let known =
        |value: &Option<String>, what: &str| value.clone().unwrap_or_else(|| format!("{what} unknown"));
    let number = |value: Option<u32>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    let machine = &fingerprint.machine;
    let cpus =
        format!("{} of {} CPUs", number(fingerprint.limits.cpus_allowed), number(machine.cpus_present));
    let memory = machine.memory_bytes.map(|bytes| {
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let bytes = bytes as f64;
        number::quantity(bytes, Unit::Bytes)
    });
    let facts = [
        known(&machine.cpu_model, "CPU model"),
        cpus,
        known(&memory, "memory"),
        format!("hypervisor {}", machine.hypervisor.as_deref().unwrap_or("unknown")),
        format!("container {}", fingerprint.system.container.as_deref().unwrap_or("unknown")),
        format!("kernel {}", fingerprint.system.kernel.as_deref().unwrap_or("unknown")),
    ];
    Line::of(Ink::Faint, facts.join(" · "))
}

fn probes(probes: &[Probe]) -> Vec<Block> {
    if probes.is_empty() {
        return Vec::new();
    }
    let columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("tried", Side::Left, Fit::Wrap),
        Column::new("gives", Side::Left, Fit::Wrap),
        Column::new("seen", Side::Left, Fit::Wrap),
    ];
    let row = |probe: &Probe| {
        vec![
            works(probe.works),
            Line::plain(&probe.what),
            Line::plain(&probe.gives),
            Line::plain(&probe.because),
        ]
    };
    vec![Block::Table(Table { columns, rows: probes.iter().map(row).collect() })]
}

fn works(works: Works) -> Line {
    match works {
        Works::Yes => Line::of(Ink::Good, format!("✓{TIE}works")),
        Works::Partly => Line::of(Ink::Unsure, format!("~{TIE}partly")),
        Works::No => Line::of(Ink::Bad, format!("✗{TIE}no")),
    }
}

/// How to get what does not work, where there is a way.
fn next(probe: &Probe) -> Option<Note> {
    let next = probe.next.clone().filter(|_| probe.works != Works::Yes)?;
    Some(Note { text: Line::plain(&probe.what), next: Some(next) })
}

fn tools(fingerprint: &Fingerprint) -> Vec<Block> {
    let told = |(name, version): (&String, &Option<String>)| {
        format!("{name} {}", version.as_deref().unwrap_or("unknown"))
    };
    let tools: Vec<String> = fingerprint.tools.iter().map(told).collect();
    if tools.is_empty() {
        return Vec::new();
    }
    vec![Block::Paragraph(Line::of(Ink::Strong, "tools").and(Ink::Plain, format!(": {}", tools.join(", "))))]
}

/// The machine against itself.
fn noise(noise: &Noise) -> Vec<Block> {
    let title = Line::of(Ink::Strong, "noise")
        .and(Ink::Plain, ": ")
        .and(Ink::Verbatim, &noise.command)
        .and(Ink::Plain, format!(" against itself, {}", words::plural(noise.pairs.into(), "pair")))
        .and(Ink::Faint, format!(" (run {})", noise.run));
    let mut changes: Vec<f64> =
        noise.metrics.iter().flat_map(|m| m.needed.iter().map(|need| need.change)).collect();
    changes.sort_by(f64::total_cmp);
    changes.dedup();
    let mut columns = vec![
        Column::new("", Side::Left, Fit::Whole),
        Column::new("spread", Side::Right, Fit::Whole),
        Column::new("ratio (95 %)", Side::Left, Fit::Whole),
        Column::new("detects", Side::Right, Fit::Whole),
    ];
    let pairs = |change: &f64| format!("pairs for {}", number::percent_as_set(*change));
    columns.extend(changes.iter().map(|change| Column::new(pairs(change), Side::Left, Fit::Whole)));
    let rows = noise.metrics.iter().map(|metric| noise_row(metric, &changes)).collect();
    let key = "spread: of single runs, as a share of the median; detects: the smallest change these pairs find 95 \
               times in 100";
    vec![
        Block::Paragraph(title),
        Block::Table(Table { columns, rows }),
        Block::Paragraph(Line::of(Ink::Faint, key)),
    ]
}

fn noise_row(metric: &MetricNoise, changes: &[f64]) -> Vec<Line> {
    let unknown = || Line::of(Ink::Unsure, "unknown");
    let mut row = vec![
        Line::plain(words::metric(metric.metric)),
        Line::plain(number::percent(metric.run_spread)),
        Line::plain(number::ratio(&metric.ratio)),
        metric.detectable.map_or_else(unknown, |share| Line::plain(format!("±{}", number::percent(share)))),
    ];
    row.extend(changes.iter().map(|change| {
        metric.needed.iter().find(|need| need.change == *change).map_or_else(unknown, |need| {
            let seconds = number::quantity(need.seconds, Unit::Seconds);
            Line::plain(format!("{}{TIE}({seconds})", number::count(need.pairs)))
        })
    }));
    row
}
