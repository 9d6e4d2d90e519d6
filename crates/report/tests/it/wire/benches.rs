use std::collections::BTreeMap;

use model::bench::{Against, Bench, Bounds, CommandSummary, MetricSummary, Outlier, Percentile, SCHEMA};
use model::compare::RatioEstimate;
use model::{Arg, Ended, Metric};

use super::{counters, warning};

/// A metric of which the values are spread around `median` by a fixed pattern.
fn metric(metric: Metric, median: f64, spread: f64, n: u32) -> MetricSummary {
    let pattern =
        [0.0, -0.4, 0.3, 0.1, -0.2, 0.6, -0.6, 0.2, -0.1, 1.0, 0.4, -0.3, -1.0, 0.0, 0.1, -0.1, 2.5, 0.2];
    let values: Vec<f64> =
        pattern.iter().cycle().take(n as usize).map(|step| median * (1.0 + spread * step)).collect();
    let edge = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(median);
    let interval = (n >= 6).then_some(Bounds {
        low: median * (1.0 - 0.3 * spread),
        high: median * (1.0 + 0.4 * spread),
        confidence: 0.95,
    });
    MetricSummary {
        metric,
        unit: metric.unit(),
        n,
        median,
        interval,
        mean: median * (1.0 + 0.1 * spread),
        standard_deviation: (n > 1).then_some(median * spread * 0.7),
        mad: median * spread * 0.3,
        min: edge(f64::min),
        max: edge(f64::max),
        percentiles: Vec::new(),
        effective_n: f64::from(n),
        values,
    }
}

/// Everything one run yields, for a command that takes `seconds`.
fn command(label: &str, seconds: f64, n: u32) -> CommandSummary {
    let mut wall = metric(Metric::Wall, seconds, 0.02, n);
    wall.percentiles = vec![
        Percentile::Solid {
            p: 0.9,
            value: seconds * 1.02,
            interval: wall.interval.map(|bounds| Bounds {
                low: seconds * 1.015,
                high: seconds * 1.03,
                ..bounds
            }),
        },
        Percentile::Bounded { p: 0.95, upper: seconds * 1.04 },
        Percentile::MaxOf { p: 0.99, n, max: wall.max },
    ];
    let metrics = vec![
        wall,
        metric(Metric::Cpu, seconds * 0.97, 0.01, n),
        metric(Metric::User, seconds * 0.86, 0.012, n),
        metric(Metric::System, seconds * 0.11, 0.08, n),
        metric(Metric::Rss, 43_200_512.0, 0.002, n),
        metric(Metric::MinorFaults, 10_312.0, 0.001, n),
        metric(Metric::MajorFaults, 0.0, 0.0, n),
        metric(Metric::VoluntarySwitches, 12.0, 0.2, n),
        metric(Metric::InvoluntarySwitches, 88.0, 0.3, n),
        metric(Metric::ReadBytes, 104_857_600.0, 0.0, n),
        metric(Metric::WrittenBytes, 104_857_600.0, 0.0, n),
        metric(Metric::BlockReadBytes, 0.0, 0.0, n),
        metric(Metric::BlockWrittenBytes, 0.0, 0.0, n),
    ];
    CommandSummary {
        label: label.to_owned(),
        argv: label.split(' ').map(Arg::from).collect(),
        params: BTreeMap::new(),
        n,
        warm_up: 3,
        ended: Some(Ended::Code(0)),
        metrics,
        outliers: Vec::new(),
        warnings: Vec::new(),
    }
}

pub(crate) fn bench(commands: Vec<CommandSummary>) -> Bench {
    Bench {
        schema: SCHEMA.to_owned(),
        run: Some("20260801T101500Z-7f3a".to_owned()),
        seed: 42,
        order: "interleaved blocks".to_owned(),
        conditions: vec!["output captured".to_owned()],
        commands,
        ratios: Vec::new(),
        warnings: Vec::new(),
        suite: None,
        gaps: Vec::new(),
    }
}

fn outlier(order: u32, reason: Option<&str>) -> Outlier {
    let reason = reason.map(str::to_owned);
    Outlier { order, metric: Metric::Wall, value: 1.137, times_median: 1.4, reason }
}

/// One command, measured well.
pub(crate) fn single() -> Bench {
    let mut sort = command("sort big.txt", 0.812, 18);
    sort.outliers = vec![outlier(7, Some("the hypervisor took 80 ms (steal)")), outlier(12, None)];
    let text = "wall times fall into two groups, near 806 ms and near 828 ms: one median describes neither";
    sort.warnings = vec![warning("bimodal", text, Some("slowpath bench --runs 60 -- sort big.txt"))];
    let mut bench = bench(vec![sort]);
    bench.gaps = vec![counters(), model::Gap::new("CPU frequency", "the hypervisor hides it", None)];
    bench
}

/// A single run of a labelled command that failed, on a machine that tells nothing of I/O.
pub(crate) fn once() -> Bench {
    let mut failing = command("grep -c 'two words' /no/such/file", 0.001_9, 1);
    failing.label = "search".to_owned();
    failing.argv = ["grep", "-c", "two words", "/no/such/file"].map(Arg::from).into();
    failing.metrics.retain(|summary| {
        use Metric::{BlockReadBytes, BlockWrittenBytes, ReadBytes, WrittenBytes};
        ![ReadBytes, WrittenBytes, BlockReadBytes, BlockWrittenBytes].contains(&summary.metric)
    });
    failing.ended = Some(Ended::Code(2));
    failing.warm_up = 0;
    bench(vec![failing])
}

/// Three runs: too few for an interval.
pub(crate) fn thrice() -> Bench {
    bench(vec![command("make test", 94.3, 3)])
}

fn against(command: &str, base: &str, metric: Metric, value: f64) -> Against {
    let ratio = RatioEstimate { value, low: Some(value * 0.985), high: Some(value * 1.012) };
    Against { command: command.to_owned(), against: base.to_owned(), metric, ratio, blocks: 18 }
}

/// Two commands side by side.
pub(crate) fn pair() -> Bench {
    let (first, second) = ("sort big.txt", "sort --parallel=2 big.txt");
    let mut bench = bench(vec![command(first, 0.812, 18), command(second, 0.421, 18)]);
    bench.ratios = [(Metric::Wall, 0.52), (Metric::Cpu, 1.07), (Metric::Rss, 1.001)]
        .map(|(metric, ratio)| against(second, first, metric, ratio))
        .into();
    bench.gaps = vec![counters()];
    bench
}

/// Twelve commands made by a parameter, one with a long name, one of which little is known.
pub(crate) fn many() -> Bench {
    let sizes: Vec<u32> = (0..12).map(|step| 1 << step).collect();
    let mut commands: Vec<CommandSummary> = Vec::new();
    for size in &sizes {
        let mut each = command(&format!("./report --size {size}"), f64::from(*size) * 0.001_3, 12);
        each.params = BTreeMap::from([("size".to_owned(), size.to_string())]);
        commands.push(each);
    }
    if let Some(long) = commands.get_mut(5) {
        long.label =
            "/opt/very/long/path/to/some/program/that/never/ends --with --many=options --size 32".to_owned();
    }
    if let Some(bare) = commands.get_mut(7) {
        bare.metrics.truncate(1);
        bare.ended = Some(Ended::Signal(11));
    }
    let base = commands.first().map(|first| first.label.clone()).unwrap_or_default();
    let labels: Vec<String> = commands.iter().skip(1).map(|command| command.label.clone()).collect();
    let mut bench = bench(commands);
    bench.ratios = labels
        .iter()
        .zip(1..)
        .map(|(label, step)| against(label, &base, Metric::Wall, f64::from(1 << step)))
        .collect();
    if let Some(few) = bench.ratios.last_mut() {
        few.ratio = RatioEstimate { value: 2048.0, low: None, high: None };
    }
    bench
}

/// The smallest and the largest, with instructions, and a wall time that never changed.
pub(crate) fn extremes() -> Bench {
    let mut quick = command("true", 0.000_000_9, 9);
    quick.metrics.push(metric(Metric::Instructions, 123_456.0, 0.0, 9));
    let mut slow = command("train --epochs 900", 86_400.0, 7);
    slow.metrics.push(metric(Metric::Instructions, 123_456_789_012_345.0, 0.000_01, 7));
    for summary in &mut slow.metrics {
        match summary.metric {
            Metric::Rss => *summary = metric(Metric::Rss, 9.1e12, 0.01, 7),
            Metric::MajorFaults => *summary = metric(Metric::MajorFaults, 1_234_567.0, 0.01, 7),
            _ => {}
        }
    }
    bench(vec![quick, slow])
}
