//! Logs of garbage collectors: the JVM's `-Xlog:gc` and Go's `GODEBUG=gctrace=1`.
//!
//! Lines of other kinds are passed over: Go writes among the program's own, the JVM among its other messages.

use model::Nanos;
use model::runtime::Collector;

/// Reads a log of the JVM. `None` when no line of it is the collector's.
#[must_use]
pub fn jvm(bytes: &[u8]) -> Option<Collector> {
    let mut sum = Collector::default();
    let mut seen = false;
    let mut last_after: Option<u64> = None;
    let mut begun: Option<Nanos> = None;
    for line in String::from_utf8_lossy(bytes).lines() {
        // `[0.123s][info][gc] Using G1` says that it is on.
        seen |= line.contains("] Using ") || line.contains("GC(");
        let Some((_, pause)) = line.split_once("GC(").and_then(|(_, rest)| rest.split_once(") Pause "))
        else {
            continue;
        };
        let Some(taken) = pause.trim_end().strip_suffix("ms").and_then(last_number) else { continue };
        let taken = Nanos::from_secs_f64(taken / 1e3).unwrap_or(Nanos::ZERO);
        let (allocated, after) = heap(pause, last_after);
        last_after = after.or(last_after);
        // A young generation's pause leaves old garbage as it is.
        let kept = after.filter(|_| pause.starts_with("Full") || pause.starts_with("Remark"));
        // A pause is told when it is over.
        let ended = uptime(line);
        begun = begun.or(ended.map(|ended| ended.minus(taken).unwrap_or(Nanos::ZERO)));
        let span = ended.zip(begun).and_then(|(ended, begun)| ended.minus(begun));
        sum = sum.and(Collector {
            collections: 1,
            taken,
            longest: taken,
            beside: false,
            allocated,
            kept,
            span,
        });
    }
    seen.then_some(sum)
}

/// Since the JVM began: of `[0.129s][info][gc] …`. `None` where lines are decorated in another way.
fn uptime(line: &str) -> Option<Nanos> {
    let (decoration, _) = line.strip_prefix('[')?.split_once(']')?;
    let seconds = decoration.strip_suffix('s')?.parse().ok().filter(|since: &f64| since.is_finite())?;
    Nanos::from_secs_f64(seconds)
}

/// What was allocated since the last pause, and what is left after this one: of `…) 23M->2M(256M) 1.2ms`.
fn heap(pause: &str, last_after: Option<u64>) -> (Option<u64>, Option<u64>) {
    let Some((before, after)) = pause.split_once("->") else { return (None, None) };
    let before = before.rsplit(' ').next().and_then(bytes_of);
    let after = after.split('(').next().and_then(bytes_of);
    let allocated = before.zip(last_after).map(|(before, last)| before.saturating_sub(last));
    (allocated, after)
}

fn bytes_of(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..)? {
        "B" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1_u64 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn last_number(text: &str) -> Option<f64> {
    text.trim_end()
        .rsplit(' ')
        .next()?
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// Reads what Go writes. `None` when nothing shows that it was listening: a program that never collects says at least how long
/// its packages took to begin, when it is asked for that too (`inittrace=1`).
#[must_use]
pub fn go(bytes: &[u8]) -> Option<Collector> {
    let mut sum: Option<Collector> = None;
    let mut last_after: Option<u64> = None;
    for line in String::from_utf8_lossy(bytes).lines() {
        if line.starts_with("init ") && line.contains(" @") {
            sum = sum.or(Some(Collector { beside: true, ..Collector::default() }));
        }
        let Some(row) = go_row(line, &mut last_after) else { continue };
        sum = Some(sum.unwrap_or_default().and(row));
    }
    sum
}

/// `gc 3 @0.012s 2%: 0.018+1.2+0.003 ms clock, 0.036+0.5/1.1/0+0.007 ms cpu, 4->4->0 MB, 4 MB goal, … 2 P`.
fn go_row(line: &str, last_after: &mut Option<u64>) -> Option<Collector> {
    let rest = line.strip_prefix("gc ")?;
    let (head, rest) = rest.split_once(": ")?;
    head.contains('@').then_some(())?;
    let mut parts = rest.split(", ");
    let clock = parts.next()?.strip_suffix(" ms clock")?;
    let cpu = parts.next()?.strip_suffix(" ms cpu")?;
    let numbers = |text: &str| -> Option<Vec<f64>> {
        text.split(['+', '/']).map(|number| number.parse::<f64>().ok().filter(|n| *n >= 0.0)).collect()
    };
    let clock = numbers(clock)?;
    let cpu: f64 = numbers(cpu)?.iter().sum();
    let stopped = clock.first()? + clock.last()?;
    let (begin, end) = parts.next()?.strip_suffix(" MB")?.split_once("->").and_then(|(begin, rest)| {
        Some((begin.parse::<u64>().ok()?, rest.rsplit("->").next()?.parse::<u64>().ok()?))
    })?;
    let allocated = last_after.map(|last| begin.saturating_sub(last).saturating_mul(1 << 20));
    *last_after = Some(end);
    let nanos = |millis: f64| Nanos::from_secs_f64(millis / 1e3).unwrap_or(Nanos::ZERO);
    let kept = end.checked_mul(1 << 20);
    Some(Collector {
        collections: 1,
        taken: nanos(cpu),
        longest: nanos(stopped),
        beside: true,
        allocated,
        kept,
        span: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Captured from OpenJDK 17 and go 1.19.
    const JVM: &str = "[0.004s][info][gc] Using G1\n\
        [0.129s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->2M(376M) 1.902ms\n\
        [0.140s][info][gc] GC(1) Concurrent Mark Cycle 3.1ms\n\
        [0.150s][info][gc] GC(1) Pause Remark 24M->19M(376M) 0.000ms\n\
        [0.163s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 226M->3M(376M) 0.700ms\n";
    const GO: &str = "a line of the program\n\
        gc 1 @0.002s 3%: 0.031+0.45+0.004 ms clock, 0.063+0.10/0.25/0.030+0.009 ms cpu, 4->4->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P\n\
        gc 2 @0.005s 4%: 0.020+0.30+0.003 ms clock, 0.040+0.10/0.20/0.010+0.006 ms cpu, 4->5->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P\n\
        gc forced\n";

    #[test]
    fn pauses_of_the_jvm_are_added_up_and_concurrent_work_is_not() {
        let sum = jvm(JVM.as_bytes()).unwrap();
        assert_eq!((sum.collections, sum.taken.as_nanos(), sum.beside), (3, 2_602_000, false));
        assert_eq!(sum.allocated, Some((24 - 2 + 226 - 19) << 20));
        assert_eq!(sum.kept, Some(19 << 20), "only the whole heap's collections say what is in use");
        assert_eq!(sum.span.map(|span| span.as_nanos()), Some(163_000_000 - 127_098_000));
        assert_eq!(jvm(b"[0.004s][info][gc] Using Serial\n").unwrap().collections, 0);
        assert_eq!(jvm(b"nothing of the kind"), None);
    }

    #[test]
    fn collections_of_go_are_its_cpu_time() {
        let sum = go(GO.as_bytes()).unwrap();
        assert_eq!((sum.collections, sum.beside), (2, true));
        assert_eq!(sum.taken.as_nanos(), 452_000 + 356_000);
        assert_eq!(sum.longest.as_nanos(), 35_000);
        assert_eq!((sum.allocated, sum.kept), (Some(4 << 20), Some(1 << 20)));
        assert_eq!(go(b"gc 1 @x: y"), None);
        let quiet = go(b"init internal/bytealg @0.005 ms, 0 ms clock, 0 bytes, 0 allocs\n").unwrap();
        assert_eq!((quiet.collections, quiet.beside), (0, true));
    }

    #[test]
    fn no_cut_breaks_a_reader() {
        for text in [JVM, GO] {
            for end in 0..text.len() {
                let _ = (jvm(&text.as_bytes()[..end]), go(&text.as_bytes()[..end]));
            }
        }
    }
}
