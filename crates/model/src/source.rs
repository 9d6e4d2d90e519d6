//! `slowpath.source/1`: what stands in the source at the places where a measurement found time.
//!
//! Everything here was read from the text of one file and holds without running it. Nothing is concluded from the names
//! that people give to variables: what a thing is follows from literals, constructors, declared types and well-known
//! library calls, and is `unknown` otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const SCHEMA: &str = "slowpath.source/1";

/// Where the source contexts of a run lie.
pub const SOURCE: &str = "tier1/source.json";

/// The source at the hot places of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    pub schema: String,
    pub places: Vec<Place>,
    /// Whether the user's sources belong to a project, which is a repository. A script that only tries a package does not.
    #[serde(default = "belongs")]
    pub project: bool,
}

fn belongs() -> bool {
    true
}

/// One place that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// As the recording names it.
    pub file: String,
    pub line: u32,
    /// `null` when the file could not be read, is too big, or has no such line.
    pub context: Option<Context>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    Python,
    #[serde(rename = "javascript")]
    JavaScript,
    #[serde(rename = "typescript")]
    TypeScript,
    Java,
    C,
    Cpp,
    Rust,
    Go,
}

/// What stands around one line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Context {
    pub language: Language,
    pub line: u32,
    /// The function that encloses the line. `null` at the top level of the file.
    pub function: Option<Function>,
    /// Loops around the line inside that function, outermost first. A line in the head of a loop lies in the loop, and
    /// so does a statement with the comprehensions and callbacks that are written in it.
    pub loops: Vec<Loop>,
    /// The lines of the statement, at most three, shortened.
    pub statement: Vec<String>,
    /// What the statement does.
    pub traits: Vec<Trait>,
    /// Functions of the same file that the statement calls, one level deep.
    pub callees: Vec<Callee>,
    /// The lock that is held at the line, in the words of the source. `null`: none was seen in this function.
    pub in_lock: Option<Held>,
    /// The database transaction that is open at the line. `null`: none was seen in this function.
    pub in_transaction: Option<Held>,
    /// The parser met text that is not of this language near the line, so the rest may be incomplete.
    pub damaged: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// With its class or receiver where there is one: `Basket.total`. `null` for functions without a name.
    pub name: Option<String>,
    pub first_line: u32,
    pub last_line: u32,
    pub parameters: Vec<String>,
    pub is_async: bool,
    /// It calls itself by name.
    pub recursive: bool,
    /// One statement is all of it.
    #[serde(default)]
    pub single: bool,
}

/// A function and what it holds, for looking at a whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub function: Function,
    /// The deepest nesting of loops in it, 0 without loops.
    pub loop_depth: u32,
    /// What it calls, in the words of the source, each once.
    pub calls: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Loop {
    pub kind: LoopKind,
    pub first_line: u32,
    pub last_line: u32,
    /// What it goes through, or its condition, shortened. `null` for endless loops and recursion.
    pub over: Option<String>,
    /// What kind of thing it goes through. `unknown` for conditions.
    pub container: ContainerKind,
    /// Variables that it gives a new value each time round.
    pub binds: Vec<String>,
    /// A `break`, `return` or the like may leave it before its end.
    pub ends_early: bool,
    /// Each turn asks with what the one before was told, so none can begin sooner.
    #[serde(default)]
    pub chained: bool,
    /// It goes on until somebody else ends it: nothing in it changes what it asks for.
    #[serde(default)]
    pub looks: bool,
    /// It goes through a literal or a range of a small constant, so it does not grow with the input.
    pub bounded: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LoopKind {
    For,
    While,
    /// A list, set or dictionary comprehension, or a generator expression.
    Comprehension,
    /// A function given to `map`, `forEach`, `filter`, `reduce` and the like.
    Callback,
    /// The function calls itself.
    Recursion,
}

/// One thing that a statement does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trait {
    pub kind: TraitKind,
    pub line: u32,
    /// The call or operator, shortened.
    pub text: String,
    /// Loops around it in its function, bounded ones included.
    pub loop_depth: u32,
    /// What it works on, for membership, front-insert, indexed-linked, concatenation, copy, sorting and extreme.
    pub container: Option<ContainerKind>,
    /// The regular expression, when it is written in the file.
    pub pattern: Option<String>,
    /// That pattern repeats something that can repeat in itself, so matching may take exponential time.
    pub nested_quantifier: Option<bool>,
    /// A literal size in the call, as in `read(1)`.
    pub bytes: Option<u64>,
    /// For inner loops: the loop and one around it go through the same thing.
    pub same_collection: Option<bool>,
    /// For inner loops: all loops around but one are bounded.
    pub bounded: Option<bool>,
    /// Nothing in it changes from one turn of the innermost loop to the next. `null` outside loops and where it cannot
    /// be told.
    pub invariant: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraitKind {
    /// Asks whether or where something is in a container, or counts it there.
    Membership,
    /// Inserts or removes at the front of a sequence.
    FrontInsert,
    /// Takes an element of a linked list by its number.
    IndexedLinked,
    /// Builds a new string, list or object from the old one and a piece.
    Concatenation,
    /// Measures a length in the condition of a loop.
    LengthInCondition,
    /// Stands in a loop inside another loop.
    InnerLoop,
    Sorting,
    /// Looks for the smallest or the largest of all that a container has, which goes on after it.
    Extreme,
    Hashing,
    Copy,
    RegexCompile,
    RegexMatch,
    Parse,
    Serialise,
    Open,
    Read,
    Write,
    Flush,
    Sync,
    Query,
    Commit,
    Connect,
    Request,
    Receive,
    Await,
    Sleep,
    Spawn,
    ThreadStart,
    Lock,
    Allocate,
    /// Puts a number into an object of its own.
    Boxing,
    Import,
    Exception,
    Log,
    Print,
    Arithmetic,
    Recursion,
    /// A call in a loop whose receiver and arguments do not change in the loop.
    InvariantCall,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// Contiguous: Python list and tuple, JavaScript array, `Vec`, `ArrayList`, slice.
    List,
    LinkedList,
    /// Cheap at both ends, linear to search.
    Deque,
    Set,
    Map,
    /// Text or bytes.
    String,
    #[default]
    Unknown,
}

/// A function of the same file that the statement calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Callee {
    pub function: Function,
    /// The line of the call.
    pub line: u32,
    /// Loops around the call in the function that calls.
    pub loop_depth: u32,
    /// All loops in it, in the order of the text.
    pub loops: Vec<Loop>,
    /// What its statements do, those inside its loops first.
    pub traits: Vec<Trait>,
}

/// A span of source in which something is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Held {
    /// Where it was taken.
    pub line: u32,
    /// How, in the words of the source.
    pub text: String,
}
