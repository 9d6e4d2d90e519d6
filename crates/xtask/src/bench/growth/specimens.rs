//! The programs in `specimens/growth` and what is known of them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::stdout_of;

/// A program of known growth.
pub(super) struct Specimen {
    pub(super) name: String,
    pub(super) argv: Vec<String>,
    /// As slowpath writes classes.
    pub(super) class: String,
    /// Of a pure power law.
    pub(super) exponent: Option<f64>,
    pub(super) sizes: String,
}

/// Compiles what is C and reads the table. Python programs are left out without an interpreter.
pub(super) fn all(root: &Path, python: Option<&Path>) -> Result<Vec<Specimen>> {
    let sources = root.join("specimens/growth");
    let programs = root.join("target/bench/growth-programs");
    fs::create_dir_all(&programs).with_context(|| format!("cannot create `{}`", programs.display()))?;
    let truth = sources.join("truth.tsv");
    let text = fs::read_to_string(&truth).with_context(|| format!("cannot read `{}`", truth.display()))?;
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, class, exponent, sizes] = fields.as_slice() else { continue };
        let source = sources.join(name);
        let argv = if let Some(stem) = name.strip_suffix(".c") {
            let program = programs.join(stem);
            let mut gcc = Command::new("gcc");
            stdout_of(gcc.args(["-O2", "-g", "-o"]).arg(&program).arg(&source)).context("install gcc")?;
            vec![program.display().to_string()]
        } else {
            let Some(python) = python else { continue };
            vec![python.display().to_string(), "-S".to_owned(), source.display().to_string()]
        };
        let (name, class, sizes) = ((*name).to_owned(), (*class).to_owned(), (*sizes).to_owned());
        all.push(Specimen { name, argv, class, exponent: exponent.parse().ok(), sizes });
    }
    Ok(all)
}
