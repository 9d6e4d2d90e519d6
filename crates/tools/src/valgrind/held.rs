//! What massif and DHAT saw of all processes, by the place in the user's own code that asked for the memory.

use std::collections::HashMap;

use model::simulated::{HeapSite, SimulatedHeap};

use super::costs::Owns;
use super::dhat::{Dhat, Point};
use super::frame::Frame;
use super::massif::{Massif, Node, Place};

/// Sites that are kept.
const MOST: usize = 100;

/// Takes the process with the largest heap. Nothing is changed when there is none.
pub fn add_massif(heap: &mut SimulatedHeap, processes: &[Massif<'_>], owns: Owns<'_>) {
    let peak = |massif: &Massif<'_>| massif.snapshots.iter().map(|one| one.heap.as_bytes()).max();
    let Some(largest) = processes.iter().max_by_key(|massif| peak(massif)) else { return };
    heap.peak = peak(largest);
    let Some(tree) = largest.peak().and_then(|snapshot| snapshot.tree) else { return };
    heap.at_peak = peak_sites(largest, largest.nodes_of(tree), owns);
}

/// Each byte goes to the first place of the user's own code on its way up, else to the function that allocates.
fn peak_sites(massif: &Massif<'_>, nodes: &[Node], owns: Owns<'_>) -> Vec<HeapSite> {
    let mut sites = Sites::new(owns);
    let mut allocator: Option<Frame<'_>> = None;
    // Below a place that has its bytes already.
    let mut done: Option<u16> = None;
    for (at, node) in nodes.iter().enumerate() {
        if done.is_some_and(|depth| node.depth > depth) {
            continue;
        }
        done = None;
        let frame = match massif.places.get(node.place as usize) {
            Some(Place::Frame(frame)) => Some(*frame),
            _ => None,
        };
        if node.depth == 1 {
            allocator = frame;
        }
        let own = frame.filter(|frame| sites.owns(frame));
        let last = nodes.get(at + 1).is_none_or(|next| next.depth <= node.depth);
        if own.is_some() || (last && node.depth > 0) {
            sites.add(own.or(allocator).as_ref(), node.bytes.as_bytes(), None);
            done = Some(node.depth);
        }
    }
    sites.finish(|site| site.bytes)
}

/// Adds up the allocations of all processes.
pub fn add_dhat(heap: &mut SimulatedHeap, processes: &[Dhat], owns: Owns<'_>) {
    let mut sites = Sites::new(owns);
    let (mut blocks, mut bytes) = (0_u64, 0_u64);
    for process in processes {
        for point in &process.points {
            blocks = blocks.saturating_add(point.blocks.0);
            bytes = bytes.saturating_add(point.bytes.as_bytes());
            let frames = || point.stack.iter().filter_map(|number| process.frame(*number));
            let place = frames()
                .find(|frame| sites.owns(frame))
                .or_else(|| frames().find(|frame| !is_allocator(frame)));
            sites.add(place.as_ref(), point.bytes.as_bytes(), Some((process, point)));
        }
    }
    if !processes.is_empty() {
        (heap.blocks, heap.bytes) = (Some(blocks), Some(bytes));
        heap.sites = sites.finish(|site| site.blocks.unwrap_or(0));
    }
}

/// Valgrind's own replacement of malloc and the like.
fn is_allocator(frame: &Frame<'_>) -> bool {
    frame.object.is_some_and(|object| object.windows(10).any(|part| part == b"vgpreload_"))
        || frame.function.is_some_and(|name| [&b"malloc"[..], b"calloc", b"realloc", b"free"].contains(&name))
}

type Key = (Vec<u8>, Option<Vec<u8>>, Option<u32>);

struct Sites<'o> {
    owns: Owns<'o>,
    found: HashMap<Key, Site>,
}

struct Site {
    site: HeapSite,
    /// The sum of all blocks' lives as shares of the run.
    lives: Option<f64>,
}

impl<'o> Sites<'o> {
    fn new(owns: Owns<'o>) -> Self {
        Self { owns, found: HashMap::new() }
    }

    fn owns(&self, frame: &Frame<'_>) -> bool {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (frame.file.is_some() || frame.object.is_some())
            && (self.owns)(frame.file.map(text).as_deref(), frame.object.map(text).as_deref())
    }

    fn add(&mut self, frame: Option<&Frame<'_>>, bytes: u64, allocated: Option<(&Dhat, &Point)>) {
        let project = frame.is_some_and(|frame| self.owns(frame));
        let name = frame.and_then(|frame| frame.function).unwrap_or(b"(not named)");
        let (file, line) = frame.map_or((None, None), |frame| (frame.file, frame.line));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let key = (name.to_vec(), file.map(<[u8]>::to_vec), line);
        let entry = self.found.entry(key).or_insert_with(|| Site {
            site: HeapSite {
                function: text(name),
                file: file.map(text),
                line,
                project,
                bytes: 0,
                blocks: allocated.map(|_| 0),
                lifetime: None,
                accesses: allocated.map(|_| 0),
            },
            lives: allocated.map(|_| 0.0),
        });
        let site = &mut entry.site;
        site.bytes = site.bytes.saturating_add(bytes);
        let Some((process, point)) = allocated else { return };
        site.blocks = site.blocks.map(|sum| sum.saturating_add(point.blocks.0));
        let touched = point
            .read
            .zip(point.written)
            .map(|(read, written)| read.as_bytes().saturating_add(written.as_bytes()));
        site.accesses = site.accesses.zip(touched).map(|(sum, more)| sum.saturating_add(more));
        entry.lives = entry.lives.zip(lives(process, point)).map(|(sum, more)| sum + more);
    }

    /// The first by `weight`.
    fn finish(self, weight: fn(&HeapSite) -> u64) -> Vec<HeapSite> {
        let mut sites: Vec<HeapSite> = self.found.into_values().map(Site::finish).collect();
        sites.sort_by(|a, b| {
            (weight(b), &a.function, &a.file, a.line).cmp(&(weight(a), &b.function, &b.file, b.line))
        });
        sites.truncate(MOST);
        sites
    }
}

impl Site {
    #[expect(clippy::cast_precision_loss, reason = "2^53 blocks do not occur in one run")]
    fn finish(self) -> HeapSite {
        let mean = self.lives.zip(self.site.blocks).filter(|(_, blocks)| *blocks > 0);
        HeapSite { lifetime: mean.map(|(lives, blocks)| lives / blocks as f64), ..self.site }
    }
}

/// The lives of a point's blocks, each as a share of the run. `None` when they were not measured.
#[expect(clippy::cast_precision_loss, reason = "instructions of one run stay below 2^53")]
fn lives(process: &Dhat, point: &Point) -> Option<f64> {
    (process.end > 0).then_some(point.lifetimes? as f64 / process.end as f64)
}

#[cfg(test)]
mod tests {
    use super::super::{dhat, massif};
    use super::*;

    fn own(file: Option<&str>, _module: Option<&str>) -> bool {
        file.is_some_and(|file| file.starts_with("/w/"))
    }

    const ALLOCATED: &str = r#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs",
"cmd":"./a","pid":7,"te":1000,"tg":400,"pps":[{"tb":48,"tbk":3,"tl":90,"rb":5,"wb":48,"fs":[1,2,3]},
{"tb":10,"tbk":1,"tl":10,"rb":0,"wb":0,"fs":[1,2,3]},{"tb":8,"tbk":9,"tl":0,"rb":0,"wb":0,"fs":[1,2]}],
"ftbl":["[root]","0x10: malloc (in /usr/libexec/valgrind/vgpreload_dhat.so)","0x20: xmalloc (/u/x.c:9)","0x30: f (/w/a.c:3)"]}"#;

    #[test]
    fn a_block_belongs_to_the_users_code_that_asked_for_it() {
        let mut heap = SimulatedHeap::default();
        add_dhat(&mut heap, &[dhat::parse(ALLOCATED.as_bytes()).unwrap()], &own);
        assert_eq!((heap.blocks, heap.bytes, heap.peak), (Some(13), Some(66), None));
        let [far, near] = heap.sites.as_slice() else { panic!("{:?}", heap.sites) };
        assert_eq!((far.function.as_str(), far.project, far.blocks), ("xmalloc", false, Some(9)));
        assert_eq!((near.function.as_str(), near.line, near.blocks), ("f", Some(3), Some(4)));
        assert_eq!((near.accesses, near.bytes), (Some(53), 58));
        assert!((near.lifetime.unwrap() - 0.025).abs() < 1e-9);
    }

    const HELD: &str = "desc: (none)\ncmd: a\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=5\nmem_heap_B=100\n\
                        mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\nn2: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n \
                        n1: 70 0x20: xmalloc (/u/x.c:9)\n  n0: 70 0x30: f (/w/a.c:3)\n n0: 30 0x40: far (/u/y.c:1)\n";

    #[test]
    fn the_peak_is_told_by_who_holds_it() {
        let mut heap = SimulatedHeap::default();
        add_massif(&mut heap, &[massif::parse(HELD.as_bytes()).unwrap()], &own);
        assert_eq!(heap.peak, Some(100));
        let told: Vec<(&str, u64, bool)> =
            heap.at_peak.iter().map(|site| (site.function.as_str(), site.bytes, site.project)).collect();
        assert_eq!(told, [("f", 70, true), ("far", 30, false)]);
        assert_eq!(heap.blocks, None);
    }
}
