//! Whose code a frame is: the user's own, a library's, a runtime's.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use model::recording::Owner;

use crate::module::Role;

/// What the user calls their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The working directory, or the root of its repository.
    pub root: PathBuf,
    /// The program that was asked for. `None` when it is not known.
    pub program: Option<PathBuf>,
}

/// Whether Python was given the program's text itself (`python3 -c`). `words`: the command, with the interpreter first.
#[must_use]
pub fn is_python_text<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> bool {
    let mut words = words.into_iter().map(|word| word.to_string_lossy());
    let interpreter = words.next().unwrap_or_default();
    if !is_python(&interpreter) {
        return false;
    }
    let mut flags = words.take_while(|word| word.starts_with('-'));
    flags.any(|word| !word.starts_with("--") && word.ends_with('c'))
}

/// By its name, or by that of the file that it leads to: people make links with names of their own.
fn is_python(interpreter: &str) -> bool {
    let is_name = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("python") || name.starts_with("pypy")
    };
    let called = Path::new(interpreter);
    if is_name(called) {
        return true;
    }
    let bare = !interpreter.contains('/');
    let folders = std::env::var_os("PATH").filter(|_| bare).unwrap_or_default();
    let mut beside = std::env::split_paths(&folders).map(|folder| folder.join(called));
    let found = if bare { beside.find(|path| path.is_file()) } else { Some(called.to_owned()) };
    found.and_then(|path| path.canonicalize().ok()).is_some_and(|path| is_name(&path))
}

/// Whether a frame is of a text that Python was given: libraries make functions of texts, too, and call them as operators are called.
#[must_use]
pub fn is_of_text(file: Option<&str>, function: Option<&str>) -> bool {
    file == Some("<string>")
        && function.is_some_and(|function| {
            let last = function.rsplit('.').next().unwrap_or(function);
            !last.starts_with("__")
        })
}

/// What is known of a frame's place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// Of its source.
    pub file: Option<&'a str>,
    /// Of the file its code was loaded from.
    pub module: Option<&'a str>,
    pub role: Option<Role>,
}

/// Directories that hold other people's code wherever they lie.
const FOREIGN: [&str; 16] = [
    "site-packages",
    "dist-packages",
    "node_modules",
    "vendor",
    "third_party",
    ".cargo/registry",
    ".cargo/git",
    ".rustup/toolchains",
    "go/pkg/mod",
    ".m2/repository",
    ".gradle",
    ".nuget/packages",
    // What a distribution's packages were unpacked into: a staging root inside the project.
    "usr/lib",
    "usr/share",
    "lib/x86_64-linux-gnu",
    "lib/aarch64-linux-gnu",
];

/// Beginnings of paths that hold no user's sources.
const SYSTEM: [&str; 11] = [
    "/usr/",
    "/lib/",
    "/lib64/",
    "/opt/",
    "/rustc/",
    "/rust/deps/",
    "/build/",
    "/nix/store/",
    "/gnu/store/",
    "/bin/",
    "/sbin/",
];

/// Programs and libraries that run programs, by how the names of their files begin; digits may follow.
const RUNTIMES: [&str; 30] = [
    "python",
    "libpython",
    "pypy",
    "libpypy",
    "node",
    "nodejs",
    "libnode",
    "deno",
    "bun",
    "java",
    "libjvm",
    "libjava",
    "libjimage",
    "libverify",
    "dotnet",
    "libcoreclr",
    "libclrjit",
    "mono",
    "ruby",
    "libruby",
    "perl",
    "libperl",
    "php",
    "lua",
    "luajit",
    "bash",
    "sh",
    "dash",
    "zsh",
    "beam.smp",
];

/// How names of functions begin that a linker takes from the system's libraries into a program. C leaves names with two underscores,
/// or one and a capital, to its library; see [`is_linked_in`].
const LINKED_BEGINS: [&str; 13] = [
    "_int_",
    "_dl_",
    "_nl_",
    "_mid_memalign",
    "std::",
    "core::",
    "alloc::",
    "<std::",
    "<core::",
    "<alloc::",
    "operator new",
    "operator delete",
    "__gnu_cxx::",
];

/// The C library's functions that programs spend time in.
const LINKED: [&str; 68] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "cfree",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "malloc_consolidate",
    "sysmalloc",
    "systrim.constprop.0",
    "unlink_chunk",
    "unlink_chunk.isra.0",
    "tcache_init",
    "arena_get2",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "memrchr",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strchr",
    "strrchr",
    "strstr",
    "strtok",
    "strtok_r",
    "strdup",
    "strtol",
    "strtoul",
    "strtod",
    "atoi",
    "atof",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vfprintf",
    "vsnprintf",
    "puts",
    "fputs",
    "fputc",
    "putc",
    "fgets",
    "fgetc",
    "getc",
    "getline",
    "getdelim",
    "fread",
    "fwrite",
    "fopen",
    "fclose",
    "fflush",
    "fseek",
    "sscanf",
    "qsort",
    "qsort_r",
    "bsearch",
    "msort_with_tmp",
    "rand",
    "random",
];

/// Whether a function that no source is known of came into its program from one of the system's libraries: in a static program they
/// are all in one file.
#[must_use]
pub fn is_linked_in(function: &str) -> bool {
    let mut letters = function.chars();
    let mut reserved = || {
        letters.next() == Some('_')
            && letters.next().is_some_and(|next| next == '_' || next.is_ascii_uppercase())
    };
    // A name that stayed mangled is anybody's.
    let mangled = model::mangled::is_mangled(function);
    LINKED.contains(&function)
        || LINKED_BEGINS.iter().any(|begin| function.starts_with(begin))
        || (!mangled && reserved())
}

impl Project {
    #[must_use]
    pub fn owner(&self, place: Place<'_>) -> Owner {
        let file = place.file.map(Path::new);
        if let Some(file) = file
            && self.holds(file)
        {
            return Owner::Project;
        }
        if place.module.is_some_and(is_runtime) {
            return Owner::Runtime;
        }
        if file.is_some_and(|file| is_pseudo(file) || is_foreign(file) || is_system(file)) {
            return Owner::Library;
        }
        match place.module.map(Path::new) {
            Some(module) if self.is_own_module(module, place.role) => Owner::Project,
            Some(_) => Owner::Library,
            // A script whose sources lie elsewhere is still not the runtime's.
            None if file.is_some() => Owner::Library,
            None => Owner::Unknown,
        }
    }

    /// Whether a source is the user's own. Relative paths are taken to begin at the root.
    fn holds(&self, file: &Path) -> bool {
        if is_pseudo(file) {
            return false;
        }
        let inside = if file.is_absolute() { file.strip_prefix(&self.root).ok() } else { Some(file) };
        let inside = inside.filter(|_| !self.root.as_os_str().is_empty());
        inside.is_some_and(|inside| {
            !is_foreign(inside) && !inside.starts_with("..") && !is_generic_relative(file)
        })
    }

    /// The program asked for is the user's own, whatever it is; so are programs outside the system's directories and
    /// libraries under the root.
    fn is_own_module(&self, module: &Path, role: Option<Role>) -> bool {
        if self.program.as_deref() == Some(module) {
            return true;
        }
        if is_foreign(module) || is_system(module) {
            return false;
        }
        role == Some(Role::Program) || module.starts_with(&self.root)
    }
}

/// `../sysdeps/unix/syscall.S`: relative to where a distribution built it.
fn is_generic_relative(file: &Path) -> bool {
    file.is_relative() && matches!(file.components().next(), Some(Component::ParentDir | Component::CurDir))
}

/// `node:fs`, `<frozen importlib._bootstrap>`, Go's `<autogenerated>` in its package's folder: no file at all.
fn is_pseudo(file: &Path) -> bool {
    let text = file.to_string_lossy();
    let made = file.ends_with("<autogenerated>");
    made || text.starts_with("node:") || text.starts_with('<') || text.starts_with("internal/")
}

fn is_foreign(path: &Path) -> bool {
    let slashed = format!("/{}/", path.to_string_lossy().trim_matches('/'));
    FOREIGN.iter().any(|name| slashed.contains(&format!("/{name}/")))
        || is_python_library(&slashed)
        || is_trimmed_go(path)
}

/// What Go's own library begins with.
const GO: [&str; 46] = [
    "archive",
    "bufio",
    "builtin",
    "bytes",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
];

/// `go build -trimpath` leaves of a path what others can know: the package, or the module with its version.
fn is_trimmed_go(path: &Path) -> bool {
    let is_go = path.extension().is_some_and(|extension| extension == "go" || extension == "s");
    let text = path.to_string_lossy();
    let package = text.trim_start_matches("./").split_once('/').is_some_and(|(first, _)| GO.contains(&first));
    is_go && path.is_relative() && (package || text.contains("@v"))
}

/// `…/lib/python3.11/…`.
fn is_python_library(slashed: &str) -> bool {
    slashed.match_indices("/lib/python").any(|(at, mark)| {
        slashed
            .get(at + mark.len()..)
            .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
    })
}

pub(crate) fn is_system(path: &Path) -> bool {
    let text = path.to_string_lossy();
    SYSTEM.iter().any(|start| text.starts_with(start)) || text.starts_with("[vdso]")
}

fn is_runtime(module: &str) -> bool {
    let name = module.rsplit('/').next().unwrap_or(module);
    RUNTIMES.iter().any(|runtime| {
        name.strip_prefix(runtime).is_some_and(|rest| {
            let rest =
                rest.trim_start_matches(|next: char| next.is_ascii_digit() || next == '.' || next == '-');
            rest.is_empty() || rest.starts_with("so") || matches!(rest, "d" | "t" | "m" | "dm")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_is_known_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("python3.11"), folder.path().join("py"));
        std::fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let words = [link.as_os_str(), OsStr::new("-c"), OsStr::new("f()")];
        assert!(is_python_text(words));
        assert!(!is_python_text([folder.path().join("nothing").as_os_str(), OsStr::new("-c")]));
    }

    #[test]
    fn a_text_on_the_command_line_is_the_users_own() {
        let is_text = |command: &str| is_python_text(command.split(' ').map(OsStr::new));
        for command in ["python3 -c pass", "/usr/bin/python3.11 -u -c pass", "python -Ic pass"] {
            assert!(is_text(command), "{command}");
        }
        for command in ["python3 -m c", "python3 script.py -c", "bash -c pass", "python3", "python3 --c"] {
            assert!(!is_text(command), "{command}");
        }
        assert!(is_of_text(Some("<string>"), Some("work.<locals>.<genexpr>")));
        assert!(!is_of_text(Some("<string>"), Some("Point.__init__")));
        assert!(!is_of_text(Some("a.py"), Some("work")));
    }

    #[track_caller]
    fn check(file: Option<&str>, module: Option<&str>, role: Role, expected: Owner) {
        let project =
            Project { root: PathBuf::from("/srv/me/app"), program: Some(PathBuf::from("/usr/bin/grep")) };
        assert_eq!(project.owner(Place { file, module, role: Some(role) }), expected, "{file:?} {module:?}");
    }

    #[test]
    fn sources_under_the_root_are_the_users_own_unless_others_wrote_them() {
        let own = Some("/srv/me/app/target/debug/app");
        check(Some("/rust/deps/hashbrown-0.15.2/src/raw/mod.rs"), own, Role::Program, Owner::Library);
        check(Some("/srv/me/app/src/main.rs"), own, Role::Program, Owner::Project);
        check(Some("src/main.rs"), own, Role::Program, Owner::Project);
        check(Some("/srv/me/app/node_modules/x/i.js"), None, Role::Library, Owner::Library);
        check(
            Some("/srv/me/app/.venv/lib/python3.11/site-packages/x.py"),
            None,
            Role::Library,
            Owner::Library,
        );
        check(Some("/rustc/abc/library/core/src/fmt.rs"), own, Role::Program, Owner::Library);
        check(Some("/srv/me/.cargo/registry/src/x/lib.rs"), own, Role::Program, Owner::Library);
        check(Some("/usr/include/c++/12/bits/stl_vector.h"), own, Role::Program, Owner::Library);
        check(Some("/usr/lib/go-1.19/src/runtime/proc.go"), own, Role::Program, Owner::Library);
        check(Some("/srv/me/go/pkg/mod/x@v1/x.go"), own, Role::Program, Owner::Library);
        check(Some("runtime/internal/syscall/asm_linux_amd64.s"), own, Role::Program, Owner::Library);
        check(Some("./sync/mutex.go"), own, Role::Program, Owner::Library);
        check(Some("github.com/x/y@v1.2.3/y.go"), own, Role::Program, Owner::Library);
        check(Some("example.org/shop/basket.go"), own, Role::Program, Owner::Project);
        check(Some("sort.go"), own, Role::Program, Owner::Project);
        check(Some("node:internal/fs"), None, Role::Library, Owner::Library);
        check(
            Some("./nptl/pthread_create.c"),
            Some("/lib/x86_64-linux-gnu/libc.so.6"),
            Role::Library,
            Owner::Library,
        );
    }

    #[test]
    fn what_a_linker_takes_from_the_system_is_known_by_its_name() {
        for name in
            ["malloc", "_int_free", "__libc_malloc", "_IO_file_xsputn", "__memmove_avx_unaligned_erms"]
        {
            assert!(is_linked_in(name), "{name}");
        }
        for name in
            ["alloc::raw_vec::finish_grow", "<core::str::Chars as x>::next", "operator new(unsigned long)"]
        {
            assert!(is_linked_in(name), "{name}");
        }
        for name in [
            "make",
            "main",
            "malloc_table",
            "_ZN4shop4sellEv",
            "_RNvC4shop4sell",
            "_sell",
            "shop::sell",
            "stdlike::x",
        ] {
            assert!(!is_linked_in(name), "{name}");
        }
    }

    #[test]
    fn a_program_without_debug_information_is_the_users_own_unless_it_runs_programs() {
        check(None, Some("/srv/me/app/a.out"), Role::Program, Owner::Project);
        check(None, Some("/tmp/a.out"), Role::Program, Owner::Project);
        check(None, Some("/usr/bin/grep"), Role::Program, Owner::Project);
        check(None, Some("/usr/bin/make"), Role::Program, Owner::Library);
        check(None, Some("/usr/bin/python3.11"), Role::Program, Owner::Runtime);
        check(None, Some("/usr/lib/libpython3.11.so.1.0"), Role::Library, Owner::Runtime);
        check(None, Some("/usr/bin/node"), Role::Program, Owner::Runtime);
        check(None, Some("/usr/lib/jvm/x/lib/server/libjvm.so"), Role::Library, Owner::Runtime);
        check(None, Some("/lib/x86_64-linux-gnu/libc.so.6"), Role::Library, Owner::Library);
        check(None, Some("/srv/me/shop"), Role::Program, Owner::Project);
        check(None, None, Role::Library, Owner::Unknown);
    }
}
