//! Our decoders against objdump: the same instructions begin at the same places.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use inspect::Code;

/// Addresses and names of instructions, as objdump tells them. `None` where there is none for this machine.
fn dumped(objdump: &str, image: &Path) -> Option<BTreeMap<u64, String>> {
    let output = Command::new(objdump).args(["-d", "--no-show-raw-insn", "-w"]).arg(image).output().ok();
    let Some(output) = output.filter(|output| output.status.success()) else {
        eprintln!("skipped: {objdump} does not read {}", image.display());
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| {
        let (address, rest) = line.split_once(":\t")?;
        let address = u64::from_str_radix(address.trim(), 16).ok()?;
        Some((address, rest.split_whitespace().next().unwrap_or_default().to_owned()))
    });
    Some(lines.collect())
}

/// Every function of the image, decoded by us, against objdump's lines in the same range.
fn check(objdump: &str, image: &Path, fewest: usize) {
    let Some(wanted) = dumped(objdump, image) else { return };
    let bytes = std::fs::read(image).unwrap();
    let code = Code::image(&bytes).unwrap();
    let (mut compared, mut differing) = (0, Vec::new());
    for function in code.functions() {
        let ours: BTreeSet<u64> = code.boundaries(function).unwrap_or_default().into_iter().collect();
        let theirs: BTreeSet<u64> =
            wanted.range(function.range.clone()).map(|(address, _)| *address).collect();
        compared += ours.len();
        differing.extend(ours.symmetric_difference(&theirs).copied().take(3));
    }
    assert!(compared >= fewest, "only {compared} instructions");
    assert_eq!(differing, [0u64; 0], "of {compared}: {:x?}", &differing[..differing.len().min(20)]);
}

#[test]
fn a_programs_instructions_begin_where_objdump_says() {
    if std::env::consts::ARCH != "x86_64" {
        return;
    }
    check("objdump", Path::new("/bin/ls"), 10_000);
}

#[test]
fn arm_words_are_instructions_as_objdump_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machine-code/aarch64");
    check("aarch64-linux-gnu-objdump", &root.join("loops-O3/input"), 300);
}
