//! The Java platform's classes.

use model::source::TraitKind::*;

use super::super::kinds::Kind;
use super::{Group, does, gives};

pub(super) const PATHS: &[Group] = &[
    does(RegexCompile, Kind::Regex, &["Pattern.compile"]),
    does(RegexMatch, Kind::Unknown, &["Pattern.matches"]),
    does(
        Parse,
        Kind::Number,
        &[
            "Integer.parseInt",
            "Long.parseLong",
            "Double.parseDouble",
            "Integer.valueOf",
            "Long.valueOf",
            "Double.valueOf",
        ],
    ),
    does(
        Parse,
        Kind::Unknown,
        &[
            "LocalDate.parse",
            "LocalDateTime.parse",
            "Instant.parse",
            "UUID.fromString",
            "DocumentBuilderFactory.newInstance",
            "SimpleDateFormat",
            "DateTimeFormatter.ofPattern",
            "ObjectMapper",
            "JSONObject",
            "BigDecimal",
        ],
    ),
    does(Serialise, Kind::Text, &["String.format", "Gson.toJson"]),
    does(
        Open,
        Kind::File,
        &[
            "Files.newBufferedReader",
            "Files.newBufferedWriter",
            "Files.newInputStream",
            "Files.newOutputStream",
            "FileInputStream",
            "FileOutputStream",
            "FileReader",
            "FileWriter",
            "RandomAccessFile",
            "FileChannel.open",
            "Files.newByteChannel",
        ],
    ),
    does(Read, Kind::List, &["Files.readAllLines", "Files.readAllBytes", "Files.lines", "System.in.read"]),
    does(Read, Kind::Text, &["Files.readString"]),
    does(Write, Kind::Unknown, &["Files.write", "Files.writeString"]),
    does(Connect, Kind::Database, &["DriverManager.getConnection"]),
    does(Connect, Kind::Socket, &["Socket", "SocketChannel.open"]),
    gives(Kind::Http, &["HttpClient.newHttpClient", "HttpClient.newBuilder"]),
    does(
        Sleep,
        Kind::Unknown,
        &[
            "Thread.sleep",
            "TimeUnit.SECONDS.sleep",
            "TimeUnit.MILLISECONDS.sleep",
            "SECONDS.sleep",
            "MILLISECONDS.sleep",
            "LockSupport.parkNanos",
            "Thread.yield",
            "Thread.onSpinWait",
        ],
    ),
    does(Spawn, Kind::Process, &["ProcessBuilder", "Runtime.getRuntime"]),
    does(
        ThreadStart,
        Kind::Thread,
        &[
            "Thread",
            "Executors.newFixedThreadPool",
            "Executors.newCachedThreadPool",
            "Executors.newSingleThreadExecutor",
            "CompletableFuture.supplyAsync",
            "CompletableFuture.runAsync",
            "Thread.startVirtualThread",
        ],
    ),
    does(Copy, Kind::List, &["Arrays.copyOf", "Arrays.copyOfRange", "List.copyOf", "System.arraycopy"]),
    does(Copy, Kind::Set, &["Set.copyOf"]),
    does(Copy, Kind::Map, &["Map.copyOf"]),
    does(Sorting, Kind::Unknown, &["Collections.sort", "Arrays.sort"]),
    does(Hashing, Kind::Hash, &["MessageDigest.getInstance", "Objects.hash", "Arrays.hashCode"]),
    gives(
        Kind::List,
        &[
            "List.of",
            "Arrays.asList",
            "Collections.emptyList",
            "Collections.synchronizedList",
            "Collections.unmodifiableList",
        ],
    ),
    gives(Kind::Set, &["Set.of", "Collections.emptySet", "ConcurrentHashMap.newKeySet"]),
    gives(Kind::Map, &["Map.of", "Map.ofEntries", "Collections.emptyMap"]),
    gives(Kind::Text, &["String.valueOf", "String.join", "Integer.toString", "Long.toString"]),
    gives(Kind::Number, &["Math.max", "Math.min", "System.nanoTime", "System.currentTimeMillis", "Math.abs"]),
    gives(Kind::Logger, &["Logger.getLogger", "LoggerFactory.getLogger"]),
    does(
        Print,
        Kind::Unknown,
        &[
            "System.out.println",
            "System.out.print",
            "System.out.printf",
            "System.err.println",
            "System.err.printf",
        ],
    ),
    does(Import, Kind::Unknown, &["Class.forName"]),
];

pub(super) const METHODS: &[Group] = &[
    does(Query, Kind::Database, &["executeQuery", "executeUpdate", "executeBatch"]),
    gives(Kind::Database, &["prepareStatement", "createStatement"]),
    does(Parse, Kind::Unknown, &["readValue", "fromJson", "readTree"]),
    does(Serialise, Kind::Text, &["writeValueAsString", "toJson", "writeValueAsBytes"]),
    does(RegexMatch, Kind::Text, &["replaceAll", "replaceFirst"]),
    does(Sync, Kind::Unknown, &["force"]),
    does(Copy, Kind::Unknown, &["clone"]),
    gives(Kind::Text, &["toLowerCase", "toUpperCase", "trim", "strip", "substring", "toString"]),
];
