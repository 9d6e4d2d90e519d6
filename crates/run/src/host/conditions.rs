//! What a run began under: nothing its numbers are compared by, and part of how they read.

use model::manifest::Conditions;

use super::root::Root;
use super::text;

/// Read now.
#[must_use]
pub fn conditions() -> Conditions {
    read(&Root::default())
}

fn read(root: &Root) -> Conditions {
    let word = |path: &str| root.read(path).as_deref().and_then(text::line).map(str::to_owned);
    let average = |text: String| text.split_ascii_whitespace().next()?.parse().ok();
    Conditions {
        perf_paranoid: word("proc/sys/kernel/perf_event_paranoid").and_then(|text| text.parse().ok()),
        load_avg_1m: word("proc/loadavg").and_then(average).filter(|load: &f64| load.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::root::made;
    use super::*;

    #[test]
    fn what_is_not_there_or_cut_is_unknown() {
        for (paranoid, load, wanted) in [
            ("-1\n", "0.25 1.00 2.00 1/90 4\n", (Some(-1), Some(0.25))),
            ("4\n", "12.5 1.00", (Some(4), None)),
            ("2", "\n", (None, None)),
            ("high\n", "nan 1 1 1/1 1\n", (None, None)),
        ] {
            let (_folder, root) =
                made::tree(&[("proc/sys/kernel/perf_event_paranoid", paranoid), ("proc/loadavg", load)]);
            let found = read(&root);
            assert_eq!((found.perf_paranoid, found.load_avg_1m), wanted, "{paranoid:?} {load:?}");
        }
        let (_folder, root) = made::tree(&[]);
        assert_eq!(read(&root), Conditions::default());
    }
}
