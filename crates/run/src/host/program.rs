//! The executable of an arm and the files it is given.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use model::Target;
use model::arg::hex_of;
use model::fingerprint::{Program, ProgramKind};
use sha2::{Digest, Sha256};

use super::elf;
use super::live::Live;
use super::resolve::resolve;

/// The largest program that is hashed.
const LARGEST_PROGRAM: u64 = 512 << 20;
/// The largest input that is hashed.
const LARGEST_INPUT: u64 = 256 << 20;
/// Inputs looked at; a glob may have given thousands.
const MOST_INPUTS: usize = 64;
/// Bytes hashed for one fingerprint, about two seconds of work.
const MOST_BYTES: u64 = 1 << 30;

/// Remembers what it hashed, because the arms of a sitting mostly share their program and input.
pub(super) struct Hasher {
    left: u64,
    seen: HashMap<(u64, u64, u64, i64, i64), String>,
}

impl Default for Hasher {
    fn default() -> Self {
        Self { left: MOST_BYTES, seen: HashMap::new() }
    }
}

impl Hasher {
    /// SHA-256 of a file; `None` when it is larger than `most`, unreadable, or all bytes for hashing are spent.
    fn hash(&mut self, path: &Path, metadata: &Metadata, most: u64) -> Option<String> {
        let key = (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec());
        if let Some(hash) = self.seen.get(&key) {
            return Some(hash.clone());
        }
        if metadata.len() > most {
            return None;
        }
        self.left = self.left.checked_sub(metadata.len())?;
        let hash = sha256(path, metadata.len())?;
        self.seen.insert(key, hash.clone());
        Some(hash)
    }
}

/// `None` also when the file is no longer as long as it was: then it changes while we look.
fn sha256(path: &Path, length: u64) -> Option<String> {
    let mut file = File::open(path).ok()?.take(length.checked_add(1)?);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut hashed = 0_u64;
    loop {
        let read = file.read(&mut buffer).ok()?;
        if read == 0 {
            break;
        }
        hash.update(buffer.get(..read)?);
        hashed += u64::try_from(read).ok()?;
    }
    (hashed == length).then(|| hex_of(&hash.finalize()))
}

pub(super) fn program(target: &Target, live: &Live, hasher: &mut Hasher) -> Program {
    let folder = folder(target, live);
    let mut program = match executable(target, live, folder.as_deref()) {
        Some(path) => file(&path, hasher),
        None => Program::default(),
    };
    program.inputs = inputs(target, folder.as_deref(), hasher);
    program.environment_bytes = environment_bytes(target, live);
    program
}

/// Where the target runs.
pub(super) fn folder(target: &Target, live: &Live) -> Option<PathBuf> {
    match (&target.cwd, &live.folder) {
        (Some(cwd), Some(folder)) => Some(folder.join(cwd.as_os_str())),
        (Some(cwd), None) => Some(PathBuf::from(cwd.as_os_str())).filter(|cwd| cwd.is_absolute()),
        (None, folder) => folder.clone(),
    }
}

fn executable(target: &Target, live: &Live, folder: Option<&Path>) -> Option<PathBuf> {
    if target.shell {
        return Some(PathBuf::from("/bin/sh"));
    }
    let path = target.env.get("PATH").map_or(live.path.as_os_str(), |path| path.as_os_str());
    resolve(target.argv.first()?.as_os_str(), path, folder).ok()
}

fn file(path: &Path, hasher: &mut Hasher) -> Program {
    let mut program = Program { path: Some(path.to_string_lossy().into_owned()), ..Program::default() };
    let Ok(metadata) = path.metadata() else {
        return program;
    };
    program.bytes = Some(metadata.len());
    program.set_user_id = Some(metadata.mode() & 0o6000 != 0);
    program.sha256 = hasher.hash(path, &metadata, LARGEST_PROGRAM);
    let Some(start) = start(path) else {
        return program;
    };
    if start.starts_with(b"\x7fELF") {
        program.kind = Some(ProgramKind::Elf);
        elf::describe(path, &mut program);
    } else if let Some(line) = shebang(&start) {
        program.kind = Some(ProgramKind::Script);
        program.interpreter = Some(String::from_utf8_lossy(line).into_owned());
    } else {
        program.kind = Some(ProgramKind::Other);
    }
    program
}

/// The first bytes of a file, as many as the kernel looks at (`BINPRM_BUF_SIZE`).
fn start(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(256).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// What a script is run by: its first line without `#!` and outer blanks. `None` for any other file, and for a
/// line that does not end within the bytes the kernel looks at.
fn shebang(start: &[u8]) -> Option<&[u8]> {
    let rest = start.strip_prefix(b"#!")?;
    let line = match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) => rest.get(..end)?,
        None if start.len() < 256 => rest,
        None => return None,
    };
    Some(line.trim_ascii()).filter(|line| !line.is_empty())
}

/// The program that runs a script; `None` for any other file.
pub(super) fn interpreter(path: &Path) -> Option<PathBuf> {
    let start = start(path)?;
    let name = shebang(&start)?.split(|byte| matches!(byte, b' ' | b'\t')).next()?;
    Some(PathBuf::from(OsStr::from_bytes(name)))
}

/// The arguments that name regular files. Those beyond the first 64 are one entry without a hash, so that they are
/// unknown rather than forgotten.
fn inputs(target: &Target, folder: Option<&Path>, hasher: &mut Hasher) -> BTreeMap<String, Option<String>> {
    let mut inputs = BTreeMap::new();
    let mut beyond = 0_usize;
    // The one argument of a shell is its text.
    let arguments = if target.shell { &[] } else { target.argv.get(1..).unwrap_or_default() };
    for argument in arguments {
        let name = Path::new(argument.as_os_str());
        let path = folder.map_or_else(|| name.to_owned(), |folder| folder.join(name));
        let Some(metadata) = path.metadata().ok().filter(Metadata::is_file) else {
            continue;
        };
        if inputs.len() == MOST_INPUTS {
            beyond += 1;
            continue;
        }
        inputs.insert(argument.lossy(), hasher.hash(&path, &metadata, LARGEST_INPUT));
    }
    if beyond > 0 {
        inputs.insert(format!("({beyond} more files)"), None);
    }
    inputs
}

/// Bytes that `name=value` and their NULs take on the target's stack.
fn environment_bytes(target: &Target, live: &Live) -> Option<u64> {
    let mut environment: BTreeMap<&OsStr, &OsStr> = live
        .environment
        .iter()
        .map(|(name, value): &(OsString, OsString)| (name.as_os_str(), value.as_os_str()))
        .collect();
    environment.extend(target.env.iter().map(|(name, value)| (OsStr::new(name), value.as_os_str())));
    let bytes: usize = environment.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    u64::try_from(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use model::Arg;

    use super::*;

    fn target(argv: &[&str], folder: &Path) -> Target {
        Target {
            argv: argv.iter().map(|text| Arg::from(*text)).collect(),
            shell: false,
            cwd: Some(Arg::from(folder.as_os_str().to_owned())),
            env: BTreeMap::new(),
        }
    }

    fn live() -> Live {
        Live { path: "/usr/bin:/bin".into(), folder: Some("/".into()), ..Live::default() }
    }

    #[test]
    fn inputs_are_the_arguments_that_name_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in put"), "abc").unwrap();
        let target = target(&["cat", "in put", "-n", "missing", "/", "/dev/null"], folder.path());
        let program = program(&target, &live(), &mut Hasher::default());
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(program.inputs, BTreeMap::from([("in put".to_owned(), Some(abc.to_owned()))]));
        assert_eq!(program.kind, Some(ProgramKind::Elf));
        assert!(program.sha256.is_some());
    }

    #[test]
    fn inputs_beyond_the_limit_are_unknown_not_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..70).map(|number| format!("f{number}")).collect();
        for name in &names {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let argv: Vec<&str> = std::iter::once("cat").chain(names.iter().map(String::as_str)).collect();
        let read = inputs(&target(&argv, folder.path()), Some(folder.path()), &mut Hasher::default());
        assert_eq!(read.len(), 65);
        assert_eq!(read.get("(6 more files)"), Some(&None));
    }

    #[test]
    fn what_is_too_large_or_over_budget_has_no_hash() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abcdef").unwrap();
        let metadata = file.path().metadata().unwrap();
        let mut hasher = Hasher { left: 6, seen: HashMap::new() };
        assert_eq!(hasher.hash(file.path(), &metadata, 5), None);
        assert!(hasher.hash(file.path(), &metadata, 6).is_some());
        assert!(hasher.hash(file.path(), &metadata, 6).is_some(), "remembered");
        fs::write(file.path(), "another").unwrap();
        assert_eq!(hasher.hash(file.path(), &file.path().metadata().unwrap(), 100), None, "all spent");
        assert_eq!(sha256(file.path(), 3), None, "longer than it was");
    }

    #[test]
    fn a_script_says_what_runs_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        for (text, kind, wanted) in [
            ("#! /usr/bin/env  python3 \nx\n", ProgramKind::Script, Some("/usr/bin/env  python3")),
            ("#!/bin/sh", ProgramKind::Script, Some("/bin/sh")),
            ("#!\n", ProgramKind::Other, None),
            ("text", ProgramKind::Other, None),
            ("", ProgramKind::Other, None),
        ] {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            let program = file(&path, &mut Hasher::default());
            assert_eq!((program.kind, program.interpreter.as_deref()), (Some(kind), wanted), "{text:?}");
        }
        assert_eq!(shebang(&[b"#!".as_slice(), &[b'x'; 254]].concat()), None, "longer than the kernel reads");
    }

    #[test]
    fn a_shell_runs_sh_and_a_missing_program_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let mut target = target(&["no-such-program-here"], folder.path());
        assert_eq!(program(&target, &live(), &mut Hasher::default()).path, None);
        target.shell = true;
        assert_eq!(program(&target, &live(), &mut Hasher::default()).path.as_deref(), Some("/bin/sh"));
    }

    #[test]
    fn a_variable_set_for_the_target_replaces_ours() {
        let folder = tempfile::tempdir().unwrap();
        let mut target = target(&["true"], folder.path());
        let live = Live { environment: vec![("A".into(), "1".into()), ("B".into(), "22".into())], ..live() };
        assert_eq!(environment_bytes(&target, &live), Some(4 + 5));
        target.env.insert("A".to_owned(), Arg::from("333"));
        assert_eq!(environment_bytes(&target, &live), Some(6 + 5));
    }
}
