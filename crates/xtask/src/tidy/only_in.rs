//! Which third-party crate may be named in which manifest, so that each kind of work has one home.

use super::metadata::{Origin, Package, Table};

/// A third-party crate and the crates of the house that may name it.
struct Row {
    name: &'static str,
    code: Crates,
    /// Those that may name it in addition, for their tests alone.
    tests: Crates,
}

enum Crates {
    All,
    Only(&'static [&'static str]),
}

use Crates::{All, Only};

const ROWS: [Row; 42] = [
    row("addr2line", Only(&["inspect"]), Only(&[])),
    row("anstream", Only(&["slowpath"]), Only(&[])),
    row("anstyle", Only(&["report", "slowpath"]), Only(&[])),
    row("anyhow", Only(&["xtask"]), Only(&[])),
    row("blazesym", Only(&["stacks"]), Only(&[])),
    row("clap", Only(&["slowpath", "xtask"]), Only(&[])),
    row("clap_complete", Only(&["slowpath"]), Only(&[])),
    row("clap_mangen", Only(&["slowpath"]), Only(&[])),
    row("cpp_demangle", Only(&["stacks"]), Only(&[])),
    row("disarm64", Only(&["inspect"]), Only(&[])),
    row("flate2", Only(&["history", "inspect", "report", "slowpath", "tools", "xtask"]), Only(&[])),
    row("framehop", Only(&["stacks"]), Only(&[])),
    row("gimli", Only(&["inspect", "stacks"]), Only(&[])),
    row("iced-x86", Only(&["inspect"]), Only(&[])),
    row("jiff", Only(&["history", "model", "slowpath"]), Only(&[])),
    row("jsonschema", Only(&[]), Only(&["report", "slowpath"])),
    row("libc", Only(&["history", "run", "stacks", "xtask"]), Only(&["slowpath"])),
    row("linux-perf-data", Only(&["tools"]), Only(&[])),
    row("memmap2", Only(&["stacks"]), Only(&[])),
    row("object", Only(&["inspect", "run", "stacks"]), Only(&[])),
    row("perf-event-open-sys", Only(&["run"]), Only(&[])),
    row("proptest", Only(&[]), All),
    row("prost", Only(&["report", "tools"]), Only(&[])),
    row("rustc-demangle", Only(&["stacks"]), Only(&[])),
    row("schemars", Only(&["model", "report"]), Only(&[])),
    row("serde", All, All),
    row("serde_json", All, All),
    row("sha2", Only(&["history", "report", "run", "slowpath"]), Only(&[])),
    row("shlex", Only(&["slowpath"]), Only(&[])),
    row("tempfile", Only(&["xtask"]), All),
    row("thiserror", All, All),
    row("toml", Only(&["slowpath", "xtask"]), Only(&["tools"])),
    row("tree-sitter", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-c", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-cpp", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-go", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-java", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-javascript", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-python", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-rust", Only(&["inspect"]), Only(&[])),
    row("tree-sitter-typescript", Only(&["inspect"]), Only(&[])),
    row("unicode-width", Only(&["report"]), Only(&[])),
];

const fn row(name: &'static str, code: Crates, tests: Crates) -> Row {
    Row { name, code, tests }
}

impl Crates {
    fn has(&self, name: &str) -> bool {
        match self {
            All => true,
            Only(names) => names.contains(&name),
        }
    }
}

/// One complaint for each dependency that stands in a manifest where it does not belong.
pub(super) fn complaints(packages: &[Package]) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in packages {
        if package.origin == Origin::ThirdParty {
            continue;
        }
        for dependency in &package.dependencies {
            if dependency.origin == Origin::ThirdParty {
                complaints.extend(complaint(&package.name, &dependency.name, dependency.table));
            }
        }
    }
    complaints
}

fn complaint(from: &str, to: &str, table: Table) -> Option<String> {
    let Some(row) = ROWS.iter().find(|row| row.name == to) else {
        return Some(format!(
            "`{from}` depends on `{to}`, which has no row in crates/xtask/src/tidy/only_in.rs"
        ));
    };
    let for_tests = table == Table::DevDependencies && row.tests.has(from);
    if row.code.has(from) || for_tests {
        return None;
    }
    Some(match row.tests.has(from) {
        true => format!("`{from}` may name `{to}` only in its dev-dependencies"),
        false => format!("`{from}` may not name `{to}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::metadata::made_up;
    use super::*;

    fn check(from: &str, to: &str, table: Table, wanted: &[&str]) {
        let house = [made_up(from, &[(to, Origin::ThirdParty, table)])];
        assert_eq!(complaints(&house), wanted);
    }

    #[test]
    fn a_crate_at_home_passes() {
        check("run", "libc", Table::Dependencies, &[]);
        check("slowpath", "libc", Table::DevDependencies, &[]);
        check("model", "serde", Table::Dependencies, &[]);
        check("stats", "proptest", Table::DevDependencies, &[]);
    }

    #[test]
    fn a_crate_in_the_wrong_room_is_named() {
        let wanted = ["`report` may not name `libc`"];
        check("report", "libc", Table::Dependencies, &wanted);
        check("report", "libc", Table::BuildDependencies, &wanted);
        let wanted = ["`run` may not name `anyhow`"];
        check("run", "anyhow", Table::DevDependencies, &wanted);
    }

    #[test]
    fn a_test_crate_in_the_code_is_named() {
        let wanted = ["`slowpath` may name `libc` only in its dev-dependencies"];
        check("slowpath", "libc", Table::Dependencies, &wanted);
    }

    #[test]
    fn a_stranger_is_named() {
        let wanted = ["`run` depends on `nix`, which has no row in crates/xtask/src/tidy/only_in.rs"];
        check("run", "nix", Table::Dependencies, &wanted);
    }

    #[test]
    fn each_row_stands_once_and_in_order() {
        assert!(ROWS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
