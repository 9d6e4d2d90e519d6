//! Who in the workspace may depend on whom. The picture is in ARCHITECTURE.md.

use super::metadata::{Origin, Package};

/// A crate of the house and those that may name it, besides the binary, which may name all.
/// Everyone may name [`NOUNS`]; nobody may name a crate without a row.
const NAMED_BY: [(&str, &[&str]); 4] = [
    ("stats", &["diagnose", "net", "xtask"]),
    ("stacks", &["run", "tools"]),
    ("run", &["xtask"]),
    ("tools", &["xtask"]),
];

const NOUNS: &str = "model";
const BINARY: &str = "slowpath";
const TASKS: &str = "xtask";

/// One complaint for each edge that is not allowed, in whichever dependency table it stands.
pub(super) fn complaints(packages: &[Package]) -> Vec<String> {
    let ours = packages.iter().filter(|package| package.origin == Origin::House);
    let mut complaints = Vec::new();
    for package in ours {
        for dependency in &package.dependencies {
            if dependency.origin == Origin::House && !allowed(&package.name, &dependency.name) {
                complaints.push(format!("`{}` may not depend on `{}`", package.name, dependency.name));
            }
        }
    }
    complaints
}

fn allowed(from: &str, to: &str) -> bool {
    if to == BINARY || to == TASKS {
        return false;
    }
    let named_by = NAMED_BY.iter().find(|(name, _)| *name == to);
    to == NOUNS || from == BINARY || named_by.is_some_and(|(_, crates)| crates.contains(&from))
}

#[cfg(test)]
mod tests {
    use super::super::metadata::{Table, made_up};
    use super::*;

    fn check(from: &str, to: &str, complaints_wanted: &[&str]) {
        let house = [made_up(from, &[(to, Origin::House, Table::Dependencies)])];
        assert_eq!(complaints(&house), complaints_wanted, "{from} -> {to}");
    }

    #[test]
    fn an_edge_of_the_picture_passes() {
        for (from, to) in [
            ("report", "model"),
            ("diagnose", "stats"),
            ("xtask", "stats"),
            ("xtask", "run"),
            ("run", "stacks"),
            ("slowpath", "history"),
        ] {
            check(from, to, &[]);
        }
    }

    #[test]
    fn any_other_edge_is_named() {
        check("report", "stats", &["`report` may not depend on `stats`"]);
        check("tools", "run", &["`tools` may not depend on `run`"]);
        check("diagnose", "tools", &["`diagnose` may not depend on `tools`"]);
        check("slowpath", "xtask", &["`slowpath` may not depend on `xtask`"]);
        check("model", "stats", &["`model` may not depend on `stats`"]);
        check("run", "slowpath", &["`run` may not depend on `slowpath`"]);
    }

    #[test]
    fn a_test_dependency_is_an_edge_too() {
        let house = [made_up("report", &[("stats", Origin::House, Table::DevDependencies)])];
        assert_eq!(complaints(&house).len(), 1);
    }

    #[test]
    fn a_third_party_is_not_an_edge() {
        let house = [made_up("stats", &[("run", Origin::ThirdParty, Table::Dependencies)])];
        assert!(complaints(&house).is_empty());
    }
}
