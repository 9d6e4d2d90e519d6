//! The whole walk of a comparison: look, confirm on the next blocks, go on when they do not confirm.
//!
//! Each look's finding needs fresh blocks that agree, so equal programs are called different in at most
//! 1 % · [`crate::CONFIRM_P`] of comparisons, about 1 in 4,000. Going on after a failed confirmation keeps that: look i errs
//! with αᵢ, its fresh blocks independently with the confirmation's p, and the products add up over the looks. Stopping there
//! instead would cost many true findings, as an early look sees small effects by luck first.

use crate::{Judged, Rule, Values, confirm_blocks, confirmed, judge, looks};

/// What a comparison does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Measure until there are this many blocks in all, then ask again.
    Measure { blocks: usize },
    /// Done, by the look after this many blocks. A difference is confirmed by the blocks behind the look; `Undecided`
    /// after the last look.
    Stop { judged: Judged, blocks: usize },
}

/// The next step after the blocks `d`, in the order of measurement, of a comparison that looks up to `max_blocks`.
///
/// A difference found at a late look takes up to [`confirm_blocks`] more. The answer depends on the blocks only, so a stored
/// comparison can be walked again. Blocks that are not finite count as not measured yet.
pub fn next_step(d: &[f64], max_blocks: usize, rule: &Rule, seed: u64) -> Step {
    for look in looks(max_blocks) {
        let Some(seen) = part(d, 0, look.blocks) else {
            return Step::Measure { blocks: look.blocks };
        };
        let judged = judge(&seen, &look, rule, seed);
        let sure = match judged {
            Judged::NoChange => true,
            Judged::Undecided => false,
            Judged::Worse | Judged::Better => {
                let until = look.blocks + confirm_blocks(look.blocks);
                let Some(fresh) = part(d, look.blocks, until) else {
                    return Step::Measure { blocks: until };
                };
                confirmed(&fresh, judged, seed)
            }
        };
        if sure {
            return Step::Stop { judged, blocks: look.blocks };
        }
    }
    Step::Stop { judged: Judged::Undecided, blocks: d.len() }
}

/// `None` while the blocks do not reach that far.
fn part(d: &[f64], from: usize, to: usize) -> Option<Values> {
    Values::new(d.get(from..to)?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(d: &[f64]) -> Step {
        next_step(d, 15, &Rule::default(), 1)
    }

    #[test]
    fn a_difference_is_confirmed_by_the_blocks_behind_the_look() {
        assert_eq!(step(&[]), Step::Measure { blocks: 8 });
        assert_eq!(step(&[0.05; 7]), Step::Measure { blocks: 8 });
        assert_eq!(step(&[0.05; 8]), Step::Measure { blocks: 15 });
        assert_eq!(step(&[0.05; 15]), Step::Stop { judged: Judged::Worse, blocks: 8 });
    }

    #[test]
    fn what_is_not_confirmed_goes_on_to_the_next_look() {
        let faded = [[0.05; 8].as_slice(), &[-0.05, 0.04, -0.06, 0.05, -0.04, 0.05, -0.05]].concat();
        assert_eq!(step(&faded), Step::Stop { judged: Judged::Undecided, blocks: 15 });
        assert_eq!(next_step(&faded, 32, &Rule::default(), 1), Step::Measure { blocks: 32 });
    }

    #[test]
    fn a_late_difference_needs_more_blocks_than_the_last_look() {
        let late = [[0.05; 7].as_slice(), &[-0.001], &[0.05; 7]].concat();
        assert_eq!(step(&late), Step::Measure { blocks: 23 });
        assert_eq!(
            step(&[late.as_slice(), &[0.05; 8]].concat()),
            Step::Stop { judged: Judged::Worse, blocks: 15 }
        );
    }

    #[test]
    fn no_change_stops_at_once() {
        assert_eq!(step(&[0.001; 8]), Step::Stop { judged: Judged::NoChange, blocks: 8 });
    }
}
