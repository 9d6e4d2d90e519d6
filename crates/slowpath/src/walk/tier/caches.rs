//! The caches of this machine, as the simulators take them.

use model::fingerprint::{Cache as Real, Machine};
use model::simulated::{Cache, Caches as Told};
use tools::valgrind::{Caches, Geometry, legal_geometry};

/// What is simulated in place of a cache that the host does not tell: bytes, ways and bytes in a line.
const FIRST: (u64, u32, u32) = (32 << 10, 8, 64);
const LAST: (u64, u32, u32) = (8 << 20, 16, 64);

/// What to simulate, and what to tell of it. `None` when the host's caches have no legal form at all.
pub(super) fn caches(machine: &Machine) -> Option<(Caches, Told)> {
    let all = machine.caches.as_deref().unwrap_or_default();
    let first = |kind: &str| {
        all.iter().find(|cache| cache.level == 1 && (cache.kind == kind || cache.kind == "unified"))
    };
    let last = all
        .iter()
        .filter(|cache| cache.level > 1 && cache.kind != "instruction")
        .max_by_key(|cache| cache.level);
    let (i1, i1_told) = taken(first("instruction"), FIRST)?;
    let (d1, d1_told) = taken(first("data"), FIRST)?;
    let (ll, ll_told) = taken(last, LAST)?;
    let caches = Caches { instructions: i1, first_level: d1, last_level: ll };
    Some((caches, Told { i1: i1_told, d1: d1_told, ll: ll_told }))
}

fn taken(real: Option<&Real>, otherwise: (u64, u32, u32)) -> Option<(Geometry, Cache)> {
    // No ways means fully associative, as in sysfs.
    let shape =
        real.map_or(otherwise, |real| (real.bytes, real.ways.unwrap_or(0), real.line_bytes.unwrap_or(64)));
    let geometry = legal_geometry(shape.0, shape.1, shape.2)?;
    let told =
        Cache { real: real.map(|_| geometry.real.to_string()), simulated: geometry.simulated.to_string() };
    Some((geometry, told))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(level: u32, kind: &str, bytes: u64, ways: u32) -> Real {
        Real {
            level,
            kind: kind.to_owned(),
            bytes,
            line_bytes: Some(64),
            ways: Some(ways),
            shared_by_cpus: None,
        }
    }

    #[test]
    fn an_illegal_last_level_is_rounded_and_both_are_told() {
        let caches_of = |caches| Machine { caches, ..Machine::default() };
        let host = caches_of(Some(vec![
            cache(1, "data", 32_768, 8),
            cache(1, "instruction", 32_768, 8),
            cache(2, "unified", 524_288, 8),
            cache(3, "unified", 12_582_912, 8),
        ]));
        let (_, told) = caches(&host).unwrap();
        assert_eq!(told.ll.real.as_deref(), Some("12582912,8,64"));
        assert_eq!(told.ll.simulated, "12582912,6,64");
        let (_, told) = caches(&caches_of(None)).unwrap();
        assert_eq!((told.d1.real, told.d1.simulated.as_str()), (None, "32768,8,64"));
    }
}
