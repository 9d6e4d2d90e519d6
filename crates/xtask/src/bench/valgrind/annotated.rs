//! What valgrind's viewers print, as far as it is compared.

use serde_json::{Map, Value, json};

/// The totals, and the first event of each function by its name, from `callgrind_annotate` or `cg_annotate`. Functions that are
/// recursions of others are left out: the viewer adds up calls within calls there. `None` when there are no totals.
pub(super) fn totals(text: &str) -> Option<Value> {
    let line = text.lines().find(|line| line.contains("PROGRAM TOTALS"))?;
    let totals: Vec<u64> = line.split_whitespace().map_while(number).collect();
    let mut inclusive: Map<String, Value> = Map::new();
    let mut recursive: Vec<String> = Vec::new();
    let rows = text.lines().filter_map(|line| row(line, totals.len()));
    for (cost, name) in rows {
        if let Some((base, _)) = name.rsplit_once('\'') {
            recursive.push(base.to_owned());
        } else if inclusive.insert(name.to_owned(), json!(cost)).is_some() {
            // Two functions of that name in two libraries.
            recursive.push(name.to_owned());
        }
    }
    for name in recursive {
        inclusive.remove(&name);
    }
    Some(json!({"totals": totals, "inclusive": inclusive}))
}

/// `1,234 5 . file:function [object]`.
fn row(line: &str, events: usize) -> Option<(u64, &str)> {
    let mut rest = line.trim_start();
    let mut first = None;
    for _ in 0..events {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        let value = if word == "." { 0 } else { number(word)? };
        first = first.or(Some(value));
        rest = after.trim_start();
    }
    let name = rest.rsplit_once(" [").map_or(rest, |(name, _)| name);
    (name.contains(':')).then_some((first?, name.trim_end()))
}

/// Snapshots and the sum of their sizes, from `ms_print`.
pub(super) fn heap(text: &str) -> Option<Value> {
    let rows = text.lines().filter_map(|line| {
        let numbers = line.split_whitespace().map(number).collect::<Option<Vec<u64>>>()?;
        (numbers.len() == 6).then(|| numbers.get(2).copied())?
    });
    let (count, sum) = rows.fold((0_u64, 0_u64), |(count, sum), whole| (count + 1, sum + whole));
    (count > 0).then(|| json!({"totals": [count, sum]}))
}

fn number(word: &str) -> Option<u64> {
    word.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_and_functions_are_taken_from_the_text() {
        let text = "Ir Dr\n----\n1,200 30  PROGRAM TOTALS\n\nIr Dr file:function\n1,000 . a.c:f(int) [/bin/a]\n  200 30 b.c:g\n9 9 b.c:g'2 [x]\n";
        let said = totals(text).unwrap();
        assert_eq!(said, json!({"totals": [1200, 30], "inclusive": {"a.c:f(int)": 1000}}));
        assert_eq!(totals("nothing"), None);
    }

    #[test]
    fn rows_of_snapshots_are_told_from_the_graph() {
        let text =
            "  n  time(i)  total(B)\n  0  0  0  0  0  0\n 1 1,000 2,016 2,000 16 0\n->99.00% (2,000B)\n";
        assert_eq!(heap(text), Some(json!({"totals": [2, 2016]})));
    }
}
