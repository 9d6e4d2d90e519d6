//! What library code is for: allocating, copying, searching, matching, parsing.
//!
//! Told by names, which are facts of the libraries and runtimes and change slowly. A name that nobody knows is the
//! caller's own work.

use std::sync::LazyLock;

use model::profile::Place;
use model::recording::Language;

/// A kind of work that a library does for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Its own instructions, and libraries that nobody knows.
    Own,
    Allocate,
    Collect,
    Copy,
    /// Walks over a sequence to find or count something.
    Scan,
    /// Moves the elements of a sequence to make or close a hole.
    Shift,
    /// Makes a longer string of two.
    Concatenate,
    Hash,
    Sort,
    RegexCompile,
    RegexMatch,
    Parse,
    Serialise,
    Format,
    Import,
    /// What runs before `main`.
    Start,
    Exception,
    Lock,
    Crypto,
    Compress,
    Spawn,
    Database,
    Network,
    FileInput,
    FileOutput,
    Random,
    Arithmetic,
    Dispatch,
    /// Looks members of a type up by their names.
    Reflect,
    Log,
    /// Copies whole trees of objects.
    DeepCopy,
}

impl Family {
    /// In the ids of metrics: `leaf.allocate`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Allocate => "allocate",
            Self::Collect => "collect",
            Self::Copy => "copy",
            Self::Scan => "scan",
            Self::Shift => "shift",
            Self::Concatenate => "concatenate",
            Self::Hash => "hash",
            Self::Sort => "sort",
            Self::RegexCompile => "regex-compile",
            Self::RegexMatch => "regex-match",
            Self::Parse => "parse",
            Self::Serialise => "serialise",
            Self::Format => "format",
            Self::Import => "import",
            Self::Start => "start",
            Self::Exception => "exception",
            Self::Lock => "lock",
            Self::Crypto => "crypto",
            Self::Compress => "compress",
            Self::Spawn => "spawn",
            Self::Database => "database",
            Self::Network => "network",
            Self::FileInput => "file-input",
            Self::FileOutput => "file-output",
            Self::Random => "random",
            Self::Arithmetic => "arithmetic",
            Self::Dispatch => "dispatch",
            Self::Reflect => "reflect",
            Self::Log => "log",
            Self::DeepCopy => "deep-copy",
        }
    }
}

/// Work that is done for its own sake. Parsing, serialising and filling tables is often work that was done before.
pub const COMPUTE: [Family; 6] =
    [Family::Format, Family::Crypto, Family::Compress, Family::Random, Family::Arithmetic, Family::Sort];

/// Goes through the rows of a frame one by one, in Python.
#[must_use]
pub fn goes_by_rows(place: &Place) -> bool {
    matches!(
        place.function.as_str(),
        "DataFrame.iterrows" | "DataFrame.itertuples" | "DataFrame.apply" | "Series.apply"
    )
}

/// The regular expression that a function was compiled from, by the name that V8 gives it.
#[must_use]
pub fn pattern_of(function: &str) -> Option<&str> {
    function.strip_prefix("RegExp:")
}

/// An attribute of an object mapper's that fetches its row when it is asked for.
#[must_use]
pub fn loads_lazily(place: &Place) -> bool {
    let mappers = ["/sqlalchemy/orm/", "/django/db/models/", "/peewee.py", "/pony/orm/", "/tortoise/"];
    let file = place.file.as_deref().unwrap_or_default();
    place.function.ends_with("__get__") && mappers.iter().any(|mapper| file.contains(mapper))
}

/// A function of a matcher for Go or Rust that tries one way after the other.
#[must_use]
pub fn backtracks(function: &str) -> bool {
    const MATCHERS: [&str; 5] =
        ["fancy_regex::vm::", "github.com/dlclark/regexp2.", "onig_", "pcre2_match", "pcre_exec"];
    MATCHERS.iter().any(|begin| function.starts_with(begin))
}

/// A library function that sorts.
#[must_use]
pub fn is_sort(function: &str) -> bool {
    let fits = |mark: &Mark| matches!(*mark, Begins(begin) if function.starts_with(begin));
    SINGLE.iter().any(|(family, mark)| *family == Family::Sort && fits(mark))
}

/// How a name is recognised: by one of several, with `|` between them.
enum Mark {
    /// The whole name.
    Is(&'static str),
    /// The name begins so.
    Begins(&'static str),
    /// The name holds this.
    Holds(&'static str),
    /// The file ends so.
    File(&'static str),
}

use Mark::{Begins, File, Holds, Is};

/// The first line that fits decides, so the special stand before the general.
const MARKS: &[(Family, Mark)] = &[
    // Python's libraries are files.
    (Family::DeepCopy, File("/copy.py")),
    // Packages say what they do.
    (
        Family::DeepCopy,
        Is("shallowCopy|deepCopy|deepcopy|deep_copy|deepClone|deep_clone|cloneDeep|baseClone|shallow_copy"),
    ),
    // Go's compiler writes a function that copies a value whose method is called through a pointer or an interface.
    (Family::Copy, File("<autogenerated>")),
    // `structuredClone`, messages between threads.
    (
        Family::DeepCopy,
        Begins(
            "v8::internal::ValueSerializer::|v8::internal::ValueDeserializer::|v8::ValueSerializer::|\
         v8::ValueDeserializer::|node::worker::Message::",
        ),
    ),
    (Family::RegexCompile, File("/re/_compiler.py|/re/_parser.py|/sre_compile.py|/sre_parse.py")),
    (
        Family::RegexCompile,
        File(
            "/jinja2/compiler.py|/jinja2/parser.py|/jinja2/lexer.py|/jinja2/nodes.py|/jinja2/visitor.py|\
         /jinja2/idtracking.py|/jinja2/optimizer.py|/mako/codegen.py|/mako/lexer.py|\
         /pydantic/_internal/_generate_schema.py|/lark/load_grammar.py|/ajv/dist/compile/index.js|\
         /ajv/dist/compile/validate/index.js|/ajv/lib/compile/index.js|/handlebars/compiler/compiler.js|\
         /handlebars/compiler/javascript-compiler.js|/handlebars/compiler/parser.js",
        ),
    ),
    (Family::RegexCompile, Is("Template.compile_nodelist|compile_nodelist")),
    (Family::RegexMatch, File("/re/__init__.py|/re.py")),
    (
        Family::Parse,
        File(
            "/json/decoder.py|/json/scanner.py|/csv.py|/configparser.py|/tomllib/_parser.py|/ast.py|\
         /xml/etree/ElementTree.py|/html/parser.py|/_strptime.py|/tokenize.py|/urllib/parse.py",
        ),
    ),
    (Family::Serialise, File("/json/encoder.py|/pickle.py|/pprint.py")),
    (
        Family::Import,
        File(
            "<frozen importlib._bootstrap>|<frozen importlib._bootstrap_external>|\
         /importlib/_bootstrap.py",
        ),
    ),
    // Of Node.js: the program itself is loaded as well, but nobody requires it.
    (Family::Import, Is("Module.require|requireBuiltin|compileForPublicLoader")),
    (Family::Spawn, File("/subprocess.py|/multiprocessing/popen_fork.py")),
    (
        Family::Network,
        File("/http/client.py|/socket.py|/urllib/request.py|/ssl.py|/socketserver.py|/http/server.py"),
    ),
    (Family::Database, File("/sqlite3/dbapi2.py")),
    (Family::Log, File("/logging/__init__.py")),
    (Family::Reflect, File("/inspect.py")),
    (Family::Random, File("/random.py")),
    (Family::Format, File("/textwrap.py|/string.py|/locale.py")),
    (Family::Arithmetic, File("/fractions.py|/statistics.py|/_pydecimal.py")),
    (Family::Lock, File("/queue.py|/threading.py")),
    // Libraries without symbols are known by their files.
    (Family::Database, Begins("libsqlite3.so|_sqlite3.|libpq.so|libmysqlclient.so|libmariadb.so|_psycopg.")),
    (Family::Crypto, Begins("libcrypto.so|libssl.so|_hashlib.|_ssl.|_sha|_md5.|_blake2.")),
    (Family::Compress, Begins("libz.so|zlib.cpython|libbz2.so|_bz2.|liblzma.so|_lzma.|libzstd.so")),
    (Family::Parse, Begins("libexpat.so|pyexpat.|_elementtree.|libxml2.so|_csv.")),
    (Family::Serialise, Begins("_pickle.")),
    (Family::RegexMatch, Begins("libpcre|libonig.so")),
    // The interpreters' own functions, where they have symbols. Taking the first element off an array moves all others, and
    // marks them for the collector.
    (
        Family::Shift,
        Begins(
            "void v8::internal::Heap::WriteBarrierForRange|v8::internal::Heap::WriteBarrierForRange|\
         v8::internal::Heap::MoveRange|void v8::internal::Heap::MoveRange",
        ),
    ),
    (
        Family::Collect,
        Begins(
            "garbage collection|gc_collect|collect_generations|subtract_refs|deduce_unreachable|visit_decref|\
         visit_reachable|v8::internal::Heap::|v8::internal::MarkCompact|v8::internal::Scavenge|\
         v8::internal::Mark|void v8::internal::Mark|heap::base::SlotCallback|v8::internal::ConcurrentMark|v8::internal::Sweeper|v8::internal::Evacuat|runtime.gcBgMarkWorker|\
         runtime.gcDrain|runtime.scanobject|runtime.gcAssist|runtime.markroot|runtime.greyobject|\
         runtime.sweepone|runtime.bgsweep|runtime.(*sweepLocked)|G1|PSScavenge|MarkSweep|Shenandoah|\
         ZMark|PSPromotionManager|ParallelScavengeHeap|ParCompactionManager|DefNewGeneration|\
         GenMarkSweep|GenCollectedHeap|void G1|void OopOopIterate|void PSPromotion|VM_G1",
        ),
    ),
    (
        Family::Scan,
        Begins(
            "list_contains|list_index|list_count|list_remove|tuplecontains|PySequence_Contains|\
         _PySequence_IterSearch|Builtins_ArrayIndexOf|Builtins_ArrayIncludes|\
         Builtins_ArrayPrototypeFind|Builtins_ArrayFind|Builtins_ArraySome|\
         Builtins_StringPrototypeIndexOf|Builtins_StringPrototypeIncludes|strstr|strchr|strrchr|\
         strlen|__strlen|strcmp|__strcmp|strncmp|__strncmp|strcasecmp|__strcasecmp|memchr|__memchr|\
         memmem|memcmp|__memcmp|__memcmpeq|__strchr|__strstr|strpbrk|strcspn|strspn|wcslen|rawmemchr|\
         __rawmemchr|std::find|std::__find|std::count|std::search|lfind|bcmp|slices.Contains|\
         slices.Index|runtime.mapiternext|internal/runtime/maps.(*Iter).Next|strings.Index|\
         strings.Contains|bytes.Index|internal/bytealg.|\
         java.util.ArrayList.contains|java.util.ArrayList.indexOf|java.util.ArrayList.lastIndexOf|\
         java.util.ImmutableCollections$ListN.indexOf|java.util.Vector.indexOf|\
         java.util.concurrent.CopyOnWriteArrayList.indexOf|java.util.LinkedList.lastIndexOf|\
         java.util.ImmutableCollections$AbstractImmutableList.contains|\
         java.lang.StringLatin1.indexOf|java.lang.StringUTF16.indexOf|java.lang.String.lastIndexOf|\
         java.util.LinkedList.node|java.util.LinkedList.get|java.util.LinkedList.indexOf|\
         java.util.LinkedList.contains|java.util.AbstractCollection.contains|\
         java.util.Arrays$ArrayList.contains|java.lang.String.indexOf|java.lang.String.contains|\
         java.util.Collections.frequency",
        ),
    ),
    // Whoever takes a text apart goes through it once.
    (Family::Parse, Holds("core::str::iter::Split|core::str::iter::Lines|core::str::iter::RSplit")),
    (
        Family::Scan,
        Holds(
            "::contains|>::position|SliceContains|slice_contains|memchr::|core::str::pattern|::find_map|\
         Searcher",
        ),
    ),
    (
        Family::Shift,
        Begins(
            "ins1|list_insert|list_ass_slice|list_pop|Builtins_ArrayPrototypeShift|\
         Builtins_ArrayPrototypeUnshift|Builtins_ArrayPrototypeSplice|\
         v8::internal::(anonymous namespace)::FastElementsAccessor|slices.Insert|slices.Delete|\
         java.util.ArrayList.fastRemove|java.util.ArrayList.remove|java.lang.StringBuilder.insert|\
         java.lang.StringBuilder.deleteCharAt|java.lang.AbstractStringBuilder.shift",
        ),
    ),
    (
        Family::Concatenate,
        Begins(
            "unicode_concatenate|PyUnicode_Append|PyUnicode_Concat|bytes_concat|Builtins_StringAdd|\
         strcat|__strcat|strncat|runtime.concatstring|java.lang.StringConcatHelper|\
         java.lang.String.concat|v8::internal::String::SlowFlatten",
        ),
    ),
    (
        Family::RegexCompile,
        Begins(
            "java.util.regex.Pattern.compile|java.util.regex.Pattern.<init>|java.util.regex.Pattern.expr|\
         java.util.regex.Pattern.sequence|java.util.regex.Pattern.atom|java.util.regex.Pattern.clazz|\
         java.util.regex.Pattern.closure|java.util.regex.Pattern.group0|regcomp|regexp.Compile|\
         regexp.MustCompile|regexp/syntax.|text/template/parse.|text/template.(*Template).Parse|\
         html/template.(*Template).Parse|html/template.(*escaper)|java.time.format.DateTimeFormatterBuilder.|\
         java.time.format.DateTimeFormatter.ofPattern|java.text.SimpleDateFormat.<init>|\
         java.text.SimpleDateFormat.compile|java.text.MessageFormat.applyPattern|java.text.DecimalFormat.<init>|\
         v8::internal::JSDateTimeFormat::New|v8::internal::JSDateTimeFormat::Create|\
         v8::internal::JSNumberFormat::New|v8::internal::JSCollator::New|v8::internal::JSPluralRules::New|\
         Builtin_DateTimeFormatConstructor|Builtin_NumberFormatConstructor|Builtin_CollatorConstructor|std::__detail::_Compiler|std::__detail::_Scanner|\
         v8::internal::RegExpImpl::Compile|v8::internal::RegExpCompiler|regex_syntax::|\
         regex_automata::nfa::thompson::compiler|fancy_regex::Regex::new|fancy_regex::compile|com.fasterxml.jackson.databind.introspect.|\
         com.fasterxml.jackson.databind.deser.DeserializerCache._create|\
         com.fasterxml.jackson.databind.deser.BeanDeserializerFactory.|\
         com.fasterxml.jackson.databind.ser.BeanSerializerFactory.|com.google.gson.Gson.<init>|\
         com.google.gson.internal.bind.ReflectiveTypeAdapterFactory.getBoundFields|\
         javax.xml.bind.JAXBContext.|org.hibernate.validator.internal.metadata.|freemarker.core.FMParser.",
        ),
    ),
    (
        Family::RegexMatch,
        Begins(
            "sre_|_sre_|SRE(|java.util.regex.|regexec|re_search|sift_states|regexp.(*|\
         std::__detail::_Executor|std::__detail::_BracketMatcher|std::regex|v8::internal::RegExp|\
         v8::internal::IrregexpInterpreter|Builtins_RegExp|regex::|regex_automata::|fancy_regex::|RegExp:",
        ),
    ),
    (
        Family::Parse,
        Begins(
            "_json_scan|scan_once|_parse_object|_parse_array|Builtins_JsonParse|v8::internal::JsonParser|\
         strtol|strtod|strtoul|__strto|____strto|sscanf|__isoc99_sscanf|__vfscanf|__vfwscanf|atoi|\
         encoding/json.(*decodeState)|encoding/json.Unmarshal|encoding/json.checkValid|\
         encoding/json.state|strconv.Parse|strconv.Atoi|serde_json::de|core::num::dec2flt|\
         java.lang.Integer.parse|java.lang.Double.parseDouble|java.lang.Long.parse|java.util.Scanner.|\
         java.lang.Float.parseFloat|java.text.SimpleDateFormat.parse|java.io.ObjectInputStream|\
         java.time.format.DateTimeFormatter.parse|com.fasterxml.jackson.core.json.|\
         com.google.gson.stream.JsonReader|javax.xml.|com.sun.org.apache.xerces.|jdk.internal.math.FloatingDecimal.|\
         std::istream|std::num_get",
        ),
    ),
    (
        Family::Serialise,
        Begins(
            "encoder_listencode|py_encode_basestring|v8::internal::JsonStringifier|\
         Builtins_JsonStringify|encoding/json.Marshal|encoding/json.(*encodeState)|serde_json::ser|\
         java.io.ObjectOutputStream|com.fasterxml.jackson.databind.ser.|\
         com.google.gson.stream.JsonWriter",
        ),
    ),
    (
        Family::Format,
        Begins(
            "vfprintf|__vfprintf|__printf|printf|snprintf|__vsnprintf|vsnprintf|sprintf|_itoa|__itoa|\
         __mpn_|fmt.|core::fmt::|alloc::fmt::|std::ostream|std::num_put|java.util.Formatter|\
         java.text.|java.time.format.|icu_|v8::internal::JSDateTimeFormat|v8::internal::JSNumberFormat|java.lang.Double.toString|java.lang.Float.toString|\
         java.lang.String.format|unicode_format|PyUnicode_Format|strftime|__strftime|std::__format",
        ),
    ),
    (
        Family::Hash,
        Begins(
            "java.util.HashMap.|java.util.HashSet.|java.util.LinkedHashMap.|java.lang.String.hashCode|\
         java.util.concurrent.ConcurrentHashMap.|java.util.Hashtable.|java.util.IdentityHashMap.|std::_Hashtable|std::unordered_|hashbrown::|\
         runtime.map|internal/runtime/maps.|dict_|lookdict|PyDict_|set_contains|std::hash|\
         std::_Hash_bytes|core::hash::|siphash|Builtins_MapPrototype|Builtins_SetPrototype|\
         Builtins_FindOrderedHash",
        ),
    ),
    (
        Family::Sort,
        Begins(
            "msort_with_tmp|qsort|__qsort|std::sort|std::__introsort|std::__insertion_sort|\
         std::__adjust_heap|std::__unguarded|slices.Sort|sort.|core::slice::sort|java.util.TimSort|\
         java.util.DualPivotQuicksort|java.util.ComparableTimSort|java.util.Arrays.sort|java.util.Arrays.mergeSort|list_sort|Builtins_ArrayTimSort|\
         Builtins_MergeSort|binarysort|std::stable_sort|std::__stable_sort|std::__merge_|std::__move_merge|\
         std::__chunk_insertion|std::__inplace_stable|std::__final_insertion|\
         stable_sort<|sort<|__sort<|__introsort_loop<|__insertion_sort<|__adjust_heap<|__unguarded_|\
         __merge_sort_|__move_merge|__stable_sort|__chunk_insertion_sort<|__merge_adaptive<|\
         __inplace_stable_sort<|__final_insertion_sort<|void std::sort|void std::stable_sort",
        ),
    ),
    (
        Family::Exception,
        Begins(
            "_Unwind_|__cxa_throw|__cxa_allocate_exception|__gxx_personality|java.lang.Throwable.|\
         java_lang_Throwable::|JVM_FillInStackTrace|OptoRuntime::handle_exception|\
         v8::internal::Isolate::Throw|v8::internal::Isolate::CaptureStackTrace|runtime.gopanic|\
         std::panicking",
        ),
    ),
    (
        Family::Lock,
        Begins(
            "pthread_mutex_lock|__pthread_mutex_lock|___pthread_mutex_lock|pthread_mutex_unlock|\
         __pthread_mutex_unlock|__lll_lock|pthread_spin_lock|pthread_rwlock|__pthread_rwlock|futex|\
         sync.(*Mutex)|sync.(*RWMutex)|internal/sync.(*Mutex)|runtime.lock2|runtime.unlock2|\
         runtime.semacquire|runtime.semrelease|runtime.semasleep|runtime.semawakeup|runtime.procyield|\
         runtime.osyield|runtime.chansend|runtime.chanrecv|runtime.selectgo|runtime.gopark|runtime.goready|\
         sync.runtime_|std::sys::sync::mutex|parking_lot|take_gil|java.util.concurrent.locks.|\
         ObjectMonitor::|ObjectSynchronizer::|SharedRuntime::complete_monitor|Unsafe_Park",
        ),
    ),
    (
        Family::Compress,
        Begins(
            "deflate|inflate|longest_match|compress_block|ZSTD_|BZ2_|lzma_|adler32|crc32|compress/|\
         java.util.zip.",
        ),
    ),
    (
        Family::Crypto,
        Begins(
            "sha256|sha512|SHA256|SHA512|sha1|md5|MD5|EVP_|_blake2|crypto/|bcrypt|PKCS5_PBKDF2|\
         sun.security.|java.security.|javax.crypto.|com.sun.crypto.",
        ),
    ),
    (
        Family::Database,
        Begins(
            "java.sql.|org.sqlite.|org.postgresql.|org.h2.|sqlite3|sqlite3_|balance_nonroot|pager_|PQ|mysql_",
        ),
    ),
    (
        Family::Spawn,
        Begins(
            "posix_spawn|__spawni|__libc_fork|fork|_IO_proc_open|popen|do_system|system|execve|os/exec.|\
         node::ProcessWrap|node::SyncProcessRunner|java.lang.ProcessBuilder.|java.lang.ProcessImpl.",
        ),
    ),
    (
        Family::Random,
        Begins(
            "rand|random|__random|std::mersenne|java.util.Random|math/rand|java.util.concurrent.ThreadLocalRandom|java.util.SplittableRandom",
        ),
    ),
    // `freemarker.` is none of them.
    (Family::Allocate, Is("malloc|free|calloc|realloc|cfree")),
    (
        Family::Allocate,
        Begins(
            "malloc_|malloc@|free_|free@|calloc@|realloc@|_int_malloc|_int_free|_int_realloc|__libc_malloc|__libc_free|\
         __libc_calloc|__libc_realloc|unlink_chunk|sysmalloc|systrim|\
         tcache_|operator new|operator delete|__rust_alloc|__rust_dealloc|__rdl_|alloc::alloc|\
         alloc::raw_vec|mi_|je_|runtime.mallocgc|runtime.newobject|runtime.makeslice|\
         runtime.growslice|runtime.(*mcache)|runtime.(*mcentral)|runtime.(*mheap)|runtime.nextFree|\
         runtime.memclrNoHeapPointers|_PyObject_Malloc|_PyObject_Free|pymalloc_|object_free|\
         PyObject_Malloc|PyObject_Free|std::allocator|std::__new_allocator|__gnu_cxx::new_allocator|\
         checked_malloc|v8::internal::Factory::|arena_|core::ptr::drop_in_place|alloc_perturb|\
         OptoRuntime::new_|Runtime1::new_|InterpreterRuntime::_new|MemAllocator::|CollectedHeap::",
        ),
    ),
    (
        Family::Copy,
        Begins(
            "memcpy|__memcpy|memmove|__memmove|mempcpy|__mempcpy|strcpy|__strcpy|strncpy|__strncpy|\
         stpcpy|strdup|__strdup|memset|__memset|runtime.memmove|runtime.duffcopy|Builtins_CloneFast|\
         Builtins_ArrayPrototypeSlice|Builtins_CopyFast|Builtins_ExtractFastJSArray|\
         Builtins_CloneObject|java.util.Arrays.copyOf|java.lang.System.arraycopy|java.util.ArrayList.toArray|list_slice|\
         list_extend|v8::internal::JSObject::Copy",
        ),
    ),
    (
        Family::Reflect,
        Begins(
            "java.lang.Class.getMethod|java.lang.Class.getDeclared|java.lang.Class.getField|\
         java.lang.Class.getConstructor|java.lang.Class.copy|java.lang.Class.forName|java.lang.Class.privateGet|\
         java.lang.Class.search|java.lang.reflect.Method.copy|java.lang.reflect.Field.copy|\
         java.lang.PublicMethods|jdk.internal.reflect.ReflectionFactory.|reflect.Value.MethodByName|\
         reflect.Value.FieldByName|reflect.(*rtype).MethodByName|reflect.(*rtype).FieldByName|\
         reflect.(*structType).FieldByName|reflect.(*rtype).Method",
        ),
    ),
    (
        Family::Network,
        Begins("java.net.|sun.nio.ch.NioSocketImpl|sun.nio.ch.SocketChannelImpl|sun.nio.ch.Net."),
    ),
    (
        Family::FileInput,
        Begins("java.io.FileInputStream.|java.io.RandomAccessFile.read|java.nio.file.Files.read"),
    ),
    (
        Family::FileOutput,
        Begins("java.io.FileOutputStream.|java.io.RandomAccessFile.write|java.nio.file.Files.write"),
    ),
    (Family::Log, Begins("java.util.logging.|org.apache.logging.|ch.qos.logback.|org.slf4j.")),
    (
        Family::FileInput,
        Is("read|__read|__GI___read|pread64|__libc_read|fread|_IO_file_read|_IO_file_underflow|\
         _IO_getline|getline|_IO_getdelim|getdelim|fgets|fgetc|getc|_IO_getc|fopen|open|__open64|\
         openat|stat|fstat|__fxstat|readdir|opendir|access|lseek|lseek64"),
    ),
    (
        Family::FileOutput,
        Is("write|__write|__GI___libc_write|pwrite64|__libc_write|fwrite|_IO_file_write|\
         _IO_new_file_write|_IO_new_file_xsputn|fputs|fputc|putc|fflush|fsync|fdatasync|_IO_do_write|\
         new_do_write|puts"),
    ),
    (
        Family::Network,
        Is("recv|send|sendto|recvfrom|sendmsg|recvmsg|connect|accept|getaddrinfo|poll|epoll_wait|select"),
    ),
    (
        Family::Arithmetic,
        Begins(
            "__sin|__cos|__tan|__exp|__log|__pow|sin|cos|exp|pow|log|sqrt|__ieee754|__mul|fmod|__udivti3|\
         long_|x_mul|x_add|k_mul|float_|java.math.Big|java.lang.StrictMath.",
        ),
    ),
];

/// What a library function is for. `None` for the user's own code and for names that nobody knows.
pub(crate) fn of(place: &Place) -> Option<Family> {
    use model::recording::Owner;
    if place.owner == Owner::Project {
        return None;
    }
    let name = place.function.as_str();
    let name = if place.language == Language::Java { name.split('(').next().unwrap_or(name) } else { name };
    let file = place.file.as_deref().unwrap_or("");
    // The module's other functions match.
    if matches!(name, "compile" | "_compile")
        && ["/re/__init__.py", "/re.py"].iter().any(|end| file.ends_with(end))
    {
        return Some(Family::RegexCompile);
    }
    if copies(place) {
        return Some(Family::DeepCopy);
    }
    let fits = |mark: &Mark| match *mark {
        Is(whole) => name == whole,
        Begins(begin) => name.starts_with(begin),
        Holds(part) => name.contains(part),
        File(end) => file.ends_with(end),
    };
    SINGLE.iter().find(|(_, mark)| fits(mark)).map(|(family, _)| *family)
}

/// A method of a package that is called a copy, in a language where that is one of objects.
fn copies(place: &Place) -> bool {
    let object = matches!(place.language, Language::Python | Language::JavaScript | Language::Java);
    let own = place.function.rsplit_once('.').map(|(_, own)| own);
    let named = own.is_some_and(|own| matches!(own, "copy" | "clone" | "__copy__" | "__deepcopy__"));
    object && named && super::spots::is_packaged(place)
}

/// [`MARKS`] with one name in each line.
static SINGLE: LazyLock<Vec<(Family, Mark)>> = LazyLock::new(|| {
    let single = |(family, mark): &(Family, Mark)| {
        let (names, make): (&'static str, fn(&'static str) -> Mark) = match *mark {
            Is(names) => (names, Is),
            Begins(names) => (names, Begins),
            Holds(names) => (names, Holds),
            File(names) => (names, File),
        };
        let family = *family;
        names.split('|').map(move |name| (family, make(name)))
    };
    MARKS.iter().flat_map(single).collect()
});

#[cfg(test)]
mod tests {
    use model::recording::Owner;

    use super::*;

    fn place(function: &str, file: Option<&str>, owner: Owner) -> Place {
        Place {
            function: function.to_owned(),
            file: file.map(str::to_owned),
            line: None,
            module: None,
            language: Language::Native,
            owner,
        }
    }

    #[test]
    fn names_tell_what_a_library_function_is_for() {
        for (name, family) in [
            ("_int_malloc", Family::Allocate),
            ("__memmove_avx_unaligned_erms", Family::Copy),
            ("__strlen_avx2", Family::Scan),
            ("_IO_file_underflow", Family::FileInput),
            ("msort_with_tmp.part.0", Family::Sort),
            ("runtime.mallocgc", Family::Allocate),
            ("free", Family::Allocate),
            ("malloc_consolidate", Family::Allocate),
            ("runtime.scanobject", Family::Collect),
            ("java.util.regex.Pattern.sequence", Family::RegexCompile),
            ("java.util.regex.Matcher.find", Family::RegexMatch),
            ("java.util.LinkedList.node", Family::Scan),
            ("void G1ScanCardClosure::do_oop_work<narrowOop>(narrowOop*)", Family::Collect),
            ("java.math.BigDecimal.multiply", Family::Arithmetic),
            ("Builtins_ArrayIncludesSmiOrObject", Family::Scan),
        ] {
            assert_eq!(of(&place(name, None, Owner::Library)), Some(family), "{name}");
        }
        assert_eq!(of(&place("freemarker.core.Environment.visit", None, Owner::Library)), None);
        assert_eq!(
            of(&place("loads", Some("/usr/lib/python3.11/json/decoder.py"), Owner::Library)),
            Some(Family::Parse)
        );
        assert_eq!(of(&place("frobnicate", None, Owner::Library)), None);
    }

    #[test]
    fn the_users_own_functions_have_no_family_whatever_their_name() {
        assert_eq!(of(&place("malloc_table", None, Owner::Project)), None);
    }
}
