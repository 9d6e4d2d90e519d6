//! Caches: as the processor has them, as the simulator takes them, and as its files describe them.
//!
//! Cachegrind and callgrind refuse a cache whose number of sets is no power of two ("cache set count is not a power of two"),
//! which many last-level caches have. The size decides what fits, so it is kept and the ways give way.

use std::fmt;

use model::Bytes;

use super::text::number;

/// Size, associativity and line size of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub size: Bytes,
    pub ways: u32,
    pub line: u32,
}

/// As valgrind's options want it: `size,ways,line`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.size.as_bytes(), self.ways, self.line)
    }
}

/// A cache of the host and the one simulated in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    pub real: Shape,
    pub simulated: Shape,
}

/// What both simulators need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caches {
    pub instructions: Geometry,
    pub first_level: Geometry,
    pub last_level: Geometry,
}

/// The simulators keep sizes in 32 bits with sign; this is the largest power of two in them.
const LARGEST: u64 = 1 << 30;
/// One instruction may not lie in three lines.
const SHORTEST_LINE: u32 = 16;
/// Longer than any cache's.
const LONGEST_LINE: u32 = 4096;

/// Sizes that differ by less than one part in so many are alike: 2 %, less than any program's misses depend on.
const ALIKE: u64 = 50;

/// The cache nearest to the real one that the simulator takes: a power of two of sets and of bytes in a line. The size differs as
/// little as possible, and among sizes that are alike the ways do. No ways means fully associative, as in sysfs. `None` when size or line is zero.
#[must_use]
pub fn legal_geometry(size: u64, ways: u32, line: u32) -> Option<Geometry> {
    if size == 0 || line == 0 {
        return None;
    }
    let real = Shape { size: Bytes::from_bytes(size), ways, line };
    let line = nearest_power(line.clamp(SHORTEST_LINE, LONGEST_LINE));
    // At least two lines: the simulator wants the size above that of a line.
    let lines = (size.min(LARGEST) / u64::from(line)).max(2);
    let wanted = if ways == 0 { lines } else { u64::from(ways).min(lines) };
    let sets = (lines / wanted).max(1);
    let below = 1 << sets.ilog2();
    let candidates = [below * 2, below, below / 2, below / 4].into_iter();
    let simulated = candidates.filter(|sets| (1..=lines).contains(sets)).map(|sets| {
        let ways = ((lines + sets / 2) / sets).max(1);
        let off = (sets * ways).abs_diff(lines) * ALIKE / lines;
        (off, ways.abs_diff(wanted), sets, ways)
    });
    let (.., sets, ways) = simulated.min()?;
    let size = Bytes::from_bytes(sets * ways * u64::from(line));
    Some(Geometry { real, simulated: Shape { size, ways: u32::try_from(ways).ok()?, line } })
}

fn nearest_power(line: u32) -> u32 {
    let above = line.next_power_of_two();
    if above - line > line - above / 2 { above / 2 } else { above }
}

/// The caches a file says were simulated. `None` where it does not say, as without a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Described {
    pub instructions: Option<Shape>,
    pub first_level: Option<Shape>,
    pub last_level: Option<Shape>,
}

impl Described {
    /// Takes a `desc:` line's text, such as `I1 cache: 32768 B, 64 B, 8-way associative`, when it is of a cache.
    pub(super) fn take(&mut self, text: &[u8]) {
        let text = text.trim_ascii_start();
        for (name, place) in [
            (&b"I1 cache:"[..], &mut self.instructions),
            (b"D1 cache:", &mut self.first_level),
            (b"LL cache:", &mut self.last_level),
        ] {
            if let Some(rest) = text.strip_prefix(name) {
                *place = described(rest.trim_ascii());
            }
        }
    }
}

fn described(text: &[u8]) -> Option<Shape> {
    let (size, rest) = number(text)?;
    let (line, rest) = number(rest.strip_prefix(b" B, ")?)?;
    let ways = match rest.strip_prefix(b" B, ")? {
        b"direct-mapped" => 1,
        b"fully associative" => 0,
        ways => number(ways).filter(|(_, rest)| *rest == b"-way associative")?.0,
    };
    let size = Bytes::from_bytes(size);
    Some(Shape { size, ways: u32::try_from(ways).ok()?, line: u32::try_from(line).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_rounded_to_what_the_simulator_takes() {
        for (size, ways, line, wanted) in [
            (32_768, 8, 64, "32768,8,64"),
            (49_152, 12, 64, "49152,12,64"),
            // Refused as it is: 24,576 and 53,248 sets.
            (12_582_912, 8, 64, "12582912,6,64"),
            (37_486_592, 11, 64, "37748736,9,64"),
            (335_544_320, 1, 64, "335544320,5,64"),
            (1 << 40, 16, 64, "1073741824,16,64"),
            (64, 8, 64, "128,2,64"),
            (4096, 0, 64, "4096,64,64"),
            (32_768, 8, 8, "32768,8,16"),
        ] {
            let geometry = legal_geometry(size, ways, line).unwrap();
            assert_eq!(geometry.simulated.to_string(), wanted, "{size},{ways},{line}");
            assert_eq!(geometry.real, Shape { size: Bytes::from_bytes(size), ways, line });
        }
        assert_eq!(legal_geometry(0, 8, 64), None);
        assert_eq!(legal_geometry(4096, 8, 0), None);
    }

    #[test]
    fn every_rounded_cache_is_legal() {
        for size in (1..4000_u64).map(|n| n * n * 577) {
            for (ways, line) in
                [(0, 64), (1, 64), (7, 128), (11, 64), (16, 32), (20, 64), (u32::MAX, 48), (3, u32::MAX)]
            {
                let Shape { size: simulated, ways, line } =
                    legal_geometry(size, ways, line).unwrap().simulated;
                let way = u64::from(ways) * u64::from(line);
                assert!(line.is_power_of_two() && simulated.as_bytes() > u64::from(line));
                assert_eq!(simulated.as_bytes() % way, 0);
                assert!((simulated.as_bytes() / way).is_power_of_two(), "{size}");
            }
        }
    }

    #[test]
    fn descriptions_are_read_or_unknown() {
        let mut found = Described::default();
        found.take(b" I1 cache:         32768 B, 64 B, 8-way associative");
        found.take(b" LL cache:         268435456 B, 64 B, direct-mapped");
        found.take(b" D1 cache: ");
        assert_eq!(found.instructions.unwrap().to_string(), "32768,8,64");
        assert_eq!(found.last_level.unwrap().to_string(), "268435456,1,64");
        assert_eq!(found.first_level, None);
    }
}
