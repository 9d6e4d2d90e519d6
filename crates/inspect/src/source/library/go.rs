//! Go's standard library.

use model::source::TraitKind::*;

use super::super::kinds::Kind;
use super::{Group, does, gives};

pub(super) const PATHS: &[Group] = &[
    does(RegexCompile, Kind::Regex, &["regexp.MustCompile", "regexp.Compile"]),
    does(RegexMatch, Kind::Unknown, &["regexp.MatchString", "regexp.Match"]),
    does(
        Parse,
        Kind::Unknown,
        &[
            "json.Unmarshal",
            "xml.Unmarshal",
            "yaml.Unmarshal",
            "strconv.Atoi",
            "strconv.ParseInt",
            "strconv.ParseFloat",
            "time.Parse",
            "url.Parse",
            "template.ParseFiles",
            "json.NewDecoder",
            "csv.NewReader",
            "fmt.Sscanf",
            "fmt.Sscan",
            "strconv.ParseUint",
            "time.ParseDuration",
            "gob.NewDecoder",
        ],
    ),
    does(
        Serialise,
        Kind::List,
        &[
            "json.Marshal",
            "xml.Marshal",
            "yaml.Marshal",
            "json.MarshalIndent",
            "json.NewEncoder",
            "gob.NewEncoder",
        ],
    ),
    does(Serialise, Kind::Text, &["fmt.Sprintf", "fmt.Sprint", "fmt.Sprintln"]),
    does(Open, Kind::File, &["os.Open", "os.Create", "os.OpenFile"]),
    gives(
        Kind::File,
        &[
            "bufio.NewReader",
            "bufio.NewWriter",
            "bufio.NewScanner",
            "bufio.NewWriterSize",
            "bufio.NewReaderSize",
        ],
    ),
    does(
        Read,
        Kind::List,
        &["os.ReadFile", "io.ReadAll", "ioutil.ReadFile", "ioutil.ReadAll", "os.ReadDir", "os.Stat"],
    ),
    does(
        Write,
        Kind::Unknown,
        &[
            "os.WriteFile",
            "io.Copy",
            "io.WriteString",
            "fmt.Fprintf",
            "fmt.Fprintln",
            "fmt.Fprint",
            "ioutil.WriteFile",
        ],
    ),
    does(Connect, Kind::Database, &["sql.Open", "pgx.Connect", "redis.NewClient"]),
    does(Connect, Kind::Socket, &["net.Dial", "net.DialTimeout", "tls.Dial"]),
    does(Request, Kind::Unknown, &["http.Get", "http.Post", "http.PostForm", "http.Head"]),
    does(Sleep, Kind::Unknown, &["time.Sleep", "time.After", "time.Tick", "runtime.Gosched"]),
    gives(Kind::Process, &["exec.Command", "exec.CommandContext"]),
    does(Copy, Kind::Unknown, &["copy", "slices.Clone", "maps.Clone", "bytes.Clone", "strings.Clone"]),
    does(Copy, Kind::Text, &["string"]),
    does(Copy, Kind::Text, &["strings.ToLower", "strings.ToUpper", "strings.ReplaceAll", "strings.Repeat"]),
    gives(
        Kind::Text,
        &["strings.TrimSpace", "strings.Join", "strconv.Itoa", "strings.Trim", "strconv.FormatInt"],
    ),
    gives(Kind::List, &["strings.Split", "strings.Fields"]),
    does(
        Sorting,
        Kind::Unknown,
        &[
            "sort.Slice",
            "sort.Strings",
            "sort.Ints",
            "sort.Sort",
            "slices.Sort",
            "slices.SortFunc",
            "sort.SliceStable",
            "sort.Stable",
        ],
    ),
    does(
        Hashing,
        Kind::Unknown,
        &["md5.Sum", "sha1.Sum", "sha256.Sum256", "crc32.ChecksumIEEE", "sha512.Sum512"],
    ),
    does(Hashing, Kind::Hash, &["sha256.New", "md5.New", "fnv.New32a", "fnv.New64a", "sha1.New"]),
    does(Allocate, Kind::Unknown, &["make", "new"]),
    gives(Kind::LinkedList, &["list.New"]),
    gives(Kind::Builder, &["bytes.NewBuffer", "bytes.NewBufferString"]),
    does(
        Membership,
        Kind::Unknown,
        &["slices.Contains", "slices.Index", "slices.ContainsFunc", "slices.IndexFunc"],
    ),
    does(
        Membership,
        Kind::Unknown,
        &["strings.Contains", "strings.Index", "strings.Count", "bytes.Contains", "bytes.Index"],
    ),
    does(Print, Kind::Unknown, &["fmt.Println", "fmt.Printf", "fmt.Print"]),
    does(
        Log,
        Kind::Unknown,
        &["log.Println", "log.Printf", "log.Print", "slog.Info", "slog.Debug", "slog.Error", "slog.Warn"],
    ),
    gives(Kind::Number, &["len", "cap", "int", "float64", "int64", "time.Now", "math.Sqrt", "min", "max"]),
];

pub(super) const METHODS: &[Group] = &[
    does(Query, Kind::Database, &["QueryRow", "QueryRowContext", "QueryContext", "ExecContext"]),
    does(
        RegexMatch,
        Kind::Unknown,
        &["MatchString", "FindStringSubmatch", "FindAllString", "ReplaceAllString", "FindStringIndex"],
    ),
    does(Write, Kind::Unknown, &["WriteString"]),
];
