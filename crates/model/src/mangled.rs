//! Which names of a linker are mangled ones.
//!
//! Demanglers also read bare types (Itanium's C++ ABI, 5.1.5), and `f`, `Pc` and `rd` are types: a function of C that is
//! called `Pc` would become `char*`. What compilers mangle always bears one of these beginnings.

/// Itanium's C++ and Rust's older scheme; Apple's further underscores and blocks; functions that construct what is static.
const CPP: [&str; 5] = ["_Z", "__Z", "___Z", "____Z", "_GLOBAL_"];

/// Rust's own scheme (RFC 2603).
const RUST: [&str; 2] = ["_R", "__R"];

/// Whether a demangler of C++ or Rust may read the name; [`crate::swift::demangled`] knows its own.
#[must_use]
pub fn is_mangled(name: &str) -> bool {
    CPP.iter().chain(&RUST).any(|begin| name.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_as_types_are_no_mangled_ones() {
        for name in ["f", "i", "Pc", "rd", "Rd", "St", "main", "ZN1a1bE", "_start", "RNvC1a1b", ""] {
            assert!(!is_mangled(name), "{name}");
        }
    }

    #[test]
    fn what_compilers_mangle_is_known_by_its_beginning() {
        for name in
            ["_Z1fv", "_ZN4core3fmt5write17h0123456789abcdefE", "_RNvC1a1b", "_GLOBAL__sub_I_x", "__Z1fv"]
        {
            assert!(is_mangled(name), "{name}");
        }
    }
}
