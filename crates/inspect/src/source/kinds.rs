//! What kind of thing a type names.

use model::source::{ContainerKind, Language};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    LinkedList,
    Deque,
    Set,
    Map,
    Text,
    /// Text that grows in place.
    Builder,
    Number,
    File,
    Database,
    Socket,
    Http,
    Regex,
    Lock,
    Process,
    Thread,
    Logger,
    Hash,
    /// `None`, `null`: says nothing about what the variable holds otherwise.
    Null,
    #[default]
    Unknown,
}

impl Kind {
    pub(super) fn container(self) -> ContainerKind {
        match self {
            Self::List => ContainerKind::List,
            Self::LinkedList => ContainerKind::LinkedList,
            Self::Deque => ContainerKind::Deque,
            Self::Set => ContainerKind::Set,
            Self::Map => ContainerKind::Map,
            Self::Text | Self::Builder => ContainerKind::String,
            _ => ContainerKind::Unknown,
        }
    }

    /// The one kind that all agree on; nothing said is no disagreement.
    pub(super) fn agreed(kinds: impl IntoIterator<Item = Self>) -> Self {
        let mut agreed = Self::Null;
        for kind in kinds {
            match (agreed, kind) {
                (_, Self::Null) => {}
                (Self::Null, _) => agreed = kind,
                _ if agreed == kind => {}
                _ => return Self::Unknown,
            }
        }
        if agreed == Self::Null { Self::Unknown } else { agreed }
    }
}

/// Types that hold another one and act like it.
const WRAPPERS: [&str; 22] = [
    "Optional",
    "Final",
    "Annotated",
    "Arc",
    "Rc",
    "Box",
    "RefCell",
    "Cell",
    "Option",
    "Result",
    "Cow",
    "Pin",
    "Readonly",
    "Promise",
    "Awaitable",
    "shared_ptr",
    "unique_ptr",
    "optional",
    "reference_wrapper",
    "ClassVar",
    "LazyLock",
    "OnceLock",
];

/// What a type as written in the source is.
pub(super) fn of_type(language: Language, text: &str) -> Kind {
    let mut text = text.trim().trim_start_matches(':').trim();
    // Each turn takes one layer off; a type of more than eight layers is nobody's container.
    for _ in 0..8 {
        let inner = one_layer_less(language, text);
        if inner == text {
            break;
        }
        text = inner;
    }
    if let Some(kind) = by_shape(language, text) {
        return kind;
    }
    let head = text.split(['<', '[', '(', ' ', '{', '|']).next().unwrap_or_default();
    let name = head.rsplit([':', '.']).next().unwrap_or_default();
    by_name(language, name)
}

fn one_layer_less(language: Language, text: &str) -> &str {
    let mut text = text.trim().trim_start_matches(['&', '*']).trim();
    for word in [
        "mut ",
        "const ",
        "static ",
        "final ",
        "volatile ",
        "unsigned ",
        "dyn ",
        "impl ",
        "readonly ",
        "struct ",
        "std::",
    ] {
        text = text.strip_prefix(word).unwrap_or(text).trim();
    }
    if text.starts_with('\'') {
        text = text.split_once(' ').map_or(text, |(_, rest)| rest);
    }
    if matches!(language, Language::Python | Language::TypeScript) {
        for nothing in ["| None", "| null", "| undefined"] {
            text = text.strip_suffix(nothing).unwrap_or(text).trim();
        }
    }
    text = text.trim_end_matches(['&', '*', ' ']);
    let Some(open) = text.find(['<', '[']) else { return text };
    let (head, rest) = text.split_at_checked(open).unwrap_or((text, ""));
    let name = head.rsplit([':', '.']).next().unwrap_or_default();
    if !WRAPPERS.contains(&name) || head.is_empty() {
        return text;
    }
    let inner = rest.get(1..rest.len().saturating_sub(1)).unwrap_or_default();
    // `Result<T, E>` and `Cow<'a, T>` hold what is not the error and not the lifetime.
    inner
        .split(',')
        .map(str::trim)
        .find(|part| !part.starts_with('\''))
        .map_or(inner, |first| if first.contains('<') || first.contains('[') { inner } else { first })
}

fn by_shape(language: Language, text: &str) -> Option<Kind> {
    match language {
        Language::Go if text.starts_with("map[") => Some(Kind::Map),
        Language::Go | Language::Rust if text.starts_with('[') => Some(Kind::List),
        Language::Java | Language::TypeScript if text.ends_with("[]") => Some(Kind::List),
        Language::C | Language::Cpp if text.ends_with(']') => Some(Kind::List),
        _ => None,
    }
}

fn by_name(language: Language, name: &str) -> Kind {
    if is_number(name) {
        return Kind::Number;
    }
    let own = match language {
        Language::Python => python(name),
        Language::JavaScript | Language::TypeScript => script(name),
        Language::Java => java(name),
        Language::C | Language::Cpp => native(name),
        Language::Rust => rust(name),
        Language::Go => go(name),
    };
    own.unwrap_or_default()
}

fn is_number(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "float"
            | "double"
            | "long"
            | "short"
            | "byte"
            | "number"
            | "bigint"
            | "Integer"
            | "Long"
            | "Double"
            | "Float"
            | "BigInteger"
            | "BigDecimal"
            | "Decimal"
            | "complex"
            | "bool"
            | "boolean"
            | "size_t"
            | "ssize_t"
            | "off_t"
            | "unsigned"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "f32"
            | "f64"
            | "uint"
            | "int8"
            | "int16"
            | "int32"
            | "int64"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "float32"
            | "float64"
            | "rune"
            | "int8_t"
            | "int16_t"
            | "int32_t"
            | "int64_t"
            | "uint8_t"
            | "uint16_t"
            | "uint32_t"
            | "uint64_t"
            | "uintptr_t"
            | "intptr_t"
            | "ptrdiff_t"
            | "AtomicUsize"
            | "AtomicU64"
            | "AtomicInteger"
            | "AtomicLong"
    )
}

fn python(name: &str) -> Option<Kind> {
    Some(match name {
        "list" | "List" | "tuple" | "Tuple" | "Sequence" | "MutableSequence" | "array" => Kind::List,
        "set" | "Set" | "frozenset" | "FrozenSet" | "AbstractSet" | "MutableSet" => Kind::Set,
        "dict" | "Dict" | "defaultdict" | "DefaultDict" | "Mapping" | "MutableMapping" | "Counter"
        | "OrderedDict" | "TypedDict" => Kind::Map,
        "str" | "bytes" => Kind::Text,
        "bytearray" | "StringIO" | "BytesIO" => Kind::Builder,
        "deque" | "Deque" => Kind::Deque,
        "Pattern" => Kind::Regex,
        "Connection" | "Cursor" | "Session" | "AsyncSession" => Kind::Database,
        "Lock" | "RLock" | "Semaphore" | "Condition" => Kind::Lock,
        "Popen" => Kind::Process,
        "TextIO" | "BinaryIO" | "IO" => Kind::File,
        "socket" | "StreamReader" | "StreamWriter" => Kind::Socket,
        "Logger" => Kind::Logger,
        _ => return None,
    })
}

fn script(name: &str) -> Option<Kind> {
    Some(match name {
        "Array" | "ReadonlyArray" | "Uint8Array" | "Buffer" | "Float64Array" | "Int32Array" => Kind::List,
        "Set" | "ReadonlySet" | "WeakSet" => Kind::Set,
        "Map" | "ReadonlyMap" | "WeakMap" | "Record" => Kind::Map,
        "string" | "String" => Kind::Text,
        "RegExp" => Kind::Regex,
        "Worker" => Kind::Thread,
        "Pool" | "PoolClient" => Kind::Database,
        "Socket" | "WebSocket" => Kind::Socket,
        _ => return None,
    })
}

fn java(name: &str) -> Option<Kind> {
    Some(match name {
        "List" | "ArrayList" | "Vector" | "CopyOnWriteArrayList" | "ImmutableList" => Kind::List,
        "LinkedList" => Kind::LinkedList,
        "ArrayDeque" | "Deque" | "Queue" | "ConcurrentLinkedQueue" | "LinkedBlockingQueue" => Kind::Deque,
        "Set" | "HashSet" | "TreeSet" | "LinkedHashSet" | "EnumSet" | "SortedSet" | "ImmutableSet" => {
            Kind::Set
        }
        "Map" | "HashMap" | "TreeMap" | "LinkedHashMap" | "ConcurrentHashMap" | "ConcurrentMap"
        | "EnumMap" | "SortedMap" | "ImmutableMap" | "Hashtable" | "Properties" => Kind::Map,
        "String" | "CharSequence" => Kind::Text,
        "StringBuilder" | "StringBuffer" | "ByteArrayOutputStream" | "StringWriter" => Kind::Builder,
        "Pattern" | "Matcher" => Kind::Regex,
        "Connection" | "Statement" | "PreparedStatement" | "ResultSet" | "DataSource" | "EntityManager"
        | "JdbcTemplate" => Kind::Database,
        "Socket" | "SocketChannel" | "ServerSocket" | "DatagramSocket" => Kind::Socket,
        "InputStream"
        | "OutputStream"
        | "FileInputStream"
        | "FileOutputStream"
        | "BufferedReader"
        | "BufferedWriter"
        | "FileReader"
        | "FileWriter"
        | "FileChannel"
        | "RandomAccessFile"
        | "PrintWriter"
        | "Reader"
        | "Writer"
        | "BufferedInputStream"
        | "BufferedOutputStream"
        | "DataOutputStream"
        | "DataInputStream"
        | "Scanner"
        | "InputStreamReader"
        | "OutputStreamWriter"
        | "FileDescriptor" => Kind::File,
        "Lock"
        | "ReentrantLock"
        | "ReadWriteLock"
        | "ReentrantReadWriteLock"
        | "StampedLock"
        | "Semaphore" => Kind::Lock,
        "HttpClient" | "HttpURLConnection" | "RestTemplate" | "OkHttpClient" => Kind::Http,
        "Process" | "ProcessBuilder" => Kind::Process,
        "Thread" | "ExecutorService" | "Executor" => Kind::Thread,
        "Logger" | "Log" => Kind::Logger,
        "MessageDigest" | "Mac" | "CRC32" => Kind::Hash,
        _ => return None,
    })
}

fn native(name: &str) -> Option<Kind> {
    Some(match name {
        "vector" | "array" | "span" | "initializer_list" | "valarray" => Kind::List,
        "list" | "forward_list" => Kind::LinkedList,
        "deque" | "queue" => Kind::Deque,
        "set" | "unordered_set" | "multiset" | "unordered_multiset" | "flat_set" => Kind::Set,
        "map" | "unordered_map" | "multimap" | "unordered_multimap" | "flat_map" => Kind::Map,
        "string" | "string_view" | "wstring" => Kind::Text,
        "ostringstream" | "stringstream" => Kind::Builder,
        "FILE" | "ifstream" | "ofstream" | "fstream" | "istream" | "ostream" => Kind::File,
        "mutex" | "recursive_mutex" | "shared_mutex" | "pthread_mutex_t" | "pthread_spinlock_t"
        | "pthread_rwlock_t" | "mtx_t" => Kind::Lock,
        "regex" | "wregex" | "regex_t" | "basic_regex" => Kind::Regex,
        "sqlite3" | "sqlite3_stmt" | "PGconn" | "MYSQL" => Kind::Database,
        "thread" | "jthread" | "pthread_t" => Kind::Thread,
        "CURL" => Kind::Http,
        _ => return None,
    })
}

fn rust(name: &str) -> Option<Kind> {
    Some(match name {
        "Vec" | "SmallVec" | "ArrayVec" => Kind::List,
        "LinkedList" => Kind::LinkedList,
        "VecDeque" => Kind::Deque,
        "HashSet" | "BTreeSet" | "IndexSet" | "FxHashSet" | "AHashSet" => Kind::Set,
        "HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap" | "AHashMap" | "DashMap" => Kind::Map,
        "String" | "str" | "OsString" | "OsStr" | "PathBuf" | "Path" | "CString" => Kind::Text,
        "File" | "BufReader" | "BufWriter" | "LineWriter" | "Stdin" | "Stdout" | "StdoutLock"
        | "StdinLock" => Kind::File,
        "Mutex" | "RwLock" => Kind::Lock,
        "Regex" => Kind::Regex,
        "TcpStream" | "UdpSocket" | "UnixStream" | "TcpListener" => Kind::Socket,
        "Connection" | "PgPool" | "PgConnection" | "SqlitePool" | "Transaction" | "Statement" => {
            Kind::Database
        }
        "Command" | "Child" => Kind::Process,
        "JoinHandle" => Kind::Thread,
        _ => return None,
    })
}

fn go(name: &str) -> Option<Kind> {
    Some(match name {
        "string" => Kind::Text,
        "Builder" | "Buffer" => Kind::Builder,
        "List" => Kind::LinkedList,
        "File" | "Reader" | "Writer" | "Scanner" | "ReadWriter" => Kind::File,
        "Mutex" | "RWMutex" => Kind::Lock,
        "DB" | "Tx" | "Stmt" | "Conn" | "Rows" => Kind::Database,
        "Regexp" => Kind::Regex,
        "TCPConn" | "UDPConn" | "UnixConn" => Kind::Socket,
        "Client" => Kind::Http,
        "Cmd" => Kind::Process,
        "Logger" => Kind::Logger,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_read_through_its_wrappers() {
        for (language, text, wanted) in [
            (Language::Python, "Optional[list[int]]", Kind::List),
            (Language::Python, "dict[str, int] | None", Kind::Map),
            (Language::Rust, "&'a mut Vec<String>", Kind::List),
            (Language::Rust, "Arc<Mutex<HashMap<u8, u8>>>", Kind::Lock),
            (Language::Rust, "&[u8]", Kind::List),
            (Language::Rust, "Option<&str>", Kind::Text),
            (Language::Go, "map[string]int", Kind::Map),
            (Language::Go, "[]string", Kind::List),
            (Language::Go, "*sync.Mutex", Kind::Lock),
            (Language::Java, "java.util.List<String>", Kind::List),
            (Language::Java, "int[]", Kind::List),
            (Language::Cpp, "const std::vector<int>&", Kind::List),
            (Language::Cpp, "std::list<int>", Kind::LinkedList),
            (Language::TypeScript, ": Array<string>", Kind::List),
            (Language::TypeScript, ": string[]", Kind::List),
            (Language::Python, "Basket", Kind::Unknown),
        ] {
            assert_eq!(of_type(language, text), wanted, "{text}");
        }
    }

    #[test]
    fn kinds_that_disagree_are_unknown() {
        assert_eq!(Kind::agreed([Kind::List, Kind::Null, Kind::List]), Kind::List);
        assert_eq!(Kind::agreed([Kind::List, Kind::Set]), Kind::Unknown);
        assert_eq!(Kind::agreed([Kind::List, Kind::Unknown]), Kind::Unknown);
        assert_eq!(Kind::agreed([]), Kind::Unknown);
    }
}
