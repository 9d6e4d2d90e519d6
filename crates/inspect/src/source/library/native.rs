//! The C and C++ libraries, POSIX, and SQLite, curl, zlib, pcre.

use model::source::TraitKind::*;

use super::super::kinds::Kind;
use super::{Group, does, gives};

pub(super) const PATHS: &[Group] = &[
    does(RegexCompile, Kind::Regex, &["regcomp", "pcre_compile", "pcre2_compile", "regex", "wregex"]),
    does(
        RegexMatch,
        Kind::Unknown,
        &[
            "regexec",
            "pcre_exec",
            "pcre2_match",
            "regex_match",
            "regex_search",
            "regex_replace",
            "sregex_iterator",
            "fnmatch",
        ],
    ),
    does(
        Parse,
        Kind::Number,
        &[
            "atoi",
            "atol",
            "atof",
            "strtol",
            "strtoul",
            "strtod",
            "strtoll",
            "sscanf",
            "stoi",
            "stol",
            "stod",
            "stoull",
            "from_chars",
        ],
    ),
    does(Parse, Kind::Unknown, &["json_tokener_parse", "cJSON_Parse", "json.parse", "strptime"]),
    does(Serialise, Kind::Unknown, &["sprintf", "snprintf", "vsnprintf", "to_string", "format"]),
    does(Open, Kind::File, &["fopen", "fdopen", "ifstream", "ofstream"]),
    does(Open, Kind::Unknown, &["open", "openat", "creat"]),
    does(
        Read,
        Kind::Unknown,
        &[
            "read", "pread", "fread", "fgets", "fgetc", "getc", "getline", "getchar", "fscanf", "scanf",
            "readv",
        ],
    ),
    does(
        Write,
        Kind::Unknown,
        &["write", "pwrite", "fwrite", "fputs", "fputc", "putc", "fprintf", "writev", "dprintf"],
    ),
    does(Flush, Kind::Unknown, &["fflush"]),
    does(Sync, Kind::Unknown, &["fsync", "fdatasync", "sync", "msync", "sync_file_range", "syncfs"]),
    does(
        Query,
        Kind::Unknown,
        &["sqlite3_exec", "sqlite3_step", "PQexec", "PQexecParams", "mysql_query", "sqlite3_prepare_v2"],
    ),
    does(
        Connect,
        Kind::Unknown,
        &["sqlite3_open", "sqlite3_open_v2", "PQconnectdb", "mysql_real_connect", "connect"],
    ),
    does(Request, Kind::Unknown, &["curl_easy_perform", "send", "sendto", "sendmsg"]),
    does(Receive, Kind::Unknown, &["recv", "recvfrom", "recvmsg", "accept", "accept4"]),
    does(
        Sleep,
        Kind::Unknown,
        &[
            "sleep",
            "usleep",
            "nanosleep",
            "clock_nanosleep",
            "this_thread.sleep_for",
            "this_thread.sleep_until",
            "sched_yield",
            "this_thread.yield",
        ],
    ),
    does(
        Spawn,
        Kind::Unknown,
        &["fork", "vfork", "system", "popen", "posix_spawn", "posix_spawnp", "execve", "execvp"],
    ),
    does(ThreadStart, Kind::Thread, &["pthread_create", "thrd_create", "thread", "jthread", "async"]),
    does(
        Lock,
        Kind::Unknown,
        &[
            "pthread_mutex_lock",
            "pthread_spin_lock",
            "pthread_rwlock_wrlock",
            "pthread_rwlock_rdlock",
            "mtx_lock",
            "sem_wait",
            "flock",
            "lock_guard",
            "unique_lock",
            "scoped_lock",
        ],
    ),
    does(
        Copy,
        Kind::Unknown,
        &["memcpy", "memmove", "strcpy", "strncpy", "strdup", "strndup", "bcopy", "copy", "copy_n"],
    ),
    does(
        Sorting,
        Kind::Unknown,
        &["qsort", "qsort_r", "sort", "stable_sort", "partial_sort", "nth_element", "ranges.sort"],
    ),
    does(Hashing, Kind::Unknown, &["MD5", "SHA1", "SHA256", "crc32", "EVP_DigestUpdate", "EVP_Digest"]),
    does(
        Allocate,
        Kind::Unknown,
        &[
            "malloc",
            "calloc",
            "realloc",
            "reallocarray",
            "aligned_alloc",
            "posix_memalign",
            "mmap",
            "make_unique",
            "make_shared",
            "free",
            "munmap",
            "sbrk",
        ],
    ),
    does(Import, Kind::Unknown, &["dlopen"]),
    does(Log, Kind::Unknown, &["syslog"]),
    does(Print, Kind::Unknown, &["printf", "puts", "putchar", "print", "println"]),
    does(Membership, Kind::Unknown, &["strstr", "strchr", "memchr", "strrchr", "memmem", "strpbrk"]),
    gives(Kind::Number, &["strlen", "sizeof"]),
    gives(Kind::Text, &["getenv", "strerror"]),
];

pub(super) const METHODS: &[Group] =
    &[gives(Kind::Text, &["substr", "str", "c_str"]), does(Flush, Kind::Unknown, &["flush"])];
