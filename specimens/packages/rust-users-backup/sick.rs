//! Adds up the space that each owner takes in the list of a backup.

use std::collections::BTreeMap;
use std::ffi::OsString;

use users::get_user_by_uid;

struct Entry {
    uid: u32,
    bytes: u64,
}

fn list(entries: u32) -> Vec<Entry> {
    (0..entries).map(|at| Entry { uid: at * 7 % 11, bytes: u64::from(at) * 37 % 9001 }).collect()
}

fn owner(uid: u32) -> OsString {
    match get_user_by_uid(uid) {
        Some(user) => user.name().to_os_string(),
        None => uid.to_string().into(),
    }
}

fn space(entries: &[Entry]) -> BTreeMap<OsString, u64> {
    let mut space = BTreeMap::new();
    for entry in entries {
        *space.entry(owner(entry.uid)).or_default() += entry.bytes;
    }
    space
}

fn main() {
    let entries = std::env::args().nth(1).and_then(|entries| entries.parse().ok()).unwrap_or(1000);
    let space = space(&list(entries));
    println!("{} owners, {} bytes", space.len(), space.values().sum::<u64>());
}
