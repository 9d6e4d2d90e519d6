//! SQLite's files by their first bytes ("Database File Format" of its manual), and by the names it gives them.

/// What a file is. `None` when it is not SQLite's.
pub(super) fn format(path: &str, head: Option<&str>) -> Option<&'static str> {
    let begins = |with: &str| head.is_some_and(|head| head.starts_with(with));
    if begins("53514c69746520666f726d6174203300") {
        return Some("SQLite database");
    }
    // A journal that is no longer needed is overwritten with zeros, so its name counts too.
    if begins("d9d505f920a163d7")
        || (path.ends_with("-journal") && (head.is_none() || begins("0000000000000000")))
    {
        return Some("SQLite journal");
    }
    if begins("377f0682") || begins("377f0683") {
        return Some("SQLite write-ahead log");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        assert_eq!(format("/x", Some("53514c69746520666f726d6174203300")), Some("SQLite database"));
        assert_eq!(format("/x-journal", Some("d9d505f920a163d700000000")), Some("SQLite journal"));
        assert_eq!(format("/x-journal", None), Some("SQLite journal"));
        assert_eq!(format("/x-wal", Some("377f0682002de218")), Some("SQLite write-ahead log"));
        assert_eq!(format("/x", Some("7f454c46")), None);
        assert_eq!(format("/x", None), None);
    }
}
