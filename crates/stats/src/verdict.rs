//! From blocks to a verdict. A positive block says that B took longer than A.

use crate::sequential::{CONFIRM_P, Look};
use crate::{Values, hodges_lehmann, sign_bounds, sign_flip, sign_interval};

/// What the blocks say about B against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// B is larger: slower, or more of whatever is counted.
    Worse,
    /// B is smaller.
    Better,
    /// The difference is proven to be smaller than the margin.
    NoChange,
    /// Neither is proven: measure more.
    Undecided,
}

/// What counts as a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// "No change" means less than this, as a share of A.
    pub margin: f64,
    /// A proven difference below this share is not worth a word.
    pub least_effect: f64,
}

impl Default for Rule {
    fn default() -> Self {
        Self { margin: 0.02, least_effect: 0.005 }
    }
}

/// The confidence of printed intervals.
const PRINTED: f64 = 0.95;

/// The verdict of one look; `d` holds the log ratios of the blocks so far.
///
/// Worse or better needs all of: the sign-flip test within the look's error, the printed 95 % interval on the same side of
/// zero, and an estimate of at least the least effect. No change needs the conservative bounds inside the margin; this
/// includes a proven difference below the least effect. Before the last look it also needs an estimate below the least
/// effect: where more blocks may prove a small difference, they are measured. Everything else is undecided.
pub fn judge(d: &Values, look: &Look, rule: &Rule, seed: u64) -> Judged {
    match side(d, rule) {
        Some(found) if sign_flip(d, seed).p_two_sided <= look.alpha => found,
        _ if within_margin(d, look, rule) && (look.last || is_small(d, rule)) => Judged::NoChange,
        _ => Judged::Undecided,
    }
}

/// The side on which both the estimate and the printed interval lie clear of zero. `None` when they do not.
fn side(d: &Values, rule: &Rule) -> Option<Judged> {
    let interval = sign_interval(d, PRINTED)?;
    let (estimate, least) = (hodges_lehmann(d), rule.least_effect.ln_1p());
    match () {
        () if estimate >= least && interval.low > 0.0 => Some(Judged::Worse),
        () if estimate <= -least && interval.high < 0.0 => Some(Judged::Better),
        () => None,
    }
}

fn is_small(d: &Values, rule: &Rule) -> bool {
    hodges_lehmann(d).abs() < rule.least_effect.ln_1p()
}

fn within_margin(d: &Values, look: &Look, rule: &Rule) -> bool {
    let margin = rule.margin.ln_1p();
    sign_bounds(d, look.no_change_error).is_some_and(|bounds| bounds.low > -margin && bounds.high < margin)
}

/// Whether fresh blocks show the found difference again, on the same side, by a one-sided sign-flip test at
/// [`CONFIRM_P`]. Always `false` when no difference was found. Fewer than 6 blocks can confirm nothing.
pub fn confirmed(fresh: &Values, found: Judged, seed: u64) -> bool {
    let again = sign_flip(fresh, seed);
    match found {
        Judged::Worse => again.p_greater <= CONFIRM_P,
        Judged::Better => again.p_less <= CONFIRM_P,
        Judged::NoChange | Judged::Undecided => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::looks;

    fn blocks(of: &[f64]) -> Values {
        Values::new(of.to_vec()).unwrap()
    }

    fn check(of: &[f64], expected: Judged) {
        let look = looks(of.len()).pop().unwrap();
        assert_eq!(judge(&blocks(of), &look, &Rule::default(), 1), expected, "{of:?}");
        let turned: Vec<f64> = of.iter().map(|d| -d).collect();
        let opposite = match expected {
            Judged::Worse => Judged::Better,
            Judged::Better => Judged::Worse,
            same => same,
        };
        assert_eq!(judge(&blocks(&turned), &look, &Rule::default(), 1), opposite, "{turned:?}");
    }

    const CLEAR: [f64; 8] = [0.03, 0.05, 0.028, 0.04, 0.033, 0.05, 0.02, 0.04];

    #[test]
    fn eight_blocks_on_one_side_are_a_difference() {
        check(&CLEAR, Judged::Worse);
    }

    #[test]
    fn one_block_on_the_other_side_leaves_eight_undecided() {
        check(&[0.03, 0.05, 0.028, 0.04, 0.033, 0.05, 0.02, -0.001], Judged::Undecided);
    }

    #[test]
    fn small_scatter_within_the_margin_is_no_change() {
        check(&[0.001, -0.002, 0.0, 0.004, -0.01, 0.003, 0.015, -0.004], Judged::NoChange);
        check(&[0.0; 8], Judged::NoChange);
    }

    #[test]
    fn a_proven_difference_below_the_least_effect_is_no_change() {
        check(&[0.003; 8], Judged::NoChange);
    }

    #[test]
    fn a_difference_inside_the_margin_is_still_a_difference() {
        check(&[0.01; 8], Judged::Worse);
    }

    #[test]
    fn seven_blocks_prove_no_difference_and_six_nothing() {
        check(&[0.5; 7], Judged::Undecided);
        check(&[0.0; 7], Judged::NoChange);
        check(&[0.0; 6], Judged::Undecided);
    }

    #[test]
    fn fresh_blocks_confirm_on_the_same_side_only() {
        let fresh = blocks(&[0.03, 0.05, 0.028, 0.04, 0.033, -0.001, 0.02]);
        assert!(confirmed(&fresh, Judged::Worse, 1));
        for other in [Judged::Better, Judged::NoChange, Judged::Undecided] {
            assert!(!confirmed(&fresh, other, 1));
        }
        assert!(!confirmed(&blocks(&[0.03, 0.05, -0.028, 0.04, 0.033, -0.001, 0.02]), Judged::Worse, 1));
    }

    #[test]
    fn a_small_difference_is_given_its_last_look() {
        let d = Values::new(vec![0.009, 0.012, -0.001, 0.011, 0.008, 0.013, -0.002, 0.010]).unwrap();
        let early = looks(15)[0];
        assert_eq!(judge(&d, &early, &Rule::default(), 1), Judged::Undecided);
        assert_eq!(judge(&d, &Look { last: true, ..early }, &Rule::default(), 1), Judged::NoChange);
    }
}
