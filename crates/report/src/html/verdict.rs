//! The top of the page: what was run, what came out, and the few numbers that matter.

use std::fmt::Write as _;

use model::answer::Answer;
use model::bench::Bench;
use model::compare::{Compare, MetricVerdict, Verdict};
use model::gate::{Gate, GateVerdict as Kept};
use model::manifest::Kind;
use model::profile::Profile;
use model::scale::{GateVerdict, Scale};
use model::verify::{Outcome, Verify};
use model::{Metric, Unit};

use super::{Sheet, Told, prose};
use crate::{inert, number, scale, words};

pub(super) struct Head {
    /// The page's name, as text.
    pub(super) title: String,
    pub(super) body: String,
}

/// A number with its name and what belongs to it.
struct Tile {
    label: String,
    value: String,
    note: String,
}

fn tile(label: &str, value: impl Into<String>, note: impl Into<String>) -> Tile {
    Tile { label: label.to_owned(), value: value.into(), note: note.into() }
}

/// The thin line above everything: whose page it is, which run, light or dark.
pub(super) fn bar(page: &mut String, sheet: &Sheet) {
    let run = sheet.manifest.map_or("", |manifest| manifest.id.as_str());
    let _ = writeln!(
        page,
        "<header id=\"bar\"><a class=\"mark\" href=\"#verdict\">slowpath</a><span class=\"run\">{}</span>\
         <button type=\"button\" id=\"theme\" aria-label=\"Switch between light and dark\" hidden>\
         <span aria-hidden=\"true\">◐</span> <span id=\"theme-word\">Theme</span></button></header>",
        inert::html(run)
    );
}

pub(super) fn head(sheet: &Sheet) -> Head {
    let (command, headline, pill, tiles) = match sheet.told {
        Told::Why(answer) => why(answer),
        Told::Bench(bench) => benched(bench),
        Told::Compare(compare) => compared(compare),
        Told::Profile(profile) => profiled(profile),
        Told::Scale(scale) => scaled(scale),
        Told::Verify(verify) => verified(verify),
        Told::Gate(gate) => gated(gate),
    };
    let mut body = format!(
        "<section id=\"verdict\" aria-label=\"Verdict\"><p class=\"eyebrow\">{}</p><h1>{}</h1>\n",
        question(sheet),
        prose(&headline)
    );
    if let Some((class, words)) = pill {
        let _ = write!(body, "<p class=\"lead\">{}</p>", self::pill(class, &words));
    }
    if !command.is_empty() {
        body.push_str(&super::command(&command));
    }
    body.push_str("<dl class=\"tiles\">");
    for tile in &tiles {
        let _ = write!(
            body,
            "<div><dt>{}</dt><dd><b>{}</b> <span>{}</span></dd></div>",
            inert::html(&tile.label),
            inert::html(&tile.value),
            inert::html(&tile.note)
        );
    }
    body.push_str("</dl></section>\n");
    Head { title: format!("{} – slowpath", headline.replace('`', "")), body }
}

fn question(sheet: &Sheet) -> &'static str {
    match (sheet.told, sheet.manifest.map(|manifest| manifest.kind)) {
        (Told::Why(_), _) => "Why is it slow?",
        (Told::Bench(_), _) => "How fast is it?",
        (Told::Compare(_), Some(Kind::Noise)) => "How noisy is this machine?",
        (Told::Compare(_), _) => "Did it change?",
        (Told::Profile(_), _) => "Where does the time go?",
        (Told::Scale(_), _) => "How does the cost grow?",
        (Told::Verify(_), _) => "Did the fix do what was promised?",
        (Told::Gate(_), _) => "Is it still fast enough?",
    }
}

/// A state as a word with a sign, so that colour only repeats it.
pub(super) fn pill(class: &str, words: &str) -> String {
    format!("<span class=\"pill {class}\">{}</span>", inert::html(words))
}

/// The class that paints a state, by its word.
pub(super) fn state_class(word: &str) -> &'static str {
    match word {
        "confirmed" => "confirmed",
        "likely" => "likely",
        "possible" => "possible",
        "rejected" => "rejected",
        _ => "untestable",
    }
}

/// A function with a smaller share of its own is no headline.
const WORTH_NAMING: f64 = 0.01;

type Parts = (String, String, Option<(&'static str, String)>, Vec<Tile>);

fn why(answer: &Answer) -> Parts {
    let (wall, verdict) = (&answer.wall, &answer.verdict);
    let kind: Vec<&str> =
        [&verdict.class, &verdict.cause].into_iter().filter_map(|part| part.as_deref()).collect();
    let words = std::iter::once(verdict.state.as_str()).chain(kind).collect::<Vec<_>>().join(" · ");
    let time = number::quantity(wall.median_s, Unit::Seconds);
    let mut tiles = vec![match wall.n {
        0 => tile("watched for", time, String::new()),
        _ => tile("wall time, median", time, bounds(wall.low_s.zip(wall.high_s), Unit::Seconds, wall.n)),
    }];
    let cpu = answer.evidence.iter().find(|evidence| evidence.metric == "cpu" && evidence.unit == "s");
    tiles.extend(cpu.map(|cpu| {
        let note = bounds(cpu.low.zip(cpu.high), Unit::Seconds, cpu.n);
        tile("CPU time, median", number::quantity(cpu.value, Unit::Seconds), note)
    }));
    tiles.extend(answer.findings.first().map(|finding| {
        let bound = words::bound(finding).unwrap_or_default();
        tile("first finding saves", number::quantity(finding.recoverable_s, Unit::Seconds), bound)
    }));
    tiles.extend(answer.target.exit.map(|exit| tile("it ended with", words::ended(exit), "")));
    let pill = Some((state_class(&verdict.state), words));
    (words::command_line(&answer.target.argv), verdict.summary.clone(), pill, tiles)
}

/// `1.21–1.28 s, n = 12`.
fn bounds(interval: Option<(f64, f64)>, unit: Unit, n: u32) -> String {
    match interval {
        Some((low, high)) => format!("{} (95 %), n = {n}", number::range(low, high, unit)),
        None => format!("n = {n}; {}", number::no_interval(n)),
    }
}

fn benched(bench: &Bench) -> Parts {
    let [only] = bench.commands.as_slice() else {
        let text = words::plural(bench.commands.len() as u64, "command");
        let tiles = bench.commands.iter().take(4).filter_map(|command| {
            let wall = words::summary_of(command, Metric::Wall).or(command.metrics.first())?;
            Some(tile(
                &command.label,
                number::quantity(wall.median, wall.unit),
                bounds(words::interval_of(wall), wall.unit, wall.n),
            ))
        });
        return (String::new(), format!("{text} measured"), None, tiles.collect());
    };
    let tiles = [Metric::Wall, Metric::Cpu, Metric::Rss].into_iter().filter_map(|metric| {
        let summary = words::summary_of(only, metric)?;
        let note = bounds(words::interval_of(summary), summary.unit, summary.n);
        Some(tile(
            &format!("{}, median", words::metric(metric)),
            number::quantity(summary.median, summary.unit),
            note,
        ))
    });
    let headline = words::summary_of(only, Metric::Wall).map_or_else(
        || only.label.clone(),
        |wall| format!("{} takes {}", only.label, number::quantity(wall.median, wall.unit)),
    );
    (words::command_line(&only.argv), headline, None, tiles.collect())
}

fn compared(compare: &Compare) -> Parts {
    let class = match compare.verdict {
        Verdict::Better => "good",
        Verdict::Worse => "bad",
        Verdict::NoChange => "plain",
        Verdict::Inconclusive => "unsure",
    };
    let tiles = changes(&compare.metrics);
    let sides = format!("{} against {}", compare.new.label, compare.base.label);
    let pill =
        format!("{} {} · {sides}", words::verdict_sign(compare.verdict), words::verdict(compare.verdict));
    (String::new(), compare.summary.clone(), Some((class, pill)), tiles)
}

/// A tile for each metric that was judged.
fn changes(metrics: &[MetricVerdict]) -> Vec<Tile> {
    let tiles = metrics.iter().take(4).map(|judged| {
        let interval = judged.ratio.low.zip(judged.ratio.high);
        let range = interval.map_or_else(String::new, |(low, high)| {
            format!("{} to {} (95 %), ", number::change(low), number::change(high))
        });
        let note = format!(
            "{range}{}: {}",
            words::plural(judged.pairs.into(), "pair"),
            words::verdict(judged.verdict)
        );
        tile(words::metric(judged.metric), number::change(judged.ratio.value), note)
    });
    tiles.collect()
}

fn verified(verify: &Verify) -> Parts {
    let (class, sign) = match verify.verdict {
        Outcome::Accepted => ("good", "✓"),
        Outcome::Refuted => ("bad", "✗"),
        Outcome::Undecided => ("unsure", "?"),
    };
    let judged = words::metric(verify.prediction.metric);
    let pill = format!("{sign} {} · judged on {judged}", verify.verdict.word());
    (verify.new.label.clone(), verify.summary.clone(), Some((class, pill)), changes(&verify.metrics))
}

fn gated(gate: &Gate) -> Parts {
    let (class, sign) = match gate.verdict {
        Kept::Holds | Kept::New => ("good", "✓"),
        Kept::Broken | Kept::Failed => ("bad", "✗"),
        Kept::Inconclusive | Kept::NotComparable => ("unsure", "?"),
    };
    let tiles = gate.scenarios.iter().take(4).map(|scenario| {
        // The table below has all of it.
        let reason = scenario.because.first().and_then(|reason| reason.split("; because").next());
        tile(&scenario.name, scenario.verdict.word(), reason.unwrap_or_default().replace('`', ""))
    });
    let headline = format!("performance gate {}", gate.summary);
    let pill = format!("{sign} {}", gate.verdict.word());
    (String::new(), headline, Some((class, pill)), tiles.collect())
}

fn profiled(profile: &Profile) -> Parts {
    let mut tiles = Vec::new();
    if let Some(wall) = profile.wall_s {
        tiles.push(tile("wall time", number::quantity(wall, Unit::Seconds), "one run under the recorder"));
    }
    tiles.push(tile("hits", number::count(profile.hits), format!("from {}", profile.source)));
    if let Some(exit) = profile.target.as_ref().and_then(|target| target.exit) {
        tiles.push(tile("it ended with", words::ended(exit), ""));
    }
    let command = profile.target.as_ref().map(|target| words::command_line(&target.argv)).unwrap_or_default();
    let largest = profile.account.as_ref().and_then(|account| account.leaves.first());
    let headline = match (largest, profile.hotspots.first()) {
        (Some(leaf), _) => format!(
            "{} of wall time: {}",
            number::percent(leaf.share),
            model::leaf::words_of(&leaf.leaf).unwrap_or(&leaf.leaf)
        ),
        (None, Some(hotspot)) if hotspot.own.value >= WORTH_NAMING => {
            format!("{} in `{}`", number::percent(hotspot.own.value), hotspot.place.function)
        }
        (None, Some(_)) => "No function stands out".to_owned(),
        (None, None) => "Nothing was recorded".to_owned(),
    };
    (command, headline, None, tiles)
}

fn scaled(growth: &Scale) -> Parts {
    let class = growth.fits.first().map_or_else(|| growth.class.name().to_owned(), scale::named);
    let rivals: Vec<&str> = growth.set.iter().skip(1).map(|class| class.name()).collect();
    let note = if rivals.is_empty() {
        "told apart from every other class".to_owned()
    } else {
        format!("not told apart from {}", rivals.join(", "))
    };
    let mut tiles = vec![tile("class", class, note)];
    if let Some(exponent) = &growth.exponent {
        tiles.push(tile(
            "exponent",
            number::bare(exponent.value, None),
            format!("{} (95 %)", scale::bounds(exponent)),
        ));
    }
    if let Some(fit) = growth.fits.first() {
        tiles.push(tile("sizes", fit.points.len().to_string(), format!("by {}", scale::metric(fit.metric))));
    }
    let pill = growth.gate.map(|gate| match gate.verdict {
        GateVerdict::Holds => ("good", format!("✓ no worse than {}", gate.expected.name())),
        GateVerdict::Broken => ("bad", format!("✗ worse than {}", gate.expected.name())),
        GateVerdict::Inconclusive => ("unsure", format!("? not told from {}", gate.expected.name())),
    });
    (growth.command.clone(), growth.summary.clone(), pill, tiles)
}
