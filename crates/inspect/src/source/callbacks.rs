//! Functions that a library call runs once for each element of something.

use model::source::Language;

use super::File;
use super::calls::Call;
use super::grammar::{is_closure, unwrapped};
use super::kinds::Kind;
use super::tree::At;

impl File<'_> {
    /// Whether a closure is called once for each element of something.
    pub(super) fn is_callback(&self, closure: At) -> bool {
        is_closure(self.tree.kind(closure)) && self.driver(closure).is_some()
    }

    /// The call that runs a closure for each element.
    pub(super) fn driver(&self, closure: At) -> Option<Call<'_>> {
        let list = self.tree.parent(closure)?;
        let list = if self.tree.kind(list) == "keyword_argument" { self.tree.parent(list)? } else { list };
        let call = self.call(self.tree.parent(list)?)?;
        let runs = match self.tree.language {
            Language::JavaScript | Language::TypeScript => {
                call.receiver.is_some() && is_script_driver(call.name)
            }
            Language::Python => {
                is_python_driver(&call.path) || call.name == "sort" && call.receiver.is_some()
            }
            Language::Go => matches!(
                call.tail(),
                "sort.Slice"
                    | "sort.Search"
                    | "slices.SortFunc"
                    | "slices.IndexFunc"
                    | "slices.ContainsFunc"
                    | "sort.SliceStable"
            ),
            Language::C | Language::Cpp => call.receiver.is_none() && is_native_driver(call.name),
            Language::Java => is_java_driver(call.name) && self.goes_through(call.receiver),
            Language::Rust => {
                is_rust_driver(call.name) && (is_of_many(call.name) || self.goes_through(call.receiver))
            }
        };
        runs.then_some(call)
    }

    /// Whether a chain of calls begins with something that has many elements. An `Option` has `map` too.
    fn goes_through(&self, receiver: Option<At>) -> bool {
        let mut at = receiver;
        // A chain of more than sixty calls is nobody's.
        for _ in 0..60 {
            let Some(here) = at.map(|at| unwrapped(&self.tree, at)) else { return false };
            if self.tree.kind(here) == "range_expression" {
                return true;
            }
            let Some(call) = self.call(here) else {
                let kind = self.kind_of(here);
                return matches!(kind, Kind::List | Kind::LinkedList | Kind::Deque | Kind::Set | Kind::Map);
            };
            if is_source(call.name)
                || matches!(
                    call.tail(),
                    "IntStream.range"
                        | "Arrays.stream"
                        | "Stream.of"
                        | "IntStream.rangeClosed"
                        | "Files.lines"
                )
            {
                return true;
            }
            at = call.receiver;
        }
        false
    }
}

fn is_script_driver(name: &str) -> bool {
    matches!(
        name,
        "map"
            | "forEach"
            | "filter"
            | "reduce"
            | "reduceRight"
            | "some"
            | "every"
            | "find"
            | "findIndex"
            | "findLast"
            | "flatMap"
            | "sort"
            | "toSorted"
    )
}

fn is_python_driver(path: &str) -> bool {
    matches!(
        path,
        "map"
            | "filter"
            | "sorted"
            | "max"
            | "min"
            | "functools.reduce"
            | "itertools.takewhile"
            | "itertools.dropwhile"
            | "itertools.groupby"
            | "itertools.filterfalse"
    )
}

fn is_native_driver(name: &str) -> bool {
    matches!(
        name,
        "for_each"
            | "transform"
            | "find_if"
            | "any_of"
            | "all_of"
            | "none_of"
            | "count_if"
            | "sort"
            | "stable_sort"
            | "remove_if"
            | "accumulate"
            | "copy_if"
            | "partition"
            | "max_element"
            | "min_element"
            | "lower_bound"
            | "upper_bound"
    )
}

fn is_java_driver(name: &str) -> bool {
    matches!(
        name,
        "forEach"
            | "map"
            | "filter"
            | "anyMatch"
            | "allMatch"
            | "noneMatch"
            | "flatMap"
            | "mapToInt"
            | "mapToLong"
            | "mapToDouble"
            | "mapToObj"
            | "reduce"
            | "removeIf"
            | "replaceAll"
            | "sort"
            | "sorted"
            | "peek"
            | "takeWhile"
            | "dropWhile"
    )
}

fn is_rust_driver(name: &str) -> bool {
    matches!(
        name,
        "map"
            | "for_each"
            | "filter"
            | "fold"
            | "any"
            | "all"
            | "find"
            | "position"
            | "flat_map"
            | "filter_map"
            | "retain"
            | "take_while"
            | "skip_while"
            | "max_by_key"
            | "min_by_key"
            | "max_by"
            | "min_by"
            | "sort_by"
            | "sort_by_key"
            | "sort_unstable_by"
            | "sort_unstable_by_key"
            | "find_map"
            | "scan"
            | "try_for_each"
            | "inspect"
            | "partition"
            | "rposition"
            | "map_while"
            | "reduce"
    )
}

/// Only things of many elements have these.
fn is_of_many(name: &str) -> bool {
    name.starts_with("sort_")
        || matches!(
            name,
            "for_each" | "fold" | "retain" | "flat_map" | "filter_map" | "position" | "take_while"
        )
}

/// Calls that begin a walk over many elements.
fn is_source(name: &str) -> bool {
    matches!(
        name,
        "iter"
            | "iter_mut"
            | "into_iter"
            | "chars"
            | "char_indices"
            | "bytes"
            | "lines"
            | "split"
            | "split_whitespace"
            | "keys"
            | "values"
            | "values_mut"
            | "drain"
            | "windows"
            | "chunks"
            | "chunks_exact"
            | "enumerate"
            | "zip"
            | "stream"
            | "parallelStream"
            | "par_iter"
            | "splitn"
            | "matches"
            | "entrySet"
            | "keySet"
            | "into_par_iter"
    )
}
