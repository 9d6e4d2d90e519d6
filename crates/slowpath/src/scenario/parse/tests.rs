//! Whatever the file holds, it is read or refused with a line.

use super::*;

const FULL: &str = include_str!("../../../../../examples/slowpath.toml");

fn fault(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn the_example_is_read_in_its_order() {
    let parsed = parse(FULL.as_bytes()).unwrap();
    assert!(parsed.scenarios.len() >= 2);
    let first = parsed.scenarios.first().unwrap();
    assert!(!first.budgets.is_empty() && !first.asked.hypotheses.is_empty(), "{first:?}");
    let at = |scenario: &Scenario| FULL.find(&format!("[scenario.{}]", scenario.name())).unwrap();
    assert!(parsed.scenarios.iter().map(at).is_sorted());
}

#[test]
fn every_key_of_a_scenario_stands_in_the_example() {
    for key in keys::all() {
        assert!(FULL.contains(key), "`{key}` is not shown");
    }
}

#[test]
fn values_are_those_of_the_command_line() {
    let text = "build = 'make'\n[scenario.'a b']\ncommand = ['./x', '{SIZE}']\nshell = true\ncold = false\n\
                timeout = '2s'\nruns = 7\nsizes = [1000, 2_000, 0x1000]\nsize = '64k'\nenv = { A = 'b=c' }\n\
                margin = '5%'\nwork = 1e3\n[scenario.'a b'.budgets]\nrss = '64MiB'\nwall = '200ms'\ninstructions = '1.5M'\n";
    let parsed = parse(text.as_bytes()).unwrap();
    let scenario = parsed.scenarios.first().unwrap();
    assert_eq!(parsed.build.as_deref(), Some("make"));
    assert_eq!(scenario.name(), "a b");
    assert_eq!(scenario.option("shell"), Some(""));
    assert_eq!(scenario.option("cold"), None);
    assert_eq!(scenario.option("sizes"), Some("1000,2000,4096"));
    assert_eq!(
        (scenario.size, scenario.margin, scenario.asked.work),
        (Some(64_000), Some(0.05), Some(1000.0))
    );
    assert_eq!(scenario.env, [("A".to_owned(), "b=c".to_owned())]);
    let limits: Vec<(Metric, f64)> = scenario.budgets.iter().map(|one| (one.metric, one.limit)).collect();
    assert_eq!(
        limits,
        [(Metric::Wall, 0.2), (Metric::Rss, 67_108_864.0), (Metric::Instructions, 1_500_000.0)]
    );
}

#[test]
fn a_fault_has_its_line_and_the_nearest_key() {
    for (text, wanted) in [
        (
            "\n[scenario.x]\ncomand = 'a'\n",
            "line 3: unknown key `comand` in scenario `x`; did you mean `command`?",
        ),
        ("[scenarios.x]\n", "line 1: unknown key `scenarios` in the file; did you mean `scenario`?"),
        ("[scenario.x]\nruns = 3\n", "line 1: scenario `x` has no `command`"),
        ("[scenario.x]\ncommand = 'a'\nruns = 0\n", "line 3: `runs`: it is a whole number from 1 on"),
        ("[scenario.x]\ncommand = 'a'\nruns = 'many'\n", "line 3: `runs` is a whole number"),
        ("[scenario.x]\ncommand = 3\n", "line 2: `command` is a text, or its words in brackets"),
        ("[scenario.x]\ncommand = []\n", "line 2: `command` is a text, or its words in brackets"),
        ("[scenario.x]\ncommand = 'a'\ntimeout = 'soon'\n", "line 3: `timeout`: a time is a number"),
        (
            "[scenario.x]\ncommand = 'a'\n[scenario.x.budgets]\nwal = '1s'\n",
            "line 4: unknown key `wal` in `budgets`",
        ),
        (
            "[scenario.x]\ncommand = 'a'\n[scenario.x.budgets]\nwall = '1 parsec'\n",
            "line 4: `wall` is a time",
        ),
        (
            "[scenario.x]\ncommand = 'a'\n[[scenario.x.hypotheses]]\nid = 'h'\nclaim = 'c'\nmetric = 'm'\n",
            "refute",
        ),
        (
            "[scenario.x]\ncommand = 'a'\n[[scenario.x.hypotheses]]\nid = 'h'\nclaim = 'c'\nmetric = 'm'\nrefuted-below = 1\n[[scenario.x.hypotheses]]\nid = 'h'\nclaim = 'd'\nmetric = 'm'\nrefuted-above = 1\n",
            "two hypotheses are called `h`",
        ),
        (
            "[scenario.x]\ncommand = 'a'\n[[scenario.x.hypotheses]]\nid = 'swap'\nclaim = 'c'\nmetric = 'm'\nrefuted-below = 1\n",
            "`swap` is the id of a cause",
        ),
        ("[scenario.x]\ncommand = 'a'\nstdin = 'capture'\n", "line 3: `stdin`"),
        ("[scenario.x]\ncommand = 'a'\nexpected = 'fast'\n", "line 3: `expected`: classes are"),
        ("[scenario.--json]\ncommand = 'a'\n", "line 1:"),
        ("[scenario.x\n", "line 1:"),
        ("a = 1\na = 2\n", "line 2:"),
    ] {
        let told = fault(text);
        assert!(told.contains(wanted), "{text:?}: {told}");
    }
    assert_eq!(parse(b"build = 'x'\n\xff").unwrap_err().to_string(), "line 2: this is not UTF-8 text");
}

#[test]
fn an_empty_file_has_no_scenarios() {
    assert_eq!(parse(b"").unwrap(), Parsed { build: None, scenarios: Vec::new() });
}

#[test]
fn no_cut_and_no_changed_byte_panics() {
    let bytes = FULL.as_bytes();
    for end in 0..bytes.len() {
        let _ = parse(&bytes[..end]);
    }
    for at in 0..bytes.len() {
        for byte in [0, b'[', b'"', b'=', 0xff, b'\n', b'9'] {
            let mut changed = bytes.to_vec();
            changed[at] = byte;
            let _ = parse(&changed);
        }
    }
    let _ = parse("[".repeat(100_000).as_bytes());
    let _ = parse(format!("a = {}", "[".repeat(100_000)).as_bytes());
}
