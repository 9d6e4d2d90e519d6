//! Causes of time on the CPU that lie in what is computed.

use model::worklist::Effort;

use super::super::hash::CHAINED;
use super::super::{Cause, Kind, Page};
use super::{WORTH, at_least, at_most, no, yes};

pub(super) static ALGORITHMIC_GROWTH: Cause = Cause {
    id: "algorithmic-growth",
    class: "CPU",
    title: "work that grows faster than its input",
    kinds: &[Kind::Computing],
    // A function below a tenth of the run gains little from a better algorithm at this size.
    gates: &[at_least("wall", 0.1, "profile", "it takes a share of wall time that matters")],
    supports: &[
        yes(
            "source.growth",
            "source",
            "the code at the hot line goes through all it has, once for each element: `{what}`",
        ),
        // Libraries that only search and move spend this much only when asked to again and again.
        at_least(
            "leaf.search",
            0.3,
            "profile",
            "its time is spent walking over or moving sequences, in {callee}",
        ),
        at_least("size.exponent", 1.4, "scale", "its cost grows faster than the size"),
        // Times of single calls on a busy machine: a sort, or a tree, looks like 1.3.
        at_least("cost.power", 1.5, "runtime", "{cost}"),
        at_least(
            "regex.again",
            0.5,
            "runtime",
            "patterns go through the rest of the same text at each turn: less the further on they are",
        ),
        yes(
            "source.weak-hash",
            "source",
            "its time goes into hash tables, and `{what}` gives many keys the same value",
        ),
        at_least("hash.compares", 4.0, "profile", "keys are compared over and over: many have the same hash"),
        at_least(
            "hash.chain",
            CHAINED,
            "profile",
            "each look-up goes along a chain of keys with the same hash, those of `{what}`",
        ),
    ],
    rejects: &[
        at_most("size.exponent", 1.2, "scale", "its cost grows in step with the size"),
        at_least("regex", 0.5, "profile", "a regular expression does the work"),
        at_least("leaf.regex-compile", 0.3, "profile", "compiling regular expressions does the work"),
        at_least("leaf.parse", 0.6, "profile", "a parser does the work"),
        at_least("leaf.reflect", 0.3, "profile", "looking members up by name does the work"),
        at_least("leaf.deep-copy", 0.5, "profile", "copying objects does the work"),
        at_least("leaf.database", 0.5, "profile", "the database library does the work"),
        at_least("kernel", 0.6, "profile", "the kernel does the work"),
    ],
    part: None,
    special: 6,
    fixes: &[
        (
            "",
            "{place} goes through everything again for each element: keep an index (hash table, sorted array) that answers in one step",
        ),
        (
            "python",
            "{place} does `{what}` for each element: keep a `set` or `dict` beside the list (or `collections.deque`, `''.join`) so that each step takes constant time",
        ),
        (
            "javascript",
            "{place} does `{what}` for each element: keep a `Set` or `Map`, or an index into the array instead of `shift`",
        ),
        (
            "java",
            "{place} does `{what}` for each element: keep a `HashSet`/`HashMap`, an `ArrayDeque`, or a `StringBuilder`",
        ),
        (
            "rust",
            "{place} searches a sequence for each element: keep a `HashSet`/`HashMap`, or sort once and use `binary_search`",
        ),
        ("go", "{place} searches a slice for each element: keep a `map`"),
        (
            "c++",
            "{place} searches or moves a sequence for each element: keep an `unordered_map`, a `deque`, or erase once at the end",
        ),
        (
            "hash",
            "{place}: spread the parts of the key over all bits (multiply each by an odd constant, shift and mix) instead of `{what}`, so that a look-up does not go through many others",
        ),
        (
            "chain",
            "{place}: the hash of `{what}` gives many keys the same value: spread its parts over all bits (multiply each by an odd constant, shift and mix), so that a look-up does not go through many others",
        ),
        (
            "keys",
            "{place} gives many keys the same hash: take every part that comparing looks at into it, so that a look-up does not go through many others",
        ),
        (
            "keys python",
            "{place} gives many keys the same hash: return `hash((…))` of every part that `__eq__` compares, so that a look-up does not go through many others",
        ),
        (
            "keys java",
            "{place} gives many keys the same hash: return `Objects.hash(…)` of every part that `equals` compares, so that a look-up does not go through many others",
        ),
        (
            "within",
            "{place}: each call of {within} goes through all there is: ask it once for all, keep what it has found, or use what the package has for many at once (an index, a bulk call)",
        ),
        (
            "membership",
            "{place} searches a whole sequence for each element (`{what}`): keep a hash set beside it",
        ),
        (
            "membership python",
            "{place} searches a whole list for each element (`{what}`): keep a `set` (or a `dict`) beside it",
        ),
        (
            "membership javascript",
            "{place} searches a whole array for each element (`{what}`): keep a `Set` (or a `Map`) beside it",
        ),
        (
            "membership java",
            "{place} searches a whole list for each element (`{what}`): keep a `HashSet` (or a `HashMap`) beside it",
        ),
        (
            "membership rust",
            "{place} searches a whole sequence for each element (`{what}`): keep a `HashSet`, or sort once and use `binary_search`",
        ),
        (
            "membership go",
            "{place} searches a whole slice for each element (`{what}`): keep a `map` beside it",
        ),
        (
            "membership c++",
            "{place} searches a whole sequence for each element (`{what}`): keep an `unordered_set` beside it",
        ),
        (
            "concatenation",
            "{place} copies all there is for each part it appends (`{what}`): collect the parts and join them once",
        ),
        (
            "concatenation python",
            "{place} copies all there is for each part it appends (`{what}`): append the parts to a list and `''.join` it once",
        ),
        (
            "concatenation go",
            "{place} copies all there is for each part it appends (`{what}`): write the parts into one `strings.Builder`",
        ),
        (
            "concatenation java",
            "{place} copies all there is for each part it appends (`{what}`): append the parts to one `StringBuilder`",
        ),
        (
            "concatenation c",
            "{place} walks over all there is for each part it appends (`{what}`): keep a pointer to the end",
        ),
        (
            "concatenation rust",
            "{place} copies all there is for each part it appends (`{what}`): `push_str` onto one `String`",
        ),
        (
            "concatenation c++",
            "{place} copies all there is for each part it appends (`{what}`): `append` to one string in place",
        ),
        (
            "pieces",
            "{place} copies all there is for each piece it adds (`{what}`): collect the pieces in a list and join them once after the loop",
        ),
        (
            "front",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): use a queue with two ends, or the other end and turn it round once",
        ),
        (
            "front python",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): use a `collections.deque`",
        ),
        (
            "front java",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): use an `ArrayDeque`",
        ),
        (
            "front rust",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): use a `VecDeque`",
        ),
        (
            "front c++",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): use a `std::deque`",
        ),
        (
            "front javascript",
            "{place} moves all elements for each one that it puts in or takes out at the front (`{what}`): keep an index to the first, or push and `reverse` once",
        ),
        (
            "rest",
            "{place} copies all that is left for each piece that it takes off the front (`{what}`): keep an index to where it is, or a `memoryview`",
        ),
        (
            "sorting",
            "{place} sorts everything anew for each element (`{what}`): keep a heap or a sorted structure, or sort once at the end",
        ),
        (
            "sorting python",
            "{place} sorts everything anew for each element (`{what}`): `bisect.insort`, `heapq`, or sort once at the end",
        ),
        (
            "extreme",
            "{place} goes through all there is to find one of it, for each element (`{what}`): keep a heap or a sorted structure",
        ),
        (
            "extreme python",
            "{place} goes through all there is to find one of it, for each element (`{what}`): keep a `heapq`, whose first is the smallest",
        ),
        (
            "length",
            "{place} measures the whole length before each step (`{what}`): measure it once before the loop",
        ),
    ],
    effort: Effort::Hours,
    next: Some("slowpath scale -- {command}   # with {SIZE} in place of the size"),
    page: Page {
        what: "Each element costs more the more elements there are: a list is searched, shifted or copied once for each of its elements, two loops go over the same things, or a hash function gives so many keys the same value that each look-up goes through them. Twice the input takes four times as long.",
        by_hand: "Run it at n and 2n: a time ratio near 4 (after subtracting the start-up) is quadratic, near 2 is linear. `slowpath scale` fits the class.",
        confused: "hot-compute (many steps, but as many as the input asks for), regex-backtracking (the growth is inside the pattern), cache-misses (the cost for each step rises where the data outgrows a cache).",
    },
};

pub(super) static REGEX_BACKTRACKING: Cause = Cause {
    id: "regex-backtracking",
    class: "CPU",
    title: "a regular expression that tries every way to match",
    kinds: &[Kind::Computing],
    gates: &[
        at_least("wall", 0.1, "profile", "it takes a share of wall time that matters"),
        // Matching is a small part of programs that do something with what they matched.
        at_least("regex", 0.5, "profile", "matching is most of its time"),
    ],
    supports: &[
        at_least("regex", 0.6, "profile", "most of its time is spent matching"),
        yes("source.regex-nested", "source", "its pattern repeats something that repeats in itself"),
    ],
    rejects: &[
        at_least("leaf.regex-compile", 0.3, "profile", "compiling, not matching, takes the time"),
        // What tries again and again is long for one text or another; many short matches are a lexer's, or a search's.
        no("regex.tries", "runtime", "its matches are too short to have tried more than one way"),
    ],
    part: Some("regex"),
    special: 8,
    fixes: &[(
        "",
        "{place}: rewrite {pattern} so that each letter can match in one way only (no repetition inside a repetition, no `.*` before another `.*`), anchor it, or use a matcher without backtracking",
    )],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "Backtracking matchers try every way to divide the text among nested repetitions. A text that almost matches then takes time that doubles with each letter.",
        by_hand: "Time the pattern alone on the longest text that does not match, and on half of it.",
        confused: "repeated-work (the pattern is compiled again and again), hot-compute (much text, plain pattern).",
    },
};

pub(super) static REPEATED_WORK: Cause = Cause {
    id: "repeated-work",
    class: "Architecture",
    title: "the same work done again and again",
    kinds: &[Kind::Computing],
    gates: &[at_least("wall", 0.1, "profile", "it takes a share of wall time that matters")],
    supports: &[
        // A compiled pattern is cached by most libraries; a fifth of the time says that it is not.
        at_least(
            "leaf.regex-compile",
            0.2,
            "profile",
            "patterns, templates or mappings are compiled while it runs",
        ),
        // The same fifth, where it is known to be done more than once: one stylesheet takes as long as a thousand patterns.
        at_least(
            "compile.again",
            0.2,
            "profile",
            "stylesheets, queries, schemas or scripts are compiled again and again while it runs",
        ),
        // What a type has does not change while the program runs.
        at_least("leaf.reflect", 0.3, "profile", "members of a type are looked up by name while it runs"),
        yes(
            "source.invariant",
            "source",
            "a call that leads here, or takes its time, stands in a loop and its arguments never change",
        ),
        yes("source.regex-compile", "source", "the pattern is compiled inside the loop"),
        yes("source.rebuilt", "source", "most of its time a package makes the same object anew"),
        // Four of five results could have been kept; only the first calls are watched, whose inputs are new most often.
        at_least("repeat.same", 0.8, "runtime", "{repeats} had the input and the result of an earlier one"),
        // The same four of five: what tells the inputs apart does not matter for the result.
        at_least(
            "repeat.given",
            0.8,
            "runtime",
            "{given} gave what an earlier one had given, from another input",
        ),
        // A sort compares each element a dozen times and more.
        at_least("compare.keys", 0.5, "profile", "what a sort compares by is made anew for each comparison"),
        // Three readings of the same bytes can be by design; more are not.
        at_least("io.reread", 3.5, "tracer", "the same bytes of {what} are read again and again"),
        at_least("io.repeated-opens", 8.0, "tracer", "the same file is opened again and again"),
    ],
    rejects: &[
        at_least("leaf.deep-copy", 0.3, "profile", "copying objects does the work"),
        at_least("leaf.copy", 0.5, "profile", "copying memory does the work"),
        at_least("starting", 0.5, "profile", "it runs once, before the work begins"),
        at_most("compile.same", super::super::runtime::ONCE, "runtime", "each pattern is compiled once"),
        yes("database.pages", "profile", "a database library reads its own pages again"),
    ],
    part: None,
    special: 7,
    fixes: &[
        ("", "{place}: do it once before the loop and keep the result"),
        (
            "python",
            "{place}: do it once before the loop, or keep results in `functools.lru_cache`; compile patterns at module level",
        ),
        (
            "within",
            "{place}: {within} makes the same again at each call: have it made once before the loop, and go on with that",
        ),
        (
            "keys",
            "{place} makes what it sorts by anew for each comparison: make it once for each element, sort by that, and throw it away",
        ),
        ("javascript", "{place}: do it once outside the loop, or keep results in a `Map`"),
        ("java", "{place}: make it a `static final` or keep results in a `HashMap`"),
    ],
    effort: Effort::Minutes,
    next: None,
    page: Page {
        what: "A result that does not change is computed again for each item: a pattern compiled, a file parsed, a configuration read, a pure function called with the same arguments.",
        by_hand: "Count the calls and the different arguments: `slowpath record` shows who calls, a counter in the function shows how often.",
        confused: "algorithmic-growth (each repetition is different work), n-plus-one (the repetition is a query).",
    },
};

pub(super) static HOT_COMPUTE: Cause = Cause {
    id: "hot-compute",
    class: "CPU",
    title: "plain computing",
    kinds: &[Kind::Computing],
    // A quarter of the run in one place is worth a look even if nothing is wrong with it.
    gates: &[at_least("loop", 0.25, "profile", "one place and its steps take a quarter of wall time")],
    supports: &[
        at_least(
            "leaf.own",
            0.4,
            "profile",
            "most of its time is plain computing, its own or of what it calls",
        ),
        at_least("regex.plain", 0.4, "runtime", "most of its time patterns are matched, each in one way"),
        at_least("leaf.exception", 0.3, "profile", "throwing and catching takes much of its time"),
        at_least("leaf.log", 0.3, "profile", "logging takes much of its time"),
        at_least("leaf.lock", 0.4, "profile", "taking locks and handing values over takes much of its time"),
        at_least("leaf.library", 0.5, "profile", "most of its time a library computes for it"),
        at_least("leaf.package", super::external::PACKAGE, "profile", "most of its time is in {package}"),
    ],
    rejects: &[
        at_least("kernel", 0.5, "profile", "the kernel does the work"),
        yes("package.slow", "profile", "something does the same much faster"),
    ],
    part: None,
    special: 0,
    fixes: &[
        (
            "",
            "{place} is where the time goes: compute less there (hoist what does not change, keep results, tables instead of formulas), or spread it over threads",
        ),
        (
            "package",
            "{place}: its time goes into {package}: ask it for less (once for many, a cache), use its compiled or faster variant, or another package",
        ),
        (
            "package python",
            "{place}: its time goes into {package}: many packages have a compiled variant, an object to build once and use often, or a call for many items",
        ),
        (
            "rows python",
            "{place} goes through the rows of a frame one by one ({package}): work on whole columns (`df['a'] * df['b']`, `groupby`, `merge`), or `itertuples` where rows are needed",
        ),
        (
            "nameless",
            "{place} is where the time goes, and nothing names its functions: install its debug symbols (or build it with `-g`, without `strip`) and run this again; where it is not yours to change, ask it for less, or start several side by side",
        ),
        (
            "task python",
            "{place} computes in a task, and all other tasks of its event loop wait meanwhile: `await asyncio.to_thread(...)`, or `run_in_executor` with a `ProcessPoolExecutor` where Python itself computes; or keep results",
        ),
        (
            "python",
            "{place} is a loop in Python: use the array operations of a native library, keep results, or move the loop into a compiled extension",
        ),
        (
            "javascript",
            "{place} is where the time goes: typed arrays, fewer objects in the loop, or a worker thread",
        ),
    ],
    effort: Effort::Hours,
    next: Some("slowpath record --tree -- {command}"),
    page: Page {
        what: "One function's own instructions, or a library's that it calls, take much of the time, and nothing shows that they are in vain.",
        by_hand: "Look at its most expensive lines: is every step needed, and needed so often?",
        confused: "algorithmic-growth, debug-build, missed-vectorisation, cache-misses: each of them looks like plain computing until its evidence is taken.",
    },
};

pub(super) static STARTUP_DOMINATED: Cause = Cause {
    id: "startup-dominated",
    class: "Architecture",
    title: "starting takes much of the time",
    kinds: &[Kind::Computing],
    gates: &[WORTH, at_least("starting", 0.5, "profile", "it runs while the program starts")],
    // Half of the time before the work begins is what people notice of a command.
    supports: &[at_least("starting", 0.5, "profile", "it runs below imports or initialisers")],
    rejects: &[at_most("starting", 0.2, "profile", "little of it runs while the program starts")],
    part: Some("starting"),
    special: 8,
    fixes: &[
        ("", "{place}: load and compute what is needed when it is needed"),
        (
            "python",
            "{place}: import the heavy modules inside the functions that need them (`python -X importtime` lists them)",
        ),
        (
            "java",
            "{place}: make what is needed when it is needed, not in a static initialiser; for the classes themselves class data sharing (`-XX:SharedArchiveFile`)",
        ),
    ],
    effort: Effort::Hours,
    next: Some("python3 -X importtime SCRIPT"),
    page: Page {
        what: "Most of a short run goes into starting: imports, class loading, dynamic linking, first-use tables.",
        by_hand: "Run it with the smallest input: what remains is start-up.",
        confused: "cold-cache (files had to be read from disk the first time).",
    },
};
