//! Which functions run before `main`: the dynamic loader's and the C library's start-up code.

/// Names of the C library's and compiler's start-up code, whole or by their beginning.
const NAMES: [&str; 12] = [
    "_start",
    "(below main)",
    "__libc_start_call_main",
    "__libc_csu_init",
    "__libc_early_init",
    "__libc_init_first",
    "_init_first",
    "init_cacheinfo",
    "call_init",
    "_init",
    "check_stdfiles_vtables",
    "frame_dummy",
];
const BEGINNINGS: [&str; 5] = ["_dl_", "__libc_start_main", "dl_main", "__libc_init", "__libc_setup_tls"];

/// Whether a function belongs to the start of a program, by its name, source file or library.
#[must_use]
pub fn is_startup(name: &str, file: Option<&str>, module: Option<&str>) -> bool {
    // Symbols with versions: `__libc_start_main@@GLIBC_2.34`.
    let plain = name.split('@').next().unwrap_or(name);
    let loader = |path: &str| {
        let base = path.rsplit('/').next().unwrap_or(path);
        base.starts_with("ld-") || base.starts_with("ld.so")
    };
    // Debian's C library is built in folders of these names, and says so in its debug information.
    let source = |path: &str| path.starts_with("./elf/") || path.starts_with("./csu/");
    NAMES.contains(&plain)
        || BEGINNINGS.iter().any(|start| plain.starts_with(start))
        || module.is_some_and(loader)
        || file.is_some_and(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaders_and_libc_start_before_main() {
        for (name, file, module) in [
            ("_start", None, Some("/w/a")),
            ("__libc_start_main@@GLIBC_2.34", None, None),
            ("do_lookup_x", Some("./elf/./elf/dl-lookup.c"), None),
            ("strcmp", None, Some("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2")),
            ("_dl_relocate_object", None, None),
        ] {
            assert!(is_startup(name, file, module), "{name}");
        }
        for (name, file, module) in [
            ("main", Some("/w/a.c"), Some("/w/a")),
            ("malloc", Some("./malloc/./malloc/malloc.c"), Some("/usr/lib/libc.so.6")),
            ("initialise", None, Some("/w/ldap")),
        ] {
            assert!(!is_startup(name, file, module), "{name}");
        }
    }
}
