//! Names of functions as a sentence can hold them: templates and parameters of C++ and Rust may take a page.

use std::borrow::Cow;

/// A name up to this long stays as it is.
const LONG: usize = 60;

/// The same function, told by its path alone where the whole name is long: `a::Tree<…>::query`. Machines get the whole.
#[must_use]
pub fn brief(function: &str) -> Cow<'_, str> {
    if function.chars().count() <= LONG {
        return Cow::Borrowed(function);
    }
    let path = without_type(&without_parameters(&method(function)));
    if path.chars().count() <= LONG {
        return Cow::Owned(path);
    }
    // The last parts tell more than where they lie.
    let parts: Vec<&str> = path.split("::").collect();
    let mut kept = parts.last().copied().unwrap_or_default().to_owned();
    for part in parts.iter().rev().skip(1) {
        if kept.chars().count() + part.chars().count() + 5 > LONG {
            return Cow::Owned(format!("…::{kept}"));
        }
        kept = format!("{part}::{kept}");
    }
    Cow::Owned(kept)
}

/// `Map::drop` of Rust's `<library::Map<K> as library::Drop>::drop`.
fn method(name: &str) -> Cow<'_, str> {
    let inner = name.strip_prefix('<').and_then(|rest| rest.split_once(" as "));
    let Some((of, rest)) = inner else { return Cow::Borrowed(name) };
    let mut depth = 0_u32;
    let end = rest.char_indices().find(|(_, letter)| {
        depth += u32::from(*letter == '<');
        let ends = *letter == '>' && depth == 0;
        depth -= u32::from(*letter == '>' && depth > 0);
        ends
    });
    let behind = end.and_then(|(at, _)| rest.get(at + 1..)).unwrap_or_default();
    let of = of.split('<').next().unwrap_or(of);
    Cow::Owned(format!("{}{behind}", of.rsplit("::").next().unwrap_or(of)))
}

/// Brackets closed up, and nothing behind the first list of parameters that ends the name.
fn without_parameters(name: &str) -> String {
    let mut short = String::new();
    let mut depth = 0_u32;
    let mut opened = None;
    let mut letters = name.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let rest = name.get(at..).unwrap_or_default();
        // They name a function or a place, and hold nothing.
        let whole =
            ["operator()", "operator<<", "operator<=", "operator<", "operator->", "operator>>", "operator>"]
                .iter()
                .chain(&["(anonymous namespace)", "{lambda", "->"])
                .chain(&["__vector(2)", "__vector(4)", "__vector(8)", "__vector(16)", "__vector(32)"])
                .find(|whole| depth == 0 && rest.starts_with(**whole));
        if let Some(whole) = whole {
            short.push_str(whole);
            for _ in 1..whole.chars().count() {
                letters.next();
            }
            continue;
        }
        match letter {
            '<' | '(' | '[' => {
                if depth == 0 {
                    short.push(letter);
                    opened = Some(letter);
                }
                depth += 1;
            }
            '>' | ')' | ']' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    short.push('…');
                    short.push(letter);
                    let goes_on = letters.peek().is_some_and(|(_, next)| matches!(next, ':' | '<' | '('));
                    if opened == Some('(') && !goes_on {
                        break;
                    }
                }
            }
            _ if depth == 0 => short.push(letter),
            _ => {}
        }
    }
    short.strip_suffix("(…)").map(str::to_owned).unwrap_or(short)
}

/// What stands before the last space outside of brackets is what it returns.
fn without_type(name: &str) -> String {
    let name = name.split(" [clone").next().unwrap_or(name).trim_end();
    match name.rfind(' ').filter(|at| !name.get(..*at).unwrap_or_default().ends_with("(anonymous")) {
        Some(at) if !name.contains(" as ") => name.get(at + 1..).unwrap_or(name).to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_stays_and_a_long_one_keeps_its_path() {
        let check = |whole: &str, wanted: &str| assert_eq!(brief(whole), wanted, "{whole}");
        check("Planner::steps(int)", "Planner::steps(int)");
        check(
            "bool geos::index::strtree::TemplateSTRtreeImpl<geos::index::chain::MonotoneChain const*, geos::EnvelopeTraits>::query<geos::noding::Visitor&>(geos::geom::Envelope const&, geos::Node const&) [clone .isra.0]",
            "geos::index::strtree::TemplateSTRtreeImpl<…>::query<…>",
        );
        check(
            "Eigen::internal::gebp_kernel<double, double, long, Eigen::internal::blas_data_mapper<double, long, 0, 0, 1>, 4, 4, false, false>::operator()(Eigen::internal::blas_data_mapper<double, long, 0, 0, 1> const&, double const*)",
            "Eigen::internal::gebp_kernel<…>::operator()",
        );
        check(
            "geos::index::chain::MonotoneChain::computeOverlaps(unsigned long, unsigned long, geos::index::chain::MonotoneChain const&) const [clone .localalias]",
            "geos::index::chain::MonotoneChain::computeOverlaps",
        );
        check(
            "<alloc::collections::btree::map::BTreeMap<K,V,A> as core::ops::drop::Drop>::drop_in_place_of_it",
            "BTreeMap::drop_in_place_of_it",
        );
        check(
            "double __vector(2) Eigen::internal::padd<double __vector(2)>(double __vector(2) const&, double __vector(2) const&)",
            "Eigen::internal::padd<…>",
        );
        check(
            "one::two::three::four::five::six::seven::eight::nine::ten::eleven::twelve::thirteen",
            "…::six::seven::eight::nine::ten::eleven::twelve::thirteen",
        );
    }

    #[test]
    fn whatever_it_is_given_it_ends_with_something() {
        let odd = "<(>)[operator<operator()::{lambda ->const  ";
        for from in 0..odd.len() {
            for times in [1, 9] {
                let name = odd.get(from..).unwrap_or_default().repeat(times);
                assert!(brief(&name).len() <= name.len() + 12, "{name}");
            }
        }
    }
}
