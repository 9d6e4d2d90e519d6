//! How the data grow with the size. A size that counts the rows of a matrix stands for its square of cells: cost that grows as they
//! do is the least that a program can do.

use model::scale::{Class, Estimate, Scale};
use model::{Metric, Sample};
use stats::Cost;

use super::{as_f64, estimate};
use crate::pool::Pool;

/// What resident memory moves by from run to run: pages of the loader, of the stack, and the kernel's counters.
const WANDERS: f64 = 131_072.0;

/// Growth by less is not seen beside that.
const LEAST: f64 = 1_048_576.0;

/// What a right law may be off by: heaps grow in steps.
const FLOOR: f64 = 0.01;

/// Data that grow with a power above this grow faster than the size; logarithms of tables and their halves that are empty stay below.
const FASTER: f64 = 1.2;

/// A page, as the kernel counts first touches.
const PAGE: f64 = 4096.0;

/// Memory by size with what is only read, and so never resident: pages of zeros. First touches tell of it, but count memory that
/// is given back and taken again each time; what was mapped at once bounds them.
pub(super) fn touched(memory: &[(u64, f64)], samples: &[Sample], sizes: &[(u32, u64)]) -> Vec<(u64, f64)> {
    let touches = |arm: u32| {
        let mapped =
            samples.iter().filter(|sample| sample.arm == arm).find_map(|sample| sample.peak_mapped)?;
        let faults = Pool::of(samples, arm).median(Metric::MinorFaults)?;
        Some((faults * PAGE).min(mapped.as_f64()))
    };
    let of = |size: u64| sizes.iter().find(|(_, other)| *other == size).and_then(|(arm, _)| touches(*arm));
    memory
        .iter()
        .map(|(size, bytes)| (*size, of(*size).map_or(*bytes, |touched| touched.max(*bytes))))
        .collect()
}

/// The power of the size with which peak memory grows, net of what the program has at any size.
pub(super) fn grown(memory: &[(u64, f64)]) -> Option<Estimate> {
    let (least, most) = (memory.first()?.1, memory.last()?.1);
    if most - least < LEAST {
        return None;
    }
    let cost =
        |(size, bytes): &(u64, f64)| Cost { size: as_f64(*size), cost: *bytes, noise: WANDERS / bytes };
    let costs: Vec<Cost> = memory.iter().map(cost).collect();
    stats::growth(&costs, FLOOR)?.exponent.map(estimate)
}

/// The class that cost may have where nobody says: that of the data, and a logarithm. `None` where they grow no faster than the
/// size.
pub(crate) fn natural(scale: &Scale) -> Option<Class> {
    let data = scale.data.filter(|data| data.low > FASTER)?;
    Some(match data.value {
        power if power >= 2.5 => Class::Cubic,
        power if power >= 1.75 => Class::QuadraticLogarithmic,
        _ => Class::ThreeHalves,
    })
}

/// The exponent of the cost by that of the data, where these grow faster than the size.
pub(crate) fn relative(scale: &Scale) -> Option<Estimate> {
    let (cost, data) = (scale.exponent?, scale.data.filter(|data| data.low > FASTER)?);
    Some(Estimate { value: cost.value / data.value, low: cost.low / data.high, high: cost.high / data.low })
}

/// The answer with the data's growth, where that is the cost's own.
pub(super) fn told(summary: String, cost: Option<Estimate>, data: Option<Estimate>) -> String {
    let alike = |cost: Estimate, data: Estimate| data.low > FASTER && (cost.value - data.value).abs() < SLACK;
    match cost.zip(data) {
        Some((cost, data)) if alike(cost, data) => format!("{summary}, as the data in memory do"),
        _ => summary,
    }
}

/// Powers that differ by less are alike: a logarithm looks like as much.
const SLACK: f64 = 0.2;

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: f64 = 1024.0;

    fn power(memory: &[(u64, f64)]) -> Option<f64> {
        let memory: Vec<(u64, f64)> = memory.iter().map(|(size, kib)| (*size, kib * KIB)).collect();
        grown(&memory).map(|data| data.value)
    }

    /// Peak resident memory in KiB, as measured of programs of `specimens/growth`.
    #[test]
    fn memory_tells_a_grid_from_a_list() {
        let grid =
            [(50, 1208.0), (100, 1324.0), (400, 1920.0), (800, 3788.0), (1600, 11_200.0), (3200, 41_196.0)];
        let tree = [
            (4000, 1276.0),
            (8000, 1444.0),
            (16_000, 1588.0),
            (32_000, 1952.0),
            (64_000, 2800.0),
            (128_000, 4240.0),
        ];
        assert!((power(&grid).unwrap() - 2.0).abs() < 0.1, "{:?}", power(&grid));
        assert!((power(&tree).unwrap() - 1.0).abs() < 0.2, "{:?}", power(&tree));
        assert_eq!(power(&[(4000, 9192.0), (8000, 9244.0), (256_000, 9296.0)]), None);
        assert_eq!(power(&[]), None);
    }

    #[test]
    fn only_growth_of_the_same_power_is_the_datas() {
        let near = |value: f64| Some(Estimate { value, low: value - 0.02, high: value + 0.02 });
        for (cost, data, wanted) in
            [(2.0, 1.98, true), (2.1, 2.0, true), (3.0, 2.0, false), (1.0, 1.0, false)]
        {
            let text = told(String::new(), near(cost), near(data));
            assert_eq!(!text.is_empty(), wanted, "{cost} {data}");
        }
        assert_eq!(told("x".to_owned(), near(2.0), None), "x");
    }
}
