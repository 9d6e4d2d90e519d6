//! Weighs the harvest of an orchard: each tree with the crates that were picked from it.

use std::error::Error;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

diesel::table! {
    trees (id) { id -> Integer, variety -> Text, }
}
diesel::table! {
    crates (id) { id -> Integer, tree_id -> Integer, kilos -> Integer, }
}

#[derive(Queryable, Identifiable)]
#[diesel(table_name = trees)]
struct Tree {
    id: i32,
    variety: String,
}

#[derive(Queryable, Identifiable, Associations)]
#[diesel(belongs_to(Tree), table_name = crates)]
struct Crate {
    id: i32,
    tree_id: i32,
    kilos: i32,
}

fn plant(orchard: &mut SqliteConnection, count: i32) -> QueryResult<()> {
    orchard.batch_execute(
        "CREATE TABLE trees (id INTEGER PRIMARY KEY, variety TEXT NOT NULL);
         CREATE TABLE crates (id INTEGER PRIMARY KEY, tree_id INTEGER NOT NULL, kilos INTEGER NOT NULL);
         CREATE INDEX crates_of_tree ON crates (tree_id);",
    )?;
    orchard.batch_execute(&format!(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count} - 1)
         INSERT INTO trees SELECT i, 'variety ' || (i % 12) FROM n;
         INSERT INTO crates SELECT id * 2 + k, id, 10 + (id * 7 + k) % 15 FROM trees, (SELECT 0 AS k UNION SELECT 1);"
    ))
}

fn weigh(orchard: &mut SqliteConnection) -> QueryResult<Vec<(String, i32)>> {
    let all: Vec<Tree> = trees::table.order(trees::id).load(orchard)?;
    let crates: Vec<Crate> = crates::table.order(crates::id).load(orchard)?;
    let mut weights = Vec::new();
    for (picked, tree) in crates.grouped_by(&all).into_iter().zip(all) {
        weights.push((tree.variety, picked.iter().map(|one| one.kilos).sum()));
    }
    Ok(weights)
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).ok_or("how many trees?")?.parse()?;
    let file = std::env::temp_dir().join(format!("orchard-{}.db", std::process::id()));
    let mut orchard = SqliteConnection::establish(file.to_str().ok_or("a folder with an odd name")?)?;
    plant(&mut orchard, count)?;
    let weights = weigh(&mut orchard)?;
    std::fs::remove_file(file)?;
    let first: i32 = weights.iter().filter(|(variety, _)| variety == "variety 0").map(|(_, kilos)| kilos).sum();
    println!("{} {}", weights.len(), first);
    Ok(())
}
