use proptest::collection::vec;
use proptest::prelude::*;
use stats::{Rng, *};

/// Ordinary, tied, tiny and huge values; one kind per sample.
fn any_values(most: usize) -> impl Strategy<Value = Values> {
    let kinds = prop_oneof![
        vec(-1e3..1e3_f64, 1..most),
        vec((-3..4_i32).prop_map(f64::from), 1..most),
        vec((1..5_i32).prop_map(|ticks| 0.004 * f64::from(ticks)), 1..most),
        vec(prop_oneof![-1e149..1e149_f64, -1e-300..1e-300_f64], 1..most),
        (any::<i32>(), 1..most).prop_map(|(value, n)| vec![f64::from(value); n]),
    ];
    kinds.prop_filter_map("finite", Values::new)
}

/// Values of ordinary size without ties.
fn ordinary(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Values> {
    vec(-100.0..100.0_f64, sizes).prop_filter_map("finite", Values::new)
}

fn mapped(values: &Values, map: impl Fn(f64) -> f64) -> Option<Values> {
    Values::new(values.in_order().iter().map(|value| map(*value)).collect())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn is_p(p: f64) -> bool {
    p > 0.0 && p <= 1.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_estimates_lie_within_the_values(values in any_values(40), seed in any::<u64>(), p in -0.5..1.5_f64) {
        let within = |x: f64| x >= values.min() && x <= values.max();
        prop_assert!(within(median(&values)) && within(quantile(&values, p)) && within(hodges_lehmann(&values)));
        let _ = (mean(&values), standard_deviation(&values), robust_cv(&values), cv(&values), trimmed_mean(&values, p));
        let _ = (percentile(&values, p), quantile_interval(&values, p, 0.9), lag1(&values), trend(&values));
        let _ = (bimodality(&values, seed), spread(&values), pairs_needed(&values, &Rule::default()));
        let _ = (steady(values.in_order()), bootstrap_interval(&values, |xs| xs.iter().sum(), 0.9, 100, seed));
        let _ = next_step(values.in_order(), 15, &Rule::default(), seed);
        prop_assert!(outliers(&values).iter().all(|index| *index < values.n()));
        prop_assert!(effective_n(&values) >= 1.0 && effective_n(&values) <= values.n() as f64);
    }

    #[test]
    fn intervals_hold_their_estimates(values in any_values(60), confidence in 0.5..0.999_f64) {
        if let Some(interval) = median_interval(&values, confidence) {
            prop_assert!(interval.holds(median(&values)), "{interval:?}");
        }
        if let Some(interval) = signed_rank_interval(&values, confidence) {
            prop_assert!(interval.holds(hodges_lehmann(&values)) && interval.confidence >= confidence - 1e-9, "{interval:?}");
        }
        if let Some(bounds) = sign_bounds(&values, (1.0 - confidence) / 2.0) {
            prop_assert!(bounds.holds(median(&values)) && bounds.confidence >= confidence - 1e-9, "{bounds:?}");
        }
    }

    #[test]
    fn more_confidence_never_makes_an_interval_narrower(values in ordinary(10..60), low in 0.5..0.9_f64, more in 0.0..0.09_f64) {
        let pairs = [
            (median_interval(&values, low), median_interval(&values, low + more)),
            (signed_rank_interval(&values, low), signed_rank_interval(&values, low + more)),
            (quantile_interval(&values, 0.5, low), quantile_interval(&values, 0.5, low + more)),
        ];
        for pair in pairs {
            let (Some(narrow), Some(wide)) = pair else { continue };
            prop_assert!(wide.low <= narrow.low + 1e-9 && wide.high >= narrow.high - 1e-9, "{narrow:?} {wide:?}");
        }
    }

    #[test]
    fn moving_and_stretching_the_values_moves_and_stretches_the_answers(
        values in ordinary(8..40), shift in -50.0..50.0_f64, scale in 0.1..10.0_f64,
    ) {
        let Some(moved) = mapped(&values, |x| scale * x + shift) else { return Ok(()) };
        let locations: [fn(&Values) -> f64; 3] = [median, hodges_lehmann, |values| trimmed_mean(values, 0.2)];
        for location in locations {
            prop_assert!(close(location(&moved), scale * location(&values) + shift));
        }
        prop_assert!(close(mad(&moved), scale * mad(&values)) && close(spread(&moved), scale * spread(&values)));
        let intervals: [fn(&Values, f64) -> Option<Interval>; 2] = [median_interval, signed_rank_interval];
        for interval in intervals {
            let (Some(before), Some(after)) = (interval(&values, 0.95), interval(&moved, 0.95)) else { continue };
            prop_assert!(close(after.low, scale * before.low + shift) && close(after.high, scale * before.high + shift));
        }
    }

    #[test]
    fn the_order_of_the_blocks_changes_no_verdict(values in ordinary(8..30), seed in any::<u64>()) {
        let mut shuffled = values.in_order().to_vec();
        Rng::new(seed).shuffle(&mut shuffled);
        let Some(shuffled) = Values::new(shuffled) else { return Ok(()) };
        prop_assert!(close(sign_flip(&values, 1).p_two_sided, sign_flip(&shuffled, 1).p_two_sided));
        prop_assert_eq!(median_interval(&values, 0.95), median_interval(&shuffled, 0.95));
        prop_assert_eq!(pairs_needed(&values, &Rule::default()), pairs_needed(&shuffled, &Rule::default()));
    }

    #[test]
    fn p_values_are_above_zero_and_at_most_one(a in any_values(40), b in any_values(40), seed in any::<u64>()) {
        let flip = sign_flip(&a, seed);
        prop_assert!(is_p(flip.p_two_sided) && is_p(flip.p_greater) && is_p(flip.p_less), "{flip:?}");
        prop_assert!(is_p(mann_whitney(&a, &b)));
        prop_assert!(trend(&a).is_none_or(|trend| is_p(trend.p)));
        prop_assert!(holm(&[flip.p_less, flip.p_greater]).into_iter().all(is_p));
    }

    #[test]
    fn turning_the_blocks_round_turns_the_test_round(values in any_values(40), seed in any::<u64>()) {
        let Some(turned) = mapped(&values, |x| -x) else { return Ok(()) };
        let (one, other) = (sign_flip(&values, seed), sign_flip(&turned, seed));
        prop_assert!(close(one.p_two_sided, other.p_two_sided));
        prop_assert!(close(one.p_greater, other.p_less) && close(one.p_less, other.p_greater));
    }

    #[test]
    fn the_shift_lies_in_its_interval_and_turns_round_with_the_samples(a in ordinary(4..40), b in ordinary(4..40)) {
        let shift = hodges_lehmann_shift(&a, &b);
        prop_assert!(close(shift, -hodges_lehmann_shift(&b, &a)));
        if let Some(interval) = rank_interval(&a, &b, 0.95) {
            prop_assert!(interval.holds(shift), "{shift} {interval:?}");
        }
    }

    #[test]
    fn adjusted_p_values_are_never_smaller(p_values in vec(0.0..1.0_f64, 0..20)) {
        for adjusted in [holm(&p_values), benjamini_hochberg(&p_values)] {
            prop_assert!(adjusted.iter().zip(&p_values).all(|(adjusted, p)| adjusted >= p && *adjusted <= 1.0));
        }
    }

    #[test]
    fn the_exact_interval_holds_the_share_seen(n in 1..2_000_u64, part in 0.0..1.0_f64, confidence in 0.5..0.999_f64) {
        let hits = (n as f64 * part) as u64;
        let (low, high) = clopper_pearson(hits, n, confidence);
        let share = hits as f64 / n as f64;
        prop_assert!(low <= share && share <= high, "{low} {share} {high}");
    }
}
