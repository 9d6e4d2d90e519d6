//! Names of generated code → function, file and line.
//!
//! Forms seen with Node 20 (`--perf-basic-prof`) and JDK 17 (`DumpPerfMapAtExit`); those of CPython's
//! trampolines follow their documentation.

mod dot_net;

use model::recording::{Language, Owner, is_java_library};

use crate::perf_map::Maker;

/// What a name in a perf map says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub language: Language,
    /// `None` when only the file can tell.
    pub owner: Option<Owner>,
}

/// Takes a name apart. What is in no known form is the name of a function in an unknown language.
#[must_use]
pub fn decode(name: &str, maker: Option<Maker>) -> Generated {
    let found = match maker {
        Some(Maker::V8) => Some(javascript(name)),
        Some(Maker::Jvm) => Some(java(name)),
        Some(Maker::DotNet) => Some(dot_net::decode(name)),
        Some(Maker::Python) => python(name),
        Some(Maker::Llvm) => compiled(name),
        None => None,
    };
    found.unwrap_or_else(|| nameless(name, Language::Unknown, None))
}

/// Whether a compiler made the code of this name from a function of the program, at its best: no interpreter, no stub, no
/// first draft that is replaced when it becomes hot.
#[must_use]
pub fn is_compiled(name: &str, maker: Option<Maker>) -> bool {
    match maker {
        Some(Maker::V8) => {
            let scripted = SCRIPTED.iter().find_map(|kind| name.strip_prefix(kind));
            scripted.is_some_and(|rest| rest.starts_with(['*', '+'])) || name.starts_with("RegExp:")
        }
        Some(Maker::Python) => false,
        Some(Maker::Jvm | Maker::DotNet) => decode(name, maker).owner != Some(Owner::Runtime),
        Some(Maker::Llvm) | None => true,
    }
}

fn nameless(name: &str, language: Language, owner: Option<Owner>) -> Generated {
    Generated { function: name.to_owned(), file: None, line: None, language, owner }
}

/// Kinds of V8 code that a function of the program stands behind.
const SCRIPTED: [&str; 5] = ["JS:", "LazyCompile:", "Function:", "Eval:", "Script:"];
/// `~` interpreted, `^` baseline, `+` and `*` optimised.
const TIERS: [char; 4] = ['~', '^', '*', '+'];

fn javascript(name: &str) -> Generated {
    let scripted = SCRIPTED.iter().find_map(|kind| Some((*kind, name.strip_prefix(kind)?)));
    let Some((kind, rest)) = scripted else {
        // Builtins, bytecode handlers and stubs are V8's own; a regular expression is compiled for the program.
        let own = name.split_once(':').filter(|(kind, _)| matches!(*kind, "Builtin" | "BytecodeHandler"));
        return nameless(own.map_or(name, |(_, inner)| inner), Language::JavaScript, Some(Owner::Runtime));
    };
    // Newer ones mark code that was made for one closure.
    let rest = rest.strip_prefix(TIERS).map_or(rest, |rest| rest.strip_prefix('\'').unwrap_or(rest));
    let (function, place) = split_place(rest);
    let (file, line, column) = split_position(place);
    let file = file.strip_prefix("file://").unwrap_or(file);
    let top = matches!(kind, "Eval:" | "Script:") || (line, column) == (Some(1), Some(1));
    let function = match function {
        "" if top => "(top level)",
        "" => "(anonymous)",
        named => named,
    };
    let owner = file.starts_with("node:").then_some(Owner::Library);
    let file = (!file.is_empty()).then(|| file.to_owned());
    Generated { function: function.to_owned(), file, line, language: Language::JavaScript, owner }
}

/// `name place`: both may hold spaces, so the place is looked for by how places begin.
fn split_place(text: &str) -> (&str, &str) {
    const BEGINNINGS: [&str; 8] = ["/", "node:", "file:", "internal/", "http", "[", "evalmachine", "wasm:"];
    let mut spaces = text.match_indices(' ').map(|(at, _)| at);
    let begins = |at: &usize| {
        text.get(at + 1..).is_some_and(|rest| BEGINNINGS.iter().any(|beginning| rest.starts_with(beginning)))
    };
    let at = spaces.clone().find(begins).or_else(|| spaces.next());
    at.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?))).unwrap_or((text, ""))
}

/// `file:line:column`, `file:line` or `file`.
fn split_position(place: &str) -> (&str, Option<u32>, Option<u32>) {
    let number = |text: &str| text.parse().ok();
    let Some((rest, last)) = place.rsplit_once(':') else { return (place, None, None) };
    let Some(last) = number(last) else { return (place, None, None) };
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
        Some((file, line)) => (file, Some(line), Some(last)),
        None => (rest, Some(last), None),
    }
}

fn java(name: &str) -> Generated {
    let method = java_method(name).or_else(|| java_descriptor(name));
    let Some(method) = method else {
        return nameless(name, Language::Java, Some(Owner::Runtime));
    };
    let owner = if is_java_library(&method) { Owner::Library } else { Owner::Project };
    nameless(&method, Language::Java, Some(owner))
}

/// `long Fib.fib(int)`: type, class and method, types of the arguments.
fn java_method(name: &str) -> Option<String> {
    let (before, _) = name.strip_suffix(')')?.split_once('(')?;
    let (result, method) = before.split_once(' ')?;
    let fits = !method.contains(' ') && method.contains('.') && !result.is_empty();
    // Hidden classes carry their address, which is another one in every run.
    fits.then(|| match method.split_once("/0x") {
        Some((class, rest)) => {
            format!("{class}{}", rest.trim_start_matches(|at: char| at.is_ascii_hexdigit()))
        }
        None => method.to_owned(),
    })
}

/// `Ljava/util/ArrayList;::add`: as agents write it.
fn java_descriptor(name: &str) -> Option<String> {
    let (class, method) = name.strip_prefix('L')?.split_once(";::")?;
    let method = method.split_once('(').map_or(method, |(method, _)| method);
    Some(format!("{}.{method}", class.replace('/', ".")))
}

/// `py::fib:/tmp/fib.py`.
fn python(name: &str) -> Option<Generated> {
    let (function, file) = name.strip_prefix("py::")?.rsplit_once(':')?;
    let file = Some(file.to_owned());
    Some(Generated {
        function: function.to_owned(),
        file,
        line: None,
        language: Language::Python,
        owner: None,
    })
}

/// `jit::dot:/tmp/dot.py:8`: a function of another language that became machine code.
fn compiled(name: &str) -> Option<Generated> {
    let (function, place) = name.strip_prefix("jit::")?.split_once(':')?;
    let (file, line, _) = split_position(place);
    Some(Generated {
        function: function.to_owned(),
        file: Some(file.to_owned()),
        line,
        language: Language::Native,
        owner: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_compiled_python_are_taken_apart() {
        check("jit::dot:/a b/dot.py:8", Maker::Llvm, "dot", (Some("/a b/dot.py"), Some(8)), None);
        check("jit::dot:/dot.py", Maker::Llvm, "dot", (Some("/dot.py"), None), None);
        check("NRT_decref", Maker::Llvm, "NRT_decref", (None, None), None);
    }

    #[track_caller]
    fn check(
        name: &str,
        maker: Maker,
        function: &str,
        place: (Option<&str>, Option<u32>),
        owner: Option<Owner>,
    ) {
        let generated = decode(name, Some(maker));
        assert_eq!(generated.function, function);
        assert_eq!((generated.file.as_deref(), generated.line), place);
        assert_eq!(generated.owner, owner);
    }

    #[test]
    fn names_of_v8_are_taken_apart() {
        let fib = Some("/path/fib.js");
        let none = (None, None);
        let runtime = Some(Owner::Runtime);
        check("JS:*fib /path/fib.js:2:15", Maker::V8, "fib", (fib, Some(2)), None);
        check("LazyCompile:~fib /path/fib.js:2:15", Maker::V8, "fib", (fib, Some(2)), None);
        check("JS:*'fib /path/fib.js:2:15", Maker::V8, "fib", (fib, Some(2)), None);
        check("JS:^ /path/fib.js:2:54", Maker::V8, "(anonymous)", (fib, Some(2)), None);
        check("JS:~ /path/fib.js:1:1", Maker::V8, "(top level)", (fib, Some(1)), None);
        check("JS:~get x /a b/fib.js:3:1", Maker::V8, "get x", (Some("/a b/fib.js"), Some(3)), None);
        check("JS:+run file:///path/fib.js:9:1", Maker::V8, "run", (fib, Some(9)), None);
        check(
            "JS:~Module._findPath node:internal/modules/cjs/loader:663:28",
            Maker::V8,
            "Module._findPath",
            (Some("node:internal/modules/cjs/loader"), Some(663)),
            Some(Owner::Library),
        );
        check("Builtin:ArrayMap", Maker::V8, "ArrayMap", none, runtime);
        check("BytecodeHandler:Ldar.Wide", Maker::V8, "Ldar.Wide", none, runtime);
        check("RegExp:a(b+)c", Maker::V8, "RegExp:a(b+)c", none, runtime);
    }

    #[test]
    fn names_of_the_jvm_are_taken_apart() {
        let none = (None, None);
        let project = Some(Owner::Project);
        check("long Fib.fib(int)", Maker::Jvm, "Fib.fib", none, project);
        check(
            "java.lang.String[] Fib.words(java.lang.String[], int, java.util.List, long[][])",
            Maker::Jvm,
            "Fib.words",
            none,
            project,
        );
        check(
            "int Fib$$Lambda$2/0x00007fd0f4001220.compare(java.lang.Object, java.lang.Object)",
            Maker::Jvm,
            "Fib$$Lambda$2.compare",
            none,
            Some(Owner::Library),
        );
        check(
            "void java.util.ArrayList.clear()",
            Maker::Jvm,
            "java.util.ArrayList.clear",
            none,
            Some(Owner::Library),
        );
        check("LFoo;::bar", Maker::Jvm, "Foo.bar", none, project);
        for stub in ["Interpreter", "I2C/C2I adapters", "monitorexit Runtime1 stub", "StubRoutines (1)"] {
            check(stub, Maker::Jvm, stub, none, Some(Owner::Runtime));
        }
    }
}
