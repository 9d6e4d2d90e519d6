//! A histogram in one line of text.

/// An empty bin: a space as wide as a digit, which neither Markdown nor a line break swallows.
const EMPTY: char = '\u{2007}';

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Fewer values show no shape.
const FEWEST: usize = 5;

/// How often values fall into eight equal bins from the smallest to the largest; an empty bin is blank. Nothing for
/// fewer than five values, or when all are equal.
pub(crate) fn histogram(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = high - low;
    if values.len() < FEWEST || !width.is_finite() || width <= 0.0 {
        return String::new();
    }
    let mut bins = [0_usize; LEVELS.len()];
    for value in values {
        if let Some(bin) = bins.get_mut(step((value - low) / width, LEVELS.len())) {
            *bin += 1;
        }
    }
    let most = bins.iter().copied().max().unwrap_or(0);
    bins.iter().map(|&bin| if bin == 0 { EMPTY } else { level(bin, most) }).collect()
}

fn level(bin: usize, most: usize) -> char {
    // The fullest bin has the highest level; integers keep this exact.
    let at = (bin * LEVELS.len()).div_ceil(most.max(1)).saturating_sub(1);
    LEVELS.get(at).copied().unwrap_or('█')
}

/// Which of `steps` equal parts of 0..=1 a share falls into.
fn step(share: f64, steps: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a few steps; the cast saturates and NaN becomes 0"
    )]
    let step = (share * steps as f64) as usize;
    step.min(steps - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(histogram(&[1.0, 2.0]), "");
        assert_eq!(histogram(&[1.0; 9]), "");
        assert_eq!(histogram(&[0.0, 0.0, 0.0, 0.0, 8.0]), format!("█{0}{0}{0}{0}{0}{0}▂", EMPTY));
        let even: Vec<f64> = (0..8).map(f64::from).collect();
        assert_eq!(histogram(&even), "████████");
        assert_eq!(histogram(&[1.0, 1.0, 1.0, 1.0, f64::NAN, f64::INFINITY]), "");
    }
}
