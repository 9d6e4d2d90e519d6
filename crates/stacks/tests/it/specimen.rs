//! Small programs, compiled for the test.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Says it is ready and then works for ever in `leaf`, called by `middle`, `outer`, `main`.
pub(crate) const SPIN: &str = r#"
#include <stdlib.h>
#include <unistd.h>
#include <stdint.h>
volatile uint64_t sink;
__attribute__((noinline)) uint64_t tiny(uint64_t x) { return x * 2862933555777941757ull + 3037000493ull; }
__attribute__((noinline)) uint64_t leaf(uint64_t x, int depth) {
    uint64_t many[8] = {x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7};
    for (int i = 0; i < 1000; i++) many[i & 7] = tiny(many[(i + depth) & 7]) ^ sink;
    return many[0] ^ many[3];
}
__attribute__((noinline)) uint64_t middle(uint64_t x, int depth) { return leaf(x, depth) + leaf(x + 1, depth) + 1; }
__attribute__((noinline)) uint64_t outer(uint64_t x) { uint64_t y = middle(x, 3); return y ^ middle(y, 4); }
int main(void) {
    write(1, "r", 1);
    for (uint64_t i = 0;; i++) sink ^= outer(i);
}
"#;

/// A directory with programs in it.
pub(crate) struct Bench {
    directory: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Compiles a source; `None`, said aloud, when the compiler is missing.
    pub(crate) fn compile(
        &self,
        compiler: &str,
        file: &str,
        source: &str,
        flags: &[&str],
    ) -> Option<PathBuf> {
        let source_path = self.path().join(file);
        std::fs::write(&source_path, source).unwrap();
        let program = source_path.with_extension("out");
        let mut command = Command::new(compiler);
        command
            .current_dir(self.path())
            .args(flags)
            .arg("-o")
            .arg(&program)
            .arg(&source_path)
            .env_remove("CFLAGS");
        if compiler == "gcc" || compiler == "g++" {
            command.arg("-pthread");
        }
        let Ok(output) = command.output() else {
            eprintln!("skipped: no {compiler} here");
            return None;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    }
}
