//! Well-known calls: what they do and what they give. Only names that mean one thing stand here without a receiver.

mod go;
mod java;
mod native;
mod python;
mod rust;
mod script;

use model::source::{Language, TraitKind};

use super::calls::Call;
use super::kinds::Kind;

/// Calls that do the same and give the same.
pub(super) struct Group {
    pub(super) does: Option<TraitKind>,
    pub(super) gives: Kind,
    names: &'static [&'static str],
}

const fn does(does: TraitKind, gives: Kind, names: &'static [&'static str]) -> Group {
    Group { does: Some(does), gives, names }
}

/// Calls that are known only for what they give.
const fn gives(gives: Kind, names: &'static [&'static str]) -> Group {
    Group { does: None, gives, names }
}

/// Methods of things whose kind is known, the same in all languages unless said otherwise.
struct Methods {
    on: Kind,
    groups: &'static [Group],
}

/// What is known of a call on a receiver of that kind.
pub(super) fn find(language: Language, call: &Call<'_>, receiver: Kind) -> Option<&'static Group> {
    let (paths, methods) = tables(language);
    let named =
        |groups: &'static [Group], name: &str| groups.iter().find(|group| group.names.contains(&name));
    if let Some(group) = named(paths, &call.path).or_else(|| named(paths, call.tail())) {
        return Some(group);
    }
    // Text that grows in memory has methods named like those of files.
    if call.receiver.is_none() || receiver == Kind::Builder {
        return None;
    }
    let on = METHODS.iter().find(|methods| methods.on == receiver);
    if let Some(group) = on.and_then(|on| named(on.groups, call.name)) {
        return Some(group);
    }
    named(methods, call.name)
}

/// Functions by path, and methods that mean one thing whatever they are called on.
fn tables(language: Language) -> (&'static [Group], &'static [Group]) {
    match language {
        Language::Python => (python::PATHS, python::METHODS),
        Language::JavaScript | Language::TypeScript => (script::PATHS, script::METHODS),
        Language::Java => (java::PATHS, java::METHODS),
        Language::C | Language::Cpp => (native::PATHS, native::METHODS),
        Language::Rust => (rust::PATHS, rust::METHODS),
        Language::Go => (go::PATHS, go::METHODS),
    }
}

const METHODS: &[Methods] = &[
    Methods {
        on: Kind::File,
        groups: &[
            does(
                TraitKind::Read,
                Kind::Text,
                &["read", "readline", "readLine", "read_line", "ReadString", "ReadLine", "nextLine"],
            ),
            does(
                TraitKind::Read,
                Kind::List,
                &[
                    "readlines",
                    "readall",
                    "read_to_string",
                    "read_to_end",
                    "read_exact",
                    "readinto",
                    "Read",
                    "ReadBytes",
                    "ReadByte",
                    "ReadRune",
                    "Scan",
                    "Text",
                    "getline",
                    "get",
                    "readAllBytes",
                    "readFully",
                    "next",
                    "nextInt",
                    "lines",
                ],
            ),
            does(
                TraitKind::Write,
                Kind::Unknown,
                &[
                    "write",
                    "writelines",
                    "Write",
                    "WriteString",
                    "WriteByte",
                    "WriteRune",
                    "write_all",
                    "append",
                    "println",
                    "printf",
                    "print",
                    "newLine",
                    "put",
                    "writeInt",
                    "writeLong",
                    "writeByte",
                    "writeUTF",
                    "write_fmt",
                ],
            ),
            does(TraitKind::Flush, Kind::Unknown, &["flush", "Flush"]),
            does(TraitKind::Sync, Kind::Unknown, &["sync_all", "sync_data", "Sync", "force", "sync"]),
        ],
    },
    Methods {
        on: Kind::Database,
        groups: &[
            does(
                TraitKind::Query,
                Kind::Database,
                &[
                    "execute",
                    "executemany",
                    "executescript",
                    "query",
                    "query_row",
                    "query_map",
                    "exec",
                    "Exec",
                    "ExecContext",
                    "Query",
                    "QueryRow",
                    "QueryContext",
                    "QueryRowContext",
                    "executeQuery",
                    "executeUpdate",
                    "executeBatch",
                    "run",
                    "all",
                    "each",
                    "fetch",
                    "fetchrow",
                    "fetchval",
                    "fetch_one",
                    "fetch_all",
                    "scalar",
                    "scalars",
                    "query_one",
                    "find",
                    "createQuery",
                    "prepare_cached",
                    "queryForObject",
                    "queryForList",
                    "update",
                ],
            ),
            does(TraitKind::Receive, Kind::Unknown, &["fetchone", "fetchall", "fetchmany"]),
            does(TraitKind::Commit, Kind::Unknown, &["commit", "Commit"]),
            gives(
                Kind::Database,
                &[
                    "cursor",
                    "prepare",
                    "Prepare",
                    "prepareStatement",
                    "createStatement",
                    "begin",
                    "Begin",
                    "BeginTx",
                    "transaction",
                    "getConnection",
                    "acquire",
                    "unchecked_transaction",
                ],
            ),
        ],
    },
    Methods {
        on: Kind::Socket,
        groups: &[
            does(
                TraitKind::Receive,
                Kind::Text,
                &[
                    "recv",
                    "recvfrom",
                    "recv_into",
                    "read",
                    "Read",
                    "readline",
                    "readexactly",
                    "read_exact",
                    "accept",
                ],
            ),
            does(
                TraitKind::Request,
                Kind::Unknown,
                &["send", "sendall", "sendto", "write", "Write", "write_all"],
            ),
            does(TraitKind::Connect, Kind::Unknown, &["connect"]),
            gives(Kind::File, &["makefile", "getInputStream", "getOutputStream"]),
        ],
    },
    Methods {
        on: Kind::Http,
        groups: &[does(
            TraitKind::Request,
            Kind::Unknown,
            &[
                "get",
                "post",
                "put",
                "delete",
                "patch",
                "head",
                "request",
                "send",
                "sendAsync",
                "Get",
                "Post",
                "Do",
                "PostForm",
                "getForObject",
                "postForObject",
                "exchange",
                "newCall",
                "execute",
                "getInputStream",
                "getResponseCode",
            ],
        )],
    },
    Methods {
        on: Kind::Regex,
        groups: &[
            does(TraitKind::RegexMatch, Kind::Regex, &["matcher"]),
            does(
                TraitKind::RegexMatch,
                Kind::Unknown,
                &[
                    "match",
                    "search",
                    "fullmatch",
                    "findall",
                    "finditer",
                    "sub",
                    "subn",
                    "split",
                    "test",
                    "exec",
                    "matches",
                    "find",
                    "lookingAt",
                    "is_match",
                    "captures",
                    "find_iter",
                    "captures_iter",
                    "replace",
                    "replace_all",
                    "MatchString",
                    "Match",
                    "FindString",
                    "FindAllString",
                    "FindStringSubmatch",
                    "ReplaceAllString",
                    "FindStringIndex",
                    "FindAllStringSubmatch",
                ],
            ),
        ],
    },
    Methods {
        on: Kind::Lock,
        groups: &[
            does(
                TraitKind::Lock,
                Kind::Unknown,
                &[
                    "acquire",
                    "lock",
                    "Lock",
                    "RLock",
                    "lockInterruptibly",
                    "tryLock",
                    "try_lock",
                    "lock_shared",
                ],
            ),
            does(TraitKind::Lock, Kind::Unknown, &["write"]),
        ],
    },
    Methods {
        on: Kind::Text,
        groups: &[
            gives(Kind::List, &["split", "rsplit", "splitlines", "toCharArray", "getBytes", "encode"]),
            gives(
                Kind::Text,
                &[
                    "strip",
                    "lstrip",
                    "rstrip",
                    "lower",
                    "upper",
                    "replace",
                    "join",
                    "format",
                    "title",
                    "trim",
                    "toLowerCase",
                    "toUpperCase",
                    "substring",
                    "substr",
                    "padStart",
                    "padEnd",
                    "repeat",
                    "concat",
                    "replaceAll",
                    "to_string",
                    "to_lowercase",
                    "to_uppercase",
                    "to_owned",
                    "toString",
                    "decode",
                    "zfill",
                ],
            ),
        ],
    },
    Methods {
        on: Kind::Map,
        groups: &[gives(Kind::Map, &["entrySet", "items", "entries", "iter"]), gives(Kind::Set, &["keySet"])],
    },
    Methods {
        on: Kind::Process,
        groups: &[
            does(
                TraitKind::Spawn,
                Kind::Unknown,
                &["spawn", "output", "status", "start", "Start", "Run", "Output", "CombinedOutput"],
            ),
            gives(
                Kind::Process,
                &[
                    "arg",
                    "args",
                    "stdout",
                    "stdin",
                    "stderr",
                    "current_dir",
                    "env",
                    "directory",
                    "redirectErrorStream",
                    "inheritIO",
                ],
            ),
        ],
    },
    Methods {
        on: Kind::Thread,
        groups: &[does(TraitKind::ThreadStart, Kind::Unknown, &["start", "submit", "execute"])],
    },
    Methods {
        on: Kind::Logger,
        groups: &[does(
            TraitKind::Log,
            Kind::Unknown,
            &[
                "debug",
                "info",
                "warning",
                "warn",
                "error",
                "exception",
                "critical",
                "trace",
                "log",
                "fine",
                "severe",
                "Printf",
                "Println",
                "Print",
            ],
        )],
    },
    Methods {
        on: Kind::Hash,
        groups: &[does(TraitKind::Hashing, Kind::Unknown, &["update", "digest", "hexdigest", "doFinal"])],
    },
];
