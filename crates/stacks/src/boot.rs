//! Whether a recording was made under the kernel that runs now, since it started.
//!
//! The kernel's functions lie elsewhere after each start, so the same build alone is not enough: one of its symbols
//! must lie where the recording saw it.

use crate::kernel::Kallsyms;

/// The type of a note that holds a build-id (`elf.h`).
const BUILD_ID: u32 = 3;

/// The kernel of a recording, as far as it tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedKernel {
    /// `uname -r`.
    pub release: Option<String>,
    /// Hexadecimal.
    pub build_id: Option<String>,
    /// A symbol and where it lay.
    pub anchor: Option<(String, u64)>,
}

/// The kernel that runs now.
#[derive(Debug, Default)]
struct Running {
    release: Option<String>,
    build_id: Option<String>,
    names: Kallsyms,
}

/// The names of the kernel's functions, if they are those of the recording; else why not.
pub(crate) fn names(recorded: &RecordedKernel) -> Result<Kallsyms, &'static str> {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    let notes = std::fs::read("/sys/kernel/notes").unwrap_or_default();
    let running = Running {
        release: release.map(|release| release.trim().to_owned()),
        build_id: build_id(&notes).map(crate::name::hexadecimal),
        names: Kallsyms::read(),
    };
    check(recorded, &running).map(|()| running.names)
}

fn check(recorded: &RecordedKernel, running: &Running) -> Result<(), &'static str> {
    let same = |left: &Option<String>, right: &Option<String>| {
        left.as_ref().zip(right.as_ref()).map(|(left, right)| left == right)
    };
    let builds = same(&recorded.build_id, &running.build_id);
    match builds.or(same(&recorded.release, &running.release)) {
        Some(true) => {}
        Some(false) => return Err("it was recorded under another kernel than the one that runs here"),
        None => return Err("it does not tell under which kernel it was recorded"),
    }
    if running.names.is_empty() {
        return Err("the kernel hides its addresses from this user");
    }
    let Some((symbol, lay)) = &recorded.anchor else {
        return Err("it does not tell where the kernel lay");
    };
    match running.names.address_of(symbol) {
        Some(lies) if lies == *lay => Ok(()),
        Some(_) => Err("it was recorded before this machine was last started"),
        None => Err("the kernel that runs here lacks the symbol by which it tells where it lay"),
    }
}

/// The build-id among ELF notes.
fn build_id(notes: &[u8]) -> Option<&[u8]> {
    let mut rest = notes;
    loop {
        let (header, behind) = rest.split_first_chunk::<12>()?;
        let (words, _) = header.as_chunks::<4>();
        let [name, size, kind] = words else { return None };
        let [name, size, kind] = [name, size, kind].map(|word| u32::from_ne_bytes(*word));
        let padded = |length: u32| Some((usize::try_from(length).ok()?.checked_add(3)?) & !3);
        let (title, behind) = behind.split_at_checked(padded(name)?)?;
        let (body, behind) = behind.split_at_checked(padded(size)?)?;
        if kind == BUILD_ID && title == b"GNU\0" {
            return body.get(..usize::try_from(size).ok()?);
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running() -> Running {
        Running {
            release: Some("6.1".to_owned()),
            build_id: Some("aa".to_owned()),
            names: Kallsyms::parse(&b"ffffffff81000000 T _stext\n"[..]),
        }
    }

    fn recorded(build_id: Option<&str>, release: Option<&str>, lay: Option<u64>) -> RecordedKernel {
        RecordedKernel {
            release: release.map(str::to_owned),
            build_id: build_id.map(str::to_owned),
            anchor: lay.map(|lay| ("_stext".to_owned(), lay)),
        }
    }

    #[test]
    fn names_count_only_for_the_same_start_of_the_same_kernel() {
        let here = Some(0xffff_ffff_8100_0000);
        let good = |recorded| check(&recorded, &running()).is_ok();
        assert!(good(recorded(Some("aa"), None, here)));
        assert!(good(recorded(None, Some("6.1"), here)));
        assert!(!good(recorded(Some("bb"), Some("6.1"), here)), "another build of the same release");
        assert!(!good(recorded(None, Some("6.2"), here)));
        assert!(!good(recorded(None, None, here)), "unknown is not the same");
        assert!(!good(recorded(Some("aa"), None, None)));
        assert!(!good(recorded(Some("aa"), None, Some(0xffff_ffff_9000_0000))), "started again since");
        let hidden = Running { names: Kallsyms::default(), ..running() };
        assert!(check(&recorded(Some("aa"), None, here), &hidden).is_err());
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let mut notes = Vec::new();
        for (name, kind, body) in
            [(&b"Linux\0\0\0"[..], 257_u32, &[1_u8, 2, 3, 4][..]), (b"GNU\0", 3, &[9, 8, 7, 6])]
        {
            let trimmed = if name.len() == 8 { 6_u32 } else { 4 };
            for word in [trimmed, 4, kind] {
                notes.extend(word.to_ne_bytes());
            }
            notes.extend_from_slice(name);
            notes.extend_from_slice(body);
        }
        assert_eq!(build_id(&notes), Some(&[9, 8, 7, 6][..]));
        assert!((0..notes.len()).all(|cut| build_id(&notes[..cut]).is_none()));
    }
}
