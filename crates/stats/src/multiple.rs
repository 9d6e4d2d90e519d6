//! p-values adjusted for how many questions were asked.

/// Holm's adjusted p-values (1979), in the order given: calling those at most α keeps the chance of any false call at α.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let ranked = ranked(p_values);
    let mut highest = 0.0_f64;
    let adjusted = ranked.iter().zip((1..=p_values.len()).rev()).map(|(&(index, p), left)| {
        highest = highest.max(p * left as f64).min(1.0);
        (index, highest)
    });
    in_given_order(adjusted.collect())
}

/// Benjamini and Hochberg's adjusted p-values (1995), in the order given: of those at most q, a share of q is false on
/// average.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let ranked = ranked(p_values);
    let count = p_values.len() as f64;
    let mut lowest = 1.0_f64;
    let adjusted = ranked.iter().rev().zip((1..=p_values.len()).rev()).map(|(&(index, p), rank)| {
        lowest = lowest.min(p * (count / rank as f64));
        (index, lowest)
    });
    in_given_order(adjusted.collect())
}

/// Each p with its place, smallest p first.
fn ranked(p_values: &[f64]) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    ranked
}

fn in_given_order(mut adjusted: Vec<(usize, f64)>) -> Vec<f64> {
    adjusted.sort_unstable_by_key(|(index, _)| *index);
    adjusted.into_iter().map(|(_, p)| p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 5] = [0.01, 0.04, 0.03, 0.005, 0.6];

    fn check(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }

    /// R: `p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.6), "holm")`.
    #[test]
    fn holm_agrees_with_r() {
        check(&holm(&P), &[0.04, 0.09, 0.09, 0.025, 0.6]);
    }

    /// R: `p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.6), "BH")`.
    #[test]
    fn benjamini_hochberg_agrees_with_r() {
        check(&benjamini_hochberg(&P), &[0.025, 0.05, 0.05, 0.025, 0.6]);
    }

    #[test]
    fn one_question_needs_no_adjustment_and_none_has_none() {
        check(&holm(&[0.3]), &[0.3]);
        check(&benjamini_hochberg(&[0.3]), &[0.3]);
        check(&holm(&[]), &[]);
        check(&holm(&[0.9, 0.9]), &[1.0, 1.0]);
    }
}
