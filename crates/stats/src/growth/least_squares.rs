//! Least squares with few terms, none of them negative.

/// The coefficients of the columns that come closest to `wanted`, none below zero. A column that is left at zero is one the
/// best fit does without. At most three columns in practice, so every subset is tried.
pub(super) fn nonnegative(columns: &[Vec<f64>], wanted: &[f64]) -> Vec<f64> {
    let mut best = (f64::INFINITY, vec![0.0; columns.len()]);
    for subset in 1..1_u32 << columns.len().min(8) {
        let inside = |at: usize| subset >> at & 1 == 1;
        let chosen: Vec<Vec<f64>> = columns
            .iter()
            .enumerate()
            .filter(|(at, _)| inside(*at))
            .map(|(_, column)| column.clone())
            .collect();
        let Some(solved) = least_squares(&chosen, wanted) else { continue };
        if solved.iter().any(|coefficient| *coefficient < 0.0) {
            continue;
        }
        let rest = remainder(&chosen, &solved, wanted);
        let square = dot(&rest, &rest);
        if square < best.0 {
            let mut solved = solved.into_iter();
            let all =
                (0..columns.len()).map(|at| if inside(at) { solved.next().unwrap_or(0.0) } else { 0.0 });
            best = (square, all.collect());
        }
    }
    best.1
}

/// What is left of `wanted`.
pub(super) fn remainder(columns: &[Vec<f64>], coefficients: &[f64], wanted: &[f64]) -> Vec<f64> {
    columns.iter().zip(coefficients).fold(wanted.to_vec(), |rest, (column, by)| less(&rest, column, *by))
}

/// Each column in turn is taken out of the others and of what is wanted (Gram-Schmidt). `None` when a column is made of
/// the others, to within rounding.
fn least_squares(columns: &[Vec<f64>], wanted: &[f64]) -> Option<Vec<f64>> {
    let Some((first, others)) = columns.split_first() else { return Some(Vec::new()) };
    let square = dot(first, first);
    if square < 1e-24 {
        return None;
    }
    let without = |column: &[f64]| less(column, first, dot(first, column) / square);
    let reduced: Vec<Vec<f64>> = others.iter().map(|column| without(column)).collect();
    // A column that nearly vanishes has nothing of its own left but rounding.
    let alive = reduced.iter().zip(others).all(|(new, old)| dot(new, new) > 1e-20 * dot(old, old));
    if !alive {
        return None;
    }
    let solved = least_squares(&reduced, &without(wanted))?;
    let rest = remainder(others, &solved, wanted);
    Some(std::iter::once(dot(first, &rest) / square).chain(solved).collect())
}

fn less(from: &[f64], column: &[f64], by: f64) -> Vec<f64> {
    from.iter().zip(column).map(|(value, part)| value - by * part).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_sum_is_found_again() {
        let columns = [vec![1.0; 5], vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![1.0, 4.0, 9.0, 16.0, 25.0]];
        let wanted: Vec<f64> = (1..=5).map(f64::from).map(|n| 3.0 + 0.5 * n + 2.0 * n * n).collect();
        let found = nonnegative(&columns, &wanted);
        assert!(found.iter().zip([3.0, 0.5, 2.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn no_coefficient_is_negative() {
        let columns = [vec![1.0; 4], vec![1.0, 2.0, 3.0, 4.0]];
        let found = nonnegative(&columns, &[1.0, 4.0, 7.0, 10.0]);
        assert_eq!(found.first(), Some(&0.0), "{found:?}");
    }
}
