//! Which caches the data outgrow between the smallest and the largest size.

use model::bench::Warning;
use model::fingerprint::Cache;
use model::scale::{Class, Fit};

use super::{as_f64, what};

/// A cache that holds the data of some sizes and not of others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgrown {
    level: u32,
    bytes: u64,
    /// The last measured size whose data it holds.
    after: u64,
    /// The first one whose data it does not hold.
    size: u64,
    /// Where between them.
    pub(super) at: f64,
}

/// Resident memory counts whole pages, and the loader's and the stack's move by a hundred kilobytes from run to run: what
/// fits the first level is not seen in it.
const FIRST_LEVEL: u32 = 2;

/// The caches that are outgrown. `memory` is the peak resident size by size of the input. The program itself is taken out
/// of it: what the smallest size has beside the data that the step to the next one shows.
pub(super) fn outgrown(caches: &[Cache], memory: &[(u64, f64)]) -> Vec<Outgrown> {
    let [(first, least), (second, next), ..] = memory else { return Vec::new() };
    let (first, second) = (as_f64(*first), as_f64(*second));
    let smallest = (next - least).max(0.0) * first / (second - first);
    let own: Vec<(u64, f64)> = memory.iter().map(|(size, whole)| (*size, whole - least + smallest)).collect();
    let mut all: Vec<Outgrown> = caches
        .iter()
        .filter(|cache| cache.level >= FIRST_LEVEL && cache.kind != "instruction")
        .filter_map(|cache| crossing(cache, &own))
        .collect();
    all.sort_by_key(|outgrown| outgrown.level);
    all.dedup_by_key(|outgrown| outgrown.level);
    all
}

fn crossing(cache: &Cache, own: &[(u64, f64)]) -> Option<Outgrown> {
    let room = as_f64(cache.bytes);
    let held = own.iter().rposition(|(_, bytes)| *bytes <= room)?;
    let ((after, inside), (size, beyond)) = (own.get(held)?, own.get(held + 1)?);
    let share = (room - inside) / (beyond - inside);
    let at = as_f64(*after) + share * (as_f64(*size) - as_f64(*after));
    Some(Outgrown { level: cache.level, bytes: cache.bytes, after: *after, size: *size, at })
}

/// Why classes that the times alone would exclude are in the set. `None` where there are none.
pub(super) fn doubt(
    times: &Fit,
    kept: &[Class],
    outgrown: &[Outgrown],
    counts: Option<&Fit>,
) -> Option<Warning> {
    let cache = outgrown.first().filter(|_| !kept.is_empty())?;
    let names: Vec<&str> = kept.iter().map(|class| class.name()).collect();
    let what = what(times.metric);
    let counted = counts.is_some_and(|counts| counts.set.len() == 1);
    let text = format!(
        "{what}: the data outgrew the L{} cache, {} KiB, between size {} and size {}, and a step may cost more from there on: by {what} alone {} cannot be told from {}{}",
        cache.level,
        cache.bytes / 1024,
        cache.after,
        cache.size,
        times.class.name(),
        names.join(" or "),
        if counted { "; the instructions can" } else { "" }
    );
    let next = counts
        .is_none()
        .then(|| "count the instructions too: with valgrind installed, and without `--no-count`".to_owned());
    Some(Warning { id: "cache-outgrown".to_owned(), text, next })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Metric;
    use model::scale::Likely;

    fn caches() -> Vec<Cache> {
        let cache = |level, kind: &str, kib: u64| Cache {
            level,
            kind: kind.to_owned(),
            bytes: kib * 1024,
            line_bytes: None,
            ways: None,
            shared_by_cpus: None,
        };
        vec![
            cache(1, "data", 32),
            cache(1, "instruction", 32),
            cache(2, "unified", 1024),
            cache(3, "unified", 32_768),
        ]
    }

    /// Peak resident memory in KiB, as measured of programs of `specimens/growth`.
    fn between(memory: &[(u64, u32)]) -> Vec<(u32, u64, u64)> {
        let memory: Vec<(u64, f64)> =
            memory.iter().map(|(size, kib)| (*size, f64::from(*kib) * 1024.0)).collect();
        let all = outgrown(&caches(), &memory);
        assert!(all.iter().all(|one| (as_f64(one.after)..as_f64(one.size)).contains(&one.at)), "{all:?}");
        all.iter().map(|one| (one.level, one.after, one.size)).collect()
    }

    #[test]
    fn caches_are_outgrown_by_the_data_and_not_by_the_program() {
        let tree =
            [(4000, 1276), (8000, 1444), (16_000, 1588), (32_000, 1952), (64_000, 2800), (128_000, 4240)];
        assert_eq!(between(&tree), [(2, 32_000, 64_000)]);
        let grid = [(50, 1208), (100, 1324), (400, 1920), (800, 3788), (1600, 11_200), (3200, 41_196)];
        assert_eq!(between(&grid), [(2, 400, 800), (3, 1600, 3200)]);
        let total = [(4000, 9192), (8000, 9244), (16_000, 9248), (256_000, 9296)];
        assert_eq!(between(&total), []);
    }

    fn fit(metric: Metric, set: &[Class]) -> Fit {
        Fit {
            metric,
            unit: metric.unit(),
            source: String::new(),
            class: Class::Linearithmic,
            set: set.iter().map(|class| Likely { class: *class, weight: 0.5, residual: 0.0 }).collect(),
            exponent: None,
            base: None,
            residual: 0.0,
            fixed: None,
            marginal: None,
            bend: None,
            predictions: Vec::new(),
            points: Vec::new(),
        }
    }

    #[test]
    fn the_reason_names_the_cache_the_sizes_and_what_tells_more() {
        let times = fit(Metric::Cpu, &[Class::Linearithmic, Class::Linear]);
        let counts = fit(Metric::Instructions, &[Class::Linear]);
        let outgrown = [Outgrown { level: 2, bytes: 1 << 20, after: 32_768, size: 65_536, at: 41_000.0 }];
        let told = doubt(&times, &[Class::Linear], &outgrown, Some(&counts)).unwrap();
        assert_eq!(
            told.text,
            "CPU time: the data outgrew the L2 cache, 1024 KiB, between size 32768 and size 65536, and a step may cost more from there on: by CPU time alone n log n cannot be told from n; the instructions can"
        );
        assert_eq!(told.next, None);
        assert!(doubt(&times, &[Class::Linear], &outgrown, None).unwrap().next.is_some());
        assert_eq!(doubt(&times, &[], &outgrown, None), None);
    }

    #[test]
    fn data_that_never_fit_outgrow_nothing() {
        assert_eq!(between(&[(1_000_000, 51_200), (2_000_000, 101_200), (4_000_000, 201_200)]), []);
        assert_eq!(between(&[(1, 9000)]), []);
    }
}
