//! Whose code a frame is: the user's own, a library's, a runtime's.

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
const FOREIGN: [&str; 12] = [
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
];

/// Beginnings of paths that hold no user's sources.
const SYSTEM: [&str; 10] = [
    "/usr/",
    "/lib/",
    "/lib64/",
    "/opt/",
    "/rustc/",
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

/// `node:fs`, `<frozen importlib._bootstrap>`: no file at all.
fn is_pseudo(file: &Path) -> bool {
    let text = file.to_string_lossy();
    text.starts_with("node:") || text.starts_with('<') || text.starts_with("internal/")
}

fn is_foreign(path: &Path) -> bool {
    let slashed = format!("/{}/", path.to_string_lossy().trim_matches('/'));
    FOREIGN.iter().any(|name| slashed.contains(&format!("/{name}/"))) || is_python_library(&slashed)
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

    #[track_caller]
    fn check(file: Option<&str>, module: Option<&str>, role: Role, expected: Owner) {
        let project =
            Project { root: PathBuf::from("/srv/me/app"), program: Some(PathBuf::from("/usr/bin/grep")) };
        assert_eq!(project.owner(Place { file, module, role: Some(role) }), expected, "{file:?} {module:?}");
    }

    #[test]
    fn sources_under_the_root_are_the_users_own_unless_others_wrote_them() {
        let own = Some("/srv/me/app/target/debug/app");
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
        check(Some("node:internal/fs"), None, Role::Library, Owner::Library);
        check(
            Some("./nptl/pthread_create.c"),
            Some("/lib/x86_64-linux-gnu/libc.so.6"),
            Role::Library,
            Owner::Library,
        );
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
