//! The mappings that a process wrote down at its start (`proc_pid_maps(5)`): it may be gone before anybody looks.

use stacks::Mapping;

/// Executable mappings. The last line may be cut: text that does not end with a newline is left out.
pub(super) fn executable(text: &[u8]) -> impl Iterator<Item = Mapping> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').and_then(|last| text.get(..last));
    whole.unwrap_or_default().split(|byte| *byte == b'\n').filter_map(mapping).filter(|one| one.executable)
}

fn mapping(line: &[u8]) -> Option<Mapping> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let mut next = || std::str::from_utf8(fields.next()?).ok();
    let (start, end) = next()?.split_once('-')?;
    let executable = next()?.as_bytes().get(2) == Some(&b'x');
    let offset = u64::from_str_radix(next()?, 16).ok()?;
    let (_device, _inode) = (next()?, next()?);
    let path = fields.next().unwrap_or_default().trim_ascii_start().to_vec();
    let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
    (start < end).then_some(Mapping { start, end, offset, path, executable })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_of_code_count() {
        let text = b"10-20 r-xp 00001000 fe:01 1    /tmp/a b\n20-30 rw-p 0 0:0 0 \n30-40 r-xp 0 0:0 0 /cut";
        let found: Vec<Mapping> = executable(text).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].start, found[0].offset, found[0].path.as_slice()),
            (0x10, 0x1000, &b"/tmp/a b"[..])
        );
        assert_eq!(executable(b"").count(), 0);
    }
}
