//! The growth of single functions, and which of them the growth of the whole comes from.

use model::Metric;
use model::scale::{Class, Function, FunctionCost, FunctionCosts, Scale};
use stats::Cost;

use super::{COUNT_FLOOR, as_f64, class, estimate, order};

/// A function with less of the instructions at the largest size is left out.
const LEAST_SHARE: f64 = 0.01;

/// The one that is named has at least this share.
const NAMED_SHARE: f64 = 0.1;

/// Adds the growth of functions by their own instructions, the costliest first, and names the one that grows fastest.
pub fn add_functions(scale: &mut Scale, costs: &[FunctionCosts]) {
    let Some(largest) = costs.iter().max_by_key(|costs| costs.size).filter(|costs| costs.total > 0) else {
        return;
    };
    let share = |part: u64| as_f64(part) / as_f64(largest.total);
    let mut all: Vec<Function> = largest
        .functions
        .iter()
        .filter(|function| share(function.own) >= LEAST_SHARE)
        .filter_map(|function| {
            let growth = stats::growth(&series(function, costs), COUNT_FLOOR)?;
            Some(Function {
                name: function.name.clone(),
                file: function.file.clone(),
                line: function.line,
                class: class(growth.best()?.class),
                set: growth.set().into_iter().map(|fit| class(fit.class)).collect(),
                exponent: growth.exponent.map(estimate),
                own: share(function.own),
                inclusive: function.inclusive.map(share),
            })
        })
        .collect();
    all.sort_by(|a, b| b.own.total_cmp(&a.own));
    if let Some(function) = fastest(&all).filter(|_| scale.metric == Metric::Instructions) {
        let percent = function.own * 100.0;
        scale.summary = format!(
            "{}; `{}` grows as {} and has {percent:.0} % of them at the largest size",
            scale.summary,
            function.name,
            function.class.name()
        );
    }
    scale.functions = all;
}

/// Its cost at each size at which it ran.
fn series(function: &FunctionCost, costs: &[FunctionCosts]) -> Vec<Cost> {
    let same = |other: &&FunctionCost| other.name == function.name && other.file == function.file;
    let at = |costs: &FunctionCosts| {
        let own = costs.functions.iter().filter(same).map(|other| other.own).sum::<u64>();
        (own > 0).then(|| Cost { size: as_f64(costs.size), cost: as_f64(own), noise: 0.0 })
    };
    costs.iter().filter_map(at).collect()
}

/// The fastest growing function that matters. `None` when nothing grows.
fn fastest(functions: &[Function]) -> Option<&Function> {
    let power =
        |function: &Function| order(function.class, function.exponent.map_or(0.0, |known| known.value));
    let grows = |function: &&Function| function.own >= NAMED_SHARE && function.class != Class::Constant;
    functions.iter().filter(grows).max_by(|a, b| power(a).total_cmp(&power(b)).then(a.own.total_cmp(&b.own)))
}
