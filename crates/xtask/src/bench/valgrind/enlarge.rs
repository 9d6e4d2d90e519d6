//! A captured file repeated until it is large enough, as one part in which every copy has files of its own.

/// Numbers of names in one copy are below this.
const STEP: u64 = 1_000_000;

/// Copies the body of a callgrind or cachegrind file, with other file names and numbers, and multiplies its sums.
pub(super) fn enlarge(bytes: &[u8], size: u64) -> Vec<u8> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let is_head = |line: &[u8]| !line.starts_with(b"ob=") && !line.starts_with(b"fl=");
    let head = lines.iter().take_while(|line| is_head(line)).count();
    let is_end = |line: &[u8]| line.starts_with(b"totals:") || line.starts_with(b"summary:");
    let (head, body) = lines.split_at_checked(head).unwrap_or_default();
    let body: Vec<&[u8]> = body.iter().copied().filter(|line| !is_end(line)).collect();
    let length: usize = body.iter().map(|line| line.len()).sum();
    let copies = size / (length.max(1) as u64) + 1;
    let mut out = Vec::new();
    for line in head {
        out.extend(if is_end(line) { times(line, copies) } else { line.to_vec() });
    }
    for copy in 0..copies {
        for line in &body {
            out.extend(renamed(line, copy));
        }
    }
    for line in lines.iter().skip(head.len()).filter(|line| is_end(line)) {
        out.extend(times(line, copies));
    }
    out
}

/// `KEY=(7) name` becomes `KEY=(1000007) name`; names of files get the copy's number.
fn renamed(line: &[u8], copy: u64) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    let Some((key, value)) =
        text.trim_end().split_once('=').filter(|(key, _)| !["calls", "jump", "jcnd"].contains(key))
    else {
        return line.to_vec();
    };
    let is_file = ["fl", "fi", "fe", "cfi", "cfl", "jfi"].contains(&key);
    let short = value.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let short = short.and_then(|(number, name)| Some((number.parse::<u64>().ok()?, name)));
    let (number, name) = match short {
        Some((number, name)) => (format!("({})", number + copy * STEP), name),
        None => (String::new(), value),
    };
    let mark = if is_file && !name.is_empty() { format!("~{copy}") } else { String::new() };
    format!("{key}={number}{name}{mark}\n").into_bytes()
}

fn times(line: &[u8], copies: u64) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    let words = text.split_whitespace().map(|word| match word.parse::<u64>() {
        Ok(number) => (number * copies).to_string(),
        Err(_) => word.to_owned(),
    });
    (words.collect::<Vec<_>>().join(" ") + "\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::valgrind::{cachegrind, callgrind};

    #[test]
    fn copies_have_their_own_functions_and_add_up() {
        let text = "version: 1\nevents: Ir\nsummary: 5\n\nfl=(1) a.c\nfn=(1) f\n1 2\ncfi=(2) b.c\ncfn=(2) g\ncalls=1 1\n1 3\n\nfl=(2)\nfn=(2)\n1 3\n\ntotals: 5\n";
        let large = enlarge(text.as_bytes(), 1000);
        let read = callgrind::parse(&large).unwrap();
        let copies = read.totals[0] / 5;
        assert!(copies > 3 && read.functions.len() as u64 == 2 * copies);
    }

    #[test]
    fn cachegrind_has_no_numbers_for_names() {
        let text = "cmd: a\nevents: Ir\nfl=a.c\nfn=f(int)\n1 2\nsummary: 2\n";
        let large = enlarge(text.as_bytes(), 500);
        let read = cachegrind::parse(&large).unwrap();
        assert_eq!(read.instructions.0, 2 * read.functions.len() as u64);
    }
}
