//! A promise and made samples: accepted, refuted or undecided, and by what.

use model::answer::{Finding, State};
use model::compare::Comparable;
use model::manifest::{Kind, Manifest};
use model::passes::Passes;
use model::profile::Share;
use model::standing::Before;
use model::verify::{Asked, Behaviour, Bound, Outcome, Prediction, Remains, Tests, Verify};
use model::{Bytes, Ended, Metric, Sample};

use diagnose::compare::Judge;
use diagnose::verify::{metric_of, next, verify};

use crate::made::{blocks, manifest};

fn finding(class: &str, cause: &str) -> Finding {
    Finding {
        rank: 1,
        id: cause.to_owned(),
        class: class.to_owned(),
        cause: cause.to_owned(),
        state: State::Confirmed,
        summary: "it is slow".to_owned(),
        inside: None,
        location: None,
        share: Share { value: 0.3, low: 0.2, high: 0.4 }.into(),
        recoverable_s: 0.002,
        at_most: Some(1.6),
        with: None,
        because: Vec::new(),
        chain: Vec::new(),
        evidence: Vec::new(),
        prescription: String::new(),
        verify: String::new(),
    }
}

fn asked(metric: Metric) -> Asked {
    Asked {
        prediction: Prediction {
            run: "before".to_owned(),
            finding: finding("CPU", "hot-compute"),
            metric,
            wall_s: 0.010,
            comparable: Comparable::Fully,
            differences: Vec::new(),
        },
        tests: None,
        behaviour: Behaviour::Same,
        allowed: Vec::new(),
        allowed_dimensions: Vec::new(),
        before: None,
    }
}

fn run() -> Manifest {
    manifest(Kind::Verify, &["old", "new"])
}

fn judged(samples: &[Sample], asked: &Asked) -> Verify {
    verify(&run(), samples, &[], &Passes::default(), asked, &[])
}

/// The new side also needs this much more memory.
fn heavier(mut samples: Vec<Sample>, mebibytes: u64) -> Vec<Sample> {
    for sample in samples.iter_mut().filter(|sample| sample.arm == 1) {
        sample.peak_rss = Bytes::from_bytes(mebibytes << 20);
    }
    samples
}

#[test]
fn the_named_metric_decides() {
    let faster = blocks(0, 15, |_| 0.75, |_| 0.75);
    let accepted = judged(&faster, &asked(Metric::Cpu));
    assert_eq!(accepted.verdict, Outcome::Accepted, "{}", accepted.summary);
    assert_eq!(accepted.saving.unwrap().bound, Bound::Within);
    assert_eq!(accepted.after.state, Remains::Unknown, "nothing was recorded");
    // Wall time got better, CPU time did not, and CPU time was promised.
    let elsewhere = judged(&blocks(0, 15, |_| 0.75, |_| 1.0), &asked(Metric::Cpu));
    assert_eq!(elsewhere.verdict, Outcome::Refuted, "{}", elsewhere.summary);
    assert_eq!(judged(&blocks(0, 15, |_| 1.0, |_| 1.0), &asked(Metric::Cpu)).verdict, Outcome::Refuted);
    assert_eq!(judged(&blocks(0, 2, |_| 0.75, |_| 0.75), &asked(Metric::Cpu)).verdict, Outcome::Undecided);
    assert_eq!(judged(&faster, &asked(Metric::Instructions)).verdict, Outcome::Undecided, "nobody counted");
}

#[test]
fn a_saving_beyond_the_bound_is_told() {
    let verify = judged(&blocks(0, 15, |_| 0.25, |_| 0.25), &asked(Metric::Cpu));
    assert_eq!((verify.verdict, verify.saving.unwrap().bound), (Outcome::Accepted, Bound::Beyond));
}

#[test]
fn a_bound_from_a_busy_machine_is_rough_and_told() {
    let before = Before { crowded: Some(0.5), ..Before::default() };
    let busy = Asked { before: Some(before), ..asked(Metric::Cpu) };
    // 60 % is saved, 20 to 40 % were promised of a run that waited for CPUs half of its time.
    let verify = judged(&blocks(0, 15, |_| 0.4, |_| 0.4), &busy);
    let saving = verify.saving.unwrap();
    assert_eq!((verify.verdict, saving.bound), (Outcome::Accepted, Bound::Within));
    assert!(
        saving.share <= saving.bound_high && saving.bound_high < 0.81,
        "the bound that is told: {saving:?}"
    );
    assert!(verify.warnings.iter().any(|warning| warning.id == "promise-from-a-busy-machine"));
    assert_eq!(judged(&blocks(0, 15, |_| 0.1, |_| 0.1), &busy).saving.unwrap().bound, Bound::Beyond);
}

#[test]
fn a_price_paid_elsewhere_refutes_unless_it_was_allowed() {
    let samples = heavier(blocks(0, 15, |_| 0.75, |_| 0.75), 64);
    let refuted = judged(&samples, &asked(Metric::Cpu));
    assert_eq!((refuted.verdict, refuted.harms.as_slice()), (Outcome::Refuted, &[Metric::Rss][..]));
    assert!(
        refuted.summary.contains("helps cpu") && refuted.summary.contains("harms rss"),
        "{}",
        refuted.summary
    );
    let allowed = judged(&samples, &Asked { allowed: vec![Metric::Rss], ..asked(Metric::Cpu) });
    assert_eq!(allowed.verdict, Outcome::Accepted);
    assert!(allowed.warnings.iter().any(|warning| warning.id == "tolerated-harm"));
}

#[test]
fn tests_and_behaviour_come_before_every_number() {
    let faster = blocks(0, 15, |_| 0.75, |_| 0.75);
    let failing = Tests { command: "make test".to_owned(), ended: Ended::Code(2) };
    let tested = judged(&faster, &Asked { tests: Some(failing), ..asked(Metric::Cpu) });
    assert_eq!(tested.verdict, Outcome::Refuted);
    assert!(tested.summary.contains("make test"), "{}", tested.summary);
    for behaviour in [
        Behaviour::OutputDiffers { base: "a".to_owned(), new: "b".to_owned() },
        Behaviour::EndsDifferently { base: Ended::Code(0), new: Ended::Signal(11) },
    ] {
        assert_eq!(judged(&faster, &Asked { behaviour, ..asked(Metric::Cpu) }).verdict, Outcome::Refuted);
    }
    for behaviour in [Behaviour::Unsteady, Behaviour::Unchecked { why: String::new() }] {
        assert_eq!(judged(&faster, &Asked { behaviour, ..asked(Metric::Cpu) }).verdict, Outcome::Accepted);
    }
    // Nothing was measured, because there was no need to.
    let failing = Tests { command: "make test".to_owned(), ended: Ended::Code(2) };
    assert_eq!(judged(&[], &Asked { tests: Some(failing), ..asked(Metric::Cpu) }).verdict, Outcome::Refuted);
}

#[test]
fn each_cause_is_judged_on_what_it_costs() {
    for (class, cause, counted, metric) in [
        ("CPU", "hot-compute", false, Metric::Cpu),
        ("CPU", "hot-compute", true, Metric::Instructions),
        ("Memory", "allocation-churn", false, Metric::Cpu),
        ("Memory", "memory-growth", true, Metric::Rss),
        ("Lock", "lock-contention", true, Metric::Wall),
        ("I/O-Network", "serial-calls", false, Metric::Wall),
        ("Architecture", "polling-sleep", false, Metric::Wall),
    ] {
        assert_eq!(metric_of(&finding(class, cause), counted), metric, "{cause}");
    }
}

#[test]
fn harm_gets_its_chance_to_show_before_measuring_ends() {
    let judge = Judge::of(&run().settings, 7);
    // Wall time is proven at once; CPU time wobbles and is not.
    let samples = blocks(0, 15, |_| 0.5, |block| if block % 2 == 0 { 0.9 } else { 1.1 });
    assert_eq!(diagnose::compare::next(&samples, &judge), None);
    let early = blocks(0, 8, |_| 0.5, |block| if block % 2 == 0 { 0.9 } else { 1.1 });
    assert!(next(&early, &judge).is_some());
}
