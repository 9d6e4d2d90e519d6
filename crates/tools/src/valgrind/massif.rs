//! `valgrind --tool=massif`: the size of the heap over time, and who holds it.
//!
//! Source of the format: what `ms_print` takes and massif's `ms_main.c` writes; it is not in the manual. Checked with 3.19.0 and 3.24.0.
//! The file has no end mark: one that is cut between two snapshots looks whole.

mod tree;

use model::Bytes;

use super::text::{Text, whole};
use crate::ParseError;

pub use super::invocation::massif as invocation;
use tree::Sites;
pub use tree::{Node, Place, Tree, TreeKind};

const FORMAT: &str = "massif file";

/// One process's heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Massif<'a> {
    /// The options massif was given; `None` when there were none.
    pub options: Option<&'a [u8]>,
    /// The command line, its arguments joined by spaces.
    pub command: &'a [u8],
    pub time_unit: TimeUnit,
    /// In order of time.
    pub snapshots: Vec<Snapshot>,
    /// The nodes of all trees, each tree from its root downwards. [`Snapshot::tree`] says which are whose.
    pub nodes: Vec<Node>,
    /// What nodes point to, each once.
    pub places: Vec<Place<'a>>,
}

/// What `time` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    Instructions,
    Milliseconds,
    /// Bytes allocated and freed.
    Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub number: u64,
    /// In [`Massif::time_unit`].
    pub time: u64,
    /// What the program asked for.
    pub heap: Bytes,
    /// What the allocator needs beside it.
    pub extra: Bytes,
    /// `None` unless massif was asked to look at stacks: it writes zero then.
    pub stacks: Option<Bytes>,
    /// `None` for most snapshots.
    pub tree: Option<Tree>,
}

impl Snapshot {
    /// Heap, what it takes beside, and stacks. `None` when the sum does not fit 64 bits.
    #[must_use]
    pub fn whole(&self) -> Option<Bytes> {
        let stacks = self.stacks.map_or(0, Bytes::as_bytes);
        let heap = self.heap.as_bytes().checked_add(self.extra.as_bytes())?;
        heap.checked_add(stacks).map(Bytes::from_bytes)
    }
}

impl Massif<'_> {
    /// The snapshot massif calls the peak. `None` when it took none, as when nothing was freed and the program was killed.
    #[must_use]
    pub fn peak(&self) -> Option<&Snapshot> {
        let is_peak = |one: &&Snapshot| one.tree.is_some_and(|tree| tree.kind == TreeKind::Peak);
        self.snapshots.iter().find(is_peak)
    }

    /// A tree's nodes, the root first.
    #[must_use]
    pub fn nodes_of(&self, tree: Tree) -> &[Node] {
        self.nodes.get(tree.from..tree.to).unwrap_or_default()
    }
}

/// Reads a whole file. A node's parts must add up to it, and a tree's root to the heap.
///
/// # Errors
///
/// When the file is cut within a snapshot, has none, or its sums differ.
pub fn parse(bytes: &[u8]) -> Result<Massif<'_>, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut text = Text::new(bytes, FORMAT);
    let mut massif = header(&mut text)?;
    let with_stacks = has_stacks(massif.options);
    let mut sites = Sites::default();
    while !text.rest.is_empty() {
        let snapshot = snapshot(&mut text, with_stacks, &mut sites)?;
        massif.snapshots.push(snapshot);
    }
    if massif.snapshots.is_empty() {
        return Err(text.cut("a snapshot"));
    }
    (massif.nodes, massif.places) = sites.finish();
    Ok(massif)
}

fn header<'a>(text: &mut Text<'a>) -> Result<Massif<'a>, ParseError> {
    let before = *text;
    let options = text.line("a `desc:` line")?;
    let options = options.strip_prefix(b"desc:").ok_or_else(|| before.unknown())?.trim_ascii();
    let before = *text;
    if !text.line("a `cmd:` line")?.starts_with(b"cmd:") {
        return Err(before.unknown());
    }
    let command = text.command(before, |rest| rest.starts_with(b"time_unit:"))?;
    let before = *text;
    let time_unit = match text.line("a `time_unit:` line")? {
        b"time_unit: i" => TimeUnit::Instructions,
        b"time_unit: ms" => TimeUnit::Milliseconds,
        b"time_unit: B" => TimeUnit::Bytes,
        _ => return Err(before.unknown()),
    };
    let options = Some(options).filter(|options| *options != b"(none)");
    Ok(Massif { options, command, time_unit, snapshots: Vec::new(), nodes: Vec::new(), places: Vec::new() })
}

/// Whether the last word on it says that stacks were measured.
fn has_stacks(options: Option<&[u8]>) -> bool {
    let words = options.unwrap_or_default().split(|byte| *byte == b' ');
    words.filter_map(|word| word.strip_prefix(b"--stacks=")).next_back() == Some(b"yes")
}

fn snapshot<'a>(
    text: &mut Text<'a>,
    with_stacks: bool,
    sites: &mut Sites<'a>,
) -> Result<Snapshot, ParseError> {
    rule(text)?;
    let number = value(text, b"snapshot=")?;
    rule(text)?;
    let time = value(text, b"time=")?;
    let heap = Bytes::from_bytes(value(text, b"mem_heap_B=")?);
    let extra = Bytes::from_bytes(value(text, b"mem_heap_extra_B=")?);
    let stacks = Bytes::from_bytes(value(text, b"mem_stacks_B=")?);
    let stacks = with_stacks.then_some(stacks);
    let before = *text;
    let tree = match text.line("a `heap_tree=` line")? {
        b"heap_tree=empty" => None,
        b"heap_tree=detailed" => Some(sites.tree(text, TreeKind::Detailed, heap)?),
        b"heap_tree=peak" => Some(sites.tree(text, TreeKind::Peak, heap)?),
        _ => return Err(before.unknown()),
    };
    Ok(Snapshot { number, time, heap, extra, stacks, tree })
}

/// The lines that snapshots stand between.
fn rule(text: &mut Text<'_>) -> Result<(), ParseError> {
    let before = *text;
    let line = text.line("a snapshot")?;
    if line.starts_with(b"#--") { Ok(()) } else { Err(before.unknown()) }
}

fn value(text: &mut Text<'_>, key: &[u8]) -> Result<u64, ParseError> {
    let before = *text;
    let line = text.line("the rest of a snapshot")?;
    line.strip_prefix(key).and_then(whole).ok_or_else(|| before.unknown())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "desc: --stacks=no
cmd: ./a b
time_unit: i
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=0
mem_heap_extra_B=0
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=1
#-----------
time=90
mem_heap_B=100
mem_heap_extra_B=12
mem_stacks_B=0
heap_tree=peak
n2: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 70 0x10: f (a.c:3)
  n0: 70 0x20: main (a.c:9)
 n0: 30 in 4 places, all below massif's threshold (1.00%)
";

    #[test]
    fn snapshots_and_their_trees_are_read() {
        let read = parse(SMALL.as_bytes()).unwrap();
        assert_eq!((read.command, read.time_unit), (&b"./a b"[..], TimeUnit::Instructions));
        let peak = read.peak().unwrap();
        assert_eq!((peak.number, peak.time, peak.stacks), (1, 90, None));
        assert_eq!(peak.whole(), Some(Bytes::from_bytes(112)));
        let nodes = read.nodes_of(peak.tree.unwrap());
        let found: Vec<_> = nodes.iter().map(|node| (node.depth, node.bytes.as_bytes())).collect();
        assert_eq!(found, [(0, 100), (1, 70), (2, 70), (1, 30)]);
        let place = |node: &Node| read.places[node.place as usize];
        assert_eq!(place(&nodes[0]), Place::Allocators);
        assert_eq!(place(&nodes[3]), Place::Below { places: 4 });
        let Place::Frame(frame) = place(&nodes[1]) else { panic!("no frame") };
        assert_eq!((frame.function, frame.line), (Some(&b"f"[..]), Some(3)));
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        for (from, to) in [
            ("n1: 70", "n1: 71"),
            ("n1: 70", "n2: 70"),
            ("n1: 70", "n0: 70"),
            ("n2: 100", "n2: 99"),
            ("n2: 100", "n3: 100"),
            ("n0: 30 in 4 places", "n0: 30 in many places"),
            ("  n0: 70", " n0: 70"),
            ("0x10: f", "0x1g: f"),
            ("mem_heap_B=100", "mem_heap_B=101"),
            ("mem_heap_B=100", "mem_heap_B=1e2"),
            ("heap_tree=peak", "heap_tree=other"),
            ("time_unit: i", "time_unit: h"),
            ("snapshot=1\n", ""),
            ("desc:", "what:"),
        ] {
            let text = SMALL.replace(from, to);
            assert_ne!(text, SMALL);
            assert!(parse(text.as_bytes()).is_err(), "{from} -> {to}");
        }
    }

    #[test]
    fn a_cut_is_an_error_except_between_snapshots() {
        let between = SMALL.find("#-----------\nsnapshot=1").unwrap();
        for end in 0..SMALL.len() {
            assert_eq!(parse(&SMALL.as_bytes()[..end]).is_ok(), end == between, "{end}");
        }
    }

    #[test]
    fn stacks_are_unknown_unless_asked_for() {
        let text = SMALL.replace("--stacks=no", "--stacks=no --stacks=yes");
        assert_eq!(parse(text.as_bytes()).unwrap().snapshots[0].stacks, Some(Bytes::from_bytes(0)));
    }
}
