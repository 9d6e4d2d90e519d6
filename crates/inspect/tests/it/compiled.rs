//! Test programs, compiled by the gcc of this machine, and questions about their loops.

use std::path::{Path, PathBuf};
use std::process::Command;

use inspect::{Code, Hot, Request, audit};
use model::machine_code::{
    Access, BlockerKind, Found, HotFunction, HotLoop, MachineCode, Pattern, Verdict, Walk,
};

/// `loops.c` at these options. `None` where there is no gcc for x86-64.
pub(crate) fn loops(options: &[&str]) -> Option<Vec<u8>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/loops.c");
    compile(&source, options)
}

pub(crate) fn compile(source: &Path, options: &[&str]) -> Option<Vec<u8>> {
    if std::env::consts::ARCH != "x86_64" {
        eprintln!("skipped: this machine is no x86-64");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let program: PathBuf = folder.path().join("program");
    let status = Command::new("gcc").args(options).arg(source).arg("-o").arg(&program).status();
    let Ok(status) = status else {
        eprintln!("skipped: there is no gcc");
        return None;
    };
    assert!(status.success(), "gcc {options:?}");
    Some(std::fs::read(program).unwrap())
}

/// The audit of one function, of which nothing but its name was measured.
pub(crate) fn by_name(bytes: &[u8], name: &str) -> MachineCode {
    let code = Code::image(bytes).unwrap();
    audit(&code, &[Hot::Function { name: name.to_owned(), weight: 100 }], &Request::new("program", "samples"))
}

pub(crate) fn function(bytes: &[u8], name: &str) -> HotFunction {
    let mut answer = by_name(bytes, name);
    assert_eq!(answer.functions.len(), 1, "{name}: {answer:?}");
    answer.functions.remove(0)
}

/// The function's loop with the most vector instructions, else its first.
pub(crate) fn main_loop(bytes: &[u8], name: &str) -> HotLoop {
    let function = function(bytes, name);
    let packed = |found: &HotLoop| match pattern(found, "vector").found {
        Found::Vector { packed, .. } => packed,
        _ => unreachable!(),
    };
    let innermost = function.loops.iter().filter(|found| found.innermost);
    let best = innermost.rev().max_by_key(|found| packed(found));
    best.unwrap_or_else(|| panic!("{name} has no loop: {function:?}")).clone()
}

pub(crate) fn pattern<'a>(found: &'a HotLoop, name: &str) -> &'a Pattern {
    let is = |pattern: &&Pattern| {
        name == match pattern.found {
            Found::Vector { .. } => "vector",
            Found::Branches { .. } => "branches",
            Found::Calls { .. } => "calls",
            Found::Access { .. } => "access",
            Found::Spills { .. } => "spills",
            Found::Alignment { .. } => "alignment",
        }
    };
    found.patterns.iter().find(is).unwrap_or_else(|| panic!("no {name} in {found:?}"))
}

pub(crate) fn verdict(found: &HotLoop, name: &str) -> Verdict {
    pattern(found, name).verdict
}

pub(crate) fn accesses(found: &HotLoop) -> &[Access] {
    match &pattern(found, "access").found {
        Found::Access { accesses } => accesses,
        _ => unreachable!(),
    }
}

pub(crate) fn walks(found: &HotLoop) -> Vec<Walk> {
    accesses(found).iter().map(|access| access.walk).collect()
}

pub(crate) fn blockers(found: &HotLoop) -> Vec<BlockerKind> {
    found.blockers.iter().map(|blocker| blocker.kind).collect()
}
