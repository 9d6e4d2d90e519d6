//! `cargo xtask bench stats`: does each method of the statistics crate do what it says? C7 and the errors behind C1 to C4.

mod cover;
mod labels;
mod shape;
mod walks;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::Options;
use super::sitting::Sitting;
use super::table::{Figure, Table, Target};
use crate::process::workspace_root;
use shape::Shape;

pub(crate) fn simulate(options: &Options) -> Result<()> {
    let root = workspace_root()?;
    let mut sitting = Sitting::open(&root, "stats", options)?;
    let (pools, note) = match newest_pool(&root) {
        Some(path) => (read_pools(&path)?, format!("real A/A blocks from {}", shown(&root, &path))),
        None => (Vec::new(), "no A/A pool is stored yet: run `cargo xtask bench compare` first".to_owned()),
    };
    let mut desk = Desk {
        trials: options.trials(2_000, 200),
        seed: options.seed,
        table: Table::default(),
        rows: Vec::new(),
    };
    let steps: [(&str, Step); 9] = [
        ("intervals of runs", |desk, _| cover::of_runs(desk)),
        ("intervals of blocks", cover::of_blocks),
        ("intervals of two samples", |desk, _| cover::of_samples(desk)),
        ("percentiles", |desk, _| cover::percentiles(desk)),
        ("false alarms", walks::false_alarms),
        ("power", |desk, _| walks::power(desk)),
        ("need", |desk, _| walks::need(desk)),
        ("labels", |desk, _| labels::labels(desk)),
        ("many questions", |desk, _| labels::families(desk)),
    ];
    for (done, (name, step)) in steps.iter().enumerate() {
        sitting.progress(done, steps.len(), name);
        step(&mut desk, &pools);
        if sitting.stopped() {
            sitting.cut_short();
            break;
        }
    }
    for row in &desk.rows {
        sitting.keep(row)?;
    }
    let mut table = desk.table;
    table.note(note);
    table.note(format!("{} drawn samples a row unless n says otherwise; spread of one run 1 %", desk.trials));
    sitting.close(table)
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Where the simulations write.
pub(super) struct Desk {
    trials: u32,
    seed: u64,
    table: Table,
    rows: Vec<Value>,
}

impl Desk {
    /// Counts how often `hit` says yes; `None` from it is a draw that does not count.
    fn rate(
        &mut self,
        what: &str,
        who: &str,
        target: Target,
        trials: u32,
        mut hit: impl FnMut(u64) -> Option<bool>,
    ) {
        let first = self.seed.wrapping_mul(1_000_003);
        let said: Vec<bool> = (0..u64::from(trials)).filter_map(|trial| hit(first + trial)).collect();
        let (hits, n) = (said.iter().filter(|said| **said).count() as u64, said.len() as u64);
        self.rows.push(json!({ "what": what, "who": who, "hits": hits, "n": n }));
        self.table.rate(&Figure { goal: "C7", what, who }, hits, n, target);
    }
}

/// One group of rows.
type Step = fn(&mut Desk, &[Pool]);

/// The block ratios of a program's stored A/A trials.
pub(super) struct Pool {
    name: String,
    trials: Vec<Vec<f64>>,
}

fn newest_pool(root: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(root.join("target/bench")).ok()?.flatten();
    let pools = folders.map(|folder| folder.path().join("pool.json")).filter(|path| path.is_file());
    pools.max()
}

/// Pools of fewer than 100 blocks say nothing and are left out.
fn read_pools(path: &Path) -> Result<Vec<Pool>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let file: Value =
        serde_json::from_str(&text).with_context(|| format!("`{}` is not JSON", path.display()))?;
    let mut pools = Vec::new();
    for row in file.get("blocks").and_then(Value::as_array).into_iter().flatten() {
        for metric in ["wall", "cpu"] {
            let program = row.get("program").and_then(Value::as_str).unwrap_or("?");
            let trials = row.get(metric).and_then(Value::as_array).into_iter().flatten().map(numbers);
            let trials: Vec<Vec<f64>> = trials.filter(|blocks| blocks.len() >= 5).collect();
            if trials.iter().map(Vec::len).sum::<usize>() >= 100 {
                pools.push(Pool { name: format!("real {metric}, {program}"), trials });
            }
        }
    }
    Ok(pools)
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Every shape the intervals are tried on.
const SHAPES: [Shape; 5] =
    [Shape::Normal, Shape::Lognormal, Shape::Contaminated, Shape::Bimodal, Shape::Correlated];
