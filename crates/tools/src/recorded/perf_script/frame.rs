//! A frame's line: `address symbol+0xoffset (module)`.

use model::recording::{Frame, Language, Owner};

use super::super::lines::{find, hexadecimal, lossy};
use super::super::tables::Tables;
use super::super::{RecordedError, place};

/// Position-independent code and libraries are mapped above; below, an address is one of the file itself. perf 6
/// prints those for stacks, the addresses of the process for single frames.
const PROCESS_ADDRESSES: u64 = 1 << 32;

/// The position of the frame in the tables. `named` is what stands behind the address.
pub(super) fn of(tables: &mut Tables, address: &[u8], named: &[u8]) -> Result<u32, RecordedError> {
    let (symbol, module) = apart(named);
    let address = hexadecimal(address);
    let mut frame = Frame {
        language: Language::Native,
        function: None,
        file: None,
        line: None,
        module: None,
        offset: None,
        is_start: false,
        inlined: module == Some(b"inlined"),
        owner: Owner::Unknown,
    };
    let (module, offset) = module.map_or((None, None), |module| without_offset(module));
    let kernel = module.is_some_and(|module| is_kernel(module, address));
    if let Some(module) = module.filter(|module| !frame.inlined && *module != b"[unknown]") {
        frame.module = Some(tables.module(&lossy(module), None)?);
    }
    if symbol == b"[unknown]" {
        let own = address.filter(|address| frame.module.is_none() || kernel || *address < PROCESS_ADDRESSES);
        frame.offset = offset.or(own);
    } else {
        let symbol = lossy(without_offset(symbol).0.unwrap_or(symbol));
        if !place::from_map(&mut frame, &symbol) {
            frame.function = Some(symbol);
        }
    }
    if kernel {
        (frame.language, frame.owner) = (Language::Kernel, Owner::Kernel);
    }
    tables.frame(frame)
}

/// Symbol and module. The module may hold brackets itself: `(/memfd:x (deleted))`.
fn apart(named: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(inner) = named.strip_suffix(b")") else { return (named, None) };
    let mut depth = 1_u32;
    let opening = inner.iter().rposition(|byte| {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some(opening) = opening else { return (named, None) };
    let (symbol, module) = (inner.get(..opening), inner.get(opening + 1..));
    match symbol {
        Some(symbol) if symbol.is_empty() || symbol.ends_with(b" ") => (symbol.trim_ascii(), module),
        // `operator()` without a module.
        _ => (named, None),
    }
}

/// `name+0x1f` taken apart.
fn without_offset(text: &[u8]) -> (Option<&[u8]>, Option<u64>) {
    let plus = text.iter().rposition(|byte| *byte == b'+');
    let apart = plus.and_then(|plus| {
        let offset = text.get(plus + 1..)?.strip_prefix(b"0x")?;
        Some((text.get(..plus)?, hexadecimal(offset)?))
    });
    apart.map_or((Some(text), None), |(name, offset)| (Some(name), Some(offset)))
}

fn is_kernel(module: &[u8], address: Option<u64>) -> bool {
    const USER: [&[u8]; 6] = [b"[vdso", b"[vsyscall", b"[heap", b"[stack", b"[anon", b"[uprobes"];
    if module == b"[unknown]" {
        // The upper half of the address space is the kernel's.
        return address.is_some_and(|address| address >> 63 == 1);
    }
    (module.starts_with(b"[") && !USER.iter().any(|name| module.starts_with(name)))
        || find(module, b".ko").is_some_and(|_| module.starts_with(b"/lib/modules/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_modules_are_told_apart() {
        let cases: [(&str, &str, Option<&str>); 6] = [
            ("leaf+0x27 (/tmp/spin)", "leaf+0x27", Some("/tmp/spin")),
            (
                "std::f<int (*)(char)>::operator() (/a b/c)",
                "std::f<int (*)(char)>::operator()",
                Some("/a b/c"),
            ),
            ("x (/memfd:jit (deleted))", "x", Some("/memfd:jit (deleted)")),
            ("[unknown] ([unknown])", "[unknown]", Some("[unknown]")),
            ("operator()", "operator()", None),
            ("a)b", "a)b", None),
        ];
        for (text, symbol, module) in cases {
            assert_eq!(apart(text.as_bytes()), (symbol.as_bytes(), module.map(str::as_bytes)), "{text}");
        }
    }

    #[test]
    fn only_a_hexadecimal_offset_is_cut_off() {
        assert_eq!(without_offset(b"a+0x1f"), (Some(&b"a"[..]), Some(0x1f)));
        assert_eq!(without_offset(b"operator++"), (Some(&b"operator++"[..]), None));
        assert_eq!(without_offset(b"a+0xz"), (Some(&b"a+0xz"[..]), None));
    }
}
