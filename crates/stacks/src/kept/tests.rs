//! Kept names, with programs that are compiled for the test.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSymbol as _};
use tempfile::TempDir;

use super::Kept;
use crate::files;
use crate::module::{Image, Module};
use crate::symbols::{self, Symbol};

fn program(folder: &Path, source: &str) -> Option<PathBuf> {
    let (file, program) = (folder.join("program.c"), folder.join("program"));
    fs::write(&file, source).unwrap();
    let compiled = Command::new("gcc").args(["-g", "-O1", "-o"]).arg(&program).arg(&file).status();
    let Ok(status) = compiled else {
        eprintln!("skipped: no gcc here");
        return None;
    };
    assert!(status.success());
    Some(program)
}

fn module(program: &Path) -> Module {
    let file = File::open(program).unwrap();
    let key = files::key(program.to_str().unwrap().into(), &file.metadata().unwrap());
    Module::new(key, Image::of_file(&file).unwrap())
}

/// The addresses of a function's first byte and of one that nothing is at.
fn addresses(program: &Path, function: &str) -> Vec<u64> {
    let bytes = fs::read(program).unwrap();
    let elf = ElfFile64::<Endianness>::parse(&*bytes).unwrap();
    let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(function)).unwrap();
    vec![1, symbol.address()]
}

fn functions(found: &[Vec<Symbol>]) -> Vec<Option<&str>> {
    found.iter().map(|chain| chain.first().and_then(|symbol| symbol.function.as_deref())).collect()
}

/// The one file in the folder.
fn kept_file(cache: &TempDir) -> PathBuf {
    let mut entries = fs::read_dir(cache.path().join("slowpath/names")).unwrap();
    let file = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none());
    file
}

#[test]
fn what_is_kept_is_not_looked_up_again() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(program) =
        program(folder.path(), "int first(int x) { return x; }\nint main(void) { return first(0); }")
    else {
        return;
    };
    let (kept, module) = (Kept::within(cache.path()).unwrap(), module(&program));
    let addresses = addresses(&program, "first");
    let plain = symbols::symbols(&module, &addresses, None);
    assert_eq!(symbols::symbols(&module, &addresses, Some(&kept)), plain);
    assert_eq!(functions(&plain), [None, Some("first")]);
    // Another name in the file shows where the second answer comes from.
    let mut shelf = kept.shelf(&module).unwrap();
    assert_eq!(shelf.names.len(), 2);
    shelf.names.get_mut(&addresses[1]).unwrap()[0].function = Some("kept".to_owned());
    kept.store(&shelf);
    assert_eq!(functions(&symbols::symbols(&module, &addresses, Some(&kept))), [None, Some("kept")]);
}

#[test]
fn a_program_that_was_built_again_is_looked_up_again_and_takes_its_own_place() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kept = Kept::within(cache.path()).unwrap();
    for name in ["first", "other"] {
        let source = format!("int {name}(int x) {{ return x; }}\nint main(void) {{ return {name}(0); }}");
        let Some(program) = program(folder.path(), &source) else { return };
        let found = symbols::symbols(&module(&program), &addresses(&program, name), Some(&kept));
        assert_eq!(functions(&found), [None, Some(name)]);
        kept_file(&cache);
    }
}

#[test]
fn debug_information_that_appears_later_is_used() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let source = "int first(int x) { return x; }\nint main(void) { return first(0); }";
    let Some(program) = program(folder.path(), source) else { return };
    let addresses = addresses(&program, "first");
    let debug = folder.path().join("program.debug");
    let run = |words: &[&str]| {
        assert!(Command::new("objcopy").current_dir(folder.path()).args(words).status().unwrap().success());
    };
    run(&["--only-keep-debug", "program", "program.debug"]);
    run(&["--strip-debug", "--add-gnu-debuglink=program.debug", "program"]);
    let aside = folder.path().join("aside");
    fs::rename(&debug, &aside).unwrap();
    let (kept, module) = (Kept::within(cache.path()).unwrap(), module(&program));
    let line = || symbols::symbols(&module, &addresses, Some(&kept))[1][0].line;
    assert_eq!(line(), None);
    fs::rename(&aside, &debug).unwrap();
    assert_eq!(line(), Some(1));
}

#[test]
fn a_damaged_file_is_no_file() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let source = "int first(int x) { return x; }\nint main(void) { return first(0); }";
    let Some(program) = program(folder.path(), source) else { return };
    let (kept, module) = (Kept::within(cache.path()).unwrap(), module(&program));
    let named = || symbols::symbols(&module, &addresses(&program, "first"), Some(&kept));
    let plain = named();
    let file = kept_file(&cache);
    let whole = fs::read(&file).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", b"foreign", &[0xff; 100]] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(named(), plain);
        assert_eq!(fs::read(&file).unwrap(), whole, "it is written anew");
    }
}

#[test]
fn the_oldest_files_go_when_there_is_too_much() {
    let cache = tempfile::tempdir().unwrap();
    let kept = Kept::within(cache.path()).unwrap();
    for age in 1..=4_u64 {
        let path = kept.folder.join(age.to_string());
        fs::write(&path, [0; 100]).unwrap();
        let at = SystemTime::now() - Duration::from_secs(age * 1000);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_times(FileTimes::new().set_modified(at))
            .unwrap();
    }
    kept.bound_to(250);
    let left = [1, 2, 3, 4].map(|age| kept.folder.join(age.to_string()).exists());
    assert_eq!(left, [true, true, false, false]);
}

#[test]
fn a_folder_that_cannot_be_made_keeps_nothing() {
    let cache = tempfile::tempdir().unwrap();
    fs::write(cache.path().join("slowpath"), b"a file").unwrap();
    assert!(Kept::within(cache.path()).is_none());
}
