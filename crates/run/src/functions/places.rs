//! Where a program begins, and where places of its files lie in its memory.

use std::fs;

/// Where a program begins, as the kernel told it.
pub(super) fn entry_point(pid: u32) -> Option<u64> {
    const AT_ENTRY: u64 = 9;
    let words = fs::read(format!("/proc/{pid}/auxv")).ok()?;
    let word = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
    let mut pairs = words.chunks_exact(16).filter_map(|pair| word(pair.get(..8)?).zip(word(pair.get(8..)?)));
    pairs.find(|(kind, _)| *kind == AT_ENTRY).map(|(_, entry)| entry)
}

/// Where a place of a file lies in memory, by `/proc/PID/maps`.
pub(super) fn mapped(maps: &[u8], file: &str, offset: u64) -> Option<u64> {
    stacks::parse_maps(maps).filter(|one| one.executable && one.path == file.as_bytes()).find_map(|one| {
        let at = offset.checked_sub(one.offset).filter(|at| *at < one.end - one.start)?;
        Some(one.start + at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_a_file_is_found_where_its_code_is_mapped() {
        let maps = b"\
55d0-55d8 r--p 00000000 08:01 12                         /bin/a b
55d8-55f0 r-xp 00000008 08:01 12                         /bin/a b
7f00-7f10 r-xp 00000000 08:01 13                         /lib/c.so
7ff0-7fff rw-p 00000000 00:00 0                          [stack]
";
        assert_eq!(mapped(maps, "/bin/a b", 0xa), Some(0x55da));
        assert_eq!(mapped(maps, "/bin/a b", 0x2), None);
        assert_eq!(mapped(maps, "/lib/c.so", 0x2), Some(0x7f02));
        assert_eq!(mapped(maps, "/lib/d.so", 0x2), None);
    }
}
