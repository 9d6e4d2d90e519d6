//! What the name of a file tells of the code in it.

use model::recording::{Frame, Language, Owner};

use super::lines::{hexadecimal, lossy};

/// The language a source file is written in, by its name.
pub(super) fn language(file: &str) -> Option<Language> {
    if file.starts_with("node:") || file.starts_with("file://") {
        return Some(Language::JavaScript);
    }
    if file.starts_with("<frozen ") || file.starts_with("<string>") {
        return Some(Language::Python);
    }
    let (_, ending) = file.rsplit_once('.')?;
    Some(match ending {
        "py" | "pyx" => Language::Python,
        "js" | "mjs" | "cjs" | "ts" | "tsx" | "jsx" => Language::JavaScript,
        "go" => Language::Go,
        "rs" => Language::Rust,
        "c" => Language::C,
        "cc" | "cpp" | "cxx" | "hpp" => Language::Cpp,
        "java" | "kt" | "scala" => Language::Java,
        "cs" | "fs" => Language::DotNet,
        "swift" => Language::Swift,
        _ => return None,
    })
}

/// Whose code a Python or JavaScript file holds, as far as its path tells; unknown for everything else.
pub(super) fn owner(language: Language, file: &str) -> Owner {
    let inside = |folder: &str| file.contains(folder);
    match language {
        Language::Python if file.starts_with("<frozen ") => Owner::Library,
        Language::Python if inside("site-packages/") || inside("dist-packages/") || inside("lib/python") => {
            Owner::Library
        }
        Language::JavaScript if file.starts_with("node:") || inside("node_modules/") => Owner::Library,
        // A path from the root that is no library's; a shortened one does not tell.
        Language::Python if file.starts_with('/') => Owner::Project,
        Language::JavaScript if file.starts_with('/') || file.starts_with("file://") => Owner::Project,
        _ => Owner::Unknown,
    }
}

/// Puts a frame into a file: file, line, language and owner.
pub(super) fn put(frame: &mut Frame, file: &str, line: Option<u32>) {
    if file.is_empty() {
        return;
    }
    frame.file = Some(file.strip_prefix("file://").map_or_else(|| file.to_owned(), path_of_url));
    frame.line = line.filter(|line| *line > 0);
    if let Some(language) = language(file) {
        frame.language = language;
        frame.owner = owner(language, file);
    }
}

/// `%20` and the like are bytes.
fn path_of_url(text: &str) -> String {
    let mut path = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = (*first == b'%').then(|| behind.get(..2).and_then(hexadecimal)).flatten();
        match code.and_then(|code| u8::try_from(code).ok()) {
            Some(byte) => {
                path.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                path.push(*first);
                rest = behind;
            }
        }
    }
    lossy(&path)
}

/// A name that a runtime gave its own code in a perf map, taken apart.
pub(super) fn from_map(frame: &mut Frame, symbol: &str) -> bool {
    if let Some(rest) = symbol.strip_prefix("py::") {
        let (function, file) = rest.split_once(':').unwrap_or((rest, ""));
        frame.language = Language::Python;
        frame.function = Some(function.to_owned());
        put(frame, file, None);
        return true;
    }
    // V8: `LazyCompile:*name /path/file.js:1:2`, `JS:^name node:internal/x:3:4`.
    const KINDS: [&str; 6] = ["LazyCompile:", "JS:", "Function:", "Script:", "Eval:", "Interpreted:"];
    let Some(rest) = KINDS.iter().find_map(|kind| symbol.strip_prefix(kind)) else { return false };
    let (function, place) = rest.split_once(' ').unwrap_or((rest, ""));
    let function = function.trim_start_matches(['*', '~', '^', '+']);
    frame.language = Language::JavaScript;
    frame.function = Some(if function.is_empty() { "(anonymous)".into() } else { function.into() });
    // `file:line:column` or `file:line`.
    let (before, last) = with_line(place);
    let (file, line) = with_line(before);
    put(frame, file, line.or(last));
    true
}

/// `file:line` taken apart.
pub(super) fn with_line(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once(':') {
        Some((file, line)) if !file.is_empty() => match line.parse() {
            Ok(line) => (file, Some(line)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::named;
    use super::*;

    #[test]
    fn paths_tell_whose_code_it_is() {
        let cases = [
            ("/srv/app/main.py", Owner::Project),
            ("/usr/lib/python3.11/json/encoder.py", Owner::Library),
            ("/v/lib/python3.12/site-packages/numpy/core.py", Owner::Library),
            ("json/encoder.py", Owner::Unknown),
            ("node:internal/modules/run_main", Owner::Library),
            ("file:///app/node_modules/x/i.js", Owner::Library),
            ("file:///app/i.mjs", Owner::Project),
            ("main.c", Owner::Unknown),
        ];
        for (file, expected) in cases {
            let found = owner(language(file).unwrap_or(Language::Native), file);
            assert_eq!(found, expected, "{file}");
        }
    }

    #[test]
    fn names_of_runtimes_are_taken_apart() {
        let cases = [
            ("py::work:/a/spin.py", "work", "/a/spin.py", None),
            ("LazyCompile:*inner /a/spin.js:2:15", "inner", "/a/spin.js", Some(2)),
            (
                "JS:^Module._load node:internal/modules/cjs/loader:1003:24",
                "Module._load",
                "node:internal/modules/cjs/loader",
                Some(1003),
            ),
            ("JS:~ file:///a/b%20c%.mjs:7:1", "(anonymous)", "/a/b c%.mjs", Some(7)),
        ];
        for (symbol, function, file, line) in cases {
            let mut frame = named(symbol.into());
            assert!(from_map(&mut frame, symbol), "{symbol}");
            assert_eq!(frame.function.as_deref(), Some(function), "{symbol}");
            assert_eq!((frame.file.as_deref(), frame.line), (Some(file), line), "{symbol}");
        }
        assert!(!from_map(&mut named("x".into()), "std::map"));
    }
}
