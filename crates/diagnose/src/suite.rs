//! What a suite's own tool measured → one summary for each benchmark, and how those that differ by a number grow.

use model::Metric;
use model::suite::{Benchmark, Family};
use stats::{Cost, Values};

use crate::scale::{Measured, fit};

/// One benchmark as its tool saved it.
pub struct Told<'t> {
    pub name: &'t str,
    pub metric: Metric,
    pub values: &'t [f64],
    pub each: String,
}

/// Sums one series up. `None` when there is no value.
#[must_use]
pub fn benchmark(told: &Told<'_>) -> Option<Benchmark> {
    let values = Values::new(told.values.to_vec())?;
    let interval = stats::median_interval(&values, 0.95);
    Some(Benchmark {
        name: told.name.to_owned(),
        metric: told.metric,
        unit: told.metric.unit(),
        median: stats::median(&values),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        n: u32::try_from(values.n()).unwrap_or(u32::MAX),
        each: told.each.clone(),
        size: sized(told.name).map(|(_, size)| size),
    })
}

/// Benchmarks that differ by one number alone, at three or more of it. Only times grow.
#[must_use]
pub fn families(told: &[Told<'_>], source: &str, predict: &[u64]) -> Vec<Family> {
    let mut names: Vec<String> = Vec::new();
    for name in told.iter().filter_map(|one| sized(one.name)).map(|(name, _)| name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().filter_map(|name| family(&name, told, source, predict)).collect()
}

fn family(name: &str, told: &[Told<'_>], source: &str, predict: &[u64]) -> Option<Family> {
    let timed = |metric| matches!(metric, Metric::Wall | Metric::Cpu);
    let own = told.iter().filter(|one| timed(one.metric));
    let own =
        own.filter_map(|one| sized(one.name).filter(|(family, _)| family == name).map(|(_, n)| (one, n)));
    let metric = own.clone().next()?.0.metric;
    let mut measured: Vec<Measured> = own
        .filter(|(one, _)| one.metric == metric)
        .filter_map(|(one, size)| cost(one.values, size))
        .collect();
    measured.sort_by_key(|one| one.size);
    measured.dedup_by_key(|one| one.size);
    let (growth, _) = fit(metric, source, &measured, &[], predict)?;
    Some(Family { name: name.to_owned(), growth, gate: None })
}

/// The lower quartile, as for runs: what disturbs one only ever adds to it. Unlike runs, which take turns, the rounds of one
/// benchmark follow one another, and what disturbs one disturbs its neighbours: with 21,000 rounds of a loop beside a load of 4
/// the quartiles of eight sittings differed by 0.6 %, twenty times what the root of their number promises. So the noise is the
/// deviation of one round, however many there are.
fn cost(values: &[f64], size: u64) -> Option<Measured> {
    let values = Values::new(values.to_vec())?;
    let cost = stats::quantile(&values, 0.25);
    let n = u32::try_from(values.n()).ok()?;
    let deviation = (stats::median(&values) - values.min()) / 1.2;
    let noise = deviation / cost.max(f64::MIN_POSITIVE);
    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are not run")]
    let at = size as f64;
    (cost > 0.0 && size > 0).then_some(Measured { size, cost: Cost { size: at, cost, noise }, n })
}

/// The name with `{SIZE}` for the only number among its parameters, and the number: `test_sort[100]`, `BM_Sort/100`,
/// `BenchmarkSort/n=100-8`, `Sort.run (size = 100, avgt)`.
fn sized(name: &str) -> Option<(String, u64)> {
    let begin = match name.chars().last()? {
        ']' => name.rfind('[')?,
        ')' => name.rfind('(')?,
        _ => name.rfind('/')?,
    };
    let (before, mut parameters) = name.split_at_checked(begin)?;
    // Go adds how many threads it used.
    let threads = parameters
        .rsplit_once('-')
        .filter(|(_, threads)| !threads.is_empty() && threads.bytes().all(|byte| byte.is_ascii_digit()));
    if before.contains("Benchmark") || before.contains('.') {
        parameters = threads.map_or(parameters, |(before, _)| before);
    }
    let digits = |c: char| c.is_ascii_digit();
    let first = parameters.find(digits)?;
    let (label, rest) = parameters.split_at_checked(first)?;
    let length = rest.find(|c| !digits(c)).unwrap_or(rest.len());
    let (number, after) = rest.split_at_checked(length)?;
    if after.contains(digits) {
        return None;
    }
    Some((format!("{before}{label}{{SIZE}}{after}"), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_number_among_the_parameters_is_the_size() {
        for (name, wanted) in [
            ("tests/test_2d.py::test_sort[100]", Some(("tests/test_2d.py::test_sort[{SIZE}]", 100))),
            ("test_sort[list-100]", Some(("test_sort[list-{SIZE}]", 100))),
            ("BM_Sort/1024", Some(("BM_Sort/{SIZE}", 1024))),
            ("example.com/p.BenchmarkSort/n=100-8", Some(("example.com/p.BenchmarkSort/n={SIZE}", 100))),
            ("p.Sort.run (size = 100, avgt)", Some(("p.Sort.run (size = {SIZE}, avgt)", 100))),
            ("sorts/quick/100", Some(("sorts/quick/{SIZE}", 100))),
            ("test_sort[10-20]", None),
            ("test_sort", None),
            ("test_sort[a]", None),
            ("", None),
        ] {
            let found = sized(name);
            assert_eq!(found.as_ref().map(|(name, size)| (name.as_str(), *size)), wanted, "{name}");
        }
    }

    #[test]
    fn a_linear_benchmark_on_a_busy_machine_is_not_said_to_grow_faster() {
        // Others had a part of the machine while the larger two were timed.
        let values: Vec<(String, Vec<f64>)> = [(1000, 1.0), (10_000, 1.12), (100_000, 1.45)]
            .iter()
            .map(|(n, slower)| {
                let round = |i: u32| 3e-8 * f64::from(*n) * slower * (1.0 + 0.01 * f64::from(i % 9));
                (format!("test_linear[{n}]"), (0..200).map(round).collect())
            })
            .collect();
        let told: Vec<Told<'_>> = values
            .iter()
            .map(|(name, values)| Told { name, metric: Metric::Wall, values, each: "run".to_owned() })
            .collect();
        let families = families(&told, "pytest-benchmark", &[]);
        let exponent = families[0].growth.exponent.unwrap();
        assert!(exponent.low <= 1.0 && exponent.high >= 1.0, "{exponent:?}");
    }

    #[test]
    fn a_linear_and_a_quadratic_benchmark_of_one_suite_are_told_apart() {
        let sizes = [100.0, 200.0, 400.0, 800.0, 1600.0];
        let values: Vec<(String, Vec<f64>)> = sizes
            .iter()
            .flat_map(|n| {
                let spread = |cost: f64| (0..9).map(|i| cost * (1.0 + 0.0005 * f64::from(i))).collect();
                [
                    (format!("test_linear[{n}]"), spread(1e-6 * n)),
                    (format!("test_quadratic[{n}]"), spread(1e-8 * n * n)),
                ]
            })
            .collect();
        let told: Vec<Told<'_>> = values
            .iter()
            .map(|(name, values)| Told { name, metric: Metric::Wall, values, each: "run".to_owned() })
            .collect();
        let families = families(&told, "pytest-benchmark", &[]);
        let classes: Vec<(&str, &str)> =
            families.iter().map(|one| (one.name.as_str(), one.growth.class.name())).collect();
        assert_eq!(classes, [("test_linear[{SIZE}]", "n"), ("test_quadratic[{SIZE}]", "n^2")]);
    }
}
