//! The part of `cargo metadata`'s answer (format version 1) that the checks need.

use anyhow::{Context, Result};
use serde_json::Value;

#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// `None` when the manifest has no `license` field.
    pub(super) licence: Option<String>,
    pub(super) origin: Origin,
    pub(super) dependencies: Vec<Dependency>,
}

/// A line of a manifest's dependency tables, under the package's real name.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) origin: Origin,
    pub(super) table: Table,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// A path in this repository.
    House,
    ThirdParty,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Table {
    Dependencies,
    DevDependencies,
    BuildDependencies,
}

pub(super) fn packages(metadata: &[u8]) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_slice(metadata).context("`cargo metadata` does not print JSON")?;
    list(&metadata, "packages")?.iter().map(package).collect()
}

fn package(value: &Value) -> Result<Package> {
    let dependencies = list(value, "dependencies")?.iter().map(dependency);
    Ok(Package {
        name: text(value, "name")?.to_owned(),
        version: text(value, "version")?.to_owned(),
        licence: text(value, "license").ok().map(str::to_owned),
        origin: origin(value),
        dependencies: dependencies.collect::<Result<_>>()?,
    })
}

fn dependency(value: &Value) -> Result<Dependency> {
    let table = match value.get("kind").and_then(Value::as_str) {
        None => Table::Dependencies,
        Some("dev") => Table::DevDependencies,
        Some("build") => Table::BuildDependencies,
        Some(other) => anyhow::bail!("`cargo metadata` names a dependency kind `{other}`"),
    };
    Ok(Dependency { name: text(value, "name")?.to_owned(), origin: origin(value), table })
}

/// A path has no source; registries and git repositories have.
fn origin(value: &Value) -> Origin {
    match value.get("source") {
        None | Some(Value::Null) => Origin::House,
        Some(_) => Origin::ThirdParty,
    }
}

fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    let found = value.get(field).and_then(Value::as_str);
    found.with_context(|| format!("`cargo metadata` has no text `{field}`"))
}

fn list<'a>(value: &'a Value, field: &str) -> Result<&'a Vec<Value>> {
    let found = value.get(field).and_then(Value::as_array);
    found.with_context(|| format!("`cargo metadata` has no list `{field}`"))
}

/// A package of the house with these dependencies, for the tests of the checks.
#[cfg(test)]
pub(super) fn made_up(name: &str, dependencies: &[(&str, Origin, Table)]) -> Package {
    let dependency =
        |&(name, origin, table): &(&str, Origin, Table)| Dependency { name: name.to_owned(), origin, table };
    Package {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        licence: None,
        origin: Origin::House,
        dependencies: dependencies.iter().map(dependency).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_read_with_its_tables_and_origins() {
        let answer = br#"{"packages": [{
            "name": "run", "version": "0.1.0", "license": "MIT", "source": null,
            "dependencies": [
                {"name": "model", "source": null, "kind": null},
                {"name": "tempfile", "source": "registry+x", "kind": "dev"},
                {"name": "cc", "source": "registry+x", "kind": "build"}
            ]}]}"#;
        let packages = packages(answer).unwrap();
        let run = &packages[0];
        assert_eq!((run.name.as_str(), run.origin), ("run", Origin::House));
        assert_eq!(run.licence.as_deref(), Some("MIT"));
        let tables: Vec<_> = run.dependencies.iter().map(|one| one.table).collect();
        assert_eq!(tables, [Table::Dependencies, Table::DevDependencies, Table::BuildDependencies]);
        assert_eq!(run.dependencies[0].origin, Origin::House);
        assert_eq!(run.dependencies[1].origin, Origin::ThirdParty);
    }

    #[test]
    fn another_shape_is_an_error_not_an_empty_list() {
        assert!(packages(b"{}").is_err());
        assert!(packages(br#"{"packages": [{"name": "run"}]}"#).is_err());
        assert!(packages(b"cargo: not found").is_err());
    }
}
