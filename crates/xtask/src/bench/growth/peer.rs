//! Google Benchmark's rule, from its description: one coefficient without start-up by least squares on the mean, the class
//! with the smallest normalised root mean square.

/// Cost as a function of the size.
type Shape = fn(f64) -> f64;

/// The class it names. `None` without points.
pub(super) fn class(points: &[(f64, f64)]) -> Option<&'static str> {
    let shapes: [(&str, Shape); 6] = [
        ("1", |_| 1.0),
        ("log n", f64::log2),
        ("n", |n| n),
        ("n log n", |n| n * n.log2()),
        ("n^2", |n| n * n),
        ("n^3", |n| n * n * n),
    ];
    if points.is_empty() {
        return None;
    }
    let scored = shapes.map(|(name, shape)| (rms(points, shape), name));
    scored.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

fn rms(points: &[(f64, f64)], shape: fn(f64) -> f64) -> f64 {
    let square: f64 = points.iter().map(|(n, _)| shape(*n).powi(2)).sum();
    let along: f64 = points.iter().map(|(n, time)| shape(*n) * time).sum();
    let by = along / square;
    let count = points.len() as f64;
    let off: f64 = points.iter().map(|(n, time)| (time - by * shape(*n)).powi(2)).sum();
    let mean = points.iter().map(|(_, time)| time).sum::<f64>() / count;
    (off / count).sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_times_have_their_class() {
        let points = |of: fn(f64) -> f64| [100.0, 200.0, 400.0, 800.0].map(|n| (n, of(n)));
        assert_eq!(class(&points(|n| 3.0 * n)), Some("n"));
        assert_eq!(class(&points(|n| n * n)), Some("n^2"));
        assert_eq!(class(&points(|_| 5.0)), Some("1"));
    }
}
