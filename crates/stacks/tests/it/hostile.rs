//! Input that nobody sane would write.

use proptest::prelude::*;
use stacks::kernel::Kallsyms;
use stacks::{Mapping, PerfMap, PerfMaps, Project, Raw, Registers, Tree, Unwinder, resolve};

use crate::specimen::{Bench, SPIN};

/// An unwinder that knows this test's own program and libraries, and addresses of code in them.
fn own() -> (Unwinder, Vec<u64>) {
    let mut unwinder = Unwinder::new();
    unwinder.read_maps(std::process::id()).unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let code = maps.lines().filter(|line| line.contains("r-xp")).filter_map(|line| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
    });
    (unwinder, code.flat_map(|(start, end)| (0..64).map(move |at| start + (end - start) / 64 * at)).collect())
}

#[test]
fn any_registers_and_any_stack_come_to_an_end() {
    let (unwinder, code) = own();
    let unwinder = std::cell::RefCell::new(unwinder);
    let pid = std::process::id();
    let word = prop_oneof![
        any::<u64>(),
        proptest::sample::select(code),
        (0_u64..600).prop_map(|at| 0x7000_0000_0000 + at * 8),
        0_u64..64,
        Just(u64::MAX),
    ];
    let registers = (word.clone(), word.clone(), word.clone(), any::<bool>());
    let stack = proptest::collection::vec(word, 0..600);
    proptest!(ProptestConfig::with_cases(400), |((ip, sp, bp, placed) in registers, stack in stack)| {
        let sp = if placed { 0x7000_0000_0000 } else { sp };
        let bytes: Vec<u8> = stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut frames = Vec::new();
        unwinder.borrow_mut().unwind(pid, &Registers { ip, sp, bp, lr: 0 }, &bytes, &mut frames);
        prop_assert!(!frames.is_empty() && frames.len() <= 4096);
    });
}

#[test]
fn damaged_programs_are_mapped_unwound_and_named_without_harm() {
    let bench = Bench::new();
    let Some(program) = bench.compile("gcc", "spin.c", SPIN, &["-O2", "-g"]) else { return };
    let bytes = std::fs::read(program).unwrap();
    let length = bytes.len();
    let damage = proptest::collection::vec((0..length, any::<u8>()), 1..200);
    let start = proptest::collection::vec((0..1024_usize, any::<u8>()), 0..3);
    let number = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(60), |(damage in damage, start in start, cut in 0..2 * length)| {
        let mut bytes = bytes.clone();
        for (at, value) in damage.into_iter().chain(start) {
            bytes[at] = value;
        }
        bytes.truncate(cut.max(64));
        number.set(number.get() + 1);
        let path = bench.path().join(format!("damaged{}", number.get()));
        std::fs::write(&path, &bytes).unwrap();
        let mut unwinder = Unwinder::new();
        let path = path.to_str().unwrap().as_bytes().to_vec();
        let mapping = Mapping { start: 0x1000, end: 0x3000, offset: 0x1000, path, executable: true };
        unwinder.map(1, &mapping);
        let mut tree = Tree::new();
        for ip in (0x1000..0x1400).step_by(7) {
            let stack: Vec<u8> = (0..64_u64).flat_map(|word| (0x1000 + word * 16).to_le_bytes()).collect();
            let mut frames = Vec::new();
            unwinder.unwind(1, &Registers { ip, sp: 0x7000, bp: 0x7010, lr: 0 }, &stack, &mut frames);
            prop_assert!(tree.intern(&frames).is_some());
        }
        let resolved = resolve(&tree, unwinder.files(), &PerfMaps::default(), &Project::default());
        prop_assert_eq!(resolved.stack_of.len(), tree.len());
    });
}

#[test]
fn a_file_that_is_no_program_is_a_module_counted_by_its_offsets() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), vec![1; 8192]).unwrap();
    let path = file.path().to_str().unwrap().as_bytes().to_vec();
    let mut unwinder = Unwinder::new();
    unwinder.map(1, &Mapping { start: 0x5000, end: 0x7000, offset: 0x1000, path, executable: true });
    let mut frames = Vec::new();
    unwinder.unwind(1, &Registers { ip: 0x5010, sp: 0, bp: 0, lr: 0 }, &[], &mut frames);
    assert!(matches!(frames[..], [Raw::Native { address: 0x1010, .. }]), "{frames:?}");
}

#[test]
fn a_perf_map_cut_anywhere_keeps_the_lines_before() {
    let text = b"1000 10 JS:*fib /a.js:1:2\n0x2000 0x20 long Fib.fib(int)\n3000 5 \xff\xfe\n1008 4 new\n";
    for cut in 0..=text.len() {
        let map = PerfMap::parse(&text[..cut]);
        assert!(map.bad_lines() <= 1);
        if cut >= 26 {
            assert_eq!(map.name(0x1000), Some("JS:*fib /a.js:1:2"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn arbitrary_perf_maps_never_panic(lines in proptest::collection::vec("[0-9a-fx ]{0,20} [0-9a-f]{0,17} .{0,20}\n?", 0..40), at in any::<u64>()) {
        let map = PerfMap::parse(lines.concat().as_bytes());
        let _ = map.name(at).map(|name| stacks::generated::decode(name, map.maker()));
    }

    #[test]
    fn arbitrary_names_of_generated_code_never_panic(name in ".{0,60}|(JS:|LazyCompile:|Builtin:|py::|L)[*~^+ :;./\\[\\]()0-9a-z]{0,40}") {
        use stacks::perf_map::Maker;
        for maker in [None, Some(Maker::V8), Some(Maker::Jvm), Some(Maker::DotNet), Some(Maker::Python)] {
            let _ = stacks::generated::decode(&name, maker);
        }
    }

    #[test]
    fn arbitrary_kernel_symbols_never_panic(text in "([0-9a-f]{0,17} [tTdw] [a-z]{0,5}(\t\\[[a-z]*\\])?\n|.{0,20}\n){0,30}", at in any::<u64>()) {
        let _ = Kallsyms::parse(text.as_bytes()).function(at);
    }
}
