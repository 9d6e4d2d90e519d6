//! Names of functions by which rows come out of databases.

/// The functions of Go's and Java's libraries by which a database is asked for rows, whichever database it is.
pub(super) fn asks_for_rows(function: &str) -> bool {
    let of_go = |name: &str| {
        name.starts_with("(*Rows).")
            || name
                .split_once(").")
                .is_some_and(|(_, method)| method.to_ascii_lowercase().starts_with("query"))
    };
    function.strip_prefix("database/sql.").is_some_and(of_go) || function.ends_with(".executeQuery")
}

/// Where a database's library goes through rows, rather than preparing a statement.
pub(super) fn finds_rows(function: &str) -> bool {
    let begins = ["org.h2.command.query.Select", "org.h2.index.", "org.h2.mvstore.", "org.hsqldb.navigator."];
    function == "sqlite3_step" || begins.iter().any(|begin| function.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_asked_for_by_queries_not_by_what_is_only_done() {
        let asks =
            ["database/sql.(*DB).QueryContext", "database/sql.(*Stmt).queryDC", "database/sql.(*Rows).Next"];
        assert!(asks.iter().all(|name| asks_for_rows(name)));
        assert!(asks_for_rows("org.h2.jdbc.JdbcPreparedStatement.executeQuery"));
        let does = [
            "database/sql.(*DB).ExecContext",
            "org.h2.jdbc.JdbcPreparedStatement.executeUpdate",
            "main.Query",
        ];
        assert!(does.iter().all(|name| !asks_for_rows(name)));
    }
}
