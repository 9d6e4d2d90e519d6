//! Both forms, with what a machine without a PMU cannot show.

use super::*;

fn event(written: &str, pmu: Option<&str>, name: &str, modifiers: &str) {
    let event = Event::of(written);
    assert_eq!((event.pmu.as_deref(), event.name.as_str(), event.modifiers.as_str()), (pmu, name, modifiers));
    assert_eq!(event.written, written);
}

#[test]
fn names_are_taken_apart() {
    event("cycles", None, "cycles", "");
    event("instructions:u", None, "instructions", "u");
    event("cycles:uppp", None, "cycles", "uppp");
    event("cpu_core/cycles/", Some("cpu_core"), "cycles", "");
    event("cpu_atom/cycles/u", Some("cpu_atom"), "cycles", "u");
    event("cpu/event=0x3c,umask=0x1/:u", Some("cpu"), "event=0x3c,umask=0x1", "u");
    event("sched:sched_switch", None, "sched:sched_switch", "");
    event("r1a8", None, "r1a8", "");
}

#[test]
fn what_was_not_counted_is_unknown_not_zero() {
    let text = "# started on x\n\n<not supported>;;cycles:u;0;100.00;;\n<not counted>;;branches;0;0.00;;\n5;;page-faults;9;100.00;;\n";
    let read = parse(text.as_bytes()).unwrap();
    assert_eq!(read.total("cycles"), None);
    assert_eq!(read.total("branches"), None);
    assert_eq!(read.total("absent"), None);
    assert_eq!(read.counters[0].reading, Reading::NotSupported);
    assert_eq!((read.counters[1].running, read.counters[1].counted_for), (None, None));
    assert_eq!(read.total("page-faults").unwrap().value, 5.0);
}

#[test]
fn cores_of_both_kinds_are_added_and_shares_kept() {
    let text = "100;;cpu_core/cycles/u;7;80.00;;\n<not counted>;;cpu_atom/cycles/u;0;0.00;;\n";
    let read = parse(text.as_bytes()).unwrap();
    let wanted = Sum { value: 100.0, running: Some(Ratio(0.8)), partial: true };
    assert_eq!(read.total("cycles"), Some(wanted));
    let read = parse(text.replace("<not counted>", "20").replace("0;0.00", "5;50.00").as_bytes()).unwrap();
    assert_eq!(read.total("cycles"), Some(Sum { value: 120.0, running: Some(Ratio(0.5)), partial: false }));
}

#[test]
fn both_forms_say_the_same() {
    let text = parse(b"2.50;msec;task-clock:u;1.00%;2500000;100.00;0.5;CPUs utilized\n").unwrap();
    let json = parse(b"{\"counter-value\" : \"2.500000\", \"unit\" : \"msec\", \"event\" : \"task-clock:u\", \"variance\" : 1.00, \"event-runtime\" : 2500000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.5, \"metric-unit\" : \"CPUs utilized\"}\n").unwrap();
    assert_eq!(text, json);
    assert_eq!(text.counters[0].reading, Reading::Amount(2.5));
    assert_eq!(text.counters[0].deviation, Some(Ratio(0.01)));
}

#[test]
fn what_a_row_is_of_is_kept() {
    let text = parse_text(b"     0.100180025,CPU1,<not supported>,,cycles,0,100.00,,\n", b',').unwrap();
    assert_eq!(text.counters[0].of.as_deref(), Some("0.100180025 CPU1"));
    let text =
        parse_text(b"     0.100180025,1.11,msec,task-clock,1111375,100.00,0.011,CPUs utilized\n", b',')
            .unwrap();
    assert_eq!(
        (text.counters[0].of.as_deref(), text.counters[0].reading),
        (Some("0.100180025"), Reading::Amount(1.11))
    );
    let json = parse(b"{\"interval\" : 0.5, \"cpu\" : \"1\", \"counter-value\" : \"3.000000\", \"unit\" : \"\", \"event\" : \"cycles\"}\n").unwrap();
    assert_eq!(
        (json.counters[0].of.as_deref(), json.counters[0].reading),
        (Some("0.5 s CPU1"), Reading::Count(3))
    );
}

#[test]
fn a_damaged_file_is_an_error() {
    for text in [
        "",
        "# started\n\n",
        "5;;cycles;9;100.00;;",
        "5;;cycles\n",
        "many;;cycles;9;100.00;;\n",
        "-5;;cycles;9;100.00;;\n",
        "5;;cycles;9;most;;\n",
        "<not known>;;cycles;9;100.00;;\n",
        "99999999999999999999;;cycles;9;100.00;;\n",
        "{\"counter-value\" : \"5\"}\n",
        "{\"counter-value\" : \"x\", \"event\" : \"cycles\"}\n",
        "{\"counter-value\" : 5}\n",
    ] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn the_command_line_asks_for_a_form_that_is_read() {
    let words = invocation(Path::new("perf"), Path::new("/tmp/o"), &["cycles:u", "task-clock"], Form::Text);
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    assert_eq!(words, ["perf", "stat", "-x", ";", "-o", "/tmp/o", "-e", "cycles:u,task-clock", "--"]);
}
