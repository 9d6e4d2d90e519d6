//! What library code is for: allocating, copying, searching, matching, parsing.
//!
//! Told by names, which are facts of the libraries and runtimes and change slowly. A name that nobody knows is the
//! caller's own work.

mod marks;

use std::sync::LazyLock;

use marks::MARKS;
use marks::Mark::{self, Begins, File, Holds, Is};
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
    /// Makes a program of a stylesheet, query, schema or script: one alone may take a tenth of a second.
    Compile,
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
            Self::Compile => "compile",
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

/// Work that is done for its own sake. Parsing, serialising and filling tables is often work that was done before; so is
/// compiling, but only where it is done again and again.
pub const COMPUTE: [Family; 7] = [
    Family::Format,
    Family::Crypto,
    Family::Compress,
    Family::Random,
    Family::Arithmetic,
    Family::Sort,
    Family::Compile,
];

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

/// An attribute or a call of an object mapper's that fetches its row when it is asked for.
#[must_use]
pub fn loads_lazily(place: &Place) -> bool {
    const PYTHON: [&str; 5] =
        ["/sqlalchemy/orm/", "/django/db/models/", "/peewee.py", "/pony/orm/", "/tortoise/"];
    const NODE: [&str; 7] = [
        "/node_modules/typeorm/",
        "/node_modules/sequelize/",
        "/node_modules/@mikro-orm/",
        "/node_modules/objection/",
        "/node_modules/bookshelf/",
        "/node_modules/waterline/",
        "/node_modules/mongoose/",
    ];
    // Those of Node ask for rows by methods, and write by others.
    const ASKS: [&str; 4] = ["get", "load", "find", "fetch"];
    let is_of = |mappers: &[&str]| {
        place.file.as_deref().is_some_and(|file| mappers.iter().any(|mapper| file.contains(mapper)))
    };
    let own = place.function.rsplit(['.', ' ']).next().unwrap_or_default();
    place.function.ends_with("__get__") && is_of(&PYTHON)
        || ASKS.iter().any(|ask| own.starts_with(ask)) && is_of(&NODE)
}

/// An attribute of an object mapper's that fetches one row when it is asked for: who spends much time there asks again and again.
#[must_use]
pub fn fetches_a_row(place: &Place) -> bool {
    // Django, Peewee, Tortoise.
    const ATTRIBUTES: [&str; 4] = [
        "ForwardManyToOneDescriptor.__get__",
        "ReverseOneToOneDescriptor.__get__",
        "ForeignKeyAccessor.__get__",
        "ForeignKeyAccessor.get_rel_instance",
    ];
    loads_lazily(place) && ATTRIBUTES.contains(&place.function.as_str())
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
    let fits = |name: &str, mark: &Mark| match *mark {
        Is(whole) => name == whole,
        Begins(begin) => name.starts_with(begin),
        Holds(part) => name.contains(part),
        File(end) => file.ends_with(end),
    };
    let known = |name: &str| SINGLE.iter().find(|(_, mark)| fits(name, mark)).map(|(family, _)| *family);
    // The C library's own debug symbols have its functions by the names that it calls them by itself. What others than the
    // allocator were called for, what they call tells better: `sscanf` of a long text measures all of it.
    let own = || known(name.strip_prefix("__GI_")?).filter(|family| *family == Family::Allocate);
    known(name).or_else(own)
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
    fn who_asks_a_mapper_for_a_row_is_told_from_who_writes_one() {
        let lazy = |function: &str, file: &str| loads_lazily(&place(function, Some(file), Owner::Library));
        assert!(lazy("InstrumentedAttribute.__get__", "/x/sqlalchemy/orm/attributes.py"));
        assert!(lazy("get", "/x/node_modules/typeorm/query-builder/RelationLoader.js"));
        assert!(lazy("BelongsTo.get", "/x/node_modules/sequelize/lib/associations/belongs-to.js"));
        assert!(!lazy("save", "/x/node_modules/typeorm/repository/Repository.js"));
        assert!(!lazy("get", "/x/node_modules/lodash/get.js"));
        assert!(!lazy("load", "/x/orm/loader.py"));
    }

    #[test]
    fn names_tell_what_a_library_function_is_for() {
        for (name, family) in [
            ("_int_malloc", Family::Allocate),
            ("duckdb::Binder::Bind(duckdb::QueryNode&)", Family::Database),
            ("void std::__advance<std::_Rb_tree_const_iterator<unsigned int>, long>(...)", Family::Scan),
            ("__memmove_avx_unaligned_erms", Family::Copy),
            ("__strlen_avx2", Family::Scan),
            ("_IO_file_underflow", Family::FileInput),
            ("msort_with_tmp.part.0", Family::Sort),
            ("runtime.mallocgc", Family::Allocate),
            ("free", Family::Allocate),
            ("malloc_consolidate", Family::Allocate),
            ("__GI___libc_malloc", Family::Allocate),
            ("__GI___libc_free", Family::Allocate),
            ("__rawmemchr_evex", Family::Scan),
            ("runtime.scanobject", Family::Collect),
            ("java.util.regex.Pattern.sequence", Family::RegexCompile),
            ("java.util.regex.Matcher.find", Family::RegexMatch),
            (
                "com.sun.org.apache.xalan.internal.xsltc.trax.TransformerFactoryImpl.newTemplates",
                Family::Compile,
            ),
            ("com.sun.org.apache.xerces.internal.parsers.DOMParser.parse", Family::Parse),
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
    fn what_reads_a_number_from_a_long_text_is_told_by_what_it_calls() {
        let told = |function: &str| of(&place(function, None, Owner::Library));
        assert_eq!(told("__GI___isoc99_sscanf"), None);
        assert_eq!(told("__GI___libc_malloc"), Some(Family::Allocate));
    }

    #[test]
    fn the_users_own_functions_have_no_family_whatever_their_name() {
        assert_eq!(of(&place("malloc_table", None, Owner::Project)), None);
    }
}
