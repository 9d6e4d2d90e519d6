//! The table of a real program, against its debug information and against damage.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _};

use super::{SECTIONS, Table};
use crate::files;
use crate::module::{Image, Module};
use crate::symbols::{self, Symbol};

const PROGRAM: &str = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"ready\") }\n";

/// `None`, said aloud, without Go.
fn program(folder: &Path) -> Option<PathBuf> {
    let source = folder.join("main.go");
    std::fs::write(&source, PROGRAM).unwrap();
    let program = folder.join("main");
    let mut build = Command::new("go");
    build.current_dir(folder).args(["build", "-o"]).arg(&program).arg(&source);
    build.env("GOCACHE", folder.join("cache")).env("HOME", folder).env("GOFLAGS", "");
    let Ok(output) = build.output() else {
        eprintln!("skipped: no go here");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

fn shown(chain: &[Symbol]) -> Vec<String> {
    let line = |symbol: &Symbol| symbol.line.map_or("?".to_owned(), |line| line.to_string());
    chain
        .iter()
        .map(|symbol| format!("{} {}", symbol.function.as_deref().unwrap_or("?"), line(symbol)))
        .collect()
}

#[test]
fn the_table_agrees_with_the_debug_information() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = program(folder.path()) else { return };
    let file = File::open(&program).unwrap();
    let key = files::key(program.to_str().unwrap().into(), &file.metadata().unwrap());
    let module = Module::new(key, Image::of_file(&file).unwrap());
    let bytes = std::fs::read(&program).unwrap();
    let elf = ElfFile64::<Endianness>::parse(&*bytes).unwrap();
    let table = Table::open(&elf).unwrap();
    let code = table.code().unwrap();
    let addresses: Vec<u64> = code.step_by(997).collect();
    let debug = symbols::symbols(&module, &addresses, None);
    let mut agreeing = 0;
    let mut expanded = 0;
    let mut different = Vec::new();
    for (address, told) in addresses.iter().zip(&debug) {
        let (found, told) = (shown(&table.chain(*address)), shown(told));
        expanded += usize::from(found.len() > 1);
        if found == told {
            agreeing += 1;
        } else {
            different.push((found, told));
        }
    }
    assert!(
        agreeing * 100 >= addresses.len() * 95 && expanded > 20,
        "{agreeing}, {expanded}, {different:#?}"
    );
}

#[test]
fn a_damaged_table_ends_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = program(folder.path()) else { return };
    let bytes = std::fs::read(program).unwrap();
    let elf = ElfFile64::<Endianness>::parse(&*bytes).unwrap();
    let code = Table::open(&elf).unwrap().code().unwrap();
    let section = SECTIONS.iter().find_map(|name| elf.section_by_name(name)).unwrap();
    let (start, length) = section.file_range().unwrap();
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for round in 0..40_u64 {
        let mut damaged = bytes.clone();
        for _ in 0..=round * 50 {
            // The header is small and would rarely be met.
            let within = if next(4) == 0 { 72 } else { length };
            damaged[usize::try_from(start + next(within)).unwrap()] = u8::try_from(next(256)).unwrap();
        }
        let elf = ElfFile64::<Endianness>::parse(&*damaged).unwrap();
        let Some(table) = Table::open(&elf) else { continue };
        for address in code.clone().step_by(4099) {
            for symbol in table.chain(address) {
                assert!(symbol.function.is_some());
            }
        }
    }
}
