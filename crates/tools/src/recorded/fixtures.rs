//! Every captured profile against what is expected of it, and what must hold for all of them.

use std::fmt::Write;
use std::path::Path;

use model::recording::{Frame, Recording};
use proptest::prelude::*;

use super::perf_data::{self, Mapping, Reach, StackCopy, Unwind};
use super::{FORMATS, Format, HEAD, Options, RecordedError, parse, recognise};
use crate::fixtures::{Fixture, cuts, error_text, have_every_case, of_tools, say_where_they_come_from};

const FOLDERS: [(&str, Format); 6] = [
    ("cpuprofile", Format::CpuProfile),
    ("folded", Format::Folded),
    ("perf-data", Format::PerfData),
    ("perf-script", Format::PerfScript),
    ("pprof", Format::Pprof),
    ("speedscope", Format::Speedscope),
];

#[test]
fn every_profile_gives_what_is_expected() {
    for fixture in all() {
        fixture.gives(&dump(format_of(&fixture), &fixture.input));
    }
}

#[test]
fn every_profile_says_where_it_comes_from() {
    say_where_they_come_from(&all());
}

#[test]
fn every_format_has_every_case() {
    assert_eq!(FOLDERS.len(), FORMATS.len());
    have_every_case(&all(), FOLDERS.into_iter().map(|(folder, _)| folder));
}

#[test]
fn every_profile_is_recognised_by_its_bytes() {
    for fixture in all() {
        // Nothing tells what an empty file or one without any sample was meant to be.
        if fixture.case == "unsupported" || fixture.case == "empty" {
            continue;
        }
        let head = &fixture.input[..fixture.input.len().min(HEAD)];
        assert_eq!(
            recognise(Path::new("input"), head),
            Some(format_of(&fixture)),
            "{}",
            fixture.folder.display()
        );
    }
}

#[test]
fn other_files_are_not_recognised() {
    for bytes in
        [&b""[..], b"hello\n", b"{}", b"[]", b"{\"results\": []}", b"\x7fELF\x02", b"\x1f\x8b\x08", b"a b\n"]
    {
        assert_eq!(recognise(Path::new("file"), bytes), None, "{bytes:?}");
    }
}

#[test]
fn a_cut_profile_is_an_error_or_ends_where_a_whole_one_could() {
    for fixture in all() {
        let whole = dump(format_of(&fixture), &fixture.input);
        if whole.starts_with("error: ") {
            continue;
        }
        let sound = fixture.input.trim_ascii_end().len();
        for end in cuts(&fixture.input) {
            let found = dump(format_of(&fixture), &fixture.input[..end]);
            let ends = match format_of(&fixture) {
                // Lines and records of a pipe have no last one; a raw protocol buffer has no end.
                Format::PerfScript | Format::Folded => fixture.input[..end].ends_with(b"\n"),
                Format::PerfData => fixture.case.ends_with("pipe"),
                Format::Pprof => fixture.case.ends_with("raw"),
                Format::Speedscope | Format::CpuProfile => end >= sound && found == whole,
            };
            assert!(found.starts_with("error: ") || ends, "{} at {end}", fixture.folder.display());
        }
    }
}

#[test]
fn weights_of_perfs_two_forms_agree() {
    for case in ["ordinary", "ordinary-two-events", "ordinary-without-stacks", "odd-names"] {
        let [one, other] = [Format::PerfData, Format::PerfScript].map(|format| {
            let fixture = all().into_iter().find(|one| format_of(one) == format && one.case == case).unwrap();
            let recording = parse(format, &fixture.input, &Options { event: Some("cpu-clock") }).unwrap();
            let depth = |stack: Option<u32>| stack.map_or(0, |stack| recording.path_of(stack).count());
            let mut hits: Vec<(u32, u64, usize)> = recording
                .hits
                .iter()
                .map(|hit| (recording.threads[hit.thread as usize].tid, hit.weight, depth(hit.stack)))
                .collect();
            hits.sort_unstable();
            hits
        });
        assert_eq!(one, other, "{case}");
    }
}

#[test]
fn an_event_can_be_chosen_by_name() {
    for format in [Format::PerfData, Format::PerfScript] {
        let all = all();
        let fixture =
            all.iter().find(|one| format_of(one) == format && one.case == "ordinary-two-events").unwrap();
        let chosen = |event| parse(format, &fixture.input, &Options { event: Some(event) });
        let clock = chosen("cpu-clock").unwrap();
        let switches = chosen("context-switches").unwrap();
        assert!(clock.hits.len() > 10 && switches.hits.len() > 10);
        assert_ne!(clock.weight, switches.weight);
        let error = chosen("cycles").unwrap_err();
        assert!(matches!(error, RecordedError::NoSuchEvent { .. }), "{error}");
        assert!(error.next_step().contains("context-switches"));
    }
}

#[test]
fn a_sample_type_can_be_chosen_by_name() {
    let all = all();
    let heap = all.iter().find(|one| one.case == "ordinary-heap").unwrap();
    for (event, weight) in [("inuse_space", "Bytes"), ("alloc_objects", "Other(\"alloc_objects\")")] {
        let recording = parse(Format::Pprof, &heap.input, &Options { event: Some(event) }).unwrap();
        assert_eq!(format!("{:?}", recording.weight), weight);
    }
}

/// Stands for an unwinder: claims a stack of three for every copy.
#[derive(Default)]
struct Three {
    maps: usize,
    copies: usize,
}

impl Unwind for Three {
    fn map(&mut self, mapping: &Mapping<'_>) {
        assert!(mapping.length > 0);
        self.maps += 1;
    }

    fn fork(&mut self, parent: u32, child: u32) {
        assert_ne!(parent, child);
    }

    fn exec(&mut self, _pid: u32) {}

    fn unwind(&mut self, stack: &StackCopy<'_>, addresses: &mut Vec<u64>) -> Reach {
        let (ip, sp) = (stack.register(8).unwrap(), stack.register(7).unwrap());
        assert!(ip > 0x1000 && sp > 0x1000 && !stack.bytes.is_empty());
        self.copies += 1;
        addresses.extend([ip, ip + 1, ip + 2]);
        Reach::Outermost
    }
}

#[test]
fn copied_stacks_are_walked_by_the_caller() {
    let all = all();
    let fixture = all.iter().find(|one| one.case == "ordinary-dwarf").unwrap();
    let alone = parse(Format::PerfData, &fixture.input, &Options::default()).unwrap();
    assert_eq!(alone.losses.cut_stacks, alone.losses.stacks);
    let mut three = Three::default();
    let walked = perf_data::parse(&fixture.input, &Options::default(), Some(&mut three)).unwrap();
    assert_eq!(walked.losses.cut_stacks, 0);
    assert_eq!((walked.hits.len(), three.copies), (alone.hits.len(), alone.hits.len()));
    assert!(three.maps >= 3);
    assert!(walked.hits.iter().all(|hit| walked.path_of(hit.stack.unwrap()).count() >= 3));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        try_all(&bytes);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[\\[\\]{}\":;,.0-9a-fx +()/\n\t-]{0,300}") {
        try_all(text.as_bytes());
    }

    #[test]
    fn damaged_profiles_never_panic(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let fixtures = all();
        let fixture = which.get(&fixtures);
        let mut input = fixture.input.clone();
        for (place, byte) in changes {
            if !input.is_empty() {
                let place = place.index(input.len());
                input[place] = byte;
            }
        }
        try_one(format_of(fixture), &input);
    }

    /// Numbers of perf's file are spread thinly; its head and the heads of its records are hit here.
    #[test]
    fn damaged_words_of_perf_never_panic(
        word in 0_usize..40,
        value in prop::sample::select(vec![0, 1, 7, 0xff, 0xffff, u64::from(u32::MAX), 1 << 40, u64::MAX - 7, u64::MAX]),
        tail in any::<bool>(),
    ) {
        for fixture in all().iter().filter(|one| format_of(one) == Format::PerfData) {
            let mut input = fixture.input.clone();
            let place = if tail { input.len().saturating_sub(8 * (word + 1)) } else { 8 * word + 8 };
            if let Some(room) = input.get_mut(place..place + 8) {
                room.copy_from_slice(&value.to_le_bytes());
            }
            try_one(Format::PerfData, &input);
        }
    }
}

fn try_all(bytes: &[u8]) {
    let _ = recognise(Path::new("x.pprof"), bytes);
    for format in FORMATS {
        try_one(format, bytes);
    }
    let framed = [b"PERFILE2\x10\0\0\0\0\0\0\0", bytes].concat();
    try_one(Format::PerfData, &framed);
}

fn try_one(format: Format, bytes: &[u8]) {
    match parse(format, bytes, &Options::default()) {
        Ok(recording) => sound(&recording),
        Err(error) => assert!(!error.to_string().is_empty() && !error.next_step().is_empty()),
    }
}

/// Everything a recording points to is there.
fn sound(recording: &Recording) {
    for (place, node) in recording.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| (parent as usize) < place));
        assert!((node.frame as usize) < recording.frames.len());
    }
    assert!(!recording.hits.is_empty() && recording.hits.is_sorted_by_key(|hit| hit.at));
    for hit in &recording.hits {
        assert!(hit.stack.is_none_or(|stack| (stack as usize) < recording.nodes.len()));
        assert!((hit.thread as usize) < recording.threads.len());
    }
    let modules = recording.frames.iter().filter_map(|frame| frame.module);
    assert!(modules.max().is_none_or(|module| (module as usize) < recording.modules.len()));
}

fn all() -> Vec<Fixture> {
    of_tools(FOLDERS.into_iter().map(|(folder, _)| folder))
}

fn format_of(fixture: &Fixture) -> Format {
    FOLDERS.into_iter().find(|(folder, _)| *folder == fixture.tool).unwrap().1
}

/// What a reader makes of an input, as text that does not change with the machine.
fn dump(format: Format, input: &[u8]) -> String {
    parse(format, input, &Options::default())
        .map_or_else(|error| error_text(&error, &error.next_step()), |one| dump_recording(&one))
}

fn dump_recording(recording: &Recording) -> String {
    let nanos =
        |time: Option<model::Nanos>| time.map_or("unknown".into(), |time| time.as_nanos().to_string());
    let weight: u64 = recording.hits.iter().map(|hit| hit.weight).sum();
    let mut text = String::new();
    writeln!(text, "source: {:?}, weight {:?}", recording.source, recording.weight).unwrap();
    writeln!(text, "wall {}, period {}", nanos(recording.wall), nanos(recording.period)).unwrap();
    let counts =
        [recording.modules.len(), recording.frames.len(), recording.nodes.len(), recording.hits.len()];
    writeln!(text, "modules, frames, nodes, hits: {counts:?}, weighing {weight}").unwrap();
    writeln!(text, "{:?}", recording.losses).unwrap();
    for process in &recording.processes {
        let (parent, to) = (process.parent, nanos(process.to));
        let from = process.from.as_nanos();
        writeln!(text, "process {} {:?} from {from} to {to}, parent {parent:?}", process.pid, process.name)
            .unwrap();
    }
    for (place, thread) in recording.threads.iter().enumerate() {
        let hits = recording.hits.iter().filter(|hit| hit.thread as usize == place).count();
        writeln!(text, "thread {} {:?} of {}: {hits} hits", thread.tid, thread.name, thread.process).unwrap();
    }
    for module in &recording.modules {
        writeln!(text, "module {:?} {:?}", module.path, module.build_id).unwrap();
    }
    for gap in &recording.gaps {
        writeln!(text, "gap: {}: {}; try {:?}", gap.what, gap.why, gap.next).unwrap();
    }
    let mut stacks: std::collections::BTreeMap<Option<u32>, u64> = std::collections::BTreeMap::new();
    for hit in &recording.hits {
        *stacks.entry(hit.stack).or_default() += hit.weight;
    }
    let mut stacks: Vec<(Option<u32>, u64)> = stacks.into_iter().collect();
    stacks.sort_by_key(|(stack, weight)| (std::cmp::Reverse(*weight), *stack));
    for (stack, weight) in stacks.iter().take(4) {
        writeln!(text, "stack {weight}").unwrap();
        for frame in stack.iter().flat_map(|stack| recording.frames_of(*stack)) {
            writeln!(text, "  {}", dump_frame(frame)).unwrap();
        }
    }
    text
}

fn dump_frame(frame: &Frame) -> String {
    let mut text = format!("{:?}", frame.function.as_deref().unwrap_or("?"));
    if let Some(file) = &frame.file {
        write!(text, " {file:?}:{}", frame.line.map_or("?".into(), |line| line.to_string())).unwrap();
    }
    if let Some(module) = frame.module {
        write!(text, " in {module}").unwrap();
    }
    if let Some(offset) = frame.offset {
        write!(text, " at {offset:#x}").unwrap();
    }
    write!(text, " {:?} {:?}{}", frame.language, frame.owner, if frame.inlined { " inlined" } else { "" })
        .unwrap();
    text
}
