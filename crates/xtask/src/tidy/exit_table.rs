//! The exit statuses: the enum that the binary returns against the table that users read.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use model::Exit;

use super::House;

const TABLE_FILE: &str = "README.md";
const TABLE_HEADING: &str = "## Exit status";

/// Complaints about statuses that stand in one of the two places only.
pub(super) fn complaints(house: &House) -> Result<Vec<String>> {
    let of_table = of_table(&house.text(Path::new(TABLE_FILE))?)?;
    Ok(differences(&of_enum(), &of_table))
}

/// Each status and what its place calls it.
type Statuses = BTreeMap<u8, String>;

fn differences(of_enum: &Statuses, of_table: &Statuses) -> Vec<String> {
    let undocumented = of_enum
        .iter()
        .filter(|(status, _)| !of_table.contains_key(status))
        .map(|(status, name)| format!("{status} (`Exit::{name}`) is not in {TABLE_FILE}"));
    let unreal = of_table
        .iter()
        .filter(|(status, _)| !of_enum.contains_key(status))
        .map(|(status, text)| format!("{status} ({text}) is in {TABLE_FILE} but not in `Exit`"));
    undocumented.chain(unreal).collect()
}

fn of_enum() -> Statuses {
    let status = |exit: Exit| (exit.code(), format!("{exit:?}"));
    Exit::ALL.into_iter().map(status).collect()
}

/// The rows `| number | meaning |` between the heading and the next one.
fn of_table(text: &str) -> Result<Statuses> {
    let mut lines = text.lines().map(str::trim);
    if !lines.any(|line| line == TABLE_HEADING) {
        bail!("`{TABLE_FILE}` has no heading `{TABLE_HEADING}`");
    }
    let rows = lines
        .take_while(|line| !line.starts_with("# ") && !line.starts_with("## "))
        .filter_map(|line| line.strip_prefix('|'));
    let mut statuses = Statuses::new();
    // The first two rows are the head and the rule below it.
    for row in rows.skip(2) {
        let mut cells = row.split('|').map(str::trim);
        let (Some(number), Some(meaning)) = (cells.next(), cells.next()) else {
            bail!("`|{row}` in `{TABLE_FILE}` has no second cell");
        };
        if meaning.is_empty() {
            bail!("status {number} in `{TABLE_FILE}` has no meaning");
        }
        add(&mut statuses, number.trim_matches('`'), meaning)?;
    }
    if statuses.is_empty() {
        bail!("`{TABLE_FILE}` has no table below `{TABLE_HEADING}`");
    }
    Ok(statuses)
}

fn add(statuses: &mut Statuses, number: &str, name: &str) -> Result<()> {
    let status = number.parse().with_context(|| format!("`{number}` ({name}) is no exit status"))?;
    match statuses.insert(status, name.to_owned()) {
        None => Ok(()),
        Some(other) => bail!("status {status} stands twice: {other}, {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
# slowpath

| 5 | not this one |

## Exit status

Text.

| status | meaning |
|---|---|
| 0 | answered |
| `70` | a defect |

## Next

| 9 | nor this |
";

    fn statuses(pairs: &[(u8, &str)]) -> Statuses {
        let pairs = pairs.iter();
        pairs.map(|&(status, name)| (status, name.to_owned())).collect()
    }

    #[test]
    fn only_the_rows_below_the_heading_are_read() {
        let wanted = statuses(&[(0, "answered"), (70, "a defect")]);
        assert_eq!(of_table(TABLE).unwrap(), wanted);
    }

    #[test]
    fn a_status_in_one_place_only_is_named() {
        let of_enum = statuses(&[(0, "Answered"), (4, "TargetFailed")]);
        assert_eq!(
            differences(&of_enum, &of_table(TABLE).unwrap()),
            [
                "4 (`Exit::TargetFailed`) is not in README.md",
                "70 (a defect) is in README.md but not in `Exit`"
            ]
        );
        assert!(differences(&of_enum, &of_enum).is_empty());
    }

    #[test]
    fn the_enum_has_its_numbers() {
        assert_eq!(of_enum().get(&70).map(String::as_str), Some("Defect"));
        assert_eq!(of_enum().len(), Exit::ALL.len());
    }

    #[test]
    fn what_cannot_be_read_is_an_error_not_an_empty_table() {
        let head = "## Exit status\n| status | meaning |\n|---|---|\n";
        for (rows, wanted) in [
            ("", "no table"),
            ("| 256 | too large |\n", "`256` (too large) is no exit status"),
            ("| 1 | |\n", "status 1 in `README.md` has no meaning"),
            ("| 1 | a |\n| 1 | b |\n", "stands twice: a, b"),
        ] {
            let error = of_table(&format!("{head}{rows}")).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        assert!(of_table("# slowpath\n").is_err());
    }
}
