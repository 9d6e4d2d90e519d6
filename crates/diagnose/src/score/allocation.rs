//! Allocation churn: blocks that are made and given back at once, again and again.
//!
//! Counted with their lifetimes, by our own allocator hook or by DHAT; never guessed from the shape of a curve. Few
//! blocks are no churn whatever their life, and where the allocator's cost is known, cheap churn is none either.

use model::heap::{HEAP, Heap, Site};
use model::recording::Owner;
use model::scorecard::{Better, Figure, Location, SubCheck, Tier};
use model::simulated::{HeapSite, Simulated};

use super::cost::{Costs, FAIL_COST, WARN_COST, cycles, figure, float, words};
use super::scaling::unmeasured;
use super::tier::{Limits, milder, worse};
use super::{Inputs, advice};

const NAME: &str = "allocation_churn";

/// Short-lived blocks an element. The rubric's numbers; it counted bumps of massif's curve.
const PER_ELEMENT: Limits = Limits::at_most(2.0, 5.0);

/// Shares of the cost inside the allocator, where no size tells what an element is.
const OF_COST: Limits = Limits::at_most(10.0, 25.0);

/// Fewer short-lived blocks in the whole run are start-up.
const LEAST_BLOCKS: f64 = 1000.0;

/// A block that lives for less than this share of the instructions of the run is short-lived (DHAT).
const SHORT_LIFE: f64 = 0.001;

/// Functions of C allocators; what they call has their prefix too.
const ALLOCATOR: [&str; 14] = [
    "malloc",
    "free",
    "calloc",
    "realloc",
    "cfree",
    "_int_malloc",
    "_int_free",
    "_int_realloc",
    "malloc_consolidate",
    "unlink_chunk",
    "operator new",
    "operator delete",
    "sysmalloc",
    "_int_free_merge_chunk",
];

/// Short-lived blocks of the whole run and the place that makes most.
struct Short {
    blocks: f64,
    all: f64,
    place: Option<Location>,
    figure: Figure,
}

pub(super) fn churn(inputs: &Inputs<'_>) -> SubCheck {
    let simulated = inputs.passes.simulated.as_ref();
    let short = simulated.and_then(by_dhat).or_else(|| {
        let heap = inputs.passes.heap.as_ref()?;
        by_hook(inputs, heap)
    });
    let Some(short) = short else {
        return unmeasured(NAME, "needs the allocations with their lifetimes: `--tier deep`");
    };
    let costs = Costs::of(inputs);
    let cost = costs.as_ref().map(allocator_share);
    let (tier, told, value, limits, unit) = judged(&short, inputs.heap_size(), cost);
    let place = short.place.clone();
    let at = place.as_ref().map(|place| format!(", most in {}", words(place))).unwrap_or_default();
    SubCheck {
        name: NAME.to_owned(),
        tier,
        because: format!("{told}{at}"),
        figure: Some(Figure {
            value,
            unit: unit.to_owned(),
            limit: Some(limits.limit),
            fail: Some(limits.fail),
            cost,
            location: place.clone(),
            ..short.figure
        }),
        prescription: worse(tier, Tier::Pass).then(|| advice::churn(place.as_ref())),
        location: place.filter(|_| worse(tier, Tier::Pass)),
    }
}

fn judged(short: &Short, size: Option<u64>, cost: Option<f64>) -> (Tier, String, f64, Limits, &'static str) {
    let few = short.blocks < LEAST_BLOCKS;
    let counted = format!("{:.0} of {:.0} allocations are short-lived", short.blocks, short.all);
    if let Some(size) = size.filter(|size| *size > 0) {
        let value = short.blocks / float(size);
        let by_count = PER_ELEMENT.tier(value);
        let by_cost = cost.map_or(by_count, |cost| Limits::at_most(WARN_COST, FAIL_COST).tier(cost));
        let tier = if few { Tier::Pass } else { milder(by_count, by_cost) };
        return (
            tier,
            format!("{counted}, {value:.1} an element at size {size}"),
            value,
            PER_ELEMENT,
            "an element",
        );
    }
    match cost {
        Some(cost) => {
            let tier = if few { Tier::Pass } else { OF_COST.tier(cost * 100.0) };
            let told = format!("{counted}; the allocator takes {:.1} % of the cost", cost * 100.0);
            (tier, told, cost * 100.0, OF_COST, "% of cost")
        }
        // Without size and cost a count alone can only acquit.
        None => {
            let tier = if few { Tier::Pass } else { Tier::NotMeasured };
            let told = if few {
                counted
            } else {
                format!("{counted}, and neither their cost nor the size of the input is known")
            };
            (tier, told, short.blocks, Limits::at_most(LEAST_BLOCKS, f64::MAX), "blocks")
        }
    }
}

fn by_dhat(simulated: &Simulated) -> Option<Short> {
    let heap = simulated.heap.as_ref()?;
    let all = float(heap.blocks?);
    let short = |site: &&HeapSite| site.lifetime.is_some_and(|lifetime| lifetime < SHORT_LIFE);
    let blocks = heap.sites.iter().filter(short).filter_map(|site| site.blocks).map(float).sum();
    let worst = heap.sites.iter().filter(short).max_by_key(|site| (site.blocks, site.project));
    Some(Short {
        blocks,
        all,
        place: worst.map(heap_place),
        figure: figure(simulated, &["dhat"], NAME, blocks, "blocks"),
    })
}

fn heap_place(site: &HeapSite) -> Location {
    Location {
        function: site.function.clone(),
        file: site.file.clone(),
        line: site.line,
        module: None,
        project: site.project,
    }
}

fn by_hook(inputs: &Inputs<'_>, heap: &Heap) -> Option<Short> {
    let totals = heap.totals.as_ref()?;
    let short = |site: &Site| {
        let within = site.lifetimes.map_or(0.0, |lifetimes| lifetimes.within_100_micros.0);
        float(site.allocations.value) * within
    };
    let blocks = heap.sites.iter().map(short).fold(0.0, |a, b| a + b);
    let worst = heap.sites.iter().max_by(|a, b| short(a).total_cmp(&short(b)));
    let samples = heap.sites.iter().map(|site| site.samples.0).sum::<u64>();
    Some(Short {
        blocks,
        all: totals.allocations.as_f64(),
        place: worst.filter(|site| short(site) > 0.0).and_then(|site| site_place(heap, site)),
        figure: Figure {
            name: NAME.to_owned(),
            value: blocks,
            low: None,
            high: None,
            unit: "blocks".to_owned(),
            limit: None,
            fail: None,
            better: Better::Lower,
            size: inputs.heap_size(),
            n: u32::try_from(samples).ok(),
            cost: None,
            location: None,
            artifact: HEAP.to_owned(),
            source: "allocator hook; lifetimes from samples".to_owned(),
            command: Some(format!("slowpath -- {}", inputs.command())),
        },
    })
}

/// The innermost frame of the user's own code that allocates, else the innermost frame with a name.
fn site_place(heap: &Heap, site: &Site) -> Option<Location> {
    let frames = || heap.frames_of(site.stack.unwrap_or(u32::MAX));
    let frame = frames()
        .find(|frame| frame.owner == Owner::Project && frame.function.is_some())
        .or_else(|| frames().find(|frame| frame.function.is_some()))?;
    Some(Location {
        function: frame.function.clone()?,
        file: frame.file.clone(),
        line: frame.line,
        module: None,
        project: frame.owner == Owner::Project,
    })
}

/// The allocator's share of the cost.
fn allocator_share(costs: &Costs<'_>) -> f64 {
    let is_allocator = |name: &str| {
        let bare = name.trim_start_matches('_');
        ALLOCATOR
            .iter()
            .any(|known| name == *known || bare == *known || name.starts_with(&format!("{known}(")))
            || name.starts_with("operator new")
            || name.starts_with("operator delete")
    };
    let own = costs.simulated.functions.iter().filter(|function| is_allocator(&function.name));
    own.map(|function| cycles(&function.own)).fold(0.0, |a, b| a + b) / costs.total
}

/// Who holds most memory at its peak, and what to do about it.
pub(super) fn largest(inputs: &Inputs<'_>) -> (Option<Location>, String) {
    let simulated = inputs.passes.simulated.as_ref().and_then(|simulated| simulated.heap.as_ref());
    let at_peak = simulated
        .and_then(|heap| heap.at_peak.iter().max_by_key(|site| (site.bytes, site.project)))
        .map(heap_place);
    let place = at_peak.or_else(|| {
        let heap = inputs.passes.heap.as_ref()?;
        let site = heap.sites.iter().max_by_key(|site| site.at_peak.value)?;
        site_place(heap, site)
    });
    let advice = advice::memory(place.as_ref());
    (place, advice)
}
