//! The page of a run: one file that holds, does and asks nothing but what it should.

use model::answer::{Answer, Finding, Hypothesis, Reason, State, With};
use model::heap::{Estimate, Heap, Site};
use model::manifest::{Artifact, Manifest};
use model::passes::Passes;
use model::profile::Share;
use model::recording::{Hit, Language, Node, Owner, Recording};
use model::{Bytes, Count, Nanos, Sample};
use report::html::{Sheet, Told, html};

use crate::hostile::{self, ACTIVE, NASTY};
use crate::wire::recordings::{MS, changed, clockless, empty, recording};
use crate::{schema, wire};

/// A name that tries to leave its element, its attribute, its string and its script.
pub(crate) const SCRIPT: &str = "</script></title></code><script>window.owned=1</script><img src=x onerror=window.owned=1>\"'--><svg onload=window.owned=1>";

/// Twelve runs and two of warm-up.
pub(crate) fn samples() -> Vec<Sample> {
    let sample = |order: u32| Sample {
        order,
        arm: 0,
        block: (order > 2).then_some(order / 2),
        wall: Nanos::from_nanos(1_200_000_000 + u64::from(order * 7919 % 97) * MS),
        user: Nanos::from_nanos(1_100_000_000 + u64::from(order * 104_729 % 53) * MS),
        ..schema::sample()
    };
    (1..=14).map(sample).collect()
}

fn finding(rank: u32, cause: &str, state: State) -> Finding {
    let reason = |what: &str, id: &str| Reason { what: what.to_owned(), evidence: vec![id.to_owned()] };
    Finding {
        inside: None,
        rank,
        id: format!("{cause}-{rank}"),
        class: "CPU".to_owned(),
        cause: cause.to_owned(),
        state,
        summary: format!("{cause} in `total` (report.py:{rank}1): 38 % of wall time"),
        location: Some(wire::place(
            "total",
            Some("/srv/app/report.py"),
            41,
            Language::Python,
            Owner::Project,
        )),
        share: Share {
            value: 0.38 / f64::from(rank),
            low: 0.33 / f64::from(rank),
            high: 0.44 / f64::from(rank),
        }
        .into(),
        recoverable_s: 0.41 / f64::from(rank),
        at_most: Some(1.0 / (1.0 - 0.44 / f64::from(rank))),
        with: (rank == 2).then_some(With { share: 0.38, at_most: Some(1.6) }),
        because: vec![reason("the line searches a list for each element: `x in seen`", "e1")],
        chain: vec![reason("38 % of wall time is spent here", "e3"), reason("at `if x in seen`", "e9")],
        evidence: vec!["e1".to_owned(), "e4".to_owned()],
        prescription: "keep a `set` beside the list".to_owned(),
        verify: "slowpath compare 'python3 report.py 20000' 'python3 new.py 20000'".to_owned(),
    }
}

/// An answer with all that an answer can have.
pub(crate) fn answer() -> Answer {
    let states = [
        State::Likely,
        State::Confirmed,
        State::Rejected,
        State::Untestable,
        State::Rejected,
        State::Possible,
    ];
    let hypothesis = |(at, state): (usize, State)| Hypothesis {
        id: format!("cause-{}", ["quadratic", "growth", "locks", "cache", "sleep", "copies"][at]),
        class: ["CPU", "CPU", "Lock", "Cache", "I/O", "Memory"][at].to_owned(),
        state,
        because: format!("share of its time: {} %, less than 50 %", at * 7),
        location: None,
        evidence: vec!["e2".to_owned()],
        next: (state == State::Untestable)
            .then(|| "slowpath why --tier cache -- python3 report.py".to_owned()),
    };
    let mut answer = wire::answer_recorded();
    answer.findings =
        vec![finding(1, "algorithmic-growth", State::Confirmed), finding(2, "copy-volume", State::Likely)];
    answer.hypotheses = states.into_iter().enumerate().map(hypothesis).collect();
    answer.scaling = Some(wire::scale());
    answer
}

pub(crate) fn manifest() -> Manifest {
    let artifact = |path: &str| Artifact { path: path.to_owned(), bytes: 8123, sha256: "ab".repeat(32) };
    let artifacts = ["tier1/samples.jsonl", "tier1/account.json.gz"].map(artifact).into();
    Manifest { artifacts, ..schema::manifest() }
}

fn heap() -> Heap {
    let mut heap = Heap::new(Bytes::from_bytes(65_536));
    let recorded = recording();
    (heap.frames, heap.nodes, heap.modules) = (recorded.frames, recorded.nodes, recorded.modules);
    let estimate = |value: u64| Estimate { value, low: value / 2, high: value * 2 };
    let site = |at: u32| Site {
        stack: Some(at),
        samples: Count(10),
        allocations: estimate(100),
        bytes: estimate(1 << (20 - at)),
        freed: estimate(0),
        live_at_end: estimate(0),
        at_peak: estimate(0),
        lifetimes: None,
    };
    heap.sites = (1..8).map(site).collect();
    heap
}

pub(crate) fn passes(recording: Recording) -> Passes {
    let calls = Some(wire::traced::calls(None));
    Passes { recording: Some(recording), heap: Some(heap()), calls, ..Passes::default() }
}

/// The page of an answer with this recording.
pub(crate) fn page(answer: &Answer, recording: Recording, before: Option<&Recording>) -> String {
    let (manifest, samples, passes) = (manifest(), samples(), passes(recording));
    html(&Sheet {
        told: Told::Why(answer),
        manifest: Some(&manifest),
        samples: &samples,
        passes: &passes,
        before,
    })
}

fn every_page() -> Vec<String> {
    let mut pages = vec![
        page(&answer(), changed(), Some(&recording())),
        page(&wire::answer_once(), empty(), None),
        page(&wire::answer(), clockless(), None),
    ];
    let (bench, many, extremes) = (wire::single(), wire::many(), wire::extremes());
    let (compare, suite, profile, bare, scale) =
        (wire::compare(), wire::suite(), wire::profile(), wire::profile_bare(), wire::scale());
    let (verify, gate) = (wire::verify(), wire::gate());
    let told = [
        Told::Bench(&bench),
        Told::Bench(&many),
        Told::Bench(&extremes),
        Told::Compare(&compare),
        Told::Compare(&suite),
        Told::Profile(&profile),
        Told::Profile(&bare),
        Told::Scale(&scale),
        Told::Verify(&verify),
        Told::Gate(&gate),
    ];
    let (manifest, samples) = (manifest(), samples());
    for told in told {
        for passes in [passes(recording()), Passes::default()] {
            for manifest in [None, Some(&manifest)] {
                pages.push(html(&Sheet { told, manifest, samples: &samples, passes: &passes, before: None }));
            }
        }
    }
    pages
}

/// The page when every text that may be someone else's is this one.
pub(crate) fn hostile_page(text: &str) -> String {
    let mut answer = hostile::answer();
    answer.findings = self::answer().findings;
    answer.hypotheses = self::answer().hypotheses;
    let place = wire::place(text, Some(text), 7, Language::Python, Owner::Project);
    for finding in &mut answer.findings {
        (finding.id, finding.cause, finding.class) = (text.to_owned(), text.to_owned(), text.to_owned());
        (finding.summary, finding.prescription) = (text.to_owned(), text.to_owned());
        (finding.verify, finding.location) = (text.to_owned(), Some(place.clone()));
        finding.because = vec![Reason { what: text.to_owned(), evidence: vec![text.to_owned()] }];
        finding.chain.clone_from(&finding.because);
    }
    for hypothesis in &mut answer.hypotheses {
        (hypothesis.id, hypothesis.class) = (text.to_owned(), text.to_owned());
        (hypothesis.because, hypothesis.next) = (text.to_owned(), Some(text.to_owned()));
        hypothesis.location = Some(place.clone());
    }
    answer.evidence[0].artifact = text.to_owned();
    answer.verdict.summary = text.to_owned();
    let mut manifest = manifest();
    manifest.artifacts.push(Artifact { path: text.to_owned(), bytes: 1, sha256: text.to_owned() });
    manifest.artifacts.push(Artifact {
        path: "javascript:alert(1)".to_owned(),
        bytes: 1,
        sha256: String::new(),
    });
    (manifest.id, manifest.started, manifest.slowpath) = (text.to_owned(), text.to_owned(), text.to_owned());
    manifest.argv = vec![text.into()];
    manifest.cwd = text.into();
    manifest.fingerprint.machine.cpu_model = Some(text.to_owned());
    manifest.fingerprint.tools = [(text.to_owned(), Some(text.to_owned()))].into();
    let recording = wire::recordings::hostile(text);
    html(&Sheet {
        told: Told::Why(&answer),
        manifest: Some(&manifest),
        samples: &samples(),
        passes: &Passes { calls: Some(wire::traced::calls(Some(text))), ..passes(recording.clone()) },
        before: Some(&recording),
    })
}

/// A verification and a gate whose every name is this text.
fn hostile_verdicts(text: &str) -> Vec<String> {
    let (mut verify, mut gate) = (wire::verify(), wire::gate());
    (verify.summary, verify.base.label, verify.new.label) = (text.into(), text.into(), text.into());
    (verify.prediction.finding.summary, verify.after.because) = (text.into(), text.into());
    for standing in &mut verify.dimensions {
        (standing.dimension, standing.because) = (text.into(), text.into());
    }
    verify.tests.as_mut().unwrap().command = text.into();
    gate.summary = text.into();
    for scenario in &mut gate.scenarios {
        (scenario.name, scenario.command, scenario.because) = (text.into(), text.into(), vec![text.into()]);
    }
    let passes = passes(wire::recordings::hostile(text));
    let page =
        |told| html(&Sheet { told, manifest: None, samples: &samples(), passes: &passes, before: None });
    vec![page(Told::Verify(&verify)), page(Told::Gate(&gate))]
}

const VOID: [&str; 3] = ["meta", "input", "!doctype"];

/// Whether every element is closed where it was opened and every attribute is quoted: no name has left its place.
pub(crate) fn is_well_formed(page: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        if before.contains('>') {
            return Err(format!("a bracket in text: {before}"));
        }
        let (tag, next) = after.split_once('>').ok_or("an open bracket")?;
        rest = next;
        let name = tag.split([' ', '\n', '/']).next().unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes something else; open: {open:?}"));
            }
            continue;
        }
        if tag.contains('<') || tag.matches('"').count() % 2 != 0 {
            return Err(format!("a broken tag: {tag}"));
        }
        if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
        if name == "script" || name == "style" {
            let end = rest.find(&format!("</{name}>")).ok_or("an open script")?;
            rest = &rest[end..];
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

#[test]
fn every_page_is_well_formed_and_the_same_each_time() {
    let pages = every_page();
    for page in &pages {
        is_well_formed(page).unwrap();
    }
    assert_eq!(pages, every_page());
}

#[test]
fn a_page_asks_nothing_of_the_network() {
    for page in every_page() {
        for word in
            ["http://", "https://", "url(", "@import", " src=", "srcset", "<link", "<iframe", "<object"]
        {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"), "a policy");
    }
}

#[test]
fn each_identifier_stands_once_and_each_link_leads_somewhere() {
    for page in every_page() {
        let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{ids:?}");
        for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(once.contains(&target), "{target}");
        }
    }
}

#[test]
fn a_hostile_name_is_text() {
    for page in [NASTY, SCRIPT].into_iter().flat_map(|name| {
        let verdicts = hostile_verdicts(name);
        verdicts.into_iter().chain([hostile_page(name)])
    }) {
        is_well_formed(&page).unwrap();
        assert!(!page.contains(ACTIVE), "nothing a terminal or a reader's eye obeys");
        for markup in ["<img", "<svg onload", "<script>window", "href=\"javascript"] {
            assert!(!page.contains(markup), "{markup}");
        }
        assert_eq!(page.matches("<script").count(), 3, "the trees and our two scripts");
        assert_eq!(page.matches("</script").count(), 3);
    }
}

#[test]
fn the_account_adds_up_and_names_each_leaf() {
    let answer = answer();
    let page = page(&answer, recording(), None);
    for leaf in &answer.account.leaves {
        assert!(page.contains(&format!("</span>{}<small>", leaf.leaf)), "{}", leaf.leaf);
    }
    assert!(page.contains("100.0&#160;%"), "the sum");
    let widths = page.split("class=\"account-bar\"").nth(1).unwrap().split("</div>").next().unwrap();
    let widths = widths.split("width:").skip(1).filter_map(|rest| rest.split('%').next());
    let sum: f64 = widths.map(|width| width.parse::<f64>().unwrap()).sum();
    assert!((99.0..=100.1).contains(&sum), "{sum}");
}

#[test]
fn evidence_is_linked_to_its_row_and_a_missing_one_is_not() {
    let page = page(&answer(), recording(), None);
    assert!(page.contains("<a class=\"ev\" href=\"#ev-0\">e1</a>"), "a link");
    assert!(page.contains("<tr id=\"ev-0\">"), "its row");
    assert!(page.contains("<span class=\"ev\">e9</span>"), "an id without a row stays text");
}

#[test]
fn what_a_library_does_is_spent_at_the_line_that_called_it() {
    let page = page(&answer(), recording(), None);
    let source = page.split("id=\"source\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(source.contains("/srv/app/parse.c") && source.contains("/srv/app/job.py"), "{source}");
    assert!(!source.contains("libc"), "{source}");
}

#[test]
fn a_million_stacks_are_a_small_page() {
    let mut recording = recording();
    recording.hits.clear();
    let functions = recording.frames.len() as u32;
    for n in 0..3_000 {
        let mut frame = recording.frames[1].clone();
        (frame.function, frame.line) =
            (Some(format!("function_{n}_{}", "x".repeat(n % 300))), Some(n as u32));
        recording.frames.push(frame);
    }
    let base = recording.nodes.len() as u32;
    for n in 0..1_000_000_u32 {
        let parent = (n > 100).then(|| base + n.wrapping_mul(2_654_435_761) % n.min(40_000));
        recording.nodes.push(Node { parent, frame: functions + n.wrapping_mul(48_271) % 3_000 });
        recording.hits.push(Hit {
            at: Nanos::from_nanos(u64::from(n) * 1000),
            thread: n % 2,
            stack: Some(base + n),
            weight: 1000 + u64::from(n % 7),
        });
    }
    let page = page(&answer(), recording, None);
    println!("{} bytes for 1,000,000 distinct stacks", page.len());
    assert!(page.len() < 12_000_000, "{} bytes", page.len());
    assert!(page.contains("\"left_out\":9"), "what is left out is counted");
    is_well_formed(&page).unwrap();
}

#[test]
fn calls_stand_by_statement_peer_file_and_place_and_unknown_is_not_zero() {
    let page = page(&answer(), recording(), None);
    let calls = page.split("id=\"calls\"").nth(1).unwrap().split("</section>").next().unwrap();
    for word in [
        "SELECT name FROM user WHERE id = ?",
        "postgresql at 127.0.0.1:5432",
        "/srv/app/settings.ini",
        "each byte read 16.0 times",
        "480 calls",
        "fdatasync",
        "a pipe",
    ] {
        assert!(calls.replace("&#160;", " ").replace('\u{a0}', " ").contains(word), "{word}: {calls}");
    }
    // Two ways to one place are one row; requests of an unknown number are unknown, answers never seen took no time.
    assert_eq!(calls.matches("<code>recvfrom</code>").count(), 1);
    assert_eq!(calls.matches("unknown</td>").count(), 4, "{calls}");
}
