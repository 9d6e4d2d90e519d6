//! Rust's standard library and the crates that most programs talk to the world with.

use model::source::TraitKind::*;

use super::super::kinds::Kind;
use super::{Group, does, gives};

pub(super) const PATHS: &[Group] = &[
    does(RegexCompile, Kind::Regex, &["Regex.new", "RegexSet.new", "RegexBuilder.new"]),
    does(
        Parse,
        Kind::Unknown,
        &[
            "serde_json.from_str",
            "serde_json.from_slice",
            "serde_json.from_reader",
            "serde_yaml.from_str",
            "toml.from_str",
            "Url.parse",
            "NaiveDate.parse_from_str",
            "csv.Reader.from_path",
            "Reader.from_path",
        ],
    ),
    does(
        Serialise,
        Kind::Text,
        &[
            "serde_json.to_string",
            "serde_json.to_vec",
            "serde_json.to_writer",
            "toml.to_string",
            "bincode.serialize",
        ],
    ),
    does(Open, Kind::File, &["File.open", "File.create", "OpenOptions.new"]),
    does(Read, Kind::Text, &["fs.read_to_string", "io.read_to_string"]),
    does(Read, Kind::List, &["fs.read", "fs.read_dir", "fs.metadata"]),
    does(Write, Kind::Unknown, &["fs.write", "io.copy"]),
    does(Connect, Kind::Socket, &["TcpStream.connect", "UnixStream.connect"]),
    does(
        Connect,
        Kind::Database,
        &[
            "Connection.open",
            "PgConnection.connect",
            "PgPool.connect",
            "Client.connect",
            "SqlitePool.connect",
            "Connection.open_in_memory",
        ],
    ),
    does(Request, Kind::Unknown, &["reqwest.get", "blocking.get", "ureq.get", "ureq.post"]),
    gives(Kind::Http, &["reqwest.Client.new", "Client.new"]),
    does(Sleep, Kind::Unknown, &["thread.sleep", "time.sleep", "thread.yield_now", "hint.spin_loop"]),
    gives(Kind::Process, &["Command.new"]),
    does(
        ThreadStart,
        Kind::Thread,
        &[
            "thread.spawn",
            "tokio.spawn",
            "task.spawn",
            "thread.scope",
            "task.spawn_blocking",
            "Builder.spawn",
        ],
    ),
    does(Copy, Kind::Unknown, &["ptr.copy", "ptr.copy_nonoverlapping"]),
    does(Copy, Kind::Text, &["String.from", "str.to_owned"]),
    does(Copy, Kind::List, &["Vec.from"]),
    does(
        Hashing,
        Kind::Hash,
        &[
            "Sha256.digest",
            "Sha256.new",
            "md5.compute",
            "crc32fast.hash",
            "blake3.hash",
            "DefaultHasher.new",
            "Sha512.digest",
            "Sha1.digest",
        ],
    ),
    does(Allocate, Kind::Unknown, &["Box.new", "Rc.new", "Arc.new"]),
    does(Allocate, Kind::Text, &["format", "alloc.format"]),
    does(Allocate, Kind::List, &["vec", "Vec.with_capacity"]),
    does(Allocate, Kind::Text, &["String.with_capacity"]),
    does(Print, Kind::Unknown, &["println", "print", "eprintln", "eprint"]),
    does(Write, Kind::Unknown, &["write", "writeln"]),
    does(
        Log,
        Kind::Unknown,
        &["log.info", "info", "debug", "warn", "error", "trace", "tracing.info", "tracing.debug"],
    ),
];

pub(super) const METHODS: &[Group] = &[
    does(Copy, Kind::Unknown, &["clone", "cloned", "clone_from"]),
    does(
        Copy,
        Kind::Text,
        &["to_string", "to_owned", "into_owned", "to_lowercase", "to_uppercase", "repeat"],
    ),
    does(Copy, Kind::List, &["to_vec", "concat", "extend_from_slice", "copy_from_slice", "clone_from_slice"]),
    does(
        Sorting,
        Kind::Unknown,
        &[
            "sort",
            "sort_by",
            "sort_by_key",
            "sort_unstable",
            "sort_unstable_by",
            "sort_unstable_by_key",
            "sort_by_cached_key",
        ],
    ),
    does(RegexMatch, Kind::Unknown, &["is_match", "captures", "captures_iter", "find_iter"]),
    does(Sync, Kind::Unknown, &["sync_all", "sync_data"]),
    does(Read, Kind::Unknown, &["read_line", "read_to_string", "read_to_end", "read_exact"]),
    does(Write, Kind::Unknown, &["write_all"]),
    does(Parse, Kind::Unknown, &["parse"]),
    does(Lock, Kind::Unknown, &["lock"]),
    does(Query, Kind::Unknown, &["query_row", "query_map", "fetch_one", "fetch_all", "prepare_cached"]),
    does(Allocate, Kind::Unknown, &["collect"]),
    gives(Kind::Text, &["trim"]),
    gives(Kind::Number, &["len", "count"]),
];
