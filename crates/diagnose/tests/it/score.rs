//! The scorecard against the truth of small programs whose sickness is known.

use model::answer::{Account, Answer, AnswerTarget, AnswerVerdict, Leaf, SCHEMA, Wall};
use model::heap::{Estimate as HeapEstimate, Heap, Lifetimes, Site, Totals};
use model::manifest::{Kind, Manifest};
use model::passes::Passes;
use model::sample::MainThread;
use model::scale::{Asked, Class, Estimate, Fit, Function as Grown, Gate, GateVerdict, Point, Scale};
use model::scorecard::{DIMENSIONS, Dimension, Scorecard, Severity, Standard, SubCheck, Tier};
use model::simulated::{
    Cache, Caches, Counter, Events, Function, HeapSite, Instrument, Simulated, SimulatedHeap,
};
use model::{Bytes, Count, Gap, Metric, Nanos, Ratio, Sample, Stage, Unit};

use diagnose::score::{self, Inputs};

use crate::made;

/// A run under study: what the passes saw of it.
struct Case {
    manifest: Manifest,
    samples: Vec<Sample>,
    passes: Passes,
    scaling: Option<Scale>,
    answer: Answer,
}

impl Case {
    fn new(name: &str) -> Self {
        let mut manifest = made::manifest(Kind::Why, &[name]);
        manifest.cwd = "/srv/me/lab".into();
        Self {
            samples: (0..6).map(|at| made::sample(0, at, Some(at), Stage::Measure)).collect(),
            manifest,
            passes: Passes::default(),
            scaling: None,
            answer: answer(),
        }
    }

    fn sized(name: &str, sizes: &[u64], expected: Class) -> Self {
        let mut case = Self::new(name);
        case.manifest.arms = sizes
            .iter()
            .map(|size| {
                let mut arm = made::arm(&format!("./{name} {size}"));
                arm.params.insert("SIZE".to_owned(), size.to_string());
                arm
            })
            .collect();
        case.samples = (0..sizes.len())
            .flat_map(|arm| {
                (0..6).map(move |at| made::sample(u32::try_from(arm).unwrap(), at, Some(at), Stage::Measure))
            })
            .collect();
        let command = format!("./{name} {{SIZE}}");
        case.manifest.settings.scale = Some(Asked { command, expected: Some(expected), predict: Vec::new() });
        case
    }

    fn card(&self) -> Scorecard {
        score::scorecard(&self.inputs())
    }

    fn inputs(&self) -> Inputs<'_> {
        Inputs {
            manifest: &self.manifest,
            samples: &self.samples,
            passes: &self.passes,
            scaling: self.scaling.as_ref(),
            answer: &self.answer,
        }
    }

    fn walls(&mut self, factor: impl Fn(usize) -> f64) {
        for (at, sample) in self.samples.iter_mut().enumerate() {
            sample.wall = made::nanos(0.010 * factor(at));
        }
    }
}

fn answer() -> Answer {
    Answer {
        schema: SCHEMA.to_owned(),
        run: "made".to_owned(),
        target: AnswerTarget { argv: Vec::new(), exit: None },
        wall: Wall { median_s: 0.01, low_s: None, high_s: None, n: 6 },
        account: account(&[("on-cpu/user", 1.0)]),
        verdict: AnswerVerdict {
            class: None,
            cause: None,
            state: "possible".to_owned(),
            summary: String::new(),
        },
        findings: Vec::new(),
        hypotheses: Vec::new(),
        indicators: Vec::new(),
        hotspots: Vec::new(),
        waits: Vec::new(),
        scaling: None,
        simulated: None,
        suite: None,
        depth: None,
        scorecard: None,
        evidence: Vec::new(),
        gaps: Vec::new(),
        overhead: Vec::new(),
    }
}

fn account(leaves: &[(&str, f64)]) -> Account {
    let leaf = |(leaf, share): &(&str, f64)| Leaf {
        leaf: (*leaf).to_owned(),
        seconds: *share,
        share: *share,
        parts: Vec::new(),
    };
    Account {
        unit: "s".to_owned(),
        leaves: leaves.iter().map(leaf).collect(),
        unaccounted: 0.0,
        checks: Vec::new(),
    }
}

/// Instructions, reads, their misses at both levels, branches and mispredicted ones; nothing is written.
fn events(ir: u64, dr: u64, d1mr: u64, dlmr: u64, bc: u64, bcm: u64) -> Events {
    Events {
        ir,
        i1mr: Some(0),
        ilmr: Some(0),
        dr: Some(dr),
        d1mr: Some(d1mr),
        dlmr: Some(dlmr),
        dw: Some(0),
        d1mw: Some(0),
        dlmw: Some(0),
        bc: Some(bc),
        bcm: Some(bcm),
        bi: Some(0),
        bim: Some(0),
    }
}

fn function(name: &str, own: Events) -> Function {
    Function {
        name: name.to_owned(),
        file: Some("/srv/me/lab/prog.c".to_owned()),
        line: Some(7),
        module: Some("/srv/me/lab/prog".to_owned()),
        project: true,
        startup: false,
        own,
        inclusive: None,
        calls: Some(1),
    }
}

/// What every C program does before `main`: bad rates, hardly any cost.
fn loader() -> Function {
    let mut loader = function("_dl_relocate_object", events(80_000, 69, 37, 17, 900, 200));
    (loader.project, loader.startup) = (false, true);
    loader.module = Some("/lib64/ld-linux-x86-64.so.2".to_owned());
    loader
}

fn simulated(size: u64, functions: Vec<Function>) -> Simulated {
    let cache = |simulated: &str| Cache { real: None, simulated: simulated.to_owned() };
    let all: Vec<Function> = functions.into_iter().chain([loader()]).collect();
    let totals = all.iter().map(|function| function.own).reduce(|a, b| a.plus(&b));
    let instrument = |name: &str| Instrument {
        name: name.to_owned(),
        version: Some("3.19.0".to_owned()),
        command: format!("valgrind --tool={name} ./prog {size}"),
        artifacts: vec![format!("tier2/{name}.out")],
        processes: 1,
        wall_s: 1.0,
        ratio: Some(30.0),
    };
    Simulated {
        schema: model::simulated::SCHEMA.to_owned(),
        size: Some(size),
        instruments: ["cachegrind", "callgrind", "dhat"].map(instrument).into(),
        caches: Some(Caches { i1: cache("32768,8,64"), d1: cache("32768,8,64"), ll: cache("8388608,16,64") }),
        totals,
        functions: all,
        others: None,
        lines: Vec::new(),
        edges: Vec::new(),
        calls: None,
        outside: None,
        heap: None,
        counters: Vec::new(),
        python_heap: None,
        gaps: Vec::new(),
    }
}

fn between(value: f64, width: f64) -> Option<Estimate> {
    Some(Estimate { value, low: value - width, high: value + width })
}

fn scale(
    class: Class,
    exponent: f64,
    width: f64,
    expected: Class,
    functions: &[(&str, Class, f64)],
) -> Scale {
    let sizes = [1000_u64, 2000, 4000];
    #[expect(clippy::cast_precision_loss, reason = "small sizes")]
    let point = |size: &u64| Point { size: *size, cost: (*size as f64).powf(exponent), fitted: 0.0, n: 1 };
    let grown = |(name, class, exponent): &(&str, Class, f64)| Grown {
        name: (*name).to_owned(),
        file: Some("/srv/me/lab/prog.c".to_owned()),
        line: Some(7),
        class: *class,
        set: vec![*class],
        exponent: between(*exponent, 0.01),
        own: 0.4,
        inclusive: None,
    };
    Scale {
        schema: model::scale::SCHEMA.to_owned(),
        run: None,
        seed: 1,
        command: "./prog {SIZE}".to_owned(),
        summary: String::new(),
        metric: Metric::Instructions,
        class,
        set: vec![class],
        exponent: between(exponent, width),
        data: None,
        suite: None,
        gate: Some(Gate { expected, verdict: GateVerdict::Holds }),
        fits: vec![Fit {
            metric: Metric::Instructions,
            unit: Unit::One,
            source: "cachegrind".to_owned(),
            class,
            set: Vec::new(),
            exponent: between(exponent, width),
            base: None,
            residual: 0.0,
            fixed: None,
            marginal: None,
            bend: None,
            predictions: Vec::new(),
            points: sizes.iter().map(point).collect(),
        }],
        functions: functions.iter().map(grown).collect(),
        warnings: Vec::new(),
        gaps: Vec::new(),
    }
}

fn of<'a>(card: &'a Scorecard, name: &str) -> &'a Dimension {
    card.dimensions.iter().find(|dimension| dimension.name == name).unwrap()
}

fn check<'a>(card: &'a Scorecard, name: &str) -> &'a SubCheck {
    card.dimensions[0].checks.iter().find(|check| check.name == name).unwrap()
}

const SIZES: [u64; 3] = [1000, 2000, 4000];

/// The loop over four-byte elements misses once in sixteen reads, and nothing is wrong with it.
fn linear() -> Case {
    let mut case = Case::sized("linear", &SIZES, Class::Linear);
    case.passes.simulated = Some(simulated(
        1_000_000,
        vec![function("main", events(8_000_000, 1_000_000, 62_500, 62_500, 2_000_000, 20))],
    ));
    case.scaling = Some(scale(Class::Linear, 0.998, 0.01, Class::Linear, &[("main", Class::Linear, 1.0)]));
    case
}

fn quad() -> Case {
    let mut case = Case::sized("quad", &SIZES, Class::Linear);
    case.passes.simulated = Some(simulated(
        4000,
        vec![
            function("pairs", events(64_000_000, 8_000_000, 300, 250, 8_000_000, 4000)),
            function("near", events(56_000_000, 0, 0, 0, 0, 0)),
        ],
    ));
    let functions = [("pairs", Class::Quadratic, 2.0), ("near", Class::Quadratic, 2.0)];
    case.scaling = Some(scale(Class::Quadratic, 2.0, 0.01, Class::Linear, &functions));
    case
}

#[test]
fn a_clean_linear_program_passes_everything_that_was_measured() {
    let card = linear().card();
    assert!(card.dimensions.iter().map(|dimension| dimension.name.as_str()).eq(DIMENSIONS));
    for dimension in &card.dimensions {
        assert_eq!(dimension.tier, Tier::Pass, "{dimension:#?}");
    }
    assert_eq!((card.total, card.max, card.coverage.as_str()), (28, 28, "7 of 7"));
    assert_eq!(card.summary, "28/28, 7 of 7 measured");
    let band = card.band.unwrap();
    assert_eq!((band.name.as_str(), band.scaled), ("strong", false));
    assert!(card.stop.is_none() && card.notes.is_empty() && card.questions.is_empty());
    // The loop is at its floor, and the loader's rates are nobody's concern.
    let l1 = linear().card().dimensions[3].clone();
    assert!(l1.because.contains("more than reading its data once must"), "{}", l1.because);
    // What was counted is not called time.
    let cpu = of(&linear().card(), "CPU Efficiency").because.clone();
    assert!(cpu.contains("% of the instructions is spent in "), "{cpu}");
}

#[test]
fn a_quadratic_program_fails_and_stops_although_sub_checks_are_missing() {
    let case = quad();
    let card = case.card();
    let scaling = &card.dimensions[0];
    assert_eq!((scaling.tier, scaling.score), (Tier::Fail, Some(0)));
    assert_eq!(check(&card, "complexity_exponent").tier, Tier::Fail);
    assert_eq!(check(&card, "multiplicative_paths").tier, Tier::Fail);
    assert_eq!(check(&card, "data_reuse").tier, Tier::Fail, "growth stands behind the ratio");
    assert_eq!(check(&card, "allocation_churn").tier, Tier::NotMeasured);
    assert!(scaling.missing.iter().any(|missing| missing.starts_with("allocation_churn")));
    assert!(scaling.location.as_ref().is_some_and(|place| place.line == Some(7)));
    assert!(scaling.prescription.as_ref().unwrap().contains("prog.c:7"));
    assert!(card.stop.as_ref().unwrap().starts_with("STOP"));
    assert!(card.band.is_none(), "24 of 28 is not strong here");
    let findings = score::findings(&card, "made", "/srv/me/lab");
    assert!(findings.iter().all(|finding| finding.path == "prog.c"), "{findings:#?}");
    let growth = findings.iter().find(|finding| finding.metric.name == "complexity_exponent").unwrap();
    assert_eq!(growth.severity, Severity::High);
    assert!((growth.metric.threshold - 1.1).abs() < 1e-9 && growth.metric.times > 1.5);
    assert!(growth.evidence.command.as_ref().unwrap().contains("--sizes 1000,2000,4000 -- ./quad {SIZE}"));
}

#[test]
fn cost_that_grows_as_the_data_do_is_no_failure_unless_the_user_says_so() {
    for (data, asked, wanted) in [
        (None, None, Tier::Fail),
        (Some(1.0), None, Tier::Fail),
        (Some(2.0), None, Tier::Pass),
        (Some(1.5), None, Tier::Fail),
        (Some(2.0), Some(Class::Linear), Tier::Fail),
    ] {
        let mut case = quad();
        case.manifest.settings.scale.as_mut().unwrap().expected = asked;
        let scaling = case.scaling.as_mut().unwrap();
        scaling.data = data.and_then(|value| between(value, 0.05));
        scaling.gate = asked.map(|expected| Gate { expected, verdict: GateVerdict::Broken });
        let card = case.card();
        assert_eq!(card.dimensions[0].tier, wanted, "{data:?} {asked:?}: {}", card.dimensions[0].because);
        assert_eq!(card.stop.is_some(), wanted == Tier::Fail, "{data:?} {asked:?}");
    }
}

#[test]
fn a_cost_that_does_not_depend_on_the_size_has_no_elements_to_divide_by() {
    let mut case = quad();
    let functions = [("pairs", Class::Constant, 0.0), ("near", Class::Constant, 0.0)];
    case.scaling = Some(scale(Class::Constant, 0.0, 0.001, Class::Linear, &functions));
    let card = case.card();
    assert_eq!(card.dimensions[0].tier, Tier::Pass, "{}", card.dimensions[0].because);
    let reads = check(&card, "data_reuse");
    assert_eq!(reads.tier, Tier::NotMeasured);
    assert!(reads.because.contains("does not depend on the size"), "{}", reads.because);
}

#[test]
fn ids_do_not_depend_on_the_checkout() {
    let here = score::findings(&quad().card(), "made", "/srv/me/lab");
    let mut moved = quad();
    for function in &mut moved.passes.simulated.as_mut().unwrap().functions {
        function.file = Some("/elsewhere/prog.c".to_owned());
    }
    for function in &mut moved.scaling.as_mut().unwrap().functions {
        function.file = Some("/elsewhere/prog.c".to_owned());
    }
    let there = score::findings(&moved.card(), "made", "/elsewhere");
    let ids = |findings: &[model::scorecard::Finding]| -> Vec<String> {
        findings.iter().map(|finding| finding.id.clone()).collect()
    };
    assert_eq!(ids(&here), ids(&there));
    assert!(here.iter().all(|finding| finding.id.len() == 16));
}

#[test]
fn the_expected_class_decides() {
    let mut case = quad();
    case.scaling.as_mut().unwrap().gate =
        Some(Gate { expected: Class::Quadratic, verdict: GateVerdict::Holds });
    assert_eq!(case.card().dimensions[0].tier, Tier::Pass, "{:#?}", case.card().dimensions[0]);
}

#[test]
fn an_interval_that_spans_the_limits_is_inconclusive_and_no_failure() {
    let mut case = linear();
    let wide = case.scaling.as_mut().unwrap();
    (wide.exponent, wide.class, wide.set) = (between(1.3, 0.4), Class::Power, vec![Class::Power]);
    let card = case.card();
    assert_eq!(card.dimensions[0].tier, Tier::NotMeasured);
    assert!(check(&card, "complexity_exponent").because.contains("inconclusive"));
    assert_eq!(card.coverage, "6 of 7");
    assert!(card.band.unwrap().scaled);
    // One that lies in the warning range as a whole warns; one that reaches from there into failure does too.
    for (value, width) in [(1.2, 0.05), (1.3, 0.1)] {
        case.scaling.as_mut().unwrap().exponent = between(value, width);
        assert_eq!(case.card().dimensions[0].tier, Tier::Warn, "{value} ± {width}");
    }
}

#[test]
fn a_library_sort_is_not_condemned() {
    let mut case = Case::sized("nlogn", &SIZES, Class::Linearithmic);
    let mut sort = function("msort_with_tmp", events(9_000_000, 2_000_000, 20_000, 3000, 900_000, 130_000));
    (sort.project, sort.module) = (false, Some("/lib/libc.so.6".to_owned()));
    let order = function("order", events(5_000_000, 270_000, 4000, 100, 0, 0));
    case.passes.simulated = Some(simulated(10_000, vec![sort, order]));
    let functions = [("order", Class::Linearithmic, 1.1)];
    case.scaling = Some(scale(Class::Linearithmic, 1.1, 0.02, Class::Linearithmic, &functions));
    let card = case.card();
    assert_eq!(card.dimensions[0].tier, Tier::Pass, "{:#?}", card.dimensions[0]);
    // Its mispredictions are real, but the code is the library's: a warning at most.
    assert_eq!(of(&card, "Branch Prediction").tier, Tier::Warn);
}

#[test]
fn columns_that_miss_at_every_step_fail_and_are_named() {
    let mut case = Case::sized("colrow", &SIZES, Class::Quadratic);
    let column = function("by_column", events(5_000_000, 1_000_001, 1_000_001, 62_500, 1_000_000, 1000));
    let row = function("by_row", events(5_000_000, 1_000_001, 62_501, 0, 1_000_000, 1000));
    case.passes.simulated = Some(simulated(1000, vec![column, row]));
    let card = case.card();
    let l1 = of(&card, "L1 Cache Efficiency");
    assert_eq!(l1.tier, Tier::Fail);
    assert_eq!(l1.location.as_ref().unwrap().function, "by_column");
    assert!((l1.figures[0].value - 100.0).abs() < 0.001 && l1.figures[0].cost.unwrap() > 0.3);
    assert!(l1.prescription.as_ref().unwrap().contains("swap the loops"));
    assert_eq!(of(&card, "Last-Level Cache").tier, Tier::Pass, "a line is brought in once");
    let finding = score::findings(&card, "made", "/srv/me/lab");
    assert!(finding.iter().any(|finding| finding.metric.name == "l1_miss_rate"
        && finding.evidence.command.as_ref().unwrap().starts_with("valgrind")));
}

#[test]
fn mispredicted_branches_fail_by_simulation_and_by_counters() {
    let mut case = Case::sized("branchy", &SIZES, Class::Linear);
    let own = events(40_000_000, 5_000_000, 78_000, 0, 10_000_000, 2_470_000);
    case.passes.simulated = Some(simulated(100_000, vec![function("count", own)]));
    assert_eq!(of(&case.card(), "Branch Prediction").tier, Tier::Fail);
    let mut counted = simulated(100_000, Vec::new());
    counted.totals = None;
    let counter = |event: &str, value: f64| Counter {
        event: event.to_owned(),
        value: Some(value),
        unit: "1".to_owned(),
        enabled: Some(1.0),
    };
    counted.counters = vec![
        counter("branches:u", 1e7),
        counter("cpu_core/branch-misses/", 2e6),
        counter("cycles:u", 1e8),
        counter("instructions:u", 0.8e8),
    ];
    case.passes.simulated = Some(counted);
    let card = case.card();
    assert_eq!(of(&card, "Branch Prediction").tier, Tier::Fail);
    let cpu = of(&card, "CPU Efficiency");
    assert_eq!((cpu.tier, cpu.figures[0].name.as_str()), (Tier::Fail, "IPC"));
    // Less is worse here, and the finding says so.
    let findings = score::findings(&card, "made", "/srv/me/lab");
    let ipc = findings.iter().find(|finding| finding.metric.name == "IPC").unwrap();
    assert!(ipc.metric.times > 1.8, "{ipc:#?}");
}

/// Blocks of one site.
fn heap_of(blocks: u64, lifetime: f64) -> SimulatedHeap {
    let site = HeapSite {
        function: "turn".to_owned(),
        file: Some("/srv/me/lab/churn.c".to_owned()),
        line: Some(6),
        project: true,
        bytes: blocks * 64,
        blocks: Some(blocks),
        lifetime: Some(lifetime),
        accesses: None,
    };
    SimulatedHeap {
        blocks: Some(blocks),
        bytes: Some(blocks * 64),
        sites: vec![site],
        ..SimulatedHeap::default()
    }
}

#[test]
fn churn_is_counted_and_few_large_blocks_are_none() {
    let mut case = Case::sized("churn", &SIZES, Class::Linear);
    let mut malloc = function("malloc", events(20_000_000, 1, 0, 0, 1, 0));
    malloc.project = false;
    let mut simulated = simulated(10_000, vec![function("turn", events(9_000_000, 1, 0, 0, 1, 0)), malloc]);
    simulated.heap = Some(heap_of(200_000, 0.000_001));
    case.passes.simulated = Some(simulated);
    let card = case.card();
    let churn = check(&card, "allocation_churn");
    assert_eq!(churn.tier, Tier::Fail, "{churn:#?}");
    assert_eq!(churn.location.as_ref().unwrap().line, Some(6));
    assert_eq!(card.dimensions[0].tier, Tier::Fail, "although growth was not measured");
    // Eight blocks in eight phases.
    case.passes.simulated.as_mut().unwrap().heap = Some(heap_of(8, 0.12));
    assert_eq!(check(&case.card(), "allocation_churn").tier, Tier::Pass);
    // As many blocks that live on are no churn.
    case.passes.simulated.as_mut().unwrap().heap = Some(heap_of(200_000, 0.5));
    assert_eq!(check(&case.card(), "allocation_churn").tier, Tier::Pass);
}

#[test]
fn the_allocator_hook_tells_of_churn_too() {
    let mut case = Case::sized("churn", &[10_000], Class::Linear);
    let mut heap = Heap::new(Bytes::from_bytes(4096));
    let estimate = |value| HeapEstimate { value, low: value, high: value };
    heap.totals = Some(Totals { allocations: Count(200_004), ..Totals::default() });
    heap.sites = vec![Site {
        stack: None,
        samples: Count(900),
        allocations: estimate(200_000),
        bytes: estimate(12_800_000),
        freed: estimate(12_800_000),
        live_at_end: estimate(0),
        at_peak: estimate(128),
        lifetimes: Some(Lifetimes {
            within_100_micros: Ratio(1.0),
            within_1_milli: Ratio(1.0),
            within_1_second: Ratio(1.0),
            freed: Ratio(1.0),
            by_same_thread: Ratio(1.0),
            n: Count(900),
        }),
    }];
    case.passes.heap = Some(heap);
    assert_eq!(check(&case.card(), "allocation_churn").tier, Tier::Fail);
}

#[test]
fn phases_are_no_memory_problem_and_growth_beyond_the_size_is_one() {
    let mut case = Case::sized("phases", &[10_000, 100_000], Class::Linear);
    let rss = |case: &mut Case, bytes: [u64; 2]| {
        for sample in &mut case.samples {
            sample.peak_rss = Bytes::from_bytes(bytes[sample.arm as usize]);
        }
    };
    rss(&mut case, [2_400_000, 8_100_000]);
    assert_eq!(of(&case.card(), "Memory Profile").tier, Tier::Pass);
    rss(&mut case, [2_400_000, 2_400_000_000]);
    assert_eq!(of(&case.card(), "Memory Profile").tier, Tier::Fail);
    // One number alone says nothing of what it should be.
    let alone = Case::new("alone").card();
    let memory = of(&alone, "Memory Profile");
    assert_eq!(memory.tier, Tier::NotMeasured);
    assert_eq!(memory.figures[0].name, "peak_bytes");
}

#[test]
fn a_program_that_waits_is_never_full_marks_in_silence() {
    let mut waiter = linear();
    waiter.answer.account = account(&[("blocked/sleep", 0.97), ("on-cpu/user", 0.03)]);
    let card = waiter.card();
    assert_eq!(
        card.notes[0],
        "97 % of wall time is waiting, 97 % on sleep: the scorecard below is about the other 3 %"
    );
    assert!(card.band.is_none());
    let mut threads = linear();
    threads.answer.account = account(&[("on-cpu/user", 0.55), ("blocked/lock", 0.45)]);
    assert!(threads.card().notes[0].contains("45 % on lock"));
}

#[test]
fn python_is_not_judged_by_its_interpreter() {
    let mut case = Case::sized("dedup", &SIZES, Class::Linear);
    let mut eval = function(
        "_PyEval_EvalFrameDefault",
        events(90_000_000, 9_000_000, 900_000, 9000, 9_000_000, 900_000),
    );
    (eval.project, eval.module) = (false, Some("/usr/bin/python3.11".to_owned()));
    case.passes.simulated = Some(simulated(10_000, vec![eval]));
    case.scaling = Some(scale(Class::Linear, 1.01, 0.02, Class::Linear, &[]));
    let card = case.card();
    for name in ["L1 Cache Efficiency", "Last-Level Cache", "Branch Prediction"] {
        assert_eq!(of(&card, name).tier, Tier::NotMeasured, "{name}");
        assert!(of(&card, name).because.contains("interpreter"), "{}", of(&card, name).because);
    }
    assert_eq!(card.dimensions[0].tier, Tier::Pass, "growth holds for any language");
    let quadratic = scale(Class::Quadratic, 1.98, 0.02, Class::Linear, &[]);
    assert_eq!(Case { scaling: Some(quadratic), ..case }.card().dimensions[0].tier, Tier::Fail);
}

#[test]
fn what_failed_under_valgrind_is_not_measured_with_its_reason() {
    let mut case = Case::sized("vgfail", &SIZES, Class::Linear);
    let mut failed = simulated(1000, Vec::new());
    (failed.totals, failed.functions) = (None, Vec::new());
    failed.gaps = vec![Gap::new("caches", "the target ended with exit status 3 under valgrind", None)];
    case.passes.simulated = Some(failed);
    let card = case.card();
    let l1 = of(&card, "L1 Cache Efficiency");
    assert_eq!(l1.tier, Tier::NotMeasured);
    assert!(l1.missing[0].contains("exit status 3"), "{:?}", l1.missing);
    assert_eq!(card.coverage, "2 of 7", "{:#?}", card.dimensions);
}

#[test]
fn noise_is_not_scored_but_a_program_that_wavers_on_a_quiet_machine_fails() {
    let mut case = Case::new("adaptive");
    case.walls(|at| if at % 2 == 0 { 1.0 } else { 1.3 });
    let card = case.card();
    let stability = of(&card, "Wall-Time Stability");
    assert_eq!(stability.tier, Tier::Fail, "the first thread never waited for a CPU");
    assert!(stability.prescription.as_ref().unwrap().starts_with("the machine was quiet"));
    for sample in &mut case.samples {
        sample.main_thread = Some(MainThread { on_cpu: made::nanos(0.010), runnable: made::nanos(0.003) });
    }
    let card = case.card();
    assert_eq!(of(&card, "Wall-Time Stability").tier, Tier::Noise);
    assert!(!card.questions.is_empty());
    case.passes.standard = Some(Standard { max_cv: 0.5, baseline: None });
    let busy = of(&case.card(), "Wall-Time Stability").prescription.clone().unwrap();
    assert!(busy.starts_with("others used the CPUs"), "a busy machine is not called quiet: {busy}");
    case.passes.standard = None;
    for sample in &mut case.samples {
        sample.main_thread = None;
    }
    assert_eq!(of(&case.card(), "Wall-Time Stability").tier, Tier::Noise, "unknown is not quiet");
    case.passes.standard = Some(Standard { max_cv: 0.5, baseline: None });
    assert_eq!(of(&case.card(), "Wall-Time Stability").tier, Tier::Fail, "the user's gate is the gate");
    case.samples.truncate(2);
    assert_eq!(of(&case.card(), "Wall-Time Stability").tier, Tier::NotMeasured);
}

#[test]
fn the_summary_keeps_its_old_keys_true() {
    let case = quad();
    let card = case.card();
    let summary = score::summary(&case.inputs(), &card);
    assert_eq!(summary.complexity_exponent, Some(2.0));
    assert!(summary.deterministic_tier);
    assert_eq!(summary.rubric.dimensions.len(), 7);
    assert_eq!(summary.rubric.dimensions["Algorithmic Scaling"].tier, "FAIL");
    assert_eq!(summary.sizes, SIZES);
    assert_eq!(summary.workload, "./quad {SIZE}");
    // Wall, CPU and memory at three sizes, instructions at three.
    assert_eq!(summary.samples.len(), 12);
    assert_eq!(summary.hot_functions[0].function, "pairs");
    let files = summary.hot_functions.iter().filter_map(|function| function.file.as_ref());
    let placed = summary.rubric.dimensions.values().filter_map(|one| one.location.as_ref()?.file.as_ref());
    for file in files.chain(placed) {
        assert!(!file.starts_with("/srv/me/lab"), "{file} is not relative to the root");
    }
    assert!(summary.wall_time_mean.is_none() && summary.wall_time_mean_by_size.len() == 3);
    assert_eq!((summary.prerequisites.python_ok, summary.environment.python_version), (None, None));
    assert_eq!((summary.prerequisites.perf_paranoid, summary.environment.load_avg_1m), (None, None));
}

#[test]
fn a_result_against_itself_is_no_regression_and_thirty_times_the_work_is() {
    let case = quad();
    let base = score::summary(&case.inputs(), &case.card());
    let same = score::regressions(&base, &base);
    assert!(!same.blocker && same.tiers.is_empty(), "{same:#?}");
    let mut slow = quad();
    for sample in &mut slow.samples {
        (sample.wall, sample.user) = (made::nanos(0.3), made::nanos(0.29));
    }
    slow.passes.standard = Some(Standard { baseline: Some(base.clone()), ..Standard::default() });
    let told = slow.card().baseline.unwrap();
    assert!(told.blocker, "{told:#?}");
    assert!(told.reasons.iter().any(|reason| reason.starts_with("cpu at size 1000")), "{:?}", told.reasons);
    // Counts alone are enough, from one part in a hundred on.
    let mut more = base.clone();
    for series in more.samples.iter_mut().filter(|series| series.metric == Metric::Instructions) {
        series.values.iter_mut().for_each(|value| *value *= 1.02);
    }
    assert!(score::regressions(&base, &more).blocker);
    assert!(!score::regressions(&more, &base).blocker, "better is no blocker");
}

#[test]
fn a_lower_tier_blocks_and_another_workload_or_machine_cannot_be_compared() {
    let case = linear();
    let base = score::summary(&case.inputs(), &case.card());
    let mut sick = linear();
    let main = &mut sick.passes.simulated.as_mut().unwrap().functions[0];
    main.own.bcm = Some(500_000);
    let now = score::summary(&sick.inputs(), &sick.card());
    let told = score::regressions(&base, &now);
    assert!(told.blocker && told.tiers[0].dimension == "Branch Prediction", "{told:#?}");
    let mut other = now.clone();
    other.workload = "./other {SIZE}".to_owned();
    assert_eq!(score::regressions(&base, &other).comparable, model::compare::Comparable::Not);
    let (mut here, mut there) = (base.clone(), now);
    here.fingerprint.machine.cpu_model = Some("A".to_owned());
    there.fingerprint.machine.cpu_model = Some("B".to_owned());
    let told = score::regressions(&here, &there);
    assert_eq!(told.comparable, model::compare::Comparable::Not);
    assert!(!told.blocker && told.metrics.is_empty());
}

#[test]
fn memory_is_compared_with_the_same_size_alone() {
    let mut base = Case::sized("grow", &[10_000, 100_000], Class::Linear);
    for sample in &mut base.samples {
        sample.peak_rss = Bytes::from_bytes(if sample.arm == 0 { 8 << 20 } else { 80 << 20 });
    }
    let summary = score::summary(&base.inputs(), &base.card());
    let mut now = Case::sized("grow", &[100_000], Class::Linear);
    for sample in &mut now.samples {
        sample.peak_rss = Bytes::from_bytes(80 << 20);
    }
    now.passes.standard = Some(Standard { baseline: Some(summary), ..Standard::default() });
    let card = now.card();
    let memory = of(&card, "Memory Profile");
    assert_eq!((memory.tier, memory.figures[0].value), (Tier::Pass, 1.0), "{memory:#?}");
}

#[test]
fn memory_that_differs_by_what_the_kernel_lags_by_is_the_same() {
    let tier = |before: u64, after: u64| {
        let with = |bytes: u64| {
            let mut case = Case::sized("grow", &[1000], Class::Linear);
            case.samples.iter_mut().for_each(|sample| sample.peak_rss = Bytes::from_bytes(bytes));
            case
        };
        let base = with(before);
        let summary = score::summary(&base.inputs(), &base.card());
        let mut now = with(after);
        now.passes.standard = Some(Standard { baseline: Some(summary), ..Standard::default() });
        of(&now.card(), "Memory Profile").tier
    };
    assert_eq!(tier(1400 << 10, 1600 << 10), Tier::Pass);
    assert_eq!(tier(14 << 20, 16 << 20), Tier::Warn);
    assert_eq!(tier(1400 << 10, 2800 << 10), Tier::Fail);
}

#[test]
fn a_ledger_compares_equal_keys_alone() {
    let case = linear();
    let summary = score::summary(&case.inputs(), &case.card());
    let now = score::entry(&summary);
    let alone = score::ledger_regressions(&[], &now, vec!["line 1 cannot be read".to_owned()]);
    assert!(alone.vs_last.is_empty() && alone.entries == 0 && alone.warnings.len() == 1);
    let mut fast = now.clone();
    fast.metrics.iter_mut().for_each(|metric| {
        metric.median /= 3.0;
        metric.high = metric.high.map(|high| high / 3.0);
    });
    let told = score::ledger_regressions(&[fast.clone(), now.clone()], &now, Vec::new());
    assert!(told.vs_last.is_empty(), "{told:#?}");
    let wall = told.vs_best.iter().find(|change| change.what == "wall at size 1000");
    assert!(wall.is_some_and(|change| change.now.ends_with(" s")), "{told:#?}");
    // Without intervals nothing but counts is worse.
    fast.metrics.iter_mut().for_each(|metric| metric.high = None);
    let told = score::ledger_regressions(&[fast.clone()], &now, Vec::new());
    assert!(told.vs_best.iter().all(|change| !change.what.starts_with("wall")), "{told:#?}");
    fast.key.machine = "another".to_owned();
    assert!(score::ledger_regressions(&[fast], &now, Vec::new()).vs_best.is_empty());
    assert!(now.metrics.iter().all(|metric| metric.n > 0));
}

#[test]
fn a_sum_of_nothing_has_no_band() {
    let mut case = Case::new("empty");
    case.samples.clear();
    let card = case.card();
    assert_eq!((card.total, card.max, card.coverage.as_str()), (0, 0, "0 of 7"));
    assert!(card.band.is_none());
    assert_eq!(Nanos::ZERO.as_nanos(), 0);
}

#[test]
fn code_without_names_is_not_judged_and_no_praise_either() {
    let mut case = Case::sized("stripped", &SIZES, Class::Linear);
    let mut unnamed = function("???", events(90_000_000, 9_000_000, 900_000, 9000, 9_000_000, 900_000));
    (unnamed.project, unnamed.file, unnamed.module) = (false, None, None);
    let copy = function("copy", events(9_000_000, 1_000_000, 10, 10, 1_000_000, 10));
    case.passes.simulated = Some(simulated(10_000, vec![unnamed.clone(), copy]));
    let branches = &case.card().dimensions[5];
    assert_eq!(branches.tier, Tier::NotMeasured, "{branches:#?}");
    assert!(branches.because.contains("without names"), "{}", branches.because);
    // What is seen and bad stays bad, whatever else is not seen; its line is one of its own.
    let jump = function("jump", events(60_000_000, 9_000_000, 10, 10, 9_000_000, 3_000_000));
    let mut sick = simulated(10_000, vec![unnamed, jump]);
    let line = |function: &str, line, bcm| model::simulated::Line {
        file: "/srv/me/lab/prog.c".to_owned(),
        line,
        function: function.to_owned(),
        own: events(1, 0, 0, 0, bcm, bcm),
    };
    sick.lines = vec![line("other", 1, 9_000_000), line("jump", 9, 3_000_000)];
    case.passes.simulated = Some(sick);
    let branches = &case.card().dimensions[5];
    assert_eq!(branches.tier, Tier::Fail, "{branches:#?}");
    assert!(branches.prescription.as_ref().unwrap().contains("prog.c:9 misses most"), "{branches:#?}");
}

#[test]
fn locking_is_a_sign_of_waste_and_names_who_locks() {
    let mut case = linear();
    let mut lock = function("pthread_mutex_lock@@GLIBC_2.2.5", events(9_000_000, 90_000, 0, 0, 9000, 0));
    (lock.project, lock.module) = (false, Some("/lib/x86_64-linux-gnu/libc.so.6".to_owned()));
    let fight = function("fight", events(9_000_000, 90_000, 0, 0, 9000, 0));
    let mut found = simulated(10_000, vec![lock, fight]);
    found.edges = vec![model::simulated::Edge {
        caller: "fight".to_owned(),
        callee: "pthread_mutex_lock@@GLIBC_2.2.5".to_owned(),
        file: None,
        line: Some(11),
        calls: 1000,
        inclusive: 9_000_000,
    }];
    case.passes.simulated = Some(found);
    let card = case.card();
    let cpu = of(&card, "CPU Efficiency");
    // Without a recording nobody knows whether there is a second thread.
    assert_eq!((cpu.tier, cpu.figures[0].name.as_str()), (Tier::Warn, "locking"), "{cpu:#?}");
    assert!(cpu.prescription.as_ref().unwrap().starts_with("fight (prog.c:11): "), "{cpu:#?}");
}

#[test]
fn what_grows_may_hide_behind_start_up() {
    let undecided = [Class::Constant, Class::Linear, Class::Quadratic];
    let mut case = linear();
    let mut growth = scale(Class::Constant, 0.0, 0.04, Class::Linear, &[]);
    growth.set = undecided.to_vec();
    case.scaling = Some(growth);
    let card = case.card();
    assert_eq!(check(&card, "complexity_exponent").tier, Tier::NotMeasured);
    assert!(
        card.dimensions[0].because.contains("too small beside the rest"),
        "{}",
        card.dimensions[0].because
    );
}
