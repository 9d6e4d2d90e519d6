//! `cargo xtask generate`: man page, completions and schemas, as the binary itself prints them.
//!
//! The files are tracked, so that a reader of a change sees what it does to the command line and
//! to the wire formats, and packagers need not run the binary.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::process::{self, cargo, stdout_of};

/// Brings the tracked files up to date.
pub(crate) fn write() -> Result<()> {
    let root = process::workspace_root()?;
    let wanted = print_all(&root)?;
    for change in changes(&root, &wanted)? {
        let path = root.join(change.path());
        match change {
            Change::Write(file) => store(&path, &file.text)?,
            Change::Remove(_) => {
                fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
            }
        }
        println!("{}", change.claim());
    }
    Ok(())
}

/// Names the stale files; any is an error.
pub(crate) fn check() -> Result<()> {
    let complaints = complaints(&process::workspace_root()?)?;
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => bail!("generated files are not up to date"),
    }
}

/// One sentence for each tracked file that differs from what the binary prints.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>> {
    let wanted = print_all(root)?;
    let changes = changes(root, &wanted)?;
    Ok(changes.iter().map(Change::complaint).collect())
}

/// What each page is called and the arguments that print it.
const PAGES: [(&str, &[&str]); 4] = [
    ("docs/generated/slowpath.1", &["man"]),
    ("completions/slowpath.bash", &["completions", "bash"]),
    ("completions/_slowpath", &["completions", "zsh"]),
    ("completions/slowpath.fish", &["completions", "fish"]),
];

const SCHEMAS: &str = "schemas";
const SCHEMA_SUFFIX: &str = ".schema.json";

/// A file as it should be, with its path in the repository.
struct Page {
    path: PathBuf,
    text: Vec<u8>,
}

fn print_all(root: &Path) -> Result<Vec<Page>> {
    let print = |words: &[&str]| {
        let run = ["run", "--quiet", "--package", "slowpath", "--", "generate"];
        stdout_of(cargo(root).args(run).args(words))
    };
    let mut pages = schema_pages(&print(&["schemas"])?)?;
    for (path, words) in PAGES {
        let text = print(words)?;
        if text.is_empty() {
            bail!("`slowpath generate {}` prints nothing", words.join(" "));
        }
        let path = PathBuf::from(path);
        pages.push(Page { path, text });
    }
    Ok(pages)
}

/// One page for each entry of the object `{"name": schema, …}`.
fn schema_pages(printed: &[u8]) -> Result<Vec<Page>> {
    let schemas: Map<String, Value> = serde_json::from_slice(printed)
        .context("`slowpath generate schemas` does not print one JSON object")?;
    if schemas.is_empty() {
        bail!("`slowpath generate schemas` prints no schema");
    }
    schemas.into_iter().map(|(name, schema)| schema_page(&name, schema)).collect()
}

fn schema_page(name: &str, mut schema: Value) -> Result<Page> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if name.starts_with('.') || name.is_empty() || !name.chars().all(plain) {
        bail!("the schema name `{name}` is no file name");
    }
    // Whether serde_json keeps the order depends on the features of the whole build.
    schema.sort_all_objects();
    let mut text = serde_json::to_vec_pretty(&schema).context("cannot print a schema")?;
    text.push(b'\n');
    let path = Path::new(SCHEMAS).join(format!("{name}{SCHEMA_SUFFIX}"));
    Ok(Page { path, text })
}

/// What it takes to bring one file up to date.
enum Change<'a> {
    Write(&'a Page),
    Remove(PathBuf),
}

impl Change<'_> {
    fn path(&self) -> &Path {
        match self {
            Self::Write(page) => &page.path,
            Self::Remove(path) => path,
        }
    }

    fn claim(&self) -> String {
        let path = self.path().display();
        match self {
            Self::Write(_) => format!("wrote {path}"),
            Self::Remove(_) => format!("removed {path}"),
        }
    }

    fn complaint(&self) -> String {
        let path = self.path().display();
        match self {
            Self::Write(_) => format!("`{path}` is stale; run `cargo xtask generate`"),
            Self::Remove(_) => {
                format!("`{path}` is no longer generated; run `cargo xtask generate`")
            }
        }
    }
}

fn changes<'a>(root: &Path, wanted: &'a [Page]) -> Result<Vec<Change<'a>>> {
    let mut changes = Vec::new();
    for page in wanted {
        if load(&root.join(&page.path))?.as_ref() != Some(&page.text) {
            changes.push(Change::Write(page));
        }
    }
    let kept: BTreeSet<_> = wanted.iter().map(|page| page.path.as_path()).collect();
    for path in schemas_on_disk(root)? {
        if !kept.contains(path.as_path()) {
            changes.push(Change::Remove(path));
        }
    }
    Ok(changes)
}

fn schemas_on_disk(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join(SCHEMAS);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot list `{}`", folder.display()))?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let name = entry.context("cannot list the schemas")?.file_name();
        if name.to_string_lossy().ends_with(SCHEMA_SUFFIX) {
            paths.push(Path::new(SCHEMAS).join(name));
        }
    }
    Ok(paths)
}

/// `None` when there is no such file yet.
fn load(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        bytes => Ok(Some(bytes.with_context(|| format!("cannot read `{}`", path.display()))?)),
    }
}

fn store(path: &Path, text: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &[u8] = br#"{"answer": {"type": "object", "$id": "a"}}"#;

    #[test]
    fn a_missing_a_stale_and_a_forgotten_file_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let wanted = schema_pages(PRINTED).unwrap();
        let complaints = || {
            let changes = changes(root, &wanted).unwrap();
            changes.iter().map(Change::complaint).collect::<Vec<_>>()
        };
        let stale = "`schemas/answer.schema.json` is stale; run `cargo xtask generate`";
        assert_eq!(complaints(), [stale]);

        store(&root.join("schemas/answer.schema.json"), b"{}\n").unwrap();
        assert_eq!(complaints(), [stale]);

        store(&root.join("schemas/answer.schema.json"), &wanted[0].text).unwrap();
        assert!(complaints().is_empty());

        store(&root.join("schemas/old.schema.json"), b"{}\n").unwrap();
        assert_eq!(
            complaints(),
            ["`schemas/old.schema.json` is no longer generated; run `cargo xtask generate`"]
        );
    }

    #[test]
    fn a_schema_is_pretty_sorted_and_ends_its_last_line() {
        let pages = schema_pages(PRINTED).unwrap();
        let text = str::from_utf8(&pages[0].text).unwrap();
        assert_eq!(text, "{\n  \"$id\": \"a\",\n  \"type\": \"object\"\n}\n");
    }

    #[test]
    fn no_schema_and_a_name_with_a_folder_are_errors() {
        assert!(schema_pages(b"{}").is_err());
        assert!(schema_pages(b"[]").is_err());
        assert!(schema_pages(br#"{"../answer": {}}"#).is_err());
    }
}
