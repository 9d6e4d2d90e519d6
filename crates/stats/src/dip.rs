//! Hartigan's dip: how far a sample's distribution is from the nearest one with a single mode.
//!
//! Source: Hartigan and Hartigan (1985), "The dip test of unimodality"; the loop follows Hartigan (1985), AS 217, with
//! the corrections of Maechler's R package `diptest`. Heights are counted in values and scaled by 1/n at the end.

/// A value and the number of values below it.
#[derive(Clone, Copy)]
struct Point {
    index: usize,
    x: f64,
    y: f64,
}

/// The dip of sorted values, from 1/(2n) up to 1/4. Zero when all are equal.
pub(crate) fn dip(sorted: &[f64]) -> f64 {
    let points: Vec<Point> =
        sorted.iter().zip(0..).map(|(&x, index)| Point { index, x, y: index as f64 }).collect();
    if sorted.first() == sorted.last() {
        return 0.0;
    }
    let mut deepest = 1.0_f64;
    let mut inside = points.as_slice();
    while let Some(step) = narrowed(inside) {
        if step.gap <= deepest {
            break;
        }
        deepest = deepest.max(step.outside);
        if step.modal.len() == inside.len() {
            break;
        }
        inside = step.modal;
    }
    deepest / (2.0 * sorted.len() as f64)
}

/// One turn of the loop: where the mode may lie, and what the parts left of and right of it cost.
struct Narrowed<'a> {
    /// The largest distance between the two hulls.
    gap: f64,
    /// The largest distance between the sample and its hull outside of the new modal interval.
    outside: f64,
    modal: &'a [Point],
}

/// `None` for no points.
fn narrowed(points: &[Point]) -> Option<Narrowed<'_>> {
    // Below the steps the convex hull touches their feet, above them the concave hull touches their heads, one higher.
    let convex = Hull::new(points, |bend| bend <= 0.0);
    let concave = Hull::new(points, |bend| bend >= 0.0);
    let (gap, (from, to)) = widest(points, &convex, &concave)?;
    let first = points.first()?.index;
    let left = points.get(..=from - first)?.iter().map(|point| point.y + 1.0 - convex.at(point));
    let right = points.get(to - first..)?.iter().map(|point| concave.at(point) + 1.0 - point.y);
    let outside = left.chain(right).fold(0.0, f64::max);
    Some(Narrowed { gap, outside, modal: points.get(from - first..=to - first)? })
}

/// The largest distance between the hulls, and the modal interval it leaves: from the corner of the convex hull at or
/// before it to the corner of the concave hull at or after it.
fn widest(points: &[Point], convex: &Hull, concave: &Hull) -> Option<(f64, (usize, usize))> {
    let mut best: Option<(f64, (usize, usize))> = None;
    for point in points {
        let (before, after) = (convex.corner_before(point), concave.corner_after(point));
        if before != point.index && after != point.index {
            continue;
        }
        let gap = concave.at(point) + 1.0 - convex.at(point);
        if best.is_none_or(|(widest, _)| gap > widest) {
            best = Some((gap, (before, after)));
        }
    }
    best
}

/// A convex or concave hull of the points, as its corners.
struct Hull {
    corners: Vec<Point>,
}

impl Hull {
    /// `drops` says whether a corner with this bend (positive when the slope rises) is none.
    fn new(points: &[Point], drops: impl Fn(f64) -> bool) -> Self {
        let mut corners: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = corners.as_slice()
                && drops((point.y - b.y) * (b.x - a.x) - (b.y - a.y) * (point.x - b.x))
            {
                corners.pop();
            }
            corners.push(*point);
        }
        Self { corners }
    }

    /// The number of corners before the point.
    fn place(&self, point: &Point) -> usize {
        self.corners.partition_point(|corner| corner.index < point.index)
    }

    fn corner_after(&self, point: &Point) -> usize {
        self.corners.get(self.place(point)).map_or(point.index, |corner| corner.index)
    }

    fn corner_before(&self, point: &Point) -> usize {
        let after = self.place(point);
        let here = self.corners.get(after).filter(|corner| corner.index == point.index);
        let before = after.checked_sub(1).and_then(|at| self.corners.get(at));
        here.or(before).map_or(point.index, |corner| corner.index)
    }

    /// The height of the hull at the point.
    fn at(&self, point: &Point) -> f64 {
        let after = self.place(point);
        let Some([a, b]) = after.checked_sub(1).and_then(|before| self.corners.get(before..=after)) else {
            return point.y;
        };
        if b.x > a.x { a.y + (b.y - a.y) * (point.x - a.x) / (b.x - a.x) } else { point.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut values: Vec<f64>, expected: f64) {
        values.sort_by(f64::total_cmp);
        assert!((dip(&values) - expected).abs() < 1e-9, "{} instead of {expected}", dip(&values));
    }

    /// Numbers that Python makes as well: x ← (1103515245 x + 12345) mod 2³¹.
    fn congruential(n: usize, seed: u64) -> Vec<f64> {
        let next = |x: &u64| Some((x * 1_103_515_245 + 12_345) % (1 << 31));
        std::iter::successors(Some(seed), next)
            .skip(1)
            .take(n)
            .map(|x| x as f64 / f64::from(1_u32 << 31))
            .collect()
    }

    /// From the Python package `diptest`: `dipstat(u)` and `dipstat(where(u < .4, u ** 3, 2 + u ** 2))`.
    #[test]
    fn the_dip_agrees_with_diptest() {
        for (n, seed, one_mode, two_modes) in [
            (10, 1, 0.124_190_180_825_777_29, 0.193_073_353_408_105_66),
            (25, 2, 0.080_972_485_010_466_55, 0.194_415_974_432_276_26),
            (60, 3, 0.054_556_580_591_128_57, 0.202_692_870_644_325_03),
            (200, 4, 0.033_083_034_798_107_8, 0.201_586_595_579_020_67),
        ] {
            let uniform = congruential(n, seed);
            let torn = uniform.iter().map(|u| if *u < 0.4 { u.powi(3) } else { 2.0 + u * u }).collect();
            check(uniform, one_mode);
            check(torn, two_modes);
        }
    }

    #[test]
    fn ties_agree_with_diptest() {
        check(vec![1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 5.0, 5.0], 0.136_363_636_363_636_35);
    }

    #[test]
    fn equal_steps_have_the_least_dip() {
        check((0..10).map(f64::from).collect(), 0.05);
        check(vec![1.0; 10], 0.0);
        check(vec![1.0, 2.0], 0.25);
    }
}
