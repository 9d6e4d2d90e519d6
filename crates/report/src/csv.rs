//! The numbers of a document as CSV: of a benchmark one row for each command and metric, of a profile one for each
//! hotspot.

use std::collections::BTreeSet;

use model::bench::{Bench, CommandSummary, MetricSummary};
use model::profile::{Hotspot, Profile};
use model::{Metric, Unit};

use crate::{inert, words};

const COLUMNS: &str = "command,metric,unit,n,median,low,high,mean,sd,min,max";

/// Long format in the metric's own unit (`s`, `B`, `1`), then one column for each parameter. What is not known is
/// an empty field, never 0. Lines end in `\n`, which every reader takes and Unix tools want.
#[must_use]
pub fn bench_csv(bench: &Bench) -> String {
    let params: BTreeSet<&str> =
        bench.commands.iter().flat_map(|command| command.params.keys().map(String::as_str)).collect();
    let mut text = COLUMNS.to_owned();
    for param in &params {
        text.push_str(&format!(",{}", inert::csv(&format!("param.{param}"))));
    }
    text.push('\n');
    for command in &bench.commands {
        for metric in metrics(command) {
            text.push_str(&row(command, metric, &params));
        }
    }
    text
}

const HOTSPOT_COLUMNS: &str = "function,file,line,module,language,owner,own,own_low,own_high,total,total_low,total_high,n,seconds,ceiling";

/// Every hotspot, largest first. Shares are of the whole recording; what is not known is an empty field.
#[must_use]
pub fn profile_csv(profile: &Profile) -> String {
    let rows = profile.hotspots.iter().map(hotspot);
    std::iter::once(format!("{HOTSPOT_COLUMNS}\n")).chain(rows).collect()
}

fn hotspot(hotspot: &Hotspot) -> String {
    let place = &hotspot.place;
    let text = |text: &Option<String>| text.as_deref().map_or_else(String::new, inert::csv);
    let mut fields = vec![
        inert::csv(&place.function),
        text(&place.file),
        place.line.map_or_else(String::new, |line| line.to_string()),
        text(&place.module),
        variant(&place.language),
        variant(&place.owner),
    ];
    let shares = [hotspot.own, hotspot.total];
    fields
        .extend(shares.iter().flat_map(|share| [share.value, share.low, share.high]).map(|x| field(Some(x))));
    fields.push(hotspot.n.to_string());
    fields.extend([hotspot.seconds, hotspot.ceiling].map(field));
    format!("{}\n", fields.join(","))
}

/// A variant by its name on the wire.
fn variant(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(inert::csv)).unwrap_or_default()
}

/// Everything a run yields, known or not, and what else was counted.
fn metrics(command: &CommandSummary) -> impl Iterator<Item = Metric> {
    let counted = command.metrics.iter().map(|summary| summary.metric);
    Metric::TIMED.into_iter().chain(counted.filter(|metric| !Metric::TIMED.contains(metric)))
}

fn row(command: &CommandSummary, metric: Metric, params: &BTreeSet<&str>) -> String {
    let summary = words::summary_of(command, metric);
    let mut fields =
        vec![inert::csv(&command.label), metric.name().to_owned(), unit(metric.unit()).to_owned()];
    fields.push(summary.map_or(0, |summary| summary.n).to_string());
    fields.extend(numbers(summary).map(field));
    fields.extend(
        params.iter().map(|param| command.params.get(*param).map_or_else(String::new, |v| inert::csv(v))),
    );
    format!("{}\n", fields.join(","))
}

fn numbers(summary: Option<&MetricSummary>) -> [Option<f64>; 7] {
    let interval = summary.and_then(|summary| summary.interval);
    [
        summary.map(|summary| summary.median),
        interval.map(|bounds| bounds.low),
        interval.map(|bounds| bounds.high),
        summary.map(|summary| summary.mean),
        summary.and_then(|summary| summary.standard_deviation),
        summary.map(|summary| summary.min),
        summary.map(|summary| summary.max),
    ]
}

fn field(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map_or_else(String::new, |number| number.to_string())
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "s",
        Unit::Bytes => "B",
        Unit::One => "1",
    }
}
