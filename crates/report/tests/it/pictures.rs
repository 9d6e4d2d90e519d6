//! Flame graphs and timelines: what a browser is given.

use report::flame::{Direction, Flame, Kind, svg, timeline};

use crate::expected;
use crate::hostile::{ACTIVE, NASTY};
use crate::wire::recordings::{changed, clockless, empty, hostile, random, recording};

/// Whether every tag is closed and every attribute quoted: enough to know that no name has left its place.
fn is_well_formed(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        if before.contains(['\u{0}', '>']) && !before.trim_start().is_empty() && open.last() != Some(&"style")
        {
            return false;
        }
        if let Some(script) = after.strip_prefix("![CDATA[") {
            rest = script.split_once("]]>").expect("an end of the script").1;
            continue;
        }
        let Some((tag, next)) = after.split_once('>') else { return false };
        rest = next;
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else {
            if tag.matches('"').count() % 2 != 0 || tag.contains('<') {
                return false;
            }
            if !tag.ends_with('/') {
                open.push(tag.split([' ', '\n']).next().unwrap());
            }
        }
    }
    open.is_empty()
}

fn views() -> Vec<Flame<'static>> {
    let mut views = Vec::new();
    for kind in [Kind::OnCpu, Kind::OffCpu, Kind::Wall] {
        for direction in [Direction::Callees, Direction::Callers] {
            views.push(Flame { kind, direction, ..Flame::default() });
        }
    }
    views
}

#[test]
fn pictures_as_expected() {
    let recording = recording();
    expected::check("flame-on.svg.txt", &svg(&recording, &Flame::default()));
    let callers = Flame { kind: Kind::Wall, direction: Direction::Callers, ..Flame::default() };
    expected::check("flame-wall-callers.svg.txt", &svg(&recording, &callers));
    let before = Flame { before: Some(&recording), title: Some("after the change"), ..Flame::default() };
    expected::check("flame-diff.svg.txt", &svg(&changed(), &before));
    expected::check("timeline.svg.txt", &timeline(&recording));
}

#[test]
fn every_picture_is_well_formed_and_the_same_each_time() {
    for recording in [recording(), clockless(), empty(), hostile(NASTY), random(3_000)] {
        for view in views() {
            let text = svg(&recording, &view);
            assert!(is_well_formed(&text), "{text}");
            assert_eq!(text, svg(&recording, &view));
            let before = Flame { before: Some(&recording), ..view };
            assert!(is_well_formed(&svg(&recording, &before)));
        }
        assert!(is_well_formed(&timeline(&recording)));
    }
}

#[test]
fn a_hostile_name_is_text() {
    let script = "</title></g><script>alert(1)</script>]]><g onload='x'>\"";
    for name in [NASTY, script] {
        let nasty = hostile(name);
        let before = Flame { before: Some(&nasty), title: Some(name), ..Flame::default() };
        for text in [svg(&nasty, &before), svg(&nasty, &Flame::default()), timeline(&nasty)] {
            assert!(!text.contains(ACTIVE) && !text.contains("<img") && !text.contains("onload='"), "{text}");
            assert!(text.matches("<script>").count() <= 1);
            assert!(is_well_formed(&text), "{text}");
        }
    }
}

#[test]
fn widths_are_the_weights() {
    let text = svg(&recording(), &Flame::default());
    // 1,200 ms in all; the root is as wide as all of it.
    assert!(text.contains("data-a=\"0\" data-w=\"1200000000\" data-d=\"0\""), "{text}");
    let off = svg(&recording(), &Flame { kind: Kind::OffCpu, ..Flame::default() });
    assert!(off.contains("data-w=\"600000000\" data-d=\"0\""), "{off}");
    for word in
        ["blocked/lock", "runnable/woken", "blocked/disk-read", "blocked/network", "runnable/preempted"]
    {
        assert!(off.contains(word), "{word}");
    }
}

#[test]
fn what_is_too_narrow_is_counted_not_drawn() {
    let recording = random(100_000);
    let text = svg(&recording, &Flame::default());
    assert!(text.contains("narrower than 0.1 px left out"), "the count is said");
    let frames = text.matches("<rect ").count();
    assert!((1_000..60_000).contains(&frames), "{frames} frames");
}

#[test]
fn a_deep_recursion_is_drawn_to_where_a_browser_can_show_it() {
    let mut deep = clockless();
    let last = (0..50_000).fold(0, |parent, _| {
        deep.nodes.push(model::recording::Node { parent: Some(parent), frame: 1 });
        deep.nodes.len() as u32 - 1
    });
    deep.hits[0].stack = Some(last);
    for view in views() {
        assert!(is_well_formed(&svg(&deep, &view)));
    }
    assert!(svg(&deep, &Flame::default()).contains("deeper than the picture"));
}
